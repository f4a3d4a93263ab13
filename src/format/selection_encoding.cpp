// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: selections as bytes.

#include "format/selection_encoding.hpp"

#include <bit>
#include <limits>

#include "space/unlimited.hpp"

namespace pcio {

namespace {

constexpr std::uint64_t kMax32 = std::numeric_limits<std::uint32_t>::max();
constexpr unsigned kRegularFlag = 1;
/// kind, version, reserved, length
constexpr std::size_t kHeaderV1 = 16;

void put_header_v1(SelectionKind kind, std::uint64_t length, ByteWriter& out) {
  out.u32(static_cast<std::uint64_t>(kind));
  out.u32(1);
  out.u32(0);
  out.u32(length);
}

detail::StatusReturn too_large(const char* what) {
  return PCIO_ERROR(DATASPACE, CANTENCODE,
                    std::string(what) + " beyond what 32 bits hold can't be encoded");
}

/// Patches a length behind what was written.
Status end_v1(std::size_t begin, ByteWriter& out) {
  const std::size_t length = out.size() - begin - kHeaderV1;
  if (length > kMax32) return too_large("a list of coordinates");
  out.patch(begin + 12, length, 4);
  return Status();
}

Status put_numbers(const std::uint64_t* numbers, std::size_t n, ByteWriter& out) {
  for (std::size_t i = 0; i < n; ++i) {
    if (numbers[i] > kMax32) return too_large("a coordinate");
    out.u32(numbers[i]);
  }
  return Status();
}

Status encode_points(const Dataspace& space, ByteWriter& out) {
  const std::vector<std::uint64_t>& points = space.selection().points();
  const unsigned ndims = space.ndims();
  const std::size_t begin = out.size();
  put_header_v1(SelectionKind::kPoints, 0, out);
  out.u32(ndims);
  if (ndims == 0 || points.size() / ndims > kMax32) return too_large("a number of points");
  out.u32(points.size() / ndims);
  PCIO_TRY(put_numbers(points.data(), points.size(), out));
  return end_v1(begin, out);
}

/// The same elements, with blocks that touch joined into one.
Result<Selection> joined(const Dataspace& space) {
  if (!space.selection().is_regular()) return space.selection();
  RegularSlab slab = space.selection().regular();
  for (unsigned d = 0; d < slab.ndims(); ++d) {
    const SlabDim dim = slab.dim(d);
    slab.stride[d] = dim.stride;
    slab.count[d] = dim.count;
    slab.block[d] = dim.block;
  }
  Selection selection;
  PCIO_TRY(selection.select_hyperslab(space.dims(), SelectOp::kSet, slab));
  return selection;
}

/// The list is made in portions: a regular hyperslab of many blocks has none in memory.
Status encode_blocks(const Dataspace& space, ByteWriter& out) {
  constexpr std::uint64_t kPortion = 4096;
  PCIO_ASSIGN(const Selection selection, joined(space));
  const unsigned ndims = space.ndims();
  const std::uint64_t blocks = selection.nblocks();
  const std::size_t begin = out.size();
  if (blocks > kMax32 / (8 * std::uint64_t{ndims})) return too_large("a number of blocks");
  put_header_v1(SelectionKind::kHyperslab, 0, out);
  out.u32(ndims);
  out.u32(blocks);
  std::vector<std::uint64_t> numbers(std::uint64_t{2} * ndims * std::min(blocks, kPortion));
  for (std::uint64_t at = 0; at < blocks; at += kPortion) {
    const std::uint64_t n = std::min(kPortion, blocks - at);
    selection.blocklist(at, n, numbers.data());
    PCIO_TRY(put_numbers(numbers.data(), std::uint64_t{2} * ndims * n, out));
  }
  return end_v1(begin, out);
}

/// Blocks that touch are one, and a pattern of one block has stride 1.
SlabDim plain_dim(const RegularSlab& slab, unsigned d) {
  SlabDim dim = slab.dim(d);
  if (slab.count[d] == kUnlimited || slab.block[d] == kUnlimited)
    dim = {slab.start[d], slab.stride[d], slab.count[d], slab.block[d]};
  if (dim.count == 1) dim.stride = 1;
  return dim;
}

void encode_pattern(const RegularSlab& slab, ByteWriter& out) {
  const unsigned ndims = slab.ndims();
  out.u32(static_cast<std::uint64_t>(SelectionKind::kHyperslab));
  out.u32(2);
  out.u8(kRegularFlag);
  out.u32(4 + 32 * std::uint64_t{ndims});
  out.u32(ndims);
  for (unsigned d = 0; d < ndims; ++d) {
    const SlabDim dim = plain_dim(slab, d);
    out.u64(dim.start);
    out.u64(dim.stride);
    out.u64(dim.count);
    out.u64(dim.block);
  }
}

bool needs_pattern(const Dataspace& space) {
  const Selection& selection = space.selection();
  if (!selection.is_regular()) return false;
  if (is_unlimited(selection)) return true;
  const auto box = selection.bounds(space.dims());
  if (!box) return false;
  for (unsigned d = 0; d < box->ndims(); ++d)
    if (box->start[d] + (box->count[d] - 1) > kMax32) return true;
  return false;
}

}  // namespace

Status encode_selection(const Dataspace& space, ByteWriter& out) {
  const Selection& selection = space.selection();
  switch (selection.kind()) {
    case SelectionKind::kPoints: return encode_points(space, out);
    case SelectionKind::kHyperslab:
      if (!needs_pattern(space)) return encode_blocks(space, out);
      encode_pattern(selection.regular(), out);
      return Status();
    default: put_header_v1(selection.kind(), 0, out); return Status();
  }
}

namespace {

struct SelectionHead {
  SelectionKind kind{};
  unsigned version = 0;
  unsigned flags = 0;
  unsigned width = 4;  ///< bytes of a number
};

detail::StatusReturn unknown_version(std::uint64_t kind, std::uint64_t version) {
  return PCIO_ERROR(DATASPACE, VERSION,
                    "selection of kind " + std::to_string(kind) + " in version " +
                        std::to_string(version) + " is not known");
}

bool is_known(std::uint64_t kind, std::uint64_t version) {
  if (version == 0) return false;
  switch (kind) {
    case 0:
    case 3: return version == 1;
    case 1: return version <= 2;
    case 2: return version <= 3;
    default: return false;
  }
}

Result<SelectionHead> read_head(ByteReader& reader) {
  const std::uint64_t kind = reader.u32();
  const std::uint64_t version = reader.u32();
  PCIO_TRY(reader.check("selection"));
  if (!is_known(kind, version)) return unknown_version(kind, version);
  SelectionHead head{static_cast<SelectionKind>(kind), static_cast<unsigned>(version)};
  if (version == 1) {
    reader.skip(8);
  } else {
    if (kind == 2) head.flags = reader.u8();
    if (kind == 2 && version == 2) {
      reader.skip(4);
      head.width = 8;
    } else {
      head.width = reader.u8();
    }
  }
  PCIO_TRY(reader.check("selection"));
  if (head.width != 2 && head.width != 4 && head.width != 8)
    return PCIO_ERROR(DATASPACE, BADVALUE, "numbers of a selection are of no width that there is");
  return head;
}

/// A number of which all ones stand for "for ever".
std::uint64_t read_count(ByteReader& reader, unsigned width) {
  return static_cast<std::uint64_t>(reader.address(width));
}

Result<std::uint64_t> read_list_length(ByteReader& reader, unsigned width, std::uint64_t numbers) {
  const std::uint64_t count = reader.uint(width);
  PCIO_TRY(reader.check("selection"));
  if (count > reader.remaining() / (numbers * width))
    return PCIO_ERROR(DATASPACE, TRUNCATED, "a selection has fewer coordinates than it says");
  return count;
}

Result<Selection> read_points(ByteReader& reader, unsigned width, const Dims& extent) {
  const unsigned ndims = extent.size();
  PCIO_ASSIGN(const std::uint64_t count, read_list_length(reader, width, ndims));
  std::vector<std::uint64_t> points(count * ndims);
  for (std::uint64_t& x : points) x = reader.uint(width);
  Selection selection = Selection::none();
  if (count > 0) PCIO_TRY(selection.select_points(extent, SelectOp::kSet, points.data(), count));
  return selection;
}

Result<SpanNodePtr> read_block(ByteReader& reader, unsigned width, unsigned ndims) {
  std::array<SlabDim, kMaxNdims> block;
  for (unsigned d = 0; d < ndims; ++d) block[d].start = reader.uint(width);
  for (unsigned d = 0; d < ndims; ++d) {
    const std::uint64_t last = reader.uint(width);
    if (last < block[d].start || last == kUnlimited)
      return PCIO_ERROR(DATASPACE, BADVALUE, "a block of a selection ends before it begins");
    block[d].block = block[d].stride = last - block[d].start + 1;
  }
  return span_tree::build(block.data(), ndims);
}

/// What uniting `count` blocks may cost: several times what those that don't overlap take, as whoever
/// encodes a selection writes them. Blocks of hostile bytes can overlap in more ways than memory holds.
std::uint64_t most_steps(std::uint64_t count, unsigned ndims) {
  constexpr std::uint64_t kAlways = std::uint64_t{1} << 20;
  constexpr std::uint64_t kForABlock = 16;
  return kAlways + kForABlock * ndims * count * static_cast<unsigned>(std::bit_width(count));
}

/// Blocks, united with neighbours of equal size first, so that n of them cost about n log n.
class BlockUnion {
 public:
  explicit BlockUnion(std::uint64_t steps) : steps_(steps) {}

