// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room agree: everything that the ranks of one open file decide together.
//
// One per open file, on a private duplicate of the user's communicator. The serial form has one
// rank and never touches MPI, so callers have one code path. Once the ranks have lost step (calls
// that do not match, a metadata call that failed on some ranks only, a broken MPI call), the file
// is poisoned: every later agreement fails at once on every rank, without communicating.

#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <sys/types.h>
#include <vector>

#include "agree/agreement.hpp"
#include "agree/call_log.hpp"
#include "agree/facts_board.hpp"
#include "agree/hang_watch.hpp"
#include "agree/lobby.hpp"
#include "agree/shared_environment.hpp"
#include "agree/space_hash.hpp"
#include "base/communicator.hpp"
#include "base/status.hpp"
#include "mpi/comm.hpp"
#include "mpi/op.hpp"
#include "mpi/shared_memory.hpp"
#include "mpi/type.hpp"
#include "plan/machine.hpp"

namespace pcio {

struct ThreadCalls;

/// Each rank by itself, and each must wait until it sees the file; by one call of MPI; each by itself, and all see the same:
/// where `place` differs it is kTogether.
enum class OpeningWay : std::uint8_t { kApart, kTogether, kAlone };

/// What a rank brings to the meeting with which a file is opened: its arguments as one number, whether
/// it has found nothing against the opening, how the ranks may open the file, and the number of the file that
/// it has found.
struct OpeningFacts {
  std::uint64_t arguments = 0;
  bool good = true;
  OpeningWay way = OpeningWay::kTogether;
  std::uint64_t file = 0;
  std::uint64_t place = 0;  ///< of the file, as a number
};
/// What all ranks know then. `way`: the least that a rank has.
struct AgreedOpening {
  bool same_arguments = true;
  bool all_good = true;
  OpeningWay way = OpeningWay::kTogether;
  bool same_file = true;
};

/// Models Communicator. Threads: one thread drives a file.
class Coordinator {
 public:
  /// One rank, no MPI.
  static std::shared_ptr<Coordinator> serial();
  /// Collective: over the lobby's ranks; one exchange, a duplicate of its communicator, and three exchanges
  /// more where the ranks' environments differ: rank 0's becomes everybody's. `name`: the call that
  /// opens the file. `mine` and `all` go along in the first exchange.
  static Result<std::shared_ptr<Coordinator>> create(Lobby& lobby, const CallName& name,
                                                     const OpeningFacts& mine = OpeningFacts(),
                                                     AgreedOpening* all = nullptr);

  Coordinator(const Coordinator&) = delete;
  Coordinator& operator=(const Coordinator&) = delete;
  ~Coordinator();

  [[nodiscard]] int rank() const { return comm_ ? comm_->rank() : 0; }
  [[nodiscard]] int size() const { return comm_ ? comm_->size() : 1; }
  /// True where the file was opened through an MPI driver, on one rank too.
  [[nodiscard]] bool is_parallel() const { return comm_.has_value(); }
  /// The private communicator; nullptr in serial.
  [[nodiscard]] mpi::Comm* comm() { return comm_ ? &*comm_ : nullptr; }
  [[nodiscard]] const SharedEnvironment& environment() const { return environment_; }

