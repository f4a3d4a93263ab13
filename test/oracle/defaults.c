/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/*
 * Oracle: prints the default of every property that has a getter, and what setters answer to good
 * and bad values. Compiled once against libhdf5 and once against libpcio; the outputs must be equal.
 * Only public calls that both have; nothing that names the library (texts, addresses) is printed.
 */
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *section = "";

static void begin(const char *name) {
  section = name;
  printf("[%s]\n", name);
}

#define SHOW(call) printf("%s -> %d\n", #call, (int)(call))
#define U(x) ((unsigned long long)(x))

static void class_tree(void) {
  hid_t ids[18];
  int i, j;
  ids[0] = H5P_ROOT, ids[1] = H5P_OBJECT_CREATE, ids[2] = H5P_FILE_CREATE, ids[3] = H5P_FILE_ACCESS;
  ids[4] = H5P_DATASET_CREATE, ids[5] = H5P_DATASET_ACCESS, ids[6] = H5P_DATASET_XFER;
  ids[7] = H5P_FILE_MOUNT, ids[8] = H5P_GROUP_CREATE, ids[9] = H5P_GROUP_ACCESS;
  ids[10] = H5P_DATATYPE_CREATE, ids[11] = H5P_DATATYPE_ACCESS, ids[12] = H5P_STRING_CREATE;
  ids[13] = H5P_ATTRIBUTE_CREATE, ids[14] = H5P_OBJECT_COPY, ids[15] = H5P_LINK_CREATE;
  ids[16] = H5P_LINK_ACCESS, ids[17] = H5P_ATTRIBUTE_ACCESS;
  begin("classes");
  for (i = 0; i < 18; ++i) {
    char *name = H5Pget_class_name(ids[i]);
    hid_t parent = H5Pget_class_parent(ids[i]);
    char *parent_name = parent >= 0 ? H5Pget_class_name(parent) : NULL;
    hid_t list = H5Pcreate(ids[i]);
    hid_t its_class = list >= 0 ? H5Pget_class(list) : -1;
    printf("%s parent %s create %d class equal %d isa:", name ? name : "(none)",
           parent_name ? parent_name : "(none)", list >= 0,
           its_class >= 0 ? (int)H5Pequal(its_class, ids[i]) : -2);
    for (j = 0; j < 18; ++j)
      if (list >= 0) printf(" %d", (int)H5Pisa_class(list, ids[j]));
    printf("\n");
    if (list >= 0) {
      hid_t copy = H5Pcopy(list);
      SHOW(H5Pequal(copy, list)), SHOW(H5Pclose(copy)), SHOW(H5Pclose(list));
      SHOW(H5Pclose_class(its_class));
    }
    if (parent >= 0) H5Pclose_class(parent);
    H5free_memory(name);
    H5free_memory(parent_name);
  }
}

static void object_create(hid_t l) {
  unsigned a = 99, b = 99;
  hbool_t t = 0;
  SHOW(H5Pget_attr_phase_change(l, &a, &b)), printf("%u %u\n", a, b);
  SHOW(H5Pget_attr_creation_order(l, &a)), printf("%u\n", a);
  SHOW(H5Pget_obj_track_times(l, &t)), printf("%d\n", t);
  SHOW(H5Pget_nfilters(l));
  SHOW(H5Pset_attr_phase_change(l, 5, 6));
  SHOW(H5Pset_attr_phase_change(l, 5, 7));
  SHOW(H5Pset_attr_phase_change(l, 70000, 6));
  SHOW(H5Pset_attr_phase_change(l, 65535, 6));
  SHOW(H5Pset_attr_phase_change(l, 70000, 70000));
  SHOW(H5Pset_attr_phase_change(l, 10, 3));
  SHOW(H5Pget_attr_phase_change(l, &a, &b)), printf("%u %u\n", a, b);
  SHOW(H5Pset_attr_creation_order(l, H5P_CRT_ORDER_INDEXED));
  SHOW(H5Pset_attr_creation_order(l, 4));
  SHOW(H5Pget_attr_creation_order(l, &a)), printf("%u\n", a);
  SHOW(H5Pset_attr_creation_order(l, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED));
  SHOW(H5Pget_attr_creation_order(l, &a)), printf("%u\n", a);
  SHOW(H5Pset_obj_track_times(l, 0));
  SHOW(H5Pget_obj_track_times(l, &t)), printf("%d\n", t);
}

static void show_filters(hid_t l) {
  int i, n = H5Pget_nfilters(l);
  for (i = 0; i < n; ++i) {
    unsigned flags = 0, values[8] = {0}, k;
    size_t count = 8;
    char name[64] = "";
    H5Z_filter_t id =
        H5Pget_filter2(l, (unsigned)i, &flags, &count, values, sizeof name, name, NULL);
    printf("  filter %d id %d flags %u '%s' n %llu:", i, (int)id, flags, name, U(count));
    for (k = 0; k < count && k < 8; ++k) printf(" %u", values[k]);
    printf("\n");
  }
}

