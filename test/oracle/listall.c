/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */

/* Lists and hashes everything that an HDF5 file holds, as text.
 *
 * Room: test/oracle, public C API only. The same source is compiled against libhdf5 and against
 * libpcio; two builds that understand a file alike print the same text. What a library refuses
 * becomes one line `refused: <call>: <reason>` and the listing goes on, so that it may be fed
 * hostile files: allocations are capped, cycles of hard links end at the address set, and
 * recursion is bounded.
 *
 * Exit: 0 all was read, 1 the file cannot be opened, 2 usage, 3 something inside was refused. */

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "listall_values.h"

/* ---- names --------------------------------------------------------------------------------- */

typedef struct {
  size_t count;
  char** name;
  H5L_type_t* type;
} Names;

static int names_add(Names* names, const char* name, H5L_type_t type) {
  if (names->count >= kMaxNames) return -1;
  if ((names->count & (names->count + 1)) == 0 || names->name == NULL) {
    const size_t capacity = 2 * names->count + 2;
    names->name = (char**)realloc(names->name, capacity * sizeof *names->name);
    names->type = (H5L_type_t*)realloc(names->type, capacity * sizeof *names->type);
    if (names->name == NULL || names->type == NULL) exit(4);
  }
  const size_t size = strlen(name) + 1;
  names->name[names->count] = (char*)malloc(size);
  if (names->name[names->count] == NULL) exit(4);
  memcpy(names->name[names->count], name, size);
  names->type[names->count++] = type;
  return 0;
}

static void names_free(Names* names) {
  for (size_t i = 0; i < names->count; ++i) free(names->name[i]);
  free(names->name);
  free(names->type);
}

static herr_t collect_attribute(hid_t object, const char* name, const H5A_info_t* info, void* out) {
  (void)object, (void)info;
  return names_add((Names*)out, name, H5L_TYPE_ERROR);
}

static herr_t collect_link(hid_t group, const char* name, const H5L_info_t* info, void* out) {
  (void)group;
  return names_add((Names*)out, name, info->type);
}

/* ---- objects ------------------------------------------------------------------------------- */

static void list_attribute(hid_t object, const char* name) {
  Text text = {NULL, 0, 0};
  text_quoted(&text, name, strlen(name));
  text_print("  attribute ", &text);
  const hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
  if (attribute < 0) {
    refused("H5Aopen", name);
    return;
  }
  const hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
  if (type < 0 || space < 0) {
    refused("H5Aget_type or H5Aget_space", name);
  } else {
    print_type(type);
    const hsize_t count = print_space(space);
    if (count > 0) print_both_hashes(attribute, type, -1, count);
  }
  if (type >= 0) H5Tclose(type);
  if (space >= 0) H5Sclose(space);
  H5Aclose(attribute);
}

static void list_attributes(hid_t object) {
  Names names = {0, NULL, NULL};
  hsize_t from = 0;
  if (H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, &from, collect_attribute, &names) < 0)
    refused("H5Aiterate2", NULL);
  for (size_t i = 0; i < names.count; ++i) list_attribute(object, names.name[i]);
  names_free(&names);
}

static void print_filters(hid_t list) {
  const int filters = H5Pget_nfilters(list);
  for (int i = 0; i < filters; ++i) {
    unsigned flags = 0, values[32] = {0}, config = 0;
    size_t count = 32;
    char name[64] = "";
    const H5Z_filter_t id =
        H5Pget_filter2(list, (unsigned)i, &flags, &count, values, sizeof name, name, &config);
    Text text = {NULL, 0, 0};
    text_number(&text, "", (long long)id);
    text_number(&text, " flags=", (long long)flags);
    for (size_t k = 0; k < count && k < 32; ++k) text_number(&text, " ", (long long)values[k]);
    text_print("  filter: ", &text);
  }
}

static void print_fill(hid_t list, hid_t type) {
  H5D_fill_value_t defined = H5D_FILL_VALUE_ERROR;
  H5D_alloc_time_t alloc = H5D_ALLOC_TIME_ERROR;
  H5D_fill_time_t when = H5D_FILL_TIME_ERROR;
  const size_t size = H5Tget_size(type);
  H5Pfill_value_defined(list, &defined);
  H5Pget_alloc_time(list, &alloc);
  H5Pget_fill_time(list, &when);
  printf("  fill: defined=%d alloc=%d time=%d\n", (int)defined, (int)alloc, (int)when);
  /* A fill of pointers is the library's memory: it is not asked for. */
  if (defined != H5D_FILL_VALUE_USER_DEFINED || size == 0 || size > limit_bytes ||
      H5Tdetect_class(type, H5T_VLEN) > 0)
    return;
  void* value = calloc(1, size);
  if (value == NULL) exit(4);
  if (H5Pget_fill_value(list, type, value) < 0)
    refused("H5Pget_fill_value", NULL);
  else
    printf("  fill value: %016llx\n", hash_values(type, value, 1));
  free(value);
}

