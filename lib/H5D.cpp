// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: module H5D: datasets: creating, opening, changing their extent. Questions are in H5Dinfo.cpp,
// elements are read and written in H5Dio.cpp, calls on memory alone are in H5Dmemory.cpp.

#include <optional>

#include "base/without_throwing.hpp"
#include "lib/api_entry.hpp"
#include "lib/call_arguments.hpp"
#include "lib/conversion_table.hpp"
#include "lib/filter_calls.hpp"
#include "lib/flush_callback.hpp"
#include "lib/metadata_reads.hpp"
#include "lib/text_argument.hpp"
#include "object/call_trial.hpp"
#include "object/dataset.hpp"
#include "object/dataset_extent.hpp"
#include "object/dataset_queries.hpp"
#include "object/group.hpp"

using namespace pcio;

namespace {

/// What a call is given to make a dataset of.
struct NewDataset {
  const char* name;
  hid_t type_id;
  hid_t space_id;
  hid_t lcpl_id;
  hid_t dcpl_id;
  hid_t dapl_id;
};

struct PreparedDataset {
  DatasetRequest request;
  std::shared_ptr<const DatasetAccessProps> access;
};

/// Everything that can be wrong with the arguments is found here, before anything changes.
Status prepare_dataset(NamedArguments& out, const NewDataset& what, const FilePtr& file,
                       PreparedDataset* into) {
  PreparedDataset& prepared = *into;
  PCIO_ASSIGN(StoredType stored, stored_type_argument(what.type_id, file));
  PCIO_TRY(copy_extent_argument(what.space_id, &prepared.request.space));
  PCIO_ASSIGN(auto create, props_or_default<DatasetCreateProps>(what.dcpl_id, "dcpl_id"));
  PCIO_ASSIGN(auto access, props_or_default<DatasetAccessProps>(what.dapl_id, "dapl_id"));
  prepared.request.type = stored.type;
  prepared.request.committed_type = stored.committed;
  prepared.request.create = *create;
  prepared.request.late_allocation = access->late_allocation;
  prepared.access = access;
  out.begin("datatype (argument type_id)");
  PCIO_TRY(put_argument(out, stored.type));
  out.begin("committed datatype (argument type_id)");
  out.u64(stored.committed);
  out.begin("dataspace (argument space_id)");
  put_argument(out, prepared.request.space);
  PCIO_TRY(ask_foreign_filters(stored.type, &prepared.request));
  PCIO_TRY(put_argument(out, prepared.request.create));
  // Functions of the program may convert it, on each rank by itself: what has become of it is compared.
  prepared.request.conversions = foreign_conversions(H5P_DEFAULT);
  PCIO_TRY(convert_fill_value(*file, &prepared.request));
  out.begin("fill value in the type of the dataset");
  out.u8(prepared.request.fill->has_objects ? 1 : 0);
  out.bytes(prepared.request.fill->value);
  out.number("late allocation (pcio_set_dapl_late_allocation)", access->late_allocation ? 1 : 0);
  return check_dataset_request(*file, prepared.request);
}

/// Whether all ranks come together in the create; needs no memory, so that a rank that lacks it comes too.
/// A rank whose creation list is none can't know, and does not come. What is no datatype, dataspace or access
/// list has an error that the others are to know of: such a rank comes as if it were an ordinary one, and
/// waits in vain where it is not, until the others' next communicating call.
Meeting meeting_of(File& file, const NewDataset& what) {
  const auto create = props_or_default<DatasetCreateProps>(what.dcpl_id, "dcpl_id");
  if (!create) return Meeting::kNone;
  // With an implicit index, which wants early allocation, chunks that may come have space, too.
  const auto space = get<SpaceObject>(what.space_id, "space_id");
  const bool may_be_implicit =
      (*create)->layout == Layout::kChunked && (*create)->alloc_time == AllocTime::kEarly;
  const auto type_object = get<TypeObject>(what.type_id, "type_id");
  const Datatype* const type = type_object ? &(*type_object)->type : nullptr;
  if (space && (*space)->space.npoints() == 0 && !may_be_implicit &&
      !fill_may_have_objects(**create, type))
    return Meeting::kNone;
  const auto access = props_or_default<DatasetAccessProps>(what.dapl_id, "dapl_id");
  return create_may_need_fill(file, **create, access ? access->get() : nullptr, type)
             ? Meeting::kWanted
             : Meeting::kNone;
}

/// A create on its way.
struct Creation {
  Meeting meeting = Meeting::kNone;
  PreparedDataset prepared;
  Location made;
  NewSpace unfilled;
  std::optional<LinkPlace> linked;
  std::optional<CallTrial> trial;  ///< where the ranks meet

