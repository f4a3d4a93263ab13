// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: attributes, out of line: lists of them and reading. Changes are in attribute_changes.cpp.

#include "object/attribute.hpp"

#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

#include "format/attribute_info_message.hpp"
#include "object/attribute_messages.hpp"
#include "object/heap_values.hpp"
#include "type/convert.hpp"

namespace pcio {

namespace {

/// Dense storage has, or is to get, an index by creation.
Result<bool> indexes_creation_order(const OpenObject& object) {
  const HeaderMessage* message = std::as_const(*object.object()).find(kMessageAttributeInfo);
  if (message == nullptr) return false;
  ByteReader reader(message->body);
  PCIO_ASSIGN(const AttributeInfoMessage info,
              decode_attribute_info_message(reader, object.store().sizes()));
  return info.index_order;
}

template <class Entries>
std::vector<AttributeName> named(const Entries& entries) {
  std::vector<AttributeName> names;
  names.reserve(entries.size());
  for (const auto& entry : entries) {
    if constexpr (std::is_same_v<std::decay_t<decltype(entry->second)>, AttributeIndex::Entry>)
      names.push_back({entry->first, entry->second.creation});
    else if constexpr (std::is_same_v<std::decay_t<decltype(entry->second)>,
                                      AttributeIndex::ByName::const_iterator>)
      names.push_back({entry->second->first, entry->second->second.creation});
    else
      names.push_back({entry->second->first, entry->first});
  }
  return names;
}

}  // namespace

Result<NameRange> native_resolved(const OpenObject& object, NameRange range) {
  PCIO_TRY(detail::to_status(attribute_index(object)));
  if (!object.object()->attributes_are_dense) return range;
  if (range.by == IndexBy::kName) return range;
  if (!object.object()->header.track_attribute_order) {
    range.order = IterOrder::kNative;
  } else if (range.order == IterOrder::kNative) {
    PCIO_ASSIGN(const bool indexed, indexes_creation_order(object));
    if (indexed) range.order = IterOrder::kIncreasing;
  }
  return range;
}

Result<bool> goes_by_message(const OpenObject& object, const NameRange& range) {
  PCIO_TRY(detail::to_status(attribute_index(object)));
  return range.order == IterOrder::kNative && !object.object()->attributes_are_dense;
}

Result<std::vector<AttributeName>> attribute_names_from(const OpenObject& object, NameRange range) {
  PCIO_ASSIGN(AttributeIndex * index, attribute_index(object));
  PCIO_ASSIGN(range, native_resolved(object, range));
  if (range.order == IterOrder::kNative)
    return named(entries_from(index->as_stored(object.object()->attributes_are_dense),
                              index->stored(), range.first, range.most, false));
  const bool falling = range.order == IterOrder::kDecreasing;
  if (range.by == IndexBy::kName)
    return named(entries_from(index->by_name(), index->names(), range.first, range.most, falling));
  return named(
      entries_from(index->by_creation(), index->creations(), range.first, range.most, falling));
}

Result<std::vector<AttributeName>> attribute_names_behind(const OpenObject& object, IndexBy by,
                                                          IterOrder order,
                                                          const AttributeName& last) {
  PCIO_ASSIGN(AttributeIndex * index, attribute_index(object));
  if (order == IterOrder::kNative)
    return named(
        entries_behind(index->as_stored(true), AttributeIndex::hash_key(last.name), false));
  const bool falling = order == IterOrder::kDecreasing;
  if (by == IndexBy::kName) return named(entries_behind(index->by_name(), last.name, falling));
  return named(entries_behind(index->by_creation(), last.creation, falling));
}

Result<std::vector<std::string>> attribute_names(const OpenObject& object, IndexBy by,
                                                 IterOrder order) {
  PCIO_ASSIGN(auto entries, attribute_names_from(object, {by, order}));
  std::vector<std::string> names;
  for (AttributeName& entry : entries) names.push_back(std::move(entry.name));
  return names;
}

Result<std::uint64_t> attribute_count(const OpenObject& object) {
  PCIO_ASSIGN(AttributeIndex * index, attribute_index(object));
  return std::uint64_t{index->by_name().size()};
}

Result<bool> attribute_exists(const OpenObject& object, const std::string& name) {
  PCIO_ASSIGN(HeaderMessage * message, attribute_message(object, name));
  return message != nullptr;
}

namespace {

/// The number of creation as libhdf5 tells it.
Result<std::optional<std::uint32_t>> number_of(const OpenObject& object, const std::string& name) {
  PCIO_ASSIGN(AttributeIndex * index, attribute_index(object));
  const auto entry = index->by_name().find(name);
  if (entry == index->by_name().end()) return std::optional<std::uint32_t>();
  if (object.object()->header.track_attribute_order)
    return std::optional<std::uint32_t>(entry->second.creation.first);
  if (entry->second.place.dense) return std::optional<std::uint32_t>();
  return std::optional<std::uint32_t>(entry->second.creation.second);
}

}  // namespace

Result<Attribute> attribute_without_data(const OpenObject& object, const std::string& name) {
  FoundAttribute found;
  PCIO_TRY(find_attribute(object, name, &found));
  return std::move(found.attribute);
}

Result<Attribute> find_attribute(const OpenObject& object, const std::string& name) {
  FoundAttribute found;
  PCIO_TRY(find_attribute(object, name, &found));
  PCIO_ASSIGN(found.attribute.creation_order, number_of(object, name));
  found.attribute.data.assign(found.value.begin(), found.value.end());
  return std::move(found.attribute);
}

Status check_same_size(const std::string& name, const Extent& opened, const Extent& now) {
  if (opened.npoints() == now.npoints()) return Status();
  return PCIO_ERROR(ATTR, BADVALUE,
                    "attribute \"" + name + "\" was replaced by one of another size");
}

Status read_attribute(const OpenObject& object, const std::string& name,
                      const Datatype& memory_type, void* buffer, const ConvertOptions& options,
                      const Extent* opened) {
  FoundAttribute found;
  PCIO_TRY(find_attribute(object, name, &found));
  if (opened != nullptr) PCIO_TRY(check_same_size(name, *opened, found.attribute.space));
  const Attribute& attribute = found.attribute;
  const std::uint64_t n = attribute.space.npoints();
  // Without elements no conversion is asked for: any type will do.
  if (n == 0) return Status();
  if (buffer == nullptr)
    return PCIO_ERROR(ARGS, BADVALUE,
                      "argument buf: no buffer given for attribute \"" + name + "\"");
  if (!attribute.type.is_fixed())
    return load_values(object.store(), {attribute.type, memory_type, n, options},
                       {found.value.begin(), found.value.end()}, buffer);
  if (attribute.type == memory_type) {
    std::memcpy(buffer, found.value.data(), found.value.size());
    return Status();
  }
  PCIO_ASSIGN(Conversion way, Conversion::make(attribute.type, memory_type, options));
  // Functions of the program may change the attribute, or take it away.
  std::vector<std::byte> kept;
  if (way.may_call_program()) kept.assign(found.value.begin(), found.value.end());
  return way.run(kept.empty() ? found.value.data() : kept.data(), static_cast<std::byte*>(buffer),
                 n);
}

}  // namespace pcio
