// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/commit: values of attributes that decide where a commit puts them.

#pragma once

#include "storage/file/file_store.hpp"

namespace pcio {

/// Ranks may have written other values to an attribute, of which rank 0's count. Where the file shares attributes
/// a value decides whether there is one like it already: all ranks take rank 0's, of all objects that the
/// commit writes. Collective: over the file, where it is parallel and shares attributes; a failure is this rank's.
Status take_first_values(FileStore& store);

}  // namespace pcio
