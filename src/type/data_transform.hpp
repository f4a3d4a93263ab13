// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room type: the arithmetic of H5Pset_data_transform, parsed once and run over elements in place.
//
// Grammar: + - * /, parentheses, a sign before a factor, integers, floating-point numbers, and a
// variable: one letter, perhaps with digits after it; every variable stands for the element.
// Results are those that libhdf5 1.10.8 was observed to give on x86-64:
//  - constants are combined when the expression is parsed, two integers as 64-bit integers;
//  - element with constant, and a sign, are computed in double and then stored in the element's
//    type, after every operator: 1.5*x/3 of the int 7 is 10/3 = 3;
//  - element with element is computed in the element's own type, integers wrapping;
//  - a double that an integer type cannot hold becomes what the processor makes of it.
// Where libhdf5 ends the process (integer division by zero, a sign before some parentheses) or
// ignores the rest of the text (after a surplus closing parenthesis), this is an error or works.
// Source: HDF5 Reference Manual, H5Pset_data_transform.

#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "base/status.hpp"
#include "type/datatype.hpp"

namespace pcio {

namespace detail {

/// A constant of an expression: an integer until a floating-point number joins it.
struct TransformConstant {
  bool integral = true;
  std::int64_t integer = 0;
  double real = 0.0;
  [[nodiscard]] double value() const { return integral ? static_cast<double>(integer) : real; }
};

/// One step of an expression in postfix order. kElement and kConstant push; operators take two.
struct TransformStep {
  enum class Kind : std::uint8_t { kElement, kConstant, kOperator };
  Kind kind = Kind::kElement;
  char op = 0;  // + - * /
  TransformConstant constant;
};

}  // namespace detail

/// An expression over one element.
///
/// Threads: immutable; apply() may be called from several threads with distinct buffers.
class DataTransform {
 public:
  /// Longest expression in characters and deepest nesting that are taken.
  static constexpr std::size_t kMaxLength = 65536;
  static constexpr unsigned kMaxDepth = 64;

  /// Collective: pure. Errors: BADVALUE with the place of what is wrong.
  static Result<DataTransform> parse(std::string_view text);

  /// The element alone: apply() does nothing, whatever the type.
  [[nodiscard]] bool is_identity() const;

  /// Errors: BADTYPE unless the identity or `type` is an integer or floating-point number of the
  /// machine in the machine's byte order.
  [[nodiscard]] Status check(const Datatype& type) const;

  /// Replaces `n` packed elements of `type` at `data`, of any alignment, by their results.
  ///
  /// Collective: pure. Works through a scratch buffer of a fixed size. On failure some elements
  /// are replaced. Errors: as check(); BADVALUE for a division of integers by zero.
  Status apply(std::byte* data, std::uint64_t n, const Datatype& type) const;

 private:
  std::vector<detail::TransformStep> steps_;
  unsigned stack_ = 1;  // values that are held at once
};

}  // namespace pcio
