// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer: planning, out of line.

#include "transfer/transfer_plan.hpp"

#include <algorithm>
#include <iterator>
#include <map>

#include "plan/transfer_runs.hpp"
#include "storage/allocation.hpp"

namespace pcio {

namespace {

bool ascend_apart(const std::vector<FilePiece>& pieces, std::uint64_t element_size) {
  for (std::size_t i = 1; i < pieces.size(); ++i)
    if (pieces[i - 1].address + pieces[i - 1].count * element_size > pieces[i].address)
      return false;
  return true;
}

/// Sorts by address. Points that were selected twice leave the order of the selection, which says
/// what is written last.
void order_pieces(std::vector<FilePiece>& pieces, std::uint64_t element_size) {
  if (ascend_apart(pieces, element_size)) return;
  std::vector<FilePiece> sorted = pieces;
  std::sort(sorted.begin(), sorted.end(),
            [](const FilePiece& a, const FilePiece& b) { return a.address < b.address; });
  if (ascend_apart(sorted, element_size)) pieces = std::move(sorted);
}

/// Pieces of one block of elements that begins at `start`.
std::vector<FilePiece> block_pieces(FileAddress start, std::uint64_t element_size,
                                    const Dataspace& file, const Dataspace& memory) {
  std::vector<FilePiece> pieces;
  PieceCursor cursor(file, memory);
  for (Piece piece; cursor.next(piece);)
    pieces.push_back(
        {start + piece.file_element * element_size, piece.memory_element, piece.count});
  order_pieces(pieces, element_size);
  return pieces;
}

detail::StatusReturn not_allocated() {
  return PCIO_ERROR(DATASET, UNINITIALIZED,
                    "the dataset has no space in the file yet where this independent write goes; "
                    "write it collectively first (H5Pset_dxpl_mpio) or create it with "
                    "H5D_ALLOC_TIME_EARLY");
}

/// Plans chunk by chunk, giving space where it is missing.
class ChunkPlanner {
 public:
  ChunkPlanner(FileStore& store, const StoredObjectPtr& object, Unallocated unallocated)
      : store_(store), object_(object), state_(*object->dataset), unallocated_(unallocated) {}

  Result<TransferPlan> run(const Dataspace& file, const Dataspace& memory) {
    PCIO_TRY(store_.load_chunk_index(object_));
    ChunkPieceCursor cursor(state_.index->grid(), file, memory);
    while (cursor.next_chunk()) {
      ++plan_.chunks;
      FileAddress address = state_.index->address_of(cursor.ordinal());
      if (address == kUndefinedAddress && unallocated_ != Unallocated::kIsMissing) {
        if (unallocated_ == Unallocated::kIsError) return not_allocated();
        PCIO_ASSIGN(address, allocate(cursor));
      }
      take(cursor, address);
    }
    order_pieces(plan_.pieces, state_.element_size());
    return std::move(plan_);
  }

 private:
  void take(ChunkPieceCursor& cursor, FileAddress address) {
    std::uint64_t size = state_.element_size();
    auto& pieces = address == kUndefinedAddress ? plan_.missing : plan_.pieces;
    for (Piece piece; cursor.next(piece);)
      pieces.push_back({address + piece.file_element * size, piece.memory_element, piece.count});
  }

  Result<FileAddress> allocate(const ChunkPieceCursor& cursor) {
    Box one{cursor.coords(), Dims(cursor.coords().size(), 1)};
    PCIO_ASSIGN(auto runs, allocate_chunks(store_, object_, one));
    ByteRange range{runs.front().address, state_.chunk_bytes()};
    const ChunkGrid& grid = state_.index->grid();
    bool covered = unallocated_ != Unallocated::kIsAllocatedFilled && cursor.covers_chunk() &&
                   grid.box(cursor.coords()) == grid.full_box(cursor.coords());
    if (!covered && must_fill(store_, state_, range))
      PCIO_TRY(write_fill(store_, state_, {{range}, {}}));
    return range.offset;
  }

  FileStore& store_;
  const StoredObjectPtr& object_;
  DatasetState& state_;
  Unallocated unallocated_;
  TransferPlan plan_;
};

Result<TransferPlan> plan_contiguous(FileStore& store, const StoredObjectPtr& object,
                                     const Dataspace& file, const Dataspace& memory,
                                     Unallocated unallocated) {
  DatasetState& state = *object->dataset;
  TransferPlan plan;
  std::uint64_t selected = file.selected();
  if (selected == 0) return plan;
  if (state.layout.address == kUndefinedAddress) {
    if (unallocated == Unallocated::kIsError) return not_allocated();
    if (unallocated == Unallocated::kIsMissing) {
      plan.missing = block_pieces(0, state.element_size(), file, memory);
      return plan;
    }
    PCIO_ASSIGN(NewSpace unfilled, allocate_all(store, object));
    bool covered = unallocated != Unallocated::kIsAllocatedFilled &&
                   selected == state.extent.npoints() &&
                   file.selection().kind() != SelectionKind::kPoints;
    if (!covered) PCIO_TRY(write_fill(store, state, unfilled));
  }
  plan.pieces = block_pieces(state.layout.address, state.element_size(), file, memory);
  return plan;
}

}  // namespace

void keep_last_writes(std::vector<FilePiece>& pieces, std::uint64_t element_size) {
  if (ascend_apart(pieces, element_size)) return;
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
  std::sort(kept.begin(), kept.end(),
            [](const FilePiece& a, const FilePiece& b) { return a.address < b.address; });
  pieces = std::move(kept);
}

Result<Dataspace> rebase_selection(const Dataspace& extent, const Dataspace& given) {
  if (given.cls() != SpaceClass::kSimple || given.dims() == extent.dims()) {
    if (given.cls() != extent.cls())
      return PCIO_ERROR(ARGS, BADVALUE, "file dataspace is of another class than the dataset's");
    return given;
  }
  if (given.ndims() != extent.ndims())
    return PCIO_ERROR(ARGS, BADVALUE,
                      "file dataspace has " + std::to_string(given.ndims()) +
                          " dimensions, the dataset " + std::to_string(extent.ndims()));
  Dataspace space = extent;
  if (given.selection().kind() == SelectionKind::kAll)
    PCIO_TRY(space.select_box(Box::whole(given.dims())));
  else
    space.selection() = given.selection();
  space.set_selection_offset(given.selection_offset());
  return space;
}

Result<TransferPlan> plan_transfer(FileStore& store, const StoredObjectPtr& object,
                                   const Dataspace& file, const Dataspace& memory,
                                   Unallocated unallocated) {
  PCIO_ASSIGN(DatasetState * state, store.dataset(object));
  if (!state->chunked()) return plan_contiguous(store, object, file, memory, unallocated);
  if (file.selected() == 0) return TransferPlan();
  return ChunkPlanner(store, object, unallocated).run(file, memory);
}

TransferPlan plan_compact(const DatasetState& state, const Dataspace& file,
                          const Dataspace& memory) {
  TransferPlan plan;
  if (file.selected() > 0) plan.pieces = block_pieces(0, state.element_size(), file, memory);
  return plan;
}

}  // namespace pcio
