// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: module H5P: what is called when objects are flushed or grow; the older form of the file space
// strategy.

#include <limits>

#include "lib/enum_argument.hpp"
#include "lib/property_access.hpp"

using namespace pcio;

herr_t H5Pset_object_flush_cb(hid_t plist_id, H5F_flush_cb_t func, void* udata) {
  return set_props<FileAccessProps>("H5Pset_object_flush_cb", plist_id, [&](auto& props) -> Status {
    if (func == nullptr && udata != nullptr)
      return PCIO_ERROR(ARGS, BADVALUE, "argument func: NULL, and udata is not");
    props.flush_callback = reinterpret_cast<void (*)()>(func);
    props.flush_callback_data = udata;
    return Status();
  });
}

herr_t H5Pget_object_flush_cb(hid_t plist_id, H5F_flush_cb_t* func, void** udata) {
  return get_props<FileAccessProps>("H5Pget_object_flush_cb", plist_id, [&](auto& props) {
    if (func != nullptr) *func = reinterpret_cast<H5F_flush_cb_t>(props.flush_callback);
    if (udata != nullptr) *udata = props.flush_callback_data;
  });
}

// Only the High Level library's H5DOappend looks at it.
herr_t H5Pset_append_flush(hid_t dapl_id, unsigned ndims, const hsize_t boundary[],
                           H5D_append_cb_t func, void* udata) {
  return set_props<DatasetAccessProps>(
      "H5Pset_append_flush", {dapl_id, "dapl_id"}, [&](auto& props) -> Status {
        if (ndims == 0 || ndims > H5S_MAX_RANK)
          return PCIO_ERROR(ARGS, BADVALUE, "argument ndims: not between 1 and 32");
        PCIO_TRY(need_pointer(boundary, "boundary"));
        if (func == nullptr && udata != nullptr)
          return PCIO_ERROR(ARGS, BADVALUE, "argument func: NULL, and udata is not");
        for (unsigned d = 0; d < ndims; ++d)
          if (boundary[d] > std::numeric_limits<std::uint32_t>::max())
            return PCIO_ERROR(ARGS, BADRANGE, "argument boundary: over 32 bits");
        props.append_boundary.assign(boundary, boundary + ndims);
        props.append_callback = reinterpret_cast<void (*)()>(func);
        props.append_callback_data = udata;
        return Status();
      });
}

herr_t H5Pget_append_flush(hid_t dapl_id, unsigned dims, hsize_t boundary[], H5D_append_cb_t* func,
                           void** udata) {
  return get_props<DatasetAccessProps>(
      "H5Pget_append_flush", {dapl_id, "dapl_id"}, [&](auto& props) {
        if (boundary != nullptr)
          for (unsigned d = 0; d < dims; ++d)
            boundary[d] = d < props.append_boundary.size() ? props.append_boundary[d] : 0;
        if (func != nullptr) *func = reinterpret_cast<H5D_append_cb_t>(props.append_callback);
        if (udata != nullptr) *udata = props.append_callback_data;
      });
}

// ---- the form of HDF5 1.10.0 -------------------------------------------------------------------

namespace {

void set_strategy(FileCreateProps& props, H5F_file_space_type_t strategy) {
  using Strategy = FileSpaceStrategy;
  props.persist_free_space = strategy == H5F_FILE_SPACE_ALL_PERSIST;
  props.strategy = strategy == H5F_FILE_SPACE_AGGR_VFD ? Strategy::kAggregators
                   : strategy == H5F_FILE_SPACE_VFD    ? Strategy::kNone
                                                       : Strategy::kFreeSpaceAggregators;
}

Result<H5F_file_space_type_t> older_strategy(const FileCreateProps& props) {
  switch (props.strategy) {
    case FileSpaceStrategy::kFreeSpaceAggregators:
      return props.persist_free_space ? H5F_FILE_SPACE_ALL_PERSIST : H5F_FILE_SPACE_ALL;
    case FileSpaceStrategy::kAggregators: return H5F_FILE_SPACE_AGGR_VFD;
    case FileSpaceStrategy::kNone: return H5F_FILE_SPACE_VFD;
    case FileSpaceStrategy::kPaged: break;
  }
  return PCIO_ERROR(PLIST, CANTGET, "pages have no older name: ask H5Pget_file_space_strategy");
}

}  // namespace

// 0 leaves a value as it is.
herr_t H5Pset_file_space(hid_t plist_id, H5F_file_space_type_t strategy, hsize_t threshold) {
  return set_props<FileCreateProps>("H5Pset_file_space", plist_id, [&](auto& props) -> Status {
    if (!is_between(strategy, H5F_FILE_SPACE_DEFAULT, H5F_FILE_SPACE_VFD))
      return PCIO_ERROR(ARGS, BADVALUE, "argument strategy: no such strategy");
    if (strategy != H5F_FILE_SPACE_DEFAULT) set_strategy(props, strategy);
    if (threshold != 0) props.free_space_threshold = threshold;
    return Status();
  });
}

herr_t H5Pget_file_space(hid_t plist_id, H5F_file_space_type_t* strategy, hsize_t* threshold) {
  return get_props<FileCreateProps>("H5Pget_file_space", plist_id, [&](auto& props) -> Status {
    PCIO_ASSIGN(const H5F_file_space_type_t older, older_strategy(props));
    store(strategy, older);
    store(threshold, props.free_space_threshold);
    return Status();
  });
}
