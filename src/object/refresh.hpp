// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: objects in from the file anew, and whether their metadata may go out by themselves.

#pragma once

#include "object/traverse.hpp"

namespace pcio {

/// What another program has made of the object since it was read, in a file that is only read.
/// Collective: independent. Errors: it can't be read; it is what it was then.
inline Status refresh_object(const Location& object) {
  return object.file->store().refresh(*object.object);
}

/// Whether the program wants metadata of the object kept back until it asks for a flush. They always are,
/// so this is only remembered until nobody has the object open. Collective: independent.
inline bool flushes_disabled(const Location& object) { return object.object->flushes_disabled; }
inline void set_flushes_disabled(const Location& object, bool disabled) {
  object.object->flushes_disabled = disabled;
}

}  // namespace pcio
