// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room tools/explain: what of a plan costs time for nothing, and what to change.

#ifndef PCIO_TOOLS_EXPLAIN_ADVICE_HPP
#define PCIO_TOOLS_EXPLAIN_ADVICE_HPP

#include <optional>
#include <string>
#include <vector>

#include "candidates.hpp"

namespace pcio_explain {

struct Advice {
  std::string name;   ///< for scripts: as of pcioreport where it is the same mistake
  std::string cause;  ///< what is so, with figures
  std::string remedy;
};

/// A shape that would do better than the plan's, if advice is to name one; empty: there is none to try.
Numbers better_chunk(const Plan& plan, const Figures& figures, const Deal& deal);
/// `better`: the plan with that shape, if there was one. Collective: pure.
std::vector<Advice> advise(const Plan& plan, const Figures& figures,
                           const std::optional<Trial>& better);

}  // namespace pcio_explain

#endif