  /// The agreement with which every communicating call begins. One that a function of the program (a conversion, a
  /// filter) makes within another such call on the file fails at once, on its rank alone and without a word to the
  /// others: they are in the midst of what the outer call exchanges.
  ///
  /// Collective: over the file; one exchange on success, one more where a rank has failed, up to thirteen
  ///   more where the ranks have lost step, the same on all ranks. All ranks succeed, or all fail.
  /// A rank with a failure of its own gets its frames back with "failed on this process" added; the
  ///   others get "rank 2: H5Dwrite on /a: <text>". Ranks in different calls, or with different
  ///   metadata calls behind them, all get an error that names two ranks and their calls, and the
  ///   file is poisoned.
  /// In serial: the failure as it is, or the facts of the one rank.
  /// `causes`: becomes the OR of the ranks' causes, also where the agreement fails.
  Result<GlobalFacts> agree(const CallName& name, const LocalFacts& facts, const Status& local,
                            std::uint32_t* causes = nullptr);
  /// The same for a call with several parts, equally many on all ranks: one exchange for all of them.
  /// `buffers`: room for a part's facts each; all[i] becomes those of part i (to_global).
  struct PartBuffers {
    std::span<WireFacts> mine;
    std::span<WireFacts> all;
  };
  Status agree_on_parts(const CallName& name, std::span<const LocalFacts> facts,
                        const PartBuffers& buffers, const Status& local);
  /// The agreement with which a communicating call ends: success where all ranks have it.
  /// Collective: over the file, one exchange on success.
  Status outcome(const CallName& name, const Status& local);
  /// The ranks have met in a call that goes on: this one, or one in a function of which this one is made. Collective: local.
  [[nodiscard]] bool is_exchanging() const;

  /// The ranks meet in a metadata call before anything of it is recorded. Collective: over the file, as
  /// agree(). `local`: this rank's failure to read its arguments.
  Status meet(const CallName& name, const NamedArguments& arguments, const Status& local);
  /// A collective-by-contract metadata call begins: its arguments (path or address, encoded type,
  /// space, creation list, new dimensions) enter the hash. Collective: local; one exchange under
  /// PCIO_CHECK=calls. Errors: poisoned; under PCIO_CHECK=calls ranks that do not match.
  Status begin_metadata_call(const CallName& name, ConstBytes arguments);
  /// The same, with what can be told of arguments that differ.
  Status begin_metadata_call(const CallName& name, const NamedArguments& arguments);
  /// A metadata call, or what belongs to one, failed on this rank in a way that left no Status: the
  /// next agreement fails everywhere. Collective: local; asks for no memory.
  void lose_metadata_call(const CallName& name, std::string_view why) noexcept;
  /// A change that failed could not be undone on this rank, so that what it has of the file in memory is worth
  /// nothing. The next agreement tells all ranks, also where all have lost it; a serial file, which has none, is given
  /// up at once. Collective: local; asks for no memory.
  void lose_undo() noexcept;
  /// A serial file was given up for that: health() says so.
  [[nodiscard]] bool has_lost_undo() const { return has_lost_undo_; }
  /// From here on every agreement compares what `hash` says (nullptr: nothing), which lives as long.
  void watch_space(const SpaceHash* hash) { space_ = hash; }
  /// A part of a communicating call changed the file's space: where ranks turn out to differ, the
  /// first such step is named. Collective: local; asks for no memory.
  void note_step(const CallName& name) noexcept;
  /// ... and ends, with its result, which is returned. A failure that not every rank had poisons
  /// the file at the next agreement (under PCIO_CHECK=calls: now, and all ranks fail).
  Status end_metadata_call(const CallName& name, Status result);

  /// The ranks meet, and what they do then is a trial: as long as it lasts agreements tell of the file's space what it
  /// was at its beginning, and a metadata call that fails is not noted. Who has failed, and all who hear
  /// of it in the agreement that ends it, make everything what it was. Collective: local; asks for no memory.
  void begin_trial() noexcept;
  void end_trial() noexcept { trial_space_.reset(); }

  /// Success, or why the ranks of this file can't communicate any more; in a child of fork they never
  /// can. Local.
  [[nodiscard]] Status health() const;
  /// Gives the file up: must happen on all ranks alike and behind the same agreement, because they then
  /// give back together what one rank alone can't (release_handles).
  void poison(const Status& why);
  /// What the driver has that takes all ranks to close. At most one; an empty function forgets it.
  void set_loss_handler(std::function<void()> close_collective) {
    at_loss_ = std::move(close_collective);
  }
  /// Windows and MPI's files of a file that was poisoned, once. In the call that poisoned it, before that
  /// returns to the program: all ranks are in such a call, and nothing else keeps them. Where MPI itself
  /// failed in a collective nobody knows where the others are: then all of it is left to MPI.
  /// Collective: over the file where it was poisoned and nothing was given back yet, else local.
  void release_handles();
  /// The same for all files that were poisoned by this thread: the end of every API call. Fast where
  /// there are none.
  static void release_lost_files() noexcept;

