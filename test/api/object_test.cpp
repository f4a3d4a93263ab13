// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Groups, links, objects, references and committed types through the public calls.

#include "api/file_fixture.hpp"

namespace {

class Objects : public FileTest {
 public:
  std::vector<std::string> seen;
  int stop_after = 0;  // 0: never
  herr_t answer = 1;

  herr_t note(const std::string& what) {
    seen.push_back(what);
    return static_cast<int>(seen.size()) == stop_after ? answer : 0;
  }
  static herr_t on_link(hid_t, const char* name, const H5L_info_t*, void* self) {
    return static_cast<Objects*>(self)->note(name);
  }
  static herr_t on_entry(hid_t, const char* name, void* self) {
    return static_cast<Objects*>(self)->note(name);
  }
  static herr_t on_object(hid_t, const char* name, const H5O_info_t* info, void* self) {
    return static_cast<Objects*>(self)->note(std::string(name) + ":" + std::to_string(info->type));
  }
  herr_t iterate(hsize_t* idx, H5_iter_order_t order = H5_ITER_INC) {
    return H5Literate(file, H5_INDEX_NAME, order, idx, on_link, this);
  }
  /// /c dataset, /a group with /a/b group with /a/b/up a link to /a, /s soft to /a/b, /z dangling.
  void make_tree() {
    make_group("a");
    make_group("a/b");
    make_dataset("c", 4);
    ASSERT_EQ(H5Lcreate_hard(file, "a", file, "a/b/up", H5P_DEFAULT, H5P_DEFAULT), 0);
    ASSERT_EQ(H5Lcreate_soft("/a/b", file, "s", H5P_DEFAULT, H5P_DEFAULT), 0);
    ASSERT_EQ(H5Lcreate_soft("nowhere", file, "z", H5P_DEFAULT, H5P_DEFAULT), 0);
  }
};

using Names = std::vector<std::string>;

// ---- groups ------------------------------------------------------------------------------------

TEST_F(Objects, GroupsAreFoundByEveryFormOfPath) {
  make_tree();
  reopen();
  for (const char* name :
       {"a", "/a", "a/", "//a//", "./a/.", "s", "/s/up/b", "a/b/up/b/up", "/", "."}) {
    hid_t group = H5Gopen2(file, name, H5P_DEFAULT);
    EXPECT_GT(group, 0) << name << ": " << first_error();
    EXPECT_EQ(H5Gclose(group), 0);
  }
  hid_t b = H5Gopen2(file, "a/b", H5P_DEFAULT);
  hid_t from_root = H5Gopen2(b, "/a", H5P_DEFAULT);
  EXPECT_GT(from_root, 0);
  EXPECT_EQ(H5Gclose(from_root), 0);
  EXPECT_EQ(H5Gclose(b), 0);
}

TEST_F(Objects, NamesThatLeadNowhereAreErrors) {
  make_tree();
  for (const char* name : {"no", "a/no/x", "z", "c/x", ""})
    EXPECT_LT(H5Gopen2(file, name, H5P_DEFAULT), 0) << name;
  EXPECT_LT(H5Gopen2(file, nullptr, H5P_DEFAULT), 0);
  EXPECT_LT(H5Gopen2(file, "c", H5P_DEFAULT), 0);
  PCIO_ONLY(EXPECT_EQ(first_error(), "\"/c\" is a dataset, not a group"));
  EXPECT_LT(H5Dopen2(file, "a", H5P_DEFAULT), 0);
  EXPECT_LT(H5Topen2(file, "a", H5P_DEFAULT), 0);
}

TEST_F(Objects, CreateRefusesWhatCannotBe) {
  make_group("a");
  for (const char* name : {"a", "", "/", ".", "q/r"})
    EXPECT_LT(H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), 0) << name;
  EXPECT_LT(H5Gcreate2(file, nullptr, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), 0);
  EXPECT_LT(H5Gcreate2(file, "b", H5P_DEFAULT, file, H5P_DEFAULT), 0);
  EXPECT_EQ(H5Lexists(file, "b", H5P_DEFAULT), 0);
}

