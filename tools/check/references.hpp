// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// References among elements, of whatever type these are. Room: tools, public headers only.

#ifndef PCIO_TOOLS_CHECK_REFERENCES_HPP
#define PCIO_TOOLS_CHECK_REFERENCES_HPP

#include <functional>

#include "failure.hpp"

namespace check {

/// Where the elements of a type, as they are in memory, have references. Never changes.
class ReferenceMap {
 public:
  using Visit = std::function<void(H5R_type_t kind, const void* reference)>;
  explicit ReferenceMap(hid_t type, int depth = 0);
  [[nodiscard]] bool empty() const { return parts_.empty(); }
  /// Some are of a format behind 1.10: nothing looks at what they lead to, and `visit` isn't called for them.
  [[nodiscard]] bool has_later() const { return has_later_; }
  /// Calls `visit` for each reference that is not null.
  void visit(const void* elements, std::size_t count, const Visit& visit) const;

 private:
  enum class Kind : std::uint8_t { kReference, kSequence, kArray };
  struct Part {
    Kind kind = Kind::kReference;
    H5R_type_t reference = H5R_OBJECT;
    std::size_t offset = 0, size = 0, count = 1;
    std::vector<ReferenceMap> inside;  ///< one, but of references
  };
  void add(hid_t type, std::size_t offset, int depth);

  std::size_t size_ = 1;
  std::vector<Part> parts_;
  bool has_later_ = false;
};

}  // namespace check

#endif
