// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Calls of the high level library that change a file of several ranks, which all ranks make with the same arguments;
// where they do not, or one of them can't, all are told, nothing has changed and nothing hangs. Room: testpar, public
// headers only, and faults/ for slow ranks and ranks without memory.

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <hdf5_hl.h>
#include <mpi.h>
#include <pcio.h>
#include <string>
#include <vector>

#include "faults/cells.hpp"
#include "faults/inject.hpp"
#include "support.hpp"

using par::Id;

namespace {

constexpr hsize_t kRows = 3, kColumns = 4;

void make_row(hid_t file, const char* name, hsize_t size) {
  std::vector<int> values(size, 7);
  CHECK(H5LTmake_dataset_int(file, name, 1, &size, values.data()) >= 0);
}

/// "data" of two dimensions and the scales "x", "y", "z" for them.
Id make_file(const std::string& name) {
  const Id access(par::mpio_access());
  Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
  const hsize_t dims[2] = {kRows, kColumns};
  CHECK(H5LTmake_dataset_double(file, "data", 2, dims, nullptr) >= 0);
  make_row(file, "x", kRows);
  make_row(file, "y", kColumns);
  make_row(file, "z", kColumns);
  return file;
}

herr_t count_scale(hid_t, unsigned, hid_t, void* count) {
  ++*static_cast<int*>(count);
  return 0;
}

int scales_of(hid_t data, unsigned dimension) {
  int count = 0;
  CHECK(H5DSiterate_scales(data, dimension, nullptr, count_scale, &count) >= 0);
  return count;
}

}  // namespace

CASE(scales_are_attached_by_all_ranks) {
  const std::string name = par::file_name("scales");
  {
    const Id file = make_file(name);
    const Id data(H5Dopen2(file, "data", H5P_DEFAULT)), x(H5Dopen2(file, "x", H5P_DEFAULT)),
        y(H5Dopen2(file, "y", H5P_DEFAULT)), z(H5Dopen2(file, "z", H5P_DEFAULT));
    CHECK(H5DSset_scale(x, "rows") >= 0);
    CHECK(H5DSattach_scale(data, x, 0) >= 0);
    CHECK(H5DSattach_scale(data, y, 1) >= 0);
    CHECK(H5DSattach_scale(data, z, 1) >= 0);
    CHECK(H5DSset_label(data, 1, "columns") >= 0);
    CHECK(H5DSdetach_scale(data, y, 1) >= 0);
    CHECK(scales_of(data, 0) == 1 && scales_of(data, 1) == 1);
  }
  const Id access(par::mpio_access()), file(H5Fopen(name.c_str(), H5F_ACC_RDONLY, access));
  const Id data(H5Dopen2(file, "data", H5P_DEFAULT)), x(H5Dopen2(file, "x", H5P_DEFAULT)),
      y(H5Dopen2(file, "y", H5P_DEFAULT)), z(H5Dopen2(file, "z", H5P_DEFAULT));
  CHECK(H5DSis_attached(data, x, 0) == 1 && H5DSis_attached(data, y, 1) == 0);
  CHECK(H5DSis_attached(data, z, 1) == 1 && H5DSis_scale(x) == 1);
  char text[20] = "";
  CHECK(H5DSget_scale_name(x, text, sizeof text) >= 0 && std::strcmp(text, "rows") == 0);
  CHECK(H5DSget_label(data, 1, text, sizeof text) >= 0 && std::strcmp(text, "columns") == 0);
}

/// Calls that differ are told to all ranks.
CASE(scales_that_differ_are_told) {
  const Id file = make_file(par::file_name("differ"));
  const Id x(H5Dopen2(file, "x", H5P_DEFAULT)), y(H5Dopen2(file, "y", H5P_DEFAULT));
  const par::Silence silence;
  const hid_t mine = par::rank() == par::size() - 1 ? y : x;
  const bool last = par::size() == 1;
  const bool named = H5DSset_scale(last ? x : mine, "one of them") >= 0;
  const bool flushed = H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0;
  CHECK(par::all(named && flushed) == last);
}

