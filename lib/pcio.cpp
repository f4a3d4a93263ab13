// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: the library's own calls: version, names, and properties of transfer lists.

#include "lib/enum_argument.hpp"
#include "lib/property_access.hpp"

using namespace pcio;

#define PCIO_DIGITS_(x) #x
#define PCIO_DIGITS(x) PCIO_DIGITS_(x)

void pcio_version(unsigned* major, unsigned* minor, unsigned* patch) {
  store(major, PCIO_VERSION_MAJOR);
  store(minor, PCIO_VERSION_MINOR);
  store(patch, PCIO_VERSION_PATCH);
}

const char* pcio_version_string(void) {
  return PCIO_DIGITS(PCIO_VERSION_MAJOR) "." PCIO_DIGITS(PCIO_VERSION_MINOR) "." PCIO_DIGITS(
      PCIO_VERSION_PATCH);
}

ssize_t pcio_cause_text(uint32_t causes, char* buf, size_t len) {
  return api_value("pcio_cause_text", ssize_t{-1},
                   [&]() -> Result<ssize_t> { return copy_text(cause_text(causes), buf, len); });
}

const char* pcio_transport_name(pcio_transport_t transport) {
  return transport_name(inner_of<Transport>(transport));
}

const char* pcio_io_mode_name(H5D_mpio_actual_io_mode_t mode) {
  return io_mode_name(inner_of<ActualIoMode>(mode));
}

const char* pcio_chunk_opt_mode_name(H5D_mpio_actual_chunk_opt_mode_t mode) {
  return chunk_opt_name(inner_of<ActualChunkOpt>(mode));
}

// ---- properties of dataset access lists ---------------------------------------------------------

herr_t pcio_set_dapl_late_allocation(hid_t dapl_id, hbool_t late) {
  return set_props<DatasetAccessProps>("pcio_set_dapl_late_allocation", {dapl_id, "dapl_id"},
                                       [&](auto& props) { props.late_allocation = late; });
}

herr_t pcio_get_dapl_late_allocation(hid_t dapl_id, hbool_t* late) {
  return get_props<DatasetAccessProps>("pcio_get_dapl_late_allocation", {dapl_id, "dapl_id"},
                                       [&](auto& props) { store(late, props.late_allocation); });
}

// ---- properties of transfer lists --------------------------------------------------------------

herr_t pcio_set_dxpl_transport(hid_t dxpl_id, pcio_transport_t transport) {
  return set_props<TransferProps>(
      "pcio_set_dxpl_transport", {dxpl_id, "dxpl_id"}, [&](TransferProps& props) -> Status {
        const auto asked = inner_of<Transport>(transport);
        if (asked != Transport::kNone && !row_of(asked).can_be_asked_for)
          return PCIO_ERROR(ARGS, BADVALUE, "argument transport: not one that can be asked for");
        props.forced_transport = asked;
        return Status();
      });
}

herr_t pcio_get_dxpl_transport(hid_t dxpl_id, pcio_transport_t* transport) {
  return get_props<TransferProps>("pcio_get_dxpl_transport", {dxpl_id, "dxpl_id"},
                                  [&](auto& props) { store(transport, props.forced_transport); });
}

herr_t pcio_set_dxpl_exchange_memory(hid_t dxpl_id, size_t bytes) {
  return set_props<TransferProps>(
      "pcio_set_dxpl_exchange_memory", {dxpl_id, "dxpl_id"}, [&](auto& props) -> Status {
        if (bytes < kLeastExchangeMemory)
          return PCIO_ERROR(ARGS, BADRANGE, "argument bytes: less than 1 MiB");
        props.exchange_memory = bytes;
        return Status();
      });
}

herr_t pcio_get_dxpl_exchange_memory(hid_t dxpl_id, size_t* bytes) {
  return get_props<TransferProps>("pcio_get_dxpl_exchange_memory", {dxpl_id, "dxpl_id"},
                                  [&](auto& props) { store(bytes, props.exchange_memory); });
}

herr_t pcio_set_dxpl_report_chunks(hid_t dxpl_id, hbool_t keep) {
  return set_props<TransferProps>("pcio_set_dxpl_report_chunks", {dxpl_id, "dxpl_id"},
                                  [&](auto& props) { props.keep_chunk_modes = keep; });
}

herr_t pcio_get_dxpl_report_chunks(hid_t dxpl_id, hbool_t* keep) {
  return get_props<TransferProps>("pcio_get_dxpl_report_chunks", {dxpl_id, "dxpl_id"},
                                  [&](auto& props) { store(keep, props.keep_chunk_modes); });
}
