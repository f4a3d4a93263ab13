// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// What all scenes are made of, and those of attributes. Room: test, public headers only.

#include "retries/scenes.hpp"

#include <cstdio>
#include <cstdlib>

namespace retries {

hid_t must(hid_t result, const char* what) {
  if (result >= 0) return result;
  std::fprintf(stderr, "retries: %s fails\n", what);
  std::exit(2);
}

std::string World::close_ids() {
  char name[200] = "";
  std::string names;
  if (opened >= 0 && H5Iget_type(opened) == H5I_ATTR) {
    H5Aget_name(opened, sizeof name, name);
    names += std::string("attribute ") + name;
  } else if (opened >= 0) {
    H5Iget_name(opened, name, sizeof name);
    names += name;
  }
  for (hid_t* id : {&made, &opened, &type, &object, &place}) {
    if (*id >= 0) must(H5Idec_ref(*id), "closing an id");
    *id = H5I_INVALID_HID;
  }
  for (hid_t* space : {&memory_space, &file_space}) {
    if (*space != H5S_ALL) H5Sclose(*space);
    *space = H5S_ALL;
  }
  return names;
}

void make_file(World& w, Format format) {
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  if (format == Format::kNew) H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  w.file = must(H5Fcreate(w.path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access), "H5Fcreate");
  H5Pclose(access);
}

hid_t simple(hsize_t count) { return H5Screate_simple(1, &count, nullptr); }

herr_t change_something_else(World& w) {
  constexpr const char* kName = "something else";
  const hid_t scalar = H5Screate(H5S_SCALAR);
  const hid_t attribute =
      H5Aexists(w.object, kName) > 0
          ? H5Aopen(w.object, kName, H5P_DEFAULT)
          : H5Acreate2(w.object, kName, H5T_NATIVE_INT, scalar, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t group = H5Gcreate2(w.place, kName, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Sclose(scalar);
  const bool has_attribute = H5Aclose(attribute) >= 0;
  return H5Gclose(group) < 0 || !has_attribute ? -1 : 0;
}

namespace {

/// Longer than what a string holds without memory of its own.
struct Name {
  char text[64];
  Name(const char* kind, int n) {
    std::snprintf(text, sizeof text, "%s%03d, a name that is long", kind, n);
  }
};

hid_t scalar() {
  static const hid_t space = H5Screate(H5S_SCALAR);
  return space;
}

hid_t create_attribute(hid_t object, int n) {
  return H5Acreate2(object, Name("a", n).text, H5T_NATIVE_INT, scalar(), H5P_DEFAULT, H5P_DEFAULT);
}

enum class Order { kNone, kTracked };
struct Start {
  Format format;
  Order order;
  const char* name;
};
constexpr Start kStarts[] = {{Format::kOld, Order::kNone, "old"},
                             {Format::kNew, Order::kNone, "new"},
                             {Format::kNew, Order::kTracked, "numbered"}};

/// A group with attributes, of which there were more.
void make_group(World& w, const Start& start, int attributes, int before) {
  make_file(w, start.format);
  const hid_t list = H5Pcreate(H5P_GROUP_CREATE);
  if (start.order == Order::kTracked)
    H5Pset_attr_creation_order(list, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  w.object = must(H5Gcreate2(w.file, "g", H5P_DEFAULT, list, H5P_DEFAULT), "H5Gcreate2");
  w.place = must(H5Gopen2(w.file, "/", H5P_DEFAULT), "H5Gopen2");
  H5Pclose(list);
  for (int n = 0; n < before; ++n) {
    const hid_t attribute = must(create_attribute(w.object, n), "H5Acreate2");
    H5Awrite(attribute, H5T_NATIVE_INT, &n);
    H5Aclose(attribute);
  }
  for (int n = before; n > attributes; --n) H5Adelete(w.object, Name("a", n - 1).text);
  must(H5Fflush(w.file, H5F_SCOPE_GLOBAL), "H5Fflush");
}

using Prepare = std::function<void(World&)>;
Prepare with(const Start& start, int attributes, int before = 0) {
  return [=](World& w) { make_group(w, start, attributes, before > 0 ? before : attributes); };
}
Prepare with_open(const Start& start, int attributes, int n) {
  return [=](World& w) {
    make_group(w, start, attributes, attributes);
    w.opened = must(H5Aopen(w.object, Name("a", n).text, H5P_DEFAULT), "H5Aopen");
  };
}

herr_t make_one(World& w) {
  w.made = create_attribute(w.object, 50);
  return w.made < 0 ? -1 : 0;
}
herr_t make_large_one(World& w) {
  w.made = H5Acreate2(w.object, Name("large", 1).text, H5T_NATIVE_INT, w.memory_space, H5P_DEFAULT,
                      H5P_DEFAULT);
  return w.made < 0 ? -1 : 0;
}
std::function<herr_t(World&)> drop(int n) {
  return [=](World& w) { return H5Adelete(w.object, Name("a", n).text); };
}
herr_t rename_one(World& w) { return H5Arename(w.object, Name("a", 1).text, Name("z", 1).text); }
herr_t write_one(World& w) {
  const int value = 99;
  return H5Awrite(w.opened, H5T_NATIVE_INT, &value);
}

/// An attribute of strings, open, with a value.
Prepare with_string(const Start& start, int attributes) {
  return [=](World& w) {
    make_group(w, start, attributes, attributes);
    w.type = H5Tcopy(H5T_C_S1);
    H5Tset_size(w.type, H5T_VARIABLE);
    w.opened = must(H5Acreate2(w.object, "text", w.type, scalar(), H5P_DEFAULT, H5P_DEFAULT),
                    "H5Acreate2");
    const char* text = "the value that it had";
    must(H5Awrite(w.opened, w.type, &text), "H5Awrite");
    must(H5Fflush(w.file, H5F_SCOPE_GLOBAL), "H5Fflush");
  };
}
herr_t write_string(World& w) {
  const char* text = "the value that it has now";
  return H5Awrite(w.opened, w.type, &text);
}

/// A committed type for an attribute; one has it already where `used`.
Prepare with_type(const Start& start, bool used) {
  return [=](World& w) {
    make_group(w, start, 2, 2);
    w.type = H5Tcopy(H5T_NATIVE_INT);
    must(H5Tcommit2(w.file, "type", w.type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), "H5Tcommit2");
    if (used)
      H5Aclose(
          must(H5Acreate2(w.object, "of that type", w.type, scalar(), H5P_DEFAULT, H5P_DEFAULT),
               "H5Acreate2"));
    must(H5Fflush(w.file, H5F_SCOPE_GLOBAL), "H5Fflush");
  };
}
herr_t make_typed(World& w) {
  w.made = H5Acreate2(w.object, "of that type", w.type, scalar(), H5P_DEFAULT, H5P_DEFAULT);
  return w.made < 0 ? -1 : 0;
}
herr_t drop_typed(World& w) { return H5Adelete(w.object, "of that type"); }

Prepare with_large_space(const Start& start, int attributes) {
  return [=](World& w) {
    make_group(w, start, attributes, attributes);
    w.memory_space = simple(20000);
  };
}

}  // namespace

std::vector<Scene> attribute_scenes() {
  std::vector<Scene> all;
  for (const Start& start : kStarts) {
    const auto add = [&](const char* name, Prepare prepare, std::function<herr_t(World&)> act) {
      all.push_back(
          {std::string(start.name) + ": " + name, false, std::move(prepare), std::move(act)});
    };
    add("the first attribute", with(start, 0), make_one);
    add("the 8th attribute", with(start, 7), make_one);
    add("the 9th attribute", with(start, 8), make_one);
    add("the 12th attribute", with(start, 11), make_one);
    add("delete an attribute of few", with(start, 3), drop(1));
    add("delete the last attribute", with(start, 1), drop(0));
    add("delete an attribute of many", with(start, 12), drop(4));
    add("delete the 6th attribute", with(start, 6, 9), drop(2));
    add("rename an attribute of few", with(start, 3), rename_one);
    add("rename an attribute of many", with(start, 12), rename_one);
    add("rename an open attribute", with_open(start, 3, 1), rename_one);
    add("delete an open attribute", with_open(start, 9, 3), drop(3));
    add("write an attribute of few", with_open(start, 3, 1), write_one);
    add("write an attribute of many", with_open(start, 12, 1), write_one);
    add("write a string attribute", with_string(start, 3), write_string);
    add("write a string attribute of many", with_string(start, 9), write_string);
    add("an attribute of a committed type", with_type(start, false), make_typed);
    add("delete an attribute of a committed type", with_type(start, true), drop_typed);
    if (start.format == Format::kNew)
      add("a large attribute", with_large_space(start, 4), make_large_one);
  }
  return all;
}

std::vector<Scene> all_scenes() {
  std::vector<Scene> all;
  for (auto part : {attribute_scenes(), link_scenes(), dataset_scenes()})
    for (Scene& scene : part) all.push_back(std::move(scene));
  return all;
}

}  // namespace retries
