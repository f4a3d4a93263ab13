# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# Files that libpcio and libhdf5 change by turns: what the campaigns of it share. A program, built once
# with each library, takes steps: PROGRAM FILE SEED FIRST LAST prints the name of each; PROGRAM - SEED
# describe says what a seed is; PROGRAM FILE SEED check UPTO compares the file with a model.
# Room: test/oracle. Used by chunk_indexes.py, sequences.py and lives.py.

import collections
import concurrent.futures
import os
import subprocess
import sys
import tempfile

H5DUMP = os.environ.get("H5DUMP", "")
H5PY = os.environ.get("ORACLE_H5PY", "")  # a Python that has h5py, or empty
SECONDS = 120


def programs(name):
    return {"libpcio": os.path.join(os.environ["ORACLE_PCIO"], name),
            "libhdf5": os.path.join(os.environ["ORACLE_HDF5"], name)}


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


def describe(both, seed):
    """What a seed is, by name, and what is wrong or nothing."""
    status, out, error = run(both["libpcio"], "-", seed, "describe")
    if status != 0:
        return {}, failure("describe", status, error)
    return dict(word.split("=") for word in out.split()), ""


def play(both, seed, turns, steps, readers):
    """Takes `steps` steps in turns of about the same length; `readers(name, seed, upto, index)` reads
    behind each turn. What is wrong or nothing, and histogram words."""
    words = []
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, "steps.h5")
        first, before = 0, ""
        for turn, who in enumerate(turns):
            last = steps * (turn + 1) // len(turns)
            status, out, error = run(both[who], name, seed, first, last)
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


def main(title, one_seed, required, many, judge=None):
    """Plays the seeds that the command line names; from `many` cases on an empty bin is a failure.
    `judge(histogram, count)` says what else is wrong, or nothing."""
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
    for dimension, bins in required.items():
        print("%s: %s" % (dimension, ", ".join("%s %d" % (b, histogram[dimension, b])
                                               for b in bins)))
        empty += ["%s %s" % (dimension, b) for b in bins if histogram[dimension, b] == 0]
    if empty and count >= many:
        print("FAILED: empty bins: " + ", ".join(empty))
        failed += 1
    wrong = judge(histogram, count) if judge else ""
    if wrong:
        print("FAILED: " + wrong)
        failed += 1
    print("%s: seeds %d to %d, %d cases, %d failed" %
          (title, first, first + count - 1, count, failed))
    return 1 if failed else 0
