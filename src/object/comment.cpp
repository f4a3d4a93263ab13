// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: comments of objects, out of line.

#include "object/comment.hpp"

#include "format/comment_message.hpp"
#include "object/header_room.hpp"
#include "storage/objects/message_codec.hpp"

namespace pcio {

namespace {

/// A header message can't be longer; bytes, with the NUL.
constexpr std::size_t kMostCommentBytes = 65528;

}  // namespace

Result<std::string> comment_of(const Location& object) {
  const HeaderMessage* message = object.object->find(kMessageComment);
  if (message == nullptr) return std::string();
  PCIO_TRY(check_not_shared(*message));
  ByteReader reader(message->body);
  return decode_comment_message(reader);
}

Status set_comment(const Location& object, const std::string& comment) {
  StoredObject& stored = *object.object;
  FileStore& store = object.file->store();
  if (comment.size() + 1 > kMostCommentBytes)
    return PCIO_ERROR(OHDR, BADRANGE,
                      "a comment of " + std::to_string(comment.size()) +
                          " characters: there is room for 64 KiB in an object header");
  const bool has_one = stored.find(kMessageComment) != nullptr;
  if (comment.empty()) {
    if (has_one) {
      store.objects().touch(object.object);
      stored.remove_all(kMessageComment);
    }
    return Status();
  }
  if (!has_one && !has_room_for_message(stored))
    return PCIO_ERROR(OHDR, BADRANGE,
                      "\"" + object.path +
                          "\" can't have more messages in this file format "
                          "(H5Pset_libver_bounds)");
  PCIO_ASSIGN(HeaderMessage message, make_message(kMessageComment, 0, [&](ByteWriter& out) {
                return encode_comment_message(comment, out);
              }));
  store.objects().touch(object.object);
  stored.put(std::move(message));
  return Status();
}

}  // namespace pcio
