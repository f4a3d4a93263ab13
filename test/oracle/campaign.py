#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# The campaign of random files: each seed is a file written by libpcio and one written by libhdf5,
# and what both libraries, h5dump, h5py and the generator's model say about it must agree.
# Room: test/oracle. The programs come from the environment, see oracle_env.sh.
#
#   campaign.py FIRST COUNT     seeds FIRST .. FIRST+COUNT-1, both directions
#
# The last lines are the histogram, in which an empty bin is a failure, and the count of failures.

import collections
import concurrent.futures
import os
import subprocess
import sys
import tempfile

ORACLE = os.environ["ORACLE_HDF5"]     # folder of listall and randfile against libhdf5
SUBJECT = os.environ["ORACLE_PCIO"]    # the same against libpcio
H5DUMP = os.environ.get("H5DUMP", "")
H5PY = os.environ.get("ORACLE_H5PY", "")  # a Python that has h5py, or empty
H5PY_EVERY = 10                         # h5py is slow: every tenth file
SECONDS = 60

KINDS = "integer float string enum array compound opaque bitfield".split()
REQUIRED = {
    "type": KINDS,
    "ndims": ["null", "scalar", "1", "2", "3", "4"],
    "layout": ["compact", "contiguous", "chunked"],
    "bounds": ["earliest", "v18", "latest"],
    "selection": ["all", "none", "block", "strided", "combined", "points"],
    "conversion": ["yes", "no"],
    "fill": ["default", "given"],
    "alloc": ["early"],
    "shape": ["extended", "shrunk", "empty"],
    "attributes": ["none", "few", "many"],
    "attribute": ["overwritten", "deleted"],
    "link": ["hard", "soft", "deleted"],
    "links": ["over 8", "over 100"],
    "user block": ["yes", "no"],
    "reopened": ["yes", "no"],
}
ONLY = {
    "wide": {"write": ["some members"]},
    "narrow": {"filter": ["shuffle", "deflate", "fletcher32"]},
}


