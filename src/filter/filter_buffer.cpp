// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room filter: FilterBuffer out of line.

#include "filter/filter_buffer.hpp"

namespace pcio {

Status FilterBuffer::discard_and_resize(std::size_t bytes) {
  if (bytes > capacity_) {
    void* memory = std::malloc(bytes);
    if (memory == nullptr)
      return PCIO_ERROR(RESOURCE, NOSPACE,
                        "no memory for " + std::to_string(bytes) + " bytes of a filtered chunk");
    adopt(memory, bytes, bytes);
  }
  size_ = bytes;
  return Status();
}

std::byte* FilterBuffer::release() {
  std::byte* memory = data_;
  data_ = nullptr;
  size_ = capacity_ = 0;
  owned_ = false;
  return memory;
}

void FilterBuffer::adopt(void* memory, std::size_t size, std::size_t capacity) {
  if (owned_ && data_ != memory) std::free(data_);
  data_ = static_cast<std::byte*>(memory);
  size_ = size;
  capacity_ = capacity;
  owned_ = true;
}

}  // namespace pcio
