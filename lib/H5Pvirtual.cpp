// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: module H5P: virtual datasets: mappings of creation lists, and how access lists see them.

#include "lib/object_handles.hpp"
#include "lib/property_access.hpp"
#include "space/unlimited.hpp"

using namespace pcio;

namespace {

Status check_mapping(const VirtualMapping& mapping) {
  if (is_possible(mapping)) return Status();
  if (is_unlimited(mapping.source.selection()))
    return PCIO_ERROR(ARGS, BADVALUE,
                      "argument src_space_id: a selection without an end needs one in vspace_id");
  return PCIO_ERROR(
      ARGS, BADVALUE,
      "argument src_space_id: its selection has a different number of elements than that "
      "of vspace_id");
}

/// One mapping of a list. Errors: no virtual layout; no such mapping.
Result<const VirtualMapping*> mapping_of(const DatasetCreateProps& props, size_t index) {
  if (props.layout != Layout::kVirtual)
    return PCIO_ERROR(ARGS, BADVALUE, "argument dcpl_id: the list's layout is not virtual");
  if (index >= props.virtual_mappings.size())
    return PCIO_ERROR(ARGS, BADRANGE, "argument index: there are not so many mappings");
  return &props.virtual_mappings[index];
}

template <class Pick>
hid_t space_of_mapping(const char* function, hid_t dcpl_id, size_t index, Pick pick) {
  return api_id(function, [&]() -> Result<hid_t> {
    PCIO_ASSIGN(auto props, props_of<DatasetCreateProps>(dcpl_id, "dcpl_id"));
    PCIO_ASSIGN(const VirtualMapping* mapping, mapping_of(*props, index));
    return make_id<SpaceObject>(mapping->*pick);
  });
}

template <class Pick>
ssize_t name_of_mapping(const char* function, hid_t dcpl_id, size_t index, char* name, size_t size,
                        Pick pick) {
  return api_value(function, ssize_t{-1}, [&]() -> Result<ssize_t> {
    PCIO_ASSIGN(auto props, props_of<DatasetCreateProps>(dcpl_id, "dcpl_id"));
    PCIO_ASSIGN(const VirtualMapping* mapping, mapping_of(*props, index));
    const std::string& text = mapping->*pick;
    // As strncpy: a name that does not fit is not closed with a 0. Source: observed.
    if (name != nullptr) text.copy(name, size);
    if (name != nullptr && text.size() < size) name[text.size()] = '\0';
    return static_cast<ssize_t>(text.size());
  });
}

}  // namespace

herr_t H5Pset_virtual(hid_t dcpl_id, hid_t vspace_id, const char* src_file_name,
                      const char* src_dset_name, hid_t src_space_id) {
  return set_props<DatasetCreateProps>(
      "H5Pset_virtual", {dcpl_id, "dcpl_id"}, [&](auto& props) -> Status {
        VirtualMapping mapping;
        PCIO_ASSIGN(mapping.file, text_argument(src_file_name, "src_file_name"));
        PCIO_ASSIGN(mapping.dataset, text_argument(src_dset_name, "src_dset_name"));
        PCIO_ASSIGN(auto target, get<SpaceObject>(vspace_id, "vspace_id"));
        PCIO_ASSIGN(auto source, get<SpaceObject>(src_space_id, "src_space_id"));
        mapping.target = target->space;
        mapping.source = source->space;
        PCIO_TRY(check_mapping(mapping));
        props.virtual_mappings.push_back(std::move(mapping));
        // Of the layout alone: as observed on libhdf5 1.10.8.
        const AllocTime before = props.effective_alloc_time();
        if (props.layout != Layout::kVirtual && props.alloc_time == AllocTime::kDefault &&
            before != AllocTime::kIncremental)
          props.virtual_alloc_time = before;
        props.layout = Layout::kVirtual;
        props.chunk_dims.clear();
        props.chunk_opts = 0;
        return Status();
      });
}

herr_t H5Pget_virtual_count(hid_t dcpl_id, size_t* count) {
  return get_props<DatasetCreateProps>(
      "H5Pget_virtual_count", {dcpl_id, "dcpl_id"}, [&](auto& props) -> Status {
        if (props.layout != Layout::kVirtual)
          return PCIO_ERROR(ARGS, BADVALUE, "argument dcpl_id: the list's layout is not virtual");
        store(count, props.virtual_mappings.size());
        return Status();
      });
}

hid_t H5Pget_virtual_vspace(hid_t dcpl_id, size_t index) {
  return space_of_mapping("H5Pget_virtual_vspace", dcpl_id, index, &VirtualMapping::target);
}

hid_t H5Pget_virtual_srcspace(hid_t dcpl_id, size_t index) {
  return space_of_mapping("H5Pget_virtual_srcspace", dcpl_id, index, &VirtualMapping::source);
}

ssize_t H5Pget_virtual_filename(hid_t dcpl_id, size_t index, char* name, size_t size) {
  return name_of_mapping("H5Pget_virtual_filename", dcpl_id, index, name, size,
                         &VirtualMapping::file);
}

ssize_t H5Pget_virtual_dsetname(hid_t dcpl_id, size_t index, char* name, size_t size) {
  return name_of_mapping("H5Pget_virtual_dsetname", dcpl_id, index, name, size,
                         &VirtualMapping::dataset);
}

herr_t H5Pset_virtual_view(hid_t dapl_id, H5D_vds_view_t view) {
  return set_props<DatasetAccessProps>(
      "H5Pset_virtual_view", {dapl_id, "dapl_id"}, [&](auto& props) -> Status {
        if (view != H5D_VDS_FIRST_MISSING && view != H5D_VDS_LAST_AVAILABLE)
          return PCIO_ERROR(ARGS, BADVALUE, "argument view: no view of a virtual dataset");
        props.virtual_view = view;
        return Status();
      });
}

herr_t H5Pget_virtual_view(hid_t dapl_id, H5D_vds_view_t* view) {
  return get_props<DatasetAccessProps>("H5Pget_virtual_view", {dapl_id, "dapl_id"},
                                       [&](auto& props) { store(view, props.virtual_view); });
}

herr_t H5Pset_virtual_printf_gap(hid_t dapl_id, hsize_t gap_size) {
  return set_props<DatasetAccessProps>(
      "H5Pset_virtual_printf_gap", {dapl_id, "dapl_id"}, [&](auto& props) -> Status {
        if (gap_size == H5S_UNLIMITED)
          return PCIO_ERROR(ARGS, BADVALUE, "argument gap_size: a search must have an end");
        props.virtual_printf_gap = gap_size;
        return Status();
      });
}

herr_t H5Pget_virtual_printf_gap(hid_t dapl_id, hsize_t* gap_size) {
  return get_props<DatasetAccessProps>(
      "H5Pget_virtual_printf_gap", {dapl_id, "dapl_id"},
      [&](auto& props) { store(gap_size, props.virtual_printf_gap); });
}

herr_t H5Pset_virtual_prefix(hid_t dapl_id, const char* prefix) {
  return set_props<DatasetAccessProps>(
      "H5Pset_virtual_prefix", {dapl_id, "dapl_id"},
      [&](auto& props) { props.virtual_prefix = prefix != nullptr ? prefix : ""; });
}

ssize_t H5Pget_virtual_prefix(hid_t dapl_id, char* prefix, size_t size) {
  return api_value("H5Pget_virtual_prefix", ssize_t{-1}, [&]() -> Result<ssize_t> {
    PCIO_ASSIGN(auto props, props_of<DatasetAccessProps>(dapl_id, "dapl_id"));
    return copy_optional_text(props->virtual_prefix, prefix, size);
  });
}
