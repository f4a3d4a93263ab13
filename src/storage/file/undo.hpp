// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/file: what is undone has nobody to whom it could return a failure.

#pragma once

#include <type_traits>

#include "base/without_throwing.hpp"
#include "storage/file/file_store.hpp"

namespace pcio {

/// Runs `undo`, a function that returns nothing or a Status, and that all ranks call alike. Where it fails on this
/// rank, for want of memory, the next agreement tells all of them, and a serial file is given up. Collective: pure.
template <class Undo>
void undo_or_tell(FileStore& store, Undo&& undo) noexcept {
  const Status undone = without_throwing([&]() -> Status {
    if constexpr (std::is_void_v<decltype(undo())>) {
      undo();
      return Status();
    } else {
      return undo();
    }
  });
  if (!undone.ok()) store.coordinator().lose_undo();
}

/// Gives back bytes to which nothing leads any more; in what is tried (ObjectTrial) nothing, as all of them come back when
/// that is undone. Where a serial file lacks memory for that they are lost, and nothing else; ranks of a parallel one, which
/// know the same of space, are told. Collective: pure.
inline void release_or_tell(FileStore& store, const ByteRange& range) noexcept {
  if (store.objects().is_tried()) return;
  const Status released = without_throwing([&] {
    store.space().release(range);
    return Status();
  });
  if (!released.ok() && store.parallel()) store.coordinator().lose_undo();
}

}  // namespace pcio
