// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room type: choosing the way from one type to another; see convert.hpp.

#include "type/convert.hpp"

#include <algorithm>
#include <bit>
#include <string>

#include "type/kernel.hpp"
#include "type/native_number.hpp"

namespace pcio {

namespace detail {

namespace {

class CopyKernel final : public Kernel {
 public:
  explicit CopyKernel(std::size_t size) : size_(size) {}
  [[nodiscard]] bool is_noop() const override { return true; }
  Status run(Source src, Target dst, std::size_t n) const override {
    if (src.step == size_ && dst.step == size_) {
      std::memcpy(dst.at, src.at, n * size_);
      return {};
    }
    for (std::size_t i = 0; i < n; ++i)
      std::memcpy(dst.at + i * dst.step, src.at + i * src.step, size_);
    return {};
  }

 private:
  std::size_t size_;
};

inline std::uint16_t swapped(std::uint16_t v) { return __builtin_bswap16(v); }
inline std::uint32_t swapped(std::uint32_t v) { return __builtin_bswap32(v); }
inline std::uint64_t swapped(std::uint64_t v) { return __builtin_bswap64(v); }

template <class Word>
class WordSwapKernel final : public Kernel {
 public:
  Status run(Source src, Target dst, std::size_t n) const override {
    // Known steps let the compiler use vector shuffles.
    if (src.step == sizeof(Word) && dst.step == sizeof(Word))
      swap(src.at, sizeof(Word), dst.at, sizeof(Word), n);
    else
      swap(src.at, src.step, dst.at, dst.step, n);
    return {};
  }

 private:
  static inline __attribute__((always_inline)) void swap(const std::byte* src, std::size_t src_step,
                                                         std::byte* dst, std::size_t dst_step,
                                                         std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
      Word word;
      std::memcpy(&word, src + i * src_step, sizeof word);
      word = swapped(word);
      std::memcpy(dst + i * dst_step, &word, sizeof word);
    }
  }
};

class ByteSwapKernel final : public Kernel {
 public:
  explicit ByteSwapKernel(std::size_t size) : size_(size) {}
  Status run(Source src, Target dst, std::size_t n) const override {
    for (std::size_t i = 0; i < n; ++i)
      std::reverse_copy(src.at + i * src.step, src.at + i * src.step + size_,
                        dst.at + i * dst.step);
    return {};
  }

