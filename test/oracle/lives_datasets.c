/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */

/* Part of lives: datasets made, written and given another extent. */

#include "lives.h"

typedef struct {
  int ndims; /* -1: null */
  hsize_t dims[kMostDims], most[kMostDims];
  int grows, unlimited; /* dimensions */
} Shape;

static hsize_t points_of(const Shape* shape) {
  hsize_t points = shape->ndims < 0 ? 0 : 1;
  for (int i = 0; i < shape->ndims; ++i) points *= shape->dims[i];
  return points;
}

static Shape make_shape(void) {
  static const unsigned longest[] = {0, 60, 12, 5};
  Shape shape = {0, {0}, {0}, 0, 0};
  if (one_in(14)) return shape;
  if (one_in(20)) {
    shape.ndims = -1;
    return shape;
  }
  shape.ndims = one_in(2) ? 1 : 2 + (int)below(2);
  for (int i = 0; i < shape.ndims; ++i) {
    shape.dims[i] = one_in(25) ? 0 : 1 + below(longest[shape.ndims]);
    shape.most[i] = shape.dims[i];
    if (!one_in(3)) continue;
    shape.most[i] = narrow_ || one_in(3) ? shape.dims[i] + 1 + below(20) : H5S_UNLIMITED;
    ++shape.grows;
    if (shape.most[i] == H5S_UNLIMITED) ++shape.unlimited;
  }
  return shape;
}

static hid_t space_of(const Shape* shape) {
  if (shape->ndims < 0) return H5Screate(H5S_NULL);
  if (shape->ndims == 0) return H5Screate(H5S_SCALAR);
  return good(H5Screate_simple(shape->ndims, shape->dims, shape->most), "H5Screate_simple");
}

/* --- creation lists --- */

static void note_index(const Shape* shape, int early, int filtered, const hsize_t* chunk) {
  int single = 1;
  for (int i = 0; i < shape->ndims; ++i)
    if (chunk[i] != shape->dims[i] || shape->most[i] != shape->dims[i]) single = 0;
  note("index", bound_ < H5F_LIBVER_V110 ? "btree1"
                : shape->unlimited > 1   ? "btree2"
                : shape->unlimited == 1  ? "extensible"
                : single                 ? "single"
                : early && !filtered     ? "implicit"
                                         : "fixed");
}

static void choose_filters(hid_t list, hid_t type) {
  const H5T_class_t kind = H5Tget_class(type);
  const char* names[6];
  int many = 0;
  if (one_in(4)) H5Pset_shuffle(list), names[many++] = "shuffle";
  /* with what is variable it ends libhdf5 1.10, behind shuffle it reads other numbers there */
  if (one_in(8) && many == 0 && !has_class(type, H5T_VLEN))
    H5Pset_nbit(list), names[many++] = "nbit";
  if (one_in(6) && kind == H5T_INTEGER)
    H5Pset_scaleoffset(list, H5Z_SO_INT, 0), names[many++] = "scaleoffset";
  if (one_in(2)) H5Pset_deflate(list, 1 + below(9)), names[many++] = "deflate";
  if (one_in(8)) H5Pset_szip(list, H5_SZIP_NN_OPTION_MASK, 8), names[many++] = "szip";
  if (one_in(3)) H5Pset_fletcher32(list), names[many++] = "fletcher32";
  H5Eclear2(H5E_DEFAULT);
  for (int i = 0; i < many; ++i) note("filter", names[i]);
}

static void choose_chunks(hid_t list, hid_t type, const Shape* shape, int early) {
  hsize_t chunk[kMostDims] = {0};
  const int whole = one_in(4);
  for (int i = 0; i < shape->ndims; ++i) {
    const hsize_t most = shape->most[i] < shape->dims[i] + 4 ? shape->most[i] : shape->dims[i] + 4;
    chunk[i] = whole || most == 0 ? shape->dims[i] : 1 + below((unsigned)most);
    if (chunk[i] == 0) chunk[i] = 1;
  }
  H5Pset_chunk(list, shape->ndims, chunk);
  /* Variable-length elements in chunks: libhdf5 1.10 stores what lies in memory for those that were never
   * written. So all are, they have no filters, and extents stay. */
  if (one_in(2) && !has_class(type, H5T_VLEN)) choose_filters(list, type);
  if (one_in(5)) H5Pset_chunk_opts(list, H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS);
  note_index(shape, early, H5Pget_nfilters(list) > 0, chunk);
}

