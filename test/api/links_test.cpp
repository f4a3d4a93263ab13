// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Links: how many soft ones a call follows, moving, the order of their creation, visits, and links of
// large groups by number.

#include <algorithm>

#include "api/file_fixture.hpp"

namespace {

using Names = std::vector<std::string>;

class Links : public FileTest {
 public:
  Names seen;
  static herr_t on_link(hid_t, const char* name, const H5L_info_t*, void* self) {
    static_cast<Links*>(self)->seen.emplace_back(name);
    return 0;
  }
  static herr_t on_object(hid_t, const char* name, const H5O_info_t*, void* self) {
    static_cast<Links*>(self)->seen.emplace_back(name);
    return 0;
  }
  static herr_t stop_at_once(hid_t group, const char* name, const H5L_info_t* info, void* self) {
    on_link(group, name, info, self);
    return 1;
  }
  static herr_t delete_it(hid_t group, const char* name, const H5L_info_t* info, void* self) {
    on_link(group, name, info, self);
    return H5Ldelete(group, name, H5P_DEFAULT);
  }

 protected:
  hid_t ordered_group(const char* name) {
    hid_t list = H5Pcreate(H5P_GROUP_CREATE);
    EXPECT_EQ(H5Pset_link_creation_order(list, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED), 0);
    hid_t group = H5Gcreate2(file, name, H5P_DEFAULT, list, H5P_DEFAULT);
    EXPECT_GT(group, 0) << first_error();
    H5Pclose(list);
    return group;
  }
  void soft(hid_t in, const std::string& name, const char* target = "/nowhere") {
    ASSERT_EQ(H5Lcreate_soft(target, in, name.c_str(), H5P_DEFAULT, H5P_DEFAULT), 0)
        << first_error();
  }
  H5T_cset_t cset_of(const char* name) {
    H5L_info_t info;
    EXPECT_EQ(H5Lget_info(file, name, &info, H5P_DEFAULT), 0);
    return info.cset;
  }
};

// ---- in no order that was asked for -------------------------------------------------------------

/// Names as they come in native order, from what is in the file.
class NativeOrder : public Links {
 protected:
  static hid_t group_list(unsigned order, unsigned most, unsigned least) {
    hid_t list = H5Pcreate(H5P_GROUP_CREATE);
    EXPECT_EQ(H5Pset_link_creation_order(list, order), 0);
    EXPECT_EQ(H5Pset_attr_creation_order(list, order), 0);
    EXPECT_EQ(H5Pset_link_phase_change(list, most, least), 0);
    return list;
  }
  static void attribute(hid_t owner, const char* name) {
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t id = H5Acreate2(owner, name, H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT);
    EXPECT_GT(id, 0) << first_error();
    EXPECT_EQ(H5Aclose(id), 0);
    EXPECT_EQ(H5Sclose(space), 0);
  }
  static herr_t on_attribute(hid_t, const char* name, const H5A_info_t*, void* self) {
    static_cast<Links*>(self)->seen.emplace_back(name);
    return 0;
  }
  Names links(hid_t group, H5_index_t index, H5_iter_order_t order = H5_ITER_NATIVE) {
    seen.clear();
    EXPECT_EQ(H5Literate(group, index, order, nullptr, on_link, this), 0) << first_error();
    const Names listed = seen;
    for (hsize_t n = 0; n < listed.size(); ++n)
      EXPECT_EQ(text_of([&](char* buffer, size_t size) {
                  return H5Lget_name_by_idx(group, ".", index, order, n, buffer, size, H5P_DEFAULT);
                }),
                listed[n]);
    seen.clear();
    EXPECT_EQ(H5Lvisit(group, index, order, on_link, this), 0);
    EXPECT_EQ(seen, listed);
    return listed;
  }
  Names attributes(hid_t owner, H5_index_t index, H5_iter_order_t order = H5_ITER_NATIVE) {
    seen.clear();
    EXPECT_EQ(H5Aiterate2(owner, index, order, nullptr, on_attribute, this), 0) << first_error();
    const Names listed = seen;
    for (hsize_t n = 0; n < listed.size(); ++n)
      EXPECT_EQ(text_of([&](char* buffer, size_t size) {
                  return H5Aget_name_by_idx(owner, ".", index, order, n, buffer, size, H5P_DEFAULT);
                }),
                listed[n]);
    return listed;
  }
  const Names made{"zeta", "alpha", "mid", "beta", "x9", "x10", "omega"};
  // lookup3 of the names, ascending.
  const Names by_hash{"zeta", "alpha", "mid", "beta", "x9", "omega", "x10"};
};

TEST_F(NativeOrder, IsThatOfTheMessagesInTheHeader) {
  hid_t list = group_list(0, 8, 6);
  // A symbol table goes by name.
  ASSERT_EQ(H5Fset_libver_bounds(file, H5F_LIBVER_V18, H5F_LIBVER_LATEST), 0);
  hid_t group = H5Gcreate2(file, "g", H5P_DEFAULT, list, H5P_DEFAULT);
  for (const char* name : {"dd", "cc", "bb", "aa"}) {
    soft(group, name);
    attribute(group, name);
    ASSERT_EQ(H5Fflush(file, H5F_SCOPE_GLOBAL), 0);
  }
  const Names order{"dd", "cc", "bb", "aa"};
  for (int turn = 0; turn < 2; ++turn) {
    EXPECT_EQ(links(group, H5_INDEX_NAME), order);
    EXPECT_EQ(links(group, H5_INDEX_NAME, H5_ITER_INC), (Names{"aa", "bb", "cc", "dd"}));
    EXPECT_EQ(attributes(group, H5_INDEX_NAME), order);
    EXPECT_LT(H5Literate(group, H5_INDEX_CRT_ORDER, H5_ITER_NATIVE, nullptr, on_link, this), 0);
    ASSERT_EQ(H5Gclose(group), 0);
    reopen();
    group = H5Gopen2(file, "g", H5P_DEFAULT);
  }
  // What goes away while they are visited is not visited, and nothing is visited twice.
  seen.clear();
  EXPECT_EQ(H5Literate(group, H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, delete_it, this), 0);
  EXPECT_EQ(seen, order);
  ASSERT_EQ(H5Gclose(group), 0);
  EXPECT_EQ(H5Pclose(list), 0);
}

TEST_F(NativeOrder, OfDenseStorageIsThatOfItsFirstIndex) {
  for (const int wanted :
       {0, H5P_CRT_ORDER_TRACKED, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED}) {
    const auto order = static_cast<unsigned>(wanted);
    hid_t list = group_list(order, 0, 0);
    EXPECT_EQ(H5Pset_attr_phase_change(list, 0, 0), 0);
    const std::string name = "g" + std::to_string(order);
    // Attributes are dense in headers of the second version only.
    ASSERT_EQ(H5Fset_libver_bounds(file, H5F_LIBVER_V18, H5F_LIBVER_LATEST), 0);
    hid_t group = H5Gcreate2(file, name.c_str(), H5P_DEFAULT, list, H5P_DEFAULT);
    for (const std::string& one : made) {
      soft(group, one);
      attribute(group, one.c_str());
    }
    const bool tracked = (order & H5P_CRT_ORDER_TRACKED) != 0;
    const bool indexed = (order & H5P_CRT_ORDER_INDEXED) != 0;
    for (int turn = 0; turn < 2; ++turn) {
      EXPECT_EQ(links(group, H5_INDEX_NAME), by_hash);
      EXPECT_EQ(attributes(group, H5_INDEX_NAME), by_hash);
      if (tracked) {
        EXPECT_EQ(links(group, H5_INDEX_CRT_ORDER), indexed ? made : by_hash);
      }
      EXPECT_EQ(attributes(group, H5_INDEX_CRT_ORDER), indexed ? made : by_hash);
      // Nobody knows: as in libhdf5 there is one order only.
      EXPECT_EQ(attributes(group, H5_INDEX_CRT_ORDER, H5_ITER_INC), tracked ? made : by_hash);
      const Names back(made.rbegin(), made.rend());
      EXPECT_EQ(attributes(group, H5_INDEX_CRT_ORDER, H5_ITER_DEC), tracked ? back : by_hash);
      ASSERT_EQ(H5Gclose(group), 0);
      reopen();
      group = H5Gopen2(file, name.c_str(), H5P_DEFAULT);
    }
    seen.clear();
    EXPECT_EQ(H5Literate(group, H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, delete_it, this), 0);
    EXPECT_EQ(seen, by_hash);
    ASSERT_EQ(H5Gclose(group), 0);
    EXPECT_EQ(H5Pclose(list), 0);
  }
}

// ---- H5Pset_nlinks -----------------------------------------------------------------------------

/// /s17 is a chain of 18 soft links to the group /g, more than any default follows.
class LongWay : public Links {
 protected:
  void SetUp() override {
    Links::SetUp();
    make_group("g");
    soft(file, "s0", "/g");
    for (int i = 1; i < 18; ++i)
      soft(file, "s" + std::to_string(i), ("/s" + std::to_string(i - 1)).c_str());
    space = H5Screate(H5S_SCALAR);
    for (hid_t kind :
         {H5P_LINK_ACCESS, H5P_DATASET_ACCESS, H5P_GROUP_ACCESS, H5P_DATATYPE_ACCESS}) {
      lists.push_back(H5Pcreate(kind));
      ASSERT_EQ(H5Pset_nlinks(lists.back(), 20), 0);
    }
  }
  void TearDown() override {
    for (hid_t list : lists) H5Pclose(list);
    H5Sclose(space);
    Links::TearDown();
  }
  /// `call(list)` fails with the default list and succeeds with one that allows more links.
  template <class Call>
  void expect_way(const char* what, hid_t list, Call&& call) {
    EXPECT_LT(call(hid_t{H5P_DEFAULT}), 0) << what;
    const hid_t result = call(list);
    EXPECT_GE(result, 0) << what << ": " << first_error();
    if (result > 0 && H5Iis_valid(result) > 0) H5Oclose(result);
  }
  [[nodiscard]] hid_t link_list() const { return lists[0]; }

