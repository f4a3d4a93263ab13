# SPDX-License-Identifier: BSD-3-Clause
# Copyright The libpcio authors
"""PETSc's HDF5 viewer writes a grid and a vector, and loads them again (room: test/dropin)."""

import sys

import numpy as np
import petsc4py

petsc4py.init(["petsc_view"])
from petsc4py import PETSc  # noqa: E402

comm = PETSc.COMM_WORLD
points = PETSc.DMDA().create([12, 10, 6], dof=1, stencil_width=1, comm=comm)
grid, line = points.createGlobalVec(), PETSc.Vec().createMPI(1000, comm=comm)
for name, vector, value in (("grid", grid, lambda x: x * 0.5), ("line", line, np.sin)):
    mine = np.arange(*vector.getOwnershipRange(), dtype="i4")
    vector.setName(name)
    vector.setValues(mine, value(mine))
    vector.assemble()
viewer = PETSc.ViewerHDF5().create(sys.argv[1], mode=PETSc.Viewer.Mode.WRITE, comm=comm)
viewer.view(grid)
viewer.view(line)
viewer.destroy()
viewer = PETSc.ViewerHDF5().create(sys.argv[1], mode=PETSc.Viewer.Mode.READ, comm=comm)
for vector in (grid, line):
    again = vector.duplicate()
    again.setName(vector.getName())
    again.load(viewer)
    assert again.equal(vector), vector.getName()
viewer.destroy()
