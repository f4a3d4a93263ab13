// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// The objects that links lead to. Room: tools, public headers only.

#ifndef PCIO_TOOLS_CHECK_WALK_HPP
#define PCIO_TOOLS_CHECK_WALK_HPP

#include <deque>
#include <set>

#include "reason.hpp"

namespace check {

/// An object that could be opened.
struct Object {
  haddr_t address = HADDR_UNDEF;
  std::string path;
  H5I_type_t type = H5I_BADID;
};

/// Follows hard links, from object to object, each once; soft and external ones are only tried. Threads: one.
class Walk {
 public:
  /// `folder`: of the file, for external links; with a slash at its end, or empty.
  Walk(hid_t file, std::string folder, Findings* found)
      : file_(file), folder_(std::move(folder)), found_(found) {}

  /// What can be reached from the object at `address` and has not been yet.
  std::vector<Object> from(haddr_t address, const std::string& path);
  /// Soft and external links are not tried.
  void leave_other_links() { tries_ = false; }
  /// From here on links are of objects that only references lead to.
  void be_loose(bool loose) { loose_ = loose; }
  [[nodiscard]] bool loose() const { return loose_; }
  /// From here on what is found goes there.
  void tell_to(Findings* found) { found_ = found; }
  [[nodiscard]] bool has_seen(haddr_t address) const { return seen_.count(address) > 0; }

 private:
  struct Link;
  void visit(const Named& named, std::vector<Object>* objects);
  void follow_links(hid_t group, const std::string& path);
  void follow(hid_t group, const std::string& path, const Link& link);
  void try_soft(hid_t group, const std::string& path, const std::string& name);
  void try_external(hid_t group, const std::string& path, const std::string& name);
  static herr_t add_link(hid_t group, const char* name, const H5L_info_t* info, void* links);

  hid_t file_;
  std::string folder_;
  Findings* found_;
  bool tries_ = true, loose_ = false;
  std::set<haddr_t> seen_;
  std::deque<Named> waiting_;
};

}  // namespace check

#endif