  Status prepare(NamedArguments& out, const NewDataset& what, const FilePtr& file) {
    PCIO_TRY(prepare_dataset(out, what, file, &prepared));
    if (meeting != Meeting::kWanted) return Status();
    return check_dataset_can_be_made(*file, prepared.request);
  }
  /// A link led from `begun` into another file.
  Status move_to(const NewDataset& what, const FilePtr& begun, const FilePtr& file) {
    // The ranks of the file where the call began have met already, or know that they need not.
    PCIO_TRY(check_begins_there(begun, file));
    PCIO_ASSIGN(StoredType stored, stored_type_argument(what.type_id, file));
    prepared.request.committed_type = stored.committed;
    return Status();
  }
  /// A fill value of variable length waits.
  [[nodiscard]] bool has_objects() const { return has_fill_objects(prepared.request); }
  Status make(const FilePtr& file) {
    PCIO_ASSIGN(made, make_dataset(file, prepared.request, &unfilled));
    return Status();
  }
};

/// An id for what was made here; `local`: whether it was.
Result<hid_t> id_of_created(const Creation& creation, const Status& local) {
  hid_t id = H5I_INVALID_HID;
  Status ready = local;
  if (ready.ok())
    ready = without_throwing([&]() -> Status {
      PCIO_ASSIGN(id, dataset_id_for(creation.made, *creation.prepared.access));
      return Status();
    });
  if (!ready.ok()) return detail::StatusReturn(std::move(ready));
  return id;
}

/// What was made and could not be filled, on all ranks, loses its name.
Result<hid_t> drop_unfilled(const Result<hid_t>& id, const Creation& creation, Status&& why) {
  if (id) static_cast<void>(release_id(*id, "id"));
  if (creation.linked) undo_link(*creation.linked);
  return detail::StatusReturn(std::move(why));
}

/// As far as it is this rank's alone.
Status fill_apart(Creation& creation, const CallName& call) {
  PCIO_TRY(fill_made(*creation.made.file, creation.made.object,
                     std::exchange(creation.unfilled, NewSpace()), call));
  if (!creation.has_objects()) return Status();
  return place_fill_value(creation.made, creation.prepared.request, call);
}

/// The rest of a create for which the ranks met: all of them have made it, or it is undone on all.
Result<hid_t> fill_tried(const CallName& call, const FilePtr& file, Creation& creation,
                         const Status& local) {
  const MetadataKept kept = keep_rest_of_call(*file, MetadataKind::kCreate);
  const Result<hid_t> id = id_of_created(creation, local);
  Status ready = id ? Status() : Status(id.error());
  // A link led into a file of this rank's own, which is filled with no other rank.
  if (ready.ok() && creation.made.file != file)
    ready = without_throwing([&] { return fill_apart(creation, call); });
  Status all = creation.trial->agree(call, creation.unfilled, ready);
  if (all.ok()) all = creation.trial->fill(creation.made.object, creation.unfilled, call);
  if (all.ok()) {
    creation.trial->end();
    if (creation.has_objects() && creation.made.file == file)
      all = place_fill_value(creation.made, creation.prepared.request, call);
    return all.ok() ? id : drop_unfilled(id, creation, std::move(all));
  }
  if (id) static_cast<void>(release_id(*id, "id"));
  creation.made = Location();
  creation.trial->undo();
  // A file of its own that a link led to is not part of the trial.
  if (local.ok() && creation.linked && creation.linked->group.file != file)
    undo_link(*creation.linked);
  return detail::StatusReturn(std::move(all));
}

/// The rest of a create: the fill value goes to new space, by all ranks of the file that has it together. All of them know
/// if that failed, or if one has no memory for its id, and what can't be filled loses its name, if it has
/// one. `local`: whether it was made here.
Result<hid_t> fill_created(const CallName& call, const FilePtr& file, Creation& creation,
                           const Status& local) {
  if (creation.meeting == Meeting::kWanted) return detail::StatusReturn(local);
  if (creation.meeting == Meeting::kHeld) return fill_tried(call, file, creation, local);
  PCIO_TRY(Status(local));
  if (creation.unfilled.empty() && !creation.has_objects())
    return finish_metadata_call(*file, call, [&]() -> Result<hid_t> {
      Result<hid_t> id = id_of_created(creation, local);
      // Other ranks have it: where there are some, they are told.
      if (!id && !file->parallel() && creation.linked) undo_link(*creation.linked);
      return id;
    });
  const MetadataKept kept = keep_rest_of_call(*file, MetadataKind::kCreate);
  const Result<hid_t> id = id_of_created(creation, local);
  Status filled = finish_fill(*creation.made.file, creation.made.object, creation.unfilled, call,
                              id ? Status() : Status(id.error()));
  // All ranks have made it: they know alike whether it has some.
  if (filled.ok() && creation.has_objects())
    filled = place_fill_value(creation.made, creation.prepared.request, call);
  return filled.ok() ? id : drop_unfilled(id, creation, std::move(filled));
}

/// Where a create begins, and what it is called in messages.
struct CreatePlace {
  Location at;
  std::string object;
  Status found;
};

/// `name`: NULL for none. A failure is left to the call, in which the others may be waiting.
/// Errors: not an id of a file, or of something in one.
Result<CreatePlace> create_place(hid_t loc_id, const char* name, const NewDataset& what) {
  CreatePlace place;
  PCIO_ASSIGN(place.at.file, file_of(loc_id, "loc_id"));
  place.found = without_throwing([&]() -> Status {
    PCIO_ASSIGN(place.at, location_of(loc_id, "loc_id"));
    place.object = (name == nullptr ? place.at.path : full_name(place.at, name)) +
                   outline(what.type_id, what.space_id, what.dcpl_id);
    return Status();
  });
  return place;
}

Result<hid_t> create_dataset(const char* function, hid_t loc_id, const NewDataset& what) {
  PCIO_ASSIGN(const CreatePlace where,
              create_place(loc_id, what.name == nullptr ? "" : what.name, what));
  const FilePtr& file = where.at.file;
  const CallName call{function, where.object};
  Creation creation;
  creation.meeting = meeting_of(*file, what);
  const Status created = create_linked(
      where.at, call, what.name, {what.lcpl_id, what.dapl_id, "dapl_id"},
      [&](NamedArguments& out) -> Status {
        PCIO_TRY(Status(where.found));
        return creation.prepare(out, what, file);
      },
      [&](const LinkPlace& place, const NewLink& link) -> Status {
        if (place.group.file != file) PCIO_TRY(creation.move_to(what, file, place.group.file));
        PCIO_TRY(creation.make(place.group.file));
        creation.linked = place;
        return link_new_object(place, &creation.made, link);
      },
      &creation.meeting, [&] { creation.trial.emplace(*file); });
  return fill_created(call, file, creation, created);
}

}  // namespace

