// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/dataset: find_owned_objects.

#include "storage/dataset/owned_objects.hpp"

#include <algorithm>

#include "format/attribute_message.hpp"
#include "storage/chunks/chunk_images.hpp"
#include "storage/dataset/region_ids.hpp"

namespace pcio {

namespace {

constexpr std::uint64_t kReadBytes = 1 << 20;
/// Heap collections that are kept from piece to piece. Bytes.
constexpr std::uint64_t kHeldBytes = std::uint64_t{64} << 20;

/// Where ids of heap objects go, and whether those of regions, which nobody owns, are among them.
struct Wanted {
  std::function<Status(const GlobalHeapId&)> take;
  bool regions = false;
  std::uint64_t* counted = nullptr;  ///< HeapReader::count_owned() of the whole call

  [[nodiscard]] bool finds_nothing_in(const Datatype& type) const {
    return type.is_fixed() && !(regions && has_regions(type));
  }
};

Wanted listed_in(HeapStore::LetGo* owned, std::uint64_t* counted) {
  Wanted wanted;
  wanted.take = [owned](const GlobalHeapId& id) -> Status {
    (*owned)[id.collection].push_back(id.index);
    return Status();
  };
  wanted.counted = counted;
  return wanted;
}

/// Collects for elements of one type.
class Owned {
 public:
  Owned(FileStore& store, const Datatype& type, const Wanted& wanted)
      : map_(type), reader_(store.heap_reader()), wanted_(wanted) {
    reader_.count_owned_in(wanted.counted);
    if (wanted.regions && has_regions(type)) regions_of_ = type;
  }

  Status add(ConstBytes elements) {
    ids_.clear();
    PCIO_ASSIGN(const bool all, collect_owned(reader_, map_, elements, &ids_));
    // Who frees leaves what isn't known where it is; who tells of it must not be silent.
    if (!all && wanted_.regions)
      return PCIO_ERROR(
          DATATYPE, BADRANGE,
          "variable-length elements refer to more objects than the file has room for");
    if (regions_of_) PCIO_TRY(collect_regions(reader_, *regions_of_, elements, &ids_));
    for (const GlobalHeapId& id : ids_) PCIO_TRY(wanted_.take(id));
    if (reader_.bytes() > kHeldBytes) reader_.forget();
    return Status();
  }
  /// Elements of an extent of `kept` are left out; none: nothing is.
  void leave_out(const Dims& kept) { kept_ = &kept; }
  /// Some of the chunk are not left out.
  [[nodiscard]] bool wants_chunk(const ChunkGrid& grid, const Dims& coords) const {
    if (kept_ == nullptr) return true;
    const Box box = grid.box(coords);
    for (unsigned d = 0; d < box.count.size(); ++d)
      if (box.start[d] + box.count[d] > (*kept_)[d]) return !box.empty();
    return false;
  }
  /// The elements of a chunk that lie in the extent.
  Status add_chunk(const ChunkGrid& grid, const Dims& coords, ConstBytes image) {
    const Box box = grid.box(coords);
    const unsigned last = box.count.size() - 1;
    const std::size_t size = map_.element_size();
    Dims at(box.count.size());
    for (bool more = !box.empty(); more;) {
      std::uint64_t first = 0;
      for (unsigned d = 0; d <= last; ++d) first = first * grid.chunk()[d] + at[d];
      const std::uint64_t left_out = left_out_of_row(box, at);
      PCIO_TRY(add(image.subspan(static_cast<std::size_t>((first + left_out) * size),
                                 static_cast<std::size_t>((box.count[last] - left_out) * size))));
      unsigned d = last;
      while (d > 0 && ++at[d - 1] == box.count[d - 1]) at[--d] = 0;
      more = d > 0;
    }
    return Status();
  }

