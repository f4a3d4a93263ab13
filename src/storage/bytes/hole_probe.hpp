// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/bytes: whether bytes that nobody wrote read as zero here.

#pragma once

#include "agree/coordinator.hpp"
#include "driver/file_driver.hpp"

namespace pcio {

struct HoleProbe {
  bool read_zero = false;
  std::uint64_t file_size = 0;  ///< bytes; more than before where zeros were left behind the end
};

/// Tries it behind `end`, where the file ends.
///
/// Collective: over the file; one exchange, and a few more at the first file of a file system. The
/// answer is equal on all ranks. Serial files: the driver's word.
Result<HoleProbe> probe_holes(FileDriver& driver, Coordinator& coordinator, std::uint64_t end,
                              const CallName& name);

}  // namespace pcio
