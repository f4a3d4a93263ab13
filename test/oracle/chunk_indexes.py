#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# The campaign of chunk indexes: each seed is a dataset with one of the six indexes that is written,
# extended, shrunk, overwritten and deleted in steps with flushes behind and between them, some by
# libpcio and some by libhdf5. After each turn both libraries read it and compare it with a model;
# h5dump and h5py read some of them.
# Room: test/oracle. Run by chunk_indexes.sh.
#
#   chunk_indexes.py FIRST COUNT            seeds FIRST .. FIRST+COUNT-1
#
# The last lines are the histogram, in which an empty bin is a failure, and the count of failures.

import sys

sys.dont_write_bytecode = True  # beside a source tree that may be read only
import turns
from turns import H5DUMP, H5PY, failure, run

PROGRAMS = turns.programs("indexsteps")
STEPS = 9
# Who takes the steps, in turns of about the same length.
TURNS = [["libpcio"], ["libpcio", "libhdf5"], ["libhdf5", "libpcio"],
         ["libpcio", "libhdf5", "libpcio"], ["libhdf5", "libpcio", "libhdf5"],
         ["libpcio"] * STEPS, ["libhdf5", "libpcio", "libpcio"] * 3]
REQUIRED = {
    "kind": ["btree1", "single", "implicit", "fixed", "extensible", "btree2"],
    "size": ["small", "medium", "large"],
    "filtered": ["yes", "no"],
    "early": ["yes", "no"],
    "ndims": ["1", "2"],
    "fill": ["given", "zero"],
    "op": ["%s by %s" % (op, who) for op in ("write", "extend", "shrink", "scatter", "recreate",
                                               "flush")
           for who in PROGRAMS],
    "turn": ["libpcio after libhdf5", "libhdf5 after libpcio"],
    "form": ["%s %s %s" % (kind, size, form) for kind in ("fixed", "extensible", "btree2", "btree1")
             for size in ("small", "medium", "large") for form in ("filtered", "plain")],
}
SUM = """
import sys, h5py, numpy
data = h5py.File(sys.argv[1], "r")["data"][()].ravel().astype(numpy.uint64)
print("sum=%d" % int((data * (numpy.arange(data.size, dtype=numpy.uint64) % 251 + 1)).sum()))
"""


def readers(name, seed, upto, index):
    """Everybody reads the file after `upto` steps; what is wrong, or nothing."""
    sums = set()
    for who, program in PROGRAMS.items():
        status, out, error = run(program, name, seed, "check", upto)
        if status != 0:
            return failure("%s reads after %d steps" % (who, upto), status, error)
        sums.add(out.strip())
    if H5DUMP and index % 4 == 0:
        status, _, error = run(H5DUMP, "-o", "/dev/null", name)
        if status != 0:
            return failure("h5dump after %d steps" % upto, status, error)
    if H5PY and index % 8 == 0:
        status, out, error = run(H5PY, "-c", SUM, name)
        if status != 0:
            return failure("h5py after %d steps" % upto, status, error)
        sums.add(out.strip())
    return "" if len(sums) == 1 else "sums differ: %s" % sorted(sums)


def one_seed(seed):
    """Returns (what is wrong or nothing, histogram words)."""
    facts, wrong = turns.describe(PROGRAMS, seed)
    if wrong:
        return wrong, []
    wrong, words = turns.play(PROGRAMS, seed, TURNS[seed // 3 % len(TURNS)], STEPS, readers)
    form = "%s %s %s" % (facts["kind"], facts["size"],
                         "filtered" if facts["filtered"] == "yes" else "plain")
    return wrong, list(facts.items()) + [("form", form)] + words


if __name__ == "__main__":
    sys.exit(turns.main("chunk indexes", one_seed, REQUIRED, 100))
