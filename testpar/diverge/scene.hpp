// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// One file and a random sequence of collective calls on it, between which each rank opens, closes
// and reads what it likes. Room: testpar, public headers only.

#ifndef PCIO_TESTPAR_DIVERGE_SCENE_HPP
#define PCIO_TESTPAR_DIVERGE_SCENE_HPP

#include <cstdint>
#include <hdf5.h>
#include <random>
#include <string>
#include <vector>

#include <mpi.h>

#include "campaign/histogram.hpp"

namespace diverge {

enum class Noise { kNone, kRandom };
/// Where chunks with filters lie depends on how many ranks there are.
enum class Filters { kNone, kSome };

/// What is played, and by whom.
struct Setting {
  unsigned seed = 1;
  long number = 0;
  int calls = 60;
  bool told = false;  ///< each call, on standard error
  std::string file;
  MPI_Comm comm = MPI_COMM_WORLD;
  Noise noise = Noise::kRandom;
  Filters filters = Filters::kSome;
};

/// Plays the same calls for the same seed and number, whatever the ranks are. True if every call had
/// the outcome that it must have; else the error stack and the call are on standard error.
/// Collective: over the communicator.
bool play(const Setting& setting, campaign::Histogram* histogram);

/// The groups of the histogram, with all their bins.
void add_groups(campaign::Histogram* histogram);

}  // namespace diverge

#endif
