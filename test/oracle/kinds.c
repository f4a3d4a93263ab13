/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */

/* One file with each kind of object: types, layouts, chunk indexes, filters, fill values, spaces, groups, links,
 * attributes, creation properties. The same program is compiled against libpcio and libhdf5, whose files must
 * be equal but for places and times. Room: test/oracle, public C API only.
 *
 *   kinds FOLDER BOUND      makes kinds.h5 in the folder; BOUND: earliest, v18 or v110, the low bound
 *
 * Prints the number of kinds. */

#include "lives.h"

#include <unistd.h>

hid_t file_ = -1;
unsigned step_;
H5F_libver_t bound_;
int narrow_;

static unsigned long long state_ = 12345;
static unsigned kinds_;
static const char* now_ = "";

unsigned below(unsigned n) {
  state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
  return (unsigned)((state_ >> 33) % (n > 0 ? n : 1));
}
int one_in(unsigned n) { return below(n) == 0; }
void note(const char* kind, const char* what) { (void)kind, (void)what; }
hid_t good(long long status, const char* call) {
  if (status < 0) {
    fprintf(stderr, "%s: %s\n", now_, call);
    H5Eprint2(H5E_DEFAULT, stderr);
    exit(1);
  }
  return (hid_t)status;
}
int allowed(long long status, const char* call) { return good(status, call) >= 0; }
int is_there(const char* path) { return path == NULL; }
int type_at(const char* path) { return path == NULL; }

static const char* kind(const char* name) {
  now_ = name;
  ++kinds_;
  state_ = kinds_; /* values don't depend on what was made before */
  return name;
}

/* --- datasets --- */

static void write_values(hid_t data, hid_t type, hid_t space, int is_attribute) {
  const hid_t memory = memory_of(type);
  const size_t points = (size_t)H5Sget_simple_extent_npoints(space);
  void* values = make_values(memory, points);
  if (points > 0 && is_attribute) good(H5Awrite(data, memory, values), "H5Awrite");
  if (points > 0 && !is_attribute)
    good(H5Dwrite(data, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), "H5Dwrite");
  free_values(memory, points, values);
  H5Tclose(memory);
}

enum { kUnwritten, kWritten };

static void dataset(const char* name, hid_t type, hid_t space, hid_t list, int written) {
  const hid_t data = good(
      H5Dcreate2(file_, kind(name), type, space, H5P_DEFAULT, list, H5P_DEFAULT), "H5Dcreate2");
  if (written == kWritten) write_values(data, type, space, 0);
  H5Dclose(data);
}

static hid_t line(hsize_t n, hsize_t most) { return H5Screate_simple(1, &n, &most); }

/* A dataset of six elements; closes the type. */
static void of_type(const char* name, hid_t type) {
  const hid_t space = line(6, 6);
  dataset(name, type, space, H5P_DEFAULT, kWritten);
  H5Sclose(space);
  H5Tclose(type);
}

static hid_t text(size_t size, H5T_str_t pad, H5T_cset_t set) {
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, size);
  H5Tset_strpad(type, pad);
  H5Tset_cset(type, set);
  return type;
}

