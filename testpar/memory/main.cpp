// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Every n-th allocation fails on one rank, in every communicating call: small ones too, once or from
// there on until the call is over. All ranks succeed then, or all fail, and those that had memory are told
// which one had none; nobody waits for ever; later calls work or fail on all ranks, and what opens or
// creates a file succeeds when it is called again; what the file shows is what was written before or in
// the call; nothing of MPI's and no descriptor is left.
// Room: testpar, public headers only, and faults/ for failures on demand.
//
// PCIO_SEED, PCIO_SCENE (a list: 4,close,read/filtered), PCIO_CULPRIT (a rank) and PCIO_FROM (a position) choose what
// is played; PCIO_FAULTS_TRACE shows where memory ran out.
// A sample of the positions, of the ranks that fail and of both kinds; all of them with PCIO_LONG. The
// last line has the seed, the cases and a histogram of what became of the calls.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <sstream>

#include <mpi.h>

#include "scenes.hpp"
#include "testpar/faults/cells.hpp"
#include "testpar/held.hpp"

using namespace memory;
using faults::Fault;
using faults::judge;

namespace {

long long number_from(const char* variable, long long otherwise) {
  const char* const text = std::getenv(variable);
  return text != nullptr ? std::atoll(text) : otherwise;
}

const unsigned seed = static_cast<unsigned>(number_from("PCIO_SEED", 1));
const char* const only_scenes = std::getenv("PCIO_SCENE");
const auto from = static_cast<std::uint64_t>(number_from("PCIO_FROM", 0));

/// All, or those that are listed by number, name, or name and layout.
bool is_played(std::size_t number) {
  if (only_scenes == nullptr) return true;
  const Scene& scene = scenes()[number];
  std::istringstream list(only_scenes);
  for (std::string item; std::getline(list, item, ',');)
    if (item == std::to_string(number) || item == scene.name ||
        item == scene.name + std::string("/") + name_of(scene.layout))
      return true;
  return false;
}

/// Not one scene, or a part of it, to look at.
bool is_campaign() {
  if (only_scenes == nullptr) return true;
  return from == 0 && std::strchr(only_scenes, ',') != nullptr;
}

enum Became { kSucceeded, kFailed, kGivenUp, kNotStruck };
struct Tally {
  long became[4] = {};
  long positions = 0;  // struck
};
std::vector<Tally> tallies;
long by_kind[2] = {}, by_layout[kLayouts] = {};
std::vector<long> by_culprit;

/// The file is closed or given up, and nothing of it is left open.
bool let_go(Stage& stage) {
  for (Id* id : {&stage.attribute, &stage.group_id, &stage.set, &stage.other, &stage.strings,
                 &stage.note, &stage.type})
    id->close();
  const bool more = stage.made.close() >= 0 || !stage.file.valid();
  judge(par::all(more) || !par::any(more), "what was made closes on some ranks only");
  const bool closed = !stage.file.valid() || stage.file.close() >= 0;
  judge(par::all(closed) || !par::any(closed), "the file closes on some ranks only");
  return par::all(closed);
}

/// An error of a rank that had memory: it names the one that had none. Where chunks are shared out, and
/// where the ranks have lost step by it, they know only that there is one.
bool tells(const std::string& text, int culprit) {
  auto has = [&](const std::string& word) { return text.find(word) != std::string::npos; };
  return (has("memory") && has("rank " + std::to_string(culprit))) ||
         has("a rank ran out of memory while") || has("lost step");
}

/// Whatever became of the call, nothing of it is left. MPI and the library keep some things from the
/// first time on.
class Leaks {
 public:
  ~Leaks() {
    par::Held now = par::held_now();
    now.requests = before_.requests;  // counted by t_leaks
    judge(first_ || now == before_, "left behind: " + par::more_held(before_, now));
    first_ = false;
  }

