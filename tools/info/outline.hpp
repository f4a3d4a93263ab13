// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// The names in a file as a tree of lines. Room: tools, public headers only.

#ifndef PCIO_TOOLS_INFO_OUTLINE_HPP
#define PCIO_TOOLS_INFO_OUTLINE_HPP

#include <hdf5.h>
#include <set>
#include <string>

namespace pcioinfo {

/// Prints what is below a group, one line a link, groups in front of their members; a group that was shown
/// before is only named. What is refused is told where it is, and counted.
class Outline {
 public:
  explicit Outline(int most_depth) : most_depth_(most_depth) {}
  void print(hid_t object, const std::string& name);
  int refusals() const { return refusals_; }

 private:
  void print_links(hid_t group, const std::string& before, int depth);
  std::string describe(hid_t group, const std::string& name, H5L_type_t type, bool* below);

  int most_depth_;
  std::set<haddr_t> seen_;
  int refusals_ = 0;
};

}  // namespace pcioinfo

#endif
