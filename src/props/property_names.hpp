// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room props: the names under which H5Pget, H5Pset, H5Pexist reach built-in properties.

#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "props/property_list.hpp"

namespace pcio {

/// One built-in property as the generic calls see it.
struct NamedProperty {
  PropertyClassKind owner;  // the class that adds it; derived classes have it too
  std::string_view name;
  std::size_t size;  // bytes of its C value
  /// Copies the C value out of, or into, a list that has the property. nullptr: the property is
  /// a structure of HDF5's own, reached only through its H5Pset_ and H5Pget_ calls.
  void (*read)(const PropertyList& list, void* value);
  void (*write)(PropertyList& list, const void* value);
};

/// The property `name` of lists of `kind`, or nullptr.
[[nodiscard]] const NamedProperty* find_property(PropertyClassKind kind, std::string_view name);
/// Number of built-in properties of `kind`, those of its ancestors included.
[[nodiscard]] std::size_t count_properties(PropertyClassKind kind);
/// Number that `kind` itself adds.
[[nodiscard]] std::size_t count_own_properties(PropertyClassKind kind);

}  // namespace pcio
