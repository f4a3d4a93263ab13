// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// What the system said: an error of every call that touches a file has the system's own reason, with its
// number, in each driver. Run by reasons.sh, with Open MPI on ompio and on romio.
// Room: testpar, public headers only, and faults/ for failures on demand.

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

#include <mpi.h>
#include <pcio.h>

#include "faults/cells.hpp"

using namespace faults;

namespace {

enum class Driver { kSec2, kCore, kMpio, kMpiposix };
constexpr Driver kDrivers[] = {Driver::kSec2, Driver::kCore, Driver::kMpio, Driver::kMpiposix};

/// Of which few at the end are written: files that may not grow so far may still be longer than what MPI
/// puts into shared memory, for which the same limit holds.
constexpr hsize_t kElements = hsize_t{1} << 28, kWritten = 120000;
hsize_t elements(Driver driver) { return driver == Driver::kCore ? kWritten : kElements; }
/// Bytes.
rlim_t limit_for(Driver driver) { return driver == Driver::kCore ? 20000 : rlim_t{256} << 20; }

/// Of the call before; empty: it succeeded.
std::string text_of(bool done) { return done ? "" : par::error_text() + "."; }

const char* name_of(Driver driver) {
  static constexpr const char* kNames[] = {"sec2", "core", "mpio", "mpiposix"};
  return kNames[static_cast<int>(driver)];
}

bool is_parallel(Driver driver) { return driver == Driver::kMpio || driver == Driver::kMpiposix; }

Id access_for(Driver driver) {
  Id list(H5Pcreate(H5P_FILE_ACCESS));
  switch (driver) {
    case Driver::kSec2: H5Pset_fapl_sec2(list); break;
    case Driver::kCore: H5Pset_fapl_core(list, 65536, true); break;
    case Driver::kMpio: H5Pset_fapl_mpio(list, MPI_COMM_WORLD, MPI_INFO_NULL); break;
    case Driver::kMpiposix: H5Pset_fapl_mpiposix(list, MPI_COMM_WORLD, false); break;
  }
  pcio_set_fapl_durability(list, PCIO_DURABILITY_CHECKED);
  return list;
}

std::string words_of(int error) {
  return "errno = " + std::to_string(error) + ", error message = '" + std::strerror(error) + "'";
}

/// The call failed here, and says why in the system's words. A rank on which only others failed has their
/// text.
void expect_reason(const std::string& what, const std::string& text, int error) {
  judge(!text.empty(), what + " succeeds");
  judge(text.find(words_of(error)) != std::string::npos,
        what + ": no \"" + words_of(error) + "\" in: " + text);
}

/// Serial drivers are one rank's; the others wait for `body` at the next judgement. Collective.
void for_each_driver(const char* word,
                     const std::function<void(Driver, const std::string&)>& body) {
  const par::Silence silence;
  for (const Driver driver : kDrivers) {
    const std::string own = is_parallel(driver) ? "" : "." + std::to_string(par::rank());
    begin_cell(std::string(word) + ", " + name_of(driver));
    ++counts.struck;
    begin_watch();
    body(driver, par::file_name(std::string("reasons-") + name_of(driver)) + own);
    end_watch();
  }
}

/// A file with a dataset that has no space yet.
struct Scene {
  std::string name;
  Id file, data;
  Scene(Driver driver, std::string path) : name(std::move(path)) {
    file = Id(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access_for(driver)));
    const hsize_t count = elements(driver);
    const Id space(H5Screate_simple(1, &count, nullptr)), list(H5Pcreate(H5P_DATASET_CREATE));
    H5Pset_fill_time(list, H5D_FILL_TIME_NEVER);
    data = Id(H5Dcreate2(file, "x", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT));
    CHECK(data.valid());
  }
  ~Scene() {
    data.close();
    file.close();
    MPI_Barrier(MPI_COMM_WORLD);
    unlink(name.c_str());
  }
};

