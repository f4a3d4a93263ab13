// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Transfers of parts of compounds: bytes that the memory type doesn't name stay as they are, members
// that it lacks stay in the file. Random nested compounds beside a model that goes byte by byte.

#include <algorithm>
#include <cstdlib>
#include <map>

#include "api/file_fixture.hpp"
#include "support/random_compound.hpp"

namespace {

using compounds::Bytes;
using compounds::Random;
using compounds::Shape;

enum Layout { kContiguous, kChunked, kFiltered, kCompact, kLayouts };
constexpr const char* kLayoutNames[] = {"contiguous", "chunked", "filtered", "compact"};

using Bins = std::map<std::string, int>;

void count_difference(Bins& bins, const char* call, const compounds::Difference& found) {
  auto count = [&](const char* bin, bool yes) {
    bins[std::string(call) + " " + bin] += yes ? 1 : 0;
  };
  count("equal", found.equal);
  count("gaps", !found.equal && found.gaps);
  count("lacks", found.lacks);
  count("drops", found.drops);
  count("nested equal", found.nested_equal);
}

class TypeId {
 public:
  explicit TypeId(const Shape& shape) : id_(compounds::make_type(shape)) {}
  TypeId(const TypeId&) = delete;
  TypeId& operator=(const TypeId&) = delete;
  ~TypeId() { H5Tclose(id_); }
  operator hid_t() const { return id_; }  // given to C functions

 private:
  hid_t id_;
};

/// The dataset's elements as they should be, in the type of the file.
struct Model {
  Shape shape;
  Bytes bytes;
  [[nodiscard]] std::size_t elements() const { return bytes.size() / shape.size; }
  unsigned char* at(std::size_t i) { return bytes.data() + i * shape.size; }
};

/// A random part of the elements: a slab with steps, or points in any order.
std::vector<hsize_t> select(Random& random, hid_t space, std::size_t elements) {
  std::vector<hsize_t> chosen;
  if (compounds::once_in(random, 3)) {
    for (hsize_t i = 0; i < elements; ++i)
      if (compounds::once_in(random, 3)) chosen.push_back(i);
    std::shuffle(chosen.begin(), chosen.end(), random);
    if (!chosen.empty()) H5Sselect_elements(space, H5S_SELECT_SET, chosen.size(), chosen.data());
  } else {
    const hsize_t stride = compounds::once_in(random, 2) ? 1 : 1 + compounds::below(random, 4);
    const hsize_t start = compounds::below(random, elements);
    const hsize_t count = 1 + compounds::below(random, (elements - 1 - start) / stride + 1);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, &stride, &count, nullptr);
    for (hsize_t i = 0; i < count; ++i) chosen.push_back(start + i * stride);
  }
  if (chosen.empty()) H5Sselect_none(space);
  return chosen;
}

class PartialCompound : public FileTest {
 protected:
  /// One dataset: some writes and reads with types of their own.
  void play(unsigned seed) {
    Random random(seed);
    const compounds::Universe universe = compounds::random_universe(random, 3);
    Model model;
    model.shape = compounds::random_shape(
        random, universe, {compounds::once_in(random, 2), compounds::once_in(random, 2)});
    const Layout layout = static_cast<Layout>(compounds::below(random, kLayouts));
    const std::size_t most = layout == kCompact ? 60000 / model.shape.size : 700;
    hsize_t elements = 1 + compounds::below(random, std::min<std::size_t>(most, 700));
    const bool large = layout != kCompact && compounds::once_in(random, 40);
    if (large) elements = 100000;  // more than any buffer on the way
    ++bins_[kLayoutNames[layout]];
    bins_["large"] += large ? 1 : 0;
    const TypeId type(model.shape);
    const hid_t space = H5Screate_simple(1, &elements, nullptr);
    const hid_t create = creation_list(random, model, type, layout, elements);
    const hid_t data = H5Dcreate2(file, std::to_string(seed).c_str(), type, space, H5P_DEFAULT,
                                  create, H5P_DEFAULT);
    ASSERT_GT(data, 0) << first_error();
    for (int i = 0; i < 4 && !HasFailure(); ++i) {
      if (compounds::once_in(random, 2))
        write(random, universe, model, data);
      else
        read(random, universe, model, data);
    }
    if (!HasFailure()) check_file(model, data, type);
    H5Dclose(data);
    H5Pclose(create);
    H5Sclose(space);
  }

