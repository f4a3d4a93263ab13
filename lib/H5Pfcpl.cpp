// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: module H5P: file creation lists. Limits are those of the file format's fields.

#include <bit>

#include "lib/enum_argument.hpp"
#include "lib/property_access.hpp"

using namespace pcio;

herr_t H5Pset_userblock(hid_t plist_id, hsize_t size) {
  return set_props<FileCreateProps>("H5Pset_userblock", plist_id, [&](auto& props) -> Status {
    // Readers look for the superblock at 0, 512, 1024, 2048 ... Source: File Format Spec. II.
    if (size != 0 && (size < 512 || !std::has_single_bit(size)))
      return PCIO_ERROR(ARGS, BADVALUE, "argument size: neither 0 nor a power of two from 512");
    props.userblock = size;
    return Status();
  });
}

herr_t H5Pget_userblock(hid_t plist_id, hsize_t* size) {
  return get_props<FileCreateProps>("H5Pget_userblock", plist_id,
                                    [&](auto& props) { store(size, props.userblock); });
}

namespace {

Status check_width(size_t bytes, const char* argument) {
  // 0: leave as it is.
  if (bytes == 0 || bytes == 2 || bytes == 4 || bytes == 8 || bytes == 16) return Status();
  return PCIO_ERROR(ARGS, BADVALUE, std::string("argument ") + argument + ": not 2, 4, 8 or 16");
}

}  // namespace

herr_t H5Pset_sizes(hid_t plist_id, size_t sizeof_addr, size_t sizeof_size) {
  return set_props<FileCreateProps>("H5Pset_sizes", plist_id, [&](auto& props) -> Status {
    PCIO_TRY(check_width(sizeof_addr, "sizeof_addr"));
    PCIO_TRY(check_width(sizeof_size, "sizeof_size"));
    if (sizeof_addr != 0) props.sizeof_address = static_cast<unsigned>(sizeof_addr);
    if (sizeof_size != 0) props.sizeof_size = static_cast<unsigned>(sizeof_size);
    return Status();
  });
}

herr_t H5Pget_sizes(hid_t plist_id, size_t* sizeof_addr, size_t* sizeof_size) {
  return get_props<FileCreateProps>("H5Pget_sizes", plist_id, [&](auto& props) {
    store(sizeof_addr, props.sizeof_address);
    store(sizeof_size, props.sizeof_size);
  });
}

herr_t H5Pset_sym_k(hid_t plist_id, unsigned ik, unsigned lk) {
  return set_props<FileCreateProps>("H5Pset_sym_k", plist_id, [&](auto& props) -> Status {
    // A node has 2k children, counted in 16 bits; 0 leaves a value as it is.
    if (ik >= 32768) return PCIO_ERROR(ARGS, BADRANGE, "argument ik: a node can't hold so many");
    if (ik != 0) props.symbol_internal_k = ik;
    if (lk != 0) props.symbol_leaf_k = lk;
    return Status();
  });
}

herr_t H5Pget_sym_k(hid_t plist_id, unsigned* ik, unsigned* lk) {
  return get_props<FileCreateProps>("H5Pget_sym_k", plist_id, [&](auto& props) {
    store(ik, props.symbol_internal_k);
    store(lk, props.symbol_leaf_k);
  });
}

herr_t H5Pset_istore_k(hid_t plist_id, unsigned ik) {
  return set_props<FileCreateProps>("H5Pset_istore_k", plist_id, [&](auto& props) -> Status {
    if (ik == 0) return PCIO_ERROR(ARGS, BADVALUE, "argument ik is zero");
    if (ik >= 32768) return PCIO_ERROR(ARGS, BADRANGE, "argument ik: a node can't hold so many");
    props.chunk_internal_k = ik;
    return Status();
  });
}

herr_t H5Pget_istore_k(hid_t plist_id, unsigned* ik) {
  return get_props<FileCreateProps>("H5Pget_istore_k", plist_id,
                                    [&](auto& props) { store(ik, props.chunk_internal_k); });
}

// The superblock's is known to the list of a file; the others are 0 in all versions of it. Source: as
// in HDF5 1.10.
herr_t H5Pget_version(hid_t plist_id, unsigned* boot, unsigned* freelist, unsigned* stab,
                      unsigned* shhdr) {
  return get_props<FileCreateProps>("H5Pget_version", plist_id, [&](auto& props) {
    store(boot, props.superblock_version);
    for (unsigned* version : {freelist, stab, shhdr}) store(version, 0);
  });
}

// ---- shared messages ---------------------------------------------------------------------------

herr_t H5Pset_shared_mesg_nindexes(hid_t plist_id, unsigned nindexes) {
  return set_props<FileCreateProps>(
      "H5Pset_shared_mesg_nindexes", plist_id, [&](auto& props) -> Status {
        if (nindexes > props.shared_messages.size())
          return PCIO_ERROR(ARGS, BADRANGE, "argument nindexes is over 8");
        props.shared_message_indexes = nindexes;
        return Status();
      });
}

