// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// What is found in a file, by one rank and by all. Room: tools, pure.

#ifndef PCIO_TOOLS_CHECK_FINDINGS_HPP
#define PCIO_TOOLS_CHECK_FINDINGS_HPP

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace check {

enum class Weight : std::uint8_t { kNote, kWrong };

/// One thing to tell.
struct Finding {
  Weight weight = Weight::kWrong;
  std::string kind;   ///< a word or two: "header", "links", "overlap", ...
  std::string where;  ///< path of an object, or empty
  std::string text;
  std::uint64_t start = 0, bytes = 0;  ///< of the file; 0 bytes: no range
  friend bool operator==(const Finding&, const Finding&) = default;
};

/// What there is in a file.
enum class Counted : std::uint8_t {
  kGroups,
  kDatasets,
  kTypes,
  kAttributes,
  kLinks,
  kChunks,
  kBytesRead  ///< of elements
};
using Counts = std::array<std::uint64_t, 7>;

/// Bytes of a file that somebody has.
struct OwnedRange {
  std::uint64_t start = 0, bytes = 0;
  std::uint64_t object = 0;  ///< address of its header; UINT64_MAX: none
  std::uint8_t use = 0;      ///< pcio_range_use_t
  bool loose = false;        ///< of an object that only references lead to
  friend auto operator<=>(const OwnedRange&, const OwnedRange&) = default;
};

/// The name of an object at an address.
struct Named {
  std::uint64_t address = 0;
  std::string path;
};

/// How often links lead to an object, and how often its header says.
struct LinkCount {
  static constexpr std::uint64_t kUnknown = UINT64_MAX;
  std::uint64_t found = 0;           ///< hard links
  std::uint64_t uses = 0;            ///< of a committed type: by datasets and attributes
  std::uint64_t counted = kUnknown;  ///< in the header
  bool loose = false;                ///< what only references lead to has some: they count or don't
};

/// What one rank has found. Threads: one.
class Findings {
 public:
  /// Of things that are wrong in one way with one object so many are listed; all are counted.
  static constexpr std::size_t kMostListed = 20000;

  void wrong(const std::string& kind, const std::string& where, const std::string& text,
             std::uint64_t start = 0, std::uint64_t bytes = 0) {
    add({Weight::kWrong, kind, where, text, start, bytes});
  }
  void note(const std::string& kind, const std::string& where, const std::string& text,
            std::uint64_t start = 0, std::uint64_t bytes = 0) {
    add({Weight::kNote, kind, where, text, start, bytes});
  }
  void add(Finding finding);
  void count(Counted what, std::uint64_t more = 1) {
    counts[static_cast<std::size_t>(what)] += more;
  }
  [[nodiscard]] std::uint64_t counted(Counted what) const {
    return counts[static_cast<std::size_t>(what)];
  }
  /// Ranges of one owner that follow each other become one.
  void join_ranges();
  /// As bytes, for another rank of this machine or one alike; and what such bytes add.
  [[nodiscard]] std::string pack() const;
  void unpack(const std::string& bytes);

  std::vector<Finding> list;
  std::uint64_t unlisted[2] = {0, 0};  ///< by weight
  Counts counts{};
  std::vector<OwnedRange> ranges;
  std::vector<Named> names;
  std::map<std::uint64_t, LinkCount> links;  ///< by the address of the object
};

}  // namespace check

#endif
