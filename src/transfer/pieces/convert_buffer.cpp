// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/pieces: ElementMover.

#include "transfer/pieces/convert_buffer.hpp"

#include <algorithm>
#include <cstring>

#include "base/stream_copy.hpp"
#include "base/time_split.hpp"
#include "transfer/pieces/read_pieces.hpp"

namespace pcio {

namespace {

/// memcpy whose length the compiler knows for what is common: most pieces of a fine interleave are
/// single elements or a few.
inline void copy_piece(std::byte* to, const std::byte* from, std::size_t n) {
  switch (n) {
    case 1: *to = *from; return;
    case 2: std::memcpy(to, from, 2); return;
    case 4: std::memcpy(to, from, 4); return;
    case 8: std::memcpy(to, from, 8); return;
    case 16: std::memcpy(to, from, 16); return;
    case 32: std::memcpy(to, from, 32); return;
    case 64: std::memcpy(to, from, 64); return;
    default: std::memcpy(to, from, n);
  }
}

/// Elements from which a piece is worth a conversion of its own.
constexpr std::uint64_t kConvertInPlace = 256;

/// A read of more than this leaves its first bytes in no cache, so that the rest goes past it. Bytes.
constexpr std::uint64_t kCacheBytes = std::uint64_t{4} << 20;
/// A piece of fewer lines is copied as ever. Bytes.
constexpr std::size_t kStreamBytes = 512;
/// What is converted on its way past the cache stays in the first level until then. Bytes.
constexpr std::size_t kStreamStaging = std::size_t{16} << 10;

}  // namespace

void ElementMover::gather(std::span<const FilePiece> pieces, std::byte* to) const {
  const std::size_t size = form_.memory_size;
  for (const FilePiece& p : pieces) {
    const std::size_t n = p.count * size;
    copy_piece(to, buffer_ + p.memory_element * size, n);
    to += n;
  }
}

void ElementMover::deliver(const FilePiece& piece, const std::byte* from) {
  const std::size_t n = piece.count * form_.memory_size;
  std::byte* to = buffer_ + piece.memory_element * form_.memory_size;
  if (streams() && n >= kStreamBytes)
    stream_copy(to, from, n);
  else
    copy_piece(to, from, n);
  delivered_ += n;
}

void ElementMover::scatter(const std::byte* from, std::span<const FilePiece> pieces) {
  const std::size_t size = form_.memory_size;
  for (const FilePiece& p : pieces) {
    deliver(p, from);
    from += p.count * size;
  }
  if (streams()) finish_streaming();
}

bool ElementMover::streams() const { return delivered_ > kCacheBytes; }

/// Calls each(pieces, first element of them, elements) for batches that fit the staging buffer. Only a piece that
/// doesn't is cut.
template <class F>
Status ElementMover::in_batches(std::span<const FilePiece> pieces, F&& each) {
  const std::size_t widest = std::max<std::size_t>({form_.file_size, form_.memory_size, 1});
  const std::size_t staging =
      streams() ? std::min(form_.staging_bytes, kStreamStaging) : form_.staging_bytes;
  const std::uint64_t capacity = std::max<std::uint64_t>(1, staging / widest);
  std::uint64_t done = 0;
  auto run = [&](std::span<const FilePiece> batch, std::uint64_t elements) -> Status {
    staging_.resize(std::max<std::size_t>(staging_.size(), elements * form_.memory_size));
    PCIO_TRY(each(batch, done, elements));
    done += elements;
    return Status();
  };
  for (std::size_t first = 0; first < pieces.size();) {
    std::size_t last = first;
    std::uint64_t elements = 0;
    while (last < pieces.size() && pieces[last].count <= capacity - elements)
      elements += pieces[last++].count;
    if (elements > 0) PCIO_TRY(run(pieces.subspan(first, last - first), elements));
    if (last == first) {
      for (FilePiece piece = pieces[last++]; piece.count > 0;) {
        const std::uint64_t n = std::min(piece.count, capacity);
        const FilePiece part{piece.address, piece.memory_element, n};
        PCIO_TRY(run({&part, 1}, n));
        piece = {piece.address + n * form_.file_size, piece.memory_element + n, piece.count - n};
      }
    }
    first = last;
  }
  return Status();
}

Status ElementMover::pack(std::span<const FilePiece> pieces, Bytes out) {
  if (form_.changes()) {
    const Spends converts(Spent::kConversion);
    return pack_changed(pieces, out);
  }
  gather(pieces, out.data());
  return Status();
}

/// Long pieces are converted straight from or to the application's buffer.
bool ElementMover::converts_in_place(const FilePiece& piece) const {
  return form_.converts() && !form_.transform && piece.count >= kConvertInPlace;
}

Status ElementMover::pack_changed(std::span<const FilePiece> pieces, Bytes out) {
  return in_stretches(pieces, [&](std::span<const FilePiece> part, std::uint64_t first) -> Status {
    std::byte* to = out.data() + first * form_.file_size;
    const std::uint64_t n = part.front().count;
    if (!converts_in_place(part.front()))
      return pack_batches(part, out.subspan(first * form_.file_size));
    if (!form_.needs_background()) std::memset(to, 0, n * form_.file_size);
    return form_.conversion->run(in_place(part.front()), to, n);
  });
}

/// Calls each(pieces, number of their first element) for single long pieces, and for what lies
/// between them.
template <class F>
Status ElementMover::in_stretches(std::span<const FilePiece> pieces, F&& each) {
  std::uint64_t element = 0;
  // Asked once, not for every element of a fine interleave.
  const bool never = !form_.converts() || form_.transform;
  const auto is_short = [&](const FilePiece& p) { return never || p.count < kConvertInPlace; };
  for (std::size_t first = 0; first < pieces.size();) {
    std::size_t last = first + 1;
    std::uint64_t n = pieces[first].count;
    if (is_short(pieces[first]))
      while (last < pieces.size() && is_short(pieces[last])) n += pieces[last++].count;
    PCIO_TRY(each(pieces.subspan(first, last - first), element));
    element += n;
    first = last;
  }
  return Status();
}

Status ElementMover::pack_batches(std::span<const FilePiece> pieces, Bytes out) {
  return in_batches(
      pieces,
      [&](std::span<const FilePiece> batch, std::uint64_t first, std::uint64_t n) -> Status {
        std::byte* to = out.data() + first * form_.file_size;
        std::byte* memory = form_.converts() ? staging_.data() : to;
        gather(batch, memory);
        if (form_.transform) PCIO_TRY(form_.transform(memory, n));
        if (!form_.converts()) return Status();
        // Gaps between members are zero, so that equal data give equal files.
        if (!form_.needs_background()) std::memset(to, 0, n * form_.file_size);
        return form_.conversion->run(memory, to, n);
      });
}

Status ElementMover::unpack(Bytes in, std::span<const FilePiece> pieces) {
  if (form_.changes()) {
    const Spends converts(Spent::kConversion);
    return unpack_changed(in, pieces);
  }
  scatter(in.data(), pieces);
  return Status();
}

Status ElementMover::unpack_changed(Bytes in, std::span<const FilePiece> pieces) {
  if (streams()) return unpack_batches(in, pieces);
  return in_stretches(pieces, [&](std::span<const FilePiece> part, std::uint64_t first) -> Status {
    std::byte* from = in.data() + first * form_.file_size;
    if (converts_in_place(part.front())) {
      delivered_ += part.front().count * form_.memory_size;
      return form_.conversion->run(from, in_place(part.front()), part.front().count);
    }
    return unpack_batches(in.subspan(first * form_.file_size), part);
  });
}

Status ElementMover::unpack_batches(Bytes in, std::span<const FilePiece> pieces) {
  return in_batches(
      pieces,
      [&](std::span<const FilePiece> batch, std::uint64_t first, std::uint64_t n) -> Status {
        std::byte* from = in.data() + first * form_.file_size;
        std::byte* memory = form_.converts() ? staging_.data() : from;
        if (form_.keeps_memory()) gather(batch, memory);
        if (form_.converts()) PCIO_TRY(form_.conversion->run(from, memory, n));
        if (form_.transform) PCIO_TRY(form_.transform(memory, n));
        scatter(memory, batch);
        return Status();
      });
}

template <class F>
Status ElementMover::in_packed_groups(std::span<const FilePiece> pieces, F&& each) {
  for (std::size_t first = 0; first < pieces.size();) {
    std::uint64_t bytes = file_bytes(pieces[first]);
    std::size_t last = first + 1;
    while (last < pieces.size() && bytes + file_bytes(pieces[last]) <= form_.staging_bytes)
      bytes += file_bytes(pieces[last++]);
    if (packed_.size() < bytes) packed_.resize(bytes);
    PCIO_TRY(each(pieces.subspan(first, last - first), Bytes(packed_).first(bytes)));
    first = last;
  }
  return Status();
}

Status ElementMover::place(std::span<const FilePiece> pieces, FileAddress start, std::byte* image,
                           ByteTarget& store) {
  if (!form_.changes()) {
    for (const FilePiece& p : pieces)
      copy_piece(image + (p.address - start), in_place(p), file_bytes(p));
    return Status();
  }
  return in_packed_groups(pieces, [&](std::span<const FilePiece> group, Bytes packed) -> Status {
    PCIO_TRY(read_background(group, packed, store));
    PCIO_TRY(pack(group, packed));
    std::uint64_t at = 0;
    for (const FilePiece& p : group) {
      copy_piece(image + (p.address - start), packed.data() + at, file_bytes(p));
      at += file_bytes(p);
    }
    return Status();
  });
}

Status ElementMover::read_background(std::span<const FilePiece> pieces, Bytes packed,
                                     ByteTarget& store) const {
  if (!form_.needs_background()) return Status();
  return read_pieces(pieces, form_.file_size, packed, store);
}

Status StillMover::place(std::span<const FilePiece> pieces, FileAddress /*start*/,
                         std::byte* /*image*/, ByteTarget& store) {
  if (!form().needs_background()) return Status();
  return in_packed_groups(pieces, [&](std::span<const FilePiece> group, Bytes packed) {
    return read_background(group, packed, store);
  });
}

Status ElementMover::pick(std::span<const FilePiece> pieces, FileAddress start,
                          const std::byte* image) {
  if (!form_.changes()) {
    for (const FilePiece& p : pieces) deliver(p, image + (p.address - start));
    if (streams()) finish_streaming();
    return Status();
  }
  return in_packed_groups(pieces, [&](std::span<const FilePiece> group, Bytes packed) -> Status {
    std::uint64_t at = 0;
    for (const FilePiece& p : group) {
      copy_piece(packed.data() + at, image + (p.address - start), file_bytes(p));
      at += file_bytes(p);
    }
    return unpack(packed, group);
  });
}

Status ElementMover::fill(std::span<const FilePiece> pieces, ConstBytes element) {
  std::vector<std::byte> memory(form_.memory_size);
  if (!form_.keeps_memory()) PCIO_TRY(make_element(element, memory.data()));
  for (const FilePiece& p : pieces) {
    std::byte* to = in_place(p);
    for (std::uint64_t i = 0; i < p.count; ++i, to += memory.size()) {
      if (form_.keeps_memory())
        PCIO_TRY(make_element(element, to));
      else
        copy_piece(to, memory.data(), memory.size());
    }
  }
  return Status();
}

Status ElementMover::make_element(ConstBytes element, std::byte* to) {
  if (form_.converts())
    PCIO_TRY(form_.conversion->run(element.data(), to, 1));
  else
    std::copy_n(element.begin(), std::min(element.size(), form_.memory_size), to);
  return form_.transform ? form_.transform(to, 1) : Status();
}

}  // namespace pcio
