#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# The campaign of lives: each seed is a file with all of the data model that libpcio and libhdf5 change by
# turns, at random, with several steps in an open and closes in between. A twin of it is changed by libhdf5
# alone. After each turn both libraries list the file, the twin's listing is the same, and so was what each
# step did; h5dump prints both alike, h5diff finds no difference, and h5py reads the same (samples).
# Room: test/oracle. Run by lives.sh.
#
#   lives.py FIRST COUNT            seeds FIRST .. FIRST+COUNT-1
#
# The last lines are the histogram, in which an empty bin is a failure, and the count of failures.
# LIVES_KEEP=FOLDER keeps the files of what failed and tells where libhdf5 did; LIVES_TURNS=N plays the first N
# turns only; LIVES_ONLY and LIVES_LOUD are for the program (lives.c).

import difflib
import os
import re
import shutil
import sys
import tempfile

sys.dont_write_bytecode = True  # beside a source tree that may be read only
import turns
from turns import H5DUMP, H5PY, failure, run

PROGRAMS = turns.programs("lives")
H5DIFF = os.path.join(os.path.dirname(H5DUMP), "h5diff") if H5DUMP else ""
KEEP = os.environ.get("LIVES_KEEP")
STEPS = 42
TURNS = [["libpcio", "libhdf5"] * 2, ["libhdf5", "libpcio"] * 2, ["libpcio"] * 4,
         ["libpcio", "libhdf5"] * 4, ["libhdf5", "libpcio"] * 4, ["libpcio"] * 2 + ["libhdf5"]]
# libhdf5 1.10.8 crashes now and then, or loses what it wrote to the twin: nothing is to be had from such a
# life any more.
ORACLE_FAILS = "libhdf5 fails alone"
# What the bins of the histogram are: kinds of words that the steps print, and of the seed.
REQUIRED = {
    "ended": ["whole"],
    "by": ["libpcio", "libhdf5"],
    "turn": ["libpcio after libhdf5", "libhdf5 after libpcio", "libpcio after libpcio"],
    "bound": ["earliest", "v18", "v110"],
    "strategy": ["default"] + [name + persist for name in ("fsm", "page", "aggr", "none")
                               for persist in ("", "-persist")],
    "userblock": ["yes", "no"],
    "sizes": ["4", "8"],
    "op": ["dataset", "write", "extent", "attribute", "attribute-away", "many-attributes", "comment",
           "group", "many-links", "link", "link-away", "type", "copy", "mount", "through-link", "flush"],
    "layout": ["compact", "contiguous", "chunked", "external", "virtual"],
    "index": ["btree1", "single", "implicit", "fixed", "extensible", "btree2"],
    "class": ["integer", "float", "string", "bits", "opaque", "compound", "reference", "enum",
              "variable", "array", "committed"],
    "filter": ["deflate", "shuffle", "fletcher32", "szip", "nbit", "scaleoffset"],
    "fill": ["value", "undefined"],
    "virtual": ["pattern"],
    "dataset": ["made-anew"],
    "wrote": ["some"],
    "extent": ["set"],
    "attribute": ["made", "written-anew", "large", "deleted", "deleted-by-index", "renamed",
                  "many-made", "many-deleted"],
    "comment": ["set"],
    "group": ["plain", "tracked", "indexed", "early-dense", "hints", "through-filters"],
    "link": ["hard", "soft", "external", "user", "moved", "copied", "deleted", "many-made",
             "many-deleted"],
    "type": ["committed"],
    "copy": ["plain", "shallow", "soft-links", "external-links", "without-attributes", "merged-types"],
    "mount": ["written-through"],
    "external": ["written-through"],
}
ADDRESS = re.compile(r"((?:DATASET|DATATYPE|GROUP) )\d+ (?=\")")  # of what a reference refers to, in h5dump
UNNAMED = re.compile(r"(DATATYPE +\"/?#)\d+")  # a type without a name has its address for one
# Where h5dump breaks a line depends on how long the addresses are.
BREAK = re.compile(r"\s+(?:\(\d+(?:,\d+)*\): )?")
# libhdf5 makes chunks that are not there when it cuts them, and leaves some beyond the extent.
CHUNKED = re.compile(r"^( +layout 2(?: \d+)+) bytes \d+$", re.M)
FROM = re.compile(r" from \d+ \d+")  # of a virtual source, by which libhdf5 says another thing when opened
READ = """
import sys, hashlib, h5py
def text(value):
    return repr(value.tolist() if hasattr(value, 'tolist') else value)
def look(name, item):
    print(name, type(item).__name__, getattr(item, 'shape', ''), getattr(item, 'dtype', ''))
    for key in [''] + sorted(item.attrs):
        try:
            value = item.attrs[key] if key else item[()] if isinstance(item, h5py.Dataset) else ''
            if 'eference' not in text(value):
                print(' ', key, text(value))
        except (TypeError, ValueError, OSError, UnicodeDecodeError) as error:
            print(' ', key, type(error).__name__)
with h5py.File(sys.argv[1], 'r') as file:
    look('/', file)
    file.visititems(look)
"""


