// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Words for datatypes, shapes, layouts and small values. Room: tools, public headers only.

#include "describe.hpp"

#include <cstring>
#include <fmt/format.h>
#include <vector>

#include "id.hpp"

namespace pcioinfo {

namespace {

constexpr int kMostNesting = 16;  // of types within types
constexpr int kMostMembers = 24;  // shown of a compound or an enum

std::string describe_type_at(hid_t type, int depth);

std::string order_word(hid_t type) {
  const H5T_order_t order = H5Tget_order(type);
  if (order == H5T_ORDER_BE && H5Tget_size(type) > 1) return " big-endian";
  return order == H5T_ORDER_VAX ? " VAX order" : "";
}

std::string precision_word(hid_t type) {
  const std::size_t bits = H5Tget_precision(type), all = 8 * H5Tget_size(type);
  return bits == all ? "" : fmt::format(" ({} bits)", bits);
}

std::string describe_number(hid_t type, const char* word) {
  return fmt::format("{}{}{}{}", word, 8 * H5Tget_size(type), precision_word(type),
                     order_word(type));
}

std::string describe_string(hid_t type) {
  const char* const charset = H5Tget_cset(type) == H5T_CSET_UTF8 ? " utf-8" : "";
  if (H5Tis_variable_str(type) > 0) return fmt::format("string{}", charset);
  return fmt::format("string[{}]{}", H5Tget_size(type), charset);
}

std::string member_name(hid_t type, unsigned index) {
  char* const name = H5Tget_member_name(type, index);
  if (name == nullptr) return "?";
  const std::string text = printable(name);
  H5free_memory(name);
  return text;
}

std::string describe_compound(hid_t type, int depth) {
  const int members = H5Tget_nmembers(type);
  std::string text = "{";
  for (int i = 0; i < members && i < kMostMembers; ++i) {
    const Id member(H5Tget_member_type(type, static_cast<unsigned>(i)));
    text += fmt::format("{}{}: {}", i == 0 ? "" : ", ", member_name(type, static_cast<unsigned>(i)),
                        describe_type_at(member.get(), depth + 1));
  }
  if (members > kMostMembers) text += fmt::format(", {} more", members - kMostMembers);
  return text + "}";
}

std::string describe_enum(hid_t type, int depth) {
  const Id base(H5Tget_super(type));
  const int members = H5Tget_nmembers(type);
  std::string text = "enum " + describe_type_at(base.get(), depth + 1) + " (";
  for (int i = 0; i < members && i < kMostMembers; ++i)
    text += (i == 0 ? "" : ", ") + member_name(type, static_cast<unsigned>(i));
  if (members > kMostMembers) text += fmt::format(", {} more", members - kMostMembers);
  return text + ")";
}

std::string describe_array(hid_t type, int depth) {
  hsize_t dims[H5S_MAX_RANK] = {0};
  const Id base(H5Tget_super(type));
  const int ndims = H5Tget_array_dims2(type, dims);
  std::string text = describe_type_at(base.get(), depth + 1) + "[";
  for (int i = 0; i < ndims; ++i) text += fmt::format("{}{}", i == 0 ? "" : ", ", dims[i]);
  return text + "]";
}

std::string describe_opaque(hid_t type) {
  std::string text = fmt::format("opaque[{}]", H5Tget_size(type));
  char* const tag = H5Tget_tag(type);
  if (tag != nullptr) {
    if (*tag != '\0') text += " " + printable(tag);
    H5free_memory(tag);
  }
  return text;
}

std::string describe_type_at(hid_t type, int depth) {
  if (depth > kMostNesting) return "...";
  switch (H5Tget_class(type)) {
    case H5T_INTEGER:
      return describe_number(type, H5Tget_sign(type) == H5T_SGN_NONE ? "uint" : "int");
    case H5T_FLOAT: return describe_number(type, "float");
    case H5T_TIME: return describe_number(type, "time");
    case H5T_BITFIELD: return describe_number(type, "bits");
    case H5T_STRING: return describe_string(type);
    case H5T_OPAQUE: return describe_opaque(type);
    case H5T_COMPOUND: return describe_compound(type, depth);
    case H5T_REFERENCE:
      if (H5Tequal(type, H5T_STD_REF_OBJ) > 0) return "object reference";
      return H5Tequal(type, H5T_STD_REF_DSETREG) > 0 ? "region reference"
                                                     : "reference of a later format";
    case H5T_ENUM: return describe_enum(type, depth);
    case H5T_VLEN: {
      const Id base(H5Tget_super(type));
      return "sequence of " + describe_type_at(base.get(), depth + 1);
    }
    case H5T_ARRAY: return describe_array(type, depth);
    default: return "type refused: " + last_reason();
  }
}

std::string describe_filters(hid_t list) {
  std::string text;
  const int filters = H5Pget_nfilters(list);
  for (int i = 0; i < filters; ++i) {
    unsigned flags = 0, config = 0;
    std::size_t values = 0;
    char name[64] = "";
    const H5Z_filter_t id = H5Pget_filter2(list, static_cast<unsigned>(i), &flags, &values, nullptr,
                                           sizeof name, name, &config);
    switch (id) {
      case H5Z_FILTER_DEFLATE: text += ", deflate"; break;
      case H5Z_FILTER_SHUFFLE: text += ", shuffle"; break;
      case H5Z_FILTER_FLETCHER32: text += ", fletcher32"; break;
      default: text += fmt::format(", filter {} {}", id, printable(name));
    }
  }
  return text;
}

std::string describe_chunk(hid_t list) {
  hsize_t chunk[H5S_MAX_RANK] = {0};
  const int ndims = H5Pget_chunk(list, H5S_MAX_RANK, chunk);
  std::string text = "chunked {";
  for (int i = 0; i < ndims; ++i) text += fmt::format("{}{}", i == 0 ? "" : ", ", chunk[i]);
  return text + "}";
}

/// Reads numbers as double or, where all integers fit, as long long.
template <typename Number>
std::string describe_numbers(hid_t attribute, hid_t memory, hsize_t count, bool& failed) {
  std::vector<Number> values(count);
  if (H5Aread(attribute, memory, values.data()) < 0) {
    failed = true;
    return " refused: " + last_reason();
  }
  std::string text = " = ";
  for (hsize_t i = 0; i < count; ++i) text += fmt::format("{}{}", i == 0 ? "" : ", ", values[i]);
  return text;
}

std::string quoted(std::string text, const ValueLimits& limits) {
  if (text.size() > limits.text) text = text.substr(0, limits.text - 3) + "...";
  return "\"" + printable(text) + "\"";
}

std::string describe_texts(hid_t attribute, hsize_t count, const ValueLimits& limits,
                           bool& failed) {
  const Id type(H5Aget_type(attribute)), space(H5Aget_space(attribute));
  const bool variable = H5Tis_variable_str(type.get()) > 0;
  const std::size_t size = H5Tget_size(type.get());
  std::vector<char> value(count * size + 1);
  if (H5Aread(attribute, type.get(), value.data()) < 0) {
    failed = true;
    return " refused: " + last_reason();
  }
  std::string text = " = ";
  for (hsize_t i = 0; i < count; ++i) {
    const char* at = value.data() + i * size;
    const char* pointed = nullptr;
    if (variable) std::memcpy(&pointed, at, sizeof pointed);
    const std::string one =
        variable ? (pointed == nullptr ? "" : pointed) : std::string(at, strnlen(at, size));
    text += (i == 0 ? "" : ", ") + quoted(one, limits);
  }
  if (variable) H5Dvlen_reclaim(type.get(), space.get(), H5P_DEFAULT, value.data());
  return text;
}

}  // namespace

std::string describe_type(hid_t type) {
  const char* const committed = H5Tcommitted(type) > 0 ? "committed " : "";
  return committed + describe_type_at(type, 0);
}

std::string describe_space(hid_t space) {
  hsize_t dims[H5S_MAX_RANK] = {0}, most[H5S_MAX_RANK] = {0};
  switch (H5Sget_simple_extent_type(space)) {
    case H5S_SCALAR: return "scalar";
    case H5S_NULL: return "null";
    default: break;
  }
  const int ndims = H5Sget_simple_extent_dims(space, dims, most);
  std::string text = "{";
  for (int i = 0; i < ndims; ++i) {
    text += fmt::format("{}{}", i == 0 ? "" : ", ", dims[i]);
    if (most[i] == H5S_UNLIMITED)
      text += " of unlimited";
    else if (most[i] != dims[i])
      text += fmt::format(" of {}", most[i]);
  }
  return text + "}";
}

std::string describe_bytes(unsigned long long bytes) {
  static const char* const kUnits[] = {"KiB", "MiB", "GiB", "TiB", "PiB"};
  if (bytes < 1024) return fmt::format("{} bytes", bytes);
  double amount = static_cast<double>(bytes) / 1024;
  int unit = 0;
  for (; amount >= 1024 && unit < 4; ++unit) amount /= 1024;
  return fmt::format("{:.1f} {}", amount, kUnits[unit]);
}

std::string describe_storage(hid_t dataset, bool& failed) {
  const Id list(H5Dget_create_plist(dataset));
  if (!list.valid()) {
    failed = true;
    return "layout refused: " + last_reason();
  }
  std::string text;
  switch (H5Pget_layout(list.get())) {
    case H5D_COMPACT: text = "compact"; break;
    case H5D_CONTIGUOUS: text = "contiguous"; break;
    case H5D_CHUNKED: text = describe_chunk(list.get()); break;
    case H5D_VIRTUAL: text = "virtual"; break;
    default: failed = true; text = "layout refused: " + last_reason();
  }
  const int external = H5Pget_external_count(list.get());
  if (external > 0) text += fmt::format(" in {} external files", external);
  text += describe_filters(list.get());
  H5Eclear2(H5E_DEFAULT);
  const hsize_t stored = H5Dget_storage_size(dataset);
  if (stored == 0 && H5Eget_num(H5E_DEFAULT) > 0) {  // 0 is also the sign of a failure
    failed = true;
    return text + ", refused: " + last_reason();
  }
  return text + ", " + describe_bytes(stored) + " stored";
}

std::string describe_value(hid_t attribute, bool& failed, const ValueLimits& limits) {
  const Id type(H5Aget_type(attribute)), space(H5Aget_space(attribute));
  const hssize_t count = H5Sget_simple_extent_npoints(space.get());
  if (count <= 0 || static_cast<hsize_t>(count) > limits.values) return "";
  const auto values = static_cast<hsize_t>(count);
  switch (H5Tget_class(type.get())) {
    case H5T_INTEGER:
      return H5Tget_sign(type.get()) == H5T_SGN_NONE
                 ? describe_numbers<unsigned long long>(attribute, H5T_NATIVE_ULLONG, values,
                                                        failed)
                 : describe_numbers<long long>(attribute, H5T_NATIVE_LLONG, values, failed);
    case H5T_FLOAT:
      // Shortest digits: a single precision number is not shown with digits that it has not.
      return H5Tget_size(type.get()) <= 4
                 ? describe_numbers<float>(attribute, H5T_NATIVE_FLOAT, values, failed)
                 : describe_numbers<double>(attribute, H5T_NATIVE_DOUBLE, values, failed);
    case H5T_STRING: return describe_texts(attribute, values, limits, failed);
    default: return "";
  }
}

}  // namespace pcioinfo
