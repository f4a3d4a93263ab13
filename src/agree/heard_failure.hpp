// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room agree: failures that a rank has only heard of.
//
// Between agreements the ranks tell each other by a word or two that one of them can't go on. Those that
// can stop, too, and bring to the next agreement that they have heard of it; there the rank whose own
// failure it is comes before them, and all get its text.

#pragma once

#include <string_view>

#include "base/status.hpp"

namespace pcio {

/// How such a failure begins.
inline constexpr std::string_view kAnotherRank = "another rank ";

/// True where this rank has no failure of its own but one that it was told of.
[[nodiscard]] inline bool is_heard(const Status& status) noexcept {
  return std::string_view(status.message()).substr(0, kAnotherRank.size()) == kAnotherRank;
}

}  // namespace pcio
