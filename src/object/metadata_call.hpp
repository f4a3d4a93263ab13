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
/// do, so that what one of them can't do fails on all, and changes nothing.
enum class Meeting : std::uint8_t { kNone, kWanted, kHeld };

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
  if (!file.is_open()) return check_writable(file);
  detail::MetadataFrame frame(file.coordinator(), name);
  NamedArguments arguments;
  Status result = without_throwing([&]() -> Status {
    PCIO_TRY(check_writable(file));
    return prepare(arguments);
  });
  if (meeting != nullptr && *meeting == Meeting::kWanted) {
    Status all = file.coordinator().meet(name, arguments, result);
    if (!all.ok()) {
      frame.end();
      return all;
    }
    *meeting = Meeting::kHeld;
  }
  Status begun = file.coordinator().begin_metadata_call(name, arguments);
  if (begun.ok() && result.ok()) result = without_throwing(std::forward<Act>(act));
  frame.end();
  PCIO_TRY(std::move(begun));
  return file.coordinator().end_metadata_call(name, std::move(result));
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
