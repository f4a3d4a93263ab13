// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Two elements compared part by part. Room: tools, public headers only.

#ifndef PCIO_TOOLS_DIFF_ELEMENT_HPP
#define PCIO_TOOLS_DIFF_ELEMENT_HPP

#include <functional>
#include <vector>

#include "failure.hpp"
#include "options.hpp"
#include "outcome.hpp"

namespace diff {

using tools::Id;

/// Where two types meet: how elements of the one are compared with those of the other.
struct Part {
  enum class Kind : std::uint8_t {
    kSigned,
    kUnsigned,
    kFloat,
    kEnum,
    kText,
    kString,
    kBytes,
    kCompound,
    kArray,
    kSequence,
    kObject,
    kRegion
  };
  Kind kind = Kind::kBytes;
  std::size_t size[2] = {0, 0};    ///< bytes of an element in memory
  std::size_t offset[2] = {0, 0};  ///< in the compound
  std::size_t count = 1;           ///< of an array: elements
  hid_t type[2] = {-1, -1};        ///< of an enumeration: for names
  std::vector<Part> parts;         ///< members, or the base
};

/// The types in memory for two stored types, and how to compare them.
struct Plan {
  Id types[2] = {Id(-1), Id(-1)};
  Part whole;
  bool fixed = true;       ///< nothing of variable length, no references
  std::vector<Id> kept{};  ///< of enumerations
  std::string why_not{};   ///< they can't be compared
  std::string kind_words[2] = {};
};

/// Throws tools::Failure.
Plan plan_types(hid_t first, hid_t second);

/// Compares what two references refer to. Returns differences.
using CompareTargets = std::function<void(const void* const values[2], bool region)>;

/// Compares elements of one pair of types.
class ElementCompare {
 public:
  ElementCompare(const Options& options, const Plan& plan, Outcome* outcome, CompareTargets targets)
      : options_(options), plan_(plan), outcome_(*outcome), targets_(std::move(targets)) {}

  /// One element of each. `where`: its position, told with each difference.
  void compare(const std::string& where, const unsigned char* first, const unsigned char* second);

 private:
  using Bytes = const unsigned char*;
  void part(const Part& part, Bytes first, Bytes second);
  void integers(const Part& part, Bytes first, Bytes second);
  void floats(const Part& part, Bytes first, Bytes second);
  void enumerations(const Part& part, Bytes first, Bytes second);
  void texts(const char* first, const char* second, std::size_t size);
  void strings(Bytes first, Bytes second);
  void bytes(const Part& part, Bytes first, Bytes second);
  void sequences(const Part& part, Bytes first, Bytes second);
  void tell_numbers(const std::string& first, const std::string& second, const std::string& apart,
                    double relative, bool has_relative);
  void tell_characters(unsigned char first, unsigned char second);

  const Options& options_;
  const Plan& plan_;
  Outcome& outcome_;
  CompareTargets targets_;
  const std::string* where_ = nullptr;
};

}  // namespace diff

#endif
