// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/bytes: ImageStore out of line.

#include "storage/bytes/byte_target.hpp"

#include <cstring>

#include "base/checked.hpp"

namespace pcio {

Status ImageStore::read(FileAddress address, Bytes into) {
  if (!fits_inside(address, into.size(), image_.size()))
    return PCIO_ERROR(IO, READERROR, "read outside the stored bytes of a dataset");
  if (!into.empty()) std::memcpy(into.data(), image_.data() + address, into.size());
  return Status();
}

Status ImageStore::write(FileAddress address, ConstBytes from) {
  if (!fits_inside(address, from.size(), image_.size()))
    return PCIO_ERROR(IO, WRITEERROR, "write outside the stored bytes of a dataset");
  if (!from.empty()) std::memcpy(image_.data() + address, from.data(), from.size());
  return Status();
}

}  // namespace pcio
