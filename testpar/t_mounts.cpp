// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Mounted files of several ranks: what one rank alone has open, or did, must not decide which of them are closed.
// Room: testpar.

#include <cstdio>
#include <string>

#include "support.hpp"

using par::create_file;
using par::Id;
using par::open_file;

namespace {

Id make_group(hid_t at, const char* name) {
  Id group(H5Gcreate2(at, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  CHECK(group.valid());
  return group;
}

/// A file with a group "mnt".
Id file_with_group(const std::string& name) {
  Id file = create_file(name);
  make_group(file, "mnt");
  return file;
}

bool error_names(const std::string& words) {
  return par::error_text().find(words) != std::string::npos;
}

}  // namespace

/// Nothing but the mount keeps the child open, but for a group of it that one rank has.
CASE(unmounting_what_one_rank_uses) {
  Id file = file_with_group(par::file_name("mounts_a")),
     child = file_with_group(par::file_name("mounts_b"));
  CHECK(H5Fmount(file, "mnt", child, H5P_DEFAULT) >= 0);
  CHECK(child.close() >= 0);
  Id mine;
  if (par::rank() == 0) mine = Id(H5Gopen2(file, "mnt/mnt", H5P_DEFAULT));
  {
    const par::Silence silence;
    CHECK(H5Funmount(file, "mnt") < 0);
    CHECK(error_names("objects are open in file"));
    CHECK(H5Lexists(file, "mnt/mnt", H5P_DEFAULT) > 0);
  }
  mine.close();
  CHECK(H5Funmount(file, "mnt") >= 0);
  CHECK(H5Lexists(file, "mnt/mnt", H5P_DEFAULT) == 0);
  CHECK(H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL) == 1);
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
}

/// A rank whose arguments are wrong comes to the meeting, too.
CASE(unmounting_that_one_rank_cannot) {
  Id file = file_with_group(par::file_name("mounts_c")),
     child = file_with_group(par::file_name("mounts_d"));
  CHECK(H5Fmount(file, "mnt", child, H5P_DEFAULT) >= 0);
  const bool alone = par::rank() == par::size() - 1;
  const par::Silence silence;
  CHECK(H5Funmount(file, alone ? "none" : "mnt") < 0);
  CHECK(H5Lexists(file, "mnt/mnt", H5P_DEFAULT) > 0);
  CHECK(H5Funmount(file, "mnt") >= 0);
}

/// The file at the end of a chain of mounts is in use on one rank.
CASE(closing_a_chain_that_one_rank_uses) {
  Id a = file_with_group(par::file_name("mounts_e")),
     b = file_with_group(par::file_name("mounts_f")),
     c = file_with_group(par::file_name("mounts_g"));
  CHECK(H5Fmount(a, "mnt", b, H5P_DEFAULT) >= 0 && H5Fmount(b, "mnt/mnt", c, H5P_DEFAULT) >= 0);
  CHECK(b.close() >= 0 && c.close() >= 0);
  Id mine;
  if (par::rank() == par::size() - 1) mine = Id(H5Gopen2(a, "mnt/mnt/mnt", H5P_DEFAULT));
  {
    const par::Silence silence;
    CHECK(H5Fclose(a) < 0);
    CHECK(error_names("mounts_g"));
    CHECK(H5Funmount(a, "mnt") < 0);
  }
  CHECK(H5Fflush(a, H5F_SCOPE_GLOBAL) >= 0);
  mine.close();
  CHECK(a.close() >= 0);
  CHECK(H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL) == 0);
}

