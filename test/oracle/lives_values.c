/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */

/* Part of lives: random values of any type in memory, and their text. The machine's numbers are little-endian. */

#include "lives.h"

static void make_value(hid_t type, unsigned char* to);

static void make_text(char* to, size_t size) {
  for (size_t i = 0; i < size; ++i) to[i] = (char)('a' + below(26));
}

static void make_string(hid_t type, unsigned char* to) {
  const size_t size = H5Tget_size(type);
  if (H5Tis_variable_str(type) > 0) {
    const size_t length = one_in(12) ? 2000 + below(3000) : below(30);
    char* text = NULL;
    if (!one_in(9)) {
      text = malloc(length + 1);
      make_text(text, length);
      text[length] = 0;
    }
    memcpy(to, &text, sizeof text);
    return;
  }
  memset(to, H5Tget_strpad(type) == H5T_STR_SPACEPAD ? ' ' : 0, size);
  make_text((char*)to, below((unsigned)size));
}

static void make_bytes(unsigned char* to, size_t size) {
  for (size_t i = 0; i < size; ++i) to[i] = (unsigned char)below(256);
}

static void make_integer(unsigned char* to, size_t size) {
  make_bytes(to, size);
  if (!one_in(4)) memset(to + 1, 0, size - 1);
}

static void make_float(unsigned char* to, size_t size) {
  const double value = ((double)below(4000) - 2000) / 8;
  const float narrow = (float)value;
  const long double wide = value;
  if (size == sizeof narrow) memcpy(to, &narrow, size);
  if (size == sizeof value) memcpy(to, &value, size);
  if (size == sizeof wide) memcpy(to, &wide, 10); /* what follows is padding */
}

static void make_sequence(hid_t type, unsigned char* to) {
  const hid_t base = H5Tget_super(type);
  const size_t size = H5Tget_size(base);
  hvl_t all = {one_in(20) ? 300 : below(5), NULL};
  if (all.len > 0) all.p = calloc(all.len, size);
  for (size_t i = 0; i < all.len; ++i) make_value(base, (unsigned char*)all.p + i * size);
  memcpy(to, &all, sizeof all);
  H5Tclose(base);
}

static void make_reference(unsigned char* to) {
  char path[kNameSize];
  sprintf(path, "/kept/k%u", below(kKept));
  if (!one_in(4)) good(H5Rcreate(to, file_, path, H5R_OBJECT, -1), "H5Rcreate");
}

static void make_parts(hid_t type, unsigned char* to) {
  for (int i = 0, n = H5Tget_nmembers(type); i < n; ++i) {
    const hid_t part = H5Tget_member_type(type, (unsigned)i);
    make_value(part, to + H5Tget_member_offset(type, (unsigned)i));
    H5Tclose(part);
  }
}

static void make_array(hid_t type, unsigned char* to) {
  const hid_t base = H5Tget_super(type);
  const size_t size = H5Tget_size(base);
  for (size_t i = 0; i < H5Tget_size(type) / size; ++i) make_value(base, to + i * size);
  H5Tclose(base);
}

static void make_value(hid_t type, unsigned char* to) {
  const size_t size = H5Tget_size(type);
  switch (H5Tget_class(type)) {
    case H5T_INTEGER: make_integer(to, size); break;
    case H5T_FLOAT: make_float(to, size); break;
    case H5T_STRING: make_string(type, to); break;
    case H5T_COMPOUND: make_parts(type, to); break;
    case H5T_REFERENCE: make_reference(to); break;
    case H5T_ENUM: H5Tget_member_value(type, below((unsigned)H5Tget_nmembers(type)), to); break;
    case H5T_VLEN: make_sequence(type, to); break;
    case H5T_ARRAY: make_array(type, to); break;
    default: make_bytes(to, size); break;
  }
}

void* make_values(hid_t type, size_t count) {
  const size_t size = H5Tget_size(type);
  unsigned char* values = calloc(count + 1, size);
  for (size_t i = 0; i < count; ++i) make_value(type, values + i * size);
  return values;
}

