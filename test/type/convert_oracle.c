/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/*
 * Prints the results of random H5Tconvert calls, one per line:
 *   C <source type> <destination type> <elements> <input> <background> <status> <output>
 * Types are printed as H5Tencode gives them, everything in hexadecimal. Compiled against libhdf5 it
 * is the oracle; the replay program and the same source compiled against libpcio must agree.
 *
 * Usage: convert_oracle SEED COUNT [KIND]; KIND is one of the letters of kinds[] below.
 */

#include <hdf5.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state;

static uint64_t rnd(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state * UINT64_C(2685821657736338717);
}

static unsigned below(unsigned n) { return (unsigned)((rnd() >> 33) % n); }

static void print_hex(const unsigned char *p, size_t n) {
  size_t i;
  if (n == 0) putchar('-');
  for (i = 0; i < n; i++) printf("%02x", p[i]);
  putchar(' ');
}

static void print_type(hid_t type) {
  static unsigned char buf[4096];
  size_t n = 0;
  if (H5Tencode(type, NULL, &n) < 0 || n > sizeof buf || H5Tencode(type, buf, &n) < 0) n = 0;
  print_hex(buf, n);
}

/* ---- types ---------------------------------------------------------------------------------- */

static hid_t native_int(void) {
  switch (below(8)) {
    case 0: return H5Tcopy(H5T_NATIVE_SCHAR);
    case 1: return H5Tcopy(H5T_NATIVE_UCHAR);
    case 2: return H5Tcopy(H5T_NATIVE_SHORT);
    case 3: return H5Tcopy(H5T_NATIVE_USHORT);
    case 4: return H5Tcopy(H5T_NATIVE_INT);
    case 5: return H5Tcopy(H5T_NATIVE_UINT);
    case 6: return H5Tcopy(H5T_NATIVE_LONG);
    default: return H5Tcopy(H5T_NATIVE_ULONG);
  }
}

static hid_t std_int(void) {
  hid_t t = native_int();
  if (below(2)) H5Tset_order(t, H5T_ORDER_BE);
  return t;
}

static hid_t odd_int(void) {
  hid_t t = std_int();
  unsigned bits = 1 + below(64);
  H5Tset_precision(t, bits);
  if (below(2)) H5Tset_size(t, (bits + 7) / 8 + below(3));
  if (below(2)) {
    unsigned room = (unsigned)(8 * H5Tget_size(t) - H5Tget_precision(t));
    H5Tset_offset(t, below(room + 1));
  }
  if (below(3) == 0) H5Tset_pad(t, (H5T_pad_t)below(2), (H5T_pad_t)below(2));
  return t;
}

static hid_t any_int(void) {
  unsigned k = below(4);
  return k == 0 ? native_int() : k == 1 ? std_int() : odd_int();
}

static hid_t native_float(void) { return H5Tcopy(below(2) ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE); }

static hid_t std_float(void) {
  hid_t t = native_float();
  if (below(2)) H5Tset_order(t, H5T_ORDER_BE);
  return t;
}

/* Exponents of fewer than 8 bits are left to the conversions among floating-point types: to and from
   integers libhdf5 1.10.8 was seen to lose the sign, leading bits or the overflow of such numbers. */
static unsigned least_exponent = 8;

static hid_t odd_float(void) {
  hid_t t = H5Tcopy(H5T_IEEE_F64LE);
  unsigned esize = least_exponent + below(12 - least_exponent);
  unsigned msize = 4 + below(esize < 7 ? (1u << (esize - 1)) - 4 : 48);
  unsigned total = 1 + esize + msize;
  H5Tset_fields(t, total - 1, msize, esize, 0, msize);
  H5Tset_precision(t, total);
  H5Tset_size(t, (total + 7) / 8 + below(2));
  if (below(3) == 0) {
    unsigned room = (unsigned)(8 * H5Tget_size(t) - total);
    H5Tset_offset(t, below(room + 1));
  }
  H5Tset_ebias(t, ((size_t)1 << (esize - 1)) - 1);
  if (below(2)) H5Tset_order(t, H5T_ORDER_BE);
  if (below(4) == 0) H5Tset_pad(t, (H5T_pad_t)below(2), (H5T_pad_t)below(2));
  return t;
}

static hid_t any_float(void) { return below(2) ? std_float() : odd_float(); }

