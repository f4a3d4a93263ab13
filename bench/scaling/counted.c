/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/*
 * Counts what a process costs: instructions by the processor's own counter, memory by standing in for
 * malloc, and bytes of files by standing in for pread and pwrite. Memory and bytes are the same in
 * every run.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/perf_event.h>
#include <malloc.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/types.h>

#include "scaling.h"

static int counter = -1;
static size_t live, peak, base, moved;

/* ---- memory: one thread allocates in a case ---- */

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
void __libc_free(void *);

static void *taken(void *block) {
  if (block != NULL) {
    const size_t now = __atomic_add_fetch(&live, malloc_usable_size(block), __ATOMIC_RELAXED);
    if (now > peak) peak = now;
  }
  return block;
}
static void given_back(size_t bytes) { __atomic_sub_fetch(&live, bytes, __ATOMIC_RELAXED); }

void *malloc(size_t n) { return taken(__libc_malloc(n)); }
void *calloc(size_t n, size_t size) { return taken(__libc_calloc(n, size)); }
void *realloc(void *old, size_t n) {
  const size_t before = old != NULL ? malloc_usable_size(old) : 0;
  void *block = __libc_realloc(old, n);
  if (block != NULL || n == 0) given_back(before);
  return taken(block);
}
void *memalign(size_t step, size_t n) { return taken(__libc_memalign(step, n)); }
void *aligned_alloc(size_t step, size_t n) { return taken(__libc_memalign(step, n)); }
int posix_memalign(void **out, size_t step, size_t n) {
  *out = taken(__libc_memalign(step, n));
  return *out != NULL ? 0 : ENOMEM;
}
void free(void *block) {
  if (block != NULL) given_back(malloc_usable_size(block));
  __libc_free(block);
}

/* ---- files ---- */

static ssize_t noted(ssize_t bytes) {
  if (bytes > 0) moved += (size_t)bytes;
  return bytes;
}
ssize_t pread64(int fd, void *to, size_t n, off64_t at) {
  return noted(syscall(SYS_pread64, fd, to, n, at));
}
ssize_t pwrite64(int fd, const void *from, size_t n, off64_t at) {
  return noted(syscall(SYS_pwrite64, fd, from, n, at));
}
ssize_t pread(int fd, void *to, size_t n, off_t at) { return pread64(fd, to, n, at); }
ssize_t pwrite(int fd, const void *from, size_t n, off_t at) { return pwrite64(fd, from, n, at); }

/* ---- work ---- */

static void open_counter(void) {
  struct perf_event_attr attr;
  memset(&attr, 0, sizeof attr);
  attr.size = sizeof attr;
  attr.type = PERF_TYPE_HARDWARE;
  attr.config = PERF_COUNT_HW_INSTRUCTIONS;
  attr.exclude_kernel = 1;
  attr.exclude_hv = 1;
  counter = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
}

int counts_instructions(void) {
  if (counter < 0) open_counter();
  return counter >= 0;
}

static double work_now(void) {
  unsigned long long n = 0;
  struct rusage use;
  if (counter >= 0 && read(counter, &n, sizeof n) == sizeof n) return (double)n;
  getrusage(RUSAGE_SELF, &use);
  return 1e6 * (double)use.ru_utime.tv_sec + (double)use.ru_utime.tv_usec;
}

static double work_before;

void start_counting(void) {
  counter = -1;
  open_counter();
  moved = 0;
  base = peak = live;
  work_before = work_now();
}

struct scaling_cost counted(void) {
  struct scaling_cost cost = {work_now() - work_before, (double)(peak - base), (double)moved};
  return cost;
}
