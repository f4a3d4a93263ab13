// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/transports: letters of bounded size between ranks, and answers to them.
//
// A round: each rank puts at most one letter for each rank, sections and behind them a payload; those who get
// some are told their sizes, which costs with them, not with the ranks; letters are sent and received; whoever got one may be expected to answer
// it. Buffers are the caller's and stay as they are until what uses them was waited for.

#pragma once

#include <span>
#include <vector>

#include "agree/coordinator.hpp"
#include "mpi/type.hpp"
#include "props/transfer_report.hpp"

namespace pcio {

/// Messages that are waited for at one time.
class MailLane {
 public:
  /// May throw bad_alloc.
  void reserve(std::uint64_t messages) { requests_.reserve(messages); }

 private:
  friend class LetterBox;
  std::vector<MPI_Request> requests_;
};

/// Bytes that lie apart in this rank's memory, as one message has them. Move-only. Threads: one thread.
class ScatteredBytes {
 public:
  ScatteredBytes() = default;
  /// May throw bad_alloc. Errors: MPI's.
  static Result<ScatteredBytes> of(std::span<const ConstBytes> parts);
  [[nodiscard]] bool is_null() const { return type_.is_null(); }
  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] const mpi::Type& type() const { return type_; }

 private:
  mpi::Type type_;  ///< at addresses
  std::uint64_t size_ = 0;
};

/// Whose letters: MPI's tag of them; answers have the next one.
enum class MailTag : std::uint8_t { kExchange = 1, kChunkPieces = 3, kStripes = 5 };

/// Counts what goes between two ranks: letters and answers, sent and received. Threads: one thread.
class LetterBox {
 public:
  /// `counts` are added to.
  LetterBox(Coordinator& coordinator, ExchangeCounts& counts, MailTag tag)
      : coordinator_(coordinator),
        counts_(counts),
        tag_(static_cast<int>(tag)),
        me_(static_cast<std::uint64_t>(coordinator.rank())) {}
  LetterBox(const LetterBox&) = delete;
  LetterBox& operator=(const LetterBox&) = delete;
  virtual ~LetterBox() = default;

  /// Gets all memory that later calls need; at most `letters` are put at a time. May throw bad_alloc.
  void reserve(std::uint64_t letters);
  /// How much that is for so many ranks. Bytes.
  [[nodiscard]] static std::uint64_t bytes_of(std::uint64_t ranks, std::uint64_t letters) {
    return ranks * sizeof(mpi::Told) +
           std::min(ranks, letters) * (sizeof(Letter) + sizeof(mpi::Told) + sizeof(MPI_Request));
  }

  /// No letters, in a new round or because this rank failed. Not between announce() and send(), when the
  /// others count on them.
  void clear();
  /// Puts a letter for a rank, for this one too; its last `payload` bytes are elements. An empty one is none.
  void put(std::uint64_t rank, ConstBytes letter, std::uint64_t payload);
  /// Puts one for another rank whose parts lie apart in memory, which stays as it is until it was sent; those behind the
  /// first `heads` are elements. May throw bad_alloc. Errors: MPI's.
  Status put_parts(std::uint64_t rank, std::span<const ConstBytes> parts, std::size_t heads);
  /// Tells the ranks of their letters. All ranks have come when it returns. Collective: over the file, one exchange.
  Status announce();
  /// The same where all ranks know that there is none. Local.
  void expect_none() { coming_.clear(); }
  /// Who sends a letter of how many bytes: the ranks behind this one first.
  [[nodiscard]] std::span<const mpi::Told> coming() const { return coming_; }
  /// This rank's letter to itself; empty where there is none.
  [[nodiscard]] ConstBytes own() const;

  // Messages are started, and done when their lane was waited for. Errors: MPI's.
  /// All letters to others, also behind one that could not be started. Errors: the first one's.
  Status send(MailLane& lane);
  /// The letter that comes from a rank, into `place` of its size.
  Status receive(MailLane& lane, std::uint64_t rank, Bytes place);
  /// The same of one of `bytes` that goes to several places; none in a dry run.
  Status receive(MailLane& lane, std::uint64_t rank, const ScatteredBytes& places,
                 std::uint64_t bytes);
  Status expect_answer(MailLane& lane, std::uint64_t rank, Bytes place);
  /// The same where it goes to several places, one behind the other.
  Status expect_answer(MailLane& lane, std::uint64_t rank, const ScatteredBytes& places);
  Status answer(MailLane& lane, std::uint64_t rank, ConstBytes bytes);
  /// False in a dry run.
  [[nodiscard]] bool moves_elements() const { return sends_elements(); }
  /// `what`: for the hang watch. The lane is empty then, also on failure.
  Status wait(MailLane& lane, const char* what);

 protected:
  struct Letter {
    std::uint64_t rank = 0;
    ConstBytes bytes;
    std::uint64_t payload = 0;
    ScatteredBytes parts;  ///< where it has no bytes in one place: what is sent of it
    std::uint64_t size = 0;
  };
  virtual Status start_letter(MailLane& lane, std::uint64_t rank, const Letter& letter);
  virtual Status start_answer(MailLane& lane, std::uint64_t rank, ConstBytes bytes);
  virtual Status start_expecting(MailLane& lane, std::uint64_t rank, Bytes place);
  virtual Status start_expecting(MailLane& lane, std::uint64_t rank, const ScatteredBytes& places);
  [[nodiscard]] virtual bool sends_elements() const { return true; }
  Status start_send(MailLane& lane, std::uint64_t rank, ConstBytes bytes, int tag);
  Status start_send(MailLane& lane, std::uint64_t rank, const ScatteredBytes& parts, int tag);
  Status start_receive(MailLane& lane, std::uint64_t rank, Bytes place, int tag);
  Status start_receive(MailLane& lane, std::uint64_t rank, const ScatteredBytes& places, int tag);
  [[nodiscard]] int answer_tag() const { return tag_ + 1; }
  [[nodiscard]] int letter_tag() const { return tag_; }

 private:
  void count_sent(std::uint64_t rank, std::uint64_t bytes);

  Coordinator& coordinator_;
  ExchangeCounts& counts_;
  int tag_;
  std::uint64_t me_;
  std::vector<Letter> letters_;  ///< as they were put; once announced, those behind this rank first
  std::vector<mpi::Told> going_;   ///< their sizes
  std::vector<mpi::Told> coming_;  ///< of letters to this rank
  std::vector<MPI_Request> telling_;
};

/// That of a dry run: counts as the other, but elements don't travel: of a letter only what stands
/// before its payload, of answers nothing.
class CountingLetterBox final : public LetterBox {
 public:
  using LetterBox::LetterBox;

 private:
  Status start_letter(MailLane& lane, std::uint64_t rank, const Letter& letter) override;
  Status start_answer(MailLane& lane, std::uint64_t rank, ConstBytes bytes) override;
  Status start_expecting(MailLane& lane, std::uint64_t rank, Bytes place) override;
  Status start_expecting(MailLane& lane, std::uint64_t rank, const ScatteredBytes& places) override;
  [[nodiscard]] bool sends_elements() const override { return false; }
};

}  // namespace pcio
