// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room tools/explain: types by short names.

#include "types.hpp"

#include <fmt/format.h>

#include <charconv>

#include "words.hpp"

namespace pcio_explain {

namespace {

constexpr std::uint64_t kMostOpaque = std::uint64_t{1} << 31;

/// Those of a name are found by trying all: there are few.
constexpr const char* kNumbers[] = {"f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"};

pcio::Datatype number_of(const std::string& name, pcio::ByteOrder order) {
  if (name == "f4") return pcio::Datatype::ieee_float(order);
  if (name == "f8") return pcio::Datatype::ieee_double(order);
  return pcio::Datatype::integer(
      static_cast<std::size_t>(name[1] - '0'), order,
      name[0] == 'i' ? pcio::SignScheme::kTwosComplement : pcio::SignScheme::kUnsigned);
}

}  // namespace

pcio::Result<pcio::Datatype> type_named(const std::string& name) {
  const bool big = !name.empty() && name[0] == '>';
  const std::string plain = name.substr(big ? 1 : 0);
  for (const char* each : kNumbers)
    if (plain == each)
      return number_of(plain, big ? pcio::ByteOrder::kBig : pcio::ByteOrder::kLittle);
  std::uint64_t bytes = 0;
  if (!big && plain.size() > 1 && plain[0] == 'o') {
    const auto [end, error] = std::from_chars(plain.data() + 1, plain.data() + plain.size(), bytes);
    if (error == std::errc() && end == plain.data() + plain.size() && bytes > 0 &&
        bytes <= kMostOpaque)
      return pcio::Datatype::opaque(static_cast<std::size_t>(bytes));
  }
  return PCIO_ERROR(ARGS, BADVALUE,
                    fmt::format("type \"{}\": f4, f8, i1, i2, i4, i8, u1, u2, u4, u8, big-endian "
                                "with > in front, or oN for N bytes",
                                pcio_report::printable(name)));
}

std::string name_of_type(const pcio::Datatype& type) {
  for (const auto order : {pcio::ByteOrder::kLittle, pcio::ByteOrder::kBig})
    for (const char* each : kNumbers)
      if (type == number_of(each, order))
        return (order == pcio::ByteOrder::kBig && type.size() > 1 ? ">" : "") + std::string(each);
  return fmt::format("o{}", type.size());
}

}  // namespace pcio_explain
