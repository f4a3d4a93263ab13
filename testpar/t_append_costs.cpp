// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Appends with a flush after each: what a flush writes does not grow with the chunks that are there.
// Counted by an interposer (mpi_counts.c), not by time. Room: testpar, public headers only.

#include <algorithm>
#include <cstdio>
#include <hdf5.h>
#include <pcio.h>
#include <vector>

#include <mpi.h>

#include "mpi_counts.h"
#include "support.hpp"

#ifdef PCIO_VERSION

using par::Id;

namespace {

struct Cost {
  unsigned long long bytes = 0, calls = 0;  ///< of all ranks
};

Cost now() {
  unsigned long long mine[2] = {
      mpi_counts.bytes_written,
      mpi_counts.write_at + mpi_counts.write_at_all + mpi_counts.other_io};
  unsigned long long all[2];
  MPI_Allreduce(mine, all, 2, MPI_UNSIGNED_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
  return {all[0], all[1]};
}

int value_at(hsize_t i) { return static_cast<int>(i * 2246822519U); }

/// A dataset with one chunk an element.
class Appends {
 public:
  Appends(const char* word, H5F_libver_t low, unsigned level) : name_(par::file_name(word)) {
    const Id access(par::mpio_access(MPI_COMM_WORLD, low));
    file_ = Id(H5Fcreate(name_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
    const hsize_t none = 0, most = H5S_UNLIMITED, one = 1;
    const Id space(H5Screate_simple(1, &none, &most)), list(H5Pcreate(H5P_DATASET_CREATE));
    H5Pset_chunk(list, 1, &one);
    if (level > 0) H5Pset_deflate(list, level);
    data_ = Id(H5Dcreate2(file_, "d", H5T_STD_I32LE, space, H5P_DEFAULT, list, H5P_DEFAULT));
  }

  /// Every rank writes its part of what is new.
  void grow_to(hsize_t n) {
    const auto r = static_cast<hsize_t>(par::rank()), p = static_cast<hsize_t>(par::size());
    const hsize_t added = n - size_, first = size_ + added * r / p,
                  count = size_ + added * (r + 1) / p - first;
    CHECK(H5Dset_extent(data_, &n) >= 0);
    std::vector<int> values(count + 1);
    for (hsize_t i = 0; i < count; ++i) values[i] = value_at(first + i);
    const Id space(H5Dget_space(data_)), memory(H5Screate_simple(1, &count, nullptr));
    if (count > 0)
      H5Sselect_hyperslab(space, H5S_SELECT_SET, &first, nullptr, &count, nullptr);
    else
      H5Sselect_none(space);
    const Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
    CHECK(H5Dwrite(data_, H5T_NATIVE_INT, memory, space, list, values.data()) >= 0);
    size_ = n;
  }

  Cost flush() const {
    const Cost before = now();
    CHECK(H5Fflush(file_, H5F_SCOPE_GLOBAL) >= 0);
    const Cost after = now();
    return {after.bytes - before.bytes, after.calls - before.calls};
  }

  /// The most that one of `n` flushes wrote, each after one more chunk, with `from` there.
  Cost most_of(hsize_t from, int n) {
    grow_to(from);
    flush();
    Cost most;
    for (int i = 0; i < n; ++i) {
      grow_to(size_ + 1);
      const Cost one = flush();
      most.bytes = std::max(most.bytes, one.bytes);
      most.calls = std::max(most.calls, one.calls);
    }
    return most;
  }

  void close_and_check() {
    CHECK(data_.close() >= 0);
    CHECK(file_.close() >= 0);
    const Id file(H5Fopen(name_.c_str(), H5F_ACC_RDONLY, Id(par::mpio_access())));
    const Id data(H5Dopen2(file, "d", H5P_DEFAULT));
    std::vector<int> values(size_);
    CHECK(H5Dread(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0);
    bool good = true;
    for (hsize_t i = 0; i < size_; ++i) good = good && values[i] == value_at(i);
    CHECK(good);
  }

 private:
  std::string name_;
  Id file_, data_;
  hsize_t size_ = 0;
};

void check_appends(const char* word, H5F_libver_t low, unsigned level,
                   const std::vector<hsize_t>& sizes) {
  Appends appends(word, low, level);
  std::vector<Cost> costs;
  for (hsize_t size : sizes) costs.push_back(appends.most_of(size, 15));
  appends.close_and_check();
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (par::rank() == 0)
      std::printf("  %s behind %llu chunks: at most %llu bytes, %llu calls a flush\n", word,
                  static_cast<unsigned long long>(sizes[i]), costs[i].bytes, costs[i].calls);
    // One page of the index is up to 15 KiB, written to the journal and in place.
    CHECK(costs[i].bytes <= 40000);
    CHECK(costs[i].calls <= 14);
    CHECK(costs[i].bytes > 0);
  }
}

CASE(extensible_arrays_grow_by_what_is_new) {
  check_appends("append", H5F_LIBVER_V110, 0, {200, 3000, 40000});
}
CASE(filtered_extensible_arrays_grow_by_what_is_new) {
  check_appends("append_deflate", H5F_LIBVER_V110, 1, {200, 2000});
}

CASE(version_1_trees_grow_by_what_is_new) {
  check_appends("append_tree", H5F_LIBVER_EARLIEST, 0, {1000, 6000});
}

}  // namespace

#endif  // PCIO_VERSION
