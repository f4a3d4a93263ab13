// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Late allocation: chunks get space when the ranks first write them together.
// Room: testpar, public headers only.

#include <pcio.h>

#include <algorithm>
#include <string>
#include <vector>

#include "testpar/support.hpp"

namespace {

constexpr hsize_t kChunk = 64;  // elements

struct Late {
  par::Id file, dataset;
  std::string error;  // of the last move that failed
  explicit Late(const std::string& name, H5F_libver_t low, const int* fill = nullptr,
                hbool_t late = 1) {
    par::Id access(par::mpio_access(MPI_COMM_WORLD, low));
    file = par::Id(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
    const hsize_t dims = 1000000 * kChunk, most = H5S_UNLIMITED;
    par::Id space(H5Screate_simple(1, &dims, &most));
    par::Id create(H5Pcreate(H5P_DATASET_CREATE));
    CHECK(H5Pset_chunk(create, 1, &kChunk) >= 0);
    if (fill != nullptr) CHECK(H5Pset_fill_value(create, H5T_NATIVE_INT, fill) >= 0);
    par::Id list(H5Pcreate(H5P_DATASET_ACCESS));
    CHECK(pcio_set_dapl_late_allocation(list, late) >= 0);
    hbool_t got = !late;
    CHECK(pcio_get_dapl_late_allocation(list, &got) >= 0 && got == late);
    dataset = par::Id(H5Dcreate2(file, "x", H5T_NATIVE_INT, space, H5P_DEFAULT, create, list));
    CHECK(dataset.valid());
  }

  herr_t move(H5FD_mpio_xfer_t mode, hsize_t start, std::vector<int>& data, bool writes) {
    par::Id space(H5Dget_space(dataset));
    hsize_t count = data.size();
    const hsize_t length = count > 0 ? count : 1;
    par::Id memory(H5Screate_simple(1, &length, nullptr));
    if (count > 0) {
      H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &count, nullptr);
    } else {
      H5Sselect_none(memory);
      H5Sselect_none(space);
    }
    par::Id list(par::transfer_list(mode));
    int none = 0;
    int* at = data.empty() ? &none : data.data();
    const herr_t moved = writes ? H5Dwrite(dataset, H5T_NATIVE_INT, memory, space, list, at)
                                : H5Dread(dataset, H5T_NATIVE_INT, memory, space, list, at);
    if (moved < 0) error = par::error_text();
    return moved;
  }
  hsize_t bytes() const { return H5Dget_storage_size(dataset); }
};

const H5F_libver_t kFormats[] = {H5F_LIBVER_EARLIEST, H5F_LIBVER_LATEST};

}  // namespace

CASE(only_what_is_written_gets_space) {
  for (H5F_libver_t low : kFormats) {
    Late late(par::file_name("late"), low);
    CHECK(late.bytes() == 0);
    // All ranks touch chunk 7, and each one a chunk of its own; the last rank nothing else.
    std::vector<int> data(2, par::rank() + 1);
    CHECK(late.move(H5FD_MPIO_COLLECTIVE, 7 * kChunk + 2 * static_cast<hsize_t>(par::rank()), data,
                    true) >= 0);
    CHECK(late.bytes() == kChunk * sizeof(int));
    if (par::rank() == par::size() - 1) data.clear();
    CHECK(late.move(H5FD_MPIO_COLLECTIVE, (1000 + 500 * static_cast<hsize_t>(par::rank())) * kChunk,
                    data, true) >= 0);
    CHECK(late.bytes() == static_cast<hsize_t>(par::size()) * kChunk * sizeof(int));
    // What is there already takes nothing more, and independent writes go there.
    data.assign(2, 5);
    CHECK(late.move(H5FD_MPIO_INDEPENDENT, 7 * kChunk + 2 * static_cast<hsize_t>(par::rank()), data,
                    true) >= 0);
    CHECK(late.bytes() == static_cast<hsize_t>(par::size()) * kChunk * sizeof(int));
    hsize_t file_size = 0;
    CHECK(H5Fflush(late.file, H5F_SCOPE_GLOBAL) >= 0);
    CHECK(H5Fget_filesize(late.file, &file_size) >= 0 && file_size < 100000);
  }
}

CASE(independent_writes_elsewhere_say_what_to_set) {
  Late late(par::file_name("late"), H5F_LIBVER_EARLIEST);
  std::vector<int> data(3, 1);
  {
    const par::Silence silence;
    CHECK(late.move(H5FD_MPIO_INDEPENDENT, 0, data, true) < 0);
  }
  CHECK(late.error.find("pcio_set_dapl_late_allocation") != std::string::npos);
  CHECK(late.bytes() == 0);
}