  hid_t creation_list(Random& random, Model& model, hid_t type, Layout layout, hsize_t elements) {
    const hid_t create = H5Pcreate(H5P_DATASET_CREATE);
    const hsize_t chunk =
        std::min<hsize_t>(elements, 1 + compounds::below(random, 300) + elements / 50);
    if (layout == kChunked || layout == kFiltered) H5Pset_chunk(create, 1, &chunk);
    if (layout == kFiltered) H5Pset_deflate(create, 1);
    if (layout == kCompact) H5Pset_layout(create, H5D_COMPACT);
    Bytes fill(model.shape.size, 0);
    if (compounds::once_in(random, 2)) {
      fill = compounds::random_elements(random, model.shape, 1);
      H5Pset_fill_value(create, type, fill.data());
      ++bins_["fill value"];
    }
    for (hsize_t i = 0; i < elements; ++i)
      model.bytes.insert(model.bytes.end(), fill.begin(), fill.end());
    return create;
  }

  void write(Random& random, const compounds::Universe& universe, Model& model, hid_t data) {
    const Shape memory = compounds::memory_shape(random, universe, model.shape);
    const hid_t space = H5Dget_space(data);
    const auto chosen = select(random, space, model.elements());
    const hsize_t count = std::max<hsize_t>(chosen.size(), 1);
    const hid_t room = H5Screate_simple(1, &count, nullptr);
    if (chosen.empty()) H5Sselect_none(room);
    const Bytes buffer = compounds::random_elements(random, memory, count);
    const TypeId type(memory);
    EXPECT_EQ(H5Dwrite(data, type, room, space, H5P_DEFAULT, buffer.data()), 0) << first_error();
    for (std::size_t i = 0; i < chosen.size(); ++i)
      compounds::move_element(memory, buffer.data() + i * memory.size, model.shape,
                              model.at(chosen[i]));
    count_difference(bins_, "write", compounds::difference(memory, model.shape));
    H5Sclose(room);
    H5Sclose(space);
  }

  void read(Random& random, const compounds::Universe& universe, Model& model, hid_t data) {
    const Shape memory = compounds::memory_shape(random, universe, model.shape);
    const hid_t space = H5Dget_space(data);
    const auto chosen = select(random, space, model.elements());
    // Every other element of memory.
    const hsize_t room_size = 2 * std::max<hsize_t>(chosen.size(), 1), start = 1, stride = 2;
    const hsize_t count = chosen.size();
    const hid_t room = H5Screate_simple(1, &room_size, nullptr);
    if (chosen.empty())
      H5Sselect_none(room);
    else
      H5Sselect_hyperslab(room, H5S_SELECT_SET, &start, &stride, &count, nullptr);
    Bytes buffer = compounds::random_elements(random, memory, room_size);
    Bytes wanted = buffer;
    const TypeId type(memory);
    EXPECT_EQ(H5Dread(data, type, room, space, H5P_DEFAULT, buffer.data()), 0) << first_error();
    for (std::size_t i = 0; i < chosen.size(); ++i)
      compounds::move_element(model.shape, model.at(chosen[i]), memory,
                              wanted.data() + (1 + 2 * i) * memory.size);
    if (compounds::same(model.shape, memory)) forget_gaps(memory, buffer, wanted);
    EXPECT_TRUE(buffer == wanted);
    count_difference(bins_, "read", compounds::difference(model.shape, memory));
    H5Sclose(room);
    H5Sclose(space);
  }

