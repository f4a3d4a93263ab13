// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room agree: what this rank did since the ranks last agreed, step by step, so that ranks that lost
// step can find the first one that differs.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "agree/named_arguments.hpp"
#include "base/fixed_text.hpp"

namespace pcio {

/// Steps are numbered from 1. Few are kept however many there are: where room runs out every second
/// one goes, so those that stay are spread evenly; the last one is always kept. Constant memory,
/// constant cost a step, no allocation.
///
/// Threads: thread-compatible. Collective: everything here is local.
class CallTrail {
 public:
  /// What can differ after a step: the calls themselves, or the space that they gave out.
  enum class Mark : std::uint8_t { kCalls = 1, kSpace = 2 };
  static constexpr std::size_t kKept = 32;
  /// Longest name of a step; bytes.
  static constexpr std::size_t kNameBytes = 96;
  /// Number, hash of calls and hash of space of each kept step; numbers first: steps, stride.
  using Words = std::array<std::uint64_t, 2 + 3 * (kKept + 1)>;
  static constexpr std::uint64_t kNoStep = ~std::uint64_t{0};

  /// `arguments` of the call, if the step is one.
  void note(std::string_view what, std::uint64_t calls, std::uint64_t space,
            const ArgumentMarks& arguments = ArgumentMarks()) noexcept;
  void clear() noexcept;

  [[nodiscard]] std::uint64_t steps() const { return steps_; }
  [[nodiscard]] Words words() const noexcept;
  /// Number of the first step that another rank's words show to differ; kNoStep where all that both
  /// have are equal. A step that only one of them made differs.
  [[nodiscard]] std::uint64_t first_difference(const Words& other, Mark mark) const noexcept;
  /// What the step was; "nothing more" where there was no such step.
  [[nodiscard]] std::string_view name_of(std::uint64_t number) const noexcept;
  /// Of the step; none where it was thinned out.
  [[nodiscard]] ArgumentMarks arguments_of(std::uint64_t number) const noexcept;

 private:
  struct Step {
    std::uint64_t number = 0;  // 0: none
    std::uint64_t calls = 0;
    std::uint64_t space = 0;
    FixedText<kNameBytes> name;
    ArgumentMarks arguments;
  };
  [[nodiscard]] const Step* find(std::uint64_t number) const noexcept;
  void thin() noexcept;

  std::array<Step, kKept> kept_;
  std::size_t count_ = 0;
  Step last_;
  std::uint64_t steps_ = 0;
  std::uint64_t stride_ = 1;
};

}  // namespace pcio
