// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room type: conversion among the C language's own numbers, one loop per pair.
//
// Overflow gives the nearest limit of an integer and infinity of a floating-point number; rounding is
// the machine's. Foreign byte orders are swapped in blocks that stay in the first-level cache; there
// libhdf5 follows its general rules (convert_number.cpp), which differ in NaN and in ties.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "type/kernel.hpp"
#include "type/native_number.hpp"
#include "type/native_types.hpp"

namespace pcio::detail {

namespace {

template <NativeCode>
struct Number;
template <>
struct Number<NativeCode::kI8> {
  using type = std::int8_t;
};
template <>
struct Number<NativeCode::kU8> {
  using type = std::uint8_t;
};
template <>
struct Number<NativeCode::kI16> {
  using type = std::int16_t;
};
template <>
struct Number<NativeCode::kU16> {
  using type = std::uint16_t;
};
template <>
struct Number<NativeCode::kI32> {
  using type = std::int32_t;
};
template <>
struct Number<NativeCode::kU32> {
  using type = std::uint32_t;
};
template <>
struct Number<NativeCode::kI64> {
  using type = std::int64_t;
};
template <>
struct Number<NativeCode::kU64> {
  using type = std::uint64_t;
};
template <>
struct Number<NativeCode::kFloat> {
  using type = float;
};
template <>
struct Number<NativeCode::kDouble> {
  using type = double;
};
template <>
struct Number<NativeCode::kLongDouble> {
  using type = long double;
};

/// Largest value of D that S can hold exactly or below; as a value of S.
template <class S, class D>
constexpr S upper_bound() {
  // 2^k of an integer type with k value bits is exact in every floating-point type.
  // NOLINTNEXTLINE(bugprone-integer-division): half of a power of two, without its overflow.
  return static_cast<S>(static_cast<S>(std::numeric_limits<D>::max() / 2 + 1) * 2);
}

/// Whose rules apply where a number can be converted in more than one way.
enum class Rules { kMachine, kGeneral };

template <class S>
constexpr bool is_nan(S v) {
  return v != v;  // NOLINT(misc-redundant-expression)
}

/// The NaN of the general rules: all bits of exponent and mantissa.
template <class D, class S>
D full_nan(S v) {
  using Word = std::conditional_t<sizeof(D) == 4, std::uint32_t, std::uint64_t>;
  const Word bits = std::signbit(v) ? ~Word{0} : ~Word{0} >> 1;
  return std::bit_cast<D>(bits);
}

/// Rounds to nearest, ties away from zero. As libhdf5 has it, rounding alone does not overflow.
inline float round_away(double v) {
  constexpr double kSmallest = std::numeric_limits<float>::min();
  // Of numbers below, all bits under 2^-149 are lost, not the last 29.
  if (std::abs(v) < kSmallest) return static_cast<float>(std::round(v * 0x1p149) * 0x1p-149);
  const auto bits = std::bit_cast<std::uint64_t>(v) + (std::uint64_t{1} << 28);
  const auto rounded = static_cast<float>(std::bit_cast<double>(bits >> 29 << 29));
  if (std::isinf(rounded) && std::abs(v) < 0x1p128)
    return std::copysign(std::numeric_limits<float>::max(), rounded);
  return rounded;
}

/// What is exceptional about converting `v`; the value stored when nobody handles it is `convert`'s.
template <class S, class D, Rules R>
struct Rule {
  static constexpr bool kGeneralFloat = R == Rules::kGeneral && std::is_floating_point_v<S>;

  static D convert(S v) {
    using Limits = std::numeric_limits<D>;
    if constexpr (kGeneralFloat && std::is_floating_point_v<D>) {
      if (is_nan(v)) return full_nan<D>(v);
      if constexpr (sizeof(D) < sizeof(S)) return round_away(v);
      return static_cast<D>(v);
    } else if constexpr (std::is_integral_v<S> && std::is_integral_v<D>) {
      if (std::cmp_greater(v, Limits::max())) return Limits::max();
      if (std::cmp_less(v, Limits::min())) return Limits::min();
      return static_cast<D>(v);
    } else if constexpr (std::is_floating_point_v<S> && std::is_integral_v<D>) {
      if (v >= upper_bound<S, D>()) return Limits::max();
      if (v > static_cast<S>(Limits::min()) - 1) return static_cast<D>(v);
      if (!is_nan(v)) return Limits::min();
      return R == Rules::kGeneral ? D{0} : not_a_number();
    } else {
      return static_cast<D>(v);
    }
  }

