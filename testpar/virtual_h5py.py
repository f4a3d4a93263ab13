# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
"""virtual_h5py.py FOLDER: virtual datasets that the campaign kept hold its values."""

import glob
import sys

import h5py
import numpy

bad = 0
files = sorted(glob.glob(sys.argv[1] + "/*.values"))
for values in files:
    with open(values) as lines:
        dims = [int(word) for word in lines.readline().split()]
        wanted = numpy.array([int(line) for line in lines]).reshape(dims)
    name = values[: -len(".values")]
    try:
        with h5py.File(name, "r") as file:
            found = file["v"][...]
    except OSError as error:
        print("FAILURE: %s: %s" % (name, error))
        bad += 1
        continue
    if found.shape != wanted.shape or not (found == wanted).all():
        print("FAILURE: %s: other values" % name)
        bad += 1
print("virtual: %d files read by h5py, %d failures" % (len(files), bad))
sys.exit(1 if bad or not files else 0)
