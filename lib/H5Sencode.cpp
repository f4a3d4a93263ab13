// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: module H5S: dataspaces as bytes.

#include "lib/api_entry.hpp"
#include "lib/encoded_value.hpp"
#include "lib/space_encoding.hpp"
#include "lib/value_handles.hpp"

using namespace pcio;

herr_t H5Sencode(hid_t obj_id, void* buf, size_t* nalloc) {
  return api_status("H5Sencode", [&]() -> Status {
    PCIO_ASSIGN(auto object, get<SpaceObject>(obj_id, "obj_id"));
    ByteWriter bytes;
    PCIO_TRY(encode_space(object->space, bytes));
    return store_encoded(bytes.view(), buf, nalloc);
  });
}

hid_t H5Sdecode(const void* buf) {
  return api_id("H5Sdecode", [&]() -> Result<hid_t> {
    PCIO_TRY(need_pointer(buf, "buf"));
    // The caller doesn't say where the bytes end: no more of them is read than they say themselves.
    const auto* const bytes = static_cast<const std::byte*>(buf);
    PCIO_ASSIGN(const std::size_t size, encoded_space_size(bytes));
    ByteReader reader(ConstBytes(bytes, size));
    PCIO_ASSIGN(Dataspace space, decode_space(reader));
    return make_id<SpaceObject>(std::move(space));
  });
}
