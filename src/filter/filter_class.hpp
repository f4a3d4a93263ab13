// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room filter: what a filter is, be it one of the library, a program's or a plugin's.

#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/status.hpp"
#include "filter/filter_buffer.hpp"
#include "props/object_props.hpp"

namespace pcio {

/// Registered filter numbers. Source: HDF5 File Format Specification IV.A.2.l, Filter Pipeline.
enum FilterId : int {
  kFilterDeflate = 1,
  kFilterShuffle = 2,
  kFilterFletcher32 = 3,
  kFilterSzip = 4,
  kFilterNbit = 5,
  kFilterScaleOffset = 6,
};

/// Flags of a stage and of a call; values of H5Z_FLAG_*.
inline constexpr unsigned kFilterOptional = 0x0001;
inline constexpr unsigned kFilterReverse = 0x0100;
inline constexpr unsigned kFilterSkipChecksum = 0x0200;

/// One stage of a chunk: `in` was made by the stage before, the result goes to `out`.
struct FilterCall {
  const FilterSpec& spec;
  ConstBytes in;
  FilterBuffer& out;
  /// Decoding: more bytes than these can't be right. Encoding: more are not wanted.
  std::uint64_t limit = 0;
  /// kFilterSkipChecksum or 0.
  unsigned flags = 0;
  /// Decoding: no more bytes than these in nearly all chunks; room to begin with, where that is to be guessed.
  std::uint64_t likely = UINT64_MAX;
};

/// A filter of the library itself. Threads: may run in several at once.
using NativeFilter = Status (*)(const FilterCall&);

/// H5Z_func_t, with the types that it has in every C.
using ForeignFilter = std::size_t (*)(unsigned flags, std::size_t cd_nelmts,
                                      const unsigned cd_values[], std::size_t nbytes,
                                      std::size_t* buf_size, void** buf);

/// Either `encode` and `decode`, or `foreign`.
struct FilterClass {
  int id = 0;
  std::string name;  ///< stored in files
  bool encodes = false;
  bool decodes = false;
  NativeFilter encode = nullptr;
  NativeFilter decode = nullptr;
  ForeignFilter foreign = nullptr;
  /// H5Z_can_apply_func_t and H5Z_set_local_func_t, which take ids: the wall casts them back.
  void (*can_apply)() = nullptr;
  void (*set_local)() = nullptr;

  [[nodiscard]] bool is_native() const { return foreign == nullptr; }
};
using FilterClassPtr = std::shared_ptr<const FilterClass>;

}  // namespace pcio
