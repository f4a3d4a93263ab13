// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room props: values of the lists for creating and reaching datasets.
//
// Source of the defaults: HDF5 Reference Manual, the H5Pset_ page of each property; checked against
// libhdf5 1.10.8 (test/oracle/defaults.c).

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "props/object_props.hpp"
#include "props/virtual_mapping.hpp"
#include "type/datatype.hpp"
#include "type/foreign_conversion.hpp"
#include "type/stored_sequences.hpp"

namespace pcio {

/// Numbers as H5D_layout_t.
enum class Layout : std::int8_t { kCompact = 0, kContiguous = 1, kChunked = 2, kVirtual = 3 };

/// When storage is given to a dataset; numbers as H5D_alloc_time_t.
enum class AllocTime : std::int8_t { kDefault = 0, kEarly = 1, kLate = 2, kIncremental = 3 };

/// When the fill value is written; numbers as H5D_fill_time_t.
enum class FillTime : std::int8_t { kAlloc = 0, kNever = 1, kIfSet = 2 };

/// Numbers as H5D_fill_value_t.
enum class FillState : std::int8_t { kUndefined = 0, kDefault = 1, kUserDefined = 2 };

/// The fill value as the user gave it: bytes of one element of `type`, memory form.
struct FillValue {
  FillState state = FillState::kDefault;  // kDefault: zero bytes
  std::optional<Datatype> type;           // set exactly where state is kUserDefined
  std::vector<std::byte> bytes;           // type->size() bytes
  /// What variable-length parts refer to; then type and bytes are in the file form that goes with it.
  /// Shared by copies, and never changed. Null: there are none.
  std::shared_ptr<StoredSequences> sequences;

  friend bool operator==(const FillValue& a, const FillValue& b) {
    if ((a.sequences == nullptr) != (b.sequences == nullptr)) return false;
    if (a.sequences && a.sequences->objects() != b.sequences->objects()) return false;
    return a.state == b.state && a.type == b.type && a.bytes == b.bytes;
  }
};

/// A file that holds raw data outside the HDF5 file.
struct ExternalFile {
  std::string name;
  std::int64_t offset = 0;  // bytes
  std::uint64_t size = 0;   // bytes; all ones = unlimited
  friend bool operator==(const ExternalFile&, const ExternalFile&) = default;
};

/// H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS.
inline constexpr unsigned kDontFilterPartialChunks = 2;

struct DatasetCreateProps : ObjectCreateProps {
  Layout layout = Layout::kContiguous;
  std::vector<std::uint64_t> chunk_dims;  // elements, row-major; empty: none set
  unsigned chunk_opts = 0;                // kDontFilterPartialChunks
  std::vector<ExternalFile> external_files;
  std::vector<VirtualMapping> virtual_mappings;
  FillValue fill;
  FillTime fill_time = FillTime::kIfSet;
  AllocTime alloc_time = AllocTime::kDefault;
  bool no_attributes_hint = false;

  /// What kDefault stands for where the layout became virtual by a mapping: what it did before. Else kDefault.
  AllocTime virtual_alloc_time = AllocTime::kDefault;

  /// The time that kDefault stands for: compact early, contiguous late, chunked incremental.
  /// Source: HDF5 Reference Manual, H5Pset_alloc_time.
  [[nodiscard]] AllocTime effective_alloc_time() const;
  friend bool operator==(const DatasetCreateProps&, const DatasetCreateProps&) = default;
};

inline AllocTime DatasetCreateProps::effective_alloc_time() const {
  if (alloc_time != AllocTime::kDefault) return alloc_time;
  switch (layout) {
    case Layout::kCompact: return AllocTime::kEarly;
    case Layout::kContiguous: return AllocTime::kLate;
    case Layout::kVirtual:
      return virtual_alloc_time == AllocTime::kDefault ? AllocTime::kIncremental
                                                       : virtual_alloc_time;
    default: return AllocTime::kIncremental;
  }
}

/// "Take it from the file's access list": H5D_CHUNK_CACHE_NSLOTS_DEFAULT, _NBYTES_DEFAULT.
inline constexpr std::size_t kChunkCacheFromFile = static_cast<std::size_t>(-1);
/// H5D_CHUNK_CACHE_W0_DEFAULT.
inline constexpr double kChunkCachePreemptionFromFile = -1.0;

struct DatasetAccessProps : LinkAccessProps {
  std::size_t chunk_cache_slots = kChunkCacheFromFile;
  std::size_t chunk_cache_bytes = kChunkCacheFromFile;
  double chunk_cache_preemption = kChunkCachePreemptionFromFile;  // 0 to 1
  int virtual_view = 1;                                           // H5D_VDS_LAST_AVAILABLE
  std::uint64_t virtual_printf_gap = 0;  // missing source datasets tolerated
  std::string virtual_prefix;
  std::string external_prefix;
  bool late_allocation = false;  // parallel: chunks get space when they are written
  std::vector<std::uint64_t> append_boundary;
  void (*append_callback)() = nullptr;  // H5D_append_cb_t
  void* append_callback_data = nullptr;
  friend bool operator==(const DatasetAccessProps&, const DatasetAccessProps&) = default;
};

}  // namespace pcio