static void print_creation_list(hid_t dataset, hid_t type) {
  const hid_t list = H5Dget_create_plist(dataset);
  if (list < 0) {
    refused("H5Dget_create_plist", NULL);
    return;
  }
  const H5D_layout_t layout = H5Pget_layout(list);
  Text text = {NULL, 0, 0};
  text_put(&text, layout == H5D_COMPACT      ? "compact"
                  : layout == H5D_CONTIGUOUS ? "contiguous"
                  : layout == H5D_CHUNKED    ? "chunked"
                                             : "other");
  if (layout == H5D_CHUNKED) {
    hsize_t chunk[H5S_MAX_RANK] = {0};
    const int ndims = H5Pget_chunk(list, H5S_MAX_RANK, chunk);
    for (int i = 0; i < ndims && i < H5S_MAX_RANK; ++i)
      text_number(&text, " ", (long long)chunk[i]);
  }
  const int external = H5Pget_external_count(list);
  if (external > 0) text_number(&text, " external files: ", external);
  text_print("  layout: ", &text);
  print_fill(list, type);
  print_filters(list);
  H5Pclose(list);
}

/* Of a dataset over the limit only the corner at the origin is read. */
static void print_corner(hid_t dataset, hid_t type, hid_t space) {
  hsize_t dims[H5S_MAX_RANK] = {0}, start[H5S_MAX_RANK] = {0}, count = 1;
  const int ndims = H5Sget_simple_extent_dims(space, dims, NULL);
  for (int i = 0; i < ndims; ++i) {
    if (dims[i] > kCorner) dims[i] = i < 8 ? kCorner : 1;
    count *= dims[i];
  }
  if (H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, dims, NULL) < 0) {
    refused("H5Sselect_hyperslab", NULL);
    return;
  }
  printf("  values: the corner of %llu elements\n", (unsigned long long)count);
  print_both_hashes(dataset, type, space, count);
}

static void list_dataset(hid_t dataset) {
  const hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset);
  printf("  elements\n"); /* what follows is not of the last attribute */
  if (type < 0 || space < 0) {
    refused("H5Dget_type or H5Dget_space", NULL);
  } else {
    print_type(type);
    const hsize_t count = print_space(space);
    const size_t size = H5Tget_size(type);
    print_creation_list(dataset, type);
    H5Eclear2(H5E_DEFAULT);
    const unsigned long long stored = H5Dget_storage_size(dataset);
    if (stored == 0 && H5Eget_num(H5E_DEFAULT) > 0) /* 0 is also the sign of a failure */
      refused("H5Dget_storage_size", NULL);
    else
      printf("  storage: %llu bytes\n", stored);
    if (count > 0 && size > 0 && count > limit_bytes / size)
      print_corner(dataset, type, space);
    else if (count > 0)
      print_both_hashes(dataset, type, H5S_ALL, count);
  }
  if (type >= 0) H5Tclose(type);
  if (space >= 0) H5Sclose(space);
}

/* ---- traversal ----------------------------------------------------------------------------- */

typedef struct {
  size_t count;
  haddr_t* address;
  char** path;
} Visited;

static const char* visited_path(const Visited* visited, haddr_t address) {
  for (size_t i = 0; i < visited->count; ++i)
    if (visited->address[i] == address) return visited->path[i];
  return NULL;
}

static void visited_add(Visited* visited, haddr_t address, const char* path) {
  if ((visited->count & (visited->count + 1)) == 0 || visited->path == NULL) {
    const size_t capacity = 2 * visited->count + 2;
    visited->address = (haddr_t*)realloc(visited->address, capacity * sizeof(haddr_t));
    visited->path = (char**)realloc(visited->path, capacity * sizeof(char*));
    if (visited->address == NULL || visited->path == NULL) exit(4);
  }
  const size_t size = strlen(path) + 1;
  visited->path[visited->count] = (char*)malloc(size);
  if (visited->path[visited->count] == NULL) exit(4);
  memcpy(visited->path[visited->count], path, size);
  visited->address[visited->count++] = address;
}

static void visit(Visited* visited, hid_t object, const char* path, int depth);

static void print_soft(hid_t group, const char* name, H5L_type_t type) {
  H5L_info_t info;
  Text text = {NULL, 0, 0};
  if (H5Lget_info(group, name, &info, H5P_DEFAULT) < 0) {
    refused("H5Lget_info", name);
    return;
  }
  const size_t size = info.u.val_size < (size_t)kMaxText / 8 ? info.u.val_size : 0;
  char* value = (char*)calloc(1, size + 1);
  if (value == NULL) exit(4);
  if (H5Lget_val(group, name, value, size, H5P_DEFAULT) < 0) {
    refused("H5Lget_val", name);
  } else {
    const char *file = NULL, *target = value;
    unsigned flags = 0;
    if (type == H5L_TYPE_EXTERNAL && H5Lunpack_elink_val(value, size, &flags, &file, &target) < 0)
      refused("H5Lunpack_elink_val", name);
    text_put(&text, type == H5L_TYPE_EXTERNAL ? "external " : "soft ");
    text_quoted(&text, name, strlen(name));
    text_put(&text, " -> ");
    if (file != NULL) {
      text_quoted(&text, file, strlen(file));
      text_put(&text, " ");
    }
    if (target != NULL) text_quoted(&text, target, strlen(target));
    text_print("link: ", &text);
  }
  free(value);
}

