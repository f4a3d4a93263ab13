// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Links that lead into other files, comments, and classes of links, in files that all ranks have open.
// Room: testpar.

#include <string>

#include "support.hpp"

using par::Id;

namespace {

Id create_file(const std::string& name) {
  const Id access(par::mpio_access());
  Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
  CHECK(file.valid());
  return file;
}

Id open_file(const std::string& name, unsigned flags) {
  const Id access(par::mpio_access());
  Id file(H5Fopen(name.c_str(), flags, access));
  CHECK(file.valid());
  return file;
}

/// Rank 0 alone makes a file with a group /g and three numbers /g/d in it.
void make_child(const std::string& name) {
  if (par::rank() == 0) {
    const Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
    const Id group(H5Gcreate2(file, "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    const hsize_t three = 3;
    const Id space(H5Screate_simple(1, &three, nullptr));
    const Id data(
        H5Dcreate2(group, "d", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    const int values[3] = {5, 6, 7};
    CHECK(H5Dwrite(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

std::string last_part(const std::string& path) { return path.substr(path.rfind('/') + 1); }

void link_to(hid_t file, const std::string& child, const char* object, const char* name) {
  CHECK(H5Lcreate_external(last_part(child).c_str(), object, file, name, H5P_DEFAULT,
                           H5P_DEFAULT) >= 0);
}

bool has_numbers(hid_t at, const char* name, hid_t list) {
  int values[3] = {0, 0, 0};
  const Id data(H5Dopen2(at, name, H5P_DEFAULT));
  return data.valid() && H5Dread(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, list, values) >= 0 &&
         values[0] == 5 && values[2] == 7;
}

}  // namespace

/// Following a link is a call of one rank alone; what the child holds is read, and not changed.
CASE(each_rank_follows_by_itself) {
  const std::string name = par::file_name("else_parent"), child = par::file_name("else_child");
  make_child(child);
  Id file = create_file(name);
  link_to(file, child, "/g", "e");
  link_to(file, child, "/g/d", "data");
  link_to(file, "none.h5", "/g", "nowhere");
  CHECK(H5Lcreate_soft("/e/d", file, "soft", H5P_DEFAULT, H5P_DEFAULT) >= 0);
  if (par::rank() % 2 == 0) CHECK(has_numbers(file, "e/d", H5P_DEFAULT));
  if (par::rank() == par::size() - 1) {
    CHECK(has_numbers(file, "soft", H5P_DEFAULT));
    CHECK(H5Lexists(file, "e/d", H5P_DEFAULT) > 0);
    CHECK(H5Oexists_by_name(file, "nowhere", H5P_DEFAULT) == 0);
    const par::Silence silence;
    CHECK(H5Oopen(file, "nowhere", H5P_DEFAULT) < 0);
    CHECK(par::error_text().find("there is no such file") != std::string::npos);
  }
  const Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  CHECK(has_numbers(file, "data", list));
  {
    const par::Silence silence;
    CHECK(H5Gcreate2(file, "e/new", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT) < 0);
    CHECK(par::error_text().find("alone, for reading only") != std::string::npos);
    const Id group(H5Gopen2(file, "e", H5P_DEFAULT)), space(H5Screate(H5S_SCALAR));
    CHECK(H5Acreate2(group, "a", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT) < 0);
    CHECK(H5Dcreate2(file, "e/x", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT) <
          0);
    CHECK(H5Oset_comment_by_name(file, "data", "x", H5P_DEFAULT) < 0);
    CHECK(H5Ldelete(file, "e/d", H5P_DEFAULT) < 0);
    const Id data(H5Dopen2(file, "data", H5P_DEFAULT));
    const int values[3] = {0, 0, 0};
    CHECK(H5Dwrite(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, list, values) < 0);
  }
  // The ranks are in step still.
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  CHECK(file.close() >= 0);
  file = open_file(name, H5F_ACC_RDONLY);
  CHECK(has_numbers(file, "soft", list));
}

/// Where all ranks have the child open, too, it is changed through the link as any other file.
CASE(a_child_that_is_open_on_all_ranks) {
  const std::string name = par::file_name("else_a"), child = par::file_name("else_b");
  Id file = create_file(name), other = create_file(child);
  link_to(file, child, "/", "e");
  link_to(other, name, "/", "back");
  const Id group(H5Gcreate2(file, "e/made", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  CHECK(group.valid());
  CHECK(H5Lexists(other, "made", H5P_DEFAULT) > 0);
  CHECK(H5Oset_comment_by_name(file, "e/back/e/made", "both ways", H5P_DEFAULT) >= 0);
  CHECK(H5Oget_comment(group, nullptr, 0) == 9);
  const Id space(H5Screate(H5S_SCALAR));
  {
    const par::Silence silence;
    CHECK(H5Dcreate2(file, "e/made/d", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT,
                     H5P_DEFAULT) < 0);
    CHECK(par::error_text().find("begin in that file") != std::string::npos);
  }
  Id data(H5Dcreate2(group, "d", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  const Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  const int value = 3;
  CHECK(data.valid() && H5Dwrite(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, list, &value) >= 0);
  CHECK(H5Fflush(other, H5F_SCOPE_GLOBAL) >= 0);
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
}

/// What one rank alone does to the child is told in the child's next agreement, and in that of the file.
CASE(a_change_through_a_link_on_one_rank_is_found) {
  const std::string name = par::file_name("else_c"), child = par::file_name("else_d");
  const Id access(par::mpio_access());
  const hid_t file = H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
  const hid_t other = H5Fcreate(child.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
  link_to(file, child, "/", "e");
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  const par::Silence silence;
  if (par::rank() == 0) CHECK(H5Lcreate_soft("/x", file, "e/soft", H5P_DEFAULT, H5P_DEFAULT) >= 0);
  const bool alone = par::size() == 1;
  CHECK((H5Fflush(other, H5F_SCOPE_GLOBAL) >= 0) == alone);
  CHECK((H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0) == alone);
  H5Fclose(other);
  H5Fclose(file);
}

CASE(comments_are_equal_on_all_ranks) {
  const std::string name = par::file_name("else_comment");
  const Id access(par::mpio_access());
  hid_t file = H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
  CHECK(H5Oset_comment(file, "of the root group") >= 0);
  CHECK(H5Fclose(file) >= 0);
  file = H5Fopen(name.c_str(), H5F_ACC_RDWR, access);
  char text[30] = "";
  CHECK(H5Oget_comment(file, text, sizeof text) == 17 && std::string(text) == "of the root group");
  const par::Silence silence;
  CHECK(H5Oset_comment(file, par::rank() == 0 ? "one" : "another") >= 0);
  CHECK((H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0) == (par::size() == 1));
  if (par::size() > 1) CHECK(par::error_text().find("H5Oset_comment") != std::string::npos);
  H5Fclose(file);
}

namespace {

int followed = 0;

hid_t follow(const char*, hid_t group, const void* data, size_t size, hid_t lapl, hid_t) {
  ++followed;
  return H5Oopen(group, std::string(static_cast<const char*>(data), size).c_str(), lapl);
}

}  // namespace

CASE(classes_of_links) {
  const std::string name = par::file_name("else_class");
  H5L_class_t cls = {H5L_LINK_CLASS_T_VERS,
                     static_cast<H5L_type_t>(99),
                     "path",
                     nullptr,
                     nullptr,
                     nullptr,
                     follow,
                     nullptr,
                     nullptr};
  CHECK(H5Lregister(&cls) >= 0);
  {
    const Id file = create_file(name);
    const Id group(H5Gcreate2(file, "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    CHECK(H5Lcreate_ud(file, "u", static_cast<H5L_type_t>(99), "/g", 2, H5P_DEFAULT, H5P_DEFAULT) >=
          0);
    const Id made(H5Gcreate2(file, "u/h", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    CHECK(made.valid() && followed == 1);
    if (par::rank() == 0) CHECK(Id(H5Oopen(file, "u/h", H5P_DEFAULT)).valid());
    CHECK(H5Lexists(group, "h", H5P_DEFAULT) > 0);
  }
  CHECK(H5Lunregister(static_cast<H5L_type_t>(99)) >= 0);
  const Id file = open_file(name, H5F_ACC_RDONLY);
  const par::Silence silence;
  CHECK(H5Oopen(file, "u", H5P_DEFAULT) < 0);
}
