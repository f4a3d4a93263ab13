// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Every function of the high level library on files that another program may have written: "write" makes a file,
// "change" changes one, "read" prints all that it has. Built against libpcio_hl and against libhdf5_hl by both.sh, which
// lets each of them change and read what each of them wrote. A call that fails ends the program.
#include <hdf5.h>
#include <hdf5_hl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define DO(e)                              \
  do {                                     \
    if ((long)(e) < 0) {                   \
      fprintf(stderr, "FAILED: %s\n", #e); \
      exit(1);                             \
    }                                      \
  } while (0)
#define P(e) printf("%s = %ld\n", #e, (long)(e))
typedef struct {
  char name[16];
  int lat;
  double temp;
} Rec;
static const size_t kOffsets[3] = {HOFFSET(Rec, name), HOFFSET(Rec, lat), HOFFSET(Rec, temp)},
                    kSizes[3] = {16, sizeof(int), sizeof(double)};
static const hsize_t kDims[2] = {3, 4};
static Rec recs[8];
static int ints[12];
static unsigned char bytes[48];

static hid_t record_types[3];
static void prepare(void) {
  for (int i = 0; i < 8; i++) {
    snprintf(recs[i].name, 16, "place %d", i);
    recs[i].lat = 10 * i;
    recs[i].temp = i / 4.;
  }
  for (int i = 0; i < 12; i++) ints[i] = 3 * i - 7;
  for (int i = 0; i < 48; i++) bytes[i] = (unsigned char)(5 * i);
  record_types[0] = H5Tcopy(H5T_C_S1);
  H5Tset_size(record_types[0], 16);
  record_types[1] = H5T_NATIVE_INT;
  record_types[2] = H5T_NATIVE_DOUBLE;
}

/* clang-format off */
#define NUMBERS(DATASETS, ATTRIBUTES) \
  DATASETS(char, char) \
  DATASETS(short, short) \
  DATASETS(int, int) \
  DATASETS(long, long) \
  DATASETS(float, float) \
  DATASETS(double, double) \
  ATTRIBUTES(char, char) \
  ATTRIBUTES(uchar, unsigned char) \
  ATTRIBUTES(short, short) \
  ATTRIBUTES(ushort, unsigned short) \
  ATTRIBUTES(int, int) \
  ATTRIBUTES(uint, unsigned) \
  ATTRIBUTES(long, long) \
  ATTRIBUTES(long_long, long long) \
  ATTRIBUTES(ulong, unsigned long) \
  ATTRIBUTES(float, float) \
  ATTRIBUTES(double, double)
/* clang-format on */

static void write_lite(hid_t f) {
#define MAKE(N, T)                                           \
  {                                                          \
    T values[12];                                            \
    for (int i = 0; i < 12; i++) values[i] = (T)(2 * i + 1); \
    DO(H5LTmake_dataset_##N(f, "of " #N, 2, kDims, values)); \
  }
#define SET(N, T)                                               \
  {                                                             \
    T values[3] = {(T)4, (T)5, (T)6};                           \
    DO(H5LTset_attribute_##N(f, "of int", "a " #N, values, 3)); \
  }
  NUMBERS(MAKE, SET)
  DO(H5LTmake_dataset(f, "of any", 2, kDims, H5T_STD_I16BE, bytes));
  DO(H5LTmake_dataset_string(f, "text", "a text of some words"));
  DO(H5LTset_attribute_string(f, "text", "units", "words"));
}

static void read_lite(hid_t f) {
#define SHOW(N, T)                                                 \
  {                                                                \
    T values[12];                                                  \
    memset(values, 0, sizeof values);                              \
    DO(H5LTread_dataset_##N(f, "of " #N, values));                 \
    for (int i = 0; i < 12; i++) printf(" %g", (double)values[i]); \
    printf(" of " #N "\n");                                        \
  }
#define GET(N, T)                                                                            \
  {                                                                                          \
    T values[3] = {0, 0, 0};                                                                 \
    DO(H5LTget_attribute_##N(f, "of int", "a " #N, values));                                 \
    printf(" %g %g %g a " #N "\n", (double)values[0], (double)values[1], (double)values[2]); \
  }
  NUMBERS(SHOW, GET)
  int values[12], ndims = 0;
  hsize_t dims[2] = {0, 0};
  H5T_class_t class_ = H5T_NO_CLASS;
  size_t size = 0;
  char text[99] = "";
  DO(H5LTread_dataset(f, "of any", H5T_NATIVE_INT, values));
  for (int i = 0; i < 12; i++) printf(" %d", values[i]);
  DO(H5LTread_dataset_string(f, "text", text));
  printf(" %s\n", text);
  DO(H5LTget_attribute_string(f, "text", "units", text));
  printf(" %s\n", text);
  DO(H5LTget_attribute(f, "of int", "a int", H5T_NATIVE_INT, values));
  printf(" %d %d\n", values[0], values[2]);
  DO(H5LTget_dataset_ndims(f, "of any", &ndims));
  DO(H5LTget_dataset_info(f, "of any", dims, &class_, &size));
  printf("%d %d %d %d %d\n", ndims, (int)dims[0], (int)dims[1], (int)class_, (int)size);
  DO(H5LTget_attribute_ndims(f, "of int", "a short", &ndims));
  DO(H5LTget_attribute_info(f, "of int", "a short", dims, &class_, &size));
  printf("%d %d %d %d\n", ndims, (int)dims[0], (int)class_, (int)size);
  hid_t d = H5Dopen2(f, "of int", H5P_DEFAULT);
  P(H5LTfind_dataset(f, "text"));
  P(H5LTfind_dataset(f, "no text"));
  P(H5LTfind_attribute(d, "a long"));
  P(H5LTfind_attribute(d, "b long"));
  P(H5LTpath_valid(f, "/of int", 1));
  P(H5LTpath_valid(f, "/none/of int", 1));
  hid_t type = H5Dget_type(H5Dopen2(f, "t", H5P_DEFAULT));
  DO(H5LTdtype_to_text(type, NULL, H5LT_DDL, &size));
  char *ddl = calloc(size + 1, 1);
  DO(H5LTdtype_to_text(type, ddl, H5LT_DDL, &size));
  hid_t again = H5LTtext_to_dtype(ddl, H5LT_DDL);
  printf("%s %d\n", ddl, (int)H5Tequal(type, again));
  free(ddl);
}

static void write_tables(hid_t f) {
  const char *names[3] = {"Name", "Latitude", "Temp"};
  DO(H5TBmake_table("With fill", f, "t", 3, 6, sizeof(Rec), names, kOffsets, record_types, 4, recs,
                    0, recs));
  DO(H5TBmake_table("Packed", f, "z", 3, 8, sizeof(Rec), names, kOffsets, record_types, 3, NULL, 1,
                    recs));
  DO(H5TBmake_table("Plain", f, "p", 3, 4, sizeof(Rec), names, kOffsets, record_types, 2, NULL, 0,
                    recs));
  /* Texts of variable length are filled when their space is given. */
  typedef struct {
    int number;
    const char *text;
  } Note;
  const Note notes[3] = {{1, "one"}, {2, "two"}, {3, "three"}};
  const char *parts[2] = {"Number", "Text"};
  const size_t offsets[2] = {HOFFSET(Note, number), HOFFSET(Note, text)};
  const hid_t types[2] = {H5T_NATIVE_INT, H5Tcopy(H5T_C_S1)};
  H5Tset_size(types[1], H5T_VARIABLE);
  DO(H5TBmake_table("Texts", f, "v", 2, 3, sizeof(Note), parts, offsets, types, 2, NULL, 0, notes));
  H5Tclose(types[1]);
  DO(H5TBmake_table("Fields", f, "l", 3, 4, sizeof(Rec), names, kOffsets, record_types, 2, NULL, 0,
                    recs));
}

/* libhdf5_hl gives a table that has no fill values some where a field comes: what lay in memory. */
static void forget_fills(hid_t f, const char *table) {
  const char *all[4] = {"FIELD_0_FILL", "FIELD_1_FILL", "FIELD_2_FILL", "FIELD_3_FILL"};
  for (int i = 0; i < 4; i++)
    if (H5Aexists_by_name(f, table, all[i], H5P_DEFAULT) > 0)
      DO(H5Adelete_by_name(f, table, all[i], H5P_DEFAULT));
}

static void change_tables(hid_t f) {
  const size_t one = sizeof(int), zero = 0;
  const int numbers[4] = {101, 102, 103, 104}, first = 1;
  DO(H5TBappend_records(f, "t", 2, sizeof(Rec), kOffsets, kSizes, recs + 3));
  DO(H5TBwrite_records(f, "z", 1, 2, sizeof(Rec), kOffsets, kSizes, recs + 5));
  DO(H5TBwrite_fields_name(f, "t", "Latitude", 0, 2, one, &zero, &one, numbers));
  DO(H5TBwrite_fields_index(f, "p", 1, &first, 1, 2, one, &zero, &one, numbers));
  DO(H5TBdelete_record(f, "z", 2, 3));
  DO(H5TBinsert_record(f, "z", 1, 2, sizeof(Rec), kOffsets, kSizes, recs));
  DO(H5TBadd_records_from(f, "t", 1, 2, "p", 1));
  DO(H5TBcombine_tables(f, "t", f, "p", "both"));
  DO(H5TBinsert_field(f, "l", "Extra", H5T_NATIVE_INT, 1, NULL, numbers));
  forget_fills(f, "l");
  DO(H5TBdelete_field(f, "l", "Temp"));
  forget_fills(f, "l");
  DO(H5TBinsert_field(f, "v", "Extra", H5T_NATIVE_INT, 1, NULL, numbers));
  forget_fills(f, "v");
}

static void read_table(hid_t f, const char *name) {
  hsize_t nfields = 0, nrecords = 0;
  char buffers[8][255], *names[8], title[99] = "";
  size_t sizes[8], offsets[8], size = 0;
  for (int i = 0; i < 8; i++) names[i] = buffers[i];
  DO(H5TBget_table_info(f, name, &nfields, &nrecords));
  DO(H5TBget_field_info(f, name, names, sizes, offsets, &size));
  hid_t d = H5Dopen2(f, name, H5P_DEFAULT);
  DO(H5TBAget_title(d, title));
  unsigned char fill[400] = {0};
  printf("%s: %d of %d bytes, \"%s\", fill %d\n", name, (int)nrecords, (int)size, title,
         (int)H5TBAget_fill(f, name, d, fill));
  for (hsize_t i = 0; i < nfields; i++)
    printf(" %s %d %d", names[i], (int)sizes[i], (int)offsets[i]);
  char *all = calloc(nrecords + 1, size);
  DO(H5TBread_table(f, name, size, offsets, sizes, all));
  unsigned sum = 0;
  for (size_t i = 0; i < nrecords * size; i++) sum = 31 * sum + (unsigned char)all[i];
  printf(" %u\n", sum);
  free(all);
}

static void read_tables(hid_t f, int changed) {
  const char *all[5] = {"t", "z", "p", "l", "both"};
  for (int i = 0; i < 4 + changed; i++) read_table(f, all[i]);
  Rec found[2];
  memset(found, 0, sizeof found);
  DO(H5TBread_records(f, "z", 2, 2, sizeof(Rec), kOffsets, kSizes, found));
  printf("%s %d %g\n", found[1].name, found[1].lat, found[1].temp);
  const size_t one = sizeof(int), zero = 0;
  const int first = 1;
  int lat[3] = {0};
  DO(H5TBread_fields_name(f, "t", "Latitude", 0, 3, one, &zero, &one, lat));
  printf("%d %d %d\n", lat[0], lat[1], lat[2]);
  DO(H5TBread_fields_index(f, "p", 1, &first, 1, 3, one, &zero, &one, lat));
  printf("%d %d %d\n", lat[0], lat[1], lat[2]);
}

static void write_images(hid_t f) {
  const hsize_t palette[2] = {4, 3};
  DO(H5IMmake_image_8bit(f, "image", 4, 3, bytes));
  DO(H5IMmake_image_24bit(f, "pixels", 4, 4, "INTERLACE_PIXEL", bytes));
  DO(H5IMmake_image_24bit(f, "planes", 4, 4, "INTERLACE_PLANE", bytes));
  DO(H5IMmake_palette(f, "palette", palette, bytes));
  DO(H5IMmake_palette(f, "second", palette, bytes + 12));
  DO(H5IMlink_palette(f, "image", "palette"));
  DO(H5IMlink_palette(f, "pixels", "second"));
  /* What is no image may become one later. */
  const hsize_t three = 3;
  DO(H5LTmake_dataset_int(f, "no image", 1, &three, ints));
  DO(H5IMlink_palette(f, "no image", "palette"));
}

static void change_images(hid_t f) {
  DO(H5IMunlink_palette(f, "pixels", "second"));
  DO(H5IMlink_palette(f, "planes", "second"));
}

static void read_images(hid_t f) {
  const char *all[3] = {"image", "pixels", "planes"};
  for (int i = 0; i < 3; i++) {
    hsize_t w = 0, h = 0, planes = 0, dims[2] = {0, 0};
    hssize_t palettes = 0, npals = 0;
    char mode[40] = "none";
    unsigned char read[48] = {0};
    DO(H5IMget_image_info(f, all[i], &w, &h, &planes, mode, &palettes));
    DO(H5IMget_npalettes(f, all[i], &npals));
    DO(H5IMread_image(f, all[i], read));
    printf("%s %d %d %d %s %d %d %d\n", all[i], (int)w, (int)h, (int)planes, mode, (int)palettes,
           (int)npals, memcmp(read, bytes, i == 0 ? 12 : 48));
    P(H5IMis_image(f, all[i]));
    if (npals != 1) continue;
    unsigned char colours[12] = {0};
    DO(H5IMget_palette_info(f, all[i], 0, dims));
    DO(H5IMget_palette(f, all[i], 0, colours));
    printf("%d %d %d\n", (int)dims[0], (int)dims[1], colours[1]);
  }
  P(H5IMis_palette(f, "second"));
}

static void write_packets(hid_t f) {
  hid_t vlen = H5Tvlen_create(H5T_NATIVE_INT),
        pt = H5PTcreate_fl(f, "packets", H5T_NATIVE_INT, 4, 5);
  DO(pt);
  DO(H5PTappend(pt, 7, ints));
  DO(H5PTclose(pt));
  hid_t long_ones = H5PTcreate(f, "sequences", vlen, 2, H5P_DEFAULT);
  DO(long_ones);
  hvl_t two[2] = {{3, ints}, {5, ints + 3}};
  DO(H5PTappend(long_ones, 2, two));
  DO(H5PTclose(long_ones));
}

static void change_packets(hid_t f) {
  hid_t pt = H5PTopen(f, "packets");
  DO(pt);
  DO(H5PTappend(pt, 3, ints + 4));
  DO(H5PTclose(pt));
  pt = H5PTopen(f, "sequences");
  hvl_t one = {4, ints + 6};
  DO(H5PTappend(pt, 1, &one));
  DO(H5PTclose(pt));
}

static void read_packets(hid_t f) {
  hid_t pt = H5PTopen(f, "packets");
  hsize_t count = 0, index = 0;
  int read[3] = {0};
  DO(pt);
  DO(H5PTis_valid(pt));
  DO(H5PTget_num_packets(pt, &count));
  DO(H5PTread_packets(pt, count - 3, 3, read));
  printf("%d packets, %d %d %d, varlen %d\n", (int)count, read[0], read[1], read[2],
         (int)H5PTis_varlen(pt));
  DO(H5PTcreate_index(pt));
  DO(H5PTget_next(pt, 2, read));
  DO(H5PTset_index(pt, 4));
  DO(H5PTget_next(pt, 1, read + 2));
  DO(H5PTget_index(pt, &index));
  printf("%d %d %d, at %d, class %d\n", read[0], read[1], read[2], (int)index,
         (int)H5Tget_class(H5PTget_type(pt)));
  hid_t space = H5Dget_space(H5PTget_dataset(pt));
  P(H5Sget_simple_extent_npoints(space));
  DO(H5PTclose(pt));
  pt = H5PTopen(f, "sequences");
  hvl_t two[2];
  DO(H5PTread_packets(pt, 0, 2, two));
  printf("varlen %d: %d %d, %d %d\n", (int)H5PTis_varlen(pt), (int)two[0].len, ((int *)two[0].p)[1],
         (int)two[1].len, ((int *)two[1].p)[4]);
  DO(H5PTfree_vlen_buff(pt, 2, two));
  DO(H5PTclose(pt));
}

static hid_t dataset(hid_t f, const char *name) { return H5Dopen2(f, name, H5P_DEFAULT); }

static void write_scales(hid_t f) {
  hid_t d = dataset(f, "of float"), x, y, z;
  const hsize_t rows = 3, columns = 4;
  DO(H5LTmake_dataset_int(f, "x", 1, &rows, ints));
  DO(H5LTmake_dataset_int(f, "y", 1, &columns, ints));
  DO(H5LTmake_dataset_int(f, "w", 1, &columns, ints + 2));
  x = dataset(f, "x"), y = dataset(f, "y"), z = dataset(f, "w");
  DO(H5DSset_scale(x, "x"));
  DO(H5DSset_scale(y, "y"));
  DO(H5DSset_scale(z, "w"));
  DO(H5DSattach_scale(d, x, 0));
  DO(H5DSattach_scale(d, y, 1));
  DO(H5DSset_label(d, 0, "rows"));
  /* Labels that somebody else has made stay in UTF-8. */
  const hsize_t two = 2;
  hid_t text = H5Tcopy(H5T_C_S1), list = H5Screate_simple(1, &two, NULL);
  H5Tset_size(text, H5T_VARIABLE);
  H5Tset_cset(text, H5T_CSET_UTF8);
  hid_t foreign = H5Dcreate2(f, "labelled", H5T_NATIVE_INT, H5Dget_space(d), H5P_DEFAULT,
                             H5P_DEFAULT, H5P_DEFAULT);
  hid_t labels = H5Acreate2(foreign, "DIMENSION_LABELS", text, list, H5P_DEFAULT, H5P_DEFAULT);
  const char *given[2] = {"first", "second"};
  DO(H5Awrite(labels, text, given));
  H5Aclose(labels), H5Tclose(text), H5Sclose(list);
  DO(H5DSset_label(foreign, 1, "other"));
  H5Dclose(foreign);
  H5Dclose(d), H5Dclose(x), H5Dclose(y), H5Dclose(z);
}

static void change_scales(hid_t f) {
  hid_t d = dataset(f, "of float"), y = dataset(f, "y"), w = dataset(f, "w");
  DO(H5DSdetach_scale(d, y, 1));
  DO(H5DSattach_scale(d, w, 1));
  DO(H5DSset_label(d, 1, "columns"));
  H5Dclose(d), H5Dclose(y), H5Dclose(w);
}

static herr_t visit(hid_t d, unsigned dimension, hid_t scale, void *nothing) {
  char name[9] = "";
  (void)d, (void)nothing;
  DO(H5DSget_scale_name(scale, name, sizeof name));
  printf("dimension %u has %s\n", dimension, name);
  return 0;
}

static void read_scales(hid_t f) {
  hid_t d = dataset(f, "of float"), y = dataset(f, "y"), w = dataset(f, "w");
  for (unsigned i = 0; i < 2; i++) {
    char label[20] = "";
    P(H5DSget_num_scales(d, i));
    DO(H5DSiterate_scales(d, i, NULL, visit, NULL));
    DO(H5DSget_label(d, i, label, sizeof label));
    printf("label \"%s\"\n", label);
  }
  P(H5DSis_scale(y));
  P(H5DSis_attached(d, y, 1));
  P(H5DSis_attached(d, w, 1));
  H5Dclose(d), H5Dclose(y), H5Dclose(w);
}

static void write_chunks(hid_t f) {
  const hsize_t none = 0, forever = H5S_UNLIMITED, four = 4, zero = 0;
  hid_t list = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(1, &none, &forever);
  H5Pset_chunk(list, 1, &four);
  hid_t d = H5Dcreate2(f, "chunks", H5T_STD_I32LE, space, H5P_DEFAULT, list, H5P_DEFAULT);
  DO(H5DOappend(d, H5P_DEFAULT, 0, 8, H5T_NATIVE_INT, ints));
  DO(H5DOwrite_chunk(d, H5P_DEFAULT, 0, &zero, 16, ints + 4));
  H5Dclose(d), H5Sclose(space), H5Pclose(list);
}

static void change_chunks(hid_t f) {
  hid_t d = dataset(f, "chunks");
  DO(H5DOappend(d, H5P_DEFAULT, 0, 3, H5T_NATIVE_INT, ints));
  H5Dclose(d);
}

static void read_chunks(hid_t f) {
  hid_t d = dataset(f, "chunks"), t = dataset(f, "t");
  const hsize_t four = 4, before = 6;
  hsize_t dims = 0;
  uint32_t filters = 9;
  int chunk[4] = {0}, behind[8] = {0};
  DO(H5DOread_chunk(d, H5P_DEFAULT, &four, &filters, chunk));
  DO(H5LDget_dset_dims(d, &dims));
  DO(H5LDget_dset_elmts(d, &before, &dims, NULL, behind));
  printf("%d %d %u, %d elements, %d\n", chunk[0], chunk[3], (unsigned)filters, (int)dims,
         behind[1]);
  P(H5LDget_dset_type_size(t, "Name,Temp"));
}

static void open_image(const char *name) {
  FILE *in = fopen(name, "rb");
  static char image[1 << 20];
  const size_t size = fread(image, 1, sizeof image, in);
  fclose(in);
  hid_t f = H5LTopen_file_image(image, size, 0);
  DO(f);
  int values[12];
  DO(H5LTread_dataset_int(f, "of int", values));
  printf("image %d\n", values[11]);
  H5Fclose(f);
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  prepare();
  const int writes = strcmp(argv[1], "write") == 0, changes = strcmp(argv[1], "change") == 0;
  hid_t f = writes ? H5Fcreate(argv[2], H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)
                   : H5Fopen(argv[2], changes ? H5F_ACC_RDWR : H5F_ACC_RDONLY, H5P_DEFAULT);
  DO(f);
  if (writes) {
    write_lite(f), write_tables(f), write_images(f), write_packets(f), write_scales(f),
        write_chunks(f);
  } else if (changes) {
    change_tables(f), change_images(f), change_packets(f), change_scales(f), change_chunks(f);
  } else {
    read_lite(f), read_tables(f, argc > 3), read_images(f), read_packets(f), read_scales(f);
    read_chunks(f), open_image(argv[2]);
  }
  DO(H5Fclose(f));
  return 0;
}
