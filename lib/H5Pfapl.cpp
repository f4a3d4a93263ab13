// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: module H5P: file access lists: how a file is opened, closed, locked, laid out.
// Caches are in H5Pcache.cpp, drivers in H5Pdriver.cpp and H5Pmpio.cpp.

#include "lib/enum_argument.hpp"
#include "lib/property_access.hpp"

using namespace pcio;

herr_t H5Pset_libver_bounds(hid_t plist_id, H5F_libver_t low, H5F_libver_t high) {
  return set_props<FileAccessProps>("H5Pset_libver_bounds", plist_id, [&](auto& props) -> Status {
    constexpr int kNewest = static_cast<int>(LibraryVersion::kV110);
    int l = number_of(low);
    int h = number_of(high);
    if (l < 0 || l > kNewest) return PCIO_ERROR(ARGS, BADVALUE, "argument low: no such bound");
    if (h < 0 || h > kNewest) return PCIO_ERROR(ARGS, BADVALUE, "argument high: no such bound");
    // EARLIEST as upper bound would be a file that no version writes. Source: Reference Manual.
    if (h == 0) return PCIO_ERROR(ARGS, BADVALUE, "the upper bound can't be EARLIEST");
    if (h < l) return PCIO_ERROR(ARGS, BADVALUE, "the upper bound is below the lower bound");
    props.low_bound = static_cast<LibraryVersion>(l);
    props.high_bound = static_cast<LibraryVersion>(h);
    return Status();
  });
}

herr_t H5Pget_libver_bounds(hid_t plist_id, H5F_libver_t* low, H5F_libver_t* high) {
  return get_props<FileAccessProps>("H5Pget_libver_bounds", plist_id, [&](auto& props) {
    store(low, props.low_bound);
    store(high, props.high_bound);
  });
}

herr_t H5Pset_fclose_degree(hid_t fapl_id, H5F_close_degree_t degree) {
  return set_props<FileAccessProps>(
      "H5Pset_fclose_degree", {fapl_id, "fapl_id"}, [&](auto& props) -> Status {
        if (!is_between(degree, H5F_CLOSE_DEFAULT, H5F_CLOSE_STRONG))
          return PCIO_ERROR(ARGS, BADVALUE, "argument degree: no such close degree");
        props.close_degree = static_cast<CloseDegree>(degree);
        return Status();
      });
}

herr_t H5Pget_fclose_degree(hid_t fapl_id, H5F_close_degree_t* degree) {
  return get_props<FileAccessProps>("H5Pget_fclose_degree", {fapl_id, "fapl_id"},
                                    [&](auto& props) { store(degree, props.close_degree); });
}

herr_t H5Pset_file_locking(hid_t fapl_id, hbool_t use_file_locking, hbool_t ignore_when_disabled) {
  return set_props<FileAccessProps>("H5Pset_file_locking", {fapl_id, "fapl_id"}, [&](auto& props) {
    props.use_file_locking = use_file_locking;
    props.ignore_disabled_locks = ignore_when_disabled;
  });
}

herr_t H5Pget_file_locking(hid_t fapl_id, hbool_t* use_file_locking,
                           hbool_t* ignore_when_disabled) {
  return get_props<FileAccessProps>("H5Pget_file_locking", {fapl_id, "fapl_id"}, [&](auto& props) {
    store(use_file_locking, props.use_file_locking);
    store(ignore_when_disabled, props.ignore_disabled_locks);
  });
}

herr_t H5Pset_evict_on_close(hid_t fapl_id, hbool_t evict_on_close) {
  return set_props<FileAccessProps>("H5Pset_evict_on_close", {fapl_id, "fapl_id"},
                                    [&](auto& props) { props.evict_on_close = evict_on_close; });
}

herr_t H5Pget_evict_on_close(hid_t fapl_id, hbool_t* evict_on_close) {
  return get_props<FileAccessProps>(
      "H5Pget_evict_on_close", {fapl_id, "fapl_id"},
      [&](auto& props) { store(evict_on_close, props.evict_on_close); });
}

herr_t H5Pset_gc_references(hid_t fapl_id, unsigned gc_ref) {
  return set_props<FileAccessProps>("H5Pset_gc_references", {fapl_id, "fapl_id"},
                                    [&](auto& props) { props.gc_references = gc_ref; });
}

