// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer: transfer_dataset. One page: facts, agreement, plan, execution, outcome, report.

#include "transfer/dataset_transfer.hpp"

#include <algorithm>
#include <optional>

#include "base/checked.hpp"
#include "plan/transfer_runs.hpp"
#include "storage/allocation.hpp"
#include "storage/filter_pipeline.hpp"
#include "transfer/transfer_plan.hpp"

namespace pcio {

namespace {

/// Bits of LocalFacts::any_flags.
constexpr std::uint64_t kNeedsAllocation = 1;

constexpr std::size_t kStagingBytes = std::size_t{4} << 20;

/// One transfer on its way through its steps.
class Transfer {
 public:
  Transfer(FileStore& store, const StoredObjectPtr& object, const TransferRequest& request,
           TransferReport* report, const CallName& name)
      : store_(store), object_(object), request_(request), report_(report), name_(name) {}

  Status run(const Status& checked) {
    begin_report();
    Status status = is_collective() ? run_collective(checked) : run_independent(checked);
    finish_report(status);
    return status;
  }

 private:
  [[nodiscard]] bool writes() const { return request_.direction == Direction::kWrite; }
  [[nodiscard]] bool is_collective() const {
    return store_.parallel() && request_.props.mode == TransferMode::kCollective;
  }

  Status run_independent(const Status& checked) {
    if (store_.parallel()) report_->local_causes = report_->global_causes = cause::kSetIndependent;
    PCIO_TRY(Status(checked));
    PCIO_TRY(prepare());
    return move(store_.parallel() ? Unallocated::kIsError : Unallocated::kIsAllocated);
  }

  /// Every rank makes the same exchanges whatever happens to it.
  Status run_collective(const Status& checked) {
    Status local = checked.ok() ? caught([&] { return prepare(); }) : checked;
    LocalFacts facts = local_facts();
    auto agreed = store_.coordinator().agree(name_, facts, local);
    if (!agreed) return std::move(agreed.error());
    report_->global_causes = agreed->causes;
    choose_reported_modes(agreed->causes);
    Status status;
    if ((agreed->any_flags & kNeedsAllocation) != 0) status = allocate_together();
    if (writes() && is_compact())
      status = write_compact_together();
    else if (status.ok())
      status = caught([&] { return move(Unallocated::kIsAllocated); });
    return store_.coordinator().outcome(name_, status);
  }

  /// Everything that can be found wrong before anything is moved or communicated.
  Status prepare() {
    PCIO_ASSIGN(state_, store_.dataset(object_));
    PCIO_TRY(Status(state_->unsupported));
    if (writes() && !store_.writable())
      return PCIO_ERROR(DATASET, WRITEERROR, "the file was opened for reading only");
    if (writes() && state_->filtered())
      return PCIO_ERROR(PLINE, UNSUPPORTED,
                        "writing with filters (" + filter_label(state_->filters.front()) +
                            ") is not supported yet");
    if (!request_.props.data_transform.empty())
      return PCIO_ERROR(PLIST, UNSUPPORTED,
                        "data transforms (H5Pset_data_transform) are not supported yet");
    PCIO_ASSIGN(file_, rebase_selection(state_->extent, request_.file_space));
    PCIO_TRY(check_transfer(file_, request_.memory_space));
    if (file_.selected() > 0 && request_.buffer == nullptr)
      return PCIO_ERROR(ARGS, BADVALUE, "no buffer given");
    PCIO_TRY(find_conversion());
    report_->bytes_selected = file_.selected() * state_->element_size();
    if (writes() && is_compact()) words_.assign(state_->layout.compact_data.size(), 0);
    return find_unallocated();
  }

  Status find_conversion() {
    const Datatype& from = writes() ? request_.memory_type : state_->type;
    const Datatype& to = writes() ? state_->type : request_.memory_type;
    PCIO_ASSIGN(conversion_, Conversion::make(from, to, request_.conversion));
    form_.file_size = state_->element_size();
    form_.memory_size = request_.memory_type.size();
    form_.conversion = &*conversion_;
    form_.staging_bytes =
        form_.converts() ? std::max(request_.props.buffer_size, form_.file_size) : kStagingBytes;
    return Status();
  }

  /// A file that was made in serial may have datasets without space; a collective write gives it.
  Status find_unallocated() {
    if (!writes() || !is_collective()) return Status();
    PCIO_ASSIGN(AllocationState have, allocation_state(store_, object_));
    needs_allocation_ = have != AllocationState::kAll && state_->extent.npoints() > 0;
    return Status();
  }