  hid_t space = H5I_INVALID_HID;
  std::vector<hid_t> lists;
};

TEST_F(LongWay, CreatingCallsFollowAsManyLinksAsTheirListsSay) {
  expect_way("H5Dcreate2", lists[1], [&](hid_t list) {
    return H5Dcreate2(file, "s17/d", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, list);
  });
  expect_way("H5Gcreate2", lists[2], [&](hid_t list) {
    return H5Gcreate2(file, "s17/gg", H5P_DEFAULT, H5P_DEFAULT, list);
  });
  hid_t type = H5Tcopy(H5T_NATIVE_INT);
  expect_way("H5Tcommit2", lists[3], [&](hid_t list) {
    return hid_t{H5Tcommit2(file, "s17/t", type, H5P_DEFAULT, H5P_DEFAULT, list)};
  });
  EXPECT_EQ(H5Tclose(type), 0);
  expect_way("H5Lcreate_soft", link_list(), [&](hid_t list) {
    return hid_t{H5Lcreate_soft("x", file, "s17/soft", H5P_DEFAULT, list)};
  });
  expect_way("H5Lcreate_external", link_list(), [&](hid_t list) {
    return hid_t{H5Lcreate_external("x", "y", file, "s17/external", H5P_DEFAULT, list)};
  });
  expect_way("H5Lcreate_hard to", link_list(), [&](hid_t list) {
    return hid_t{H5Lcreate_hard(file, "g", file, "s17/hard", H5P_DEFAULT, list)};
  });
  expect_way("H5Lcreate_hard from", link_list(), [&](hid_t list) {
    return hid_t{H5Lcreate_hard(file, "s17/d", file, "other", H5P_DEFAULT, list)};
  });
  expect_way("H5Olink", link_list(), [&](hid_t list) {
    return hid_t{H5Olink(file, file, "s17/linked", H5P_DEFAULT, list)};
  });
}

TEST_F(LongWay, MovingAndAskingCallsToo) {
  soft(file, "g/a");
  expect_way("H5Lcopy", link_list(), [&](hid_t list) {
    return hid_t{H5Lcopy(file, "s17/a", file, "s17/b", H5P_DEFAULT, list)};
  });
  expect_way("H5Lmove", link_list(), [&](hid_t list) {
    return hid_t{H5Lmove(file, "s17/b", file, "s17/c", H5P_DEFAULT, list)};
  });
  H5L_info_t link;
  expect_way("H5Lget_info", link_list(),
             [&](hid_t list) { return hid_t{H5Lget_info(file, "s17/c", &link, list)}; });
  expect_way("H5Ldelete", link_list(),
             [&](hid_t list) { return hid_t{H5Ldelete(file, "s17/c", list)}; });
  EXPECT_EQ(H5Lexists(file, "g/c", H5P_DEFAULT), 0);
  // Number 10 by name is /s17.
  H5O_info_t info;
  H5G_info_t group;
  expect_way("H5Oget_info_by_idx", link_list(), [&](hid_t list) {
    return hid_t{H5Oget_info_by_idx(file, ".", H5_INDEX_NAME, H5_ITER_INC, 10, &info, list)};
  });
  expect_way("H5Gget_info_by_idx", link_list(), [&](hid_t list) {
    return hid_t{H5Gget_info_by_idx(file, ".", H5_INDEX_NAME, H5_ITER_INC, 10, &group, list)};
  });
  expect_way("H5Oopen_by_idx", link_list(), [&](hid_t list) {
    return H5Oopen_by_idx(file, ".", H5_INDEX_NAME, H5_ITER_INC, 10, list);
  });
}

TEST_F(Links, TheCacheOfTheListGivenToOopenIsTheDatasets) {
  hsize_t size = 8;
  hid_t space = H5Screate_simple(1, &size, nullptr);
  hid_t create = H5Pcreate(H5P_DATASET_CREATE);
  ASSERT_EQ(H5Pset_chunk(create, 1, &size), 0);
  H5Dclose(H5Dcreate2(file, "d", H5T_NATIVE_INT, space, H5P_DEFAULT, create, H5P_DEFAULT));
  hid_t access = H5Pcreate(H5P_DATASET_ACCESS);
  ASSERT_EQ(H5Pset_chunk_cache(access, 1234, 567890, 0.5), 0);
  hid_t dataset = H5Oopen(file, "d", access);
  ASSERT_GT(dataset, 0) << first_error();
  hid_t is = H5Dget_access_plist(dataset);
  size_t slots = 0;
  size_t bytes = 0;
  double preemption = 0;
  EXPECT_EQ(H5Pget_chunk_cache(is, &slots, &bytes, &preemption), 0);
  EXPECT_EQ(slots, 1234U);
  EXPECT_EQ(bytes, 567890U);
  for (hid_t list : {is, access, create}) H5Pclose(list);
  H5Dclose(dataset);
  H5Sclose(space);
}

TEST_F(Links, ANameMayBeAsLongAsItsGroupCanHold) {
  const std::string longest(70000, 'a');
  ASSERT_EQ(H5Lcreate_hard(file, "/", file, longest.c_str(), H5P_DEFAULT, H5P_DEFAULT), 0)
      << first_error();
  reopen();
  EXPECT_GT(H5Lexists(file, longest.c_str(), H5P_DEFAULT), 0);
  // As a message of the group's header it has no room, in dense storage it has.
  hid_t group = ordered_group("g");
  EXPECT_EQ(H5Lcreate_hard(file, "/", group, longest.c_str(), H5P_DEFAULT, H5P_DEFAULT), 0);
  H5G_info_t info;
  EXPECT_EQ(H5Gget_info(group, &info), 0);
  EXPECT_EQ(info.storage_type, H5G_STORAGE_TYPE_DENSE);
  EXPECT_EQ(H5Gclose(group), 0);
  reopen();
  EXPECT_GT(H5Lexists(file, ("g/" + longest).c_str(), H5P_DEFAULT), 0);
}

// ---- moving ------------------------------------------------------------------------------------

TEST_F(Links, ALinkToAnAncestorCanBeMoved) {
  make_group("g");
  make_group("g/src");
  ASSERT_EQ(H5Lcreate_hard(file, "g", file, "g/src/up", H5P_DEFAULT, H5P_DEFAULT), 0);
  EXPECT_EQ(H5Lmove(file, "g/src/up", file, "g/src/up2", H5P_DEFAULT, H5P_DEFAULT), 0)
      << first_error();
  EXPECT_EQ(H5Lmove(file, "g/src/up2", file, "g/up", H5P_DEFAULT, H5P_DEFAULT), 0) << first_error();
  EXPECT_EQ(H5Lexists(file, "g/up/src", H5P_DEFAULT), 1);
  // The group stays reached by another name.
  ASSERT_EQ(H5Lcreate_hard(file, "g", file, "also", H5P_DEFAULT, H5P_DEFAULT), 0);
  EXPECT_EQ(H5Lmove(file, "g", file, "g/src/inside", H5P_DEFAULT, H5P_DEFAULT), 0) << first_error();
  EXPECT_EQ(H5Lexists(file, "also/src/inside", H5P_DEFAULT), 1);
}

#ifdef PCIO_VERSION
TEST_F(Links, AGroupIsNotMovedWhereNothingLeadsToIt) {
  make_group("a");
  make_group("a/b");
  EXPECT_EQ(H5Lmove(file, "a", file, "a/b/c", H5P_DEFAULT, H5P_DEFAULT), -1);
  hid_t b = H5Gopen2(file, "a/b", H5P_DEFAULT);
  EXPECT_EQ(H5Lmove(file, "a", b, "c", H5P_DEFAULT, H5P_DEFAULT), -1);
  EXPECT_EQ(H5Lexists(file, "a", H5P_DEFAULT), 1);
  EXPECT_EQ(H5Gclose(b), 0);
}
#endif

TEST_F(Links, TheListDecidesAboutTheCharacterSetOfAMovedLink) {
  hid_t utf8 = H5Pcreate(H5P_LINK_CREATE);
  ASSERT_EQ(H5Pset_char_encoding(utf8, H5T_CSET_UTF8), 0);
  ASSERT_EQ(H5Lcreate_soft("/x", file, "s", utf8, H5P_DEFAULT), 0);
  EXPECT_EQ(cset_of("s"), H5T_CSET_UTF8);
  ASSERT_EQ(H5Lmove(file, "s", file, "t", H5P_DEFAULT, H5P_DEFAULT), 0);
  EXPECT_EQ(cset_of("t"), H5T_CSET_ASCII);
  ASSERT_EQ(H5Lcopy(file, "t", file, "u", utf8, H5P_DEFAULT), 0);
  EXPECT_EQ(cset_of("u"), H5T_CSET_UTF8);
  H5Pclose(utf8);
  reopen();
  EXPECT_EQ(cset_of("t"), H5T_CSET_ASCII);
  EXPECT_EQ(cset_of("u"), H5T_CSET_UTF8);
}

// Each name is a prefix of others; only what lies behind the moved link may change.
TEST_F(Links, OpenObjectsFollowTheirLinkAndNoOther) {
  for (const char* name : {"g", "g/x", "g1", "g1/x", "g-", "g0"}) make_group(name);
  std::vector<hid_t> open;
  for (const char* name : {"/g", "/g/x", "/g1", "/g1/x", "/g-", "/g0", "/g/x"})
    open.push_back(H5Gopen2(file, name, H5P_DEFAULT));
  ASSERT_EQ(H5Lmove(file, "g", file, "moved", H5P_DEFAULT, H5P_DEFAULT), 0);
  const char* const expected[] = {"/moved", "/moved/x", "/g1", "/g1/x", "/g-", "/g0", "/moved/x"};
  for (std::size_t i = 0; i < open.size(); ++i) EXPECT_EQ(name_of(open[i]), expected[i]);
  ASSERT_EQ(H5Ldelete(file, "g1", H5P_DEFAULT), 0);
  PCIO_ONLY(EXPECT_EQ(name_of(open[2]), "");)
  EXPECT_EQ(name_of(open[4]), "/g-");
  for (hid_t id : open) EXPECT_EQ(H5Gclose(id), 0);
}

TEST_F(Links, AnonymousObjectsGetTheNameOfTheirOwnLink) {
  hid_t one = H5Gcreate_anon(file, H5P_DEFAULT, H5P_DEFAULT);
  hid_t two = H5Gcreate_anon(file, H5P_DEFAULT, H5P_DEFAULT);
  ASSERT_EQ(H5Olink(two, file, "two", H5P_DEFAULT, H5P_DEFAULT), 0);
  EXPECT_EQ(name_of(two), "/two");
  EXPECT_EQ(name_of(one), "");
  EXPECT_EQ(H5Gclose(one), 0);
  EXPECT_EQ(H5Gclose(two), 0);
}

// ---- the order of creation ---------------------------------------------------------------------

TEST_F(Links, TheOrderOfCreationBeginsAnewInAnEmptyGroup) {
  hid_t group = ordered_group("g");
  H5G_info_t info;
  for (int round = 0; round < 2; ++round) {
    soft(group, "a");
    soft(group, "b");
    ASSERT_EQ(H5Ldelete(group, "a", H5P_DEFAULT), 0);
    ASSERT_EQ(H5Gget_info(group, &info), 0);
    EXPECT_EQ(info.max_corder, 2);
    ASSERT_EQ(H5Lmove(group, "b", file, round == 0 ? "b0" : "b1", H5P_DEFAULT, H5P_DEFAULT), 0);
    ASSERT_EQ(H5Gget_info(group, &info), 0);
    EXPECT_EQ(info.nlinks, 0U);
    EXPECT_EQ(info.max_corder, 0);
  }
  EXPECT_EQ(H5Gclose(group), 0);
  reopen();
  ASSERT_EQ(H5Gget_info_by_name(file, "g", &info, H5P_DEFAULT), 0);
  EXPECT_EQ(info.max_corder, 0);
}

TEST_F(Links, VisitsGoByNamesWhereTheOrderOfCreationIsNotKnown) {
  hid_t group = ordered_group("t");
  for (const char* name : {"t/z", "t/y", "t/y/q", "t/y/p"}) make_group(name);
  EXPECT_EQ(H5Lvisit(file, H5_INDEX_CRT_ORDER, H5_ITER_INC, on_link, this), 0) << first_error();
  EXPECT_EQ(seen, (Names{"t", "t/z", "t/y", "t/y/p", "t/y/q"}));
  seen.clear();
  EXPECT_EQ(
      H5Lvisit_by_name(file, "/", H5_INDEX_CRT_ORDER, H5_ITER_DEC, on_link, this, H5P_DEFAULT), 0);
  EXPECT_EQ(seen, (Names{"t", "t/y", "t/y/q", "t/y/p", "t/z"}));
  seen.clear();
  EXPECT_EQ(H5Ovisit2(file, H5_INDEX_CRT_ORDER, H5_ITER_INC, on_object, this, H5O_INFO_BASIC), 0);
  EXPECT_EQ(seen, (Names{".", "t", "t/z", "t/y", "t/y/p", "t/y/q"}));
  // An iteration is about one group, and fails.
  EXPECT_EQ(H5Literate(file, H5_INDEX_CRT_ORDER, H5_ITER_INC, nullptr, on_link, this), -1);
  EXPECT_EQ(H5Gclose(group), 0);
}

// ---- by number ---------------------------------------------------------------------------------

class ManyLinks : public Links {
 protected:
  static constexpr int kMany = 300;
  void SetUp() override {
    Links::SetUp();
    group = ordered_group("many");
    for (int i = 0; i < kMany; ++i) {
      names.push_back("n" + std::to_string(i * 7919 % 1000));
      soft(group, names.back());
    }
  }
  void TearDown() override {
    if (H5Iis_valid(group) > 0) H5Gclose(group);
    Links::TearDown();
  }
  [[nodiscard]] Names expected(H5_index_t by, H5_iter_order_t order) const {
    Names all = names;
    if (by == H5_INDEX_NAME) std::sort(all.begin(), all.end());
    if (order == H5_ITER_DEC) std::reverse(all.begin(), all.end());
    return all;
  }
  std::string name_at(H5_index_t by, H5_iter_order_t order, std::size_t n) {
    return text_of([&](char* buffer, size_t size) {
      return H5Lget_name_by_idx(group, ".", by, order, n, buffer, size, H5P_DEFAULT);
    });
  }
  void expect_all() {
    for (H5_index_t by : {H5_INDEX_NAME, H5_INDEX_CRT_ORDER})
      for (H5_iter_order_t order : {H5_ITER_INC, H5_ITER_DEC}) {
        const Names wanted = expected(by, order);
        for (std::size_t n : {std::size_t{0}, std::size_t{31}, std::size_t{32}, std::size_t{33},
                              wanted.size() / 2, wanted.size() - 33, wanted.size() - 1})
          EXPECT_EQ(name_at(by, order, n), wanted[n]) << n;
        EXPECT_EQ(name_at(by, order, wanted.size()), "<error>");
        seen.clear();
        hsize_t idx = 40;
        EXPECT_EQ(H5Literate(group, by, order, &idx, on_link, this), 0);
        EXPECT_EQ(seen, Names(wanted.begin() + 40, wanted.end()));
        EXPECT_EQ(idx, wanted.size());
      }
  }

