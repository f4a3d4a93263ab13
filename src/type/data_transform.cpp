// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room type: evaluation of data transforms; parsing is in data_transform_parse.cpp.

#include "type/data_transform.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <type_traits>

#include "type/native_number.hpp"

namespace pcio {

namespace {

using detail::NativeCode;
using detail::TransformConstant;
using detail::TransformStep;

/// Elements that are worked on at once: small enough for the nearest cache.
constexpr std::size_t kBlock = 512;

/// The integer that x86-64 makes of a double: its lowest value where the double does not fit.
template <class I>
I truncated(double value) {
  constexpr double kLow = static_cast<double>(std::numeric_limits<I>::min());
  return value >= kLow && value < -kLow ? static_cast<I>(value) : std::numeric_limits<I>::min();
}

/// A double as an element: small integers take the low bits of a 32-bit one, 32-bit unsigned ones
/// those of a 64-bit one, and the upper half of 64-bit unsigned ones is moved down and up again.
template <class T>
T stored(double value) {
  if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(value);
  } else if constexpr (sizeof(T) < 4 || std::is_same_v<T, std::int32_t>) {
    return static_cast<T>(truncated<std::int32_t>(value));
  } else if constexpr (!std::is_same_v<T, std::uint64_t>) {
    return static_cast<T>(truncated<std::int64_t>(value));
  } else {
    constexpr double kHalf = 9223372036854775808.0;
    if (!(value >= kHalf)) return static_cast<T>(truncated<std::int64_t>(value));
    return static_cast<T>(truncated<std::int64_t>(value - kHalf)) ^ (T{1} << 63);
  }
}

template <class T>
T stored(const TransformConstant& c) {
  return c.integral ? static_cast<T>(c.integer) : stored<T>(c.real);
}

double operate(char op, double a, double b) {
  switch (op) {
    case '+': return a + b;
    case '-': return a - b;
    case '*': return a * b;
    default: return a / b;
  }
}

Status zero_divisor() {
  return PCIO_ERROR(ARGS, BADVALUE, "data transform: an integer is divided by zero");
}

/// Elements of type T on a stack of blocks; a constant takes a place there, but no block is filled.
template <class T>
class Evaluator {
 public:
  Evaluator(const std::vector<TransformStep>& steps, unsigned depth)
      : steps_(steps), constants_(depth), values_(depth * kBlock) {}

  Status run(std::byte* data, std::uint64_t n) {
    for (std::uint64_t done = 0; done < n; done += kBlock) {
      count_ = static_cast<std::size_t>(std::min<std::uint64_t>(kBlock, n - done));
      std::byte* at = data + done * sizeof(T);
      PCIO_TRY(evaluate(at));
      std::memcpy(at, block(0), count_ * sizeof(T));
    }
    return Status();
  }

 private:
  T* block(std::size_t place) { return values_.data() + place * kBlock; }

  Status evaluate(const std::byte* elements) {
    used_ = 0;
    for (const TransformStep& step : steps_) {
      if (step.kind == TransformStep::Kind::kOperator) {
        --used_;
        PCIO_TRY(combine(step.op, used_ - 1));
        continue;
      }
      constants_[used_] = step.kind == TransformStep::Kind::kConstant ? &step.constant : nullptr;
      if (step.kind == TransformStep::Kind::kElement)
        std::memcpy(block(used_), elements, count_ * sizeof(T));
      ++used_;
    }
    if (constants_[0] != nullptr) std::fill_n(block(0), count_, stored<T>(*constants_[0]));
    return Status();
  }

  /// The values at `place` and above it become one. Two constants have become one in the parser.
  Status combine(char op, std::size_t place) {
    T* a = block(place);
    const T* b = block(place + 1);
    if (const TransformConstant* right = constants_[place + 1]; right != nullptr) {
      const double c = right->value();
      for (std::size_t i = 0; i < count_; ++i)
        a[i] = stored<T>(operate(op, static_cast<double>(a[i]), c));
      return Status();
    }
    if (const TransformConstant* left = constants_[place]; left != nullptr) {
      const double c = left->value();
      for (std::size_t i = 0; i < count_; ++i)
        a[i] = stored<T>(operate(op, c, static_cast<double>(b[i])));
      constants_[place] = nullptr;
      return Status();
    }
    return elementwise(op, a, b);
  }

