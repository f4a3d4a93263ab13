// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/objects: external files out of line.

#include "storage/objects/external_files.hpp"

#include "base/checked.hpp"
#include "format/external_files_message.hpp"
#include "format/local_heap.hpp"
#include "storage/objects/message_codec.hpp"

namespace pcio {

namespace {

constexpr std::size_t kLongestPath = 4096;  // the system's, with the NUL
constexpr std::uint64_t kUnlimitedBytes = ExternalFilesMessage::kUnlimitedSize;

/// A slot as it can be used. `total`: bytes of the slots before it, and of this one then.
Result<ExternalFile> usable(const ExternalFilesMessage::Slot& slot, std::string_view name,
                            std::uint64_t* total) {
  if (name.empty()) return PCIO_ERROR(EFL, BADVALUE, "an external file has no name");
  if (name.size() >= kLongestPath)
    return PCIO_ERROR(EFL, BADVALUE, "an external file's name is longer than any file's");
  if (*total == kUnlimitedBytes)
    return PCIO_ERROR(EFL, BADVALUE, "a file comes behind an external file without end");
  if (slot.file_offset > kLargestFileOffset)
    return PCIO_ERROR(EFL, OVERFLOW, "an external file begins behind any file's end");
  if (slot.size == kUnlimitedBytes) {
    *total = kUnlimitedBytes;
  } else {
    const auto sum = checked_add(*total, slot.size);
    if (!sum || slot.size > kLargestFileOffset - slot.file_offset)
      return PCIO_ERROR(EFL, OVERFLOW, "external files are larger than any file can be");
    *total = *sum;
  }
  return ExternalFile{std::string(name), static_cast<std::int64_t>(slot.file_offset), slot.size};
}

}  // namespace

std::optional<std::uint64_t> ExternalFiles::capacity() const {
  std::uint64_t sum = 0;
  for (const ExternalFile& file : files) {
    if (file.size == kUnlimitedBytes) return std::nullopt;
    sum += file.size;  // checked when they were read or set
  }
  return sum;
}

Result<ExternalFiles> read_external_files(FileContext& file, const HeaderMessage& message) {
  PCIO_TRY(check_not_shared(message));
  ByteReader reader(message.body);
  PCIO_ASSIGN(const ExternalFilesMessage found,
              decode_external_files_message(reader, file.sizes()));
  const std::size_t head = local_heap_header_size(file.sizes());
  PCIO_ASSIGN(auto header_bytes, file.bytes->block(found.heap_address, head, "heap of file names"));
  PCIO_ASSIGN(const LocalHeapHeader header, decode_local_heap_header(header_bytes, file.sizes()));
  PCIO_ASSIGN(auto names, file.bytes->block(header.segment_address, header.segment_size,
                                            "names of external files"));
  ExternalFiles out;
  std::uint64_t total = 0;
  for (const ExternalFilesMessage::Slot& slot : found.slots) {
    PCIO_ASSIGN(const std::string_view name, local_heap_name(names, slot.name_offset));
    PCIO_ASSIGN(ExternalFile one, usable(slot, name, &total));
    out.files.push_back(std::move(one));
  }
  out.heap = {{found.heap_address, head}, {header.segment_address, header.segment_size}};
  return out;
}

Result<PlannedExternal> plan_external_files(FileSpace& space, const FileSizes& sizes,
                                            const std::vector<ExternalFile>& files) {
  std::size_t bytes = LocalHeapSegment::space_for("") + local_heap_slack(sizes.length_size);
  for (const ExternalFile& one : files) bytes += LocalHeapSegment::space_for(one.name);
  LocalHeapSegment names(bytes, sizes);
  ExternalFilesMessage listed;
  for (const ExternalFile& one : files) {
    const auto at = names.insert(one.name);
    if (!at) return PCIO_ERROR(INTERNAL, NOSPACE, "names of external files don't fit their heap");
    listed.slots.push_back({*at, static_cast<std::uint64_t>(one.offset), one.size});
  }
  const std::size_t head = local_heap_header_size(sizes);
  PlannedExternal planned;
  PCIO_ASSIGN(listed.heap_address, space.allocate(head + names.size(), SpaceUse::kMetadata));
  const ByteRange given{listed.heap_address, head + names.size()};
  Status encoded = [&]() -> Status {
    ByteWriter heap;
    PCIO_TRY(encode_local_heap_header(
        {names.size(), names.first_free(), listed.heap_address + head}, sizes, heap));
    heap.bytes(names.encode());
    planned.heap = {given.offset, std::move(heap).take()};
    PCIO_ASSIGN(planned.message, make_message(kMessageExternalFiles, 0, [&](ByteWriter& out) {
                  return encode_external_files_message(listed, sizes, out);
                }));
    return Status();
  }();
  if (encoded.ok()) return planned;
  space.release(given);
  return detail::StatusReturn(std::move(encoded));
}

}  // namespace pcio