TEST_F(Objects, IntermediateGroupsAreMadeWhereAskedFor) {
  hid_t list = H5Pcreate(H5P_LINK_CREATE);
  ASSERT_EQ(H5Pset_create_intermediate_group(list, 1), 0);
  hid_t group = H5Gcreate2(file, "x/y/z", list, H5P_DEFAULT, H5P_DEFAULT);
  ASSERT_GT(group, 0) << first_error();
  EXPECT_EQ(name_of(group), "/x/y/z");
  EXPECT_EQ(H5Gclose(group), 0);
  EXPECT_EQ(H5Pclose(list), 0);
  reopen(H5F_ACC_RDONLY);
  EXPECT_EQ(H5Lexists(file, "x/y/z", H5P_DEFAULT), 1);
}

TEST_F(Objects, AnonymousGroupLivesOnceItIsLinked) {
  hid_t group = H5Gcreate_anon(file, H5P_DEFAULT, H5P_DEFAULT);
  ASSERT_GT(group, 0) << first_error();
  hid_t lost = H5Gcreate_anon(file, H5P_DEFAULT, H5P_DEFAULT);
  EXPECT_EQ(H5Gclose(lost), 0);
  EXPECT_EQ(H5Olink(group, file, "named", H5P_DEFAULT, H5P_DEFAULT), 0) << first_error();
  EXPECT_EQ(name_of(group), "/named");
  EXPECT_EQ(H5Gclose(group), 0);
  reopen(H5F_ACC_RDONLY);
  EXPECT_EQ(H5Oexists_by_name(file, "named", H5P_DEFAULT), 1);
}

TEST_F(Objects, GroupInfoCountsLinks) {
  make_tree();
  reopen(H5F_ACC_RDONLY);
  H5G_info_t info;
  ASSERT_EQ(H5Gget_info(file, &info), 0);
  EXPECT_EQ(info.nlinks, 4U);
  EXPECT_EQ(info.storage_type, H5G_STORAGE_TYPE_SYMBOL_TABLE);
  EXPECT_EQ(info.mounted, 0);
  ASSERT_EQ(H5Gget_info_by_name(file, "a", &info, H5P_DEFAULT), 0);
  EXPECT_EQ(info.nlinks, 1U);
  ASSERT_EQ(H5Gget_info_by_idx(file, ".", H5_INDEX_NAME, H5_ITER_INC, 0, &info, H5P_DEFAULT), 0);
  EXPECT_EQ(info.nlinks, 1U);
  EXPECT_LT(H5Gget_info_by_name(file, "c", &info, H5P_DEFAULT), 0);
}

TEST_F(Objects, OldCallsOnGroups) {
  make_tree();
  hsize_t count = 0;
  EXPECT_EQ(H5Gget_num_objs(file, &count), 0);
  EXPECT_EQ(count, 4U);
  char name[8];
  EXPECT_EQ(H5Gget_objname_by_idx(file, 1, name, sizeof name), 1);
  EXPECT_STREQ(name, "c");
  EXPECT_EQ(H5Gget_objtype_by_idx(file, 0), H5G_GROUP);
  EXPECT_EQ(H5Gget_objtype_by_idx(file, 1), H5G_DATASET);
  EXPECT_EQ(H5Gget_objtype_by_idx(file, 2), H5G_LINK);
  EXPECT_EQ(H5Gget_objtype_by_idx(file, 9), H5G_UNKNOWN);
  hid_t group = H5Gcreate1(file, "old", 100);
  EXPECT_GT(group, 0);
  EXPECT_EQ(H5Glink2(file, "c", H5G_LINK_HARD, group, "d"), 0) << first_error();
  EXPECT_EQ(H5Glink(file, H5G_LINK_SOFT, "/c", "e"), 0) << first_error();
  EXPECT_EQ(H5Gmove(file, "e", "f"), 0);
  EXPECT_EQ(H5Gmove2(file, "f", group, "g"), 0);
  EXPECT_EQ(H5Gunlink(group, "g"), 0);
  EXPECT_LT(H5Gunlink(group, "g"), 0);
  EXPECT_EQ(H5Gclose(group), 0);
  group = H5Gopen1(file, "old");
  EXPECT_EQ(H5Lexists(group, "d", H5P_DEFAULT), 1);
  EXPECT_EQ(H5Gclose(group), 0);
}

