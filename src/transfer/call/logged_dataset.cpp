// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/call: log_transfer.

#include "transfer/call/logged_dataset.hpp"

#include <array>

#include "base/without_throwing.hpp"
#include "filter/registry.hpp"

namespace pcio {

namespace {

constexpr std::array<const char*, 4> kLayouts = {"compact", "contiguous", "chunked", "virtual"};

LoggedDataset logged_dataset(const DatasetState& state) {
  const Dims& extent = state.extent.dims();
  LoggedDataset logged{kLayouts[static_cast<std::size_t>(state.layout.cls) % kLayouts.size()],
                       state.element_size(),
                       {extent.data(), extent.size()},
                       {},
                       0,
                       {}};
  if (!state.chunked()) return logged;
  const Dims& chunk = state.layout.chunk_dims;
  logged.chunk = {chunk.data(), chunk.size()};
  logged.chunk_bytes = state.chunk_bytes();
  for (const FilterSpec& filter : state.filters) logged.filters.push_back(filter_label(filter));
  return logged;
}

/// False where it is not known, or there is no memory for it.
bool find_stored(const StoredObjectPtr& dataset, LoggedDataset* stored) {
  return dataset->dataset && without_throwing([&] {
                               *stored = logged_dataset(*dataset->dataset);
                               return Status();
                             }).ok();
}

}  // namespace

void log_transfer(FileStore& store, const StoredObjectPtr& dataset, const TransferReport& report,
                  const CallName& name) {
  ReportLog& log = store.report_log();
  LoggedDataset stored;
  const bool is_known = log.writes() && find_stored(dataset, &stored);
  log.log_collective(report, name, is_known ? &stored : nullptr);
}

void log_independent(FileStore& store, const StoredObjectPtr& dataset, const TransferReport& report,
                     const CallName& name) {
  ReportLog& log = store.report_log();
  LoggedDataset stored;
  const bool wanted = log.wants_stored(name, report.direction);
  const bool is_known = wanted && find_stored(dataset, &stored);
  log.add_independent(report, name, dataset->address, is_known ? &stored : nullptr);
}

}  // namespace pcio
