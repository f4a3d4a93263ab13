/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/*
 * Oracle: classes and properties of programs, and every call of their functions, as text. Compiled
 * against libhdf5 and against libpcio; the outputs must be equal.
 *
 * Left out, as libhdf5 1.10.8 is not a model there: a property that H5Pcopy_prop copies over one that
 * the list has is lost; H5Pcopy_prop of a missing property crashes; the copy function of a list's own
 * class is called once for each class above it that has one; what H5Punregister took out of a class of
 * which there are lists is iterated as freed memory; lists of a library's class are none any more once
 * something was registered in it; classes are not equal where one has lists and the other has none.
 * Room: test/oracle.
 */
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kCreate = 1, kSet = 2, kGet = 4, kDelete = 8, kCopy = 16, kCompare = 32, kClose = 64 };
enum { kClassCreate = 128, kClassCopy = 256, kClassClose = 512 };

static int failing = 0; /* functions that fail */

#define SHOW(call) printf("%s -> %d\n", #call, (int)(call))
#define ID(var, call) printf("%s -> %s\n", #call, ((var) = (call)) < 0 ? "failed" : "id")

static int content(const void *value, size_t size) {
  int number = -1;
  if (value != NULL && size >= sizeof number) memcpy(&number, value, sizeof number);
  return number;
}

static void add(void *value, size_t size, int more) {
  int number = content(value, size) + more;
  if (size >= sizeof number) memcpy(value, &number, sizeof number);
}

static herr_t told(int which, const char *what, const char *name, size_t size, const void *value) {
  printf("    %s %s %d %d\n", what, name, (int)size, content(value, size));
  return (failing & which) != 0 ? -1 : 0;
}

static herr_t on_create(const char *name, size_t size, void *value) {
  herr_t answer = told(kCreate, "create", name, size, value);
  add(value, size, 1000);
  return answer;
}
static herr_t on_set(hid_t list, const char *name, size_t size, void *value) {
  herr_t answer = told(kSet, "set", name, size, value);
  printf("      type %d\n", (int)H5Iget_type(list));
  add(value, size, 100);
  return answer;
}
static herr_t on_get(hid_t list, const char *name, size_t size, void *value) {
  herr_t answer = told(kGet, "get", name, size, value);
  printf("      type %d\n", (int)H5Iget_type(list));
  add(value, size, 10);
  return answer;
}
static herr_t on_delete(hid_t list, const char *name, size_t size, void *value) {
  herr_t answer = told(kDelete, "delete", name, size, value);
  printf("      type %d\n", (int)H5Iget_type(list));
  return answer;
}
static herr_t on_copy(const char *name, size_t size, void *value) {
  herr_t answer = told(kCopy, "copy", name, size, value);
  add(value, size, 100000);
  return answer;
}
static int on_compare(const void *a, const void *b, size_t size) {
  printf("    compare %d %d %d\n", content(a, size), content(b, size), (int)size);
  return memcmp(a, b, size);
}
static herr_t on_close(const char *name, size_t size, void *value) {
  return told(kClose, "close", name, size, value);
}
static herr_t on_class_create(hid_t list, void *data) {
  printf("    class create %s type %d\n", (char *)data, (int)H5Iget_type(list));
  return (failing & kClassCreate) != 0 ? -1 : 0;
}
static herr_t on_class_copy(hid_t made, hid_t from, void *data) {
  (void)data;
  printf("    class copy types %d %d\n", (int)H5Iget_type(made), (int)H5Iget_type(from));
  return (failing & kClassCopy) != 0 ? -1 : 0;
}
static herr_t on_class_close(hid_t list, void *data) {
  printf("    class close %s type %d\n", (char *)data, (int)H5Iget_type(list));
  return (failing & kClassClose) != 0 ? -1 : 0;
}

static herr_t reg(hid_t cls, const char *name, int value, int which) {
  return H5Pregister2(cls, name, sizeof value, &value, which & kCreate ? on_create : NULL,
                      which & kSet ? on_set : NULL, which & kGet ? on_get : NULL,
                      which & kDelete ? on_delete : NULL, which & kCopy ? on_copy : NULL,
                      which & kCompare ? on_compare : NULL, which & kClose ? on_close : NULL);
}