static hid_t any_string(void) {
  hid_t t = H5Tcopy(H5T_C_S1);
  H5Tset_size(t, 1 + below(9));
  H5Tset_strpad(t, (H5T_str_t)below(3));
  return t;
}

static hid_t any_bits(void) {
  hid_t t = H5Tcopy(below(2) ? H5T_STD_B32LE : H5T_STD_B16BE);
  if (below(2)) H5Tset_precision(t, 1 + below(40));
  if (below(2)) {
    unsigned room = (unsigned)(8 * H5Tget_size(t) - H5Tget_precision(t));
    H5Tset_offset(t, below(room + 1));
  }
  if (below(3) == 0) H5Tset_pad(t, (H5T_pad_t)below(2), (H5T_pad_t)below(2));
  return t;
}

static const char *const names[] = {"red", "green", "blue", "x", "y", "zebra", "a1", "b2"};

/* An enumeration of `n` of the names, starting at `first`, in a random integer type. */
static hid_t any_enum(unsigned first, unsigned n) {
  hid_t base = native_int();
  hid_t t;
  unsigned i;
  if (below(2)) H5Tset_order(base, H5T_ORDER_BE);
  t = H5Tenum_create(base);
  for (i = 0; i < n; i++) {
    unsigned char v[8];
    unsigned k;
    do {
      for (k = 0; k < 8; k++) v[k] = (unsigned char)(below(2) ? below(4) : below(256));
    } while (H5Tenum_insert(t, names[(first + i) % 8], v) < 0);
  }
  H5Tclose(base);
  return t;
}

static hid_t leaf(unsigned kind) {
  switch (kind) {
    case 0: return any_int();
    case 1: return any_float();
    case 2: return any_string();
    default: return std_int();
  }
}

static void any_pair(unsigned depth, hid_t *a, hid_t *b);

/* Every symbol of the first must be one of the second: libhdf5 1.10.8 was seen to crash later in a
   process in which such a conversion had failed. */
static void enum_pair(hid_t *a, hid_t *b) {
  unsigned first = below(8), n = 1 + below(4);
  *a = any_enum(first, n);
  *b = any_enum(first, n + below(3));
}

/* Two compounds that share some member names; members in random places. */
static void compound_pair(unsigned depth, hid_t *a, hid_t *b) {
  unsigned n = 1 + below(4), i;
  size_t at[2] = {0, 0};
  *a = H5Tcreate(H5T_COMPOUND, 2048);
  *b = H5Tcreate(H5T_COMPOUND, 2048);
  for (i = 0; i < n; i++) {
    hid_t x, y;
    unsigned where = below(8);
    any_pair(depth + 1, &x, &y);
    at[0] += below(3);
    at[1] += below(3);
    if (where != 0) {
      H5Tinsert(*a, names[i], at[0], x);
      at[0] += H5Tget_size(x);
    }
    if (where != 1) {
      H5Tinsert(*b, names[below(10) == 0 ? 7 - i : i], at[1], y);
      at[1] += H5Tget_size(y);
    }
    H5Tclose(x);
    H5Tclose(y);
  }
  if (H5Tget_nmembers(*a) == 0) H5Tinsert(*a, "q", at[0]++, H5T_NATIVE_SCHAR);
  if (H5Tget_nmembers(*b) == 0) H5Tinsert(*b, "q", at[1]++, H5T_NATIVE_SCHAR);
  H5Tset_size(*a, at[0] + below(3));
  H5Tset_size(*b, at[1] + below(3));
}

static void array_pair(unsigned depth, hid_t *a, hid_t *b) {
  hsize_t dims[2];
  unsigned n = 1 + below(2);
  hid_t x, y;
  dims[0] = 1 + below(3);
  dims[1] = 1 + below(3);
  any_pair(depth + 1, &x, &y);
  *a = H5Tarray_create2(x, n, dims);
  *b = H5Tarray_create2(y, n, dims);
  H5Tclose(x);
  H5Tclose(y);
}

static void any_pair(unsigned depth, hid_t *a, hid_t *b) {
  unsigned k = below(depth < 3 ? 9 : 6);
  if (k == 7) {
    array_pair(depth, a, b);
  } else if (k == 8) {
    compound_pair(depth, a, b);
  } else if (k == 4) {
    enum_pair(a, b);
  } else if (k == 5) {
    *a = H5Tcreate(H5T_OPAQUE, 1 + below(5));
    H5Tset_tag(*a, "tag");
    *b = H5Tcopy(*a);
  } else if (k == 2) {
    *a = any_string();
    *b = any_string();
  } else {
    *a = leaf(below(2));
    *b = leaf(below(2));
  }
}

