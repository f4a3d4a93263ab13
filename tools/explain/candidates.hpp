// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room tools/explain: chunk shapes and settings that are worth a plan, and their plans beside each other.

#ifndef PCIO_TOOLS_EXPLAIN_CANDIDATES_HPP
#define PCIO_TOOLS_EXPLAIN_CANDIDATES_HPP

#include <functional>
#include <vector>

#include "plan.hpp"

namespace pcio_explain {

/// The ranks' blocks, where each rank has one box and those of all tile a grid: the greatest block of each
/// dimension. Empty where it is not so.
Numbers block_of(const Deal& deal, const Numbers& dims);
/// Divides `block` into chunks of about a MiB, which cross no border of it where that can be.
Numbers aligned_chunk(const Numbers& block, std::uint64_t element_bytes);
/// Shapes that are worth a plan, the given one first: halves, doubles, blocks and parts of blocks.
std::vector<Numbers> candidate_chunks(const Subject& subject, const Deal& deal);

/// One line of a comparison.
struct Trial {
  Subject subject;
  Settings settings;
  std::string what;  ///< "as given", "halves", ...
  Plan plan;
  Figures figures;
};

/// Plans with each of `chunks` (empty: contiguous), then with other settings for the given shape, the cheapest
/// first. `subject` is made up. `progress`: called before each, with how many are done and are to come.
/// Throws Failure.
std::vector<Trial> compare(const Subject& subject, const Settings& settings, const Deal& deal,
                           const std::vector<Numbers>& chunks,
                           const std::function<void(std::size_t, std::size_t)>& progress);

}  // namespace pcio_explain

#endif
