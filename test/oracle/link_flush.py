# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# link_flush.py FILE COUNT FACTOR: what linkloop wrote, read by libhdf5, which then takes out and adds.
# Room: test/oracle.
import sys

import h5py

path, count, factor = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])


def name(i):
    return f"n{i * factor % count:06d}"


want = {}
for i in range(count):
    want[name(i)] = h5py.SoftLink if i % 5 == 0 else h5py.HardLink
    if i % 21 == 20:
        for j in range(i - 20, i + 1):
            if j % 7 == 0:
                del want[name(j)]


def check(when):
    with h5py.File(path, "r") as file:
        group = file["g"]
        if list(group) != sorted(want):
            sys.exit(f"FAILED: {path} has other links {when}")
        for key, kind in want.items():
            # By its name, so by the keys of the tree.
            link = group.get(key, getlink=True)
            if not isinstance(link, kind):
                sys.exit(f"FAILED: {key} is {link} {when}")
            if kind is h5py.SoftLink and link.path != "/somewhere":
                sys.exit(f"FAILED: {key} leads to {link.path} {when}")


check("as it was written")
with h5py.File(path, "r+") as file:
    group = file["g"]
    for i, key in enumerate(sorted(want)):
        if i % 3 != 1:
            del group[key]
            del want[key]
    for i in range(200):
        group[f"m{i * 37 % 200}"] = h5py.SoftLink("/somewhere")
        want[f"m{i * 37 % 200}"] = h5py.SoftLink
check("after libhdf5 changed it")