static herr_t ins(hid_t list, const char *name, int value, int which) {
  return H5Pinsert2(list, name, sizeof value, &value, which & kSet ? on_set : NULL,
                    which & kGet ? on_get : NULL, which & kDelete ? on_delete : NULL,
                    which & kCopy ? on_copy : NULL, which & kCompare ? on_compare : NULL,
                    which & kClose ? on_close : NULL);
}

static hid_t derive(hid_t parent, char *name) {
  return H5Pcreate_class(parent, name, on_class_create, name, on_class_copy, name, on_class_close,
                         name);
}

static herr_t each(hid_t id, const char *name, void *stop) {
  size_t size = 0;
  H5Pget_size(id, name, &size);
  printf(" %s:%d", name, (int)size);
  return stop != NULL && strcmp(name, (char *)stop) == 0 ? 7 : 0;
}

static void show(hid_t id) {
  int at = 0, answer;
  size_t n = 99;
  printf(" ");
  answer = H5Piterate(id, &at, each, NULL);
  printf(" -> %d at %d nprops", answer, at);
  answer = H5Pget_nprops(id, &n);
  printf(" %d %d\n", answer, (int)n);
}

static void value_of(hid_t list, const char *name) {
  int value = -7, answer = H5Pget(list, name, &value);
  printf("  %s -> %d value %d\n", name, answer, value);
}

static herr_t set(hid_t list, const char *name, int value) { return H5Pset(list, name, &value); }

static void say_name(hid_t cls) {
  char *name = H5Pget_class_name(cls);
  printf("%s\n", name);
  H5free_memory(name);
}

/* ---- sections ---------------------------------------------------------------------------------- */

static void bad_arguments(void) {
  hid_t cls, list, closed;
  int v = 1;
  size_t n;
  printf("[bad arguments]\n");
  ID(cls, H5Pcreate_class(H5P_ROOT, "c", NULL, NULL, NULL, NULL, NULL, NULL));
  SHOW(H5Pcreate_class(H5P_ROOT, NULL, NULL, NULL, NULL, NULL, NULL, NULL));
  SHOW(H5Pcreate_class(H5P_ROOT, "", NULL, NULL, NULL, NULL, NULL, NULL));
  SHOW(H5Pcreate_class(H5P_ROOT, "x", NULL, &v, NULL, NULL, NULL, NULL));
  SHOW(H5Pcreate_class(H5P_ROOT, "x", NULL, NULL, NULL, &v, NULL, NULL));
  SHOW(H5Pcreate_class(H5P_ROOT, "x", NULL, NULL, NULL, NULL, NULL, &v));
  SHOW(H5Pcreate_class(-1, "x", NULL, NULL, NULL, NULL, NULL, NULL));
  SHOW(H5Pcreate_class(H5P_FILE_ACCESS_DEFAULT, "x", NULL, NULL, NULL, NULL, NULL, NULL));
  SHOW(reg(cls, "a", 1, 0)), SHOW(reg(cls, "a", 2, 0)), SHOW(reg(-1, "a", 2, 0));
  SHOW(H5Pregister2(cls, "", 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL));
  SHOW(H5Pregister2(cls, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL));
  SHOW(H5Pregister2(cls, "n", 4, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL));
  SHOW(H5Pregister1(cls, "n", 4, NULL, NULL, NULL, NULL, NULL, NULL, NULL));
  SHOW(H5Pregister1(cls, "zero", 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL));
  SHOW(H5Punregister(cls, "none")), SHOW(H5Punregister(cls, "")), SHOW(H5Punregister(cls, NULL));
  SHOW(H5Punregister(-1, "a"));
  ID(list, H5Pcreate(cls));
  SHOW(H5Punregister(list, "a")), SHOW(H5Premove(cls, "a")), SHOW(H5Premove(list, "none"));
  SHOW(H5Premove(list, "")), SHOW(H5Premove(list, NULL)), SHOW(H5Premove(-1, "a"));
  SHOW(H5Pcopy_prop(list, cls, "a")), SHOW(H5Pcopy_prop(cls, list, "a"));
  SHOW(H5Pcopy_prop(list, list, "")), SHOW(H5Pcopy_prop(list, -1, "a"));
  SHOW(H5Pinsert2(list, "", 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL));
  SHOW(H5Pinsert2(list, "e", 4, NULL, NULL, NULL, NULL, NULL, NULL, NULL));
  SHOW(H5Pinsert1(list, "e", 4, NULL, NULL, NULL, NULL, NULL, NULL));
  SHOW(H5Pinsert1(list, "empty", 0, NULL, NULL, NULL, NULL, NULL, NULL)),
      SHOW(ins(list, "a", 1, 0));
  SHOW(H5Pget(list, "zero", &v)), SHOW(H5Pset(list, "zero", &v)), SHOW(H5Pget(list, "a", NULL));
  SHOW(H5Pset(list, "a", NULL)), SHOW(H5Pset(list, "none", &v)), SHOW(H5Pget(list, "none", &v));
  SHOW(H5Pset(cls, "a", &v)), SHOW(H5Pget(cls, "a", &v)), SHOW(H5Pexist(cls, ""));
  SHOW(H5Pexist(list, NULL)), SHOW(H5Pexist(-1, "a")), SHOW(H5Pget_size(cls, "a", NULL));
  SHOW(H5Pget_size(cls, "none", &n)), SHOW(H5Pget_size(cls, "a", &n)), SHOW((int)n);
  SHOW(H5Pget_size(list, "zero", &n)), SHOW((int)n), SHOW(H5Pget_nprops(cls, NULL));
  SHOW(H5Piterate(list, NULL, NULL, NULL)), SHOW(H5Piterate(-1, NULL, each, NULL));
  SHOW(H5Pequal(list, cls)), SHOW(H5Pequal(cls, list)), SHOW(H5Pisa_class(cls, cls));
  SHOW(H5Pisa_class(list, list)), SHOW(H5Pcreate(list)), SHOW(H5Pcreate(H5P_DEFAULT));
  SHOW(H5Pcopy(H5P_DEFAULT)), SHOW(H5Pclose_class(list)), SHOW(H5Pclose(cls));
  SHOW(H5Pget_class(cls)), SHOW(H5Pget_class_parent(list)), SHOW(H5Pget_class_name(list) == NULL);
  closed = cls;
  SHOW(H5Pclose_class(cls)), SHOW(H5Pclose(list)), SHOW(H5Pclose(list)), SHOW(H5Pcreate(closed));
}

