// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Test support: random numbers inside a rapidcheck property.

#pragma once

#include <rapidcheck.h>

namespace pcio::test {

/// A number in [low, high), over the whole range from the first case on: left alone, rapidcheck
/// begins with small ones, and few steps and tiny extents find little.
template <class T>
T pick(T low, T high) {
  return *rc::gen::resize(1000, rc::gen::inRange<T>(low, high));
}

}  // namespace pcio::test
