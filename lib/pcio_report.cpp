// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: the library's own calls: what a transfer did, and what one would do.

#include <algorithm>
#include <cstring>

#include "lib/enum_argument.hpp"
#include "lib/property_access.hpp"
#include "lib/transfer_call.hpp"
#include "object/dataset_io.hpp"
#include "props/report_json.hpp"

using namespace pcio;

namespace {

pcio_direction_t direction_of(const TransferReport& report) {
  if (!report.used) return PCIO_DIRECTION_NONE;
  return report.direction == Direction::kWrite ? PCIO_DIRECTION_WRITE : PCIO_DIRECTION_READ;
}

uint32_t traits_of(const TransferTraits& traits) {
  uint32_t bits = 0;
  if (traits.regular_file) bits |= PCIO_TRAIT_REGULAR_FILE;
  if (traits.regular_memory) bits |= PCIO_TRAIT_REGULAR_MEMORY;
  if (traits.converted) bits |= PCIO_TRAIT_CONVERTED;
  if (traits.transformed) bits |= PCIO_TRAIT_TRANSFORMED;
  if (traits.filtered) bits |= PCIO_TRAIT_FILTERED;
  return bits;
}

void put_requested(const RequestedTransfer& requested, pcio_transfer_report_t* r) {
  r->requested_mode = static_cast<H5FD_mpio_xfer_t>(requested.mode);
  r->requested_collective_opt = static_cast<H5FD_mpio_collective_opt_t>(requested.collective_opt);
  r->requested_chunk_opt = static_cast<H5FD_mpio_chunk_opt_t>(requested.chunk_opt);
  r->requested_chunk_opt_num = requested.chunk_opt_num;
  r->requested_chunk_opt_ratio = requested.chunk_opt_ratio;
  r->requested_transport = static_cast<pcio_transport_t>(requested.transport);
}

void put_counts(const TransferReport& report, pcio_transfer_report_t* r) {
  r->bytes_selected = report.bytes_selected;
  r->bytes_written = report.counts.bytes_written;
  r->bytes_read = report.counts.bytes_read;
  r->chunks_touched = report.chunks_touched;
  r->chunks_collective = report.chunks.collective;
  r->chunks_independent = report.chunks.independent;
  r->chunks_untouched = report.chunks.untouched;
  r->independent_writes = report.counts.independent_writes;
  r->independent_reads = report.counts.independent_reads;
  r->collective_writes = report.counts.collective_writes;
  r->collective_reads = report.counts.collective_reads;
  r->view_changes = report.counts.view_changes;
  r->posix_writes = report.counts.posix_writes;
  r->posix_reads = report.counts.posix_reads;
  r->bytes_sent = report.exchange.bytes_sent;
  r->bytes_received = report.exchange.bytes_received;
  r->messages_sent = report.exchange.messages_sent;
  r->messages_received = report.exchange.messages_received;
  r->exchange_rounds = report.exchange.rounds;
  r->bytes_between_nodes = report.exchange.bytes_between_nodes;
  r->messages_between_nodes = report.exchange.messages_between_nodes;
}

pcio_transfer_report_t public_report(const TransferReport& report) {
  pcio_transfer_report_t r{};
  r.version = PCIO_TRANSFER_REPORT_VERSION;
  r.direction = direction_of(report);
  put_requested(report.requested, &r);
  r.actual_io_mode = static_cast<H5D_mpio_actual_io_mode_t>(report.io_mode);
  r.actual_chunk_opt_mode = static_cast<H5D_mpio_actual_chunk_opt_mode_t>(report.chunk_opt);
  r.transport = static_cast<pcio_transport_t>(report.transport);
  r.local_causes = report.local_causes;
  r.global_causes = report.global_causes;
  r.succeeded = report.succeeded ? 1 : 0;
  r.verified = report.verified ? 1 : 0;
  r.traits = traits_of(report.traits);
  put_counts(report, &r);
  r.nanoseconds = report.nanoseconds;
  // Views of literals, so there is a NUL behind the text.
  r.transport_why = report.transport_why.empty() ? "" : report.transport_why.data();
  return r;
}

/// A program that was built with an older header has a shorter structure.
Status give_report(const TransferReport& from, pcio_transfer_report_t* report, size_t size) {
  const pcio_transfer_report_t r = public_report(from);
  std::memcpy(report, &r, std::min(size, sizeof r));
  return Status();
}

Status check_report_argument(const pcio_transfer_report_t* report, size_t size) {
  PCIO_TRY(need_pointer(report, "report"));
  if (size == 0) return PCIO_ERROR(ARGS, BADVALUE, "argument size is zero");
  return Status();
}

}  // namespace

herr_t pcio_get_transfer_report(hid_t dxpl_id, pcio_transfer_report_t* report, size_t size) {
  return get_props<TransferProps>("pcio_get_transfer_report", {dxpl_id, "dxpl_id"},
                                  [&](auto& props) -> Status {
                                    PCIO_TRY(check_report_argument(report, size));
                                    return give_report(props.report, report, size);
                                  });
}

ssize_t pcio_transfer_report_json(hid_t dxpl_id, char* buf, size_t len) {
  return api_value("pcio_transfer_report_json", ssize_t{-1}, [&]() -> Result<ssize_t> {
    PCIO_ASSIGN(auto props, props_of<TransferProps>(dxpl_id, "dxpl_id"));
    return copy_text(report_json(props->report), buf, len);
  });
}

herr_t pcio_get_chunk_modes(hid_t dxpl_id, size_t* count, pcio_chunk_mode_t* modes) {
  return get_props<TransferProps>(
      "pcio_get_chunk_modes", {dxpl_id, "dxpl_id"}, [&](auto& props) -> Status {
        PCIO_TRY(need_pointer(count, "count"));
        const std::vector<ChunkMode>& kept = props.report.chunk_modes;
        const size_t fit = modes == nullptr ? 0 : std::min(*count, kept.size());
        for (size_t i = 0; i < fit; ++i)
          modes[i] = {kept[i].ordinal, static_cast<H5FD_mpio_xfer_t>(kept[i].mode)};
        *count = kept.size();
        return Status();
      });
}

herr_t pcio_explain(hid_t dset_id, hid_t mem_type_id, hid_t mem_space_id, hid_t file_space_id,
                    hid_t dxpl_id, pcio_direction_t direction, pcio_transfer_report_t* report,
                    size_t size) {
  return api_status("pcio_explain", [&]() -> Status {
    // A dry run never looks into its buffer; it only has to be there.
    static std::byte no_bytes{};
    const bool writes = number_of(direction) == PCIO_DIRECTION_WRITE;
    PCIO_ASSIGN(
        PreparedTransfer prepared,
        prepare_transfer({"pcio_explain", writes ? Direction::kWrite : Direction::kRead, dset_id,
                          mem_type_id, mem_space_id, file_space_id, dxpl_id, &no_bytes}));
    // Joins the agreement, as whatever else is wrong: the others must not be left waiting.
    if (prepared.checked.ok()) prepared.checked = check_report_argument(report, size);
    if (prepared.checked.ok() && !is_between(direction, PCIO_DIRECTION_READ, PCIO_DIRECTION_WRITE))
      prepared.checked = PCIO_ERROR(ARGS, BADVALUE, "argument direction: neither read nor write");
    TransferReport plan;
    PCIO_TRY(explain_dataset(prepared.open(), prepared.request, &plan, "pcio_explain",
                             prepared.checked));
    plan.succeeded = false;  // nothing was done, and so it took no time
    plan.nanoseconds = 0;
    return give_report(plan, report, size);
  });
}
