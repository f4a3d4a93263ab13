/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */

/* Takes one chunked dataset through a life of random steps, some of them by this library, some by
 * another, and compares its elements with an array in memory.
 *
 * Room: test/oracle, public C API only. The same source is compiled against libhdf5 and against
 * libpcio. What a step does follows from seed and number alone, so either library can go on where
 * the other one stopped.
 *
 *   indexsteps FILE SEED describe          what the seed means, as words for a histogram
 *   indexsteps FILE SEED FROM TO           takes steps FROM .. TO-1; step 0 creates the file
 *   indexsteps FILE SEED check N           compares with the model after N steps
 *
 * Exit: 0 done, 1 a call failed, 2 usage, 3 elements differ. */

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kBtree1, kSingle, kImplicit, kFixed, kExtensible, kBtree2, kKinds };
static const char* const kind_names[] = {"btree1", "single",     "implicit",
                                         "fixed",  "extensible", "btree2"};
enum { kSmall, kMedium, kLarge, kSizes };
static const char* const size_names[] = {"small", "medium", "large"};
enum { kWriteBox, kExtend, kShrink, kScatter, kRecreate, kOps };
static const char* const op_names[] = {"write", "extend", "shrink", "scatter", "recreate"};

typedef struct {
  int kind, size, filtered, early, ndims;
  hsize_t most[2]; /* the model's bounds: no extent is larger */
  hsize_t max[2], chunk[2], dims[2];
  unsigned char fill;
} Plan;

static unsigned long long state;

static unsigned random_below(unsigned limit) {
  state = state * 6364136223846793005ULL + 1442695040888963407ULL;
  return limit == 0 ? 0 : (unsigned)((state >> 33) % limit);
}

