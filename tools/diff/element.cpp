// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Two elements compared part by part. Room: tools, public headers only.
// What counts, and how often, is as observed with h5diff 1.10.8.

#include "element.hpp"

#include <cmath>
#include <cstring>

namespace diff {

namespace {

// As h5diff has them, for systems that define none.
constexpr double kFloatEpsilon = 1.19209E-07, kDoubleEpsilon = 2.22045E-16;

template <typename Number>
Number load(const unsigned char* at) {
  Number value{};
  std::memcpy(&value, at, sizeof value);
  return value;
}

long long load_signed(const unsigned char* at, std::size_t size) {
  switch (size) {
    case 1: return load<signed char>(at);
    case 2: return load<std::int16_t>(at);
    case 4: return load<std::int32_t>(at);
    default: return load<std::int64_t>(at);
  }
}

unsigned long long load_unsigned(const unsigned char* at, std::size_t size) {
  switch (size) {
    case 1: return load<unsigned char>(at);
    case 2: return load<std::uint16_t>(at);
    case 4: return load<std::uint32_t>(at);
    default: return load<std::uint64_t>(at);
  }
}

long double load_float(const unsigned char* at, std::size_t size) {
  if (size == sizeof(float)) return load<float>(at);
  return size == sizeof(double) ? load<double>(at) : load<long double>(at);
}

std::string character(unsigned char of) {
  return of >= 0x20 && of < 0x7F ? std::string(1, static_cast<char>(of))
                                 : fmt::format("\\{:03o}", of);
}

/// Of two numbers, the distance without overflow.
template <typename Number>
unsigned long long distance(Number one, Number other) {
  const auto a = static_cast<unsigned long long>(one), b = static_cast<unsigned long long>(other);
  return one > other ? a - b : b - a;
}

}  // namespace

void ElementCompare::compare(const std::string& where, const unsigned char* first,
                             const unsigned char* second) {
  where_ = &where;
  part(plan_.whole, first, second);
}

void ElementCompare::part(const Part& part, Bytes first, Bytes second) {
  switch (part.kind) {
    case Part::Kind::kSigned:
    case Part::Kind::kUnsigned: integers(part, first, second); break;
    case Part::Kind::kFloat: floats(part, first, second); break;
    case Part::Kind::kEnum: enumerations(part, first, second); break;
    case Part::Kind::kText:
      texts(reinterpret_cast<const char*>(first), reinterpret_cast<const char*>(second),
            std::min(part.size[0], part.size[1]));
      break;
    case Part::Kind::kString: strings(first, second); break;
    case Part::Kind::kBytes: bytes(part, first, second); break;
    case Part::Kind::kCompound:
      for (const Part& member : part.parts)
        this->part(member, first + member.offset[0], second + member.offset[1]);
      break;
    case Part::Kind::kArray:
      for (std::size_t i = 0; i < part.count; ++i)
        this->part(part.parts[0], first + i * part.parts[0].size[0],
                   second + i * part.parts[0].size[1]);
      break;
    case Part::Kind::kSequence: sequences(part, first, second); break;
    case Part::Kind::kObject:
    case Part::Kind::kRegion: {
      const void* const values[2] = {first, second};
      targets_(values, part.kind == Part::Kind::kRegion);
      break;
    }
  }
}

void ElementCompare::tell_numbers(const std::string& first, const std::string& second,
                                  const std::string& apart, double relative, bool has_relative) {
  ++outcome_.count;
  if (!options_.tells_values() || outcome_.told >= options_.most) return;
  ++outcome_.told;
  outcome_.lines += fmt::format("{}{:<16}{:<16}", *where_, first, second);
  if (options_.measure != Measure::kRelative)
    outcome_.lines += fmt::format("{:<15}\n", apart);
  else
    outcome_.lines += fmt::format("{:<16}{:<14}\n", apart,
                                  has_relative ? fmt::format("{:g}", relative) : "not comparable");
}

void ElementCompare::integers(const Part& part, Bytes first, Bytes second) {
  const bool with_sign = part.kind == Part::Kind::kSigned;
  const long long a = with_sign ? load_signed(first, part.size[0]) : 0,
                  b = with_sign ? load_signed(second, part.size[1]) : 0;
  const unsigned long long c = with_sign ? 0 : load_unsigned(first, part.size[0]),
                           d = with_sign ? 0 : load_unsigned(second, part.size[1]);
  const unsigned long long apart = with_sign ? distance(a, b) : distance(c, d);
  if (apart == 0) return;
  const double base = with_sign ? static_cast<double>(a) : static_cast<double>(c);
  const double relative = base == 0 ? 0 : std::fabs(static_cast<double>(apart) / base);
  if (options_.measure == Measure::kDelta && static_cast<double>(apart) <= options_.limit) return;
  if (options_.measure == Measure::kRelative && base != 0 && relative <= options_.limit) return;
  tell_numbers(with_sign ? fmt::format("{}", a) : fmt::format("{}", c),
               with_sign ? fmt::format("{}", b) : fmt::format("{}", d), fmt::format("{}", apart),
               relative, base != 0);
}

void ElementCompare::floats(const Part& part, Bytes first, Bytes second) {
  const long double a = load_float(first, part.size[0]), b = load_float(second, part.size[1]);
  if (a == b) return;
  const bool none[2] = {std::isnan(a), std::isnan(b)};
  if (none[0] && none[1] &&
      (options_.detect_nan ||
       std::memcmp(first, second, std::min(part.size[0], part.size[1])) == 0))
    return;
  const long double apart = std::fabs(a - b);
  const double relative = a == 0 ? 0 : static_cast<double>(std::fabs((b - a) / a));
  if (options_.detect_nan ? !none[0] && !none[1] : options_.measure != Measure::kExact) {
    const double epsilon =
        std::min(part.size[0], part.size[1]) <= sizeof(float) ? kFloatEpsilon : kDoubleEpsilon;
    if (options_.measure == Measure::kDelta && !(apart > options_.limit)) return;
    if (options_.measure == Measure::kEpsilon && !(apart > epsilon)) return;
    if (options_.measure == Measure::kRelative && a != 0 && !(relative > options_.limit)) return;
  }
  tell_numbers(fmt::format("{:g}", static_cast<double>(a)),
               fmt::format("{:g}", static_cast<double>(b)),
               fmt::format("{:g}", static_cast<double>(apart)), relative, a != 0);
}

void ElementCompare::enumerations(const Part& part, Bytes first, Bytes second) {
  const Part& base = part.parts[0];
  if (load_signed(first, base.size[0]) == load_signed(second, base.size[1])) return;
  ++outcome_.count;
  if (!options_.tells_values() || outcome_.told >= options_.most) return;
  ++outcome_.told;
  const unsigned char* const values[2] = {first, second};
  std::string names[2];
  for (int i = 0; i < 2; ++i) {
    char name[64] = "";
    const bool known = H5Tenum_nameof(part.type[i], values[i], name, sizeof name) >= 0;
    H5Eclear2(H5E_DEFAULT);
    names[i] =
        known ? tools::printable(name) : fmt::format("{}", load_signed(values[i], base.size[i]));
  }
  outcome_.lines += fmt::format("{}{:<17}{:<17}\n", *where_, names[0], names[1]);
}

void ElementCompare::tell_characters(unsigned char first, unsigned char second) {
  if (!options_.tells_values() || outcome_.told >= options_.most) return;
  ++outcome_.told;
  outcome_.lines +=
      fmt::format("{}  {}            {}\n", *where_, character(first), character(second));
}

void ElementCompare::texts(const char* first, const char* second, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) {
    if (first[i] == second[i]) continue;
    ++outcome_.count;
    tell_characters(static_cast<unsigned char>(first[i]), static_cast<unsigned char>(second[i]));
  }
}

