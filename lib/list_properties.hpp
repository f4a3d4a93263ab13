// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: the properties of a list by name, whoever made them, with the functions that a program gave
// for them, called when and in the order in which libhdf5 1.10.8 calls them (observed).
//
// None of these functions holds a lock: a program's function may call the library again.

#pragma once

#include <optional>

#include "lib/value_handles.hpp"

namespace pcio {

/// A property as a list has it: one of the two.
struct FoundProperty {
  const ProgramProperty* program = nullptr;  // in the list, or in its class
  const NamedProperty* built_in = nullptr;
  [[nodiscard]] std::size_t size() const {
    return program != nullptr ? program->value.size() : built_in->size;
  }
};

[[nodiscard]] std::optional<FoundProperty> find_property(const PropertyListObject& list,
                                                         std::string_view name);
/// The same of a class, with its ancestors.
[[nodiscard]] std::optional<FoundProperty> find_property(const ListClass& cls,
                                                         std::string_view name);
/// Names of all properties: those of which the list has a value of its own, then class by class.
[[nodiscard]] std::vector<std::string> property_names(const PropertyListObject& list);

/// A list behind a new id. Errors: a function of the program failed.
Result<HandleId> make_list(const std::shared_ptr<ListClass>& cls);
Result<HandleId> copy_list(const PropertyListObject& list, HandleId from);
[[nodiscard]] bool same_list(const PropertyListObject& a, const PropertyListObject& b);

/// A list and its id, which functions of programs are told.
struct ListWithId {
  PropertyListObject& list;
  HandleId id;
};
Status get_property(const ListWithId& of, const std::string& name, void* value);
Status set_property(const ListWithId& of, const std::string& name, const void* value);
Status insert_property(PropertyListObject& list, const std::string& name, ProgramProperty property);
Status remove_property(const ListWithId& of, const std::string& name);
/// Takes over one property of another list, whether `to` has it or not.
Status copy_property(const ListWithId& to, const ListWithId& from, const std::string& name);

ErrorFrame no_such_property(std::string_view name);

}  // namespace pcio
