// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room tools: what of a run costs time for nothing, what to do about it, and what that would save.

#ifndef PCIO_TOOLS_REPORT_ADVICE_HPP
#define PCIO_TOOLS_REPORT_ADVICE_HPP

#include <string>
#include <vector>

#include "run_log.hpp"

namespace pcio_report {

enum class Mistake {
  kIndependent,    ///< transfers of each rank's own
  kNotCollective,  ///< asked for, and something stood in the way
  kTinyChunks,
  kConversion,
  kFill,
  kStraddling,  ///< chunks that several ranks write
  kBusyRank,
  kManyCalls,
  kAppends,
  kFilters,  ///< that save nothing
  kFlushes,
  kCount
};
/// "independent" ...: for scripts.
const char* mistake_name(Mistake mistake);

struct Advice {
  Mistake mistake;
  std::string where;   ///< dataset or file
  std::string title;   ///< what is wrong, in few words
  std::string cause;   ///< what was seen, with figures
  std::string remedy;  ///< what to do
  double gain = 0;     ///< seconds of the run that it would save
};

/// The greatest gain first. What would save less than one per cent of the run's time is left out.
/// Gains of several pieces of advice overlap: they can't be added up. Collective: pure.
std::vector<Advice> advise(const Run& run);

}  // namespace pcio_report

#endif
