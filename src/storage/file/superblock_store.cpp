// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/file: finding, checking and making superblocks.

#include "storage/file/superblock_store.hpp"

#include <algorithm>

#include "base/checked.hpp"
#include "format/btree_k_message.hpp"
#include "format/extension_messages.hpp"
#include "storage/objects/message_codec.hpp"

namespace pcio {

namespace {

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

Result<HeaderMessage> driver_message(const DriverNote& note) {
  return make_message(kMessageDriverInfo, kMessageNotShareable, [&](ByteWriter& out) {
    return encode_driver_info_message({note.driver, note.info}, out);
  });
}

bool default_node_sizes(const FileCreateProps& create) {
  return create.symbol_internal_k == 16 && create.symbol_leaf_k == 4 &&
         create.chunk_internal_k == 32;
}

}  // namespace

Status SuperblockStore::make(const FileCreateProps& create) {
  PCIO_TRY(make_superblock(create));
  return make_root(create);
}

Status SuperblockStore::read(const FileAccessProps& access) {
  PCIO_TRY(find_superblock());
  PCIO_TRY(read_extension());
  PCIO_TRY(take_bounds(access));
  return find_root();
}

Status SuperblockStore::make_superblock(const FileCreateProps& create) {
  file_.superblock.sizes = {create.sizeof_address, create.sizeof_size};
  PCIO_TRY(check_file_sizes(file_.sizes()));
  kept_.info.strategy = create.strategy;
  kept_.info.persist = create.persist_free_space;
  kept_.info.threshold = create.free_space_threshold;
  kept_.info.page_size = create.file_space_page_size;
  kept_.outdated = kept_.keeps();
  bool stored_strategy = stores_strategy(create);
  SpaceSettings settings = file_.space.settings();
  apply_space_info(kept_.info, &settings);
  file_.superblock.base_address = create.userblock;
  settings.max_address = largest_end(file_.superblock);
  file_.space.set_settings(settings);
  take_parts();
  PCIO_TRY(check_parts());
  file_.superblock.version = superblock_version(file_.format);
  const bool shares = create.shared_message_indexes > 0;
  if (stored_strategy || shares) file_.superblock.version = std::max(file_.superblock.version, 2U);
  if (file_.superblock.version == 0 && create.chunk_internal_k != 32) file_.superblock.version = 1;
  file_.superblock.group_leaf_k = create.symbol_leaf_k;
  file_.superblock.group_internal_k = create.symbol_internal_k;
  file_.superblock.indexed_storage_internal_k = create.chunk_internal_k;
  file_.bytes = std::make_unique<FileBytes>(*file_.driver, file_.space, create.userblock);
  // The superblock is the first thing behind the base; nothing else may touch its bytes.
  PCIO_ASSIGN(to_tell_, file_.driver->note());
  const bool tells = !to_tell_.driver.empty();
  std::uint64_t head = superblock_size(file_.superblock.version, file_.sizes());
  if (tells && file_.superblock.version < 2) {
    file_.superblock.driver_info_address = head;
    head += kDriverInfoPrefixSize + to_tell_.info.size();
  }
  if (file_.space.is_parted())
    PCIO_TRY(detail::to_status(file_.space.allocate_at_end(head)));
  else
    PCIO_TRY(
        file_.space.allocate(head, file_.space.paged() ? SpaceUse::kMetadata : SpaceUse::kRawData));
  is_new_ = true;
  if (file_.superblock.version >= 2 &&
      (tells || stored_strategy || shares || !default_node_sizes(create)))
    return make_extension(create);
  return Status();
}

Status SuperblockStore::make_extension(const FileCreateProps& create) {
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
  if (create.shared_message_indexes > 0) {
    PCIO_ASSIGN(HeaderMessage message, make_shared_table(create));
    messages.push_back(std::move(message));
  }
  if (!to_tell_.driver.empty()) {
    PCIO_ASSIGN(HeaderMessage message, driver_message(to_tell_));
    messages.push_back(std::move(message));
    told_ = to_tell_;
  }
  PCIO_ASSIGN(extension_, objects_.create(std::move(messages), ObjectCreateProps()));
  objects_.add_reference(extension_);
  file_.superblock.extension_address = extension_->address;
  return Status();
}

/// A table with empty indexes, and the message that says where it is.
Result<HeaderMessage> SuperblockStore::make_shared_table(const FileCreateProps& create) {
  std::vector<SharedMessageIndexHeader> indexes(create.shared_message_indexes);
  unsigned seen = 0;
  for (std::size_t i = 0; i < indexes.size(); ++i) {
    const SharedMessageIndex& asked = create.shared_messages[i];
    if ((seen & asked.types) != 0)
      return PCIO_ERROR(FILE, BADVALUE,
                        "two indexes of shared object header messages are for the same type "
                        "(H5Pset_shared_mesg_index)");
    seen |= asked.types;
    indexes[i].message_types = static_cast<std::uint16_t>(asked.types);
    indexes[i].min_size = asked.min_size;
    indexes[i].list_max = static_cast<std::uint16_t>(create.shared_list_max);
    indexes[i].tree_min = static_cast<std::uint16_t>(create.shared_tree_min);
    indexes[i].is_tree = create.shared_list_max == 0;
  }
  SharedTableMessage table;
  table.index_count = create.shared_message_indexes;
  PCIO_ASSIGN(table.table_address,
              file_.space.allocate(shared_table_size(table.index_count, file_.sizes()),
                                   SpaceUse::kMetadata));
  objects_.shared().make(table.table_address, std::move(indexes));
  return make_message(
      kMessageSharedTable, kMessageConstant | kMessageNotShareable,
      [&](ByteWriter& out) { return encode_shared_table_message(table, file_.sizes(), out); });
}

Result<HeaderMessage> SuperblockStore::space_info_message() const {
  return make_message(kMessageFileSpaceInfo, kSpaceInfoFlags, [&](ByteWriter& out) {
    return encode_file_space_info_message(kept_.info, file_.sizes(), out);
  });
}

/// A reader does without a list of free space that makes no sense.
Status SuperblockStore::take_space_info(const HeaderMessage& message) {
  ByteReader reader(message.body);
  PCIO_ASSIGN(kept_.info, decode_file_space_info_message(reader, file_.sizes()));
  SpaceSettings settings = file_.space.settings();
  apply_space_info(kept_.info, &settings);
  file_.space.set_settings(settings);
  if (!kept_.keeps()) return Status();
  Status loaded = load_kept_space(*file_.bytes, file_.sizes(), &kept_, &file_.space);
  return file_.writable ? loaded : Status();
}

Status SuperblockStore::retract_space() {
  if (!kept_.outdated) drop_kept_space(&kept_, &file_.space);
  PCIO_ASSIGN(HeaderMessage message, space_info_message());
  extension_->put(std::move(message));
  return Status();
}

Status SuperblockStore::list_space(BlockSet* blocks) {
  PCIO_TRY(place_kept_space(file_.sizes(), &kept_, &file_.space, blocks));
  PCIO_ASSIGN(HeaderMessage told, space_info_message());
  if (told.body.size() != extension_->find(kMessageFileSpaceInfo)->body.size())
    return PCIO_ERROR(INTERNAL, BADSIZE, "the file-space message changed its size");
  extension_->put(std::move(told));
  return Status();
}

Status SuperblockStore::become_earlier() {
  const bool tells = extension_ && extension_->find(kMessageFileSpaceInfo) != nullptr;
  if (file_.superblock.version <= 2 && !tells) return Status();
  objects_.touch(objects_.root());
  if (tells && extension_->header.messages.size() == 1) {
    PCIO_TRY(objects_.drop_reference(extension_));
    extension_.reset();
    file_.superblock.extension_address = kUndefinedAddress;
  } else if (tells) {
    extension_->remove_all(kMessageFileSpaceInfo);
    objects_.touch(extension_);
  }
  if (kept_.keeps() && !kept_.outdated) drop_kept_space(&kept_, &file_.space);
  kept_ = KeptSpace();
  tells_space_ = false;
  file_.space.become_plain();
  file_.superblock.version = std::min(file_.superblock.version, 2U);
  return Status();
}

Result<std::vector<std::byte>> SuperblockStore::encode_next(
    const SymbolTablePlace* root_links) const {
  const FileAddress root = objects_.root()->address;
  Superblock next = file_.superblock;
  next.end_of_file = end_.allocated();
  next.root_header = root;
  next.root = SymbolTableEntry();
  next.root.header_address = root;
  if (root_links != nullptr && root_links->btree != kUndefinedAddress) {
    next.root.cache = SymbolCache::kGroup;
    next.root.btree_address = root_links->btree;
    next.root.heap_address = root_links->heap;
  }
  ByteWriter out;
  PCIO_TRY(encode_superblock(next, out));
  return std::move(out).take();
}

Status SuperblockStore::plan_driver_note(BlockSet* blocks) {
  if (told_.driver.empty() && file_.superblock.driver_info_address == kUndefinedAddress)
    return Status();
  // libhdf5 takes the end of a part without bytes for 0, and reads nothing below it either.
  PCIO_TRY(file_.space.begin_empty_parts(is_new_ ? RawPart::kMayBeEmpty : RawPart::kNotEmpty));
  file_.driver->set_part_ends(file_.absolute_part_ends());
  PCIO_ASSIGN(DriverNote note, file_.driver->note());
  // Where parts end is known when all is planned.
  if (note.driver.empty() || (note == told_ && !file_.space.is_parted())) return Status();
  const DriverNote& before = is_new_ ? to_tell_ : told_;
  if (note.info.size() != before.info.size())
    return PCIO_ERROR(VFL, BADSIZE,
                      "what the file's driver says of itself has changed its size from " +
                          std::to_string(before.info.size()) + " to " +
                          std::to_string(note.info.size()) + " bytes");
  to_tell_ = std::move(note);
  if (file_.superblock.driver_info_address == kUndefinedAddress) return put_driver_message();
  blocks->push_back(
      {{file_.superblock.driver_info_address, kDriverInfoPrefixSize + to_tell_.info.size()},
       [this](ByteWriter& out) {
         return encode_driver_info_block({to_tell_.driver, to_tell_.info}, out);
       }});
  return Status();
}

Status SuperblockStore::put_driver_message() {
  PCIO_ASSIGN(HeaderMessage message, driver_message(to_tell_));
  extension_->put(std::move(message));
  objects_.touch(extension_);
  return Status();
}

Status SuperblockStore::settle_part_ends() {
  if (!file_.space.is_parted()) return Status();
  to_tell_ends_ = file_.space.part_ends();
  file_.driver->set_part_ends(file_.absolute_part_ends());
  // A file that was made with another driver has no place for it, and says nothing.
  if (told_.driver.empty() && file_.superblock.driver_info_address == kUndefinedAddress)
    return Status();
  PCIO_ASSIGN(to_tell_, file_.driver->note());
  return file_.superblock.driver_info_address == kUndefinedAddress ? put_driver_message()
                                                                   : Status();
}

/// The driver knows the parts from the access list, or better from the file.
void SuperblockStore::take_parts() {
  const AddressParts known = file_.driver->parts();
  const std::uint64_t base = file_.superblock.base_address;
  std::vector<SpacePart> parts;
  for (const AddressPart& part : known.parts)
    parts.push_back({part.start - std::min(part.start, base), part.end - std::min(part.end, base)});
  file_.space.set_parts(parts, {known.headers, known.metadata, known.raw_data});
}

Status SuperblockStore::check_parts() const {
  if (!file_.space.is_parted()) return Status();
  if (kept_.keeps() || file_.space.paged())
    return PCIO_ERROR(FILE, UNSUPPORTED,
                      "pages, and free space that is kept in the file, are not possible where a "
                      "file is split into several (H5Pset_file_space_strategy)");
  return Status();
}

void SuperblockStore::mark_committed(CommittedIn where) {
  told_ends_ = to_tell_ends_;
  if (!to_tell_.driver.empty()) told_ = to_tell_;
  file_.superblock.end_of_file = end_.allocated();
  image_in_journal_ = image_ != nullptr;
  // Its places have other bytes until then.
  if (where == CommittedIn::kPlace) forget_unrecovered();
  is_new_ = false;
}

void SuperblockStore::forget_unrecovered() {
  if (!image_in_journal_) return;
  file_.bytes->set_image(nullptr);
  image_.reset();
  image_in_journal_ = false;
}

Status SuperblockStore::find_superblock() {
  PCIO_ASSIGN(FileHead head, find_head(*file_.driver));
  PCIO_TRY(check_not_broken(head));
  file_.superblock = head.superblock;
  // A file that was moved behind a user block keeps its old base address; places shift with it.
  std::uint64_t end = file_.superblock.end_of_file - file_.superblock.base_address + head.position;
  file_.superblock.base_address = head.position;
  file_.superblock.end_of_file = end;
  // A writer beside says now and then only where its file ends.
  const bool cut = end > head.file_size && file_.beside_writer == 0;
  if (cut || end < head.position)
    return PCIO_ERROR(FILE, TRUNCATED,
                      "truncated file: its end of file is at byte " + std::to_string(end) +
                          ", but it has " + std::to_string(head.file_size) + " bytes");
  end_.set_size(head.file_size);
  auto settings = file_.space.settings();
  settings.max_address = largest_end(file_.superblock);
  file_.space = FileSpace(end - head.position, settings);
  take_parts();
  file_.bytes = std::make_unique<FileBytes>(*file_.driver, file_.space, head.position);
  if (end > head.file_size) file_.bytes->ask_what_is_there();
  writer_.take_opened(std::move(head));
  return check_writer();
}

/// Only since version 3 the flags say who writes; older files carry them without meaning.
Status SuperblockStore::check_writer() const {
  if (file_.superblock.version < 3) return Status();
  constexpr unsigned kSingleWriter = kSuperblockWriteAccess | kSuperblockSwmrWriteAccess;
  const unsigned writer = file_.superblock.flags & kSingleWriter;
  if (writer == 0 || (file_.beside_writer != 0 && writer == kSingleWriter)) return Status();
  return PCIO_ERROR(FILE, CANTOPENFILE,
                    "file is marked as open for writing by another program, or was not closed "
                    "by it");
}

/// Of a file of version 0 or 1.
Status SuperblockStore::read_driver_note() {
  const FileAddress at = file_.superblock.driver_info_address;
  PCIO_ASSIGN(auto prefix, file_.bytes->block(at, kDriverInfoPrefixSize, "driver information"));
  PCIO_ASSIGN(const std::uint64_t size, driver_info_block_size(prefix));
  PCIO_ASSIGN(auto bytes, file_.bytes->block(at, size, "driver information"));
  PCIO_ASSIGN(DriverInfoBlock block, decode_driver_info_block(bytes));
  return take_driver_note({std::move(block.driver), std::move(block.info)});
}

Status SuperblockStore::take_driver_note(DriverNote note) {
  told_ = std::move(note);
  PCIO_TRY(file_.driver->take_note(told_));
  take_parts();
  told_ends_ = to_tell_ends_ = file_.space.part_ends();
  return Status();
}

/// Everything that is read after this may be in the image. A writer puts it in place with its first commit.
Status SuperblockStore::read_cache_image() {
  const HeaderMessage* const message = extension_->find(kMessageCacheImage);
  if (message == nullptr) return Status();
  ByteReader reader(message->body);
  PCIO_ASSIGN(CacheImageMessage told, decode_cache_image_message(reader, file_.sizes()));
  if (told.address != kUndefinedAddress) {
    PCIO_ASSIGN(auto block, file_.bytes->block(told.address, told.size, "metadata cache image"));
    PCIO_ASSIGN(CacheImage image,
                CacheImage::decode(std::move(block), file_.sizes(), file_.bytes->end()));
    image_ = std::make_shared<const CacheImage>(std::move(image));
    file_.bytes->set_image(image_);
  }
  if (!file_.writable) return Status();
  file_.space.release({told.address, image_ ? told.size : 0});
  extension_->remove_all(kMessageCacheImage);
  objects_.touch(extension_);
  return Status();
}

Status SuperblockStore::plan_cache_image(BlockSet* blocks) {
  if (!image_) return Status();
  std::vector<ByteRange> planned;
  for (const DirtyBlock& block : *blocks) planned.push_back(block.range);
  std::sort(planned.begin(), planned.end(),
            [](const ByteRange& a, const ByteRange& b) { return a.offset < b.offset; });
  auto next = planned.begin();
  for (const CacheImage::Entry& entry : image_->entries()) {
    FileAddress at = entry.range.offset;
    const FileAddress end = std::min(at + entry.range.size, file_.bytes->end());
    while (at < end) {
      while (next != planned.end() && next->offset + next->size <= at) ++next;
      const FileAddress stop = next == planned.end() ? end : std::clamp(next->offset, at, end);
      if (stop > at) {
        const ConstBytes bytes =
            image_->bytes_of(entry).subspan(at - entry.range.offset, stop - at);
        blocks->push_back({{at, stop - at},
                           [image = image_, bytes](ByteWriter& out) {
                             out.bytes(bytes);
                             return Status();
                           },
                           BlockWriter::kAnyRank});
      }
      at = next == planned.end() ? end : std::max(stop, next->offset + next->size);
    }
  }
  return Status();
}

Status SuperblockStore::read_extension() {
  if (file_.superblock.driver_info_address != kUndefinedAddress) PCIO_TRY(read_driver_note());
  if (file_.superblock.extension_address == kUndefinedAddress) return Status();
  PCIO_ASSIGN(extension_, objects_.object(file_.superblock.extension_address));
  PCIO_TRY(read_cache_image());
  for (const HeaderMessage& message : extension_->header.messages) {
    ByteReader reader(message.body);
    if (message.type == kMessageBtreeK) {
      PCIO_ASSIGN(BtreeKMessage k, decode_btree_k_message(reader));
      file_.superblock.group_leaf_k = k.group_leaf_k;
      file_.superblock.group_internal_k = k.group_internal_k;
      file_.superblock.indexed_storage_internal_k = k.indexed_storage_internal_k;
    } else if (message.type == kMessageDriverInfo) {
      PCIO_ASSIGN(DriverInfoMessage info, decode_driver_info_message(reader));
      PCIO_TRY(take_driver_note({std::move(info.driver), std::move(info.info)}));
    } else if (message.type == kMessageFileSpaceInfo) {
      // Somebody wrote to the file who did not know the message: what it says may be outdated.
      if ((message.flags & kMessageWasUnknown) != 0) continue;
      PCIO_TRY(take_space_info(message));
      tells_space_ = true;
    } else if (message.type == kMessageSharedTable) {
      PCIO_ASSIGN(SharedTableMessage table, decode_shared_table_message(reader, file_.sizes()));
      PCIO_TRY(objects_.shared().open(*file_.bytes, file_.sizes(), table));
      if (file_.writable) PCIO_TRY(objects_.shared().read_indexes(*file_.bytes, file_.sizes()));
    }
  }
  return file_.writable ? check_parts() : Status();
}

/// What a file is already raises the low bound; what lies above the high one can't be opened, as in
/// HDF5.
Status SuperblockStore::take_bounds(const FileAccessProps& access) {
  FormatVersion is = FormatVersion::kEarliest;
  if (file_.superblock.version >= 2) is = FormatVersion::kV18;
  if (file_.superblock.version >= 3) is = FormatVersion::kV110;
  const FormatVersion needs = tells_space_ ? FormatVersion::kV110 : is;
  if (static_cast<FormatVersion>(access.high_bound) < needs)
    return PCIO_ERROR(
        FILE, BADRANGE,
        std::string("the file is of a later format than the high bound "
                    "(H5Pset_libver_bounds): ") +
            (needs == is ? "superblock version " + std::to_string(file_.superblock.version)
                         : "it has a file-space message"));
  file_.format = std::max(file_.format, is);
  return Status();
}

Status SuperblockStore::make_root(const FileCreateProps& create) {
  PCIO_ASSIGN(auto messages, group_messages(file_, create));
  PCIO_ASSIGN(StoredObjectPtr root, objects_.create(std::move(messages), create));
  objects_.add_reference(root);
  root->links.emplace();
  objects_.touch_links(root);
  objects_.set_root(std::move(root));
  return Status();
}

Status SuperblockStore::find_root() {
  PCIO_ASSIGN(StoredObjectPtr root, objects_.object(file_.superblock.root_header));
  objects_.set_root(root);
  if (root->kind() != ObjectKind::kGroup)
    return PCIO_ERROR(FILE, NOTHDF5, "the file's root object is not a group");
  return Status();
}

}  // namespace pcio
