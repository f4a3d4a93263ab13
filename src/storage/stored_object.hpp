// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage: one object of a file as it is in memory, shared by everybody who has it open.

#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "base/types.hpp"
#include "format/object_header.hpp"
#include "storage/dataset_state.hpp"
#include "storage/symbol_table.hpp"

namespace pcio {

/// What an object header describes; values as H5O_type_t.
enum class ObjectKind : std::int8_t { kUnknown = -1, kGroup = 0, kDataset = 1, kNamedType = 2 };

/// An object header with what was decoded from it.
///
/// Whoever changes a part sets its dirty flag through FileStore::touch, so that the next commit
/// encodes it. Threads: one thread drives a file.
struct StoredObject {
  FileAddress address = kUndefinedAddress;
  ObjectHeader header;
  std::vector<ByteRange> chunks;  ///< of the header in the file, chunk 0 first
  std::uint32_t links_to = 1;     ///< hard links and other references that keep the object
  unsigned open_count = 0;        ///< handles of this process
  bool dirty = false;
  bool committed = false;  ///< the last commit wrote it, so a reader may find it

  /// Groups: loaded at first use.
  std::optional<LinkTable> links;
  bool links_dirty = false;
  SymbolTablePlace symbol_table;

  /// Attributes in dense storage: read at first use, kept as messages that are not in the header.
  std::optional<std::vector<HeaderMessage>> dense_attributes;

  /// Datasets: loaded at first use.
  std::unique_ptr<DatasetState> dataset;

  [[nodiscard]] ObjectKind kind() const;
  [[nodiscard]] HeaderMessage* find(std::uint16_t type);
  [[nodiscard]] const HeaderMessage* find(std::uint16_t type) const;
  /// Replaces the first message of `type`, or adds one.
  void put(HeaderMessage message);
  void remove_all(std::uint16_t type);
};

using StoredObjectPtr = std::shared_ptr<StoredObject>;

}  // namespace pcio
