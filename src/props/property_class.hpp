// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room props: the tree of property list classes of HDF5 1.10.

#pragma once

#include <cstdint>
#include <span>

namespace pcio {

/// A built-in class of property lists; the order is our own, the tree is in property_classes().
enum class PropertyClassKind : std::uint8_t {
  kRoot,
  kObjectCreate,
  kFileCreate,
  kFileAccess,
  kDatasetCreate,
  kDatasetAccess,
  kDatasetTransfer,
  kFileMount,
  kGroupCreate,
  kGroupAccess,
  kDatatypeCreate,
  kDatatypeAccess,
  kStringCreate,
  kAttributeCreate,
  kAttributeAccess,
  kObjectCopy,
  kLinkCreate,
  kLinkAccess,
};
inline constexpr unsigned kPropertyClassCount = 18;

struct PropertyClassInfo {
  PropertyClassKind kind;
  PropertyClassKind parent;  // kRoot is its own parent
  const char* name;          // as H5Pget_class_name gives it
};

/// All classes, indexed by their kind. Source: observed with H5Pget_class_name / _class_parent.
[[nodiscard]] std::span<const PropertyClassInfo> property_classes();

[[nodiscard]] inline const PropertyClassInfo& property_class(PropertyClassKind kind) {
  return property_classes()[static_cast<unsigned>(kind)];
}

/// True where `kind` is `ancestor` or derived from it.
[[nodiscard]] bool is_property_class(PropertyClassKind kind, PropertyClassKind ancestor);

}  // namespace pcio