static void filters(hid_t l) {
  unsigned values[40] = {1, 2, 3}, flags = 0;
  size_t count = 1;
  char name[64] = "x";
  SHOW(H5Pset_deflate(l, 10));
  SHOW(H5Pset_deflate(l, 6));
  SHOW(H5Pset_shuffle(l));
  SHOW(H5Pset_fletcher32(l));
  show_filters(l);
  SHOW(H5Pset_shuffle(l));
  show_filters(l);
  SHOW(H5Pset_filter(l, -1, 0, 0, NULL));
  SHOW(H5Pset_filter(l, 70000, 0, 0, NULL));
  SHOW(H5Pset_filter(l, 300, 0x100, 0, NULL));
  SHOW(H5Pset_filter(l, 300, H5Z_FLAG_OPTIONAL, 2, NULL));
  SHOW(H5Pset_filter(l, 300, H5Z_FLAG_OPTIONAL, 3, values));
  SHOW(H5Pset_filter(l, 301, H5Z_FLAG_OPTIONAL, 40, values));
  SHOW(H5Pmodify_filter(l, 300, H5Z_FLAG_OPTIONAL, 1, values));
  show_filters(l);
  SHOW(H5Pget_filter_by_id2(l, 300, &flags, &count, values, sizeof name, name, NULL));
  printf("%u %llu '%s'\n", flags, U(count), name);
  SHOW(H5Pget_filter_by_id2(l, 303, &flags, &count, values, sizeof name, name, NULL));
  SHOW(H5Pget_filter2(l, 99, &flags, &count, values, sizeof name, name, NULL));
  SHOW(H5Pall_filters_avail(l));
  SHOW(H5Premove_filter(l, 300));
  SHOW(H5Premove_filter(l, 301));
  SHOW(H5Pall_filters_avail(l));
  SHOW(H5Premove_filter(l, 300));
  SHOW(H5Premove_filter(l, H5Z_FILTER_ALL));
  SHOW(H5Pget_nfilters(l));
  SHOW(H5Premove_filter(l, H5Z_FILTER_ALL));
  SHOW(H5Zfilter_avail(H5Z_FILTER_DEFLATE));
  SHOW(H5Zfilter_avail(H5Z_FILTER_SHUFFLE));
  SHOW(H5Zfilter_avail(H5Z_FILTER_FLETCHER32));
  SHOW(H5Zfilter_avail(301));
  SHOW(H5Zfilter_avail(-1));
}

static void file_create(void) {
  hid_t l = H5Pcreate(H5P_FILE_CREATE);
  hsize_t h = 99;
  size_t a = 99, b = 99;
  unsigned i = 99, j = 99, k = 99, m = 99;
  H5F_fspace_strategy_t strategy = H5F_FSPACE_STRATEGY_NONE;
  hbool_t persist = 1;
  begin("file create");
  SHOW(H5Pget_userblock(l, &h)), printf("%llu\n", U(h));
  SHOW(H5Pget_sizes(l, &a, &b)), printf("%llu %llu\n", U(a), U(b));
  SHOW(H5Pget_sym_k(l, &i, &j)), printf("%u %u\n", i, j);
  SHOW(H5Pget_istore_k(l, &i)), printf("%u\n", i);
  SHOW(H5Pget_version(l, &i, &j, &k, &m)), printf("%u %u %u %u\n", i, j, k, m);
  SHOW(H5Pget_file_space_strategy(l, &strategy, &persist, &h));
  printf("%d %d %llu\n", (int)strategy, persist, U(h));
  SHOW(H5Pget_file_space_page_size(l, &h)), printf("%llu\n", U(h));
  SHOW(H5Pget_shared_mesg_nindexes(l, &i)), printf("%u\n", i);
  SHOW(H5Pget_shared_mesg_index(l, 0, &i, &j));
  SHOW(H5Pget_shared_mesg_phase_change(l, &i, &j)), printf("%u %u\n", i, j);
  SHOW(H5Pset_userblock(l, 1)), SHOW(H5Pset_userblock(l, 511)), SHOW(H5Pset_userblock(l, 256));
  SHOW(H5Pset_userblock(l, 512)), SHOW(H5Pset_userblock(l, 1536)), SHOW(H5Pset_userblock(l, 2048));
  SHOW(H5Pget_userblock(l, &h)), printf("%llu\n", U(h));
  SHOW(H5Pset_userblock(l, 0));
  SHOW(H5Pset_sizes(l, 3, 8)), SHOW(H5Pset_sizes(l, 8, 3)), SHOW(H5Pset_sizes(l, 4, 0));
  SHOW(H5Pget_sizes(l, &a, &b)), printf("%llu %llu\n", U(a), U(b));
  SHOW(H5Pset_sizes(l, 1, 8)), SHOW(H5Pset_sizes(l, 32, 8)), SHOW(H5Pset_sizes(l, 2, 4));
  SHOW(H5Pget_sizes(l, &a, &b)), printf("%llu %llu\n", U(a), U(b));
  SHOW(H5Pset_sym_k(l, 0, 8));
  SHOW(H5Pget_sym_k(l, &i, &j)), printf("%u %u\n", i, j);
  SHOW(H5Pset_sym_k(l, 40000, 0));
  SHOW(H5Pset_sym_k(l, 20, 0));
  SHOW(H5Pget_sym_k(l, &i, &j)), printf("%u %u\n", i, j);
  SHOW(H5Pset_istore_k(l, 0)), SHOW(H5Pset_istore_k(l, 40000)), SHOW(H5Pset_istore_k(l, 7));
  SHOW(H5Pget_istore_k(l, &i)), printf("%u\n", i);
  SHOW(H5Pset_file_space_strategy(l, H5F_FSPACE_STRATEGY_PAGE, 1, 2));
  SHOW(H5Pset_file_space_strategy(l, (H5F_fspace_strategy_t)9, 1, 2));
  SHOW(H5Pget_file_space_strategy(l, &strategy, &persist, &h));
  printf("%d %d %llu\n", (int)strategy, persist, U(h));
  SHOW(H5Pset_file_space_strategy(l, H5F_FSPACE_STRATEGY_NONE, 1, 2));
  SHOW(H5Pget_file_space_strategy(l, &strategy, &persist, &h));
  printf("%d\n", (int)strategy);
  SHOW(H5Pset_file_space_page_size(l, 511)), SHOW(H5Pset_file_space_page_size(l, 513));
  SHOW(H5Pset_file_space_page_size(l, 2147483648ULL));
  SHOW(H5Pget_file_space_page_size(l, &h)), printf("%llu\n", U(h));
  SHOW(H5Pset_shared_mesg_nindexes(l, 9)), SHOW(H5Pset_shared_mesg_nindexes(l, 2));
  SHOW(H5Pget_shared_mesg_index(l, 0, &i, &j)), printf("%u %u\n", i, j);
  SHOW(H5Pset_shared_mesg_index(l, 2, 1, 40)), SHOW(H5Pset_shared_mesg_index(l, 1, 2, 40));
  SHOW(H5Pset_shared_mesg_index(l, 1, 64, 40));
  SHOW(H5Pget_shared_mesg_index(l, 1, &i, &j)), printf("%u %u\n", i, j);
  SHOW(H5Pset_shared_mesg_phase_change(l, 5, 7)), SHOW(H5Pset_shared_mesg_phase_change(l, 6, 7));
  SHOW(H5Pset_shared_mesg_phase_change(l, 5001, 7)), SHOW(H5Pset_shared_mesg_phase_change(l, 0, 7));
  SHOW(H5Pget_shared_mesg_phase_change(l, &i, &j)), printf("%u %u\n", i, j);
  H5Pclose(l);
}

