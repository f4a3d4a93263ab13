// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// How all ranks of a parallel file change something together in a call of several steps: what a rank does by itself
// is a step that all of them have taken, or none goes on; records and values move in collective transfers, of which
// each rank has a share. In a serial file there is one rank, and nothing is communicated.
#pragma once

#include <hdf5.h>
#include <pcio.h>

#include <cstdint>
#include <exception>
#include <functional>
#include <initializer_list>

#include "support.hpp"

namespace pcio::hl {

/// The ranks of a file; `count` is 0 where it isn't a parallel one.
struct Ranks {
  int mine = 0;
  int count = 0;
};
/// Of the file of any id in it. Makes no id of the file, whose release would communicate.
Ranks ranks_of(hid_t loc);

/// Elements that follow each other.
struct Range {
  hsize_t start, count;
};
/// This rank's share of that many elements.
Range share_of(hsize_t count, const Ranks& ranks);

/// What this rank does by itself. `step() -> bool`; where it fails there is a reason on the error stack.
template <class Step>
bool take(const char* function, const Step& step) {
  try {
    if (step()) return true;
  } catch (const std::exception&) {
    H5Eclear2(H5E_DEFAULT);
  }
  // What takes memory only has gone under in the calls behind it.
  if (H5Eget_num(H5E_DEFAULT) <= 0) refuse(function, "memory", "not enough");
  return false;
}

/// Behind a step: whether all ranks have succeeded in it, and that all have the same numbers. Communicates in a
/// parallel file. `mine`: this rank's outcome, whose failure is on its error stack.
bool all_have(const char* function, hid_t loc, const Ranks& ranks, bool mine,
              std::initializer_list<std::uint64_t> numbers);

/// A step, and then what the ranks tell each other.
template <class Step>
bool all_take(const char* function, hid_t loc, std::initializer_list<std::uint64_t> numbers,
              const Step& step) {
  const Ranks ranks = ranks_of(loc);
  const bool mine = take(function, step);
  return all_have(function, loc, ranks, mine, numbers);
}

enum class Way { kRead, kWrite };

/// A transfer of all ranks that wants nothing more which a rank could lack: it is made in a step, and run behind it.
class SharedTransfer {
 public:
  /// `part` of a dataset of one dimension; `buffer` has these elements only. `together`: the ranks that make it;
  /// with a count of 0 this rank by itself.
  SharedTransfer(hid_t dataset, Way way, hid_t type, Range part, void* buffer,
                 const Ranks& together);
  /// The ranks of its file.
  SharedTransfer(hid_t dataset, Way way, hid_t type, Range part, void* buffer)
      : SharedTransfer(dataset, way, type, part, buffer, ranks_of(dataset)) {}
  /// This rank's share of all values of a new dataset of any shape, or nothing; `values` has all of them.
  SharedTransfer(hid_t dataset, const struct Givers& givers, const void* values);
  [[nodiscard]] bool is_ready() const { return ready_; }
  /// All ranks together: it succeeds on all, or fails on all.
  bool run();

 private:
  hid_t dataset_;
  OwnedId type_;
  Way way_;
  OwnedId list_, file_, memory_;
  void* buffer_;
  bool ready_ = false;
};

/// Who of the ranks has values for a dataset that all of them make: HDF5's own calls let any of them have none.
struct Givers {
  Ranks ranks;
  std::uint64_t first = 0;
  bool any = false, all = false;
  /// Which of the rows this rank writes.
  [[nodiscard]] Range rows_of(hsize_t count) const;
};
/// The end of a step, as all_have().
bool ask_for_givers(hid_t loc, const Ranks& ranks, bool mine, bool has_values, Givers* givers);

/// A dataset that all ranks make, and its values, which some of them have.
struct NewDataset {
  hid_t loc;
  const char* name;
  const void* values;  ///< in the type of the dataset; may be null
  // References to functions (std::ref): who has no memory still goes to where the others wait.
  /// Looks at this rank's arguments.
  std::function<bool()> check;
  std::function<OwnedId()> make;
  /// What belongs to the dataset.
  std::function<bool(hid_t)> describe;
};
/// In steps of all ranks. Where one of them can't, or the values can't be written, there is no dataset. All ranks that
/// have values write a share where all have some; otherwise the first one writes them.
herr_t make_with_values(const char* function, const NewDataset& made);

}  // namespace pcio::hl
