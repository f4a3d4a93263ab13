// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: our own properties of files; commits as programs see them: how durable they are, how a
// file stands after one was cut.

#include <algorithm>
#include <cstring>

#include "driver/open_driver.hpp"
#include "driver/posix_driver.hpp"
#include "lib/enum_argument.hpp"
#include "lib/property_access.hpp"
#include "storage/bytes/journal_store.hpp"

using namespace pcio;

// ---- properties of access lists ----------------------------------------------------------------

herr_t pcio_set_fapl_durability(hid_t fapl_id, pcio_durability_t level) {
  return set_props<FileAccessProps>(
      "pcio_set_fapl_durability", fapl_id, [&](FileAccessProps& props) -> Status {
        if (!is_between(level, PCIO_DURABILITY_NONE, PCIO_DURABILITY_POWER_LOSS))
          return PCIO_ERROR(ARGS, BADVALUE, "argument level: no such durability");
        props.durability = static_cast<Durability>(level);
        return Status();
      });
}

herr_t pcio_get_fapl_durability(hid_t fapl_id, pcio_durability_t* level) {
  return get_props<FileAccessProps>(
      "pcio_get_fapl_durability", fapl_id,
      [&](const FileAccessProps& props) { store(level, props.durability); });
}

herr_t pcio_set_fapl_waiting_memory(hid_t fapl_id, size_t bytes) {
  return set_props<FileAccessProps>("pcio_set_fapl_waiting_memory", fapl_id,
                                    [&](FileAccessProps& props) -> Status {
                                      props.pending_memory = bytes;
                                      return Status();
                                    });
}

herr_t pcio_get_fapl_waiting_memory(hid_t fapl_id, size_t* bytes) {
  return get_props<FileAccessProps>(
      "pcio_get_fapl_waiting_memory", fapl_id,
      [&](const FileAccessProps& props) { store(bytes, props.pending_memory); });
}

// ---- files that were cut -----------------------------------------------------------------------

namespace {

pcio_commit_info_t describe(const FileHead& head) {
  pcio_commit_info_t info{};
  info.version = PCIO_COMMIT_INFO_VERSION;
  info.state = static_cast<pcio_commit_state_t>(head.state);
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
  head.why.copy(info.why, sizeof info.why - 1);
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

herr_t pcio_get_commit_info(const char* filename, pcio_commit_info_t* info, size_t size) {
  return api_status("pcio_get_commit_info", [&]() -> Status {
    PCIO_ASSIGN(std::string path, text_argument(filename, "filename"));
    PCIO_TRY(need_pointer(info, "info"));
    if (size == 0) return PCIO_ERROR(ARGS, BADVALUE, "argument size: 0");
    PCIO_ASSIGN(auto driver, PosixDriver::open(request_for(std::move(path), OpenMode::kReadOnly)));
    PCIO_ASSIGN(FileHead head, find_head(*driver));
    const pcio_commit_info_t found = describe(head);
    std::memcpy(info, &found, std::min(size, sizeof found));
    return driver->close();
  });
}

herr_t pcio_complete_commit(const char* filename) {
  return api_status("pcio_complete_commit", [&]() -> Status {
    PCIO_ASSIGN(std::string path, text_argument(filename, "filename"));
    PCIO_ASSIGN(auto driver, PosixDriver::open(request_for(std::move(path), OpenMode::kReadWrite)));
    PCIO_TRY(complete_commit(*driver));
    return driver->close();
  });
}
