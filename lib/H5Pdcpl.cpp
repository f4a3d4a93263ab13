// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: module H5P: dataset creation lists: layout, chunks, external files. Fill values are in
// H5Pfill.cpp, filters in H5Pfilters.cpp.

#include <climits>

#include "base/checked.hpp"
#include "base/types.hpp"
#include "lib/enum_argument.hpp"
#include "lib/property_access.hpp"

using namespace pcio;

namespace {

/// Chunk dimensions as the format can hold them: 32-bit numbers, 32 dimensions, and a number of
/// elements below 4 Gi. Source: File Format Specification IV.A.2.i, chunked storage.
Result<std::vector<std::uint64_t>> checked_chunk(int ndims, const hsize_t* dim) {
  if (ndims <= 0)
    return PCIO_ERROR(ARGS, BADRANGE, "argument ndims: a chunk has 1 dimension or more");
  if (static_cast<unsigned>(ndims) > kMaxNdims)
    return PCIO_ERROR(ARGS, BADRANGE, "argument ndims is over 32");
  PCIO_TRY(need_pointer(dim, "dim"));
  std::vector<std::uint64_t> dims(dim, dim + ndims);
  std::uint64_t elements = 1;
  for (std::uint64_t d : dims) {
    if (d == 0) return PCIO_ERROR(ARGS, BADRANGE, "argument dim: a chunk dimension is zero");
    if (d > 0xffffffffU) return PCIO_ERROR(ARGS, BADRANGE, "argument dim: over 4294967295");
    // Both factors fit in 32 bits here.
    elements *= d;
    if (elements > 0xffffffffU)
      return PCIO_ERROR(ARGS, BADRANGE, "a chunk has more than 4294967295 elements");
  }
  return dims;
}

}  // namespace

herr_t H5Pset_layout(hid_t plist_id, H5D_layout_t layout) {
  return set_props<DatasetCreateProps>("H5Pset_layout", plist_id, [&](auto& props) -> Status {
    if (!is_between(layout, H5D_COMPACT, H5D_VIRTUAL))
      return PCIO_ERROR(ARGS, BADRANGE, "argument layout: no such storage layout");
    props.layout = static_cast<Layout>(layout);
    if (props.layout != Layout::kVirtual) props.virtual_mappings.clear();
    props.virtual_alloc_time = AllocTime::kDefault;
    if (props.layout != Layout::kChunked) {
      props.chunk_dims.clear();
      props.chunk_opts = 0;
    }
    return Status();
  });
}

H5D_layout_t H5Pget_layout(hid_t plist_id) {
  return api_value("H5Pget_layout", H5D_LAYOUT_ERROR, [&]() -> Result<H5D_layout_t> {
    PCIO_ASSIGN(auto props, props_of<DatasetCreateProps>(plist_id, "plist_id"));
    return static_cast<H5D_layout_t>(props->layout);
  });
}

herr_t H5Pset_chunk(hid_t plist_id, int ndims, const hsize_t dim[]) {
  return set_props<DatasetCreateProps>("H5Pset_chunk", plist_id, [&](auto& props) -> Status {
    PCIO_ASSIGN(props.chunk_dims, checked_chunk(ndims, dim));
    props.layout = Layout::kChunked;
    props.virtual_mappings.clear();
    props.virtual_alloc_time = AllocTime::kDefault;
    return Status();
  });
}

// Result: the number of dimensions, however many were asked for.
int H5Pget_chunk(hid_t plist_id, int max_ndims, hsize_t dim[]) {
  return api_int("H5Pget_chunk", [&]() -> Result<int> {
    PCIO_ASSIGN(auto props, props_of<DatasetCreateProps>(plist_id, "plist_id"));
    if (props->layout != Layout::kChunked)
      return PCIO_ERROR(ARGS, BADVALUE, "the list's layout is not chunked");
    int ndims = static_cast<int>(props->chunk_dims.size());
    for (int i = 0; dim != nullptr && i < ndims && i < max_ndims; ++i)
      dim[i] = props->chunk_dims[static_cast<std::size_t>(i)];
    return ndims;
  });
}

