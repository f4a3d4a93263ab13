// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/objects: one object of a file as it is in memory, shared by everybody who has it open.

#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "base/short_list.hpp"
#include "base/types.hpp"
#include "format/object_header.hpp"
#include "storage/dense/shared_messages.hpp"
#include "storage/objects/attribute_index.hpp"
#include "storage/objects/dataset_state.hpp"
#include "storage/objects/symbol_table.hpp"

namespace pcio {

/// What an object header describes; values as H5O_type_t.
enum class ObjectKind : std::int8_t { kUnknown = -1, kGroup = 0, kDataset = 1, kNamedType = 2 };

/// What the file has of an object; where a plan that is not written yet has put something else.
struct CommittedParts {
  std::vector<HeaderMessage> data;  ///< of a dataset: its extent and its layout
  SymbolTablePlace links;
};

/// An object header with what was decoded from it.
///
/// Whoever changes a part tells the ObjectTable, so that the next commit encodes it. Threads: one thread drives a file.
struct StoredObject {
  FileAddress address = kUndefinedAddress;
  ObjectHeader header;
  ShortList<ByteRange, 2> chunks;  ///< of the header in the file, chunk 0 first
  std::uint32_t links_to = 1;      ///< hard links and other references that keep the object
  unsigned open_count = 0;         ///< handles of this process
  unsigned transfers = 0;          ///< of its elements, going on now: DatasetInTransfer
  unsigned sequence_writes = 0;    ///< of this process, that let heap objects go
  /// What has no link is let go when nobody uses it.
  [[nodiscard]] bool in_use() const { return open_count > 0 || transfers > 0; }
  bool flushes_disabled = false;  ///< H5Odisable_mdc_flushes, until nobody has it open
  bool committed = false;         ///< the last commit wrote it, so a reader may find it

  /// Groups: loaded at first use.
  std::optional<LinkTable> links;
  /// The same links by number, where somebody asked.
  std::unique_ptr<LinkNumbers> link_numbers;
  SymbolTablePlace symbol_table;

  /// Attributes in dense storage: read at first use, kept as messages that are not in the header.
  std::optional<std::vector<HeaderMessage>> dense_attributes;
  /// Attributes are to lie in dense storage; once dense_attributes are read.
  bool attributes_are_dense = false;
  /// What changed since dense storage in the file had them, where it has them.
  std::optional<LinkChanges> attribute_changes;
  /// Where attributes are, made at first use. Gone when messages get other places in the header.
  std::unique_ptr<AttributeIndex> attributes;

  /// Datasets: loaded at first use.
  std::unique_ptr<DatasetState> dataset;

  /// Messages of it that the file keeps for several objects; files with a table of such.
  std::unique_ptr<SharedRefs> shared;

  /// Kept from the first plan on, until a commit has written the object.
  std::unique_ptr<CommittedParts> in_file;

  /// It differs from the file: ObjectTable::touch.
  [[nodiscard]] bool is_dirty() const { return dirty_; }
  /// Its links do: ObjectTable::touch_links.
  [[nodiscard]] bool links_dirty() const { return links_dirty_; }
  /// Its attributes do: ObjectTable::touch_attributes.
  [[nodiscard]] bool attributes_dirty() const { return attributes_dirty_; }

  [[nodiscard]] ObjectKind kind() const;
  [[nodiscard]] HeaderMessage* find(std::uint16_t type);
  [[nodiscard]] const HeaderMessage* find(std::uint16_t type) const;
  /// Replaces the first message of `type`, or adds one.
  void put(HeaderMessage message);
  void remove_all(std::uint16_t type);
  /// Takes a message away without moving the others: its place is left empty until compact_messages().
  void clear_message(std::size_t index);
  /// The header without places that are left empty, as it is encoded.
  void compact_messages();
  /// Messages but for places that are left empty.
  [[nodiscard]] std::size_t message_count() const { return header.messages.size() - empty_; }
  /// Before something else is planned for extent, layout or links: keeps what the file has of them.
  void keep_committed();
  /// Somebody moved messages within the header.
  void messages_moved();

 private:
  friend class ObjectTable;
  friend class FirstTouch;
  friend class ObjectTrial;
  bool dirty_ = false;
  unsigned touches_ = 0;  ///< calls of ObjectTable::touch
  bool links_dirty_ = false;
  bool attributes_dirty_ = false;
  // Headers of many attributes or links must not be searched from end to end for what they lack.
  mutable std::uint64_t types_seen_ = 0;  // a bit per type, of the messages before looked_at_
  mutable std::size_t looked_at_ = 0;
  std::size_t empty_ = 0;
};

using StoredObjectPtr = std::shared_ptr<StoredObject>;

/// While it lives, what was decoded of a dataset stays: functions of the program that run in a transfer may close
/// the last handle. No commit releases the object, of whatever kind.
class DatasetInTransfer {
 public:
  explicit DatasetInTransfer(const StoredObjectPtr& object) : object_(object) {
    ++object_->transfers;
  }
  DatasetInTransfer(const DatasetInTransfer&) = delete;
  DatasetInTransfer& operator=(const DatasetInTransfer&) = delete;
  ~DatasetInTransfer() { --object_->transfers; }

 private:
  StoredObjectPtr object_;
};

}  // namespace pcio
