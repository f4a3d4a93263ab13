// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// A program that never calls MPI_Init: POSIX files, files in memory with and without a backing
// store, file images, user blocks. Room: testpar, public headers only; a serial test.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <hdf5.h>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

int failures = 0;

void check(bool good, const char* text, int line) {
  if (good) return;
  ++failures;
  std::fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, line, text);
  H5Eprint2(H5E_DEFAULT, stderr);
}
#define CHECK(condition) check(condition, #condition, __LINE__)

std::string file_name(const char* word) {
  const char* const folder = std::getenv("PCIO_TEST_TMP");
  return std::string(folder != nullptr ? folder : ".") + "/nompi_" + word + "." +
         std::to_string(getpid()) + ".h5";
}

bool exists(const std::string& name) { return access(name.c_str(), F_OK) == 0; }

std::vector<int> numbers() {
  std::vector<int> values;
  for (int i = 0; i < 60; ++i) values.push_back(i * i - 100);
  return values;
}

/// A group with a contiguous and a chunked dataset and an attribute.
void fill(hid_t file) {
  const hsize_t dims[2] = {6, 10}, chunk[2] = {4, 4};
  const hid_t group = H5Gcreate2(file, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t space = H5Screate_simple(2, dims, nullptr), list = H5Pcreate(H5P_DATASET_CREATE);
  for (const char* const name : {"contiguous", "chunked"}) {
    const hid_t set = H5Dcreate2(group, name, H5T_STD_I32BE, space, H5P_DEFAULT, list, H5P_DEFAULT);
    CHECK(H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers().data()) >= 0);
    CHECK(H5Dclose(set) >= 0);
    CHECK(H5Pset_chunk(list, 2, chunk) >= 0);
  }
  const hid_t one = H5Screate(H5S_SCALAR);
  const hid_t attribute = H5Acreate2(group, "pi", H5T_IEEE_F32LE, one, H5P_DEFAULT, H5P_DEFAULT);
  const double pi = 3.5;
  CHECK(H5Awrite(attribute, H5T_NATIVE_DOUBLE, &pi) >= 0);
  CHECK(H5Aclose(attribute) >= 0 && H5Sclose(one) >= 0 && H5Pclose(list) >= 0);
  CHECK(H5Sclose(space) >= 0 && H5Gclose(group) >= 0);
}

void verify(hid_t file) {
  CHECK(file >= 0);
  for (const char* const name : {"group/contiguous", "group/chunked"}) {
    std::vector<int> values(60);
    const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    CHECK(H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0);
    CHECK(values == numbers());
    CHECK(H5Dclose(set) >= 0);
  }
  float pi = 0;
  const hid_t attribute = H5Aopen_by_name(file, "group", "pi", H5P_DEFAULT, H5P_DEFAULT);
  CHECK(H5Aread(attribute, H5T_NATIVE_FLOAT, &pi) >= 0 && pi == 3.5F);
  CHECK(H5Aclose(attribute) >= 0 && H5Fclose(file) >= 0);
}

hid_t core_access(bool backing) {
  const hid_t list = H5Pcreate(H5P_FILE_ACCESS);
  CHECK(H5Pset_fapl_core(list, 65536, backing) >= 0);
  return list;
}

