// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// More than 2 GiB per rank in one call, contiguous and chunked. Room: testpar, public headers only.
// Run by large.sh, on two ranks, where there is room for it.

#include <cstdint>
#include <vector>

#include "transfer_cases.hpp"

using par::Id;

namespace {

constexpr hsize_t kRow = hsize_t{1} << 20;  // elements of 8 bytes in a row: 8 MiB
constexpr hsize_t kRows = 269;              // of each rank: 2.1 GiB
constexpr hsize_t kChunkRows = 16;

std::uint64_t value_at(hsize_t row, hsize_t column) {
  return (row * kRow + column) * 0x9e3779b97f4a7c15ULL;
}

void fill(std::vector<std::uint64_t>& values, hsize_t first_row) {
  for (hsize_t row = 0; row < kRows; ++row)
    for (hsize_t x = 0; x < kRow; ++x) values[row * kRow + x] = value_at(first_row + row, x);
}

std::uint64_t count_wrong(const std::vector<std::uint64_t>& values, hsize_t first_row) {
  std::uint64_t wrong = 0;
  for (hsize_t row = 0; row < kRows; ++row)
    for (hsize_t x = 0; x < kRow; ++x)
      wrong += values[row * kRow + x] != value_at(first_row + row, x);
  return wrong;
}

/// Writes each rank's rows in one call and reads the next rank's rows in one call.
void check(bool chunked, const char* word) {
  const std::string name = par::file_name(word);
  const auto ranks = static_cast<hsize_t>(par::size()), me = static_cast<hsize_t>(par::rank());
  const hsize_t dims[2] = {kRows * ranks, kRow}, most[2] = {H5S_UNLIMITED, kRow};
  const hsize_t chunk[2] = {kChunkRows, kRow / 4}, count[2] = {kRows, kRow};
  hsize_t start[2] = {kRows * me, 0};
  std::vector<std::uint64_t> values(kRows * kRow);
  const Id access(par::mpio_access()), list(H5Pcreate(H5P_DATASET_CREATE));
  const Id transfer(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  if (chunked) CHECK(H5Pset_chunk(list, 2, chunk) >= 0);
  Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
  const Id space(H5Screate_simple(2, dims, chunked ? most : nullptr));
  const Id memory(H5Screate_simple(2, count, nullptr));
  Id set(H5Dcreate2(file, "data", H5T_STD_U64LE, space, H5P_DEFAULT, list, H5P_DEFAULT));
  CHECK(set.valid());
  fill(values, start[0]);
  CHECK(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, count, nullptr) >= 0);
  CHECK(H5Dwrite(set, H5T_NATIVE_UINT64, memory, space, transfer, values.data()) >= 0);
  CHECK(set.close() >= 0 && file.close() >= 0);

  file = Id(H5Fopen(name.c_str(), H5F_ACC_RDONLY, access));
  set = Id(H5Dopen2(file, "data", H5P_DEFAULT));
  start[0] = kRows * ((me + 1) % ranks);
  std::fill(values.begin(), values.end(), 0);
  CHECK(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, count, nullptr) >= 0);
  CHECK(H5Dread(set, H5T_NATIVE_UINT64, memory, space, transfer, values.data()) >= 0);
  CHECK(count_wrong(values, start[0]) == 0);
}

}  // namespace

CASE(contiguous_over_2_gib_per_rank) { check(false, "large_contig"); }

CASE(chunked_over_2_gib_per_rank) { check(true, "large_chunked"); }
