// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: SharedReads.

#include "object/shared_reads.hpp"

#include <algorithm>
#include <array>

namespace pcio {

namespace {

/// As much of a broadcast as a rank takes part in that has no memory for all of it. Bytes.
constexpr std::size_t kPiece = std::size_t{16} << 10;

/// The one whose notes are taken, or used, by a call of this thread.
thread_local SharedReads* in_use = nullptr;

}  // namespace

SharedReads::SharedReads(const FilePtr& file, bool wanted, const CallName& name) : name_(name) {
  if (!file->is_open() || !file->parallel() || file->coordinator().size() == 1) return;
  if (wanted || file->access().all_collective_metadata_reads) file_ = file;
}

void SharedReads::use_reads() {
  file_->store().bytes().set_recorded_reads(&reads_);
  in_use = this;
}

void SharedReads::take_notes() { use_reads(); }

void SharedReads::stop() {
  if (in_use != this) return;
  in_use = nullptr;
  if (file_->is_open()) file_->store().bytes().set_recorded_reads(nullptr);
}

Status SharedReads::end_before_program() {
  SharedReads* const reads = in_use;
  if (reads == nullptr) return Status();
  reads->stop();
  return reads->share();
}

Status SharedReads::share() {
  if (!shared_) shared_ = exchange();
  return *shared_;
}

Status SharedReads::exchange() {
  LocalFacts facts;
  facts.call_kind = CallKind::kReadMetadata;
  facts.maxima[0] = reads_.bytes().size();
  PCIO_ASSIGN(const GlobalFacts all, file_->coordinator().agree(name_, facts, Status()));
  return all.maxima[0] == 0 ? Status() : receive(all.maxima[0]);
}

Status SharedReads::receive(std::uint64_t size) {
  std::vector<std::byte>& bytes = reads_.bytes();
  const Status room = without_throwing([&] {
    bytes.resize(static_cast<std::size_t>(size));
    return Status();
  });
  std::array<std::byte, kPiece> scratch{};
  for (std::uint64_t at = 0; at < size; at += kPiece) {
    const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(kPiece, size - at));
    const Bytes piece =
        room.ok() ? Bytes(bytes).subspan(static_cast<std::size_t>(at), n) : Bytes(scratch).first(n);
    PCIO_TRY(file_->coordinator().broadcast(piece, 0));
  }
  if (reads_first() || !room.ok()) return Status();
  static_cast<void>(without_throwing([&]() -> Status {
    PCIO_ASSIGN(reads_, RecordedReads::replay(std::move(bytes)));
    use_reads();
    return Status();
  }));
  return Status();
}

}  // namespace pcio
