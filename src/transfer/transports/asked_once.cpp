// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/transports: AskedOnce.

#include "transfer/transports/asked_once.hpp"

#include <algorithm>
#include <cstring>
#include <tuple>

#include "transfer/pieces/byte_map.hpp"

namespace pcio {

namespace {

/// Calls f(slice, offset, bytes) for each range that a letter asks for.
template <class F>
void for_each_asked(ConstBytes letter, F&& f) {
  static_cast<void>(SliceLetter(letter).for_each(
      [&](std::uint32_t slice, std::span<const Section> sections, ConstBytes) {
        for (const Section& section : sections)
          for (std::uint64_t i = 0; i < section.count; ++i)
            f(std::uint64_t{slice}, section.offset + i * section.stride,
              std::uint64_t{section.length});
        return Status();
      }));
}

}  // namespace

void AskedOnce::add(ConstBytes letter, std::byte* reply) { letters_.push_back({letter, reply}); }

bool AskedOnce::settle(std::uint64_t most, std::uint64_t most_answer) {
  std::vector<Part> parts;
  for (const Letter& letter : letters_)
    static_cast<void>(
        SliceLetter(letter.bytes)
            .for_each([&](std::uint32_t slice, std::span<const Section> sections, ConstBytes) {
              parts.push_back({slice, sections});
              return Status();
            }));
  std::stable_sort(parts.begin(), parts.end(),
                   [](const Part& a, const Part& b) { return a.slice < b.slice; });
  std::uint64_t asked = 0, as_they_are = 0;
  for (const Letter& letter : letters_) as_they_are += letter.bytes.size();
  for (std::size_t first = 0, last = 0; first < parts.size(); first = last) {
    while (last < parts.size() && parts[last].slice == parts[first].slice)
      asked += payload_of(parts[last++].sections);
    if (!find_runs(std::span(parts).subspan(first, last - first), 4 * most)) return false;
  }
  if (payload_ == asked || payload_ > most_answer) return false;
  write_request();
  // Pieces that fit together badly are told one by one: that may be more than is saved.
  if (request_.size() > most || request_.size() + payload_ >= as_they_are + asked) return false;
  place_.allocate(payload_);
  return true;
}

/// Of one slice, by a bit for each byte: what ranks ask for in many small pieces is often a whole together.
bool AskedOnce::find_runs(std::span<const Part> parts, std::uint64_t most) {
  std::uint64_t first = ~std::uint64_t{0}, end = 0;
  for (const Part& part : parts)
    for (const Section& section : part.sections) {
      first = std::min<std::uint64_t>(first, section.offset);
      end = std::max(end, section.end());
    }
  if (first >= end) return true;
  // Pieces of large chunks may lie far apart.
  if ((end - first) / 8 > most) return false;
  ByteMap map;
  map.reset(end - first);
  for (const Part& part : parts)
    for (const Section& section : part.sections)
      for (std::uint64_t i = 0; i < section.count; ++i)
        map.mark(section.offset + i * section.stride - first, section.length);
  for (std::uint64_t at = map.next_marked(0); at < map.size();) {
    if (runs_.size() * sizeof(Run) > most) return false;
    const std::uint64_t run_end = map.next_clear(at);
    runs_.push_back({parts.front().slice, first + at, run_end - at, payload_});
    payload_ += run_end - at;
    at = map.next_marked(run_end);
  }
  return true;
}

void AskedOnce::write_request() {
  std::vector<LetterHead> heads;
  std::vector<Section> sections;
  SectionBuilder builder;
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    builder.add(static_cast<std::uint32_t>(runs_[i].offset),
                static_cast<std::uint32_t>(runs_[i].length));
    if (i + 1 < runs_.size() && runs_[i + 1].slice == runs_[i].slice) continue;
    heads.push_back({static_cast<std::uint32_t>(runs_[i].slice),
                     static_cast<std::uint32_t>(builder.sections().size())});
    sections.insert(sections.end(), builder.sections().begin(), builder.sections().end());
    builder.clear();
  }
  const std::uint64_t count = heads.size();
  request_.resize(letter_heads(count) + sections.size() * sizeof(Section));
  std::memcpy(request_.data(), &count, sizeof count);
  std::memcpy(request_.data() + letter_heads(0), heads.data(), count * sizeof(LetterHead));
  std::memcpy(request_.data() + letter_heads(count), sections.data(),
              sections.size() * sizeof(Section));
}

/// A range lies in one run: runs are as long as can be.
void AskedOnce::hand_out() {
  for (const Letter& letter : letters_) {
    std::byte* to = letter.reply;
    auto run = runs_.cbegin();
    for_each_asked(
        letter.bytes, [&](std::uint64_t slice, std::uint64_t offset, std::uint64_t bytes) {
          if (run->slice != slice || offset < run->offset || offset >= run->offset + run->length)
            run = std::partition_point(runs_.cbegin(), runs_.cend(), [&](const Run& it) {
              return std::tuple(it.slice, it.offset + it.length) <= std::tuple(slice, offset);
            });
          std::memcpy(to, place_.data() + run->place + (offset - run->offset), bytes);
          to += bytes;
        });
  }
}

}  // namespace pcio
