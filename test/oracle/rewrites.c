/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */

/* Rewrites several datasets of one file again and again, with commits between, so that a close
 * finds holes before chunks that were rewritten; counts the chunks that it moved; compares all
 * elements with arrays in memory.
 *
 * Room: test/oracle, public C API only. The same source is compiled against libhdf5 and against
 * libpcio. What a generation does follows from seed and number alone, so either library can go on
 * where the other one stopped.
 *
 *   rewrites FILE SEED FROM TO     makes generations FROM .. TO-1; 0 creates the file. Prints
 *                                  "moved KIND COUNT" for what the last close moved
 *   rewrites FILE SEED check N     compares with the model after N generations
 *
 * Exit: 0 done, 1 a call failed, 2 usage, 3 elements differ, 4 chunks overlap. */

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kBtree1, kSingle, kFixed, kExtensible, kBtree2, kImplicit, kContiguous };
static const char* const kind_names[] = {"btree1", "single",   "fixed",     "extensible",
                                         "btree2", "implicit", "contiguous"};
enum { kSets = 9 };

typedef struct {
  int kind, filtered, ndims;
  hsize_t most[2], max[2], chunk[2], dims[2];
  int* model; /* [most], 0 outside the extent */
} Set;
typedef struct {
  unsigned long long seed;
  int latest;
  Set sets[kSets];
} Scene;

static unsigned long long state;

static unsigned random_below(unsigned limit) {
  state = state * 6364136223846793005ULL + 1442695040888963407ULL;
  return limit == 0 ? 0 : (unsigned)((state >> 33) % limit);
}
static void seed_with(unsigned long long seed, unsigned generation, unsigned set) {
  state =
      (seed + 1) * 0x9E3779B97F4A7C15ULL + generation * 0xBF58476D1CE4E5B9ULL + set * 1000003ULL;
  state = (state ^ state >> 30) * 0xBF58476D1CE4E5B9ULL;
  state = (state ^ state >> 27) * 0x94D049BB133111EBULL;
  state ^= state >> 31;
}

#define CHECK(call)                                             \
  do {                                                          \
    if ((call) < 0) {                                           \
      fprintf(stderr, "line %d: %s failed\n", __LINE__, #call); \
      exit(1);                                                  \
    }                                                           \
  } while (0)

static size_t cells(const Set* s) { return (size_t)(s->most[0] * s->most[1]); }

static void plan_set(Scene* scene, unsigned number) {
  static const int latest_kinds[kSets] = {kFixed,  kExtensible, kBtree2,     kSingle, kExtensible,
                                          kBtree2, kImplicit,   kContiguous, kFixed};
  Set* s = &scene->sets[number];
  unsigned d;
  seed_with(scene->seed, 1000, number);
  s->kind = scene->latest ? latest_kinds[number] : number == 7 ? kContiguous : kBtree1;
  /* The last three stay where they are. */
  s->filtered = number < 6;
  s->ndims = s->kind == kBtree2 ? 2 : 1 + (int)random_below(2);
  for (d = 0; d < 2; ++d) {
    const int flat = (int)d >= s->ndims;
    const hsize_t chunks = flat || s->kind == kSingle ? 1 : s->ndims == 1 ? 40 : 7;
    s->chunk[d] = flat ? 1 : s->ndims == 1 ? 700 + random_below(300) : 20 + random_below(12);
    if (s->kind == kSingle) s->chunk[d] = flat ? 1 : s->ndims == 1 ? 9000 : 95;
    s->most[d] = chunks * s->chunk[d];
    if (!flat && s->kind != kSingle && s->kind != kImplicit) s->most[d] -= random_below(9);
    s->max[d] = s->dims[d] = s->most[d];
  }
  if (s->kind == kBtree2) s->max[0] = s->max[1] = H5S_UNLIMITED;
  if (s->kind == kExtensible) s->max[random_below((unsigned)s->ndims)] = H5S_UNLIMITED;
  if (s->kind == kBtree1) s->max[0] = H5S_UNLIMITED;
  s->model = calloc(cells(s), sizeof(int));
  if (s->model == NULL) exit(1);
}

static hid_t make_set(hid_t file, const Set* s, unsigned number) {
  char name[16];
  hid_t list, space, set;
  snprintf(name, sizeof name, "d%u", number);
  CHECK(list = H5Pcreate(H5P_DATASET_CREATE));
  if (s->kind != kContiguous) CHECK(H5Pset_chunk(list, s->ndims, s->chunk));
  if (s->kind == kImplicit) CHECK(H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY));
  if (s->filtered) {
    if (number % 2 == 0) CHECK(H5Pset_shuffle(list));
    CHECK(H5Pset_deflate(list, 1));
    if (number % 3 == 0) CHECK(H5Pset_fletcher32(list));
  }
  CHECK(space = H5Screate_simple(s->ndims, s->dims, s->kind == kContiguous ? NULL : s->max));
  CHECK(set = H5Dcreate2(file, name, H5T_STD_I32LE, space, H5P_DEFAULT, list, H5P_DEFAULT));
  CHECK(H5Sclose(space));
  CHECK(H5Pclose(list));
  return set;
}

