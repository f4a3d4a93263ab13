// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room sim: what the parts of the simulated MPI share.

#pragma once

#include <deque>
#include <mpi.h>
#include <span>
#include <sys/types.h>
#include <ucontext.h>
#include <utility>

#include "sim/sim_world.hpp"

namespace pcio::sim {

using SimBytes = std::vector<std::byte>;

/// One collective on one communicator: who came, with what.
struct SimCollective {
  std::string name;
  std::vector<SimBytes> data;  ///< [ranks]
  std::vector<bool> here;      ///< [ranks]
  int arrived = 0;
  std::shared_ptr<void> made;  ///< what it makes for all of them
  SimBytes sum;                ///< of a reduction, once one rank has made it
  bool has_sum = false;
};
using SimCollectivePtr = std::shared_ptr<SimCollective>;

/// Bytes of a message in a rank's memory.
struct SimPart {
  std::byte* at = nullptr;
  std::size_t bytes = 0;
};
using SimParts = std::vector<SimPart>;

struct SimRequest;
struct SimComm {
  std::vector<int> members;             ///< world ranks
  std::vector<std::uint64_t> sequence;  ///< [members] collectives begun
  std::map<std::uint64_t, SimCollectivePtr> open;
  int frees = 0;
  std::deque<SimRequest*> sends, receives;  ///< not matched yet
  [[nodiscard]] int rank_of(int world) const;
  [[nodiscard]] int size() const { return static_cast<int>(members.size()); }
};

/// A collective or a message on its way.
struct SimRequest {
  SimCollectivePtr collective;
  int rank = 0;                  ///< in the communicator
  int world = 0;                 ///< rank in the world: of a message
  std::function<void()> finish;  ///< run by the rank itself, once all are there
  // Messages.
  int peer = 0, tag = 0;
  SimParts parts;  ///< where it comes from, or goes to
  std::size_t bytes = 0;
  bool matched = false;
};

/// Bytes in memory.
class SimMemory final : public SimDisk {
 public:
  [[nodiscard]] std::uint64_t size() const override { return bytes.size(); }
  void resize(std::uint64_t size) override { bytes.resize(static_cast<std::size_t>(size)); }
  void write(std::uint64_t at, std::span<const std::byte> from) override;
  std::size_t read(std::uint64_t at, std::span<std::byte> into) const override;
  SimBytes bytes;
};

/// Memory that takes no more room than is used of it. Threads: one.
class SimStack {
 public:
  SimStack();
  SimStack(const SimStack&) = delete;
  SimStack& operator=(const SimStack&) = delete;
  ~SimStack();
  [[nodiscard]] void* bottom() const { return bottom_; }
  [[nodiscard]] static std::size_t bytes();

 private:
  void* bottom_;
};

struct SimFiber {
  ucontext_t context;
  SimStack stack;
  bool done = false;
  std::string waits_in;
  int letters = 0;  ///< messages that were started and have not met their other side
  std::map<std::string, std::uint64_t> calls;
};

struct SimWorld::State {
  SimOptions options;
  std::function<SimFault(const SimCall&)> fault;
  std::function<void(int)> body;
  std::vector<std::unique_ptr<SimFiber>> fibers;
  ucontext_t scheduler;
  int current = -1;         ///< rank that runs
  std::uint64_t idle = 0;   ///< turns since something happened
  std::uint64_t looks = 0;  ///< at the clock
  bool failing = false;     ///< every call is an error
  std::string failure;
  SimComm all;
  std::map<int, SimComm> selves;  ///< MPI_COMM_SELF of ranks that have used it
  std::map<std::string, std::unique_ptr<SimDisk>> files;
  std::map<std::string, std::string> on_disk;  ///< by name, a path of the file that stands for it
  std::map<std::pair<dev_t, ino_t>, std::string>
      stand_ins;                     ///< such files, and what stands for what
  std::map<std::string, int> alive;  ///< kinds of things that were made and not freed
};

/// The world that runs; null outside of a run.
SimWorld::State* sim_world();
/// A call begins: counts it, and asks what is to happen to it.
SimFault sim_enter(const char* name, std::uint64_t bytes = 0);
/// How many of this name the rank that runs has made.
std::uint64_t sim_count(const char* name);
/// Something happened that others may wait for.
void sim_progress();
/// Others take their turns.
void sim_yield();
/// The file of that name, in memory if there is none.
SimDisk& sim_disk(const std::string& name);
/// All ranks get errors from here on.
void sim_fail(const std::string& why);

/// Takes part in the next collective of `comm`, which is the same for all ranks by name.
SimRequest* sim_begin(SimComm* comm, const std::string& name, SimBytes data,
                      std::function<void(SimCollective&, int rank)> finish);
/// ... and waits for it.
int sim_join(SimComm* comm, const std::string& name, SimBytes data,
             const std::function<void(SimCollective&, int rank)>& finish);
[[nodiscard]] bool sim_is_complete(const SimRequest& request);

/// Joins sends with the receives that wait for them.
void sim_match(SimComm& comm);
SimComm* sim_comm(MPI_Comm comm);
std::size_t sim_type_size(MPI_Datatype type);
/// Where `count` elements of a type lie.
SimParts sim_parts(const void* data, int count, MPI_Datatype type);

}  // namespace pcio::sim
