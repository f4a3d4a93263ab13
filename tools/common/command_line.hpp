// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// What command lines of tools that run under mpirun have in common. Room: tools.

#ifndef PCIO_TOOLS_COMMON_COMMAND_LINE_HPP
#define PCIO_TOOLS_COMMON_COMMAND_LINE_HPP

#include <CLI/CLI.hpp>
#include <sstream>
#include <utility>

#include "progress.hpp"

namespace tools {

inline void add_progress_flags(CLI::App& app, Bar* bar) {
  app.add_flag_callback(
      "--progress", [=] { *bar = Bar::kOn; }, "a progress bar also where stderr is no terminal");
  app.add_flag_callback(
      "--no-progress", [=] { *bar = Bar::kOff; }, "no progress bar");
}

/// `words`: argc and argv, or as CLI::App::parse takes them. False where the program ends now, with *status: help was asked
/// for, or a mistake was told by the rank that `speaks`.
template <class... Words>
bool parse(CLI::App& app, bool speaks, int* status, Words&&... words) {
  try {
    app.parse(std::forward<Words>(words)...);
    return true;
  } catch (const CLI::ParseError& error) {
    std::ostringstream nowhere;
    const int code = speaks ? app.exit(error) : app.exit(error, nowhere, nowhere);
    *status = code == 0 ? 0 : 2;
    return false;
  }
}

}  // namespace tools

#endif
