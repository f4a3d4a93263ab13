#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# Makes virtual datasets with h5py, and prints those of a file, for test/api/virtual_calls.sh.
# Room: test/api.
import sys

import h5py
import numpy as np


def make(folder):
    for i in range(4):
        with h5py.File(f"{folder}/s{i}.h5", "w") as f:
            f["d"] = np.arange(i * 100, i * 100 + 30, dtype="i4")
            if i == 2:
                continue
            f.create_dataset("g", data=np.arange(12, dtype="f4").reshape(3, 4) + 20 * i)
    with h5py.File(f"{folder}/grow.h5", "w") as f:
        f.create_dataset("d", data=np.arange(21, dtype="i2").reshape(7, 3), maxshape=(None, 3),
                         chunks=(4, 3))
    with h5py.File(f"{folder}/v.h5", "w", libver="latest") as f:
        f["own"] = np.arange(50, dtype="i4")
        rows = h5py.VirtualLayout(shape=(5, 30), dtype="i4")
        for i in range(4):
            rows[i] = h5py.VirtualSource(f"s{i}.h5", "d", shape=(30,))
        f.create_virtual_dataset("rows", rows, fillvalue=-5)
        missing = h5py.VirtualLayout(shape=(20,), dtype="i4")
        missing[0:10] = h5py.VirtualSource("nowhere.h5", "d", shape=(30,))[5:15]
        missing[12:20:2] = h5py.VirtualSource("s1.h5", "d", shape=(30,))[1:9:2]
        f.create_virtual_dataset("missing", missing, fillvalue=77)
        own = h5py.VirtualLayout(shape=(25,), dtype="i8")
        own[:] = h5py.VirtualSource(".", "own", shape=(50,))[0:50:2]
        f.create_virtual_dataset("same file", own)
        blocks = h5py.VirtualLayout(shape=(6, 4), dtype="f8")
        blocks[0:3] = h5py.VirtualSource("s0.h5", "g", shape=(3, 4))
        blocks[3:6] = h5py.VirtualSource("s2.h5", "g", shape=(3, 4))
        f.create_virtual_dataset("no dataset", blocks, fillvalue=0.5)
        nested = h5py.VirtualLayout(shape=(10,), dtype="i4")
        nested[:] = h5py.VirtualSource(".", "missing", shape=(20,))[5:15]
        f.create_virtual_dataset("nested", nested, fillvalue=3)
        grid = h5py.VirtualLayout(shape=(4, 10), dtype="i4")
        grid[1:3, 2:7] = h5py.VirtualSource("s3.h5", "d", shape=(30,))[3:13]
        f.create_virtual_dataset("box", grid, fillvalue=1)


def show(path):
    with h5py.File(path) as f:
        for name in sorted(f):
            data = f[name]
            if not isinstance(data, h5py.Dataset):
                continue
            values = data[()].ravel()
            print(name, data.shape, data.is_virtual, " ".join(f"{v:g}" for v in values))


if __name__ == "__main__":
    make(sys.argv[2]) if sys.argv[1] == "make" else show(sys.argv[2])
