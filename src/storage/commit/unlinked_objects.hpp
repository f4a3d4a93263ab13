// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/commit: what goes with objects that nobody can reach any more.
//
// Everything is read before the ranks agree, so that giving it back can't fail on one of them: what
// one rank can't read keeps its space on all.

#pragma once

#include <set>
#include <vector>

#include "storage/commit/commit_facts.hpp"
#include "storage/file/file_store.hpp"

namespace pcio {

/// One object without links: its bytes but for the header, and the objects it refers to.
struct UnlinkedObject {
  StoredObjectPtr object;
  std::vector<ByteRange> ranges;
  std::vector<StoredObjectPtr> children;
  HeapStore::LetGo owned;  ///< objects of global heaps; rank 0's
};

/// All of them by address. `unread` has a word for each: 1 where it could not be read.
struct UnlinkedSet {
  std::vector<UnlinkedObject> objects;
  std::vector<std::uint64_t> unread;
  std::uint64_t counted = 0;  ///< objects in heaps, those of rounds before included
};

/// Of a commit of calls of `kind`. Nothing where one is in use here: then all stay. Collective: independent. Errors: no
/// memory.
Status find_unlinked(FileStore& store, CallKind kind, UnlinkedSet* set);
[[nodiscard]] UnlinkedFacts unlinked_facts(FileStore& store, CallKind kind, const UnlinkedSet& set);
/// This rank knows of objects in heaps that go with it.
[[nodiscard]] bool owns_objects(const UnlinkedSet& set);

/// Releases `set`, of which the ranks have `agreed`, and goes on with what lost its last link by this,
/// until nothing is left or some of it is open. `agreed` then says whether any rank has let go of objects in
/// heaps, and `call.released` has what went, the same on all ranks. Collective: over the file, two or three exchanges
/// for each round, in calls of `call.kind`.
struct ReleaseCall {
  const CallName& name;
  CallKind kind;
  std::set<FileAddress>* released;
};
Status release_unlinked(FileStore& store, const ReleaseCall& call, CommitFacts* agreed,
                        UnlinkedSet set);

/// Links and references of others to an object, without those of objects that nobody can reach any
/// more and a commit will release. Collective: independent; differs where ranks have such open.
Result<std::uint32_t> references_to(FileStore& store, const StoredObjectPtr& object);

}  // namespace pcio
