// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/commit: the only way in which metadata reaches the file.
//
// A commit is agreed on, planned as one value (CommitPlan), and applied by the gate (CommitWriter). Until its
// commit point the last commit holds, and what was planned is planned anew by the next one.

#pragma once

#include <functional>
#include <optional>

#include "storage/commit/commit_facts.hpp"
#include "storage/commit/unlinked_objects.hpp"
#include "storage/file/file_store.hpp"
#include "storage/gate/commit_steps.hpp"

namespace pcio {

/// Why a commit happens. Of a file that was just made nobody has anything to read, so it is not
/// flushed, which would cost an fsync; a close also gives back the unused end of the file.
enum class CommitKind : std::uint8_t { kCreate, kFlush, kClose };

/// Chunks that wait in memory until all ranks write them, which only rooms above know how to. `write` is
/// collective over the file; it is called once, where any rank has some.
struct PendingWork {
  bool any = false;  ///< this rank has some
  /// Puts datasets with chunks that can't be encoded into its argument, the same ones on all ranks.
  std::function<Status(LeftOut*)> write;
};

/// What a commit makes of chunks that can't be encoded, of which the file keeps what it has.
enum class UnencodedChunks : std::uint8_t {
  kFail,     ///< it fails when it is made
  kPassOver  ///< that is for others to tell: it is a part of a call that wants something else
};

/// Whether nobody can close the file once more, where this close fails. The same on all ranks.
enum class LastClose : std::uint8_t { kNo, kYes };

/// What this rank has found before the agreement that begins a commit.
struct CommitBeginning {
  CommitFacts mine;
  UnlinkedSet unlinked;
  Status ready;
  LeftOut chunks;                     ///< datasets with chunks that could not be encoded
  std::optional<Status> trimmed;      ///< of a close: whether unused space at the end was given up
  std::optional<Status> cut;          ///< the file was cut to that; all ranks have it, or none
  std::optional<CommitFacts> agreed;  ///< an agreement was made of it, and all ranks are ready
};

/// Gives up unused space at the end of a file that is going to be closed, and cuts a file of several ranks to it
/// where nothing is to be written any more, so that the agreement which follows tells whether all ranks could.
/// What was done once is not done again. Nothing of a file that is only read.
/// Collective: over the file, all ranks or none; local.
void trim_before_close(FileStore& store, CommitBeginning* beginning);
/// What came of the cut, equal on all ranks: `done` where it succeeded. Collective: pure.
void settle_cut(FileStore& store, const CommitBeginning& beginning, bool done);
/// The rest of what is in a CommitBeginning, in a call of `kind`. Collective: independent.
void find_beginning(FileStore& store, CallKind kind, const PendingWork& pending,
                    CommitBeginning* beginning);

/// Writes everything that changed, in the steps of CommitWriter. A dataset whose changes can't be
/// written is left out, with what it was in the file, and so is a chunk that can't be encoded; the commit is made and
/// then fails, naming it. A
/// program that is killed at any moment leaves a file that opens as the last commit or as this one. When
/// this fails, the last commit is what everybody reads, or, past the commit point, this one is what this
/// library reads and others refuse; the next commit completes it.
///
/// Collective: over the file; begins with an agreement and ends with one, and has one between where there is
/// something to write. `local`: this rank's failure before, which all ranks get.
Status commit_file(FileStore& store, CommitKind kind, const CallName& name, const Status& local,
                   const PendingWork& pending = PendingWork(),
                   UnencodedChunks unencoded = UnencodedChunks::kFail);

/// The first commit of a file that was just made. All ranks have agreed on `traits`; `local`: this rank's
/// failure since. Collective: over the file; two exchanges, and syncs where durability asks for them.
Status commit_new_file(FileStore& store, const CallName& name, const CommitTraits& traits,
                       const Status& local);

/// Commits (where writable) and closes the driver. The store can only be destroyed afterwards. After a
/// failure it stays open, so that the caller can put right what is wrong and try again, but where the
/// ranks have lost step, and where only chunks are missing that can't be encoded: it is closed without them, unless they
/// lack memory and this is not the last close. `beginning`: as far as the caller has come with it. Collective: over the
/// file.
Status close_file(FileStore& store, const CallName& name, const Status& local,
                  const PendingWork& pending, CommitBeginning beginning, LastClose last);

}  // namespace pcio
