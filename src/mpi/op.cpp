// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room mpi: owned reduction operations.

#include "mpi/op.hpp"

#include "mpi/environment.hpp"
#include "mpi/error.hpp"

namespace pcio::mpi {

Result<Op> Op::create(MPI_User_function* function) {
  Op op;
  PCIO_TRY(check(MPI_Op_create(function, 1, &op.op_), "MPI_Op_create"));
  return op;
}

Op::~Op() {
  if (op_ != MPI_OP_NULL && is_active()) MPI_Op_free(&op_);
}

}  // namespace pcio::mpi
