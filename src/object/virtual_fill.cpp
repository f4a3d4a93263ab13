// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: VirtualFill.

#include "object/virtual_fill.hpp"

#include <algorithm>
#include <cstring>

#include "base/without_throwing.hpp"
#include "storage/heaps/heap_reader.hpp"
#include "transfer/call/sequence_call.hpp"
#include "type/convert.hpp"

namespace pcio {

namespace {

bool starts_before(const Run& a, const Run& b) { return a.offset < b.offset; }

/// Ascending and apart.
void put_in_order(std::vector<Run>* runs) {
  std::sort(runs->begin(), runs->end(), starts_before);
  std::size_t n = 0;
  for (const Run& run : *runs) {
    if (n > 0 && run.offset <= (*runs)[n - 1].offset + (*runs)[n - 1].length) {
      Run& last = (*runs)[n - 1];
      last.length = std::max(last.length, run.offset + run.length - last.offset);
    } else {
      (*runs)[n++] = run;
    }
  }
  runs->resize(n);
}

/// Appends what of `run` is in none of the runs, which ascend and are apart.
void append_rest(Run run, const std::vector<Run>& without, std::vector<Run>* out) {
  auto next = std::upper_bound(without.begin(), without.end(), run, starts_before);
  if (next != without.begin()) --next;
  for (; run.length > 0 && next != without.end(); ++next) {
    const std::uint64_t before =
        next->offset <= run.offset ? 0 : std::min(run.length, next->offset - run.offset);
    if (before > 0) out->push_back({run.offset, before});
    const std::uint64_t end = std::max(run.offset + before, next->offset + next->length);
    const std::uint64_t over = std::min(run.length, end - run.offset);
    run.offset += over;
    run.length -= over;
  }
  if (run.length > 0) out->push_back(run);
}

}  // namespace

std::vector<Run> runs_of(const Dataspace& space) {
  std::vector<Run> runs;
  RunCursor cursor(space);
  for (SequencedRun run; cursor.next(run);) runs.push_back({run.offset, run.length});
  return runs;
}

void clear_memory(const TransferRequest& request, const std::vector<Run>& elements) {
  if (request.memory_type.is_fixed()) return;
  for (const Run& run : elements)
    clear_sequences(request.memory_type, request.buffer + run.offset * request.memory_type.size(),
                    static_cast<std::size_t>(run.length));
}

VirtualFill::VirtualFill(FileStore& store, const DatasetState& state,
                         const TransferRequest& request, const std::vector<VirtualMove>& moves)
    : store_(store),
      state_(state),
      request_(request),
      moves_(moves),
      memory_(memory_calls(request.props)) {}

Status VirtualFill::fill() {
  if (state_.fill.state == FillState::kUndefined) return Status();
  std::vector<Run> mapped;
  for (const VirtualMove& move : moves_) {
    const std::vector<Run> runs = runs_of(move.memory);
    mapped.insert(mapped.end(), runs.begin(), runs.end());
  }
  put_in_order(&mapped);
  const std::vector<Run> all = runs_of(request_.memory_space);
  for (const Run& run : all) append_rest(run, mapped, &unmapped_);
  Status filled = without_throwing([&] { return convert(); });
  if (filled.ok()) return filled;
  memory_.release_all();
  clear_memory(request_, all);
  return filled;
}

Status VirtualFill::convert() {
  const std::vector<std::byte> value = state_.fill_element();
  const std::size_t size = request_.memory_type.size();
  HeapReader reader = store_.heap_reader();
  FileHeap heap(reader, nullptr);
  ConvertOptions options = request_.conversion;
  options.sequences = SequencePlaces();
  if (!state_.type.is_fixed()) {
    options.sequences = {&heap, nullptr, &memory_};
    PCIO_TRY(reader.prepare(SequenceMap(state_.type), value));
  }
  PCIO_ASSIGN(const Conversion way, Conversion::make(state_.type, request_.memory_type, options));
  // Each element has memory of its own, and keeps what the conversion leaves.
  const bool one_by_one = way.leaves_gaps() || !request_.memory_type.is_fixed();
  std::vector<std::byte> element(size);
  if (!one_by_one && !unmapped_.empty()) PCIO_TRY(way.run(value.data(), element.data(), 1));
  for (const Run& run : unmapped_) {
    std::byte* to = request_.buffer + run.offset * size;
    for (std::uint64_t i = 0; i < run.length; ++i, to += size) {
      if (one_by_one)
        PCIO_TRY(way.run(value.data(), to, 1));
      else
        std::memcpy(to, element.data(), size);
    }
  }
  return Status();
}

void VirtualFill::take_back() {
  memory_.release_all();
  clear_memory(request_, unmapped_);
}

}  // namespace pcio
