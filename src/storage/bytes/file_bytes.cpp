// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/bytes: FileBytes out of line.

#include "storage/bytes/file_bytes.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "base/checked.hpp"

namespace pcio {

namespace {

detail::StatusReturn outside(FileAddress address, const char* what) {
  return PCIO_ERROR(
      FILE, TRUNCATED,
      std::string(what) + " at address " + std::to_string(address) + " is outside the file");
}

}  // namespace

Result<std::vector<std::byte>> FileBytes::block(FileAddress address, std::uint64_t size,
                                                const char* what) {
  return block_up_to(address, size, size, what);
}

Result<std::vector<std::byte>> FileBytes::block_up_to(FileAddress address, std::uint64_t least,
                                                      std::uint64_t size, const char* what) {
  // Nothing is allocated for what isn't there; block_into() says what is wrong.
  const FileAddress end = space_.end_at(address);
  std::uint64_t room = fits_inside(address, least, end) ? std::min(size, end - address) : 0;
  if (asks_what_is_there_ && room > 0) {
    PCIO_ASSIGN(const std::uint64_t there, driver_.size());
    if (!fits_inside(base_ + address, least, there)) return outside(address, what);
    room = std::min(room, there - base_ - address);
  }
  std::vector<std::byte> data(static_cast<std::size_t>(room));
  PCIO_ASSIGN(const std::uint64_t have, block_into(address, least, data, what));
  data.resize(static_cast<std::size_t>(have));
  return data;
}

Result<std::uint64_t> FileBytes::block_into(FileAddress address, std::uint64_t least, Bytes into,
                                            const char* what) {
  const FileAddress end = space_.end_at(address);
  if (address == kUndefinedAddress || !fits_inside(address, least, end))
    return outside(address, what);
  if (recorded_ != nullptr) {
    std::uint64_t known = 0;
    const std::byte* block = recorded_->find(address, into.size(), &known);
    if (block != nullptr && known >= least && known <= into.size()) {
      if (known > 0) std::memcpy(into.data(), block, static_cast<std::size_t>(known));
      return known;
    }
  }
  Bytes data =
      into.first(static_cast<std::size_t>(std::min<std::uint64_t>(into.size(), end - address)));
  // What was allocated since the last commit may lie behind the end of the file on the disk.
  PCIO_ASSIGN(std::uint64_t have, driver_.read_some(base_ + address, data));
  if (have < least)
    return PCIO_ERROR(FILE, TRUNCATED,
                      std::string(what) + " at address " + std::to_string(address) +
                          " is cut off by the end of "
                          "the file");
  data = data.first(static_cast<std::size_t>(have));
  overlay(address, data);
  if (recorded_ != nullptr) recorded_->note(address, into.size(), data);
  return have;
}

Status FileBytes::read(FileAddress address, Bytes into) {
  if (!holds(address, into.size()))
    return PCIO_ERROR(IO, TRUNCATED,
                      "raw data at address " + std::to_string(address) + " is outside the file");
  PCIO_ASSIGN(std::uint64_t have, driver_.read_some(base_ + address, into));
  while (have < into.size()) {
    PCIO_ASSIGN(std::uint64_t size, driver_.size());
    // Allocated but not yet reached by any write: a hole behind the end, which reads as zero.
    if (size <= base_ + address + have) {
      std::memset(into.data() + have, 0, into.size() - have);
      break;
    }
    // Another rank may have made the file longer since then; if not, the read lost bytes.
    PCIO_ASSIGN(std::uint64_t more, driver_.read_some(base_ + address + have, into.subspan(have)));
    if (more == 0)
      return PCIO_ERROR(IO, READERROR,
                        "short read: " + std::to_string(have) + " of " +
                            std::to_string(into.size()) + " bytes at address " +
                            std::to_string(address));
    have += more;
  }
  overlay(address, into);
  return Status();
}

void FileBytes::overlay(FileAddress address, Bytes into) const {
  if (image_) image_->overlay(address, into);
  if (overlay_) overlay_journal(*overlay_, base_ + address, into);
}

bool FileBytes::holds(FileAddress address, std::uint64_t size) const {
  return fits_inside(address, size, space_.end_at(address));
}

Status FileBytes::check_written(FileAddress address, ConstBytes from) const {
  if (holds(address, from.size())) return Status();
  return PCIO_ERROR(
      IO, WRITEERROR,
      "raw data at address " + std::to_string(address) + " is outside the allocated file");
}

Status FileBytes::write(FileAddress address, ConstBytes from) {
  PCIO_TRY(check_written(address, from));
  return driver_.write(base_ + address, from);
}

Status FileBytes::write_beside(WritingThread& by, FileAddress address, ConstBytes from) {
  PCIO_TRY(check_written(address, from));
  return driver_.write_beside(by, base_ + address, from);
}

}  // namespace pcio
