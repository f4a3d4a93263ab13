/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/*
 * H5Tfind, H5Tcompiler_conv and H5Tconvert of every pair of some eighty types of all classes, sizes, byte orders,
 * offsets and paddings: a line each, with a hash of the converted bytes. The same is wanted of libpcio and of
 * libhdf5, but where libhdf5 1.10.8 is wrong (left_out says how).
 *
 *   conversion_matrix SEED [FROM TO]     with two names: the elements of this pair
 */
#include <hdf5.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ELEMENTS 60
#define MOST 128

typedef struct {
  hid_t id;
  char name[40];
  int custom; /* a floating-point type that no machine has */
  int points; /* to memory of its own */
} type_t;
static type_t types[MOST];
static int type_count;
static uint64_t state;

static uint64_t next_random(void) {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return state;
}

static type_t *add(hid_t id, const char *name) {
  type_t *type = &types[type_count++];
  if (id < 0) printf("%s can't be made\n", name);
  type->id = id;
  snprintf(type->name, sizeof type->name, "%s", name);
  return type;
}

typedef struct {
  size_t size, precision, offset;
  int is_signed, big, low, high; /* padding */
} bits_t;

static void add_bits(H5T_class_t cls, bits_t b) {
  char name[80];
  hid_t t = H5Tcopy(cls == H5T_BITFIELD ? H5T_STD_B8LE : H5T_STD_I8LE);
  int bad = H5Tset_size(t, b.size) < 0;
  bad |= H5Tset_order(t, b.big ? H5T_ORDER_BE : H5T_ORDER_LE) < 0 ||
         H5Tset_precision(t, b.precision) < 0;
  bad |= H5Tset_offset(t, b.offset) < 0 || H5Tset_pad(t, (H5T_pad_t)b.low, (H5T_pad_t)b.high) < 0;
  if (cls == H5T_INTEGER) bad |= H5Tset_sign(t, b.is_signed ? H5T_SGN_2 : H5T_SGN_NONE) < 0;
  snprintf(name, sizeof name, "%s%d.%d@%d%s.%d%d",
           cls == H5T_BITFIELD ? "bits"
           : b.is_signed       ? "int"
                               : "uint",
           (int)b.size, (int)b.precision, (int)b.offset, b.big ? "be" : "le", b.low, b.high);
  add(bad ? -1 : t, name);
}

static void add_integers(void) {
  static const size_t sizes[] = {1, 2, 4, 8, 3, 5, 16, 17, 20, 32, 64};
  static const bits_t odd[] = {
      {4, 17, 0, 1, 0, 0, 0},    {4, 17, 6, 1, 0, 0, 1},   {4, 17, 6, 0, 1, 1, 2},
      {8, 33, 11, 1, 1, 1, 0},   {8, 64, 0, 1, 0, 2, 2},   {2, 9, 3, 1, 0, 2, 1},
      {24, 150, 9, 1, 0, 0, 1},  {24, 150, 9, 0, 1, 1, 0}, {20, 130, 0, 1, 0, 0, 2},
      {40, 128, 70, 1, 0, 1, 1}, {1, 1, 0, 0, 0, 0, 0},    {1, 1, 3, 1, 0, 0, 0}};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
    for (int k = 0; k < 4; ++k)
      if (k < 2 || i < 4 || sizes[i] == 16 || sizes[i] == 20)
        add_bits(H5T_INTEGER, (bits_t){sizes[i], 8 * sizes[i], 0, k % 2, k / 2, 0, 0});
  for (size_t i = 0; i < sizeof odd / sizeof *odd; ++i) add_bits(H5T_INTEGER, odd[i]);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
    if (sizes[i] % 2 == 0 || sizes[i] == 1)
      add_bits(H5T_BITFIELD, (bits_t){sizes[i], 8 * sizes[i], 0, 0, i % 2 == 1, 0, 0});
  add_bits(H5T_BITFIELD, (bits_t){4, 17, 6, 0, 0, 0, 1});
  add_bits(H5T_BITFIELD, (bits_t){24, 150, 9, 0, 1, 1, 0});
}

static hid_t small_float(size_t exponent, size_t mantissa, H5T_order_t order) {
  hid_t t = H5Tcopy(H5T_IEEE_F32LE);
  H5Tset_fields(t, 15, mantissa, exponent, 0, mantissa);
  H5Tset_precision(t, 16), H5Tset_size(t, 2);
  H5Tset_ebias(t, ((size_t)1 << (exponent - 1)) - 1), H5Tset_order(t, order);
  return t;
}

static void add_floats(void) {
  add(H5T_IEEE_F32LE, "f32le"), add(H5T_IEEE_F32BE, "f32be");
  add(H5T_IEEE_F64LE, "f64le"), add(H5T_IEEE_F64BE, "f64be");
  add(H5T_VAX_F32, "vax32"), add(H5T_VAX_F64, "vax64");
  add(small_float(5, 10, H5T_ORDER_LE), "half")->custom = 1;
  add(small_float(5, 10, H5T_ORDER_BE), "half big")->custom = 1;
  add(small_float(8, 7, H5T_ORDER_LE), "bf16")->custom = 1;
}

