/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */

/* Part of lives: all that a file holds, as text: what two libraries must have alike. */

#include "listall_types.h"
#include "lives.h"

enum { kMostObjects = 2000 };

static struct {
  haddr_t address;
  char path[kNameSize];
} seen_[kMostObjects];
static int seen_count_;

static int seen(haddr_t address) {
  for (int i = 0; i < seen_count_; ++i)
    if (seen_[i].address == address) return i;
  return -1;
}

static void print_type(const char* what, hid_t type) {
  Text text = {NULL, 0, 0};
  H5O_info_t info;
  text_type(&text, type, 0);
  text_print(what, &text);
  memset(&info, 0, sizeof info);
  if (H5Tcommitted(type) > 0 && H5Oget_info(type, &info) >= 0 && seen(info.addr) >= 0)
    printf("   committed as %s\n", seen_[seen(info.addr)].path);
  else if (H5Tcommitted(type) > 0)
    printf("   committed\n");
}

static size_t print_space(hid_t space) {
  hsize_t dims[H5S_MAX_RANK] = {0}, most[H5S_MAX_RANK] = {0};
  const int ndims = H5Sget_simple_extent_dims(space, dims, most);
  const hssize_t points = H5Sget_simple_extent_npoints(space);
  printf("   space %d", (int)H5Sget_simple_extent_type(space));
  for (int i = 0; i < ndims; ++i) {
    /* libhdf5 1.10 tells the number itself, where lengths have 4 bytes */
    if (most[i] == 0xffffffff) most[i] = H5S_UNLIMITED;
    printf(" %lld/%lld", (long long)dims[i], (long long)most[i]);
  }
  printf("\n");
  return points > 0 ? (size_t)points : 0;
}

static void print_failure(const char* call) {
  refused(call, NULL);
  H5Eclear2(H5E_DEFAULT);
}

static void print_data(hid_t object, hid_t type, hid_t space, int is_attribute) {
  const size_t points = print_space(space);
  const hid_t memory = memory_of(type);
  const size_t size = H5Tget_size(memory);
  void* values = points <= limit_bytes / size ? calloc(points + 1, size) : NULL;
  herr_t status = values != NULL ? 0 : -1;
  print_type("   type ", type);
  if (points > 0 && values != NULL)
    status = is_attribute ? H5Aread(object, memory, values)
                          : H5Dread(object, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  if (status < 0) {
    print_failure(is_attribute ? "H5Aread" : "H5Dread");
    free(values);
  } else {
    printf("   values ");
    print_values(memory, points, values);
    free_values(memory, points, values);
  }
  H5Tclose(memory);
}

/* --- attributes, comments --- */

static herr_t list_attribute(hid_t object, const char* name, const H5A_info_t* info, void* order) {
  const hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
  hid_t type, space;
  printf("  attribute %s cset %d size %llu", name, (int)info->cset,
         (unsigned long long)info->data_size);
  if (info->corder_valid && *(unsigned*)order) printf(" order %u", (unsigned)info->corder);
  printf("\n");
  if (attribute < 0) {
    print_failure("H5Aopen");
    return 0;
  }
  type = H5Aget_type(attribute);
  space = H5Aget_space(attribute);
  print_data(attribute, type, space, 1);
  H5Tclose(type);
  H5Sclose(space);
  H5Aclose(attribute);
  return 0;
}

static herr_t list_name(hid_t object, const char* name, const H5A_info_t* info, void* unused) {
  (void)object, (void)info, (void)unused;
  printf(" %s", name);
  return 0;
}

static void list_attributes(hid_t object, hid_t list) {
  hsize_t at = 0;
  unsigned order = 0, most = 0, least = 0;
  H5Pget_attr_creation_order(list, &order);
  H5Pget_attr_phase_change(list, &most, &least);
  printf("  attributes: order %u, phases %u %u\n", order, most, least);
  if (H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, &at, list_attribute, &order) < 0)
    print_failure("H5Aiterate2");
  if (order & H5P_CRT_ORDER_TRACKED) {
    at = 0;
    printf("  by order:");
    if (H5Aiterate2(object, H5_INDEX_CRT_ORDER, H5_ITER_INC, &at, list_name, NULL) < 0)
      print_failure("H5Aiterate2");
    printf("\n");
  }
}

static void list_comment(hid_t object) {
  char text[kNameSize] = "";
  const ssize_t length = H5Oget_comment(object, text, sizeof text);
  if (length > 0) printf("  comment %s\n", text);
  H5Eclear2(H5E_DEFAULT);
}

/* --- datasets --- */

