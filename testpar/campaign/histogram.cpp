// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Counting what the campaign did. Room: testpar, public headers only.

#include "histogram.hpp"

#include <algorithm>

namespace campaign {

void Histogram::add_group(const std::string& group, const std::vector<std::string>& bins) {
  groups_.push_back({group, {}});
  for (const std::string& bin : bins) groups_.back().bins.emplace_back(bin, 0);
}

void Histogram::count(const std::string& group, const std::string& bin) {
  auto g = std::find_if(groups_.begin(), groups_.end(),
                        [&](const Group& one) { return one.name == group; });
  if (g == groups_.end()) g = groups_.insert(g, {group, {}});
  auto b = std::find_if(g->bins.begin(), g->bins.end(),
                        [&](const auto& one) { return one.first == bin; });
  if (b == g->bins.end()) b = g->bins.insert(b, {bin, 0});
  ++b->second;
}

std::string Histogram::text() const {
  std::string text;
  for (const Group& group : groups_) {
    if (!text.empty()) text += " | ";
    text += group.name;
    for (const auto& [bin, n] : group.bins) text += " " + bin + ":" + std::to_string(n);
  }
  return text;
}

std::string Histogram::empty_bins() const {
  std::string text;
  for (const Group& group : groups_)
    for (const auto& [bin, n] : group.bins)
      if (n == 0) text += (text.empty() ? "" : ", ") + group.name + " " + bin;
  return text;
}

}  // namespace campaign
