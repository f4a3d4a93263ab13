# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
"""filtered_h5py.py FOLDER: files that the campaign of filtered transfers kept hold its values."""

import glob
import os
import subprocess
import sys

import h5py
import numpy



def dumped(name, kind):
    """The values as h5dump writes them; None where it fails."""
    done = subprocess.run(["h5dump", "-d", "/data", "-b", "NATIVE", "-o", name + ".bin", name],
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    if done.returncode != 0:
        print(done.stderr.decode())
        return None
    values = numpy.fromfile(name + ".bin", kind.newbyteorder("="))
    os.remove(name + ".bin")
    return values


bad = 0
files = sorted(glob.glob(sys.argv[1] + "/*.values"))
for values in files:
    with open(values) as lines:
        dims = [int(word) for word in lines.readline().split()]
        wanted = numpy.array([int(line) for line in lines]).reshape(dims)
    name = values[: -len(".values")]
    try:
        with h5py.File(name, "r") as file:
            found = file["data"][...]
    except OSError as error:
        print("FAILURE: %s: %s" % (name, error))
        bad += 1
        continue
    if found.shape != wanted.shape or not (found == wanted).all():
        print("FAILURE: %s holds other values" % name)
        bad += 1
    again = dumped(name, found.dtype)
    if again is None or again.size != wanted.size or not (again == wanted.ravel()).all():
        print("FAILURE: %s: h5dump tells other values" % name)
        bad += 1
print("h5py and h5dump: %d files read, %d failures" % (len(files), bad))
sys.exit(1 if bad or not files else 0)
