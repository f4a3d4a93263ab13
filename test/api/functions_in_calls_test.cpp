// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Functions of the program that run in a call, filters that fail among them, in a serial file: what they do to what the
// call works on, and what a chunk that can't be encoded takes with it.

#include <hdf5.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <random>
#include <utility>

#include "api/file_fixture.hpp"

namespace {

constexpr H5Z_filter_t kFilter = 300;

/// What the filter and the conversion of these tests do; the filter fails where it is false.
std::function<bool(bool decodes, const void* bytes)> in_filter;
std::function<void()> in_conversion;

size_t filter(unsigned flags, size_t, const unsigned*, size_t bytes, size_t*, void** buffer) {
  return !in_filter || in_filter((flags & H5Z_FLAG_REVERSE) != 0, *buffer) ? bytes : 0;
}
H5T_conv_ret_t on_overflow(H5T_conv_except_t, hid_t, hid_t, void*, void* target, void*) {
  if (in_conversion) in_conversion();
  *static_cast<signed char*>(target) = 7;
  return H5T_CONV_HANDLED;
}

class FunctionsInCalls : public FileTest {
 protected:
  void SetUp() override {
    FileTest::SetUp();
    const H5Z_class2_t one = {H5Z_CLASS_T_VERS, kFilter, 1, 1, "test", nullptr, nullptr, filter};
    ASSERT_EQ(H5Zregister(&one), 0);
  }
  void TearDown() override {
    in_filter = nullptr;
    in_conversion = nullptr;
    FileTest::TearDown();
    H5Zunregister(kFilter);
  }
  /// A dataset in chunks with the filter, kept in a cache, or not.
  hid_t make(const char* name, hsize_t elements, hsize_t chunk, hid_t type = H5T_NATIVE_INT,
             bool keeps = true) const {
    const hsize_t most = H5S_UNLIMITED;
    const hid_t space = H5Screate_simple(1, &elements, &most);
    const hid_t create = H5Pcreate(H5P_DATASET_CREATE), access = H5Pcreate(H5P_DATASET_ACCESS);
    H5Pset_chunk(create, 1, &chunk);
    H5Pset_filter(create, kFilter, 0, 0, nullptr);
    if (!keeps) H5Pset_chunk_cache(access, 0, 0, 0);
    const hid_t data = H5Dcreate2(file, name, type, space, H5P_DEFAULT, create, access);
    EXPECT_GT(data, 0);
    H5Sclose(space);
    H5Pclose(create);
    H5Pclose(access);
    return data;
  }
  static herr_t move(bool writes, hid_t data, hsize_t start, std::vector<int>& values,
                     hid_t list = H5P_DEFAULT) {
    const hsize_t count = values.size();
    const hid_t space = H5Dget_space(data), memory = H5Screate_simple(1, &count, nullptr);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &count, nullptr);
    const herr_t done = writes ? H5Dwrite(data, H5T_NATIVE_INT, memory, space, list, values.data())
                               : H5Dread(data, H5T_NATIVE_INT, memory, space, list, values.data());
    H5Sclose(space);
    H5Sclose(memory);
    return done;
  }
  static herr_t write(hid_t data, hsize_t start, std::vector<int> values,
                      hid_t list = H5P_DEFAULT) {
    return move(true, data, start, values, list);
  }
  static std::vector<int> read(hid_t data, hsize_t start, hsize_t count) {
    std::vector<int> values(count, -1);
    EXPECT_EQ(move(false, data, start, values), 0) << first_error();
    return values;
  }
  std::vector<int> read(const char* name, hsize_t count) const {
    const hid_t data = H5Dopen2(file, name, H5P_DEFAULT);
    auto values = read(data, 0, count);
    H5Dclose(data);
    return values;
  }
};

#ifdef PCIO_VERSION