static void list_fill(hid_t list, hid_t type) {
  const hid_t memory = memory_of(type);
  H5D_fill_value_t defined = H5D_FILL_VALUE_ERROR;
  H5D_fill_time_t when = H5D_FILL_TIME_ERROR;
  H5D_alloc_time_t alloc = H5D_ALLOC_TIME_ERROR;
  void* value = calloc(1, H5Tget_size(memory));
  H5Pfill_value_defined(list, &defined);
  H5Pget_fill_time(list, &when);
  H5Pget_alloc_time(list, &alloc);
  printf("   fill %d time %d allocated %d\n", (int)defined, (int)when, (int)alloc);
  if (defined == H5D_FILL_VALUE_USER_DEFINED && !has_class(type, H5T_VLEN)) {
    if (H5Pget_fill_value(list, memory, value) < 0) print_failure("H5Pget_fill_value");
    printf("   fill value ");
    print_values(memory, 1, value);
  }
  free(value);
  H5Tclose(memory);
}

static void list_filters(hid_t list) {
  for (int i = 0, n = H5Pget_nfilters(list); i < n; ++i) {
    unsigned flags = 0, values[30] = {0};
    size_t many = 30;
    char name[kNameSize] = "";
    const H5Z_filter_t id =
        H5Pget_filter2(list, (unsigned)i, &flags, &many, values, sizeof name, name, NULL);
    printf("   filter %d flags %u", (int)id, flags);
    for (size_t k = 0; k < many && k < 30; ++k) printf(" %u", values[k]);
    printf("\n");
  }
}

static void list_virtual(hid_t list) {
  size_t many = 0;
  H5Pget_virtual_count(list, &many);
  for (size_t i = 0; i < many; ++i) {
    char in[kNameSize] = "", name[kNameSize] = "";
    const hid_t to = H5Pget_virtual_vspace(list, i), from = H5Pget_virtual_srcspace(list, i);
    hsize_t start[4] = {0}, end[4] = {0};
    H5Pget_virtual_filename(list, i, in, sizeof in);
    H5Pget_virtual_dsetname(list, i, name, sizeof name);
    printf("   source %s %s", in, name);
    if (H5Sget_select_bounds(to, start, end) >= 0)
      printf(" to %llu %llu", (unsigned long long)start[0], (unsigned long long)end[0]);
    if (H5Sget_select_bounds(from, start, end) >= 0)
      printf(" from %llu %llu", (unsigned long long)start[0], (unsigned long long)end[0]);
    H5Eclear2(H5E_DEFAULT);
    printf("\n");
    H5Sclose(to);
    H5Sclose(from);
  }
}

static void list_layout(hid_t data, hid_t list) {
  const H5D_layout_t layout = H5Pget_layout(list);
  printf("   layout %d", (int)layout);
  if (layout == H5D_CHUNKED) {
    hsize_t chunk[H5S_MAX_RANK] = {0};
    unsigned options = 0;
    const int ndims = H5Pget_chunk(list, H5S_MAX_RANK, chunk);
    for (int i = 0; i < ndims; ++i) printf(" %llu", (unsigned long long)chunk[i]);
    H5Pget_chunk_opts(list, &options);
    if (H5Pget_nfilters(list) > 0) printf(" options %u", options); /* else libhdf5 loses them */
  }
  if (layout != H5D_VIRTUAL && H5Pget_nfilters(list) == 0)
    printf(" bytes %llu", (unsigned long long)H5Dget_storage_size(data));
  printf("\n");
  for (int i = 0, n = H5Pget_external_count(list); i < n; ++i) {
    char name[kNameSize] = "";
    off_t offset = 0;
    hsize_t size = 0;
    H5Pget_external(list, (unsigned)i, sizeof name, name, &offset, &size);
    printf("   external %s %lld %llu\n", name, (long long)offset, (unsigned long long)size);
  }
  if (layout == H5D_VIRTUAL) list_virtual(list);
}

static void list_dataset(hid_t data) {
  const hid_t type = H5Dget_type(data), space = H5Dget_space(data),
              list = H5Dget_create_plist(data);
  list_layout(data, list);
  list_fill(list, type);
  list_filters(list);
  list_attributes(data, list);
  printf("  data\n");
  print_data(data, type, space, 0);
  H5Pclose(list);
  H5Sclose(space);
  H5Tclose(type);
}

/* --- links --- */

typedef struct {
  const char* path;
  int prints;
  unsigned order;
} Place;

static void visit(hid_t object, const char* path, int prints);

static void list_value(hid_t group, const char* name, const H5L_info_t* info) {
  char value[kNameSize * 20] = "";
  if (info->u.val_size <= sizeof value &&
      H5Lget_val(group, name, value, sizeof value, H5P_DEFAULT) < 0)
    print_failure("H5Lget_val");
  if (info->type == H5L_TYPE_EXTERNAL) {
    const char *file = NULL, *object = NULL;
    H5Lunpack_elink_val(value, info->u.val_size, NULL, &file, &object);
    printf(" external %s %s", file, object);
  } else {
    printf(" class %d %s", (int)info->type, value);
  }
}

