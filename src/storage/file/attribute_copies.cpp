// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/file: AttributeCopies: values of attributes in parallel files.
//
// A program that writes an attribute on one rank only, as many do, changes this rank's copy of the message. Which objects a
// commit writes must be the same everywhere, so the ranks agree on it before they plan, and whoever lacks a value gets it.

#include "storage/file/attribute_copies.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <vector>

#include "agree/call_log.hpp"
#include "base/without_throwing.hpp"
#include "format/attribute_message.hpp"

namespace pcio {

namespace {

constexpr std::uint64_t kNoTeller = std::numeric_limits<std::uint64_t>::max();
/// Once, or more than once: whoever writes again what all have written has the later value.
constexpr std::uint8_t kMostTimes = 2;

/// The message taken apart where it lies.
Result<AttributeView> view_of(const HeaderMessage& message) {
  ByteReader reader(message.body);
  return view_attribute_message(reader);
}

/// each(message) of the object's attributes, without those that are shared, until it is false; then false.
template <class Object, class Each>
bool each_attribute(Object& object, Each&& each) {
  auto all_of = [&](auto& messages) {
    return std::all_of(messages.begin(), messages.end(), [&](auto& message) {
      return message.type != kMessageAttribute || (message.flags & kMessageShared) != 0 ||
             each(message);
    });
  };
  return all_of(object.header.messages) &&
         (!object.dense_attributes || all_of(*object.dense_attributes));
}

/// An attribute that this rank has written at least so many times.
bool has_written(const StoredObject& object, std::uint8_t times = 1) {
  return !each_attribute(
      object, [&](const HeaderMessage& message) { return message.written_here < times; });
}

}  // namespace

/// A value that some rank has written, and where it belongs.
struct AttributeCopies::Told {
  HeaderMessage* message = nullptr;
  std::size_t place = 0;  ///< in the message's body
  ConstBytes value;
};

Status AttributeCopies::note_written(const StoredObjectPtr& object, HeaderMessage* message) {
  PCIO_ASSIGN(const AttributeView attribute, view_of(*message));
  // Where memory lacks behind that it has no message that is written, and is passed over.
  written_.try_emplace(object->address, object);
  if (object->attribute_changes)
    object->attribute_changes->try_emplace(std::string(attribute.name), LinkBefore::kThere);
  any_written_ = true;
  if (message->written_here < kMostTimes) ++message->written_here;
  return Status();
}

/// each(object, attribute) of all that are written at least so many times and not told of.
template <class Each>
void AttributeCopies::for_each_written(std::uint8_t times, Each&& each) const {
  for (const auto& [address, object] : written_)
    each_attribute(*object, [&](HeaderMessage& message) {
      if (message.written_here < times) return true;
      if (const auto attribute = view_of(message)) each(*object, *attribute);
      return true;
    });
}

std::uint64_t AttributeCopies::hash() const {
  // Their order in memory is each rank's own.
  std::uint64_t sum = 0;
  if (any_written_)
    for_each_written(1, [&](const StoredObject& object, const AttributeView& attribute) {
      sum += hash_bytes(attribute.data, hash_text(attribute.name, object.address));
    });
  return sum;
}

bool AttributeCopies::has_any_left(std::uint8_t times) const {
  return std::any_of(written_.begin(), written_.end(),
                     [&](const auto& entry) { return has_written(*entry.second, times); });
}

/// Each object, how many of its attributes, and their names and values. May throw bad_alloc.
std::vector<std::byte> AttributeCopies::list(std::uint8_t times) const {
  std::map<FileAddress, std::uint64_t> counts;
  for_each_written(
      times, [&](const StoredObject& object, const AttributeView&) { ++counts[object.address]; });
  ByteWriter out;
  FileAddress last = kUndefinedAddress;
  for_each_written(times, [&](const StoredObject& object, const AttributeView& attribute) {
    if (object.address != last) {
      out.u64(object.address);
      out.u64(counts[object.address]);
    }
    last = object.address;
    out.u64(attribute.name.size());
    out.u64(attribute.data.size());
    out.text(attribute.name);
    out.bytes(attribute.data);
  });
  return std::move(out).take();
}

/// Finds where the values of one object belong. An object may have many attributes: all are found in one go.
Status AttributeCopies::find_told(const StoredObjectPtr& object, ValuesByName values,
                                  std::vector<Told>* told) {
  Status first;
  each_attribute(*object, [&](HeaderMessage& message) {
    const auto attribute = view_of(message);
    const auto found = attribute ? values.find(attribute->name) : values.end();
    if (found == values.end()) return true;
    const ConstBytes value = found->second;
    values.erase(found);
    const std::size_t size = std::min(attribute->data.size(), value.size());
    if (std::max(attribute->data.size(), value.size()) - size > kMostValuePadding) {
      first = PCIO_ERROR(ATTR, BADSIZE, "an attribute has another size on another rank");
      return false;
    }
    if (object->attribute_changes)
      object->attribute_changes->try_emplace(std::string(attribute->name), LinkBefore::kThere);
    const auto place = attribute->data.data() - ConstBytes(message.body).data();
    told->push_back({&message, static_cast<std::size_t>(place), value.first(size)});
    return true;
  });
  PCIO_TRY(std::move(first));
  if (values.empty()) return Status();
  return PCIO_ERROR(ATTR, NOTFOUND, "an attribute that another rank has written is not there");
}

/// What another rank tells may be told again: no message says yet that this rank has written it.
Status AttributeCopies::find_told(ConstBytes list, std::vector<Told>* told,
                                  ObjectsByAddress* objects) {
  ByteReader in(list);
  while (in.remaining() > 0) {
    const FileAddress address = in.u64();
    ValuesByName values;
    for (std::uint64_t left = in.u64(); left > 0 && in.ok(); --left) {
      const auto name_bytes = static_cast<std::size_t>(in.u64());
      const auto value_bytes = static_cast<std::size_t>(in.u64());
      const ConstBytes name = in.bytes(name_bytes);
      const ConstBytes value = in.bytes(value_bytes);
      values.emplace(std::string_view(reinterpret_cast<const char*>(name.data()), name.size()),
                     value);
    }
    PCIO_TRY(in.check("list of attributes"));
    PCIO_ASSIGN(const StoredObjectPtr object, objects_.object(address));
    PCIO_TRY(objects_.load_attributes(object));
    objects->emplace(address, object);
    PCIO_TRY(find_told(object, std::move(values), told));
  }
  return Status();
}

/// All ranks take what rank `teller` has written at least so many times. All that may fail comes before what changes.
Status AttributeCopies::share(const CallName& name, int teller, std::uint8_t times) {
  Coordinator& ranks = *file_.coordinator;
  const bool tells = ranks.rank() == teller;
  std::vector<std::byte> bytes;
  Status ready;
  if (tells)
    ready = without_throwing([&] {
      bytes = list(times);
      return Status();
    });
  std::array<std::uint64_t, 1> size{bytes.size()};
  PCIO_TRY(ranks.broadcast(std::as_writable_bytes(std::span(size)), teller));
  if (!tells)
    ready = without_throwing([&] {
      bytes.resize(size[0]);
      return Status();
    });
  PCIO_TRY(ranks.outcome(name, ready));
  PCIO_TRY(ranks.broadcast(bytes, teller));
  std::vector<Told> told;
  ObjectsByAddress objects;
  PCIO_TRY(
      ranks.outcome(name, without_throwing([&] { return find_told(bytes, &told, &objects); })));
  for (const Told& one : told) {
    std::copy(one.value.begin(), one.value.end(),
              Bytes(one.message->body).begin() + static_cast<std::ptrdiff_t>(one.place));
    one.message->written_here = 0;
  }
  // Of two of one name, which damaged files alone have, one is told.
  if (tells) forget_written(times);
  // Whatever becomes of the commit: nobody tells it again.
  objects_.touch_attributes(&objects);
  return Status();
}

Status AttributeCopies::agree(const CallName& name, Copies copies) {
  const auto ranks = static_cast<std::uint64_t>(file_.coordinator->size());
  const auto me = static_cast<std::uint64_t>(file_.coordinator->rank());
  while (copies == Copies::kDiffer) {
    // Who has written something more than once comes first.
    std::array<std::uint64_t, 1> teller{has_any_left(kMostTimes) ? me
                                        : has_any_left(1)        ? ranks + me
                                                                 : kNoTeller};
    PCIO_TRY(file_.coordinator->allreduce_min(teller));
    if (teller[0] == kNoTeller) break;
    PCIO_TRY(share(name, static_cast<int>(teller[0] % ranks), teller[0] < ranks ? kMostTimes : 1));
  }
  // What is left all have written.
  std::erase_if(written_, [](const auto& entry) { return !has_written(*entry.second); });
  forget_written(1);
  objects_.touch_attributes(&written_);
  any_written_ = false;
  return Status();
}

void AttributeCopies::forget_written(std::uint8_t times) {
  for (const auto& [address, object] : written_)
    each_attribute(*object, [&](HeaderMessage& message) {
      if (message.written_here >= times) message.written_here = 0;
      return true;
    });
}

}  // namespace pcio
