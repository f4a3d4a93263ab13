// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: fill values of variable length: in lists, in heaps, in new elements.

#include "object/fill_values.hpp"

#include <algorithm>

#include "base/without_throwing.hpp"
#include "object/heap_values.hpp"
#include "plan/interval_union.hpp"
#include "storage/chunks/chunk_images.hpp"
#include "storage/dataset/allocation.hpp"
#include "storage/heaps/heap_reader.hpp"
#include "storage/objects/message_codec.hpp"
#include "transfer/call/sequence_fill.hpp"

namespace pcio {

Result<FillValue> load_fill_value(FileStore& store, const Datatype& type, ConstBytes value) {
  FillValue fill;
  fill.state = FillState::kUserDefined;
  if (type.is_fixed()) {
    fill.type = type;
    fill.bytes.assign(value.begin(), value.end());
    return fill;
  }
  if (value.size() != type.size())
    return PCIO_ERROR(DATASET, BADVALUE, "the fill value is no element of the dataset's type");
  fill.type = type.file_form(StoredSequences::kAddressWidth);
  fill.bytes.resize(fill.type->size());
  fill.sequences = std::make_shared<StoredSequences>();
  HeapReader reader = store.heap_reader();
  FileHeap heap(reader, nullptr);
  PCIO_TRY(reader.prepare(SequenceMap(type), value));
  ConvertOptions options;
  options.sequences = {&heap, fill.sequences.get(), nullptr};
  PCIO_ASSIGN(const Conversion way, Conversion::make(type, *fill.type, options));
  PCIO_TRY(way.run(value.data(), fill.bytes.data(), 1));
  return fill;
}

namespace {

/// The message of a dataset that no commit has written yet.
class FillKeeper final : public ValueKeeper {
 public:
  FillKeeper(FileStore& store, const StoredObjectPtr& dataset, const std::vector<std::byte>& value)
      : store_(store), dataset_(dataset), value_(value) {}
  Status keep() override {
    FillValueMessage fill = dataset_->dataset->fill;
    fill.value = value_;
    PCIO_ASSIGN(HeaderMessage message, encode_fill(store_.context(), fill));
    dataset_->put(std::move(message));
    dataset_->dataset->fill = std::move(fill);
    store_.objects().touch(dataset_);
    return Status();
  }

