// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/transports: the owner's side of an exchange: the image of one slice of the file.

#pragma once

#include <span>
#include <vector>

#include "agree/coordinator.hpp"
#include "storage/bytes/byte_target.hpp"
#include "transfer/pieces/byte_map.hpp"
#include "transfer/pieces/file_piece.hpp"
#include "transfer/transports/joined_images.hpp"
#include "transfer/transports/sections.hpp"

namespace pcio {

/// Whether the bytes between two pieces may be read and written back, which is right only while
/// nobody else's copy of them can be newer: on one machine.
enum class GapWrites : std::uint8_t { kAllowed, kForbidden };

/// Threads: one thread.
class SliceImage {
 public:
  SliceImage(ByteTarget& store, GapWrites gaps) : store_(store), gaps_(gaps) {}
  SliceImage(const SliceImage&) = delete;
  SliceImage& operator=(const SliceImage&) = delete;
  virtual ~SliceImage() = default;

  /// Gets the memory for maps of slices of at most `bytes`. May throw bad_alloc.
  void reserve(std::uint64_t bytes);
  /// Begins with the slice of `bytes` bytes at `start`; `image`: room for them. `map`: room for a map that the ranks
  /// of a node share (ByteMap::words_of); nullptr: this rank alone marks. Without a map, and for reads: may throw bad_alloc.
  void begin(FileAddress start, std::uint64_t bytes, std::byte* image,
             std::uint64_t* map = nullptr);
  /// That of another rank of the node, who has begun with it: to mark, put and get only.
  void visit(FileAddress start, std::uint64_t bytes, std::byte* image, std::uint64_t* map);

  /// Writes: notes what a rank has put, or is about to put, into the image. Reads: what it wants.
  /// Errors: sections outside the slice.
  Status mark(std::span<const Section> sections);
  /// Writes: marks, and puts a rank's payload where its sections say. Errors: as mark.
  Status put(std::span<const Section> sections, ConstBytes payload);
  /// Writes: everything that was put goes to the file, neighbours in one call.
  Status flush();
  /// The same, by calls that may go on with the next image. What else is in the images is lost.
  Status flush(JoinedImages& calls);

  /// Reads: gets from the file what is wanted and not here yet.
  Status load();
  /// The same, by calls that may go on with the next image: it is here when they are finished.
  Status load(JoinedImages& calls);
  /// Reads: what the sections say, packed into `payload`.
  Status get(std::span<const Section> sections, Bytes payload) const;

 protected:
  // What touches bytes of the image.
  virtual void copy_in(std::span<const Section> sections, ConstBytes payload);
  virtual void copy_out(std::span<const Section> sections, Bytes payload) const;
  /// Keeps of [first, last), as the file has it in scratch_, what no rank has put there.
  virtual void keep_gaps(std::uint64_t first, std::uint64_t last);

 private:
  [[nodiscard]] Status check(std::span<const Section> sections) const;
  template <class Write>
  Status flush_by(Write&& write);
  template <class Read>
  Status load_by(Read&& read);
  [[nodiscard]] Bytes bytes_at(std::uint64_t first, std::uint64_t last) const {
    return {image_ + first, static_cast<std::size_t>(last - first)};
  }
  Status fill_gaps(std::uint64_t first, std::uint64_t last);

  ByteTarget& store_;
  GapWrites gaps_;
  FileAddress start_ = 0;
  std::uint64_t size_ = 0;
  std::byte* image_ = nullptr;
  ByteMap map_;     ///< what was put; what is wanted
  ByteMap loaded_;  ///< reads: what is here
  std::vector<std::byte> scratch_;
};

/// That of a dry run, over a store that counts: no byte is touched.
class StillImage final : public SliceImage {
 public:
  using SliceImage::SliceImage;

 private:
  void copy_in(std::span<const Section>, ConstBytes) override {}
  void copy_out(std::span<const Section>, Bytes) const override {}
  void keep_gaps(std::uint64_t, std::uint64_t) override {}
};

}  // namespace pcio
