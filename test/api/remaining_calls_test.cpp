// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Calls that no other test makes (called_functions.sh counts): drivers' numbers, numbers of files, lists of the
// library's own, drivers that want MPI.

#include <mpi.h>
#include <pcio.h>
#include <sys/wait.h>

#include <vector>

#include "api/file_fixture.hpp"

namespace {

using RemainingCalls = FileTest;

/// The driver of a list that `choose` changed.
template <class Choose>
hid_t driver_after(Choose choose) {
  const hid_t list = H5Pcreate(H5P_FILE_ACCESS);
  EXPECT_EQ(choose(list), 0);
  const hid_t driver = H5Pget_driver(list);
  EXPECT_EQ(H5Pclose(list), 0);
  return driver;
}

TEST_F(RemainingCalls, DriversHaveTheNumbersThatListsTell) {
  EXPECT_EQ(H5FD_SEC2, driver_after([](hid_t list) { return H5Pset_fapl_sec2(list); }));
  EXPECT_EQ(H5FD_STDIO, driver_after([](hid_t list) { return H5Pset_fapl_stdio(list); }));
  EXPECT_EQ(H5FD_CORE,
            driver_after([](hid_t list) { return H5Pset_fapl_core(list, 1024, false); }));
  EXPECT_EQ(H5FD_FAMILY,
            driver_after([](hid_t list) { return H5Pset_fapl_family(list, 1024, H5P_DEFAULT); }));
  EXPECT_EQ(H5FD_LOG,
            driver_after([](hid_t list) { return H5Pset_fapl_log(list, nullptr, 0, 0); }));
  const hid_t all[] = {H5FD_SEC2, H5FD_STDIO,       H5FD_CORE,           H5FD_FAMILY,
                       H5FD_LOG,  H5FD_mpio_init(), H5FD_mpiposix_init()};
  for (const hid_t& one : all) {
    EXPECT_EQ(H5Iget_type(one), H5I_VFL);
    for (const hid_t& other : all) EXPECT_EQ(&one == &other, one == other);
  }
}

TEST_F(RemainingCalls, AFileHasOneNumberHoweverItIsOpened) {
  unsigned long first = 0, second = 0, other = 0;
  const hid_t again = H5Fopen(path().c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  const pcio::test::TempPath name("other.h5");
  const hid_t another = H5Fcreate(name.str().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  EXPECT_EQ(H5Fget_fileno(file, &first), 0);
  EXPECT_EQ(H5Fget_fileno(again, &second), 0);
  EXPECT_EQ(H5Fget_fileno(another, &other), 0);
  EXPECT_EQ(first, second);
  EXPECT_NE(first, other);
  EXPECT_EQ(H5Fclose(again) | H5Fclose(another), 0);
}

H5Z_cb_return_t go_on(H5Z_filter_t, void*, size_t, void*) { return H5Z_CB_CONT; }

TEST_F(RemainingCalls, ListsOfTheLibrarysOwnKeepWhatTheyGet) {
  const hid_t transfer = H5Pcreate(H5P_DATASET_XFER), set = H5Pcreate(H5P_DATASET_ACCESS),
              access = H5Pcreate(H5P_FILE_ACCESS);
  H5Z_filter_func_t function = nullptr;
  void* data = nullptr;
  EXPECT_EQ(H5Pset_filter_callback(transfer, go_on, &function), 0);
  EXPECT_EQ(pcio_get_filter_callback(transfer, &function, &data), 0);
  EXPECT_TRUE(function == go_on && data == &function);

  hbool_t late = true;
  EXPECT_EQ(pcio_get_dapl_late_allocation(set, &late), 0);
  EXPECT_FALSE(late);
  EXPECT_EQ(pcio_set_dapl_late_allocation(set, true), 0);
  EXPECT_EQ(pcio_get_dapl_late_allocation(set, &late), 0);
  EXPECT_TRUE(late);

  pcio_durability_t level = PCIO_DURABILITY_CHECKED;
  EXPECT_EQ(pcio_get_fapl_durability(access, &level), 0);
  EXPECT_EQ(level, PCIO_DURABILITY_NONE);
  EXPECT_EQ(pcio_set_fapl_durability(access, PCIO_DURABILITY_POWER_LOSS), 0);
  EXPECT_EQ(pcio_get_fapl_durability(access, &level), 0);
  EXPECT_EQ(level, PCIO_DURABILITY_POWER_LOSS);

  size_t bytes = 0;
  EXPECT_EQ(pcio_get_fapl_waiting_memory(access, &bytes), 0);
  EXPECT_EQ(bytes, size_t{64} << 20);
  EXPECT_EQ(pcio_set_fapl_waiting_memory(access, 4096), 0);
  EXPECT_EQ(pcio_get_fapl_waiting_memory(access, &bytes), 0);
  EXPECT_EQ(bytes, 4096U);

  // A parallel libhdf5 refuses it.
  hbool_t evict = false;
  EXPECT_EQ(H5Pset_evict_on_close(access, true), 0);
  EXPECT_EQ(H5Pget_evict_on_close(access, &evict), 0);
  EXPECT_TRUE(evict);
  EXPECT_EQ(H5Pclose(transfer) | H5Pclose(set) | H5Pclose(access), 0);
}

TEST_F(RemainingCalls, ASerialFileHasNoRanksAndOneOutcome) {
  int rank = -1, ranks = -1;
  EXPECT_EQ(pcio_get_ranks(file, &rank, &ranks), 0);
  EXPECT_TRUE(rank == 0 && ranks == 0);
  EXPECT_EQ(pcio_get_ranks(file, nullptr, nullptr), 0);
  uint64_t least = 0, most = 0;
  EXPECT_EQ(pcio_agree(file, 0, 17, &least, &most), 0);
  EXPECT_TRUE(least == 17 && most == 17);
  EXPECT_EQ(pcio_agree(file, 0, 17, nullptr, nullptr), 0);
  // What a call before has put on the error stack is the reason, and stays there.
  EXPECT_LT(H5Dopen2(file, "nowhere", H5P_DEFAULT), 0);
  const ssize_t entries = H5Eget_num(H5E_DEFAULT);
  EXPECT_LT(pcio_agree(file, -1, 0, nullptr, nullptr), 0);
  EXPECT_GT(H5Eget_num(H5E_DEFAULT), entries);
  EXPECT_EQ(pcio_agree(file, 0, 0, nullptr, nullptr), 0);
  EXPECT_EQ(H5Eget_num(H5E_DEFAULT), 0);
  EXPECT_LT(pcio_agree(H5P_DEFAULT, 0, 0, nullptr, nullptr), 0);
  EXPECT_LT(pcio_get_ranks(H5T_NATIVE_INT, &rank, &ranks), 0);
}

TEST_F(RemainingCalls, TheListOfAnOpenFileHasNoImage) {
  ASSERT_EQ(H5Fflush(file, H5F_SCOPE_GLOBAL), 0);
  std::vector<char> bytes(static_cast<size_t>(H5Fget_file_image(file, nullptr, 0)));
  ASSERT_GT(H5Fget_file_image(file, bytes.data(), bytes.size()), 0);
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  ASSERT_EQ(H5Pset_fapl_core(access, 4096, false), 0);
  ASSERT_EQ(H5Pset_file_image(access, bytes.data(), bytes.size()), 0);
  const hid_t image = H5Fopen("no such file", H5F_ACC_RDWR, access);
  ASSERT_GE(image, 0) << first_error();
  const hid_t list = H5Fget_access_plist(image);
  void* held = bytes.data();
  size_t length = 1;
  EXPECT_EQ(H5Pget_file_image(list, &held, &length), 0);
  EXPECT_TRUE(held == nullptr && length == 0);
  EXPECT_EQ(H5Pclose(list) | H5Fclose(image) | H5Pclose(access), 0);
}

TEST_F(RemainingCalls, RegionsAreAskedForByReference) {
  hdset_reg_ref_t nothing;
  memset(&nothing, 0, sizeof nothing);
  EXPECT_LT(H5Rget_region(file, H5R_DATASET_REGION, &nothing), 0);
}

TEST_F(RemainingCalls, AClosedFileIsWhole) {
  EXPECT_EQ(H5Fclose(file), 0);
  pcio_commit_info_t info{};
  ASSERT_EQ(pcio_get_commit_info(path().c_str(), &info, sizeof info), 0) << first_error();
  EXPECT_EQ(info.version, static_cast<unsigned>(PCIO_COMMIT_INFO_VERSION));
  EXPECT_EQ(info.state, PCIO_COMMIT_WHOLE);
  EXPECT_EQ(info.file_size, info.end_of_file);
  EXPECT_EQ(pcio_complete_commit(path().c_str()), 0);
  EXPECT_LT(pcio_complete_commit("/nothing/there"), 0);
}

/// What needs MPI_Init, in a process of its own: true where it held.
template <class FirstError>
bool with_mpi(FirstError first_error) {
  if (MPI_Init(nullptr, nullptr) != MPI_SUCCESS) return false;
  MPI_Comm comm = MPI_COMM_NULL;
  hbool_t flag = false;
  int answer = MPI_UNEQUAL;
  const hid_t list = H5Pcreate(H5P_FILE_ACCESS);
  bool good = H5Pset_fapl_mpiposix(list, MPI_COMM_WORLD, true) == 0 &&
              H5Pget_driver(list) == H5FD_mpiposix_init() &&
              H5Pget_fapl_mpiposix(list, &comm, &flag) == 0 && flag;
  good = good && MPI_Comm_compare(comm, MPI_COMM_WORLD, &answer) == MPI_SUCCESS &&
         answer == MPI_CONGRUENT && MPI_Comm_free(&comm) == MPI_SUCCESS;
  good = good && H5Pset_fapl_mpio(list, MPI_COMM_NULL, MPI_INFO_NULL) < 0 &&
         H5Pset_fapl_mpiposix(H5P_DATASET_XFER, MPI_COMM_WORLD, false) < 0;
  // Of a split file neither half may be one of many ranks.
  const hid_t split = H5Pcreate(H5P_FILE_ACCESS);
  good = good && H5Pset_fapl_split(split, nullptr, list, nullptr, H5P_DEFAULT) == 0 &&
         H5Fcreate("/tmp/pcio-never-made", H5F_ACC_TRUNC, H5P_DEFAULT, split) < 0 &&
         first_error().find("can't be opened with MPI") != std::string::npos;
  good = good && H5Pclose(split) == 0;
  good = good && H5Pclose(list) == 0;
  return MPI_Finalize() == MPI_SUCCESS && good;
}

TEST_F(RemainingCalls, TheMpiposixDriverKeepsItsCommunicator) {
  const pid_t child = fork();
  if (child == 0) _exit(with_mpi(first_error) ? 0 : 1);
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

}  // namespace
