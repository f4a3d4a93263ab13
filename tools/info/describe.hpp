// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Words for datatypes, shapes, layouts and small values. Room: tools, public headers only.

#ifndef PCIO_TOOLS_INFO_DESCRIBE_HPP
#define PCIO_TOOLS_INFO_DESCRIBE_HPP

#include <hdf5.h>
#include <string>

namespace pcioinfo {

/// "float64", "uint16 big-endian", "string[12]", "{x: float64, y: float64}", ...
std::string describe_type(hid_t type);

/// "scalar", "null", "{4, 128}", "{4 of unlimited, 128}".
std::string describe_space(hid_t space);

/// Layout, chunk shape, filters and bytes in the file of a dataset. What is refused is told as such
/// and `failed` becomes true.
std::string describe_storage(hid_t dataset, bool& failed);

/// How much of a value is shown.
struct ValueLimits {
  hsize_t values = 8;     ///< of more nothing is shown
  std::size_t text = 72;  ///< characters of a string
};
inline constexpr ValueLimits kAllValues{100000, std::size_t{1} << 20};

/// The value of an attribute in a few words if it is one number or string or a short list of
/// numbers or strings, else nothing. A value that cannot be read is told as such and `failed` becomes true.
std::string describe_value(hid_t attribute, bool& failed, const ValueLimits& limits = {});

/// "12 bytes", "3.1 MiB".
std::string describe_bytes(unsigned long long bytes);

}  // namespace pcioinfo

#endif
