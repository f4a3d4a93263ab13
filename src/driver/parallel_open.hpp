// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room driver: the steps that opening a file on many ranks has in common, whatever the driver.

#pragma once

#include <memory>
#include <string>

#include "driver/open_driver.hpp"
#include "driver/short_name.hpp"
#include "driver/writer_lock.hpp"
#include "mpi/file.hpp"

namespace pcio {

/// What a rank has learned of a file before it was opened.
struct SeenFile {
  PosixFile file;           ///< with which it has looked whether it can be opened
  FileSystemTraits traits;  ///< number 0: unknown
  ShortName name;           ///< by which MPI is to open it
  bool together = true;     ///< by one call of all ranks, else each by itself; equal on all ranks
  std::uint64_t made = 0;   ///< number of the file that rank 0 has made; 0: none
};

/// `path` without an MPI-IO file system prefix such as "ufs:". "./ufs:x" has none.
std::string strip_prefix(const std::string& path);
/// The name by which MPI opens that file: a part of `path`, so that it takes no memory behind an agreement.
const char* path_for_mpi(const std::string& path);

/// `path` from the root, its prefix kept, so that it means the same file after the working directory
/// has changed; as it is where the working directory can't be told. Independent.
std::string lasting_path(const std::string& path);

/// What this machine takes the file system for in which the file is, or is to be. Collective: independent.
FileSystemTraits place_of(const OpenRequest& request);

/// This rank has the descriptors that MPI_File_open needs: where one rank fails in its midst the others may wait there for
/// ever. `what` fails else. Collective: independent.
Status check_descriptors(const std::string& what);

/// What this rank can see of the file before anything is opened: missing, unreadable, in the way.
/// Collective: independent.
Status inspect_path(const OpenRequest& request);

/// `failed`, which MPI-IO says of a file that it did not open, behind what the system would say.
/// Collective: independent.
Status why_not_opened(const std::string& path, OpenMode mode, const Status& failed);

/// Makes the coordinator, and agrees that all ranks want to open the same file in the same mode with
/// the same values of `request.compared`, see it alike on NFS or elsewhere, and see nothing against it; or gives the coordinator
/// that the request brings. Collective: over the lobby's ranks; as Coordinator::create, and one agreement
/// more where something is wrong, or of a new file on machines with caches of their own, which rank 0 makes
/// (and which goes again where that fails); who is to open it by itself waits for it with see_made() then. Errors: one that
/// names what differs, the values and the ranks.
/// `for_mpi`: what MPI needs to open it; nullptr: another opens it.
/// `made`: whether rank 0 has made it, equal on all ranks; nullptr: the request creates nothing.
Result<std::shared_ptr<Coordinator>> agree_to_open(Lobby& lobby, const OpenRequest& request,
                                                   SeenFile* for_mpi, bool* made = nullptr);

/// What rank 0 has made (SeenFile::made) is there for this rank, too: waits for that. Collective: independent.
Status see_made(const OpenRequest& request, std::uint64_t made);

/// Files that this rank has made (null: none) for a call that fails go again, before any rank comes back from it and may make
/// one anew. Ranks that lost step leave them. Collective: over the file, one exchange.
void take_back(MadeFiles* made, Coordinator& coordinator);

/// All ranks have `file` and `local` is good everywhere, or none has it any more.
/// Collective: over the file, two exchanges.
Status agree_opened(mpi::File& file, Coordinator& coordinator, const CallName& name,
                    const Status& local);

}  // namespace pcio
