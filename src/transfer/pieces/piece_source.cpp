// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/pieces: the sources of pieces: one block, chunks, lists of points.

#include "transfer/pieces/piece_source.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "base/make_room.hpp"
#include "base/radix_sort.hpp"
#include "base/without_throwing.hpp"
#include "plan/chunk_order.hpp"
#include "storage/dataset/allocation.hpp"

namespace pcio {

namespace {

/// True where pieces ascend without touching the same byte twice.
bool ascend_apart(const std::vector<FilePiece>& pieces, std::uint64_t element_size) {
  for (std::size_t i = 1; i < pieces.size(); ++i)
    if (pieces[i].address < pieces[i - 1].address + pieces[i - 1].count * element_size)
      return false;
  return true;
}

/// Runs that overlap, as elements in ascending order. Joined again they overlap others by their last
/// element at most, and so they still ascend when they are cut.
std::vector<FilePiece> elements_of(const std::vector<FilePiece>& runs, std::uint64_t element_size) {
  std::vector<FilePiece> elements;
  for (const FilePiece& run : runs)
    for (std::uint64_t i = 0; i < run.count; ++i)
      elements.push_back({run.address + i * element_size, run.memory_element + i, 1});
  radix_sort(elements, [](const FilePiece& piece) { return piece.address; });
  return elements;
}

/// Of elements that a write selects more than once keeps those selected last.
void keep_last_writes(std::vector<FilePiece>& pieces, std::uint64_t element_size) {
  std::map<FileAddress, FileAddress> taken;  // start to end; never overlapping
  std::vector<FilePiece> kept;
  for (std::size_t i = pieces.size(); i-- > 0;) {
    FilePiece piece = pieces[i];
    FileAddress start = piece.address;
    FileAddress end = start + piece.count * element_size;
    auto keep = [&](FileAddress from, FileAddress to) {
      if (from < to)
        kept.push_back({from, piece.memory_element + (from - piece.address) / element_size,
                        (to - from) / element_size});
    };
    auto it = taken.upper_bound(start);
    if (it != taken.begin() && std::prev(it)->second > start) --it;
    FileAddress next = start;
    while (it != taken.end() && it->first < end) {
      keep(next, it->first);
      next = std::max(next, it->second);
      start = std::min(start, it->first);
      end = std::max(end, it->second);
      it = taken.erase(it);
    }
    keep(next, piece.address + piece.count * element_size);
    taken[start] = end;
  }
  pieces = std::move(kept);
}

bool by_address(const FilePiece& a, const FilePiece& b) { return a.address < b.address; }

/// Adds a piece, joined to the last one where both sides continue.
void append(std::vector<FilePiece>& pieces, std::size_t first, const FilePiece& piece,
            std::uint64_t element_size) {
  if (pieces.size() > first) {
    FilePiece& last = pieces.back();
    if (last.address + last.count * element_size == piece.address &&
        last.memory_element + last.count == piece.memory_element) {
      last.count += piece.count;
      return;
    }
  }
  pieces.push_back(piece);
}

/// Pieces that are all known.
class ListSource final : public PieceSource {
 public:
  explicit ListSource(std::vector<FilePiece> pieces) : pieces_(std::move(pieces)) {}
  Status next(std::vector<FilePiece>& pieces, std::size_t limit) override {
    const std::size_t n = std::min(limit, pieces_.size() - at_);
    pieces.insert(pieces.end(), pieces_.begin() + static_cast<std::ptrdiff_t>(at_),
                  pieces_.begin() + static_cast<std::ptrdiff_t>(at_ + n));
    at_ += n;
    return Status();
  }

