// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// first_calls FILE STAGE K CULPRIT: in one of the first calls of a process (H5Fcreate, H5Dcreate2, ...) the K-th block of memory of
// rank CULPRIT is not there. All ranks come and are told the same; what failed is called again. Prints on rank 0 "struck" or
// "not struck": then the stage has no more blocks. What is made once in a process is made in its first call, so that each
// case is a program of its own. Room: testpar, public headers only, and faults/.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include <hdf5.h>
#include <mpi.h>

#include "faults/inject.hpp"

namespace {

int rank_here, ranks, failures;
void check(bool good, const std::string& what) {
  if (good) return;
  ++failures;
  std::printf("rank %d: not so: %s\n", rank_here, what.c_str());
}

bool on_any(bool here) {
  int any = here ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return any != 0;
}
/// Of a call that all ranks make together: true where all have succeeded.
bool went_alike(bool good, const std::string& name) {
  const bool all = !on_any(!good);
  check(all || !on_any(good), name + ": all ranks are told alike");
  return all;
}

enum class Kind { kCollective, kLocal };
using Deed = std::function<bool()>;

/// The stages of a program, one of which is struck.
class Stages {
 public:
  Stages(std::string file, int struck, std::uint64_t position, int culprit, Deed flush)
      : file_(std::move(file)),
        chosen_(struck),
        position_(position),
        culprit_(culprit),
        flush_(std::move(flush)) {}

  /// Makes the call, once more where it failed on all ranks. A call of metadata is each rank's own: where it failed on some of
  /// them the next flush tells all. False where the file can only be closed.
  bool next(const std::string& name, Kind kind, const Deed& deed) {
    const bool is_chosen = stage_++ == chosen_;
    if (is_chosen && culprit_ == rank_here) inject::arm(inject::Fault::kNoBlock, position_, file_);
    const bool good = deed();
    if (on_any(inject::disarm())) struck_ = true;
    if (!on_any(!good)) return true;
    check(is_chosen, name + " succeeds");
    if (kind == Kind::kLocal) {
      (void)went_alike(flush_(), "the flush after " + name);
      return false;
    }
    (void)went_alike(good, name);
    // A flush that only some ranks have planned can't be planned again.
    return went_alike(deed(), name + ", called again");
  }
  [[nodiscard]] bool struck() const { return struck_; }

 private:
  std::string file_;
  int chosen_;
  std::uint64_t position_;
  int culprit_;
  Deed flush_;
  int stage_ = 0;
  bool struck_ = false;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_here);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  const char* const name = argv[1];
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS), create = H5Pcreate(H5P_DATASET_CREATE),
              transfer = H5Pcreate(H5P_DATASET_XFER);
  H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
  H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE);
  const hsize_t chunk = 60, count = 100, start = static_cast<hsize_t>(rank_here),
                stride = static_cast<hsize_t>(ranks), size = count * stride;
  H5Pset_chunk(create, 1, &chunk);
  const hid_t space = H5Screate_simple(1, &size, nullptr), mine = H5Scopy(space),
              memory = H5Screate_simple(1, &count, nullptr), scalar = H5Screate(H5S_SCALAR);
  H5Sselect_hyperslab(mine, H5S_SELECT_SET, &start, &stride, &count, nullptr);
  std::vector<int> values(count, rank_here + 1), back(count);
  hid_t file = -1, set = -1, attribute = -1;
  const Deed flush = [&] { return H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0; };
  const auto close = [&](bool is_good) {
    if (attribute >= 0) H5Aclose(attribute);
    if (set >= 0) H5Dclose(set);
    const bool closed = file < 0 || H5Fclose(file) >= 0;
    check(!is_good || closed, "H5Fclose succeeds");
    (void)went_alike(closed, "H5Fclose");
    attribute = set = file = -1;
  };

  Stages stages(name, std::atoi(argv[2]), std::strtoull(argv[3], nullptr, 10), std::atoi(argv[4]),
                flush);
  const bool written = stages.next("H5Fcreate", Kind::kCollective, [&] {
    return (file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, access)) >= 0;
  }) && stages.next("H5Dcreate2", Kind::kLocal, [&] {
    set = H5Dcreate2(file, "data", H5T_STD_I32LE, space, H5P_DEFAULT, create, H5P_DEFAULT);
    return set >= 0;
  }) && stages.next("H5Dwrite", Kind::kCollective, [&] {
    return H5Dwrite(set, H5T_NATIVE_INT, memory, mine, transfer, values.data()) >= 0;
  }) && stages.next("H5Acreate2", Kind::kLocal, [&] {
    attribute = H5Acreate2(set, "a", H5T_STD_I32LE, scalar, H5P_DEFAULT, H5P_DEFAULT);
    return attribute >= 0;
  }) && stages.next("H5Awrite", Kind::kLocal, [&] {
    return H5Awrite(attribute, H5T_NATIVE_INT, &ranks) >= 0;
  }) && stages.next("H5Fflush", Kind::kCollective, flush);
  close(written);
  // A file that was given up is what the last commit has left.
  const bool read = written && stages.next("H5Fopen", Kind::kCollective, [&] {
    return (file = H5Fopen(name, H5F_ACC_RDONLY, access)) >= 0;
  }) && stages.next("H5Dopen2", Kind::kLocal, [&] {
    return (set = H5Dopen2(file, "data", H5P_DEFAULT)) >= 0;
  }) && stages.next("H5Dread", Kind::kCollective, [&] {
    return H5Dread(set, H5T_NATIVE_INT, memory, mine, transfer, back.data()) >= 0;
  });
  check(!read || back == values, "what was written is read");
  if (written) close(true);
  if (!written) {
    file = H5Fopen(name, H5F_ACC_RDONLY, access);
    (void)went_alike(file >= 0, "H5Fopen of what was given up");
    close(file >= 0);
  }
  for (const hid_t list : {access, create, transfer}) H5Pclose(list);
  for (const hid_t each : {space, mine, memory, scalar}) H5Sclose(each);
  MPI_Allreduce(MPI_IN_PLACE, &failures, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank_here == 0)
    std::printf("%s, %d failures\n", stages.struck() ? "struck" : "not struck", failures);
  MPI_Finalize();
  return failures == 0 ? 0 : 1;
}
