// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room test/fuzz: spoils files.

#include "mutate.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace fuzz {

namespace {

class Mutator {
 public:
  Mutator(const FileMaps& maps, std::size_t which, Random& random, MutationCounts* counts)
      : maps_(maps),
        map_(maps[which]),
        image_(map_.file.bytes),
        random_(random),
        counts_(*counts) {}

  Image run() {
    // Sound files are cases, too: changes must hold there.
    if (random_.one_in(32)) {
      ++counts_.none;
      return std::move(image_);
    }
    do step();
    while (random_.below(5) < 2);
    return std::move(image_);
  }

 private:
  void step() {
    const std::size_t way = random_.below(32);
    if (way < 13)
      spoil_field();
    else if (way < 20)
      spoil_message();
    else if (way < 25)
      splice_message();
    else if (way < 27)
      copy_block();
    else if (way < 31)
      spoil_bytes();
    else
      change_end();
  }

  std::uint64_t number(std::size_t at, std::size_t width) const {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < width && at + i < image_.size(); ++i)
      value |= std::uint64_t{image_[at + i]} << (8 * i);
    return value;
  }

  void put(std::size_t at, std::size_t width, std::uint64_t value) {
    for (std::size_t i = 0; i < width && at + i < image_.size(); ++i)
      image_[at + i] = static_cast<unsigned char>(value >> (8 * i));
  }

  template <typename T>
  const T* any(const std::vector<T>& of) {
    return of.empty() ? nullptr : &of[random_.below(of.size())];
  }

  /// A number that means something, or nearly, in the place of `value`.
  std::uint64_t other_value(std::uint64_t value, std::size_t width) {
    const std::uint64_t top = std::uint64_t{1} << (8 * width - 1);
    const std::size_t* const block = any(map_.blocks);
    const Field* const field = any(map_.fields);
    switch (random_.below(16)) {
      case 0: return 0;
      case 1: return 1 + random_.below(8);
      case 2: return ~std::uint64_t{0};
      case 3: return ~std::uint64_t{0} - random_.below(64);
      case 4: return top - random_.below(2);
      case 5: return value + 1;
      case 6: return value - 1;
      case 7: return 2 * value;
      case 8: return value / 2;
      case 9: return value ^ (std::uint64_t{1} << random_.below(8 * width));
      case 10: return random_.next();
      case 11: return random_.below(256);
      case 12: return image_.size() - map_.base - random_.below(64);
      case 13: return block != nullptr ? *block - map_.base : 0;
      case 14: return field != nullptr ? number(field->at, field->width) : 0;
      default: return value + 8 * random_.below(32) - 64;
    }
  }

  void spoil_number(std::size_t at, std::size_t width) {
    put(at, width, other_value(number(at, width), width));
  }

  void spoil_field() {
    const Field* const field = any(map_.fields);
    if (field == nullptr) return spoil_bytes();
    ++counts_.field;
    spoil_number(field->at, field->width);
  }

  void spoil_message() {
    const Message* const message = any(map_.messages);
    if (message == nullptr) return spoil_bytes();
    ++counts_.message;
    const std::size_t type_width = message->version == 1 ? 2 : 1;
    const std::size_t flags = message->head + type_width + 2;
    switch (random_.below(12)) {
      case 0: return put(message->head, type_width, random_.below(0x1A));
      case 1: return put(message->head, type_width, 0);
      case 2: return put(flags, 1, number(flags, 1) ^ 2);
      case 3: return put(flags, 1, random_.below(256));
      default: {
        // Most fields stand near the front.
        static constexpr std::array<std::size_t, 4> kWidths{1, 2, 4, 8};
        const std::size_t within =
            random_.one_in(2) ? std::min<std::size_t>(message->size, 16) : message->size;
        return spoil_number(message->body + random_.below(within), kWidths[random_.below(4)]);
      }
    }
  }

  /// The body of a message of any file in the place of one of the same type, or of any.
  void splice_message() {
    const Message* const to = any(map_.messages);
    const FileMap& donor =
        maps_[random_.one_in(3) ? random_.below(maps_.size()) : &map_ - maps_.data()];
    if (to == nullptr || donor.messages.empty()) return spoil_bytes();
    const Message* from = any(donor.messages);
    const bool same_type = !random_.one_in(8);
    for (int i = 0; i < 40 && same_type && from->type != to->type; ++i) from = any(donor.messages);
    ++counts_.splice;
    const std::size_t n = std::min(from->size, to->size);
    if (to->body + n > image_.size()) return;
    std::copy_n(donor.file.bytes.begin() + static_cast<std::ptrdiff_t>(from->body), n,
                image_.begin() + static_cast<std::ptrdiff_t>(to->body));
    put(to->head, to->version == 1 ? 2 : 1, from->type);
  }

  /// A structure of any file over one of the same kind, or of any.
  void copy_block() {
    const std::size_t* const to = any(map_.blocks);
    const FileMap& donor =
        maps_[random_.one_in(2) ? random_.below(maps_.size()) : &map_ - maps_.data()];
    const std::size_t* from = any(donor.blocks);
    if (to == nullptr || from == nullptr || *to + 4 > image_.size()) return spoil_bytes();
    for (int i = 0; i < 40 && std::memcmp(&donor.file.bytes[*from], &image_[*to], 4) != 0; ++i)
      from = any(donor.blocks);
    ++counts_.block;
    const std::size_t n =
        std::min({16 + random_.below(512), donor.file.bytes.size() - *from, image_.size() - *to});
    std::copy_n(donor.file.bytes.begin() + static_cast<std::ptrdiff_t>(*from), n,
                image_.begin() + static_cast<std::ptrdiff_t>(*to));
  }

  void spoil_bytes() {
    ++counts_.bytes;
    if (image_.empty()) return;
    // Near a structure, else anywhere.
    const std::size_t* const block = any(map_.blocks);
    const std::size_t at = block != nullptr && !random_.one_in(4) ? *block + random_.below(256)
                                                                  : random_.below(image_.size());
    for (std::size_t n = 1 + random_.below(4), i = 0; i < n && at + i < image_.size(); ++i)
      image_[at + i] = static_cast<unsigned char>(random_.one_in(2) ? random_.next() : 0xFF);
  }

  void change_end() {
    ++counts_.end;
    const std::size_t size = image_.size();
    image_.resize(random_.one_in(4) ? size + random_.below(4096) : random_.below(size + 1));
    // Half of them with the end of file that the superblock should name.
    if (random_.one_in(2) || image_.size() < map_.base + 96) return;
    const unsigned version = image_[map_.base + 8];
    put(map_.base + (version == 0 ? 40 : version == 1 ? 44 : 28), 8, image_.size());
  }

  const FileMaps& maps_;
  const FileMap& map_;
  Image image_;
  Random& random_;
  MutationCounts& counts_;
};

}  // namespace

Image mutate(const FileMaps& maps, std::size_t which, Random& random, MutationCounts* counts) {
  return Mutator(maps, which, random, counts).run();
}

}  // namespace fuzz
