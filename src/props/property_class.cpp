// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room props: the table of property list classes.

#include "props/property_class.hpp"

namespace pcio {

namespace {

using Kind = PropertyClassKind;

constexpr PropertyClassInfo kClasses[] = {
    {Kind::kRoot, Kind::kRoot, "root"},
    {Kind::kObjectCreate, Kind::kRoot, "object create"},
    {Kind::kFileCreate, Kind::kGroupCreate, "file create"},  // it creates the root group
    {Kind::kFileAccess, Kind::kRoot, "file access"},
    {Kind::kDatasetCreate, Kind::kObjectCreate, "dataset create"},
    {Kind::kDatasetAccess, Kind::kLinkAccess, "dataset access"},
    {Kind::kDatasetTransfer, Kind::kRoot, "data transfer"},
    {Kind::kFileMount, Kind::kRoot, "file mount"},
    {Kind::kGroupCreate, Kind::kObjectCreate, "group create"},
    {Kind::kGroupAccess, Kind::kLinkAccess, "group access"},
    {Kind::kDatatypeCreate, Kind::kObjectCreate, "datatype create"},
    {Kind::kDatatypeAccess, Kind::kLinkAccess, "datatype access"},
    {Kind::kStringCreate, Kind::kRoot, "string create"},
    {Kind::kAttributeCreate, Kind::kStringCreate, "attribute create"},
    {Kind::kAttributeAccess, Kind::kLinkAccess, "attribute access"},
    {Kind::kObjectCopy, Kind::kRoot, "object copy"},
    {Kind::kLinkCreate, Kind::kStringCreate, "link create"},
    {Kind::kLinkAccess, Kind::kRoot, "link access"},
};
static_assert(sizeof(kClasses) / sizeof(kClasses[0]) == kPropertyClassCount);

}  // namespace

std::span<const PropertyClassInfo> property_classes() { return kClasses; }

bool is_property_class(PropertyClassKind kind, PropertyClassKind ancestor) {
  while (kind != ancestor) {
    if (kind == Kind::kRoot) return false;
    kind = property_class(kind).parent;
  }
  return true;
}

}  // namespace pcio
