// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room agree: parts of arguments.

#include "agree/named_arguments.hpp"

#include <algorithm>

#include "agree/call_log.hpp"
#include "agree/space_hash.hpp"

namespace pcio {

void ArgumentMarks::add(const char* name, ArgumentKind kind, ConstBytes part) noexcept {
  if (count_ == kMost) return;
  Part& added = parts_[count_++];
  added.name = name;
  // The last part may have more in it.
  added.is_number = kind == ArgumentKind::kNumber && part.size() == sizeof(std::uint64_t);
  added.value = added.is_number ? ByteReader(part).u64() : hash_bytes(part, 0);
}

ArgumentMarks::Words ArgumentMarks::words() const noexcept {
  Words words{};
  for (std::size_t i = 0; i < count_; ++i) {
    words[2 * i] = hash_text(parts_[i].name, 1) + (parts_[i].is_number ? 1 : 0);
    words[2 * i + 1] = parts_[i].value;
  }
  return words;
}

std::size_t ArgumentMarks::first_difference(const Words& other) const noexcept {
  const Words mine = words();
  const auto differ = std::mismatch(mine.begin(), mine.end(), other.begin());
  const auto at = static_cast<std::size_t>(differ.first - mine.begin());
  return at < mine.size() && at % 2 == 1 ? at / 2 : kNone;
}

std::string_view ArgumentMarks::name_of(std::size_t part) const noexcept {
  return part < count_ ? parts_[part].name : "";
}

std::uint64_t ArgumentMarks::value_of(std::size_t part) const noexcept {
  return part < count_ ? parts_[part].value : 0;
}

bool ArgumentMarks::is_number(std::size_t part) const noexcept {
  return part < count_ && parts_[part].is_number;
}

std::uint64_t ArgumentMarks::hash(std::uint64_t seed) const noexcept {
  std::uint64_t hash = mix_bits(seed + count_);
  for (std::size_t i = 0; i < count_; ++i)
    hash = mix_bits(hash * kHashStep + parts_[i].value + (parts_[i].is_number ? 1 : 0));
  return hash;
}

void NamedArguments::begin(const char* name, ArgumentKind kind) {
  if (count_ < starts_.size()) starts_[count_++] = {name, kind, size()};
}

void NamedArguments::number(const char* name, std::uint64_t value) {
  begin(name, ArgumentKind::kNumber);
  u64(value);
}

ArgumentMarks NamedArguments::marks() const noexcept {
  ArgumentMarks marks;
  const ConstBytes all = view();
  for (std::size_t i = 0; i < count_; ++i) {
    // All bytes are in some part.
    const std::size_t begin = i == 0 ? 0 : starts_[i].at;
    const std::size_t end = i + 1 < count_ ? starts_[i + 1].at : all.size();
    marks.add(starts_[i].name, starts_[i].kind, all.subspan(begin, end - begin));
  }
  return marks;
}

}  // namespace pcio