TEST_F(Objects, ObjinfoTellsLinksAndObjects) {
  make_tree();
  H5G_stat_t stat;
  ASSERT_EQ(H5Gget_objinfo(file, "s", false, &stat), 0);
  EXPECT_EQ(stat.type, H5G_LINK);
  EXPECT_EQ(stat.linklen, sizeof "/a/b");
  ASSERT_EQ(H5Gget_objinfo(file, "s", true, &stat), 0);
  EXPECT_EQ(stat.type, H5G_GROUP);
  EXPECT_EQ(stat.nlink, 1U);
  EXPECT_NE(stat.objno[0], 0U);
  ASSERT_EQ(H5Gget_objinfo(file, "c", false, &stat), 0);
  EXPECT_EQ(stat.type, H5G_DATASET);
  EXPECT_GT(stat.mtime, 0);
  EXPECT_EQ(H5Gget_objinfo(file, ".", true, &stat), 0);
  EXPECT_EQ(H5Gget_objinfo(file, "c", true, nullptr), 0);
  EXPECT_LT(H5Gget_objinfo(file, "z", true, &stat), 0);
  EXPECT_LT(H5Gget_objinfo(file, "no", false, &stat), 0);
}

// ---- links -------------------------------------------------------------------------------------

TEST_F(Objects, LinkExistsLooksAtTheLinkAlone) {
  make_tree();
  EXPECT_EQ(H5Lexists(file, "z", H5P_DEFAULT), 1);
  EXPECT_EQ(H5Lexists(file, "a/no", H5P_DEFAULT), 0);
  EXPECT_EQ(H5Lexists(file, "/", H5P_DEFAULT), 1);
  EXPECT_EQ(H5Lexists(file, ".", H5P_DEFAULT), 0);
  EXPECT_EQ(H5Lexists(file, "s/up", H5P_DEFAULT), 1);
  EXPECT_LT(H5Lexists(file, "no/x", H5P_DEFAULT), 0);
  EXPECT_LT(H5Lexists(file, "z/x", H5P_DEFAULT), 0);
  EXPECT_EQ(H5Oexists_by_name(file, "a", H5P_DEFAULT), 1);
  EXPECT_EQ(H5Oexists_by_name(file, "z", H5P_DEFAULT), 0);
  EXPECT_EQ(H5Oexists_by_name(file, "/", H5P_DEFAULT), 1);
}

TEST_F(Objects, LinkInfoAndValue) {
  make_tree();
  reopen(H5F_ACC_RDONLY);
  H5L_info_t info;
  ASSERT_EQ(H5Lget_info(file, "s", &info, H5P_DEFAULT), 0);
  EXPECT_EQ(info.type, H5L_TYPE_SOFT);
  EXPECT_EQ(info.u.val_size, sizeof "/a/b");
  EXPECT_EQ(info.corder_valid, 0);
  ASSERT_EQ(H5Lget_info(file, "a", &info, H5P_DEFAULT), 0);
  EXPECT_EQ(info.type, H5L_TYPE_HARD);
  H5L_info_t other;
  ASSERT_EQ(H5Lget_info_by_idx(file, "a/b", H5_INDEX_NAME, H5_ITER_INC, 0, &other, H5P_DEFAULT), 0);
  EXPECT_EQ(other.u.address, info.u.address);
  char value[16];
  ASSERT_EQ(H5Lget_val(file, "s", value, sizeof value, H5P_DEFAULT), 0);
  EXPECT_STREQ(value, "/a/b");
  ASSERT_EQ(H5Lget_val(file, "s", value, 3, H5P_DEFAULT), 0);
  EXPECT_STREQ(value, "/a");
  EXPECT_LT(H5Lget_val(file, "a", value, sizeof value, H5P_DEFAULT), 0);
  EXPECT_LT(H5Lget_info(file, "/", &info, H5P_DEFAULT), 0);
}

