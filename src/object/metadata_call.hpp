// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: the frame around calls that change metadata.
//
// Every rank makes such a call with the same arguments; nothing is communicated, but the call enters
// the file's running hash, and a failure on some ranks only is noticed at the next communicating call.

#pragma once

#include <string>
#include <utility>

#include "agree/named_arguments.hpp"
#include "base/without_throwing.hpp"
#include "object/file.hpp"

namespace pcio {

namespace detail {

/// What leaves a metadata call otherwise than by its end has failed on this rank alone.
class MetadataFrame {
 public:
  MetadataFrame(Coordinator& coordinator, const CallName& name)
      : coordinator_(coordinator), name_(name) {}
  MetadataFrame(const MetadataFrame&) = delete;
  MetadataFrame& operator=(const MetadataFrame&) = delete;
  ~MetadataFrame() {
    if (!ended_) coordinator_.lose_metadata_call(name_, "out of memory");
  }
  void end() { ended_ = true; }

 private:
  Coordinator& coordinator_;
  const CallName& name_;
  bool ended_ = false;
};

}  // namespace detail

/// Whether the ranks meet in a metadata call before anything changes: those that communicate in it anyway
/// do, so that what one of them can't do fails on all, and changes nothing. `kOwnCall`: it changes nothing that ranks
/// hold alike, so any rank may make it alone, and its failure is that rank's.
enum class Meeting : std::uint8_t { kNone, kWanted, kHeld, kOwnCall };

namespace detail {

/// A metadata call on a file that may be one for reading only.
template <class Prepare, class Act>
Status metadata_frame(File& file, const CallName& name, Prepare&& prepare, Act&& act,
                      Meeting* meeting) {
  if (!file.is_open()) return check_writable(file);
  if (file.parallel()) call_went_too_far();
  ReportLog& log = file.store().report_log();
  const MetadataKept kept(log, file.store().driver().counters(),
                          log.is_on() ? metadata_kind(name.function) : MetadataKind::kElse);
  MetadataFrame frame(file.coordinator(), name);
  NamedArguments arguments;
  Status result = without_throwing([&]() -> Status { return prepare(arguments); });
  if (meeting != nullptr && *meeting == Meeting::kWanted) {
    Status all = file.coordinator().meet(name, arguments, result);
    if (!all.ok()) {
      frame.end();
      return all;
    }
    *meeting = Meeting::kHeld;
  }
  if (meeting != nullptr && *meeting == Meeting::kOwnCall) {
    frame.end();
    PCIO_TRY(file.coordinator().health());
    if (result.ok()) result = check_nothing_wanted();
    return result.ok() ? without_throwing(std::forward<Act>(act)) : result;
  }
  Status begun = file.coordinator().begin_metadata_call(name, arguments);
  if (result.ok()) result = check_nothing_wanted();
  if (begun.ok() && result.ok()) result = without_throwing(std::forward<Act>(act));
  frame.end();
  PCIO_TRY(std::move(begun));
  return file.coordinator().end_metadata_call(name, std::move(result));
}

}  // namespace detail

/// A part of a metadata call that comes behind its frame: its time is the call's, in the log.
[[nodiscard]] inline MetadataKept keep_rest_of_call(File& file, MetadataKind kind) {
  return {file.store().report_log(), file.store().driver().counters(), kind,
          MetadataKept::Call::kGoesOn};
}

/// Runs a metadata call: `prepare(NamedArguments& arguments) -> Status` checks and converts what the user
/// gave and appends what must be equal on all ranks; `act() -> Status` makes the change.
///
/// Collective: by contract over the file, local in cost (one exchange under PCIO_CHECK=calls).
/// Whatever fails, memory that runs out included, is returned and remembered for the next agreement.
/// Where a `meeting` is wanted (on all ranks alike) `prepare` is followed by an exchange. It succeeded on
/// all ranks, and the meeting is held, or `act` runs on none and nothing is remembered.
template <class Prepare, class Act>
Status metadata_call(File& file, const CallName& name, Prepare&& prepare, Act&& act,
                     Meeting* meeting = nullptr) {
  return detail::metadata_frame(
      file, name,
      [&](NamedArguments& arguments) -> Status {
        PCIO_TRY(check_writable(file));
        return prepare(arguments);
      },
      std::forward<Act>(act), meeting);
}

/// The same for a call that all ranks make alike and that changes nothing in the file, which may be one for
/// reading only.
template <class Prepare, class Act>
Status contract_call(File& file, const CallName& name, Prepare&& prepare, Act&& act,
                     Meeting* meeting = nullptr) {
  return detail::metadata_frame(file, name, std::forward<Prepare>(prepare), std::forward<Act>(act),
                                meeting);
}

/// The same for a call that begins in the file of `from` and may be led into another one by a link:
/// `where() -> Result<FilePtr>` says, once the arguments are read, which file `act` changes. That file's
/// ranks are told of the call, too, and nothing of it waits for a close that could not tell of a failure.
template <class Prepare, class Where, class Act>
Status metadata_call_to(const FilePtr& from, const CallName& name, Prepare&& prepare, Where&& where,
                        Act&& act, Meeting* meeting = nullptr) {
  auto in_its_file = [&]() -> Status {
    PCIO_ASSIGN(const FilePtr to, where());
    PCIO_TRY(check_nothing_wanted());
    if (to == from) {
      PCIO_TRY(check_writable(*from));
      return act();
    }
    PCIO_TRY(metadata_call(
        *to, name,
        [&](NamedArguments& out) -> Status {
          out.begin("object");
          out.text(name.object);
          return Status();
        },
        act));
    return to->file_ids() == 0 && !to->parallel() ? to->flush(name) : Status();
  };
  // A file for reading only may lead to one that is not; where ranks are compared they fail here.
  return detail::metadata_frame(
      *from, name,
      [&](NamedArguments& arguments) -> Status {
        if (from->is_open() && from->parallel()) PCIO_TRY(check_writable(*from));
        return prepare(arguments);
      },
      in_its_file, meeting);
}

/// The rest of a metadata call that changes nothing in the file any more, as making an id: a function
/// that returns a Result. What fails here has failed for this rank's program.
template <class Finish>
auto finish_metadata_call(File& file, const CallName& name, Finish&& finish) -> decltype(finish()) {
  detail::MetadataFrame frame(file.coordinator(), name);
  auto made = finish();
  if (made) frame.end();
  return made;
}

}  // namespace pcio
