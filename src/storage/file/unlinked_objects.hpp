// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/file: what goes with objects that nobody can reach any more.
//
// Everything is read before the ranks agree, so that giving it back can't fail on one of them: what
// one rank can't read keeps its space on all.

#pragma once

#include <vector>

#include "storage/objects/stored_object.hpp"

namespace pcio {

/// One object without links: its bytes but for the header, and the objects it refers to.
struct ObjectRemains {
  StoredObjectPtr object;
  std::vector<ByteRange> ranges;
  std::vector<StoredObjectPtr> children;
};

/// All of them by address. `unread` has a word for each: 1 where it could not be read.
struct Remains {
  std::vector<ObjectRemains> objects;
  std::vector<std::uint64_t> unread;
};

}  // namespace pcio
