// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Collective metadata reads: one rank reads, and the others get what they need from it, whatever each of
// them remembers. Counted by an interposer (mpi_counts.c). Room: testpar, public headers only.

#include <pcio.h>
#include <string>

#include <mpi.h>

#include "mpi_counts.h"
#include "support.hpp"

using par::Id;

namespace {

constexpr int kSets = 60;

std::string set_name(int i) { return "group/set" + std::to_string(i); }

void make_file(const std::string& name, H5F_libver_t low) {
  const Id access(par::mpio_access(MPI_COMM_WORLD, low));
  const Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
  const Id group(H5Gcreate2(file, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  const Id type(H5Tcopy(H5T_NATIVE_INT));
  CHECK(H5Tcommit2(file, "type", type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT) >= 0);
  const hsize_t four = 4;
  const Id space(H5Screate_simple(1, &four, nullptr));
  for (int i = 0; i < kSets; ++i) {
    const Id set(H5Dcreate2(file, set_name(i).c_str(), i % 2 ? hid_t(type) : H5T_NATIVE_INT, space,
                            H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    for (int k = 0; k < (i == 7 ? 12 : 1); ++k) {
      const Id attribute(H5Acreate2(set, ("a" + std::to_string(k)).c_str(), H5T_NATIVE_INT, space,
                                    H5P_DEFAULT, H5P_DEFAULT));
      const int values[4] = {i, i + 1, i + 2, i + 3};
      CHECK(H5Awrite(attribute, H5T_NATIVE_INT, values) >= 0);
    }
  }
}

/// An access list that asks for it.
Id collective_access() {
  Id access(par::mpio_access());
  CHECK(H5Pset_all_coll_metadata_ops(access, true) >= 0);
  return access;
}

herr_t count_link(hid_t, const char*, const H5L_info_t*, void* count) {
  ++*static_cast<int*>(count);
  return 0;
}

/// Opens everything, and asks about it; `list`: of the calls.
void look_at_all(hid_t file, hid_t list) {
  const Id group(H5Gopen2(file, "group", list));
  CHECK(group.valid());
  int links = 0;
  CHECK(H5Literate_by_name(file, "group", H5_INDEX_NAME, H5_ITER_INC, nullptr, count_link, &links,
                           list) >= 0);
  CHECK(links == kSets);
  for (int i = 0; i < kSets; ++i) {
    CHECK(H5Lexists(file, set_name(i).c_str(), list) > 0);
    const Id set(H5Oopen(file, set_name(i).c_str(), list));
    CHECK(set.valid());
    const Id attribute(H5Aopen(set, i == 7 ? "a11" : "a0", list));
    int values[4] = {};
    CHECK(H5Aread(attribute, H5T_NATIVE_INT, values) >= 0 && values[3] == i + 3);
    H5O_info_t info;
    CHECK(H5Oget_info_by_name2(file, set_name(i).c_str(), &info, H5O_INFO_BASIC, list) >= 0);
    CHECK(info.type == H5O_TYPE_DATASET);
  }
  const Id type(H5Topen2(file, "type", list));
  CHECK(type.valid());
  const par::Silence silence;
  CHECK(H5Dopen2(file, "group/none", H5P_DEFAULT) < 0);
  CHECK(H5Lexists(file, "group/none", list) == 0);
}

}  // namespace

CASE(one_rank_reads_for_all) {
  for (const H5F_libver_t low : {H5F_LIBVER_EARLIEST, H5F_LIBVER_V110}) {
    const std::string name = par::file_name(low == H5F_LIBVER_EARLIEST ? "old" : "new");
    make_file(name, low);
    unsigned long long reads[2] = {}, alone = 0;
    for (const bool together : {false, true}) {
      const Id access = together ? collective_access() : Id(par::mpio_access());
      const Id file(H5Fopen(name.c_str(), H5F_ACC_RDONLY, access));
      const unsigned long long before = mpi_counts.read_at;
      look_at_all(file, H5P_DEFAULT);
      unsigned long long mine = mpi_counts.read_at - before;
      if (together && par::rank() > 0) alone = mine;
      MPI_Allreduce(&mine, &reads[together], 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    }
    CHECK(alone == 0);
    CHECK(reads[1] > 0);
    CHECK(reads[1] * static_cast<unsigned long long>(par::size()) == reads[0]);
  }
}

CASE(ranks_that_remember_different_things_get_what_they_lack) {
  const std::string name = par::file_name("memories");
  make_file(name, H5F_LIBVER_V110);
  const Id access(par::mpio_access());
  const Id file(H5Fopen(name.c_str(), H5F_ACC_RDWR, access));
  // Each rank has looked at something of its own before, and has some of it open.
  const Id mine(H5Dopen2(file, set_name(par::rank()).c_str(), H5P_DEFAULT));
  if (par::rank() == 0) {
    const Id all(H5Gopen2(file, "group", H5P_DEFAULT));
    H5G_info_t info;
    CHECK(H5Gget_info(all, &info) >= 0 && info.nlinks == kSets);
  }
  const Id list(H5Pcreate(H5P_LINK_ACCESS));
  CHECK(H5Pset_all_coll_metadata_ops(list, true) >= 0);
  look_at_all(file, list);
  // What is new on all ranks, and in no file yet.
  const Id space(H5Screate(H5S_SCALAR));
  const Id fresh(
      H5Dcreate2(file, "fresh", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  const Id again(H5Oopen(file, "fresh", list));
  CHECK(again.valid());
  // Ranks may ask for different objects, and one of them for something wrong.
  const Id other(H5Oopen(file, set_name(20 + par::rank()).c_str(), list));
  CHECK(other.valid());
  const par::Silence silence;
  const hid_t none = H5Oopen(file, par::rank() == par::size() - 1 ? "" : "fresh", list);
  CHECK((none < 0) == (par::rank() == par::size() - 1));
  if (none >= 0) H5Oclose(none);
}

namespace {

/// Where the links of this file's class lead.
struct Beyond {
  std::string file;
  int followed = 0;
} beyond;

/// What all ranks do together: the file that it leads to is opened in parallel, and something is written.
hid_t follow(const char*, hid_t group, const void*, std::size_t, hid_t, hid_t) {
  ++beyond.followed;
  const Id again(H5Gopen2(group, "/group", H5P_DEFAULT));
  const std::string name = "made" + std::to_string(beyond.followed);
  const Id made(H5Gcreate2(again, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  CHECK(made.valid() && H5Fflush(group, H5F_SCOPE_LOCAL) >= 0);
  const Id access(par::mpio_access());
  CHECK(H5Pset_fclose_degree(access, H5F_CLOSE_WEAK) >= 0);
  const Id file(H5Fopen(beyond.file.c_str(), H5F_ACC_RDONLY, access));
  return H5Oopen(file, "group", H5P_DEFAULT);
}

herr_t let_pass(const char*, const char*, const char*, const char*, unsigned*, hid_t, void* group) {
  ++beyond.followed;
  return H5Fflush(*static_cast<hid_t*>(group), H5F_SCOPE_LOCAL);
}

}  // namespace

CASE(functions_that_links_lead_to_may_communicate) {
  const std::string name = par::file_name("programs");
  beyond = {par::file_name("beyond")};
  make_file(beyond.file, H5F_LIBVER_EARLIEST);
  make_file(name, H5F_LIBVER_EARLIEST);
  H5L_class_t cls{};
  cls.version = H5L_LINK_CLASS_T_VERS;
  cls.id = static_cast<H5L_type_t>(H5L_TYPE_UD_MIN + 7);
  cls.trav_func = follow;
  CHECK(H5Lregister(&cls) >= 0);
  const Id access = collective_access();
  const Id file(H5Fopen(name.c_str(), H5F_ACC_RDWR, access));
  CHECK(H5Lcreate_ud(file, "away", cls.id, "x", 1, H5P_DEFAULT, H5P_DEFAULT) >= 0);
  CHECK(H5Lcreate_external(beyond.file.c_str(), "group", file, "outside", H5P_DEFAULT,
                           H5P_DEFAULT) >= 0);
  const Id away(H5Gopen2(file, "away", H5P_DEFAULT));
  CHECK(away.valid());
  H5O_info_t info;
  CHECK(H5Oget_info_by_name2(file, "away/set3", &info, H5O_INFO_BASIC, H5P_DEFAULT) >= 0);
  CHECK(H5Lexists(file, "away/none", H5P_DEFAULT) == 0);
  CHECK(beyond.followed == 3);
  const Id list(H5Pcreate(H5P_LINK_ACCESS));
  hid_t open = file;
  CHECK(H5Pset_elink_cb(list, let_pass, &open) >= 0);
  const Id outside(H5Oopen(file, "outside", list));
  CHECK(outside.valid() && beyond.followed == 4);
  // What the functions made is there, whatever was read before them.
  const Id made(H5Gopen2(file, "group/made3", H5P_DEFAULT));
  CHECK(made.valid());
  CHECK(H5Lunregister(cls.id) >= 0);
}

CASE(lists_that_differ_are_told_at_the_open) {
  const std::string name = par::file_name("differ");
  make_file(name, H5F_LIBVER_EARLIEST);
  const Id access(par::mpio_access());
  CHECK(H5Pset_all_coll_metadata_ops(access, par::rank() == 0) >= 0);
  const par::Silence silence;
  const Id file(H5Fopen(name.c_str(), H5F_ACC_RDONLY, access));
  CHECK(file.valid() == (par::size() == 1));
}

CASE(a_rank_in_another_call_is_told) {
  if (par::size() == 1) return;
  const std::string name = par::file_name("other");
  make_file(name, H5F_LIBVER_EARLIEST);
  const Id access = collective_access();
  Id file(H5Fopen(name.c_str(), H5F_ACC_RDWR, access));
  const par::Silence silence;
  if (par::rank() == 0) {
    CHECK(H5Gopen2(file, "group", H5P_DEFAULT) < 0);
  } else {
    CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) < 0);
  }
  CHECK(H5Gopen2(file, "group", H5P_DEFAULT) < 0);
  file.close();
}

/// They may ask for different groups, one of which there is not.
CASE(a_rank_that_finds_no_group_keeps_step) {
  const std::string name = par::file_name("none");
  make_file(name, H5F_LIBVER_EARLIEST);
  const Id access = collective_access();
  Id file(H5Fopen(name.c_str(), H5F_ACC_RDWR, access));
  const bool finds = par::rank() % 2 == 0;
  for (const auto visit : {false, true}) {
    const par::Silence silence;
    int links = 0;
    const char* const group = finds ? "group" : "nowhere";
    const herr_t done = visit ? H5Lvisit_by_name(file, group, H5_INDEX_NAME, H5_ITER_INC,
                                                 count_link, &links, H5P_DEFAULT)
                              : H5Literate_by_name(file, group, H5_INDEX_NAME, H5_ITER_INC, nullptr,
                                                   count_link, &links, H5P_DEFAULT);
    CHECK((done >= 0) == finds && links == (finds ? kSets : 0));
  }
  CHECK(Id(H5Gcreate2(file, "more", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)).valid());
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  CHECK(file.close() >= 0);
}
