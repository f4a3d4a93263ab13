// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room driver: the one interface through which bytes reach a file.
//
// Offsets are absolute (user block included) and in bytes. A short write is an error, always; a
// short read is an error in `read`, a smaller count in `read_some`. Nothing here zero-fills.

#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/recorded_reads.hpp"
#include "base/status.hpp"
#include "base/types.hpp"

namespace pcio {

class CollectiveChannel;
class RangeLocks;
class WritingThread;

/// Which implementation of MPI-IO stands behind a file.
enum class MpiIoComponent : std::uint8_t { kNone, kUnknown, kOmpio, kRomio };

/// Calls and bytes of one open file on this rank, counted where they are made, failed ones
/// included. For drivers without MPI-IO, pwrite and pread calls count as independent.
struct IoCounters {
  std::uint64_t independent_writes = 0;
  std::uint64_t independent_reads = 0;
  std::uint64_t collective_writes = 0;
  std::uint64_t collective_reads = 0;
  std::uint64_t set_views = 0;
  std::uint64_t bytes_written = 0;
  std::uint64_t bytes_read = 0;

  IoCounters& operator+=(const IoCounters& more);
  IoCounters& operator-=(const IoCounters& less);
};
inline IoCounters operator-(IoCounters from, const IoCounters& less) { return from -= less; }

struct DriverCapabilities {
  /// Several ranks have this file open through one communicator.
  bool parallel = false;
  /// Space in the file that was never written reads as zero.
  bool holes_read_zero = true;
  /// Other processes can see the bytes (false for memory).
  bool on_disk = true;
  MpiIoComponent mpi_io = MpiIoComponent::kNone;
  /// A commit that is cut can be completed from the file alone: not for memory, whose backing store
  /// is written in one go.
  bool journaled = true;
  /// A write may return before the storage has taken it, and its failure show only at a sync (NFS,
  /// Lustre and other network file systems).
  bool defers_errors = false;
  /// A write is seen by all machines at once, and two of them may write the halves of one page (not on NFS and its
  /// like).
  bool coherent = true;
};

/// What one rank of a file does for all, as all ranks have agreed: where one of them sees it otherwise, none
/// does.
struct ByOneRank {
  bool sizes = false;  ///< the others see a size that one has set
  bool syncs = false;  ///< an fsync takes what all ranks of a machine have written
  bool known =
      false;  ///< all ranks know the MPI-IO component: what it has written is where all can read it
};

/// What a file says of the driver that wrote it, beside the superblock. Nothing where `driver` is empty.
struct DriverNote {
  std::string driver;  ///< 8 characters such as "NCSAfami"
  std::vector<std::byte> info;
  friend bool operator==(const DriverNote&, const DriverNote&) = default;
};

/// A range of addresses with an end of its own: a file of several that make one address space.
struct AddressPart {
  std::uint64_t start = 0;
  std::uint64_t end = 0;  ///< of what is used, absolute
};

enum class PartFit : std::uint8_t { kAtLeast, kExactly };

/// The parts of an address space. None: it has one end.
struct AddressParts {
  std::vector<AddressPart> parts;  ///< by address; the first one begins at 0 and has the superblock
  // Which part is for what.
  std::size_t headers = 0;   ///< object headers
  std::size_t metadata = 0;  ///< all other metadata
  std::size_t raw_data = 0;
};

/// Tells whether two opens mean the same file.
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  /// Compared only where the numbers are unknown (both 0).
  std::string path;

  friend bool operator==(const FileIdentity& a, const FileIdentity& b) {
    if (a.device != b.device || a.inode != b.inode) return false;
    return a.inode != 0 || (a.path == b.path && !a.path.empty());
  }
};

/// One open file.
///
/// Threads: one thread drives a file. Destroying a driver that was not closed releases what can be
/// released without communicating (as `abandon`).
class FileDriver {
 public:
  FileDriver() = default;
  FileDriver(const FileDriver&) = delete;
  FileDriver& operator=(const FileDriver&) = delete;
  virtual ~FileDriver() = default;

