// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Calls that find something and then run a function of the program which deletes it, flushes the file and has the bytes
// used again: what was found stays until the call ends.

#include <functional>
#include <utility>

#include "api/file_fixture.hpp"

namespace {

constexpr auto kType = static_cast<H5L_type_t>(70);
constexpr hsize_t kElements = 1000, kChunk = 100;

/// What the function of the link's class does at its `acts_at`-th call.
std::function<void()> deed;
int followed = 0, acts_at = 1;
hid_t follow(const char*, hid_t group, const void*, size_t, hid_t, hid_t) {
  if (++followed == acts_at && deed) deed();
  return H5Oopen(group, "/to", H5P_DEFAULT);
}

H5T_conv_ret_t on_overflow(H5T_conv_except_t, hid_t, hid_t, void*, void* target, void*) {
  if (deed) std::exchange(deed, nullptr)();
  *static_cast<signed char*>(target) = 7;
  return H5T_CONV_HANDLED;
}

/// Of a link that is deleted, which is still there.
herr_t deleted(const char*, hid_t, const void*, size_t) {
  if (deed) std::exchange(deed, nullptr)();
  return 0;
}

/// Decodes what it encodes; while it decodes the deed may find that it is time.
constexpr H5Z_filter_t kFilter = 301;
std::function<void()> in_decoding;
size_t passes(unsigned flags, size_t, const unsigned*, size_t bytes, size_t*, void**) {
  // A copy: it may take itself away.
  if (const auto now = in_decoding; (flags & H5Z_FLAG_REVERSE) != 0 && now) now();
  return bytes;
}

struct Way {
  const char* name;
  std::function<herr_t(hid_t file)> call;
  const char* made;  // where the dataset is then
  int calls;         // of the function
};

class FoundInCalls : public FileTest {
 protected:
  void SetUp() override {
    FileTest::SetUp();
    const H5L_class_t cls = {
        H5L_LINK_CLASS_T_VERS, kType, "acts", nullptr, nullptr, nullptr, follow, deleted, nullptr};
    ASSERT_EQ(H5Lregister(&cls), 0);
  }
  void TearDown() override {
    deed = nullptr;
    EXPECT_EQ(H5Lunregister(kType), 0);
    FileTest::TearDown();
  }
  /// A dataset in many small pieces of the file, or in one.
  void fill(const char* name, int value, bool chunked) const {
    const hid_t space = H5Screate_simple(1, &kElements, nullptr);
    const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    if (chunked) H5Pset_chunk(list, 1, &kChunk);
    const hid_t data =
        H5Dcreate2(file, name, H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT);
    const std::vector<int> values(kElements, value);
    EXPECT_EQ(H5Dwrite(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
    H5Dclose(data);
    H5Pclose(list);
    H5Sclose(space);
  }
  void has(const char* name, int value) const {
    std::vector<int> found(kElements, -1);
    const hid_t data = H5Dopen2(file, name, H5P_DEFAULT);
    EXPECT_GT(data, 0) << name;
    EXPECT_EQ(H5Dread(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, found.data()), 0);
    EXPECT_EQ(found, std::vector<int>(kElements, value)) << name;
    H5Dclose(data);
  }
  void group(const char* name) const {
    EXPECT_EQ(H5Gclose(H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)), 0) << name;
  }
  /// What it had goes to others, if it goes.
  void delete_and_reuse(const char* name) const {
    EXPECT_EQ(H5Ldelete(file, name, H5P_DEFAULT), 0);
    EXPECT_EQ(H5Fflush(file, H5F_SCOPE_GLOBAL), 0);
    for (const char* made : {"/x1", "/x2", "/x3"}) group(made);
  }
  /// After the call, and from the file.
  void are_empty() {
    EXPECT_EQ(H5Fflush(file, H5F_SCOPE_GLOBAL), 0);
    ASSERT_EQ(H5Fclose(file), 0);
    file = H5Fopen(path().c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    ASSERT_GT(file, 0) << first_error();
    for (const char* made : {"/x1", "/x2", "/x3"}) {
      H5G_info_t info{};
      EXPECT_EQ(H5Gget_info_by_name(file, made, &info, H5P_DEFAULT), 0) << first_error();
      EXPECT_EQ(info.nlinks, 0U) << made;
      EXPECT_EQ(H5Ldelete(file, made, H5P_DEFAULT), 0);
    }
  }
  void play(const Way& way, bool chunked) {
    for (const char* group : {"from", "to"})
      EXPECT_GE(H5Gclose(H5Gcreate2(file, group, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)), 0);
    fill("/from/a", 1, chunked);
    EXPECT_EQ(H5Lcreate_ud(file, "way", kType, "", 0, H5P_DEFAULT, H5P_DEFAULT), 0);
    EXPECT_EQ(H5Fflush(file, H5F_SCOPE_GLOBAL), 0);
    followed = 0;
    deed = [&] {
      EXPECT_EQ(H5Ldelete(file, "/from", H5P_DEFAULT), 0);
      EXPECT_EQ(H5Fflush(file, H5F_SCOPE_GLOBAL), 0);
      fill("/first", 2, chunked);
    };
    EXPECT_GE(way.call(file), 0) << first_error();
    deed = nullptr;
    EXPECT_EQ(followed, way.calls);
    EXPECT_EQ(H5Fflush(file, H5F_SCOPE_GLOBAL), 0);
    fill("/second", 3, chunked);
    ASSERT_EQ(H5Fclose(file), 0);
    file = H5Fopen(path().c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    ASSERT_GT(file, 0) << first_error();
    has(way.made, 1);
    has("/first", 2);
    has("/second", 3);
    EXPECT_EQ(H5Lexists(file, "/from", H5P_DEFAULT), 0);
    for (const char* name : {"/to", "/first", "/second", "/way"})
      EXPECT_EQ(H5Ldelete(file, name, H5P_DEFAULT), 0);
  }
};

TEST_F(FoundInCalls, AFunctionOfALinkDeletesIt) {
  const std::vector<Way> ways = {
      {"H5Lmove",
       [](hid_t at) { return H5Lmove(at, "/from/a", at, "/way/n", H5P_DEFAULT, H5P_DEFAULT); },
       "/to/n", 1},
      {"H5Lcopy",
       [](hid_t at) { return H5Lcopy(at, "/from/a", at, "/way/n", H5P_DEFAULT, H5P_DEFAULT); },
       "/to/n", 1},
      {"H5Lcreate_hard",
       [](hid_t at) {
         return H5Lcreate_hard(at, "/from/a", at, "/way/n", H5P_DEFAULT, H5P_DEFAULT);
       },
       "/to/n", 1},
      {"H5Ocopy",
       [](hid_t at) { return H5Ocopy(at, "/from", at, "/way/n", H5P_DEFAULT, H5P_DEFAULT); },
       "/to/n/a", 2}};
  for (const Way& way : ways)
    for (const bool chunked : {false, true})
      for (acts_at = 1; acts_at <= way.calls; ++acts_at) {
        SCOPED_TRACE(std::string(way.name) + (chunked ? ", chunks" : "") + ", call " +
                     std::to_string(acts_at));
        play(way, chunked);
      }
}

/// The place where something is to be is an id, which the function closes.
TEST_F(FoundInCalls, AFunctionOfALinkClosesWhereItIsToBe) {
  group("/to");
  EXPECT_EQ(H5Lcreate_ud(file, "way", kType, "", 0, H5P_DEFAULT, H5P_DEFAULT), 0);
  acts_at = 1;
  for (const bool moves : {true, false}) {
    SCOPED_TRACE(moves ? "H5Lmove" : "H5Ocopy");
    fill("/to/a", 1, false);
    group("/dst");
    const hid_t to = H5Gopen2(file, "/dst", H5P_DEFAULT);
    EXPECT_EQ(H5Fflush(file, H5F_SCOPE_GLOBAL), 0);
    followed = 0;
    deed = [&] {
      EXPECT_EQ(H5Gclose(to), 0);
      delete_and_reuse("/dst");
    };
    const herr_t done = moves ? H5Lmove(file, "/way/a", to, "n", H5P_DEFAULT, H5P_DEFAULT)
                              : H5Ocopy(file, "/way/a", to, "n", H5P_DEFAULT, H5P_DEFAULT);
    deed = nullptr;
    EXPECT_EQ(done, 0) << first_error();
    EXPECT_GE(followed, 1);
    are_empty();
    if (!moves) has("/to/a", 1);
  }
}

TEST_F(FoundInCalls, AFunctionOfALinkClosesWhatIsLinked) {
  group("/to");
  EXPECT_EQ(H5Lcreate_ud(file, "way", kType, "", 0, H5P_DEFAULT, H5P_DEFAULT), 0);
  fill("/d", 7, false);
  const hid_t data = H5Dopen2(file, "/d", H5P_DEFAULT);
  EXPECT_EQ(H5Fflush(file, H5F_SCOPE_GLOBAL), 0);
  followed = 0;
  acts_at = 1;
  deed = [&] {
    EXPECT_EQ(H5Dclose(data), 0);
    delete_and_reuse("/d");
    fill("/first", 2, false);
  };
  EXPECT_EQ(H5Olink(data, file, "/way/n", H5P_DEFAULT, H5P_DEFAULT), 0) << first_error();
  deed = nullptr;
  are_empty();
  has("/to/n", 7);
  has("/first", 2);
}

TEST_F(FoundInCalls, TheFunctionForDeletingDeletesTheGroup) {
  group("/dst");
  EXPECT_EQ(H5Lcreate_ud(file, "/dst/ud", kType, "", 0, H5P_DEFAULT, H5P_DEFAULT), 0);
  EXPECT_EQ(H5Lcreate_soft("/nowhere", file, "/dst/soft", H5P_DEFAULT, H5P_DEFAULT), 0);
  EXPECT_EQ(H5Fflush(file, H5F_SCOPE_GLOBAL), 0);
  deed = [&] { delete_and_reuse("/dst"); };
  EXPECT_EQ(H5Ldelete(file, "/dst/ud", H5P_DEFAULT), 0) << first_error();
  EXPECT_FALSE(deed);
  are_empty();
}

/// References are copied by elements, a chunk at a time, when the copy is there already.
TEST_F(FoundInCalls, AFilterDeletesTheCopyThatIsBeingMade) {
  constexpr hsize_t kReferences = 1 << 18, kPart = 1 << 16;
  const H5Z_class2_t filter = {H5Z_CLASS_T_VERS, kFilter, 1, 1, "passes", nullptr, nullptr, passes};
  ASSERT_EQ(H5Zregister(&filter), 0);
  group("/t");
  hobj_ref_t one = 0;
  EXPECT_EQ(H5Rcreate(&one, file, "/t", H5R_OBJECT, -1), 0);
  const std::vector<hobj_ref_t> all(kReferences, one);
  const hid_t space = H5Screate_simple(1, &kReferences, nullptr),
              create = H5Pcreate(H5P_DATASET_CREATE), options = H5Pcreate(H5P_OBJECT_COPY);
  H5Pset_chunk(create, 1, &kPart);
  H5Pset_filter(create, kFilter, 0, 0, nullptr);
  const hid_t data =
      H5Dcreate2(file, "refs", H5T_STD_REF_OBJ, space, H5P_DEFAULT, create, H5P_DEFAULT);
  EXPECT_EQ(H5Dwrite(data, H5T_STD_REF_OBJ, H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data()), 0);
  EXPECT_EQ(H5Dclose(data) | H5Fflush(file, H5F_SCOPE_GLOBAL), 0);
  H5Pset_copy_object(options, H5O_COPY_EXPAND_REFERENCE_FLAG);
  in_decoding = [&] {
    if (H5Lexists(file, "/copy", H5P_DEFAULT) <= 0) return;
    in_decoding = nullptr;
    delete_and_reuse("/copy");
  };
  EXPECT_EQ(H5Ocopy(file, "refs", file, "copy", options, H5P_DEFAULT), 0) << first_error();
  EXPECT_FALSE(in_decoding) << "nothing was decoded when the copy was there";
  in_decoding = nullptr;
  are_empty();
  EXPECT_EQ(H5Sclose(space) | H5Pclose(create) | H5Pclose(options), 0);
  EXPECT_EQ(H5Zunregister(kFilter), 0);
}

/// Chunks go elsewhere, and where they were others are, between the plan of a copy and its making; or there were none.
TEST_F(FoundInCalls, AFunctionOfALinkWritesWhatIsCopied) {
  const hid_t space = H5Screate_simple(1, &kElements, nullptr);
  const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  const hid_t sequences = H5Tvlen_create(H5T_NATIVE_INT);
  H5Pset_chunk(list, 1, &kChunk);
  H5Pset_deflate(list, 6);
  std::vector<int> small(kElements, 1), large(kElements);
  for (std::size_t i = 0; i < large.size(); ++i)
    large[i] = static_cast<int>(i * std::size_t{2654435761});
  hid_t type = H5T_NATIVE_INT;
  const auto open = [&](const char* name) {
    return H5Lexists(file, name, H5P_DEFAULT) > 0
               ? H5Dopen2(file, name, H5P_DEFAULT)
               : H5Dcreate2(file, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
  };
  const auto write = [&](const char* name, std::vector<int> values) {
    const hid_t data = open(name);
    std::vector<hvl_t> of_one;
    for (int& value : values) of_one.push_back({1, &value});
    const void* from = type == sequences ? static_cast<void*>(of_one.data()) : values.data();
    EXPECT_EQ(H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, from), 0) << first_error();
    EXPECT_EQ(H5Dclose(data), 0);
  };
  const auto read = [&](const char* name) {
    std::vector<int> values(kElements, -1);
    std::vector<hvl_t> of_one(kElements, hvl_t{0, nullptr});
    const hid_t data = open(name);
    void* into = type == sequences ? static_cast<void*>(of_one.data()) : values.data();
    EXPECT_EQ(H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, into), 0) << first_error();
    if (type == sequences) {
      for (std::size_t i = 0; i < values.size(); ++i)
        if (of_one[i].len == 1) values[i] = *static_cast<int*>(of_one[i].p);
      H5Dvlen_reclaim(type, space, H5P_DEFAULT, into);
    }
    H5Dclose(data);
    return values;
  };
  group("/to");
  EXPECT_EQ(H5Lcreate_ud(file, "way", kType, "", 0, H5P_DEFAULT, H5P_DEFAULT), 0);
  for (const auto& [of, was_written] : {std::pair{H5T_NATIVE_INT, true},
                                        {H5T_NATIVE_INT, false},
                                        {sequences, true},
                                        {sequences, false}})
    for (acts_at = 1; acts_at <= 2; ++acts_at) {
      type = of;
      SCOPED_TRACE(std::string(of == sequences ? "sequences" : "ints") +
                   (was_written ? ", written" : ", new") + ", call " + std::to_string(acts_at));
      was_written ? write("/d", small) : static_cast<void>(H5Dclose(open("/d")));
      EXPECT_EQ(H5Fflush(file, H5F_SCOPE_GLOBAL), 0);
      followed = 0;
      deed = [&] {
        write("/d", large);
        EXPECT_EQ(H5Fflush(file, H5F_SCOPE_GLOBAL), 0);
        for (int i = 0; i < 4; ++i)
          write(("/first" + std::to_string(i)).c_str(), std::vector<int>(kElements, 50 + i));
        EXPECT_EQ(H5Fflush(file, H5F_SCOPE_GLOBAL), 0);
      };
      EXPECT_EQ(H5Ocopy(file, "/d", file, "/way/n", H5P_DEFAULT, H5P_DEFAULT), 0) << first_error();
      deed = nullptr;
      EXPECT_EQ(followed, 2);
      ASSERT_EQ(H5Fclose(file), 0);
      file = H5Fopen(path().c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
      ASSERT_GT(file, 0) << first_error();
      for (const char* name : {"/d", "/to/n"}) EXPECT_EQ(read(name), large) << name;
      for (const char* name : {"/d", "/to/n", "/first0", "/first1", "/first2", "/first3"})
        EXPECT_EQ(H5Ldelete(file, name, H5P_DEFAULT), 0);
    }
  acts_at = 1;
  EXPECT_EQ(H5Sclose(space) | H5Pclose(list) | H5Tclose(sequences), 0);
}

/// Of several datasets in a call, or sources of one, a conversion of the first deletes the second: what is made then has
/// bytes of its own.
TEST_F(FoundInCalls, AConversionDeletesWhatIsWrittenLater) {
  constexpr hsize_t kAll = 16, kHalf = 8;
  const hid_t half = H5Screate_simple(1, &kHalf, nullptr),
              all = H5Screate_simple(1, &kAll, nullptr);
  const hid_t list = H5Pcreate(H5P_DATASET_XFER), sources = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_type_conv_cb(list, on_overflow, nullptr);
  auto make = [&](const char* name, hid_t space, hid_t create) {
    return H5Dcreate2(file, name, H5T_STD_I8LE, space, H5P_DEFAULT, create, H5P_DEFAULT);
  };
  for (const bool is_virtual : {true, false}) {
    SCOPED_TRACE(is_virtual ? "virtual" : "several");
    hid_t first = make("first", half, H5P_DEFAULT), second = make("second", half, H5P_DEFAULT);
    std::vector<int> values(kAll, 1000);
    for (const hid_t data : {first, second})
      EXPECT_EQ(H5Dwrite(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, list, values.data()), 0);
    hid_t both = H5I_INVALID_HID;
    if (is_virtual) {
      for (const hsize_t start : {hsize_t{0}, kHalf}) {
        H5Sselect_hyperslab(all, H5S_SELECT_SET, &start, nullptr, &kHalf, nullptr);
        EXPECT_EQ(H5Pset_virtual(sources, all, ".", start == 0 ? "first" : "second", half), 0);
      }
      H5Sselect_all(all);
      both = make("both", all, sources);
      H5Dclose(std::exchange(second, H5I_INVALID_HID));
    }
    EXPECT_EQ(H5Fflush(file, H5F_SCOPE_GLOBAL), 0);
    deed = [&] {
      EXPECT_EQ(H5Ldelete(file, "second", H5P_DEFAULT), 0);
      if (second >= 0) {
        EXPECT_EQ(H5Dclose(second), 0);
      }
      EXPECT_EQ(H5Fflush(file, H5F_SCOPE_GLOBAL), 0);
      const hid_t other = make("other", half, H5P_DEFAULT);
      const std::vector<signed char> fives(kHalf, 5);
      EXPECT_EQ(H5Dwrite(other, H5T_NATIVE_SCHAR, H5S_ALL, H5S_ALL, H5P_DEFAULT, fives.data()), 0);
      EXPECT_EQ(H5Dclose(other), 0);
    };
    if (is_virtual) {
      EXPECT_EQ(H5Dwrite(both, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, list, values.data()), 0);
      H5Dclose(both);
    } else {
      hid_t data[] = {first, second}, types[] = {H5T_NATIVE_INT, H5T_NATIVE_INT};
      hid_t spaces[] = {H5S_ALL, H5S_ALL};
      const void* from[] = {values.data(), values.data()};
      EXPECT_EQ(H5Dwrite_multi(2, data, types, spaces, spaces, list, from), 0) << first_error();
    }
    EXPECT_FALSE(deed) << "the conversion was not called";
    std::vector<signed char> found(kHalf);
    const hid_t other = H5Dopen2(file, "other", H5P_DEFAULT);
    EXPECT_EQ(H5Dread(other, H5T_NATIVE_SCHAR, H5S_ALL, H5S_ALL, H5P_DEFAULT, found.data()), 0);
    EXPECT_EQ(found, std::vector<signed char>(kHalf, 5));
    H5Dclose(other);
    H5Dclose(first);
    for (const char* name : {"first", "other", is_virtual ? "both" : nullptr})
      if (name != nullptr) {
        EXPECT_EQ(H5Ldelete(file, name, H5P_DEFAULT), 0);
      }
  }
  for (const hid_t space : {half, all}) H5Sclose(space);
  for (const hid_t one : {list, sources}) H5Pclose(one);
}

/// A filter's own file, which the calls around have nothing of, has its bytes used again.
TEST_F(FoundInCalls, AFiltersOwnFileDoesNotGrow) {
  constexpr int kRounds = 20;
  const H5Z_class2_t filter = {H5Z_CLASS_T_VERS, kFilter, 1, 1, "passes", nullptr, nullptr, passes};
  ASSERT_EQ(H5Zregister(&filter), 0);
  const std::string name = path() + ".log";
  const hid_t log = H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t space = H5Screate_simple(1, &kElements, nullptr),
              create = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(create, 1, &kElements);
  H5Pset_filter(create, kFilter, 0, 0, nullptr);
  std::vector<int> values(kElements, 1);
  const auto write_in = [&](hid_t where, const char* set, hid_t list) {
    const hid_t data =
        H5Dcreate2(where, set, H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT);
    EXPECT_EQ(H5Dwrite(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
    EXPECT_EQ(H5Dclose(data), 0);
  };
  write_in(file, "filtered", create);
  EXPECT_EQ(H5Fflush(file, H5F_SCOPE_GLOBAL), 0);
  hsize_t bytes = 0;
  in_decoding = [&] {
    in_decoding = nullptr;
    for (int round = 0; round < kRounds; ++round) {
      write_in(log, "one", H5P_DEFAULT);
      EXPECT_EQ(H5Ldelete(log, "one", H5P_DEFAULT) | H5Fflush(log, H5F_SCOPE_GLOBAL), 0);
    }
    EXPECT_EQ(H5Fget_filesize(log, &bytes), 0);
  };
  ASSERT_EQ(H5Fclose(file), 0);
  file = H5Fopen(path().c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  const hid_t data = H5Dopen2(file, "filtered", H5P_DEFAULT);
  EXPECT_EQ(H5Dread(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
  EXPECT_GT(bytes, 0U) << "nothing was decoded";
  EXPECT_LT(bytes, 5 * kElements * sizeof(int));
  EXPECT_EQ(H5Dclose(data) | H5Pclose(create) | H5Sclose(space) | H5Fclose(log), 0);
  EXPECT_EQ(H5Zunregister(kFilter), 0);
}

}  // namespace
