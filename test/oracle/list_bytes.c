/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/*
 * Oracle: property lists with random values as bytes, and what comes back of them. Compiled against
 * libhdf5 and against libpcio; the outputs must be equal. Arguments: number of lists, seed.
 * Room: test/oracle.
 */
#include <hdf5.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state;

/* A number below `end`. The same sequence everywhere. */
static unsigned pick(unsigned end) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (unsigned)((state >> 11) % end);
}

/* A size of any magnitude, at least 1. */
static unsigned long long size_of(void) {
  unsigned bits = 1 + pick(40);
  return 1 + (((unsigned long long)pick(0x7fffffff) << 20 | pick(1 << 20)) & ((1ull << bits) - 1));
}

static const char *text(void) {
  static const char *const texts[] = {"a", "folder/name", "./x", "a longer text with blanks in it"};
  return texts[pick(4)];
}

static double share(void) { return pick(1001) / 1000.0; }

enum { kSetters = 81 };
static unsigned counts[kSetters]; /* calls that succeeded, by setter */

/* ---- setters by class: each answers what its call returned ------------------------------------- */

static herr_t set_object(hid_t l, unsigned which) {
  unsigned values[3] = {1, 2, 3}, max = pick(100);
  switch (which) {
    case 0: return H5Pset_attr_phase_change(l, max, pick(max + 1));
    case 1: return H5Pset_attr_creation_order(l, pick(2) ? 3 : pick(2));
    case 2: return H5Pset_obj_track_times(l, pick(2));
    case 3: return H5Pset_deflate(l, pick(10));
    case 4: return H5Pset_fletcher32(l);
    default: return H5Pset_filter(l, 300 + (int)pick(5), H5Z_FLAG_OPTIONAL, pick(4), values);
  }
}

static herr_t set_group(hid_t l, unsigned which) {
  unsigned max = pick(100);
  switch (which) {
    case 0: return H5Pset_link_phase_change(l, max, pick(max + 1));
    case 1: return H5Pset_est_link_info(l, pick(60000), pick(60000));
    case 2: return H5Pset_local_heap_size_hint(l, pick(100000));
    case 3: return H5Pset_link_creation_order(l, pick(2) ? 3 : pick(2));
    default: return set_object(l, pick(6));
  }
}

static herr_t set_file_create(hid_t l, unsigned which) {
  static const unsigned widths[] = {2, 4, 8};
  unsigned max = pick(100);
  switch (which) {
    case 0: return H5Pset_userblock(l, (hsize_t)512 << pick(10));
    case 1: return H5Pset_sizes(l, widths[pick(3)], widths[pick(3)]);
    case 2: return H5Pset_sym_k(l, 1 + pick(30000), 1 + pick(30000));
    case 3: return H5Pset_istore_k(l, 1 + pick(30000));
    case 4: return H5Pset_shared_mesg_nindexes(l, pick(7));
    case 5: return H5Pset_shared_mesg_index(l, pick(6), pick(32), pick(1000));
    case 6: return H5Pset_shared_mesg_phase_change(l, 1 + max, pick(max + 1));
    case 7:
      return H5Pset_file_space_strategy(l, (H5F_fspace_strategy_t)pick(2), pick(2), size_of());
    case 8: return H5Pset_file_space_page_size(l, 512 + pick(1000000));
    default: return set_group(l, pick(5));
  }
}

static herr_t set_cache_config(hid_t l) {
  H5AC_cache_config_t c;
  memset(&c, 0, sizeof c);
  c.version = H5AC__CURR_CACHE_CONFIG_VERSION;
  if (H5Pget_mdc_config(l, &c) < 0) return -1;
  c.rpt_fcn_enabled = pick(2);
  c.initial_size = 1048576 + pick(1000000);
  c.max_size = 33554432 + pick(1000000);
  c.min_clean_fraction = share();
  c.epoch_length = 1000 + (long)pick(10000);
  c.dirty_bytes_threshold = 262144 + pick(1000);
  c.apply_max_increment = pick(2);
  c.epochs_before_eviction = 1 + (int)pick(9);
  return H5Pset_mdc_config(l, &c);
}

