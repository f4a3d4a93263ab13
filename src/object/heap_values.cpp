// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: values with variable-length parts, out of line.

#include "object/heap_values.hpp"

#include <algorithm>
#include <functional>

#include "agree/outcome_alike.hpp"
#include "base/rank_status.hpp"
#include "base/without_throwing.hpp"
#include "storage/heaps/heap_reader.hpp"

namespace pcio {

namespace {

Result<std::vector<GlobalHeapId>> owned_by(FileStore& store, const Datatype& type,
                                           ConstBytes data) {
  HeapReader reader = store.heap_reader();
  std::vector<GlobalHeapId> ids;
  PCIO_TRY(collect_owned(reader, SequenceMap(type), data, &ids));
  std::sort(ids.begin(), ids.end(), heap_id_less);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

Status convert(const ValueTypes& types, const NewValues& values, FileHeap& heap) {
  ConvertOptions options = types.options;
  options.sequences.destination = &heap;
  PCIO_ASSIGN(Conversion way, Conversion::make(types.memory, types.file, options));
  if (!way.needs_background()) std::fill(values.data->begin(), values.data->end(), std::byte{0});
  return way.run(static_cast<const std::byte*>(values.buffer), values.data->data(),
                 static_cast<std::size_t>(types.n));
}

/// What a call puts into heaps, and what becomes of it.
struct Storing {
  std::function<Status(FileHeap&)> put;
  std::function<Bytes()>
      stored;  ///< after put(): what the other ranks take over, as long on all ranks
  std::function<Status()> keep;
};

Status store_alone(FileStore& store, const Storing& storing) {
  HeapReader reader = store.heap_reader();
  FileHeap heap(reader, &store.heaps());
  Status stored = without_throwing([&]() -> Status {
    PCIO_TRY(storing.put(heap));
    return storing.keep();
  });
  if (!stored.ok()) heap.take_back();
  return stored;
}

/// Rank 0 stores; what it allocates the others allocate as well, and take over its elements. From here to the
/// outcome no rank leaves.
class StoreTogether {
 public:
  StoreTogether(FileStore& store, const CallName& name, const Storing& storing)
      : store_(store),
        coordinator_(store.coordinator()),
        name_(name),
        storing_(storing),
        reader_(store.heap_reader()),
        heap_(reader_, &store.heaps()) {}

  Status run() {
    PCIO_TRY(store_.recover_commit(name_));
    if (is_first()) store_mine();
    PCIO_TRY(share_space());
    PCIO_TRY(coordinator_.broadcast(storing_.stored(), 0));
    if (first_stored_) mine_.unless_failed([&] { return storing_.keep(); });
    // Where rank 0 failed nobody has changed anything, and it says why.
    Status changed = mine_.status();
    if (!first_stored_ && changed.ok())
      changed = PCIO_ERROR(RESOURCE, NOSPACE, "rank 0 stored nothing");
    Status all = outcome_alike(coordinator_, name_, changed, mine_.status());
    if (!all.ok() && is_first()) heap_.take_back();
    return all;
  }

 private:
  [[nodiscard]] bool is_first() const { return coordinator_.rank() == 0; }

  void store_mine() {
    mine_.unless_failed([&] { return storing_.put(heap_); });
    mine_.even_if_failed([&] { return store_.heaps().write_filled(); });
    sizes_ = store_.heaps().take_allocated();
  }

  Status share_space() {
    std::uint64_t head[2] = {sizes_.size(), mine_.word()};
    PCIO_TRY(coordinator_.broadcast(std::as_writable_bytes(std::span(head)), 0));
    first_stored_ = head[1] == 0;
    RankStatus room;
    room.unless_failed([&] {
      if (!is_first()) sizes_.resize(static_cast<std::size_t>(head[0]));
      return Status();
    });
    std::uint64_t lacking = room.ok() ? 0 : static_cast<std::uint64_t>(coordinator_.rank()) + 1;
    PCIO_TRY(coordinator_.allreduce_max(std::span(&lacking, 1)));
    // Rank 0 holds more space than they do now.
    if (lacking != 0) {
      coordinator_.lose_metadata_call(name_, "out of memory");
      return PCIO_ERROR(
          RESOURCE, NOSPACE,
          "rank " + std::to_string(lacking - 1) + " has no memory for what rank 0 stores");
    }
    PCIO_TRY(coordinator_.broadcast(std::as_writable_bytes(std::span(sizes_)), 0));
    if (is_first()) return Status();
    const Status followed = without_throwing([&] { return store_.heaps().follow(sizes_); });
    if (!followed.ok()) coordinator_.lose_metadata_call(name_, "out of memory");
    mine_.note(followed);
    return Status();
  }

  FileStore& store_;
  Coordinator& coordinator_;
  const CallName& name_;
  const Storing& storing_;
  HeapReader reader_;
  FileHeap heap_;
  RankStatus mine_;
  std::vector<std::uint64_t> sizes_;
  bool first_stored_ = false;
};

Status put_values(FileStore& store, const CallName& name, const Storing& storing) {
  return store.coordinator().size() > 1 ? StoreTogether(store, name, storing).run()
                                        : store_alone(store, storing);
}

}  // namespace

Status store_values(FileStore& store, const CallName& name, const ValueTypes& types,
                    const NewValues& values) {
  return put_values(store, name,
                    {[&](FileHeap& heap) { return convert(types, values, heap); },
                     [&] { return Bytes(*values.data); }, [&] { return values.keeper.keep(); }});
}

Status store_object(FileStore& store, const CallName& name, ConstBytes object, Bytes heap_id) {
  return put_values(store, name,
                    {[&](FileHeap& heap) { return heap.put(object, heap_id); },
                     [&] { return heap_id; }, [] { return Status(); }});
}

Status load_values(FileStore& store, const ValueTypes& types, const std::vector<std::byte>& data,
                   void* buffer) {
  HeapReader reader = store.heap_reader();
  FileHeap heap(reader, nullptr);
  SequenceMemory memory;
  ConvertOptions options = types.options;
  options.sequences.source = &heap;
  options.sequences.memory = &memory;
  PCIO_ASSIGN(Conversion way, Conversion::make(types.file, types.memory, options));
  PCIO_TRY(reader.prepare(SequenceMap(types.file), data));
  auto* const elements = static_cast<std::byte*>(buffer);
  const auto n = static_cast<std::size_t>(types.n);
  Status converted = way.run(data.data(), elements, n);
  if (converted.ok()) {
    memory.keep();
    return converted;
  }
  memory.release_all();
  clear_sequences(types.memory, elements, n);
  return converted;
}

Result<bool> share_objects(FileStore& store, const Datatype& file_type, ConstBytes one,
                           ConstBytes other) {
  PCIO_ASSIGN(const auto mine, owned_by(store, file_type, one));
  PCIO_ASSIGN(const auto yours, owned_by(store, file_type, other));
  std::vector<GlobalHeapId> both;
  std::set_intersection(mine.begin(), mine.end(), yours.begin(), yours.end(),
                        std::back_inserter(both), heap_id_less);
  return !both.empty();
}

void let_go_values(FileStore& store, const Datatype& file_type, ConstBytes before,
                   ConstBytes after) {
  if (file_type.is_fixed() || store.coordinator().rank() != 0) return;
  static_cast<void>(without_throwing([&]() -> Status {
    PCIO_ASSIGN(const auto old, owned_by(store, file_type, before));
    PCIO_ASSIGN(const auto now, owned_by(store, file_type, after));
    for (const GlobalHeapId& id : old)
      if (!std::binary_search(now.begin(), now.end(), id, heap_id_less)) store.heaps().let_go(id);
    return Status();
  }));
}

}  // namespace pcio