static void chain_of_classes(void) {
  hid_t a, b, list, copy;
  const int all = 127;
  printf("[chain of classes]\n");
  ID(a, derive(H5P_ROOT, "A"));
  SHOW(reg(a, "b", 1, all)), SHOW(reg(a, "a", 2, all)), SHOW(reg(a, "c", 3, all));
  SHOW(reg(a, "p", 4, 0)), show(a);
  ID(b, derive(a, "B"));
  show(b), SHOW(reg(b, "d", 6, all)), SHOW(reg(b, "a", 7, all)), show(b), show(a);
  SHOW(H5Pexist(b, "b"));
  ID(list, H5Pcreate(b));
  show(list), value_of(list, "a"), value_of(list, "b"), value_of(list, "p");
  SHOW(set(list, "a", 20)), value_of(list, "a"), SHOW(set(list, "p", 21)), value_of(list, "p");
  SHOW(set(list, "b", 22)), show(list);
  ID(copy, H5Pcopy(list));
  show(copy), value_of(copy, "a"), value_of(copy, "d"), SHOW(H5Pequal(list, copy));
  SHOW(H5Pisa_class(list, a)), SHOW(H5Pisa_class(list, b)), SHOW(H5Pisa_class(list, H5P_ROOT));
  SHOW(H5Pisa_class(list, H5P_FILE_ACCESS));
  SHOW(ins(list, "t", 30, all)), SHOW(ins(list, "t", 31, all)), SHOW(ins(list, "q", 33, 0));
  show(list), value_of(list, "t"), SHOW(set(list, "t", 34)), value_of(list, "t");
  SHOW(H5Pequal(list, copy)), SHOW(H5Pclose(copy));
  SHOW(H5Premove(list, "t")), SHOW(H5Premove(list, "a")), SHOW(H5Premove(list, "p")), show(list);
  value_of(list, "a"), SHOW(H5Pexist(list, "a")), SHOW(set(list, "a", 1));
  SHOW(ins(list, "a", 40, all)), value_of(list, "a"), show(list);
  ID(copy, H5Pcopy(list));
  show(copy), SHOW(H5Pexist(copy, "p")), SHOW(H5Pclose(copy));
  ID(copy, H5Pcreate(H5P_ROOT));
  SHOW(H5Pcopy_prop(copy, list, "q")), SHOW(H5Pcopy_prop(copy, list, "a"));
  SHOW(H5Pcopy_prop(copy, list, "c")), show(copy), SHOW(H5Pclose(copy));
  SHOW(H5Pclose_class(a)), SHOW(H5Pclose_class(b));
  ID(b, H5Pget_class(list));
  say_name(b);
  SHOW(H5Pclose_class(b)), SHOW(H5Pclose(list));
}

