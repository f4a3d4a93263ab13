/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */

/* Part of lives: random types. */

#include "lives.h"

static hid_t make_any(unsigned wishes, int depth);

static hid_t make_integer(void) {
  const hid_t known[] = {H5T_STD_I8LE,  H5T_STD_U8BE,  H5T_STD_I16BE, H5T_STD_U16LE, H5T_STD_I32LE,
                         H5T_STD_U32BE, H5T_STD_I64BE, H5T_STD_U64LE, H5T_NATIVE_INT};
  const hid_t type = H5Tcopy(known[below(9)]);
  if (one_in(5)) {
    const size_t size = H5Tget_size(type) * 8, precision = 2 + below((unsigned)size - 2);
    H5Tset_precision(type, precision);
    if (size > precision) H5Tset_offset(type, below((unsigned)(size - precision)));
    H5Tset_pad(type, (H5T_pad_t)below(2), (H5T_pad_t)below(2));
  }
  return type;
}

static hid_t make_float(void) {
  const hid_t known[] = {H5T_IEEE_F32LE, H5T_IEEE_F32BE, H5T_IEEE_F64LE, H5T_IEEE_F64BE};
  return H5Tcopy(known[below(4)]);
}

static hid_t make_string(unsigned wishes) {
  const hid_t type = H5Tcopy(one_in(4) ? H5T_FORTRAN_S1 : H5T_C_S1);
  if ((wishes & kFixedType) == 0 && one_in(2)) {
    H5Tset_size(type, H5T_VARIABLE);
  } else {
    H5Tset_size(type, 1 + below(14));
    H5Tset_strpad(type, (H5T_str_t)below(3));
  }
  H5Tset_cset(type, one_in(3) ? H5T_CSET_UTF8 : H5T_CSET_ASCII);
  return type;
}

static hid_t make_enum(void) {
  const hid_t base = one_in(2) ? H5T_STD_I16LE : one_in(2) ? H5T_STD_U8LE : H5T_STD_I32BE;
  const hid_t type = H5Tenum_create(base);
  const unsigned many = 1 + below(5);
  for (unsigned i = 0; i < many; ++i) {
    unsigned char value[8] = {0};
    char name[40];
    const int number = (int)(i * 17); /* 0 is there: unwritten elements */
    memcpy(value, &number, sizeof number);
    H5Tconvert(H5T_NATIVE_INT, base, 1, value, NULL, H5P_DEFAULT);
    sprintf(name, "member%u", i);
    good(H5Tenum_insert(type, name, value), "H5Tenum_insert");
  }
  return type;
}

static hid_t make_compound(unsigned wishes, int depth) {
  const unsigned many = 1 + below(4);
  size_t at = 0;
  hid_t parts[4], type;
  for (unsigned i = 0; i < many; ++i) {
    parts[i] = make_any(wishes, depth + 1);
    at += H5Tget_size(parts[i]) + (i % 2) * 3;
  }
  type = H5Tcreate(H5T_COMPOUND, at + below(3));
  at = 0;
  for (unsigned i = 0; i < many; ++i) {
    char name[40];
    sprintf(name, "part %u", i);
    good(H5Tinsert(type, name, at, parts[i]), "H5Tinsert");
    at += H5Tget_size(parts[i]) + (i % 2) * 3;
    H5Tclose(parts[i]);
  }
  if (one_in(3)) H5Tpack(type);
  return type;
}

static hid_t make_sequence(int depth, unsigned wishes);

static hid_t make_array(unsigned wishes, int depth) {
  /* compounds of variable length in arrays come to harm in libhdf5 1.10 */
  const hid_t base = wishes & kFixedType || !one_in(4) ? make_any(wishes | kFixedType, depth + 1)
                                                       : make_sequence(3, wishes);
  const hsize_t dims[2] = {1 + below(3), 1 + below(3)};
  const hid_t type = good(H5Tarray_create2(base, 1 + below(2), dims), "H5Tarray_create2");
  H5Tclose(base);
  return type;
}

static hid_t make_sequence(int depth, unsigned wishes) {
  const hid_t base = make_any(wishes, depth + 1);
  const hid_t type = good(H5Tvlen_create(base), "H5Tvlen_create");
  H5Tclose(base);
  return type;
}