  // Typed collectives over the file. In serial they do what one rank's would.
  /// Also before a call of MPI that only blocks: there nobody would say who is missing.
  Status barrier();
  Status broadcast(Bytes data, int root);
  Status allreduce_max(std::span<std::uint64_t> words);
  Status allreduce_min(std::span<std::uint64_t> words);
  Status allreduce_sum(std::span<std::uint64_t> words);
  /// As Communicator's: whole blocks of words, merged pairwise.
  template <class Merge>
  Status allreduce_merge(std::span<std::uint64_t> words, Merge merge) {
    if (!comm_) return Status();
    enter_collective("a reduction");
    return leave_collective("a reduction", reduce(words, merge, [&](mpi::Comm& ranks) {
                              return ranks.allreduce_merge(words, merge);
                            }));
  }
  /// The same of any length where only leaders of nodes bring something, and others what changes nothing.
  template <class Merge>
  Status merge_of_leaders(std::span<std::uint64_t> words, Merge merge) {
    if (peers_.is_null()) return allreduce_merge(words, merge);
    enter_collective("a reduction");
    Status merged = leads_machine() ? peers_.allreduce_merge(words, merge) : Status();
    return leave_collective("a reduction",
                            hand_down(std::as_writable_bytes(words), std::move(merged)));
  }
  /// `mine` is added up on each node, lead(sums, all) makes of it what the node brings, on its leader alone, and `all` becomes
  /// that merged: node_sum() and merge_of_leaders() in one exchange where boards have room. `mine` is used up; behind
  /// meet_node().
  template <class Lead, class Merge>
  Status merge_node_sums(std::span<std::uint64_t> mine, std::span<std::uint64_t> all, Lead lead,
                         Merge merge) {
    if (!leaders_speak() || one_machine() ||
        std::max(mine.size(), all.size()) > FactsBoard::kMostWords) {
      PCIO_TRY(node_sum(mine));
      if (leads_machine()) lead(mine, all);
      return merge_of_leaders(all, merge);
    }
    enter_collective("a reduction");
    auto by_boards = [&]() -> Status {
      if (!leads_machine()) return board_.ask(*comm_, node_.rank(), mine, all);
      Status merged = board_.collect(*comm_, node_.size(), mine, add_words);
      if (merged.ok()) {
        lead(mine, all);
        merged = peers_.allreduce_merge(all, merge);
      }
      board_.answer(all, merged.ok());
      return merged;
    };
    return leave_collective("a reduction", by_boards());
  }
  /// `words` becomes the sum over lower ranks (0 on rank 0).
  Status exscan_sum(std::span<std::uint64_t> words);
  /// The same of the greatest.
  Status exscan_max(std::span<std::uint64_t> words);
  /// `all.size()` is size() * mine.size(), in rank order; mine.size() equal on all ranks.
  Status allgather(ConstBytes mine, Bytes all);

