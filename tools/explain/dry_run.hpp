// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room tools/explain: the library's own dry run of a transfer, by as many ranks as are asked for, in this process.

#ifndef PCIO_TOOLS_EXPLAIN_DRY_RUN_HPP
#define PCIO_TOOLS_EXPLAIN_DRY_RUN_HPP

#include "plan.hpp"

namespace pcio_explain {

/// What is known of a dataset of a file: dimensions, chunks, type, filters. The file is only read.
/// Throws Failure.
Subject look_at(const std::string& file, const std::string& dataset);

/// What pcio_explain tells each rank: H5Dwrite or H5Dread of its slab. A file is read where its metadata
/// are needed, and never written: what the ranks would write goes to memory. `deal`: a slab for each
/// rank, that lie in the dataset. Throws Failure.
Plan dry_run(const Subject& subject, const Settings& settings, const Deal& deal);

}  // namespace pcio_explain

#endif
