/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright The libpcio authors
 *
 * exit_cases FOLDER DRIVER ENDING [LAYOUT FILTER]: leaves files of all layouts and filters (or of one)
 * open, and ends.
 *
 * ENDING exit-in-transfer: rank 0 exits in a conversion of a transfer of all ranks.
 * ENDING exit-after-stripes: all ranks exit behind writes, of encoded chunks and of columns that share stripes, which no
 * flush has followed. PCIO_CHECK has the nodes and the stripes.
 *
 * Says "written" when everything is, so that a failure before it is not taken for one of the ending. */
#include <mpi.h>
#include <pcio.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "exit_files.h"

static const char* ending = "return";
static hid_t handler_file = -1;
static int use_mpi = 0;

/* ---- what runs while the process ends ------------------------------------------------------------ */

static void say(const char* text) { (void)!write(2, text, strlen(text)); }

/* Registered before the library is used: runs when it has closed everything. The library opens again. */
static void late_handler(void) {
  char path[4096];
  const char* folder = getenv("PCIO_EXIT_FOLDER");
  snprintf(path, sizeof path, "%s/handler.h5", folder);
  if (use_mpi) return;
  if (leave_open(path, kBtree, 6, H5P_DEFAULT, H5P_DEFAULT) < 0) say("late handler: failed\n");
}

/* Registered after the first use: runs while everything is open. */
static void early_handler(void) {
  hid_t scalar = H5Screate(H5S_SCALAR);
  hid_t set = H5Dcreate2(handler_file, "early", H5T_NATIVE_INT, scalar, H5P_DEFAULT, H5P_DEFAULT,
                         H5P_DEFAULT);
  const int seven = 7;
  if (H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, &seven) < 0)
    say("early handler: failed\n");
}

static void last_words(void) {
  /* The ids are gone: an error, no crash. */
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  if (handler_file >= 0 && H5Fclose(handler_file) >= 0) say("last words: a file was still open\n");
}

__attribute__((destructor)) static void destructor(void) {
  if (strcmp(ending, "destructor") == 0) last_words();
}

static pthread_key_t key;
static void thread_over(void* unused) {
  (void)unused;
  if (H5Fflush(handler_file, H5F_SCOPE_GLOBAL) < 0) say("thread's end: no flush\n");
}

static void* end_in_thread(void* status) {
  if (strcmp(ending, "_exit-in-thread") == 0) _exit(0);
  pthread_setspecific(key, &key);
  if (strcmp(ending, "thread-then-exit") == 0) return NULL;
  exit(*(int*)status);
}

/* ---- the work ------------------------------------------------------------------------------------ */

static hid_t access_list(const char* driver) {
  hid_t list = H5Pcreate(H5P_FILE_ACCESS);
  herr_t done = 0;
  if (strcmp(driver, "core") == 0) done = H5Pset_fapl_core(list, 65536, 1);
  if (strcmp(driver, "mpio") == 0) done = H5Pset_fapl_mpio(list, MPI_COMM_WORLD, MPI_INFO_NULL);
  if (strcmp(driver, "mpiposix") == 0) done = H5Pset_fapl_mpiposix(list, MPI_COMM_WORLD, 0);
  return done < 0 ? -1 : list;
}

/* Every rank of a parallel file writes everything: the same bytes. */
static int make_files(const char* folder, const char* driver, int layout, int filter) {
  hid_t list = access_list(driver), transfer = H5Pcreate(H5P_DATASET_XFER);
  if (use_mpi) H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE);
  for (int l = 0; l < kLayouts; ++l)
    for (int f = 0; f < kFilters; ++f) {
      char path[4096];
      if (!exists(l, f) || (layout >= 0 && (l != layout || f != filter))) continue;
      snprintf(path, sizeof path, "%s/%d.%d.h5", folder, l, f);
      if (leave_open(path, l, f, list, transfer) < 0) return -1;
    }
  char path[4096];
  snprintf(path, sizeof path, "%s/more.h5", folder);
  handler_file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, list);
  return handler_file < 0 ? -1 : 0;
}

