// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// A benchmark of I/O as there are many: segments of one block per rank, each moved in transfers of equal size, with or without
// collective calls, chunks and a filter; read again as it was written or from the next rank, and checked. Nothing is timed.
// Room: test/dropin/programs; a project of its own, which knows of HDF5 only.
//
//   blocks [-b BLOCK] [-t TRANSFER] [-s SEGMENTS] [-k CHUNK] [-c] [-C] [-z LEVEL] FILE   in elements of 8 bytes

#include <hdf5.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct {
  hsize_t block, transfer, segments, chunk;
  int collective, other_reads, level;
} wishes;

static int rank, ranks;

static void must(int so, const char* what) {
  if (so) return;
  fprintf(stderr, "rank %d: %s\n", rank, what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static long long value_at(hsize_t element) {
  return (long long)(element * 2654435761U % 1000003U) - 500000;
}

static wishes read_wishes(int argc, char** argv) {
  wishes w = {64, 16, 4, 0, 0, 0, 0};
  for (int option; (option = getopt(argc, argv, "b:t:s:k:z:cC")) != -1;) {
    switch (option) {
      case 'b': w.block = strtoull(optarg, NULL, 10); break;
      case 't': w.transfer = strtoull(optarg, NULL, 10); break;
      case 's': w.segments = strtoull(optarg, NULL, 10); break;
      case 'k': w.chunk = strtoull(optarg, NULL, 10); break;
      case 'z': w.level = atoi(optarg); break;
      case 'c': w.collective = 1; break;
      case 'C': w.other_reads = 1; break;
      default: must(0, "unknown option");
    }
  }
  must(optind + 1 == argc, "which file?");
  must(w.transfer > 0 && w.block % w.transfer == 0, "a block is a whole number of transfers");
  return w;
}

// Where transfer number `number` of a rank begins, in elements.
static hsize_t place_of(const wishes* w, int whose, hsize_t number) {
  const hsize_t each = w->block / w->transfer;
  return (number / each * (hsize_t)ranks + (hsize_t)whose) * w->block + number % each * w->transfer;
}

static hid_t open_file(const char* name, int create) {
  hid_t fapl = H5Pcreate(H5P_FILE_ACCESS);
  must(H5Pset_fapl_mpio(fapl, MPI_COMM_WORLD, MPI_INFO_NULL) >= 0, "H5Pset_fapl_mpio");
  must(H5Pset_alignment(fapl, 1, 512) >= 0, "H5Pset_alignment");
  hid_t file = create ? H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, fapl)
                      : H5Fopen(name, H5F_ACC_RDONLY, fapl);
  must(file >= 0, "the file");
  H5Pclose(fapl);
  return file;
}

static hid_t create_data(hid_t file, const wishes* w) {
  const hsize_t all = w->segments * (hsize_t)ranks * w->block;
  hid_t space = H5Screate_simple(1, &all, NULL);
  hid_t dcpl = H5Pcreate(H5P_DATASET_CREATE);
  if (w->chunk > 0) must(H5Pset_chunk(dcpl, 1, &w->chunk) >= 0, "H5Pset_chunk");
  if (w->level > 0)
    must(H5Pset_shuffle(dcpl) >= 0 && H5Pset_deflate(dcpl, (unsigned)w->level) >= 0, "filters");
  hid_t data = H5Dcreate2(file, "blocks", H5T_STD_I64LE, space, H5P_DEFAULT, dcpl, H5P_DEFAULT);
  must(data >= 0, "H5Dcreate2");
  H5Pclose(dcpl);
  H5Sclose(space);
  return data;
}

// All transfers of one rank's blocks, written, or read and compared.
static void move_all(hid_t data, const wishes* w, int whose, int write) {
  hid_t dxpl = H5Pcreate(H5P_DATASET_XFER);
  H5Pset_dxpl_mpio(dxpl, w->collective ? H5FD_MPIO_COLLECTIVE : H5FD_MPIO_INDEPENDENT);
  hid_t memory = H5Screate_simple(1, &w->transfer, NULL), space = H5Dget_space(data);
  long long* buffer = malloc(w->transfer * sizeof *buffer);
  must(buffer != NULL, "memory");
  const hsize_t transfers = w->segments * (w->block / w->transfer);
  for (hsize_t number = 0; number < transfers; ++number) {
    const hsize_t begin = place_of(w, whose, number);
    must(H5Sselect_hyperslab(space, H5S_SELECT_SET, &begin, NULL, &w->transfer, NULL) >= 0,
         "H5Sselect_hyperslab");
    if (write) {
      for (hsize_t i = 0; i < w->transfer; ++i) buffer[i] = value_at(begin + i);
      must(H5Dwrite(data, H5T_NATIVE_LLONG, memory, space, dxpl, buffer) >= 0, "H5Dwrite");
    } else {
      must(H5Dread(data, H5T_NATIVE_LLONG, memory, space, dxpl, buffer) >= 0, "H5Dread");
      for (hsize_t i = 0; i < w->transfer; ++i)
        must(buffer[i] == value_at(begin + i), "read what was not written");
    }
  }
  free(buffer);
  H5Sclose(space);
  H5Sclose(memory);
  H5Pclose(dxpl);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const wishes w = read_wishes(argc, argv);
  hid_t file = open_file(argv[optind], 1), data = create_data(file, &w);
  move_all(data, &w, rank, 1);
  must(H5Dclose(data) >= 0 && H5Fclose(file) >= 0, "close after writing");
  file = open_file(argv[optind], 0);
  data = H5Dopen2(file, "blocks", H5P_DEFAULT);
  move_all(data, &w, w.other_reads ? (rank + 1) % ranks : rank, 0);
  must(H5Dclose(data) >= 0 && H5Fclose(file) >= 0, "close after reading");
  if (rank == 0)
    printf("blocks: %llu elements of %d ranks\n",
           (unsigned long long)(w.segments * w.block) * (unsigned)ranks, ranks);
  MPI_Finalize();
  return 0;
}
