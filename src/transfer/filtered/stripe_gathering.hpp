// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/filtered: bytes of stripes that several nodes have some of come to one rank each (StripeWriters).
//
// All ranks know what everybody has and make the same plan, so nobody is told of letters. A rank without memory
// says so before the first one is sent, and then every rank writes what it has.

#pragma once

#include <algorithm>
#include <functional>
#include <span>
#include <vector>

#include "agree/coordinator.hpp"
#include "filter/filter_buffer.hpp"
#include "plan/stripe_writers.hpp"
#include "storage/bytes/byte_target.hpp"
#include "transfer/pieces/by_effort.hpp"
#include "transfer/transports/letter_box.hpp"

namespace pcio {

/// One batch of encoded chunks after another. Threads: one thread.
class StripeGathering {
 public:
  /// Bytes of this rank, which it holds until they were sent.
  using BytesAt = std::function<ConstBytes(const ByteRange&)>;

  /// `counts` are added to.
  StripeGathering(Coordinator& coordinator, ExchangeCounts& counts, Effort effort);

  /// Plans who writes what, and gets all memory for it; a range of `bytes_at` is a part of one of this rank's
  /// `held`. Collective: local. May throw bad_alloc. Errors: MPI's.
  Status prepare(std::span<const HeldBytes> held, const StripeLimits& limits,
                 const BytesAt& bytes_at);
  /// Every rank writes what it has: some rank could not prepare. Local; asks for no memory.
  void give_up();
  /// Nothing is gathered until it is prepared again. Local; asks for no memory.
  void clear();
  /// The same, and memory of bytes goes back.
  void give_back() {
    clear();
    image_ = FilterBuffer();
  }
  /// What was prepared goes to its writers. Collective: over the ranks concerned. Errors: MPI's.
  Status exchange();
  /// Writes what this rank gathered. Errors: those of the target.
  Status write(ByteTarget& target);
  /// What of a range of this rank's nobody gathers, ascending: f(range) -> Status.
  template <class F>
  Status for_each_left(const ByteRange& range, F&& f) const;

 private:
  /// A piece that this rank writes.
  struct Piece {
    ByteRange range;
    std::uint32_t from = 0;
    std::size_t place = 0;  ///< in image_
  };
  Status put_letters(const BytesAt& bytes_at);
  Status expect_letters(const BytesAt& bytes_at);
  [[nodiscard]] Bytes place_of(const Piece& piece);

  Coordinator& coordinator_;
  std::uint32_t me_;
  ByEffort<LetterBox, LetterBox, CountingLetterBox> box_kind_;
  LetterBox& box_;
  MailLane lane_;
  StripeWriters writers_;
  std::vector<ByteRange>
      given_;  ///< of this rank, by ascending address: this rank itself may be the one that gathers them
  std::vector<Piece> pieces_;  ///< that this rank gathers, by ascending address
  FilterBuffer image_;         ///< their bytes, one behind the other; empty in a dry run
  struct Coming {
    std::uint32_t rank = 0;
    std::uint64_t bytes = 0;
    ScatteredBytes places;  ///< none in a dry run
  };
  std::vector<Coming> coming_;
  std::byte nothing_{};
};

template <class F>
Status StripeGathering::for_each_left(const ByteRange& range, F&& f) const {
  FileAddress at = range.offset;
  auto given = std::lower_bound(given_.begin(), given_.end(), range.offset,
                                [](const ByteRange& one, FileAddress a) { return one.end() <= a; });
  for (; given != given_.end() && given->offset < range.end(); ++given) {
    if (given->offset > at) PCIO_TRY(f(ByteRange{at, given->offset - at}));
    at = given->end();
  }
  return at < range.end() ? f(ByteRange{at, range.end() - at}) : Status();
}

}  // namespace pcio
