// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Links and attributes made, renamed, removed, made again and asked for in any order, compared with a model
// after each step: what the library keeps to answer faster must never answer otherwise.

#include <map>
#include <random>

#include "api/file_fixture.hpp"

namespace {

class MetadataModel : public FileTest, public ::testing::WithParamInterface<H5F_libver_t> {
 protected:
  void SetUp() override {
    FileTest::SetUp();
    ASSERT_EQ(H5Fset_libver_bounds(file, GetParam(), H5F_LIBVER_LATEST), 0);
  }
  void open_file_again(unsigned flags) {
    reopen(flags);
    if (flags == H5F_ACC_RDWR)
      ASSERT_EQ(H5Fset_libver_bounds(file, GetParam(), H5F_LIBVER_LATEST), 0);
  }
  int pick(int most) { return std::uniform_int_distribution<int>(0, most - 1)(random_); }
  /// Beside the last one, as a rule: programs go by name.
  std::string name(int* last, int names) {
    *last = (pick(3) == 0 ? pick(names) : *last + pick(3) - 1 + names) % names;
    return "name" + std::to_string(100 + *last);
  }

 private:
  std::mt19937 random_{20261123};
};

/// Attributes of one object: name to value. The size of a value is part of it.
using Values = std::map<std::string, std::vector<int>>;

class AttributeModel : public MetadataModel {
 protected:
  void SetUp() override {
    MetadataModel::SetUp();
    owner = H5Gcreate2(file, "owner", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    ASSERT_GT(owner, 0);
  }
  void TearDown() override {
    H5Gclose(owner);
    MetadataModel::TearDown();
  }
  void create(const std::string& name) {
    const hsize_t size = static_cast<hsize_t>(1 + pick(3));
    const hid_t space = H5Screate_simple(1, &size, nullptr);
    const hid_t types[] = {H5T_STD_I32LE, H5T_STD_I32BE,  H5T_STD_I64LE,
                           H5T_STD_I16BE, H5T_IEEE_F64LE, H5T_STD_U16LE};
    const hid_t made =
        H5Acreate2(owner, name.c_str(), types[pick(6)], space, H5P_DEFAULT, H5P_DEFAULT);
    ASSERT_EQ(made > 0, !model.contains(name)) << name;
    if (made > 0) {
      model[name].resize(size);
      // The id says what one says that is opened.
      const hid_t again = H5Aopen(owner, name.c_str(), H5P_DEFAULT);
      same_facts(made, again);
      EXPECT_EQ(H5Aclose(again), 0);
      EXPECT_EQ(H5Aclose(made), 0);
    }
    H5Sclose(space);
  }
  static void same_facts(hid_t one, hid_t other) {
    const hid_t types[] = {H5Aget_type(one), H5Aget_type(other)};
    const hid_t spaces[] = {H5Aget_space(one), H5Aget_space(other)};
    EXPECT_GT(H5Tequal(types[0], types[1]), 0);
    EXPECT_GT(H5Sextent_equal(spaces[0], spaces[1]), 0);
    EXPECT_EQ(H5Aget_storage_size(one), H5Aget_storage_size(other));
    for (int i = 0; i < 2; ++i) {
      H5Tclose(types[i]);
      H5Sclose(spaces[i]);
    }
  }
  void write(const std::string& name) {
    const hid_t id = H5Aopen(owner, name.c_str(), H5P_DEFAULT);
    ASSERT_EQ(id > 0, model.contains(name)) << name;
    if (id < 0) return;
    for (int& value : model[name]) value = pick(30000);
    EXPECT_EQ(H5Awrite(id, H5T_NATIVE_INT, model[name].data()), 0) << first_error();
    EXPECT_EQ(H5Aclose(id), 0);
  }
  void rename(const std::string& from, const std::string& to) {
    if (from == to) return;
    const bool can = model.contains(from) && !model.contains(to);
    ASSERT_EQ(H5Arename(owner, from.c_str(), to.c_str()) == 0, can) << from << " to " << to;
    if (!can) return;
    auto node = model.extract(from);
    node.key() = to;
    model.insert(std::move(node));
  }
  void remove(const std::string& name) {
    ASSERT_EQ(H5Adelete(owner, name.c_str()) == 0, model.contains(name)) << name;
    model.erase(name);
  }
  void expect(const std::string& name) const {
    EXPECT_EQ(H5Aexists(owner, name.c_str()) > 0, model.contains(name)) << name;
    const hid_t id = H5Aopen(owner, name.c_str(), H5P_DEFAULT);
    ASSERT_EQ(id > 0, model.contains(name)) << name;
    if (id < 0) return;
    const std::vector<int>& values = model.at(name);
    int read[8] = {};
    EXPECT_EQ(H5Aread(id, H5T_NATIVE_INT, read), 0) << first_error();
    EXPECT_EQ(std::vector<int>(read, read + values.size()), values) << name;
    EXPECT_EQ(H5Aclose(id), 0);
  }
  void expect_all() const {
    H5O_info_t info;
    ASSERT_EQ(H5Oget_info(owner, &info), 0);
    EXPECT_EQ(info.num_attrs, model.size());
    for (const auto& [name, values] : model) expect(name);
  }
  void open_again(unsigned flags) {
    ASSERT_EQ(H5Gclose(owner), 0);
    open_file_again(flags);
    owner = H5Gopen2(file, "owner", H5P_DEFAULT);
    ASSERT_GT(owner, 0) << first_error();
  }
  void step() {
    const std::string name = this->name(&last_, kNames);
    const int what = pick(16);
    if (what < 5)
      create(name);
    else if (what < 9)
      write(name);
    else if (what < 11)
      rename(name, this->name(&last_, kNames));
    else if (what < 14)
      remove(name);
    else if (what == 14)
      ASSERT_EQ(H5Fflush(file, H5F_SCOPE_LOCAL), 0);
    else if (pick(6) == 0)
      open_again(H5F_ACC_RDWR);
    expect(name);
  }

  /// More than are searched one by one, and than a header holds in the newer format.
  static constexpr int kNames = 26;
  hid_t owner = H5I_INVALID_HID;
  Values model;

 private:
  int last_ = 0;
};

TEST_P(AttributeModel, AnswersAsItsModel) {
  for (int i = 0; i < 1500 && !HasFailure(); ++i) {
    step();
    if (i % 16 == 0) expect_all();
  }
  open_again(H5F_ACC_RDONLY);
  expect_all();
}

/// Links to datasets of different sizes, and ids that are open under their names.
class LinkModel : public MetadataModel {
 protected:
  struct Set {
    hsize_t size;
    std::string name;  ///< what its id says; "" once it has none
  };

