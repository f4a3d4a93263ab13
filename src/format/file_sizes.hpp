// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: the widths of addresses and lengths in a file, and a writer that notices overflow.
// Source: HDF5 File Format Specification, II.A Superblock, "Size of Offsets", "Size of Lengths".

#pragma once

#include <cassert>

#include "base/bytes.hpp"
#include "base/status.hpp"
#include "base/types.hpp"

namespace pcio {

/// Bytes that an address ("offset") and a length take in this file.
struct FileSizes {
  unsigned offset_size = 8;
  unsigned length_size = 8;
  friend bool operator==(const FileSizes&, const FileSizes&) = default;
};

/// Refuses widths that this library does not handle: other than 2, 4 and 8.
///
/// Collective: pure. Errors: UNSUPPORTED for 16 and 32 (legal, but beyond 64-bit numbers), BADVALUE
/// for the rest.
Status check_file_sizes(const FileSizes& sizes);

/// A number of `width` bytes (1 to 8) can hold the value. Collective: pure.
constexpr bool fits_width(std::uint64_t value, unsigned width) {
  return width >= 8 || value >> (8 * width) == 0;
}

/// Fields one behind the other, of at most eight bytes together. Collective: pure.
class FieldPack {
 public:
  constexpr void add(std::uint64_t value, unsigned width) {
    fits_ = fits_ && fits_width(value, width);
    value_ |= value << (8 * width_);
    width_ += width;
    assert(width_ <= sizeof value_);
  }

 private:
  friend class FieldWriter;
  std::uint64_t value_ = 0;
  unsigned width_ = 0;
  bool fits_ = true;
};

/// Writes fields of known width and remembers a value that did not fit; the twin of ByteReader.
///
/// A truncated address would be silent data loss, so encoders end with `return out.check("...")`.
class FieldWriter {
 public:
  FieldWriter(ByteWriter& out, const FileSizes& sizes) : out_(out), sizes_(sizes) {}
  explicit FieldWriter(ByteWriter& out) : out_(out) {}

  void u8(std::uint64_t v) { uint(v, 1); }
  void u16(std::uint64_t v) { uint(v, 2); }
  void u32(std::uint64_t v) { uint(v, 4); }
  void u64(std::uint64_t v) { uint(v, 8); }
  void uint(std::uint64_t value, unsigned width) {
    if (!fits_width(value, width)) fits_ = false;
    out_.uint(value, width);
  }
  void pack(const FieldPack& fields) {
    if (!fields.fits_) fits_ = false;
    out_.uint(fields.value_, fields.width_);
  }
  /// An address; kUndefinedAddress becomes all ones.
  void address(FileAddress value);
  void length(std::uint64_t value) { uint(value, sizes_.length_size); }
  /// A length in which all ones of 64 bits stands for "unlimited" and becomes all ones.
  void length_or_unlimited(std::uint64_t value);
  void bytes(ConstBytes data) { out_.bytes(data); }
  void text(std::string_view text) { out_.text(text); }
  void zeros(std::size_t n) { out_.zeros(n); }

  /// Success, or "a value is too large for its field in <what>".
  [[nodiscard]] Status check(const char* what) const;

 private:
  ByteWriter& out_;
  FileSizes sizes_;
  bool fits_ = true;
};

/// Reads a version byte and refuses one outside [lowest, highest], naming element and number.
Result<unsigned> decode_version(ByteReader& reader, unsigned lowest, unsigned highest,
                                const char* what);

/// Appends lookup3 of everything from `start` to the end of `out`.
void append_checksum(ByteWriter& out, std::size_t start = 0);

/// Compares the last 4 bytes of `block` with lookup3 of the bytes before them.
///
/// Collective: pure. Errors: BADVALUE "wrong checksum of <what>"; TRUNCATED below 4 bytes.
Status verify_checksum(ConstBytes block, const char* what);

}  // namespace pcio
