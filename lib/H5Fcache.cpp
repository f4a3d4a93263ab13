// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: module H5F: what HDF5 tells of its metadata cache and page buffer, of which there is neither
// here; what a file is told about its future.

#include <cmath>
#include <cstdio>
#include <ctime>

#include "lib/api_entry.hpp"
#include "lib/object_handles.hpp"
#include "lib/text_argument.hpp"
#include "object/file_info.hpp"
#include "object/metadata_call.hpp"

using namespace pcio;

// ---- log of the metadata cache -----------------------------------------------------------------

namespace {

Status check_logging(File& file) {
  if (file.access().metadata_log) return Status();
  return PCIO_ERROR(FILE, LOGGING, "the file's access list has no log (H5Pset_mdc_log_options)");
}

/// The log says when it ran; there is no cache whose actions could be in it.
Status log_action(const FileAccessProps& access, const char* action, const char* mode) {
  std::FILE* log = std::fopen(access.metadata_log_file.c_str(), mode);
  if (log == nullptr)
    return PCIO_ERROR(FILE, LOGGING, "can't open the log '" + access.metadata_log_file + "'");
  if (*mode == 'w') std::fputs("{\n\"HDF5 metadata cache log messages\" : [\n", log);
  std::fprintf(log, "{\"timestamp\":%lld,\"action\":\"%s\"},\n",
               static_cast<long long>(std::time(nullptr)), action);
  std::fclose(log);
  return Status();
}

}  // namespace

herr_t H5Fstart_mdc_logging(hid_t file_id) {
  return api_status("H5Fstart_mdc_logging", [&]() -> Status {
    PCIO_ASSIGN(FilePtr file, get_file(file_id, "file_id"));
    PCIO_TRY(check_logging(*file));
    FileHints& hints = file->hints();
    if (hints.logging) return Status();
    PCIO_TRY(log_action(file->access(), "logging start", hints.was_logging ? "a" : "w"));
    hints.logging = hints.was_logging = true;
    return Status();
  });
}

herr_t H5Fstop_mdc_logging(hid_t file_id) {
  return api_status("H5Fstop_mdc_logging", [&]() -> Status {
    PCIO_ASSIGN(FilePtr file, get_file(file_id, "file_id"));
    PCIO_TRY(check_logging(*file));
    if (!file->hints().logging) return PCIO_ERROR(FILE, LOGGING, "the log is not running");
    file->hints().logging = false;
    return log_action(file->access(), "logging stop", "a");
  });
}

herr_t H5Fget_mdc_logging_status(hid_t file_id, hbool_t* is_enabled,
                                 hbool_t* is_currently_logging) {
  return api_status("H5Fget_mdc_logging_status", [&]() -> Status {
    PCIO_ASSIGN(FilePtr file, get_file(file_id, "file_id"));
    if (is_enabled != nullptr) *is_enabled = file->access().metadata_log;
    if (is_currently_logging != nullptr) *is_currently_logging = file->hints().logging;
    return Status();
  });
}

// ---- page buffer, reads again, image ------------------------------------------------------------

namespace {

Status check_page_buffer(File& file) {
  if (file.access().page_buffer_size > 0) return Status();
  return PCIO_ERROR(FILE, CANTGET,
                    "the file's access list has no page buffer (H5Pset_page_buffer_size)");
}

}  // namespace

// Nothing goes through a buffer, so nothing was found, missed, or driven out of it.
herr_t H5Fget_page_buffering_stats(hid_t file_id, unsigned accesses[2], unsigned hits[2],
                                   unsigned misses[2], unsigned evictions[2],
                                   unsigned bypasses[2]) {
  return api_status("H5Fget_page_buffering_stats", [&]() -> Status {
    PCIO_ASSIGN(FilePtr file, get_file(file_id, "file_id"));
    PCIO_TRY(need_pointer(accesses, "accesses"));
    PCIO_TRY(need_pointer(hits, "hits"));
    PCIO_TRY(need_pointer(misses, "misses"));
    PCIO_TRY(need_pointer(evictions, "evictions"));
    PCIO_TRY(need_pointer(bypasses, "bypasses"));
    PCIO_TRY(check_page_buffer(*file));
    for (unsigned* numbers : {accesses, hits, misses, evictions, bypasses})
      numbers[0] = numbers[1] = 0;
    return Status();
  });
}

herr_t H5Freset_page_buffering_stats(hid_t file_id) {
  return api_status("H5Freset_page_buffering_stats", [&]() -> Status {
    PCIO_ASSIGN(FilePtr file, get_file(file_id, "file_id"));
    return check_page_buffer(*file);
  });
}

// Nothing is read twice. There is a bin for each power of ten that the attempts could come to.
herr_t H5Fget_metadata_read_retry_info(hid_t file_id, H5F_retry_info_t* info) {
  return api_status("H5Fget_metadata_read_retry_info", [&]() -> Status {
    PCIO_ASSIGN(FilePtr file, get_file(file_id, "file_id"));
    PCIO_TRY(need_pointer(info, "info"));
    *info = {};
    const unsigned attempts = file->access().metadata_read_attempts;
    if (attempts > 1) info->nbins = static_cast<unsigned>(std::log10(attempts - 1)) + 1;
    return Status();
  });
}

// An image is applied when a file is opened, and gone then.
herr_t H5Fget_mdc_image_info(hid_t file_id, haddr_t* image_addr, hsize_t* image_size) {
  return api_status("H5Fget_mdc_image_info", [&]() -> Status {
    PCIO_TRY(get_file(file_id, "file_id"));
    if (image_addr == nullptr && image_size == nullptr)
      return PCIO_ERROR(ARGS, BADVALUE, "arguments image_addr and image_size: both NULL");
    if (image_addr != nullptr) *image_addr = HADDR_UNDEF;
    if (image_size != nullptr) *image_size = 0;
    return Status();
  });
}

// ---- settings of open files --------------------------------------------------------------------

herr_t H5Fget_dset_no_attrs_hint(hid_t file_id, hbool_t* minimize) {
  return api_status("H5Fget_dset_no_attrs_hint", [&]() -> Status {
    PCIO_ASSIGN(FilePtr file, get_file(file_id, "file_id"));
    PCIO_TRY(need_pointer(minimize, "minimize"));
    *minimize = file->hints().no_attributes;
    return Status();
  });
}

// Object headers have no room to spare in any case.
herr_t H5Fset_dset_no_attrs_hint(hid_t file_id, hbool_t minimize) {
  return api_status("H5Fset_dset_no_attrs_hint", [&]() -> Status {
    PCIO_ASSIGN(FilePtr file, get_file(file_id, "file_id"));
    file->hints().no_attributes = minimize;
    return Status();
  });
}

herr_t H5Fincrement_filesize(hid_t file_id, hsize_t increment) {
  return api_status("H5Fincrement_filesize", [&]() -> Status {
    PCIO_ASSIGN(FilePtr file, get_file(file_id, "file_id"));
    return metadata_call(
        *file, {"H5Fincrement_filesize", file->path()},
        [&](NamedArguments& out) -> Status {
          out.number("increment", increment);
          return Status();
        },
        [&]() -> Status { return increase_size(*file, increment); });
  });
}

herr_t H5Fstart_swmr_write(hid_t file_id) {
  return api_status("H5Fstart_swmr_write", [&]() -> Status {
    PCIO_TRY(get_file(file_id, "file_id"));
    return PCIO_ERROR(FILE, UNSUPPORTED,
                      "single-writer access is not written: a commit gives readers a whole file at "
                      "each H5Fflush, and they open it again");
  });
}
