// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/call: variable-length elements on their way to the application.

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/checked.hpp"
#include "base/without_throwing.hpp"
#include "space/place_in_extent.hpp"
#include "transfer/call/sequence_call.hpp"

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

FileAddress collection_of(ConstBytes heap_id) {
  // Nearly all: an address of eight bytes, as it lies in memory.
  if constexpr (std::endian::native == std::endian::little)
    if (FileAddress address = 0; heap_id.size() == sizeof address + sizeof(std::uint32_t)) {
      std::memcpy(&address, heap_id.data(), sizeof address);
      return address;
    }
  return load_global_heap_id(heap_id).collection;
}

}  // namespace

Status SequenceCall::read(TransferReport* report, const Status& checked) {
  const Status ready = checked.ok() ? without_throwing([&] { return make_ready(); }) : checked;
  if (ready.ok() && !slices_.empty()) return read_slices(report);
  writes_before_ = dataset_->sequence_writes;
  PCIO_TRY(move(stored_, report, ready));
  Status converted = without_throwing([&] { return deliver(request_.memory_space.selected()); });
  if (is_collective()) converted = store_.coordinator().outcome(name_, converted);
  if (converted.ok())
    memory_.keep();
  else
    take_back();
  return converted;
}

std::uint64_t SequenceCall::flat_batch_end(std::uint64_t first, std::uint64_t n) {
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
      const FileAddress collection = collection_of(id);
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

std::uint64_t SequenceCall::batch_end(std::uint64_t first, std::uint64_t n) {
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

Result<std::uint64_t> SequenceCall::plan_slices(std::uint64_t n) {
  const bool has_rows = state_.layout.cls == LayoutClass::kContiguous || state_.chunked();
  if (writes() || store_.parallel() || !has_rows || state_.external || n < 2 * kSliceElements)
    return n;
  PCIO_ASSIGN(const Dataspace file, place_in_extent(request_.file_space, state_.extent,
                                                    state_.elements(), "file dataspace"));
  if (!file.same_extent(state_.extent)) return n;
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

Status SequenceCall::read_slices(TransferReport* report) {
  PCIO_TRY(without_throwing([&] { return check_selection(); }));
  TransferReport all;
  Status done;
  for (std::size_t i = 0; i < slices_.size() && done.ok(); ++i) {
    done = without_throwing([&]() -> Status {
      stored_.file_space = state_.extent;
      PCIO_TRY(stored_.file_space.select_box(slices_[i]));
      const std::uint64_t n = slices_[i].volume().value_or(0);
      PCIO_ASSIGN(stored_.memory_space, Dataspace::simple(Dims(1, n)));
      writes_before_ = dataset_->sequence_writes;
      PCIO_TRY(move(stored_, report, Status()));
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

Status SequenceCall::deliver(std::uint64_t n) {
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
      // What the elements referred to may be others' by now.
      if (dataset_->sequence_writes != writes_before_)
        return PCIO_ERROR(DATASET, READERROR,
                          "a function of the program has written elements that are being read");
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

void SequenceCall::take_back() {
  if (request_.buffer == nullptr) return;
  memory_.release_all();
  RunCursor cursor(request_.memory_space);
  for (SequencedRun run; cursor.next(run);) {
    const std::uint64_t given =
        std::min(delivered_ - std::min(delivered_, run.sequence), run.length);
    release_sequences(request_.memory_type, memory_at(run.offset), static_cast<std::size_t>(given),
                      memory_calls(request_.props));
    clear_sequences(request_.memory_type, memory_at(run.offset),
                    static_cast<std::size_t>(run.length));
  }
}

}  // namespace pcio
