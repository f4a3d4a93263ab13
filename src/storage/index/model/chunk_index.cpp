// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/index/model: ChunkIndex out of line.

#include "storage/index/model/chunk_index.hpp"

#include <algorithm>
#include <atomic>
#include <iterator>

#include "base/checked.hpp"
#include "storage/space/taken_space.hpp"

namespace pcio {

/// Ordinal intervals of a box, ascending; trailing dimensions that the box spans whole are merged, so
/// the whole grid is one interval.
template <class F>
void ChunkIndex::for_each_interval(const Box& box, F&& visit) const {
  const Dims& grid = grid_.grid();
  unsigned ndims = grid.size();
  for (unsigned d = 0; d < ndims; ++d)
    if (box.count[d] == 0) return;
  unsigned inner = ndims;  // dimensions >= inner are spanned whole
  std::uint64_t length = 1;
  while (inner > 0) {
    --inner;
    length *= box.count[inner];
    if (box.count[inner] != grid[inner]) break;
  }
  Dims at = box.start;
  for (;;) {
    visit(Interval{grid_.ordinal(at), length});
    unsigned d = inner;
    for (;;) {
      if (d == 0) return;
      --d;
      if (++at[d] < box.start[d] + box.count[d]) break;
      at[d] = box.start[d];
    }
  }
}

void ChunkIndex::missing_in(Interval interval, std::vector<Interval>* missing) const {
  ChunkOrdinal next = interval.first;
  ChunkOrdinal end = interval.first + interval.count;
  auto it = runs_.upper_bound(next);
  if (it != runs_.begin()) --it;
  for (; it != runs_.end() && it->first < end && next < end; ++it) {
    ChunkOrdinal run_end = it->first + it->second.count;
    if (run_end <= next) continue;
    if (it->first > next) missing->push_back({next, it->first - next});
    next = std::max(next, run_end);
  }
  if (next < end) missing->push_back({next, end - next});
}

void ChunkIndex::insert(IndexRun run) {
  Runs spare;
  spare.emplace(run.first, Extent{});
  insert(run, spare.extract(spare.begin()));
}

/// The same with memory that is there already.
void ChunkIndex::insert(IndexRun run, Runs::node_type node) noexcept {
  auto next = runs_.upper_bound(run.first);
  auto joins = [&](ChunkOrdinal first, const Extent& left, ChunkOrdinal behind, FileAddress at) {
    return first + left.count == behind && left.address + left.count * chunk_bytes_ == at;
  };
  auto at = next;
  if (next != runs_.begin() && (--at, joins(at->first, at->second, run.first, run.address)))
    at->second.count += run.count;
  else {
    node.key() = run.first;
    node.mapped() = Extent{run.count, run.address};
    at = runs_.insert(next, std::move(node));
  }
  if (next != runs_.end() && joins(at->first, at->second, next->first, next->second.address)) {
    at->second.count += next->second.count;
    runs_.erase(next);
  }
  plain_ += run.count;
}

Result<std::vector<IndexRun>> ChunkIndex::allocate(const Box& box, FileSpace& space, SpaceUse use) {
  std::vector<Interval> wanted;
  for_each_interval(box, [&](Interval interval) { wanted.push_back(interval); });
  return allocate_listed(wanted, space, use);
}

std::vector<OrdinalInterval> ChunkIndex::missing(const Box& box) const {
  std::vector<Interval> missing;
  for_each_interval(box, [&](Interval interval) { missing_in(interval, &missing); });
  return missing;
}

std::vector<OrdinalInterval> ChunkIndex::missing(std::span<const OrdinalInterval> chunks) const {
  std::vector<Interval> missing;
  for (const Interval& interval : chunks) missing_in(interval, &missing);
  return missing;
}

Result<std::vector<IndexRun>> ChunkIndex::allocate_listed(std::span<const OrdinalInterval> chunks,
                                                          FileSpace& space, SpaceUse use) {
  const std::vector<Interval> missing = this->missing(chunks);
  std::uint64_t total = 0;
  for (const Interval& part : missing) total += part.count;
  if (total == 0) return std::vector<IndexRun>();
  auto bytes = checked_mul(total, chunk_bytes_);
  if (!bytes)
    return PCIO_ERROR(DATASET, NOSPACE,
                      "chunks of the dataset need more bytes than a file can have");
  // All that takes memory first: chunks are there all of them, with their space, or none is.
  std::vector<IndexRun> made;
  made.reserve(missing.size());
  Runs spare;
  for (const Interval& part : missing) {
    spare.emplace(part.first, Extent{});
    note(grid_, part.first, part.count);
  }
  PCIO_ASSIGN(FileAddress address, space.allocate(*bytes, use));
  for (const Interval& part : missing) {
    const IndexRun run{part.first, part.count, address};
    address += part.count * chunk_bytes_;
    made.push_back(run);
    insert(run, spare.extract(run.first));
  }
  return made;
}

void ChunkIndex::undo_allocation(const IndexRun& run) {
  // It may have been joined with its neighbours.
  const auto it = std::prev(runs_.upper_bound(run.first));
  const ChunkOrdinal first = it->first, end = first + it->second.count;
  const ChunkOrdinal behind = run.first + run.count;
  if (behind < end)
    runs_.emplace(behind,
                  Extent{end - behind, it->second.address + (behind - first) * chunk_bytes_});
  if (first < run.first)
    it->second.count = run.first - first;
  else
    runs_.erase(it);
  plain_ -= run.count;
  note(grid_, run.first, run.count);
}

bool ChunkIndex::has_fewer_chunks(const Box& box) const {
  // Trailing dimensions that the box spans whole are one interval, with the one before them.
  unsigned inner = box.ndims();
  while (inner > 0 && box.count[inner - 1] == grid_.grid()[inner - 1]) --inner;
  std::uint64_t intervals = 1;
  for (unsigned d = 0; d + 1 < inner; ++d) {
    if (box.count[d] != 0 && intervals > plain_ / box.count[d]) return true;
    intervals *= box.count[d];
  }
  return plain_ < intervals;
}

std::vector<IndexRun> ChunkIndex::lookup_by_chunks(const Box& box) const {
  std::vector<IndexRun> found;
  if (box.empty()) return found;
  const unsigned last = box.ndims() - 1;
  const std::uint64_t row = grid_.grid()[last];
  for (const auto& [run_first, run] : runs_) {
    for (std::uint64_t done = 0; done < run.count;) {
      Dims at = grid_.coords(run_first + done);
      const std::uint64_t here = std::min(run.count - done, row - at[last]);
      const std::uint64_t begin = std::max(at[last], box.start[last]);
      const std::uint64_t end = std::min(at[last] + here, box.start[last] + box.count[last]);
      const std::uint64_t skipped = begin - at[last];
      at[last] = box.start[last];
      if (begin < end && box.contains(at))
        found.push_back({run_first + done + skipped, end - begin,
                         run.address + (done + skipped) * chunk_bytes_});
      done += here;
    }
  }
  return found;
}

std::vector<IndexRun> ChunkIndex::lookup(const Box& box) const {
  if (has_fewer_chunks(box)) return lookup_by_chunks(box);
  std::vector<IndexRun> found;
  for_each_interval(box, [&](Interval interval) {
    ChunkOrdinal end = interval.first + interval.count;
    auto it = runs_.upper_bound(interval.first);
    if (it != runs_.begin()) --it;
    for (; it != runs_.end() && it->first < end; ++it) {
      ChunkOrdinal first = std::max(it->first, interval.first);
      ChunkOrdinal last = std::min(it->first + it->second.count, end);
      if (first >= last) continue;
      found.push_back(
          {first, last - first, it->second.address + (first - it->first) * chunk_bytes_});
    }
  });
  return found;
}

bool ChunkIndex::ascends(ChunkOrdinal first, ChunkOrdinal last) const {
  auto it = runs_.upper_bound(first);
  if (it != runs_.begin()) --it;
  FileAddress before = 0;
  for (; it != runs_.end() && it->first <= last; ++it) {
    if (it->second.address < before) return false;
    before = it->second.address;
  }
  return true;
}

FileAddress ChunkIndex::address_of(ChunkOrdinal ordinal) const {
  auto it = runs_.upper_bound(ordinal);
  if (it == runs_.begin()) return kUndefinedAddress;
  --it;
  if (ordinal - it->first >= it->second.count) return kUndefinedAddress;
  return it->second.address + (ordinal - it->first) * chunk_bytes_;
}

Status ChunkIndex::add(ChunkOrdinal ordinal, FileAddress address) {
  if (ordinal >= grid_.count() || address_of(ordinal) != kUndefinedAddress)
    return PCIO_ERROR(DATASET, BADVALUE, "chunk index lists a chunk twice or outside the dataset");
  insert({ordinal, 1, address});
  return Status();
}

Status ChunkIndex::add_filtered(ChunkOrdinal ordinal, const FilteredChunk& chunk) {
  if (ordinal >= grid_.count() || !filtered_.add(ordinal, chunk))
    return PCIO_ERROR(DATASET, BADVALUE,
                      "chunk index lists a chunk twice, outside the dataset or of 4 GiB");
  return Status();
}

std::uint64_t ChunkIndex::next_version() noexcept {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

void ChunkIndex::put_filtered(ChunkOrdinal ordinal, const FilteredChunk& chunk) {
  version_ = next_version();
  // What may lack memory comes first: a change that is noted and does not come does no harm.
  note(grid_, ordinal, 1);
  static_cast<void>(filtered_.put(ordinal, chunk));
}

void ChunkIndex::remove_filtered(ChunkOrdinal ordinal) {
  version_ = next_version();
  note(grid_, ordinal, 1);
  filtered_.erase(ordinal);
}

bool ChunkIndex::keeps_numbers(const ChunkGrid& from, const ChunkGrid& to) {
  const Dims &now = from.grid(), &then = to.grid();
  return std::equal(now.begin() + 1, now.end(), then.begin() + 1);
}

bool ChunkIndex::has_any_from(ChunkOrdinal first) const {
  if (!runs_.empty()) {
    const auto& [at, last] = *runs_.rbegin();
    if (at + last.count > first) return true;
  }
  return filtered_.run_from(first) != filtered_.runs().end();
}

std::vector<ByteRange> ChunkIndex::resize(const ChunkGrid& grid) {
  std::vector<ByteRange> dropped;
  const bool followed = changes_ && changes_->survives(grid_, grid);
  const auto change_grid = [&] {
    if (!followed) changes_.reset();
    grid_ = grid;
    version_ = next_version();
  };
  // Rows added at the end leave all numbers as they are: an append costs nothing per chunk. So do rows taken away
  // that hold nothing: to undo an append asks for no memory.
  if (keeps_numbers(grid_, grid) &&
      (grid.grid()[0] >= grid_.grid()[0] || !has_any_from(grid.count()))) {
    change_grid();
    return dropped;
  }
  // Beside the old one, which stays as it is where memory runs out.
  const ChunkGrid& old = grid_;
  ChunkIndex changed(grid, chunk_bytes_);
  unsigned ndims = old.grid().size();
  auto inside = [&](const Dims& coords) {
    for (unsigned d = 0; d < ndims; ++d)
      if (coords[d] >= grid.grid()[d]) return false;
    return true;
  };
  auto drop = [&](ByteRange range, ChunkOrdinal first, std::uint64_t count) {
    dropped.push_back(range);
    if (followed) note(old, first, count);
  };
  // A run is moved row by row: along the fastest dimension ordinals stay consecutive.
  for (auto [first, extent] : runs_) {
    IndexRun rest{first, extent.count, extent.address};
    while (rest.count > 0) {
      Dims coords = old.coords(rest.first);
      std::uint64_t row = old.grid()[ndims - 1] - coords[ndims - 1];
      std::uint64_t n = std::min(rest.count, row);
      std::uint64_t keep = 0;
      if (inside(coords)) {
        keep = std::min(n, grid.grid()[ndims - 1] - coords[ndims - 1]);
        changed.insert({grid.ordinal(coords), keep, rest.address});
      }
      if (keep < n)
        drop({rest.address + keep * chunk_bytes_, (n - keep) * chunk_bytes_}, rest.first + keep,
             n - keep);
      rest = {rest.first + n, rest.count - n, rest.address + n * chunk_bytes_};
    }
  }
  for (const auto& [ordinal, chunk] : filtered_) {
    Dims coords = old.coords(ordinal);
    if (inside(coords) && changed.filtered_.add(grid.ordinal(coords), chunk)) continue;
    drop({chunk.address, chunk.size}, ordinal, 1);
  }
  runs_.swap(changed.runs_);
  plain_ = changed.plain_;
  std::swap(filtered_, changed.filtered_);
  change_grid();
  return dropped;
}

std::vector<IndexRun> ChunkIndex::runs() const {
  std::vector<IndexRun> all;
  all.reserve(runs_.size());
  for (auto [first, extent] : runs_) all.push_back({first, extent.count, extent.address});
  return all;
}

}  // namespace pcio
