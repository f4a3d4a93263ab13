// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: module H5P: lists as bytes.

#include "lib/api_entry.hpp"
#include "lib/encoded_value.hpp"
#include "lib/list_encoding.hpp"

using namespace pcio;

herr_t H5Pencode(hid_t plist_id, void* buf, size_t* nalloc) {
  return api_status("H5Pencode", [&]() -> Status {
    PCIO_ASSIGN(auto object, get<PropertyListObject>(plist_id, "plist_id"));
    ByteWriter bytes;
    PCIO_TRY(encode_list(*object, bytes));
    PCIO_TRY(store_encoded(bytes.view(), buf, nalloc));
    *nalloc = bytes.view().size();  // also where they were copied, as libhdf5 does here
    return Status();
  });
}

// The caller doesn't say where the bytes end: none is read behind the empty name at their end.
hid_t H5Pdecode(const void* buf) {
  return api_id("H5Pdecode", [&]() -> Result<hid_t> {
    constexpr std::size_t kMost = std::size_t{1} << 30;
    PCIO_TRY(need_pointer(buf, "buf"));
    ByteReader reader(ConstBytes(static_cast<const std::byte*>(buf), kMost));
    PCIO_ASSIGN(auto list, decode_list(reader));
    return register_object(std::move(list));
  });
}
