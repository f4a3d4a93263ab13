// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/transports: exchange_nodes.
//
// One stretch at a time: agree on it; tell what each node has of its slices; all ranks give the slices the
// same owners; pieces go into images and letters; owners of a write gather and write, those of a read load
// and answer. The agreement on the next stretch says that all are done with this one. What is written may
// go on meanwhile (WritingThread), out of images that the next stretch leaves alone: the agreement on the one after it says that
// it is over.

#include "transfer/transports/exchange_nodes.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "base/rank_status.hpp"
#include "driver/writing_thread.hpp"
#include "plan/slice_owners.hpp"
#include "transfer/pieces/by_effort.hpp"
#include "transfer/transports/exchange_buffers.hpp"
#include "transfer/transports/exchange_owner.hpp"
#include "transfer/transports/exchange_queue.hpp"
#include "transfer/transports/file_stretch.hpp"
#include "transfer/transports/letter_box.hpp"
#include "transfer/transports/node_letters.hpp"
#include "transfer/transports/owner_mail.hpp"
#include "transfer/transports/slice_letters.hpp"

namespace pcio {

namespace {

/// Of slices that follow chunks, to one that does not.
constexpr std::uint64_t kCoarser = 8;
/// What ranks bring to the first stretch: a request, bytes to move in all, and where some rank's chunks lie.
struct MergeBeginnings {
  static constexpr std::size_t kBytes = 4, kWords = 7;
  void operator()(std::span<std::uint64_t> into,
                  std::span<const std::uint64_t> from) const noexcept {
    for (std::size_t i = 0; i < kWords; ++i)
      into[i] = i == kBytes ? into[i] + from[i] : std::min(into[i], from[i]);
  }
};

class NodeExchange : NodeLetters {
 public:
  NodeExchange(Direction direction, PieceSource& source, ElementMover& mover,
               const ExchangeTarget& target, const mpi::SharedMemory* memory)
      : NodeLetters(direction, mover, target, memory),
        queue_(source, mover.form().file_size),
        ranks_(machine_.ranks()),
        away_kind_(target.effort, target.store, GapWrites::kForbidden),
        away_(away_kind_.get()),
        mail_(box_, me_, ranks_) {}

  Status run(const NodeJob& job) {
    local([&] { return reserve(); });
    for (bool first = true;; first = false) {
      local([&] { return queue_.refill(); });
      // Images of the stretch before the last one are filled again.
      local([&] { return writer_.wait_for(handed_over_[next_set()]); });
      mpi::SharedMemory::fence();
      StretchRequest wish{queue_.first(), queue_.safe_end(), ready_ ? 1U : 0U, queue_.last()};
      PCIO_ASSIGN(const StretchAnswer answer,
                  first ? begin(job, &wish) : agree_on_stretch(coordinator_, &wish));
      mpi::SharedMemory::fence();
      if (answer == StretchAnswer::kNotReady && mine_.ok())
        return PCIO_ERROR(IO, NOSPACE, "another rank has no memory for an exchange");
      if (answer != StretchAnswer::kStretch) return finish_writes();
      ++target_.counts.rounds;
      // What some rank could not take is left, and may be written once more by another owner: none begins before all ranks
      // have told what they hold.
      if (wish.first < stretch_.end) local([&] { return writer_.wait_for(writer_.handed_over()); });
      PCIO_TRY(give_owners(wish));
      overlaps_ = overlaps_ || (layout_.sets > 1 && wish.last > stretch_.end);
      PCIO_TRY(writes() ? write_stretch() : read_stretch());
    }
  }

 private:
  /// A step that may fail on this rank alone, which then goes on with nothing to move.
  template <class F>
  void local(F&& step) {
    if (mine_.even_if_failed(step)) return;
    queue_.stop();
    cut_.clear();
    // Before letters are seen by others there are none. Afterwards they are on their way.
    box_.clear();
    if (!shown_) clear_places();
  }

  /// Agrees on the first stretch, and on what all stretches have in common.
  Result<StretchAnswer> begin(const NodeJob& job, StretchRequest* wish) {
    std::array<std::uint64_t, MergeBeginnings::kWords> words{};
    const std::span<std::uint64_t> all(words);
    wish->put(all);
    all[MergeBeginnings::kBytes] = job.bytes;
    all[MergeBeginnings::kBytes + 1] = ~job.chunk_bytes;
    all[MergeBeginnings::kBytes + 2] = job.chunk_origin;
    PCIO_TRY(coordinator_.allreduce_merge(all, MergeBeginnings{}));
    grid_.period = ~all[MergeBeginnings::kBytes + 1];
    grid_.origin = all[MergeBeginnings::kBytes + 2];
    const StretchAnswer answer = wish->take(all);
    // All have memory for owners then.
    if (answer == StretchAnswer::kStretch) owners_.set_total(all[MergeBeginnings::kBytes]);
    return answer;
  }

