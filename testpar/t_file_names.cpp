// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Names of files: those that MPI-IO can't have, and what a refused H5Fcreate leaves under a name.
// Room: testpar, public headers only.

#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <new>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>
#include <vector>

#include "support.hpp"

#ifdef PCIO_VERSION
#include <pcio.h>

using par::Id;

namespace {

constexpr int kCount = 1000;

std::string folder_of(const std::string& path) { return path.substr(0, path.rfind('/')); }
std::string name_of(const std::string& path) { return path.substr(path.rfind('/') + 1); }

/// Rank 0 makes what the others see then.
template <class Make>
void on_rank_0(Make make) {
  if (par::rank() == 0) make();
  MPI_Barrier(MPI_COMM_WORLD);
}

/// Folders in folders below `folder`, until a name has `bytes` bytes: from the lowest one up.
std::vector<std::string> deep_folders(std::string folder, std::size_t bytes) {
  std::vector<std::string> all;
  while (folder.size() < bytes) {
    folder += "/" + std::string(std::min<std::size_t>(100, bytes - folder.size()), 'd');
    all.insert(all.begin(), folder);
  }
  return all;
}

void make_folders(const std::vector<std::string>& folders) {
  on_rank_0([&] {
    for (auto it = folders.rbegin(); it != folders.rend(); ++it) mkdir(it->c_str(), 0777);
  });
}

void remove_folders(const std::vector<std::string>& folders) {
  MPI_Barrier(MPI_COMM_WORLD);
  on_rank_0([&] {
    for (const std::string& folder : folders) CHECK(rmdir(folder.c_str()) == 0);
  });
}

/// Makes a file of that name, writes it also by the handle of views, opens it again and reads it back.
void use_file(const std::string& name, hid_t access) {
  const hsize_t dims[1] = {kCount}, start[1] = {0}, stride[1] = {2}, count[1] = {kCount / 2};
  const Id space(H5Screate_simple(1, dims, nullptr)), memory(H5Screate_simple(1, count, nullptr));
  Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
  CHECK(file.valid());
  Id set(H5Dcreate2(file, "x", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  const Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  CHECK(H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, list, std::vector<int>(kCount, 7).data()) >=
        0);
  pcio_set_dxpl_transport(list, PCIO_TRANSPORT_VIEW);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, stride, count, nullptr);
  if (par::rank() != 0) {
    H5Sselect_none(space);
    H5Sselect_none(memory);
  }
  CHECK(H5Dwrite(set, H5T_NATIVE_INT, memory, space, list,
                 std::vector<int>(kCount / 2, 8).data()) >= 0);
  CHECK(set.close() >= 0);
  CHECK(file.close() >= 0);

  file = Id(H5Fopen(name.c_str(), H5F_ACC_RDONLY, access));
  CHECK(file.valid());
  set = Id(H5Dopen2(file, "x", H5P_DEFAULT));
  std::vector<int> values(kCount);
  CHECK(H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0);
  CHECK(values[0] == 8 && values[1] == 7);
  CHECK(set.close() >= 0);
  CHECK(file.close() >= 0);
}

}  // namespace

namespace {

/// Of operator new, until one fails; negative: none does.
long allocations_left = -1;

}  // namespace

void* operator new(std::size_t bytes) {
  void* const made = allocations_left == 0 ? nullptr : std::malloc(bytes == 0 ? 1 : bytes);
  if (allocations_left >= 0) --allocations_left;
  if (made == nullptr) throw std::bad_alloc();
  return made;
}
void operator delete(void* made) noexcept { std::free(made); }
void operator delete(void* made, std::size_t) noexcept { std::free(made); }

/// Each allocation in turn fails, also in the first call that does in this program.
CASE(a_create_without_memory_leaves_no_file) {
  const std::string path = par::file_name("memory");
  on_rank_0([&] {
    long refused = 0;
    for (bool lacked = true; lacked && refused < 10000; ++refused) {
      const par::Silence silence;
      allocations_left = refused;
      Id file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
      lacked = std::exchange(allocations_left, -1) < 0;
      CHECK(file.valid() == (::access(path.c_str(), F_OK) == 0));
      CHECK(file.valid() || lacked);
      CHECK(file.close() >= 0 || lacked);
      unlink(path.c_str());
    }
    CHECK(refused > 50);
  });
}

