// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Walks a file and prints it as a tree. Room: tools, public headers only.

#ifndef PCIO_TOOLS_INFO_TREE_HPP
#define PCIO_TOOLS_INFO_TREE_HPP

#include <hdf5.h>
#include <map>
#include <string>

namespace pcioinfo {

struct TreeOptions {
  bool attributes = true;
  bool details = false;  ///< of datasets a second line, of attributes all values
  int most_depth = 64;
};

/// Prints objects in name order, each once: a further hard link names the first path. What the
/// library refuses is printed with the reason, counted, and the walk goes on.
class Tree {
 public:
  explicit Tree(const TreeOptions& options) : options_(options) {}

  /// Prints the object and, if it is a group, what is below it.
  void print(hid_t object, const std::string& path, const std::string& shown, int depth);

  int refusals() const { return refusals_; }

 private:
  void print_links(hid_t group, const std::string& path, int depth);
  void print_link(hid_t group, const std::string& path, const std::string& name, H5L_type_t type,
                  int depth);
  void print_named_link(hid_t group, const std::string& name, H5L_type_t type,
                        const std::string& indent);
  void print_attributes(hid_t object, const std::string& indent);
  void print_attribute(hid_t object, const std::string& name, const std::string& indent);
  std::string describe_dataset(hid_t dataset);
  std::string refused(const std::string& what);

  TreeOptions options_;
  std::map<haddr_t, std::string> seen_;
  int refusals_ = 0;
};

}  // namespace pcioinfo

#endif
