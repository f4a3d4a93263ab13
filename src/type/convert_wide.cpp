// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room type: conversion of integers and bit fields of more than 128 bits, to and from numbers of any layout.
//
// The rules are those of narrower ones (convert_number.cpp): integers are clamped, bit fields are cut.

#include <algorithm>
#include <array>
#include <bit>

#include "type/number_value.hpp"

namespace pcio::detail {

namespace {

constexpr unsigned kWordBits = 64;
constexpr std::size_t kWords = 8 * kMaxNumberSize / kWordBits;
constexpr unsigned kMostBits = 8 * kMaxNumberSize;

/// A number from 0 on, of as many bits as any element has.
class Magnitude {
 public:
  Magnitude() = default;
  explicit Magnitude(Wide value)
      : words_{static_cast<std::uint64_t>(value), static_cast<std::uint64_t>(value >> kWordBits)} {}

  static Magnitude read(const LittleBytes& bytes, std::size_t position, std::size_t width) {
    Magnitude value;
    for (std::size_t at = 0; at < width; at += kWordBits)
      value.words_[at / kWordBits] = static_cast<std::uint64_t>(
          get_bits(bytes, position + at,
                   static_cast<unsigned>(std::min<std::size_t>(kWordBits, width - at))));
    return value;
  }
  void write(LittleBytes& bytes, std::size_t position, std::size_t width) const {
    for (std::size_t at = 0; at < width; at += kWordBits)
      set_bits(bytes, position + at,
               static_cast<unsigned>(std::min<std::size_t>(kWordBits, width - at)),
               words_[at / kWordBits]);
  }
  /// All ones in the lowest bits.
  static Magnitude mask(std::size_t width) {
    Magnitude value;
    for (std::size_t at = 0; at < width; at += kWordBits)
      value.words_[at / kWordBits] = static_cast<std::uint64_t>(
          low_mask(static_cast<unsigned>(std::min<std::size_t>(kWordBits, width - at))));
    return value;
  }
  /// 2^width - value, in `width` bits.
  [[nodiscard]] Magnitude negated(std::size_t width) const {
    Magnitude value;
    std::uint64_t carry = 1;
    for (std::size_t i = 0; i < kWords; ++i) {
      value.words_[i] = ~words_[i] + carry;
      carry = carry != 0 && value.words_[i] == 0 ? 1 : 0;
    }
    return value.cut(width);
  }
  [[nodiscard]] Magnitude cut(std::size_t width) const {
    const Magnitude ones = mask(width);
    Magnitude value;
    for (std::size_t i = 0; i < kWords; ++i) value.words_[i] = words_[i] & ones.words_[i];
    return value;
  }
  [[nodiscard]] bool bit(std::size_t position) const {
    return (words_[position / kWordBits] >> (position % kWordBits) & 1) != 0;
  }
  /// Bits that are needed for it.
  [[nodiscard]] unsigned width() const {
    for (std::size_t i = kWords; i-- > 0;)
      if (words_[i] != 0)
        return static_cast<unsigned>(i) * kWordBits +
               static_cast<unsigned>(std::bit_width(words_[i]));
    return 0;
  }
  [[nodiscard]] bool is_power_of_2() const { return width() > 0 && cut(width() - 1).width() == 0; }
  /// 128 bits from bit `position` on.
  [[nodiscard]] Wide bits_from(std::size_t position) const {
    Wide value = 0;
    for (unsigned i = 0; i < kWideBits && position + i < kMostBits; ++i)
      if (bit(position + i)) value |= Wide{1} << i;
    return value;
  }
  /// Shifted to the left, where it fits.
  [[nodiscard]] Magnitude shifted(unsigned by) const {
    Magnitude value;
    const std::size_t words = by / kWordBits;
    const unsigned bits = by % kWordBits;
    for (std::size_t i = kWords; i-- > words;) {
      value.words_[i] = words_[i - words] << bits;
      if (bits != 0 && i > words) value.words_[i] |= words_[i - words - 1] >> (kWordBits - bits);
    }
    return value;
  }