  Status reserve() {
    const std::uint64_t unit = std::clamp(target_.settings.memory / 16, kLeastUnit, kLargestUnit);
    grid_.unit = target_.settings.unit;
    grid_.block = std::max<std::uint64_t>(1, target_.settings.block);
    grid_.largest = layout_.slice;
    grid_.slices = most_slices(ranks_);
    grid_.plain_slices = grid_.slices / kCoarser;
    allocate();
    owners_.begin(machine_, grid_.slices, {0, grid_.unit, target_.settings.writers});
    queue_.limit(unit / sizeof(FilePiece), layout_.budget, PayloadCost::kCounts);
    mail_.reserve(layout_.letters, writes() ? 0 : layout_.letters);
    // Their maps get memory when a stretch begins, as long as this rank can still say that it has none.
    for (auto& image : images_) image.emplace(target_.effort, target_.store, GapWrites::kForbidden);
    reserve_letters(grid_.slices);
    held_.assign(grid_.slices, 0);
    holdings_.assign(grid_.slices * kHoldingWords, 0);
    sends_.reserve(std::min(ranks_, grid_.slices));
    ready_ = true;
    return Status();
  }

  [[nodiscard]] std::uint64_t next_set() const { return (set_ + 1) % layout_.sets; }
  /// Others may go on with the next dataset of the call meanwhile. Collective: local.
  Status finish_writes() {
    if (overlaps_) target_.left = Outstanding::kForeignBytes;
    local([&] { return writer_.finish(); });
    return mine_.status();
  }

  [[nodiscard]] std::uint64_t slots() const {
    return std::clamp<std::uint64_t>(layout_.images / stride(), 1, kSlotsOfOwner);
  }
  SliceImage& image(std::uint64_t slot) { return images_[slot]->get(); }

  /// Cuts the stretch, and gives its slices owners. Collective: over the file, an exchange, or without boards two, one of
  /// them within nodes.
  Status give_owners(const StretchRequest& agreed) {
    const CutStretch cut = cut_stretch(grid_, agreed.first, std::min(agreed.safe_end, agreed.last));
    stretch_ = {cut.start, cut.end, cut.slice, std::min(cut.count(), grid_.slices), 0, ranks_};
    const std::span<std::uint64_t> held(held_.data(), stretch_.owners);
    std::fill(held.begin(), held.end(), 0);
    shown_ = false;
    set_ = next_set();
    queue_.count_bytes(stretch_, held);
    const std::span<std::uint64_t> all(holdings_.data(), stretch_.owners * kHoldingWords);
    // What changes nothing; a node's leader has what its ranks hold.
    std::fill(all.begin(), all.end(), 0);
    const auto lead = [&](std::span<const std::uint64_t> of_node, std::span<std::uint64_t> words) {
      for (std::uint64_t i = 0; i < stretch_.owners; ++i) {
        const SliceHolding mine =
            holding_of(turn_of_slice(cut, machine_.nodes(), i), node_, of_node[i]);
        std::memcpy(&words[i * kHoldingWords], &mine, sizeof mine);
      }
    };
    PCIO_TRY(coordinator_.merge_node_sums(held, all, lead, MergeHoldings{}));
    stretch_.owners = owners_.assign(cut, all, slots());
    stretch_.end = std::min(stretch_.end, stretch_.start_of(stretch_.owners));
    const bool may_forward = memory_ != nullptr && machine_.largest_size() > 1;
    crosses_ = !may_forward || !owners_.all_near(all);
    forwards_ = may_forward && crosses_;
    clear_places();
    local([&]() -> Status {
      begin_images();
      return queue_.take_stretch(stretch_, &cut_);
    });
    return Status();
  }

  /// Letters are written: those of the node are posted and announced. Where all stay on their nodes each node meets.
  Status announce() {
    shown_ = true;
    mpi::SharedMemory::fence();
    if (forwards_ || !crosses_) PCIO_TRY(coordinator_.node_barrier());
    mpi::SharedMemory::fence();
    if (!mine_.even_if_failed([&] { return post_letters(); })) queue_.stop();
    mpi::SharedMemory::fence();
    if (!crosses_)
      box_.expect_none();
    else
      PCIO_TRY(box_.announce());
    mpi::SharedMemory::fence();
    return Status();
  }

