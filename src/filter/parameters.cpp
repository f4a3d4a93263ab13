// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room filter: complete_pipeline.

#include "filter/parameters.hpp"

#include "filter/pipeline.hpp"

namespace pcio {

Result<FilterPipeline> complete_pipeline(const FilterPipeline& pipeline,
                                         const FilterSubject& subject) {
  PCIO_TRY(check_encodable(pipeline));
  FilterPipeline done = pipeline;
  for (FilterSpec& stage : done) {
    if (stage.id == kFilterShuffle) stage.values = {static_cast<unsigned>(subject.type.size())};
  }
  return done;
}

}  // namespace pcio