void ElementCompare::strings(Bytes first, Bytes second) {
  const auto *one = load<const char*>(first), *other = load<const char*>(second);
  const std::string a = one == nullptr ? "" : one, b = other == nullptr ? "" : other;
  texts(a.c_str(), b.c_str(), std::min(a.size(), b.size()));
  if (a.size() == b.size()) return;
  // What one has more is one difference.
  ++outcome_.count;
  for (std::size_t i = std::min(a.size(), b.size()); i < std::max(a.size(), b.size()); ++i)
    tell_characters(static_cast<unsigned char>(i < a.size() ? a[i] : '\0'),
                    static_cast<unsigned char>(i < b.size() ? b[i] : '\0'));
}

void ElementCompare::bytes(const Part& part, Bytes first, Bytes second) {
  for (std::size_t i = 0; i < std::min(part.size[0], part.size[1]); ++i)
    if (first[i] != second[i])
      tell_numbers(fmt::format("{}", first[i]), fmt::format("{}", second[i]),
                   fmt::format("{}", distance<int>(first[i], second[i])), 0, false);
}

void ElementCompare::sequences(const Part& part, Bytes first, Bytes second) {
  const auto one = load<hvl_t>(first), other = load<hvl_t>(second);
  const Part& base = part.parts[0];
  for (std::size_t i = 0; i < std::min(one.len, other.len); ++i)
    this->part(base, static_cast<Bytes>(one.p) + i * base.size[0],
               static_cast<Bytes>(other.p) + i * base.size[1]);
}

}  // namespace diff
