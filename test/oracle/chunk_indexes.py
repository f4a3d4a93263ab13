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

import collections
import concurrent.futures
import os
import subprocess
import sys
import tempfile

PROGRAMS = {"libpcio": os.path.join(os.environ["ORACLE_PCIO"], "indexsteps"),
            "libhdf5": os.path.join(os.environ["ORACLE_HDF5"], "indexsteps")}
H5DUMP = os.environ.get("H5DUMP", "")
H5PY = os.environ.get("ORACLE_H5PY", "")  # a Python that has h5py, or empty
SECONDS = 120
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


def run(program, *arguments):
    try:
        done = subprocess.run([program, *map(str, arguments)], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return 124, "", "not done after %d s" % SECONDS
    return (done.returncode, done.stdout.decode("ascii", "replace"),
            done.stderr.decode("ascii", "replace"))


def failure(what, status, error):
    return "%s: status %d: %s" % (what, status, " | ".join(error.strip().splitlines()[-4:]))


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
    words = []
    status, out, error = run(PROGRAMS["libpcio"], "-", seed, "describe")
    if status != 0:
        return failure("describe", status, error), words
    facts = dict(word.split("=") for word in out.split())
    words += list(facts.items())
    words.append(("form", "%s %s %s" % (facts["kind"], facts["size"],
                                        "filtered" if facts["filtered"] == "yes" else "plain")))
    turns = TURNS[seed // 3 % len(TURNS)]
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, "steps.h5")
        first, before = 0, ""
        for turn, who in enumerate(turns):
            last = STEPS * (turn + 1) // len(turns)
            status, out, error = run(PROGRAMS[who], name, seed, first, last)
            if status != 0:
                return failure("%s takes steps %d to %d" % (who, first, last - 1), status,
                               error), words
            words += [("op", "%s by %s" % (op, who)) for op in out.split()]
            if before:
                words.append(("turn", "%s after %s" % (who, before)))
            wrong = readers(name, seed, last, seed + turn)
            if wrong:
                return "%s (turns %s)" % (wrong, turns[:turn + 1]), words
            first, before = last, who
    return "", words


def main():
    first, count = int(sys.argv[1]), int(sys.argv[2])
    histogram = collections.Counter()
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for seed, (wrong, words) in zip(range(first, first + count),
                                        pool.map(one_seed, range(first, first + count))):
            histogram.update(words)
            if wrong:
                failed += 1
                print("FAILED seed %d: %s" % (seed, wrong))
    empty = []
    for dimension, bins in REQUIRED.items():
        print("%s: %s" % (dimension, ", ".join("%s %d" % (b, histogram[dimension, b])
                                               for b in bins)))
        empty += ["%s %s" % (dimension, b) for b in bins if histogram[dimension, b] == 0]
    if empty and count >= 100:
        print("FAILED: empty bins: " + ", ".join(empty))
        failed += 1
    print("chunk indexes: seeds %d to %d, %d cases, %d failed" %
          (first, first + count - 1, count, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
