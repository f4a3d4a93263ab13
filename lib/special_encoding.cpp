// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: encoded properties with a form of their own.

#include <algorithm>
#include <cstring>

#include "format/datatype_message.hpp"
#include "lib/cache_config.hpp"
#include "lib/list_encoding.hpp"
#include "lib/space_encoding.hpp"

namespace pcio {

namespace {

constexpr std::size_t kFilterNameBytes = 12;

/// True where that many bytes may follow.
bool may_have(const ByteReader& reader, std::uint64_t size) {
  return reader.ok() && size <= std::min<std::uint64_t>(kLongestValue, reader.remaining());
}

detail::StatusReturn damaged(const char* what) {
  return PCIO_ERROR(PLIST, CANTDECODE, std::string("an encoded ") + what + " is damaged");
}

void put_int(std::int64_t value, ByteWriter& out) { out.u32(static_cast<std::uint32_t>(value)); }
int get_int(ByteReader& reader) { return static_cast<std::int32_t>(reader.u32()); }

// ---- filters -----------------------------------------------------------------------------------

void encode_filter(const FilterSpec& filter, ByteWriter& out) {
  put_int(filter.id, out);
  out.u32(filter.flags);
  out.u8(filter.name.empty() ? 0 : 1);
  if (!filter.name.empty()) {
    // The last of the bytes is a NUL.
    const std::string name = filter.name.substr(0, kFilterNameBytes - 1);
    out.text(name);
    out.zeros(kFilterNameBytes - name.size());
  }
  put_size(filter.values.size(), out);
  for (unsigned value : filter.values) out.u32(value);
}

Status encode_pipeline(const PropertyList& list, ByteWriter& out) {
  const FilterPipeline& filters = list.as<ObjectCreateProps>()->filters;
  out.u8(4);
  put_size(filters.size(), out);
  for (const FilterSpec& filter : filters) encode_filter(filter, out);
  return Status();
}

Result<FilterSpec> decode_filter(ByteReader& reader) {
  FilterSpec filter;
  filter.id = get_int(reader);
  filter.flags = reader.u32();
  if (reader.u8() != 0) {
    const ConstBytes name = reader.bytes(kFilterNameBytes);
    const auto* text = reinterpret_cast<const char*>(name.data());
    filter.name.assign(text, strnlen(text, name.size()));
  }
  const std::uint64_t count = get_size(reader);
  if (!reader.ok() || count > 65535 || count > reader.remaining() / 4 || filter.id < 0 ||
      filter.id > 65535)
    return damaged("filter");
  filter.values.resize(count);
  for (unsigned& value : filter.values) value = reader.u32();
  return filter;
}

Status decode_pipeline(PropertyList& list, ByteReader& reader) {
  if (reader.u8() != 4) return damaged("filter pipeline");
  const std::uint64_t count = get_size(reader);
  if (!reader.ok() || count > 32) return damaged("filter pipeline");
  FilterPipeline filters;
  for (std::uint64_t i = 0; i < count; ++i) {
    PCIO_ASSIGN(FilterSpec filter, decode_filter(reader));
    filters.push_back(std::move(filter));
  }
  list.as<ObjectCreateProps>()->filters = std::move(filters);
  return Status();
}

// ---- groups ------------------------------------------------------------------------------------

Status encode_link_info(const PropertyList& list, ByteWriter& out) {
  out.u8(4);
  out.u32(list.as<GroupCreateProps>()->link_creation_order);
  return Status();
}

Status decode_link_info(PropertyList& list, ByteReader& reader) {
  if (reader.u8() != 4) return damaged("order of links");
  list.as<GroupCreateProps>()->link_creation_order = reader.u32();
  return Status();
}

Status encode_group_info(const PropertyList& list, ByteWriter& out) {
  const auto& props = *list.as<GroupCreateProps>();
  out.u32(props.local_heap_size_hint);
  out.u16(props.link_max_compact);
  out.u16(props.link_min_dense);
  out.u16(props.est_num_entries);
  out.u16(props.est_name_length);
  return Status();
}

Status decode_group_info(PropertyList& list, ByteReader& reader) {
  auto& props = *list.as<GroupCreateProps>();
  props.local_heap_size_hint = reader.u32();
  props.link_max_compact = reader.u16();
  props.link_min_dense = reader.u16();
  props.est_num_entries = reader.u16();
  props.est_name_length = reader.u16();
  return Status();
}

// ---- datasets ----------------------------------------------------------------------------------

Status encode_mappings(const std::vector<VirtualMapping>& mappings, ByteWriter& out) {
  out.u64(mappings.size());
  for (const VirtualMapping& mapping : mappings) {
    out.text(mapping.file);
    out.u8(0);
    out.text(mapping.dataset);
    out.u8(0);
    PCIO_TRY(encode_space(mapping.source, out));
    PCIO_TRY(encode_space(mapping.target, out));
  }
  return Status();
}

Result<std::vector<VirtualMapping>> decode_mappings(ByteReader& reader) {
  std::vector<VirtualMapping> mappings;
  const std::uint64_t count = reader.u64();
  for (std::uint64_t i = 0; i < count && reader.ok(); ++i) {
    VirtualMapping mapping;
    mapping.file = reader.c_string();
    mapping.dataset = reader.c_string();
    PCIO_TRY(reader.check("encoded mapping of a virtual dataset"));
    PCIO_ASSIGN(mapping.source, decode_space(reader));
    PCIO_ASSIGN(mapping.target, decode_space(reader));
    if (!is_possible(mapping)) return damaged("mapping of a virtual dataset");
    mappings.push_back(std::move(mapping));
  }
  if (!reader.ok()) return damaged("mapping of a virtual dataset");
  return mappings;
}

Status encode_layout(const PropertyList& list, ByteWriter& out) {
  const auto& props = *list.as<DatasetCreateProps>();
  out.u8(static_cast<std::uint8_t>(props.layout));
  if (props.layout == Layout::kVirtual) return encode_mappings(props.virtual_mappings, out);
  if (props.layout != Layout::kChunked) return Status();
  out.u8(props.chunk_dims.size());
  for (std::uint64_t n : props.chunk_dims) out.u32(n);
  return Status();
}

Status decode_layout(PropertyList& list, ByteReader& reader) {
  auto& props = *list.as<DatasetCreateProps>();
  const unsigned layout = reader.u8();
  if (layout > static_cast<unsigned>(Layout::kVirtual)) return damaged("layout");
  props.layout = static_cast<Layout>(layout);
  props.chunk_dims.clear();
  props.virtual_mappings.clear();
  if (props.layout == Layout::kVirtual) {
    PCIO_ASSIGN(props.virtual_mappings, decode_mappings(reader));
  }
  if (props.layout != Layout::kChunked) return Status();
  const unsigned ndims = reader.u8();
  if (!reader.ok() || ndims > kMaxNdims) return damaged("layout");
  for (unsigned d = 0; d < ndims; ++d) props.chunk_dims.push_back(reader.u32());
  return Status();
}

Status encode_external(const PropertyList& list, ByteWriter& out) {
  const auto& files = list.as<DatasetCreateProps>()->external_files;
  put_size(files.size(), out);
  for (const ExternalFile& file : files) {
    put_size(file.name.size() + 1, out);
    out.text(file.name);
    out.u8(0);
    put_size(static_cast<std::uint64_t>(file.offset), out);
    put_size(file.size, out);
  }
  return Status();
}

/// Text of a length that stands before it, with the NUL in it.
Result<std::string> get_text(ByteReader& reader, const char* what) {
  const std::uint64_t length = get_size(reader);
  if (!may_have(reader, length)) return damaged(what);
  const ConstBytes bytes = reader.bytes(length);
  const auto* text = reinterpret_cast<const char*>(bytes.data());
  return std::string(text, strnlen(text, bytes.size()));
}

Status decode_external(PropertyList& list, ByteReader& reader) {
  const std::uint64_t count = get_size(reader);
  std::vector<ExternalFile> files;
  for (std::uint64_t i = 0; i < count && reader.ok(); ++i) {
    ExternalFile file;
    PCIO_ASSIGN(file.name, get_text(reader, "list of external files"));
    file.offset = static_cast<std::int64_t>(get_size(reader));
    file.size = get_size(reader);
    if (file.name.empty() || file.offset < 0) return damaged("list of external files");
    files.push_back(std::move(file));
  }
  list.as<DatasetCreateProps>()->external_files = std::move(files);
  return Status();
}

constexpr std::uint8_t kTypeMarker = 3;  // as the type of a datatype message

/// Sequences are elsewhere than in the bytes.
bool is_encodable(const Datatype& type) { return type.is_fixed(); }

Status encode_fill(const PropertyList& list, ByteWriter& out) {
  const auto& props = *list.as<DatasetCreateProps>();
  const FillValue& fill = props.fill;
  out.u8(static_cast<std::uint8_t>(props.effective_alloc_time()));
  out.u8(static_cast<std::uint8_t>(props.fill_time));
  if (fill.state != FillState::kUserDefined) {
    out.u64(fill.state == FillState::kUndefined ? ~std::uint64_t{0} : 0);
    return Status();
  }
  if (!is_encodable(*fill.type))
    return PCIO_ERROR(PLIST, CANTENCODE, "a fill value of variable length can't be encoded");
  out.u64(fill.bytes.size());
  if (fill.bytes.empty()) return Status();
  out.bytes(fill.bytes);
  ByteWriter type;
  type.u8(kTypeMarker);
  type.u8(0);
  PCIO_TRY(encode_datatype(*fill.type, type));
  put_size(type.size(), out);
  out.bytes(type.view());
  return Status();
}

Result<Datatype> get_type(ByteReader& reader) {
  const std::uint64_t size = get_size(reader);
  if (!may_have(reader, size)) return damaged("fill value's type");
  ByteReader type(reader.bytes(size));
  if (type.u8() != kTypeMarker || type.u8() != 0) return damaged("fill value's type");
  return decode_datatype(type);
}

Status decode_fill(PropertyList& list, ByteReader& reader) {
  auto& props = *list.as<DatasetCreateProps>();
  const auto alloc = static_cast<AllocTime>(reader.u8());
  props.fill_time = static_cast<FillTime>(reader.u8());
  const std::uint64_t size = reader.u64();
  // The property "alloc_time_state" says whether this is the layout's own time or was asked for.
  props.alloc_time = alloc;
  props.virtual_alloc_time = alloc;
  props.fill = FillValue();
  if (size == ~std::uint64_t{0}) props.fill.state = FillState::kUndefined;
  if (size == 0 || size == ~std::uint64_t{0}) return Status();
  if (!may_have(reader, size)) return damaged("fill value");
  const ConstBytes bytes = reader.bytes(size);
  PCIO_ASSIGN(Datatype type, get_type(reader));
  if (type.size() != bytes.size()) return damaged("fill value");
  if (!is_encodable(type)) return damaged("fill value");
  props.fill.state = FillState::kUserDefined;
  props.fill.type = std::move(type);
  props.fill.bytes.assign(bytes.begin(), bytes.end());
  return Status();
}

// ---- links, copies, transfers ------------------------------------------------------------------

Status encode_link_file(const PropertyList& list, ByteWriter& out) {
  const auto& fapl = list.as<LinkAccessProps>()->elink_fapl;
  out.u8(fapl ? 1 : 0);
  if (!fapl) return Status();
  PropertyList values(PropertyClassKind::kFileAccess);
  *values.as<FileAccessProps>() = *fapl;
  PropertyListObject copy(values);
  copy.held |= fapl.held;
  ByteWriter inner;
  PCIO_TRY(encode_list(copy, inner));
  put_size(inner.size(), out);
  out.bytes(inner.view());
  return Status();
}

Status decode_link_file(PropertyList& list, ByteReader& reader) {
  auto& props = *list.as<LinkAccessProps>();
  props.elink_fapl.reset();
  if (reader.u8() == 0) return Status();
  const std::uint64_t size = get_size(reader);
  if (!may_have(reader, size)) return damaged("list for external links");
  ByteReader inner(reader.bytes(size));
  PCIO_ASSIGN(auto decoded, decode_list(inner));
  const auto* values = decoded->list.as<FileAccessProps>();
  if (values == nullptr) return damaged("list for external links");
  props.elink_fapl = std::make_shared<const FileAccessProps>(*values);
  props.elink_fapl.held = decoded->held;
  return Status();
}

Status encode_merge_paths(const PropertyList& list, ByteWriter& out) {
  for (const std::string& path : list.as<ObjectCopyProps>()->merge_type_paths) {
    out.text(path);
    out.u8(0);
  }
  out.u8(0);
  return Status();
}

Status decode_merge_paths(PropertyList& list, ByteReader& reader) {
  std::vector<std::string> paths;
  for (std::string_view path = reader.c_string(); !path.empty(); path = reader.c_string())
    paths.emplace_back(path);
  list.as<ObjectCopyProps>()->merge_type_paths = std::move(paths);
  return Status();
}

Status encode_transform(const PropertyList& list, ByteWriter& out) {
  const std::string& text = list.as<TransferProps>()->data_transform;
  put_size(text.empty() ? 0 : text.size() + 1, out);
  if (text.empty()) return Status();
  out.text(text);
  out.u8(0);
  return Status();
}

Status decode_transform(PropertyList& list, ByteReader& reader) {
  auto& props = *list.as<TransferProps>();
  PCIO_ASSIGN(std::string text, get_text(reader, "data transform"));
  props.transform.reset();
  if (!text.empty()) {
    PCIO_ASSIGN(DataTransform parsed, DataTransform::parse(text));
    props.transform = std::make_shared<const DataTransform>(std::move(parsed));
  }
  props.data_transform = std::move(text);
  return Status();
}

// ---- metadata cache ----------------------------------------------------------------------------

/// Visits the members of a configuration in the order of the encoding.
template <class Config, class Visit>
void for_each_member(Config& c, Visit visit) {
  visit.integer(c.version);
  visit.flag(c.rpt_fcn_enabled);
  visit.flag(c.open_trace_file);
  visit.flag(c.close_trace_file);
  visit.text(c.trace_file_name);
  visit.flag(c.evictions_enabled);
  visit.flag(c.set_initial_size);
  visit.size(c.initial_size);
  visit.real(c.min_clean_fraction);
  visit.size(c.max_size);
  visit.size(c.min_size);
  visit.length(c.epoch_length);
  visit.byte(c.incr_mode);
  visit.real(c.lower_hr_threshold);
  visit.real(c.increment);
  visit.flag(c.apply_max_increment);
  visit.size(c.max_increment);
  visit.byte(c.flash_incr_mode);
  visit.real(c.flash_multiple);
  visit.real(c.flash_threshold);
  visit.byte(c.decr_mode);
  visit.real(c.upper_hr_threshold);
  visit.real(c.decrement);
  visit.flag(c.apply_max_decrement);
  visit.size(c.max_decrement);
  visit.integer(c.epochs_before_eviction);
  visit.flag(c.apply_empty_reserve);
  visit.real(c.empty_reserve);
  visit.word(c.dirty_bytes_threshold);
  visit.integer(c.metadata_write_strategy);
}

struct MemberEncoder {
  ByteWriter& out;
  void integer(int value) { put_int(value, out); }
  void flag(hbool_t value) { out.u32(value ? 1 : 0); }
  void text(const char (&value)[H5AC__MAX_TRACE_FILE_NAME_LEN + 1]) {
    out.bytes(std::as_bytes(std::span(value)));
  }
  void size(std::size_t value) { put_size(value, out); }
  void word(std::size_t value) { out.u32(value); }
  void length(long value) { out.u64(static_cast<std::uint64_t>(value)); }
  template <class Enum>
  void byte(Enum value) {
    out.u8(static_cast<std::uint8_t>(value));
  }
  void real(double value) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    out.u64(bits);
  }
};

struct MemberDecoder {
  ByteReader& reader;
  void integer(int& value) { value = get_int(reader); }
  void flag(hbool_t& value) { value = reader.u32() != 0; }
  void text(char (&value)[H5AC__MAX_TRACE_FILE_NAME_LEN + 1]) {
    const ConstBytes bytes = reader.bytes(sizeof value);
    if (!bytes.empty()) std::memcpy(value, bytes.data(), sizeof value - 1);
  }
  void size(std::size_t& value) { value = get_size(reader); }
  void word(std::size_t& value) { value = reader.u32(); }
  void length(long& value) { value = static_cast<long>(reader.u64()); }
  template <class Enum>
  void byte(Enum& value) {
    value = static_cast<Enum>(reader.u8() & 3);
  }
  void real(double& value) {
    const std::uint64_t bits = reader.u64();
    std::memcpy(&value, &bits, sizeof value);
  }
};

Status encode_cache(const PropertyList& list, ByteWriter& out) {
  H5AC_cache_config_t config{};
  config.version = H5AC__CURR_CACHE_CONFIG_VERSION;
  PCIO_TRY(get_cache_config(*list.as<FileAccessProps>(), &config));
  out.u8(4);
  out.u8(8);
  for_each_member(config, MemberEncoder{out});
  return Status();
}

Status decode_cache(PropertyList& list, ByteReader& reader) {
  if (reader.u8() != 4 || reader.u8() != 8) return damaged("cache configuration");
  H5AC_cache_config_t config{};
  for_each_member(config, MemberDecoder{reader});
  if (!reader.ok()) return damaged("cache configuration");
  // The default stays one that was never set.
  auto& props = *list.as<FileAccessProps>();
  props.metadata_cache_config.clear();
  ByteWriter plain;
  PCIO_TRY(encode_cache(list, plain));
  PCIO_TRY(set_cache_config(props, &config));
  ByteWriter set;
  PCIO_TRY(encode_cache(list, set));
  if (std::ranges::equal(set.view(), plain.view())) props.metadata_cache_config.clear();
  return Status();
}

Status encode_image(const PropertyList& list, ByteWriter& out) {
  const H5AC_cache_image_config_t config = get_image_config(*list.as<FileAccessProps>());
  out.u8(4);
  put_int(config.version, out);
  out.u32(config.generate_image ? 1 : 0);
  out.u32(config.save_resize_status ? 1 : 0);
  put_int(config.entry_ageout, out);
  return Status();
}

Status decode_image(PropertyList& list, ByteReader& reader) {
  if (reader.u8() != 4) return damaged("cache image configuration");
  H5AC_cache_image_config_t config{};
  config.version = get_int(reader);
  config.generate_image = reader.u32() != 0;
  config.save_resize_status = reader.u32() != 0;
  config.entry_ageout = get_int(reader);
  if (!reader.ok()) return damaged("cache image configuration");
  return set_image_config(*list.as<FileAccessProps>(), &config);
}

struct SpecialCoding {
  std::string_view name;
  Status (*encode)(const PropertyList& list, ByteWriter& out);
  Status (*decode)(PropertyList& list, ByteReader& reader);
};

constexpr SpecialCoding kSpecialCodings[] = {
    {"pline", encode_pipeline, decode_pipeline},
    {"link info", encode_link_info, decode_link_info},
    {"group info", encode_group_info, decode_group_info},
    {"layout", encode_layout, decode_layout},
    {"efl", encode_external, decode_external},
    {"fill_value", encode_fill, decode_fill},
    {"external link fapl", encode_link_file, decode_link_file},
    {"merge committed dtype list", encode_merge_paths, decode_merge_paths},
    {"data_transform", encode_transform, decode_transform},
    {"mdc_initCacheCfg", encode_cache, decode_cache},
    {"mdc_initCacheImageCfg", encode_image, decode_image},
};

const SpecialCoding* special(std::string_view name) {
  for (const SpecialCoding& row : kSpecialCodings)
    if (row.name == name) return &row;
  return nullptr;
}

}  // namespace

Status encode_special(const PropertyList& list, std::string_view name, ByteWriter& out) {
  const SpecialCoding* row = special(name);
  if (row == nullptr)
    return PCIO_ERROR(PLIST, UNSUPPORTED, "property '" + std::string(name) + "' can't be encoded");
  return row->encode(list, out);
}

Status decode_special(PropertyList& list, std::string_view name, ByteReader& reader) {
  const SpecialCoding* row = special(name);
  if (row == nullptr)
    return PCIO_ERROR(PLIST, UNSUPPORTED, "property '" + std::string(name) + "' can't be decoded");
  return row->decode(list, reader);
}

}  // namespace pcio
