// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room plan: SliceOwners.

#include "plan/slice_owners.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <utility>

#include "base/checked.hpp"

namespace pcio {

namespace {

constexpr unsigned kNodeBits = 24;
constexpr std::uint64_t kNodeMask = (std::uint64_t{1} << kNodeBits) - 1;
constexpr std::uint64_t kMostOfNode = (std::uint64_t{1} << (64 - kNodeBits)) - 1;

struct Words {
  Words(std::span<const std::uint64_t> all, const SliceTurn& turn)
      : turn(turn),
        most(all[turn.slice * kHoldingWords]),
        second(all[turn.slice * kHoldingWords + 1]),
        third(all[turn.slice * kHoldingWords + 2]),
        total(all[turn.slice * kHoldingWords + 3]) {}
  SliceTurn turn;
  std::uint64_t most, second, third, total;
  [[nodiscard]] std::uint64_t node(std::uint64_t held) const { return pcio::node_of(turn, held); }
  /// Bytes that don't cross if the node owns it, as far as is known.
  [[nodiscard]] std::uint64_t kept_by(std::uint64_t node) const {
    for (const std::uint64_t held : {most, second, third})
      if (held != 0 && this->node(held) == node) return bytes_of(held);
    return 0;
  }
};

/// Slices and nodes up to which owners are tried again: so few are far apart in size.
constexpr std::uint64_t kFewSlices = 64;
constexpr std::uint64_t kFewNodes = 64;
constexpr int kMostPasses = 16;
/// Slices and nodes up to which the best owners are searched, and choices that are looked at for that.
constexpr std::uint64_t kSearchedSlices = 16;
constexpr std::uint64_t kSearchedNodes = 16;
constexpr std::uint64_t kMostChoices = 3'000;

/// Nodes that have about equally much of a slice: a thirty-second of that more crosses at most, whichever of them owns it.
bool is_near(std::uint64_t less, std::uint64_t most) { return most - less <= most / 32; }

/// What a change is judged by: bytes above the nodes' shares, then bytes that cross.
using Cost = std::pair<std::uint64_t, std::uint64_t>;
/// `bytes`: of all slices that would change owners. For about the same neighbours are not taken apart.
bool is_worth_it(const Cost& before, const Cost& after, std::uint64_t bytes) {
  return after.first < before.first ||
         (after.first == before.first && after.second + bytes / 64 < before.second);
}

/// Into the three largest, descending.
void insert_held(std::uint64_t* largest, std::uint64_t held) {
  for (std::size_t i = 0; i < 3; ++i)
    if (held > largest[i]) std::swap(held, largest[i]);
}

}  // namespace

/// Bytes above, so that more is more; of equal ones the node whose turn it is, then the nodes behind it.
SliceHolding holding_of(const SliceTurn& turn, std::uint64_t node, std::uint64_t bytes) {
  if (bytes == 0) return {};
  const std::uint64_t counted = std::min(bytes, kMostOfNode);
  const std::uint64_t behind = (node + turn.nodes - turn.first()) % turn.nodes;
  return {counted << kNodeBits | (kNodeMask - behind), 0, 0, counted};
}
std::uint64_t bytes_of(std::uint64_t held) { return held >> kNodeBits; }
std::uint64_t node_of(const SliceTurn& turn, std::uint64_t held) {
  return (kNodeMask - (held & kNodeMask) + turn.first()) % turn.nodes;
}
SliceTurn turn_of_slice(const CutStretch& cut, std::uint64_t nodes, std::uint64_t slice) {
  const std::uint64_t share = ceil_div(cut.count(), nodes);
  return {slice, nodes,
          std::clamp<std::uint64_t>(kTurnBytes / cut.slice, 1, std::max<std::uint64_t>(1, share))};
}

void MergeHoldings::operator()(std::span<std::uint64_t> into,
                               std::span<const std::uint64_t> from) const noexcept {
  for (std::size_t at = 0; at + kHoldingWords <= into.size(); at += kHoldingWords) {
    for (std::size_t i = 0; i < 3; ++i) insert_held(&into[at], from[at + i]);
    into[at + 3] += from[at + 3];
  }
}

void SliceOwners::begin(const Machine& machine, std::uint64_t slices, const OwnerLimits& limits) {
  machine_ = &machine;
  limits_ = limits;
  set_total(limits.total);
  last_node_ = kNobody;
  places_.assign(slices, Place());
  order_.assign(slices, 0);
  owned_.assign(machine.nodes(), 0);
  used_.assign(machine.nodes(), 0);
  given_.assign(machine.nodes(), 0);
  loads_.clear();
  loads_.reserve(machine.nodes());
}

void SliceOwners::set_total(std::uint64_t bytes) {
  limits_.total = bytes;
  const std::uint64_t nodes =
      limits_.ranks > 0 ? std::min(limits_.ranks, machine_->nodes()) : machine_->nodes();
  const std::uint64_t share = ceil_div(bytes, nodes);
  most_bytes_ = share / 100 * kImbalance + share % 100 * kImbalance / 100;
}

std::uint64_t SliceOwners::owners_on(std::uint64_t node) const {
  const std::uint64_t nodes = machine_->nodes(), ranks = limits_.ranks;
  if (ranks == 0) return machine_->size_of(node);
  // What is left of equal shares is spread; both are below 2^32.
  const std::uint64_t left = ranks % nodes;
  const std::uint64_t share = ranks / nodes + (node + 1) * left / nodes - node * left / nodes;
  return std::min(machine_->size_of(node), share);
}

/// The node, or the next one that may own something.
std::uint64_t SliceOwners::stand_in(std::uint64_t node) const {
  while (owners_on(node) == 0) node = (node + 1) % machine_->nodes();
  return node;
}

std::uint64_t SliceOwners::assign(const CutStretch& cut, std::span<const std::uint64_t> holdings,
                                  std::uint64_t slots) {
  slots_ = slots;
  for (const Place& place : std::span(places_).first(count_))
    if (place.node != kNobody) used_[place.node] = given_[place.node] = 0;
  loads_.clear();
  turn_length_ = turn_of_slice(cut, machine_->nodes(), 0).length;
  slice_bytes_ = cut.slice;
  goes_on_ = goes_on(cut);
  count_ = fitting(holdings);
  std::fill_n(places_.begin(), count_, Place());

  std::uint64_t first = 0;
  if (count_ > 0 && goes_on_ && Words(holdings, turn_of(0)).most != 0) {
    give(0, last_node_, Words(holdings, turn_of(0)).total);
    first = 1;
  }
  give_by_gain(holdings, first);
  refine(holdings, first);
  search(holdings, first);
  choose_ranks();
  for (std::uint64_t number = count_; number-- > 0;) {
    if (places_[number].node == kNobody) continue;
    last_node_ = places_[number].node;
    last_unit_ = (std::min(cut.end, cut.start + (number + 1) * cut.slice) - 1) / limits_.unit;
    break;
  }
  ++turn_;
  return count_;
}

bool SliceOwners::all_near(std::span<const std::uint64_t> holdings) const {
  for (std::uint64_t number = 0; number < count_; ++number) {
    const Words held(holdings, turn_of(number));
    if (held.total != 0 && held.kept_by(places_[number].node) != held.total) return false;
  }
  return true;
}

/// A stretch begins with a whole slice, of which the one before may have written some units.
bool SliceOwners::goes_on(const CutStretch& cut) const {
  return limits_.unit > 1 && last_node_ != kNobody && cut.start / limits_.unit <= last_unit_ &&
         last_unit_ <= (cut.start + cut.slice - 1) / limits_.unit;
}

/// Of the nodes that have about most of a slice the one that has the slice before it, for a turn; then the one that has fewest
/// of the stretch so far. Slices are asked for one after another.
std::uint64_t SliceOwners::wanted_by(std::span<const std::uint64_t> holdings,
                                     std::uint64_t number) {
  const Words held(holdings, turn_of(number));
  Neighbours& before = neighbours_;
  if (before.next != number || before.count >= turn_length_) before.count = 0;
  std::uint64_t node = stand_in(held.node(held.most));
  const std::uint64_t most = bytes_of(held.most);
  if (before.count > 0 && is_near(held.kept_by(before.node), most) && has_slot(before.node)) {
    node = before.node;
  } else {
    before.count = 0;
    for (const std::uint64_t next : {held.second, held.third})
      if (next != 0 && is_near(bytes_of(next), most) && owners_on(held.node(next)) > 0 &&
          used_[held.node(next)] < used_[node])
        node = held.node(next);
  }
  before = {number + 1, before.count + 1, node};
  return node;
}

/// As many slices as find room on the nodes that have most of them.
std::uint64_t SliceOwners::fitting(std::span<const std::uint64_t> holdings) {
  const std::uint64_t all =
      std::min<std::uint64_t>(holdings.size() / kHoldingWords, places_.size());
  std::uint64_t number = 0;
  neighbours_ = {};
  for (; number < all; ++number) {
    const Words held(holdings, turn_of(number));
    if (held.most == 0) continue;
    const std::uint64_t node = number == 0 && goes_on_ ? last_node_ : wanted_by(holdings, number);
    if (!has_slot(node)) break;
    ++used_[node];
  }
  for (std::uint64_t n = 0; n < number; ++n) {
    const Words held(holdings, turn_of(n));
    for (const std::uint64_t one : {held.most, held.second, held.third})
      if (one != 0) used_[stand_in(held.node(one))] = 0;
  }
  if (last_node_ != kNobody) used_[last_node_] = 0;
  return number;
}

void SliceOwners::give(std::uint64_t number, std::uint64_t node, std::uint64_t bytes) {
  places_[number].node = static_cast<std::uint32_t>(node);
  owned_[node] += bytes;
  ++used_[node];
}

/// Where shares run out, those slices stay that would cost most elsewhere.
void SliceOwners::give_by_gain(std::span<const std::uint64_t> holdings, std::uint64_t first) {
  std::uint64_t waiting = 0;
  for (std::uint64_t number = first; number < count_; ++number)
    if (Words(holdings, turn_of(number)).most != 0)
      order_[waiting++] = static_cast<std::uint32_t>(number);
  // For about the same gain neighbours stay together.
  const std::uint64_t step = std::max<std::uint64_t>(1, slice_bytes_ / 32);
  const auto gain = [&](std::uint32_t number) {
    const Words held(holdings, turn_of(number));
    return (bytes_of(held.most) - bytes_of(held.second)) / step;
  };
  std::sort(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(waiting),
            [&](std::uint32_t a, std::uint32_t b) {
              return std::pair(gain(b), a) < std::pair(gain(a), b);
            });
  const auto fits = [&](std::uint64_t node, std::uint64_t bytes) {
    return has_slot(node) && owned_[node] + bytes <= most_bytes_;
  };
  // First those that get what they want, so that nobody's slot goes to another node's slice.
  std::uint64_t left = 0;
  neighbours_ = {};
  for (std::uint64_t i = 0; i < waiting; ++i) {
    const Words held(holdings, turn_of(order_[i]));
    const std::uint64_t node = wanted_by(holdings, order_[i]);
    if (fits(node, held.total))
      give(order_[i], node, held.total);
    else
      order_[left++] = order_[i];
  }
  for (std::uint64_t i = 0; i < left; ++i) {
    const Words held(holdings, turn_of(order_[i]));
    std::uint64_t node = kNodeMask;
    for (const std::uint64_t next : {held.second, held.third})
      if (node == kNodeMask && next != 0 && fits(held.node(next), held.total))
        node = held.node(next);
    give(order_[i], node != kNodeMask ? node : least_loaded(), held.total);
  }
}

/// Nodes own more and more: what stands above may have grown since, what stands below is no less than it.
std::uint64_t SliceOwners::least_loaded() {
  if (loads_.empty()) {
    for (std::uint64_t node = 0; node < machine_->nodes(); ++node)
      if (owners_on(node) > 0) loads_.push_back({owned_[node], static_cast<std::uint32_t>(node)});
    std::make_heap(loads_.begin(), loads_.end(), std::greater<>());
  }
  while (loads_.size() > 1) {
    const Load least = loads_.front();
    if (least.owned == owned_[least.node] && has_slot(least.node)) return least.node;
    std::pop_heap(loads_.begin(), loads_.end(), std::greater<>());
    loads_.back().owned = owned_[least.node];
    if (has_slot(least.node))
      std::push_heap(loads_.begin(), loads_.end(), std::greater<>());
    else
      loads_.pop_back();
  }
  return loads_.front().node;
}

/// Single slices and pairs change owners as long as that helps.
void SliceOwners::refine(std::span<const std::uint64_t> holdings, std::uint64_t first) {
  if (count_ > kFewSlices || machine_->nodes() > kFewNodes) return;
  bool better = true;
  for (int pass = 0; better && pass < kMostPasses; ++pass) {
    better = false;
    for (std::uint64_t number = first; number < count_; ++number) {
      if (places_[number].node == kNobody) continue;
      better = move_one(holdings, number) || better;
      for (std::uint64_t other = first; other < number; ++other)
        if (places_[other].node != kNobody) better = swap_one(holdings, number, other) || better;
    }
  }
}

bool SliceOwners::move_one(std::span<const std::uint64_t> holdings, std::uint64_t number) {
  const Words held(holdings, turn_of(number));
  const std::uint64_t from = places_[number].node;
  const std::uint64_t without = owned_[from] - held.total;
  std::uint64_t best = from;
  const Cost before(excess(owned_[from]), held.total - held.kept_by(from));
  Cost least = before;
  for (std::uint64_t node = 0; node < machine_->nodes(); ++node) {
    if (node == from || !has_slot(node)) continue;
    // What the node has above its share already counts on neither side.
    const Cost cost(excess(without) + excess(owned_[node] + held.total) - excess(owned_[node]),
                    held.total - held.kept_by(node));
    if (cost < least) {
      least = cost;
      best = node;
    }
  }
  if (best == from || !is_worth_it(before, least, held.total)) return false;
  owned_[from] = without;
  --used_[from];
  give(number, best, held.total);
  return true;
}

bool SliceOwners::swap_one(std::span<const std::uint64_t> holdings, std::uint64_t number,
                           std::uint64_t other) {
  const Words a(holdings, turn_of(number));
  const Words b(holdings, turn_of(other));
  const std::uint32_t node_a = places_[number].node;
  const std::uint32_t node_b = places_[other].node;
  if (node_a == node_b) return false;
  const std::uint64_t owned_a = owned_[node_a] - a.total + b.total;
  const std::uint64_t owned_b = owned_[node_b] - b.total + a.total;
  const std::uint64_t all = a.total + b.total;
  const Cost before(excess(owned_[node_a]) + excess(owned_[node_b]),
                    all - a.kept_by(node_a) - b.kept_by(node_b));
  const Cost after(excess(owned_a) + excess(owned_b), all - a.kept_by(node_b) - b.kept_by(node_a));
  if (!is_worth_it(before, after, all)) return false;
  owned_[node_a] = owned_a;
  owned_[node_b] = owned_b;
  std::swap(places_[number].node, places_[other].node);
  return true;
}

namespace {

/// Goes through all owners of few slices that may be better than the best ones so far, the largest slice first.
class OwnerSearch {
 public:
  OwnerSearch(std::uint64_t nodes, std::uint64_t most_bytes) : nodes_(nodes), most_(most_bytes) {}

