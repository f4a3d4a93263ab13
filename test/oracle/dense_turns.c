/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */

/* Lives of one group with many links and attributes in dense storage, changed at random by turns of two
 * libraries. Room: test/oracle, public C API only.
 *
 *   dense_turns FILE SEED FROM TO     plays generations FROM to TO - 1; generation 0 makes the file
 *   dense_turns FILE SEED check TO    compares the file with what generations 0 to TO - 1 leave
 *
 * Prints what it came through, a word and a count a line. All of it follows from the seed.
 */

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "must.h"

enum { kMostLinks = 20000, kMostAttributes = 2000 };

static unsigned long long state;
static unsigned below(unsigned n) {
  state = state * 6364136223846793005ULL + 1442695040888963407ULL;
  return (unsigned)((state >> 33) % n);
}

static int links, attributes, operations; /* of this life */
static unsigned link_order, attribute_order, most_compact, least_dense;
static int link_text[kMostLinks];           /* 0: none; else the length of its target */
static long link_made[kMostLinks];          /* number of creation */
static int attribute_size[kMostAttributes]; /* 0: none; else elements */
static int attribute_value[kMostAttributes];
static long made;
static int acts; /* whether what is played is done to the file, too */
static hid_t file, group;
static long dense_links, compact_links, huge, large, removed, renamed, rewritten, flushes;

/* Two and two have the same hash, by which indexes are sorted. */
enum { kTwins = 8 };
static const char* const twins[kTwins] = {"c96406",  "c82689", "c60180", "c117619",
                                          "c143554", "c50567", "c2469",  "c148277"};

static void link_name(int i, char* name) {
  /* Some names are long, a few have objects of their own. */
  size_t n = (size_t)(i < kTwins ? snprintf(name, 6000, "%s", twins[i])
                                 : snprintf(name, 6000, "link%d", i));
  int more = i % 97 == 3 ? 5000 : i % 11 == 5 ? 300 : 0;
  memset(name + n, 'x', (size_t)more);
  name[n + (size_t)more] = 0;
}

static void attribute_name(int i, char* name) {
  i < kTwins ? snprintf(name, 64, "%s", twins[i]) : snprintf(name, 64, "attribute%d", i);
}

static void target_of(int i, char* target) {
  memset(target, 't', (size_t)link_text[i]);
  target[link_text[i]] = 0;
}

static void set_life(unsigned seed) {
  static const int many[] = {30, 250, 250, 4000};
  state = seed * 7919ULL + 17;
  below(2);
  links = many[below(4)];
  attributes = below(3) == 0 ? 400 : 20;
  if (seed % 50 == 49) { /* one of the largest */
    links = kMostLinks;
    attributes = kMostAttributes;
  }
  operations = links > 4000 ? 25000 : links > 1000 ? 1500 : links;
  link_order = below(3);
  attribute_order = below(3);
  most_compact = below(3) == 0 ? below(20) : 8;
  least_dense = most_compact == 8 ? 6 : below(most_compact + 1);
}

static unsigned order_flags(unsigned order) {
  return order == 0   ? 0
         : order == 1 ? H5P_CRT_ORDER_TRACKED
                      : H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED;
}

static void make_file(const char* path) {
  hid_t fapl = H5Pcreate(H5P_FILE_ACCESS), gcpl = H5Pcreate(H5P_GROUP_CREATE);
  H5Pset_libver_bounds(fapl, H5F_LIBVER_V18, H5F_LIBVER_LATEST);
  H5Pset_link_creation_order(gcpl, order_flags(link_order));
  H5Pset_attr_creation_order(gcpl, order_flags(attribute_order));
  H5Pset_link_phase_change(gcpl, most_compact, least_dense);
  H5Pset_attr_phase_change(gcpl, most_compact, least_dense);
  file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, fapl);
  group = H5Gcreate2(file, "g", H5P_DEFAULT, gcpl, H5P_DEFAULT);
  must(group >= 0, "group", 0);
  H5Pclose(gcpl);
  H5Pclose(fapl);
}

static void open_file(const char* path, unsigned flags) {
  hid_t fapl = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_libver_bounds(fapl, H5F_LIBVER_V18, H5F_LIBVER_LATEST);
  file = H5Fopen(path, flags, fapl);
  group = H5Gopen2(file, "g", H5P_DEFAULT);
  must(group >= 0, "open", 0);
  H5Pclose(fapl);
}

