// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room driver: what the file system locks as a whole of a file that several nodes write.
//
// Where two nodes write parts of one stripe its lock goes to and fro between them, and each time what a node
// holds of it is written back.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/types.hpp"

namespace pcio {

/// Larger stripes count as such: an owner's buffers hold whole ones. Bytes.
inline constexpr std::uint64_t kLargestLockUnit = std::uint64_t{16} << 20;
/// Below a page nothing is locked. Bytes.
inline constexpr std::uint64_t kLeastLockUnit = 4096;

/// Bytes of a stripe from the extended attribute lustre.lov (Lustre's user interface: lov_user_md of versions 1 and
/// 3, and composite ones, whose largest stripe counts); 0 where it says none. The bytes are foreign.
[[nodiscard]] std::uint64_t lustre_stripe(ConstBytes attribute);

/// What a file system or a hint said, as it can be used: a multiple of a page, at most kLargestLockUnit; 1: nothing.
[[nodiscard]] std::uint64_t usable_lock_unit(std::uint64_t bytes);

/// A usable unit, or a part of it that divides it, is a multiple of a page too, and of which an image fits `memory`, what a
/// program gives for exchanges; 1: there is none. Owners that share such a unit cost time, but memory that is lacking
/// fails a call. Bytes.
[[nodiscard]] std::uint64_t fitting_lock_unit(std::uint64_t unit, std::uint64_t memory);

/// Value of the hint striping_unit, where there is one.
using HintText = std::optional<std::string>;
inline constexpr const char* kStripingUnit = "striping_unit";

/// In this order: Lustre's stripe, GPFS's block, striping_unit as MPI's file has it, as the program gave it.
/// `kind`: of the file system, statfs(2)'s number. Collective: independent. 1: nothing is known.
[[nodiscard]] std::uint64_t find_lock_unit(const std::string& path, std::uint32_t kind,
                                           const HintText& of_file, const HintText& given);

/// Ranks that may write, or read, at a time, of the hints cb_nodes (a number) and cb_config_list ("*:N", so many of each node; other
/// lists name machines, and say nothing here) as the program gave them; 0: they don't say. `nodes`: on which the
/// ranks are. Collective: pure.
[[nodiscard]] std::uint64_t hinted_writers(const HintText& cb_nodes, const HintText& cb_config_list,
                                           std::uint64_t nodes);
inline constexpr const char* kBufferingNodes = "cb_nodes";
inline constexpr const char* kBufferingList = "cb_config_list";

}  // namespace pcio
