// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// What of MPI's this program, the library included, has made and not given back: the program's own
// MPI_Comm_dup and others stand before the real ones. Room: testpar, public headers only.

#ifndef PCIO_TESTPAR_HELD_HPP
#define PCIO_TESTPAR_HELD_HPP

#include <string>

namespace par {

/// Made and not freed yet, by this process; mappings: of memory that ranks share.
struct Held {
  long comms = 0, mappings = 0, files = 0, types = 0, operations = 0, infos = 0, requests = 0,
       descriptors = 0;
  bool operator==(const Held&) const = default;
};

Held held_now();
/// "2 communicators, 1 mapping ...": what `now` has more than `before`.
std::string more_held(const Held& before, const Held& now);

}  // namespace par

#endif
