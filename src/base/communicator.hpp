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

namespace detail {
/// An example of a merge for the concept: a stateless, commutative function object.
struct KeepWords {
  void operator()(std::span<std::uint64_t>, std::span<const std::uint64_t>) const noexcept {}
};
}  // namespace detail

/// Words that alltoallv takes each way: callers agree beforehand that no rank has more.
inline constexpr std::uint64_t kMostRowWords = 0x7FFFFFFF;

/// rank() and size() never fail; the others are collective over the communicator.
/// allreduce_merge merges whole blocks of words pairwise; a block is never cut. Where the merge is not
/// associative, the result may depend on the rank.
template <class C>
concept Communicator = requires(C comm, std::span<std::uint64_t> words, Bytes bytes,
                                ConstBytes mine, Bytes all, std::span<const std::uint64_t> counts) {
  { comm.rank() } -> std::convertible_to<int>;
  { comm.size() } -> std::convertible_to<int>;
  { comm.allreduce_max(words) } -> std::same_as<Status>;
  { comm.allreduce_sum(words) } -> std::same_as<Status>;
  { comm.allreduce_merge(words, detail::KeepWords{}) } -> std::same_as<Status>;
  { comm.broadcast(bytes, 0) } -> std::same_as<Status>;
  { comm.allgather(mine, all) } -> std::same_as<Status>;
  { comm.exscan_sum(words) } -> std::same_as<Status>;
  { comm.alltoall(counts, words) } -> std::same_as<Status>;
  { comm.alltoallv(counts, counts, words, counts) } -> std::same_as<Status>;
};

}  // namespace pcio
