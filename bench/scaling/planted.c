/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/* What grows with the square of its count, so that scaling.sh can show that it would be seen. */
#include "scaling.h"

static void planted_square(long n) {
  char name[32], *names = malloc((size_t)n * sizeof name);
  long same = 0;
  for (long i = 0; i < n; ++i) {
    name_of(names + (size_t)i * sizeof name, i);
    for (long j = 0; j < i; ++j)
      same += !strcmp(names + (size_t)i * sizeof name, names + (size_t)j * sizeof name);
  }
  CK(same);
  free(names);
}

const struct scaling_case planted_cases[] = {{"planted_square", planted_square, 500},
                                             {NULL, NULL, 0}};