  /// The exception to report, or -1.
  static int exception(S v) {
    using Limits = std::numeric_limits<D>;
    if constexpr (std::is_integral_v<S> && std::is_integral_v<D>) {
      if (std::cmp_greater(v, Limits::max())) return code(ConvertException::kRangeHigh);
      if (std::cmp_less(v, Limits::min())) return code(ConvertException::kRangeLow);
      return -1;
    } else if constexpr (std::is_floating_point_v<S> && std::is_integral_v<D>) {
      if (is_nan(v)) return code(ConvertException::kNotANumber);
      if (std::isinf(v))
        return code(v > 0 ? ConvertException::kPlusInfinity : ConvertException::kMinusInfinity);
      if (v >= upper_bound<S, D>()) return code(ConvertException::kRangeHigh);
      if (v < static_cast<S>(Limits::min()) && !(v > static_cast<S>(Limits::min()) - 1))
        return code(ConvertException::kRangeLow);
      return std::trunc(v) == v ? -1 : code(ConvertException::kTruncate);
    } else if constexpr (std::is_integral_v<S>) {
      // A C cast back would overflow at the top, so the bits are counted.
      const auto magnitude = v < S{0} ? Wide{0} - static_cast<Wide>(v) : static_cast<Wide>(v);
      if (magnitude == 0) return -1;
      unsigned zeros = 0;
      while ((magnitude >> zeros & 1) == 0) ++zeros;
      const unsigned used = bit_width(magnitude) - zeros;
      return used > static_cast<unsigned>(Limits::digits) ? code(ConvertException::kPrecision) : -1;
    } else {
      if (std::isnan(v) || std::isinf(v)) return -1;
      if (v > static_cast<S>(Limits::max())) return code(ConvertException::kRangeHigh);
      if (v < static_cast<S>(Limits::lowest())) return code(ConvertException::kRangeLow);
      return -1;
    }
  }

  static constexpr int code(ConvertException e) { return static_cast<int>(e); }

  /// What x86 makes of NaN, and so what files written through libhdf5 hold: the top bit of the
  /// register, of which narrow types and 32-bit unsigned keep nothing.
  static D not_a_number() {
    if constexpr (sizeof(D) == 8 || std::is_same_v<D, std::int32_t>)
      return static_cast<D>(std::uint64_t{1} << (8 * sizeof(D) - 1));
    else
      return D{0};
  }
};

/// Bytes of a long double that are no part of its value are zero: they go into files.
template <class D>
inline void store(const D& value, std::byte* at) {
  constexpr std::size_t kUsed =
      std::is_same_v<D, long double> && std::numeric_limits<D>::digits == 64 ? 10 : sizeof(D);
  std::memcpy(at, &value, kUsed);
  if constexpr (kUsed < sizeof(D)) std::memset(at + kUsed, 0, sizeof(D) - kUsed);
}

template <class S, class D, Rules R>
inline void convert_loop(const std::byte* __restrict src, std::byte* __restrict dst,
                         std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    S v;
    std::memcpy(&v, src + i * sizeof v, sizeof v);
    store(Rule<S, D, R>::convert(v), dst + i * sizeof(D));
  }
}

/// In blocks of a length that the compiler knows, for which it uses vector instructions.
template <class S, class D, Rules R>
void convert_packed(const std::byte* src, std::byte* dst, std::size_t n) {
  constexpr std::size_t kLength = 64;
  for (; n >= kLength; n -= kLength) {
    convert_loop<S, D, R>(src, dst, kLength);
    src += kLength * sizeof(S);
    dst += kLength * sizeof(D);
  }
  convert_loop<S, D, R>(src, dst, n);
}

template <class S, class D, Rules R>
Status convert_reporting(const std::byte* src, std::byte* dst, std::size_t n,
                         const Reporter& reporter) {
  for (std::size_t i = 0; i < n; ++i) {
    S v;
    std::memcpy(&v, src + i * sizeof v, sizeof v);
    D w{};
    ExceptionAnswer answer = ExceptionAnswer::kUnhandled;
    const int what = Rule<S, D, R>::exception(v);
    if (what >= 0) answer = reporter.report(static_cast<ConvertException>(what), &v, &w);
    if (answer == ExceptionAnswer::kAbort)
      return PCIO_ERROR(DATATYPE, CANTCONVERT, "the exception callback aborted the conversion");
    if (answer == ExceptionAnswer::kUnhandled) w = Rule<S, D, R>::convert(v);
    store(w, dst + i * sizeof w);
  }
  return {};
}

struct Loops {
  void (*plain)(const std::byte*, std::byte*, std::size_t) = nullptr;
  Status (*reporting)(const std::byte*, std::byte*, std::size_t, const Reporter&) = nullptr;
  std::size_t source_size = 0;
  std::size_t target_size = 0;
};

template <Rules R, unsigned Index>
constexpr Loops make_loops() {
  using S = typename Number<static_cast<NativeCode>(Index / kNativeCodes)>::type;
  using D = typename Number<static_cast<NativeCode>(Index % kNativeCodes)>::type;
  // Rules make a difference for float and double only; long double has none but the machine's.
  constexpr bool kBoth = std::is_same_v<S, float> || std::is_same_v<S, double>;
  constexpr bool kLong = std::is_same_v<D, long double>;
  constexpr Rules kRules = kBoth && !kLong ? R : Rules::kMachine;
  return {convert_packed<S, D, kRules>, convert_reporting<S, D, kRules>, sizeof(S), sizeof(D)};
}

template <Rules R, unsigned... Index>
constexpr std::array<Loops, sizeof...(Index)> make_table(
    std::integer_sequence<unsigned, Index...>) {
  return {make_loops<R, Index>()...};
}

using AllPairs = std::make_integer_sequence<unsigned, kNativeCodes * kNativeCodes>;
constexpr auto kMachineLoops = make_table<Rules::kMachine>(AllPairs());
constexpr auto kGeneralLoops = make_table<Rules::kGeneral>(AllPairs());

const Loops& loops_of(NativeNumber from, NativeNumber to) {
  const auto& table = from.swapped || to.swapped ? kGeneralLoops : kMachineLoops;
  return table[static_cast<unsigned>(from.code) * kNativeCodes + static_cast<unsigned>(to.code)];
}

/// Gathers and swaps a block of elements, converts it packed, swaps and scatters the result.
class NativeKernel final : public Kernel {
 public:
  NativeKernel(const Pair& pair, NativeNumber from, NativeNumber to)
      : loops_(loops_of(from, to)),
        before_(from.swapped ? make_swap(loops_.source_size) : make_copy(loops_.source_size)),
        after_(to.swapped ? make_swap(loops_.target_size) : make_copy(loops_.target_size)),
        reporter_(pair.source, pair.destination, pair.options) {}

