/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */

/* Part of lives: copies of objects, and what lies in other files: mounts and external links. */

#include "lives.h"

static herr_t look_at_attribute(hid_t object, const char* name, const H5A_info_t* info,
                                void* found) {
  const hid_t attribute = H5Aopen(object, name, H5P_DEFAULT), type = H5Aget_type(attribute);
  (void)info;
  if (has_class(type, H5T_REFERENCE) || has_class(type, H5T_VLEN)) *(int*)found = 1;
  H5Tclose(type);
  H5Aclose(attribute);
  return *(int*)found;
}

static herr_t look(hid_t object, const char* name, const H5O_info_t* info, void* found) {
  const hid_t at = H5Oopen(object, name, H5P_DEFAULT);
  hsize_t from = 0;
  H5Aiterate2(at, H5_INDEX_NAME, H5_ITER_INC, &from, look_at_attribute, found);
  if (info->type != H5O_TYPE_GROUP) {
    const hid_t type = info->type == H5O_TYPE_DATASET ? H5Dget_type(at) : H5Tcopy(at);
    if (has_class(type, H5T_REFERENCE) || has_class(type, H5T_VLEN)) *(int*)found = 1;
    H5Tclose(type);
  }
  H5Oclose(at);
  return *(int*)found;
}

/* Whether something below has references, of which libhdf5 1.10 copies those of a file into itself badly, or
 * data of variable length, which libpcio refuses to copy. */
static int can_not_be_copied(const char* path) {
  int found = 0;
  H5Ovisit_by_name(file_, path, H5_INDEX_NAME, H5_ITER_INC, look, &found, H5P_DEFAULT);
  return found;
}

void step_copy(void) {
  static const struct {
    unsigned flag;
    const char* name;
  } flags[] = {{0, "plain"},
               {H5O_COPY_SHALLOW_HIERARCHY_FLAG, "shallow"},
               {H5O_COPY_EXPAND_SOFT_LINK_FLAG, "soft-links"},
               {H5O_COPY_EXPAND_EXT_LINK_FLAG, "external-links"},
               {H5O_COPY_WITHOUT_ATTR_FLAG, "without-attributes"},
               {H5O_COPY_MERGE_COMMITTED_DTYPE_FLAG, "merged-types"}};
  const unsigned which = below(6);
  char from[kNameSize], to[kNameSize];
  const hid_t list = H5Pcreate(H5P_OBJECT_COPY);
  choose_group(to);
  choose_name(to, 'c', 3);
  note("to", to);
  if (choose_object(from) && strcmp(from, "/") != 0 && !is_there(to) && !can_not_be_copied(from) &&
      strncmp(from, to, strlen(from)) != 0) {
    note("from", from);
    H5Pset_copy_object(list, flags[which].flag);
    if (allowed(H5Ocopy(file_, from, file_, to, list, H5P_DEFAULT), "H5Ocopy"))
      note("copy", flags[which].name);
  }
  H5Pclose(list);
}

/* Opens or makes a file beside this one. */
static hid_t other_file(const char* name) {
  const hid_t list = H5Pcreate(H5P_FILE_ACCESS);
  hid_t file;
  H5Pset_libver_bounds(list, bound_, H5F_LIBVER_LATEST);
  file = H5Fis_hdf5(name) > 0 ? H5Fopen(name, H5F_ACC_RDWR, list)
                              : H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, list);
  H5Eclear2(H5E_DEFAULT);
  H5Pclose(list);
  return good(file, name);
}

void step_mount(void) {
  char path[kNameSize];
  const hid_t other = other_file("mounted.h5");
  choose_group(path);
  if (strcmp(path, "/") != 0) {
    note("at", path);
    good(H5Fmount(file_, path, other, H5P_DEFAULT), "H5Fmount");
    {
      char name[kNameSize + 20];
      sprintf(name, "%s/m%u", path, step_);
      create_through(file_, name);
    }
    if (one_in(3)) good(H5Fflush(file_, H5F_SCOPE_GLOBAL), "H5Fflush");
    good(H5Funmount(file_, path), "H5Funmount");
    note("mount", "written-through");
  }
  good(H5Fclose(other), "H5Fclose");
}

void step_through_link(void) {
  char path[kNameSize], name[kNameSize + 20];
  H5L_info_t info;
  const hid_t other = other_file("linked.h5");
  if (H5Lexists(other, "inside", H5P_DEFAULT) <= 0)
    H5Gclose(
        good(H5Gcreate2(other, "inside", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), "H5Gcreate2"));
  if (one_in(2)) create_through(other, (sprintf(name, "alone%u", step_), name));
  good(H5Fclose(other), "H5Fclose");
  for (int tries = 0; tries < 20; ++tries) {
    choose_group(path);
    choose_name(path, 's', 6);
    if (!is_there(path) || H5Lget_info(file_, path, &info, H5P_DEFAULT) < 0 ||
        info.type != H5L_TYPE_EXTERNAL)
      continue;
    sprintf(name, "%s/through%u", path, step_);
    create_through(file_, name);
    note("external", "written-through");
    return;
  }
}
