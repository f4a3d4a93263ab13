// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: from names to objects, out of line.

#include "object/traverse.hpp"

#include <vector>

#include "object/group.hpp"

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

/// One walk; soft links are walks inside the walk and share its allowance.
class Walker {
 public:
  Walker(const LinkAccessProps& access, MissingGroups missing)
      : links_left_(access.nlinks), missing_(missing) {}

  Result<LinkPlace> place(Location from, std::string_view name) {
    if (name.empty()) return PCIO_ERROR(ARGS, BADVALUE, "no name given");
    if (name.front() == '/') from = root_of(from.file);
    std::vector<std::string> parts = components(name);
    if (parts.empty()) return LinkPlace{std::move(from), ""};
    for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
      PCIO_ASSIGN(from, step({std::move(from), parts[i]}));
    }
    return LinkPlace{std::move(from), parts.back()};
  }

  Result<Location> object(const Location& from, std::string_view name) {
    PCIO_ASSIGN(LinkPlace last, place(from, name));
    if (last.name.empty()) return last.group;
    return follow(last);
  }

  Result<Location> follow(const LinkPlace& place) {
    PCIO_ASSIGN(const LinkMessage* link, find_link(place));
    if (link->type == kLinkHard) {
      PCIO_ASSIGN(StoredObjectPtr object,
                  place.group.file->store().objects().object(link->address));
      return Location{place.group.file, std::move(object), place.path()};
    }
    if (link->type == kLinkSoft) {
      if (links_left_ == 0)
        return PCIO_ERROR(LINK, NLINKS,
                          "too many soft links on the way to \"" + place.path() + "\"");
      --links_left_;
      const std::string target(link->target.text());  // the table may change below us
      PCIO_ASSIGN(Location found, object(place.group, target));
      found.path = place.path();
      return found;
    }
    if (link->type == kLinkExternal)
      return PCIO_ERROR(LINK, UNSUPPORTED,
                        "\"" + place.path() + "\" is a link into another file (" +
                            std::string(link->file.text()) +
                            "); links to other files are not followed");
    return PCIO_ERROR(
        LINK, UNSUPPORTED,
        "\"" + place.path() + "\" is a user-defined link of type " + std::to_string(link->type));
  }

 private:
  Result<Location> step(const LinkPlace& place) {
    PCIO_ASSIGN(LinkTable * table, place.group.file->store().objects().links(place.group.object));
    if (missing_ == MissingGroups::kAreCreated && !table->links.contains(place.name)) {
      PCIO_TRY(make_group(place, GroupCreateProps(), LinkCreateProps()));
    }
    return follow(place);
  }

  std::size_t links_left_;
  MissingGroups missing_;
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
  auto it = table->links.find(place.name);
  if (it == table->links.end())
    return PCIO_ERROR(
        SYM, NOTFOUND,
        "object \"" + place.name + "\" doesn't exist in \"" + place.group.path + "\"");
  return static_cast<const LinkMessage*>(&*it);
}

Result<bool> is_taken(const LinkPlace& place) {
  PCIO_ASSIGN(LinkTable * table, place.group.file->store().objects().links(place.group.object));
  return table->links.contains(place.name);
}

Result<bool> link_exists(const Location& from, std::string_view name,
                         const LinkAccessProps& access) {
  PCIO_ASSIGN(LinkPlace place, find_place(from, name, access));
  if (place.name.empty()) return true;
  return is_taken(place);
}

}  // namespace pcio
