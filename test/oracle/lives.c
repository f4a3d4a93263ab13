/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */

/* Lives of files with all of the data model: random changes, all of which follow from a seed, the number
 * of the step and what the file holds. The same program is compiled against libpcio and libhdf5, which
 * take turns; a twin of the file is changed by libhdf5 alone, and must come to hold the same.
 * Room: test/oracle, public C API only.
 *
 *   lives FOLDER SEED FIRST LAST    takes steps FIRST .. LAST-1 of life.h5 in the folder; prints them
 *   lives FOLDER SEED FIRST LAST told    ... and what the file holds before it is closed
 *   lives FOLDER SEED list          prints all that life.h5 and the files beside it hold
 *   lives - SEED describe           says what the seed is */

#include "lives.h"

#include <unistd.h>

hid_t file_ = -1;
unsigned step_;
H5F_libver_t bound_;
int narrow_;

static unsigned seed_;
static unsigned long long state_;

unsigned below(unsigned n) {
  state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
  return (unsigned)((state_ >> 33) % (n > 0 ? n : 1));
}
int one_in(unsigned n) { return below(n) == 0; }

static void begin(unsigned salt) {
  state_ = (unsigned long long)seed_ * 2654435761ULL + salt * 40503ULL + 4711;
  for (int i = 0; i < 4; ++i) below(2);
}

void note(const char* kind, const char* what) { printf("%s=%s ", kind, what); }

static int loud_; /* why calls were refused is told, too */

int allowed(long long status, const char* call) {
  if (status < 0) {
    printf("refused=%s ", call);
    if (loud_) {
      fprintf(stderr, "step %u: %s\n", step_, call);
      H5Eprint2(H5E_DEFAULT, stderr);
    }
  }
  H5Eclear2(H5E_DEFAULT);
  return status >= 0;
}

hid_t good(long long status, const char* call) {
  if (status < 0) {
    fprintf(stderr, "seed %u step %u: %s\n", seed_, step_, call);
    H5Eprint2(H5E_DEFAULT, stderr);
    fflush(stdout);
    exit(1);
  }
  return (hid_t)status;
}

/* --- what a seed is --- */

static const char* const bound_names[] = {"earliest", "v18", "v110"};
static const H5F_libver_t bounds[] = {H5F_LIBVER_EARLIEST, H5F_LIBVER_V18, H5F_LIBVER_V110};

typedef struct {
  unsigned bound, strategy, persist, order;
  hsize_t user_block;
  size_t offset_size;
} Plan;

static const char* const strategy_names[] = {"default", "fsm", "page", "aggr", "none"};

static Plan plan(void) {
  static const hsize_t blocks[] = {0, 0, 512, 2048};
  Plan made;
  begin(1);
  made.bound = below(3);
  made.strategy = one_in(2) ? 0 : 1 + below(4);
  made.persist = below(2);
  made.user_block = blocks[below(4)];
  made.offset_size = one_in(5) ? 4 : 8;
  made.order = below(3);
  return made;
}

static hid_t creation_list(const Plan* made) {
  static const H5F_fspace_strategy_t strategies[] = {
      H5F_FSPACE_STRATEGY_FSM_AGGR, H5F_FSPACE_STRATEGY_FSM_AGGR, H5F_FSPACE_STRATEGY_PAGE,
      H5F_FSPACE_STRATEGY_AGGR, H5F_FSPACE_STRATEGY_NONE};
  static const unsigned orders[] = {0, H5P_CRT_ORDER_TRACKED,
                                    H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED};
  const hid_t list = good(H5Pcreate(H5P_FILE_CREATE), "H5Pcreate");
  H5Pset_userblock(list, made->user_block);
  H5Pset_sizes(list, made->offset_size, made->offset_size);
  H5Pset_link_creation_order(list, orders[made->order]);
  H5Pset_attr_creation_order(list, orders[made->order]);
  if (made->strategy > 0) {
    good(H5Pset_file_space_strategy(list, strategies[made->strategy], (hbool_t)made->persist, 1),
         "H5Pset_file_space_strategy");
    if (made->strategy == 2) H5Pset_file_space_page_size(list, one_in(2) ? 512 : 4096);
  }
  if (one_in(4)) H5Pset_sym_k(list, 2 + below(20), 1 + below(8));
  if (one_in(4)) H5Pset_istore_k(list, 1 + below(40));
  if (one_in(3)) H5Pset_link_phase_change(list, 1 + below(6), 1);
  if (one_in(3)) H5Pset_attr_phase_change(list, 1 + below(6), 1);
  return list;
}

