// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors

#include "type/sequence_model.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace pcio::test {

namespace {

std::size_t place_of(const CompoundMember& member) { return std::stoul(member.name.substr(1)); }

Datatype random_number(Random& random) {
  const std::size_t size = std::size_t{1} << random.below(4);
  const ByteOrder order = random.chance(50) ? ByteOrder::kLittle : ByteOrder::kBig;
  return Datatype::integer(size, order, SignScheme::kTwosComplement);
}

Datatype random_compound(Random& random, const Shape& shape, bool may_lack_members) {
  std::vector<unsigned> places(shape.parts.size());
  std::iota(places.begin(), places.end(), 0U);
  for (std::size_t i = places.size(); i > 1; --i)
    std::swap(places[i - 1], places[random.below(static_cast<unsigned>(i))]);
  if (may_lack_members && places.size() > 1 && random.chance(30)) places.pop_back();
  std::vector<CompoundMember> members;
  std::size_t offset = random.below(4);
  for (const unsigned place : places) {
    Datatype type = random_type(random, shape.parts[place], may_lack_members);
    members.push_back({"m" + std::to_string(place), offset, type});
    offset += type.size() + random.below(4);
  }
  Datatype made = Datatype::compound(offset);
  for (const CompoundMember& member : members)
    if (!made.insert(member.name, member.offset, member.type).ok()) std::abort();
  return made;
}

void store_number(const Datatype& type, int number, std::byte* at) {
  const bool big = type.node().order == ByteOrder::kBig;
  for (std::size_t i = 0; i < type.size(); ++i) {
    at[big ? type.size() - 1 - i : i] =
        static_cast<std::byte>(static_cast<std::int64_t>(number) >> 8 * i);
  }
}

int load_number(const Datatype& type, const std::byte* at) {
  const bool big = type.node().order == ByteOrder::kBig;
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < type.size(); ++i)
    bits |= std::to_integer<std::uint64_t>(at[big ? type.size() - 1 - i : i]) << 8 * i;
  const std::size_t unused = 64 - 8 * type.size();
  return static_cast<int>(static_cast<std::int64_t>(bits << unused) >> unused);
}

void store_count(std::uint32_t count, std::byte* at) {
  for (unsigned i = 0; i < 4; ++i) at[i] = static_cast<std::byte>(count >> 8 * i);
}

void store_variable(const Datatype& type, const Value& value, FakeHeap* heap, std::byte* at) {
  const bool text = type.is_variable_string();
  const std::size_t base = type.node().super->size();
  const std::size_t count = text ? value.text.size() : value.parts.size();
  std::memset(at, 0, type.size());
  if (text ? value.is_null : count == 0) return;
  auto* room = static_cast<std::byte*>(std::calloc(count * base + 1, 1));
  if (text) std::memcpy(room, value.text.data(), count);
  for (std::size_t i = 0; !text && i < count; ++i)
    store(*type.node().super, value.parts[i], heap, room + i * base);
  if (heap != nullptr) {
    store_count(static_cast<std::uint32_t>(count), at);
    if (!heap->put({room, count * base}, {at + 4, type.size() - 4}).ok()) std::abort();
    std::free(room);
    return;
  }
  if (!text) std::memcpy(at, &count, sizeof count);
  std::memcpy(at + (text ? 0 : sizeof count), &room, sizeof room);
}

/// The bytes that an element refers to, and how many elements they are.
struct Found {
  std::vector<std::byte> bytes;
  std::size_t count = 0;
  bool is_null = true;
};

Found find_variable(const Datatype& type, FakeHeap* heap, const std::byte* at) {
  Found out;
  const std::size_t base = type.node().super->size();
  const std::byte* first = nullptr;
  if (heap != nullptr) {
    const std::uint32_t number = FakeHeap::number({at + 4, type.size() - 4});
    if (number == 0) return out;
    out.bytes = heap->objects.at(number);
    for (unsigned i = 4; i-- > 0;) out.count = out.count << 8 | std::to_integer<unsigned>(at[i]);
    out.is_null = false;
    if (out.bytes.size() != out.count * base) std::abort();
    return out;
  }
  if (type.is_variable_string()) {
    std::memcpy(&first, at, sizeof first);
    if (first != nullptr) out.count = std::strlen(reinterpret_cast<const char*>(first));
  } else {
    std::memcpy(&out.count, at, sizeof out.count);
    std::memcpy(&first, at + sizeof out.count, sizeof first);
    if ((first == nullptr) != (out.count == 0)) std::abort();
  }
  out.is_null = first == nullptr;
  if (first != nullptr) out.bytes.assign(first, first + out.count * base);
  return out;
}

Value load_variable(const Datatype& type, FakeHeap* heap, const std::byte* at) {
  Value out;
  const Found found = find_variable(type, heap, at);
  if (type.is_variable_string()) {
    out.is_null = found.is_null;
    out.text.assign(reinterpret_cast<const char*>(found.bytes.data()), found.count);
    return out;
  }
  for (std::size_t i = 0; i < found.count; ++i)
    out.parts.push_back(
        load(*type.node().super, heap, found.bytes.data() + i * type.node().super->size()));
  return out;
}

}  // namespace

bool Shape::varies() const {
  return kind == Kind::kText || kind == Kind::kSequence ||
         std::any_of(parts.begin(), parts.end(), [](const Shape& part) { return part.varies(); });
}

