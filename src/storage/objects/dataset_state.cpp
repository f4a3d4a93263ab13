// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/objects: DatasetState out of line.

#include "storage/objects/dataset_state.hpp"

#include <algorithm>

#include "base/checked.hpp"
#include "format/chunk_element.hpp"
#include "space/unlimited.hpp"
#include "type/sequences.hpp"

namespace pcio {

std::uint64_t DatasetState::most_stored_bytes() const {
  constexpr std::uint64_t kMostBytes = 0xFFFFFFFF;  // whatever the index, as with libhdf5
  const bool lists = layout.index == ChunkIndexKind::kFixedArray ||
                     layout.index == ChunkIndexKind::kExtensibleArray ||
                     layout.index == ChunkIndexKind::kBtree2;
  if (!lists) return kMostBytes;
  const unsigned width = ChunkElementFormat::filtered({}, chunk_bytes()).size_width;
  return width < 4 ? (std::uint64_t{1} << 8 * width) - 1 : kMostBytes;
}

std::uint64_t DatasetState::chunk_bytes() const {
  // Checked when the dataset was created or opened: fits.
  return layout.chunk_dims.volume().value_or(0) * element_size();
}

Result<std::uint64_t> DatasetState::data_bytes() const {
  const auto bytes = is_countable(extent)
                         ? checked_mul<std::uint64_t>(extent.npoints(), element_size())
                         : std::nullopt;
  if (!bytes) return PCIO_ERROR(DATASET, OVERFLOW, "dataset is larger than any file can be");
  return *bytes;
}

std::vector<std::byte> DatasetState::fill_element() const {
  if (fill.state == FillState::kUserDefined && fill.value.size() == element_size())
    return fill.value;
  return std::vector<std::byte>(element_size());
}

bool DatasetState::fill_has_objects() const {
  return fill.state == FillState::kUserDefined && fill.value.size() == element_size() &&
         refers_to_heap(type, fill.value.data());
}

std::vector<std::byte> DatasetState::new_element() const {
  return fill_has_objects() ? std::vector<std::byte>(element_size()) : fill_element();
}

bool DatasetState::fill_is_zero() const {
  if (fill.state != FillState::kUserDefined || fill_has_objects()) return true;
  return std::all_of(fill.value.begin(), fill.value.end(),
                     [](std::byte b) { return b == std::byte{0}; });
}

void DatasetState::mark_committed() {
  index_changed_ = false;
  if (placed) placed->mark_committed();
  if (index) index->clear_changes();
  messages_changed_ = false;
  new_blocks.clear();
}

void DatasetState::forget_loaded_part() {
  if (!loader) return;
  loader.reset();
  index.reset();
}

}  // namespace pcio
