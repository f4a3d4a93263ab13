// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: widths of addresses and lengths; version and checksum helpers of all elements.

#include "format/file_sizes.hpp"

#include "base/checksum.hpp"

namespace pcio {

Status check_file_sizes(const FileSizes& sizes) {
  for (unsigned size : {sizes.offset_size, sizes.length_size}) {
    if (size == 2 || size == 4 || size == 8) continue;
    if (size == 16 || size == 32) {
      return PCIO_ERROR(FILE, UNSUPPORTED,
                        "file uses " + std::to_string(8 * size) +
                            "-bit addresses or lengths; at most 64 bits are supported");
    }
    return PCIO_ERROR(FILE, BADVALUE,
                      "addresses or lengths of " + std::to_string(size) + " bytes are not valid");
  }
  return Status();
}

void FieldWriter::address(FileAddress value) {
  // All ones of the narrower width already means "undefined", so that value itself does not fit.
  const unsigned width = sizes_.offset_size;
  if (width < 8 && value != kUndefinedAddress && value >= (std::uint64_t{1} << (8 * width)) - 1)
    fits_ = false;
  out_.address(value, width);
}

void FieldWriter::length_or_unlimited(std::uint64_t value) {
  const unsigned width = sizes_.length_size;
  if (width < 8 && value != ~std::uint64_t{0} && value >= (std::uint64_t{1} << (8 * width)) - 1)
    fits_ = false;
  out_.uint(value, width);
}

Status FieldWriter::check(const char* what) const {
  if (fits_) return Status();
  return PCIO_ERROR(FILE, OVERFLOW, std::string("a value is too large for its field in ") + what);
}

Result<unsigned> decode_version(ByteReader& reader, unsigned lowest, unsigned highest,
                                const char* what) {
  const unsigned version = reader.u8();
  PCIO_TRY(reader.check(what));
  if (version < lowest || version > highest) {
    return PCIO_ERROR(FILE, VERSION,
                      std::string("version ") + std::to_string(version) + " of the " + what +
                          " is not supported");
  }
  return version;
}

void append_checksum(ByteWriter& out, std::size_t start) {
  out.u32(lookup3(out.view().subspan(start)));
}

Status verify_checksum(ConstBytes block, const char* what) {
  if (block.size() < 4) return PCIO_ERROR(FILE, TRUNCATED, std::string("truncated ") + what);
  ByteReader stored(block.last(4));
  if (stored.u32() == lookup3(block.first(block.size() - 4))) return Status();
  return PCIO_ERROR(FILE, BADVALUE, std::string("wrong checksum of the ") + what);
}

}  // namespace pcio
