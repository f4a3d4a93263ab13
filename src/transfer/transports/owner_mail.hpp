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
    batch_.reserve(most_);
    lane_.reserve(most_);
  }

  /// Receives letters in batches, and hands over each: f(). What was started is over when this returns,
  /// whatever failed: MPI must not write into a buffer that is gone.
  template <class F>
  Status receive(F&& each_batch) {
    std::size_t next = 0;
    for (bool first = true; first || next < box_.coming().size(); first = false) {
      Status started = start_batch(next, first);
      Status received = box_.wait(lane_, "receiving as owner in an exchange");
      PCIO_TRY(std::move(started));
      PCIO_TRY(std::move(received));
      if (!batch_.empty()) PCIO_TRY(each_batch());
    }
    return Status();
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
  /// Starts to receive letters from number `next` on, as many as fit the buffer: it is the first one that doesn't.
  /// This rank's own one comes with the `first` batch.
  Status start_batch(std::size_t& next, bool first) {
    batch_.clear();
    if (first && !box_.own().empty()) batch_.push_back({me_, box_.own()});
    std::uint64_t at = 0;
    for (; next < box_.coming().size() && batch_.size() < most_; ++next) {
      const auto [from, size] = box_.coming()[next];
      if (at > 0 && at + size > incoming_.size()) break;
      if (size > incoming_.size())
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
  MailLane lane_;  ///< letters, then answers to them
  std::vector<Received> batch_;
  RawBuffer incoming_;
  RawBuffer payloads_;
};

}  // namespace pcio
