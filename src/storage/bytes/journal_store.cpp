// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/bytes: superblocks, journals and replay.

#include "storage/bytes/journal_store.hpp"

#include <algorithm>
#include <cstring>

namespace pcio {

namespace {

/// A reader beside a living writer may see one commit's superblock and the next one's journal.
constexpr int kTries = 5;

Result<std::vector<std::byte>> read_exactly(FileDriver& driver, std::uint64_t offset,
                                            std::uint64_t size) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(size));
  PCIO_TRY(driver.read(offset, bytes));
  return bytes;
}

Result<Journal> read_journal(FileDriver& driver, const FileHead& head) {
  if (head.file_size < head.position + head.shape.size + kJournalTrailerSize)
    return PCIO_ERROR(FILE, BADVALUE, "the file does not end in a journal");
  const std::uint64_t end = head.file_size - kJournalTrailerSize;
  PCIO_ASSIGN(auto last, read_exactly(driver, end, kJournalTrailerSize));
  PCIO_ASSIGN(JournalTrailer trailer, decode_journal_trailer(last, head.file_size));
  if (trailer.base != head.position)
    return PCIO_ERROR(FILE, BADVALUE, "the journal is of a file with another user block");
  const AddressParts known = driver.parts();
  const std::uint64_t others =
      known.parts.size() > 1 ? known.parts[1].start - trailer.base : std::uint64_t{0};
  if (trailer.other_files != others)
    return PCIO_ERROR(FILE, BADVALUE,
                      "the journal is of a set of files; open it with the file access list with "
                      "which it was written (H5Pset_fapl_multi, H5Pset_fapl_split)");
  PCIO_ASSIGN(auto content, read_exactly(driver, trailer.start, end - trailer.start));
  return decode_journal(trailer, head.shape, content);
}

/// Looks for a journal that belongs to the superblock on the disk. kOther as a match is no journal.
Status take_journal(FileDriver& driver, FileHead* head) {
  Result<Journal> journal = read_journal(driver, *head);
  if (!journal) {
    head->why = journal.error().message();
    return Status();
  }
  switch (match_superblock(head->shape, head->raw, journal->previous, journal->next)) {
    case SuperblockMatch::kWindow: head->state = CommitState::kWindow; break;
    case SuperblockMatch::kTorn: head->state = CommitState::kTorn; break;
    default: head->why = "the journal belongs to another superblock"; return Status();
  }
  PCIO_ASSIGN(head->superblock, decode_superblock(journal->next));
  head->journal = std::make_shared<const Journal>(std::move(*journal));
  return Status();
}

/// The superblock at `position`, whose signature is there.
Result<FileHead> read_head(FileDriver& driver, std::uint64_t position, std::uint64_t file_size) {
  FileHead head;
  head.position = position;
  head.file_size = file_size;
  head.raw.resize(
      static_cast<std::size_t>(std::min<std::uint64_t>(kSuperblockMaxSize, file_size - position)));
  PCIO_TRY(driver.read(position, head.raw));
  Result<Superblock> whole = decode_superblock(head.raw);
  Result<SuperblockShape> shape = superblock_shape(head.raw);
  if (!shape) return detail::StatusReturn(whole ? std::move(shape.error()) : whole.error());
  head.shape = *shape;
  head.raw.resize(head.shape.size);
  // Of a file that is so large the bit is one of its end: it never had a window.
  const bool in_window =
      is_window(head.shape, head.raw) && can_open_window(head.shape, file_size - position);
  if (!in_window && checksum_fits(head.shape, head.raw)) {
    PCIO_TRY(Status(whole ? Status() : whole.error()));
    head.superblock = *whole;
    return head;
  }
  head.state = CommitState::kBroken;
  PCIO_TRY(take_journal(driver, &head));
  // Damage that is not a commit's is reported as what it is.
  if (head.state == CommitState::kBroken && !whole)
    return detail::StatusReturn(std::move(whole.error()));
  if (head.state == CommitState::kBroken) head.superblock = *whole;
  return head;
}

Result<FileHead> find_once(FileDriver& driver) {
  PCIO_ASSIGN(std::uint64_t file_size, driver.told_size());
  for (unsigned n = 0;; ++n) {
    auto position = superblock_position(n, file_size);
    if (!position) break;
    std::byte start[8] = {};
    PCIO_ASSIGN(std::uint64_t got, driver.read_some(*position, start));
    if (got == sizeof start && has_superblock_signature(start))
      return read_head(driver, *position, file_size);
  }
  return PCIO_ERROR(FILE, NOTHDF5, "file signature not found: not an HDF5 file");
}

}  // namespace