hid_t H5Dcreate2(hid_t loc_id, const char* name, hid_t type_id, hid_t space_id, hid_t lcpl_id,
                 hid_t dcpl_id, hid_t dapl_id) {
  return api_id("H5Dcreate2", [&] {
    return create_dataset("H5Dcreate2", loc_id,
                          {name, type_id, space_id, lcpl_id, dcpl_id, dapl_id});
  });
}

hid_t H5Dcreate1(hid_t loc_id, const char* name, hid_t type_id, hid_t space_id, hid_t dcpl_id) {
  return api_id("H5Dcreate1", [&] {
    return create_dataset("H5Dcreate1", loc_id,
                          {name, type_id, space_id, H5P_DEFAULT, dcpl_id, H5P_DEFAULT});
  });
}

hid_t H5Dcreate_anon(hid_t loc_id, hid_t type_id, hid_t space_id, hid_t dcpl_id, hid_t dapl_id) {
  return api_id("H5Dcreate_anon", [&]() -> Result<hid_t> {
    const NewDataset what{nullptr, type_id, space_id, H5P_DEFAULT, dcpl_id, dapl_id};
    PCIO_ASSIGN(const CreatePlace where, create_place(loc_id, nullptr, what));
    const FilePtr& file = where.at.file;
    const CallName call{"H5Dcreate_anon", where.object};
    Creation creation;
    creation.meeting = meeting_of(*file, what);
    const Status created = metadata_call(
        *file, call,
        [&](NamedArguments& out) -> Status {
          PCIO_TRY(Status(where.found));
          PCIO_TRY(creation.prepare(out, what, file));
          if (creation.meeting == Meeting::kWanted) creation.trial.emplace(*file);
          return Status();
        },
        [&] { return creation.make(file); }, &creation.meeting);
    return fill_created(call, file, creation, created);
  });
}