  Status write_stretch() {
    local([&]() -> Status {
      PCIO_TRY(write_letters());
      return pack_pieces();
    });
    PCIO_TRY(announce());
    // Others wait for what they send here, and for what this rank sends, whatever failed.
    Status done = box_.send(sends_);
    local([&] { return take_near_letters(); });
    keep_first(done, mail_.receive([&]() -> Status {
      local([&]() -> Status {
        for (const Received& letter : mail_.batch()) PCIO_TRY(take_letter(letter.bytes));
        return Status();
      });
      return Status();
    }));
    // What others of the node have put into this rank's images is there.
    if (forwards_) keep_first(done, meet_others());
    if (done.ok() && mine_.ok()) local([&] { return write_images(); });
    handed_over_[set_] = writer_.handed_over();
    keep_first(done, box_.wait(sends_, "sending to the owners of an exchange"));
    return done;
  }
  /// Collective: over the node, one exchange.
  Status meet_others() {
    mpi::SharedMemory::fence();
    PCIO_TRY(coordinator_.node_barrier());
    mpi::SharedMemory::fence();
    return Status();
  }

  void begin_images() {
    owners_.for_each_of(me_, [&](std::uint64_t number, std::uint64_t slot) {
      image(slot).begin(stretch_.start_of(number), image_bytes(), image_of(number), map_of(number));
    });
  }
  template <class F>
  Status for_each_image(F&& f) {
    Status all;
    owners_.for_each_of(me_, [&](std::uint64_t, std::uint64_t slot) {
      if (all.ok()) all = f(image(slot));
    });
    return all;
  }
  /// The image that a letter speaks of; nullptr where it is not this rank's, nor that of one for whom it may receive.
  SliceImage* image_for(std::uint64_t slice) {
    if (slice >= stretch_.owners) return nullptr;
    if (owner_of(slice) == me_) return &image(owners_.slot_of(slice));
    if (!forwards_ || !is_near(owner_of(slice))) return nullptr;
    away_.visit(stretch_.start_of(slice), image_bytes(), image_of(slice), map_of(slice));
    return &away_;
  }
  static Status lost() {
    return PCIO_ERROR(INTERNAL, BADRANGE, "exchange: a letter for another owner");
  }

  /// Sections of those who reach this rank's images. They have put their elements there.
  Status take_near_letters() {
    for (std::uint64_t index = 0; index < near_ranks(); ++index) {
      NearLetter place;
      std::memcpy(&place, places_of(index) + index_of(me_) * sizeof place, sizeof place);
      if (place.size == 0) continue;
      if (index != index_of(me_)) {
        ++target_.counts.messages_received;
        target_.counts.bytes_received += place.size;
      }
      PCIO_TRY(mark(ConstBytes(letters_of(index) + place.offset, place.size)));
    }
    return Status();
  }
  Status mark(ConstBytes letter) {
    return SliceLetter(letter).for_each(
        [&](std::uint32_t slice, std::span<const Section> sections, ConstBytes) {
          SliceImage* const image = image_for(slice);
          return image == nullptr ? lost() : image->mark(sections);
        });
  }
  Status take_letter(ConstBytes letter) {
    return SliceLetter(letter).for_each(
        [&](std::uint32_t slice, std::span<const Section> sections, ConstBytes payload) {
          SliceImage* const image = image_for(slice);
          if (image == nullptr || payload.size() != payload_of(sections)) return lost();
          return image->put(sections, payload);
        });
  }

  Status read_stretch() {
    local([&] { return write_letters(); });
    PCIO_TRY(announce());
    // Answers are expected before anybody is asked, so that no owner waits with its answer.
    // Whatever failed, owners wait for letters, and ranks for answers.
    Status done = expect_answers();
    keep_first(done, box_.send(sends_));
    keep_first(done, forwards_ ? answer_together() : answer());
    keep_first(done, share_images());
    keep_first(done, box_.wait(sends_, "asking the owners of an exchange"));
    keep_first(done, box_.wait(answers_, "waiting for the owners of an exchange"));
    // What others of the node were answered for this rank is there.
    if (done.ok()) hand_out();
    if (forwards_) keep_first(done, meet_others());
    PCIO_TRY(std::move(done));
    local([&] { return take_answers(); });
    return Status();
  }
  static void keep_first(Status& first, Status next) {
    if (first.ok()) first = std::move(next);
  }