static void group_create(hid_t l) {
  unsigned a = 99, b = 99;
  size_t s = 99;
  SHOW(H5Pget_local_heap_size_hint(l, &s)), printf("%llu\n", U(s));
  SHOW(H5Pget_link_phase_change(l, &a, &b)), printf("%u %u\n", a, b);
  SHOW(H5Pget_est_link_info(l, &a, &b)), printf("%u %u\n", a, b);
  SHOW(H5Pget_link_creation_order(l, &a)), printf("%u\n", a);
  SHOW(H5Pset_link_phase_change(l, 3, 4)), SHOW(H5Pset_link_phase_change(l, 65536, 4));
  SHOW(H5Pset_link_phase_change(l, 5, 4)), SHOW(H5Pset_link_phase_change(l, 5, 65536));
  SHOW(H5Pget_link_phase_change(l, &a, &b)), printf("%u %u\n", a, b);
  SHOW(H5Pset_est_link_info(l, 65536, 4)), SHOW(H5Pset_est_link_info(l, 5, 65536));
  SHOW(H5Pset_est_link_info(l, 5, 7));
  SHOW(H5Pget_est_link_info(l, &a, &b)), printf("%u %u\n", a, b);
  SHOW(H5Pset_link_creation_order(l, H5P_CRT_ORDER_INDEXED));
  SHOW(H5Pset_link_creation_order(l, 3)), SHOW(H5Pset_link_creation_order(l, 8));
  SHOW(H5Pget_link_creation_order(l, &a)), printf("%u\n", a);
  SHOW(H5Pset_local_heap_size_hint(l, 1000));
  SHOW(H5Pget_local_heap_size_hint(l, &s)), printf("%llu\n", U(s));
}

