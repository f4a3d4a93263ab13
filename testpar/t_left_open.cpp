// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// A program that forgets to close: file, dataset and lists are open at MPI_Finalize, and what was
// written is in the file afterwards; also where one rank alone forgets, and the others close. Room: testpar, public
// headers only.

#include <cstdio>
#include <cstdlib>
#include <hdf5.h>
#include <string>
#include <unistd.h>
#include <vector>

#include <mpi.h>

namespace {

constexpr hsize_t kWidth = 50;

hid_t make_file(const std::string& name, H5F_close_degree_t degree) {
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
  H5Pset_fclose_degree(access, degree);
  const hid_t file = H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
  H5Gclose(H5Gcreate2(file, "made", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  return file;
}

constexpr const char* kMixed[] = {".closed", ".refused", ".parent", ".mounted", ".twice"};

/// Files that rank 0 leaves to MPI_Finalize and the others close: one that they can; one in which a rank has an
/// object, so that it is given up, and committed; one with another one mounted in it; one with two ids.
struct Mixed {
  explicit Mixed(const std::string& name)
      : closed(make_file(name + kMixed[0], H5F_CLOSE_WEAK)),
        refused(make_file(name + kMixed[1], H5F_CLOSE_SEMI)),
        parent(make_file(name + kMixed[2], H5F_CLOSE_WEAK)) {
    const hid_t mounted = make_file(name + kMixed[3], H5F_CLOSE_WEAK);
    H5Fmount(parent, "made", mounted, H5P_DEFAULT);
    H5Fclose(mounted);
    twice[0] = make_file(name + kMixed[4], H5F_CLOSE_WEAK);
    twice[1] = H5Freopen(twice[0]);
  }
  [[nodiscard]] bool close(bool has_object) const {
    if (has_object) H5Gopen2(refused, "made", H5P_DEFAULT);
    if (H5Fclose(closed) < 0) return false;
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    // What is tried again must not wait for who has gone.
    const bool was_refused = H5Fclose(refused) < 0;
    H5Fclose(refused);
    return was_refused && H5Fclose(parent) >= 0 && H5Fclose(twice[1]) >= 0 &&
           H5Fclose(twice[0]) >= 0;
  }
  hid_t closed, refused, parent, twice[2];
};

/// A file that only its mount keeps open, of which one rank has a group; and one that was opened before.
void mount_and_forget(const std::string& name, hid_t file, hid_t access, int rank) {
  H5Fcreate((name + ".other").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
  const hid_t child = H5Fcreate((name + ".child").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
  H5Gcreate2(file, "mnt", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Fmount(file, "mnt", child, H5P_DEFAULT);
  H5Fclose(child);
  H5Gclose(H5Gcreate2(file, "mnt/made", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  if (rank == 0) H5Gopen2(file, "mnt/made", H5P_DEFAULT);
}

/// Encodes nothing; a filter that lets a chunk go once it is to be written.
size_t refuse(unsigned flags, size_t, const unsigned*, size_t bytes, size_t*, void**) {
  return (flags & H5Z_FLAG_REVERSE) != 0 ? bytes : 0;
}
constexpr H5Z_class2_t kRefusing = {H5Z_CLASS_T_VERS, 300,     1,       1,
                                    "refuses",        nullptr, nullptr, refuse};

/// A chunk that rank 0 wrote by itself, and can't encode when the file is closed.
void write_what_cant_be_encoded(hid_t file, int rank) {
  const hsize_t chunk = kWidth;
  const hid_t space = H5Screate_simple(1, &chunk, nullptr), list = H5Pcreate(H5P_DATASET_CREATE);
  H5Zregister(&kRefusing);
  H5Pset_chunk(list, 1, &chunk);
  H5Pset_filter(list, kRefusing.id, 0, 0, nullptr);
  const hid_t set = H5Dcreate2(file, "lost", H5T_STD_I32LE, space, H5P_DEFAULT, list, H5P_DEFAULT);
  const std::vector<int> values(kWidth, 9);
  if (rank == 0) H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
}

/// Writes one row by each rank and leaves everything open.
bool write_and_forget(const std::string& name, int rank, int size) {
  const hsize_t dims[2] = {static_cast<hsize_t>(size), kWidth}, chunk[2] = {1, 20};
  const hsize_t start[2] = {static_cast<hsize_t>(rank), 0}, count[2] = {1, kWidth};
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS), list = H5Pcreate(H5P_DATASET_CREATE);
  const hid_t transfer = H5Pcreate(H5P_DATASET_XFER);
  H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
  H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE);
  H5Pset_chunk(list, 2, chunk);
  const hid_t file = H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
  const hid_t space = H5Screate_simple(2, dims, nullptr),
              memory = H5Screate_simple(2, count, nullptr);
  const hid_t set = H5Dcreate2(file, "data", H5T_STD_I32LE, space, H5P_DEFAULT, list, H5P_DEFAULT);
  H5Gcreate2(file, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  mount_and_forget(name, file, access, rank);
  write_what_cant_be_encoded(file, rank);
  const std::vector<int> values(kWidth, rank + 7);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, count, nullptr);
  return H5Dwrite(set, H5T_NATIVE_INT, memory, space, transfer, values.data()) >= 0;
}

/// Without MPI, which is over: opens the file with the default driver.
bool check(const std::string& name, int size) {
  const hid_t file = H5Fopen(name.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t set = H5Dopen2(file, "data", H5P_DEFAULT);
  std::vector<int> values(static_cast<std::size_t>(size) * kWidth);
  if (H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0) return false;
  bool good = H5Lexists(file, "group", H5P_DEFAULT) > 0;
  const hid_t lost = H5Dopen2(file, "lost", H5P_DEFAULT);
  std::vector<int> nothing(kWidth, -1);
  good = good && H5Dread(lost, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, nothing.data()) >= 0;
  good = good && nothing == std::vector<int>(kWidth, 0) && H5Dclose(lost) >= 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    good = good && values[i] == static_cast<int>(i / kWidth) + 7;
  const hid_t child = H5Fopen((name + ".child").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  good = good && H5Lexists(child, "made", H5P_DEFAULT) > 0 && H5Fclose(child) >= 0;
  for (const char* end : kMixed) {
    const hid_t mixed = H5Fopen((name + end).c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    const bool is_there = H5Lexists(mixed, "made", H5P_DEFAULT) > 0 && H5Fclose(mixed) >= 0;
    if (!is_there) std::printf("nothing was committed in %s%s\n", name.c_str(), end);
    good = good && is_there;
  }
  return H5Dclose(set) >= 0 && H5Fclose(file) >= 0 && good;
}

}  // namespace

int main(int argc, char** argv) {
  int rank = 0, size = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const char* const expected = std::getenv("PCIO_TEST_NP");
  if (expected != nullptr && std::atoi(expected) != size) {
    std::fprintf(stderr, "%s ranks were started, this world has %d\n", expected, size);
    MPI_Abort(MPI_COMM_WORLD, 3);
  }
  long id = static_cast<long>(getpid());
  MPI_Bcast(&id, 1, MPI_LONG, 0, MPI_COMM_WORLD);
  const char* const folder = std::getenv("PCIO_TEST_TMP");
  const std::string name =
      std::string(folder != nullptr ? folder : ".") + "/shutdown." + std::to_string(id) + ".h5";
  const Mixed mixed(name);
  const bool written = write_and_forget(name, rank, size);
  const bool closed = rank == 0 || mixed.close(rank == size - 1);
  MPI_Finalize();
  if (!written || !closed) {
    std::fprintf(stderr, "rank %d could not %s\n", rank, written ? "close" : "write");
    return 1;
  }
  if (rank != 0) return 0;
  const bool good = check(name, size);
  for (const char* end : {"", ".other", ".child"}) std::remove((name + end).c_str());
  for (const char* end : kMixed) std::remove((name + end).c_str());
  std::printf("%s file_left_open_at_finalize\n", good ? "ok    " : "FAILED");
  if (!good) H5Eprint2(H5E_DEFAULT, stderr);
  return good ? 0 : 1;
}