/* Raw files are this step's alone. */
static void choose_external(hid_t list, hid_t type, const Shape* shape) {
  const hsize_t bytes = points_of(shape) * H5Tget_size(type);
  char name[kNameSize];
  const hsize_t half = bytes / 2 + 1;
  sprintf(name, "raw%u_a.bin", step_);
  if (one_in(2)) {
    H5Pset_external(list, name, (off_t)below(50), half);
    sprintf(name, "raw%u_b.bin", step_);
    H5Pset_external(list, name, (off_t)below(50), bytes);
  } else {
    H5Pset_external(list, name, 0, !narrow_ && one_in(2) ? H5F_UNLIMITED : bytes + 1);
  }
}

static void choose_fill(hid_t list, hid_t type, int may_be_undefined) {
  const hid_t memory = memory_of(type);
  void* value;
  if (may_be_undefined && one_in(8)) {
    H5Pset_fill_value(list, type, NULL);
    note("fill", "undefined");
  } else if (one_in(3) && !has_class(type, H5T_VLEN) && !has_class(type, H5T_REFERENCE)) {
    value = make_values(memory, 1);
    good(H5Pset_fill_value(list, memory, value), "H5Pset_fill_value");
    free(value);
    note("fill", "value");
  }
  if (may_be_undefined && one_in(8)) H5Pset_fill_time(list, H5D_FILL_TIME_NEVER);
  if (!may_be_undefined && one_in(8)) H5Pset_fill_time(list, H5D_FILL_TIME_ALLOC);
  H5Tclose(memory);
}

/* What an object's header may be told. */
void choose_header(hid_t list) {
  if (one_in(3)) H5Pset_attr_phase_change(list, 1 + below(5), 1);
  if (one_in(4))
    H5Pset_attr_creation_order(list,
                               H5P_CRT_ORDER_TRACKED | (one_in(2) ? H5P_CRT_ORDER_INDEXED : 0));
  if (one_in(3)) H5Pset_obj_track_times(list, 0);
}

/* --- writing --- */

static void write_all(hid_t data, hid_t type, hsize_t points) {
  const hid_t memory = memory_of(type);
  void* values = make_values(memory, (size_t)points);
  good(H5Dwrite(data, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), "H5Dwrite");
  free_values(memory, (size_t)points, values);
  H5Tclose(memory);
}

/* A random block, or random points, of what is selected in `space`. */
static void choose_selection(hid_t space) {
  hsize_t dims[H5S_MAX_RANK], start[H5S_MAX_RANK], stride[H5S_MAX_RANK], count[H5S_MAX_RANK];
  const int ndims = H5Sget_simple_extent_dims(space, dims, NULL);
  if (ndims == 0) return;
  if (one_in(5)) {
    const size_t many = 1 + below(3); /* none twice: they differ in the first dimension */
    hsize_t points[3 * H5S_MAX_RANK];
    for (size_t i = 0; i < many; ++i)
      for (int d = 0; d < ndims; ++d)
        points[i * (size_t)ndims + (size_t)d] =
            d == 0 && many <= dims[0] ? i : below((unsigned)dims[d]);
    H5Sselect_elements(space, H5S_SELECT_SET, dims[0] < many ? 1 : many, points);
    return;
  }
  for (int i = 0; i < ndims; ++i) {
    start[i] = below((unsigned)dims[i]);
    stride[i] = 1 + below(3);
    count[i] = 1 + below((unsigned)((dims[i] - start[i] + stride[i] - 1) / stride[i]));
  }
  good(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, stride, count, NULL),
       "H5Sselect_hyperslab");
}

static void write_some(hid_t data, hid_t type) {
  const hid_t memory = memory_of(type), space = H5Dget_space(data);
  hsize_t many;
  hid_t flat;
  void* values;
  choose_selection(space);
  many = (hsize_t)H5Sget_select_npoints(space);
  flat = H5Screate_simple(1, &many, NULL);
  values = make_values(memory, (size_t)many);
  if (allowed(H5Dwrite(data, memory, flat, space, H5P_DEFAULT, values), "H5Dwrite"))
    note("wrote", "some");
  free_values(memory, (size_t)many, values);
  H5Sclose(flat);
  H5Sclose(space);
  H5Tclose(memory);
}

/* --- steps --- */

