// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room type: what a conversion is made of; used by the convert_*.cpp files only.

#pragma once

#include <memory>

#include "type/bits.hpp"
#include "type/convert.hpp"
#include "type/datatype.hpp"

namespace pcio::detail {

/// Elements at equal steps (bytes).
struct Source {
  const std::byte* at = nullptr;
  std::size_t step = 0;
};
struct Target {
  std::byte* at = nullptr;
  std::size_t step = 0;
};

/// Converts elements of one fixed pair of types. Immutable after its making.
class Kernel {
 public:
  Kernel() = default;
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;
  virtual ~Kernel() = default;
  virtual Status run(Source src, Target dst, std::size_t n) const = 0;
  [[nodiscard]] virtual bool is_noop() const { return false; }
  [[nodiscard]] virtual bool needs_background() const { return false; }
  [[nodiscard]] virtual bool leaves_gaps() const { return false; }
};
using KernelPtr = std::shared_ptr<const Kernel>;

/// Tells the user's hook about exceptional values of one pair of types.
class Reporter {
 public:
  Reporter(const Datatype& source, const Datatype& destination, const ConvertOptions& options)
      : source_(source), destination_(destination), hook_(options.on_exception) {}
  [[nodiscard]] bool active() const { return static_cast<bool>(hook_); }
  /// Without a hook: kUnhandled.
  ExceptionAnswer report(ConvertException what, const void* source_value,
                         void* destination_value) const {
    if (!hook_) return ExceptionAnswer::kUnhandled;
    return hook_(what, source_, destination_, source_value, destination_value);
  }

 private:
  Datatype source_;
  Datatype destination_;
  ExceptionHook hook_;
};

/// A pair of types and the user's options, as the makers below take them.
struct Pair {
  const Datatype& source;
  const Datatype& destination;
  const ConvertOptions& options;
};

/// Any pair of types. Errors as Conversion::make.
Result<KernelPtr> make_kernel(const Pair& pair);

/// Copies `size` bytes.
KernelPtr make_copy(std::size_t size);
/// Copies `size` bytes in reverse order.
KernelPtr make_swap(std::size_t size);
/// Numbers that the machine can convert; nullptr where one of them is not such a number.
KernelPtr make_native(const Pair& pair);
/// Integers, floating-point numbers and bit fields of any layout.
Result<KernelPtr> make_number(const Pair& pair);
/// Fixed-length strings.
Result<KernelPtr> make_text(const Pair& pair);
Result<KernelPtr> make_enum(const Pair& pair);
Result<KernelPtr> make_array(const Pair& pair);
Result<KernelPtr> make_compound(const Pair& pair);
/// Sequences and variable-length strings.
Result<KernelPtr> make_sequence(const Pair& pair);

/// By a function of the program; nullptr where it has none for the pair.
KernelPtr make_foreign(const Pair& pair);

/// "H5T_INTEGER to H5T_STRING": for messages.
std::string pair_name(const Pair& pair);

}  // namespace pcio::detail
