// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: module H5F: questions about files and settings of open files.

#include <algorithm>
#include <limits>

#include "lib/api_entry.hpp"
#include "lib/cache_config.hpp"
#include "lib/object_handles.hpp"
#include "lib/text_argument.hpp"
#include "object/file_info.hpp"
#include "object/metadata_call.hpp"

using namespace pcio;

// ---- is it an HDF5 file? -----------------------------------------------------------------------

htri_t H5Fis_hdf5(const char* filename) {
  return api_int("H5Fis_hdf5", [&]() -> Result<bool> {
    PCIO_ASSIGN(const std::string path, text_argument(filename, "filename"));
    return has_signature(path);
  });
}

htri_t H5Fis_accessible(const char* filename, hid_t fapl_id) {
  return api_int("H5Fis_accessible", [&]() -> Result<bool> {
    PCIO_TRY(props_or_default<FileAccessProps>(fapl_id, "fapl_id"));
    PCIO_ASSIGN(const std::string path, text_argument(filename, "filename"));
    return has_signature(path);
  });
}

// ---- lists, names, counts ----------------------------------------------------------------------

hid_t H5Fget_create_plist(hid_t file_id) {
  return api_id("H5Fget_create_plist", [&]() -> Result<hid_t> {
    PCIO_ASSIGN(FilePtr file, get_file(file_id, "file_id"));
    FileCreateProps create = file->create_props();
    PCIO_ASSIGN(Location root, location_of(file_id, "file_id"));
    PCIO_ASSIGN(static_cast<GroupCreateProps&>(create), group_create_props(root));
    return property_list_id_for(create);
  });
}

hid_t H5Fget_access_plist(hid_t file_id) {
  return api_id("H5Fget_access_plist", [&]() -> Result<hid_t> {
    PCIO_ASSIGN(FilePtr file, get_file(file_id, "file_id"));
    FileAccessProps access = file->access();
    access.close_degree = file->close_degree();
    // As in libhdf5. The file changes its image, and may have given the one that it was opened with back.
    access.file_image.reset();
    access.image_callbacks.reset();
    return property_list_id_for(access);
  });
}

herr_t H5Fget_intent(hid_t file_id, unsigned* intent) {
  return api_status("H5Fget_intent", [&]() -> Status {
    PCIO_ASSIGN(FilePtr file, get_file(file_id, "file_id"));
    if (intent == nullptr) return Status();
    *intent = file->writable() ? H5F_ACC_RDWR : H5F_ACC_RDONLY;
    if (file->beside_writer()) *intent |= H5F_ACC_SWMR_READ;
    return Status();
  });
}

ssize_t H5Fget_name(hid_t obj_id, char* name, size_t size) {
  return api_value("H5Fget_name", ssize_t{-1}, [&]() -> Result<ssize_t> {
    PCIO_ASSIGN(FilePtr file, file_of(obj_id, "obj_id"));
    return copy_text(file->path_of(file), name, size);
  });
}

herr_t H5Fget_fileno(hid_t file_id, unsigned long* fileno) {
  return api_status("H5Fget_fileno", [&]() -> Status {
    PCIO_ASSIGN(FilePtr file, get_file(file_id, "file_id"));
    if (fileno != nullptr) *fileno = file->number();
    return Status();
  });
}

namespace {

/// Ids of one file, or of all where the id is H5F_OBJ_ALL; with H5F_OBJ_LOCAL those that came from
/// the same opening as the id.
Result<std::vector<HandleId>> open_ids(hid_t file_id, unsigned types) {
  if ((types & H5F_OBJ_ALL) == 0)
    return PCIO_ERROR(ARGS, BADVALUE, "argument types: no kind of object in it");
  if (file_id == static_cast<hid_t>(H5F_OBJ_ALL)) return ids_of_file(nullptr, types);
  PCIO_ASSIGN(FilePtr file, get_file(file_id, "file_id"));
  if ((types & H5F_OBJ_LOCAL) != 0) return ids_of_opening(file, types);
  return ids_of_file(file.get(), types);
}

}  // namespace

