// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Ids of files that H5Iget_file_id makes where the opening has none any more: a local call, of which the other ranks
// know nothing.
// Room: testpar, public headers only.

#include <cstdio>
#include <string>

#include "support.hpp"

using par::Id;

namespace {

Id access_with(H5F_close_degree_t degree) {
  Id access(par::mpio_access());
  H5Pset_fclose_degree(access, degree);
  return access;
}

Id dataset_in(hid_t file, const char* name = "x") {
  const hsize_t dims[1] = {10};
  const Id space(H5Screate_simple(1, dims, nullptr));
  return Id(H5Dcreate2(file, name, H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
}

bool is_last() { return par::rank() == par::size() - 1; }

/// The file can be had for writing by others: nobody has it open.
bool is_closed(const std::string& name) {
  MPI_Barrier(MPI_COMM_WORLD);
  bool opened = true;
  if (par::rank() == 0) opened = Id(H5Fopen(name.c_str(), H5F_ACC_RDWR, H5P_DEFAULT)).valid();
  return par::all(opened);
}

}  // namespace

/// Behind the last object the others closed the file, and waited for a rank with an id.
CASE(an_id_that_one_rank_asked_for_keeps_nobody_waiting) {
  const std::string name = par::file_name("weak");
  const Id access = access_with(H5F_CLOSE_WEAK);
  Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
  Id set = dataset_in(file);
  CHECK(file.close() >= 0);
  Id one;
  if (is_last()) {
    one = Id(H5Iget_file_id(set));
    CHECK(one.valid());
    CHECK(H5Lexists(one, "x", H5P_DEFAULT) > 0);
    // One more reference to the same one.
    CHECK(H5Iget_file_id(set) == one);
    CHECK(H5Fclose(one) >= 0);
    CHECK(H5Iis_valid(one) > 0);
  }
  CHECK(set.close() >= 0);
  MPI_Barrier(MPI_COMM_WORLD);
  if (is_last() && par::size() > 1) {
    const par::Silence silence;
    CHECK(H5Lexists(one, "x", H5P_DEFAULT) < 0);
  }
  if (is_last()) CHECK(one.close() >= 0);
  CHECK(is_closed(name));
}

/// Where another opening has ids its close was one that takes all ranks.
CASE(an_id_that_one_rank_asked_for_is_closed_alone) {
  const std::string name = par::file_name("again");
  const Id access = access_with(H5F_CLOSE_WEAK);
  Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
  Id again(H5Freopen(file));
  Id set = dataset_in(file);
  CHECK(file.close() >= 0);
  if (is_last()) {
    Id one(H5Iget_file_id(set));
    CHECK(one.valid() && one != again);
    CHECK(one.close() >= 0);
    CHECK(H5Fclose(H5Iget_file_id(set)) >= 0);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(set.close() >= 0);
  CHECK(again.close() >= 0);
  CHECK(is_closed(name));
}

/// As in libhdf5, the file stays open by them.
CASE(ids_that_all_ranks_asked_for_keep_the_file_open) {
  const std::string name = par::file_name("all");
  const Id access = access_with(H5F_CLOSE_WEAK);
  Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
  Id set = dataset_in(file);
  CHECK(file.close() >= 0);
  Id one(H5Iget_file_id(set));
  CHECK(set.close() >= 0);
  CHECK(dataset_in(one, "y").close() >= 0);
  CHECK(H5Fflush(one, H5F_SCOPE_LOCAL) >= 0);
  CHECK(one.close() >= 0);
  CHECK(is_closed(name));
  file = Id(H5Fopen(name.c_str(), H5F_ACC_RDONLY, access));
  CHECK(H5Lexists(file, "y", H5P_DEFAULT) > 0);
  CHECK(file.close() >= 0);
}

/// Of two openings rank 0 asks for both, others for one: no number of closes would be right for all ranks.
CASE(numbers_of_ids_that_differ_keep_no_file_open) {
  const std::string name = par::file_name("numbers");
  const Id access = access_with(H5F_CLOSE_WEAK);
  Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
  Id again(H5Freopen(file));
  Id x = dataset_in(file), y = dataset_in(again, "y");
  CHECK(file.close() >= 0);
  CHECK(again.close() >= 0);
  Id one(H5Iget_file_id(x)), two;
  if (par::rank() == 0) two = Id(H5Iget_file_id(y));
  CHECK(x.close() >= 0);
  CHECK(y.close() >= 0);
  if (par::rank() == 0) CHECK(two.valid() && two != one && two.close() >= 0);
  CHECK(one.close() >= 0);
  CHECK(is_closed(name));
  file = Id(H5Fopen(name.c_str(), H5F_ACC_RDONLY, access));
  CHECK(H5Lexists(file, "y", H5P_DEFAULT) > 0);
  CHECK(file.close() >= 0);
}

/// A link leads to a file that all ranks have open: objects that are opened by it have an opening of their own.
CASE(an_id_of_a_file_that_a_link_led_to) {
  const std::string name = par::file_name("from"), target = par::file_name("to");
  const Id access(par::mpio_access());
  Id from(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
  Id to(H5Fcreate(target.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
  CHECK(dataset_in(to).close() >= 0);
  CHECK(H5Lcreate_external(target.c_str(), "x", from, "l", H5P_DEFAULT, H5P_DEFAULT) >= 0);
  if (is_last()) {
    Id set(H5Dopen2(from, "l", H5P_DEFAULT));
    CHECK(set.valid());
    Id one(H5Iget_file_id(set));
    CHECK(one.valid() && one != to);
    CHECK(H5Lexists(one, "x", H5P_DEFAULT) > 0);
    CHECK(set.close() >= 0);
    CHECK(one.close() >= 0);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(to.close() >= 0);
  CHECK(from.close() >= 0);
  CHECK(is_closed(target));
}
