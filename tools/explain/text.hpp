// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room tools/explain: a plan as text and as JSON.

#ifndef PCIO_TOOLS_EXPLAIN_TEXT_HPP
#define PCIO_TOOLS_EXPLAIN_TEXT_HPP

#include <string>
#include <vector>

#include "advice.hpp"

namespace pcio_explain {

/// "32 ranks, blocks of a grid of 4x4x2". `width`: columns of a line. All: Collective: pure.
std::string plan_text(const Plan& plan, const Figures& figures, const std::string& deal,
                      const std::vector<Advice>& advice, std::size_t width);
/// A table, the first trial on top.
std::string trials_text(const std::vector<Trial>& trials);
/// One object; `trials` may be empty.
std::string plan_json(const Plan& plan, const Figures& figures, const std::string& deal,
                      const std::vector<Advice>& advice, const std::vector<Trial>& trials);

/// What the page and the text begin with: "H5Dwrite of 512 x 512 elements ...".
std::string headline(const Plan& plan);
/// "chunk collective, link chunk", "not collective".
std::string mode_text(const Plan& plan);

}  // namespace pcio_explain

#endif
