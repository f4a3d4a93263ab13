// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// H5Ocopy of what is elsewhere: in other files, in other datasets, in the memory of one rank. Copies of whole
// trees: t_elsewhere. Room: testpar.

#include <string>
#include <vector>

#include "support.hpp"

using par::create_file;
using par::Id;
using par::open_file;

namespace {

constexpr hsize_t kChunk = 6;

hsize_t length() { return kChunk * static_cast<hsize_t>(par::size()); }

int value_at(hsize_t i) { return static_cast<int>(i) * 3 + 1; }

/// One dimension, all elements equal on all ranks.
bool has_values(hid_t at, const char* name) {
  const Id set(H5Dopen2(at, name, H5P_DEFAULT));
  std::vector<int> values(length(), -1);
  bool good = set.valid() &&
              H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0;
  for (hsize_t i = 0; good && i < length(); ++i) good = values[i] == value_at(i);
  return good;
}

Id make_set(hid_t at, const char* name, hid_t list) {
  const hsize_t n = length();
  const Id space(H5Screate_simple(1, &n, nullptr));
  Id set(H5Dcreate2(at, name, H5T_STD_I32LE, space, H5P_DEFAULT, list, H5P_DEFAULT));
  CHECK(set.valid());
  return set;
}

/// Each rank writes its own part.
void write_parts(hid_t set, H5FD_mpio_xfer_t mode) {
  const hsize_t start = kChunk * static_cast<hsize_t>(par::rank()), count = kChunk;
  const Id space(H5Dget_space(set)), how(par::transfer_list(mode));
  const Id memory(H5Screate_simple(1, &count, nullptr));
  CHECK(H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &count, nullptr) >= 0);
  std::vector<int> values;
  for (hsize_t i = start; i < start + count; ++i) values.push_back(value_at(i));
  CHECK(H5Dwrite(set, H5T_NATIVE_INT, memory, space, how, values.data()) >= 0);
}

}  // namespace

CASE(data_in_external_files_and_other_datasets) {
  const std::string name = par::file_name("copies_a"), raw = par::file_name("copies_raw");
  {
    Id file = create_file(name), other = create_file(par::file_name("copies_b"));
    const Id external(H5Pcreate(H5P_DATASET_CREATE)), mapped(H5Pcreate(H5P_DATASET_CREATE));
    CHECK(H5Pset_external(external, raw.c_str(), 0, H5F_UNLIMITED) >= 0);
    const Id set = make_set(file, "external", external);
    write_parts(set, H5FD_MPIO_COLLECTIVE);
    const Id space(H5Dget_space(set));
    CHECK(H5Pset_virtual(mapped, space, ".", "external", space) >= 0);
    make_set(file, "virtual", mapped);
    for (hid_t to : {hid_t(file), hid_t(other)}) {
      CHECK(H5Ocopy(file, "external", to, "copy", H5P_DEFAULT, H5P_DEFAULT) >= 0);
      CHECK(H5Ocopy(file, "virtual", to, "virtual copy", H5P_DEFAULT, H5P_DEFAULT) >= 0);
      CHECK(H5Fflush(to, H5F_SCOPE_GLOBAL) >= 0);
      CHECK(has_values(to, "copy"));
    }
    CHECK(has_values(file, "virtual copy"));
    CHECK(H5Ldelete(file, "external", H5P_DEFAULT) >= 0);
    CHECK(H5Lmove(file, "copy", file, "external", H5P_DEFAULT, H5P_DEFAULT) >= 0);
    CHECK(H5Ldelete(file, "virtual", H5P_DEFAULT) >= 0);
  }
  const Id file = open_file(name, H5F_ACC_RDONLY);
  CHECK(has_values(file, "virtual copy") && has_values(file, "external"));
}

CASE(copies_into_mounted_files) {
  const std::string child = par::file_name("copies_d");
  Id file = create_file(par::file_name("copies_c")), other = create_file(child);
  write_parts(make_set(file, "set", H5P_DEFAULT), H5FD_MPIO_COLLECTIVE);
  const Id group(H5Gcreate2(file, "mnt", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)),
      list(H5Pcreate(H5P_LINK_CREATE));
  CHECK(H5Pset_create_intermediate_group(list, 1) >= 0);
  CHECK(H5Fmount(file, "mnt", other, H5P_DEFAULT) >= 0 && other.close() >= 0);
  CHECK(H5Ocopy(file, "set", file, "mnt/set", H5P_DEFAULT, H5P_DEFAULT) >= 0);
  CHECK(H5Ocopy(file, "set", file, "mnt/new/set", H5P_DEFAULT, list) >= 0);
  CHECK(H5Ocopy(file, "mnt/new", file, "back", H5P_DEFAULT, H5P_DEFAULT) >= 0);
  CHECK(has_values(file, "mnt/new/set") && has_values(file, "back/set"));
  CHECK(H5Funmount(file, "mnt") >= 0);
  const Id again = open_file(child, H5F_ACC_RDONLY);
  CHECK(has_values(again, "set") && has_values(again, "new/set"));
}

