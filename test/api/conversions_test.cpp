// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Conversion functions of the program: who is called when, with what, and what comes of it. What is
// expected here was first seen with libhdf5, where these tests pass too.

#include <array>
#include <string>
#include <vector>

#include "api/file_fixture.hpp"

namespace {

/// What a function was called with.
struct Call {
  std::string function;
  H5T_cmd_t command;
  size_t n;
  bool background;
  bool types;
};

std::vector<Call> calls;
bool refuse = false;
bool fail = false;
H5T_bkg_t wanted = H5T_BKG_NO;

herr_t note(const char* function, hid_t from, hid_t to, H5T_cdata_t* data, size_t n,
            size_t buf_stride, const void* background, void* buf) {
  const bool types = H5Iget_type(from) == H5I_DATATYPE && H5Iget_type(to) == H5I_DATATYPE;
  calls.push_back({function, data->command, n, background != nullptr, types});
  if (data->command == H5T_CONV_INIT) {
    data->need_bkg = wanted;
    data->priv = &calls;
    return refuse ? -1 : 0;
  }
  EXPECT_EQ(data->priv, &calls);
  if (data->command == H5T_CONV_FREE) return 0;
  if (fail) return -1;
  const size_t size = H5Tget_size(to);
  auto* bytes = static_cast<unsigned char*>(buf);
  for (size_t i = 0; i < n; ++i) {
    unsigned char* at = bytes + i * (buf_stride != 0 ? buf_stride : size);
    // Elements become the letter of the function, or stay what they were.
    for (size_t b = 0; b < size; ++b)
      at[b] = wanted == H5T_BKG_YES ? static_cast<const unsigned char*>(background)[i * size + b]
                                    : static_cast<unsigned char>(function[0]);
  }
  return 0;
}

herr_t first(hid_t from, hid_t to, H5T_cdata_t* data, size_t n, size_t buf_stride, size_t,
             void* buf, void* bkg, hid_t) {
  return note("first", from, to, data, n, buf_stride, bkg, buf);
}
herr_t second(hid_t from, hid_t to, H5T_cdata_t* data, size_t n, size_t buf_stride, size_t,
              void* buf, void* bkg, hid_t) {
  return note("second", from, to, data, n, buf_stride, bkg, buf);
}

class Conversions : public FileTest {
 protected:
  void SetUp() override {
    FileTest::SetUp();
    text = H5Tcopy(H5T_C_S1);
    H5Tset_size(text, 8);
    calls.clear();
    refuse = fail = false;
    wanted = H5T_BKG_NO;
  }
  void TearDown() override {
    for (H5T_conv_t function : {first, second})
      EXPECT_EQ(H5Tunregister(H5T_PERS_DONTCARE, nullptr, -1, -1, function), 0);
    H5Tclose(text);
    FileTest::TearDown();
  }

  /// "first INIT, first CONV 2" since the last time.
  static std::string said() {
    static constexpr const char* kNames[] = {" INIT", " CONV", " FREE"};
    std::string out;
    for (const Call& call : calls) {
      out += (out.empty() ? "" : ", ") + call.function + kNames[call.command];
      if (call.command == H5T_CONV_CONV) out += " " + std::to_string(call.n);
      EXPECT_EQ(call.types, call.command != H5T_CONV_FREE);
    }
    calls.clear();
    return out;
  }

  herr_t convert(hid_t from, hid_t to, size_t n = 1) {
    data.fill(1);
    background.fill('b');
    return H5Tconvert(from, to, n, data.data(), background.data(), H5P_DEFAULT);
  }

