// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// The headers in C++: a parallel file on one rank, and an attribute.
#include <hdf5.h>
#include <pcio.h>

#include <cstdio>
#include <vector>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  bool good = true;
  {
    const hid_t fapl = H5Pcreate(H5P_FILE_ACCESS);
    good = good && H5Pset_fapl_mpio(fapl, MPI_COMM_WORLD, MPI_INFO_NULL) >= 0;
    const hid_t file = H5Fcreate("plain_cpp.h5", H5F_ACC_TRUNC, H5P_DEFAULT, fapl);
    const hsize_t n = 5;
    const hid_t space = H5Screate_simple(1, &n, nullptr);
    const hid_t attribute =
        H5Acreate2(file, "halves", H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT);
    std::vector<double> halves;
    for (int i = 0; i < 5; ++i) halves.push_back(0.5 * i);
    good = good && H5Awrite(attribute, H5T_NATIVE_DOUBLE, halves.data()) >= 0;
    std::vector<float> back(5);
    good = good && H5Aread(attribute, H5T_NATIVE_FLOAT, back.data()) >= 0;
    for (int i = 0; i < 5; ++i) good = good && back[i] == 0.5f * static_cast<float>(i);
    good = good && H5Aclose(attribute) >= 0 && H5Sclose(space) >= 0 && H5Pclose(fapl) >= 0 &&
           H5Fclose(file) >= 0;
  }
  if (!good) std::printf("plain_cpp: values differ or a call failed\n");
  MPI_Finalize();
  return good ? 0 : 1;
}
