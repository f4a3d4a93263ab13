// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/transports: exchange_shared.
//
// The agreement on stretch r tells every rank that all others are done with what they did after the
// agreement on stretch r - 1. So it is all that ever has to be waited for:
//
//   writes, after agreement r:  write out stretch r - 1, put pieces of stretch r
//   reads, after agreement r:   take pieces of stretch r - 2, load stretch r - 1, ask for stretch r
//
// Images and letters of two stretches are in use at the same time.

#include "transfer/transports/exchange_shared.hpp"

#include <array>
#include <cstring>

#include "base/rank_status.hpp"
#include "transfer/pieces/by_effort.hpp"
#include "transfer/transports/exchange_owner.hpp"
#include "transfer/transports/exchange_queue.hpp"
#include "transfer/transports/file_stretch.hpp"

namespace pcio {

namespace {

/// Sections of one rank for one slice: their place among the rank's letters.
struct LetterPlace {
  std::uint64_t offset = 0;  ///< bytes from the start of the letters
  std::uint64_t count = 0;   ///< sections
};

constexpr std::uint64_t kLeastShare = std::uint64_t{64} << 10;
/// Bytes: keeps slices within 32-bit offsets.
constexpr std::uint64_t kLargestShare = std::uint64_t{256} << 20;

class SharedExchange {
 public:
  SharedExchange(Direction direction, PieceSource& source, ElementMover& mover,
                 const ExchangeTarget& target, const mpi::SharedMemory& memory,
                 const SharedLayout& layout)
      : direction_(direction),
        mover_(mover),
        target_(target),
        memory_(memory),
        layout_(layout),
        image_kind_(target.effort, target.store, GapWrites::kAllowed),
        image_(image_kind_.get()),
        queue_(source, mover.form().file_size),
        me_(target.coordinator.rank()) {}

  Status run() {
    local([&] { return reserve(); });
    for (round_ = 0;; ++round_) {
      local([&] { return queue_.refill(); });
      mpi::SharedMemory::fence();
      PCIO_ASSIGN(
          StretchAnswer answer,
          walk_.next(target_.coordinator, {queue_.first(), queue_.safe_end(), ready_ ? 1U : 0U}));
      mpi::SharedMemory::fence();
      if (answer == StretchAnswer::kNotReady && mine_.ok())
        return PCIO_ERROR(IO, NOSPACE, "another rank has no memory for an exchange");
      if (answer == StretchAnswer::kNotReady) return mine_.status();
      if (answer == StretchAnswer::kNothingLeft) return finish();
      ++target_.counts.rounds;
      // Writing and packing side by side: writers of one file mostly wait for each other.
      if (writes() && (round_ + me()) % 2 == 0) {
        begin_stretch();
        step_behind();
      } else {
        step_behind();
        begin_stretch();
      }
    }
  }

 private:
  [[nodiscard]] bool writes() const { return direction_ == Direction::kWrite; }

  /// A step that may fail on this rank alone, which then goes on with nothing to move.
  template <class F>
  void local(F&& step) {
    if (!mine_.even_if_failed(step)) queue_.stop();
  }

  Status reserve() {
    const auto ranks = static_cast<std::uint64_t>(target_.coordinator.size());
    walk_.begin(ranks, std::max<std::uint64_t>(1, target_.settings.block), layout_.slice);
    const std::uint64_t directory = ranks * sizeof(LetterPlace);
    const std::uint64_t budget = layout_.letters - directory - ranks * kCutSlack;
    queue_.limit(target_.settings.memory / 24 / sizeof(FilePiece), budget, PayloadCost::kFree);
    image_.reserve(layout_.image);
    ready_ = true;
    return Status();
  }

  // What lies where in the shared segments. Two stretches are told apart by the parity of the round.
  [[nodiscard]] std::byte* image_of(std::uint64_t rank, std::uint64_t round) const {
    return memory_.segment(static_cast<int>(rank)) + round % 2 * layout_.image;
  }
  [[nodiscard]] std::byte* letters_of(std::uint64_t rank, std::uint64_t round) const {
    return memory_.segment(static_cast<int>(rank)) + 2 * layout_.image +
           round % 2 * layout_.letters;
  }

