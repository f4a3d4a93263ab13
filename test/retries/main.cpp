// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Memory that runs out once in a call on a serial file, or in a flush or close behind it: each allocation in
// turn. The call is made again, at once or after another change; then a new opening finds what a run in
// which nothing lacked left behind. A call that isn't made again has changed all or nothing. Or memory is short from
// that allocation on until the call is over: then it may be that what failed can't be undone, and the file, which says
// so, is what it was after its last flush.
//
//   retry_cases [--seed S] [--cases N] [--all 1] [--scene TEXT] [--cell K] [--folder F] [--keep M]
//
// Without --all N cells are drawn, some of every scene. Each M-th file is kept, beside one of the run in
// which nothing lacked. Ends with one line; what never happened is a failure. Room: test, public headers only.

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <random>
#include <set>
#include <unistd.h>

#include "retries/scenes.hpp"
#include "support/counted_memory.hpp"

using namespace retries;
namespace memory = pcio::test::memory;

namespace {

enum class Way {
  kCallAgain,
  kOtherFirst,
  kLeft,
  kFlushAgain,
  kOtherBeforeFlush,
  kCloseAgain,
  kShort,
  kShortFlush,
  kShortClose
};
constexpr std::array<const char*, 9> kWays = {"call again",  "other first",       "left",
                                              "flush again", "flush after other", "close again",
                                              "short",       "short flush",       "short close"};
constexpr bool is_short(Way way) { return way >= Way::kShort; }
constexpr bool closes(Way way) { return way == Way::kCloseAgain || way == Way::kShortClose; }

struct Options {
  std::uint64_t seed = 1, cases = 600, keep = 0;
  bool all = false;
  std::string scene, folder = ".";
  long cell = -1;
} options;

/// What the file and the open ids said at the end of a run.
struct Found {
  std::vector<std::string> lines;
  std::string names;
  bool operator==(const Found&) const = default;
};

struct Run {
  Found found;
  std::string wrong;  ///< what failed that can't
  bool lacked = false, failed = false;
  bool given_up = false;               ///< the file can only be closed
  std::vector<std::string> committed;  ///< what the file held before the call
  std::uint64_t allocations = 0;
};

std::map<std::string, long> bins;
long failures = 0, kept = 0, stuck = 0;
char current[200];

void crashed(int signal) {
  const char text[] = "retries: crashed in ";
  static_cast<void>(!write(1, text, sizeof text - 1));
  static_cast<void>(!write(1, current, std::strlen(current)));
  static_cast<void>(!write(1, "\n", 1));
  _exit(128 + signal);
}

/// Another one where a file can't be closed.
std::string file_path() { return options.folder + "/retried" + std::to_string(stuck) + ".h5"; }

/// A step whose allocation number `nth` fails, and all behind it where `way` says so; none where negative.
template <class Step>
herr_t with_lack(Run& run, Way way, long nth, Step&& step) {
  memory::begin(1);
  if (nth >= 0)
    (is_short(way) ? memory::fail_from : memory::fail_once)(0, static_cast<std::uint64_t>(nth));
  memory::attribute_to(0);
  const herr_t result = step();
  memory::attribute_to(memory::kNobody);
  run.lacked = memory::has_failed();
  run.failed = result < 0;
  run.allocations = memory::allocations(0);
  memory::end();
  return result;
}

void check(Run& run, bool good, const char* what) {
  if (!good && run.wrong.empty()) run.wrong = what;
}

/// A commit that failed behind its beginning is completed before anything gets space.
void change_something_else(World& w, Run& run) {
  if (change_something_else(w) >= 0) return;
  ++bins["refused until flushed"];
  check(run, run.failed && H5Fflush(w.file, H5F_SCOPE_GLOBAL) >= 0, "the flush fails again");
  check(run, change_something_else(w) >= 0, "another change fails");
}

herr_t keep_text(unsigned, const H5E_error2_t* error, void* text) {
  *static_cast<std::string*>(text) += error->desc == nullptr ? "" : error->desc;
  return 0;
}

/// The last call says why nothing goes any more.
bool says_given_up() {
  std::string text;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_text, &text);
  return text.find("the file can only be closed") != std::string::npos;
}

