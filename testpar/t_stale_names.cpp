// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Files that are made on a file system whose machines have caches of their own, which may hold a name for that of a file
// that is gone, or what a small file was before: this program's own statfs, open, stat, pread, MPI_Comm_split_type and others
// play it, each rank a machine. H5Fcreate waits until the name is the new file's, or fails on all ranks and leaves what was
// there; H5Fopen finds the file as it is. Room: testpar.

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <climits>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <fstream>
#include <string>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <unistd.h>
#include <vector>

#include <mpi.h>
#include <pcio.h>

#include "support.hpp"

namespace {

using Clock = std::chrono::steady_clock;
constexpr long kFuse = 0x65735546;  // statfs(2)
constexpr auto kShort = std::chrono::milliseconds(300);

/// The name that is stale, here and now.
std::string stale;
Clock::time_point until;
int told = ESTALE;
bool listing_helps = false;
bool is_one_machine = false;
bool is_local = false;
enum class Together { kCan, kFailsOnOne };
Together opens_together = Together::kCan;

/// Here this name still leads to the file that it was, which has another one now, until the name is looked up anew.
std::string renamed, old_file;

bool leads_astray(const char* path) {
  return !renamed.empty() && Clock::now() < until &&
         std::strstr(path, renamed.c_str()) != nullptr && std::strstr(path, ".locktest") == nullptr;
}

bool is_stale(const char* path) {
  return !stale.empty() && std::strstr(path, stale.c_str()) != nullptr && Clock::now() < until;
}

/// This machine has brought a small file with its name, and reads what it had then until it is made to forget.
struct Whole {
  std::string name, bytes;
  bool can_punch = true;
} whole;

template <class Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

int open_as(const char* which, const char* path, int flags, mode_t mode) {
  if (leads_astray(path)) {
    if ((flags & O_EXCL) != 0) {
      errno = EEXIST;
      return -1;
    }
    return next<int (*)(const char*, int, ...)>(which)(old_file.c_str(), flags, mode);
  }
  if (is_stale(path)) {
    // What seems to be there, and is not, can't be opened; the server knows better when it is asked for a new one.
    if (told == EEXIST && (flags & O_EXCL) != 0)
      return next<int (*)(const char*, int, ...)>(which)(path, flags, mode);
    errno = told == EEXIST ? ESTALE : told;
    return -1;
  }
  return next<int (*)(const char*, int, ...)>(which)(path, flags, mode);
}

/// What the machine has of the file there; -1: it asks.
ssize_t remembered(int fd, void* into, std::size_t count, off_t offset) {
  if (whole.bytes.empty()) return -1;
  char path[PATH_MAX];
  const std::string link = "/proc/self/fd/" + std::to_string(fd);
  const ssize_t length = readlink(link.c_str(), path, sizeof path);
  if (length <= 0 ||
      std::string(path, static_cast<std::size_t>(length)).find(whole.name) == std::string::npos)
    return -1;
  const auto at = std::min(static_cast<std::size_t>(offset), whole.bytes.size());
  const std::size_t n = std::min(count, whole.bytes.size() - at);
  std::memcpy(into, whole.bytes.data() + at, n);
  return static_cast<ssize_t>(n);
}

ssize_t read_parts(const char* which, int fd, const iovec* parts, int count, off_t offset) {
  if (whole.bytes.empty())
    return next<ssize_t (*)(int, const iovec*, int, off_t)>(which)(fd, parts, count, offset);
  ssize_t done = 0;
  for (int i = 0; i < count; ++i) {
    const ssize_t n = pread(fd, parts[i].iov_base, parts[i].iov_len, offset + done);
    if (n < 0) return n;
    done += n;
    if (static_cast<std::size_t>(n) < parts[i].iov_len) break;
  }
  return done;
}

}  // namespace

