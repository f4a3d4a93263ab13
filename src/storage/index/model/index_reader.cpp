// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/index/model: ChunkSink and ChunkLoader.

#include "storage/index/model/index_reader.hpp"

#include <algorithm>

#include "base/checked.hpp"
#include "storage/space/range_set.hpp"

namespace pcio {

Result<ChunkNumbering> number_by_today(const ChunkIndexShape& shape, const ChunkGrid& grid) {
  static_cast<void>(shape);
  return ChunkNumbering::row_major(grid.grid());
}

Result<ChunkNumbering> number_by_largest(const ChunkIndexShape& shape, const ChunkGrid& grid) {
  return ChunkNumbering::row_major(largest_grid(shape, grid));
}

Dims largest_grid(const ChunkIndexShape& shape, const ChunkGrid& grid) {
  Dims most = grid.grid();
  for (unsigned d = 0; d < most.size(); ++d)
    if (shape.max_dims[d] != kUnlimited)
      most[d] = ceil_div(shape.max_dims[d], shape.layout.chunk_dims[d]);
  return most;
}

Status ChunkSink::put(ChunkOrdinal ordinal, const ChunkElement& element) {
  const bool filtered = form_ == ChunkForm::kFiltered;
  const std::uint64_t size = filtered ? element.size : index_.chunk_bytes();
  if (!file_.holds(element.address, size))
    return PCIO_ERROR(DATASET, TRUNCATED, "chunk index lists a chunk that lies outside the file");
  return filtered ? index_.add_filtered(ordinal, {element.address, size, element.filter_mask})
                  : index_.add(ordinal, element.address);
}

void ChunkSink::skip(const ChunkElement& element) {
  const std::uint64_t size = form_ == ChunkForm::kFiltered ? element.size : index_.chunk_bytes();
  if (file_.holds(element.address, size)) index_.add_outside(size);
}

Status ChunkSink::add(std::uint64_t first, std::span<const ChunkElement> elements) {
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (elements[i].address == kUndefinedAddress) continue;
    if (!direct_)
      PCIO_TRY(add(numbering_.coords(first + i), elements[i]));
    else if (first + i < index_.grid().count())
      PCIO_TRY(put(first + i, elements[i]));
    else
      skip(elements[i]);
  }
  return Status();
}

Status ChunkSink::add(const Dims& coords, const ChunkElement& element) {
  const Dims& grid = index_.grid().grid();
  for (unsigned d = 0; d < grid.size(); ++d)
    if (coords[d] >= grid[d]) {
      skip(element);
      return Status();
    }
  return put(index_.grid().ordinal(coords), element);
}

Status ChunkLoader::load(FileBytes& file, const Box& box, ChunkIndex* index) {
  usable_ = false;
  std::vector<ByteRange> gaps;  // numbers, not bytes
  numbering_.for_each_interval(box, [&](std::uint64_t first, std::uint64_t end) {
    // What is read for one interval may hold the next one too, so gaps are looked at again below.
    known_.for_each_gap(first, end, [&](std::uint64_t from, std::uint64_t to) {
      if (!gaps.empty() && gaps.back().end() == from)
        gaps.back().size += to - from;
      else
        gaps.push_back({from, to - from});
    });
  });
  return load_gaps(file, gaps, index);
}

Status ChunkLoader::load_counted(FileBytes& file, std::uint64_t first, std::uint64_t end,
                                 ChunkIndex* index) {
  usable_ = false;
  std::vector<ByteRange> gaps;
  known_.for_each_gap(first, end, [&](std::uint64_t from, std::uint64_t to) {
    gaps.push_back({from, to - from});
  });
  return load_gaps(file, gaps, index);
}

/// The end of a load. `gaps`: intervals of numbers.
Status ChunkLoader::load_gaps(FileBytes& file, std::span<const ByteRange> gaps, ChunkIndex* index) {
  ChunkSink sink(file, numbering_, form_, *index, known_);
  for (const ByteRange& gap : gaps) {
    if (known_.contains(gap.offset, gap.end())) continue;
    PCIO_TRY(source_->load(gap.offset, gap.end(), sink));
    known_.add(gap.offset, gap.end());
  }
  usable_ = true;
  return Status();
}

Status ChunkLoader::load_all(FileBytes& file, ChunkIndex* index, std::vector<ByteRange>* blocks) {
  usable_ = false;
  ChunkSink sink(file, numbering_, form_, *index, known_);
  std::vector<ByteRange> gaps;
  known_.for_each_gap(0, ~std::uint64_t{0}, [&](std::uint64_t first, std::uint64_t end) {
    gaps.push_back({first, end - first});
  });
  for (const ByteRange& gap : gaps) {
    PCIO_TRY(source_->load(gap.offset, gap.end(), sink));
    known_.add(gap.offset, gap.end());
  }
  PCIO_TRY(source_->collect_blocks(sink, blocks));
  join_ranges(blocks);
  sound_ = true;
  for (std::size_t i = 0; i < blocks->size(); ++i) {
    const ByteRange& block = (*blocks)[i];
    sound_ = sound_ && file.holds(block.offset, block.size) &&
             (i == 0 || (*blocks)[i - 1].end() <= block.offset);
  }
  return Status();
}

std::shared_ptr<IndexUpdater> ChunkLoader::place(ChunkIndex* index) {
  // Blocks of a damaged file may be anything's, and what lies outside the extent would stay.
  if (!sound_ || index->outside_bytes() != 0) return nullptr;
  auto updater = source_->updater(numbering_);
  if (updater) index->follow(numbering_, by_);
  return updater;
}

Status BlockBudget::spend(std::uint64_t bytes, const FileBytes& file) {
  if (!fits_inside(spent_, bytes, file.all_bytes()))
    return PCIO_ERROR(DATASET, BADVALUE, "chunk index has more blocks than the file has room for");
  spent_ += bytes;
  return Status();
}

}  // namespace pcio
