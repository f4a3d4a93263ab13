// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/pieces: what does something, or in a dry run what counts it: the one place that chooses.

#pragma once

#include <utility>
#include <variant>

#include "transfer/pieces/file_piece.hpp"

namespace pcio {

/// A `Does` or, in a dry run, a `Counts`, both `Base`, kept in place: no rank runs out of memory for it.
/// Threads: those of Base.
template <class Base, class Does, class Counts>
class ByEffort {
 public:
  /// `args`: of the constructor of either.
  template <class... Args>
  explicit ByEffort(Effort effort, Args&&... args) {
    if (effort == Effort::kDryRun)
      base_ = &made_.template emplace<2>(std::forward<Args>(args)...);
    else
      base_ = &made_.template emplace<1>(std::forward<Args>(args)...);
  }
  ByEffort(const ByEffort&) = delete;
  ByEffort& operator=(const ByEffort&) = delete;

  [[nodiscard]] Base& get() { return *base_; }

 private:
  std::variant<std::monostate, Does, Counts> made_;
  Base* base_ = nullptr;
};

}  // namespace pcio