static herr_t list_link(hid_t group, const char* name, const H5L_info_t* info, void* data) {
  const Place* place = data;
  char path[kNameSize];
  snprintf(path, sizeof path, "%s/%s", strcmp(place->path, "/") == 0 ? "" : place->path, name);
  if (place->prints) {
    printf("  link %s cset %d", name, (int)info->cset);
    if (info->corder_valid && place->order) printf(" order %lld", (long long)info->corder);
    if (info->type != H5L_TYPE_HARD) list_value(group, name, info);
    printf("\n");
  }
  if (info->type == H5L_TYPE_HARD) {
    const hid_t object = H5Oopen(group, name, H5P_DEFAULT);
    if (object < 0) {
      print_failure("H5Oopen");
      return 0;
    }
    visit(object, path, place->prints);
    H5Oclose(object);
  }
  return 0;
}

static herr_t list_link_name(hid_t group, const char* name, const H5L_info_t* info, void* unused) {
  (void)group, (void)info, (void)unused;
  printf(" %s", name);
  return 0;
}

static void list_group(hid_t group, const char* path, int prints) {
  const hid_t list = H5Gget_create_plist(group);
  Place place = {path, prints, 0};
  hsize_t at = 0;
  H5G_info_t info;
  memset(&info, 0, sizeof info);
  H5Pget_link_creation_order(list, &place.order);
  if (prints) {
    unsigned most = 0, least = 0, entries = 0, length = 0;
    H5Gget_info(group, &info);
    H5Pget_link_phase_change(list, &most, &least);
    H5Pget_est_link_info(list, &entries, &length);
    printf("  links %llu, order %u, phases %u %u, expected %u %u, filters %d\n",
           (unsigned long long)info.nlinks, place.order, most, least, entries, length,
           H5Pget_nfilters(list));
    /* H5Ocopy keeps a symbol table in libhdf5, and makes what the low bound says in libpcio */
    if (strstr(path, "/c") == NULL) printf("  storage %d\n", (int)info.storage_type);
    if (place.order) printf("  next order %lld\n", (long long)info.max_corder);
    list_attributes(group, list);
  }
  if (H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, &at, list_link, &place) < 0)
    print_failure("H5Literate");
  if (prints && (place.order & H5P_CRT_ORDER_TRACKED)) {
    at = 0;
    printf("  %s by order:", path);
    if (H5Literate(group, H5_INDEX_CRT_ORDER, H5_ITER_DEC, &at, list_link_name, NULL) < 0)
      print_failure("H5Literate");
    printf("\n");
  }
  H5Pclose(list);
}

/* --- objects: a first walk finds their names, a second one prints --- */

static int note_object(haddr_t address, const char* path) {
  if (seen(address) >= 0 || seen_count_ == kMostObjects) return 0;
  seen_[seen_count_].address = address;
  strcpy(seen_[seen_count_++].path, path);
  return 1;
}

static void visit(hid_t object, const char* path, int prints) {
  static const char* const kinds[] = {"group", "dataset", "type", "?"};
  H5O_info_t info;
  int first;
  memset(&info, 0, sizeof info);
  if (H5Oget_info(object, &info) < 0) {
    print_failure("H5Oget_info");
    return;
  }
  if (!prints) {
    if (note_object(info.addr, path) && info.type == H5O_TYPE_GROUP) list_group(object, path, 0);
    return;
  }
  first = strcmp(seen_[seen(info.addr)].path, path) == 0;
  printf("%s: %s, references %u, attributes %llu\n", path, kinds[info.type], info.rc,
         (unsigned long long)info.num_attrs);
  if (!first) {
    printf("  is %s\n", seen_[seen(info.addr)].path);
    return;
  }
  list_comment(object);
  if (info.type == H5O_TYPE_GROUP) list_group(object, path, 1);
  if (info.type == H5O_TYPE_DATASET) list_dataset(object);
  if (info.type == H5O_TYPE_NAMED_DATATYPE) {
    const hid_t list = H5Tget_create_plist(object);
    print_type("   type ", object);
    list_attributes(object, list);
    H5Pclose(list);
  }
}

void list_open_file(void) {
  const hid_t root = good(H5Oopen(file_, "/", H5P_DEFAULT), "the root group");
  const hid_t list = H5Fget_create_plist(file_);
  hsize_t block = 0;
  H5Pget_userblock(list, &block);
  printf("user block %llu\n", (unsigned long long)block);
  H5Pclose(list);
  seen_count_ = 0;
  find_kept();
  visit(root, "/", 0);
  visit(root, "/", 1);
  H5Oclose(root);
}

int list_file(const char* name) {
  printf("file %s\n", name);
  file_ = H5Fopen(name, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (file_ < 0) {
    print_failure("H5Fopen");
    return 0;
  }
  list_open_file();
  good(H5Fclose(file_), "H5Fclose");
  return refusals == 0;
}
