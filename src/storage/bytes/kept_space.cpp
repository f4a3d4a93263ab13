// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/bytes: free space that is kept in the file, out of line.

#include "storage/bytes/kept_space.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/checked.hpp"

namespace pcio {

namespace {

/// Places of the managers in the message: 0 to 5 for small pieces or files without pages, 6 to 11
/// for pieces of a page and more; of each six the first is for metadata, the third for raw data.
constexpr std::size_t kMetadata = 0;
constexpr std::size_t kRawData = 2;
constexpr std::size_t kLarge = 6;

/// Types of sections in a file.
constexpr std::uint8_t kPlainSection = 0;
constexpr std::uint8_t kSmallSection = 1;
constexpr std::uint8_t kLargeSection = 2;

FreeKind kind_of(std::size_t manager, const FileSpace& space) {
  if (!space.paged() || manager >= kLarge) return FreeKind::kAny;
  return manager == kRawData ? FreeKind::kSmallRawData : FreeKind::kSmallMetadata;
}

std::size_t manager_of(const FreeRange& free, const FileSpace& space) {
  if (!space.paged()) return free.range.size >= kLargePiece ? kRawData : kMetadata;
  if (free.kind == FreeKind::kAny) return kLarge;
  return free.kind == FreeKind::kSmallRawData ? kRawData : kMetadata;
}

Status load_manager(FileBytes& bytes, const FileSizes& sizes, std::size_t number, KeptSpace* kept,
                    FileSpace* space) {
  const FileAddress address = kept->info.managers[number];
  const ByteRange place{address, free_space_header_size(sizes)};
  PCIO_ASSIGN(auto block, bytes.block(place.offset, place.size, "free-space manager"));
  PCIO_ASSIGN(FreeSpaceHeader header, decode_free_space_header(block, sizes));
  if (header.client != kFreeSpaceOfFile)
    return PCIO_ERROR(FSPACE, BADVALUE, "free-space manager of a heap where the file's should be");
  kept->blocks.push_back(place);
  if (header.serialized_sections == 0 || header.list_address == kUndefinedAddress) return Status();
  PCIO_ASSIGN(auto list, bytes.block(header.list_address, header.list_used, "list of free space"));
  PCIO_ASSIGN(auto sections, decode_free_space_list(list, header, address, sizes));
  if (fits_inside(header.list_address, header.list_allocated, bytes.end()))
    kept->blocks.push_back({header.list_address, header.list_allocated});
  for (const FreeSection& section : sections)
    space->add_free({{section.offset, section.size}, kind_of(number, *space)});
  return Status();
}

FreeSpaceHeader header_for(const std::vector<FreeSection>& sections, const FileSizes& sizes) {
  FreeSpaceHeader header;
  header.client = kFreeSpaceOfFile;
  for (const FreeSection& section : sections) header.total_space += section.size;
  header.total_sections = header.serialized_sections = sections.size();
  header.section_classes = 3;
  // The sign bit of an offset is not used.
  header.address_bits = static_cast<std::uint16_t>(std::min(63U, 8U * sizes.offset_size));
  const unsigned width = std::min<unsigned>(header.address_bits, 8U * sizes.length_size);
  header.max_section_size = (std::uint64_t{1} << std::min(width, 63U)) - 1;
  header.list_used = header.list_allocated = free_space_list_size(sections, header, sizes);
  return header;
}

Status place_manager(const FileSizes& sizes, std::vector<FreeSection> sections, std::size_t number,
                     KeptSpace* kept, FileSpace* space, BlockSet* blocks) {
  FreeSpaceHeader header = header_for(sections, sizes);
  const std::uint64_t header_size = free_space_header_size(sizes);
  PCIO_ASSIGN(FileAddress at, space->allocate_at_end(header_size + header.list_used));
  header.list_address = at + header_size;
  kept->info.managers[number] = at;
  kept->blocks.push_back({at, header_size});
  kept->blocks.push_back({header.list_address, header.list_used});
  blocks->push_back({kept->blocks[kept->blocks.size() - 2], [header, sizes](ByteWriter& out) {
                       return encode_free_space_header(header, sizes, out);
                     }});
  auto listed = std::make_shared<std::vector<FreeSection>>(std::move(sections));
  blocks->push_back({kept->blocks.back(), [header, sizes, at, listed](ByteWriter& out) {
                       return encode_free_space_list(*listed, header, at, sizes, out);
                     }});
  return Status();
}

}  // namespace

void apply_space_info(const FileSpaceInfoMessage& info, SpaceSettings* settings) {
  settings->strategy = info.strategy;
  if (info.page_size > 0) settings->page_size = info.page_size;
}

Status load_kept_space(FileBytes& bytes, const FileSizes& sizes, KeptSpace* kept,
                       FileSpace* space) {
  for (std::size_t i = 0; i < kept->info.managers.size(); ++i)
    if (kept->info.managers[i] != kUndefinedAddress)
      PCIO_TRY(load_manager(bytes, sizes, i, kept, space));
  return Status();
}

void drop_kept_space(KeptSpace* kept, FileSpace* space) {
  const std::uint64_t page = space->settings().page_size;
  for (ByteRange block : kept->blocks) {
    // In paged files each begins a page of its own behind the mark.
    const bool own = space->paged() && block.offset % page == 0 &&
                     kept->info.end_of_allocation != kUndefinedAddress &&
                     block.offset >= kept->info.end_of_allocation;
    if (own) block.size = round_up(block.size, page);
    space->release(block);
  }
  kept->blocks.clear();
  kept->info.managers.fill(kUndefinedAddress);
  kept->info.end_of_allocation = kUndefinedAddress;
  kept->outdated = true;
}

Status place_kept_space(const FileSizes& sizes, KeptSpace* kept, FileSpace* space,
                        BlockSet* blocks) {
  std::array<std::vector<FreeSection>, 12> sections;
  for (const FreeRange& free : space->free_ranges()) {
    if (free.range.size < kept->info.threshold) continue;
    const std::size_t manager = manager_of(free, *space);
    const std::uint8_t type = !space->paged()     ? kPlainSection
                              : manager == kLarge ? kLargeSection
                                                  : kSmallSection;
    sections[manager].push_back({free.range.offset, free.range.size, type});
  }
  // libhdf5 takes everything behind the mark away when it begins to write, and only then looks for
  // the manager of raw data: that one lies before it.
  auto place = [&](std::size_t i) {
    return sections[i].empty()
               ? Status()
               : place_manager(sizes, std::move(sections[i]), i, kept, space, blocks);
  };
  PCIO_TRY(place(kRawData));
  kept->info.end_of_allocation = space->end_of_allocation();
  PCIO_TRY(place(kMetadata));
  PCIO_TRY(place(kLarge));
  kept->outdated = false;
  return Status();
}

}  // namespace pcio