/* Of rank 0's part of a transfer of all ranks. */
static int may_end = 0;
static H5T_conv_ret_t end_in_conversion(H5T_conv_except_t what, hid_t from, hid_t to, void* value,
                                        void* target, void* unused) {
  (void)what, (void)from, (void)to, (void)value, (void)unused;
  if (may_end) exit(3);
  *(signed char*)target = 7;
  return H5T_CONV_HANDLED;
}

/* Chunks with filters, each of which has elements of all ranks. Returns only where something is wrong. */
static int end_in_transfer(const char* folder) {
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const hsize_t chunk = 8, mine = 32, all = mine * (hsize_t)ranks, first = (hsize_t)rank,
                step = (hsize_t)ranks;
  hid_t list = access_list("mpio"), create = H5Pcreate(H5P_DATASET_CREATE);
  hid_t space = H5Screate_simple(1, &all, NULL), memory = H5Screate_simple(1, &mine, NULL);
  hid_t transfer = H5Pcreate(H5P_DATASET_XFER);
  char path[4096];
  snprintf(path, sizeof path, "%s/conversion.h5", folder);
  H5Pset_chunk(create, 1, &chunk);
  H5Pset_deflate(create, 1);
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, list);
  hid_t set = H5Dcreate2(file, "d", H5T_STD_I8LE, space, H5P_DEFAULT, create, H5P_DEFAULT);
  if (H5Fflush(file, H5F_SCOPE_GLOBAL) < 0) return 2;
  H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE);
  H5Pset_type_conv_cb(transfer, end_in_conversion, NULL);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, &first, &step, &mine, NULL);
  int values[32];
  for (int i = 0; i < 32; ++i) values[i] = 1000;
  printf("written\n");
  fflush(stdout);
  may_end = rank == 0;
  H5Dwrite(set, H5T_NATIVE_INT, memory, space, transfer, values);
  return 2;
}

/* Whether letters went between nodes in the last transfer with the list. */
static int was_sent(hid_t transfer) {
  pcio_transfer_report_t report;
  unsigned long long letters = 0;
  if (pcio_get_transfer_report(transfer, &report, sizeof report) < 0) return 0;
  letters = report.messages_between_nodes;
  MPI_Allreduce(MPI_IN_PLACE, &letters, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
  return letters > 0;
}

/* Of the encoded dataset every so manieth row, which is a chunk, of the other one every so manieth column. */
static int write_stripes(hid_t set, int encoded, hid_t transfer, int state) {
  static int values[STRIPES_ROWS * STRIPES_ROW];
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  hsize_t start[2] = {0, 0}, step[2] = {1, 1}, count[2] = {STRIPES_ROWS, STRIPES_ROW};
  const int across = encoded ? 0 : 1;
  start[across] = (hsize_t)rank;
  step[across] = (hsize_t)ranks;
  count[across] = (count[across] - start[across] + step[across] - 1) / step[across];
  for (hsize_t i = 0; i < count[0]; ++i)
    for (hsize_t j = 0; j < count[1]; ++j)
      values[i * count[1] + j] =
          stripes_value((int)(start[0] + i * step[0]), (int)(start[1] + j * step[1]), state);
  hid_t space = H5Dget_space(set), memory = H5Screate_simple(2, count, NULL);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, step, count, NULL);
  return H5Dwrite(set, H5T_NATIVE_INT, memory, space, transfer, values) < 0 ||
         (ranks > 1 && !was_sent(transfer));
}

