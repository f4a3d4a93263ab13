// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/file: the superblock of a file and its extension, and the root group that it names.

#pragma once

#include "props/file_props.hpp"
#include "storage/bytes/kept_space.hpp"
#include "storage/gate/commit_writer.hpp"
#include "storage/objects/object_table.hpp"

namespace pcio {

/// Makes, reads and encodes what a file says of itself. The superblock in the FileContext is what the last
/// commit wrote; the next one is made of it for each commit. Equal on all ranks. Threads: one thread
/// drives a file.
class SuperblockStore {
 public:
  SuperblockStore(FileContext& file, FileEnd& end, CommitWriter& writer, ObjectTable& objects)
      : file_(file), end_(end), writer_(writer), objects_(objects) {}

  /// Of a new file: superblock, extension where it needs one, and an empty root group. Collective: pure.
  Status make(const FileCreateProps& create);
  /// Of a file that is opened. Collective: independent.
  /// Errors: not an HDF5 file, truncated, or something in it that is not understood, by name.
  Status read(const FileAccessProps& access);
  /// The low bound of the format of what is made from now on.
  void set_format(FormatVersion format) { file_.format = format; }

  /// The next commit writes a superblock of version 2 where there is a later one, and nothing about file
  /// space: pages and lists of free space are given up. Collective: pure.
  /// Source: HDF5 Reference Manual, H5Fformat_convert; what is left was seen with libhdf5 1.10.8.
  Status become_earlier();

  /// The extension's object; null where there is none.
  [[nodiscard]] const StoredObjectPtr& extension() const { return extension_; }
  /// Strategy of file space, and whether free space is kept in the file.
  [[nodiscard]] const FileSpaceInfoMessage& space_info() const { return kept_.info; }
  [[nodiscard]] bool keeps_space() const { return kept_.keeps(); }
  /// Of the managers and lists in the file that say what is free there.
  [[nodiscard]] std::uint64_t kept_space_bytes() const {
    std::uint64_t bytes = 0;
    for (const ByteRange& block : kept_.blocks) bytes += block.size;
    return bytes;
  }
  /// What of the file its driver has for what it says of itself, in files with a superblock of version 0 or 1.
  [[nodiscard]] std::optional<ByteRange> driver_note_range() const {
    const FileAddress at = file_.superblock.driver_info_address;
    if (at == kUndefinedAddress) return std::nullopt;
    return ByteRange{at, kDriverInfoPrefixSize + told_.info.size()};
  }
  /// The file keeps its free space but does not say what is free.
  [[nodiscard]] bool space_is_outdated() const { return kept_.outdated; }

  // --- for commits ---
  /// There never was a commit.
  [[nodiscard]] bool is_new() const { return is_new_; }
  /// The bytes of the next superblock. `root_links`: the root group's symbol table in the file; null:
  /// it has none. Collective: pure.
  Result<std::vector<std::byte>> encode_next(const SymbolTablePlace* root_links) const;
  /// What the driver has to say of itself, where it differs from what the file says. Serial files.
  /// Errors: those of the driver.
  Status plan_driver_note(BlockSet* blocks);
  /// Puts into what was planned where the parts of the file end, when everything has its place; files of
  /// several parts. Collective: pure.
  Status settle_part_ends();
  /// What the file says of the ends of its parts is so now.
  [[nodiscard]] bool tells_part_ends() const {
    return !file_.space.is_parted() || told_ends_ == file_.space.part_ends();
  }
  /// What a metadata cache image has for places that `blocks` leaves as they are; the image goes with this
  /// commit. After all other blocks are planned. Collective: pure.
  Status plan_cache_image(BlockSet* blocks);
  /// The next superblock is in the file.
  void mark_committed(CommittedIn where);
  /// What is committed in the journal only has been put in place.
  void forget_unrecovered();
  /// What is free stands in the file while nobody writes to it, and at no other time: from here on the
  /// extension says that the file has no list. Files that keep their space. Collective: pure.
  Status retract_space();
  /// Places the list of what is free now; the extension, whose header has its place, says where.
  /// After retract_space(), when everything else has its place. Collective: pure.
  Status list_space(BlockSet* blocks);

 private:
  Status make_superblock(const FileCreateProps& create);
  Status make_extension(const FileCreateProps& create);
  Status make_root(const FileCreateProps& create);
  Result<HeaderMessage> make_shared_table(const FileCreateProps& create);
  Status take_driver_note(DriverNote note);
  void take_parts();
  Status check_parts() const;
  Status put_driver_message();
  Status read_driver_note();
  Status find_superblock();
  [[nodiscard]] Status check_writer() const;
  Status read_extension();
  Status read_cache_image();
  Status take_bounds(const FileAccessProps& access);
  Status find_root();
  Result<HeaderMessage> space_info_message() const;
  Status take_space_info(const HeaderMessage& message);

  FileContext& file_;
  FileEnd& end_;
  CommitWriter& writer_;
  ObjectTable& objects_;
  StoredObjectPtr extension_;
  KeptSpace kept_;
  DriverNote told_;                          ///< what the file says of its driver
  DriverNote to_tell_;                       ///< what the next commit makes of it
  std::vector<FileAddress> told_ends_;       ///< of the parts, as the file says
  std::vector<FileAddress> to_tell_ends_;    ///< what the next commit makes of them
  std::shared_ptr<const CacheImage> image_;  ///< until it is in place
  bool image_in_journal_ = false;            ///< a commit has it
  bool is_new_ = false;
  bool tells_space_ = false;  ///< a file-space message that counts was read
};

}  // namespace pcio
