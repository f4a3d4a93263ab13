// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: which properties setters set. Source: the order of H5Pencode in libhdf5 1.10.8, where what
// was set comes first.

#include "lib/setter_properties.hpp"

#include <algorithm>

#include "lib/list_properties.hpp"

namespace pcio {

namespace {

struct SetterRow {
  std::string_view call;  // behind H5Pset_, or behind H5P
  std::string_view names[4];
};

constexpr SetterRow kSetters[] = {
    // Objects, links, names.
    {"attr_phase_change", {"max compact attr", "min dense attr"}},
    {"attr_creation_order", {"object header flags"}},
    {"obj_track_times", {"object header flags"}},
    {"deflate", {"pline"}},
    {"filter", {"pline"}},
    {"fletcher32", {"pline"}},
    {"nbit", {"pline"}},
    {"scaleoffset", {"pline"}},
    {"shuffle", {"pline"}},
    {"szip", {"pline"}},
    {"modify_filter", {"pline"}},
    {"remove_filter", {"pline"}},
    {"est_link_info", {"group info"}},
    {"link_phase_change", {"group info"}},
    {"local_heap_size_hint", {"group info"}},
    {"link_creation_order", {"link info"}},
    {"char_encoding", {"character_encoding"}},
    {"create_intermediate_group", {"intermediate_group"}},
    {"nlinks", {"max soft links"}},
    {"elink_prefix", {"external link prefix"}},
    {"elink_fapl", {"external link fapl"}},
    {"elink_acc_flags", {"external link flags"}},
    {"elink_cb", {"external link callback"}},
    {"all_coll_metadata_ops", {"collective_metadata_read"}},
    {"copy_object", {"copy object"}},
    {"add_merge_committed_dtype_path", {"merge committed dtype list"}},
    {"free_merge_committed_dtype_paths", {"merge committed dtype list"}},
    {"mcdt_search_cb", {"committed dtype list search"}},
    // Creating files.
    {"userblock", {"block_size"}},
    {"sizes", {"addr_byte_num", "obj_byte_num"}},
    {"sym_k", {"btree_rank", "symbol_leaf"}},
    {"istore_k", {"btree_rank"}},
    {"shared_mesg_nindexes", {"num_shmsg_indexes"}},
    {"shared_mesg_index", {"shmsg_message_types", "shmsg_message_minsize"}},
    {"shared_mesg_phase_change", {"shmsg_list_max", "shmsg_btree_min"}},
    {"file_space_strategy", {"file_space_strategy", "free_space_persist", "free_space_threshold"}},
    {"file_space", {"file_space_strategy", "free_space_persist", "free_space_threshold"}},
    {"file_space_page_size", {"file_space_page_size"}},
    // Opening files.
    {"libver_bounds", {"libver_low_bound", "libver_high_bound"}},
    {"fclose_degree", {"close_degree"}},
    {"file_locking", {"use_file_locking", "ignore_disabled_file_locks"}},
    {"evict_on_close", {"evict_on_close_flag"}},
    {"gc_references", {"gc_ref"}},
    {"elink_file_cache_size", {"efc_size"}},
    {"metadata_read_attempts", {"metadata_read_attempts"}},
    {"alignment", {"threshold", "align"}},
    {"meta_block_size", {"meta_block_size"}},
    {"small_data_block_size", {"sdata_block_size"}},
    {"sieve_buf_size", {"sieve_buf_size"}},
    {"cache", {"rdcc_nslots", "rdcc_nbytes", "rdcc_w0"}},
    {"page_buffer_size",
     {"page_buffer_size", "page_buffer_min_meta_perc", "page_buffer_min_raw_perc"}},
    {"mdc_config", {"mdc_initCacheCfg"}},
    {"mdc_image_config", {"mdc_initCacheImageCfg"}},
    {"mdc_log_options", {"use_mdc_logging", "mdc_log_location", "start_mdc_log_on_access"}},
    {"core_write_tracking", {"core_write_tracking_flag", "core_write_tracking_page_size"}},
    {"coll_metadata_write", {"collective_metadata_write"}},
    {"file_image", {"file_image_info"}},
    {"file_image_callbacks", {"file_image_info"}},
    {"object_flush_cb", {"object_flush_cb"}},
    {"family_offset", {"family_offset"}},
    {"multi_type", {"multi_type"}},
    {"driver", {"vfd_info"}},
    // Datasets.
    {"layout", {"layout", "fill_value"}},
    {"chunk", {"layout", "fill_value"}},
    {"chunk_opts", {"layout"}},
    {"virtual", {"layout"}},
    {"external", {"efl"}},
    {"fill_value", {"fill_value"}},
    {"fill_time", {"fill_value"}},
    {"alloc_time", {"fill_value", "alloc_time_state"}},
    {"dset_no_attrs_hint", {"dset_oh_minimize"}},
    {"chunk_cache", {"rdcc_nslots", "rdcc_nbytes", "rdcc_w0"}},
    {"efile_prefix", {"external file prefix"}},
    {"virtual_prefix", {"vds_prefix"}},
    {"virtual_view", {"vds_view"}},
    {"virtual_printf_gap", {"vds_printf_gap"}},
    {"append_flush", {"append_flush"}},
    // Transfers.
    {"buffer", {"max_temp_buf", "tconv_buf", "bkgr_buf"}},
    {"preserve", {"bkgr_buf_type"}},
    {"btree_ratios", {"btree_split_ratio"}},
    {"hyper_vector_size", {"vec_size"}},
    {"edc_check", {"err_detect"}},
    {"filter_callback", {"filter_cb"}},
    {"type_conv_cb", {"type_conv_cb"}},
    {"vlen_mem_manager", {"vlen_alloc", "vlen_alloc_info", "vlen_free", "vlen_free_info"}},
    {"data_transform", {"data_transform"}},
    {"dxpl_mpio", {"io_xfer_mode"}},
    {"dxpl_mpio_collective_opt", {"mpio_collective_opt"}},
    {"dxpl_mpio_chunk_opt", {"mpio_chunk_opt_hard"}},
    {"dxpl_mpio_chunk_opt_num", {"mpio_chunk_opt_num"}},
    {"dxpl_mpio_chunk_opt_ratio", {"mpio_chunk_opt_ratio"}},
};

/// "alignment" of "H5Pset_alignment" and "H5Pget_alignment", "remove_filter" of "H5Premove_filter".
std::string_view subject_of(std::string_view call) {
  for (std::string_view prefix : {"H5Pset_fapl_", "H5Pget_fapl_"})
    if (call.starts_with(prefix)) return "driver";
  for (std::string_view prefix : {"H5Pset_", "H5Pget_", "H5P"})
    if (call.starts_with(prefix)) return call.substr(prefix.size());
  return {};
}

/// Calls `visit(name)` for each property that the call is about.
template <class Visit>
void for_each_name(std::string_view call, Visit visit) {
  const std::string_view subject = subject_of(call);
  const auto* row = std::find_if(std::begin(kSetters), std::end(kSetters),
                                 [&](const SetterRow& r) { return r.call == subject; });
  if (row == std::end(kSetters)) return;
  for (std::string_view name : row->names)
    if (!name.empty()) visit(name);
}

}  // namespace

void note_setter(PropertyListObject& list, std::string_view setter) {
  for_each_name(setter, [&](std::string_view name) {
    if (const NamedProperty* row = find_property(list.list.kind(), name)) list.held.set(row->index);
  });
}

Status need_properties(const PropertyListObject& list, std::string_view call) {
  if (list.removed.empty()) return Status();
  Status status;
  for_each_name(call, [&](std::string_view name) {
    if (status.ok() && !find_property(list, name)) status = Status(no_such_property(name));
  });
  return status;
}

}  // namespace pcio
