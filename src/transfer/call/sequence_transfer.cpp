// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/call: transfer_sequences, and what begins each of its calls.

#include "transfer/call/sequence_call.hpp"

#include <algorithm>
#include <new>

#include "base/checked.hpp"
#include "base/without_throwing.hpp"
#include "storage/commit/commit.hpp"
#include "transfer/call/dataset_transfer.hpp"

namespace pcio {

SequenceMemoryCalls memory_calls(const TransferProps& props) {
  SequenceMemoryCalls calls;
  calls.allocate = reinterpret_cast<void* (*)(std::size_t, void*)>(props.vlen_allocate.function);
  calls.allocate_data = props.vlen_allocate.data;
  calls.free = reinterpret_cast<void (*)(void*, void*)>(props.vlen_free.function);
  calls.free_data = props.vlen_free.data;
  return calls;
}

namespace {

/// Zeros; new memory of the system has them without being written.
ClearMemory clear_memory(std::size_t size) {
  ClearMemory memory(static_cast<std::byte*>(std::calloc(std::max<std::size_t>(size, 1), 1)));
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

SequenceCall::SequenceCall(FileStore& store, const StoredObjectPtr& dataset,
                           const TransferRequest& request, const CallName& name)
    : store_(store),
      dataset_(dataset),
      state_(*dataset->dataset),
      request_(request),
      name_(name),
      beside_(store),
      reader_(store.heap_reader()),
      memory_(memory_calls(request.props)) {
  // Also a rank without memory for the rest meets the others.
  facts_.object = dataset->address;
  stored_.direction = request.direction;
  stored_.props.mode = request.props.mode;
}

Status SequenceCall::check() {
  PCIO_TRY(make_ready());
  if (!writes()) return check_selection();
  CountingHeap counted(store_.sizes());
  PCIO_TRY(make_conversion(&counted));
  return check_possible();
}

Status SequenceCall::make_ready() {
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

Status SequenceCall::check_place(std::uint64_t selected) const {
  const FileAddress address = state_.layout.address;
  if (state_.layout.cls != LayoutClass::kContiguous || state_.external ||
      address == kUndefinedAddress || selected == 0)
    return Status();
  PCIO_ASSIGN(const std::uint64_t bytes, state_.data_bytes());
  if (store_.bytes().holds(address, bytes)) return Status();
  return PCIO_ERROR(DATASET, BADRANGE,
                    std::to_string(bytes) + " bytes of data at address " + std::to_string(address) +
                        " are outside the file");
}

Status SequenceCall::make_conversion(SequenceHeap* target) {
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

Status SequenceCall::check_selection() {
  TransferJob job(store_, dataset_, stored_, Effort::kPerform);
  return job.prepare();
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

Status SequenceCall::transfer(TransferReport* report, const Status& checked) {
  if (!writes()) return read(report, checked);
  if (store_.coordinator().size() == 1) return write_alone(report, checked);
  if (is_collective()) return write_together(report, checked);
  PCIO_TRY(Status(checked));
  return check_mode(store_, request_);
}

Status SequenceCall::move(const TransferRequest& request, TransferReport* report,
                          const Status& checked) {
  return beside_.leave_out(
      [&] { return move_elements(store_, dataset_, request, report, name_, checked); });
}

Status SequenceCall::read_before(const TransferRequest& old) {
  TransferReport report;
  Status moved = move(old, &report, Status());
  beside_.add(report);
  return moved;
}

bool has_sequences(FileStore& store, const StoredObjectPtr& dataset) {
  bool has = false;
  static_cast<void>(without_throwing([&]() -> Status {
    PCIO_ASSIGN(const DatasetState* state, store.datasets().state(dataset));
    has = !state->type.is_fixed();
    return Status();
  }));
  return has;
}

Status check_sequences(FileStore& store, const StoredObjectPtr& dataset,
                       const TransferRequest& request, const CallName& name) {
  PCIO_TRY(check_mode(store, request));
  return SequenceCall(store, dataset, request, name).check();
}

Status transfer_sequences(FileStore& store, const StoredObjectPtr& dataset,
                          const TransferRequest& request, TransferReport* report,
                          const CallName& name, const Status& checked) {
  // Also of one that fails before elements are moved.
  *report = TransferReport();
  report->used = true;
  report->direction = request.direction;
  report->requested.mode = request.props.mode;
  SequenceCall call(store, dataset, request, name);
  Status moved = call.transfer(report, checked);
  call.finish(report);
  report->succeeded = moved.ok();
  return moved;
}

}  // namespace pcio
