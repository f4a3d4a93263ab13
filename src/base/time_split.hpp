// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room base: what the time of a call goes to, and some of its bytes.
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
  kFill,        // making fill values and writing them, the calls that write them included
  kElse         // selecting, packing, copying
};
inline constexpr std::size_t kSpents = static_cast<std::size_t>(Spent::kElse);
/// Nanoseconds; what is kElse is not kept.
using TimeSplit = std::array<std::uint64_t, kSpents>;

/// Bytes that are counted beside the time.
enum class Amount : std::uint8_t {
  kRaw,     // of chunks before they were encoded, or after they were decoded
  kStored,  // of the same chunks as they lie in the file
  kFilled,  // fill values written
  kCount
};
inline constexpr std::size_t kAmounts = static_cast<std::size_t>(Amount::kCount);

/// What a call spent.
struct Spending {
  TimeSplit times{};
  std::array<std::uint64_t, kAmounts> amounts{};
  [[nodiscard]] std::uint64_t operator[](Spent what) const {
    return times[static_cast<std::size_t>(what)];
  }
  [[nodiscard]] std::uint64_t operator[](Amount what) const {
    return amounts[static_cast<std::size_t>(what)];
  }
  Spending& operator+=(const Spending& other) {
    for (std::size_t i = 0; i < kSpents; ++i) times[i] += other.times[i];
    for (std::size_t i = 0; i < kAmounts; ++i) amounts[i] += other.amounts[i];
    return *this;
  }
  friend bool operator==(const Spending&, const Spending&) = default;
};

/// Of a clock that only goes forward.
[[nodiscard]] inline std::uint64_t nanoseconds_now() noexcept {
  return static_cast<std::uint64_t>(
      std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count());
}

/// For as long as it lives, or until it is stopped, this thread's time and bytes are added to `into`. One in another
/// one has them alone.
class TimeKept {
 public:
  explicit TimeKept(Spending* into) noexcept : into_(into), outer_(current()) {
    if (into_ != nullptr) current() = this;
  }
  TimeKept(const TimeKept&) = delete;
  TimeKept& operator=(const TimeKept&) = delete;
  ~TimeKept() { stop(); }
  /// No more is added but by those Spends that are under way. Those within this one go on.
  void stop() noexcept {
    TimeKept** at = &current();
    while (*at != nullptr && *at != this) at = &(*at)->outer_;
    if (*at == this) *at = outer_;
  }
  static TimeKept*& current() noexcept {
    static thread_local TimeKept* kept = nullptr;
    return kept;
  }
  /// What the time goes to from here on; what it went to before.
  Spent change(Spent next) noexcept {
    const std::uint64_t now = nanoseconds_now();
    if (what_ != Spent::kElse) into_->times[static_cast<std::size_t>(what_)] += now - since_;
    since_ = now;
    const Spent before = what_;
    // What belongs to the other, and is not told apart.
    if (before == Spent::kExchange && next == Spent::kAgreement) next = before;
    if (before == Spent::kFill && next == Spent::kFile) next = before;
    what_ = next;
    return before;
  }
  void add(Amount what, std::uint64_t bytes) noexcept {
    into_->amounts[static_cast<std::size_t>(what)] += bytes;
  }

 private:
  Spending* into_;
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

/// Where somebody keeps it.
inline void count_amount(Amount what, std::uint64_t bytes) noexcept {
  if (TimeKept* const kept = TimeKept::current(); kept != nullptr) kept->add(what, bytes);
}

}  // namespace pcio
