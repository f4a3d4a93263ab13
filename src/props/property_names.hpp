// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room props: the names under which H5Pget, H5Pset, H5Piterate, H5Pencode reach built-in properties.
//
// Source: names, sizes, order and encodings as H5Piterate, H5Pget_size and H5Pencode of libhdf5 1.10.8
// show them.

#pragma once

#include <bitset>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "props/property_list.hpp"

namespace pcio {

/// How H5Pencode writes a property's C value.
enum class ValueCoding : std::uint8_t {
  kNone,        // not at all: pointers, drivers, results
  kByte,        // one byte: flags and enumerations
  kWord,        // four bytes as they are
  kUnsigned,    // 4, then four bytes for each number
  kReal,        // 8, then eight bytes for each number
  kSize,        // how many bytes, then as many
  kSizeOrRest,  // the same; 0 alone stands for all ones
  kText,        // its length as a kSize, then the characters
  kSpecial      // a form of its own
};

/// One built-in property as the generic calls see it.
struct NamedProperty {
  PropertyClassKind owner;  // the class that adds it; derived classes have it too
  std::string_view name;
  std::size_t size;  // bytes of its C value
  /// Copies the C value out of, or into, a list that has the property. Text is a char* that the
  /// caller frees, or that is copied. nullptr: the property is a structure of HDF5's own, reached only
  /// through its H5Pset_ and H5Pget_ calls.
  void (*read)(const PropertyList& list, void* value);
  void (*write)(PropertyList& list, const void* value);
  /// Takes over the value of another list that has the property.
  void (*copy)(const PropertyList& from, PropertyList& to);
  ValueCoding coding = ValueCoding::kNone;
  /// A copy of a list has a value of its own; in other words HDF5 calls something when it is copied.
  bool own_in_copies = false;
  /// Place in named_properties().
  unsigned index = 0;
};

/// Properties by their index.
using PropertySet = std::bitset<128>;

/// Order of properties in a class or list: by a hash of the name (Bernstein's, times 33).
[[nodiscard]] std::uint32_t property_hash(std::string_view name);
struct PropertyOrder {
  using is_transparent = void;
  bool operator()(std::string_view a, std::string_view b) const {
    const std::uint32_t x = property_hash(a);
    const std::uint32_t y = property_hash(b);
    return x != y ? x < y : a < b;
  }
};

/// All built-in properties; those of one class stand together, in PropertyOrder.
[[nodiscard]] std::span<const NamedProperty> named_properties();
/// Those that `kind` itself adds.
[[nodiscard]] std::span<const NamedProperty> own_properties(PropertyClassKind kind);
/// The property `name` of lists of `kind`, or nullptr.
[[nodiscard]] const NamedProperty* find_property(PropertyClassKind kind, std::string_view name);
/// Number of built-in properties of `kind`, those of its ancestors included.
[[nodiscard]] std::size_t count_properties(PropertyClassKind kind);
/// The properties that a list has a value of its own of from the start.
[[nodiscard]] PropertySet held_from_start(PropertyClassKind kind);

}  // namespace pcio
