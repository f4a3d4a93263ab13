// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/call: one whole chunk as it lies in the file, past conversion and filters.

#pragma once

#include "props/transfer_props.hpp"
#include "storage/file/file_store.hpp"

namespace pcio {

struct DirectChunk {
  Dims offset;             ///< first element, [ndims]
  std::uint32_t mask = 0;  ///< bit i set: filter i was not applied; without filters not stored
  ConstBytes bytes;        ///< as they are to lie in the file
};

/// Writes one chunk in place of what was there.
///
/// `checked`: what the caller found wrong with its arguments.
/// Collective: over the file where `mode` says so in a parallel file: every rank gives a chunk of
///   its own (one rank's whole chunk wins where two give the same; ranks without one give no bytes),
///   two exchanges and a gather of three words from each; else independent. On failure a chunk with
///   filters is what it was; one without may be changed in part.
/// Errors: not chunked, offset not the corner of a chunk in the extent, no bytes (where not
///   collective), without filters another size than the chunk's, short writes; independent in a
///   parallel file: chunks with filters, or not allocated.
Status write_direct_chunk(FileStore& store, const StoredObjectPtr& object, const DirectChunk& chunk,
                          TransferMode mode, const CallName& name, const Status& checked);

/// Reads the chunk at `offset` into `into` (its stored bytes; the caller knows the size) and tells
/// its mask. Collective: independent. Errors: as above; not allocated; a chunk outside the file.
Status read_direct_chunk(FileStore& store, const StoredObjectPtr& object, const Dims& offset,
                         std::byte* into, std::uint32_t* mask);

}  // namespace pcio
