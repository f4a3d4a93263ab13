// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room filter: scale-offset: numbers as small distances from the least one.
//
// Stored: bits of a distance (4 bytes), the number 8 (1 byte), the least number (8 bytes,
// sign-extended), 8 zero bytes, then the distances, highest bit first. A distance of all ones stands
// for the fill value. With as many bits as the number has, the numbers follow as they are,
// little-endian. Floating-point numbers are multiplied by a power of ten and rounded (D-scaling).
// Source: HDF5 User's Guide, Using the Scale-offset Filter; chunks of libhdf5 1.10.8.

#include "filter/scale_offset.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "base/bytes.hpp"
#include "base/checked.hpp"
#include "filter/bit_stream.hpp"
#include "filter/standard_filters.hpp"

namespace pcio {

namespace {

constexpr std::size_t kHeader = 21;
constexpr std::size_t kScaleOffsetValues = 20;
/// Places of the parameters.
enum At : std::size_t {
  kScaleType,
  kFactor,
  kElements,
  kClass,
  kSize,
  kSign,
  kOrder,
  kHasFill,
  kFill
};
constexpr unsigned kFloatClass = 1;
/// H5Z_SO_FLOAT_DSCALE and H5Z_SO_INT.
constexpr unsigned kDScale = 0;
constexpr unsigned kIntScale = 2;

struct ScaleOffsetPlan {
  bool floating = false;
  std::size_t size = 0;  // bytes of a number
  bool is_signed = false;
  bool swap = false;  // file order is not this machine's
  std::uint64_t elements = 0;
  bool has_fill = false;
  std::uint64_t fill = 0;  // bits
  int factor = 0;
};

Result<ScaleOffsetPlan> read_scale_offset_plan(const FilterSpec& spec) {
  const auto& v = spec.values;
  if (v.size() != kScaleOffsetValues)
    return PCIO_ERROR(PLINE, BADVALUE,
                      "scale-offset needs 20 parameters, there are " + std::to_string(v.size()));
  ScaleOffsetPlan plan;
  plan.floating = v[kClass] == kFloatClass;
  plan.size = v[kSize];
  const bool size_known =
      plan.floating ? plan.size == 4 || plan.size == 8
                    : plan.size == 1 || plan.size == 2 || plan.size == 4 || plan.size == 8;
  // Only integers have a sign there; of floating-point numbers older writers left whatever was in memory.
  if (v[kClass] > kFloatClass || !size_known || (!plan.floating && v[kSign] > 1) || v[kOrder] > 1)
    return PCIO_ERROR(PLINE, BADVALUE, "scale-offset: parameters describe no number");
  if (v[kScaleType] != (plan.floating ? kDScale : kIntScale))
    return PCIO_ERROR(PLINE, BADTYPE,
                      plan.floating && v[kScaleType] == 1
                          ? "scale-offset: E-scaling (H5Z_SO_FLOAT_ESCALE) is not supported"
                          : "scale-offset: the scale type does not fit the dataset's type");
  plan.factor = static_cast<int>(v[kFactor]);
  if (!plan.floating && (plan.factor < 0 || static_cast<std::size_t>(plan.factor) > 8 * plan.size))
    return PCIO_ERROR(PLINE, BADVALUE, "scale-offset: more bits are wanted than a number has");
  plan.is_signed = !plan.floating && v[kSign] == 1;
  plan.swap = (v[kOrder] == 1) != (std::endian::native == std::endian::big);
  plan.elements = v[kElements];
  plan.has_fill = v[kHasFill] != 0;
  plan.fill = v[kFill];
  if (plan.size == 8) plan.fill |= std::uint64_t{v[kFill + 1]} << 32;
  return plan;
}

template <class T>
using BitsOf = std::conditional_t<
    sizeof(T) == 1, std::uint8_t,
    std::conditional_t<sizeof(T) == 2, std::uint16_t,
                       std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;

template <class U>
U swapped(U bits) {
  U turned = 0;
  for (std::size_t i = 0; i < sizeof(U); ++i)
    turned = static_cast<U>(turned | (bits >> (8 * i) & 0xFF) << (8 * (sizeof(U) - 1 - i)));
  return turned;
}

template <class T>
class Numbers {
 public:
  using Bits = BitsOf<T>;