TEST_F(Objects, ExternalLinksAreKeptAndTakenApart) {
  ASSERT_EQ(H5Lcreate_external("x.h5", "/o", file, "ext", H5P_DEFAULT, H5P_DEFAULT), 0)
      << first_error();
  reopen(H5F_ACC_RDONLY);
  H5L_info_t info;
  ASSERT_EQ(H5Lget_info(file, "ext", &info, H5P_DEFAULT), 0) << first_error();
  EXPECT_EQ(info.type, H5L_TYPE_EXTERNAL);
  char value[32];
  ASSERT_LE(info.u.val_size, sizeof value);
  ASSERT_EQ(H5Lget_val(file, "ext", value, sizeof value, H5P_DEFAULT), 0);
  unsigned flags = 9;
  const char* name = nullptr;
  const char* object = nullptr;
  ASSERT_EQ(H5Lunpack_elink_val(value, info.u.val_size, &flags, &name, &object), 0);
  EXPECT_EQ(flags, 0U);
  EXPECT_STREQ(name, "x.h5");
  EXPECT_STREQ(object, "/o");
  EXPECT_LT(H5Lunpack_elink_val(value, 2, &flags, &name, &object), 0);
  EXPECT_LT(H5Oopen(file, "ext", H5P_DEFAULT), 0);
  PCIO_ONLY(EXPECT_NE(first_error().find("there is no such file"), std::string::npos));
}

TEST_F(Objects, MoveCopyAndDelete) {
  make_tree();
  hid_t c = H5Dopen2(file, "c", H5P_DEFAULT);
  EXPECT_EQ(H5Lmove(file, "c", file, "a/c2", H5P_DEFAULT, H5P_DEFAULT), 0) << first_error();
  EXPECT_EQ(name_of(c), "/a/c2");
  EXPECT_EQ(H5Lcopy(file, "a/c2", H5L_SAME_LOC, "c3", H5P_DEFAULT, H5P_DEFAULT), 0);
  EXPECT_LT(H5Lmove(file, "c3", file, "a/c2", H5P_DEFAULT, H5P_DEFAULT), 0);
  EXPECT_LT(H5Lmove(file, "no", file, "n", H5P_DEFAULT, H5P_DEFAULT), 0);
  H5O_info_t info;
  ASSERT_EQ(H5Oget_info2(c, &info, H5O_INFO_BASIC), 0);
  EXPECT_EQ(info.rc, 2U);
  EXPECT_EQ(H5Ldelete(file, "a/c2", H5P_DEFAULT), 0);
  EXPECT_EQ(H5Ldelete_by_idx(file, ".", H5_INDEX_NAME, H5_ITER_INC, 1, H5P_DEFAULT), 0);
  EXPECT_LT(H5Ldelete(file, "c3", H5P_DEFAULT), 0);
  // Without any link it is still what the id stands for.
  int values[4] = {1, 2, 3, 4};
  EXPECT_EQ(H5Dwrite(c, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), 0);
  ASSERT_EQ(H5Oget_info2(c, &info, H5O_INFO_BASIC), 0);
  EXPECT_EQ(info.rc, 0U);
  EXPECT_EQ(name_of(c), "");
  EXPECT_EQ(H5Dclose(c), 0);
  EXPECT_EQ(H5Ldelete(file, "s", H5P_DEFAULT), 0);
  reopen(H5F_ACC_RDONLY);
  EXPECT_EQ(H5Lexists(file, "s", H5P_DEFAULT), 0);
  EXPECT_EQ(H5Lexists(file, "a/c2", H5P_DEFAULT), 0);
}

TEST_F(Objects, LinksNeedOneLocationAtLeast) {
  make_group("a");
  EXPECT_LT(H5Lcreate_hard(H5L_SAME_LOC, "a", H5L_SAME_LOC, "b", H5P_DEFAULT, H5P_DEFAULT), 0);
  EXPECT_EQ(H5Lcreate_hard(file, "a", H5L_SAME_LOC, "b", H5P_DEFAULT, H5P_DEFAULT), 0);
  EXPECT_EQ(H5Lcreate_hard(H5L_SAME_LOC, "a", file, "c", H5P_DEFAULT, H5P_DEFAULT), 0);
  EXPECT_LT(H5Lcreate_hard(file, "no", file, "d", H5P_DEFAULT, H5P_DEFAULT), 0);
}