static void choose(char kind, hid_t *a, hid_t *b) {
  switch (kind) {
    case 'n':
      *a = native_int();
      *b = native_int();
      break;
    case 'i':
      *a = any_int();
      *b = any_int();
      break;
    case 'f':
      *a = std_float();
      *b = std_float();
      break;
    case 'F':
      least_exponent = 5;
      *a = any_float();
      *b = any_float();
      break;
    case 'x':
      *a = native_int();
      *b = native_float();
      break;
    case 'X':
      *a = any_int();
      *b = any_float();
      break;
    case 'y':
      *a = native_float();
      *b = native_int();
      break;
    case 'Y':
      *a = any_float();
      *b = any_int();
      break;
    case 'l':
      *a = below(2) ? any_int() : any_float();
      *b = H5Tcopy(H5T_NATIVE_LDOUBLE);
      break;
    case 'L':
      *a = H5Tcopy(H5T_NATIVE_LDOUBLE);
      *b = below(2) ? any_int() : any_float();
      break;
    case 's':
      *a = any_string();
      *b = any_string();
      break;
    case 'b':
      *a = any_bits();
      *b = any_bits();
      break;
    case 'e': enum_pair(a, b); break;
    case 'j':
      *a = any_enum(below(2), 1 + below(4));
      *b = any_int();
      break;
    case 'c': compound_pair(0, a, b); break;
    default: any_pair(0, a, b); break;
  }
}

/* ---- values --------------------------------------------------------------------------------- */

static void fill(hid_t type, unsigned char *p);

/* 2^31, 2^32, 2^63 and 2^64 are just above the largest integers, but equal to these in a smaller
   floating-point type; what libhdf5 stores for them depends on the processor. */
static double off_the_edge(double d) {
  const double edges[] = {2147483648.0, 4294967296.0, 9223372036854775808.0,
                          18446744073709551616.0};
  int i;
  for (i = 0; i < 4; i++)
    if (d == edges[i] || (float)d == (float)edges[i]) return edges[i] * 1.5;
  return d;
}

/* Values near the edges of every native float: what random bits would hardly ever hit. */
static double special(void) {
  static const double list[] = {0,
                                1,
                                -1,
                                0.5,
                                -0.5,
                                1.5,
                                2.5,
                                127,
                                128,
                                -128,
                                -129,
                                255,
                                256,
                                32767,
                                32768,
                                -32768,
                                65535,
                                65536,
                                2147483647.0,
                                2147483648.0,
                                -2147483648.0,
                                4294967295.0,
                                4294967296.0,
                                9223372036854775807.0,
                                18446744073709551615.0,
                                -9223372036854775808.0,
                                1e30,
                                -1e30,
                                1e-40,
                                1e300,
                                -1e300,
                                1e-310,
                                3.4028234e38,
                                3.4028236e38,
                                3.5e38,
                                16777217.0,
                                0.1};
  double d = list[below(sizeof list / sizeof list[0])];
  if (below(4) == 0) d += (double)below(5) / 2 - 1;
  return off_the_edge(d);
}

/* libhdf5 1.10.8 was seen to store it in the wrong place where an integer has a bit offset. */
static int minus_infinity;

static void fill_float(hid_t type, unsigned char *p) {
  size_t i, n = H5Tget_size(type);
  unsigned k = below(8);
  float f;
  double d = special();
  if (n == 16) {
    long double l = d;
    if (k < 3) l = (long double)(int64_t)rnd() * (below(2) ? 1.0L : 0x1p-40L);
    memset(p, 0, 16);
    memcpy(p, &l, 10);
    return;
  }
  for (i = 0; i < n; i++) p[i] = (unsigned char)rnd();
  if (k == 0) memset(p, 0, n);
  if (k == 1) memset(p, 0xff, n);
  if (k >= 3 && H5Tget_order(type) == H5T_ORDER_LE) {
    f = (float)d;
    if (f < -3e38f && !minus_infinity) f = -2e38f;
    if (H5Tequal(type, H5T_IEEE_F32LE)) memcpy(p, &f, 4);
    if (H5Tequal(type, H5T_IEEE_F64LE)) memcpy(p, &d, 8);
  }
  if (k == 2 && n == 4 && H5Tequal(type, H5T_IEEE_F32LE)) {
    p[3] = 0x7f;
    p[2] = 0x80;
    p[1] = p[0] = 0;
  }
  if (k == 2 && n == 8 && H5Tequal(type, H5T_IEEE_F64LE)) {
    memset(p, 0, 8);
    p[7] = (unsigned char)(minus_infinity && below(2) ? 0xff : 0x7f);
    p[6] = 0xf0;
  }
}

