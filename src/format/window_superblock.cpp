// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: window superblocks.

#include "format/window_superblock.hpp"

#include <algorithm>

#include "base/checksum.hpp"

namespace pcio {

namespace {

/// True where every byte is that of one of the three at its place: what is left of writes that were
/// cut, however many of them.
bool is_mixture(ConstBytes bytes, ConstBytes a, ConstBytes b, ConstBytes c) {
  for (std::size_t i = 0; i < bytes.size(); ++i)
    if (bytes[i] != a[i] && bytes[i] != b[i] && bytes[i] != c[i]) return false;
  return true;
}

}  // namespace

std::size_t SuperblockShape::window_byte() const {
  return end_of_file + std::min<std::size_t>(sizes.offset_size, 8) - 1;
}

std::uint64_t SuperblockShape::window_bit() const {
  return std::uint64_t{1} << (8 * std::min<unsigned>(sizes.offset_size, 8) - 2);
}

Result<SuperblockShape> superblock_shape(ConstBytes bytes) {
  if (!has_superblock_signature(bytes)) return PCIO_ERROR(FILE, NOTHDF5, "no HDF5 signature here");
  ByteReader reader(bytes);
  reader.skip(kSuperblockSignature.size());
  SuperblockShape shape;
  shape.version = reader.u8();
  if (shape.version > 3) return PCIO_ERROR(FILE, VERSION, "superblock version beyond 3");
  if (shape.version <= 1) reader.skip(4);
  shape.sizes.offset_size = reader.u8();
  shape.sizes.length_size = reader.u8();
  PCIO_TRY(reader.check("superblock"));
  PCIO_TRY(check_file_sizes(shape.sizes));
  shape.size = superblock_size(shape.version, shape.sizes);
  const std::size_t first = shape.version == 0 ? 24 : shape.version == 1 ? 28 : 12;
  // Before the field: base address and free space or extension address.
  shape.end_of_file = first + 2 * std::size_t{shape.sizes.offset_size};
  if (bytes.size() < shape.size) return PCIO_ERROR(FILE, TRUNCATED, "truncated superblock");
  return shape;
}

bool is_window(const SuperblockShape& shape, ConstBytes bytes) {
  return (bytes[shape.window_byte()] & std::byte{0x40}) != std::byte{0} &&
         (bytes[shape.window_byte()] & std::byte{0x80}) == std::byte{0};
}

bool checksum_fits(const SuperblockShape& shape, ConstBytes bytes) {
  if (!shape.has_checksum()) return true;
  ByteReader stored(bytes.subspan(shape.size - 4));
  return stored.u32() == lookup3(bytes.first(shape.size - 4));
}

bool can_open_window(const SuperblockShape& shape, std::uint64_t file_size) {
  return file_size < shape.window_bit();
}

std::vector<std::byte> make_window(const SuperblockShape& shape, ConstBytes committed) {
  ByteWriter out;
  const std::size_t body = shape.has_checksum() ? shape.size - 4 : shape.size;
  out.bytes(committed.first(body));
  const auto high = std::to_integer<std::uint64_t>(committed[shape.window_byte()]);
  out.patch(shape.window_byte(), high | 0x40, 1);
  if (shape.has_checksum()) out.u32(lookup3(out.view()));
  return std::move(out).take();
}

SuperblockMatch match_superblock(const SuperblockShape& shape, ConstBytes disk, ConstBytes previous,
                                 ConstBytes next) {
  const std::vector<std::byte> window = make_window(shape, previous);
  disk = disk.first(shape.size);
  auto equals = [&](ConstBytes other) {
    return std::equal(disk.begin(), disk.end(), other.begin());
  };
  if (equals(previous)) return SuperblockMatch::kPrevious;
  if (equals(next)) return SuperblockMatch::kNext;
  if (equals(window)) return SuperblockMatch::kWindow;
  // A whole superblock of anybody has a fitting checksum; without one the window bit must be left.
  if (shape.has_checksum() ? checksum_fits(shape, disk) : !is_window(shape, disk))
    return SuperblockMatch::kOther;
  if (is_mixture(disk, previous, window, next)) return SuperblockMatch::kTorn;
  return SuperblockMatch::kOther;
}

}  // namespace pcio