CASE(what_no_rank_covers_is_filled) {
  const int fill = -9;
  for (H5F_libver_t low : kFormats) {
    Late late(par::file_name("late"), low, &fill);
    // Chunk 3 is covered by rank 0 alone, chunk 4 by nobody as a whole, chunk 5 by all together.
    const auto rank = static_cast<hsize_t>(par::rank());
    const auto ranks = static_cast<hsize_t>(par::size());
    std::vector<int> data(par::rank() == 0 ? kChunk + 10 : 0, 1);
    CHECK(late.move(H5FD_MPIO_COLLECTIVE, 3 * kChunk, data, true) >= 0);
    const hsize_t first = kChunk * rank / ranks, end = kChunk * (rank + 1) / ranks;
    data.assign(end - first, 2);
    CHECK(late.move(H5FD_MPIO_COLLECTIVE, 5 * kChunk + first, data, true) >= 0);
    data.assign(4 * kChunk, 0);
    CHECK(late.move(H5FD_MPIO_COLLECTIVE, 3 * kChunk, data, false) >= 0);
    for (hsize_t i = 0; i < data.size(); ++i) {
      const hsize_t chunk = 3 + i / kChunk;
      const bool written = chunk == 3 || (chunk == 4 && i % kChunk < 10) || chunk == 5;
      CHECK(data[i] == (chunk == 5 ? 2 : written ? 1 : fill));
    }
  }
}

/// A chunk that the edge of the dataset cuts is not covered by who writes all that is inside.
CASE(what_lies_behind_the_edge_is_filled) {
  const int fill = -9;
  for (H5F_libver_t low : kFormats) {
    Late late(par::file_name("late"), low, &fill);
    const hsize_t most = 3 * kChunk, size = most - 10;
    CHECK(H5Dset_extent(late.dataset, &size) >= 0);
    std::vector<int> data(par::rank() == 0 ? size : 0, 1);
    CHECK(late.move(H5FD_MPIO_COLLECTIVE, 0, data, true) >= 0);
    CHECK(H5Dset_extent(late.dataset, &most) >= 0);
    data.assign(most, 0);
    CHECK(late.move(H5FD_MPIO_COLLECTIVE, 0, data, false) >= 0);
    for (hsize_t i = 0; i < most; ++i) CHECK(data[i] == (i < size ? 1 : fill));
  }
}