static void versions_of_classes(void) {
  hid_t a, b, list, fresh, k;
  printf("[versions of classes]\n");
  ID(a, derive(H5P_ROOT, "A"));
  ID(b, derive(a, "B"));
  SHOW(reg(b, "x", 1, kCreate)), SHOW(reg(a, "y", 2, 0));
  ID(list, H5Pcreate(b));
  show(list);
  k = H5Pget_class(list);
  SHOW(H5Pequal(k, b)), SHOW(reg(b, "late", 3, kCreate)), show(b), show(k), show(list);
  SHOW(H5Pexist(list, "late")), SHOW(H5Pequal(k, b)), SHOW(H5Pisa_class(list, b));
  SHOW(H5Pisa_class(list, k)), SHOW(H5Pclose_class(k));
  ID(fresh, H5Pcreate(b));
  show(fresh), SHOW(H5Pequal(fresh, list)), SHOW(H5Pclose(fresh)), SHOW(H5Pclose(list));
  SHOW(reg(a, "later", 4, 0)), show(a);
  ID(fresh, H5Pcreate(b));
  SHOW(H5Pexist(fresh, "later")), SHOW(H5Pisa_class(fresh, a)), SHOW(H5Pclose(fresh));
  SHOW(H5Punregister(b, "x")), SHOW(H5Punregister(b, "y")), show(b);
  ID(fresh, H5Pcreate(b));
  show(fresh), SHOW(H5Pclose(fresh));
  ID(k, H5Pcopy(a));
  SHOW(H5Pequal(k, a)), show(k), SHOW(reg(k, "kk", 1, 0)), SHOW(H5Pequal(k, a)), show(a);
  ID(list, H5Pcreate(k));
  SHOW(H5Pisa_class(list, a)), SHOW(H5Pisa_class(list, k)), SHOW(H5Pclose(list));
  /* With nothing of its own a class changes for all of its ids. */
  ID(list, H5Pcreate(k));
  fresh = H5Pget_class(list);
  SHOW(H5Pclose(list)), SHOW(reg(k, "both", 1, 0)), SHOW(H5Pexist(fresh, "both"));
  SHOW(H5Pclose_class(fresh)), SHOW(H5Pclose_class(k)), SHOW(H5Pclose_class(b));
  SHOW(H5Pclose_class(a));
}

static void equal_classes(void) {
  hid_t a, b, c, one, two;
  printf("[equal classes]\n");
  ID(a, H5Pcreate_class(H5P_ROOT, "K", NULL, NULL, NULL, NULL, NULL, NULL));
  ID(b, H5Pcreate_class(H5P_ROOT, "K", NULL, NULL, NULL, NULL, NULL, NULL));
  SHOW(H5Pequal(a, b)), SHOW(reg(a, "x", 1, 0)), SHOW(H5Pequal(a, b)), SHOW(reg(b, "x", 1, 0));
  SHOW(H5Pequal(a, b));
  ID(one, H5Pcreate(a));
  ID(two, H5Pcreate(b));
  SHOW(H5Pequal(one, two)), SHOW(H5Pisa_class(one, b)), SHOW(H5Pclose(one)), SHOW(H5Pclose(two));
  SHOW(reg(a, "y", 1, kCompare)), SHOW(reg(b, "y", 2, kCompare)), SHOW(H5Pequal(a, b));
  ID(c, H5Pcreate_class(H5P_DEFAULT, "none", NULL, NULL, NULL, NULL, NULL, NULL));
  SHOW(H5Pget_class_parent(c));
  ID(one, H5Pcreate(c));
  SHOW(H5Pisa_class(one, H5P_ROOT)), SHOW(H5Pisa_class(one, c)), SHOW(H5Pclose(one));
  SHOW(H5Pcopy_prop(c, a, "x")), show(c), SHOW(H5Pcopy_prop(c, a, "x")), show(c);
  SHOW(H5Pclose_class(a)), SHOW(H5Pclose_class(b)), SHOW(H5Pclose_class(c));
}

