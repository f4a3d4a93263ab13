// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// How many links lead to each object, out of line. Room: tools, pure.

#include "links.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace check {

namespace {

/// Where some groups could not be read their links are missing.
bool all_links_are_known(const Findings& found) {
  return std::none_of(found.list.begin(), found.list.end(), [](const Finding& finding) {
    return finding.kind == "links" || finding.kind == "object" || finding.kind == "attributes" ||
           finding.kind == "dataset";
  });
}

}  // namespace

void check_links(Findings* found) {
  const bool known = all_links_are_known(*found);
  std::map<std::uint64_t, std::string> paths;
  for (const Named& named : found->names) paths.emplace(named.address, named.path);
  for (const auto& [address, count] : found->links) {
    // libhdf5 takes each use of a committed type for a link, other programs don't.
    const std::uint64_t most = count.found + count.uses;
    if (count.counted == LinkCount::kUnknown ||
        (count.counted >= count.found && count.counted <= most))
      continue;
    if (count.counted > most && (count.loose || !known)) continue;
    const auto named = paths.find(address);
    found->wrong("link count", named == paths.end() ? std::string() : named->second,
                 fmt::format("{} {} to it{}, and its header counts {}", count.found,
                             count.found == 1 ? "link leads" : "links lead",
                             count.uses > 0 ? fmt::format(", {} are of this type", count.uses) : "",
                             count.counted));
  }
}

}  // namespace check