/// A call while memory is short, all of which behaves as one that lacked it once, or the file is given up.
void play_short(World& w, const Scene& scene, long nth, Run& run) {
  const std::string copy = w.path + ".before";
  std::filesystem::copy_file(w.path, copy, std::filesystem::copy_options::overwrite_existing);
  run.committed = look(copy);
  std::filesystem::remove(copy);
  const herr_t done = with_lack(run, Way::kShort, nth, [&] { return scene.act(w); });
  if (done >= 0) return;
  run.given_up = H5Fflush(w.file, H5F_SCOPE_GLOBAL) < 0 && says_given_up();
  if (run.given_up) ++bins["given up"];
  const bool again = scene.act(w) >= 0;
  check(run, again != run.given_up,
        again ? "a file that is given up goes on" : "the call fails again");
}

/// The part of a run in which memory lacks, and what follows it.
void play(World& w, const Scene& scene, Way way, long nth, Run& run) {
  const auto flush = [&] { return H5Fflush(w.file, H5F_SCOPE_GLOBAL); };
  if (way == Way::kShort) return play_short(w, scene, nth, run);
  if (way <= Way::kLeft) {
    const herr_t done = with_lack(run, way, nth, [&] { return scene.act(w); });
    if (way == Way::kOtherFirst) change_something_else(w, run);
    if (way != Way::kLeft && done < 0) check(run, scene.act(w) >= 0, "the call fails again");
    return;
  }
  check(run, scene.act(w) >= 0, "the call fails");
  if (closes(way)) return;
  const herr_t flushed = with_lack(run, way, nth, flush);
  if (way == Way::kOtherBeforeFlush) change_something_else(w, run);
  if (flushed < 0) check(run, flush() >= 0, "the flush fails again");
}

Run play(const Scene& scene, Way way, long nth) {
  Run run;
  World w;
  w.path = file_path();
  scene.prepare(w);
  play(w, scene, way, nth, run);
  run.found.names = w.close_ids();
  const auto close = [&] { return H5Fclose(w.file); };
  const auto close_or_leave = [&] {
    if (close() >= 0) return true;
    ++stuck;
    return false;
  };
  if (closes(way)) {
    if (with_lack(run, way, nth, close) < 0) check(run, close_or_leave(), "the close fails again");
  } else if (run.given_up) {
    check(run, close() < 0 && says_given_up(), "the close of a file that is given up");
    check(run, H5Iis_valid(w.file) == 0, "a file that is given up stays open");
  } else {
    check(run, close_or_leave(), "the close fails");
  }
  run.found.lines = look(w.path);
  return run;
}

/// A run in which nothing lacked, of a scene and way.
struct Wanted {
  Found before;     ///< without the call
  Found after;      ///< with it
  Found exchanged;  ///< with another change before the call
  std::uint64_t allocations = 0;
};

Scene without_act(Scene scene) {
  scene.act = [](World&) { return 0; };
  return scene;
}

Wanted wanted_of(const Scene& scene, Way way) {
  Wanted wanted;
  if (way == Way::kLeft) wanted.before = play(without_act(scene), way, -1).found;
  if (way == Way::kOtherFirst) {
    World w;
    w.path = file_path();
    scene.prepare(w);
    must(change_something_else(w), "another change");
    must(scene.act(w), "the call");
    wanted.exchanged.names = w.close_ids();
    must(H5Fclose(w.file), "H5Fclose");
    wanted.exchanged.lines = look(w.path);
  }
  const Run run = play(scene, way, -1);
  if (!run.wrong.empty()) {
    std::printf("retries: %s, %s: %s where nothing lacks\n", scene.name.c_str(),
                kWays[static_cast<std::size_t>(way)], run.wrong.c_str());
    ++failures;
  }
  wanted.after = run.found;
  wanted.allocations = run.allocations;
  return wanted;
}

