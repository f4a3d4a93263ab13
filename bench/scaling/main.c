/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/*
 * How cost grows with counts: each count there is is doubled, and the exponent of the growth printed.
 *
 *   scaling_counts [-n smallest] [-t times doubled] [-m most exponent] [-d folder] [-1] [-l] [name ...]
 *
 * Without names all cases run; "-n 0" (the default) takes each case's own smallest count. Needs
 * nothing newer than HDF5 1.10.5, so one source serves for libpcio and libhdf5; serial. One line for
 * each case: name, count, work at the largest count (instructions where the system counts them, else
 * microseconds of the processor), work for one, most memory allocated at a time for one (bytes; of
 * what is above the smallest count's), bytes of files moved for one, and the exponent of the work
 * between the last two counts. The end is 1 where an exponent is above the most that is allowed (1.1
 * with -m 1.1; default: none).
 *
 * -1 runs each case once, in this process, at its smallest count, and prints its memory and bytes:
 * for counting of the whole process from outside, as scaling.sh does with valgrind. -l lists the cases.
 */
#define _GNU_SOURCE
#include <math.h>
#include <sys/wait.h>

#include "scaling.h"

hid_t scaling_file, scaling_scalar;
char scaling_path[512];
static const char *folder = "/dev/shm";

static const struct scaling_case *const all_cases[] = {
    object_cases, link_cases, attribute_cases, type_cases, data_cases, list_cases, planted_cases};

void reopen(void) {
  CK(H5Fclose(file));
  CK(file = H5Fopen(scaling_path, H5F_ACC_RDWR, H5P_DEFAULT));
}

static struct scaling_cost run_here(void (*run)(long), long n) {
  snprintf(scaling_path, sizeof scaling_path, "%s/scaling_counts-%d.h5", folder, (int)getpid());
  CK(file = H5Fcreate(scaling_path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  CK(scalar = H5Screate(H5S_SCALAR));
  start_counting();
  run(n);
  CK(H5Fclose(file));
  struct scaling_cost cost = counted();
  unlink(scaling_path);
  return cost;
}

/* In a process of its own, so that memory is its own. Work below 0: it failed. */
static struct scaling_cost measure(void (*run)(long), long n) {
  struct scaling_cost cost = {-1, 0, 0};
  int ends[2];
  if (pipe(ends) < 0) return cost;
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    cost = run_here(run, n);
    _exit(write(ends[1], &cost, sizeof cost) == sizeof cost ? 0 : 1);
  }
  close(ends[1]);
  if (read(ends[0], &cost, sizeof cost) != sizeof cost) cost.work = -1;
  close(ends[0]);
  if (child > 0) waitpid(child, NULL, 0);
  return cost;
}

static int wanted(const char *name, int count, char **names) {
  for (int i = 0; i < count; ++i)
    if (!strcmp(name, names[i])) return 1;
  return count == 0 && strcmp(name, planted_cases->name) != 0;
}

/* Returns 0 where the case grows as it may. */
static int grow(const struct scaling_case *one, long n, long doublings, double most) {
  const long least = n;
  struct scaling_cost first = measure(one->run, n), before = first, now = first;
  for (long i = 0; i < doublings && now.work >= 0; ++i) {
    before = now;
    n *= 2;
    now = measure(one->run, n);
  }
  if (now.work < 0) {
    printf("%-22s %9ld failed\n", one->name, n);
    return 1;
  }
  const double exponent = log2(now.work / before.work), more = n > least ? (double)(n - least) : 1;
  printf("%-22s %9ld %14.0f %10.1f %10.1f %10.1f %8.2f%s\n", one->name, n, now.work,
         now.work / (double)n, (now.peak - first.peak) / more, (now.moved - first.moved) / more,
         exponent, exponent > most ? "  TOO MUCH" : "");
  fflush(stdout);
  return exponent > most;
}

int main(int argc, char **argv) {
  long smallest = 0, doublings = 3;
  double most = 1e9;
  int option, bad = 0, once = 0, list = 0;
  while ((option = getopt(argc, argv, "n:t:m:d:1l")) != -1) {
    if (option == 'n') smallest = atol(optarg);
    if (option == 't') doublings = atol(optarg);
    if (option == 'm') most = atof(optarg);
    if (option == 'd') folder = optarg;
    if (option == '1') once = 1;
    if (option == 'l') list = 1;
    if (option == '?') return 2;
  }
  if (!once && !list)
    printf("%-22s %9s %14s %10s %10s %10s %8s   (%s)\n", "case", "count", "work", "for one",
           "memory", "moved", "exponent", counts_instructions() ? "instructions" : "microseconds");
  for (size_t g = 0; g < sizeof all_cases / sizeof *all_cases; ++g)
    for (const struct scaling_case *one = all_cases[g]; one->name; ++one) {
      if (!wanted(one->name, argc - optind, argv + optind)) continue;
      if (list) {
        puts(one->name);
        continue;
      }
      const long n = smallest > 0 ? smallest : one->smallest;
      if (!once) {
        bad |= grow(one, n, doublings, most);
        continue;
      }
      const struct scaling_cost cost = run_here(one->run, n);
      printf("%s count=%ld memory=%.0f moved=%.0f\n", one->name, n, cost.peak, cost.moved);
    }
  return bad;
}
