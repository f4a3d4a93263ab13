// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/call: atomic_range, AtomicAccess.

#include "transfer/call/atomic_access.hpp"

namespace pcio {

ByteRange atomic_range(const DatasetState& state, FileAddress object, const Dataspace& selected,
                       std::uint64_t element_bytes) {
  const std::optional<Box> bounds = selected.selected_bounds();
  const Dims& dims = selected.dims();
  if (!bounds || dims.empty()) return {object, 1};
  const Box& box = *bounds;
  if (state.chunked()) {
    const std::uint64_t row = state.layout.chunk_dims[0];
    const std::uint64_t first = box.start[0] / row;
    const std::uint64_t last = (box.start[0] + box.count[0] - 1) / row;
    return {object + first, last - first + 1};
  }
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  for (unsigned d = 0; d < dims.size(); ++d) {
    first = first * dims[d] + box.start[d];
    last = last * dims[d] + box.start[d] + box.count[d] - 1;
  }
  const FileAddress data = state.external ? object : state.layout.address;
  return {data + first * element_bytes, (last - first + 1) * element_bytes};
}

Status AtomicAccess::begin(const TransferJob& job) {
  RangeLocks* locks = job.store().driver().atomic_locks();
  if (locks == nullptr || job.effort() == Effort::kDryRun || job.file().selected() == 0)
    return Status();
  PCIO_TRY(locks->lock(
      atomic_range(*job.state(), job.object()->address, job.file(), job.form().file_size),
      job.request().direction));
  locks_ = locks;
  return Status();
}

}  // namespace pcio