static void seed_with(unsigned long long seed, unsigned step) {
  state = (seed + 1) * 0x9E3779B97F4A7C15ULL + step * 0xBF58476D1CE4E5B9ULL;
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

static void make_plan(unsigned long long seed, Plan* p) {
  static const hsize_t chunks_1d[] = {4, 600, 3000};
  static const hsize_t chunks_2d[] = {3, 24, 80};
  seed_with(seed, 0);
  memset(p, 0, sizeof *p);
  p->kind = (int)(seed % kKinds);
  p->size = (int)(seed / kKinds % kSizes);
  p->filtered = p->kind != kImplicit && seed / (kKinds * kSizes) % 2 == 1;
  p->early = p->kind == kImplicit || (!p->filtered && random_below(4) == 0);
  p->ndims = p->kind == kBtree2 ? 2 : 1 + (int)random_below(2);
  p->fill = random_below(2) ? 0 : 7;
  for (int d = 0; d < p->ndims; ++d) {
    hsize_t chunks = p->ndims == 1 ? chunks_1d[p->size] : chunks_2d[p->size];
    /* The data blocks of an extensible array have pages behind its first 131,000 elements. */
    if (p->kind == kExtensible && p->size == kLarge) chunks = p->ndims == 1 ? 150000 : 390;
    if (p->kind == kSingle) chunks = 1;
    p->chunk[d] = chunks > 1000 ? 1 : 1 + random_below(5);
    /* libhdf5 1.10.8 forgets the new filter mask of a single chunk whose stored size stays as it
     * was, so this one always becomes smaller by its filter. */
    if (p->kind == kSingle) p->chunk[d] = p->ndims == 1 ? 500 : 25 + random_below(40);
    p->most[d] = p->chunk[d] * chunks;
    if (p->kind != kSingle && p->kind != kImplicit && p->most[d] > 4 && chunks <= 1000)
      p->most[d] -= random_below((unsigned)p->chunk[d]);
    p->max[d] = p->most[d];
    p->dims[d] = p->most[d];
    if (p->kind != kSingle && p->kind != kImplicit)
      p->dims[d] = random_below(3) == 0 ? 0 : 1 + random_below((unsigned)p->most[d]);
  }
  if (p->kind == kBtree2) p->max[0] = p->max[1] = H5S_UNLIMITED;
  if (p->kind == kExtensible) p->max[random_below((unsigned)p->ndims)] = H5S_UNLIMITED;
  if (p->kind == kBtree1 && random_below(2)) p->max[0] = H5S_UNLIMITED;
  /* Extents that can grow are no longer than the bounds in any dimension. */
}

typedef struct {
  Plan plan;
  unsigned char* data; /* [most], the fill value outside the extent */
} Model;

static size_t cells(const Plan* p) {
  return (size_t)p->most[0] * (p->ndims == 2 ? (size_t)p->most[1] : 1);
}

static unsigned char* cell(Model* m, hsize_t i, hsize_t j) {
  return m->data + (m->plan.ndims == 2 ? i * m->plan.most[1] + j : i);
}

static void model_resize(Model* m, const hsize_t* dims) {
  const hsize_t width = m->plan.ndims == 2 ? m->plan.most[1] : 1;
  for (hsize_t i = 0; i < m->plan.most[0]; ++i)
    for (hsize_t j = 0; j < width; ++j)
      if (i >= dims[0] || (m->plan.ndims == 2 && j >= dims[1])) *cell(m, i, j) = m->plan.fill;
  m->plan.dims[0] = dims[0];
  if (m->plan.ndims == 2) m->plan.dims[1] = dims[1];
}

/* A step as numbers: what it does, and where. */
typedef struct {
  int op;
  hsize_t start[2], count[2]; /* of a box; the new extent in count */
  unsigned value;
} Step;

static int is_empty(const Plan* p) { return p->dims[0] == 0 || (p->ndims == 2 && p->dims[1] == 0); }

/* `now`: with the extent at the moment. */
static Step make_step(unsigned long long seed, unsigned number, const Plan* now) {
  Step s;
  const int grows = now->kind != kSingle && now->kind != kImplicit;
  seed_with(seed, number);
  memset(&s, 0, sizeof s);
  s.value = 1 + random_below(200);
  s.op = (int)random_below(kOps);
  if (s.op == kRecreate && random_below(3) != 0) s.op = kWriteBox;
  if (!grows && (s.op == kExtend || s.op == kShrink)) s.op = kScatter;
  if (is_empty(now) && s.op != kRecreate) s.op = grows ? kExtend : kRecreate;
  for (int d = 0; d < now->ndims; ++d) {
    const unsigned dim = (unsigned)now->dims[d], most = (unsigned)now->most[d];
    if (s.op == kExtend) {
      s.count[d] = dim + random_below(most - dim + 1);
      if (s.count[d] == 0) s.count[d] = most;
    } else if (s.op == kShrink) {
      s.count[d] = random_below(6) == 0 ? 0 : 1 + random_below(dim);
    } else if (dim > 0) {
      s.start[d] = random_below(dim);
      s.count[d] = 1 + random_below(dim - (unsigned)s.start[d]);
      /* Boxes that touch everything are rare: most chunks of a large dataset stay unwritten. */
      if (now->size == kLarge && random_below(4) != 0 && s.count[d] > 1500) s.count[d] = 1500;
    }
  }
  return s;
}

static unsigned char value_at(const Plan* p, const Step* s, hsize_t i, hsize_t j) {
  if (p->kind == kSingle) return (unsigned char)s->value;
  return (unsigned char)(s->value + i * 3 + j * 5 + (i >> 7));
}

/* The scattered elements of a step: a few, far from each other. */
enum { kPoints = 12 };
static void point_of(const Step* s, const Plan* p, int n, hsize_t* at) {
  for (int d = 0; d < p->ndims; ++d)
    at[d] = (s->start[d] + (hsize_t)n * (p->dims[d] / kPoints + 1)) % p->dims[d];
}

static void model_step(Model* m, const Step* s) {
  const Plan* p = &m->plan;
  hsize_t dims[2] = {p->dims[0], p->dims[1]};
  switch (s->op) {
    case kWriteBox:
      for (hsize_t i = 0; i < s->count[0]; ++i)
        for (hsize_t j = 0; j < (p->ndims == 2 ? s->count[1] : 1); ++j)
          *cell(m, s->start[0] + i, s->start[1] + j) =
              value_at(p, s, s->start[0] + i, s->start[1] + j);
      break;
    case kScatter:
      for (int n = 0; n < kPoints; ++n) {
        hsize_t at[2] = {0, 0};
        point_of(s, p, n, at);
        *cell(m, at[0], at[1]) = value_at(p, s, at[0], at[1]);
      }
      break;
    case kRecreate: memset(m->data, p->fill, cells(p)); break;
    default:
      dims[0] = s->count[0];
      dims[1] = s->count[1];
      model_resize(m, dims);
  }
}

static void model_init(Model* m, unsigned long long seed) {
  make_plan(seed, &m->plan);
  m->data = malloc(cells(&m->plan));
  if (m->data == NULL) exit(1);
  memset(m->data, m->plan.fill, cells(&m->plan));
}

static hid_t create_dataset(hid_t file, const Plan* p) {
  hid_t dcpl, space, set;
  CHECK(dcpl = H5Pcreate(H5P_DATASET_CREATE));
  CHECK(H5Pset_chunk(dcpl, p->ndims, p->chunk));
  if (p->fill != 0) CHECK(H5Pset_fill_value(dcpl, H5T_NATIVE_UCHAR, &p->fill));
  if (p->early) CHECK(H5Pset_alloc_time(dcpl, H5D_ALLOC_TIME_EARLY));
  if (p->filtered) CHECK(H5Pset_deflate(dcpl, 1));
  CHECK(space = H5Screate_simple(p->ndims, p->dims, p->max));
  CHECK(set = H5Dcreate2(file, "data", H5T_STD_U8LE, space, H5P_DEFAULT, dcpl, H5P_DEFAULT));
  CHECK(H5Sclose(space));
  CHECK(H5Pclose(dcpl));
  return set;
}

static void write_box(hid_t set, const Plan* p, const Step* s) {
  const hsize_t width = p->ndims == 2 ? s->count[1] : 1;
  unsigned char* buffer = malloc((size_t)(s->count[0] * width));
  hid_t file, memory;
  if (buffer == NULL) exit(1);
  for (hsize_t i = 0; i < s->count[0]; ++i)
    for (hsize_t j = 0; j < width; ++j)
      buffer[i * width + j] = value_at(p, s, s->start[0] + i, s->start[1] + j);
  CHECK(file = H5Dget_space(set));
  CHECK(H5Sselect_hyperslab(file, H5S_SELECT_SET, s->start, NULL, s->count, NULL));
  CHECK(memory = H5Screate_simple(p->ndims, s->count, NULL));
  CHECK(H5Dwrite(set, H5T_NATIVE_UCHAR, memory, file, H5P_DEFAULT, buffer));
  CHECK(H5Sclose(memory));
  CHECK(H5Sclose(file));
  free(buffer);
}

/* Commits between and behind steps, so that an index changes that is in the file already. */
static int flushes_behind(unsigned long long seed, unsigned number) {
  return (seed / 7 + number) % 4 != 0;
}

static void write_points(hid_t file, hid_t set, const Plan* p, const Step* s) {
  for (int n = 0; n < kPoints; ++n) {
    Step one = *s;
    point_of(s, p, n, one.start);
    one.count[0] = one.count[1] = 1;
    write_box(set, p, &one);
    if (s->value % 2 == 0 && n % 4 == 3) CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL));
  }
}

