// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/call: the short way of a small independent transfer. Programs that write a row or a value at a time make millions
// of calls, each of which costs more than what it moves.

#pragma once

#include "props/transfer_props.hpp"
#include "storage/file/file_store.hpp"

namespace pcio {

/// An H5Dread or H5Dwrite as the program made it; nothing is copied.
struct PlainRequest {
  Direction direction;
  const Datatype& memory_type;
  const Dataspace* file_space;    ///< null: all of the dataset
  const Dataspace* memory_space;  ///< null: as the file's
  const TransferProps& props;
  std::byte* buffer;
};

/// Moves one run of elements that is one in memory, too, between the buffer and its place in the file: an independent transfer
/// without a conversion, of contiguous data that have space, or within a chunk without filters that has. Does what
/// transfer_dataset does with it, and leaves the same in `report`, where there is one.
/// False where the transfer is of any other kind, or anything is wrong with it; then nothing was done, and
/// transfer_dataset is to be asked. Else `*done` is the outcome.
/// Collective: independent.
[[nodiscard]] bool transfer_one_run(FileStore& store, const StoredObjectPtr& dataset,
                                    const PlainRequest& request, TransferReport* report,
                                    Status* done);

}  // namespace pcio