TEST_F(FunctionsInCalls, AChunkThatCantBeEncodedTakesNothingWithIt) {
  for (const bool deletes : {false, true}) {
    in_filter = nullptr;
    hid_t bad = make("bad", 64, 16);
    ASSERT_EQ(write(bad, 0, std::vector<int>(64, 1)), 0);
    ASSERT_EQ(H5Fflush(file, H5F_SCOPE_GLOBAL), 0);
    ASSERT_EQ(write(bad, 0, std::vector<int>(64, 2)), 0);
    // One of four.
    in_filter = [calls = 0](bool decodes, const void*) mutable {
      return decodes || ++calls % 4 != 2;
    };
    make_dataset("good", 4);
    hid_t good = H5Dopen2(file, "good", H5P_DEFAULT);
    ASSERT_EQ(write(good, 0, {1, 2, 3, 4}), 0);
    ASSERT_EQ(H5Dclose(good), 0);
    EXPECT_LT(H5Dclose(bad), 0);
    in_filter = [](bool decodes, const void*) { return decodes; };
    if (deletes) {
      EXPECT_EQ(H5Ldelete(file, "bad", H5P_DEFAULT), 0);
      EXPECT_EQ(H5Fflush(file, H5F_SCOPE_GLOBAL), 0) << first_error();
      EXPECT_EQ(H5Fclose(file), 0);
    } else {
      EXPECT_LT(H5Fflush(file, H5F_SCOPE_GLOBAL), 0);
      EXPECT_NE(all_errors().find("chunks of /bad that can't be encoded"), std::string::npos);
      EXPECT_NE(all_errors().find("the chunk that begins at (16)"), std::string::npos)
          << all_errors();
      EXPECT_LT(H5Fclose(file), 0);
      EXPECT_NE(all_errors().find("the file is closed without them"), std::string::npos);
    }
    EXPECT_EQ(H5Iis_valid(file), 0);
    EXPECT_EQ(H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
    file = H5Fopen(path().c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    ASSERT_GT(file, 0) << first_error();
    EXPECT_EQ(read("good", 4), (std::vector<int>{1, 2, 3, 4}));
    EXPECT_EQ(H5Ldelete(file, "good", H5P_DEFAULT), 0);
    EXPECT_EQ(H5Lexists(file, "bad", H5P_DEFAULT), deletes ? 0 : 1);
    if (deletes) continue;
    std::vector<int> expected(64, 2);
    std::fill_n(expected.begin() + 16, 16, 1);
    EXPECT_EQ(read("bad", 64), expected);
    EXPECT_EQ(H5Ldelete(file, "bad", H5P_DEFAULT), 0);
  }
}

/// Random calls on datasets whose chunks fail a number of times, against a model.
class UnencodedModel {
 public:
  static constexpr int kDatasets = 3, kChunks = 4, kAlways = INT_MAX;
  struct Chunk {
    int file = 0, now = 0, fails = 0;
    bool waits = false;
    /// An attempt to encode it, where it waits; false where that fails.
    bool try_it() {
      if (!waits) return true;
      if (fails > 0) {
        if (fails != kAlways) --fails;
        return false;
      }
      file = now;
      waits = false;
      return true;
    }
  };
  struct Dataset {
    std::array<Chunk, kChunks> chunks;
    bool linked = true, keeps = true;
    hid_t id = -1;
    bool try_all() {
      bool good = true;
      for (Chunk& chunk : chunks) good = chunk.try_it() && good;
      return good;
    }
  };
  std::array<Dataset, kDatasets> datasets;
};

TEST_F(FunctionsInCalls, RandomChunksThatCantBeEncoded) {
  const bool is_long = std::getenv("PCIO_LONG") != nullptr;
  std::map<std::string, int> bins;
  for (unsigned seed = 1; seed <= (is_long ? 2000U : 40U) && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    auto pick = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    UnencodedModel model;
    // A chunk's elements say which it is, and not that of which time.
    auto fails_of = [&](int code) -> int& {
      return model.datasets[static_cast<std::size_t>(code % 10)]
          .chunks[static_cast<std::size_t>(code / 10 % 10)]
          .fails;
    };
    auto name = [](int d) { return "d" + std::to_string(d); };
    std::map<int, int> real;
    in_filter = [&](bool decodes, const void* bytes) {
      const int code = *static_cast<const int*>(bytes);
      if (decodes || code == 0) return true;
      auto& left = real[code % 100];
      if (left > 0 && left != UnencodedModel::kAlways) return --left < 0;
      return left == 0;
    };
    for (int d = 0; d < UnencodedModel::kDatasets; ++d) {
      auto& one = model.datasets[static_cast<std::size_t>(d)];
      one.keeps = d != 1;
      one.id = make(name(d).c_str(), 32, 8, H5T_NATIVE_INT, one.keeps);
    }
    for (int i = 0, version = 1; i < 40; ++i) {
      const int d = pick(UnencodedModel::kDatasets), c = pick(UnencodedModel::kChunks);
      auto& one = model.datasets[static_cast<std::size_t>(d)];
      auto& chunk = one.chunks[static_cast<std::size_t>(c)];
      if (!one.linked) continue;
      const int code = 100 * version + 10 * c + d;
      switch (pick(7)) {
        case 0:
        case 1: {
          ++version;
          chunk.now = code;
          chunk.waits = true;
          const bool good = one.keeps || chunk.try_it();
          EXPECT_EQ(write(one.id, static_cast<hsize_t>(c) * 8, std::vector<int>(8, code)) == 0,
                    good);
          ++bins[good ? "written" : "write failed"];
          break;
        }
        case 2:
          fails_of(10 * c + d) = real[10 * c + d] =
              std::array{0, 1, 2, UnencodedModel::kAlways}[static_cast<std::size_t>(pick(4))];
          break;
        case 3: {
          bool good = true;
          for (auto& each : model.datasets) good = (!each.linked || each.try_all()) && good;
          EXPECT_EQ(H5Fflush(file, H5F_SCOPE_GLOBAL) == 0, good) << first_error();
          ++bins[good ? "flushed" : "flush failed"];
          break;
        }
        case 4: {
          const bool good = one.try_all();
          EXPECT_EQ(H5Dclose(one.id) == 0, good);
          ++bins[good ? "dataset closed" : "dataset close failed"];
          const hid_t access = H5Pcreate(H5P_DATASET_ACCESS);
          if (!one.keeps) H5Pset_chunk_cache(access, 0, 0, 0);
          one.id = H5Dopen2(file, name(d).c_str(), access);
          H5Pclose(access);
          EXPECT_GT(one.id, 0);
          break;
        }
        case 5:
          if (pick(6) != 0) break;
          EXPECT_EQ(H5Ldelete(file, name(d).c_str(), H5P_DEFAULT), 0);
          if (pick(2) == 0) {
            EXPECT_EQ(H5Dclose(one.id), 0);
            one.id = -1;
          }
          one.linked = false;
          ++bins["deleted"];
          break;
        default: {
          const bool good = one.keeps || chunk.try_it();
          std::vector<int> found(8, -1);
          EXPECT_EQ(move(false, one.id, static_cast<hsize_t>(c) * 8, found) == 0, good);
          if (good) {
            EXPECT_EQ(found, std::vector<int>(8, chunk.now));
          }
          ++bins[good ? "read" : "read failed"];
        }
      }
    }
    for (auto& one : model.datasets)
      if (one.id >= 0) {
        EXPECT_EQ(H5Dclose(one.id) == 0, !one.linked || one.try_all());
      }
    bool good = true;
    for (auto& one : model.datasets) good = (!one.linked || one.try_all()) && good;
    EXPECT_EQ(H5Fclose(file) == 0, good);
    ++bins[good ? "closed" : "closed without"];
    EXPECT_EQ(H5Iis_valid(file), 0);
    file = H5Fopen(path().c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    ASSERT_GT(file, 0) << first_error();
    for (int d = 0; d < UnencodedModel::kDatasets; ++d) {
      const auto& one = model.datasets[static_cast<std::size_t>(d)];
      EXPECT_EQ(H5Lexists(file, name(d).c_str(), H5P_DEFAULT), one.linked ? 1 : 0);
      if (!one.linked) continue;
      std::vector<int> expected;
      for (const auto& chunk : one.chunks) expected.insert(expected.end(), 8, chunk.file);
      EXPECT_EQ(read(name(d).c_str(), 32), expected);
      EXPECT_EQ(H5Ldelete(file, name(d).c_str(), H5P_DEFAULT), 0);
    }
  }
  std::string line;
  for (const auto& [bin, count] : bins) line += ", " + bin + " " + std::to_string(count);
  std::printf("seeds 1 to %d%s, failures %d\n", is_long ? 2000 : 40, line.c_str(),
              HasFailure() ? 1 : 0);
  EXPECT_EQ(bins.size(), 11U);
}

/// A conversion reads, or writes, the chunk that its write is filling, and the chunk goes to the file whole.
TEST_F(FunctionsInCalls, AConversionUsesItsOwnChunk) {
  for (const bool keeps : {true, false})
    for (const char* deed : {"read", "read all", "write", "write beside"}) {
      SCOPED_TRACE(deed);
      const hid_t data = make("d", 64, 16, H5T_STD_I8LE, keeps), list = H5Pcreate(H5P_DATASET_XFER);
      EXPECT_EQ(write(data, 0, std::vector<int>(64, 3)), 0);
      H5Pset_type_conv_cb(list, on_overflow, nullptr);
      in_conversion = [&, calls = 0]() mutable {
        if (++calls % 8 != 3) return;
        if (std::strcmp(deed, "read") == 0) read(data, 16, 16);
        if (std::strcmp(deed, "read all") == 0) read(data, 0, 64);
        if (std::strcmp(deed, "write") == 0) {
          EXPECT_EQ(write(data, 16, std::vector<int>(16, 4)), 0);
        }
        if (std::strcmp(deed, "write beside") == 0) {
          EXPECT_EQ(write(data, 48, std::vector<int>(16, 5)), 0);
        }
      };
      EXPECT_EQ(write(data, 8, std::vector<int>(32, 1000), list), 0) << first_error();
      in_conversion = nullptr;
      std::vector<int> expected(64, 3);
      std::fill_n(expected.begin() + 8, 32, 7);
      if (std::strcmp(deed, "write beside") == 0) std::fill_n(expected.begin() + 48, 16, 5);
      for (int i = 0; i < 2; ++i) {
        auto found = i == 0 ? read(data, 0, 64) : read("d", 64);
        // What the conversion writes into its own chunk may be overwritten, and lies in that chunk only.
        if (std::strcmp(deed, "write") == 0)
          for (std::size_t at = 16; at < 32; ++at)
            if (found[at] == 4) found[at] = 7;
        EXPECT_EQ(found, expected);
        if (i == 0) {
          EXPECT_EQ(H5Dclose(data), 0);
          reopen();
        }
      }
      H5Pclose(list);
      EXPECT_EQ(H5Ldelete(file, "d", H5P_DEFAULT), 0);
    }
}

/// A conversion changes what its write writes to: refused, or harmless to all else of the file.
TEST_F(FunctionsInCalls, AConversionChangesItsDataset) {
  for (const H5D_layout_t layout : {H5D_CONTIGUOUS, H5D_CHUNKED, H5D_COMPACT})
    for (const bool has_filter : {false, true})
      for (int deed = 0; deed < 5; ++deed) {
        if (has_filter && layout != H5D_CHUNKED) continue;
        SCOPED_TRACE(std::to_string(layout) + " " + std::to_string(has_filter) + " " +
                     std::to_string(deed));
        const hsize_t count = 4000, most = H5S_UNLIMITED, chunk = 500;
        const bool is_chunked = layout == H5D_CHUNKED;
        const hid_t space = H5Screate_simple(1, &count, is_chunked ? &most : nullptr);
        const hid_t create = H5Pcreate(H5P_DATASET_CREATE), list = H5Pcreate(H5P_DATASET_XFER);
        H5Pset_layout(create, layout);
        if (is_chunked) H5Pset_chunk(create, 1, &chunk);
        if (has_filter) H5Pset_deflate(create, 1);
        const hid_t data =
            H5Dcreate2(file, "d", H5T_STD_I8LE, space, H5P_DEFAULT, create, H5P_DEFAULT);
        H5Pset_type_conv_cb(list, on_overflow, nullptr);
        bool is_open = true, is_linked = true;
        in_conversion = [&, calls = 0]() mutable {
          if (++calls != 700) return;
          const hsize_t less = 100, more = 9000;
          switch (deed) {
            case 0: EXPECT_LT(H5Dset_extent(data, &less), 0); break;
            case 1: EXPECT_LT(H5Dset_extent(data, &more), 0); break;
            case 2: EXPECT_LT(H5Dformat_convert(data), 0); break;
            case 3: EXPECT_EQ(H5Fflush(file, H5F_SCOPE_GLOBAL), 0); break;
            default:
              EXPECT_EQ(H5Ldelete(file, "d", H5P_DEFAULT), 0);
              EXPECT_EQ(H5Dclose(data), 0);
              EXPECT_EQ(H5Fflush(file, H5F_SCOPE_GLOBAL), 0);
              make_group("g");
              is_open = is_linked = false;
          }
        };
        EXPECT_EQ(write(data, 0, std::vector<int>(count, 1000), list), 0) << first_error();
        in_conversion = nullptr;
        H5Sclose(space);
        H5Pclose(create);
        H5Pclose(list);
        if (is_open) {
          EXPECT_EQ(H5Dclose(data), 0);
        }
        reopen();
        EXPECT_EQ(H5Lexists(file, "d", H5P_DEFAULT), is_linked ? 1 : 0);
        EXPECT_EQ(H5Lexists(file, "g", H5P_DEFAULT), is_linked ? 0 : 1);
        if (is_linked) {
          EXPECT_EQ(read("d", count), std::vector<int>(count, 7));
        }
        EXPECT_EQ(H5Ldelete(file, is_linked ? "d" : "g", H5P_DEFAULT), 0);
      }
}

/// A filter changes its dataset while it is flushed: refused, or harmless.
TEST_F(FunctionsInCalls, AFilterChangesItsDataset) {
  for (int deed = 0; deed < 8; ++deed)
    for (const bool in_read : {false, true}) {
      SCOPED_TRACE(deed);
      hid_t data = make("d", 64, 16, H5T_NATIVE_INT, !in_read);
      std::vector<int> values(64);
      for (int i = 0; i < 64; ++i) values[static_cast<std::size_t>(i)] = i;
      ASSERT_EQ(write(data, 0, values), 0);
      bool is_open = true, is_linked = true;
      in_filter = [&, calls = 0](bool, const void*) mutable {
        if (++calls != 2) return true;
        const hsize_t less = 10, more = 100, none = 0;
        switch (deed) {
          case 0: EXPECT_LT(H5Dset_extent(data, &less), 0); break;
          case 1: EXPECT_LT(H5Dset_extent(data, &more), 0); break;
          case 2:
            EXPECT_EQ(H5Dclose(data), 0);
            is_open = false;
            break;
          case 3:
            EXPECT_EQ(H5Ldelete(file, "d", H5P_DEFAULT), 0);
            EXPECT_EQ(H5Dclose(data), 0);
            EXPECT_EQ(H5Fflush(file, H5F_SCOPE_GLOBAL) < 0, !in_read);
            is_open = is_linked = false;
            break;
          case 4: EXPECT_LT(H5Dset_extent(data, &none), 0); break;
          case 5: EXPECT_EQ(read(data, 0, 64), values); break;
          case 6:
            // A chunk that is not the one in the filter.
            EXPECT_EQ(write(data, 48, {values.begin() + 48, values.end()}) < 0, !in_read);
            break;
          default: EXPECT_LT(H5Dformat_convert(data), 0); break;
        }
        return true;
      };
      if (in_read) {
        EXPECT_EQ(read(data, 0, 64), values);
      } else {
        EXPECT_EQ(H5Fflush(file, H5F_SCOPE_GLOBAL), 0) << first_error();
      }
      in_filter = nullptr;
      if (is_open) {
        EXPECT_EQ(H5Dclose(data), 0);
      }
      reopen();
      EXPECT_EQ(H5Lexists(file, "d", H5P_DEFAULT), is_linked ? 1 : 0);
      if (!is_linked) continue;
      EXPECT_EQ(read("d", 64), values);
      EXPECT_EQ(H5Ldelete(file, "d", H5P_DEFAULT), 0);
    }
}

/// Where a chunk goes to the file because there is no room for it.
TEST_F(FunctionsInCalls, AFilterFlushesWhileItsChunkIsWritten) {
  const hid_t data = make("d", 64, 16, H5T_NATIVE_INT, false);
  int encoded = 0;
  in_filter = [&](bool decodes, const void*) {
    if (!decodes && ++encoded < 100) {
      EXPECT_LT(H5Fflush(file, H5F_SCOPE_GLOBAL), 0);
    }
    return true;
  };
  EXPECT_EQ(write(data, 0, std::vector<int>(64, 3)), 0) << first_error();
  EXPECT_EQ(encoded, 4);
  in_filter = nullptr;
  EXPECT_EQ(H5Dclose(data), 0);
  reopen();
  EXPECT_EQ(read("d", 64), std::vector<int>(64, 3));
}

/// Chunks are cut, in a cache that has room for two of them.
TEST_F(FunctionsInCalls, AFilterReadsWhileAnExtentChanges) {
  for (const hsize_t less : {hsize_t{133}, hsize_t{128}, hsize_t{5}}) {
    SCOPED_TRACE(less);
    const hid_t access = H5Pcreate(H5P_DATASET_ACCESS);
    H5Pset_chunk_cache(access, 7, 2 * 16 * sizeof(int), 0.75);
    H5Dclose(make("d", 256, 16));
    const hid_t data = H5Dopen2(file, "d", access);
    H5Pclose(access);
    EXPECT_EQ(write(data, 0, std::vector<int>(256, 1)), 0);
    EXPECT_EQ(H5Fflush(file, H5F_SCOPE_GLOBAL), 0);
    EXPECT_EQ(write(data, 16, std::vector<int>(48, 2)), 0);
    std::vector<int> expected(256, 1);
    std::fill_n(expected.begin() + 16, 48, 2);
    in_filter = [&, depth = 0](bool, const void*) mutable {
      if (depth > 0) return true;
      ++depth;
      EXPECT_EQ(read(data, 0, 256), expected);
      --depth;
      return true;
    };
    EXPECT_EQ(H5Dset_extent(data, &less), 0) << first_error();
    in_filter = nullptr;
    const hsize_t more = 256;
    EXPECT_EQ(H5Dset_extent(data, &more), 0);
    std::fill(expected.begin() + static_cast<std::ptrdiff_t>(less), expected.end(), 0);
    EXPECT_EQ(read(data, 0, 256), expected);
    EXPECT_EQ(H5Dclose(data), 0);
    reopen();
    EXPECT_EQ(read("d", 256), expected);
    EXPECT_EQ(H5Ldelete(file, "d", H5P_DEFAULT), 0);
  }
}

#endif

/// A filter flushes the file while the fill value of a dataset that is being made goes through it: nobody has that open,
/// and no link leads to it, and it is made all the same.
TEST_F(FunctionsInCalls, AFilterFlushesWhileItsDatasetIsMade) {
  const hsize_t count = 64, chunk = 16;
  const int nine = 9;
  const hid_t space = H5Screate_simple(1, &count, nullptr), list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(list, 1, &chunk);
  H5Pset_filter(list, kFilter, 0, 0, nullptr);
  H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY);
  H5Pset_fill_value(list, H5T_NATIVE_INT, &nine);
  for (const bool has_name : {true, false})
    for (const bool deletes : {false, true}) {
      SCOPED_TRACE(std::to_string(has_name) + " " + std::to_string(deletes));
      make_group("into");
      EXPECT_EQ(H5Fflush(file, H5F_SCOPE_GLOBAL), 0);
      in_filter = [&, acted = false](bool, const void*) mutable {
        if (std::exchange(acted, true)) return true;
        if (deletes) {
          EXPECT_EQ(H5Ldelete(file, "into", H5P_DEFAULT), 0);
        }
        EXPECT_EQ(H5Fflush(file, H5F_SCOPE_GLOBAL), 0);
        make_group("other");
        return true;
      };
      const hid_t data = has_name ? H5Dcreate2(file, "into/d", H5T_NATIVE_INT, space, H5P_DEFAULT,
                                               list, H5P_DEFAULT)
                                  : H5Dcreate_anon(file, H5T_NATIVE_INT, space, list, H5P_DEFAULT);
      in_filter = nullptr;
      ASSERT_GT(data, 0) << first_error();
      EXPECT_EQ(H5Olink(data, file, "d", H5P_DEFAULT, H5P_DEFAULT), 0) << first_error();
      EXPECT_EQ(H5Fflush(file, H5F_SCOPE_GLOBAL), 0);
      make_group("another");
      EXPECT_EQ(H5Dclose(data), 0);
      reopen();
      EXPECT_EQ(read("d", count), std::vector<int>(count, nine));
      EXPECT_EQ(H5Lexists(file, "into", H5P_DEFAULT), deletes ? 0 : 1);
      for (const char* name : {"other", "another"}) {
        H5G_info_t info = {};
        EXPECT_EQ(H5Gget_info_by_name(file, name, &info, H5P_DEFAULT), 0) << first_error();
        EXPECT_EQ(info.nlinks, 0U);
      }
      for (const char* name : {"d", "other", "another", "into"})
        if (!deletes || std::strcmp(name, "into") != 0) {
          EXPECT_EQ(H5Ldelete(file, name, H5P_DEFAULT), 0);
        }
    }
  H5Sclose(space);
  H5Pclose(list);
}

/// The function closes the id that it was given.
TEST_F(FunctionsInCalls, AnIterationThatClosesItsId) {
  make_group("g");
  make_group("g/x");
  const hid_t group = H5Gopen2(file, "g", H5P_DEFAULT), scalar = H5Screate(H5S_SCALAR);
  H5Aclose(H5Acreate2(group, "a", H5T_NATIVE_INT, scalar, H5P_DEFAULT, H5P_DEFAULT));
  H5Sclose(scalar);
  H5Gclose(group);
  auto on_link = [](hid_t id, const char*, const H5L_info_t*, void*) -> herr_t {
    EXPECT_GE(H5Gclose(id), 0);
    return 5;
  };
  auto on_attribute = [](hid_t id, const char*, const H5A_info_t*, void*) -> herr_t {
    EXPECT_GE(H5Gclose(id), 0);
    return 5;
  };
  hsize_t at = 0;
  EXPECT_EQ(
      H5Literate_by_name(file, "g", H5_INDEX_NAME, H5_ITER_INC, &at, on_link, nullptr, H5P_DEFAULT),
      5);
  at = 0;
  EXPECT_EQ(H5Aiterate_by_name(file, "g", H5_INDEX_NAME, H5_ITER_INC, &at, on_attribute, nullptr,
                               H5P_DEFAULT),
            5);
}

}  // namespace
