// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room base: the one exception that the standard library throws here, as a failure.
//
// Between two exchanges no rank may leave by an exception: the others would wait for it.

#pragma once

#include <new>

#include "base/status.hpp"

namespace pcio {

/// What `step`, a function that returns a Status, gives; RESOURCE NOSPACE where it runs out of memory.
template <class F>
Status without_throwing(F&& step) {
  try {
    return step();
  } catch (const std::bad_alloc&) {
    return PCIO_ERROR(RESOURCE, NOSPACE, "out of memory");
  }
}

}  // namespace pcio