ssize_t H5Fget_obj_count(hid_t file_id, unsigned types) {
  return api_value("H5Fget_obj_count", ssize_t{-1}, [&]() -> Result<ssize_t> {
    PCIO_ASSIGN(auto ids, open_ids(file_id, types));
    return static_cast<ssize_t>(ids.size());
  });
}

ssize_t H5Fget_obj_ids(hid_t file_id, unsigned types, size_t max_objs, hid_t* obj_id_list) {
  return api_value("H5Fget_obj_ids", ssize_t{-1}, [&]() -> Result<ssize_t> {
    PCIO_ASSIGN(auto ids, open_ids(file_id, types));
    PCIO_TRY(need_pointer(obj_id_list, "obj_id_list"));
    // As in libhdf5: a list without room asks how many there are.
    if (max_objs == 0) return static_cast<ssize_t>(ids.size());
    std::size_t n = std::min(ids.size(), max_objs);
    std::copy_n(ids.begin(), n, obj_id_list);
    return static_cast<ssize_t>(n);
  });
}

// ---- bytes -------------------------------------------------------------------------------------

herr_t H5Fget_filesize(hid_t file_id, hsize_t* size) {
  return api_status("H5Fget_filesize", [&]() -> Status {
    PCIO_TRY(need_pointer(size, "size"));
    PCIO_ASSIGN(FilePtr file, get_file(file_id, "file_id"));
    PCIO_ASSIGN(*size, file_size(*file));
    return Status();
  });
}

herr_t H5Fget_eoa(hid_t file_id, haddr_t* eoa) {
  return api_status("H5Fget_eoa", [&]() -> Status {
    PCIO_ASSIGN(FilePtr file, get_file(file_id, "file_id"));
    if (eoa != nullptr) *eoa = allocated_end(*file);
    return Status();
  });
}

hssize_t H5Fget_freespace(hid_t file_id) {
  return api_value("H5Fget_freespace", hssize_t{-1}, [&]() -> Result<hssize_t> {
    PCIO_ASSIGN(FilePtr file, get_file(file_id, "file_id"));
    return static_cast<hssize_t>(free_space(*file));
  });
}

namespace {

bool serves(const FreeStretch& free, H5F_mem_t type) {
  if (type == H5FD_MEM_DEFAULT) return true;
  return type == (free.use == FreeStretch::Use::kRawData ? H5FD_MEM_DRAW : H5FD_MEM_SUPER);
}

}  // namespace

ssize_t H5Fget_free_sections(hid_t file_id, H5F_mem_t type, size_t nsects,
                             H5F_sect_info_t* sect_info) {
  return api_value("H5Fget_free_sections", ssize_t{-1}, [&]() -> Result<ssize_t> {
    if (type < H5FD_MEM_DEFAULT || type >= H5FD_MEM_NTYPES)
      return PCIO_ERROR(ARGS, BADVALUE, "argument type: no such kind of file memory");
    if (sect_info != nullptr && nsects == 0)
      return PCIO_ERROR(ARGS, BADVALUE, "argument nsects is 0, but sect_info is given");
    PCIO_ASSIGN(FilePtr file, get_file(file_id, "file_id"));
    size_t count = 0;
    for (const FreeStretch& free : free_stretches(*file)) {
      if (!serves(free, type)) continue;
      if (sect_info != nullptr && count < nsects)
        sect_info[count] = {free.range.offset, free.range.size};
      ++count;
    }
    return static_cast<ssize_t>(count);
  });
}

herr_t H5Fget_info2(hid_t obj_id, H5F_info2_t* file_info) {
  return api_status("H5Fget_info2", [&]() -> Status {
    PCIO_TRY(need_pointer(file_info, "file_info"));
    PCIO_ASSIGN(FilePtr file, file_of(obj_id, "obj_id"));
    PCIO_ASSIGN(const FileInfo facts, pcio::file_info(file));
    H5F_info2_t info{};
    info.super.version = facts.superblock_version;
    info.super.super_size = facts.superblock_size;
    info.super.super_ext_size = facts.extension_size;
    info.free.meta_size = facts.free_metadata_bytes;
    info.free.tot_space = facts.free_bytes;
    info.sohm.hdr_size = facts.shared_table_bytes;
    info.sohm.msgs_info = {facts.shared_index_bytes, facts.shared_heap_bytes};
    *file_info = info;
    return Status();
  });
}