static void change_link(int i) {
  char name[6000], other[6000], target[400];
  int j = (int)below((unsigned)links);
  unsigned what = below(10);
  int length = 1 + (int)below(below(6) == 0 ? 300 : 20);
  link_name(i, name);
  if (link_text[i] == 0) {
    link_text[i] = length;
    link_made[i] = made++;
    target_of(i, target);
    if (acts) must(H5Lcreate_soft(target, group, name, H5P_DEFAULT, H5P_DEFAULT) >= 0, "add", i);
  } else if (what == 0 && link_text[j] == 0) {
    link_text[j] = link_text[i];
    link_made[j] = made++;
    link_text[i] = 0;
    link_name(j, other);
    ++renamed;
    if (acts) must(H5Lmove(group, name, group, other, H5P_DEFAULT, H5P_DEFAULT) >= 0, "move", i);
  } else if (what < 9) {
    link_text[i] = 0;
    ++removed;
    if (acts) must(H5Ldelete(group, name, H5P_DEFAULT) >= 0, "delete", i);
  }
}

static void write_value(hid_t id, int i) {
  int n = attribute_size[i], k;
  int* value = malloc((size_t)n * sizeof *value);
  for (k = 0; k < n; ++k) value[k] = attribute_value[i] + k;
  must(H5Awrite(id, H5T_NATIVE_INT, value) >= 0, "write attribute", i);
  free(value);
}

static void change_attribute(int i) {
  char name[64], other[64];
  unsigned what = below(8);
  int kind = (int)below(20), size, j = (int)below((unsigned)attributes);
  hid_t id;
  size = kind == 0                    ? 1100 + (int)below(2000)
         : kind == 1 && below(6) == 0 ? 17000
                                      : 1 + (int)below(200);
  attribute_name(i, name);
  if (attribute_size[i] == 0) {
    attribute_size[i] = size;
    attribute_value[i] = (int)below(1000000);
    large += size > 16000;
    huge += size > 1000;
    if (acts) {
      hsize_t dims[1];
      hid_t space;
      dims[0] = (hsize_t)size;
      space = H5Screate_simple(1, dims, NULL);
      id = H5Acreate2(group, name, H5T_STD_I32LE, space, H5P_DEFAULT, H5P_DEFAULT);
      must(id >= 0, "create attribute", i);
      write_value(id, i);
      H5Aclose(id);
      H5Sclose(space);
    }
  } else if (what < 3) {
    attribute_value[i] = (int)below(1000000);
    ++rewritten;
    if (acts) {
      id = H5Aopen(group, name, H5P_DEFAULT);
      write_value(id, i);
      H5Aclose(id);
    }
  } else if (what == 3 && attribute_size[j] == 0) {
    attribute_size[j] = attribute_size[i];
    attribute_value[j] = attribute_value[i];
    attribute_size[i] = 0;
    attribute_name(j, other);
    if (acts) must(H5Arename(group, name, other) >= 0, "rename attribute", i);
  } else if (what < 7) {
    attribute_size[i] = 0;
    if (acts) must(H5Adelete(group, name) >= 0, "delete attribute", i);
  }
}

static void note_storage(void) {
  H5G_info_t info;
  if (!acts) return;
  must(H5Gget_info(group, &info) >= 0, "info", 0);
  info.storage_type == H5G_STORAGE_TYPE_DENSE ? ++dense_links : ++compact_links;
}

static void play(const char* path, unsigned seed, int generation) {
  int n, shrinks = generation % 4 == 3;
  state = seed * 104729ULL + (unsigned)generation * 31ULL + 5;
  below(2);
  if (acts) generation == 0 ? make_file(path) : open_file(path, H5F_ACC_RDWR);
  for (n = 0; n < operations; ++n) {
    int i = (int)below((unsigned)links);
    if (shrinks && link_text[i] == 0 && below(10) != 0) continue;
    change_link(i);
    if (n % 4 == 0) change_attribute((int)below((unsigned)attributes));
    if (below(operations > 4000 ? 2000 : operations > 100 ? 60 : 8) == 0) {
      ++flushes;
      if (acts) must(H5Fflush(file, H5F_SCOPE_LOCAL) >= 0, "flush", n);
      note_storage();
    }
  }
  if (shrinks && seed % 2 == 0) /* down to few, so that they go back into the header */
    for (n = 0; n < links; ++n)
      while (n > 3 && link_text[n] != 0) change_link(n);
  note_storage();
  if (acts) must(H5Gclose(group) >= 0 && H5Fclose(file) >= 0, "close", generation);
}

struct Walk {
  long count, last;
};

