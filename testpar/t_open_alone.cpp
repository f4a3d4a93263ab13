// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Files that each rank opens by itself, as on file systems of one machine: whichever rank is first, and whichever one MPI
// refuses. MPI's profiling interface holds ranks back and refuses. Room: testpar, public headers only.

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <dirent.h>
#include <fcntl.h>
#include <hdf5.h>
#include <string>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>
#include <vector>

#include <mpi.h>

#include "support.hpp"

#ifdef PCIO_VERSION

using par::Id;

namespace {

int refused = -1;  ///< whom MPI_File_open refuses
int first = -1;    ///< the others are held back once a file's communicator is there
int ranks_of_open = 0;
int opened = 0, closed = 0;
bool another_writes = false;  ///< what rank 0 opens another program has just locked
int lock_of_another = -1;

void lock_for_another(const char* path) {
  lock_of_another = ::open(path, O_RDWR);
  struct flock whole {};
  whole.l_type = F_WRLCK;
  whole.l_whence = SEEK_SET;
  fcntl(lock_of_another, F_OFD_SETLK, &whole);
}

constexpr hsize_t kEach = 100;

std::string folder_of(const std::string& path) { return path.substr(0, path.find_last_of('/')); }

/// Where ranks open files alone: a file system of one machine, and Open MPI.
bool alone_at(const std::string& path) {
  char version[MPI_MAX_LIBRARY_VERSION_STRING] = {};
  int length = 0;
  MPI_Get_library_version(version, &length);
  struct statfs info {};
  const std::string folder = folder_of(path);
  if (statfs(folder.c_str(), &info) != 0) return false;
  constexpr std::array<unsigned long, 5> kKnown = {0x01021994, 0xef53, 0x58465342, 0x9123683e,
                                                   0x794c7630};
  const auto number = static_cast<unsigned long>(info.f_type) & 0xffffffffUL;
  return std::string(version).find("Open MPI") != std::string::npos &&
         std::find(kKnown.begin(), kKnown.end(), number) != kKnown.end();
}

std::string why;  ///< of the last create

Id create(const std::string& path, unsigned flags = H5F_ACC_TRUNC) {
  const Id access(par::mpio_access());
  Id file(H5Fcreate(path.c_str(), flags, H5P_DEFAULT, access));
  why = file.valid() ? std::string() : par::error_text();
  return file;
}

/// Ranks of which each plays a part.
std::vector<int> some_ranks() {
  std::vector<int> some = {0, par::size() / 2, par::size() - 1};
  some.erase(std::unique(some.begin(), some.end()), some.end());
  return some;
}

Id open(const std::string& path, unsigned flags) {
  const Id access(par::mpio_access());
  return Id(H5Fopen(path.c_str(), flags, access));
}

/// Each rank's part of /x, which is made where it is to be written.
herr_t move(hid_t file, bool writes, int value, std::vector<int>* values) {
  const hsize_t each = kEach, all = kEach * static_cast<hsize_t>(par::size());
  // What is read another rank has written.
  const int part = (par::rank() + (writes ? 0 : 1)) % par::size();
  const hsize_t start = kEach * static_cast<hsize_t>(part);
  const Id space(H5Screate_simple(1, &all, nullptr)), memory(H5Screate_simple(1, &each, nullptr));
  const Id set(
      writes ? H5Dcreate2(file, "x", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)
             : H5Dopen2(file, "x", H5P_DEFAULT));
  const Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &each, nullptr);
  if (!writes) return H5Dread(set, H5T_NATIVE_INT, memory, space, list, values->data());
  values->assign(kEach, value + part);
  return H5Dwrite(set, H5T_NATIVE_INT, memory, space, list, values->data());
}

bool writes_all(hid_t file, int value) {
  std::vector<int> values(kEach);
  return move(file, true, value, &values) >= 0;
}

/// The file is opened by all and has what was written.
bool has_all(const std::string& path, int value) {
  const Id file(open(path, H5F_ACC_RDONLY));
  std::vector<int> values(kEach, -1);
  if (!par::all(file.valid()) || !par::all(move(file, false, value, &values) >= 0)) return false;
  const int next = value + (par::rank() + 1) % par::size();
  return par::all(std::count(values.begin(), values.end(), next) == kEach);
}

bool is_there(const std::string& path) {
  // Nobody goes on to the next step before all have looked.
  struct stat info {};
  const bool there = stat(path.c_str(), &info) == 0;
  MPI_Barrier(MPI_COMM_WORLD);
  return there;
}

int ranks_of_handle(hid_t file) {
  void* handle = nullptr;
  MPI_Group group = MPI_GROUP_NULL;
  int ranks = 0;
  if (H5Fget_vfd_handle(file, H5P_DEFAULT, &handle) < 0) return 0;
  MPI_File_get_group(*static_cast<MPI_File*>(handle), &group);
  MPI_Group_size(group, &ranks);
  MPI_Group_free(&group);
  return ranks;
}

}  // namespace

