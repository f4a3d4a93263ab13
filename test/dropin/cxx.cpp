// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// A program with Debian's C++ library of HDF5 (room: test/dropin).  cxx FILE
#include <H5Cpp.h>

#include <iostream>
#include <numeric>
#include <string>
#include <vector>

namespace {

void write_file(const char* name, const std::vector<double>& data, const H5::StrType& text) {
  H5::H5File file(name, H5F_ACC_TRUNC);
  const hsize_t dims[2] = {6, 8}, chunk[2] = {3, 4};
  H5::DSetCreatPropList list;
  list.setChunk(2, chunk);
  list.setDeflate(5);
  H5::DataSet dataset =
      file.createDataSet("d", H5::PredType::NATIVE_DOUBLE, H5::DataSpace(2, dims), list);
  dataset.write(data.data(), H5::PredType::NATIVE_DOUBLE);
  H5::Group group = file.createGroup("g");
  group.createAttribute("name", text, H5::DataSpace(H5S_SCALAR)).write(text, std::string("words"));
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 2) return 2;
  std::vector<double> data(48), back(48);
  std::iota(data.begin(), data.end(), 0.5);
  const H5::StrType text(H5::PredType::C_S1, H5T_VARIABLE);
  write_file(argv[1], data, text);
  H5::H5File file(argv[1], H5F_ACC_RDONLY);
  file.openDataSet("d").read(back.data(), H5::PredType::NATIVE_DOUBLE);
  std::string words;
  file.openGroup("g").openAttribute("name").read(text, words);
  std::cout << (back == data) << ' ' << words << ' ' << file.getNumObjs() << '\n';
  H5::Exception::dontPrint();
  try {
    file.openDataSet("absent");
  } catch (const H5::FileIException& missing) {
    std::cout << missing.getFuncName() << '\n';
  }
  return 0;
} catch (const H5::Exception& failed) {
  std::cerr << failed.getCDetailMsg() << '\n';
  return 1;
}
