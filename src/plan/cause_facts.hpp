// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room plan: what one rank knows about a transfer before any rank has spoken.

#pragma once

#include <cstdint>

#include "base/types.hpp"
#include "props/transfer_report.hpp"
#include "space/dataspace.hpp"
#include "space/selection.hpp"

namespace pcio {

/// How a dataset's elements lie in the file, as far as planning cares. kOther: compact, virtual,
/// external.
enum class StorageForm : std::uint8_t { kContiguous, kChunked, kOther };

/// One rank's view of one transfer. Facts about selections and conversion force nothing (all of it
/// is done collectively); they are here for the report and for choosing a transport.
struct CauseFacts {
  Direction direction = Direction::kRead;
  TransferMode requested = TransferMode::kCollective;
  CollectiveOpt collective_opt = CollectiveOpt::kCollectiveIo;
  StorageForm storage = StorageForm::kContiguous;
  bool filtered = false;
  SpaceClass file_space = SpaceClass::kSimple;
  SpaceClass memory_space = SpaceClass::kSimple;
  SelectionKind file_selection = SelectionKind::kAll;
  SelectionKind memory_selection = SelectionKind::kAll;
  bool file_regular = true;  ///< one start, stride, count, block describes it
  bool memory_regular = true;
  bool converts = false;    ///< file and memory type differ
  bool transforms = false;  ///< a data transform is set
  bool mpiposix = false;    ///< the file was opened with that driver
  /// configure found that complex derived datatypes or special collective I/O do not work, or
  /// HDF5_MPI_OPT_TYPES=0 stands in the environment that the ranks agreed on.
  bool derived_types_disabled = false;
  bool transport_forced = false;  ///< by PCIO_TRANSPORT or a property
  bool error_while_checking = false;
};

}  // namespace pcio
