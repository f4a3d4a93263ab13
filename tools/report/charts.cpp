// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room tools: the page's pictures. They are as wide as the page; colours are those of its style.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "html.hpp"
#include "words.hpp"

namespace pcio_report {

std::string escaped(const std::string& text) {
  std::string out;
  // Shapes stay in one piece.
  std::string whole = printable(text);
  for (std::size_t at = 0; (at = whole.find(" × ", at)) != std::string::npos;)
    whole.replace(at, 4, "\u00a0×\u00a0");
  for (const char c : whole) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: out += c;
    }
  }
  return out;
}

namespace {

constexpr double kWidth = 1000, kLane = 22;  // of a lane's picture, which is as wide as the page
constexpr std::size_t kMostLanes = 24, kMostBars = 24;
/// More marks than this in a lane are not told apart by an eye, and make a page slow.
constexpr int kBins = 600;

/// The end of a long name says more than its begin.
std::string shortened(const std::string& name, std::size_t most) {
  if (name.size() <= most) return name;
  std::size_t begin = name.size() - most + 1;
  while (begin < name.size() && (static_cast<unsigned char>(name[begin]) & 0xC0U) == 0x80U) ++begin;
  return "…" + name.substr(begin);
}

std::string name_cell(const std::string& name) {
  return fmt::format(R"(<div class="name" title="{}">{}</div>)", escaped(name),
                     escaped(shortened(name, 48)));
}

/// `inside` in a bar that is `part` of the longest one, with its figure behind it.
std::string bar_cell(double part, const std::string& cls, const std::string& inside,
                     const std::string& figure) {
  return fmt::format(
      R"x(<div class="cell"><div class="bar {}" style="width:calc((100% - 6em)*{:.4f})">{}</div><span>{}</span></div>)x",
      cls, std::clamp(part, 0.0, 1.0), inside, escaped(figure));
}

std::string key(const std::string& cls, const std::string& text) {
  return fmt::format(R"(<span><i class="{}"></i>{}</span>)", cls, escaped(text));
}

/// A step of 1, 2 or 5 times a power of ten that gives about `wanted` of them.
double nice_step(double span, int wanted) {
  const double raw = span / wanted;
  const double power = std::pow(10, std::floor(std::log10(raw)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= raw) return factor * power;
  return 10 * power;
}

struct Bar {
  std::string name;
  double seconds = 0;  ///< the whole bar
  Times times;         ///< what is in it; the rest of the bar is of no kind
  bool is_metadata = false;
};

std::vector<Bar> bars_of(const Run& run) {
  std::vector<Bar> bars;
  for (const Dataset& dataset : run.datasets)
    bars.push_back({dataset.title(), dataset.seconds, dataset.times, false});
  for (const File& file : run.files) {
    Bar bar{"metadata of " + file.name.substr(file.name.find_last_of('/') + 1), 0, {}, true};
    for (const auto& [kind, calls] : file.metadata) {
      bar.seconds += calls.seconds;
      bar.times[Part::kAgreement] += calls.agreement;
      bar.times[Part::kFile] += calls.file;
      bar.times[Part::kFill] += calls.fill;
    }
    bar.times[Part::kElse] = std::max(0.0, bar.seconds - bar.times.sum());
    if (bar.seconds > 0) bars.push_back(bar);
  }
  std::stable_sort(bars.begin(), bars.end(),
                   [](const Bar& a, const Bar& b) { return a.seconds > b.seconds; });
  if (bars.size() > kMostBars) bars.resize(kMostBars);
  return bars;
}

std::string draw_bar(const Bar& bar, double longest) {
  // Parts are a mean rank's, the bar is the slowest one's: it shows in what proportion.
  const double all = std::max(bar.times.sum(), 1e-12);
  std::string inside;
  for (std::size_t i = 0; i < kParts; ++i) {
    const double part = bar.times.seconds[i] / all;
    if (part < 0.0005) continue;
    inside += fmt::format(R"(<i class="p{}" style="width:{:.2f}%" title="{}"></i>)", i, 100 * part,
                          escaped(fmt::format("{}: {} on a mean rank, {}", kPartNames[i].word,
                                              seconds_text(bar.times.seconds[i]),
                                              percent_text(bar.times.seconds[i], all))));
  }
  return name_cell(bar.name) + bar_cell(longest > 0 ? bar.seconds / longest : 0, "track", inside,
                                        seconds_text(bar.seconds));
}

const char* class_of(const Transfer& transfer) {
  if (!transfer.succeeded) return "fbad";
  if (!transfer.is_collective_line) return "fsoft";
  return transfer.was_collective ? "fgood" : "fwarn";
}

const char* word_of(const Transfer& transfer) {
  if (!transfer.succeeded) return "failed";
  if (!transfer.is_collective_line) return "independent, known at the close only";
  return transfer.was_collective ? "collective" : "not collective";
}

std::string mark(const Transfer& transfer, double x, double width) {
  const double height = transfer.is_collective_line ? kLane : 6;
  return fmt::format(
      R"(<rect x="{:.2f}" y="{:.2f}" width="{:.2f}" height="{:.0f}" class="{}"><title>{}</title></rect>)",
      x, (kLane - height) / 2, width, height, class_of(transfer),
      escaped(fmt::format("{} {}: {}, {}, {}", transfer.function, transfer.dataset,
                          word_of(transfer), bytes_text(transfer.bytes),
                          seconds_text(transfer.seconds))));
}

/// Marks of one lane; neighbours that fall into the same place are one.
std::string draw_marks(const std::vector<const Transfer*>& lane, double begin, double span) {
  std::string out;
  std::array<int, 4> last_bin{-1, -1, -1, -1};
  for (const Transfer* each : lane) {
    // All independent ones: their time is known, and not when they were.
    const double left = each->is_collective_line ? (each->end - each->seconds - begin) / span : 0;
    const double right = each->is_collective_line ? (each->end - begin) / span : 1;
    const double x = kWidth * std::clamp(left, 0.0, 1.0);
    const double width = std::max(1.2, kWidth * std::clamp(right, 0.0, 1.0) - x);
    const std::string cls = class_of(*each);
    const std::size_t kind = cls == "fgood" ? 0 : cls == "fwarn" ? 1 : cls == "fbad" ? 2 : 3;
    const int bin = static_cast<int>(kBins * std::clamp(right, 0.0, 1.0));
    if (width < 2 && bin == last_bin[kind]) continue;
    last_bin[kind] = bin;
    out += mark(*each, x, width);
  }
  return out;
}

/// Places between 0 and 1, and what stands there.
std::vector<std::pair<double, std::string>> ticks_of(double span) {
  std::vector<std::pair<double, std::string>> ticks;
  const double step = nice_step(span, 8);
  for (int i = 0; i * step <= span * 1.0001 && i < 100; ++i) {
    const double seconds = i * step;
    ticks.emplace_back(seconds / span, i == 0         ? "0"
                                       : seconds >= 1 ? fmt::format("{:g} s", seconds)
                                                      : fmt::format("{:g} ms", seconds * 1e3));
  }
  return ticks;
}

std::string draw_lane(const std::string& marks,
                      const std::vector<std::pair<double, std::string>>& ticks) {
  std::string out = fmt::format(
      R"(<svg class="lane" viewBox="0 0 {:.0f} {:.0f}" preserveAspectRatio="none" role="img" aria-label="transfers over the time of the run">)",
      kWidth, kLane);
  for (const auto& [place, text] : ticks)
    out += fmt::format(R"(<line x1="{0:.1f}" x2="{0:.1f}" y1="0" y2="{1:.0f}" class="grid"/>)",
                       kWidth * place, kLane);
  return out + marks + "</svg>";
}

/// Every second figure goes where there is little room.
std::string draw_axis(const std::vector<std::pair<double, std::string>>& ticks) {
  std::string out = R"(<div></div><div class="axis">)";
  for (std::size_t i = 0; i < ticks.size(); ++i)
    out += fmt::format(R"(<span{} style="left:{:.2f}%">{}</span>)",
                       i % 2 == 1 ? R"( class="odd")" : "", 100 * ticks[i].first, ticks[i].second);
  return out + "</div>";
}

}  // namespace

std::string time_chart(const Run& run) {
  const std::vector<Bar> bars = bars_of(run);
  if (bars.empty()) return "<p class=\"soft\">Nothing took time.</p>";
  std::string out = "<div class=\"bars\">";
  std::array<bool, kParts> seen{};
  for (const Bar& bar : bars) {
    out += draw_bar(bar, bars.front().seconds);
    for (std::size_t part = 0; part < kParts; ++part)
      seen[part] = seen[part] || bar.times.seconds[part] > 0;
  }
  out += "</div><div class=\"legend\">";
  for (std::size_t part = 0; part < kParts; ++part)
    if (seen[part]) out += key(fmt::format("p{}", part), kPartNames[part].word);
  return out + "</div>";
}

std::string timeline_chart(const Run& run) {
  const double span = run.end - run.begin;
  if (run.transfers.empty() || !(span > 0))
    return "<p class=\"soft\">The log has no transfers with a time.</p>";
  std::vector<std::vector<const Transfer*>> lanes(run.datasets.size());
  for (const Transfer& each : run.transfers) lanes[each.lane].push_back(&each);
  const std::size_t shown = std::min(lanes.size(), kMostLanes);
  const auto ticks = ticks_of(span);
  std::string out = "<div class=\"bars\">";
  for (std::size_t i = 0; i < shown; ++i)
    out += name_cell(run.datasets[i].title()) +
           draw_lane(draw_marks(lanes[i], run.begin, span), ticks);
  out += draw_axis(ticks) + "</div><div class=\"legend\">";
  for (const auto& [cls, word] : {std::pair("fgood", "collective"),
                                  {"fwarn", "asked to be collective, and not"},
                                  {"fbad", "failed"},
                                  {"fsoft", "independent (at a time that the log does not have)"}})
    if (std::any_of(run.transfers.begin(), run.transfers.end(),
                    [&, cls = cls](const Transfer& each) {
                      return std::string_view(class_of(each)) == cls;
                    }))
      out += key(cls, word);
  out += "</div>";
  if (shown < lanes.size())
    out += fmt::format("<p class=\"soft small\">{} more datasets are in the table below.</p>",
                       lanes.size() - shown);
  return out;
}

std::string bytes_chart(const Dataset& dataset) {
  struct Row {
    const char* name;
    std::uint64_t bytes;
    const char* cls;
  };
  const std::array<Row, 4> rows = {{{"asked for", dataset.selected, "p6"},
                                    {dataset.writes ? "written" : "read from the file",
                                     dataset.writes ? dataset.written : dataset.read, "p2"},
                                    {dataset.writes ? "read back" : "written",
                                     dataset.writes ? dataset.read : dataset.written, "p4"},
                                    {"sent between ranks", dataset.sent, "p1"}}};
  std::uint64_t most = 1;
  for (const Row& each : rows) most = std::max(most, each.bytes);
  std::string body;
  for (const Row& each : rows)
    if (each.bytes > 0)
      body += name_cell(each.name) +
              bar_cell(static_cast<double>(each.bytes) / static_cast<double>(most), each.cls, "",
                       bytes_text(each.bytes));
  return body.empty() ? "" : "<div class=\"bars bytes\">" + body + "</div>";
}

}  // namespace pcio_report
