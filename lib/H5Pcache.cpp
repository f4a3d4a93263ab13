// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: module H5P: caches and logs of a file access list.
//
// Many programs read the metadata cache's configuration, change a few fields and set it again; it
// is checked, stored and returned, and steers nothing here.

#include <cstring>

#include "lib/cache_config.hpp"
#include "lib/property_access.hpp"

using namespace pcio;

// Negative means "default" for lists of datasets, so only files have a lower limit.
herr_t H5Pset_cache(hid_t plist_id, int, size_t rdcc_nslots, size_t rdcc_nbytes, double rdcc_w0) {
  return set_props<FileAccessProps>("H5Pset_cache", plist_id, [&](auto& props) -> Status {
    if (!(rdcc_w0 >= 0 && rdcc_w0 <= 1))
      return PCIO_ERROR(ARGS, BADVALUE, "argument rdcc_w0 is not in 0..1");
    props.chunk_cache_slots = rdcc_nslots;
    props.chunk_cache_bytes = rdcc_nbytes;
    props.chunk_cache_preemption = rdcc_w0;
    return Status();
  });
}

herr_t H5Pget_cache(hid_t plist_id, int* mdc_nelmts, size_t* rdcc_nslots, size_t* rdcc_nbytes,
                    double* rdcc_w0) {
  return get_props<FileAccessProps>("H5Pget_cache", plist_id, [&](auto& props) {
    store(mdc_nelmts, 0);  // has had no meaning since HDF5 1.8
    store(rdcc_nslots, props.chunk_cache_slots);
    store(rdcc_nbytes, props.chunk_cache_bytes);
    store(rdcc_w0, props.chunk_cache_preemption);
  });
}

herr_t H5Pset_page_buffer_size(hid_t plist_id, size_t buf_size, unsigned min_meta_per,
                               unsigned min_raw_per) {
  return set_props<FileAccessProps>(
      "H5Pset_page_buffer_size", plist_id, [&](auto& props) -> Status {
        if (min_meta_per > 100 || min_raw_per > 100 || min_meta_per + min_raw_per > 100)
          return PCIO_ERROR(ARGS, BADVALUE, "the minimum shares are over 100 percent");
        props.page_buffer_size = buf_size;
        props.page_buffer_min_meta = min_meta_per;
        props.page_buffer_min_raw = min_raw_per;
        return Status();
      });
}

herr_t H5Pget_page_buffer_size(hid_t plist_id, size_t* buf_size, unsigned* min_meta_perc,
                               unsigned* min_raw_perc) {
  return get_props<FileAccessProps>("H5Pget_page_buffer_size", plist_id, [&](auto& props) {
    store(buf_size, props.page_buffer_size);
    store(min_meta_perc, props.page_buffer_min_meta);
    store(min_raw_perc, props.page_buffer_min_raw);
  });
}

// ---- metadata cache ----------------------------------------------------------------------------

namespace {

/// Defaults of a parallel libhdf5 1.10.8, as H5Pget_mdc_config shows them.
H5AC_cache_config_t default_cache_config() {
  H5AC_cache_config_t config{};
  config.version = H5AC__CURR_CACHE_CONFIG_VERSION;
  config.evictions_enabled = true;
  config.set_initial_size = true;
  config.initial_size = 2097152;
  config.min_clean_fraction = 0.3F;
  config.max_size = 33554432;
  config.min_size = 1048576;
  config.epoch_length = 50000;
  config.incr_mode = H5C_incr__threshold;
  config.lower_hr_threshold = 0.9F;
  config.increment = 2.0;
  config.apply_max_increment = true;
  config.max_increment = 4194304;
  config.flash_incr_mode = H5C_flash_incr__add_space;
  config.flash_multiple = 1.0;
  config.flash_threshold = 0.25;
  config.decr_mode = H5C_decr__age_out_with_threshold;
  config.upper_hr_threshold = 0.999F;
  config.decrement = 0.9F;
  config.apply_max_decrement = true;
  config.max_decrement = 1048576;
  config.epochs_before_eviction = 3;
  config.apply_empty_reserve = true;
  config.empty_reserve = 0.1F;
  config.dirty_bytes_threshold = 262144;
  config.metadata_write_strategy = H5AC_METADATA_WRITE_STRATEGY__DISTRIBUTED;
  return config;
}

Status check_cache_config(const H5AC_cache_config_t* config) {
  PCIO_TRY(need_pointer(config, "config_ptr"));
  if (config->version != H5AC__CURR_CACHE_CONFIG_VERSION)
    return PCIO_ERROR(ARGS, BADVALUE, "argument config_ptr: unknown version of the structure");
  return Status();
}

Status check_cache_values(const H5AC_cache_config_t& config) {
  if (config.max_size < config.min_size)
    return PCIO_ERROR(ARGS, BADVALUE, "max_size is smaller than min_size");
  bool resizes = config.incr_mode != H5C_incr__off || config.decr_mode != H5C_decr__off ||
                 config.flash_incr_mode != H5C_flash_incr__off;
  if (!config.evictions_enabled && resizes)
    return PCIO_ERROR(ARGS, BADVALUE, "evictions can't be off while the cache may be resized");
  return Status();
}

}  // namespace

