// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room props: limits of properties. Source: those of the setters (HDF5 Reference Manual).

#include "props/value_checks.hpp"

#include <algorithm>
#include <bit>

namespace pcio {

namespace {

struct Rule {
  bool holds;
  const char* property;
};

Status check_rules(std::initializer_list<Rule> rules) {
  for (const Rule& rule : rules)
    if (!rule.holds)
      return PCIO_ERROR(PLIST, BADVALUE,
                        std::string("property '") + rule.property + "' can't have this value");
  return Status();
}

template <class Enum>
bool is_up_to(Enum value, Enum last) {
  return static_cast<int>(value) >= 0 && static_cast<int>(value) <= static_cast<int>(last);
}

bool is_share(double value) { return value >= 0 && value <= 1; }

bool is_width(unsigned bytes) { return bytes == 2 || bytes == 4 || bytes == 8 || bytes == 16; }

Status check(const ObjectCreateProps& p) {
  return check_rules({
      {p.attr_max_compact <= 65535 && p.attr_max_compact + 1 >= p.attr_min_dense,
       "max compact attr"},
      {p.attr_creation_order != kCreationOrderIndexed && p.attr_creation_order <= 3,
       "object header flags"},
      {p.filters.size() <= 32, "pline"},
  });
}

Status check(const GroupCreateProps& p) {
  PCIO_TRY(check(static_cast<const ObjectCreateProps&>(p)));
  return check_rules({
      {p.link_max_compact <= 65535 && p.link_max_compact + 1 >= p.link_min_dense, "group info"},
      {p.link_creation_order != kCreationOrderIndexed && p.link_creation_order <= 3, "link info"},
  });
}

Status check(const FileCreateProps& p) {
  PCIO_TRY(check(static_cast<const GroupCreateProps&>(p)));
  return check_rules({
      {p.userblock == 0 || (p.userblock >= 512 && std::has_single_bit(p.userblock)), "block_size"},
      {is_width(p.sizeof_address), "addr_byte_num"},
      {is_width(p.sizeof_size), "obj_byte_num"},
      {p.symbol_internal_k > 0 && p.symbol_internal_k < 32768, "btree_rank"},
      {p.chunk_internal_k > 0 && p.chunk_internal_k < 32768, "btree_rank"},
      {p.symbol_leaf_k > 0, "symbol_leaf"},
      {is_up_to(p.strategy, FileSpaceStrategy::kNone), "file_space_strategy"},
      {p.file_space_page_size >= 512 && p.file_space_page_size <= 1073741824,
       "file_space_page_size"},
      {p.shared_message_indexes <= p.shared_messages.size(), "num_shmsg_indexes"},
      {p.shared_list_max <= 5000 && p.shared_tree_min <= p.shared_list_max + 1, "shmsg_list_max"},
  });
}

Status check(const FileAccessProps& p) {
  return check_rules({
      {is_up_to(p.close_degree, CloseDegree::kStrong), "close_degree"},
      {is_up_to(p.low_bound, LibraryVersion::kV110), "libver_low_bound"},
      {is_up_to(p.high_bound, LibraryVersion::kV110) && p.high_bound >= p.low_bound &&
           p.high_bound != LibraryVersion::kEarliest,
       "libver_high_bound"},
      {p.alignment > 0, "align"},
      {is_share(p.chunk_cache_preemption), "rdcc_w0"},
      {p.page_buffer_min_meta <= 100, "page_buffer_min_meta_perc"},
      {p.page_buffer_min_raw <= 100 && p.page_buffer_min_meta + p.page_buffer_min_raw <= 100,
       "page_buffer_min_raw_perc"},
      {p.multi_type >= 0 && p.multi_type <= 6, "multi_type"},
      {p.core_write_page > 0, "core_write_tracking_page_size"},
  });
}

Status check(const DatasetCreateProps& p) {
  PCIO_TRY(check(static_cast<const ObjectCreateProps&>(p)));
  const bool chunks = std::all_of(p.chunk_dims.begin(), p.chunk_dims.end(),
                                  [](std::uint64_t n) { return n > 0 && n <= 0xFFFFFFFF; });
  return check_rules({
      {is_up_to(p.layout, Layout::kVirtual) && chunks && p.chunk_dims.size() <= kMaxNdims,
       "layout"},
      {is_up_to(p.fill_time, FillTime::kIfSet), "fill_value"},
      {is_up_to(p.alloc_time, AllocTime::kIncremental), "alloc_time_state"},
  });
}

Status check(const LinkAccessProps& p) {
  return check_rules({
      {p.nlinks > 0, "max soft links"},
  });
}

Status check(const DatasetAccessProps& p) {
  PCIO_TRY(check(static_cast<const LinkAccessProps&>(p)));
  return check_rules({
      {is_share(p.chunk_cache_preemption) ||
           p.chunk_cache_preemption == kChunkCachePreemptionFromFile,
       "rdcc_w0"},
      {p.virtual_view == 0 || p.virtual_view == 1, "vds_view"},
  });
}

Status check(const TransferProps& p) {
  return check_rules({
      {p.chunk_opt_ratio <= 100, "mpio_chunk_opt_ratio"},
      {is_share(p.btree_left) && is_share(p.btree_middle) && is_share(p.btree_right),
       "btree_split_ratio"},
      {p.buffer_size > 0, "max_temp_buf"},
      {is_up_to(p.checksum, ChecksumCheck::kEnable), "err_detect"},
      {is_up_to(p.collective_opt, CollectiveOpt::kIndividualIo), "mpio_collective_opt"},
      {p.hyper_vector_size > 0, "vec_size"},
      {is_up_to(p.chunk_opt, ChunkOpt::kMultiNoOpt), "mpio_chunk_opt_hard"},
      {is_up_to(p.mode, TransferMode::kCollective), "io_xfer_mode"},
  });
}

Status check(const StringCreateProps& p) {
  return check_rules({{p.char_encoding == 0 || p.char_encoding == 1, "character_encoding"}});
}

}  // namespace

Status check_values(const PropertyList& list) {
  if (const auto* p = list.as<FileAccessProps>()) return check(*p);
  if (const auto* p = list.as<TransferProps>()) return check(*p);
  if (const auto* p = list.as<FileCreateProps>()) return check(*p);
  if (const auto* p = list.as<GroupCreateProps>()) return check(*p);
  if (const auto* p = list.as<DatasetCreateProps>()) return check(*p);
  if (const auto* p = list.as<ObjectCreateProps>()) return check(*p);
  if (const auto* p = list.as<DatasetAccessProps>()) return check(*p);
  if (const auto* p = list.as<LinkAccessProps>()) return check(*p);
  if (const auto* p = list.as<StringCreateProps>()) return check(*p);
  return Status();
}

}  // namespace pcio
