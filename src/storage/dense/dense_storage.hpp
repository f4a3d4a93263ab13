// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/dense: the links of a group, or the attributes of an object, in a fractal heap, with version 2
// B-trees by name and, where that is asked for, by the order of creation.
//
// Written whole once, and changed in place by the commits that follow.
// Source: HDF5 File Format Specification III.A.2, III.G, IV.A.2.c, IV.A.2.v.

#pragma once

#include "storage/dense/heap_image.hpp"

namespace pcio {

enum class DenseKind : std::uint8_t { kLinks, kAttributes };

/// Where the parts are, as link info and attribute info messages say.
struct DensePlace {
  FileAddress heap = kUndefinedAddress;
  FileAddress names = kUndefinedAddress;
  FileAddress orders = kUndefinedAddress;
};

/// A link or an attribute.
struct DenseItem {
  std::string name;
  std::uint64_t order = 0;  ///< number of creation; of an attribute kNoOrder where not tracked
  std::uint8_t flags = 0;   ///< of an attribute's message
  std::vector<std::byte>
      body;  ///< the encoded message; where flags say that it is shared, its heap id
};

/// Where things are is equal on all ranks: it follows from names, lengths and the order of commits.
/// Threads: one thread drives a file.
class DenseStorage {
 public:
  /// In records of attributes whose order isn't tracked.
  static constexpr std::uint64_t kNoOrder = 0xFFFF;

  struct Shape {
    DenseKind kind = DenseKind::kLinks;
    bool by_order = false;  ///< there is an index by the order of creation
    FileSizes sizes;
    /// Of a group with filters: the pipeline message. What is read has those of its heap.
    std::vector<std::byte> filters{};
  };
  /// Name and order in the body of a link, name in that of an attribute.
  using Describe = std::function<Status(ConstBytes body, DenseItem* item)>;
  /// The body behind an id of the heap of shared messages.
  using SharedBody = std::function<Result<std::vector<std::byte>>(ConstBytes id)>;

  /// With nothing in it.
  explicit DenseStorage(const Shape& shape);
  DenseStorage(const DenseStorage&) = delete;
  DenseStorage& operator=(const DenseStorage&) = delete;
  /// The one at `place`. Collective: independent. Errors: what is damaged, or can't be changed.
  static Result<std::unique_ptr<DenseStorage>> read(FileBytes& file, const Shape& shape,
                                                    const DensePlace& place,
                                                    const SharedBody& shared,
                                                    const Describe& describe);

  /// Of a new one with filters: before anything is in it. Errors: a damaged pipeline.
  Status set_filters() {
    return shape_.filters.empty() ? Status() : heap_->set_filters(shape_.filters);
  }
  /// Its heap has these filters: a pipeline message, or nothing.
  [[nodiscard]] bool has_filters(ConstBytes message) const;
  /// Where it has filters, what changed goes through them between the changes and plan(): on one rank, and
  /// the others take what that one has found. Before, the heap has its place on all ranks.
  Status place_heap(FileSpace& space) { return heap_->place_header(&owner_, space); }
  [[nodiscard]] std::size_t count_unfiltered() const { return heap_->count_unfiltered(); }
  Status filter(std::vector<FilteredSize>* sizes) { return heap_->filter(sizes); }
  void take_sizes(std::span<const FilteredSize> sizes) { heap_->take_sizes(sizes); }

  [[nodiscard]] std::uint64_t count() const { return names_.size(); }
  [[nodiscard]] const HeapImage& heap() const { return *heap_; }
  /// The number of creation of an item; nothing where there is none of this name.
  [[nodiscard]] std::optional<std::uint64_t> order_of(const std::string& name) const;
  /// The item is in it with the same flags and refers to the same shared messages. `value`: so many bytes at the
  /// body's end don't count, of which each rank may have its own.
  [[nodiscard]] bool has_alike(const DenseItem& item, std::size_t value) const;
  /// Adds an item, or puts it in the place of the one with its name. Collective: pure; what the body's
  /// bytes are decides nothing, its length does. Errors: NOSPACE; no more room in the heap.
  Status put(const DenseItem& item, FileSpace& space);
  /// Collective: pure. Errors: there is none of this name.
  Status remove(const std::string& name);

  /// Places for all that is new, and the blocks of all that changed; nothing changes before these are
  /// encoded. Collective: pure. Errors: NOSPACE.
  Status plan(FileSpace& space, BlockSet* blocks);
  [[nodiscard]] DensePlace place() const {
    return {heap_->address(), names_.address(), orders_ ? orders_->address() : kUndefinedAddress};
  }
  /// It was changed, and that is not in the file as far as is known: what it has is all that counts.
  [[nodiscard]] bool is_planned() const { return planned_; }
  void mark_committed();
  /// What was planned will not be in the file: its new bytes are given back. From here on it is good for
  /// ranges() only.
  void withdraw(FileSpace& space) {
    planned_ = true;
    owner_.withdraw(space);
  }
  /// It takes the place of `old`, which is of no use from here on: what that has goes with release_gone().
  void replace(const DenseStorage& old) { owner_.drop_all_of(old.owner_); }
  void release_gone(FileSpace& space) { owner_.settle(space); }
  /// The object has no use for it any more: what it has is given back.
  void give_up(FileSpace& space) {
    planned_ = true;
    owner_.drop_all();
    owner_.settle(space);
  }
  /// What it has of the file.
  [[nodiscard]] std::vector<ByteRange> ranges() const { return owner_.ranges(); }

 private:
  [[nodiscard]] RecordKey key_of(const std::string& name) const;
  Status read_names(FileBytes& file, const DensePlace& place, const SharedBody& shared,
                    const Describe& describe);
  Status read_orders(FileBytes& file, const DensePlace& place);
  Result<TreeRecord> name_record(const DenseItem& item, ConstBytes id) const;
  Result<TreeRecord> order_record(const DenseItem& item, ConstBytes id) const;
  Status put_records(const DenseItem& item, ConstBytes id);
  [[nodiscard]] ConstBytes id_in(const TreeRecord& record) const;
  [[nodiscard]] bool is_shared(const TreeRecord& record) const;
  Result<std::vector<std::byte>> add_object(const DenseItem& item, FileSpace& space);

  Shape shape_;
  BlockOwner owner_;
  std::unique_ptr<HeapImage> heap_;
  RecordTree names_;
  std::optional<RecordTree> orders_;
  bool planned_ = true;
};

/// Those of a file, by their objects' addresses. Equal on all ranks.
class DenseStorages {
 public:
  [[nodiscard]] DenseStorage* find(FileAddress object) const {
    const auto it = storages_.find(object);
    return it == storages_.end() ? nullptr : it->second.get();
  }
  /// Where there is no memory for one more the storage stays the caller's.
  void put(FileAddress object, std::unique_ptr<DenseStorage>&& storage) {
    storages_[object] = std::move(storage);
  }
  void erase(FileAddress object) { storages_.erase(object); }

 private:
  std::map<FileAddress, std::unique_ptr<DenseStorage>> storages_;
};

}  // namespace pcio