TEST_F(Objects, NoChangeInAFileOpenForReading) {
  make_group("a");
  reopen(H5F_ACC_RDONLY);
  EXPECT_LT(H5Gcreate2(file, "b", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), 0);
  EXPECT_LT(H5Ldelete(file, "a", H5P_DEFAULT), 0);
  EXPECT_LT(H5Lcreate_soft("x", file, "s", H5P_DEFAULT, H5P_DEFAULT), 0);
  EXPECT_LT(H5Lmove(file, "a", file, "b", H5P_DEFAULT, H5P_DEFAULT), 0);
}

TEST_F(Objects, EndlessSoftLinksEnd) {
  ASSERT_EQ(H5Lcreate_soft("q", file, "p", H5P_DEFAULT, H5P_DEFAULT), 0);
  ASSERT_EQ(H5Lcreate_soft("p", file, "q", H5P_DEFAULT, H5P_DEFAULT), 0);
  EXPECT_LT(H5Oopen(file, "p", H5P_DEFAULT), 0);
}

TEST_F(Objects, LinkKindsThatAreRegistered) {
  EXPECT_EQ(H5Lis_registered(H5L_TYPE_EXTERNAL), 1);
  EXPECT_EQ(H5Lis_registered(H5L_TYPE_SOFT), 0);
  EXPECT_LT(H5Lis_registered(number_as<H5L_type_t>(300)), 0);
}

// ---- iteration ---------------------------------------------------------------------------------

TEST_F(Objects, IterateGoesInOrderOfNames) {
  make_tree();
  reopen(H5F_ACC_RDONLY);
  hsize_t idx = 0;
  EXPECT_EQ(iterate(&idx), 0);
  EXPECT_EQ(seen, (Names{"a", "c", "s", "z"}));
  EXPECT_EQ(idx, 4U);
  seen.clear();
  EXPECT_EQ(iterate(nullptr, H5_ITER_DEC), 0);
  EXPECT_EQ(seen, (Names{"z", "s", "c", "a"}));
}

TEST_F(Objects, IterateStopsAndGoesOn) {
  make_tree();
  hsize_t idx = 1;
  stop_after = 2;
  answer = 7;
  EXPECT_EQ(iterate(&idx), 7);
  EXPECT_EQ(seen, (Names{"c", "s"}));
  EXPECT_EQ(idx, 3U);
  stop_after = 0;
  EXPECT_EQ(iterate(&idx), 0);
  EXPECT_EQ(seen, (Names{"c", "s", "z"}));
  EXPECT_LT(iterate(&idx), 0);
  EXPECT_EQ(idx, 4U);
}

TEST_F(Objects, IterateFailsWithItsCallback) {
  make_tree();
  hsize_t idx = 0;
  stop_after = 2;
  answer = -1;
  EXPECT_LT(iterate(&idx), 0);
  EXPECT_EQ(idx, 0U);
  EXPECT_LT(H5Literate(file, H5_INDEX_CRT_ORDER, H5_ITER_INC, &idx, on_link, this), 0);
  EXPECT_LT(H5Literate(file, number_as<H5_index_t>(5), H5_ITER_INC, &idx, on_link, this), 0);
  EXPECT_LT(H5Literate(file, H5_INDEX_NAME, number_as<H5_iter_order_t>(9), &idx, on_link, this), 0);
  PCIO_ONLY(EXPECT_LT(H5Literate(file, H5_INDEX_NAME, H5_ITER_INC, &idx, nullptr, this), 0));
}

// Only libpcio promises this; libhdf5 forbids it.
PCIO_ONLY(TEST_F(Objects, CallbackMayDeleteWhatItIsShown) {
  for (const char* name : {"a", "b", "c", "d"}) make_group(name);
  auto remove = [](hid_t group, const char* name, const H5L_info_t*, void* self) -> herr_t {
    static_cast<Objects*>(self)->note(name);
    if (*name == 'b') H5Ldelete(group, "c", H5P_DEFAULT);
    return H5Ldelete(group, name, H5P_DEFAULT);
  };
  EXPECT_EQ(H5Literate(file, H5_INDEX_NAME, H5_ITER_INC, nullptr, remove, this), 0);
  EXPECT_EQ(seen, (Names{"a", "b", "d"}));
  H5G_info_t info;
  ASSERT_EQ(H5Gget_info(file, &info), 0);
  EXPECT_EQ(info.nlinks, 0U);
})

