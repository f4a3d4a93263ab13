/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/*
 * Makes random types of sequences, strings, references, arrays and compounds inside each other, and prints
 * how they are encoded and decoded, their native types in all directions and what they contain. The same
 * source compiled against libhdf5 and libpcio must print the same.
 *
 * Usage: nested_oracle COUNT
 */

#include <hdf5.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t state;

static unsigned below(unsigned n) {
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (unsigned)((state >> 33) % n);
}

static hid_t any_type(unsigned depth);

static hid_t any_text(void) {
  hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, H5T_VARIABLE);
  H5Tset_cset(type, below(2) ? H5T_CSET_UTF8 : H5T_CSET_ASCII);
  H5Tset_strpad(type, (H5T_str_t)below(3));
  return type;
}

static hid_t any_compound(unsigned depth) {
  hid_t members[4], type;
  size_t offsets[4], end = below(3);
  unsigned i, n = 1 + below(4);
  for (i = 0; i < n; i++) {
    members[i] = any_type(depth + 1);
    offsets[i] = end;
    end += H5Tget_size(members[i]) + below(5);
  }
  type = H5Tcreate(H5T_COMPOUND, end);
  for (i = 0; i < n; i++) {
    char name[32];
    snprintf(name, sizeof name, "member_%.*s%u", (int)below(9), "abcdefghij", i);
    H5Tinsert(type, name, offsets[i], members[i]);
    H5Tclose(members[i]);
  }
  return type;
}

static hid_t any_enum(void) {
  short value = 3;
  hid_t type = H5Tenum_create(H5T_NATIVE_SHORT);
  H5Tenum_insert(type, "red", &value);
  value = 9;
  H5Tenum_insert(type, "green_and_blue", &value);
  return type;
}

static hid_t any_leaf(void) {
  hid_t type;
  switch (below(8)) {
    case 0: return H5Tcopy(H5T_NATIVE_INT);
    case 1: return H5Tcopy(H5T_IEEE_F64BE);
    case 2: return H5Tcopy(H5T_STD_REF_OBJ);
    case 3: return H5Tcopy(H5T_STD_REF_DSETREG);
    case 4: return any_enum();
    case 5: return H5Tcopy(below(2) ? H5T_STD_B16BE : H5T_UNIX_D32LE);
    case 6:
      type = H5Tcreate(H5T_OPAQUE, 1 + below(9));
      H5Tset_tag(type, "some tag" + below(8));
      return type;
    default:
      type = H5Tcopy(H5T_C_S1);
      H5Tset_size(type, 1 + below(9));
      return type;
  }
}

static hid_t any_type(unsigned depth) {
  hsize_t dims[2];
  hid_t base, type;
  unsigned kind = below(depth > 3 ? 3 : 9);
  if (kind < 2) return any_leaf();
  if (kind == 2) return any_text();
  if (kind > 6) return any_compound(depth);
  base = any_type(depth + 1);
  dims[0] = 1 + below(3);
  dims[1] = 1 + below(4);
  type = kind == 6 ? H5Tarray_create2(base, 1 + below(2), dims) : H5Tvlen_create(base);
  H5Tclose(base);
  return type;
}

static void print_encoded(hid_t type) {
  static unsigned char bytes[1 << 16];
  size_t i, n = 0;
  if (H5Tencode(type, NULL, &n) < 0 || n > sizeof bytes || H5Tencode(type, bytes, &n) < 0) {
    printf(" not encoded");
    return;
  }
  printf(" size %lu bytes ", (unsigned long)H5Tget_size(type));
  for (i = 0; i < n; i++) printf("%02x", bytes[i]);
}

/* Decoded references are unlike others for libhdf5 itself: compared are the bytes. */
static void print_decoded(hid_t type) {
  static unsigned char bytes[1 << 16];
  size_t n = sizeof bytes;
  hid_t decoded;
  H5Tencode(type, bytes, &n);
  decoded = H5Tdecode(bytes);
  printf(" decoded");
  print_encoded(decoded);
  if (H5Tdetect_class(type, H5T_REFERENCE) == 0) printf(" equal %d", (int)H5Tequal(type, decoded));
  H5Tclose(decoded);
}

int main(int argc, char **argv) {
  unsigned i, count = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 1;
  hid_t before = -1;
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  for (i = 1; i <= count; i++) {
    hid_t type;
    int way;
    state = i * UINT64_C(7919);
    type = any_type(0);
    printf("%u class %d vlen %d string %d reference %d variable %d", i, (int)H5Tget_class(type),
           (int)H5Tdetect_class(type, H5T_VLEN), (int)H5Tdetect_class(type, H5T_STRING),
           (int)H5Tdetect_class(type, H5T_REFERENCE), (int)H5Tis_variable_str(type));
    print_encoded(type);
    print_decoded(type);
    for (way = H5T_DIR_DEFAULT; way <= H5T_DIR_DESCEND; way++) {
      hid_t native = H5Tget_native_type(type, (H5T_direction_t)way);
      printf(" native");
      if (native < 0) continue;
      print_encoded(native);
      H5Tclose(native);
    }
    printf(" like the last %d\n", before < 0 ? -1 : (int)H5Tequal(before, type));
    if (before >= 0) H5Tclose(before);
    before = type;
  }
  H5Tclose(before);
  return 0;
}
