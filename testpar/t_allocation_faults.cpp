// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Failures while datasets without filters get space, are filled and change their size, and flushes
// that fail anywhere: what failed has changed nothing, and what is tried again succeeds.
// Room: testpar, public headers only, and faults/ for failures on demand.

#include <algorithm>
#include <cstdio>
#include <vector>

#include <mpi.h>
#include <pcio.h>

#include "faults/cells.hpp"

using namespace faults;

namespace {

constexpr hsize_t kChunk = 64;
/// Elements for each rank of what is so large that each writes a part of the fill, where all ranks share a node.
constexpr hsize_t kFilled = 32768;
using Ints = std::vector<int>;

/// Fill value 7; what lies in the file before is 5.
Id make_set(hid_t file, const char* name, hsize_t size, bool chunked) {
  const hsize_t chunk = std::max(kChunk, size / 64);
  return create_filled(file, name, {size, chunked ? chunk : 0, H5P_DEFAULT});
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
        const hsize_t size = kFilled * ranks();
        make_file(name, size, chunked);
        {
          const Id access(par::mpio_access());
          const Id file(H5Fopen(name.c_str(), H5F_ACC_RDWR, access));
          leave_bytes(file, 2 * size);
          const Id data(H5Dopen2(file, "data", H5P_DEFAULT));
          // On several nodes a rank may have no part.
          if (strike({chunked ? "chunks, fill" : "block, fill", fault, 0, culprit, name},
                     [&] { return write_ones(data, 8 * me(), 8); })) {
            judge(H5Dget_storage_size(data) == 0, "it has space");
            judge(holds(data, size, 0), "not the fill value");
          }
          judge(write_ones(data, 8 * me(), 8), "the next write fails");
          judge(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0, "the file can't be flushed");
          judge(holds(data, size, 8 * ranks()),
                "elements that nobody wrote are not the fill value");
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
        // On several nodes another rank may write it all.
        const bool struck = strike({"late chunks, data", fault, 0, culprit, name},
                                   [&] { return write_ones(data, kChunk * me(), kChunk); });
        judge(!struck || holds(data, size, 0), "neither old nor the fill value");
        judge(!struck || H5Dget_storage_size(data) == 0, "its chunks have space");
        strike({"direct chunk", fault, 0, culprit, name}, [&] {
          const Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
          const hsize_t at = kChunk * me();
          const Ints ones(kChunk, 1);
          return H5Dwrite_chunk(data, list, 0, &at, kChunk * sizeof(int), ones.data()) >= 0;
        });
        judge(!struck || holds(data, size, 0), "a direct chunk is neither old nor the fill value");
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
      const hsize_t old[2] = {6 * ranks(), 8}, after[2] = {3, 16384 * ranks()},
                    most = H5S_UNLIMITED;
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
      const bool struck = strike({"mixed extent", fault, 0, culprit, name},
                                 [&] { return H5Dset_extent(data, after) >= 0; });
      judge(!struck || is_old(), "it is not what it was");
      judge(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0, "the file can't be flushed");
      judge(H5Dset_extent(data, after) >= 0 && H5Dset_extent(data, old) >= 0,
            "the next changes fail");
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
    struck = strike({"flush", Fault::kWriteError, at, 0, name},
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

/// A rank lacks memory at any moment of a close that gives back the end of the file: none of them
/// waits for it, and what was committed is there.
CASE(memory_of_a_close) {
  const par::Silence quiet;
  for (const int culprit : culprits()) {
    std::uint64_t at = 0;
    for (bool struck = true; struck && at < 5000; ++at) {
      const std::string name = par::file_name("space_close");
      const hsize_t size = kChunk;
      const Id access(par::mpio_access());
      Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
      { const Id data = make_set(file, "data", size, false); }
      { const Id old = make_set(file, "old", 16 * size, false); }
      CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
      // What is deleted lies at the end.
      CHECK(H5Ldelete(file, "old", H5P_DEFAULT) >= 0);
      struck = strike({"close, memory", Fault::kNoBlock, at, culprit, name},
                      [&] { return H5Fclose(file) >= 0; });
      if (struck) H5Fclose(file);
      static_cast<void>(file.close());
      check_in_file(name, size, 0);
    }
    CHECK(at > 25);
  }
}

/// What needs space completes the commit that failed first, and so needs no flush before.
CASE(writes_while_a_commit_waits) {
  const par::Silence quiet;
  std::uint64_t at = 0;
  for (const bool filtered : {false, true})
    for (bool struck = (at = 0, true); struck && at < 30; ++at) {
      const std::string name = par::file_name("space_waits");
      const hsize_t size = kChunk * ranks(), chunk = kChunk;
      if (par::rank() == 0) {
        const Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
        const Id space(H5Screate_simple(1, &size, nullptr)), list(H5Pcreate(H5P_DATASET_CREATE));
        const int seven = 7;
        H5Pset_chunk(list, 1, &chunk);
        H5Pset_fill_value(list, H5T_NATIVE_INT, &seven);
        if (filtered) H5Pset_deflate(list, 1);
        const Id data(
            H5Dcreate2(file, "data", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT));
        CHECK(data.valid());
      }
      MPI_Barrier(MPI_COMM_WORLD);
      const Id access(par::mpio_access());
      Id file(H5Fopen(name.c_str(), H5F_ACC_RDWR, access));
      Id data(H5Dopen2(file, "data", H5P_DEFAULT));
      // Its header is overwritten, so that the commit has a window.
      const Id one(H5Screate(H5S_SCALAR));
      { const Id told(H5Acreate2(data, "told", H5T_NATIVE_INT, one, H5P_DEFAULT, H5P_DEFAULT)); }
      struck = strike({"flush before a write", Fault::kWriteError, at, 0, name},
                      [&] { return H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0; });
      judge(write_ones(data, 8 * me(), 8), "a write fails while a commit waits");
      judge(holds(data, size, 8 * ranks()), "it wrote something else");
      judge(data.close() >= 0 && file.close() >= 0, "the file can't be closed");
      check_in_file(name, size, 8 * ranks());
    }
  CHECK(at > 3);
}

/// Where all ranks know that a part of a call has failed, the parts behind it get nothing, though they
/// need no fill, which would fail as well.
CASE(parts_behind_one_that_failed_get_no_space) {
  const par::Silence quiet;
  for (const bool chunked : {false, true})
    for (const int culprit : culprits()) {
      const std::string name = par::file_name("space_parts");
      const hsize_t size = kFilled * ranks(), mine = 8;
      make_file(name, size, chunked);
      if (par::rank() == 0) {
        const Id file(H5Fopen(name.c_str(), H5F_ACC_RDWR, H5P_DEFAULT));
        const Id space(H5Screate_simple(1, &size, nullptr)), list(H5Pcreate(H5P_DATASET_CREATE));
        CHECK(H5Pset_fill_time(list, H5D_FILL_TIME_NEVER) >= 0);
        const Id more(
            H5Dcreate2(file, "more", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT));
        CHECK(more.valid());
      }
      MPI_Barrier(MPI_COMM_WORLD);
      {
        const Id access(par::mpio_access()), list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
        const Id file(H5Fopen(name.c_str(), H5F_ACC_RDWR, access));
        leave_bytes(file, 4 * size);
        const Id data(H5Dopen2(file, "data", H5P_DEFAULT)),
            more(H5Dopen2(file, "more", H5P_DEFAULT));
        const Id space(H5Dget_space(data)), memory(H5Screate_simple(1, &mine, nullptr));
        const hsize_t start = mine * me();
        H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &mine, nullptr);
        const Ints ones(mine, 1);
        hid_t sets[] = {data, more}, types[] = {H5T_NATIVE_INT, H5T_NATIVE_INT};
        hid_t from[] = {memory, memory}, into[] = {space, space};
        const void* values[] = {ones.data(), ones.data()};
        auto write = [&] { return H5Dwrite_multi(2, sets, types, from, into, list, values) >= 0; };
        if (strike({chunked ? "parts of chunks" : "parts", Fault::kWriteError, 0, culprit, name},
                   write)) {
          judge(H5Dget_storage_size(data) == 0, "the part that failed has space");
          judge(H5Dget_storage_size(more) == 0, "a part behind it has space");
        }
        judge(write(), "the next write fails");
        judge(H5Dget_storage_size(more) == size * sizeof(int), "a part has no space");
      }
      check_in_file(name, size, mine * ranks());
    }
}

namespace {

/// A table with early allocation in a file of this rank's own.
struct Table {
  static constexpr hsize_t kSide = 24;
  std::string name;
  Id file, data;
  Ints values;

  explicit Table(const std::string& path) : name(path), values(kSide * kSide) {
    const hsize_t dims[2] = {kSide, kSide}, most[2] = {H5S_UNLIMITED, H5S_UNLIMITED};
    const hsize_t chunk[2] = {5, 7};
    const Id space(H5Screate_simple(2, dims, most)), list(H5Pcreate(H5P_DATASET_CREATE));
    const int seven = 7;
    H5Pset_chunk(list, 2, chunk);
    H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY);
    H5Pset_fill_value(list, H5T_NATIVE_INT, &seven);
    file = Id(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
    data = Id(H5Dcreate2(file, "data", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<int>(i);
    CHECK(H5Dwrite(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0);
    CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  }
  [[nodiscard]] bool is_as_before() const {
    const Id now(H5Dget_space(data));
    hsize_t dims[2] = {0, 0};
    H5Sget_simple_extent_dims(now, dims, nullptr);
    Ints found(values.size());
    return dims[0] == kSide && dims[1] == kSide &&
           H5Dread(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, found.data()) >= 0 &&
           found == values;
  }
};

}  // namespace

/// Memory runs out anywhere in a change that gives chunks back: the dataset is what it was, has what
/// it had, and the change can be tried again.
CASE(memory_of_a_smaller_extent) {
  const par::Silence quiet;
  const hsize_t side = Table::kSide, old[2] = {side, side};
  const hsize_t changes[][2] = {{3, 60}, {6, 9}, {0, side}};
  for (const auto& after : changes) {
    std::uint64_t at = 0, failed = 0;
    for (bool struck = true; struck && at < 5000; ++at) {
      const std::string name = par::file_name("space_smaller") + std::to_string(par::rank());
      Table table(name);
      const hsize_t stored = H5Dget_storage_size(table.data);
      struck = strike({"extent " + std::to_string(after[0]) + ", memory", Fault::kNoBlock, at,
                       par::size(), name},
                      [&] {
                        const bool done = H5Dset_extent(table.data, after) >= 0;
                        if (done) return true;
                        ++failed;
                        judge(H5Dget_storage_size(table.data) == stored, "it has not what it had");
                        judge(table.is_as_before(), "it is not what it was");
                        return false;
                      });
      judge(H5Dset_extent(table.data, after) >= 0 && H5Dset_extent(table.data, old) >= 0,
            "the next changes fail");
      for (std::size_t i = 0; i < table.values.size(); ++i)
        if (i / side >= after[0] || i % side >= after[1]) table.values[i] = 7;
      judge(table.is_as_before(), "what came back is not the fill value");
      judge(table.data.close() >= 0 && table.file.close() >= 0, "the file can't be closed");
      table.file = Id(H5Fopen(name.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
      table.data = Id(H5Dopen2(table.file, "data", H5P_DEFAULT));
      judge(table.is_as_before(), "the file has something else");
      std::remove(name.c_str());
    }
    CHECK(failed > 3);
  }
}

namespace {

/// Rank 0 lacks memory at one step of a larger extent, the others at another one: all fail, and the dataset is what it was
/// on all of them alike. False where the call was over on some rank before.
bool grow_poorly(const std::string& name, int fill, std::uint64_t zero_at,
                 std::uint64_t others_at) {
  const hsize_t now = 2 * kChunk, larger = 5 * kChunk, most = H5S_UNLIMITED, chunk = kChunk;
  const Id access(par::mpio_access()), list(H5Pcreate(H5P_DATASET_CREATE));
  const Id space(H5Screate_simple(1, &now, &most));
  H5Pset_chunk(list, 1, &chunk);
  H5Pset_fill_value(list, H5T_NATIVE_INT, &fill);
  Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
  Id data(H5Dcreate2(file, "data", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT));
  CHECK(data.valid() && H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  begin_cell("larger extent, fill " + std::to_string(fill) + ", rank 0 lacks allocation " +
             std::to_string(zero_at) + ", others " + std::to_string(others_at));
  MPI_Barrier(MPI_COMM_WORLD);
  begin_watch();
  inject::arm(Fault::kNoBlock, par::rank() == 0 ? zero_at : others_at, name);
  const bool done = H5Dset_extent(data, &larger) >= 0;
  const bool struck = par::all(inject::disarm());
  end_watch();
  if (struck) {
    ++counts.struck;
    judge(!done, "it succeeds without memory");
    hsize_t size = 0;
    H5Sget_simple_extent_dims(Id(H5Dget_space(data)), &size, nullptr);
    judge(size == now, "it has another size");
    judge(H5Dset_extent(data, &larger) >= 0, "it can't grow: " + par::error_text());
    judge(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0, "it can't be flushed: " + par::error_text());
    Ints values(larger, -1);
    judge(H5Dread(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0 &&
              values == Ints(larger, fill),
          "not the fill value");
  }
  const bool closed = data.close() >= 0 && file.close() >= 0;
  judge(closed || !struck, "it can't be closed: " + par::error_text());
  remove_file(name);
  return struck;
}

}  // namespace

CASE(ranks_that_lack_memory_at_different_steps) {
  const par::Silence quiet;
  for (const int fill : {0, 7}) {
    std::uint64_t steps = 0;
    for (bool struck = true; struck && steps < 200; ++steps)
      struck = grow_poorly(par::file_name("space_steps"), fill, steps, steps);
    CHECK(steps > 8);
    for (std::uint64_t zero = 0; zero + 1 < steps; ++zero)
      for (std::uint64_t others = 0; others + 1 < steps; ++others)
        if (zero != others) grow_poorly(par::file_name("space_steps"), fill, zero, others);
  }
}

/// An empty file that is opened for writing becomes a new one; where that fails it is empty again, and the next opening succeeds.
CASE(empty_files_that_can_not_be_made_new) {
  const std::string name = par::file_name("empty");
  const Id access(par::mpio_access());
  int struck = 0;
  for (const Fault fault : {Fault::kWriteError, Fault::kShortWrite, Fault::kDiskFull})
    for (const int culprit : {0, par::size() - 1})
      for (std::uint64_t position = 0; position < 3; ++position) {
        if (par::rank() == 0) std::fclose(std::fopen(name.c_str(), "w"));
        MPI_Barrier(MPI_COMM_WORLD);
        Id file;
        const bool is_struck = strike({"empty file", fault, position, culprit, name}, [&] {
          const par::Silence silence;
          file = Id(H5Fopen(name.c_str(), H5F_ACC_RDWR, access));
          return file.valid();
        });
        struck += is_struck ? 1 : 0;
        if (!file.valid()) file = Id(H5Fopen(name.c_str(), H5F_ACC_RDWR, access));
        CHECK(file.valid());
        CHECK(make_set(file, "data", 100, false).valid());
        CHECK(file.close() >= 0);
      }
  CHECK(struck > 0);
}
