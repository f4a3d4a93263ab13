// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: the committed types of a file, for copies that use those which are there already.

#pragma once

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "object/traverse.hpp"
#include "type/datatype.hpp"

namespace pcio {

/// Goes through all objects that hard links reach, by the order of their names, as far as it takes to find
/// what is asked for; what it has come by is remembered, so that many types cost one walk.
/// Threads: one thread drives a file.
class CommittedTypes {
 public:
  explicit CommittedTypes(const FilePtr& file) : file_(file) {}

  /// The first type that is equal to `type` and has equal attributes. Nothing of the file may change
  /// between two calls. Collective: independent. Errors: what can't be read.
  Result<std::optional<Location>> find(const Location& type);

 private:
  /// Equal types are of one kind.
  using Kind = std::pair<TypeClass, std::size_t>;
  struct Known {
    Location at;
    Datatype type;
  };

  void push(Location object);
  Status push_members(const Location& group);
  Status note_types_of(const Location& object, std::vector<Known>* found);

  FilePtr file_;
  bool begun_ = false;
  std::set<FileAddress> seen_;
  std::vector<Location> waiting_;
  std::set<FileAddress> seen_types_;
  std::map<Kind, std::vector<Known>> known_;
};

}  // namespace pcio
