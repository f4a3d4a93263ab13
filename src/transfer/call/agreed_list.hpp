// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/call: hints of the transfer list that must be equal on all ranks of a collective transfer.

#pragma once

#include <array>
#include <cstdint>

#include "agree/coordinator.hpp"
#include "transfer/job/transfer_job.hpp"

namespace pcio {

/// Place of TransferJob::selection_key() among the words; it may differ.
inline constexpr std::size_t kSelectionWord = 7;

/// What travels in LocalFacts::same.
std::array<std::uint64_t, 8> words_of_list(const TransferJob& job);

/// Success where all ranks passed the same hints. `mine`: this rank's words.
/// Collective: over the file; none on success, one exchange for each property that differs.
/// Errors: PLIST BADVALUE on all ranks, naming the first property, its value on rank 0, and the
/// lowest rank with another one.
Status check_list_is_same(Coordinator& coordinator, const std::array<std::uint64_t, 8>& mine,
                          const GlobalFacts& agreed);

}  // namespace pcio