 private:
  std::vector<FilePiece> pieces_;
  std::size_t at_ = 0;
};

/// One block of elements, its file selection not of points.
class BlockSource final : public PieceSource {
 public:
  BlockSource(FileAddress start, std::uint64_t element_size, const Dataspace& file,
              const Dataspace& memory)
      : start_(start), element_size_(element_size), cursor_(file, memory) {}
  Status next(std::vector<FilePiece>& pieces, std::size_t limit) override {
    const std::size_t first = pieces.size();
    Piece piece;
    while (pieces.size() - first < limit && cursor_.next(piece))
      append(pieces, first,
             {start_ + piece.file_element * element_size_, piece.memory_element, piece.count},
             element_size_);
    return Status();
  }

 private:
  FileAddress start_;
  std::uint64_t element_size_;
  PieceCursor cursor_;
};

detail::StatusReturn not_allocated() {
  return PCIO_ERROR(DATASET, UNINITIALIZED,
                    "the dataset has no space in the file yet where this independent write goes; "
                    "write it collectively first (H5Pset_dxpl_mpio), or don't open it for late "
                    "allocation (pcio_set_dapl_late_allocation)");
}

/// Chunk after chunk, in the order of their addresses as far as they have any at the start.
class ChunkSource final : public PieceSource {
 public:
  ChunkSource(FileStore& store, const StoredObjectPtr& object, const Dataspace& file,
              const Dataspace& memory, SourceOptions options)
      : store_(store),
        object_(object),
        state_(*object->dataset),
        options_(std::move(options)),
        file_(file),
        cursor_(state_.index->grid(), file, memory),
        points_(file.selection().kind() == SelectionKind::kPoints) {
    if (options_.only && !points_)
      list_one(*options_.only);
    else if (!points_ && !addresses_ascend())
      list_by_address();
  }

  Status next(std::vector<FilePiece>& pieces, std::size_t limit) override {
    const std::size_t first = pieces.size();
    while (pieces.size() - first < limit) {
      if (!in_chunk_) {
        PCIO_ASSIGN(bool more, next_chunk());
        if (!more) break;
      }
      in_chunk_ = take(pieces, first, limit);
    }
    return Status();
  }

 private:
  /// True where the order of the chunks' numbers is that of their addresses.
  [[nodiscard]] bool addresses_ascend() const {
    auto bounds = file_.selected_bounds();
    if (!bounds) return true;
    const ChunkGrid& grid = state_.index->grid();
    Dims from(grid.grid().size());
    Dims to = from;
    for (unsigned d = 0; d < from.size(); ++d) {
      from[d] = bounds->start[d] / grid.chunk()[d];
      to[d] = (bounds->start[d] + bounds->count[d] - 1) / grid.chunk()[d];
    }
    return state_.index->ascends(grid.ordinal(from), grid.ordinal(to));
  }

  void list_by_address() {
    listed_ = true;
    while (cursor_.next_chunk()) {
      const ChunkOrdinal ordinal = cursor_.ordinal();
      by_address_.push_back({ordinal, state_.index->address_of(ordinal)});
    }
    order_by_address(by_address_);
  }

  void list_one(ChunkOrdinal ordinal) {
    listed_ = true;
    by_address_.push_back({ordinal, state_.index->address_of(ordinal)});
  }

  bool go_to_next() {
    if (!listed_) return cursor_.next_chunk();
    if (listed_at_ == by_address_.size()) return false;
    cursor_.go_to_chunk(state_.index->grid().coords(by_address_[listed_at_++].ordinal));
    return true;
  }

  /// Finds the next chunk that the filter takes, and its address.
  Result<bool> next_chunk() {
    for (;;) {
      if (!go_to_next()) return false;
      const ChunkOrdinal ordinal = cursor_.ordinal();
      if (options_.only && ordinal != *options_.only) continue;
      if (options_.filter && !options_.filter(ordinal, number_++)) continue;
      address_ = state_.index->address_of(ordinal);
      if (options_.on_chunk) options_.on_chunk(ordinal);
      if (address_ != kUndefinedAddress) return true;
      switch (options_.unallocated) {
        case Unallocated::kIsError: return not_allocated();
        case Unallocated::kIsPretended: address_ = ordinal * state_.chunk_bytes(); return true;
        case Unallocated::kIsMissing: PCIO_TRY(pass_missing()); break;
        case Unallocated::kIsAllocated:
        case Unallocated::kIsAllocatedFilled: PCIO_ASSIGN(address_, allocate()); return true;
      }
    }
  }

