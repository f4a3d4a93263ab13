// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: module H5D: reading and writing elements.

#include "lib/transfer_call.hpp"
#include "transfer/dataset_transfer.hpp"

using namespace pcio;

namespace {

/// Leaves the report where the application looks for it; the default list keeps none.
void keep_report(hid_t dxpl_id, const TransferReport& report) {
  if (dxpl_id == H5P_DEFAULT) return;
  if (auto list = changeable_props<TransferProps>(dxpl_id, "dxpl_id")) (*list)->report = report;
}

Status transfer(const TransferCall& call) {
  PCIO_ASSIGN(PreparedTransfer prepared, prepare_transfer(call));
  const OpenObject& open = prepared.open();
  TransferReport report;
  Status done = transfer_dataset(open.store(), open.object(), prepared.request, &report,
                                 {call.function, open.path()}, prepared.checked);
  keep_report(call.dxpl_id, report);
  return done;
}

}  // namespace

herr_t H5Dread(hid_t dset_id, hid_t mem_type_id, hid_t mem_space_id, hid_t file_space_id,
               hid_t dxpl_id, void* buf) {
  return api_status("H5Dread", [&] {
    return transfer({"H5Dread", Direction::kRead, dset_id, mem_type_id, mem_space_id, file_space_id,
                     dxpl_id, buf});
  });
}

// The buffer of a write is never changed; a request has one pointer for both directions.
herr_t H5Dwrite(hid_t dset_id, hid_t mem_type_id, hid_t mem_space_id, hid_t file_space_id,
                hid_t dxpl_id, const void* buf) {
  return api_status("H5Dwrite", [&] {
    return transfer({"H5Dwrite", Direction::kWrite, dset_id, mem_type_id, mem_space_id,
                     file_space_id, dxpl_id, const_cast<void*>(buf)});
  });
}
