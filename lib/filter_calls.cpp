// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: the callbacks of foreign filters at the creation of a dataset.
//
// They get ids of copies that live for the call only: of the creation list, which set_local changes,
// of the type, and of a space with the dimensions of a chunk. Source: HDF5 Reference Manual,
// H5Zregister; the space was seen with libhdf5 1.10.8.

#include "lib/filter_calls.hpp"

#include "lib/api_entry.hpp"
#include "lib/value_handles.hpp"

namespace pcio {

namespace {

/// An id that is given back at the end of a scope.
class ScopedId {
 public:
  explicit ScopedId(HandleId id) : id_(id) {}
  ScopedId(const ScopedId&) = delete;
  ScopedId& operator=(const ScopedId&) = delete;
  ~ScopedId() { static_cast<void>(release_id(id_, "id")); }
  [[nodiscard]] hid_t get() const { return id_; }

 private:
  HandleId id_;
};

struct CallbackIds {
  hid_t list;
  hid_t type;
  hid_t space;
};

bool asks_at_creation(const FilterPipeline& filters) {
  for (const FilterSpec& stage : filters) {
    auto filter = find_filter_class(stage.id);
    if (filter && ((*filter)->can_apply != nullptr || (*filter)->set_local != nullptr)) return true;
  }
  return false;
}

Status ask_can_apply(const FilterSpec& stage, const CallbackIds& ids) {
  auto filter = find_filter_class(stage.id);
  if (!filter || (*filter)->can_apply == nullptr) return Status();
  auto ask = reinterpret_cast<H5Z_can_apply_func_t>((*filter)->can_apply);
  htri_t answer = ask(ids.list, ids.type, ids.space);
  if (answer > 0) return Status();
  // A filter that may be left out is left out chunk by chunk, when it fails there.
  if (answer == 0 && (stage.flags & H5Z_FLAG_OPTIONAL) != 0) return Status();
  return PCIO_ERROR(
      PLINE, CANTINIT,
      filter_label(stage) + (answer == 0 ? " says that it can't be applied to this dataset"
                                         : " failed in its can_apply function"));
}

Status ask_set_local(const FilterSpec& stage, const CallbackIds& ids) {
  auto filter = find_filter_class(stage.id);
  if (!filter || (*filter)->set_local == nullptr) return Status();
  auto set = reinterpret_cast<H5Z_set_local_func_t>((*filter)->set_local);
  if (set(ids.list, ids.type, ids.space) >= 0) return Status();
  return PCIO_ERROR(PLINE, CANTINIT, filter_label(stage) + " failed in its set_local function");
}

}  // namespace

unsigned filter_config(const FilterClass& filter) {
  return (filter.encodes ? unsigned{H5Z_FILTER_CONFIG_ENCODE_ENABLED} : 0U) |
         (filter.decodes ? unsigned{H5Z_FILTER_CONFIG_DECODE_ENABLED} : 0U);
}

Status ask_foreign_filters(const Datatype& stored_type, DatasetRequest* request) {
  DatasetCreateProps& create = request->create;
  if (create.layout != Layout::kChunked || create.chunk_dims.empty() ||
      !asks_at_creation(create.filters) || ignores_filters(stored_type, request->space))
    return Status();
  PropertyList values(PropertyClassKind::kDatasetCreate);
  *values.as<DatasetCreateProps>() = create;
  auto list = std::make_shared<PropertyListObject>(values);
  const Dims chunk =
      Dims::from(create.chunk_dims.data(), static_cast<unsigned>(create.chunk_dims.size()));
  PCIO_ASSIGN(Dataspace space, Dataspace::simple(chunk));
  PCIO_ASSIGN(HandleId list_id, register_object(list));
  ScopedId held_list(list_id);
  PCIO_ASSIGN(HandleId type_id, make_id<TypeObject>(stored_type));
  ScopedId held_type(type_id);
  PCIO_ASSIGN(HandleId space_id, make_id<SpaceObject>(space));
  ScopedId held_space(space_id);
  const CallbackIds ids{list_id, type_id, space_id};
  const FilterPipeline asked = create.filters;
  for (const FilterSpec& stage : asked) PCIO_TRY(ask_can_apply(stage, ids));
  for (const FilterSpec& stage : asked) PCIO_TRY(ask_set_local(stage, ids));
  create.filters = list->list.as<DatasetCreateProps>()->filters;
  return Status();
}

}  // namespace pcio