/// This rank's share of the last elements, collectively or alone; the error's text.
std::string transfer(const Scene& scene, Driver driver, H5FD_mpio_xfer_t mode,
                     pcio_transport_t transport, bool write) {
  const auto size = static_cast<hsize_t>(is_parallel(driver) ? par::size() : 1);
  const hsize_t count = kWritten / size;
  const hsize_t start = elements(driver) - kWritten +
                        (is_parallel(driver) ? count * static_cast<hsize_t>(par::rank()) : 0);
  const Id space(H5Dget_space(scene.data)), memory(H5Screate_simple(1, &count, nullptr));
  H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &count, nullptr);
  const Id list(H5Pcreate(H5P_DATASET_XFER));
  if (is_parallel(driver)) H5Pset_dxpl_mpio(list, mode);
  pcio_set_dxpl_transport(list, transport);
  std::vector<int> values(count, 1);
  const herr_t moved =
      write ? H5Dwrite(scene.data, H5T_NATIVE_INT, memory, space, list, values.data())
            : H5Dread(scene.data, H5T_NATIVE_INT, memory, space, list, values.data());
  return text_of(moved >= 0);
}

struct Kind {
  const char* name;
  H5FD_mpio_xfer_t mode;
  pcio_transport_t transport;
};
constexpr Kind kKinds[] = {
    {"independent", H5FD_MPIO_INDEPENDENT, PCIO_TRANSPORT_NONE},
    {"collective", H5FD_MPIO_COLLECTIVE, PCIO_TRANSPORT_NONE},
    {"by exchange", H5FD_MPIO_COLLECTIVE, PCIO_TRANSPORT_EXCHANGE},
    {"by view", H5FD_MPIO_COLLECTIVE, PCIO_TRANSPORT_VIEW},
};

/// Calls `step(kind)` for each way of transfer that the driver has, and that MPI can be trusted with: ranks
/// of ompio wait for an owner whose write failed.
void for_each_kind(Driver driver, const std::function<void(const Kind&)>& step) {
  for (const Kind& kind : kKinds) {
    if (!is_parallel(driver) && kind.mode == H5FD_MPIO_COLLECTIVE) break;
    const std::vector<pcio_transport_t> trusted = transports(true);
    if (kind.transport == PCIO_TRANSPORT_VIEW &&
        (driver == Driver::kMpiposix ||
         std::find(trusted.begin(), trusted.end(), kind.transport) == trusted.end()))
      break;
    step(kind);
  }
}

/// No file of this process may become longer than so many bytes.
class FileLimit {
 public:
  explicit FileLimit(rlim_t bytes) {
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before_);
    rlimit tight = before_;
    tight.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &tight);
  }
  FileLimit(const FileLimit&) = delete;
  FileLimit& operator=(const FileLimit&) = delete;
  ~FileLimit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int) = nullptr;
};

bool info_is_kept = false;

}  // namespace

extern "C" int MPI_File_get_info(MPI_File file, MPI_Info* info) {
  return info_is_kept ? MPI_ERR_OTHER : PMPI_File_get_info(file, info);
}

