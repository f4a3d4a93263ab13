// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/commit: take_first_values().

#include "storage/commit/shared_values.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "base/without_throwing.hpp"
#include "format/attribute_message.hpp"

namespace pcio {

namespace {

/// So much goes at a time: no rank can lack the memory for that.
constexpr std::size_t kPieceBytes = 16 << 10;

/// Attributes of one object by name: their order in memory is each rank's own.
Status list_attributes(StoredObject& object, std::vector<HeaderMessage*>* list) {
  std::map<std::string, HeaderMessage*> by_name;
  auto add = [&](std::vector<HeaderMessage>& messages) -> Status {
    for (HeaderMessage& message : messages) {
      if (message.type != kMessageAttribute || (message.flags & kMessageShared) != 0) continue;
      ByteReader reader(message.body);
      auto attribute = decode_attribute_message(reader);
      // Nobody can have written such a one.
      if (attribute) by_name.emplace(std::move(attribute->name), &message);
    }
    return Status();
  };
  PCIO_TRY(add(object.header.messages));
  if (object.attributes_dirty() && object.dense_attributes) PCIO_TRY(add(*object.dense_attributes));
  for (const auto& [name, message] : by_name) list->push_back(message);
  return Status();
}

/// Copies from or to all bodies as if they were one after the other. Collective: pure.
class Bodies {
 public:
  explicit Bodies(std::vector<HeaderMessage*> list) : list_(std::move(list)) {}
  [[nodiscard]] std::uint64_t bytes() const {
    std::uint64_t all = 0;
    for (const HeaderMessage* message : list_) all += message->body.size();
    return all;
  }
  template <class Move>
  void next(std::size_t count, Move&& move) {
    std::size_t done = 0;
    while (done < count && at_ < list_.size()) {
      ShortBytes& body = list_[at_]->body;
      const std::size_t now = std::min(count - done, body.size() - inside_);
      move(Bytes(body).subspan(inside_, now), done);
      done += now;
      inside_ += now;
      if (inside_ < body.size()) continue;
      inside_ = 0;
      ++at_;
    }
  }

 private:
  std::vector<HeaderMessage*> list_;
  std::size_t at_ = 0;
  std::size_t inside_ = 0;
};

}  // namespace

Status take_first_values(FileStore& store) {
  Coordinator& coordinator = store.coordinator();
  if (coordinator.size() == 1 || !store.objects().shared().shares(kMessageAttribute))
    return Status();
  std::vector<HeaderMessage*> list;
  Status local = without_throwing([&]() -> Status {
    for (const auto& [address, object] : store.objects().changed())
      PCIO_TRY(list_attributes(*object, &list));
    return Status();
  });
  if (!local.ok()) list.clear();
  Bodies bodies(std::move(list));
  const bool first = coordinator.rank() == 0;
  /// Bytes, and whether rank 0 has failed.
  std::array<std::uint64_t, 2> total{first ? bodies.bytes() : 0, first && !local.ok() ? 1U : 0U};
  PCIO_TRY(coordinator.broadcast(std::as_writable_bytes(std::span(total)), 0));
  if (total[1] != 0)
    return first ? local : PCIO_ERROR(ATTR, CANTGET, "rank 0 could not list its attributes");
  const bool equal = local.ok() && total[0] == bodies.bytes();
  if (local.ok() && !equal)
    local = PCIO_ERROR(ATTR, BADSIZE, "attributes have another size on another rank");
  std::array<std::byte, kPieceBytes> piece{};
  for (std::uint64_t at = 0; at < total[0]; at += kPieceBytes) {
    const auto count =
        static_cast<std::size_t>(std::min<std::uint64_t>(kPieceBytes, total[0] - at));
    if (first)
      bodies.next(count, [&](Bytes body, std::size_t from) {
        std::copy(body.begin(), body.end(), piece.begin() + static_cast<std::ptrdiff_t>(from));
      });
    PCIO_TRY(coordinator.broadcast(Bytes(piece).first(count), 0));
    if (!first && equal)
      bodies.next(count, [&](Bytes body, std::size_t from) {
        std::copy_n(piece.begin() + static_cast<std::ptrdiff_t>(from), body.size(), body.begin());
      });
  }
  return local;
}

}  // namespace pcio