herr_t H5Pset_chunk_opts(hid_t plist_id, unsigned opts) {
  return set_props<DatasetCreateProps>("H5Pset_chunk_opts", plist_id, [&](auto& props) -> Status {
    if ((opts & ~kDontFilterPartialChunks) != 0)
      return PCIO_ERROR(ARGS, BADVALUE, "argument opts: unknown bits");
    if (props.layout != Layout::kChunked)
      return PCIO_ERROR(ARGS, BADVALUE, "the list's layout is not chunked");
    props.chunk_opts = opts;
    return Status();
  });
}

herr_t H5Pget_chunk_opts(hid_t plist_id, unsigned* opts) {
  return get_props<DatasetCreateProps>("H5Pget_chunk_opts", plist_id, [&](auto& props) -> Status {
    if (props.layout != Layout::kChunked)
      return PCIO_ERROR(ARGS, BADVALUE, "the list's layout is not chunked");
    store(opts, props.chunk_opts);
    return Status();
  });
}

// ---- external files -----------------------------------------------------------------------------

namespace {

Status check_external(const DatasetCreateProps& props, off_t offset, hsize_t size) {
  if (offset < 0) return PCIO_ERROR(ARGS, BADVALUE, "argument offset is negative");
  if (props.external_files.empty()) return Status();
  std::uint64_t total = size == H5F_UNLIMITED ? 0 : size;
  for (const ExternalFile& file : props.external_files) {
    if (file.size == H5F_UNLIMITED)
      return PCIO_ERROR(ARGS, BADRANGE, "the external file before this one is unlimited");
    // HDF5 tells an overflow by a sum that does not grow. Source: observed.
    if (file.size == 0)
      return PCIO_ERROR(ARGS, BADVALUE, "an external file before this one has no bytes for data");
    auto sum = checked_add(total, file.size);
    if (!sum) return PCIO_ERROR(EFL, OVERFLOW, "the external files are too big together");
    total = *sum;
  }
  return Status();
}

}  // namespace

herr_t H5Pset_external(hid_t plist_id, const char* name, off_t offset, hsize_t size) {
  return set_props<DatasetCreateProps>("H5Pset_external", plist_id, [&](auto& props) -> Status {
    PCIO_ASSIGN(std::string file, text_argument(name, "name"));
    if (file.size() >= PATH_MAX)
      return PCIO_ERROR(ARGS, BADVALUE, "argument name: longer than any file's name");
    PCIO_TRY(check_external(props, offset, size));
    props.external_files.push_back({std::move(file), offset, size});
    return Status();
  });
}

herr_t H5Pget_external(hid_t plist_id, unsigned idx, size_t name_size, char* name, off_t* offset,
                       hsize_t* size) {
  return get_props<DatasetCreateProps>("H5Pget_external", plist_id, [&](auto& props) -> Status {
    if (idx >= props.external_files.size())
      return PCIO_ERROR(ARGS, BADRANGE, "argument idx: there are not so many external files");
    const ExternalFile& file = props.external_files[idx];
    // As strncpy: a name that does not fit is not closed with a 0. Source: observed.
    if (name != nullptr) file.name.copy(name, name_size);
    if (name != nullptr && file.name.size() < name_size) name[file.name.size()] = '\0';
    store(offset, file.offset);
    store(size, file.size);
    return Status();
  });
}

int H5Pget_external_count(hid_t plist_id) {
  return api_int("H5Pget_external_count", [&]() -> Result<int> {
    PCIO_ASSIGN(auto props, props_of<DatasetCreateProps>(plist_id, "plist_id"));
    return static_cast<int>(props->external_files.size());
  });
}

herr_t H5Pset_dset_no_attrs_hint(hid_t dcpl_id, hbool_t minimize) {
  return set_props<DatasetCreateProps>("H5Pset_dset_no_attrs_hint", {dcpl_id, "dcpl_id"},
                                       [&](auto& props) { props.no_attributes_hint = minimize; });
}

herr_t H5Pget_dset_no_attrs_hint(hid_t dcpl_id, hbool_t* minimize) {
  return get_props<DatasetCreateProps>("H5Pget_dset_no_attrs_hint", {dcpl_id, "dcpl_id"},
                                       [&](auto& props) -> Status {
                                         PCIO_TRY(need_pointer(minimize, "minimize"));
                                         *minimize = props.no_attributes_hint;
                                         return Status();
                                       });
}
