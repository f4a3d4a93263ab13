// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/bytes: what every part of an open file works with.

#pragma once

#include <algorithm>
#include <memory>

#include "agree/coordinator.hpp"
#include "driver/open_driver.hpp"
#include "format/format_version.hpp"
#include "format/superblock.hpp"
#include "plan/write_shares.hpp"
#include "storage/bytes/file_bytes.hpp"
#include "storage/space/file_space.hpp"

namespace pcio {

/// What an opened file may do, and what others may.
enum class FileAccess : std::uint8_t {
  kReadOnly,
  /// It is read while another program is its single writer (SWMR): what is in the middle of a change looks
  /// damaged, and is read once more.
  kBesideWriter,
  kReadWrite
};

/// How often what looks damaged is read beside a writer. Source: HDF5 Reference Manual,
/// H5Pset_metadata_read_attempts.
inline constexpr unsigned kReadsBesideWriter = 100;

/// One per open file, owned by its FileStore; the parts of a file hold a reference and never outlive it.
///
/// Equal on all ranks but for the driver, the coordinator and what `bytes` has recorded. Threads: one
/// thread drives a file.
struct FileContext {
  FileContext(SpaceSettings settings, FormatVersion version)
      : space(0, settings), format(version) {}
  FileContext(const FileContext&) = delete;
  FileContext& operator=(const FileContext&) = delete;

  std::unique_ptr<FileDriver> driver;
  std::shared_ptr<Coordinator> coordinator;
  FileSpace space;
  std::unique_ptr<FileBytes> bytes;  ///< none before the superblock is known
  Superblock superblock;             ///< of the last commit, or of a new file
  FormatVersion format;              ///< of what is made new
  bool writable = false;
  /// What the file system locks as a whole, as all ranks know once they have agreed on the open file. 1: nothing
  /// that is known. Bytes.
  std::uint64_t lock_unit = 1;
  /// Ranks that the program's hints let write, or read, at a time in an exchange between nodes; 0: all.
  std::uint64_t writers = 0;
  /// Where another program is the file's single writer: how often what looks damaged is read. Else 0.
  unsigned beside_writer = 0;

  [[nodiscard]] const FileSizes& sizes() const { return superblock.sizes; }
  /// Of a file of several parts; for its driver.
  [[nodiscard]] std::vector<std::uint64_t> absolute_part_ends() const {
    std::vector<std::uint64_t> ends = space.part_ends();
    for (std::uint64_t& end : ends) end += superblock.base_address;
    return ends;
  }
  [[nodiscard]] bool parallel() const { return coordinator->is_parallel(); }
  /// The least, in bytes, of what is worth a writer of its own where ranks share something out.
  [[nodiscard]] std::uint64_t write_unit() const {
    return coordinator->one_machine() ? kWriteUnitOfMachine : std::max(kWriteUnit, lock_unit);
  }
  /// The file may have grown under another program's hand. Errors: those of the driver.
  Status follow_end();
  /// What `read` gives, a Status or a Result; where another program writes the file, once that program is
  /// through with what it had begun.
  template <class Read>
  auto read_settled(Read&& read) -> decltype(read());
  [[nodiscard]] unsigned chunk_internal_k() const { return superblock.indexed_storage_internal_k; }
};

namespace detail {
inline bool was_good(const Status& status) { return status.ok(); }
template <class T>
bool was_good(const Result<T>& result) {
  return result.has_value();
}
/// A moment in which a writer gets further.
void let_writer_go_on();
}  // namespace detail

template <class Read>
auto FileContext::read_settled(Read&& read) -> decltype(read()) {
  for (unsigned attempt = 1;; ++attempt) {
    if (beside_writer != 0) PCIO_TRY(follow_end());
    auto got = read();
    if (attempt >= beside_writer) return got;
    if (detail::was_good(got)) {
      // It may lead to what was written since.
      PCIO_TRY(follow_end());
      return got;
    }
    detail::let_writer_go_on();
  }
}

}  // namespace pcio