void free_values(hid_t type, size_t count, void* values) {
  const hsize_t n = count;
  if (n > 0 && has_class(type, H5T_VLEN)) {
    const hid_t space = H5Screate_simple(1, &n, NULL);
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, values);
    H5Sclose(space);
  }
  free(values);
}

/* --- text --- */

static haddr_t kept_[kKept];

void find_kept(void) {
  for (int i = 0; i < kKept; ++i) {
    char path[kNameSize];
    H5O_info_t info;
    sprintf(path, "/kept/k%d", i);
    memset(&info, 0, sizeof info);
    kept_[i] = H5Oget_info_by_name(file_, path, &info, H5P_DEFAULT) < 0 ? HADDR_UNDEF : info.addr;
  }
  H5Eclear2(H5E_DEFAULT);
}

static void print_reference(const unsigned char* at) {
  H5O_info_t info;
  hobj_ref_t address;
  hid_t object;
  memcpy(&address, at, sizeof address);
  if (address == 0) {
    printf("nothing");
    return;
  }
  object = H5Rdereference2(file_, H5P_DEFAULT, H5R_OBJECT, at);
  memset(&info, 0, sizeof info);
  if (object < 0 || H5Oget_info(object, &info) < 0) printf("no object");
  for (int i = 0; i < kKept; ++i)
    if (object >= 0 && info.addr == kept_[i]) printf("k%d", i);
  if (object >= 0) H5Oclose(object);
}

static void print_value(hid_t type, const unsigned char* at);

static void print_bytes(const unsigned char* at, size_t size) {
  for (size_t i = 0; i < size; ++i) printf("%02x", at[i]);
}

static void print_float(const unsigned char* at, size_t size) {
  float narrow = 0;
  double value = 0;
  long double wide = 0;
  if (size == sizeof narrow) memcpy(&narrow, at, size), value = narrow;
  if (size == sizeof value) memcpy(&value, at, size);
  if (size == sizeof wide) memcpy(&wide, at, size), value = (double)wide;
  printf("%.17g", value);
}

static void print_string(hid_t type, const unsigned char* at) {
  char* text;
  if (H5Tis_variable_str(type) <= 0) {
    printf("'%.*s'", (int)H5Tget_size(type), (const char*)at);
    return;
  }
  memcpy(&text, at, sizeof text);
  printf(text == NULL ? "null" : "\"%s\"", text);
}

static void print_list(hid_t type, size_t count, const unsigned char* at) {
  const size_t size = H5Tget_size(type);
  printf("[");
  for (size_t i = 0; i < count; ++i) {
    if (i > 0) printf(" ");
    print_value(type, at + i * size);
  }
  printf("]");
}

static void print_parts(hid_t type, const unsigned char* at) {
  printf("{");
  for (int i = 0, n = H5Tget_nmembers(type); i < n; ++i) {
    const hid_t part = H5Tget_member_type(type, (unsigned)i);
    print_value(part, at + H5Tget_member_offset(type, (unsigned)i));
    printf("%s", i + 1 < n ? " " : "}");
    H5Tclose(part);
  }
}

static void print_value(hid_t type, const unsigned char* at) {
  const size_t size = H5Tget_size(type);
  const H5T_class_t kind = H5Tget_class(type);
  hvl_t all = {0, NULL};
  hid_t base;
  switch (kind) {
    case H5T_FLOAT: print_float(at, size); break;
    case H5T_STRING: print_string(type, at); break;
    case H5T_COMPOUND: print_parts(type, at); break;
    case H5T_REFERENCE: print_reference(at); break;
    case H5T_VLEN:
    case H5T_ARRAY:
      base = H5Tget_super(type);
      if (kind == H5T_VLEN) memcpy(&all, at, sizeof all);
      if (kind == H5T_VLEN)
        print_list(base, all.len, all.p);
      else
        print_list(base, size / H5Tget_size(base), at);
      H5Tclose(base);
      break;
    default: print_bytes(at, size); break;
  }
}

void print_values(hid_t type, size_t count, const void* values) {
  print_list(type, count, values);
  printf("\n");
}