unsigned Shape::levels() const {
  unsigned inside = 0;
  for (const Shape& part : parts) inside = std::max(inside, part.levels());
  return inside + (kind == Kind::kText || kind == Kind::kSequence ? 1 : 0);
}

Shape random_shape(Random& random, unsigned depth) {
  Shape shape;
  shape.kind = static_cast<Shape::Kind>(random.below(depth == 0 ? 3 : 6));
  unsigned parts = 0;
  if (shape.kind == Shape::Kind::kSequence || shape.kind == Shape::Kind::kArray) parts = 1;
  if (shape.kind == Shape::Kind::kCompound) parts = 1 + random.below(4);
  if (shape.kind == Shape::Kind::kArray) shape.count = 1 + random.below(3);
  for (unsigned i = 0; i < parts; ++i) shape.parts.push_back(random_shape(random, depth - 1));
  return shape;
}

Value random_value(Random& random, const Shape& shape) {
  Value value;
  unsigned count = 0;
  switch (shape.kind) {
    case Shape::Kind::kNumber: value.number = static_cast<int>(random.below(256)) - 128; break;
    case Shape::Kind::kFixedText: value.text = std::string(random.below(4), 'f'); break;
    case Shape::Kind::kText:
      value.is_null = random.chance(20);
      if (!value.is_null) value.text = std::string(random.below(40), 'a');
      for (char& c : value.text) c = static_cast<char>(1 + random.below(255));
      break;
    case Shape::Kind::kSequence: count = random.chance(25) ? 0 : random.below(5); break;
    case Shape::Kind::kArray: count = shape.count; break;
    case Shape::Kind::kCompound: break;
  }
  for (unsigned i = 0; i < count; ++i)
    value.parts.push_back(random_value(random, shape.parts.front()));
  if (shape.kind == Shape::Kind::kCompound)
    for (const Shape& part : shape.parts) value.parts.push_back(random_value(random, part));
  return value;
}

Datatype random_type(Random& random, const Shape& shape, bool may_lack_members) {
  switch (shape.kind) {
    case Shape::Kind::kFixedText: return Datatype::string(4 + random.below(3));
    case Shape::Kind::kText: return Datatype::vlen_string();
    case Shape::Kind::kSequence:
      return Datatype::vlen(random_type(random, shape.parts.front(), may_lack_members));
    case Shape::Kind::kArray:
      return *Datatype::array(random_type(random, shape.parts.front(), may_lack_members),
                              {shape.count});
    case Shape::Kind::kCompound: return random_compound(random, shape, may_lack_members);
    case Shape::Kind::kNumber: break;
  }
  return random_number(random);
}

void store(const Datatype& type, const Value& value, FakeHeap* heap, std::byte* at) {
  switch (type.type_class()) {
    case TypeClass::kVlen: return store_variable(type, value, heap, at);
    case TypeClass::kString:
      std::memset(at, 0, type.size());
      std::memcpy(at, value.text.data(), value.text.size());
      return;
    case TypeClass::kArray:
      for (std::size_t i = 0; i < value.parts.size(); ++i)
        store(*type.node().super, value.parts[i], heap, at + i * type.node().super->size());
      return;
    case TypeClass::kCompound:
      for (const CompoundMember& member : type.members())
        store(member.type, value.parts[place_of(member)], heap, at + member.offset);
      return;
    default: return store_number(type, value.number, at);
  }
}

Value load(const Datatype& type, FakeHeap* heap, const std::byte* at) {
  Value out;
  switch (type.type_class()) {
    case TypeClass::kVlen: return load_variable(type, heap, at);
    case TypeClass::kString:
      out.text.assign(reinterpret_cast<const char*>(at),
                      strnlen(reinterpret_cast<const char*>(at), type.size()));
      return out;
    case TypeClass::kArray:
      for (std::size_t i = 0; i < type.size(); i += type.node().super->size())
        out.parts.push_back(load(*type.node().super, heap, at + i));
      return out;
    case TypeClass::kCompound:
      for (const CompoundMember& member : type.members()) {
        const std::size_t place = place_of(member);
        if (out.parts.size() <= place) out.parts.resize(place + 1);
        out.parts[place] = load(member.type, heap, at + member.offset);
      }
      return out;
    default: out.number = load_number(type, at); return out;
  }
}

bool same(const Datatype& type, const Value& a, const Value& b) {
  switch (type.type_class()) {
    case TypeClass::kCompound:
      return std::all_of(type.members().begin(), type.members().end(),
                         [&](const CompoundMember& member) {
                           const std::size_t place = place_of(member);
                           return place < a.parts.size() && place < b.parts.size() &&
                                  same(member.type, a.parts[place], b.parts[place]);
                         });
    case TypeClass::kVlen:
      if (type.is_variable_string()) return a.is_null == b.is_null && a.text == b.text;
      [[fallthrough]];
    case TypeClass::kArray:
      return std::equal(
          a.parts.begin(), a.parts.end(), b.parts.begin(), b.parts.end(),
          [&](const Value& x, const Value& y) { return same(*type.node().super, x, y); });
    case TypeClass::kString: return a.text == b.text;
    default: return a.number == b.number;
  }
}

}  // namespace pcio::test
