// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/dataset: raw data in external files.
//
// Each rank opens the files by itself, for one transfer, and reads and writes them by explicit offsets,
// whatever driver the HDF5 file has.

#pragma once

#include <optional>

#include "driver/posix_file.hpp"
#include "storage/bytes/byte_target.hpp"
#include "storage/objects/external_files.hpp"

namespace pcio {

enum class ExternalEffort : std::uint8_t { kMove, kCount };
/// Whether machines have caches of their own (FileDriver::caches_apart()): then each opening of a file looks at the file
/// system, and what was written is there when it is closed.
enum class ExternalCaches : std::uint8_t { kOne, kApart };

/// The bytes of a dataset from 0 on. A file that is not there is an error in a read, and made by a write;
/// what a file is too short for reads as zero. Threads: one thread.
class ExternalTarget final : public ByteTarget {
 public:
  /// Both outlive it. `counters`: system calls and bytes; of kCount, which touches nothing, those that
  /// there would be.
  ExternalTarget(const ExternalFiles& files, ExternalEffort effort, ExternalCaches caches,
                 IoCounters& counters)
      : files_(files), effort_(effort), caches_(caches), counters_(counters) {}

  /// What was written is in the file system, where caches are apart. May be used again. Errors: those of late writes.
  Status let_go();
  /// Errors: EFL CANTOPENFILE naming the file, READERROR, OVERFLOW behind the last file.
  Status read(FileAddress address, Bytes into) override;
  Status write(FileAddress address, ConstBytes from) override;
  /// A gap may be a whole file that is not there.
  [[nodiscard]] bool has_gaps_to_read() const override { return false; }

 private:
  enum class Access : std::uint8_t { kRead, kWrite };
  template <class Move>
  Status in_parts(FileAddress address, std::uint64_t bytes, Move&& move);
  [[nodiscard]] std::string path_of(const ExternalFile& file) const;
  Result<PosixFile*> open(const ExternalFile& file, Access access);
  Status read_part(const ExternalFile& file, std::uint64_t offset, Bytes into);
  Status count_read(const ExternalFile& file, std::uint64_t offset, std::uint64_t bytes);
  Status write_part(const ExternalFile& file, std::uint64_t offset, ConstBytes from);

  const ExternalFiles& files_;
  ExternalEffort effort_;
  ExternalCaches caches_;
  IoCounters& counters_;
  PosixFile file_;  ///< the last one
  const ExternalFile* is_ = nullptr;
  Access access_ = Access::kRead;
};

/// The prefix that holds: `of_environment` (null or empty: none) goes before `of_list`; "." is none, and
/// ${ORIGIN} at the beginning is `folder`, that of the HDF5 file. Collective: pure.
/// Source: HDF5 Reference Manual, H5Pset_efile_prefix and H5Pset_virtual_prefix; observed.
std::string effective_prefix(const char* of_environment, const std::string& of_list,
                             const std::string& folder);

/// `name` behind `prefix`, unless it is absolute or there is none.
std::string prefixed_path(const std::string& prefix, const std::string& name);

}  // namespace pcio
