// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/transports: LetterBox.

#include "transfer/transports/letter_box.hpp"

#include <algorithm>

#include "base/rank_status.hpp"

namespace pcio {

void LetterBox::reserve() {
  const auto ranks = static_cast<std::size_t>(coordinator_.size());
  letters_.resize(ranks);
  going_.resize(ranks);
  coming_.resize(ranks);
}

void LetterBox::clear() {
  std::fill(letters_.begin(), letters_.end(), Letter());
  std::fill(going_.begin(), going_.end(), 0);
}

void LetterBox::put(std::uint64_t rank, ConstBytes letter, std::uint64_t payload) {
  letters_[rank] = {letter, payload};
  going_[rank] = letter.size();
}

Status LetterBox::announce() { return coordinator_.alltoall(going_, coming_); }

ConstBytes LetterBox::own() const { return letters_[me_].bytes; }

Status LetterBox::send(MailLane& lane) {
  const auto ranks = static_cast<std::uint64_t>(letters_.size());
  RankStatus started;
  // Those behind this rank first, so that not all turn to the same one.
  for (std::uint64_t i = 1; i < ranks; ++i) {
    const std::uint64_t rank = (me_ + i) % ranks;
    const Letter& letter = letters_[rank];
    if (letter.bytes.empty()) continue;
    count_sent(rank, letter.bytes.size());
    started.note(start_letter(lane, rank, letter));
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
