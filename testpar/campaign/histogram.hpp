// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// How often each value of each dimension of the campaign came. Room: testpar, public headers only.

#ifndef PCIO_TESTPAR_CAMPAIGN_HISTOGRAM_HPP
#define PCIO_TESTPAR_CAMPAIGN_HISTOGRAM_HPP

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace campaign {

/// Named bins in groups, in the order in which they were made.
class Histogram {
 public:
  /// A group with bins that must not stay empty.
  void add_group(const std::string& group, const std::vector<std::string>& bins);
  /// Counts one; a bin that the group does not have is added to it.
  void count(const std::string& group, const std::string& bin);
  /// "group a:3 b:1 | group ..."
  [[nodiscard]] std::string text() const;
  /// "group bin, group bin": those that are empty.
  [[nodiscard]] std::string empty_bins() const;

 private:
  struct Group {
    std::string name;
    std::vector<std::pair<std::string, std::uint64_t>> bins;
  };
  std::vector<Group> groups_;
};

}  // namespace campaign

#endif
