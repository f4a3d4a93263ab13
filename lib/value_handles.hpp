// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: what stands behind ids of dataspaces, datatypes and property lists, and how a call gets
// at the values.

#pragma once

#include <memory>
#include <set>
#include <string>
#include <utility>

#include "base/library_lock.hpp"
#include "lib/handles.hpp"
#include "lib/list_class.hpp"
#include "props/property_list.hpp"
#include "space/dataspace.hpp"
#include "type/datatype.hpp"

namespace pcio {

/// A dataspace id. Threads: it changes through get_to_change alone, so that a call of another thread that
/// waits for something keeps what it found.
struct SpaceObject final : ApiObject {
  static constexpr IdType kIdType = IdType::kDataspace;
  explicit SpaceObject(Dataspace value) : space(std::move(value)) {}
  Dataspace space;
  [[nodiscard]] bool may_change() const { return true; }
  [[nodiscard]] std::shared_ptr<SpaceObject> copied() const {
    return std::make_shared<SpaceObject>(space);
  }
};

/// A datatype id. Threads: as SpaceObject.
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
  [[nodiscard]] bool may_change() const { return state == State::kTransient; }
  [[nodiscard]] std::shared_ptr<TypeObject> copied() const {
    return std::make_shared<TypeObject>(type, state);
  }
  /// The open committed type; set where state is kNamed.
  std::shared_ptr<OpenObject> committed;

  // A committed type is also an object of a file (object_handles.cpp).
  Status close() override;
  [[nodiscard]] Result<std::string> path() const override;
  Result<HandleId> file_id() override;
  [[nodiscard]] std::shared_ptr<File> opened_file() const override;
  [[nodiscard]] Status take_its_file() const override;
  [[nodiscard]] const std::shared_ptr<OpenObject>* opened() const override { return &committed; }
};

/// A property list id. Threads: as SpaceObject.
struct PropertyListObject final : ApiObject {
  static constexpr IdType kIdType = IdType::kPropertyList;
  /// A new list, of the library's class or of any.
  explicit PropertyListObject(PropertyClassKind kind);
  explicit PropertyListObject(const std::shared_ptr<ListClass>& of);
  /// One with these values, as a copy.
  explicit PropertyListObject(const PropertyList& value);
  PropertyListObject(const PropertyList& value, ClassUse of);

  PropertyList list;
  ClassUse cls;
  /// Values of a program's properties that this list has itself: inserted, made, copied or set. Those of
  /// the class have the class's value.
  ProgramProperties program;
  /// Names that were taken out of this list.
  std::set<std::string, PropertyOrder> removed;
  /// Built-in properties that libhdf5 would keep in the list rather than in its class: they come first in
  /// H5Piterate and H5Pencode.
  PropertySet held;

  void before_close(HandleId id) override;
  Status close() override;
  [[nodiscard]] bool may_change() const { return !predefined; }
  [[nodiscard]] std::shared_ptr<PropertyListObject> copied() const;
};

/// A property list class id.
struct PropertyClassObject final : ApiObject {
  static constexpr IdType kIdType = IdType::kPropertyClass;
  explicit PropertyClassObject(std::shared_ptr<ListClass> c) : cls(std::move(c)) {}
  std::shared_ptr<ListClass> cls;
};

/// The id of the library's own class object for `kind`, as in H5P_CLS_*_ID_g.
HandleId property_class_id(PropertyClassKind kind);

/// The object of type T behind `id`, to be changed: it gets a copy where a call of another thread may have it
/// in hand. Errors: as get.
template <class T>
Result<std::shared_ptr<T>> get_to_change(HandleId id, const char* argument) {
  PCIO_ASSIGN(auto object, get<T>(id, argument));
  // The table has one, too.
  if (threads_in_library() < 2 || object.use_count() == 2 || !object->may_change()) return object;
  object = object->copied();
  handles().replace(id, object);
  return object;
}

namespace detail {
ErrorFrame wrong_property_class(PropertyClassKind has, PropertyClassKind wanted,
                                const char* argument);
/// Values that H5P_DEFAULT stands for; shared and never changed.
const PropertyList& default_property_list(PropertyClassKind kind);
}  // namespace detail

/// A list and its values of class P. Keeps the list alive.
template <class P>
struct ListProps {
  std::shared_ptr<PropertyListObject> object;
  P* values;
};

/// Errors: one of the library's default lists (H5P_..._DEFAULT), which never change; not a list.
Result<std::shared_ptr<PropertyListObject>> list_to_change(HandleId id, const char* argument);

/// List `id` with the values of class P (or an ancestor of the list's class), to be changed.
/// Errors: not a list, a list of another class, or one of the library's default lists
/// (H5P_..._DEFAULT), which never change.
template <class P>
Result<ListProps<P>> changeable_list(HandleId id, const char* argument) {
  PCIO_ASSIGN(auto object, list_to_change(id, argument));
  P* values = object->list.template as<P>();
  if (values == nullptr)
    return detail::StatusReturn(
        Status(detail::wrong_property_class(object->list.kind(), kClassOf<P>, argument)));
  return ListProps<P>{std::move(object), values};
}

/// The values alone; the result keeps the list alive.
template <class P>
Result<std::shared_ptr<P>> changeable_props(HandleId id, const char* argument) {
  PCIO_ASSIGN(auto list, changeable_list<P>(id, argument));
  return std::shared_ptr<P>(std::move(list.object), list.values);
}

/// List `id` with its values of class P, to be read. Errors: not a list, or of another class.
template <class P>
Result<ListProps<const P>> readable_list(HandleId id, const char* argument) {
  PCIO_ASSIGN(auto object, get<PropertyListObject>(id, argument));
  const P* values = object->list.template as<P>();
  if (values == nullptr)
    return detail::StatusReturn(
        Status(detail::wrong_property_class(object->list.kind(), kClassOf<P>, argument)));
  return ListProps<const P>{std::move(object), values};
}

/// The values alone.
template <class P>
Result<std::shared_ptr<const P>> props_of(HandleId id, const char* argument) {
  PCIO_ASSIGN(auto list, readable_list<P>(id, argument));
  return std::shared_ptr<const P>(std::move(list.object), list.values);
}

/// As props_of, where H5P_DEFAULT (0) stands for the defaults of class P.
template <class P>
Result<std::shared_ptr<const P>> props_or_default(HandleId id, const char* argument) {
  if (id != 0) return props_of<P>(id, argument);
  const P* values = detail::default_property_list(kClassOf<P>).template as<P>();
  return std::shared_ptr<const P>(std::shared_ptr<void>(), values);
}

}  // namespace pcio
