// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// pcioexplain: how a transfer of many ranks would go, and what would make it faster. Room: tools; it is linked with the
// rooms, whose dry run it makes by simulated ranks of this process.
//
// Exit status: 0 planned, 1 the file, the slabs or the map can't be read or written, or there is no plan, 2 usage.

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "dry_run.hpp"
#include "failure.hpp"
#include "map.hpp"
#include "options.hpp"
#include "text.hpp"
#include "words.hpp"

namespace {

using namespace pcio_explain;

enum Exit { kPlanned = 0, kFailed = 1, kUsage = 2 };

std::size_t columns() {
  winsize size{};
  if (::isatty(STDOUT_FILENO) == 0 || ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) return 100;
  return std::clamp<std::size_t>(size.ws_col, 60, 120);
}

/// On a terminal only.
void show_progress(std::size_t done, std::size_t all) {
  if (::isatty(STDERR_FILENO) == 0) return;
  if (done == all)
    fmt::print(stderr, "\r\x1b[K");
  else
    fmt::print(stderr, "\r{} of {} plans", done, all);
  std::fflush(stderr);
}

Subject subject_of(const Options& options) {
  if (options.file.empty() != options.shape.empty()) {
    if (options.file.empty()) return made_up(options);
    if (options.dataset.empty()) throw UsageFailure("which dataset of the file? give FILE DATASET");
    if (!options.chunk.empty() || !options.filters.empty())
      throw UsageFailure(
          "--chunk and --filter go with --shape: a file says its own; --try compares chunks");
    return look_at(options.file, options.dataset);
  }
  throw UsageFailure("what is to be planned? give FILE DATASET or --shape");
}

/// The same dataset as if it were yet to be made.
Subject yet_to_be_made(Subject subject) {
  subject.file.clear();
  return subject;
}

/// Chunks with filters that are not there yet can't be read.
bool can_be_made_up(const Subject& subject, const Settings& settings) {
  return subject.filters.empty() || settings.direction == pcio::Direction::kWrite;
}

std::optional<Trial> find_better(const Plan& plan, const Figures& figures, const Deal& deal) {
  if (!can_be_made_up(plan.subject, plan.settings)) return std::nullopt;
  Trial trial{yet_to_be_made(plan.subject), plan.settings, "", {}, {}};
  trial.subject.chunk = better_chunk(plan, figures, deal);
  if (trial.subject.chunk.empty() || trial.subject.chunks() > kMostChunks) return std::nullopt;
  try {
    trial.plan = dry_run(trial.subject, trial.settings, deal);
  } catch (const Failure&) {
    return std::nullopt;  // filters that nobody has here
  }
  trial.figures = figures_of(trial.plan, chunk_uses(trial.plan));
  return trial;
}

void write_map(const Options& options, const Plan& plan, const Figures& figures,
               const std::vector<ChunkUse>& uses, const std::string& deal) {
  if (options.map == "-") {
    const std::size_t room = (columns() - 10) / 2;
    const ChunkMap map = chunk_map(plan, uses, 24, room, 4);
    fmt::print("{}", map_blocks(plan, map, ::isatty(STDOUT_FILENO) != 0));
    return;
  }
  const bool flat = plan.subject.chunk.size() <= 2;
  const ChunkMap map = flat ? chunk_map(plan, uses, plan.subject.chunk.size() == 1 ? 32 : 64,
                                        plan.subject.chunk.size() == 1 ? 32 : 64, 1)
                            : chunk_map(plan, uses, 32, 32, 12);
  errno = 0;
  std::ofstream out(options.map, std::ios::binary | std::ios::trunc);
  out << map_svg(plan, figures, map, deal);
  out.close();
  if (!out)
    throw Failure(fmt::format("can't write \"{}\": {}", pcio_report::printable(options.map),
                              errno != 0 ? std::strerror(errno) : "unknown reason"));
}

void explain(const Options& options) {
  const Settings settings = settings_of(options);
  const Subject subject = subject_of(options);
  const Deal deal = deal_of(options, subject.dims);
  const std::vector<Numbers> asked = try_shapes_of(options, subject.dims);
  if (settings.nodes > static_cast<int>(deal.size()))
    throw UsageFailure(fmt::format("--nodes {}: there are {}", settings.nodes,
                                   pcio_report::counted(deal.size(), "rank")));
  if (options.tries && !can_be_made_up(subject, settings))
    throw UsageFailure(
        "--try: what is compared is not there yet, and chunks with filters can't be read then");
  const std::string dealt = deal_text(options, deal);
  const Plan plan = dry_run(subject, settings, deal);
  const std::vector<ChunkUse> uses = chunk_uses(plan);
  const Figures figures = figures_of(plan, uses);
  std::vector<Trial> trials;
  if (options.tries) {
    const Subject made = yet_to_be_made(subject);
    std::vector<Numbers> shapes = asked.empty() ? candidate_chunks(made, deal) : asked;
    if (!made.chunk.empty() && std::find(shapes.begin(), shapes.end(), made.chunk) == shapes.end())
      shapes.push_back(made.chunk);
    trials = compare(made, settings, deal, shapes, show_progress);
  }
  const auto advice = advise(plan, figures, find_better(plan, figures, deal));
  if (options.json) {
    fmt::print("{}", plan_json(plan, figures, dealt, advice, trials));
  } else {
    fmt::print("{}", plan_text(plan, figures, dealt, advice, columns()));
    if (!trials.empty()) fmt::print("{}", trials_text(trials));
  }
  if (!options.map.empty()) write_map(options, plan, figures, uses, dealt);
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  const Parsed parsed = parse(argc, argv, &options);
  if (!parsed.goes_on) return parsed.status;
  try {
    explain(options);
  } catch (const UsageFailure& failure) {
    fmt::print(stderr, "pcioexplain: {}\n", failure.what());
    return kUsage;
  } catch (const Failure& failure) {
    fmt::print(stderr, "pcioexplain: {}\n", failure.what());
    return kFailed;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "pcioexplain: there is no memory for so many ranks or chunks\n");
    return kFailed;
  }
  return kPlanned;
}
