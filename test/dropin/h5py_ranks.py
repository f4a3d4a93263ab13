# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
"""h5py on MPI, as a solver uses it: columns written collectively, a compressed dataset, one that grows, attributes, and a second open by which
each rank reads what its neighbour wrote. Rank 0 prints what the file holds (room: test/dropin)."""

import sys

import h5py
import numpy as np
from mpi4py import MPI

ranks = MPI.COMM_WORLD
rank, size, rows = ranks.rank, ranks.size, 1000
mine = np.arange(rows) + 1000 * rank
with h5py.File(sys.argv[1], "w", driver="mpio", comm=ranks) as file:
    table = file.create_dataset("table", (size * rows, 7), "f8", chunks=(100, 7))
    packed = file.create_dataset("group/packed", (size, 50, 40), "i4", chunks=(1, 25, 40), compression="gzip", shuffle=True)
    grows = file.create_dataset("grows", (0, 3), "i2", maxshape=(None, 3), chunks=(64, 3))
    for column in range(3):
        with table.collective:
            table[rank * rows : (rank + 1) * rows, column] = mine + column
    table[rank * rows + 5, 6] = -1.0 - rank
    with packed.collective:
        packed[rank] = np.arange(2000, dtype="i4").reshape(50, 40) * (rank + 1)
    for step in range(4):
        grows.resize((step + 1) * size * 10, axis=0)
        first = step * size * 10 + rank * 10
        with grows.collective:
            grows[first : first + 10] = step * 100 + rank
    file.attrs["ranks"] = size
    table.attrs["units"] = "m"
    file["link"] = h5py.SoftLink("/table")
with h5py.File(sys.argv[1], "a", driver="mpio", comm=ranks) as file:
    file["table"].attrs["again"] = np.arange(3)
    other = (rank + 1) % size
    with file["table"].collective:
        theirs = file["table"][other * rows : (other + 1) * rows, :]
    assert (theirs[:, 1] == np.arange(rows) + 1000 * other + 1).all() and theirs[5, 6] == -1 - other
    # Rows that don't lie behind each other, on each rank others.
    picked = file["group/packed"][other, [1, 3, 30], :]
    assert (picked[1] == (np.arange(40) + 120) * (other + 1)).all()
    assert (file["grows"][:, 0] == 100 + other).sum() == 10
    file.flush()
if rank == 0:
    with h5py.File(sys.argv[1], "r") as file:
        print(file["table"].shape, file["group/packed"][...].sum(), file["grows"][...].sum(), file["link"][:, 6].sum())
