// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room plan: ChunkOwners.

#include "plan/chunk_owners.hpp"

#include <algorithm>
#include <limits>

#include "plan/marking_memory.hpp"
#include "plan/owner_sweep.hpp"

namespace pcio {

namespace {

/// Intervals of a rank's first message, for few and for many ranks.
constexpr std::uint64_t kMostEntries = 16;
constexpr std::uint64_t kLeastEntries = 2;
constexpr std::uint64_t kEntriesOfAll = 2048;

/// Words of a first message: header, then `entries` of three words. Where a rank touches more
/// intervals than that, they are samples: chunk, weight, 0.
constexpr std::size_t kToldIntervals = 0;
constexpr std::size_t kToldChunks = 1;
constexpr std::size_t kOwnersHeader = 2;
constexpr std::size_t kEntryWords = 3;

/// Words of an answer: kind and flags, first chunk, count, owner or bytes, number.
constexpr std::size_t kAnswerWords = 5;
constexpr std::uint64_t kIsShare = 1;
constexpr std::uint64_t kIsSole = 2;
constexpr std::uint64_t kIsWhole = 4;

std::uint64_t count_chunks(std::span<const ChunkTouch> touched) {
  std::uint64_t chunks = 0;
  for (const ChunkTouch& touch : touched) chunks += touch.count;
  return chunks;
}

void put_touch(std::span<std::uint64_t> words, const ChunkTouch& touch) {
  words[0] = touch.first;
  words[1] = touch.count;
  words[2] = touch.bytes << 1 | (touch.whole ? 1 : 0);
}

ChunkTouch get_touch(std::span<const std::uint64_t> words) {
  return {words[0], words[1], words[2] >> 1, (words[2] & 1) != 0};
}

void append_share(std::vector<ChunkShare>& shares, const ChunkShare& more) {
  if (!shares.empty()) {
    ChunkShare& last = shares.back();
    if (last.first + last.count == more.first && last.owner == more.owner &&
        last.sole == more.sole && (more.sole || last.number + last.count == more.number)) {
      last.count += more.count;
      return;
    }
  }
  shares.push_back(more);
}

void append_owned(std::vector<OwnedChunks>& owned, const OwnedChunks& more) {
  if (!owned.empty()) {
    OwnedChunks& last = owned.back();
    if (last.first + last.count == more.first && last.bytes == more.bytes &&
        last.whole == more.whole) {
      last.count += more.count;
      return;
    }
  }
  owned.push_back(more);
}

}  // namespace

void append_touch(std::vector<ChunkTouch>& touches, const ChunkTouch& more) {
  if (!touches.empty()) {
    ChunkTouch& last = touches.back();
    if (last.end() == more.first && last.bytes == more.bytes && last.whole == more.whole) {
      last.count += more.count;
      return;
    }
  }
  touches.push_back(more);
}

OwnerScope read_scope(const Machine& machine) {
  constexpr std::uint64_t kFewNodes = 4;
  return machine.nodes() <= kFewNodes ? OwnerScope::kNode : OwnerScope::kFile;
}

ChunkOwners::ChunkOwners(std::span<const ChunkTouch> touched, const Machine& machine,
                         std::uint64_t mpi_rank, OwnerScope scope)
    : touched_(touched),
      machine_(machine),
      scope_(scope),
      ranks_(machine.ranks()),
      me_(mpi_rank),
      entries_(std::clamp(kEntriesOfAll / std::max<std::uint64_t>(1, machine.ranks()),
                          kLeastEntries, kMostEntries)) {}

/// Of each node by itself where it has owners of its own.
void ChunkOwners::sweep(std::vector<RankTouch>& touches,
                        const std::function<void(const OwnedSegment&)>& take) const {
  if (scope_ == OwnerScope::kFile || machine_.nodes() == 1) {
    sweep_owners(touches, machine_, take);
    return;
  }
  auto node_of = [&](const RankTouch& touch) { return machine_.node_of(touch.mpi_rank); };
  std::sort(touches.begin(), touches.end(),
            [&](const RankTouch& a, const RankTouch& b) { return node_of(a) < node_of(b); });
  std::vector<RankTouch> theirs;
  for (auto at = touches.begin(); at != touches.end();) {
    const std::uint64_t node = node_of(*at);
    theirs.clear();
    for (; at != touches.end() && node_of(*at) == node; ++at) theirs.push_back(*at);
    sweep_owners(theirs, machine_, take);
  }
}

void ChunkOwners::note_crossing(const OwnedSegment& segment) {
  if (flags_[2] != 0 || machine_.nodes() == 1) return;
  const auto away = [&](std::uint64_t rank) { return !machine_.same_node(rank, segment.owner); };
  if (std::any_of(segment.ranks.begin(), segment.ranks.end(), away)) flags_[2] = 1;
}

template <class F>
void ChunkOwners::with_memory(F&& step) {
  if (failures_ == 0 && !marking::has_memory(step)) failures_ = 1;
}

/// Room for the first exchange: no heap is needed for it where the ranks are few.
Collective ChunkOwners::start() {
  const std::size_t words = kOwnersHeader + kEntryWords * entries_;
  const std::size_t both = words * (ranks_ + 1);
  with_memory([&] { heap_.resize(both); });
  if (failures_ > 0 && both > marking::kLastResortWords) return agree_on_failures(Phase::kGather);
  const std::span<std::uint64_t> room = failures_ == 0 ? std::span(heap_) : reserve_.words(both);
  mine_ = room.first(words);
  all_ = room.subspan(words);
  return both > marking::kLastResortWords ? agree_on_failures(Phase::kGather) : gather();
}

/// Stands between taking memory and using it, so that no rank is left waiting for one without.
Collective ChunkOwners::agree_on_failures(Phase then) {
  phase_ = then;
  flags_[0] = failures_;
  return {CollectiveKind::kMax, flags_, {}};
}

Collective ChunkOwners::gather() {
  std::fill(mine_.begin(), mine_.end(), 0);
  // The words of a rank without memory are worthless but for this.
  mine_[kToldIntervals] =
      failures_ > 0 ? std::numeric_limits<std::uint64_t>::max() : touched_.size();
  mine_[kToldChunks] = count_chunks(touched_);
  const bool all = touched_.size() <= entries_;
  std::size_t interval = 0;
  std::uint64_t before = 0;  // chunks of the intervals before `interval`
  for (std::uint64_t i = 0; i < (all ? touched_.size() : entries_); ++i) {
    const std::span<std::uint64_t> words =
        mine_.subspan(kOwnersHeader + i * kEntryWords, kEntryWords);
    if (all) {
      put_touch(words, touched_[i]);
      continue;
    }
    // The chunk at the middle of the i-th part of all chunks stands for that part.
    const std::uint64_t part = mine_[kToldChunks] / entries_;
    const std::uint64_t wanted = i * part + part / 2;
    while (before + touched_[interval].count <= wanted) before += touched_[interval++].count;
    words[0] = touched_[interval].first + (wanted - before);
    words[1] = part;
  }
  phase_ = Phase::kTakeGathered;
  return {CollectiveKind::kGather, mine_, all_};
}

std::span<const std::uint64_t> ChunkOwners::message(std::uint64_t rank) const {
  return all_.subspan(rank * mine_.size(), mine_.size());
}

Collective ChunkOwners::take_gathered() {
  bool complete = true;
  for (std::uint64_t r = 0; r < ranks_; ++r) {
    const std::uint64_t intervals = message(r)[kToldIntervals];
    if (intervals == std::numeric_limits<std::uint64_t>::max()) failures_ = 1;
    complete = complete && intervals <= entries_;
  }
  phase_ = Phase::kDone;
  if (failures_ > 0) return {};
  return complete ? decide_here() : tell_homes();
}

/// Every rank is the home of everything that its owners may be for, and keeps what concerns itself.
Collective ChunkOwners::decide_here() {
  with_memory([&] {
    std::vector<RankTouch> touches;
    for (std::uint64_t r = 0; r < ranks_; ++r) {
      if (scope_ == OwnerScope::kNode && !machine_.same_node(r, me_)) continue;
      for (std::uint64_t i = 0; i < message(r)[kToldIntervals]; ++i)
        touches.push_back({r, get_touch(message(r).subspan(kOwnersHeader + i * kEntryWords))});
    }
    bases_.assign(ranks_, 0);
    sweep(touches, [&](const OwnedSegment& segment) {
      const bool sole = segment.ranks.size() == 1;
      const std::uint64_t number = sole ? 0 : bases_[segment.owner];
      if (std::binary_search(segment.ranks.begin(), segment.ranks.end(), me_))
        append_share(plan_.shares,
                     {segment.chunks.first, segment.chunks.count, segment.owner, sole, number});
      if (sole) return;
      note_crossing(segment);
      if (segment.owner == me_) append_owned(plan_.owned, segment.chunks);
      bases_[segment.owner] += segment.chunks.count;
    });
    flags_[1] = *std::max_element(bases_.begin(), bases_.end());
  });
  return agree_on_failures(Phase::kDone);
}

/// Equal parts of the touched chunks for all homes; the same on all ranks.
void ChunkOwners::find_splitters() {
  std::vector<std::pair<ChunkOrdinal, std::uint64_t>> samples;  // chunk, chunks that it stands for
  std::uint64_t total = 0;
  for (std::uint64_t r = 0; r < ranks_; ++r) {
    const auto words = message(r);
    const bool all = words[kToldIntervals] <= entries_;
    for (std::uint64_t i = 0; i < (all ? words[kToldIntervals] : entries_); ++i) {
      const auto entry = words.subspan(kOwnersHeader + i * kEntryWords);
      const std::uint64_t parts = all ? std::min<std::uint64_t>(entries_, entry[1]) : 1;
      for (std::uint64_t part = 0; part < parts; ++part) {
        samples.emplace_back(entry[0] + entry[1] / parts * part * (all ? 1 : 0), entry[1] / parts);
        total += samples.back().second;
      }
    }
  }
  std::sort(samples.begin(), samples.end());
  splitters_.clear();
  std::uint64_t passed = 0;
  for (const auto& [chunk, weight] : samples) {
    while (splitters_.size() + 1 < ranks_ && passed >= total / ranks_ * (splitters_.size() + 1))
      splitters_.push_back(chunk);
    passed += weight;
  }
  splitters_.resize(ranks_ - 1, std::numeric_limits<ChunkOrdinal>::max());
}

/// Rows are filled in the order of the ranks.
void ChunkOwners::add_row(std::uint64_t rank, std::span<const std::uint64_t> words) {
  out_counts_[rank] += words.size();
  out_.insert(out_.end(), words.begin(), words.end());
}

/// Touches, cut where the chunks of a home end.
void ChunkOwners::write_touches() {
  std::uint64_t home = 0;
  for (ChunkTouch touch : touched_) {
    while (touch.count > 0) {
      while (home + 1 < ranks_ && splitters_[home] <= touch.first) ++home;
      ChunkTouch part = touch;
      if (home + 1 < ranks_) part.count = std::min(part.count, splitters_[home] - touch.first);
      std::uint64_t words[kEntryWords];
      put_touch(words, part);
      add_row(home, words);
      touch.first += part.count;
      touch.count -= part.count;
    }
  }
}

Collective ChunkOwners::exchange_sizes(Phase then) {
  phase_ = then;
  return {CollectiveKind::kSizes, out_counts_, in_counts_};
}

Collective ChunkOwners::exchange_rows(Phase then) {
  phase_ = then;
  return {CollectiveKind::kRows, out_, in_, out_counts_, in_counts_};
}

Collective ChunkOwners::tell_homes() {
  with_memory([&] {
    in_counts_.assign(ranks_, 0);
    out_counts_.assign(ranks_, 0);
    bases_.assign(ranks_, 0);
    find_splitters();
    write_touches();
  });
  return agree_on_failures(Phase::kTellSizes);
}

/// The sizes of the rows are known: room for them.
Collective ChunkOwners::reserve_rows(Phase then) {
  with_memory([&] {
    std::uint64_t words = 0;
    for (const std::uint64_t count : in_counts_) words += count;
    // No rank may find that out for itself in the exchange.
    if (std::max<std::uint64_t>(words, out_.size()) > kMostRowWords)
      failures_ = 1;
    else
      in_.assign(words, 0);
  });
  return agree_on_failures(then);
}

Collective ChunkOwners::decide_as_home() {
  with_memory([&] {
    std::vector<RankTouch> touches;
    std::size_t at = 0;
    for (std::uint64_t r = 0; r < ranks_; ++r)
      for (std::uint64_t done = 0; done < in_counts_[r]; done += kEntryWords, at += kEntryWords)
        touches.push_back({r, get_touch(std::span(in_).subspan(at, kEntryWords))});
    sweep(touches, [&](const OwnedSegment& segment) {
      note_crossing(segment);
      decided_.push_back({segment, bases_[segment.owner]});
      if (segment.ranks.size() > 1) bases_[segment.owner] += segment.chunks.count;
    });
  });
  phase_ = Phase::kAnswer;
  return {CollectiveKind::kScan, bases_, {}};
}

/// To each rank that touches a segment, and to its owner. Rows lie in the order of the ranks, so
/// they are counted before they are written.
void ChunkOwners::write_answers() {
  out_counts_.assign(ranks_, 0);
  for (const Decided& decided : decided_) {
    for (const std::uint64_t rank : decided.segment.ranks) out_counts_[rank] += kAnswerWords;
    if (decided.segment.ranks.size() > 1) out_counts_[decided.segment.owner] += kAnswerWords;
  }
  std::vector<std::uint64_t> places;
  std::uint64_t words = 0;
  for (const std::uint64_t count : out_counts_) {
    places.push_back(words);
    words += count;
  }
  out_.assign(words, 0);
  auto put = [&](std::uint64_t rank, const std::uint64_t(&answer)[kAnswerWords]) {
    std::copy(std::begin(answer), std::end(answer),
              out_.begin() + static_cast<std::ptrdiff_t>(places[rank]));
    places[rank] += kAnswerWords;
  };
  for (const Decided& decided : decided_) {
    const OwnedChunks& chunks = decided.segment.chunks;
    const std::uint64_t owner = decided.segment.owner;
    const bool sole = decided.segment.ranks.size() == 1;
    const std::uint64_t number = sole ? 0 : decided.number + bases_[owner];
    for (const std::uint64_t rank : decided.segment.ranks)
      put(rank, {kIsShare | (sole ? kIsSole : 0), chunks.first, chunks.count, owner, number});
    if (!sole)
      put(owner, {chunks.whole ? kIsWhole : 0, chunks.first, chunks.count, chunks.bytes, number});
  }
}

Collective ChunkOwners::answer() {
  with_memory([&] { write_answers(); });
  return agree_on_failures(Phase::kAnswerSizes);
}

/// Homes have ascending chunks, so what they answer ascends.
void ChunkOwners::read_answers() {
  for (std::size_t at = 0; at < in_.size(); at += kAnswerWords) {
    const auto words = std::span(in_).subspan(at, kAnswerWords);
    if ((words[0] & kIsShare) != 0)
      append_share(plan_.shares,
                   {words[1], words[2], words[3], (words[0] & kIsSole) != 0, words[4]});
    else
      append_owned(plan_.owned, {words[1], words[2], words[3], (words[0] & kIsWhole) != 0});
  }
}

Collective ChunkOwners::take_answers() {
  with_memory([&] { read_answers(); });
  std::uint64_t owned = 0;
  for (const OwnedChunks& chunks : plan_.owned) owned += chunks.count;
  flags_[1] = owned;
  return agree_on_failures(Phase::kDone);
}

Collective ChunkOwners::next() {
  failures_ = std::max(failures_, flags_[0]);
  // Everybody knows of it only after an agreement: exchanges in between are made to their end.
  if (flags_[0] > 0) phase_ = Phase::kDone;
  switch (phase_) {
    case Phase::kStart: return start();
    case Phase::kGather: return gather();
    case Phase::kTakeGathered: return take_gathered();
    case Phase::kTellSizes: return exchange_sizes(Phase::kReserveTouches);
    case Phase::kReserveTouches: return reserve_rows(Phase::kTell);
    case Phase::kTell: return exchange_rows(Phase::kDecide);
    case Phase::kDecide: return decide_as_home();
    case Phase::kAnswer: return answer();
    case Phase::kAnswerSizes: return exchange_sizes(Phase::kReserveAnswers);
    case Phase::kReserveAnswers: return reserve_rows(Phase::kSendAnswers);
    case Phase::kSendAnswers: return exchange_rows(Phase::kTakeAnswers);
    case Phase::kTakeAnswers: return take_answers();
    case Phase::kDone: break;
  }
  plan_.most_owned = flags_[1];
  plan_.crosses = flags_[2] != 0;
  return {};
}

Result<OwnerPlan> ChunkOwners::finish() {
  if (failures_ > 0)
    return PCIO_ERROR(RESOURCE, NOSPACE,
                      "a rank ran out of memory while the owners of chunks were being found");
  return std::move(plan_);
}

}  // namespace pcio
