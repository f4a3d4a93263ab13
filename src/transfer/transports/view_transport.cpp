// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/transports: ViewTransport.

#include "transfer/transports/view_transport.hpp"

#include <algorithm>
#include <cstring>

#include "base/checked.hpp"
#include "base/rank_status.hpp"
#include "driver/collective_channel.hpp"
#include "mpi/large_count.hpp"
#include "mpi/type.hpp"
#include "plan/nested_ranges.hpp"

namespace pcio {

namespace {

/// Pieces of one round: bounds the memory for lists and datatypes.
constexpr std::size_t kPiecesPerRound = std::size_t{1} << 18;
/// Bytes of one round where elements are changed on the way.
constexpr std::uint64_t kPackedPerRound = std::uint64_t{4} << 20;
/// Levels of a nested type; more than a hyperslab in a chunk grid has in practice.
constexpr std::size_t kMostLevels = 6;

/// One round's request of this rank.
struct Request {
  std::vector<FilePiece> pieces;
  std::vector<ByteRange> file;    ///< absolute
  std::vector<ByteRange> memory;  ///< from the start of the buffer
  std::uint64_t bytes = 0;
  std::uint64_t key = 0;  ///< equal keys, equal views

  void clear() {
    pieces.clear();
    file.clear();
    memory.clear();
    bytes = 0;
    key = 0;
  }
};

Result<mpi::Type> type_of(std::span<const ByteRange> ranges, std::uint64_t start) {
  std::vector<ByteRange> relative(ranges.begin(), ranges.end());
  for (ByteRange& range : relative) range.offset -= start;
  if (auto nested = nest_ranges(relative, kMostLevels)) return mpi::Type::nested(*nested);
  return mpi::Type::byte_blocks(relative);
}

struct ViewTarget {
  CollectiveChannel& channel;
  Coordinator& coordinator;
  std::uint64_t base = 0;   ///< added to every address
  IoCounters& dry_counts;   ///< what a dry run counts instead of calling
  std::uint64_t& dry_view;  ///< key of the view that the steps before would have set, or 0
};

class ViewTransfer {
 public:
  ViewTransfer(Direction direction, PieceSource& source, ElementMover& mover,
               const ViewTarget& target)
      : direction_(direction), source_(source), mover_(mover), target_(target) {}
  ViewTransfer(const ViewTransfer&) = delete;
  ViewTransfer& operator=(const ViewTransfer&) = delete;
  virtual ~ViewTransfer() = default;

  Status run() {
    for (;;) {
      local([&] { return next_request(); });
      // Maxima: somebody has bytes; somebody's request has gaps; somebody's view is another one.
      std::uint64_t words[3] = {request_.bytes > 0 ? 1U : 0U, has_gaps() ? 1U : 0U,
                                same_view() ? 0U : 1U};
      PCIO_TRY(target_.coordinator.allreduce_max(words));
      if (words[0] == 0) return mine_.status();
      if (words[1] == 0)
        PCIO_TRY(move_contiguous());
      else
        PCIO_TRY(move_by_view(words[2] != 0));
    }
  }

 protected:
  [[nodiscard]] bool writes() const { return direction_ == Direction::kWrite; }
  [[nodiscard]] const Request& request() const { return request_; }
  [[nodiscard]] const ElementForm& form() const { return mover_.form(); }
  [[nodiscard]] const ViewTarget& target() const { return target_; }

  /// A view that lasts is the one that this rank has set already.
  [[nodiscard]] virtual bool same_view() const { return target_.channel.has_view(request_.key); }
  /// One call for a request without gaps, on all ranks. Collective: over the file.
  virtual Status move_contiguous();
  /// The same through a view. `changes`: somebody's is not the one that is set.
  virtual Status move_by_view(bool changes);

 private:
  /// A step that may fail on this rank alone, which then goes on with nothing to move.
  template <class F>
  void local(F&& step) {
    if (!mine_.even_if_failed(step)) request_.clear();
  }

  Status next_request() {
    request_.clear();
    if (!mine_.ok()) return Status();
    const std::uint64_t most = mover_.form().changes() ? kPackedPerRound : mpi::kMaxCallBytes;
    const std::uint64_t size = mover_.form().file_size;
    start_round();
    while (request_.pieces.size() + again_.size() < kPiecesPerRound) {
      if (left_at_ == left_.size()) {
        left_.clear();
        left_at_ = 0;
        PCIO_TRY(source_.next(left_, 4096));
        if (left_.empty()) break;
      }
      FilePiece& piece = left_[left_at_];
      if (overlaps(piece)) {
        again_.push_back(piece);
        ++left_at_;
        continue;
      }
      const std::uint64_t room = std::max<std::uint64_t>(
          request_.bytes > 0 ? 0 : 1, (most - std::min(most, request_.bytes)) / size);
      const std::uint64_t n = std::min(piece.count, room);
      if (n == 0) break;
      take({piece.address, piece.memory_element, n}, n * size);
      piece = {piece.address + n * size, piece.memory_element + n, piece.count - n};
      if (piece.count == 0) ++left_at_;
    }
    make_key();
    return Status();
  }

