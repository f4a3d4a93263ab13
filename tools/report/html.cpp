// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room tools: html_page.

#include "html.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>

#include "words.hpp"

namespace pcio_report {

namespace {

std::string date_text(double seconds) {
  const auto time = static_cast<std::time_t>(seconds);
  std::tm parts{};
  char text[40] = "";
  if (seconds <= 0 || gmtime_r(&time, &parts) == nullptr) return "at an unknown time";
  std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S UTC", &parts);
  return text;
}

struct Sums {
  std::uint64_t written = 0, read = 0, asked = 0, collective = 0, independent = 0, failed = 0,
                filled = 0;
  double transfers = 0, metadata = 0;
  Times times;
};

Sums sums_of(const Run& run) {
  Sums sums;
  for (const Dataset& each : run.datasets) {
    sums.written += each.written;
    sums.read += each.read;
    sums.asked += each.collective + each.not_collective;
    sums.collective += each.collective;
    sums.independent += each.independent;
    sums.failed += each.failed;
    sums.filled += each.filled;
    sums.transfers += each.seconds;
    sums.times += each.times;
  }
  for (const File& file : run.files)
    for (const auto& [kind, calls] : file.metadata) sums.filled += calls.filled;
  sums.metadata = run.io_seconds() - sums.transfers;
  return sums;
}

std::string tile(const std::string& figure, const std::string& what) {
  return fmt::format("<div class=\"tile\"><b>{}</b><span>{}</span></div>", escaped(figure),
                     escaped(what));
}

/// As a sentence begins.
std::string capital(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z')
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

/// What the run's transfers were most of the time, and what to do first.
std::string lead(const Run& run, const Sums& sums, const std::vector<Advice>& advice) {
  std::string text;
  const auto& all = sums.times.seconds;
  const auto most =
      static_cast<std::size_t>(std::max_element(all.begin(), all.end()) - all.begin());
  if (sums.times.sum() > 0)
    text = fmt::format("Transfers spent most of their time, {}, on {}. ",
                       percent_text(all[most], sums.times.sum()), kPartNames[most].word);
  if (advice.empty()) return text + "Nothing was found that would save one per cent of it.";
  const Advice& first = advice.front();
  return text + fmt::format("What would save most: {} ({}), about {} of {}.", first.title,
                            first.where, seconds_text(first.gain), seconds_text(run.io_seconds()));
}

std::string tiles(const Run& run, const Sums& sums) {
  std::string out = "<div class=\"tiles\">";
  out += tile(seconds_text(run.io_seconds()),
              fmt::format("in I/O calls, {} of it metadata",
                          percent_text(sums.metadata, run.io_seconds())));
  if (sums.written > 0) out += tile(bytes_text(sums.written), "written");
  if (sums.read > 0) out += tile(bytes_text(sums.read), "read");
  if (sums.filled > 0) out += tile(bytes_text(sums.filled), "of fill values written");
  if (sums.transfers > 0) {
    const auto rate = static_cast<double>(sums.written + sums.read) / sums.transfers;
    out += tile(bytes_text(static_cast<std::uint64_t>(rate)) + "/s", "while transfers ran");
  }
  out += tile(fmt::format("{} of {}", sums.collective, sums.asked + sums.independent),
              "transfers were collective");
  if (sums.failed > 0) out += tile(std::to_string(sums.failed), "transfers failed");
  return out + "</div>";
}

std::string advice_list(const Run& run, const std::vector<Advice>& advice) {
  if (advice.empty())
    return "<div class=\"card\">Nothing was found that would save one per cent of the time.</div>";
  std::string out = "<ol class=\"advice\">";
  const double whole = run.io_seconds();
  for (const Advice& each : advice)
    out += fmt::format(
        R"(<li class="card"><div><h3>{}</h3><p class="soft small">{}</p><p>{}.</p><p class="do">{}.</p></div>)"
        R"(<div class="gain"><b>{}</b><span class="soft small">{} of the I/O time</span><div class="track"><i style="width:{:.1f}%"></i></div></div></li>)",
        escaped(capital(each.title)), escaped(each.where), escaped(capital(each.cause)),
        escaped(capital(each.remedy)), escaped("≈ " + seconds_text(each.gain)),
        percent_text(each.gain, whole), whole > 0 ? std::min(100.0, 100 * each.gain / whole) : 0);
  out += "</ol>";
  if (advice.size() > 1)
    out += "<p class=\"soft small\">Expected gains overlap: they can't be added up.</p>";
  return out;
}

std::string badge(const Dataset& dataset) {
  if (dataset.failed > 0) return R"(<span class="badge bad">failed transfers</span>)";
  if (dataset.not_collective > 0) return R"(<span class="badge warn">not all collective</span>)";
  if (dataset.collective > 0 && dataset.independent == 0)
    return R"(<span class="badge good">collective</span>)";
  return R"(<span class="badge soft">independent</span>)";
}

std::string term(const char* name, const std::string& text) {
  return fmt::format("<dt>{}</dt><dd>{}</dd>", name, escaped(text));
}

std::string done_text(const Dataset& dataset) {
  std::string text;
  const std::uint64_t asked = dataset.collective + dataset.not_collective;
  if (asked > 0)
    text = fmt::format("{} of {} collective", dataset.collective, counted(asked, "transfer"));
  if (dataset.independent > 0)
    text += fmt::format("{}{} independent", text.empty() ? "" : "; ",
                        counted(dataset.independent, "transfer"));
  if (dataset.failed > 0) text += fmt::format("; {} failed", dataset.failed);
  return text;
}

std::string asked_text(const Dataset& dataset) {
  const std::uint64_t asked = dataset.collective + dataset.not_collective;
  if (dataset.independent == 0) return "collective transfers of all ranks";
  return asked == 0 ? "independent transfers of single ranks"
                    : "collective and independent transfers";
}

std::string chunks_text(const Dataset& dataset) {
  const std::uint64_t transfers = std::max<std::uint64_t>(1, dataset.transfers());
  const double mean = static_cast<double>(dataset.distinct) / static_cast<double>(transfers);
  return fmt::format("{:.{}f} touched in a transfer, {} by more than one rank", mean,
                     mean < 10 && dataset.distinct % transfers != 0 ? 1 : 0,
                     dataset.shared == 0 ? "none"
                     : dataset.shared == dataset.distinct
                         ? "all"
                         : percent_text(static_cast<double>(dataset.shared),
                                        static_cast<double>(dataset.distinct)));
}

std::string dataset_card(const Dataset& dataset) {
  std::string out = fmt::format(
      R"(<section class="card"><div class="head"><div><h3>{}</h3><p class="soft small">{}</p></div>{}</div><dl>)",
      escaped(dataset.title()), escaped(dataset.file), badge(dataset));
  out += term("asked", asked_text(dataset)) + term("done", done_text(dataset));
  for (const auto& [cause, count] : dataset.causes)
    out += term("because", fmt::format("{} ({})", cause, count));
  for (const auto& [way, count] : dataset.ways)
    out += term("moved", fmt::format("{} ({})", way, count));
  out += term("stored", stored_text(dataset.stored));
  if (dataset.distinct > 0) out += term("chunks", chunks_text(dataset));
  if (dataset.raw > 0)
    out += term("filters", fmt::format("{} are {} in the file ({})", bytes_text(dataset.raw),
                                       bytes_text(dataset.stored_bytes),
                                       percent_text(static_cast<double>(dataset.stored_bytes),
                                                    static_cast<double>(dataset.raw))));
  out += term("calls", counted(dataset.file_calls, "call") + " of MPI-IO and the system");
  return out + "</dl>" + bytes_chart(dataset) + "</section>";
}

std::string metadata_table(const File& file) {
  if (file.metadata.empty()) return "";
  std::string out = fmt::format(
      R"(<section class="card"><div class="head"><h3>{}</h3><span class="soft small">open for {} on {}</span></div>)"
      "<div class=\"wide\"><table><tr><th>calls to</th><th>number</th><th>time</th><th>of it fill "
      "values</th><th>written</th><th>read</th></tr>",
      escaped(file.name), seconds_text(file.open_seconds), counted(file.ranks, "rank"));
  for (const auto& [kind, calls] : file.metadata)
    out +=
        fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
                    escaped(kind), calls.calls, seconds_text(calls.seconds),
                    calls.fill > 0 ? seconds_text(calls.fill) : "–", bytes_text(calls.written),
                    bytes_text(calls.read));
  return out + "</table></div></section>";
}

std::string footer(const Run& run, const std::string& log) {
  std::string out = fmt::format("<footer>{} of {}.", counted(run.lines, "line"), escaped(log));
  if (run.malformed > 0)
    out += fmt::format(" <span class=\"bad\">{} can't be read and {} left out.</span>",
                       counted(run.malformed, "line"), run.malformed == 1 ? "is" : "are");
  if (run.newer + run.unknown > 0)
    out += fmt::format(" {} of a later release.", counted(run.newer + run.unknown, "line"));
  return out +
         " Times are of the slowest rank, transfer by transfer; their parts of a mean rank."
         " Written by pcioreport of libpcio.</footer>";
}

}  // namespace

std::string html_page(const Run& run, const std::vector<Advice>& advice, const std::string& log) {
  const Sums sums = sums_of(run);
  std::string out =
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">"
      "<meta name=\"color-scheme\" content=\"light dark\">"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'\">"
      "<title>I/O report: " +
      escaped(log) + "</title><style>" + kPageStyle + "</style></head><body><main>";
  out += fmt::format(
      "<h1>What the I/O of this run did</h1><p class=\"soft\">{}, {}, {}, {} long</p>",
      date_text(run.begin), counted(run.ranks, "rank"), counted(run.files.size(), "file"),
      seconds_text(std::max(0.0, run.end - run.begin)));
  out += "<p class=\"lead\">" + escaped(lead(run, sums, advice)) + "</p>" + tiles(run, sums);
  out += "<h2>What to do, most useful first</h2>" + advice_list(run, advice);
  out += "<h2>Where the time went</h2><div class=\"card\">" + time_chart(run) + "</div>";
  out += "<h2>When</h2><div class=\"card\">" + timeline_chart(run) + "</div>";
  out += "<h2>Datasets</h2>";
  for (const Dataset& dataset : run.datasets) out += dataset_card(dataset);
  if (!run.files.empty()) out += "<h2>Metadata</h2>";
  for (const File& file : run.files) out += metadata_table(file);
  return out + footer(run, log) + "</main></body></html>\n";
}

}  // namespace pcio_report