  /// Row r of `mine` goes to rank r; both hold size() rows.
  Status alltoall(std::span<const std::uint64_t> mine, std::span<std::uint64_t> theirs);
  /// Words, not 0, for some other ranks (Comm::tell); costs with those who are told, where the ranks are more than a
  /// few. All ranks have come when it returns.
  Status tell(std::vector<mpi::Told>& going, std::span<MPI_Request> requests,
              std::vector<mpi::Told>* coming);
  /// Row r of `mine`, of counts[r] words, goes to rank r.
  Status alltoallv(std::span<const std::uint64_t> mine, std::span<const std::uint64_t> counts,
                   std::span<std::uint64_t> theirs, std::span<const std::uint64_t> their_counts);
  /// Waits for messages that were started on comm(), all of them also where one fails. `what` is
  /// for the hang watch.
  Status wait_all(std::span<MPI_Request> requests, const char* what);
  /// Which ranks share a node; learnt with the lobby, or what PCIO_CHECK=nodes:N makes of it. Equal on all
  /// ranks.
  [[nodiscard]] const Machine& machine() const { return machine_; }
  /// True where all ranks share one machine's memory, and so one page cache.
  [[nodiscard]] bool one_machine() const { return machine_.nodes() == 1; }
  /// True on one rank of each node.
  [[nodiscard]] bool leads_machine() const;
  /// The ranks of this rank's node, for node_sum and node_barrier; false, on all ranks, where MPI has no communicators for
  /// them. Collective: over the file where nobody has asked before and there are several nodes (three exchanges), else pure.
  Result<bool> meet_node();
  /// Words become sums over the node's ranks; those ranks meet. Behind meet_node(); where that was refused over all ranks of
  /// the file. Collective: over the node.
  Status node_sum(std::span<std::uint64_t> words);
  Status node_barrier();
  /// Segments of at least `bytes` for each rank of this node, kept for the next caller; nullptr on all
  /// ranks where one node can't have them, or no two ranks share one. Collective: over the file where
  /// there are none yet or smaller ones. `bytes` is equal on all ranks.
  Result<const mpi::SharedMemory*> shared_memory(std::uint64_t bytes);
  /// Gives them back. Collective: over the file, whose ranks are in step.
  Status release_shared_memory();

  /// Frees the communicator; afterwards only rank() and size() may be asked. Collective: over the
  /// file. The destructor does the same where it was forgotten.
  Status close();

 private:
  /// Whose collective.
  enum class Among : std::uint8_t { kFile, kNode };
  Coordinator() = default;
  void forget_debt();
  Status prepare(int ranks);
  Status begin(const CallName& name, bool same_environment);
  void start_watch();
  Status share_environment();
  [[nodiscard]] bool broadcasts_by_nodes(std::uint64_t bytes, int root) const;
  /// Of a communicator of the file: a node's ranks, or those with the same place on other nodes, too.
  enum class Part : std::uint8_t { kNode, kPeers };
  Result<bool> meet(Part part);
  Status divide_by_nodes();
  Status divide_by_places();
  Status hand_down(Bytes data, Status among_leaders);
  /// The ranks of this rank's node, once they have met.
  [[nodiscard]] mpi::Comm& node_ranks() { return node_.is_null() ? *comm_ : node_; }
  void name_current_call(const CallName& name);
  [[nodiscard]] Status check_not_within(const CallName& name) const;
  /// There is nobody whose calls could be others.
  [[nodiscard]] bool is_alone() const { return size() == 1 && !environment_.check_calls; }
  Result<WireFacts> exchange(const CallName& name, WireFacts wire);
  Status explain(const CallName& name, const WireFacts& wire, const Status& local);
  Status explain_failure(const CallName& name, const WireFacts& wire, const Status& local);
  Status explain_mismatch(const CallName& name, const WireFacts& wire);
  Status explain_space(const CallName& name);
  /// What travels when something failed.
  using LongText = FixedText<4 * kCallTextBytes>;
  Result<LongText> text_of_rank(int root, std::string_view mine);
  Result<std::string> first_difference(CallTrail::Mark mark);
  Result<std::string> first_argument(const ArgumentMarks& mine);
  Status begin_call(const CallName& name, ConstBytes arguments, const ArgumentMarks& marks);
  [[nodiscard]] LogFacts log_facts() const;
  [[nodiscard]] std::uint64_t space_value() const {
    return space_ != nullptr ? space_->value() : 0;
  }
  Status allreduce_wire(WireFacts& wire);
  Status allreduce_parts(const PartBuffers& buffers);
  [[nodiscard]] bool wants_board() const;
  Status count_agreement(const WireFacts& wire);
  Status make_board();
  /// All ranks read what each of them pins.
  [[nodiscard]] bool has_board_of_all() const {
    return has_board() && one_machine() && size() <= FactsBoard::kMostRanks;
  }
  /// The leader of a node reads what its ranks pin, and speaks for them.
  [[nodiscard]] bool leaders_speak() const { return has_board() && !has_board_of_all(); }
  [[nodiscard]] bool has_board() const { return board_.is_made() && !no_board_; }
  /// A reduction of words, equally many on all ranks: the leader of each node speaks for it where there is a board for
  /// that and they fit. merge(into, from): on a node; among(communicator): of those ranks that speak.
  template <class Merge, class Speakers>
  Status reduce(std::span<std::uint64_t> words, Merge merge, Speakers among) {
    if (!leaders_speak() || words.size() > FactsBoard::kMostWords) return among(*comm_);
    if (!leads_machine()) return board_.ask(*comm_, node_ranks().rank(), words, words);
    Status merged = board_.collect(*comm_, node_ranks().size(), words, merge);
    if (merged.ok() && !one_machine()) merged = among(peers_);
    board_.answer(words, merged.ok());
    return merged;
  }
  static void add_words(std::span<std::uint64_t> into, std::span<const std::uint64_t> from) {
    for (std::size_t i = 0; i < into.size(); ++i) into[i] += from[i];
  }
  /// Runs one collective under the hang watch (guarded_collective.hpp).
  template <class F>
  Status guarded(const char* what, F&& call, Among among = Among::kFile);
  void watch_wait(const char* what, bool for_messages);
  void enter_collective(const char* what, Among among = Among::kFile);
  Status leave_collective(const char* what, Status done);