  Status add(SpanNodePtr block) {
    parts_.emplace_back(std::move(block), 1);
    while (parts_.size() > 1 && parts_[parts_.size() - 2].second <= parts_.back().second)
      PCIO_TRY(join_last());
    return Status();
  }
  /// All of them; null where there are none.
  Result<SpanNodePtr> finish() {
    while (parts_.size() > 1) PCIO_TRY(join_last());
    return parts_.empty() ? SpanNodePtr() : std::move(parts_.front().first);
  }

 private:
  Status join_last() {
    const auto last = std::move(parts_.back());
    parts_.pop_back();
    auto& [tree, blocks] = parts_.back();
    if (!span_tree::combine_within(tree, last.first, {true, true, true}, &steps_, &tree))
      return PCIO_ERROR(DATASPACE, BADVALUE,
                        "blocks of a selection overlap in more ways than can be united");
    blocks += last.second;
    return Status();
  }

  std::vector<std::pair<SpanNodePtr, std::uint64_t>> parts_;
  std::uint64_t steps_;
};

Result<Selection> read_blocks(ByteReader& reader, unsigned width, unsigned ndims) {
  PCIO_ASSIGN(const std::uint64_t count, read_list_length(reader, width, std::uint64_t{2} * ndims));
  BlockUnion all(most_steps(count, ndims));
  for (std::uint64_t i = 0; i < count; ++i) {
    PCIO_ASSIGN(SpanNodePtr block, read_block(reader, width, ndims));
    PCIO_TRY(all.add(std::move(block)));
  }
  PCIO_ASSIGN(SpanNodePtr tree, all.finish());
  if (!tree) return Selection::none();
  return Selection::from_tree(std::move(tree), ndims);
}

Result<Selection> read_pattern(ByteReader& reader, unsigned width, const Dims& extent) {
  const unsigned n = extent.size();
  RegularSlab slab{Dims(n), Dims(n), Dims(n), Dims(n)};
  for (unsigned d = 0; d < n; ++d) {
    slab.start[d] = reader.uint(width);
    slab.stride[d] = reader.uint(width);
    slab.count[d] = read_count(reader, width);
    slab.block[d] = read_count(reader, width);
  }
  PCIO_TRY(reader.check("selection"));
  Selection selection;
  PCIO_TRY(selection.select_hyperslab(extent, SelectOp::kSet, slab));
  return selection;
}

Result<Selection> read_selection(ByteReader& reader, const Dims& extent) {
  PCIO_ASSIGN(const SelectionHead head, read_head(reader));
  if (head.kind == SelectionKind::kNone) return Selection::none();
  if (head.kind == SelectionKind::kAll) return Selection::all();
  const std::uint64_t ndims = reader.u32();
  PCIO_TRY(reader.check("selection"));
  if (ndims != extent.size() || ndims == 0)
    return PCIO_ERROR(DATASPACE, BADVALUE,
                      "a selection of " + std::to_string(ndims) + " dimensions in an extent of " +
                          std::to_string(extent.size()));
  if (head.kind == SelectionKind::kPoints) return read_points(reader, head.width, extent);
  if ((head.flags & kRegularFlag) != 0) return read_pattern(reader, head.width, extent);
  if (head.version == 2)
    return PCIO_ERROR(DATASPACE, BADVALUE, "a hyperslab in version 2 is not regular");
  return read_blocks(reader, head.width, extent.size());
}

}  // namespace

Status decode_selection(ByteReader& reader, Dataspace* space) {
  PCIO_ASSIGN(Selection selection, read_selection(reader, space->dims()));
  PCIO_TRY(reader.check("selection"));
  space->selection() = std::move(selection);
  space->set_selection_offset({});
  return Status();
}

namespace {

/// Numbers at `at` of bytes that have no known end: nothing is read ahead.
std::uint64_t number_at(const std::byte* bytes, std::size_t at, unsigned width) {
  return ByteReader(ConstBytes(bytes + at, width)).uint(width);
}

/// Lists of `width`-byte numbers, `per_item` times ndims for each item. Sizes that overflow become the
/// largest one: no buffer has it, and reading finds the truth.
std::size_t list_size(const std::byte* bytes, std::size_t at, unsigned width,
                      std::uint64_t per_item) {
  if (width != 2 && width != 4 && width != 8) return at;
  const std::uint64_t ndims = number_at(bytes, at, 4);
  if (ndims > kMaxNdims) return at + 4;
  const std::uint64_t count = number_at(bytes, at + 4, width);
  const std::uint64_t item = per_item * ndims * width;
  if (item != 0 && count > (std::uint64_t{1} << 48) / item) return std::size_t{1} << 48;
  return at + 4 + width + count * item;
}

}  // namespace

Result<std::size_t> encoded_selection_size(const std::byte* bytes) {
  const std::uint64_t kind = number_at(bytes, 0, 4);
  const std::uint64_t version = number_at(bytes, 4, 4);
  if (!is_known(kind, version)) return unknown_version(kind, version);
  if (version == 1) {
    if (kind == 1) return list_size(bytes, kHeaderV1, 4, 1);
    if (kind == 2) return list_size(bytes, kHeaderV1, 4, 2);
    return kHeaderV1;
  }
  if (kind == 1) return list_size(bytes, 9, static_cast<unsigned>(number_at(bytes, 8, 1)), 1);
  if (version == 2) return 13 + static_cast<std::size_t>(number_at(bytes, 9, 4));
  const auto flags = static_cast<unsigned>(number_at(bytes, 8, 1));
  const auto width = static_cast<unsigned>(number_at(bytes, 9, 1));
  if ((flags & kRegularFlag) == 0) return list_size(bytes, 10, width, 2);
  return 14 + 4 * static_cast<std::size_t>(width) * number_at(bytes, 10, 4);
}

}  // namespace pcio
