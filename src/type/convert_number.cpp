// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room type: conversion among integers, floating-point numbers and bit fields of any layout.
//
// Each element is read into a sign and 128 bits, and written from them. Rules, as observed on
// libhdf5 1.10.8: integers are clamped, bit fields are cut; floating-point results are rounded to
// nearest (ties away from zero, but to even for integers), overflow to infinity, and NaN gets all
// mantissa bits; positions of floating-point fields ignore the bit offset, but padding doesn't.

#include <algorithm>
#include <limits>

#include "base/checked.hpp"
#include "type/number_value.hpp"

namespace pcio::detail {

namespace {

/// value / 2^shift rounded to nearest; sets `inexact`.
Wide shift_rounded(Wide value, std::int64_t shift, Ties ties, bool& inexact) {
  if (shift <= 0) return value << -shift;
  if (shift > kWideBits) {
    inexact = inexact || value != 0;
    return 0;
  }
  const auto width = static_cast<unsigned>(shift);
  const Wide whole = width == kWideBits ? 0 : value >> width;
  const Wide dropped = value & low_mask(width);
  const Wide half = Wide{1} << (width - 1);
  inexact = inexact || dropped != 0;
  if (dropped == half && ties == Ties::kEven) return whole + (whole & 1);
  return whole + (dropped >= half ? 1 : 0);
}

// ---- integers and bit fields ----

NumberValue read_integer(const TypeNode& type, const LittleBytes& bytes) {
  NumberValue value;
  const auto width = static_cast<unsigned>(type.precision);
  value.magnitude = get_bits(bytes, type.bit_offset, width);
  const bool is_signed =
      type.cls == TypeClass::kInteger && type.sign == SignScheme::kTwosComplement;
  if (is_signed && (value.magnitude >> (width - 1) & 1) != 0) {
    value.negative = true;
    value.magnitude = (~value.magnitude + 1) & low_mask(width);
  }
  return value;
}

/// Drops the fraction of a finite value; false where its integer part needs more than 128 bits.
bool truncate(NumberValue& value, bool& fraction) {
  if (value.scale < 0) {
    const auto drop = static_cast<std::uint64_t>(-value.scale);
    if (drop >= kWideBits) {
      fraction = value.magnitude != 0;
      value.magnitude = 0;
    } else {
      fraction = (value.magnitude & low_mask(static_cast<unsigned>(drop))) != 0;
      value.magnitude >>= drop;
    }
  } else if (value.magnitude != 0) {
    if (value.scale + bit_width(value.magnitude) > static_cast<std::int64_t>(kWideBits))
      return false;
    value.magnitude <<= value.scale;
  }
  value.scale = 0;
  return true;
}

/// The bits that an integer or bit field of `type` gets for `value`, and the exception if any.
struct IntegerResult {
  Wide bits = 0;
  int exception = kNoException;
};

IntegerResult fit_integer(const TypeNode& type, NumberValue value) {
  const auto width = static_cast<unsigned>(type.precision);
  // A bit field is no number: what does not fit is cut off.
  if (type.cls == TypeClass::kBitfield)
    return {value.magnitude & low_mask(width), value.magnitude > low_mask(width)
                                                   ? exception_code(ConvertException::kRangeHigh)
                                                   : kNoException};
  const bool is_signed =
      type.cls == TypeClass::kInteger && type.sign == SignScheme::kTwosComplement;
  const Wide largest = low_mask(is_signed ? width - 1 : width);
  const Wide lowest = is_signed ? largest + 1 : 0;  // magnitude of the smallest value
  const Wide lowest_bits = (~lowest + 1) & low_mask(width);
  if (value.kind == NumberKind::kNotANumber)
    return {0, exception_code(ConvertException::kNotANumber)};
  if (value.kind == NumberKind::kInfinite)
    return value.negative
               ? IntegerResult{lowest_bits, exception_code(ConvertException::kMinusInfinity)}
               : IntegerResult{largest, exception_code(ConvertException::kPlusInfinity)};
  bool fraction = false;
  const bool fits = truncate(value, fraction);
  if (!value.negative && (!fits || value.magnitude > largest))
    return {largest, exception_code(ConvertException::kRangeHigh)};
  if (value.negative && (!fits || value.magnitude > lowest))
    return {lowest_bits, exception_code(ConvertException::kRangeLow)};
  const Wide bits = value.negative ? (~value.magnitude + 1) & low_mask(width) : value.magnitude;
  return {bits, fraction ? exception_code(ConvertException::kTruncate) : kNoException};
}

void write_integer(const TypeNode& type, LittleBytes& bytes, Wide bits) {
  set_bits(bytes, type.bit_offset, static_cast<unsigned>(type.precision), bits);
  pad_bits(bytes, 0, type.bit_offset, type.lsb_pad);
  pad_bits(bytes, type.bit_offset + type.precision, 8 * type.size, type.msb_pad);
}

// ---- floating-point numbers ----

/// Bits of the significand behind the binary point: the mantissa, less a leading one that is stored.
unsigned fraction_bits(const FloatFields& f) {
  return f.norm == Normalization::kImplied ? f.mantissa_size : f.mantissa_size - 1;
}

FloatResult infinity(const FloatFields& f, int exception) {
  const bool stored_one = f.norm != Normalization::kImplied;
  return {low_mask(f.exponent_size), stored_one ? Wide{1} << fraction_bits(f) : Wide{0}, exception};
}

}  // namespace

NumberValue read_float(const TypeNode& type, const LittleBytes& bytes) {
  const FloatFields& f = type.fields;
  NumberValue value;
  value.negative = get_bits(bytes, f.sign_position, 1) != 0;
  const Wide exponent = get_bits(bytes, f.exponent_position, f.exponent_size);
  Wide mantissa = get_bits(bytes, f.mantissa_position, f.mantissa_size);
  if (exponent == low_mask(f.exponent_size)) {
    // A stored leading one is set in infinity, too.
    if (f.norm != Normalization::kImplied) mantissa &= low_mask(fraction_bits(f));
    value.kind = mantissa == 0 ? NumberKind::kInfinite : NumberKind::kNotANumber;
    return value;
  }
  if (exponent != 0 && f.norm == Normalization::kImplied) mantissa |= Wide{1} << f.mantissa_size;
  const std::int64_t biased = exponent == 0 ? 1 : static_cast<std::int64_t>(exponent);
  value.magnitude = mantissa;
  value.scale = biased - static_cast<std::int64_t>(f.exponent_bias) - fraction_bits(f);
  return value;
}

FloatResult fit_float(const TypeNode& type, const NumberValue& value, Ties ties) {
  const FloatFields& f = type.fields;
  if (value.kind == NumberKind::kNotANumber)
    return {low_mask(f.exponent_size), low_mask(f.mantissa_size),
            exception_code(ConvertException::kNotANumber)};
  if (value.kind == NumberKind::kInfinite)
    return infinity(f, exception_code(value.negative ? ConvertException::kMinusInfinity
                                                     : ConvertException::kPlusInfinity));
  if (value.magnitude == 0) return {};
  const auto bias = static_cast<std::int64_t>(f.exponent_bias);
  const std::int64_t point = fraction_bits(f);
  // Biased exponent of the leading one; a subnormal result is scaled as if it were 1.
  std::int64_t exponent = value.scale + bit_width(value.magnitude) - 1 + bias;
  const std::int64_t shift = std::max<std::int64_t>(exponent, 1) - bias - point - value.scale;
  bool inexact = false;
  Wide mantissa = shift_rounded(value.magnitude, shift, ties, inexact);
  if (exponent < 1) exponent = mantissa >> point != 0 ? 1 : 0;  // rounded up to a normal number
  const auto above = static_cast<std::int64_t>(low_mask(f.exponent_size));
  if (mantissa >> point > 1) {
    // As libhdf5 has it, rounding alone does not make a floating-point number infinite.
    if (exponent + 1 == above && ties == Ties::kAway)
      return {static_cast<Wide>(exponent), low_mask(f.mantissa_size),
              exception_code(ConvertException::kPrecision)};
    mantissa >>= 1;
    ++exponent;
  }
  if (exponent >= above)
    return infinity(f, exception_code(value.negative ? ConvertException::kRangeLow
                                                     : ConvertException::kRangeHigh));
  return {static_cast<Wide>(exponent), mantissa & low_mask(f.mantissa_size),
          inexact ? exception_code(ConvertException::kPrecision) : kNoException};
}

void write_float(const TypeNode& type, LittleBytes& bytes, bool negative, const FloatResult& r) {
  const FloatFields& f = type.fields;
  pad_bits(bytes, 0, 8 * type.size, f.inner_pad);
  set_bits(bytes, f.mantissa_position, f.mantissa_size, r.mantissa);
  set_bits(bytes, f.exponent_position, f.exponent_size, r.exponent);
  set_bits(bytes, f.sign_position, 1, negative ? 1 : 0);
  pad_bits(bytes, 0, type.bit_offset, type.lsb_pad);
  pad_bits(bytes, type.bit_offset + type.precision, 8 * type.size, type.msb_pad);
}

Status store_number(const Reporter& reporter, int exception, std::size_t source_size,
                    const TypeNode& to, const NumberTarget& target) {
  if (exception == kNoException || !reporter.active()) {
    reorder(target.at, target.out.at, to.size, to.order);
    return {};
  }
  alignas(16) std::byte source[kMaxNumberSize];
  alignas(16) std::byte result[kMaxNumberSize];
  std::memcpy(source, target.source, source_size);
  std::memcpy(result, target.at, to.size);
  switch (reporter.report(static_cast<ConvertException>(exception), source, result)) {
    case ExceptionAnswer::kAbort:
      return PCIO_ERROR(DATATYPE, CANTCONVERT, "the exception callback aborted the conversion");
    case ExceptionAnswer::kHandled: std::memcpy(target.at, result, to.size); break;
    case ExceptionAnswer::kUnhandled: reorder(target.at, target.out.at, to.size, to.order); break;
  }
  return {};
}

namespace {

// ---- the kernel ----

class NumberKernel final : public Kernel {
 public:
  explicit NumberKernel(const Pair& pair)
      : source_(pair.source),
        target_(pair.destination),
        reporter_(pair.source, pair.destination, pair.options),
        from_float_(source_.type_class() == TypeClass::kFloat),
        to_float_(target_.type_class() == TypeClass::kFloat) {}

