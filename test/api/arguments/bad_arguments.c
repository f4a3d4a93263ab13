/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/*
 * Calls every function of the API with one bad argument at a time, the others good: ids that are none, of another kind
 * and closed, NULL for each pointer, enumerators that there are none, numbers below 0. In child processes with a time
 * limit. Prints a line for each case: function, argument, what is bad about it, outcome, innermost error.
 *
 * Outcomes: ok, refused (an error names function and argument), nameless (the argument is not named), silent (no error
 * on the stack, or it does not name the function), crash, hang.
 * Usage: bad_arguments [FUNCTION], in a folder of its own. table.h is written by table.py from the headers.
 */
#include <hdf5.h>
#include <pcio.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define OK(call)                                                       \
  do {                                                                 \
    if ((call) < 0) fprintf(stderr, "not done: %s\n", #call), exit(2); \
  } while (0)

union value {
  long long number;
  double real;
  void *pointer;
  MPI_Comm comm;
  MPI_Info info;
};

enum kind {
  ID,
  IDS,
  TEXT,
  BYTES,
  ONES,
  MEMORY,
  STREAM,
  DRIVER_FILE,
  CACHE_CONFIG,
  VERSION_ONE,
  DRIVER_INFO,
  LINK_CLASS,
  FILTER_CLASS,
  REFERENCE,
  REGION,
  FUNCTION,
  COMM,
  INFO,
  REAL,
  BOOL,
  SIGNED,
  UNSIGNED,
  INDEX,
  ENUM
};

enum good_id {
  GOOD_NONE,
  GOOD_ACPL,
  GOOD_AAPL,
  GOOD_LCPL,
  GOOD_LAPL,
  GOOD_FAPL,
  GOOD_FCPL,
  GOOD_FMPL,
  GOOD_DCPL,
  GOOD_DAPL,
  GOOD_DXPL,
  GOOD_GCPL,
  GOOD_GAPL,
  GOOD_TCPL,
  GOOD_TAPL,
  GOOD_OCPYPL,
  GOOD_CHILD,
  GOOD_ERROR_CLASS,
  GOOD_CLASS,
  GOOD_STACK,
  GOOD_MAJOR,
  GOOD_MINOR,
  GOOD_ATTRIBUTE,
  GOOD_DATASET,
  GOOD_DRIVER,
  GOOD_SPACE,
  GOOD_COMPOUND,
  GOOD_TYPE,
  GOOD_FILE,
  GOOD_GROUP,
  GOOD_ENUM,
  GOOD_ARRAY,
  GOOD_STRING,
  GOOD_FLOAT,
  GOOD_OPAQUE,
  GOOD_MEMORY_FAPL,
  GOOD_FAMILY_FAPL,
  GOOD_MULTI_FAPL,
  GOOD_EXTERNAL,
  GOOD_VIRTUAL,
  GOOD_POINTS,
  GOOD_COMMITTED,
  GOOD_TRANSFORM,
  GOOD_COUNT
};

/* A type of ids of the program's own, known when the program runs. */
#define OWN_TYPE (-1000)

struct argument {
  const char *name;
  enum kind kind;
  struct {
    enum good_id good_id;
    long long number;
    const char *text;
  } good;
};

struct function {
  const char *name;
  long long (*call)(const union value *);
  int count;
  struct argument arguments[20];
};

#include "table.h"

#define FUNCTIONS ((int)(sizeof functions / sizeof *functions))

static hid_t good_ids[GOOD_COUNT], closed;
static H5FD_t *driver_file;
static FILE *stream, *results;
static H5I_type_t own_type;
static hobj_ref_t reference;
static hdset_reg_ref_t region;
static H5AC_cache_config_t cache_config = {.version = H5AC__CURR_CACHE_CONFIG_VERSION};

/* ---- what is good ---- */

static void make_lists(void) {
  good_ids[GOOD_ACPL] = H5Pcreate(H5P_ATTRIBUTE_CREATE);
  good_ids[GOOD_AAPL] = H5Pcreate(H5P_ATTRIBUTE_ACCESS);
  good_ids[GOOD_LCPL] = H5Pcreate(H5P_LINK_CREATE);
  good_ids[GOOD_LAPL] = H5Pcreate(H5P_LINK_ACCESS);
  good_ids[GOOD_FAPL] = H5Pcreate(H5P_FILE_ACCESS);
  good_ids[GOOD_FCPL] = H5Pcreate(H5P_FILE_CREATE);
  good_ids[GOOD_FMPL] = H5Pcreate(H5P_FILE_MOUNT);
  good_ids[GOOD_DCPL] = H5Pcreate(H5P_DATASET_CREATE);
  good_ids[GOOD_DAPL] = H5Pcreate(H5P_DATASET_ACCESS);
  good_ids[GOOD_DXPL] = H5Pcreate(H5P_DATASET_XFER);
  good_ids[GOOD_GCPL] = H5Pcreate(H5P_GROUP_CREATE);
  good_ids[GOOD_GAPL] = H5Pcreate(H5P_GROUP_ACCESS);
  good_ids[GOOD_TCPL] = H5Pcreate(H5P_DATATYPE_CREATE);
  good_ids[GOOD_TAPL] = H5Pcreate(H5P_DATATYPE_ACCESS);
  good_ids[GOOD_OCPYPL] = H5Pcreate(H5P_OBJECT_COPY);
  good_ids[GOOD_CLASS] = H5Pcreate_class(H5P_ROOT, "class", NULL, NULL, NULL, NULL, NULL, NULL);
}

static void make_particular_lists(void) {
  const hsize_t four = 4;
  const hid_t space = H5Screate_simple(1, &four, NULL);
  int value = 0;
  good_ids[GOOD_MEMORY_FAPL] = H5Pcreate(H5P_FILE_ACCESS);
  OK(H5Pset_fapl_core(good_ids[GOOD_MEMORY_FAPL], 65536, 0));
  good_ids[GOOD_FAMILY_FAPL] = H5Pcreate(H5P_FILE_ACCESS);
  OK(H5Pset_fapl_family(good_ids[GOOD_FAMILY_FAPL], 1 << 20, H5P_DEFAULT));
  good_ids[GOOD_MULTI_FAPL] = H5Pcreate(H5P_FILE_ACCESS);
  OK(H5Pset_fapl_multi(good_ids[GOOD_MULTI_FAPL], NULL, NULL, NULL, NULL, 1));
  good_ids[GOOD_EXTERNAL] = H5Pcreate(H5P_DATASET_CREATE);
  OK(H5Pset_external(good_ids[GOOD_EXTERNAL], "raw", 0, 64));
  good_ids[GOOD_VIRTUAL] = H5Pcreate(H5P_DATASET_CREATE);
  OK(H5Pset_virtual(good_ids[GOOD_VIRTUAL], space, "source.h5", "set", space));
  good_ids[GOOD_TRANSFORM] = H5Pcreate(H5P_DATASET_XFER);
  OK(H5Pset_data_transform(good_ids[GOOD_TRANSFORM], "x + 1"));
  OK(H5Pinsert2(good_ids[GOOD_DCPL], "set", sizeof value, &value, NULL, NULL, NULL, NULL, NULL,
                NULL));
  OK(H5Pregister2(good_ids[GOOD_CLASS], "set", sizeof value, &value, NULL, NULL, NULL, NULL, NULL,
                  NULL, NULL));
  OK(H5Pset_shared_mesg_nindexes(good_ids[GOOD_FCPL], 1));
  OK(H5Pget_mdc_config(good_ids[GOOD_FAPL], &cache_config));
  OK(good_ids[GOOD_DRIVER] = H5Pget_driver(good_ids[GOOD_MEMORY_FAPL]));
  OK(H5Sclose(space));
}

static void make_types(void) {
  const hsize_t four = 4;
  int value = 0;
  good_ids[GOOD_TYPE] = H5Tcopy(H5T_NATIVE_INT);
  good_ids[GOOD_FLOAT] = H5Tcopy(H5T_NATIVE_DOUBLE);
  good_ids[GOOD_COMPOUND] = H5Tcreate(H5T_COMPOUND, 64);
  OK(H5Tinsert(good_ids[GOOD_COMPOUND], "a", 8, H5T_NATIVE_INT));
  OK(H5Tinsert(good_ids[GOOD_COMPOUND], "b", 16, H5T_NATIVE_DOUBLE));
  good_ids[GOOD_ENUM] = H5Tenum_create(H5T_NATIVE_INT);
  OK(H5Tenum_insert(good_ids[GOOD_ENUM], "a", &value));
  good_ids[GOOD_ARRAY] = H5Tarray_create2(H5T_NATIVE_INT, 1, &four);
  good_ids[GOOD_STRING] = H5Tcopy(H5T_C_S1);
  good_ids[GOOD_OPAQUE] = H5Tcreate(H5T_OPAQUE, 8);
}

/* A file in memory with one object of each kind, which no child can change for another. */
static void make_objects(void) {
  const hsize_t four = 4;
  const hid_t memory = H5Pcreate(H5P_FILE_ACCESS);
  const hsize_t corner = 1, two = 2;
  hid_t type = H5Tcopy(H5T_NATIVE_INT), file, inner;
  OK(H5Pset_fapl_core(memory, 65536, 0));
  OK(good_ids[GOOD_FILE] = H5Fcreate("memory.h5", H5F_ACC_TRUNC, H5P_DEFAULT, memory));
  OK(good_ids[GOOD_CHILD] = H5Fcreate("child.h5", H5F_ACC_TRUNC, H5P_DEFAULT, memory));
  OK(good_ids[GOOD_GROUP] =
         H5Gcreate2(good_ids[GOOD_FILE], "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  file = good_ids[GOOD_GROUP];
  OK(good_ids[GOOD_SPACE] = H5Screate_simple(1, &four, NULL));
  OK(H5Sselect_hyperslab(good_ids[GOOD_SPACE], H5S_SELECT_SET, &corner, NULL, &two, NULL));
  OK(good_ids[GOOD_POINTS] = H5Screate_simple(1, &four, NULL));
  OK(H5Sselect_elements(good_ids[GOOD_POINTS], H5S_SELECT_SET, 1, &two));
  OK(H5Pset_chunk(good_ids[GOOD_DCPL], 1, &four));
  OK(good_ids[GOOD_DATASET] = H5Dcreate2(file, "set", H5T_NATIVE_INT, good_ids[GOOD_SPACE],
                                         H5P_DEFAULT, good_ids[GOOD_DCPL], H5P_DEFAULT));
  OK(good_ids[GOOD_ATTRIBUTE] = H5Acreate2(file, "attribute", H5T_NATIVE_INT, good_ids[GOOD_SPACE],
                                           H5P_DEFAULT, H5P_DEFAULT));
  OK(H5Aclose(H5Acreate2(good_ids[GOOD_DATASET], "attribute", H5T_NATIVE_INT, good_ids[GOOD_SPACE],
                         H5P_DEFAULT, H5P_DEFAULT)));
  OK(inner = H5Gcreate2(file, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  OK(H5Gclose(H5Gcreate2(inner, "a", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)));
  OK(H5Lcreate_soft("/group/set", inner, "b", H5P_DEFAULT, H5P_DEFAULT));
  OK(H5Lcreate_soft("/group/set", file, "soft", H5P_DEFAULT, H5P_DEFAULT));
  OK(H5Gclose(inner));
  good_ids[GOOD_COMMITTED] = type;
  OK(H5Pset_deflate(good_ids[GOOD_DCPL], 1));
  OK(H5Tcommit2(file, "type", type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  OK(closed = H5Gopen2(file, "group", H5P_DEFAULT));
  OK(H5Gclose(closed));
  OK(H5Fclose(H5Fcreate("disk.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)));
  driver_file = H5FDopen("driver.h5", H5F_ACC_RDWR | H5F_ACC_CREAT, memory, HADDR_UNDEF);
  if (driver_file == NULL || H5FDset_eoa(driver_file, H5FD_MEM_DEFAULT, 4096) < 0) exit(2);
  OK(H5Rcreate(&reference, file, "set", H5R_OBJECT, -1));
  H5Rcreate(&region, file, "set", H5R_DATASET_REGION, good_ids[GOOD_SPACE]);
}

static void make_errors(void) {
  good_ids[GOOD_ERROR_CLASS] = H5Eregister_class("class", "library", "1");
  good_ids[GOOD_MAJOR] = H5Ecreate_msg(good_ids[GOOD_ERROR_CLASS], H5E_MAJOR, "major");
  good_ids[GOOD_MINOR] = H5Ecreate_msg(good_ids[GOOD_ERROR_CLASS], H5E_MINOR, "minor");
  OK(good_ids[GOOD_STACK] = H5Ecreate_stack());
}

static int answer(void) { return 0; }
static herr_t follow(const char *name, hid_t group, const void *data, size_t size, hid_t list) {
  (void)name, (void)group, (void)data, (void)size, (void)list;
  return -1;
}
static size_t filter(unsigned flags, size_t count, const unsigned *values, size_t bytes,
                     size_t *size, void **buffer) {
  (void)flags, (void)count, (void)values, (void)size, (void)buffer;
  return bytes;
}
static const H5L_class_t link_class = {.version = H5L_LINK_CLASS_T_VERS,
                                       .id = (H5L_type_t)77,
                                       .comment = "link",
                                       .trav_func = (H5L_traverse_func_t)follow};
static const H5Z_class2_t filter_class = {.version = H5Z_CLASS_T_VERS,
                                          .id = 300,
                                          .encoder_present = 1,
                                          .decoder_present = 1,
                                          .name = "filter",
                                          .filter = filter};

static void make_classes(void) {
  OK(own_type = H5Iregister_type(8, 0, NULL));
  OK(H5Lregister(&link_class));
  OK(H5Zregister(&filter_class));
}

/* Room for what arguments point to: fresh for each case, each argument its own. */
static unsigned char room[20][1 << 16];

static union value good_value(const struct argument *a, int index) {
  union value v;
  const hsize_t one = 1;
  unsigned i;
  memset(&v, 0, sizeof v);
  memset(room[index], 0, sizeof room[index]);
  v.pointer = room[index];
  switch (a->kind) {
    case ID: v.number = good_ids[a->good.good_id]; break;
    case TEXT: v.pointer = strcpy((char *)room[index], a->good.text); break;
    case IDS:
      for (i = 0; i < 8; ++i)
        memcpy(room[index] + i * sizeof(hid_t), &good_ids[a->good.good_id], sizeof(hid_t));
      break;
    case CACHE_CONFIG: memcpy(room[index], &cache_config, sizeof cache_config); break;
    case DRIVER_INFO: v.pointer = (void *)H5Pget_driver_info(good_ids[GOOD_MEMORY_FAPL]); break;
    case VERSION_ONE: memcpy(room[index], &(int){1}, sizeof(int)); break;
    case LINK_CLASS: memcpy(room[index], &link_class, sizeof link_class); break;
    case FILTER_CLASS: memcpy(room[index], &filter_class, sizeof filter_class); break;
    case REFERENCE: memcpy(room[index], &reference, sizeof reference); break;
    case REGION: memcpy(room[index], &region, sizeof region); break;
    case ONES:
      for (i = 0; i < 64; ++i) memcpy(room[index] + i * sizeof one, &one, sizeof one);
      break;
    case MEMORY: v.pointer = H5allocate_memory(64, 1); break;
    case STREAM: v.pointer = stream; break;
    case DRIVER_FILE: v.pointer = driver_file; break;
    case FUNCTION: memcpy(&v.pointer, &(int (*)(void)){answer}, sizeof v.pointer); break;
    case COMM: v.comm = MPI_COMM_WORLD; break;
    case INFO: v.info = MPI_INFO_NULL; break;
    case REAL: v.real = 0.5; break;
    case BYTES: break;
    default: v.number = a->good.number == OWN_TYPE ? (long long)own_type : a->good.number;
  }
  return v;
}

/* ---- what is bad ---- */

/* The bad value `which` of an argument; its name, or NULL after the last. */
static const char *bad_value(const struct argument *a, int which, union value *v) {
  const char *name = NULL;
  if (a->kind == ID) {
    static const char *const names[] = {"-1", "other_kind", "closed", "none"};
    const enum good_id other = a->good.good_id == GOOD_SPACE ? GOOD_TYPE : GOOD_SPACE;
    const long long values[] = {-1, (long long)good_ids[other], (long long)closed,
                                0x7123456789abcdefLL};
    if (which < 4) name = names[which], v->number = values[which];
  } else if (a->kind == ENUM) {
    static const char *const names[] = {"-77", "9999999"};
    if (which < 2) name = names[which], v->number = which == 0 ? -77 : 9999999;
  } else if (a->kind == SIGNED && which == 0) {
    name = "-1", v->number = -1;
  } else if (a->kind == UNSIGNED && which == 0) {
    name = "0", v->number = 0;
  } else if (a->kind == INDEX && which == 0) {
    name = "2^30", v->number = 1 << 30;
  } else if (a->kind == COMM && which == 0) {
    name = "null", v->comm = MPI_COMM_NULL;
  } else if (a->kind == TEXT && which < 2) {
    name = which == 0 ? "NULL" : "empty";
    if (which == 0)
      v->pointer = NULL;
    else
      *(char *)v->pointer = 0;
  } else if (which == 0 && a->kind != REAL && a->kind != BOOL && a->kind != INFO &&
             a->kind != TEXT && a->kind != SIGNED && a->kind != UNSIGNED && a->kind != INDEX &&
             a->kind != COMM) {
    name = "NULL", v->pointer = NULL;
  }
  return name;
}

/* ---- what came of it ---- */

struct stack {
  int frames, function_named, argument_named;
  const char *function, *argument;
  char text[512];
};

static herr_t look(unsigned n, const H5E_error2_t *e, void *data) {
  struct stack *s = data;
  char words[64];
  (void)n;
  if (++s->frames == 1) s->function_named = strcmp(e->func_name, s->function) == 0;
  snprintf(words, sizeof words, "argument %s", s->argument);
  if (strstr(e->desc, words) != NULL) s->argument_named = 1;
  snprintf(s->text, sizeof s->text, "%s", e->desc);
  return 0;
}

static const char *judge(const struct function *f, const struct argument *a, long long result,
                         char *text) {
  struct stack s = {0, 0, 0, f->name, a ? a->name : "", ""};
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, look, &s);
  strcpy(text, s.text);
  if (result >= 0 && s.frames == 0) return "ok";
  if (s.frames == 0 || !s.function_named) return "silent";
  return s.argument_named ? "refused" : "nameless";
}

/* Runs cases from `*next` on until one succeeds, which may have changed what the others need. */
static void run_cases(const struct function *f, volatile int *next) {
  int number = 0, i, which;
  for (i = -1; i < f->count; ++i)
    for (which = 0;; ++which) {
      union value values[20];
      const char *bad = "good", *outcome;
      char text[512];
      int k;
      if (i < 0 && which > 0) break;
      if (i >= 0) {
        union value unused = {0};
        unused.pointer = text;
        if (bad_value(&f->arguments[i], which, &unused) == NULL) break;
      }
      if (number++ < *next) continue;
      for (k = 0; k < f->count; ++k) values[k] = good_value(&f->arguments[k], k);
      if (i >= 0) bad = bad_value(&f->arguments[i], which, &values[i]);
      *next = number;
      fprintf(results, "%s\t%s\t%s\t", f->name, i < 0 ? "-" : f->arguments[i].name, bad);
      fflush(results);
      H5Eclear2(H5E_DEFAULT);
      alarm(20);
      {
        const long long result = f->call(values);
        outcome = judge(f, i < 0 ? NULL : &f->arguments[i], result, text);
      }
      alarm(0);
      fprintf(results, "%s\t%s\n", outcome, text);
      fflush(results);
      if (strcmp(outcome, "ok") == 0) _exit(0);
    }
  *next = -1;
  _exit(0);
}

static void run_function(const struct function *f, volatile int *next) {
  *next = 0;
  while (*next >= 0) {
    int status;
    const pid_t child = fork();
    if (child == 0) run_cases(f, next);
    if (child < 0 || waitpid(child, &status, 0) < 0) perror("bad_arguments"), exit(2);
    if (WIFSIGNALED(status)) {
      fprintf(results, WTERMSIG(status) == SIGALRM ? "hang\t\n" : "crash\tsignal %d\n",
              WTERMSIG(status));
      fflush(results);
    } else if (WEXITSTATUS(status) != 0) {
      fprintf(results, "crash\texit status %d\n", WEXITSTATUS(status));
      fflush(results);
    }
  }
}

int main(int argc, char **argv) {
  volatile int *next =
      mmap(NULL, sizeof *next, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  int i;
  /* A wrong version ends the process, as in HDF5. */
  setenv("HDF5_DISABLE_VERSION_CHECK", "2", 1);
  /* Functions that print do so elsewhere. */
  results = fdopen(dup(STDOUT_FILENO), "w");
  if (results == NULL || freopen("/dev/null", "w", stdout) == NULL) return 2;
  stream = fopen("/dev/null", "w");
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  make_lists();
  make_particular_lists();
  make_types();
  make_classes();
  make_errors();
  make_objects();
  for (i = 0; i < FUNCTIONS; ++i)
    if (argc < 2 || strcmp(argv[1], functions[i].name) == 0) run_function(&functions[i], next);
  return 0;
}
