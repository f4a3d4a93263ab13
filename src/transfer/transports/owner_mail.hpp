// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/transports: an owner's letters, as many at a time as its buffer holds, and its answers.

#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/status.hpp"
#include "transfer/transports/exchange_buffers.hpp"
#include "transfer/transports/letter_box.hpp"

namespace pcio {

/// A letter that came; this rank's own one too.
struct Received {
  std::uint64_t rank;
  ConstBytes bytes;
};

/// Threads: one thread.
class OwnerMail {
 public:
  /// Letters that are received at one time.
  static constexpr std::uint64_t kMostLetters = 4096;

  OwnerMail(LetterBox& box, std::uint64_t me, std::uint64_t ranks)
      : box_(box), me_(me), most_(std::min(ranks, kMostLetters)) {}
  OwnerMail(const OwnerMail&) = delete;
  OwnerMail& operator=(const OwnerMail&) = delete;
  ~OwnerMail() = default;

  /// Gets all memory that later calls need: bytes of letters, and of answers, at one time. May throw bad_alloc.
  void reserve(std::uint64_t letters, std::uint64_t answers) {
    incoming_.allocate(letters);
    if (answers > 0) payloads_.allocate(answers);
    batch_.reserve(most_ + 1);
    lane_.reserve(most_);
  }

  /// Receives letters in batches, and hands over each: f(). What was started is over when this returns,
  /// whatever failed: MPI must not write into a buffer that is gone.
  template <class F>
  Status receive(F&& each_batch) {
    for (bool first = true; first || next_ < box_.coming().size(); first = false) {
      PCIO_TRY(first ? receive_first() : receive_next());
      if (!batch_.empty()) PCIO_TRY(each_batch());
    }
    return Status();
  }
  // The same one by one.
  /// How many batches there are, but for this rank's own letter. Local.
  [[nodiscard]] std::uint64_t batches() const {
    std::uint64_t count = 0;
    for (std::size_t next = 0; next < box_.coming().size(); next = end_of_batch(next)) ++count;
    return count;
  }
  /// This rank's own letter comes with the first one.
  Status receive_first() {
    next_ = 0;
    batch_.clear();
    if (!box_.own().empty()) batch_.push_back({me_, box_.own()});
    return receive_batch();
  }
  /// None where all have come.
  Status receive_next() {
    batch_.clear();
    return receive_batch();
  }
  /// Until the next one.
  [[nodiscard]] std::span<const Received> batch() const { return batch_; }

  /// Answers the others' letters of a batch, each by size(letter) bytes that fill(letter, bytes) writes. Whatever
  /// fails there, the others wait for their answers: fill() fails by itself.
  template <class Size, class Fill>
  Status answer(Size&& size, Fill&& fill) {
    Status started = start_answers(size, fill);
    Status sent = box_.wait(lane_, "answering as owner in an exchange");
    PCIO_TRY(std::move(started));
    return sent;
  }

 private:
  Status receive_batch() {
    Status started = start_batch();
    Status received = box_.wait(lane_, "receiving as owner in an exchange");
    PCIO_TRY(std::move(started));
    return received;
  }
  /// Behind the letters from number `next` on that fit the buffer together; one that is longer stands alone.
  [[nodiscard]] std::size_t end_of_batch(std::size_t next) const {
    std::uint64_t at = 0;
    std::size_t end = next;
    for (; end < box_.coming().size() && end - next < most_; ++end) {
      const std::uint64_t size = box_.coming()[end].word;
      if (at > 0 && at + size > incoming_.size()) break;
      at += pad_letter(size);
    }
    return end;
  }
  Status start_batch() {
    std::uint64_t at = 0;
    for (const std::size_t end = end_of_batch(next_); next_ < end; ++next_) {
      const auto [from, size] = box_.coming()[next_];
      if (at + size > incoming_.size())
        return PCIO_ERROR(INTERNAL, BADSIZE, "exchange: a letter is longer than agreed");
      const Bytes place(incoming_.data() + at, size);
      PCIO_TRY(box_.receive(lane_, from, place));
      batch_.push_back({from, place});
      at += pad_letter(size);
    }
    return Status();
  }

  template <class Size, class Fill>
  Status start_answers(Size&& size_of, Fill&& fill) {
    std::uint64_t at = 0;
    for (const Received& received : batch_) {
      if (received.rank == me_) continue;
      const std::uint64_t size = size_of(received.bytes);
      if (at > 0 && at + size > payloads_.size()) {
        PCIO_TRY(box_.wait(lane_, "answering as owner in an exchange"));
        at = 0;
      }
      if (size > payloads_.size())
        return PCIO_ERROR(INTERNAL, BADSIZE, "exchange: more is asked for than the budget allows");
      const Bytes payload(payloads_.data() + at, size);
      fill(received.bytes, payload);
      PCIO_TRY(box_.answer(lane_, received.rank, payload));
      at += size;
    }
    return Status();
  }

  LetterBox& box_;
  std::uint64_t me_;
  std::uint64_t most_;
  MailLane lane_;         ///< letters, then answers to them
  std::size_t next_ = 0;  ///< letter that comes next
  std::vector<Received> batch_;
  RawBuffer incoming_;
  RawBuffer payloads_;
};

}  // namespace pcio