herr_t H5Pget_gc_references(hid_t fapl_id, unsigned* gc_ref) {
  return get_props<FileAccessProps>("H5Pget_gc_references", {fapl_id, "fapl_id"},
                                    [&](auto& props) { store(gc_ref, props.gc_references); });
}

herr_t H5Pset_elink_file_cache_size(hid_t plist_id, unsigned efc_size) {
  return set_props<FileAccessProps>("H5Pset_elink_file_cache_size", plist_id,
                                    [&](auto& props) { props.elink_file_cache_size = efc_size; });
}

herr_t H5Pget_elink_file_cache_size(hid_t plist_id, unsigned* efc_size) {
  return get_props<FileAccessProps>("H5Pget_elink_file_cache_size", plist_id, [&](auto& props) {
    store(efc_size, props.elink_file_cache_size);
  });
}

herr_t H5Pset_metadata_read_attempts(hid_t plist_id, unsigned attempts) {
  return set_props<FileAccessProps>(
      "H5Pset_metadata_read_attempts", plist_id, [&](auto& props) -> Status {
        if (attempts == 0) return PCIO_ERROR(ARGS, BADVALUE, "argument attempts is zero");
        props.metadata_read_attempts = attempts;
        return Status();
      });
}

herr_t H5Pget_metadata_read_attempts(hid_t plist_id, unsigned* attempts) {
  return get_props<FileAccessProps>("H5Pget_metadata_read_attempts", plist_id, [&](auto& props) {
    store(attempts, props.metadata_read_attempts == 0 ? 1 : props.metadata_read_attempts);
  });
}

// ---- sizes of blocks ---------------------------------------------------------------------------

herr_t H5Pset_alignment(hid_t fapl_id, hsize_t threshold, hsize_t alignment) {
  return set_props<FileAccessProps>(
      "H5Pset_alignment", {fapl_id, "fapl_id"}, [&](auto& props) -> Status {
        if (alignment == 0) return PCIO_ERROR(ARGS, BADVALUE, "argument alignment is zero");
        props.alignment_threshold = threshold;
        props.alignment = alignment;
        return Status();
      });
}

herr_t H5Pget_alignment(hid_t fapl_id, hsize_t* threshold, hsize_t* alignment) {
  return get_props<FileAccessProps>("H5Pget_alignment", {fapl_id, "fapl_id"}, [&](auto& props) {
    store(threshold, props.alignment_threshold);
    store(alignment, props.alignment);
  });
}

herr_t H5Pset_meta_block_size(hid_t fapl_id, hsize_t size) {
  return set_props<FileAccessProps>("H5Pset_meta_block_size", {fapl_id, "fapl_id"},
                                    [&](auto& props) { props.meta_block_size = size; });
}

herr_t H5Pget_meta_block_size(hid_t fapl_id, hsize_t* size) {
  return get_props<FileAccessProps>("H5Pget_meta_block_size", {fapl_id, "fapl_id"},
                                    [&](auto& props) { store(size, props.meta_block_size); });
}

herr_t H5Pset_small_data_block_size(hid_t fapl_id, hsize_t size) {
  return set_props<FileAccessProps>("H5Pset_small_data_block_size", {fapl_id, "fapl_id"},
                                    [&](auto& props) { props.small_data_block_size = size; });
}

herr_t H5Pget_small_data_block_size(hid_t fapl_id, hsize_t* size) {
  return get_props<FileAccessProps>("H5Pget_small_data_block_size", {fapl_id, "fapl_id"},
                                    [&](auto& props) { store(size, props.small_data_block_size); });
}

herr_t H5Pset_sieve_buf_size(hid_t fapl_id, size_t size) {
  return set_props<FileAccessProps>("H5Pset_sieve_buf_size", {fapl_id, "fapl_id"},
                                    [&](auto& props) { props.sieve_buffer_size = size; });
}

herr_t H5Pget_sieve_buf_size(hid_t fapl_id, size_t* size) {
  return get_props<FileAccessProps>("H5Pget_sieve_buf_size", {fapl_id, "fapl_id"},
                                    [&](auto& props) { store(size, props.sieve_buffer_size); });
}