static hid_t open_set(hid_t file, unsigned number) {
  char name[16];
  hid_t set;
  snprintf(name, sizeof name, "d%u", number);
  CHECK(set = H5Dopen2(file, name, H5P_DEFAULT));
  return set;
}

/* Numbers of so many bits, another count for each part of the box: chunks of all sizes. A single
 * chunk always becomes smaller by its filter: libhdf5 1.10.8 forgets the mask of one that does
 * not. */
static void write_box(hid_t set, Set* s, const hsize_t* start, const hsize_t* count) {
  static const unsigned bits[] = {2, 7, 11, 16, 22, 31, 13, 31};
  const unsigned first = random_below(8), kinds = s->kind == kSingle ? 5 : 8;
  const size_t all = (size_t)(count[0] * count[1]);
  int* const buffer = malloc(all * sizeof(int) + 1);
  hid_t file, memory;
  hsize_t i, j;
  size_t at = 0;
  if (buffer == NULL) exit(1);
  for (i = 0; i < count[0]; ++i)
    for (j = 0; j < count[1]; ++j, ++at) {
      const unsigned width = bits[(first + (unsigned)(at / 1500)) % kinds];
      buffer[at] = (int)(random_below(1u << 31) >> (31 - width));
      s->model[(start[0] + i) * s->most[1] + start[1] + j] = buffer[at];
    }
  if (set >= 0 && all > 0) {
    CHECK(file = H5Dget_space(set));
    CHECK(H5Sselect_hyperslab(file, H5S_SELECT_SET, start, NULL, count, NULL));
    CHECK(memory = H5Screate_simple(s->ndims, count, NULL));
    CHECK(H5Dwrite(set, H5T_NATIVE_INT, memory, file, H5P_DEFAULT, buffer));
    CHECK(H5Sclose(memory));
    CHECK(H5Sclose(file));
  }
  free(buffer);
}

static void resize(hid_t set, Set* s) {
  hsize_t i, j;
  int d;
  for (d = 0; d < s->ndims; ++d)
    s->dims[d] = random_below(2) ? s->most[d] : 1 + random_below((unsigned)s->most[d]);
  if (set >= 0) CHECK(H5Dset_extent(set, s->dims));
  for (i = 0; i < s->most[0]; ++i)
    for (j = 0; j < s->most[1]; ++j)
      if (i >= s->dims[0] || j >= s->dims[1]) s->model[i * s->most[1] + j] = 0;
}

