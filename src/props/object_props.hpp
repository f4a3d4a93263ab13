// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room props: values of the lists for creating and reaching objects, links, groups and attributes.
//
// Each default is HDF5's. Source of all defaults here: HDF5 Reference Manual, the H5Pset_ page of
// the property; each was checked against the getters of libhdf5 1.10.8 (test/oracle/defaults.c).

#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace pcio {

/// One stage of a filter pipeline.
struct FilterSpec {
  int id = 0;          // registered number, H5Z_FILTER_*
  unsigned flags = 0;  // bit 0: optional
  std::vector<unsigned> values;
  std::string name;  // as stored in the file; may be empty
  friend bool operator==(const FilterSpec&, const FilterSpec&) = default;
};
using FilterPipeline = std::vector<FilterSpec>;

/// H5P_CRT_ORDER_TRACKED, H5P_CRT_ORDER_INDEXED.
inline constexpr unsigned kCreationOrderTracked = 1;
inline constexpr unsigned kCreationOrderIndexed = 2;

struct RootProps {
  friend bool operator==(const RootProps&, const RootProps&) = default;
};

struct ObjectCreateProps {
  unsigned attr_max_compact = 8;  // attributes; more go to dense storage
  unsigned attr_min_dense = 6;    // attributes; fewer go back
  unsigned attr_creation_order = 0;
  bool track_times = true;
  FilterPipeline filters;  // datasets; for groups only kept and given back
  friend bool operator==(const ObjectCreateProps&, const ObjectCreateProps&) = default;
};

struct GroupCreateProps : ObjectCreateProps {
  std::size_t local_heap_size_hint = 0;  // bytes; 0 = decided by the estimates below
  unsigned link_max_compact = 8;         // links
  unsigned link_min_dense = 6;           // links
  unsigned est_num_entries = 4;          // links expected in a group
  unsigned est_name_length = 8;          // bytes expected in a name
  unsigned link_creation_order = 0;
  friend bool operator==(const GroupCreateProps&, const GroupCreateProps&) = default;
};

struct DatatypeCreateProps : ObjectCreateProps {
  friend bool operator==(const DatatypeCreateProps&, const DatatypeCreateProps&) = default;
};

struct StringCreateProps {
  int char_encoding = 0;  // H5T_cset_t: 0 ASCII, 1 UTF-8
  friend bool operator==(const StringCreateProps&, const StringCreateProps&) = default;
};

struct AttributeCreateProps : StringCreateProps {
  friend bool operator==(const AttributeCreateProps&, const AttributeCreateProps&) = default;
};

struct LinkCreateProps : StringCreateProps {
  unsigned create_intermediate = 0;  // 1: missing groups on the path are made
  friend bool operator==(const LinkCreateProps&, const LinkCreateProps&) = default;
};

struct FileAccessProps;

/// An access list in a list, compared by what it holds. Empty: the default list.
class HeldFileAccess {
 public:
  HeldFileAccess() = default;
  HeldFileAccess& operator=(std::shared_ptr<const FileAccessProps> list) {
    list_ = std::move(list);
    held.reset();
    return *this;
  }
  void reset() { *this = std::shared_ptr<const FileAccessProps>(); }
  explicit operator bool() const { return list_ != nullptr; }
  const FileAccessProps& operator*() const { return *list_; }
  const FileAccessProps* operator->() const { return list_.get(); }
  friend bool operator==(const HeldFileAccess& a, const HeldFileAccess& b);

  /// Properties of which it has a value of its own (props/property_names.hpp); not compared.
  std::bitset<128> held;

 private:
  std::shared_ptr<const FileAccessProps> list_;
};

struct LinkAccessProps {
  std::size_t nlinks = 16;   // soft and user-defined links followed on one path
  std::string elink_prefix;  // put before the file name of an external link
  HeldFileAccess elink_fapl;
  unsigned elink_acc_flags = 0xffff;   // H5F_ACC_DEFAULT
  void (*elink_callback)() = nullptr;  // H5L_elink_traverse_t
  void* elink_callback_data = nullptr;
  bool all_collective_metadata_reads = false;  // H5Pset_all_coll_metadata_ops
  friend bool operator==(const LinkAccessProps&, const LinkAccessProps&) = default;
};

struct GroupAccessProps : LinkAccessProps {
  friend bool operator==(const GroupAccessProps&, const GroupAccessProps&) = default;
};

struct DatatypeAccessProps : LinkAccessProps {
  friend bool operator==(const DatatypeAccessProps&, const DatatypeAccessProps&) = default;
};

struct AttributeAccessProps : LinkAccessProps {
  friend bool operator==(const AttributeAccessProps&, const AttributeAccessProps&) = default;
};

struct ObjectCopyProps {
  unsigned copy_options = 0;  // H5O_COPY_* bits
  std::vector<std::string> merge_type_paths;
  void (*search_callback)() = nullptr;  // H5O_mcdt_search_cb_t
  void* search_callback_data = nullptr;
  friend bool operator==(const ObjectCopyProps&, const ObjectCopyProps&) = default;
};

struct FileMountProps {
  bool local = false;
  friend bool operator==(const FileMountProps&, const FileMountProps&) = default;
};

}  // namespace pcio