def first_difference(one, two):
    lines = [line for line in difflib.unified_diff(one.splitlines(), two.splitlines(), lineterm="", n=2)
             if not line.startswith(("---", "+++"))]
    return " | ".join(line[:160] for line in lines[:9])


def fill_is_lost(theirs, ours):
    """libhdf5 1.10.8 does not fill what a chunk at the edge has beyond the extent where one call writes all within:
    when the dataset grows into it there are zeros in place of the fill value. True: the listings differ in nothing
    else, and there only in values of chunked datasets that are filled."""
    theirs, ours = theirs.splitlines(), ours.splitlines()
    chunked = filled = values = False
    fill = []
    for line, our_line in zip(theirs, ours):
        words, our_words = (re.findall(r"[^\s\[\]]+", one) for one in (line, our_line))
        if not line.startswith(" "):
            chunked = filled = values = False  # another object
            fill = []
        elif words[:1] == ["layout"]:
            chunked = words[1] == "2"
        elif words[:2] == ["fill", "value"]:
            fill = words[2:]
        elif words[:1] == ["fill"]:
            filled = words[3] != "1"
        elif words == ["data"]:
            values = True
        if line == our_line:
            continue
        if not (chunked and filled and values and fill) or len(words) != len(our_words):
            return False
        if any(set(word) != {"0"} or [our_word] != fill
               for word, our_word in zip(words, our_words) if word != our_word):
            return False
    return len(theirs) == len(ours)


def varies(twin, seed, listed, out):
    """Of some chunks with two filters of which one packs bits libhdf5 reads what lies in memory: whether it lists each
    line that differs otherwise when it is asked again."""
    again = [CHUNKED.sub(r"\1", run(PROGRAMS["libhdf5"], twin, seed, "list")[1]).splitlines()
             for _ in range(4)]
    lines = [listed.splitlines()] + again
    ours = out.splitlines()
    return ({len(one) for one in lines} == {len(ours)} and
            all(one[0] == our or len(set(one)) > 1 for our, one in zip(ours, zip(*lines))))


def agrees_in_single_steps(seed, last, listed, out):
    """Whether libhdf5 says so, too, in the lines that differ, where each step has an open of its own: what it writes
    of a chunk beyond the extent may be anything."""
    with tempfile.TemporaryDirectory(prefix="life") as folder:
        for step in range(last):
            if run(PROGRAMS["libhdf5"], folder, seed, step, step + 1)[0] != 0:
                return False
        again = CHUNKED.sub(r"\1", run(PROGRAMS["libhdf5"], folder, seed, "list")[1])
    lines = [text.splitlines() for text in (listed, out, again)]
    return (len({len(one) for one in lines}) == 1 and
            all(theirs == ours or ours == other for theirs, ours, other in zip(*lines)))


def is_to_blame(twin, seed, last, listed, out):
    """Whether it is libhdf5 that is wrong where libpcio lists otherwise."""
    return (fill_is_lost(listed, out) or varies(twin, seed, listed, out) or
            agrees_in_single_steps(seed, last, listed, out))


def oracle_fails(seed, status, text):
    print("libhdf5 fails alone: seed %d: status %d: %s" % (seed, status, text if KEEP else text[:200]))
    return ORACLE_FAILS


def differ(what, one, two):
    """Runs two commands, whose output shall be the same."""
    first, second = run(*one), run(*two)
    first, second = [(status, UNNAMED.sub(r"\1", ADDRESS.sub(r"\1", out)), error)
                     for status, out, error in (first, second)]
    if first[0] != second[0]:
        worse = first if first[0] != 0 else second
        return failure(what, worse[0], worse[2] + worse[1])
    if BREAK.sub(" ", first[1]) == BREAK.sub(" ", second[1]):
        return ""
    return what + " differs: " + first_difference(first[1], second[1])


