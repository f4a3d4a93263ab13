// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Random collective transfers compared with a model in memory. Room: testpar, public headers only.
//
//   campaign_cases [--seed S] [--cases N] [--first F | --case C] [--folder D] [--keep K] [--list]
//                  [--plain] [--across R] [--apart]
//
// Plays cases F to F+N-1 of seed S, four to a file; --case C plays the cases of C's file up to C,
// which is enough to see a failure again; --list prints the cases too; --plain leaves out data
// transforms; --across R, for machines with caches of their own, where no view is taken, has what each
// rank wrote read back by the rank R after it, all together, behind every write (with R ranks a node: by
// one on the next node), and files judged by another rank than 0;
// --apart takes each rank for a node. Every Kth file stays in D/kept with a text of what it must hold, for another program
// to compare. Ends with one line: what was played, how often each value of each dimension came, and
// the failures. A bin that stays empty over 64 cases or more is a failure; so is a case of more than
// 60 seconds, and a crash, and both say which case it was.

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

#include <mpi.h>

#include "player.hpp"
#include "testpar/views.hpp"

namespace campaign {

namespace {

constexpr unsigned kCaseSeconds =
    60;  // PCIO_CASE_SECONDS: another number, for machines that are busy
constexpr std::uint64_t kCasesPerFile = 4, kEnoughCases = 64;
constexpr int kMostFailures = 5;

int world_rank = 0, world_size = 1;

// ---- what a rank says when it is stopped -------------------------------------------------------

char now[200];  // the case that runs, for the handler

void stopped(int signal_number) {
  const char* const why = signal_number == SIGALRM ? "HANGS in " : "CRASHED in ";
  (void)!write(STDERR_FILENO, why, std::strlen(why));
  (void)!write(STDERR_FILENO, now, std::strlen(now));
  (void)!write(STDERR_FILENO, "\n", 1);
  std::signal(signal_number, SIG_DFL);
  if (signal_number == SIGALRM) _exit(9);
  std::raise(signal_number);
}

void watch(const Case* c, std::uint64_t seed) {
  if (c != nullptr)
    std::snprintf(now, sizeof now, "--seed %llu --case %llu on %d ranks (rank %d)",
                  static_cast<unsigned long long>(seed), static_cast<unsigned long long>(c->number),
                  world_size, world_rank);
  const char* const seconds = std::getenv("PCIO_CASE_SECONDS");
  alarm(seconds != nullptr ? static_cast<unsigned>(std::atoi(seconds)) : kCaseSeconds);
}

// ---- options -----------------------------------------------------------------------------------

struct Options {
  std::uint64_t seed = 1, first = 0, cases = 64, keep = 0, across = 0;
  bool list = false, plain = false, apart = false;
  std::string folder = ".";
};

bool parse(int argc, char** argv, Options* o) {
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (name == "--list" || name == "--plain" || name == "--apart") {
      (name == "--list" ? o->list : name == "--plain" ? o->plain : o->apart) = true;
      continue;
    }
    if (++i == argc) return false;
    const std::uint64_t number = std::strtoull(argv[i], nullptr, 10);
    if (name == "--seed")
      o->seed = number;
    else if (name == "--cases")
      o->cases = number;
    else if (name == "--first")
      o->first = number;
    else if (name == "--keep")
      o->keep = number;
    else if (name == "--across")
      o->across = number;
    else if (name == "--folder")
      o->folder = argv[i];
    else if (name == "--case") {
      o->first = number - number % kCasesPerFile;
      o->cases = number % kCasesPerFile + 1;
    } else {
      return false;
    }
  }
  o->first -= o->first % kCasesPerFile;
  return true;
}

Histogram make_histogram(const Options& options) {
  Histogram h;
  h.add_group("ndims", {"1", "2", "3", "4"});
  h.add_group("layout", {"contiguous", "single-chunk", "even-chunks", "edge-chunks"});
  h.add_group("fill", {"default", "value", "never"});
  h.add_group("direction", {"write", "read"});
  std::vector<std::string> reads = {"own"};
  if (world_size > 1) reads.push_back("same");
  h.add_group("reads", reads);
  h.add_group("selection", {"regular", "irregular", "points", "points-twice", "empty", "all"});
  h.add_group("memory",
              {"dense", "offset", "strided", "matrix", "points", "ragged", "mirror", "H5S_ALL"});
  h.add_group("conversion",
              {"none", "int-size", "float-double", "int-float", "float-int", "order"});
  h.add_group("memory-order", {"little", "big"});
  h.add_group("transform", options.plain ? std::vector<std::string>{"no"}
                                         : std::vector<std::string>{"no", "yes"});
  h.add_group("mode", {"automatic", "one", "multi", "atonce", "all-ind", "no-opt", "individual",
                       "independent"});
  std::vector<std::string> asked = {"automatic", "direct", "exchange"};
  if (views_are_possible()) asked.push_back("view");
  h.add_group("asked", asked);
  h.add_group("done", options.across != 0
                          ? std::vector<std::string>{"direct", "exchange"}
                          : std::vector<std::string>(asked.begin() + 1, asked.end()));
  h.add_group("reopened", {"no", "yes"});
  h.add_group("untouched-chunks", {"no", "yes"});
  h.add_group("overwrites", {"no", "yes"});
  h.add_group("format", {"earliest", "1.8"});
  h.add_group("exchange", {"any", "messages"});
  return h;
}

// ---- the campaign ------------------------------------------------------------------------------

class Campaign {
 public:
  explicit Campaign(Options options)
      : options_(std::move(options)), histogram_(make_histogram(options_)) {}

