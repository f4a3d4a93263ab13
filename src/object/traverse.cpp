// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: from names to objects, out of line.

#include "object/traverse.hpp"

#include <algorithm>
#include <vector>

#include "object/external_link.hpp"
#include "object/group.hpp"
#include "object/link_callbacks.hpp"
#include "object/mount.hpp"
#include "object/shared_reads.hpp"

namespace pcio {

namespace {

std::string join(const std::string& path, std::string_view name) {
  if (path.empty() || path.back() == '/') return path + std::string(name);
  return path + "/" + std::string(name);
}

std::vector<std::string> components(std::string_view name) {
  std::vector<std::string> parts;
  std::size_t at = 0;
  while (at < name.size()) {
    std::size_t end = std::min(name.find('/', at), name.size());
    std::string_view part = name.substr(at, end - at);
    if (!part.empty() && part != ".") parts.emplace_back(part);
    at = end + 1;
  }
  return parts;
}

/// A name that is a link's of the place itself, as most are.
bool is_component(std::string_view name) {
  return name.find('/') == std::string_view::npos && name != ".";
}

/// What is still to be done on a walk.
struct Step {
  enum class Kind : std::uint8_t {
    kGroup,    ///< go to the group of this name, which may have to be made
    kObject,   ///< go to the object of this name
    kKnownAs,  ///< what a link led to is known by the link's path
  };
  Kind kind;
  std::string text;
};

/// One walk. Links that are not hard put the steps of their targets before those that are left: nothing
/// calls itself, however many links may be followed.
class Walker {
 public:
  Walker(const LinkAccessProps& access, MissingGroups missing)
      : access_(access), links_left_(access.nlinks), missing_(missing) {}

  Result<LinkPlace> place(Location from, std::string_view name) {
    if (name.empty()) return PCIO_ERROR(ARGS, BADVALUE, "no name given");
    if (is_component(name)) return LinkPlace{std::move(from), std::string(name)};
    if (name.front() == '/') from = top_root(from);
    std::vector<std::string> parts = components(name);
    if (parts.empty()) return LinkPlace{std::move(from), ""};
    const std::string last = std::move(parts.back());
    parts.pop_back();
    push(parts, Step::Kind::kGroup);
    PCIO_ASSIGN(from, walk(std::move(from)));
    if (first_missing_.empty()) return LinkPlace{std::move(from), last};
    return LinkPlace{std::move(from), first_missing_, true};
  }

  Result<Location> object(const Location& from, std::string_view name) {
    PCIO_ASSIGN(LinkPlace last, place(from, name));
    if (last.name.empty()) return std::move(last.group);
    PCIO_ASSIGN(Location at, follow(last));
    return walk(std::move(at));
  }

 private:
  void push(const std::vector<std::string>& parts, Step::Kind last) {
    for (std::size_t i = parts.size(); i-- > 0;)
      steps_.push_back({i + 1 == parts.size() ? last : Step::Kind::kGroup, parts[i]});
  }

  Result<Location> walk(Location at) {
    while (!steps_.empty()) {
      Step step = std::move(steps_.back());
      steps_.pop_back();
      if (step.kind == Step::Kind::kKnownAs) {
        at.path = std::move(step.text);
        continue;
      }
      const LinkPlace place{std::move(at), std::move(step.text)};
      if (step.kind == Step::Kind::kGroup && missing_ != MissingGroups::kAreErrors) {
        PCIO_ASSIGN(const bool there, is_taken(place));
        if (!there && missing_ == MissingGroups::kEndTheWalk) {
          PCIO_TRY(check_made_from_here());
          first_missing_ = place.name;
          return place.group;
        }
        if (!there) PCIO_TRY(make_missing(place));
      }
      PCIO_ASSIGN(at, follow(place));
    }
    return at;
  }

  /// In a group that would be made there is only what would be made, too: nothing that a link leads to.
  [[nodiscard]] Status check_made_from_here() const {
    const auto object = std::find_if(steps_.rbegin(), steps_.rend(), [](const Step& step) {
      return step.kind == Step::Kind::kObject;
    });
    if (object == steps_.rend()) return Status();
    return PCIO_ERROR(SYM, NOTFOUND,
                      "object \"" + object->text + "\", to which a link leads, doesn't exist");
  }

  static Status make_missing(const LinkPlace& place) {
    if (place.group.hold) PCIO_TRY(check_own_call(*place.group.file));
    PCIO_ASSIGN(const GroupCreateProps props, missing_group_props(place.group));
    return detail::to_status(make_group(place, props, LinkCreateProps()));
  }

