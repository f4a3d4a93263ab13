// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: classes of property lists.

#include "lib/list_class.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <mutex>

namespace pcio {

bool ProgramProperty::same_value(const ProgramProperty& other) const {
  if (value.size() != other.value.size() || calls != other.calls) return false;
  if (value.empty()) return true;
  if (calls.compare != nullptr)
    return calls.compare(value.data(), other.value.data(), value.size()) == 0;
  return std::memcmp(value.data(), other.value.data(), value.size()) == 0;
}

namespace {

/// How often classes are used, beside the classes: a copy of one begins unused.
struct UseCounts {
  std::mutex mutex;
  std::map<const ListClass*, std::size_t> of;
};

UseCounts& use_counts() {
  static auto* counts = new UseCounts;  // never destroyed: lists may die at exit
  return *counts;
}

}  // namespace

ClassUse::ClassUse(std::shared_ptr<ListClass> cls) : cls_(std::move(cls)) {
  if (!cls_) return;
  std::lock_guard lock(use_counts().mutex);
  ++use_counts().of[cls_.get()];
}

ClassUse::~ClassUse() {
  if (!cls_) return;
  {
    std::lock_guard lock(use_counts().mutex);
    auto found = use_counts().of.find(cls_.get());
    if (--found->second == 0) use_counts().of.erase(found);
  }
}

std::size_t users_of(const ListClass& cls) {
  std::lock_guard lock(use_counts().mutex);
  auto found = use_counts().of.find(&cls);
  return found == use_counts().of.end() ? 0 : found->second;
}

const NamedProperty* ListClass::own_built_in(std::string_view property) const {
  if (!built_in) return nullptr;
  for (const NamedProperty& row : own_properties(kind))
    if (row.name == property && !withdrawn.test(row.index)) return &row;
  return nullptr;
}

std::vector<std::string> ListClass::own_names() const {
  std::vector<std::string> names;
  for (const auto& [property, content] : own) names.push_back(property);
  if (built_in)
    for (const NamedProperty& row : own_properties(kind))
      if (!withdrawn.test(row.index)) names.emplace_back(row.name);
  std::sort(names.begin(), names.end(), PropertyOrder());
  return names;
}

namespace {

using LibraryClasses = std::array<std::shared_ptr<ListClass>, kPropertyClassCount>;

LibraryClasses& library_classes() {
  static auto* classes = new LibraryClasses;
  return *classes;
}

const std::shared_ptr<ListClass>& make_library_class(PropertyClassKind kind) {
  std::shared_ptr<ListClass>& place = library_classes()[static_cast<unsigned>(kind)];
  if (place) return place;
  const PropertyClassInfo& info = property_class(kind);
  auto made = std::make_shared<ListClass>();
  made->name = info.name;
  made->kind = kind;
  made->built_in = true;
  if (kind != PropertyClassKind::kRoot) made->parent = ClassUse(make_library_class(info.parent));
  place = std::move(made);
  return place;
}

}  // namespace

void reset_library_classes() {
  library_classes() = {};
  for (const PropertyClassInfo& info : property_classes()) (void)make_library_class(info.kind);
}

std::shared_ptr<ListClass> library_class(PropertyClassKind kind) {
  return library_classes()[static_cast<unsigned>(kind)];
}

std::shared_ptr<ListClass> another_version(const ListClass& cls) {
  return std::make_shared<ListClass>(cls);
}

ListClass& changeable(std::shared_ptr<ListClass>& cls) {
  // The library itself makes lists of its classes, also later.
  if (cls == library_class(cls->kind) || users_of(*cls) > 0) cls = another_version(*cls);
  return *cls;
}

bool is_of_class(const ListClass& cls, const ListClass& ancestor) {
  for (const ListClass* c = &cls; c != nullptr; c = c->parent.get())
    if ((c->built_in && ancestor.built_in && c->kind == ancestor.kind) || same_class(*c, ancestor))
      return true;
  return false;
}

bool same_class(const ListClass& a, const ListClass& b) {
  if (&a == &b) return true;
  if (a.name != b.name || a.kind != b.kind || a.built_in != b.built_in || a.calls != b.calls ||
      a.withdrawn != b.withdrawn || a.own.size() != b.own.size())
    return false;
  for (auto one = a.own.begin(), two = b.own.begin(); one != a.own.end(); ++one, ++two)
    if (one->first != two->first || !one->second.same_value(two->second)) return false;
  const ListClass* above_a = a.parent.get();
  const ListClass* above_b = b.parent.get();
  if (above_a == nullptr || above_b == nullptr) return above_a == above_b;
  return same_class(*above_a, *above_b);
}

}  // namespace pcio
