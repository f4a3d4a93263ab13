// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: copies of objects with all that belongs to them, within a file and between files.
//
// A copy has three phases. The plan reads all there is to copy and changes nothing: whatever can't be read, or
// can't be copied, shows there, before the ranks of a parallel file meet. Then all objects are made, by the
// same arithmetic on every rank. At last the data are moved, as they lie in the file where that is possible,
// by each rank a share.

#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "object/attribute.hpp"
#include "object/copy_types.hpp"
#include "object/traverse.hpp"
#include "agree/named_arguments.hpp"
#include "storage/chunks/filtered_chunks.hpp"
#include "storage/dataset/allocation.hpp"
#include "storage/index/model/chunk_index.hpp"

namespace pcio {

/// Bits of H5Pset_copy_object.
enum CopyOption : unsigned {
  kCopyShallow = 0x01,
  kCopySoftTargets = 0x02,
  kCopyExternalTargets = 0x04,
  kCopyReferenced = 0x08,
  kCopyWithoutAttributes = 0x10,
  kCopyMergeTypes = 0x40,
};

/// What is to be copied, and into which file.
struct CopyRequest {
  Location source;
  FilePtr to;
  ObjectCopyProps props;
  /// What the program says when no suggested path leads to a committed type that fits
  /// (H5Pset_mcdt_search_cb): 0 to search the file, 1 not to, negative to fail. Empty: search.
  std::function<int()> ask;
};

/// Where an element has a reference.
struct ReferencePlace {
  std::size_t offset = 0;
  ReferenceKind kind = ReferenceKind::kObject;
};

/// One object on its way.
struct CopiedObject {
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  /// What a reference in it leads to.
  struct Reference {
    FileAddress object = 0;      ///< of the source; 0: none
    std::size_t region = kNone;  ///< of one to a region that is followed: its number
  };
  struct Link {
    LinkMessage link;
    std::size_t object = kNone;  ///< of a hard link in the copy
  };
  struct Value {
    Attribute attribute;
    std::size_t type = kNone;  ///< its committed type
    std::vector<Reference> references;
  };
  struct Chunk {
    SizedChunk chunk;
    FileAddress address = kUndefinedAddress;
  };

  Location from;
  std::vector<Link> links;
  std::vector<Value> attributes;
  std::string comment;
  std::size_t type = kNone;  ///< a dataset's committed type
  // A dataset's data.
  std::vector<ReferencePlace> reference_places;  ///< in an element
  std::vector<std::byte> elements;               ///< all of them, where there are references
  std::vector<Reference> references;             ///< in elements, row by row
  std::vector<IndexRun> runs;
  std::vector<Chunk> chunks;

  bool with_members = true;    ///< of a group
  bool is_linked = false;      ///< by a link in the copy
  bool is_referenced = false;  ///< by a reference in the copy
  bool is_there = false;       ///< a committed type that the file has already
  Location made;
};

/// Threads: one thread drives a file.
class ObjectCopy {
 public:
  ObjectCopy() = default;
  ObjectCopy(const ObjectCopy&) = delete;
  ObjectCopy& operator=(const ObjectCopy&) = delete;

  /// Finds all there is to copy. Collective: independent. Errors: what can't be read or copied, by name.
  Status plan(CopyRequest request);
  /// What must be equal on all ranks.
  void put(NamedArguments& out) const;
  /// Makes all objects, without a link to the first. Collective: by contract; where references to regions are
  /// followed over `to`, and `ranks`, those of the file that the call begins in, where several have it. Errors:
  /// no memory, no space; of any rank, where they communicate.
  Status make(Coordinator& ranks, const CallName& name);
  /// The copy of the source. After make().
  [[nodiscard]] const Location& root() const { return objects_.front().made; }
  /// Moves the data. All ranks have made all objects. Collective: over the file that is written to, where
  /// it is parallel; the outcome is this rank's own, and agreed by the caller.
  Status move(const CallName& name);