static herr_t set_image_config(hid_t l) {
  H5AC_cache_image_config_t c = {H5AC__CURR_CACHE_IMAGE_CONFIG_VERSION, 0, 0,
                                 H5AC__CACHE_IMAGE__ENTRY_AGEOUT__NONE};
  c.generate_image = pick(2);
  c.save_resize_status = pick(8) == 0;
  c.entry_ageout = pick(3) ? H5AC__CACHE_IMAGE__ENTRY_AGEOUT__NONE : (int)pick(110) - 4;
  return H5Pset_mdc_image_config(l, &c);
}

static herr_t set_file_access(hid_t l, unsigned which) {
  static char image[3] = "ab";
  unsigned meta = pick(101);
  switch (which) {
    case 0: return H5Pset_alignment(l, size_of(), size_of());
    case 1: return H5Pset_cache(l, 0, (size_t)size_of(), (size_t)size_of(), share());
    case 2: return H5Pset_libver_bounds(l, (H5F_libver_t)pick(3), (H5F_libver_t)pick(3));
    case 3: return H5Pset_fclose_degree(l, (H5F_close_degree_t)pick(4));
    case 4: return H5Pset_meta_block_size(l, size_of());
    case 5: return H5Pset_small_data_block_size(l, size_of());
    case 6: return H5Pset_sieve_buf_size(l, (size_t)size_of());
    case 7: return H5Pset_gc_references(l, pick(2));
    case 8: return H5Pset_elink_file_cache_size(l, pick(100));
    case 9: return H5Pset_metadata_read_attempts(l, 1 + pick(100));
    case 10: return H5Pset_file_locking(l, pick(2), pick(2));
    case 11: return H5Pset_core_write_tracking(l, pick(2), 1 + pick(100000));
    case 12: return H5Pset_mdc_log_options(l, pick(2), text(), pick(2));
    case 13: return H5Pset_page_buffer_size(l, (size_t)size_of(), meta, pick(101));
    case 14: return H5Pset_coll_metadata_write(l, pick(2));
    case 15: return H5Pset_all_coll_metadata_ops(l, pick(2));
    case 16: return H5Pset_fapl_core(l, 100, pick(2));
    case 17: return H5Pset_fapl_sec2(l);
    case 18: return H5Pset_file_image(l, image, sizeof image);
    case 19: return set_cache_config(l);
    default: return set_image_config(l);
  }
}

static hid_t some_type(void *value) {
  static short one = 1;
  hsize_t four = 4;
  hid_t type;
  memset(value, (int)pick(200), 64);
  switch (pick(6)) {
    case 0: return H5Tcopy(H5T_NATIVE_INT);
    case 1: return H5Tcopy(H5T_IEEE_F64BE);
    case 2:
      type = H5Tcopy(H5T_C_S1);
      H5Tset_size(type, 1 + pick(60));
      return type;
    case 3:
      type = H5Tenum_create(H5T_STD_I16BE);
      H5Tenum_insert(type, "one", &one);
      return type;
    case 4: return H5Tarray_create2(H5T_NATIVE_SHORT, 1, &four);
    default:
      type = H5Tcreate(H5T_COMPOUND, 16);
      H5Tinsert(type, "first", 0, H5T_NATIVE_INT);
      H5Tinsert(type, "second", 8, H5T_NATIVE_DOUBLE);
      return type;
  }
}

static herr_t set_fill_value(hid_t l) {
  char value[64];
  hid_t type = some_type(value);
  herr_t answer = H5Pset_fill_value(l, type, pick(5) == 0 ? NULL : value);
  H5Tclose(type);
  return answer;
}

