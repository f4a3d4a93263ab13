// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// A serial C++ program over the C interface: owning ids, exceptions thrown by the caller's own code
// on top of it, a callback with C linkage. Usage: prog_cxx FILE

#include <hdf5.h>

#include <algorithm>
#include <complex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "check.h"

namespace {

// Closes what it owns with the call that belongs to the kind of id.
template <herr_t (*Close)(hid_t)>
class Id {
 public:
  explicit Id(hid_t id) : id_(id) {
    if (id < 0) throw std::runtime_error("no id");
  }
  Id(Id&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)) {}
  Id(const Id&) = delete;
  Id& operator=(const Id&) = delete;
  Id& operator=(Id&&) = delete;
  ~Id() {
    if (id_ >= 0) Close(id_);
  }
  operator hid_t() const { return id_; }

 private:
  hid_t id_;
};

using File = Id<H5Fclose>;
using Group = Id<H5Gclose>;
using Space = Id<H5Sclose>;
using Type = Id<H5Tclose>;
using Dataset = Id<H5Dclose>;
using Attribute = Id<H5Aclose>;
using List = Id<H5Pclose>;

using Sample = std::complex<double>;

Type complex_type() {
  Type type(H5Tcreate(H5T_COMPOUND, sizeof(Sample)));
  OK(H5Tinsert(type, "re", 0, H5T_NATIVE_DOUBLE));
  OK(H5Tinsert(type, "im", sizeof(double), H5T_NATIVE_DOUBLE));
  return type;
}

std::vector<Sample> samples(hsize_t count) {
  std::vector<Sample> made(count);
  for (hsize_t i = 0; i < count; ++i) made[i] = Sample(double(i), -2.0 * double(i));
  return made;
}

void write_file(const std::string& path) {
  const hsize_t count = 100, chunk = 16;
  File file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  Group group(H5Gcreate(file, "signal", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  Space space(H5Screate_simple(1, &count, nullptr));
  List create(H5Pcreate(H5P_DATASET_CREATE));
  OK(H5Pset_chunk(create, 1, &chunk));
  Type type = complex_type();
  Dataset set(H5Dcreate(group, "samples", type, space, H5P_DEFAULT, create, H5P_DEFAULT));
  OK(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, samples(count).data()));

  const std::string unit = "volt";
  Space scalar(H5Screate(H5S_SCALAR));
  Type text(H5Tcopy(H5T_C_S1));
  OK(H5Tset_size(text, unit.size()));
  OK(H5Tset_cset(text, H5T_CSET_UTF8));
  Attribute attribute(H5Acreate(set, "unit", text, scalar, H5P_DEFAULT, H5P_DEFAULT));
  OK(H5Awrite(attribute, text, unit.data()));
}

extern "C" herr_t collect_name(hid_t, const char* name, const H5L_info_t*, void* data) {
  static_cast<std::vector<std::string>*>(data)->emplace_back(name);
  return H5_ITER_CONT;
}

void read_file(const std::string& path) {
  File file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
  std::vector<std::string> names;
  OK(H5Literate_by_name(file, "signal", H5_INDEX_NAME, H5_ITER_INC, nullptr, collect_name, &names,
                        H5P_DEFAULT));
  CHECK(names.size() == 1 && names[0] == "samples");

  Dataset set(H5Dopen(file, "/signal/samples", H5P_DEFAULT));
  Space space(H5Dget_space(set));
  hsize_t count = 0;
  CHECK(H5Sget_simple_extent_dims(space, &count, nullptr) == 1);
  std::vector<Sample> read(count);
  OK(H5Dread(set, complex_type(), H5S_ALL, H5S_ALL, H5P_DEFAULT, read.data()));
  CHECK(read == samples(100));

  // One member only, by name.
  Type imaginary(H5Tcreate(H5T_COMPOUND, sizeof(float)));
  OK(H5Tinsert(imaginary, "im", 0, H5T_NATIVE_FLOAT));
  std::vector<float> parts(count);
  OK(H5Dread(set, imaginary, H5S_ALL, H5S_ALL, H5P_DEFAULT, parts.data()));
  for (hsize_t i = 0; i < count; ++i) CHECK(parts[i] == -2.0F * float(i));

  Attribute attribute(H5Aopen(set, "unit", H5P_DEFAULT));
  Type text(H5Aget_type(attribute));
  std::string unit(H5Tget_size(text), '?');
  OK(H5Aread(attribute, text, &unit[0]));
  CHECK(unit == "volt" && H5Tget_cset(text) == H5T_CSET_UTF8);
}

// A failing call becomes the caller's exception; nothing is left open behind it.
void fail_on_purpose(const std::string& path) {
  bool thrown = false;
  H5E_BEGIN_TRY {
    try {
      File file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
      Group none(H5Gopen(file, "nowhere", H5P_DEFAULT));
    } catch (const std::runtime_error&) {
      thrown = true;
    }
  }
  H5E_END_TRY;
  CHECK(thrown);
  CHECK(H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL) == 0);
}

}  // namespace

int main(int argc, char** argv) {
  CHECK(argc == 2);
  write_file(argv[1]);
  read_file(argv[1]);
  fail_on_purpose(argv[1]);
  puts("C++: ok");
  return 0;
}