herr_t H5Fget_info1(hid_t obj_id, H5F_info1_t* file_info) {
  return api_status("H5Fget_info1", [&]() -> Status {
    PCIO_TRY(need_pointer(file_info, "file_info"));
    PCIO_ASSIGN(FilePtr file, file_of(obj_id, "obj_id"));
    PCIO_ASSIGN(const FileInfo facts, pcio::file_info(file));
    H5F_info1_t info{};
    info.super_ext_size = facts.extension_size;
    info.sohm.hdr_size = facts.shared_table_bytes;
    info.sohm.msgs_info = {facts.shared_index_bytes, facts.shared_heap_bytes};
    *file_info = info;
    return Status();
  });
}

// What is committed is in the image; of a serial file everything is committed first.
ssize_t H5Fget_file_image(hid_t file_id, void* buf_ptr, size_t buf_len) {
  return api_value("H5Fget_file_image", ssize_t{-1}, [&]() -> Result<ssize_t> {
    PCIO_ASSIGN(FilePtr file, get_file(file_id, "file_id"));
    PCIO_ASSIGN(const std::uint64_t size,
                prepare_image(*file, {"H5Fget_file_image", file->path()}));
    if (buf_ptr == nullptr) return static_cast<ssize_t>(size);
    if (buf_len < size)
      return PCIO_ERROR(ARGS, BADRANGE,
                        "argument buf_len: the image has " + std::to_string(size) + " bytes");
    PCIO_TRY(read_image(*file, Bytes(static_cast<std::byte*>(buf_ptr), size)));
    return static_cast<ssize_t>(size);
  });
}

herr_t H5Fget_vfd_handle(hid_t file_id, hid_t fapl, void** file_handle) {
  return api_status("H5Fget_vfd_handle", [&]() -> Status {
    PCIO_TRY(need_pointer(file_handle, "file_handle"));
    PCIO_ASSIGN(FilePtr file, get_file(file_id, "file_id"));
    PCIO_ASSIGN(auto list, props_or_default<FileAccessProps>(fapl, "fapl"));
    *file_handle = raw_handle(*file, list->family_offset, list->multi_type);
    if (*file_handle != nullptr) return Status();
    return PCIO_ERROR(ARGS, BADRANGE,
                      "argument fapl: the family has no file for the byte, or the set none for "
                      "the kind of data, that it names (H5Pset_family_offset, H5Pset_multi_type)");
  });
}

// ---- settings ----------------------------------------------------------------------------------

namespace {

Status check_bounds(H5F_libver_t low, H5F_libver_t high) {
  if (low < H5F_LIBVER_EARLIEST || low >= H5F_LIBVER_NBOUNDS)
    return PCIO_ERROR(ARGS, BADVALUE, "argument low: no such version");
  if (high <= H5F_LIBVER_EARLIEST || high >= H5F_LIBVER_NBOUNDS || high < low)
    return PCIO_ERROR(ARGS, BADVALUE, "argument high: no such version, or below the low one");
  return Status();
}

}  // namespace

namespace {

/// Which format objects get must be the same on all ranks: a metadata call.
Status change_bounds(const char* function, hid_t file_id, H5F_libver_t low, H5F_libver_t high) {
  PCIO_ASSIGN(FilePtr file, get_file(file_id, "file_id"));
  return metadata_call(
      *file, {function, file->path()},
      [&](NamedArguments& out) -> Status {
        out.number("low library version bound", static_cast<std::uint64_t>(low));
        out.number("high library version bound", static_cast<std::uint64_t>(high));
        return check_bounds(low, high);
      },
      [&]() -> Status {
        file->set_bounds(static_cast<LibraryVersion>(low), static_cast<LibraryVersion>(high));
        return Status();
      });
}

}  // namespace