Status pcio::get_cache_config(const FileAccessProps& props, H5AC_cache_config_t* config) {
  PCIO_TRY(check_cache_config(config));
  *config = default_cache_config();
  if (!props.metadata_cache_config.empty())
    std::memcpy(config, props.metadata_cache_config.data(), sizeof *config);
  return Status();
}

Status pcio::set_cache_config(FileAccessProps& props, const H5AC_cache_config_t* config) {
  PCIO_TRY(check_cache_config(config));
  PCIO_TRY(check_cache_values(*config));
  props.metadata_cache_config.resize(sizeof *config);
  std::memcpy(props.metadata_cache_config.data(), config, sizeof *config);
  return Status();
}

herr_t H5Pset_mdc_config(hid_t plist_id, H5AC_cache_config_t* config_ptr) {
  return set_props<FileAccessProps>("H5Pset_mdc_config", plist_id, [&](auto& props) {
    return set_cache_config(props, config_ptr);
  });
}

herr_t H5Pget_mdc_config(hid_t plist_id, H5AC_cache_config_t* config_ptr) {
  return get_props<FileAccessProps>("H5Pget_mdc_config", plist_id, [&](auto& props) {
    return get_cache_config(props, config_ptr);
  });
}

namespace {

Status check_image_config(const H5AC_cache_image_config_t* config) {
  PCIO_TRY(need_pointer(config, "config_ptr"));
  if (config->version == H5AC__CURR_CACHE_IMAGE_CONFIG_VERSION) return Status();
  return PCIO_ERROR(ARGS, BADVALUE, "argument config_ptr: unknown version of the structure");
}

}  // namespace

H5AC_cache_image_config_t pcio::get_image_config(const FileAccessProps& props) {
  H5AC_cache_image_config_t config = {H5AC__CURR_CACHE_IMAGE_CONFIG_VERSION, false, false,
                                      H5AC__CACHE_IMAGE__ENTRY_AGEOUT__NONE};
  if (!props.metadata_cache_image_config.empty())
    std::memcpy(&config, props.metadata_cache_image_config.data(), sizeof config);
  return config;
}

Status pcio::set_image_config(FileAccessProps& props, const H5AC_cache_image_config_t* config) {
  PCIO_TRY(check_image_config(config));
  if (config->save_resize_status)
    return PCIO_ERROR(ARGS, BADVALUE, "save_resize_status has no meaning in HDF5 1.10");
  if (config->entry_ageout != H5AC__CACHE_IMAGE__ENTRY_AGEOUT__NONE)
    return PCIO_ERROR(ARGS, BADVALUE, "entry_ageout must be NONE in HDF5 1.10");
  props.metadata_cache_image_config.clear();
  if (!config->generate_image) return Status();
  // Compared by its bytes: those between the members are zeros.
  H5AC_cache_image_config_t clean{};
  clean.version = config->version;
  clean.generate_image = true;
  clean.entry_ageout = config->entry_ageout;
  props.metadata_cache_image_config.resize(sizeof clean);
  std::memcpy(props.metadata_cache_image_config.data(), &clean, sizeof clean);
  return Status();
}

herr_t H5Pset_mdc_image_config(hid_t plist_id, H5AC_cache_image_config_t* config_ptr) {
  return set_props<FileAccessProps>("H5Pset_mdc_image_config", plist_id, [&](auto& props) {
    return set_image_config(props, config_ptr);
  });
}

herr_t H5Pget_mdc_image_config(hid_t plist_id, H5AC_cache_image_config_t* config_ptr) {
  return get_props<FileAccessProps>("H5Pget_mdc_image_config", plist_id,
                                    [&](auto& props) -> Status {
                                      PCIO_TRY(check_image_config(config_ptr));
                                      *config_ptr = get_image_config(props);
                                      return Status();
                                    });
}

herr_t H5Pset_mdc_log_options(hid_t plist_id, hbool_t is_enabled, const char* location,
                              hbool_t start_on_access) {
  return set_props<FileAccessProps>("H5Pset_mdc_log_options", plist_id, [&](auto& props) -> Status {
    PCIO_ASSIGN(std::string file, text_argument(location, "location"));
    props.metadata_log = is_enabled;
    props.metadata_log_file = std::move(file);
    props.metadata_log_at_open = start_on_access;
    return Status();
  });
}

herr_t H5Pget_mdc_log_options(hid_t plist_id, hbool_t* is_enabled, char* location,
                              size_t* location_size, hbool_t* start_on_access) {
  return get_props<FileAccessProps>("H5Pget_mdc_log_options", plist_id, [&](auto& props) {
    store(is_enabled, props.metadata_log);
    store(start_on_access, props.metadata_log_at_open);
    if (location != nullptr && location_size != nullptr)
      copy_optional_text(props.metadata_log_file, location, *location_size);
    store(location_size, props.metadata_log_file.empty() ? 0 : props.metadata_log_file.size() + 1);
  });
}
