// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: module H5P: the filter pipeline of creation lists.
//
// Any pipeline can be set and read back; whether a dataset can be made with it is decided when it
// is made.

#include <algorithm>

#include "lib/enum_argument.hpp"
#include "lib/filter_calls.hpp"
#include "lib/property_access.hpp"

using namespace pcio;

namespace {

Status check_filter(H5Z_filter_t filter, unsigned flags, size_t cd_nelmts,
                    const unsigned* cd_values) {
  if (filter < 0 || filter > H5Z_FILTER_MAX)
    return PCIO_ERROR(ARGS, BADVALUE, "argument filter: the filter number is not in 0..65535");
  if ((flags & ~static_cast<unsigned>(H5Z_FLAG_DEFMASK)) != 0)
    return PCIO_ERROR(ARGS, BADVALUE, "flags has bits beyond H5Z_FLAG_DEFMASK");
  if (cd_nelmts > 0 && cd_values == nullptr)
    return PCIO_ERROR(ARGS, BADVALUE, "argument c_values: NULL, and cd_nelmts is not zero");
  // The number of values is a 16-bit field. Source: File Format Specification IV.A.2.l.
  if (cd_nelmts > 65535) return PCIO_ERROR(ARGS, BADRANGE, "cd_nelmts is over 65535");
  return Status();
}

Status append_filter(ObjectCreateProps& props, FilterSpec spec) {
  if (props.filters.size() >= H5Z_MAX_NFILTERS)
    return PCIO_ERROR(PLINE, CANTINIT, "a pipeline holds 32 filters at most");
  props.filters.push_back(std::move(spec));
  return Status();
}

FilterPipeline::iterator find_in(FilterPipeline& filters, H5Z_filter_t id) {
  return std::find_if(filters.begin(), filters.end(),
                      [id](const FilterSpec& spec) { return spec.id == id; });
}

/// Where a H5Pget_filter call wants its answers.
struct FilterOutputs {
  unsigned* flags;
  size_t* cd_nelmts;  // in: room in cd_values; out: number there are
  unsigned* cd_values;
  size_t namelen;
  char* name;
  unsigned* config;
};

void describe_filter(const FilterSpec& spec, const FilterOutputs& out) {
  store(out.flags, spec.flags);
  if (out.cd_nelmts != nullptr) {
    std::size_t n = std::min(*out.cd_nelmts, spec.values.size());
    if (out.cd_values != nullptr) std::copy_n(spec.values.begin(), n, out.cd_values);
    *out.cd_nelmts = spec.values.size();
  }
  // A message need not have the name of a filter: then it is the one that the filter says itself.
  const bool ask_name = out.name != nullptr && spec.name.empty();
  if (out.name != nullptr && !ask_name) copy_text(spec.name, out.name, out.namelen);
  if (!ask_name && out.config == nullptr) return;
  auto known = find_filter_class(spec.id);
  if (ask_name) copy_text(known ? (*known)->name : std::string(), out.name, out.namelen);
  if (out.config == nullptr) return;
  *out.config = known ? filter_config(**known) : 0U;
}

Result<H5Z_filter_t> filter_at(hid_t plist_id, unsigned idx, const FilterOutputs& out) {
  PCIO_ASSIGN(auto props, props_of<ObjectCreateProps>(plist_id, "plist_id"));
  if (idx >= props->filters.size())
    return PCIO_ERROR(ARGS, BADRANGE,
                      "argument idx: filter " + std::to_string(idx) + " of " +
                          std::to_string(props->filters.size()));
  describe_filter(props->filters[idx], out);
  return props->filters[idx].id;
}

Status filter_with_id(hid_t plist_id, H5Z_filter_t id, const FilterOutputs& out) {
  PCIO_ASSIGN(auto props, props_of<ObjectCreateProps>(plist_id, "plist_id"));
  for (const FilterSpec& spec : props->filters) {
    if (spec.id != id) continue;
    describe_filter(spec, out);
    return Status();
  }
  return PCIO_ERROR(PLINE, NOTFOUND,
                    "argument id: filter " + std::to_string(id) + " is not in the pipeline");
}

}  // namespace

