// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// A progress bar on a terminal. Room: tools.

#include "progress.hpp"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>

namespace tools {

namespace {

constexpr int kWidth = 30;             // of the bar, in characters
constexpr std::size_t kMostWhat = 28;  // of the name of what is being worked on

bool is_on(Bar bar) {
  return bar == Bar::kOn || (bar == Bar::kOnTerminal && ::isatty(STDERR_FILENO) == 1);
}

}  // namespace

Progress::Progress(Bar bar, std::uint64_t total) : on_(is_on(bar)), total_(total) {}

Progress::~Progress() { clear(); }

void Progress::clear() const {
  if (!drawn_) return;
  fmt::print(stderr, "\r{:{}}\r", "", kWidth + static_cast<int>(kMostWhat) + 50);
  std::fflush(stderr);
}

void Progress::add(std::uint64_t bytes, const std::string& what) {
  done_ += bytes;
  const auto now = Clock::now();
  if (!on_ || (drawn_ && now - shown_ < std::chrono::milliseconds(200))) return;
  shown_ = now;
  drawn_ = true;
  const double part =
      total_ == 0 ? 1.0 : std::min(1.0, static_cast<double>(done_) / static_cast<double>(total_));
  const int filled = static_cast<int>(part * kWidth);
  const double seconds = std::chrono::duration<double>(now - begun_).count();
  const auto speed = static_cast<std::uint64_t>(static_cast<double>(done_) / (seconds + 1e-9));
  const std::string name =
      what.size() <= kMostWhat ? what : "..." + what.substr(what.size() - kMostWhat + 3);
  fmt::print(stderr, "\r[{}{}] {:3.0f} %  {} of {}, {}/s  {:{}}", std::string(filled, '#'),
             std::string(kWidth - filled, ' '), 100 * part, bytes_in_words(done_),
             bytes_in_words(total_), bytes_in_words(speed), name, kMostWhat);
  std::fflush(stderr);
}

std::string bytes_in_words(std::uint64_t bytes) {
  static const char* const kUnits[] = {"KiB", "MiB", "GiB", "TiB", "PiB"};
  if (bytes < 1024) return fmt::format("{} bytes", bytes);
  double amount = static_cast<double>(bytes) / 1024;
  int unit = 0;
  for (; amount >= 1024 && unit < 4; ++unit) amount /= 1024;
  return fmt::format("{:.1f} {}", amount, kUnits[unit]);
}

}  // namespace tools
