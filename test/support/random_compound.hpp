// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Random nested compounds, and what moving an element from one to another does to its bytes: a model
// that goes byte by byte and knows nothing of the library. Public headers only; serial and parallel.
//
// Shapes of one universe share names: what one calls "m1" is a compound, an array or a number in all
// of them, with the same dimensions, in sizes, byte orders, places and company of each one's own.

#ifndef PCIO_TEST_SUPPORT_RANDOM_COMPOUND_HPP
#define PCIO_TEST_SUPPORT_RANDOM_COMPOUND_HPP

#include <hdf5.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace compounds {

using Bytes = std::vector<unsigned char>;
using Random = std::mt19937_64;

inline std::size_t below(Random& random, std::size_t n) { return random() % n; }
inline bool once_in(Random& random, std::size_t n) { return below(random, n) == 0; }

enum class Kind { kNumber, kArray, kCompound };

/// What all shapes have in common.
struct Universe {
  Kind kind = Kind::kNumber;
  std::size_t count = 1;  // of an array
  std::vector<Universe> children;
};

inline Universe random_universe(Random& random, int depth, Kind kind = Kind::kCompound) {
  Universe universe;
  universe.kind = kind;
  if (kind == Kind::kNumber) return universe;
  const std::size_t n = kind == Kind::kArray ? 1 : 1 + below(random, 4);
  universe.count = kind == Kind::kArray ? 1 + below(random, 3) : 1;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t what = depth > 0 ? below(random, 5) : 0;
    const Kind child = what < 3 ? Kind::kNumber : what == 3 ? Kind::kCompound : Kind::kArray;
    universe.children.push_back(random_universe(random, depth - 1, child));
  }
  return universe;
}

/// One type. Offsets and sizes in bytes.
struct Shape {
  Kind kind = Kind::kNumber;
  std::size_t size = 0;
  bool big = false;
  std::size_t count = 1;
  struct Member;
  std::vector<Member> members;  // an array has one, its element
};
struct Shape::Member {
  std::size_t number = 0;  // in the universe
  std::size_t offset = 0;
  Shape shape;
};

/// `gaps`: there may be bytes that no member names. `all`: no member is left out.
struct Wishes {
  bool gaps = true;
  bool all = false;
};