  /// Reads exactly `data.size()` bytes. Collective: independent. On failure `data` is undefined.
  /// Errors: READERROR; TRUNCATED where the file ends before.
  Status read(std::uint64_t offset, Bytes data);
  /// Reads up to the end of the file; bytes read. Collective: independent.
  Result<std::uint64_t> read_some(std::uint64_t offset, Bytes data);
  /// Writes all of `data`, growing the file where needed. Collective: independent.
  /// Errors: WRITEERROR; NOSPACE "disk full or short write: N of M bytes". On failure some bytes
  /// may be in the file.
  Status write(std::uint64_t offset, ConstBytes data);

  /// write() may go on beside what the rank does: write_beside(). Equal on all ranks where they agreed when opening.
  [[nodiscard]] virtual bool writes_beside() const { return false; }
  /// As write(), but the bytes may be on their way when it returns: `data` stays as it is until they are waited for. `by`: begun
  /// here with the first of them, and waited for before the file is let go of. Where it can't be begun this is write().
  /// Collective: independent. Errors: as write(), also those of what was on its way.
  Status write_beside(WritingThread& by, std::uint64_t offset, ConstBytes data);

  /// Bytes in the file. Collective: independent. Other ranks' writes count after flush only.
  virtual Result<std::uint64_t> size() = 0;
  /// Makes the file `size` bytes long, growing with zeros or cutting.
  /// Collective: over the file, and all ranks return the same (one exchange); local in serial.
  virtual Status truncate(std::uint64_t size) = 0;
  /// Makes what was written visible to the other ranks, and is in step with what HDF5 does: an fsync with
  /// mpio. posix: nothing to do; memory: writes the backing store; mpiposix: a barrier.
  /// Collective: over the file, and all ranks return the same (one exchange).
  virtual Status flush() = 0;
  /// As flush, and asks the storage to keep it (fsync). Collective: over the file.
  virtual Status sync() = 0;

  // Parts of such steps for callers that agree by themselves. Collective: over the file, between two
  // agreements of one call; what each returns is this rank's own. Where a driver has no parts they are the
  // whole steps.
  virtual Status truncate_here(std::uint64_t size) { return truncate(size); }
  virtual Status flush_here() { return flush(); }
  virtual Status sync_here() { return sync(); }
  /// Empties a file that an opening with OpenMode::kTruncate has found. One rank does where it can: each machine's client
  /// is told the size of the file at its next truncate_here().
  virtual Status empty_here() { return Status(); }
  /// What the ranks have agreed on when they opened it; before that each does its part of everything.
  virtual void set_by_one(const ByOneRank& /*agreed*/) {}
  /// truncate_here() waits for nobody, and so needs no agreement before it. Equal on all ranks.
  [[nodiscard]] virtual bool sizes_by_one() const { return false; }
  /// truncate_here() may be called on rank 0 alone. Equal on all ranks.
  [[nodiscard]] virtual bool sizes_alone() const { return false; }

  /// Asks the storage to keep what this rank has written. Collective: independent. Errors: also
  /// those of writes before it that the file system had not told yet.
  virtual Status sync_independent() = 0;

  /// Several machines have a cache each that others' writes don't reach: what was written is seen where the writer
  /// has synced and the reader has forgotten, in this order. Equal on all ranks where they agreed when opening.
  [[nodiscard]] virtual bool caches_apart() const { return false; }
  /// This rank has written since it last forgot, and caches are apart.
  [[nodiscard]] virtual bool has_unseen_writes() const { return false; }
  /// The same since sync_independent() succeeded, too: not all of it is in the file system.
  [[nodiscard]] virtual bool has_unsynced_writes() const { return has_unseen_writes(); }
  /// Reads come from the file system from here on, not from what this machine remembers; nothing where caches are not
  /// apart. Independent.
  virtual void forget_cached() {}
  /// What this rank reads next is what is in the file system, its size too; what it has written is as unseen as before.
  /// Nothing where caches are not apart. Independent. Errors: writes of this machine that were lost, told nowhere else.
  virtual Status catch_up_here() { return Status(); }
  /// Where machines have caches of their own close() sets the size before, for each of them, and gives back no lock until
  /// all have; with nothing it doesn't after all. False: it never does. Equal on all ranks. Collective: pure.
  virtual bool cut_when_closed(std::optional<std::uint64_t> /*size*/) { return false; }
  /// Closes the file; the object can only be destroyed after it. Collective: over the file.
  /// Errors: an error of a deferred write shows here. The file is closed whatever is returned.
  virtual Status close() = 0;
  /// Lets the file go without communicating and without flushing; for files whose ranks lost step.
  virtual void abandon() = 0;

