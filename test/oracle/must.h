// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room test/oracle: what programs that are built with both libraries say of a failure.

#pragma once

#include <stdio.h>
#include <stdlib.h>

/* Failures of this program. */
static long failed;

/* A failure is told with a number, of an object for instance; after some of them the rest would say nothing. */
static void must(int good, const char* what, int i) {
  if (good) return;
  fprintf(stderr, "%s %d\n", what, i);
  if (++failed > 5) exit(1);
}
