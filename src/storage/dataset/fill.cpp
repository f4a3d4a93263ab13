// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/dataset: writing fill values, shared out among the ranks.

#include <algorithm>

#include "base/checked.hpp"
#include "base/repeat.hpp"
#include "base/time_split.hpp"
#include "plan/write_shares.hpp"
#include "storage/dataset/allocation.hpp"

namespace pcio {

namespace {

/// Most bytes of fill written in one call.
constexpr std::uint64_t kFillBufferBytes = 1 << 20;

/// Elements of fill in a row, no more of them than were asked for.
class FillBuffer {
 public:
  explicit FillBuffer(std::vector<std::byte> element) : element_(std::move(element)) {}

  ConstBytes first(std::size_t bytes) {
    if (const std::size_t have = buffer_.size(); have < bytes) {
      buffer_.resize(bytes);
      repeat_element(element_, buffer_, have);
    }
    return ConstBytes(buffer_).first(bytes);
  }

 private:
  std::vector<std::byte> element_;
  std::vector<std::byte> buffer_;  // whole elements
};

/// Elements of one chunk that lie outside the box [0, inside): for each dimension d, those that are
/// inside in all dimensions before d and outside in d; they come in runs. visit(first, count).
template <class Visit>
void for_each_outside(const Dims& inside, const Dims& full, Visit&& visit) {
  std::uint64_t below = 1;  // elements of one step in dimension d
  for (unsigned d = full.size(); d-- > 0; below *= full[d]) {
    if (inside[d] == full[d]) continue;
    Dims outer(d);
    for (unsigned k = 0; k < d; ++k) outer[k] = inside[k];
    for_each_position(outer, [&](const Dims& at) {
      std::uint64_t first = 0;
      for (unsigned k = 0; k < d; ++k) first = first * full[k] + at[k];
      visit((first * full[d] + inside[d]) * below, (full[d] - inside[d]) * below);
    });
  }
}

class FillWriter {
 public:
  FillWriter(FileStore& store, const DatasetState& state)
      : store_(store),
        state_(state),
        element_size_(std::max<std::uint64_t>(1, state.element_size())),
        rank_(static_cast<std::uint64_t>(store.coordinator().rank())),
        ranks_(static_cast<std::uint64_t>(store.coordinator().size())),
        unit_(store.context().write_unit()),
        buffer_(state.new_element()) {}

  /// This rank's stretch of whole elements: those that begin in its part of the bytes.
  Status write_part(const ByteRange& range) {
    const ByteRange mine = write_share(range, unit_, rank_, ranks_);
    const std::uint64_t elements = range.size / element_size_;
    const std::uint64_t first = ceil_div(mine.offset - range.offset, element_size_);
    const std::uint64_t last =
        std::min(elements, ceil_div(mine.end() - range.offset, element_size_));
    if (first >= last) return Status();
    return write(range.offset + first * element_size_, last - first);
  }

  /// Each rank takes whole chunks in turn. `cut`: the grid of the extent outside which they are filled.
  Status write_cut_chunks(const Box& box, const ChunkGrid& cut) {
    const ChunkGrid& grid = state_.index->grid();
    for (const IndexRun& run : state_.index->lookup(box))
      for (std::uint64_t i = 0; i < run.count; ++i) {
        const Dims coords = grid.coords(run.first + i);
        // By its place in the box: nobody has to know what others have.
        std::uint64_t number = 0;
        for (unsigned d = 0; d < coords.size(); ++d)
          number = number * box.count[d] + (coords[d] - box.start[d]);
        if (number % ranks_ != rank_) continue;
        PCIO_TRY(write_outside(run.address + i * state_.chunk_bytes(), cut.box(coords).count,
                               grid.chunk()));
      }
    return Status();
  }

 private:
  Status write_outside(FileAddress chunk, const Dims& inside, const Dims& full) {
    Status status;
    for_each_outside(inside, full, [&](std::uint64_t first, std::uint64_t count) {
      if (status.ok()) status = write(chunk + first * element_size_, count);
    });
    return status;
  }

  Status write(FileAddress address, std::uint64_t elements) {
    const std::uint64_t per_call = std::max<std::uint64_t>(1, kFillBufferBytes / element_size_);
    for (std::uint64_t at = 0; at < elements; at += per_call) {
      std::uint64_t n = std::min(per_call, elements - at);
      PCIO_TRY(
          store_.bytes().write(address + at * element_size_, buffer_.first(n * element_size_)));
      count_amount(Amount::kFilled, n * element_size_);
    }
    return Status();
  }

  FileStore& store_;
  const DatasetState& state_;
  std::uint64_t element_size_;
  std::uint64_t rank_;
  std::uint64_t ranks_;
  std::uint64_t unit_;
  FillBuffer buffer_;
};

}  // namespace

void put_deferred(const DatasetState& state, const Dims& coords, Bytes image) {
  if (!state.index || state.deferred.cut == 0) return;
  const ChunkGrid& grid = state.index->grid();
  bool owes = false;
  for (unsigned d = 0; d < coords.size(); ++d)
    owes = owes || ((state.deferred.cut >> d & 1U) != 0 && coords[d] + 1 == grid.grid()[d]);
  if (!owes) return;
  const std::uint64_t element = state.element_size();
  const std::vector<std::byte> fill = state.new_element();
  for_each_outside(grid.box(coords).count, grid.chunk(),
                   [&](std::uint64_t first, std::uint64_t count) {
                     repeat_element(fill, image.subspan(static_cast<std::size_t>(first * element),
                                                        static_cast<std::size_t>(count * element)));
                   });
}

namespace {

Status write_parts(FileStore& store, const DatasetState& state, const NewSpace& space) {
  FillWriter writer(store, state);
  for (const ByteRange& range : space.ranges) PCIO_TRY(writer.write_part(range));
  if (space.cut_chunks.empty()) return Status();
  PCIO_ASSIGN(const ChunkGrid cut, ChunkGrid::make(space.cut_extent, state.layout.chunk_dims));
  for (const Box& box : space.cut_chunks) PCIO_TRY(writer.write_cut_chunks(box, cut));
  return Status();
}

}  // namespace

/// Where machines keep back what they write, one could overwrite later what another one writes in the meantime: the
/// agreement that follows says that the fill is in the file.
Status write_fill(FileStore& store, const DatasetState& state, const NewSpace& space) {
  if (space.empty()) return Status();
  const Spends fills(Spent::kFill);
  PCIO_TRY(write_parts(store, state, space));
  return store.driver().has_unseen_writes() ? store.sync().sync_independent() : Status();
}

}  // namespace pcio