  /// Takes pieces of the current chunk; true where some may be left.
  bool take(std::vector<FilePiece>& pieces, std::size_t first, std::size_t limit) {
    const std::uint64_t size = state_.element_size();
    Piece piece;
    while (pieces.size() - first < limit) {
      if (!cursor_.next(piece)) return false;
      append(pieces, first,
             {address_ + piece.file_element * size, piece.memory_element, piece.count}, size);
    }
    return true;
  }

  Status pass_missing() {
    missing_.clear();
    Piece piece;
    while (cursor_.next(piece)) missing_.push_back({0, piece.memory_element, piece.count});
    return options_.on_missing ? options_.on_missing(missing_) : Status();
  }

  Result<FileAddress> allocate() {
    Box one{cursor_.coords(), Dims(cursor_.coords().size(), 1)};
    // What is to be noted of the space before there is any.
    if (options_.uncovered != nullptr) make_room(options_.uncovered->runs, 1);
    PCIO_ASSIGN(auto runs, allocate_chunks(store_, object_, one));
    ByteRange range{runs.front().address, state_.chunk_bytes()};
    const ChunkGrid& grid = state_.index->grid();
    bool covered = options_.unallocated != Unallocated::kIsAllocatedFilled &&
                   cursor_.covers_chunk() &&
                   grid.box(cursor_.coords()) == grid.full_box(cursor_.coords());
    GivenSpace given;
    given.runs = std::move(runs);
    // With all chunks or none they are filled.
    if (state_.index_class().all_chunks_or_none || !must_fill(store_, state_, range))
      return range.offset;
    if (covered) {
      note_uncovered(std::move(given));
    } else if (Status filled = without_throwing([&] {
                 return write_fill(store_, state_, {{range}, {}, {}, {}});
               });
               !filled.ok()) {
      undo_allocation(store_, object_, given);
      return detail::StatusReturn(std::move(filled));
    }
    return range.offset;
  }

  void note_uncovered(GivenSpace given) {
    if (options_.uncovered == nullptr) return;
    auto& runs = options_.uncovered->runs;
    runs.insert(runs.end(), given.runs.begin(), given.runs.end());
  }

