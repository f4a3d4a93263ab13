/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/*
 * Data transforms through H5Dwrite and H5Dread: transform_oracle SEED COUNT prints one line for each
 * random expression, memory type and file type. Compiled against libpcio and against libhdf5, the
 * lines are the same. Room: test/type.
 *
 * Not among the expressions is what libhdf5 1.10.8 ends the process with: a sign before parentheses
 * and the division of integers by zero.
 */
#include <hdf5.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 700

static uint64_t state;

static unsigned below(unsigned n) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(state >> 33) % n;
}

/* ---- expressions ---------------------------------------------------------------------------- */

static char text[4000];

static void put(const char *word) { strcat(text, word); }

static void put_number(int may_be_zero) {
  char word[64];
  switch (below(5)) {
    case 0: snprintf(word, sizeof word, "%u", below(1000) + (may_be_zero ? 0 : 1)); break;
    case 1: snprintf(word, sizeof word, "%u.%u", below(50), below(1000) + 1); break;
    case 2: snprintf(word, sizeof word, "%ue%u", below(9) + 1, below(4)); break;
    case 3: snprintf(word, sizeof word, "%u.5E-%u", below(9) + 1, below(3)); break;
    default: snprintf(word, sizeof word, "%u", below(9) + 1); break;
  }
  put(word);
}

static void put_space(void) {
  if (below(4) == 0) put(" ");
}

static void put_sum(unsigned depth, int floating);

static void put_factor(unsigned depth, int floating) {
  put_space();
  if (depth > 0 && below(3) == 0) {
    put("(");
    put_sum(depth - 1, floating);
    put(")");
    return;
  }
  if (below(6) == 0) put(below(2) ? "-" : "+");
  if (below(2))
    put(below(8) ? "x" : "y2");
  else
    put_number(1);
}

static void put_product(unsigned depth, int floating) {
  put_factor(depth, floating);
  while (below(5) < 2) {
    put_space();
    if (below(3)) {
      put("*");
      put_factor(depth, floating);
    } else if (floating && below(2)) {
      put("/");
      put_space();
      put("x");
    } else {
      put("/");
      put_number(0);
    }
  }
}

static void put_sum(unsigned depth, int floating) {
  put_product(depth, floating);
  while (below(5) < 2) {
    put_space();
    put(below(2) ? "+" : "-");
    put_product(depth, floating);
  }
  put_space();
}

/* ---- types and values ----------------------------------------------------------------------- */

struct type {
  const char *name;
  hid_t id;
  size_t size;
  int floating;
};

static struct type types[11];

static void make_types(void) {
  const struct type all[11] = {{"i8", H5T_NATIVE_INT8, 1, 0},
                               {"u8", H5T_NATIVE_UINT8, 1, 0},
                               {"i16", H5T_NATIVE_INT16, 2, 0},
                               {"u16", H5T_NATIVE_UINT16, 2, 0},
                               {"i32", H5T_NATIVE_INT32, 4, 0},
                               {"u32", H5T_NATIVE_UINT32, 4, 0},
                               {"i64", H5T_NATIVE_INT64, 8, 0},
                               {"u64", H5T_NATIVE_UINT64, 8, 0},
                               {"float", H5T_NATIVE_FLOAT, 4, 1},
                               {"double", H5T_NATIVE_DOUBLE, 8, 1},
                               {"ldouble", H5T_NATIVE_LDOUBLE, sizeof(long double), 1}};
  memcpy(types, all, sizeof all);
}

static void fill(const struct type *type, unsigned char *buffer, size_t n) {
  size_t i;
  for (i = 0; i < n; ++i) {
    unsigned char *at = buffer + i * type->size;
    const double value = ((double)below(2000001) - 1000000.0) / (below(2) ? 1000.0 : 7.0);
    const float single = (float)value;
    const long double extended = value;
    unsigned b;
    if (type->id == H5T_NATIVE_FLOAT)
      memcpy(at, &single, sizeof single);
    else if (type->id == H5T_NATIVE_DOUBLE)
      memcpy(at, &value, sizeof value);
    else if (type->floating)
      memcpy(at, &extended, sizeof extended);
    else
      for (b = 0; b < type->size; ++b) at[b] = (unsigned char)below(256);
  }
}

