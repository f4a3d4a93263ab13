// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Creation lists of datasets as the rules want them. Room: tools, public headers only.

#ifndef PCIO_TOOLS_REPACK_DATASET_LIST_HPP
#define PCIO_TOOLS_REPACK_DATASET_LIST_HPP

#include "failure.hpp"
#include "options.hpp"

namespace repack {

using tools::Id;

/// How one dataset is to be made.
struct DatasetPlan {
  Id list{-1};
  Id space{-1};
  bool changed = false;  ///< layout or filters are others than in the source
  bool named = false;    ///< a rule names this dataset: it is an error if it can't be followed
};

/// Finds the datasets that the rules name. Throws tools::Failure where there is none.
void find_named(hid_t in, Options* options);

/// Follows the rules for the dataset at `path`. Throws tools::Failure where a rule that names it
/// can't be followed.
DatasetPlan plan_dataset(const Options& options, const std::string& path, hid_t dataset);

}  // namespace repack

#endif
