// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage: the filters between a chunk's image and its bytes in the file.
//
// The pipeline sits between image and storage from the start, empty or not. Decoding knows deflate,
// shuffle and fletcher32; anything else is refused by name.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.hpp"
#include "base/types.hpp"
#include "props/object_props.hpp"

namespace pcio {

/// Registered filter numbers. Source: HDF5 File Format Specification IV.A.2.l, Filter Pipeline.
enum FilterId : int {
  kFilterDeflate = 1,
  kFilterShuffle = 2,
  kFilterFletcher32 = 3,
  kFilterSzip = 4,
  kFilterNbit = 5,
  kFilterScaleOffset = 6,
};

/// "deflate (1)", or the stored name, or "filter 32015": what an error calls the filter.
[[nodiscard]] std::string filter_label(const FilterSpec& stage);

/// Success where every stage can be undone here; else an error that names the filter.
[[nodiscard]] Status check_decodable(const FilterPipeline& pipeline);

/// Undoes the pipeline. `stored`: the chunk's bytes in the file; `mask`: bit i set = stage i was
/// skipped when the chunk was written; `image_bytes`: size of the whole chunk in memory.
/// Errors: unknown filter, damaged data, a result of another size than `image_bytes`.
Result<std::vector<std::byte>> decode_chunk(const FilterPipeline& pipeline,
                                            std::vector<std::byte> stored, std::uint32_t mask,
                                            std::size_t image_bytes);

}  // namespace pcio