  void set_node(std::uint64_t node, std::uint64_t owned, std::uint64_t room) {
    owned_[node] = owned;
    room_[node] = room;
  }
  void add(const Words& held, std::uint64_t number, std::uint64_t node) {
    slices_[count_++] = {held.total, number, node};
    for (std::uint64_t n = 0; n < nodes_; ++n) kept_[number][n] = held.kept_by(n);
    most_kept_[number] = bytes_of(held.most);
  }
  /// `number` of the node for each slice that was added: f(number, node, bytes).
  template <class F>
  void run(F&& give) {
    std::sort(slices_.begin(), slices_.begin() + static_cast<std::ptrdiff_t>(count_),
              [](const Slice& a, const Slice& b) {
                return std::pair(b.bytes, a.number) < std::pair(a.bytes, b.number);
              });
    Cost before;
    std::array<std::uint64_t, kSearchedNodes> owned = owned_;
    for (std::size_t i = 0; i < count_; ++i) {
      Slice& slice = slices_[i];
      best_[i] = slice.node;
      owned[slice.node] += slice.bytes;
      before.second += slice.bytes - kept_[slice.number][slice.node];
      // What has to cross at least of this slice and of those before it.
      must_cross_[i + 1] = must_cross_[i] + slice.bytes - most_kept_[slice.number];
    }
    for (std::uint64_t n = 0; n < nodes_; ++n) before.first += excess(owned[n]) - excess(owned_[n]);
    least_ = before;
    choose(0, Cost());
    for (std::size_t i = 0; i < count_; ++i) give(slices_[i].number, best_[i], slices_[i].bytes);
  }