 private:
  FileStore& store_;
  const StoredObjectPtr& dataset_;
  const std::vector<std::byte>& value_;
};

/// The parts of `now` outside of `before`, apart from each other.
std::vector<Box> boxes_outside(const Dims& before, const Dims& now) {
  std::vector<Box> boxes;
  Box rest = Box::whole(now);
  for (unsigned d = 0; d < now.size(); ++d) {
    if (now[d] <= before[d]) continue;
    Box grown = rest;
    grown.start[d] = before[d];
    grown.count[d] = now[d] - before[d];
    boxes.push_back(grown);
    rest.count[d] = before[d];
  }
  return boxes;
}

bool has_chunk(const DatasetState& state, const Dims& coords) {
  const ChunkOrdinal chunk = state.index->grid().ordinal(coords);
  if (!state.filtered()) return state.index->address_of(chunk) != kUndefinedAddress;
  return state.index->filtered(chunk).has_value() ||
         (state.chunks && state.chunks->cache.peek(chunk) != nullptr);
}

/// Calls visit(ordinal) for each chunk that has its space.
template <class F>
void for_each_with_space(const DatasetState& state, F&& visit) {
  for (const IndexRun& run : state.index->runs())
    for (std::uint64_t i = 0; i < run.count; ++i) visit(run.first + i);
  for (const auto& [chunk, stored] : state.index->filtered_chunks()) visit(chunk);
  if (!state.chunks) return;
  for (const ChunkInMemory* chunk : state.chunks->cache.chunks())
    if (!state.index->filtered(chunk->ordinal)) visit(chunk->ordinal);
}

/// At most so many chunks have their space.
std::uint64_t count_with_space(const DatasetState& state) {
  return state.index->allocated_count() + (state.chunks ? state.chunks->cache.count() : 0);
}

/// What of `box` lies in chunks that have their space. Cost: the lesser of those that have, and those of the box,
/// of which there may be any number.
Result<std::vector<Box>> boxes_with_space(FileStore& store, const StoredObjectPtr& dataset,
                                          const Box& box) {
  std::vector<Box> boxes;
  PCIO_TRY(store.datasets().load_chunk_index(dataset));
  const DatasetState& state = *dataset->dataset;
  const ChunkGrid& grid = state.index->grid();
  const std::uint64_t most = count_with_space(state);
  Box chunks = box;
  std::optional<std::uint64_t> count{1};
  for (unsigned d = 0; d < box.ndims(); ++d) {
    if (box.count[d] == 0) return boxes;
    chunks.start[d] = box.start[d] / grid.chunk()[d];
    chunks.count[d] = (box.start[d] + box.count[d] - 1) / grid.chunk()[d] - chunks.start[d] + 1;
    if (count) count = checked_mul<std::uint64_t>(*count, chunks.count[d]);
  }
  const auto keep = [&](const Dims& coords) {
    const Box part = grid.box(coords).intersect(box);
    if (!part.empty()) boxes.push_back(part);
  };
  if (!count || *count > most) {
    for_each_with_space(state, [&](ChunkOrdinal chunk) { keep(grid.coords(chunk)); });
    return boxes;
  }
  for_each_position(chunks.count, [&](const Dims& at) {
    Dims coords = at;
    for (unsigned d = 0; d < coords.size(); ++d) coords[d] += chunks.start[d];
    if (has_chunk(state, coords)) keep(coords);
  });
  return boxes;
}

/// Elements of `before` whose chunks have got their space now.
void add_with_new_space(const DatasetState& state, const Dims& before, const GivenSpace& given,
                        std::vector<Box>* boxes) {
  const Box old = Box::whole(before).intersect(Box::whole(state.extent.dims()));
  if (given.block && !old.empty()) boxes->push_back(old);
  // Who gave no space need not have the index.
  if (given.runs.empty()) return;
  const ChunkGrid& grid = state.index->grid();
  for (const IndexRun& run : given.runs)
    for (std::uint64_t i = 0; i < run.count; ++i) {
      const Box part = grid.box(grid.coords(run.first + i)).intersect(old);
      if (!part.empty()) boxes->push_back(part);
    }
}

/// Chunks that a larger extent goes on in, ascending.
std::vector<ChunkOrdinal> chunks_that_grow(const ChunkGrid& grid, const Dims& before) {
  std::vector<ChunkOrdinal> chunks;
  Box rest{Dims(before.size()), Dims(before.size())};
  for (unsigned d = 0; d < before.size(); ++d)
    rest.count[d] = ceil_div(std::min(before[d], grid.dims()[d]), grid.chunk()[d]);
  for (unsigned d = 0; d < before.size(); ++d) {
    if (grid.dims()[d] <= before[d] || before[d] % grid.chunk()[d] == 0) continue;
    Dims layer = rest.count;
    layer[d] = 1;
    for_each_position(layer, [&](const Dims& at) {
      Dims coords = at;
      coords[d] = before[d] / grid.chunk()[d];
      chunks.push_back(grid.ordinal(coords));
    });
    --rest.count[d];
  }
  std::sort(chunks.begin(), chunks.end());
  return chunks;
}

/// Elements of `before` in chunks with filters that have no space, and get it as their new elements are filled.
/// Collective: over the file, where several ranks have it.
Status add_with_filters(FileStore& store, const StoredObjectPtr& dataset, const Dims& before,
                        std::vector<Box>* boxes) {
  const DatasetState& state = *dataset->dataset;
  std::vector<ChunkOrdinal> lacking;
  // Some wait in the memory of one rank.
  std::vector<OrdinalInterval> waiting;
  Status listed = without_throwing([&]() -> Status {
    PCIO_TRY(store.datasets().load_chunk_index(dataset));
    for (const ChunkOrdinal chunk : chunks_that_grow(state.index->grid(), before)) {
      if (state.index->filtered(chunk)) continue;
      lacking.push_back(chunk);
      if (state.chunks && (state.chunks->cache.peek(chunk) != nullptr ||
                           state.chunks->pending.peek(chunk) != nullptr))
        append_interval(waiting, {chunk, 1});
    }
    return Status();
  });
  if (store.coordinator().size() > 1) {
    auto all = gather_union(store.coordinator(), std::span<const OrdinalInterval>(waiting));
    if (!all && listed.ok()) listed = std::move(all.error());
    if (all) waiting = std::move(*all);
  }
  PCIO_TRY(std::move(listed));
  return without_throwing([&] {
    const ChunkGrid& grid = state.index->grid();
    auto next = waiting.begin();
    for (const ChunkOrdinal chunk : lacking) {
      while (next != waiting.end() && next->end() <= chunk) ++next;
      if (next == waiting.end() || chunk < next->first)
        boxes->push_back(grid.box(grid.coords(chunk)).intersect(Box::whole(before)));
    }
    return Status();
  });
}

}  // namespace

Status store_fill_value(FileStore& store, const StoredObjectPtr& dataset, const FillSource& fill,
                        const CallName& name) {
  std::vector<std::byte> value;
  const Status ready = without_throwing([&]() -> Status {
    value.resize(dataset->dataset->type.size());
    return Status();
  });
  PCIO_TRY(store.coordinator().outcome(name, ready));
  ConvertOptions options = fill.options;
  options.sequences.source = fill.value.sequences.get();
  FillKeeper keeper(store, dataset, value);
  return store_values(store, name, {dataset->dataset->type, *fill.value.type, 1, options},
                      {fill.value.bytes.data(), &value, keeper});
}

Status fill_new_elements(FileStore& store, const StoredObjectPtr& dataset, const CallName& name) {
  const DatasetState& state = *dataset->dataset;
  const bool compact = state.layout.cls == LayoutClass::kCompact;
  if (!state.fill_has_objects() || !(compact || allocates_at_once(store, state))) return Status();
  const Box all = Box::whole(state.extent.dims());
  if (state.extent.npoints() == 0) return Status();
  return fill_sequences(store, dataset, {&all, 1}, name, Status());
}

Status fill_grown_elements(FileStore& store, const StoredObjectPtr& dataset,
                           const ExtentChange& change, const CallName& name) {
  const DatasetState& state = *dataset->dataset;
  if (!state.fill_has_objects() || !state.chunked()) return Status();
  const bool at_once = allocates_at_once(store, state);
  std::vector<Box> boxes;
  Status ready = without_throwing([&]() -> Status {
    for (const Box& box : boxes_outside(change.before, state.extent.dims())) {
      if (at_once) {
        boxes.push_back(box);
        continue;
      }
      PCIO_ASSIGN(auto some, boxes_with_space(store, dataset, box));
      boxes.insert(boxes.end(), some.begin(), some.end());
    }
    if (!state.filtered()) add_with_new_space(state, change.before, change.unfilled.given, &boxes);
    return Status();
  });
  if (at_once && state.filtered()) {
    Status filtered = add_with_filters(store, dataset, change.before, &boxes);
    if (ready.ok()) ready = std::move(filtered);
  }
  return fill_sequences(store, dataset, boxes, name, ready);
}

}  // namespace pcio
