// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: property lists behind ids, out of line.

#include "lib/value_handles.hpp"

#include <array>

namespace pcio {

namespace {

PropertySet held_by_copies(PropertyClassKind kind) {
  PropertySet held = held_from_start(kind);
  for (const NamedProperty& row : named_properties())
    if (row.own_in_copies && is_property_class(kind, row.owner)) held.set(row.index);
  return held;
}

}  // namespace

PropertyListObject::PropertyListObject(PropertyClassKind kind)
    : PropertyListObject(library_class(kind)) {}

PropertyListObject::PropertyListObject(const std::shared_ptr<ListClass>& of)
    : list(of->kind), cls(of), held(held_from_start(of->kind)) {}

PropertyListObject::PropertyListObject(const PropertyList& value)
    : PropertyListObject(value, ClassUse(library_class(value.kind()))) {}

PropertyListObject::PropertyListObject(const PropertyList& value, ClassUse of)
    : list(value), cls(std::move(of)), held(held_by_copies(value.kind())) {}

std::shared_ptr<PropertyListObject> PropertyListObject::copied() const {
  auto copy = std::make_shared<PropertyListObject>(list, cls);
  copy->program = program;
  copy->removed = removed;
  copy->held = held;
  return copy;
}

Result<std::shared_ptr<PropertyListObject>> list_to_change(HandleId id, const char* argument) {
  PCIO_ASSIGN(auto object, get_to_change<PropertyListObject>(id, argument));
  if (!object->predefined) return object;
  return PCIO_ERROR(
      PLIST, CANTSET,
      std::string("argument ") + argument + ": can't set values in a default property list");
}

}  // namespace pcio

namespace pcio::detail {

ErrorFrame wrong_property_class(PropertyClassKind has, PropertyClassKind wanted,
                                const char* argument) {
  return PCIO_FRAME(PLIST, BADTYPE,
                    std::string("argument ") + argument + " is a '" + property_class(has).name +
                        "' property list, expected: '" + property_class(wanted).name + "'");
}

const PropertyList& default_property_list(PropertyClassKind kind) {
  // Never destroyed: calls may come from static destructors.
  static const auto* lists = [] {
    auto* made = new std::vector<PropertyList>;
    for (const PropertyClassInfo& info : property_classes()) made->emplace_back(info.kind);
    return made;
  }();
  return (*lists)[static_cast<unsigned>(kind)];
}

}  // namespace pcio::detail
