// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/pieces: elements between the application's buffer and packed bytes in the file's form.
//
// Every transport packs and unpacks here, so type conversion and data transforms work the same way
// in all of them. Memory: two staging buffers of at most `staging_bytes`, only where something is
// converted.

#pragma once

#include <functional>
#include <span>
#include <vector>

#include "base/status.hpp"
#include "storage/bytes/byte_target.hpp"
#include "transfer/pieces/by_effort.hpp"
#include "transfer/pieces/file_piece.hpp"
#include "type/convert.hpp"

namespace pcio {

/// Element sizes in bytes and the way between them. `conversion` runs in the direction of the
/// transfer and may be null or a no-op: then both sizes are equal.
struct ElementForm {
  std::size_t file_size = 1;
  std::size_t memory_size = 1;
  const Conversion* conversion = nullptr;
  /// Changes `n` packed elements in the memory type: before the conversion of a write, after that
  /// of a read. May be empty.
  std::function<Status(std::byte* data, std::uint64_t n)> transform;
  std::size_t staging_bytes = std::size_t{1} << 20;

  [[nodiscard]] bool converts() const { return conversion != nullptr && !conversion->is_noop(); }
  /// Elements can't go between file and buffer as they are.
  [[nodiscard]] bool changes() const { return converts() || transform; }
  /// Converted elements keep members that were there before.
  [[nodiscard]] bool needs_background() const {
    return converts() && conversion->needs_background();
  }
  [[nodiscard]] bool may_call_program() const {
    return converts() && conversion->may_call_program();
  }
  /// What gets space is filled first: old bytes count where members stay, and where a function of the program may have
  /// written before it ends the transfer.
  [[nodiscard]] bool fills_first() const { return needs_background() || may_call_program(); }
  /// Reads: bytes of the application's elements stay as they are.
  [[nodiscard]] bool keeps_memory() const { return converts() && conversion->leaves_gaps(); }
};

/// Threads: thread-compatible.
class ElementMover {
 public:
  /// `buffer`: the application's; read only for writes.
  ElementMover(const ElementForm& form, std::byte* buffer) : form_(form), buffer_(buffer) {}
  ElementMover(const ElementMover&) = delete;
  ElementMover& operator=(const ElementMover&) = delete;
  virtual ~ElementMover() = default;

  [[nodiscard]] const ElementForm& form() const { return form_; }
  /// Bytes that the pieces take in the file.
  [[nodiscard]] std::uint64_t file_bytes(const FilePiece& piece) const {
    return piece.count * form_.file_size;
  }
  /// A piece where the application has it; only where nothing is changed on the way.
  [[nodiscard]] std::byte* in_place(const FilePiece& piece) {
    return buffer_ + piece.memory_element * form_.memory_size;
  }

  /// An image of `bytes` bytes, where the application has it as it is in the file, all in one of the pieces; else
  /// nothing. Writes: read only.
  [[nodiscard]] virtual Bytes whole_image(std::span<const FilePiece> pieces, std::uint64_t bytes) {
    const bool whole = pieces.size() == 1 && pieces[0].address == 0 && !form_.changes() &&
                       file_bytes(pieces[0]) == bytes;
    return whole ? Bytes(in_place(pieces[0]), static_cast<std::size_t>(bytes)) : Bytes();
  }

  /// Packs the pieces in their order into `out` (their file_bytes), in file form. Where a
  /// conversion needs a background, `out` holds the elements of the file. On failure `out` is
  /// undefined. Errors: those of the conversion and of the transform.
  virtual Status pack(std::span<const FilePiece> pieces, Bytes out);
  /// The way back. `in` may be changed.
  virtual Status unpack(Bytes in, std::span<const FilePiece> pieces);
  /// Writes: puts each piece where it lies in `image`, whose first byte is at `start` in the file.
  /// Where a conversion needs a background, it is read from `store`. Errors: as pack; the store's.
  virtual Status place(std::span<const FilePiece> pieces, FileAddress start, std::byte* image,
                       ByteTarget& store);
  /// Reads: takes each piece from where it lies in `image`, which stays as it is.
  virtual Status pick(std::span<const FilePiece> pieces, FileAddress start, const std::byte* image);
  /// Puts `element` (in file form) at every element of the pieces, converted and transformed.
  virtual Status fill(std::span<const FilePiece> pieces, ConstBytes element);

 protected:
  /// Calls each(pieces, packed) for groups of pieces whose bytes fit a buffer, or single pieces.
  template <class F>
  Status in_packed_groups(std::span<const FilePiece> pieces, F&& each);
  /// Bytes that a conversion keeps, from `store`, into `packed`. Nothing where it keeps none.
  Status read_background(std::span<const FilePiece> pieces, Bytes packed, ByteTarget& store) const;

 private:
  void gather(std::span<const FilePiece> pieces, std::byte* to) const;
  void scatter(const std::byte* from, std::span<const FilePiece> pieces);
  /// Copies one piece, in memory form, into the application's buffer.
  void deliver(const FilePiece& piece, const std::byte* from);
  /// So much was read that the application's buffer can't stay in a cache.
  [[nodiscard]] bool streams() const;
  Status pack_changed(std::span<const FilePiece> pieces, Bytes out);
  Status unpack_changed(Bytes in, std::span<const FilePiece> pieces);
  Status pack_batches(std::span<const FilePiece> pieces, Bytes out);
  Status unpack_batches(Bytes in, std::span<const FilePiece> pieces);
  [[nodiscard]] bool converts_in_place(const FilePiece& piece) const;
  template <class F>
  Status in_stretches(std::span<const FilePiece> pieces, F&& each);
  Status make_element(ConstBytes element, std::byte* to);
  template <class F>
  Status in_batches(std::span<const FilePiece> pieces, F&& each);

  const ElementForm& form_;
  std::byte* buffer_;
  std::uint64_t delivered_ = 0;     // bytes put into the application's buffer
  std::vector<std::byte> staging_;  // memory form
  std::vector<std::byte> packed_;   // file form, on the way from or to an image
};

/// That of a dry run: reads what a conversion would keep, from what counts it, and touches nothing.
class StillMover final : public ElementMover {
 public:
  using ElementMover::ElementMover;

  [[nodiscard]] Bytes whole_image(std::span<const FilePiece>, std::uint64_t) override {
    return Bytes();
  }
  Status pack(std::span<const FilePiece>, Bytes) override { return Status(); }
  Status unpack(Bytes, std::span<const FilePiece>) override { return Status(); }
  Status place(std::span<const FilePiece> pieces, FileAddress start, std::byte* image,
               ByteTarget& store) override;
  Status pick(std::span<const FilePiece>, FileAddress, const std::byte*) override {
    return Status();
  }
  Status fill(std::span<const FilePiece>, ConstBytes) override { return Status(); }
};

using MoverByEffort = ByEffort<ElementMover, ElementMover, StillMover>;

}  // namespace pcio