/// Each line is one of two.
bool is_mixed(const Found& found, const Found& one, const Found& other) {
  const std::size_t n = found.lines.size();
  if (one.lines.size() != n || other.lines.size() != n) return false;
  for (std::size_t i = 0; i < n; ++i)
    if (found.lines[i] != one.lines[i] && found.lines[i] != other.lines[i]) return false;
  return found.names == one.names || found.names == other.names;
}

/// All objects that were there, and no other ones than those of the call.
bool is_on_the_way(const Found& found, const Found& before, const Found& after) {
  const auto objects = [](const Found& of) {
    std::set<std::string> all;
    for (const std::string& line : of.lines)
      if (const auto end = line.find(" type "); end != std::string::npos)
        all.insert(line.substr(0, end));
    return all;
  };
  const auto here = objects(found), old = objects(before), complete = objects(after);
  return here != old && std::includes(here.begin(), here.end(), old.begin(), old.end()) &&
         std::includes(complete.begin(), complete.end(), here.begin(), here.end());
}

bool is_right(const Scene& scene, Way way, const Run& run, const Wanted& wanted) {
  if (run.given_up) {
    // Elements may have got to where they were to be.
    const Found before{run.committed, run.found.names};
    return run.found == before || (scene.in_parts && is_mixed(run.found, before, wanted.after));
  }
  if (way == Way::kOtherFirst && run.failed)
    return run.found == wanted.exchanged || (scene.in_parts && run.found == wanted.after);
  if (way != Way::kLeft || !run.failed) return run.found == wanted.after;
  if (run.found == wanted.before || run.found == wanted.after) return true;
  return scene.in_parts && (is_mixed(run.found, wanted.before, wanted.after) ||
                            is_on_the_way(run.found, wanted.before, wanted.after));
}

void tell_difference(const Found& found, const Found& wanted) {
  int told = 0;
  const auto missing = [&](const Found& in, const Found& of, const char* what) {
    for (const std::string& line : of.lines)
      if (std::find(in.lines.begin(), in.lines.end(), line) == in.lines.end() && told++ < 6)
        std::printf("    %s: %s\n", what, line.c_str());
  };
  missing(found, wanted, "lost");
  missing(wanted, found, "added");
  if (found.names != wanted.names)
    std::printf("    names: %s, wanted %s\n", found.names.c_str(), wanted.names.c_str());
}

/// The file for another reader, beside one that is to be like it.
void keep(const Scene& scene, Way way, const Run& run) {
  if (options.keep == 0 || run.given_up || (way == Way::kOtherFirst && run.failed)) return;
  const bool left = way == Way::kLeft && run.failed;
  if ((left && scene.in_parts) || ++kept % static_cast<long>(options.keep) != 0) return;
  const std::string from = file_path();
  const std::string to = options.folder + "/kept" + std::to_string(kept);
  std::filesystem::copy_file(from, to + ".h5");
  play(scene, way, -1);
  std::filesystem::copy_file(from, to + ".like.h5");
  if (!left) return;
  // All or nothing.
  play(without_act(scene), way, -1);
  std::filesystem::copy_file(from, to + ".or.h5");
}

void play_cell(const Scene& scene, Way way, std::uint64_t nth, const Wanted& wanted) {
  const char* const way_name = kWays[static_cast<std::size_t>(way)];
  std::snprintf(current, sizeof current, "%s, %s, allocation %d", scene.name.c_str(), way_name,
                static_cast<int>(nth));
  const Run run = play(scene, way, static_cast<long>(nth));
  ++bins["cells"];
  ++bins[run.failed ? way_name : run.lacked ? "did without" : "did not lack"];
  if (run.failed) ++bins["scene " + scene.name];
  if (is_right(scene, way, run, wanted) && run.wrong.empty()) return keep(scene, way, run);
  ++failures;
  if (failures > 60 && !options.all) return;
  std::printf("FAILED: %s: %s%s\n", current, run.failed ? "fails; " : "", run.wrong.c_str());
  const bool left = way == Way::kLeft && run.failed;
  const bool exchanged = way == Way::kOtherFirst && run.failed;
  tell_difference(run.found, left ? wanted.before : exchanged ? wanted.exchanged : wanted.after);
}

