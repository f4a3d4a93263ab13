// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// What was found in files, as lines and as JSON. Room: tools, public headers only.

#ifndef PCIO_TOOLS_CHECK_REPORT_HPP
#define PCIO_TOOLS_CHECK_REPORT_HPP

#include <pcio.h>

#include "options.hpp"
#include "space.hpp"

namespace check {

/// One file; everything that is said of it.
struct FileReport {
  std::string file;
  std::string error;  ///< why it was not opened; else empty
  pcio_commit_info_t commit{};
  bool opened = false;
  Findings found;
  SpaceUse space;

  [[nodiscard]] std::uint64_t wrong() const;
  [[nodiscard]] std::uint64_t notes() const;
};

void print_report(const FileReport& report, const Options& options);
/// All files, as one array.
void print_json(const std::vector<FileReport>& reports);

}  // namespace check

#endif