/* One number for all values; any NaN counts as the same, and padding as nothing. */
static uint64_t digest(const struct type *type, const unsigned char *buffer, size_t n) {
  uint64_t hash = 0xcbf29ce484222325u;
  const size_t size = type->size == sizeof(long double) ? 10 : type->size;
  size_t i, b;
  for (i = 0; i < n; ++i) {
    const unsigned char *at = buffer + i * type->size;
    int nan = 0;
    if (type->floating) {
      long double value = 0;
      float single;
      double twice;
      if (type->size == sizeof single) {
        memcpy(&single, at, sizeof single);
        value = single;
      } else if (type->size == sizeof twice) {
        memcpy(&twice, at, sizeof twice);
        value = twice;
      } else
        memcpy(&value, at, sizeof value);
      nan = value != value;
    }
    for (b = 0; b < size; ++b) hash = (hash ^ (nan ? 0xEE : at[b])) * 0x100000001b3u;
  }
  return hash;
}

/* ---- one case ------------------------------------------------------------------------------- */

static void run(hid_t file, unsigned number) {
  static unsigned char values[MOST * 16], before[MOST * 16], found[MOST * 16];
  const struct type *memory = &types[below(11)];
  const struct type *stored = below(2) ? memory : &types[below(11)];
  const hsize_t n = below(4) ? below(20) + 1 : below(MOST) + 1, chunk = below((unsigned)n) + 1;
  char name[32];
  uint64_t written, read;
  hid_t list = H5Pcreate(H5P_DATASET_XFER), creation = H5Pcreate(H5P_DATASET_CREATE), space, set;

  text[0] = '\0';
  put_sum(3, memory->floating && stored->floating);
  snprintf(name, sizeof name, "set%u", number);
  if (H5Pset_data_transform(list, text) < 0) {
    printf("%u: refused: %s\n", number, text);
    H5Pclose(list);
    H5Pclose(creation);
    return;
  }
  if (below(3) == 0) H5Pset_buffer(list, below(200) + 64, NULL, NULL);
  if (below(2)) H5Pset_chunk(creation, 1, &chunk);
  space = H5Screate_simple(1, &n, NULL);
  set = H5Dcreate2(file, name, stored->id, space, H5P_DEFAULT, creation, H5P_DEFAULT);

  memset(values, 0, sizeof values);
  memset(found, 0, sizeof found);
  fill(memory, values, (size_t)n);
  memcpy(before, values, sizeof values);
  if (H5Dwrite(set, memory->id, H5S_ALL, H5S_ALL, list, values) < 0) printf("write failed: ");
  if (memcmp(values, before, sizeof values) != 0) printf("the buffer changed: ");
  H5Dread(set, stored->id, H5S_ALL, H5S_ALL, H5P_DEFAULT, found);
  written = digest(stored, found, (size_t)n);

  fill(stored, values, (size_t)n);
  H5Dwrite(set, stored->id, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  memset(found, 0, sizeof found);
  if (H5Dread(set, memory->id, H5S_ALL, H5S_ALL, list, found) < 0) printf("read failed: ");
  read = digest(memory, found, (size_t)n);
  printf("%u: %s as %s, %u values, %016llx %016llx: %s\n", number, memory->name, stored->name,
         (unsigned)n, (unsigned long long)written, (unsigned long long)read, text);
  H5Dclose(set);
  H5Sclose(space);
  H5Pclose(creation);
  H5Pclose(list);
}

int main(int argc, char **argv) {
  unsigned i, count = argc > 2 ? (unsigned)atoi(argv[2]) : 100;
  hid_t access, file;
  state = argc > 1 ? (uint64_t)atoi(argv[1]) * 0x9E3779B97F4A7C15u : 1;
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  make_types();
  access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_core(access, 1 << 20, 0);
  file = H5Fcreate("transform_oracle.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access);
  if (file < 0) return 1;
  for (i = 0; i < count; ++i) run(file, i);
  H5Pclose(access);
  return H5Fclose(file) < 0;
}
