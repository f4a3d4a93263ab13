// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: module H5Z: which filters there are, and filters of programs.

#include <cstdlib>

#include "base/keep_loaded.hpp"
#include "filter/filter_buffer.hpp"
#include "filter/standard_filters.hpp"
#include "lib/api_entry.hpp"
#include "lib/filter_calls.hpp"
#include "lib/object_handles.hpp"
#include "lib/plugins.hpp"
#include "lib/text_argument.hpp"
#include "object/filter_use.hpp"

using namespace pcio;

namespace {

Status check_filter_id(H5Z_filter_t id) {
  if (id >= 0 && id <= H5Z_FILTER_MAX) return Status();
  return PCIO_ERROR(ARGS, BADVALUE,
                    "argument id: filter number " + std::to_string(id) + " is not in 0..65535");
}

/// A filter in use can't go: what the open datasets still hold could not be written or read.
Status check_not_in_use(H5Z_filter_t id) {
  for (HandleId dataset_id : handles().ids(static_cast<unsigned>(IdType::kDataset))) {
    auto dataset = get_member<DatasetObject>(dataset_id, "dataset");
    if (!dataset) continue;
    const OpenObject& open = *(*dataset)->open;
    if (uses_filter(open, id))
      return PCIO_ERROR(
          PLINE, CANTCLOSEOBJ,
          "filter " + std::to_string(id) + " is used by the open dataset " + open.path());
  }
  return Status();
}

/// The library's szip as a filter of a program: H5Z_func_t.
std::size_t code_szip(unsigned flags, std::size_t cd_nelmts, const unsigned cd_values[],
                      std::size_t nbytes, std::size_t* buf_size, void** buf) {
  try {
    const FilterSpec spec{kFilterSzip, flags, {cd_values, cd_values + cd_nelmts}, {}};
    FilterBuffer out;
    const FilterCall call{
        spec, {static_cast<const std::byte*>(*buf), nbytes}, out, UINT32_MAX, flags};
    Status done = (flags & kFilterReverse) != 0 ? decode_szip(call) : encode_szip(call);
    if (!done.ok()) return 0;
    const std::size_t size = out.size();
    *buf_size = out.capacity();
    std::free(*buf);
    *buf = out.release();
    return size;
  } catch (...) {
    return 0;
  }
}

}  // namespace

// libhdf5 has this name too, and configure scripts ask the linker for it to learn whether there is szip
// (netCDF's does). netCDF's plugin of szip has a variable of that name as well; the loader gives the plugin
// this one, so that it must code.
extern "C" {
extern const H5Z_class2_t H5Z_SZIP[1];
const H5Z_class2_t H5Z_SZIP[1] = {
    {H5Z_CLASS_T_VERS, H5Z_FILTER_SZIP, 1, 1, "szip", nullptr, nullptr, code_szip}};
}

herr_t H5Zregister(const void* cls) {
  return api_status("H5Zregister", [&]() -> Status {
    PCIO_TRY(need_pointer(cls, "cls"));
    PCIO_ASSIGN(FilterClass filter, foreign_filter(cls));
    // The filter is called by the closing at the end of the process too.
    keep_loaded(reinterpret_cast<const void*>(filter.foreign));
    return register_filter(std::move(filter));
  });
}

herr_t H5Zunregister(H5Z_filter_t id) {
  return api_status("H5Zunregister", [&]() -> Status {
    PCIO_TRY(check_filter_id(id));
    PCIO_TRY(check_not_in_use(id));
    // Of datasets that are closed: what memory has still needs the filter.
    PCIO_TRY(let_filter_go(id));
    return unregister_filter(id);
  });
}

htri_t H5Zfilter_avail(H5Z_filter_t id) {
  return api_int("H5Zfilter_avail", [&]() -> Result<bool> {
    PCIO_TRY(check_filter_id(id));
    return find_filter_class(id).has_value();
  });
}

herr_t H5Zget_filter_info(H5Z_filter_t filter, unsigned* filter_config_flags) {
  return api_status("H5Zget_filter_info", [&]() -> Status {
    PCIO_TRY(check_filter_id(filter));
    PCIO_ASSIGN(FilterClassPtr known, find_filter_class(filter));
    if (filter_config_flags != nullptr) *filter_config_flags = filter_config(*known);
    return Status();
  });
}
