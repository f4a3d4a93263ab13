// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// The objects of a file by path. Room: tools, public headers only.

#ifndef PCIO_TOOLS_DIFF_LISTING_HPP
#define PCIO_TOOLS_DIFF_LISTING_HPP

#include <hdf5.h>
#include <map>
#include <string>

#include "options.hpp"

namespace diff {

enum class Kind : std::uint8_t { kGroup, kDataset, kType, kSoft, kExternal, kOther, kDangling };

/// "H5G_DATASET" and the like.
const char* kind_word(Kind kind);

/// By path below the place where it begins; that one has the path "".
using Listing = std::map<std::string, Kind>;

/// Everything below a group, each object under all its names; a group's members under its first one.
/// Throws tools::Failure.
Listing list_objects(const Options& options, hid_t file, const std::string& start);

/// What `path` is; links are followed where options say so. Throws tools::Failure.
Kind kind_of(const Options& options, hid_t file, const std::string& path);

}  // namespace diff

#endif
