/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright The libpcio authors
 *
 * Datasets and attributes with variable-length data, changed in steps that follow from a seed. The same
 * program is compiled against libpcio and against libhdf5, which take turns. Room: test/oracle.
 *
 *   sequencesteps FILE SEED FIRST LAST     takes steps FIRST .. LAST-1; prints what they did
 *   sequencesteps FILE SEED check UPTO     compares all values with what steps 0 .. UPTO-1 left
 *   sequencesteps - SEED describe          prints type and layout */

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMost = 120, kAttributes = 3, kAttributeElements = 4 };
enum { kText, kNumbers, kNested, kMixed, kTypes };
enum { kContiguous, kCompact, kChunked, kFiltered, kLayouts };

typedef struct {
  int number;
  char* text;
  hvl_t numbers;
} mixed_t;

/* What is in the file: version 0 is an element that was never written. */
typedef struct {
  int exists, length;
  unsigned version[kMost];
  unsigned attribute[kAttributes]; /* 0: there is none */
} model_t;

static unsigned seed_;
static int type_, layout_, extents_;
static unsigned long long state_;

static unsigned draw(unsigned below) {
  state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
  return (unsigned)(state_ >> 33) % below;
}
static void begin(unsigned salt) {
  state_ = (unsigned long long)seed_ * 2654435761ULL + salt * 40503ULL + 12345;
  for (int i = 0; i < 4; ++i) draw(2);
}
static void plan(void) {
  begin(1);
  type_ = (int)(seed_ % kTypes);
  layout_ = (int)(seed_ / kTypes % kLayouts);
  extents_ = layout_ >= kChunked;
}
static void fail(const char* what, long at) {
  fprintf(stderr, "seed %u: %s (%ld)\n", seed_, what, at);
  H5Eprint2(H5E_DEFAULT, stderr);
  exit(1);
}
static hid_t good(hid_t id, const char* what) {
  if (id < 0) fail(what, (long)id);
  return id;
}

/* --- values: all that an element is follows from its place and its version --- */

static unsigned length_of(unsigned at, unsigned version) {
  unsigned word = (at * 2654435761U ^ version * 40503U ^ seed_ * 97U) >> 3;
  word ^= word >> 11;
  switch (word % 13) {
    case 0: return 0;
    case 1: return 300 + word % 900;
    case 2: return version % 7 == 3 ? 5000 + word % 40000 : 40;
    default: return word % 60;
  }
}
static char letter(unsigned at, unsigned version, unsigned i) {
  return (char)('a' + (at * 7 + version * 3 + i) % 26);
}
static char* make_text(unsigned at, unsigned version) {
  const unsigned n = length_of(at, version);
  char* text;
  if (n % 11 == 5) return NULL;
  text = malloc(n + 1);
  for (unsigned i = 0; i < n; ++i) text[i] = letter(at, version, i);
  text[n] = 0;
  return text;
}
static hvl_t make_numbers(unsigned at, unsigned version) {
  hvl_t all;
  all.len = length_of(at, version) / 3;
  all.p = all.len == 0 ? NULL : malloc(all.len * sizeof(int));
  for (unsigned i = 0; i < all.len; ++i) ((int*)all.p)[i] = (int)(at * 1000 + version * 10 + i);
  return all;
}
static hvl_t make_nested(unsigned at, unsigned version) {
  hvl_t all;
  all.len = length_of(at, version) % 5;
  all.p = all.len == 0 ? NULL : malloc(all.len * sizeof(hvl_t));
  for (unsigned i = 0; i < all.len; ++i) ((hvl_t*)all.p)[i] = make_numbers(at + i, version);
  return all;
}
static size_t element_size(void) {
  static const size_t sizes[kTypes] = {sizeof(char*), sizeof(hvl_t), sizeof(hvl_t),
                                       sizeof(mixed_t)};
  return sizes[type_];
}
static void make_value(void* to, unsigned at, unsigned version) {
  memset(to, 0, element_size());
  if (version == 0) return;
  switch (type_) {
    case kText: *(char**)to = make_text(at, version); break;
    case kNumbers: *(hvl_t*)to = make_numbers(at, version); break;
    case kNested: *(hvl_t*)to = make_nested(at, version); break;
    default: {
      mixed_t* mixed = to;
      mixed->number = (int)(at + version);
      mixed->text = make_text(at, version);
      mixed->numbers = make_numbers(at, version);
    }
  }
}
static int same_numbers(const hvl_t* a, const hvl_t* b) {
  return a->len == b->len && (a->len == 0 || memcmp(a->p, b->p, a->len * sizeof(int)) == 0);
}
static int same_text(const char* a, const char* b) {
  return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}