  hid_t group = H5I_INVALID_HID;
  Names names;
};

TEST_F(ManyLinks, AreFoundByNumberWhileTheyChange) {
  expect_all();
  for (int i : {200, 150, 100, 17, 0}) {
    ASSERT_EQ(H5Ldelete(group, names[i].c_str(), H5P_DEFAULT), 0);
    names.erase(names.begin() + i);
    expect_all();
  }
  soft(group, "last");
  names.emplace_back("last");
  expect_all();
  const std::string by_name = expected(H5_INDEX_NAME, H5_ITER_INC)[77];
  ASSERT_EQ(H5Ldelete_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, 77, H5P_DEFAULT), 0);
  names.erase(std::find(names.begin(), names.end(), by_name));
  expect_all();
  EXPECT_EQ(H5Gclose(group), 0);
  reopen();
  group = H5Gopen2(file, "many", H5P_DEFAULT);
  expect_all();
}

TEST_F(ManyLinks, AreIteratedOneByOne) {
  hsize_t idx = 0;
  while (idx < names.size())
    ASSERT_EQ(H5Literate(group, H5_INDEX_CRT_ORDER, H5_ITER_INC, &idx, stop_at_once, this), 1);
  EXPECT_EQ(seen, names);
}

TEST_F(ManyLinks, MayBeDeletedByTheCallback) {
  EXPECT_EQ(H5Literate(group, H5_INDEX_CRT_ORDER, H5_ITER_DEC, nullptr, delete_it, this), 0)
      << first_error();
  EXPECT_EQ(seen, expected(H5_INDEX_CRT_ORDER, H5_ITER_DEC));
  H5G_info_t info;
  ASSERT_EQ(H5Gget_info(group, &info), 0);
  EXPECT_EQ(info.nlinks, 0U);
}

