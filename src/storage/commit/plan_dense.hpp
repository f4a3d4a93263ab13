// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/commit: what dense storage is to hold, and how it comes to that.

#pragma once

#include "format/link_info_message.hpp"
#include "storage/commit/commit_plan.hpp"

namespace pcio {

/// The content of one dense storage as a commit wants it.
struct DenseContent {
  DenseKind kind = DenseKind::kLinks;
  bool by_order = false;
  std::uint64_t count = 0;
  std::vector<std::byte> filters{};      ///< pipeline message of a group that has one
  const LinkChanges* changes = nullptr;  ///< since the file had it; null: nobody followed
  /// Adds those that nobody changed but that are to be stored otherwise; nothing: there are no such.
  std::function<Status(const DenseStorage&, LinkChanges*)> add_restored;
  /// The item of a name; nothing where there is none.
  std::function<Result<std::optional<DenseItem>>(const std::string&)> find;
  std::function<Status(const std::function<Status(const DenseItem&)>&)> for_each;
};

/// Of links; `table` lives as long.
DenseContent content_of(const LinkTable& table, const LinkInfoMessage& info,
                        const FileSizes& sizes);
/// Changes what is in the file, where that is less work; null where it must be written whole, for which what
/// was begun is given back. Nothing has a place yet. The same on all ranks.
Result<DenseStorage*> change_dense(FileStore& store, const StoredObject& object,
                                   const DenseContent& content);
/// All of it anew. Errors: NOSPACE; what can't be encoded.
Result<std::unique_ptr<DenseStorage>> make_dense(FileStore& store, const DenseContent& content);

}  // namespace pcio