  /// As owner: loads what is asked for, and answers those of other nodes.
  Status answer() {
    loaded_ = false;
    local([&] { return take_near_letters(); });
    return mail_.receive([&]() -> Status {
      local([&]() -> Status {
        PCIO_TRY(mark_batch());
        return load();
      });
      return answer_batch();
    });
  }
  /// The same where ranks of the node receive for each other: what one has marked, another one loads, and the first
  /// answers. Collective: over the node, one exchange, and two for each batch of letters.
  Status answer_together() {
    local([&] { return take_near_letters(); });
    batches_of(index_of(me_)) = mail_.batches();
    Status done = meet_others();
    std::uint64_t batches = 0;
    for (std::uint64_t i = 0; i < near_ranks(); ++i) batches = std::max(batches, batches_of(i));
    for (std::uint64_t i = 0; i < batches; ++i) {
      keep_first(done, i == 0 ? mail_.receive_first() : mail_.receive_next());
      local([&] { return mark_batch(); });
      keep_first(done, meet_others());
      local([&] { return load(); });
      keep_first(done, meet_others());
      keep_first(done, answer_batch());
    }
    loaded_ = batches > 0;
    return done;
  }
  Status mark_batch() {
    for (const Received& letter : mail_.batch()) PCIO_TRY(mark(letter.bytes));
    return Status();
  }
  Status answer_batch() {
    return mail_.answer([](ConstBytes letter) { return SliceLetter(letter).payload(); },
                        [&](ConstBytes letter, Bytes payload) {
                          local([&] { return pack_answer(SliceLetter(letter), payload); });
                        });
  }
  Status write_images() {
    JoinedImages calls(target_.store, touch(), overlaps_ ? &writer_ : nullptr);
    PCIO_TRY(for_each_image([&](SliceImage& image) { return image.flush(calls); }));
    return calls.finish_write();
  }
  Status load() {
    JoinedImages calls(target_.store, touch());
    PCIO_TRY(for_each_image([&](SliceImage& image) { return image.load(calls); }));
    return calls.finish_read();
  }
  [[nodiscard]] JoinedImages::Touch touch() const {
    return target_.effort == Effort::kPerform ? JoinedImages::Touch::kBytes
                                              : JoinedImages::Touch::kNothing;
  }

  Status pack_answer(const SliceLetter& letter, Bytes payload) {
    std::uint64_t at = 0;
    return letter.for_each(
        [&](std::uint32_t slice, std::span<const Section> sections, ConstBytes) -> Status {
          SliceImage* const image = image_for(slice);
          if (image == nullptr) return lost();
          const std::uint64_t size = payload_of(sections);
          PCIO_TRY(image->get(sections, payload.subspan(at, size)));
          at += size;
          return Status();
        });
  }

  /// The images of all ranks of the node are whole, and this rank's pieces are taken from them.
  /// Collective: over the node, one exchange where they aren't yet.
  Status share_images() {
    if (!loaded_) {
      local([&] { return load(); });
      if (memory_ != nullptr) PCIO_TRY(meet_others());
    }
    local([&]() -> Status {
      for (const QueuePart& part : cut_.parts)
        if (is_near(owners_.owner_of(part.slice)))
          PCIO_TRY(
              mover_.pick(cut_.pieces(part), stretch_.start_of(part.slice), image_of(part.slice)));
      return Status();
    });
    return Status();
  }

  ExchangeQueue queue_;
  std::uint64_t ranks_;
  bool ready_ = false;
  bool shown_ =
      true;  ///< others may look at this rank's letters, or what else is there before the first stretch
  bool loaded_ = false;  ///< reads: all images of the node are whole
  bool crosses_ =
      true;  ///< letters may go to other nodes, or be messages within one; equal on all ranks
  RankStatus mine_;

  SliceGrid grid_;
  std::array<std::optional<ByEffort<SliceImage, SliceImage, StillImage>>, kSlotsOfOwner> images_;
  ByEffort<SliceImage, SliceImage, StillImage> away_kind_;
  SliceImage& away_;                     ///< another rank's image that this one visits
  std::vector<std::uint64_t> held_;      ///< [slices] bytes of this rank, then of its node
  std::vector<std::uint64_t> holdings_;  ///< [slices] of all nodes
  OwnerMail mail_;
  MailLane sends_;
  bool overlaps_ = false;  ///< writes go on while the next stretch is gathered; equal on all ranks
  std::array<std::uint64_t, 2> handed_over_{};  ///< [sets] writes up to those out of it
  WritingThread writer_;                        ///< goes first: it uses the images
};

}  // namespace

Status exchange_nodes(Direction direction, PieceSource& source, ElementMover& mover,
                      const ExchangeTarget& target, const mpi::SharedMemory* memory,
                      const NodeJob& job) {
  return NodeExchange(direction, source, mover, target, memory).run(job);
}

}  // namespace pcio
