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
  Location source;
  LinkPlace
      there;  ///< as far as there is a way to the new link: keeps the file open that it leads to
  LinkPlace place;
  ObjectCopy copy;
  bool one_file = false;      ///< all ranks have found the source in a file that they share
  bool failed_alike = false;  ///< in an agreement behind the first

  Status find(const CopyCall& call) {
    PCIO_ASSIGN(Location from, location_of(call.src_loc_id, "src_loc_id"));
    PCIO_ASSIGN(std::string name, text_argument(call.src_name, "src_name"));
    PCIO_ASSIGN(source, find_object(from, name));
    return Status();
  }
  Status prepare(NamedArguments& out, const Location& at, const CopyCall& call) {
    PCIO_TRY(link.prepare(out, call.dst_name, {call.lcpl_id, H5P_DEFAULT}));
    PCIO_ASSIGN(auto props, props_or_default<ObjectCopyProps>(call.ocpypl_id, "ocpypl_id"));
    PCIO_ASSIGN(there, planned_place(at, link));
    const FilePtr& to = there.group.file;
    if (to != at.file) {
      if (to->parallel() && !shares_ranks(*to, *at.file))
        return PCIO_ERROR(OHDR, UNSUPPORTED,
                          "a copy can't be made in file \"" + to->path() +
                              "\" by a link from a file of other ranks: begin in that file");
      out.begin("file that the new link is in");
      put_argument(out, last_part(to->path()));
    }
    PCIO_TRY(copy.plan({source, one_file, to, *props, ask_of(*props)}));
    copy.put(out);
    return Status();
  }
  /// The last functions of the program run here. What fails on one rank fails on all: nothing was made yet.
  /// Collective: over the file of `at`, one exchange where it is parallel.
  Result<FilePtr> where(const Location& at, const CallName& name) {
    LocalFacts facts;
    facts.call_kind = CallKind::kOutcome;
    const Status found = without_throwing([&]() -> Status {
      PCIO_TRY(find_way(at));
      PCIO_TRY(copy.take_places_again());
      facts.same[0] = copy.places_hash();
      return Status();
    });
    auto all = at.file->coordinator().agree(name, facts, found);
    failed_alike = !all || !all->same[0].equal();
    if (!all) return tl::unexpected<Status>(std::move(all.error()));
    if (failed_alike)
      return PCIO_ERROR(
          DATASET, CANTCOPY,
          "a function of the program has written what is copied, and not on all ranks");
    return place.group.file;
  }
  Status make(const Location& at, const CallName& name) {
    call_went_too_far();
    PCIO_TRY(copy.make(at.file->coordinator(), name));
    Location root = copy.root();
    return link_new_object(place, &root, link);
  }

 private:
  Status find_way(const Location& at) {
    PCIO_ASSIGN(place, free_place(at, link));
    if (place.group.file == there.group.file) return Status();
    return PCIO_ERROR(OHDR, CANTCOPY,
                      "the way to \"" + link.name + "\" leads to another file than before");
  }
};

/// The data, once all ranks have made the objects; what can't be moved loses its name.
Status finish_copy(const Location& at, const CallName& name, Copying& copying, const Status& made) {
  if (copying.failed_alike) return made;
  Coordinator& ranks = at.file->coordinator();
  // A rank that has failed before it comes where the others are now.
  if (copying.copy.meets_in_making() && !copying.copy.has_met()) return ranks.outcome(name, made);
  PCIO_TRY(ranks.outcome(name, made));
  const FilePtr& to = copying.place.group.file;
  const Status moved =
      ranks.outcome(name, without_throwing([&] { return copying.copy.move(name); }));
  if (moved.ok())
    return to != at.file && !to->parallel() && to->file_ids() == 0 ? to->flush(name) : Status();
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
    PCIO_ASSIGN(at.file, located_file(dst_loc_id, "dst_loc_id"));
    // The other ranks meet this one: it doesn't begin again by itself.
    if (at.file->parallel()) call_went_too_far();
    std::string object;
    const CopyCall call{src_loc_id, src_name, dst_name, ocpypl_id, lcpl_id};
    Copying copying;
    Status found = without_throwing([&]() -> Status {
      PCIO_ASSIGN(at, location_of(dst_loc_id, "dst_loc_id"));
      object = full_name(at, dst_name);
      return copying.find(call);
    });
    const CallName name{"H5Ocopy", object};
    auto one_file = write_what_waits(copying.source.file, *at.file, name);
    if (found.ok() && !one_file) found = std::move(one_file.error());
    copying.one_file = one_file.value_or(false);
    Meeting meeting = Meeting::kWanted;
    Status made = metadata_call_to(
        at.file, name,
        [&](NamedArguments& out) -> Status {
          const Status ready =
              found.ok() ? without_throwing([&] { return copying.prepare(out, at, call); }) : found;
          return copying.copy.agree_on_source(at.file->coordinator(), name, ready);
        },
        [&] { return copying.where(at, name); }, [&] { return copying.make(at, name); }, &meeting);
    if (meeting == Meeting::kWanted) return made;
    return finish_copy(at, name, copying, made);
  });
}
