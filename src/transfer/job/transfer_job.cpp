// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/job: TransferJob.

#include "transfer/job/transfer_job.hpp"

#include <algorithm>

#include "plan/address_lookup.hpp"
#include "plan/transfer_runs.hpp"
#include "plan/transport_choice.hpp"
#include "space/place_in_extent.hpp"
#include "storage/dataset/allocation.hpp"
#include "storage/file/chunk_lookup.hpp"
#include "filter/pipeline.hpp"

namespace pcio {

namespace {

/// Pieces that are looked at to estimate how long runs are.
constexpr int kSampledPieces = 512;

std::uint64_t mix(std::uint64_t hash, std::uint64_t word) { return (hash ^ word) * 0x100000001b3U; }

/// A dataspace with everything selected, for pieces whose memory side does not matter.
Dataspace row_of(std::uint64_t elements) {
  Dims dims(1, elements);
  auto space = Dataspace::simple(dims);
  return space ? std::move(*space) : Dataspace::null();
}

/// Bytes and contiguous runs of the file, as far as they were looked at.
class RunSample {
 public:
  void add(std::uint64_t start, std::uint64_t bytes) {
    if (bytes_ == 0 || start != end_) ++runs_;
    bytes_ += bytes;
    end_ = start + bytes;
  }
  [[nodiscard]] std::uint64_t mean() const { return runs_ == 0 ? 0 : bytes_ / runs_; }

