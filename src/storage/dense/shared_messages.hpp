// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/dense: object header messages that a file keeps once for all objects that have them.
//
// A file has up to eight indexes of such messages, each with a heap, each for some types; an object's header
// holds the heap id in place of the message. Who only looks messages up needs the heaps alone.
// Source: HDF5 File Format Specification III.I, IV.A.2 Shared Message.

#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "format/extension_messages.hpp"
#include "format/object_header.hpp"
#include "storage/dense/shared_index.hpp"

namespace pcio {

/// One reference of an object's header to a shared message.
struct SharedRef {
  std::uint16_t type = kMessageNil;
  /// In the heap; nothing: the message is in the header itself and known to the index.
  std::optional<std::array<std::byte, 8>> heap_id;
  std::vector<std::byte> body;  ///< of a message in the header
};

/// What an object refers to in the file, and what it is going to by the plan of a commit.
struct SharedRefs {
  std::vector<SharedRef> header;
  std::vector<SharedRef> dense;  ///< of attributes in dense storage; once they are read
  std::optional<std::vector<SharedRef>> planned_header, planned_dense;
  /// The plan is in the file.
  void mark_committed() {
    if (planned_header) header.swap(*planned_header);
    if (planned_dense) dense.swap(*planned_dense);
    forget_planned();
  }
  void forget_planned() {
    planned_header.reset();
    planned_dense.reset();
  }
};

/// The heaps of one file. Equal on all ranks but for what is read already. Threads: one thread drives a file.
class SharedMessages {
 public:
  /// Of a new file: a table with nothing in its indexes. `indexes`: types, sizes and phases.
  void make(FileAddress table, std::vector<SharedMessageIndexHeader> indexes);
  /// Collective: independent. Errors: a damaged table.
  Status open(FileBytes& file, const FileSizes& sizes, const SharedTableMessage& table);
  /// The table of the file; nothing where it has none.
  [[nodiscard]] const std::vector<SharedMessageIndexHeader>& indexes() const { return indexes_; }
  [[nodiscard]] bool any() const { return !indexes_.empty(); }
  /// Bytes of the table, of all indexes and their heaps, as the last commit has them. Collective: independent.
  /// Errors: what is damaged; a heap with filters.
  Result<std::vector<ByteRange>> ranges(FileBytes& file, const FileSizes& sizes) const;
  /// One of the indexes is for messages of this type.
  [[nodiscard]] bool shares(unsigned type) const { return number_of(type) < indexes_.size(); }
  /// The body of a message of `type` behind a heap id. Collective: independent.
  /// Errors: the file has no heap for this type; ids that lead nowhere.
  Result<std::vector<std::byte>> body(FileBytes& file, const FileSizes& sizes, unsigned type,
                                      ConstBytes heap_id);

  /// All indexes are read, of a file that is opened for writing: a commit must not be the first to find one
  /// damaged. Collective: independent. Errors: what is damaged.
  Status read_indexes(FileBytes& file, const FileSizes& sizes);
  /// `visit` gets the index for `type`, which there is, as the last commit has it. Collective: independent.
  Status visit_committed(FileBytes& file, const FileSizes& sizes, unsigned type,
                         const std::function<Status(const SharedIndex&)>& visit) const;

  // --- for commits ---
  /// The index for `type`, read at first use; null: there is none. Collective: independent.
  Result<SharedIndex*> index(FileBytes& file, const FileSizes& sizes, unsigned type);
  /// An object is gone that referred to these messages: the next commits let them go. Collective: pure.
  void let_go(const SharedRefs& refs);
  [[nodiscard]] const std::vector<SharedRef>& gone() const { return gone_; }
  /// What is planned does without them.
  void note_gone_counted() { gone_counted_ = true; }
  /// The object at `address` is no more, which the last commit has.
  void note_removed(FileAddress address) {
    if (any()) removed_.insert(address);
  }
  /// A new object has the address.
  void note_made(FileAddress address) { removed_.erase(address); }
  [[nodiscard]] bool was_removed(FileAddress address) const { return removed_.contains(address); }
  /// The plan before this one is not in the file: all is as the last commit has it. Collective: pure.
  void begin_plan(FileSpace& space);
  /// What the commit writes of all indexes. Collective: pure. Errors: NOSPACE.
  Status plan(const FileSizes& sizes, FileSpace& space, BlockSet* blocks);
  void mark_committed();

 private:
  [[nodiscard]] std::size_t number_of(unsigned type) const;

  FileAddress table_ = kUndefinedAddress;
  std::vector<SharedMessageIndexHeader> indexes_;  ///< as the last commit has them
  std::vector<SharedMessageIndexHeader> planned_;
  std::vector<std::unique_ptr<SharedIndex>> images_;  ///< of the indexes that were needed
  std::vector<SharedRef> gone_;
  std::set<FileAddress> removed_;
  bool is_new_ = false;        ///< the table never was in the file
  bool is_planned_ = false;    ///< there is a plan that is not in the file yet
  bool gone_counted_ = false;  ///< by this plan
};

}  // namespace pcio