/// Soft and external links mean the same in another file.
TEST_F(Links, GoIntoAnotherFileUnlessTheyAreHard) {
  const std::string name = path() + ".other";
  hid_t other = H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  make_group("g");
  ASSERT_EQ(H5Lcreate_soft("/g", file, "soft", H5P_DEFAULT, H5P_DEFAULT), 0);
  ASSERT_EQ(H5Lcreate_external("x.h5", "/y", file, "ext", H5P_DEFAULT, H5P_DEFAULT), 0);
  for (const char* link : {"soft", "ext"}) {
    EXPECT_EQ(H5Lcopy(file, link, other, link, H5P_DEFAULT, H5P_DEFAULT), 0) << first_error();
    const std::string moved = std::string(link) + "2";
    EXPECT_EQ(H5Lmove(file, link, other, moved.c_str(), H5P_DEFAULT, H5P_DEFAULT), 0);
    EXPECT_EQ(H5Lexists(file, link, H5P_DEFAULT), 0);
  }
  EXPECT_LT(H5Lcopy(file, "g", other, "g", H5P_DEFAULT, H5P_DEFAULT), 0);
  EXPECT_LT(H5Lmove(file, "g", other, "g", H5P_DEFAULT, H5P_DEFAULT), 0);
  EXPECT_EQ(H5Fclose(other), 0);
  other = H5Fopen(name.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  char text[16] = "";
  for (const char* link : {"soft", "soft2"}) {
    EXPECT_EQ(H5Lget_val(other, link, text, sizeof text, H5P_DEFAULT), 0);
    EXPECT_STREQ(text, "/g");
  }
  H5L_info_t info;
  ASSERT_EQ(H5Lget_info(other, "ext2", &info, H5P_DEFAULT), 0);
  EXPECT_EQ(info.type, H5L_TYPE_EXTERNAL);
  EXPECT_EQ(H5Lexists(other, "g", H5P_DEFAULT), 0);
  // From a file that is only read they are copied, not moved, and nothing is left of the attempt.
  EXPECT_EQ(H5Lcopy(other, "soft", file, "back", H5P_DEFAULT, H5P_DEFAULT), 0) << first_error();
  EXPECT_LT(H5Lmove(other, "soft", file, "moved", H5P_DEFAULT, H5P_DEFAULT), 0);
  EXPECT_EQ(H5Lexists(file, "moved", H5P_DEFAULT), 0);
  EXPECT_EQ(H5Fclose(other), 0);
  std::remove(name.c_str());
}

}  // namespace
