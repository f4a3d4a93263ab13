// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room agree: says who waits for whom when an agreement takes too long.
//
// No rank can know why another one does not come, but those that wait can tell each other that they
// do. After PCIO_HANG_SECONDS each waiting rank sends a small token (which agreement, which call)
// to a few witnesses by nonblocking point-to-point messages; the lowest witness that waits itself
// prints one line with the ranks that nobody heard from. Nothing is sent while calls take less than
// the period.
//
// What only blocks in MPI (duplicating a communicator, opening and closing a file) can't be
// watched: the ranks meet before in a barrier that can. Not so before each MPI-IO call of a transfer,
// which directly follows an agreement of the same call.

#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "agree/agreement.hpp"
#include "mpi/comm.hpp"

namespace pcio {

/// Threads: one thread drives a file.
class HangWatch {
 public:
  /// What all ranks of the file wait for has a multiple of it, meetings of a node what comes behind.
  static constexpr std::uint64_t kMeetingsOfNode = std::uint64_t{1} << 20;
  struct Settings {
    double period_seconds = 60;
    bool abort_after = false;
  };
  /// `comm`, of `ranks` ranks, may be made later. What it needs of memory it takes now. Local.
  HangWatch(mpi::Comm& comm, int ranks, Settings settings);
  HangWatch(const HangWatch&) = delete;
  HangWatch& operator=(const HangWatch&) = delete;
  ~HangWatch();

  /// The wait that follows belongs to this agreement. Asks for no memory. Local.
  void enter(std::uint64_t sequence, const CallName& call) { begin(sequence, call, false); }
  /// The wait that follows is one for messages that come behind this agreement, and that other ranks may not wait for. Asks for
  /// no memory. Local.
  void enter_behind(std::uint64_t sequence, const CallName& call) { begin(sequence, call, true); }
  /// This rank's: numbers of meetings within one say nothing to others. Local.
  void set_node(std::uint64_t node) { node_ = static_cast<std::int32_t>(node); }
  /// For the waits that follow. Local.
  void set(Settings settings) { settings_ = settings; }
  /// The same: how they begin.
  void set_first_wait(mpi::FirstWait first) { first_ = first; }
  /// What a communicator has to be told; this object must outlive it. Nobody hears of waits where the period is 0.
  [[nodiscard]] mpi::WaitWatch for_waits();
  /// Called by the waiting loop a few times per period, with seconds waited so far.
  void tick(double waited);
  /// Seconds between two ticks.
  [[nodiscard]] double tick_seconds() const;

 private:
  static constexpr std::size_t kTextBytes = 112;
  struct Token {
    std::uint64_t sequence = 0;
    std::int32_t mpi_rank = 0;
    std::int32_t node = 0;
    std::int32_t behind = 0;  ///< 1: an agreement, in a wait for messages
    char call[kTextBytes] = {};
  };
  /// The last one of a rank.
  struct Heard {
    Token token;
    double at = 0;  ///< MPI_Wtime
  };
  struct Sending {
    Token token;
    MPI_Request request = MPI_REQUEST_NULL;
  };
  void begin(std::uint64_t sequence, const CallName& call, bool behind);
  void send_tokens();
  void receive_tokens();
  void print(double waited);
  [[nodiscard]] bool is_over(const Token& token) const;
  [[nodiscard]] bool waits(const Heard& heard) const;
  [[nodiscard]] bool is_spokesman() const;

  mpi::Comm& comm_;
  Settings settings_;
  std::vector<int> witnesses_;
  mpi::FirstWait first_ = mpi::FirstWait::kYield;
  std::uint64_t sequence_ = 0;
  bool behind_ = false;
  std::int32_t node_ = 0;
  std::string call_;
  std::uint64_t periods_sent_ = 0;
  std::uint64_t periods_printed_ = 0;
  /// Seconds of the wait that goes on, and of those before it since enter().
  double last_waited_ = 0, waited_before_ = 0;
  std::vector<Heard> heard_;
  std::deque<Sending> sending_;
};

/// For waits on a communicator of the program's, where no message may be sent: says that ranks are
/// missing, but can't say which. `comm` must outlive the waits. Local.
mpi::WaitWatch watch_without_messages(MPI_Comm comm, std::string_view call,
                                      HangWatch::Settings settings);

}  // namespace pcio
