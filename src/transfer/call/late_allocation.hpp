// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/call: space for chunks that get it when the ranks first write them together.

#pragma once

#include <cstdint>

#include "agree/coordinator.hpp"
#include "storage/dataset/allocation.hpp"
#include "transfer/job/transfer_job.hpp"

namespace pcio {

/// Which of the chunks that get space get the fill value first; equal on all ranks.
enum class FillNew : std::uint8_t {
  kUncovered,  ///< those that no rank covers as a whole
  /// A function of the program may write into any of them before the data come, and end the transfer.
  kAll,
};

/// Gives space to all chunks that any rank's selection touches, in one piece, and writes the fill
/// value to them as `fill` says.
///
/// Collective: over the file; the exchanges of one or two unions (plan/interval_union), and three
/// more. `local`: a failure of this rank so far; it then names no chunks. Where the fill value
/// can't be written no chunk gets space. `given`: the new chunks; those that aren't filled hold nothing
/// before a rank's data are written, so they are to be taken back where that fails.
Status allocate_touched(TransferJob& job, const CallName& name, const Status& local, FillNew fill,
                        GivenSpace& given);

/// What a collective write fails with where some ranks opened the dataset for late allocation and
/// others did not.
Status allocation_differs();

}  // namespace pcio