/// Open MPI's MPI-IO ended the program.
CASE(a_name_of_many_bytes) {
  const std::string path = par::file_name("long");
  const std::vector<std::string> folders = deep_folders(folder_of(path), 600);
  make_folders(folders);
  const Id access(par::mpio_access());
  const std::string name = folders.front() + "/" + name_of(path);
  use_file(name, access);
  {
    const par::Silence silence;
    CHECK(!Id(H5Fcreate(name.c_str(), H5F_ACC_EXCL, H5P_DEFAULT, access)).valid());
    CHECK(par::error_text().find("File exists") != std::string::npos);
    CHECK(!Id(H5Fopen((folders.front() + "/none").c_str(), H5F_ACC_RDWR, access)).valid());
    CHECK(par::error_text().find("No such file") != std::string::npos);
    CHECK(!Id(H5Fcreate((folders.front() + "/none/x").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access))
               .valid());
    CHECK(par::error_text().find("No such file") != std::string::npos);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  on_rank_0([&] { CHECK(unlink(name.c_str()) == 0); });
  remove_folders(folders);
}

CASE(a_name_that_the_system_does_not_take) {
  const Id access(par::mpio_access());
  const std::string name = "/tmp/" + std::string(5000, 'n'), part = "/tmp/" + std::string(300, 'n');
  for (const std::string& one : {name, part}) {
    const par::Silence silence;
    CHECK(!Id(H5Fcreate(one.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access)).valid());
    CHECK(par::error_text().find("name too long") != std::string::npos);
    CHECK(!Id(H5Fopen(one.c_str(), H5F_ACC_RDONLY, access)).valid());
    CHECK(par::error_text().find("name too long") != std::string::npos);
  }
}

/// The handle of views is opened by a name from the root on.
CASE(a_short_name_in_a_working_directory_of_many_bytes) {
  const std::string path = par::file_name("short");
  const std::vector<std::string> folders = deep_folders(folder_of(path), 600);
  char before[4096];
  CHECK(getcwd(before, sizeof before) != nullptr);
  make_folders(folders);
  const Id access(par::mpio_access());
  CHECK(chdir(folders.front().c_str()) == 0);
  use_file("x.h5", access);
  MPI_Barrier(MPI_COMM_WORLD);
  on_rank_0([&] { CHECK(unlink("x.h5") == 0); });
  CHECK(chdir(before) == 0);
  remove_folders(folders);
}

/// No name by way of the folder is short enough.
CASE(a_name_whose_last_part_has_many_bytes) {
  const std::string path = par::file_name("last");
  const std::string last(250, 'n');
  const std::vector<std::string> folders = deep_folders(folder_of(path), 600);
  make_folders(folders);
  const Id access(par::mpio_access());
  for (const std::string& folder : {folders.front(), folder_of(path)}) {
    const par::Silence silence;
    const std::string name = folder + "/" + last;
    CHECK(!Id(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access)).valid());
    const std::string text = par::error_text();
#ifdef OPEN_MPI
    CHECK(text.find("argument filename") != std::string::npos);
    CHECK(text.find("shorter name") != std::string::npos);
#endif
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(::access(name.c_str(), F_OK) != 0);
    MPI_Barrier(MPI_COMM_WORLD);
    on_rank_0([&] { std::ofstream(name) << "no file of HDF5"; });
    CHECK(!Id(H5Fopen(name.c_str(), H5F_ACC_RDWR, access)).valid());
    MPI_Barrier(MPI_COMM_WORLD);
    on_rank_0([&] { CHECK(unlink(name.c_str()) == 0); });
  }
  // Without MPI-IO any name will do.
  const Id posix(H5Pcreate(H5P_FILE_ACCESS));
  CHECK(H5Pset_fapl_mpiposix(posix, MPI_COMM_WORLD, false) >= 0);
  const std::string name = folders.front() + "/" + last;
  use_file(name, posix);
  MPI_Barrier(MPI_COMM_WORLD);
  on_rank_0([&] { CHECK(unlink(name.c_str()) == 0); });
  remove_folders(folders);
}

