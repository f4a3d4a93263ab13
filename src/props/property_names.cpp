// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room props: table of built-in property names.
//
// Source: names and sizes as H5Piterate and H5Pget_size of libhdf5 1.10.8 show them.

#include "props/property_names.hpp"

#include <cstring>
#include <type_traits>

namespace pcio {

namespace {

template <class Member>
struct member_of;
template <class P, class V>
struct member_of<V P::*> {
  using props = P;
  using value = V;
};

/// A property that is one member, shown to C as a CType.
template <auto kMember, class CType>
constexpr NamedProperty scalar(std::string_view name) {
  using P = typename member_of<decltype(kMember)>::props;
  using V = typename member_of<decltype(kMember)>::value;
  return {kClassOf<P>, name, sizeof(CType),
          [](const PropertyList& list, void* value) {
            CType c = static_cast<CType>(list.as<P>()->*kMember);
            std::memcpy(value, &c, sizeof c);
          },
          [](PropertyList& list, const void* value) {
            CType c{};
            std::memcpy(&c, value, sizeof c);
            list.as<P>()->*kMember = static_cast<V>(c);
          }};
}

/// A result of a transfer: read only.
template <auto kMember, class CType>
constexpr NamedProperty result(std::string_view name) {
  return {PropertyClassKind::kDatasetTransfer, name, sizeof(CType),
          [](const PropertyList& list, void* value) {
            CType c = static_cast<CType>(list.as<TransferProps>()->report.*kMember);
            std::memcpy(value, &c, sizeof c);
          },
          nullptr};
}

constexpr NamedProperty opaque(PropertyClassKind owner, std::string_view name, std::size_t size) {
  return {owner, name, size, nullptr, nullptr};
}

using u8 = std::uint8_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i32 = std::int32_t;

constexpr NamedProperty kObjectProperties[] = {
    opaque(PropertyClassKind::kObjectCreate, "pline", 72),
    scalar<&ObjectCreateProps::attr_min_dense, u32>("min dense attr"),
    scalar<&ObjectCreateProps::attr_max_compact, u32>("max compact attr"),
    opaque(PropertyClassKind::kObjectCreate, "object header flags", 1),
    opaque(PropertyClassKind::kGroupCreate, "link info", 48),
    opaque(PropertyClassKind::kGroupCreate, "group info", 16),
    scalar<&StringCreateProps::char_encoding, i32>("character_encoding"),
    scalar<&LinkCreateProps::create_intermediate, u32>("intermediate_group"),
    opaque(PropertyClassKind::kLinkAccess, "external link callback", 16),
    scalar<&LinkAccessProps::nlinks, u64>("max soft links"),
    scalar<&LinkAccessProps::all_collective_metadata_reads, i32>("collective_metadata_read"),
    opaque(PropertyClassKind::kLinkAccess, "external link prefix", 8),
    scalar<&LinkAccessProps::elink_acc_flags, u32>("external link flags"),
    opaque(PropertyClassKind::kLinkAccess, "external link fapl", 8),
    scalar<&ObjectCopyProps::copy_options, u32>("copy object"),
    opaque(PropertyClassKind::kObjectCopy, "merge committed dtype list", 8),
    opaque(PropertyClassKind::kObjectCopy, "committed dtype list search", 16),
    scalar<&FileMountProps::local, u8>("local"),
};

constexpr NamedProperty kFileCreateProperties[] = {
    scalar<&FileCreateProps::strategy, i32>("file_space_strategy"),
    opaque(PropertyClassKind::kFileCreate, "btree_rank", 8),
    scalar<&FileCreateProps::userblock, u64>("block_size"),
    scalar<&FileCreateProps::symbol_leaf_k, u32>("symbol_leaf"),
    scalar<&FileCreateProps::file_space_page_size, u64>("file_space_page_size"),
    scalar<&FileCreateProps::persist_free_space, u8>("free_space_persist"),
    opaque(PropertyClassKind::kFileCreate, "shmsg_message_types", 32),
    opaque(PropertyClassKind::kFileCreate, "super_version", 4),
    scalar<&FileCreateProps::sizeof_size, u8>("obj_byte_num"),
    scalar<&FileCreateProps::free_space_threshold, u64>("free_space_threshold"),
    scalar<&FileCreateProps::sizeof_address, u8>("addr_byte_num"),
    opaque(PropertyClassKind::kFileCreate, "shmsg_message_minsize", 32),
    scalar<&FileCreateProps::shared_tree_min, u32>("shmsg_btree_min"),
    scalar<&FileCreateProps::shared_list_max, u32>("shmsg_list_max"),
    scalar<&FileCreateProps::shared_message_indexes, u32>("num_shmsg_indexes"),
};

constexpr NamedProperty kFileAccessProperties[] = {
    opaque(PropertyClassKind::kFileAccess, "vfd_info", 16),
    opaque(PropertyClassKind::kFileAccess, "want_posix_fd", 1),
    scalar<&FileAccessProps::alignment, u64>("align"),
    opaque(PropertyClassKind::kFileAccess, "clear_status_flags", 1),
    scalar<&FileAccessProps::metadata_read_attempts, u32>("metadata_read_attempts"),
    scalar<&FileAccessProps::page_buffer_size, u64>("page_buffer_size"),
    opaque(PropertyClassKind::kFileAccess, "mdc_initCacheImageCfg", 12),
    scalar<&FileAccessProps::chunk_cache_preemption, double>("rdcc_w0"),
    scalar<&FileAccessProps::evict_on_close, u8>("evict_on_close_flag"),
    scalar<&FileAccessProps::elink_file_cache_size, u32>("efc_size"),
    opaque(PropertyClassKind::kFileAccess, "family_to_single", 1),
    scalar<&FileAccessProps::close_degree, i32>("close_degree"),
    scalar<&FileAccessProps::small_data_block_size, u64>("sdata_block_size"),
    scalar<&FileAccessProps::core_write_page, u64>("core_write_tracking_page_size"),
    opaque(PropertyClassKind::kFileAccess, "mdc_log_location", 8),
    scalar<&FileAccessProps::meta_block_size, u64>("meta_block_size"),
    scalar<&FileAccessProps::sieve_buffer_size, u64>("sieve_buf_size"),
    scalar<&FileAccessProps::family_offset, u64>("family_offset"),
    scalar<&FileAccessProps::page_buffer_min_meta, u32>("page_buffer_min_meta_perc"),
    scalar<&FileAccessProps::high_bound, i32>("libver_high_bound"),
    scalar<&FileAccessProps::ignore_disabled_locks, u8>("ignore_disabled_file_locks"),
    scalar<&FileAccessProps::use_file_locking, u8>("use_file_locking"),
    scalar<&FileAccessProps::low_bound, i32>("libver_low_bound"),
    opaque(PropertyClassKind::kFileAccess, "object_flush_cb", 16),
    scalar<&FileAccessProps::multi_type, i32>("multi_type"),
    scalar<&FileAccessProps::all_collective_metadata_reads, i32>("collective_metadata_read"),
    opaque(PropertyClassKind::kFileAccess, "skip_eof_check", 1),
    opaque(PropertyClassKind::kFileAccess, "family_newsize", 8),
    scalar<&FileAccessProps::page_buffer_min_raw, u32>("page_buffer_min_raw_perc"),
    scalar<&FileAccessProps::collective_metadata_writes, u8>("collective_metadata_write"),
    opaque(PropertyClassKind::kFileAccess, "null_fsm_addr", 1),
    opaque(PropertyClassKind::kFileAccess, "mdc_initCacheCfg", 1216),
    scalar<&FileAccessProps::core_write_tracking, u8>("core_write_tracking_flag"),
    scalar<&FileAccessProps::chunk_cache_bytes, u64>("rdcc_nbytes"),
    scalar<&FileAccessProps::chunk_cache_slots, u64>("rdcc_nslots"),
    scalar<&FileAccessProps::metadata_log, u8>("use_mdc_logging"),
    opaque(PropertyClassKind::kFileAccess, "file_image_info", 72),
    scalar<&FileAccessProps::alignment_threshold, u64>("threshold"),
    scalar<&FileAccessProps::gc_references, u32>("gc_ref"),
    scalar<&FileAccessProps::metadata_log_at_open, u8>("start_mdc_log_on_access"),
};

constexpr NamedProperty kDatasetProperties[] = {
    opaque(PropertyClassKind::kDatasetCreate, "layout", 2256),
    opaque(PropertyClassKind::kDatasetCreate, "efl", 32),
    scalar<&DatasetCreateProps::no_attributes_hint, u8>("dset_oh_minimize"),
    opaque(PropertyClassKind::kDatasetCreate, "alloc_time_state", 4),
    opaque(PropertyClassKind::kDatasetCreate, "fill_value", 88),
    scalar<&DatasetAccessProps::chunk_cache_preemption, double>("rdcc_w0"),
    opaque(PropertyClassKind::kDatasetAccess, "vds_prefix", 8),
    opaque(PropertyClassKind::kDatasetAccess, "external file prefix", 8),
    opaque(PropertyClassKind::kDatasetAccess, "append_flush", 280),
    scalar<&DatasetAccessProps::virtual_view, i32>("vds_view"),
    scalar<&DatasetAccessProps::virtual_printf_gap, u64>("vds_printf_gap"),
    scalar<&DatasetAccessProps::chunk_cache_bytes, u64>("rdcc_nbytes"),
    scalar<&DatasetAccessProps::chunk_cache_slots, u64>("rdcc_nslots"),
};

constexpr NamedProperty kTransferProperties[] = {
    result<&TransferReport::global_causes, u32>("global_no_collective_cause"),
    opaque(PropertyClassKind::kDatasetTransfer, "bkgr_buf", 8),
    scalar<&TransferProps::chunk_opt_ratio, u32>("mpio_chunk_opt_ratio"),
    opaque(PropertyClassKind::kDatasetTransfer, "btree_split_ratio", 24),
    result<&TransferReport::io_mode, i32>("actual_io_mode"),
    scalar<&TransferProps::buffer_size, u64>("max_temp_buf"),
    result<&TransferReport::local_causes, u32>("local_no_collective_cause"),
    result<&TransferReport::chunk_opt, i32>("actual_chunk_opt_mode"),
    opaque(PropertyClassKind::kDatasetTransfer, "vlen_alloc_info", 8),
    scalar<&TransferProps::checksum, i32>("err_detect"),
    opaque(PropertyClassKind::kDatasetTransfer, "vlen_alloc", 8),
    scalar<&TransferProps::collective_opt, i32>("mpio_collective_opt"),
    opaque(PropertyClassKind::kDatasetTransfer, "tconv_buf", 8),
    scalar<&TransferProps::preserve, i32>("bkgr_buf_type"),
    opaque(PropertyClassKind::kDatasetTransfer, "data_transform", 8),
    scalar<&TransferProps::hyper_vector_size, u64>("vec_size"),
    opaque(PropertyClassKind::kDatasetTransfer, "vlen_free", 8),
    scalar<&TransferProps::chunk_opt, i32>("mpio_chunk_opt_hard"),
    opaque(PropertyClassKind::kDatasetTransfer, "type_conv_cb", 16),
    opaque(PropertyClassKind::kDatasetTransfer, "filter_cb", 16),
    scalar<&TransferProps::chunk_opt_num, u32>("mpio_chunk_opt_num"),
    opaque(PropertyClassKind::kDatasetTransfer, "vlen_free_info", 8),
    scalar<&TransferProps::mode, i32>("io_xfer_mode"),
};

/// Calls `visit(row)` for every row of every table.
template <class Visit>
void for_each_property(Visit visit) {
  for (const NamedProperty& row : kObjectProperties) visit(row);
  for (const NamedProperty& row : kFileCreateProperties) visit(row);
  for (const NamedProperty& row : kFileAccessProperties) visit(row);
  for (const NamedProperty& row : kDatasetProperties) visit(row);
  for (const NamedProperty& row : kTransferProperties) visit(row);
}

}  // namespace

const NamedProperty* find_property(PropertyClassKind kind, std::string_view name) {
  const NamedProperty* found = nullptr;
  for_each_property([&](const NamedProperty& row) {
    if (row.name == name && is_property_class(kind, row.owner)) found = &row;
  });
  return found;
}

std::size_t count_properties(PropertyClassKind kind) {
  std::size_t count = 0;
  for_each_property([&](const NamedProperty& row) {
    if (is_property_class(kind, row.owner)) ++count;
  });
  return count;
}

std::size_t count_own_properties(PropertyClassKind kind) {
  std::size_t count = 0;
  for_each_property([&](const NamedProperty& row) {
    if (row.owner == kind) ++count;
  });
  return count;
}

}  // namespace pcio
