// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: what a read of a virtual dataset gives for elements that no source has.

#pragma once

#include <vector>

#include "object/virtual_plan.hpp"
#include "props/transfer_props.hpp"
#include "space/runs.hpp"
#include "storage/file/file_store.hpp"
#include "type/sequences.hpp"

namespace pcio {

/// The selected elements of a space.
std::vector<Run> runs_of(const Dataspace& space);

/// Empties the variable-length parts of elements of the application's memory without a look at them.
void clear_memory(const TransferRequest& request, const std::vector<Run>& elements);

/// The fill value for what `moves` leaves out. Bytes that its conversion leaves, and the other elements, stay.
///
/// Threads: one thread. All references must outlive it.
class VirtualFill {
 public:
  VirtualFill(FileStore& store, const DatasetState& state, const TransferRequest& request,
              const std::vector<VirtualMove>& moves);

  /// Collective: independent. On failure no element of the request has variable-length parts. Errors: those of the
  /// conversion and of the heap; no memory.
  Status fill();
  /// What was filled is the program's.
  void keep() { memory_.keep(); }
  /// Variable-length parts of what was filled are empty again.
  void take_back();

 private:
  Status convert();

  FileStore& store_;
  const DatasetState& state_;
  const TransferRequest& request_;
  const std::vector<VirtualMove>& moves_;
  SequenceMemory memory_;
  std::vector<Run> unmapped_;
};

}  // namespace pcio