static void numbers(void) {
  const struct {
    const char* name;
    hid_t type;
  } all[] = {{"i8le", H5T_STD_I8LE},
             {"i8be", H5T_STD_I8BE},
             {"i16le", H5T_STD_I16LE},
             {"i16be", H5T_STD_I16BE},
             {"i32le", H5T_STD_I32LE},
             {"i32be", H5T_STD_I32BE},
             {"i64le", H5T_STD_I64LE},
             {"i64be", H5T_STD_I64BE},
             {"u8le", H5T_STD_U8LE},
             {"u8be", H5T_STD_U8BE},
             {"u16le", H5T_STD_U16LE},
             {"u16be", H5T_STD_U16BE},
             {"u32le", H5T_STD_U32LE},
             {"u32be", H5T_STD_U32BE},
             {"u64le", H5T_STD_U64LE},
             {"u64be", H5T_STD_U64BE},
             {"f32le", H5T_IEEE_F32LE},
             {"f32be", H5T_IEEE_F32BE},
             {"f64le", H5T_IEEE_F64LE},
             {"f64be", H5T_IEEE_F64BE},
             {"long double", H5T_NATIVE_LDOUBLE},
             {"bits8", H5T_STD_B8LE},
             {"bits16be", H5T_STD_B16BE},
             {"bits32", H5T_STD_B32LE},
             {"bits64be", H5T_STD_B64BE},
             {"reference", H5T_STD_REF_OBJ}};
  hid_t odd = H5Tcopy(H5T_STD_I32LE);
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) of_type(all[i].name, H5Tcopy(all[i].type));
  H5Tset_precision(odd, 17);
  H5Tset_offset(odd, 5);
  of_type("17 bits", odd);
  odd = H5Tcopy(H5T_STD_U16BE);
  H5Tset_precision(odd, 9);
  H5Tset_pad(odd, H5T_PAD_ONE, H5T_PAD_ZERO);
  of_type("9 bits", odd);
}

static void texts(void) {
  hid_t opaque = H5Tcreate(H5T_OPAQUE, 5);
  H5Tset_tag(opaque, "five bytes");
  of_type("opaque", opaque);
  of_type("text", text(7, H5T_STR_NULLTERM, H5T_CSET_ASCII));
  of_type("text padded", text(7, H5T_STR_NULLPAD, H5T_CSET_ASCII));
  of_type("text of Fortran", text(7, H5T_STR_SPACEPAD, H5T_CSET_ASCII));
  of_type("text utf8", text(9, H5T_STR_NULLTERM, H5T_CSET_UTF8));
  of_type("text variable", text(H5T_VARIABLE, H5T_STR_NULLTERM, H5T_CSET_ASCII));
  of_type("text variable utf8", text(H5T_VARIABLE, H5T_STR_NULLTERM, H5T_CSET_UTF8));
}

static hid_t color(hid_t base) {
  const hid_t type = H5Tenum_create(base);
  for (int i = 0; i < 3; ++i) {
    static const char* const names[] = {"red", "green", "blue"};
    unsigned char value[8] = {0};
    const int number = i * 50;
    memcpy(value, &number, sizeof number);
    H5Tconvert(H5T_NATIVE_INT, base, 1, value, NULL, H5P_DEFAULT);
    good(H5Tenum_insert(type, names[i], value), "H5Tenum_insert");
  }
  return type;
}

static hid_t pair(size_t size, hid_t one, size_t at, hid_t two) {
  const hid_t type = H5Tcreate(H5T_COMPOUND, size);
  good(H5Tinsert(type, "one", 0, one), "H5Tinsert");
  good(H5Tinsert(type, "two", at, two), "H5Tinsert");
  return type;
}

static hid_t matrix(hid_t base) {
  const hsize_t dims[2] = {2, 3};
  return good(H5Tarray_create2(base, 2, dims), "H5Tarray_create2");
}

static void combined(void) {
  const hid_t words = text(H5T_VARIABLE, H5T_STR_NULLTERM, H5T_CSET_ASCII);
  const hid_t list = H5Tvlen_create(H5T_STD_I32LE);
  const hid_t point = pair(16, H5T_STD_I32BE, 8, H5T_IEEE_F64LE);
  const hid_t with_words = pair(24, H5T_STD_I16LE, 8, words);
  of_type("enum", color(H5T_STD_I32LE));
  of_type("enum of bytes", color(H5T_STD_U8LE));
  of_type("enum other order", color(H5T_STD_I16BE));
  of_type("compound", H5Tcopy(point));
  of_type("compound packed", pair(6, H5T_STD_I16LE, 2, H5T_IEEE_F32BE));
  of_type("compound in compound", pair(32, point, 16, point));
  of_type("compound with reference", pair(16, H5T_STD_REF_OBJ, 8, H5T_STD_I8LE));
  of_type("compound with words", H5Tcopy(with_words));
  of_type("array", matrix(H5T_STD_I16LE));
  of_type("array of compounds", matrix(point));
  of_type("array of words", matrix(words));
  of_type("array in compound", pair(40, H5T_STD_I8LE, 4, matrix(H5T_STD_I32LE)));
  of_type("sequence", H5Tcopy(list));
  of_type("sequence of sequences", H5Tvlen_create(list));
  of_type("sequence of compounds", H5Tvlen_create(point));
  of_type("sequence of words", H5Tvlen_create(words));
  of_type("sequence of references", H5Tvlen_create(H5T_STD_REF_OBJ));
  H5Tclose(with_words);
  H5Tclose(point);
  H5Tclose(list);
  H5Tclose(words);
}

