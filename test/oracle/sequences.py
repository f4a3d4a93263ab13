#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# The campaign of variable-length data: each seed is a file with a dataset and attributes that are
# written, rewritten, extended, deleted in steps with flushes between them, some by libpcio and some by
# libhdf5. After each turn both libraries read it and compare it with a model; h5dump and h5py read some.
# Room: test/oracle. Run by sequences.sh.
#
#   sequences.py FIRST COUNT            seeds FIRST .. FIRST+COUNT-1
#
# The last lines are the histogram, in which an empty bin is a failure, and the count of failures.

import sys

sys.dont_write_bytecode = True  # beside a source tree that may be read only
import turns
from turns import H5DUMP, H5PY, failure, run

PROGRAMS = turns.programs("sequencesteps")
STEPS = 16
TURNS = [["libpcio", "libhdf5"], ["libhdf5", "libpcio"], ["libpcio"] * 4,
         ["libpcio", "libhdf5"] * 3, ["libhdf5", "libpcio"] * 4]
TYPES = ["text", "numbers", "nested", "mixed"]
LAYOUTS = ["contiguous", "compact", "chunked", "filtered"]
OPS = ["write", "attribute", "delete-attribute", "flush", "extend", "recreate"]
REQUIRED = {
    "form": ["%s %s" % (t, layout) for t in TYPES for layout in LAYOUTS],
    "op": ["%s by %s" % (op, who) for op in OPS for who in PROGRAMS],
    "turn": ["libpcio after libhdf5", "libhdf5 after libpcio"],
}
# h5py reads everything that is text or numbers.
READ = """
import sys, h5py
def look(name, item):
    if isinstance(item, h5py.Dataset): item[()]
    for key in item.attrs: item.attrs[key]
with h5py.File(sys.argv[1], "r") as file:
    look("/", file)
    file.visititems(look)
"""


def readers(name, seed, upto, index):
    """Everybody reads the file after `upto` steps; what is wrong, or nothing."""
    for who, program in PROGRAMS.items():
        status, _, error = run(program, name, seed, "check", upto)
        if status != 0:
            return failure("%s reads after %d steps" % (who, upto), status, error)
    if H5DUMP and index % 4 == 0:
        status, _, error = run(H5DUMP, "-o", "/dev/null", name)
        if status != 0:
            return failure("h5dump after %d steps" % upto, status, error)
    if H5PY and index % 8 == 0 and TYPES[seed % 4] in ("text", "numbers"):
        status, _, error = run(H5PY, "-c", READ, name)
        if status != 0:
            return failure("h5py after %d steps" % upto, status, error)
    return ""


def one_seed(seed):
    """Returns (what is wrong or nothing, histogram words)."""
    facts, wrong = turns.describe(PROGRAMS, seed)
    if wrong:
        return wrong, []
    wrong, words = turns.play(PROGRAMS, seed, TURNS[seed // 16 % len(TURNS)], STEPS, readers)
    return wrong, [("form", "%s %s" % (facts["type"], facts["layout"]))] + words


if __name__ == "__main__":
    sys.exit(turns.main("variable-length data", one_seed, REQUIRED, 48))
