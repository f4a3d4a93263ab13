// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room mpi: an MPI-IO file handle, and the calls on it with checked byte counts.
//
// Source: MPI 3.1, chapter 13 I/O.

#pragma once

#include <string>
#include <utility>

#include <mpi.h>

#include "base/status.hpp"
#include "base/types.hpp"
#include "mpi/comm.hpp"
#include "mpi/info.hpp"

namespace pcio::mpi {

/// Move-only; null by default and after a move. Errors are returned, not fatal.
///
/// MPI_File_close is collective, so the destructor does not close: a handle that was not closed is
/// left to MPI. Threads: one thread uses a file at a time.
class File {
 public:
  File() = default;
  /// Collective: over `comm`. The handle's view is bytes from offset 0.
  static Result<File> open(const Comm& comm, const char* path, int amode, const Info& info) {
    return open(comm.raw(), path, amode, info);
  }
  /// A handle of this rank's alone: what is collective over the file concerns nobody else. Collective: independent.
  static Result<File> open_alone(const char* path, int amode, const Info& info);

  File(File&& other) noexcept
      : file_(std::exchange(other.file_, MPI_FILE_NULL)), is_alone_(other.is_alone_) {}
  File& operator=(File&& other) noexcept {
    std::swap(file_, other.file_);
    std::swap(is_alone_, other.is_alone_);
    return *this;
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() = default;
  /// Collective: over the communicator of open.
  Status close();
  /// Forgets the handle; closes it where it is this rank's alone. Local.
  void abandon();

  [[nodiscard]] bool is_null() const { return file_ == MPI_FILE_NULL; }
  [[nodiscard]] MPI_File raw() const { return file_; }
  [[nodiscard]] MPI_File* address() { return &file_; }

  /// Explicit offset, one MPI call, at most kMaxCallBytes bytes; bytes moved, from
  /// MPI_Get_elements. Components were seen to call a success what the system refused, with no bytes
  /// or with all of them: where system calls left an errno that means lost bytes, reads and collective
  /// writes fail. An independent write has its count, and last_error() says why it is short.
  Result<std::uint64_t> write_at(std::uint64_t offset, ConstBytes data);
  Result<std::uint64_t> read_at(std::uint64_t offset, Bytes data);
  /// The same for `count` elements of `type`.
  Result<std::uint64_t> read_at(std::uint64_t offset, void* data, int count, MPI_Datatype type);
  /// Collective: over the file. `count` elements of `type`; bytes moved.
  Result<std::uint64_t> write_at_all(std::uint64_t offset, const void* data, int count,
                                     MPI_Datatype type);
  Result<std::uint64_t> read_at_all(std::uint64_t offset, void* data, int count, MPI_Datatype type);
  /// Collective: over the file; etype MPI_BYTE, "native".
  Status set_view(std::uint64_t displacement, MPI_Datatype file_type);

  /// Independent.
  [[nodiscard]] Result<std::uint64_t> size() const;
  /// Collective: over the file.
  Status set_size(std::uint64_t size);
  Status sync();
  /// The errno that the system calls inside the last transfer left; 0: none. Local.
  [[nodiscard]] int last_error() const { return error_; }
  /// The hints in use. Local.
  [[nodiscard]] Result<Info> info() const;

 private:
  static Result<File> open(MPI_Comm comm, const char* path, int amode, const Info& info);

  MPI_File file_ = MPI_FILE_NULL;
  bool is_alone_ = false;
  int error_ = 0;
};

}  // namespace pcio::mpi
