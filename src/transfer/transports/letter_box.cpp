// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/transports: LetterBox.

#include "transfer/transports/letter_box.hpp"

#include <algorithm>
#include <limits>

#include "base/rank_status.hpp"

namespace pcio {

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
  if (!letter.empty()) letters_.push_back({rank, letter, payload});
}

ConstBytes LetterBox::payload_to(std::uint64_t rank) const {
  const auto found = std::lower_bound(letters_.begin(), letters_.end(), rank,
                                      [](const Letter& a, std::uint64_t r) { return a.rank < r; });
  if (found == letters_.end() || found->rank != rank) return {};
  return found->bytes.last(found->payload);
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
      going_.push_back({static_cast<std::uint32_t>(letter.rank), word_of(letter.bytes.size())});
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
    count_sent(letter.rank, letter.bytes.size());
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

Status LetterBox::expect_answer(MailLane& lane, std::uint64_t rank, Bytes place) {
  ++counts_.messages_received;
  counts_.bytes_received += place.size();
  return start_expecting(lane, rank, place);
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
  return start_send(lane, rank, letter.bytes, letter_tag());
}

Status LetterBox::start_answer(MailLane& lane, std::uint64_t rank, ConstBytes bytes) {
  return start_send(lane, rank, bytes, answer_tag());
}

Status LetterBox::start_expecting(MailLane& lane, std::uint64_t rank, Bytes place) {
  return start_receive(lane, rank, place, answer_tag());
}

Status LetterBox::start_send(MailLane& lane, std::uint64_t rank, ConstBytes bytes, int tag) {
  return coordinator_.comm()->start_send(bytes, static_cast<int>(rank), tag,
                                         lane.requests_.emplace_back(MPI_REQUEST_NULL));
}

Status LetterBox::start_receive(MailLane& lane, std::uint64_t rank, Bytes place, int tag) {
  return coordinator_.comm()->start_receive(place, static_cast<int>(rank), tag,
                                            lane.requests_.emplace_back(MPI_REQUEST_NULL));
}

Status CountingLetterBox::start_letter(MailLane& lane, std::uint64_t rank, const Letter& letter) {
  return start_send(lane, rank, letter.bytes.first(letter.bytes.size() - letter.payload),
                    letter_tag());
}

Status CountingLetterBox::start_answer(MailLane&, std::uint64_t, ConstBytes) { return Status(); }

Status CountingLetterBox::start_expecting(MailLane&, std::uint64_t, Bytes) { return Status(); }

}  // namespace pcio
