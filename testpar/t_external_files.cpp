// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Datasets with external raw data files in parallel files: each rank moves its own part, failures are
// everybody's. Room: testpar, public headers only.

#include <cstdio>
#include <string>
#include <vector>

#include "support.hpp"

#ifdef PCIO_VERSION
#include <pcio.h>

using par::Id;

namespace {

constexpr hsize_t kRow = 7;
using Ints = std::vector<int>;

hsize_t me() { return static_cast<hsize_t>(par::rank()); }
hsize_t ranks() { return static_cast<hsize_t>(par::size()); }

struct RawFiles {
  std::string first = par::file_name("first.raw"), second = par::file_name("second.raw");
  void remove() const {
    MPI_Barrier(MPI_COMM_WORLD);
    if (par::rank() == 0) {
      std::remove(first.c_str());
      std::remove(second.c_str());
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
};

Id create_file(const char* word) {
  const Id access(par::mpio_access());
  Id file(H5Fcreate(par::file_name(word).c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
  CHECK(file.valid());
  return file;
}

/// Rows of kRow big-endian shorts, `rows` of them, in two raw files cut in the middle of an element.
Id create(hid_t file, const RawFiles& raw, hsize_t rows, H5D_alloc_time_t when) {
  const hsize_t dims[2] = {rows, kRow}, most[2] = {H5S_UNLIMITED, kRow};
  const Id space(H5Screate_simple(2, dims, most)), list(H5Pcreate(H5P_DATASET_CREATE));
  H5Pset_external(list, raw.first.c_str(), 3, 2 * kRow + 1);
  H5Pset_external(list, raw.second.c_str(), 0, H5F_UNLIMITED);
  H5Pset_alloc_time(list, when);
  Id dataset(H5Dcreate2(file, "raw", H5T_STD_I16BE, space, H5P_DEFAULT, list, H5P_DEFAULT));
  CHECK(dataset.valid());
  return dataset;
}

/// Rank r has row r, but the last one of several, which has nothing.
bool has_row() { return me() + 1 < ranks() || ranks() == 1; }
Id my_row(hid_t dataset) {
  Id space(H5Dget_space(dataset));
  const hsize_t start[2] = {me(), 0}, count[2] = {1, kRow};
  if (has_row())
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, count, nullptr);
  else
    H5Sselect_none(space);
  return space;
}
Id my_memory() {
  const hsize_t n = kRow;
  Id space(H5Screate_simple(1, &n, nullptr));
  if (!has_row()) H5Sselect_none(space);
  return space;
}
int value(hsize_t row, hsize_t column) { return static_cast<int>(row * 100 + column); }

Ints read_all(hid_t dataset, hsize_t rows, H5FD_mpio_xfer_t mode) {
  const Id list(par::transfer_list(mode));
  Ints values(rows * kRow, -1);
  CHECK(H5Dread(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, list, values.data()) >= 0);
  return values;
}

pcio_transfer_report_t report_of(hid_t list) {
  pcio_transfer_report_t report{};
  CHECK(pcio_get_transfer_report(list, &report, sizeof report) >= 0);
  return report;
}

void write_and_read(H5FD_mpio_xfer_t mode) {
  const RawFiles raw;
  raw.remove();
  const Id file = create_file("external");
  const Id dataset = create(file, raw, ranks(), H5D_ALLOC_TIME_EARLY);
  const Id space = my_row(dataset), memory = my_memory(), list(par::transfer_list(mode));
  Ints values(kRow);
  for (hsize_t i = 0; i < kRow; ++i) values[i] = value(me(), i);
  // What a dry run tells, the transfer does.
  pcio_transfer_report_t planned{};
  CHECK(pcio_explain(dataset, H5T_NATIVE_INT, memory, space, list, PCIO_DIRECTION_WRITE, &planned,
                     sizeof planned) >= 0);
  CHECK(H5Dwrite(dataset, H5T_NATIVE_INT, memory, space, list, values.data()) >= 0);
  const pcio_transfer_report_t done = report_of(list);
  CHECK(planned.posix_writes == done.posix_writes && planned.bytes_written == done.bytes_written);
  CHECK(done.independent_writes == 0 && done.collective_writes == 0 && done.view_changes == 0);
  CHECK(done.bytes_written == (has_row() ? 2 * kRow : 0));
  CHECK(done.posix_writes >= (has_row() ? 1U : 0U));
  CHECK(done.actual_io_mode == H5D_MPIO_NO_COLLECTIVE);
  if (mode == H5FD_MPIO_COLLECTIVE)
    CHECK(done.global_causes & H5D_MPIO_NOT_CONTIGUOUS_OR_CHUNKED_DATASET);
  // Few ranks write into the first file only; a file that is not there can't be read.
  if (par::rank() == 0) std::fclose(std::fopen(raw.second.c_str(), "a"));
  MPI_Barrier(MPI_COMM_WORLD);
  const hsize_t rows = ranks() == 1 ? 1 : ranks() - 1;
  const Ints found = read_all(dataset, ranks(), mode);
  bool equal = true;
  for (hsize_t row = 0; row < rows; ++row)
    for (hsize_t i = 0; i < kRow; ++i) equal = equal && found[row * kRow + i] == value(row, i);
  for (hsize_t i = rows * kRow; i < found.size(); ++i) equal = equal && found[i] == 0;
  CHECK(equal);
  raw.remove();
}

}  // namespace

CASE(each_rank_moves_its_own_rows_together) { write_and_read(H5FD_MPIO_COLLECTIVE); }
CASE(each_rank_moves_its_own_rows_alone) { write_and_read(H5FD_MPIO_INDEPENDENT); }

CASE(the_first_dimension_grows_and_the_file_says_so) {
  const RawFiles raw;
  raw.remove();
  {
    const Id file = create_file("external");
    const Id dataset = create(file, raw, ranks(), H5D_ALLOC_TIME_LATE);
    const hsize_t more[2] = {ranks() + 2, kRow};
    CHECK(H5Dset_extent(dataset, more) >= 0);
    const Id space(H5Dget_space(dataset)), list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
    const hsize_t start[2] = {ranks() + 1, 0}, count[2] = {1, kRow}, n = kRow;
    const Id memory(H5Screate_simple(1, &n, nullptr));
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, count, nullptr);
    if (me() != 0) H5Sselect_none(space), H5Sselect_none(memory);
    const Ints values(kRow, 77);
    CHECK(H5Dwrite(dataset, H5T_NATIVE_INT, memory, space, list, values.data()) >= 0);
  }
  const Id access(par::mpio_access());
  const Id file(H5Fopen(par::file_name("external").c_str(), H5F_ACC_RDONLY, access));
  const Id dataset(H5Dopen2(file, "raw", H5P_DEFAULT));
  CHECK(dataset.valid());
  if (par::rank() == 0) std::fclose(std::fopen(raw.first.c_str(), "a"));
  MPI_Barrier(MPI_COMM_WORLD);
  const Ints found = read_all(dataset, ranks() + 2, H5FD_MPIO_COLLECTIVE);
  CHECK(found[0] == 0 && found.back() == 77);
  raw.remove();
}

CASE(a_file_that_one_rank_lacks_fails_the_read_on_all) {
  const RawFiles raw;
  raw.remove();
  const Id file = create_file("external");
  const Id dataset = create(file, raw, ranks(), H5D_ALLOC_TIME_LATE);
  // Only rank 0's row reaches into the first file, which is not there.
  const Id space(H5Dget_space(dataset)), list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  const hsize_t start[2] = {ranks() == 1 ? 0 : me(), 0}, count[2] = {1, kRow}, n = kRow;
  const Id memory(H5Screate_simple(1, &n, nullptr));
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, count, nullptr);
  if (me() == 1) H5Sselect_none(space), H5Sselect_none(memory);
  if (par::rank() == 0) std::fclose(std::fopen(raw.second.c_str(), "a"));
  MPI_Barrier(MPI_COMM_WORLD);
  Ints values(kRow, 5);
  {
    const par::Silence silence;
    CHECK(H5Dread(dataset, H5T_NATIVE_INT, memory, space, list, values.data()) < 0);
  }
  const std::string text = par::error_text();
  CHECK(me() != 0 || text.find("first.raw") != std::string::npos);
  CHECK(report_of(list).succeeded == 0);
  // The ranks are still in step.
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  CHECK(H5Dwrite(dataset, H5T_NATIVE_INT, memory, space, list, values.data()) >= 0);
  CHECK(H5Dread(dataset, H5T_NATIVE_INT, memory, space, list, values.data()) >= 0);
  raw.remove();
}

CASE(a_file_that_one_rank_cannot_write_fails_the_write_on_all) {
  RawFiles raw;
  raw.remove();
  raw.second = "/nowhere/of/this/name.raw";
  const Id file = create_file("external");
  const Id dataset = create(file, raw, ranks() + 1, H5D_ALLOC_TIME_LATE);
  const Id space(H5Dget_space(dataset)), list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  // Rank 0 alone writes behind the first file.
  const hsize_t start[2] = {me() == 0 ? ranks() : 0, 0}, count[2] = {1, kRow}, n = kRow;
  const Id memory(H5Screate_simple(1, &n, nullptr));
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, count, nullptr);
  if (me() > 1) H5Sselect_none(space), H5Sselect_none(memory);
  const Ints values(kRow, 5);
  {
    const par::Silence silence;
    CHECK(H5Dwrite(dataset, H5T_NATIVE_INT, memory, space, list, values.data()) < 0);
  }
  CHECK(me() != 0 || par::error_text().find("name.raw") != std::string::npos);
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  raw.second = par::file_name("second.raw");
  raw.remove();
}

#else
CASE(nothing_to_compare) { CHECK(true); }
#endif
