// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// The table. The order is that of the manual's pages.

#include "list_rows.hpp"

#include <cstdlib>
#include <cstring>
#include <mpi.h>

#include "support.hpp"

#ifdef PCIO_VERSION
#include <pcio.h>

namespace lists {

namespace {

/// What ranks say whose metadata calls have different arguments.
constexpr const char* kCalls = "do not match|differ";

void* allocate(std::size_t size, void* /*data*/) { return std::malloc(size); }
void release(void* memory, void* /*data*/) { std::free(memory); }
H5T_conv_ret_t unhandled(H5T_conv_except_t, hid_t, hid_t, void*, void*, void*) {
  return H5T_CONV_UNHANDLED;
}
H5Z_cb_return_t go_on(H5Z_filter_t, void*, std::size_t, void*) { return H5Z_CB_CONT; }

void set_info(Lists& l) {
  MPI_Info info = MPI_INFO_NULL;
  MPI_Info_create(&info);
  MPI_Info_set(info, "pcio_unknown_hint", "1");
  H5Pset_fapl_mpio(l.fapl, MPI_COMM_WORLD, info);
  MPI_Info_free(&info);
}

void set_cache_config(Lists& l) {
  H5AC_cache_config_t config;
  std::memset(&config, 0, sizeof config);
  config.version = H5AC__CURR_CACHE_CONFIG_VERSION;
  if (H5Pget_mdc_config(l.fapl, &config) < 0) return;
  config.min_clean_fraction = 0.25;
  H5Pset_mdc_config(l.fapl, &config);
}

void set_image_config(Lists& l) {
  H5AC_cache_image_config_t config;
  std::memset(&config, 0, sizeof config);
  config.version = H5AC__CURR_CACHE_IMAGE_CONFIG_VERSION;
  if (H5Pget_mdc_image_config(l.fapl, &config) < 0) return;
  config.generate_image = true;
  H5Pset_mdc_image_config(l.fapl, &config);
}

herr_t traverse(const char*, const char*, const char*, const char*, unsigned*, hid_t, void*) {
  return 0;
}

void set_fill(Lists& l) {
  const int three = 3;
  H5Pset_fill_value(l.dcpl, H5T_NATIVE_INT, &three);
}

void set_image(Lists& l) {
  char bytes[64] = "not a file";
  H5Pset_file_image(l.fapl, bytes, sizeof bytes);
}

}  // namespace

#define ROW(where, name, code, error) \
  {                                   \
    Where::where, name,               \
        [](Lists& l) {                \
          (void)l;                    \
          code;                       \
        },                            \
        error                         \
  }

const std::vector<Row>& rows() {
  static const std::vector<Row> table = {
    // H5Fcreate's list.
    ROW(kCreate, "userblock", H5Pset_userblock(l.fcpl, 512), "user block differs"),
    ROW(kCreate, "sizes: addresses", H5Pset_sizes(l.fcpl, 4, 8), "size of addresses"),
    ROW(kCreate, "sizes: lengths", H5Pset_sizes(l.fcpl, 8, 4), "size of lengths"),
    ROW(kCreate, "sym_k: tree", H5Pset_sym_k(l.fcpl, 8, 4), "symbol table tree"),
    ROW(kCreate, "sym_k: node", H5Pset_sym_k(l.fcpl, 16, 8), "symbol table node"),
    ROW(kCreate, "istore_k", H5Pset_istore_k(l.fcpl, 64), "chunk tree"),
    ROW(kCreate, "shared_mesg_nindexes", H5Pset_shared_mesg_nindexes(l.fcpl, 1), "shared "),
    ROW(kCreate, "shared_mesg_index", H5Pset_shared_mesg_nindexes(l.fcpl, 1);
        H5Pset_shared_mesg_index(l.fcpl, 0, H5O_SHMESG_DTYPE_FLAG, 40), "shared "),
    ROW(kCreate, "shared_mesg_phase_change", H5Pset_shared_mesg_phase_change(l.fcpl, 40, 30),
        "shared message phase change"),
    ROW(kCreate, "file_space_strategy",
        H5Pset_file_space_strategy(l.fcpl, H5F_FSPACE_STRATEGY_PAGE, 0, 1),
        "file space strategy differs: "),
    ROW(kCreate, "file_space_strategy: persist",
        H5Pset_file_space_strategy(l.fcpl, H5F_FSPACE_STRATEGY_FSM_AGGR, 1, 1),
        "keeping of free space"),
    ROW(kCreate, "file_space_strategy: threshold",
        H5Pset_file_space_strategy(l.fcpl, H5F_FSPACE_STRATEGY_FSM_AGGR, 0, 100),
        "free space threshold"),
    ROW(kCreate, "file_space", H5Pset_file_space(l.fcpl, H5F_FILE_SPACE_ALL_PERSIST, 1),
        "keeping of free space"),
    ROW(kCreate, "file_space_page_size", H5Pset_file_space_page_size(l.fcpl, 8192),
        "file space page size"),
    ROW(kCreate, "link_phase_change", H5Pset_link_phase_change(l.fcpl, 20, 10),
        "link phase change"),
    ROW(kCreate, "est_link_info: number", H5Pset_est_link_info(l.fcpl, 40, 8),
        "estimated number of links"),
    ROW(kCreate, "est_link_info: length", H5Pset_est_link_info(l.fcpl, 4, 80),
        "estimated length of names"),
    ROW(kCreate, "link_creation_order", H5Pset_link_creation_order(l.fcpl, H5P_CRT_ORDER_TRACKED),
        "link creation order"),
    ROW(kCreate, "attr_phase_change", H5Pset_attr_phase_change(l.fcpl, 3, 2),
        "attribute phase change"),
    ROW(kCreate, "attr_creation_order", H5Pset_attr_creation_order(l.fcpl, H5P_CRT_ORDER_TRACKED),
        "attribute creation order"),
    ROW(kCreate, "obj_track_times", H5Pset_obj_track_times(l.fcpl, true), "tracking of times"),
    ROW(kCreate, "local_heap_size_hint", H5Pset_local_heap_size_hint(l.fcpl, 500),
        "size hint of local heaps"),
    // H5Fcreate's other arguments.
    ROW(kCreate, "flags", l.flags = H5F_ACC_EXCL, "access flags differs: "),
    ROW(kCreate, "name", l.path += ".other", "file's name differs: "),
    ROW(kCreate, "flags that don't exist", l.flags = 0x4000, "argument flags"),
    // The access list.
    ROW(kOpen, "driver", H5Pset_fapl_mpiposix(l.fapl, MPI_COMM_WORLD, false), "driver differs: "),
    ROW(kOpen, "libver_bounds: low",
        H5Pset_libver_bounds(l.fapl, H5F_LIBVER_V110, H5F_LIBVER_LATEST), "low library version"),
    ROW(kOpen, "libver_bounds: high",
        H5Pset_libver_bounds(l.fapl, H5F_LIBVER_EARLIEST, H5F_LIBVER_V18), "high library version"),
    ROW(kOpen, "alignment", H5Pset_alignment(l.fapl, 1, 4096), "alignment differs"),
    ROW(kOpen, "alignment: threshold", H5Pset_alignment(l.fapl, 100, 1), "alignment threshold"),
    ROW(kOpen, "meta_block_size", H5Pset_meta_block_size(l.fapl, 65536), "metadata block size"),
    ROW(kOpen, "small_data_block_size", H5Pset_small_data_block_size(l.fapl, 65536),
        "small data block size"),
    ROW(kOpen, "fclose_degree: strong", H5Pset_fclose_degree(l.fapl, H5F_CLOSE_STRONG),
        "close degree differs: "),
    ROW(kOpen, "fclose_degree: weak", H5Pset_fclose_degree(l.fapl, H5F_CLOSE_WEAK),
        "close degree differs: "),
    ROW(kOpen, "fclose_degree: the default by name", H5Pset_fclose_degree(l.fapl, H5F_CLOSE_SEMI),
        ""),
    ROW(kOpen, "file_image", set_image(l), "initial file image"),
    ROW(kOpen, "page_buffer_size", H5Pset_page_buffer_size(l.fapl, 65536, 0, 0), "page buffer"),
    ROW(kOpen, "file_image_callbacks", H5FD_file_image_callbacks_t callbacks;
        std::memset(&callbacks, 0, sizeof callbacks);
        H5Pset_file_image_callbacks(l.fapl, &callbacks), ""),
    ROW(kOpen, "mdc_log_options", H5Pset_mdc_log_options(l.fapl, true, "/nowhere/log", false), ""),
    ROW(kOpen, "mdc_image_config", set_image_config(l), ""),
    ROW(kOpen, "sieve_buf_size", H5Pset_sieve_buf_size(l.fapl, 1), ""),
    ROW(kOpen, "cache", H5Pset_cache(l.fapl, 0, 1, 0, 0.5), ""),
    ROW(kOpen, "mdc_config", set_cache_config(l), ""),
    ROW(kOpen, "gc_references", H5Pset_gc_references(l.fapl, 1), ""),
    ROW(kOpen, "all_coll_metadata_ops", H5Pset_all_coll_metadata_ops(l.fapl, true),
        "collective metadata reads differs"),
    ROW(kOpen, "coll_metadata_write", H5Pset_coll_metadata_write(l.fapl, true), ""),
    ROW(kOpen, "evict_on_close", H5Pset_evict_on_close(l.fapl, true), ""),
    ROW(kOpen, "elink_file_cache_size", H5Pset_elink_file_cache_size(l.fapl, 3), ""),
    ROW(kOpen, "core_write_tracking", H5Pset_core_write_tracking(l.fapl, true, 4096), ""),
    ROW(kOpen, "metadata_read_attempts", H5Pset_metadata_read_attempts(l.fapl, 3), ""),
    ROW(kOpen, "file_locking", H5Pset_file_locking(l.fapl, false, true), ""),
    ROW(kOpen, "info of fapl_mpio", set_info(l), ""),
    ROW(kOpen, "pcio durability", pcio_set_fapl_durability(l.fapl, PCIO_DURABILITY_POWER_LOSS), ""),
    ROW(kOpen, "pcio waiting memory", pcio_set_fapl_waiting_memory(l.fapl, 1 << 20), ""),
    // Datasets.
    ROW(kObject, "layout", H5Pset_layout(l.dcpl, H5D_CONTIGUOUS), "layout (H5Pset_layout"),
    ROW(kObject, "chunk", const hsize_t other[1] = {50};
        H5Pset_chunk(l.dcpl, 1, other), "chunk dimensions"),
    ROW(kObject, "chunk_opts", H5Pset_chunk_opts(l.dcpl, H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS),
        "chunk options"),
    ROW(kObject, "deflate", H5Pset_deflate(l.dcpl, 6), "filter pipeline differs"),
    ROW(kObject, "shuffle", H5Pset_shuffle(l.dcpl), "filter pipeline differs"),
    ROW(kObject, "fletcher32", H5Pset_fletcher32(l.dcpl), "filter pipeline differs"),
    ROW(kObject, "szip", H5Pset_szip(l.dcpl, H5_SZIP_NN_OPTION_MASK, 4), "filter pipeline differs"),
    ROW(kObject, "nbit", H5Pset_nbit(l.dcpl), "filter pipeline differs"),
    ROW(kObject, "scaleoffset", H5Pset_scaleoffset(l.dcpl, H5Z_SO_INT, 0),
        "filter pipeline differs"),
    ROW(kObject, "filter that isn't there, optional",
        H5Pset_filter(l.dcpl, 400, H5Z_FLAG_OPTIONAL, 0, nullptr), "filter pipeline differs"),
    ROW(kObject, "fill_value", set_fill(l), "fill value"),
    ROW(kObject, "fill_value: undefined", H5Pset_fill_value(l.dcpl, H5T_NATIVE_INT, nullptr);
        H5Pset_fill_time(l.dcpl, H5D_FILL_TIME_IFSET), "fill value"),
    ROW(kObject, "fill_time", H5Pset_fill_time(l.dcpl, H5D_FILL_TIME_NEVER), "fill time"),
    ROW(kObject, "alloc_time", H5Pset_alloc_time(l.dcpl, H5D_ALLOC_TIME_EARLY), "allocation time"),
    ROW(kObject, "dataset attr_phase_change", H5Pset_attr_phase_change(l.dcpl, 3, 2),
        "compact attributes"),
    ROW(kObject, "dataset attr_creation_order",
        H5Pset_attr_creation_order(l.dcpl, H5P_CRT_ORDER_TRACKED), "attribute creation order"),
    ROW(kObject, "dataset obj_track_times", H5Pset_obj_track_times(l.dcpl, true),
        "tracking of times"),
    ROW(kObject, "chunk_cache", H5Pset_chunk_cache(l.dapl, 1, 1, 1), ""),
    ROW(kObject, "dataset nlinks", H5Pset_nlinks(l.dapl, 5), ""),
    ROW(kObject, "elink_prefix", H5Pset_elink_prefix(l.gapl, "/nowhere"), ""),
    ROW(kObject, "elink_fapl", H5Pset_elink_fapl(l.gapl, H5P_DEFAULT), ""),
    ROW(kObject, "elink_acc_flags", H5Pset_elink_acc_flags(l.gapl, H5F_ACC_RDONLY), ""),
    ROW(kObject, "elink_cb", H5Pset_elink_cb(l.gapl, traverse, nullptr), ""),
    ROW(kObject, "external", H5Pset_layout(l.dcpl, H5D_CONTIGUOUS);
        H5Pset_external(l.dcpl, "/nowhere/raw", 0, 4096), "xternal|layout"),
    ROW(kObject, "virtual", const hid_t point = H5Screate(H5S_SCALAR);
        H5Pset_virtual(l.dcpl, point, ".", "x", point), "virtual|layout"),
    ROW(kObject, "dset_no_attrs_hint", H5Pset_dset_no_attrs_hint(l.dcpl, true), ""),
    ROW(kObject, "efile_prefix", H5Pset_efile_prefix(l.dapl, "/nowhere"), ""),
    ROW(kObject, "pcio late allocation", pcio_set_dapl_late_allocation(l.dapl, true),
        "late allocation"),
    // Groups, types, attributes, links.
    ROW(kObject, "group local_heap_size_hint", H5Pset_local_heap_size_hint(l.gcpl, 500),
        "size hint of local heaps"),
    ROW(kObject, "group link_phase_change", H5Pset_link_phase_change(l.gcpl, 20, 10),
        "compact links"),
    ROW(kObject, "group est_link_info", H5Pset_est_link_info(l.gcpl, 40, 80),
        "estimated number of links"),
    ROW(kObject, "group link_creation_order",
        H5Pset_link_creation_order(l.gcpl, H5P_CRT_ORDER_TRACKED), "link creation order"),
    ROW(kObject, "group attr_phase_change", H5Pset_attr_phase_change(l.gcpl, 3, 2),
        "compact attributes"),
    ROW(kObject, "group attr_creation_order",
        H5Pset_attr_creation_order(l.gcpl, H5P_CRT_ORDER_TRACKED), "attribute creation order"),
    ROW(kObject, "group obj_track_times", H5Pset_obj_track_times(l.gcpl, true),
        "tracking of times"),
    ROW(kObject, "group all_coll_metadata_ops", H5Pset_all_coll_metadata_ops(l.gapl, true), ""),
    ROW(kObject, "type attr_phase_change", H5Pset_attr_phase_change(l.tcpl, 3, 2),
        "compact attributes"),
    ROW(kObject, "type attr_creation_order",
        H5Pset_attr_creation_order(l.tcpl, H5P_CRT_ORDER_TRACKED), "attribute creation order"),
    ROW(kObject, "type obj_track_times", H5Pset_obj_track_times(l.tcpl, true), "tracking of times"),
    ROW(kObject, "attribute char_encoding", H5Pset_char_encoding(l.acpl, H5T_CSET_UTF8),
        "character set of the name"),
    ROW(kObject, "link char_encoding", H5Pset_char_encoding(l.lcpl, H5T_CSET_UTF8),
        "character set of the link"),
    ROW(kObject, "create_intermediate_group", H5Pset_create_intermediate_group(l.lcpl, 0),
        "making of missing groups|doesn't exist"),
    // Transfers.
    ROW(kTransfer, "dxpl_mpio", H5Pset_dxpl_mpio(l.dxpl, H5FD_MPIO_INDEPENDENT), kCalls),
    ROW(kTransfer, "dxpl_mpio_collective_opt",
        H5Pset_dxpl_mpio_collective_opt(l.dxpl, H5FD_MPIO_INDIVIDUAL_IO), ""),
    ROW(kTransfer, "dxpl_mpio_chunk_opt",
        H5Pset_dxpl_mpio_chunk_opt(l.dxpl, H5FD_MPIO_CHUNK_MULTI_IO), "chunk option"),
    ROW(kTransfer, "dxpl_mpio_chunk_opt_num", H5Pset_dxpl_mpio_chunk_opt_num(l.dxpl, 3),
        "link threshold"),
    ROW(kTransfer, "dxpl_mpio_chunk_opt_ratio", H5Pset_dxpl_mpio_chunk_opt_ratio(l.dxpl, 30),
        "ratio"),
    ROW(kTransfer, "pcio transport", pcio_set_dxpl_transport(l.dxpl, PCIO_TRANSPORT_EXCHANGE),
        "transport"),
    ROW(kTransfer, "pcio exchange memory", pcio_set_dxpl_exchange_memory(l.dxpl, 2 << 20),
        "exchange memory"),
    ROW(kTransfer, "pcio report chunks", pcio_set_dxpl_report_chunks(l.dxpl, true), ""),
    ROW(kTransfer, "buffer", H5Pset_buffer(l.dxpl, 64, nullptr, nullptr), ""),
    ROW(kTransfer, "preserve", H5Pset_preserve(l.dxpl, true), ""),
    ROW(kTransfer, "edc_check", H5Pset_edc_check(l.dxpl, H5Z_DISABLE_EDC), ""),
    ROW(kTransfer, "filter_callback", H5Pset_filter_callback(l.dxpl, go_on, nullptr), ""),
    ROW(kTransfer, "type_conv_cb", H5Pset_type_conv_cb(l.dxpl, unhandled, nullptr), ""),
    ROW(kTransfer, "vlen_mem_manager",
        H5Pset_vlen_mem_manager(l.dxpl, allocate, nullptr, release, nullptr), ""),
    ROW(kTransfer, "btree_ratios", H5Pset_btree_ratios(l.dxpl, 0.2, 0.5, 0.8), ""),
    ROW(kTransfer, "hyper_vector_size", H5Pset_hyper_vector_size(l.dxpl, 3), ""),
    ROW(kTransfer, "data_transform", H5Pset_data_transform(l.dxpl, "x*1"), ""),
  };
  return table;
}

}  // namespace lists

#endif
