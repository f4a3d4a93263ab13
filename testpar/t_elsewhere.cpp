// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Links that lead into other files, comments, and classes of links, in files that all ranks have open.
// Room: testpar.

#include <cstdio>
#include <string>
#include <vector>

#include "support.hpp"

using par::create_file;
using par::Id;
using par::open_file;

namespace {

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
  CHECK((H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0) == alone);
  CHECK((H5Fflush(other, H5F_SCOPE_GLOBAL) >= 0) == alone);
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

namespace {

hid_t own_file;

hid_t follow_to_own(const char*, hid_t, const void*, size_t, hid_t lapl, hid_t) {
  return H5Oopen(own_file, "/", lapl);
}

}  // namespace

/// Each rank's link leads into a file of its own: that one is filled, and not the file of all ranks, which met in the call.
CASE(fills_in_files_of_each_rank) {
  const std::string name = par::file_name("else_fill"),
                    own = par::file_name("else_own") + std::to_string(par::rank());
  const H5L_class_t cls = {H5L_LINK_CLASS_T_VERS,
                           static_cast<H5L_type_t>(98),
                           "own",
                           nullptr,
                           nullptr,
                           nullptr,
                           follow_to_own,
                           nullptr,
                           nullptr};
  CHECK(H5Lregister(&cls) >= 0);
  const hsize_t many = 20000;
  const int nine = 9;
  const Id space(H5Screate_simple(1, &many, nullptr)), list(H5Pcreate(H5P_DATASET_CREATE));
  CHECK(H5Pset_fill_value(list, H5T_NATIVE_INT, &nine) >= 0);
  CHECK(H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY) >= 0);
  const std::vector<int> nines(many, nine), fives(many, 5);
  std::vector<int> read(many);
  const auto holds = [&](hid_t at, const char* path, const std::vector<int>& expected) {
    const Id data(H5Dopen2(at, path, H5P_DEFAULT));
    return H5Dread(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, read.data()) >= 0 &&
           read == expected;
  };
  {
    Id file = create_file(name);
    own_file = H5Fcreate(own.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    CHECK(H5Lcreate_ud(file, "u", static_cast<H5L_type_t>(98), "x", 1, H5P_DEFAULT, H5P_DEFAULT) >=
          0);
    {
      const Id data(
          H5Dcreate2(file, "all", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
      CHECK(H5Dwrite(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL,
                     Id(par::transfer_list(H5FD_MPIO_COLLECTIVE)), fives.data()) >= 0);
    }
    CHECK(Id(H5Dcreate2(file, "u/mine", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT))
              .valid());
    CHECK(holds(own_file, "mine", nines) && holds(file, "all", fives));
    // The next call in the file of all ranks finds them together.
    CHECK(Id(H5Dcreate2(file, "after", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT))
              .valid());
    CHECK(H5Fclose(own_file) >= 0 && file.close() >= 0);
  }
  const Id file = open_file(name, H5F_ACC_RDONLY);
  CHECK(holds(file, "all", fives) && holds(file, "after", nines));
  CHECK(H5Lexists(file, "mine", H5P_DEFAULT) == 0);
  own_file = H5Fopen(own.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  CHECK(holds(own_file, "mine", nines));
  CHECK(H5Fclose(own_file) >= 0);
  CHECK(std::remove(own.c_str()) == 0);
  CHECK(H5Lunregister(static_cast<H5L_type_t>(98)) >= 0);
}

namespace {

/// What the functions below close, once.
struct Closing {
  hid_t file, group, other;
  bool to_other;
  int calls;
} closing;

void close_ids() {
  if (closing.calls++ > 0) return;
  CHECK(H5Gclose(closing.group) >= 0);
  CHECK(H5Fclose(closing.file) >= 0);
}

hid_t follow_and_close(const char*, hid_t group, const void*, size_t, hid_t, hid_t) {
  const hid_t found = H5Oopen(closing.to_other ? closing.other : group, "/d", H5P_DEFAULT);
  close_ids();
  return found;
}

herr_t close_in_iteration(hid_t, const char*, const H5L_info_t*, void*) {
  close_ids();
  return 0;
}

using CallOnGroup = hid_t (*)(hid_t group);

/// Calls that lead through the link "u", to a dataset.
const CallOnGroup kCallsThatClose[] = {
    [](hid_t at) -> hid_t {
      H5O_info_t info;
      return H5Oget_info_by_name(at, "u", &info, H5P_DEFAULT);
    },
    [](hid_t at) -> hid_t {
      const hsize_t three = 3;
      const Id space(H5Screate_simple(1, &three, nullptr));
      hdset_reg_ref_t reference;
      return H5Rcreate(&reference, at, "u", H5R_DATASET_REGION, space);
    },
    [](hid_t at) -> hid_t { return H5Lcreate_hard(at, "u", at, "n", H5P_DEFAULT, H5P_DEFAULT); },
    [](hid_t at) -> hid_t {
      const Id space(H5Screate(H5S_SCALAR));
      return H5Acreate_by_name(at, "u", "a", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT,
                               H5P_DEFAULT);
    },
    [](hid_t at) { return H5Gcreate2(at, "u/n", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT); },
    [](hid_t at) -> hid_t { return H5Fmount(at, "u", closing.other, H5P_DEFAULT); },
    [](hid_t at) -> hid_t { return H5Funmount(at, "u"); },
    [](hid_t at) -> hid_t {
      return H5Ocopy(at, "u", closing.other, "copied", H5P_DEFAULT, H5P_DEFAULT);
    },
    [](hid_t at) -> hid_t {
      return H5Ocopy(closing.other, "d", at, "u/n", H5P_DEFAULT, H5P_DEFAULT);
    },
    [](hid_t at) -> hid_t { return H5Dopen2(at, "u", H5P_DEFAULT); },
    [](hid_t at) -> hid_t {
      hsize_t index = 0;
      return H5Literate(at, H5_INDEX_NAME, H5_ITER_INC, &index, close_in_iteration, nullptr);
    },
    [](hid_t at) -> hid_t {
      return H5Lvisit(at, H5_INDEX_NAME, H5_ITER_INC, close_in_iteration, nullptr);
    },
};

Id weak_access(bool together) {
  Id access(par::mpio_access());
  CHECK(H5Pset_fclose_degree(access, H5F_CLOSE_WEAK) >= 0);
  CHECK(H5Pset_all_coll_metadata_ops(access, together) >= 0);
  return access;
}

Id file_with_numbers(const std::string& name, hid_t access) {
  Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
  const hsize_t three = 3;
  const Id space(H5Screate_simple(1, &three, nullptr));
  CHECK(Id(H5Dcreate2(file, "d", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT))
            .valid());
  const Id group(H5Gcreate2(file, "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  CHECK(H5Lcreate_ud(group, "u", static_cast<H5L_type_t>(99), "x", 1, H5P_DEFAULT, H5P_DEFAULT) >=
        0);
  return file;
}

void begin_closing(const std::string& name, hid_t access) {
  closing.file = H5Fopen(name.c_str(), H5F_ACC_RDWR, access);
  closing.group = H5Gopen2(closing.file, "g", H5P_DEFAULT);
  closing.calls = 0;
  CHECK(closing.group > 0);
}

const H5L_class_t kClosingLinks = {H5L_LINK_CLASS_T_VERS,
                                   static_cast<H5L_type_t>(99),
                                   "closes",
                                   nullptr,
                                   nullptr,
                                   nullptr,
                                   follow_and_close,
                                   nullptr,
                                   nullptr};

}  // namespace

/// The file that a call has in hand is closed by all ranks together when the call ends.
CASE(functions_that_close_the_file_of_the_call) {
  const std::string name = par::file_name("else_close"), other = par::file_name("else_close_o");
  CHECK(H5Lregister(&kClosingLinks) >= 0);
  for (int way = 0; way < 3; ++way) {
    const Id access = weak_access(way == 2);
    CHECK(file_with_numbers(name, access).close() >= 0);
    const Id kept = file_with_numbers(other, access);
    closing.other = kept;
    closing.to_other = way == 1;
    for (const CallOnGroup call : kCallsThatClose) {
      begin_closing(name, access);
      hid_t made = H5I_INVALID_HID;
      {
        const par::Silence silence;
        made = call(closing.group);
      }
      CHECK(closing.calls > 0);
      if (made > 0 && H5Iis_valid(made) > 0) CHECK(H5Idec_ref(made) >= 0);
      CHECK(H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL) == 1);
    }
    const Id again(H5Fopen(name.c_str(), H5F_ACC_RDONLY, access));
    unsigned intent = 9;
    CHECK(again.valid() && H5Fget_intent(again, &intent) >= 0 && intent == H5F_ACC_RDONLY);
    CHECK((H5Lexists(again, "g/n", H5P_DEFAULT) > 0) == (way != 1));
  }
  CHECK(H5Lunregister(static_cast<H5L_type_t>(99)) >= 0);
}

/// One rank alone is in a call when it closes the file.
CASE(one_rank_closes_in_a_function) {
  const std::string name = par::file_name("else_close_one");
  CHECK(H5Lregister(&kClosingLinks) >= 0);
  const Id access = weak_access(false);
  CHECK(file_with_numbers(name, access).close() >= 0);
  closing.to_other = false;
  begin_closing(name, access);
  H5O_info_t info;
  if (par::rank() == 0) {
    CHECK(H5Oget_info_by_name(closing.group, "u", &info, H5P_DEFAULT) >= 0);
    CHECK(info.type == H5O_TYPE_DATASET);
  } else {
    close_ids();
  }
  CHECK(H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL) == 0);
  CHECK(Id(H5Fopen(name.c_str(), H5F_ACC_RDONLY, access)).valid());
  CHECK(H5Lunregister(static_cast<H5L_type_t>(99)) >= 0);
}

// ---- H5Ocopy --------------------------------------------------------------------------------------

namespace {

constexpr hsize_t kRows = 90, kColumns = 21;

int value_at(hsize_t row, hsize_t column) { return static_cast<int>(row * 1000 + column); }

enum class Form { kContiguous, kCompact, kChunked, kFiltered };

/// All ranks make a dataset, and each writes the rows of its own.
void make_rows(hid_t at, const char* name, Form form, hsize_t rows = kRows) {
  const hsize_t dims[2] = {rows, kColumns}, chunk[2] = {7, 8};
  const Id list(H5Pcreate(H5P_DATASET_CREATE)), space(H5Screate_simple(2, dims, nullptr));
  if (form == Form::kCompact) CHECK(H5Pset_layout(list, H5D_COMPACT) >= 0);
  if (form >= Form::kChunked) CHECK(H5Pset_chunk(list, 2, chunk) >= 0);
  if (form == Form::kFiltered) CHECK(H5Pset_shuffle(list) >= 0 && H5Pset_deflate(list, 4) >= 0);
  const Id set(H5Dcreate2(at, name, H5T_STD_I32LE, space, H5P_DEFAULT, list, H5P_DEFAULT));
  CHECK(set.valid());
  std::vector<int> values;
  for (hsize_t row = 0; row < rows; ++row)
    for (hsize_t column = 0; column < kColumns; ++column) values.push_back(value_at(row, column));
  const Id how(par::transfer_list(H5FD_MPIO_COLLECTIVE)), mine(H5Scopy(space));
  const hsize_t n = static_cast<hsize_t>(par::size()), r = static_cast<hsize_t>(par::rank());
  const hsize_t start[2] = {rows * r / n, 0},
                count[2] = {rows * (r + 1) / n - rows * r / n, kColumns};
  if (count[0] == 0)
    CHECK(H5Sselect_none(mine) >= 0);
  else
    CHECK(H5Sselect_hyperslab(mine, H5S_SELECT_SET, start, nullptr, count, nullptr) >= 0);
  CHECK(H5Dwrite(set, H5T_NATIVE_INT, mine, mine, how, values.data()) >= 0);
}

/// All elements, as each rank reads them.
bool has_rows(hid_t at, const char* name, hsize_t rows = kRows) {
  const Id set(H5Dopen2(at, name, H5P_DEFAULT));
  std::vector<int> values(rows * kColumns, -1);
  bool good = set.valid() &&
              H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0;
  for (hsize_t i = 0; good && i < values.size(); ++i)
    good = values[i] == value_at(i / kColumns, i % kColumns);
  return good;
}

void make_tree(hid_t file) {
  const Id group(H5Gcreate2(file, "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  make_rows(group, "contiguous", Form::kContiguous);
  make_rows(group, "compact", Form::kCompact, 20);
  make_rows(group, "chunked", Form::kChunked);
  make_rows(group, "filtered", Form::kFiltered);
  const Id space(H5Screate(H5S_SCALAR)), type(H5Tcopy(H5T_STD_I16LE));
  CHECK(H5Tcommit2(file, "type", type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT) >= 0);
  const Id a(H5Acreate2(group, "a", type, space, H5P_DEFAULT, H5P_DEFAULT));
  const int value = 77;
  CHECK(H5Awrite(a, H5T_NATIVE_INT, &value) >= 0);
  CHECK(H5Lcreate_hard(file, "g", group, "ring", H5P_DEFAULT, H5P_DEFAULT) >= 0);
  hobj_ref_t refs[2] = {0, 0};
  CHECK(H5Rcreate(refs, file, "g/chunked", H5R_OBJECT, -1) >= 0);
  const hsize_t two = 2;
  const Id pair(H5Screate_simple(1, &two, nullptr)), how(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  const Id set(
      H5Dcreate2(group, "refs", H5T_STD_REF_OBJ, pair, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  CHECK(H5Dwrite(set, H5T_STD_REF_OBJ, H5S_ALL, H5S_ALL, how, refs) >= 0);
}

bool has_tree(hid_t file, const std::string& at) {
  int value = 0;
  const Id group(H5Gopen2(file, at.c_str(), H5P_DEFAULT)), a(H5Aopen(group, "a", H5P_DEFAULT));
  return group.valid() && has_rows(group, "contiguous") && has_rows(group, "compact", 20) &&
         has_rows(group, "chunked") && has_rows(group, "filtered") &&
         has_rows(group, "ring/ring/filtered") && H5Aread(a, H5T_NATIVE_INT, &value) >= 0 &&
         value == 77;
}

/// What the first reference of a dataset leads to has all rows; 0: it is none.
int follows(hid_t file, const char* name) {
  hobj_ref_t refs[2] = {1, 1};
  const Id set(H5Dopen2(file, name, H5P_DEFAULT));
  CHECK(H5Dread(set, H5T_STD_REF_OBJ, H5S_ALL, H5S_ALL, H5P_DEFAULT, refs) >= 0 && refs[1] == 0);
  if (refs[0] == 0) return 0;
  const Id object(H5Rdereference2(file, H5P_DEFAULT, H5R_OBJECT, refs));
  return has_rows(object, ".") ? 1 : -1;
}

}  // namespace

CASE(copies_within_and_between_files) {
  const std::string from = par::file_name("copy_from"), to = par::file_name("copy_to");
  {
    const Id source = create_file(from), file = create_file(to);
    make_tree(source);
    const Id list(H5Pcreate(H5P_OBJECT_COPY));
    CHECK(H5Ocopy(source, "g", source, "within", H5P_DEFAULT, H5P_DEFAULT) >= 0);
    CHECK(H5Ocopy(source, "g", file, "between", H5P_DEFAULT, H5P_DEFAULT) >= 0);
    CHECK(H5Pset_copy_object(list, H5O_COPY_EXPAND_REFERENCE_FLAG) >= 0);
    CHECK(H5Ocopy(source, "g", file, "with references", list, H5P_DEFAULT) >= 0);
    CHECK(has_tree(source, "within") && has_tree(file, "between"));
    CHECK(follows(source, "within/refs") == 1 && follows(file, "between/refs") == 0 &&
          follows(file, "with references/refs") == 1);
    // Each rank alone opens what the link leads to; the copy is all ranks'.
    CHECK(H5Fflush(source, H5F_SCOPE_GLOBAL) >= 0);
  }
  {
    const Id file = open_file(to, H5F_ACC_RDWR);
    link_to(file, from, "/g", "link");
    CHECK(H5Ocopy(file, "link", file, "by link", H5P_DEFAULT, H5P_DEFAULT) >= 0);
    CHECK(has_tree(file, "by link"));
    CHECK(H5Ldelete(file, "between", H5P_DEFAULT) >= 0);
  }
  // As one program without MPI sees it.
  if (par::rank() == 0) {
    const Id file(H5Fopen(to.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
    CHECK(has_tree(file, "by link") && has_tree(file, "with references"));
  }
}

/// The ranks meet before anything changes: all get the error, and the file is what it was.
CASE(copies_that_one_rank_cannot_make) {
  const std::string from = par::file_name("copy_bad"), child = par::file_name("copy_child");
  make_child(child);
  Id file = create_file(from);
  make_tree(file);
  link_to(file, child, "/g", "e");
  const bool mine = par::rank() == par::size() - 1;
  {
    const par::Silence silence;
    CHECK(H5Ocopy(file, mine ? "none" : "g", file, "x", H5P_DEFAULT, H5P_DEFAULT) < 0);
    if (!mine)
      CHECK(par::error_text().find("rank " + std::to_string(par::size() - 1)) != std::string::npos);
    CHECK(H5Lexists(file, "x", H5P_DEFAULT) == 0);
    CHECK(H5Ocopy(file, "g", file, "g", H5P_DEFAULT, H5P_DEFAULT) < 0);
    CHECK(H5Ocopy(file, "g", file, "e/x", H5P_DEFAULT, H5P_DEFAULT) < 0);
    CHECK(H5Ocopy(mine ? -1 : hid_t(file), "g", file, "x", H5P_DEFAULT, H5P_DEFAULT) < 0);
  }
  CHECK(H5Ocopy(file, "g", file, "x", H5P_DEFAULT, H5P_DEFAULT) >= 0 && has_tree(file, "x"));
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
}

/// Options that differ are found where the ranks meet.
CASE(copies_that_differ_between_ranks) {
  const std::string name = par::file_name("copy_differ");
  const Id access(par::mpio_access());
  const hid_t file = H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
  make_tree(file);
  const Id list(H5Pcreate(H5P_OBJECT_COPY));
  if (par::rank() == 0) CHECK(H5Pset_copy_object(list, H5O_COPY_WITHOUT_ATTR_FLAG) >= 0);
  const par::Silence silence;
  const bool alone = par::size() == 1;
  CHECK((H5Ocopy(file, "g", file, "x", list, H5P_DEFAULT) >= 0) == alone);
  if (!alone) CHECK(par::error_text().find("H5Pset_copy_object") != std::string::npos);
  H5Fclose(file);
}

// ---- mounts ---------------------------------------------------------------------------------------

CASE(mounted_files) {
  const std::string name = par::file_name("mount_a"), child = par::file_name("mount_b");
  {
    Id file = create_file(name), other = create_file(child);
    const Id group(H5Gcreate2(file, "mnt", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    CHECK(H5Fmount(file, "mnt", other, H5P_DEFAULT) >= 0);
    {
      const Id made(H5Gcreate2(file, "mnt/made", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
      CHECK(made.valid());
      make_rows(made, "rows", Form::kFiltered);
      CHECK(has_rows(file, "mnt/made/rows") && has_rows(other, "/mnt/made/rows"));
    }
    CHECK(other.close() >= 0);
    CHECK(has_rows(file, "/mnt/made/rows"));
    CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
    {
      const Id held(H5Gopen2(file, "mnt/made", H5P_DEFAULT));
      const Id second(H5Gopen2(file, "/", H5P_DEFAULT));
      const par::Silence silence;
      CHECK(H5Funmount(file, "none") < 0);
    }
  }
  Id file = open_file(child, H5F_ACC_RDONLY);
  CHECK(has_rows(file, "made/rows"));
  Id parent = open_file(name, H5F_ACC_RDONLY);
  CHECK(H5Fmount(parent, "mnt", file, H5P_DEFAULT) >= 0 && has_rows(parent, "mnt/made/rows"));
  CHECK(H5Funmount(parent, "mnt") >= 0 && H5Lexists(parent, "mnt/made", H5P_DEFAULT) == 0);
}

/// A mount on one rank alone is found when the ranks meet.
CASE(mounts_that_differ_between_ranks) {
  const std::string name = par::file_name("mount_c"), child = par::file_name("mount_d");
  const Id access(par::mpio_access());
  const hid_t file = H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
  const hid_t other = H5Fcreate(child.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
  CHECK(Id(H5Gcreate2(file, "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)).valid());
  const par::Silence silence;
  if (par::rank() == 0) CHECK(H5Fmount(file, "g", other, H5P_DEFAULT) >= 0);
  CHECK((H5Fflush(file, H5F_SCOPE_LOCAL) >= 0) == (par::size() == 1));
  H5Fclose(file);
  H5Fclose(other);
}
