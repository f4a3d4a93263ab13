// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/commit: the fold of CommitFacts.

#include "storage/commit/commit_facts.hpp"

namespace pcio {

namespace {

/// The bits of LocalFacts::any_flags in a commit.
enum CommitBit : std::uint64_t {
  kUnlinkedOpenBit = 1,
  kCompactWrittenBit = 2,
  kCheckedBit = 4,
  kPowerLossBit = 8,
  kIncoherentBit = 16,
  kUnlinkedUnreadBit = 32,
  kUnlinkedAnyBit = 64,
  kSyncFailedBit = 512,
  kLetGoBit = 1024,
  kPendingBit = 2048,
  kAttributesWrittenBit = 4096,
  kChangedBit = 8192
};

constexpr std::uint64_t bit_if(bool set, CommitBit bit) {
  return set ? static_cast<std::uint64_t>(bit) : 0;
}

}  // namespace

void put_facts(const CommitFacts& facts, LocalFacts* into) {
  into->any_flags = bit_if(facts.unlinked.any, kUnlinkedAnyBit) |
                    bit_if(facts.unlinked.open, kUnlinkedOpenBit) |
                    bit_if(facts.unlinked.unread, kUnlinkedUnreadBit) |
                    bit_if(facts.compact_written, kCompactWrittenBit) |
                    bit_if(facts.attributes_written, kAttributesWrittenBit) |
                    bit_if(facts.asked == Durability::kChecked, kCheckedBit) |
                    bit_if(facts.asked == Durability::kPowerLoss, kPowerLossBit) |
                    bit_if(facts.incoherent, kIncoherentBit) |
                    bit_if(facts.sync_failed, kSyncFailedBit) | bit_if(facts.let_go, kLetGoBit) |
                    bit_if(facts.pending, kPendingBit) | bit_if(facts.changed, kChangedBit);
  into->same[0] = facts.copies_hash;
}

CommitFacts commit_facts(const GlobalFacts& agreed) {
  const auto has = [&](CommitBit bit) { return (agreed.any_flags & bit) != 0; };
  CommitFacts facts;
  facts.unlinked = {has(kUnlinkedAnyBit), has(kUnlinkedOpenBit), has(kUnlinkedUnreadBit)};
  facts.compact_written = has(kCompactWrittenBit);
  facts.attributes_written = has(kAttributesWrittenBit);
  if (has(kCheckedBit)) facts.asked = Durability::kChecked;
  if (has(kPowerLossBit)) facts.asked = Durability::kPowerLoss;
  facts.incoherent = has(kIncoherentBit);
  facts.sync_failed = has(kSyncFailedBit);
  facts.let_go = has(kLetGoBit);
  facts.pending = has(kPendingBit);
  facts.changed = has(kChangedBit);
  facts.copies_hash = agreed.same[0].min ^ agreed.same[0].max;
  return facts;
}

}  // namespace pcio
