/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/*
 * Files through serial drivers, made and used in usual, odd and wrong ways; what each call answers is
 * printed. Compiled against libhdf5 and against libpcio: the outputs must be equal.
 * Arguments: a folder, which becomes the current one, and a part: "answers"; "write" makes files; "read"
 * prints all of them; "change" adds to them. Room: test/api.
 */
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { kValues = 3000 };

static int exists(const char *name) { return access(name, F_OK) == 0; }

static hid_t family(hsize_t size) {
  hid_t list = H5Pcreate(H5P_FILE_ACCESS);
  if (H5Pset_fapl_family(list, size, H5P_DEFAULT) < 0) exit(1);
  return list;
}

static void write_dataset(hid_t file, const char *name, int n, int first) {
  hsize_t size = (hsize_t)n;
  hid_t space = H5Screate_simple(1, &size, NULL);
  hid_t dataset =
      H5Dcreate2(file, name, H5T_STD_I32LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  int values[kValues];
  for (int i = 0; i < n; ++i) values[i] = first + i;
  if (H5Dwrite(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0) exit(1);
  H5Dclose(dataset);
  H5Sclose(space);
}

static herr_t show(hid_t file, const char *name, const H5L_info_t *info, void *nothing) {
  (void)info;
  (void)nothing;
  hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
  hid_t space = H5Dget_space(dataset);
  int n = (int)H5Sget_simple_extent_npoints(space), values[kValues], sum = 0;
  int answer = H5Dread(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  for (int i = 0; answer >= 0 && i < n; ++i) sum += values[i] * (i % 7 + 1);
  printf("  %s: %d, %d values, sum %d\n", name, answer, n, sum);
  H5Sclose(space);
  H5Dclose(dataset);
  return 0;
}

static void show_all(const char *name, hid_t access) {
  hid_t file = H5Fopen(name, H5F_ACC_RDONLY, access);
  printf("%s %s\n", name, file < 0 ? "fails" : "ok");
  if (file < 0) return;
  H5Literate(file, H5_INDEX_NAME, H5_ITER_INC, NULL, show, NULL);
  H5Fclose(file);
}

typedef struct {
  const char *name;
  int driver; /* 0 family, 1 stdio, 2 log */
  H5F_libver_t low;
  hsize_t size;
} File;

static const File kFiles[] = {
    {"early%03d.h5", 0, H5F_LIBVER_EARLIEST, 1000}, {"late%d-%%.h5", 0, H5F_LIBVER_V110, 700},
    {"one%2d.h5", 0, H5F_LIBVER_V18, 1 << 20},      {"stdio.h5", 1, H5F_LIBVER_EARLIEST, 0},
    {"log.h5", 2, H5F_LIBVER_EARLIEST, 0},
};
#define FILES (sizeof kFiles / sizeof kFiles[0])

static hid_t access_of(const File *f) {
  hid_t list = H5Pcreate(H5P_FILE_ACCESS);
  if (f->driver == 0) H5Pset_fapl_family(list, f->size, H5P_DEFAULT);
  if (f->driver == 1) H5Pset_fapl_stdio(list);
  if (f->driver == 2) H5Pset_fapl_log(list, "log.txt", H5FD_LOG_ALL, 1 << 20);
  H5Pset_libver_bounds(list, f->low, H5F_LIBVER_LATEST);
  return list;
}

static void make(void) {
  for (size_t i = 0; i < FILES; ++i) {
    hid_t access = access_of(&kFiles[i]);
    hid_t file = H5Fcreate(kFiles[i].name, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    if (file < 0) exit(1);
    write_dataset(file, "few", 10, 5);
    write_dataset(file, "many", 2000, -100);
    H5Fclose(file);
    H5Pclose(access);
  }
}

static void read_all(void) {
  for (size_t i = 0; i < FILES; ++i) {
    hid_t access = access_of(&kFiles[i]);
    show_all(kFiles[i].name, access);
    H5Pclose(access);
  }
  hid_t any = family(H5F_FAMILY_DEFAULT);
  show_all("early%03d.h5", any);
  show_all("late%d-%%.h5", any);
  H5Pclose(any);
}

static void change(void) {
  for (size_t i = 0; i < FILES; ++i) {
    hid_t access = access_of(&kFiles[i]);
    hid_t file = H5Fopen(kFiles[i].name, H5F_ACC_RDWR, access);
    if (file < 0) exit(1);
    char name[32];
    for (int n = 0; n < 100; ++n) {
      snprintf(name, sizeof name, "more %d", n);
      if (H5Lexists(file, name, H5P_DEFAULT) <= 0) break;
    }
    write_dataset(file, name, 1500, 7);
    if (H5Lexists(file, "few", H5P_DEFAULT) > 0) H5Ldelete(file, "few", H5P_DEFAULT);
    H5Fclose(file);
    H5Pclose(access);
  }
}

static void families(void) {
  hid_t thousand = family(1000), two = family(2000), any = family(0);
  printf("no place %d\n", H5Fcreate("plain.h5", H5F_ACC_TRUNC, H5P_DEFAULT, thousand) > 0);
  printf("no size %d\n", H5Fcreate("new%d.h5", H5F_ACC_TRUNC, H5P_DEFAULT, any) > 0);
  printf("not there %d\n", H5Fopen("nobody%d.h5", H5F_ACC_RDONLY, thousand) > 0);
  hid_t file = H5Fcreate("f%d.h5", H5F_ACC_EXCL, H5P_DEFAULT, thousand);
  printf("new %d\n", file > 0);
  write_dataset(file, "many", 2000, 1);
  H5Fflush(file, H5F_SCOPE_GLOBAL);
  printf("files %d %d\n", exists("f0.h5"), exists("f7.h5"));
  int *handle = NULL, *other = NULL;
  hid_t at = family(1000);
  int answer = H5Fget_vfd_handle(file, at, (void **)&handle);
  H5Pset_family_offset(at, 1500);
  printf("handle %d\n", answer);
  answer = H5Fget_vfd_handle(file, at, (void **)&other);
  printf("handle of byte 1500 %d, %s\n", answer, *handle == *other ? "same" : "another");
  H5Pset_family_offset(at, 1000000);
  printf("handle behind the end %d\n", H5Fget_vfd_handle(file, at, (void **)&other));
  H5Fclose(file);
  printf("again exclusive %d\n", H5Fcreate("f%d.h5", H5F_ACC_EXCL, H5P_DEFAULT, thousand) > 0);
  show_all("f%d.h5", thousand);
  show_all("f%d.h5", two);
  show_all("f%d.h5", any);
  show_all("f0.h5", H5P_DEFAULT);
  hsize_t size = 5, offset = 5;
  hid_t member = -1;
  printf("offset %d", H5Pget_family_offset(at, &offset));
  printf(" %d\n", (int)offset);
  answer = H5Pget_fapl_family(thousand, &size, &member);
  printf("get %d %d %d\n", answer, (int)size, H5Pget_driver(member) == H5FD_SEC2);
  printf("get nothing %d\n", H5Pget_fapl_family(thousand, NULL, NULL));
  printf("of another %d\n", H5Pget_fapl_family(H5P_DEFAULT, &size, NULL));
  printf("no list %d %d\n", H5Pset_fapl_family(-1, 1, H5P_DEFAULT),
         H5Pset_fapl_family(thousand, 1, -1));
  printf("driver %d\n", H5Pget_driver(thousand) == H5FD_FAMILY);
  hid_t copy = H5Pcopy(thousand);
  printf("equal %d %d\n", H5Pequal(copy, thousand), H5Pequal(two, thousand));
  file = H5Fcreate("f%d.h5", H5F_ACC_TRUNC, H5P_DEFAULT, thousand);
  write_dataset(file, "few", 3, 1);
  H5Fclose(file);
  show_all("f%d.h5", thousand);
  H5Pclose(member);
  H5Pclose(copy);
  H5Pclose(at);
  H5Pclose(two);
  H5Pclose(any);
  H5Pclose(thousand);
}

static void others(void) {
  hid_t list = H5Pcreate(H5P_FILE_ACCESS);
  printf("stdio %d", H5Pset_fapl_stdio(list));
  printf(" %d\n", H5Pget_driver(list) == H5FD_STDIO);
  hid_t file = H5Fcreate("s.h5", H5F_ACC_TRUNC, H5P_DEFAULT, list);
  write_dataset(file, "few", 3, 1);
  void *handle = NULL;
  int answer = H5Fget_vfd_handle(file, H5P_DEFAULT, &handle);
  printf("stream %d %d\n", answer, *(FILE **)handle != NULL && fileno(*(FILE **)handle) > 2);
  H5Fclose(file);
  printf("stdio of nothing %d\n", H5Fopen("not here.h5", H5F_ACC_RDONLY, list) > 0);
  printf("exclusive %d\n", H5Fcreate("s.h5", H5F_ACC_EXCL, H5P_DEFAULT, list) > 0);
  show_all("s.h5", list);
  show_all("s.h5", H5P_DEFAULT);
  printf("log %d", H5Pset_fapl_log(list, "l.txt", H5FD_LOG_LOC_IO | H5FD_LOG_NUM_IO, 0));
  printf(" %d\n", H5Pget_driver(list) == H5FD_LOG);
  file = H5Fcreate("l.h5", H5F_ACC_TRUNC, H5P_DEFAULT, list);
  write_dataset(file, "few", 3, 1);
  H5Fclose(file);
  FILE *log = fopen("l.txt", "r");
  char line[200];
  int written = 0, sums = 0;
  while (log != NULL && fgets(line, sizeof line, log) != NULL) {
    written |= strstr(line, "bytes)") != NULL && strstr(line, "Written") != NULL;
    sums += strncmp(line, "Total number of", 15) == 0;
  }
  if (log != NULL) fclose(log);
  printf("log tells %d %d\n", written, sums);
  remove("none.txt");
  printf("without flags %d\n", H5Pset_fapl_log(list, "none.txt", 0, 0));
  file = H5Fopen("l.h5", H5F_ACC_RDONLY, list);
  H5Fclose(file);
  printf("no log %d\n", exists("none.txt"));
  printf("no list %d %d\n", H5Pset_fapl_log(-1, "x", 0, 0), H5Pset_fapl_stdio(H5P_DEFAULT));
  H5Pclose(list);
}

int main(int argc, char **argv) {
  if (argc != 3 || chdir(argv[1]) != 0) return 2;
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  if (strcmp(argv[2], "write") == 0) make();
  if (strcmp(argv[2], "read") == 0) read_all();
  if (strcmp(argv[2], "change") == 0) change();
  if (strcmp(argv[2], "answers") == 0) {
    families();
    others();
  }
  return 0;
}
