// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Calls of the high level library that change a file of several ranks: metadata calls, which all ranks make with the
// same arguments; where they do not, or one of them can't, all are told and nothing hangs. Room: testpar.

#include <cstring>
#include <hdf5_hl.h>
#include <mpi.h>
#include <string>
#include <vector>

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
