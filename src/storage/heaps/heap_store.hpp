// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/heaps: the global heaps of an open file: what is put into them, taken out, and written
// by a commit.
//
// Every element owns its object. A collection that a commit has written changes only in a commit,
// through the journal; objects that were let go leave it there, so that their room is reused after it.

#pragma once

#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "storage/bytes/file_context.hpp"
#include "storage/heaps/heap_image.hpp"
#include "storage/objects/object_table.hpp"

namespace pcio {

/// Collections that differ from the file or are being filled, and objects that nobody refers to any
/// more. Threads: one thread drives a file.
class HeapStore {
 public:
  explicit HeapStore(FileContext& file) : file_(file) {}

  /// A collection that is in memory, perhaps other than the file has it; null: the file's counts.
  [[nodiscard]] const CollectionImage* image(FileAddress address) const;

  /// Stores an object of its own and says where. What is not written at once is written by the next
  /// commit. Of a file that several ranks have rank 0 alone does this: the others follow(), and
  /// write_filled() comes before anybody reads. Errors: no space; those of writing. On failure nothing was
  /// stored.
  Result<GlobalHeapId> put(ConstBytes bytes);

  /// Sizes of what rank 0 has allocated since the last call, for the others.
  std::vector<std::uint64_t> take_allocated() { return std::exchange(allocated_, {}); }
  /// Writes what put() has left in memory. Several ranks only. Collective: independent.
  Status write_filled();
  /// Allocates what rank 0 has. Collective: pure. Errors: no space, no memory.
  Status follow(std::span<const std::uint64_t> sizes);

  /// A reference to a region was made since the last commit: what it leads to is not in the file yet. Said by
  /// all ranks alike. Collective: pure.
  void note_region() noexcept { has_new_regions_ = true; }
  [[nodiscard]] bool has_new_regions() const { return has_new_regions_; }

  /// Nobody refers to the object once the next commit is in the file: then its room is free. What ranks
  /// let go each for itself they tell each other before a commit (agree_on_freeing).
  void let_go(const GlobalHeapId& id);

  // --- for commits ---
  /// This rank has let something go.
  [[nodiscard]] bool has_let_go() const { return !let_go_.empty(); }
  /// Equal on all ranks, behind agree_on_freeing() of several.
  [[nodiscard]] bool has_changes() const {
    return !dirty_.empty() || !empty_.empty() || (is_alone() && !let_go_.empty());
  }
  /// Whether what was let go may go with this commit.
  enum class Freeing : std::uint8_t { kNow, kLater };
  /// Takes out what was let go, and lists the blocks to be written. Collections that are damaged stay as
  /// they are. Serial files: it reads. On failure what was let go is still noted.
  Status plan(Freeing freeing, BlockSet* blocks);
  using LetGo = std::map<FileAddress, std::vector<std::uint32_t>>;
  /// What this rank has let go, up to `most` objects, which it notes no longer, nor any twice.
  LetGo take_let_go(std::uint64_t most);
  /// Rank 0's part of a freeing: takes the objects out in memory. Appends a word for the address and
  /// one for the size of each collection that changes; the highest bit of that: nothing is left in it.
  /// Where that is not noted the file keeps what was taken out: its room is lost, and nothing else.
  /// Collective: independent. Errors: no memory.
  Status take_out(const LetGo& objects, std::vector<std::uint64_t>* changes);
  /// All ranks' part, in two steps: what needs memory, for so many collections, and what doesn't.
  /// Collective: pure.
  void make_room_for_changes(std::size_t collections);
  void note_changes(std::span<const std::uint64_t> changes);
  /// The rest of a collection that is being filled is not needed. Collective: pure.
  void end_filling();
  /// What was planned last is in the file. Collective: pure.
  void mark_committed(CommittedIn where);
  /// What is committed in the journal only has been put in place.
  void forget_unrecovered();

 private:
  Result<GlobalHeapId> put_alone(ConstBytes bytes);
  Result<FileAddress> allocate(std::uint64_t size);
  Status begin_collection(std::uint64_t size);
  Status leave_collection();
  Result<bool> reuse_collection(std::uint64_t size);
  Status take_out_now();
  Status take_out(FileAddress address, std::span<const std::uint32_t> indexes,
                  std::vector<std::uint64_t>* changes);
  [[nodiscard]] bool is_alone() const { return file_.coordinator->size() == 1; }
  void note_room(FileAddress address, std::uint64_t room);
  Result<CollectionImage> load(FileAddress address, std::uint64_t most);

  FileContext& file_;
  using Images = std::map<FileAddress, std::unique_ptr<CollectionImage>>;
  using Sizes = std::map<FileAddress, std::uint64_t>;

  Images images_;
  /// To be written by a commit, with their sizes; their images are in images_, on rank 0 at least. Of several
  /// ranks' files those in which something was let go: what is put in is written at once.
  Sizes dirty_;
  Sizes spare_;                                   ///< nodes for dirty_
  std::vector<ByteRange> empty_;                  ///< to be released by a commit
  FileAddress filling_ = kUndefinedAddress;       ///< of images_: the next small object goes there
  std::uint64_t next_size_ = kGlobalHeapMinSize;  ///< of the next collection
  std::map<FileAddress, std::uint64_t> with_room_;  ///< bytes left in collections of the file
  LetGo let_go_;
  std::uint64_t looked_at_ = 0;           ///< bytes of collections that one taking out has loaded
  std::vector<std::uint64_t> allocated_;  ///< by rank 0 of several
  bool has_new_regions_ = false;
  bool planned_ = false;    ///< the commit that is being made writes dirty_
  bool taken_out_ = false;  ///< serial: objects are missing in dirty_ that the file still has
};

}  // namespace pcio