static void without_create(void) {
  hid_t cls, list, copy;
  printf("[without a create function]\n");
  ID(cls, H5Pcreate_class(H5P_ROOT, "A", NULL, NULL, NULL, NULL, NULL, NULL));
  SHOW(reg(cls, "a", 1, kSet | kGet | kDelete | kCopy | kCompare | kClose));
  SHOW(reg(cls, "b", 2, kCopy | kClose)), SHOW(reg(cls, "x", 3, 0));
  ID(list, H5Pcreate(cls));
  value_of(list, "a");
  ID(copy, H5Pcopy(list));
  show(copy), SHOW(H5Pequal(list, copy)), value_of(copy, "a"), value_of(copy, "b");
  SHOW(H5Pclose(copy)), SHOW(set(list, "a", 9)), SHOW(set(list, "b", 9)), value_of(list, "a");
  show(list);
  ID(copy, H5Pcopy(list));
  SHOW(H5Pequal(list, copy)), SHOW(H5Pclose(copy)), SHOW(H5Premove(list, "b"));
  SHOW(H5Premove(list, "a")), SHOW(set(list, "a", 1)), SHOW(H5Pclose(list));
  ID(list, H5Pcreate(cls));
  SHOW(H5Premove(list, "a")), SHOW(H5Pclose(list));
  ID(list, H5Pcreate(cls));
  ID(copy, H5Pcreate(H5P_ROOT));
  SHOW(H5Pcopy_prop(copy, list, "a")), SHOW(H5Pcopy_prop(copy, list, "x")), show(copy);
  SHOW(H5Pclose(list)), SHOW(H5Pclose(copy)), SHOW(H5Pclose_class(cls));
}

static void failing_functions(void) {
  hid_t cls, list, copy;
  int which;
  printf("[failing functions]\n");
  ID(cls, derive(H5P_FILE_ACCESS, "F"));
  SHOW(reg(cls, "a", 1, 127)), SHOW(reg(cls, "p", 2, 0)), show(cls);
  for (which = 1; which <= kClassClose; which *= 2) {
    printf("- %d\n", which);
    failing = which;
    ID(list, H5Pcreate(cls));
    if (list >= 0) {
      value_of(list, "a"), SHOW(set(list, "a", 5));
      failing = 0, value_of(list, "a"), failing = which;
      SHOW(ins(list, "i", 9, 127));
      ID(copy, H5Pcopy(list));
      if (copy >= 0) {
        SHOW(H5Pequal(list, copy)), SHOW(H5Premove(copy, "a")), SHOW(H5Pexist(copy, "a"));
        SHOW(H5Pclose(copy)), SHOW(H5Iis_valid(copy));
      }
      SHOW(H5Pclose(list)), SHOW(H5Iis_valid(list));
    }
    failing = 0;
  }
  SHOW(H5Pclose_class(cls));
}