static hid_t create(const char* path, hid_t type, hid_t space, hid_t list) {
  hid_t data;
  if (one_in(6)) { /* without a name at first */
    data = H5Dcreate_anon(file_, type, space, list, H5P_DEFAULT);
    if (allowed(data, "H5Dcreate_anon"))
      good(H5Olink(data, file_, path, H5P_DEFAULT, H5P_DEFAULT), "H5Olink");
    return data;
  }
  data = H5Dcreate2(file_, path, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
  allowed(data, "H5Dcreate2");
  return data;
}

enum { kCompact, kContiguous, kChunked, kExternal };

static void make_ordinary(const char* path) {
  static const char* const names[] = {"compact", "contiguous", "chunked", "external"};
  static const H5D_alloc_time_t times[] = {H5D_ALLOC_TIME_DEFAULT, H5D_ALLOC_TIME_DEFAULT,
                                           H5D_ALLOC_TIME_EARLY, H5D_ALLOC_TIME_LATE,
                                           H5D_ALLOC_TIME_INCR};
  const Shape shape = make_shape();
  const unsigned chance = below(10), when = below(5);
  const int layout = shape.grows > 0 || (chance < 3 && shape.ndims > 0)       ? kChunked
                     : chance < 5                                             ? kCompact
                     : chance < 6 && points_of(&shape) > 0 && shape.ndims > 0 ? kExternal
                                                                              : kContiguous;
  const hid_t type = make_type(layout == kExternal ? kFixedType | kNoReferences : kAnyType);
  const hid_t space = space_of(&shape), list = H5Pcreate(H5P_DATASET_CREATE);
  const int variable = has_class(type, H5T_VLEN);
  const int bare = shape.grows == 0 && !variable && layout != kExternal;
  hid_t data;
  if (layout == kCompact) H5Pset_layout(list, H5D_COMPACT);
  if (layout == kChunked) choose_chunks(list, type, &shape, times[when] == H5D_ALLOC_TIME_EARLY);
  if (layout == kExternal) choose_external(list, type, &shape);
  choose_fill(list, type, bare);
  choose_header(list);
  if (layout != kCompact && layout != kExternal && times[when] != H5D_ALLOC_TIME_DEFAULT)
    H5Pset_alloc_time(list, times[when]);
  data = create(path, type, space, list);
  if (data >= 0) {
    note("layout", names[layout]);
    if (points_of(&shape) > 0 && (bare || variable || layout == kExternal || one_in(2)))
      write_all(data, type, points_of(&shape));
    H5Dclose(data);
  }
  H5Pclose(list);
  H5Sclose(space);
  H5Tclose(type);
}

/* The sources of a virtual dataset: two of them in another file, or in this one. */
static void make_sources(const char* in, hid_t type, hsize_t length, unsigned many) {
  const hid_t other = strcmp(in, ".") == 0 ? file_
                      : H5Fis_hdf5(in) > 0 ? H5Fopen(in, H5F_ACC_RDWR, H5P_DEFAULT)
                                           : H5Fcreate(in, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t space = H5Screate_simple(1, &length, NULL), list = H5Pcreate(H5P_DATASET_CREATE);
  good(other, "the file of the sources");
  /* else what is never written is what the file had there before */
  H5Pset_fill_time(list, H5D_FILL_TIME_ALLOC);
  for (unsigned i = 0; i < many; ++i) {
    char name[kNameSize];
    hid_t data;
    sprintf(name, "source%u_%u", step_, i);
    data = good(H5Dcreate2(other, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT), "H5Dcreate2");
    if (!one_in(5)) write_all(data, type, length);
    H5Dclose(data);
  }
  H5Pclose(list);
  H5Sclose(space);
  if (other != file_) good(H5Fclose(other), "H5Fclose");
}

static void map_sources(hid_t list, const char* in, hsize_t length, unsigned many) {
  const hid_t from = H5Screate_simple(1, &length, NULL);
  const hsize_t whole = length * many, every = narrow_ ? whole : H5S_UNLIMITED;
  char name[kNameSize];
  if (!narrow_ && one_in(3)) { /* by a pattern */
    const hsize_t start = 0, one = length, count = H5S_UNLIMITED;
    const hid_t to = H5Screate_simple(1, &whole, &every);
    good(H5Sselect_hyperslab(to, H5S_SELECT_SET, &start, &one, &count, &one),
         "H5Sselect_hyperslab");
    sprintf(name, "source%u_%%b", step_);
    good(H5Pset_virtual(list, to, in, name, from), "H5Pset_virtual");
    H5Sclose(to);
    note("virtual", "pattern");
  } else {
    for (unsigned i = 0; i < many; ++i) {
      const hsize_t start = i * length;
      const hid_t to = H5Screate_simple(1, &whole, &every);
      H5Sselect_hyperslab(to, H5S_SELECT_SET, &start, NULL, &length, NULL);
      sprintf(name, "source%u_%u", step_, i);
      if (!one_in(4)) good(H5Pset_virtual(list, to, in, name, from), "H5Pset_virtual");
      H5Sclose(to);
    }
  }
  H5Sclose(from);
}

static void make_virtual(const char* path) {
  const hsize_t length = 3 + below(9);
  const unsigned many = 1 + below(3);
  const hsize_t whole = length * many, most = narrow_ ? whole : H5S_UNLIMITED;
  /* libhdf5 1.10 converts what is written through a virtual dataset twice */
  const hid_t type = make_type(kNativeOnly), list = H5Pcreate(H5P_DATASET_CREATE);
  const char* in = one_in(2) ? "." : "sources.h5";
  const hid_t space = H5Screate_simple(1, &whole, &most);
  hid_t data;
  make_sources(in, type, length, many);
  H5Pset_layout(list, H5D_VIRTUAL);
  map_sources(list, in, length, many);
  if (one_in(2)) choose_fill(list, type, 0);
  data = H5Dcreate2(file_, path, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
  if (allowed(data, "H5Dcreate2")) {
    note("layout", "virtual");
    H5Dclose(data);
  }
  H5Sclose(space);
  H5Pclose(list);
  H5Tclose(type);
}

void step_dataset(void) {
  char path[kNameSize];
  choose_group(path);
  choose_name(path, 'd', 6);
  note("at", path);
  if (is_there(path)) {
    if (strncmp(path, "/kept", 5) == 0) return;
    good(H5Ldelete(file_, path, H5P_DEFAULT), "H5Ldelete");
    note("dataset", "made-anew");
  }
  if (one_in(10))
    make_virtual(path);
  else
    make_ordinary(path);
}

static hid_t choose_dataset(void) {
  char path[kNameSize];
  for (int tries = 0; tries < 12; ++tries) {
    choose_group(path);
    choose_name(path, 'd', 6);
    if (!is_there(path) || type_at(path) != H5O_TYPE_DATASET) continue;
    note("at", path);
    return good(H5Dopen2(file_, path, H5P_DEFAULT), "H5Dopen2");
  }
  return -1;
}

void step_write(void) {
  const hid_t data = choose_dataset();
  hid_t type, space;
  if (data < 0) return;
  type = H5Dget_type(data);
  space = H5Dget_space(data);
  if (H5Sget_simple_extent_npoints(space) > 0) write_some(data, type);
  H5Sclose(space);
  H5Tclose(type);
  H5Dclose(data);
}

void step_extent(void) {
  hsize_t dims[H5S_MAX_RANK], most[H5S_MAX_RANK];
  const hid_t data = choose_dataset();
  hid_t space, list, type;
  int ndims;
  if (data < 0) return;
  space = H5Dget_space(data);
  list = H5Dget_create_plist(data);
  ndims = H5Sget_simple_extent_dims(space, dims, most);
  type = H5Dget_type(data);
  if (H5Pget_layout(list) == H5D_CHUNKED && !has_class(type, H5T_VLEN)) {
    for (int i = 0; i < ndims; ++i)
      if (most[i] == H5S_UNLIMITED || one_in(2)) {
        const hsize_t far = dims[i] + 14 < most[i] ? dims[i] + 14 : most[i];
        dims[i] = below((unsigned)far + 1);
        if (one_in(9) && most[i] == H5S_UNLIMITED && ndims < 3) dims[i] += 60;
      }
    good(H5Dset_extent(data, dims), "H5Dset_extent");
    note("extent", "set");
  }
  H5Tclose(type);
  H5Pclose(list);
  H5Sclose(space);
  H5Dclose(data);
}

void create_through(hid_t at, const char* path) {
  const Shape shape = make_shape();
  const hid_t type = make_type(kNumbersOnly), space = space_of(&shape);
  const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  hid_t data;
  if (shape.grows > 0) choose_chunks(list, type, &shape, 0);
  data = H5Dcreate2(at, path, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
  if (allowed(data, "H5Dcreate2")) {
    if (points_of(&shape) > 0) write_all(data, type, points_of(&shape));
    H5Dclose(data);
  }
  H5Pclose(list);
  H5Sclose(space);
  H5Tclose(type);
}