static void fill_bytes(unsigned char *p, size_t n) {
  size_t i;
  unsigned k = below(6);
  for (i = 0; i < n; i++) p[i] = (unsigned char)rnd();
  if (k == 0) memset(p, 0, n);
  if (k == 1) memset(p, 0xff, n);
  if (k == 2) {
    memset(p, 0, n);
    p[below((unsigned)n)] = (unsigned char)rnd();
  }
  if (k == 3) {
    memset(p, 0xff, n);
    p[below(2) ? n - 1 : 0] = 0x7f;
  }
  if (k == 4) {
    memset(p, 0, n);
    p[below(2) ? n - 1 : 0] = 0x80;
  }
}

static void fill_string(unsigned char *p, size_t n) {
  size_t i;
  for (i = 0; i < n; i++)
    p[i] = (unsigned char)(below(6) == 0 ? 0 : below(3) == 0 ? ' ' : 'a' + below(26));
}

static void fill_enum(hid_t type, unsigned char *p) {
  if (below(5) == 0)
    fill_bytes(p, H5Tget_size(type));
  else
    H5Tget_member_value(type, below((unsigned)H5Tget_nmembers(type)), p);
}

static void fill(hid_t type, unsigned char *p) {
  size_t n = H5Tget_size(type), i;
  switch (H5Tget_class(type)) {
    case H5T_FLOAT: fill_float(type, p); break;
    case H5T_STRING: fill_string(p, n); break;
    case H5T_ENUM: fill_enum(type, p); break;
    case H5T_ARRAY: {
      hid_t base = H5Tget_super(type);
      size_t step = H5Tget_size(base);
      for (i = 0; i < n; i += step) fill(base, p + i);
      H5Tclose(base);
      break;
    }
    case H5T_COMPOUND: {
      int m;
      for (i = 0; i < n; i++) p[i] = (unsigned char)rnd();
      for (m = 0; m < H5Tget_nmembers(type); m++) {
        hid_t t = H5Tget_member_type(type, (unsigned)m);
        fill(t, p + H5Tget_member_offset(type, (unsigned)m));
        H5Tclose(t);
      }
      break;
    }
    default: fill_bytes(p, n); break;
  }
}

static void one(char kind) {
  static unsigned char buf[65536], in[65536], bkg[65536];
  hid_t a, b;
  size_t n = 1 + below(6), i, sa, sb;
  herr_t status;
  least_exponent = 8;
  minus_infinity = strchr("fFyl", kind) != NULL;
  choose(kind, &a, &b);
  sa = H5Tget_size(a);
  sb = H5Tget_size(b);
  memset(buf, 0, sizeof buf);
  for (i = 0; i < n; i++) fill(a, in + i * sa);
  for (i = 0; i < n * sb; i++) bkg[i] = (unsigned char)(0x40 + below(16));
  memcpy(buf, in, n * sa);
  printf("C ");
  print_type(a);
  print_type(b);
  printf("%u ", (unsigned)n);
  print_hex(in, n * sa);
  print_hex(bkg, n * sb);
  status = H5Tconvert(a, b, n, buf, bkg, H5P_DEFAULT);
  printf("%d ", status < 0 ? -1 : 0);
  print_hex(buf, status < 0 ? 0 : n * sb);
  printf("\n");
  H5Tclose(a);
  H5Tclose(b);
}

int main(int argc, char **argv) {
  static const char kinds[] = "nifFxXyYlLsbejcm";
  long count = argc > 2 ? atol(argv[2]) : 100, i;
  state = (uint64_t)(argc > 1 ? atol(argv[1]) : 1) * 2654435761u + 88172645463325252u;
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  for (i = 0; i < count; i++) one(argc > 3 ? argv[3][0] : kinds[below(sizeof kinds - 1)]);
  return 0;
}
