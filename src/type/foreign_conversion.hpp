// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room type: conversion functions that a program has registered, as a conversion calls them.

#pragma once

#include <cstddef>
#include <memory>

#include "base/status.hpp"

namespace pcio {

class Datatype;

/// A function for one pair of types.
class ForeignConversion {
 public:
  ForeignConversion() = default;
  ForeignConversion(const ForeignConversion&) = delete;
  ForeignConversion& operator=(const ForeignConversion&) = delete;
  virtual ~ForeignConversion() = default;

  /// It wants to see the destination's old elements.
  [[nodiscard]] virtual bool needs_background() const = 0;
  /// Converts `n` elements in place.
  ///
  /// `buffer`: packed source elements before, packed destination elements after; room for the larger.
  /// `background`: `n` packed destination elements, zero where it doesn't need them; it may change
  /// them. Errors: CANTCONVERT where the function failed.
  virtual Status run(std::byte* buffer, std::byte* background, std::size_t n) const = 0;
};

/// All functions of a program.
class ForeignConversions {
 public:
  ForeignConversions() = default;
  ForeignConversions(const ForeignConversions&) = delete;
  ForeignConversions& operator=(const ForeignConversions&) = delete;
  virtual ~ForeignConversions() = default;

  /// The function for a pair of types that differ, or null: the library's own way. Parts of types
  /// (members, bases) are asked for one by one, where there is none for the whole.
  virtual std::shared_ptr<const ForeignConversion> find(const Datatype& source,
                                                        const Datatype& destination) = 0;
};

}  // namespace pcio