namespace {

Result<hid_t> open_dataset(hid_t loc_id, const char* name, hid_t dapl_id) {
  PCIO_ASSIGN(Location at, object_at(loc_id, name, dapl_id));
  PCIO_ASSIGN(auto access, props_or_default<DatasetAccessProps>(dapl_id, "dapl_id"));
  if (access->late_allocation) PCIO_TRY(allocate_late(at));
  return dataset_id_for(at, *access);
}

}  // namespace

hid_t H5Dopen2(hid_t loc_id, const char* name, hid_t dapl_id) {
  return api_id("H5Dopen2", [&] {
    return read_metadata({"H5Dopen2", loc_id, name, dapl_id},
                         [&] { return open_dataset(loc_id, name, dapl_id); });
  });
}

hid_t H5Dopen1(hid_t loc_id, const char* name) {
  return api_id("H5Dopen1", [&] {
    return read_metadata({"H5Dopen1", loc_id, name},
                         [&] { return open_dataset(loc_id, name, H5P_DEFAULT); });
  });
}

herr_t H5Dclose(hid_t dset_id) {
  return api_status("H5Dclose",
                    [&]() -> Status { return close_id(dset_id, IdType::kDataset, "dset_id"); });
}

// All metadata of a file goes out together, so flushing a dataset flushes its file.
herr_t H5Dflush(hid_t dset_id) {
  return api_status("H5Dflush", [&]() -> Status {
    PCIO_ASSIGN(auto dataset, get_member<DatasetObject>(dset_id, "dset_id"));
    PCIO_TRY(dataset->open->file().flush({"H5Dflush", dataset->open->path()}));
    return tell_of_flush(dataset->open->file(), dset_id);
  });
}

// ---- extent ------------------------------------------------------------------------------------

