// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// A progress bar on a terminal. Room: tools.

#ifndef PCIO_TOOLS_COMMON_PROGRESS_HPP
#define PCIO_TOOLS_COMMON_PROGRESS_HPP

#include <chrono>
#include <cstdint>
#include <string>

namespace tools {

enum class Bar : std::uint8_t { kOff, kOn, kOnTerminal };

/// A line on stderr that shows how much of the work is done, at most five times a second. It is on where
/// stderr is a terminal, or where it is asked for (mpirun gives its ranks none).
class Progress {
 public:
  /// `total` bytes are to be done. `bar` is kOff on all ranks but one.
  Progress(Bar bar, std::uint64_t total);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  /// Leaves no bar behind.
  ~Progress();

  void add(std::uint64_t bytes, const std::string& what);

 private:
  using Clock = std::chrono::steady_clock;
  void clear() const;

  bool on_;
  std::uint64_t total_, done_ = 0;
  Clock::time_point begun_ = Clock::now(), shown_;
  bool drawn_ = false;
};

/// "12 bytes", "3.1 MiB".
std::string bytes_in_words(std::uint64_t bytes);

}  // namespace tools

#endif