CASE(files_that_cannot_be_opened) {
  for_each_driver("opening", [](Driver driver, const std::string& name) {
    const std::string folder = name + ".missing/x.h5", loop = name + ".loop";
    if (par::rank() == 0 || !is_parallel(driver)) {
      unlink(loop.c_str());
      CHECK(symlink(loop.c_str(), loop.c_str()) == 0);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    const std::string longer(5000, 'x');
    const struct {
      std::string path;
      int error;
    } cases[] = {{folder, ENOENT},
                 {"/dev/null/x.h5", ENOTDIR},
                 {loop, ELOOP},
                 {longer, ENAMETOOLONG},
                 {longer.substr(0, 300), ENAMETOOLONG}};
    for (const auto& one : cases) {
      const Id list(access_for(driver));
      const Id made(H5Fcreate(one.path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, list));
      expect_reason("creating", text_of(made.valid()), one.error);
      const Id opened(H5Fopen(one.path.c_str(), H5F_ACC_RDONLY, list));
      expect_reason("opening", text_of(opened.valid()), one.error);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    unlink(loop.c_str());
  });
}

/// The limit on file sizes is every rank's own, so all of them fail.
CASE(files_that_may_not_grow) {
  for_each_driver("limit", [](Driver driver, const std::string& name) {
    for_each_kind(driver, [&](const Kind& kind) {
      if (driver == Driver::kCore) return;
      Scene scene(driver, name);
      const FileLimit limit(limit_for(driver));
      expect_reason(std::string("a write ") + kind.name,
                    transfer(scene, driver, kind.mode, kind.transport, true), EFBIG);
    });
    Scene scene(driver, name);
    // Space that nobody has written: the flush makes the file as long.
    const hsize_t count = elements(driver);
    const Id list(H5Pcreate(H5P_DATASET_CREATE)), space(H5Screate_simple(1, &count, nullptr));
    H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY);
    H5Pset_fill_time(list, H5D_FILL_TIME_NEVER);
    const FileLimit limit(limit_for(driver));
    const Id more(
        H5Dcreate2(scene.file, "y", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT));
    CHECK(more.valid());
    expect_reason("a flush", text_of(H5Fflush(scene.file, H5F_SCOPE_GLOBAL) >= 0), EFBIG);
  });
}

CASE(disks_that_fail) {
  for_each_driver("bad disk", [](Driver driver, const std::string& name) {
    for (const int error : {EIO, EROFS, EDQUOT, ENOSPC}) {
      Scene scene(driver, name);
      CHECK(transfer(scene, driver, H5FD_MPIO_INDEPENDENT, PCIO_TRANSPORT_NONE, true).empty());
      if (is_parallel(driver)) CHECK(H5Fflush(scene.file, H5F_SCOPE_GLOBAL) >= 0);
      for_each_kind(driver, [&](const Kind& kind) {
        if (driver == Driver::kCore) return;
        for (const bool write : {true, false}) {
          MPI_Barrier(MPI_COMM_WORLD);
          inject::arm(Fault::kBadDisk, static_cast<std::uint64_t>(error), scene.name);
          const std::string done = transfer(scene, driver, kind.mode, kind.transport, write);
          CHECK(par::any(inject::disarm()));  // not every rank touches the file
          expect_reason(std::string(write ? "a write " : "a read ") + kind.name, done, error);
        }
      });
      MPI_Barrier(MPI_COMM_WORLD);
      const Id more(H5Gcreate2(scene.file, "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
      inject::arm(Fault::kBadDisk, static_cast<std::uint64_t>(error), scene.name);
      const std::string done = text_of(H5Fflush(scene.file, H5F_SCOPE_GLOBAL) >= 0);
      inject::disarm();
      expect_reason("a flush", done, error);
    }
  });
}

/// One rank's disk: all fail, and the reason is that rank's.
CASE(one_rank_has_a_bad_disk) {
  if (par::size() == 1) return;
  const par::Silence silence;
  for (const int culprit : {0, par::size() - 1}) {
    begin_cell("one bad disk, rank " + std::to_string(culprit));
    ++counts.struck;
    begin_watch();
    Scene scene(Driver::kMpio, par::file_name("reasons-one"));
    CHECK(transfer(scene, Driver::kMpio, H5FD_MPIO_COLLECTIVE, PCIO_TRANSPORT_NONE, true).empty());
    for (const bool write : {true, false}) {
      MPI_Barrier(MPI_COMM_WORLD);
      if (par::rank() == culprit) inject::arm(Fault::kBadDisk, EIO, scene.name);
      const std::string done =
          transfer(scene, Driver::kMpio, H5FD_MPIO_COLLECTIVE, PCIO_TRANSPORT_DIRECT, write);
      inject::disarm();
      expect_reason(write ? "a write" : "a read", done, EIO);
    }
    end_watch();
  }
}

/// What moves the bytes is asked of MPI when a file is opened, and decides which reads are collective: where
/// one rank gets no answer, none goes on. Of Open MPI, whose answer says nothing, nobody asks.
CASE(one_rank_is_not_told_what_moves_its_bytes) {
  if (par::size() == 1) return;
  char version[MPI_MAX_LIBRARY_VERSION_STRING] = {};
  int length = 0;
  MPI_Get_library_version(version, &length);
  const bool is_asked = std::string(version).find("Open MPI") == std::string::npos;
  const par::Silence silence;
  for (const int culprit : {0, par::size() - 1})
    for (const bool create : {true, false}) {
      begin_cell("no info, rank " + std::to_string(culprit));
      ++counts.struck;
      begin_watch();
      const std::string name = par::file_name("reasons-info");
      const Id list(access_for(Driver::kMpio));
      if (!create) {
        CHECK(Id(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, list)).valid());
        MPI_Barrier(MPI_COMM_WORLD);
      }
      info_is_kept = par::rank() == culprit;
      const Id file(create ? H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, list)
                           : H5Fopen(name.c_str(), H5F_ACC_RDONLY, list));
      const std::string said = text_of(file.valid());
      info_is_kept = false;
      judge(is_asked ? said.find("MPI_File_get_info") != std::string::npos : file.valid(),
            "it is opened, or is not, or says: " + said);
      end_watch();
      MPI_Barrier(MPI_COMM_WORLD);
      unlink(name.c_str());
    }
}
