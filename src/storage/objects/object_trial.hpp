// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/objects: what a call makes and changes of objects, as long as another rank may fail in it.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "storage/objects/object_table.hpp"

namespace pcio {

/// From begin() on the table tells it of objects that are made and touched, of links that come and symbol tables that go:
/// undo() takes all of that back, as if nobody had called. Other messages and what was decoded of an object are the
/// caller's, and links that go are not undone.
class ObjectTrial {
 public:
  explicit ObjectTrial(ObjectTable& objects) : objects_(objects) {}
  ObjectTrial(const ObjectTrial&) = delete;
  ObjectTrial& operator=(const ObjectTrial&) = delete;
  ~ObjectTrial() { end(); }
  void begin() noexcept { objects_.trial_ = this; }
  /// What happens from here on is no part of it.
  void end() noexcept {
    if (objects_.trial_ == this) objects_.trial_ = nullptr;
  }
  /// Asks for no memory. Collective: pure.
  void undo() noexcept;
  /// Those that were made.
  [[nodiscard]] const std::vector<StoredObjectPtr>& made() const { return made_; }

 private:
  friend class ObjectTable;
  /// As it was.
  struct Touched {
    StoredObjectPtr object;
    bool dirty, links_dirty, attributes_dirty;
    std::uint32_t links_to;
    ObjectsByAddress unlinked;                           ///< itself where it has no link
    std::optional<std::pair<std::int64_t, bool>> links;  ///< next number, whether they are dense
  };
  struct NewLink {
    StoredObjectPtr group;
    std::string name;
    bool is_followed;  ///< it was added or removed before
  };
  /// The symbol table of a group that has become a new-style one.
  struct OldStyle {
    StoredObject* group;  ///< which is touched
    std::vector<HeaderMessage> messages;
    SymbolTablePlace symbol_table{};
    std::optional<LinkChanges> changes{};
    PlacedTables::Taken placed{};
    bool is_taken = false;
  };
  // Each has its memory before anything changes.
  void note_touch(const StoredObjectPtr& object);
  void note_link(const StoredObjectPtr& group, const std::string& name);
  void expect_object() { made_.reserve(made_.size() + 1); }
  void note_made(const StoredObjectPtr& object) noexcept { made_.push_back(object); }
  /// A symbol table is about to go; of a group that was made it goes with the group.
  void expect_new_style(StoredObject& group);
  void note_new_style(StoredObject& group) noexcept;
  void take_back(const NewLink& link) noexcept;
  void restore(Touched& was) noexcept;
  void restore(OldStyle& was) noexcept;
  void forget(const StoredObjectPtr& object) noexcept;

  ObjectTable& objects_;
  std::vector<StoredObjectPtr> made_;
  std::vector<Touched> touched_;
  std::vector<NewLink> links_;
  std::vector<OldStyle> old_styles_;
};

}  // namespace pcio