static void add_texts(void) {
  char name[20];
  for (int pad = 0; pad < 3; ++pad)
    for (int size = 1; size <= 9; size += 4) {
      hid_t t = H5Tcopy(H5T_C_S1);
      H5Tset_size(t, (size_t)size), H5Tset_strpad(t, (H5T_str_t)pad);
      snprintf(name, sizeof name, "text%d.%d", size, pad);
      add(t, name);
    }
  hid_t t = H5Tcopy(H5T_C_S1);
  H5Tset_size(t, H5T_VARIABLE);
  add(t, "any text")->points = 1;
}

static const char *const names[] = {"red", "green", "blue", "black", "white"};

static void add_enumerations(void) {
  hid_t bases[] = {H5T_STD_I16LE, H5T_STD_I32BE, H5T_STD_U8LE, H5T_STD_I64LE};
  for (int i = 0; i < 6; ++i) {
    hid_t base = bases[i % 4], t = H5Tenum_create(base);
    for (int k = 0; k < (i == 4 ? 3 : 5); ++k) {
      unsigned char value[8] = {0};
      int64_t number = i == 5 ? 100 - 7 * k : 3 * k + 1;
      memcpy(value, &number, sizeof number);
      H5Tconvert(H5T_STD_I64LE, base, 1, value, NULL, H5P_DEFAULT);
      H5Tenum_insert(t, names[i == 5 ? 4 - k : k], value);
    }
    char name[20];
    snprintf(name, sizeof name, "enum%d", i);
    add(t, name);
  }
}

static void add_compounds(void) {
  hid_t text = H5Tcopy(H5T_C_S1), t = H5Tcreate(H5T_COMPOUND, 12);
  hsize_t two = 2, three = 3, row[2] = {1, 2};
  H5Tset_size(text, 4);
  H5Tinsert(t, "a", 0, H5T_STD_I32LE), H5Tinsert(t, "b", 4, H5T_IEEE_F64LE);
  add(t, "compound ab");
  t = H5Tcreate(H5T_COMPOUND, 16);
  H5Tinsert(t, "b", 0, H5T_IEEE_F64BE), H5Tinsert(t, "a", 8, H5T_STD_I16LE);
  add(t, "compound ba");
  t = H5Tcreate(H5T_COMPOUND, 4);
  H5Tinsert(t, "z", 0, H5T_STD_I32LE);
  add(t, "compound z");
  t = H5Tcreate(H5T_COMPOUND, 8);
  H5Tinsert(t, "a", 0, text), H5Tinsert(t, "c", 4, H5T_IEEE_F32LE);
  add(t, "compound text");
  add(H5Tarray_create2(H5T_STD_I32LE, 1, &two), "2 int"),
      add(H5Tarray_create2(H5T_STD_I32LE, 1, &three), "3 int");
  add(H5Tarray_create2(H5T_IEEE_F64BE, 1, &two), "2 float"),
      add(H5Tarray_create2(H5T_STD_I32LE, 2, row), "1x2 int");
  add(H5Tvlen_create(H5T_STD_I32LE), "any int")->points = 1;
  add(H5Tvlen_create(H5T_IEEE_F64LE), "any float")->points = 1;
}

static void add_others(void) {
  for (int i = 0; i < 4; ++i) {
    hid_t t = H5Tcreate(H5T_OPAQUE, i == 2 ? 8 : 4);
    if (i != 3) H5Tset_tag(t, i == 1 ? "b" : "a");
    add(t, i == 0 ? "opaque a" : i == 1 ? "opaque b" : i == 2 ? "opaque wide" : "opaque");
  }
  add(H5T_UNIX_D32LE, "time32"), add(H5T_UNIX_D64LE, "time64");
  add(H5T_STD_REF_OBJ, "object"), add(H5T_STD_REF_DSETREG, "region");
}

static size_t precision_of(hid_t t) {
  return H5Tget_class(t) == H5T_INTEGER ? H5Tget_precision(t) : 0;
}

/* What libhdf5 1.10.8 does wrong. */
static int left_out(const type_t *from, const type_t *to) {
  const H5T_class_t a = H5Tget_class(from->id), b = H5Tget_class(to->id);
  /* It crashes. */
  if (b == H5T_FLOAT && precision_of(from->id) >= 128) return 1;
  /* Numbers too large become NaNs, and a carry of small ones is lost. */
  if (b == H5T_FLOAT && (a == H5T_INTEGER || a == H5T_FLOAT) && to->custom) return 1;
  /* Negative numbers have bytes of other things in them where the integer is much wider than the mantissa. */
  if (a == H5T_FLOAT && b == H5T_INTEGER && (from->custom || precision_of(to->id) > 300)) return 1;
  return 0;
}

