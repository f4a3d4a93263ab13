#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# The campaign of random files: each seed is a file written by libpcio and one written by libhdf5,
# some also extended by the other library, and what both libraries, h5dump, h5py and the generator's
# model say about it must agree.
# Room: test/oracle. The programs come from the environment, see oracle_env.sh.
#
#   campaign.py FIRST COUNT [DIRECTION]     seeds FIRST .. FIRST+COUNT-1; a word of a direction
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

# Who writes a file with which profile, and who extends it then.
DIRECTIONS = {
    "written by libpcio": [(SUBJECT, "wide")],
    "written by libhdf5": [(ORACLE, "narrow")],
    "written by libhdf5, extended by libpcio": [(ORACLE, "narrow"), (SUBJECT, "wide")],
    "written by libpcio, extended by libhdf5": [(SUBJECT, "wide"), (ORACLE, "extending")],
}
EXTENDED_EVERY = 4                      # extended files: every fourth seed

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
    "extending": {},
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


def write(folder, profile, arguments, name, wrong):
    """Lets one library write or extend a file; True if it could."""
    careful = ["--careful"] if folder == ORACLE else []
    status, _, error = run(folder + "/randfile", "--profile", profile, *arguments, *careful,
                           "--output", name)
    if status != 0:
        wrong.append("%s ends with %d: %s" % ("extending" if "--under" in arguments else "writing",
                                              status, " ".join(error.split())[:400]))
    return status == 0


def check(folder, profile, arguments, name, wrong):
    """Lets one library read random selections."""
    careful = ["--careful"] if folder == ORACLE else []
    status, text, error = run(folder + "/randfile", "--profile", profile, *arguments, *careful,
                              "--check", name)
    if status != 0:
        wrong.append("reading selections with %s: %d %s" %
                     ("libhdf5" if folder == ORACLE else "libpcio", status,
                      " ".join((text + error).split())[:400]))


def manifest_of(profile, arguments):
    return run(ORACLE + "/randfile", "--profile", profile, *arguments, "--manifest")[1]


def one_file(seed, direction):
    """Makes and checks one file; returns (seed, direction, bins, differences)."""
    wrong = []
    steps = [(folder, profile, ["--seed", str(seed + 5000000 * i)] +
              (["--under", "/added"] if i else []))
             for i, (folder, profile) in enumerate(DIRECTIONS[direction])]
    manifest = "".join(manifest_of(profile, arguments) for _, profile, arguments in steps)
    with tempfile.TemporaryDirectory(dir=os.environ.get("PCIO_TEST_TMP")) as place:
        name = os.path.join(place, "random.h5")
        if all(write(*step, name, wrong) for step in steps):
            look(name, manifest, wrong, seed)
            for folder, profile, arguments in steps:
                check(SUBJECT, profile, arguments, name, wrong)
                if folder == SUBJECT:
                    check(ORACLE, profile, arguments, name, wrong)
    bins = [split_bin(line) for line in manifest.splitlines() if line.startswith("bin ")]
    return seed, direction, bins, wrong


def split_bin(line):
    """Dimension and value of a bin, either of which may have a space in it."""
    text = line[len("bin "):]
    for dimension in list(REQUIRED) + ["write", "filter"]:
        if text.startswith(dimension + " "):
            return dimension, text[len(dimension) + 1:]
    return text, ""


def report(direction, bins, count):
    """Prints the histogram of a direction; returns the number of empty bins."""
    profiles = {profile for _, profile in DIRECTIONS[direction]}
    required = dict(REQUIRED)
    for profile in profiles:
        required.update(ONLY[profile])
    empty = 0
    print("%s: %d files" % (direction, count))
    for dimension, values in required.items():
        shown = []
        for value in values:
            number = bins[(dimension, value)]
            shown.append("%s %d" % (value, number))
            if number == 0 and len(DIRECTIONS[direction]) == 1:
                empty += 1
                print("  EMPTY BIN: %s %s" % (dimension, value))
        print("  %-11s %s" % (dimension + ":", ", ".join(shown)))
    return empty


def main():
    first, count = int(sys.argv[1]), int(sys.argv[2])
    chosen = [name for name in DIRECTIONS if len(sys.argv) <= 3 or sys.argv[3] in name]
    bins = {name: collections.Counter() for name in chosen}
    files, failures = collections.Counter(), 0
    workers = int(os.environ.get("ORACLE_JOBS", "0")) or min(4, os.cpu_count() or 1)
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        jobs = [pool.submit(one_file, seed, name)
                for seed in range(first, first + count) for name in chosen
                if len(DIRECTIONS[name]) == 1 or seed % EXTENDED_EVERY == 0]
        for job in jobs:
            seed, name, found, wrong = job.result()
            bins[name].update(found)
            files[name] += 1
            if wrong:
                failures += 1
                print("FAILED seed %d, %s: %s" % (seed, name, "; ".join(wrong[:3])), flush=True)
    empty = sum(report(name, bins[name], files[name]) for name in chosen)
    total = sum(files.values())
    print("campaign: seeds %d to %d, %d files, h5dump %s, h5py %s, %d failures, %d empty bins" %
          (first, first + count - 1, total, "yes" if H5DUMP else "no",
           "every tenth" if H5PY else "no", failures, empty))
    # An empty bin counts as a case that failed.
    print("%d passed, %d failed" % (total - failures, failures + empty))
    return 1 if failures + empty else 0


if __name__ == "__main__":
    sys.exit(main())