TEST_F(Objects, OldIterateHasAnIntIndex) {
  make_tree();
  int idx = 0;
  stop_after = 2;
  EXPECT_EQ(H5Giterate(file, "/", &idx, on_entry, this), 1);
  EXPECT_EQ(idx, 2);
  idx = 4;
  EXPECT_LT(H5Giterate(file, "/", &idx, on_entry, this), 0);
  idx = -1;
  EXPECT_LT(H5Giterate(file, "/", &idx, on_entry, this), 0);
  seen.clear();
  stop_after = 0;
  EXPECT_EQ(H5Giterate(file, "a", nullptr, on_entry, this), 0);
  EXPECT_EQ(seen, (Names{"b"}));
}

TEST_F(Objects, VisitsReachEverythingOnce) {
  make_tree();
  reopen(H5F_ACC_RDONLY);
  EXPECT_EQ(H5Lvisit(file, H5_INDEX_NAME, H5_ITER_INC, on_link, this), 0);
  EXPECT_EQ(seen, (Names{"a", "a/b", "a/b/up", "c", "s", "z"}));
  seen.clear();
  EXPECT_EQ(H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_INC, on_object, this, H5O_INFO_ALL), 0);
  EXPECT_EQ(seen, (Names{".:0", "a:0", "a/b:0", "c:1"}));
  seen.clear();
  EXPECT_EQ(H5Ovisit_by_name2(file, "a", H5_INDEX_NAME, H5_ITER_INC, on_object, this,
                              H5O_INFO_BASIC, H5P_DEFAULT),
            0);
  EXPECT_EQ(seen, (Names{".:0", "b:0"}));
  seen.clear();
  EXPECT_EQ(H5Ovisit_by_name2(file, "c", H5_INDEX_NAME, H5_ITER_INC, on_object, this,
                              H5O_INFO_BASIC, H5P_DEFAULT),
            0);
  EXPECT_EQ(seen, (Names{".:1"}));
  seen.clear();
  stop_after = 2;
  EXPECT_EQ(H5Lvisit_by_name(file, "/", H5_INDEX_NAME, H5_ITER_INC, on_link, this, H5P_DEFAULT), 1);
  EXPECT_EQ(seen, (Names{"a", "a/b"}));
}

TEST_F(Objects, NamesByIndexAreCutToTheBuffer) {
  make_group("alpha");
  make_group("beta");
  char name[16] = "";
  EXPECT_EQ(H5Lget_name_by_idx(file, ".", H5_INDEX_NAME, H5_ITER_INC, 0, nullptr, 0, H5P_DEFAULT),
            5);
  EXPECT_EQ(H5Lget_name_by_idx(file, ".", H5_INDEX_NAME, H5_ITER_INC, 0, name, 3, H5P_DEFAULT), 5);
  EXPECT_STREQ(name, "al");
  EXPECT_EQ(H5Lget_name_by_idx(file, ".", H5_INDEX_NAME, H5_ITER_DEC, 0, name, 16, H5P_DEFAULT), 4);
  EXPECT_STREQ(name, "beta");
  EXPECT_LT(H5Lget_name_by_idx(file, ".", H5_INDEX_NAME, H5_ITER_INC, 2, name, 16, H5P_DEFAULT), 0);
}

// ---- objects -----------------------------------------------------------------------------------

TEST_F(Objects, CloseTakesAnyDatatypeThatIsNotLocked) {
  hid_t type = H5Tcopy(H5T_NATIVE_INT);
  EXPECT_EQ(H5Oclose(type), 0) << first_error();
  EXPECT_EQ(H5Iis_valid(type), 0);
  type = H5Tcopy(H5T_NATIVE_INT);
  ASSERT_EQ(H5Tcommit2(file, "type", type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), 0);
  EXPECT_EQ(H5Oclose(type), 0);
  EXPECT_LT(H5Oclose(H5T_NATIVE_INT), 0);
  EXPECT_EQ(H5Tget_size(H5T_NATIVE_INT), sizeof(int));
}

