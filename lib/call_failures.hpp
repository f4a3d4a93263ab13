// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: which codes the outermost entry of an error stack has, by the call that failed. Programs decide by
// them what went wrong (h5py makes its exceptions of them); the entries inside say why.

#pragma once

#include "base/status.hpp"

namespace pcio {

struct CallFailure {
  const char* call;  ///< "H5Gcreate2"
  Major major;
  Minor minor;
};

/// Null for calls of which nothing is known: then the codes are those of the entry inside. What is wrong with an
/// argument of the call itself has codes of its own. Source: watched with libhdf5 1.10.8 (failures.c in the
/// tests prints them).
const CallFailure* failure_of_call(const char* call);

}  // namespace pcio
