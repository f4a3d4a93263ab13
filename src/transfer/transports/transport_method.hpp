// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/transports: what every transport is to the steps of a schedule.
//
// A transport moves the pieces of one step. What there is to know of it without running it (its name,
// whether it can be asked for, when its bytes move) stands in props/transports; when it is chosen in
// plan/transport_choice; which class it is in transport_set. It must take part with nothing on a rank
// that failed, count a dry run as the real one, bound its memory, and say what it leaves behind.

#pragma once

#include "driver/file_driver.hpp"
#include "props/transfer_report.hpp"
#include "storage/bytes/byte_target.hpp"
#include "transfer/job/outstanding.hpp"
#include "transfer/job/transfer_job.hpp"
#include "transfer/pieces/convert_buffer.hpp"
#include "transfer/pieces/piece_source.hpp"

namespace pcio {

/// What a transport works with on this rank, all through one transfer.
struct TransportWork {
  const TransferJob& job;
  ElementMover& mover;
  ByteTarget& target;      ///< the file, or what counts
  ExchangeCounts& counts;  ///< messages between ranks; added to
  IoCounters& dry_counts;  ///< calls that a dry run would make; added to
};

/// Made before the ranks agree on anything, so without memory. Threads: one thread.
class TransportMethod {
 public:
  explicit TransportMethod(const TransportWork& work) : work_(work) {}
  TransportMethod(const TransportMethod&) = delete;
  TransportMethod& operator=(const TransportMethod&) = delete;
  virtual ~TransportMethod() = default;

  /// Moves the pieces of all ranks. `source`: this rank's, none where it failed before.
  ///
  /// Collective: over the file; a rank on which something fails takes part to the end with nothing, or
  ///   what it can, and returns its failure; the caller agrees on the outcome. Only a failure of MPI
  ///   itself ends it early. (kDirect: independent.)
  /// On failure some pieces may have been moved.
  virtual Status move(PieceSource& source) = 0;
  /// Of a transport in which the ranks meet: what others may still be doing after the last move of a
  /// write. Equal on all ranks.
  [[nodiscard]] virtual Outstanding outstanding() const { return Outstanding::kNothing; }

 protected:
  [[nodiscard]] Direction direction() const { return work_.job.request().direction; }
  [[nodiscard]] bool dry() const { return work_.job.effort() == Effort::kDryRun; }
  [[nodiscard]] FileStore& store() const { return work_.job.store(); }
  [[nodiscard]] Coordinator& coordinator() const { return store().coordinator(); }

  const TransportWork work_;
};

}  // namespace pcio
