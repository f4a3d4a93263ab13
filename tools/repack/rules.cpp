// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Rules for filters and layouts, in the words of h5repack: OBJECTS:NAME=VALUES. Room: tools, public headers only.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <stdexcept>

#include "options.hpp"

namespace repack {

namespace {

[[noreturn]] void refuse(const std::string& text, const std::string& why) {
  throw std::invalid_argument(fmt::format("{}: {}", text, why));
}

/// A rule in its parts.
struct Parts {
  Objects objects;
  std::string name;
  std::vector<std::string> values;
};

std::vector<std::string> split(const std::string& text, char by) {
  return text.empty() ? std::vector<std::string>() : CLI::detail::split(text, by);
}

std::string absolute(const std::string& path) {
  return path.empty() || path[0] == '/' ? path : "/" + path;
}

/// Names of objects may have colons and signs of equality: the rule is behind the last colon.
Parts parts_of(const std::string& text, char by) {
  Parts parts;
  const std::size_t colon = text.rfind(':');
  std::string rule = text;
  if (colon != std::string::npos) {
    for (const std::string& object : split(text.substr(0, colon), ','))
      parts.objects.paths.push_back(absolute(object));
    if (parts.objects.paths.empty()) refuse(text, "no object before the colon");
    rule = text.substr(colon + 1);
  }
  const std::size_t equal = rule.find('=');
  parts.name = rule.substr(0, equal);
  if (equal != std::string::npos) parts.values = split(rule.substr(equal + 1), by);
  return parts;
}

template <typename Number>
Number number(const std::string& text, const std::string& word, Number least, Number most) {
  Number value{};
  const auto [end, failed] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (failed != std::errc() || end != word.data() + word.size() || value < least || value > most)
    refuse(text, fmt::format("{} is not a number from {} to {}", word, least, most));
  return value;
}

void need_values(const std::string& text, const Parts& parts, std::size_t count) {
  if (parts.values.size() != count)
    refuse(text, fmt::format("{} has {} values, not {}", parts.name, count, parts.values.size()));
}

void read_szip(const std::string& text, const Parts& parts, FilterRule* rule) {
  need_values(text, parts, 2);
  const auto pixels = number<unsigned>(text, parts.values[0], 2, 32);
  if (pixels % 2 != 0) refuse(text, "the pixels of a block are an even number");
  if (parts.values[1] != "NN" && parts.values[1] != "EC") refuse(text, "the coding is NN or EC");
  rule->values = {parts.values[1] == "NN" ? 32U : 4U, pixels};
}

void read_scale(const std::string& text, const Parts& parts, FilterRule* rule) {
  need_values(text, parts, 2);
  if (parts.values[1] != "IN" && parts.values[1] != "DS") refuse(text, "the type is IN or DS");
  const int factor = number<int>(text, parts.values[0], -1000, 1000);
  rule->values = {parts.values[1] == "IN" ? unsigned{H5Z_SO_INT} : unsigned{H5Z_SO_FLOAT_DSCALE},
                  static_cast<unsigned>(factor)};
}

/// UD=NUMBER,FLAG,COUNT,VALUES...
void read_foreign(const std::string& text, const Parts& parts, FilterRule* rule) {
  if (parts.values.size() < 3) refuse(text, "UD has a number, a flag, a count and its values");
  rule->id = number<int>(text, parts.values[0], 1, 65535);
  rule->flags =
      number<unsigned>(text, parts.values[1], 0, 1) == 1 ? H5Z_FLAG_OPTIONAL : H5Z_FLAG_MANDATORY;
  const auto count = number<unsigned>(text, parts.values[2], 0, 1000);
  need_values(text, parts, 3 + std::size_t{count});
  for (std::size_t i = 3; i < parts.values.size(); ++i)
    rule->values.push_back(number<unsigned>(text, parts.values[i], 0, 4294967295U));
}

struct FilterName {
  const char* name;
  H5Z_filter_t id;
};
constexpr FilterName kFilterNames[] = {
    {"GZIP", H5Z_FILTER_DEFLATE}, {"SHUF", H5Z_FILTER_SHUFFLE}, {"FLET", H5Z_FILTER_FLETCHER32},
    {"SZIP", H5Z_FILTER_SZIP},    {"NBIT", H5Z_FILTER_NBIT},    {"SOFF", H5Z_FILTER_SCALEOFFSET},
    {"UD", H5Z_FILTER_RESERVED},  {"NONE", H5Z_FILTER_NONE}};

}  // namespace

FilterRule parse_filter(const std::string& text) {
  const Parts parts = parts_of(text, ',');
  const auto* const found =
      std::find_if(std::begin(kFilterNames), std::end(kFilterNames),
                   [&](const FilterName& row) { return parts.name == row.name; });
  if (found == std::end(kFilterNames))
    refuse(text, "a filter is GZIP, SHUF, FLET, SZIP, NBIT, SOFF, UD or NONE");
  FilterRule rule;
  rule.objects = parts.objects;
  rule.id = found->id;
  switch (rule.id) {
    case H5Z_FILTER_DEFLATE:
      need_values(text, parts, 1);
      rule.values = {number<unsigned>(text, parts.values[0], 0, 9)};
      break;
    case H5Z_FILTER_SZIP: read_szip(text, parts, &rule); break;
    case H5Z_FILTER_SCALEOFFSET: read_scale(text, parts, &rule); break;
    case H5Z_FILTER_RESERVED: read_foreign(text, parts, &rule); break;
    default: need_values(text, parts, 0);
  }
  return rule;
}

LayoutRule parse_layout(const std::string& text) {
  const Parts parts = parts_of(text, 'x');
  LayoutRule rule;
  rule.objects = parts.objects;
  if (parts.name == "CHUNK") {
    rule.layout = H5D_CHUNKED;
    if (parts.values.empty()) refuse(text, "CHUNK has its dimensions: CHUNK=10x20");
    if (parts.values.size() > H5S_MAX_RANK) refuse(text, "more than 32 dimensions");
    for (const std::string& value : parts.values)
      rule.chunk.push_back(number<hsize_t>(text, value, 1, 4294967295U));
    return rule;
  }
  need_values(text, parts, 0);
  if (parts.name == "COMPA") rule.layout = H5D_COMPACT;
  if (parts.name == "CONTI") rule.layout = H5D_CONTIGUOUS;
  if (rule.layout == H5D_LAYOUT_ERROR) refuse(text, "a layout is CHUNK, COMPA or CONTI");
  return rule;
}

}  // namespace repack
