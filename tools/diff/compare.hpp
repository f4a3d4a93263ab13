// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// All objects of two files compared, by all ranks. Room: tools, public headers only.

#ifndef PCIO_TOOLS_DIFF_COMPARE_HPP
#define PCIO_TOOLS_DIFF_COMPARE_HPP

#include <map>
#include <memory>

#include "object.hpp"
#include "ranks.hpp"

namespace diff {

/// Of all objects, on the first rank.
struct Verdict {
  bool different = false, not_comparable = false, error = false;
};

/// Small objects are compared by one rank each, the pieces of large ones by all; what they found is told
/// by the first rank, in the order of the objects. Threads: one.
class Comparison {
 public:
  Comparison(const Options& options, const tools::Ranks& ranks, const Files& files,
             tools::Progress* progress)
      : options_(options), ranks_(ranks), files_(files), progress_(*progress) {}

  /// Compares the objects of these names, of these kinds. Collective: the same on all ranks.
  void add(const Names& names, Kind first, Kind second);
  /// What was added last is told. Collective.
  void finish() { flush(); }
  const Verdict& verdict() const { return verdict_; }
  void note_different() { verdict_.different = true; }

 private:
  struct Task {
    Names names;
    Kind kinds[2];
  };
  /// What one rank found of an object: texts that are told before the lines and behind them.
  struct Finding {
    std::uint64_t task = 0, count = 0;
    std::uint64_t flags = 0;
    std::string head, lines, tail, contents;
  };

  Finding examine(const Task& task, std::uint64_t number);
  void examine_dataset(const Task& task, Finding* finding);
  void examine_link(const Task& task, Finding* finding);
  void examine_type(const Task& task, Finding* finding);
  void examine_attributes(const Task& task, Finding* finding);
  void put_outcome(const Outcome& outcome, const std::string& head, bool with_count,
                   std::string* to, Finding* finding);
  void share(const Task& task, DatasetPair* pair);
  void flush();
  void tell(const std::vector<Finding>& findings);
  bool tells_all() const { return options_.tells_values(); }

  const Options& options_;
  const tools::Ranks& ranks_;
  Files files_;
  tools::Progress& progress_;
  std::vector<Task> tasks_;
  Verdict verdict_;
};

}  // namespace diff

#endif