  /// What waited from the last round comes first: it lies before all that is left.
  void start_round() {
    again_.insert(again_.end(), left_.begin() + static_cast<std::ptrdiff_t>(left_at_), left_.end());
    left_.swap(again_);
    again_.clear();
    left_at_ = 0;
  }

  /// An element that is read twice: a view with it in two places is an error on some MPI libraries,
  /// and on one rank alone. It waits for the next round.
  [[nodiscard]] bool overlaps(const FilePiece& piece) const {
    return !request_.file.empty() &&
           target_.base + piece.address < request_.file.back().offset + request_.file.back().size;
  }

  void take(const FilePiece& piece, std::uint64_t bytes) {
    request_.pieces.push_back(piece);
    append_range(request_.file, {target_.base + piece.address, bytes});
    append_range(request_.memory, {piece.memory_element * mover_.form().memory_size, bytes});
    request_.bytes += bytes;
  }

  void make_key() {
    request_.key = 0xcbf29ce484222325U;
    auto mix = [&](std::uint64_t word) { request_.key = (request_.key ^ word) * 0x100000001b3U; };
    for (const ByteRange& range : request_.file) {
      mix(range.offset);
      mix(range.size);
    }
    request_.key |= 1;  // 0 means unknown
  }

  [[nodiscard]] bool has_gaps() const {
    return request_.file.size() > 1 || (!mover_.form().changes() && request_.memory.size() > 1);
  }
  /// Memory as MPI sees it in a call without a view: packed where elements are changed.
  Bytes contiguous_memory() {
    if (!mover_.form().changes()) return in_place();
    local([&] { return pack(); });
    return Bytes(packed_).first(request_.bytes);
  }
  Bytes in_place() {
    if (request_.bytes == 0) return Bytes();
    return Bytes(mover_.in_place(request_.pieces.front()), request_.bytes);
  }

  Status pack() {
    if (packed_.size() < request_.bytes) packed_.resize(request_.bytes);
    if (!writes()) return Status();
    if (mover_.form().needs_background()) PCIO_TRY(read_background());
    return mover_.pack(request_.pieces, Bytes(packed_).first(request_.bytes));
  }

  /// Bytes that a conversion keeps; no other rank writes these elements.
  Status read_background() {
    std::uint64_t at = 0;
    for (const ByteRange& range : request_.file) {
      PCIO_ASSIGN(std::uint64_t got,
                  target_.channel.read_at(range.offset, Bytes(packed_).subspan(at, range.size)));
      std::memset(packed_.data() + at + got, 0, range.size - got);
      at += range.size;
    }
    return Status();
  }

  /// How much of the request lies before the end of the file. Both MPI-IO components were seen to
  /// count bytes behind it as read, and to leave anything in their place.
  Result<std::uint64_t> bytes_in_file() {
    PCIO_ASSIGN(const std::uint64_t end, target_.channel.size());
    std::uint64_t bytes = 0;
    for (const ByteRange& range : request_.file)
      bytes += std::min(range.size, end - std::min(end, range.offset));
    return bytes;
  }

  /// The bytes that count: all that are in the file, and none of them may be missing.
  Result<std::uint64_t> whole(Result<std::uint64_t>& there, Result<std::uint64_t>& got) {
    PCIO_ASSIGN(const std::uint64_t have, std::move(got));
    PCIO_ASSIGN(const std::uint64_t wanted, std::move(there));
    if (request_.bytes > 0 && have < wanted)
      return PCIO_ERROR(
          IO, READERROR,
          "short read: " + std::to_string(have) + " of " + std::to_string(wanted) + " bytes");
    return wanted;
  }

  /// What lies behind the end of the file reads as zero.
  Status finish_read(Bytes data, std::uint64_t got) {
    if (got < data.size()) std::memset(data.data() + got, 0, data.size() - got);
    return mover_.form().changes() ? mover_.unpack(data, request_.pieces) : Status();
  }

  /// A failure here is MPI's and this rank's alone: the call that follows is made all the same.
  Status set_view(const mpi::Type& file_type) {
    const bool empty = request_.bytes == 0;
    FileView view{empty ? 0 : request_.file.front().offset, empty ? MPI_BYTE : file_type.raw(),
                  request_.key};
    Status set = target_.channel.set_view(view);
    local([&] { return std::move(set); });
    return Status();
  }

