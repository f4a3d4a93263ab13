// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/objects: the links of a group, in memory, whatever their form in the file.

#pragma once

#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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

/// The link that was found or added last: the next one is beside it, as a rule, for programs go by name.
/// It decides nothing; a copy knows of none.
class LinkNear {
 public:
  LinkNear() = default;
  LinkNear(const LinkNear&) {}
  LinkNear(LinkNear&& other) noexcept { *this = std::move(other); }
  LinkNear& operator=(const LinkNear&) {
    forget();
    return *this;
  }
  LinkNear& operator=(LinkNear&& other) noexcept {
    link_ = other.link_;
    known_ = std::exchange(other.known_, false);
    return *this;
  }
  ~LinkNear() = default;
  void set(LinkMap::const_iterator link) {
    link_ = link;
    known_ = true;
  }
  void forget() { known_ = false; }
  /// The link, nullptr where none is known.
  [[nodiscard]] const LinkMap::const_iterator* get() const { return known_ ? &link_ : nullptr; }

 private:
  LinkMap::const_iterator link_;
  bool known_ = false;
};

/// The content of one group.
struct LinkTable {
  LinkMap links;
  mutable LinkNear near;
  std::int64_t next_creation_order = 0;
  /// They are to lie in dense storage, as the phase change of their group says.
  bool dense = false;
  /// What changed since the file had the links, where somebody follows.
  std::optional<LinkChanges> changes;

  /// A name that isn't there.
  LinkMap::const_iterator add(LinkMessage link) {
    if (changes) changes->try_emplace(link.name, LinkBefore::kNotThere);
    const auto* last = near.get();
    const auto made =
        links.insert(last != nullptr ? std::next(*last) : links.end(), std::move(link));
    near.set(made);
    return made;
  }
  /// As links.find().
  [[nodiscard]] LinkMap::const_iterator find(std::string_view name) const {
    if (const auto* last = near.get(); last != nullptr && name >= (*last)->name) {
      if (name == (*last)->name) return *last;
      const auto next = std::next(*last);
      if (next == links.end() || name < next->name) return links.end();
      if (name == next->name) {
        near.set(next);
        return next;
      }
    }
    const auto found = links.find(name);
    if (found != links.end()) near.set(found);
    return found;
  }
  [[nodiscard]] bool has(std::string_view name) const { return find(name) != links.end(); }
  /// A link will be removed: what may lack memory of that. Nothing comes between that fails on all ranks
  /// alike: those that have the group in memory would plan otherwise than those that read it again.
  void announce_removal(const std::string& name) {
    if (changes) changes->try_emplace(name, LinkBefore::kThere);
  }
  /// After announce_removal().
  void remove(LinkMap::const_iterator link) {
    near.forget();
    links.erase(link);
  }
};

/// The links of a table by number; for tables that stay where they are.
class LinkNumbers {
 public:
  using ByCreation = std::multimap<std::int64_t, LinkMap::const_iterator>;
  /// As dense storage has them: by the hash of the name, then by the name.
  using ByHash = std::map<std::pair<std::uint32_t, std::string_view>, LinkMap::const_iterator>;
  using Listed = std::vector<LinkMap::const_iterator>;
  explicit LinkNumbers(const LinkTable& table);
  void add(LinkMap::const_iterator link);
  /// Before the link goes.
  void remove(LinkMap::const_iterator link);
  [[nodiscard]] const ByCreation& by_creation() const { return by_creation_; }
  [[nodiscard]] Numbered<LinkMap>& names() { return names_; }
  [[nodiscard]] Numbered<ByCreation>& creations() { return creations_; }
  [[nodiscard]] static ByHash::key_type hash_key(std::string_view name);
  /// Made when somebody asks.
  [[nodiscard]] const ByHash& by_hash(const LinkTable& table);
  [[nodiscard]] Numbered<ByHash>& hashes() { return hashes_; }
  /// What links_by_message() said, for as long as it holds.
  [[nodiscard]] std::optional<Listed>& by_message() { return by_message_; }

 private:
  void changed() {
    names_.forget();
    creations_.forget();
    hashes_.forget();
    by_message_.reset();
  }
  ByCreation by_creation_;
  std::optional<ByHash> by_hash_;
  std::optional<Listed> by_message_;
  Numbered<LinkMap> names_;
  Numbered<ByCreation> creations_;
  Numbered<ByHash> hashes_;
};

/// True where a version 1 symbol table can hold a link, or every one: hard and soft links with ASCII
/// names.
[[nodiscard]] bool fits_symbol_table(const LinkMessage& link);
[[nodiscard]] bool fits_symbol_table(const LinkTable& table);

}  // namespace pcio
