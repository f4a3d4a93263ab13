// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/index/btree2: ChunkBtree2Updater out of line.

#include "storage/index/btree2/chunk_btree2_updater.hpp"

#include <algorithm>

#include "base/checked.hpp"
#include "format/raw_fields.hpp"

namespace pcio {

namespace {

/// Divides `records` among nodes that hold at most `most`, one record between two of them: returns
/// the number of the first record of each node. The last two nodes of a level get three and two fifths
/// where there are two, because most of what comes later comes behind them; else all are even.
std::vector<std::uint64_t> divide_level(std::uint64_t records, std::uint64_t most, bool last) {
  const std::uint64_t pieces = ceil_div(records + 1, most + 1);
  const std::uint64_t shared = records - (pieces - 1);
  std::vector<std::uint64_t> starts{0};
  if (last && pieces == 2) {
    starts.push_back(std::min(most, shared - shared * 2 / 5) + 1);
    return starts;
  }
  for (std::uint64_t i = 1; i < pieces; ++i)
    starts.push_back(starts.back() + shared / pieces + (i - 1 < shared % pieces ? 1 : 0) + 1);
  return starts;
}

void skip_chunks(ChunkWalk& walk, std::uint64_t count) {
  while (count > 0) {
    const std::uint64_t run = std::min(walk.left_in_run(), count);
    walk.skip(run);
    count -= run;
  }
}

}  // namespace

ChunkBtree2Updater::ChunkBtree2Updater(const ChunkIndexShape& shape,
                                       const ChunkElementFormat& elements,
                                       const Btree2Header& header, FileAddress address,
                                       std::vector<Level> levels)
    : shape_(shape),
      elements_(elements),
      header_(header),
      address_(address),
      levels_(std::move(levels)),
      marked_(levels_.size()) {
  for (std::size_t level = 1; level < levels_.size(); ++level)
    for (const Node& node : levels_[level]) marked_[level].insert(node.first);
  add_up();
  mark_committed();
}

/// The node of a level that covers an ordinal, or has it as its right separator.
std::size_t ChunkBtree2Updater::find(std::size_t level, ChunkOrdinal ordinal) const {
  const Level& nodes = levels_[level];
  auto behind = std::upper_bound(nodes.begin(), nodes.end(), ordinal,
                                 [](ChunkOrdinal n, const Node& node) { return n < node.first; });
  return static_cast<std::size_t>(behind - nodes.begin()) - 1;
}

/// The separator on the right.
ChunkOrdinal ChunkBtree2Updater::end_of(std::size_t level, std::size_t at) const {
  return at + 1 < levels_[level].size() ? levels_[level][at + 1].first - 1 : ~ChunkOrdinal{0};
}

/// Places in the level below.
ByteRange ChunkBtree2Updater::children_of(std::size_t level, std::size_t at) const {
  const std::size_t first = find(level - 1, levels_[level][at].first);
  const std::size_t end = at + 1 < levels_[level].size()
                              ? find(level - 1, levels_[level][at + 1].first)
                              : levels_[level - 1].size();
  return {first, end - first};
}

/// Records in the node itself.
std::uint64_t ChunkBtree2Updater::count_of(std::size_t level, std::size_t at) const {
  return level == 0 ? levels_[0][at].total : children_of(level, at).size - 1;
}

void ChunkBtree2Updater::mark_above(ChunkOrdinal ordinal) {
  for (std::size_t level = 1; level < levels_.size(); ++level)
    marked_[level].insert(levels_[level][find(level, ordinal)].first);
}

/// Nodes behind one, with these first ordinals but for its own.
void ChunkBtree2Updater::divide(std::size_t level, std::size_t at,
                                const std::vector<ChunkOrdinal>& firsts) {
  Level added;
  for (ChunkOrdinal first : firsts) {
    marked_[level].insert(first);
    if (first != firsts.front()) added.push_back({first, kUndefinedAddress, 0});
  }
  Level& nodes = levels_[level];
  nodes.insert(nodes.begin() + static_cast<std::ptrdiff_t>(at) + 1, added.begin(), added.end());
}

void ChunkBtree2Updater::divide_leaf(const ChunkIndex& index, std::size_t at) {
  const std::uint64_t most = Btree2Geometry(header_, shape_.sizes).max_records(0);
  const std::uint64_t records = levels_[0][at].total;
  const std::vector<std::uint64_t> starts =
      divide_level(records, most, at + 1 == levels_[0].size());
  std::vector<ChunkOrdinal> firsts{levels_[0][at].first};
  ChunkWalk walk(index, firsts.front());
  for (std::size_t i = 1; i < starts.size(); ++i) {
    skip_chunks(walk, starts[i] - 1 - (i > 1 ? starts[i - 1] - 1 : 0));
    firsts.push_back(walk.ordinal() + 1);
  }
  divide(0, at, firsts);
  for (std::size_t i = 0; i < starts.size(); ++i)
    levels_[0][at + i].total = (i + 1 < starts.size() ? starts[i + 1] - 1 : records) - starts[i];
}

/// A leaf in which chunks came, changed or went. False where too few are left.
bool ChunkBtree2Updater::mark_leaf(const ChunkIndex& index, ChunkOrdinal first) {
  const std::size_t at = find(0, first);
  const ChunkOrdinal end = end_of(0, at);
  std::uint64_t count = 0;
  for (ChunkWalk walk(index, first); !walk.at_end() && walk.ordinal() < end;) {
    const std::uint64_t run = std::min(walk.left_in_run(), end - walk.ordinal());
    count += run;
    walk.skip(run);
  }
  marked_[0].insert(first);
  Node& leaf = levels_[0][at];
  const std::uint64_t most = Btree2Geometry(header_, shape_.sizes).max_records(0);
  const bool fewer = count < leaf.total;
  if (count == leaf.total && count <= most) return count > 0;
  leaf.total = count;
  header_changed_ = true;
  mark_above(first);
  if (count > most) divide_leaf(index, at);
  // Whoever deletes further chunks expects leaves that are not too empty.
  return count > 0 && !(fewer && levels_.size() > 1 && count * 100 <= most * header_.merge_percent);
}

bool ChunkBtree2Updater::mark_changed(const ChunkIndex& index, const IntervalSet& numbers) {
  std::set<ChunkOrdinal> leaves;
  for (const auto& [first, end] : numbers.intervals()) {
    for (std::size_t at = find(0, first); at < levels_[0].size() && levels_[0][at].first < end;
         ++at) {
      leaves.insert(levels_[0][at].first);
      const ChunkOrdinal separator = end_of(0, at);
      if (separator < first || separator >= end) continue;
      const ChunkWalk walk(index, separator);
      if (walk.at_end() || walk.ordinal() != separator) return false;
      // It is in a node above both of its neighbours.
      mark_above(levels_[0][at].first);
    }
  }
  for (ChunkOrdinal first : leaves)
    if (!mark_leaf(index, first)) return false;
  return true;
}

/// Nodes of a level that have too many children.
void ChunkBtree2Updater::divide_nodes(std::size_t level) {
  const std::uint64_t most =
      Btree2Geometry(header_, shape_.sizes).max_records(static_cast<unsigned>(level));
  const std::set<ChunkOrdinal> marked = marked_[level];
  for (ChunkOrdinal first : marked) {
    const std::size_t at = find(level, first);
    const ByteRange children = children_of(level, at);
    if (children.size - 1 <= most) continue;
    // Child i begins behind record i - 1: a node that begins with record n begins with child n.
    std::vector<ChunkOrdinal> firsts;
    for (std::uint64_t start :
         divide_level(children.size - 1, most, at + 1 == levels_[level].size()))
      firsts.push_back(levels_[level - 1][static_cast<std::size_t>(children.offset + start)].first);
    divide(level, at, firsts);
  }
}

void ChunkBtree2Updater::grow() {
  for (std::size_t level = 1;; ++level) {
    if (level == levels_.size()) {
      if (levels_.back().size() == 1) return;
      levels_.push_back(Level{Node{}});
      marked_.emplace_back().insert(0);
      header_.depth = static_cast<std::uint16_t>(level);
      header_changed_ = true;
    }
    divide_nodes(level);
  }
}

/// Totals of marked nodes above the leaves.
void ChunkBtree2Updater::add_up() {
  for (std::size_t level = 1; level < levels_.size(); ++level)
    for (ChunkOrdinal first : marked_[level]) {
      const std::size_t at = find(level, first);
      const ByteRange children = children_of(level, at);
      Node& node = levels_[level][at];
      node.total = children.size - 1;
      for (std::uint64_t i = children.offset; i < children.end(); ++i)
        node.total += levels_[level - 1][static_cast<std::size_t>(i)].total;
    }
}

IndexUpdater::Cost ChunkBtree2Updater::cost() const {
  Cost cost;
  if (header_changed_) cost.changed += btree2_header_size(shape_.sizes);
  for (std::size_t level = 0; level < levels_.size(); ++level)
    for (ChunkOrdinal first : marked_[level]) {
      const bool placed = levels_[level][find(level, first)].address != kUndefinedAddress;
      (placed ? cost.changed : cost.added) += header_.node_size;
    }
  return cost;
}

Result<IndexUpdater::Cost> ChunkBtree2Updater::mark(const ChunkIndex& index,
                                                    const IntervalSet& numbers) {
  if (!mark_changed(index, numbers)) return Cost::anew();
  grow();
  add_up();
  return cost();
}

std::uint64_t ChunkBtree2Updater::bytes() const {
  std::uint64_t nodes = 0;
  for (const Level& level : levels_) nodes += level.size();
  return btree2_header_size(shape_.sizes) + nodes * header_.node_size;
}

void ChunkBtree2Updater::place(FileAddress address) {
  for (std::size_t level = 0; level < levels_.size(); ++level)
    for (ChunkOrdinal first : marked_[level]) {
      Node& node = levels_[level][find(level, first)];
      if (node.address != kUndefinedAddress) continue;
      node.address = address;
      address += header_.node_size;
    }
}

void ChunkBtree2Updater::mark_committed() {
  header_changed_ = false;
  for (std::set<ChunkOrdinal>& firsts : marked_) firsts.clear();
}

Status ChunkBtree2Updater::encode_header(ByteWriter& out) const {
  Btree2Header header = header_;
  const std::size_t top = levels_.size() - 1;
  header.root = {levels_[top][0].address, count_of(top, 0), levels_[top][0].total};
  return encode_btree2_header(header, shape_.sizes, out);
}

Status ChunkBtree2Updater::encode_record(const ChunkIndex& index, const ChunkWalk& walk,
                                         ByteWriter& out) const {
  RawFields fields(header_.record_size, shape_.sizes.offset_size);
  const FilteredChunk chunk = walk.chunk();
  fields.address(chunk.address);
  if (elements_.size_width != 0) {
    fields.uint(chunk.size, elements_.size_width);
    fields.uint(chunk.filter_mask, 4);
  }
  const Dims coords = index.grid().coords(walk.ordinal());
  for (unsigned d = 0; d < coords.size(); ++d) fields.uint(coords[d], 8);
  out.bytes(fields.all());
  return fields.check("version 2 B-tree node");
}

Status ChunkBtree2Updater::encode(const ChunkIndex& index, std::size_t level, std::size_t at,
                                  ByteWriter& out) const {
  Btree2Node node;
  ByteWriter records;
  if (level == 0) {
    const ChunkOrdinal end = end_of(0, at);
    for (ChunkWalk walk(index, levels_[0][at].first); !walk.at_end() && walk.ordinal() < end;
         walk.next())
      PCIO_TRY(encode_record(index, walk, records));
  } else {
    const ByteRange children = children_of(level, at);
    for (std::uint64_t i = children.offset; i < children.end(); ++i) {
      const auto child = static_cast<std::size_t>(i);
      const Node& below = levels_[level - 1][child];
      node.children.push_back({below.address, count_of(level - 1, child), below.total});
      if (i > children.offset)
        PCIO_TRY(encode_record(index, ChunkWalk(index, below.first - 1), records));
    }
  }
  node.records = std::move(records).take();
  return encode_btree2_node(node, header_, static_cast<unsigned>(level), shape_.sizes, out);
}

BlockSet ChunkBtree2Updater::blocks(const ChunkIndex& index) const {
  BlockSet set;
  auto self = shared_from_this();
  if (header_changed_)
    set.push_back({{address_, btree2_header_size(shape_.sizes)},
                   [self](ByteWriter& out) { return self->encode_header(out); }});
  for (std::size_t level = 0; level < levels_.size(); ++level)
    for (ChunkOrdinal first : marked_[level]) {
      const std::size_t at = find(level, first);
      set.push_back({{levels_[level][at].address, header_.node_size},
                     [self, &index, level, at](ByteWriter& out) {
                       return self->encode(index, level, at, out);
                     }});
    }
  return set;
}

}  // namespace pcio
