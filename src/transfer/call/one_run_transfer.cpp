// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/call: transfer_one_run.

#include "transfer/call/one_run_transfer.hpp"

#include <optional>

#include "base/checked.hpp"
#include "base/without_throwing.hpp"
#include "space/one_run.hpp"
#include "transfer/call/counted_call.hpp"

namespace pcio {

namespace {

/// Where the elements are: bytes of the file and of the buffer.
struct Places {
  FileAddress address = kUndefinedAddress;
  std::uint64_t in_buffer = 0;
  std::size_t size = 0;
};

bool is_plain(const TransferProps& props) {
  return props.mode == TransferMode::kIndependent && props.transform == nullptr &&
         props.forced_transport == Transport::kNone && !props.keep_chunk_modes;
}

/// Nothing is to happen but that bytes move: no lock, no line of a log, no commit before. Of a serial file a commit that failed is
/// completed before that.
bool moves_only(FileStore& store, Direction direction) {
  const bool writes = direction == Direction::kWrite;
  return !store.report_log().is_on() && store.coordinator().environment().transport.empty() &&
         store.driver().atomic_locks() == nullptr && store.coordinator().health().ok() &&
         (!writes || (store.writable() && !store.heaps().has_new_regions() &&
                      (store.parallel() || !store.writer().needs_recovery())));
}

bool has_plain_elements(const DatasetState& state, const Datatype& memory_type) {
  return state.unsupported.ok() && state.external == nullptr && state.virtual_data == nullptr &&
         !state.filtered() && !state.type.has_vlen_or_reference() && state.type == memory_type;
}

/// Of the elements in a chunk, which all are in one; its address goes to `start`.
std::optional<ElementRun> run_in_chunk(const DatasetState& state, const Box& box,
                                       FileAddress* start) {
  // An index that could not be read to its end is read anew.
  if (!state.index || (state.loader && !state.loader->usable())) return std::nullopt;
  const ChunkGrid& grid = state.index->grid();
  const Dims& chunk = grid.chunk();
  Dims coords;
  Box inside;
  for (unsigned d = 0; d < box.ndims(); ++d) {
    const std::uint64_t at = box.start[d] / chunk[d], in_chunk = box.start[d] % chunk[d];
    if (!fits_inside(in_chunk, box.count[d], chunk[d])) return std::nullopt;
    coords.push_back(at);
    inside.start.push_back(in_chunk);
    inside.count.push_back(box.count[d]);
  }
  *start = state.index->address_of(grid.ordinal(coords));
  return run_of_box(inside, chunk);
}

/// Nothing where the elements are not one run, or have no place that is known.
std::optional<Places> find_places(const DatasetState& state, const PlainRequest& request) {
  std::optional<Box> box;
  if (request.file_space == nullptr)
    box = selected_box(Dataspace(state.extent));
  else if (request.file_space->same_extent(state.extent))
    box = selected_box(*request.file_space);
  if (!box) return std::nullopt;
  FileAddress start = kUndefinedAddress;
  std::optional<ElementRun> file;
  if (state.chunked()) {
    file = run_in_chunk(state, *box, &start);
  } else if (state.layout.cls == LayoutClass::kContiguous) {
    file = run_of_box(*box, state.extent.dims());
    start = state.layout.address;
  }
  if (!file || start == kUndefinedAddress) return std::nullopt;
  std::optional<ElementRun> memory;
  if (request.memory_space == nullptr) {
    memory = run_of_box(*box, state.extent.dims());
  } else if (const auto in_memory = selected_box(*request.memory_space)) {
    memory = run_of_box(*in_memory, request.memory_space->dims());
  }
  if (!memory || memory->count != file->count) return std::nullopt;
  const std::uint64_t element = state.element_size();
  const auto before = checked_mul(file->first, element),
             in_buffer = checked_mul(memory->first, element),
             size = checked_mul(file->count, element);
  const auto address = before ? checked_add(start, *before) : std::nullopt;
  if (!address || !in_buffer || !size) return std::nullopt;
  return Places{*address, *in_buffer, static_cast<std::size_t>(*size)};
}

/// As TransferPhases leaves it.
void begin_report(FileStore& store, const DatasetState& state, const PlainRequest& request,
                  std::uint64_t bytes, TransferReport* report) {
  report->used = report->verified = true;
  report->direction = request.direction;
  report->requested = requested_of(request.props);
  if (store.parallel()) report->local_causes = report->global_causes = cause::kSetIndependent;
  report->traits.regular_file = report->traits.regular_memory = true;
  report->bytes_selected = bytes;
  if (!state.chunked()) return;
  report->chunks_touched = report->chunks.independent = 1;
  report->chunks.untouched = state.index->grid().count() - 1;
}

void end_report(FileStore& store, const IoCounters& moved, bool succeeded, TransferReport* report) {
  report->counts = counts_of(store.driver(), moved);
  report->succeeded = succeeded;
  if (!succeeded) return;
  report->transport = store.parallel() ? Transport::kDirect : Transport::kNone;
  report->transport_why = store.parallel() ? "independent transfer" : "serial file";
}

}  // namespace

bool transfer_one_run(FileStore& store, const StoredObjectPtr& dataset, const PlainRequest& request,
                      TransferReport* report, Status* done) {
  if (request.buffer == nullptr || !is_plain(request.props) || !dataset->dataset ||
      !moves_only(store, request.direction))
    return false;
  const DatasetState& state = *dataset->dataset;
  if (!has_plain_elements(state, request.memory_type)) return false;
  const std::optional<Places> places = find_places(state, request);
  if (!places) return false;
  const std::uint64_t begun = report != nullptr ? nanoseconds_now() : 0;
  const bool writes = request.direction == Direction::kWrite;
  const CountedCall counted(store);
  const IoCounters before = moved_here(store);
  const Bytes bytes(request.buffer + places->in_buffer, places->size);
  *done = without_throwing([&] {
    return writes ? store.bytes().write(places->address, bytes)
                  : store.bytes().read(places->address, bytes);
  });
  if (report == nullptr) return true;
  begin_report(store, state, request, places->size, report);
  end_report(store, moved_here(store) - before, done->ok(), report);
  report->nanoseconds = nanoseconds_now() - begun;
  return true;
}

}  // namespace pcio