namespace {

/// Two indexes for the same messages: what is wrong with it is found when the file is there.
Id refused_list() {
  Id list(H5Pcreate(H5P_FILE_CREATE));
  H5Pset_shared_mesg_nindexes(list, 2);
  H5Pset_shared_mesg_index(list, 0, H5O_SHMESG_DTYPE_FLAG, 50);
  H5Pset_shared_mesg_index(list, 1, H5O_SHMESG_DTYPE_FLAG, 50);
  return list;
}

/// On the last rank another one than on the others.
Id differing_list() {
  Id list(H5Pcreate(H5P_FILE_CREATE));
  if (par::rank() == par::size() - 1) H5Pset_userblock(list, 512);
  return list;
}

std::string bytes_of(const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void refuse_create(const std::string& name, hid_t create, hid_t access) {
  for (const unsigned flags : {H5F_ACC_TRUNC, H5F_ACC_EXCL}) {
    const par::Silence silence;
    CHECK(!Id(H5Fcreate(name.c_str(), flags, create, access)).valid());
    // Who comes back may look at once.
    CHECK(::access(name.c_str(), F_OK) != 0);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  on_rank_0([&] { std::ofstream(name) << "what was there"; });
  {
    const par::Silence silence;
    CHECK(!Id(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, create, access)).valid());
    CHECK(bytes_of(name) == "what was there");
  }
  // Nothing keeps it from being made.
  MPI_Barrier(MPI_COMM_WORLD);
  Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
  CHECK(file.close() >= 0);
  CHECK(H5Fis_hdf5(name.c_str()) > 0);
  MPI_Barrier(MPI_COMM_WORLD);
  on_rank_0([&] { CHECK(unlink(name.c_str()) == 0); });
}

}  // namespace

CASE(a_refused_create_leaves_what_was_there) {
  const Id mpio(par::mpio_access()), posix(H5Pcreate(H5P_FILE_ACCESS));
  CHECK(H5Pset_fapl_mpiposix(posix, MPI_COMM_WORLD, false) >= 0);
  const std::string path = par::file_name("refused");
  const Id refused = refused_list(), differing = differing_list();
  for (const hid_t access : {hid_t{mpio}, hid_t{posix}}) {
    refuse_create(path, refused, access);
    if (par::size() > 1) refuse_create(path, differing, access);
  }
}

/// A link has its name before the call, and so has what it leads to, be it there or not.
CASE(a_refused_create_removes_no_link) {
  const Id access(par::mpio_access());
  const std::string path = par::file_name("link"), target = path + ".target";
  const Id refused = refused_list();
  on_rank_0([&] { CHECK(symlink(target.c_str(), path.c_str()) == 0); });
  {
    const par::Silence silence;
    CHECK(!Id(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, refused, access)).valid());
  }
  MPI_Barrier(MPI_COMM_WORLD);
  struct stat info {};
  CHECK(lstat(path.c_str(), &info) == 0 && S_ISLNK(info.st_mode));
  MPI_Barrier(MPI_COMM_WORLD);
  on_rank_0([&] {
    unlink(path.c_str());
    unlink(target.c_str());
  });
}

namespace {

bool plays_lustre = false, is_noting = false, was_there_before_mpi = false;

}  // namespace

extern "C" {
int statfs(const char* path, struct statfs* info) {
  const long done = syscall(SYS_statfs, path, info);
  if (done == 0 && plays_lustre) info->f_type = 0x0bd00bd0;
  return static_cast<int>(done);
}
int MPI_File_open(MPI_Comm comm, const char* name, int mode, MPI_Info info, MPI_File* made) {
  if (is_noting) was_there_before_mpi = ::access(name, F_OK) == 0;
  return PMPI_File_open(comm, name, mode, info, made);
}
}

