// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room tools/explain: map_svg.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "map.hpp"
#include "text.hpp"
#include "words.hpp"

namespace pcio_explain {

using pcio_report::bytes_text;
using pcio_report::counted;

namespace {

constexpr double kMargin = 28, kAxis = 46, kGap = 30, kPictureWidth = 1000, kTop = 133;

constexpr const char* kStyle = R"css(
svg{--page:#fff;--text:#1c2733;--soft:#5b6878;--line:#c9d1da;--none:#eef1f5;--hatch:#1c2733;
--c0:#8db9ec;--c1:#f4b183;--c2:#93d3a2;--c3:#e79ac2;--c4:#efd67a;--c5:#b7a3e8;--c6:#7fd0cf;--c7:#ef9a93;--c8:#bcd884;
--c9:#d5a6df;--c10:#a9b8d0;--c11:#d9bd98}
@media (prefers-color-scheme:dark){svg{--page:#12171d;--text:#e6ebf1;--soft:#9aa7b6;--line:#3a4552;--none:#222a33;
--hatch:#fff;--c0:#2f6aa8;--c1:#a8622b;--c2:#2f7f48;--c3:#9c3f73;--c4:#877018;--c5:#6450a6;--c6:#1f7c7b;--c7:#a5443c;
--c8:#5c7d20;--c9:#83438f;--c10:#52627c;--c11:#7d6240}}
@media print{svg{--page:#fff}}
text{font:13px system-ui,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;fill:var(--text)}
.title{font-size:20px;font-weight:650}.soft{fill:var(--soft)}.mid{text-anchor:middle}.end{text-anchor:end}
.in{text-anchor:middle;dominant-baseline:central;pointer-events:none}
.frame{fill:none;stroke:var(--line)}.none{fill:var(--none)}.hatch{fill:url(#hatch);pointer-events:none}
.dot{fill:var(--text);pointer-events:none}
.c0{fill:var(--c0)}.c1{fill:var(--c1)}.c2{fill:var(--c2)}.c3{fill:var(--c3)}.c4{fill:var(--c4)}.c5{fill:var(--c5)}
.c6{fill:var(--c6)}.c7{fill:var(--c7)}.c8{fill:var(--c8)}.c9{fill:var(--c9)}.c10{fill:var(--c10)}.c11{fill:var(--c11)}
)css";

constexpr const char* kHatch =
    R"x(<defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="1.6" height="6" style="fill:var(--hatch)" opacity=".55"/></pattern></defs>)x";

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : pcio_report::printable(text)) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default: out += c;
    }
  }
  return out;
}

std::string label(double x, double y, const std::string& text, const char* cls, double size = 0) {
  const std::string style = size > 0 ? fmt::format(R"x( style="font-size:{:.1f}px")x", size) : "";
  return fmt::format(R"x(<text x="{:.1f}" y="{:.1f}" class="{}"{}>{}</text>)x", x, y, cls, style,
                     escaped(text));
}

/// What fits, with letters of that width.
std::string cut(const std::string& text, double width, double letter) {
  const auto most = static_cast<std::size_t>(width / letter);
  if (text.size() <= most) return text;
  std::size_t end = most - 1;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return text.substr(0, end) + "…";
}

/// Chunks between two numbers of an axis: 1, 2 or 5 times a power of ten, no less than `least`.
std::uint64_t tick_step(double least) {
  for (std::uint64_t power = 1;; power *= 10)
    for (const std::uint64_t factor : {1, 2, 5})
      if (static_cast<double>(factor * power) >= least) return factor * power;
}

std::string position_text(const Cell& cell) {
  std::string text;
  for (std::size_t d = 0; d < cell.first.size(); ++d) {
    text += d == 0 ? "" : ", ";
    text += std::to_string(cell.first[d]);
    if (cell.last[d] != cell.first[d]) text += " to " + std::to_string(cell.last[d]);
  }
  return text;
}

class Picture {
 public:
  Picture(const Plan& plan, const Figures& figures, const ChunkMap& map)
      : plan_(plan), figures_(figures), map_(map), filtered_(!plan.subject.filters.empty()) {
    const auto most = static_cast<double>(std::max(map.columns, map.rows));
    const bool many = map.slices.size() > 1;
    size_ = std::clamp((many ? 300 : 640) / most, many ? 5.0 : 8.0, 44.0);
    if (!map.wrapped && static_cast<double>(map.columns) * 8 <= kPictureWidth && !many)
      size_ = std::clamp(640 / most, 8.0, 44.0);
    width_ = size_ * static_cast<double>(map.columns);
    height_ = size_ * static_cast<double>(map.rows);
    const double panel = width_ + kAxis + kGap;
    across_ = std::max<std::size_t>(1, static_cast<std::size_t>((kPictureWidth + kGap) / panel));
    across_ = std::min(across_, map.slices.size());
  }

  std::string draw(const std::string& deal) {
    const double panel_height = height_ + kAxis + (map_.slices.size() > 1 ? 26 : 0);
    const std::size_t down = (map_.slices.size() - 1) / across_ + 1;
    for (std::size_t i = 0; i < map_.slices.size(); ++i)
      draw_slice(map_.slices[i],
                 kMargin + kAxis + static_cast<double>(i % across_) * (width_ + kAxis + kGap),
                 kTop + (map_.slices.size() > 1 ? 26 : 0) + 22 +
                     static_cast<double>(i / across_) * (panel_height + 14));
    double y = kTop + 22 + static_cast<double>(down) * (panel_height + 14) + 14;
    draw_legend(&y);
    const double whole = std::max(
        kPictureWidth, kMargin * 2 + static_cast<double>(across_) * (width_ + kAxis + kGap));
    return fmt::format(
               R"x(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0:.0f} {1:.0f}" width="{0:.0f}" height="{1:.0f}" role="img" aria-label="chunks and ranks"><style>{2}</style>{3}<rect width="{0:.0f}" height="{1:.0f}" style="fill:var(--page)"/>)x",
               whole, y + kMargin, kStyle, kHatch) +
           draw_head(deal, whole) + body_ + "</svg>\n";
  }

 private:
  std::string draw_head(const std::string& deal, double whole) const {
    const double room = whole - 2 * kMargin;
    const std::string shared = figures_.shared == 0
                                   ? "no chunk has more than one rank"
                                   : fmt::format("{} of {} chunks have more than one rank",
                                                 figures_.shared, figures_.distinct);
    const std::string name = plan_.subject.dataset.empty()
                                 ? "Which rank has which chunk"
                                 : "Which rank has which chunk of " + plan_.subject.dataset;
    return label(kMargin, 44, cut(name, room, 13), "title") +
           label(kMargin, 70, cut(headline(plan_), room, 7.4), "soft") +
           label(kMargin, 91, cut("by " + deal, room, 7.4), "soft") +
           label(kMargin, 112,
                 cut(fmt::format("{}; {}; {} between ranks", mode_text(plan_), shared,
                                 bytes_text(figures_.sent.sum)),
                     room, 7.4),
                 "soft");
  }

  [[nodiscard]] std::string tip(const Cell& cell) const {
    std::string text =
        (cell.chunks == 1 ? "chunk " : fmt::format("{}: ", counted(cell.chunks, "chunk"))) +
        position_text(cell) + ": ";
    if (cell.touched == 0) return text + "no rank";
    if (cell.one_rank) return text + fmt::format("rank {}", cell.rank);
    if (cell.shared > 0)
      text += fmt::format("{}, {}", cell.chunks == 1 ? "" : fmt::format("{} shared", cell.shared),
                          counted(cell.most_ranks, "rank"));
    return text + fmt::format(", {} rank {}", filtered_ ? "owner" : "most of it", cell.rank);
  }

  void draw_cell(const Cell& cell, double x, double y) {
    const std::string cls =
        cell.touched == 0 ? "none" : fmt::format("c{}", map_.colours[cell.rank]);
    const double gap = size_ > 12 ? 1 : 0.4;
    body_ += fmt::format(
        R"x(<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" class="{}"><title>{}</title></rect>)x",
        x + gap / 2, y + gap / 2, size_ - gap, size_ - gap, cls, escaped(tip(cell)));
    if (cell.shared > 0)
      body_ += fmt::format(
          R"x(<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" class="hatch"/>)x",
          x + gap / 2, y + gap / 2, size_ - gap, size_ - gap);
    if (cell.touched > 0 && size_ >= 18) draw_number(cell, x, y);
    if (cell.independent > 0 && figures_.collective_chunks.sum > 0 && size_ >= 8)
      body_ += fmt::format(R"x(<circle cx="{:.1f}" cy="{:.1f}" r="2" class="dot"/>)x",
                           x + size_ - 5, y + 5);
  }

