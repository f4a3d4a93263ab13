// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room tools: the page's pictures, as SVG. Colours are those of the page's style.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "html.hpp"
#include "words.hpp"

namespace pcio_report {

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : printable(text)) {
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

constexpr double kWidth = 1000, kNames = 230, kBar = 22;
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

std::string open_svg(double height, const char* label) {
  return fmt::format(R"(<svg viewBox="0 0 {:.0f} {:.0f}" role="img" aria-label="{}">)", kWidth,
                     height, label);
}

std::string box(double x, double y, double width, double height, const std::string& cls,
                const std::string& tip, double radius = 0) {
  return fmt::format(
      R"(<rect x="{:.2f}" y="{:.2f}" width="{:.2f}" height="{:.2f}" rx="{}" class="{}"><title>{}</title></rect>)",
      x, y, width, height, radius, cls, escaped(tip));
}

std::string label(double x, double y, const std::string& text, const char* extra = "") {
  return fmt::format(R"(<text x="{:.1f}" y="{:.1f}" {}>{}</text>)", x, y, extra, escaped(text));
}

std::string key(const std::string& cls, const std::string& text) {
  return fmt::format(
      R"(<span><svg viewBox="0 0 12 12" aria-hidden="true"><rect width="12" height="12" rx="3" class="{}"/></svg>{}</span>)",
      cls, escaped(text));
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

std::string draw_bar(const Bar& bar, double y, double longest) {
  constexpr double kFull = kWidth - kNames - 90;
  std::string out = label(kNames - 12, y + 16, shortened(bar.name, 32), R"(text-anchor="end")");
  const double width = longest > 0 ? kFull * bar.seconds / longest : 0;
  out += box(kNames, y, width, kBar, "track", bar.name + ": " + seconds_text(bar.seconds));
  // Parts are a mean rank's, the bar is the slowest one's: it shows in what proportion.
  const double all = std::max(bar.times.sum(), 1e-12);
  double x = kNames;
  for (std::size_t i = 0; i < kParts; ++i) {
    const double part = width * bar.times.seconds[i] / all;
    if (part < 0.3) continue;
    out += box(
        x, y, part, kBar, fmt::format("p{}", i),
        fmt::format("{}: {} on a mean rank, {}", kPartNames[i].word,
                    seconds_text(bar.times.seconds[i]), percent_text(bar.times.seconds[i], all)));
    x += part;
  }
  return out + label(kNames + width + 8, y + 16, seconds_text(bar.seconds));
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

/// Marks of one lane; neighbours that fall into the same place are one.
std::string draw_lane(const std::vector<const Transfer*>& lane, double y, double begin,
                      double span) {
  constexpr double kFull = kWidth - kNames;
  std::string out;
  std::array<int, 4> last_bin{-1, -1, -1, -1};
  for (const Transfer* each : lane) {
    // All independent ones: their time is known, and not when they were.
    const double left = each->is_collective_line ? (each->end - each->seconds - begin) / span : 0;
    const double right = each->is_collective_line ? (each->end - begin) / span : 1;
    const double x = kNames + kFull * std::clamp(left, 0.0, 1.0);
    const double width =
        std::max(1.2, kFull * (std::clamp(right, 0.0, 1.0) - std::clamp(left, 0.0, 1.0)));
    const std::string cls = class_of(*each);
    const std::size_t kind = cls == "fgood" ? 0 : cls == "fwarn" ? 1 : cls == "fbad" ? 2 : 3;
    const int bin = static_cast<int>(kBins * std::clamp(right, 0.0, 1.0));
    if (width < 2 && bin == last_bin[kind]) continue;
    last_bin[kind] = bin;
    const double height = each->is_collective_line ? kBar : 6;
    out += box(x, y + (kBar - height) / 2, width, height, cls,
               fmt::format("{} {}: {}, {}, {}", each->function, each->dataset, word_of(*each),
                           bytes_text(each->bytes), seconds_text(each->seconds)),
               each->is_collective_line ? 0 : 3);
  }
  return out;
}

std::string draw_axis(double height, double span) {
  std::string out;
  const double step = nice_step(span, 8);
  const auto text_at = [](double seconds) {
    return seconds >= 1 ? fmt::format("{:g} s", seconds) : fmt::format("{:g} ms", seconds * 1e3);
  };
  for (int i = 0; i * step <= span * 1.0001 && i < 100; ++i) {
    const double x = kNames + (kWidth - kNames) * (i * step / span);
    out += fmt::format(R"(<line x1="{0:.1f}" x2="{0:.1f}" y1="0" y2="{1:.1f}" class="grid"/>)", x,
                       height);
    out += label(x, height + 18, i == 0 ? "0" : text_at(i * step),
                 R"(text-anchor="middle" class="soft")");
  }
  return out;
}

}  // namespace

std::string time_chart(const Run& run) {
  const std::vector<Bar> bars = bars_of(run);
  if (bars.empty()) return "<p class=\"soft\">Nothing took time.</p>";
  const double row = kBar + 12;
  std::string out =
      open_svg(row * static_cast<double>(bars.size()), "time by dataset and by what it went to");
  std::array<bool, kParts> seen{};
  for (std::size_t i = 0; i < bars.size(); ++i) {
    out += draw_bar(bars[i], row * static_cast<double>(i), bars.front().seconds);
    for (std::size_t part = 0; part < kParts; ++part)
      seen[part] = seen[part] || bars[i].times.seconds[part] > 0;
  }
  out += "</svg><div class=\"legend\">";
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
  const double row = kBar + 12, height = row * static_cast<double>(shown);
  std::string out = open_svg(height + 26, "transfers over the time of the run");
  out += draw_axis(height, span);
  for (std::size_t i = 0; i < shown; ++i) {
    const double y = row * static_cast<double>(i) + 4;
    out +=
        label(kNames - 12, y + 16, shortened(run.datasets[i].title(), 32), R"(text-anchor="end")");
    out += draw_lane(lanes[i], y, run.begin, span);
  }
  out += "</svg><div class=\"legend\">";
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
  double y = 0;
  for (const Row& each : rows) {
    if (each.bytes == 0) continue;
    const double width = 620.0 * static_cast<double>(each.bytes) / static_cast<double>(most);
    body += label(kNames - 12, y + 12, each.name, R"(text-anchor="end" class="soft")");
    body += box(kNames, y + 1, std::max(width, 1.0), 13, each.cls, bytes_text(each.bytes), 2);
    body += label(kNames + width + 8, y + 12, bytes_text(each.bytes));
    y += 21;
  }
  return y == 0 ? "" : open_svg(y, "bytes") + body + "</svg>";
}

}  // namespace pcio_report