static void committed(void) {
  const hid_t type = pair(16, H5T_STD_I32BE, 8, H5T_IEEE_F64LE), space = line(4, 4);
  const hid_t other = color(H5T_STD_I8LE);
  hid_t nameless = H5Tcopy(H5T_STD_I64BE), attribute;
  good(H5Tcommit2(file_, kind("type"), type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), "H5Tcommit2");
  good(H5Tcommit2(file_, kind("type of colors"), other, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
       "H5Tcommit2");
  dataset("of a committed type", type, space, H5P_DEFAULT, kWritten);
  attribute = H5Acreate2(type, kind("attribute of a type"), other, space, H5P_DEFAULT, H5P_DEFAULT);
  write_values(good(attribute, "H5Acreate2"), other, space, 1);
  H5Aclose(attribute);
  good(H5Tcommit_anon(file_, nameless, H5P_DEFAULT, H5P_DEFAULT), "H5Tcommit_anon");
  good(H5Olink(nameless, file_, kind("type linked later"), H5P_DEFAULT, H5P_DEFAULT), "H5Olink");
  H5Tclose(nameless);
  H5Tclose(other);
  H5Sclose(space);
  H5Tclose(type);
}

static void spaces(void) {
  const hsize_t dims[5] = {2, 3, 1, 2, 2}, none = 0, grows[2] = {4, 5},
                most[2] = {9, H5S_UNLIMITED};
  const hsize_t chunk[2] = {3, 3};
  const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  hid_t space = H5Screate(H5S_SCALAR);
  dataset("single", H5T_STD_I32LE, space, H5P_DEFAULT, kWritten);
  H5Sclose(space);
  space = H5Screate(H5S_NULL);
  dataset("null", H5T_STD_I32LE, space, H5P_DEFAULT, kUnwritten);
  H5Sclose(space);
  space = H5Screate_simple(1, &none, NULL);
  dataset("nothing", H5T_STD_I32LE, space, H5P_DEFAULT, kUnwritten);
  H5Sclose(space);
  space = H5Screate_simple(5, dims, NULL);
  dataset("five dimensions", H5T_STD_I32LE, space, H5P_DEFAULT, kWritten);
  H5Sclose(space);
  space = H5Screate_simple(2, grows, most);
  H5Pset_chunk(list, 2, chunk);
  dataset("grows", H5T_STD_I32LE, space, list, kWritten);
  H5Sclose(space);
  H5Pclose(list);
}

/* --- layouts, chunk indexes, filters, fill values --- */

static void chunked(const char* name, int ndims, const hsize_t* most, hsize_t edge, int early) {
  const hsize_t dims[2] = {12, 6}, chunk[2] = {edge, edge > 6 ? 6 : edge};
  const hid_t list = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(ndims, dims, most);
  H5Pset_chunk(list, ndims, chunk);
  if (early) H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY);
  dataset(name, H5T_STD_I32LE, space, list, kWritten);
  H5Sclose(space);
  H5Pclose(list);
}