static void library_classes(void) {
  hid_t cls, list, copy;
  hsize_t threshold = 0, alignment = 0;
  int at = 3, preempt;
  size_t a, b;
  double w;
  printf("[library's classes]\n");
  ID(cls, H5Pcreate_class(H5P_FILE_ACCESS, "mine", NULL, NULL, NULL, NULL, NULL, NULL));
  ID(list, H5Pcreate(cls));
  SHOW(H5Pset_alignment(list, 3, 4)), SHOW(ins(list, "zz", 1, 0)), show(list);
  ID(copy, H5Pcopy(list));
  SHOW(H5Pget_alignment(copy, &threshold, &alignment)), SHOW((int)alignment);
  SHOW(H5Pequal(copy, list)), SHOW(H5Piterate(list, &at, each, "gc_ref")), SHOW(at);
  at = 99;
  SHOW(H5Piterate(list, &at, each, NULL)), SHOW(at);
  at = -1;
  SHOW(H5Piterate(copy, &at, each, NULL)), SHOW(at);
  SHOW(H5Pclose(copy)), SHOW(H5Premove(list, "rdcc_nbytes")), SHOW(H5Pexist(list, "rdcc_nbytes"));
  SHOW(H5Pget_cache(list, &preempt, &a, &b, &w));
  SHOW(H5Pget_alignment(list, &threshold, &alignment)), show(list),
      SHOW(ins(list, "rdcc_nbytes", 1, 0));
  value_of(list, "rdcc_nbytes"), SHOW(H5Pclose(list)), SHOW(H5Pclose_class(cls));
  SHOW(reg(H5P_DATASET_XFER, "mine", 5, 0)), show(H5P_DATASET_XFER);
  ID(list, H5Pcreate(H5P_DATASET_XFER));
  value_of(list, "mine"), SHOW(H5Pisa_class(list, H5P_DATASET_XFER));
  SHOW(H5Pset_buffer(list, 5, NULL, NULL)), SHOW(H5Pexist(H5P_DATASET_XFER_DEFAULT, "mine"));
  show(list), SHOW(H5Pclose(list)), SHOW(H5Punregister(H5P_DATASET_XFER, "mine"));
  SHOW(H5Pexist(H5P_DATASET_XFER, "mine"));
}

/* Names, sizes and order of all properties; default values that are plain, in lists and their copies. */
static herr_t plain(hid_t id, const char *name, void *hidden) {
  static const char *const skipped[] = {"pline",
                                        "link info",
                                        "group info",
                                        "vfd_info",
                                        "file_image_info",
                                        "layout",
                                        "efl",
                                        "fill_value",
                                        "append_flush",
                                        "mdc_initCacheCfg",
                                        "mdc_initCacheImageCfg",
                                        "data_transform",
                                        "external link fapl",
                                        "merge committed dtype list"};
  unsigned char bytes[64] = {0};
  size_t i, size = 0;
  (void)hidden;
  H5Pget_size(id, name, &size);
  printf(" %s %d", name, (int)size);
  for (i = 0; i < sizeof skipped / sizeof *skipped; ++i)
    if (strcmp(skipped[i], name) == 0) size = 99;
  if (size <= sizeof bytes && H5Pget(id, name, bytes) >= 0)
    for (i = 0; i < size; ++i) printf("%s%02x", i ? "" : " = ", bytes[i]);
  printf("\n");
  return 0;
}

static void built_in_properties(void) {
  hid_t ids[18], list, copy;
  int i;
  printf("[built-in properties]\n");
  ids[0] = H5P_ROOT, ids[1] = H5P_OBJECT_CREATE, ids[2] = H5P_FILE_CREATE, ids[3] = H5P_FILE_ACCESS;
  ids[4] = H5P_DATASET_CREATE, ids[5] = H5P_DATASET_ACCESS, ids[6] = H5P_DATASET_XFER;
  ids[7] = H5P_FILE_MOUNT, ids[8] = H5P_GROUP_CREATE, ids[9] = H5P_GROUP_ACCESS;
  ids[10] = H5P_DATATYPE_CREATE, ids[11] = H5P_DATATYPE_ACCESS, ids[12] = H5P_STRING_CREATE;
  ids[13] = H5P_ATTRIBUTE_CREATE, ids[14] = H5P_OBJECT_COPY, ids[15] = H5P_LINK_CREATE;
  ids[16] = H5P_LINK_ACCESS, ids[17] = H5P_ATTRIBUTE_ACCESS;
  for (i = 0; i < 18; ++i) {
    say_name(ids[i]);
    show(ids[i]);
    list = H5Pcreate(ids[i]);
    H5Piterate(list, NULL, plain, NULL);
    copy = H5Pcopy(list);
    show(copy);
    H5Pclose(copy), H5Pclose(list);
  }
}

int main(void) {
  hid_t cls, list;
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  bad_arguments();
  chain_of_classes();
  versions_of_classes();
  equal_classes();
  without_create();
  failing_functions();
  library_classes();
  built_in_properties();
  printf("[at the end of the library]\n");
  ID(cls, derive(H5P_ROOT, "last"));
  SHOW(reg(cls, "a", 1, 127));
  ID(list, H5Pcreate(cls));
  SHOW(H5close());
  return 0;
}
