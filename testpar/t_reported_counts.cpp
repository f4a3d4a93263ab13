// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Reports beside what MPI was really asked for: over a matrix of transfers the report's counts
// equal those of an interposer (mpi_counts.c), and a dry run before equals both. Room: testpar,
// public headers only.
//
// PCIO_COUNTS_SEED and PCIO_COUNTS_CASES choose other cases; PCIO_COUNTS_TOTALS names a file for
// what MPI was asked for in all transfers together, which report.sh compares with the log. Each
// value of each dimension occurs about equally often; one that does not occur is a failure. Rank 0
// prints one summary line.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>

#include "mpi_counts.h"
#include "pattern.hpp"

#ifdef PCIO_VERSION

using par::Id;
using par::Pattern;

namespace {

constexpr int kDefaultCases = 64;  // each is a write and a read

enum Dimension {
  kLayout,
  kRequest,
  kRatio,
  kNumber,
  kTransport,
  kPattern,
  kForm,
  kType,
  kExtent,
  kMemory,
  kBound,
  kDimensions
};
struct Names {
  const char* dimension;
  std::vector<const char*> values;
};
const Names kNames[kDimensions] = {
    {"layout", {"contiguous", "tiles", "one chunk", "rows", "columns"}},
    {"request",
     {"independent", "automatic", "individual", "one", "multi", "at once", "all ind", "no opt"}},
    {"ratio", {"0", "40", "60", "100"}},
    {"number", {"0", "3", "1000"}},
    {"transport", {"automatic", "direct", "view", "exchange"}},
    {"pattern",
     {"rows", "columns", "cyclic", "cells", "points", "one rank", "last empty", "everybody"}},
    {"form", {"dense", "column", "shifted"}},
    {"type", {"double", "int", "member"}},
    {"extent", {"13x11", "64x50", "7x200", "300x400"}},
    {"memory", {"16 MiB", "1 MiB"}},
    {"bound", {"earliest", "latest"}}};

/// One number per dimension, an index into its values.
struct Case {
  int at[kDimensions] = {};
  const char* name(Dimension d) const { return kNames[d].values[static_cast<std::size_t>(at[d])]; }
  std::string text() const {
    std::string all;
    for (int d = 0; d < kDimensions; ++d) all += std::string(d ? ", " : "") + name(Dimension(d));
    return all;
  }
};

int environment_number(const char* name, int otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::atoi(text) : otherwise;
}

/// Each dimension runs through its values in an order of its own, again and again.
std::vector<Case> make_cases(unsigned seed, int count) {
  std::mt19937 random(seed);
  std::vector<Case> cases(static_cast<std::size_t>(count));
  for (int d = 0; d < kDimensions; ++d) {
    std::vector<int> order(kNames[d].values.size());
    std::size_t next = order.size();
    for (Case& one : cases) {
      if (next == order.size()) {
        for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
        std::shuffle(order.begin(), order.end(), random);
        next = 0;
      }
      one.at[d] = order[next++];
    }
  }
  return cases;
}

std::vector<hsize_t> dims_of(const Case& c) {
  const std::vector<hsize_t> all[] = {{13, 11}, {64, 50}, {7, 200}, {300, 400}};
  return all[c.at[kExtent]];
}

std::vector<hsize_t> chunk_of(const Case& c) {
  const std::vector<hsize_t> dims = dims_of(c);
  switch (c.at[kLayout]) {
    case 1: return {dims[0] / 3, dims[1] / 4};
    case 2: return dims;
    case 3: return {1, dims[1]};
    case 4: return {dims[0], 2};
    default: return {};
  }
}

/// Elements of a pair, or of its first half alone, which in memory is a double.
hid_t pair_type(bool both) {
  const hid_t type = H5Tcreate(H5T_COMPOUND, both ? 16 : 8);
  H5Tinsert(type, "a", 0, H5T_NATIVE_DOUBLE);
  if (both) H5Tinsert(type, "b", 8, H5T_NATIVE_DOUBLE);
  return type;
}

hid_t create_dataset(hid_t file, const Case& c, const std::string& name) {
  const Id create(H5Pcreate(H5P_DATASET_CREATE));
  const std::vector<hsize_t> dims = dims_of(c), chunk = chunk_of(c);
  if (!chunk.empty()) H5Pset_chunk(create, static_cast<int>(chunk.size()), chunk.data());
  const Id space(H5Screate_simple(static_cast<int>(dims.size()), dims.data(), nullptr));
  if (c.at[kType] != 2)
    return H5Dcreate2(file, name.c_str(), H5T_IEEE_F64LE, space, H5P_DEFAULT, create, H5P_DEFAULT);
  const hid_t pair = pair_type(true);
  const hid_t dataset =
      H5Dcreate2(file, name.c_str(), pair, space, H5P_DEFAULT, create, H5P_DEFAULT);
  H5Tclose(pair);
  return dataset;
}

hid_t list_of(const Case& c) {
  static const H5FD_mpio_chunk_opt_t kOptions[] = {
      H5FD_MPIO_CHUNK_DEFAULT,    H5FD_MPIO_CHUNK_DEFAULT,        H5FD_MPIO_CHUNK_DEFAULT,
      H5FD_MPIO_CHUNK_ONE_IO,     H5FD_MPIO_CHUNK_MULTI_IO,       H5FD_MPIO_COLL_CHUNK_ATONCE_IO,
      H5FD_MPIO_ALL_CHUNK_IND_IO, PCIO_MPIO_CHUNK_MULTI_NO_OPT_IO};
  static const unsigned kRatios[] = {0, 40, 60, 100}, kNumbers[] = {0, 3, 1000};
  const hid_t list =
      par::transfer_list(c.at[kRequest] == 0 ? H5FD_MPIO_INDEPENDENT : H5FD_MPIO_COLLECTIVE);
  if (c.at[kRequest] == 2) H5Pset_dxpl_mpio_collective_opt(list, H5FD_MPIO_INDIVIDUAL_IO);
  H5Pset_dxpl_mpio_chunk_opt(list, kOptions[c.at[kRequest]]);
  H5Pset_dxpl_mpio_chunk_opt_ratio(list, kRatios[c.at[kRatio]]);
  H5Pset_dxpl_mpio_chunk_opt_num(list, kNumbers[c.at[kNumber]]);
  pcio_set_dxpl_transport(list, static_cast<pcio_transport_t>(c.at[kTransport]));
  pcio_set_dxpl_report_chunks(list, 1);
  if (c.at[kMemory] == 1) pcio_set_dxpl_exchange_memory(list, 1U << 20);
  return list;
}

// ---- comparisons -------------------------------------------------------------------------------

using Number = unsigned long long;
struct Row {
  const char* what;
  Number report, other;
};

/// Counts the rows that differ, and tells what they say.
int compare(const char* with, const std::vector<Row>& rows, const std::string& where) {
  int wrong = 0;
  for (const Row& row : rows) {
    if (row.report == row.other) continue;
    ++wrong;
    std::fprintf(stderr, "rank %d: %s: %s: report %llu, %s %llu\n", par::rank(), where.c_str(),
                 row.what, row.report, with, row.other);
  }
  return wrong;
}

mpi_counts_t since(const mpi_counts_t& before) {
  mpi_counts_t d = mpi_counts;
  d.write_at -= before.write_at;
  d.read_at -= before.read_at;
  d.write_at_all -= before.write_at_all;
  d.read_at_all -= before.read_at_all;
  d.set_view -= before.set_view;
  d.other_io -= before.other_io;
  d.bytes_written -= before.bytes_written;
  d.bytes_read -= before.bytes_read;
  d.messages_sent -= before.messages_sent;
  d.bytes_sent -= before.bytes_sent;
  d.bytes_broadcast -= before.bytes_broadcast;
  d.reductions -= before.reductions;
  return d;
}

/// What all transfers of this rank asked MPI for, the log's other side.
struct Totals {
  Number collective = 0, independent = 0;  // transfers
  mpi_counts_t mpi{};
  void add(const mpi_counts_t& d, bool is_collective) {
    ++(is_collective ? collective : independent);
    mpi.write_at += d.write_at;
    mpi.read_at += d.read_at;
    mpi.write_at_all += d.write_at_all;
    mpi.read_at_all += d.read_at_all;
    mpi.set_view += d.set_view;
    mpi.bytes_written += d.bytes_written;
    mpi.bytes_read += d.bytes_read;
  }
};
Totals totals;

/// Rank 0 writes the sums over the ranks; collective transfers count once.
void write_totals(const char* name) {
  const mpi_counts_t& m = totals.mpi;
  Number mine[] = {par::rank() == 0 ? totals.collective : 0,
                   totals.independent,
                   m.write_at,
                   m.read_at,
                   m.write_at_all,
                   m.read_at_all,
                   m.set_view,
                   m.bytes_written,
                   m.bytes_read};
  const char* const names[] = {"collective",        "independent",       "independent_writes",
                               "independent_reads", "collective_writes", "collective_reads",
                               "view_changes",      "bytes_written",     "bytes_read"};
  MPI_Allreduce(MPI_IN_PLACE, mine, 9, MPI_UNSIGNED_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
  if (par::rank() != 0) return;
  std::FILE* file = std::fopen(name, "w");
  CHECK(file != nullptr);
  if (file == nullptr) return;
  for (int i = 0; i < 9; ++i) std::fprintf(file, "%s %llu\n", names[i], mine[i]);
  CHECK(std::fclose(file) == 0);
}

int compare_with_mpi(const pcio_transfer_report_t& r, const mpi_counts_t& d,
                     const std::string& where) {
  // Ranks that share memory need no messages for what they bring to each other.
  const bool shared = d.messages_sent == 0 && r.transport == PCIO_TRANSPORT_EXCHANGE &&
                      std::getenv("PCIO_CHECK") == nullptr;
  return compare(
      "MPI",
      {{"independent writes", r.independent_writes, d.write_at},
       {"independent reads", r.independent_reads, d.read_at},
       {"collective writes", r.collective_writes, d.write_at_all},
       {"collective reads", r.collective_reads, d.read_at_all},
       {"view changes", r.view_changes, d.set_view},
       {"other calls", 0, d.other_io},
       {"bytes written", r.bytes_written, d.bytes_written},
       {"bytes read", r.bytes_read, d.bytes_read},
       {"messages sent", r.messages_sent, shared ? r.messages_sent : d.messages_sent},
       {"bytes sent", r.bytes_sent, shared ? r.bytes_sent : d.bytes_sent + d.bytes_broadcast}},
      where);
}

int compare_with_plan(const pcio_transfer_report_t& r, const pcio_transfer_report_t& p,
                      const std::string& where) {
  return compare(
      "dry run",
      {{"direction", r.direction, p.direction},
       {"mode", static_cast<Number>(r.actual_io_mode), static_cast<Number>(p.actual_io_mode)},
       {"chunk option", static_cast<Number>(r.actual_chunk_opt_mode),
        static_cast<Number>(p.actual_chunk_opt_mode)},
       {"transport", r.transport, p.transport},
       {"reason", std::string(r.transport_why) == p.transport_why, 1},
       {"local causes", r.local_causes, p.local_causes},
       {"global causes", r.global_causes, p.global_causes},
       {"traits", r.traits, p.traits},
       {"bytes selected", r.bytes_selected, p.bytes_selected},
       {"chunks", r.chunks_touched, p.chunks_touched},
       {"collective chunks", r.chunks_collective, p.chunks_collective},
       {"independent chunks", r.chunks_independent, p.chunks_independent},
       {"untouched chunks", r.chunks_untouched, p.chunks_untouched},
       {"independent writes", r.independent_writes, p.independent_writes},
       {"independent reads", r.independent_reads, p.independent_reads},
       {"collective writes", r.collective_writes, p.collective_writes},
       {"collective reads", r.collective_reads, p.collective_reads},
       {"view changes", r.view_changes, p.view_changes},
       {"bytes written", r.bytes_written, p.bytes_written},
       {"bytes read", r.bytes_read, p.bytes_read},
       {"messages sent", r.messages_sent, p.messages_sent},
       {"messages received", r.messages_received, p.messages_received},
       {"bytes sent", r.bytes_sent, p.bytes_sent},
       {"bytes received", r.bytes_received, p.bytes_received},
       {"bytes between nodes", r.bytes_between_nodes, p.bytes_between_nodes},
       {"messages between nodes", r.messages_between_nodes, p.messages_between_nodes},
       {"rounds", r.exchange_rounds, p.exchange_rounds}},
      where);
}

/// The report agrees with HDF5's queries, with the list of chunks, and with itself.
int compare_with_itself(const pcio_transfer_report_t& r, hid_t list, const std::string& where) {
  H5D_mpio_actual_io_mode_t mode = H5D_MPIO_NO_COLLECTIVE;
  H5D_mpio_actual_chunk_opt_mode_t option = H5D_MPIO_NO_CHUNK_OPTIMIZATION;
  uint32_t local = 0, global = 0;
  H5Pget_mpio_actual_io_mode(list, &mode);
  H5Pget_mpio_actual_chunk_opt_mode(list, &option);
  H5Pget_mpio_no_collective_cause(list, &local, &global);
  std::size_t chunks = 0;
  pcio_get_chunk_modes(list, &chunks, nullptr);
  std::vector<pcio_chunk_mode_t> modes(chunks);
  if (chunks > 0) pcio_get_chunk_modes(list, &chunks, modes.data());
  Number collective = 0, ascending = 1;
  for (std::size_t i = 0; i < modes.size(); ++i) {
    if (modes[i].mode == H5FD_MPIO_COLLECTIVE) ++collective;
    if (i > 0 && modes[i].ordinal <= modes[i - 1].ordinal) ascending = 0;
  }
  return compare(
      "query",
      {{"succeeded", r.succeeded, 1},
       {"mode", static_cast<Number>(r.actual_io_mode), static_cast<Number>(mode)},
       {"chunk option", static_cast<Number>(r.actual_chunk_opt_mode), static_cast<Number>(option)},
       {"local causes", r.local_causes, local},
       {"global causes", r.global_causes, global},
       {"chunks", r.chunks_touched, chunks},
       {"sum of chunks", r.chunks_touched, r.chunks_collective + r.chunks_independent},
       {"collective chunks", r.chunks_collective, collective},
       {"chunks ascend", ascending, 1},
       {"POSIX calls", r.posix_writes + r.posix_reads, 0}},
      where);
}

// ---- the matrix --------------------------------------------------------------------------------

struct Tally {
  int transfers = 0, failures = 0;
  std::vector<int> seen[kDimensions];
  int transports[5] = {};  // as reported by rank 0
  int directions[2] = {};
};

/// One transfer with its dry run before it; the number of things that are wrong on this rank.
int run_transfer(hid_t dataset, const Case& c, const par::Transfer& transfer,
                 pcio_direction_t direction, Tally* tally) {
  const bool writes = direction == PCIO_DIRECTION_WRITE;
  const std::string where = c.text() + (writes ? ", write" : ", read");
  const std::vector<hsize_t> dims = dims_of(c);
  pcio_transfer_report_t plan{}, report{};
  mpi_counts_t before = mpi_counts;
  int wrong = par::explain_part(dataset, dims, transfer, direction, &plan) ? 0 : 1;
  const mpi_counts_t dry = since(before);
  wrong += compare("nothing",
                   {{"writes of a dry run", dry.write_at + dry.write_at_all, 0},
                    {"reads of a dry run", dry.read_at_all + dry.set_view, 0}},
                   where);
  before = mpi_counts;
  const bool good = writes ? par::write_part(dataset, dims, transfer)
                           : par::read_part(dataset, dims, transfer) == 0;
  const mpi_counts_t done = since(before);
  totals.add(done, c.at[kRequest] != 0);
  if (!good || wrong > 0) {
    std::fprintf(stderr, "rank %d: %s: %s; %s\n", par::rank(), where.c_str(),
                 good ? "the dry run failed" : "the transfer failed", par::error_text().c_str());
    if (!good) ++wrong;
  }
  pcio_get_transfer_report(transfer.list, &report, sizeof report);
  wrong += compare_with_mpi(report, done, where) + compare_with_plan(report, plan, where) +
           compare_with_itself(report, transfer.list, where);
  ++tally->transports[report.transport];
  ++tally->directions[writes ? 0 : 1];
  return wrong;
}

void run_case(hid_t file, const Case& c, int number, Tally* tally) {
  const Id dataset(create_dataset(file, c, "data" + std::to_string(number)));
  // Which rank reaches the end of the file first is up to them; a flush makes the file long enough.
  if (par::size() > 1) CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  const Id list(list_of(c));
  par::Transfer transfer;
  transfer.pattern = static_cast<Pattern>(c.at[kPattern]);
  transfer.generation = number;
  transfer.as_int = c.at[kType] == 1;
  transfer.who = par::rank();
  transfer.form = static_cast<par::Form>((c.at[kForm] + par::rank()) % par::kForms);
  transfer.list = list;
  const hid_t first_half = pair_type(false);
  if (c.at[kType] == 2) transfer.memory_type = first_half;
  for (const auto direction : {PCIO_DIRECTION_WRITE, PCIO_DIRECTION_READ}) {
    const int wrong = run_transfer(dataset, c, transfer, direction, tally);
    ++tally->transfers;
    if (par::any(wrong > 0)) ++tally->failures;
    // Independent transfers are not ordered between the ranks by themselves.
    MPI_Barrier(MPI_COMM_WORLD);
  }
  H5Tclose(first_half);
  for (int d = 0; d < kDimensions; ++d) ++tally->seen[d][static_cast<std::size_t>(c.at[d])];
}

/// "layout{contiguous:12 tiles:13 ...}"; empty bins count as failures.
std::string histogram(const Tally& tally, bool has_views, int* empty) {
  std::string text;
  for (int d = 0; d < kDimensions; ++d) {
    text += std::string(" ") + kNames[d].dimension + "{";
    for (std::size_t i = 0; i < kNames[d].values.size(); ++i) {
      const bool possible = has_views || d != kTransport || i != 2;
      if (tally.seen[d][i] == 0 && possible) ++*empty;
      text +=
          std::string(i ? " " : "") + kNames[d].values[i] + ":" + std::to_string(tally.seen[d][i]);
    }
    text += "}";
  }
  return text;
}

/// Where configure found that nested types don't work with files, a forced view is an error.
bool views_are_possible(hid_t file) {
  const par::Silence silence;
  Case c;
  c.at[kRequest] = 3;
  c.at[kTransport] = 2;
  const Id dataset(create_dataset(file, c, "probe")), list(list_of(c));
  par::Transfer transfer;
  transfer.pattern = Pattern::kRows;
  transfer.who = par::rank();
  transfer.list = list;
  const mpi_counts_t before = mpi_counts;
  const bool good = par::write_part(dataset, dims_of(c), transfer);
  totals.add(since(before), true);
  return par::all(good);
}

}  // namespace

/// Ten datasets in one call are agreed upon as one is; the report is that of all of them.
CASE(several_datasets_are_one_operation) {
  const bool log_is_kept = std::getenv("PCIO_REPORT") != nullptr;
  if (log_is_kept) return;  // which takes a reduction for each dataset
  setenv("PCIO_CHECK", "messages", 1);
  setenv("PCIO_HANG_SECONDS", "0", 1);
  unsigned long long agreed[2] = {0, 0};
  for (const std::size_t count : {std::size_t{2}, std::size_t{10}}) {
    const Id access(par::mpio_access());
    const Id file(
        H5Fcreate(par::file_name("counts_multi").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
    const auto ranks = static_cast<hsize_t>(par::size()), me = static_cast<hsize_t>(par::rank());
    const hsize_t size = 100 * ranks, chunk = 30, start = 100 * me, hundred = 100;
    const Id space(H5Screate_simple(1, &size, nullptr)),
        memory(H5Screate_simple(1, &hundred, nullptr));
    H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &hundred, nullptr);
    const Id chunked(H5Pcreate(H5P_DATASET_CREATE));
    H5Pset_chunk(chunked, 1, &chunk);
    std::vector<Id> datasets;
    std::vector<hid_t> ids, types, memories, spaces;
    std::vector<std::vector<int>> values(count, std::vector<int>(100));
    std::vector<const void*> from;
    std::vector<void*> to;
    for (std::size_t i = 0; i < count; ++i) {
      datasets.emplace_back(H5Dcreate2(file, ("d" + std::to_string(i)).c_str(), H5T_NATIVE_INT,
                                       space, H5P_DEFAULT,
                                       i % 2 == 0 ? H5P_DEFAULT : hid_t{chunked}, H5P_DEFAULT));
      ids.push_back(datasets.back());
      types.push_back(H5T_NATIVE_INT);
      memories.push_back(memory);
      spaces.push_back(space);
      for (std::size_t k = 0; k < 100; ++k)
        values[i][k] = static_cast<int>(1000 * i + 100 * me + k);
      from.push_back(values[i].data());
      to.push_back(values[i].data());
    }
    const auto wanted = values;
    const Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
    pcio_set_dxpl_transport(list, PCIO_TRANSPORT_DIRECT);
    for (const bool writes : {true, false}) {
      const mpi_counts_t before = mpi_counts;
      const herr_t done = writes ? H5Dwrite_multi(count, ids.data(), types.data(), memories.data(),
                                                  spaces.data(), list, from.data())
                                 : H5Dread_multi(count, ids.data(), types.data(), memories.data(),
                                                 spaces.data(), list, to.data());
      CHECK(done >= 0);
      const mpi_counts_t made = since(before);
      agreed[writes ? 0 : 1] =
          count == 2 ? made.reductions : made.reductions - agreed[writes ? 0 : 1];
      CHECK(made.reductions <= 4);
      pcio_transfer_report_t report;
      CHECK(pcio_get_transfer_report(list, &report, sizeof report) >= 0);
      CHECK(report.bytes_selected == count * 100 * sizeof(int));
      CHECK((writes ? report.bytes_written : report.bytes_read) ==
            (writes ? made.bytes_written : made.bytes_read));
      CHECK(report.independent_writes == made.write_at && report.independent_reads == made.read_at);
      if (writes)
        for (auto& one : values) std::fill(one.begin(), one.end(), -1);
    }
    CHECK(values == wanted);
  }
  CHECK(agreed[0] == 0 && agreed[1] == 0);
  unsetenv("PCIO_CHECK");
}

/// Objects in heaps, what elements were before, fill and a commit of what committed elements refer to are the transfer's.
CASE(variable_length_data_counts_with_its_heaps) {
  const bool log_is_kept = std::getenv("PCIO_REPORT") != nullptr;
  if (log_is_kept) return;  // report.sh compares what all transfers of the other case asked for
  setenv("PCIO_HANG_SECONDS", "0", 1);
  constexpr hsize_t kElements = 60, kChunk = 16;
  const auto ranks = static_cast<hsize_t>(par::size()), me = static_cast<hsize_t>(par::rank());
  const hsize_t size = kElements * ranks, start = kElements * me, last = kElements - 5;
  const Id access(par::mpio_access()), text(H5Tcopy(H5T_C_S1));
  H5Tset_size(text, H5T_VARIABLE);
  const Id file(
      H5Fcreate(par::file_name("counts_texts").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
  const Id space(H5Screate_simple(1, &size, nullptr)), memory(H5Screate_simple(1, &last, nullptr)),
      chunked(H5Pcreate(H5P_DATASET_CREATE));
  H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &last, nullptr);
  H5Pset_chunk(chunked, 1, &kChunk);
  const char* const fill = "what nobody wrote";
  H5Pset_fill_value(chunked, text, &fill);
  for (const bool chunks : {false, true}) {
    const Id data(H5Dcreate2(file, chunks ? "chunks" : "rows", text, space, H5P_DEFAULT,
                             chunks ? hid_t{chunked} : H5P_DEFAULT, H5P_DEFAULT));
    CHECK(data.valid());
    for (const std::size_t length : {20, 3000}) {
      const std::string value(length, static_cast<char>('a' + me % 26));
      std::vector<const char*> values(last, value.c_str());
      std::vector<char*> found(last, nullptr);
      for (const bool writes : {true, false}) {
        const Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
        const mpi_counts_t before = mpi_counts;
        CHECK((writes ? H5Dwrite(data, text, memory, space, list, values.data())
                      : H5Dread(data, text, memory, space, list, found.data())) >= 0);
        const mpi_counts_t made = since(before);
        pcio_transfer_report_t report;
        CHECK(pcio_get_transfer_report(list, &report, sizeof report) >= 0);
        CHECK(report.bytes_written == made.bytes_written && report.bytes_read == made.bytes_read);
        CHECK(report.independent_writes + report.independent_reads == made.write_at + made.read_at);
        const unsigned long long moved = writes ? made.bytes_written : made.bytes_read;
        // One rank's own heaps are written with its commits, and are in memory before.
        const bool is_at_once = length > 20 && ranks > 1;
        CHECK(!is_at_once || moved >= last * length);
        CHECK(report.bytes_selected >= last * (16 + length));
        CHECK(report.bytes_selected <= last * (16 + length + 1));
      }
      for (char* const one : found) {
        CHECK(one != nullptr && value == one);
        std::free(one);
      }
      // One that fails before anything is moved is a write all the same.
      {
        const par::Silence silence;
        const Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
        CHECK(H5Dwrite(data, H5T_NATIVE_INT, memory, space, list, values.data()) < 0);
        pcio_transfer_report_t report;
        CHECK(pcio_get_transfer_report(list, &report, sizeof report) >= 0);
        CHECK(report.direction == PCIO_DIRECTION_WRITE && report.succeeded == 0);
      }
      // What the next write overwrites is committed then.
      CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
    }
  }
}

CASE(reports_equal_what_mpi_was_asked_for) {
  const auto seed = static_cast<unsigned>(environment_number("PCIO_COUNTS_SEED", 20130109));
  const int count = environment_number("PCIO_COUNTS_CASES", kDefaultCases);
  // The hang watch sends messages of its own while ranks wait.
  setenv("PCIO_HANG_SECONDS", "0", 1);
  std::vector<Case> cases = make_cases(seed + static_cast<unsigned>(par::size()), count);
  Tally tally;
  for (int d = 0; d < kDimensions; ++d) tally.seen[d].assign(kNames[d].values.size(), 0);
  bool has_views = true;
  for (int bound = 0; bound < 2; ++bound) {
    const std::string name = par::file_name("counts");
    // In one file ranks of one machine send messages to each other, in the other they share memory.
    if (bound == 0)
      setenv("PCIO_CHECK", "messages", 1);
    else
      unsetenv("PCIO_CHECK");
    const Id access(
        par::mpio_access(MPI_COMM_WORLD, bound == 0 ? H5F_LIBVER_EARLIEST : H5F_LIBVER_LATEST));
    Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
    CHECK(file.valid());
    // The board is made in the course of a file's agreements, and belongs to no transfer.
    constexpr int kMoreThanItTakes = 20;
    for (int i = 0; i < kMoreThanItTakes; ++i) CHECK(pcio_agree(file, 0, 0, nullptr, nullptr) >= 0);
    has_views = views_are_possible(file);
    for (std::size_t i = 0; i < cases.size(); ++i) {
      Case c = cases[i];
      if (c.at[kBound] != bound) continue;
      if (!has_views && c.at[kTransport] == 2) c.at[kTransport] = 0;
      run_case(file, c, static_cast<int>(i) + 1, &tally);
    }
    CHECK(file.close() >= 0);
  }
  int empty = 0;
  const std::string bins = histogram(tally, has_views, &empty);
  if (par::rank() == 0)
    std::printf(
        "t_reported_counts: seed %u, %d ranks, %d cases, %d transfers (%d writes, %d reads);%s; "
        "done by "
        "none:%d direct:%d view:%d exchange:%d broadcast:%d; %d failures, %d empty bins\n",
        seed, par::size(), count, tally.transfers, tally.directions[0], tally.directions[1],
        bins.c_str(), tally.transports[0], tally.transports[1], tally.transports[2],
        tally.transports[3], tally.transports[4], tally.failures, empty);
  if (const char* name = std::getenv("PCIO_COUNTS_TOTALS")) write_totals(name);
  CHECK(tally.failures == 0);
  CHECK(empty == 0);
}

#endif