  struct Stage {
    FileStretch stretch;
    StretchCut cut;
  };
  [[nodiscard]] Stage& stage(std::uint64_t round) { return stages_[round % stages_.size()]; }
  [[nodiscard]] std::uint64_t me() const { return static_cast<std::uint64_t>(me_); }

  /// What is left to do for stretches that began before.
  void step_behind() {
    if (writes()) {
      if (round_ >= 1) write_out(round_ - 1);
      return;
    }
    if (round_ >= 2) take_pieces(round_ - 2);
    if (round_ >= 1) load(round_ - 1);
  }

  /// The last stretch goes to the file behind the last agreement, gaps and all: the caller has one more
  /// before anything else is written there.
  Status finish() {
    if (writes() && round_ > 0) target_.left = Outstanding::kForeignBytes;
    step_behind();
    if (writes() || round_ == 0) return mine_.status();
    // The last stretch's images are complete when all have loaded theirs, and may be overwritten by
    // the next transfer when all have taken their pieces.
    mpi::SharedMemory::fence();
    PCIO_TRY(target_.coordinator.barrier());
    mpi::SharedMemory::fence();
    take_pieces(round_ - 1);
    return mine_.status();
  }

  void begin_stretch() {
    Stage& now = stage(round_);
    now.stretch = walk_.stretch();
    now.cut.clear();
    clear_letters(now.stretch);
    local([&]() -> Status {
      PCIO_TRY(queue_.take_stretch(now.stretch, &now.cut));
      return write_letters(now);
    });
    if (writes()) local([&] { return put_pieces(now); });
    // Owners look at letters after the next agreement only: what failed was never announced.
    if (!mine_.ok()) clear_letters(now.stretch);
  }

  void clear_letters(const FileStretch& stretch) {
    std::memset(letters_of(me(), round_), 0, stretch.owners * sizeof(LetterPlace));
  }

  Status write_letters(const Stage& now) {
    std::byte* letters = letters_of(me(), round_);
    std::uint64_t at = now.stretch.ranks * sizeof(LetterPlace);
    for (const QueuePart& part : now.cut.parts) {
      builder_.clear();
      std::uint64_t payload = 0;
      const FileAddress start = now.stretch.start_of(part.slice);
      for (const FilePiece& piece : now.cut.pieces(part)) {
        const std::uint64_t n = mover_.file_bytes(piece);
        builder_.add(static_cast<std::uint32_t>(piece.address - start),
                     static_cast<std::uint32_t>(n));
        payload += n;
      }
      const auto& sections = builder_.sections();
      const std::uint64_t bytes = sections.size() * sizeof(Section);
      if (at + bytes > layout_.letters)
        return PCIO_ERROR(INTERNAL, BADSIZE, "exchange: a letter is longer than agreed");
      std::memcpy(letters + at, sections.data(), bytes);
      const LetterPlace place{at, sections.size()};
      std::memcpy(letters + part.slice * sizeof place, &place, sizeof place);
      at += bytes;
      count(now.stretch.owner_of(part.slice), bytes, payload);
    }
    return Status();
  }

  void count(std::uint64_t owner, std::uint64_t bytes, std::uint64_t payload) {
    if (owner == me()) return;
    ++target_.counts.messages_sent;
    target_.counts.bytes_sent += bytes + (writes() ? payload : 0);
    if (!writes()) target_.counts.bytes_received += payload;
  }

  /// Writes: this rank's pieces into the owners' images.
  Status put_pieces(const Stage& now) {
    for (const QueuePart& part : now.cut.parts) {
      const FileAddress start = now.stretch.start_of(part.slice);
      std::byte* image = image_of(now.stretch.owner_of(part.slice), round_);
      PCIO_TRY(mover_.place(now.cut.pieces(part), start, image, target_.store));
    }
    return Status();
  }