namespace {

enum class ExtentRule { kAsGiven, kNeverSmaller };

/// The wanted extent from a caller's array, which has as many numbers as the dataset has
/// dimensions.
Result<Dims> wanted_extent(const Dims& now, const hsize_t* size, ExtentRule rule) {
  PCIO_TRY(need_pointer(size, "size"));
  Dims wanted(now.size());
  for (unsigned d = 0; d < now.size(); ++d) {
    wanted[d] = size[d];
    if (rule == ExtentRule::kNeverSmaller && wanted[d] < now[d]) wanted[d] = now[d];
  }
  return wanted;
}

/// A change of an extent on its way.
struct Extension {
  Meeting meeting = Meeting::kNone;
  std::string object;  ///< as messages call it
  Dims wanted;
  KeptChunks kept;                 ///< where the ranks meet
  std::optional<CallTrial> trial;  ///< the same
  ExtentChange change;
};

/// What can be known without memory, so that a rank that lacks it comes, too: whether all ranks do. A rank that
/// was given no size takes it that the others make the dataset larger.
Meeting meeting_of(const OpenObject& open, const hsize_t* size, ExtentRule rule) {
  const Dims* now = known_extent(open);
  if (now == nullptr) return Meeting::kNone;
  const Result<Dims> wanted = wanted_extent(*now, size, rule);
  Dims dims = wanted ? *wanted : *now;
  for (unsigned d = 0; !wanted && d < dims.size(); ++d) ++dims[d];
  const bool meets = extent_may_need_fill(open, dims) || extent_reads_chunks(open, dims);
  return meets ? Meeting::kWanted : Meeting::kNone;
}

Status prepare_extent(const OpenObject& open, const hsize_t* size, ExtentRule rule,
                      NamedArguments& out, Dims* wanted) {
  PCIO_ASSIGN(const Dataspace now, dataset_extent(open));
  PCIO_ASSIGN(*wanted, wanted_extent(now.dims(), size, rule));
  Extent changed = now.extent();
  PCIO_TRY(changed.set_dims(*wanted));
  out.begin("dataset (argument dset_id)");
  out.u64(open.address());
  out.begin("new extent (argument size)");
  put_argument(out, *wanted);
  out.number("late allocation (pcio_set_dapl_late_allocation)", allocates_late(open) ? 1 : 0);
  return Status();
}

/// Collective: by contract; three exchanges more where new space must be filled.
Status set_extent(const char* function, hid_t dset_id, const hsize_t* size, ExtentRule rule) {
  PCIO_ASSIGN(auto dataset, get_member<DatasetObject>(dset_id, "dset_id"));
  const OpenObject& open = *dataset->open;
  const Dims* now = known_extent(open);
  const unsigned ndims = now != nullptr ? now->size() : 0;
  Extension extension;
  extension.meeting = meeting_of(open, size, rule);
  const Status named = without_throwing([&] {
    extension.object = open.path();
    if (size != nullptr && ndims > 0)
      extension.object +=
          " to " + Dims::from(reinterpret_cast<const std::uint64_t*>(size), ndims).to_string();
    return Status();
  });
  const CallName call{function, extension.object};
  if (extension.meeting == Meeting::kWanted) PCIO_TRY(show_cut_chunks(open, call));
  Status changed = metadata_call(
      open.file(), call,
      [&](NamedArguments& out) -> Status {
        PCIO_TRY(Status(named));
        PCIO_TRY(prepare_extent(open, size, rule, out, &extension.wanted));
        PCIO_TRY(check_not_in_transfer(open));
        // What it reads may fail on this rank alone, and then nothing has changed on any.
        if (extension.meeting != Meeting::kWanted) return Status();
        PCIO_TRY(check_extent_change(open, extension.wanted));
        PCIO_ASSIGN(extension.kept, keep_cut_chunks(open, extension.wanted));
        if (extent_can_be_undone(open)) extension.trial.emplace(open.file());
        return Status();
      },
      [&]() -> Status {
        KeptChunks* const kept = extension.meeting == Meeting::kHeld ? &extension.kept : nullptr;
        PCIO_ASSIGN(extension.change, change_extent(open, extension.wanted, kept));
        return Status();
      },
      &extension.meeting);
  if (extension.meeting == Meeting::kWanted) return changed;
  if (extension.meeting == Meeting::kHeld && extension.trial)
    return complete_tried_extent(open, extension.change, *extension.trial, call, changed);
  if (extension.meeting == Meeting::kHeld || (changed.ok() && !extension.change.unfilled.empty()))
    return complete_extent(open.file(), open.object(), extension.change, call, changed);
  PCIO_TRY(Status(changed));
  finish_extent(open, extension.change);
  if (open.file().coordinator().size() > 1) return Status();
  return fill_grown_elements(open, extension.change, call);
}

}  // namespace

herr_t H5Dset_extent(hid_t dset_id, const hsize_t size[]) {
  return api_status("H5Dset_extent", [&] {
    return set_extent("H5Dset_extent", dset_id, size, ExtentRule::kAsGiven);
  });
}

herr_t H5Dextend(hid_t dset_id, const hsize_t size[]) {
  return api_status("H5Dextend", [&] {
    return set_extent("H5Dextend", dset_id, size, ExtentRule::kNeverSmaller);
  });
}
