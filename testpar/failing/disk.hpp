// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// A disk that fails now and then: this program's own pwrite and pwritev stand before the system's.
// Room: testpar.

#ifndef PCIO_TESTPAR_FAILING_DISK_HPP
#define PCIO_TESTPAR_FAILING_DISK_HPP

#include <cstdint>
#include <string>

namespace disk {

/// Writes to `path` may fail from here on, where the disk is `ill`.
void watch(const std::string& path);
/// One of so many writes fails, without a trace or in the middle; 0: none.
void set_rate(unsigned rate, std::uint64_t seed);
/// Writes that failed, by kind, since the program began.
struct Struck {
  long nothing_written = 0, part_written = 0, full = 0, broken = 0;
};
const Struck& struck();

}  // namespace disk

#endif