namespace {

/// Two files that are closed weakly, the second mounted in the first and kept open by that alone.
struct WeakPair {
  explicit WeakPair(const std::string& word) : name(par::file_name(word)), child(name + ".child") {
    const Id access(weak());
    file = Id(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
    other = Id(H5Fcreate(child.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
    for (const char* made : {"mnt", "x", "y"}) make_group(file, made);
    make_group(other, "mnt");
    CHECK(H5Fmount(file, "mnt", other, H5P_DEFAULT) >= 0);
  }
  ~WeakPair() {
    MPI_Barrier(MPI_COMM_WORLD);
    if (par::rank() == 0) std::remove(child.c_str());
  }
  WeakPair(const WeakPair&) = delete;
  WeakPair& operator=(const WeakPair&) = delete;
  static Id weak() {
    Id access(par::mpio_access());
    CHECK(H5Pset_fclose_degree(access, H5F_CLOSE_WEAK) >= 0);
    return access;
  }
  /// None of them is open any more: each can be opened in another way.
  void check_closed() const {
    CHECK(H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL) == 0);
    for (const std::string& path : {name, child}) {
      const Id again(H5Fopen(path.c_str(), H5F_ACC_RDONLY, weak()));
      unsigned intent = 9;
      CHECK(H5Fget_intent(again, &intent) >= 0 && intent == H5F_ACC_RDONLY);
    }
  }
  std::string name, child;
  Id file, other;
};

}  // namespace

/// The last object closes its file and what is mounted there, on all ranks, whichever object that is on each.
CASE(closing_weakly_behind_objects) {
  WeakPair pair("mounts_p");
  Id mine(H5Gopen2(pair.file, par::rank() % 2 == 0 ? "x" : "y", H5P_DEFAULT));
  CHECK(pair.other.close() >= 0 && pair.file.close() >= 0);
  CHECK(H5Lexists(mine, "/mnt/mnt", H5P_DEFAULT) > 0);
  CHECK(mine.close() >= 0);
  pair.check_closed();
}

/// One rank has an object in what would be closed with it: no rank closes anything, and all may try again.
CASE(closing_weakly_what_one_rank_uses) {
  WeakPair pair("mounts_q");
  Id root(H5Gopen2(pair.file, "/", H5P_DEFAULT)), mine;
  CHECK(pair.other.close() >= 0 && pair.file.close() >= 0);
  if (par::rank() == par::size() - 1) mine = Id(H5Gopen2(root, "mnt/mnt", H5P_DEFAULT));
  {
    const par::Silence silence;
    CHECK(H5Gclose(root) < 0);
    CHECK(error_names("objects are open in file"));
    CHECK(H5Lexists(root, "x", H5P_DEFAULT) > 0 && H5Lexists(root, "mnt/mnt", H5P_DEFAULT) > 0);
  }
  mine.close();
  CHECK(root.close() >= 0);
  pair.check_closed();
}

/// Some ranks have objects in both files still, when others close the last that they have.
CASE(closing_weakly_one_after_the_other) {
  WeakPair pair("mounts_r");
  Id inner;
  if (par::rank() == 0) inner = Id(H5Gopen2(pair.file, "mnt/mnt", H5P_DEFAULT));
  Id outer(H5Gopen2(pair.file, "x", H5P_DEFAULT));
  CHECK(pair.other.close() >= 0 && pair.file.close() >= 0);
  inner.close();
  CHECK(outer.close() >= 0);
  pair.check_closed();
}

namespace {

Id* to_close = nullptr;
herr_t close_in_visit(hid_t, const char* path, const H5O_info_t*, void*) {
  if (std::string(path) == "mnt/mnt") CHECK(to_close->close() >= 0);
  return 0;
}

}  // namespace

/// A visit is in what is mounted, and would come back to the file that was closed meanwhile.
CASE(closing_a_file_that_a_visit_comes_back_to) {
  WeakPair pair("mounts_s");
  to_close = &pair.file;
  {
    const par::Silence silence;
    CHECK(H5Ovisit(pair.file, H5_INDEX_NAME, H5_ITER_INC, close_in_visit, nullptr) < 0);
    CHECK(error_names("is closed already"));
  }
  CHECK(!pair.file.valid() && H5Lexists(pair.other, "mnt", H5P_DEFAULT) > 0);
  CHECK(pair.other.close() >= 0);
  pair.check_closed();
}

/// An id that only one rank has keeps the child open there: the ranks must not part.
CASE(unmounting_what_one_rank_has_opened_again) {
  Id file = file_with_group(par::file_name("mounts_h"));
  Id child = file_with_group(par::file_name("mounts_i"));
  CHECK(H5Fmount(file, "mnt", child, H5P_DEFAULT) >= 0);
  Id again;
  if (par::rank() == 0) again = Id(H5Freopen(child));
  CHECK(child.close() >= 0);
  CHECK(H5Iis_valid(child) <= 0);
  const bool differs = par::size() > 1;
  const par::Silence silence;
  CHECK((H5Funmount(file, "mnt") < 0) == differs);
  if (differs) CHECK(error_names("nothing but the mount keeps open"));
}

/// The group that something is mounted on has lost its name: no new one is taken for it.
CASE(groups_that_are_deleted_under_a_mount) {
  const std::string name = par::file_name("mounts_j");
  Id file = file_with_group(name);
  Id child = file_with_group(par::file_name("mounts_k"));
  CHECK(file.close() >= 0);
  file = open_file(name, H5F_ACC_RDWR);
  Id root(H5Gopen2(child, "/", H5P_DEFAULT));
  CHECK(H5Fmount(file, "mnt", child, H5P_DEFAULT) >= 0);
  CHECK(H5Ldelete(file, "mnt", H5P_DEFAULT) >= 0);
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  for (const char* made : {"x", "y", "z"}) {
    make_group(file, made);
    CHECK(H5Lexists(file, (std::string(made) + "/mnt").c_str(), H5P_DEFAULT) == 0);
  }
  CHECK(H5Funmount(root, ".") >= 0);
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  CHECK(root.close() >= 0);
}

/// The parent is closed while a group without a name is its mount point: no space is lost by that.
CASE(groups_without_names_go_with_their_file) {
  const std::string name = par::file_name("mounts_l");
  hsize_t before = 0, after = 0;
  Id file = file_with_group(name);
  CHECK(H5Fget_filesize(file, &before) >= 0);
  Id child = file_with_group(par::file_name("mounts_m"));
  CHECK(H5Fmount(file, "mnt", child, H5P_DEFAULT) >= 0);
  CHECK(H5Ldelete(file, "mnt", H5P_DEFAULT) >= 0);
  CHECK(file.close() >= 0 && child.close() >= 0);
  file = open_file(name, H5F_ACC_RDONLY);
  CHECK(H5Fget_filesize(file, &after) >= 0 && after <= before);
}

/// As above, of a close. The last case: the ids that are left are closed together at the end.
CASE(closing_with_what_one_rank_has_opened_again) {
  Id kept = file_with_group(par::file_name("mounts_n"));
  Id child = file_with_group(par::file_name("mounts_o"));
  CHECK(H5Fmount(kept, "mnt", child, H5P_DEFAULT) >= 0);
  if (par::rank() == 0) CHECK(H5Freopen(child) >= 0);
  CHECK(child.close() >= 0);
  const bool differs = par::size() > 1;
  const par::Silence silence;
  CHECK((kept.close() < 0) == differs);
  if (differs) CHECK(error_names("some have ids of their own"));
}