  hid_t text = -1;
  std::array<char, 64> data{};
  std::array<char, 64> background{};
};

TEST_F(Conversions, SoftFunctionsServeTheirClasses) {
  EXPECT_LT(convert(text, H5T_NATIVE_INT), 0);
  ASSERT_EQ(H5Tregister(H5T_PERS_SOFT, "f", H5T_C_S1, H5T_NATIVE_INT, first), 0) << first_error();
  calls.clear();  // libhdf5 asks for pairs that it has met
  ASSERT_EQ(convert(text, H5T_STD_I16BE, 2), 0) << first_error();
  EXPECT_EQ(said(), "first INIT, first CONV 2");
  EXPECT_EQ(data[3], 'f');
  EXPECT_EQ(convert(text, H5T_STD_I16BE), 0);
  EXPECT_EQ(said(), "first CONV 1");
  // The one registered last is asked first, also for pairs that are known.
  ASSERT_EQ(H5Tregister(H5T_PERS_SOFT, "s", H5T_C_S1, H5T_NATIVE_INT, second), 0);
  calls.clear();
  EXPECT_EQ(convert(text, H5T_STD_I16BE), 0);
  EXPECT_EQ(data[0], 's');
  // When it goes the other one is back.
  calls.clear();
  EXPECT_EQ(H5Tunregister(H5T_PERS_SOFT, "s", -1, -1, nullptr), 0);
  EXPECT_EQ(said().find("second FREE"), 0U);
  EXPECT_EQ(convert(text, H5T_STD_I16BE), 0);
  EXPECT_EQ(said(), "first INIT, first CONV 1");
  EXPECT_EQ(H5Tunregister(H5T_PERS_SOFT, nullptr, text, -1, nullptr), 0);
  calls.clear();
  EXPECT_LT(convert(text, H5T_STD_I16BE), 0);
  EXPECT_EQ(said(), "");
}

herr_t note_set(hid_t, hid_t to, H5T_cdata_t* data, size_t, size_t, size_t, void* buf, void*,
                hid_t) {
  if (data->command == H5T_CONV_INIT) data->need_bkg = H5T_BKG_NO;
  static char utf8[] = "utf8", ascii[] = "ascii";
  if (data->command == H5T_CONV_CONV)
    *static_cast<char**>(buf) = H5Tget_cset(to) == H5T_CSET_UTF8 ? utf8 : ascii;
  return 0;
}

herr_t throw_number(hid_t, hid_t, H5T_cdata_t* data, size_t, size_t, size_t, void*, void*, hid_t) {
  if (data->command == H5T_CONV_CONV) throw 7;
  return 0;
}

/// Of C++ programs: no std::exception.
TEST_F(Conversions, ThatThrowAnythingFailTheirCalls) {
  ASSERT_EQ(H5Tregister(H5T_PERS_HARD, "throws", H5T_NATIVE_INT, H5T_STD_I16BE, throw_number), 0);
  EXPECT_LT(convert(H5T_NATIVE_INT, H5T_STD_I16BE), 0);
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS), space = H5Screate(H5S_SCALAR);
  ASSERT_EQ(H5Pset_fapl_core(access, 1 << 16, false), 0);
  const hid_t file = H5Fcreate("throws.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access);
  const hid_t set =
      H5Dcreate2(file, "d", H5T_STD_I16BE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  const int value = 5;
  EXPECT_LT(H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value), 0);
  EXPECT_EQ(H5Tunregister(H5T_PERS_HARD, "throws", -1, -1, throw_number), 0);
  EXPECT_EQ(H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value), 0);
  EXPECT_EQ(H5Dclose(set), 0);
  for (const hid_t id : {file, access, space}) H5Idec_ref(id);
}

/// Variable-length strings are equal whatever their characters: a path serves both.
TEST_F(Conversions, FunctionsAreToldTheTypesOfTheCall) {
  hid_t opaque = H5Tcreate(H5T_OPAQUE, 8);
  hid_t plain = H5Tcopy(H5T_C_S1);
  ASSERT_EQ(H5Tset_size(plain, H5T_VARIABLE), 0);
  hid_t wide = H5Tcopy(plain);
  ASSERT_EQ(H5Tset_cset(wide, H5T_CSET_UTF8), 0);
  ASSERT_EQ(H5Tregister(H5T_PERS_HARD, "set", opaque, plain, note_set), 0) << first_error();
  const auto converted = [&](hid_t to) {
    char* value = nullptr;
    EXPECT_EQ(H5Tconvert(opaque, to, 1, static_cast<void*>(&value), nullptr, H5P_DEFAULT), 0);
    return std::string(value == nullptr ? "" : value);
  };
  EXPECT_EQ(converted(wide), "utf8");
  EXPECT_EQ(converted(plain), "ascii");
  EXPECT_EQ(converted(wide), "utf8");
  EXPECT_EQ(H5Tunregister(H5T_PERS_HARD, "set", -1, -1, note_set), 0);
  for (hid_t type : {opaque, plain, wide}) EXPECT_EQ(H5Tclose(type), 0);
}

TEST_F(Conversions, SoftOnesDontReplaceTheProcessor) {
  ASSERT_EQ(H5Tregister(H5T_PERS_SOFT, "f", H5T_NATIVE_INT, H5T_NATIVE_FLOAT, first), 0);
  calls.clear();
  EXPECT_EQ(convert(H5T_NATIVE_INT, H5T_NATIVE_FLOAT), 0);
  EXPECT_EQ(convert(H5T_NATIVE_FLOAT, H5T_NATIVE_FLOAT), 0);
  EXPECT_EQ(said(), "");
  EXPECT_EQ(convert(H5T_STD_I16BE, H5T_NATIVE_FLOAT), 0);
  EXPECT_EQ(data[0], 'f');
}

