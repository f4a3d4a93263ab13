// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Reads and writes that fail on one rank in calls about variable-length values: all ranks answer alike, what
// is tried again succeeds, and every value in the file is one that was written to its place.
// Room: testpar, public headers only, and faults/ for failures on demand.

#include <cstdio>
#include <cstdlib>
#include <random>

#include <mpi.h>

#include "faults/cells.hpp"
#include "memory/scenes.hpp"

using namespace faults;
using memory::Scene;
using memory::Stage;

namespace {

struct Kind {
  const char* name;
  Fault fault;
};
const std::vector<Kind> kKinds = {{"write error", Fault::kWriteError},
                                  {"short write", Fault::kShortWrite},
                                  {"read error", Fault::kReadError}};
enum Became { kSucceeded, kFailed };
long became[3][2] = {};

unsigned seed() {
  const char* const text = std::getenv("PCIO_SEED");
  return text != nullptr ? static_cast<unsigned>(std::atol(text)) : 1;
}

/// Whether the fault struck.
bool play(const Scene& scene, std::size_t kind, std::uint64_t at, int culprit) {
  begin_cell(std::string(scene.name) + ", " + kKinds[kind].name + " " + std::to_string(at) +
             ", rank " + std::to_string(culprit));
  const std::string name = par::file_name("words") + "." + std::to_string(counts.cells);
  Stage stage = memory::make_stage(scene, name);
  MPI_Barrier(MPI_COMM_WORLD);
  begin_watch();
  if (par::rank() == culprit) inject::arm(kKinds[kind].fault, at, name);
  const bool done = scene.act(stage);
  const bool struck = par::any(inject::disarm());
  judge(done == par::any(done), "it succeeds on some ranks only");
  judge(struck || done, "no fault, but it failed");
  // What can't be read of what is given back keeps its room.
  judge(!struck || !done || kKinds[kind].fault == Fault::kReadError,
        "a failure is called a success");
  judge(scene.act(stage), "it can't be repeated: " + par::error_text());
  judge(H5Fflush(stage.file, H5F_SCOPE_GLOBAL) >= 0, "no flush: " + par::error_text());
  for (Id* id : {&stage.strings, &stage.note, &stage.set, &stage.other}) id->close();
  judge(stage.file.close() >= 0, "no close: " + par::error_text());
  end_watch();
  judge(par::rank() != 0 || memory::holds(stage, 0), "a wrong value");
  remove_file(name);
  if (!struck) return false;
  ++counts.struck;
  ++became[kind][done ? kSucceeded : kFailed];
  return true;
}

}  // namespace

CASE(reads_and_writes_that_fail_lose_no_word) {
  const par::Silence quiet;
  std::mt19937 random(seed());
  for (const Scene& scene : memory::kWordScenes)
    for (std::size_t kind = 0; kind < kKinds.size(); ++kind)
      for (const int culprit : culprits()) {
        std::uint64_t at = 0;
        while (play(scene, kind, at, culprit))
          at += whole_matrix() ? 1 : 1 + static_cast<std::uint64_t>(random() % 5);
      }
  for (const auto& bins : became)
    if (bins[kFailed] == 0) ++counts.failures;
  if (par::rank() == 0)
    std::printf(
        "words: seed %u, %d ranks, %ld cases; failed: %ld write errors, %ld short writes, %ld "
        "read errors; %ld reads were not needed; %ld failures\n",
        seed(), par::size(), counts.cells, became[0][kFailed], became[1][kFailed],
        became[2][kFailed], became[2][kSucceeded], counts.failures);
  CHECK(counts.failures == 0);
}
