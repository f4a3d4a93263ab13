#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# Prints the checksum of all steps of a file of examples/heat, as the program does, but from what
# h5py reads; and fails if shape or attributes are not what the program says. Room: testpar.

import sys

import h5py
import numpy


def checksum(data):
    bits = numpy.ascontiguousarray(data).reshape(-1).view(numpy.uint64)
    place = numpy.arange(1, bits.size + 1, dtype=numpy.uint64)
    bits = (bits ^ (place * numpy.uint64(0x9e3779b97f4a7c15))) * numpy.uint64(0xbf58476d1ce4e5b9)
    return int((bits ^ (bits >> numpy.uint64(29))).sum(dtype=numpy.uint64))


with h5py.File(sys.argv[1], "r") as file:
    dataset = file["temperature"]
    steps, (ny, nx) = int(file.attrs["steps"]), file.attrs["grid"]
    assert dataset.shape == (steps + 1, ny, nx), dataset.shape
    assert dataset.maxshape == (None, ny, nx) and dataset.chunks[0] == 1, dataset.maxshape
    assert dataset.attrs["dx"] == 1.0 / (nx - 1) and dataset.attrs["dy"] == 1.0 / (ny - 1)
    assert file.attrs["title"].startswith(b"2-D heat"), file.attrs["title"]
    with numpy.errstate(over="ignore"):
        print("%016x" % checksum(dataset[...]))