static void file_access_numbers(hid_t l) {
  hsize_t h = 99, g = 99;
  size_t a = 99, b = 99;
  int n = 99;
  double w = 99;
  unsigned i = 99, j = 99;
  hbool_t t = 0, s = 0;
  SHOW(H5Pget_alignment(l, &h, &g)), printf("%llu %llu\n", U(h), U(g));
  SHOW(H5Pget_meta_block_size(l, &h)), printf("%llu\n", U(h));
  SHOW(H5Pget_small_data_block_size(l, &h)), printf("%llu\n", U(h));
  SHOW(H5Pget_sieve_buf_size(l, &a)), printf("%llu\n", U(a));
  SHOW(H5Pget_cache(l, &n, &a, &b, &w)), printf("%d %llu %llu %g\n", n, U(a), U(b), w);
  SHOW(H5Pget_page_buffer_size(l, &a, &i, &j)), printf("%llu %u %u\n", U(a), i, j);
  SHOW(H5Pget_gc_references(l, &i)), printf("%u\n", i);
  SHOW(H5Pget_elink_file_cache_size(l, &i)), printf("%u\n", i);
  SHOW(H5Pget_metadata_read_attempts(l, &i)), printf("%u\n", i);
  SHOW(H5Pget_evict_on_close(l, &t)), printf("%d\n", t);
  SHOW(H5Pget_core_write_tracking(l, &t, &a)), printf("%d %llu\n", t, U(a));
  SHOW(H5Pget_mdc_log_options(l, &t, NULL, &a, &s)), printf("%d %llu %d\n", t, U(a), s);
  SHOW(H5Pset_alignment(l, 1, 0)), SHOW(H5Pset_alignment(l, 0, 4096));
  SHOW(H5Pget_alignment(l, &h, &g)), printf("%llu %llu\n", U(h), U(g));
  SHOW(H5Pset_meta_block_size(l, 0)), SHOW(H5Pset_meta_block_size(l, 1048576));
  SHOW(H5Pget_meta_block_size(l, &h)), printf("%llu\n", U(h));
  SHOW(H5Pset_small_data_block_size(l, 0)), SHOW(H5Pset_sieve_buf_size(l, 0));
  SHOW(H5Pset_cache(l, 0, 100, 1000, 1.5)), SHOW(H5Pset_cache(l, 0, 100, 1000, -0.5));
  SHOW(H5Pset_cache(l, 5, 100, 1000, 1.0));
  SHOW(H5Pget_cache(l, &n, &a, &b, &w)), printf("%d %llu %llu %g\n", n, U(a), U(b), w);
  SHOW(H5Pset_page_buffer_size(l, 4096, 60, 60)), SHOW(H5Pset_page_buffer_size(l, 4096, 101, 0));
  SHOW(H5Pset_page_buffer_size(l, 4096, 40, 60));
  SHOW(H5Pget_page_buffer_size(l, &a, &i, &j)), printf("%llu %u %u\n", U(a), i, j);
  SHOW(H5Pset_gc_references(l, 1)), SHOW(H5Pset_elink_file_cache_size(l, 3));
  SHOW(H5Pset_metadata_read_attempts(l, 0)), SHOW(H5Pset_metadata_read_attempts(l, 7));
  SHOW(H5Pget_metadata_read_attempts(l, &i)), printf("%u\n", i);
  SHOW(H5Pset_core_write_tracking(l, 1, 0)), SHOW(H5Pset_core_write_tracking(l, 1, 100));
  SHOW(H5Pget_core_write_tracking(l, &t, &a)), printf("%d %llu\n", t, U(a));
}

static void file_access_choices(hid_t l) {
  H5F_close_degree_t degree = H5F_CLOSE_STRONG;
  H5F_libver_t low = H5F_LIBVER_NBOUNDS, high = H5F_LIBVER_NBOUNDS;
  hbool_t t = 0, s = 0;
  int i, j;
  SHOW(H5Pget_fclose_degree(l, &degree)), printf("%d\n", (int)degree);
  SHOW(H5Pget_libver_bounds(l, &low, &high)), printf("%d %d\n", (int)low, (int)high);
  SHOW(H5Pget_file_locking(l, &t, &s)), printf("%d %d\n", t, s);
  for (i = 0; i < 4; ++i) SHOW(H5Pset_fclose_degree(l, (H5F_close_degree_t)i));
  SHOW(H5Pget_fclose_degree(l, &degree)), printf("%d\n", (int)degree);
  for (i = -2; i < 5; ++i)
    for (j = -2; j < 5; ++j) {
      int set = H5Pset_libver_bounds(l, (H5F_libver_t)i, (H5F_libver_t)j);
      H5Pget_libver_bounds(l, &low, &high);
      printf("bounds %d %d: %d, now %d %d\n", i, j, set, (int)low, (int)high);
    }
  SHOW(H5Pset_file_locking(l, 0, 1));
  SHOW(H5Pget_file_locking(l, &t, &s)), printf("%d %d\n", t, s);
#ifdef H5_HAVE_PARALLEL
  SHOW(H5Pget_all_coll_metadata_ops(l, &t)), printf("%d\n", t);
  SHOW(H5Pget_coll_metadata_write(l, &t)), printf("%d\n", t);
  SHOW(H5Pset_all_coll_metadata_ops(l, 1)), SHOW(H5Pset_coll_metadata_write(l, 1));
  SHOW(H5Pget_all_coll_metadata_ops(l, &t)), printf("%d\n", t);
  SHOW(H5Pget_coll_metadata_write(l, &t)), printf("%d\n", t);
#endif
}