 private:
  std::size_t size_;
};

/// Same type except that one is little- and the other big-endian.
///
/// For integers libhdf5 looks at nothing but size, order and a bit offset of 0: sign and precision
/// may differ, and bytes are swapped without a look at the value. So does this.
bool differ_in_order_only(const Datatype& a, const Datatype& b) {
  const TypeNode& x = a.node();
  const TypeNode& y = b.node();
  const auto plain = [](ByteOrder o) { return o == ByteOrder::kLittle || o == ByteOrder::kBig; };
  if (x.cls != y.cls || x.order == y.order || !plain(x.order) || !plain(y.order)) return false;
  if (x.cls == TypeClass::kInteger)
    return x.size == y.size && x.bit_offset == 0 && y.bit_offset == 0;
  Datatype same = b;
  if (!same.set_order(x.order).ok()) return false;
  // Of floating-point numbers it does not look at the padding either.
  if (x.cls == TypeClass::kFloat && !same.set_pads(x.lsb_pad, x.msb_pad).ok()) return false;
  return same == a;
}

/// False where a compound in the type has space between or behind its members.
bool names_every_byte(const Datatype& type) {
  if (type.type_class() == TypeClass::kArray) return names_every_byte(*type.node().super);
  if (type.type_class() != TypeClass::kCompound) return true;
  std::size_t named = 0;
  for (const CompoundMember& member : type.members()) {
    if (!names_every_byte(member.type)) return false;
    named += member.type.size();
  }
  return named == type.size();
}

Result<KernelPtr> make_reference(const Pair& pair) {
  const TypeNode& src = pair.source.node();
  const TypeNode& dst = pair.destination.node();
  if (src.reference != dst.reference || src.newer_reference != dst.newer_reference ||
      src.size != dst.size)
    return PCIO_ERROR(DATATYPE, UNSUPPORTED, "can't convert between these kinds of references");
  return make_copy(src.size);
}

const char* class_name(const Datatype& type) {
  static constexpr const char* kNames[] = {"integer",  "float",  "time",     "string",
                                           "bitfield", "opaque", "compound", "reference",
                                           "enum",     "vlen",   "array"};
  return type.is_variable_string() ? "variable-length string"
                                   : kNames[static_cast<int>(type.type_class())];
}

}  // namespace

std::string pair_name(const Pair& pair) {
  return std::string(class_name(pair.source)) + " of " + std::to_string(pair.source.size()) +
         " bytes to " + class_name(pair.destination) + " of " +
         std::to_string(pair.destination.size()) + " bytes";
}

KernelPtr make_copy(std::size_t size) { return std::make_shared<CopyKernel>(size); }

KernelPtr make_swap(std::size_t size) {
  switch (size) {
    case 1: return make_copy(1);
    case 2: return std::make_shared<WordSwapKernel<std::uint16_t>>();
    case 4: return std::make_shared<WordSwapKernel<std::uint32_t>>();
    case 8: return std::make_shared<WordSwapKernel<std::uint64_t>>();
    default: return std::make_shared<ByteSwapKernel>(size);
  }
}

Result<KernelPtr> make_kernel(const Pair& pair) {
  const TypeClass from = pair.source.type_class();
  const TypeClass to = pair.destination.type_class();
  const auto both = [from, to](TypeClass cls) { return from == cls && to == cls; };
  const auto numeric = [](TypeClass c) {
    return c == TypeClass::kInteger || c == TypeClass::kFloat;
  };
  if (KernelPtr foreign = make_foreign(pair)) return foreign;
  if (both(TypeClass::kVlen)) return make_sequence(pair);
  if (both(TypeClass::kReference)) return make_reference(pair);
  if (pair.source == pair.destination && pair.source.is_fixed() && names_every_byte(pair.source))
    return make_copy(pair.source.size());
  if (differ_in_order_only(pair.source, pair.destination)) return make_swap(pair.source.size());
  if (numeric(from) && numeric(to)) {
    if (KernelPtr native = make_native(pair)) return native;
    return make_number(pair);
  }
  if (both(TypeClass::kBitfield)) return make_number(pair);
  if (both(TypeClass::kString)) return make_text(pair);
  if (from == TypeClass::kEnum && (to == TypeClass::kEnum || numeric(to))) return make_enum(pair);
  if (both(TypeClass::kArray)) return make_array(pair);
  if (both(TypeClass::kCompound)) return make_compound(pair);
  return PCIO_ERROR(DATATYPE, UNSUPPORTED, "no way to convert " + pair_name(pair));
}

}  // namespace detail

Result<Conversion> Conversion::make(const Datatype& source, const Datatype& destination,
                                    const ConvertOptions& options) {
  // Equal elements are moved whole, and what lies between their members with them. Inside an
  // element that is converted nothing but members is moved.
  const bool equal = source == destination && source.is_fixed();
  PCIO_ASSIGN(detail::KernelPtr kernel,
              equal ? Result<detail::KernelPtr>(detail::make_copy(source.size()))
                    : detail::make_kernel({source, destination, options}));
  Conversion conversion;
  conversion.kernel_ = std::move(kernel);
  conversion.source_size_ = source.size();
  conversion.destination_size_ = destination.size();
  conversion.may_call_program_ = !conversion.is_noop() && (options.on_exception || options.foreign);
  return conversion;
}

bool Conversion::is_noop() const { return kernel_->is_noop(); }
bool Conversion::needs_background() const { return kernel_->needs_background(); }
bool Conversion::leaves_gaps() const { return kernel_->leaves_gaps(); }

Status Conversion::run(const std::byte* src, std::byte* dst, std::size_t n) const {
  return run_strided(src, source_size_, dst, destination_size_, n);
}

Status Conversion::run_strided(const std::byte* src, std::size_t src_step, std::byte* dst,
                               std::size_t dst_step, std::size_t n) const {
  if (n == 0) return {};
  return kernel_->run({src, src_step}, {dst, dst_step}, n);
}

}  // namespace pcio
