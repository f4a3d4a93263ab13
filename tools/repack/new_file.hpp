// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// The file that pciorepack makes. Room: tools, public headers only.

#ifndef PCIO_TOOLS_REPACK_NEW_FILE_HPP
#define PCIO_TOOLS_REPACK_NEW_FILE_HPP

#include "options.hpp"
#include "ranks.hpp"

namespace repack {

/// Creates `path` with the settings of the file `in`, but for what the options ask. Collective.
/// Throws tools::Failure.
tools::Id create_file(const tools::Ranks& ranks, const Options& options, hid_t in,
                      const std::string& path);

/// Puts the user block in front of `path`, which is closed: of `in`, or that of the options. On one rank.
/// Throws tools::Failure.
void copy_user_block(const Options& options, std::uint64_t bytes_in_source,
                     const std::string& path);

}  // namespace repack

#endif
