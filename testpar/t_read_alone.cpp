// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Files that all ranks have open and some of them read alone beside that. Room: testpar, public headers only.

#include <cstdio>
#include <string>
#include <vector>

#include "support.hpp"

using par::Id;

namespace {

constexpr int kCount = 1000;

Id create(const std::string& path, hid_t access) {
  return Id(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
}

Id dataset_in(hid_t file) {
  const hsize_t dims[1] = {kCount};
  const Id space(H5Screate_simple(1, dims, nullptr));
  return Id(H5Dcreate2(file, "x", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
}

/// The value of /x[0]; -1 where it can't be read.
int first_in(hid_t file) {
  std::vector<int> values(kCount);
  const par::Silence silence;
  const Id set(H5Dopen2(file, "x", H5P_DEFAULT));
  if (H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0) return -1;
  return values[0];
}

/// All ranks write all of the dataset together, alike.
herr_t write_all(hid_t set, int value) {
  const Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  const std::vector<int> values(kCount, value);
  return H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, list, values.data());
}

bool reads_alone() { return par::rank() % 2 == 0; }

}  // namespace

/// Some ranks read the file alone as well, the others don't: no call of all ranks may notice.
CASE(a_file_that_all_write_is_read_alone_beside_that) {
  const std::string path = par::file_name("both");
  const Id access(par::mpio_access());
  Id file = create(path, access);
  Id set = dataset_in(file);
  CHECK(write_all(set, 1) >= 0);
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  Id alone, twice;
  if (reads_alone()) {
    const par::Silence silence;
    alone = Id(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
    CHECK(alone.valid());
    CHECK(first_in(alone) == 1);
    // One more opening of the one that reads; none that writes.
    twice = Id(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
    CHECK(first_in(twice) == 1);
    CHECK(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT) < 0);
    CHECK(H5Dcreate_anon(alone, H5T_NATIVE_INT, Id(H5Screate(H5S_SCALAR)), H5P_DEFAULT,
                         H5P_DEFAULT) < 0);
  }
  // The others open it once more, too.
  Id again(H5Fopen(path.c_str(), H5F_ACC_RDWR, access));
  CHECK(again.valid());
  CHECK(Id(H5Gcreate2(again, "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)).valid());
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  // Links of other files lead to the one that all have, and a collective write through one is one of all.
  const std::string other = par::file_name("links");
  {
    Id links = create(other, access);
    CHECK(H5Lcreate_external(path.c_str(), "/x", links, "there", H5P_DEFAULT, H5P_DEFAULT) >= 0);
    Id through(H5Dopen2(links, "there", H5P_DEFAULT));
    CHECK(through.valid());
    CHECK(write_all(through, 2) >= 0);
    CHECK(through.close() >= 0);
    CHECK(links.close() >= 0);
  }
  // So do the sources of a virtual dataset, of which a write is one of all ranks.
  const std::string views = par::file_name("views");
  {
    Id view_file = create(views, access);
    const hsize_t dims[1] = {kCount};
    const Id space(H5Screate_simple(1, dims, nullptr)), list(H5Pcreate(H5P_DATASET_CREATE));
    CHECK(H5Pset_virtual(list, space, path.c_str(), "x", space) >= 0);
    Id view(H5Dcreate2(view_file, "v", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT));
    CHECK(view.valid());
    CHECK(write_all(view, 3) >= 0);
    CHECK(view.close() >= 0);
    CHECK(view_file.close() >= 0);
  }
  CHECK(first_in(file) == 3);
  CHECK(set.close() >= 0);
  CHECK(again.close() >= 0);
  CHECK(twice.close() >= 0 || !reads_alone());
  CHECK(file.close() >= 0);
  // What was opened later reads what was flushed later.
  if (reads_alone()) {
    Id later(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
    CHECK(first_in(later) == 3);
    CHECK(later.close() >= 0);
    CHECK(alone.close() >= 0);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

/// The other way round.
CASE(who_reads_a_file_alone_keeps_nobody_from_writing_it) {
  const std::string path = par::file_name("reader");
  const Id access(par::mpio_access());
  {
    Id file = create(path, access);
    const Id set = dataset_in(file);
    CHECK(write_all(set, 1) >= 0);
  }
  Id alone;
  if (reads_alone()) alone = Id(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
  CHECK(!reads_alone() || first_in(alone) == 1);
  MPI_Barrier(MPI_COMM_WORLD);
  for (const unsigned flags : {H5F_ACC_RDWR, H5F_ACC_RDONLY}) {
    Id file(H5Fopen(path.c_str(), flags, access));
    CHECK(file.valid());
    Id again(H5Fopen(path.c_str(), flags, access));
    CHECK(again.valid());
    if (flags == H5F_ACC_RDWR) {
      const Id set(H5Dopen2(file, "x", H5P_DEFAULT));
      CHECK(write_all(set, 2) >= 0);
    }
    CHECK(first_in(again) == 2);
    CHECK(again.close() >= 0);
    CHECK(file.close() >= 0);
  }
  {
    Id file = create(path, access);
    Id set = dataset_in(file);
    CHECK(write_all(set, 4) >= 0);
    CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
    CHECK(!reads_alone() || alone.close() >= 0);
    CHECK(write_all(set, 5) >= 0);
    CHECK(set.close() >= 0);
    CHECK(file.close() >= 0);
  }
  const Id file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access));
  CHECK(first_in(file) == 5);
  MPI_Barrier(MPI_COMM_WORLD);
}

/// Links and virtual datasets lead on all ranks to what all have committed, not to what one rank, or each for a link, has opened
/// for reading before that.
CASE(links_lead_past_what_was_opened_before) {
  const std::string path = par::file_name("target"), other = par::file_name("other");
  const Id access(par::mpio_access());
  {
    const Id file = create(path, access);
    CHECK(Id(H5Gcreate2(file, "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)).valid());
  }
  Id links = create(other, access);
  const hsize_t dims[1] = {kCount};
  const Id space(H5Screate_simple(1, dims, nullptr)), list(H5Pcreate(H5P_DATASET_CREATE));
  CHECK(H5Pset_virtual(list, space, path.c_str(), "x", space) >= 0);
  CHECK(Id(H5Dcreate2(links, "v", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT)).valid());
  CHECK(H5Lcreate_external(path.c_str(), "/", links, "there", H5P_DEFAULT, H5P_DEFAULT) >= 0);
  CHECK(H5Fflush(links, H5F_SCOPE_GLOBAL) >= 0);
  Id held(H5Gopen2(links, "there/g", H5P_DEFAULT)), alone;
  CHECK(held.valid());
  if (reads_alone()) {
    alone = Id(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
    CHECK(alone.valid() && H5Lexists(alone, "x", H5P_DEFAULT) == 0);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  {
    Id file(H5Fopen(path.c_str(), H5F_ACC_RDWR, access));
    Id set = dataset_in(file);
    CHECK(write_all(set, 6) >= 0);
    CHECK(set.close() >= 0);
    CHECK(file.close() >= 0);
  }
  CHECK(H5Lexists(links, "there/x", H5P_DEFAULT) > 0);
  std::vector<int> values(kCount);
  const Id view(H5Dopen2(links, "v", H5P_DEFAULT));
  CHECK(H5Dread(view, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0);
  CHECK(values[0] == 6 && values[kCount - 1] == 6);
  CHECK(held.close() >= 0);
  CHECK(!reads_alone() || alone.close() >= 0);
}

/// What all ranks have opened for reading and forgotten to close stays behind when they write the file, or make it anew.
CASE(an_opening_that_was_forgotten_is_in_nobody_s_way) {
  const std::string path = par::file_name("forgotten");
  const Id access(par::mpio_access());
  {
    const Id file = create(path, access);
    CHECK(write_all(dataset_in(file), 1) >= 0);
  }
  const std::string other = par::file_name("leads");
  Id links = create(other, access);
  CHECK(H5Lcreate_external(path.c_str(), "/x", links, "there", H5P_DEFAULT, H5P_DEFAULT) >= 0);
  Id behind(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access)), alone;
  if (reads_alone()) alone = Id(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
  Id forgotten(H5Dopen2(behind, "x", H5P_DEFAULT));
  CHECK(forgotten.valid());
  {
    // Of a parallel file it keeps the file's id from going.
    const par::Silence silence;
    CHECK(H5Fclose(behind) < 0);
  }
  for (const bool anew : {false, true}) {
    Id file = anew ? create(path, access) : Id(H5Fopen(path.c_str(), H5F_ACC_RDWR, access));
    CHECK(file.valid());
    if (!anew) CHECK(H5Ldelete(file, "x", H5P_DEFAULT) >= 0);
    Id set = dataset_in(file);
    CHECK(write_all(set, anew ? 3 : 2) >= 0);
    CHECK(set.close() >= 0);
    CHECK(file.close() >= 0);
    // Who opens it from here on, by itself or by a link, has what was written.
    const int now = anew ? 3 : 2;
    CHECK(first_in(Id(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT))) == now);
    std::vector<int> values(kCount);
    const Id through(H5Dopen2(links, "there", H5P_DEFAULT));
    CHECK(H5Dread(through, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0);
    CHECK(values[0] == now);
    Id together(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access));
    CHECK(first_in(together) == now);
    CHECK(together.close() >= 0);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  CHECK(!reads_alone() || alone.close() >= 0);
  CHECK(forgotten.close() >= 0);
  CHECK(behind.close() >= 0);
  const Id file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access));
  CHECK(first_in(file) == 3);
}

/// As libhdf5 does: one that is opened for writing.
CASE(an_empty_file_becomes_a_new_one) {
  const std::string path = par::file_name("empty");
  if (par::rank() == 0) std::fclose(std::fopen(path.c_str(), "w"));
  MPI_Barrier(MPI_COMM_WORLD);
  const Id access(par::mpio_access());
  {
    const par::Silence silence;
    CHECK(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access) < 0);
  }
  {
    Id file(H5Fopen(path.c_str(), H5F_ACC_RDWR, access));
    CHECK(file.valid());
    // Anybody can open it from here on.
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(Id(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT)).valid());
    CHECK(write_all(dataset_in(file), 8) >= 0);
    CHECK(file.close() >= 0);
  }
  const Id file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access));
  CHECK(first_in(file) == 8);
}

/// Some of the ranks that have forgotten an opening write the file meanwhile: all find that when they open it again, and links lead
/// all of them to the same.
CASE(what_some_ranks_have_written_all_find) {
  const std::string path = par::file_name("some"), other = par::file_name("leads_to_some");
  const Id access(par::mpio_access());
  {
    const Id file = create(path, access);
    CHECK(write_all(dataset_in(file), 1) >= 0);
  }
  Id links = create(other, access);
  CHECK(H5Lcreate_external(path.c_str(), "/x", links, "there", H5P_DEFAULT, H5P_DEFAULT) >= 0);
  Id behind(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access));
  Id forgotten(H5Dopen2(behind, "x", H5P_DEFAULT));
  Id theirs;
  MPI_Comm some = MPI_COMM_NULL;
  const bool writes = par::rank() < par::size() - 1 || par::size() == 1;
  MPI_Comm_split(MPI_COMM_WORLD, writes ? 1 : 2, -par::rank(), &some);
  if (writes) {
    Id file(H5Fopen(path.c_str(), H5F_ACC_RDWR, Id(par::mpio_access(some))));
    CHECK(file.valid());
    CHECK(H5Ldelete(file, "x", H5P_DEFAULT) >= 0);
    CHECK(write_all(dataset_in(file), 2) >= 0);
    CHECK(file.close() >= 0);
    // For themselves; that is no opening for all.
    theirs = Id(H5Fopen(path.c_str(), H5F_ACC_RDONLY, Id(par::mpio_access(some))));
    CHECK(theirs.valid());
  }
  MPI_Barrier(MPI_COMM_WORLD);
  // Which of the two they lead to is the same on all ranks, so that nobody waits for others.
  const Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  std::vector<int> values(kCount);
  Id through(H5Dopen2(links, "there", H5P_DEFAULT));
  CHECK(H5Dread(through, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, list, values.data()) >= 0);
  CHECK(par::all(values[0] == 1) || par::all(values[0] == 2));
  CHECK(through.close() >= 0);
  // How the old one is to be closed is no concern of the new one's.
  const Id strong(par::mpio_access());
  // One rank has it open for itself, and so for all.
  const bool alone = par::size() == 1;
  CHECK(alone || H5Pset_fclose_degree(strong, H5F_CLOSE_STRONG) >= 0);
  Id again(H5Fopen(path.c_str(), H5F_ACC_RDONLY, strong));
  CHECK(first_in(again) == 2);
  if (!alone) {
    const par::Silence silence;
    CHECK(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access) < 0);
    CHECK(par::error_text().find("another close degree") != std::string::npos);
  }
  Id once_more(H5Fopen(path.c_str(), H5F_ACC_RDONLY, strong));
  CHECK(first_in(once_more) == 2);
  CHECK(once_more.close() >= 0);
  CHECK(again.close() >= 0);
  CHECK(theirs.close() >= 0 || !writes);
  CHECK(forgotten.close() >= 0);
  CHECK(behind.close() >= 0);
  MPI_Comm_free(&some);
}
