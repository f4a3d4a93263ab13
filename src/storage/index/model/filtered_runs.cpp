// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/index/model: FilteredRuns out of line.

#include "storage/index/model/filtered_runs.hpp"

#include <iterator>
#include <numeric>

#include "base/make_room.hpp"

namespace pcio {

FilteredRuns::Map::const_iterator FilteredRuns::run_from(ChunkOrdinal ordinal) const {
  auto it = runs_.upper_bound(ordinal);
  if (it == runs_.begin()) return it;
  auto before = std::prev(it);
  return ordinal - before->first < before->second.sizes.size() ? before : it;
}

std::optional<FilteredChunk> FilteredRuns::find(ChunkOrdinal ordinal) const {
  auto it = run_from(ordinal);
  if (it == runs_.end() || it->first > ordinal) return std::nullopt;
  const Run& run = it->second;
  const auto at = static_cast<std::size_t>(ordinal - it->first);
  const FileAddress address = std::accumulate(
      run.sizes.begin(), run.sizes.begin() + static_cast<std::ptrdiff_t>(at), run.address);
  return FilteredChunk{address, run.sizes[at], run.mask(at)};
}

/// All that it takes to append a chunk to `run`, and what the run at `next` has, if those come together.
void FilteredRuns::make_room_for(Run& run, const FilteredChunk& chunk, Map::iterator next) {
  const bool behind =
      next != runs_.end() && run.sizes.size() + next->second.sizes.size() < kRunLimit;
  const bool joins = behind && chunk.address + chunk.size == next->second.address;
  const std::size_t more = 1 + (joins ? next->second.sizes.size() : 0);
  make_room(run.sizes, more);
  if (chunk.filter_mask == 0 && run.masks.empty() && (!joins || next->second.masks.empty())) return;
  run.masks.reserve(run.sizes.size() + more);
}

bool FilteredRuns::add(ChunkOrdinal ordinal, const FilteredChunk& chunk) {
  if (chunk.size > 0xFFFFFFFFU) return false;
  auto next = runs_.upper_bound(ordinal);
  const auto size = static_cast<std::uint32_t>(chunk.size);
  auto at = runs_.end();
  if (next != runs_.begin()) {
    auto before = std::prev(next);
    Run& run = before->second;
    if (ordinal - before->first < run.sizes.size()) return false;
    if (before->first + run.sizes.size() == ordinal && run.address + run.bytes == chunk.address &&
        run.sizes.size() < kRunLimit) {
      make_room_for(run, chunk, next);
      if (chunk.filter_mask != 0) run.masks.resize(run.sizes.size());
      if (!run.masks.empty() || chunk.filter_mask != 0) run.masks.push_back(chunk.filter_mask);
      run.sizes.push_back(size);
      run.bytes += size;
      at = before;
    }
  }
  if (at == runs_.end()) {
    Run run{chunk.address, size, {}, {}};
    make_room_for(run, chunk, next);
    run.sizes.push_back(size);
    if (chunk.filter_mask != 0) run.masks.push_back(chunk.filter_mask);
    at = runs_.emplace_hint(next, ordinal, std::move(run));
  }
  ++count_;
  ++changes_;
  bytes_ += size;
  join(at);
  return true;
}

/// Appends the run behind `left` to it where the two are one.
void FilteredRuns::join(Map::iterator left) {
  auto right = std::next(left);
  Run& a = left->second;
  if (right == runs_.end() || left->first + a.sizes.size() != right->first) return;
  Run& b = right->second;
  if (a.address + a.bytes != b.address || a.sizes.size() + b.sizes.size() > kRunLimit) return;
  if (!a.masks.empty() || !b.masks.empty()) {
    a.masks.resize(a.sizes.size());
    a.masks.insert(a.masks.end(), b.masks.begin(), b.masks.end());
    a.masks.resize(a.sizes.size() + b.sizes.size());
  }
  a.sizes.insert(a.sizes.end(), b.sizes.begin(), b.sizes.end());
  a.bytes += b.bytes;
  runs_.erase(right);
}

/// Makes `ordinal` the first chunk of its run, where it has one.
void FilteredRuns::split_before(ChunkOrdinal ordinal) {
  auto next = runs_.upper_bound(ordinal);
  if (next == runs_.begin()) return;
  auto left = std::prev(next);
  Run& a = left->second;
  const auto keep = static_cast<std::size_t>(ordinal - left->first);
  if (keep == 0 || keep >= a.sizes.size()) return;
  const auto cut = static_cast<std::ptrdiff_t>(keep);
  Run b;
  b.sizes.assign(a.sizes.begin() + cut, a.sizes.end());
  if (!a.masks.empty()) b.masks.assign(a.masks.begin() + cut, a.masks.end());
  b.bytes = std::accumulate(b.sizes.begin(), b.sizes.end(), std::uint64_t{0});
  b.address = a.address + a.bytes - b.bytes;
  const std::uint64_t bytes = b.bytes;
  // What may lack memory before the other part is cut.
  runs_.emplace_hint(next, ordinal, std::move(b));
  a.sizes.resize(keep);
  a.sizes.shrink_to_fit();
  if (!a.masks.empty()) a.masks.resize(keep);
  a.bytes -= bytes;
}

bool FilteredRuns::erase(ChunkOrdinal ordinal) {
  auto found = run_from(ordinal);
  if (found == runs_.end() || found->first > ordinal) return false;
  split_before(ordinal);
  split_before(ordinal + 1);
  auto it = runs_.find(ordinal);
  bytes_ -= it->second.bytes;
  --count_;
  ++changes_;
  runs_.erase(it);
  return true;
}

bool FilteredRuns::put(ChunkOrdinal ordinal, const FilteredChunk& chunk) {
  if (chunk.size > 0xFFFFFFFFU) return false;
  split_before(ordinal);
  split_before(ordinal + 1);
  const auto it = runs_.find(ordinal);
  if (it == runs_.end()) return add(ordinal, chunk);
  // Kept for the case that there is no memory for the new one.
  auto old = runs_.extract(it);
  const std::uint64_t bytes = old.mapped().bytes;
  --count_;
  bytes_ -= bytes;
  try {
    return add(ordinal, chunk);
  } catch (...) {
    runs_.insert(std::move(old));
    ++count_;
    bytes_ += bytes;
    throw;
  }
}

void FilteredRuns::clear() {
  const std::uint64_t changes = changes_ + 1;
  *this = FilteredRuns();
  changes_ = changes;
}

}  // namespace pcio