  Numbers(const ScaleOffsetPlan& plan, const FilterCall& call) : plan_(plan), call_(call) {
    fill_ = std::bit_cast<T>(static_cast<Bits>(plan.fill));
  }

  Status encode() {
    if constexpr (std::is_floating_point_v<T>) {
      scale_ = power_of_ten();
      fill_width_ = T{1} / scale_;
    }
    // The user's number of bits is the number's own: nothing is done at all.
    if (!plan_.floating && plan_.factor == kBits) return copy();
    find_least();
    std::uint64_t bytes =
        kHeader + (width_ == kBits ? plan_.elements * sizeof(T) : plan_.elements * width_ / 8 + 1);
    if (bytes > call_.limit)
      return PCIO_ERROR(PLINE, CANTFILTER, "scale-offset makes the chunk larger");
    PCIO_TRY(call_.out.discard_and_resize(static_cast<std::size_t>(bytes)));
    put_header();
    width_ == kBits ? put_plain() : put_distances();
    return Status();
  }

  Status decode() {
    if constexpr (std::is_floating_point_v<T>) scale_ = power_of_ten();
    if (!plan_.floating && plan_.factor == kBits) return copy();
    if (call_.in.size() < kHeader)
      return PCIO_ERROR(PLINE, TRUNCATED, "scale-offset chunk is shorter than its header");
    ByteReader header(call_.in.first(kHeader));
    width_ = header.u32();
    // As libhdf5 has it: more bytes than there are mean all, none a least value of zero. Another filter may have
    // dropped bits of it.
    const unsigned length = std::min<unsigned>(header.u8(), 8);
    std::uint64_t least = header.u64();
    if (width_ > kBits) return PCIO_ERROR(PLINE, CANTFILTER, "scale-offset chunk is damaged");
    if (length < 8) least &= (std::uint64_t{1} << (8 * length)) - 1;
    least_ = std::bit_cast<T>(static_cast<Bits>(least));
    // Below 2^32 elements of 64 bits: no overflow.
    std::uint64_t bits = plan_.elements * width_;
    if (call_.in.size() - kHeader < (bits + 7) / 8)
      return PCIO_ERROR(PLINE, TRUNCATED, "scale-offset chunk is too short");
    if (plan_.elements * sizeof(T) > call_.limit)
      return PCIO_ERROR(PLINE, CANTFILTER,
                        "scale-offset chunk is larger than its dataset's chunks");
    PCIO_TRY(call_.out.discard_and_resize(static_cast<std::size_t>(plan_.elements * sizeof(T))));
    width_ == kBits ? get_plain() : get_distances();
    return Status();
  }

 private:
  static constexpr unsigned kBits = 8 * sizeof(T);

  [[nodiscard]] T load(std::uint64_t i) const {
    Bits bits;
    std::memcpy(&bits, call_.in.data() + i * sizeof(T), sizeof bits);
    return std::bit_cast<T>(plan_.swap ? swapped(bits) : bits);
  }
  void store(std::uint64_t i, T value) {
    Bits bits = std::bit_cast<Bits>(value);
    if (plan_.swap) bits = swapped(bits);
    std::memcpy(call_.out.data() + i * sizeof(T), &bits, sizeof bits);
  }

  [[nodiscard]] T power_of_ten() const {
    return static_cast<T>(std::pow(10.0, static_cast<double>(plan_.factor)));
  }

  [[nodiscard]] bool is_fill(T value) const {
    if (!plan_.has_fill) return false;
    if constexpr (std::is_floating_point_v<T>)
      return std::fabs(value - fill_) < fill_width_;
    else
      return value == fill_;
  }

  /// Sets least_ and width_.
  void find_least() {
    bool found = false, odd = false;
    T most{};
    for (std::uint64_t i = 0; i < plan_.elements; ++i) {
      T value = load(i);
      if constexpr (std::is_floating_point_v<T>) odd = odd || std::isnan(value);
      if (is_fill(value)) continue;
      if (!found) {
        least_ = most = value;
        found = true;
      }
      least_ = std::min(least_, value);
      most = std::max(most, value);
    }
    if constexpr (std::is_floating_point_v<T>)
      width_ = float_width(most, odd);
    else
      width_ = integer_width(most);
  }