  /// What lies between members in the file is nobody's.
  static void forget_gaps(const Shape& shape, Bytes& a, Bytes& b) {
    const Bytes named = compounds::named_bytes(shape);
    for (std::size_t i = 0; i < a.size(); ++i)
      if (named[i % named.size()] == 0) a[i] = b[i] = 0;
  }

  static void check_file(Model& model, hid_t data, hid_t type) {
    Bytes found(model.bytes.size());
    Bytes wanted = model.bytes;
    EXPECT_EQ(H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, found.data()), 0) << first_error();
    forget_gaps(model.shape, found, wanted);
    EXPECT_TRUE(found == wanted);
  }

  /// The same of an attribute, and of H5Tconvert with a background.
  void play_memory(unsigned seed) {
    Random random(seed);
    const compounds::Universe universe = compounds::random_universe(random, 3);
    const Shape from = compounds::random_shape(random, universe, {true, true});
    const hsize_t elements = 1 + compounds::below(random, 40);
    const TypeId type(from);
    const hid_t space = H5Screate_simple(1, &elements, nullptr);
    const std::string name = "a" + std::to_string(seed);
    const hid_t attribute = H5Acreate2(file, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT);
    ASSERT_GT(attribute, 0) << first_error();
    Bytes values = compounds::random_elements(random, from, elements);
    ASSERT_EQ(H5Awrite(attribute, type, values.data()), 0) << first_error();
    const Shape some = compounds::memory_shape(random, universe, from);
    const Bytes changes = compounds::random_elements(random, some, elements);
    ASSERT_EQ(H5Awrite(attribute, TypeId(some), changes.data()), 0) << first_error();
    move_all(some, changes, from, values);
    const Shape to = compounds::memory_shape(random, universe, from);
    Bytes buffer = compounds::random_elements(random, to, elements), wanted = buffer;
    const Bytes background = buffer;
    ASSERT_EQ(H5Aread(attribute, TypeId(to), buffer.data()), 0) << first_error();
    move_all(from, values, to, wanted);
    Bytes converted = values;
    converted.resize(std::max(values.size(), wanted.size()));
    Bytes kept = background;
    ASSERT_EQ(H5Tconvert(type, TypeId(to), elements, converted.data(), kept.data(), H5P_DEFAULT),
              0);
    converted.resize(wanted.size());
    if (compounds::same(from, to)) {
      forget_gaps(to, converted, wanted);
      forget_gaps(to, buffer, wanted);
    }
    EXPECT_TRUE(buffer == wanted);
    EXPECT_TRUE(converted == wanted);
    H5Aclose(attribute);
    H5Adelete(file, name.c_str());
    H5Sclose(space);
  }

  static void move_all(const Shape& from, const Bytes& source, const Shape& to, Bytes& target) {
    for (std::size_t i = 0; i < target.size() / to.size; ++i)
      compounds::move_element(from, source.data() + i * from.size, to, target.data() + i * to.size);
  }

  static unsigned cases(unsigned usual) {
    const char* asked = std::getenv("PCIO_CASES");
    return asked == nullptr ? usual : static_cast<unsigned>(std::atol(asked));
  }

  Bins bins_;
};

TEST_F(PartialCompound, TransfersTouchMembersOnly) {
  const unsigned most = cases(400);
  for (unsigned seed = 1; seed <= most; ++seed) {
    play(seed);
    ASSERT_FALSE(HasFailure()) << "seed " << seed;
  }
  std::string line;
  for (const auto& [bin, count] : bins_) {
    line += " " + bin + ":" + std::to_string(count);
    EXPECT_GT(count, 0) << bin;
  }
  EXPECT_EQ(bins_.size(), 16U);
  std::printf("partial compounds: seeds 1 to %u:%s\n", most, line.c_str());
}

TEST_F(PartialCompound, AttributesAndConversionsTouchMembersOnly) {
  const unsigned most = cases(400);
  for (unsigned seed = 1; seed <= most; ++seed) {
    play_memory(seed);
    ASSERT_FALSE(HasFailure()) << "seed " << seed;
  }
}

}  // namespace
