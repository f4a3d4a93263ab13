// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/objects: the links of a group, in memory, whatever their form in the file.

#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "format/link_message.hpp"
#include "storage/objects/numbered.hpp"

namespace pcio {

struct LinkNameLess {
  using is_transparent = void;
  bool operator()(const LinkMessage& a, const LinkMessage& b) const { return a.name < b.name; }
  bool operator()(const LinkMessage& a, std::string_view b) const { return a.name < b; }
  bool operator()(std::string_view a, const LinkMessage& b) const { return a < b.name; }
};

/// Links in the order of their names' bytes, which is HDF5's name order.
using LinkMap = std::set<LinkMessage, LinkNameLess>;

/// Whether the file has a link of a name that was added or removed since.
enum class LinkBefore : std::uint8_t { kNotThere, kThere };
using LinkChanges = std::map<std::string, LinkBefore, std::less<>>;

/// The content of one group.
struct LinkTable {
  LinkMap links;
  std::int64_t next_creation_order = 0;
  /// They are to lie in dense storage, as the phase change of their group says.
  bool dense = false;
  /// What changed since the file had the links, where somebody follows.
  std::optional<LinkChanges> changes;

  /// A name that isn't there.
  LinkMap::const_iterator add(LinkMessage link) {
    if (changes) changes->try_emplace(link.name, LinkBefore::kNotThere);
    return links.insert(std::move(link)).first;
  }
  /// A link will be removed: what may lack memory of that. Nothing comes between that fails on all ranks
  /// alike: those that have the group in memory would plan otherwise than those that read it again.
  void announce_removal(const std::string& name) {
    if (changes) changes->try_emplace(name, LinkBefore::kThere);
  }
  /// After announce_removal().
  void remove(LinkMap::const_iterator link) { links.erase(link); }
};

/// The links of a table by number; for tables that stay where they are.
class LinkNumbers {
 public:
  using ByCreation = std::multimap<std::int64_t, LinkMap::const_iterator>;
  explicit LinkNumbers(const LinkTable& table);
  void add(LinkMap::const_iterator link);
  /// Before the link goes.
  void remove(LinkMap::const_iterator link);
  [[nodiscard]] const ByCreation& by_creation() const { return by_creation_; }
  [[nodiscard]] Numbered<LinkMap>& names() { return names_; }
  [[nodiscard]] Numbered<ByCreation>& creations() { return creations_; }

 private:
  void changed() {
    names_.forget();
    creations_.forget();
  }
  ByCreation by_creation_;
  Numbered<LinkMap> names_;
  Numbered<ByCreation> creations_;
};

/// True where a version 1 symbol table can hold a link, or every one: hard and soft links with ASCII
/// names.
[[nodiscard]] bool fits_symbol_table(const LinkMessage& link);
[[nodiscard]] bool fits_symbol_table(const LinkTable& table);

}  // namespace pcio
