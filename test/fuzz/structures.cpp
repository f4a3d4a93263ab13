// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room test/fuzz: finds the structures of a file.

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include "mutate.hpp"

namespace fuzz {

namespace {

/// What follows a signature: b, w, d: 1, 2, 4 bytes; O, L: an offset, a length; x: more numbers of 8, up
/// to the next structure.
struct Grammar {
  std::string_view signature;
  std::string_view fields;
};

constexpr std::array kGrammars{
    Grammar{"TREE", "bbwOOx"},
    Grammar{"SNOD", "bbwOOddLLOOddLLOOddLLx"},
    Grammar{"HEAP", "bwbLLOx"},
    Grammar{"GCOL", "bwbLwwdLx"},
    Grammar{"FRHP", "bwwbdLOLOLLLLLLLLwLLwwOwLd"},
    Grammar{"FHDB", "bOddx"},
    Grammar{"FHIB", "bOdx"},
    Grammar{"BTHD", "bbdwwbbOwL"},
    Grammar{"BTIN", "bbx"},
    Grammar{"BTLF", "bbx"},
    Grammar{"FAHD", "bbbbLO"},
    Grammar{"FADB", "bbOx"},
    Grammar{"EAHD", "bbbbbbbbLLLLLLO"},
    Grammar{"EAIB", "bbOx"},
    Grammar{"EASB", "bbOx"},
    Grammar{"EADB", "bbOx"},
    Grammar{"SMTB", "bbwdwwwOObbwdwwwOO"},
    Grammar{"SMLI", "bdddbdddbddd"},
    Grammar{"FSHD", "bbLLLLwwwwLOLL"},
    Grammar{"FSSE", "bOx"},
    Grammar{"OHDR", "bb"},
    Grammar{"OCHK", ""},
    Grammar{"MDCI", "bbLdbbwwwdOLbbwwwdOL"},
};

class Mapper {
 public:
  explicit Mapper(FileMap& map) : map_(map), bytes_(map.file.bytes) {}

  void run() {
    find_superblock();
    for (std::size_t at = map_.base; at + 8 <= bytes_.size(); ++at) look_at(at);
    follow_continuations();
    std::sort(map_.blocks.begin(), map_.blocks.end());
    // Of messages single numbers have no place of their own in the grammar: their bodies are spoiled anywhere.
    for (const Message& message : map_.messages) {
      add(message.head, message.version == 1 ? 2 : 1);
      add(message.head + (message.version == 1 ? 2 : 1), 2);
      add(message.head + (message.version == 1 ? 4 : 3), 1);
    }
  }

 private:
  std::uint64_t number(std::size_t at, std::size_t width) const {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < width && at + i < bytes_.size(); ++i)
      value |= std::uint64_t{bytes_[at + i]} << (8 * i);
    return value;
  }

  void add(std::size_t at, std::size_t width) {
    if (at + width <= bytes_.size()) map_.fields.push_back({at, width});
  }

  void add_all(std::size_t at, std::string_view grammar, std::size_t most) {
    for (char kind : grammar) {
      const std::size_t width = kind == 'b'   ? 1
                                : kind == 'w' ? 2
                                : kind == 'd' ? 4
                                : kind == 'L' ? lengths_
                                              : offsets_;
      const std::size_t repeats = kind == 'x' ? most : 1;
      for (std::size_t i = 0; i < repeats; ++i, at += width) add(at, width);
    }
  }

  void find_superblock() {
    static constexpr std::string_view kSignature("\x89HDF\r\n\x1a\n", 8);
    for (std::size_t at = 0; at + 16 < bytes_.size(); at = at == 0 ? 512 : 2 * at) {
      if (std::memcmp(&bytes_[at], kSignature.data(), kSignature.size()) != 0) continue;
      map_.base = at;
      map_.blocks.push_back(at);
      const unsigned version = bytes_[at + 8];
      offsets_ = bytes_[at + (version < 2 ? 13 : 9)];
      lengths_ = bytes_[at + (version < 2 ? 14 : 10)];
      if (offsets_ == 0 || offsets_ > 8) offsets_ = 8;
      if (lengths_ == 0 || lengths_ > 8) lengths_ = 8;
      add_all(at + 8,
              version == 0   ? "bbbbbbbbwwdOOOOOOddOO"
              : version == 1 ? "bbbbbbbbwwdwwOOOOOOddOO"
                             : "bbbbOOOO",
              0);
      return;
    }
  }