/// What ranks wrote independently waits in their memory: it gets to the file before it is copied.
CASE(what_waits_is_written_before) {
  const std::string name = par::file_name("copies_e");
  {
    Id file = create_file(name), other = create_file(par::file_name("copies_f"));
    const Id list(H5Pcreate(H5P_DATASET_CREATE));
    CHECK(H5Pset_chunk(list, 1, &kChunk) >= 0 && H5Pset_deflate(list, 3) >= 0);
    const Id set = make_set(file, "waits", list);
    write_parts(set, H5FD_MPIO_INDEPENDENT);
    CHECK(H5Ocopy(file, "waits", file, "within", H5P_DEFAULT, H5P_DEFAULT) >= 0);
    CHECK(H5Ocopy(file, "waits", other, "between", H5P_DEFAULT, H5P_DEFAULT) >= 0);
    CHECK(has_values(file, "within") && has_values(other, "between"));
    // Cut, and owed a fill.
    const hsize_t few = 2, endless = H5S_UNLIMITED, n = length();
    const Id plain(H5Pcreate(H5P_DATASET_CREATE)), space(H5Screate_simple(1, &n, &endless));
    CHECK(H5Pset_chunk(plain, 1, &kChunk) >= 0);
    const Id cut(H5Dcreate2(file, "cut", H5T_STD_I32LE, space, H5P_DEFAULT, plain, H5P_DEFAULT));
    write_parts(cut, H5FD_MPIO_COLLECTIVE);
    CHECK(H5Dset_extent(cut, &few) >= 0);
    CHECK(H5Ocopy(file, "cut", other, "cut", H5P_DEFAULT, H5P_DEFAULT) >= 0);
    const Id copy(H5Dopen2(other, "cut", H5P_DEFAULT));
    CHECK(H5Dset_extent(copy, &n) >= 0);
    std::vector<int> values(n, -1);
    CHECK(H5Dread(copy, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0);
    CHECK(values[1] == value_at(1) && values[2] == 0 && values[5] == 0);
  }
  const Id file = open_file(name, H5F_ACC_RDONLY);
  CHECK(has_values(file, "within"));
}

/// Each rank has written something else to a compact dataset: the copy has what the file will have, on all ranks.
CASE(compact_data_that_ranks_wrote_alone) {
  Id file = create_file(par::file_name("copies_g"));
  const Id list(H5Pcreate(H5P_DATASET_CREATE));
  CHECK(H5Pset_layout(list, H5D_COMPACT) >= 0);
  const Id set = make_set(file, "set", list);
  std::vector<int> values(length(), par::rank() + 5);
  CHECK(H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0);
  const bool differs = par::size() > 1;
  {
    const par::Silence silence;
    CHECK((H5Ocopy(file, "set", file, "copy", H5P_DEFAULT, H5P_DEFAULT) < 0) == differs);
    if (differs) CHECK(par::error_text().find("different data") != std::string::npos);
  }
  if (differs) CHECK(H5Ocopy(file, "set", file, "copy", H5P_DEFAULT, H5P_DEFAULT) >= 0);
  const Id copy(H5Dopen2(file, "copy", H5P_DEFAULT));
  CHECK(H5Dread(copy, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0);
  CHECK(values[0] == 5 && values.back() == 5);
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
}

/// Each rank copies the same from a file of its own, in which data wait on some ranks only.
CASE(what_waits_in_the_files_of_some_ranks) {
  const Id core(H5Pcreate(H5P_FILE_ACCESS)), list(H5Pcreate(H5P_DATASET_CREATE));
  CHECK(H5Pset_fapl_core(core, 1 << 16, false) >= 0);
  const std::string mine = par::file_name("copies_own") + std::to_string(par::rank());
  const Id own(H5Fcreate(mine.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, core));
  const hsize_t longer = length() + 3, length_now = length(), chunk = 7, most = H5S_UNLIMITED;
  const Id space(H5Screate_simple(1, &longer, &most));
  CHECK(H5Pset_chunk(list, 1, &chunk) >= 0);
  const Id set(H5Dcreate2(own, "set", H5T_STD_I32LE, space, H5P_DEFAULT, list, H5P_DEFAULT));
  std::vector<int> values;
  for (hsize_t i = 0; i < longer; ++i) values.push_back(value_at(i));
  CHECK(H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0);
  // What is cut off gets the fill value with the next flush, which only some ranks have made.
  CHECK(H5Dset_extent(set, &length_now) >= 0);
  if (par::rank() > 0) CHECK(H5Fflush(own, H5F_SCOPE_LOCAL) >= 0);
  const Id file = create_file(par::file_name("copies_all"));
  CHECK(H5Ocopy(own, "set", file, "copy", H5P_DEFAULT, H5P_DEFAULT) >= 0);
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  CHECK(has_values(file, "copy"));
}