/* Returns only where something is wrong. */
static int end_after_stripes(const char* folder) {
  const hsize_t dims[2] = {STRIPES_ROWS, STRIPES_ROW}, row[2] = {1, STRIPES_ROW};
  hid_t list = access_list("mpio"), create = H5Pcreate(H5P_DATASET_CREATE),
        transfer = H5Pcreate(H5P_DATASET_XFER), space = H5Screate_simple(2, dims, NULL), sets[2];
  H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE);
  H5Pset_chunk(create, 2, row);
  H5Pset_deflate(create, 1);
  char path[4096];
  snprintf(path, sizeof path, "%s/stripes.h5", folder);
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, list);
  for (int encoded = 0; encoded < 2; ++encoded)
    sets[encoded] = H5Dcreate2(file, kStripesNames[encoded], H5T_STD_I32LE, space, H5P_DEFAULT,
                               encoded ? create : H5P_DEFAULT, H5P_DEFAULT);
  /* The second time there are free bytes, of the first time's chunks: not those of the commit. */
  for (int turn = 0; turn < 3; ++turn) {
    for (int encoded = 0; encoded < 2; ++encoded)
      if (write_stripes(sets[encoded], encoded, transfer, turn == 0 ? kFlushed : kComplete))
        return 2;
    if (turn == 0 && H5Fflush(file, H5F_SCOPE_GLOBAL) < 0) return 2;
  }
  if (H5Gcreate2(file, "late", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT) < 0) return 2;
  printf("written\n");
  fflush(stdout);
  /* The launcher ends the others as soon as one has gone. */
  MPI_Barrier(MPI_COMM_WORLD);
  _exit(0);
}

static int is(const char* name) { return strcmp(ending, name) == 0; }

/* Ends the process in the way that was asked for; returns where main() is to return. */
static int end_process(void) {
  static int zero = 0;
  pthread_t thread;
  if (is("exit")) exit(0);
  if (is("_exit")) _exit(0);
  if (is("quick_exit")) quick_exit(0);
  if (is("abort")) abort();
  if (is("H5close")) return H5close() < 0;
  if (is("handler-after") && atexit(early_handler) != 0) return 1;
  if (is("exit-in-thread") || is("_exit-in-thread") || is("thread-then-exit")) {
    pthread_key_create(&key, thread_over);
    pthread_create(&thread, NULL, end_in_thread, &zero);
    pthread_join(thread, NULL);
    return 0;
  }
  if (is("pthread_exit")) pthread_exit(NULL);
  if (is("fork")) {
    int status = -1;
    pid_t child = fork();
    if (child == 0) exit(0);
    waitpid(child, &status, 0);
    if (status != 0) say("fork: the child did not leave in peace\n");
    return status != 0 || (!use_mpi && H5Fflush(handler_file, H5F_SCOPE_GLOBAL) < 0);
  }
  if (is("finalize")) return MPI_Finalize() != MPI_SUCCESS;
  return 0; /* return, handler-before, destructor, dlclose */
}

/* For a program that loads this as a library. */
int run_case(int argc, char** argv) {
  if (argc < 4) return 2;
  ending = argv[3];
  setenv("PCIO_EXIT_FOLDER", argv[1], 1);
  use_mpi = strncmp(argv[2], "mpi", 3) == 0;
  if (is("handler-before") && atexit(late_handler) != 0) return 2;
  if (use_mpi) MPI_Init(&argc, &argv);
  if (is("exit-in-transfer")) return end_in_transfer(argv[1]);
  if (is("exit-after-stripes")) return end_after_stripes(argv[1]);
  const int layout = argc > 5 ? atoi(argv[4]) : -1, filter = argc > 5 ? atoi(argv[5]) : 0;
  if (make_files(argv[1], argv[2], layout, filter) < 0) return 2;
  printf("written\n");
  fflush(stdout);
  return end_process();
}

#ifndef PCIO_TEST_MODULE
int main(int argc, char** argv) {
  const int status = run_case(argc, argv);
  /* What MPI holds is given back where the test is not about that. */
  if (status == 0 && use_mpi && !is("no-finalize") && !is("finalize")) {
    int over = 0;
    MPI_Finalized(&over);
    if (!over) MPI_Finalize();
  }
  return status;
}
#endif
