// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// One object after the other: its structure, and its elements. Room: tools, public headers only.

#ifndef PCIO_TOOLS_CHECK_OBJECT_CHECK_HPP
#define PCIO_TOOLS_CHECK_OBJECT_CHECK_HPP

#include <map>

#include "options.hpp"
#include "references.hpp"
#include "walk.hpp"

namespace check {

/// Which part of the elements of a dataset is this rank's: every so many'th piece.
struct Turn {
  std::uint64_t first = 0, ranks = 1;
  [[nodiscard]] bool has(std::uint64_t piece) const { return (piece + first) % ranks == 0; }
};

/// References that are no good.
struct BadReferences {
  std::uint64_t nowhere = 0;  ///< lead to nothing
  std::uint64_t regions = 0;  ///< lead to an object, but to no elements of it
  std::string why;            ///< of the first of these
};

/// What was found of it goes to a rank's findings. Objects that only references lead to, and committed types
/// without a name, are checked as soon as they are met. A reference may lead to bytes of an object that was deleted:
/// nothing that is found where only references lead is more than a note. Threads: one.
class ObjectCheck {
 public:
  ObjectCheck(hid_t file, const Options& options, Walk* walk, Findings* found,
              tools::Progress* progress)
      : file_(file), options_(options), walk_(*walk), found_(*found), progress_(*progress) {}

  /// Header, links, attributes, index, heaps: everything but elements.
  void structure(const Object& object);
  /// The elements of a dataset, through their filters.
  void elements(const Object& object, const Turn& turn);
  /// Objects that were met on the way; and what these lead to.
  void met();

 private:
  struct Attribute;
  void ranges(hid_t object, haddr_t address, const std::string& path);
  void ask_for_nothing(hid_t dataset, hid_t type, const std::string& path);
  void count_links(hid_t id, const Object& object);
  void attributes(hid_t object, const std::string& path);
  void attribute(hid_t object, const std::string& name, const std::string& path);
  void attribute_value(const Attribute& attribute, const std::string& path);
  void meet_type(hid_t type);
  void meet(haddr_t address, const std::string& path, bool loose);
  void make_loose(std::size_t findings, std::size_t ranges);
  bool leads_somewhere(H5R_type_t kind, const void* reference);
  void look_at_region(const void* reference, BadReferences* bad);
  void note_later_references(const ReferenceMap& map, const std::string& path,
                             const std::string& before);
  void references(const ReferenceMap& map, const void* elements, std::size_t count,
                  BadReferences* bad);
  void tell_bad(const BadReferences& bad, const std::string& path, const std::string& before = "");

  hid_t file_;
  const Options& options_;
  Walk& walk_;
  Findings& found_;
  tools::Progress& progress_;
  struct Met {
    Named object;
    bool loose;
  };
  std::vector<Met> met_;
  std::map<haddr_t, bool> known_targets_;  ///< of references

  friend class ElementCheck;
};

}  // namespace check

#endif
