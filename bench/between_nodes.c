/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/*
 * What collective transfers send between nodes: bytes and packets that left each node, as its network interface counts
 * them, beside what had to.
 *
 *   mpirun ... between_nodes [-s KiB of a rank] [-d folder] [-i interface] [-t] [workload...]
 *
 *   -t  the seconds of each call too (slowest rank), for networks that are made slow
 *
 * Ranks of a node are to be neighbours. The folder is to be on a file system that sends nothing itself: all nodes are
 * played on one machine, say, with a network namespace each.
 * One line for each workload and direction: bytes moved; bytes that have to cross where each chunk is put together on the
 * node that has most of it; bytes and packets that crossed in the same calls with nothing selected; those that
 * crossed above these. What was read, another rank's, is compared. Needs nothing newer than HDF5 1.10 and MPI, so one source
 * serves for libpcio and libhdf5.
 */
#include <hdf5.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CK(e)                                                               \
  do {                                                                      \
    if ((e) < 0) {                                                          \
      fprintf(stderr, "between_nodes: line %d: %s failed\n", __LINE__, #e); \
      MPI_Abort(MPI_COMM_WORLD, 1);                                         \
    }                                                                       \
  } while (0)

enum {
  kColumns = 1024,
  kChunkRows = 128
}; /* of 8 bytes; a chunk has a row's width, or a part of it */

static int me, ranks, nodes, here, timed;
static const char *folder = ".", *interface = "eth0";

/* A rank's selection: rows [first, first + rows), in each of them pieces of `piece` elements every `stride`. */
struct part {
  hsize_t first, rows, column, stride, count, piece;
};
struct workload {
  const char *name;
  hsize_t rows, chunk_rows, chunk_columns;
  int filtered;
};

struct traffic {
  unsigned long long bytes, packets;
};

/* Sent by all nodes since they were started. */
static struct traffic sent(void) {
  static int leads = -1;
  unsigned long long words[2] = {0, 0};
  struct traffic all;
  if (leads < 0) {
    MPI_Comm node;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_rank(node, &leads);
    leads = leads == 0;
    MPI_Comm_free(&node);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  usleep(20000); /* what acknowledges the last piece is on its way */
  if (leads) {
    char line[512];
    FILE *f = fopen("/proc/self/net/dev", "r");
    while (f && fgets(line, sizeof line, f)) {
      char *at = strchr(line, ':'), *name = line + strspn(line, " ");
      if (!at || strncmp(name, interface, strlen(interface)) != 0 || name[strlen(interface)] != ':')
        continue;
      sscanf(at + 1, "%*u %*u %*u %*u %*u %*u %*u %*u %llu %llu", &words[0], &words[1]);
    }
    if (f) fclose(f);
  }
  MPI_Allreduce(MPI_IN_PLACE, words, 2, MPI_UNSIGNED_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  all.bytes = words[0];
  all.packets = words[1];
  return all;
}

static int node_of(int rank) { return rank / (ranks / nodes); }

/* The workload, and what `rank` has of it; `kib` of each. */
static struct part part_of(struct workload *w, const char *name, int rank, hsize_t kib) {
  struct part p = {0, 0, 0, kColumns, 1, kColumns};
  const hsize_t rows = kib * 1024 / 8 / kColumns / kChunkRows * kChunkRows;
  const int per = ranks / nodes;
  const char *plain = strncmp(name, "filtered_", 9) == 0 ? name + 9 : name;
  w->name = name;
  w->filtered = plain != name;
  w->rows = rows * ranks;
  w->chunk_rows = kChunkRows;
  w->chunk_columns = kColumns;
  p.first = rank * rows;
  p.rows = rows;
  if (strcmp(plain, "aligned") == 0) return p;
  if (strcmp(plain, "node_shared") == 0) { /* columns of chunks that belong to one node */
    p.first = node_of(rank) * rows * per;
    p.rows = rows * per;
    p.piece = p.stride = kColumns / per;
    p.column = (rank % per) * p.piece;
    return p;
  }
  if (strcmp(plain, "across") == 0) { /* rows that end in the midst of chunks, and of nodes */
    p.rows = rows + kChunkRows / 4;
    p.first = rank * p.rows;
    w->rows = p.rows * ranks;
    return p;
  }
  if (strcmp(plain, "shared") == 0 ||
      strcmp(plain, "cyclic") == 0) { /* columns of all ranks in each chunk */
    p.first = 0;
    p.rows = rows * ranks;
    p.piece = plain[0] == 's' ? kColumns / ranks : 8;
    p.column = rank * p.piece;
    p.stride = p.piece * ranks;
    p.count = kColumns / p.stride;
    return p;
  }
  if (strcmp(plain, "pieces") == 0) { /* one element here and there: a sixteenth of the bytes */
    p.first = 0;
    p.rows = rows * ranks;
    p.piece = 1;
    p.column = rank;
    p.stride = 16 * ranks;
    p.count = kColumns / p.stride;
    return p;
  }
  fprintf(stderr, "between_nodes: no workload is called %s\n", name);
  MPI_Abort(MPI_COMM_WORLD, 2);
  return p;
}

static hsize_t elements(const struct part *p) { return p->rows * p->count * p->piece; }

/* Bytes of chunks that are not on the node that has most of each. Chunks are as wide as the rows. */
static unsigned long long must_cross(const struct workload *w, const char *name, hsize_t kib) {
  unsigned long long crosses = 0, *of = calloc((size_t)nodes, sizeof *of);
  for (hsize_t chunk = 0; chunk * w->chunk_rows < w->rows; ++chunk) {
    unsigned long long all = 0, most = 0;
    memset(of, 0, (size_t)nodes * sizeof *of);
    for (int rank = 0; rank < ranks; ++rank) {
      struct workload ignored;
      const struct part p = part_of(&ignored, name, rank, kib);
      const hsize_t begin = chunk * w->chunk_rows, end = begin + w->chunk_rows;
      const hsize_t from = p.first > begin ? p.first : begin,
                    to = p.first + p.rows < end ? p.first + p.rows : end;
      if (from < to) of[node_of(rank)] += (to - from) * p.count * p.piece * 8;
    }
    for (int node = 0; node < nodes; ++node) {
      all += of[node];
      if (of[node] > most) most = of[node];
    }
    crosses += all - most;
  }
  free(of);
  return crosses;
}

static hid_t select_part(hid_t space, const struct part *p, int nothing) {
  if (nothing) {
    CK(H5Sselect_none(space));
  } else {
    const hsize_t start[2] = {p->first, p->column}, stride[2] = {p->rows, p->stride},
                  count[2] = {1, p->count}, block[2] = {p->rows, p->piece};
    CK(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, stride, count, block));
  }
  return space;
}

static double value(hsize_t row, hsize_t column) { return (double)(row * kColumns + column) + 0.5; }

/* Fills the packed buffer of a part, or counts what is wrong in it. */
static long long walk(const struct part *p, double *data, int checks) {
  long long wrong = 0;
  for (hsize_t row = 0; row < p->rows; ++row)
    for (hsize_t k = 0; k < p->count; ++k)
      for (hsize_t i = 0; i < p->piece; ++i, ++data) {
        const double is = value(p->first + row, p->column + k * p->stride + i);
        if (!checks)
          *data = is;
        else
          wrong += *data != is;
      }
  return wrong;
}

/* One collective transfer: what it sent, and the seconds of the slowest rank. */
static struct traffic transfer(hid_t set, const struct part *p, double *data, int writes,
                               int nothing, double *seconds) {
  hid_t list = H5Pcreate(H5P_DATASET_XFER), file = select_part(H5Dget_space(set), p, nothing),
        memory;
  hsize_t count = elements(p);
  struct traffic before, after;
  CK(H5Pset_dxpl_mpio(list, H5FD_MPIO_COLLECTIVE));
  CK(memory = H5Screate_simple(1, &count, NULL));
  if (nothing) CK(H5Sselect_none(memory));
  before = sent();
  *seconds = MPI_Wtime();
  if (writes)
    CK(H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, file, list, data));
  else
    CK(H5Dread(set, H5T_NATIVE_DOUBLE, memory, file, list, data));
  *seconds = MPI_Wtime() - *seconds;
  MPI_Allreduce(MPI_IN_PLACE, seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  after = sent();
  CK(H5Sclose(memory));
  CK(H5Sclose(file));
  CK(H5Pclose(list));
  after.bytes -= before.bytes;
  after.packets -= before.packets;
  return after;
}

static void show(const struct workload *w, const char *what, unsigned long long moved,
                 unsigned long long crosses, struct traffic nothing, struct traffic all,
                 double seconds, long long wrong) {
  unsigned a, b, c;
  if (me != 0) return;
  H5get_libversion(&a, &b, &c);
  printf("%-20s %-5s moved %llu must_cross %llu nothing %llu (%llu) crossed %lld (%lld)", w->name,
         what, moved, crosses, nothing.bytes, nothing.packets,
         (long long)(all.bytes - nothing.bytes), (long long)(all.packets - nothing.packets));
  if (timed) printf(" seconds %.4f", seconds);
  printf(" wrong %lld\n", wrong);
  fflush(stdout);
}

static long long run(const char *name, hsize_t kib) {
  struct workload w;
  const struct part mine = part_of(&w, name, me, kib);
  struct workload ignored;
  const struct part other = part_of(&ignored, name, (me + ranks / nodes) % ranks, kib);
  const unsigned long long moved = elements(&mine) * 8 * (unsigned long long)ranks,
                           crosses = must_cross(&w, name, kib);
  const hsize_t dims[2] = {w.rows, kColumns}, chunk[2] = {w.chunk_rows, w.chunk_columns};
  double *data = malloc(elements(&mine) * 8 + 8), seconds, none;
  char path[4096];
  hid_t access = H5Pcreate(H5P_FILE_ACCESS), create = H5Pcreate(H5P_DATASET_CREATE), space, file,
        set;
  struct traffic nothing, all;
  long long wrong;
  snprintf(path, sizeof path, "%s/between_nodes.h5", folder);
  CK(H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL));
  CK(H5Pset_chunk(create, 2, chunk));
  if (w.filtered) CK(H5Pset_fletcher32(create));
  CK(H5Pset_fill_time(create, H5D_FILL_TIME_NEVER));
  CK(file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access));
  CK(space = H5Screate_simple(2, dims, NULL));
  CK(set = H5Dcreate2(file, "data", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, create, H5P_DEFAULT));
  nothing = transfer(set, &mine, data, 1, 1, &none);
  walk(&mine, data, 0);
  all = transfer(set, &mine, data, 1, 0, &seconds);
  show(&w, "write", moved, crosses, nothing, all, seconds, 0);
  CK(H5Dclose(set));
  CK(H5Fclose(file));
  CK(file = H5Fopen(path, H5F_ACC_RDONLY, access));
  CK(set = H5Dopen2(file, "data", H5P_DEFAULT));
  memset(data, 0, elements(&mine) * 8);
  nothing = transfer(set, &other, data, 0, 1, &none);
  all = transfer(set, &other, data, 0, 0, &seconds);
  wrong = walk(&other, data, 1);
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
  show(&w, "read", moved, crosses, nothing, all, seconds, wrong);
  CK(H5Dclose(set));
  CK(H5Sclose(space));
  CK(H5Fclose(file));
  CK(H5Pclose(create));
  CK(H5Pclose(access));
  free(data);
  MPI_Barrier(MPI_COMM_WORLD);
  if (me == 0) unlink(path);
  return wrong;
}

int main(int argc, char **argv) {
  static const char *const names[] = {
      "aligned",         "node_shared",     "across",           "shared",
      "cyclic",          "pieces",          "filtered_aligned", "filtered_node_shared",
      "filtered_across", "filtered_shared", "filtered_cyclic",  "filtered_pieces"};
  hsize_t kib = 4096;
  long long wrong = 0;
  int option, leads;
  MPI_Comm node;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  while ((option = getopt(argc, argv, "s:d:i:t")) != -1) {
    if (option == 's') kib = strtoull(optarg, NULL, 0);
    if (option == 'd') folder = optarg;
    if (option == 'i') interface = optarg;
    if (option == 't') timed = 1;
  }
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Comm_rank(node, &here);
  leads = here == 0;
  MPI_Allreduce(&leads, &nodes, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Comm_free(&node);
  if (me == 0)
    printf("%d nodes of %d ranks, %llu KiB of each\n", nodes, ranks / nodes,
           (unsigned long long)kib);
  if (optind < argc)
    for (int i = optind; i < argc; ++i) wrong += run(argv[i], kib);
  else
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) wrong += run(names[i], kib);
  MPI_Finalize();
  return wrong != 0;
}