  Status elementwise(char op, T* a, const T* b) const {
    if constexpr (std::is_integral_v<T>) {
      // Unsigned and at least as wide as int: wrapping is defined there.
      using U = std::common_type_t<std::make_unsigned_t<T>, unsigned>;
      if (op == '/') return divide(a, b);
      for (std::size_t i = 0; i < count_; ++i) {
        // NOLINTNEXTLINE(bugprone-signed-char-misuse): the low bits are the same.
        const U x = static_cast<U>(a[i]), y = static_cast<U>(b[i]);
        a[i] = static_cast<T>(op == '+' ? x + y : op == '-' ? x - y : x * y);
      }
    } else {
      for (std::size_t i = 0; i < count_; ++i) {
        const T x = a[i], y = b[i];
        a[i] = op == '+' ? x + y : op == '-' ? x - y : op == '*' ? x * y : x / y;
      }
    }
    return Status();
  }

  Status divide(T* a, const T* b) const {
    for (std::size_t i = 0; i < count_; ++i) {
      if (b[i] == 0) return zero_divisor();
      // The lowest number divided by -1 does not fit: it stays.
      bool negates = std::is_signed_v<T> && b[i] == static_cast<T>(-1);
      a[i] = negates ? static_cast<T>(0U - static_cast<std::make_unsigned_t<T>>(a[i]))
                     : static_cast<T>(a[i] / b[i]);
    }
    return Status();
  }

  const std::vector<TransformStep>& steps_;
  std::vector<const TransformConstant*> constants_;
  std::vector<T> values_;
  std::size_t used_ = 0;
  std::size_t count_ = 0;
};

}  // namespace

bool DataTransform::is_identity() const {
  return steps_.size() == 1 && steps_.front().kind == TransformStep::Kind::kElement;
}

Status DataTransform::check(const Datatype& type) const {
  if (is_identity()) return Status();
  std::optional<detail::NativeNumber> number = detail::native_number(type);
  if (!number || number->swapped)
    return PCIO_ERROR(DATATYPE, BADTYPE,
                      "a data transform needs integers or floating-point numbers of the machine "
                      "in memory");
  return Status();
}

Status DataTransform::apply(std::byte* data, std::uint64_t n, const Datatype& type) const {
  PCIO_TRY(check(type));
  if (is_identity() || n == 0) return Status();
  switch (detail::native_number(type)->code) {
    case NativeCode::kI8: return Evaluator<std::int8_t>(steps_, stack_).run(data, n);
    case NativeCode::kU8: return Evaluator<std::uint8_t>(steps_, stack_).run(data, n);
    case NativeCode::kI16: return Evaluator<std::int16_t>(steps_, stack_).run(data, n);
    case NativeCode::kU16: return Evaluator<std::uint16_t>(steps_, stack_).run(data, n);
    case NativeCode::kI32: return Evaluator<std::int32_t>(steps_, stack_).run(data, n);
    case NativeCode::kU32: return Evaluator<std::uint32_t>(steps_, stack_).run(data, n);
    case NativeCode::kI64: return Evaluator<std::int64_t>(steps_, stack_).run(data, n);
    case NativeCode::kU64: return Evaluator<std::uint64_t>(steps_, stack_).run(data, n);
    case NativeCode::kFloat: return Evaluator<float>(steps_, stack_).run(data, n);
    case NativeCode::kDouble: return Evaluator<double>(steps_, stack_).run(data, n);
    case NativeCode::kLongDouble: return Evaluator<long double>(steps_, stack_).run(data, n);
  }
  return PCIO_ERROR(DATATYPE, BADTYPE, "a data transform needs numbers of the machine in memory");
}

}  // namespace pcio
