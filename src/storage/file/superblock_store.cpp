// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/file: finding, checking and making superblocks.

#include <algorithm>

#include "base/checked.hpp"
#include "format/btree_k_message.hpp"
#include "format/extension_messages.hpp"
#include "storage/file/file_store.hpp"
#include "storage/objects/message_codec.hpp"

namespace pcio {

namespace {

/// What the create list asks for and this library can't write, by name.
Status check_create_props(const FileCreateProps& create) {
  if (create.shared_message_indexes > 0)
    return PCIO_ERROR(FILE, UNSUPPORTED,
                      "shared object header messages (H5Pset_shared_mesg_nindexes) can't be "
                      "written yet");
  return Status();
}

/// The default strategy is what a file without a message has.
bool stores_strategy(const FileCreateProps& create) {
  const FileCreateProps usual;
  return create.strategy != usual.strategy || create.persist_free_space ||
         create.free_space_threshold != usual.free_space_threshold ||
         create.file_space_page_size != usual.file_space_page_size;
}

/// The message may be replaced, so it is not marked as constant; who does not know it says so.
constexpr std::uint8_t kSpaceInfoFlags = kMessageNotShareable | kMessageMarkIfUnknown;

/// The end of a file whose places are written in so many bytes, behind its base; all ones is no place.
std::uint64_t largest_end(const Superblock& superblock) {
  const std::uint64_t usual = SpaceSettings().max_address;
  const unsigned bits = 8U * superblock.sizes.offset_size;
  const std::uint64_t most = bits < 62 ? (std::uint64_t{1} << bits) - 2 : usual;
  return most - std::min(most, superblock.base_address);
}

bool default_node_sizes(const FileCreateProps& create) {
  return create.symbol_internal_k == 16 && create.symbol_leaf_k == 4 &&
         create.chunk_internal_k == 32;
}

}  // namespace

Status FileStore::make_superblock(const FileCreateProps& create) {
  PCIO_TRY(check_create_props(create));
  context_.superblock.sizes = {create.sizeof_address, create.sizeof_size};
  PCIO_TRY(check_file_sizes(context_.superblock.sizes));
  kept_.info.strategy = create.strategy;
  kept_.info.persist = create.persist_free_space;
  kept_.info.threshold = create.free_space_threshold;
  kept_.info.page_size = create.file_space_page_size;
  kept_.outdated = kept_.keeps();
  bool stored_strategy = stores_strategy(create);
  SpaceSettings settings = context_.space.settings();
  apply_space_info(kept_.info, &settings);
  context_.superblock.base_address = create.userblock;
  settings.max_address = largest_end(context_.superblock);
  context_.space.set_settings(settings);
  context_.superblock.version = superblock_version(context_.format);
  if (stored_strategy) context_.superblock.version = std::max(context_.superblock.version, 2U);
  if (context_.superblock.version == 0 && create.chunk_internal_k != 32)
    context_.superblock.version = 1;
  context_.superblock.group_leaf_k = create.symbol_leaf_k;
  context_.superblock.group_internal_k = create.symbol_internal_k;
  context_.superblock.indexed_storage_internal_k = create.chunk_internal_k;
  context_.bytes = std::make_unique<FileBytes>(*context_.driver, context_.space, create.userblock);
  // The superblock is the first thing behind the base; nothing else may touch its bytes.
  PCIO_TRY(context_.space.allocate(
      superblock_size(context_.superblock.version, context_.superblock.sizes),
      context_.space.paged() ? SpaceUse::kMetadata : SpaceUse::kRawData));
  superblock_dirty_ = true;
  if (context_.superblock.version >= 2 && (stored_strategy || !default_node_sizes(create)))
    return make_extension(create);
  return Status();
}

Status FileStore::make_extension(const FileCreateProps& create) {
  std::vector<HeaderMessage> messages;
  if (!default_node_sizes(create)) {
    BtreeKMessage k{static_cast<std::uint16_t>(create.chunk_internal_k),
                    static_cast<std::uint16_t>(create.symbol_internal_k),
                    static_cast<std::uint16_t>(create.symbol_leaf_k)};
    PCIO_ASSIGN(HeaderMessage message,
                make_message(kMessageBtreeK, kMessageConstant,
                             [&](ByteWriter& out) { return encode_btree_k_message(k, out); }));
    messages.push_back(std::move(message));
  }
  if (stores_strategy(create)) {
    PCIO_ASSIGN(HeaderMessage message, space_info_message());
    messages.push_back(std::move(message));
  }
  PCIO_ASSIGN(extension_, objects_.create(std::move(messages), ObjectCreateProps()));
  objects_.add_reference(extension_);
  context_.superblock.extension_address = extension_->address;
  return Status();
}

Result<HeaderMessage> FileStore::space_info_message() const {
  return make_message(kMessageFileSpaceInfo, kSpaceInfoFlags, [&](ByteWriter& out) {
    return encode_file_space_info_message(kept_.info, context_.superblock.sizes, out);
  });
}

/// A reader does without a list of free space that makes no sense.
Status FileStore::take_space_info(const HeaderMessage& message) {
  ByteReader reader(message.body);
  PCIO_ASSIGN(kept_.info, decode_file_space_info_message(reader, context_.superblock.sizes));
  SpaceSettings settings = context_.space.settings();
  apply_space_info(kept_.info, &settings);
  context_.space.set_settings(settings);
  if (!kept_.keeps()) return Status();
  Status loaded =
      load_kept_space(*context_.bytes, context_.superblock.sizes, &kept_, &context_.space);
  return context_.writable ? loaded : Status();
}

/// What is free stands in the file while nobody writes to it, and at no other time.
Status FileStore::plan_kept_space(CommitKind kind, BlockSet* blocks) {
  if (!kept_.keeps()) return Status();
  if (!kept_.outdated) drop_kept_space(&kept_, &context_.space);
  PCIO_ASSIGN(HeaderMessage message, space_info_message());
  const std::size_t size = message.body.size();
  extension_->put(std::move(message));
  // The message may be larger than the one that was read: the header gets its place before it is told
  // what is free.
  PCIO_TRY(plan_object(*extension_, blocks));
  if (kind != CommitKind::kClose) return Status();
  end_.trim();
  PCIO_TRY(place_kept_space(context_.superblock.sizes, &kept_, &context_.space, blocks));
  PCIO_ASSIGN(HeaderMessage told, space_info_message());
  if (told.body.size() != size)
    return PCIO_ERROR(INTERNAL, BADSIZE, "the file-space message changed its size");
  extension_->put(std::move(told));
  return Status();
}

Status FileStore::find_superblock() {
  PCIO_ASSIGN(FileHead head, find_head(*context_.driver));
  PCIO_TRY(check_not_broken(head));
  context_.superblock = head.superblock;
  // A file that was moved behind a user block keeps its old base address; places shift with it.
  std::uint64_t end =
      context_.superblock.end_of_file - context_.superblock.base_address + head.position;
  context_.superblock.base_address = head.position;
  context_.superblock.end_of_file = end;
  if (end > head.file_size || end < head.position)
    return PCIO_ERROR(FILE, TRUNCATED,
                      "truncated file: its end of file is at byte " + std::to_string(end) +
                          ", but it has " + std::to_string(head.file_size) + " bytes");
  end_.set_size(head.file_size);
  auto settings = context_.space.settings();
  settings.max_address = largest_end(context_.superblock);
  context_.space = FileSpace(end - head.position, settings);
  context_.bytes = std::make_unique<FileBytes>(*context_.driver, context_.space, head.position);
  writer_.take_opened(std::move(head));
  // Only since version 3 do the flags say so; older files carry them without meaning.
  if (context_.superblock.version >= 3 &&
      (context_.superblock.flags & (kSuperblockWriteAccess | kSuperblockSwmrWriteAccess)) != 0)
    return PCIO_ERROR(FILE, CANTOPENFILE,
                      "file is marked as open for writing by another program, or was not closed "
                      "by it");
  return Status();
}

Status FileStore::read_extension() {
  if (context_.superblock.driver_info_address != kUndefinedAddress)
    return PCIO_ERROR(FILE, UNSUPPORTED,
                      "file was written by a driver that splits it (family or multi), which is "
                      "not supported yet");
  if (context_.superblock.extension_address == kUndefinedAddress) return Status();
  PCIO_ASSIGN(extension_, objects_.object(context_.superblock.extension_address));
  for (const HeaderMessage& message : extension_->header.messages) {
    ByteReader reader(message.body);
    if (message.type == kMessageBtreeK) {
      PCIO_ASSIGN(BtreeKMessage k, decode_btree_k_message(reader));
      context_.superblock.group_leaf_k = k.group_leaf_k;
      context_.superblock.group_internal_k = k.group_internal_k;
      context_.superblock.indexed_storage_internal_k = k.indexed_storage_internal_k;
    } else if (message.type == kMessageDriverInfo) {
      PCIO_ASSIGN(DriverInfoMessage info, decode_driver_info_message(reader));
      return PCIO_ERROR(
          FILE, UNSUPPORTED,
          "file was written by the driver \"" + info.driver + "\", which is not supported yet");
    } else if (message.type == kMessageCacheImage) {
      PCIO_ASSIGN(CacheImageMessage image,
                  decode_cache_image_message(reader, context_.superblock.sizes));
      if (image.address != kUndefinedAddress)
        return PCIO_ERROR(FILE, UNSUPPORTED,
                          "file holds a metadata cache image, which is not supported yet");
    } else if (message.type == kMessageFileSpaceInfo) {
      // Somebody wrote to the file who did not know the message: what it says may be outdated.
      if ((message.flags & kMessageWasUnknown) != 0) continue;
      PCIO_TRY(take_space_info(message));
      tells_space_ = true;
    } else if (message.type == kMessageSharedTable && context_.writable) {
      return PCIO_ERROR(FILE, UNSUPPORTED,
                        "file has a shared message table; writing to it is not supported yet");
    }
  }
  return Status();
}

/// What a file is already raises the low bound; what lies above the high one can't be opened, as in
/// HDF5.
Status FileStore::take_bounds(const FileAccessProps& access) {
  FormatVersion is = FormatVersion::kEarliest;
  if (context_.superblock.version >= 2) is = FormatVersion::kV18;
  if (context_.superblock.version >= 3) is = FormatVersion::kV110;
  const FormatVersion needs = tells_space_ ? FormatVersion::kV110 : is;
  if (static_cast<FormatVersion>(access.high_bound) < needs)
    return PCIO_ERROR(
        FILE, BADRANGE,
        std::string("the file is of a later format than the high bound "
                    "(H5Pset_libver_bounds): ") +
            (needs == is ? "superblock version " + std::to_string(context_.superblock.version)
                         : "it has a file-space message"));
  context_.format = std::max(context_.format, is);
  return Status();
}

Status FileStore::prepare_for_writing() {
  if (!context_.writable) return Status();
  PCIO_TRY(writer_.complete_opened());
  return end_.cut_to_superblock();
}

}  // namespace pcio
