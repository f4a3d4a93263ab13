// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room sim: many ranks in one process, and an MPI that the program owns.
//
// A program that links sim_world.cpp, sim_mpi.cpp and sim_mpi_io.cpp gets MPI from there: the rooms run
// unchanged, as many ranks of one world. Tests make calls fail with it; pcioexplain lets thousands of ranks plan a
// transfer. A rank is a fiber that others take turns with whenever it waits in
// MPI, so a run is the same each time; files are in memory. Every collective waits for all ranks,
// and a message for its receiver: what may hang by the standard hangs here, at once, and is told.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pcio::sim {

/// One MPI call of one rank.
struct SimCall {
  std::string_view name;  ///< "MPI_File_write_at"
  int rank = 0;
  std::uint64_t number = 0;  ///< how many of this name the rank made, from 1
  std::uint64_t bytes = 0;   ///< to move
};
/// kError: takes part, and returns an error. kShort: moves half of its bytes.
enum class SimFault : std::uint8_t { kNone, kError, kShort };

struct SimOptions {
  int ranks = 3;
  /// In which order ranks take turns; 0: one after the other.
  std::uint64_t seed = 0;
  /// The ranks share no memory where false.
  bool one_machine = true;
  /// On one machine, so many nodes of ranks that follow each other share memory; 0: one.
  int nodes = 0;
  /// Of these the ranks are dealt to nodes in turn.
  bool in_turn = false;
  /// How far the clock goes on each time that a rank looks.
  double seconds_of_look = 0;
  /// What MPI_Get_library_version says.
  std::string library = "simulated";
};

/// What is in a file. Bytes behind the end are no error to write, and none to read.
class SimDisk {
 public:
  SimDisk() = default;
  SimDisk(const SimDisk&) = delete;
  SimDisk& operator=(const SimDisk&) = delete;
  virtual ~SimDisk() = default;
  [[nodiscard]] virtual std::uint64_t size() const = 0;
  virtual void resize(std::uint64_t bytes) = 0;
  virtual void write(std::uint64_t at, std::span<const std::byte> bytes) = 0;
  /// Bytes that there are: the rest of `into` stays as it is.
  virtual std::size_t read(std::uint64_t at, std::span<std::byte> into) const = 0;
};

/// Threads: one. One world at a time.
class SimWorld {
 public:
  explicit SimWorld(const SimOptions& options);
  ~SimWorld();
  SimWorld(const SimWorld&) = delete;
  SimWorld& operator=(const SimWorld&) = delete;

  /// Asked before each call.
  void set_fault(std::function<SimFault(const SimCall&)> fault);
  /// Runs body(rank) as every rank to its end. Returns what kept them from coming to the end together
  /// (ranks in different collectives, or all waiting); empty where nothing did. Ranks that hang get an
  /// error from every MPI call, so that they end.
  std::string run(const std::function<void(int)>& body);
  /// How often a rank made a call in the last run; of probes those that found nothing, and "MPI_Iprobe that finds".
  [[nodiscard]] std::uint64_t count(int rank, const std::string& name) const;
  /// Messages of a rank that MPI still has the buffers of. In a run.
  [[nodiscard]] int letters(int rank) const;
  /// Bytes of a file, by its last name; they stay from run to run.
  std::vector<std::byte>& file(const std::string& name);
  /// A file that is somewhere else than in such bytes.
  void put_file(const std::string& name, std::unique_ptr<SimDisk> disk);
  /// What ranks made and never freed: "2 communicators, 1 file"; empty where there is nothing.
  [[nodiscard]] std::string leaks() const;

  struct State;

 private:
  std::unique_ptr<State> state_;
};

}  // namespace pcio::sim
