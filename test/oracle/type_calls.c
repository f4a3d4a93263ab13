/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/*
 * Oracle: what datatypes tell of themselves, and what their setters do. Compiled once against libhdf5 and once against
 * libpcio; the outputs must be equal.
 */
#include <hdf5.h>
#include <stdio.h>
#include <string.h>

#define SHOW(call) printf("%s -> %d\n", #call, (int)(call))

static void show_float(const char *name, hid_t t) {
  size_t s = 0, ep = 0, es = 0, mp = 0, ms = 0;
  H5T_pad_t lsb = H5T_PAD_ERROR, msb = H5T_PAD_ERROR;
  printf("[%s]\n", name);
  SHOW(H5Tget_fields(t, &s, &ep, &es, &mp, &ms));
  printf("%d %d %d %d %d\n", (int)s, (int)ep, (int)es, (int)mp, (int)ms);
  SHOW(H5Tget_ebias(t)), SHOW(H5Tget_norm(t)), SHOW(H5Tget_inpad(t)), SHOW(H5Tget_precision(t));
  SHOW(H5Tget_offset(t)), SHOW(H5Tget_size(t)), SHOW(H5Tget_order(t)), SHOW(H5Tget_sign(t));
  SHOW(H5Tget_pad(t, &lsb, &msb));
  printf("pad %d %d\n", (int)lsb, (int)msb);
}

static void floats(void) {
  hid_t t = H5Tcopy(H5T_IEEE_F32BE);
  show_float("F32BE", t);
  SHOW(H5Tset_fields(t, 15, 10, 5, 0, 10));
  SHOW(H5Tset_ebias(t, 15));
  SHOW(H5Tset_precision(t, 16));
  SHOW(H5Tset_size(t, 2));
  show_float("half", t);
  SHOW(H5Tset_norm(t, H5T_NORM_NONE)), SHOW(H5Tset_inpad(t, H5T_PAD_ONE));
  SHOW(H5Tset_fields(t, 40, 10, 5, 0, 10));
  SHOW(H5Tset_fields(t, 15, 8, 5, 0, 10));
  SHOW(H5Tset_norm(t, (H5T_norm_t)17)), SHOW(H5Tset_inpad(t, (H5T_pad_t)17));
  show_float("changed", t);
  SHOW(H5Tclose(t));
  show_float("F64LE", H5T_IEEE_F64LE);
  show_float("an integer", H5T_STD_I16LE);
}

static void integers(void) {
  hid_t t = H5Tcopy(H5T_STD_I32LE);
  H5T_pad_t lsb, msb;
  printf("[integers]\n");
  SHOW(H5Tget_sign(t)), SHOW(H5Tset_sign(t, H5T_SGN_NONE)), SHOW(H5Tget_sign(t));
  SHOW(H5Tset_precision(t, 20)), SHOW(H5Tset_offset(t, 6)), SHOW(H5Tget_precision(t)),
      SHOW(H5Tget_offset(t));
  SHOW(H5Tset_offset(t, 30)), SHOW(H5Tget_size(t)), SHOW(H5Tget_offset(t));
  SHOW(H5Tset_pad(t, H5T_PAD_ONE, H5T_PAD_BACKGROUND)), SHOW(H5Tget_pad(t, &lsb, &msb));
  printf("%d %d\n", (int)lsb, (int)msb);
  SHOW(H5Tset_pad(t, (H5T_pad_t)9, H5T_PAD_ZERO)), SHOW(H5Tset_pad(t, H5T_PAD_ZERO, (H5T_pad_t)-3));
  SHOW(H5Tget_cset(t)), SHOW(H5Tget_strpad(t)), SHOW(H5Tget_nmembers(t));
  SHOW(H5Tget_ebias(t)), SHOW(H5Tget_norm(t)), SHOW(H5Tget_inpad(t)), SHOW(H5Tget_array_ndims(t));
  SHOW(H5Tget_super(t) >= 0), SHOW(H5Tget_tag(t) != NULL);
  SHOW(H5Tclose(t));
  SHOW(H5Tset_precision(H5T_NATIVE_INT, 3));
}

static void strings(void) {
  hid_t t = H5Tcopy(H5T_C_S1), vlen = H5Tcopy(H5T_C_S1);
  int i;
  printf("[strings]\n");
  for (i = -1; i < 4; ++i) {
    printf("%d:\n", i);
    SHOW(H5Tset_strpad(t, (H5T_str_t)i)), SHOW(H5Tget_strpad(t));
    SHOW(H5Tset_cset(t, (H5T_cset_t)i)), SHOW(H5Tget_cset(t));
  }
  SHOW(H5Tset_size(vlen, H5T_VARIABLE)), SHOW(H5Tis_variable_str(vlen)), SHOW(H5Tget_strpad(vlen));
  SHOW(H5Tset_strpad(vlen, H5T_STR_SPACEPAD)), SHOW(H5Tget_strpad(vlen)),
      SHOW(H5Tset_cset(vlen, H5T_CSET_UTF8));
  SHOW(H5Tget_cset(vlen)), SHOW(H5Tdetect_class(vlen, H5T_VLEN)),
      SHOW(H5Tdetect_class(vlen, H5T_STRING));
  SHOW(H5Tclose(t)), SHOW(H5Tclose(vlen));
}