static void file_access_driver(hid_t l) {
  size_t a = 99;
  hbool_t t = 0;
  void *image = &a;
  char bytes[5] = "abcd";
  printf("default driver is sec2: %d\n", H5Pget_driver(l) == H5FD_SEC2);
  SHOW(H5Pget_fapl_core(l, &a, &t));
  SHOW(H5Pset_fapl_core(l, 1234, 1));
  printf("driver is core: %d\n", H5Pget_driver(l) == H5FD_CORE);
  SHOW(H5Pget_fapl_core(l, &a, &t)), printf("%llu %d\n", U(a), t);
  SHOW(H5Pget_file_image(l, &image, &a)), printf("%d %llu\n", image != NULL, U(a));
  SHOW(H5Pset_file_image(l, bytes, 0)), SHOW(H5Pset_file_image(l, NULL, 3));
  SHOW(H5Pset_file_image(l, bytes, 5));
  SHOW(H5Pget_file_image(l, &image, &a));
  printf("%d %llu same %d\n", image == bytes, U(a), memcmp(image, bytes, 5));
  free(image);
  SHOW(H5Pset_file_image(l, NULL, 0));
  SHOW(H5Pset_fapl_sec2(l));
  printf("driver is sec2: %d\n", H5Pget_driver(l) == H5FD_SEC2);
}

static void cache_config(hid_t l) {
  H5AC_cache_config_t c;
  memset(&c, 0, sizeof c);
  SHOW(H5Pget_mdc_config(l, &c));
  c.version = H5AC__CURR_CACHE_CONFIG_VERSION;
  SHOW(H5Pget_mdc_config(l, &c));
  printf("%d %d %d %d %d '%s' %d %d\n", c.version, c.rpt_fcn_enabled, c.open_trace_file,
         c.close_trace_file, c.evictions_enabled, c.trace_file_name, c.set_initial_size,
         (int)c.initial_size);
  printf("%g %lu %lu %ld %d %g %g %d %lu\n", c.min_clean_fraction, (unsigned long)c.max_size,
         (unsigned long)c.min_size, c.epoch_length, (int)c.incr_mode, c.lower_hr_threshold,
         c.increment, c.apply_max_increment, (unsigned long)c.max_increment);
  printf("%d %g %g %d %g %g %d %lu %d %d %g\n", (int)c.flash_incr_mode, c.flash_multiple,
         c.flash_threshold, (int)c.decr_mode, c.upper_hr_threshold, c.decrement,
         c.apply_max_decrement, (unsigned long)c.max_decrement, c.epochs_before_eviction,
         c.apply_empty_reserve, c.empty_reserve);
  printf("%lu %d\n", (unsigned long)c.dirty_bytes_threshold, c.metadata_write_strategy);
  c.evictions_enabled = 0;
  c.incr_mode = H5C_incr__off, c.decr_mode = H5C_decr__off, c.flash_incr_mode = H5C_flash_incr__off;
  SHOW(H5Pset_mdc_config(l, &c));
  c.evictions_enabled = 1;
  SHOW(H5Pget_mdc_config(l, &c)), printf("%d\n", c.evictions_enabled);
  c.version = 77;
  SHOW(H5Pset_mdc_config(l, &c));
  SHOW(H5Pset_mdc_config(l, NULL));
}

static void dataset_create_layout(hid_t l) {
  hsize_t d[40] = {4, 5, 6}, zero[2] = {0, 3}, big[1] = {4294967296ULL}, many[2] = {65536, 65536};
  hsize_t almost[1] = {4294967295ULL};
  unsigned opts = 99;
  int i;
  SHOW(H5Pget_layout(l)), SHOW(H5Pget_chunk(l, 3, d));
  for (i = -2; i < 6; ++i) SHOW(H5Pset_layout(l, (H5D_layout_t)i));
  SHOW(H5Pset_layout(l, H5D_COMPACT)), SHOW(H5Pget_layout(l));
  SHOW(H5Pset_layout(l, H5D_CONTIGUOUS));
  SHOW(H5Pget_chunk_opts(l, &opts));
  SHOW(H5Pset_chunk(l, 0, d)), SHOW(H5Pset_chunk(l, 33, d)), SHOW(H5Pset_chunk(l, -1, d));
  SHOW(H5Pset_chunk(l, 2, NULL)), SHOW(H5Pset_chunk(l, 2, zero)), SHOW(H5Pset_chunk(l, 1, big));
  SHOW(H5Pset_chunk(l, 2, many)), SHOW(H5Pset_chunk(l, 1, almost)), SHOW(H5Pget_layout(l));
  d[0] = 4;
  SHOW(H5Pset_chunk(l, 3, d)), SHOW(H5Pget_layout(l));
  memset(d, 0, sizeof d);
  SHOW(H5Pget_chunk(l, 2, d)), printf("%llu %llu %llu\n", U(d[0]), U(d[1]), U(d[2]));
  SHOW(H5Pget_chunk(l, 5, d)), printf("%llu %llu %llu\n", U(d[0]), U(d[1]), U(d[2]));
  SHOW(H5Pget_chunk_opts(l, &opts)), printf("%u\n", opts);
  SHOW(H5Pset_chunk_opts(l, 1)), SHOW(H5Pset_chunk_opts(l, H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS));
  SHOW(H5Pget_chunk_opts(l, &opts)), printf("%u\n", opts);
}