  Status run(Source src, Target dst, std::size_t n) const override {
    const bool direct_in = before_->is_noop() && src.step == loops_.source_size;
    const bool direct_out = after_->is_noop() && dst.step == loops_.target_size;
    if (direct_in && direct_out) return convert(src.at, dst.at, n);
    alignas(64) std::byte in[kBlock * kMaxSize];
    alignas(64) std::byte out[kBlock * kMaxSize];
    for (std::size_t done = 0; done < n; done += kBlock) {
      const std::size_t count = std::min(kBlock, n - done);
      const std::byte* from = src.at + done * src.step;
      std::byte* to = dst.at + done * dst.step;
      if (!direct_in) PCIO_TRY(before_->run({from, src.step}, {in, loops_.source_size}, count));
      PCIO_TRY(convert(direct_in ? from : in, direct_out ? to : out, count));
      if (!direct_out) PCIO_TRY(after_->run({out, loops_.target_size}, {to, dst.step}, count));
    }
    return {};
  }

 private:
  static constexpr std::size_t kBlock = 256;
  static constexpr std::size_t kMaxSize = sizeof(long double);

  Status convert(const std::byte* src, std::byte* dst, std::size_t n) const {
    if (reporter_.active()) return loops_.reporting(src, dst, n, reporter_);
    loops_.plain(src, dst, n);
    return {};
  }

  Loops loops_;
  KernelPtr before_;
  KernelPtr after_;
  Reporter reporter_;
};

/// The general rules are followed here only where that is cheap.
bool has_general_loop(NativeNumber from, NativeNumber to) {
  return from.code != NativeCode::kLongDouble && to.code != NativeCode::kLongDouble;
}

}  // namespace

std::optional<NativeNumber> native_number(const Datatype& type) {
  static constexpr std::pair<NativeKind, NativeCode> kKinds[] = {
      {NativeKind::NATIVE_INT8, NativeCode::kI8},
      {NativeKind::NATIVE_UINT8, NativeCode::kU8},
      {NativeKind::NATIVE_INT16, NativeCode::kI16},
      {NativeKind::NATIVE_UINT16, NativeCode::kU16},
      {NativeKind::NATIVE_INT32, NativeCode::kI32},
      {NativeKind::NATIVE_UINT32, NativeCode::kU32},
      {NativeKind::NATIVE_INT64, NativeCode::kI64},
      {NativeKind::NATIVE_UINT64, NativeCode::kU64},
      {NativeKind::NATIVE_FLOAT, NativeCode::kFloat},
      {NativeKind::NATIVE_DOUBLE, NativeCode::kDouble},
      {NativeKind::NATIVE_LDOUBLE, NativeCode::kLongDouble},
  };
  const TypeClass cls = type.type_class();
  if (cls != TypeClass::kInteger && cls != TypeClass::kFloat) return std::nullopt;
  for (const auto& [kind, code] : kKinds) {
    const Datatype native = native_type(kind);
    if (native.size() != type.size() || native.type_class() != cls) continue;
    if (native == type) return NativeNumber{code, false};
    Datatype other = native;
    const bool little = native.node().order == ByteOrder::kLittle;
    if (other.set_order(little ? ByteOrder::kBig : ByteOrder::kLittle).ok() && other == type)
      return NativeNumber{code, true};
  }
  return std::nullopt;
}

KernelPtr make_native(const Pair& pair) {
  const auto from = native_number(pair.source);
  const auto to = native_number(pair.destination);
  if (!from || !to) return nullptr;
  if ((from->swapped || to->swapped) && !has_general_loop(*from, *to)) return nullptr;
  return std::make_shared<NativeKernel>(pair, *from, *to);
}

}  // namespace pcio::detail

namespace pcio {

bool is_compiler_conversion(const Datatype& source, const Datatype& destination) {
  const auto from = detail::native_number(source);
  const auto to = detail::native_number(destination);
  return from && to && !from->swapped && !to->swapped;
}

}  // namespace pcio