/// Every cell of a scene, or the one that is asked for.
void play_all(const Scene& scene) {
  for (std::size_t way = 0; way < kWays.size(); ++way) {
    const Wanted wanted = wanted_of(scene, static_cast<Way>(way));
    for (std::uint64_t nth = 0; nth < wanted.allocations; ++nth)
      if (options.cell < 0 || options.cell == static_cast<long>(nth))
        play_cell(scene, static_cast<Way>(way), nth, wanted);
  }
}

/// Scenes in turn, in a drawn order; of each a way and an allocation.
void play_some(std::vector<Scene> scenes) {
  std::mt19937_64 random(options.seed);
  std::map<std::pair<std::string, Way>, Wanted> known;
  for (std::uint64_t n = 0; n < options.cases; ++n) {
    if (n % scenes.size() == 0) std::shuffle(scenes.begin(), scenes.end(), random);
    const Scene& scene = scenes[n % scenes.size()];
    const Way way = static_cast<Way>(random() % kWays.size());
    auto& wanted = known[{scene.name, way}];
    if (wanted.after.lines.empty()) wanted = wanted_of(scene, way);
    if (wanted.allocations > 0) play_cell(scene, way, random() % wanted.allocations, wanted);
  }
}

void read_options(int argc, char** argv) {
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string name = argv[i], value = argv[i + 1];
    const std::uint64_t number = std::strtoull(value.c_str(), nullptr, 10);
    if (name == "--seed") options.seed = number;
    if (name == "--cases") options.cases = number;
    if (name == "--all") options.all = number != 0;
    if (name == "--scene") options.scene = value;
    if (name == "--cell") options.cell = static_cast<long>(number);
    if (name == "--folder") options.folder = value;
    if (name == "--keep") options.keep = number;
  }
}

}  // namespace

int main(int argc, char** argv) {
  read_options(argc, argv);
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  for (const int signal : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE}) std::signal(signal, crashed);
  std::vector<Scene> scenes = all_scenes();
  std::erase_if(scenes, [](const Scene& scene) {
    return scene.name.find(options.scene) == std::string::npos;
  });
  const bool every = options.all || options.cell >= 0;
  for (const Scene& scene : scenes)
    if (every) play_all(scene);
  if (!every && !scenes.empty()) play_some(scenes);
  std::string line =
      "retries: seed " + std::to_string(options.seed) + ", cells " + std::to_string(bins["cells"]);
  for (const char* way : kWays) {
    line += std::string(", ") + way + " " + std::to_string(bins[way]);
    if (bins[way] == 0 && options.scene.empty()) ++failures;
  }
  long idle = 0;
  for (const Scene& scene : scenes) {
    if (bins["scene " + scene.name] > 0) continue;
    ++idle;
    // A few cells of each scene need not find one whose call fails.
    if (every) std::printf("FAILED: %s: nothing of it fails\n", scene.name.c_str());
  }
  const bool whole = options.all && options.scene.empty();
  if (whole) failures += idle;
  if (bins["did without"] == 0 && options.scene.empty()) ++failures;
  for (const char* bin : {"refused until flushed", "given up"})
    if (whole && bins[bin] == 0) ++failures;
  std::printf(
      "%s, did without %ld, refused until flushed %ld, given up %ld; scenes %zu, idle %ld; "
      "failures %ld\n",
      line.c_str(), bins["did without"], bins["refused until flushed"], bins["given up"],
      scenes.size(), idle, failures);
  return failures == 0 ? 0 : 1;
}