  int run() {
    const std::uint64_t end = options_.first + options_.cases;
    for (std::uint64_t at = options_.first; at < end && failures_ < kMostFailures;
         at += kCasesPerFile)
      play_file(at, std::min(end, at + kCasesPerFile));
    alarm(0);
    return finish();
  }

 private:
  /// True on all ranks if `good` is on all; else those that saw something say what.
  bool agree(bool good, const std::string& what, const Case* c) {
    int all = good ? 1 : 0;
    MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (all != 0) return true;
    ++failures_;
    if (!good && !what.empty()) std::fprintf(stderr, "FAILURE %s: %s\n", now, what.c_str());
    std::fflush(stderr);
    MPI_Barrier(MPI_COMM_WORLD);
    if (world_rank == 0 && c != nullptr) std::fprintf(stderr, "  %s\n", describe(*c).c_str());
    return false;
  }

  void play_file(std::uint64_t first, std::uint64_t end) {
    const std::uint64_t number = first / kCasesPerFile;
    const std::string path = options_.folder + "/campaign" + std::to_string(world_size) + "-" +
                             std::to_string(number) + ".h5";
    // Every third file's exchanges go by messages, also where ranks share memory; every third file's ranks are
    // taken for those of two nodes.
    constexpr const char* kChecks[] = {"", "nodes:2", "messages"};
    const std::string apart = "nodes:" + std::to_string(world_size);
    std::string check = kChecks[number % 3];
    // Real hosts are not to be taken for others.
    if (options_.across != 0 && number % 3 == 1) check.clear();
    if (options_.apart) check = apart + (number % 3 == 2 ? ",messages" : "");
    setenv("PCIO_CHECK", check.c_str(), 1);
    const auto ranks = static_cast<std::uint64_t>(world_size);
    Player player(path, number % 2 == 1, histogram_, static_cast<int>(options_.across % ranks));
    std::string what;
    bool good = player.create();
    const bool created = agree(good, "creating the file", nullptr);
    for (std::uint64_t n = first; created && good && n < end; ++n) {
      Case c = make_case(options_.seed, n, world_size);
      for (Transfer& t : c.transfers) {
        if (options_.plain) t.transform = 0;
        if (t.transport == PCIO_TRANSPORT_VIEW && !views_are_possible())
          t.transport = PCIO_TRANSPORT_EXCHANGE;
      }
      watch(&c, options_.seed);
      if (options_.list && world_rank == 0) std::printf("%s: %s\n", now, describe(c).c_str());
      good = agree(player.play(c, &what), what, &c);
      count(c, number);
    }
    // After a failure the ranks may disagree about the file: it is left as it is.
    if (!created || !good) return;
    watch(nullptr, options_.seed);
    if (!agree(player.close(), "closing the file", nullptr)) return;
    const int judge = options_.across != 0 ? static_cast<int>(number % ranks) : 0;
    if (!agree(player.check_serially(judge, &what), what, nullptr)) return;
    put_away(player, path, number);
  }