static void layouts(void) {
  const hsize_t ever[2] = {H5S_UNLIMITED, H5S_UNLIMITED}, some[2] = {30, 30}, six = 6, twelve = 12;
  const hid_t space = line(6, 6), both = line(12, 12);
  hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_layout(list, H5D_COMPACT);
  dataset("compact", H5T_STD_I32LE, space, list, kWritten);
  H5Pclose(list);
  chunked("chunked single", 2, NULL, 12, 0);
  chunked("chunked implicit", 2, NULL, 5, 1);
  chunked("chunked fixed", 2, some, 5, 0);
  chunked("chunked extensible", 1, ever, 5, 0);
  chunked("chunked in a tree", 2, ever, 4, 0);
  list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_external(list, "kinds1.bin", 10, 24);
  dataset("external", H5T_STD_I32LE, space, list, kWritten);
  H5Pset_external(list, "kinds2.bin", 0, H5F_UNLIMITED);
  dataset("external in two", H5T_STD_I64BE, space, list, kWritten);
  H5Pclose(list);
  list = H5Pcreate(H5P_DATASET_CREATE);
  for (hsize_t start = 0; start < twelve; start += six) {
    H5Sselect_hyperslab(both, H5S_SELECT_SET, &start, NULL, &six, NULL);
    good(H5Pset_virtual(list, both, ".", start == 0 ? "i32le" : "compact", space),
         "H5Pset_virtual");
  }
  H5Sselect_all(both);
  dataset("virtual", H5T_STD_I32LE, both, list, kUnwritten);
  H5Pclose(list);
  H5Sclose(both);
  H5Sclose(space);
}

static void filtered(const char* name, hid_t type, hid_t list) {
  const hsize_t dims[2] = {20, 10}, chunk[2] = {7, 8};
  const hid_t space = H5Screate_simple(2, dims, NULL);
  H5Pset_chunk(list, 2, chunk);
  dataset(name, type, space, list, kWritten);
  H5Sclose(space);
  H5Pclose(list);
}

static void filters(void) {
  const hid_t words = text(H5T_VARIABLE, H5T_STR_NULLTERM, H5T_CSET_ASCII),
              few = H5Tcopy(H5T_STD_I32LE);
  hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_deflate(list, 6);
  filtered("deflate", H5T_STD_I32LE, list);
  list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_shuffle(list);
  filtered("shuffle", H5T_STD_I32LE, list);
  list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_fletcher32(list);
  filtered("fletcher32", H5T_IEEE_F64BE, list);
  list = H5Pcreate(H5P_DATASET_CREATE);
  good(H5Pset_szip(list, H5_SZIP_NN_OPTION_MASK, 8), "H5Pset_szip");
  filtered("szip nearest", H5T_STD_U16LE, list);
  list = H5Pcreate(H5P_DATASET_CREATE);
  good(H5Pset_szip(list, H5_SZIP_EC_OPTION_MASK, 4), "H5Pset_szip");
  filtered("szip entropy", H5T_STD_I32BE, list);
  list = H5Pcreate(H5P_DATASET_CREATE);
  H5Tset_precision(few, 11);
  H5Pset_nbit(list);
  filtered("nbit", few, list);
  list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_scaleoffset(list, H5Z_SO_INT, 0);
  filtered("scaleoffset of integers", H5T_STD_I32LE, list);
  list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_scaleoffset(list, H5Z_SO_FLOAT_DSCALE, 2);
  filtered("scaleoffset of floats", H5T_IEEE_F32LE, list);
  list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_shuffle(list);
  H5Pset_deflate(list, 1);
  H5Pset_fletcher32(list);
  filtered("three filters", H5T_IEEE_F64LE, list);
  list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_deflate(list, 9);
  filtered("deflate of words", words, list);
  if (bound_ >= H5F_LIBVER_V110) {
    list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_deflate(list, 9);
    H5Pset_chunk_opts(list, H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS);
    filtered("whole chunks only", H5T_STD_I32LE, list);
  }
  H5Tclose(few);
  H5Tclose(words);
}

