// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room props: table of built-in property names.

#include "props/property_names.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace pcio {

namespace {

using Coding = ValueCoding;
using u8 = std::uint8_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i32 = std::int32_t;

template <class Member>
struct member_of;
template <class P, class V>
struct member_of<V P::*> {
  using props = P;
  using value = V;
};
template <auto kMember>
using PropsOf = typename member_of<decltype(kMember)>::props;

template <auto kFirst, auto... kMembers>
void copy_members(const PropertyList& from, PropertyList& to) {
  using P = PropsOf<kFirst>;
  const P& source = *from.as<P>();
  P& target = *to.as<P>();
  target.*kFirst = source.*kFirst;
  ((target.*kMembers = source.*kMembers), ...);
}

/// A property that is one member, shown to C as a CType.
template <auto kMember, class CType>
constexpr NamedProperty scalar(std::string_view name, Coding coding = Coding::kNone) {
  using P = PropsOf<kMember>;
  using V = typename member_of<decltype(kMember)>::value;
  return {kClassOf<P>,
          name,
          sizeof(CType),
          [](const PropertyList& list, void* value) {
            CType c = static_cast<CType>(list.as<P>()->*kMember);
            std::memcpy(value, &c, sizeof c);
          },
          [](PropertyList& list, const void* value) {
            CType c{};
            std::memcpy(&c, value, sizeof c);
            list.as<P>()->*kMember = static_cast<V>(c);
          },
          copy_members<kMember>,
          coding};
}

/// Members that stand one behind the other in C: arrays, or a function with its data.
template <auto... kMembers>
constexpr NamedProperty joined(std::string_view name, Coding coding = Coding::kNone) {
  using P = std::common_type_t<PropsOf<kMembers>...>;
  constexpr std::size_t kSize = (sizeof(typename member_of<decltype(kMembers)>::value) + ...);
  return {kClassOf<P>,
          name,
          kSize,
          [](const PropertyList& list, void* value) {
            auto* at = static_cast<std::byte*>(value);
            ((std::memcpy(at, &(list.as<P>()->*kMembers), sizeof(list.as<P>()->*kMembers)),
              at += sizeof(list.as<P>()->*kMembers)),
             ...);
          },
          [](PropertyList& list, const void* value) {
            const auto* at = static_cast<const std::byte*>(value);
            ((std::memcpy(&(list.as<P>()->*kMembers), at, sizeof(list.as<P>()->*kMembers)),
              at += sizeof(list.as<P>()->*kMembers)),
             ...);
          },
          copy_members<kMembers...>,
          coding};
}

/// One half of a callback: its function or its data.
template <auto kCallback, auto kHalf>
constexpr NamedProperty half(std::string_view name) {
  using P = PropsOf<kCallback>;
  return {kClassOf<P>,
          name,
          sizeof(void*),
          [](const PropertyList& list, void* value) {
            std::memcpy(value, &(list.as<P>()->*kCallback.*kHalf), sizeof(void*));
          },
          [](PropertyList& list, const void* value) {
            std::memcpy(&(list.as<P>()->*kCallback.*kHalf), value, sizeof(void*));
          },
          [](const PropertyList& from, PropertyList& to) {
            to.as<P>()->*kCallback.*kHalf = from.as<P>()->*kCallback.*kHalf;
          }};
}

template <auto kMember>
constexpr NamedProperty text(std::string_view name) {
  using P = PropsOf<kMember>;
  return {kClassOf<P>,
          name,
          sizeof(char*),
          [](const PropertyList& list, void* value) {
            const std::string& content = list.as<P>()->*kMember;
            char* copy = content.empty() ? nullptr : strdup(content.c_str());
            std::memcpy(value, &copy, sizeof copy);
          },
          [](PropertyList& list, const void* value) {
            const char* content = nullptr;
            std::memcpy(&content, value, sizeof content);
            list.as<P>()->*kMember = content != nullptr ? content : "";
          },
          copy_members<kMember>,
          Coding::kText,
          true};
}

/// A result of a transfer: read only.
template <auto kMember, class CType>
constexpr NamedProperty result(std::string_view name) {
  return {PropertyClassKind::kDatasetTransfer,
          name,
          sizeof(CType),
          [](const PropertyList& list, void* value) {
            CType c = static_cast<CType>(list.as<TransferProps>()->report.*kMember);
            std::memcpy(value, &c, sizeof c);
          },
          nullptr,
          [](const PropertyList& from, PropertyList& to) {
            to.as<TransferProps>()->report.*kMember = from.as<TransferProps>()->report.*kMember;
          }};
}

/// A structure of HDF5's own.
template <auto... kMembers>
constexpr NamedProperty opaque(std::string_view name, std::size_t size,
                               Coding coding = Coding::kNone, bool own_in_copies = false) {
  using P = std::common_type_t<PropsOf<kMembers>...>;
  return {kClassOf<P>, name,         size, nullptr, nullptr, copy_members<kMembers...>,
          coding,      own_in_copies};
}

using Object = ObjectCreateProps;
using Group = GroupCreateProps;

/// "object header flags": bit 2 order of attributes tracked, 3 indexed, 5 times.
constexpr NamedProperty kHeaderFlags = {
    PropertyClassKind::kObjectCreate,
    "object header flags",
    1,
    [](const PropertyList& list, void* value) {
      const auto& props = *list.as<Object>();
      *static_cast<u8*>(value) =
          static_cast<u8>((props.attr_creation_order & 3) << 2 | (props.track_times ? 0x20 : 0));
    },
    [](PropertyList& list, const void* value) {
      const u8 flags = *static_cast<const u8*>(value);
      list.as<Object>()->attr_creation_order = flags >> 2 & 3U;
      list.as<Object>()->track_times = (flags & 0x20) != 0;
    },
    copy_members<&Object::attr_creation_order, &Object::track_times>,
    Coding::kByte};

constexpr NamedProperty kObjectProperties[] = {
    opaque<&Object::filters>("pline", 72, Coding::kSpecial, true),
    scalar<&Object::attr_min_dense, u32>("min dense attr", Coding::kUnsigned),
    scalar<&Object::attr_max_compact, u32>("max compact attr", Coding::kUnsigned),
    kHeaderFlags,
    opaque<&Group::link_creation_order>("link info", 48, Coding::kSpecial),
    opaque<&Group::local_heap_size_hint, &Group::link_max_compact, &Group::link_min_dense,
           &Group::est_num_entries, &Group::est_name_length>("group info", 16, Coding::kSpecial),
    scalar<&StringCreateProps::char_encoding, i32>("character_encoding", Coding::kByte),
    scalar<&LinkCreateProps::create_intermediate, u32>("intermediate_group", Coding::kUnsigned),
    joined<&LinkAccessProps::elink_callback, &LinkAccessProps::elink_callback_data>(
        "external link callback"),
    scalar<&LinkAccessProps::nlinks, u64>("max soft links", Coding::kSize),
    scalar<&LinkAccessProps::all_collective_metadata_reads, i32>("collective_metadata_read",
                                                                 Coding::kWord),
    text<&LinkAccessProps::elink_prefix>("external link prefix"),
    scalar<&LinkAccessProps::elink_acc_flags, u32>("external link flags", Coding::kUnsigned),
    opaque<&LinkAccessProps::elink_fapl>("external link fapl", 8, Coding::kSpecial, true),
    scalar<&ObjectCopyProps::copy_options, u32>("copy object", Coding::kUnsigned),
    opaque<&ObjectCopyProps::merge_type_paths>("merge committed dtype list", 8, Coding::kSpecial,
                                               true),
    joined<&ObjectCopyProps::search_callback, &ObjectCopyProps::search_callback_data>(
        "committed dtype list search"),
    scalar<&FileMountProps::local, u8>("local"),
};

using NewFile = FileCreateProps;

/// One member of all indexes of shared messages.
template <auto kMember>
constexpr NamedProperty of_indexes(std::string_view name) {
  return {PropertyClassKind::kFileCreate,
          name,
          32,
          [](const PropertyList& list, void* value) {
            u32 numbers[8] = {};
            for (std::size_t i = 0; i < 8; ++i)
              numbers[i] = list.as<NewFile>()->shared_messages[i].*kMember;
            std::memcpy(value, numbers, sizeof numbers);
          },
          [](PropertyList& list, const void* value) {
            u32 numbers[8];
            std::memcpy(numbers, value, sizeof numbers);
            for (std::size_t i = 0; i < 8; ++i)
              list.as<NewFile>()->shared_messages[i].*kMember = numbers[i];
          },
          [](const PropertyList& from, PropertyList& to) {
            for (std::size_t i = 0; i < 8; ++i)
              to.as<NewFile>()->shared_messages[i].*kMember =
                  from.as<NewFile>()->shared_messages[i].*kMember;
          },
          Coding::kUnsigned};
}

constexpr NamedProperty kFileCreateProperties[] = {
    scalar<&NewFile::strategy, i32>("file_space_strategy", Coding::kByte),
    joined<&NewFile::symbol_internal_k, &NewFile::chunk_internal_k>("btree_rank",
                                                                    Coding::kUnsigned),
    scalar<&NewFile::userblock, u64>("block_size", Coding::kSize),
    scalar<&NewFile::symbol_leaf_k, u32>("symbol_leaf", Coding::kUnsigned),
    scalar<&NewFile::file_space_page_size, u64>("file_space_page_size", Coding::kSize),
    scalar<&NewFile::persist_free_space, u8>("free_space_persist", Coding::kByte),
    of_indexes<&SharedMessageIndex::types>("shmsg_message_types"),
    scalar<&NewFile::superblock_version, u32>("super_version"),
    scalar<&NewFile::sizeof_size, u8>("obj_byte_num", Coding::kByte),
    scalar<&NewFile::free_space_threshold, u64>("free_space_threshold", Coding::kSize),
    scalar<&NewFile::sizeof_address, u8>("addr_byte_num", Coding::kByte),
    of_indexes<&SharedMessageIndex::min_size>("shmsg_message_minsize"),
    scalar<&NewFile::shared_tree_min, u32>("shmsg_btree_min", Coding::kUnsigned),
    scalar<&NewFile::shared_list_max, u32>("shmsg_list_max", Coding::kUnsigned),
    scalar<&NewFile::shared_message_indexes, u32>("num_shmsg_indexes", Coding::kUnsigned),
};

using Opening = FileAccessProps;

constexpr NamedProperty kFileAccessProperties[] = {
    opaque<&Opening::driver>("vfd_info", 16, Coding::kNone, true),
    scalar<&Opening::want_posix_fd, u8>("want_posix_fd"),
    scalar<&Opening::alignment, u64>("align", Coding::kSize),
    scalar<&Opening::clear_status_flags, u8>("clear_status_flags"),
    scalar<&Opening::metadata_read_attempts, u32>("metadata_read_attempts", Coding::kUnsigned),
    scalar<&Opening::page_buffer_size, u64>("page_buffer_size", Coding::kSize),
    opaque<&Opening::metadata_cache_image_config>("mdc_initCacheImageCfg", 12, Coding::kSpecial),
    scalar<&Opening::chunk_cache_preemption, double>("rdcc_w0", Coding::kReal),
    scalar<&Opening::evict_on_close, u8>("evict_on_close_flag", Coding::kByte),
    scalar<&Opening::elink_file_cache_size, u32>("efc_size", Coding::kUnsigned),
    scalar<&Opening::family_to_single, u8>("family_to_single"),
    scalar<&Opening::close_degree, i32>("close_degree", Coding::kByte),
    scalar<&Opening::small_data_block_size, u64>("sdata_block_size", Coding::kSize),
    scalar<&Opening::core_write_page, u64>("core_write_tracking_page_size", Coding::kSize),
    text<&Opening::metadata_log_file>("mdc_log_location"),
    scalar<&Opening::meta_block_size, u64>("meta_block_size", Coding::kSize),
    scalar<&Opening::sieve_buffer_size, u64>("sieve_buf_size", Coding::kSize),
    scalar<&Opening::family_offset, u64>("family_offset", Coding::kSize),
    scalar<&Opening::page_buffer_min_meta, u32>("page_buffer_min_meta_perc", Coding::kUnsigned),
    scalar<&Opening::high_bound, i32>("libver_high_bound", Coding::kByte),
    scalar<&Opening::ignore_disabled_locks, u8>("ignore_disabled_file_locks", Coding::kByte),
    scalar<&Opening::use_file_locking, u8>("use_file_locking", Coding::kByte),
    scalar<&Opening::low_bound, i32>("libver_low_bound", Coding::kByte),
    joined<&Opening::flush_callback, &Opening::flush_callback_data>("object_flush_cb"),
    scalar<&Opening::multi_type, i32>("multi_type", Coding::kByte),
    scalar<&Opening::all_collective_metadata_reads, i32>("collective_metadata_read", Coding::kWord),
    scalar<&Opening::skip_eof_check, u8>("skip_eof_check"),
    scalar<&Opening::family_new_size, u64>("family_newsize"),
    scalar<&Opening::page_buffer_min_raw, u32>("page_buffer_min_raw_perc", Coding::kUnsigned),
    scalar<&Opening::collective_metadata_writes, u8>("collective_metadata_write", Coding::kByte),
    scalar<&Opening::null_free_space_address, u8>("null_fsm_addr"),
    opaque<&Opening::metadata_cache_config>("mdc_initCacheCfg", 1216, Coding::kSpecial),
    scalar<&Opening::core_write_tracking, u8>("core_write_tracking_flag", Coding::kByte),
    scalar<&Opening::chunk_cache_bytes, u64>("rdcc_nbytes", Coding::kSize),
    scalar<&Opening::chunk_cache_slots, u64>("rdcc_nslots", Coding::kSize),
    scalar<&Opening::metadata_log, u8>("use_mdc_logging", Coding::kByte),
    opaque<&Opening::file_image, &Opening::image_callbacks>("file_image_info", 72, Coding::kNone,
                                                            true),
    scalar<&Opening::alignment_threshold, u64>("threshold", Coding::kSize),
    scalar<&Opening::gc_references, u32>("gc_ref", Coding::kUnsigned),
    scalar<&Opening::metadata_log_at_open, u8>("start_mdc_log_on_access", Coding::kByte),
};

using Dataset = DatasetCreateProps;
using Reach = DatasetAccessProps;

/// 1 as long as the time is that which goes with the layout.
constexpr NamedProperty kAllocTimeState = {
    PropertyClassKind::kDatasetCreate,
    "alloc_time_state",
    4,
    [](const PropertyList& list, void* value) {
      const u32 state = list.as<Dataset>()->alloc_time == AllocTime::kDefault ? 1 : 0;
      std::memcpy(value, &state, sizeof state);
    },
    [](PropertyList& list, const void* value) {
      u32 state = 0;
      std::memcpy(&state, value, sizeof state);
      auto& props = *list.as<Dataset>();
      props.alloc_time = state == 1 ? AllocTime::kDefault : props.effective_alloc_time();
    },
    copy_members<&Dataset::alloc_time>,
    Coding::kUnsigned};

constexpr NamedProperty kDatasetProperties[] = {
    opaque<&Dataset::layout, &Dataset::chunk_dims, &Dataset::chunk_opts,
           &Dataset::virtual_mappings>("layout", 2256, Coding::kSpecial, true),
    opaque<&Dataset::external_files>("efl", 32, Coding::kSpecial, true),
    scalar<&Dataset::no_attributes_hint, u8>("dset_oh_minimize", Coding::kByte),
    kAllocTimeState,
    opaque<&Dataset::fill, &Dataset::fill_time>("fill_value", 88, Coding::kSpecial, true),
    scalar<&Reach::chunk_cache_preemption, double>("rdcc_w0", Coding::kReal),
    text<&Reach::virtual_prefix>("vds_prefix"),
    text<&Reach::external_prefix>("external file prefix"),
    opaque<&Reach::append_boundary, &Reach::append_callback, &Reach::append_callback_data>(
        "append_flush", 280),
    scalar<&Reach::virtual_view, i32>("vds_view", Coding::kByte),
    scalar<&Reach::virtual_printf_gap, u64>("vds_printf_gap", Coding::kSize),
    scalar<&Reach::chunk_cache_bytes, u64>("rdcc_nbytes", Coding::kSizeOrRest),
    scalar<&Reach::chunk_cache_slots, u64>("rdcc_nslots", Coding::kSizeOrRest),
};

using Transfer = TransferProps;

/// H5T_BKG_NO is 0, H5T_BKG_YES 2.
constexpr NamedProperty kBackground = {PropertyClassKind::kDatasetTransfer,
                                       "bkgr_buf_type",
                                       4,
                                       [](const PropertyList& list, void* value) {
                                         const i32 background =
                                             list.as<Transfer>()->preserve ? 2 : 0;
                                         std::memcpy(value, &background, sizeof background);
                                       },
                                       [](PropertyList& list, const void* value) {
                                         i32 background = 0;
                                         std::memcpy(&background, value, sizeof background);
                                         list.as<Transfer>()->preserve = background != 0;
                                       },
                                       copy_members<&Transfer::preserve>,
                                       Coding::kByte};

constexpr NamedProperty kTransferProperties[] = {
    result<&TransferReport::global_causes, u32>("global_no_collective_cause"),
    joined<&Transfer::background_buffer>("bkgr_buf"),
    scalar<&Transfer::chunk_opt_ratio, u32>("mpio_chunk_opt_ratio", Coding::kUnsigned),
    joined<&Transfer::btree_left, &Transfer::btree_middle, &Transfer::btree_right>(
        "btree_split_ratio", Coding::kReal),
    result<&TransferReport::io_mode, i32>("actual_io_mode"),
    scalar<&Transfer::buffer_size, u64>("max_temp_buf", Coding::kSize),
    result<&TransferReport::local_causes, u32>("local_no_collective_cause"),
    result<&TransferReport::chunk_opt, i32>("actual_chunk_opt_mode"),
    half<&Transfer::vlen_allocate, &Callback::data>("vlen_alloc_info"),
    scalar<&Transfer::checksum, i32>("err_detect", Coding::kByte),
    half<&Transfer::vlen_allocate, &Callback::function>("vlen_alloc"),
    scalar<&Transfer::collective_opt, i32>("mpio_collective_opt", Coding::kByte),
    joined<&Transfer::conversion_buffer>("tconv_buf"),
    kBackground,
    opaque<&Transfer::data_transform, &Transfer::transform>("data_transform", 8, Coding::kSpecial,
                                                            true),
    scalar<&Transfer::hyper_vector_size, u64>("vec_size", Coding::kSize),
    half<&Transfer::vlen_free, &Callback::function>("vlen_free"),
    scalar<&Transfer::chunk_opt, i32>("mpio_chunk_opt_hard", Coding::kByte),
    joined<&Transfer::conversion_exception>("type_conv_cb"),
    joined<&Transfer::filter_failure>("filter_cb"),
    scalar<&Transfer::chunk_opt_num, u32>("mpio_chunk_opt_num", Coding::kUnsigned),
    half<&Transfer::vlen_free, &Callback::data>("vlen_free_info"),
    scalar<&Transfer::mode, i32>("io_xfer_mode", Coding::kByte),
};

std::vector<NamedProperty> sorted_properties() {
  std::vector<NamedProperty> rows;
  const auto append = [&](const auto& table) {
    rows.insert(rows.end(), std::begin(table), std::end(table));
  };
  append(kObjectProperties);
  append(kFileCreateProperties);
  append(kFileAccessProperties);
  append(kDatasetProperties);
  append(kTransferProperties);
  std::sort(rows.begin(), rows.end(), [](const NamedProperty& a, const NamedProperty& b) {
    return a.owner != b.owner ? a.owner < b.owner : PropertyOrder()(a.name, b.name);
  });
  for (unsigned i = 0; i < rows.size(); ++i) rows[i].index = i;
  return rows;
}

}  // namespace

