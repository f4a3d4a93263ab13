// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: modules H5D and H5F: what programs that repair and downgrade files call.

#include <cinttypes>
#include <cstdio>

#include "lib/api_entry.hpp"
#include "lib/object_handles.hpp"
#include "object/dataset_chunks.hpp"
#include "object/dataset_queries.hpp"
#include "object/file_info.hpp"

using namespace pcio;

herr_t H5Ddebug(hid_t dset_id) {
  return api_status("H5Ddebug", [&]() -> Status {
    PCIO_ASSIGN(auto dataset, get_member<DatasetObject>(dset_id, "dset_id"));
    PCIO_ASSIGN(const auto offset, dataset_offset(*dataset->open));
    std::printf("    Address: %" PRIu64 "\n", offset.value_or(HADDR_UNDEF));
    return Status();
  });
}

// Files of the earliest format, and datasets that are not in chunks, have nothing to convert.
herr_t H5Dformat_convert(hid_t dset_id) {
  return api_status("H5Dformat_convert", [&]() -> Status {
    PCIO_ASSIGN(auto dataset, get_member<DatasetObject>(dset_id, "dset_id"));
    PCIO_TRY(check_writable(dataset->open->file()));
    PCIO_ASSIGN(const auto index, chunk_index_kind(*dataset->open));
    if (!index || *index == ChunkIndexKind::kBtree1) return Status();
    return PCIO_ERROR(DATASET, UNSUPPORTED,
                      "the chunk index is of a later format; h5repack with high bound V18 makes a "
                      "file with the earlier one");
  });
}

herr_t H5Fformat_convert(hid_t fid) {
  return api_status("H5Fformat_convert", [&]() -> Status {
    PCIO_ASSIGN(FilePtr file, get_file(fid, "fid"));
    PCIO_TRY(check_writable(*file));
    PCIO_ASSIGN(const FileInfo facts, file_info(file));
    if (facts.superblock_version <= 2) return Status();
    return PCIO_ERROR(FILE, UNSUPPORTED,
                      "the superblock is of version " + std::to_string(facts.superblock_version) +
                          "; h5repack with high bound V18 makes a file with an earlier one");
  });
}
