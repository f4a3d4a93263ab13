# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
"""h5py as it comes: writes many kinds, reads them, and says which libhdf5 did it (room: test/dropin)."""

import sys

import h5py
import numpy as np

name = sys.argv[1]
with h5py.File(name, "w") as file:
    group = file.create_group("a/b")
    group.attrs["text"] = "ü"
    group.attrs["numbers"] = np.arange(5)
    file.create_dataset("plain", data=np.arange(60, dtype="<i4").reshape(6, 10))
    file.create_dataset("chunks", data=np.linspace(0, 1, 1000), chunks=(64,), compression="gzip", shuffle=True)
    grows = file.create_dataset("grows", (0, 3), maxshape=(None, 3), dtype="f8")
    grows.resize((7, 3))
    grows[2:5] = 1.5
    file.create_dataset("words", data=["one", "two", "three"], dtype=h5py.string_dtype())
    kind = np.dtype([("x", "<f4"), ("n", "<i8"), ("v", "<u2", (3,))])
    file.create_dataset("records", data=np.zeros(4, kind))
    file["link"] = h5py.SoftLink("/a/b")
    file["reference"] = file["plain"].ref
    ragged = file.create_dataset("ragged", (3,), dtype=h5py.vlen_dtype("i4"))
    for i in range(3):
        ragged[i] = np.arange(i + 1)
with h5py.File(name, "r") as file:
    assert list(file["ragged"][2]) == [0, 1, 2]
    assert file[file["reference"][()]].shape == (6, 10)
    assert file["words"].asstr()[1] == "two"
    assert file["grows"][4, 2] == 1.5 and file["grows"][6, 0] == 0
    assert file["link"].attrs["text"] == "ü"
print(sorted({line.split()[-1] for line in open("/proc/self/maps") if "/libhdf5_serial.so" in line}))