extern "C" int MPI_File_open(MPI_Comm comm, const char* path, int mode, MPI_Info info,
                             MPI_File* file) {
  PMPI_Comm_size(comm, &ranks_of_open);
  // With the others' call that would be one which they wait in.
  if (another_writes && par::rank() == 0) lock_for_another(path);
  if (par::rank() == refused && ranks_of_open == 1) return MPI_ERR_NO_SPACE;
  const int done = PMPI_File_open(comm, path, mode, info, file);
  opened += done == MPI_SUCCESS ? 1 : 0;
  return done;
}
extern "C" int MPI_File_close(MPI_File* file) {
  ++closed;
  return PMPI_File_close(file);
}
/// A file's communicator is there: what comes next is its opening.
extern "C" int MPI_Comm_idup(MPI_Comm comm, MPI_Comm* copy, MPI_Request* request) {
  const int done = PMPI_Comm_idup(comm, copy, request);
  if (first < 0 || done != MPI_SUCCESS) return done;
  PMPI_Wait(request, MPI_STATUS_IGNORE);
  if (par::rank() != first) usleep(20'000);
  return done;
}

namespace {

CASE(handles_are_of_one_rank) {
  const std::string path = par::file_name("handles");
  const bool alone = alone_at(path);
  if (!alone && par::rank() == 0) std::printf("SKIP: not a file system of one machine\n");
  const int expected = alone ? 1 : par::size();
  {
    const Id file(create(path));
    CHECK(file.valid());
    CHECK(ranks_of_handle(file) == expected);
    CHECK(writes_all(file, 10));
  }
  CHECK(has_all(path, 10));
  {
    const Id file(open(path, H5F_ACC_RDWR));
    CHECK(ranks_of_handle(file) == expected);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (par::rank() == 0) unlink(path.c_str());
  MPI_Barrier(MPI_COMM_WORLD);
  {
    // One rank is asked whether there is such a file.
    const Id file(create(path, H5F_ACC_EXCL));
    CHECK(file.valid());
    CHECK(ranks_of_handle(file) == par::size());
    CHECK(writes_all(file, 20));
  }
  CHECK(has_all(path, 20));
  CHECK(opened == closed);
}

/// Whoever comes first makes a new file, and whoever is refused: it goes again, or is as it was.
CASE(refused_on_one_rank) {
  const std::string path = par::file_name("refused");
  if (!alone_at(path)) return;
  const par::Silence quiet;
  for (const int leads : some_ranks())
    for (const int fails : some_ranks()) {
      if (par::rank() == 0) unlink(path.c_str());
      MPI_Barrier(MPI_COMM_WORLD);
      first = leads;
      refused = fails;
      {
        const Id file(create(path));
        CHECK(!file.valid());
        const std::string who = par::rank() == fails ? "no space" : "rank " + std::to_string(fails);
        CHECK(why.find(who) != std::string::npos);
        if (why.find(who) == std::string::npos) std::fprintf(stderr, "%s\n", why.c_str());
      }
      CHECK(!is_there(path));
      refused = -1;
      {
        const Id file(create(path));
        CHECK(file.valid());
        CHECK(writes_all(file, 100 * leads + fails));
      }
      refused = fails;
      CHECK(!create(path).valid());
      CHECK(!open(path, H5F_ACC_RDWR).valid());
      CHECK(!open(path, H5F_ACC_RDONLY).valid());
      refused = first = -1;
      CHECK(has_all(path, 100 * leads + fails));
    }
  CHECK(opened == closed);
}

/// What one rank has made another program writes by then, as rank 0 finds, or whoever has made it where rank 0 doesn't come so
/// far: it stays.
CASE(another_program_writes_it) {
  const std::string path = par::file_name("another");
  if (!alone_at(path)) return;
  const par::Silence quiet;
  for (const int leads : some_ranks())
    for (const int fails : {-1, 0}) {
      if (par::rank() == 0) unlink(path.c_str());
      MPI_Barrier(MPI_COMM_WORLD);
      first = leads;
      refused = fails;
      another_writes = true;
      CHECK(!create(path).valid());
      first = refused = -1;
      another_writes = false;
      CHECK(is_there(path));
      if (lock_of_another >= 0) ::close(lock_of_another);
      lock_of_another = -1;
      MPI_Barrier(MPI_COMM_WORLD);
      const Id file(create(path));
      CHECK(writes_all(file, leads));
    }
}

/// What MPI puts beside a file while it opens it, under names that are the same for each rank, is gone.
CASE(nothing_is_left_beside_it) {
  const std::string path = par::file_name("beside");
  for (int round = 0; round < 20; ++round) {
    const Id file(create(path));
    CHECK(file.valid());
    CHECK(writes_all(file, round));
    const Id again(open(path, H5F_ACC_RDWR));
    CHECK(again.valid());
  }
  CHECK(has_all(path, 19));
  MPI_Barrier(MPI_COMM_WORLD);
  const std::string name = path.substr(path.find_last_of('/') + 1);
  DIR* const folder = opendir(folder_of(path).c_str());
  CHECK(folder != nullptr);
  if (folder == nullptr) return;
  while (const dirent* const entry = readdir(folder)) {
    const std::string found = entry->d_name;
    if (found != name && found.find(name) == 0) {
      std::fprintf(stderr, "%s is left\n", found.c_str());
      CHECK(false);
    }
  }
  closedir(folder);
}

}  // namespace

#endif  // PCIO_VERSION
