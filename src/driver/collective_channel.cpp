// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room driver: counted MPI-IO calls.

#include "driver/collective_channel.hpp"

#include <algorithm>
#include <utility>

#include "agree/coordinator.hpp"
#include "base/checked.hpp"
#include "base/without_throwing.hpp"
#include "driver/parallel_open.hpp"
#include "driver/posix_file.hpp"
#include "mpi/large_count.hpp"

namespace pcio {

namespace {

/// The piece of `size` bytes that round `round` moves: start and length, possibly empty.
ByteRange piece_of(std::uint64_t size, std::uint64_t round) {
  const std::uint64_t start = std::min(size, round * mpi::kMaxCallBytes);
  return {start, std::min(mpi::kMaxCallBytes, size - start)};
}

}  // namespace

CollectiveChannel::CollectiveChannel(mpi::File& plain, IoCounters& counters,
                                     std::shared_ptr<Coordinator> coordinator, ViewOpening opening)
    : plain_(plain),
      counters_(counters),
      coordinator_(std::move(coordinator)),
      opening_(std::move(opening)) {}

Status CollectiveChannel::write_at(std::uint64_t offset, ConstBytes data) {
  std::uint64_t done = 0;
  // A short count is tried again from where it ended, as with pwrite; no progress means no space.
  while (done < data.size()) {
    ++counters_.independent_writes;
    const ConstBytes rest = data.subspan(done, std::min(mpi::kMaxCallBytes, data.size() - done));
    PCIO_ASSIGN(std::uint64_t moved, plain_.write_at(offset + done, rest));
    if (moved == 0 || moved > rest.size()) break;
    counters_.bytes_written += moved;
    done += moved;
  }
  if (done != data.size()) return short_write_error(done, data.size(), offset, plain_.last_error());
  return Status();
}

Result<std::uint64_t> CollectiveChannel::read_at(std::uint64_t offset, Bytes data) {
  std::uint64_t done = 0;
  while (done < data.size()) {
    ++counters_.independent_reads;
    const Bytes rest = data.subspan(done, std::min(mpi::kMaxCallBytes, data.size() - done));
    PCIO_ASSIGN(std::uint64_t moved, plain_.read_at(offset + done, rest));
    if (moved == 0 || moved > rest.size()) break;
    counters_.bytes_read += moved;
    done += moved;
  }
  return done;
}

std::uint64_t CollectiveChannel::count_rounds(std::uint64_t bytes) {
  return std::max<std::uint64_t>(1, ceil_div(bytes, mpi::kMaxCallBytes));
}

Status CollectiveChannel::write_at_all(std::uint64_t offset, ConstBytes data,
                                       std::uint64_t rounds) {
  Status outcome;
  for (std::uint64_t round = 0; round < rounds; ++round) {
    const ByteRange piece = piece_of(data.size(), round);
    ++counters_.collective_writes;
    Result<std::uint64_t> moved = plain_.write_at_all(
        offset + piece.offset, data.data() + piece.offset, mpi::narrow(piece.size), MPI_BYTE);
    if (moved) counters_.bytes_written += *moved;
    if (!outcome.ok()) continue;
    if (!moved)
      outcome = std::move(moved.error());
    else if (*moved != piece.size)
      outcome = short_write_error(*moved, piece.size, offset + piece.offset);
  }
  return outcome;
}

Result<std::uint64_t> CollectiveChannel::read_at_all(std::uint64_t offset, Bytes data,
                                                     std::uint64_t rounds) {
  Status outcome;
  std::uint64_t done = 0;
  for (std::uint64_t round = 0; round < rounds; ++round) {
    const ByteRange piece = piece_of(data.size(), round);
    if (reads_independently() && piece.size == 0) continue;
    ++(reads_independently() ? counters_.independent_reads : counters_.collective_reads);
    const Bytes into = data.subspan(piece.offset, piece.size);
    Result<std::uint64_t> moved = reads_independently()
                                      ? plain_.read_at(offset + piece.offset, into)
                                      : plain_.read_at_all(offset + piece.offset, into.data(),
                                                           mpi::narrow(piece.size), MPI_BYTE);
    if (moved && done == piece.offset) done += std::min(*moved, piece.size);
    if (!moved && outcome.ok()) outcome = std::move(moved.error());
  }
  PCIO_TRY(std::move(outcome));
  counters_.bytes_read += done;
  return done;
}

Status CollectiveChannel::open_view_handle() {
  PCIO_TRY(coordinator_->health());
  if (!viewed_.is_null()) return Status();
  const CallName name{"opening a second handle", opening_.path};
  PCIO_TRY(coordinator_->outcome(name, without_throwing([&]() -> Status {
                                   PCIO_ASSIGN(view_name_,
                                               ShortName::of(opening_.path, coordinator_->size()));
                                   return check_descriptors("open " + strip_prefix(opening_.path));
                                 })));
  view_key_ = 0;
  mpi::File handle;
  const OpenMode mode =
      (opening_.amode & MPI_MODE_RDONLY) != 0 ? OpenMode::kReadOnly : OpenMode::kReadWrite;
  const Status local = without_throwing([&]() -> Status {
    Result<mpi::File> opened =
        mpi::File::open(*coordinator_->comm(), view_name_.name_for_mpi(opening_.path),
                        opening_.amode, opening_.info);
    if (!opened) return why_not_opened(opening_.path, mode, opened.error());
    handle = std::move(*opened);
    return check_same_file(opening_.path, opening_.identity);
  });
  PCIO_TRY(agree_opened(handle, *coordinator_, name, local));
  viewed_ = std::move(handle);
  return Status();
}

bool CollectiveChannel::has_view(std::uint64_t key) const {
  return key != 0 && key == view_key_ && !viewed_.is_null();
}

Status CollectiveChannel::set_view(const FileView& view) {
  ++counters_.set_views;
  view_key_ = 0;
  PCIO_TRY(viewed_.set_view(view.displacement, view.file_type));
  view_key_ = view.key;
  return Status();
}

Status CollectiveChannel::write_all(const MemoryBlock& memory) {
  ++counters_.collective_writes;
  PCIO_ASSIGN(std::uint64_t moved,
              viewed_.write_at_all(0, memory.address, memory.count, memory.type));
  counters_.bytes_written += moved;
  if (moved != memory.bytes) return short_write_error(moved, memory.bytes, 0);
  return Status();
}

Result<std::uint64_t> CollectiveChannel::read_all(const MemoryBlock& memory) {
  auto* const address = const_cast<void*>(memory.address);
  if (reads_independently() && memory.count == 0) return std::uint64_t{0};
  ++(reads_independently() ? counters_.independent_reads : counters_.collective_reads);
  Result<std::uint64_t> moved = reads_independently()
                                    ? viewed_.read_at(0, address, memory.count, memory.type)
                                    : viewed_.read_at_all(0, address, memory.count, memory.type);
  if (moved) counters_.bytes_read += *moved;
  return moved;
}

Status CollectiveChannel::sync() { return viewed_.is_null() ? Status() : viewed_.sync(); }

Status CollectiveChannel::close() { return viewed_.close(); }

}  // namespace pcio
