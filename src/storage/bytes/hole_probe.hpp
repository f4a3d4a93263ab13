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
  /// Bytes; more than before where zeros were left behind the end. What it was, where rank 0 has tried alone: a file of
  /// no bytes has some then, and each machine is still to be told a size.
  std::uint64_t file_size = 0;
};

/// This process has yet to try it on the file system of `driver`: one rank's word makes all try it.
/// Collective: independent.
bool holes_are_unknown(FileDriver& driver);

/// What is known where no rank has to try. Serial files: the driver's word. Collective: pure.
bool holes_read_zero(FileDriver& driver);

/// Tries it behind `end`, where the file ends. `local`: this rank's failure before.
/// Collective: over the file, two exchanges, one where rank 0 tries alone. The answer is equal on all ranks.
Result<HoleProbe> probe_holes(FileDriver& driver, Coordinator& coordinator, std::uint64_t end,
                              const CallName& name, const Status& local);

}  // namespace pcio
