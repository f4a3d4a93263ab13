// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/transports: NodePost.

#include "transfer/transports/node_post.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "base/rank_status.hpp"

namespace pcio {

namespace {

/// Of the budget for one time's letters, to a bundle.
constexpr std::uint64_t kBundlesOfBudget = 4;
/// Bundles are longer than this only where a letter is. Bytes.
constexpr std::uint64_t kLargestBundle = std::uint64_t{512} << 10;

}  // namespace

void NodePost::reserve(OutboxOf outbox_of, const PostLimits& limits, bool shared) {
  outbox_of_ = std::move(outbox_of);
  shared_ = shared;
  limits_ = limits;
  if (!writes()) expected_.reserve(limits.letters);
  if (!shared_) return;
  ForwardLimits bundles;
  bundles.bundle = std::min(kLargestBundle, limits.budget / kBundlesOfBudget);
  bundles.bundles = limits.letters;
  bundles.direction = limits.direction;
  bundles.of_owner = limits.mail;
  plan_.begin(machine_, machine_.node_of(me_), bundles);
  head_counts_.reserve(limits.letters);
  parts_.reserve(1 + 3 * bundles.letters);
}

Status NodePost::post(bool forward) {
  head_counts_.clear();
  expected_.clear();
  asked_.clear();
  asked_bytes_ = 0;
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

/// False where the letters go as they are, also where there is no memory, which they don't need: nothing is left of it then.
bool NodePost::ask_once(const ForwardPlan::Bundle& bundle) try {
  auto asked = std::make_unique<AskedOnce>();
  for (const ForwardPlan::Taken& taken : bundle.letters) {
    const Outbox outbox = outbox_of_(taken.index);
    asked->add(ConstBytes(outbox.letters + taken.letter->offset, taken.letter->header()),
               outbox.replies + taken.letter->reply);
  }
  // Answers that are handed out lie in memory of this rank's own, of which there is so much.
  const std::uint64_t left = limits_.mail - std::min(limits_.mail, asked_bytes_);
  if (!asked->settle(limits_.mail, left)) return false;
  asked_.push_back(std::move(asked));
  AskedOnce& once = *asked_.back();
  asked_bytes_ += once.place().size();
  expected_.push_back({bundle.to, once.place(), {}});
  box_.put(bundle.to, once.request(), 0);
  return true;
} catch (const std::bad_alloc&) {
  return false;
}

Status NodePost::post_bundle(const ForwardPlan::Bundle& bundle) {
  if (!writes() && bundle.repeats && ask_once(bundle)) return Status();
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

void NodePost::hand_out() {
  if (!box_.moves_elements()) return;
  for (const std::unique_ptr<AskedOnce>& asked : asked_) asked->hand_out();
}

}  // namespace pcio
