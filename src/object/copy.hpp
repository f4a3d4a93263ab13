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
#include "object/copy_elements.hpp"
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
  /// All ranks have found the source in one file that they share. Equal on all ranks.
  bool one_file = false;
  FilePtr to;
  ObjectCopyProps props;
  /// What the program says when no suggested path leads to a committed type that fits
  /// (H5Pset_mcdt_search_cb): 0 to search the file, 1 not to, negative to fail. Empty: search.
  std::function<int()> ask;
};

/// One object on its way.
struct CopiedObject {
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  struct Link {
    LinkMessage link;
    std::size_t object = kNone;  ///< of a hard link in the copy
  };
  struct Value {
    Attribute attribute;
    std::size_t type = kNone;  ///< its committed type
    ReferenceMap references;   ///< those that become others
    /// Where it has variable-length parts, or references: in place of the attribute's data.
    std::shared_ptr<HeldElements> elements;
  };
  struct Chunk {
    SizedChunk chunk;
    FileAddress address = kUndefinedAddress;
  };

  Location from;
  std::unique_ptr<DatasetInTransfer> in_transfer;  ///< functions of the program may close it
  std::vector<Link> links;
  std::int64_t next_link = 0;  ///< number of the next one, where the order of creation is tracked
  std::vector<Value> attributes;
  std::uint16_t next_attribute = 0;  ///< its number
  std::string comment;
  std::size_t type = kNone;  ///< a dataset's committed type
  // A dataset's data.
  std::shared_ptr<FillValue> fill;  ///< of variable length and not empty; else null
  bool chunked = false;             ///< its places are planned
  bool by_elements = false;         ///< through memory: not as they lie in the file
  ReferenceMap references;          ///< those that become others
  std::vector<IndexRun> runs;
  std::vector<Chunk> chunks;

  bool with_members = true;    ///< of a group
  bool is_linked = false;      ///< by a link in the copy
  bool is_referenced = false;  ///< by a reference in the copy
  bool is_there = false;       ///< a committed type that the file has already
  Location made;
};

/// What the copies are made after, as hashes that must be equal on all ranks: not where in the source it lies, nor
/// values of attributes. Threads: thread-compatible.
struct SourceShape {
  std::uint64_t headers = 0;
  std::uint64_t links = 0;
  std::uint64_t types = 0;     ///< that are committed
  std::uint64_t datasets = 0;  ///< but for their data
  std::uint64_t attributes = 0;
  std::uint64_t space = 0;   ///< which datasets without chunks have some
  std::uint64_t chunks = 0;  ///< which there are
  std::uint64_t sizes = 0;   ///< of filtered chunks, and which filters were left out

  /// Collective: independent. Errors: what can't be decoded.
  Status add_object(const CopiedObject& object);
  /// Of a dataset.
  void add_places(const CopiedObject& object, const DatasetState& state);
  [[nodiscard]] std::uint64_t hash_of_places() const;
};

/// Threads: one thread drives a file.
class ObjectCopy {
 public:
  ObjectCopy() = default;
  ObjectCopy(const ObjectCopy&) = delete;
  ObjectCopy& operator=(const ObjectCopy&) = delete;

  /// Finds all there is to copy. Collective: independent. Errors: what can't be read or copied, by name.
  Status plan(CopyRequest request);
  /// What of the request must be equal on all ranks.
  void put(NamedArguments& out) const;
  /// Of a copy that was planned, unless `local` has failed before: what is there to copy is alike on all ranks, or
  /// all fail. Collective: over the file of `ranks`, one exchange where several have it.
  Status agree_on_source(Coordinator& ranks, const CallName& name, const Status& local) const;
  /// Behind the last function of the program that runs before the data are moved: what was planned may have other
  /// places since then. Collective: independent.
  Status take_places_again();
  /// Of which data the source had then: no agreement was on that yet.
  [[nodiscard]] std::uint64_t places_hash() const { return places_hash_; }
  /// Makes all objects, without a link to the first. Collective: by contract; where references to regions are
  /// followed over `to`, and `ranks`, those of the file that the call begins in, where several have it. Errors:
  /// no memory, no space; of any rank, where they communicate.
  Status make(Coordinator& ranks, const CallName& name);
  /// make() agrees on what was made before it goes on. Equal on all ranks.
  [[nodiscard]] bool meets_in_making() const {
    return !regions_.empty() && request_.to->coordinator().size() > 1;
  }
  /// This rank has come to that.
  [[nodiscard]] bool has_met() const { return has_met_; }
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
  Result<std::size_t> number_of_type(const FilePtr& file, FileAddress address);
  Status plan_object(std::size_t number);
  Status plan_attributes(std::size_t number);
  Status plan_value(std::size_t number, CopiedObject::Value* value);
  Status plan_group(std::size_t number);
  Status plan_link(std::size_t number, const LinkPlace& place, const LinkMessage& link);
  Status plan_dataset(std::size_t number);
  Status plan_chunks(std::size_t number);
  [[nodiscard]] std::uint64_t hash_of_rest() const;
  Status plan_elements(std::size_t number);
  static Result<ElementBatches> batches_of(const CopiedObject& object);
  static Status read_batch(const OpenObject& from, const Dataspace& part, HeldElements* elements);
  Status plan_type(std::size_t number);
  Status plan_references(std::size_t number, const ReferenceMap& map, HeldElements& elements);
  Status plan_object_reference(const FilePtr& file, ConstBytes reference);
  Status plan_region_reference(const FilePtr& file, ConstBytes reference, HeapReader& heaps);
  Result<std::optional<std::size_t>> plan_target(const FilePtr& file, FileAddress address);

