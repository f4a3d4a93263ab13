// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/commit: the only way in which metadata reaches the file.
//
// A commit is agreed on, planned as one value (CommitPlan), and applied by the gate (CommitWriter). Until its
// commit point the last commit holds, and what was planned is planned anew by the next one.

#pragma once

#include "storage/file/file_store.hpp"

namespace pcio {

/// Why a commit happens. Of a file that was just made nobody has anything to read, so it is not
/// flushed, which would cost an fsync; a close also gives back the unused end of the file.
enum class CommitKind : std::uint8_t { kCreate, kFlush, kClose };

/// Writes everything that changed, in the steps of CommitWriter. A dataset whose changes can't be
/// written is left out, with what it was in the file; the commit is made and then fails, naming it. A
/// program that is killed at any moment leaves a file that opens as the last commit or as this one. When
/// this fails, the last commit is what everybody reads, or, past the commit point, this one is what this
/// library reads and others refuse; the next commit completes it.
///
/// Collective: over the file; begins with an agreement and ends with one. `local`: this rank's failure
/// before, which all ranks get.
Status commit_file(FileStore& store, CommitKind kind, const CallName& name, const Status& local);

/// Commits (where writable) and closes the driver. The store can only be destroyed afterwards. After a
/// failure it stays open, so that the caller can put right what is wrong and try again, but where the
/// ranks have lost step. Collective: over the file.
Status close_file(FileStore& store, const CallName& name, const Status& local);

}  // namespace pcio
