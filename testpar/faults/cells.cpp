// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// The frame of the fault matrix. Room: testpar, public headers only.

#include "cells.hpp"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <random>
#include <unistd.h>

#include <mpi.h>

#include "testpar/views.hpp"

namespace faults {

const std::vector<hsize_t> kDims = {24, 20};

// ---- counts and judgement ----------------------------------------------------------------------

Counts counts;

namespace {

constexpr unsigned kHangSeconds = 20;
char cell_name[200];

struct Summary {
  ~Summary() {
    if (par::rank() == 0)
      std::printf("fault matrix on %d ranks: %ld cells, %ld faults struck, %ld failures\n",
                  par::size(), counts.cells, counts.struck, counts.failures);
  }
} summary;

void hangs(int) {
  (void)!write(STDERR_FILENO, "HANGS: ", 7);
  (void)!write(STDERR_FILENO, cell_name, std::strlen(cell_name));
  (void)!write(STDERR_FILENO, "\n", 1);
  _exit(9);
}

}  // namespace

void begin_cell(const std::string& name) {
  ++counts.cells;
  std::snprintf(cell_name, sizeof cell_name, "%s", name.c_str());
  // For a cell that MPI itself ends.
  if (par::rank() == 0 && std::getenv("PCIO_FAULTS_VERBOSE") != nullptr)
    std::fprintf(stderr, "cell: %s\n", cell_name);
}

void begin_watch() {
  std::signal(SIGALRM, hangs);
  alarm(kHangSeconds);
}

void end_watch() { alarm(0); }

bool judge(bool good, const std::string& what) {
  if (par::all(good)) return true;
  if (!good) par::failed_check((std::string(cell_name) + ": " + what).c_str(), "cell", 0);
  ++counts.failures;
  return false;
}

bool strike(const Strike& what, const std::function<bool()>& step) {
  begin_cell(what.name + ", " + std::to_string(what.position) + ", rank " +
             std::to_string(what.culprit));
  MPI_Barrier(MPI_COMM_WORLD);
  begin_watch();
  if (par::rank() == what.culprit || what.culprit == par::size())
    inject::arm(what.fault, what.position, what.file);
  const bool done = step();
  const bool struck = par::any(inject::disarm());
  end_watch();
  if (struck) ++counts.struck;
  judge(done == par::any(done), "it succeeds on some ranks only");
  const bool of_memory = what.fault == Fault::kNoPlacingMemory || what.fault == Fault::kNoBlock;
  if (struck && !of_memory) judge(!done, "a failure is called a success");
  if (!struck) judge(done, "no fault, but it failed");
  return struck;
}

bool whole_matrix() { return std::getenv("PCIO_LONG") != nullptr; }

std::vector<int> culprits() {
  if (const char* const only = std::getenv("PCIO_CULPRIT")) return {std::atoi(only) % par::size()};
  std::vector<int> list(static_cast<std::size_t>(par::size()));
  std::iota(list.begin(), list.end(), 0);
  if (whole_matrix()) return list;
  static const char* const asked = std::getenv("PCIO_SEED");
  static std::mt19937 random(asked != nullptr ? static_cast<unsigned>(std::atoll(asked)) : 1);
  static std::vector<int> left;
  if (left.empty()) {
    left = list;
    std::shuffle(left.begin(), left.end(), random);
  }
  const int next = left.back();
  left.pop_back();
  return {next};
}

// ---- ways of transfer --------------------------------------------------------------------------

const std::vector<Way> kWays = {{"contiguous", false, H5FD_MPIO_CHUNK_DEFAULT, 0},
                                {"automatic", true, H5FD_MPIO_CHUNK_DEFAULT, 60},
                                {"link", true, H5FD_MPIO_CHUNK_ONE_IO, 0},
                                {"multi, all collective", true, H5FD_MPIO_CHUNK_MULTI_IO, 0},
                                {"multi, mixed", true, H5FD_MPIO_CHUNK_MULTI_IO, 60},
                                {"atonce", true, H5FD_MPIO_COLL_CHUNK_ATONCE_IO, 30},
                                {"all independent", true, H5FD_MPIO_ALL_CHUNK_IND_IO, 0},
                                {"no-opt", true, PCIO_MPIO_CHUNK_MULTI_NO_OPT_IO, 0}};
namespace {

/// Runs of the matrix in which chunked datasets have filters.
bool filtered_sets() { return std::getenv("PCIO_FAULTS_FILTERED") != nullptr; }

/// On ompio a collective write says that it wrote all, whatever happened: with a view, nobody can
/// know of a full disk. ROMIO's own loop over the pieces of a single rank never ends on one.
bool collective_writes_tell_the_truth() {
  if (par::size() == 1) return false;
  const char* const component = std::getenv("OMPI_MCA_io");
  const char* const flavor = std::getenv("MPI_FLAVOR");
  if (flavor != nullptr && std::strcmp(flavor, "openmpi") != 0) return true;
  return component != nullptr && std::strncmp(component, "romio", 5) == 0;
}

}  // namespace

std::vector<pcio_transport_t> transports(bool writes) {
  // Chunks with filters have owners, whatever is asked for.
  if (filtered_sets()) return {PCIO_TRANSPORT_EXCHANGE};
  std::vector<pcio_transport_t> list = {PCIO_TRANSPORT_DIRECT, PCIO_TRANSPORT_EXCHANGE};
  if (!views_are_possible()) return list;
  if (!writes || collective_writes_tell_the_truth()) list.push_back(PCIO_TRANSPORT_VIEW);
  return list;
}

Id list_for(const Way& way, pcio_transport_t transport) {
  Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  if (way.chunked) CHECK(H5Pset_dxpl_mpio_chunk_opt(list, way.option) >= 0);
  if (way.chunked) CHECK(H5Pset_dxpl_mpio_chunk_opt_ratio(list, way.ratio) >= 0);
  CHECK(pcio_set_dxpl_transport(list, transport) >= 0);
  return list;
}

// ---- the file ----------------------------------------------------------------------------------

Id create_filled(hid_t file, const char* name, const FilledSet& set) {
  const hsize_t most = H5S_UNLIMITED;
  const Id space(H5Screate_simple(1, &set.size, set.chunk > 0 ? &most : nullptr));
  const Id list(H5Pcreate(H5P_DATASET_CREATE));
  const int seven = 7;
  CHECK(H5Pset_fill_value(list, H5T_NATIVE_INT, &seven) >= 0);
  if (set.chunk > 0) CHECK(H5Pset_chunk(list, 1, &set.chunk) >= 0);
  return Id(H5Dcreate2(file, name, H5T_NATIVE_INT, space, H5P_DEFAULT, list, set.access));
}

Id create_set(hid_t file, const char* name, bool chunked) {
  const Id space(H5Screate_simple(2, kDims.data(), nullptr)), list(H5Pcreate(H5P_DATASET_CREATE));
  const hsize_t chunk[2] = {5, 6};
  if (chunked) CHECK(H5Pset_chunk(list, 2, chunk) >= 0);
  if (chunked && filtered_sets()) CHECK(H5Pset_shuffle(list) >= 0 && H5Pset_deflate(list, 1) >= 0);
  return Id(H5Dcreate2(file, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, list, H5P_DEFAULT));
}

par::Transfer rows(int generation) {
  par::Transfer transfer;
  transfer.pattern = par::Pattern::kCyclic;
  transfer.generation = generation;
  transfer.who = par::rank();
  return transfer;
}

Victim make_victim(bool chunked, const std::string& name) {
  Victim victim;
  victim.name = name;
  const Id access(par::mpio_access());
  victim.file = Id(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
  const Id before = create_set(victim.file, "before", true);
  victim.data = create_set(victim.file, "data", chunked);
  CHECK(par::write_part(before, kDims, rows(1)));
  CHECK(par::write_part(victim.data, kDims, rows(1)));
  CHECK(H5Fflush(victim.file, H5F_SCOPE_GLOBAL) >= 0);
  return victim;
}

void reopen(Victim& victim) {
  CHECK(victim.data.close() >= 0 && victim.file.close() >= 0);
  const Id access(par::mpio_access());
  victim.file = Id(H5Fopen(victim.name.c_str(), H5F_ACC_RDWR, access));
  victim.data = Id(H5Dopen2(victim.file, "data", H5P_DEFAULT));
}

void check_file(const std::string& name, int generation) {
  bool good = true;
  if (par::rank() == 0) {
    const Id file(H5Fopen(name.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
    good = file.valid();
    for (const char* const set_name : {"before", "data"}) {
      const Id set(H5Dopen2(file, set_name, H5P_DEFAULT));
      std::vector<double> values(static_cast<std::size_t>(kDims[0] * kDims[1]), -1);
      good = good &&
             H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0;
      const int wanted = set_name[0] == 'b' ? 1 : generation;
      for (std::size_t i = 0; i < values.size() && wanted != 0; ++i)
        good = good && values[i] == par::value_of(i, wanted);
    }
  }
  judge(good, "the file does not show what was flushed");
}

// ---- one transfer with something wrong ---------------------------------------------------------

const char* name_of(Wrong wrong) {
  static const char* const kNames[] = {
      "nothing",   "counts differ", "outside the extent", "no such conversion",
      "no buffer", "no dataspace"};
  return kNames[static_cast<int>(wrong)];
}

Attempt::Attempt(hid_t data, Id transfer_list, int generation, Wrong wrong)
    : list(std::move(transfer_list)) {
  space = Id(H5Dget_space(data));
  const std::vector<hsize_t> order = par::select(space, par::Pattern::kCyclic, par::rank(), kDims);
  hsize_t n = order.size() + (wrong == Wrong::kCounts ? 1 : 0);
  for (const hsize_t element : order) values.push_back(par::value_of(element, generation));
  values.resize(values.size() + 2, 0.0);
  buffer = wrong == Wrong::kNoBuffer ? nullptr : values.data();
  if (wrong == Wrong::kOutside) {
    const hssize_t beyond[2] = {20, 0};
    CHECK(H5Soffset_simple(space, beyond) >= 0);
  }
  type = Id(H5Tcopy(wrong == Wrong::kType ? H5T_C_S1 : H5T_NATIVE_DOUBLE));
  if (wrong == Wrong::kType) CHECK(H5Tset_size(type, 8) >= 0);
  memory = Id(H5Screate_simple(1, &n, nullptr));
  if (n == 0) CHECK(H5Sselect_none(memory) >= 0);
  if (wrong == Wrong::kBadSpace) memory = Id(H5Tcopy(H5T_NATIVE_INT));
}

bool Attempt::move(hid_t data, bool write) {
  return write ? H5Dwrite(data, type, memory, space, list, buffer) >= 0
               : H5Dread(data, type, memory, space, list, buffer) >= 0;
}

bool run_cell(Victim& victim, const Cell& cell) {
  begin_cell(std::string(cell.write ? "write" : "read") + " of " + cell.way->name + " by " +
             pcio_transport_name(cell.transport) + ": " + cell.fault_name + " " +
             std::to_string(cell.position) + ", rank " + std::to_string(cell.culprit));
  const bool mine = cell.culprit < 0 || par::rank() == cell.culprit;
  Attempt attempt(victim.data, list_for(*cell.way, cell.transport), 2,
                  mine ? cell.wrong : Wrong::kNothing);
  if (!cell.write) std::fill(attempt.values.begin(), attempt.values.end() - 2, -5.0);
  MPI_Barrier(MPI_COMM_WORLD);
  begin_watch();
  const double began = MPI_Wtime();
  if (mine && cell.fault != Fault::kNone) inject::arm(cell.fault, cell.position, victim.name);
  const bool done = attempt.move(victim.data, cell.write);
  const bool struck_here = inject::disarm() || (mine && cell.wrong != Wrong::kNothing);
  const double took = MPI_Wtime() - began;
  const std::string text = par::error_text();
  end_watch();
  const bool struck = par::any(struck_here);
  judge(took < kSeconds, "it took more than 5 seconds");
  if (!struck) {
    judge(done, "no fault, but the transfer failed: " + text);
    return false;
  }
  ++counts.struck;
  // A read that can do without that memory, on all ranks, has the right elements.
  if (cell.fault == Fault::kNoMemory && !cell.write && par::all(done)) {
    const auto has = [&](int generation) {
      return attempt.values ==
             Attempt(victim.data, Id(H5Pcreate(H5P_DATASET_XFER)), generation, Wrong::kNothing)
                 .values;
    };
    judge(has(1) || has(2), "a fault on one rank, a success on all, and other elements");
    return true;
  }
  if (!judge(!done, "a fault on one rank, but this rank calls it a success")) return true;
  // An owner of bytes may fail for another rank, so only a rank's own mistakes have its number.
  const bool named = text.find("rank " + std::to_string(cell.culprit)) != std::string::npos;
  judge(named || mine || cell.wrong == Wrong::kNothing, "the error does not name the rank");
  judge(!text.empty(), "no error text");
  return true;
}

void try_again(Victim& victim, const Cell& cell) {
  Attempt write(victim.data, list_for(*cell.way, cell.transport), 2, Wrong::kNothing);
  bool good = write.move(victim.data, true);
  Attempt read(victim.data, list_for(*cell.way, PCIO_TRANSPORT_DIRECT), 2, Wrong::kNothing);
  const std::vector<double> wanted = read.values;
  std::fill(read.values.begin(), read.values.end() - 2, -5.0);
  good = read.move(victim.data, false) && good;
  judge(good && read.values == wanted, "it does not work afterwards: " + par::error_text());
}

void close_victim(Victim& victim, int generation) {
  const bool closed = victim.data.close() >= 0 && victim.file.close() >= 0;
  judge(closed, "the file does not close: " + par::error_text());
  check_file(victim.name, generation);
  remove_file(victim.name);
}

void remove_file(const std::string& name) {
  if (par::rank() == 0) std::remove(name.c_str());
  MPI_Barrier(MPI_COMM_WORLD);
}

void for_each_way(const char* word, bool writes, const std::function<void(Victim&, Cell)>& body) {
  for (const Way& way : kWays)
    for (const pcio_transport_t transport : transports(writes)) {
      Victim victim = make_victim(way.chunked, par::file_name(word));
      for (const int culprit : culprits())
        body(victim, Cell{&way, transport, true, culprit, "", Wrong::kNothing, Fault::kNone, 0});
      close_victim(victim, 2);
    }
}

}  // namespace faults
