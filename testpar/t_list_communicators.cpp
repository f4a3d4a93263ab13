// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Parallel settings of property lists: who owns communicators and infos; the rank in error texts.
// Room: testpar, public headers only.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

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

/// MPI_Init promised MPI that there is one thread, and there are two that take turns.
CASE(another_thread_goes_on_with_files_of_ranks) {
  const Id file = par::create_file(par::file_name("one_thread"));
  herr_t flushed = -1, made = -1;
  std::thread other([&] {
    flushed = H5Fflush(file, H5F_SCOPE_GLOBAL);
    const Id list(H5Pcreate(H5P_FILE_ACCESS));
    made = H5Pset_fapl_mpio(list, MPI_COMM_WORLD, MPI_INFO_NULL);
  });
  other.join();
  CHECK(flushed >= 0 && made >= 0);
  // Local calls, which may meet.
  const auto look = [&file](int* opened) {
    for (int i = 0; i < 100; ++i) *opened += Id(H5Gopen2(file, "/", H5P_DEFAULT)).valid();
  };
  int here = 0, there = 0;
  std::thread beside(look, &there);
  look(&here);
  beside.join();
  CHECK(here == 100);
  CHECK(there == 100);
  const Id group(H5Gopen2(file, "/", H5P_DEFAULT));
  CHECK(group.valid());
}

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

namespace {

/// A list of a class that this rank alone has, with properties that every rank has otherwise.
hid_t list_of_its_own(hid_t parent) {
  int number = par::rank();
  hid_t cls = H5Pcreate_class(parent, par::rank() % 2 == 0 ? "even" : "odd", nullptr, nullptr,
                              nullptr, nullptr, nullptr, nullptr);
  H5Pregister2(cls, "number", sizeof number, &number, nullptr, nullptr, nullptr, nullptr, nullptr,
               nullptr, nullptr);
  hid_t list = H5Pcreate(cls);
  H5Pclose_class(cls);
  if (par::rank() > 0)
    H5Pinsert2(list, "another", sizeof number, &number, nullptr, nullptr, nullptr, nullptr, nullptr,
               nullptr);
  return list;
}

}  // namespace

// What a program keeps in its lists is its own: nothing of it is compared, and no rank has to have it.
CASE(properties_of_programs_may_differ_between_ranks) {
  const Id fapl(list_of_its_own(H5P_FILE_ACCESS));
  const Id fcpl(list_of_its_own(H5P_FILE_CREATE));
  const Id dcpl(list_of_its_own(H5P_DATASET_CREATE));
  const Id dxpl(list_of_its_own(H5P_DATASET_XFER));
  CHECK(H5Pset_fapl_mpio(fapl, MPI_COMM_WORLD, MPI_INFO_NULL) >= 0);
  CHECK(H5Pset_dxpl_mpio(dxpl, H5FD_MPIO_COLLECTIVE) >= 0);
  const std::string path = par::file_name("own_properties");
  hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, fcpl, fapl);
  CHECK(file >= 0);
  const hsize_t n = static_cast<hsize_t>(par::size());
  const hsize_t mine = static_cast<hsize_t>(par::rank());
  const hsize_t one = 1;
  hid_t space = H5Screate_simple(1, &n, nullptr);
  hid_t data = H5Dcreate2(file, "d", H5T_NATIVE_INT, space, H5P_DEFAULT, dcpl, H5P_DEFAULT);
  CHECK(data >= 0);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, &mine, nullptr, &one, nullptr);
  hid_t memory = H5Screate_simple(1, &one, nullptr);
  int value = par::rank();
  CHECK(H5Dwrite(data, H5T_NATIVE_INT, memory, space, dxpl, &value) >= 0);
  value = -1;
  CHECK(H5Dread(data, H5T_NATIVE_INT, memory, space, dxpl, &value) >= 0);
  CHECK(value == par::rank());
  haddr_t before = 0;
  H5Fget_eoa(file, &before);
  CHECK(H5Fincrement_filesize(file, 1000) >= 0);
  haddr_t after = 0;
  H5Fget_eoa(file, &after);
  CHECK(after == before + 1000);
  H5Sclose(memory);
  H5Sclose(space);
  CHECK(H5Dclose(data) >= 0);
  CHECK(H5Fclose(file) >= 0);
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
