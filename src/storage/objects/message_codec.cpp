// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/objects: message codecs out of line.

#include "storage/objects/message_codec.hpp"

#include <algorithm>
#include <array>

#include "base/checked.hpp"
#include "filter/registry.hpp"
#include "format/dataspace_message.hpp"
#include "format/datatype_message.hpp"
#include "format/filter_pipeline_message.hpp"
#include "format/group_info_message.hpp"
#include "format/header_layout.hpp"
#include "format/link_info_message.hpp"
#include "format/shared_message.hpp"
#include "format/symbol_table_message.hpp"

namespace pcio {

namespace {

/// Room in a new header, in bytes of messages: several attributes fit without a second piece.
constexpr std::uint64_t kDatasetRoom = 256;
constexpr std::uint64_t kOtherRoom = 96;

void add_link_info(std::vector<HeaderMessage>* messages, const FileSizes& sizes,
                   const GroupCreateProps& props) {
  LinkInfoMessage info;
  info.track_order = (props.link_creation_order & kCreationOrderTracked) != 0;
  info.index_order = (props.link_creation_order & kCreationOrderIndexed) != 0;
  auto message = make_message(kMessageLinkInfo, 0, [&](ByteWriter& out) {
    return encode_link_info_message(info, sizes, out);
  });
  if (message) messages->push_back(std::move(*message));
}

void add_group_info(std::vector<HeaderMessage>* messages, const GroupCreateProps& props) {
  GroupInfoMessage info;
  if (props.link_max_compact != 8 || props.link_min_dense != 6)
    info.phase_change = {static_cast<std::uint16_t>(props.link_max_compact),
                         static_cast<std::uint16_t>(props.link_min_dense)};
  if (props.est_num_entries != 4 || props.est_name_length != 8)
    info.estimate = {static_cast<std::uint16_t>(props.est_num_entries),
                     static_cast<std::uint16_t>(props.est_name_length)};
  auto message = make_message(kMessageGroupInfo, kMessageConstant, [&](ByteWriter& out) {
    return encode_group_info_message(info, out);
  });
  if (message) messages->push_back(std::move(*message));
}

/// As libhdf5 stores them. Names of others' filters are known where these are, which may be on some ranks only.
FilterPipeline with_names(FilterPipeline filters) {
  constexpr int kForeign = 256;
  for (FilterSpec& stage : filters) {
    if (!stage.name.empty() || stage.id >= kForeign) continue;
    if (const auto known = find_filter_class(stage.id)) stage.name = (*known)->name;
  }
  return filters;
}

}  // namespace

Status check_not_shared(const HeaderMessage& message) {
  if ((message.flags & kMessageShared) == 0) return Status();
  return PCIO_ERROR(OHDR, UNSUPPORTED,
                    message_name(message.type) +
                        " message is in another object's header, where only types may be");
}

std::vector<HeaderMessage> new_style_messages(const FileSizes& sizes) {
  std::vector<HeaderMessage> messages;
  add_link_info(&messages, sizes, GroupCreateProps());
  add_group_info(&messages, GroupCreateProps());
  return messages;
}

Result<std::vector<HeaderMessage>> group_messages(const FileContext& file,
                                                  const GroupCreateProps& props, GroupStyle style) {
  std::vector<HeaderMessage> messages;
  // Tracking the order of creation, and filters of dense links, need link messages whatever the bounds say.
  if (style == GroupStyle::kByBounds && !has_new_style_groups(file.format) &&
      props.link_creation_order == 0 && props.filters.empty()) {
    auto table = make_message(kMessageSymbolTable, 0, [&](ByteWriter& out) {
      return encode_symbol_table_message({}, file.sizes(), out);
    });
    if (table) messages.push_back(std::move(*table));
    return messages;
  }
  add_link_info(&messages, file.sizes(), props);
  add_group_info(&messages, props);
  if (props.filters.empty()) return messages;
  PCIO_ASSIGN(HeaderMessage filters, encode_filters(file, with_names(props.filters)));
  messages.push_back(std::move(filters));
  return messages;
}

namespace {

Result<HeaderMessage> encode_space_as(FormatVersion version, const FileContext& file,
                                      const Extent& space) {
  return make_message(kMessageDataspace, 0, [&](ByteWriter& out) {
    return encode_dataspace_message(space, version, file.sizes(), out);
  });
}

}  // namespace

Result<HeaderMessage> encode_space(const FileContext& file, const Extent& space) {
  return encode_space_as(file.format, file, space);
}

Result<HeaderMessage> encode_space_again(const FileContext& file, const StoredObject& object,
                                         const Extent& space) {
  const HeaderMessage* const has = object.find(kMessageDataspace);
  if (has == nullptr || has->body.empty()) return encode_space(file, space);
  const bool first = has->body[0] == std::byte{1};
  return encode_space_as(first ? FormatVersion::kEarliest : FormatVersion::kV18, file, space);
}

Result<HeaderMessage> encode_type(const FileContext& file, const Datatype& type,
                                  FileAddress committed) {
  if (committed != kUndefinedAddress) {
    SharedMessage shared;
    shared.address = committed;
    return make_message(kMessageDatatype, kMessageConstant | kMessageShared, [&](ByteWriter& out) {
      return encode_shared_message(shared, file.sizes(), out);
    });
  }
  auto policy =
      file.format == FormatVersion::kEarliest ? DatatypePolicy::kEarliest : DatatypePolicy::kV18;
  return make_message(kMessageDatatype, kMessageConstant, [&](ByteWriter& out) {
    return encode_datatype(type.file_form(file.sizes().offset_size), out, policy);
  });
}

Result<HeaderMessage> encode_fill(const FileContext& file, const FillValueMessage& fill) {
  return make_message(kMessageFillValue, kMessageConstant, [&](ByteWriter& out) {
    return encode_fill_value_message(fill, file.format, out);
  });
}

namespace {

Result<HeaderMessage> encode_layout_as(FormatVersion version, const FileContext& file,
                                       const LayoutMessage& layout) {
  return make_message(kMessageLayout, 0, [&](ByteWriter& out) {
    return encode_layout_message(layout, version, file.sizes(), out);
  });
}

}  // namespace

Result<HeaderMessage> encode_layout(const FileContext& file, const LayoutMessage& layout) {
  return encode_layout_as(file.format, file, layout);
}

Result<HeaderMessage> encode_layout_earliest(const FileContext& file, const LayoutMessage& layout) {
  return encode_layout_as(FormatVersion::kEarliest, file, layout);
}

Result<HeaderMessage> encode_layout_again(const FileContext& file, const StoredObject& object,
                                          const LayoutMessage& layout) {
  const HeaderMessage* const has = object.find(kMessageLayout);
  if (has == nullptr || has->body.empty()) return encode_layout(file, layout);
  const bool latest = has->body[0] >= std::byte{4};
  return encode_layout_as(latest ? FormatVersion::kV110 : FormatVersion::kEarliest, file, layout);
}

Result<HeaderMessage> encode_filters(const FileContext& file, const FilterPipeline& filters) {
  std::vector<FilterDescription> stages;
  for (const FilterSpec& f : filters)
    stages.push_back({static_cast<std::uint16_t>(f.id),
                      static_cast<std::uint16_t>(f.flags),
                      f.name,
                      {f.values.begin(), f.values.end()}});
  return make_message(kMessageFilterPipeline, kMessageConstant, [&](ByteWriter& out) {
    return encode_filter_pipeline_message(stages, file.format, out);
  });
}

Result<FilterPipeline> decode_filters(const HeaderMessage& message) {
  PCIO_TRY(check_not_shared(message));
  ByteReader reader(message.body);
  PCIO_ASSIGN(auto stages, decode_filter_pipeline_message(reader));
  FilterPipeline filters;
  for (FilterDescription& stage : stages) {
    FilterSpec spec;
    spec.id = stage.id;
    spec.flags = stage.flags;
    spec.values.assign(stage.client_data.begin(), stage.client_data.end());
    spec.name = std::move(stage.name);
    filters.push_back(std::move(spec));
  }
  return filters;
}

Result<std::uint64_t> first_chunk_size(const ObjectHeader& header, const FileSizes& sizes) {
  bool dataset = header.find(kMessageLayout) != nullptr;
  std::uint64_t need = header_messages_size(header) + header_continuation_size(header, sizes);
  std::array<std::uint64_t, 1> capacity{
      round_up(std::max(need, dataset ? kDatasetRoom : kOtherRoom), std::uint64_t{8})};
  PCIO_ASSIGN(HeaderLayout layout, layout_header(header, sizes, capacity));
  return header_piece_size(header, layout, 0);
}

}  // namespace pcio
