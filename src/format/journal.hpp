// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: the journal of a commit: what it is going to write over committed bytes, kept behind
// the end of the file until that is done. Not an element of HDF5: no reader of HDF5 looks there.
//
//   data        the new contents of the blocks, one behind the other, by ascending address
//   table       24 bytes for each block: address relative to the base, size, checksum, 0
//   superblocks those of the last and of the next commit, each of the size that its version has
//   trailer     128 bytes, the last ones of the file
//
// Source: doc/COMMIT.md. Numbers are little-endian; checksums are lookup3.

#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "format/window_superblock.hpp"

namespace pcio {

inline constexpr std::size_t kJournalTrailerSize = 128;
inline constexpr std::size_t kJournalEntrySize = 24;
inline constexpr std::string_view kJournalSignature{"PCIOJRNL", 8};

/// What tells one commit from all others.
struct CommitStamp {
  std::array<std::uint64_t, 2> id{};  ///< random, of the session that writes
  std::uint64_t sequence = 0;         ///< of the commit in its session
  friend bool operator==(const CommitStamp&, const CommitStamp&) = default;
};

/// The last bytes of the file. Offsets are absolute, in bytes.
struct JournalTrailer {
  std::uint64_t file_size = 0;
  std::uint64_t start = 0;  ///< of the journal
  std::uint64_t base = 0;   ///< where the superblock is, which addresses are relative to
  std::uint64_t blocks = 0;
  std::uint64_t data_bytes = 0;
  CommitStamp stamp;
  std::uint64_t superblock_size = 0;
  std::uint32_t previous_checksum = 0;  ///< of the superblocks' bytes
  std::uint32_t window_checksum = 0;
  std::uint32_t next_checksum = 0;
  std::uint32_t content_checksum = 0;  ///< of table and superblocks; the table has the data's
  /// Where the bytes of the other files of a set begin, relative to the base; 0: this is the only file.
  std::uint64_t other_files = 0;
  friend bool operator==(const JournalTrailer&, const JournalTrailer&) = default;
};

struct JournalEntry {
  ByteRange range;  ///< relative to the base
  std::uint32_t checksum = 0;
  friend bool operator==(const JournalEntry&, const JournalEntry&) = default;
};

/// A whole journal in memory.
struct Journal {
  JournalTrailer trailer;
  std::vector<JournalEntry> entries;  ///< by ascending address, apart from each other
  std::vector<std::byte> data;        ///< of the entries, in their order
  std::vector<std::byte> previous;    ///< superblocks
  std::vector<std::byte> next;
};

/// Bytes of a journal with so many blocks and so many bytes in them. Collective: pure.
std::uint64_t journal_size(std::uint64_t blocks, std::uint64_t data_bytes,
                           std::size_t superblock_size);

/// Fills the checksums and the fields of the trailer that follow from the rest;
/// `trailer.file_size`, `base` and `stamp` are the caller's. Collective: pure.
void seal_journal(const SuperblockShape& shape, Journal* journal);
/// All bytes from `trailer.start` to the end of the file.
std::vector<std::byte> encode_journal(const Journal& journal);

/// Decodes the last kJournalTrailerSize bytes of a file. Checks what can be checked without the
/// rest: signature, version, own checksum, the size of the file, that the parts fill it exactly.
/// Errors: BADVALUE, saying what does not fit.
Result<JournalTrailer> decode_journal_trailer(ConstBytes bytes, std::uint64_t file_size);
/// Decodes and checks everything: `content` is [trailer.start, file size - trailer). Blocks are in
/// order, apart, behind the superblock and before the journal, and their bytes are what was
/// written. Errors: BADVALUE, saying what does not fit.
Result<Journal> decode_journal(const JournalTrailer& trailer, const SuperblockShape& shape,
                               ConstBytes content);

}  // namespace pcio
