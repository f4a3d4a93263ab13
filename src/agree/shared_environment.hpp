// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room agree: the environment variables that steer decisions, read by rank 0 and the same on all
// ranks.

#pragma once

#include <cstdint>
#include <string>

#include "base/status.hpp"

namespace pcio {

struct SharedEnvironment {
  /// PCIO_TRANSPORT: "view", "exchange", "direct" or empty.
  std::string transport;
  /// PCIO_REPORT, from the directory in which the process first used the library; PCIO_VERIFY: verbatim.
  std::string report;
  std::string verify;
  /// PCIO_CHECK contains the word "calls": metadata calls agree at once.
  bool check_calls = false;
  /// PCIO_CHECK contains the word "messages": exchanges use messages on one machine too.
  bool check_messages = false;
  /// N of the word "nodes:N" in PCIO_CHECK: the ranks of one machine are taken for those of so many nodes,
  /// block by block; 0: as they are.
  std::uint64_t check_nodes = 0;
  /// BYTES of the word "stripe:BYTES" in PCIO_CHECK: taken for what the file system locks as a whole; 0: as it is.
  std::uint64_t check_stripe = 0;
  /// PCIO_HANG_SECONDS; 0 turns the watch off.
  double hang_seconds = 60;
  /// PCIO_HANG_ABORT=1.
  bool hang_abort = false;
  /// HDF5_MPI_OPT_TYPES says so (1) or denies it (0); where it says neither: configure found, or was told, that complex
  /// derived datatypes and special collective I/O work.
  bool derived_types = true;
};

/// Are the words in this process's environment known ones? A mistyped wish for safety must not pass in
/// silence. Collective: independent. Errors: a value of PCIO_DURABILITY, PCIO_VERIFY or PCIO_CHECK that
/// means nothing. (PCIO_TRANSPORT is an error of the transfers that it is for.)
Status check_environment();
/// This process's environment. Collective: independent.
SharedEnvironment read_environment();
/// One line of text and back, for the broadcast.
std::string encode(const SharedEnvironment& environment);
SharedEnvironment decode_environment(const std::string& text);

}  // namespace pcio