TEST_F(Conversions, HardOnesGoBeforeEverything) {
  ASSERT_EQ(H5Tregister(H5T_PERS_HARD, "h", H5T_NATIVE_INT, H5T_NATIVE_FLOAT, first), 0);
  EXPECT_EQ(said(), "first INIT");
  EXPECT_EQ(convert(H5T_NATIVE_INT, H5T_NATIVE_FLOAT, 3), 0);
  EXPECT_EQ(said(), "first CONV 3");
  EXPECT_EQ(convert(H5T_NATIVE_INT, H5T_NATIVE_DOUBLE), 0);
  EXPECT_EQ(said(), "");
  EXPECT_GT(H5Tcompiler_conv(H5T_NATIVE_INT, H5T_NATIVE_FLOAT), 0);
  EXPECT_GT(H5Tcompiler_conv(H5T_NATIVE_INT, H5T_NATIVE_DOUBLE), 0);
  EXPECT_EQ(H5Tcompiler_conv(H5T_NATIVE_INT, H5T_NATIVE_INT), 0);
  EXPECT_EQ(H5Tcompiler_conv(H5T_STD_I32BE, H5T_NATIVE_INT), 0);
  EXPECT_LT(H5Tcompiler_conv(H5T_NATIVE_INT, text), 0);
  // Members and elements of arrays are converted by it, too.
  hid_t from = H5Tcreate(H5T_COMPOUND, 8), to = H5Tcreate(H5T_COMPOUND, 12);
  H5Tinsert(from, "a", 0, H5T_NATIVE_SHORT);
  H5Tinsert(from, "b", 4, H5T_NATIVE_INT);
  H5Tinsert(to, "b", 0, H5T_NATIVE_FLOAT);
  H5Tinsert(to, "a", 4, H5T_NATIVE_LLONG);
  ASSERT_EQ(convert(from, to, 2), 0) << first_error();
  EXPECT_EQ(said(), "first CONV 2");
  EXPECT_EQ(data[12], 'f');
  EXPECT_EQ(data[16], 1);
  EXPECT_EQ(H5Tunregister(H5T_PERS_HARD, "h", -1, -1, nullptr), 0);
  EXPECT_EQ(said(), "first FREE");
  EXPECT_EQ(H5Tclose(from), 0);
  EXPECT_EQ(H5Tclose(to), 0);
}

TEST_F(Conversions, AFunctionMayRefuseAndFail) {
  refuse = true;
  EXPECT_LT(H5Tregister(H5T_PERS_HARD, "h", text, H5T_NATIVE_INT, first), 0);
  EXPECT_LT(convert(text, H5T_NATIVE_INT), 0);
  ASSERT_EQ(H5Tregister(H5T_PERS_SOFT, "s", text, H5T_NATIVE_INT, first), 0);
  EXPECT_LT(convert(text, H5T_NATIVE_INT), 0);
  refuse = false;
  ASSERT_EQ(H5Tregister(H5T_PERS_HARD, "h", text, H5T_NATIVE_INT, second), 0);
  fail = true;
  EXPECT_LT(convert(text, H5T_NATIVE_INT), 0);
  fail = false;
  EXPECT_EQ(convert(text, H5T_NATIVE_INT), 0);
}

TEST_F(Conversions, AreFound) {
  H5T_cdata_t* path = nullptr;
  ASSERT_EQ(H5Tregister(H5T_PERS_HARD, "h", text, H5T_NATIVE_INT, first), 0);
  EXPECT_EQ(H5Tfind(text, H5T_NATIVE_INT, &path), first);
  ASSERT_NE(path, nullptr);
  EXPECT_EQ(path->priv, &calls);
  EXPECT_EQ(H5Tfind(text, H5T_NATIVE_FLOAT, &path), nullptr);
  EXPECT_EQ(H5Tfind(text, H5T_NATIVE_INT, nullptr), nullptr);
  EXPECT_EQ(H5Tfind(file, H5T_NATIVE_INT, &path), nullptr);
  EXPECT_NE(H5Tfind(H5T_NATIVE_INT, H5T_NATIVE_INT, &path), nullptr);
#ifdef PCIO_VERSION  // libhdf5 crashes
  // The library's own ways can be called like a program's.
  H5T_conv_t own = H5Tfind(H5T_STD_I32BE, H5T_NATIVE_DOUBLE, &path);
  ASSERT_NE(own, nullptr);
  const std::array<unsigned char, 8> big = {0, 0, 0, 5, 0, 0, 1, 0};
  std::array<double, 2> numbers{};
  std::memcpy(numbers.data(), big.data(), big.size());
  path->command = H5T_CONV_CONV;
  ASSERT_GE(own(H5T_STD_I32BE, H5T_NATIVE_DOUBLE, path, 2, 0, 0, numbers.data(), nullptr,
                H5P_DATASET_XFER_DEFAULT),
            0);
  EXPECT_EQ(numbers[0], 5);
  EXPECT_EQ(numbers[1], 256);
#endif
}

