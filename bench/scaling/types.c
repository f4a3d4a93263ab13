/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/* Members of types. */
#include "scaling.h"

static void members(long n) {
  char name[32];
  hid_t type = H5Tcreate(H5T_COMPOUND, (size_t)n * sizeof(int));
  for (long i = 0; i < n; ++i) {
    name_of(name, i);
    CK(H5Tinsert(type, name, (size_t)i * sizeof(int), H5T_NATIVE_INT));
  }
  int *values = calloc((size_t)n, sizeof *values);
  hid_t id = H5Dcreate2(file, "d", type, scalar, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  /* Old formats have no room for very many members. */
  if (id >= 0) {
    CK(H5Dwrite(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
    CK(H5Dread(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
    CK(H5Dclose(id));
  }
  for (long i = 0; i < n; ++i) {
    name_of(name, i);
    CK(H5Tget_member_index(type, name));
  }
  free(values);
  CK(H5Tclose(type));
}

static void enumerators(long n) {
  char name[32];
  hid_t type = H5Tenum_create(H5T_NATIVE_INT);
  for (int i = 0; i < (int)n; ++i) {
    name_of(name, i);
    CK(H5Tenum_insert(type, name, &i));
  }
  for (int i = 0; i < (int)n; ++i) {
    CK(H5Tenum_nameof(type, &i, name, sizeof name));
  }
  CK(H5Tclose(type));
}

/* Members are converted to others of the same names, in the reverse order. */
static void members_converted(long n) {
  char name[32];
  const size_t size = (size_t)n * sizeof(int);
  hid_t from = H5Tcreate(H5T_COMPOUND, size), to = H5Tcreate(H5T_COMPOUND, size);
  for (long i = 0; i < n; ++i) {
    name_of(name, i);
    CK(H5Tinsert(from, name, (size_t)i * sizeof(int), H5T_NATIVE_INT));
  }
  for (long i = n; i-- > 0;) {
    name_of(name, i);
    CK(H5Tinsert(to, name, (size_t)(n - 1 - i) * sizeof(int), H5T_NATIVE_INT));
  }
  int *values = calloc((size_t)n, sizeof *values);
  CK(H5Tconvert(from, to, 1, values, NULL, H5P_DEFAULT));
  CK(H5Tequal(from, to));
  CK(H5Tpack(to));
  hid_t native = H5Tget_native_type(from, H5T_DIR_ASCEND);
  CK(native);
  for (long i = 0; i < n; ++i) {
    hid_t member = H5Tget_member_type(native, (unsigned)i);
    CK(member);
    CK(H5Tclose(member));
  }
  CK(H5Tclose(native));
  CK(H5Tclose(from));
  CK(H5Tclose(to));
  free(values);
}

/* Symbols found by name, and converted to others of the same names. */
static void enumerators_converted(long n) {
  char name[32];
  hid_t from = H5Tenum_create(H5T_NATIVE_INT), to = H5Tenum_create(H5T_NATIVE_INT);
  int *values = malloc((size_t)n * sizeof *values), value;
  for (int i = 0; i < (int)n; ++i) {
    const int other = (int)n - i;
    name_of(name, i);
    values[i] = i;
    CK(H5Tenum_insert(from, name, &i));
    CK(H5Tenum_insert(to, name, &other));
  }
  CK(H5Tconvert(from, to, (size_t)n, values, NULL, H5P_DEFAULT));
  for (long i = 0; i < n; ++i) {
    name_of(name, i);
    CK(H5Tenum_valueof(from, name, &value));
    CK(H5Tget_member_index(to, name));
  }
  CK(H5Tclose(from));
  CK(H5Tclose(to));
  free(values);
}

/* Committed types that are looked for among others, as many, when they are copied to another file. */
static void types_merged(long n) {
  char name[32], other_path[sizeof scaling_path + 8];
  sprintf(other_path, "%s.other", scaling_path);
  hid_t other = H5Fcreate(other_path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hid_t list = H5Pcreate(H5P_OBJECT_COPY);
  CK(other);
  CK(H5Pset_copy_object(list, H5O_COPY_MERGE_COMMITTED_DTYPE_FLAG));
  CK(H5Gclose(new_group("types", H5P_DEFAULT)));
  for (long i = 0; i < n; ++i) {
    hid_t mine = H5Tcreate(H5T_OPAQUE, (size_t)i + 1);
    hid_t theirs = H5Tcreate(H5T_OPAQUE, (size_t)(n + i) + 1);
    name_of(name, i);
    CK(H5Tcommit2(other, name, theirs, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    CK(H5Tclose(theirs));
    sprintf(name, "types/%ld", i);
    CK(H5Tcommit2(file, name, mine, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    CK(H5Tclose(mine));
  }
  CK(H5Ocopy(file, "types", other, "types", list, H5P_DEFAULT));
  CK(H5Pclose(list));
  CK(H5Fclose(other));
  unlink(other_path);
}

/* References to regions, and what they lead to, are copied. */
static void regions_copied(long n) {
  char other_path[sizeof scaling_path + 8];
  sprintf(other_path, "%s.other", scaling_path);
  const hsize_t size = (hsize_t)n;
  hid_t other = H5Fcreate(other_path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hid_t list = H5Pcreate(H5P_OBJECT_COPY), space = H5Screate_simple(1, &size, NULL);
  CK(other);
  CK(H5Pset_copy_object(list, H5O_COPY_EXPAND_REFERENCE_FLAG));
  CK(H5Dclose(make_dataset(file, "target")));
  hdset_reg_ref_t *references = calloc((size_t)n, sizeof *references);
  for (long i = 0; i < n; ++i)
    CK(H5Rcreate(references[i], file, "target", H5R_DATASET_REGION, scalar));
  hid_t id = H5Dcreate2(file, "references", H5T_STD_REF_DSETREG, space, H5P_DEFAULT, H5P_DEFAULT,
                        H5P_DEFAULT);
  CK(H5Dwrite(id, H5T_STD_REF_DSETREG, H5S_ALL, H5S_ALL, H5P_DEFAULT, references));
  CK(H5Ocopy(file, "references", other, "references", list, H5P_DEFAULT));
  free(references);
  CK(H5Dclose(id));
  CK(H5Sclose(space));
  CK(H5Pclose(list));
  CK(H5Fclose(other));
  unlink(other_path);
}

const struct scaling_case type_cases[] = {
    {"members", members, 200},
    {"enumerators", enumerators, 500},
    {"members_converted", members_converted, 200},
    {"enumerators_converted", enumerators_converted, 500},
    {"types_merged", types_merged, 200},
    {"regions_copied", regions_copied, 500},
    {NULL, NULL, 0},
};