 private:
  static bool first_;
  par::Held before_ = par::held_now();
};
bool Leaks::first_ = true;

/// One call with one failure; false where the call was over before.
bool play(std::size_t number, Fault fault, std::uint64_t at, int culprit) {
  const Scene& scene = scenes()[number];
  char text[160];
  std::snprintf(text, sizeof text, "scene %zu, %s, %s, %s: %s allocation %llu, rank %d", number,
                scene.name, name_of(scene.layout), pcio_transport_name(scene.transport),
                fault == Fault::kNoBlock ? "only" : "from", static_cast<unsigned long long>(at),
                culprit);
  faults::begin_cell(text);
  const std::string name = par::file_name("memory") + "." + std::to_string(faults::counts.cells);
  const Leaks leaks;
  Stage stage = make_stage(scene, name);
  MPI_Barrier(MPI_COMM_WORLD);
  faults::begin_watch();
  if (par::rank() == culprit) inject::arm(fault, at, stage.name);
  const bool done = scene.act(stage);
  const bool struck = par::any(inject::disarm());
  const std::string told = par::error_text();
  faults::end_watch();
  judge(par::all(done) || !par::any(done), "it succeeds on some ranks only");
  judge(struck || done, "no failure of memory, but the call failed");
  judge(done || par::rank() == culprit || tells(told, culprit), "the error is only: " + told);
  faults::begin_watch();
  const bool again = scene.act(stage);
  judge(par::all(again) || !par::any(again), "the second call succeeds on some ranks only");
  judge(!par::all(done) || again, "it succeeded, and then fails");
  judge(scene.again == Again::kMayFail || again, "it can't be repeated: " + par::error_text());
  const bool flushed = !stage.file.valid() || H5Fflush(stage.file, H5F_SCOPE_GLOBAL) >= 0;
  judge(par::all(flushed) || !par::any(flushed), "the file is flushed on some ranks only");
  const bool closed = let_go(stage);
  const bool good = par::all(done) || scene.again == Again::kSucceeds;
  judge(!good || (flushed && closed), "it succeeded, and the file can't be closed");
  faults::end_watch();
  const bool wrote = again && scene.after == After::kNew && flushed && closed;
  judge(par::all(par::rank() != 0 || holds(stage, wrote ? 2 : 0)), "wrong values");
  faults::remove_file(name);
  faults::remove_file(stage.second_name);
  const Became became = !struck ? kNotStruck : done ? kSucceeded : closed ? kFailed : kGivenUp;
  ++tallies[number].became[became];
  if (!struck) return false;
  ++tallies[number].positions;
  ++by_kind[fault == Fault::kNoBlock ? 0 : 1];
  ++by_layout[static_cast<int>(scene.layout)];
  ++by_culprit[static_cast<std::size_t>(culprit)];
  ++faults::counts.struck;
  return true;
}

/// All positions, or in the sample some: the first ones, and steps of random length behind them. On one or two
/// ranks some scenes are played at all of them.
void play_scene(std::size_t number, std::mt19937& random) {
  for (const Fault fault : {Fault::kNoBlock, Fault::kNoBlocks})
    for (const int culprit : faults::culprits()) {
      const bool all = faults::whole_matrix() || (par::size() <= 2 && fault == Fault::kNoBlock &&
                                                  scenes()[number].positions == Positions::kAll);
      std::uint64_t at = from;
      while (play(number, fault, at, culprit)) at += all ? 1 : 1 + random() % (16 + 4 * at);
    }
}

/// Ranks by how often they were struck; false where one never was that should have been.
bool report_culprits() {
  if (par::rank() == 0) {
    std::printf("memory: struck by rank:");
    for (const long struck : by_culprit) std::printf(" %ld", struck);
    std::printf("\n");
  }
  return std::getenv("PCIO_CULPRIT") != nullptr ||
         std::find(by_culprit.begin(), by_culprit.end(), 0) == by_culprit.end();
}

/// An empty bin is a failure: that call, that kind, or that rank, was never struck.
void report() {
  bool empty = std::any_of(std::begin(by_kind), std::end(by_kind), [](long n) { return n == 0; });
  empty = !report_culprits() || empty;
  long became[4] = {};
  for (std::size_t i = 0; i < tallies.size(); ++i) {
    if (!is_played(i)) continue;
    empty = empty || tallies[i].positions == 0;
    for (int k = 0; k < 4; ++k) became[k] += tallies[i].became[k];
  }
  empty = empty && is_campaign();
  if (empty) ++faults::counts.failures;
  if (par::rank() != 0) return;
  std::printf("memory: seed %u, %d ranks, %ld cases in %zu calls; once %ld, from there on %ld;",
              seed, par::size(), faults::counts.cells, scenes().size(), by_kind[0], by_kind[1]);
  for (int i = 0; i < kLayouts; ++i)
    std::printf(" %s %ld,", name_of(static_cast<Layout>(i)), by_layout[i]);
  std::printf(" succeeded %ld, failed %ld, file given up %ld, not struck %ld; %s%ld failures\n",
              became[kSucceeded], became[kFailed], became[kGivenUp], became[kNotStruck],
              empty ? "an empty bin, " : "", faults::counts.failures);
}

}  // namespace

CASE(every_allocation_of_one_rank) {
  const par::Silence quiet;
  tallies.resize(scenes().size());
  by_culprit.resize(static_cast<std::size_t>(par::size()));
  std::mt19937 random(seed);
  for (std::size_t i = 0; i < scenes().size(); ++i)
    if (is_played(i)) play_scene(i, random);
  report();
  CHECK(faults::counts.failures == 0);
}
