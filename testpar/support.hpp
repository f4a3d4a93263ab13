// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Frame of the parallel tests: cases that all ranks run and judge together.
// Room: testpar, public headers only.
//
// A case fails if a check fails on any rank; the result is agreed, so that no rank goes on alone.
// The program fails if the world is not as large as the launcher's PCIO_TEST_NP says: a program
// started by another MPI library's mpirun runs as several worlds of one rank.

#ifndef PCIO_TESTPAR_SUPPORT_HPP
#define PCIO_TESTPAR_SUPPORT_HPP

#include <hdf5.h>
#include <string>
#include <utility>

#include <mpi.h>

namespace par {

/// This process's rank and the number of ranks, of MPI_COMM_WORLD.
int rank();
int size();

/// What the program wants of MPI_Init_thread: MPI_THREAD_SINGLE where it does not define this itself.
int wanted_thread_level();

/// True on all ranks if `mine` is true on all ranks. Collective over the world.
bool all(bool mine);
/// True on all ranks if `mine` is true on any rank. Collective over the world.
bool any(bool mine);

/// Notes a failed check of this rank; use CHECK.
void failed_check(const char* text, const char* file, int line);

#define CHECK(condition)                                                   \
  do {                                                                     \
    if (!(condition)) ::par::failed_check(#condition, __FILE__, __LINE__); \
  } while (false)

/// Registers a case at program start; use CASE(name) { ... }.
struct Case {
  Case(const char* name, void (*body)());
};

#define CASE(name)                                   \
  static void name();                                \
  static const ::par::Case name##_case(#name, name); \
  static void name()

/// Closes what it holds at the end of its scope; move-only.
class Id {
 public:
  Id() = default;
  explicit Id(hid_t id) : id_(id) {}
  Id(Id&& other) noexcept : id_(std::exchange(other.id_, -1)) {}
  Id& operator=(Id&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  ~Id() { close(); }
  operator hid_t() const { return id_; }  // ids are given to C functions all over the tests
  bool valid() const { return id_ >= 0; }
  /// Closes now; negative if that failed.
  herr_t close();

 private:
  hid_t id_ = -1;
};

/// An access list for `comm` with MPI-IO and the given low format bound.
hid_t mpio_access(MPI_Comm comm = MPI_COMM_WORLD, H5F_libver_t low = H5F_LIBVER_EARLIEST);
/// A file of all ranks, made or opened. Collective.
Id create_file(const std::string& name);
Id open_file(const std::string& name, unsigned flags);
/// A transfer list, collective or independent.
hid_t transfer_list(H5FD_mpio_xfer_t mode);

/// False where the library does collective transfers independently unless it is told how to move
/// the bytes: configure, or HDF5_MPI_OPT_TYPES=0, found MPI's derived types not to work.
/// Collective.
bool collective_by_itself();

/// A name for a file of this case, the same on all ranks; removed after the case on success.
std::string file_name(const std::string& word);

/// The whole error stack of this rank as one text, which is then cleared.
std::string error_text();

/// A rank's wish to see its own errors: silence while failures are expected.
class Silence {
 public:
  Silence();
  ~Silence();
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;

 private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

}  // namespace par

#endif