  [[nodiscard]] virtual DriverCapabilities capabilities() const = 0;
  [[nodiscard]] virtual FileIdentity identity() const = 0;
  /// What H5Fget_vfd_handle gives: pointer to the descriptor (int*), to the MPI_File, to the
  /// address of the memory image (void**).
  [[nodiscard]] virtual void* raw_handle() = 0;
  /// The same where drivers have several files: that of byte `offset`.
  [[nodiscard]] virtual void* raw_handle_at(std::uint64_t /*offset*/) { return raw_handle(); }
  /// The same where files are for a use each: that for `use` (H5FD_mem_t).
  [[nodiscard]] virtual void* raw_handle_for(int /*use*/) { return nullptr; }
  /// Where the addresses are several files': size() and truncate() are the first one's.
  [[nodiscard]] virtual AddressParts parts() const { return {}; }
  /// How far each part is used from now on; for note() and fit_parts().
  virtual void set_part_ends(std::span<const std::uint64_t> /*ends*/) {}
  /// Makes the files of all parts but the first at least, or exactly, as long as what is used in them.
  virtual Status fit_parts(PartFit /*fit*/) { return Status(); }
  /// What is to stand in the file about this driver; always of the same size.
  [[nodiscard]] virtual Result<DriverNote> note() { return DriverNote(); }
  /// Takes what the file says. Errors: it was written by another driver, or with other settings.
  virtual Status take_note(const DriverNote& note);
  /// MPI-IO calls for collective transfers; nullptr where the driver has none.
  [[nodiscard]] virtual CollectiveChannel* collective() { return nullptr; }
  /// What makes transfers atomic (H5Fset_mpi_atomicity); nullptr where they need not be. Equal on all ranks.
  [[nodiscard]] virtual RangeLocks* atomic_locks() { return nullptr; }
  /// What the file system locks as a whole, as rank 0 knows it; 1 elsewhere and where nothing is known. Bytes.
  [[nodiscard]] virtual std::uint64_t lock_unit() const { return 1; }
  /// Ranks that the program's hints let write, or read, at a time, as rank 0 knows it; 0 elsewhere and where they don't say.
  [[nodiscard]] virtual std::uint64_t hinted_writers() const { return 0; }

  /// From here on reads, and told_size(), are noted in `reads`, or answered from it where it replays
  /// (nullptr: no more). It lives as long. Collective: independent.
  void set_recorded_reads(RecordedReads* reads) { recorded_ = reads; }
  /// size(), or what another rank was told. Collective: independent.
  Result<std::uint64_t> told_size();

  [[nodiscard]] const IoCounters& counters() const { return counters_; }
  [[nodiscard]] IoCounters& counters() { return counters_; }

 protected:
  /// As read_some and write; the public ones check the range and count the bytes. Implementations
  /// count their calls in `counters_`. `do_write` returns the bytes that reached the file.
  /// Where the last byte can be: for one file below 2^62.
  [[nodiscard]] virtual std::uint64_t largest_offset() const { return std::uint64_t{1} << 62; }
  virtual Result<std::uint64_t> do_read(std::uint64_t offset, Bytes data) = 0;
  virtual Result<std::uint64_t> do_write(std::uint64_t offset, ConstBytes data) = 0;
  /// For writing to the very file that do_write() writes to; -1: there is none. The driver's, until it closes.
  virtual int descriptor_for_writing() { return -1; }
  /// Nobody writes to that descriptor any more: before it is closed within a transfer, as where a function of the program calls
  /// MPI_Finalize.
  void end_writes() noexcept;

  IoCounters counters_;

 private:
  RecordedReads* recorded_ = nullptr;
  WritingThread* writing_ = nullptr;  ///< while one is begun
};

/// The error of a write that reached the file only in part.
Status short_write_error(std::uint64_t done, std::uint64_t wanted, std::uint64_t offset);

}  // namespace pcio