void test_posix() {
  const std::string name = file_name("posix");
  hid_t list = H5Pcreate(H5P_FILE_ACCESS);
  CHECK(H5Pset_fapl_sec2(list) >= 0);
  const hid_t file = H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, list);
  fill(file);
  CHECK(H5Fclose(file) >= 0);
  verify(H5Fopen(name.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
  CHECK(H5Fis_hdf5(name.c_str()) > 0);
  CHECK(H5Pclose(list) >= 0);
  std::remove(name.c_str());
}

/// In memory; with a backing store the file is on disk after the close, without it is nowhere.
void test_core(bool backing) {
  const std::string name = file_name(backing ? "core" : "core_only");
  const hid_t list = core_access(backing);
  hid_t file = H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, list);
  fill(file);
  CHECK(H5Fclose(file) >= 0);
  CHECK(exists(name) == backing);
  if (backing) {
    verify(H5Fopen(name.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
    // Opened in memory and changed there, it reaches the disk again.
    file = H5Fopen(name.c_str(), H5F_ACC_RDWR, list);
    CHECK(H5Gclose(H5Gcreate2(file, "more", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)) >= 0);
    CHECK(H5Fclose(file) >= 0);
    file = H5Fopen(name.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    CHECK(H5Lexists(file, "more", H5P_DEFAULT) > 0);
    verify(file);
  }
  CHECK(H5Pclose(list) >= 0);
  std::remove(name.c_str());
}

/// The bytes of an open file as an image, opened as a file in memory.
void test_image() {
  const std::string name = file_name("image");
  hid_t list = core_access(false);
  hid_t file = H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, list);
  fill(file);
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  const ssize_t size = H5Fget_file_image(file, nullptr, 0);
  CHECK(size > 0);
  std::vector<char> image(size > 0 ? static_cast<std::size_t>(size) : 1);
  CHECK(H5Fget_file_image(file, image.data(), image.size()) == size);
  CHECK(std::memcmp(image.data(), "\x89HDF\r\n\x1a\n", 8) == 0);
  CHECK(H5Fclose(file) >= 0 && H5Pclose(list) >= 0);

  list = core_access(false);
  CHECK(H5Pset_file_image(list, image.data(), image.size()) >= 0);
  std::fill(image.begin(), image.end(), 'x');  // the list has its own copy
  verify(H5Fopen("image in memory", H5F_ACC_RDONLY, list));
  CHECK(H5Pclose(list) >= 0);
}

void test_user_block(hsize_t bytes, H5F_libver_t low) {
  const std::string name = file_name("user_block");
  const hid_t creation = H5Pcreate(H5P_FILE_CREATE), access_list = H5Pcreate(H5P_FILE_ACCESS);
  CHECK(H5Pset_userblock(creation, bytes) >= 0);
  CHECK(H5Pset_libver_bounds(access_list, low, H5F_LIBVER_LATEST) >= 0);
  hid_t file = H5Fcreate(name.c_str(), H5F_ACC_TRUNC, creation, access_list);
  fill(file);
  CHECK(H5Fclose(file) >= 0);
  const std::string text(static_cast<std::size_t>(bytes), 'u');
  std::FILE* const stream = std::fopen(name.c_str(), "r+b");
  CHECK(stream != nullptr && std::fwrite(text.data(), 1, text.size(), stream) == text.size());
  if (stream != nullptr) std::fclose(stream);

  file = H5Fopen(name.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  CHECK(H5Gclose(H5Gcreate2(file, "more", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)) >= 0);
  const hid_t list = H5Fget_create_plist(file);
  hsize_t found = 0;
  CHECK(H5Pget_userblock(list, &found) >= 0 && found == bytes);
  CHECK(H5Pclose(list) >= 0 && H5Fclose(file) >= 0);
  verify(H5Fopen(name.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
  std::FILE* const again = std::fopen(name.c_str(), "rb");
  std::string read(text.size(), ' ');
  CHECK(again != nullptr && std::fread(read.data(), 1, read.size(), again) == read.size());
  CHECK(read == text);
  if (again != nullptr) std::fclose(again);
  CHECK(H5Pclose(creation) >= 0 && H5Pclose(access_list) >= 0);
  std::remove(name.c_str());
}

}  // namespace

int main() {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  test_posix();
  test_core(true);
  test_core(false);
  test_image();
  test_user_block(512, H5F_LIBVER_EARLIEST);
  test_user_block(4096, H5F_LIBVER_LATEST);
  std::printf("%d checks failed\n", failures);
  return failures == 0 ? 0 : 1;
}
