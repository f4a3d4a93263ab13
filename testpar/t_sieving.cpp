// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Collective writes through views on ROMIO, where the MPI library takes them apart: a rank with
// nothing hides from it that its neighbours' requests lie within each other, and each writes for
// itself, one of them by reading, changing and writing back what lies between its elements.
// Room: testpar, public headers only.

#include <cstdint>
#include <cstdlib>
#include <pcio.h>
#include <vector>

#include "support.hpp"

using par::Id;

namespace {

/// Before MPI starts. MPICH has no other component.
const int chosen = setenv("OMPI_MCA_io", "romio321", 0);

constexpr hsize_t kElements = 40000;
constexpr int kWrites = 200;

/// Rank 0 has every second element, rank 2 one of those between, all others nothing.
Id selection_of(int rank) {
  hsize_t all = kElements;
  Id space(H5Screate_simple(1, &all, nullptr));
  hsize_t start = rank == 0 ? 0 : 1, stride = 2, count = rank == 0 ? kElements / 2 : 1;
  if (rank == 0 || rank == 2)
    H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, &stride, &count, nullptr);
  else
    H5Sselect_none(space);
  return space;
}

}  // namespace

CASE(what_lies_between_a_ranks_elements_is_kept) {
  CHECK(chosen == 0);
  if (!par::collective_by_itself()) return;  // no views here
  const std::string name = par::file_name("between");
  const Id access(par::mpio_access());
  const Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
  const Id selected = selection_of(par::rank());
  hsize_t mine = static_cast<hsize_t>(H5Sget_select_npoints(selected)), all = kElements;
  const Id whole(H5Screate_simple(1, &all, nullptr));
  const Id memory(H5Screate_simple(1, &mine, nullptr));
  const Id set(
      H5Dcreate2(file, "x", H5T_NATIVE_INT64, whole, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  const Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  CHECK(pcio_set_dxpl_transport(list, PCIO_TRANSPORT_VIEW) >= 0);
  std::vector<std::int64_t> values(mine), found(kElements);
  int lost = 0;
  for (std::int64_t write = 1; write <= kWrites; ++write) {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = write;
    const bool written =
        H5Dwrite(set, H5T_NATIVE_INT64, memory, selected, list, values.data()) >= 0;
    CHECK(written);
    if (!par::all(written)) break;
    if (par::rank() == 0) {
      H5Dread(set, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, found.data());
      for (std::size_t i = 0; i < found.size(); ++i) {
        const bool has = i % 2 == 0 || (i == 1 && par::size() > 2);
        if (found[i] != (has ? write : 0)) ++lost;
      }
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  CHECK(lost == 0);
}