static void fills(void) {
  static const struct {
    const char* name;
    int value; /* 0: default, 1: of the program, 2: undefined */
    H5D_fill_time_t time;
    H5D_alloc_time_t alloc;
  } all[] = {{"fill at allocation", 1, H5D_FILL_TIME_ALLOC, H5D_ALLOC_TIME_LATE},
             {"fill if set", 1, H5D_FILL_TIME_IFSET, H5D_ALLOC_TIME_EARLY},
             {"fill never", 0, H5D_FILL_TIME_NEVER, H5D_ALLOC_TIME_LATE},
             {"fill undefined", 2, H5D_FILL_TIME_IFSET, H5D_ALLOC_TIME_LATE},
             {"fill early", 0, H5D_FILL_TIME_ALLOC, H5D_ALLOC_TIME_EARLY},
             {"fill value never written", 1, H5D_FILL_TIME_NEVER, H5D_ALLOC_TIME_LATE}};
  const hid_t space = line(6, 6);
  const int value = -7;
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
    const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    if (all[i].value == 1) H5Pset_fill_value(list, H5T_NATIVE_INT, &value);
    if (all[i].value == 2) H5Pset_fill_value(list, H5T_NATIVE_INT, NULL);
    H5Pset_fill_time(list, all[i].time);
    H5Pset_alloc_time(list, all[i].alloc);
    dataset(all[i].name, H5T_STD_I16BE, space, list,
            all[i].time == H5D_FILL_TIME_NEVER || all[i].value == 2 ? kWritten : kUnwritten);
    H5Pclose(list);
  }
  H5Sclose(space);
}

/* --- groups and links --- */

static void group(const char* name, hid_t list, int links) {
  const hid_t made =
      good(H5Gcreate2(file_, kind(name), H5P_DEFAULT, list, H5P_DEFAULT), "H5Gcreate2");
  for (int i = 0; i < links; ++i) {
    char link[40];
    sprintf(link, "link %d", (i * 37) % 101);
    good(H5Lcreate_soft("/elsewhere", made, link, H5P_DEFAULT, H5P_DEFAULT), "H5Lcreate_soft");
  }
  H5Gclose(made);
  if (list != H5P_DEFAULT) H5Pclose(list);
}

static void groups(void) {
  const unsigned both = H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED;
  const hid_t missing = H5Pcreate(H5P_LINK_CREATE);
  hid_t list = H5Pcreate(H5P_GROUP_CREATE);
  group("group empty", H5P_DEFAULT, 0);
  group("group", H5P_DEFAULT, 5);
  group("group with many", H5P_DEFAULT, 60);
  H5Pset_link_creation_order(list, H5P_CRT_ORDER_TRACKED);
  group("group in order", list, 5);
  list = H5Pcreate(H5P_GROUP_CREATE);
  H5Pset_link_creation_order(list, both);
  group("group with many in order", list, 60);
  list = H5Pcreate(H5P_GROUP_CREATE);
  H5Pset_link_phase_change(list, 0, 0);
  H5Pset_link_creation_order(list, H5P_CRT_ORDER_TRACKED);
  group("group dense", list, 2);
  list = H5Pcreate(H5P_GROUP_CREATE);
  H5Pset_link_phase_change(list, 70, 60);
  H5Pset_est_link_info(list, 60, 10);
  H5Pset_link_creation_order(list, H5P_CRT_ORDER_TRACKED);
  group("group compact", list, 60);
  H5Pset_create_intermediate_group(missing, 1);
  H5Gclose(good(H5Gcreate2(file_, kind("group/in/group"), missing, H5P_DEFAULT, H5P_DEFAULT),
                "H5Gcreate2"));
  H5Pclose(missing);
}

static hid_t follow(const char* name, hid_t at, const void* value, size_t size, hid_t list,
                    hid_t transfer) {
  (void)name, (void)size, (void)transfer;
  return H5Oopen(at, value, list);
}

