// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: files and datasets of the latest format made such that readers of format 1.8 know them.

#pragma once

#include "agree/named_arguments.hpp"
#include "object/file.hpp"

namespace pcio {

/// Says which dataset is converted, the same on all ranks; in a parallel file the index is read, too.
/// Collective: independent. Errors: those of reading it.
Status prepare_conversion(const OpenObject& dataset, NamedArguments* out);
/// See convert_layout(). Chunks that wait in memory are written before. Collective: over the file, one exchange
/// where nobody has any; all ranks are prepared.
Status convert_dataset(const OpenObject& dataset, const CallName& name);
/// See SuperblockStore::become_earlier(). Collective: pure. Errors: a file that is only read.
Status convert_file(File& file);

}  // namespace pcio