  Status run(Source src, Target dst, std::size_t n) const override {
    for (std::size_t i = 0; i < n; ++i)
      PCIO_TRY(convert_one(src.at + i * src.step, dst.at + i * dst.step));
    return {};
  }

 private:
  Status convert_one(const std::byte* src, std::byte* dst) const {
    const TypeNode& from = source_.node();
    const TypeNode& to = target_.node();
    LittleBytes in;
    reorder(in.at, src, from.size, from.order);
    const NumberValue value = from_float_ ? read_float(from, in) : read_integer(from, in);
    LittleBytes out;
    int exception = kNoException;
    if (to_float_) {
      const FloatResult result = fit_float(to, value, from_float_ ? Ties::kAway : Ties::kEven);
      exception = result.exception;
      write_float(to, out, value.negative, result);
    } else {
      const IntegerResult result = fit_integer(to, value);
      exception = result.exception;
      write_integer(to, out, result.bits);
    }
    if (exception != kNoException)
      return store_number(reporter_, exception, from.size, to, {src, out, dst});
    reorder(dst, out.at, to.size, to.order);
    return {};
  }

  Datatype source_;
  Datatype target_;
  Reporter reporter_;
  bool from_float_;
  bool to_float_;
};

/// Layouts that read_* and write_* can work with; others are refused by name.
Status check_layout(const Datatype& type) {
  const TypeNode& n = type.node();
  if (n.size > kMaxNumberSize)
    return PCIO_ERROR(DATATYPE, UNSUPPORTED, "converting a number of more than 64 bytes");
  if (!fits_inside(n.bit_offset, n.precision, 8 * n.size) || n.precision == 0)
    return PCIO_ERROR(DATATYPE, UNSUPPORTED, "converting a number whose bits are not inside of it");
  if (n.cls != TypeClass::kFloat) return {};
  const FloatFields& f = n.fields;
  const bool normal = f.mantissa_size >= 1 && f.exponent_size >= 1;
  if (!normal || !fields_fit(f, 8 * n.size))
    return PCIO_ERROR(DATATYPE, UNSUPPORTED, "converting a floating-point number without fields");
  // Sums of two exponents must stay inside 64 bits, and a product inside 128.
  if (f.mantissa_size > 120 || f.exponent_size > 60 || f.exponent_bias >> 60 != 0)
    return PCIO_ERROR(DATATYPE, UNSUPPORTED,
                      "converting a floating-point number of this precision");
  return {};
}

}  // namespace

Result<KernelPtr> make_number(const Pair& pair) {
  PCIO_TRY(check_layout(pair.source));
  PCIO_TRY(check_layout(pair.destination));
  const auto is_wide = [](const TypeNode& n) {
    return n.cls != TypeClass::kFloat && n.precision > kWideBits;
  };
  if (is_wide(pair.source.node()) || is_wide(pair.destination.node()))
    return make_wide_number(pair);
  return std::make_shared<NumberKernel>(pair);
}

}  // namespace pcio::detail
