// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room base: what a decision step may ask of the ranks, MPI's or simulated ones.
//
// Steps that communicate are written against this concept, so the same source runs over MPI and over
// many simulated ranks in one process.

#pragma once

#include <concepts>
#include <span>

#include "base/status.hpp"
#include "base/types.hpp"

namespace pcio {

/// rank() and size() never fail; the others are collective over the communicator.
template <class C>
concept Communicator = requires(C comm, std::span<std::uint64_t> words, Bytes bytes,
                                ConstBytes mine, Bytes all) {
  { comm.rank() } -> std::convertible_to<int>;
  { comm.size() } -> std::convertible_to<int>;
  { comm.allreduce_max(words) } -> std::same_as<Status>;
  { comm.allreduce_sum(words) } -> std::same_as<Status>;
  { comm.broadcast(bytes, 0) } -> std::same_as<Status>;
  { comm.allgather(mine, all) } -> std::same_as<Status>;
};

}  // namespace pcio
