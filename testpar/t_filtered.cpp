// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Filtered datasets of parallel files: rewrites and the file's size, chunks that wait, reports, a
// damaged chunk. Room: testpar, public headers only.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <sys/stat.h>
#include <vector>

#include <mpi.h>

#include "support.hpp"

#ifdef PCIO_VERSION
#include <pcio.h>
#endif

using par::Id;

namespace {

constexpr hsize_t kSide = 64;  // elements of a chunk in each dimension

struct Set {
  Id file, data;
};

/// `rows` x `columns` chunks of doubles, shuffled and deflated.
Set make_set(const std::string& name, hsize_t rows, hsize_t columns) {
  const hsize_t dims[2] = {rows * kSide, columns * kSide}, chunk[2] = {kSide, kSide};
  const Id access(par::mpio_access()), list(H5Pcreate(H5P_DATASET_CREATE));
  CHECK(H5Pset_chunk(list, 2, chunk) >= 0 && H5Pset_shuffle(list) >= 0 &&
        H5Pset_deflate(list, 2) >= 0);
  const Id space(H5Screate_simple(2, dims, nullptr));
  Set set;
  set.file = Id(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
  set.data =
      Id(H5Dcreate2(set.file, "data", H5T_IEEE_F64LE, space, H5P_DEFAULT, list, H5P_DEFAULT));
  CHECK(set.file.valid() && set.data.valid());
  return set;
}

double noisy(std::uint64_t i, int generation) {
  std::uint64_t x = i * 0x9E3779B97F4A7C15U + static_cast<std::uint64_t>(generation);
  x ^= x >> 29;
  return static_cast<double>(i / 16) * 64 + static_cast<double>(x % 64);
}

/// A box of the dataset, in elements.
struct Part {
  hsize_t start[2], count[2];
};

std::string last_error;  // of the last transfer that failed: closing ids wipes the stack

herr_t move(hid_t data, const Part& part, hid_t list, bool write, std::vector<double>& values) {
  const Id space(H5Dget_space(data));
  const hsize_t n = part.count[0] * part.count[1];
  const hsize_t one = std::max<hsize_t>(1, n);
  const Id memory(H5Screate_simple(1, &one, nullptr));
  if (n == 0) {
    H5Sselect_none(space);
    H5Sselect_none(memory);
  } else {
    H5Sselect_hyperslab(space, H5S_SELECT_SET, part.start, nullptr, part.count, nullptr);
  }
  values.resize(one);
  const herr_t done = write ? H5Dwrite(data, H5T_NATIVE_DOUBLE, memory, space, list, values.data())
                            : H5Dread(data, H5T_NATIVE_DOUBLE, memory, space, list, values.data());
  if (done < 0) last_error = par::error_text();
  return done;
}

std::vector<double> values_of(hid_t data, const Part& part, int generation) {
  hsize_t dims[2] = {0, 0};
  const Id space(H5Dget_space(data));
  H5Sget_simple_extent_dims(space, dims, nullptr);
  std::vector<double> values;
  for (hsize_t y = 0; y < part.count[0]; ++y)
    for (hsize_t x = 0; x < part.count[1]; ++x)
      values.push_back(noisy((part.start[0] + y) * dims[1] + part.start[1] + x, generation));
  return values;
}

herr_t write_part(hid_t data, const Part& part, H5FD_mpio_xfer_t mode, int generation) {
  const Id list(par::transfer_list(mode));
  std::vector<double> values = values_of(data, part, generation);
  return move(data, part, list, true, values);
}

bool holds(hid_t data, const Part& part, H5FD_mpio_xfer_t mode, int generation) {
  const Id list(par::transfer_list(mode));
  std::vector<double> found;
  if (move(data, part, list, false, found) < 0) return false;
  found.resize(part.count[0] * part.count[1]);
  return found == values_of(data, part, generation);
}

/// Every rank's share of all columns: all chunks are shared.
Part columns_of(int rank, hsize_t rows, hsize_t columns) {
  const auto n = static_cast<hsize_t>(par::size()), r = static_cast<hsize_t>(rank);
  const hsize_t width = columns * kSide;
  return {{0, width * r / n}, {rows * kSide, width * (r + 1) / n - width * r / n}};
}

/// Whole chunks: a row of them for a rank.
Part chunk_row(hsize_t row, hsize_t columns) {
  return {{row * kSide, 0}, {kSide, columns * kSide}};
}

double size_of(const std::string& name) {
  struct stat facts;
  MPI_Barrier(MPI_COMM_WORLD);
  const double size = stat(name.c_str(), &facts) == 0 ? static_cast<double>(facts.st_size) : -1;
  MPI_Barrier(MPI_COMM_WORLD);
  return size;
}

constexpr hsize_t kRows = 12, kColumns = 4;

double size_after(const std::string& name, int writes, bool flush, double* peak) {
  Set set = make_set(name, kRows, kColumns);
  for (int i = 0; i < writes; ++i) {
    CHECK(write_part(set.data, columns_of(par::rank(), kRows, kColumns), H5FD_MPIO_COLLECTIVE, i) >=
          0);
    if (!flush) continue;
    CHECK(H5Fflush(set.file, H5F_SCOPE_GLOBAL) >= 0);
    *peak = std::max(*peak, size_of(name));
  }
  CHECK(holds(set.data, columns_of((par::rank() + 1) % par::size(), kRows, kColumns),
              H5FD_MPIO_COLLECTIVE, writes - 1));
  CHECK(set.data.close() >= 0 && set.file.close() >= 0);
  const Id access(par::mpio_access());
  Id file(H5Fopen(name.c_str(), H5F_ACC_RDONLY, access));
  const Id data(H5Dopen2(file, "data", H5P_DEFAULT));
  CHECK(holds(data, columns_of(par::rank(), kRows, kColumns), H5FD_MPIO_COLLECTIVE, writes - 1));
  hsize_t size = 0;
  CHECK(H5Fget_filesize(file, &size) >= 0 && static_cast<double>(size) == size_of(name));
  return static_cast<double>(size);
}

}  // namespace

CASE(ten_rewrites) {
  const std::string name = par::file_name("filtered_rewrites");
  double peak = 0;
  const double once = size_after(name, 1, false, &peak);
  const double often = size_after(name, 10, false, &peak);
  CHECK(often <= 1.2 * once);
  const double committed = size_after(name, 10, true, &peak);
  CHECK(peak <= 2.2 * once);
  CHECK(committed <= 1.2 * once);
  if (par::rank() == 0)
    std::printf(
        "ten rewrites: %.3f of one write's size; with commits %.3f at peak, %.3f at the end\n",
        often / once, peak / once, committed / once);
}

CASE(whole_chunks_wait_and_are_seen) {
  const std::string name = par::file_name("filtered_wait");
  const auto rows = static_cast<hsize_t>(2 * par::size());
  Set set = make_set(name, rows, kColumns);
  const Part mine = chunk_row(static_cast<hsize_t>(par::rank()), kColumns);
  const Part inside{{mine.start[0] + 3, 5}, {7, 9}};
  CHECK(write_part(set.data, mine, H5FD_MPIO_INDEPENDENT, 1) >= 0);
  CHECK(holds(set.data, mine, H5FD_MPIO_INDEPENDENT, 1));
  // A part of a chunk that this rank has whole; and of one that it has not.
  CHECK(write_part(set.data, inside, H5FD_MPIO_INDEPENDENT, 2) >= 0);
  CHECK(holds(set.data, inside, H5FD_MPIO_INDEPENDENT, 2));
  {
    const par::Silence quiet;
    const Part other{{(static_cast<hsize_t>(par::size()) + 1) * kSide - 9, 5}, {7, 9}};
    CHECK(write_part(set.data, other, H5FD_MPIO_INDEPENDENT, 3) < 0);
    CHECK(last_error.find("whole chunks") != std::string::npos);
  }
  CHECK(H5Fflush(set.file, H5F_SCOPE_GLOBAL) >= 0);
  const int next = (par::rank() + 1) % par::size();
  const Part theirs = chunk_row(static_cast<hsize_t>(next), kColumns);
  const Part edge{{theirs.start[0], 20}, {kSide, 30}};
  CHECK(holds(set.data, edge, H5FD_MPIO_INDEPENDENT, 1));
  CHECK(holds(set.data, {{theirs.start[0] + 3, 5}, {7, 9}}, H5FD_MPIO_COLLECTIVE, 2));
  // A collective write comes behind what waits.
  CHECK(write_part(set.data, mine, H5FD_MPIO_INDEPENDENT, 4) >= 0);
  CHECK(write_part(set.data, columns_of(par::rank(), rows, kColumns), H5FD_MPIO_COLLECTIVE, 5) >=
        0);
  CHECK(holds(set.data, columns_of(next, rows, kColumns), H5FD_MPIO_COLLECTIVE, 5));
  // At the end of the file.
  CHECK(write_part(set.data, mine, H5FD_MPIO_INDEPENDENT, 6) >= 0);
  CHECK(set.data.close() >= 0 && set.file.close() >= 0);
  const Id access(par::mpio_access());
  const Id file(H5Fopen(name.c_str(), H5F_ACC_RDONLY, access));
  const Id data(H5Dopen2(file, "data", H5P_DEFAULT));
  CHECK(holds(data, theirs, H5FD_MPIO_INDEPENDENT, 6));
}

CASE(the_highest_rank_wins_a_chunk) {
  const std::string name = par::file_name("filtered_wins");
  Set set = make_set(name, 3, kColumns);
  // All ranks write all chunks of a row; the last one none of the second row.
  CHECK(write_part(set.data, chunk_row(0, kColumns), H5FD_MPIO_INDEPENDENT, par::rank()) >= 0);
  if (par::rank() + 1 < par::size() || par::size() == 1)
    CHECK(write_part(set.data, chunk_row(1, kColumns), H5FD_MPIO_INDEPENDENT, par::rank()) >= 0);
  CHECK(H5Fflush(set.file, H5F_SCOPE_GLOBAL) >= 0);
  const int last = par::size() - 1;
  CHECK(holds(set.data, chunk_row(0, kColumns), H5FD_MPIO_COLLECTIVE, last));
  CHECK(holds(set.data, chunk_row(1, kColumns), H5FD_MPIO_COLLECTIVE, std::max(0, last - 1)));
  CHECK(set.data.close() >= 0 && set.file.close() >= 0);
}

namespace {

constexpr H5Z_filter_t kSwells = 301;
constexpr std::size_t kSwollen = 70000, kPlain = 100;  // bytes of a chunk

std::size_t swell(unsigned flags, std::size_t, const unsigned*, std::size_t bytes,
                  std::size_t* room, void** buffer) {
  if ((flags & H5Z_FLAG_REVERSE) != 0) return kPlain;
  void* const larger = H5allocate_memory(kSwollen, 1);
  if (larger == nullptr) return 0;
  std::memcpy(larger, *buffer, std::min(bytes, kSwollen));
  H5free_memory(*buffer);
  *buffer = larger;
  *room = kSwollen;
  return kSwollen;
}

}  // namespace

/// What a filter makes of a chunk may be larger than the index can say: that chunk is not written, and nothing else is lost.
CASE(chunks_that_their_index_can_not_say) {
  const H5Z_class2_t swells = {H5Z_CLASS_T_VERS, kSwells, 1, 1, "swells", nullptr, nullptr, swell};
  CHECK(H5Zregister(&swells) >= 0);
  for (const bool together : {true, false}) {
    const std::string name = par::file_name("filtered_swells");
    const auto p = static_cast<hsize_t>(par::size()), r = static_cast<hsize_t>(par::rank());
    const hsize_t chunk = kPlain, all = 2 * p * kPlain, start = 2 * r * kPlain;
    const Id access(par::mpio_access(MPI_COMM_WORLD, H5F_LIBVER_LATEST)),
        create(H5Pcreate(H5P_DATASET_CREATE));
    CHECK(H5Pset_chunk(create, 1, &chunk) >= 0 &&
          H5Pset_filter(create, kSwells, 0, 0, nullptr) >= 0);
    const Id space(H5Screate_simple(1, &all, nullptr)),
        memory(H5Screate_simple(1, &chunk, nullptr));
    Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
    Id data(H5Dcreate2(file, "d", H5T_NATIVE_CHAR, space, H5P_DEFAULT, create, H5P_DEFAULT));
    Id kept(H5Gcreate2(file, "kept", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &chunk, nullptr);
    const Id list(par::transfer_list(together ? H5FD_MPIO_COLLECTIVE : H5FD_MPIO_INDEPENDENT));
    const std::vector<char> values(kPlain, 3);
    {
      const par::Silence quiet;
      // One that waits is encoded when all ranks flush.
      const herr_t written = H5Dwrite(data, H5T_NATIVE_CHAR, memory, space, list, values.data());
      CHECK(together ? written < 0 : written >= 0);
      const herr_t flushed = H5Fflush(file, H5F_SCOPE_GLOBAL);
      CHECK(together ? flushed >= 0 : flushed < 0);
      CHECK(together || par::error_text().find("70000 bytes") != std::string::npos);
      CHECK(data.close() >= 0 && kept.close() >= 0);
      const herr_t closed = file.close();
      CHECK(!together || closed >= 0);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    const Id again(H5Fopen(name.c_str(), H5F_ACC_RDONLY, access));
    CHECK(again.valid() && H5Lexists(again, "kept", H5P_DEFAULT) > 0);
  }
  CHECK(H5Zunregister(kSwells) >= 0);
}

/// Deflate behind it makes it small: then it is written, and comes back.
CASE(chunks_that_a_filter_makes_larger_before_deflate) {
  const H5Z_class2_t swells = {H5Z_CLASS_T_VERS, kSwells, 1, 1, "swells", nullptr, nullptr, swell};
  CHECK(H5Zregister(&swells) >= 0);
  for (const bool together : {true, false}) {
    const std::string name = par::file_name("filtered_swollen");
    const auto p = static_cast<hsize_t>(par::size()), r = static_cast<hsize_t>(par::rank());
    const hsize_t chunk = kPlain, all = p * kPlain, start = r * kPlain;
    const Id access(par::mpio_access()), create(H5Pcreate(H5P_DATASET_CREATE));
    CHECK(H5Pset_chunk(create, 1, &chunk) >= 0 &&
          H5Pset_filter(create, kSwells, 0, 0, nullptr) >= 0 && H5Pset_deflate(create, 6) >= 0);
    const Id space(H5Screate_simple(1, &all, nullptr)), row(H5Screate_simple(1, &chunk, nullptr));
    Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
    Id data(H5Dcreate2(file, "d", H5T_NATIVE_CHAR, space, H5P_DEFAULT, create, H5P_DEFAULT));
    H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &chunk, nullptr);
    const Id list(par::transfer_list(together ? H5FD_MPIO_COLLECTIVE : H5FD_MPIO_INDEPENDENT));
    const std::vector<char> values(kPlain, static_cast<char>(r + 1));
    CHECK(H5Dwrite(data, H5T_NATIVE_CHAR, row, space, list, values.data()) >= 0);
    CHECK(data.close() >= 0 && file.close() >= 0);
    file = Id(H5Fopen(name.c_str(), H5F_ACC_RDONLY, access));
    data = Id(H5Dopen2(file, "d", H5P_DEFAULT));
    std::vector<char> back(all), expected(all);
    for (std::size_t i = 0; i < all; ++i) expected[i] = static_cast<char>(i / kPlain + 1);
    CHECK(H5Dread(data, H5T_NATIVE_CHAR, H5S_ALL, H5S_ALL, list, back.data()) >= 0);
    CHECK(back == expected);
    CHECK(data.close() >= 0 && file.close() >= 0);
  }
  CHECK(H5Zunregister(kSwells) >= 0);
}

CASE(too_many_wait) {
  const std::string name = par::file_name("filtered_many");
  const hsize_t dims[2] = {70, 131072}, chunk[2] = {1, 131072};  // 1 MiB each
  const Id access(par::mpio_access()), list(H5Pcreate(H5P_DATASET_CREATE));
  CHECK(H5Pset_chunk(list, 2, chunk) >= 0 && H5Pset_deflate(list, 1) >= 0);
  const Id space(H5Screate_simple(2, dims, nullptr));
  Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
  Id data(H5Dcreate2(file, "data", H5T_IEEE_F64LE, space, H5P_DEFAULT, list, H5P_DEFAULT));
  const Part all{{0, 0}, {70, 131072}};
  std::vector<double> zeros(70 * 131072, 0.0);
  const Id transfer(par::transfer_list(H5FD_MPIO_INDEPENDENT));
  if (par::rank() == 0) {
    const par::Silence quiet;
    CHECK(move(data, all, transfer, true, zeros) < 0);
    CHECK(last_error.find("H5Fflush") != std::string::npos);
  }
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  const Part rest{{64, 0}, {6, 131072}};
  if (par::rank() == 0) CHECK(move(data, rest, transfer, true, zeros) >= 0);
  CHECK(data.close() >= 0 && file.close() >= 0);
}

CASE(a_damaged_chunk_is_everybodys_error) {
  const std::string name = par::file_name("filtered_damaged");
  Set set = make_set(name, 2, kColumns);
  CHECK(write_part(set.data, columns_of(par::rank(), 2, kColumns), H5FD_MPIO_COLLECTIVE, 1) >= 0);
  CHECK(set.data.close() >= 0 && set.file.close() >= 0);
  if (par::rank() == 0) {
    // Chunks come behind the metadata of the new file: everything in the middle is theirs.
    std::FILE* file = std::fopen(name.c_str(), "r+b");
    std::fseek(file, 0, SEEK_END);
    const long middle = std::ftell(file) / 2;
    std::fseek(file, middle, SEEK_SET);
    const char damage[256] = {0};
    std::fwrite(damage, 1, sizeof damage, file);
    std::fclose(file);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  const Id access(par::mpio_access());
  Id file(H5Fopen(name.c_str(), H5F_ACC_RDWR, access));
  Id data(H5Dopen2(file, "data", H5P_DEFAULT));
  const par::Silence quiet;
  const Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  std::vector<double> values;
  CHECK(move(data, columns_of(par::rank(), 2, kColumns), list, false, values) < 0);
  // Parts of it can't be written, but all of it can.
  Part part = columns_of(par::rank(), 2, kColumns);
  part.start[0] = 1;
  part.count[0] = 2 * kSide - 2;
  CHECK(write_part(data, part, H5FD_MPIO_COLLECTIVE, 2) < 0);
  CHECK(write_part(data, columns_of(par::rank(), 2, kColumns), H5FD_MPIO_COLLECTIVE, 3) >= 0);
  CHECK(holds(data, columns_of(0, 2, kColumns), H5FD_MPIO_COLLECTIVE, 3));
  CHECK(data.close() >= 0 && file.close() >= 0);
}

#ifdef PCIO_VERSION
namespace {

/// A dry run, then the transfer.
void explain_and_move(const Set& set, const Part& part, bool write, pcio_transfer_report_t* dry,
                      pcio_transfer_report_t* real) {
  const Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE)), space(H5Dget_space(set.data));
  const hsize_t n = part.count[0] * part.count[1];
  const Id memory(H5Screate_simple(1, &n, nullptr));
  H5Sselect_hyperslab(space, H5S_SELECT_SET, part.start, nullptr, part.count, nullptr);
  CHECK(pcio_explain(set.data, H5T_NATIVE_DOUBLE, memory, space, list,
                     write ? PCIO_DIRECTION_WRITE : PCIO_DIRECTION_READ, dry, sizeof *dry) >= 0);
  std::vector<double> values = values_of(set.data, part, 1);
  CHECK(move(set.data, part, list, write, values) >= 0);
  CHECK(pcio_get_transfer_report(list, real, sizeof *real) >= 0);
}

}  // namespace

CASE(reports) {
  const std::string name = par::file_name("filtered_report");
  Set set = make_set(name, kRows, kColumns);
  const Part part = columns_of(par::rank(), kRows, kColumns);
  for (const bool write : {true, false}) {
    pcio_transfer_report_t dry, real;
    explain_and_move(set, part, write, &dry, &real);
    for (const pcio_transfer_report_t* r : {&dry, &real}) {
      CHECK(r->local_causes == 0 && r->global_causes == 0);
      CHECK(r->actual_io_mode == H5D_MPIO_CHUNK_COLLECTIVE);
      CHECK(r->chunks_independent == 0 && r->chunks_collective == r->chunks_touched);
      CHECK((r->traits & PCIO_TRAIT_FILTERED) != 0);
    }
    CHECK(dry.actual_chunk_opt_mode == real.actual_chunk_opt_mode);
    CHECK(dry.transport == real.transport && dry.exchange_rounds == real.exchange_rounds);
    // What is read is known beforehand; sizes of what will be written are not.
    CHECK(dry.bytes_read == real.bytes_read && dry.independent_reads == real.independent_reads);
    if (write) CHECK((dry.bytes_written > 0) == (real.bytes_written > 0));
  }
  CHECK(set.data.close() >= 0 && set.file.close() >= 0);
}

/// What goes by messages is the same in a dry run, answers included, and each answer is a message.
CASE(messages_are_told_beforehand) {
  setenv("PCIO_CHECK", "messages", 1);
  Set set = make_set(par::file_name("filtered_messages"), kRows, kColumns);
  unsetenv("PCIO_CHECK");
  // Borders lie inside of chunks.
  const auto ranks = static_cast<hsize_t>(par::size()), me = static_cast<hsize_t>(par::rank());
  auto border = [&](hsize_t r) { return r * kColumns * kSide / ranks + (r % ranks > 0 ? 1 : 0); };
  const Part part{{0, border(me)}, {kRows * kSide, border(me + 1) - border(me)}};
  std::uint64_t moved = 0;
  for (const bool write : {true, false}) {
    pcio_transfer_report_t dry, real;
    explain_and_move(set, part, write, &dry, &real);
    CHECK(dry.messages_sent == real.messages_sent);
    CHECK(dry.messages_received == real.messages_received);
    CHECK(dry.bytes_sent == real.bytes_sent && dry.bytes_received == real.bytes_received);
    CHECK((real.bytes_sent > 0) == (real.messages_sent > 0));
    CHECK((real.bytes_received > 0) == (real.messages_received > 0));
    moved += real.bytes_sent;
  }
  CHECK(par::size() == 1 || par::any(moved > 0));
  CHECK(set.data.close() >= 0 && set.file.close() >= 0);
}

/// Of two nodes: what is read is read where it is wanted, and what one node writes alone does not leave it.
CASE(what_crosses_between_nodes) {
  setenv("PCIO_CHECK", "nodes:2", 1);
  Set set = make_set(par::file_name("filtered_nodes"), kRows, kColumns);
  unsetenv("PCIO_CHECK");
  const auto ranks = static_cast<std::uint64_t>(par::size());
  const auto me = static_cast<std::uint64_t>(par::rank());
  const std::uint64_t nodes = std::min<std::uint64_t>(2, ranks), node = me * nodes / ranks;
  auto first_of = [&](std::uint64_t n) { return (n * ranks + nodes - 1) / nodes; };
  const std::uint64_t of_node = first_of(node + 1) - first_of(node), index = me - first_of(node);
  // Each node has rows of chunks of its own, whose columns its ranks share; then borders lie inside of chunks.
  const hsize_t width = kColumns * kSide, rows = kRows / nodes * kSide;
  const Part own{{node * rows, width * index / of_node},
                 {rows, width * (index + 1) / of_node - width * index / of_node}};
  auto border = [&](hsize_t r) { return r * width / ranks + (r % ranks > 0 ? kSide / 2 : 0); };
  const Part common{{0, border(me)}, {kRows * kSide, border(me + 1) - border(me)}};
  for (const Part& part : {own, common})
    for (const bool write : {true, false}) {
      pcio_transfer_report_t dry, real;
      explain_and_move(set, part, write, &dry, &real);
      CHECK(dry.bytes_between_nodes == real.bytes_between_nodes);
      CHECK(dry.messages_between_nodes == real.messages_between_nodes);
      const bool alone = nodes == 1 || part.count[0] == own.count[0];
      if (!write || alone) CHECK(real.bytes_between_nodes == 0);
      std::uint64_t sent = real.bytes_between_nodes;
      MPI_Allreduce(MPI_IN_PLACE, &sent, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
      // At most half of the chunks at the border of the nodes, and a little to say where it belongs.
      constexpr std::uint64_t kMost = kRows * kSide * kSide * sizeof(double) / 2;
      CHECK(sent <= kMost + kMost / 20);
      CHECK((sent > 0) == (write && !alone));
    }
  CHECK(set.data.close() >= 0 && set.file.close() >= 0);
}
#endif

/// What a smaller extent leaves of a chunk waits on all ranks: no rank may write a part of it alone,
/// and a rank that only read it does not win against one that wrote it.
CASE(what_a_cut_left_is_nobodys) {
  const std::string name = par::file_name("filtered_cut");
  const hsize_t size = 20, cut = 15, most = H5S_UNLIMITED, chunk = 10;
  const Id access(par::mpio_access()), space(H5Screate_simple(1, &size, &most));
  const Id list(H5Pcreate(H5P_DATASET_CREATE));
  CHECK(H5Pset_chunk(list, 1, &chunk) >= 0 && H5Pset_deflate(list, 2) >= 0);
  const Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
  const Id data(H5Dcreate2(file, "data", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT));
  const Id together(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  std::vector<int> values(20, 1);
  CHECK(H5Dwrite(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, together, values.data()) >= 0);
  CHECK(H5Dset_extent(data, &cut) >= 0);
  const Id part(H5Dget_space(data)), whole(H5Dget_space(data));
  const hsize_t part_start = 12, part_count = 3, start = 10, count = 5;
  H5Sselect_hyperslab(part, H5S_SELECT_SET, &part_start, nullptr, &part_count, nullptr);
  H5Sselect_hyperslab(whole, H5S_SELECT_SET, &start, nullptr, &count, nullptr);
  const Id three(H5Screate_simple(1, &part_count, nullptr)),
      five(H5Screate_simple(1, &count, nullptr));
  // All ranks read the copy.
  std::vector<int> found(5, 0);
  CHECK(H5Dread(data, H5T_NATIVE_INT, five, whole, H5P_DEFAULT, found.data()) >= 0);
  CHECK(found == std::vector<int>(5, 1));
  const std::vector<int> mine(5, 100 + par::rank());
  {
    const par::Silence silence;
    CHECK(H5Dwrite(data, H5T_NATIVE_INT, three, part, H5P_DEFAULT, mine.data()) < 0);
  }
  // The first rank's whole chunk goes into the file.
  if (par::rank() == 0)
    CHECK(H5Dwrite(data, H5T_NATIVE_INT, five, whole, H5P_DEFAULT, mine.data()) >= 0);
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  CHECK(H5Dread(data, H5T_NATIVE_INT, five, whole, together, found.data()) >= 0);
  CHECK(found == std::vector<int>(5, 100));
}

/// Each rank has another amount of chunks that wait when the extent changes.
CASE(waiting_chunks_do_not_part_the_ranks) {
  const std::string name = par::file_name("filtered_parted");
  constexpr hsize_t kChunk = 1 << 20;  // ints: 4 MiB
  const hsize_t chunks = 14, size = chunks * kChunk, cut = size - kChunk / 2 - 3 * kChunk,
                most = H5S_UNLIMITED, chunk = kChunk;
  const Id access(par::mpio_access()), space(H5Screate_simple(1, &size, &most));
  const Id list(H5Pcreate(H5P_DATASET_CREATE));
  CHECK(H5Pset_chunk(list, 1, &chunk) >= 0 && H5Pset_deflate(list, 1) >= 0);
  const Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
  const Id data(H5Dcreate2(file, "data", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT));
  const Id together(par::transfer_list(H5FD_MPIO_COLLECTIVE)), none(H5Dget_space(data));
  std::vector<int> values(par::rank() == 0 ? size : 1, 3);
  if (par::rank() != 0) H5Sselect_none(none);
  CHECK(H5Dwrite(data, H5T_NATIVE_INT, none, none, together, values.data()) >= 0);
  // The last rank's chunks nearly fill what may wait.
  const Id first(H5Dget_space(data));
  const hsize_t start = 0, count = 8 * kChunk;
  H5Sselect_hyperslab(first, H5S_SELECT_SET, &start, nullptr, &count, nullptr);
  const Id memory(H5Screate_simple(1, &count, nullptr));
  if (par::rank() + 1 == par::size()) {
    const std::vector<int> news(count, 8);
    CHECK(H5Dwrite(data, H5T_NATIVE_INT, memory, first, H5P_DEFAULT, news.data()) >= 0);
  }
  Id more(H5Dcreate2(file, "more", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT));
  if (par::rank() + 1 == par::size()) {
    const std::vector<int> news(count, 9);
    const hsize_t rest = 7 * kChunk;
    H5Sselect_hyperslab(first, H5S_SELECT_SET, &start, nullptr, &rest, nullptr);
    const Id less(H5Screate_simple(1, &rest, nullptr));
    CHECK(H5Dwrite(more, H5T_NATIVE_INT, less, first, H5P_DEFAULT, news.data()) >= 0);
  }
  CHECK(H5Dset_extent(data, &cut) >= 0);
  std::vector<int> found(kChunk, 0);
  const hsize_t one = kChunk;
  const Id there(H5Dget_space(data)), here(H5Screate_simple(1, &one, nullptr));
  H5Sselect_hyperslab(there, H5S_SELECT_SET, &start, nullptr, &one, nullptr);
  CHECK(H5Dread(data, H5T_NATIVE_INT, here, there, together, found.data()) >= 0);
  CHECK(found == std::vector<int>(kChunk, 8));
}
