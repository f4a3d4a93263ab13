// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: questions about files, out of line.

#include "object/file_info.hpp"

#include <algorithm>

#include "driver/mpio_driver.hpp"
#include "object/object_info.hpp"

namespace pcio {

Result<bool> has_signature(const std::string& path) {
  OpenRequest request;
  request.path = path;
  request.locking = FileLocking::kOff;
  PCIO_ASSIGN(OpenedFile opened, open_driver(PosixSettings(), request));
  PCIO_ASSIGN(std::uint64_t size, opened.driver->size());
  bool found = false;
  for (unsigned n = 0; !found; ++n) {
    auto position = superblock_position(n, size);
    if (!position) break;
    std::byte start[8] = {};
    PCIO_TRY(opened.driver->read_some(*position, start));
    found = has_superblock_signature(start);
  }
  PCIO_TRY(opened.driver->close());
  return found;
}

std::uint64_t allocated_end(File& file) {
  return file.store().context().superblock.base_address + file.store().space().top();
}

Status increase_size(File& file, std::uint64_t increment) {
  if (increment == 0) return Status();
  return detail::to_status(file.store().space().allocate_at_end(increment));
}

Result<std::uint64_t> file_size(File& file) {
  const std::uint64_t allocated = allocated_end(file);
  if (file.writable()) return allocated;
  PCIO_ASSIGN(std::uint64_t bytes, file.store().driver().size());
  return std::max(bytes, allocated);
}

namespace {

Result<std::uint64_t> extension_size(const FilePtr& file) {
  const FileAddress address = file->store().context().superblock.extension_address;
  if (address == kUndefinedAddress) return std::uint64_t{0};
  PCIO_ASSIGN(Location extension, object_at_address(file, address));
  PCIO_ASSIGN(ObjectInfo info, object_info(extension));
  return info.header_total;
}

Status add_shared_messages(const FilePtr& file, FileInfo* info) {
  FileStore& store = file->store();
  const auto& indexes = store.objects().shared().indexes();
  if (indexes.empty()) return Status();
  info->shared_table_bytes =
      shared_table_size(static_cast<unsigned>(indexes.size()), store.sizes());
  for (const SharedMessageIndexHeader& header : indexes) {
    PCIO_ASSIGN(const auto index, SharedIndex::read(store.bytes(), store.sizes(), header));
    info->shared_index_bytes += index->index_bytes();
    info->shared_heap_bytes += index->heap_bytes();
  }
  return Status();
}

}  // namespace

Result<FileInfo> file_info(const FilePtr& file) {
  const Superblock& superblock = file->store().context().superblock;
  FileInfo info;
  info.superblock_version = superblock.version;
  info.superblock_size = superblock_size(superblock.version, superblock.sizes);
  PCIO_ASSIGN(info.extension_size, extension_size(file));
  info.free_bytes = file->store().space().free_bytes();
  info.free_metadata_bytes = file->store().superblock_store().kept_space_bytes();
  PCIO_TRY(add_shared_messages(file, &info));
  return info;
}

std::vector<FreeStretch> free_stretches(File& file) {
  const FileSpace& space = file.store().space();
  std::vector<FreeStretch> stretches;
  for (const FreeRange& free : space.free_ranges()) {
    // Files without pages have one pool; its pieces are listed where they would be kept in the file.
    const bool raw =
        space.paged() ? free.kind == FreeKind::kSmallRawData : free.range.size >= kLargePiece;
    stretches.push_back(
        {free.range, raw ? FreeStretch::Use::kRawData : FreeStretch::Use::kMetadata});
  }
  return stretches;
}

std::uint64_t free_space(File& file) {
  const FileSpace& space = file.store().space();
  return space.free_bytes() + space.reserved_bytes();
}

Result<std::uint64_t> prepare_image(File& file, const CallName& name) {
  if (file.parallel())
    return PCIO_ERROR(FILE, UNSUPPORTED, "no file image of a file on many ranks");
  if (file.store().space().is_parted())
    return PCIO_ERROR(FILE, UNSUPPORTED, "no file image of a file that is split into several");
  if (file.writable()) PCIO_TRY(file.flush(name));
  return allocated_end(file);
}

Status read_image(File& file, Bytes out) {
  PCIO_ASSIGN(std::uint64_t got, file.store().driver().read_some(0, out));
  std::fill(out.begin() + static_cast<std::ptrdiff_t>(got), out.end(), std::byte{0});
  return Status();
}

void* raw_handle(File& file, std::uint64_t offset, int use) {
  FileDriver& driver = file.store().driver();
  void* const handle = driver.raw_handle_for(use);
  return handle != nullptr ? handle : driver.raw_handle_at(offset);
}

namespace {

MpioDriver* mpio_driver(File& file) { return dynamic_cast<MpioDriver*>(&file.store().driver()); }

}  // namespace

bool uses_mpi_io(File& file) { return mpio_driver(file) != nullptr; }

Status set_atomicity(File& file, bool atomic) { return mpio_driver(file)->set_atomicity(atomic); }

bool atomicity(File& file) { return mpio_driver(file)->atomic_locks() != nullptr; }

}  // namespace pcio
