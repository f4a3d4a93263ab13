// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room props: the tables.

#include "props/compared_props.hpp"

namespace pcio {

namespace {

template <class P>
struct Compared {
  std::string_view name;
  std::string (*value)(const P&);
};

std::string yes_or_no(bool value) { return value ? "yes" : "no"; }

/// "5 to 8": limits that one call sets.
std::string range(std::uint64_t from, std::uint64_t to) {
  return std::to_string(from) + " to " + std::to_string(to);
}

std::string strategy_name(FileSpaceStrategy strategy) {
  switch (strategy) {
    case FileSpaceStrategy::kFreeSpaceAggregators: return "FSM_AGGR";
    case FileSpaceStrategy::kPaged: return "PAGE";
    case FileSpaceStrategy::kAggregators: return "AGGR";
    case FileSpaceStrategy::kNone: return "NONE";
  }
  return "?";
}

std::string version_name(LibraryVersion version) {
  switch (version) {
    case LibraryVersion::kEarliest: return "EARLIEST";
    case LibraryVersion::kV18: return "V18";
    case LibraryVersion::kV110: return "V110";
  }
  return "?";
}

std::string degree_name(const FileAccessProps& access) {
  switch (access.close_degree) {
    case CloseDegree::kDefault: break;
    case CloseDegree::kWeak: return "WEAK";
    case CloseDegree::kSemi: return "SEMI";
    case CloseDegree::kStrong: return "STRONG";
  }
  return access.driver.value().is_parallel() ? "SEMI" : "WEAK";
}

using Create = FileCreateProps;
using Access = FileAccessProps;

constexpr Compared<Create> kCreate[] = {
    {"user block", [](const Create& p) { return std::to_string(p.userblock); }},
    {"size of addresses (H5Pset_sizes)",
     [](const Create& p) { return std::to_string(p.sizeof_address); }},
    {"size of lengths (H5Pset_sizes)",
     [](const Create& p) { return std::to_string(p.sizeof_size); }},
    {"symbol table tree (H5Pset_sym_k)",
     [](const Create& p) { return std::to_string(p.symbol_internal_k); }},
    {"symbol table node (H5Pset_sym_k)",
     [](const Create& p) { return std::to_string(p.symbol_leaf_k); }},
    {"chunk tree (H5Pset_istore_k)",
     [](const Create& p) { return std::to_string(p.chunk_internal_k); }},
    {"file space strategy", [](const Create& p) { return strategy_name(p.strategy); }},
    {"keeping of free space (H5Pset_file_space_strategy)",
     [](const Create& p) { return yes_or_no(p.persist_free_space); }},
    {"free space threshold (H5Pset_file_space_strategy)",
     [](const Create& p) { return std::to_string(p.free_space_threshold); }},
    {"file space page size",
     [](const Create& p) { return std::to_string(p.file_space_page_size); }},
    {"number of shared message indexes",
     [](const Create& p) { return std::to_string(p.shared_message_indexes); }},
    {"shared message indexes",
     [](const Create& p) {
       std::string text;
       for (const SharedMessageIndex& index : p.shared_messages)
         text += (text.empty() ? "" : ", ") + std::to_string(index.types) + ":" +
                 std::to_string(index.min_size);
       return text;
     }},
    {"shared message phase change",
     [](const Create& p) { return range(p.shared_list_max, p.shared_tree_min); }},
    {"size hint of local heaps",
     [](const Create& p) { return std::to_string(p.local_heap_size_hint); }},
    {"link phase change",
     [](const Create& p) { return range(p.link_max_compact, p.link_min_dense); }},
    {"estimated number of links (H5Pset_est_link_info)",
     [](const Create& p) { return std::to_string(p.est_num_entries); }},
    {"estimated length of names (H5Pset_est_link_info)",
     [](const Create& p) { return std::to_string(p.est_name_length); }},
    {"link creation order", [](const Create& p) { return std::to_string(p.link_creation_order); }},
    {"attribute phase change",
     [](const Create& p) { return range(p.attr_max_compact, p.attr_min_dense); }},
    {"attribute creation order",
     [](const Create& p) { return std::to_string(p.attr_creation_order); }},
    {"tracking of times", [](const Create& p) { return yes_or_no(p.track_times); }},
};

constexpr Compared<Access> kAccess[] = {
    {"driver", [](const Access& p) { return std::string(p.driver.value().name()); }},
    {"close degree", degree_name},
    {"low library version bound", [](const Access& p) { return version_name(p.low_bound); }},
    {"high library version bound", [](const Access& p) { return version_name(p.high_bound); }},
    {"alignment threshold", [](const Access& p) { return std::to_string(p.alignment_threshold); }},
    {"alignment", [](const Access& p) { return std::to_string(p.alignment); }},
    {"metadata block size", [](const Access& p) { return std::to_string(p.meta_block_size); }},
    {"small data block size",
     [](const Access& p) { return std::to_string(p.small_data_block_size); }},
    {"collective metadata reads",
     [](const Access& p) { return yes_or_no(p.all_collective_metadata_reads); }},
    {"page buffer size", [](const Access& p) { return std::to_string(p.page_buffer_size); }},
};

template <class P, std::size_t n>
void append(const Compared<P> (&table)[n], const P& props, NamedValues* values) {
  for (const Compared<P>& row : table) values->push_back({row.name, row.value(props)});
}

}  // namespace

void append_compared(const FileCreateProps& props, NamedValues* values) {
  append(kCreate, props, values);
}

void append_compared(const FileAccessProps& props, NamedValues* values) {
  append(kAccess, props, values);
}

}  // namespace pcio
