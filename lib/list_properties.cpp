// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: properties of lists by name.

#include "lib/list_properties.hpp"

#include <algorithm>
#include <cstring>

#include "props/value_checks.hpp"

namespace pcio {

ErrorFrame no_such_property(std::string_view name) {
  return PCIO_FRAME(PLIST, NOTFOUND, "there is no property '" + std::string(name) + "'");
}

std::optional<FoundProperty> find_property(const ListClass& cls, std::string_view name) {
  for (const ListClass* c = &cls; c != nullptr; c = c->parent.get()) {
    auto found = c->own.find(name);
    if (found != c->own.end()) return FoundProperty{&found->second, nullptr};
    if (const NamedProperty* row = c->own_built_in(name)) return FoundProperty{nullptr, row};
  }
  return std::nullopt;
}

std::optional<FoundProperty> find_property(const PropertyListObject& list, std::string_view name) {
  auto found = list.program.find(name);
  if (found != list.program.end()) return FoundProperty{&found->second, nullptr};
  if (list.removed.find(name) != list.removed.end()) return std::nullopt;
  return find_property(*list.cls.get(), name);
}

namespace {

/// Built-in properties of which the list has a value of its own, and which it still has.
bool holds(const PropertyListObject& list, const NamedProperty& row) {
  if (!list.held.test(row.index)) return false;
  auto found = find_property(list, row.name);
  return found && found->built_in == &row;
}

/// Names of which the list has a value, in order.
std::vector<std::string> held_names(const PropertyListObject& list) {
  std::vector<std::string> names;
  for (const auto& [name, property] : list.program) names.push_back(name);
  if (list.held.any())
    for (const NamedProperty& row : named_properties())
      if (holds(list, row)) names.emplace_back(row.name);
  std::sort(names.begin(), names.end(), PropertyOrder());
  return names;
}

/// Calls `visit(name, cls)` for each property that only the list's class has, class by class.
template <class Visit>
Status for_each_of_class(const PropertyListObject& list, Visit visit) {
  std::set<std::string, PropertyOrder> seen(list.removed);
  for (std::string& name : held_names(list)) seen.insert(std::move(name));
  for (const ListClass* c = list.cls.get(); c != nullptr; c = c->parent.get())
    for (const std::string& name : c->own_names())
      if (seen.insert(name).second) PCIO_TRY(visit(name, *c));
  return Status();
}

/// Calls `visit(name, property)` for each of them that a program has registered. Most lists have none.
template <class Visit>
Status for_each_of_program(const PropertyListObject& list, Visit visit) {
  const ListClass* c = list.cls.get();
  while (c != nullptr && c->own.empty()) c = c->parent.get();
  if (c == nullptr) return Status();
  return for_each_of_class(list, [&](const std::string& name, const ListClass& cls) -> Status {
    auto found = cls.own.find(name);
    return found == cls.own.end() ? Status() : visit(name, found->second);
  });
}

ErrorFrame refused(const char* function, const std::string& name) {
  return PCIO_FRAME(
      PLIST, CALLBACK,
      std::string("the program's ") + function + " function of property '" + name + "' failed");
}

/// Lets a function of the shape of create, copy and close see a value, which it may change.
Status call(H5P_prp_cb1_t function, const char* what, const std::string& name,
            std::vector<std::byte>& value) {
  if (function != nullptr && function(name.c_str(), value.size(), value.data()) < 0)
    return Status(refused(what, name));
  return Status();
}

/// Lets a function of the shape of set, get and delete see a value.
Status call(H5P_prp_cb2_t function, const char* what, const ListWithId& of, const std::string& name,
            std::vector<std::byte>& value) {
  if (function != nullptr && function(of.id, name.c_str(), value.size(), value.data()) < 0)
    return Status(refused(what, name));
  return Status();
}

}  // namespace

std::vector<std::string> property_names(const PropertyListObject& list) {
  std::vector<std::string> names = held_names(list);
  (void)for_each_of_class(list, [&](const std::string& name, const ListClass&) {
    names.push_back(name);
    return Status();
  });
  return names;
}

// ---- a list from its making to its end ---------------------------------------------------------

namespace {

/// The list's own value `name`, like `source`, through a function of the program; no value where that fails.
Status make_value(PropertyListObject& list, const std::string& name, const ProgramProperty& source,
                  H5P_prp_cb1_t function, const char* what) {
  const auto made = list.program.emplace(name, source).first;
  try {
    Status done = call(function, what, name, made->second.value);
    if (!done.ok()) list.program.erase(made);
    return done;
  } catch (...) {
    list.program.erase(made);
    throw;
  }
}

/// Values that the program's functions make; stops at the first that fails.
Status make_values(PropertyListObject& list) {
  return for_each_of_program(list, [&](const std::string& name, const ProgramProperty& property) {
    if (property.calls.create == nullptr) return Status();
    return make_value(list, name, property, property.calls.create, "create");
  });
}

/// Ends the values that a list has of its own.
void end_own_values(PropertyListObject& list) {
  for (auto& [name, property] : list.program)
    (void)call(property.calls.close, "close", name, property.value);
}

/// Ends the values of a list, its own and those of its classes; what the program's functions say to it changes nothing.
void end_values(PropertyListObject& list) {
  end_own_values(list);
  (void)for_each_of_program(list, [&](const std::string& name, const ProgramProperty& property) {
    std::vector<std::byte> value = property.value;
    (void)call(property.calls.close, "close", name, value);
    return Status();
  });
}

/// A list whose making failed: its id goes, and no function of its classes is called.
void give_up(PropertyListObject& list, HandleId id) {
  std::shared_ptr<HandleObject> last;
  (void)handles().decrement(id, &last);
  end_values(list);
  list.program.clear();
}

ErrorFrame class_refused(const char* function, const ListClass& cls) {
  return PCIO_FRAME(
      PLIST, CALLBACK,
      std::string("the program's ") + function + " function of class '" + cls.name + "' failed");
}

Status call_creates(const PropertyListObject& list, HandleId id) {
  for (const ListClass* c = list.cls.get(); c != nullptr; c = c->parent.get())
    if (c->calls.create != nullptr && c->calls.create(id, c->calls.create_data) < 0)
      return Status(class_refused("create", *c));
  return Status();
}

Status call_copies(const PropertyListObject& list, HandleId made, HandleId from) {
  for (const ListClass* c = list.cls.get(); c != nullptr; c = c->parent.get())
    if (c->calls.copy != nullptr && c->calls.copy(made, from, c->calls.copy_data) < 0)
      return Status(class_refused("copy", *c));
  return Status();
}

/// Values of `from`, through the program's functions; those that only its class has become the list's own
/// where they have such a function.
Status copy_values(const PropertyListObject& from, PropertyListObject& list) {
  for (const auto& [name, property] : from.program)
    PCIO_TRY(make_value(list, name, property, property.calls.copy, "copy"));
  return for_each_of_program(from, [&](const std::string& name, const ProgramProperty& property) {
    if (property.calls.copy == nullptr) return Status();
    return make_value(list, name, property, property.calls.copy, "copy");
  });
}

}  // namespace

void PropertyListObject::before_close(HandleId id) {
  for (const ListClass* c = cls.get(); c != nullptr; c = c->parent.get())
    if (c->calls.close != nullptr) (void)c->calls.close(id, c->calls.close_data);
}

Status PropertyListObject::close() {
  end_values(*this);
  return Status();
}

namespace {

/// What completes a list that has an id already; the id goes where that fails, or a function of the program throws.
template <class Complete>
Status complete_or_give_up(PropertyListObject& list, HandleId id, Complete&& complete) {
  try {
    Status done = complete();
    if (!done.ok()) give_up(list, id);
    return done;
  } catch (...) {
    give_up(list, id);
    throw;
  }
}

/// An id of a new list, with values that functions of the program make; where no id comes of it those that were made are
/// ended.
Result<HandleId> register_made(const std::shared_ptr<PropertyListObject>& list) {
  const auto give_back = [&list] {
    end_own_values(*list);
    list->program.clear();
  };
  try {
    Status filled = make_values(*list);
    Result<HandleId> id = filled.ok() ? register_object(list)
                                      : Result<HandleId>(tl::unexpected<Status>(std::move(filled)));
    if (!id) give_back();
    return id;
  } catch (...) {
    give_back();
    throw;
  }
}

}  // namespace

Result<HandleId> make_list(const std::shared_ptr<ListClass>& cls) {
  auto list = std::make_shared<PropertyListObject>(cls);
  PCIO_ASSIGN(const HandleId id, register_made(list));
  PCIO_TRY(complete_or_give_up(*list, id, [&] { return call_creates(*list, id); }));
  return id;
}

Result<HandleId> copy_list(const PropertyListObject& list, HandleId from) {
  auto copy = std::make_shared<PropertyListObject>(list.list, list.cls);
  copy->removed = list.removed;
  copy->held |= list.held;
  PCIO_ASSIGN(const HandleId id, register_object(copy));
  PCIO_TRY(complete_or_give_up(*copy, id, [&]() -> Status {
    PCIO_TRY(copy_values(list, *copy));
    return call_copies(*copy, id, from);
  }));
  return id;
}

bool same_list(const PropertyListObject& a, const PropertyListObject& b) {
  if (!(a.list == b.list)) return false;
  const std::vector<std::string> names = property_names(a);
  if (property_names(b).size() != names.size()) return false;
  for (const std::string& name : names) {
    const auto one = find_property(a, name);
    const auto two = find_property(b, name);
    if (!one || !two || one->built_in != two->built_in) return false;
    if (one->program != nullptr && !one->program->same_value(*two->program)) return false;
  }
  return same_class(*a.cls.get(), *b.cls.get());
}

// ---- one property ------------------------------------------------------------------------------

Status get_property(const ListWithId& of, const std::string& name, void* value) {
  const auto found = find_property(of.list, name);
  if (!found) return Status(no_such_property(name));
  if (found->size() == 0)
    return PCIO_ERROR(PLIST, BADVALUE, "property '" + name + "' has no value");
  if (found->program == nullptr) {
    if (found->built_in->read == nullptr)
      return PCIO_ERROR(PLIST, UNSUPPORTED, "property '" + name + "' has a getter of its own");
    found->built_in->read(of.list.list, value);
    return Status();
  }
  std::vector<std::byte> copy = found->program->value;
  PCIO_TRY(call(found->program->calls.get, "get", of, name, copy));
  std::memcpy(value, copy.data(), copy.size());
  return Status();
}

namespace {

Status set_program_property(const ListWithId& of, const std::string& name,
                            const ProgramProperty& property, const void* value) {
  ProgramProperty next = property;
  std::memcpy(next.value.data(), value, next.value.size());
  PCIO_TRY(call(next.calls.set, "set", of, name, next.value));
  auto old = of.list.program.find(name);
  if (old != of.list.program.end()) {
    std::vector<std::byte> gone = old->second.value;
    PCIO_TRY(call(next.calls.remove, "delete", of, name, gone));
  }
  of.list.program.insert_or_assign(name, std::move(next));
  return Status();
}

}  // namespace

Status set_property(const ListWithId& of, const std::string& name, const void* value) {
  const auto found = find_property(of.list, name);
  if (!found) return Status(no_such_property(name));
  if (found->size() == 0)
    return PCIO_ERROR(PLIST, BADVALUE, "property '" + name + "' has no value");
  if (found->program != nullptr) return set_program_property(of, name, *found->program, value);
  if (found->built_in->write == nullptr)
    return PCIO_ERROR(PLIST, UNSUPPORTED, "property '" + name + "' has a setter of its own");
  PropertyList changed = of.list.list;
  found->built_in->write(changed, value);
  PCIO_TRY(check_values(changed));
  of.list.list = std::move(changed);
  of.list.held.set(found->built_in->index);
  return Status();
}

Status insert_property(PropertyListObject& list, const std::string& name,
                       ProgramProperty property) {
  if (find_property(list, name))
    return PCIO_ERROR(PLIST, EXISTS, "the list has a property '" + name + "' already");
  list.program.insert_or_assign(name, std::move(property));
  list.removed.erase(name);
  return Status();
}

Status remove_property(const ListWithId& of, const std::string& name) {
  const auto found = find_property(of.list, name);
  if (!found) return Status(no_such_property(name));
  if (found->program != nullptr) {
    std::vector<std::byte> value = found->program->value;
    PCIO_TRY(call(found->program->calls.remove, "delete", of, name, value));
  }
  of.list.program.erase(name);
  of.list.removed.insert(name);
  return Status();
}

namespace {

/// The value as one that has no functions, for a list whose class lacks the property.
Result<ProgramProperty> plain_value(const PropertyList& list, const NamedProperty& row) {
  if (row.read == nullptr || row.own_in_copies)
    return PCIO_ERROR(
        PLIST, UNSUPPORTED,
        "property '" + std::string(row.name) + "' can't go to a list of another class");
  ProgramProperty plain;
  plain.value.resize(row.size);
  row.read(list, plain.value.data());
  return plain;
}

}  // namespace

Status copy_property(const ListWithId& to, const ListWithId& from, const std::string& name) {
  const auto source = find_property(from.list, name);
  if (!source) return Status(no_such_property(name));
  const auto target = find_property(to.list, name);
  if (source->built_in != nullptr && target && target->built_in == source->built_in) {
    source->built_in->copy(from.list.list, to.list.list);
    to.list.held.set(source->built_in->index);
    return Status();
  }
  ProgramProperty copy;
  if (source->program != nullptr) {
    copy = *source->program;
  } else {
    PCIO_ASSIGN(copy, plain_value(from.list.list, *source->built_in));
  }
  if (target && target->program != nullptr) {
    std::vector<std::byte> gone = target->program->value;
    PCIO_TRY(call(target->program->calls.remove, "delete", to, name, gone));
  }
  PCIO_TRY(target ? call(copy.calls.copy, "copy", name, copy.value)
                  : call(copy.calls.create, "create", name, copy.value));
  to.list.program.insert_or_assign(name, std::move(copy));
  to.list.removed.erase(name);
  return Status();
}

}  // namespace pcio
