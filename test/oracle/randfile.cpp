// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// randfile --seed N [--profile wide|narrow|extending] [--careful] [--under GROUP]
//          (--output FILE | --check FILE | --manifest)
//
// Makes a random HDF5 file from a seed, or checks one that another library made from the same seed
// by reading random selections; prints the manifest of what a reader must find.
//
// --under GROUP: adds its objects below a new group of a file that is there.
// --careful: works around what libhdf5 1.10.8 is known to get wrong.
// Room: test/oracle, public C API only; compiled against libhdf5 and against libpcio.
// Exit: 0 done, 1 the library refused, 2 usage, 5 a value read is not the one written.

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "random_write.hpp"

static oracle::Profile profile_named(const char* name) {
  if (std::strcmp(name, "narrow") == 0) return oracle::Profile::kNarrow;
  return std::strcmp(name, "extending") == 0 ? oracle::Profile::kExtending : oracle::Profile::kWide;
}

int main(int argc, char** argv) {
  std::uint64_t seed = 0;
  oracle::Profile profile = oracle::Profile::kWide;
  const char *output = nullptr, *check = nullptr, *under = nullptr;
  oracle::Combining combining = oracle::Combining::kByHyperslabs;
  bool manifest = false, bad = argc < 2;
  for (int i = 1; i < argc; ++i) {
    const bool more = i + 1 < argc;
    if (std::strcmp(argv[i], "--seed") == 0 && more)
      seed = std::strtoull(argv[++i], nullptr, 10);
    else if (std::strcmp(argv[i], "--output") == 0 && more)
      output = argv[++i];
    else if (std::strcmp(argv[i], "--check") == 0 && more)
      check = argv[++i];
    else if (std::strcmp(argv[i], "--manifest") == 0)
      manifest = true;
    else if (std::strcmp(argv[i], "--under") == 0 && more)
      under = argv[++i];
    else if (std::strcmp(argv[i], "--careful") == 0)
      combining = oracle::Combining::kByElements;
    else if (std::strcmp(argv[i], "--profile") == 0 && more)
      profile = profile_named(argv[++i]);
    else
      bad = true;
  }
  if (bad) {
    std::fprintf(
        stderr,
        "usage: randfile --seed N [--profile wide|narrow|extending] [--careful] [--under GROUP] "
        "(--output FILE | --check FILE | --manifest)\n");
    return 2;
  }
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  oracle::FilePlan plan = oracle::make_file_plan(seed, profile);
  if (under != nullptr) oracle::move_under(plan, under);
  if (manifest) oracle::print_manifest(plan);
  try {
    if (output != nullptr) oracle::write_file(plan, output, combining);
    return check != nullptr && oracle::check_file(plan, check, combining) != 0 ? 5 : 0;
  } catch (const oracle::Refused& refused) {
    std::fprintf(stderr, "refused: %s\n", refused.what());
    return 1;
  }
}
