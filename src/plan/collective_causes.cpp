// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room plan: the conditions under which a transfer is not collective.

#include "plan/collective_causes.hpp"

namespace pcio {

namespace {

/// Chunks with filters have owners, who need no derived types and no collective MPI-IO.
bool goes_to_owners(const CauseFacts& f) { return f.filtered; }

constexpr CauseRule kRules[] = {
    {cause::kSetIndependent, "independent mode",
     [](const CauseFacts& f) { return f.requested == TransferMode::kIndependent; }},
    {cause::kSetIndependent, "individual I/O",
     [](const CauseFacts& f) { return f.collective_opt == CollectiveOpt::kIndividualIo; }},
    // Also where chunks with filters are gathered by their owners: the driver has no collective I/O.
    {cause::kMpiposix, "MPI-POSIX driver", [](const CauseFacts& f) { return f.mpiposix; }},
    {cause::kNotContiguousOrChunked, "storage",
     [](const CauseFacts& f) { return f.storage == StorageForm::kOther; }},
    // Exchange and direct need no derived types, so a transport that was asked for runs
    // collectively.
    {cause::kOptTypesDisabled, "derived types disabled",
     [](const CauseFacts& f) {
       return f.derived_types_disabled && !f.transport_forced && !f.mpiposix && !goes_to_owners(f);
     }},
    {cause::kErrorWhileChecking, "error while checking",
     [](const CauseFacts& f) { return f.error_while_checking; }},
};

}  // namespace

std::span<const CauseRule> cause_rules() { return kRules; }

CauseBits local_causes(const CauseFacts& facts) {
  CauseBits causes = cause::kCollective;
  for (const CauseRule& rule : kRules)
    if (rule.holds(facts)) causes |= rule.bit;
  return causes;
}

}  // namespace pcio
