# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# kill_states.py FOLDER PCIORECOVER: states of files whose program was killed (written by
# test/storage/kill_test.cpp), seen by libhdf5: each is the last commit, the next one, or refused when
# it is opened, reading and writing; never a mixture. A refused one is completed by pciorecover and
# then is the next commit. Where libhdf5 changed a file that has a dead journal behind its end, that
# journal is never replayed. Room: test/oracle.
import collections
import glob
import os
import shutil
import subprocess
import sys

import h5py
import numpy


def numbers(values):
    return "".join(f"{v} " for v in numpy.asarray(values).ravel())


def listing(name):
    """What list_image of test/support/file_session.hpp says, without /hot."""
    lines = {}

    def attributes(item):
        return "".join(f"@{n}={numbers(item.attrs[n])}" for n in sorted(item.attrs))

    def visit(group, path):
        for key in group:
            here = f"{path}/{key}"
            item = group[key]
            line = attributes(item)
            if isinstance(item, h5py.Group):
                line += f"group of {h5py.h5o.get_info(item.id).rc}"
                visit(item, here)
            else:
                line += f"dataset {numbers(item.shape)}: {numbers(item[()])}"
            lines[here] = line

    with h5py.File(name, "r") as file:
        for attribute in file.attrs:
            lines[f"/@{attribute}"] = numbers(file.attrs[attribute])
        visit(file, "")
    lines.pop("/hot", None)
    return lines


def expected(name):
    with open(name) as text:
        step, rest = text.read().split("\n", 1)
    commits = []
    for part in rest.split("--\n")[:2]:
        commits.append(dict(line.split("\t", 1) for line in part.splitlines()))
    return step, commits[0], commits[1]


def refuses(name, mode):
    try:
        h5py.File(name, mode).close()
        return False
    except OSError:
        return True


def bytes_of(name):
    with open(name, "rb") as file:
        return file.read()


def main():
    folder, recover = sys.argv[1:3]
    seen = collections.Counter()
    failures = 0

    def fail(name, what):
        nonlocal failures
        failures += 1
        print(f"FAILED {name}: {what}")

    for name in sorted(glob.glob(os.path.join(folder, "state*.h5"))):
        step, last, following = expected(name[:-3] + ".txt")
        before = bytes_of(name)
        copy = os.path.join(folder, "copy.h5")
        shutil.copyfile(name, copy)
        if refuses(name, "r"):
            seen["refused"] += 1
            seen[f"refused in {step}"] += 1
            if not refuses(name, "r+"):
                fail(name, "refused for reading but not for writing")
            if bytes_of(name) != before:
                fail(name, "changed by a program that refused it")
            if subprocess.run([recover, "--check", copy], stdout=subprocess.DEVNULL).returncode != 3:
                fail(name, "pciorecover does not know what libhdf5 refuses")
            if subprocess.run([recover, "--replay", copy], stdout=subprocess.DEVNULL).returncode != 0:
                fail(name, "pciorecover could not complete it")
            elif listing(copy) != following:
                fail(name, "another file after pciorecover")
            continue
        try:
            found = listing(name)
        except (OSError, RuntimeError, KeyError) as error:
            fail(name, f"opens but can't be read: {error}")
            continue
        if found == last:
            seen["last"] += 1
        elif found == following:
            seen["next"] += 1
        else:
            fail(name, f"a mixture, cut in {step}")
        # libhdf5 goes on with it; what is behind the end stays dead.
        with h5py.File(copy, "r+") as file:
            file.attrs["stranger"] = [1, 2, 3]
        changed = listing(copy)
        if subprocess.run([recover, "--replay", copy], stdout=subprocess.DEVNULL).returncode != 0:
            fail(name, "pciorecover on a file that libhdf5 changed")
        if listing(copy) != changed or "/@stranger" not in changed:
            fail(name, "what libhdf5 changed is lost")
        seen["changed by libhdf5"] += 1

    total = seen["refused"] + seen["last"] + seen["next"]
    print(f"kill states and libhdf5: {total} states, " +
          ", ".join(f"{key} {seen[key]}" for key in sorted(seen)) + f"; failures {failures}")
    empty = [key for key in ("refused", "last", "next", "changed by libhdf5", "refused in window",
                             "refused in in place", "refused in final") if seen[key] == 0]
    if empty:
        print("FAILED: no case of: " + ", ".join(empty))
    return 1 if failures or empty else 0


sys.exit(main())
