// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/bytes: files that another program writes meanwhile, out of line.

#include "storage/bytes/file_context.hpp"

#include <chrono>
#include <thread>

#include "base/library_lock.hpp"

namespace pcio {

Status FileContext::follow_end() {
  // On several ranks all must hold one end, and no call that reads is all ranks'.
  if (parallel() || space.is_parted()) return Status();
  PCIO_ASSIGN(const std::uint64_t size, driver->size());
  const std::uint64_t base = superblock.base_address;
  if (size > base + space.end_of_allocation()) space = FileSpace(size - base);
  return Status();
}

void detail::let_writer_go_on() {
  const LibraryPause others_go_on;
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

}  // namespace pcio