  std::optional<mpi::Comm> comm_;
  mpi::Type wire_type_;
  mpi::Op wire_op_;
  std::unique_ptr<HangWatch> watch_;
  SharedEnvironment environment_;
  CallLog log_;
  const SpaceHash* space_ = nullptr;
  std::optional<SpaceHash> trial_space_;  ///< as it was when a trial began
  /// Room for rank 0's environment on its way, until begin() has it.
  std::vector<std::byte> environment_text_;
  Status poison_;
  bool has_lost_undo_ = false;
  /// All ranks were in the agreement that poisoned the file.
  bool poisoned_in_step_ = true;
  bool owes_ = false;
  Coordinator* next_owing_ = nullptr;
  const ThreadCalls* owes_in_ = nullptr;  ///< the thread that poisoned it
  std::function<void()> at_loss_;
  pid_t process_ = 0;  ///< whose communicator it is
  /// The communicating call that the ranks are in, for the hang watch's message.
  static constexpr std::size_t kCallBytes = 256;
  std::string current_call_;
  std::uint64_t communicates_in_ = 0;  ///< the last call in which it did: number_of_call()
  std::uint64_t sequence_ = 0;
  Machine machine_;
  mpi::Comm node_;  ///< null where there is one node, or nobody has asked
  /// Becomes node_ when somebody asks; null where nodes are not machines, or MPI refused it.
  mpi::Comm spare_node_;
  mpi::Comm peers_;  ///< ranks with this one's place on other nodes; the same
  bool no_node_ = false, no_peers_ = false;  ///< MPI refused them to some rank; equal on all
  mpi::SharedMemory shared_;
  bool no_shared_memory_ = false;
  FactsBoard board_;
  bool no_board_ = false;
  std::uint64_t agreements_ = 0;  ///< as far as they count
  /// Up to so many ranks a word for each of them is less than messages of their own are. Not on the stack, which is gone
  /// where MPI gives up an exchange that it began.
  static constexpr std::size_t kFewRanks = 32;
  std::array<std::uint64_t, kFewRanks> words_going_{}, words_coming_{};
};

static_assert(Communicator<Coordinator>);

}  // namespace pcio