 private:
  struct Slice {
    std::uint64_t bytes = 0;
    std::uint64_t number = 0;
    std::uint64_t node = 0;
  };
  [[nodiscard]] std::uint64_t excess(std::uint64_t bytes) const {
    return bytes - std::min(bytes, most_);
  }

  void choose(std::size_t at, Cost cost) {
    if (at == count_) {
      least_ = cost;
      for (std::size_t i = 0; i < count_; ++i) best_[i] = slices_[i].node;
      return;
    }
    const Slice slice = slices_[at];
    const std::uint64_t rest = must_cross_[count_] - must_cross_[at + 1];
    // Who keeps most of it first: what is found early cuts off more.
    std::array<std::uint64_t, kSearchedNodes> order{};
    for (std::uint64_t n = 0; n < nodes_; ++n) order[n] = n;
    const auto& kept = kept_[slice.number];
    std::sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(nodes_),
              [&](std::uint64_t a, std::uint64_t b) {
                return std::pair(kept[b], a) < std::pair(kept[a], b);
              });
    for (std::uint64_t i = 0; i < nodes_ && choices_ < kMostChoices; ++i) {
      const std::uint64_t node = order[i];
      if (room_[node] == 0) continue;
      ++choices_;
      const Cost with(cost.first + excess(owned_[node] + slice.bytes) - excess(owned_[node]),
                      cost.second + slice.bytes - kept[node]);
      if (Cost(with.first, with.second + rest) >= least_) continue;
      slices_[at].node = node;
      owned_[node] += slice.bytes;
      --room_[node];
      choose(at + 1, with);
      owned_[node] -= slice.bytes;
      ++room_[node];
    }
  }