  void look_at(std::size_t at) {
    for (const Grammar& grammar : kGrammars) {
      if (std::memcmp(&bytes_[at], grammar.signature.data(), 4) != 0) continue;
      map_.blocks.push_back(at);
      add_all(at + 4, grammar.fields, 24);
      if (grammar.signature == "OHDR") map_header2(at);
      return;
    }
    if (is_header1(at)) map_header1(at);
  }

  bool is_header1(std::size_t at) const {
    if (at + 24 > bytes_.size() || bytes_[at] != 1 || bytes_[at + 1] != 0) return false;
    const std::uint64_t count = number(at + 2, 2), size = number(at + 8, 4);
    if (count == 0 || count > 100 || number(at + 4, 4) > 1000) return false;
    if (size < 8 || size % 8 != 0 || at + 16 + size > bytes_.size()) return false;
    const std::uint64_t first = number(at + 18, 2);
    return number(at + 16, 2) <= 0x18 && first % 8 == 0 && first + 8 <= size &&
           number(at + 21, 3) == 0 && number(at + 12, 4) == 0;
  }

  void map_header1(std::size_t at) {
    map_.blocks.push_back(at);
    add_all(at, "bbwdd", 0);
    map_messages(at + 16, at + 16 + number(at + 8, 4), 1, 0);
  }

  void map_header2(std::size_t at) {
    const unsigned flags = bytes_[at + 5];
    std::size_t next = at + 6;
    if ((flags & 0x20) != 0) add_all(next, "dddd", 0), next += 16;
    if ((flags & 0x10) != 0) add_all(next, "ww", 0), next += 4;
    const std::size_t width = std::size_t{1} << (flags & 3);
    add(next, width);
    const std::size_t first = next + width;
    map_messages(first, first + number(next, width), 2, (flags & 4) != 0 ? 2 : 0);
  }

  void map_messages(std::size_t at, std::size_t end, unsigned version, std::size_t order) {
    const std::size_t head = version == 1 ? 8 : 4 + order;
    end = std::min(end, bytes_.size());
    while (at + head <= end) {
      Message message;
      message.head = at;
      message.version = version;
      message.type = static_cast<unsigned>(number(at, version == 1 ? 2 : 1));
      message.size = number(at + (version == 1 ? 2 : 1), 2);
      message.body = at + head;
      if (message.body + message.size > end) return;
      orders_.push_back(order);
      map_.messages.push_back(message);
      at = message.body + message.size;
    }
  }

  void follow_continuations() {
    for (std::size_t i = 0; i < map_.messages.size() && i < 1000; ++i) {
      const Message message = map_.messages[i];
      if (message.type != 0x10) continue;
      const std::size_t at = map_.base + number(message.body, offsets_);
      const std::size_t size = number(message.body + offsets_, lengths_);
      if (at >= bytes_.size() || size > bytes_.size() - at) continue;
      if (message.version == 1)
        map_messages(at, at + size, 1, 0);
      else if (size > 8)
        map_messages(at + 4, at + size - 4, 2, orders_[i]);
    }
  }

  FileMap& map_;
  const Image& bytes_;
  std::size_t offsets_ = 8, lengths_ = 8;
  std::vector<std::size_t> orders_;  ///< of each message: bytes of its creation order
};

}  // namespace

FileMap map_of(NamedImage file) {
  FileMap map;
  map.file = std::move(file);
  Mapper(map).run();
  return map;
}

}  // namespace fuzz
