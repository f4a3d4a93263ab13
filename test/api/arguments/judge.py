#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
"""Judges what bad_arguments printed: judge.py OUTPUT EXCEPTIONS [FILE for the names of functions that refused]."""

import collections
import sys

NO_ID = {"-1", "other_kind", "closed", "none"}
NO_ENUMERATOR = {"-77", "9999999"}
# Numbers below 0 that mean something are not told from enumerators by their value; these are of type int.
SIGNED = {("H5Pget_chunk", "max_ndims"), ("H5Pset_cache", "mdc_nelmts")}


def cases(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            words = line.rstrip("\n").split("\t")
            # A function may print itself; its outcome is on a line of its own then.
            if len(words) == 5 or (len(words) == 4 and words[3]):
                yield words[0], words[1], words[2], words[3], words[4] if len(words) == 5 else ""


def is_fault(function, argument, bad, outcome, text):
    if outcome in ("crash", "hang", "silent"):
        return True
    if outcome == "nameless":
        return bad != "good" and " is not there: " not in text
    if outcome != "ok" or (function, argument) in SIGNED or function.startswith("H5set_free_list"):
        return False
    return bad in NO_ID or bad in NO_ENUMERATOR


def main():
    excused, used = {}, set()
    with open(sys.argv[2], encoding="utf-8") as file:
        for line in file:
            words = line.split(None, 3)
            if words and not line.startswith("#"):
                excused[tuple(words[:3])] = words[3]
    counts, refusing, called, faults = collections.Counter(), set(), set(), 0
    for function, argument, bad, outcome, text in cases(sys.argv[1]):
        counts[outcome] += 1
        called.add(function)
        if bad != "good" and outcome in ("refused", "nameless"):
            refusing.add(function)
        if not is_fault(function, argument, bad, outcome, text):
            continue
        keys = [(function, argument, outcome), (function, "*", outcome)]
        known = [key for key in keys if key in excused]
        used.update(known)
        if not known:
            faults += 1
            print(f"FAIL: {function}, {argument} {bad}: {outcome} {text}")
    for function in sorted(called - refusing):
        key = (function, "*", "accepts")
        used.add(key)
        if key not in excused:
            faults += 1
            print(f"FAIL: {function} refuses nothing")
    for key in sorted(set(excused) - used):
        faults += 1
        print("FAIL: not needed any more in exceptions.txt:", *key)
    if len(sys.argv) > 3:
        with open(sys.argv[3], "w", encoding="utf-8") as file:
            file.write("".join(f"{name}\n" for name in sorted(refusing)))
    words = ", ".join(f"{n} {outcome}" for outcome, n in sorted(counts.items()))
    print(f"{len(called)} functions, {sum(counts.values())} calls: {words}; {len(refusing)} functions refuse; {faults} failures")
    return 1 if faults or not called else 0


sys.exit(main())