/* One mapping: of everything, of a block, of blocks, or of blocks without an end. */
static herr_t set_virtual(hid_t l) {
  const hsize_t rows = 2 + pick(9), dims[2] = {rows, 4 + pick(5)}, start[2] = {pick(2), 1},
                count[2] = {1, 2}, stride[2] = {1, 2}, none = H5S_UNLIMITED, ten = 10, zero = 0;
  const unsigned kind = pick(4);
  hid_t target = H5Screate_simple(2, dims, NULL), source = H5Scopy(target);
  herr_t answer;
  if (kind == 1) H5Sselect_hyperslab(target, H5S_SELECT_SET, start, NULL, count, NULL);
  if (kind == 1) H5Sselect_hyperslab(source, H5S_SELECT_SET, start, NULL, count, NULL);
  if (kind == 2) H5Sselect_hyperslab(target, H5S_SELECT_SET, start, stride, count, NULL);
  if (kind == 2) H5Sselect_hyperslab(source, H5S_SELECT_SET, start, NULL, count, NULL);
  if (kind == 3) {
    H5Sclose(target), H5Sclose(source);
    target = H5Screate_simple(1, &zero, &none), source = H5Screate_simple(1, &ten, NULL);
    H5Sselect_hyperslab(target, H5S_SELECT_SET, &zero, &ten, &none, &ten);
  }
  answer = H5Pset_virtual(l, target, kind == 3 ? "part-%b.h5" : text(), text(), source);
  H5Sclose(target), H5Sclose(source);
  return answer;
}

static herr_t set_dataset_create(hid_t l, unsigned which) {
  hsize_t dims[4] = {1 + pick(1000), 1 + pick(300000), 1 + pick(9), 1 + pick(9)};
  switch (which) {
    case 0: return H5Pset_layout(l, (H5D_layout_t)pick(2));
    case 1: return H5Pset_chunk(l, 1 + (int)pick(4), dims);
    case 2: return H5Pset_alloc_time(l, (H5D_alloc_time_t)pick(4));
    case 3: return H5Pset_fill_time(l, (H5D_fill_time_t)pick(3));
    case 4: return set_fill_value(l);
    case 5: return H5Pset_external(l, text(), (off_t)size_of(), size_of());
    case 6: return H5Pset_shuffle(l);
    case 7: return H5Pset_nbit(l);
    case 8: return H5Pset_scaleoffset(l, H5Z_SO_INT, (int)pick(20));
    case 9: return H5Pset_dset_no_attrs_hint(l, pick(2));
    case 10: return set_virtual(l);
    default: return set_object(l, pick(6));
  }
}

static hid_t some_file_access(void) {
  hid_t list = H5Pcreate(H5P_FILE_ACCESS), copy;
  unsigned n = pick(3);
  while (n-- > 0) set_file_access(list, pick(11));
  if (pick(2)) return list;
  copy = H5Pcopy(list);
  H5Pclose(list);
  return copy;
}

static herr_t set_link_file(hid_t l) {
  hid_t list = pick(4) == 0 ? H5P_DEFAULT : some_file_access();
  herr_t answer = H5Pset_elink_fapl(l, list);
  if (list != H5P_DEFAULT) H5Pclose(list);
  return answer;
}

static herr_t set_link_access(hid_t l, unsigned which) {
  switch (which) {
    case 0: return H5Pset_nlinks(l, (size_t)size_of());
    case 1: return H5Pset_elink_prefix(l, text());
    case 2: return H5Pset_elink_acc_flags(l, pick(2) ? H5F_ACC_RDWR : H5F_ACC_RDONLY);
    case 3: return H5Pset_all_coll_metadata_ops(l, pick(2));
    case 4: return set_link_file(l);
    default: return H5Pset_elink_cb(l, NULL, NULL);
  }
}

static herr_t set_dataset_access(hid_t l, unsigned which) {
  switch (which) {
    case 0: return H5Pset_chunk_cache(l, (size_t)size_of(), (size_t)size_of(), share());
    case 1: return H5Pset_efile_prefix(l, text());
    case 2:
      return H5Pset_chunk_cache(l, H5D_CHUNK_CACHE_NSLOTS_DEFAULT, H5D_CHUNK_CACHE_NBYTES_DEFAULT,
                                H5D_CHUNK_CACHE_W0_DEFAULT);
    default: return set_link_access(l, pick(6));
  }
}

