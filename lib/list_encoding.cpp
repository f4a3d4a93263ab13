// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: property lists as bytes.

#include "lib/list_encoding.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "lib/list_properties.hpp"
#include "props/value_checks.hpp"

namespace pcio {

namespace {

constexpr unsigned kListVersion = 0;

/// Numbers of the classes in encoded lists, by PropertyClassKind.
constexpr std::array<std::uint8_t, kPropertyClassCount> kClassNumbers = {
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 18, 15, 16, 17};
constexpr std::uint8_t kClassOfProgram = 0;

}  // namespace

void put_size(std::uint64_t value, ByteWriter& out) {
  const unsigned width = value == 0 ? 1 : static_cast<unsigned>((std::bit_width(value) + 7) / 8);
  out.u8(width);
  out.uint(value, width);
}

std::uint64_t get_size(ByteReader& reader) {
  const unsigned width = reader.u8();
  if (width <= 8) return reader.uint(width);
  reader.skip(std::numeric_limits<std::size_t>::max());
  return 0;
}

namespace {

/// C values of built-in properties are small, but for those with a form of their own.
using Value = std::array<std::byte, 64>;

template <class Number>
Number number_in(const Value& value, std::size_t index = 0) {
  Number number{};
  std::memcpy(&number, value.data() + index * sizeof number, sizeof number);
  return number;
}

template <class Number>
void put_number(Value& value, Number number, std::size_t index = 0) {
  std::memcpy(value.data() + index * sizeof number, &number, sizeof number);
}

/// Enumerations are four bytes in C and one in the encoding.
void encode_byte(const Value& value, std::size_t size, ByteWriter& out) {
  out.u8(size == 1 ? number_in<std::uint8_t>(value)
                   : static_cast<std::uint8_t>(number_in<std::int32_t>(value)));
}

void encode_text(const Value& value, ByteWriter& out) {
  auto* text = number_in<char*>(value);
  const std::string_view content = text != nullptr ? text : "";
  put_size(content.size(), out);
  out.text(content);
  std::free(text);  // NOLINT(cppcoreguidelines-no-malloc): the row's copy
}

void encode_value(const NamedProperty& row, const Value& value, ByteWriter& out) {
  switch (row.coding) {
    case ValueCoding::kByte: encode_byte(value, row.size, out); return;
    case ValueCoding::kWord: out.u32(number_in<std::uint32_t>(value)); return;
    case ValueCoding::kUnsigned:
      out.u8(4);
      for (std::size_t i = 0; i < row.size / 4; ++i) out.u32(number_in<std::uint32_t>(value, i));
      return;
    case ValueCoding::kReal:
      out.u8(8);
      for (std::size_t i = 0; i < row.size / 8; ++i) out.u64(number_in<std::uint64_t>(value, i));
      return;
    case ValueCoding::kSizeOrRest:
      if (number_in<std::uint64_t>(value) == std::numeric_limits<std::uint64_t>::max()) {
        out.u8(0);
        return;
      }
      [[fallthrough]];
    case ValueCoding::kSize: put_size(number_in<std::uint64_t>(value), out); return;
    case ValueCoding::kText: encode_text(value, out); return;
    case ValueCoding::kNone:
    case ValueCoding::kSpecial: return;
  }
}

Status encode_property(const PropertyList& list, const NamedProperty& row, ByteWriter& out) {
  out.text(row.name);
  out.u8(0);
  if (row.coding == ValueCoding::kSpecial) return encode_special(list, row.name, out);
  Value value{};
  row.read(list, value.data());
  encode_value(row, value, out);
  return Status();
}

}  // namespace

Status encode_list(const PropertyListObject& list, ByteWriter& out) {
  out.u8(kListVersion);
  out.u8(list.cls->built_in ? kClassNumbers[static_cast<unsigned>(list.cls->kind)]
                            : kClassOfProgram);
  for (const std::string& name : property_names(list)) {
    const auto found = find_property(list, name);
    if (!found || found->built_in == nullptr || found->built_in->coding == ValueCoding::kNone)
      continue;
    PCIO_TRY(encode_property(list.list, *found->built_in, out));
  }
  out.u8(0);
  return Status();
}

namespace {

detail::StatusReturn damaged(const NamedProperty& row) {
  return PCIO_ERROR(PLIST, CANTDECODE,
                    "the encoded value of property '" + std::string(row.name) + "' is damaged");
}

/// The text stays in `reader`'s bytes; `*hold` keeps it until it is written.
Status decode_text(const NamedProperty& row, ByteReader& reader, std::string* hold, Value* value) {
  const std::uint64_t length = get_size(reader);
  if (!reader.ok() || length > std::min<std::uint64_t>(kLongestValue, reader.remaining()))
    return damaged(row);
  const ConstBytes bytes = reader.bytes(length);
  hold->assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  put_number(*value, hold->empty() ? nullptr : hold->c_str());
  return Status();
}

Status decode_value(const NamedProperty& row, ByteReader& reader, Value* value) {
  switch (row.coding) {
    case ValueCoding::kByte: put_number(*value, std::int32_t{reader.u8()}); return Status();
    case ValueCoding::kWord: put_number(*value, reader.u32()); return Status();
    case ValueCoding::kUnsigned:
      if (reader.u8() != 4) return damaged(row);
      for (std::size_t i = 0; i < row.size / 4; ++i) put_number(*value, reader.u32(), i);
      return Status();
    case ValueCoding::kReal:
      if (reader.u8() != 8) return damaged(row);
      for (std::size_t i = 0; i < row.size / 8; ++i) put_number(*value, reader.u64(), i);
      return Status();
    case ValueCoding::kSizeOrRest: {
      const unsigned width = reader.u8();
      if (width > 8) return damaged(row);
      put_number(*value,
                 width == 0 ? std::numeric_limits<std::uint64_t>::max() : reader.uint(width));
      return Status();
    }
    case ValueCoding::kSize: put_number(*value, get_size(reader)); return Status();
    default: return damaged(row);
  }
}

Status decode_property(PropertyList& list, const NamedProperty& row, ByteReader& reader) {
  if (row.coding == ValueCoding::kNone) return damaged(row);
  if (row.coding == ValueCoding::kSpecial) {
    PCIO_TRY(decode_special(list, row.name, reader));
    return reader.ok() ? Status() : damaged(row);
  }
  Value value{};
  std::string text;
  PCIO_TRY(row.coding == ValueCoding::kText ? decode_text(row, reader, &text, &value)
                                            : decode_value(row, reader, &value));
  if (!reader.ok()) return damaged(row);
  row.write(list, value.data());
  return Status();
}

Result<PropertyClassKind> decode_class(ByteReader& reader) {
  if (reader.u8() != kListVersion || !reader.ok())
    return PCIO_ERROR(PLIST, VERSION, "argument buf: unknown version of an encoded list");
  const std::uint8_t number = reader.u8();
  const auto* found = std::find(kClassNumbers.begin(), kClassNumbers.end(), number);
  if (found == kClassNumbers.end() || found == kClassNumbers.begin())
    return PCIO_ERROR(
        PLIST, BADVALUE,
        "argument buf: no list of a class of the library (" + std::to_string(number) + ")");
  return static_cast<PropertyClassKind>(found - kClassNumbers.begin());
}

}  // namespace

namespace {

/// The encoded fill value has a time in it, also where that is the layout's own.
Status decode_into(PropertyListObject& made, const NamedProperty& row, ByteReader& reader) {
  auto* create = made.list.as<DatasetCreateProps>();
  const bool layouts_time =
      create != nullptr && create->alloc_time == AllocTime::kDefault &&
      made.held.test(find_property(PropertyClassKind::kDatasetCreate, "alloc_time_state")->index);
  PCIO_TRY(decode_property(made.list, row, reader));
  if (layouts_time) create->alloc_time = AllocTime::kDefault;
  made.held.set(row.index);
  return Status();
}

}  // namespace

Result<std::shared_ptr<PropertyListObject>> decode_list(ByteReader& reader) {
  PCIO_ASSIGN(const PropertyClassKind kind, decode_class(reader));
  auto made = std::make_shared<PropertyListObject>(kind);
  for (std::string_view name = reader.c_string(); !name.empty(); name = reader.c_string()) {
    const NamedProperty* row = find_property(kind, name);
    if (row == nullptr) return detail::StatusReturn(Status(no_such_property(name.substr(0, 64))));
    PCIO_TRY(decode_into(*made, *row, reader));
  }
  PCIO_TRY(reader.check("encoded property list"));
  auto* create = made->list.as<DatasetCreateProps>();
  if (create != nullptr &&
      (create->layout != Layout::kVirtual || create->alloc_time != AllocTime::kDefault ||
       create->virtual_alloc_time == AllocTime::kIncremental))
    create->virtual_alloc_time = AllocTime::kDefault;
  PCIO_TRY(check_values(made->list));
  return made;
}

}  // namespace pcio