static int same_value(const void* a, const void* b) {
  switch (type_) {
    case kText: return same_text(*(char* const*)a, *(char* const*)b);
    case kNumbers: return same_numbers(a, b);
    case kNested: {
      const hvl_t *x = a, *y = b;
      if (x->len != y->len) return 0;
      for (size_t i = 0; i < x->len; ++i)
        if (!same_numbers((hvl_t*)x->p + i, (hvl_t*)y->p + i)) return 0;
      return 1;
    }
    default: {
      const mixed_t *x = a, *y = b;
      return x->number == y->number && same_text(x->text, y->text) &&
             same_numbers(&x->numbers, &y->numbers);
    }
  }
}
static hid_t memory_type(void) {
  hid_t text, numbers, type;
  text = H5Tcopy(H5T_C_S1);
  H5Tset_size(text, H5T_VARIABLE);
  if (type_ == kText) return text;
  numbers = H5Tvlen_create(H5T_NATIVE_INT);
  if (type_ == kNumbers) return numbers;
  if (type_ == kNested) return H5Tvlen_create(numbers);
  type = H5Tcreate(H5T_COMPOUND, sizeof(mixed_t));
  H5Tinsert(type, "number", HOFFSET(mixed_t, number), H5T_NATIVE_INT);
  H5Tinsert(type, "text", HOFFSET(mixed_t, text), text);
  H5Tinsert(type, "numbers", HOFFSET(mixed_t, numbers), numbers);
  return type;
}

/* --- steps: each changes the model, and with a file the file --- */

static hid_t file_ = -1;

static hid_t space_of(hsize_t n, hsize_t most) { return H5Screate_simple(1, &n, &most); }

static void create(model_t* model) {
  model->exists = 1;
  model->length = layout_ == kCompact ? 20 : 30 + (int)draw(30);
  memset(model->version, 0, sizeof model->version);
  if (file_ < 0) return;
  {
    const hsize_t chunk = 7;
    const hid_t list = H5Pcreate(H5P_DATASET_CREATE), type = memory_type();
    const hid_t space =
        space_of((hsize_t)model->length, extents_ ? H5S_UNLIMITED : (hsize_t)model->length);
    if (layout_ == kCompact) H5Pset_layout(list, H5D_COMPACT);
    if (layout_ >= kChunked) H5Pset_chunk(list, 1, &chunk);
    if (layout_ == kFiltered) H5Pset_deflate(list, 1);
    H5Dclose(
        good(H5Dcreate2(file_, "data", type, space, H5P_DEFAULT, list, H5P_DEFAULT), "H5Dcreate2"));
  }
}

/* Elements first, first + stride, ... as one call. */
static void write_some(model_t* model, unsigned version) {
  const hsize_t first = draw((unsigned)model->length), stride = 1 + draw(4);
  const hsize_t room = ((hsize_t)model->length - first + stride - 1) / stride;
  const hsize_t count = draw(3) == 0 ? 1 : 1 + draw((unsigned)room);
  const hid_t type = file_ < 0 ? -1 : memory_type();
  char* values = malloc(element_size() * count);
  for (hsize_t i = 0; i < count; ++i) {
    const unsigned at = (unsigned)(first + i * stride);
    model->version[at] = version;
    if (file_ >= 0) make_value(values + i * element_size(), at, version);
  }
  if (file_ >= 0) {
    const hid_t data = good(H5Dopen2(file_, "data", H5P_DEFAULT), "H5Dopen2");
    const hid_t space = H5Dget_space(data), memory = space_of(count, count);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, &first, &stride, &count, NULL);
    if (H5Dwrite(data, type, memory, space, H5P_DEFAULT, values) < 0) fail("H5Dwrite", 0);
    H5Dvlen_reclaim(type, memory, H5P_DEFAULT, values);
    H5Sclose(space);
    H5Dclose(data);
  }
  free(values);
}

static void extend(model_t* model) {
  const int length = 20 + (int)draw(kMost - 20);
  for (int i = length < model->length ? length : model->length; i < kMost; ++i)
    model->version[i] = 0;
  model->length = length;
  if (file_ >= 0) {
    const hsize_t n = (hsize_t)length;
    const hid_t data = good(H5Dopen2(file_, "data", H5P_DEFAULT), "H5Dopen2");
    if (H5Dset_extent(data, &n) < 0) fail("H5Dset_extent", length);
    H5Dclose(data);
  }
}

static void attribute_name(char* name, unsigned which) { sprintf(name, "attribute%u", which); }

static void write_attribute(model_t* model, unsigned version) {
  const unsigned which = draw(kAttributes);
  const int there = model->attribute[which] != 0;
  model->attribute[which] = version;
  if (file_ >= 0) {
    char name[40];
    char* values = malloc(element_size() * kAttributeElements);
    const hid_t type = memory_type(), space = space_of(kAttributeElements, kAttributeElements);
    hid_t attribute;
    attribute_name(name, which);
    for (unsigned i = 0; i < kAttributeElements; ++i)
      make_value(values + i * element_size(), 1000 + i, version);
    attribute = there ? H5Aopen(file_, name, H5P_DEFAULT)
                      : H5Acreate2(file_, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    if (H5Awrite(good(attribute, "attribute"), type, values) < 0) fail("H5Awrite", which);
    H5Aclose(attribute);
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, values);
    free(values);
  }
}

