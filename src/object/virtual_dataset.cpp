// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: transfers of virtual datasets.

#include "object/virtual_dataset.hpp"

#include <deque>

#include "base/without_throwing.hpp"
#include "object/virtual_fill.hpp"
#include "object/virtual_plan.hpp"
#include "object/virtual_write.hpp"
#include "transfer/call/dataset_transfer.hpp"

namespace pcio {

namespace {

/// One read or write of a virtual dataset by this rank alone. Threads: one thread.
class VirtualTransfer {
 public:
  VirtualTransfer(const Location& dataset, const DatasetState& state,
                  const TransferRequest& request, TransferReport* report)
      : store_(dataset.file->store()),
        state_(state),
        request_(request),
        report_(report),
        sources_(dataset, *state.virtual_data, opening_of(dataset, request)),
        plan_(state, request) {}

  Status run(std::string_view function) {
    PCIO_TRY(check_counts(request_));
    if (request_.file_space.selected() == 0) return Status();
    Status moved = move_all(function);
    Status closed = sources_.close();
    return moved.ok() ? closed : moved;
  }

 private:
  [[nodiscard]] bool reads() const { return request_.direction == Direction::kRead; }
  static SourceOpening opening_of(const Location& dataset, const TransferRequest& request) {
    if (request.direction == Direction::kRead) return SourceOpening::kForReading;
    return dataset.file->parallel() ? SourceOpening::kOpenAlready : SourceOpening::kForWriting;
  }

  Status move_all(std::string_view function) {
    PCIO_TRY(plan_.make(sources_));
    // Conversions of one source, and of the fill value, may do what they like to another.
    std::deque<DatasetInTransfer> in_transfer;
    for (const VirtualMove& move : plan_.moves()) in_transfer.emplace_back(move.source.object);
    if (!reads() || plan_.is_whole()) return run_moves(function, nullptr);
    VirtualFill fill(store_, state_, request_, plan_.moves());
    PCIO_TRY(fill.fill());
    PCIO_TRY(run_moves(function, &fill));
    fill.keep();
    return Status();
  }

  /// A read that fails leaves no variable-length element that a program can't reclaim.
  Status run_moves(std::string_view function, VirtualFill* fill) {
    for (std::size_t i = 0; i < plan_.moves().size(); ++i) {
      Status moved = without_throwing([&] { return run_move(plan_.moves()[i], function); });
      if (moved.ok()) continue;
      if (fill != nullptr) fill->take_back();
      if (!reads()) return moved;
      for (++i; i < plan_.moves().size(); ++i)
        clear_memory(request_, runs_of(plan_.moves()[i].memory));
      return moved;
    }
    return Status();
  }

  Status run_move(const VirtualMove& move, std::string_view function) {
    TransferRequest request = request_;
    request.file_space = move.from;
    request.memory_space = move.memory;
    request.props.mode = TransferMode::kIndependent;
    TransferReport report;
    Status moved = transfer_source(move.source, request, &report, function);
    report_->counts += report.counts;
    return moved;
  }

  FileStore& store_;
  const DatasetState& state_;
  const TransferRequest& request_;
  TransferReport* report_;
  Sources sources_;
  VirtualPlan plan_;
};

Status transfer_alone(const Location& dataset, const TransferRequest& request,
                      TransferReport* report, std::string_view function) {
  return without_throwing([&]() -> Status {
    // Nobody waits for the sources while this rank waits for others.
    const FileLockScope sources_until_here;
    const SourceLevel level;
    PCIO_TRY(level.check());
    PCIO_ASSIGN(const DatasetState* state, dataset.file->store().datasets().state(dataset.object));
    report->bytes_selected = request.file_space.selected() * state->element_size();
    return VirtualTransfer(dataset, *state, request, report).run(function);
  });
}

}  // namespace

Status check_counts(const TransferRequest& request) {
  if (request.file_space.selected() == request.memory_space.selected()) return Status();
  return PCIO_ERROR(ARGS, BADVALUE,
                    "the selections in file and memory have different numbers of elements");
}

Status transfer_source(const Location& source, const TransferRequest& request,
                       TransferReport* report, std::string_view function) {
  if (is_virtual(source)) return transfer_virtual(source, request, report, function, Status());
  return transfer_dataset(source.file->store(), source.object, request, report,
                          {function, source.path}, Status());
}

Status transfer_virtual(const Location& dataset, const TransferRequest& request,
                        TransferReport* report, std::string_view function, const Status& checked) {
  const DatasetInTransfer in_transfer(dataset.object);
  FileStore& store = dataset.file->store();
  *report = TransferReport();
  report->used = true;
  report->direction = request.direction;
  report->requested.mode = request.props.mode;
  const bool parallel = store.parallel();
  const bool collective = parallel && request.props.mode == TransferMode::kCollective;
  if (parallel) call_went_too_far();
  if (collective && request.direction == Direction::kWrite)
    return write_virtual(dataset, request, report, function, checked);
  if (parallel)
    report->local_causes = report->global_causes =
        collective ? cause::kNotContiguousOrChunked : cause::kSetIndependent;
  // Sources may lie in the same file. A rank that has failed already says so before others show what they have.
  Status local = checked;
  if (collective) local = store.writer().show_where_apart({function, dataset.path}, checked);
  if (local.ok()) local = transfer_alone(dataset, request, report, function);
  if (collective) {
    LocalFacts facts;
    facts.call_kind = CallKind::kRead;
    facts.object = dataset.object->address;
    local = detail::to_status(store.coordinator().agree({function, dataset.path}, facts, local));
  }
  report->transport = Transport::kNone;
  report->transport_why = "each rank moves its elements of a virtual dataset by itself";
  report->succeeded = local.ok();
  return local;
}

}  // namespace pcio
