// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/filtered: StripeGathering.

#include "transfer/filtered/stripe_gathering.hpp"

#include <algorithm>
#include <cstring>

#include "base/rank_status.hpp"

namespace pcio {

StripeGathering::StripeGathering(Coordinator& coordinator, ExchangeCounts& counts, Effort effort)
    : coordinator_(coordinator),
      me_(static_cast<std::uint32_t>(coordinator.rank())),
      box_kind_(effort, coordinator, counts, MailTag::kStripes),
      box_(box_kind_.get()) {}

void StripeGathering::clear() {
  box_.clear();
  given_.clear();
  pieces_.clear();
  coming_.clear();
}

void StripeGathering::give_up() {
  clear();
  writers_.forget();
}

Status StripeGathering::prepare(std::span<const HeldBytes> held, const StripeLimits& limits,
                                const BytesAt& bytes_at) {
  clear();
  writers_.plan(held, coordinator_.machine(), limits);
  std::size_t bytes = 0;
  for (const GatheredBytes& one : writers_.gathered()) {
    if (one.from == me_) given_.push_back(one.range);
    if (one.to != me_) continue;
    pieces_.push_back({one.range, one.from, bytes});
    bytes += static_cast<std::size_t>(one.range.size);
  }
  if (given_.empty() && pieces_.empty()) return Status();
  if (box_.moves_elements()) PCIO_TRY(image_.discard_and_resize(bytes));
  PCIO_TRY(put_letters(bytes_at));
  return expect_letters(bytes_at);
}

/// A letter for each other rank that gathers some of this one's bytes, by ascending address.
Status StripeGathering::put_letters(const BytesAt& bytes_at) {
  std::vector<GatheredBytes> going;
  for (const GatheredBytes& one : writers_.gathered())
    if (one.from == me_ && one.to != me_) going.push_back(one);
  std::stable_sort(going.begin(), going.end(),
                   [](const GatheredBytes& a, const GatheredBytes& b) { return a.to < b.to; });
  std::vector<ConstBytes> parts;
  std::uint64_t letters = 0;
  for (std::size_t i = 0; i < going.size(); ++i) {
    parts.push_back(bytes_at(going[i].range));
    if (i + 1 < going.size() && going[i + 1].to == going[i].to) continue;
    PCIO_TRY(box_.put_parts(going[i].to, parts, 0));
    parts.clear();
    ++letters;
  }
  lane_.reserve(letters + pieces_.size());
  return Status();
}

/// Places in the image for what others have of it; what this rank has is put there.
Status StripeGathering::expect_letters(const BytesAt& bytes_at) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < pieces_.size(); ++i) order.push_back(i);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return pieces_[a].from < pieces_[b].from; });
  std::vector<ConstBytes> places;
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Piece& piece = pieces_[order[i]];
    const Bytes place = place_of(piece);
    if (piece.from == me_) {
      if (!place.empty()) std::memcpy(place.data(), bytes_at(piece.range).data(), place.size());
      continue;
    }
    places.emplace_back(place);
    bytes += piece.range.size;
    if (i + 1 < order.size() && pieces_[order[i + 1]].from == piece.from) continue;
    Coming coming{piece.from, bytes, {}};
    if (box_.moves_elements()) {
      PCIO_ASSIGN(coming.places, ScatteredBytes::of(places));
    }
    coming_.push_back(std::move(coming));
    places.clear();
    bytes = 0;
  }
  return Status();
}

/// Nothing in a dry run.
Bytes StripeGathering::place_of(const Piece& piece) {
  if (!box_.moves_elements()) return {};
  return Bytes(image_.data(), image_.size())
      .subspan(piece.place, static_cast<std::size_t>(piece.range.size));
}

Status StripeGathering::exchange() {
  RankStatus started;
  for (const Coming& coming : coming_)
    started.note(box_.receive(lane_, coming.rank, coming.places, coming.bytes));
  started.note(box_.send(lane_));
  started.note(box_.wait(lane_, "gathering stripes"));
  box_.clear();
  coming_.clear();
  return started.status();
}

/// What lies together in one call.
Status StripeGathering::write(ByteTarget& target) {
  for (std::size_t i = 0; i < pieces_.size();) {
    ByteRange run = pieces_[i].range;
    const std::size_t place = pieces_[i].place;
    for (++i; i < pieces_.size() && pieces_[i].range.offset == run.end(); ++i)
      run.size += pieces_[i].range.size;
    // What counts writes doesn't look into them.
    const std::byte* const bytes = image_.size() == 0 ? &nothing_ : image_.data() + place;
    PCIO_TRY(target.write(run.offset, {bytes, static_cast<std::size_t>(run.size)}));
  }
  return Status();
}

}  // namespace pcio
