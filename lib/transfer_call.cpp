// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: from the arguments of a transfer to a request.

#include "lib/transfer_call.hpp"

#include "base/without_throwing.hpp"
#include "lib/text_argument.hpp"
#include "lib/type_conversion.hpp"
#include "object/dataset_io.hpp"
#include "space/place_in_extent.hpp"
#include "space/unlimited.hpp"

namespace pcio {

namespace {

/// A dataspace that a call was given. Errors: no such id; its extent was never set.
Result<std::shared_ptr<SpaceObject>> space_of(hid_t id, const char* argument) {
  PCIO_ASSIGN(auto object, get<SpaceObject>(id, argument));
  if (lacks_extent(object->space))
    return PCIO_ERROR(ARGS, BADVALUE,
                      std::string("argument ") + argument + ": the dataspace has no extent yet");
  return object;
}

Status check_inside(const Dataspace& space, const char* what) {
  Status valid = space.check_selection();
  if (!valid.ok()) valid.push(PCIO_FRAME(ARGS, BADRANGE, what));
  return valid;
}

Status resolve_spaces(const TransferCall& call, const Dataspace& extent, Elements elements,
                      TransferRequest* request) {
  request->file_space = extent;
  if (call.file_space_id != H5S_ALL) {
    PCIO_ASSIGN(auto object, space_of(call.file_space_id, "file_space_id"));
    const Dataspace& given = object->space;
    // Of the dataset's own extent it is looked at once.
    if (!given.same_extent(extent))
      PCIO_TRY(check_inside(given, "argument file_space_id: the selection is not in its extent"));
    PCIO_ASSIGN(request->file_space,
                place_in_extent(given, extent, elements, "argument file_space_id"));
    PCIO_TRY(check_inside(request->file_space,
                          "argument file_space_id: the selection is not in the dataset"));
    // The buffer has the shape that the program has given, not the dataset's.
    if (call.mem_space_id == H5S_ALL) request->memory_space = given;
  } else if (call.mem_space_id == H5S_ALL) {
    request->memory_space = extent;
  }
  if (call.mem_space_id != H5S_ALL) {
    PCIO_ASSIGN(auto object, space_of(call.mem_space_id, "mem_space_id"));
    PCIO_TRY(
        check_inside(object->space, "argument mem_space_id: the selection is not in its extent"));
    request->memory_space = object->space;
  }
  return Status();
}

/// Looks at all arguments but dataset and transfer list. On failure the request holds what was
/// good.
Status resolve(const TransferCall& call, const OpenObject& open, TransferRequest* request) {
  PCIO_ASSIGN(auto type, get<TypeObject>(call.mem_type_id, "mem_type_id"));
  request->memory_type = type->type.memory_form();
  PCIO_ASSIGN(const Dataspace extent, dataset_extent(open));
  PCIO_ASSIGN(const Elements elements, dataset_elements(open));
  PCIO_TRY(resolve_spaces(call, extent, elements, request));
  if (call.direction == Direction::kWrite) PCIO_TRY(check_writable(open.file()));
  PCIO_TRY(check_readable(open));
  if (call.buffer == nullptr && request->memory_space.selected() > 0)
    return PCIO_ERROR(ARGS, BADVALUE, "argument buf: NULL, and elements are selected");
  request->buffer = static_cast<std::byte*>(call.buffer);
  return Status();
}

/// The list's own values; where the id is no transfer list, the defaults, which don't communicate.
Status resolve_list(hid_t dxpl_id, TransferRequest* request,
                    std::shared_ptr<const TransferProps>* list) {
  PCIO_ASSIGN(*list, props_or_default<TransferProps>(dxpl_id, "dxpl_id"));
  // First, so that a rank without memory still knows that the others wait for it.
  request->props.mode = (*list)->mode;
  request->props = **list;
  request->conversion = convert_options(**list, dxpl_id);
  return Status();
}

/// Everything but the dataset, which a rank without memory must still find its way to the others
/// by.
Status resolve_rest(const TransferCall& call, PreparedTransfer* prepared) {
  return without_throwing([&]() -> Status {
    PCIO_TRY(resolve_list(call.dxpl_id, &prepared->request, &prepared->list));
    return resolve(call, *prepared->dataset->open, &prepared->request);
  });
}

}  // namespace

Result<std::shared_ptr<DatasetObject>> dataset_of(const TransferCall& call) {
  PCIO_ASSIGN(auto dataset, get_member<DatasetObject>(call.dset_id, "dset_id"));
  // What is wrong from here on goes to the other ranks.
  if (dataset->open->file().parallel()) call_went_too_far();
  return dataset;
}

PreparedTransfer prepare_transfer(const TransferCall& call,
                                  std::shared_ptr<DatasetObject> dataset) {
  PreparedTransfer prepared;
  prepared.dataset = std::move(dataset);
  prepared.request.direction = call.direction;
  prepared.checked = resolve_rest(call, &prepared);
  return prepared;
}

Result<PreparedTransfer> prepare_transfer(const TransferCall& call) {
  PCIO_ASSIGN(auto dataset, dataset_of(call));
  return prepare_transfer(call, std::move(dataset));
}

bool transfer_shortly(const TransferCall& call, const DatasetObject& dataset,
                      TransferReport* report, Status* done) {
  const auto list = props_or_default<TransferProps>(call.dxpl_id, "dxpl_id");
  const auto type = get<TypeObject>(call.mem_type_id, "mem_type_id");
  if (!list || !type) return false;
  std::shared_ptr<SpaceObject> file, memory;
  for (const auto& [id, space] :
       {std::pair(call.file_space_id, &file), std::pair(call.mem_space_id, &memory)}) {
    if (id == H5S_ALL) continue;
    auto given = get<SpaceObject>(id, "space");
    if (!given) return false;
    *space = std::move(*given);
  }
  const PlainRequest request{call.direction,
                             (*type)->type,
                             file ? &file->space : nullptr,
                             memory ? &memory->space : nullptr,
                             **list,
                             static_cast<std::byte*>(call.buffer)};
  return transfer_one_run(*dataset.open, request, report, done);
}

}  // namespace pcio