TEST_F(Objects, OpenByNameAddressAndIndex) {
  make_tree();
  H5O_info_t info;
  ASSERT_EQ(H5Oget_info_by_name2(file, "c", &info, H5O_INFO_ALL, H5P_DEFAULT), 0);
  EXPECT_EQ(info.type, H5O_TYPE_DATASET);
  hid_t by_address = H5Oopen_by_addr(file, info.addr);
  EXPECT_EQ(H5Iget_type(by_address), H5I_DATASET);
  EXPECT_EQ(H5Oclose(by_address), 0);
  hid_t by_name = H5Oopen(file, "a/b", H5P_DEFAULT);
  EXPECT_EQ(H5Iget_type(by_name), H5I_GROUP);
  EXPECT_EQ(name_of(by_name), "/a/b");
  EXPECT_EQ(H5Oclose(by_name), 0);
  hid_t by_index = H5Oopen_by_idx(file, "/", H5_INDEX_NAME, H5_ITER_INC, 1, H5P_DEFAULT);
  EXPECT_EQ(H5Iget_type(by_index), H5I_DATASET);
  EXPECT_EQ(H5Oclose(by_index), 0);
  EXPECT_LT(H5Oopen_by_addr(file, 13), 0);
  EXPECT_LT(H5Oopen_by_addr(file, HADDR_UNDEF), 0);
  EXPECT_LT(H5Oclose(file), 0);
  EXPECT_LT(H5Oclose(H5T_NATIVE_INT), 0);
}

TEST_F(Objects, InfoTellsReferencesAttributesAndTimes) {
  make_tree();
  hid_t a = H5Gopen2(file, "a", H5P_DEFAULT);
  hid_t scalar = H5Screate(H5S_SCALAR);
  hid_t attribute = H5Acreate2(a, "x", H5T_NATIVE_INT, scalar, H5P_DEFAULT, H5P_DEFAULT);
  EXPECT_EQ(H5Aclose(attribute), 0);
  H5O_info_t info;
  ASSERT_EQ(H5Oget_info2(a, &info, H5O_INFO_ALL), 0);
  EXPECT_EQ(info.rc, 2U);
  EXPECT_EQ(info.num_attrs, 1U);
  EXPECT_EQ(info.type, H5O_TYPE_GROUP);
  EXPECT_EQ(info.hdr.version, 1U);
  EXPECT_GE(info.hdr.nmesgs, 2U);
  EXPECT_NE(info.hdr.mesg.present & (1ULL << 12), 0U);
  EXPECT_EQ(info.hdr.space.total, info.hdr.space.meta + info.hdr.space.mesg + info.hdr.space.free);
  EXPECT_EQ(info.hdr.flags, 0x20U) << "times are stored";
  ASSERT_EQ(H5Oget_info_by_idx2(file, ".", H5_INDEX_NAME, H5_ITER_INC, 1, &info, H5O_INFO_TIME,
                                H5P_DEFAULT),
            0);
  EXPECT_GT(info.ctime, 0);
  EXPECT_LT(H5Oget_info2(a, &info, 0x8000), 0);
  EXPECT_EQ(H5Sclose(scalar), 0);
  EXPECT_EQ(H5Gclose(a), 0);
}

TEST_F(Objects, ReferenceCountsCanBeChangedByHand) {
  make_group("a");
  hid_t a = H5Gopen2(file, "a", H5P_DEFAULT);
  EXPECT_EQ(H5Oincr_refcount(a), 0);
  H5O_info_t info;
  ASSERT_EQ(H5Oget_info2(a, &info, H5O_INFO_BASIC), 0);
  EXPECT_EQ(info.rc, 2U);
  EXPECT_EQ(H5Odecr_refcount(a), 0);
  ASSERT_EQ(H5Oget_info2(a, &info, H5O_INFO_BASIC), 0);
  EXPECT_EQ(info.rc, 1U);
  EXPECT_EQ(H5Gclose(a), 0);
}

