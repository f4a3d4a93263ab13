// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room type: conversion of fixed-length strings and of enumerations.

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "type/kernel.hpp"

namespace pcio::detail {

namespace {

/// Copies the text and gives it the padding of the destination; what does not fit is cut off, and a
/// NUL-terminated string keeps its NUL.
class TextKernel final : public Kernel {
 public:
  explicit TextKernel(const Pair& pair) : source_(pair.source), target_(pair.destination) {}

  Status run(Source src, Target dst, std::size_t n) const override {
    const std::size_t size = target_.size();
    const StringPad pad = target_.node().string_pad;
    const std::size_t room = pad == StringPad::kNullTerminated ? size - 1 : size;
    const unsigned char fill = pad == StringPad::kSpacePadded ? ' ' : '\0';
    for (std::size_t i = 0; i < n; ++i) {
      const auto* from = reinterpret_cast<const char*>(src.at + i * src.step);
      auto* to = reinterpret_cast<char*>(dst.at + i * dst.step);
      const std::size_t length = std::min(text_length(from), room);
      std::memcpy(to, from, length);
      std::memset(to + length, fill, size - length);
    }
    return {};
  }

 private:
  [[nodiscard]] std::size_t text_length(const char* text) const {
    const std::size_t size = source_.size();
    if (source_.node().string_pad != StringPad::kSpacePadded) return ::strnlen(text, size);
    std::size_t length = size;
    while (length > 0 && text[length - 1] == ' ') --length;
    return length;
  }

  Datatype source_;
  Datatype target_;
};

std::string_view as_key(const std::byte* value, std::size_t size) {
  return {reinterpret_cast<const char*>(value), size};
}

/// Values are matched by the names of their symbols.
class EnumKernel final : public Kernel {
 public:
  explicit EnumKernel(const Pair& pair)
      : source_(pair.source),
        target_(pair.destination),
        reporter_(pair.source, pair.destination, pair.options) {}

  /// Symbols that the destination lacks are refused, as libhdf5 does, but where all of them come behind its own by name:
  /// their values are then without a name.
  Status prepare() {
    std::unordered_map<std::string_view, const EnumMember*> by_name;
    std::string_view last;
    for (const EnumMember& symbol : target_.enum_members()) {
      by_name.emplace(symbol.name, &symbol);
      last = std::max<std::string_view>(last, symbol.name);
    }
    for (const EnumMember& symbol : source_.enum_members()) {
      const auto found = by_name.find(symbol.name);
      if (found == by_name.end() && !by_name.empty() && symbol.name > last) {
        has_all_ = false;
        continue;
      }
      if (found == by_name.end())
        return PCIO_ERROR(DATATYPE, UNSUPPORTED,
                          "enumeration symbol '" + symbol.name + "' is not in the destination");
      targets_.emplace(as_key(symbol.value.data(), source_.size()), found->second->value.data());
    }
    return {};
  }

  /// Every symbol keeps its value: then values without a name keep theirs, too.
  [[nodiscard]] bool changes_nothing() const {
    if (!has_all_ || !(*source_.node().super == *target_.node().super)) return false;
    return std::all_of(targets_.begin(), targets_.end(), [this](const auto& entry) {
      return entry.first == as_key(entry.second, target_.size());
    });
  }

  Status run(Source src, Target dst, std::size_t n) const override {
    for (std::size_t i = 0; i < n; ++i) {
      const std::byte* from = src.at + i * src.step;
      std::byte* to = dst.at + i * dst.step;
      const auto found = targets_.find(as_key(from, source_.size()));
      if (found != targets_.end())
        std::memcpy(to, found->second, target_.size());
      else
        PCIO_TRY(unknown(from, to));
    }
    return {};
  }

 private:
  /// A value without a name becomes all ones, which a reader will hardly take for a symbol.
  Status unknown(const std::byte* from, std::byte* to) const {
    const ExceptionAnswer answer = reporter_.report(ConvertException::kRangeHigh, from, to);
    if (answer == ExceptionAnswer::kAbort)
      return PCIO_ERROR(DATATYPE, CANTCONVERT, "the exception callback aborted the conversion");
    if (answer == ExceptionAnswer::kUnhandled) std::memset(to, 0xff, target_.size());
    return {};
  }

  Datatype source_;
  Datatype target_;
  Reporter reporter_;
  std::unordered_map<std::string_view, const std::byte*> targets_;
  bool has_all_ = true;
};

}  // namespace

Result<KernelPtr> make_text(const Pair& pair) {
  if (pair.source.node().cset != pair.destination.node().cset)
    return PCIO_ERROR(DATATYPE, UNSUPPORTED, "no way to convert between character sets");
  return std::make_shared<TextKernel>(pair);
}

Result<KernelPtr> make_enum(const Pair& pair) {
  // To a number: the values of the enumeration are numbers of its base type.
  if (pair.destination.type_class() != TypeClass::kEnum) {
    PCIO_ASSIGN(const Datatype base, pair.source.super());
    return make_kernel({base, pair.destination, pair.options});
  }
  auto kernel = std::make_shared<EnumKernel>(pair);
  PCIO_TRY(kernel->prepare());
  if (kernel->changes_nothing()) return make_copy(pair.source.size());
  return kernel;
}

}  // namespace pcio::detail
