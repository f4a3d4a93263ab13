// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Cells of the fault matrix: one collective transfer in which something fails, and its judgement.
// Room: testpar, public headers only.

#ifndef PCIO_TESTPAR_FAULTS_CELLS_HPP
#define PCIO_TESTPAR_FAULTS_CELLS_HPP

#include <functional>
#include <pcio.h>
#include <string>
#include <vector>

#include "inject.hpp"
#include "testpar/pattern.hpp"

namespace faults {

using inject::Fault;
using par::Id;

constexpr double kSeconds = 5.0;  // within which an error must be there
extern const std::vector<hsize_t> kDims;

/// Printed at the end of the program.
struct Counts {
  long cells = 0, struck = 0, failures = 0;
};
extern Counts counts;

/// Names the cell that runs, for all messages, and counts it.
void begin_cell(const std::string& name);
/// What runs between these is given up, by name, after 20 seconds.
void begin_watch();
void end_watch();
/// Collective: judges one thing on all ranks; the ranks where it is not so say what.
bool judge(bool good, const std::string& what);
/// One step in which the fault strikes at its nth chance on one rank; true if it did. All ranks must
/// fail then, unless the memory that was not there may not have been needed. Collective.
struct Strike {
  std::string name;
  Fault fault = Fault::kNone;
  std::uint64_t position = 0;
  int culprit = 0;  ///< par::size(): every rank
  std::string file;
};
bool strike(const Strike& what, const std::function<bool()>& step);
/// PCIO_LONG: all of the matrix, else a sample.
bool whole_matrix();
/// The ranks that fail, one after another: each, or in the sample one, another one each time until all had their turn,
/// in an order that PCIO_SEED draws. PCIO_CULPRIT: that one. Collective.
std::vector<int> culprits();

// ---- ways of transfer --------------------------------------------------------------------------

struct Way {
  const char* name;
  bool chunked;
  H5FD_mpio_chunk_opt_t option;
  unsigned ratio;
};
extern const std::vector<Way> kWays;
/// The transports that `writes` (or reads) can be trusted with here.
std::vector<pcio_transport_t> transports(bool writes);
Id list_for(const Way& way, pcio_transport_t transport);

// ---- the file ----------------------------------------------------------------------------------

/// A file with "before", which nobody touches again, and "data", flushed.
struct Victim {
  std::string name;
  Id file, data;
};
Id create_set(hid_t file, const char* name, bool chunked);
/// Integers with the fill value 7, in chunks of `chunk` (unlimited) or, where that is 0, contiguous.
struct FilledSet {
  hsize_t size = 0, chunk = 0;
  hid_t access = H5P_DEFAULT;
};
Id create_filled(hid_t file, const char* name, const FilledSet& set);
par::Transfer rows(int generation);
Victim make_victim(bool chunked, const std::string& name);
/// Closes and opens again, for reading and writing.
void reopen(Victim& victim);
/// Rank 0 opens the file without MPI: "before" is whole. `generation` of "data", 0: any values.
void check_file(const std::string& name, int generation);
/// Closes, which must succeed, checks as check_file, and removes the file.
void close_victim(Victim& victim, int generation);
void remove_file(const std::string& name);

// ---- cells -------------------------------------------------------------------------------------

enum class Wrong { kNothing, kCounts, kOutside, kType, kNoBuffer, kBadSpace };
const char* name_of(Wrong wrong);

/// Buffers and spaces of one collective transfer of rows; made before a fault is armed.
struct Attempt {
  Id space, memory, type, list;
  std::vector<double> values;
  void* buffer = nullptr;
  std::string text;  // of the error, where a later call would wipe it out

  Attempt(hid_t data, Id transfer_list, int generation, Wrong wrong);
  bool move(hid_t data, bool write);
};

struct Cell {
  const Way* way;
  pcio_transport_t transport;
  bool write;
  int culprit;  // -1: all ranks
  const char* fault_name;
  Wrong wrong = Wrong::kNothing;
  Fault fault = Fault::kNone;
  std::uint64_t position = 0;
};

/// Does the transfer of the cell; true if a fault struck on some rank.
///
/// Where it did, all ranks must have failed, and where one rank made a mistake, all know which.
bool run_cell(Victim& victim, const Cell& cell);
/// The file is as good as before: the same transfer succeeds, and gives the right values.
void try_again(Victim& victim, const Cell& cell);
/// Calls `body` for each way, transport and rank, with a fresh file for each way and transport,
/// which must be good at the end.
void for_each_way(const char* word, bool writes, const std::function<void(Victim&, Cell)>& body);

}  // namespace faults

#endif
