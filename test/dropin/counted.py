# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
"""counted.py NOTES TEXT RANKS: is what pcio-run told, in the file TEXT, what counted.c has noted in NOTES.*?

Prints what isn't (room: test/dropin)."""

import glob
import os
import re
import sys

calls = []
for name in glob.glob(sys.argv[1] + ".*"):
    with open(name) as notes:
        calls += [line.rstrip("\n").split(" ", 8) for line in notes]
with open(sys.argv[2], errors="replace") as told:
    text = "".join(line for line in told if line.startswith("pcio-run: "))
ranks = int(sys.argv[3])
in_parallel = [call for call in calls if call[2] == "parallel"]
together = [call for call in in_parallel if call[1] == "collective"]
alone = [call for call in in_parallel if call[1] != "collective"]
wrong = []


def number(what, pattern, count):
    """The first number of the line that has the pattern is the count."""
    found = re.search(pattern, text)
    if found is None or int(found[1]) != count:
        wrong.append(f"{what}: {found[1] if found else 'nothing'} told, {count} counted")
    return int(found[1]) if found else 0


if not calls:
    wrong.append("no call was counted")
elif not in_parallel:
    if "no transfers in parallel files" not in text:
        wrong.append("there were no transfers in parallel files")
else:
    number("files", r"(\d+) parallel files?, ", len({os.path.realpath(call[7]) for call in in_parallel}))
    number("datasets", r"(\d+) datasets? with collective", len({(call[7], call[8]) for call in together}))
    asked = number("asked", r"(\d+) transfers? (?:was|were) asked", len(together) // ranks)
    independent = number("independent", r"(\d+) independent; ", len(alone))
    number("failed", r"(\d+) failed", sum(int(call[4]) for call in in_parallel))
    were = number("collective", r"collective, (\d+) of them", sum(call[6] == "0" and call[4] == "0" for call in together) // ranks)
    # Each that was not collective has a cause, unless it failed.
    lost = sum(call[4] != "0" for call in together) // ranks
    causes = sum(int(count) for count in re.findall(r"pcio-run:   (\d+) not collective: ", text))
    if causes != asked - were - lost + independent:
        wrong.append(f"{causes} causes")
    # Filters and gaps change how many bytes there are: no fewer than were asked for without filters, and no more written where there were none.
    units = {"bytes": 1, "KiB": 1 << 10, "MiB": 1 << 20}
    for word in ("written", "read"):
        found = re.search(rf"([\d.]+) (bytes|KiB|MiB) {word}", text)
        bytes_told = float(found[1]) * units[found[2]] if found else -1
        least = sum(int(call[3]) for call in in_parallel if call[0] == word and call[5] == "0")
        filtered = any(call[0] == word and call[5] == "1" for call in in_parallel)
        near = 0.06 * (units[found[2]] if found else 1)
        if bytes_told < least - near or (word == "written" and not filtered and bytes_told > least + near):
            wrong.append(f"{bytes_told:.0f} bytes {word} told, {least} asked for")
counted = f"{len(together)} collective and {len(alone)} independent calls in parallel files, {len(calls) - len(in_parallel)} in others"
print("; ".join(wrong) if wrong else counted)
sys.exit(bool(wrong))