static void take_step(hid_t file, const Plan* p, const Step* s, unsigned long long seed,
                      unsigned number) {
  hid_t set;
  if (s->op == kRecreate) {
    CHECK(H5Ldelete(file, "data", H5P_DEFAULT));
    CHECK(set = create_dataset(file, p));
  } else {
    CHECK(set = H5Dopen2(file, "data", H5P_DEFAULT));
    if (s->op == kWriteBox)
      write_box(set, p, s);
    else if (s->op == kScatter)
      write_points(file, set, p, s);
    else
      CHECK(H5Dset_extent(set, s->count));
  }
  CHECK(H5Dclose(set));
  if (flushes_behind(seed, number)) CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL));
}

static hid_t access_list(const Plan* p) {
  hid_t fapl;
  CHECK(fapl = H5Pcreate(H5P_FILE_ACCESS));
  if (p->kind != kBtree1) CHECK(H5Pset_libver_bounds(fapl, H5F_LIBVER_V110, H5F_LIBVER_V110));
  return fapl;
}

static int check(hid_t file, Model* m) {
  const Plan* p = &m->plan;
  hsize_t dims[2] = {0, 0};
  unsigned char* buffer = malloc(cells(p));
  int bad = 0;
  hid_t set, space;
  if (buffer == NULL) exit(1);
  CHECK(set = H5Dopen2(file, "data", H5P_DEFAULT));
  CHECK(space = H5Dget_space(set));
  CHECK(H5Sget_simple_extent_dims(space, dims, NULL));
  if (dims[0] != p->dims[0] || dims[1] != p->dims[1]) bad = 1;
  /* First a chunk alone, as a lookup of its own, then all. */
  if (!bad && !is_empty(p)) {
    hsize_t at[2] = {p->dims[0] / 2, p->dims[1] / 2}, one[2] = {1, 1};
    hid_t memory;
    unsigned char value = 0;
    CHECK(memory = H5Screate_simple(p->ndims, one, NULL));
    CHECK(H5Sselect_hyperslab(space, H5S_SELECT_SET, at, NULL, one, NULL));
    CHECK(H5Dread(set, H5T_NATIVE_UCHAR, memory, space, H5P_DEFAULT, &value));
    if (value != *cell(m, at[0], at[1])) bad = 2;
    CHECK(H5Sclose(memory));
  }
  if (!bad && !is_empty(p)) {
    const hsize_t width = p->ndims == 2 ? p->dims[1] : 1;
    CHECK(H5Dread(set, H5T_NATIVE_UCHAR, H5S_ALL, H5S_ALL, H5P_DEFAULT, buffer));
    for (hsize_t i = 0; i < p->dims[0]; ++i)
      for (hsize_t j = 0; j < width; ++j)
        if (!bad && buffer[i * width + j] != *cell(m, i, j)) {
          fprintf(stderr, "element %llu %llu is %d, not %d\n", (unsigned long long)i,
                  (unsigned long long)j, buffer[i * width + j], *cell(m, i, j));
          bad = 3;
        }
  }
  CHECK(H5Sclose(space));
  CHECK(H5Dclose(set));
  if (!bad) {
    /* For readers that don't know the model. */
    unsigned long long sum = 0,
                       count = is_empty(p) ? 0 : p->dims[0] * (p->ndims == 2 ? p->dims[1] : 1);
    for (unsigned long long i = 0; i < count; ++i) sum += buffer[i] * (i % 251 + 1);
    printf("sum=%llu\n", sum);
  }
  free(buffer);
  if (bad) fprintf(stderr, "what is read differs (%d)\n", bad);
  return bad ? 3 : 0;
}

