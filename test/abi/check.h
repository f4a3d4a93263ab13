/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/*
 * The one way in which the programs of this folder check a call: the first failure is printed with
 * its place and ends the program. Plain C99 and C++; needs no library.
 */
#ifndef PCIO_TEST_ABI_CHECK_H
#define PCIO_TEST_ABI_CHECK_H

#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)                                                        \
  do {                                                                          \
    if (!(condition)) {                                                         \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);   \
      exit(1);                                                                  \
    }                                                                           \
  } while (0)

/* For calls: negative is failure. */
#define OK(call) CHECK((call) >= 0)

#endif