 private:
  /// Elements at the beginning of the row at `at` of a chunk.
  [[nodiscard]] std::uint64_t left_out_of_row(const Box& box, const Dims& at) const {
    if (kept_ == nullptr) return 0;
    const unsigned last = box.count.size() - 1;
    for (unsigned d = 0; d < last; ++d)
      if (box.start[d] + at[d] >= (*kept_)[d]) return 0;
    const std::uint64_t kept = (*kept_)[last];
    return kept <= box.start[last] ? 0 : std::min(kept - box.start[last], box.count[last]);
  }

  SequenceMap map_;
  HeapReader reader_;
  const Wanted& wanted_;
  std::optional<Datatype> regions_of_;
  const Dims* kept_ = nullptr;
  std::vector<GlobalHeapId> ids_;
};

Status add_contiguous(FileStore& store, const DatasetState& state, Owned& owned) {
  if (state.layout.address == kUndefinedAddress) return Status();
  PCIO_ASSIGN(const std::uint64_t bytes, state.data_bytes());
  const std::uint64_t size = state.element_size();
  // Memory is taken for what the file has.
  if (!fits_inside(state.layout.address, bytes, store.bytes().end()))
    return PCIO_ERROR(FILE, TRUNCATED, "elements lie outside the file");
  std::vector<std::byte> buffer(static_cast<std::size_t>(std::max(size, kReadBytes / size * size)));
  for (std::uint64_t at = 0; at < bytes;) {
    const Bytes piece = Bytes(buffer).first(
        static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), bytes - at)));
    PCIO_TRY(store.bytes().read(state.layout.address + at, piece));
    PCIO_TRY(owned.add(piece));
    at += piece.size();
  }
  return Status();
}

Status add_plain_chunks(FileStore& store, const DatasetState& state, Owned& owned) {
  const ChunkGrid& grid = state.index->grid();
  const std::uint64_t size = state.chunk_bytes();
  std::vector<std::byte> image;
  for (const IndexRun& run : state.index->runs())
    for (std::uint64_t i = 0; i < run.count; ++i) {
      if (!owned.wants_chunk(grid, grid.coords(run.first + i))) continue;
      // Memory is taken for what the file has.
      if (!fits_inside(run.address + i * size, size, store.bytes().end()))
        return PCIO_ERROR(FILE, TRUNCATED, "a chunk lies outside the file");
      image.resize(static_cast<std::size_t>(size));
      PCIO_TRY(store.bytes().read(run.address + i * size, image));
      PCIO_TRY(owned.add_chunk(grid, grid.coords(run.first + i), image));
    }
  return Status();
}

Status add_filtered_chunks(FileStore& store, const StoredObjectPtr& object, Owned& owned) {
  // Filters may be functions of the program.
  const DatasetInTransfer stays(object);
  const ChunkIndex& index = *object->dataset->index;
  std::vector<ChunkOrdinal> ordinals;
  for (const auto& [ordinal, chunk] : index.filtered_chunks()) ordinals.push_back(ordinal);
  ChunkImages images(store, object);
  for (const ChunkOrdinal ordinal : ordinals) {
    const Dims coords = index.grid().coords(ordinal);
    if (!owned.wants_chunk(index.grid(), coords)) continue;
    PCIO_ASSIGN(ChunkInMemory * chunk, images.find(coords));
    if (chunk == nullptr) continue;
    const Status added = owned.add_chunk(index.grid(), coords, chunk->image);
    PCIO_TRY(images.release(*chunk));
    PCIO_TRY(Status(added));
  }
  return Status();
}

Status add_dataset(FileStore& store, const StoredObjectPtr& object, const Wanted& wanted) {
  PCIO_ASSIGN(DatasetState * state, store.datasets().state(object));
  if (wanted.finds_nothing_in(state->type)) return Status();
  PCIO_TRY(Status(state->unsupported));
  Owned owned(store, state->type, wanted);
  PCIO_TRY(owned.add(state->fill_element()));
  if (!state->owns_objects()) return Status();
  if (state->layout.cls == LayoutClass::kCompact) return owned.add(state->layout.compact_data);
  if (!state->chunked()) return add_contiguous(store, *state, owned);
  PCIO_TRY(store.datasets().load_chunk_index(object));
  return state->filtered() ? add_filtered_chunks(store, object, owned)
                           : add_plain_chunks(store, *state, owned);
}

