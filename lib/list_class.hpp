// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: classes of property lists, the library's and those of programs, and what a program says of
// a property.

#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/status.hpp"
#include "lib/public_api.hpp"
#include "props/property_names.hpp"

namespace pcio {

/// A program's functions for one property; each may be missing.
struct PropertyCalls {
  H5P_prp_create_func_t create = nullptr;
  H5P_prp_set_func_t set = nullptr;
  H5P_prp_get_func_t get = nullptr;
  H5P_prp_delete_func_t remove = nullptr;
  H5P_prp_copy_func_t copy = nullptr;
  H5P_prp_compare_func_t compare = nullptr;
  H5P_prp_close_func_t close = nullptr;
  friend bool operator==(const PropertyCalls&, const PropertyCalls&) = default;
};

/// A property that a program registered or inserted, with a value.
struct ProgramProperty {
  std::vector<std::byte> value;
  PropertyCalls calls;
  /// By the property's own function, if it has one.
  [[nodiscard]] bool same_value(const ProgramProperty& other) const;
};
using ProgramProperties = std::map<std::string, ProgramProperty, PropertyOrder>;

/// A program's functions for lists of one class.
struct ClassCalls {
  H5P_cls_create_func_t create = nullptr;
  void* create_data = nullptr;
  H5P_cls_copy_func_t copy = nullptr;
  void* copy_data = nullptr;
  H5P_cls_close_func_t close = nullptr;
  void* close_data = nullptr;
  friend bool operator==(const ClassCalls&, const ClassCalls&) = default;
};

struct ListClass;

/// A class as a list, or a class derived from it, holds it: counted. Threads: a value type.
class ClassUse {
 public:
  ClassUse() = default;
  explicit ClassUse(std::shared_ptr<ListClass> cls);
  ClassUse(const ClassUse& other) : ClassUse(other.cls_) {}
  ClassUse(ClassUse&& other) noexcept : cls_(std::move(other.cls_)) {}
  ClassUse& operator=(ClassUse other) noexcept {
    cls_.swap(other.cls_);
    return *this;
  }
  ~ClassUse();
  [[nodiscard]] const std::shared_ptr<ListClass>& shared() const { return cls_; }
  ListClass* operator->() const { return cls_.get(); }
  ListClass* get() const { return cls_.get(); }

 private:
  std::shared_ptr<ListClass> cls_;
};

/// A class. To register a property in one that lists or classes have makes another version of it: what
/// exists keeps the old one. Threads: one thread at a time for a class.
struct ListClass {
  std::string name;
  ClassUse parent;                                    // empty: none
  PropertyClassKind kind = PropertyClassKind::kRoot;  // the library's class whose values lists have
  bool built_in = false;                              // `kind` itself, and not one derived from it
  ClassCalls calls;
  ProgramProperties own;
  PropertySet withdrawn;  // built-in properties that were unregistered

  /// Names that this class adds, in PropertyOrder.
  [[nodiscard]] std::vector<std::string> own_names() const;
  [[nodiscard]] const NamedProperty* own_built_in(std::string_view property) const;
  [[nodiscard]] bool has_own(std::string_view name) const {
    return own.find(name) != own.end() || own_built_in(name) != nullptr;
  }
};

/// Lists and derived classes of `cls`, those of its other versions not counted.
[[nodiscard]] std::size_t users_of(const ListClass& cls);

/// The library's own class. Threads: any.
std::shared_ptr<ListClass> library_class(PropertyClassKind kind);
/// Makes the library's classes anew, as they were before a program changed them.
void reset_library_classes();

/// A class like `cls`, with the same parent.
std::shared_ptr<ListClass> another_version(const ListClass& cls);
/// The class to be changed for an id that has `cls`: itself, or another version in its place.
ListClass& changeable(std::shared_ptr<ListClass>& cls);

/// True where a list of class `cls` is one of `ancestor`. All versions of a library's class are it; a
/// program's class is it where it has the same content.
[[nodiscard]] bool is_of_class(const ListClass& cls, const ListClass& ancestor);
/// Name, functions and properties are equal, those of the ancestors too.
[[nodiscard]] bool same_class(const ListClass& a, const ListClass& b);

}  // namespace pcio
