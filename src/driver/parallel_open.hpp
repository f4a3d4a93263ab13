// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room driver: the steps that opening a file on many ranks has in common, whatever the driver.

#pragma once

#include <memory>
#include <string>

#include "driver/open_driver.hpp"

namespace pcio {

/// `path` without an MPI-IO file system prefix such as "ufs:".
std::string strip_prefix(const std::string& path);

/// What this rank can see of the file before anything is opened: missing, unreadable, in the way.
/// Collective: independent.
Status inspect_path(const OpenRequest& request);

/// Makes the coordinator, and agrees that all ranks want to open the same file in the same mode and
/// see nothing against it. Collective: over the lobby's ranks.
Result<std::shared_ptr<Coordinator>> agree_to_open(Lobby& lobby, const OpenRequest& request);

}  // namespace pcio
