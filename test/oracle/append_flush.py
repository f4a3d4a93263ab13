# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# append_flush.py FILE COUNT: what appendloop wrote, read by libhdf5, which then grows and shrinks it.
# Room: test/oracle.
import sys

import h5py
import numpy

name, count = sys.argv[1], int(sys.argv[2])
want = numpy.arange(count) * 3 + 1
with h5py.File(name, "r") as file:
    if not numpy.array_equal(file["d"][()].ravel(), want):
        sys.exit(f"FAILED: {name} has other data")
with h5py.File(name, "r+") as file:
    data = file["d"]
    data.resize(count + 50, axis=0)
    data[count:] = 7
    data.resize(count // 2, axis=0)
    data[0] = 5
want[0] = 5
with h5py.File(name, "r") as file:
    if not numpy.array_equal(file["d"][()].ravel(), want[: count // 2]):
        sys.exit(f"FAILED: {name} has other data after libhdf5 changed it")