  void create(const std::string& name) {
    const hsize_t size = static_cast<hsize_t>(++made_);
    const hid_t space = H5Screate_simple(1, &size, nullptr);
    const hid_t id =
        H5Dcreate2(file, name.c_str(), H5T_STD_I8LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    ASSERT_EQ(id > 0, !model.contains(name)) << name;
    H5Sclose(space);
    if (id < 0) return;
    model[name] = size;
    keep(id, {size, "/" + name});
  }
  void open(const std::string& name) {
    const hid_t id = H5Dopen2(file, name.c_str(), H5P_DEFAULT);
    ASSERT_EQ(id > 0, model.contains(name)) << name;
    if (id > 0) keep(id, {model[name], "/" + name});
  }
  /// Some stay open.
  void keep(hid_t id, Set set) {
    expect(id, set);
    if (pick(2) == 0)
      EXPECT_EQ(H5Dclose(id), 0);
    else
      ids[id] = std::move(set);
  }
  void close_one() {
    if (ids.empty()) return;
    const auto which = std::next(ids.begin(), pick(static_cast<int>(ids.size())));
    expect(which->first, which->second);
    EXPECT_EQ(H5Dclose(which->first), 0);
    ids.erase(which);
  }
  void move(const std::string& from, const std::string& to) {
    const bool can = model.contains(from) && !model.contains(to);
    ASSERT_EQ(H5Lmove(file, from.c_str(), file, to.c_str(), H5P_DEFAULT, H5P_DEFAULT) == 0, can)
        << from << " to " << to;
    if (!can) return;
    auto node = model.extract(from);
    node.key() = to;
    model.insert(std::move(node));
    for (auto& [id, set] : ids)
      if (set.name == "/" + from) set.name = "/" + to;
  }
  void remove(const std::string& name) {
    ASSERT_EQ(H5Ldelete(file, name.c_str(), H5P_DEFAULT) == 0, model.contains(name)) << name;
    model.erase(name);
    for (auto& [id, set] : ids)
      if (set.name == "/" + name) set.name = "";
  }
  static void expect(hid_t id, const Set& set) {
    const hid_t space = H5Dget_space(id);
    EXPECT_EQ(H5Sget_simple_extent_npoints(space), static_cast<hssize_t>(set.size));
    H5Sclose(space);
    EXPECT_EQ(name_of(id), set.name);
  }
  void expect_all() const {
    for (const auto& [id, set] : ids) expect(id, set);
    H5G_info_t info;
    ASSERT_EQ(H5Gget_info(file, &info), 0);
    EXPECT_EQ(info.nlinks, model.size());
  }
  void close_all() {
    while (!ids.empty()) close_one();
  }
  void step() {
    const std::string name = this->name(&last_, kNames);
    const int what = pick(16);
    if (what < 4)
      create(name);
    else if (what < 7)
      open(name);
    else if (what < 9)
      move(name, this->name(&last_, kNames));
    else if (what < 11)
      remove(name);
    else if (what < 15)
      close_one();
    else if (pick(6) == 0)
      open_again(H5F_ACC_RDWR);
    EXPECT_EQ(H5Lexists(file, name.c_str(), H5P_DEFAULT) > 0, model.contains(name)) << name;
  }
  void open_again(unsigned flags) {
    close_all();
    open_file_again(flags);
  }

  static constexpr int kNames = 20;
  std::map<std::string, hsize_t> model;
  std::map<hid_t, Set> ids;

 private:
  int made_ = 0;
  int last_ = 0;
};

TEST_P(LinkModel, AnswersAsItsModel) {
  for (int i = 0; i < 1500 && !HasFailure(); ++i) {
    step();
    if (i % 16 == 0) expect_all();
  }
  open_again(H5F_ACC_RDONLY);
  for (const auto& [name, size] : model) open(name);
  close_all();
}

std::string format_name(const ::testing::TestParamInfo<H5F_libver_t>& info) {
  return info.param == H5F_LIBVER_EARLIEST ? "Earliest" : "Latest";
}
const auto kFormats = ::testing::Values(H5F_LIBVER_EARLIEST, H5F_LIBVER_LATEST);
INSTANTIATE_TEST_SUITE_P(Formats, AttributeModel, kFormats, format_name);
INSTANTIATE_TEST_SUITE_P(Formats, LinkModel, kFormats, format_name);

}  // namespace