  /// Bits for `count` distances 0 .. count-1, the fill value beside them.
  [[nodiscard]] unsigned width_for(std::uint64_t count) const {
    std::uint64_t most = plan_.has_fill ? count : count - 1;
    return static_cast<unsigned>(std::bit_width(most));
  }

  unsigned integer_width(T most) {
    if (plan_.factor > 0) return static_cast<unsigned>(plan_.factor);
    const auto span = static_cast<Bits>(static_cast<Bits>(most) - static_cast<Bits>(least_));
    if (span > std::numeric_limits<Bits>::max() - 2) {
      // Elements are stored as they are, and the least counts for nothing; as libhdf5 1.10.8 has it.
      const bool named = kBits == 8 && plan_.is_signed && !plan_.has_fill;
      if (!named) least_ = T{};
      return kBits;
    }
    return std::min(width_for(std::uint64_t{span} + 1), kBits);
  }

  unsigned float_width(T most, bool odd) {
    if constexpr (std::is_floating_point_v<T>) {
      // Distances must fit a number of the same size. A NaN has no distance: all are kept as they are.
      const T span = most * scale_ - least_ * scale_;
      if (odd || !(span <= std::ldexp(T{1}, static_cast<int>(kBits) - 1))) {
        least_ = T{};
        return kBits;
      }
      return std::min(width_for(static_cast<std::uint64_t>(std::llround(span)) + 1), kBits);
    } else {
      return kBits;
    }
  }

  [[nodiscard]] std::uint64_t distance(T value) const {
    if constexpr (std::is_floating_point_v<T>)
      return static_cast<std::uint64_t>(std::llround(value * scale_ - least_ * scale_));
    else
      return static_cast<Bits>(static_cast<Bits>(value) - static_cast<Bits>(least_));
  }
  [[nodiscard]] T number(std::uint64_t distance) const {
    if constexpr (std::is_floating_point_v<T>)
      return static_cast<T>(distance) / scale_ + least_;
    else
      return static_cast<T>(static_cast<Bits>(distance) + static_cast<Bits>(least_));
  }

  void put_header() {
    std::uint64_t least = std::bit_cast<Bits>(least_);
    if (plan_.is_signed && !plan_.floating && least_ < T{})
      least |= kBits == 64 ? 0 : ~std::uint64_t{0} << kBits % 64;
    std::byte* to = call_.out.data();
    std::memset(to, 0, kHeader);
    for (unsigned i = 0; i < 4; ++i) to[i] = static_cast<std::byte>(width_ >> (8 * i));
    to[4] = std::byte{8};
    for (unsigned i = 0; i < 8; ++i) to[5 + i] = static_cast<std::byte>(least >> (8 * i));
  }
  void put_plain() {
    std::byte* to = call_.out.data() + kHeader;
    for (std::uint64_t i = 0; i < plan_.elements; ++i, to += sizeof(T)) {
      auto bits = std::bit_cast<Bits>(load(i));
      for (unsigned k = 0; k < sizeof(T); ++k)
        to[k] = static_cast<std::byte>(bits >> (8 * k) & 0xFF);
    }
  }
  void put_distances() {
    BitWriter out(call_.out.data() + kHeader);
    for (std::uint64_t i = 0; i < plan_.elements; ++i) {
      T value = load(i);
      out.put(is_fill(value) ? ~std::uint64_t{0} : distance(value), width_);
    }
    out.finish();
  }

  void get_plain() {
    const std::byte* from = call_.in.data() + kHeader;
    for (std::uint64_t i = 0; i < plan_.elements; ++i, from += sizeof(T)) {
      Bits bits = 0;
      for (unsigned k = 0; k < sizeof(T); ++k)
        bits = static_cast<Bits>(bits | std::to_integer<std::uint64_t>(from[k]) << (8 * k));
      store(i, std::bit_cast<T>(bits));
    }
  }
  void get_distances() {
    BitReader in(call_.in.subspan(kHeader));
    const std::uint64_t fill = (std::uint64_t{1} << width_) - 1;
    for (std::uint64_t i = 0; i < plan_.elements; ++i) {
      std::uint64_t d = in.get(width_);
      store(i, plan_.has_fill && d == fill ? fill_ : number(d));
    }
  }

