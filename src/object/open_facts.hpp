// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: what the ranks tell each other of a store that each has made or opened.

#pragma once

#include <algorithm>
#include <array>
#include <span>

#include "agree/agreement.hpp"
#include "agree/call_log.hpp"
#include "driver/file_driver.hpp"
#include "props/file_props.hpp"

namespace pcio {

enum class SeenBy : std::uint8_t { kOneMachine, kSeveral };

/// Which file it is, where every rank that has it open sees the same number. 0: unknown. Of one machine's ranks all see a file
/// system of its own under one number, however often and in whatever namespaces it is mounted; two of them have files of equal
/// inodes. One behind a network may be mounted twice: where it is coherent that is one file; else each mount has a cache, which
/// only readers may use. Each of several machines may have numbers of its own for what is behind a network or a program, and
/// has for all devices. Collective: pure.
inline std::uint64_t number_of_file(const FileIdentity& file, const DriverCapabilities& can,
                                    SeenBy by, bool writes) {
  if (by == SeenBy::kSeveral) return can.defers_errors ? 0 : file.inode;
  if (file.inode == 0 || (can.coherent && can.defers_errors)) return file.inode;
  if (!can.coherent && !writes) return 0;
  const std::array<std::uint64_t, 2> words{file.device, file.inode};
  return hash_bytes(std::as_bytes(std::span(words)), 0);
}

/// What one rank brings. Collective: pure.
struct OpenFacts {
  CallKind call = CallKind::kOpen;
  std::uint64_t pending_memory = 0;  ///< bytes that this rank's access list allows
  std::uint64_t file_bytes = 0;      ///< size of the file that it sees
  std::uint64_t file_number = 0;     ///< of the file that it has opened; 0: unknown
  Durability asked = Durability::kNone;
  std::uint64_t by_all = 0;     ///< by_all_flags
  bool holes_unknown = false;   ///< whether they read as zero has to be tried
  std::uint64_t lock_unit = 1;  ///< of the file system, as rank 0's driver knows. Bytes
  std::uint64_t writers = 0;    ///< that hints allow, as rank 0's driver knows

  [[nodiscard]] LocalFacts pack() const {
    LocalFacts facts;
    facts.call_kind = call;
    facts.same[kWaitingMemory] = pending_memory;
    facts.same[kFileNumber] = file_number;
    facts.maxima[kFileBytes] = file_bytes;
    facts.maxima[kAsked] = static_cast<std::uint64_t>(asked);
    facts.maxima[kLockUnit] = lock_unit;
    facts.maxima[kWriters] = writers;
    facts.any_flags |= by_all & kByAll;
    if (file_number == 0) facts.any_flags |= kNumberUnknown;
    if (holes_unknown) facts.any_flags |= kHolesUnknown;
    return facts;
  }

 private:
  friend struct AgreedOpen;
  enum SameWord : std::size_t { kWaitingMemory, kFileNumber };
  enum MaximumWord : std::size_t { kFileBytes, kAsked, kLockUnit, kWriters };
  enum AnyBit : std::uint64_t { kByAll = 0xff, kHolesUnknown = 0x100, kNumberUnknown = 0x200 };
};

/// What all ranks know afterwards.
struct AgreedOpen {
  std::uint64_t pending_memory = 0;      ///< the least that a rank allows, bytes
  bool same_file = false;                ///< all have opened one file, as far as all know
  std::uint64_t file_bytes = 0;          ///< the most that a rank sees
  Durability asked = Durability::kNone;  ///< the most that a rank asks for
  std::uint64_t by_all = 0;              ///< of any rank
  bool holes_unknown = false;            ///< to any rank
  std::uint64_t lock_unit = 1;           ///< the largest that a rank knows of, bytes
  std::uint64_t writers = 0;             ///< that hints allow; 0: all ranks

  static AgreedOpen unpack(const GlobalFacts& facts) {
    return {facts.same[OpenFacts::kWaitingMemory].min,
            facts.same[OpenFacts::kFileNumber].equal() ||
                (facts.any_flags & OpenFacts::kNumberUnknown) != 0,
            facts.maxima[OpenFacts::kFileBytes],
            static_cast<Durability>(facts.maxima[OpenFacts::kAsked]),
            facts.any_flags & OpenFacts::kByAll,
            (facts.any_flags & OpenFacts::kHolesUnknown) != 0,
            std::max<std::uint64_t>(1, facts.maxima[OpenFacts::kLockUnit]),
            facts.maxima[OpenFacts::kWriters]};
  }
};

}  // namespace pcio