static void show_name(char *name) {
  printf("name %s\n", name ? name : "(none)");
  H5free_memory(name);
}

static void members(void) {
  hsize_t dims[2] = {2, 3}, got[2] = {0, 0};
  int perm[2] = {7, 7}, value, i;
  char text[8];
  hid_t enums = H5Tenum_create(H5T_STD_I16BE), array, base;
  hid_t old = H5Tarray_create1(H5T_STD_U8LE, 2, dims, NULL), opaque = H5Tcreate(H5T_OPAQUE, 4);
  hid_t compound = H5Tcreate(H5T_COMPOUND, 40), member;
  char *tag;
  short code;
  printf("[members]\n");
  for (i = 0; i < 3; ++i) {
    static const char *const names[] = {"red", "green", "blue"};
    code = (short)((5 + i * 7) << 8); /* in the type's own order */
    SHOW(H5Tenum_insert(enums, names[i], &code));
  }
  SHOW(H5Tget_nmembers(enums)), SHOW(H5Tget_member_index(enums, "green")),
      SHOW(H5Tget_member_index(enums, "pink"));
  for (i = 0; i < 4; ++i) {
    code = 0;
    show_name(H5Tget_member_name(enums, (unsigned)i));
    SHOW(H5Tget_member_value(enums, (unsigned)i, &code));
    printf("%d\n", code >> 8);
  }
  code = 12 << 8;
  SHOW(H5Tenum_nameof(enums, &code, text, sizeof text)), printf("%s\n", text);
  SHOW(H5Tenum_nameof(enums, &code, text, 3));
  code = 13 << 8;
  SHOW(H5Tenum_nameof(enums, &code, text, sizeof text));
  code = 0;
  SHOW(H5Tenum_valueof(enums, "blue", &code)), printf("%d\n", code >> 8);
  SHOW(H5Tenum_valueof(enums, "pink", &code));
  base = H5Tget_super(enums);
  SHOW(H5Tequal(base, H5T_STD_I16BE)), SHOW(H5Tclose(base));

  array = H5Tarray_create2(enums, 2, dims);
  SHOW(H5Tget_array_ndims(array)), SHOW(H5Tget_array_dims2(array, got));
  printf("%d %d\n", (int)got[0], (int)got[1]);
  SHOW(H5Tget_array_dims1(old, got, perm)), printf("%d %d\n", (int)got[0], (int)got[1]);
  SHOW(H5Tget_array_dims2(array, NULL)), SHOW(H5Tget_array_dims2(enums, got)),
      SHOW(H5Tget_array_ndims(enums));
  base = H5Tget_super(array);
  SHOW(H5Tequal(base, enums)), SHOW(H5Tclose(base)), SHOW(H5Tget_size(array)),
      SHOW(H5Tget_class(old));

  SHOW(H5Tset_tag(opaque, "bytes")), tag = H5Tget_tag(opaque), printf("%s\n", tag ? tag : "(none)");
  H5free_memory(tag);
  SHOW(H5Tset_tag(compound, "no"));

  SHOW(H5Tinsert(compound, "colours", 0, array)), SHOW(H5Tinsert(compound, "raw", 16, opaque));
  SHOW(H5Tinsert(compound, "x", 24, H5T_NATIVE_DOUBLE)),
      SHOW(H5Tinsert(compound, "x", 32, H5T_NATIVE_INT));
  SHOW(H5Tinsert(compound, "y", 20, H5T_NATIVE_DOUBLE)),
      SHOW(H5Tinsert(compound, "y", 36, H5T_NATIVE_DOUBLE));
  SHOW(H5Tget_nmembers(compound));
  for (i = 0; i < 4; ++i) {
    show_name(H5Tget_member_name(compound, (unsigned)i));
    SHOW(H5Tget_member_class(compound, (unsigned)i)),
        SHOW(H5Tget_member_offset(compound, (unsigned)i));
    member = H5Tget_member_type(compound, (unsigned)i);
    SHOW(member >= 0 ? H5Tget_size(member) : 0);
    if (member >= 0) H5Tclose(member);
  }
  for (value = 0; value < H5T_NCLASSES; ++value)
    printf("%d ", (int)H5Tdetect_class(compound, (H5T_class_t)value));
  printf("\n");
  SHOW(H5Tdetect_class(compound, (H5T_class_t)55));
  SHOW(H5Tclose(compound)), SHOW(H5Tclose(opaque)), SHOW(H5Tclose(old)), SHOW(H5Tclose(array)),
      SHOW(H5Tclose(enums));
}

int main(void) {
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  floats();
  integers();
  strings();
  members();
  return 0;
}
