// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/transports: JoinedImages.

#include "transfer/transports/joined_images.hpp"

#include <cstring>
#include <utility>

namespace pcio {

void JoinedImages::move(std::byte* to, const std::byte* from, std::uint64_t size) const {
  if (touch_ == Touch::kBytes && to != from) std::memmove(to, from, size);
}

bool JoinedImages::follows(FileAddress address, Bytes bytes) const {
  return count_ > 0 && count_ < kMostParts && address == start_ + size_ &&
         bytes.data() >= data_ + size_;
}

void JoinedImages::begin(FileAddress address, Bytes bytes) {
  start_ = address;
  data_ = bytes.data();
  size_ = 0;
  count_ = 0;
}

Status JoinedImages::write(FileAddress address, Bytes from) {
  if (!follows(address, from)) {
    PCIO_TRY(finish_write());
    begin(address, from);
  }
  move(data_ + size_, from.data(), from.size());
  size_ += from.size();
  ++count_;
  return Status();
}

Status JoinedImages::finish_write() {
  if (count_ == 0) return Status();
  count_ = 0;
  return beside_ == nullptr ? store_.write(start_, all())
                            : store_.write_beside(*beside_, start_, all());
}

Status JoinedImages::read(FileAddress address, Bytes into) {
  if (!follows(address, into)) {
    PCIO_TRY(finish_read());
    begin(address, into);
  }
  parts_[count_++] = {into.data(), into.size()};
  size_ += into.size();
  return Status();
}

Status JoinedImages::finish_read() {
  if (count_ == 0) return Status();
  const std::size_t count = std::exchange(count_, 0);
  PCIO_TRY(store_.read(start_, all()));
  // The last one first: each goes up, over what was there of those behind it.
  std::uint64_t end = size_;
  for (std::size_t i = count; i-- > 0;) {
    end -= parts_[i].size;
    move(parts_[i].place, data_ + end, parts_[i].size);
  }
  return Status();
}

}  // namespace pcio
