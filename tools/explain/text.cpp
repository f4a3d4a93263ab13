// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room tools/explain: a plan as text.

#include "text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "filter/registry.hpp"
#include "words.hpp"

namespace pcio_explain {

using pcio_report::bytes_text;
using pcio_report::counted;
using pcio_report::dims_text;
using pcio_report::filter_text;
using pcio_report::percent_text;
using pcio_report::printable;
using pcio_report::wrapped;

namespace {

/// `text` behind its name in a column.
std::string line(const char* name, const std::string& text, std::size_t width) {
  const std::string body = wrapped(text, 14, width);
  return fmt::format("  {:<12}{}", name, body.substr(14));
}

std::string filters_text(const Subject& subject) {
  std::string text;
  for (const pcio::FilterSpec& filter : subject.filters) {
    text += (text.empty() ? ", filters " : ", ") + printable(filter_text(filter_label(filter)));
    if (filter.id == pcio::kFilterDeflate && !filter.values.empty())
      text += " of level " + std::to_string(filter.values.front());
  }
  return text;
}

std::string bytes_row(const char* name, const Spread& spread) {
  return fmt::format("  {:<18}{:>11}{:>11}{:>11}{:>11}  rank {}\n", name, bytes_text(spread.least),
                     bytes_text(static_cast<std::uint64_t>(spread.mean)), bytes_text(spread.most),
                     bytes_text(spread.sum), spread.most_rank);
}

std::string count_row(const char* name, const Spread& spread) {
  return fmt::format("  {:<18}{:>11}{:>11.1f}{:>11}{:>11}  rank {}\n", name, spread.least,
                     spread.mean, spread.most, spread.sum, spread.most_rank);
}

std::string ranks_table(const Plan& plan, const Figures& figures) {
  std::string out = fmt::format("\n  {:<18}{:>11}{:>11}{:>11}{:>11}  {}\n", "of a rank", "least",
                                "mean", "most", "sum", "most");
  out += bytes_row("selected", figures.selected);
  if (figures.written.sum > 0) out += bytes_row("written", figures.written);
  if (figures.read.sum > 0) out += bytes_row("read", figures.read);
  if (figures.sent.sum > 0) out += bytes_row("sent to ranks", figures.sent);
  if (figures.between_nodes.sum > 0) out += bytes_row("... between nodes", figures.between_nodes);
  out += count_row("calls of MPI-IO", figures.calls);
  if (figures.collective_calls.sum > 0)
    out += count_row("... collective", figures.collective_calls);
  if (figures.views.sum > 0) out += count_row("file views", figures.views);
  if (plan.subject.chunk.empty()) return out;
  out += count_row("chunks touched", figures.touched);
  if (figures.collective_chunks.sum > 0)
    out += count_row("... collective", figures.collective_chunks);
  if (figures.independent_chunks.sum > 0)
    out += count_row("... independent", figures.independent_chunks);
  if (figures.owned.sum > 0) out += count_row("chunks filtered", figures.owned);
  return out;
}

std::string chunks_text(const Plan& plan, const Figures& figures) {
  if (!figures.counted)
    return fmt::format("{}, too many to look at each: which ones ranks share is not known",
                       counted(plan.subject.chunks(), "chunk"));
  std::string text = fmt::format("{} of {} touched, ", figures.distinct, figures.chunks);
  return text + (figures.shared == 0
                     ? std::string("none of them by more than one rank")
                     : fmt::format("{} of them ({}) by more than one rank", figures.shared,
                                   percent_text(static_cast<double>(figures.shared),
                                                static_cast<double>(figures.distinct))));
}

std::string owners_text(const Figures& figures) {
  return fmt::format(
      "each chunk has one owner, who gathers, filters and writes it (of a read on few nodes one a "
      "node, who decodes "
      "it); {} to {} a rank",
      figures.owned.least, counted(figures.owned.most, "chunk"));
}

std::string transports_text(const Plan& plan) {
  std::set<std::string> names;
  for (const RankPlan& rank : plan.ranks) names.insert(transport_name(rank.report.transport));
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : " and ") + name;
  return text + ": " + std::string(plan.ranks.front().report.transport_why);
}

}  // namespace

