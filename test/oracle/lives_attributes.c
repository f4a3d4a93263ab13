/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */

/* Part of lives: attributes and comments. */

#include "lives.h"

static void write_attribute(hid_t attribute) {
  const hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
  const hid_t memory = memory_of(type);
  const size_t points = (size_t)H5Sget_simple_extent_npoints(space);
  void* values = make_values(memory, points);
  if (points > 0) good(H5Awrite(attribute, memory, values), "H5Awrite");
  free_values(memory, points, values);
  H5Tclose(memory);
  H5Sclose(space);
  H5Tclose(type);
}

static hid_t make_space(int large) {
  hsize_t dims[2] = {1 + below(large ? 4000 : 6), 1 + below(3)};
  if (one_in(12)) return H5Screate(H5S_NULL);
  if (one_in(3) && !large) return H5Screate(H5S_SCALAR);
  return H5Screate_simple(1 + (int)below(2), dims, NULL);
}

static void make_attribute(hid_t object, const char* name, unsigned wishes) {
  const int large = one_in(30);
  const hid_t type = make_type(large ? kNumbersOnly : wishes), space = make_space(large);
  const hid_t list = H5Pcreate(H5P_ATTRIBUTE_CREATE);
  hid_t attribute;
  if (one_in(3)) H5Pset_char_encoding(list, H5T_CSET_UTF8);
  attribute = H5Acreate2(object, name, type, space, list, H5P_DEFAULT);
  if (allowed(attribute, "H5Acreate2")) {
    write_attribute(attribute);
    H5Aclose(attribute);
    note("attribute", large ? "large" : "made");
  }
  H5Pclose(list);
  H5Sclose(space);
  H5Tclose(type);
}

static void name_attribute(char* name) {
  const unsigned number = below(7);
  sprintf(
      name,
      number == 6 ? "an attribute with a long name, as some programs have them, number %u" : "a%u",
      number);
}

void step_attribute(void) {
  char path[kNameSize], name[kNameSize];
  hid_t object, attribute;
  if (!choose_object(path)) return;
  note("at", path);
  object = good(H5Oopen(file_, path, H5P_DEFAULT), "H5Oopen");
  name_attribute(name);
  if (H5Aexists(object, name) <= 0) {
    make_attribute(object, name, kAnyType);
  } else {
    attribute = good(H5Aopen(object, name, H5P_DEFAULT), "H5Aopen");
    write_attribute(attribute);
    H5Aclose(attribute);
    note("attribute", "written-anew");
  }
  H5Oclose(object);
}

void step_attribute_away(void) {
  char path[kNameSize], name[kNameSize], other[kNameSize];
  for (int tries = 0; tries < 12; ++tries) {
    if (!choose_object(path)) return;
    name_attribute(name);
    name_attribute(other);
    if (H5Aexists_by_name(file_, path, name, H5P_DEFAULT) <= 0) continue;
    note("at", path);
    if (one_in(3) && H5Aexists_by_name(file_, path, other, H5P_DEFAULT) <= 0) {
      good(H5Arename_by_name(file_, path, name, other, H5P_DEFAULT), "H5Arename_by_name");
      note("attribute", "renamed");
    } else if (one_in(3)) {
      good(H5Adelete_by_idx(file_, path, H5_INDEX_NAME, H5_ITER_DEC, 0, H5P_DEFAULT),
           "H5Adelete_by_idx");
      note("attribute", "deleted-by-index");
    } else {
      good(H5Adelete_by_name(file_, path, name, H5P_DEFAULT), "H5Adelete_by_name");
      note("attribute", "deleted");
    }
    return;
  }
}

void step_many_attributes(void) {
  char path[kNameSize], name[kNameSize];
  const int away = one_in(3);
  hid_t object;
  if (!choose_object(path)) return;
  note("at", path);
  object = good(H5Oopen(file_, path, H5P_DEFAULT), "H5Oopen");
  for (unsigned i = 0; i < 30; ++i) {
    sprintf(name, "many%u", i);
    if (one_in(3)) continue;
    if (H5Aexists(object, name) > 0) {
      if (away) good(H5Adelete(object, name), "H5Adelete");
    } else if (!away) {
      make_attribute(object, name, kNumbersOnly);
    }
  }
  H5Oclose(object);
  note("attribute", away ? "many-deleted" : "many-made");
}

void step_comment(void) {
  char path[kNameSize];
  if (!choose_object(path)) return;
  note("at", path);
  good(H5Oset_comment_by_name(file_, path,
                              one_in(4)   ? NULL
                              : one_in(2) ? "a comment"
                                          : "another one, longer",
                              H5P_DEFAULT),
       "H5Oset_comment_by_name");
  note("comment", "set");
}