/// Rank 0 covers chunks with the first member of a compound; the second one is the fill value.
CASE(members_that_nobody_writes_are_filled) {
  struct Pair {
    int first, second;
  };
  const Pair fill{-1, -2};
  par::Id pair(H5Tcreate(H5T_COMPOUND, sizeof(Pair)));
  H5Tinsert(pair, "first", HOFFSET(Pair, first), H5T_NATIVE_INT);
  H5Tinsert(pair, "second", HOFFSET(Pair, second), H5T_NATIVE_INT);
  par::Id member(H5Tcreate(H5T_COMPOUND, sizeof(int)));
  H5Tinsert(member, "first", 0, H5T_NATIVE_INT);
  par::Id access(par::mpio_access());
  par::Id file(H5Fcreate(par::file_name("late").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
  const hsize_t dims = 4 * kChunk;
  par::Id space(H5Screate_simple(1, &dims, nullptr));
  par::Id create(H5Pcreate(H5P_DATASET_CREATE)), late(H5Pcreate(H5P_DATASET_ACCESS));
  CHECK(H5Pset_chunk(create, 1, &kChunk) >= 0);
  CHECK(H5Pset_fill_value(create, pair, &fill) >= 0);
  CHECK(pcio_set_dapl_late_allocation(late, 1) >= 0);
  par::Id dataset(H5Dcreate2(file, "x", pair, space, H5P_DEFAULT, create, late));
  par::Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  const std::vector<int> ones(dims, 1);
  par::Id part(H5Scopy(space));
  if (par::rank() != 0) H5Sselect_none(part);
  CHECK(H5Dwrite(dataset, member, part, part, list, ones.data()) >= 0);
  std::vector<Pair> found(dims, Pair{0, 0});
  CHECK(H5Dread(dataset, pair, H5S_ALL, H5S_ALL, list, found.data()) >= 0);
  for (const Pair& p : found) CHECK(p.first == 1 && p.second == -2);
}

namespace {

/// What a conversion of one rank does: it writes elements by itself, then ends the transfer.
struct WritesAndEnds {
  hid_t dataset;
  hsize_t start;
  int calls = 0;
  herr_t written = -1;
};

H5T_conv_ret_t write_and_end(H5T_conv_except_t, hid_t, hid_t, void*, void*, void* client) {
  auto& what = *static_cast<WritesAndEnds*>(client);
  if (what.calls++ > 0) return H5T_CONV_ABORT;
  const hsize_t count = 4;
  const par::Id space(H5Dget_space(what.dataset)), memory(H5Screate_simple(1, &count, nullptr));
  H5Sselect_hyperslab(space, H5S_SELECT_SET, &what.start, nullptr, &count, nullptr);
  const int values[] = {7, 8, 9, 10};
  what.written = H5Dwrite(what.dataset, H5T_NATIVE_INT, memory, space, H5P_DEFAULT, values);
  return H5T_CONV_ABORT;
}

}  // namespace

/// Every rank covers a chunk. The last one's conversion writes to its own, or to rank 0's.
CASE(what_a_function_of_the_program_writes_outlives_the_transfer_that_it_ends) {
  const int fill = -9;
  for (H5F_libver_t low : kFormats)
    for (const bool own : {true, false}) {
      Late late(par::file_name("late"), low, &fill);
      const bool last = par::rank() == par::size() - 1;
      const hsize_t start = kChunk * static_cast<hsize_t>(par::rank()), count = kChunk;
      WritesAndEnds what{late.dataset, own ? start : 0};
      const par::Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
      if (last) CHECK(H5Pset_type_conv_cb(list, write_and_end, &what) >= 0);
      std::vector<long long> data(kChunk, par::rank());
      if (last) data[6] = 1LL << 40;
      const par::Id space(H5Dget_space(late.dataset)), memory(H5Screate_simple(1, &count, nullptr));
      H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &count, nullptr);
      {
        const par::Silence silence;
        CHECK(H5Dwrite(late.dataset, H5T_NATIVE_LLONG, memory, space, list, data.data()) < 0);
      }
      CHECK(!last || what.written >= 0);
      std::vector<int> found(kChunk, 0);
      const hsize_t chunk = own ? static_cast<hsize_t>(par::size()) - 1 : 0;
      CHECK(late.move(H5FD_MPIO_COLLECTIVE, chunk * kChunk, found, false) >= 0);
      // Rank 0, whose chunk it is, may have moved its zeros before the call ended, or after the four elements came.
      const bool mixed = !own && par::size() > 1;
      for (std::size_t i = 0; i < kChunk; ++i) {
        const int expected = i < 4 ? 7 + static_cast<int>(i) : fill;
        CHECK(found[i] == expected || (mixed && found[i] == 0));
      }
    }
}

/// The function of one dataset's conversion writes to the other one, which the call gave space before.
CASE(what_a_function_writes_to_another_dataset_of_the_call_outlives_it) {
  const int fill = -9;
  Late late(par::file_name("late"), H5F_LIBVER_EARLIEST, &fill);
  const hsize_t start = kChunk * static_cast<hsize_t>(par::rank()), count = kChunk;
  const par::Id space(H5Dget_space(late.dataset)), create(H5Dget_create_plist(late.dataset)),
      access(H5Dget_access_plist(late.dataset)), memory(H5Screate_simple(1, &count, nullptr));
  CHECK(pcio_set_dapl_late_allocation(access, 1) >= 0);
  const par::Id second(
      H5Dcreate2(late.file, "y", H5T_NATIVE_INT, space, H5P_DEFAULT, create, access));
  H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &count, nullptr);
  const bool last = par::rank() == par::size() - 1;
  WritesAndEnds what{late.dataset, start};
  const par::Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  if (last) CHECK(H5Pset_type_conv_cb(list, write_and_end, &what) >= 0);
  const std::vector<int> plain(kChunk, par::rank());
  std::vector<long long> wide(kChunk, par::rank());
  if (last) wide[6] = 1LL << 40;
  hid_t sets[2] = {late.dataset, second}, types[2] = {H5T_NATIVE_INT, H5T_NATIVE_LLONG},
        memories[2] = {memory, memory}, files[2] = {space, space};
  const void* buffers[2] = {plain.data(), wide.data()};
  {
    const par::Silence silence;
    CHECK(H5Dwrite_multi(2, sets, types, memories, files, list, buffers) < 0);
  }
  CHECK(!last || what.written >= 0);
  std::vector<int> found(kChunk, 0);
  const hsize_t chunk = static_cast<hsize_t>(par::size()) - 1;
  CHECK(late.move(H5FD_MPIO_COLLECTIVE, chunk * kChunk, found, false) >= 0);
  for (std::size_t i = 0; i < kChunk; ++i) {
    const int written = static_cast<int>(chunk), nested = i < 4 ? 7 + static_cast<int>(i) : written;
    CHECK(found[i] == nested || found[i] == written);
  }
}

