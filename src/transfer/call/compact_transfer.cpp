// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/call: compact datasets.

#include "transfer/call/compact_transfer.hpp"

#include <vector>

#include "base/without_throwing.hpp"
#include "transfer/transports/execute.hpp"
#include "transfer/pieces/piece_source.hpp"

namespace pcio {

namespace {

Status move(const TransferJob& job, Bytes data, std::vector<FilePiece>* moved) {
  if (job.file().selected() == 0) return Status();
  const std::uint64_t size = job.state()->element_size();
  const Direction direction = job.request().direction;
  ElementMover mover(job.form(), job.request().buffer);
  ImageStore image(data);
  auto source = make_block_source(0, size, job.file(), job.memory(), direction);
  for (std::vector<FilePiece> pieces;; pieces.clear()) {
    PCIO_TRY(source->next(pieces, 4096));
    if (pieces.empty()) return Status();
    PCIO_TRY(execute_pieces(direction, pieces, mover, image));
    if (moved != nullptr) moved->insert(moved->end(), pieces.begin(), pieces.end());
  }
}

/// For each byte that this rank writes its number, from 1, and the byte.
Status mark_bytes(const TransferJob& job, std::vector<std::uint64_t>& words) {
  std::vector<std::byte> mine = job.state()->layout.compact_data;
  std::vector<FilePiece> moved;
  PCIO_TRY(move(job, mine, &moved));
  const auto number = static_cast<std::uint64_t>(job.store().coordinator().rank()) + 1;
  for (const FilePiece& piece : moved)
    for (std::size_t i = piece.address;
         i < piece.address + piece.count * job.state()->element_size(); ++i)
      words[i] = number << 8 | static_cast<std::uint64_t>(mine[i]);
  return Status();
}

}  // namespace

Status transfer_compact(const TransferJob& job, std::string_view path) {
  // There is no call to count, and neither the data nor the buffer of a dry run may be touched.
  if (job.effort() == Effort::kDryRun) return Status();
  std::vector<std::byte>& data = job.state()->layout.compact_data;
  if (!job.writes() || job.file().selected() == 0) return move(job, data, nullptr);
  // Noted before, which may lack memory: data that changed are never forgotten. And behind it: a conversion may have
  // flushed the file, which then has what was converted by that time.
  CompactCopies& copies = job.store().compact_copies();
  copies.note_written(job.object(), path);
  Status moved = without_throwing([&] { return move(job, data, nullptr); });
  copies.note_written(job.object(), path);
  return moved;
}

Status write_compact_collective(const TransferJob& job, std::string_view path,
                                const Status& local) {
  std::vector<std::byte>& data = job.state()->layout.compact_data;
  Status mine = local;
  std::span<std::uint64_t> words = job.compact_words();
  std::vector<std::uint64_t> marked;
  if (mine.ok())
    mine = without_throwing([&]() -> Status {
      marked.assign(words.size(), 0);
      PCIO_TRY(mark_bytes(job, marked));
      job.store().compact_copies().note_written(job.object(), path);
      return Status();
    });
  // Ranks that failed have marked nothing.
  if (mine.ok()) std::copy(marked.begin(), marked.end(), words.begin());
  PCIO_TRY(job.store().coordinator().allreduce_max(words));
  for (std::size_t i = 0; i < data.size(); ++i)
    if (words[i] != 0) data[i] = static_cast<std::byte>(words[i] & 0xFF);
  return mine;
}

}  // namespace pcio
