// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: the library's own calls: the ranks that have a file open, and what they agree on.

#include <string>

#include "agree/coordinator.hpp"
#include "base/library_lock.hpp"
#include "lib/api_entry.hpp"
#include "lib/error_stack.hpp"
#include "lib/object_handles.hpp"
#include "lib/property_access.hpp"

using namespace pcio;

namespace {

/// What this rank brings: its failure, in the words that its error stack has. They stay there.
Status own_outcome(herr_t mine) {
  const auto& entries = thread_error_stack().entries;
  if (mine >= 0) return Status();
  if (entries.empty()) return PCIO_ERROR(FUNC, CANTOPERATE, "argument mine: this rank has failed");
  const ErrorEntry& first = *entries.front();
  return PCIO_ERROR(FUNC, CANTOPERATE, first.function + ": " + first.text);
}

}  // namespace

herr_t pcio_get_ranks(hid_t loc_id, int* rank, int* ranks) {
  return api_status("pcio_get_ranks", [&]() -> Status {
    PCIO_ASSIGN(const FilePtr file, located_file(loc_id, "loc_id"));
    const bool parallel = file->parallel();
    store(rank, parallel ? file->coordinator().rank() : 0);
    store(ranks, parallel ? file->coordinator().size() : 0);
    return Status();
  });
}

herr_t pcio_agree(hid_t loc_id, herr_t mine, uint64_t value, uint64_t* least, uint64_t* most) {
  return api_entry_keep("pcio_agree", herr_t{-1}, [&]() -> Status {
    if (mine >= 0) thread_error_stack().entries.clear();
    PCIO_ASSIGN(const FilePtr file, located_file(loc_id, "loc_id"));
    if (file->parallel()) call_went_too_far();
    LocalFacts facts;
    facts.call_kind = CallKind::kProgram;
    facts.same[0] = value;
    const CallName name{"pcio_agree", file->path()};
    PCIO_ASSIGN(const GlobalFacts all, file->coordinator().agree(name, facts, own_outcome(mine)));
    store(least, all.same[0].min);
    store(most, all.same[0].max);
    return Status();
  });
}