static void links(void) {
  static const H5L_class_t own = {H5L_LINK_CLASS_T_VERS,
                                  (H5L_type_t)kUserLink,
                                  "link of the kinds",
                                  NULL,
                                  NULL,
                                  NULL,
                                  follow,
                                  NULL,
                                  NULL};
  const hid_t utf8 = H5Pcreate(H5P_LINK_CREATE);
  char name[kNameSize] = "";
  good(H5Lregister(&own), "H5Lregister");
  good(H5Lcreate_hard(file_, "i8le", file_, kind("link hard"), H5P_DEFAULT, H5P_DEFAULT), "hard");
  good(H5Lcreate_soft("/i8be", file_, kind("link soft"), H5P_DEFAULT, H5P_DEFAULT), "soft");
  good(H5Lcreate_soft("nowhere", file_, kind("link to nothing"), H5P_DEFAULT, H5P_DEFAULT), "soft");
  good(H5Lcreate_external("other.h5", "/there", file_, kind("link external"), H5P_DEFAULT,
                          H5P_DEFAULT),
       "external");
  good(H5Lcreate_ud(file_, kind("link of a program"), (H5L_type_t)kUserLink, "/i8le", 6,
                    H5P_DEFAULT, H5P_DEFAULT),
       "H5Lcreate_ud");
  H5Pset_char_encoding(utf8, H5T_CSET_UTF8);
  good(H5Lcreate_hard(file_, "i8le", file_, kind("link \xc3\xa4"), utf8, H5P_DEFAULT), "utf8");
  memset(name, 'n', 280);
  good(H5Lcreate_hard(file_, "i8le", file_, kind(name), H5P_DEFAULT, H5P_DEFAULT), "long name");
  good(H5Lcreate_hard(file_, "i8le", file_, "old name", H5P_DEFAULT, H5P_DEFAULT), "hard");
  good(H5Lmove(file_, "old name", file_, kind("link moved"), H5P_DEFAULT, H5P_DEFAULT), "H5Lmove");
  H5Pclose(utf8);
}

/* --- attributes, other properties of objects --- */

static void attribute(hid_t object, const char* name, hid_t type, hid_t space) {
  const hid_t made =
      good(H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT), "H5Acreate2");
  write_values(made, type, space, 1);
  H5Aclose(made);
}

/* A group with so many attributes. */
static void attributes(const char* name, hid_t list, int many) {
  const hid_t made =
      good(H5Gcreate2(file_, kind(name), H5P_DEFAULT, list, H5P_DEFAULT), "H5Gcreate2");
  const hid_t space = line(3, 3);
  for (int i = 0; i < many; ++i) {
    char attribute_name[40];
    sprintf(attribute_name, "attribute %d", (i * 37) % 101);
    attribute(made, attribute_name, H5T_STD_I32BE, space);
  }
  H5Sclose(space);
  H5Gclose(made);
  if (list != H5P_DEFAULT) H5Pclose(list);
}

static void kinds_of_attributes(void) {
  const hid_t object =
      good(H5Gcreate2(file_, "attributes", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), "attributes");
  const hid_t words = text(H5T_VARIABLE, H5T_STR_NULLTERM, H5T_CSET_UTF8);
  const hid_t list = H5Tvlen_create(H5T_IEEE_F32LE), compound = pair(24, H5T_STD_I16LE, 8, words);
  const hid_t single = H5Screate(H5S_SCALAR), null = H5Screate(H5S_NULL), several = line(4, 4);
  const hid_t large = line(bound_ == H5F_LIBVER_EARLIEST ? 8000 : 20000, 20000);
  attribute(object, kind("attribute"), H5T_STD_I32LE, single);
  attribute(object, kind("attribute without value"), H5T_STD_I32LE, null);
  attribute(object, kind("attribute of several"), H5T_IEEE_F64BE, several);
  attribute(object, kind("attribute words"), words, several);
  attribute(object, kind("attribute sequences"), list, several);
  attribute(object, kind("attribute compound"), compound, several);
  attribute(object, kind("attribute references"), H5T_STD_REF_OBJ, several);
  attribute(object, kind("attribute large"), H5T_STD_I32LE, large);
  good(H5Arename(object, "attribute of several", "attribute renamed"), "H5Arename");
  H5Sclose(large);
  H5Sclose(several);
  H5Sclose(null);
  H5Sclose(single);
  H5Tclose(compound);
  H5Tclose(list);
  H5Tclose(words);
  H5Gclose(object);
}

