// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Random collective calls, between which each rank opens, closes and reads what it likes, beside the
// same calls of ranks that keep everything open: of one rank, or with filters, where the number of
// ranks tells where chunks lie, of as many. The files must be equal, byte for byte. Room: testpar,
// public headers only.
//
//   diverge_cases [--seed S] [--cases N] [--case C] [--calls K] [--folder F]
//
// The clock stands still and random ids are no longer random: this program's own time and getentropy
// stand before the real ones. The last line has seed, cases, a histogram, and failures; an empty bin
// is one.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iterator>
#include <string>

#include <mpi.h>

#include "diverge/scene.hpp"

extern "C" std::time_t time(std::time_t* now) noexcept {
  if (now != nullptr) *now = 1000000000;
  return 1000000000;
}
extern "C" int getentropy(void* bytes, std::size_t n) {
  std::memset(bytes, 7, n);
  return 0;
}

namespace {

std::string bytes_of(const std::string& name) {
  std::ifstream in(name, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// Rank 0: where the files differ, said.
bool equal_files(const std::string& together, const std::string& alone, long number) {
  const std::string a = bytes_of(together), b = bytes_of(alone);
  if (!a.empty() && a == b) return true;
  std::size_t at = 0;
  while (at < a.size() && at < b.size() && a[at] == b[at]) ++at;
  std::fprintf(stderr, "FAILURE: case %ld: the files (%zu and %zu bytes) differ from byte %zu on\n",
               number, a.size(), b.size(), at);
  return false;
}

/// The first file of a program on a disk is longer for a moment: whether holes read as zero is tried.
void make_first_file(const std::string& name) {
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
  H5Fclose(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
  H5Pclose(access);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const char* const expected = std::getenv("PCIO_TEST_NP");
  if (expected != nullptr && std::atoi(expected) != ranks) MPI_Abort(MPI_COMM_WORLD, 3);
  diverge::Setting setting;
  long cases = 20, only = -1, played = 0;
  std::string folder = ".";
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string option = argv[i];
    if (option == "--seed") setting.seed = static_cast<unsigned>(std::atol(argv[i + 1]));
    if (option == "--cases") cases = std::atol(argv[i + 1]);
    if (option == "--case") only = std::atol(argv[i + 1]);
    if (option == "--calls") setting.calls = std::atoi(argv[i + 1]);
    if (option == "--folder") folder = argv[i + 1];
  }
  setting.told = only >= 0;
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  campaign::Histogram histogram;
  diverge::add_groups(&histogram);
  histogram.add_group("beside", {"one rank", "as many ranks"});
  make_first_file(folder + "/first.h5");
  long failures = 0;
  for (long n = only < 0 ? 0 : only; n < (only < 0 ? cases : only + 1) && failures == 0; ++n) {
    setting.number = n;
    const bool one_rank = n % 2 == 0;
    histogram.count("beside", one_rank ? "one rank" : "as many ranks");
    setting.comm = MPI_COMM_WORLD;
    setting.noise = diverge::Noise::kRandom;
    setting.filters = one_rank ? diverge::Filters::kNone : diverge::Filters::kSome;
    setting.file = folder + "/together.h5";
    bool good = diverge::play(setting, &histogram);
    ++played;
    diverge::Setting other = setting;
    other.comm = one_rank ? MPI_COMM_SELF : MPI_COMM_WORLD;
    other.noise = diverge::Noise::kNone;
    other.file = folder + "/beside.h5";
    if (good && (!one_rank || rank == 0)) good = diverge::play(other, nullptr);
    if (good && rank == 0) good = equal_files(setting.file, other.file, n);
    failures = good ? 0 : 1;
    MPI_Allreduce(MPI_IN_PLACE, &failures, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  }
  const std::string empty = only < 0 && failures == 0 ? histogram.empty_bins() : "";
  int bad = failures > 0 || !empty.empty() ? 1 : 0;
  MPI_Bcast(&bad, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (rank == 0)
    std::printf("diverge: seed %u on %d ranks: %ld cases of %d calls, %ld failures; %s%s%s\n",
                setting.seed, ranks, played, setting.calls, failures, histogram.text().c_str(),
                empty.empty() ? "" : "; EMPTY: ", empty.c_str());
  MPI_Finalize();
  return bad;
}
