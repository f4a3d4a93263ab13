// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Files that were left in the middle of a commit, opened by many ranks: read they are the commit
// and stay as they are; opened for writing they are completed. Room: testpar, public headers only.

#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <pcio.h>
#include <string>
#include <vector>

#include "support.hpp"

using par::Id;

namespace {

using Image = std::vector<char>;

Image load(const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  return Image(std::istreambuf_iterator<char>(file), {});
}
void save(const std::string& name, const Image& image) {
  std::ofstream(name, std::ios::binary)
      .write(image.data(), static_cast<std::streamsize>(image.size()));
}
std::uint64_t word(const Image& image, std::size_t at) {
  std::uint64_t value = 0;
  std::memcpy(&value, image.data() + at, sizeof value);
  return value;
}

int read_number(hid_t file) {
  int value = -1;
  const hid_t attribute = H5Aopen(file, "number", H5P_DEFAULT);
  if (attribute < 0 || H5Aread(attribute, H5T_NATIVE_INT, &value) < 0) value = -1;
  H5Aclose(attribute);
  return value;
}

/// A file whose last commit stopped behind its commit point, with nothing of it in place: made of a
/// flushed file and the dead journal behind its end. Rank 0's.
bool make_cut_file(const std::string& name) {
  const Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  const Id scalar(H5Screate(H5S_SCALAR));
  const Id attribute(H5Acreate2(file, "number", H5T_NATIVE_INT, scalar, H5P_DEFAULT, H5P_DEFAULT));
  int number = 1;
  H5Awrite(attribute, H5T_NATIVE_INT, &number);
  H5Fflush(file, H5F_SCOPE_GLOBAL);
  number = 2;
  H5Awrite(attribute, H5T_NATIVE_INT, &number);
  H5Fflush(file, H5F_SCOPE_GLOBAL);
  Image image = load(name);
  const std::size_t trailer = image.size() - 128;
  if (image.size() < 400 || std::memcmp(&image[trailer], "PCIOJRNL", 8) != 0) return false;
  const std::size_t start = word(image, trailer + 24), blocks = word(image, trailer + 40),
                    bytes = word(image, trailer + 48), superblock = word(image, trailer + 80);
  for (std::size_t i = 0; i < blocks; ++i) {
    const std::size_t entry = start + bytes + 24 * i;
    std::memset(&image[word(image, entry)], 0xEE, word(image, entry + 8));
  }
  std::memcpy(image.data(), &image[trailer - 2 * superblock], superblock);
  image[47] = static_cast<char>(image[47] | 0x40);
  save(name + ".cut", image);
  return blocks > 0;
}

pcio_commit_state_t state_of(const std::string& name) {
  pcio_commit_info_t info;
  std::memset(&info, 0, sizeof info);
  return pcio_get_commit_info(name.c_str(), &info, sizeof info) < 0 ? PCIO_COMMIT_BROKEN
                                                                    : info.state;
}

}  // namespace

CASE(cut_files_are_read_as_they_are_and_completed_by_writers) {
  const std::string name = par::file_name("window");
  const std::string cut = name + ".cut";
  CHECK(par::all(par::rank() != 0 || make_cut_file(name)));
  MPI_Barrier(MPI_COMM_WORLD);
  const Id access(par::mpio_access());
  const Image before = load(cut);
  CHECK(state_of(cut) == PCIO_COMMIT_WINDOW);
  {
    Id file(H5Fopen(cut.c_str(), H5F_ACC_RDONLY, access));
    CHECK(file.valid());
    CHECK(read_number(file) == 2);
    CHECK(file.close() >= 0);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(load(cut) == before);
  MPI_Barrier(MPI_COMM_WORLD);
  {
    Id file(H5Fopen(cut.c_str(), H5F_ACC_RDWR, access));
    CHECK(file.valid());
    CHECK(read_number(file) == 2);
    CHECK(state_of(cut) == PCIO_COMMIT_WHOLE);
    const Id group(H5Gcreate2(file, "more", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    CHECK(group.valid());
  }
  MPI_Barrier(MPI_COMM_WORLD);
  {
    Id file(H5Fopen(cut.c_str(), H5F_ACC_RDONLY, access));
    CHECK(read_number(file) == 2);
    CHECK(H5Lexists(file, "more", H5P_DEFAULT) > 0);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (par::rank() == 0) std::remove(cut.c_str());
}

CASE(a_second_writer_is_kept_away) {
  const std::string name = par::file_name("lock");
  const Id access(par::mpio_access());
  Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
  CHECK(file.valid());
  MPI_Barrier(MPI_COMM_WORLD);
  // Another process of the same program counts as another program if it has its own communicator.
  if (par::size() > 1 && par::rank() == par::size() - 1) {
    CHECK(pcio_complete_commit(name.c_str()) < 0);
    CHECK(state_of(name) == PCIO_COMMIT_WHOLE);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(file.close() >= 0);
  if (par::rank() == 0) CHECK(pcio_complete_commit(name.c_str()) >= 0);
  MPI_Barrier(MPI_COMM_WORLD);
}

CASE(durability_is_a_property_and_changes_no_byte_that_is_read) {
  for (pcio_durability_t level :
       {PCIO_DURABILITY_NONE, PCIO_DURABILITY_CHECKED, PCIO_DURABILITY_POWER_LOSS}) {
    const std::string name = par::file_name("durable" + std::to_string(level));
    const Id access(par::mpio_access());
    // The most that any rank asks for counts.
    const bool asks = par::rank() == par::size() - 1;
    CHECK(pcio_set_fapl_durability(access, asks ? level : PCIO_DURABILITY_NONE) >= 0);
    pcio_durability_t back = PCIO_DURABILITY_POWER_LOSS;
    CHECK(pcio_get_fapl_durability(access, &back) >= 0 &&
          back == (asks ? level : PCIO_DURABILITY_NONE));
    Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
    CHECK(file.valid());
    for (int i = 0; i < 3; ++i) {
      const Id group(H5Gcreate2(file, ("g" + std::to_string(i)).c_str(), H5P_DEFAULT, H5P_DEFAULT,
                                H5P_DEFAULT));
      CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
    }
    CHECK(file.close() >= 0);
    MPI_Barrier(MPI_COMM_WORLD);
    const Id again(H5Fopen(name.c_str(), H5F_ACC_RDONLY, access));
    CHECK(H5Lexists(again, "g2", H5P_DEFAULT) > 0);
  }
  par::Silence silence;
  const Id access(par::mpio_access());
  CHECK(pcio_set_fapl_durability(access, static_cast<pcio_durability_t>(3)) < 0);
}
