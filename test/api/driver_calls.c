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

static void show_more(hid_t group);

static herr_t show(hid_t file, const char *name, const H5L_info_t *info, void *nothing) {
  (void)info;
  (void)nothing;
  if (strncmp(name, "group", 5) == 0) {
    hid_t group = H5Gopen2(file, name, H5P_DEFAULT);
    printf("  %s\n", name);
    show_more(group);
    H5Gclose(group);
    return 0;
  }
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
  int driver; /* 0 family, 1 stdio, 2 log, 3 split, 4 multi, 5 multi with a map of its own */
  H5F_libver_t low;
  hsize_t size;
} File;

static const File kFiles[] = {
    {"early%03d.h5", 0, H5F_LIBVER_EARLIEST, 1000}, {"late%d-%%.h5", 0, H5F_LIBVER_V110, 700},
    {"one%2d.h5", 0, H5F_LIBVER_V18, 1 << 20},      {"stdio.h5", 1, H5F_LIBVER_EARLIEST, 0},
    {"log.h5", 2, H5F_LIBVER_EARLIEST, 0},          {"split early", 3, H5F_LIBVER_EARLIEST, 0},
    {"split late", 3, H5F_LIBVER_V110, 0},          {"multi early", 4, H5F_LIBVER_EARLIEST, 0},
    {"multi late", 4, H5F_LIBVER_V110, 0},          {"mapped early", 5, H5F_LIBVER_EARLIEST, 0},
    {"mapped late", 5, H5F_LIBVER_V110, 0},
};
#define FILES (sizeof kFiles / sizeof kFiles[0])

/* Raw data first behind the superblock, object headers last. */
static void set_mapped(hid_t list) {
  H5FD_mem_t map[H5FD_MEM_NTYPES] = {H5FD_MEM_SUPER, H5FD_MEM_SUPER, H5FD_MEM_SUPER, H5FD_MEM_DRAW,
                                     H5FD_MEM_DRAW,  H5FD_MEM_SUPER, H5FD_MEM_OHDR};
  const char *names[H5FD_MEM_NTYPES] = {"%s.x", "%s.s", "%s.b", "raw of %s",
                                        "%s.g", "%s.l", "%s.o"};
  haddr_t places[H5FD_MEM_NTYPES] = {0, 0, 1 << 22, 1 << 24, 1 << 26, 1 << 28, 3 << 28};
  if (H5Pset_fapl_multi(list, map, NULL, names, places, 0) < 0) exit(1);
}

static hid_t access_of(const File *f) {
  hid_t list = H5Pcreate(H5P_FILE_ACCESS);
  if (f->driver == 0) H5Pset_fapl_family(list, f->size, H5P_DEFAULT);
  if (f->driver == 1) H5Pset_fapl_stdio(list);
  if (f->driver == 2) H5Pset_fapl_log(list, "log.txt", H5FD_LOG_ALL, 1 << 20);
  if (f->driver == 3) H5Pset_fapl_split(list, "-m.h5", H5P_DEFAULT, "-r.h5", H5P_DEFAULT);
  if (f->driver == 4) H5Pset_fapl_multi(list, NULL, NULL, NULL, NULL, 1);
  if (f->driver == 5) set_mapped(list);
  H5Pset_libver_bounds(list, f->low, H5F_LIBVER_LATEST);
  return list;
}

