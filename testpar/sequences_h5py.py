# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
"""sequences_h5py.py FOLDER: files that the campaign of variable-length data kept hold its values."""

import glob
import sys

import h5py

bad = 0
files = sorted(glob.glob(sys.argv[1] + "/*.values"))
for values in files:
    with open(values) as lines:
        wanted = [[int(word) for word in line.split()] for line in lines]
    name = values[: -len(".values")]
    try:
        with h5py.File(name, "r") as file:
            found = [list(element) for element in file["data"][...]]
    except OSError as error:
        print("FAILURE: %s: %s" % (name, error))
        bad += 1
        continue
    if [[int(number) for number in element] for element in found] != wanted:
        print("FAILURE: %s holds other values" % name)
        bad += 1
print("h5py: %d files read, %d failures" % (len(files), bad))
sys.exit(1 if bad or not files else 0)
