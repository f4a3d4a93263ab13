// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room agree: what this rank did to the file's metadata since the last agreement, as one hash.
//
// Metadata calls do not communicate; the ranks' hashes are compared in the next agreement. A call
// that failed is hashed too, so that a failure which every rank had alike (create of a name that
// exists) is no disagreement, and one that a single rank had is.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "agree/agreement.hpp"
#include "agree/call_trail.hpp"
#include "base/fixed_text.hpp"
#include "base/status.hpp"
#include "base/types.hpp"

namespace pcio {

/// Longest text of a call that is noted; bytes.
inline constexpr std::size_t kCallTextBytes = 256;

/// Nothing here asks for memory: what ran out of it is noted like everything else.
///
/// Threads: thread-compatible. Collective: everything here is local.
class CallLog {
 public:
  /// A collective-by-contract metadata call begins. `arguments`: path or address, encoded type,
  /// space, creation list, new dimensions; nothing that may differ between ranks. `marks`: of all of
  /// them, in parts, which then stand for them.
  void record(const CallName& name, ConstBytes arguments,
              const ArgumentMarks& marks = ArgumentMarks()) noexcept;
  /// A metadata call in which the ranks meet before it is recorded has these arguments: for messages.
  void expect(const ArgumentMarks& marks) noexcept { marks_ = marks; }
  /// The call recorded last (or another one of the kind) failed on this rank.
  void record_failure(const CallName& name, std::string_view why) noexcept;
  /// From here on no two ranks have failed alike. Collective: local.
  void differ(int rank) noexcept;
  /// A step is done: a metadata call, or a part of a communicating call. `space`: hash of the space
  /// that the file has given out by now.
  void note_step(const CallName& name, std::uint64_t space) noexcept;
  /// All ranks were found equal: what follows is compared afresh.
  void restart() noexcept;

  [[nodiscard]] LogFacts facts() const;
  /// "3 metadata calls, the last H5Gcreate2 on /a", for messages.
  [[nodiscard]] std::string describe() const;
  /// "H5Dcreate2 on /a failed: <text>" of the last failure; empty where there was none.
  [[nodiscard]] std::string_view last_failure() const { return last_failure_.view(); }
  [[nodiscard]] const CallTrail& trail() const { return trail_; }
  /// Arguments of a call that is no step yet.
  [[nodiscard]] const ArgumentMarks& current_arguments() const { return marks_; }

 private:
  std::uint64_t hash_ = 0;
  std::uint64_t calls_ = 0;
  std::uint64_t failure_hash_ = 0;
  std::uint64_t failures_ = 0;
  FixedText<kCallTextBytes> last_call_;
  FixedText<2 * kCallTextBytes> last_failure_;
  CallTrail trail_;
  ArgumentMarks marks_;
};

/// 64-bit hash of bytes, seeded; not cryptographic. Equal on all machines of one byte order.
std::uint64_t hash_bytes(ConstBytes data, std::uint64_t seed);
std::uint64_t hash_text(std::string_view text, std::uint64_t seed);

}  // namespace pcio
