// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/objects: the objects of an open file: loaded, made, linked, changed.

#pragma once

#include <array>
#include <map>

#include "props/object_props.hpp"
#include "storage/bytes/file_context.hpp"
#include "storage/dense/dense_storage.hpp"
#include "storage/dense/shared_messages.hpp"
#include "storage/objects/loaded_objects.hpp"
#include "storage/objects/placed_table.hpp"
#include "storage/objects/stored_object.hpp"

namespace pcio {

using ObjectsByAddress = std::map<FileAddress, StoredObjectPtr>;
/// References to committed types by their addresses.
using TypeReferences = std::map<FileAddress, std::uint32_t>;
/// Objects whose changes a commit could not plan, and why.
using LeftOut = std::map<FileAddress, Status>;

/// Where a commit stands. Who loads an object that is in the journal only would see the last commit, so
/// such objects stay in memory.
enum class CommittedIn : std::uint8_t { kPlace, kJournal };

class FirstTouch;
class ObjectTrial;

/// Which objects are in memory, which of them differ from the file, and which have no link left. What
/// differs stays in memory until a commit has written it.
///
/// Every rank makes the same changes in the same order, so that all tables say the same but for what is
/// merely loaded. Threads: one thread drives a file.
class ObjectTable {
 public:
  explicit ObjectTable(FileContext& file) : file_(file) {}

  /// The object at `address`, loaded once. Collective: independent.
  /// Errors: what is damaged or not understood in its header.
  Result<StoredObjectPtr> object(FileAddress address);
  /// Takes the object's header from the file anew, and forgets all that was decoded of it. Collective:
  /// independent; files that are only read. On failure nothing has changed.
  Status reload(StoredObject& object);
  /// The same where somebody holds it; else null. Collective: independent.
  [[nodiscard]] StoredObjectPtr find(FileAddress address) const { return loaded_.find(address); }
  [[nodiscard]] const StoredObjectPtr& root() const { return root_; }
  void set_root(StoredObjectPtr root) { root_ = std::move(root); }

  /// A new object with these messages; gets its address now, its bytes at the next commit.
  /// `links_to` starts at 0: who never links it has it released. `source`: version of the header that this
  /// one is a copy of. Collective: pure.
  Result<StoredObjectPtr> create(std::vector<HeaderMessage> messages,
                                 const ObjectCreateProps& props, unsigned source = 0);
  /// Marks as changed; the object stays in memory until the next commit. Collective: pure.
  void touch(const StoredObjectPtr& object);
  /// It is what the last commit has, after all. Asks for no memory. Collective: pure.
  void untouch(StoredObject& object) noexcept;
  /// One link more or fewer; at none the object is released at a commit when nobody has it open.
  /// Collective: pure.
  void add_reference(const StoredObjectPtr& object);
  Status drop_reference(const StoredObjectPtr& object);
  /// What drop_reference() would say, but that memory is lacking.
  static Status check_referenced(const StoredObject& object);

  /// Links of a group, loaded at first use. Collective: independent. Errors: not a group; damaged.
  Result<LinkTable*> links(const StoredObjectPtr& group);
  /// Marks the links as changed, which are loaded or of a new group. Collective: pure.
  void touch_links(const StoredObjectPtr& group);
  /// A link of this name will be added, to links that are marked: for whoever may undo that.
  void announce_link(const StoredObjectPtr& group, const std::string& name);
  /// Attributes that are in dense storage, read at first use. Collective: independent.
  Status load_attributes(const StoredObjectPtr& object);
  /// Marks the attributes as changed, which are loaded. Collective: pure.
  void touch_attributes(const StoredObjectPtr& object);
  /// The same of several, which goes without memory: the list is empty then.
  void touch_attributes(ObjectsByAddress* objects) noexcept;
  /// Makes an old-style group, whose links no longer fit a symbol table, a new-style one.
  Status become_new_style(StoredObject& group);
  [[nodiscard]] SymbolTableShape symbol_table_shape() const;
  /// Symbol tables that commits change in place.
  [[nodiscard]] PlacedTables& placed_tables() { return placed_tables_; }
  /// The group's links are no longer, or not yet, changed in place. Collective: pure.
  void forget_placed(StoredObject& group) {
    placed_tables_.erase(group.address);
    if (group.links) group.links->changes.reset();
  }
  /// Bytes of the file that the links of a group have, where they are a symbol table.
  [[nodiscard]] std::vector<ByteRange> links_ranges(const StoredObject& group) const {
    return placed_tables_.ranges_of(group.address, group.symbol_table);
  }

