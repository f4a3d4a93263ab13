// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room test/fuzz: memory that a case may have. Linking limits.cpp replaces operator new of the program.

#ifndef PCIO_TEST_FUZZ_LIMITS_HPP
#define PCIO_TEST_FUZZ_LIMITS_HPP

#include <cstddef>

namespace fuzz {

/// More than this at one time means that a number of the file was believed: bytes.
inline constexpr std::size_t kMostMemory = std::size_t{64} << 20;

/// From here on what is allocated counts against the limit; whoever passes it ends the process.
void begin_memory_limit();
/// Bytes that are allocated and were not when the limit began; ends the limit.
std::ptrdiff_t end_memory_limit();
/// The most bytes at one time since the limit began.
std::ptrdiff_t peak_memory();

}  // namespace fuzz

#endif
