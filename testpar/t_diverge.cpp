// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// What a rank has open, or has read, changes nothing in the file; and a rank on which memory runs
// out in a metadata call, or which makes another call than the rest, is told by all.
// Room: testpar, public headers only.

#include <algorithm>
#include <cstdio>
#include <functional>
#include <hdf5.h>
#include <fstream>
#include <string>
#include <vector>

#include <mpi.h>

#include "faults/inject.hpp"
#include "support.hpp"

using par::Id;

namespace {

/// The ranks that do something for themselves: none, one of them, all but one.
struct Loners {
  const char* name;
  bool (*has)(int rank, int size);
};
const std::vector<Loners> kLoners = {
    {"none", [](int, int) { return false; }},
    {"the first", [](int rank, int) { return rank == 0; }},
    {"the last", [](int rank, int size) { return rank == size - 1; }},
    {"all but the first", [](int rank, int) { return rank > 0; }},
    {"all", [](int, int) { return true; }}};

bool is_alone(const Loners& who) { return who.has(par::rank(), par::size()); }

bool same(unsigned long long value) {
  unsigned long long low = value, high = value;
  MPI_Allreduce(MPI_IN_PLACE, &low, 1, MPI_UNSIGNED_LONG_LONG, MPI_MIN, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, &high, 1, MPI_UNSIGNED_LONG_LONG, MPI_MAX, MPI_COMM_WORLD);
  return low == high;
}

haddr_t address_of(hid_t object) {
  H5O_info_t info;
  return H5Oget_info(object, &info) < 0 ? HADDR_UNDEF : info.addr;
}

/// How the chunks of a dataset are found, and what the file has beside.
struct IndexCase {
  const char* name;
  H5F_libver_t low;
  hsize_t most;  // of both dimensions
  bool holes;    // free space in the file
};
const std::vector<IndexCase> kIndexes = {
    {"version 1 tree", H5F_LIBVER_EARLIEST, H5S_UNLIMITED, false},
    {"version 1 tree, holes", H5F_LIBVER_EARLIEST, H5S_UNLIMITED, true},
    {"version 2 tree", H5F_LIBVER_LATEST, H5S_UNLIMITED, true},
    {"fixed array", H5F_LIBVER_LATEST, 64, true}};

constexpr hsize_t kRows = 40, kColumns = 10, kAfter = 4096;

void make_holes(hid_t file) {
  const hsize_t n = 100000;
  const Id space(H5Screate_simple(1, &n, nullptr));
  Id pad(H5Dcreate2(file, "pad", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  pad.close();
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  CHECK(H5Ldelete(file, "pad", H5P_DEFAULT) >= 0);
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
}

/// /x takes the next free bytes; each rank writes its share of it.
void check_next(hid_t file, const std::string& what) {
  const hsize_t n = kAfter;
  const Id space(H5Screate_simple(1, &n, nullptr));
  const Id data(
      H5Dcreate2(file, "x", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  const bool alike = same(H5Dget_offset(data));
  if (!alike)
    std::fprintf(stderr, "rank %d, %s: /x at %lld\n", par::rank(), what.c_str(),
                 static_cast<long long>(H5Dget_offset(data)));
  CHECK(alike);
  const Id alone(par::transfer_list(H5FD_MPIO_INDEPENDENT));
  const hsize_t first = n * static_cast<hsize_t>(par::rank()) / static_cast<hsize_t>(par::size());
  const hsize_t last =
      n * static_cast<hsize_t>(par::rank() + 1) / static_cast<hsize_t>(par::size());
  const hsize_t count = last - first;
  std::vector<int> values(count);
  for (hsize_t i = 0; i < count; ++i) values[i] = static_cast<int>(first + i) + 1;
  const Id memory(H5Screate_simple(1, &count, nullptr));
  H5Sselect_hyperslab(space, H5S_SELECT_SET, &first, nullptr, &count, nullptr);
  CHECK(H5Dwrite(data, H5T_NATIVE_INT, memory, space, alone, values.data()) >= 0);
}

void read_next(const std::string& name) {
  const Id file(H5Fopen(name.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
  const Id data(H5Dopen2(file, "x", H5P_DEFAULT));
  std::vector<int> values(kAfter);
  CHECK(H5Dread(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0);
  hsize_t wrong = 0;
  for (hsize_t i = 0; i < kAfter; ++i) wrong += values[i] != static_cast<int>(i) + 1 ? 1 : 0;
  CHECK(wrong == 0);
}

/// Rank 0 selects `count` from (0, 0) on and all others nothing.
bool write_first(hid_t data, const hsize_t* count) {
  const Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  const Id space(H5Dget_space(data));
  const hsize_t start[2] = {0, 0};
  const Id memory(H5Screate_simple(2, count, nullptr));
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, count, nullptr);
  if (par::rank() != 0) {
    H5Sselect_none(space);
    H5Sselect_none(memory);
  }
  std::vector<int> values(count[0] * count[1], 4711);
  return H5Dwrite(data, H5T_NATIVE_INT, memory, space, list, values.data()) >= 0;
}

void play_extent(const IndexCase& index, const Loners& who) {
  const std::string what = std::string(index.name) + ", read again by " + who.name;
  const std::string name = par::file_name("diverge_extent");
  const Id access(par::mpio_access(MPI_COMM_WORLD, index.low));
  Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
  if (index.holes) make_holes(file);
  hsize_t dims[2] = {kRows, kColumns};
  const hsize_t most[2] = {index.most, index.most}, chunk[2] = {1, 1};
  const Id create(H5Pcreate(H5P_DATASET_CREATE));
  H5Pset_chunk(create, 2, chunk);
  H5Pset_deflate(create, 1);
  const Id space(H5Screate_simple(2, dims, most));
  Id data(H5Dcreate2(file, "d", H5T_NATIVE_INT, space, H5P_DEFAULT, create, H5P_DEFAULT));
  CHECK(write_first(data, dims));
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  // Another dimension than the first, and no chunk comes or goes.
  ++dims[1];
  CHECK(H5Dset_extent(data, dims) >= 0);
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  if (is_alone(who)) {
    data.close();
    data = Id(H5Dopen2(file, "d", H5P_DEFAULT));
  }
  const hsize_t one[2] = {1, 1};
  CHECK(write_first(data, one));
  const bool flushed = H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0;
  if (!flushed) std::fprintf(stderr, "%s: %s\n", what.c_str(), par::error_text().c_str());
  CHECK(flushed);
  data.close();
  check_next(file, what);
  CHECK(file.close() >= 0);
  MPI_Barrier(MPI_COMM_WORLD);
  read_next(name);
}

/// Sizes of a file's fields, in bytes.
struct SizesCase {
  std::size_t offsets, lengths;
};

void play_group(const SizesCase& sizes, const Loners& who) {
  const std::string name = par::file_name("diverge_group");
  const Id access(par::mpio_access());
  const Id create(H5Pcreate(H5P_FILE_CREATE));
  H5Pset_sizes(create, sizes.offsets, sizes.lengths);
  Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, create, access));
  CHECK(file.valid());
  Id group(H5Gcreate2(file, "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  Id(H5Gcreate2(group, "a", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)).close();
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  if (is_alone(who)) {
    group.close();
    group = Id(H5Gopen2(file, "g", H5P_DEFAULT));
  }
  CHECK(H5Lcreate_soft("a", group, "s", H5P_DEFAULT, H5P_DEFAULT) >= 0);
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  for (int i = 0; i < 3; ++i) {
    const Id more(
        H5Gcreate2(file, ("n" + std::to_string(i)).c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    CHECK(same(address_of(more)));
  }
  group.close();
  CHECK(file.close() >= 0);
}

/// A group with many links, which commits change in place: some ranks close and open it in between.
void play_links(const SizesCase& sizes, const Loners& who) {
  const std::string name = par::file_name("diverge_links");
  const Id access(par::mpio_access());
  const Id create(H5Pcreate(H5P_FILE_CREATE));
  H5Pset_sizes(create, sizes.offsets, sizes.lengths);
  H5Pset_sym_k(create, 2, 1);
  Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, create, access));
  CHECK(file.valid());
  Id group(H5Gcreate2(file, "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  auto link = [](int i) { return "link" + std::to_string(i * 7919 % 1000); };
  for (int i = 0; i < 200; ++i) {
    CHECK(H5Lcreate_soft("a", group, link(i).c_str(), H5P_DEFAULT, H5P_DEFAULT) >= 0);
    if (i >= 100 && i % 3 == 0) CHECK(H5Ldelete(group, link(i - 99).c_str(), H5P_DEFAULT) >= 0);
    if (i < 70 || i % 4 != 0) continue;
    CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
    if (is_alone(who)) {
      group.close();
      group = Id(H5Gopen2(file, "g", H5P_DEFAULT));
    }
    const Id more(
        H5Gcreate2(file, ("n" + std::to_string(i)).c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    CHECK(same(address_of(more)));
  }
  group.close();
  CHECK(file.close() >= 0);
}

/// A removal that fails on all ranks alike leaves nothing behind on those that have the group open.
void play_failed_removal(const Loners& who) {
  const std::string name = par::file_name("diverge_removal");
  const Id access(par::mpio_access());
  Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
  Id group(H5Gcreate2(file, "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  Id bad(H5Gcreate2(group, "bad", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  const haddr_t spoilt = address_of(bad);
  bad.close();
  for (int i = 0; i < 100; ++i)
    CHECK(H5Lcreate_soft("a", group, ("s" + std::to_string(i)).c_str(), H5P_DEFAULT, H5P_DEFAULT) >=
          0);
  group.close();
  CHECK(file.close() >= 0);
  if (par::rank() == 0) {
    std::fstream bytes(name, std::ios::in | std::ios::out | std::ios::binary);
    bytes.seekp(static_cast<std::streamoff>(spoilt));
    bytes.write("spoilt..", 8);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  file = Id(H5Fopen(name.c_str(), H5F_ACC_RDWR, access));
  CHECK(file.valid());
  for (int i = 0; i < 6; ++i) {
    if (is_alone(who)) group = Id(H5Gopen2(file, "g", H5P_DEFAULT));
    {
      const par::Silence silence;
      CHECK(i < 3 || H5Ldelete(file, "g/bad", H5P_DEFAULT) < 0);
    }
    CHECK(H5Lcreate_soft("a", file, ("g/t" + std::to_string(i)).c_str(), H5P_DEFAULT,
                         H5P_DEFAULT) >= 0);
    CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
    if (is_alone(who)) group.close();
    const Id more(
        H5Gcreate2(file, ("n" + std::to_string(i)).c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    CHECK(same(address_of(more)));
  }
  CHECK(file.close() >= 0);
}

/// A file with /kept, which was flushed, and something to change.
struct Scene {
  std::string name = par::file_name("diverge_scene");
  Id access{par::mpio_access()};
  Id file, group, data;

  Scene() {
    file = Id(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
    const hsize_t dims[2] = {6, 6}, most[2] = {H5S_UNLIMITED, 6}, chunk[2] = {2, 3};
    const Id create(H5Pcreate(H5P_DATASET_CREATE));
    H5Pset_chunk(create, 2, chunk);
    const Id space(H5Screate_simple(2, dims, most));
    group = Id(H5Gcreate2(file, "kept", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    data = Id(H5Dcreate2(group, "data", H5T_NATIVE_INT, space, H5P_DEFAULT, create, H5P_DEFAULT));
    const Id scalar(H5Screate(H5S_SCALAR));
    const Id note(H5Acreate2(data, "note", H5T_NATIVE_INT, scalar, H5P_DEFAULT, H5P_DEFAULT));
    const int value = 5;
    CHECK(H5Awrite(note, H5T_NATIVE_INT, &value) >= 0);
    CHECK(write_first(data, dims));
    CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  }
  bool close() {
    data.close();
    group.close();
    const bool closed = file.close() >= 0;
    CHECK(par::all(closed) || !par::any(closed));
    MPI_Barrier(MPI_COMM_WORLD);
    return closed;
  }
  /// What was flushed is there, whatever became of the rest.
  void check_kept() {
    CHECK(!close());
    const Id again(H5Fopen(name.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
    CHECK(again.valid());
    const Id read(H5Dopen2(again, "kept/data", H5P_DEFAULT));
    std::vector<int> values(36, 0);
    const bool all =
        H5Dread(read, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0;
    CHECK(all && std::count(values.begin(), values.end(), 4711) == 36);
    CHECK(H5Aexists(read, "note") > 0);
    MPI_Barrier(MPI_COMM_WORLD);
  }
};

struct MetadataCall {
  const char* function;
  std::function<bool(Scene&)> make;
};

constexpr const char* kLongName = "a_name_that_is_longer_than_what_a_text_holds_within_itself";

bool is_made(hid_t id) {
  Id held(id);
  return held.valid();
}

const std::vector<MetadataCall> kCalls = {
    {"H5Gcreate2",
     [](Scene& s) {
       return is_made(H5Gcreate2(s.file, kLongName, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
     }},
    {"H5Dcreate2",
     [](Scene& s) {
       const hsize_t n = 50;
       const Id space(H5Screate_simple(1, &n, nullptr));
       return is_made(H5Dcreate2(s.group, kLongName, H5T_NATIVE_INT, space, H5P_DEFAULT,
                                 H5P_DEFAULT, H5P_DEFAULT));
     }},
    {"H5Acreate2",
     [](Scene& s) {
       const Id space(H5Screate(H5S_SCALAR));
       return is_made(
           H5Acreate2(s.data, kLongName, H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT));
     }},
    {"H5Adelete", [](Scene& s) { return H5Adelete(s.data, "note") >= 0; }},
    {"H5Arename", [](Scene& s) { return H5Arename(s.data, "note", kLongName) >= 0; }},
    {"H5Lcreate_soft",
     [](Scene& s) {
       return H5Lcreate_soft(kLongName, s.group, "soft", H5P_DEFAULT, H5P_DEFAULT) >= 0;
     }},
    {"H5Lcreate_hard",
     [](Scene& s) {
       return H5Lcreate_hard(s.data, ".", s.group, kLongName, H5P_DEFAULT, H5P_DEFAULT) >= 0;
     }},
    {"H5Lmove",
     [](Scene& s) {
       return H5Lmove(s.group, "data", s.file, kLongName, H5P_DEFAULT, H5P_DEFAULT) >= 0;
     }},
    {"H5Ldelete", [](Scene& s) { return H5Ldelete(s.group, "data", H5P_DEFAULT) >= 0; }},
    {"H5Dset_extent",
     [](Scene& s) {
       // Longer only: what is cut off would be overwritten by all ranks together.
       const hsize_t dims[2] = {11, 6};
       return H5Dset_extent(s.data, dims) >= 0;
     }},
    {"H5Tcommit2", [](Scene& s) {
       const Id type(H5Tcopy(H5T_NATIVE_INT));
       return H5Tcommit2(s.file, kLongName, type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT) >= 0;
     }}};

/// The last rank's nth allocation of the call fails. False where the call makes fewer.
bool play_no_memory(const MetadataCall& call, unsigned nth) {
  Scene scene;
  if (par::rank() == par::size() - 1) inject::arm(inject::Fault::kNoBlock, nth, scene.name);
  const bool made = call.make(scene);
  const bool struck = par::any(inject::disarm());
  bool flushed = true;
  if (struck) {
    const bool failed = par::any(!made);
    flushed = H5Fflush(scene.file, H5F_SCOPE_GLOBAL) >= 0;
    const std::string text = flushed ? std::string() : par::error_text();
    // Where the call bore it nobody need know; else all do, but for one who is all ranks.
    const bool right = par::size() == 1 || (failed ? !par::any(flushed) : par::all(flushed));
    if (!right)
      std::fprintf(stderr, "rank %d: %s, allocation %u: the call %s here, flush %s: %s\n",
                   par::rank(), call.function, nth, made ? "succeeded" : "failed",
                   flushed ? "ok" : "failed", text.c_str());
    CHECK(right);
    const bool named = flushed || text.find(call.function) != std::string::npos;
    if (!named) std::fprintf(stderr, "rank %d: %s: %s\n", par::rank(), call.function, text.c_str());
    CHECK(named);
  }
  if (flushed)
    CHECK(scene.close());
  else
    scene.check_kept();
  return struck;
}

}  // namespace

CASE(a_dataset_that_is_read_again_changes_nothing) {
  for (const IndexCase& index : kIndexes)
    for (const Loners& who : kLoners) play_extent(index, who);
}

CASE(a_group_that_is_read_again_changes_nothing) {
  for (const SizesCase& sizes :
       {SizesCase{4, 4}, SizesCase{8, 4}, SizesCase{4, 8}, SizesCase{8, 8}})
    for (const Loners& who : kLoners) {
      play_group(sizes, who);
      play_links(sizes, who);
    }
}

CASE(a_removal_that_fails_changes_nothing) {
  for (const Loners& who : kLoners) play_failed_removal(who);
}

CASE(no_memory_in_a_metadata_call_is_told_by_all) {
  const par::Silence silence;
  for (const MetadataCall& call : kCalls) {
    unsigned struck = 0;
    for (unsigned nth = 0; play_no_memory(call, nth); nth += 1 + nth / 3) ++struck;
    CHECK(struck > 2);
  }
}

/// Names that differ are found at the next flush: the file can only be closed, and what was flushed
/// before stays.
CASE(after_names_that_differ_what_was_flushed_is_there) {
  if (par::size() == 1) return;
  const par::Silence silence;
  Scene scene;
  Id(H5Gcreate2(scene.file, "before", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)).close();
  const std::string mine = par::rank() == par::size() - 1 ? "other" : "name";
  Id(H5Gcreate2(scene.file, mine.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)).close();
  Id(H5Gcreate2(scene.file, "behind", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)).close();
  CHECK(H5Fflush(scene.file, H5F_SCOPE_GLOBAL) < 0);
  const std::string text = par::error_text();
  const bool named = text.find("H5Gcreate2 on /name on rank 0") != std::string::npos &&
                     text.find("H5Gcreate2 on /other on rank " + std::to_string(par::size() - 1)) !=
                         std::string::npos;
  if (!named) std::fprintf(stderr, "%s\n", text.c_str());
  CHECK(named);
  // Nothing is done to the file any more, and nobody waits for anybody.
  CHECK(H5Gcreate2(scene.file, "late", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT) < 0);
  const hsize_t all[2] = {6, 6};
  CHECK(!write_first(scene.data, all));
  CHECK(H5Fflush(scene.file, H5F_SCOPE_GLOBAL) < 0);
  scene.check_kept();
}
