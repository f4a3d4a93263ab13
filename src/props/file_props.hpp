// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room props: values of the lists for creating and opening files.
//
// Source of the defaults: HDF5 Reference Manual, the H5Pset_ page of each property; checked against
// libhdf5 1.10.8 (test/oracle/defaults.c).

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "props/driver_settings.hpp"
#include "props/file_image.hpp"
#include "props/object_props.hpp"

namespace pcio {

/// Numbers as H5F_fspace_strategy_t.
enum class FileSpaceStrategy : std::int8_t {
  kFreeSpaceAggregators = 0,
  kPaged = 1,
  kAggregators = 2,
  kNone = 3,
};

/// Rules for one index of shared object header messages. Kept and given back; creating is refused.
struct SharedMessageIndex {
  unsigned types = 0;       // H5O_SHMESG_*_FLAG bits
  unsigned min_size = 250;  // bytes
  friend bool operator==(const SharedMessageIndex&, const SharedMessageIndex&) = default;
};

struct FileCreateProps : GroupCreateProps {
  std::uint64_t userblock = 0;      // bytes; 0 or a power of two from 512
  unsigned sizeof_address = 8;      // bytes; 2, 4, 8 (16 and 32 exist in the format only)
  unsigned sizeof_size = 8;         // bytes
  unsigned symbol_internal_k = 16;  // half the rank of a group's B-tree nodes
  unsigned symbol_leaf_k = 4;       // half the entries of a symbol table node
  unsigned chunk_internal_k = 32;   // half the rank of a chunk index B-tree
  FileSpaceStrategy strategy = FileSpaceStrategy::kFreeSpaceAggregators;
  bool persist_free_space = false;
  std::uint64_t free_space_threshold = 1;  // bytes; smaller holes are forgotten
  std::uint64_t file_space_page_size = 4096;
  unsigned shared_message_indexes = 0;
  /// As in HDF5, the last two places begin with 0 bytes.
  std::array<SharedMessageIndex, 8> shared_messages{{{}, {}, {}, {}, {}, {}, {0, 0}, {0, 0}}};
  unsigned shared_list_max = 50;    // messages
  unsigned shared_tree_min = 40;    // messages
  unsigned superblock_version = 0;  // of the file that the list is of; not a wish
  friend bool operator==(const FileCreateProps&, const FileCreateProps&) = default;
};

/// Numbers as H5F_close_degree_t. WEAK: the file stays open behind its open objects; SEMI: closing
/// fails while objects are open; STRONG: they are closed with it.
enum class CloseDegree : std::int8_t { kDefault = 0, kWeak = 1, kSemi = 2, kStrong = 3 };

/// Numbers as H5F_libver_t of 1.10.
enum class LibraryVersion : std::int8_t { kEarliest = 0, kV18 = 1, kV110 = 2 };

/// What a commit waits for; numbers as pcio_durability_t. kNone: the system may keep what is written
/// in its memory; a killed program loses nothing, a machine without power may. kChecked: failed
/// writes that the file system has not told yet are known before the commit point. kPowerLoss: each
/// step is in the storage before the next one begins.
enum class Durability : std::int8_t { kNone = 0, kChecked = 1, kPowerLoss = 2 };

/// A file image that a list holds. The derived class frees the bytes in the user's way.
struct HeldImage {
  HeldImage() = default;
  HeldImage(const HeldImage&) = delete;
  HeldImage& operator=(const HeldImage&) = delete;
  virtual ~HeldImage() = default;
  FileImage image;
};

struct FileAccessProps {
  DriverChoice driver;     // empty: posix
  bool gpfs_hint = false;  // H5Pset_fapl_mpiposix; without effect
  CloseDegree close_degree = CloseDegree::kDefault;
  LibraryVersion low_bound = LibraryVersion::kEarliest;
  LibraryVersion high_bound = LibraryVersion::kV110;

  std::uint64_t alignment_threshold = 1;  // bytes; smaller pieces are not aligned
  std::uint64_t alignment = 1;            // bytes
  std::uint64_t meta_block_size = 2048;
  std::uint64_t small_data_block_size = 2048;
  std::size_t sieve_buffer_size = 65536;

  std::size_t chunk_cache_slots = 521;
  std::size_t chunk_cache_bytes = 1048576;
  double chunk_cache_preemption = 0.75;
  /// H5AC_cache_config_t / H5AC_cache_image_config_t as the user gave them; empty: never set.
  std::vector<std::byte> metadata_cache_config;
  std::vector<std::byte> metadata_cache_image_config;
  std::size_t page_buffer_size = 0;
  unsigned page_buffer_min_meta = 0;  // percent
  unsigned page_buffer_min_raw = 0;   // percent

  bool all_collective_metadata_reads = false;  // H5Pset_all_coll_metadata_ops
  bool collective_metadata_writes = false;     // H5Pset_coll_metadata_write

  unsigned gc_references = 0;
  std::uint64_t family_offset = 0;  // bytes
  int multi_type = 0;               // H5FD_MEM_DEFAULT
  unsigned elink_file_cache_size = 0;
  unsigned metadata_read_attempts = 0;  // 0: one, or 100 for single-writer readers
  bool evict_on_close = false;
  bool use_file_locking = true;
  bool ignore_disabled_locks = true;                   // go on where the file system has no locks
  Durability durability = Durability::kNone;           // pcio_set_fapl_durability
  std::size_t pending_memory = std::size_t{64} << 20;  // bytes; pcio_set_fapl_waiting_memory
  bool core_write_tracking = false;
  std::size_t core_write_page = 524288;  // bytes

  /// Initial content for the core driver, and the user's memory functions for it. Lists share both:
  /// images are big and never changed.
  std::shared_ptr<const HeldImage> file_image;
  std::shared_ptr<const void> image_callbacks;

  bool metadata_log = false;
  std::string metadata_log_file;
  bool metadata_log_at_open = false;
  void (*flush_callback)() = nullptr;  // H5F_flush_cb_t
  void* flush_callback_data = nullptr;

  /// What HDF5's own tools set by name (H5Pset); kept and given back.
  bool want_posix_fd = false;
  bool clear_status_flags = false;
  bool family_to_single = false;
  bool skip_eof_check = false;
  bool null_free_space_address = false;
  std::uint64_t family_new_size = 0;  // bytes

  friend bool operator==(const FileAccessProps&, const FileAccessProps&) = default;
};

}  // namespace pcio
