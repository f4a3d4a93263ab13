// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: messages of a superblock extension, decode and encode.

#include "format/extension_messages.hpp"

namespace pcio {

Result<DriverInfoMessage> decode_driver_info_message(ByteReader& reader) {
  PCIO_TRY(decode_version(reader, 0, 0, "driver info message"));
  const ConstBytes name = reader.bytes(8);
  const std::size_t size = reader.u16();
  const ConstBytes info = reader.bytes(size);
  PCIO_TRY(reader.check("driver info message"));
  DriverInfoMessage driver;
  driver.driver.assign(reinterpret_cast<const char*>(name.data()), name.size());
  driver.info.assign(info.begin(), info.end());
  return driver;
}

Status encode_driver_info_message(const DriverInfoMessage& driver, ByteWriter& out) {
  if (driver.driver.size() != 8)
    return PCIO_ERROR(VFL, BADVALUE, "name of a driver has not 8 characters");
  FieldWriter fields(out);
  fields.u8(0);
  fields.text(driver.driver);
  fields.u16(driver.info.size());
  fields.bytes(driver.info);
  return fields.check("driver info message");
}

Result<SharedTableMessage> decode_shared_table_message(ByteReader& reader, const FileSizes& sizes) {
  PCIO_TRY(decode_version(reader, 0, 0, "shared table message"));
  SharedTableMessage table;
  table.table_address = reader.address(sizes.offset_size);
  table.index_count = reader.u8();
  PCIO_TRY(reader.check("shared table message"));
  if (table.index_count > 8)
    return PCIO_ERROR(SOHM, BADVALUE, "more than 8 indexes of shared messages");
  return table;
}

Status encode_shared_table_message(const SharedTableMessage& table, const FileSizes& sizes,
                                   ByteWriter& out) {
  FieldWriter fields(out, sizes);
  fields.u8(0);
  fields.address(table.table_address);
  fields.u8(table.index_count);
  return fields.check("shared table message");
}

Result<FileSpaceInfoMessage> decode_file_space_info_message(ByteReader& reader,
                                                            const FileSizes& sizes) {
  PCIO_ASSIGN(const unsigned version, decode_version(reader, 0, 1, "file space info message"));
  FileSpaceInfoMessage info;
  const unsigned strategy = reader.u8();
  if (version == 0) {
    info.threshold = reader.uint(sizes.length_size);
    // Addresses are there only for the strategy that keeps free space; the specification's figure
    // shows them always, files of libhdf5 don't have them.
    if (strategy == 1)
      for (unsigned i = 0; i < 6; ++i) info.managers[i] = reader.address(sizes.offset_size);
    PCIO_TRY(reader.check("file space info message"));
    if (strategy < 1 || strategy > 4)
      return PCIO_ERROR(FSPACE, BADVALUE, "unknown file space strategy");
    // 1 and 2 are managers with and without keeping, 3 the aggregators alone, 4 neither.
    info.persist = strategy == 1;
    info.strategy = strategy <= 2   ? FileSpaceStrategy::kFreeSpaceAggregators
                    : strategy == 3 ? FileSpaceStrategy::kAggregators
                                    : FileSpaceStrategy::kNone;
    return info;
  }
  info.persist = reader.u8() != 0;
  info.threshold = reader.uint(sizes.length_size);
  info.page_size = reader.uint(sizes.length_size);
  info.page_end_threshold = reader.u16();
  info.end_of_allocation = reader.address(sizes.offset_size);
  if (info.persist)
    for (FileAddress& manager : info.managers) manager = reader.address(sizes.offset_size);
  PCIO_TRY(reader.check("file space info message"));
  if (strategy > 3) return PCIO_ERROR(FSPACE, BADVALUE, "unknown file space strategy");
  info.strategy = static_cast<FileSpaceStrategy>(strategy);
  // Files grow by pages: H5Pset_file_space_page_size takes no smaller and no larger ones.
  constexpr std::uint64_t kLeastPage = 512, kLargestPage = 1 << 30;
  if (info.strategy == FileSpaceStrategy::kPaged &&
      (info.page_size < kLeastPage || info.page_size > kLargestPage))
    return PCIO_ERROR(FSPACE, BADVALUE,
                      "file space pages of " + std::to_string(info.page_size) + " bytes");
  return info;
}

Status encode_file_space_info_message(const FileSpaceInfoMessage& info, const FileSizes& sizes,
                                      ByteWriter& out) {
  FieldWriter fields(out, sizes);
  fields.u8(1);
  fields.u8(static_cast<unsigned>(info.strategy));
  fields.u8(info.persist ? 1 : 0);
  fields.length(info.threshold);
  fields.length(info.page_size);
  fields.u16(info.page_end_threshold);
  fields.address(info.end_of_allocation);
  if (info.persist)
    for (FileAddress manager : info.managers) fields.address(manager);
  return fields.check("file space info message");
}

Result<CacheImageMessage> decode_cache_image_message(ByteReader& reader, const FileSizes& sizes) {
  PCIO_TRY(decode_version(reader, 0, 0, "cache image message"));
  CacheImageMessage image;
  image.address = reader.address(sizes.offset_size);
  image.size = reader.uint(sizes.length_size);
  PCIO_TRY(reader.check("cache image message"));
  return image;
}

Status encode_cache_image_message(const CacheImageMessage& image, const FileSizes& sizes,
                                  ByteWriter& out) {
  FieldWriter fields(out, sizes);
  fields.u8(0);
  fields.address(image.address);
  fields.length(image.size);
  return fields.check("cache image message");
}

}  // namespace pcio
