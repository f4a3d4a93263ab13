// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: journals, encode and decode.

#include "format/journal.hpp"

#include "base/checked.hpp"
#include "base/checksum.hpp"

namespace pcio {

namespace {

constexpr std::uint32_t kJournalVersion = 1;

ConstBytes data_of(const Journal& journal, std::size_t at, const JournalEntry& entry) {
  return ConstBytes(journal.data).subspan(at, static_cast<std::size_t>(entry.range.size));
}

/// Table and superblocks: what the trailer's content checksum is over.
std::vector<std::byte> encode_content(const Journal& journal) {
  ByteWriter out;
  for (const JournalEntry& entry : journal.entries) {
    out.u64(entry.range.offset);
    out.u64(entry.range.size);
    out.u32(entry.checksum);
    out.u32(0);
  }
  out.bytes(journal.previous);
  out.bytes(journal.next);
  return std::move(out).take();
}

void encode_trailer(const JournalTrailer& trailer, ByteWriter& out) {
  const std::size_t start = out.size();
  out.text(kJournalSignature);
  out.u32(kJournalVersion);
  out.u32(kJournalTrailerSize);
  for (std::uint64_t word :
       {trailer.file_size, trailer.start, trailer.base, trailer.blocks, trailer.data_bytes,
        trailer.stamp.sequence, trailer.stamp.id[0], trailer.stamp.id[1], trailer.superblock_size})
    out.u64(word);
  for (std::uint32_t sum : {trailer.previous_checksum, trailer.window_checksum,
                            trailer.next_checksum, trailer.content_checksum})
    out.u32(sum);
  out.u64(trailer.other_files);
  out.zeros(kJournalTrailerSize - 4 - (out.size() - start));
  out.u32(lookup3(out.view().subspan(start)));
}

detail::StatusReturn bad_journal(const std::string& what) {
  return PCIO_ERROR(FILE, BADVALUE, what);
}

/// The parts fill the file from the start of the journal to its end, without overflow.
bool parts_fill(const JournalTrailer& t) {
  if (t.superblock_size > kSuperblockMaxSize || t.base > t.start || t.start > t.file_size)
    return false;
  auto table = checked_mul<std::uint64_t>(t.blocks, kJournalEntrySize);
  auto sum = table ? checked_add(*table, t.data_bytes) : std::nullopt;
  if (sum) sum = checked_add<std::uint64_t>(*sum, 2 * t.superblock_size + kJournalTrailerSize);
  return sum && *sum == t.file_size - t.start;
}

/// In order, apart from each other, between superblock and journal or in another file of the set; together
/// all data bytes.
bool entries_fit(const Journal& journal) {
  const JournalTrailer& t = journal.trailer;
  std::uint64_t before = t.superblock_size, bytes = 0;
  for (const JournalEntry& entry : journal.entries) {
    if (entry.range.size == 0 || entry.range.offset < before) return false;
    const bool elsewhere = t.other_files != 0 && entry.range.offset >= t.other_files &&
                           fits_inside(entry.range.offset, entry.range.size, UINT64_MAX);
    if (!elsewhere && !fits_inside(entry.range.offset, entry.range.size, t.start - t.base))
      return false;
    before = entry.range.end();
    bytes += entry.range.size;
  }
  return bytes == t.data_bytes;
}

bool data_are_whole(const Journal& journal) {
  std::size_t at = 0;
  for (const JournalEntry& entry : journal.entries) {
    if (lookup3(data_of(journal, at, entry)) != entry.checksum) return false;
    at += static_cast<std::size_t>(entry.range.size);
  }
  return true;
}

/// The superblocks are the ones that the trailer binds, and the next one ends before the journal.
Status check_superblocks(const Journal& journal, const SuperblockShape& shape) {
  const JournalTrailer& t = journal.trailer;
  if (lookup3(journal.previous) != t.previous_checksum || lookup3(journal.next) != t.next_checksum)
    return bad_journal("the journal's superblocks are damaged");
  for (const auto* bytes : {&journal.previous, &journal.next}) {
    PCIO_ASSIGN(SuperblockShape own, superblock_shape(*bytes));
    // Versions 2 and 3 have one shape, and H5Fformat_convert makes the one of the other.
    const bool alike = own.version == shape.version || (own.version >= 2 && shape.version >= 2);
    if (!alike || own.sizes != shape.sizes)
      return bad_journal("the journal is of a file with another superblock");
  }
  if (lookup3(make_window(shape, journal.previous)) != t.window_checksum)
    return bad_journal("the journal belongs to another window");
  PCIO_ASSIGN(Superblock next, decode_superblock(journal.next));
  if (is_window(shape, journal.next) || next.end_of_file > t.start)
    return bad_journal("the journal's next superblock reaches into the journal");
  return Status();
}

}  // namespace

std::uint64_t journal_size(std::uint64_t blocks, std::uint64_t data_bytes,
                           std::size_t superblock_size) {
  return data_bytes + blocks * kJournalEntrySize + 2 * std::uint64_t{superblock_size} +
         kJournalTrailerSize;
}

void seal_journal(const SuperblockShape& shape, Journal* journal) {
  JournalTrailer& t = journal->trailer;
  std::size_t at = 0;
  for (JournalEntry& entry : journal->entries) {
    entry.checksum = lookup3(data_of(*journal, at, entry));
    at += static_cast<std::size_t>(entry.range.size);
  }
  t.blocks = journal->entries.size();
  t.data_bytes = journal->data.size();
  t.superblock_size = shape.size;
  t.start = t.file_size - journal_size(t.blocks, t.data_bytes, shape.size);
  t.previous_checksum = lookup3(journal->previous);
  t.window_checksum = lookup3(make_window(shape, journal->previous));
  t.next_checksum = lookup3(journal->next);
  t.content_checksum = lookup3(encode_content(*journal));
}

std::vector<std::byte> encode_journal(const Journal& journal) {
  ByteWriter out;
  out.bytes(journal.data);
  out.bytes(encode_content(journal));
  encode_trailer(journal.trailer, out);
  return std::move(out).take();
}

Result<JournalTrailer> decode_journal_trailer(ConstBytes bytes, std::uint64_t file_size) {
  ByteReader reader(bytes);
  if (bytes.size() != kJournalTrailerSize || !reader.expect(kJournalSignature))
    return bad_journal("the file does not end in a journal");
  if (reader.u32() != kJournalVersion || reader.u32() != kJournalTrailerSize)
    return bad_journal("the journal is of an unknown version");
  JournalTrailer trailer;
  for (std::uint64_t* word : {&trailer.file_size, &trailer.start, &trailer.base, &trailer.blocks,
                              &trailer.data_bytes, &trailer.stamp.sequence, &trailer.stamp.id[0],
                              &trailer.stamp.id[1], &trailer.superblock_size})
    *word = reader.u64();
  for (std::uint32_t* sum : {&trailer.previous_checksum, &trailer.window_checksum,
                             &trailer.next_checksum, &trailer.content_checksum})
    *sum = reader.u32();
  trailer.other_files = reader.u64();
  reader.seek(kJournalTrailerSize - 4);
  if (reader.u32() != lookup3(bytes.first(kJournalTrailerSize - 4)))
    return bad_journal("the journal's trailer is damaged");
  if (trailer.file_size != file_size)
    return bad_journal("the file had " + std::to_string(trailer.file_size) +
                       " bytes when its journal was written and has " + std::to_string(file_size));
  if (!parts_fill(trailer)) return bad_journal("the journal's parts do not fit the file");
  return trailer;
}

Result<Journal> decode_journal(const JournalTrailer& trailer, const SuperblockShape& shape,
                               ConstBytes content) {
  Journal journal;
  journal.trailer = trailer;
  if (trailer.superblock_size != shape.size ||
      content.size() != trailer.file_size - trailer.start - kJournalTrailerSize)
    return bad_journal("the journal is of a file with another superblock");
  const auto data_bytes = static_cast<std::size_t>(trailer.data_bytes);
  if (lookup3(content.subspan(data_bytes)) != trailer.content_checksum)
    return bad_journal("the journal's table is damaged");
  ByteReader reader(content);
  const ConstBytes data = reader.bytes(data_bytes);
  journal.data.assign(data.begin(), data.end());
  journal.entries.resize(static_cast<std::size_t>(trailer.blocks));
  for (JournalEntry& entry : journal.entries) {
    entry.range.offset = reader.u64();
    entry.range.size = reader.u64();
    entry.checksum = reader.u32();
    reader.skip(4);
  }
  for (auto* bytes : {&journal.previous, &journal.next}) {
    const ConstBytes block = reader.bytes(shape.size);
    bytes->assign(block.begin(), block.end());
  }
  PCIO_TRY(reader.check("journal"));
  if (!entries_fit(journal)) return bad_journal("the journal's blocks do not fit the file");
  if (!data_are_whole(journal)) return bad_journal("the journal's blocks are damaged");
  PCIO_TRY(check_superblocks(journal, shape));
  return journal;
}

}  // namespace pcio
