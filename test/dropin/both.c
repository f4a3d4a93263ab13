/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/* Loads the libraries that are named, in this order, and opens each, as a program does that is linked with all of
 * them (room: test/dropin). */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  void *library[8];
  for (int i = 1; i < argc && i < 8; ++i)
    if ((library[i] = dlopen(argv[i], RTLD_NOW | RTLD_LOCAL)) == NULL) {
      fprintf(stderr, "%s\n", dlerror());
      return 1;
    }
  for (int i = 1; i < argc && i < 8; ++i) {
    void *address = dlsym(library[i], "H5open");
    int (*open_library)(void);
    if (address == NULL) return 2;
    memcpy(&open_library, &address, sizeof address);
    if (open_library() < 0) return 3;
  }
  puts("opened");
  return 0;
}