CASE(ranks_that_opened_differently_all_learn_it) {
  if (par::size() == 1) return;
  const std::string name = par::file_name("late");
  { Late made(name, H5F_LIBVER_EARLIEST); }
  par::Id access(par::mpio_access());
  Late late(par::file_name("other"), H5F_LIBVER_EARLIEST);
  late.dataset.close();
  late.file.close();
  late.file = par::Id(H5Fopen(name.c_str(), H5F_ACC_RDWR, access));
  par::Id list(H5Pcreate(H5P_DATASET_ACCESS));
  CHECK(pcio_set_dapl_late_allocation(list, par::rank() == 0) >= 0);
  late.dataset = par::Id(H5Dopen2(late.file, "x", list));
  std::vector<int> data(3, 1);
  {
    const par::Silence silence;
    CHECK(late.move(H5FD_MPIO_COLLECTIVE, 0, data, true) < 0);
  }
  CHECK(late.error.find("late allocation") != std::string::npos);
  CHECK(late.bytes() == 0);
}

CASE(direct_chunks_of_ranks_that_opened_differently) {
  if (par::size() == 1) return;
  const std::string name = par::file_name("late");
  { Late made(name, H5F_LIBVER_EARLIEST); }
  const par::Id access(par::mpio_access()), list(H5Pcreate(H5P_DATASET_ACCESS));
  const par::Id file(H5Fopen(name.c_str(), H5F_ACC_RDWR, access));
  CHECK(pcio_set_dapl_late_allocation(list, par::rank() == 0) >= 0);
  const par::Id dataset(H5Dopen2(file, "x", list)), mode(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  const hsize_t at = kChunk * static_cast<hsize_t>(par::rank());
  const std::vector<int> ones(kChunk, 1);
  std::string error;
  {
    const par::Silence silence;
    CHECK(H5Dwrite_chunk(dataset, mode, 0, &at, kChunk * sizeof(int), ones.data()) < 0);
    error = par::error_text();
  }
  CHECK(error.find("late allocation") != std::string::npos);
  CHECK(H5Dget_storage_size(dataset) == 0);
}

/// Opens and closes are local: what the ranks chose together at create holds as long as the file is
/// open, whoever closes the dataset meanwhile and opens it again without saying so.
CASE(who_opens_again_allocates_as_late) {
  for (H5F_libver_t low : kFormats) {
    Late late(par::file_name("late"), low);
    CHECK(H5Fflush(late.file, H5F_SCOPE_GLOBAL) >= 0);
    if (par::rank() == par::size() - 1) {
      late.dataset.close();
      late.dataset = par::Id(H5Dopen2(late.file, "x", H5P_DEFAULT));
    }
    std::vector<int> data(2, par::rank() + 1);
    const auto rank = static_cast<hsize_t>(par::rank());
    CHECK(late.move(H5FD_MPIO_COLLECTIVE, 7 * kChunk + 2 * rank, data, true) >= 0);
    CHECK(late.bytes() == kChunk * sizeof(int));
    const hsize_t more = 2000000 * kChunk;
    CHECK(H5Dset_extent(late.dataset, &more) >= 0);
    CHECK(late.bytes() == kChunk * sizeof(int));
    CHECK(H5Fflush(late.file, H5F_SCOPE_GLOBAL) >= 0);
    CHECK(late.move(H5FD_MPIO_COLLECTIVE, more - kChunk + 2 * rank, data, true) >= 0);
    CHECK(late.bytes() == 2 * kChunk * sizeof(int));
    CHECK(late.dataset.close() >= 0 && late.file.close() >= 0);
  }
}

/// Another dataset at the address of one that was deleted is not late.
CASE(late_is_forgotten_with_the_dataset) {
  Late late(par::file_name("late"), H5F_LIBVER_EARLIEST);
  CHECK(H5Fflush(late.file, H5F_SCOPE_GLOBAL) >= 0);
  late.dataset.close();
  for (int i = 0; i < 3; ++i) {
    CHECK(H5Ldelete(late.file, i == 0 ? "x" : "other", H5P_DEFAULT) >= 0);
    CHECK(H5Fflush(late.file, H5F_SCOPE_GLOBAL) >= 0);
    const hsize_t dims = 4 * kChunk;
    const par::Id space(H5Screate_simple(1, &dims, nullptr)), list(H5Pcreate(H5P_DATASET_CREATE));
    CHECK(H5Pset_chunk(list, 1, &kChunk) >= 0);
    const par::Id other(
        H5Dcreate2(late.file, "other", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT));
    CHECK(H5Dget_storage_size(other) == dims * sizeof(int));
  }
}

/// The file's addresses end before what all ranks want together: all fail alike, and nobody has lost
/// anything.
CASE(room_that_all_ranks_lack) {
  const std::string name = par::file_name("late");
  const par::Id access(par::mpio_access()), sizes(H5Pcreate(H5P_FILE_CREATE));
  CHECK(H5Pset_sizes(sizes, 2, 4) >= 0);
  Late late(par::file_name("other"), H5F_LIBVER_EARLIEST);
  late.dataset.close();
  late.file = par::Id(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, sizes, access));
  const hsize_t dims = 2000 * kChunk;
  const int fill = 7;
  const par::Id space(H5Screate_simple(1, &dims, nullptr)), create(H5Pcreate(H5P_DATASET_CREATE));
  const par::Id list(H5Pcreate(H5P_DATASET_ACCESS));
  CHECK(H5Pset_chunk(create, 1, &kChunk) >= 0);
  CHECK(H5Pset_fill_value(create, H5T_NATIVE_INT, &fill) >= 0);
  CHECK(pcio_set_dapl_late_allocation(list, 1) >= 0);
  late.dataset =
      par::Id(H5Dcreate2(late.file, "x", H5T_NATIVE_INT, space, H5P_DEFAULT, create, list));
  const auto rank = static_cast<hsize_t>(par::rank());
  std::vector<int> few(kChunk, 1), many(300 * kChunk, 2);
  CHECK(late.move(H5FD_MPIO_COLLECTIVE, rank * kChunk, few, true) >= 0);
  const hsize_t before = late.bytes();
  for (int again = 0; again < 2; ++again) {
    const par::Silence silence;
    CHECK(late.move(H5FD_MPIO_COLLECTIVE, 20 * kChunk, many, true) < 0);
    CHECK(late.error.find("no file addresses left") != std::string::npos);
    CHECK(late.bytes() == before);
  }
  CHECK(late.move(H5FD_MPIO_COLLECTIVE, (10 + rank) * kChunk, few, true) >= 0);
  CHECK(late.bytes() == 2 * before);
  CHECK(late.move(H5FD_MPIO_COLLECTIVE, 20 * kChunk, many, false) >= 0);
  for (int value : many) CHECK(value == fill);
  CHECK(late.dataset.close() >= 0 && late.file.close() >= 0);
  late.file = par::Id(H5Fopen(name.c_str(), H5F_ACC_RDONLY, access));
  late.dataset = par::Id(H5Dopen2(late.file, "x", H5P_DEFAULT));
  CHECK(late.move(H5FD_MPIO_COLLECTIVE, (10 + rank) * kChunk, few, false) >= 0);
  for (int value : few) CHECK(value == 1);
}

