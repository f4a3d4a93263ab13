// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// What is said of a dataset and of a file where more is asked for. Room: tools, public headers only.

#ifndef PCIO_TOOLS_INFO_DETAILS_HPP
#define PCIO_TOOLS_INFO_DETAILS_HPP

#include <cstdint>
#include <hdf5.h>
#include <optional>
#include <string>

#include "space.hpp"

namespace pcioinfo {

/// How a dataset lies in the file.
struct StorageFacts {
  std::string index;           ///< kind of the chunk index; empty: not chunked
  std::uint64_t chunks = 0;    ///< that the file has
  std::uint64_t elements = 0;  ///< bytes of all elements as memory has them
  std::uint64_t stored = 0;    ///< bytes of them in the file
  std::uint64_t index_bytes = 0;
  bool filtered = false;
  /// Bytes of the chunks, as they are without filters, to those stored; nothing without filters or chunks.
  std::optional<double> ratio;
};
/// What can't be told is left out. Leaves no error behind.
StorageFacts storage_facts(hid_t dataset);
/// The same in words: "fixed array, 12 chunks; ...".
std::string describe_details(hid_t dataset);

/// Who has which bytes of a file. What is damaged is left out, and so counts as nobody's.
check::SpaceUse space_of(hid_t file, const std::string& name);
/// "data 3.1 MiB, metadata 2.0 KiB, free 0 bytes, nobody's 12 bytes (0.0 %)".
std::string describe_space_use(const check::SpaceUse& space);

}  // namespace pcioinfo

#endif
