// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/dense: object header messages that a file keeps once for all objects that have them.
//
// A file has up to eight heaps of such messages, each for some types; an object's header holds the heap
// id in place of the message. Who only looks messages up needs the heaps alone, not their indexes.
// Source: HDF5 File Format Specification III.I, IV.A.2 Shared Message.

#pragma once

#include <optional>
#include <vector>

#include "format/extension_messages.hpp"
#include "format/object_header.hpp"
#include "format/shared_table.hpp"
#include "storage/dense/heap_reader.hpp"

namespace pcio {

/// The heaps of one file. Equal on all ranks but for what is read already. Threads: one thread drives a file.
class SharedMessages {
 public:
  /// Collective: independent. Errors: a damaged table.
  Status open(FileBytes& file, const FileSizes& sizes, const SharedTableMessage& table);
  /// The table of the file; nothing where it has none.
  [[nodiscard]] const std::vector<SharedMessageIndexHeader>& indexes() const { return indexes_; }
  /// The body of a message of `type` behind a heap id. Collective: independent.
  /// Errors: the file has no heap for this type; ids that lead nowhere.
  Result<std::vector<std::byte>> body(FileBytes& file, const FileSizes& sizes, unsigned type,
                                      ConstBytes heap_id);

 private:
  std::vector<SharedMessageIndexHeader> indexes_;
};

}  // namespace pcio
