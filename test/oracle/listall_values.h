/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */

/* Part of listall.c: values of datasets and attributes, as hashes. */

#ifndef PCIO_TEST_ORACLE_LISTALL_VALUES_H
#define PCIO_TEST_ORACLE_LISTALL_VALUES_H

#include "listall_types.h"

/* ---- hashing of values --------------------------------------------------------------------- */

typedef unsigned long long Hash; /* FNV-1a, 64 bits */

static Hash hash_bytes(Hash hash, const void* bytes, size_t size) {
  const unsigned char* at = (const unsigned char*)bytes;
  for (size_t i = 0; i < size; ++i) hash = (hash ^ at[i]) * 1099511628211ULL;
  return hash;
}

/* A plan per type, made once, so that hashing a million elements asks the library nothing. */
typedef struct Walk {
  enum { kPlain, kVariable, kSequence, kMembers, kRepeat } kind;
  size_t size, count;
  int outside;
  size_t* offsets;
  struct Walk** parts;
} Walk;

static Walk* walk_new(hid_t type, int depth);

static void walk_members(Walk* walk, hid_t type, int depth) {
  const int members = H5Tget_nmembers(type);
  walk->kind = kMembers;
  walk->count = members > 0 ? (size_t)members : 0;
  walk->offsets = (size_t*)calloc(walk->count + 1, sizeof *walk->offsets);
  walk->parts = (Walk**)calloc(walk->count + 1, sizeof *walk->parts);
  if (walk->offsets == NULL || walk->parts == NULL) exit(4);
  for (size_t i = 0; i < walk->count; ++i) {
    const hid_t member = H5Tget_member_type(type, (unsigned)i);
    walk->offsets[i] = H5Tget_member_offset(type, (unsigned)i);
    walk->parts[i] = walk_new(member, depth + 1);
    if (member >= 0) H5Tclose(member);
    if (walk->parts[i]->size > walk->size || walk->offsets[i] > walk->size - walk->parts[i]->size)
      walk->outside = 1; /* a library should have refused this type */
  }
}

static void walk_base(Walk* walk, hid_t type, int depth) {
  const hid_t base = H5Tget_super(type);
  walk->parts = (Walk**)calloc(1, sizeof *walk->parts);
  if (walk->parts == NULL) exit(4);
  walk->parts[0] = walk_new(base, depth + 1);
  walk->count =
      walk->kind == kRepeat && walk->parts[0]->size > 0 ? walk->size / walk->parts[0]->size : 1;
  if (base >= 0) H5Tclose(base);
}

static Walk* walk_new(hid_t type, int depth) {
  Walk* walk = (Walk*)calloc(1, sizeof *walk);
  if (walk == NULL) exit(4);
  walk->size = H5Tget_size(type);
  walk->kind = kPlain;
  if (depth > kMaxTypeDepth) return walk;
  switch (H5Tget_class(type)) {
    case H5T_STRING:
      if (H5Tis_variable_str(type) > 0) walk->kind = kVariable;
      break;
    case H5T_COMPOUND:
      walk_members(walk, type, depth);
      break;
    case H5T_VLEN:
      walk->kind = kSequence;
      walk_base(walk, type, depth);
      break;
    case H5T_ARRAY:
      walk->kind = kRepeat;
      walk_base(walk, type, depth);
      break;
    default:
      break;
  }
  return walk;
}

static void walk_free(Walk* walk) {
  if (walk == NULL) return;
  for (size_t i = 0; walk->parts != NULL && i < (walk->kind == kMembers ? walk->count : 1); ++i)
    walk_free(walk->parts[i]);
  free(walk->parts);
  free(walk->offsets);
  free(walk);
}

static Hash walk_hash(const Walk* walk, Hash hash, const unsigned char* at) {
  switch (walk->kind) {
    case kPlain:
      return hash_bytes(hash, at, walk->size);
    case kVariable: {
      char* string;
      memcpy(&string, at, sizeof string);
      return string == NULL ? hash_bytes(hash, "\1", 1)
                            : hash_bytes(hash, string, strlen(string) + 1);
    }
    case kSequence: {
      hvl_t sequence;
      memcpy(&sequence, at, sizeof sequence);
      hash = hash_bytes(hash, &sequence.len, sizeof sequence.len);
      for (size_t i = 0; i < sequence.len; ++i)
        hash =
            walk_hash(walk->parts[0], hash, (unsigned char*)sequence.p + i * walk->parts[0]->size);
      return hash;
    }
    case kMembers: /* the gaps between members are not values */
      for (size_t i = 0; i < walk->count && !walk->outside; ++i)
        hash = walk_hash(walk->parts[i], hash, at + walk->offsets[i]);
      return hash;
    case kRepeat:
      for (size_t i = 0; i < walk->count; ++i)
        hash = walk_hash(walk->parts[0], hash, at + i * walk->parts[0]->size);
      return hash;
  }
  return hash;
}

