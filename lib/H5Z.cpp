// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: module H5Z: which filters there are.

#include "lib/api_entry.hpp"
#include "lib/filters.hpp"
#include "lib/text_argument.hpp"

using namespace pcio;

namespace pcio {

namespace {

// Decoding only: creating a dataset with filters is refused by name.
constexpr KnownFilter kFilters[] = {
    {H5Z_FILTER_DEFLATE, "deflate", H5Z_FILTER_CONFIG_DECODE_ENABLED},
    {H5Z_FILTER_SHUFFLE, "shuffle", H5Z_FILTER_CONFIG_DECODE_ENABLED},
    {H5Z_FILTER_FLETCHER32, "fletcher32", H5Z_FILTER_CONFIG_DECODE_ENABLED},
};

Status check_filter_id(H5Z_filter_t id) {
  if (id >= 0 && id <= H5Z_FILTER_MAX) return Status();
  return PCIO_ERROR(ARGS, BADVALUE, "filter number " + std::to_string(id) + " is not in 0..65535");
}

}  // namespace

std::span<const KnownFilter> known_filters() { return kFilters; }

const KnownFilter* find_filter(int id) {
  for (const KnownFilter& filter : kFilters)
    if (filter.id == id) return &filter;
  return nullptr;
}

}  // namespace pcio

htri_t H5Zfilter_avail(H5Z_filter_t id) {
  return api_int("H5Zfilter_avail", [&]() -> Result<bool> {
    PCIO_TRY(check_filter_id(id));
    return find_filter(id) != nullptr;
  });
}

herr_t H5Zget_filter_info(H5Z_filter_t filter, unsigned* filter_config_flags) {
  return api_status("H5Zget_filter_info", [&]() -> Status {
    const KnownFilter* known = find_filter(filter);
    if (known == nullptr)
      return PCIO_ERROR(PLINE, NOTFOUND, "filter " + std::to_string(filter) + " is not available");
    if (filter_config_flags != nullptr) *filter_config_flags = known->config;
    return Status();
  });
}
