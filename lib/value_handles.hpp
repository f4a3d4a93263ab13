// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: what stands behind ids of dataspaces, datatypes and property lists, and how a call gets
// at the values.

#pragma once

#include <memory>
#include <string>
#include <utility>

#include "lib/handles.hpp"
#include "props/property_list.hpp"
#include "space/dataspace.hpp"
#include "type/datatype.hpp"

namespace pcio {

/// A dataspace id. Threads: one thread at a time per id.
struct SpaceObject final : ApiObject {
  static constexpr IdType kIdType = IdType::kDataspace;
  explicit SpaceObject(Dataspace value) : space(std::move(value)) {}
  Dataspace space;
};

/// A datatype id. Threads: one thread at a time per id.
struct TypeObject : ApiObject {
  static constexpr IdType kIdType = IdType::kDatatype;
  enum class State {
    kTransient,  // the application may change it
    kImmutable,  // H5Tlock, or predefined
    kNamed       // committed to a file
  };
  explicit TypeObject(Datatype value, State s = State::kTransient)
      : type(std::move(value)), state(s) {}
  Datatype type;
  State state;
  /// The open committed type; set where state is kNamed.
  std::shared_ptr<OpenObject> committed;

  // A committed type is also an object of a file (object_handles.cpp).
  Status close() override;
  [[nodiscard]] Result<std::string> path() const override;
  Result<HandleId> file_id() override;
  [[nodiscard]] std::shared_ptr<File> opened_file() const override;
  [[nodiscard]] const OpenObject* opened_object() const override { return committed.get(); }
};

/// A property list id. Threads: one thread at a time per id.
struct PropertyListObject final : ApiObject {
  static constexpr IdType kIdType = IdType::kPropertyList;
  explicit PropertyListObject(PropertyClassKind kind) : list(kind) {}
  explicit PropertyListObject(const PropertyList& value) : list(value) {}
  PropertyList list;
};

/// A property list class id.
struct PropertyClassObject final : ApiObject {
  static constexpr IdType kIdType = IdType::kPropertyClass;
  explicit PropertyClassObject(PropertyClassKind k) : kind(k) {}
  PropertyClassKind kind;
};

/// The id of the library's own class object for `kind`, as in H5P_CLS_*_ID_g.
HandleId property_class_id(PropertyClassKind kind);

namespace detail {
ErrorFrame wrong_property_class(PropertyClassKind has, PropertyClassKind wanted,
                                const char* argument);
/// Values that H5P_DEFAULT stands for; shared and never changed.
const PropertyList& default_property_list(PropertyClassKind kind);
}  // namespace detail

/// The values of class P (or an ancestor of the list's class) in list `id`, to be changed.
///
/// The result keeps the list alive. Errors: not a list, a list of another class, or one of the
/// library's default lists (H5P_..._DEFAULT), which never change.
template <class P>
Result<std::shared_ptr<P>> changeable_props(HandleId id, const char* argument) {
  PCIO_ASSIGN(auto object, get<PropertyListObject>(id, argument));
  if (object->predefined)
    return PCIO_ERROR(
        PLIST, CANTSET,
        std::string("argument ") + argument + ": can't set values in a default property list");
  P* values = object->list.template as<P>();
  if (values == nullptr)
    return detail::StatusReturn(
        Status(detail::wrong_property_class(object->list.kind(), kClassOf<P>, argument)));
  return std::shared_ptr<P>(std::move(object), values);
}

/// The values of class P in list `id`, to be read. Errors: not a list, or of another class.
template <class P>
Result<std::shared_ptr<const P>> props_of(HandleId id, const char* argument) {
  PCIO_ASSIGN(auto object, get<PropertyListObject>(id, argument));
  const P* values = object->list.template as<P>();
  if (values == nullptr)
    return detail::StatusReturn(
        Status(detail::wrong_property_class(object->list.kind(), kClassOf<P>, argument)));
  return std::shared_ptr<const P>(std::move(object), values);
}

/// As props_of, where H5P_DEFAULT (0) stands for the defaults of class P.
template <class P>
Result<std::shared_ptr<const P>> props_or_default(HandleId id, const char* argument) {
  if (id != 0) return props_of<P>(id, argument);
  const P* values = detail::default_property_list(kClassOf<P>).template as<P>();
  return std::shared_ptr<const P>(std::shared_ptr<void>(), values);
}

}  // namespace pcio
