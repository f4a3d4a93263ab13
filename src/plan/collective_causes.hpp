// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room plan: why a transfer can't be collective.
//
// Source: HDF Group, RFC "Actual I/O Mode" (2013), section "General Parallel I/O Concerns"; bits as
// in the public headers. Of the RFC's conditions those that libpcio serves collectively (type
// conversion, data transforms, point and irregular selections, null and scalar spaces) set no bit.

#pragma once

#include <span>
#include <string_view>

#include "plan/cause_facts.hpp"
#include "props/transfer_report.hpp"

namespace pcio {

/// One row of the table of conditions.
struct CauseRule {
  CauseBits bit;
  std::string_view name;
  bool (*holds)(const CauseFacts&);
};

/// The table; a bit may stand in several rows.
[[nodiscard]] std::span<const CauseRule> cause_rules();

/// This rank's causes; the transfer is collective if and only if the OR over all ranks is empty.
/// Collective: pure.
[[nodiscard]] CauseBits local_causes(const CauseFacts& facts);

}  // namespace pcio
