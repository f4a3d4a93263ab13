// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/call: counts_of, moved_here, BesideElements.

#include "transfer/call/counted_call.hpp"

namespace pcio {

IoCounts counts_of(const FileDriver& driver, const IoCounters& made) {
  IoCounts counts;
  const bool mpi_io = driver.capabilities().mpi_io != MpiIoComponent::kNone;
  (mpi_io ? counts.independent_writes : counts.posix_writes) = made.independent_writes;
  (mpi_io ? counts.independent_reads : counts.posix_reads) = made.independent_reads;
  counts.collective_writes = made.collective_writes;
  counts.collective_reads = made.collective_reads;
  counts.view_changes = made.set_views;
  counts.bytes_written = made.bytes_written;
  counts.bytes_read = made.bytes_read;
  return counts;
}

IoCounters moved_here(FileStore& store) {
  return store.driver().counters() - store.report_log().in_reports();
}

void BesideElements::finish(TransferReport* report) {
  kept_.reset();
  report->counts += counts_of(store_.driver(), moved_here(store_) - before_ - elements_);
  report->counts += counts_;
  report->nanoseconds = nanoseconds_now() - start_;
  report->spent += spent_;
}

}  // namespace pcio
