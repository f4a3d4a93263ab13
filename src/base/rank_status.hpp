// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room base: what a rank that failed goes on with: nothing, until it can tell the others.
//
// Between two exchanges of a collective call a rank may not leave: the others would wait for it. Its
// first failure is kept here, what it would have done is left out, and the next agreement has the
// failure in its words.

#pragma once

#include <cstdint>
#include <utility>

#include "base/status.hpp"
#include "base/without_throwing.hpp"

namespace pcio {

/// This rank's failure in a collective call, if any. Threads: one thread for each object.
class RankStatus {
 public:
  RankStatus() = default;
  explicit RankStatus(Status before) : first_(std::move(before)) {}

  [[nodiscard]] bool ok() const { return first_.ok(); }
  /// The first failure.
  [[nodiscard]] const Status& status() const { return first_; }
  /// What enters an agreement on the maximum: 1 where this rank failed, else 0.
  [[nodiscard]] std::uint64_t word() const { return first_.ok() ? 0 : 1; }

  /// Later failures are consequences of the first one.
  void note(Status outcome) {
    if (first_.ok()) first_ = std::move(outcome);
  }
  /// Does `step`, a function that returns a Status, unless something failed before.
  template <class F>
  void unless_failed(F&& step) noexcept {
    if (first_.ok()) first_ = without_throwing(std::forward<F>(step));
  }
  /// Does `step` in any case: others wait for it, or it knows how to do nothing. Returns whether this
  /// step succeeded.
  template <class F>
  bool even_if_failed(F&& step) noexcept {
    Status done = without_throwing(std::forward<F>(step));
    const bool succeeded = done.ok();
    note(std::move(done));
    return succeeded;
  }

 private:
  Status first_;
};

}  // namespace pcio