  /// Dense storage of links and of attributes that commits change in place.
  [[nodiscard]] DenseStorages& dense(DenseKind kind) { return dense_[static_cast<int>(kind)]; }
  /// Where the file has dense storage of an object; undefined addresses where it has none.
  [[nodiscard]] Result<DensePlace> dense_place(const StoredObject& object, DenseKind kind) const;
  /// The storage in the file, where commits haven't got to it yet. Collective: independent.
  Result<std::unique_ptr<DenseStorage>> read_dense(const StoredObject& object, DenseKind kind);
  /// What dense storage of an object has of the file. Collective: independent. Errors: damaged.
  Result<std::vector<ByteRange>> dense_ranges(const StoredObject& object, DenseKind kind);

  /// Messages that the file keeps once for several objects.
  [[nodiscard]] SharedMessages& shared() { return shared_; }
  /// What all parts of the file work with.
  [[nodiscard]] FileContext& file() { return file_; }
  /// The message as it is: where it lies in the heap of shared messages, with its body from there. One
  /// that is in another object's header stays a reference. Collective: independent. Errors: damaged.
  Result<HeaderMessage> unshared(const HeaderMessage& message);
  /// The type of a Datatype message, following a reference to a committed type.
  /// Collective: independent.
  Result<Datatype> resolve_type(const HeaderMessage& message, FileAddress* committed_at) {
    return resolve_type({message.flags, message.body}, committed_at);
  }
  /// The same of a message that is part of another one.
  struct EncodedType {
    std::uint8_t flags;
    ConstBytes body;
  };
  Result<Datatype> resolve_type(EncodedType message, FileAddress* committed_at);

  // --- for commits ---
  /// By address: the same order on all ranks.
  [[nodiscard]] const ObjectsByAddress& changed() const { return changed_; }
  /// Objects without links. Collective: pure; what is open of them is this rank's.
  [[nodiscard]] const ObjectsByAddress& unlinked() const { return unlinked_; }
  /// An unlinked object is dealt with. It is listed anew where it loses its last link from here on.
  void forget_unlinked(FileAddress address) { unlinked_.erase(address); }
  /// What changes may be undone (ObjectTrial).
  [[nodiscard]] bool is_tried() const { return trial_ != nullptr; }
  /// Its bytes are given back: nobody finds it any more.
  void remove(FileAddress address);
  /// The commit is in the file but for the objects that `left_out` lists: nothing else differs.
  /// Collective: pure.
  void mark_committed(const LeftOut& left_out, CommittedIn where);
  /// What is committed in the journal only has been put in place.
  void forget_unrecovered() { unrecovered_.clear(); }

 private:
  friend class FirstTouch;
  friend class ObjectTrial;
  void forget_places(FileAddress address) noexcept;
  Result<StoredObjectPtr> load(FileAddress address);
  Result<StoredObjectPtr> load_once(FileAddress address);
  Status read_links(StoredObject& group);
  void keep_walked(const StoredObjectPtr& group);
  Result<std::uint32_t> uncounted_references_to(FileAddress type);
  Result<Datatype> decode_type(ConstBytes body);

  FileContext& file_;
  LoadedObjects loaded_;
  StoredObjectPtr root_;
  ObjectsByAddress changed_;
  ObjectsByAddress unlinked_;  ///< released at a commit
  PlacedTables placed_tables_;
  SharedMessages shared_;
  /// See uncounted_references(), as the last commit has them; where a type was loaded since then.
  std::optional<TypeReferences> uncounted_;
  std::array<DenseStorages, 2> dense_;  ///< by DenseKind
  /// Groups whose links were asked for last, the last one first. Who opens objects one after the other by paths
  /// holds none of the groups on the way: all links of each would be read for each object. It decides nothing.
  std::array<StoredObjectPtr, 8> walked_;
  ObjectsByAddress unrecovered_;  ///< written by a commit that failed in its window
  /// Types that were decoded last: most objects have one of few. It decides nothing.
  struct KnownType {
    std::vector<std::byte> body;
    Datatype type;
  };
  std::array<KnownType, 4> known_types_;
  std::size_t next_known_ = 0;
  ObjectTrial* trial_ = nullptr;
};

/// The links of a compact group in the order of their messages, as the last commit left them, those that were
/// added since behind them by name: the same on all ranks, and the order in which a commit writes them.
/// Collective: independent. Errors: a damaged message.
Result<LinkNumbers::Listed> links_by_message(const StoredObject& group, const LinkTable& table,
                                             const FileSizes& sizes);

/// An object that is about to be changed by steps which may fail: unless it is kept it is marked as changed only if it was
/// before, or somebody else has changed it since. Ranks that fail at different steps have the same objects to commit then.
class FirstTouch {
 public:
  FirstTouch(ObjectTable& objects, const StoredObjectPtr& object);
  FirstTouch(const FirstTouch&) = delete;
  FirstTouch& operator=(const FirstTouch&) = delete;
  ~FirstTouch();
  void keep() { keeps_ = true; }

 private:
  ObjectTable& objects_;
  StoredObjectPtr object_;
  bool keeps_;
  unsigned touches_ = 0;
};

}  // namespace pcio
