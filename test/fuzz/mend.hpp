// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room test/fuzz: checksums that follow what was spoiled.
//
// The fuzzer is linked with --wrap for the library's lookup3: what is read is seen on its way into the checksum,
// whatever structure it is, and found again in the file. So no structure has to be known twice.

#ifndef PCIO_TEST_FUZZ_MEND_HPP
#define PCIO_TEST_FUZZ_MEND_HPP

#include "fuzz.hpp"

namespace fuzz {

/// From here on checksums that are taken are noted.
void begin_watching_checksums();
/// Ends that, and puts right in `image` what is wrong of those. How many.
std::size_t mend_checksums(Image* image);

}  // namespace fuzz

#endif
