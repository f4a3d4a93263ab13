// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: arguments of metadata calls as bytes, out of line.

#include "format/selection_encoding.hpp"
#include "lib/call_arguments.hpp"

#include <algorithm>
#include <span>

#include "format/datatype_message.hpp"
#include "lib/public_api.hpp"
#include "lib/text_argument.hpp"
#include "space/unlimited.hpp"

namespace pcio {

void put_argument(ByteWriter& out, std::string_view text) {
  out.u64(text.size());
  out.text(text);
}

void put_argument(ByteWriter& out, const Dims& dims) {
  out.u8(dims.size());
  for (std::uint64_t n : dims) out.u64(n);
}

void put_argument(ByteWriter& out, const Extent& space) {
  out.u8(static_cast<std::uint8_t>(space.cls()));
  put_argument(out, space.dims());
  put_argument(out, space.max_dims());
}

void put_argument(NamedArguments& out, const ObjectCreateProps& props) {
  out.number("largest number of compact attributes (H5Pset_attr_phase_change)",
             props.attr_max_compact);
  out.number("least number of dense attributes (H5Pset_attr_phase_change)", props.attr_min_dense);
  out.number("attribute creation order (H5Pset_attr_creation_order)", props.attr_creation_order);
  out.number("tracking of times (H5Pset_obj_track_times)", props.track_times ? 1 : 0);
  out.begin("filter pipeline");
  out.u32(props.filters.size());
  for (const FilterSpec& filter : props.filters) {
    out.u32(static_cast<std::uint32_t>(filter.id));
    out.u32(filter.flags);
    out.u32(filter.values.size());
    for (unsigned value : filter.values) out.u32(value);
  }
}

void put_argument(NamedArguments& out, const GroupCreateProps& props) {
  put_argument(out, static_cast<const ObjectCreateProps&>(props));
  out.number("size hint of local heaps (H5Pset_local_heap_size_hint)", props.local_heap_size_hint);
  out.number("largest number of compact links (H5Pset_link_phase_change)", props.link_max_compact);
  out.number("least number of dense links (H5Pset_link_phase_change)", props.link_min_dense);
  out.number("estimated number of links (H5Pset_est_link_info)", props.est_num_entries);
  out.number("estimated length of names (H5Pset_est_link_info)", props.est_name_length);
  out.number("link creation order (H5Pset_link_creation_order)", props.link_creation_order);
}

void put_argument(NamedArguments& out, const LinkCreateProps& props) {
  out.number("character set of the link (H5Pset_char_encoding)",
             static_cast<std::uint8_t>(props.char_encoding));
  out.number("making of missing groups (H5Pset_create_intermediate_group)",
             props.create_intermediate);
}

Status put_argument(ByteWriter& out, const Datatype& type) {
  return encode_datatype(type.file_form(sizeof(FileAddress)), out);
}

namespace {

/// Where a text ends counts, too.
void put_text(NamedArguments& out, const std::string& text) {
  out.u64(text.size());
  out.bytes(std::as_bytes(std::span(text)));
}

}  // namespace

Status put_argument(NamedArguments& out, const DatasetCreateProps& props) {
  put_argument(out, static_cast<const ObjectCreateProps&>(props));
  out.number("layout (H5Pset_layout, H5Pset_chunk)", static_cast<std::uint8_t>(props.layout));
  out.begin("chunk dimensions (H5Pset_chunk)");
  out.u8(props.chunk_dims.size());
  for (std::uint64_t n : props.chunk_dims) out.u64(n);
  out.number("chunk options (H5Pset_chunk_opts)", props.chunk_opts);
  out.number("fill time (H5Pset_fill_time)", static_cast<std::uint8_t>(props.fill_time));
  out.number("allocation time (H5Pset_alloc_time)", static_cast<std::uint8_t>(props.alloc_time));
  out.begin("fill value (H5Pset_fill_value)");
  out.u8(static_cast<std::uint8_t>(props.fill.state));
  if (props.fill.type) {
    PCIO_TRY(put_argument(out, *props.fill.type));
    std::vector<std::byte> value = props.fill.bytes;
    clear_unused(*props.fill.type, value.data());
    out.bytes(value);
  }
  if (props.fill.sequences)
    for (const std::vector<std::byte>& object : props.fill.sequences->objects()) {
      out.u64(object.size());
      out.bytes(object);
    }
  out.begin("external files (H5Pset_external)");
  out.u64(props.external_files.size());
  for (const ExternalFile& file : props.external_files) {
    put_text(out, file.name);
    out.u64(static_cast<std::uint64_t>(file.offset));
    out.u64(file.size);
  }
  out.begin("mappings of a virtual dataset (H5Pset_virtual)");
  out.u64(props.virtual_mappings.size());
  for (const VirtualMapping& mapping : props.virtual_mappings) {
    put_text(out, mapping.file);
    put_text(out, mapping.dataset);
    ByteWriter selections;
    PCIO_TRY(encode_selection(mapping.source, selections));
    PCIO_TRY(encode_selection(mapping.target, selections));
    out.bytes(selections.view());
  }
  return Status();
}

namespace {

/// An enumeration without symbols or a compound without members, at any depth.
bool lacks_members(const Datatype& type) {
  switch (type.type_class()) {
    case TypeClass::kEnum: return type.enum_members().empty();
    case TypeClass::kCompound:
      return type.members().empty() ||
             std::any_of(type.members().begin(), type.members().end(),
                         [](const CompoundMember& m) { return lacks_members(m.type); });
    case TypeClass::kArray: {
      const auto base = type.super();
      return base && lacks_members(*base);
    }
    default: return false;
  }
}

}  // namespace

namespace {

std::string outline_of(const Datatype& type) {
  static constexpr const char* kNames[] = {"integers",   "floats",  "times",     "strings",
                                           "bit fields", "opaques", "compounds", "references",
                                           "enums",      "vlens",   "arrays"};
  return " of " + std::to_string(type.size()) + "-byte " +
         kNames[static_cast<int>(type.type_class())];
}

std::string outline_of(const DatasetCreateProps& create) {
  std::string text;
  if (!create.chunk_dims.empty())
    text += ", chunks " +
            Dims::from(create.chunk_dims.data(), static_cast<unsigned>(create.chunk_dims.size()))
                .to_string();
  if (!create.filters.empty()) text += ", filters";
  for (const FilterSpec& filter : create.filters) text += " " + std::to_string(filter.id);
  return text;
}

}  // namespace

std::string outline(HandleId type_id, HandleId space_id, HandleId dcpl_id) {
  std::string text = " ";
  if (auto space = get<SpaceObject>(space_id, "space_id")) {
    const Dataspace& s = (*space)->space;
    text += s.cls() == SpaceClass::kNull ? "(null)" : s.dims().to_string();
    if (s.extendible()) text += " up to " + s.max_dims().to_string();
  }
  if (auto type = get<TypeObject>(type_id, "type_id")) text += outline_of((*type)->type);
  if (dcpl_id != H5P_DEFAULT)
    if (auto create = props_or_default<DatasetCreateProps>(dcpl_id, "dcpl_id"))
      text += outline_of(**create);
  return text;
}

Status check_storable(const Datatype& type) {
  if (!lacks_members(type)) return Status();
  return PCIO_ERROR(ARGS, BADTYPE,
                    "argument type_id: an enumeration or compound without members can't be stored");
}

Result<StoredType> stored_type_argument(HandleId type_id, const FilePtr& file) {
  PCIO_ASSIGN(auto object, get<TypeObject>(type_id, "type_id"));
  PCIO_TRY(check_storable(object->type));
  StoredType stored{object->type, kUndefinedAddress};
  if (object->committed && object->committed->file_ptr() == file)
    stored.committed = object->committed->address();
  return stored;
}

Status copy_extent_argument(HandleId space_id, Extent* extent) {
  PCIO_ASSIGN(auto object, get<SpaceObject>(space_id, "space_id"));
  if (lacks_extent(object->space))
    return PCIO_ERROR(ARGS, BADVALUE, "argument space_id: the dataspace has no extent yet");
  *extent = object->space.extent();
  return Status();
}

Status NewLink::prepare(NamedArguments& out, const char* name_argument, LinkLists lists) {
  PCIO_ASSIGN(name, text_argument(name_argument, "name"));
  PCIO_ASSIGN(auto list, props_or_default<LinkCreateProps>(lists.lcpl_id, "lcpl_id"));
  PCIO_ASSIGN(auto way, props_or_default<LinkAccessProps>(lists.lapl_id, lists.lapl_argument));
  props = *list;
  access = *way;
  out.begin("name");
  put_argument(out, name);
  put_argument(out, props);
  return Status();
}

namespace {

Result<LinkPlace> free_place(const Location& at, const NewLink& link, MissingGroups missing) {
  if (link.props.create_intermediate == 0) missing = MissingGroups::kAreErrors;
  PCIO_ASSIGN(LinkPlace place, find_place(at, link.name, link.access, missing));
  if (place.name.empty())
    return PCIO_ERROR(SYM, EXISTS,
                      "\"" + link.name + "\" names an object that exists, not a new link");
  PCIO_ASSIGN(const bool taken, is_taken(place));
  if (taken) return PCIO_ERROR(SYM, EXISTS, "name \"" + place.path() + "\" exists already");
  return place;
}

}  // namespace

Result<LinkPlace> free_place(const Location& at, const NewLink& link) {
  return free_place(at, link, MissingGroups::kAreCreated);
}

Status check_begins_there(const FilePtr& begun, const FilePtr& led_to) {
  if (begun == led_to || !led_to->parallel()) return Status();
  return PCIO_ERROR(DATASET, UNSUPPORTED,
                    "a dataset can't be made in parallel file \"" + led_to->path() +
                        "\" by a link from another file: begin in that file");
}

Result<LinkPlace> planned_place(const Location& at, const NewLink& link) {
  PCIO_ASSIGN(LinkPlace place, free_place(at, link, MissingGroups::kEndTheWalk));
  if (place.group.file != at.file) PCIO_TRY(check_writable(*place.group.file));
  PCIO_TRY(check_new_link(place, link.props));
  return place;
}

Status link_new_object(const LinkPlace& place, Location* made, const NewLink& link) {
  made->path = place.path();
  PCIO_TRY(add_hard_link(place, *made, link.props));
  made->hold = place.group.hold;
  return Status();
}

}  // namespace pcio
