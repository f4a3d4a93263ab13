// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/objects: which messages of objects lie in the heaps of shared messages, and who counts.
//
// In memory messages are as if nothing were shared: what is read is put in its place (unshare_messages), and a
// commit decides anew for each object that it writes. So an object that was kept in memory and one that is
// read again lead to the same. What an object refers to in the file stands beside it (SharedRefs).
// Source: HDF5 File Format Specification III.I, IV.A.2; what counts as a reference: as observed with
// libhdf5 1.10.8.

#pragma once

#include <set>
#include <utility>

#include "storage/objects/object_table.hpp"

namespace pcio {

/// Puts messages that lie in heaps in the place of what refers to them, and notes that in `refs`. Files
/// that are only read keep a reference that leads nowhere. Collective: independent. Errors: damaged.
Status unshare_messages(ObjectTable& objects, unsigned header_version,
                        std::vector<HeaderMessage>* messages, std::vector<SharedRef>* refs);

/// Bytes of a message's body without the padding of version 1 headers. Types that indexes share but for attributes; of
/// what can't be decoded all. Collective: pure.
std::size_t exact_size(const HeaderMessage& message, const FileSizes& sizes);

/// The committed type of an attribute; undefined where it has a type of its own. Collective: pure.
FileAddress committed_type_of(ConstBytes attribute, const FileSizes& sizes);
/// A shared attribute refers to its committed type once, whoever has it, while in memory each who has it counts:
/// so many references to each type the file does not count. Collective: independent. Errors: of reading.
Result<TypeReferences> uncounted_references(const SharedIndex& attributes, FileContext& file);
/// As many as 4 bytes can count. Collective: pure.
std::uint32_t add_capped(std::uint32_t a, std::uint32_t b);

/// Which part of an object a message belongs to.
enum class SharedPart : std::uint8_t { kHeader, kDense };

/// Decides for the plan of one commit, object by object. Equal on all ranks. Threads: one thread drives a file.
class MessageSharing {
 public:
  explicit MessageSharing(ObjectTable& objects) : file_(objects.file()), objects_(objects) {}

  /// The file shares messages; else nothing below is called.
  [[nodiscard]] bool active() const { return objects_.shared().any(); }
  void begin() { objects_.shared().begin_plan(file_.space); }
  /// One object begins: the parts of it that are planned are forgotten.
  void begin_object(const StoredObject& object);
  /// The message as the file is to have it: where it is shared, what refers to it. Errors: damaged indexes.
  Result<HeaderMessage> stored(const HeaderMessage& message, SharedPart part);
  /// All of a header or of the attributes in dense storage. Errors: as stored().
  Result<std::vector<HeaderMessage>> stored_all(const std::vector<HeaderMessage>& messages,
                                                SharedPart part);
  /// The attributes in dense storage are no more, or not to be written.
  void no_dense_attributes() { parts_[static_cast<int>(SharedPart::kDense)].emplace(); }
  /// The object is planned: what it refers to is counted, and what it no longer refers to.
  Status end_object(StoredObject& object);
  /// It stays in the file as it was.
  Status drop_object(StoredObject& object);
  /// What objects that are gone referred to is counted no more: all who may name them are planned, and none is left
  /// out. Errors: damaged indexes.
  Status let_gone_go();
  /// Committed types for which uncounted() differs from what it was.
  [[nodiscard]] const std::set<FileAddress>& changed_types() const { return changed_types_; }
  /// The same, and forgets them.
  std::set<FileAddress> take_changed_types() { return std::exchange(changed_types_, {}); }
  /// end_object() was called for it.
  [[nodiscard]] bool is_counted(const StoredObject& object) const {
    return counted_.contains(object.address);
  }
  /// See uncounted_references(); all but types are planned. Errors: of reading.
  Result<std::uint32_t> uncounted(FileAddress type);
  /// Errors: NOSPACE.
  Status plan(BlockSet* blocks);

 private:
  /// A message of an index.
  struct Use {
    SharedIndex* index = nullptr;
    SharedIndex::Place place;
    SharedRef ref;
  };
  using Uses = std::vector<Use>;

  Result<std::optional<Use>> use_of(std::uint16_t type, ConstBytes body);
  Result<std::optional<Use>> find_use(SharedIndex* index, std::uint16_t type, std::uint32_t hash,
                                      ConstBytes body);
  Result<std::optional<Use>> take_from_header(Use use, ConstBytes body);
  Result<std::optional<Use>> find_ref(const SharedRef& ref, FileAddress holder);
  Status share_part(std::uint16_t type, bool* shared, std::vector<std::byte>* part, Uses* uses);
  Result<HeaderMessage> stored_attribute(const HeaderMessage& message, Uses* uses);
  Status count(const Use& use, std::int64_t change);
  Status count_parts(ConstBytes body, std::int64_t change);
  Status count_attribute(const Use& use, std::int64_t before, std::int64_t after);
  Status drop_uncounted();
  Status drop_fresh();

  FileContext& file_;
  ObjectTable& objects_;
  const StoredObject* object_ = nullptr;
  std::array<std::optional<Uses>, 2> parts_;  ///< by SharedPart: what is planned
  std::set<FileAddress> changed_types_;
  Uses fresh_;  ///< made for this object, nobody counts them yet
  /// Nobody counts them any more. They stay until all of an object is counted: more than one of its parts may lead
  /// to the same.
  Uses uncounted_;
  std::set<FileAddress> counted_;                    ///< objects that are planned
  std::optional<TypeReferences> planned_uncounted_;  ///< by the plan; once it was asked for
};

}  // namespace pcio
