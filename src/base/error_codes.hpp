// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room base: major and minor error numbers, named as HDF5's H5E_* numbers.

#pragma once

#include <cstdint>

namespace pcio {

/// Part of the library in which an error arose; `Major::ARGS` becomes `H5E_ARGS` at the wall.
enum class Major : std::uint16_t {
#define PCIO_MAJOR(name, text) name,
#define PCIO_MINOR(name, text)
#include "base/error_codes.def"
#undef PCIO_MAJOR
#undef PCIO_MINOR
};

/// Kind of an error; `Minor::BADTYPE` becomes `H5E_BADTYPE` at the wall.
enum class Minor : std::uint16_t {
#define PCIO_MAJOR(name, text)
#define PCIO_MINOR(name, text) name,
#include "base/error_codes.def"
#undef PCIO_MAJOR
#undef PCIO_MINOR
};

}  // namespace pcio
