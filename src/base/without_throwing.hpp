// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room base: exceptions that the standard library throws, as failures.
//
// Between two exchanges no rank may leave by an exception: the others would wait for it.

#pragma once

#include <exception>
#include <new>
#include <string>

#include "base/status.hpp"

namespace pcio {

/// What `step`, a function that returns a Status, gives; RESOURCE NOSPACE where it runs out of memory
/// or asks for more than there can be, INTERNAL CALLBACK where a function of the program throws anything else.
template <class F>
Status without_throwing(F&& step) noexcept {
  try {
    return step();
  } catch (const std::bad_alloc&) {
    return PCIO_ERROR(RESOURCE, NOSPACE, "out of memory");
  } catch (const std::exception& thrown) {
    return PCIO_ERROR(RESOURCE, NOSPACE, std::string("no such memory: ") + thrown.what());
  } catch (...) {
    return PCIO_ERROR(INTERNAL, CALLBACK,
                      "a function of the program has thrown what is no std::exception");
  }
}

}  // namespace pcio