static herr_t set_transfer(hid_t l, unsigned which) {
  switch (which) {
    case 0: return H5Pset_buffer(l, (size_t)size_of(), NULL, NULL);
    case 1: return H5Pset_preserve(l, pick(2));
    case 2: return H5Pset_btree_ratios(l, .1, share(), .9);
    case 3: return H5Pset_hyper_vector_size(l, (size_t)size_of());
    case 4: return H5Pset_edc_check(l, (H5Z_EDC_t)pick(2));
    case 5: return H5Pset_data_transform(l, pick(2) ? "x*2+4" : "(5/9.0)*(x-32)");
    case 6: return H5Pset_dxpl_mpio(l, (H5FD_mpio_xfer_t)pick(2));
    case 7: return H5Pset_dxpl_mpio_collective_opt(l, (H5FD_mpio_collective_opt_t)pick(2));
    case 8: return H5Pset_dxpl_mpio_chunk_opt(l, (H5FD_mpio_chunk_opt_t)pick(3));
    case 9: return H5Pset_dxpl_mpio_chunk_opt_num(l, pick(1000));
    case 10: return H5Pset_dxpl_mpio_chunk_opt_ratio(l, pick(101));
    case 11: return H5Pset_vlen_mem_manager(l, NULL, NULL, NULL, NULL);
    default: return H5Pset_type_conv_cb(l, NULL, NULL);
  }
}

static herr_t set_names(hid_t l, unsigned which) {
  if (which == 0) return H5Pset_char_encoding(l, (H5T_cset_t)pick(2));
  return H5Pset_create_intermediate_group(l, pick(2));
}

static herr_t set_copy(hid_t l, unsigned which) {
  (void)which;
  return H5Pset_copy_object(l, pick(64));
}

struct family {
  herr_t (*set)(hid_t list, unsigned which);
  unsigned setters, first; /* number of setters; place of the first in `counts` */
};

static const struct family objects = {set_object, 6, 0}, groups = {set_group, 5, 6},
                           files = {set_file_create, 10, 11}, opens = {set_file_access, 21, 21},
                           datasets = {set_dataset_create, 12, 42},
                           links = {set_link_access, 6, 54}, reaches = {set_dataset_access, 4, 60},
                           transfers = {set_transfer, 13, 64}, names = {set_names, 1, 77},
                           new_links = {set_names, 2, 78}, copies = {set_copy, 1, 80};

/* ---- one list ---------------------------------------------------------------------------------- */

static void show_bytes(const char *what, hid_t list) {
  size_t size = 0, i, zeros = 0;
  unsigned char *bytes;
  printf("%s %d", what, H5Pencode(list, NULL, &size));
  bytes = malloc(size + 1);
  printf(" %d %d ", H5Pencode(list, bytes, &size), (int)size);
  for (i = 0; i < size; ++i) {
    zeros = bytes[i] == 0 ? zeros + 1 : 0;
    if (zeros == 100) printf("...");
    if (zeros < 100) printf("%02x", bytes[i]);
  }
  printf("\n");
  free(bytes);
}

static hid_t decoded(hid_t list) {
  size_t size = 0;
  unsigned char *bytes;
  hid_t back;
  H5Pencode(list, NULL, &size);
  bytes = malloc(size + 1);
  H5Pencode(list, bytes, &size);
  back = H5Pdecode(bytes);
  free(bytes);
  return back;
}