static hid_t make_opaque(void) {
  const hid_t type = H5Tcreate(H5T_OPAQUE, 1 + below(9));
  H5Tset_tag(type, one_in(2) ? "a tag" : "");
  return type;
}

static hid_t make_bits(void) {
  const hid_t known[] = {H5T_STD_B8LE, H5T_STD_B16BE, H5T_STD_B32LE, H5T_STD_B64LE};
  return H5Tcopy(known[below(4)]);
}

static hid_t make_committed(unsigned wishes) {
  char path[kNameSize];
  hid_t type;
  sprintf(path, "/types/t%u", below(5));
  if (!is_there("/types") || type_at(path) != H5O_TYPE_NAMED_DATATYPE) return -1;
  type = good(H5Topen2(file_, path, H5P_DEFAULT), "H5Topen2");
  if (((wishes & kFixedType) && has_class(type, H5T_VLEN)) ||
      ((wishes & kNoReferences) && has_class(type, H5T_REFERENCE)) || (wishes & kNumbersOnly)) {
    H5Tclose(type);
    return -1;
  }
  return type;
}

static hid_t make_any(unsigned wishes, int depth) {
  const unsigned kind = below((wishes & kNumbersOnly) ? 7 : depth < 3 ? 16 : 11);
  hid_t type = -1;
  if (kind < 4) return make_integer();
  if (kind < 7) return make_float();
  switch (kind) {
    case 7:
    case 8: return make_string(wishes);
    case 9: return one_in(3) ? make_opaque() : one_in(2) ? make_bits() : make_enum();
    case 10: return wishes & kNoReferences ? make_enum() : H5Tcopy(H5T_STD_REF_OBJ);
    case 11:
    case 12: return make_compound(wishes, depth);
    case 13: return make_array(wishes, depth);
    case 14: return wishes & kFixedType ? make_string(wishes) : make_sequence(depth, wishes);
    default: type = make_committed(wishes); return type >= 0 ? type : make_integer();
  }
}

static void note_classes(hid_t type) {
  static const struct {
    H5T_class_t id;
    const char* name;
  } classes[] = {{H5T_INTEGER, "integer"}, {H5T_FLOAT, "float"},       {H5T_BITFIELD, "bits"},
                 {H5T_OPAQUE, "opaque"},   {H5T_COMPOUND, "compound"}, {H5T_REFERENCE, "reference"},
                 {H5T_ENUM, "enum"},       {H5T_VLEN, "variable"},     {H5T_ARRAY, "array"},
                 {H5T_STRING, "string"}};
  for (size_t i = 0; i < sizeof classes / sizeof *classes; ++i)
    if (has_class(type, classes[i].id)) note("class", classes[i].name);
  if (H5Tcommitted(type) > 0) note("class", "committed");
}

static hid_t make_native(void) {
  const hid_t known[] = {H5T_NATIVE_INT, H5T_NATIVE_SHORT, H5T_NATIVE_ULLONG, H5T_NATIVE_DOUBLE};
  return H5Tcopy(known[below(4)]);
}

hid_t make_type(unsigned wishes) {
  const hid_t type = wishes & kNativeOnly ? make_native() : make_any(wishes, 0);
  note_classes(type);
  return type;
}

int has_class(hid_t type, H5T_class_t wanted) {
  const H5T_class_t here = H5Tget_class(type);
  int found = here == wanted;
  hid_t part;
  switch (here) {
    case H5T_STRING: return found || (wanted == H5T_VLEN && H5Tis_variable_str(type) > 0);
    case H5T_COMPOUND:
      for (int i = 0, n = H5Tget_nmembers(type); i < n && !found; ++i) {
        part = H5Tget_member_type(type, (unsigned)i);
        found = has_class(part, wanted);
        H5Tclose(part);
      }
      return found;
    case H5T_VLEN:
    case H5T_ARRAY:
      part = H5Tget_super(type);
      found = found || has_class(part, wanted);
      H5Tclose(part);
      return found;
    default: return found;
  }
}

hid_t memory_of(hid_t type) {
  const hid_t native = H5Tget_native_type(type, H5T_DIR_ASCEND);
  H5Eclear2(H5E_DEFAULT);
  return native >= 0 ? native : H5Tcopy(type);
}