/// Values that differ are rank 0's, as those of all attributes.
CASE(scales_of_rank_0_count) {
  const std::string name = par::file_name("rank_0");
  {
    const Id file = make_file(name);
    const Id data(H5Dopen2(file, "data", H5P_DEFAULT)), x(H5Dopen2(file, "x", H5P_DEFAULT));
    CHECK(H5DSattach_scale(data, x, par::rank() == 0 ? 1 : 0) >= 0);
  }
  const Id access(par::mpio_access()), file(H5Fopen(name.c_str(), H5F_ACC_RDONLY, access));
  const Id data(H5Dopen2(file, "data", H5P_DEFAULT)), x(H5Dopen2(file, "x", H5P_DEFAULT));
  CHECK(H5DSis_attached(data, x, 1) == 1 && H5DSis_attached(data, x, 0) == 0);
}

/// A table is made, and records and fields come and go; each rank reads what all of them did.
CASE(tables_are_changed_by_all_ranks) {
  struct Record {
    int number;
    double value;
  };
  const std::size_t offsets[2] = {HOFFSET(Record, number), HOFFSET(Record, value)},
                    sizes[2] = {sizeof(int), sizeof(double)};
  const char* names[2] = {"number", "value"};
  const hid_t types[2] = {H5T_NATIVE_INT, H5T_NATIVE_DOUBLE};
  const Record first[3] = {{1, 1.5}, {2, 2.5}, {3, 3.5}}, more[2] = {{4, 4.5}, {5, 5.5}};
  const std::string name = par::file_name("tables");
  {
    const Id access(par::mpio_access()),
        file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
    CHECK(H5TBmake_table("all ranks", file, "t", 2, 3, sizeof(Record), names, offsets, types, 2,
                         nullptr, 0, first) >= 0);
    CHECK(H5TBappend_records(file, "t", 2, sizeof(Record), offsets, sizes, more) >= 0);
    CHECK(H5TBdelete_record(file, "t", 1, 1) >= 0);
    const short extra[4] = {10, 30, 40, 50};
    CHECK(H5TBinsert_field(file, "t", "extra", H5T_NATIVE_SHORT, 2, nullptr, extra) >= 0);
    const Id packets(H5PTcreate_fl(file, "p", H5T_NATIVE_INT, 4, 1));
    const int values[5] = {5, 6, 7, 8, 9};
    CHECK(H5PTappend(packets, 5, values) >= 0);
    CHECK(H5PTappend(packets, 2, values) >= 0);
  }
  const Id access(par::mpio_access()), file(H5Fopen(name.c_str(), H5F_ACC_RDONLY, access));
  Record found[4] = {};
  CHECK(H5TBread_fields_name(file, "t", "number,value", 0, 4, sizeof(Record), offsets, sizes,
                             found) >= 0);
  const int numbers[4] = {1, 3, 4, 5};
  for (int i = 0; i < 4; ++i)
    CHECK(found[i].number == numbers[i] && found[i].value == numbers[i] + 0.5);
  short extra[4] = {};
  const std::size_t zero = 0, two = 2;
  CHECK(H5TBread_fields_name(file, "t", "extra", 0, 4, two, &zero, &two, extra) >= 0);
  CHECK(extra[1] == 30 && extra[3] == 50);
  const Id packets(H5PTopen(file, "p"));
  int last = 0;
  CHECK(H5PTread_packets(packets, 6, 1, &last) >= 0 && last == 6);
}

