// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room type: turning elements of one type into elements of another.
//
// A Conversion is made once per pair of types and then runs over any number of elements, out of
// place. Overflow, rounding and padding follow HDF5's documented rules and, where these are silent,
// what libhdf5 1.10.8 was observed to do. Source: HDF5 User's Guide, "Datatypes", data conversion.

#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "base/status.hpp"
#include "type/datatype.hpp"
#include "type/foreign_conversion.hpp"
#include "type/sequence_heap.hpp"
#include "type/sequences.hpp"

namespace pcio {

/// What went wrong with one value; numbers are those of H5T_conv_except_t.
enum class ConvertException : int {
  kRangeHigh = 0,
  kRangeLow = 1,
  kPrecision = 2,
  kTruncate = 3,
  kPlusInfinity = 4,
  kMinusInfinity = 5,
  kNotANumber = 6,
};

/// What the hook did about it; numbers are those of H5T_conv_ret_t.
enum class ExceptionAnswer : int { kAbort = -1, kUnhandled = 0, kHandled = 1 };

/// Called for each exceptional value with the (member) types and aligned copies of both values; where
/// the answer is kHandled, the hook has stored the destination value.
using ExceptionHook = std::function<ExceptionAnswer(
    ConvertException, const Datatype& source, const Datatype& destination, const void* source_value,
    void* destination_value)>;

/// Where variable-length parts are; they must outlive the Conversion.
struct SequencePlaces {
  SequenceHeap* source = nullptr;       ///< of a source in file form; null: it is in memory
  SequenceHeap* destination = nullptr;  ///< of a destination in file form; null: it is in memory
  SequenceMemory* memory = nullptr;     ///< who gives memory where the destination is there
};

struct ConvertOptions {
  ExceptionHook on_exception;
  SequencePlaces sequences;
  std::shared_ptr<ForeignConversions> foreign;  ///< null: the program has none
};

namespace detail {
class Kernel;
}

/// A way from one type to another.
///
/// Threads: immutable; run() may be called from several threads with distinct buffers, but for
/// variable-length elements, whose heap and memory it uses.
class Conversion {
 public:
  /// Finds the way. Variable-length elements need `options.sequences`: types are in file form where
  /// that names a heap, in memory form else. Elements in memory get memory of their own, also where
  /// both types are equal.
  ///
  /// Errors: UNSUPPORTED where there is none (naming both types); for variable-length elements that
  /// come to memory and have none to come to.
  static Result<Conversion> make(const Datatype& source, const Datatype& destination,
                                 const ConvertOptions& options = {});

  /// Source and destination bytes are the same: the caller may skip run() or copy.
  [[nodiscard]] bool is_noop() const;
  /// The source lacks members of the destination, which must therefore hold its old values.
  [[nodiscard]] bool needs_background() const;
  /// run() leaves some bytes of the destination as they are: those that no member names, and those
  /// of members that the source lacks.
  [[nodiscard]] bool leaves_gaps() const;
  /// run() may call functions of the program, which may do anything meanwhile.
  [[nodiscard]] bool may_call_program() const { return may_call_program_; }
  [[nodiscard]] std::size_t source_size() const { return source_size_; }
  [[nodiscard]] std::size_t destination_size() const { return destination_size_; }

  /// Converts `n` packed elements from `src` to `dst`; the buffers must not overlap.
  ///
  /// On failure `dst` holds some converted elements; memory that was given to variable-length ones is
  /// SequencePlaces::memory's to take back, and clear_sequences() takes their pointers away. Errors:
  /// CANTCONVERT where the hook aborted; those of the heap and of the memory.
  Status run(const std::byte* src, std::byte* dst, std::size_t n) const;
  /// As run(), with steps in bytes from one element to the next.
  Status run_strided(const std::byte* src, std::size_t src_step, std::byte* dst,
                     std::size_t dst_step, std::size_t n) const;

 private:
  Conversion() = default;
  std::shared_ptr<const detail::Kernel> kernel_;
  std::size_t source_size_ = 0;
  std::size_t destination_size_ = 0;
  bool may_call_program_ = false;
};

/// H5Tcompiler_conv: both types are numbers that the machine itself can convert.
[[nodiscard]] bool is_compiler_conversion(const Datatype& source, const Datatype& destination);

}  // namespace pcio