TEST_F(Conversions, BadArguments) {
  EXPECT_LT(H5Tregister(H5T_PERS_DONTCARE, "f", text, H5T_NATIVE_INT, first), 0);
  EXPECT_LT(H5Tregister(number_as<H5T_pers_t>(7), "f", text, H5T_NATIVE_INT, first), 0);
  EXPECT_LT(H5Tregister(H5T_PERS_SOFT, nullptr, text, H5T_NATIVE_INT, first), 0);
  EXPECT_LT(H5Tregister(H5T_PERS_SOFT, "", text, H5T_NATIVE_INT, first), 0);
  EXPECT_LT(H5Tregister(H5T_PERS_SOFT, "f", file, H5T_NATIVE_INT, first), 0);
  EXPECT_LT(H5Tregister(H5T_PERS_SOFT, "f", text, -1, first), 0);
  EXPECT_LT(H5Tregister(H5T_PERS_SOFT, "f", text, H5T_NATIVE_INT, nullptr), 0);
#ifdef PCIO_VERSION
  EXPECT_LT(H5Tunregister(number_as<H5T_pers_t>(7), nullptr, -1, -1, first), 0);
#endif
  EXPECT_LT(H5Tunregister(H5T_PERS_SOFT, nullptr, file, -1, first), 0);
  EXPECT_EQ(H5Tunregister(H5T_PERS_SOFT, "no such", -1, -1, nullptr), 0);
  EXPECT_EQ(said(), "");
}

