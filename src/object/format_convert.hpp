// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: files and datasets of the latest format made such that readers of format 1.8 know them.

#pragma once

#include "agree/named_arguments.hpp"
#include "object/file.hpp"

namespace pcio {

/// Which dataset is converted: the same on all ranks. Collective: pure.
void name_converted(const OpenObject& dataset, NamedArguments* out);
/// See convert_layout(). Errors: also a file on many ranks, one that is only read.
Status convert_dataset(const OpenObject& dataset);
/// See SuperblockStore::become_earlier(). Collective: pure. Errors: a file that is only read.
Status convert_file(File& file);

}  // namespace pcio