def readers(mixed, twin, seed, turn, last, told):
    """Everybody reads both files; what is wrong, or nothing."""
    status, listed, error = run(PROGRAMS["libhdf5"], twin, seed, "list")
    if status != 0 or not FROM.sub("", listed).startswith(FROM.sub("", told)):
        return oracle_fails(seed, status, first_difference(told, listed))
    for who, program in PROGRAMS.items():
        status, out, error = run(program, mixed, seed, "list")
        if CHUNKED.sub(r"\1", out) != CHUNKED.sub(r"\1", listed):
            if is_to_blame(twin, seed, last, CHUNKED.sub(r"\1", listed), CHUNKED.sub(r"\1", out)):
                return oracle_fails(seed, status, first_difference(out, listed))
            return "%s lists otherwise (libhdf5's twin first): %s" % (who, first_difference(listed, out))
        if status != 0:
            return failure("%s lists" % who, status, error + out[-400:])
    files = [os.path.join(folder, "life.h5") for folder in (mixed, twin)]
    if H5DUMP and (seed + turn) % 3 == 0:
        wrong = differ("h5dump", *[["/bin/sh", "-c", 'cd "$1" && "$2" life.h5', "sh", folder, H5DUMP]
                                   for folder in (mixed, twin)])
        if wrong:
            return wrong
    if H5DIFF and (seed + turn) % 6 == 1:
        status, out, error = run("/bin/sh", "-c", 'cd "$1" && "$2" life.h5 "$3"', "sh", mixed, H5DIFF,
                                 files[1])
        if status != 0:
            return failure("h5diff", status, error + out[-300:])
    if H5PY and (seed + turn) % 8 == 0:
        return differ("h5py", *[[H5PY, "-c", READ, name] for name in files])
    return ""


def words_of(out, who):
    """What libpcio did is counted; of libhdf5 that it had a turn."""
    pairs = [tuple(word.split("=", 1)) for word in out.split() if "=" in word]
    return [("by", who)] + (pairs if who == "libpcio" else [])


def one_turn(folders, who, seed, steps, words):
    """Takes the steps; returns what is wrong, and what libhdf5 says of the twin before its close."""
    status, twin, _ = run(PROGRAMS["libhdf5"], folders[1], seed, *steps, "told")
    if status != 0:
        return oracle_fails(seed, status, twin[-300:]), ""
    twin, told = twin.split("told\n", 1)
    if "refused=H5Dwrite" in twin:
        # Of variable-length elements that were never written it reads, and then lists, what lay in memory.
        return oracle_fails(seed, status, "H5Dwrite"), ""
    status, out, error = run(PROGRAMS[who], folders[0], seed, *steps)
    if status != 0:
        return failure("%s takes steps %d to %d" % (who, *steps), status, out[-200:] + error), ""
    words += words_of(out, who)
    if out != twin:
        return "%s took steps %d to %d otherwise: %s" % (who, *steps, first_difference(twin, out)), ""
    return "", told


def live(top, seed, words):
    folders = [os.path.join(top, name) for name in ("mixed", "twin")]
    for folder in folders:
        os.mkdir(folder)
    plan = TURNS[seed % len(TURNS)]
    first, before = 0, ""
    for turn, who in enumerate(plan[:int(os.environ.get("LIVES_TURNS", "99"))]):
        last = STEPS * (turn + 1) // len(plan)
        wrong, told = one_turn(folders, who, seed, (first, last), words)
        wrong = wrong or readers(*folders, seed, turn, last, told)
        if wrong == ORACLE_FAILS:
            words.append(("ended", ORACLE_FAILS))
            return ""
        if wrong:
            return "turn %d of %s: %s" % (turn, "".join(name[3] for name in plan), wrong)
        if before:
            words.append(("turn", "%s after %s" % (who, before)))
        first, before = last, who
    words.append(("ended", "whole"))
    return ""


def one_seed(seed):
    """Returns (what is wrong or nothing, histogram words)."""
    facts, wrong = turns.describe(PROGRAMS, seed)
    if wrong:
        return wrong, []
    words = list(facts.items())
    top = tempfile.mkdtemp(prefix="life")
    wrong = live(top, seed, words)
    if wrong and KEEP:
        shutil.rmtree(os.path.join(KEEP, str(seed)), ignore_errors=True)
        shutil.copytree(top, os.path.join(KEEP, str(seed)))
    shutil.rmtree(top)
    return wrong, words


def enough(histogram, count):
    """Lives that libhdf5 ends early show little: what is wrong, or nothing."""
    whole = histogram["ended", "whole"]
    print("ended early: %s %d" % (ORACLE_FAILS, histogram["ended", ORACLE_FAILS]))
    return "" if 4 * whole >= 3 * count else "only %d of %d lives ended whole" % (whole, count)


if __name__ == "__main__":
    sys.exit(turns.main("lives", one_seed, REQUIRED, 200, enough))
