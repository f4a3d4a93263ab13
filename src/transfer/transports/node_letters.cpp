// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/transports: NodeLetters.

#include "transfer/transports/node_letters.hpp"

#include <algorithm>
#include <cstring>

#include "transfer/pieces/read_pieces.hpp"

namespace pcio {

namespace {

Result<std::uint64_t> too_long() {
  return PCIO_ERROR(INTERNAL, BADSIZE, "exchange: letters take more than was planned for them");
}

}  // namespace

NodeLetters::NodeLetters(Direction direction, ElementMover& mover, const ExchangeTarget& target,
                         const mpi::SharedMemory* memory)
    : NodeMemory(target.coordinator, memory,
                 node_layout(direction, target.settings, target.coordinator.machine(),
                             mover.form().file_size)),
      direction_(direction),
      mover_(mover),
      target_(target),
      coordinator_(target.coordinator),
      element_(mover.form().file_size),
      box_kind_(target.effort, target.coordinator, target.counts, MailTag::kExchange),
      box_(box_kind_.get()),
      post_(box_, machine_, me_) {}

void NodeLetters::reserve_letters(std::uint64_t slices) {
  box_.reserve(slices);
  order_.assign(slices, 0);
  cut_.parts.reserve(slices);
  const std::uint64_t most = std::min(machine_.ranks(), slices);
  answers_.reserve(most);
  post_.reserve(
      [this](std::uint64_t index) -> Outbox {
        return {letters_of(index), replies_of(index), far_letters(index)};
      },
      {direction_, most, layout_.budget, layout_.letters}, memory_ != nullptr);
}

Status NodeLetters::write_letters() {
  box_.clear();
  asked_ = 0;
  order_.resize(cut_.parts.size());
  for (std::uint32_t i = 0; i < order_.size(); ++i) order_[i] = i;
  const auto place = [&](std::uint32_t part) {
    const std::uint64_t owner = owner_of_part(part);
    return std::pair(machine_.node_of(owner), owner);
  };
  std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::pair(place(a), a) < std::pair(place(b), b);
  });
  std::uint64_t at = 0;
  for (std::size_t first = 0, last = 0; first < order_.size(); first = last) {
    while (last < order_.size() && owner_of_part(order_[last]) == owner_of_part(order_[first]))
      ++last;
    PCIO_ASSIGN(const std::uint64_t taken,
                write_letter(at, std::span(order_).subspan(first, last - first)));
    at += taken;
  }
  return Status();
}

/// Bytes that the letter takes.
Result<std::uint64_t> NodeLetters::write_letter(std::uint64_t at,
                                                std::span<const std::uint32_t> parts) {
  std::byte* const letter = letters_of(index_of(me_)) + at;
  const std::uint64_t owner = owner_of_part(parts.front());
  const std::uint64_t count = parts.size();
  OutLetter out{at, 0, asked_, static_cast<std::uint32_t>(owner),
                static_cast<std::uint32_t>(count)};
  if (at + out.header() > layout_.letters) return too_long();
  std::memcpy(letter, &count, sizeof count);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const QueuePart& part = cut_.parts[parts[i]];
    out.payload += describe(part);
    const std::span<const Section> sections = builder_.sections();
    const std::uint64_t size = out.header();
    if (at + size + sections.size_bytes() + (writes() ? out.payload : 0) > layout_.letters)
      return too_long();
    const LetterHead head{static_cast<std::uint32_t>(part.slice),
                          static_cast<std::uint32_t>(sections.size())};
    if (i == 0 && !sections.empty())
      out.first = place_in_slices(part.slice, sections.front().offset);
    if (!sections.empty()) out.end = place_in_slices(part.slice, sections.back().end());
    std::memcpy(letter + letter_heads(i), &head, sizeof head);
    std::memcpy(letter + size, sections.data(), sections.size_bytes());
    out.sections += head.sections;
  }
  if (is_near(owner)) {
    put_place(owner, {at, out.header()});
    count_near(owner, out.header(), out.payload);
    return pad_letter(out.header());
  }
  PCIO_TRY(add_far_letter(out));
  return pad_letter(out.header() + (writes() ? out.payload : 0));
}

Status NodeLetters::add_far_letter(const OutLetter& letter) {
  asked_ += letter.payload;
  OutLetter* const room = NodeMemory::add_far_letter();
  if (room == nullptr || (!writes() && asked_ > layout_.replies)) return too_long().error();
  *room = letter;
  return Status();
}

/// Its sections, into builder_. Bytes of its elements.
std::uint64_t NodeLetters::describe(const QueuePart& part) {
  builder_.clear();
  std::uint64_t payload = 0;
  const FileAddress start = stretch_.start_of(part.slice);
  for (const FilePiece& piece : cut_.pieces(part)) {
    const std::uint64_t n = mover_.file_bytes(piece);
    builder_.add(static_cast<std::uint32_t>(piece.address - start), static_cast<std::uint32_t>(n));
    payload += n;
  }
  return payload;
}

void NodeLetters::count_near(std::uint64_t owner, std::uint64_t bytes, std::uint64_t payload) {
  if (owner == me_) return;
  ++target_.counts.messages_sent;
  target_.counts.bytes_sent += bytes + (writes() ? payload : 0);
  if (!writes()) target_.counts.bytes_received += payload;
}

Status NodeLetters::pack_pieces() {
  std::uint64_t letters = 0;
  Bytes payload;  // what is left of the letter that is packed
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const QueuePart& part = cut_.parts[order_[i]];
    const std::uint64_t owner = owner_of(part.slice);
    if (is_near(owner)) {
      PCIO_TRY(mover_.place(cut_.pieces(part), stretch_.start_of(part.slice), image_of(part.slice),
                            target_.store));
      continue;
    }
    if (i == 0 || owner_of_part(order_[i - 1]) != owner) payload = payload_of_letter(letters++);
    std::uint64_t size = 0;
    for (const FilePiece& piece : cut_.pieces(part)) size += mover_.file_bytes(piece);
    PCIO_TRY(pack_part(part, payload.first(size)));
    payload = payload.subspan(size);
  }
  return Status();
}

/// Of this rank's letters to other nodes, behind its sections.
Bytes NodeLetters::payload_of_letter(std::uint64_t number) {
  const OutLetter& letter = far_letters(index_of(me_))[number];
  return {letters_of(index_of(me_)) + letter.offset + letter.header(), letter.payload};
}

Status NodeLetters::pack_part(const QueuePart& part, Bytes payload) {
  // Bytes that a conversion keeps; no other rank writes these elements.
  if (mover_.form().needs_background())
    PCIO_TRY(read_pieces(cut_.pieces(part), mover_.form().file_size, payload, target_.store));
  return mover_.pack(cut_.pieces(part), payload);
}

Status NodeLetters::take_answers() {
  std::uint64_t at = 0;
  for (std::size_t i = 0; i < order_.size() && !cut_.parts.empty(); ++i) {
    const QueuePart& part = cut_.parts[order_[i]];
    if (is_near(owner_of(part.slice))) continue;
    std::uint64_t size = 0;
    for (const FilePiece& piece : cut_.pieces(part)) size += mover_.file_bytes(piece);
    PCIO_TRY(mover_.unpack(Bytes(replies_of(index_of(me_)) + at, size), cut_.pieces(part)));
    at += size;
  }
  return Status();
}

}  // namespace pcio