static void dataset_create_fill(hid_t l) {
  H5D_alloc_time_t at = H5D_ALLOC_TIME_ERROR;
  H5D_fill_time_t ft = H5D_FILL_TIME_ERROR;
  H5D_fill_value_t state = H5D_FILL_VALUE_ERROR;
  hbool_t t = 1;
  int i, value = 77;
  double back = 1;
  SHOW(H5Pget_alloc_time(l, &at)), printf("%d\n", (int)at);
  SHOW(H5Pget_fill_time(l, &ft)), printf("%d\n", (int)ft);
  SHOW(H5Pfill_value_defined(l, &state)), printf("%d\n", (int)state);
  SHOW(H5Pget_dset_no_attrs_hint(l, &t)), printf("%d\n", t);
  for (i = -2; i < 5; ++i) SHOW(H5Pset_alloc_time(l, (H5D_alloc_time_t)i));
  SHOW(H5Pget_alloc_time(l, &at)), printf("%d\n", (int)at);
  for (i = -2; i < 5; ++i) SHOW(H5Pset_fill_time(l, (H5D_fill_time_t)i));
  SHOW(H5Pget_fill_time(l, &ft)), printf("%d\n", (int)ft);
  SHOW(H5Pget_fill_value(l, H5T_NATIVE_DOUBLE, &back)), printf("%g\n", back);
  SHOW(H5Pset_fill_value(l, H5T_NATIVE_INT, &value));
  SHOW(H5Pfill_value_defined(l, &state)), printf("%d\n", (int)state);
  SHOW(H5Pget_fill_value(l, H5T_NATIVE_DOUBLE, &back)), printf("%g\n", back);
  SHOW(H5Pset_fill_value(l, H5T_NATIVE_INT, NULL));
  SHOW(H5Pfill_value_defined(l, &state)), printf("%d\n", (int)state);
  SHOW(H5Pget_fill_value(l, H5T_NATIVE_DOUBLE, &back));
  SHOW(H5Pset_fill_value(l, -1, &value));
  SHOW(H5Pset_dset_no_attrs_hint(l, 1));
  SHOW(H5Pget_dset_no_attrs_hint(l, &t)), printf("%d\n", t);
}

static void alloc_time_by_layout(void) {
  int i, k;
  for (i = 0; i < 3; ++i)
    for (k = 0; k < 2; ++k) {
      hid_t l = H5Pcreate(H5P_DATASET_CREATE);
      H5D_alloc_time_t at = H5D_ALLOC_TIME_ERROR;
      hsize_t d = 3;
      if (k) H5Pset_alloc_time(l, H5D_ALLOC_TIME_LATE);
      if (i == 2)
        H5Pset_chunk(l, 1, &d);
      else
        H5Pset_layout(l, (H5D_layout_t)i);
      H5Pget_alloc_time(l, &at);
      printf("layout %d explicit %d alloc time %d", i, k, (int)at);
      H5Pset_alloc_time(l, H5D_ALLOC_TIME_DEFAULT);
      H5Pget_alloc_time(l, &at);
      printf(" after default %d\n", (int)at);
      H5Pclose(l);
    }
}

static void external(hid_t l) {
  char name[8] = "zzzzzzz";
  off_t offset = 9;
  hsize_t size = 9;
  SHOW(H5Pget_external_count(l));
  SHOW(H5Pset_external(l, "", 0, 10)), SHOW(H5Pset_external(l, "abcdefghij", -1, 10));
  SHOW(H5Pset_external(l, "abcdefghij", 5, 10));
  SHOW(H5Pset_external(l, "b", 0, H5F_UNLIMITED)), SHOW(H5Pset_external(l, "c", 0, 10));
  SHOW(H5Pget_external_count(l));
  SHOW(H5Pget_external(l, 0, 4, name, &offset, &size));
  printf("%.4s %lld %llu\n", name, (long long)offset, U(size));
  SHOW(H5Pget_external(l, 5, 4, name, &offset, &size));
}

static void dataset_access(void) {
  hid_t l = H5Pcreate(H5P_DATASET_ACCESS);
  size_t a = 99, b = 99;
  double w = 99;
  char text[20] = "zz";
  begin("dataset access");
  SHOW(H5Pget_chunk_cache(l, &a, &b, &w)), printf("%llu %llu %g\n", U(a), U(b), w);
  SHOW(H5Pset_chunk_cache(l, 7, 8, 2.0)), SHOW(H5Pset_chunk_cache(l, 7, 8, -0.5));
  SHOW(H5Pset_chunk_cache(l, 7, 8, 0.5));
  SHOW(H5Pget_chunk_cache(l, &a, &b, &w)), printf("%llu %llu %g\n", U(a), U(b), w);
  SHOW(H5Pget_efile_prefix(l, text, sizeof text)), printf("%s\n", text);
  SHOW(H5Pset_efile_prefix(l, "abc")), SHOW(H5Pget_efile_prefix(l, text, sizeof text));
  printf("%s\n", text);
  SHOW(H5Pset_efile_prefix(l, NULL)), SHOW(H5Pget_efile_prefix(l, text, sizeof text));
  H5Pclose(l);
}