  LocalFacts local_facts() {
    LocalFacts facts;
    facts.call_kind = writes() ? CallKind::kWrite : CallKind::kRead;
    facts.object = object_->address;
    facts.bytes = report_->bytes_selected;
    facts.any_flags = needs_allocation_ ? kNeedsAllocation : 0;
    CauseBits causes = 0;
    if (request_.props.collective_opt == CollectiveOpt::kIndividualIo)
      causes |= cause::kSetIndependent;
    if (store_.driver().collective() == nullptr) causes |= cause::kMpiposix;
    if (is_compact()) causes |= cause::kNotContiguousOrChunked;
    report_->local_causes = causes;
    facts.causes = causes;
    return facts;
  }

  /// The protocol that the ranks follow from here on. The I/O mode is reported on success only.
  void choose_reported_modes(CauseBits causes) {
    bool collective = causes == 0;
    if (!state_->chunked()) {
      io_mode_ = collective ? ActualIoMode::kContiguousCollective : ActualIoMode::kNoCollective;
    } else if (collective) {
      report_->chunk_opt = ActualChunkOpt::kLinkChunk;
      io_mode_ = ActualIoMode::kChunkCollective;
    } else if ((causes & ~cause::kSetIndependent) == 0) {
      report_->chunk_opt = ActualChunkOpt::kAllIndependent;
      io_mode_ = ActualIoMode::kChunkIndependent;
    }
  }

  Status allocate_together() {
    auto unfilled = allocate_all(store_, object_);
    Status status = unfilled ? write_fill(store_, *state_, *unfilled) : unfilled.error();
    // Nobody writes data before everybody's fill is in the file.
    return store_.coordinator().outcome(name_, status);
  }

  /// Between agreements nobody may leave by an exception.
  template <class F>
  static Status caught(F&& step) {
    try {
      return step();
    } catch (const std::bad_alloc&) {
      return PCIO_ERROR(RESOURCE, NOSPACE, "out of memory");
    }
  }

  Status move(Unallocated for_writes) {
    if (file_.selected() == 0) return Status();
    if (is_compact()) return move_compact();
    if (state_->filtered()) return read_filtered();
    if (for_writes == Unallocated::kIsAllocated && conversion_->needs_background())
      for_writes = Unallocated::kIsAllocatedFilled;
    PCIO_ASSIGN(TransferPlan plan, plan_transfer(store_, object_, file_, request_.memory_space,
                                                 writes() ? for_writes : Unallocated::kIsMissing));
    report_->chunks_touched = plan.chunks;
    PCIO_TRY(fill_missing(plan.missing));
    return move_pieces(plan.pieces, store_.bytes());
  }

  Status move_pieces(std::vector<FilePiece>& pieces, PieceStore& store) {
    if (writes()) keep_last_writes(pieces, form_.file_size);
    return execute_pieces(request_.direction, pieces, form_, request_.buffer, store);
  }

  [[nodiscard]] bool is_compact() const {
    return state_ != nullptr && state_->layout.cls == LayoutClass::kCompact;
  }

  Status move_compact() {
    TransferPlan plan = plan_compact(*state_, file_, request_.memory_space);
    ImageStore image(state_->layout.compact_data);
    PCIO_TRY(move_pieces(plan.pieces, image));
    if (writes()) store_.touch_compact(object_, name_.object);
    return Status();
  }

  /// Every rank holds a copy of a compact dataset, so all must take over what each one writes: of
  /// ranks that write the same byte the highest wins. One exchange of 8 bytes per byte, at most
  /// 512 KiB.
  Status write_compact_together() {
    std::vector<std::byte>& data = state_->layout.compact_data;
    Status mine = caught([&] { return mark_compact_bytes(); });
    // Ranks that failed have marked nothing.
    PCIO_TRY(store_.coordinator().allreduce_max(words_));
    for (std::size_t i = 0; i < data.size(); ++i)
      if (words_[i] != 0) data[i] = static_cast<std::byte>(words_[i] & 0xFF);
    store_.touch_compact(object_, name_.object);
    return mine;
  }

  /// words_: for each byte that this rank writes its number, from 1, and the byte.
  Status mark_compact_bytes() {
    if (file_.selected() == 0) return Status();
    TransferPlan plan = plan_compact(*state_, file_, request_.memory_space);
    std::vector<std::byte> mine = state_->layout.compact_data;
    ImageStore image(mine);
    PCIO_TRY(move_pieces(plan.pieces, image));
    auto number = static_cast<std::uint64_t>(store_.coordinator().rank()) + 1;
    for (const FilePiece& piece : plan.pieces)
      for (std::size_t i = piece.address; i < piece.address + piece.count * form_.file_size; ++i)
        words_[i] = number << 8 | static_cast<std::uint64_t>(mine[i]);
    return Status();
  }

