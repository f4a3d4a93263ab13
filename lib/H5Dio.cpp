// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: module H5D: reading and writing elements.

#include <cstdlib>
#include <functional>
#include <vector>

#include "base/checked.hpp"
#include "base/without_throwing.hpp"
#include "lib/text_argument.hpp"
#include "lib/transfer_call.hpp"
#include "object/dataset_io.hpp"

using namespace pcio;

namespace {

/// Leaves the report where the application looks for it; the default list keeps none. A rank without
/// memory for it does not fail where the others succeed.
void keep_report(hid_t dxpl_id, TransferReport& report) {
  if (dxpl_id == H5P_DEFAULT) return;
  static_cast<void>(without_throwing([&] {
    if (auto list = changeable_props<TransferProps>(dxpl_id, "dxpl_id"))
      (*list)->report = std::move(report);
    return Status();
  }));
}

Status transfer(const TransferCall& call) {
  PCIO_ASSIGN(auto dataset, dataset_of(call));
  Status done;
  if (call.dxpl_id == H5P_DEFAULT && transfer_shortly(call, *dataset, nullptr, &done)) return done;
  TransferReport report;
  if (call.dxpl_id == H5P_DEFAULT || !transfer_shortly(call, *dataset, &report, &done)) {
    const PreparedTransfer prepared = prepare_transfer(call, std::move(dataset));
    done = transfer_dataset(prepared.open(), prepared.request, &report, call.function,
                            prepared.checked);
  }
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

/// What of the parts is in the file of the first one.
Status list_parts(std::vector<PreparedTransfer>& all, std::vector<MultiPart>* parts) {
  bool one_file = true;
  parts->reserve(all.size());
  for (PreparedTransfer& one : all) {
    if (&one.open().file() == &all.front().open().file())
      parts->push_back(part_of(one.open(), std::move(one.request), one.checked));
    else
      one_file = false;
  }
  if (one_file) return Status();
  return PCIO_ERROR(ARGS, BADVALUE, "the datasets are not all in one file");
}

/// No part could be made, for want of memory or of a right id: where any id is one of a dataset, the
/// others hear of it.
Status fail_with_the_others(const MultiCall& call, const Status& failure) {
  for (size_t i = 0; i < call.count; ++i) {
    auto dataset = get_member<DatasetObject>(call.dset_id[i], "dset_id");
    if (!dataset) continue;
    auto list = props_or_default<TransferProps>(call.dxpl_id, "dxpl_id");
    const OpenObject& open = *(*dataset)->open;
    if (!list || (*list)->mode != TransferMode::kCollective || !open.file().parallel()) break;
    TransferReport report;
    return transfer_no_datasets(open.file(), call.direction, &report, {call.function, open.path()},
                                failure);
  }
  return failure;
}

/// No dataset names the file. Where only one is open with other ranks, it is that one, and they learn
/// that this rank has nothing; else this rank can't reach them.
Status transfer_none(const MultiCall& call) {
  PCIO_ASSIGN(auto list, props_or_default<TransferProps>(call.dxpl_id, "dxpl_id"));
  if (list->mode != TransferMode::kCollective) return Status();
  const FilePtr file = File::only_parallel();
  if (file == nullptr) return Status();
  PCIO_TRY(take_file(*file));
  PCIO_TRY(check_open(*file));
  TransferReport report;
  Status done =
      transfer_no_datasets(*file, call.direction, &report, {call.function, file->path()}, Status());
  keep_report(call.dxpl_id, report);
  return done;
}

/// A file of the call is that of its first dataset: a rank that has no right one can't reach the
/// others. Any other wrong argument is agreed upon.
Status transfer_multi(const MultiCall& call, const void* buffers,
                      const std::function<void*(size_t)>& buffer) {
  if (call.count == 0) return transfer_none(call);
  PCIO_TRY(need_pointer(call.dset_id, "dset_id"));
  std::vector<PreparedTransfer> all;
  std::vector<MultiPart> parts;
  Status checked = check_arrays(call, buffers);
  Status found = without_throwing([&]() -> Status {
    PCIO_TRY(prepare_parts(call, buffer, &all));
    return list_parts(all, &parts);
  });
  if (checked.ok()) checked = std::move(found);
  if (parts.empty()) return fail_with_the_others(call, checked);
  const OpenObject& first = all.front().open();
  TransferReport report;
  Status done = transfer_datasets(first, parts, &report, call.function, checked);
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
    return transfer_multi(
        {"H5Dwrite_multi", Direction::kWrite, count, dset_id, mem_type_id, mem_space_id,
         file_space_id, dxpl_id},
        buf, [&](size_t i) { return buf != nullptr ? const_cast<void*>(buf[i]) : nullptr; });
  });
}

// ---- variable-length data ----------------------------------------------------------------------

namespace {

/// H5MM_allocate_t that counts.
void* allocate_counted(size_t size, void* total) {
  *static_cast<hsize_t*>(total) += size;
  return std::malloc(size);
}

/// Reads into memory of its own, which is counted and given back.
Result<hsize_t> count_memory(PreparedTransfer& prepared) {
  TransferRequest& request = prepared.request;
  hsize_t total = 0;
  request.props.vlen_allocate = {reinterpret_cast<void (*)()>(&allocate_counted), &total};
  request.props.vlen_free = {};
  const std::uint64_t n = request.file_space.selected();
  const std::size_t size = request.memory_type.size();
  if (n == 0) return total;
  const auto bytes = checked_mul<std::uint64_t>(n, size);
  if (!bytes) return PCIO_ERROR(DATASET, OVERFLOW, "more elements than fit memory");
  PCIO_ASSIGN(request.memory_space, Dataspace::simple(Dims(1, n)));
  std::vector<std::byte> elements(static_cast<std::size_t>(*bytes));
  request.buffer = elements.data();
  TransferReport report;
  PCIO_TRY(transfer_dataset(prepared.open(), request, &report, "H5Dvlen_get_buf_size",
                            prepared.checked));
  release_sequences(request.memory_type, elements.data(), static_cast<std::size_t>(n), {});
  return total;
}

}  // namespace

herr_t H5Dvlen_get_buf_size(hid_t dataset_id, hid_t type_id, hid_t space_id, hsize_t* size) {
  return api_status("H5Dvlen_get_buf_size", [&]() -> Status {
    PCIO_TRY(need_pointer(size, "size"));
    PCIO_TRY(detail::to_status(get<SpaceObject>(space_id, "space_id")));
    PCIO_TRY(detail::to_status(get<TypeObject>(type_id, "type_id")));
    std::byte nothing{};
    PCIO_ASSIGN(PreparedTransfer prepared,
                prepare_transfer({"H5Dvlen_get_buf_size", Direction::kRead, dataset_id, type_id,
                                  H5S_ALL, space_id, H5P_DEFAULT, &nothing}));
    PCIO_TRY(Status(prepared.checked));
    PCIO_ASSIGN(*size, count_memory(prepared));
    return Status();
  });
}