 private:
  std::uint64_t runs_ = 0;
  std::uint64_t bytes_ = 0;
  std::uint64_t end_ = 0;
};

}  // namespace

Transport TransferJob::forced_transport() const {
  if (props().forced_transport != Transport::kNone) return props().forced_transport;
  return transport_named(store_.coordinator().environment().transport);
}

Status TransferJob::prepare() {
  PCIO_ASSIGN(state_, store_.datasets().state(object_));
  PCIO_TRY(check_possible());
  PCIO_ASSIGN(file_, place_in_extent(request_.file_space, state_->extent, state_->elements(),
                                     "file dataspace"));
  PCIO_TRY(check_transfer(file_, request_.memory_space));
  if (file_.selected() > 0 && request_.buffer == nullptr && effort_ == Effort::kPerform)
    return PCIO_ERROR(ARGS, BADVALUE, "no buffer given");
  PCIO_TRY(find_conversion());
  PCIO_TRY(find_transform());
  PCIO_TRY(count_chunks());
  if (!is_collective()) return Status();
  PCIO_TRY(sample_runs());
  if (!writes()) return reserve_broadcast();
  if (is_compact()) compact_words_.assign(state_->layout.compact_data.size(), 0);
  // Where nothing is written nothing needs space. Chunks with filters get theirs when their sizes are
  // known.
  if (file_.selected() == 0 || state_->filtered()) return Status();
  looks_up_later_ = touched_chunks_ > kBroadcastChunksPerRank && !state_->index_is_whole();
  return looks_up_later_ ? Status() : find_space();
}

/// A file that was made in serial may have datasets without space; a collective write gives it.
Status TransferJob::find_space() {
  if (state_->chunked()) {
    PCIO_ASSIGN(bool exist, selected_chunks_exist(store_, object_, file_));
    needs_allocation_ = !exist;
  } else {
    PCIO_ASSIGN(AllocationState have, allocation_state(store_, object_));
    needs_allocation_ = have != AllocationState::kAll;
  }
  return Status();
}

Status TransferJob::check_possible() const {
  PCIO_TRY(Status(state_->unsupported));
  if (state_->virtual_data)
    return PCIO_ERROR(DATASET, UNSUPPORTED,
                      "a virtual dataset is read and written by H5Dread and H5Dwrite alone, not in "
                      "a list with others");
  const std::string& asked = store_.coordinator().environment().transport;
  if (is_collective() && !asked.empty() && !row_of(transport_named(asked)).can_be_asked_for)
    return PCIO_ERROR(PLIST, BADVALUE,
                      "PCIO_TRANSPORT=" + asked + " is none of " + askable_transports());
  if (!writes()) return Status();
  if (!store_.writable())
    return PCIO_ERROR(DATASET, WRITEERROR, "the file was opened for reading only");
  if (!state_->filtered()) return Status();
  PCIO_TRY(check_encodable(state_->filters));
  return Status();
}

Status TransferJob::find_conversion() {
  form_.file_size = state_->element_size();
  form_.memory_size = form_.file_size;
  form_.staging_bytes = std::max(props().buffer_size, form_.file_size);
  if (request_.elements == ElementView::kAsStored) return Status();
  if (!state_->type.is_fixed())
    return PCIO_ERROR(DATASET, UNSUPPORTED,
                      "variable-length data can't be moved by a call for several datasets: use "
                      "H5Dread or H5Dwrite for each");
  const Datatype& from = writes() ? request_.memory_type : state_->type;
  const Datatype& to = writes() ? state_->type : request_.memory_type;
  PCIO_ASSIGN(conversion_, Conversion::make(from, to, request_.conversion));
  form_.memory_size = request_.memory_type.size();
  form_.conversion = &*conversion_;
  form_.staging_bytes = std::max({props().buffer_size, form_.file_size, form_.memory_size});
  return Status();
}

Status TransferJob::find_transform() {
  const auto& transform = props().transform;
  if (transform == nullptr || transform->is_identity()) return Status();
  PCIO_TRY(transform->check(request_.memory_type));
  form_.transform = [transform = transform.get(), type = &request_.memory_type](std::byte* data,
                                                                                std::uint64_t n) {
    return transform->apply(data, n, *type);
  };
  return Status();
}

Status TransferJob::count_chunks() {
  if (!state_->chunked()) return Status();
  touched_chunks_ = count_touched_chunks(file_, state_->layout.chunk_dims);
  return Status();
}

/// Addresses may not be known yet, so chunks are taken to lie one behind the other.
Status TransferJob::sample_runs() {
  if (file_.selected() == 0) return Status();
  const std::uint64_t size = state_->element_size();
  mean_run_ = size;
  // Points are taken to be scattered.
  if (file_.selection().kind() == SelectionKind::kPoints) return Status();
  const Dataspace memory = row_of(file_.selected());
  RunSample sample;
  Piece piece;
  int left = kSampledPieces;
  if (!state_->chunked()) {
    PieceCursor cursor(file_, memory);
    while (left-- > 0 && cursor.next(piece))
      sample.add(piece.file_element * size, piece.count * size);
  } else {
    PCIO_ASSIGN(ChunkGrid grid, state_->grid());
    ChunkPieceCursor cursor(grid, file_, memory);
    const std::uint64_t chunk = state_->chunk_bytes();
    while (left > 0 && cursor.next_chunk())
      while (left-- > 0 && cursor.next(piece))
        sample.add(cursor.ordinal() * chunk + piece.file_element * size, piece.count * size);
  }
  mean_run_ = std::max(sample.mean(), size);
  return Status();
}

/// Memory is found before the ranks agree, so that a rank without it does not leave the others.
Status TransferJob::reserve_broadcast() {
  if (bytes() == 0 || bytes() > kBroadcastBytes || store_.coordinator().size() == 1)
    return Status();
  broadcast_size_ = bytes();
  broadcast_ = std::make_unique_for_overwrite<std::byte[]>(broadcast_size_);
  return Status();
}

std::uint64_t TransferJob::bytes() const {
  return state_ == nullptr ? 0 : file_.selected() * state_->element_size();
}

std::uint64_t TransferJob::dataset_chunks() const {
  if (state_ == nullptr || !state_->chunked()) return 0;
  auto grid = state_->grid();
  return grid ? grid->count() : 0;
}

std::uint64_t TransferJob::selection_key() const {
  // Selections that are not described by a few numbers are taken to be different.
  const Selection placed = file_.selected() > 0 ? file_.placed_selection() : Selection::none();
  const bool all = placed.kind() == SelectionKind::kAll;
  if (state_ == nullptr || file_.selected() == 0 || !(all || placed.is_regular()))
    return static_cast<std::uint64_t>(store_.coordinator().rank()) + 1;
  std::uint64_t key = mix(0xcbf29ce484222325U, file_.ndims());
  // In a line the places are counted in an extent that may be this rank's own.
  for (unsigned d = 0; d < file_.ndims(); ++d) key = mix(mix(key, d), file_.dims()[d]);
  if (!all) {
    const RegularSlab& slab = placed.regular();
    for (unsigned d = 0; d < file_.ndims(); ++d)
      for (std::uint64_t word : {slab.start[d], slab.stride[d], slab.count[d], slab.block[d]})
        key = mix(key, word);
  }
  return key | std::uint64_t{1} << 63;
}

CauseFacts TransferJob::cause_facts() const {
  CauseFacts facts;
  facts.direction = request_.direction;
  facts.requested = props().mode;
  facts.collective_opt = props().collective_opt;
  facts.mpiposix = store_.driver().collective() == nullptr;
  facts.transport_forced = forced_transport() != Transport::kNone;
  facts.derived_types_disabled = !store_.coordinator().environment().derived_types;
  facts.transforms = static_cast<bool>(form_.transform);
  facts.converts = form_.converts();
  if (state_ == nullptr) return facts;
  facts.storage = state_->chunked() ? StorageForm::kChunked
                  : state_->layout.cls == LayoutClass::kContiguous && !state_->external
                      ? StorageForm::kContiguous
                      : StorageForm::kOther;
  facts.filtered = state_->filtered();
  facts.file_space = file_.cls();
  facts.memory_space = memory().cls();
  facts.file_selection = file_.selection().kind();
  facts.memory_selection = memory().selection().kind();
  facts.file_regular = traits().regular_file;
  facts.memory_regular = traits().regular_memory;
  return facts;
}

TransferTraits TransferJob::traits() const {
  auto regular = [](const Dataspace& space) {
    return space.selected() == 0 || space.selection().kind() == SelectionKind::kAll ||
           space.selection().is_regular();
  };
  TransferTraits traits;
  traits.regular_file = regular(file_);
  traits.regular_memory = regular(memory());
  traits.converted = form_.converts();
  traits.transformed = static_cast<bool>(form_.transform);
  traits.filtered = state_ != nullptr && state_->filtered();
  return traits;
}

}  // namespace pcio
