// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: values with variable-length parts outside of datasets' storage: those of attributes.

#pragma once

#include <vector>

#include "storage/file/file_store.hpp"
#include "type/convert.hpp"

namespace pcio {

/// `n` elements between the form of the file and that of a program.
struct ValueTypes {
  const Datatype& file;
  const Datatype& memory;
  std::uint64_t n;
  const ConvertOptions& options;  ///< the call's; where sequences are is known here
};

/// Who keeps the elements once they are there.
class ValueKeeper {
 public:
  ValueKeeper() = default;
  ValueKeeper(const ValueKeeper&) = delete;
  ValueKeeper& operator=(const ValueKeeper&) = delete;
  virtual ~ValueKeeper() = default;
  /// Collective: by contract.
  virtual Status keep() = 0;
};

/// A program's elements on their way into a file.
struct NewValues {
  const void* buffer;  ///< the program's
  std::vector<std::byte>*
      data;  ///< those that were there before, then the new ones, in the file's form
  ValueKeeper& keeper;
};

/// Puts what the elements refer to into the file's heaps and has the elements kept. What the old ones own stays
/// (let_go_values).
/// Of several ranks rank 0's values are stored, and all get its elements. Collective: over the file, where
/// several ranks have it (five exchanges); all succeed or all fail. `name`: of the call. On failure `data` is
/// undefined, and what was put is let go. Errors: no way between the types; no space; the keeper's.
Status store_values(FileStore& store, const CallName& name, const ValueTypes& types,
                    const NewValues& values);
/// Puts one object, the same on all ranks, into a heap and its id, as it lies in the file, into `heap_id`.
/// Collective: as store_values(). Errors: no space.
Status store_object(FileStore& store, const CallName& name, ConstBytes object, Bytes heap_id);
/// The way back; what the program gets, malloc() gave. Collective: independent. Errors: no way between
/// the types; damaged heaps; no memory. On failure the program has got nothing.
Status load_values(FileStore& store, const ValueTypes& types, const std::vector<std::byte>& data,
                   void* buffer);
/// Some object of a heap belongs to elements of both. Collective: independent. Errors: no memory.
Result<bool> share_objects(FileStore& store, const Datatype& file_type, ConstBytes one,
                           ConstBytes other);
/// The elements `after` (none where they are deleted) have taken the place of those `before`, of which what
/// these owned and the new ones don't is let go. Rank 0 does it. Where it can't be found out its room is lost,
/// and nothing else. Collective: by contract.
void let_go_values(FileStore& store, const Datatype& file_type, ConstBytes before,
                   ConstBytes after);

}  // namespace pcio
