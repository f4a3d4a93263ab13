/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/*
 * Oracle: calls of older versions on a file in memory, and getters of callbacks. Compiled once against libhdf5 and once
 * against libpcio; the outputs must be equal.
 */
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHOW(call) printf("%s -> %d\n", #call, (int)(call))

static void show_info(const char *what, const H5O_info_t *info) {
  printf("%s: type %d, %u references, %d attributes\n", what, (int)info->type, info->rc,
         (int)info->num_attrs);
}

static herr_t visit(hid_t object, const char *name, const H5O_info_t *info, void *data) {
  (void)object;
  ++*(int *)data;
  show_info(name, info);
  return 0;
}

static void make_objects(hid_t file) {
  hsize_t n = 10, chunk = 4;
  int values[10] = {7};
  hid_t space = H5Screate_simple(1, &n, NULL), list = H5Pcreate(H5P_DATASET_CREATE), set, attribute,
        type;
  SHOW(H5Pset_chunk(list, 1, &chunk)), SHOW(H5Pset_deflate(list, 3));
  SHOW((set = H5Dcreate2(file, "set", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT)) >= 0);
  SHOW((attribute = H5Acreate1(set, "a", H5T_NATIVE_INT, space, H5P_DEFAULT)) >= 0);
  SHOW(H5Aclose(attribute)), SHOW((attribute = H5Aopen_name(set, "a")) >= 0),
      SHOW(H5Aclose(attribute));
  SHOW(H5Aopen_name(set, "b") >= 0);
  type = H5Tcopy(H5T_NATIVE_INT);
  SHOW(H5Tcommit1(file, "type", type)), SHOW(H5Tcommitted(type)),
      SHOW(H5Tcommit1(file, "other", type));
  SHOW(H5Tclose(type));
  SHOW(H5Lcreate_soft("set", file, "soft", H5P_DEFAULT, H5P_DEFAULT));
  SHOW(H5Dwrite(set, H5T_NATIVE_INT, space, space, H5P_DEFAULT, values));
  SHOW(H5Dclose(set)), SHOW(H5Pclose(list)), SHOW(H5Sclose(space));
}

static void ask_objects(hid_t file) {
  H5O_info_t info;
  H5F_info1_t facts;
  H5D_chunk_index_t index;
  char value[8] = "";
  hid_t set = H5Dopen2(file, "set", H5P_DEFAULT), found;
  hobj_ref_t reference;
  int n = 0;
  SHOW(H5Oget_info1(set, &info)), show_info("set", &info);
  SHOW(H5Oget_info_by_name1(file, "type", &info, H5P_DEFAULT)), show_info("type", &info);
  SHOW(H5Oget_info_by_idx1(file, ".", H5_INDEX_NAME, H5_ITER_INC, 0, &info, H5P_DEFAULT)),
      show_info("first", &info);
  SHOW(H5Oget_info_by_idx1(file, ".", H5_INDEX_NAME, H5_ITER_INC, 9, &info, H5P_DEFAULT));
  SHOW(H5Ovisit1(file, H5_INDEX_NAME, H5_ITER_DEC, visit, &n)), printf("%d\n", n);
  SHOW(H5Ovisit_by_name1(file, "set", H5_INDEX_NAME, H5_ITER_INC, visit, &n, H5P_DEFAULT)),
      printf("%d\n", n);
  SHOW(H5Gget_linkval(file, "soft", sizeof value, value)), printf("%s\n", value);
  SHOW(H5Gget_linkval(file, "set", sizeof value, value));
  memset(value, 0, sizeof value);
  SHOW(H5Lget_val_by_idx(file, ".", H5_INDEX_NAME, H5_ITER_INC, 1, value, sizeof value,
                         H5P_DEFAULT));
  printf("%s\n", value);
  SHOW(H5Lget_val_by_idx(file, ".", H5_INDEX_NAME, H5_ITER_INC, 7, value, sizeof value,
                         H5P_DEFAULT));
  SHOW(H5Fget_info1(set, &facts)), printf("%d\n", (int)facts.super_ext_size);
  SHOW(H5Fget_free_sections(file, H5FD_MEM_DEFAULT, 0, NULL) >= 0);
  SHOW(H5Dget_chunk_index_type(set, &index)), printf("%d\n", (int)index);
  SHOW(H5Rcreate(&reference, file, "set", H5R_OBJECT, -1));
  SHOW((found = H5Rdereference1(file, H5R_OBJECT, &reference)) >= 0), SHOW(H5Iget_type(found)),
      SHOW(H5Oclose(found));
  SHOW(H5Rdereference1(file, (H5R_type_t)9, &reference) >= 0);
  SHOW(H5Dclose(set));
}

static void ask_filters(hid_t file) {
  unsigned flags = 9, values[4] = {0, 0, 0, 0};
  size_t n = 4;
  char name[16] = "";
  hid_t set = H5Dopen2(file, "set", H5P_DEFAULT), list = H5Dget_create_plist(set);
  SHOW(H5Pget_filter1(list, 0, &flags, &n, values, sizeof name, name));
  printf("%u %d %u %s\n", flags, (int)n, values[0], name);
  SHOW(H5Pget_filter1(list, 3, &flags, &n, values, sizeof name, name));
  n = 4, values[0] = 0;
  SHOW(H5Pget_filter_by_id1(list, H5Z_FILTER_DEFLATE, &flags, &n, values, sizeof name, name));
  printf("%u %d %u\n", flags, (int)n, values[0]);
  SHOW(H5Pget_filter_by_id1(list, H5Z_FILTER_SZIP, &flags, &n, values, sizeof name, name));
  SHOW(H5Pclose(list)), SHOW(H5Dclose(set));
}

static herr_t follow(const char *a, const char *b, const char *c, const char *d, unsigned *flags,
                     hid_t list, void *data) {
  (void)a, (void)b, (void)c, (void)d, (void)flags, (void)list, (void)data;
  return 0;
}
static H5T_conv_ret_t convert(H5T_conv_except_t kind, hid_t from, hid_t to, void *a, void *b,
                              void *data) {
  (void)kind, (void)from, (void)to, (void)a, (void)b, (void)data;
  return H5T_CONV_UNHANDLED;
}
static void *get_memory(size_t size, void *data) {
  (void)data;
  return malloc(size);
}
static void give_memory(void *memory, void *data) {
  (void)data;
  free(memory);
}
static void *image_memory(size_t size, H5FD_file_image_op_t op, void *data) {
  (void)op, (void)data;
  return malloc(size);
}

static void callbacks(void) {
  hid_t link = H5Pcreate(H5P_LINK_ACCESS), transfer = H5Pcreate(H5P_DATASET_XFER),
        access = H5Pcreate(H5P_FILE_ACCESS);
  H5L_elink_traverse_t traverse = NULL;
  H5T_conv_except_func_t except = NULL;
  H5MM_allocate_t allocate = NULL;
  H5MM_free_t release = NULL;
  H5FD_file_image_callbacks_t image = {image_memory, NULL, NULL, NULL, NULL, NULL, NULL};
  H5AC_cache_image_config_t config = {H5AC__CURR_CACHE_IMAGE_CONFIG_VERSION, 1, 0,
                                      H5AC__CACHE_IMAGE__ENTRY_AGEOUT__NONE};
  void *data = &data, *more = NULL;
  hbool_t evict = 9;
  SHOW(H5Pget_elink_cb(link, &traverse, &data)), SHOW(traverse == NULL && data == NULL);
  SHOW(H5Pset_elink_cb(link, follow, &link)), SHOW(H5Pget_elink_cb(link, &traverse, &data));
  SHOW(traverse == follow && data == &link);
  SHOW(H5Pget_type_conv_cb(transfer, &except, &data)), SHOW(except == NULL);
  SHOW(H5Pset_type_conv_cb(transfer, convert, &link)),
      SHOW(H5Pget_type_conv_cb(transfer, &except, &data));
  SHOW(except == convert && data == &link);
  SHOW(H5Pget_vlen_mem_manager(transfer, &allocate, &data, &release, &more)),
      SHOW(allocate == NULL && release == NULL);
  SHOW(H5Pset_vlen_mem_manager(transfer, get_memory, &link, give_memory, &access));
  SHOW(H5Pget_vlen_mem_manager(transfer, &allocate, &data, &release, &more));
  SHOW(allocate == get_memory && data == &link && release == give_memory && more == &access);
  SHOW(H5Pset_file_image_callbacks(access, &image)), memset(&image, 0, sizeof image);
  SHOW(H5Pget_file_image_callbacks(access, &image)),
      SHOW(image.image_malloc == image_memory && image.image_free == NULL);
  SHOW(H5Pset_mdc_image_config(access, &config)), config.generate_image = 0;
  SHOW(H5Pget_mdc_image_config(access, &config));
  printf("%d %d %d\n", (int)config.generate_image, (int)config.save_resize_status,
         config.entry_ageout);
  config.version = 77;
  SHOW(H5Pset_mdc_image_config(access, &config)), SHOW(H5Pget_mdc_image_config(access, &config));
  SHOW(H5Pget_evict_on_close(access, &evict)), printf("%d\n", (int)evict);
  SHOW(H5Pset_evict_on_close(transfer, 1));
  SHOW(H5Pclose(link)), SHOW(H5Pclose(transfer)), SHOW(H5Pclose(access));
}

int main(void) {
  hid_t access, file;
  /* Only before the library is used. */
  SHOW(H5dont_atexit());
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  access = H5Pcreate(H5P_FILE_ACCESS);
  SHOW(H5Pset_fapl_core(access, 65536, 0));
  SHOW((file = H5Fcreate("memory", H5F_ACC_TRUNC, H5P_DEFAULT, access)) >= 0);
  make_objects(file);
  ask_objects(file);
  ask_filters(file);
  callbacks();
  SHOW(H5Fclose(file)), SHOW(H5Pclose(access)), SHOW(H5close());
  return 0;
}
