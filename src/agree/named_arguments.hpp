// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room agree: the arguments of a metadata call, in parts that have names, so that ranks that gave
// different ones can be told which.

#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/bytes.hpp"

namespace pcio {

/// What a part of a call's arguments is: a number that means something to people, or bytes of any length,
/// as encoded types, names, lists, and addresses.
enum class ArgumentKind : std::uint8_t { kBytes, kNumber };

/// What is kept of a call's arguments: of each part its name, and its value where that is a number,
/// else a hash. A value type without allocation; only the first count_ parts mean something.
///
/// Threads: thread-compatible. Collective: everything here is local.
// NOLINTBEGIN(cppcoreguidelines-pro-type-member-init): what is not initialized is not read
class ArgumentMarks {
 public:
  /// Most parts that are told apart: the last one has what is more.
  static constexpr std::size_t kMost = 24;
  static constexpr std::size_t kNone = kMost;
  /// Hash of name and kind, and value, of each part.
  using Words = std::array<std::uint64_t, 2 * kMost>;

  ArgumentMarks() = default;
  // Copies take as long as there are parts: each metadata call makes some.
  ArgumentMarks(const ArgumentMarks& other) noexcept { *this = other; }
  ArgumentMarks& operator=(const ArgumentMarks& other) noexcept {
    count_ = other.count_;
    std::copy_n(other.parts_.begin(), count_, parts_.begin());
    return *this;
  }
  ~ArgumentMarks() = default;

  void add(const char* name, ArgumentKind kind, ConstBytes part) noexcept;
  [[nodiscard]] Words words() const noexcept;
  /// The first part that another rank's words have otherwise; kNone where there is none, or where
  /// those are the words of another kind of call.
  [[nodiscard]] std::size_t first_difference(const Words& other) const noexcept;
  /// Empty where there is no such part.
  [[nodiscard]] std::string_view name_of(std::size_t part) const noexcept;
  [[nodiscard]] std::uint64_t value_of(std::size_t part) const noexcept;
  /// True where value_of is what the program gave, and not a hash.
  [[nodiscard]] bool is_number(std::size_t part) const noexcept;
  [[nodiscard]] bool empty() const noexcept { return count_ == 0; }
  /// Of all values, seeded.
  [[nodiscard]] std::uint64_t hash(std::uint64_t seed) const noexcept;

 private:
  struct Part {
    const char* name;
    std::uint64_t value;
    bool is_number;
  };
  std::array<Part, kMost> parts_;
  std::size_t count_ = 0;
};
// NOLINTEND(cppcoreguidelines-pro-type-member-init)

/// Bytes that must be equal on all ranks, as a metadata call writes them.
///
/// Threads: thread-compatible. Collective: everything here is local.
// NOLINTBEGIN(cppcoreguidelines-pro-type-member-init): as above
class NamedArguments : public ByteWriter {
 public:
  /// What is written from here on, up to the next one, is `name`: a literal, as a message tells it.
  void begin(const char* name) { begin(name, ArgumentKind::kBytes); }
  /// The part `name`, a number that may be told.
  void number(const char* name, std::uint64_t value);
  [[nodiscard]] ArgumentMarks marks() const noexcept;

 private:
  void begin(const char* name, ArgumentKind kind);

  struct Start {
    const char* name;
    ArgumentKind kind;
    std::size_t at;
  };
  std::array<Start, ArgumentMarks::kMost> starts_;
  std::size_t count_ = 0;
};
// NOLINTEND(cppcoreguidelines-pro-type-member-init)

}  // namespace pcio
