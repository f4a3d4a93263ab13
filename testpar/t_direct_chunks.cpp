// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Chunks as they lie in the file, by all ranks together.
// Room: testpar, public headers only.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
#include <malloc.h>
#endif

#include "support.hpp"

#ifdef PCIO_VERSION
#include <pcio.h>

using par::Id;

namespace {

constexpr hsize_t kChunk = 10;
using Ints = std::vector<int>;

enum class Filters { kNone, kDeflate };

Id create_file(const char* word, H5F_libver_t low = H5F_LIBVER_EARLIEST) {
  const Id access(par::mpio_access(MPI_COMM_WORLD, low));
  Id file(H5Fcreate(par::file_name(word).c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
  CHECK(file.valid());
  return file;
}

Id create(hid_t file, const char* name, hsize_t chunks, Filters filters) {
  const hsize_t size = chunks * kChunk, chunk = kChunk;
  const Id space(H5Screate_simple(1, &size, nullptr)), list(H5Pcreate(H5P_DATASET_CREATE));
  H5Pset_chunk(list, 1, &chunk);
  if (filters == Filters::kDeflate) H5Pset_deflate(list, 5);
  Id dataset(H5Dcreate2(file, name, H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT));
  CHECK(dataset.valid());
  return dataset;
}

hsize_t me() { return static_cast<hsize_t>(par::rank()); }
hsize_t ranks() { return static_cast<hsize_t>(par::size()); }

/// A chunk whose filter was not applied: 40 bytes as they are.
herr_t write_chunk(hid_t dataset, hsize_t chunk, int value, H5FD_mpio_xfer_t mode) {
  const Id list(par::transfer_list(mode));
  const hsize_t at = chunk * kChunk;
  const Ints values(kChunk, value);
  return H5Dwrite_chunk(dataset, list, 1, &at, kChunk * sizeof(int), values.data());
}

Ints read_all(hid_t dataset, hsize_t chunks) {
  Ints values(chunks * kChunk, -7);
  CHECK(H5Dread(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0);
  return values;
}

void own_chunks(const char* word, Filters filters, H5F_libver_t low) {
  const hsize_t chunks = 2 * ranks();
  {
    const Id file = create_file(word, low);
    const Id dataset = create(file, "d", chunks, filters);
    CHECK(write_chunk(dataset, 2 * me(), 100 + par::rank(), H5FD_MPIO_COLLECTIVE) >= 0);
    // The last rank has nothing to write, the others write again.
    if (par::rank() + 1 < par::size()) {
      CHECK(write_chunk(dataset, 2 * me() + 1, 200 + par::rank(), H5FD_MPIO_COLLECTIVE) >= 0);
    } else {
      const Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
      CHECK(H5Dwrite_chunk(dataset, list, 0, nullptr, 0, nullptr) >= 0);
    }
    CHECK(write_chunk(dataset, 2 * me(), 300 + par::rank(), H5FD_MPIO_COLLECTIVE) >= 0);
    uint32_t mask = 9;
    const hsize_t at = 2 * me() * kChunk;
    Ints raw(kChunk);
    CHECK(H5Dread_chunk(dataset, H5P_DEFAULT, &at, &mask, raw.data()) >= 0);
    CHECK(raw == Ints(kChunk, 300 + par::rank()));
    CHECK(mask == (filters == Filters::kNone ? 0U : 1U));
  }
  const Id access(par::mpio_access());
  const Id file(H5Fopen(par::file_name(word).c_str(), H5F_ACC_RDONLY, access));
  const Id dataset(H5Dopen2(file, "d", H5P_DEFAULT));
  const Ints values = read_all(dataset, chunks);
  for (int r = 0; r < par::size(); ++r) {
    const auto first = static_cast<std::size_t>(r) * 2 * kChunk;
    const bool last = r + 1 == par::size();
    for (std::size_t i = 0; i < kChunk; ++i) {
      CHECK(values[first + i] == 300 + r);
      CHECK(values[first + kChunk + i] == (last ? 0 : 200 + r));
    }
  }
}

CASE(own_filtered_chunks) { own_chunks("own_filtered", Filters::kDeflate, H5F_LIBVER_EARLIEST); }
CASE(own_filtered_chunks_new) { own_chunks("own_new", Filters::kDeflate, H5F_LIBVER_LATEST); }
CASE(own_plain_chunks) { own_chunks("own_plain", Filters::kNone, H5F_LIBVER_EARLIEST); }

/// What all ranks write over the whole of a chunk that a smaller extent cuts comes back when the
/// dataset grows; what nobody wrote is the fill value. A chunk is read as it will be then.
CASE(chunks_at_a_cut_edge) {
  const hsize_t rows = 2 * ranks(), before[2] = {rows, kChunk}, after[2] = {rows, 4};
  const hsize_t most[2] = {H5S_UNLIMITED, H5S_UNLIMITED}, chunk[2] = {1, kChunk};
  const Id file = create_file("cut_edge");
  const Id space(H5Screate_simple(2, before, most)), list(H5Pcreate(H5P_DATASET_CREATE));
  const int seven = 7;
  H5Pset_chunk(list, 2, chunk);
  H5Pset_fill_value(list, H5T_NATIVE_INT, &seven);
  const Id data(H5Dcreate2(file, "d", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT));
  const Id together(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  const Ints ones(rows * kChunk, 1), twos(kChunk, 2);
  CHECK(H5Dwrite(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, together, ones.data()) >= 0);
  CHECK(H5Dset_extent(data, after) >= 0);
  const hsize_t odd[2] = {2 * me() + 1, 0}, even[2] = {2 * me(), 0};
  uint32_t mask = 0;
  Ints raw(kChunk, -1), cut(kChunk, 7);
  std::fill_n(cut.begin(), 4, 1);
  CHECK(H5Dread_chunk(data, H5P_DEFAULT, odd, &mask, raw.data()) >= 0 && raw == cut);
  CHECK(H5Dwrite_chunk(data, together, 0, odd, kChunk * sizeof(int), twos.data()) >= 0);
  CHECK(H5Dread_chunk(data, H5P_DEFAULT, odd, &mask, raw.data()) >= 0 && raw == twos);
  CHECK(H5Dread_chunk(data, H5P_DEFAULT, even, &mask, raw.data()) >= 0 && raw == cut);
  CHECK(H5Dset_extent(data, before) >= 0);
  Ints all(rows * kChunk);
  CHECK(H5Dread(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, together, all.data()) >= 0);
  for (std::size_t i = 0; i < all.size(); ++i)
    CHECK(all[i] == (i / kChunk % 2 == 1 ? 2 : cut[i % kChunk]));
}

/// Where all ranks write one chunk, one of them wins whole.
CASE(one_chunk_of_all) {
  const Id file = create_file("one_chunk");
  const Id dataset = create(file, "d", 3, Filters::kDeflate);
  CHECK(write_chunk(dataset, 1, par::rank(), H5FD_MPIO_COLLECTIVE) >= 0);
  const Ints values = read_all(dataset, 3);
  CHECK(values[kChunk] >= 0 && values[kChunk] < par::size());
  CHECK(std::count(values.begin() + kChunk, values.begin() + 2 * kChunk, values[kChunk]) == 10);
  CHECK(std::count(values.begin(), values.end(), 0) >= 20);
}

/// What is wrong on one rank fails on all, and nothing changes.
CASE(one_rank_is_wrong) {
  const Id file = create_file("one_wrong");
  for (const Filters filters : {Filters::kNone, Filters::kDeflate}) {
    const Id dataset = create(file, filters == Filters::kNone ? "p" : "f", ranks(), filters);
    CHECK(write_chunk(dataset, me(), 5, H5FD_MPIO_COLLECTIVE) >= 0);
    const par::Silence silence;
    const Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
    const bool wrong = par::rank() == par::size() / 2;
    const hsize_t at = me() * kChunk + (wrong ? 1 : 0);
    const Ints values(kChunk, 8);
    CHECK(H5Dwrite_chunk(dataset, list, 1, &at, kChunk * sizeof(int), values.data()) < 0);
    const std::string text = par::error_text();
    CHECK(text.find("corner of a chunk") != std::string::npos);
    CHECK(read_all(dataset, ranks()) == Ints(ranks() * kChunk, 5));
    CHECK(write_chunk(dataset, me(), 6, H5FD_MPIO_COLLECTIVE) >= 0);
    CHECK(read_all(dataset, ranks()) == Ints(ranks() * kChunk, 6));
  }
}

/// A chunk without filters has its place, so ranks write by themselves.
CASE(independent_plain_chunks) {
  const Id file = create_file("independent");
  const Id dataset = create(file, "d", ranks(), Filters::kNone);
  CHECK(write_chunk(dataset, me(), 40 + par::rank(), H5FD_MPIO_INDEPENDENT) >= 0);
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  MPI_Barrier(MPI_COMM_WORLD);
  const Ints values = read_all(dataset, ranks());
  for (int r = 0; r < par::size(); ++r)
    CHECK(values[static_cast<std::size_t>(r) * kChunk + 3] == 40 + r);
}

/// Chunks with filters wait until all ranks meet; this rank sees its own.
CASE(independent_filtered_chunks) {
  for (const H5F_libver_t low : {H5F_LIBVER_EARLIEST, H5F_LIBVER_LATEST}) {
    const char* const word = low == H5F_LIBVER_EARLIEST ? "wait_old" : "wait_new";
    const hsize_t chunks = ranks() + 2;
    {
      const Id file = create_file(word, low);
      const Id dataset = create(file, "d", chunks, Filters::kDeflate);
      CHECK(write_chunk(dataset, me(), 20, H5FD_MPIO_INDEPENDENT) >= 0);
      CHECK(write_chunk(dataset, me(), 40 + par::rank(), H5FD_MPIO_INDEPENDENT) >= 0);
      const hsize_t at = me() * kChunk;
      hsize_t size = 0;
      haddr_t address = 0;
      unsigned info_mask = 0;
      uint32_t mask = 0;
      Ints raw(kChunk);
      CHECK(H5Dget_chunk_storage_size(dataset, &at, &size) >= 0 && size == kChunk * sizeof(int));
      CHECK(H5Dget_chunk_info_by_coord(dataset, &at, &info_mask, &address, &size) >= 0);
      CHECK(address == HADDR_UNDEF && info_mask == 1);
      CHECK(H5Dread_chunk(dataset, H5P_DEFAULT, &at, &mask, raw.data()) >= 0 && mask == 1);
      CHECK(raw == Ints(kChunk, 40 + par::rank()));
      Ints values = read_all(dataset, chunks);
      CHECK(values[at + 3] == 40 + par::rank());
      // A part of it, which makes an image of what waits.
      if (par::rank() == 0) {
        const Id space(H5Dget_space(dataset)), list(par::transfer_list(H5FD_MPIO_INDEPENDENT));
        const hsize_t start = 4, count = 2;
        H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &count, nullptr);
        const Id memory(H5Screate_simple(1, &count, nullptr));
        const Ints two(2, -1);
        CHECK(H5Dwrite(dataset, H5T_NATIVE_INT, memory, space, list, two.data()) >= 0);
      }
      CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
      CHECK(H5Dget_chunk_info_by_coord(dataset, &at, &info_mask, &address, &size) >= 0);
      CHECK(address != HADDR_UNDEF);
      // All write one chunk, and the next collective write comes behind it.
      CHECK(write_chunk(dataset, ranks(), 70 + par::rank(), H5FD_MPIO_INDEPENDENT) >= 0);
      if (par::rank() + 1 == par::size())
        CHECK(write_chunk(dataset, ranks() + 1, 90, H5FD_MPIO_INDEPENDENT) >= 0);
    }
    const Id access(par::mpio_access());
    const Id file(H5Fopen(par::file_name(word).c_str(), H5F_ACC_RDONLY, access));
    const Id dataset(H5Dopen2(file, "d", H5P_DEFAULT));
    const Ints values = read_all(dataset, chunks);
    for (hsize_t i = 0; i < ranks() * kChunk; ++i)
      CHECK(values[i] == (i == 4 || i == 5 ? -1 : 40 + static_cast<int>(i / kChunk)));
    for (hsize_t i = 0; i < kChunk; ++i) {
      CHECK(values[ranks() * kChunk + i] == 70 + par::size() - 1);
      CHECK(values[(ranks() + 1) * kChunk + i] == 90);
    }
  }
}

/// Copies bytes.
size_t copy_filter(unsigned, size_t, const unsigned*, size_t bytes, size_t*, void**) {
  return bytes;
}

/// What waits needs its filters when it is written, whether its dataset is open or not.
CASE(filters_of_waiting_chunks_stay) {
  constexpr H5Z_filter_t kFilter = 300;
  const H5Z_class2_t cls = {H5Z_CLASS_T_VERS, kFilter, 1, 1, "copy", nullptr, nullptr, copy_filter};
  CHECK(H5Zregister(&cls) >= 0);
  const Id file = create_file("unregister");
  {
    const hsize_t size = ranks() * kChunk, chunk = kChunk, start = me() * kChunk;
    const Id space(H5Screate_simple(1, &size, nullptr)), list(H5Pcreate(H5P_DATASET_CREATE));
    H5Pset_chunk(list, 1, &chunk);
    H5Pset_filter(list, kFilter, H5Z_FLAG_MANDATORY, 0, nullptr);
    const Id dataset(H5Dcreate2(file, "d", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT));
    const Id memory(H5Screate_simple(1, &chunk, nullptr));
    H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &chunk, nullptr);
    const Ints values(kChunk, 30 + par::rank());
    CHECK(H5Dwrite(dataset, H5T_NATIVE_INT, memory, space, H5P_DEFAULT, values.data()) >= 0);
  }
  {
    const par::Silence silence;
    CHECK(H5Zunregister(kFilter) < 0);
    const std::string text = par::error_text();
    CHECK(text.find("filter 300") != std::string::npos);
    CHECK(text.find("H5Fflush") != std::string::npos);
  }
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  {
    const Id dataset(H5Dopen2(file, "d", H5P_DEFAULT));
    const Ints values = read_all(dataset, ranks());
    for (std::size_t i = 0; i < values.size(); ++i)
      CHECK(values[i] == 30 + static_cast<int>(i / kChunk));
  }
  CHECK(H5Zunregister(kFilter) >= 0);
}

herr_t append_error(unsigned /*number*/, const H5E_error2_t* error, void* text) {
  *static_cast<std::string*>(text) += std::string(error->desc) + "\n";
  return 0;
}
herr_t take_errors(hid_t stack, void* text) {
  return H5Ewalk2(stack, H5E_WALK_DOWNWARD, append_error, text);
}

/// What the calls in `step` would have printed.
template <class Step>
std::string errors_of(Step&& step) {
  const par::Silence silence;
  std::string text;
  H5Eset_auto2(H5E_DEFAULT, take_errors, &text);
  step();
  return text;
}

/// How much may wait: the least that any rank asks for, on all of them.
CASE(waiting_memory) {
  // With what is kept of a chunk beside it.
  constexpr std::size_t kBytes = kChunk * sizeof(int) + 256;
  const Id access(par::mpio_access());
  std::size_t bytes = 0;
  CHECK(pcio_get_fapl_waiting_memory(access, &bytes) >= 0 && bytes == std::size_t{64} << 20);
  CHECK(pcio_set_fapl_waiting_memory(access, par::rank() == 0 ? 2 * kBytes : 5 * kBytes) >= 0);
  CHECK(pcio_get_fapl_waiting_memory(access, &bytes) >= 0 &&
        bytes == (par::rank() == 0 ? 2 : 5) * kBytes);
  const std::string name = par::file_name("waiting_memory");
  for (const bool creates : {true, false}) {
    const Id file(creates ? H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access)
                          : H5Fopen(name.c_str(), H5F_ACC_RDWR, access));
    const Id of_file(H5Fget_access_plist(file));
    CHECK(pcio_get_fapl_waiting_memory(of_file, &bytes) >= 0 &&
          bytes == (par::rank() == 0 ? 2 : 5) * kBytes);
    // The sum over all datasets of the file counts.
    const Id one = create(file, creates ? "a" : "c", 4 * ranks(), Filters::kDeflate);
    const Id two = create(file, creates ? "b" : "d", 4 * ranks(), Filters::kDeflate);
    for (int round = 0; round < 2; ++round) {
      CHECK(write_chunk(one, 4 * me(), 3, H5FD_MPIO_INDEPENDENT) >= 0);
      CHECK(write_chunk(two, 4 * me() + 1, 4, H5FD_MPIO_INDEPENDENT) >= 0);
      // In place of what waits already.
      CHECK(write_chunk(one, 4 * me(), 5, H5FD_MPIO_INDEPENDENT) >= 0);
      const std::string text =
          errors_of([&] { CHECK(write_chunk(one, 4 * me() + 2, 6, H5FD_MPIO_INDEPENDENT) < 0); });
      const std::string limit =
          std::to_string(2 * kBytes) + " bytes (pcio_set_fapl_waiting_memory)";
      CHECK(text.find(limit) != std::string::npos);
      CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
    }
    const Ints values = read_all(one, 4 * ranks());
    for (hsize_t r = 0; r < ranks(); ++r)
      CHECK(values[4 * r * kChunk] == 5 && values[(4 * r + 2) * kChunk] == 0);
  }
  CHECK(pcio_set_fapl_waiting_memory(access, 0) >= 0);
  const Id file(H5Fopen(name.c_str(), H5F_ACC_RDWR, access));
  const Id one(H5Dopen2(file, "a", H5P_DEFAULT));
  const par::Silence silence;
  CHECK(write_chunk(one, me(), 6, H5FD_MPIO_INDEPENDENT) < 0);
}

namespace {

/// By this process; 0 where nobody says.
std::size_t memory_in_use() {
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
  return mallinfo2().uordblks;
#else
  return 0;
#endif
}

}  // namespace

/// Small chunks take more memory than their bytes: what is bounded is that.
CASE(waiting_memory_of_small_chunks) {
  constexpr std::size_t kLimit = 100000;
  const hsize_t size = 4000 * ranks(), one = 1;
  const Id access(par::mpio_access()), list(H5Pcreate(H5P_DATASET_CREATE));
  CHECK(pcio_set_fapl_waiting_memory(access, kLimit) >= 0);
  const Id file(
      H5Fcreate(par::file_name("waiting_small").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
  const Id space(H5Screate_simple(1, &size, nullptr)), memory(H5Screate_simple(1, &one, nullptr));
  CHECK(H5Pset_chunk(list, 1, &one) >= 0 && H5Pset_deflate(list, 1) >= 0);
  const Id data(H5Dcreate2(file, "d", H5T_NATIVE_INT64, space, H5P_DEFAULT, list, H5P_DEFAULT));
  const par::Silence silence;
  for (int round = 0; round < 2; ++round) {
    const std::size_t before = memory_in_use();
    std::size_t waiting = 0;
    for (hsize_t i = 0; i < 4000; ++i) {
      const hsize_t at = 4000 * me() + i;
      H5Sselect_hyperslab(space, H5S_SELECT_SET, &at, nullptr, &one, nullptr);
      const long long value = 1;
      if (H5Dwrite(data, H5T_NATIVE_LLONG, memory, space, H5P_DEFAULT, &value) < 0) break;
      ++waiting;
    }
    const std::size_t taken = memory_in_use() - before;
    CHECK(waiting > 200 && waiting < 1000);
    // What the refusal itself keeps, as its text, is not much.
    if (round > 0 && !(taken < kLimit + kLimit / 4))
      std::printf("%zu chunks take %zu bytes\n", waiting, taken);
    if (round > 0) CHECK(taken < kLimit + kLimit / 4);
    CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  }
}

/// What one rank alone has written and can't be read is that rank's failure, told to all before anything changes:
/// the file stays, and what else is in it.
CASE(a_chunk_of_one_rank_that_cannot_be_cut) {
  const Id access(par::mpio_access());
  Id file(H5Fcreate(par::file_name("wait_bad").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
  const hsize_t size = ranks() * kChunk, most = H5S_UNLIMITED, chunk = kChunk, less = size - 4;
  const Id space(H5Screate_simple(1, &size, &most)), list(H5Pcreate(H5P_DATASET_CREATE));
  H5Pset_chunk(list, 1, &chunk);
  H5Pset_deflate(list, 5);
  Id dataset(H5Dcreate2(file, "d", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT));
  Id other(H5Dcreate2(file, "o", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT));
  CHECK(write_chunk(other, me(), 6, H5FD_MPIO_INDEPENDENT) >= 0);
  const bool mine = me() + 1 == ranks();
  const hsize_t at = me() * kChunk;
  const Id transfer(par::transfer_list(H5FD_MPIO_INDEPENDENT));
  if (mine) CHECK(H5Dwrite_chunk(dataset, transfer, 0, &at, 3, "bad") >= 0);
  {
    const par::Silence silence;
    CHECK(H5Dset_extent(dataset, &less) < 0);
    CHECK(par::error_text().find("deflate") != std::string::npos);
  }
  // The chunk is still to be written, and then it can be cut.
  if (mine) CHECK(write_chunk(dataset, me(), 5, H5FD_MPIO_INDEPENDENT) >= 0);
  CHECK(H5Dset_extent(dataset, &less) >= 0 && H5Dset_extent(dataset, &size) >= 0);
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  const Ints values = read_all(dataset, ranks()), others = read_all(other, ranks());
  for (hsize_t i = 0; i < size; ++i) {
    CHECK(values[i] == (i < less && i >= size - kChunk ? 5 : 0));
    CHECK(others[i] == 6);
  }
}

/// An extent that cuts through chunks which wait as they are to lie in the file; what is wrong in
/// them is found when they are read, and they are the file's error no more once replaced.
CASE(waiting_chunks_are_cut) {
  const Id access(par::mpio_access());
  Id file(H5Fcreate(par::file_name("wait_cut").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
  const hsize_t size = ranks() * kChunk, most = H5S_UNLIMITED, chunk = kChunk;
  const Id space(H5Screate_simple(1, &size, &most)), list(H5Pcreate(H5P_DATASET_CREATE));
  H5Pset_chunk(list, 1, &chunk);
  H5Pset_deflate(list, 5);
  Id dataset(H5Dcreate2(file, "d", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT));
  CHECK(write_chunk(dataset, me(), 5, H5FD_MPIO_INDEPENDENT) >= 0);
  const hsize_t less = size - 4;
  CHECK(H5Dset_extent(dataset, &less) >= 0 && H5Dset_extent(dataset, &size) >= 0);
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  Ints values = read_all(dataset, ranks());
  for (hsize_t i = 0; i < size; ++i) CHECK(values[i] == (i < less ? 5 : 0));
  {
    const par::Silence silence;
    const hsize_t at = me() * kChunk;
    const Id transfer(par::transfer_list(H5FD_MPIO_INDEPENDENT));
    CHECK(H5Dwrite_chunk(dataset, transfer, 0, &at, 3, "bad") >= 0);
    CHECK(H5Dread(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0);
    // Too much for what may wait.
    if (par::rank() == 0) {
      std::vector<char> large(std::size_t{65} << 20);
      CHECK(H5Dwrite_chunk(dataset, transfer, 0, &at, large.size(), large.data()) < 0);
      CHECK(par::error_text().find("H5Fflush") != std::string::npos);
    }
  }
  CHECK(write_chunk(dataset, me(), 6, H5FD_MPIO_COLLECTIVE) >= 0);
  CHECK(read_all(dataset, ranks()) == Ints(size, 6));
  CHECK(dataset.close() >= 0 && file.close() >= 0);
}

}  // namespace

#endif