/* What grows by chunks, has names of any length, and attributes that go dense. */
static void write_more(hid_t file, int n) {
  char name[32];
  snprintf(name, sizeof name, "group %d", n);
  hid_t group = H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  hid_t list = H5Pcreate(H5P_DATASET_CREATE), text = H5Tcopy(H5T_C_S1);
  hsize_t now = 40 + (hsize_t)n * 10, most = H5S_UNLIMITED, chunk = 4;
  hid_t space = H5Screate_simple(1, &now, &most), one = H5Screate(H5S_SCALAR);
  H5Pset_chunk(list, 1, &chunk);
  if (n % 2 == 1) H5Pset_deflate(list, 6);
  hid_t dataset = H5Dcreate2(group, "chunks", H5T_STD_I32LE, space, H5P_DEFAULT, list, H5P_DEFAULT);
  int values[kValues];
  for (int i = 0; i < kValues; ++i) values[i] = i * n;
  if (H5Dwrite(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0) exit(1);
  H5Tset_size(text, H5T_VARIABLE);
  const char *words = "words of any length";
  for (int i = 0; i < 12; ++i) {
    snprintf(name, sizeof name, "attribute %d", i);
    hid_t attribute = H5Acreate2(dataset, name, text, one, H5P_DEFAULT, H5P_DEFAULT);
    if (H5Awrite(attribute, text, &words) < 0) exit(1);
    H5Aclose(attribute);
  }
  H5Dclose(dataset);
  H5Sclose(space);
  H5Sclose(one);
  H5Tclose(text);
  H5Pclose(list);
  H5Gclose(group);
}

static void show_more(hid_t group) {
  hid_t dataset = H5Dopen2(group, "chunks", H5P_DEFAULT), text = H5Tcopy(H5T_C_S1);
  int values[kValues], sum = 0, same = 0;
  memset(values, 0, sizeof values);
  int answer = H5Dread(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  for (int i = 0; i < kValues; ++i) sum += values[i] * (i % 7 + 1);
  H5Tset_size(text, H5T_VARIABLE);
  for (int i = 0; i < 12; ++i) {
    char name[32], *words = NULL;
    snprintf(name, sizeof name, "attribute %d", i);
    hid_t attribute = H5Aopen(dataset, name, H5P_DEFAULT);
    if (H5Aread(attribute, text, &words) >= 0) same += strcmp(words, "words of any length") == 0;
    H5free_memory(words);
    H5Aclose(attribute);
  }
  printf("  chunks: %d, sum %d, %d attributes\n", answer, sum, same);
  H5Tclose(text);
  H5Dclose(dataset);
}

static void make(void) {
  for (size_t i = 0; i < FILES; ++i) {
    hid_t access = access_of(&kFiles[i]);
    hid_t file = H5Fcreate(kFiles[i].name, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    if (file < 0) exit(1);
    write_dataset(file, "few", 10, 5);
    write_dataset(file, "many", 2000, -100);
    if (kFiles[i].driver > 2) write_more(file, 0);
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
    int n = 0;
    for (; n < 100; ++n) {
      snprintf(name, sizeof name, "more %d", n);
      if (H5Lexists(file, name, H5P_DEFAULT) <= 0) break;
    }
    if (kFiles[i].driver > 2) write_more(file, n + 1);
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

static void show_multi(const char *what, hid_t list) {
  H5FD_mem_t map[H5FD_MEM_NTYPES];
  hid_t lists[H5FD_MEM_NTYPES];
  char *names[H5FD_MEM_NTYPES];
  haddr_t places[H5FD_MEM_NTYPES];
  hbool_t relax = 9;
  int answer = H5Pget_fapl_multi(list, map, lists, names, places, &relax);
  printf("%s: %d", what, answer);
  if (answer < 0) {
    printf("\n");
    return;
  }
  printf(", relax %d, driver %d\n", relax, H5Pget_driver(list) == H5FD_MULTI);
  for (int i = 0; i < H5FD_MEM_NTYPES; ++i) {
    printf("  %d in %d, sec2 %d, \"%s\" at %llx\n", i, map[i],
           lists[i] > 0 && H5Pget_driver(lists[i]) == H5FD_SEC2, names[i] != NULL ? names[i] : "-",
           (unsigned long long)places[i]);
    if (lists[i] > 0) H5Pclose(lists[i]);
    free(names[i]);
  }
}

static void multis(void) {
  hid_t list = H5Pcreate(H5P_FILE_ACCESS), other = H5Pcreate(H5P_FILE_ACCESS);
  show_multi("of another", list);
  printf("all usual %d\n", H5Pset_fapl_multi(list, NULL, NULL, NULL, NULL, 0));
  show_multi("usual", list);
  printf("get nothing %d\n", H5Pget_fapl_multi(list, NULL, NULL, NULL, NULL, NULL));
  printf("split %d\n", H5Pset_fapl_split(other, NULL, H5P_DEFAULT, NULL, H5P_DEFAULT));
  show_multi("split", other);
  H5Pset_fapl_split(other, "%s of", H5P_DEFAULT, "a%d", H5P_DEFAULT);
  show_multi("split", other);
  printf("equal %d\n", H5Pequal(list, other));
  set_mapped(other);
  show_multi("mapped", other);
  hid_t file = H5Fcreate("x", H5F_ACC_TRUNC, H5P_DEFAULT, other);
  write_dataset(file, "many", 2000, 1);
  hid_t dataset = H5Dopen2(file, "many", H5P_DEFAULT);
  printf("offset %llx\n", (unsigned long long)H5Dget_offset(dataset));
  H5Dclose(dataset);
  hid_t told = H5Fget_access_plist(file);
  show_multi("of the file", told);
  int *handle = NULL, *second = NULL, type = -1;
  printf("handle of nothing %d\n", H5Fget_vfd_handle(file, H5P_DEFAULT, (void **)&handle));
  H5Pset_multi_type(told, H5FD_MEM_SUPER);
  H5Pget_multi_type(told, (H5FD_mem_t *)&type);
  printf("type %d, handle %d\n", type, H5Fget_vfd_handle(file, told, (void **)&handle));
  H5Pset_multi_type(told, H5FD_MEM_GHEAP);
  printf("handle %d", H5Fget_vfd_handle(file, told, (void **)&second));
  printf(" of another file %d\n", *handle != *second);
  H5Pclose(told);
  printf("close %d\n", H5Fclose(file));
  printf("files %d %d %d %d\n", exists("x.s"), exists("raw of x"), exists("x.o"), exists("x.g"));
  show_all("x", other);
  show_all("x", H5P_DEFAULT);
  show_all("x.s", H5P_DEFAULT);
  /* What the file says counts. */
  const char *names[H5FD_MEM_NTYPES] = {"%s.s", "%s.s", "%s.s", "%s.s", "%s.s", "%s.s", "%s.s"};
  H5FD_mem_t map[H5FD_MEM_NTYPES] = {H5FD_MEM_SUPER, H5FD_MEM_SUPER, H5FD_MEM_SUPER, H5FD_MEM_SUPER,
                                     H5FD_MEM_SUPER, H5FD_MEM_SUPER, H5FD_MEM_SUPER};
  haddr_t places[H5FD_MEM_NTYPES] = {0};
  printf("one name %d\n", H5Pset_fapl_multi(list, map, NULL, names, places, 1));
  show_all("x", list);
  remove("raw of x");
  show_all("x", other);
  file = H5Fopen("x", H5F_ACC_RDONLY, list);
  printf("relaxed %d, to write %d\n", file > 0, H5Fopen("x", H5F_ACC_RDWR, list) > 0);
  if (file > 0) H5Literate(file, H5_INDEX_NAME, H5_ITER_INC, NULL, show, NULL);
  H5Fclose(file);
  hid_t lists[H5FD_MEM_NTYPES];
  for (int i = 0; i < H5FD_MEM_NTYPES; ++i) lists[i] = H5P_FILE_CREATE;
  printf("other lists %d\n", H5Pset_fapl_multi(list, NULL, lists, NULL, NULL, 0));
  for (int i = 0; i < H5FD_MEM_NTYPES; ++i) lists[i] = i == H5FD_MEM_SUPER ? H5P_DEFAULT : -1;
  printf("lists %d %d\n", H5Pset_fapl_multi(list, NULL, lists, NULL, NULL, 0),
         H5Pset_fapl_multi(list, map, lists, NULL, NULL, 0));
  names[3] = NULL;
  printf("no name %d %d\n", H5Pset_fapl_multi(list, NULL, NULL, names, NULL, 0),
         H5Pset_fapl_multi(list, map, NULL, names, NULL, 0));
  map[4] = H5FD_MEM_NTYPES;
  printf("no kind %d\n", H5Pset_fapl_multi(list, map, NULL, NULL, NULL, 0));
  printf("no list %d %d\n", H5Pset_fapl_multi(-1, NULL, NULL, NULL, NULL, 0),
         H5Pset_fapl_split(list, "a", -1, "b", H5P_DEFAULT));
  places[1] = 4096;
  for (int i = 0; i < H5FD_MEM_NTYPES; ++i) {
    map[i] = i == 3 ? H5FD_MEM_DRAW : H5FD_MEM_SUPER;
    names[i] = i == 3 ? "%s-2" : "%s-1";
  }
  H5Pset_fapl_multi(list, map, NULL, names, places, 0);
  printf("superblock elsewhere %d\n", H5Fcreate("y", H5F_ACC_TRUNC, H5P_DEFAULT, list) > 0);
  H5Pset_fapl_split(other, "same", H5P_DEFAULT, "same", H5P_DEFAULT);
  printf("one file %d\n", H5Fcreate("y", H5F_ACC_TRUNC, H5P_DEFAULT, other) > 0);
  H5Pset_fapl_split(other, NULL, H5P_DEFAULT, NULL, H5P_DEFAULT);
  hid_t create = H5Pcreate(H5P_FILE_CREATE);
  H5Pset_file_space_strategy(create, H5F_FSPACE_STRATEGY_PAGE, 0, 1);
  printf("pages %d\n", H5Fcreate("y", H5F_ACC_TRUNC, create, other) > 0);
  H5Pset_file_space_strategy(create, H5F_FSPACE_STRATEGY_FSM_AGGR, 1, 1);
  printf("kept %d\n", H5Fcreate("y", H5F_ACC_TRUNC, create, other) > 0);
  H5Pclose(create);
  create = H5Pcreate(H5P_FILE_CREATE);
  H5Pset_userblock(create, 1024);
  file = H5Fcreate("y", H5F_ACC_TRUNC, create, other);
  write_dataset(file, "many", 2000, 1);
  H5Fclose(file);
  show_all("y", other);
  H5Pclose(create);
  H5Pclose(other);
  H5Pclose(list);
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
    multis();
    others();
  }
  return 0;
}