Status add_attribute(FileStore& store, const HeaderMessage& message, const Wanted& wanted) {
  ByteReader reader(message.body);
  PCIO_ASSIGN(const AttributeMessage attribute, decode_attribute_message(reader));
  HeaderMessage type_message;
  type_message.type = kMessageDatatype;
  type_message.flags = attribute.datatype_shared ? kMessageShared : 0;
  type_message.body = attribute.datatype;
  FileAddress committed = kUndefinedAddress;
  PCIO_ASSIGN(const Datatype type, store.objects().resolve_type(type_message, &committed));
  if (wanted.finds_nothing_in(type)) return Status();
  // Behind the value there may be padding, which is shorter than any such element.
  const std::size_t whole = attribute.data.size() / type.size() * type.size();
  return Owned(store, type, wanted).add(ConstBytes(attribute.data).first(whole));
}

Status add_object(FileStore& store, const StoredObjectPtr& object, const Wanted& wanted) {
  if (object->kind() == ObjectKind::kDataset) PCIO_TRY(add_dataset(store, object, wanted));
  PCIO_TRY(store.objects().load_attributes(object));
  for (const auto* messages : {&object->header.messages, &*object->dense_attributes})
    for (const HeaderMessage& message : *messages)
      if (message.type == kMessageAttribute && (message.flags & kMessageShared) == 0)
        PCIO_TRY(add_attribute(store, message, wanted));
  return Status();
}

}  // namespace

Status find_cut_objects(FileStore& store, const StoredObjectPtr& object, const Dims& dims,
                        HeapStore::LetGo* owned) {
  PCIO_ASSIGN(DatasetState * state, store.datasets().state(object));
  if (state->type.is_fixed() || !state->owns_objects() || !state->chunked()) return Status();
  const Dims& now = state->extent.dims();
  bool smaller = false;
  for (unsigned d = 0; d < now.size(); ++d) smaller = smaller || dims[d] < now[d];
  if (!smaller) return Status();
  PCIO_TRY(store.datasets().load_chunk_index(object));
  HeapStore::LetGo found;
  std::uint64_t counted = 0;
  const Wanted wanted = listed_in(&found, &counted);
  Owned all(store, state->type, wanted);
  all.leave_out(dims);
  PCIO_TRY(state->filtered() ? add_filtered_chunks(store, object, all)
                             : add_plain_chunks(store, *state, all));
  *owned = std::move(found);
  return Status();
}

Status find_owned_objects(FileStore& store, const StoredObjectPtr& object, HeapStore::LetGo* owned,
                          std::uint64_t* counted) {
  HeapStore::LetGo found;
  PCIO_TRY(add_object(store, object, listed_in(&found, counted)));
  for (auto& [address, indexes] : found) {
    std::vector<std::uint32_t>& all = (*owned)[address];
    all.insert(all.end(), indexes.begin(), indexes.end());
  }
  return Status();
}

Status visit_heap_collections(FileStore& store, const StoredObjectPtr& object,
                              const std::function<Status(FileAddress)>& visit) {
  if (object->kind() == ObjectKind::kDataset) {
    PCIO_ASSIGN(const DatasetState* state, store.datasets().state(object));
    if (state->virtual_data && state->layout.virtual_heap_address != kUndefinedAddress)
      PCIO_TRY(visit(state->layout.virtual_heap_address));
  }
  Wanted wanted;
  wanted.take = [&](const GlobalHeapId& id) { return visit(id.collection); };
  wanted.regions = true;
  std::uint64_t counted = 0;
  wanted.counted = &counted;
  return add_object(store, object, wanted);
}

}  // namespace pcio
