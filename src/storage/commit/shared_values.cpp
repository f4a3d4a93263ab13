// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/commit: take_first_values().

#include "storage/commit/shared_values.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "base/checked.hpp"
#include "base/without_throwing.hpp"
#include "format/attribute_message.hpp"
#include "format/dataspace_message.hpp"
#include "format/datatype_message.hpp"

namespace pcio {

namespace {

/// So much goes at a time: no rank can lack the memory for that.
constexpr std::size_t kPieceBytes = 16 << 10;

/// The value of an attribute, in its message. What is around it depends on how this rank has come by it.
struct Value {
  HeaderMessage* message;
  std::size_t from, size;
};

/// Where type and space are elsewhere: with the padding of a header of version 1.
Value value_of(HeaderMessage& message, const AttributeView& attribute, const FileSizes& sizes) {
  const std::size_t room = attribute.data.size();
  Value value{&message, message.body.size() - room, room};
  if (attribute.datatype_shared || attribute.dataspace_shared) return value;
  ByteReader type_reader(attribute.datatype), space_reader(attribute.dataspace);
  const auto type = decode_datatype(type_reader);
  const auto space = decode_dataspace_message(space_reader, sizes);
  if (!type || !space) return value;
  const auto bytes = checked_mul<std::uint64_t>(space->npoints(), type->size());
  if (bytes && *bytes <= room) value.size = static_cast<std::size_t>(*bytes);
  return value;
}

/// Attributes of one object by name: their order in memory is each rank's own.
Status list_attributes(StoredObject& object, const FileSizes& sizes, std::vector<Value>* list) {
  std::map<std::string, Value> by_name;
  auto add = [&](std::vector<HeaderMessage>& messages) -> Status {
    for (HeaderMessage& message : messages) {
      if (message.type != kMessageAttribute || (message.flags & kMessageShared) != 0) continue;
      ByteReader reader(message.body);
      auto attribute = view_attribute_message(reader);
      // Nobody can have written such a one.
      if (attribute)
        by_name.emplace(std::string(attribute->name), value_of(message, *attribute, sizes));
    }
    return Status();
  };
  PCIO_TRY(add(object.header.messages));
  if (object.attributes_dirty() && object.dense_attributes) PCIO_TRY(add(*object.dense_attributes));
  for (const auto& [name, value] : by_name) list->push_back(value);
  return Status();
}

/// Copies from or to all values as if they were one after the other. Collective: pure.
class Values {
 public:
  explicit Values(std::vector<Value> list) : list_(std::move(list)) {}
  [[nodiscard]] std::uint64_t bytes() const {
    std::uint64_t all = 0;
    for (const Value& value : list_) all += value.size;
    return all;
  }
  template <class Move>
  void next(std::size_t count, Move&& move) {
    std::size_t done = 0;
    while (done < count && at_ < list_.size()) {
      const Value& value = list_[at_];
      const std::size_t now = std::min(count - done, value.size - inside_);
      move(Bytes(value.message->body).subspan(value.from + inside_, now), done);
      done += now;
      inside_ += now;
      if (inside_ < value.size) continue;
      inside_ = 0;
      ++at_;
    }
  }

 private:
  std::vector<Value> list_;
  std::size_t at_ = 0;
  std::size_t inside_ = 0;
};

}  // namespace

Status take_first_values(FileStore& store) {
  Coordinator& coordinator = store.coordinator();
  if (coordinator.size() == 1 || !store.objects().shared().shares(kMessageAttribute))
    return Status();
  std::vector<Value> list;
  Status local = without_throwing([&]() -> Status {
    for (const auto& [address, object] : store.objects().changed())
      PCIO_TRY(list_attributes(*object, store.context().sizes(), &list));
    return Status();
  });
  if (!local.ok()) list.clear();
  Values values(std::move(list));
  const bool first = coordinator.rank() == 0;
  /// Bytes, and whether rank 0 has failed.
  std::array<std::uint64_t, 2> total{first ? values.bytes() : 0, first && !local.ok() ? 1U : 0U};
  PCIO_TRY(coordinator.broadcast(std::as_writable_bytes(std::span(total)), 0));
  if (total[1] != 0)
    return first ? local : PCIO_ERROR(ATTR, CANTGET, "rank 0 could not list its attributes");
  const bool equal = local.ok() && total[0] == values.bytes();
  if (local.ok() && !equal)
    local = PCIO_ERROR(ATTR, BADSIZE, "attributes have another size on another rank");
  std::array<std::byte, kPieceBytes> piece{};
  for (std::uint64_t at = 0; at < total[0]; at += kPieceBytes) {
    const auto count =
        static_cast<std::size_t>(std::min<std::uint64_t>(kPieceBytes, total[0] - at));
    if (first)
      values.next(count, [&](Bytes body, std::size_t from) {
        std::copy(body.begin(), body.end(), piece.begin() + static_cast<std::ptrdiff_t>(from));
      });
    PCIO_TRY(coordinator.broadcast(Bytes(piece).first(count), 0));
    if (!first && equal)
      values.next(count, [&](Bytes body, std::size_t from) {
        std::copy_n(piece.begin() + static_cast<std::ptrdiff_t>(from), body.size(), body.begin());
      });
  }
  return local;
}

}  // namespace pcio