static void transfer_memory(hid_t l) {
  void *p = &l, *q = &l;
  double a = 9, b = 9, c = 9;
  size_t s = 99;
  char text[20] = "zz";
  printf("%llu", U(H5Pget_buffer(l, &p, &q))), printf(" %d %d\n", p == NULL, q == NULL);
  SHOW(H5Pset_buffer(l, 0, NULL, NULL)), SHOW(H5Pset_buffer(l, 5000, NULL, NULL));
  printf("%llu\n", U(H5Pget_buffer(l, NULL, NULL)));
  SHOW(H5Pget_preserve(l)), SHOW(H5Pset_preserve(l, 1)), SHOW(H5Pget_preserve(l));
  SHOW(H5Pget_edc_check(l));
  SHOW(H5Pset_edc_check(l, H5Z_ERROR_EDC)), SHOW(H5Pset_edc_check(l, H5Z_NO_EDC));
  SHOW(H5Pset_edc_check(l, H5Z_DISABLE_EDC)), SHOW(H5Pget_edc_check(l));
  SHOW(H5Pget_btree_ratios(l, &a, &b, &c)), printf("%g %g %g\n", a, b, c);
  SHOW(H5Pset_btree_ratios(l, -1, .5, .5)), SHOW(H5Pset_btree_ratios(l, .1, 1.5, .5));
  SHOW(H5Pset_btree_ratios(l, .2, .3, .4));
  SHOW(H5Pget_btree_ratios(l, &a, &b, &c)), printf("%g %g %g\n", a, b, c);
  SHOW(H5Pget_hyper_vector_size(l, &s)), printf("%llu\n", U(s));
  SHOW(H5Pset_hyper_vector_size(l, 0)), SHOW(H5Pset_hyper_vector_size(l, 1));
  SHOW(H5Pget_hyper_vector_size(l, &s)), printf("%llu\n", U(s));
  SHOW(H5Pget_data_transform(l, text, sizeof text));
  SHOW(H5Pset_data_transform(l, NULL)), SHOW(H5Pset_data_transform(l, "2*x+1"));
  SHOW(H5Pget_data_transform(l, text, sizeof text)), printf("%s\n", text);
}

static void transfer_parallel(hid_t l) {
#ifdef H5_HAVE_PARALLEL
  H5FD_mpio_xfer_t mode = H5FD_MPIO_COLLECTIVE;
  H5D_mpio_actual_chunk_opt_mode_t opt = H5D_MPIO_MULTI_CHUNK;
  H5D_mpio_actual_io_mode_t io = H5D_MPIO_CHUNK_MIXED;
  uint32_t local = 9, global = 9;
  SHOW(H5Pget_dxpl_mpio(l, &mode)), printf("%d\n", (int)mode);
  SHOW(H5Pset_dxpl_mpio(l, (H5FD_mpio_xfer_t)2)), SHOW(H5Pset_dxpl_mpio(l, (H5FD_mpio_xfer_t)-1));
  SHOW(H5Pset_dxpl_mpio_chunk_opt(l, H5FD_MPIO_CHUNK_ONE_IO));
  SHOW(H5Pset_dxpl_mpio(l, H5FD_MPIO_COLLECTIVE));
  SHOW(H5Pget_dxpl_mpio(l, &mode)), printf("%d\n", (int)mode);
  SHOW(H5Pset_dxpl_mpio_chunk_opt(l, H5FD_MPIO_CHUNK_ONE_IO));
  SHOW(H5Pset_dxpl_mpio_collective_opt(l, H5FD_MPIO_INDIVIDUAL_IO));
  SHOW(H5Pset_dxpl_mpio_chunk_opt_num(l, 5));
  SHOW(H5Pset_dxpl_mpio_chunk_opt_ratio(l, 100));
  SHOW(H5Pget_mpio_actual_chunk_opt_mode(l, &opt)), printf("%d\n", (int)opt);
  SHOW(H5Pget_mpio_actual_io_mode(l, &io)), printf("%d\n", (int)io);
  SHOW(H5Pget_mpio_no_collective_cause(l, &local, &global)), printf("%u %u\n", local, global);
#else
  (void)l;
#endif
}