/// Stripes are given to a file when it is made: one that MPI-IO does not make has not those of the hints.
CASE(a_new_file_of_a_parallel_file_system_is_made_by_mpi_io) {
  const Id access(par::mpio_access());
  for (const bool lustre : {false, true}) {
    const std::string path = par::file_name(lustre ? "stripes" : "plain");
    plays_lustre = lustre;
    is_noting = par::rank() == 0;
    Id file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
    is_noting = false;
    CHECK(file.valid());
    // Elsewhere the library makes it, to know that it was new; and so this test sees what it is to see.
    if (par::rank() == 0) CHECK(was_there_before_mpi == !lustre);
    CHECK(file.close() >= 0);
    plays_lustre = false;
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

namespace {

/// With PCIO_TWO_DISKS=FOLDER, FOLDER/a and FOLDER/b are new file systems, and FOLDER/again is that of FOLDER/a once more. The
/// last rank goes to `there`, the others to FOLDER/a; false without such.
bool go_apart(const char* there) {
  const char* const folder = std::getenv("PCIO_TWO_DISKS");
  if (folder == nullptr || par::size() < 2) return false;
  const bool last = par::rank() == par::size() - 1;
  CHECK(chdir((std::string(folder) + "/" + (last ? there : "a")).c_str()) == 0);
  return true;
}

class Return {
 public:
  Return() { CHECK(getcwd(before_, sizeof before_) != nullptr); }
  Return(const Return&) = delete;
  Return& operator=(const Return&) = delete;
  ~Return() {
    MPI_Barrier(MPI_COMM_WORLD);
    if (par::rank() == 0 || par::rank() == par::size() - 1) unlink("x.h5");
    CHECK(chdir(before_) == 0);
    MPI_Barrier(MPI_COMM_WORLD);
  }

 private:
  char before_[4096];
};

bool make_alone() {
  return Id(H5Fcreate("x.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)).close() >= 0;
}

}  // namespace

/// They are alike to the last byte, and have equal numbers there.
CASE(files_of_two_file_systems_are_two) {
  if (std::getenv("PCIO_TWO_DISKS") == nullptr) return;
  const Return at_end;
  if (!go_apart("b")) return;
  if (par::rank() == 0 || par::rank() == par::size() - 1) CHECK(make_alone());
  MPI_Barrier(MPI_COMM_WORLD);
  struct stat info {};
  CHECK(stat("x.h5", &info) == 0);
  unsigned long numbers[2] = {info.st_ino, ~info.st_ino};
  MPI_Allreduce(MPI_IN_PLACE, numbers, 2, MPI_UNSIGNED_LONG, MPI_MIN, MPI_COMM_WORLD);
  // Else this shows nothing.
  CHECK(numbers[0] == ~numbers[1]);
  const Id mpio(par::mpio_access()), posix(H5Pcreate(H5P_FILE_ACCESS));
  CHECK(H5Pset_fapl_mpiposix(posix, MPI_COMM_WORLD, false) >= 0);
  for (const hid_t access : {hid_t{mpio}, hid_t{posix}})
    for (const unsigned flags : {H5F_ACC_RDONLY, H5F_ACC_RDWR}) {
      const par::Silence silence;
      CHECK(!Id(H5Fopen("x.h5", flags, access)).valid());
      CHECK(par::error_text().find("different files") != std::string::npos);
    }
}

CASE(a_file_system_that_is_mounted_twice_has_one_file_of_a_name) {
  if (std::getenv("PCIO_TWO_DISKS") == nullptr) return;
  const Return at_end;
  if (!go_apart("again")) return;
  if (par::rank() == 0) CHECK(make_alone());
  MPI_Barrier(MPI_COMM_WORLD);
  for (const unsigned flags : {H5F_ACC_RDONLY, H5F_ACC_RDWR}) {
    Id file = par::open_file("x.h5", flags);
    CHECK(file.valid());
    CHECK(file.close() >= 0);
  }
}

#endif