/* Visits what one link of the group named `path` leads to. */
static void visit_link(Visited* visited, hid_t group, const char* path, const char* name,
                       H5L_type_t type, int depth) {
  if (type == H5L_TYPE_SOFT || type == H5L_TYPE_EXTERNAL) {
    print_soft(group, name, type);
    return;
  }
  if (type != H5L_TYPE_HARD) {
    printf("link: of class %d\n", (int)type);
    return;
  }
  Text full = {NULL, 0, 0};
  text_put(&full, path);
  if (strcmp(path, "/") != 0) text_put(&full, "/");
  text_put(&full, name);
  const hid_t object = H5Oopen(group, name, H5P_DEFAULT);
  if (object < 0) {
    Text text = {NULL, 0, 0};
    text_quoted(&text, full.data, full.size);
    text_print("object ", &text);
    refused("H5Oopen", name);
  } else {
    visit(visited, object, full.data, depth);
    H5Oclose(object);
  }
  free(full.data);
}

static void list_group(Visited* visited, hid_t group, const char* path, int depth) {
  Names names = {0, NULL, NULL};
  H5G_info_t info;
  hsize_t from = 0;
  memset(&info, 0, sizeof info);
  if (H5Gget_info(group, &info) < 0)
    refused("H5Gget_info", NULL);
  else
    printf("  links: %llu\n", (unsigned long long)info.nlinks);
  if (H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, &from, collect_link, &names) < 0)
    refused("H5Literate", NULL);
  if (depth >= kMaxPathDepth)
    printf("  groups nested too deep\n");
  else
    for (size_t i = 0; i < names.count; ++i)
      visit_link(visited, group, path, names.name[i], names.type[i], depth + 1);
  names_free(&names);
}

static void visit(Visited* visited, hid_t object, const char* path, int depth) {
  H5O_info_t info;
  Text text = {NULL, 0, 0};
  memset(&info, 0, sizeof info);
  text_quoted(&text, path, strlen(path));
  if (H5Oget_info(object, &info) < 0) {
    text_print("object ", &text);
    refused("H5Oget_info", NULL);
    return;
  }
  const char* before = visited_path(visited, info.addr);
  if (before != NULL) {
    text_put(&text, " is ");
    text_quoted(&text, before, strlen(before));
    text_print("object ", &text);
    return;
  }
  if (visited->count >= kMaxNames) return;
  visited_add(visited, info.addr, path);
  text_put(&text, info.type == H5O_TYPE_GROUP     ? " group"
                  : info.type == H5O_TYPE_DATASET ? " dataset"
                                                  : " type");
  text_number(&text, " references=", (long long)info.rc);
  text_number(&text, " attributes=", (long long)info.num_attrs);
  text_print("object ", &text);
  list_attributes(object);
  if (info.type == H5O_TYPE_GROUP) list_group(visited, object, path, depth);
  if (info.type == H5O_TYPE_DATASET) list_dataset(object);
  if (info.type == H5O_TYPE_NAMED_DATATYPE) print_type(object);
}

static int list_file(const char* name) {
  Visited visited = {0, NULL, NULL};
  hsize_t user_block = 0;
  const hid_t file = H5Fopen(name, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (file < 0) {
    printf("file\n");
    refused("H5Fopen", NULL);
    return 1;
  }
  const hid_t list = H5Fget_create_plist(file);
  if (list >= 0) H5Pget_userblock(list, &user_block);
  printf("file user block %llu\n", (unsigned long long)user_block);
  if (list >= 0) H5Pclose(list);
  const hid_t root = H5Gopen2(file, "/", H5P_DEFAULT);
  if (root < 0) {
    refused("H5Gopen2", "/");
  } else {
    visit(&visited, root, "/", 0);
    H5Gclose(root);
  }
  if (H5Fclose(file) < 0) refused("H5Fclose", NULL);
  for (size_t i = 0; i < visited.count; ++i) free(visited.path[i]);
  free(visited.path);
  free(visited.address);
  return refusals > 0 ? 3 : 0;
}

int main(int argc, char** argv) {
  const char* name = NULL;
  for (int i = 1; i < argc; ++i) {
    if (strcmp(argv[i], "--max-mib") == 0 && i + 1 < argc)
      limit_bytes = (size_t)strtoul(argv[++i], NULL, 10) << 20;
    else if (argv[i][0] != '-' && name == NULL)
      name = argv[i];
    else
      name = "", i = argc;
  }
  if (name == NULL || name[0] == '\0') {
    fprintf(stderr, "usage: listall [--max-mib N] FILE\n");
    return 2;
  }
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  return list_file(name);
}