static hid_t access_list(const Plan* made, unsigned first) {
  const hid_t list = good(H5Pcreate(H5P_FILE_ACCESS), "H5Pcreate");
  begin(1000 + first);
  bound_ = bounds[one_in(3) ? below(3) : made->bound];
  good(H5Pset_libver_bounds(list, bound_, H5F_LIBVER_LATEST), "H5Pset_libver_bounds");
  return list;
}

static void open_life(unsigned first) {
  const Plan made = plan();
  const hid_t create = creation_list(&made), access = access_list(&made, first);
  step_ = first;
  narrow_ = made.offset_size == 4;
  file_ = first == 0 ? H5Fcreate("life.h5", H5F_ACC_TRUNC, create, access)
                     : H5Fopen("life.h5", H5F_ACC_RDWR, access);
  good(file_, "the file");
  H5Pclose(create);
  H5Pclose(access);
}

/* --- steps --- */

typedef struct {
  const char* name;
  void (*act)(void);
  unsigned weight;
} Step;

static void step_flush(void) { good(H5Fflush(file_, H5F_SCOPE_GLOBAL), "H5Fflush"); }

static const Step steps[] = {
    {"dataset", step_dataset, 7},
    {"write", step_write, 6},
    {"extent", step_extent, 4},
    {"attribute", step_attribute, 6},
    {"attribute-away", step_attribute_away, 3},
    {"many-attributes", step_many_attributes, 1},
    {"comment", step_comment, 1},
    {"group", step_group, 3},
    {"many-links", step_many_links, 1},
    {"link", step_link, 4},
    {"link-away", step_link_away, 5},
    {"type", step_type, 2},
    {"copy", step_copy, 2},
    {"mount", step_mount, 1},
    {"through-link", step_through_link, 1},
    {"flush", step_flush, 2},
};

static void take_step(unsigned number) {
  unsigned all = 0, at;
  size_t i = 0;
  const char* only = getenv("LIVES_ONLY"); /* for whoever looks for the cause of a failure */
  step_ = number;
  begin(100 + number);
  for (i = 0; i < sizeof steps / sizeof *steps; ++i) all += steps[i].weight;
  at = below(all);
  for (i = 0; at >= steps[i].weight; ++i) at -= steps[i].weight;
  if (only != NULL && strstr(only, steps[i].name) == NULL) return;
  printf("%u op=%s ", number, steps[i].name);
  steps[i].act();
  printf("\n");
}

static int describe(void) {
  const Plan made = plan();
  printf("bound=%s strategy=%s%s userblock=%s sizes=%zu\n", bound_names[made.bound],
         strategy_names[made.strategy], made.strategy > 0 && made.persist ? "-persist" : "",
         made.user_block > 0 ? "yes" : "no", made.offset_size);
  return 0;
}

int main(int argc, char** argv) {
  unsigned first, last;
  if (argc < 4) return 2;
  seed_ = (unsigned)strtoul(argv[2], NULL, 10);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  loud_ = getenv("LIVES_LOUD") != NULL;
  if (strcmp(argv[3], "describe") == 0) return describe();
  if (chdir(argv[1]) != 0) return 2;
  register_links();
  if (strcmp(argv[3], "list") == 0) {
    static const char* const names[] = {"life.h5", "linked.h5", "mounted.h5", "sources.h5"};
    int whole = 1;
    for (int i = 0; i < 4; ++i)
      if (access(names[i], R_OK) == 0 && !list_file(names[i])) whole = 0;
    return whole ? 0 : 3;
  }
  if (argc < 5) return 2;
  first = (unsigned)atoi(argv[3]);
  last = (unsigned)atoi(argv[4]);
  setvbuf(stdout, NULL, _IONBF, 0); /* what was begun is told, also where a library crashes */
  open_life(first);
  if (first == 0) {
    begin(2);
    make_kept();
  }
  for (unsigned i = first; i < last; ++i) take_step(i);
  if (argc > 5) {
    printf("told\nfile life.h5\n");
    list_open_file();
  }
  if (H5Fget_obj_count(file_, H5F_OBJ_ALL) != 1) good(-1, "something was left open");
  good(H5Fclose(file_), "H5Fclose");
  return 0;
}
