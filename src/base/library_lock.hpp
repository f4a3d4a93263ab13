// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room base: how threads share the library: one lock that is held while it computes, and one for each
// file that is held over a call.
//
// The library's lock guards everything in memory. It is given up wherever a call may wait: in MPI, for
// storage, in its own filters, in functions of the program that iterations call, for a file's lock. So
// that nothing of a file changes meanwhile, a call holds the locks of the files that it came to until its
// end. Files' locks are plain variables under the library's.
//
// A thread that has a file already and comes to one that another thread has does not wait with it in hand:
// its call is begun again once all files that it is known to need are free. Where a call has gone too far
// for that it waits, and gets an error where the others wait for it.
// doc/decisions/0030-locks-of-files.md tells why.

#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/status.hpp"

namespace pcio {

struct ThreadCalls;

namespace detail {
/// Several looks at it in each call: one instruction, where a thread_local is a function.
extern __thread ThreadCalls* known_calls __attribute__((tls_model("initial-exec")));
ThreadCalls* first_calls();
}  // namespace detail

/// The lock of one file, or of files that are mounted in each other. Threads: under the library's lock.
class FileLock {
 public:
  FileLock() = default;
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  ~FileLock() = default;
  /// This thread has it.
  [[nodiscard]] bool is_ours() const { return owner_ != nullptr && owner_ == detail::known_calls; }
  /// A thread has ended in the midst of a call that had it, between exchanges with other ranks, which go on with them.
  [[nodiscard]] bool was_left_in_exchange() const { return left_in_exchange_; }

 private:
  friend struct FileLockAccess;
  ThreadCalls* owner_ = nullptr;
  bool left_in_exchange_ = false;
  unsigned threads_ =
      0;  ///< in calls that took it, also where they let it go while they wait for others
};
using FileLockPtr = std::shared_ptr<FileLock>;

/// What a call of the API is to others of its thread.
struct CallState {
  std::uint64_t number = 0;  ///< of all calls of all threads; 0: no call
  const CallState* around =
      nullptr;                ///< the call in whose function of the program this one is made
  bool went_too_far = false;  ///< it can't be begun again
  bool in_callback = false;   ///< a function of the program runs that an iteration called
  bool is_finding =
      false;  ///< a function of the program runs between the call's exchanges: FindingTurn
  bool callers_can_wait = false;     ///< all calls around it are in such functions
  std::size_t files_of_callers = 0;  ///< locks that the calls around it have
  /// Those of them that calls have which don't look after their function whether the file is still open.
  std::size_t files_in_midst = 0;
  bool gives_back = false;                    ///< see CallFrame::Purpose
  const void* communicates = nullptr;         ///< over whose ranks it did: note_communication
  const void* caller_communicates = nullptr;  ///< the same of the calls around it
};

/// One thread in the library. Threads: its own, and the members for waiting under the library's lock.
struct ThreadCalls {
  ThreadCalls() = default;
  ThreadCalls(const ThreadCalls&) = delete;
  ThreadCalls& operator=(const ThreadCalls&) = delete;
  ~ThreadCalls();
  std::vector<FileLockPtr> held;  ///< in the order of taking
  std::vector<FileLockPtr> wanted;
  const FileLock* waits_for = nullptr;
  unsigned depth = 0;  ///< calls in calls
  bool has_library = false;
  bool waited = false;
  CallState call;
};

/// This thread's; null where there is no memory.
inline ThreadCalls* this_threads_calls() {
  return detail::known_calls != nullptr ? detail::known_calls : detail::first_calls();
}

/// One call of the API, from its begin to its end: takes the library's lock, and gives back the files' locks
/// that were taken in it. Threads: one.
class CallFrame {
 public:
  enum class Purpose : std::uint8_t {
    kCall,
    kGiveBack  ///< the library gives back, within its call, what a function of the program made there
  };
  explicit CallFrame(Purpose purpose = Purpose::kCall) noexcept;
  CallFrame(const CallFrame&) = delete;
  CallFrame& operator=(const CallFrame&) = delete;
  ~CallFrame() { end(); }
  /// False where there was no memory to begin it.
  [[nodiscard]] bool begun() const { return thread_ != nullptr; }
  /// The call came to a file that another thread has, and is to be begun again: now it has the lock.
  [[nodiscard]] bool is_to_begin_again() {
    return !thread_->wanted.empty() && wait_for_all_files();
  }
  void end() noexcept {
    if (thread_ != nullptr) give_back();
  }

 private:
  void give_back() noexcept;
  bool wait_for_all_files();