/// What moves is read by all ranks before any of them writes over it.
CASE(records_move_on_all_ranks_at_once) {
  const std::size_t zero = 0, size = sizeof(int);
  const char* field = "n";
  const hid_t type = H5T_NATIVE_INT;
  std::vector<int> model(300);
  for (std::size_t i = 0; i < model.size(); ++i) model[i] = static_cast<int>(i);
  const Id access(par::mpio_access()),
      file(H5Fcreate(par::file_name("moves").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
  for (const char* name : {"t", "u"})
    CHECK(H5TBmake_table(name, file, name, 1, model.size(), size, &field, &zero, &type, 16, nullptr,
                         name[0] == 'u' ? 1 : 0, model.data()) >= 0);
  for (int round = 0; round < 10; ++round) {
    const hsize_t at = static_cast<hsize_t>(round) * 7;
    int more[3] = {1000 + round, 2000 + round, 3000 + round};
    for (const char* name : {"t", "u"}) {
      CHECK(H5TBdelete_record(file, name, at, 2) >= 0);
      CHECK(H5TBinsert_record(file, name, at + 1, 3, size, &zero, &size, more) >= 0);
      CHECK(H5TBadd_records_from(file, name, 0, 1, name, at + 5) >= 0);
    }
    const auto place = [&](hsize_t i) { return model.begin() + static_cast<std::ptrdiff_t>(i); };
    model.erase(place(at), place(at + 2));
    model.insert(place(at + 1), more, more + 3);
    model.insert(place(at + 5), model.front());
  }
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  MPI_Barrier(MPI_COMM_WORLD);
  for (const char* name : {"t", "u"}) {
    std::vector<int> found(model.size());
    hsize_t records = 0;
    CHECK(H5TBget_table_info(file, name, nullptr, &records) >= 0 && records == model.size());
    CHECK(H5TBread_records(file, name, 0, records, size, &zero, &size, found.data()) >= 0);
    CHECK(found == model);
  }
}

// ---- all ranks, or none -------------------------------------------------------------------------

namespace {

struct Pair {
  int number;
  double value;
};
const std::size_t kOffsets[2] = {HOFFSET(Pair, number), HOFFSET(Pair, value)},
                  kSizes[2] = {sizeof(int), sizeof(double)};
const char* kNames[2] = {"number", "value"};

Pair pair_of(hsize_t i) { return {static_cast<int>(i), static_cast<double>(i) + 0.5}; }

std::vector<Pair> pairs(hsize_t count) {
  std::vector<Pair> made(count);
  for (hsize_t i = 0; i < count; ++i) made[i] = pair_of(i);
  return made;
}

bool make_table(hid_t file, const char* name, const std::vector<Pair>& values, int compress) {
  const hid_t types[2] = {H5T_NATIVE_INT, H5T_NATIVE_DOUBLE};
  return H5TBmake_table("pairs", file, name, 2, values.size(), sizeof(Pair), kNames, kOffsets,
                        types, 1000, nullptr, compress, values.data()) >= 0;
}

bool make_pairs(hid_t file, const char* name, hsize_t count, int compress) {
  return make_table(file, name, pairs(count), compress);
}

/// The table has these records and fields, on this rank.
bool has_pairs(hid_t file, const char* name, const std::vector<Pair>& wanted, hsize_t fields) {
  hsize_t nfields = 0, records = 0;
  if (H5TBget_table_info(file, name, &nfields, &records) < 0) return false;
  if (nfields != fields || records != wanted.size()) return false;
  std::vector<Pair> found(records);
  if (H5TBread_fields_name(file, name, "number,value", 0, records, sizeof(Pair), kOffsets, kSizes,
                           found.data()) < 0)
    return false;
  for (hsize_t i = 0; i < records; ++i)
    if (found[i].number != wanted[i].number || found[i].value != wanted[i].value) return false;
  return true;
}

bool has_field(hid_t file, const char* name, const std::vector<int>& wanted) {
  const std::size_t zero = 0, size = sizeof(int);
  std::vector<int> found(wanted.size());
  return H5TBread_fields_name(file, name, "extra", 0, found.size(), size, &zero, &size,
                              found.data()) >= 0 &&
         found == wanted;
}

bool is_last() { return par::rank() == par::size() - 1; }

Id make_pairs_file(const std::string& name, std::size_t waiting = std::size_t{64} << 20) {
  const Id access(par::mpio_access());
  CHECK(pcio_set_fapl_waiting_memory(access, waiting) >= 0);
  return Id(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
}

/// All ranks fail and know why, and the file is as good as before.
void check_refused(hid_t file, const char* what, bool succeeded) {
  const std::string told = par::error_text(), culprit = "rank " + std::to_string(par::size() - 1);
  if (told.find(is_last() ? what : culprit) == std::string::npos &&
      told.find("other numbers") == std::string::npos &&
      told.find("object \"none\"") == std::string::npos)
    par::failed_check((std::string(what) + " tells: " + told).c_str(), __FILE__, __LINE__);
  if (par::any(succeeded))
    std::printf("%s succeeded on rank %d: %d\n", what, par::rank(), succeeded);
  CHECK(!par::any(succeeded));
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
}

}  // namespace

/// More than a rank may keep in memory of what it writes by itself.
CASE(large_filtered_tables) {
  const std::string name = par::file_name("large");
  constexpr hsize_t kRecords = 30000;
  const std::vector<Pair> all = pairs(kRecords);
  std::vector<int> extra(kRecords);
  for (hsize_t i = 0; i < kRecords; ++i) extra[i] = static_cast<int>(3 * i);
  std::vector<Pair> both = all;
  both.insert(both.end(), all.begin(), all.end());
  {
    const Id file = make_pairs_file(name, 32 * 1024);
    CHECK(make_pairs(file, "t", kRecords, 1));
    CHECK(make_pairs(file, "u", kRecords, 1));
    CHECK(H5TBinsert_field(file, "t", "extra", H5T_NATIVE_INT, 1, nullptr, extra.data()) >= 0);
    CHECK(has_pairs(file, "t", all, 3) && has_field(file, "t", extra));
    CHECK(H5TBdelete_field(file, "t", "extra") >= 0);
    CHECK(H5TBcombine_tables(file, "t", file, "u", "both") >= 0);
    CHECK(H5TBadd_records_from(file, "t", 0, kRecords, "u", kRecords) >= 0);
  }
  const Id file = par::open_file(name, H5F_ACC_RDONLY);
  CHECK(has_pairs(file, "t", all, 2) && has_pairs(file, "both", both, 2) &&
        has_pairs(file, "u", both, 2));
}

/// What a rank gives that can't be fails on all of them, changes nothing, and nobody waits.
CASE(one_rank_with_a_wrong_argument) {
  const Id file = make_pairs_file(par::file_name("wrong"));
  const std::vector<Pair> some = pairs(10);
  CHECK(make_pairs(file, "t", 10, 0) && make_pairs(file, "u", 10, 1));
  const Id packets(H5PTcreate_fl(file, "p", H5T_NATIVE_INT, 4, -1));
  make_row(file, "x", kRows);
  make_row(file, "d", kRows);
  const Id x(H5Dopen2(file, "x", H5P_DEFAULT)), d(H5Dopen2(file, "d", H5P_DEFAULT));
  const hsize_t size = 4;
  const int values[4] = {1, 2, 3, 4};
  const unsigned char bytes[12] = {};
  const par::Silence silence;
  const bool bad = is_last();
  const char* const field = bad ? nullptr : "value";
  const hid_t types[2] = {H5T_NATIVE_INT, H5T_NATIVE_DOUBLE};
  check_refused(file, "H5TBmake_table",
                H5TBmake_table(bad ? nullptr : "m", file, "m", 2, 10, sizeof(Pair), kNames,
                               kOffsets, types, 4, nullptr, 0, some.data()) >= 0);
  check_refused(file, "H5TBappend_records",
                H5TBappend_records(file, "t", 2, sizeof(Pair), bad ? nullptr : kOffsets, kSizes,
                                   some.data()) >= 0);
  check_refused(file, "H5TBinsert_record",
                H5TBinsert_record(file, "t", bad ? 11 : 3, 2, sizeof(Pair), kOffsets, kSizes,
                                  const_cast<Pair*>(some.data())) >= 0);
  check_refused(file, "H5TBdelete_record", H5TBdelete_record(file, "t", 3, bad ? 8 : 2) >= 0);
  check_refused(file, "H5TBadd_records_from",
                H5TBadd_records_from(file, "t", 0, 5, bad ? "none" : "u", 5) >= 0);
  check_refused(file, "H5TBcombine_tables",
                H5TBcombine_tables(file, "t", file, "u", bad ? nullptr : "both") >= 0);
  check_refused(
      file, "H5TBinsert_field",
      H5TBinsert_field(file, "t", "extra", H5T_NATIVE_INT, bad ? 3 : 0, nullptr, nullptr) >= 0);
  check_refused(file, "H5TBdelete_field", H5TBdelete_field(file, "u", field) >= 0);
  check_refused(file, "H5PTappend", H5PTappend(packets, 4, bad ? nullptr : values) >= 0);
  check_refused(file, "H5PTcreate",
                H5PTcreate(file, bad ? nullptr : "q", H5T_NATIVE_INT, 4, H5P_DEFAULT) >= 0);
  check_refused(file, "H5LTmake_dataset",
                H5LTmake_dataset(file, "n", 1, bad ? nullptr : &size, H5T_NATIVE_INT, values) >= 0);
  check_refused(file, "H5LTmake_dataset_string",
                H5LTmake_dataset_string(file, "n", bad ? nullptr : "text") >= 0);
  check_refused(file, "H5IMmake_image_24bit",
                H5IMmake_image_24bit(file, "i", 2, 2, bad ? "?" : "INTERLACE_PIXEL", bytes) >= 0);
  check_refused(file, "H5IMmake_palette",
                H5IMmake_palette(file, "i", bad ? nullptr : &size, bytes) >= 0);
  check_refused(file, "H5DSattach_scale", H5DSattach_scale(d, x, bad ? 9 : 0) >= 0);
  check_refused(file, "H5DSset_label", H5DSset_label(d, 0, bad ? nullptr : "label") >= 0);
  const Id data(H5Dopen2(file, "p", H5P_DEFAULT));
  check_refused(file, "H5DOappend",
                H5DOappend(data, H5P_DEFAULT, bad ? 1 : 0, 4, H5T_NATIVE_INT, values) >= 0);
  if (par::size() > 1) {
    check_refused(file, "other elements",
                  H5DOappend(data, H5P_DEFAULT, 0, bad ? 3 : 4, H5T_NATIVE_INT, values) >= 0);
    const Id access(H5Pcreate(H5P_DATASET_ACCESS));
    const hsize_t boundary = bad ? 2 : 3;
    CHECK(H5Pset_append_flush(access, 1, &boundary, nullptr, nullptr) >= 0);
    const Id flushed(H5Dopen2(file, "p", access));
    check_refused(file, "other boundaries",
                  H5DOappend(flushed, H5P_DEFAULT, 0, 2, H5T_NATIVE_INT, values) >= 0);
    check_refused(file, "other counts",
                  H5TBappend_records(file, "t", bad ? 3 : 2, sizeof(Pair), kOffsets, kSizes,
                                     some.data()) >= 0);
    check_refused(file, "other packets", H5PTappend(packets, bad ? 3 : 4, values) >= 0);
  }
  for (const char* made : {"m", "both", "q", "n", "i", "t.rebuilt", "t.replaced"})
    CHECK(H5Lexists(file, made, H5P_DEFAULT) == 0);
  hsize_t appended = 1;
  CHECK(H5PTget_num_packets(packets, &appended) >= 0 && appended == 0);
  CHECK(has_pairs(file, "t", some, 2) && has_pairs(file, "u", some, 2));
  CHECK(H5PTappend(packets, 4, values) >= 0 && H5DSattach_scale(d, x, 0) >= 0);
}

/// What all ranks make is whole before any of them comes back: a slow one writes nothing over what others write then.
CASE(a_slow_rank_overwrites_nothing) {
  const std::string name = par::file_name("slow");
  constexpr hsize_t kRecords = 4000;
  std::vector<Pair> mine = pairs(kRecords);
  for (Pair& pair : mine) pair.value = -1.0;
  const hsize_t size = kRecords;
  std::vector<int> ones(kRecords, 1), twos(kRecords, 2);
  {
    const Id file = make_pairs_file(name);
    if (is_last()) inject::slow_down({0, 0, 30000, 0, false});
    CHECK(make_pairs(file, "t", kRecords, 0));
    CHECK(H5LTmake_dataset_int(file, "d", 1, &size, ones.data()) >= 0);
    if (par::rank() == 0) {
      CHECK(H5TBwrite_records(file, "t", 0, kRecords, sizeof(Pair), kOffsets, kSizes,
                              mine.data()) >= 0);
      const Id data(H5Dopen2(file, "d", H5P_DEFAULT));
      CHECK(H5Dwrite(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, twos.data()) >= 0);
    }
    CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
    inject::slow_down({});
  }
  const Id file = par::open_file(name, H5F_ACC_RDONLY);
  CHECK(has_pairs(file, "t", mine, 2));
  CHECK(H5LTread_dataset_int(file, "d", ones.data()) >= 0 && ones == twos);
}

/// HDF5's own library writes what any rank has.
CASE(values_of_some_ranks_only) {
  const std::string name = par::file_name("some");
  constexpr hsize_t kSize = 100;
  const hsize_t size = kSize, image[2] = {10, 10};
  std::vector<int> values(kSize);
  for (hsize_t i = 0; i < kSize; ++i) values[i] = static_cast<int>(i);
  const std::vector<unsigned char> bytes(kSize, 9);
  {
    const Id file = make_pairs_file(name);
    const bool has = is_last();
    CHECK(H5LTmake_dataset_int(file, "one", 1, &size, has ? values.data() : nullptr) >= 0);
    CHECK(H5LTmake_dataset_int(file, "others", 1, &size,
                               has && par::size() > 1 ? nullptr : values.data()) >= 0);
    CHECK(H5LTmake_dataset_int(file, "none", 1, &size, nullptr) >= 0);
    CHECK(H5LTmake_dataset_int(file, "scalar", 0, nullptr, &values[7]) >= 0);
    CHECK(H5IMmake_image_8bit(file, "image", 10, 10, has ? bytes.data() : nullptr) >= 0);
    CHECK(H5IMmake_palette(file, "palette", image, bytes.data()) >= 0);
  }
  const Id file = par::open_file(name, H5F_ACC_RDONLY);
  std::vector<int> found(kSize);
  CHECK(H5LTread_dataset_int(file, "one", found.data()) >= 0 && found == values);
  found.assign(kSize, -1);
  CHECK(H5LTread_dataset_int(file, "others", found.data()) >= 0 && found == values);
  CHECK(H5LTread_dataset_int(file, "none", found.data()) >= 0 && found[5] == 0);
  CHECK(H5LTread_dataset_int(file, "scalar", found.data()) >= 0 && found[0] == 7);
  std::vector<unsigned char> seen(kSize);
  CHECK(H5IMread_image(file, "image", seen.data()) >= 0 && seen == bytes);
  CHECK(H5IMread_image(file, "palette", seen.data()) >= 0 && seen == bytes);
  CHECK(H5IMis_image(file, "image") == 1 && H5IMis_palette(file, "palette") == 1);
}

/// Packets that were appended by one id are not cut off by another one.
CASE(two_ids_of_one_packet_table) {
  const Id file = make_pairs_file(par::file_name("ids"));
  const int first[5] = {1, 2, 3, 4, 5}, second[3] = {6, 7, 8};
  const Id one(H5PTcreate_fl(file, "p", H5T_NATIVE_INT, 4, -1)), two(H5PTopen(file, "p"));
  CHECK(H5PTappend(one, 5, first) >= 0 && H5PTappend(two, 3, second) >= 0);
  hsize_t count = 0;
  CHECK(H5PTget_num_packets(one, &count) >= 0 && count == 8);
  int found[8] = {};
  CHECK(H5PTread_packets(one, 0, 8, found) >= 0 && found[4] == 5 && found[5] == 6 && found[7] == 8);
}

/// All learn of the rank that has failed, why, and what the least and the greatest value is; then they go on.
CASE(ranks_agree) {
  const Id access(par::mpio_access()),
      file(H5Fcreate(par::file_name("agree").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
  int rank = -1, ranks = -1;
  CHECK(pcio_get_ranks(file, &rank, &ranks) >= 0 && rank == par::rank() && ranks == par::size());
  const auto mine = static_cast<std::uint64_t>(10 + par::rank());
  std::uint64_t least = 0, most = 0;
  CHECK(pcio_agree(file, 0, mine, &least, &most) >= 0);
  CHECK(least == 10 && most == 9 + static_cast<std::uint64_t>(par::size()));
  {
    const par::Silence silence;
    if (is_last()) CHECK(H5Dopen2(file, "nowhere", H5P_DEFAULT) < 0);
    CHECK(pcio_agree(file, is_last() ? -1 : 0, mine, &least, &most) < 0);
    CHECK(par::error_text().find("nowhere") != std::string::npos);
  }
  CHECK(pcio_agree(file, 0, mine, nullptr, nullptr) >= 0);
  CHECK(make_pairs(file, "t", 3, 0) && H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
}

/// Of two tables in files that other ranks have open, each rank brings what the new one needs of it.
CASE(tables_of_files_with_other_ranks) {
  const std::string name = par::file_name("shared"),
                    own_name = par::file_name("own") + "." + std::to_string(par::rank());
  std::vector<Pair> both = pairs(5), other = pairs(7);
  both.insert(both.end(), other.begin(), other.end());
  const std::vector<Pair> first = pairs(5);
  other.insert(other.end(), first.begin(), first.end());
  {
    const Id access(par::mpio_access()),
        file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access)),
        own(H5Fcreate(own_name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
    CHECK(make_pairs(file, "s", 5, 0) && make_pairs(own, "t", 7, 0));
    CHECK(H5TBcombine_tables(file, "s", own, "t", "both") >= 0);
    CHECK(has_pairs(file, "both", both, 2));
    CHECK(H5TBcombine_tables(own, "t", file, "s", "both") >= 0);
    CHECK(has_pairs(own, "both", other, 2));
    if (is_last()) CHECK(H5TBcombine_tables(own, "t", file, "s", "alone") >= 0);
    if (is_last()) CHECK(has_pairs(own, "alone", other, 2));
    // One rank lacks what is to be read: nobody has the new table.
    if (is_last()) CHECK(H5Ldelete(own, "t", H5P_DEFAULT) >= 0);
    const par::Silence silence;
    CHECK(!par::any(H5TBcombine_tables(file, "s", own, "t", "none") >= 0));
    CHECK(H5Lexists(file, "none", H5P_DEFAULT) == 0);
  }
  std::remove(own_name.c_str());
}

/// Asking is local: also where the program has closed the opening by which it reached the table, and has another one.
CASE(one_rank_reads_alone) {
  const std::string name = par::file_name("alone");
  { CHECK(make_pairs(make_pairs_file(name), "t", 10, 0)); }
  const Id access(par::mpio_access());
  CHECK(H5Pset_fclose_degree(access, H5F_CLOSE_WEAK) >= 0);
  Id first(H5Fopen(name.c_str(), H5F_ACC_RDONLY, access));
  const Id second(H5Fopen(name.c_str(), H5F_ACC_RDONLY, access));
  const Id group(H5Gopen2(first, "/", H5P_DEFAULT));
  CHECK(first.close() >= 0);
  if (par::rank() == 0) CHECK(has_pairs(group, "t", pairs(10), 2));
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(has_pairs(group, "t", pairs(10), 2));
}

namespace {

/// A call that changes the file, and what is there then.
struct Change {
  const char* name;
  bool (*act)(hid_t file);
  /// After a call that has succeeded; the table "t" has three fields, or two.
  hsize_t fields, records;
};

const std::vector<Change>& changes() {
  static const std::vector<Pair> some = pairs(20);
  static const std::vector<Change> all = {
      {"H5TBmake_table", [](hid_t file) { return make_table(file, "m", some, 1); }, 2, 20},
      {"H5TBinsert_field",
       [](hid_t file) {
         return H5TBinsert_field(file, "t", "extra", H5T_NATIVE_INT, 1, nullptr, nullptr) >= 0;
       },
       3, 20},
      {"H5TBdelete_record", [](hid_t file) { return H5TBdelete_record(file, "t", 10, 5) >= 0; }, 2,
       15},
      {"H5TBappend_records",
       [](hid_t file) {
         return H5TBappend_records(file, "t", 20, sizeof(Pair), kOffsets, kSizes, some.data()) >= 0;
       },
       2, 40},
      {"H5TBcombine_tables",
       [](hid_t file) { return H5TBcombine_tables(file, "t", file, "t", "both") >= 0; }, 2, 20},
      {"H5LTmake_dataset_int",
       [](hid_t file) {
         const hsize_t size = 5;
         const int values[5] = {1, 2, 3, 4, 5};
         return H5LTmake_dataset_int(file, "d", 1, &size, values) >= 0;
       },
       2, 20}};
  return all;
}

/// One call in which the `at`th allocation of a rank fails, by itself or with all behind it. False: it was over before.
bool play(const Change& change, inject::Fault fault, std::uint64_t at, int culprit) {
  const std::string name = par::file_name("memory");
  char text[120];
  std::snprintf(text, sizeof text, "%s, %s allocation %llu, rank %d", change.name,
                fault == inject::Fault::kNoBlock ? "only" : "from",
                static_cast<unsigned long long>(at), culprit);
  faults::begin_cell(text);
  Id file = make_pairs_file(name);
  CHECK(make_pairs(file, "t", 20, 1));
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  faults::begin_watch();
  if (par::rank() == culprit) inject::arm(fault, at, name);
  const bool done = change.act(file);
  const bool struck = par::any(inject::disarm());
  if (struck) ++faults::counts.struck;
  faults::judge(par::all(done) || !par::any(done), "it succeeds on some ranks only");
  faults::judge(struck || done, "no failure of memory, but it failed");
  const bool closed = file.close() >= 0;
  faults::end_watch();
  faults::judge(par::all(closed) || !par::any(closed), "the file closes on some ranks only");
  faults::judge(!done || closed, "it succeeded, and the file can't be closed");
  if (par::rank() == 0) {
    const Id found(H5Fopen(name.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
    std::vector<Pair> wanted = pairs(20);
    if (done && change.records == 15) wanted.erase(wanted.begin() + 10, wanted.begin() + 15);
    if (done && change.records == 40) {
      const std::vector<Pair> more = pairs(20);
      wanted.insert(wanted.end(), more.begin(), more.end());
    }
    hsize_t records = 0;
    // Who has no memory any more can't cut off what the table was to have.
    if (!done && fault == inject::Fault::kNoBlocks && change.records > 20 &&
        H5TBget_table_info(found, "t", nullptr, &records) >= 0 && records == change.records)
      wanted.resize(records, Pair{0, 0.0});
    // Nor give a table that has been moved aside its name back, or move records back that were moved up.
    const bool aside = !done && fault == inject::Fault::kNoBlocks &&
                       H5Lexists(found, "t.replaced", H5P_DEFAULT) > 0;
    const bool moved_up = !done && fault == inject::Fault::kNoBlocks && change.records == 15;
    if (!moved_up &&
        !has_pairs(found, aside ? "t.replaced" : "t", wanted, done ? change.fields : 2) &&
        !(fault == inject::Fault::kNoBlocks && has_pairs(found, "t", wanted, change.fields))) {
      std::printf("%s: the table is another one\n", text);
      CHECK(false);
    }
  }
  MPI_Barrier(MPI_COMM_WORLD);
  return struck;
}

}  // namespace

/// All succeed or all fail, and the table of which a change fails is what it was.
CASE(a_rank_without_memory) {
  const par::Silence silence;
  const bool all = faults::whole_matrix();
  int number = par::size();
  for (const Change& change : changes())
    for (const inject::Fault fault : {inject::Fault::kNoBlock, inject::Fault::kNoBlocks}) {
      if (++number % 2 == 0 && !all) continue;
      const int culprit = fault == inject::Fault::kNoBlock ? 0 : par::size() - 1;
      int struck = 0;
      std::uint64_t at = static_cast<std::uint64_t>(number) % 3;
      for (; play(change, fault, at, culprit); at += all ? 1 : 1 + at) ++struck;
      CHECK(struck > 2);
    }
}