  /// Elements that were never given space read as the fill value.
  Status fill_missing(std::span<const FilePiece> pieces) {
    if (pieces.empty() || state_->fill.state == FillState::kUndefined) return Status();
    std::vector<std::byte> element = state_->fill_element();
    std::vector<std::byte> in_memory(form_.memory_size);
    PCIO_TRY(conversion_->run(element.data(), in_memory.data(), 1));
    fill_pieces(pieces, in_memory, request_.buffer);
    return Status();
  }

  Status read_filtered() {
    PCIO_TRY(store_.load_chunk_index(object_));
    ChunkPieceCursor cursor(state_->index->grid(), file_, request_.memory_space);
    std::vector<FilePiece> pieces;
    while (cursor.next_chunk()) {
      ++report_->chunks_touched;
      pieces.clear();
      for (Piece piece; cursor.next(piece);)
        pieces.push_back({piece.file_element * form_.file_size, piece.memory_element, piece.count});
      const FilteredChunk* chunk = state_->index->filtered(cursor.ordinal());
      PCIO_TRY(chunk == nullptr ? fill_missing(pieces)
                                : read_filtered_chunk(*chunk, cursor.coords(), pieces));
    }
    return Status();
  }

  Status read_filtered_chunk(const FilteredChunk& chunk, const Dims& coords,
                             std::span<const FilePiece> pieces) {
    if (!fits_inside(chunk.address, chunk.size, store_.bytes().end()))
      return PCIO_ERROR(DATASET, TRUNCATED, "a chunk lies outside the file");
    std::vector<std::byte> stored(static_cast<std::size_t>(chunk.size));
    PCIO_TRY(store_.bytes().read(chunk.address, stored));
    const ChunkGrid& grid = state_->index->grid();
    bool plain =
        state_->layout.partial_edge_unfiltered && !(grid.box(coords) == grid.full_box(coords));
    PCIO_ASSIGN(auto image,
                decode_chunk(plain ? FilterPipeline() : state_->filters, std::move(stored),
                             chunk.filter_mask, state_->chunk_bytes()));
    ImageStore store(image);
    return execute_pieces(Direction::kRead, pieces, form_, request_.buffer, store);
  }

  void begin_report() {
    *report_ = TransferReport();
    report_->used = true;
    report_->direction = request_.direction;
    report_->requested = requested_of(request_.props);
    before_ = store_.driver().counters();
  }

  void finish_report(const Status& status) {
    const IoCounters& now = store_.driver().counters();
    IoCounts& counts = report_->counts;
    bool mpi_io = store_.driver().collective() != nullptr;
    (mpi_io ? counts.independent_writes : counts.posix_writes) =
        now.independent_writes - before_.independent_writes;
    (mpi_io ? counts.independent_reads : counts.posix_reads) =
        now.independent_reads - before_.independent_reads;
    counts.collective_writes = now.collective_writes - before_.collective_writes;
    counts.collective_reads = now.collective_reads - before_.collective_reads;
    counts.view_changes = now.set_views - before_.set_views;
    counts.bytes_written = now.bytes_written - before_.bytes_written;
    counts.bytes_read = now.bytes_read - before_.bytes_read;
    report_->succeeded = status.ok();
    if (!status.ok()) return;
    report_->io_mode = io_mode_;
    if (store_.parallel()) report_->transport = Transport::kDirect;
  }

  FileStore& store_;
  const StoredObjectPtr& object_;
  const TransferRequest& request_;
  TransferReport* report_;
  const CallName& name_;

  DatasetState* state_ = nullptr;
  Dataspace file_;
  std::optional<Conversion> conversion_;
  ElementForm form_;
  bool needs_allocation_ = false;
  std::vector<std::uint64_t> words_;  // collective writes to a compact dataset
  ActualIoMode io_mode_ = ActualIoMode::kNoCollective;
  IoCounters before_;
};

}  // namespace

Status transfer_dataset(FileStore& store, const StoredObjectPtr& dataset,
                        const TransferRequest& request, TransferReport* report,
                        const CallName& name, const Status& checked) {
  Status done = Transfer(store, dataset, request, report, name).run(checked);
  // Which of the two is the same on all ranks: it depends on nothing that one rank may have alone.
  if (store.parallel() && request.props.mode == TransferMode::kCollective)
    store.report_log().log_collective(*report, name);
  else
    store.report_log().add_independent(*report);
  return done;
}

}  // namespace pcio