def run(program, *arguments):
    """Runs a program; returns (status, standard output, standard error)."""
    try:
        done = subprocess.run([program, *arguments], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return 124, "", "not done after %d s" % SECONDS
    return (done.returncode, done.stdout.decode("ascii", "replace"),
            done.stderr.decode("ascii", "replace"))


def quoted_words(line):
    """The quoted names of a line and the words after the last one."""
    pieces = line.split('"')
    return pieces[1::2], pieces[-1].split()


def parse_listing(text):
    """Objects by path: {path: (kind, hash, {attribute: hash})}, other names, and soft links."""
    objects, names, soft, current, attribute = {}, {}, set(), None, None
    for line in text.splitlines():
        if line.startswith("object "):
            quoted, rest = quoted_words(line)
            attribute = None
            if len(quoted) == 2:
                names[quoted[0]] = quoted[1]
                current = None
            else:
                current = [rest[0] if rest else "refused", None, {}]
                objects[quoted[0]] = current
        elif line.startswith("link: soft "):
            quoted, _ = quoted_words(line)
            soft.add(tuple(quoted))
        elif line.startswith("  attribute ") and current is not None:
            attribute = quoted_words(line)[0][0]
            current[2][attribute] = None
        elif line.startswith("  values in the file's type: ") and current is not None:
            value = line.rsplit(" ", 1)[1]
            if attribute is not None:
                current[2][attribute] = value
            else:
                current[1] = value
        elif line.startswith("  elements"):
            attribute = None
    return objects, names, soft


def listed_path(path, names):
    """The path under which listall found an object that has several."""
    for _ in range(20):
        head = path
        while head and head not in names:
            head = head.rpartition("/")[0]
        if not head:
            return path
        path = names[head] + path[len(head):]
    return path


def compare_manifest(manifest, listing):
    """Differences between what the generator says and what a listing shows."""
    objects, names, soft = parse_listing(listing)
    wrong = []
    for line in manifest.splitlines():
        kind = line.split(" ", 1)[0]
        if kind == "bin":
            continue
        quoted, rest = quoted_words(line)
        if kind == "soft":
            if (quoted[0].rpartition("/")[2], quoted[1]) not in soft:
                wrong.append("no soft link " + quoted[0])
            continue
        found = objects.get(listed_path(quoted[0], names))
        if found is None:
            wrong.append("no object " + quoted[0])
        elif kind == "dataset" and rest[0] != "empty" and found[1] != rest[0]:
            wrong.append("values of %s: %s, not %s" % (quoted[0], found[1], rest[0]))
        elif kind == "attribute" and found[2].get(quoted[1]) != rest[0]:
            wrong.append("attribute %s of %s: %s, not %s" %
                         (quoted[1], quoted[0], found[2].get(quoted[1]), rest[0]))
        elif kind in ("dataset", "group", "type") and found[0] != kind:
            wrong.append("%s is a %s, not a %s" % (quoted[0], found[0], kind))
    return wrong


def first_difference(one, other):
    for a, b in zip(one.splitlines(), other.splitlines()):
        if a != b:
            return "libhdf5: %s | libpcio: %s" % (a.strip(), b.strip())
    return "one listing is shorter"


def look(name, manifest, wrong, seed):
    """What all readers say about a file."""
    status, theirs, _ = run(ORACLE + "/listall", name)
    if status != 0:
        reason = [line for line in theirs.splitlines() if "refused" in line]
        wrong.append("libhdf5's listing ends with %d %s" % (status, " ".join(reason[:2])))
    status, ours, error = run(SUBJECT + "/listall", name)
    if status != 0 or ours != theirs:
        wrong.append("listings differ (%d): %s %s" %
                     (status, first_difference(theirs, ours), error[-200:]))
    wrong += compare_manifest(manifest, theirs)
    if H5DUMP:
        status, _, error = run(H5DUMP, name)
        if status != 0:
            wrong.append("h5dump ends with %d: %s" % (status, error[:200]))
    if H5PY and seed % H5PY_EVERY == 0:
        status, values, error = run(H5PY, os.path.join(os.path.dirname(__file__), "h5py_hash.py"),
                                    name)
        if status != 0:
            wrong.append("h5py: " + error[-300:])
        else:
            wrong += ["h5py: " + text for text in compare_manifest(
                "\n".join(line for line in manifest.splitlines() if line.startswith("dataset")),
                values)]


def one_file(seed, direction):
    """Makes and checks one file; returns (seed, direction, bins, differences)."""
    wrong, profile = [], "wide" if direction == "written by libpcio" else "narrow"
    common = ["--seed", str(seed), "--profile", profile]
    _, manifest, _ = run(ORACLE + "/randfile", *common, "--manifest")
    with tempfile.TemporaryDirectory(dir=os.environ.get("PCIO_TEST_TMP")) as folder:
        name = os.path.join(folder, "random.h5")
        if profile == "wide":
            status, _, error = run(SUBJECT + "/randfile", *common, "--output", name)
        else:
            status, _, error = run(ORACLE + "/randfile", *common, "--careful", "--output", name)
        if status != 0:
            wrong.append("writing ends with %d: %s" % (status, " ".join(error.split())[:400]))
        else:
            look(name, manifest, wrong, seed)
            status, text, error = run(SUBJECT + "/randfile", *common, "--check", name)
            if status != 0:
                wrong.append("reading selections with libpcio: %d %s" %
                             (status, " ".join((text + error).split())[:400]))
            if profile == "wide":
                status, text, error = run(ORACLE + "/randfile", *common, "--careful",
                                          "--check", name)
                if status != 0:
                    wrong.append("reading selections with libhdf5: %d %s" %
                                 (status, " ".join((text + error).split())[:400]))
    bins = [tuple(line.split(" ", 1)[1].rsplit(" ", 1)) for line in manifest.splitlines()
            if line.startswith("bin ") and line.count(" ") == 2]
    bins += [split_bin(line) for line in manifest.splitlines()
             if line.startswith("bin ") and line.count(" ") > 2]
    return seed, direction, bins, wrong


def split_bin(line):
    """A bin whose dimension or value has a space in it."""
    text = line[len("bin "):]
    for dimension in list(REQUIRED) + ["write", "filter"]:
        if text.startswith(dimension + " "):
            return dimension, text[len(dimension) + 1:]
    return text, ""


def report(direction, profile, bins, count, failures):
    required = dict(REQUIRED)
    required.update(ONLY[profile])
    empty = 0
    print("%s: %d files" % (direction, count))
    for dimension, values in required.items():
        shown = []
        for value in values:
            number = bins[(dimension, value)]
            shown.append("%s %d" % (value, number))
            if number == 0:
                empty += 1
                print("  EMPTY BIN: %s %s" % (dimension, value))
        print("  %-11s %s" % (dimension + ":", ", ".join(shown)))
    return failures + empty


def main():
    first, count = int(sys.argv[1]), int(sys.argv[2])
    directions = [("written by libpcio", "wide"), ("written by libhdf5", "narrow")]
    if len(sys.argv) > 3:
        directions = [pair for pair in directions if sys.argv[3] in pair]
    bins = {name: collections.Counter() for name, _ in directions}
    failures = collections.Counter()
    workers = int(os.environ.get("ORACLE_JOBS", "0")) or min(4, os.cpu_count() or 1)
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        jobs = [pool.submit(one_file, seed, name)
                for seed in range(first, first + count) for name, _ in directions]
        for job in jobs:
            seed, name, found, wrong = job.result()
            bins[name].update(found)
            if wrong:
                failures[name] += 1
                print("FAILED seed %d, %s: %s" % (seed, name, "; ".join(wrong[:3])), flush=True)
    total = 0
    for name, profile in directions:
        total += report(name, profile, bins[name], count, failures[name])
    print("campaign: seeds %d to %d, %d files, h5dump %s, h5py %s, %d failures" %
          (first, first + count - 1, count * len(directions), "yes" if H5DUMP else "no",
           "every tenth" if H5PY else "no", total))
    # An empty bin counts as a case that failed.
    print("%d passed, %d failed" % (count * len(directions) - sum(failures.values()), total))
    return 1 if total else 0


if __name__ == "__main__":
    sys.exit(main())