herr_t H5Pset_filter(hid_t plist_id, H5Z_filter_t filter, unsigned flags, size_t cd_nelmts,
                     const unsigned c_values[]) {
  return set_props<ObjectCreateProps>("H5Pset_filter", plist_id, [&](auto& props) -> Status {
    PCIO_TRY(check_filter(filter, flags, cd_nelmts, c_values));
    return append_filter(props, {filter, flags, {c_values, c_values + cd_nelmts}, {}});
  });
}

herr_t H5Pmodify_filter(hid_t plist_id, H5Z_filter_t filter, unsigned flags, size_t cd_nelmts,
                        const unsigned cd_values[]) {
  return set_props<ObjectCreateProps>("H5Pmodify_filter", plist_id, [&](auto& props) -> Status {
    PCIO_TRY(check_filter(filter, flags, cd_nelmts, cd_values));
    auto found = find_in(props.filters, filter);
    if (found == props.filters.end())
      return PCIO_ERROR(PLINE, NOTFOUND, "argument filter: the filter is not in the pipeline");
    found->flags = flags;
    found->values.assign(cd_values, cd_values + cd_nelmts);
    return Status();
  });
}

herr_t H5Premove_filter(hid_t plist_id, H5Z_filter_t filter) {
  return set_props<ObjectCreateProps>("H5Premove_filter", plist_id, [&](auto& props) -> Status {
    if (filter == H5Z_FILTER_ALL || props.filters.empty()) {
      props.filters.clear();
      return Status();
    }
    auto found = find_in(props.filters, filter);
    if (found == props.filters.end())
      return PCIO_ERROR(PLINE, NOTFOUND, "argument filter: the filter is not in the pipeline");
    props.filters.erase(found);
    return Status();
  });
}

int H5Pget_nfilters(hid_t plist_id) {
  return api_int("H5Pget_nfilters", [&]() -> Result<int> {
    PCIO_ASSIGN(auto props, props_of<ObjectCreateProps>(plist_id, "plist_id"));
    return static_cast<int>(props->filters.size());
  });
}

H5Z_filter_t H5Pget_filter2(hid_t plist_id, unsigned idx, unsigned* flags, size_t* cd_nelmts,
                            unsigned cd_values[], size_t namelen, char name[],
                            unsigned* filter_config) {
  return api_int("H5Pget_filter2", [&]() {
    return filter_at(plist_id, idx, {flags, cd_nelmts, cd_values, namelen, name, filter_config});
  });
}

H5Z_filter_t H5Pget_filter1(hid_t plist_id, unsigned filter, unsigned* flags, size_t* cd_nelmts,
                            unsigned cd_values[], size_t namelen, char name[]) {
  return api_int("H5Pget_filter1", [&]() {
    return filter_at(plist_id, filter, {flags, cd_nelmts, cd_values, namelen, name, nullptr});
  });
}

herr_t H5Pget_filter_by_id2(hid_t plist_id, H5Z_filter_t filter_id, unsigned* flags,
                            size_t* cd_nelmts, unsigned cd_values[], size_t namelen, char name[],
                            unsigned* filter_config) {
  return api_status("H5Pget_filter_by_id2", [&]() {
    return filter_with_id(plist_id, filter_id,
                          {flags, cd_nelmts, cd_values, namelen, name, filter_config});
  });
}

herr_t H5Pget_filter_by_id1(hid_t plist_id, H5Z_filter_t id, unsigned* flags, size_t* cd_nelmts,
                            unsigned cd_values[], size_t namelen, char name[]) {
  return api_status("H5Pget_filter_by_id1", [&]() {
    return filter_with_id(plist_id, id, {flags, cd_nelmts, cd_values, namelen, name, nullptr});
  });
}