static int describe(unsigned long long seed) {
  Plan p;
  make_plan(seed, &p);
  printf("kind=%s size=%s filtered=%s early=%s ndims=%d fill=%s\n", kind_names[p.kind],
         size_names[p.size], p.filtered ? "yes" : "no", p.early ? "yes" : "no", p.ndims,
         p.fill ? "given" : "zero");
  return 0;
}

int main(int argc, char** argv) {
  Model m;
  unsigned from = 0, to = 0, n;
  int checks, status = 0;
  unsigned long long seed;
  hid_t fapl, file;
  if (argc < 4) return 2;
  seed = strtoull(argv[2], NULL, 10);
  if (strcmp(argv[3], "describe") == 0) return describe(seed);
  if (argc < 5) return 2;
  checks = strcmp(argv[3], "check") == 0;
  from = checks ? 0 : (unsigned)atoi(argv[3]);
  to = (unsigned)atoi(argv[4]);
  model_init(&m, seed);
  fapl = access_list(&m.plan);
  if (!checks && from == 0) {
    CHECK(file = H5Fcreate(argv[1], H5F_ACC_TRUNC, H5P_DEFAULT, fapl));
    CHECK(H5Dclose(create_dataset(file, &m.plan)));
  } else {
    CHECK(file = H5Fopen(argv[1], checks ? H5F_ACC_RDONLY : H5F_ACC_RDWR, fapl));
  }
  for (n = 1; n < to; ++n) {
    const Plan before = m.plan;
    const Step s = make_step(seed, n, &before);
    if (!checks && n >= from) {
      take_step(file, &before, &s, seed, n);
      printf("%s\n", op_names[s.op]);
      if (flushes_behind(seed, n)) printf("flush\n");
    }
    model_step(&m, &s);
  }
  if (checks) status = check(file, &m);
  CHECK(H5Fclose(file));
  CHECK(H5Pclose(fapl));
  free(m.data);
  return status;
}
