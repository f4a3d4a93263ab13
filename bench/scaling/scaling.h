/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/*
 * What the cases of scaling_counts share. A case is a function of a count: it makes, finds or changes
 * that many of something, in a new file that it may use as it likes.
 */
#ifndef PCIO_BENCH_SCALING_H
#define PCIO_BENCH_SCALING_H

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CK(e)                                                                         \
  do {                                                                                \
    if ((long long)(e) < 0) {                                                         \
      fprintf(stderr, "scaling: %s line %d: %s failed\n", __FILE__, __LINE__, #e);    \
      _exit(1);                                                                       \
    }                                                                                 \
  } while (0)

struct scaling_case {
  const char *name;
  void (*run)(long n);
  long smallest;
};

/* Each ends with a case without a name. */
extern const struct scaling_case object_cases[], link_cases[], attribute_cases[], data_cases[],
    type_cases[], list_cases[], planted_cases[];

/* The file of the running case, and a scalar space. */
extern hid_t scaling_file, scaling_scalar;
extern char scaling_path[512];
#define file scaling_file
#define scalar scaling_scalar

/* Closes the file and opens it again: nothing of it is in memory then. */
void reopen(void);

static inline void name_of(char *out, long i) { sprintf(out, "n%09ld", i * 7919 % 1000000007); }

static inline hid_t make_dataset(hid_t in, const char *name) {
  hid_t id = H5Dcreate2(in, name, H5T_NATIVE_INT, scalar, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  CK(id);
  return id;
}

static inline hid_t new_group(const char *name, hid_t list) {
  hid_t group = H5Gcreate2(file, name, H5P_DEFAULT, list, H5P_DEFAULT);
  CK(group);
  return group;
}

/* ---- what is counted (counted.c) ---- */

struct scaling_cost {
  double work;  /* instructions, where the system counts them; else microseconds of the processor */
  double peak;  /* most bytes that were allocated at one time */
  double moved; /* bytes read from files and written to them */
};
void start_counting(void);
struct scaling_cost counted(void);
int counts_instructions(void);

#endif
