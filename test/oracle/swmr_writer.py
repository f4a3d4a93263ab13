# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
#
# swmr_writer.py FILE ROWS INDEX: libhdf5 as a single writer that appends ROWS rows, a flush each.
# Room: test/oracle.
import sys
import time

import h5py
import numpy

name, rows, index = sys.argv[1], int(sys.argv[2]), sys.argv[3]
most = {"extensible": (None, 3), "btree2": (None, None), "fixed": (rows, 3), "filtered": (None, 3)}[index]
with h5py.File(name, "w", libver="latest") as file:
    packed = {"compression": 1} if index == "filtered" else {}
    data = file.create_dataset("d", (1, 3), "i4", maxshape=most, chunks=(2, 2), **packed)
    data[0] = numpy.arange(3)
    file.flush()
    file.swmr_mode = True
    for i in range(1, rows):
        data.resize(i + 1, axis=0)
        data[i] = 7 * i + numpy.arange(3)
        data.flush()
        if i % 16 == 0:
            time.sleep(0.001)
