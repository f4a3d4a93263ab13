// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room props: values of a data transfer list, and a transfer request made of them.
//
// Source of the defaults: HDF5 Reference Manual, the H5Pset_ page of each property; checked against
// libhdf5 1.10.8 (test/oracle/defaults.c). Thresholds: H5FDmpi.h of HDF5 1.10.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "props/transfer_report.hpp"
#include "space/dataspace.hpp"
#include "type/convert.hpp"
#include "type/data_transform.hpp"
#include "type/datatype.hpp"

namespace pcio {

/// Numbers as H5Z_EDC_t: whether checksums are verified on reading.
enum class ChecksumCheck : std::int8_t { kDisable = 0, kEnable = 1 };

/// A C callback with its argument; the wall casts it back to its real type.
struct Callback {
  void (*function)() = nullptr;
  void* data = nullptr;
  friend bool operator==(const Callback&, const Callback&) = default;
};

inline constexpr std::size_t kDefaultExchangeMemory = std::size_t{16} << 20;
inline constexpr std::size_t kLeastExchangeMemory = std::size_t{1} << 20;

struct TransferProps {
  // Parallel: what is asked for.
  TransferMode mode = TransferMode::kIndependent;
  CollectiveOpt collective_opt = CollectiveOpt::kCollectiveIo;
  ChunkOpt chunk_opt = ChunkOpt::kDefault;
  unsigned chunk_opt_num = 0;     // chunks per process from which chunks are linked
  unsigned chunk_opt_ratio = 60;  // percent of the processes that make a chunk collective
  Transport forced_transport = Transport::kNone;  // kNone: chosen automatically
  /// Bytes of all buffers of an exchange together, on each rank.
  std::size_t exchange_memory = kDefaultExchangeMemory;
  bool keep_chunk_modes = false;  // the report lists the mode of each chunk

  // Conversion.
  std::size_t buffer_size = 1048576;  // bytes for conversion and background
  void* conversion_buffer = nullptr;  // the user's, or nullptr: allocated
  void* background_buffer = nullptr;
  bool preserve = false;          // keep members of a compound that are not written
  Callback conversion_exception;  // H5T_conv_except_func_t

  // Rest.
  ChecksumCheck checksum = ChecksumCheck::kEnable;
  Callback filter_failure;   // H5Z_filter_func_t
  Callback vlen_allocate;    // H5MM_allocate_t
  Callback vlen_free;        // H5MM_free_t
  double btree_left = 0.1F;  // split ratios; kept and given back
  double btree_middle = 0.5;
  double btree_right = 0.9F;
  std::size_t hyper_vector_size = 1024;
  std::string data_transform;                      // expression, empty: none
  std::shared_ptr<const DataTransform> transform;  // the same, parsed; null: none

  /// Results of the last transfer with this list; not part of equality.
  TransferReport report;

  friend bool operator==(const TransferProps& a, const TransferProps& b) {
    return a.same_parallel(b) && a.same_conversion(b) && a.same_rest(b);
  }

 private:
  [[nodiscard]] bool same_parallel(const TransferProps& o) const {
    return mode == o.mode && collective_opt == o.collective_opt && chunk_opt == o.chunk_opt &&
           chunk_opt_num == o.chunk_opt_num && chunk_opt_ratio == o.chunk_opt_ratio &&
           forced_transport == o.forced_transport && exchange_memory == o.exchange_memory &&
           keep_chunk_modes == o.keep_chunk_modes;
  }
  [[nodiscard]] bool same_conversion(const TransferProps& o) const {
    return buffer_size == o.buffer_size && conversion_buffer == o.conversion_buffer &&
           background_buffer == o.background_buffer && preserve == o.preserve &&
           conversion_exception == o.conversion_exception;
  }
  [[nodiscard]] bool same_rest(const TransferProps& o) const {
    return checksum == o.checksum && filter_failure == o.filter_failure &&
           vlen_allocate == o.vlen_allocate && vlen_free == o.vlen_free &&
           btree_left == o.btree_left && btree_middle == o.btree_middle &&
           btree_right == o.btree_right && hyper_vector_size == o.hyper_vector_size &&
           data_transform == o.data_transform;
  }
};

/// The list's functions for the memory of variable-length elements. Collective: pure.
inline SequenceMemoryCalls sequence_memory_calls(const TransferProps& props) {
  return {reinterpret_cast<void* (*)(std::size_t, void*)>(props.vlen_allocate.function),
          props.vlen_allocate.data,
          reinterpret_cast<void (*)(void*, void*)>(props.vlen_free.function), props.vlen_free.data};
}

/// For the report. Collective: pure.
inline RequestedTransfer requested_of(const TransferProps& props) {
  return {props.mode,          props.collective_opt,  props.chunk_opt,
          props.chunk_opt_num, props.chunk_opt_ratio, props.forced_transport};
}

/// What the elements of a buffer are: of the request's memory type, or as the file has them, whatever they
/// refer to.
enum class ElementView : std::uint8_t { kTyped, kAsStored };

/// One H5Dread or H5Dwrite with all ids resolved and H5S_ALL replaced by real spaces.
///
/// `buffer` is the user's; a write never changes it.
struct TransferRequest {
  Direction direction = Direction::kRead;
  Datatype memory_type;
  Dataspace memory_space;
  Dataspace file_space;
  std::byte* buffer = nullptr;
  TransferProps props;
  /// The list's exception callback in a form that can be called.
  ConvertOptions conversion;
  ElementView elements = ElementView::kTyped;
  bool is_fill =
      false;  ///< fill values of variable length for new elements: what else is new waits
};

}  // namespace pcio