std::uint32_t property_hash(std::string_view name) {
  std::uint32_t hash = 5381;
  for (char c : name) hash = hash * 33 + static_cast<unsigned char>(c);
  return hash;
}

std::span<const NamedProperty> named_properties() {
  // Never destroyed: calls may come from static destructors.
  static const auto* rows = new std::vector<NamedProperty>(sorted_properties());
  return *rows;
}

std::span<const NamedProperty> own_properties(PropertyClassKind kind) {
  const auto rows = named_properties();
  const auto first =
      std::find_if(rows.begin(), rows.end(), [&](auto& r) { return r.owner == kind; });
  const auto last = std::find_if(first, rows.end(), [&](auto& r) { return r.owner != kind; });
  return rows.subspan(static_cast<std::size_t>(first - rows.begin()),
                      static_cast<std::size_t>(last - first));
}

const NamedProperty* find_property(PropertyClassKind kind, std::string_view name) {
  for (const NamedProperty& row : named_properties())
    if (row.name == name && is_property_class(kind, row.owner)) return &row;
  return nullptr;
}

std::size_t count_properties(PropertyClassKind kind) {
  std::size_t count = 0;
  for (const NamedProperty& row : named_properties())
    if (is_property_class(kind, row.owner)) ++count;
  return count;
}

PropertySet held_from_start(PropertyClassKind kind) {
  PropertySet held;
  if (kind == PropertyClassKind::kFileAccess) held.set(find_property(kind, "vfd_info")->index);
  return held;
}

}  // namespace pcio
