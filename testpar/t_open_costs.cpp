// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// How many collective calls of MPI it takes to create, open, flush and close a file, and to write and read
// one dataset: by a board in shared memory, by one of each node, and by messages. Each is a wait for the slowest rank, so
// they may not grow. Counted by an interposer (mpi_counts.c). Room: testpar, public headers only.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <hdf5.h>
#include <pcio.h>
#include <string>
#include <utility>
#include <vector>

#include <mpi.h>

#include "mpi_counts.h"
#include "support.hpp"

#ifdef PCIO_VERSION

using par::Id;

namespace {

constexpr hsize_t kCells = 65536;  ///< of each rank: so long that none is sent to an owner

using Count = unsigned long long;

/// For how many nodes the ranks are taken.
int nodes = 1;
/// Whether agreements go over boards once a file has made some.
bool has_board = false;

/// One for each node.
bool has_node_boards() { return has_board && nodes > 1 && nodes < par::size(); }

/// What one kind of call may cost on each rank.
struct Limits {
  Count create = 6, open = 5, flush = 3, close = 4, transfer = 2;
  /// Once for a file, in one of its transfers: between nodes, and on one machine.
  Count making_boards = 6, making_board = 1;
  /// Behind its agreements: two communicators, which waits for nobody.
  Count freeing_boards = 2;
  /// Between nodes: the call's two agreements, those on a stretch and on the end, who has how much (within nodes, then of
  /// all), two meetings of each node, sizes of letters. Those within nodes and the sizes are what a rank has that leads none
  /// where there are boards.
  Count exchange = 9, exchange_of_leader = 8, exchange_of_others = 3;
  /// The same where nothing goes to another node: one meeting of each node.
  Count near_exchange = 7;
  /// Once for a file: who is on a node, and the memory that they share.
  Count sharing_memory = 5;
};
constexpr Limits kLimits;

Count over_ranks(Count mine, MPI_Op op) {
  Count all = 0;
  PMPI_Allreduce(&mine, &all, 1, MPI_UNSIGNED_LONG_LONG, op, MPI_COMM_WORLD);
  return all;
}

/// The most that a rank has counted during `call`.
template <class Call>
Count collectives_of(Call&& call) {
  const Count before = mpi_counts.collectives;
  call();
  return over_ranks(mpi_counts.collectives - before, MPI_MAX);
}

/// Of all ranks together.
template <class Call>
Count collectives_of_all(Call&& call) {
  const Count before = mpi_counts.collectives;
  call();
  return over_ranks(mpi_counts.collectives - before, MPI_SUM);
}

template <class Call>
void check_cost(const std::string& what, Count limit, Call&& call) {
  const Count cost = collectives_of(call);
  if (cost > limit && par::rank() == 0)
    std::fprintf(stderr, "%s: %llu collective calls, at most %llu are allowed\n", what.c_str(),
                 cost, limit);
  CHECK(cost <= limit);
  // A counter that sees nothing proves nothing. (By the board agreements are no calls of MPI.)
  if (limit == kLimits.create || limit == kLimits.open) CHECK(cost > 0);
}

struct Selected {
  Id file, memory;
};

Selected my_cells(hsize_t count = kCells) {
  const hsize_t all = count * static_cast<hsize_t>(par::size()),
                start = count * static_cast<hsize_t>(par::rank());
  Selected cells{Id(H5Screate_simple(1, &all, nullptr)), Id(H5Screate_simple(1, &count, nullptr))};
  H5Sselect_hyperslab(cells.file, H5S_SELECT_SET, &start, nullptr, &count, nullptr);
  return cells;
}

Id collective_list() {
  Id list(H5Pcreate(H5P_DATASET_XFER));
  H5Pset_dxpl_mpio(list, H5FD_MPIO_COLLECTIVE);
  return list;
}

void write_or_read(hid_t set, bool writes, hsize_t count = kCells) {
  const Selected cells = my_cells(count);
  const Id list(collective_list());
  std::vector<int> values(count, par::rank() + 1);
  const herr_t done =
      writes ? H5Dwrite(set, H5T_NATIVE_INT, cells.memory, cells.file, list, values.data())
             : H5Dread(set, H5T_NATIVE_INT, cells.memory, cells.file, list, values.data());
  CHECK(done >= 0);
  for (const int value : values) CHECK(value == par::rank() + 1);
}

/// So many that there is a board in the end; it is made in one of them.
void write_often(hid_t set, const std::string& when) {
  Count more = 0;
  for (int i = 0; i < 20; ++i) {
    const Count cost = collectives_of([&] { write_or_read(set, true); });
    if (cost > kLimits.transfer) more += cost - kLimits.transfer;
  }
  const Count allowed = has_node_boards() ? kLimits.making_boards
                        : has_board       ? kLimits.making_board
                                          : 0;
  if (more > allowed && par::rank() == 0)
    std::fprintf(stderr, "%sH5Dwrite: %llu collective calls more than allowed\n", when.c_str(),
                 more - allowed);
  CHECK(more <= allowed);
  const Count of_all = collectives_of_all([&] { write_or_read(set, true); });
  const int who = !has_board ? par::size() : nodes > 1 ? nodes : par::size() > 1 ? 0 : 1;
  // Where there is a board only leaders of nodes send anything.
  if (of_all > kLimits.transfer * static_cast<Count>(who) && par::rank() == 0)
    std::fprintf(stderr, "%sH5Dwrite: %llu collective calls of all ranks\n", when.c_str(), of_all);
  CHECK(of_all <= kLimits.transfer * static_cast<Count>(who));
}

Id close_and_reopen(Id file, const std::string& path, unsigned flags, hid_t access,
                    const std::string& when, bool wrote) {
  const Count more = wrote && has_node_boards() ? kLimits.freeing_boards : 0;
  check_cost(when + "H5Fclose", kLimits.close + more, [&] { CHECK(file.close() >= 0); });
  Id again;
  const Count reads = mpi_counts.read_at;
  check_cost(when + "H5Fopen", kLimits.open,
             [&] { again = Id(H5Fopen(path.c_str(), flags, access)); });
  CHECK(again.valid());
  // One rank reads for all; one of each other node looks whether it sees the same.
  CHECK(over_ranks(mpi_counts.read_at > reads ? 1 : 0, MPI_SUM) <= static_cast<Count>(nodes));
  return again;
}

/// One life of a file; `when` for messages.
void live_once(const std::string& path, hid_t access, const std::string& when) {
  Id file;
  check_cost(when + "H5Fcreate", kLimits.create,
             [&] { file = Id(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access)); });
  CHECK(file.valid());
  const Selected cells = my_cells();
  Id set(H5Dcreate2(file, "x", H5T_NATIVE_INT, cells.file, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  CHECK(set.valid());
  write_often(set, when);
  for (const char* what : {"H5Fflush with changes", "H5Fflush without"}) {
    const Count syncs = mpi_counts.fsyncs;
    check_cost(when + what, kLimits.flush, [&] { CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0); });
    // The cache of each node goes to the storage, once.
    CHECK(over_ranks(mpi_counts.fsyncs - syncs, MPI_SUM) == static_cast<Count>(nodes));
  }
  CHECK(set.close() >= 0);
  bool wrote = true;
  for (const unsigned flags : {H5F_ACC_RDONLY, H5F_ACC_RDWR, H5F_ACC_RDONLY}) {
    file =
        close_and_reopen(std::move(file), path, flags, access, when, std::exchange(wrote, false));
    Id again(H5Dopen2(file, "x", H5P_DEFAULT));
    for (int i = 0; i < 2; ++i)
      check_cost(when + "H5Dread", kLimits.transfer, [&] { write_or_read(again, false); });
  }
  check_cost(when + "H5Fclose", kLimits.close, [&] { CHECK(file.close() >= 0); });
}

void live_with(const char* checks, const char* word, int of_nodes = 1) {
  const std::string path = par::file_name(word);
  nodes = std::min(of_nodes, par::size());
  has_board = checks == nullptr || std::string(checks) != "messages";
  unsetenv("PCIO_CHECK");
  if (checks != nullptr) setenv("PCIO_CHECK", checks, 1);
  {
    const Id access(par::mpio_access());
    // Once for a process it is tried whether holes read as zero.
    Id first(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
    CHECK(first.close() >= 0);
    // The second one finds a file to empty.
    for (const char* when : {"first file: ", "second file: "})
      live_once(path, access, std::string(word) + ", " + when);
  }
  unsetenv("PCIO_CHECK");
}

/// `cells` of each rank are exchanged; how many calls that may take in all: of each rank, and of all behind the boards.
void exchange_small(hsize_t cells, Count limit, Count of_all) {
  const std::string path = par::file_name("small");
  const Id access(par::mpio_access());
  H5Pset_alignment(access, 1, 4096);
  const Id file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
  const Selected mine = my_cells(cells);
  const Id set(
      H5Dcreate2(file, "x", H5T_NATIVE_INT, mine.file, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  CHECK(set.valid());
  const auto write = [&] { write_or_read(set, true, cells); };
  const Count memory = par::size() > nodes ? kLimits.sharing_memory : 0;
  check_cost("first exchange: ", limit + memory, write);
  check_cost("second exchange: ", limit, write);
  for (int i = 0; i < 16; ++i) CHECK(pcio_agree(file, 0, 0, nullptr, nullptr) >= 0);
  const Count cost = collectives_of_all(write);
  if (cost > of_all && par::rank() == 0)
    std::fprintf(stderr, "exchange by boards: %llu collective calls, %llu are allowed\n", cost,
                 of_all);
  CHECK(cost <= of_all);
  write_or_read(set, false, cells);
}

}  // namespace

CASE(exchanges_between_nodes_are_few_calls) {
  setenv("PCIO_CHECK", "nodes:2", 1);
  setenv("PCIO_TRANSPORT", "exchange", 1);
  nodes = std::min(2, par::size());
  const auto leaders = static_cast<Count>(nodes), ranks = static_cast<Count>(par::size());
  if (par::size() > 2) {
    exchange_small(
        1024, kLimits.exchange,
        leaders * kLimits.exchange_of_leader + (ranks - leaders) * kLimits.exchange_of_others);
    // All that a rank has stays on its node: leaders have five calls and all one meeting.
    exchange_small(kCells, kLimits.near_exchange, leaders * 5 + ranks);
  }
  unsetenv("PCIO_TRANSPORT");
  unsetenv("PCIO_CHECK");
}

CASE(a_close_makes_no_boards) {
  // Whichever of the file's agreements are those of its close: it costs what that of a new file costs.
  for (const int of_nodes : {1, 2}) {
    if (of_nodes == 2) setenv("PCIO_CHECK", "nodes:2", 1);
    const std::string path = par::file_name("close");
    const Id access(par::mpio_access());
    Count limit = 0;
    for (int before = 0; before <= 16; ++before) {
      Id file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
      for (int i = 0; i < before; ++i) CHECK(pcio_agree(file, 0, 0, nullptr, nullptr) >= 0);
      const Count cost = collectives_of([&] { CHECK(file.close() >= 0); });
      if (before == 0)
        limit = cost + (of_nodes == 2 && par::size() > 2 ? kLimits.freeing_boards : 0);
      if (cost > limit && par::rank() == 0)
        std::fprintf(stderr, "behind %d agreements: H5Fclose: %llu collective calls\n", before,
                     cost);
      CHECK(cost <= limit);
    }
    unsetenv("PCIO_CHECK");
  }
}

CASE(calls_are_few_by_the_board) { live_with(nullptr, "board"); }

CASE(calls_are_few_by_messages) { live_with("messages", "messages"); }

CASE(calls_are_few_between_nodes) { live_with("nodes:2", "nodes", 2); }

#endif
