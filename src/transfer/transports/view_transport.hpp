// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/transports: collective transfers through a file view and one collective MPI-IO call.
//
// All pieces of a rank make one file datatype and one memory datatype: a nested regular one where the
// request is regular, else a list of (offset, length). Requests above a limit are split, so no call
// moves more than 1 GiB. Source: MPI 3.1, chapter 13; PnetCDF's notes on file views.

#pragma once

#include "agree/coordinator.hpp"
#include "driver/collective_channel.hpp"
#include "transfer/pieces/convert_buffer.hpp"
#include "transfer/pieces/piece_source.hpp"

namespace pcio {

/// What a dry run counts instead of calling.
struct ViewTarget {
  CollectiveChannel& channel;
  Coordinator& coordinator;
  std::uint64_t base = 0;            ///< added to every address
  IoCounters* dry_counts = nullptr;  ///< null: perform
  std::uint64_t* dry_view =
      nullptr;  ///< key of the view that the steps before would have set, or 0
};

/// Moves the pieces of all ranks by MPI_File_set_view (left out where every rank's request is one
/// run, or all views are equal to the last ones) and MPI_File_*_at_all.
///
/// Collective: over the file; one exchange for each gigabyte of the rank that has most (and for each
///   megabyte where types are converted), and two more at the first use of a view. A rank on which
///   something fails takes part to the end with nothing, and returns its failure.
/// Before a write the file must be as long as what is written. Success of a write means what MPI says.
Status view_pieces(Direction direction, PieceSource& source, ElementMover& mover,
                   const ViewTarget& target);

}  // namespace pcio
