// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: walks through a file, out of line.
//
// The stack is a vector, not recursion: a file may nest groups deeper than a thread's stack.

#include "lib/visit.hpp"

#include <set>
#include <vector>

namespace pcio {

namespace {

/// A group on the way down, and how far its links were visited.
struct Level {
  Location group;
  std::string prefix;  // path from the start, with a '/' at its end; empty at the start
  std::vector<std::string> names;
  std::size_t next = 0;
};

class Walk {
 public:
  explicit Walk(ListOrder how) : how_(how) {}

  /// True the first time that an object is met.
  bool meet(const Location& at) { return met_.insert({at.file.get(), at.address()}).second; }

  Status enter(const Location& group, const std::string& prefix) {
    // A walk meets groups of all kinds: where the order of creation isn't known it goes by names.
    const IndexBy by = tracks_creation_order(group) ? how_.by : IndexBy::kName;
    PCIO_ASSIGN(std::vector<std::string> names, ordered_names(group, by, how_.order));
    levels_.push_back({group, prefix, std::move(names)});
    return Status();
  }

  /// Calls `step(path, place, link) -> Result<herr_t>` link by link until one does not answer 0.
  template <class Step>
  Result<herr_t> run(Step&& step) {
    while (!levels_.empty()) {
      if (levels_.back().next == levels_.back().names.size()) {
        levels_.pop_back();
        continue;
      }
      // A copy: `step` may push a level.
      const std::string name = levels_.back().names[levels_.back().next++];
      const LinkPlace place{levels_.back().group, name};
      // A function that was called in a file that is mounted here may have closed this one.
      PCIO_TRY(check_open(*place.group.file));
      const std::string path = levels_.back().prefix + name;
      auto link = find_link(place);
      if (!link) continue;  // deleted by a callback
      const LinkMessage copy = **link;
      PCIO_ASSIGN(herr_t answer, step(path, place, copy));
      if (answer < 0)
        return PCIO_ERROR(ARGS, BADITER, "argument op: the callback failed at \"" + path + "\"");
      if (answer > 0) return answer;
    }
    return 0;
  }

 private:
  ListOrder how_;
  std::set<std::pair<const File*, FileAddress>> met_;
  std::vector<Level> levels_;
};

/// The object behind a link that still is one and is hard; nothing otherwise.
Result<std::optional<Location>> hard_target(const LinkPlace& place) {
  auto link = find_link(place);
  if (!link || (*link)->type != kLinkHard) return std::optional<Location>();
  PCIO_ASSIGN(Location at, find_object(place.group, place.name));
  return std::optional<Location>(std::move(at));
}

}  // namespace

Result<herr_t> visit_links(const Location& start, ListOrder how, const LinkVisitor& visit) {
  Walk walk(how);
  walk.meet(start);
  PCIO_TRY(walk.enter(start, ""));
  return walk.run([&](const std::string& path, const LinkPlace& place,
                      const LinkMessage& link) -> Result<herr_t> {
    PCIO_ASSIGN(herr_t answer, visit(path, link));
    if (answer != 0) return answer;
    PCIO_TRY(check_open(*place.group.file));
    PCIO_ASSIGN(std::optional<Location> at, hard_target(place));
    if (at && at->kind() == ObjectKind::kGroup && walk.meet(*at))
      PCIO_TRY(walk.enter(*at, path + "/"));
    return 0;
  });
}

Result<herr_t> visit_objects(const Location& start, ListOrder how, const ObjectVisitor& visit) {
  Walk walk(how);
  walk.meet(start);
  PCIO_ASSIGN(herr_t first, visit(".", start));
  if (first < 0) return PCIO_ERROR(ARGS, BADITER, "argument op: the callback failed at the start");
  PCIO_TRY(check_open(*start.file));
  if (first > 0 || start.kind() != ObjectKind::kGroup) return first;
  PCIO_TRY(walk.enter(start, ""));
  return walk.run(
      [&](const std::string& path, const LinkPlace& place, const LinkMessage&) -> Result<herr_t> {
        PCIO_ASSIGN(std::optional<Location> at, hard_target(place));
        if (!at || !walk.meet(*at)) return 0;
        PCIO_ASSIGN(herr_t answer, visit(path, *at));
        PCIO_TRY(check_open(*at->file));
        if (answer == 0 && at->kind() == ObjectKind::kGroup) PCIO_TRY(walk.enter(*at, path + "/"));
        return answer;
      });
}

Result<std::string> path_of_object(const Location& object) {
  const Location root = root_of(object.file);
  if (root.object == object.object) return std::string("/");
  std::string found;
  PCIO_TRY(
      visit_objects(root, {}, [&](const std::string& path, const Location& at) -> Result<herr_t> {
        if (at.address() != object.address() || at.file != object.file) return 0;
        found = "/" + path;
        return 1;
      }));
  return found;
}

Result<std::string> known_path(OpenObject& open) {
  if (!open.path().empty() || !open.file().is_open()) return open.path();
  PCIO_ASSIGN(std::string found, path_of_object({open.file_ptr(), open.object(), ""}));
  open.set_path(found);
  return found;
}

}  // namespace pcio