  Status copy() {
    PCIO_TRY(call_.out.discard_and_resize(call_.in.size()));
    copy_bytes(call_.out.data(), call_.in.data(), call_.in.size());
    return Status();
  }

  const ScaleOffsetPlan& plan_;
  const FilterCall& call_;
  T fill_{};
  T scale_{};
  T fill_width_{};
  T least_{};
  unsigned width_ = 0;
};

/// Calls `step` with the numbers of the plan's type.
template <class Step>
Status with_numbers(const ScaleOffsetPlan& plan, const FilterCall& call, Step&& step) {
  auto run = [&](auto sample) { return step(Numbers<decltype(sample)>(plan, call)); };
  if (plan.floating) return plan.size == 4 ? run(float{}) : run(double{});
  switch (plan.size) {
    case 1: return plan.is_signed ? run(std::int8_t{}) : run(std::uint8_t{});
    case 2: return plan.is_signed ? run(std::int16_t{}) : run(std::uint16_t{});
    case 4: return plan.is_signed ? run(std::int32_t{}) : run(std::uint32_t{});
    default: return plan.is_signed ? run(std::int64_t{}) : run(std::uint64_t{});
  }
}

}  // namespace

Status encode_scale_offset(const FilterCall& call) {
  PCIO_ASSIGN(ScaleOffsetPlan plan, read_scale_offset_plan(call.spec));
  if (plan.elements * plan.size != call.in.size())
    return PCIO_ERROR(PLINE, BADVALUE,
                      "scale-offset: the chunk has another size than its parameters say");
  return with_numbers(plan, call, [](auto numbers) { return numbers.encode(); });
}

Status decode_scale_offset(const FilterCall& call) {
  PCIO_ASSIGN(ScaleOffsetPlan plan, read_scale_offset_plan(call.spec));
  return with_numbers(plan, call, [](auto numbers) { return numbers.decode(); });
}

Result<std::vector<unsigned>> scale_offset_parameters(const FilterSpec& spec,
                                                      const FilterSubject& subject) {
  const Datatype& type = subject.type;
  const bool floating = type.type_class() == TypeClass::kFloat;
  if (!floating && type.type_class() != TypeClass::kInteger)
    return PCIO_ERROR(PLINE, BADTYPE,
                      "scale-offset codes integers and floating-point numbers only");
  const std::size_t size = type.size();
  const bool native =
      floating ? size == 4 || size == 8 : size == 1 || size == 2 || size == 4 || size == 8;
  if (!native)
    return PCIO_ERROR(PLINE, BADTYPE,
                      "scale-offset can't code numbers of " + std::to_string(size) + " bytes");
  PCIO_ASSIGN(ByteOrder order, type.order());
  if (order != ByteOrder::kLittle && order != ByteOrder::kBig)
    return PCIO_ERROR(PLINE, BADTYPE, "scale-offset: numbers are neither little- nor big-endian");
  auto elements = subject.chunk.volume();
  if (!elements || *elements > std::numeric_limits<unsigned>::max())
    return PCIO_ERROR(PLINE, BADRANGE, "scale-offset: a chunk has 2^32 elements or more");
  std::vector<unsigned> values = spec.values;
  values.resize(2);
  values.resize(kScaleOffsetValues);
  values[kElements] = static_cast<unsigned>(*elements);
  values[kClass] = floating ? kFloatClass : 0;
  values[kSize] = static_cast<unsigned>(size);
  if (!floating) {
    PCIO_ASSIGN(SignScheme sign, type.sign());
    values[kSign] = sign == SignScheme::kTwosComplement ? 1 : 0;
  }
  values[kOrder] = order == ByteOrder::kBig ? 1 : 0;
  values[kHasFill] = subject.fill_state == FillState::kUndefined ? 0 : 1;
  // The fill value as this machine holds it, lowest bytes first.
  for (std::size_t i = 0; i < subject.fill.size() && i < size; ++i) {
    std::size_t rank = order == ByteOrder::kBig ? size - 1 - i : i;
    values[kFill + rank / 4] |= std::to_integer<unsigned>(subject.fill[i]) << (8 * (rank % 4));
  }
  return values;
}

}  // namespace pcio