static void fill_element(const type_t *type, int number, unsigned char *element) {
  const size_t size = H5Tget_size(type->id);
  const H5T_class_t cls = H5Tget_class(type->id);
  const int big = H5Tget_order(type->id) == H5T_ORDER_BE;
  for (size_t i = 0; i < size; ++i) element[i] = (unsigned char)next_random();
  if (cls == H5T_ENUM) {
    /* By name: conversions of libhdf5 number the members of its types anew. */
    H5Tenum_valueof(type->id, names[next_random() % (uint64_t)H5Tget_nmembers(type->id)], element);
    if (number % 16 == 15) element[0] ^= 0x40;
    return;
  }
  if (cls == H5T_STRING) {
    for (size_t i = 0; i < size; ++i)
      element[i] = (unsigned char)"abcde \0\0 f"[next_random() % 10];
    return;
  }
  if (number % 6 == 1) { /* small */
    memset(element, next_random() % 2 ? 0xff : 0, size);
    element[big ? size - 1 : 0] = (unsigned char)next_random();
  }
  if (number % 6 == 2) { /* near a power of two */
    memset(element, next_random() % 2 ? 0xff : 0, size);
    element[next_random() % size] ^= (unsigned char)(1 << next_random() % 8);
  }
  if (number % 6 == 3) memset(element, 0, next_random() % (size + 1));
  if (number % 6 == 4) memset(element, number % 4 ? 0xff : 0, size);
  if (cls != H5T_FLOAT) return;
  if (number % 6 == 5) {
    double value = (double)(int64_t)next_random() / (double)((uint64_t)1 << next_random() % 62);
    unsigned char bytes[64];
    memcpy(bytes, &value, sizeof value);
    H5Tconvert(H5T_NATIVE_DOUBLE, type->id, 1, bytes, NULL, H5P_DEFAULT);
    memcpy(element, bytes, size);
  }
  /* libhdf5 loses the carry of a mantissa that is all ones. */
  size_t sign, exponent, exponent_size, mantissa, bits;
  H5Tget_fields(type->id, &sign, &exponent, &exponent_size, &mantissa, &bits);
  size_t bit = mantissa + bits - 1;
  if (H5Tget_order(type->id) == H5T_ORDER_VAX) {
    for (size_t i = 0; i < size; ++i) element[i] &= 0xdf;
    return;
  }
  /* It takes 2^63 for a number that fits 64 bits. */
  if (number % 6 == 3) element[big ? size - 1 : 0] |= 1;
  if (big) bit = 8 * (size - 1 - bit / 8) + bit % 8;
  element[bit / 8] &= (unsigned char)~(1 << bit % 8);
}

static void convert_pair(const type_t *from, const type_t *to, uint64_t seed, int show) {
  static unsigned char source[ELEMENTS * 128], buffer[ELEMENTS * 128], background[ELEMENTS * 128];
  const size_t in = H5Tget_size(from->id), out = H5Tget_size(to->id);
  const int points = from->points || to->points;
  uint64_t hash = 1469598103934665603u;
  state = 88172645463325252u + 1000003 * (seed + (uint64_t)(from - types));
  memset(source, 0, sizeof source), memset(buffer, 0x5a, sizeof buffer);
  for (int i = 0; i < ELEMENTS && !points; ++i) fill_element(from, i, source + (size_t)i * in);
  memcpy(buffer, source, ELEMENTS * in);
  for (size_t i = 0; i < sizeof background; ++i) background[i] = (unsigned char)(7 * i + 3);
  H5T_cdata_t *data = NULL;
  const int found = H5Tfind(from->id, to->id, &data) != NULL;
  const int hard = (int)H5Tcompiler_conv(from->id, to->id);
  const int done = (int)H5Tconvert(from->id, to->id, ELEMENTS, buffer, background, H5P_DEFAULT);
  for (size_t i = 0; i < ELEMENTS * out && done >= 0 && !points; ++i)
    hash = (hash ^ buffer[i]) * 1099511628211u;
  printf("%s -> %s: found %d, hard %d, converted %d, %016llx\n", from->name, to->name, found, hard,
         done, (unsigned long long)hash);
  for (size_t i = 0; i < ELEMENTS && show; ++i) {
    for (size_t k = 0; k < in; ++k) printf("%02x", source[i * in + k]);
    printf(" -> ");
    for (size_t k = 0; k < out; ++k) printf("%02x", buffer[i * out + k]);
    printf("\n");
  }
}

int main(int argc, char **argv) {
  const uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  add_integers(), add_floats(), add_texts(), add_enumerations(), add_compounds(), add_others();
  for (int i = 0; i < type_count; ++i)
    for (int k = 0; k < type_count; ++k) {
      if (argc > 3 && (strcmp(types[i].name, argv[2]) != 0 || strcmp(types[k].name, argv[3]) != 0))
        continue;
      if (!left_out(&types[i], &types[k])) convert_pair(&types[i], &types[k], seed, argc > 3);
    }
  return 0;
}
