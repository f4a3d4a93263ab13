// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room base: the locks of library and files, out of line.

#include "base/library_lock.hpp"

#include <algorithm>
#include <pthread.h>
#include <utility>

#include "base/kept_by_thread.hpp"
#include "base/without_throwing.hpp"

namespace pcio {

namespace {

// Plain objects: nothing destroys them, and they may be asked at any time.
pthread_mutex_t library_mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t file_given_back = PTHREAD_COND_INITIALIZER;
unsigned threads_inside = 0;
std::uint64_t calls_begun = 0;
unsigned threads_waiting = 0;

void lock_library(ThreadCalls& thread) {
  pthread_mutex_lock(&library_mutex);
  thread.has_library = true;
}

void unlock_library(ThreadCalls& thread) {
  thread.has_library = false;
  pthread_mutex_unlock(&library_mutex);
}

/// A child of fork has the one thread that forked.
void lock_for_fork() {
  ThreadCalls* thread = this_threads_calls();
  if (thread == nullptr || !thread->has_library) pthread_mutex_lock(&library_mutex);
}

void unlock_after_fork() {
  ThreadCalls* thread = this_threads_calls();
  if (thread == nullptr || !thread->has_library) pthread_mutex_unlock(&library_mutex);
}

void unlock_in_child() {
  threads_waiting = 0;
  ThreadCalls* thread = this_threads_calls();
  threads_inside = thread != nullptr && thread->depth > 0 ? 1 : 0;
  unlock_after_fork();
}

[[maybe_unused]] const int kForkHandlers =
    pthread_atfork(lock_for_fork, unlock_after_fork, unlock_in_child);

}  // namespace

/// The lock as this file sees it.
struct FileLockAccess {
  static ThreadCalls*& owner(FileLock& lock) { return lock.owner_; }
  static ThreadCalls* owner(const FileLock& lock) { return lock.owner_; }
  static unsigned threads(const FileLock& lock) { return lock.threads_; }
  static void count(FileLock& lock) { ++lock.threads_; }
  static void forget(FileLock& lock) { --lock.threads_; }
  static void leave_in_exchange(FileLock& lock) { lock.left_in_exchange_ = true; }
};

namespace {

void give_back_to(ThreadCalls& thread, std::size_t count) noexcept {
  if (thread.held.size() <= count) return;
  while (thread.held.size() > count) {
    FileLockAccess::owner(*thread.held.back()) = nullptr;
    FileLockAccess::forget(*thread.held.back());
    thread.held.pop_back();
  }
  if (threads_waiting > 0) pthread_cond_broadcast(&file_given_back);
}

void wait_for_change(ThreadCalls& thread) {
  thread.waited = true;
  ++threads_waiting;
  pthread_cond_wait(&file_given_back, &library_mutex);
  --threads_waiting;
}

bool is_free(const FileLock& lock, const ThreadCalls& thread) {
  const ThreadCalls* owner = FileLockAccess::owner(lock);
  return owner == nullptr || owner == &thread;
}

/// The one that has the lock waits for this thread, through however many others.
bool waits_for_us(const FileLock& lock, const ThreadCalls& thread) {
  const FileLock* next = &lock;
  while (next != nullptr) {
    const ThreadCalls* owner = FileLockAccess::owner(*next);
    if (owner == nullptr) return false;
    if (owner == &thread) return true;
    next = owner->waits_for;
  }
  return false;
}

ErrorFrame taken_by_other(const char* what) {
  return PCIO_FRAME(FILE, FILEOPEN, std::string("another thread uses the file") + what);
}

/// Waits with everything in hand. `thread.held` has room.
Status wait_for_file(ThreadCalls& thread, FileLock& lock) {
  while (!is_free(lock, thread)) {
    if (waits_for_us(lock, thread))
      return Status(taken_by_other(
          ", and waits for a file that this one uses: a function of the program that was called in "
          "the middle of a transfer, or a call on several files, came to it too late to let go"));
    thread.waits_for = &lock;
    wait_for_change(thread);
    thread.waits_for = nullptr;
  }
  return Status();
}

bool can_begin_again(const ThreadCalls& thread) {
  return !thread.held.empty() && !thread.call.went_too_far && thread.call.callers_can_wait;
}

/// What is taken, or waited for, is noted without asking for memory.
Status make_room(ThreadCalls& thread) {
  const std::size_t most = thread.held.size() + thread.wanted.size() + 1;
  if (thread.held.capacity() >= most && thread.wanted.capacity() >= most) return Status();
  return without_throwing([&] {
    thread.held.reserve(2 * most + 8);
    thread.wanted.reserve(2 * most + 8);
    return Status();
  });
}

}  // namespace

__thread ThreadCalls* detail::known_calls = nullptr;

/// A thread that ends, or a program that exits, in a call that was left by longjmp, or in a function that one calls:
/// nobody waits for what it has.
ThreadCalls::~ThreadCalls() {
  detail::known_calls = nullptr;
  if (depth == 0) return;
  if (!has_library) lock_library(*this);
  if (call.communicates != nullptr || call.caller_communicates != nullptr) {
    // Whoever iterates, or finds its way, has no exchange under way.
    const bool is_between = call.in_callback || call.is_finding;
    const std::size_t left = is_between ? std::min(call.files_in_midst, held.size()) : held.size();
    for (std::size_t i = 0; i < left; ++i) FileLockAccess::leave_in_exchange(*held[i]);
  }
  give_back_to(*this, 0);
  --threads_inside;
  unlock_library(*this);
}

ThreadCalls* detail::first_calls() {
  known_calls = kept_by_thread<ThreadCalls>();
  return known_calls;
}

CallFrame::CallFrame(Purpose purpose) noexcept : thread_(this_threads_calls()) {
  if (thread_ == nullptr) return;
  took_library_ = !thread_->has_library;
  if (took_library_) lock_library(*thread_);
  held_before_ = thread_->held.size();
  caller_ = thread_->call;
  const bool outermost = thread_->depth++ == 0;
  if (outermost) ++threads_inside;
  CallState& call = thread_->call = CallState();
  call.callers_can_wait = outermost || (caller_.callers_can_wait && caller_.in_callback);
  call.number = ++calls_begun;
  call.files_of_callers = held_before_;
  call.gives_back = purpose == Purpose::kGiveBack;
  if (outermost) return;
  call.around = &caller_;
  call.files_in_midst = caller_.in_callback ? caller_.files_in_midst : held_before_;
  call.caller_communicates =
      caller_.communicates != nullptr ? caller_.communicates : caller_.caller_communicates;
}

void CallFrame::give_back() noexcept {
  ThreadCalls& thread = *thread_;
  give_back_to(thread, held_before_);
  thread.call = caller_;
  if (--thread.depth == 0) {
    --threads_inside;
    // Left where a body ended by an exception: the next call is not to begin again for it.
    thread.wanted.clear();
  }
  if (took_library_) unlock_library(thread);
  thread_ = nullptr;
}

/// Those of the calls around this one, too, are let go until all are free: nothing is held by who waits.
bool CallFrame::wait_for_all_files() {
  ThreadCalls& thread = *thread_;
  for (const FileLockPtr& lock : thread.held) FileLockAccess::owner(*lock) = nullptr;
  pthread_cond_broadcast(&file_given_back);
  // Room was made where they were found.
  for (FileLockPtr& lock : thread.wanted)
    if (std::find(thread.held.begin(), thread.held.end(), lock) == thread.held.end()) {
      FileLockAccess::count(*lock);
      thread.held.push_back(std::move(lock));
    }
  thread.wanted.clear();
  const auto free = [&](const FileLockPtr& lock) { return is_free(*lock, thread); };
  while (!std::all_of(thread.held.begin(), thread.held.end(), free)) wait_for_change(thread);
  for (const FileLockPtr& lock : thread.held) FileLockAccess::owner(*lock) = &thread;
  return true;
}

LibraryPause::LibraryPause() noexcept : thread_(this_threads_calls()) {
  if (thread_ != nullptr && !thread_->has_library) thread_ = nullptr;
  if (thread_ != nullptr) unlock_library(*thread_);
}

LibraryPause::~LibraryPause() {
  if (thread_ != nullptr) lock_library(*thread_);
}

ProgramsTurn::ProgramsTurn() noexcept : thread_(this_threads_calls()) {
  if (thread_ != nullptr && thread_->depth == 0) thread_ = nullptr;
  if (thread_ == nullptr) return;
  thread_->call.went_too_far = true;
  thread_->call.in_callback = true;
}

ProgramsTurn::~ProgramsTurn() {
  if (thread_ != nullptr) thread_->call.in_callback = false;
}

FindingTurn::FindingTurn() noexcept : thread_(this_threads_calls()) {
  if (thread_ != nullptr) before_ = std::exchange(thread_->call.is_finding, true);
}

FindingTurn::~FindingTurn() {
  if (thread_ != nullptr) thread_->call.is_finding = before_;
}

FileLockScope::FileLockScope() noexcept : thread_(this_threads_calls()) {
  if (thread_ != nullptr && thread_->depth == 0) thread_ = nullptr;
  if (thread_ != nullptr) held_before_ = thread_->held.size();
}

FileLockScope::~FileLockScope() {
  if (thread_ != nullptr) give_back_to(*thread_, held_before_);
}

Status take_file_lock(const FileLockPtr& lock, WhenTaken what) {
  ThreadCalls* thread = this_threads_calls();
  if (thread == nullptr || thread->depth == 0) return Status();
  ThreadCalls*& owner = FileLockAccess::owner(*lock);
  if (owner == thread) return Status();
  // Nearly always; room for what is wanted is kept.
  if (owner == nullptr && thread->held.capacity() > thread->held.size() + thread->wanted.size()) {
    owner = thread;
    FileLockAccess::count(*lock);
    thread->held.push_back(lock);
    return Status();
  }
  PCIO_TRY(make_room(*thread));
  if (owner != nullptr) {
    if (what == WhenTaken::kBeginAgain && can_begin_again(*thread)) {
      thread->wanted.push_back(lock);
      return Status(taken_by_other(""));
    }
    PCIO_TRY(wait_for_file(*thread, *lock));
  }
  FileLockAccess::owner(*lock) = thread;
  FileLockAccess::count(*lock);
  thread->held.push_back(lock);
  return Status();
}

Status check_nothing_wanted() {
  const ThreadCalls* thread = this_threads_calls();
  if (thread == nullptr || thread->wanted.empty()) return Status();
  return Status(taken_by_other(""));
}

bool is_taken_by_other(const FileLock& lock) {
  const ThreadCalls* owner = FileLockAccess::owner(lock);
  return owner != nullptr && owner != this_threads_calls();
}

bool is_in_call_of_other(const FileLock& lock) {
  return FileLockAccess::threads(lock) > (lock.is_ours() ? 1U : 0U);
}

namespace {

/// The lock is one of the first `count` that this thread has.
bool is_among_first(const FileLock& lock, std::size_t count) {
  if (!lock.is_ours()) return false;
  const std::vector<FileLockPtr>& held = detail::known_calls->held;
  return std::any_of(held.begin(), held.begin() + static_cast<std::ptrdiff_t>(count),
                     [&](const FileLockPtr& one) { return one.get() == &lock; });
}

}  // namespace

bool is_used_by_callers(const FileLock& lock) {
  const ThreadCalls* thread = detail::known_calls;
  return thread != nullptr && is_among_first(lock, thread->call.files_of_callers);
}

bool is_in_midst_of_callers(const FileLock& lock) {
  const ThreadCalls* thread = detail::known_calls;
  return thread != nullptr && is_among_first(lock, thread->call.files_in_midst);
}

bool any_is_in_midst_of_callers() {
  const ThreadCalls* thread = detail::known_calls;
  return thread != nullptr && thread->call.files_in_midst > 0;
}

void note_communication(const void* whose) noexcept {
  if (ThreadCalls* thread = detail::known_calls) thread->call.communicates = whose;
}

bool is_ended_for_all(const void* whose) {
  const ThreadCalls* thread = detail::known_calls;
  return thread != nullptr &&
         (thread->call.gives_back || thread->call.caller_communicates == whose);
}

std::uint64_t number_of_call() noexcept {
  const ThreadCalls* thread = detail::known_calls;
  if (thread == nullptr) return 0;
  const CallState& call = thread->call;
  return call.gives_back && call.around != nullptr ? call.around->number : call.number;
}

bool is_in_midst_of_call(std::uint64_t number) noexcept {
  const ThreadCalls* thread = detail::known_calls;
  if (thread == nullptr || number == 0 || thread->call.gives_back) return false;
  for (const CallState* call = thread->call.around; call != nullptr; call = call->around)
    if (call->number == number) return !call->in_callback;
  return false;
}

bool is_exchanging_around(std::uint64_t number) noexcept {
  if (!is_in_midst_of_call(number)) return false;
  const CallState* call = detail::known_calls->call.around;
  while (call->number != number) call = call->around;
  return !call->is_finding;
}

bool is_within_call() {
  const ThreadCalls* thread = detail::known_calls;
  return thread != nullptr && thread->depth > 0;
}

void call_went_too_far() noexcept {
  if (ThreadCalls* thread = this_threads_calls()) thread->call.went_too_far = true;
}

unsigned threads_in_library() noexcept { return threads_inside; }

}  // namespace pcio
