// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Test support: memory by owner, and allocations that fail.
//
// Linking counted_memory.cpp replaces operator new of the whole program. One thread only.

#pragma once

#include <cstdint>

namespace pcio::test::memory {

inline constexpr std::uint64_t kNobody = ~std::uint64_t{0};

/// Forgets everything and prepares for `owners` owners.
void begin(std::uint64_t owners);
/// What is allocated from now on belongs to `owner`.
void attribute_to(std::uint64_t owner);
/// The `nth` allocation (from 0) of `owner` from now on fails, and all later ones.
void fail_from(std::uint64_t owner, std::uint64_t nth);
/// Only the `nth` one from now on fails.
void fail_once(std::uint64_t owner, std::uint64_t nth);
/// Whether an allocation was made to fail since begin().
[[nodiscard]] bool has_failed();
/// Largest number of bytes that `owner` held at one time.
[[nodiscard]] std::uint64_t peak(std::uint64_t owner);
/// Allocations of `owner` since begin().
[[nodiscard]] std::uint64_t allocations(std::uint64_t owner);
/// Stops counting and failing.
void end();

}  // namespace pcio::test::memory
