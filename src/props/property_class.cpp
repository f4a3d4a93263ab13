// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room props: the table of property list classes.

#include "props/property_class.hpp"

namespace pcio {

namespace {

constexpr PropertyClassInfo kClasses[] = {
    {PropertyClassKind::kRoot, PropertyClassKind::kRoot, "root"},
    {PropertyClassKind::kObjectCreate, PropertyClassKind::kRoot, "object create"},
    {PropertyClassKind::kFileCreate, PropertyClassKind::kGroupCreate,
     "file create"},  // it creates the root group
    {PropertyClassKind::kFileAccess, PropertyClassKind::kRoot, "file access"},
    {PropertyClassKind::kDatasetCreate, PropertyClassKind::kObjectCreate, "dataset create"},
    {PropertyClassKind::kDatasetAccess, PropertyClassKind::kLinkAccess, "dataset access"},
    {PropertyClassKind::kDatasetTransfer, PropertyClassKind::kRoot, "data transfer"},
    {PropertyClassKind::kFileMount, PropertyClassKind::kRoot, "file mount"},
    {PropertyClassKind::kGroupCreate, PropertyClassKind::kObjectCreate, "group create"},
    {PropertyClassKind::kGroupAccess, PropertyClassKind::kLinkAccess, "group access"},
    {PropertyClassKind::kDatatypeCreate, PropertyClassKind::kObjectCreate, "datatype create"},
    {PropertyClassKind::kDatatypeAccess, PropertyClassKind::kLinkAccess, "datatype access"},
    {PropertyClassKind::kStringCreate, PropertyClassKind::kRoot, "string create"},
    {PropertyClassKind::kAttributeCreate, PropertyClassKind::kStringCreate, "attribute create"},
    {PropertyClassKind::kAttributeAccess, PropertyClassKind::kLinkAccess, "attribute access"},
    {PropertyClassKind::kObjectCopy, PropertyClassKind::kRoot, "object copy"},
    {PropertyClassKind::kLinkCreate, PropertyClassKind::kStringCreate, "link create"},
    {PropertyClassKind::kLinkAccess, PropertyClassKind::kRoot, "link access"},
};
static_assert(sizeof(kClasses) / sizeof(kClasses[0]) == kPropertyClassCount);

}  // namespace

std::span<const PropertyClassInfo> property_classes() { return kClasses; }

bool is_property_class(PropertyClassKind kind, PropertyClassKind ancestor) {
  while (kind != ancestor) {
    if (kind == PropertyClassKind::kRoot) return false;
    kind = property_class(kind).parent;
  }
  return true;
}

}  // namespace pcio
