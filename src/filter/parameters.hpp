// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room filter: parameters that a filter takes from the dataset, stored when it is made.

#pragma once

#include "base/status.hpp"
#include "props/dataset_props.hpp"
#include "space/dims.hpp"
#include "type/datatype.hpp"

namespace pcio {

/// What of a new dataset decides the parameters of its filters.
struct FilterSubject {
  const Datatype& type;  ///< in the form of the file
  const Dims& chunk;     ///< elements
  FillState fill_state = FillState::kDefault;
  ConstBytes fill;  ///< one element of `type`; empty unless kUserDefined
};

/// The pipeline with the parameters that are stored in a new dataset. Filters of programs and plugins
/// stay as they are: the wall has asked them. Collective: pure.
/// Errors: a filter can't be applied to this type; a mandatory filter is not there.
Result<FilterPipeline> complete_pipeline(const FilterPipeline& pipeline,
                                         const FilterSubject& subject);

}  // namespace pcio