  /// Calls f(sections) for what each rank has told this one about its slice.
  template <class F>
  Status for_each_letter(std::uint64_t round, F&& f) {
    const FileStretch& stretch = stage(round).stretch;
    const std::uint64_t slice = stretch.slice_of(me());
    for (std::uint64_t rank = 0; rank < stretch.ranks; ++rank) {
      const std::byte* letters = letters_of(rank, round);
      LetterPlace place;
      std::memcpy(&place, letters + slice * sizeof place, sizeof place);
      if (place.count == 0) continue;
      // Segments and offsets are multiples of a section's alignment.
      const auto* first = reinterpret_cast<const Section*>(letters + place.offset);
      if (rank != me()) {
        ++target_.counts.messages_received;
        target_.counts.bytes_received += place.count * sizeof(Section);
      }
      PCIO_TRY(f(std::span<const Section>(first, place.count)));
    }
    return Status();
  }

  void begin_image(std::uint64_t round) {
    const FileStretch& stretch = stage(round).stretch;
    image_.begin(stretch.start_of(stretch.slice_of(me())), stretch.slice + mover_.form().file_size,
                 image_of(me(), round));
  }

  void write_out(std::uint64_t round) {
    if (!stage(round).stretch.has_slice(me()) || !mine_.ok()) return;
    local([&]() -> Status {
      begin_image(round);
      PCIO_TRY(for_each_letter(
          round, [&](std::span<const Section> sections) { return image_.mark(sections); }));
      return image_.flush();
    });
  }

  void load(std::uint64_t round) {
    if (!stage(round).stretch.has_slice(me()) || !mine_.ok()) return;
    local([&]() -> Status {
      begin_image(round);
      PCIO_TRY(for_each_letter(
          round, [&](std::span<const Section> sections) { return image_.mark(sections); }));
      return image_.load();
    });
  }

  /// Reads: this rank's pieces out of the owners' images.
  void take_pieces(std::uint64_t round) {
    if (!mine_.ok()) return;
    const Stage& then = stage(round);
    local([&]() -> Status {
      for (const QueuePart& part : then.cut.parts) {
        const FileAddress start = then.stretch.start_of(part.slice);
        const std::byte* image = image_of(then.stretch.owner_of(part.slice), round);
        PCIO_TRY(mover_.pick(then.cut.pieces(part), start, image));
      }
      return Status();
    });
  }

  Direction direction_;
  ElementMover& mover_;
  const ExchangeTarget& target_;
  const mpi::SharedMemory& memory_;
  const SharedLayout& layout_;
  ByEffort<SliceImage, SliceImage, StillImage> image_kind_;
  SliceImage& image_;
  ExchangeQueue queue_;
  int me_;
  StretchWalk walk_;
  std::uint64_t round_ = 0;
  bool ready_ = false;
  RankStatus mine_;
  std::array<Stage, 3> stages_;
  SectionBuilder builder_;
};

}  // namespace

/// Of the memory, five eighths are shared; the rest is for lists, maps and staging.
SharedLayout shared_layout(const ExchangeSettings& settings, std::uint64_t ranks,
                           std::uint64_t element_size) {
  const std::uint64_t block = std::max<std::uint64_t>(1, settings.block);
  const std::uint64_t share = std::clamp(
      settings.memory / 8 * 5 / std::max<std::uint64_t>(1, ranks), kLeastShare, kLargestShare);
  const std::uint64_t letters = std::min<std::uint64_t>(share / 8, std::uint64_t{256} << 10);
  SharedLayout layout;
  auto round_up = [](std::uint64_t n, std::uint64_t to) { return ceil_div(n, to) * to; };
  layout.slice = round_up((share / 2 - letters), block);
  layout.image = round_up(layout.slice + element_size, 64);
  layout.letters = round_up(letters + ranks * (sizeof(LetterPlace) + kCutSlack), 64);
  return layout;
}

Status exchange_shared(Direction direction, PieceSource& source, ElementMover& mover,
                       const ExchangeTarget& target, const mpi::SharedMemory& memory,
                       const SharedLayout& layout) {
  return SharedExchange(direction, source, mover, target, memory, layout).run();
}

}  // namespace pcio
