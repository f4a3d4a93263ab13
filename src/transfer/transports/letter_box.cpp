// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/transports: LetterBox.

#include "transfer/transports/letter_box.hpp"

#include <algorithm>
#include <limits>

#include "base/rank_status.hpp"
#include "mpi/environment.hpp"
#include "mpi/error.hpp"

namespace pcio {

/// As if all of memory were one array of bytes: so a type can have parts of several.
Result<ScatteredBytes> ScatteredBytes::of(std::span<const ConstBytes> parts) {
  std::vector<ByteRange> ranges;
  ranges.reserve(parts.size());
  ScatteredBytes all;
  for (const ConstBytes& part : parts) {
    if (part.empty()) continue;
    MPI_Aint place = 0;
    PCIO_TRY(mpi::check(MPI_Get_address(part.data(), &place), "MPI_Get_address"));
    ranges.push_back({static_cast<FileAddress>(place), part.size()});
    all.size_ += part.size();
  }
  PCIO_ASSIGN(all.type_, mpi::Type::byte_blocks(ranges));
  return all;
}

void LetterBox::reserve(std::uint64_t letters) {
  const auto ranks = static_cast<std::uint64_t>(coordinator_.size());
  const std::uint64_t most = std::min(ranks, letters);
  letters_.reserve(most);
  going_.reserve(most);
  telling_.assign(most, MPI_REQUEST_NULL);
  coming_.reserve(ranks);
}

void LetterBox::clear() {
  letters_.clear();
  going_.clear();
}

void LetterBox::put(std::uint64_t rank, ConstBytes letter, std::uint64_t payload) {
  if (!letter.empty()) letters_.push_back({rank, letter, payload, {}, letter.size()});
}

Status LetterBox::put_parts(std::uint64_t rank, std::span<const ConstBytes> parts,
                            std::size_t heads) {
  Letter letter{rank, {}, 0, {}, 0};
  for (const ConstBytes& part : parts) letter.size += part.size();
  PCIO_ASSIGN(letter.parts, ScatteredBytes::of(sends_elements() ? parts : parts.first(heads)));
  letters_.push_back(std::move(letter));
  return Status();
}

namespace {

/// What is longer than a word tells is longer than a message can be: both sides refuse it.
std::uint32_t word_of(std::size_t bytes) {
  return static_cast<std::uint32_t>(
      std::min<std::size_t>(bytes, std::numeric_limits<std::uint32_t>::max()));
}

}  // namespace

Status LetterBox::announce() {
  const auto ranks = static_cast<std::uint64_t>(coordinator_.size());
  auto turn = [&](const Letter& letter) { return (letter.rank + ranks - me_) % ranks; };
  std::sort(letters_.begin(), letters_.end(),
            [&](const Letter& a, const Letter& b) { return turn(a) < turn(b); });
  going_.clear();
  for (const Letter& letter : letters_)
    if (letter.rank != me_)
      going_.push_back({static_cast<std::uint32_t>(letter.rank), word_of(letter.size)});
  return coordinator_.tell(going_, telling_, &coming_);
}

/// It would come before the others.
ConstBytes LetterBox::own() const {
  if (letters_.empty() || letters_.front().rank != me_) return {};
  return letters_.front().bytes;
}

Status LetterBox::send(MailLane& lane) {
  RankStatus started;
  for (const Letter& letter : letters_) {
    if (letter.rank == me_) continue;
    count_sent(letter.rank, letter.size);
    started.note(start_letter(lane, letter.rank, letter));
  }
  return started.status();
}

void LetterBox::count_sent(std::uint64_t rank, std::uint64_t bytes) {
  ++counts_.messages_sent;
  counts_.bytes_sent += bytes;
  if (coordinator_.machine().same_node(me_, rank)) return;
  ++counts_.messages_between_nodes;
  counts_.bytes_between_nodes += bytes;
}

Status LetterBox::receive(MailLane& lane, std::uint64_t rank, Bytes place) {
  ++counts_.messages_received;
  counts_.bytes_received += place.size();
  return start_receive(lane, rank, place, letter_tag());
}

Status LetterBox::receive(MailLane& lane, std::uint64_t rank, const ScatteredBytes& places,
                          std::uint64_t bytes) {
  ++counts_.messages_received;
  counts_.bytes_received += bytes;
  return places.is_null() ? start_receive(lane, rank, Bytes(), letter_tag())
                          : start_receive(lane, rank, places, letter_tag());
}

Status LetterBox::expect_answer(MailLane& lane, std::uint64_t rank, Bytes place) {
  ++counts_.messages_received;
  counts_.bytes_received += place.size();
  return start_expecting(lane, rank, place);
}

Status LetterBox::expect_answer(MailLane& lane, std::uint64_t rank, const ScatteredBytes& places) {
  ++counts_.messages_received;
  counts_.bytes_received += places.size();
  return start_expecting(lane, rank, places);
}

Status LetterBox::answer(MailLane& lane, std::uint64_t rank, ConstBytes bytes) {
  count_sent(rank, bytes.size());
  return start_answer(lane, rank, bytes);
}

Status LetterBox::wait(MailLane& lane, const char* what) {
  Status done = coordinator_.wait_all(lane.requests_, what);
  lane.requests_.clear();
  return done;
}

Status LetterBox::start_letter(MailLane& lane, std::uint64_t rank, const Letter& letter) {
  return letter.parts.is_null() ? start_send(lane, rank, letter.bytes, letter_tag())
                                : start_send(lane, rank, letter.parts, letter_tag());
}

Status LetterBox::start_answer(MailLane& lane, std::uint64_t rank, ConstBytes bytes) {
  return start_send(lane, rank, bytes, answer_tag());
}

Status LetterBox::start_expecting(MailLane& lane, std::uint64_t rank, Bytes place) {
  return start_receive(lane, rank, place, answer_tag());
}

Status LetterBox::start_expecting(MailLane& lane, std::uint64_t rank,
                                  const ScatteredBytes& places) {
  return start_receive(lane, rank, places, answer_tag());
}

Status LetterBox::start_receive(MailLane& lane, std::uint64_t rank, const ScatteredBytes& places,
                                int tag) {
  PCIO_TRY(mpi::check_not_finalized());
  return mpi::check(
      MPI_Irecv(MPI_BOTTOM, 1, places.type().raw(), static_cast<int>(rank), tag,
                coordinator_.comm()->raw(), &lane.requests_.emplace_back(MPI_REQUEST_NULL)),
      "MPI_Irecv");
}

Status LetterBox::start_send(MailLane& lane, std::uint64_t rank, ConstBytes bytes, int tag) {
  return coordinator_.comm()->start_send(bytes, static_cast<int>(rank), tag,
                                         lane.requests_.emplace_back(MPI_REQUEST_NULL));
}

Status LetterBox::start_send(MailLane& lane, std::uint64_t rank, const ScatteredBytes& parts,
                             int tag) {
  PCIO_TRY(mpi::check_not_finalized());
  return mpi::check(
      MPI_Isend(MPI_BOTTOM, 1, parts.type().raw(), static_cast<int>(rank), tag,
                coordinator_.comm()->raw(), &lane.requests_.emplace_back(MPI_REQUEST_NULL)),
      "MPI_Isend");
}

Status LetterBox::start_receive(MailLane& lane, std::uint64_t rank, Bytes place, int tag) {
  return coordinator_.comm()->start_receive(place, static_cast<int>(rank), tag,
                                            lane.requests_.emplace_back(MPI_REQUEST_NULL));
}

Status CountingLetterBox::start_letter(MailLane& lane, std::uint64_t rank, const Letter& letter) {
  if (!letter.parts.is_null()) return start_send(lane, rank, letter.parts, letter_tag());
  return start_send(lane, rank, letter.bytes.first(letter.bytes.size() - letter.payload),
                    letter_tag());
}

Status CountingLetterBox::start_answer(MailLane&, std::uint64_t, ConstBytes) { return Status(); }

Status CountingLetterBox::start_expecting(MailLane&, std::uint64_t, Bytes) { return Status(); }

Status CountingLetterBox::start_expecting(MailLane&, std::uint64_t, const ScatteredBytes&) {
  return Status();
}

}  // namespace pcio