  ThreadCalls* thread_;
  std::size_t held_before_ = 0;
  bool took_library_ = false;
  CallState caller_;
};

/// Gives the library's lock up while something waits or runs that touches nothing of the library. Without
/// effect where this thread has none. Threads: one.
class LibraryPause {
 public:
  LibraryPause() noexcept;
  LibraryPause(const LibraryPause&) = delete;
  LibraryPause& operator=(const LibraryPause&) = delete;
  ~LibraryPause();

 private:
  ThreadCalls* thread_;
};

/// Around a function of the program that an iteration calls: what the iteration has in hand may change, so
/// that calls in the function may let its files go while they wait for others. Threads: one.
class ProgramsTurn {
 public:
  ProgramsTurn() noexcept;
  ProgramsTurn(const ProgramsTurn&) = delete;
  ProgramsTurn& operator=(const ProgramsTurn&) = delete;
  ~ProgramsTurn();

 private:
  ThreadCalls* thread_;
  LibraryPause pause_;
};

/// Around a function of the program by which a call finds what it works on (a link's class), when nothing of the call is under way
/// among ranks: what the function calls may communicate. The call keeps its files. Threads: one.
class FindingTurn {
 public:
  FindingTurn() noexcept;
  FindingTurn(const FindingTurn&) = delete;
  FindingTurn& operator=(const FindingTurn&) = delete;
  ~FindingTurn();

 private:
  ThreadCalls* thread_;
  bool before_ = false;
};

/// Files that are come to within it are given back at its end, where they were nobody's before.
class FileLockScope {
 public:
  FileLockScope() noexcept;
  FileLockScope(const FileLockScope&) = delete;
  FileLockScope& operator=(const FileLockScope&) = delete;
  ~FileLockScope();

 private:
  ThreadCalls* thread_;
  std::size_t held_before_ = 0;
};

/// What is done about a lock that another thread has, by a call that has others.
enum class WhenTaken : std::uint8_t {
  kBeginAgain,  ///< without any, where it still can
  kWait
};
/// Takes the lock until the call ends; nothing where this thread has it, or is in no call.
/// Errors: FILE/FILEOPEN: another thread has it, and the call is to be begun again; or it would wait for
/// this one.
Status take_file_lock(const FileLockPtr& lock, WhenTaken what = WhenTaken::kBeginAgain);
/// The error again, where somebody passed over it: nothing may be changed before the call begins again.
Status check_nothing_wanted();
/// True where that waited since it was asked last: what was found before may be gone.
inline bool waited_for_file() {
  ThreadCalls* thread = detail::known_calls;
  return thread != nullptr && thread->waited && std::exchange(thread->waited, false);
}
/// Another thread is in a call on the file.
[[nodiscard]] bool is_taken_by_other(const FileLock& lock);
/// The same, also where that call lets the file go for the moment: ProgramsTurn.
[[nodiscard]] bool is_in_call_of_other(const FileLock& lock);
/// A call around this one, in a function of the program that it runs, has the file in hand.
[[nodiscard]] bool is_used_by_callers(const FileLock& lock);
/// ... and goes on with it without a look at whether it is still open: no ProgramsTurn.
[[nodiscard]] bool is_in_midst_of_callers(const FileLock& lock);
/// The same of any file: what such a call has found there may be deleted by now, and it goes on with it.
[[nodiscard]] bool any_is_in_midst_of_callers();
/// This call communicates over a file's ranks, which `whose` stands for: it ends on all of them.
void note_communication(const void* whose) noexcept;
/// A call around this one does: whatever other ranks do with that file comes after the call. Also where this
/// one is the library's own (CallFrame::Purpose), whose call ends before the program goes on.
[[nodiscard]] bool is_ended_for_all(const void* whose);
/// The number of the call that this thread is in; 0: none.
[[nodiscard]] std::uint64_t number_of_call() noexcept;
/// Call `number` of this thread runs a function of the program, from which this is asked, and goes on with what it has
/// in hand: no ProgramsTurn. Not where this call is the library's own (CallFrame::Purpose).
[[nodiscard]] bool is_in_midst_of_call(std::uint64_t number) noexcept;
/// The same, but for a function within a FindingTurn.
[[nodiscard]] bool is_exchanging_around(std::uint64_t number) noexcept;
/// A call of this thread runs a function of the program, from which this is asked.
[[nodiscard]] bool is_within_call();
/// The call can't be begun again: it has communicated, changed something, or called the program.
void call_went_too_far() noexcept;
/// Threads that are in calls, this one included. Threads: under the library's lock.
[[nodiscard]] unsigned threads_in_library() noexcept;

}  // namespace pcio
