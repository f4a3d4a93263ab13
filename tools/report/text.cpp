// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room tools: run_text.

#include "text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "words.hpp"

namespace pcio_report {

namespace {

/// A letter for each part of a bar, in the order of kPartNames.
constexpr std::array<char, kParts> kMarks = {'a', 'x', 'f', 'z', 'c', 'v', '.'};
constexpr std::size_t kBarColumns = 48;

std::string bar_text(const Times& times) {
  std::string bar;
  double passed = 0;
  const double all = times.sum();
  for (std::size_t i = 0; i < kParts && all > 0; ++i) {
    passed += times.seconds[i];
    const auto end = static_cast<std::size_t>(kBarColumns * passed / all + 0.5);
    if (end > bar.size()) bar.append(end - bar.size(), kMarks[i]);
  }
  return bar;
}

std::string parts_text(const Times& times) {
  std::string text;
  for (std::size_t i = 0; i < kParts; ++i)
    if (times.seconds[i] >= 0.01 * times.sum() && times.seconds[i] > 0)
      text +=
          fmt::format("{}{} {} ({})", text.empty() ? "" : ", ",
                      percent_text(times.seconds[i], times.sum()), kPartNames[i].word, kMarks[i]);
  return text;
}

std::string dataset_text(const Dataset& dataset, std::size_t width) {
  std::string out = fmt::format("{}  [{}]\n", printable(dataset.title()), printable(dataset.file));
  const std::uint64_t asked = dataset.collective + dataset.not_collective;
  std::string done;
  if (asked > 0)
    done = fmt::format("{} of {} collective; ", dataset.collective, counted(asked, "transfer"));
  if (dataset.independent > 0)
    done += fmt::format("{} independent; ", counted(dataset.independent, "transfer"));
  if (dataset.failed > 0) done += fmt::format("{} failed; ", dataset.failed);
  done += seconds_text(dataset.seconds);
  out += wrapped(done, 2, width);
  for (const auto& [cause, count] : dataset.causes)
    out += wrapped(fmt::format("{} not collective: {}", count, printable(cause)), 2, width);
  for (const auto& [way, count] : dataset.ways)
    out += wrapped(fmt::format("{} by {}", count, printable(way)), 2, width);
  out += wrapped(printable(stored_text(dataset.stored)), 2, width);
  if (dataset.distinct > 0)
    out += wrapped(fmt::format("{} touched, {} of them by more than one rank",
                               counted(dataset.distinct, "chunk"), dataset.shared),
                   2, width);
  out += wrapped(fmt::format("asked for {}, {} written, {} read, {} between ranks, {} to the file",
                             bytes_text(dataset.selected), bytes_text(dataset.written),
                             bytes_text(dataset.read), bytes_text(dataset.sent),
                             counted(dataset.file_calls, "call")),
                 2, width);
  if (dataset.raw > 0)
    out += wrapped(fmt::format("filters made {} of {}", bytes_text(dataset.stored_bytes),
                               bytes_text(dataset.raw)),
                   2, width);
  out += "  " + bar_text(dataset.times) + '\n' + wrapped(parts_text(dataset.times), 2, width);
  return out + '\n';
}

std::string file_text(const File& file) {
  std::string out = fmt::format("metadata of {}, open for {}\n", printable(file.name),
                                seconds_text(file.open_seconds));
  for (const auto& [kind, calls] : file.metadata)
    out +=
        fmt::format("  {:<8} {:>8}  {:>9}  {} written, {} read{}\n", printable(kind), calls.calls,
                    seconds_text(calls.seconds), bytes_text(calls.written), bytes_text(calls.read),
                    calls.fill > 0 ? ", " + seconds_text(calls.fill) + " of it fill values" : "");
  return out + '\n';
}

}  // namespace

std::string run_text(const Run& run, const std::vector<Advice>& advice, std::size_t width) {
  std::string out = fmt::format("{} on {}, {}: {} in I/O calls\n\n",
                                counted(run.files.size(), "file"), counted(run.ranks, "rank"),
                                counted(run.transfers.size(), "line") + " of transfers",
                                seconds_text(run.io_seconds()));
  out += advice.empty() ? "Nothing was found that would save one per cent of it.\n\n"
                        : "What to do, most useful first (gains overlap):\n";
  for (std::size_t i = 0; i < advice.size(); ++i) {
    const Advice& each = advice[i];
    out += fmt::format("{:>3}. {}  [{}]\n", i + 1, printable(each.title), printable(each.where));
    out += fmt::format("     saves about {}, {} of the I/O time\n", seconds_text(each.gain),
                       percent_text(each.gain, run.io_seconds()));
    out += wrapped(printable(each.cause) + ".", 5, width);
    out += wrapped("-> " + printable(each.remedy) + ".", 5, width) + '\n';
  }
  for (const Dataset& dataset : run.datasets) out += dataset_text(dataset, width);
  for (const File& file : run.files) out += file_text(file);
  if (run.malformed > 0)
    out += fmt::format("{} of {} can't be read and {} left out\n", run.malformed,
                       counted(run.lines, "line"), run.malformed == 1 ? "was" : "were");
  if (run.newer + run.unknown > 0)
    out += fmt::format("{} of a later release: take a newer pcioreport\n",
                       counted(run.newer + run.unknown, "line"));
  return out;
}

}  // namespace pcio_report