TEST_F(Conversions, ServeDatasets) {
  const hsize_t five = 5;
  hid_t space = H5Screate_simple(1, &five, nullptr);
  hid_t dataset = H5Dcreate2(file, "d", text, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  ASSERT_EQ(H5Dwrite(dataset, text, H5S_ALL, H5S_ALL, H5P_DEFAULT, data.data()), 0);
  ASSERT_EQ(H5Tregister(H5T_PERS_SOFT, "f", text, H5T_NATIVE_INT, first), 0);
  std::array<int, 5> numbers{};
  calls.clear();
  ASSERT_EQ(H5Dread(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()), 0)
      << first_error();
  EXPECT_EQ(said(), "first INIT, first CONV 5");
  EXPECT_EQ(numbers[4], 0x66666666);
  // The other way with what was in the file before.
  wanted = H5T_BKG_YES;
  ASSERT_EQ(H5Dwrite(dataset, text, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                     "12345678abcdefgh12345678abcdefgh12345678"),
            0);
  ASSERT_EQ(H5Tregister(H5T_PERS_SOFT, "s", H5T_NATIVE_INT, text, second), 0);
  calls.clear();
  ASSERT_EQ(H5Dwrite(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()), 0)
      << first_error();
  ASSERT_FALSE(calls.empty());
  EXPECT_TRUE(calls.back().background);
  ASSERT_EQ(H5Dread(dataset, text, H5S_ALL, H5S_ALL, H5P_DEFAULT, data.data()), 0);
  EXPECT_EQ(std::string(data.data(), 16), "12345678abcdefgh");
  // One that fails.
  fail = true;
  EXPECT_LT(H5Dread(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()), 0);
  EXPECT_EQ(H5Dclose(dataset), 0);
  EXPECT_EQ(H5Sclose(space), 0);
}

TEST_F(Conversions, ServeAttributes) {
  const hsize_t two = 2;
  hid_t space = H5Screate_simple(1, &two, nullptr);
  hid_t attribute = H5Acreate2(file, "a", text, space, H5P_DEFAULT, H5P_DEFAULT);
  std::array<int, 2> numbers{};
  EXPECT_LT(H5Awrite(attribute, H5T_NATIVE_INT, numbers.data()), 0);
  ASSERT_EQ(H5Tregister(H5T_PERS_HARD, "w", H5T_NATIVE_INT, text, first), 0);
  ASSERT_EQ(H5Tregister(H5T_PERS_HARD, "r", text, H5T_NATIVE_INT, second), 0);
  calls.clear();
  ASSERT_EQ(H5Awrite(attribute, H5T_NATIVE_INT, numbers.data()), 0) << first_error();
  ASSERT_EQ(H5Aread(attribute, text, data.data()), 0);
  EXPECT_EQ(std::string(data.data(), 16), std::string(16, 'f'));
  ASSERT_EQ(H5Aread(attribute, H5T_NATIVE_INT, numbers.data()), 0) << first_error();
  EXPECT_EQ(numbers[1], 0x73737373);
  EXPECT_EQ(said(), "first CONV 2, second CONV 2");
  EXPECT_EQ(H5Aclose(attribute), 0);
  EXPECT_EQ(H5Sclose(space), 0);
}

TEST_F(Conversions, ServeFillValues) {
  const hsize_t two = 2;
  hid_t space = H5Screate_simple(1, &two, nullptr), list = H5Pcreate(H5P_DATASET_CREATE);
  ASSERT_EQ(H5Pset_fill_value(list, text, "1234567"), 0);
  std::array<int, 2> numbers{};
  EXPECT_LT(H5Pget_fill_value(list, H5T_NATIVE_INT, numbers.data()), 0);
  EXPECT_LT(H5Dcreate2(file, "d", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT), 0);
  EXPECT_LT(H5Dfill("1234567", text, numbers.data(), H5T_NATIVE_INT, space), 0);
  ASSERT_EQ(H5Tregister(H5T_PERS_HARD, "f", text, H5T_NATIVE_INT, first), 0);
  calls.clear();
  ASSERT_EQ(H5Pget_fill_value(list, H5T_NATIVE_INT, numbers.data()), 0) << first_error();
  EXPECT_EQ(numbers[0], 0x66666666);
  EXPECT_EQ(said(), "first CONV 1");
  hid_t dataset = H5Dcreate2(file, "d", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT);
  ASSERT_GT(dataset, 0) << first_error();
  EXPECT_EQ(said(), "first CONV 1");
  numbers = {};
  ASSERT_EQ(H5Dread(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()), 0);
  EXPECT_EQ(numbers[1], 0x66666666);
  numbers = {};
  ASSERT_EQ(H5Dfill("1234567", text, numbers.data(), H5T_NATIVE_INT, space), 0) << first_error();
  EXPECT_EQ(numbers[1], 0x66666666);
  fail = true;
  EXPECT_LT(H5Pget_fill_value(list, H5T_NATIVE_INT, numbers.data()), 0);
  EXPECT_LT(H5Dfill("1234567", text, numbers.data(), H5T_NATIVE_INT, space), 0);
  EXPECT_LT(H5Dcreate2(file, "e", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT), 0);
  EXPECT_EQ(H5Lexists(file, "e", H5P_DEFAULT), 0);
  EXPECT_EQ(H5Dclose(dataset), 0);
  EXPECT_EQ(H5Pclose(list), 0);
  EXPECT_EQ(H5Sclose(space), 0);
}

TEST_F(Conversions, ServeWhatFillValuesReferTo) {
  hid_t space = H5Screate(H5S_SCALAR), list = H5Pcreate(H5P_DATASET_CREATE);
  hid_t texts = H5Tvlen_create(text), numbers = H5Tvlen_create(H5T_NATIVE_INT);
  hvl_t value = {2, data.data()};
  ASSERT_EQ(H5Pset_fill_value(list, texts, &value), 0);
  ASSERT_EQ(H5Tregister(H5T_PERS_HARD, "f", text, H5T_NATIVE_INT, first), 0);
  H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY);
  hid_t dataset = H5Dcreate2(file, "d", numbers, space, H5P_DEFAULT, list, H5P_DEFAULT);
  ASSERT_GT(dataset, 0) << first_error();
  hvl_t read = {0, nullptr};
  ASSERT_EQ(H5Dread(dataset, numbers, H5S_ALL, H5S_ALL, H5P_DEFAULT, &read), 0) << first_error();
  ASSERT_EQ(read.len, 2U);
  EXPECT_EQ(static_cast<int*>(read.p)[1], 0x66666666);
  H5Dvlen_reclaim(numbers, space, H5P_DEFAULT, &read);
  for (const hid_t type : {texts, numbers}) H5Tclose(type);
  EXPECT_EQ(H5Dclose(dataset), 0);
  EXPECT_EQ(H5Pclose(list), 0);
  EXPECT_EQ(H5Sclose(space), 0);
}

}  // namespace
