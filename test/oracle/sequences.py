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

import collections
import concurrent.futures
import os
import subprocess
import sys
import tempfile

PROGRAMS = {"libpcio": os.path.join(os.environ["ORACLE_PCIO"], "sequencesteps"),
            "libhdf5": os.path.join(os.environ["ORACLE_HDF5"], "sequencesteps")}
H5DUMP = os.environ.get("H5DUMP", "")
H5PY = os.environ.get("ORACLE_H5PY", "")  # a Python that has h5py, or empty
SECONDS = 120
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
    status, out, error = run(PROGRAMS["libpcio"], "-", seed, "describe")
    if status != 0:
        return failure("describe", status, error), []
    facts = dict(word.split("=") for word in out.split())
    words = [("form", "%s %s" % (facts["type"], facts["layout"]))]
    turns = TURNS[seed // 16 % len(TURNS)]
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
    if empty and count >= 48:
        print("FAILED: empty bins: " + ", ".join(empty))
        failed += 1
    print("variable-length data: seeds %d to %d, %d cases, %d failed" %
          (first, first + count - 1, count, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