 private:
  std::array<std::uint64_t, kWords> words_{};
};

struct WideInteger {
  bool negative = false;
  Magnitude magnitude;
};

bool is_signed(const TypeNode& type) {
  return type.cls == TypeClass::kInteger && type.sign == SignScheme::kTwosComplement;
}

WideInteger read_wide(const TypeNode& type, const LittleBytes& bytes) {
  WideInteger value;
  value.magnitude = Magnitude::read(bytes, type.bit_offset, type.precision);
  value.negative = is_signed(type) && value.magnitude.bit(type.precision - 1);
  if (value.negative) value.magnitude = value.magnitude.negated(type.precision);
  return value;
}

struct WideResult {
  Magnitude bits;
  int exception = kNoException;
};

WideResult largest_of(const TypeNode& type, ConvertException why) {
  const std::size_t width = type.precision - (is_signed(type) ? 1 : 0);
  return {Magnitude::mask(width), exception_code(why)};
}

WideResult lowest_of(const TypeNode& type, ConvertException why) {
  Magnitude bits;
  if (is_signed(type)) bits = Magnitude(1).shifted(static_cast<unsigned>(type.precision - 1));
  return {bits, exception_code(why)};
}

WideResult fit_wide(const TypeNode& type, const WideInteger& value) {
  const std::size_t width = type.precision;
  const unsigned needs = value.magnitude.width();
  if (type.cls == TypeClass::kBitfield)
    return {value.magnitude.cut(width),
            needs > width ? exception_code(ConvertException::kRangeHigh) : kNoException};
  const std::size_t room = is_signed(type) ? width - 1 : width;
  if (!value.negative)
    return needs > room ? largest_of(type, ConvertException::kRangeHigh)
                        : WideResult{value.magnitude, kNoException};
  const bool is_lowest = is_signed(type) && needs == width && value.magnitude.is_power_of_2();
  if (!is_signed(type) || (needs > room && !is_lowest))
    return lowest_of(type, ConvertException::kRangeLow);
  return {value.magnitude.negated(width), kNoException};
}

/// A floating-point number without its fraction.
WideResult fit_wide(const TypeNode& type, const NumberValue& value) {
  if (value.kind == NumberKind::kNotANumber)
    return {Magnitude(), exception_code(ConvertException::kNotANumber)};
  if (value.kind == NumberKind::kInfinite)
    return value.negative ? lowest_of(type, ConvertException::kMinusInfinity)
                          : largest_of(type, ConvertException::kPlusInfinity);
  WideInteger whole{value.negative, Magnitude(value.magnitude)};
  bool fraction = false;
  if (value.scale < 0) {
    const auto drop = static_cast<std::uint64_t>(-value.scale);
    const bool all = drop >= kWideBits;
    const Wide rest =
        all ? value.magnitude : value.magnitude & low_mask(static_cast<unsigned>(drop));
    whole.magnitude = Magnitude(all ? Wide{0} : value.magnitude >> drop);
    fraction = rest != 0;
  } else if (value.magnitude != 0) {
    if (value.scale + bit_width(value.magnitude) > static_cast<std::int64_t>(kMostBits))
      return value.negative ? lowest_of(type, ConvertException::kRangeLow)
                            : largest_of(type, ConvertException::kRangeHigh);
    whole.magnitude = whole.magnitude.shifted(static_cast<unsigned>(value.scale));
  }
  if (whole.magnitude.width() == 0) whole.negative = false;
  WideResult result = fit_wide(type, whole);
  if (result.exception == kNoException && fraction)
    result.exception = exception_code(ConvertException::kTruncate);
  return result;
}

/// Its highest 128 bits; the last of them is set where one below is, which is all that rounding asks.
NumberValue rounded_value(const WideInteger& value) {
  NumberValue number;
  number.negative = value.negative;
  const unsigned width = value.magnitude.width();
  const unsigned drop = width > kWideBits ? width - kWideBits : 0;
  number.magnitude = value.magnitude.bits_from(drop);
  number.scale = drop;
  if (value.magnitude.cut(drop).width() != 0) number.magnitude |= 1;
  return number;
}

void write_wide(const TypeNode& type, LittleBytes& bytes, const Magnitude& bits) {
  bits.write(bytes, type.bit_offset, type.precision);
  pad_bits(bytes, 0, type.bit_offset, type.lsb_pad);
  pad_bits(bytes, type.bit_offset + type.precision, 8 * type.size, type.msb_pad);
}

class WideKernel final : public Kernel {
 public:
  explicit WideKernel(const Pair& pair)
      : source_(pair.source),
        target_(pair.destination),
        reporter_(pair.source, pair.destination, pair.options) {}

  Status run(Source src, Target dst, std::size_t n) const override {
    for (std::size_t i = 0; i < n; ++i)
      PCIO_TRY(convert_one(src.at + i * src.step, dst.at + i * dst.step));
    return {};
  }

 private:
  Status convert_one(const std::byte* src, std::byte* dst) const {
    const TypeNode& from = source_.node();
    const TypeNode& to = target_.node();
    LittleBytes in, out;
    reorder(in.at, src, from.size, from.order);
    int exception = kNoException;
    if (to.cls == TypeClass::kFloat) {
      const NumberValue value = rounded_value(read_wide(from, in));
      const FloatResult result = fit_float(to, value, Ties::kEven);
      exception = result.exception;
      write_float(to, out, value.negative, result);
    } else {
      const WideResult result = from.cls == TypeClass::kFloat ? fit_wide(to, read_float(from, in))
                                                              : fit_wide(to, read_wide(from, in));
      exception = result.exception;
      write_wide(to, out, result.bits);
    }
    return store_number(reporter_, exception, from.size, to, {src, out, dst});
  }

  Datatype source_;
  Datatype target_;
  Reporter reporter_;
};

}  // namespace

KernelPtr make_wide_number(const Pair& pair) { return std::make_shared<WideKernel>(pair); }

}  // namespace pcio::detail