/* One generation of one dataset; `file` < 0: of the model alone. */
static void change_set(hid_t file, Scene* scene, unsigned generation, unsigned number) {
  Set* const s = &scene->sets[number];
  hid_t set = -1;
  hsize_t start[2] = {0, 0}, count[2];
  unsigned what, d;
  seed_with(scene->seed, generation, number);
  what = generation == 0 ? 0 : random_below(16);
  if (what == 15) return;
  if (generation == 0 || what == 14) {
    char name[16];
    snprintf(name, sizeof name, "d%u", number);
    if (generation > 0 && file >= 0) CHECK(H5Ldelete(file, name, H5P_DEFAULT));
    memset(s->model, 0, cells(s) * sizeof(int));
    if (file >= 0) set = make_set(file, s, number);
  } else if (file >= 0) {
    set = open_set(file, number);
  }
  if (what == 13 && s->kind != kSingle && s->kind != kImplicit && s->kind != kContiguous)
    resize(set, s);
  for (d = 0; d < 2; ++d) {
    count[d] = s->dims[d];
    if (what < 10 || what == 14) continue;
    start[d] = random_below((unsigned)s->dims[d]);
    count[d] = 1 + random_below((unsigned)(s->dims[d] - start[d]));
  }
  write_box(set, s, start, count);
  if (set >= 0) CHECK(H5Dclose(set));
}

typedef struct {
  haddr_t address;
  hsize_t size;
  unsigned set;
  hsize_t at[2];
} Chunk;
typedef struct {
  Chunk* all;
  size_t count;
} Chunks;

/* Where all chunks lie. */
static Chunks find_chunks(hid_t file, const Scene* scene) {
  Chunks found = {NULL, 0};
  unsigned n, mask;
  for (n = 0; n < kSets; ++n) {
    hid_t set, space;
    hsize_t count = 0, i;
    if (scene->sets[n].kind == kContiguous) continue;
    set = open_set(file, n);
    CHECK(space = H5Dget_space(set));
    CHECK(H5Dget_num_chunks(set, space, &count));
    found.all = realloc(found.all, (found.count + (size_t)count + 1) * sizeof(Chunk));
    if (found.all == NULL) exit(1);
    for (i = 0; i < count; ++i) {
      Chunk* c = &found.all[found.count++];
      c->set = n;
      c->at[0] = c->at[1] = 0;
      CHECK(H5Dget_chunk_info(set, space, i, c->at, &mask, &c->address, &c->size));
    }
    CHECK(H5Sclose(space));
    CHECK(H5Dclose(set));
  }
  return found;
}

static int by_address(const void* a, const void* b) {
  const haddr_t x = ((const Chunk*)a)->address, y = ((const Chunk*)b)->address;
  return x < y ? -1 : x > y;
}
static int by_place(const void* a, const void* b) {
  const Chunk *x = a, *y = b;
  if (x->set != y->set) return x->set < y->set ? -1 : 1;
  if (x->at[0] != y->at[0]) return x->at[0] < y->at[0] ? -1 : 1;
  return x->at[1] < y->at[1] ? -1 : x->at[1] > y->at[1];
}

static void check_apart(hid_t file, const Scene* scene) {
  Chunks found = find_chunks(file, scene);
  hsize_t size = 0;
  size_t i;
  CHECK(H5Fget_filesize(file, &size));
  qsort(found.all, found.count, sizeof(Chunk), by_address);
  for (i = 0; i < found.count; ++i) {
    const haddr_t end = found.all[i].address + found.all[i].size;
    if (end > (i + 1 < found.count ? found.all[i + 1].address : size)) {
      fprintf(stderr, "a chunk of d%u ends at %llu, in another or behind the file\n",
              found.all[i].set, (unsigned long long)end);
      exit(4);
    }
  }
  free(found.all);
}

