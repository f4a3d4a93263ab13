// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// What the lives of datasets need of MPI and of lists. Room: testpar.

#ifndef PCIO_TESTPAR_SPACE_FRAME_HPP
#define PCIO_TESTPAR_SPACE_FRAME_HPP

#include <hdf5.h>
#include <mpi.h>
#include <utility>

namespace par {

inline int rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}
inline int size() {
  int size = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}
/// True on all ranks if `mine` is true on any. Collective over the world.
inline bool any(bool mine) {
  int word = mine ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &word, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return word != 0;
}
inline bool all(bool mine) { return !any(!mine); }

/// Closes what it holds; move-only.
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
  operator hid_t() const { return id_; }  // ids are given to C functions all over
  bool valid() const { return id_ >= 0; }
  herr_t close();
  /// Somebody else has closed it.
  void release() { id_ = -1; }

 private:
  hid_t id_ = -1;
};

inline herr_t Id::close() {
  const hid_t id = std::exchange(id_, -1);
  if (id < 0) return 0;
  switch (H5Iget_type(id)) {
    case H5I_FILE: return H5Fclose(id);
    case H5I_DATASET: return H5Dclose(id);
    case H5I_DATASPACE: return H5Sclose(id);
    default: return H5Pclose(id);
  }
}

inline Id mpio_access(H5F_libver_t low) {
  Id access(H5Pcreate(H5P_FILE_ACCESS));
  H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
  H5Pset_libver_bounds(access, low, H5F_LIBVER_LATEST);
  return access;
}
inline Id transfer_list(H5FD_mpio_xfer_t mode) {
  Id list(H5Pcreate(H5P_DATASET_XFER));
  H5Pset_dxpl_mpio(list, mode);
  return list;
}

}  // namespace par

#endif
