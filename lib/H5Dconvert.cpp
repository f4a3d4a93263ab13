// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: modules H5D and H5F: what programs that repair and downgrade files call.

#include <cinttypes>
#include <cstdio>

#include "lib/api_entry.hpp"
#include "lib/object_handles.hpp"
#include "object/dataset_extent.hpp"
#include "object/dataset_queries.hpp"
#include "object/format_convert.hpp"
#include "object/metadata_call.hpp"

using namespace pcio;

herr_t H5Ddebug(hid_t dset_id) {
  return api_status("H5Ddebug", [&]() -> Status {
    PCIO_ASSIGN(auto dataset, get_member<DatasetObject>(dset_id, "dset_id"));
    PCIO_ASSIGN(const auto offset, dataset_offset(*dataset->open));
    std::printf("    Address: %" PRIu64 "\n", offset.value_or(HADDR_UNDEF));
    return Status();
  });
}

/// In a parallel file all ranks meet: each has read the index, or none converts it.
herr_t H5Dformat_convert(hid_t dset_id) {
  return api_status("H5Dformat_convert", [&]() -> Status {
    PCIO_ASSIGN(auto dataset, get_member<DatasetObject>(dset_id, "dset_id"));
    const OpenObject& open = *dataset->open;
    const CallName name{"H5Dformat_convert", open.path()};
    Meeting meeting = open.file().parallel() ? Meeting::kWanted : Meeting::kNone;
    return metadata_call(
        open.file(), name,
        [&](NamedArguments& out) -> Status {
          PCIO_TRY(check_not_in_transfer(open));
          return prepare_conversion(open, &out);
        },
        [&] { return convert_dataset(open, name); }, &meeting);
  });
}

herr_t H5Fformat_convert(hid_t fid) {
  return api_status("H5Fformat_convert", [&]() -> Status {
    PCIO_ASSIGN(FilePtr file, get_file(fid, "fid"));
    return metadata_call(
        *file, {"H5Fformat_convert", file->path()}, [](NamedArguments&) { return Status(); },
        [&] { return convert_file(*file); });
  });
}
