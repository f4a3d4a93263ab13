// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/call: transfer_sequences.

#include "transfer/call/sequence_transfer.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

#include "agree/outcome_alike.hpp"
#include "base/checked.hpp"
#include "base/without_throwing.hpp"
#include "plan/interval_union.hpp"
#include "plan/transfer_runs.hpp"
#include "space/place_in_extent.hpp"
#include "space/runs.hpp"
#include "storage/chunks/chunk_images.hpp"
#include "storage/commit/commit.hpp"
#include "storage/dataset/allocation.hpp"
#include "storage/file/chunk_lookup.hpp"
#include "transfer/call/dataset_transfer.hpp"
#include "transfer/call/sequence_fill.hpp"
#include "transfer/filtered/pending_chunks.hpp"
#include "transfer/job/transfer_facts.hpp"
#include "transfer/job/transfer_job.hpp"

namespace pcio {

namespace {

/// Elements are converted together while what they refer to has fewer bytes than this ...
constexpr std::uint64_t kSequenceBatchBytes = 16 << 20;
/// ... and while they are fewer than this.
constexpr std::uint64_t kSequenceBatchElements = 1 << 18;
/// But while what they refer to lies together in collections, no more than this: so it stays in the
/// processor's cache until it is copied.
constexpr std::uint64_t kDenseBatchBytes = 1 << 20;
/// Elements of a serial file that are read together, at least, where they lie one behind the other:
/// memory that is used again needs none of the system's.
constexpr std::uint64_t kSliceElements = 1 << 16;
/// Collections that are kept for the next batch.
constexpr std::uint64_t kKeptHeapBytes = 64 << 20;
/// The same where they lie together.
constexpr std::uint64_t kKeptDenseBytes = 2 << 20;
/// Elements that are converted together only to count what they need, or one. Bytes.
constexpr std::uint64_t kCountedBytes = 16 << 10;

SequenceMemoryCalls memory_calls(const TransferProps& props) {
  SequenceMemoryCalls calls;
  calls.allocate = reinterpret_cast<void* (*)(std::size_t, void*)>(props.vlen_allocate.function);
  calls.allocate_data = props.vlen_allocate.data;
  calls.free = reinterpret_cast<void (*)(void*, void*)>(props.vlen_free.function);
  calls.free_data = props.vlen_free.data;
  return calls;
}

struct FreeMemory {
  void operator()(std::byte* memory) const { std::free(memory); }
};
using ClearMemory = std::unique_ptr<std::byte, FreeMemory>;
/// Zeros; new memory of the system has them without being written.
ClearMemory clear_memory(std::size_t size) {
  ClearMemory memory(static_cast<std::byte*>(std::calloc(std::max<std::size_t>(size, 1), 1)));
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

bool is_zero(ConstBytes bytes) {
  return bytes.empty() || (bytes[0] == std::byte{0} &&
                           std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0);
}

void sort_ids(std::vector<GlobalHeapId>& ids) {
  std::sort(ids.begin(), ids.end(), heap_id_less);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}

/// The elements of one call as the dataset has them, and the way to the application's.
class SequenceCall {
 public:
  SequenceCall(FileStore& store, const StoredObjectPtr& dataset, const TransferRequest& request,
               const CallName& name)
      : store_(store),
        dataset_(dataset),
        state_(*dataset->dataset),
        request_(request),
        name_(name),
        reader_(store.heap_reader()),
        memory_(memory_calls(request.props)) {
    // Also a rank without memory for the rest meets the others.
    facts_.object = dataset->address;
    stored_.direction = request.direction;
    stored_.props.mode = request.props.mode;
  }

  Status read(TransferReport* report, const Status& checked) {
    const Status ready = checked.ok() ? without_throwing([&] { return make_ready(); }) : checked;
    if (ready.ok() && !slices_.empty()) return read_slices(report);
    PCIO_TRY(move_elements(store_, dataset_, stored_, report, name_, ready));
    Status converted = without_throwing([&] { return deliver(request_.memory_space.selected()); });
    if (is_collective()) converted = store_.coordinator().outcome(name_, converted);
    if (converted.ok())
      memory_.keep();
    else
      take_back();
    return converted;
  }

  /// What can be found wrong with the arguments.
  Status check() {
    PCIO_TRY(make_ready());
    return writes() ? check_possible() : check_selection();
  }

  /// Of a file that one rank has.
  Status write_alone(TransferReport* report, const Status& checked) {
    PCIO_TRY(Status(checked));
    PCIO_TRY(make_ready());
    PCIO_TRY(check_possible());
    PCIO_TRY(store_.recover_commit(name_));
    PCIO_TRY(fill_around());
    PCIO_TRY(read_old());
    FileHeap heap(reader_, &store_.heaps());
    // From here on elements may refer to what was put, also where not all of them get to the file.
    if (Status put = without_throwing([&] { return put_alone(heap); }); !put.ok()) {
      heap.take_back();
      return put;
    }
    PCIO_TRY(move_elements(store_, dataset_, stored_, report, name_, Status()));
    for (const GlobalHeapId& id : old_ids_) store_.heaps().let_go(id);
    return Status();
  }

  Status put_alone(FileHeap& heap) {
    PCIO_TRY(convert_all(heap));
    if (!heap.has_put() || !overwrites_committed_) return Status();
    // What the references are to lead to, and the end of file behind it, before them.
    return commit_file(store_, CommitKind::kFlush, name_, Status(), pending_work(store_, name_),
                       UnencodedChunks::kPassOver);
  }

  /// Of a file that several ranks have.
  Status write_together(TransferReport* report, const Status& checked) {
    const Status ready = checked.ok() ? without_throwing([&] { return prepare_write(); }) : checked;
    report->used = true;
    Coordinator& coordinator = store_.coordinator();
    PCIO_ASSIGN(const GlobalFacts facts, coordinator.agree(name_, to_local(facts_), ready));
    const AgreedSequences agreed = agreed_sequences(facts);
    // Nobody gets space before a commit that failed is completed.
    PCIO_TRY(store_.recover_commit(name_));
    if (agreed.lacks_places) PCIO_TRY(fill_missing());
    TransferReport ignored;
    PCIO_TRY(move_elements(store_, dataset_, old_, &ignored, name_, Status()));
    HeapPlace place;
    PCIO_TRY(agree_on_places(coordinator, store_.sizes(), facts_.demand, agreed.sum, &place));
    PCIO_TRY(write_objects(agreed, place));
    Status written;
    if (agreed.commits_first) written = commit_file(store_, CommitKind::kFlush, name_, Status());
    if (!written.ok()) {
      release_regions();
      return written;
    }
    PCIO_TRY(move_elements(store_, dataset_, stored_, report, name_, Status()));
    return let_go_of_old();
  }

 private:
  [[nodiscard]] bool writes() const { return request_.direction == Direction::kWrite; }
  [[nodiscard]] bool is_collective() const {
    return store_.parallel() && request_.props.mode == TransferMode::kCollective;
  }

  /// The request for what lies in the dataset, and a buffer for it.
  Status make_ready() {
    map_.emplace(state_.type);
    stored_ = request_;
    stored_.elements = ElementView::kAsStored;
    stored_.memory_type = state_.type;
    stored_.props.transform = nullptr;
    const auto& transform = request_.props.transform;
    if (transform != nullptr && !transform->is_identity())
      return PCIO_ERROR(DATASET, UNSUPPORTED, "a data transform of variable-length data");
    const std::uint64_t n = request_.memory_space.selected();
    if (n > 0 && request_.buffer == nullptr) return PCIO_ERROR(ARGS, BADVALUE, "no buffer given");
    PCIO_ASSIGN(const std::uint64_t together, plan_slices(n));
    const auto bytes = checked_mul<std::uint64_t>(together, state_.element_size());
    if (!bytes) return PCIO_ERROR(DATASET, OVERFLOW, "more elements than fit memory");
    PCIO_TRY(check_place(n));
    block_size_ = static_cast<std::size_t>(*bytes);
    block_ = clear_memory(block_size_);
    cursor_.emplace(request_.memory_space);
    keeps_at_once_ = map_->is_flat() && request_.memory_type.type_class() == TypeClass::kVlen;
    stored_.buffer = block_.get();
    Dims dims(1, n);
    PCIO_ASSIGN(stored_.memory_space, Dataspace::simple(dims));
    return writes() ? Status() : make_conversion(nullptr);
  }

  /// The size of an element is only what the file says: no memory for what the file does not have.
  [[nodiscard]] Status check_place(std::uint64_t selected) const {
    const FileAddress address = state_.layout.address;
    if (state_.layout.cls != LayoutClass::kContiguous || state_.external ||
        address == kUndefinedAddress || selected == 0)
      return Status();
    PCIO_ASSIGN(const std::uint64_t bytes, state_.data_bytes());
    if (store_.bytes().holds(address, bytes)) return Status();
    return PCIO_ERROR(DATASET, BADRANGE,
                      std::to_string(bytes) + " bytes of data at address " +
                          std::to_string(address) + " are outside the file");
  }

  Status make_conversion(SequenceHeap* target) {
    ConvertOptions options = request_.conversion;
    options.sequences = SequencePlaces();
    if (writes()) {
      options.sequences.destination = target;
    } else {
      source_ = std::make_unique<FileHeap>(reader_, nullptr);
      options.sequences.source = source_.get();
      options.sequences.memory = &memory_;
    }
    const Datatype& from = writes() ? request_.memory_type : state_.type;
    const Datatype& to = writes() ? state_.type : request_.memory_type;
    PCIO_ASSIGN(conversion_, Conversion::make(from, to, options));
    return Status();
  }

  /// What this rank can find wrong, and how much it has for the heaps.
  Status prepare_write() {
    PCIO_TRY(make_ready());
    PCIO_TRY(check_possible());
    old_ = stored_;
    old_.direction = Direction::kRead;
    CountingHeap counted(store_.sizes());
    PCIO_TRY(make_conversion(&counted));
    const std::uint64_t step =
        std::clamp<std::uint64_t>(kCountedBytes / state_.element_size(), 1,
                                  std::max<std::uint64_t>(1, request_.memory_space.selected()));
    std::vector<std::byte> elements(static_cast<std::size_t>(step * state_.element_size()));
    RunCursor cursor(request_.memory_space);
    for (Run run; cursor.next(run);)
      for (std::uint64_t i = 0; i < run.length; i += step)
        PCIO_TRY(conversion_->run(memory_at(run.offset + i), elements.data(),
                                  static_cast<std::size_t>(std::min(step, run.length - i))));
    facts_.demand = counted.demand();
    facts_.commits_first = overwrites_committed_ && !facts_.demand.empty();
    return Status();
  }

  /// Everything that the new elements refer to. Collective: over the file.
  Status write_objects(const AgreedSequences& agreed, HeapPlace place) {
    const Status given = without_throwing([&] { return allocate_regions(agreed.sum); });
    Status mine = given;
    if (mine.ok())
      mine = without_throwing([&]() -> Status {
        move_place(regions_, &place);
        PCIO_TRY(note_old());
        PlacedHeap heap(store_.sizes(), store_.bytes(), place);
        PCIO_TRY(convert_all(heap));
        return heap.finish();
      });
    Status all = outcome_alike(store_.coordinator(), name_, given, mine);
    if (!all.ok()) release_regions();
    return all;
  }

  /// Collective: pure; the same on all ranks. Where others may still be writing what was given up, that
  /// is not used before a commit.
  Status allocate_regions(const HeapDemand& sum) {
    FileSpace& space = store_.space();
    if (sum.own > 0) {
      PCIO_ASSIGN(regions_.own, space.allocate(sum.own, SpaceUse::kRawDataFreeAtCommit));
      given_.push_back({regions_.own, sum.own});
    }
    if (sum.shared > 0) {
      const std::uint64_t bytes = shared_heap_bytes(sum, store_.sizes());
      PCIO_ASSIGN(regions_.shared, space.allocate(bytes, SpaceUse::kRawDataFreeAtCommit));
      given_.push_back({regions_.shared, bytes});
    }
    return Status();
  }
  void release_regions() {
    undo_or_tell(store_, [&] {
      for (const ByteRange& range : given_) store_.space().release(range);
    });
  }

  /// The elements are in the file: this rank lacking memory loses room at most.
  Status let_go_of_old() {
    static_cast<void>(without_throwing([&] {
      for (const GlobalHeapId& id : old_ids_) store_.heaps().let_go(id);
      return Status();
    }));
    return Status();
  }

  /// The end of a batch of elements that begins at `first`, and the collections that it refers to, where
  /// each element refers to one object.
  std::uint64_t flat_batch_end(std::uint64_t first, std::uint64_t n) {
    constexpr std::uint64_t kStep = 1024;
    const std::uint64_t most = std::min(n, first + kSequenceBatchElements);
    std::uint64_t end = first, bytes = 0;
    FileAddress last = kUndefinedAddress;
    HeapReferences at = map_->references(block_.get() + first * state_.element_size());
    is_dense_ = false;
    while (end < most && bytes < kSequenceBatchBytes && !is_dense_) {
      for (const std::uint64_t next = std::min(most, end + kStep); end < next; ++end) {
        const ConstBytes id{at.at + kSequenceCountSize, at.id_size};
        const std::uint64_t size = std::uint64_t{load_sequence_count(at.at)} * at.base_size;
        const FileAddress collection = load_global_heap_id(id).collection;
        at.at += at.step;
        if (size == 0 || collection == 0) continue;
        bytes += std::min(size, kSequenceBatchBytes);
        if (collection != last) addresses_.push_back(collection);
        last = collection;
      }
      is_dense_ = bytes > kDenseBatchBytes && addresses_.size() * kGlobalHeapMinSize < 4 * bytes;
    }
    return end;
  }

  /// The same of all others; what elements refer to.
  std::uint64_t batch_end(std::uint64_t first, std::uint64_t n) {
    constexpr std::uint64_t kStep = 1024;
    const std::size_t size = state_.element_size();
    std::uint64_t end = first, bytes = 0;
    uses_.clear();
    while (end < n && bytes < kSequenceBatchBytes && end - first < kSequenceBatchElements) {
      const std::uint64_t next = std::min(n, end + kStep);
      const std::size_t before = uses_.size();
      // What is wrong with sizes the conversion says.
      const ConstBytes some = block().subspan(static_cast<std::size_t>(end * size),
                                              static_cast<std::size_t>((next - end) * size));
      if (!map_->collect(some, &uses_).ok()) return next;
      for (std::size_t i = before; i < uses_.size(); ++i)
        bytes += std::min(uses_[i].size, kSequenceBatchBytes);
      end = next;
    }
    return end;
  }

  /// Where elements of a serial file are read some at a time: rows of a box, whole chunks. How many are
  /// together, at most.
  Result<std::uint64_t> plan_slices(std::uint64_t n) {
    const bool has_rows = state_.layout.cls == LayoutClass::kContiguous || state_.chunked();
    if (writes() || store_.parallel() || !has_rows || state_.external || n < 2 * kSliceElements)
      return n;
    PCIO_ASSIGN(const Dataspace file,
                place_in_extent(request_.file_space, state_.extent, "file dataspace"));
    const std::optional<Box> box = file.selected_bounds();
    const bool is_box = file.selection().kind() != SelectionKind::kPoints && box &&
                        box->ndims() > 0 && box->volume() == n && file.selected() == n;
    if (!is_box) return n;
    const std::uint64_t row = n / box->count[0];
    const std::uint64_t unit = state_.chunked() ? state_.layout.chunk_dims[0] : 1;
    const std::uint64_t step = round_up(std::max<std::uint64_t>(kSliceElements / row, 1), unit);
    const std::uint64_t end = box->start[0] + box->count[0];
    std::uint64_t most = 0;
    for (std::uint64_t at = box->start[0]; at < end;) {
      Box slice = *box;
      const std::uint64_t next = std::min(end, (at / unit) * unit + step);
      slice.start[0] = at;
      slice.count[0] = next - at;
      most = std::max(most, slice.count[0] * row);
      slices_.push_back(slice);
      at = next;
    }
    return most;
  }

  Status read_slices(TransferReport* report) {
    PCIO_TRY(without_throwing([&] { return check_selection(); }));
    TransferReport all;
    Status done;
    for (std::size_t i = 0; i < slices_.size() && done.ok(); ++i) {
      done = without_throwing([&]() -> Status {
        stored_.file_space = state_.extent;
        PCIO_TRY(stored_.file_space.select_box(slices_[i]));
        const std::uint64_t n = slices_[i].volume().value_or(0);
        PCIO_ASSIGN(stored_.memory_space, Dataspace::simple(Dims(1, n)));
        PCIO_TRY(move_elements(store_, dataset_, stored_, report, name_, Status()));
        return deliver(n);
      });
      all.counts += report->counts;
      all.nanoseconds += report->nanoseconds;
      all.spent += report->spent;
      all.bytes_selected += report->bytes_selected;
      all.chunks_touched += report->chunks_touched;
    }
    report->counts = all.counts;
    report->nanoseconds = all.nanoseconds;
    report->spent = all.spent;
    report->touched.reset();  // of the last slice
    report->bytes_selected = all.bytes_selected;
    report->chunks_touched = all.chunks_touched;
    if (done.ok())
      memory_.keep();
    else
      take_back();
    return done;
  }

  /// From the next `n` elements of the dataset to the application's.
  Status deliver(std::uint64_t n) {
    const std::size_t size = state_.element_size();
    SequencedRun& run = run_;
    for (std::uint64_t first = 0; first < n;) {
      const bool flat = map_->is_flat();
      const std::uint64_t end = flat ? flat_batch_end(first, n) : batch_end(first, n);
      if (reader_.bytes() > (is_dense_ ? kKeptDenseBytes : kKeptHeapBytes)) reader_.forget();
      PCIO_TRY(flat ? reader_.prepare(addresses_) : reader_.prepare(uses_));
      while (first < end) {
        if (run.length == 0 && !cursor_->next(run)) return Status();
        const std::uint64_t count = std::min(run.length, end - first);
        PCIO_TRY(conversion_->run(block_.get() + first * size, memory_at(run.offset),
                                  static_cast<std::size_t>(count)));
        run.offset += count;
        run.length -= count;
        first += count;
        if (!keeps_at_once_) continue;
        delivered_ += count;
        memory_.keep();
      }
    }
    return Status();
  }

  [[nodiscard]] ConstBytes block() const { return {block_.get(), block_size_}; }
  [[nodiscard]] std::byte* memory_at(std::uint64_t element) const {
    return request_.buffer + element * request_.memory_type.size();
  }

  /// A program may reclaim what it got of a call that failed.
  void take_back() {
    if (request_.buffer == nullptr) return;
    memory_.release_all();
    RunCursor cursor(request_.memory_space);
    for (SequencedRun run; cursor.next(run);) {
      const std::uint64_t given =
          std::min(delivered_ - std::min(delivered_, run.sequence), run.length);
      release_sequences(request_.memory_type, memory_at(run.offset),
                        static_cast<std::size_t>(given), memory_calls(request_.props));
      clear_sequences(request_.memory_type, memory_at(run.offset),
                      static_cast<std::size_t>(run.length));
    }
  }

  Status check_selection() {
    TransferJob job(store_, dataset_, stored_, Effort::kPerform);
    return job.prepare();
  }

  /// What could be found wrong with the bytes is found before objects are made.
  Status check_possible() {
    TransferJob job(store_, dataset_, stored_, Effort::kPerform);
    PCIO_TRY(job.prepare());
    PCIO_TRY(find_places(job.file()));
    PCIO_TRY(check_fill());
    if (facts_.lacks_places) return find_missing(job.file());
    return fills_around_ ? find_around(job.file()) : Status();
  }

  /// Whether elements that a commit has written are overwritten where they are; whether some have no
  /// place yet. Chunks with filters, and data in the header, get to the file with a commit.
  Status find_places(const Dataspace& file) {
    if (state_.fill_has_objects() && !request_.is_fill) PCIO_TRY(find_lack());
    if (file.selected() == 0 || state_.layout.cls == LayoutClass::kCompact) return Status();
    const auto look_at = [&](FileAddress address) {
      if (address == kUndefinedAddress)
        lacks_places_ = true;
      else if (dataset_->committed && !store_.space().is_uncommitted(address))
        overwrites_committed_ = true;
    };
    if (!state_.chunked()) {
      look_at(state_.layout.address);
      return Status();
    }
    PCIO_TRY(load_selected_chunks(store_, dataset_, file));
    const ChunkIndex& index = *state_.index;
    if (state_.filtered()) {
      PCIO_ASSIGN(const bool all, selected_chunks_exist(store_, dataset_, file));
      lacks_places_ = lacks_places_ || !all;
      return Status();
    }
    for_each_chunk(file, index.grid().chunk(),
                   [&](const Dims& at) { look_at(index.address_of(index.grid().ordinal(at))); });
    return Status();
  }

  /// A write gives all of the dataset its space, whatever it selects.
  [[nodiscard]] bool gives_all() const {
    if (allocates_at_once(store_, state_)) return true;
    return state_.filtered() && state_.fill.allocation == AllocTime::kLate &&
           state_.index->allocated_count() == 0;
  }
  Status find_lack() {
    if (state_.layout.cls == LayoutClass::kCompact || !allocates_at_once(store_, state_))
      return Status();
    if (!state_.chunked()) {
      lacks_places_ = state_.layout.address == kUndefinedAddress;
      return Status();
    }
    PCIO_TRY(store_.datasets().load_chunk_index(dataset_));
    lacks_places_ = state_.index->allocated_count() < state_.index->grid().count();
    return Status();
  }

  /// Each filled element would need an object of its own.
  Status check_fill() {
    PCIO_ASSIGN(const bool all, collect_owned(reader_, *map_, state_.fill_element(), &fill_ids_));
    if (!all)
      return PCIO_ERROR(DATASET, UNSUPPORTED,
                        "the fill value has more parts than can be looked at");
    sort_ids(fill_ids_);
    if (!lacks_places_ || !state_.fill_has_objects() || request_.is_fill) return Status();
    fills_around_ = store_.coordinator().size() == 1;
    facts_.lacks_places = !fills_around_;
    return Status();
  }

  /// Calls on_chunk(ordinal, coordinates) for the chunks that get space by this write.
  template <class OnChunk>
  void for_each_missing(const Dataspace& file, const OnChunk& on_chunk) const {
    const ChunkGrid& grid = state_.index->grid();
    const auto look_at = [&](const Dims& at) {
      if (const ChunkOrdinal chunk = grid.ordinal(at); !has_chunk(chunk)) on_chunk(chunk, at);
    };
    if (gives_all())
      for_each_position(grid.grid(), look_at);
    else
      for_each_chunk(file, grid.chunk(), look_at);
  }
  [[nodiscard]] bool has_chunk(ChunkOrdinal chunk) const {
    const ChunkIndex& index = *state_.index;
    if (!state_.filtered()) return index.address_of(chunk) != kUndefinedAddress;
    return index.filtered(chunk).has_value() ||
           (state_.chunks && state_.chunks->cache.peek(chunk) != nullptr);
  }

  Status find_missing(const Dataspace& file) {
    if (!state_.chunked()) return Status();
    PCIO_TRY(store_.datasets().load_chunk_index(dataset_));
    for_each_missing(file, [&](ChunkOrdinal chunk, const Dims&) {
      append_interval(missing_, {chunk, 1});
    });
    return Status();
  }

  /// What some rank is going to give space gets the fill value first, all of it: what the write then
  /// covers is let go. Collective: over the file.
  Status fill_missing() {
    std::vector<Box> boxes;
    Result<std::vector<OrdinalInterval>> all;
    if (state_.chunked())
      all = gather_union(store_.coordinator(), std::span<const OrdinalInterval>(missing_));
    const Status ready = without_throwing([&]() -> Status {
      if (!all) return all.error();
      if (!state_.chunked()) boxes.push_back(Box::whole(state_.extent.dims()));
      for (const OrdinalInterval& some : *all)
        for (ChunkOrdinal chunk = some.first; chunk < some.end(); ++chunk)
          boxes.push_back(state_.index->grid().box(state_.index->grid().coords(chunk)));
      return Status();
    });
    return fill_sequences(store_, dataset_, boxes, name_, ready);
  }

  /// What gets space by this write and is not all written by it.
  Status find_around(const Dataspace& file) {
    const auto add = [&](const Box& box) {
      if (file.selection().count_in(file.dims(), box) != box.volume()) around_.push_back(box);
    };
    if (!state_.chunked()) {
      add(Box::whole(file.dims()));
      return Status();
    }
    for_each_missing(file,
                     [&](ChunkOrdinal, const Dims& at) { add(state_.index->grid().box(at)); });
    return Status();
  }

  /// They get the fill value, before the others are written.
  Status fill_around() {
    if (around_.empty()) return Status();
    return fill_sequences(store_, dataset_, around_, name_, Status());
  }

  /// What the elements are before.
  Status read_old() {
    if (block_size_ == 0) return Status();
    TransferRequest old = stored_;
    old.direction = Direction::kRead;
    TransferReport report;
    PCIO_TRY(move_elements(store_, dataset_, old, &report, name_, Status()));
    return note_old();
  }

  /// The elements are those that were there before.
  Status note_old() {
    // New space, mostly.
    if (!state_.owns_objects() || is_zero(block())) return Status();
    PCIO_TRY(collect_owned(reader_, *map_, block(), &old_ids_));
    reader_.forget();
    sort_ids(old_ids_);
    return Status();
  }

  /// From the application's elements to the dataset's.
  Status convert_all(SequenceHeap& heap) {
    PCIO_TRY(make_conversion(&heap));
    const std::size_t size = state_.element_size();
    if (!conversion_->needs_background()) std::fill_n(block_.get(), block_size_, std::byte{0});
    RunCursor cursor(request_.memory_space);
    for (SequencedRun run; cursor.next(run);)
      PCIO_TRY(conversion_->run(memory_at(run.offset), block_.get() + run.sequence * size,
                                static_cast<std::size_t>(run.length)));
    // What stays is nobody's to let go, nor is what the fill value owns.
    std::vector<GlobalHeapId> stay = fill_ids_;
    if (conversion_->needs_background()) {
      PCIO_ASSIGN(const bool all, collect_owned(reader_, *map_, block(), &stay));
      // Room is lost then, and nothing that elements still refer to.
      if (!all) old_ids_.clear();
    }
    sort_ids(stay);
    std::vector<GlobalHeapId> gone;
    std::set_difference(old_ids_.begin(), old_ids_.end(), stay.begin(), stay.end(),
                        std::back_inserter(gone), heap_id_less);
    old_ids_ = std::move(gone);
    return Status();
  }

  FileStore& store_;
  const StoredObjectPtr& dataset_;
  DatasetState& state_;
  const TransferRequest& request_;
  const CallName& name_;
  std::optional<SequenceMap> map_;
  HeapReader reader_;
  SequenceMemory memory_;
  std::unique_ptr<FileHeap> source_;
  std::optional<Conversion> conversion_;
  TransferRequest stored_, old_;
  SequenceFacts facts_;
  HeapRegions regions_;
  std::vector<ByteRange> given_;
  std::vector<SequenceMap::Use> uses_;
  std::vector<FileAddress> addresses_;
  std::vector<Box> slices_;          ///< that are read one after another; none: all at once
  std::optional<RunCursor> cursor_;  ///< where they go
  SequencedRun run_{};               ///< what is left of the last run
  bool keeps_at_once_ = false;       ///< what was delivered is known by its place
  std::uint64_t delivered_ = 0;      ///< of such elements
  bool is_dense_ = false;
  ClearMemory block_;  ///< the selected elements in the file's form
  std::size_t block_size_ = 0;
  bool overwrites_committed_ = false;
  bool lacks_places_ = false;
  bool fills_around_ = false;
  std::vector<Box> around_;
  std::vector<OrdinalInterval> missing_;  ///< chunks
  std::vector<GlobalHeapId> fill_ids_;
  std::vector<GlobalHeapId> old_ids_;  ///< then those that nobody has any more
};

}  // namespace

bool has_sequences(FileStore& store, const StoredObjectPtr& dataset) {
  bool has = false;
  static_cast<void>(without_throwing([&]() -> Status {
    PCIO_ASSIGN(const DatasetState* state, store.datasets().state(dataset));
    has = !state->type.is_fixed();
    return Status();
  }));
  return has;
}

namespace {

Status check_mode(FileStore& store, const TransferRequest& request) {
  if (request.direction == Direction::kRead || store.coordinator().size() == 1 ||
      request.props.mode == TransferMode::kCollective)
    return Status();
  return PCIO_ERROR(DATASET, UNSUPPORTED,
                    "variable-length data of a file that several ranks have open can't be written "
                    "independently: write collectively (H5Pset_dxpl_mpio with "
                    "H5FD_MPIO_COLLECTIVE), ranks without data by selecting none");
}

}  // namespace

Status check_sequences(FileStore& store, const StoredObjectPtr& dataset,
                       const TransferRequest& request, const CallName& name) {
  PCIO_TRY(check_mode(store, request));
  return SequenceCall(store, dataset, request, name).check();
}

Status transfer_sequences(FileStore& store, const StoredObjectPtr& dataset,
                          const TransferRequest& request, TransferReport* report,
                          const CallName& name, const Status& checked) {
  SequenceCall call(store, dataset, request, name);
  if (request.direction == Direction::kRead) return call.read(report, checked);
  if (store.coordinator().size() == 1) return call.write_alone(report, checked);
  if (request.props.mode == TransferMode::kCollective) return call.write_together(report, checked);
  PCIO_TRY(Status(checked));
  return check_mode(store, request);
}

}  // namespace pcio
