// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Files that are opened, and left, in unusual ways: processes that fork, change their directory, or see
// another size than the others; names under which another file lies; files that are open already.
// Room: testpar, public headers only.

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <optional>
#include <semaphore.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "support.hpp"

#ifdef PCIO_VERSION
#include <pcio.h>

using par::Id;

namespace {

/// Added to what this rank is told of a file's size.
MPI_Offset size_skew = 0;

constexpr int kCount = 1000;

Id create(const std::string& path, hid_t access) {
  return Id(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
}

Id dataset_in(hid_t file) {
  const hsize_t dims[1] = {kCount};
  const Id space(H5Screate_simple(1, dims, nullptr));
  return Id(H5Dcreate2(file, "x", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
}

std::string last_error;

/// Every second element, which rank 0 writes; through a view. A failure is in last_error.
herr_t write_with_view(hid_t set, int value) {
  const Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  pcio_set_dxpl_transport(list, PCIO_TRANSPORT_VIEW);
  const hsize_t start[1] = {0}, stride[1] = {2}, count[1] = {kCount / 2};
  const Id space(H5Dget_space(set)), memory(H5Screate_simple(1, count, nullptr));
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, stride, count, nullptr);
  if (par::rank() != 0) {
    H5Sselect_none(space);
    H5Sselect_none(memory);
  }
  const std::vector<int> values(kCount / 2, value);
  const herr_t done = H5Dwrite(set, H5T_NATIVE_INT, memory, space, list, values.data());
  last_error = done < 0 ? par::error_text() : "";
  return done;
}

/// Elements of /x that are `value`; -1 where it can't be read. Rank 0 alone; the others get its answer.
int count_in(const std::string& path, int value) {
  int found = -1;
  if (par::rank() == 0) {
    std::vector<int> values(kCount);
    const Id file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
    const Id set(H5Dopen2(file, "x", H5P_DEFAULT));
    if (H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0) {
      found = 0;
      for (const int one : values) found += one == value ? 1 : 0;
    }
  }
  MPI_Bcast(&found, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return found;
}

/// Exit status of a child that does `work`, or 1000 and more where it was killed; a hanging one is.
template <class Work>
int in_child(Work work) {
  const pid_t child = fork();
  if (child == 0) work();
  for (int tenths = 0; tenths < 300; ++tenths) {
    int status = 0;
    if (waitpid(child, &status, WNOHANG) == child)
      return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
    usleep(100'000);
  }
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  return 2000;
}

/// As long as it lives this process gets `count` descriptors more and no others.
class FewDescriptors {
 public:
  explicit FewDescriptors(int count) {
    getrlimit(RLIMIT_NOFILE, &before_);
    int number = 0;
    for (int free = 0; free < count; ++number)
      if (fcntl(number, F_GETFD) < 0) ++free;
    rlimit few = before_;
    few.rlim_cur = static_cast<rlim_t>(number);
    setrlimit(RLIMIT_NOFILE, &few);
  }
  FewDescriptors(const FewDescriptors&) = delete;
  FewDescriptors& operator=(const FewDescriptors&) = delete;
  ~FewDescriptors() { setrlimit(RLIMIT_NOFILE, &before_); }

 private:
  rlimit before_{};
};

std::string folder_of(const std::string& path) { return path.substr(0, path.rfind('/')); }
std::string name_of(const std::string& path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

extern "C" int MPI_File_get_size(MPI_File file, MPI_Offset* size) {
  const int result = PMPI_File_get_size(file, size);
  *size += size_skew;
  return result;
}

/// What a program leaves that was killed while ompio opened a file of the same name, in any folder.
CASE(a_semaphore_that_a_killed_program_left_stops_nobody) {
  const std::string path = par::file_name("semaphore");
  const std::string name = "/OMPIO_" + name_of(path);
  const Id access(par::mpio_access());
  for (int i = 0; i < 2; ++i) {
    sem_t* const left = par::rank() == 0 ? sem_open(name.c_str(), O_CREAT, 0600, 0) : SEM_FAILED;
    MPI_Barrier(MPI_COMM_WORLD);
    Id file = i == 0 ? create(path, access) : Id(H5Fopen(path.c_str(), H5F_ACC_RDWR, access));
    CHECK(file >= 0);
    CHECK(i > 0 || write_with_view(dataset_in(file), 5) >= 0);
    file = Id();
    if (left == SEM_FAILED) continue;
    sem_close(left);
    sem_unlink(name.c_str());
  }
  CHECK(count_in(path, 5) == kCount / 2);
}

CASE(children_of_fork_leave_the_files_alone) {
  const std::string path = par::file_name("fork"), own = par::file_name("child");
  const Id access(par::mpio_access());
  Id file = create(path, access);
  Id set = dataset_in(file);
  CHECK(write_with_view(set, 5) >= 0);
  const std::string mine = own + "." + std::to_string(par::rank());

  CHECK(in_child([] { std::exit(0); }) == 0);
  CHECK(in_child([] { std::exit(H5close() < 0 ? 1 : 0); }) == 0);
  // A child's own files are its own: closed when it ends.
  CHECK(in_child([&] {
          const hid_t list = H5Pcreate(H5P_FILE_ACCESS);
          std::exit(H5Fcreate(mine.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, list) < 0 ? 1 : 0);
        }) == 0);
  // What would communicate is an error.
  CHECK(in_child([&] {
          const bool refused = H5Fflush(file, H5F_SCOPE_GLOBAL) < 0 &&
                               write_with_view(set, 6) < 0 && H5Fclose(file) < 0;
          std::exit(refused ? 0 : 1);
        }) == 0);
  CHECK(in_child([&] {
          const hid_t again = H5Fopen(path.c_str(), H5F_ACC_RDWR, access);
          std::exit(again < 0 ? 0 : 1);
        }) == 0);

  CHECK(H5Fis_hdf5(mine.c_str()) > 0);
  std::remove(mine.c_str());
  CHECK(set.close() >= 0);
  CHECK(file.close() >= 0);
  CHECK(count_in(path, 5) == kCount / 2);
}

/// Nothing that a child writes there by itself would be in the file: chunks with filters wait for the other ranks.
CASE(a_child_of_fork_moves_no_elements) {
  const std::string path = par::file_name("moves");
  const Id access(par::mpio_access());
  Id file = create(path, access), plain = dataset_in(file);
  const hsize_t dims[1] = {kCount};
  const Id space(H5Screate_simple(1, dims, nullptr)), list(H5Pcreate(H5P_DATASET_CREATE));
  CHECK(H5Pset_chunk(list, 1, dims) >= 0 && H5Pset_fletcher32(list) >= 0);
  Id filtered(H5Dcreate2(file, "y", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT));
  CHECK(filtered.valid());
  for (const hid_t set : {hid_t{plain}, hid_t{filtered}})
    CHECK(in_child([&] {
            std::vector<int> values(kCount, 3);
            const bool refused =
                H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0 &&
                H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0;
            std::exit(refused ? 0 : 1);
          }) == 0);
  CHECK(in_child([&] {
          const hsize_t first[1] = {0};
          const std::vector<int> chunk(kCount + 1, 3);
          const bool refused = H5Dwrite_chunk(filtered, H5P_DEFAULT, 0, first,
                                              chunk.size() * sizeof(int), chunk.data()) < 0;
          std::exit(refused ? 0 : 1);
        }) == 0);
  CHECK(filtered.close() >= 0);
  CHECK(plain.close() >= 0);
  CHECK(file.close() >= 0);
  CHECK(count_in(path, 3) == 0);
}

/// The ranks need not come out of the close together.
CASE(who_comes_out_of_a_close_first_opens_for_writing) {
  const std::string path = par::file_name("next");
  const Id access(par::mpio_access()), alone(par::mpio_access(MPI_COMM_SELF));
  for (int i = 0; i < 20; ++i) {
    Id file = create(path, access);
    CHECK(file.close() >= 0);
    if (par::rank() == par::size() - 1) {
      const hid_t how = i % 2 == 0 ? hid_t{alone} : H5P_DEFAULT;
      file = Id(H5Fopen(path.c_str(), H5F_ACC_RDWR, how));
      CHECK(file.valid());
      CHECK(file.close() >= 0);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

/// MPI-IO would leave the others waiting in the midst of its opening.
CASE(a_rank_without_descriptors_keeps_nobody_waiting) {
  const std::string path = par::file_name("few");
  const Id access(par::mpio_access());
  // What MPI loads by the first use is there.
  {
    Id file = create(path, access), set = dataset_in(file);
    CHECK(write_with_view(set, 1) >= 0);
  }
  bool some_opened = false, some_written = false;
  for (const int poor : {0, par::size() - 1})
    for (int count = 0; count < 18; ++count) {
      const par::Silence silence;
      std::optional<FewDescriptors> few;
      if (par::rank() == poor) few.emplace(count);
      Id file =
          count % 2 == 0 ? create(path, access) : Id(H5Fopen(path.c_str(), H5F_ACC_RDWR, access));
      const bool opened = par::any(file.valid());
      CHECK(opened == file.valid());
      if (!opened) continue;
      some_opened = true;
      Id set = count % 2 == 0 ? dataset_in(file) : Id(H5Dopen2(file, "x", H5P_DEFAULT));
      const bool written = write_with_view(set, 2) >= 0;
      CHECK(par::any(written) == written);
      some_written = some_written || written;
      few.reset();
      CHECK(write_with_view(set, 3) >= 0);
      CHECK(set.close() >= 0);
      CHECK(file.close() >= 0);
      CHECK(count_in(path, 3) == kCount / 2);
    }
  CHECK(some_opened && some_written);
}

/// The child has the descriptors too, and lives on.
CASE(a_child_of_fork_keeps_no_lock) {
  const std::string path = par::file_name("lock");
  const Id access(par::mpio_access());
  Id file = create(path, access);
  const pid_t child = fork();
  if (child == 0) {
    pause();
    _exit(0);
  }
  CHECK(file.close() >= 0);
  file = Id(H5Fopen(path.c_str(), H5F_ACC_RDWR, access));
  CHECK(file.valid());
  CHECK(file.close() >= 0);
  if (par::rank() == 0) {
    Id serial(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT));
    CHECK(serial.valid());
    const pid_t other = fork();
    if (other == 0) {
      pause();
      _exit(0);
    }
    CHECK(serial.close() >= 0);
    serial = Id(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT));
    CHECK(serial.valid());
    kill(other, SIGKILL);
    waitpid(other, nullptr, 0);
  }
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  MPI_Barrier(MPI_COMM_WORLD);
}

CASE(a_view_finds_its_file_after_chdir) {
  const std::string path = par::file_name("chdir"), folder = folder_of(path);
  const std::string name = name_of(path), other = folder + "/chdir.d";
  char before[4096];
  CHECK(getcwd(before, sizeof before) != nullptr);
  if (par::rank() == 0) mkdir(other.c_str(), 0777);
  MPI_Barrier(MPI_COMM_WORLD);
  const Id access(par::mpio_access());

  CHECK(chdir(folder.c_str()) == 0);
  Id here = create(name, access), set = dataset_in(here);
  CHECK(chdir(other.c_str()) == 0);
  {
    Id there = create(name, access), unused = dataset_in(there);
    CHECK(write_with_view(unused, 1) >= 0);
  }
  CHECK(write_with_view(set, 7) >= 0);
  CHECK(set.close() >= 0);
  CHECK(here.close() >= 0);
  CHECK(chdir(before) == 0);
  CHECK(count_in(folder + "/" + name, 7) == kCount / 2);
  CHECK(count_in(other + "/" + name, 7) == 0);
  MPI_Barrier(MPI_COMM_WORLD);
  if (par::rank() == 0) {
    std::remove((other + "/" + name).c_str());
    rmdir(other.c_str());
  }
}

/// Each rank in a folder of its own names the files as it sees them: what they are called there is no argument of a call.
CASE(files_are_mounted_and_copied_to_from_different_folders) {
  const std::string path = par::file_name("apart"), folder = folder_of(path);
  const std::string child = name_of(path) + ".child", inner = folder + "/apart.d";
  char before[4096];
  CHECK(getcwd(before, sizeof before) != nullptr);
  if (par::rank() == 0) mkdir(inner.c_str(), 0777);
  MPI_Barrier(MPI_COMM_WORLD);
  const bool is_inside = par::rank() % 2 == 1;
  CHECK(chdir((is_inside ? inner : folder).c_str()) == 0);
  const Id access(par::mpio_access());
  const std::string here = is_inside ? "../" : "";
  Id above = create(here + name_of(path), access), below = create(here + child, access);
  for (const char* const group : {"point", "made"})
    CHECK(Id(H5Gcreate2(above, group, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)).valid());
  CHECK(H5Lcreate_external((folder + "/" + child).c_str(), "/", above, "there", H5P_DEFAULT,
                           H5P_DEFAULT) >= 0);
  CHECK(H5Fmount(above, "point", below, H5P_DEFAULT) >= 0);
  CHECK(H5Fflush(above, H5F_SCOPE_GLOBAL) >= 0);
  CHECK(H5Funmount(above, "point") >= 0);
  CHECK(H5Ocopy(above, "made", above, "there/copy", H5P_DEFAULT, H5P_DEFAULT) >= 0);
  CHECK(H5Fflush(below, H5F_SCOPE_GLOBAL) >= 0);
  CHECK(H5Lexists(below, "copy", H5P_DEFAULT) > 0);
  CHECK(below.close() >= 0);
  CHECK(above.close() >= 0);
  CHECK(chdir(before) == 0);
  MPI_Barrier(MPI_COMM_WORLD);
  if (par::rank() == 0) {
    std::remove((folder + "/" + child).c_str());
    rmdir(inner.c_str());
  }
}

/// Files that are alike to the last byte, one of which the last rank has: each would go on in its own.
CASE(ranks_that_reach_different_files_are_told) {
  if (par::size() < 2) return;
  const std::string path = par::file_name("apart"), folder = folder_of(path);
  const std::string name = name_of(path), other = folder + "/apart.d";
  char before[4096];
  CHECK(getcwd(before, sizeof before) != nullptr);
  if (par::rank() == 0) mkdir(other.c_str(), 0777);
  MPI_Barrier(MPI_COMM_WORLD);
  const Id access(par::mpio_access());
  const std::string mine = (par::rank() == par::size() - 1 ? other : folder) + "/" + name;
  for (const std::string& one : {path, other + "/" + name}) {
    const Id file = create(one, access), set = dataset_in(file);
  }
  struct stat made {};
  CHECK(stat(mine.c_str(), &made) == 0 && made.st_size > 0);
  CHECK(chdir(folder_of(mine).c_str()) == 0);
  for (const std::string& given : {name, mine})
    for (const unsigned flags : {H5F_ACC_RDONLY, H5F_ACC_RDWR, H5F_ACC_TRUNC}) {
      const par::Silence silence;
      const Id file(flags == H5F_ACC_TRUNC ? H5Fcreate(given.c_str(), flags, H5P_DEFAULT, access)
                                           : H5Fopen(given.c_str(), flags, access));
      CHECK(!file.valid());
      CHECK(par::error_text().find("different files") != std::string::npos);
    }
  CHECK(chdir(before) == 0);
  MPI_Barrier(MPI_COMM_WORLD);
  struct stat left {};
  CHECK(stat(mine.c_str(), &left) == 0 && left.st_size == made.st_size);
  // What a node's file system shows is looked at there.
  if (par::rank() == par::size() - 1) {
    const Id alone(H5Fopen(mine.c_str(), H5F_ACC_RDWR, H5P_DEFAULT));
    const Id group(H5Gcreate2(alone, "more", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    CHECK(group.valid());
  }
  const char* const checks = getenv("PCIO_CHECK");
  const std::string kept = checks != nullptr ? checks : "";
  // ... by one rank, and by those that call the file otherwise than rank 0.
  for (const char* const nodes : {"nodes:64", "nodes:2"}) {
    MPI_Barrier(MPI_COMM_WORLD);
    setenv("PCIO_CHECK", nodes, 1);
    MPI_Barrier(MPI_COMM_WORLD);
    const par::Silence silence;
    const Id file(H5Fopen(mine.c_str(), H5F_ACC_RDONLY, access));
    CHECK(!file.valid());
    CHECK(par::error_text().find("different superblocks") != std::string::npos);
  }
  checks != nullptr ? setenv("PCIO_CHECK", kept.c_str(), 1) : unsetenv("PCIO_CHECK");
  MPI_Barrier(MPI_COMM_WORLD);
  if (par::rank() == 0) {
    std::remove((other + "/" + name).c_str());
    rmdir(other.c_str());
  }
}

/// A name from the working directory, in which rank 0 would make a file that the last rank does not see.
CASE(ranks_in_different_folders_make_no_file) {
  if (par::size() < 2) return;
  const std::string path = par::file_name("folders"), folder = folder_of(path);
  const std::string name = name_of(path), other = folder + "/folders.d";
  char before[4096];
  CHECK(getcwd(before, sizeof before) != nullptr);
  if (par::rank() == 0) mkdir(other.c_str(), 0777);
  MPI_Barrier(MPI_COMM_WORLD);
  const Id access(par::mpio_access());
  CHECK(chdir((par::rank() == par::size() - 1 ? other : folder).c_str()) == 0);
  for (const unsigned flags : {H5F_ACC_TRUNC, H5F_ACC_EXCL}) {
    const par::Silence silence;
    const Id file(H5Fcreate(name.c_str(), flags, H5P_DEFAULT, access));
    CHECK(!file.valid());
    CHECK(par::error_text().find("No such file") != std::string::npos);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(::access(name.c_str(), F_OK) != 0);
  }
  // Each has a file of that name: what was not agreed on is not emptied.
  const Id posix(H5Pcreate(H5P_FILE_ACCESS));
  CHECK(H5Pset_fapl_mpiposix(posix, MPI_COMM_WORLD, false) >= 0);
  const bool alone = par::rank() == 0 || par::rank() == par::size() - 1;
  for (const hid_t list : {hid_t{access}, hid_t{posix}}) {
    if (alone) std::ofstream(name) << "another";
    MPI_Barrier(MPI_COMM_WORLD);
    const par::Silence silence;
    const Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, list));
    CHECK(!file.valid());
    MPI_Barrier(MPI_COMM_WORLD);
    struct stat info {};
    CHECK(stat(name.c_str(), &info) == 0 && info.st_size == 7);
    MPI_Barrier(MPI_COMM_WORLD);  // before somebody writes it anew
  }
  if (alone) CHECK(unlink(name.c_str()) == 0);
  CHECK(chdir(before) == 0);
  MPI_Barrier(MPI_COMM_WORLD);
  if (par::rank() == 0) rmdir(other.c_str());
}

CASE(a_name_in_a_working_directory_that_is_gone_is_refused) {
  const std::string path = par::file_name("gone"), gone = path + ".d";
  char before[4096];
  CHECK(getcwd(before, sizeof before) != nullptr);
  if (par::rank() == 0) mkdir(gone.c_str(), 0777);
  MPI_Barrier(MPI_COMM_WORLD);
  const Id access(par::mpio_access());
  CHECK(chdir(gone.c_str()) == 0);
  MPI_Barrier(MPI_COMM_WORLD);
  if (par::rank() == 0) CHECK(rmdir(("../" + name_of(gone)).c_str()) == 0);
  MPI_Barrier(MPI_COMM_WORLD);
  for (const unsigned flags : {H5F_ACC_TRUNC, H5F_ACC_EXCL}) {
    const par::Silence silence;
    const Id file(H5Fcreate(name_of(path).c_str(), flags, H5P_DEFAULT, access));
    CHECK(!file.valid());
    CHECK(par::error_text().find("No such file") != std::string::npos);
  }
  // The folder above it is found from there all the same, by the system.
  const std::string above = "../" + name_of(path);
  CHECK(create(path, access).close() >= 0);
  {
    const par::Silence silence;
    CHECK(!Id(H5Fopen(above.c_str(), H5F_ACC_RDONLY, access)).valid());
    CHECK(!Id(H5Fcreate(above.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access)).valid());
  }
  CHECK(chdir(before) == 0);
}

/// The handle of views is opened late: what has the name by then may be something else.
CASE(a_view_is_refused_where_another_file_has_the_name) {
  const std::string path = par::file_name("moved"), aside = par::file_name("aside");
  const Id access(par::mpio_access());
  Id file = create(path, access), set = dataset_in(file);
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  if (par::rank() == 0) {
    CHECK(std::rename(path.c_str(), aside.c_str()) == 0);
    const int fd = open(path.c_str(), O_CREAT | O_RDWR, 0666);
    CHECK(fd >= 0 && write(fd, "somebody else's", 15) == 15 && close(fd) == 0);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  {
    const par::Silence silence;
    CHECK(write_with_view(set, 3) < 0);
    CHECK(last_error.find("another file has the name") != std::string::npos);
  }
  CHECK(set.close() >= 0);
  CHECK(file.close() >= 0);
  struct stat info {};
  CHECK(stat(path.c_str(), &info) == 0 && info.st_size == 15);
  CHECK(count_in(aside, 3) == 0);
}

CASE(the_report_stays_where_it_was_meant) {
  const std::string path = par::file_name("report"), folder = folder_of(path);
  const std::string log = "gates." + name_of(path) + ".log", other = folder + "/report.d";
  char before[4096];
  CHECK(getcwd(before, sizeof before) != nullptr);
  if (par::rank() == 0) mkdir(other.c_str(), 0777);
  MPI_Barrier(MPI_COMM_WORLD);
  setenv("PCIO_REPORT", log.c_str(), 1);
  {
    const Id access(par::mpio_access());
    Id file = create(path, access), set = dataset_in(file);
    CHECK(chdir(other.c_str()) == 0);
    CHECK(write_with_view(set, 3) >= 0);
  }
  unsetenv("PCIO_REPORT");
  CHECK(chdir(before) == 0);
  if (par::rank() == 0) {
    CHECK(access(log.c_str(), F_OK) == 0);
    CHECK(access((other + "/" + log).c_str(), F_OK) != 0);
    std::remove(log.c_str());
    rmdir(other.c_str());
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

/// A file system may show a rank an older size, or a newer one: what follows is the same on all.
CASE(ranks_that_see_another_size_open_together) {
  const std::string path = par::file_name("size");
  const Id access(par::mpio_access());
  for (const int odd : {0, par::size() - 1}) {
    {
      Id file = create(path, access), set = dataset_in(file);
      CHECK(write_with_view(set, 2) >= 0);
    }
    size_skew = par::rank() == odd ? 4096 : 0;
    Id file(H5Fopen(path.c_str(), H5F_ACC_RDWR, access));
    size_skew = 0;
    CHECK(file.valid());
    Id set(H5Dopen2(file, "x", H5P_DEFAULT));
    CHECK(write_with_view(set, 4) >= 0);
    CHECK(set.close() >= 0);
    CHECK(file.close() >= 0);
    CHECK(count_in(path, 4) == kCount / 2);
  }
}

/// Whether a file is open already is each rank's own knowledge.
CASE(ranks_that_open_an_open_file_and_another_one) {
  if (par::size() == 1) return;
  const std::string path = par::file_name("open"), other = par::file_name("closed");
  const Id access(par::mpio_access());
  create(other, access).close();
  Id file = create(path, access);
  {
    const par::Silence silence;
    const std::string& mine = par::rank() == 0 ? path : other;
    CHECK(H5Fopen(mine.c_str(), H5F_ACC_RDWR, access) < 0);
    const std::string text = par::error_text();
    CHECK(text.find("the file's name differs") != std::string::npos);
    CHECK(text.find("on rank 1") != std::string::npos);
  }
  Id again(H5Fopen(path.c_str(), H5F_ACC_RDWR, access));
  CHECK(again.valid());
  CHECK(again.close() >= 0);
  CHECK(file.close() >= 0);
}

#endif