static Hash hash_values(hid_t type, const void* values, size_t count) {
  Walk* walk = walk_new(type, 0);
  Hash hash = 14695981039346656037ULL;
  if (walk->kind == kPlain)
    hash = hash_bytes(hash, values, count * walk->size);
  else
    for (size_t i = 0; i < count; ++i)
      hash = walk_hash(walk, hash, (const unsigned char*)values + i * walk->size);
  walk_free(walk);
  return hash;
}

/* ---- values of datasets and attributes ----------------------------------------------------- */

/* Reads in one memory type and prints the hash. `space` < 0 reads an attribute, else a dataset
 * with the selection of `space` (H5S_ALL allowed), `count` elements. */
static void print_hash(hid_t object, hid_t type, hid_t space, hsize_t count, const char* label) {
  const size_t size = H5Tget_size(type);
  if (size == 0 || count > limit_bytes / size) {
    printf("  %s: over the limit of memory\n", label);
    return;
  }
  void* values = calloc((size_t)count + 1, size);
  hsize_t extent = count;
  const hid_t memory = space > 0 ? H5Screate_simple(1, &extent, NULL) : H5S_ALL;
  if (values == NULL) exit(4);
  const herr_t status = space < 0 ? H5Aread(object, type, values)
                                  : H5Dread(object, type, memory, space, H5P_DEFAULT, values);
  if (status < 0) {
    refused(space < 0 ? "H5Aread" : "H5Dread", label);
  } else {
    printf("  %s: %016llx\n", label, hash_values(type, values, (size_t)count));
    if (count > 0 && H5Tdetect_class(type, H5T_VLEN) > 0) {
      const hid_t whole = H5Screate_simple(1, &extent, NULL);
      H5Dvlen_reclaim(type, whole, H5P_DEFAULT, values);
      H5Sclose(whole);
    }
  }
  if (memory > 0) H5Sclose(memory);
  free(values);
}

static void print_both_hashes(hid_t object, hid_t type, hid_t space, hsize_t count) {
  const hid_t native = H5Tget_native_type(type, H5T_DIR_ASCEND);
  print_hash(object, type, space, count, "values in the file's type");
  if (native < 0) {
    refused("H5Tget_native_type", NULL);
    return;
  }
  Text text = {NULL, 0, 0};
  text_type(&text, native, 0);
  text_print("  native type: ", &text);
  print_hash(object, native, space, count, "values in the native type");
  H5Tclose(native);
}

static void print_type(hid_t type) {
  Text text = {NULL, 0, 0};
  if (H5Tcommitted(type) > 0) text_put(&text, "committed ");
  text_type(&text, type, 0);
  text_print("  type: ", &text);
}

/* Prints the space and returns its number of elements. */
static hsize_t print_space(hid_t space) {
  hsize_t dims[H5S_MAX_RANK] = {0}, most[H5S_MAX_RANK] = {0};
  Text text = {NULL, 0, 0};
  const int ndims = H5Sget_simple_extent_dims(space, dims, most);
  const H5S_class_t kind = H5Sget_simple_extent_type(space);
  text_put(&text, kind == H5S_NULL ? "null" : kind == H5S_SCALAR ? "scalar" : "simple");
  for (int i = 0; i < ndims && i < H5S_MAX_RANK; ++i) {
    text_number(&text, " ", (long long)dims[i]);
    if (most[i] == H5S_UNLIMITED)
      text_put(&text, "/unlimited");
    else
      text_number(&text, "/", (long long)most[i]);
  }
  text_print("  space: ", &text);
  const hssize_t points = H5Sget_simple_extent_npoints(space);
  return points > 0 ? (hsize_t)points : 0;
}

#endif