  /// One link on; where it is not a hard one the walk goes on with its target.
  Result<Location> follow(const LinkPlace& place) {
    PCIO_ASSIGN(const LinkMessage* link, find_link(place));
    if (link->type == kLinkHard) {
      PCIO_ASSIGN(StoredObjectPtr object,
                  place.group.file->store().objects().object(link->address));
      return crossed({place.group.file, std::move(object), place.path(), place.group.hold});
    }
    if (links_left_ == 0)
      return PCIO_ERROR(LINK, NLINKS,
                        "too many links (soft, external, user-defined) on the way to \"" +
                            place.path() + "\": more than H5Pset_nlinks allows");
    --links_left_;
    if (link->type == kLinkSoft) return enter_soft(place, std::string(link->target.text()));
    if (link->type == kLinkExternal && !has_class(kLinkExternal)) {
      if (link_callbacks().follows_external != nullptr && !link_callbacks().follows_external())
        return PCIO_ERROR(LINK, NOTREGISTERED, "external links are not registered (H5Lunregister)");
      PCIO_ASSIGN(ChildPlace child, open_child_of(place, *link, access_));
      push(components(child.path), Step::Kind::kObject);
      return std::move(child.root);
    }
    if (has_class(link->type)) {
      const LinkMessage copy = *link;  // the program may change the table
      LinkAccessProps access = access_;
      access.nlinks = links_left_;
      PCIO_TRY(SharedReads::end_before_program());
      return link_callbacks().traverse(place, copy, access);
    }
    return PCIO_ERROR(LINK, NOTREGISTERED,
                      "\"" + place.path() + "\" is a user-defined link of type " +
                          std::to_string(link->type) + ", which is not registered (H5Lregister)");
  }

  /// Groups are made before anybody knows in which file the call ends.
  static Status check_own_call(File& file) {
    PCIO_TRY(check_writable(file));
    if (!file.parallel()) return Status();
    return PCIO_ERROR(LINK, UNSUPPORTED,
                      "missing groups can't be made in parallel file \"" + file.path() +
                          "\" by a link from another file: begin in that file");
  }

  static bool has_class(int type) {
    return link_callbacks().has_class != nullptr && link_callbacks().has_class(type);
  }

  Result<Location> enter_soft(const LinkPlace& place, const std::string& target) {
    if (target.empty()) return PCIO_ERROR(ARGS, BADVALUE, "no name given");
    // The name of an outer link will be set over this one's.
    if (steps_.empty() || steps_.back().kind != Step::Kind::kKnownAs)
      steps_.push_back({Step::Kind::kKnownAs, place.path()});
    push(components(target), Step::Kind::kObject);
    return target.front() == '/' ? top_root(place.group) : place.group;
  }

  const LinkAccessProps& access_;
  std::size_t links_left_;
  MissingGroups missing_;
  std::vector<Step> steps_;  ///< the next one last
  std::string first_missing_;
};

}  // namespace

std::string LinkPlace::path() const { return name.empty() ? group.path : join(group.path, name); }

Location root_of(const FilePtr& file) { return {file, file->store().objects().root(), "/"}; }

Result<Location> object_at_address(const FilePtr& file, FileAddress address) {
  PCIO_ASSIGN(StoredObjectPtr object, file->store().objects().object(address));
  return Location{file, std::move(object), ""};
}

Result<Location> find_object(const Location& from, std::string_view name,
                             const LinkAccessProps& access) {
  return Walker(access, MissingGroups::kAreErrors).object(from, name);
}

Result<LinkPlace> find_place(const Location& from, std::string_view name,
                             const LinkAccessProps& access, MissingGroups missing) {
  return Walker(access, missing).place(from, name);
}

Result<const LinkMessage*> find_link(const LinkPlace& place) {
  if (place.name.empty())
    return PCIO_ERROR(SYM, NOTFOUND, "\"" + place.group.path + "\" is an object, not a link");
  PCIO_ASSIGN(LinkTable * table, place.group.file->store().objects().links(place.group.object));
  auto it = table->find(place.name);
  if (it == table->links.end())
    return PCIO_ERROR(
        SYM, NOTFOUND,
        "object \"" + place.name + "\" doesn't exist in \"" + place.group.path + "\"");
  return static_cast<const LinkMessage*>(&*it);
}

Result<bool> is_taken(const LinkPlace& place) {
  PCIO_ASSIGN(LinkTable * table, place.group.file->store().objects().links(place.group.object));
  return table->has(place.name);
}

Result<bool> link_exists(const Location& from, std::string_view name,
                         const LinkAccessProps& access) {
  PCIO_ASSIGN(LinkPlace place, find_place(from, name, access));
  if (place.name.empty()) return true;
  return is_taken(place);
}

}  // namespace pcio
