// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: module H5O: copies of objects.
//
// In a parallel file all ranks meet once each has read what there is to copy, and before anything changes;
// they agree again when all objects are made, and when each has moved its share of the data.

#include "base/without_throwing.hpp"
#include "lib/api_entry.hpp"
#include "lib/call_arguments.hpp"
#include "lib/text_argument.hpp"
#include "object/copy.hpp"

using namespace pcio;

namespace {

struct CopyCall {
  hid_t src_loc_id;
  const char* src_name;
  const char* dst_name;
  hid_t ocpypl_id;
  hid_t lcpl_id;
};

/// The function of H5Pset_mcdt_search_cb, in a form that can be called.
std::function<int()> ask_of(const ObjectCopyProps& props) {
  if (props.search_callback == nullptr) return {};
  const auto function = reinterpret_cast<H5O_mcdt_search_cb_t>(props.search_callback);
  void* const data = props.search_callback_data;
  return [function, data] { return static_cast<int>(function(data)); };
}

/// A copy on its way.
struct Copying {
  NewLink link;
  LinkPlace place;
  ObjectCopy copy;

  Status prepare(NamedArguments& out, const Location& at, const CopyCall& call) {
    PCIO_TRY(link.prepare(out, call.dst_name, {call.lcpl_id, H5P_DEFAULT}));
    PCIO_ASSIGN(auto props, props_or_default<ObjectCopyProps>(call.ocpypl_id, "ocpypl_id"));
    PCIO_ASSIGN(Location from, location_of(call.src_loc_id, "src_loc_id"));
    PCIO_ASSIGN(std::string name, text_argument(call.src_name, "src_name"));
    PCIO_ASSIGN(Location source, find_object(from, name));
    // Groups that are missing are made later, in the file where the way begins.
    FilePtr to = at.file;
    if (auto there = find_place(at, link.name)) to = there->group.file;
    PCIO_TRY(copy.plan({std::move(source), to, *props, ask_of(*props)}));
    copy.put(out);
    return Status();
  }
  Result<FilePtr> where(const Location& at) {
    PCIO_ASSIGN(place, free_place(at, link));
    if (place.group.file != at.file && place.group.file->parallel())
      return PCIO_ERROR(OHDR, UNSUPPORTED,
                        "a copy can't be made in parallel file \"" + place.group.file->path() +
                            "\" by a link from another file: begin in that file");
    return place.group.file;
  }
  Status make() {
    call_went_too_far();
    PCIO_TRY(copy.make());
    Location root = copy.root();
    return link_new_object(place, &root, link);
  }
};

/// The data, once all ranks have made the objects; what can't be moved loses its name.
Status finish_copy(const Location& at, const CallName& name, Copying& copying, const Status& made) {
  PCIO_TRY(at.file->coordinator().outcome(name, made));
  const FilePtr& to = copying.place.group.file;
  Status moved = copying.copy.move(name);
  moved = at.file->coordinator().outcome(name, moved);
  if (moved.ok()) return to != at.file && to->file_ids() == 0 ? to->flush(name) : Status();
  undo_link(copying.place);
  return moved;
}

}  // namespace

herr_t H5Ocopy(hid_t src_loc_id, const char* src_name, hid_t dst_loc_id, const char* dst_name,
               hid_t ocpypl_id, hid_t lcpl_id) {
  return api_status("H5Ocopy", [&]() -> Status {
    // Once the file is known the other ranks are on their way: whatever fails from here on goes along.
    Location at;
    PCIO_TRY(take_files_of({src_loc_id, dst_loc_id}));
    PCIO_ASSIGN(at.file, file_of(dst_loc_id, "dst_loc_id"));
    std::string object;
    const Status found = without_throwing([&]() -> Status {
      PCIO_ASSIGN(at, location_of(dst_loc_id, "dst_loc_id"));
      object = full_name(at, dst_name);
      return Status();
    });
    const CallName name{"H5Ocopy", object};
    const CopyCall call{src_loc_id, src_name, dst_name, ocpypl_id, lcpl_id};
    Copying copying;
    Meeting meeting = Meeting::kWanted;
    Status made = metadata_call_to(
        at.file, name,
        [&](NamedArguments& out) -> Status {
          PCIO_TRY(Status(found));
          return copying.prepare(out, at, call);
        },
        [&] { return copying.where(at); }, [&] { return copying.make(); }, &meeting);
    if (meeting == Meeting::kWanted) return made;
    return finish_copy(at, name, copying, made);
  });
}