extern "C" {

ssize_t pread(int fd, void* into, size_t count, off_t offset) {
  const ssize_t known = remembered(fd, into, count, offset);
  return known >= 0
             ? known
             : next<ssize_t (*)(int, void*, size_t, off_t)>("pread")(fd, into, count, offset);
}
ssize_t pread64(int fd, void* into, size_t count, off64_t offset) {
  return pread(fd, into, count, offset);
}
ssize_t preadv(int fd, const iovec* parts, int count, off_t offset) {
  return read_parts("preadv", fd, parts, count, offset);
}
ssize_t preadv64(int fd, const iovec* parts, int count, off64_t offset) {
  return read_parts("preadv64", fd, parts, count, offset);
}
int fallocate(int fd, int mode, off_t offset, off_t length) {
  if ((mode & FALLOC_FL_PUNCH_HOLE) != 0 && !whole.bytes.empty()) {
    if (!whole.can_punch || (fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDONLY) {
      errno = whole.can_punch ? EBADF : EOPNOTSUPP;
      return -1;
    }
    whole.bytes.clear();
  }
  return next<int (*)(int, int, off_t, off_t)>("fallocate")(fd, mode, offset, length);
}
int fallocate64(int fd, int mode, off64_t offset, off64_t length) {
  return fallocate(fd, mode, offset, length);
}

int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* out) {
  if (type != MPI_COMM_TYPE_SHARED || is_one_machine)
    return PMPI_Comm_split_type(comm, type, key, info, out);
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return PMPI_Comm_split(comm, rank, 0, out);
}

/// In ompio ranks of several machines that open a file together use one beside it, whose name may be stale: those fail, and the
/// others wait for them. Each rank is a machine.
int MPI_File_open(MPI_Comm comm, const char* path, int mode, MPI_Info info, MPI_File* out) {
  int ranks = 0;
  MPI_Comm_size(comm, &ranks);
  if (ranks > 1 && opens_together == Together::kFailsOnOne && par::rank() == par::size() - 1)
    return MPI_ERR_NO_SUCH_FILE;
  return PMPI_File_open(comm, path, mode, info, out);
}

int statfs(const char* path, struct statfs* out) noexcept {
  const int done = next<int (*)(const char*, struct statfs*)>("statfs")(path, out);
  if (done == 0 && !is_local) out->f_type = kFuse;
  return done;
}
int statfs64(const char* path, struct statfs64* out) noexcept {
  const int done = next<int (*)(const char*, struct statfs64*)>("statfs64")(path, out);
  if (done == 0 && !is_local) out->f_type = kFuse;
  return done;
}

int fstatfs(int fd, struct statfs* out) noexcept {
  const int done = next<int (*)(int, struct statfs*)>("fstatfs")(fd, out);
  if (done == 0 && !is_local) out->f_type = kFuse;
  return done;
}
int fstatfs64(int fd, struct statfs64* out) noexcept {
  const int done = next<int (*)(int, struct statfs64*)>("fstatfs64")(fd, out);
  if (done == 0 && !is_local) out->f_type = kFuse;
  return done;
}

int open(const char* path, int flags, ...) {
  std::va_list list;
  va_start(list, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(list, mode_t) : 0;
  va_end(list);
  return open_as("open", path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  std::va_list list;
  va_start(list, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(list, mode_t) : 0;
  va_end(list);
  return open_as("open64", path, flags, mode);
}

/// Names that are in the folder are looked up.
DIR* opendir(const char* path) {
  if (listing_helps && access(stale.c_str(), F_OK) == 0) stale.clear();
  if (!whole.bytes.empty() && whole.name.compare(0, std::strlen(path), path) == 0)
    whole.bytes.clear();
  if (!renamed.empty() && access(renamed.c_str(), F_OK) == 0) renamed.clear();
  return next<DIR* (*)(const char*)>("opendir")(path);
}

int stat(const char* path, struct stat* out) noexcept {
  if (leads_astray(path))
    return next<int (*)(const char*, struct stat*)>("stat")(old_file.c_str(), out);
  const char* const seen = told == EEXIST && is_stale(path) ? "/proc/self/exe" : path;
  return next<int (*)(const char*, struct stat*)>("stat")(seen, out);
}
int stat64(const char* path, struct stat64* out) noexcept {
  if (leads_astray(path))
    return next<int (*)(const char*, struct stat64*)>("stat64")(old_file.c_str(), out);
  const char* const seen = told == EEXIST && is_stale(path) ? "/proc/self/exe" : path;
  return next<int (*)(const char*, struct stat64*)>("stat64")(seen, out);
}
}

namespace {

/// Of the rank `where` the name is stale for a while, or for long.
void make_stale(const std::string& name, int where, Clock::duration how_long) {
  MPI_Barrier(MPI_COMM_WORLD);
  stale = par::rank() == where ? name : "";
  until = Clock::now() + how_long;
}

hid_t create(const std::string& name, unsigned flags) {
  const par::Id list = par::Id(par::mpio_access());
  const hid_t file = H5Fcreate(name.c_str(), flags, H5P_DEFAULT, list);
  stale.clear();
  MPI_Barrier(MPI_COMM_WORLD);
  return file;
}

}  // namespace

CASE(a_new_file_is_waited_for) {
  if (par::size() == 1) return;
  for (const unsigned flags : {H5F_ACC_TRUNC, H5F_ACC_EXCL})
    for (const int error : {ESTALE, ENOENT, EEXIST})
      for (const int where : {0, par::size() - 1}) {
        if (error == ENOENT && where == 0) continue;  // it makes the file
        const std::string name = par::file_name("stale_new" + std::to_string(flags) + "_" +
                                                std::to_string(error) + std::to_string(where));
        told = error;
        make_stale(name, where, kShort);
        const hid_t file = create(name, flags);
        CHECK(file >= 0);
        CHECK(H5Fclose(file) >= 0);
      }
}

/// However long its name would be stale.
CASE(a_new_file_is_looked_up_anew) {
  if (par::size() == 1) return;
  listing_helps = true;
  for (const int error : {ESTALE, ENOENT}) {
    const std::string name = par::file_name("stale_listed" + std::to_string(error));
    told = error;
    make_stale(name, par::size() - 1, std::chrono::hours(1));
    const hid_t file = create(name, H5F_ACC_TRUNC);
    CHECK(file >= 0);
    CHECK(H5Fclose(file) >= 0);
  }
  listing_helps = false;
}

/// A machine that is not among those of the ranks has removed what had the name.
CASE(ranks_of_one_machine_wait_too) {
  if (par::size() == 1) return;
  is_one_machine = true;
  MPI_Comm ranks = MPI_COMM_NULL;
  CHECK(MPI_Comm_dup(MPI_COMM_WORLD, &ranks) == MPI_SUCCESS);
  const par::Id list = par::Id(H5Pcreate(H5P_FILE_ACCESS));
  CHECK(H5Pset_fapl_mpio(list, ranks, MPI_INFO_NULL) >= 0);
  for (const unsigned flags : {H5F_ACC_TRUNC, H5F_ACC_EXCL})
    for (const int error : {ESTALE, EEXIST})
      for (const int where : {0, par::size() - 1}) {
        const std::string name = par::file_name("stale_one" + std::to_string(flags) + "_" +
                                                std::to_string(error) + std::to_string(where));
        told = error;
        make_stale(name, where, kShort);
        const hid_t file = H5Fcreate(name.c_str(), flags, H5P_DEFAULT, list);
        CHECK(file >= 0);
        CHECK(H5Fclose(file) >= 0);
        stale.clear();
      }
  is_one_machine = false;
  MPI_Comm_free(&ranks);
}

/// Rank 0 is on the machine of the file system itself.
CASE(others_wait_for_the_server) {
  if (par::size() == 1) return;
  const std::string name = par::file_name("stale_server");
  told = ESTALE;
  is_local = par::rank() == 0;
  make_stale(name, par::size() - 1, kShort);
  const hid_t file = create(name, H5F_ACC_TRUNC);
  is_local = false;
  CHECK(file >= 0);
  CHECK(H5Fclose(file) >= 0);
}

/// Each rank opens it by itself, also where one alone sees that it lies on such a file system.
CASE(files_are_opened_again_and_again) {
  if (par::size() == 1) return;
  const par::Id list = par::Id(par::mpio_access());
  const par::Id by_view = par::Id(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  CHECK(pcio_set_dxpl_transport(by_view, PCIO_TRANSPORT_VIEW) >= 0);
  opens_together = Together::kFailsOnOne;
  for (const bool one_sees : {false, true}) {
    is_local = one_sees && par::rank() != 0;
    const std::string name = par::file_name("stale_again" + std::to_string(one_sees));
    for (int time = 0; time < 2; ++time) {
      const auto rank = static_cast<hsize_t>(par::rank());
      const hsize_t extent = 100 * static_cast<hsize_t>(par::size()), part = 100, at = part * rank;
      const par::Id mine = par::Id(H5Screate_simple(1, &part, nullptr));
      const par::Id all = par::Id(H5Screate_simple(1, &extent, nullptr));
      H5Sselect_hyperslab(all, H5S_SELECT_SET, &at, nullptr, &part, nullptr);
      const std::vector<int> values(part, par::rank() + 10 * time);
      hid_t file = H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, list);
      CHECK(file >= 0);
      hid_t set = H5Dcreate2(file, "x", H5T_NATIVE_INT, all, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
      CHECK(H5Dwrite(set, H5T_NATIVE_INT, mine, all, by_view, values.data()) >= 0);
      CHECK(H5Dclose(set) >= 0 && H5Fclose(file) >= 0);
      for (const unsigned flags : {H5F_ACC_RDONLY, H5F_ACC_RDWR}) {
        file = H5Fopen(name.c_str(), flags, list);
        CHECK(file >= 0);
        set = H5Dopen2(file, "x", H5P_DEFAULT);
        std::vector<int> got(part);
        CHECK(H5Dread(set, H5T_NATIVE_INT, mine, all, by_view, got.data()) >= 0);
        CHECK(got == values);
        pcio_transfer_report_t report;
        CHECK(pcio_get_transfer_report(by_view, &report, sizeof report) >= 0);
        CHECK(report.transport == PCIO_TRANSPORT_EXCHANGE);
        // A program's own call on it concerns this rank only.
        void* handle = nullptr;
        CHECK(H5Fget_vfd_handle(file, H5P_DEFAULT, &handle) >= 0);
        if (par::rank() == 0 && flags == H5F_ACC_RDWR)
          CHECK(MPI_File_sync(*static_cast<MPI_File*>(handle)) == MPI_SUCCESS);
        CHECK(H5Dclose(set) >= 0 && H5Fclose(file) >= 0);
      }
    }
  }
  is_local = false;
  opens_together = Together::kCan;
}

namespace {

/// Each rank has an element, of which all have the same value.
void write_value(hid_t file, int value) {
  const hsize_t n = static_cast<hsize_t>(par::size()), one = 1,
                at = static_cast<hsize_t>(par::rank());
  const par::Id all = par::Id(H5Screate_simple(1, &n, nullptr));
  const par::Id mine = par::Id(H5Screate_simple(1, &one, nullptr));
  H5Sselect_hyperslab(all, H5S_SELECT_SET, &at, nullptr, &one, nullptr);
  const hid_t set =
      H5Dcreate2(file, "x", H5T_NATIVE_INT, all, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  CHECK(H5Dwrite(set, H5T_NATIVE_INT, mine, all, H5P_DEFAULT, &value) >= 0);
  CHECK(H5Dclose(set) >= 0);
}

bool has_value(const std::string& name, hid_t list, int value) {
  const hid_t file = H5Fopen(name.c_str(), H5F_ACC_RDONLY, list);
  if (file < 0) return false;
  const hid_t set = H5Dopen2(file, "x", H5P_DEFAULT);
  std::vector<int> got(static_cast<std::size_t>(par::size()));
  CHECK(H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, got.data()) >= 0);
  CHECK(H5Dclose(set) >= 0 && H5Fclose(file) >= 0);
  return got == std::vector<int>(got.size(), value);
}

/// Of the rank `where` the name leads to the file that is called `now`.
void lead_astray(const std::string& name, const std::string& now, int where) {
  MPI_Barrier(MPI_COMM_WORLD);
  renamed = par::rank() == where ? name : "";
  old_file = now;
  until = Clock::now() + kShort;
}

}  // namespace

/// The file that a rank finds under the name may be one that has another by now: nobody writes into it, nor empties it.
CASE(names_of_renamed_files) {
  if (par::size() == 1) return;
  for (const bool posix : {false, true})
    for (const int where : {0, par::size() - 1})
      for (const unsigned flags : {H5F_ACC_TRUNC, H5F_ACC_EXCL}) {
        const par::Id list = par::Id(par::mpio_access());
        if (posix) CHECK(H5Pset_fapl_mpiposix(list, MPI_COMM_WORLD, false) >= 0);
        const std::string name = par::file_name("renamed" + std::to_string(posix) + "_" +
                                                std::to_string(where) + std::to_string(flags)),
                          kept = name + ".kept", aside = name + ".aside";
        for (const int value : {1, 2}) {
          if (value == 2) {
            if (par::rank() == 0) CHECK(rename(name.c_str(), kept.c_str()) == 0);
            lead_astray(name, kept, where);
          }
          const hid_t file = H5Fcreate(name.c_str(), flags, H5P_DEFAULT, list);
          CHECK(file >= 0);
          if (file < 0) return;
          write_value(file, value);
          CHECK(H5Fclose(file) >= 0);
        }
        CHECK(has_value(name, list, 2));
        CHECK(has_value(kept, list, 1));
        MPI_Barrier(MPI_COMM_WORLD);
        if (par::rank() == 0) {
          CHECK(rename(name.c_str(), aside.c_str()) == 0);
          CHECK(rename(kept.c_str(), name.c_str()) == 0);
        }
        lead_astray(name, aside, where);
        CHECK(has_value(name, list, 1));
        renamed.clear();
      }
}

/// Behind another machine's close each opening finds what it has written, also of a file that this machine has as a whole from
/// before.
CASE(small_files_come_as_a_whole) {
  const par::Id all = par::Id(par::mpio_access());
  const std::string name = par::file_name("whole");
  const hsize_t one = 1;
  const par::Id space = par::Id(H5Screate_simple(1, &one, nullptr));
  int made = 0;
  const auto add = [&](unsigned flags) {
    const hid_t file = flags == H5F_ACC_TRUNC
                           ? H5Fcreate(name.c_str(), flags, H5P_DEFAULT, H5P_DEFAULT)
                           : H5Fopen(name.c_str(), flags, H5P_DEFAULT);
    const std::string set = "x" + std::to_string(made);
    CHECK(H5Dclose(H5Dcreate2(file, set.c_str(), H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT,
                              H5P_DEFAULT)) >= 0);
    CHECK(H5Fclose(file) >= 0);
  };
  if (par::rank() == 0) add(H5F_ACC_TRUNC);
  const bool is_last = par::rank() == par::size() - 1;
  for (const bool can_punch : {true, false})
    for (const unsigned flags : {H5F_ACC_RDONLY, H5F_ACC_RDWR})
      for (const bool together : {false, true}) {
        MPI_Barrier(MPI_COMM_WORLD);
        std::ifstream in(name, std::ios::binary);
        const std::string before((std::istreambuf_iterator<char>(in)), {});
        MPI_Barrier(MPI_COMM_WORLD);
        ++made;
        if (par::rank() == 0) add(H5F_ACC_RDWR);
        MPI_Barrier(MPI_COMM_WORLD);
        if (is_last) whole = {name, before, can_punch};
        if (together || is_last) {
          const hid_t file =
              H5Fopen(name.c_str(), flags, together ? hid_t{all} : hid_t{H5P_DEFAULT});
          CHECK(file >= 0);
          CHECK(H5Lexists(file, ("x" + std::to_string(made)).c_str(), H5P_DEFAULT) > 0);
          CHECK(H5Fclose(file) >= 0);
        }
        whole = {};
      }
}

/// What was there is there when a rank can't open it; a new file is not.
CASE(what_was_there_stays_where_a_rank_can_not_open_it) {
  // Each is waited for as long as a name may be stale.
  if (par::size() != 2) return;
  const std::string old = par::file_name("stale_old"), fresh = par::file_name("stale_fresh"),
                    link = par::file_name("stale_link"), target = link + ".target";
  if (par::rank() == 0) {
    std::ofstream(old) << "precious";
    CHECK(symlink(target.c_str(), link.c_str()) == 0);
  }
  told = ESTALE;
  for (const std::string& name : {old, fresh, link}) {
    make_stale(name, par::size() - 1, std::chrono::hours(1));
    const par::Silence silence;
    CHECK(create(name, H5F_ACC_TRUNC) < 0);
  }
  if (par::rank() != 0) return;
  std::string text;
  std::ifstream(old) >> text;
  CHECK(text == "precious");
  struct stat found {};
  CHECK(lstat(fresh.c_str(), &found) != 0);
  CHECK(lstat(link.c_str(), &found) == 0 && S_ISLNK(found.st_mode));
  unlink(target.c_str());
}

/// A word and a colon: of file systems that MPI-IO knows it is no part of the name, all else is.
CASE(names_with_colons) {
  const std::string there = par::file_name("colon_there"), fresh = par::file_name("colon_fresh");
  const auto text_of = [](const std::string& name) {
    std::string text;
    std::ifstream(name) >> text;
    return text;
  };
  for (const bool posix : {false, true}) {
    if (par::rank() == 0) std::ofstream(there) << "precious";
    MPI_Barrier(MPI_COMM_WORLD);
    const par::Id list = par::Id(par::mpio_access());
    if (posix) CHECK(H5Pset_fapl_mpiposix(list, MPI_COMM_WORLD, false) >= 0);
    {
      // In no folder of that name.
      const par::Silence silence;
      CHECK(H5Fcreate(("xx:" + there).c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, list) < 0);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(text_of(there) == "precious");
    const hid_t file = H5Fcreate(("ufs:" + fresh).c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, list);
    CHECK(file >= 0 && H5Fclose(file) >= 0);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(H5Fis_hdf5(fresh.c_str()) > 0);
    MPI_Barrier(MPI_COMM_WORLD);
    if (par::rank() == 0) CHECK(unlink(fresh.c_str()) == 0);
  }
}
