// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room driver: WritingThread.

#include "driver/writing_thread.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <condition_variable>
#include <csignal>
#include <mutex>
#include <new>
#include <unistd.h>
#include <utility>

#include "base/library_lock.hpp"
#include "base/time_split.hpp"
#include "driver/posix_file.hpp"
#include "mpi/this_process.hpp"

namespace pcio {

namespace {

/// Bytes of one system call, at most: Linux moves no more than 0x7ffff000.
constexpr std::uint64_t kLargestWrite = std::uint64_t{1} << 30;

Status is_in_child() {
  return PCIO_ERROR(IO, WRITEERROR,
                    "a child of fork goes on with a transfer that its parent has begun");
}

}  // namespace

/// Of what both use all is under the mutex.
struct WritingThread::State {
  struct Part {
    std::uint64_t offset = 0;
    ConstBytes data;
  };
  /// Errno 0 and fewer bytes than wanted where the system took none and didn't say why.
  struct Ended {
    std::uint64_t done = 0;
    std::uint64_t calls = 0;
    int error = 0;
  };

  explicit State(int of_file) : fd(of_file) {}
  [[nodiscard]] Part& part(std::uint64_t number) { return parts[number % kMostWaiting]; }
  [[nodiscard]] Ended write(const Part& part) const noexcept;
  void run() noexcept;

  const int fd;
  std::mutex mutex;
  std::condition_variable work;      ///< for the thread: there is some, or it is to end
  std::condition_variable progress;  ///< for its rank: what this waits for is over
  std::array<Part, kMostWaiting> parts;
  std::uint64_t begun = 0;   ///< handed over so far
  std::uint64_t over = 0;    ///< of these, written, failed or left out
  std::uint64_t wanted = 0;  ///< its rank waits for so many to be over
  bool ends = false;
  bool leaves_out = false;
  std::uint64_t calls = 0, bytes = 0;  ///< since they were counted last
  bool failed = false;
  Part failed_part;
  Ended failed_end;
};

WritingThread::State::Ended WritingThread::State::write(const Part& part) const noexcept {
  Ended ended;
  const std::uint64_t size = part.data.size();
  while (ended.done < size) {
    ++ended.calls;
    const ssize_t n =
        ::pwrite(fd, part.data.data() + ended.done, std::min(kLargestWrite, size - ended.done),
                 static_cast<off_t>(part.offset + ended.done));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) ended.error = errno;
    if (n <= 0) break;
    ended.done += static_cast<std::uint64_t>(n);
  }
  return ended;
}

void WritingThread::State::run() noexcept {
  std::unique_lock<std::mutex> lock(mutex);
  for (;;) {
    work.wait(lock, [this] { return over < begun || ends; });
    if (over == begun) return;
    const Part mine = part(over);
    if (!leaves_out) {
      lock.unlock();
      const Ended ended = write(mine);
      lock.lock();
      calls += ended.calls;
      bytes += ended.done;
      if (ended.done != mine.data.size()) {
        failed = leaves_out = true;
        failed_part = mine;
        failed_end = ended;
      }
    }
    ++over;
    if (over == wanted) progress.notify_one();
  }
}

WritingThread::WritingThread() = default;
WritingThread::~WritingThread() { stop(); }

bool WritingThread::begin(int fd, IoCounters& counters, WritingThread*& known) noexcept {
  if (std::exchange(was_asked_for_, true) || fd < 0) return false;
  std::unique_ptr<State> state(new (std::nothrow) State(fd));
  if (state == nullptr) return false;
  const auto body = [](void* shared) -> void* {
    static_cast<State*>(shared)->run();
    return nullptr;
  };
  // The thread has the mask of who begins it. Its stack is as large as others': what a program keeps for each thread is on it.
  sigset_t all, before;
  (void)::sigfillset(&all);
  bool begun = ::pthread_sigmask(SIG_SETMASK, &all, &before) == 0;
  if (begun) {
    begun = ::pthread_create(&thread_, nullptr, body, state.get()) == 0;
    (void)::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }
  if (!begun) return false;
  state_ = std::move(state);
  process_ = this_process();
  counters_ = &counters;
  known_ = &known;
  known = this;
  return true;
}

bool WritingThread::is_here() const { return process_ == this_process(); }

/// Under the mutex, or when the thread has ended.
void WritingThread::count() {
  counters_->independent_writes += std::exchange(state_->calls, 0);
  counters_->bytes_written += std::exchange(state_->bytes, 0);
}

/// Under the mutex.
Status WritingThread::outcome() {
  count();
  if (!state_->failed) return Status();
  return short_write_error(state_->failed_end.done, state_->failed_part.data.size(),
                           state_->failed_part.offset, state_->failed_end.error);
}

bool WritingThread::is_full() {
  const std::lock_guard<std::mutex> lock(state_->mutex);
  return state_->begun - state_->over == kMostWaiting;
}

Status WritingThread::hand_over(std::uint64_t offset, ConstBytes data) {
  if (!is_here()) return is_in_child();
  // Half of them at a time: else it would wait for each of those that follow.
  if (is_full()) PCIO_TRY(wait_for(handed_over_ - kMostWaiting / 2));
  const std::lock_guard<std::mutex> lock(state_->mutex);
  if (state_->failed) return outcome();
  state_->part(handed_over_) = {offset, data};
  state_->begun = ++handed_over_;
  state_->work.notify_one();
  return Status();
}

Status WritingThread::wait_for(std::uint64_t count) {
  if (!is_begun()) return Status();
  if (!is_here()) return is_in_child();
  const Spends moves(Spent::kFile);
  const LibraryPause others_go_on;
  std::unique_lock<std::mutex> lock(state_->mutex);
  state_->wanted = count;
  state_->progress.wait(lock, [&] { return state_->over >= count; });
  return outcome();
}

Status WritingThread::finish() {
  Status all = wait_for(handed_over_);
  stop();
  return all;
}

void WritingThread::stop() noexcept {
  if (!is_begun()) return;
  *known_ = nullptr;
  // The thread stayed with the parent, and may have the mutex there.
  if (!is_here()) return static_cast<void>(state_.release());
  const Spends moves(Spent::kFile);
  const LibraryPause others_go_on;
  {
    const std::lock_guard<std::mutex> lock(state_->mutex);
    state_->ends = state_->leaves_out = true;
    state_->work.notify_one();
  }
  (void)::pthread_join(thread_, nullptr);
  count();
  state_.reset();
}

}  // namespace pcio