  Status describe(mpi::Type* file_type, mpi::Type* memory_type, MemoryBlock* block) {
    if (request_.bytes == 0) return Status();
    PCIO_ASSIGN(*file_type, type_of(request_.file, request_.file.front().offset));
    if (mover_.form().changes()) {
      PCIO_TRY(pack());
      *block = {packed_.data(), MPI_BYTE, mpi::narrow(request_.bytes), request_.bytes};
      return Status();
    }
    // The first range need not be the lowest; displacements are from the start of the buffer.
    const std::byte* start = mover_.in_place({0, 0, 0});
    if (request_.memory.size() == 1) {
      *block = {start + request_.memory.front().offset, MPI_BYTE, mpi::narrow(request_.bytes),
                request_.bytes};
      return Status();
    }
    PCIO_ASSIGN(*memory_type, mpi::Type::byte_blocks(request_.memory));
    *block = {start, memory_type->raw(), 1, request_.bytes};
    return Status();
  }

  Status finish_view_read(std::uint64_t got) {
    if (mover_.form().changes()) return finish_read(Bytes(packed_).first(request_.bytes), got);
    for (const ByteRange& range : request_.memory) {
      if (got >= range.size) {
        got -= range.size;
        continue;
      }
      std::memset(mover_.in_place({0, 0, 0}) + range.offset + got, 0, range.size - got);
      got = 0;
    }
    return Status();
  }

  Direction direction_;
  PieceSource& source_;
  ElementMover& mover_;
  const ViewTarget& target_;
  Request request_;
  std::vector<FilePiece> left_;
  std::size_t left_at_ = 0;
  std::vector<FilePiece> again_;
  std::vector<std::byte> packed_;
  RankStatus mine_;
};

Status ViewTransfer::move_contiguous() {
  const std::uint64_t offset = request_.file.empty() ? 0 : request_.file.front().offset;
  Bytes data = contiguous_memory();
  if (writes()) {
    Status done = target_.channel.write_at_all(offset, data, 1);
    local([&] { return std::move(done); });
    return Status();
  }
  Result<std::uint64_t> there = bytes_in_file();
  Result<std::uint64_t> got = target_.channel.read_at_all(offset, data, 1);
  local([&]() -> Status {
    PCIO_ASSIGN(std::uint64_t bytes, whole(there, got));
    return finish_read(data, bytes);
  });
  return Status();
}

Status ViewTransfer::move_by_view(bool changes) {
  PCIO_TRY(target_.channel.open_view_handle());
  mpi::Type file_type = mpi::Type::borrow(MPI_BYTE);
  mpi::Type memory_type = mpi::Type::borrow(MPI_BYTE);
  MemoryBlock block;
  local([&] { return describe(&file_type, &memory_type, &block); });
  if (changes) PCIO_TRY(set_view(file_type));
  // Also of a rank whose view failed: what it has would go through the view before.
  if (request_.bytes == 0) block = MemoryBlock();
  if (writes()) {
    Status done = target_.channel.write_all(block);
    local([&] { return std::move(done); });
    return Status();
  }
  Result<std::uint64_t> there = bytes_in_file();
  Result<std::uint64_t> got = target_.channel.read_all(block);
  local([&]() -> Status {
    PCIO_ASSIGN(std::uint64_t bytes, whole(there, got));
    return finish_view_read(bytes);
  });
  return Status();
}

/// That of a dry run: the same requests and agreements, and calls are counted.
class CountedViewTransfer final : public ViewTransfer {
 public:
  using ViewTransfer::ViewTransfer;

 private:
  [[nodiscard]] bool same_view() const override {
    if (target().dry_view != 0) return target().dry_view == request().key;
    return ViewTransfer::same_view();
  }

  Status move_contiguous() override {
    count();
    return Status();
  }

  Status move_by_view(bool changes) override {
    target().dry_counts.set_views += changes ? 1 : 0;
    if (changes) target().dry_view = request().key;
    count();
    return Status();
  }

  void count() {
    IoCounters& counts = target().dry_counts;
    if (!writes() && target().channel.reads_independently())
      counts.independent_reads += request().bytes > 0 ? 1 : 0;
    else
      ++(writes() ? counts.collective_writes : counts.collective_reads);
    (writes() ? counts.bytes_written : counts.bytes_read) += request().bytes;
    if (!writes() || !form().needs_background()) return;
    for (const ByteRange& range : request().file)
      counts.independent_reads += ceil_div(range.size, mpi::kMaxCallBytes);
    counts.bytes_read += request().bytes;
  }
};

}  // namespace

Status ViewTransport::move(PieceSource& source) {
  // Gaps of a view must not lie behind the end of the file when they are written over. A rank on
  // which that fails moves nothing.
  Status extended = work_.job.writes() && !dry() ? store().end().extend_to_allocated() : Status();
  const ViewTarget target{*store().driver().collective(), coordinator(), store().bytes().base(),
                          work_.dry_counts, dry_view_};
  ByEffort<ViewTransfer, ViewTransfer, CountedViewTransfer> transfer(
      work_.job.effort(), direction(), extended.ok() ? source : nothing_, work_.mover, target);
  Status moved = transfer.get().run();
  PCIO_TRY(std::move(extended));
  return moved;
}

}  // namespace pcio
