// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Communicating calls in which one rank runs out of memory: what is there before the call, and the
// call. Room: testpar, public headers only.

#ifndef PCIO_TESTPAR_MEMORY_SCENES_HPP
#define PCIO_TESTPAR_MEMORY_SCENES_HPP

#include <pcio.h>
#include <string>
#include <vector>

#include "testpar/support.hpp"

namespace memory {

using par::Id;

enum class Layout { kContiguous, kChunked, kFiltered, kLate, kSerial, kCompact, kWords };
constexpr int kLayouts = 7;
const char* name_of(Layout layout);

/// A file and all that the call needs: the call itself asks for no memory outside of the library.
struct Stage {
  std::string name;
  Layout layout = Layout::kChunked;
  Id access, file, set, other, space, memory, list, alone;
  Id create_list, create_access, data_space, link_list, type;
  std::vector<double> values;
  std::vector<char> group;
  hid_t sets[3] = {}, types[3] = {}, memories[3] = {}, files[3] = {};
  void* buffers[3] = {};
  std::vector<double> more[2];
  /// Of scenes that open, create or change.
  std::string second_name;
  Id fresh_access, made, group_id, attribute;
  int made_count = 0;
  hsize_t size = 0;
  /// Of scenes with words.
  Id text, strings, note, few, few_of_all;
  std::vector<std::string> words;
  std::vector<const char*> pointers;
  std::vector<char*> found;
};

/// What the call leaves in the dataset where it succeeds.
enum class After { kOld, kNew };
/// What a second call does where the first one failed on all ranks: the file may be one that can only be
/// closed, or it must succeed.
enum class Again { kMayFail, kSucceeds };

/// Which allocations fail in the sample: all of a rank that lie between exchanges of its own call, or some.
enum class Positions { kSome, kAll };

struct Scene {
  const char* name;
  Layout layout;
  pcio_transport_t transport;
  H5FD_mpio_chunk_opt_t option;
  After after;
  void (*before)(Stage&);  ///< collective; may be null
  bool (*act)(Stage&);
  Again again = Again::kMayFail;
  Positions positions = Positions::kSome;
};
/// All of them.
const std::vector<Scene>& scenes();
/// Those that open, create and close files, and that make and change datasets (files.cpp).
extern const std::vector<Scene> kFileScenes;
/// Those with values of variable length (sequences.cpp).
extern const std::vector<Scene> kWordScenes;
/// Those with references, and with what one rank reads for all (regions.cpp).
extern const std::vector<Scene> kRegionScenes;
/// Every word in the file, which `ranks` ranks have written, is one of those that were written to its place,
/// or none. By one process.
bool words_hold(hid_t file, int ranks);

/// Closes all that the stage has open. Collective.
void close_all(Stage& stage);

hsize_t elements();
double value_of(hsize_t element, int generation);
/// A file with the datasets "data" and "other" of the first generation, flushed, and buffers of the
/// second one. Collective.
Stage make_stage(const Scene& scene, const std::string& name);
/// Every element of "data" is of a generation, of `only` where that is not 0, or the fill value where
/// nothing was written; so are those of "other". By one process.
bool holds(const Stage& stage, int only);

}  // namespace memory

#endif