Result<FileHead> find_head(FileDriver& driver) {
  PCIO_ASSIGN(FileHead head, find_once(driver));
  for (int i = 1; i < kTries && head.state == CommitState::kBroken; ++i) {
    PCIO_ASSIGN(FileHead again, find_once(driver));
    const bool changed = again.raw != head.raw || again.file_size != head.file_size;
    head = std::move(again);
    if (!changed) break;
  }
  return head;
}

void overlay_journal(const Journal& journal, std::uint64_t offset, Bytes into) {
  const std::uint64_t base = journal.trailer.base, end = offset + into.size();
  std::size_t at = 0;
  for (const JournalEntry& entry : journal.entries) {
    const std::uint64_t start = base + entry.range.offset;
    const std::uint64_t low = std::max(start, offset);
    const std::uint64_t high = std::min(start + entry.range.size, end);
    if (low < high)
      std::memcpy(into.data() + (low - offset), journal.data.data() + at + (low - start),
                  static_cast<std::size_t>(high - low));
    at += static_cast<std::size_t>(entry.range.size);
  }
}

Status write_superblock_bytes(FileDriver& driver, std::uint64_t position, ConstBytes before,
                              ConstBytes bytes) {
  PCIO_ASSIGN(SuperblockShape shape, superblock_shape(bytes));
  const std::size_t decided = shape.window_byte() + 1;
  const bool comparable = before.size() >= bytes.size();
  if (shape.has_checksum() || !comparable) return driver.write(position, bytes);
  const ConstBytes tail = bytes.subspan(decided);
  if (!std::equal(tail.begin(), tail.end(), before.begin() + static_cast<std::ptrdiff_t>(decided)))
    PCIO_TRY(driver.write(position + decided, tail));
  return driver.write(position, bytes.first(decided));
}

Status write_in_place(FileDriver& driver, const Journal& journal) {
  const auto& entries = journal.entries;
  std::size_t at = 0;
  for (std::size_t i = 0; i < entries.size();) {
    const std::uint64_t start = entries[i].range.offset;
    std::uint64_t size = 0;
    for (; i < entries.size() && entries[i].range.offset == start + size; ++i)
      size += entries[i].range.size;
    const auto count = static_cast<std::size_t>(size);
    PCIO_TRY(
        driver.write(journal.trailer.base + start, ConstBytes(journal.data).subspan(at, count)));
    at += count;
  }
  return Status();
}

Status finish_commit(FileDriver& driver, const Journal& journal, ConstBytes before,
                     const Arrow& arrow) {
  PCIO_TRY(write_in_place(driver, journal));
  PCIO_TRY(arrow());
  PCIO_TRY(write_superblock_bytes(driver, journal.trailer.base, before, journal.next));
  return arrow();
}

Status replay_journal(FileDriver& driver, const Journal& journal, const Arrow& arrow) {
  PCIO_ASSIGN(SuperblockShape shape, superblock_shape(journal.next));
  std::vector<std::byte> disk(shape.size);
  PCIO_TRY(driver.read(journal.trailer.base, disk));
  return finish_commit(driver, journal, disk, arrow);
}

Status replay_found_journal(FileDriver& driver, const Journal& journal) {
  PCIO_TRY(driver.sync_independent());
  return replay_journal(driver, journal, [&] { return driver.sync_independent(); });
}

Result<FileHead> complete_commit(FileDriver& driver) {
  PCIO_ASSIGN(FileHead head, find_head(driver));
  PCIO_TRY(check_not_broken(head));
  if (!head.journal) return head;
  PCIO_TRY(replay_found_journal(driver, *head.journal));
  PCIO_TRY(driver.truncate(head.superblock.end_of_file));
  PCIO_TRY(driver.sync_independent());
  return head;
}

Status check_not_broken(const FileHead& head) {
  if (head.state != CommitState::kBroken) return Status();
  return PCIO_ERROR(
      FILE, TRUNCATED,
      "truncated file: a program was cut off in the middle of a commit, and the journal "
      "to complete it is not there: " +
          head.why);
}

}  // namespace pcio
