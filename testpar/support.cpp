// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Frame of the parallel tests. Room: testpar, public headers only.

#include "support.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>
#include <vector>

namespace par {

namespace {

struct Registered {
  const char* name;
  void (*body)();
};

std::vector<Registered>& cases() {
  static std::vector<Registered> list;
  return list;
}

int world_rank = 0, world_size = 1;
int failures = 0;  // of this rank in the current case
std::vector<std::string> files;

herr_t append_message(unsigned, const H5E_error2_t* error, void* out) {
  auto* const text = static_cast<std::string*>(out);
  if (error->func_name != nullptr) *text += std::string(error->func_name) + ": ";
  if (error->desc != nullptr) *text += std::string(error->desc) + "\n";
  return 0;
}

void remove_files() {
  MPI_Barrier(MPI_COMM_WORLD);
  if (world_rank == 0)
    for (const std::string& name : files) std::remove(name.c_str());
  files.clear();
}

/// Runs one case on all ranks; true if it failed nowhere.
bool run(const Registered& test) {
  const double began = MPI_Wtime();
  failures = 0;
  test.body();
  const bool good = all(failures == 0);
  if (world_rank == 0)
    std::printf("%s %s (%.2f s)\n", good ? "ok    " : "FAILED", test.name, MPI_Wtime() - began);
  std::fflush(stdout);
  if (good) remove_files();
  files.clear();
  return good;
}

}  // namespace

__attribute__((weak)) int wanted_thread_level() { return MPI_THREAD_SINGLE; }

Case::Case(const char* name, void (*body)()) { cases().push_back({name, body}); }

int rank() { return world_rank; }
int size() { return world_size; }

bool all(bool mine) {
  int value = mine ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  return value != 0;
}

bool any(bool mine) { return !all(!mine); }

void failed_check(const char* text, const char* file, int line) {
  ++failures;
  if (failures <= 5) {
    std::fprintf(stderr, "rank %d: %s:%d: not so: %s\n", world_rank, file, line, text);
    const std::string reason = error_text();
    if (!reason.empty()) std::fprintf(stderr, "rank %d: %s", world_rank, reason.c_str());
  }
}

herr_t Id::close() {
  const hid_t id = std::exchange(id_, -1);
  if (id < 0) return 0;
  switch (H5Iget_type(id)) {
    case H5I_FILE: return H5Fclose(id);
    case H5I_GROUP: return H5Gclose(id);
    case H5I_DATASET: return H5Dclose(id);
    case H5I_DATASPACE: return H5Sclose(id);
    case H5I_DATATYPE: return H5Tclose(id);
    case H5I_ATTR: return H5Aclose(id);
    case H5I_GENPROP_LST: return H5Pclose(id);
    default: return -1;
  }
}

hid_t mpio_access(MPI_Comm comm, H5F_libver_t low) {
  const hid_t list = H5Pcreate(H5P_FILE_ACCESS);
  CHECK(list >= 0 && H5Pset_fapl_mpio(list, comm, MPI_INFO_NULL) >= 0);
  CHECK(H5Pset_libver_bounds(list, low, H5F_LIBVER_LATEST) >= 0);
  return list;
}

Id create_file(const std::string& name) {
  const Id access(mpio_access());
  Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
  CHECK(file.valid());
  return file;
}

Id open_file(const std::string& name, unsigned flags) {
  const Id access(mpio_access());
  Id file(H5Fopen(name.c_str(), flags, access));
  CHECK(file.valid());
  return file;
}

hid_t transfer_list(H5FD_mpio_xfer_t mode) {
  const hid_t list = H5Pcreate(H5P_DATASET_XFER);
  CHECK(list >= 0 && H5Pset_dxpl_mpio(list, mode) >= 0);
  return list;
}

std::string file_name(const std::string& word) {
  const char* const folder = std::getenv("PCIO_TEST_TMP");
  long id = static_cast<long>(getpid());
  MPI_Bcast(&id, 1, MPI_LONG, 0, MPI_COMM_WORLD);
  files.push_back(std::string(folder != nullptr ? folder : ".") + "/" + word + "." +
                  std::to_string(id) + "." + std::to_string(world_size) + ".h5");
  return files.back();
}

bool collective_by_itself() {
  const Id access(mpio_access()), list(transfer_list(H5FD_MPIO_COLLECTIVE));
  const Id file(H5Fcreate(file_name("probe").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
  const Id space(H5Screate(H5S_SCALAR));
  const Id dataset(
      H5Dcreate2(file, "data", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  const int value = 1;
  uint32_t local = 0, global = 0;
  H5Dwrite(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, list, &value);
  H5Pget_mpio_no_collective_cause(list, &local, &global);
  return global == 0;
}

std::string error_text() {
  std::string text;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, append_message, &text);
  H5Eclear2(H5E_DEFAULT);
  return text;
}

Silence::Silence() {
  H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Silence::~Silence() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }

}  // namespace par

int main(int argc, char** argv) {
  int granted = MPI_THREAD_SINGLE;
  if (par::wanted_thread_level() == MPI_THREAD_SINGLE)
    MPI_Init(&argc, &argv);
  else
    MPI_Init_thread(&argc, &argv, par::wanted_thread_level(), &granted);
  MPI_Comm_rank(MPI_COMM_WORLD, &par::world_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &par::world_size);
  const char* const expected = std::getenv("PCIO_TEST_NP");
  if (expected != nullptr && std::atoi(expected) != par::world_size) {
    std::fprintf(stderr, "%s ranks were started, this world has %d\n", expected, par::world_size);
    MPI_Abort(MPI_COMM_WORLD, 3);
  }
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // failed checks print the stack themselves
  int failed = 0;
  for (const par::Registered& test : par::cases()) {
    if (argc > 1 && std::strstr(test.name, argv[1]) == nullptr) continue;
    if (!par::run(test)) ++failed;
  }
  if (par::rank() == 0) std::printf("%d cases failed\n", failed);
  MPI_Finalize();
  return failed == 0 ? 0 : 1;
}
