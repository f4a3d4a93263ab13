// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room driver: the MPI-IO calls of collective transfers, counted, each written byte accounted for.
//
// Two handles. A, on a duplicate of the user's communicator or, where ranks open the file each by itself, of this rank
// alone, never has a view: all explicit-offset work. B, on a duplicate of the user's communicator, is opened inside the first
// agreed view step and carries views.
// Source: MPI 3.1, chapter I/O, File Views and Data Access; the two-handle idea is PnetCDF's.

#pragma once

#include <memory>
#include <string>

#include <mpi.h>

#include "base/status.hpp"
#include "base/types.hpp"
#include "driver/file_driver.hpp"
#include "driver/short_name.hpp"
#include "mpi/file.hpp"

namespace pcio {

class Coordinator;

/// One view: the bytes of the file that `file_type` (of etype MPI_BYTE, committed, displacements
/// nondecreasing) shows, starting at the absolute offset `displacement`.
struct FileView {
  std::uint64_t displacement = 0;
  MPI_Datatype file_type = MPI_BYTE;
  /// Equal keys mean equal views on this rank; 0 means unknown. Made by the caller.
  std::uint64_t key = 0;
};

/// Memory of one transfer: `count` elements of the committed `type` at `address`, `bytes` in all
/// (below 1 GiB). All zero for a rank with nothing to do.
struct MemoryBlock {
  const void* address = nullptr;
  MPI_Datatype type = MPI_BYTE;
  int count = 0;
  std::uint64_t bytes = 0;
};

/// How handle B is opened when it is needed.
struct ViewOpening {
  std::string path;  ///< from the root: by then the working directory may be another one
  int amode = 0;
  mpi::Info info;
  FileIdentity identity{};  ///< of the file that handle A has
  /// Reads are each rank's own: Open MPI 4.1.4's ompio was seen to return wrong bytes from collective
  /// ones where several ranks read the same part of a file, with a view and without.
  bool reads_independently = false;
};

/// Threads: one thread drives a file.
class CollectiveChannel {
 public:
  /// `plain` is handle A; it and `counters` belong to the driver, which outlives the channel.
  CollectiveChannel(mpi::File& plain, IoCounters& counters,
                    std::shared_ptr<Coordinator> coordinator, ViewOpening opening);
  CollectiveChannel(const CollectiveChannel&) = delete;
  CollectiveChannel& operator=(const CollectiveChannel&) = delete;

  /// Explicit offset, handle A, split below 1 GiB. Collective: independent.
  Status write_at(std::uint64_t offset, ConstBytes data);
  Result<std::uint64_t> read_at(std::uint64_t offset, Bytes data);

  /// Contiguous on every rank: MPI_File_write_at_all on handle A, no view. Where A is this rank's alone it waits for nobody.
  /// Collective: over the file; every rank makes `rounds` MPI calls, so all pass the same number,
  ///   count_rounds(max over ranks of bytes). A local failure does not cut the rounds short.
  Status write_at_all(std::uint64_t offset, ConstBytes data, std::uint64_t rounds);
  /// Bytes in the file now. Collective: independent.
  [[nodiscard]] Result<std::uint64_t> size() const { return plain_.size(); }
  /// As write_at_all; bytes read (fewer at the end of the file). Independent calls where
  /// reads_independently().
  Result<std::uint64_t> read_at_all(std::uint64_t offset, Bytes data, std::uint64_t rounds);
  /// MPI calls for `bytes` bytes; at least 1.
  static std::uint64_t count_rounds(std::uint64_t bytes);

  /// Opens handle B where it is not open yet. Collective: over the file, one exchange if it opens.
  Status open_view_handle();
  /// True where this rank's view on handle B has this key already. Local; its AND over the ranks,
  /// taken in an agreement, tells whether set_view can be left out.
  [[nodiscard]] bool has_view(std::uint64_t key) const;
  /// Collective: over the file (MPI_File_set_view). Handle B must be open.
  Status set_view(const FileView& view);
  /// MPI_File_write_at_all at offset 0 of the view. Collective: over the file.
  /// Errors: as FileDriver::write. Success means what MPI says, which for ompio is not proof.
  Status write_all(const MemoryBlock& memory);
  /// Bytes read, fewer at the end of the file. Collective: over the file, unless reads_independently().
  Result<std::uint64_t> read_all(const MemoryBlock& memory);
  /// read_at_all and read_all make independent MPI calls, and none for nothing.
  [[nodiscard]] bool reads_independently() const { return opening_.reads_independently; }

  [[nodiscard]] bool is_view_handle_open() const { return !viewed_.is_null(); }
  /// MPI_File_sync on handle B, where it is open. Collective: over the file.
  Status sync();
  /// Closes handle B, where it is open. Collective: over the file.
  Status close();
  void abandon() { viewed_.abandon(); }

  [[nodiscard]] const IoCounters& counters() const { return counters_; }

 private:
  mpi::File& plain_;
  ShortName view_name_;  ///< by which MPI opens handle B
  mpi::File viewed_;
  IoCounters& counters_;
  std::shared_ptr<Coordinator> coordinator_;
  ViewOpening opening_;
  std::uint64_t view_key_ = 0;
};

}  // namespace pcio
