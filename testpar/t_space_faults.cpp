// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Failures while datasets without filters get space, are filled and change their size, and flushes
// that fail anywhere: what failed has changed nothing, and what is tried again succeeds.
// Room: testpar, public headers only, and faults/ for failures on demand.

#include <algorithm>
#include <vector>

#include <mpi.h>
#include <pcio.h>

#include "faults/cells.hpp"

using namespace faults;

namespace {

constexpr hsize_t kChunk = 64;
using Ints = std::vector<int>;

/// One step in which the fault strikes; true if it did. All ranks must fail then.
bool strike(const std::string& name, Fault fault, std::uint64_t position, int culprit,
            const std::string& file, const std::function<bool()>& step) {
  begin_cell(name + ", " + std::to_string(position) + ", rank " + std::to_string(culprit));
  MPI_Barrier(MPI_COMM_WORLD);
  begin_watch();
  if (par::rank() == culprit) inject::arm(fault, position, file);
  const bool done = step();
  const bool struck = par::any(inject::disarm());
  end_watch();
  if (struck) ++counts.struck;
  judge(done == par::any(done), "it succeeds on some ranks only");
  judge(done == !struck, "what it returned is not what happened");
  return struck;
}

/// Fill value 7; what lies in the file before is 5.
Id make_set(hid_t file, const char* name, hsize_t size, bool chunked) {
  const hsize_t most = H5S_UNLIMITED, chunk = kChunk;
  const Id space(H5Screate_simple(1, &size, chunked ? &most : nullptr));
  const Id list(H5Pcreate(H5P_DATASET_CREATE));
  const int seven = 7;
  CHECK(H5Pset_fill_value(list, H5T_NATIVE_INT, &seven) >= 0);
  if (chunked) CHECK(H5Pset_chunk(list, 1, &chunk) >= 0);
  return Id(H5Dcreate2(file, name, H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT));
}

/// A file by one process with a dataset without space, and free bytes that are not zero.
void make_file(const std::string& name, hsize_t size, bool chunked) {
  if (par::rank() == 0) {
    const Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
    const Id data = make_set(file, "data", size, chunked);
    CHECK(data.valid());
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

/// Bytes of a deleted dataset.
void leave_bytes(hid_t file, hsize_t size) {
  const Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  {
    const Id old = make_set(file, "old", size, false);
    const Ints fives(size, 5);
    CHECK(H5Dwrite(old, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, list, fives.data()) >= 0);
  }
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  CHECK(H5Ldelete(file, "old", H5P_DEFAULT) >= 0);
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
}

/// `count` elements of this rank from `start` on become 1, together.
bool write_ones(hid_t data, hsize_t start, hsize_t count) {
  const Id space(H5Dget_space(data)), list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  const Id memory(H5Screate_simple(1, &count, nullptr));
  H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &count, nullptr);
  const Ints ones(count, 1);
  return H5Dwrite(data, H5T_NATIVE_INT, memory, space, list, ones.data()) >= 0;
}

/// Everything is 7 but [0, ones), which is 1.
bool holds(hid_t data, hsize_t size, hsize_t ones) {
  const Id space(H5Dget_space(data));
  if (H5Sget_simple_extent_npoints(space) != static_cast<hssize_t>(size)) return false;
  Ints values(size, -1);
  if (H5Dread(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0) return false;
  for (hsize_t i = 0; i < size; ++i)
    if (values[i] != (i < ones ? 1 : 7)) return false;
  return true;
}

void check_in_file(const std::string& name, hsize_t size, hsize_t ones) {
  bool good = true;
  if (par::rank() == 0) {
    const Id file(H5Fopen(name.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
    const Id data(H5Dopen2(file, "data", H5P_DEFAULT));
    good = holds(data, size, ones);
  }
  judge(good, "the file has other values");
  remove_file(name);
}

hsize_t ranks() { return static_cast<hsize_t>(par::size()); }
hsize_t me() { return static_cast<hsize_t>(par::rank()); }

}  // namespace

/// A dataset that was made by one process gets its space in a collective write.
CASE(fills_that_fail_leave_no_space) {
  const par::Silence quiet;
  for (const bool chunked : {false, true})
    for (const Fault fault : {Fault::kWriteError, Fault::kShortWrite})
      for (const int culprit : culprits()) {
        const std::string name = par::file_name("space_fill");
        const hsize_t size = 8 * kChunk * ranks();
        make_file(name, size, chunked);
        {
          const Id access(par::mpio_access());
          const Id file(H5Fopen(name.c_str(), H5F_ACC_RDWR, access));
          leave_bytes(file, 2 * size);
          const Id data(H5Dopen2(file, "data", H5P_DEFAULT));
          strike(chunked ? "chunks, fill" : "block, fill", fault, 0, culprit, name,
                 [&] { return write_ones(data, 8 * me(), 8); });
          judge(H5Dget_storage_size(data) == 0, "it has space");
          judge(holds(data, size, 0), "not the fill value");
          judge(write_ones(data, 8 * me(), 8), "the next write fails");
          judge(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0, "the file can't be flushed");
          judge(holds(data, size, 8 * ranks()), "elements that nobody wrote are not the fill value");
        }
        check_in_file(name, size, 8 * ranks());
      }
}

/// Chunks that are allocated late and that a rank covers are not filled before.
CASE(data_of_late_chunks_that_fail) {
  const par::Silence quiet;
  for (const Fault fault : {Fault::kWriteError, Fault::kShortWrite})
    for (const int culprit : culprits()) {
      const std::string name = par::file_name("space_late");
      const hsize_t size = 2 * kChunk * ranks();
      make_file(name, size, true);
      {
        const Id access(par::mpio_access()), late(H5Pcreate(H5P_DATASET_ACCESS));
        const Id file(H5Fopen(name.c_str(), H5F_ACC_RDWR, access));
        leave_bytes(file, 2 * size);
        CHECK(pcio_set_dapl_late_allocation(late, 1) >= 0);
        const Id data(H5Dopen2(file, "data", late));
        strike("late chunks, data", fault, 0, culprit, name,
               [&] { return write_ones(data, kChunk * me(), kChunk); });
        judge(holds(data, size, 0), "neither old nor the fill value");
        judge(H5Dget_storage_size(data) == 0, "its chunks have space");
        strike("direct chunk", fault, 0, culprit, name, [&] {
          const Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
          const hsize_t at = kChunk * me();
          const Ints ones(kChunk, 1);
          return H5Dwrite_chunk(data, list, 0, &at, kChunk * sizeof(int), ones.data()) >= 0;
        });
        judge(holds(data, size, 0), "a direct chunk is neither old nor the fill value");
        judge(write_ones(data, kChunk * me(), kChunk), "the next write fails");
      }
      check_in_file(name, size, kChunk * ranks());
    }
}

/// Larger in one dimension, smaller in the other.
CASE(mixed_extents_that_fail) {
  const par::Silence quiet;
  for (const Fault fault : {Fault::kWriteError, Fault::kShortWrite})
    for (const int culprit : culprits()) {
      const std::string name = par::file_name("space_mixed");
      const hsize_t old[2] = {6 * ranks(), 8}, after[2] = {3, 60 * ranks()}, most = H5S_UNLIMITED;
      const hsize_t both[2] = {most, most}, chunk[2] = {4, 3};
      Ints wanted(old[0] * old[1]), values(wanted.size());
      for (std::size_t i = 0; i < wanted.size(); ++i) wanted[i] = static_cast<int>(i);
      const Id access(par::mpio_access()), list(H5Pcreate(H5P_DATASET_CREATE));
      const Id transfer(par::transfer_list(H5FD_MPIO_COLLECTIVE));
      const Id space(H5Screate_simple(2, old, both));
      const int seven = 7;
      H5Pset_chunk(list, 2, chunk);
      H5Pset_fill_value(list, H5T_NATIVE_INT, &seven);
      Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
      Id data(H5Dcreate2(file, "data", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT));
      CHECK(H5Dwrite(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, transfer, wanted.data()) >= 0);
      auto is_old = [&] {
        const Id now(H5Dget_space(data));
        hsize_t dims[2] = {0, 0};
        H5Sget_simple_extent_dims(now, dims, nullptr);
        return dims[0] == old[0] && dims[1] == old[1] &&
               H5Dread(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, transfer, values.data()) >= 0 &&
               values == wanted;
      };
      strike("mixed extent", fault, 0, culprit, name,
             [&] { return H5Dset_extent(data, after) >= 0; });
      judge(is_old(), "it is not what it was");
      judge(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0, "the file can't be flushed");
      judge(H5Dset_extent(data, after) >= 0 && H5Dset_extent(data, old) >= 0, "the next changes fail");
      for (std::size_t i = after[0] * old[1]; i < wanted.size(); ++i) wanted[i] = 7;
      judge(is_old(), "what came back is not the fill value");
      judge(data.close() >= 0 && file.close() >= 0, "the file can't be closed");
      remove_file(name);
    }
}

/// Wherever a flush fails, the next one completes it, also where chunks wait for space.
CASE(flushes_that_fail_anywhere) {
  const par::Silence quiet;
  std::uint64_t at = 0;
  for (bool struck = true; struck && at < 60; ++at) {
    const std::string name = par::file_name("space_flush");
    const hsize_t size = kChunk * ranks(), chunk = kChunk;
    const Id access(par::mpio_access()), list(H5Pcreate(H5P_DATASET_CREATE));
    const Id space(H5Screate_simple(1, &size, nullptr));
    H5Pset_chunk(list, 1, &chunk);
    H5Pset_deflate(list, 1);
    Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
    Id data(H5Dcreate2(file, "data", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT));
    CHECK(write_ones(data, kChunk * me(), kChunk));
    CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
    auto wait = [&](int value) {
      const hsize_t start = kChunk * me();
      const Id part(H5Dget_space(data)), memory(H5Screate_simple(1, &chunk, nullptr));
      H5Sselect_hyperslab(part, H5S_SELECT_SET, &start, nullptr, &chunk, nullptr);
      const Ints values(kChunk, value);
      return H5Dwrite(data, H5T_NATIVE_INT, memory, part, H5P_DEFAULT, values.data()) >= 0;
    };
    judge(wait(2), "it can't wait");
    struck = strike("flush", Fault::kWriteError, at, 0, name,
                    [&] { return H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0; });
    judge(wait(3), "it can't wait while a commit does");
    judge(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0, "the next flush fails");
    Ints values(size), wanted(size, 3);
    judge(H5Dread(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0 &&
              values == wanted,
          "chunks that waited are lost");
    judge(data.close() >= 0 && file.close() >= 0, "the file can't be closed");
    remove_file(name);
  }
  CHECK(at > 3);
}
