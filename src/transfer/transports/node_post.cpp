// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/transports: NodePost.

#include "transfer/transports/node_post.hpp"

#include <algorithm>
#include <utility>

#include "base/rank_status.hpp"

namespace pcio {

namespace {

/// Of the budget for one time's letters, to a bundle.
constexpr std::uint64_t kBundlesOfBudget = 4;
/// Bundles are longer than this only where a letter is. Bytes.
constexpr std::uint64_t kLargestBundle = std::uint64_t{512} << 10;

}  // namespace

void NodePost::reserve(OutboxOf outbox_of, std::uint64_t most, std::uint64_t budget, bool shared,
                       Direction direction) {
  outbox_of_ = std::move(outbox_of);
  shared_ = shared;
  direction_ = direction;
  if (!writes()) expected_.reserve(most);
  if (!shared_) return;
  ForwardLimits limits;
  limits.bundle = std::min(kLargestBundle, budget / kBundlesOfBudget);
  limits.bundles = most;
  plan_.begin(machine_, machine_.node_of(me_), limits);
  head_counts_.reserve(most);
  parts_.reserve(1 + 3 * limits.letters);
}

Status NodePost::post(bool forward) {
  head_counts_.clear();
  expected_.clear();
  const auto letters = [&](std::uint64_t index) { return letters_of(index); };
  bundled_ = forward && plan_.pays(letters);
  if (!bundled_) {
    post_own();
    return Status();
  }
  RankStatus posted;
  plan_.for_bundles(letters, [&](const ForwardPlan::Bundle& bundle, std::uint64_t, std::uint64_t) {
    if (bundle.from == me_) posted.even_if_failed([&] { return post_bundle(bundle); });
  });
  return posted.status();
}

void NodePost::post_own() {
  const Outbox own = outbox_of_(shared_ ? machine_.index_of(me_) : 0);
  for (const OutLetter& letter : own.list) {
    const std::uint64_t room = writes() ? letter.payload : 0;
    box_.put(letter.owner, ConstBytes(own.letters + letter.offset, letter.header() + room), room);
    if (!writes())
      expected_.push_back({letter.owner, Bytes(own.replies + letter.reply, letter.payload), {}});
  }
}

Status NodePost::post_bundle(const ForwardPlan::Bundle& bundle) {
  ScatteredBytes places;
  if (!writes()) {
    parts_.clear();
    for (const ForwardPlan::Taken& taken : bundle.letters)
      parts_.emplace_back(outbox_of_(taken.index).replies + taken.letter->reply,
                          taken.letter->payload);
    PCIO_ASSIGN(places, ScatteredBytes::of(parts_));
  }
  const std::size_t heads = list_parts(bundle);
  PCIO_TRY(box_.put_parts(bundle.to, parts_, heads));
  // Who is asked answers: nothing may fail from here on.
  if (!writes()) expected_.push_back({bundle.to, {}, std::move(places)});
  return Status();
}

/// Into parts_: how many stand before the elements.
std::size_t NodePost::list_parts(const ForwardPlan::Bundle& bundle) {
  const auto add = [&](const ForwardPlan::Taken& taken, std::uint64_t from, std::uint64_t to) {
    parts_.emplace_back(outbox_of_(taken.index).letters + taken.letter->offset + from, to - from);
  };
  std::uint64_t& slices = head_counts_.emplace_back(0);
  parts_.clear();
  parts_.emplace_back(reinterpret_cast<const std::byte*>(&slices), sizeof slices);
  for (const ForwardPlan::Taken& taken : bundle.letters) {
    slices += taken.letter->slices;
    add(taken, letter_heads(0), letter_heads(taken.letter->slices));
  }
  for (const ForwardPlan::Taken& taken : bundle.letters)
    add(taken, letter_heads(taken.letter->slices), taken.letter->header());
  const std::size_t heads = parts_.size();
  for (const ForwardPlan::Taken& taken : bundle.letters)
    if (writes())
      add(taken, taken.letter->header(), taken.letter->header() + taken.letter->payload);
  return heads;
}

Status NodePost::expect_answers(MailLane& lane) {
  RankStatus started;
  for (const Expected& answer : expected_)
    started.note(answer.places.is_null() ? box_.expect_answer(lane, answer.rank, answer.place)
                                         : box_.expect_answer(lane, answer.rank, answer.places));
  return started.status();
}

}  // namespace pcio