 private:
  using Key = std::pair<File*, FileAddress>;
  struct Piece {
    FileAddress from;
    FileAddress to;
    std::uint64_t bytes;
  };

  Result<std::size_t> number_of(const Location& object, bool with_members);
  Status plan_object(std::size_t number);
  Status plan_attributes(std::size_t number);
  Status plan_group(std::size_t number);
  Status plan_link(std::size_t number, const LinkPlace& place, const LinkMessage& link);
  Status plan_dataset(std::size_t number);
  Status plan_chunks(std::size_t number);
  Status plan_elements(std::size_t number);
  Status plan_type(std::size_t number);
  /// Elements that lie in memory, and where each has references.
  struct Elements {
    ConstBytes bytes;
    std::size_t size;  ///< of one
    std::span<const ReferencePlace> places;
  };
  Result<std::vector<CopiedObject::Reference>> plan_references(std::size_t number,
                                                               const Elements& elements);
  Result<CopiedObject::Reference> plan_reference(std::size_t number, ReferenceKind kind,
                                                 ConstBytes bytes, HeapReader& heaps);

  Status make_objects();
  Status make_object(CopiedObject& object);
  Status make_dataset_of(CopiedObject& object);
  Status allocate(CopiedObject& object);
  Status make_attributes(CopiedObject& object);
  Status make_links(CopiedObject& object);
  Status link_referenced();
  Status prepare_regions();
  Status store_regions(const CallName& name);
  [[nodiscard]] std::vector<std::byte> translated(
      const Elements& elements, std::span<const CopiedObject::Reference> references,
      File* from) const;
  void translate(ReferenceKind kind, const CopiedObject::Reference& reference, File* from,
                 std::byte* at) const;
  [[nodiscard]] bool follows() const {
    return (request_.props.copy_options & kCopyReferenced) != 0;
  }

  Status fill_all(const CallName& name);
  Status move_pieces(const CallName& name);
  [[nodiscard]] Status list_pieces(const CopiedObject& object, std::vector<Piece>* pieces) const;
  Status write_elements(const CopiedObject& object, const CallName& name);

  CopyRequest request_;
  std::vector<CopiedObject> objects_;
  std::map<Key, std::size_t> numbers_;
  std::vector<std::size_t> waiting_;
  /// A region that a reference in the copy leads to.
  struct Region {
    std::size_t object;              ///< number of the dataset
    std::vector<std::byte> content;  ///< heap object of the source
  };
  std::vector<Region> regions_;
  std::optional<CommittedTypes> types_there_;
  std::vector<std::byte> region_ids_;  ///< of the copy's, one behind the other
  std::vector<std::pair<std::size_t, NewSpace>> unfilled_;
  std::uint64_t bytes_ = 0;
  std::uint64_t compact_hash_ = 0;
};

/// Before a copy is planned: flushes the file of the source where data wait in memory that all ranks of `to`
/// must write, and can. `source`: null where this rank has not found it.
/// Collective: over `to`, one exchange where several ranks have it; a flush of `source`. Errors: those of it.
Status write_what_waits(const FilePtr& source, File& to, const CallName& name);

/// Bytes of a reference in elements, whatever the sizes of the file are. Collective: pure.
constexpr std::size_t stored_size(ReferenceKind kind) {
  return kind == ReferenceKind::kObject ? 8 : 12;
}
/// Where references are in an element. Collective: pure. Errors: sequences; references of other sizes.
Status find_references(const Datatype& type, std::size_t at, std::vector<ReferencePlace>* places);

/// The first committed type of `to`, of `type` itself, those that suggested paths lead to and then all, that is
/// equal to it and has equal attributes. `ask` as in CopyRequest; `all`: of `to`. Collective: independent.
Result<std::optional<Location>> find_equal_type(const FilePtr& to, const Location& type,
                                                const ObjectCopyProps& props,
                                                const std::function<int()>& ask,
                                                CommittedTypes& all);

}  // namespace pcio
