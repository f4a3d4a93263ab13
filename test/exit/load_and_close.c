/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright The libpcio authors
 *
 * load_and_close MODULE ARGS...: a program that knows nothing of the library loads one that does, has
 * it run its case, lets it go, and ends. With ENDING "exit" it isn't let go. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char** argv) {
  void* module = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  int (*run_case)(int, char**) = NULL;
  if (module != NULL) *(void**)&run_case = dlsym(module, "run_case");
  if (run_case == NULL) {
    fprintf(stderr, "load_and_close: %s\n", dlerror());
    return 2;
  }
  const int status = run_case(argc - 1, argv + 1);
  if (strcmp(argv[4], "exit") != 0 && dlclose(module) != 0) return 1;
  return status;
}
