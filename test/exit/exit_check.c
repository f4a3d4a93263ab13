/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright The libpcio authors
 *
 * exit_check FOLDER ENDING: are the files in FOLDER complete? Compiled against libhdf5. Prints how many
 * files there are. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "exit_files.h"

int main(int argc, char** argv) {
  char path[4096];
  int files = 0, bad = 0;
  if (argc < 3) return 2;
  for (int layout = 0; layout < kLayouts; ++layout)
    for (int filter = 0; filter < kFilters; ++filter) {
      snprintf(path, sizeof path, "%s/%d.%d.h5", argv[1], layout, filter);
      if (!exists(layout, filter) || access(path, F_OK) != 0) continue;
      ++files;
      bad += check_file(path, layout, filter) < 0;
    }
  snprintf(path, sizeof path, "%s/handler.h5", argv[1]);
  if (strcmp(argv[2], "handler-before") == 0 && access(path, F_OK) == 0)
    bad += check_file(path, kBtree, 6) < 0;
  snprintf(path, sizeof path, "%s/more.h5", argv[1]);
  if (strcmp(argv[2], "handler-after") == 0) {
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    bad += file < 0 || H5Lexists(file, "early", H5P_DEFAULT) <= 0;
  }
  snprintf(path, sizeof path, "%s/stripes.h5", argv[1]);
  if (strcmp(argv[2], "exit-after-stripes") == 0) {
    ++files;
    bad += check_stripes(path) < 0;
  }
  printf("%d\n", files);
  return bad > 0;
}
