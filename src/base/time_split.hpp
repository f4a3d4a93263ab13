// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room base: what the time of a call goes to.
//
// Nothing is measured, and hardly anything spent, where nobody keeps the time.

#pragma once

#include <array>
#include <chrono>
#include <cstdint>

namespace pcio {

enum class Spent : std::uint8_t {
  kAgreement,   // the ranks tell each other what they do and how it went, and wait for the last one
  kExchange,    // pieces to and from other ranks, and what the ranks agree on for that
  kFile,        // in calls of MPI-IO and the system
  kFilters,     // encoding and decoding of chunks
  kConversion,  // of element types
  kElse         // selecting, packing, copying
};
inline constexpr std::size_t kSpents = static_cast<std::size_t>(Spent::kElse);
/// Nanoseconds; what is kElse is not kept.
using TimeSplit = std::array<std::uint64_t, kSpents>;

/// For as long as it lives this thread's time is added to `into`. One in another one has the time alone.
class TimeKept {
 public:
  explicit TimeKept(TimeSplit* into) noexcept : into_(into), outer_(current()) {
    if (into_ != nullptr) current() = this;
  }
  TimeKept(const TimeKept&) = delete;
  TimeKept& operator=(const TimeKept&) = delete;
  ~TimeKept() {
    if (into_ != nullptr) current() = outer_;
  }
  static TimeKept*& current() noexcept {
    static thread_local TimeKept* kept = nullptr;
    return kept;
  }
  /// What the time goes to from here on; what it went to before.
  Spent change(Spent next) noexcept {
    const std::uint64_t now = static_cast<std::uint64_t>(
        std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count());
    if (what_ != Spent::kElse) (*into_)[static_cast<std::size_t>(what_)] += now - since_;
    since_ = now;
    const Spent before = what_;
    if (before == Spent::kExchange && next == Spent::kAgreement) next = before;
    what_ = next;
    return before;
  }

 private:
  TimeSplit* into_;
  TimeKept* outer_;
  Spent what_ = Spent::kElse;
  std::uint64_t since_ = 0;
};

/// For as long as it lives the time goes to `what`; then to what it went to before.
class Spends {
 public:
  explicit Spends(Spent what) noexcept : kept_(TimeKept::current()) {
    if (kept_ != nullptr) before_ = kept_->change(what);
  }
  Spends(const Spends&) = delete;
  Spends& operator=(const Spends&) = delete;
  ~Spends() {
    if (kept_ != nullptr) kept_->change(before_);
  }

 private:
  TimeKept* kept_;
  Spent before_ = Spent::kElse;
};

}  // namespace pcio
