// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: metadata that one rank reads for all (H5Pset_all_coll_metadata_ops).
//
// Ranks remember different things, so they don't read in step: rank 0 makes the call, what it read on the way is
// sent to the others, and they make theirs with those blocks at hand. What a rank misses in them it reads itself.

#pragma once

#include <optional>

#include "base/without_throwing.hpp"
#include "object/file.hpp"

namespace pcio {

/// For one call of all ranks that reads metadata. Threads: one thread.
class SharedReads {
 public:
  /// `wanted`: by a list of the call; the file's access list may want it of all calls. Of no effect on
  /// serial files.
  SharedReads(const FilePtr& file, bool wanted);
  SharedReads(const SharedReads&) = delete;
  SharedReads& operator=(const SharedReads&) = delete;
  ~SharedReads() { stop(); }

  /// False where each rank reads for itself.
  [[nodiscard]] bool active() const { return file_ != nullptr; }
  /// This rank makes its call before share(), and takes notes; the others make it after.
  [[nodiscard]] bool reads_first() const { return file_->coordinator().rank() == 0; }
  void take_notes();
  /// No notes are taken, or used, from here on.
  void stop();
  /// Collective: over the file; an exchange, and two broadcasts at most where something was read.
  /// Errors: ranks that are in other calls. A rank without memory for the blocks goes on without.
  Status share(const CallName& name);

 private:
  Status receive(std::uint64_t size);

  FilePtr file_;
  RecordedReads reads_;
};

/// Makes a call `read() -> Result` that has no other effect on the file. Collective: over the file where
/// this is wanted on all ranks, else independent. `undo(result)`: what becomes of it where the ranks are
/// found to be in different calls.
template <class Read, class Undo>
auto read_together(const FilePtr& file, bool wanted, const CallName& name, Read&& read, Undo&& undo)
    -> decltype(read()) {
  SharedReads shared(file, wanted);
  if (!shared.active()) return read();
  call_went_too_far();
  std::optional<decltype(read())> result;
  Status ran;
  auto run = [&] {
    ran = without_throwing([&] {
      result.emplace(read());
      return Status();
    });
    shared.stop();
  };
  const bool first = shared.reads_first();
  if (first) {
    shared.take_notes();
    run();
  }
  if (Status all = shared.share(name); !all.ok()) {
    if (result) undo(*result);
    return detail::StatusReturn(std::move(all));
  }
  if (!first) run();
  if (!ran.ok()) return detail::StatusReturn(std::move(ran));
  return std::move(*result);
}

}  // namespace pcio