  FileStore& store_;
  StoredObjectPtr object_;
  DatasetState& state_;
  SourceOptions options_;
  const Dataspace& file_;
  ChunkPieceCursor cursor_;
  bool points_;
  bool listed_ = false;
  std::vector<PlacedChunk> by_address_;
  std::size_t listed_at_ = 0;
  std::uint64_t number_ = 0;
  bool in_chunk_ = false;
  FileAddress address_ = 0;
  std::vector<FilePiece> missing_;
};

/// Takes all that `source` has, and orders it.
Result<std::unique_ptr<PieceSource>> ordered(PieceSource& source, std::uint64_t element_size,
                                             Direction direction) {
  std::vector<FilePiece> pieces;
  for (;;) {
    const std::size_t before = pieces.size();
    PCIO_TRY(source.next(pieces, std::size_t{1} << 16));
    if (pieces.size() == before) break;
  }
  order_pieces(pieces, element_size, direction);
  return std::make_unique<ListSource>(std::move(pieces));
}

/// Gives a contiguous dataset its space, as the options say. Nothing where its elements are missing.
Result<FileAddress> find_block(FileStore& store, const StoredObjectPtr& object,
                               const Dataspace& file, const SourceOptions& options) {
  DatasetState& state = *object->dataset;
  if (state.external) return FileAddress{0};
  if (state.layout.address != kUndefinedAddress) return state.layout.address;
  switch (options.unallocated) {
    case Unallocated::kIsMissing: return kUndefinedAddress;
    case Unallocated::kIsPretended: return FileAddress{0};
    case Unallocated::kIsError: return not_allocated();
    case Unallocated::kIsAllocated:
    case Unallocated::kIsAllocatedFilled: break;
  }
  PCIO_ASSIGN(NewSpace unfilled, allocate_all(store, object));
  const bool covered = options.unallocated != Unallocated::kIsAllocatedFilled &&
                       file.selected() == state.extent.npoints() &&
                       file.selection().kind() != SelectionKind::kPoints;
  if (covered) {
    if (options.uncovered != nullptr) *options.uncovered = std::move(unfilled.given);
    return state.layout.address;
  }
  if (Status filled = without_throwing([&] { return write_fill(store, state, unfilled); });
      !filled.ok()) {
    undo_allocation(store, object, unfilled.given);
    return detail::StatusReturn(std::move(filled));
  }
  return state.layout.address;
}

Result<std::unique_ptr<PieceSource>> make_contiguous(FileStore& store,
                                                     const StoredObjectPtr& object,
                                                     const Dataspace& file, const Dataspace& memory,
                                                     const SourceOptions& options) {
  PCIO_ASSIGN(FileAddress start, find_block(store, object, file, options));
  const std::uint64_t size = object->dataset->element_size();
  if (start != kUndefinedAddress)
    return make_block_source(start, size, file, memory, options.direction);
  auto missing = make_block_source(0, size, file, memory, options.direction);
  std::vector<FilePiece> pieces;
  for (;;) {
    pieces.clear();
    PCIO_TRY(missing->next(pieces, 4096));
    if (pieces.empty()) break;
    if (options.on_missing) PCIO_TRY(options.on_missing(pieces));
  }
  return std::make_unique<ListSource>(std::vector<FilePiece>());
}

}  // namespace

void order_pieces(std::vector<FilePiece>& pieces, std::uint64_t element_size, Direction direction) {
  if (ascend_apart(pieces, element_size)) return;
  std::vector<FilePiece> sorted = pieces;
  radix_sort(sorted, [](const FilePiece& piece) { return piece.address; });
  if (direction == Direction::kWrite && !ascend_apart(sorted, element_size)) {
    keep_last_writes(pieces, element_size);
    std::sort(pieces.begin(), pieces.end(), by_address);
    sorted = std::move(pieces);
  } else if (!ascend_apart(sorted, element_size)) {
    sorted = elements_of(sorted, element_size);
  }
  pieces.clear();
  for (const FilePiece& piece : sorted) append(pieces, 0, piece, element_size);
}

std::unique_ptr<PieceSource> make_block_source(FileAddress start, std::uint64_t element_size,
                                               const Dataspace& file, const Dataspace& memory,
                                               Direction direction) {
  if (file.selected() == 0) return std::make_unique<ListSource>(std::vector<FilePiece>());
  auto source = std::make_unique<BlockSource>(start, element_size, file, memory);
  if (file.selection().kind() != SelectionKind::kPoints) return source;
  return std::move(*ordered(*source, element_size, direction));  // a block source can't fail
}

Result<std::unique_ptr<PieceSource>> make_source(FileStore& store, const StoredObjectPtr& object,
                                                 const Dataspace& file, const Dataspace& memory,
                                                 SourceOptions options) {
  PCIO_ASSIGN(DatasetState * state, store.datasets().state(object));
  if (file.selected() == 0) return std::make_unique<ListSource>(std::vector<FilePiece>());
  if (!state->chunked()) return make_contiguous(store, object, file, memory, options);
  const Direction direction = options.direction;
  auto source = std::make_unique<ChunkSource>(store, object, file, memory, std::move(options));
  if (file.selection().kind() != SelectionKind::kPoints) return source;
  return ordered(*source, state->element_size(), direction);
}

}  // namespace pcio