static herr_t see_link(hid_t id, const char* name, const H5L_info_t* info, void* data) {
  struct Walk* walk = data;
  int i = 0;
  (void)id;
  (void)info;
  while (i < kTwins && strncmp(name, twins[i], strlen(twins[i])) != 0) ++i;
  if (i == kTwins) i = atoi(name + 4);
  must(i >= 0 && i < links && link_text[i] != 0, "a link that is not in the model", i);
  must(link_made[i] > walk->last, "order of creation", i);
  walk->last = link_made[i];
  ++walk->count;
  return 0;
}

/* By number in an index of the order of creation: who looks there goes by the counts of its nodes. */
static void check_numbers(long count) {
  long n;
  for (n = 0; n < count; n += 1 + count / 40) {
    char name[6000], want[6000];
    int i, at = -1;
    long before = -1;
    if (count > 300) { /* the n-th by a look at all of them is too much for many */
      n = count - 1;
      for (i = 0; i < links; ++i)
        if (link_text[i] != 0 && (at < 0 || link_made[i] > link_made[at])) at = i;
    } else {
      long k;
      for (k = 0; k <= n; ++k) {
        at = -1;
        for (i = 0; i < links; ++i)
          if (link_text[i] != 0 && link_made[i] > before &&
              (at < 0 || link_made[i] < link_made[at]))
            at = i;
        before = link_made[at];
      }
    }
    must(H5Lget_name_by_idx(group, ".", H5_INDEX_CRT_ORDER, H5_ITER_INC, (hsize_t)n, name,
                            sizeof name, H5P_DEFAULT) > 0,
         "name by number", (int)n);
    link_name(at, want);
    must(strcmp(name, want) == 0, "another link by number", (int)n);
  }
}

static void check_links(void) {
  char name[6000], want[400], target[400];
  struct Walk walk = {0, -1};
  H5G_info_t info;
  long count = 0;
  int i;
  for (i = 0; i < links; ++i) {
    htri_t there;
    link_name(i, name);
    there = H5Lexists(group, name, H5P_DEFAULT);
    must(there == (link_text[i] != 0), "link is, or is not there", i);
    if (link_text[i] == 0) continue;
    ++count;
    memset(target, 0, sizeof target);
    must(H5Lget_val(group, name, target, sizeof target, H5P_DEFAULT) >= 0, "target", i);
    target_of(i, want);
    must(strcmp(want, target) == 0, "another target", i);
  }
  must(H5Gget_info(group, &info) >= 0 && (long)info.nlinks == count, "count of links", (int)count);
  if (link_order == 0) return;
  check_numbers(count);
  must(H5Literate(group, H5_INDEX_CRT_ORDER, H5_ITER_INC, NULL, see_link, &walk) >= 0, "iterate",
       0);
  must(walk.count == count, "links by order", (int)walk.count);
}

static void check_attributes(void) {
  H5O_info_t info;
  hsize_t count = 0;
  int i, k;
  for (i = 0; i < attributes; ++i) {
    char name[64];
    int n = attribute_size[i];
    int* value;
    hid_t id;
    attribute_name(i, name);
    must(H5Aexists(group, name) == (n != 0), "attribute is, or is not there", i);
    if (n == 0) continue;
    ++count;
    value = calloc((size_t)n, sizeof *value);
    id = H5Aopen(group, name, H5P_DEFAULT);
    must(id >= 0 && H5Aread(id, H5T_NATIVE_INT, value) >= 0, "read attribute", i);
    for (k = 0; k < n && value[k] == attribute_value[i] + k; ++k) continue;
    must(k == n, "value of attribute", i);
    H5Aclose(id);
    free(value);
  }
  must(H5Oget_info(group, &info) >= 0 && info.num_attrs == count, "count of attributes",
       (int)count);
}

int main(int argc, char** argv) {
  unsigned seed;
  int from, to, generation;
  if (argc != 5) return 2;
  seed = (unsigned)atoi(argv[2]);
  from = strcmp(argv[3], "check") == 0 ? -1 : atoi(argv[3]);
  to = atoi(argv[4]);
  set_life(seed);
  for (generation = 0; generation < to; ++generation) {
    if (generation == from) renamed = removed = rewritten = huge = large = flushes = 0;
    acts = from >= 0 && generation >= from;
    play(argv[1], seed, generation);
  }
  if (from < 0) {
    open_file(argv[1], H5F_ACC_RDONLY);
    check_links();
    check_attributes();
    must(H5Gclose(group) >= 0 && H5Fclose(file) >= 0, "close", 0);
  } else {
    printf("dense %ld\ncompact %ld\nhuge %ld\nlarge %ld\nremoved %ld\n", dense_links, compact_links,
           huge, large, removed);
    printf("renamed %ld\nrewritten %ld\nflushes %ld\n", renamed, rewritten, flushes);
  }
  return failed > 0;
}