inline Shape random_shape(Random& random, const Universe& universe, const Wishes& wishes) {
  Shape shape;
  shape.kind = universe.kind;
  if (shape.kind == Kind::kNumber) {
    shape.size = std::size_t{1} << below(random, 4);
    shape.big = once_in(random, 2);
    return shape;
  }
  if (shape.kind == Kind::kArray) {
    shape.count = universe.count;
    shape.members.push_back({0, 0, random_shape(random, universe.children[0], wishes)});
    shape.size = shape.count * shape.members[0].shape.size;
    return shape;
  }
  std::vector<std::size_t> order(universe.children.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::shuffle(order.begin(), order.end(), random);
  if (!wishes.all) order.resize(1 + below(random, order.size()));
  auto gap = [&] { return wishes.gaps && once_in(random, 2) ? below(random, 5) : 0; };
  for (std::size_t number : order) {
    const std::size_t offset = shape.size + gap();
    shape.members.push_back(
        {number, offset, random_shape(random, universe.children[number], wishes)});
    shape.size = offset + shape.members.back().shape.size;
  }
  shape.size += gap();
  return shape;
}

inline bool same(const Shape& a, const Shape& b) {
  if (a.kind != b.kind || a.size != b.size || a.count != b.count) return false;
  if (a.kind == Kind::kNumber) return a.big == b.big || a.size == 1;
  if (a.members.size() != b.members.size()) return false;
  for (const Shape::Member& m : a.members)
    if (std::none_of(b.members.begin(), b.members.end(), [&](const Shape::Member& n) {
          return m.number == n.number && m.offset == n.offset && same(m.shape, n.shape);
        }))
      return false;
  return true;
}

/// The caller closes it.
inline hid_t make_type(const Shape& shape) {
  if (shape.kind == Kind::kNumber) {
    static const std::pair<hid_t, hid_t> kTypes[] = {{H5T_STD_I8LE, H5T_STD_I8LE},
                                                     {H5T_STD_I16LE, H5T_STD_I16BE},
                                                     {H5T_STD_I32LE, H5T_STD_I32BE},
                                                     {H5T_STD_I64LE, H5T_STD_I64BE}};
    std::size_t at = 0;
    while (std::size_t{1} << at < shape.size) ++at;
    return H5Tcopy(shape.big ? kTypes[at].second : kTypes[at].first);
  }
  if (shape.kind == Kind::kArray) {
    const hsize_t count = shape.count;
    const hid_t element = make_type(shape.members[0].shape);
    const hid_t array = H5Tarray_create2(element, 1, &count);
    H5Tclose(element);
    return array;
  }
  const hid_t compound = H5Tcreate(H5T_COMPOUND, shape.size);
  for (const Shape::Member& member : shape.members) {
    const hid_t type = make_type(member.shape);
    H5Tinsert(compound, ("m" + std::to_string(member.number)).c_str(), member.offset, type);
    H5Tclose(type);
  }
  return compound;
}

inline long long load(const Shape& number, const unsigned char* at) {
  unsigned long long value = 0;
  for (std::size_t i = 0; i < number.size; ++i)
    value |= static_cast<unsigned long long>(at[number.big ? number.size - 1 - i : i]) << 8 * i;
  const unsigned shift = static_cast<unsigned>(64 - 8 * number.size);
  return static_cast<long long>(value << shift) >> shift;
}

inline void store(const Shape& number, long long value, unsigned char* at) {
  for (std::size_t i = 0; i < number.size; ++i)
    at[number.big ? number.size - 1 - i : i] =
        static_cast<unsigned char>(static_cast<unsigned long long>(value) >> 8 * i);
}

/// Calls each(number, offset) for all numbers of an element.
template <class Each>
void for_each_number(const Shape& shape, std::size_t offset, const Each& each) {
  if (shape.kind == Kind::kNumber) return each(shape, offset);
  for (std::size_t i = 0; i < shape.count; ++i)
    for (const Shape::Member& member : shape.members)
      for_each_number(
          member.shape,
          offset + member.offset + (shape.kind == Kind::kArray ? i * member.shape.size : 0), each);
}

/// Random elements. Numbers fit a byte, so that no conversion changes them; what no member names is
/// random too.
inline Bytes random_elements(Random& random, const Shape& shape, std::size_t n) {
  Bytes bytes(n * shape.size);
  for (unsigned char& byte : bytes) byte = static_cast<unsigned char>(random());
  for (std::size_t i = 0; i < n; ++i)
    for_each_number(shape, i * shape.size, [&](const Shape& number, std::size_t at) {
      store(number, static_cast<long long>(below(random, 256)) - 128, bytes.data() + at);
    });
  return bytes;
}

inline void move_members(const Shape& from, const unsigned char* source, const Shape& to,
                         unsigned char* target) {
  if (to.kind == Kind::kNumber) return store(to, load(from, source), target);
  if (to.kind == Kind::kArray) {
    for (std::size_t i = 0; i < to.count; ++i)
      move_members(from.members[0].shape, source + i * from.members[0].shape.size,
                   to.members[0].shape, target + i * to.members[0].shape.size);
    return;
  }
  for (const Shape::Member& member : to.members)
    for (const Shape::Member& have : from.members)
      if (have.number == member.number)
        move_members(have.shape, source + have.offset, member.shape, target + member.offset);
}

/// One element. Equal types are moved whole.
inline void move_element(const Shape& from, const unsigned char* source, const Shape& to,
                         unsigned char* target) {
  if (same(from, to))
    std::memcpy(target, source, to.size);
  else
    move_members(from, source, to, target);
}

/// One where a member names the byte.
inline Bytes named_bytes(const Shape& shape) {
  Bytes named(shape.size, 0);
  for_each_number(shape, 0, [&](const Shape& number, std::size_t at) {
    std::fill_n(named.begin() + static_cast<std::ptrdiff_t>(at), number.size, 1);
  });
  return named;
}

/// How two types differ, for histograms.
struct Difference {
  bool equal = false;
  bool gaps = false;          // bytes of `to` that no member names
  bool lacks = false;         // members of `to` that `from` hasn't, at any depth
  bool drops = false;         // the other way round
  bool nested_equal = false;  // a compound inside is the same in both, the whole is not
};

inline void note_difference(const Shape& from, const Shape& to, Difference& found) {
  if (to.kind == Kind::kArray) {
    note_difference(from.members[0].shape, to.members[0].shape, found);
    return;
  }
  if (to.kind != Kind::kCompound) return;
  std::size_t shared = 0;
  for (const Shape::Member& member : to.members)
    for (const Shape::Member& have : from.members)
      if (have.number == member.number) {
        ++shared;
        if (member.shape.kind == Kind::kCompound && same(have.shape, member.shape))
          found.nested_equal = true;
        note_difference(have.shape, member.shape, found);
      }
  found.lacks = found.lacks || shared < to.members.size();
  found.drops = found.drops || shared < from.members.size();
}

inline Difference difference(const Shape& from, const Shape& to) {
  Difference found;
  found.equal = same(from, to);
  const Bytes named = named_bytes(to);
  found.gaps = std::count(named.begin(), named.end(), 0) > 0;
  if (!found.equal) note_difference(from, to, found);
  return found;
}

/// A shape for the memory side: at times that of the file, or that of the file but for one member.
inline Shape memory_shape(Random& random, const Universe& universe, const Shape& file) {
  const std::size_t what = below(random, 10);
  if (what == 0) return file;
  if (what > 3) return random_shape(random, universe, {what > 5, what == 9});
  Shape shape = file;  // the same compounds inside, with space before them
  const std::size_t shift = what == 1 ? 3 : 0;
  for (Shape::Member& member : shape.members) member.offset += shift;
  shape.size += shift + (what == 2 ? 4 : 0);
  if (what == 3 && shape.members.size() > 1) shape.members.erase(shape.members.begin());
  return shape;
}

}  // namespace compounds

#endif