herr_t H5Fset_libver_bounds(hid_t file_id, H5F_libver_t low, H5F_libver_t high) {
  return api_status("H5Fset_libver_bounds",
                    [&] { return change_bounds("H5Fset_libver_bounds", file_id, low, high); });
}

herr_t H5Fset_latest_format(hid_t file_id, hbool_t latest_format) {
  return api_status("H5Fset_latest_format", [&] {
    return change_bounds("H5Fset_latest_format", file_id,
                         latest_format ? H5F_LIBVER_LATEST : H5F_LIBVER_EARLIEST,
                         H5F_LIBVER_LATEST);
  });
}

herr_t H5Fget_mdc_config(hid_t file_id, H5AC_cache_config_t* config_ptr) {
  return api_status("H5Fget_mdc_config", [&]() -> Status {
    PCIO_ASSIGN(FilePtr file, get_file(file_id, "file_id"));
    return get_cache_config(file->access(), config_ptr);
  });
}

herr_t H5Fset_mdc_config(hid_t file_id, H5AC_cache_config_t* config_ptr) {
  return api_status("H5Fset_mdc_config", [&]() -> Status {
    PCIO_ASSIGN(FilePtr file, get_file(file_id, "file_id"));
    return set_cache_config(file->access(), config_ptr);
  });
}

// All metadata that was read stays in memory, so there is no rate to speak of.
herr_t H5Fget_mdc_hit_rate(hid_t file_id, double* hit_rate_ptr) {
  return api_status("H5Fget_mdc_hit_rate", [&]() -> Status {
    PCIO_TRY(need_pointer(hit_rate_ptr, "hit_rate_ptr"));
    PCIO_TRY(get_file(file_id, "file_id"));
    *hit_rate_ptr = 0.0;
    return Status();
  });
}

herr_t H5Freset_mdc_hit_rate_stats(hid_t file_id) {
  return api_status("H5Freset_mdc_hit_rate_stats",
                    [&]() -> Status { return detail::to_status(get_file(file_id, "file_id")); });
}

herr_t H5Fget_mdc_size(hid_t file_id, size_t* max_size_ptr, size_t* min_clean_size_ptr,
                       size_t* cur_size_ptr, int* cur_num_entries_ptr) {
  return api_status("H5Fget_mdc_size", [&]() -> Status {
    PCIO_ASSIGN(FilePtr file, get_file(file_id, "file_id"));
    H5AC_cache_config_t config{};
    config.version = H5AC__CURR_CACHE_CONFIG_VERSION;
    PCIO_TRY(get_cache_config(file->access(), &config));
    double clean = config.min_clean_fraction * static_cast<double>(config.initial_size);
    if (max_size_ptr != nullptr) *max_size_ptr = config.initial_size;
    if (min_clean_size_ptr != nullptr) *min_clean_size_ptr = static_cast<size_t>(clean);
    if (cur_size_ptr != nullptr) *cur_size_ptr = 0;
    if (cur_num_entries_ptr != nullptr) *cur_num_entries_ptr = 0;
    return Status();
  });
}

// ---- MPI ---------------------------------------------------------------------------------------

namespace {

Result<FilePtr> get_mpi_io_file(hid_t file_id) {
  PCIO_ASSIGN(FilePtr file, get_file(file_id, "file_id"));
  if (!uses_mpi_io(*file))
    return PCIO_ERROR(FILE, BADVALUE,
                      "argument file_id: atomicity is a setting of MPI-IO, and the file was not "
                      "opened through it");
  return file;
}

}  // namespace

herr_t H5Fset_mpi_atomicity(hid_t file_id, hbool_t flag) {
  return api_status("H5Fset_mpi_atomicity", [&]() -> Status {
    PCIO_ASSIGN(FilePtr file, get_mpi_io_file(file_id));
    return set_atomicity(*file, flag);
  });
}

herr_t H5Fget_mpi_atomicity(hid_t file_id, hbool_t* flag) {
  return api_status("H5Fget_mpi_atomicity", [&]() -> Status {
    PCIO_ASSIGN(FilePtr file, get_mpi_io_file(file_id));
    if (flag != nullptr) *flag = atomicity(*file);
    return Status();
  });
}