TEST_F(Objects, ReferencesLeadBack) {
  make_tree();
  hobj_ref_t ref = 0;
  ASSERT_EQ(H5Rcreate(&ref, file, "a/b", H5R_OBJECT, H5I_INVALID_HID), 0) << first_error();
  reopen(H5F_ACC_RDONLY);
  H5O_type_t type = H5O_TYPE_UNKNOWN;
  EXPECT_EQ(H5Rget_obj_type2(file, H5R_OBJECT, &ref, &type), 0);
  EXPECT_EQ(type, H5O_TYPE_GROUP);
  EXPECT_EQ(H5Rget_obj_type1(file, H5R_OBJECT, &ref), H5G_GROUP);
  hid_t group = H5Rdereference2(file, H5P_DEFAULT, H5R_OBJECT, &ref);
  EXPECT_EQ(H5Iget_type(group), H5I_GROUP);
  EXPECT_EQ(H5Lexists(group, "up", H5P_DEFAULT), 1);
  EXPECT_EQ(name_of(group), "/a/b");
  EXPECT_EQ(H5Gclose(group), 0);
  EXPECT_EQ(text_of([&](char* buffer, size_t size) {
              return H5Rget_name(file, H5R_OBJECT, &ref, buffer, size);
            }),
            "/a/b");
  EXPECT_LT(H5Rcreate(&ref, file, "no", H5R_OBJECT, H5I_INVALID_HID), 0);
  ref = 0;
  EXPECT_LT(H5Rdereference2(file, H5P_DEFAULT, H5R_OBJECT, &ref), 0);
  ref = 77;
  EXPECT_LT(H5Rdereference2(file, H5P_DEFAULT, H5R_OBJECT, &ref), 0);
}

// ---- committed types ---------------------------------------------------------------------------

TEST_F(Objects, CommittedTypesAreObjects) {
  hid_t type = H5Tcopy(H5T_STD_I16BE);
  EXPECT_EQ(H5Tcommitted(type), 0);
  ASSERT_EQ(H5Tcommit2(file, "t", type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), 0) << first_error();
  EXPECT_EQ(H5Tcommitted(type), 1);
  EXPECT_EQ(name_of(type), "/t");
  EXPECT_LT(H5Tcommit2(file, "u", type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), 0);
  EXPECT_LT(H5Tcommit2(file, "u", H5T_NATIVE_INT, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), 0);
  EXPECT_LT(H5Tset_size(type, 4), 0);
  EXPECT_EQ(H5Tclose(type), 0);
  reopen();
  type = H5Topen2(file, "t", H5P_DEFAULT);
  ASSERT_GT(type, 0) << first_error();
  EXPECT_EQ(H5Tequal(type, H5T_STD_I16BE), 1);
  EXPECT_EQ(H5Tcommitted(type), 1);
  hsize_t n = 3;
  hid_t space = H5Screate_simple(1, &n, nullptr);
  hid_t dataset = H5Dcreate2(file, "d", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  ASSERT_GT(dataset, 0) << first_error();
  H5O_info_t info;
  ASSERT_EQ(H5Oget_info2(type, &info, H5O_INFO_ALL), 0);
  EXPECT_EQ(info.rc, 2U);
  EXPECT_EQ(H5Tclose(type), 0);
  EXPECT_EQ(H5Dclose(dataset), 0);
  EXPECT_EQ(H5Sclose(space), 0);
  reopen(H5F_ACC_RDONLY);
  dataset = H5Dopen2(file, "d", H5P_DEFAULT);
  ASSERT_GT(dataset, 0) << first_error();
  type = H5Dget_type(dataset);
  EXPECT_EQ(H5Tcommitted(type), 1);
  EXPECT_EQ(H5Tequal(type, H5T_STD_I16BE), 1);
  EXPECT_EQ(H5Tclose(type), 0);
  EXPECT_EQ(H5Dclose(dataset), 0);
}

TEST_F(Objects, AnonymousTypeIsLinkedLater) {
  hid_t type = H5Tcopy(H5T_NATIVE_DOUBLE);
  ASSERT_EQ(H5Tcommit_anon(file, type, H5P_DEFAULT, H5P_DEFAULT), 0);
  EXPECT_EQ(H5Tcommitted(type), 1);
  EXPECT_EQ(H5Olink(type, file, "t", H5P_DEFAULT, H5P_DEFAULT), 0);
  EXPECT_EQ(H5Tclose(type), 0);
  reopen(H5F_ACC_RDONLY);
  type = H5Topen1(file, "t");
  EXPECT_EQ(H5Tequal(type, H5T_NATIVE_DOUBLE), 1);
  EXPECT_EQ(H5Tclose(type), 0);
}

}  // namespace
