// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: the library's own calls: version, and the report of a transfer.

#include <algorithm>
#include <cstring>

#include "lib/enum_argument.hpp"
#include "lib/property_access.hpp"

using namespace pcio;

#define PCIO_TEXT_(x) #x
#define PCIO_TEXT(x) PCIO_TEXT_(x)

void pcio_version(unsigned* major, unsigned* minor, unsigned* patch) {
  store(major, PCIO_VERSION_MAJOR);
  store(minor, PCIO_VERSION_MINOR);
  store(patch, PCIO_VERSION_PATCH);
}

const char* pcio_version_string(void) {
  return PCIO_TEXT(PCIO_VERSION_MAJOR) "." PCIO_TEXT(PCIO_VERSION_MINOR) "." PCIO_TEXT(
      PCIO_VERSION_PATCH);
}

namespace {

pcio_direction_t direction_of(const TransferReport& report) {
  if (!report.used) return PCIO_DIRECTION_NONE;
  return report.direction == Direction::kWrite ? PCIO_DIRECTION_WRITE : PCIO_DIRECTION_READ;
}

pcio_transfer_summary_t summary_of(const TransferReport& report) {
  pcio_transfer_summary_t s{};
  s.direction = direction_of(report);
  s.requested_mode = static_cast<H5FD_mpio_xfer_t>(report.requested.mode);
  s.actual_io_mode = static_cast<H5D_mpio_actual_io_mode_t>(report.io_mode);
  s.actual_chunk_opt_mode = static_cast<H5D_mpio_actual_chunk_opt_mode_t>(report.chunk_opt);
  s.transport = static_cast<pcio_transport_t>(report.transport);
  s.local_causes = report.local_causes;
  s.global_causes = report.global_causes;
  s.succeeded = report.succeeded ? 1 : 0;
  s.bytes_selected = report.bytes_selected;
  s.bytes_done = report.bytes_done();
  s.chunks_touched = report.chunks_touched;
  s.independent_writes = report.counts.independent_writes;
  s.independent_reads = report.counts.independent_reads;
  s.collective_writes = report.counts.collective_writes;
  s.collective_reads = report.counts.collective_reads;
  s.view_changes = report.counts.view_changes;
  s.posix_writes = report.counts.posix_writes;
  s.posix_reads = report.counts.posix_reads;
  return s;
}

}  // namespace

herr_t pcio_get_transfer_summary(hid_t dxpl_id, pcio_transfer_summary_t* summary, size_t size) {
  return get_props<TransferProps>("pcio_get_transfer_summary", dxpl_id,
                                  [&](const TransferProps& props) -> Status {
                                    PCIO_TRY(need_pointer(summary, "summary"));
                                    if (size == 0)
                                      return PCIO_ERROR(ARGS, BADVALUE, "argument size is zero");
                                    pcio_transfer_summary_t s = summary_of(props.report);
                                    // A program built with an older header has a shorter structure.
                                    std::memcpy(summary, &s, std::min(size, sizeof s));
                                    return Status();
                                  });
}

ssize_t pcio_cause_text(uint32_t causes, char* buf, size_t len) {
  return api_value("pcio_cause_text", ssize_t{-1},
                   [&]() -> Result<ssize_t> { return copy_text(cause_text(causes), buf, len); });
}

const char* pcio_transport_name(pcio_transport_t transport) {
  return transport_name(static_cast<Transport>(number_of(transport)));
}

const char* pcio_io_mode_name(H5D_mpio_actual_io_mode_t mode) {
  return io_mode_name(static_cast<ActualIoMode>(number_of(mode)));
}

const char* pcio_chunk_opt_mode_name(H5D_mpio_actual_chunk_opt_mode_t mode) {
  return chunk_opt_name(static_cast<ActualChunkOpt>(number_of(mode)));
}
