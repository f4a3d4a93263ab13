// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room filter: the filters between a chunk's image and its bytes in the file.
//
// A pipeline sits between image and storage from the start, empty or not. Stage 0 is the first on
// the way to the file and the last on the way back.

#pragma once

#include <cstdint>
#include <vector>

#include "filter/filter_buffer.hpp"
#include "filter/registry.hpp"
#include "props/transfer_props.hpp"

namespace pcio {

/// What a transfer list says of filters.
struct FilterOptions {
  /// Decoding: a checksum filter passes damaged data where this is kDisable.
  ChecksumCheck checksum = ChecksumCheck::kEnable;
  /// H5Z_filter_func_t: asked where a filter fails whether to go on as if it were not there.
  Callback failure;
};

[[nodiscard]] inline FilterOptions filter_options(const TransferProps& props) {
  return {props.checksum, props.filter_failure};
}

/// Buffers that are used again for the next chunk: keep one per thread or per transfer.
///
/// Grows to the largest stage of a chunk and stays so. Threads: one at a time.
struct FilterScratch {
  FilterBuffer front;
  FilterBuffer back;
};

struct EncodedChunk {
  std::vector<std::byte> bytes;
  std::uint32_t mask = 0;  ///< bit i set: stage i was skipped
};

/// `bytes` lies in the scratch or is the image itself; valid until the scratch is used again.
struct EncodedView {
  ConstBytes bytes;
  std::uint32_t mask = 0;
};

/// Success where every mandatory stage can be applied here; else an error that names the filter.
[[nodiscard]] Status check_encodable(const FilterPipeline& pipeline);

/// Applies the pipeline to a whole chunk. An optional stage that fails, is not there, or would
/// make the chunk larger is skipped. Collective: pure.
/// Errors: a mandatory stage failed, named; no memory.
Result<EncodedView> encode_chunk(const FilterPipeline& pipeline, ConstBytes image,
                                 FilterScratch& scratch, const FilterOptions& options = {});
Result<EncodedChunk> encode_chunk(const FilterPipeline& pipeline, ConstBytes image);

/// An error where `stored_bytes` bytes can't be a chunk of `image_bytes`. To be asked before memory
/// is taken for an image whose size only the file claims.
[[nodiscard]] Status check_image_size(const FilterPipeline& pipeline, std::uint64_t stored_bytes,
                                      std::uint32_t mask, std::uint64_t image_bytes);

/// Undoes the pipeline into `image`, a whole chunk. `mask`: bit i set = stage i was skipped. Of a chunk that is longer
/// it has the first bytes.
/// Left on failure: `image` holds anything.
/// Errors: unknown filter, damaged data, a result of fewer bytes than the image, or of very many more.
Status decode_chunk(const FilterPipeline& pipeline, ConstBytes stored, std::uint32_t mask,
                    Bytes image, FilterScratch& scratch, const FilterOptions& options = {});
/// The same with memory of its own. `image_bytes`: size of the whole chunk in memory; not believed
/// before the stored bytes bear it out, as far as the filters allow.
Result<std::vector<std::byte>> decode_chunk(const FilterPipeline& pipeline, ConstBytes stored,
                                            std::uint32_t mask, std::uint64_t image_bytes);

}  // namespace pcio
