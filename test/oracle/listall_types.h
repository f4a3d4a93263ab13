/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */

/* Part of listall.c: datatypes as text. */

#ifndef PCIO_TEST_ORACLE_LISTALL_TYPES_H
#define PCIO_TEST_ORACLE_LISTALL_TYPES_H

#include "listall_text.h"

static void text_type(Text* text, hid_t type, int depth);

static void text_pads(Text* text, hid_t type) {
  H5T_pad_t low = H5T_PAD_ERROR, high = H5T_PAD_ERROR;
  H5Tget_pad(type, &low, &high);
  text_number(text, " pad=", (long long)low);
  text_number(text, "/", (long long)high);
}

static void text_bits(Text* text, hid_t type) {
  text_number(text, " size=", (long long)H5Tget_size(type));
  text_number(text, " order=", (long long)H5Tget_order(type));
  text_number(text, " precision=", (long long)H5Tget_precision(type));
  text_number(text, " offset=", (long long)H5Tget_offset(type));
  text_pads(text, type);
}

static void text_float(Text* text, hid_t type) {
  size_t sign = 0, exponent = 0, exponent_size = 0, mantissa = 0, mantissa_size = 0;
  text_put(text, "float{");
  text_bits(text, type);
  H5Tget_fields(type, &sign, &exponent, &exponent_size, &mantissa, &mantissa_size);
  text_number(text, " sign=", (long long)sign);
  text_number(text, " exponent=", (long long)exponent);
  text_number(text, "+", (long long)exponent_size);
  text_number(text, " mantissa=", (long long)mantissa);
  text_number(text, "+", (long long)mantissa_size);
  text_number(text, " bias=", (long long)H5Tget_ebias(type));
  text_number(text, " norm=", (long long)H5Tget_norm(type));
  text_number(text, " inpad=", (long long)H5Tget_inpad(type));
  text_put(text, "}");
}

static void text_string(Text* text, hid_t type) {
  text_put(text, "string{");
  if (H5Tis_variable_str(type) > 0)
    text_put(text, " variable");
  else
    text_number(text, " size=", (long long)H5Tget_size(type));
  text_number(text, " pad=", (long long)H5Tget_strpad(type));
  text_number(text, " cset=", (long long)H5Tget_cset(type));
  text_put(text, "}");
}

static void text_compound(Text* text, hid_t type, int depth) {
  const int members = H5Tget_nmembers(type);
  text_number(text, "compound{ size=", (long long)H5Tget_size(type));
  for (int i = 0; i < members && text->size < kMaxText / 2; ++i) {
    char* name = H5Tget_member_name(type, (unsigned)i);
    const hid_t member = H5Tget_member_type(type, (unsigned)i);
    text_put(text, "; ");
    if (name != NULL) text_quoted(text, name, strlen(name));
    text_number(text, "@", (long long)H5Tget_member_offset(type, (unsigned)i));
    text_put(text, ":");
    text_type(text, member, depth + 1);
    if (name != NULL) H5free_memory(name);
    if (member >= 0) H5Tclose(member);
  }
  text_put(text, "}");
}

static void text_hex(Text* text, const unsigned char* bytes, size_t size) {
  char piece[4];
  for (size_t i = 0; i < size; ++i) {
    snprintf(piece, sizeof piece, "%02x", (unsigned)bytes[i]);
    text_put(text, piece);
  }
}

static void text_enum(Text* text, hid_t type, int depth) {
  const int members = H5Tget_nmembers(type);
  const size_t size = H5Tget_size(type);
  const hid_t base = H5Tget_super(type);
  text_put(text, "enum{ ");
  text_type(text, base, depth + 1);
  if (base >= 0) H5Tclose(base);
  for (int i = 0; i < members && size <= 16 && text->size < kMaxText / 2; ++i) {
    unsigned char value[16] = {0};
    char* name = H5Tget_member_name(type, (unsigned)i);
    text_put(text, "; ");
    if (name != NULL) text_quoted(text, name, strlen(name));
    H5Tget_member_value(type, (unsigned)i, value);
    text_put(text, "=");
    text_hex(text, value, size);
    if (name != NULL) H5free_memory(name);
  }
  text_put(text, "}");
}

static void text_array(Text* text, hid_t type, int depth) {
  hsize_t dims[H5S_MAX_RANK] = {0};
  const int ndims = H5Tget_array_ndims(type);
  const hid_t base = H5Tget_super(type);
  text_put(text, "array{ [");
  if (ndims > 0 && ndims <= H5S_MAX_RANK) H5Tget_array_dims2(type, dims);
  for (int i = 0; i < ndims && i < H5S_MAX_RANK; ++i)
    text_number(text, i == 0 ? "" : ",", (long long)dims[i]);
  text_put(text, "] ");
  text_type(text, base, depth + 1);
  if (base >= 0) H5Tclose(base);
  text_put(text, "}");
}

static void text_opaque(Text* text, hid_t type) {
  char* tag = H5Tget_tag(type);
  text_number(text, "opaque{ size=", (long long)H5Tget_size(type));
  text_put(text, " tag=");
  if (tag != NULL) {
    text_quoted(text, tag, strlen(tag));
    H5free_memory(tag);
  }
  text_put(text, "}");
}

static void text_sequence(Text* text, hid_t type, int depth) {
  const hid_t base = H5Tget_super(type);
  text_put(text, "sequence{ ");
  text_type(text, base, depth + 1);
  if (base >= 0) H5Tclose(base);
  text_put(text, "}");
}

static void text_type(Text* text, hid_t type, int depth) {
  if (depth > kMaxTypeDepth) {
    text_put(text, "(nested too deep)");
    return;
  }
  switch (H5Tget_class(type)) {
    case H5T_INTEGER:
      text_number(text, "integer{ sign=", (long long)H5Tget_sign(type));
      text_bits(text, type);
      text_put(text, "}");
      break;
    case H5T_FLOAT:
      text_float(text, type);
      break;
    case H5T_TIME:
      text_number(text, "time{ size=", (long long)H5Tget_size(type));
      text_put(text, "}");
      break;
    case H5T_STRING:
      text_string(text, type);
      break;
    case H5T_BITFIELD:
      text_put(text, "bitfield{");
      text_bits(text, type);
      text_put(text, "}");
      break;
    case H5T_OPAQUE:
      text_opaque(text, type);
      break;
    case H5T_COMPOUND:
      text_compound(text, type, depth);
      break;
    case H5T_REFERENCE:
      text_put(text,
               H5Tequal(type, H5T_STD_REF_OBJ) > 0 ? "reference{object}" : "reference{region}");
      break;
    case H5T_ENUM:
      text_enum(text, type, depth);
      break;
    case H5T_VLEN:
      text_sequence(text, type, depth);
      break;
    case H5T_ARRAY:
      text_array(text, type, depth);
      break;
    default:
      text_put(text, "(no class)");
  }
}

#endif
