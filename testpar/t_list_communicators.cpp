// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Parallel settings of property lists: who owns communicators and infos; the rank in error texts.
// Room: testpar, public headers only.

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "support.hpp"

#ifdef PCIO_VERSION

using par::Id;

namespace {

bool congruent(MPI_Comm a, MPI_Comm b) {
  int result = MPI_UNEQUAL;
  MPI_Comm_compare(a, b, &result);
  return result == MPI_CONGRUENT;
}

std::string info_value(MPI_Info info, const char* key) {
  char value[MPI_MAX_INFO_VAL + 1] = "";
  int found = 0;
  MPI_Info_get(info, key, MPI_MAX_INFO_VAL, value, &found);
  return found ? value : "";
}

/// What H5Eprint2 writes.
std::string printed_errors() {
  char* text = nullptr;
  std::size_t size = 0;
  std::FILE* stream = open_memstream(&text, &size);
  H5Eprint2(H5E_DEFAULT, stream);
  std::fclose(stream);
  std::string result(text, size);
  std::free(text);
  return result;
}

}  // namespace

CASE(the_list_duplicates_communicator_and_info) {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Info info = MPI_INFO_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Info_create(&info);
  MPI_Info_set(info, "hdf_info_name", "XYZ");

  const Id list(H5Pcreate(H5P_FILE_ACCESS));
  CHECK(H5Pset_fapl_mpio(list, comm, info) >= 0);
  CHECK(H5Pget_driver(list) == H5FD_MPIO);
  // The user's own may go: the list has its own.
  MPI_Comm_free(&comm);
  MPI_Info_free(&info);
  const Id copy(H5Pcopy(list));

  for (hid_t from : {hid_t{list}, hid_t{copy}}) {
    CHECK(H5Pget_fapl_mpio(from, &comm, &info) >= 0);
    CHECK(congruent(comm, MPI_COMM_WORLD));
    CHECK(info_value(info, "hdf_info_name") == "XYZ");
    MPI_Comm_free(&comm);
    MPI_Info_free(&info);
  }
  CHECK(H5Pget_fapl_mpio(copy, &comm, nullptr) >= 0);
  MPI_Comm_free(&comm);
  CHECK(H5Pequal(list, copy) > 0);
}

CASE(a_new_driver_replaces_the_old_one) {
  const Id list(H5Pcreate(H5P_FILE_ACCESS));
  CHECK(H5Pset_fapl_mpio(list, MPI_COMM_WORLD, MPI_INFO_NULL) >= 0);
  MPI_Info info = MPI_INFO_NULL;
  CHECK(H5Pget_fapl_mpio(list, nullptr, &info) >= 0);
  CHECK(info == MPI_INFO_NULL);
  CHECK(H5Pset_fapl_sec2(list) >= 0);
  CHECK(H5Pget_driver(list) == H5FD_SEC2);
  const par::Silence silence;
  CHECK(H5Pget_fapl_mpio(list, nullptr, &info) < 0);
}

CASE(a_bad_list_on_one_rank_does_not_stop_the_others) {
  const par::Silence silence;
  const Id list(H5Pcreate(H5P_FILE_ACCESS));
  const bool bad = par::rank() == par::size() - 1;
  const herr_t result = H5Pset_fapl_mpio(bad ? 12345 : hid_t{list}, MPI_COMM_WORLD, MPI_INFO_NULL);
  CHECK((result < 0) == bad);
}

CASE(no_communicator_is_an_error) {
  const par::Silence silence;
  const Id list(H5Pcreate(H5P_FILE_ACCESS));
  CHECK(H5Pset_fapl_mpio(list, MPI_COMM_NULL, MPI_INFO_NULL) < 0);
  CHECK(H5Pset_fapl_mpiposix(list, MPI_COMM_NULL, 0) < 0);
  CHECK(H5Pget_driver(list) == H5FD_SEC2);
}

CASE(error_texts_name_the_rank) {
  const par::Silence silence;
  CHECK(H5Pclose(12345) < 0);
  const std::string text = printed_errors();
  const std::string header = "HDF5-DIAG: Error detected in HDF5 (1.10.8) MPI-process " +
                             std::to_string(par::rank()) + ":\n";
  CHECK(text.compare(0, header.size(), header) == 0);
}

#endif
