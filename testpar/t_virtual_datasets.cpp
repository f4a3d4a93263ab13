// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Virtual datasets in parallel files: each rank reads the sources by itself, all write them together, failures
// are everybody's.
// Room: testpar, public headers only.

#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "faults/inject.hpp"
#include "support.hpp"

#ifdef PCIO_VERSION
#include <pcio.h>

using par::Id;

namespace {

constexpr hsize_t kRow = 6;
using Ints = std::vector<int>;

hsize_t me() { return static_cast<hsize_t>(par::rank()); }

void write_ints(hid_t file, const char* name, int first) {
  const hsize_t n = kRow;
  const Id space(H5Screate_simple(1, &n, nullptr));
  const Id dataset(
      H5Dcreate2(file, name, H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  Ints values(kRow);
  for (hsize_t i = 0; i < kRow; ++i) values[i] = first + static_cast<int>(i);
  CHECK(H5Dwrite(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0);
}

/// A serial file of rank 0's.
void make_source(const std::string& path) {
  if (par::rank() == 0) {
    const Id file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
    write_ints(file, "d", 100);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

/// Three rows: of a source file, of this file, of one that is not there.
Id create(hid_t file, const std::string& source, const std::string& missing) {
  const hsize_t dims[2] = {3, kRow}, n = kRow, start[2] = {0, 0}, count[2] = {1, kRow};
  const Id space(H5Screate_simple(2, dims, nullptr)), row(H5Screate_simple(1, &n, nullptr)),
      list(H5Pcreate(H5P_DATASET_CREATE));
  const int fill = -3;
  H5Pset_fill_value(list, H5T_NATIVE_INT, &fill);
  const char* files[3] = {source.c_str(), ".", missing.c_str()};
  for (hsize_t i = 0; i < 3; ++i) {
    const hsize_t at[2] = {i, start[1]};
    H5Sselect_hyperslab(space, H5S_SELECT_SET, at, nullptr, count, nullptr);
    CHECK(H5Pset_virtual(list, space, files[i], i == 1 ? "own" : "d", row) >= 0);
  }
  H5Sselect_all(space);
  Id dataset(H5Dcreate2(file, "v", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT));
  CHECK(dataset.valid());
  return dataset;
}

Ints read_all(hid_t dataset, H5FD_mpio_xfer_t mode) {
  const Id list(par::transfer_list(mode));
  Ints values(3 * kRow, 7);
  CHECK(H5Dread(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, list, values.data()) >= 0);
  return values;
}

bool as_it_should(const Ints& values) {
  bool good = true;
  for (hsize_t i = 0; i < kRow; ++i) {
    good = good && values[i] == 100 + static_cast<int>(i);
    good = good && values[kRow + i] == 500 + static_cast<int>(i);
    good = good && values[2 * kRow + i] == -3;
  }
  return good;
}

}  // namespace

CASE(all_ranks_read_sources_alone) {
  const std::string source = par::file_name("source");
  make_source(source);
  {
    const Id access(par::mpio_access());
    const Id file(H5Fcreate(par::file_name("v").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
    write_ints(file, "own", 500);
    CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
    const Id dataset = create(file, source, "/nowhere/at/all.h5");
    CHECK(as_it_should(read_all(dataset, H5FD_MPIO_COLLECTIVE)));
    CHECK(as_it_should(read_all(dataset, H5FD_MPIO_INDEPENDENT)));
  }
  const Id access(par::mpio_access());
  const Id file(H5Fopen(par::file_name("v").c_str(), H5F_ACC_RDWR, access));
  const Id dataset(H5Dopen2(file, "v", H5P_DEFAULT));
  CHECK(as_it_should(read_all(dataset, H5FD_MPIO_COLLECTIVE)));
  // One rank has nothing to read.
  const Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE)), space(H5Dget_space(dataset));
  if (me() == 1) H5Sselect_none(space);
  Ints values(3 * kRow, 7);
  CHECK(H5Dread(dataset, H5T_NATIVE_INT, space, space, list, values.data()) >= 0);
  CHECK(me() == 1 ? values == Ints(3 * kRow, 7) : as_it_should(values));
}

CASE(a_source_that_one_rank_cannot_read_fails_the_read_on_all) {
  const std::string source = par::file_name("source");
  if (par::rank() == 0) {
    std::FILE* broken = std::fopen(source.c_str(), "w");
    std::fputs("this is no HDF5 file", broken);
    std::fclose(broken);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  const Id access(par::mpio_access());
  const Id file(H5Fcreate(par::file_name("v").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
  write_ints(file, "own", 500);
  const Id dataset = create(file, source, "/nowhere/at/all.h5");
  // Rank 0 alone wants the row of the broken source.
  const Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE)), space(H5Dget_space(dataset));
  const hsize_t start[2] = {me() == 0 ? 0U : 1U, 0}, count[2] = {1, kRow}, n = kRow;
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, count, nullptr);
  const Id row(H5Screate_simple(1, &n, nullptr));
  Ints values(kRow);
  {
    const par::Silence silence;
    CHECK(H5Dread(dataset, H5T_NATIVE_INT, row, space, list, values.data()) < 0);
    par::error_text();
    CHECK(H5Dwrite(dataset, H5T_NATIVE_INT, row, space, list, values.data()) < 0);
    par::error_text();
  }
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
}

namespace {

/// Rows of kRow elements that go to sources "d" of files, or of this one (".").
struct Rows {
  Id file, dataset;
  Rows(const std::string& name, const std::vector<std::string>& sources) {
    const Id access(par::mpio_access());
    file = Id(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
    const hsize_t dims[2] = {sources.size(), kRow}, n = kRow, count[2] = {1, kRow};
    const Id space(H5Screate_simple(2, dims, nullptr)), row(H5Screate_simple(1, &n, nullptr)),
        list(H5Pcreate(H5P_DATASET_CREATE));
    for (hsize_t i = 0; i < sources.size(); ++i) {
      const hsize_t at[2] = {i, 0};
      H5Sselect_hyperslab(space, H5S_SELECT_SET, at, nullptr, count, nullptr);
      CHECK(H5Pset_virtual(list, space, sources[i].c_str(), "d", row) >= 0);
    }
    H5Sselect_all(space);
    if (std::find(sources.begin(), sources.end(), ".") != sources.end()) write_ints(file, "d", 0);
    dataset = Id(H5Dcreate2(file, "v", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT));
    CHECK(dataset.valid());
  }
  /// Columns of all rows: each rank its own; the last has the rest.
  [[nodiscard]] Id columns(hsize_t rows) const {
    Id space(H5Dget_space(dataset));
    const hsize_t size = static_cast<hsize_t>(par::size()), first = me() * kRow / size,
                  end = (me() + 1) * kRow / size;
    const hsize_t at[2] = {0, first}, count[2] = {rows, end - first};
    if (end > first) {
      H5Sselect_hyperslab(space, H5S_SELECT_SET, at, nullptr, count, nullptr);
    } else {
      H5Sselect_none(space);
    }
    return space;
  }
  herr_t write(hid_t space, H5FD_mpio_xfer_t mode, int value, std::string* error = nullptr) const {
    const Id list(par::transfer_list(mode));
    hsize_t n = static_cast<hsize_t>(H5Sget_select_npoints(space));
    const Ints values(n + 1, value);
    const Id memory(n == 0 ? H5Screate(H5S_NULL) : H5Screate_simple(1, &n, nullptr));
    const herr_t done = H5Dwrite(dataset, H5T_NATIVE_INT, memory, space, list, values.data());
    if (error != nullptr) *error = par::error_text();
    return done;
  }
  [[nodiscard]] Ints read(hsize_t rows) const {
    const Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
    Ints values(rows * kRow, 7);
    CHECK(H5Dread(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, list, values.data()) >= 0);
    return values;
  }
};

bool write_fails(const Rows& rows, hid_t space, H5FD_mpio_xfer_t mode, const char* why) {
  const par::Silence silence;
  std::string text;
  const bool failed = rows.write(space, mode, 99, &text) < 0;
  const bool named = text.find(why) != std::string::npos;
  if (!failed || !named) std::fprintf(stderr, "rank %d: %s\n", par::rank(), text.c_str());
  return failed && named;
}

}  // namespace

CASE(all_ranks_write_sources_together) {
  const std::string a = par::file_name("a"), b = par::file_name("b");
  make_source(a);
  make_source(b);
  const Rows rows(par::file_name("v"), {a, ".", b});
  CHECK(rows.write(rows.columns(3), H5FD_MPIO_COLLECTIVE, 40) >= 0);
  CHECK(rows.read(3) == Ints(3 * kRow, 40));
  // Each rank other sources, the last one none.
  const Id space(H5Dget_space(rows.dataset));
  const hsize_t at[2] = {me(), 0}, count[2] = {1, kRow};
  if (me() < 2) {
    H5Sselect_hyperslab(space, H5S_SELECT_SET, at, nullptr, count, nullptr);
  } else {
    H5Sselect_none(space);
  }
  CHECK(rows.write(space, H5FD_MPIO_COLLECTIVE, 50 + par::rank()) >= 0);
  Ints wanted(3 * kRow, 40);
  for (hsize_t i = 0; i < kRow; ++i) {
    wanted[i] = 50;
    if (par::size() > 1) wanted[kRow + i] = 51;
  }
  CHECK(rows.read(3) == wanted);
  // What others find there.
  if (par::rank() == 0) {
    const Id file(H5Fopen(a.c_str(), H5F_ACC_RDWR, H5P_DEFAULT)),
        set(H5Dopen2(file, "d", H5P_DEFAULT));
    Ints values(kRow);
    CHECK(H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0);
    CHECK(values == Ints(kRow, 50));
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

/// A list of points, one of them twice, goes to two sources.
CASE(points_are_written_together) {
  const std::string a = par::file_name("a");
  make_source(a);
  const Rows rows(par::file_name("v"), {a, "."});
  const Id space(H5Dget_space(rows.dataset));
  const hsize_t points[4][2] = {{1, me() % kRow}, {0, me() % kRow}, {1, 0}, {0, 5}};
  H5Sselect_elements(space, H5S_SELECT_SET, 2 + (me() == 0 ? 2 : 0), &points[0][0]);
  const Ints values{10 + par::rank(), 20 + par::rank(), 30, 31};
  const hsize_t n = static_cast<hsize_t>(H5Sget_select_npoints(space));
  const Id memory(H5Screate_simple(1, &n, nullptr)), list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  CHECK(H5Dwrite(rows.dataset, H5T_NATIVE_INT, memory, space, list, values.data()) >= 0);
  const Ints found = rows.read(2);
  CHECK(found[kRow] == 30);
  CHECK(found[0] == 20);
  for (int r = 1; r < par::size() && r < 5; ++r)
    CHECK(found[static_cast<hsize_t>(r)] == 20 + r &&
          found[kRow + static_cast<hsize_t>(r)] == 10 + r);
}

CASE(reports_of_what_is_written_say_what_happened) {
  const std::string a = par::file_name("a");
  make_source(a);
  const Rows rows(par::file_name("v"), {a, "."});
  const Id space = rows.columns(2), list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  hsize_t n = static_cast<hsize_t>(H5Sget_select_npoints(space));
  const Id memory(n == 0 ? H5Screate(H5S_NULL) : H5Screate_simple(1, &n, nullptr));
  const Ints values(n + 1, 5);
  CHECK(H5Dwrite(rows.dataset, H5T_NATIVE_INT, memory, space, list, values.data()) >= 0);
  H5D_mpio_actual_io_mode_t mode = H5D_MPIO_NO_COLLECTIVE;
  uint32_t mine = 7, all = 7;
  CHECK(H5Pget_mpio_actual_io_mode(list, &mode) >= 0);
  CHECK(H5Pget_mpio_no_collective_cause(list, &mine, &all) >= 0);
  if (par::collective_by_itself() && par::size() > 1 && par::size() <= 6) {
    CHECK(mode == H5D_MPIO_CONTIGUOUS_COLLECTIVE);
    CHECK(all == 0);
  }
  Ints back(2 * kRow);
  CHECK(H5Dread(rows.dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, list, back.data()) >= 0);
  CHECK(H5Pget_mpio_actual_io_mode(list, &mode) >= 0 && mode == H5D_MPIO_NO_COLLECTIVE);
  CHECK(H5Pget_mpio_no_collective_cause(list, &mine, &all) >= 0);
  CHECK(mine == H5D_MPIO_NOT_CONTIGUOUS_OR_CHUNKED_DATASET && all == mine);
}

/// What can't be written fails on all ranks before anything is; afterwards it is tried again.
CASE(a_write_that_one_rank_cannot_make_fails_on_all) {
  const std::string a = par::file_name("a"), b = par::file_name("b");
  make_source(a);
  const Rows rows(par::file_name("v"), {a, b});
  // No file; then no dataset. Rank 0 alone wants the row.
  const Id space(H5Dget_space(rows.dataset));
  const hsize_t at[2] = {me() == 0 ? 1U : 0U, 0}, count[2] = {1, kRow};
  H5Sselect_hyperslab(space, H5S_SELECT_SET, at, nullptr, count, nullptr);
  CHECK(write_fails(rows, space, H5FD_MPIO_COLLECTIVE, "no source"));
  if (par::rank() == 0) Id(H5Fcreate(b.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(write_fails(rows, space, H5FD_MPIO_COLLECTIVE, "no source"));
  make_source(b);
  {
    // A rank has it open for itself, to write it.
    Id held(me() == 0 ? H5Fopen(a.c_str(), H5F_ACC_RDWR, H5P_DEFAULT) : -1);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(write_fails(rows, rows.columns(2), H5FD_MPIO_COLLECTIVE, "open"));
    held.close();
    MPI_Barrier(MPI_COMM_WORLD);
  }
  const Ints before = rows.read(2);
  for (hsize_t i = 0; i < kRow; ++i)
    CHECK(before[i] == 100 + static_cast<int>(i) && before[kRow + i] == before[i]);
  // A rank whose buffer is none.
  {
    const par::Silence silence;
    const Id all = rows.columns(2), list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
    hsize_t n = static_cast<hsize_t>(H5Sget_select_npoints(all));
    const Id memory(n == 0 ? H5Screate(H5S_NULL) : H5Screate_simple(1, &n, nullptr));
    const Ints values(n + 1, 8);
    CHECK(H5Dwrite(rows.dataset, H5T_NATIVE_INT, memory, all, list,
                   me() == 0 ? nullptr : values.data()) < 0 ||
          par::size() > 6);
    par::error_text();
  }
  CHECK(rows.write(rows.columns(2), H5FD_MPIO_COLLECTIVE, 60) >= 0);
  CHECK(rows.read(2) == Ints(2 * kRow, 60));
}

/// Where all ranks have the sources open together, they are written as they are, also by each rank alone.
CASE(sources_that_are_open_are_written_through) {
  const std::string a = par::file_name("a");
  make_source(a);
  const Rows rows(par::file_name("v"), {a, "."});
  CHECK(write_fails(rows, rows.columns(2), H5FD_MPIO_INDEPENDENT, "collectively") ||
        me() * kRow / static_cast<hsize_t>(par::size()) ==
            (me() + 1) * kRow / static_cast<hsize_t>(par::size()));
  {
    const Id access(par::mpio_access());
    const Id open(H5Fopen(a.c_str(), H5F_ACC_RDWR, access));
    CHECK(rows.write(rows.columns(2), H5FD_MPIO_COLLECTIVE, 70) >= 0);
    CHECK(rows.read(2) == Ints(2 * kRow, 70));
    CHECK(rows.write(rows.columns(2), H5FD_MPIO_INDEPENDENT, 71) >= 0);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(rows.read(2) == Ints(2 * kRow, 71));
    const Id set(H5Dopen2(open, "d", H5P_DEFAULT));
    Ints values(kRow);
    CHECK(H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0);
    CHECK(values == Ints(kRow, 71));
  }
  CHECK(rows.write(rows.columns(2), H5FD_MPIO_COLLECTIVE, 72) >= 0);
  CHECK(rows.read(2) == Ints(2 * kRow, 72));
}

/// Blocks far apart: memory and messages follow what is selected, not the numbers of the blocks.
CASE(blocks_with_large_numbers_are_written_together) {
  const hsize_t huge = hsize_t{1} << 60, four = 4, zero = 0, forever = H5S_UNLIMITED, one = 1;
  const Id access(par::mpio_access()), whole(H5Screate_simple(1, &huge, nullptr)),
      block(H5Screate_simple(1, &four, nullptr)), list(H5Pcreate(H5P_DATASET_CREATE)),
      collective(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  const Id file(H5Fcreate(par::file_name("v").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
  H5Sselect_hyperslab(whole, H5S_SELECT_SET, &zero, &four, &forever, &four);
  CHECK(H5Pset_virtual(list, whole, ".", "d%b", block) >= 0);
  const Id virt(H5Dcreate2(file, "v", H5T_NATIVE_INT, whole, H5P_DEFAULT, list, H5P_DEFAULT));
  const Id plain(
      H5Dcreate2(file, "w", H5T_NATIVE_INT, block, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  CHECK(virt.valid() && plain.valid());
  // One in common, and one of each rank's own; the last block of all among them.
  std::vector<hsize_t> blocks{0, huge / 8};
  for (int rank = 0; rank < par::size(); ++rank)
    blocks.push_back(huge / 4 - 1 - static_cast<hsize_t>(rank) * 1000);
  for (const hsize_t number : blocks)
    CHECK(Id(H5Dcreate2(file, ("d" + std::to_string(number)).c_str(), H5T_NATIVE_INT, block,
                        H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT))
              .valid());
  const hsize_t at[3] = {me(), huge / 2 + me() % 4, blocks[2 + me()] * 4 + 3};
  const hsize_t two = par::size() <= 4 ? 3 : 1;  // a block has four elements
  const Id memory(H5Screate_simple(1, &two, nullptr));
  Ints values{10 + par::rank(), 20 + par::rank(), 30 + par::rank()}, read(3, -1);
  for (const bool points : {true, false}) {
    H5Sselect_none(whole);
    if (points) {
      CHECK(H5Sselect_elements(whole, H5S_SELECT_SET, two, two == 3 ? at : at + 2) >= 0);
    } else {
      for (hsize_t i = 3 - two; i < 3; ++i)
        CHECK(H5Sselect_hyperslab(whole, i == 3 - two ? H5S_SELECT_SET : H5S_SELECT_OR, at + i,
                                  nullptr, &one, nullptr) >= 0);
      for (int& value : values) value += 100;
    }
    CHECK(H5Dwrite(virt, H5T_NATIVE_INT, memory, whole, collective, values.data()) >= 0);
    CHECK(H5Dread(virt, H5T_NATIVE_INT, memory, whole, collective, read.data()) >= 0);
    CHECK(
        std::equal(read.begin(), read.begin() + static_cast<std::ptrdiff_t>(two), values.begin()));
  }
  // What one rank can't have in hand fails on all, and what comes next goes on.
  const hsize_t many = huge / 4;
  if (par::rank() == par::size() - 1)
    CHECK(H5Sselect_hyperslab(whole, H5S_SELECT_SET, &zero, &four, &many, nullptr) >= 0);
  else
    H5Sselect_none(whole);
  {
    const par::Silence silence;
    CHECK(H5Dwrite(virt, H5T_NATIVE_INT, whole, whole, collective, values.data()) < 0);
  }
  H5Sselect_none(whole);
  const hsize_t none = 0;
  const Id nothing(H5Screate_simple(1, &none, nullptr));
  CHECK(H5Dwrite(virt, H5T_NATIVE_INT, nothing, whole, collective, values.data()) >= 0);
}

/// A source that is virtual itself, and two that lead to each other.
CASE(virtual_sources_of_virtual_datasets) {
  const std::string a = par::file_name("a"), inner = par::file_name("inner");
  make_source(a);
  {
    const hsize_t n = kRow;
    const Id access(par::mpio_access()), space(H5Screate_simple(1, &n, nullptr)),
        list(H5Pcreate(H5P_DATASET_CREATE));
    const Id file(H5Fcreate(inner.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
    H5Pset_virtual(list, space, a.c_str(), "d", space);
    Id(H5Dcreate2(file, "d", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT));
  }
  const Rows rows(par::file_name("v"), {inner, "."});
  CHECK(rows.write(rows.columns(2), H5FD_MPIO_COLLECTIVE, 33) >= 0);
  CHECK(rows.read(2) == Ints(2 * kRow, 33));
  // Each level of a ring is an open of all ranks.
  if (par::size() > 2) return;
  const std::string x = par::file_name("x"), y = par::file_name("y");
  for (const std::string* name : {&x, &y}) {
    const hsize_t n = kRow;
    const Id access(par::mpio_access()), space(H5Screate_simple(1, &n, nullptr)),
        list(H5Pcreate(H5P_DATASET_CREATE));
    const Id file(H5Fcreate(name->c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
    H5Pset_virtual(list, space, (name == &x ? y : x).c_str(), "d", space);
    Id(H5Dcreate2(file, "d", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT));
  }
  const Rows ring(par::file_name("ring"), {x});
  CHECK(write_fails(ring, ring.columns(1), H5FD_MPIO_COLLECTIVE, "lead to each other"));
}

/// The disk takes the elements, and not what a commit writes: on rank 0, or on all.
class SourceFault {
 public:
  SourceFault(const std::string& path, bool on_all) : silence_() {
    MPI_Barrier(MPI_COMM_WORLD);
    if (on_all || par::rank() == 0) inject::arm(inject::Fault::kDiskFull, kRow * sizeof(int), path);
  }
  ~SourceFault() { CHECK(par::any(inject::disarm())); }

 private:
  par::Silence silence_;
};

/// A serial file with "d" in chunks that nothing was written to yet: whoever writes has something to commit.
void make_empty_source(const std::string& path) {
  if (par::rank() == 0) {
    const hsize_t n = kRow, chunk = 2;
    const Id file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)),
        space(H5Screate_simple(1, &n, nullptr)), list(H5Pcreate(H5P_DATASET_CREATE));
    H5Pset_chunk(list, 1, &chunk);
    Id(H5Dcreate2(file, "d", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT));
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

void check_source(const std::string& path, int value) {
  MPI_Barrier(MPI_COMM_WORLD);
  if (par::rank() != 0) return;
  const Id file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT)),
      set(H5Dopen2(file, "d", H5P_DEFAULT));
  Ints values(kRow);
  CHECK(H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0);
  CHECK(values == Ints(kRow, value));
}

bool write_fails(const Rows& rows, hsize_t many, int value, const std::string& source,
                 bool on_all) {
  const SourceFault fault(source, on_all);
  return rows.write(rows.columns(many), H5FD_MPIO_COLLECTIVE, value) < 0;
}

/// A source whose commit fails stays open, and is committed by the next write, whatever name that knows it by,
/// or by the close of the file with the virtual dataset, which fails as long as that does.
CASE(a_source_that_cannot_be_committed_is_owed) {
  for (const bool on_all : {false, true}) {
    const std::string a = par::file_name("a");
    const std::size_t slash = a.rfind('/') + 1;
    const std::string same = a.substr(0, slash) + "./" + a.substr(slash);
    enum { kSameName, kOtherName, kProgram, kClose, kAll };
    for (int payer = 0; payer < kAll; ++payer) {
      make_empty_source(a);
      {
        Rows rows(par::file_name("v"), {a, "."});
        const Rows others(par::file_name("w"), {same});
        CHECK(write_fails(rows, 2, 61, a, on_all));
        // The same source by another name, from another file.
        CHECK(write_fails(others, 1, 62, a, on_all));
        CHECK(write_fails(rows, 2, 63, a, on_all));
        if (payer == kSameName) CHECK(rows.write(rows.columns(2), H5FD_MPIO_COLLECTIVE, 63) >= 0);
        if (payer == kOtherName)
          CHECK(others.write(others.columns(1), H5FD_MPIO_COLLECTIVE, 63) >= 0);
        if (payer == kProgram) {
          const Id access(par::mpio_access());
          Id opened(H5Fopen(a.c_str(), H5F_ACC_RDWR, access));
          {
            const SourceFault fault(a, on_all);
            CHECK(H5Fclose(opened) < 0);
          }
          CHECK(opened.close() >= 0);
        }
        CHECK(rows.dataset.close() >= 0);
        if (payer == kClose) {
          const SourceFault fault(a, on_all);
          CHECK(H5Fclose(rows.file) < 0);
          CHECK(H5Iis_valid(rows.file) > 0);
        } else {
          check_source(a, 63);
        }
        CHECK(rows.file.close() >= 0);
      }
      check_source(a, 63);
    }
  }
}

namespace {

/// The virtual dataset that a conversion closes.
hid_t closed_within = H5I_INVALID_HID;

H5T_conv_ret_t close_it(H5T_conv_except_t, hid_t, hid_t, void*, void* target, void*) {
  if (closed_within >= 0) CHECK(H5Dclose(std::exchange(closed_within, H5I_INVALID_HID)) >= 0);
  *static_cast<signed char*>(target) = 7;
  return H5T_CONV_HANDLED;
}

}  // namespace

/// What is left of it when a conversion closes its last id is moved all the same, also to other files.
CASE(a_conversion_closes_the_virtual_dataset) {
  const hsize_t count = static_cast<hsize_t>(par::size()), all = 2 * count;
  const Id access(par::mpio_access()), half(H5Screate_simple(1, &count, nullptr)),
      space(H5Screate_simple(1, &all, nullptr)), list(H5Pcreate(H5P_DATASET_CREATE));
  const std::string names[] = {par::file_name("closed_a"), par::file_name("closed_b")};
  for (hsize_t i = 0; i < 2; ++i) {
    const Id source(H5Fcreate(names[i].c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
    CHECK(Id(H5Dcreate2(source, "d", H5T_STD_I8LE, half, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT))
              .valid());
    const hsize_t start = i * count;
    H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &count, nullptr);
    CHECK(H5Pset_virtual(list, space, names[i].c_str(), "d", half) >= 0);
  }
  const std::string name = par::file_name("closed_v");
  Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
  H5Sselect_all(space);
  CHECK(Id(H5Dcreate2(file, "v", H5T_STD_I8LE, space, H5P_DEFAULT, list, H5P_DEFAULT)).valid());
  CHECK(file.close() >= 0);
  file = Id(H5Fopen(name.c_str(), H5F_ACC_RDWR, access));
  closed_within = H5Dopen2(file, "v", H5P_DEFAULT);
  const Id moves(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  H5Pset_type_conv_cb(moves, close_it, nullptr);
  const hsize_t start = me(), two = 2;
  H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, &count, &two, nullptr);
  const Id memory(H5Screate_simple(1, &two, nullptr));
  const Ints large(2, 1000);
  CHECK(H5Dwrite(closed_within, H5T_NATIVE_INT, memory, space, moves, large.data()) >= 0);
  CHECK(closed_within < 0);
  CHECK(file.close() >= 0);
  for (const std::string& source : names) {
    file = Id(H5Fopen(source.c_str(), H5F_ACC_RDONLY, access));
    const Id data(H5Dopen2(file, "d", H5P_DEFAULT));
    Ints found(count, -1);
    CHECK(H5Dread(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, found.data()) >= 0);
    CHECK(found == Ints(count, 7));
  }
}

#else
CASE(nothing_to_compare) { CHECK(true); }
#endif