static void one_list(hid_t cls, const struct family *family) {
  hid_t list = H5Pcreate(cls), back;
  unsigned n = pick(6);
  printf("set");
  while (n-- > 0) {
    unsigned which = pick(family->setters);
    herr_t answer = family->set(list, which);
    printf(" %u:%d", which, answer);
    if (answer >= 0) ++counts[family->first + which];
  }
  printf("\n");
  if (pick(4) == 0) {
    hid_t copy = H5Pcopy(list);
    H5Pclose(list);
    list = copy;
  }
  show_bytes("list", list);
  back = decoded(list);
  printf("back %s\n", back < 0 ? "failed" : "id");
  if (back >= 0) {
    printf("equal %d\n", H5Pequal(list, back));
    show_bytes("again", back);
    H5Pclose(back);
  }
  H5Pclose(list);
}

static void hostile(void) {
  unsigned char bytes[8] = {0};
  char *name;
  size_t size = 3;
  hid_t list = H5Pcreate(H5P_FILE_ACCESS), cls;
  int i;
  printf("null %d, size null %d, no list %d\n", H5Pdecode(NULL) >= 0, H5Pencode(list, NULL, NULL),
         H5Pencode(-1, NULL, &size));
  for (i = 0; i < 30; ++i) {
    bytes[1] = (unsigned char)i;
    list = H5Pdecode(bytes);
    name = list < 0 ? NULL : H5Pget_class_name(H5Pget_class(list));
    printf("class %d: %s\n", i, name == NULL ? "failed" : name);
    H5free_memory(name);
  }
  bytes[0] = 1;
  printf("version 1: %d\n", H5Pdecode(bytes) >= 0);
  printf("no such property: %d\n", H5Pdecode("\0\2abc\0\0\0") >= 0);
  cls = H5Pcreate_class(H5P_LINK_CREATE, "mine", NULL, NULL, NULL, NULL, NULL, NULL);
  list = H5Pcreate(cls);
  H5Pinsert2(list, "my own", sizeof i, &i, NULL, NULL, NULL, NULL, NULL, NULL);
  show_bytes("class of a program", list);
  printf("back %d\n", decoded(list) >= 0);
}

int main(int argc, char **argv) {
  hid_t classes[17];
  const struct family *of[17];
  int lists = argc > 1 ? atoi(argv[1]) : 100, i, none = 0;
  state = 88172645463325252ull + (argc > 2 ? strtoull(argv[2], NULL, 10) : 0) * 7919;
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  classes[0] = H5P_OBJECT_CREATE, of[0] = &objects, classes[1] = H5P_FILE_CREATE, of[1] = &files;
  classes[2] = H5P_FILE_ACCESS, of[2] = &opens, classes[3] = H5P_DATASET_CREATE, of[3] = &datasets;
  classes[4] = H5P_DATASET_ACCESS, of[4] = &reaches, classes[5] = H5P_DATASET_XFER;
  of[5] = &transfers, classes[6] = H5P_GROUP_CREATE, of[6] = &groups;
  classes[7] = H5P_GROUP_ACCESS, of[7] = &links, classes[8] = H5P_DATATYPE_CREATE;
  of[8] = &objects, classes[9] = H5P_DATATYPE_ACCESS, of[9] = &links;
  classes[10] = H5P_STRING_CREATE, of[10] = &names, classes[11] = H5P_ATTRIBUTE_CREATE;
  of[11] = &names, classes[12] = H5P_ATTRIBUTE_ACCESS, of[12] = &links;
  classes[13] = H5P_OBJECT_COPY, of[13] = &copies, classes[14] = H5P_LINK_CREATE;
  of[14] = &new_links, classes[15] = H5P_LINK_ACCESS, of[15] = &links;
  classes[16] = H5P_FILE_MOUNT, of[16] = NULL;
  hostile();
  for (i = 0; i < lists; ++i) {
    unsigned which = (unsigned)i % 17;
    printf("- %d class %u\n", i, which);
    if (of[which] != NULL) one_list(classes[which], of[which]);
  }
  for (i = 0; i < kSetters; ++i) {
    if (counts[i] > 0) continue;
    ++none;
    printf("setter %d never succeeded\n", i);
  }
  printf("%d lists, %d setters, %d of them never used\n", lists, kSetters, none);
  return lists >= 2000 && none > 0;
}