/// Where the ranks are to meet the one that was given no size comes, too.
CASE(a_rank_without_a_size_comes) {
  const int fill = 5;
  Late late(par::file_name("late"), H5F_LIBVER_EARLIEST, &fill);
  const bool mine = par::rank() == par::size() - 1;
  const hsize_t cut = 2 * kChunk - 5, larger = 4 * kChunk;
  std::vector<int> few(kChunk, 1);
  CHECK(late.move(H5FD_MPIO_COLLECTIVE, kChunk, few, true) >= 0);
  // What was cut off is owed when it grows again.
  CHECK(H5Dset_extent(late.dataset, &cut) >= 0);
  {
    const par::Silence silence;
    CHECK(H5Dset_extent(late.dataset, mine ? nullptr : &larger) < 0);
    CHECK(par::error_text().find("argument size") != std::string::npos);
  }
  CHECK(H5Dset_extent(late.dataset, &larger) >= 0);
  CHECK(late.move(H5FD_MPIO_COLLECTIVE, cut, few, false) >= 0);
  CHECK(few == std::vector<int>(kChunk, fill));
}

CASE(a_million_chunks_cost_nothing_at_create) {
  const double start = MPI_Wtime();
  Late usual(par::file_name("usual"), H5F_LIBVER_EARLIEST, nullptr, 0);
  // 10 million chunks more.
  const hsize_t dims = 10000000 * kChunk;
  CHECK(H5Dset_extent(usual.dataset, &dims) >= 0);
  CHECK(MPI_Wtime() - start < 5);
  CHECK(usual.bytes() == dims * sizeof(int));
  std::vector<int> data(3, 1);
  CHECK(usual.move(H5FD_MPIO_INDEPENDENT, dims - 3, data, true) >= 0);
  CHECK(H5Ldelete(usual.file, "x", H5P_DEFAULT) >= 0);
}
