// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room tools: chart_svg. For each workload and direction two bars, seconds as a part of the longer one.

#include <algorithm>
#include <fmt/format.h>

#include "results.hpp"
#include "words.hpp"

namespace bench {

using pcio_report::seconds_text;

namespace {

constexpr double kWidth = 900, kNames = 170, kLongest = 480, kTop = 112, kBar = 13, kRow = 40,
                 kGroup = 12;

constexpr const char* kStyle = R"css(
svg{--page:#fff;--text:#1c2733;--soft:#5b6878;--line:#dfe4ea;--own:#1f5fa8;--other:#a9b4c0}
@media (prefers-color-scheme:dark){svg{--page:#12171d;--text:#e6ebf1;--soft:#9aa7b6;--line:#303a46;--own:#7db4f0;--other:#6b7887}}
@media print{svg{--page:#fff;--text:#000;--soft:#444;--line:#bbb;--own:#1f5fa8;--other:#a9b4c0}}
text{font:13px system-ui,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;fill:var(--text)}
.title{font-size:20px;font-weight:650}.soft{fill:var(--soft)}.end{text-anchor:end}.ratio{font-weight:650;font-size:15px}
.own{fill:var(--own)}.other{fill:var(--other)}line{stroke:var(--line)}
)css";

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : pcio_report::printable(text)) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else
      out += c;
  }
  return out;
}

std::string label(double x, double y, const std::string& cls, const std::string& text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" class=\"{}\">{}</text>\n", x, y, cls,
                     escaped(text));
}

std::string bar(double y, double part, const char* cls, double seconds) {
  const double length = std::max(1.0, part * kLongest);
  return fmt::format(
             "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"2\" "
             "class=\"{}\"/>\n",
             kNames, y, length, kBar, cls) +
         label(kNames + length + 8, y + kBar - 2, "soft", seconds_text(seconds));
}

std::string key(double x, const char* cls, const std::string& text) {
  return fmt::format(
             "<rect x=\"{:.1f}\" y=\"76\" width=\"12\" height=\"12\" rx=\"3\" class=\"{}\"/>\n", x,
             cls) +
         label(x + 18, 87, "soft", text);
}

}  // namespace

std::string chart_svg(const Results& results) {
  std::string body;
  double y = kTop;
  std::string last;
  for (const Row& row : results.rows) {
    if (row.workload != last) {
      if (!last.empty()) y += kGroup;
      body += fmt::format("<line x1=\"24\" x2=\"{:.0f}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>\n",
                          kWidth - 24, y - 8, y - 8);
      body += label(24, y + kBar, "", row.workload);
      last = row.workload;
    }
    const double own = median(row.own), other = median(row.other),
                 longest = std::max({own, other, 1e-9});
    body +=
        label(kNames - 12, y + kBar, "soft end", row.direction) + bar(y, own / longest, "own", own);
    if (!row.other.empty())
      body += bar(y + kBar + 2, other / longest, "other", other) +
              label(kWidth - 24, y + kBar + 6, "ratio end",
                    fmt::format("{:.2f} ×", other / std::max(own, 1e-9)));
    y += kRow;
  }
  const double height = y + 12;
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" "
      "height=\"{1:.0f}\">\n<style>{2}</style>\n"
      "<rect width=\"100%\" height=\"100%\" style=\"fill:var(--page)\"/>\n",
      kWidth, height, kStyle);
  out += label(24, 36, "title",
               results.other.empty() ? "Seconds, libpcio" : "Seconds, libpcio beside libhdf5");
  out += label(
      24, 60, "soft",
      fmt::format("{} on {}, in {}; medians, a bar's length is a part of the longer one of two",
                  pcio_report::counted(static_cast<std::uint64_t>(results.ranks), "rank"),
                  pcio_report::counted(static_cast<std::uint64_t>(results.nodes), "node"),
                  results.folder));
  out += key(24, "own", results.own);
  if (!results.other.empty()) {
    out += key(220, "other", results.other);
    out += label(kWidth - 24, 87, "soft end", "times as fast");
  }
  return out + body + "</svg>\n";
}

}  // namespace bench