static void objects(void) {
  hid_t list = H5Pcreate(H5P_GROUP_CREATE), space = line(3, 3), data;
  attributes("attributes few", H5P_DEFAULT, 5);
  attributes("attributes many", H5P_DEFAULT, 40);
  H5Pset_attr_creation_order(list, H5P_CRT_ORDER_TRACKED);
  attributes("attributes in order", list, 5);
  list = H5Pcreate(H5P_GROUP_CREATE);
  H5Pset_attr_creation_order(list, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  attributes("attributes many in order", list, 40);
  list = H5Pcreate(H5P_GROUP_CREATE);
  H5Pset_attr_phase_change(list, 0, 0);
  attributes("attributes dense", list, 2);
  list = H5Pcreate(H5P_GROUP_CREATE);
  H5Pset_attr_phase_change(list, 50, 40);
  attributes("attributes compact", list, 45);
  list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_obj_track_times(list, 0);
  dataset("without times", H5T_STD_I8LE, space, list, kWritten);
  H5Pclose(list);
  data =
      good(H5Dcreate_anon(file_, H5T_STD_I8LE, space, H5P_DEFAULT, H5P_DEFAULT), "H5Dcreate_anon");
  good(H5Olink(data, file_, kind("linked later"), H5P_DEFAULT, H5P_DEFAULT), "H5Olink");
  good(H5Oset_comment(data, "a comment"), "H5Oset_comment");
  kind("comment");
  H5Dclose(data);
  good(H5Ocopy(file_, "compound", file_, kind("copy"), H5P_DEFAULT, H5P_DEFAULT), "H5Ocopy");
  good(H5Ocopy(file_, "group", file_, kind("copy of a group"), H5P_DEFAULT, H5P_DEFAULT),
       "H5Ocopy");
  H5Sclose(space);
}

/* What references may lead to. */
static void kept(void) {
  const hid_t all = good(H5Gcreate2(file_, "kept", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), "kept");
  for (int i = 0; i < kKept; ++i) {
    char name[20];
    sprintf(name, "k%d", i);
    H5Gclose(good(H5Gcreate2(all, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), "kept"));
  }
  H5Gclose(all);
}

int main(int argc, char** argv) {
  hid_t list;
  if (argc < 3 || chdir(argv[1]) != 0) return 2;
  bound_ = strcmp(argv[2], "v18") == 0    ? H5F_LIBVER_V18
           : strcmp(argv[2], "v110") == 0 ? H5F_LIBVER_V110
                                          : H5F_LIBVER_EARLIEST;
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  list = H5Pcreate(H5P_FILE_ACCESS);
  good(H5Pset_libver_bounds(list, bound_, H5F_LIBVER_LATEST), "H5Pset_libver_bounds");
  file_ = good(H5Fcreate("kinds.h5", H5F_ACC_TRUNC, H5P_DEFAULT, list), "H5Fcreate");
  H5Pclose(list);
  kept();
  numbers();
  texts();
  combined();
  committed();
  spaces();
  layouts();
  filters();
  fills();
  groups();
  links();
  kinds_of_attributes();
  objects();
  if (H5Fget_obj_count(file_, H5F_OBJ_ALL) != 1)
    printf("objects are open: %d\n", (int)H5Fget_obj_count(file_, H5F_OBJ_ALL));
  good(H5Fclose(file_), "H5Fclose");
  printf("%u kinds\n", kinds_);
  return 0;
}