std::string headline(const Plan& plan) {
  const Subject& subject = plan.subject;
  std::uint64_t bytes = subject.element_bytes;
  for (const std::uint64_t dim : subject.dims) bytes *= dim;
  const std::string name = subject.dataset.empty() ? "a dataset" : printable(subject.dataset);
  return fmt::format("{} of {} of {} elements {} ({}), {}{}",
                     plan.settings.direction == pcio::Direction::kWrite ? "H5Dwrite" : "H5Dread",
                     name, dims_text(subject.dims), subject.type, bytes_text(bytes),
                     subject.chunk.empty()
                         ? "without chunks"
                         : fmt::format("chunks of {} ({})", dims_text(subject.chunk),
                                       bytes_text(subject.chunk_bytes())),
                     filters_text(subject));
}

std::string mode_text(const Plan& plan) {
  std::set<std::string> modes;
  for (const RankPlan& rank : plan.ranks) modes.insert(io_mode_name(rank.report.io_mode));
  std::string text;
  for (const std::string& mode : modes) text += (text.empty() ? "" : " and ") + mode;
  const pcio::TransferReport& first = plan.ranks.front().report;
  if (!plan.subject.chunk.empty() && first.chunk_opt != pcio::ActualChunkOpt::kNone)
    text += std::string(", ") + chunk_opt_name(first.chunk_opt);
  if (first.global_causes != pcio::cause::kCollective)
    text += ": " + pcio::cause_text(first.global_causes);
  return text;
}

std::string plan_text(const Plan& plan, const Figures& figures, const std::string& deal,
                      const std::vector<Advice>& advice, std::size_t width) {
  std::string out = wrapped(headline(plan), 0, width) + "by " + deal + "\n\n";
  out += line("mode", mode_text(plan), width);
  out += line("bytes move", transports_text(plan), width);
  if (!plan.subject.chunk.empty()) out += line("chunks", chunks_text(plan, figures), width);
  if (figures.owned.sum > 0) out += line("owners", owners_text(figures), width);
  if (figures.rounds > 0) out += line("exchange", counted(figures.rounds, "round"), width);
  if (figures.idle > 0)
    out += line("idle", counted(figures.idle, "rank") + " with nothing selected", width);
  out += ranks_table(plan, figures);
  if (!plan.subject.filters.empty() && plan.settings.direction == pcio::Direction::kWrite)
    out += "  Bytes written are those before compression.\n";
  out +=
      advice.empty() ? "\nNothing was found that would make it faster.\n" : "\nWhat to change:\n";
  for (std::size_t i = 0; i < advice.size(); ++i) {
    out += fmt::format("{:>3}. ", i + 1) + wrapped(advice[i].cause + ".", 5, width).substr(5);
    out += wrapped("-> " + advice[i].remedy + ".", 5, width);
  }
  return out;
}

std::string trials_text(const std::vector<Trial>& trials) {
  std::string out =
      fmt::format("\n{:<22}{:>10}{:>9}{:>8}{:>10}{:>8}{:>11}{:>11}{:>8}\n", "chunks", "bytes",
                  "number", "shared", "by", "calls", "file", "exchanged", "cost");
  for (const Trial& trial : trials) {
    const Figures& figures = trial.figures;
    const bool none = trial.subject.chunk.empty();
    out += fmt::format(
        "{:<22}{:>10}{:>9}{:>8}{:>10}{:>8}{:>11}{:>11}{:>7.2f}x  {}\n",
        none ? "none" : shape_text(trial.subject.chunk),
        none ? "-" : bytes_text(trial.subject.chunk_bytes()),
        none ? "-" : std::to_string(figures.chunks),
        figures.counted ? std::to_string(figures.shared) : "-",
        transport_name(trial.plan.ranks.front().report.transport), figures.calls.most,
        bytes_text(figures.written.sum + figures.read.sum), bytes_text(figures.sent.sum),
        trials.front().figures.cost > 0 ? figures.cost / trials.front().figures.cost : 1,
        trial.what);
  }
  return out +
         "\nCalls are the busiest rank's; bytes are of all ranks. Cost is that of the slowest rank "
         "at 1 GB/s to "
         "the\nfile, 0.1 ms a call, 4 GB/s between ranks and 2 µs a chunk: it orders the lines, "
         "and is no "
         "time of a machine.\n";
}

}  // namespace pcio_explain
