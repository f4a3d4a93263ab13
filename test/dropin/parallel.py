# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
"""h5py on MPI: each rank writes its part collectively and by itself, and reads that of the next (room: test/dropin)."""

import sys

import h5py
import numpy as np
from mpi4py import MPI

ranks = MPI.COMM_WORLD
begin, end = 10 * ranks.rank, 10 * ranks.rank + 10
mine = np.arange(10) + 100 * ranks.rank
with h5py.File(sys.argv[1], "w", driver="mpio", comm=ranks) as file:
    together = file.create_dataset("together", (10 * ranks.size,), "i4", chunks=(7,))
    with together.collective:
        together[begin:end] = mine
    file.create_dataset("alone", (10 * ranks.size,), "i4")[begin:end] = mine
with h5py.File(sys.argv[1], "r", driver="mpio", comm=ranks) as file:
    other = (ranks.rank + 1) % ranks.size
    for name in "together", "alone":
        assert file[name][10 * other + 3] == 100 * other + 3