  std::uint64_t nodes_;
  std::uint64_t most_;
  std::size_t count_ = 0;
  std::uint64_t choices_ = 0;
  Cost least_;
  std::array<Slice, kSearchedSlices> slices_{};
  std::array<std::uint64_t, kSearchedSlices> best_{};
  std::array<std::uint64_t, kSearchedSlices + 1> must_cross_{};
  std::array<std::array<std::uint64_t, kSearchedNodes>, kSearchedSlices> kept_{};
  std::array<std::uint64_t, kSearchedSlices> most_kept_{};
  std::array<std::uint64_t, kSearchedNodes> owned_{};
  std::array<std::uint64_t, kSearchedNodes> room_{};
};

}  // namespace

/// Where slices and nodes are so few that this takes a fraction of a millisecond.
void SliceOwners::search(std::span<const std::uint64_t> holdings, std::uint64_t first) {
  if (count_ > kSearchedSlices || machine_->nodes() > kSearchedNodes) return;
  OwnerSearch best(machine_->nodes(), most_bytes_);
  for (std::uint64_t number = first; number < count_; ++number) {
    if (places_[number].node == kNobody) continue;
    const Words held(holdings, turn_of(number));
    best.add(held, number, places_[number].node);
    owned_[places_[number].node] -= held.total;
    --used_[places_[number].node];
  }
  for (std::uint64_t node = 0; node < machine_->nodes(); ++node)
    best.set_node(node, owned_[node], owners_on(node) * slots_ - used_[node]);
  best.run([&](std::uint64_t number, std::uint64_t node, std::uint64_t bytes) {
    give(number, node, bytes);
  });
}

/// Neighbours go to one rank, ranks get equally many.
void SliceOwners::choose_ranks() {
  for (std::uint64_t number = 0; number < count_; ++number) {
    Place& place = places_[number];
    if (place.node == kNobody) continue;
    const std::uint64_t ranks = owners_on(place.node);
    const std::uint64_t all = used_[place.node];
    const std::uint64_t mine = given_[place.node]++;
    const std::uint64_t group = mine * ranks / all;
    const std::uint64_t first_of_group = all < ranks ? mine : ceil_div(group * all, ranks);
    place.rank = static_cast<std::uint32_t>(machine_->rank_on(place.node, (group + turn_) % ranks));
    place.slot = static_cast<std::uint32_t>(mine - first_of_group);
  }
}

}  // namespace pcio
