// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: module H5D: reading and writing elements.

#include <functional>
#include <vector>

#include "lib/text_argument.hpp"
#include "lib/transfer_call.hpp"
#include "transfer/multi_transfer.hpp"

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

// ---- several datasets ---------------------------------------------------------------------------

namespace {

struct MultiCall {
  const char* function;
  Direction direction;
  size_t count;
  hid_t* dset_id;
  hid_t* mem_type_id;
  hid_t* mem_space_id;
  hid_t* file_space_id;
  hid_t dxpl_id;
};

Status check_arrays(const MultiCall& call, const void* buffers) {
  PCIO_TRY(need_pointer(call.mem_type_id, "mem_type_id"));
  PCIO_TRY(need_pointer(call.mem_space_id, "mem_space_id"));
  PCIO_TRY(need_pointer(call.file_space_id, "file_space_id"));
  return need_pointer(buffers, "buf");
}

hid_t id_at(const hid_t* ids, size_t i) { return ids != nullptr ? ids[i] : H5I_INVALID_HID; }

/// All parts, as far as their datasets are known. Errors: the first of those that are not.
Status prepare_parts(const MultiCall& call, const std::function<void*(size_t)>& buffer,
                     std::vector<PreparedTransfer>* all) {
  Status first;
  for (size_t i = 0; i < call.count; ++i) {
    auto prepared = prepare_transfer({call.function, call.direction, call.dset_id[i],
                                      id_at(call.mem_type_id, i), id_at(call.mem_space_id, i),
                                      id_at(call.file_space_id, i), call.dxpl_id, buffer(i)});
    if (prepared)
      all->push_back(std::move(*prepared));
    else if (first.ok())
      first = std::move(prepared.error());
  }
  return first;
}

/// A file of the call is that of its first dataset: a rank that has none can't reach the others. Any
/// other wrong argument is agreed upon.
Status transfer_multi(const MultiCall& call, const void* buffers,
                      const std::function<void*(size_t)>& buffer) {
  if (call.count == 0) return Status();
  PCIO_TRY(need_pointer(call.dset_id, "dset_id"));
  std::vector<PreparedTransfer> all;
  Status checked = check_arrays(call, buffers);
  Status found = prepare_parts(call, buffer, &all);
  if (checked.ok()) checked = std::move(found);
  if (all.empty()) return checked;
  FileStore& store = all.front().open().store();
  std::vector<MultiPart> parts;
  for (PreparedTransfer& one : all) {
    if (&one.open().store() != &store) {
      if (checked.ok())
        checked = PCIO_ERROR(ARGS, BADVALUE, "the datasets are not all in one file");
      continue;
    }
    parts.push_back({one.open().object(), std::move(one.request), one.open().path(), one.checked});
  }
  TransferReport report;
  Status done =
      transfer_datasets(store, parts, &report, {call.function, all.front().open().path()}, checked);
  keep_report(call.dxpl_id, report);
  return done;
}

}  // namespace

herr_t H5Dread_multi(size_t count, hid_t dset_id[], hid_t mem_type_id[], hid_t mem_space_id[],
                     hid_t file_space_id[], hid_t dxpl_id, void* buf[]) {
  return api_status("H5Dread_multi", [&] {
    return transfer_multi({"H5Dread_multi", Direction::kRead, count, dset_id, mem_type_id,
                           mem_space_id, file_space_id, dxpl_id},
                          buf, [&](size_t i) { return buf != nullptr ? buf[i] : nullptr; });
  });
}

herr_t H5Dwrite_multi(size_t count, hid_t dset_id[], hid_t mem_type_id[], hid_t mem_space_id[],
                      hid_t file_space_id[], hid_t dxpl_id, const void* buf[]) {
  return api_status("H5Dwrite_multi", [&] {
    return transfer_multi({"H5Dwrite_multi", Direction::kWrite, count, dset_id, mem_type_id,
                           mem_space_id, file_space_id, dxpl_id},
                          buf, [&](size_t i) {
                            return buf != nullptr ? const_cast<void*>(buf[i]) : nullptr;
                          });
  });
}