static void delete_attribute(model_t* model) {
  const unsigned which = draw(kAttributes);
  char name[40];
  if (model->attribute[which] == 0) return;
  model->attribute[which] = 0;
  attribute_name(name, which);
  if (file_ >= 0 && H5Adelete(file_, name) < 0) fail("H5Adelete", which);
}

static const char* step(model_t* model, unsigned number) {
  begin(100 + number);
  if (!model->exists) {
    create(model);
    write_some(model, 3 * number + 1);
    return "create";
  }
  switch (draw(12)) {
    case 0:
    case 1:
    case 2: write_attribute(model, number + 1); return "attribute";
    case 3: delete_attribute(model); return "delete-attribute";
    case 4:
      if (file_ >= 0 && H5Fflush(file_, H5F_SCOPE_GLOBAL) < 0) fail("H5Fflush", 0);
      return "flush";
    case 5:
      if (!extents_) break;
      extend(model);
      return "extend";
    case 6:
      if (draw(3) != 0) break;
      if (file_ >= 0 && H5Ldelete(file_, "data", H5P_DEFAULT) < 0) fail("H5Ldelete", 0);
      create(model);
      return "recreate";
    default: break;
  }
  for (unsigned i = 1 + draw(3); i-- > 0;) write_some(model, 3 * number + i + 1);
  return "write";
}

/* --- checks --- */

static void check_values(const char* values, const unsigned* versions, int n, unsigned place) {
  char* expected = calloc(1, element_size());
  for (int i = 0; i < n; ++i) {
    const unsigned version = versions != NULL ? versions[i] : place >> 16;
    make_value(expected, versions != NULL ? (unsigned)i : 1000 + (unsigned)i, version);
    if (!same_value(values + (size_t)i * element_size(), expected))
      fail(versions != NULL ? "a wrong element" : "a wrong attribute", i);
  }
}

static void check(const model_t* model) {
  const hid_t type = memory_type();
  char* values = calloc((size_t)kMost, element_size());
  if (model->exists) {
    const hid_t data = good(H5Dopen2(file_, "data", H5P_DEFAULT), "H5Dopen2");
    const hid_t space = H5Dget_space(data);
    if (H5Sget_simple_extent_npoints(space) != model->length) fail("a wrong extent", 0);
    if (H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0) fail("H5Dread", 0);
    check_values(values, model->version, model->length, 0);
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, values);
    H5Dclose(data);
  }
  for (unsigned which = 0; which < kAttributes; ++which) {
    char name[40];
    hid_t attribute;
    attribute_name(name, which);
    if ((H5Aexists(file_, name) > 0) != (model->attribute[which] != 0)) fail("H5Aexists", which);
    if (model->attribute[which] == 0) continue;
    attribute = good(H5Aopen(file_, name, H5P_DEFAULT), "H5Aopen");
    if (H5Aread(attribute, type, values) < 0) fail("H5Aread", which);
    check_values(values, NULL, kAttributeElements, model->attribute[which] << 16);
    H5Aclose(attribute);
  }
}

int main(int argc, char** argv) {
  static const char* const types[] = {"text", "numbers", "nested", "mixed"};
  static const char* const layouts[] = {"contiguous", "compact", "chunked", "filtered"};
  model_t model;
  unsigned first = 0, last = 0;
  int checks = 0;
  memset(&model, 0, sizeof model);
  if (argc < 4) return 2;
  seed_ = (unsigned)strtoul(argv[2], NULL, 10);
  plan();
  if (strcmp(argv[3], "describe") == 0) {
    printf("type=%s layout=%s\n", types[type_], layouts[layout_]);
    return 0;
  }
  if (argc < 5) return 2;
  checks = strcmp(argv[3], "check") == 0;
  first = checks ? (unsigned)atoi(argv[4]) : (unsigned)atoi(argv[3]);
  last = (unsigned)atoi(argv[4]);
  for (unsigned i = 0; i < first; ++i) step(&model, i);
  if (checks || first > 0)
    file_ = H5Fopen(argv[1], checks ? H5F_ACC_RDONLY : H5F_ACC_RDWR, H5P_DEFAULT);
  else
    file_ = H5Fcreate(argv[1], H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  good(file_, "the file");
  if (checks) check(&model);
  for (unsigned i = first; i < last; ++i) {
    printf("%s ", step(&model, i));
    check(&model);
  }
  printf("\n");
  if (H5Fclose(file_) < 0) fail("H5Fclose", 0);
  return 0;
}
