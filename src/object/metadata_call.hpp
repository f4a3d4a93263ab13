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

#include "base/bytes.hpp"
#include "object/file.hpp"

namespace pcio {

/// Runs a metadata call: `prepare(ByteWriter& arguments) -> Status` checks and converts what the user
/// gave and appends what must be equal on all ranks; `act() -> Status` makes the change.
///
/// Collective: by contract over the file, local in cost (one exchange under PCIO_CHECK=calls).
/// Whatever fails is returned and remembered for the next agreement.
template <class Prepare, class Act>
Status metadata_call(File& file, const CallName& name, Prepare&& prepare, Act&& act) {
  ByteWriter arguments;
  Status result = check_writable(file);
  if (result.ok()) result = prepare(arguments);
  PCIO_TRY(file.coordinator().begin_metadata_call(name, arguments.view()));
  if (result.ok()) result = act();
  return file.coordinator().end_metadata_call(name, std::move(result));
}

}  // namespace pcio