htri_t H5Pall_filters_avail(hid_t plist_id) {
  return api_int("H5Pall_filters_avail", [&]() -> Result<bool> {
    PCIO_ASSIGN(auto props, props_of<ObjectCreateProps>(plist_id, "plist_id"));
    return std::all_of(props->filters.begin(), props->filters.end(), [](const FilterSpec& spec) {
      return find_filter_class(spec.id).has_value();
    });
  });
}

// ---- one call per filter -----------------------------------------------------------------------
// Flags and values are those that libhdf5 1.10.8 stores before it knows the dataset; as there, the
// filters that look at elements are for lists of datasets only.

herr_t H5Pset_deflate(hid_t plist_id, unsigned level) {
  return set_props<ObjectCreateProps>("H5Pset_deflate", plist_id, [&](auto& props) -> Status {
    if (level > 9) return PCIO_ERROR(ARGS, BADVALUE, "argument level is not in 0..9");
    return append_filter(props, {H5Z_FILTER_DEFLATE, H5Z_FLAG_OPTIONAL, {level}, {}});
  });
}

herr_t H5Pset_shuffle(hid_t plist_id) {
  return set_props<DatasetCreateProps>("H5Pset_shuffle", plist_id, [&](auto& props) -> Status {
    return append_filter(props, {H5Z_FILTER_SHUFFLE, H5Z_FLAG_OPTIONAL, {}, {}});
  });
}

herr_t H5Pset_fletcher32(hid_t plist_id) {
  return set_props<ObjectCreateProps>("H5Pset_fletcher32", plist_id, [&](auto& props) -> Status {
    return append_filter(props, {H5Z_FILTER_FLETCHER32, H5Z_FLAG_MANDATORY, {}, {}});
  });
}

herr_t H5Pset_nbit(hid_t plist_id) {
  return set_props<DatasetCreateProps>("H5Pset_nbit", plist_id, [&](auto& props) -> Status {
    return append_filter(props, {H5Z_FILTER_NBIT, H5Z_FLAG_OPTIONAL, {}, ""});
  });
}

herr_t H5Pset_scaleoffset(hid_t plist_id, H5Z_SO_scale_type_t scale_type, int scale_factor) {
  return set_props<DatasetCreateProps>("H5Pset_scaleoffset", plist_id, [&](auto& props) -> Status {
    if (!is_between(scale_type, H5Z_SO_FLOAT_DSCALE, H5Z_SO_INT))
      return PCIO_ERROR(ARGS, BADTYPE, "argument scale_type: no such scale type");
    if (scale_factor < 0) return PCIO_ERROR(ARGS, BADVALUE, "argument scale_factor is negative");
    return append_filter(props,
                         {H5Z_FILTER_SCALEOFFSET,
                          H5Z_FLAG_OPTIONAL,
                          {static_cast<unsigned>(scale_type), static_cast<unsigned>(scale_factor)},
                          ""});
  });
}

herr_t H5Pset_szip(hid_t plist_id, unsigned options_mask, unsigned pixels_per_block) {
  return set_props<DatasetCreateProps>("H5Pset_szip", plist_id, [&](auto& props) -> Status {
    if (pixels_per_block % 2 == 1)
      return PCIO_ERROR(ARGS, BADVALUE, "argument pixels_per_block is not even");
    if (pixels_per_block > H5_SZIP_MAX_PIXELS_PER_BLOCK)
      return PCIO_ERROR(ARGS, BADVALUE, "argument pixels_per_block is over 32");
    // Stored with the bits for "K up to 13" and "raw, no header" added. Source: observed.
    unsigned options =
        (options_mask & ~unsigned{H5_SZIP_CHIP_OPTION_MASK}) | H5_SZIP_ALLOW_K13_OPTION_MASK | 128U;
    return append_filter(props,
                         {H5Z_FILTER_SZIP, H5Z_FLAG_OPTIONAL, {options, pixels_per_block}, ""});
  });
}
