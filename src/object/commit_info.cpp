// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: files that were cut in a commit, out of line.

#include "object/commit_info.hpp"

#include <utility>

#include "driver/posix_driver.hpp"

namespace pcio {

namespace {

CommitInfo describe(const FileHead& head) {
  CommitInfo info;
  info.state = head.state;
  info.file_size = head.file_size;
  info.user_block = head.position;
  if (head.state != CommitState::kBroken)
    info.end_of_file = head.superblock.end_of_file - head.superblock.base_address + head.position;
  if (head.journal) {
    const JournalTrailer& trailer = head.journal->trailer;
    info.journal_start = trailer.start;
    info.journal_blocks = trailer.blocks;
    info.journal_bytes = trailer.data_bytes;
    info.sequence = trailer.stamp.sequence;
  }
  info.why = head.why;
  return info;
}

OpenRequest request_for(std::string path, OpenMode mode) {
  OpenRequest request;
  request.path = std::move(path);
  request.mode = mode;
  request.locking = is_writable(mode) ? FileLocking::kBestEffort : FileLocking::kOff;
  return request;
}

}  // namespace

Result<CommitInfo> commit_info(std::string path) {
  PCIO_ASSIGN(auto driver, PosixDriver::open(request_for(std::move(path), OpenMode::kReadOnly)));
  PCIO_ASSIGN(const FileHead head, find_head(*driver));
  CommitInfo info = describe(head);
  PCIO_TRY(driver->close());
  return info;
}

Status complete_commit(std::string path) {
  PCIO_ASSIGN(auto driver, PosixDriver::open(request_for(std::move(path), OpenMode::kReadWrite)));
  PCIO_TRY(complete_commit(*driver));
  return driver->close();
}

}  // namespace pcio