  Status make_objects();
  Status make_object(CopiedObject& object);
  Status make_dataset_of(CopiedObject& object);
  Status allocate(CopiedObject& object);
  Status make_attributes(CopiedObject& object);
  Status make_links(CopiedObject& object);
  Status link_referenced();
  Status prepare_regions();
  Status store_regions(const CallName& name);
  [[nodiscard]] bool follows() const {
    return (request_.props.copy_options & kCopyReferenced) != 0;
  }
  /// Within a file references go on meaning what they mean.
  [[nodiscard]] bool changes_references(const CopiedObject& object) const {
    return follows() || object.from.file != request_.to;
  }
  Status translate(const ReferenceMap& map, File* from, HeldElements* elements) const;
  void translate_object(File* from, Bytes reference) const;
  void translate_region(File* from, Bytes reference) const;

  Status fill_all(const CallName& name);
  Status place_fill_values(const CallName& name);
  Status move_pieces(const CallName& name);
  [[nodiscard]] Status list_pieces(const CopiedObject& object, std::vector<Piece>* pieces) const;
  Status copy_elements(const CopiedObject& object, const CallName& name);
  Status write_batch(const CopiedObject& object, const Dataspace& part, HeldElements& elements,
                     const CallName& name, const Status& ready);
  Status write_values(const CopiedObject& object, const CallName& name);

  CopyRequest request_;
  std::vector<CopiedObject> objects_;
  std::map<Key, std::size_t> numbers_;
  std::vector<std::size_t> waiting_;
  /// A region that a reference in the copy leads to.
  struct Region {
    std::size_t object;              ///< number of the dataset
    std::vector<std::byte> content;  ///< heap object of the source, then of the copy
  };
  std::vector<Region> regions_;
  /// Numbers of regions by file and id there.
  std::map<std::pair<File*, std::vector<std::byte>>, std::size_t> region_numbers_;
  std::optional<CommittedTypes> types_there_;
  std::vector<std::byte> region_ids_;  ///< of the copy's, one behind the other
  std::vector<std::pair<std::size_t, NewSpace>> unfilled_;
  std::uint64_t bytes_ = 0;
  std::uint64_t waiting_values_ = 0;  ///< attributes that are written at last
  std::uint64_t fills_ = 0;           ///< that heaps are to hold
  std::uint64_t batches_ = 0;         ///< of elements that go through memory
  std::uint64_t compact_hash_ = 0;
  SourceShape shape_;
  std::uint64_t places_hash_ = 0;
  bool has_met_ = false;
};

/// Before a copy is planned: flushes the file of the source where data wait in memory that all ranks of `to`
/// must write, and can. Chunks that can't be encoded are left out of that: only a copy of their own dataset fails. `source`: null where this rank has not found it.
/// True where all have found it in one file that they share.
/// Collective: over `to`, one exchange where several ranks have it; a flush of `source`. Errors: those of it.
Result<bool> write_what_waits(const FilePtr& source, File& to, const CallName& name);

/// The first committed type of `to`, of `type` itself, those that suggested paths lead to and then all, that is
/// equal to it and has equal attributes. `ask` as in CopyRequest; `all`: of `to`. Collective: independent.
Result<std::optional<Location>> find_equal_type(const FilePtr& to, const Location& type,
                                                const ObjectCopyProps& props,
                                                const std::function<int()>& ask,
                                                CommittedTypes& all);

}  // namespace pcio
