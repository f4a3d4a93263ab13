#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
"""Draws doc/scaling.svg and prints the table of doc/SCALING.md from what plan_scale prints.

    PCIO_LONG=1 test/plan/plan_scale | python3 test/plan/scaling.py doc/scaling.svg
"""
import math
import sys

WIDTH, HEIGHT, TOP, BOTTOM, LEGEND = 960, 470, 50, 60, 80
PANELS = {"bytes": (70, 560), "rounds": (640, 920)}
COLOURS = ["#1b6ca8", "#c0392b", "#218c54", "#8e44ad", "#b9770e", "#117a8b",
           "#6b4226", "#5d6d7e", "#d35400", "#2c3e50", "#7d8c00", "#a3195b"]


def read_rows(stream):
    lines = [line.rstrip("\n").split("\t") for line in stream if "\t" in line]
    rows = []
    for name, *numbers in lines[1:]:
        keys = lines[0][1:]
        rows.append({"pattern": name, **dict(zip(keys, map(int, numbers)))})
    return rows


class Panel:
    """Logarithmic x from 100 to 100,000; y given by a function into 0 (bottom) to 1 (top)."""

    def __init__(self, name, height_of):
        self.left, self.right = PANELS[name]
        self.height_of = height_of
        self.parts = []

    def x(self, ranks):
        return self.left + (math.log10(ranks) - 2) / 3 * (self.right - self.left)

    def y(self, value):
        return HEIGHT - BOTTOM - self.height_of(value) * (HEIGHT - TOP - BOTTOM)

    def text(self, x, y, words, anchor="middle", size=12, colour="#222"):
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" '
                          f'font-size="{size}" fill="{colour}">{words}</text>')

    def line(self, points, colour, dashes="", width=1.8):
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        dash = f' stroke-dasharray="{dashes}"' if dashes else ""
        self.parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" '
                          f'stroke-width="{width}"{dash}/>')

    def frame(self, title, ticks, names):
        self.text((self.left + self.right) / 2, TOP - 18, title, size=14)
        for value, name in zip(ticks, names):
            y = self.y(value)
            self.line([(self.left, y), (self.right, y)], "#ddd", width=1)
            self.text(self.left - 8, y + 4, name, "end")
        for power in range(2, 6):
            x = self.x(10 ** power)
            self.line([(x, TOP), (x, HEIGHT - BOTTOM)], "#eee", width=1)
            self.text(x, HEIGHT - BOTTOM + 18, f"{10 ** power:,}")
        self.text((self.left + self.right) / 2, HEIGHT - BOTTOM + 40, "ranks")


def draw(rows):
    patterns = list(dict.fromkeys(row["pattern"] for row in rows))
    size = Panel("bytes", lambda v: (math.log10(v) - 2) / 10)
    size.frame("bytes that a rank gives to its collective calls (maximum over the ranks)",
               [10 ** p for p in range(2, 13, 2)],
               ["100 B", "10 kB", "1 MB", "100 MB", "10 GB", "1 TB"])
    table = [row for row in rows if row["pattern"].startswith("blocks of 10^6")
             and "halo" not in row["pattern"]]
    size.line([(size.x(r["ranks"]), size.y(r["table of ranks x chunks"])) for r in table],
              "#888", "7 5")
    size.text(size.x(900), size.y(1.5e8), "one byte per rank and chunk at rank 0", "start",
              colour="#666")
    size.text(size.x(900), size.y(5e7), "(original flow, 10^6 chunks)", "start", colour="#666")
    steps = Panel("rounds", lambda v: v / 45)
    steps.frame("rounds", range(0, 46, 10), [str(n) for n in range(0, 46, 10)])
    for place, (colour, name) in enumerate(zip(COLOURS, patterns)):
        mine = [row for row in rows if row["pattern"] == name and row["calls"] > 0]
        size.line([(size.x(r["ranks"]), size.y(max(100, r["bytes given"]))) for r in mine], colour)
        steps.line([(steps.x(r["ranks"]), steps.y(r["rounds"])) for r in mine], colour)
        left, y = size.left + place // 4 * 320, HEIGHT + 8 + place % 4 * 18
        size.line([(left, y - 4), (left + 22, y - 4)], colour)
        words = name if mine else name + " (nothing to exchange)"
        size.text(left + 28, y, words, "start")
    allowed = {row["ranks"]: row["rounds allowed"] for row in rows}
    steps.line([(steps.x(r), steps.y(n)) for r, n in allowed.items()], "#888", "7 5")
    steps.text(steps.x(900), steps.y(34), "2 ceil(log2 P) + 6", colour="#666")
    body = "\n".join(size.parts + steps.parts)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT + LEGEND}" '
            f'font-family="sans-serif">\n<rect width="100%" height="100%" fill="white"/>\n'
            f"{body}\n</svg>\n")


def print_table(rows):
    print("| pattern | ranks | chunks | of one rank | collective | calls | rounds (allowed) | "
          "bytes given | memory | bytes sent |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for r in rows:
        print(f"| {r['pattern']} | {r['ranks']:,} | {r['chunks']:,} | "
              f"{r['most chunks of a rank']:,} | {r['marked']:,} | {r['calls']} | "
              f"{r['rounds']} ({r['rounds allowed']}) | {r['bytes given']:,} | {r['memory']:,} | "
              f"{r['bytes sent']:,} |")


if __name__ == "__main__":
    table_rows = read_rows(sys.stdin)
    with open(sys.argv[1], "w", encoding="utf-8") as out:
        out.write(draw(table_rows))
    print_table(table_rows)