  /// The rank, on its colour where lines would run through it.
  void draw_number(const Cell& cell, double x, double y) {
    const std::string text = std::to_string(cell.rank);
    const double letter =
        std::min({13.0, size_ * 0.5, size_ * 1.35 / static_cast<double>(text.size())});
    if (letter < 7) return;
    if (cell.shared > 0)
      body_ += fmt::format(
          R"x(<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" rx="2" class="c{}"/>)x",
          x + size_ / 2 - letter * 0.34 * static_cast<double>(text.size()) - 1.5,
          y + size_ / 2 - letter * 0.6, letter * 0.68 * static_cast<double>(text.size()) + 3,
          letter * 1.2, map_.colours[cell.rank]);
    body_ += label(x + size_ / 2, y + size_ / 2, text, "in", letter);
  }

  void draw_slice(const Slice& slice, double left, double top) {
    if (map_.slices.size() > 1) {
      std::string at;
      for (std::size_t d = 0; d < slice.leading.size(); ++d)
        at += fmt::format("{}dimension {}: chunk {}", d == 0 ? "" : ", ", d, slice.leading[d]);
      body_ += label(left, top - 26, at, "soft");
    }
    for (std::size_t i = 0; i < slice.cells.size(); ++i)
      if (slice.cells[i].chunks > 0)
        draw_cell(slice.cells[i],
                  left + size_ * static_cast<double>(i % static_cast<std::size_t>(map_.columns)),
                  top + size_ * static_cast<double>(i / static_cast<std::size_t>(map_.columns)));
    if (!map_.wrapped)
      body_ += fmt::format(
          R"x(<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" class="frame"/>)x",
          left - 1, top - 1, width_ + 2, height_ + 2);
    draw_axes(left, top);
  }

  void draw_axes(double left, double top) {
    const std::uint64_t step = std::max<std::uint64_t>(1, tick_step(44 / size_));  // in cells
    for (std::uint64_t column = 0; column < map_.columns; column += step)
      body_ += label(left + size_ * (static_cast<double>(column) + 0.5), top - 7,
                     std::to_string(column * map_.per_column), "soft mid", 11);
    const std::uint64_t down = std::max<std::uint64_t>(1, tick_step(18 / size_));
    const std::uint64_t each = map_.wrapped ? map_.columns * map_.per_column : map_.per_row;
    for (std::uint64_t row = 0; row < map_.rows; row += down)
      body_ += label(left - 7, top + size_ * (static_cast<double>(row) + 0.5) + 4,
                     std::to_string(row * each), "soft end", 11);
    const std::size_t last = map_.grid.size() - 1;
    const std::string along =
        map_.wrapped ? "chunks, line after line" : fmt::format("chunks of dimension {} →", last);
    body_ += label(left, top + height_ + 19, along, "soft", 12);
    if (!map_.wrapped)
      body_ += fmt::format(
          R"x(<text transform="translate({:.1f} {:.1f}) rotate(-90)" class="soft end" style="font-size:12px">← dimension {}</text>)x",
          left - 33, top, last - 1);
  }

  void key(double* x, double y, const std::string& drawn, const std::string& text) {
    const double width = 26 + 7.2 * static_cast<double>(text.size()) + 16;
    if (*x + width > kPictureWidth && *x > kMargin) {
      *x = kMargin;
      legend_down_ += 24;
    }
    body_ += fmt::format(R"x(<g transform="translate({:.1f} {:.1f})">{}{}</g>)x", *x,
                         y + legend_down_, drawn, label(24, 13, text, "soft"));
    *x += width;
  }

  static std::string swatch(const std::string& cls) {
    return fmt::format(R"x(<rect width="17" height="17" rx="3" class="{}"/>)x", cls);
  }

  void draw_legend(double* y) {
    double x = kMargin;
    const std::size_t ranks = plan_.ranks.size();
    if (ranks <= kColours)
      for (std::size_t r = 0; r < ranks; ++r)
        key(&x, *y, swatch(fmt::format("c{}", map_.colours[r])), fmt::format("rank {}", r));
    else
      key(&x, *y, swatch("c0"), fmt::format("a rank (colours repeat; {} ranks)", ranks));
    if (figures_.shared > 0)
      key(&x, *y, swatch("c0") + swatch("hatch"),
          filtered_ ? "several ranks: number and colour are the owner's"
                    : "several ranks: number and colour are those of the one with most bytes");
    if (figures_.distinct < figures_.chunks) key(&x, *y, swatch("none"), "no rank");
    if (figures_.collective_chunks.sum > 0 && figures_.independent_chunks.sum > 0)
      key(&x, *y, swatch("c0") + R"x(<circle cx="12" cy="5" r="2" class="dot"/>)x",
          "moved independently");
    *y += legend_down_ + 24;
    std::string note;
    if (map_.per_row * map_.per_column > 1)
      note = map_.wrapped
                 ? fmt::format("A cell is {} chunks. ", map_.per_column)
                 : fmt::format("A cell is {} x {} chunks. ", map_.per_row, map_.per_column);
    if (map_.slices.size() < map_.all_slices)
      note += fmt::format("{} of {} slices are drawn.", map_.slices.size(), map_.all_slices);
    if (note.empty()) return;
    body_ += label(kMargin, *y + 13, note, "soft");
    *y += 24;
  }

  const Plan& plan_;
  const Figures& figures_;
  const ChunkMap& map_;
  bool filtered_;
  double size_ = 0, width_ = 0, height_ = 0, legend_down_ = 0;
  std::size_t across_ = 1;
  std::string body_;
};

}  // namespace

std::string map_svg(const Plan& plan, const Figures& figures, const ChunkMap& map,
                    const std::string& deal) {
  return Picture(plan, figures, map).draw(deal);
}

}  // namespace pcio_explain