herr_t H5Pget_shared_mesg_nindexes(hid_t plist_id, unsigned* nindexes) {
  return get_props<FileCreateProps>("H5Pget_shared_mesg_nindexes", plist_id, [&](auto& props) {
    store(nindexes, props.shared_message_indexes);
  });
}

namespace {

Status check_index(const FileCreateProps& props, unsigned index_num) {
  if (index_num < props.shared_message_indexes) return Status();
  return PCIO_ERROR(ARGS, BADRANGE, "argument index_num: there are not so many indexes");
}

}  // namespace

herr_t H5Pset_shared_mesg_index(hid_t plist_id, unsigned index_num, unsigned mesg_type_flags,
                                unsigned min_mesg_size) {
  return set_props<FileCreateProps>(
      "H5Pset_shared_mesg_index", plist_id, [&](auto& props) -> Status {
        PCIO_TRY(check_index(props, index_num));
        props.shared_messages[index_num] = {mesg_type_flags, min_mesg_size};
        return Status();
      });
}

herr_t H5Pget_shared_mesg_index(hid_t plist_id, unsigned index_num, unsigned* mesg_type_flags,
                                unsigned* min_mesg_size) {
  return get_props<FileCreateProps>(
      "H5Pget_shared_mesg_index", plist_id, [&](auto& props) -> Status {
        PCIO_TRY(check_index(props, index_num));
        store(mesg_type_flags, props.shared_messages[index_num].types);
        store(min_mesg_size, props.shared_messages[index_num].min_size);
        return Status();
      });
}

herr_t H5Pset_shared_mesg_phase_change(hid_t plist_id, unsigned max_list, unsigned min_btree) {
  return set_props<FileCreateProps>(
      "H5Pset_shared_mesg_phase_change", plist_id, [&](auto& props) -> Status {
        // Source: HDF5 Reference Manual; the list has at most 5000 messages.
        if (max_list > 5000) return PCIO_ERROR(ARGS, BADRANGE, "argument max_list is over 5000");
        if (min_btree > max_list + 1)
          return PCIO_ERROR(ARGS, BADRANGE, "argument min_btree is over max_list + 1");
        props.shared_list_max = max_list;
        props.shared_tree_min = max_list == 0 ? 0 : min_btree;
        return Status();
      });
}

herr_t H5Pget_shared_mesg_phase_change(hid_t plist_id, unsigned* max_list, unsigned* min_btree) {
  return get_props<FileCreateProps>("H5Pget_shared_mesg_phase_change", plist_id, [&](auto& props) {
    store(max_list, props.shared_list_max);
    store(min_btree, props.shared_tree_min);
  });
}

// ---- file space --------------------------------------------------------------------------------

herr_t H5Pset_file_space_strategy(hid_t plist_id, H5F_fspace_strategy_t strategy, hbool_t persist,
                                  hsize_t threshold) {
  return set_props<FileCreateProps>(
      "H5Pset_file_space_strategy", plist_id, [&](auto& props) -> Status {
        if (!is_between(strategy, H5F_FSPACE_STRATEGY_FSM_AGGR, H5F_FSPACE_STRATEGY_NONE))
          return PCIO_ERROR(ARGS, BADVALUE, "argument strategy: no such strategy");
        props.strategy = static_cast<FileSpaceStrategy>(strategy);
        // The rest means something only where free space is tracked.
        if (strategy <= H5F_FSPACE_STRATEGY_PAGE) {
          props.persist_free_space = persist;
          props.free_space_threshold = threshold;
        }
        return Status();
      });
}

herr_t H5Pget_file_space_strategy(hid_t plist_id, H5F_fspace_strategy_t* strategy, hbool_t* persist,
                                  hsize_t* threshold) {
  return get_props<FileCreateProps>("H5Pget_file_space_strategy", plist_id, [&](auto& props) {
    store(strategy, props.strategy);
    store(persist, props.persist_free_space);
    store(threshold, props.free_space_threshold);
  });
}

herr_t H5Pset_file_space_page_size(hid_t plist_id, hsize_t fsp_size) {
  return set_props<FileCreateProps>(
      "H5Pset_file_space_page_size", plist_id, [&](auto& props) -> Status {
        if (fsp_size < 512 || fsp_size > 1073741824)
          return PCIO_ERROR(ARGS, BADRANGE, "argument fsp_size is not in 512 B .. 1 GiB");
        props.file_space_page_size = fsp_size;
        return Status();
      });
}

herr_t H5Pget_file_space_page_size(hid_t plist_id, hsize_t* fsp_size) {
  return get_props<FileCreateProps>("H5Pget_file_space_page_size", plist_id, [&](auto& props) {
    store(fsp_size, props.file_space_page_size);
  });
}
