// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: module H5P: dataset access lists.

#include "lib/property_access.hpp"

using namespace pcio;

herr_t H5Pset_chunk_cache(hid_t dapl_id, size_t rdcc_nslots, size_t rdcc_nbytes, double rdcc_w0) {
  return set_props<DatasetAccessProps>(
      "H5Pset_chunk_cache", {dapl_id, "dapl_id"}, [&](auto& props) -> Status {
        // Negative: take it from the file's list.
        if (!(rdcc_w0 <= 1)) return PCIO_ERROR(ARGS, BADVALUE, "argument rdcc_w0 is over 1");
        props.chunk_cache_slots = rdcc_nslots;
        props.chunk_cache_bytes = rdcc_nbytes;
        props.chunk_cache_preemption = rdcc_w0;
        return Status();
      });
}

herr_t H5Pget_chunk_cache(hid_t dapl_id, size_t* rdcc_nslots, size_t* rdcc_nbytes,
                          double* rdcc_w0) {
  return get_props<DatasetAccessProps>(
      "H5Pget_chunk_cache", {dapl_id, "dapl_id"}, [&](auto& props) {
        // A list knows no file, so what is taken from the file shows as the default of files.
        const FileAccessProps file;
        bool slots_set = props.chunk_cache_slots != kChunkCacheFromFile;
        bool bytes_set = props.chunk_cache_bytes != kChunkCacheFromFile;
        bool w0_set = props.chunk_cache_preemption >= 0;
        store(rdcc_nslots, slots_set ? props.chunk_cache_slots : file.chunk_cache_slots);
        store(rdcc_nbytes, bytes_set ? props.chunk_cache_bytes : file.chunk_cache_bytes);
        store(rdcc_w0, w0_set ? props.chunk_cache_preemption : file.chunk_cache_preemption);
      });
}

herr_t H5Pset_efile_prefix(hid_t dapl_id, const char* prefix) {
  return set_props<DatasetAccessProps>(
      "H5Pset_efile_prefix", {dapl_id, "dapl_id"},
      [&](auto& props) { props.external_prefix = prefix != nullptr ? prefix : ""; });
}

ssize_t H5Pget_efile_prefix(hid_t dapl_id, char* prefix, size_t size) {
  return api_value("H5Pget_efile_prefix", ssize_t{-1}, [&]() -> Result<ssize_t> {
    PCIO_ASSIGN(auto props, props_of<DatasetAccessProps>(dapl_id, "dapl_id"));
    return copy_optional_text(props->external_prefix, prefix, size);
  });
}
