// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Texts of types, all kinds and random ones, written and read back; prints them. Built against libpcio_hl and against
// libhdf5_hl by lite.sh. libhdf5_hl writes enumeration values wider than 32 bits wrongly, crashes on enumerations
// without members, and does not read references, bit fields, negative numbers: these are left out, or with a third
// argument asked of libpcio_hl only. The last line tells how many types of each class there were.
#include <hdf5.h>
#include <hdf5_hl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static void show(const char* w, hid_t t) {
  size_t n = 0;
  herr_t r = H5LTdtype_to_text(t, NULL, H5LT_DDL, &n);
  char* s = calloc(1, n + 10);
  herr_t q = H5LTdtype_to_text(t, s, H5LT_DDL, &n);
  printf("%s: %d %zu %d [%s]\n", w, r, n, q, s);
  if (n > 6) {
    memset(s, 'Z', n + 9);
    size_t k = 5;
    q = H5LTdtype_to_text(t, s, H5LT_DDL, &k);
    s[9] = 0;
    printf("   short: %d %zu [%s]\n", q, k, s);
  }
  free(s);
}

static unsigned long long state;
static unsigned below(unsigned end) {
  state = state * 6364136223846793005ULL + 1442695040888963407ULL;
  return (unsigned)((state >> 33) % end);
}
static long counts[H5T_NCLASSES];
static long failures;
static int only_ours;
static hid_t random_type(int depth) {
  static const int kClasses[] = {0, 1, 3, 5, 6, 8, 9, 10, 7, 4};
  int cls = kClasses[below(only_ours ? 10 : 8)];
  hid_t t, b;
  char name[40];
  if (depth <= 0) cls = kClasses[below(3)];
  counts[cls]++;
  switch (cls) {
    case 0: {
      hid_t all[] = {H5T_STD_I8LE,  H5T_STD_I8BE,  H5T_STD_I16LE, H5T_STD_I16BE,
                     H5T_STD_I32LE, H5T_STD_I32BE, H5T_STD_I64LE, H5T_STD_I64BE,
                     H5T_STD_U8LE,  H5T_STD_U8BE,  H5T_STD_U16LE, H5T_STD_U16BE,
                     H5T_STD_U32LE, H5T_STD_U32BE, H5T_STD_U64LE, H5T_STD_U64BE};
      return H5Tcopy(all[below(16)]);
    }
    case 1: {
      hid_t all[] = {H5T_IEEE_F32LE, H5T_IEEE_F32BE, H5T_IEEE_F64LE, H5T_IEEE_F64BE};
      return H5Tcopy(all[below(4)]);
    }
    case 3:
      t = H5Tcopy(H5T_C_S1);
      H5Tset_size(t, below(3) ? below(30) + 1 : H5T_VARIABLE);
      H5Tset_strpad(t, (H5T_str_t)below(3));
      H5Tset_cset(t, (H5T_cset_t)below(2));
      return t;
    case 4: {
      hid_t all[] = {H5T_STD_B8LE, H5T_STD_B16BE, H5T_STD_B32LE};
      return H5Tcopy(all[below(3)]);
    }
    case 5:
      t = H5Tcreate(H5T_OPAQUE, below(90) + 1);
      sprintf(name, "tag %u", below(99));
      H5Tset_tag(t, name);
      return t;
    case 6: {
      unsigned n = below(4) + 1;
      size_t at = 0, sizes[4], offs[4];
      hid_t ms[4];
      for (unsigned i = 0; i < n; i++) {
        ms[i] = random_type(depth - 1);
        sizes[i] = H5Tget_size(ms[i]);
        offs[i] = at += below(5);
        at += sizes[i];
      }
      t = H5Tcreate(H5T_COMPOUND, at);
      for (unsigned i = 0; i < n; i++) {
        sprintf(name, "m%u of %u", i, below(9));
        H5Tinsert(t, name, offs[i], ms[i]);
        H5Tclose(ms[i]);
      }
      return t;
    }
    case 7: return H5Tcopy(below(2) ? H5T_STD_REF_OBJ : H5T_STD_REF_DSETREG);
    case 8: {
      t = H5Tenum_create(H5T_STD_I32BE);
      unsigned n = below(5) + 1;
      for (unsigned i = 0; i < n; i++) {
        int v = (int)(i * 7 + below(7));
        if (only_ours && below(2)) v = -v - 1;
        unsigned char be[4] = {(unsigned char)(v >> 24), (unsigned char)(v >> 16),
                               (unsigned char)(v >> 8), (unsigned char)v};
        sprintf(name, "%.*s%u", (int)below(20), "abcdefghijklmnopqrstuvwxyz", i);
        H5Tenum_insert(t, name, be);
      }
      return t;
    }
    case 9:
      b = random_type(depth - 1);
      t = H5Tvlen_create(b);
      H5Tclose(b);
      return t;
    default: {
      hsize_t dims[3];
      unsigned n = below(3) + 1;
      for (unsigned i = 0; i < n; i++) dims[i] = below(9) + 1;
      b = random_type(depth - 1);
      t = H5Tarray_create2(b, n, dims);
      H5Tclose(b);
      return t;
    }
  }
}
static char* text_of(hid_t t) {
  size_t n = 0;
  if (H5LTdtype_to_text(t, NULL, H5LT_DDL, &n) < 0) return NULL;
  char* s = (char*)calloc(1, n);
  H5LTdtype_to_text(t, s, H5LT_DDL, &n);
  return s;
}
/* Bit fields are written as a word that nothing reads. */
static int reads_back(const char* s) { return !strstr(s, "undefined"); }
static void random_types(unsigned long long seed, int cases) {
  for (int i = 0; i < cases; i++) {
    state = seed * 1000003ULL + (unsigned)i;
    hid_t t = random_type(3);
    char* s = text_of(t);
    if (!s) {
      failures++;
      H5Tclose(t);
      continue;
    }
    if (!only_ours) printf("%s\n", s);
    if (reads_back(s)) {
      hid_t back = H5LTtext_to_dtype(s, H5LT_DDL);
      char* again = back < 0 ? NULL : text_of(back);
      if (!again || strcmp(s, again) || H5Tequal(t, back) <= 0) {
        failures++;
        printf("seed %llu, case %d is not the same again: %s\n", seed, i, s);
      }
      free(again);
      if (back >= 0) H5Tclose(back);
    }
    free(s);
    H5Tclose(t);
  }
  printf(
      "types: seed %llu, %d cases; integer %ld, float %ld, string %ld, bitfield %ld, opaque %ld, "
      "compound %ld, reference %ld, enum %ld, vlen %ld, array %ld; %ld failures\n",
      seed, cases, counts[0], counts[1], counts[3], counts[4], counts[5], counts[6], counts[7],
      counts[8], counts[9], counts[10], failures);
  for (int c = 0; c <= 10; c++)
    if (c != 2 && counts[c] == 0 && (only_ours || (c != 4 && c != 7))) failures++;
}
static void refused(const char* s) {
  if (H5LTtext_to_dtype(s, H5LT_DDL) >= 0 || H5Eget_num(H5E_DEFAULT) < 1) {
    failures++;
    printf("not refused: %s\n", s);
  }
}
static void texts(void) {
  static const char* const wrong[] = {
      "",
      "   ",
      "garbage",
      "h5t_std_i32le",
      "H5T_STRING { STRSIZE 13; }",
      "H5T_STRING { STRSIZE 0; STRPAD H5T_STR_NULLTERM; CSET H5T_CSET_ASCII; CTYPE H5T_C_S1; }",
      ("H5T_STRING { STRSIZE 99999999999999999999; STRPAD H5T_STR_NULLTERM; CSET H5T_CSET_ASCII; "
       "CTYPE H5T_C_S1; }"),
      "H5T_STRING { STRSIZE 4; STRPAD X; CSET H5T_CSET_ASCII; CTYPE H5T_C_S1; }",
      "H5T_STRING { STRSIZE 4; STRPAD H5T_STR_NULLPAD; CSET X; CTYPE H5T_C_S1; }",
      "H5T_STRING { STRSIZE 4; STRPAD H5T_STR_NULLPAD; CSET H5T_CSET_ASCII; CTYPE X; }",
      "H5T_OPAQUE { OPQ_SIZE 19; }",
      "H5T_OPAQUE { OPQ_SIZE 1; OPQ_TAG \"x; }",
      "H5T_COMPOUND { H5T_STD_I8LE one; }",
      "H5T_COMPOUND { H5T_STD_I8LE \"a\"",
      "H5T_COMPOUND { H5T_STD_I8LE \"a\" : 18446744073709551615; }",
      "H5T_COMPOUND { H5T_STD_I8LE \"a\"; H5T_STD_I8LE \"a\"; }",
      "H5T_COMPOUND { H5T_STD_I32LE \"a\" : 0; H5T_STD_I8LE \"b\" : 1; }",
      "H5T_ARRAY { H5T_STD_I8LE }",
      "H5T_ARRAY { [0] H5T_STD_I8LE }",
      "H5T_ARRAY { [x] H5T_STD_I8LE }",
      "H5T_VLEN { }",
      "H5T_VLEN { H5T_STD_I8LE ",
      "H5T_ENUM { H5T_STD_U8LE; \"a\" 256; }",
      "H5T_ENUM { H5T_STD_U8LE; \"a\" -1; }",
      "H5T_ENUM { H5T_STD_I8LE; \"a\" 128; }",
      "H5T_ENUM { H5T_STD_I8LE; \"a\" 1; \"b\" 1; }",
      "H5T_ENUM { H5T_IEEE_F32LE; \"a\" 1; }",
      "H5T_REFERENCE { H5T_STD_I8LE }",
      "H5T_TIME: not yet implemented"};
  static const char* const good[] = {
      "H5T_NATIVE_INT",
      " H5T_NATIVE_LLONG\n",
      "H5T_STD_I32LE H5T_STD_I8LE",
      "H5T_COMPOUND { }",
      "H5T_ENUM { H5T_STD_I8LE; \"a\" -128; \"b\" 127; }",
      "H5T_ENUM { H5T_STD_I64BE; \"a\" -123456789012345; }",
      "H5T_ENUM { H5T_STD_U64LE; \"a\" 18446744073709551615; }",
      "H5T_ENUM { H5T_STD_I16LE; }",
      "H5T_STD_B16BE",
      "H5T_STRING{STRSIZE 5;STRPAD H5T_STR_NULLTERM;CSET H5T_CSET_ASCII;CTYPE H5T_FORTRAN_S1;}"};
  for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) refused(wrong[i]);
  for (unsigned i = 0; i < sizeof good / sizeof *good; i++) {
    hid_t t = H5LTtext_to_dtype(good[i], H5LT_DDL);
    if (t < 0) {
      failures++;
      printf("refused: %s\n", good[i]);
    } else
      H5Tclose(t);
  }
  hid_t e = H5LTtext_to_dtype(good[5], H5LT_DDL);
  char* s = text_of(e);
  if (!s || !strstr(s, "-123456789012345;")) failures++;
  free(s);
  H5Tclose(e);
  char* deep = (char*)malloc(200000);
  deep[0] = 0;
  size_t n = 0;
  for (int i = 0; i < 10000; i++) n += (size_t)sprintf(deep + n, "H5T_VLEN { ");
  refused(deep);
  free(deep);
}
static void kinds(void) {
  show("int", H5T_NATIVE_INT);
  show("char", H5T_NATIVE_CHAR);
  show("schar", H5T_NATIVE_SCHAR);
  show("ldouble", H5T_NATIVE_LDOUBLE);
  show("i64be", H5T_STD_I64BE);
  show("u8", H5T_STD_U8LE);
  show("u8be", H5T_STD_U8BE);
  show("f32be", H5T_IEEE_F32BE);
  show("f64", H5T_IEEE_F64LE);
  show("vaxf", H5T_VAX_F32);
  show("b8", H5T_STD_B8LE);
  show("b32be", H5T_STD_B32BE);
  show("ref", H5T_STD_REF_OBJ);
  show("regref", H5T_STD_REF_DSETREG);
  show("c_s1", H5T_C_S1);
  show("fort", H5T_FORTRAN_S1);
  show("time", H5T_UNIX_D32LE);
  show("llong", H5T_NATIVE_LLONG);
  show("hsize", H5T_NATIVE_HSIZE);
  show("hbool", H5T_NATIVE_HBOOL);
  hid_t t = H5Tcopy(H5T_STD_I32LE);
  H5Tset_precision(t, 20);
  show("prec", t);
  t = H5Tcopy(H5T_STD_I32LE);
  H5Tset_size(t, 3);
  show("3bytes", t);
  t = H5Tcopy(H5T_STD_I32LE);
  H5Tset_size(t, 16);
  show("i128", t);
  t = H5Tcopy(H5T_NATIVE_FLOAT);
  H5Tset_size(t, 8);
  show("odd float", t);
  t = H5Tcopy(H5T_STD_B32LE);
  H5Tset_precision(t, 5);
  show("b5", t);
  t = H5Tcopy(H5T_C_S1);
  H5Tset_size(t, 17);
  H5Tset_strpad(t, H5T_STR_SPACEPAD);
  H5Tset_cset(t, H5T_CSET_UTF8);
  show("str", t);
  t = H5Tcopy(H5T_C_S1);
  H5Tset_size(t, H5T_VARIABLE);
  show("vlstr", t);
  H5Tset_strpad(t, H5T_STR_NULLPAD);
  show("vlstr np", t);
  t = H5Tcopy(H5T_FORTRAN_S1);
  H5Tset_size(t, 4);
  show("f4", t);
  t = H5Tcreate(H5T_OPAQUE, 19);
  H5Tset_tag(t, "my \"tag\"");
  show("opaque", t);
  hid_t c = H5Tcreate(H5T_COMPOUND, 40);
  H5Tinsert(c, "a b", 0, H5T_STD_I32LE);
  H5Tinsert(c, "q\"x\\n", 8, H5T_IEEE_F64BE);
  hid_t in = H5Tcreate(H5T_COMPOUND, 8);
  H5Tinsert(in, "x", 0, H5T_STD_U16LE);
  hsize_t d[3] = {2, 1, 3};
  hid_t ar = H5Tarray_create2(H5T_STD_I8LE, 1, d);
  H5Tinsert(in, "ar", 2, ar);
  H5Tinsert(c, "in", 16, in);
  H5Tinsert(c, "z", 24, H5T_STD_REF_OBJ);
  show("compound", c);
  t = H5Tarray_create2(c, 3, d);
  show("array of compound", t);
  t = H5Tvlen_create(H5T_STD_I32BE);
  show("vlen", t);
  t = H5Tvlen_create(in);
  show("vlen of compound", t);
  t = H5Tvlen_create(t);
  show("vlen vlen", t);
  hid_t e = H5Tenum_create(H5T_STD_I16LE);
  short v = 1;
  H5Tenum_insert(e, "RED", &v);
  v = -5;
  H5Tenum_insert(e, "very long name of green", &v);
  v = 300;
  H5Tenum_insert(e, "b\"l", &v);
  show("enum", e);
  e = H5Tenum_create(H5T_STD_U8BE);
  unsigned char uc = 200;
  H5Tenum_insert(e, "X", &uc);
  show("enum u8", e);
  e = H5Tenum_create(H5T_STD_I64LE);
  long long ll = -1234567;
  H5Tenum_insert(e, "BIG", &ll);
  show("enum i64", e);
  e = H5Tenum_create(H5T_STD_I32LE);
  int iv = 7;
  H5Tenum_insert(e, "A", &iv);
  iv = 2000000000;
  H5Tenum_insert(e, "exactly_16_chars", &iv);
  iv = 5;
  H5Tenum_insert(e, "fourteen_chars", &iv);
  iv = 6;
  H5Tenum_insert(e, "thirteen_char", &iv);
  show("e16", e);
  hid_t cc = H5Tcreate(H5T_COMPOUND, 200);
  hid_t s5 = H5Tcopy(H5T_C_S1);
  H5Tset_size(s5, 5);
  H5Tinsert(cc, "s", 4, s5);
  hid_t op = H5Tcreate(H5T_OPAQUE, 3);
  H5Tset_tag(op, "tg");
  H5Tinsert(cc, "o", 12, op);
  H5Tinsert(cc, "v", 32, H5Tvlen_create(s5));
  H5Tinsert(cc, "as", 64, H5Tarray_create2(s5, 1, d));
  H5Tinsert(cc, "ae", 100, H5Tarray_create2(e, 1, d));
  H5Tinsert(cc, "vo", 140, H5Tvlen_create(op));
  H5Tinsert(cc, "t", 160, H5T_UNIX_D32LE);
  H5Tinsert(cc, "rr", 164, H5T_STD_REF_DSETREG);
  H5Tinsert(cc, "b", 188, H5T_STD_B8LE);
  H5Tinsert(cc, "e", 0, e);
  show("compound enum", cc);
  size_t n = 77;
  printf("C: %d\n", H5LTdtype_to_text(H5T_NATIVE_INT, NULL, H5LT_C, &n));
  printf("F: %d\n", H5LTdtype_to_text(H5T_NATIVE_INT, NULL, H5LT_FORTRAN, &n));
  printf("no: %d\n", H5LTdtype_to_text(H5T_NATIVE_INT, NULL, H5LT_NO_LANG, &n));
  printf("bad id %d\n", H5LTdtype_to_text(5, NULL, H5LT_DDL, &n));
  printf("space id %d\n", H5LTdtype_to_text(H5Screate(H5S_SCALAR), NULL, H5LT_DDL, &n));
  char b[100];
  n = 100;
  memset(b, 0, 100);
  printf("zero len: %d\n", (n = 0, H5LTdtype_to_text(H5T_NATIVE_INT, b, H5LT_DDL, &n)));
  printf("[%s] %zu\n", b, n);
  n = 12;
  memset(b, 'Q', 99);
  b[99] = 0;
  printf("exact-1: %d", H5LTdtype_to_text(H5T_NATIVE_INT, b, H5LT_DDL, &n));
  printf(" [%s] %zu\n", b, n);
}
int main(int argc, char** argv) {
  if (argc < 3) return 2;
  setvbuf(stdout, NULL, _IONBF, 0);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  only_ours = argc > 3;
  unsigned long long seed = strtoull(argv[1], NULL, 10);
  int cases = atoi(argv[2]);
  if (only_ours)
    texts();
  else
    kinds();
  random_types(seed, cases);
  return failures != 0;
}
