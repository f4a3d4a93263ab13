// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/transports: collective transfers through a file view and one collective MPI-IO call.
//
// All pieces of a rank make one file datatype and one memory datatype: a nested regular one where the
// request is regular, else a list of (offset, length). Requests above a limit are split, so no call
// moves more than 1 GiB. Source: MPI 3.1, chapter 13; PnetCDF's notes on file views.

#pragma once

#include "transfer/transports/transport_method.hpp"

namespace pcio {

/// As TransportMethod: by MPI_File_set_view (left out where every rank's request is one run, or all views
/// are equal to the last ones) and MPI_File_*_at_all.
///
/// Collective: over the file; one exchange for each gigabyte of the rank that has most (and for each
///   megabyte where types are converted), and two more at the first use of a view. Success of a write
///   means what MPI says.
class ViewTransport final : public TransportMethod {
 public:
  static constexpr Transport kTransport = Transport::kView;
  using TransportMethod::TransportMethod;

  Status move(PieceSource& source) override;

 private:
  NoPieces nothing_;
  std::uint64_t dry_view_ = 0;  ///< key of the view that a dry run would have set; 0: none
};

}  // namespace pcio
