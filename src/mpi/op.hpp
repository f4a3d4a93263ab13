// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room mpi: a reduction of the library's own.

#pragma once

#include <utility>

#include <mpi.h>

#include "base/status.hpp"

namespace pcio::mpi {

/// Move-only; null by default and after a move. Threads: thread-compatible.
class Op {
 public:
  Op() = default;
  /// `function` must be commutative and associative.
  static Result<Op> create(MPI_User_function* function);

  Op(Op&& other) noexcept : op_(std::exchange(other.op_, MPI_OP_NULL)) {}
  Op& operator=(Op&& other) noexcept {
    std::swap(op_, other.op_);
    return *this;
  }
  Op(const Op&) = delete;
  Op& operator=(const Op&) = delete;
  ~Op();

  [[nodiscard]] MPI_Op raw() const { return op_; }

 private:
  explicit Op(MPI_Op op) : op_(op) {}
  MPI_Op op_ = MPI_OP_NULL;
};

}  // namespace pcio::mpi