/* Chunks that are elsewhere than they were before the close. */
static void count_moves(const Scene* scene, Chunks before, Chunks after) {
  unsigned moved[kContiguous + 1] = {0}, stayed = 0;
  size_t i;
  int kind;
  qsort(before.all, before.count, sizeof(Chunk), by_place);
  qsort(after.all, after.count, sizeof(Chunk), by_place);
  if (before.count != after.count) {
    fprintf(stderr, "%lu chunks before the close, %lu behind it\n", (unsigned long)before.count,
            (unsigned long)after.count);
    exit(3);
  }
  for (i = 0; i < before.count; ++i)
    before.all[i].address == after.all[i].address ? ++stayed
                                                  : ++moved[scene->sets[before.all[i].set].kind];
  for (kind = 0; kind <= kContiguous; ++kind)
    if (moved[kind] > 0) printf("moved %s %u\n", kind_names[kind], moved[kind]);
  printf("stayed all %u\n", stayed);
}

static int check_data(hid_t file, const Scene* scene) {
  unsigned n;
  for (n = 0; n < kSets; ++n) {
    const Set* s = &scene->sets[n];
    hsize_t dims[2] = {1, 1}, i, j;
    int* const buffer = malloc(cells(s) * sizeof(int));
    hid_t set = open_set(file, n), space;
    if (buffer == NULL) exit(1);
    CHECK(space = H5Dget_space(set));
    CHECK(H5Sget_simple_extent_dims(space, dims, NULL));
    if (dims[0] != s->dims[0] || dims[1] != s->dims[1]) return 3;
    CHECK(H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, buffer));
    for (i = 0; i < dims[0]; ++i)
      for (j = 0; j < dims[1]; ++j)
        if (buffer[i * dims[1] + j] != s->model[i * s->most[1] + j]) {
          fprintf(stderr, "d%u (%s): element %llu %llu is %d, not %d\n", n, kind_names[s->kind],
                  (unsigned long long)i, (unsigned long long)j, buffer[i * dims[1] + j],
                  s->model[i * s->most[1] + j]);
          return 3;
        }
    CHECK(H5Sclose(space));
    CHECK(H5Dclose(set));
    free(buffer);
  }
  check_apart(file, scene);
  return 0;
}

static hid_t open_file(const char* name, unsigned flags, const Scene* scene) {
  hid_t access, file;
  CHECK(access = H5Pcreate(H5P_FILE_ACCESS));
  if (scene->latest) CHECK(H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110));
  file = flags == H5F_ACC_TRUNC ? H5Fcreate(name, flags, H5P_DEFAULT, access)
                                : H5Fopen(name, flags, access);
  CHECK(file);
  CHECK(H5Pclose(access));
  return file;
}

int main(int argc, char** argv) {
  Scene scene;
  unsigned from, to, generation, n;
  int checks;
  hid_t file = -1;
  Chunks before, after;
  if (argc != 5) return 2;
  scene.seed = strtoull(argv[2], NULL, 10);
  scene.latest = (int)(scene.seed % 3) != 0;
  checks = strcmp(argv[3], "check") == 0;
  to = (unsigned)atoi(argv[4]);
  from = checks ? to : (unsigned)atoi(argv[3]);
  for (n = 0; n < kSets; ++n) plan_set(&scene, n);
  /* What holds its place comes first, so that others are free to move behind it. */
  for (generation = 0; generation < from; ++generation)
    for (n = kSets; n-- > 0;) change_set(-1, &scene, generation, n);
  file = open_file(argv[1],
                   checks      ? H5F_ACC_RDONLY
                   : from == 0 ? H5F_ACC_TRUNC
                               : H5F_ACC_RDWR,
                   &scene);
  if (checks) {
    const int status = check_data(file, &scene);
    CHECK(H5Fclose(file));
    return status;
  }
  for (generation = from; generation < to; ++generation) {
    for (n = kSets; n-- > 0;) change_set(file, &scene, generation, n);
    if ((scene.seed + generation) % 5 != 0) CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL));
  }
  before = find_chunks(file, &scene);
  CHECK(H5Fclose(file));
  file = open_file(argv[1], H5F_ACC_RDONLY, &scene);
  after = find_chunks(file, &scene);
  CHECK(H5Fclose(file));
  count_moves(&scene, before, after);
  free(before.all);
  free(after.all);
  return 0;
}