static void links(void) {
  hid_t c = H5Pcreate(H5P_LINK_CREATE), a = H5Pcreate(H5P_LINK_ACCESS);
  unsigned u = 99;
  H5T_cset_t cset = H5T_CSET_ERROR;
  size_t n = 99;
  char text[20] = "zz";
  begin("links");
  SHOW(H5Pget_create_intermediate_group(c, &u)), printf("%u\n", u);
  SHOW(H5Pset_create_intermediate_group(c, 5));
  SHOW(H5Pget_create_intermediate_group(c, &u)), printf("%u\n", u);
  SHOW(H5Pget_char_encoding(c, &cset)), printf("%d\n", (int)cset);
  SHOW(H5Pset_char_encoding(c, H5T_CSET_UTF8)), SHOW(H5Pset_char_encoding(c, (H5T_cset_t)2));
  SHOW(H5Pset_char_encoding(c, H5T_CSET_ERROR));
  SHOW(H5Pget_char_encoding(c, &cset)), printf("%d\n", (int)cset);
  SHOW(H5Pget_nlinks(a, &n)), printf("%llu\n", U(n));
  SHOW(H5Pset_nlinks(a, 0)), SHOW(H5Pset_nlinks(a, 3));
  SHOW(H5Pget_nlinks(a, &n)), printf("%llu\n", U(n));
  SHOW(H5Pget_elink_prefix(a, text, sizeof text)), SHOW(H5Pset_elink_prefix(a, "pre"));
  SHOW(H5Pget_elink_prefix(a, text, sizeof text)), printf("%s\n", text);
  SHOW(H5Pget_elink_acc_flags(a, &u)), printf("%u\n", u);
  SHOW(H5Pset_elink_acc_flags(a, 77)), SHOW(H5Pset_elink_acc_flags(a, H5F_ACC_RDONLY));
  SHOW(H5Pset_elink_acc_flags(a, H5F_ACC_RDWR));
  SHOW(H5Pget_elink_acc_flags(a, &u)), printf("%u\n", u);
  printf("elink fapl %d\n", (int)H5Pget_elink_fapl(a));
  SHOW(H5Pget_nlinks(c, &n)), SHOW(H5Pget_create_intermediate_group(a, &u));
  H5Pclose(c), H5Pclose(a);
}

static void object_copy(void) {
  hid_t l = H5Pcreate(H5P_OBJECT_COPY);
  unsigned u = 99;
  begin("object copy");
  SHOW(H5Pget_copy_object(l, &u)), printf("%u\n", u);
  SHOW(H5Pset_copy_object(l, H5O_COPY_WITHOUT_ATTR_FLAG)), SHOW(H5Pset_copy_object(l, 0x1000));
  SHOW(H5Pget_copy_object(l, &u)), printf("%u\n", u);
  H5Pclose(l);
}

static void generic(void) {
  hid_t l = H5Pcreate(H5P_DATASET_CREATE), m;
  int value = 5, back = 0;
  size_t size = 99;
  begin("generic");
  SHOW(H5Pexist(l, "no such property")), SHOW(H5Pget_size(l, "no such property", &size));
  SHOW(H5Pinsert2(l, "mine", sizeof value, &value, NULL, NULL, NULL, NULL, NULL, NULL));
  SHOW(H5Pinsert2(l, "mine", sizeof value, &value, NULL, NULL, NULL, NULL, NULL, NULL));
  SHOW(H5Pexist(l, "mine"));
  SHOW(H5Pget_size(l, "mine", &size)), printf("%llu\n", U(size));
  SHOW(H5Pget(l, "mine", &back)), printf("%d\n", back);
  value = 6;
  SHOW(H5Pset(l, "mine", &value)), SHOW(H5Pset(l, "other", &value));
  m = H5Pcopy(l);
  SHOW(H5Pget(m, "mine", &back)), printf("%d\n", back);
  SHOW(H5Pequal(l, m));
  value = 7, H5Pset(m, "mine", &value);
  SHOW(H5Pequal(l, m)), SHOW(H5Pclose(m)), SHOW(H5Pclose(m)), SHOW(H5Pclose(l));
  SHOW(H5Pclose(H5P_DEFAULT)), SHOW(H5Pcreate(12345) >= 0), SHOW(H5Pcopy(12345) >= 0);
  SHOW(H5Pget_layout(H5P_DEFAULT)), SHOW(H5Pset_layout(H5P_DEFAULT, H5D_CHUNKED));
}

static void one_list(const char *name, hid_t cls, void (*body)(hid_t)) {
  hid_t l = H5Pcreate(cls);
  begin(name);
  body(l);
  H5Pclose(l);
}

int main(void) {
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  class_tree();
  one_list("object create of a dataset", H5P_DATASET_CREATE, object_create);
  one_list("object create of a group", H5P_GROUP_CREATE, object_create);
  one_list("object create of a datatype", H5P_DATATYPE_CREATE, object_create);
  one_list("filters", H5P_DATASET_CREATE, filters);
  file_create();
  one_list("group create", H5P_GROUP_CREATE, group_create);
  one_list("group create of a file", H5P_FILE_CREATE, group_create);
  one_list("file access numbers", H5P_FILE_ACCESS, file_access_numbers);
  one_list("file access choices", H5P_FILE_ACCESS, file_access_choices);
  one_list("file access driver", H5P_FILE_ACCESS, file_access_driver);
  one_list("metadata cache", H5P_FILE_ACCESS, cache_config);
  one_list("layout", H5P_DATASET_CREATE, dataset_create_layout);
  one_list("fill", H5P_DATASET_CREATE, dataset_create_fill);
  alloc_time_by_layout();
  one_list("external", H5P_DATASET_CREATE, external);
  dataset_access();
  one_list("transfer memory", H5P_DATASET_XFER, transfer_memory);
  one_list("transfer parallel", H5P_DATASET_XFER, transfer_parallel);
  links();
  object_copy();
  generic();
  (void)section;
  return 0;
}
