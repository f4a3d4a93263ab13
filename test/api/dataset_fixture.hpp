// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Frame of the tests of datasets: made, written and read in a few words.

#pragma once

#include <numeric>

#include "api/file_fixture.hpp"

class Datasets : public FileTest {
 protected:
  using Ints = std::vector<int>;
  using Sizes = std::vector<hsize_t>;

  static hid_t space_of(const Sizes& dims, const Sizes& max = {}) {
    return H5Screate_simple(static_cast<int>(dims.size()), dims.data(),
                            max.empty() ? nullptr : max.data());
  }
  static hid_t box(const Sizes& dims, const Sizes& start, const Sizes& count) {
    hid_t space = space_of(dims);
    EXPECT_EQ(
        H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr),
        0);
    return space;
  }
  static hid_t chunked(const Sizes& chunk) {
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    EXPECT_EQ(H5Pset_chunk(list, static_cast<int>(chunk.size()), chunk.data()), 0);
    return list;
  }
  /// A dataset of ints; `list` and the space are closed.
  hid_t make(const char* name, hid_t space, hid_t list = H5P_DEFAULT) {
    hid_t id = H5Dcreate2(file, name, H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT);
    EXPECT_GT(id, 0) << first_error();
    H5Sclose(space);
    if (list != H5P_DEFAULT) H5Pclose(list);
    return id;
  }
  static Ints numbers(std::size_t n, int first = 0) {
    Ints values(n);
    std::iota(values.begin(), values.end(), first);
    return values;
  }
  static herr_t write(hid_t id, const Ints& values, hid_t memory = H5S_ALL,
                      hid_t target = H5S_ALL) {
    return H5Dwrite(id, H5T_NATIVE_INT, memory, target, H5P_DEFAULT, values.data());
  }
  static Ints read(hid_t id, std::size_t n) {
    Ints values(n, -99);
    EXPECT_EQ(H5Dread(id, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0)
        << first_error();
    return values;
  }
  Ints read_back(const char* name, std::size_t n) {
    hid_t id = H5Dopen2(file, name, H5P_DEFAULT);
    EXPECT_GT(id, 0) << first_error();
    Ints values = read(id, n);
    EXPECT_EQ(H5Dclose(id), 0);
    return values;
  }
  static Sizes dims_of(hid_t id) {
    hid_t space = H5Dget_space(id);
    Sizes dims(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space)));
    H5Sget_simple_extent_dims(space, dims.data(), nullptr);
    H5Sclose(space);
    return dims;
  }
};
