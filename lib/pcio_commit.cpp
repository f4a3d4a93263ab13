// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: our own properties of files; commits as programs see them: how durable they are, how a
// file stands after one was cut.

#include <algorithm>
#include <cstring>

#include "driver/open_driver.hpp"
#include "lib/enum_argument.hpp"
#include "lib/property_access.hpp"
#include "object/commit_info.hpp"

using namespace pcio;

// ---- properties of access lists ----------------------------------------------------------------

herr_t pcio_set_fapl_durability(hid_t fapl_id, pcio_durability_t level) {
  return set_props<FileAccessProps>(
      "pcio_set_fapl_durability", {fapl_id, "fapl_id"}, [&](auto& props) -> Status {
        if (!is_between(level, PCIO_DURABILITY_NONE, PCIO_DURABILITY_POWER_LOSS))
          return PCIO_ERROR(ARGS, BADVALUE, "argument level: no such durability");
        props.durability = static_cast<Durability>(level);
        return Status();
      });
}

herr_t pcio_get_fapl_durability(hid_t fapl_id, pcio_durability_t* level) {
  return get_props<FileAccessProps>("pcio_get_fapl_durability", {fapl_id, "fapl_id"},
                                    [&](auto& props) { store(level, props.durability); });
}

herr_t pcio_set_fapl_waiting_memory(hid_t fapl_id, size_t bytes) {
  return set_props<FileAccessProps>("pcio_set_fapl_waiting_memory", {fapl_id, "fapl_id"},
                                    [&](auto& props) { props.pending_memory = bytes; });
}

herr_t pcio_get_fapl_waiting_memory(hid_t fapl_id, size_t* bytes) {
  return get_props<FileAccessProps>("pcio_get_fapl_waiting_memory", {fapl_id, "fapl_id"},
                                    [&](auto& props) { store(bytes, props.pending_memory); });
}

// ---- files that were cut -----------------------------------------------------------------------

namespace {

pcio_commit_info_t public_info(const CommitInfo& of) {
  pcio_commit_info_t info{};
  info.version = PCIO_COMMIT_INFO_VERSION;
  info.state = static_cast<pcio_commit_state_t>(of.state);
  info.file_size = of.file_size;
  info.user_block = of.user_block;
  info.end_of_file = of.end_of_file;
  info.journal_start = of.journal_start;
  info.journal_blocks = of.journal_blocks;
  info.journal_bytes = of.journal_bytes;
  info.sequence = of.sequence;
  of.why.copy(info.why, sizeof info.why - 1);
  return info;
}

}  // namespace

herr_t pcio_get_commit_info(const char* filename, pcio_commit_info_t* info, size_t size) {
  return api_status("pcio_get_commit_info", [&]() -> Status {
    PCIO_ASSIGN(std::string path, text_argument(filename, "filename"));
    PCIO_TRY(need_pointer(info, "info"));
    if (size == 0) return PCIO_ERROR(ARGS, BADVALUE, "argument size: 0");
    PCIO_ASSIGN(const CommitInfo of, commit_info(std::move(path)));
    const pcio_commit_info_t found = public_info(of);
    std::memcpy(info, &found, std::min(size, sizeof found));
    return Status();
  });
}

herr_t pcio_complete_commit(const char* filename) {
  return api_status("pcio_complete_commit", [&]() -> Status {
    PCIO_ASSIGN(std::string path, text_argument(filename, "filename"));
    return complete_commit(std::move(path));
  });
}
