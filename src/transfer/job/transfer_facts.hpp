// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/job: what ranks tell each other in the agreements with which transfers begin, by name.
//
// One struct for each kind of agreement, with what a rank brings to it and what all know afterwards. No
// other place of the room knows which word or bit of LocalFacts and GlobalFacts a fact travels in. A
// fact that one rank alone states holds for all ("any"); one that needs every rank says so ("all").

#pragma once

#include <array>
#include <cstdint>
#include <limits>

#include "agree/agreement.hpp"
#include "base/types.hpp"
#include "props/transfer_report.hpp"
#include "storage/heaps/heap_places.hpp"

namespace pcio {

/// Hints of a transfer list that must be equal on all ranks. T: a value, or what was found of it.
template <class T>
struct HintsOf {
  T chunk_opt{};
  T link_threshold{};
  T ratio{};
  T transport{};
  T exchange_memory{};
  static constexpr std::size_t kCount = 5;
  /// In the order of the members.
  [[nodiscard]] std::array<const T*, kCount> all() const {
    return {&chunk_opt, &link_threshold, &ratio, &transport, &exchange_memory};
  }
  [[nodiscard]] std::array<T*, kCount> all() {
    return {&chunk_opt, &link_threshold, &ratio, &transport, &exchange_memory};
  }
};
using TransferHints = HintsOf<std::uint64_t>;
using AgreedHints = HintsOf<GlobalFacts::Compared>;

/// When a dataset's chunks get space, as this rank opened it.
enum class AllocationTime : std::uint8_t { kNotKnown, kAtOnce, kLate };

/// What one rank brings to the first agreement of a transfer of one dataset, or of one chunk as it lies
/// in the file. Defaults decide nothing: a rank that failed early has them.
struct TransferFacts {
  CallKind call = CallKind::kOther;
  FileAddress object = 0;
  CauseBits causes = 0;
  std::uint64_t chunks = 0;  ///< touched
  std::uint64_t bytes = 0;   ///< to move
  /// Mean length of a contiguous run in the file, in bytes; 0: nothing is selected.
  std::uint64_t mean_run = 0;

  bool needs_allocation = false;  ///< it writes what has no space
  bool looks_up_later =
      false;  ///< whether it does is found when the ranks know who reads the index
  bool keeps_old_bytes = false;     ///< its conversion keeps bytes of what the file holds
  bool calls_program = false;       ///< its conversion may call functions of the program
  bool has_pending_chunks = false;  ///< of any dataset of the file
  bool has_index = true;            ///< it knows where all chunks are
  bool caches_apart = false;        ///< FileDriver::caches_apart()
  bool has_unseen_writes = false;   ///< FileDriver::has_unseen_writes()
  AllocationTime allocation = AllocationTime::kNotKnown;

  TransferHints hints;
  std::uint64_t selection = 0;  ///< TransferJob::selection_key()
};

/// What all ranks know then; equal on all of them.
struct AgreedTransfer {
  CauseBits causes = 0;  ///< of any rank
  std::uint64_t sum_chunks = 0, min_chunks = 0, max_chunks = 0;
  std::uint64_t sum_bytes = 0, min_bytes = 0, max_bytes = 0;
  std::uint64_t sum_runs = 0,
                max_runs = 0;  ///< contiguous runs in the file, from their mean length
  std::uint64_t ranks_with_data = 0;

  bool needs_allocation = false;    ///< any
  bool looks_up_later = false;      ///< any
  bool keeps_old_bytes = false;     ///< any
  bool calls_program = false;       ///< any
  bool has_pending_chunks = false;  ///< any
  bool caches_apart = false;        ///< any
  bool has_unseen_writes = false;   ///< any
  bool all_have_index = false;
  bool allocates_at_once = false;  ///< any
  bool allocates_late = false;     ///< any

  AgreedHints hints;
  bool equal_selections = false;
  /// Ranks opened the dataset for different times of allocation.
  [[nodiscard]] bool allocation_differs() const { return allocates_at_once && allocates_late; }
};

LocalFacts to_local(const TransferFacts& facts);
AgreedTransfer agreed_transfer(const GlobalFacts& agreed);

/// The first agreement of a call for several datasets.
struct ListFacts {
  Direction direction = Direction::kRead;
  CauseBits causes = 0;         ///< of any of this rank's datasets
  std::uint64_t parts = 0;      ///< datasets
  std::uint64_t part_hash = 0;  ///< of their addresses in order
};
struct AgreedList {
  GlobalFacts::Compared parts;
  bool equal_parts = false;
};

LocalFacts to_local(const ListFacts& facts);
AgreedList agreed_list(const GlobalFacts& agreed);

/// The first agreement of a collective write of variable-length elements.
struct SequenceFacts {
  FileAddress object = 0;
  HeapDemand demand;
  bool commits_first = false;  ///< it overwrites committed references by such to new objects
  bool lacks_places = false;  ///< elements get space that must hold a fill value with objects first
};
struct AgreedSequences {
  HeapDemand sum;
  bool commits_first = false;  ///< any
  bool lacks_places = false;   ///< any
};

LocalFacts to_local(const SequenceFacts& facts);
AgreedSequences agreed_sequences(const GlobalFacts& agreed);

/// Whether a rank has chunks that all ranks must write.
struct PendingFacts {
  CallKind call = CallKind::kFlushPending;
  bool has_pending_chunks = false;
};

LocalFacts to_local(const PendingFacts& facts);
/// True where any rank has some.
bool agreed_pending(const GlobalFacts& agreed);

}  // namespace pcio