  void put_away(const Player& player, const std::string& path, std::uint64_t number) {
    if (world_rank != 0) return;
    if (options_.keep == 0 || number % options_.keep != 0) {
      std::remove(path.c_str());
      return;
    }
    const std::string kept = options_.folder + "/kept/" + std::to_string(world_size) + "-" +
                             std::to_string(number) + ".h5";
    player.write_model(kept + ".txt");
    std::rename(path.c_str(), kept.c_str());
  }

  void count(const Case& c, std::uint64_t file) {
    ++played_;
    std::vector<int> times(static_cast<std::size_t>(count_of(c.dims)), 0);
    for (const Transfer& t : c.transfers) {
      ++transfers_;
      if (!t.write) continue;
      for (const Part& part : t.parts)
        for (const hsize_t e : part.file.elements(c.dims)) ++times[e];
    }
    int most = 0;
    for (const int n : times) most = std::max(most, n);
    histogram_.count("overwrites", most > 1 ? "yes" : "no");
    histogram_.count("format", file % 2 == 1 ? "1.8" : "earliest");
    histogram_.count("exchange", file % 3 == 2 ? "messages" : "any");
    if (!c.chunk.empty()) histogram_.count("untouched-chunks", untouched(c, times) ? "yes" : "no");
  }

  /// A chunk that no transfer writes to.
  static bool untouched(const Case& c, const std::vector<int>& times) {
    Dims grid;
    for (std::size_t d = 0; d < c.dims.size(); ++d)
      grid.push_back((c.dims[d] + c.chunk[d] - 1) / c.chunk[d]);
    std::vector<bool> touched(static_cast<std::size_t>(count_of(grid)), false);
    for (std::size_t e = 0; e < times.size(); ++e) {
      if (times[e] == 0) continue;
      std::size_t rest = e, chunk = 0, factor = 1;
      for (std::size_t d = c.dims.size(); d-- > 0; rest /= c.dims[d]) {
        chunk += rest % c.dims[d] / c.chunk[d] * factor;
        factor *= grid[d];
      }
      touched[chunk] = true;
    }
    for (const bool t : touched)
      if (!t) return true;
    return false;
  }

  int finish() {
    const std::string empty = played_ >= kEnoughCases ? histogram_.empty_bins() : "";
    if (world_rank == 0) {
      if (!empty.empty()) std::printf("FAILURE: never came: %s\n", empty.c_str());
      std::printf(
          "campaign: seed %llu, cases %llu to %llu on %d ranks: %llu played, %llu transfers, "
          "%d failures | %s\n",
          static_cast<unsigned long long>(options_.seed),
          static_cast<unsigned long long>(options_.first),
          static_cast<unsigned long long>(options_.first + options_.cases - 1), world_size,
          static_cast<unsigned long long>(played_), static_cast<unsigned long long>(transfers_),
          failures_, histogram_.text().c_str());
    }
    return failures_ == 0 && empty.empty() ? 0 : 1;
  }

  Options options_;
  Histogram histogram_;
  int failures_ = 0;
  std::uint64_t played_ = 0, transfers_ = 0;
};

}  // namespace

int rank() { return world_rank; }
int size() { return world_size; }

}  // namespace campaign

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &campaign::world_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &campaign::world_size);
  const char* const expected = std::getenv("PCIO_TEST_NP");
  campaign::Options options;
  if (!campaign::parse(argc, argv, &options) ||
      (expected != nullptr && std::atoi(expected) != campaign::world_size)) {
    std::fprintf(stderr, "wrong options, or not the number of ranks that were started\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  for (const int number : {SIGALRM, SIGSEGV, SIGABRT, SIGBUS, SIGFPE})
    std::signal(number, campaign::stopped);
  const int status = campaign::Campaign(options).run();
  MPI_Finalize();
  return status;
}
