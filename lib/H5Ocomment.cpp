// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: modules H5O and H5G: comments of objects.

#include <algorithm>
#include <cstring>

#include "lib/api_entry.hpp"
#include "lib/call_arguments.hpp"
#include "lib/text_argument.hpp"
#include "object/comment.hpp"

using namespace pcio;

namespace {

/// An object as the calls name it: by id alone, or by a name under an id.
struct CommentOf {
  hid_t loc_id = H5I_INVALID_HID;
  const char* name = nullptr;
  hid_t lapl_id = H5P_DEFAULT;
  bool by_name = false;
};

herr_t set_comment_of(const char* function, const CommentOf& what, const char* comment) {
  return api_status(function, [&]() -> Status {
    PCIO_ASSIGN(Location at, location_of(what.loc_id, what.by_name ? "loc_id" : "obj_id"));
    const std::string text = comment == nullptr ? "" : comment;
    Location object;
    return metadata_call_to(
        at.file, {function, what.by_name ? full_name(at, what.name) : at.path},
        [&](NamedArguments& out) -> Status {
          object = at;
          if (what.by_name) {
            PCIO_ASSIGN(auto access, props_or_default<LinkAccessProps>(what.lapl_id, "lapl_id"));
            PCIO_ASSIGN(object, object_in(at, what.name, *access));
          }
          out.begin("object");
          out.u64(object.address());
          out.begin("comment");
          put_argument(out, text);
          return Status();
        },
        [&]() -> Result<FilePtr> { return object.file; },
        [&] { return set_comment(object, text); });
  });
}

Result<ssize_t> get_comment_of(const CommentOf& what, char* buffer, size_t size) {
  PCIO_ASSIGN(Location at, location_of(what.loc_id, what.by_name ? "loc_id" : "obj_id"));
  if (what.by_name) {
    PCIO_ASSIGN(at, object_at(what.loc_id, what.name, what.lapl_id));
  }
  PCIO_ASSIGN(std::string text, comment_of(at));
  // A text that is cut has no NUL, as in HDF5.
  if (buffer != nullptr) std::memcpy(buffer, text.c_str(), std::min(size, text.size() + 1));
  return static_cast<ssize_t>(text.size());
}

}  // namespace

herr_t H5Oset_comment(hid_t obj_id, const char* comment) {
  return set_comment_of("H5Oset_comment", {obj_id}, comment);
}

herr_t H5Oset_comment_by_name(hid_t loc_id, const char* name, const char* comment, hid_t lapl_id) {
  return set_comment_of("H5Oset_comment_by_name", {loc_id, name, lapl_id, true}, comment);
}

herr_t H5Gset_comment(hid_t loc_id, const char* name, const char* comment) {
  return set_comment_of("H5Gset_comment", {loc_id, name, H5P_DEFAULT, true}, comment);
}

ssize_t H5Oget_comment(hid_t obj_id, char* comment, size_t bufsize) {
  return api_value("H5Oget_comment", ssize_t{-1},
                   [&] { return get_comment_of({obj_id}, comment, bufsize); });
}

ssize_t H5Oget_comment_by_name(hid_t loc_id, const char* name, char* comment, size_t bufsize,
                               hid_t lapl_id) {
  return api_value("H5Oget_comment_by_name", ssize_t{-1}, [&] {
    return get_comment_of({loc_id, name, lapl_id, true}, comment, bufsize);
  });
}

int H5Gget_comment(hid_t loc_id, const char* name, size_t bufsize, char* buf) {
  return api_value("H5Gget_comment", -1, [&]() -> Result<int> {
    PCIO_ASSIGN(const ssize_t length,
                get_comment_of({loc_id, name, H5P_DEFAULT, true}, buf, bufsize));
    return static_cast<int>(length);
  });
}
