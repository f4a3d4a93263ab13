// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Chunks that a rank can't encode: nothing else is lost, and nothing of them that they were before. Random calls of all
// ranks against a model of what is in the file and of what waits where. Room: testpar, public headers only.

#include <algorithm>
#include <array>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <hdf5.h>
#include <map>
#include <new>
#include <pcio.h>
#include <random>
#include <string>
#include <vector>

#include <mpi.h>

#include "support.hpp"
#include "unencoded_model.hpp"

#ifdef PCIO_VERSION

using par::Id;
using namespace unencoded;

namespace {

/// On this rank.
std::array<std::array<Failing, kChunks>, kDatasets> fails_here;

size_t refuse(unsigned flags, size_t, const unsigned*, size_t bytes, size_t*, void** buffer) {
  const int code = *static_cast<const int*>(*buffer);
  if ((flags & H5Z_FLAG_REVERSE) != 0 || code <= 0) return bytes;
  Failing& fails =
      fails_here[static_cast<std::size_t>(code / 10 % 10)][static_cast<std::size_t>(code % 10 - 1)];
  if (fails.times == 0) return bytes;
  if (fails.times != kAlways) --fails.times;
  if (fails.memory) throw std::bad_alloc();
  return 0;
}

enum Bin {
  kFlushed,
  kFlushFailed,
  kOtherMoved,
  kOwnRefused,
  kDeleted,
  kLinkedAgain,
  kRetried,
  kCut,
  kClosed,
  kCloseFailed,
  kStayedOpen,
  kLost,
  kSecondWalk,
  kCopied,
  kCopyRefused,
  kBins
};
constexpr std::array<const char*, kBins> kBinNames = {
    "flushed",      "flush failed", "other moved", "own refused", "deleted",
    "linked again", "retried",      "cut",         "closed",      "close failed",
    "stayed open",  "lost",         "second walk", "copied",      "copy refused"};
std::array<int, kBins> bins;

/// Failed checks of this rank.
long wrong = 0;
#define SEE(condition)                                     \
  do {                                                     \
    if (!(condition)) {                                    \
      ++wrong;                                             \
      ::par::failed_check(#condition, __FILE__, __LINE__); \
    }                                                      \
  } while (false)

/// One file, from its making to what is read of it behind its close.
class Life {
 public:
  explicit Life(unsigned seed)
      : random_(seed), name_(par::file_name("unencoded" + std::to_string(seed))) {
    fails_here = {};
    const Id access(par::mpio_access());
    file_ = H5Fcreate(name_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
    for (int d = 0; d < kDatasets; ++d) {
      const hsize_t most = H5S_UNLIMITED, chunk = kElements;
      const Id space(H5Screate_simple(1, &kAll, &most)), list(H5Pcreate(H5P_DATASET_CREATE));
      H5Pset_chunk(list, 1, &chunk);
      if (is_filtered(d)) H5Pset_filter(list, kFilter, 0, 0, nullptr);
      ids_.emplace_back(H5Dcreate2(file_, path(d).c_str(), H5T_NATIVE_INT, space, H5P_DEFAULT, list,
                                   H5P_DEFAULT));
      SEE(ids_.back().valid());
    }
    SEE(H5Fflush(file_, H5F_SCOPE_GLOBAL) >= 0);
  }

  void run(int calls) {
    for (int i = 0; i < calls; ++i) {
      const int d = pick(kDatasets), c = pick(kChunks);
      switch (pick(11)) {
        case 0:
        case 1: write_alone(pick(kDatasets - 1), c); break;
        case 2: set_failing(pick(kDatasets - 1), c, pick(par::size()), any_failing()); break;
        case 3: heal(pick(kDatasets - 1)); break;
        case 4: write_together(d); break;
        case 5: read_together(d); break;
        case 6: flush(); break;
        case 7:
          if (pick(3) == 0) remove(pick(kDatasets - 1));
          if (pick(2) == 0) link_again(pick(kDatasets - 1));
          break;
        case 8: change_extent(pick(kDatasets - 1)); break;
        case 9:
          // Also one of which something has just been written.
          if (pick(2) == 0) write_alone(d % (kDatasets - 1), c);
          copy(d);
          break;
        default: reopen(d); break;
      }
    }
    // Some files are closed while a chunk lacks memory.
    if (const int d = pick(kDatasets - 1); pick(3) == 0 && model(d).usable()) {
      write_alone(d, 0);
      for (int rank = 0; rank < par::size(); ++rank) set_failing(d, 0, rank, {kAlways, true});
    }
    close();
  }

 private:
  static bool is_filtered(int d) { return d < kDatasets - 1; }
  static std::string path(int d) { return "d" + std::to_string(d); }
  int pick(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  DatasetModel& model(int d) { return models_[static_cast<std::size_t>(d)]; }
  Values new_values(int d, int c, bool may_fail) {
    Values values;
    const int code = 1 + c + 10 * d + 100 * ++version_;
    values.fill(may_fail ? code : -code);
    return values;
  }

  /// One or two ranks write a whole chunk by themselves.
  void write_alone(int d, int c) {
    if (!model(d).usable()) return;
    for (int n = 1 + pick(2); n > 0; --n) {
      const int rank = pick(par::size());
      const Values values = new_values(d, c, true);
      const bool packed = pick(4) == 0;
      model(d).chunks[static_cast<std::size_t>(c)].waits[rank] = {values, true, packed};
      if (pick(3) == 0) set_failing(d, c, rank, any_failing());
      if (par::rank() != rank) continue;
      SEE((packed ? put_chunk(d, c, values) : write_chunk(d, c, values.data(), H5P_DEFAULT)) >= 0);
    }
  }
  herr_t put_chunk(int d, int c, const Values& values) {
    const hsize_t start = static_cast<hsize_t>(c) * kElements;
    return H5Dwrite_chunk(id(d), H5P_DEFAULT, 0, &start, sizeof values, values.data());
  }
  herr_t write_chunk(int d, int c, const int* values, hid_t list) {
    const hsize_t start = static_cast<hsize_t>(c) * kElements, count = kElements;
    const Id space(H5Dget_space(id(d))), memory(H5Screate_simple(1, &count, nullptr));
    H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &count, nullptr);
    return H5Dwrite(id(d), H5T_NATIVE_INT, memory, space, list, values);
  }
  hid_t id(int d) { return ids_[static_cast<std::size_t>(d)]; }

  Failing any_failing() {
    const int which = pick(3);
    return {which < 2 ? 1 + which : kAlways, pick(3) == 0};
  }
  void set_failing(int d, int c, int rank, Failing failing) {
    model(d).fails[static_cast<std::size_t>(c)][rank] = failing;
    if (par::rank() == rank)
      fails_here[static_cast<std::size_t>(d)][static_cast<std::size_t>(c)] = failing;
  }
  /// From here on nothing of the dataset fails.
  void heal(int d) {
    for (int c = 0; c < kChunks; ++c)
      for (int rank = 0; rank < par::size(); ++rank) {
        if (model(d).fails[static_cast<std::size_t>(c)][rank].times > 0) ++bins[kRetried];
        set_failing(d, c, rank, {});
      }
  }

  /// What waits goes to the file but for what fails. True for each dataset of which something is left.
  std::array<bool, kDatasets> write_waiting() {
    std::array<bool, kDatasets> left{};
    lacking_ = {};
    ++round_;
    for (int d = 0; d < kDatasets; ++d) {
      if (!model(d).usable()) continue;
      const LeftModel of_dataset = model(d).write_waiting(round_);
      if (of_dataset.walked_again) ++bins[kSecondWalk];
      left[static_cast<std::size_t>(d)] = of_dataset.any;
      lacking_[static_cast<std::size_t>(d)] = of_dataset.lacks_memory;
    }
    return left;
  }
  static bool any_of(const std::array<bool, kDatasets>& left) {
    return std::find(left.begin(), left.end(), true) != left.end();
  }

  /// The failure names a dataset and a chunk, on each rank.
  void check_failed(const std::array<bool, kDatasets>& left) {
    const std::string text = par::error_text();
    SEE(text.find("the chunk that begins at") != std::string::npos);
    for (int d = 0; d < kDatasets; ++d)
      if (left[static_cast<std::size_t>(d)]) SEE(text.find(path(d)) != std::string::npos);
  }

  void write_together(int d) {
    if (!model(d).usable()) return;
    const auto left = write_waiting();
    std::vector<int> all;
    std::array<Values, kChunks> now;
    for (int c = 0; c < kChunks; ++c) now[static_cast<std::size_t>(c)] = new_values(d, c, false);
    // Each rank some chunks, many ranks none.
    const Id space(H5Dget_space(id(d)));
    H5Sselect_none(space);
    for (int c = par::rank(); c < kChunks; c += par::size()) {
      const hsize_t start = static_cast<hsize_t>(c) * kElements, count = kElements;
      H5Sselect_hyperslab(space, H5S_SELECT_OR, &start, nullptr, &count, nullptr);
      all.insert(all.end(), now[static_cast<std::size_t>(c)].begin(),
                 now[static_cast<std::size_t>(c)].end());
    }
    const hsize_t n = std::max<hsize_t>(all.size(), 1);
    const Id memory(H5Screate_simple(1, &n, nullptr));
    if (all.empty()) H5Sselect_none(memory);
    all.resize(n);
    const bool done = H5Dwrite(id(d), H5T_NATIVE_INT, memory, space, collective_, all.data()) >= 0;
    SEE(done != left[static_cast<std::size_t>(d)]);
    if (left[static_cast<std::size_t>(d)]) {
      check_failed({});
    } else {
      for (int c = 0; c < kChunks; ++c)
        model(d).chunks[static_cast<std::size_t>(c)] = {now[static_cast<std::size_t>(c)], {}};
    }
    count_moved(left, d);
  }
  static void count_moved(const std::array<bool, kDatasets>& left, int d) {
    if (any_of(left)) ++bins[left[static_cast<std::size_t>(d)] ? kOwnRefused : kOtherMoved];
  }

  void read_together(int d) {
    if (!model(d).usable()) return;
    const auto left = write_waiting();
    std::vector<int> found(kAll, -1);
    const bool done =
        H5Dread(id(d), H5T_NATIVE_INT, H5S_ALL, H5S_ALL, collective_, found.data()) >= 0;
    SEE(done != left[static_cast<std::size_t>(d)]);
    if (done) SEE(found == in_file(d));
    count_moved(left, d);
  }
  std::vector<int> in_file(int d) {
    std::vector<int> all;
    for (const ChunkModel& chunk : model(d).chunks)
      all.insert(all.end(), chunk.file.begin(), chunk.file.end());
    return all;
  }

  std::array<bool, kDatasets> of_linked(std::array<bool, kDatasets> left) {
    for (int d = 0; d < kDatasets; ++d)
      left[static_cast<std::size_t>(d)] = left[static_cast<std::size_t>(d)] && model(d).linked;
    return left;
  }

  void flush() {
    const auto left = of_linked(write_waiting());
    const bool done = H5Fflush(file_, H5F_SCOPE_GLOBAL) >= 0;
    SEE(done != any_of(left));
    if (!done) check_failed(left);
    ++bins[done ? kFlushed : kFlushFailed];
    // A program that is killed here leaves this.
    if (par::rank() == 0) {
      const std::string copy = name_ + ".copy";
      std::ofstream(copy, std::ios::binary) << std::ifstream(name_, std::ios::binary).rdbuf();
      check_file(copy);
      std::remove(copy.c_str());
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }

  void remove(int d) {
    if (!model(d).linked) return;
    SEE(H5Ldelete(file_, path(d).c_str(), H5P_DEFAULT) >= 0);
    model(d).linked = false;
    ++bins[kDeleted];
    // All go on having it open, or some, or none.
    const int who = pick(4), odd = pick(2);
    if (who == 0) return;
    model(d).open = false;
    if (who < 3 || (par::rank() + odd) % 2 == 0) ids_[static_cast<std::size_t>(d)].close();
  }
  void link_again(int d) {
    if (model(d).linked || !model(d).open) return;
    SEE(H5Olink(id(d), file_, path(d).c_str(), H5P_DEFAULT, H5P_DEFAULT) >= 0);
    model(d).linked = true;
    ++bins[kLinkedAgain];
  }

  /// Cuts a chunk in two, and grows again.
  void change_extent(int d) {
    if (!model(d).usable()) return;
    const int kept = 1 + pick(static_cast<int>(kAll) - 1);
    hsize_t size = static_cast<hsize_t>(kept);
    SEE(H5Dset_extent(id(d), &size) >= 0);
    size = kAll;
    SEE(H5Dset_extent(id(d), &size) >= 0);
    for (int c = 0; c < kChunks; ++c) {
      ChunkModel& chunk = model(d).chunks[static_cast<std::size_t>(c)];
      const int inside = kept - c * kElements;
      if (inside <= 0) chunk = ChunkModel();
      if (inside <= 0 || inside >= kElements) continue;
      for (int rank = 0; rank < par::size(); ++rank) {
        if (chunk.file != Values{})
          chunk.waits.try_emplace(rank, ChunkModel::Version{chunk.file, false});
        if (const auto mine = chunk.waits.find(rank); mine != chunk.waits.end()) {
          std::fill(mine->second.values.begin() + inside, mine->second.values.end(), 0);
          mine->second.packed = false;
        }
      }
      ++bins[kCut];
    }
  }

  /// What waits of other datasets, whether it can be encoded or not, does not concern a copy.
  void copy(int d) {
    if (!model(d).linked) return;
    bool waits = false;
    for (const DatasetModel& one : models_)
      for (const ChunkModel& chunk : one.chunks) waits = waits || !chunk.waits.empty();
    if (waits) write_waiting();
    bool refused = false;
    for (const ChunkModel& chunk : model(d).chunks) refused = refused || !chunk.waits.empty();
    const bool done = H5Ocopy(file_, path(d).c_str(), file_, "copy", H5P_DEFAULT, H5P_DEFAULT) >= 0;
    SEE(done != refused);
    ++bins[done ? kCopied : kCopyRefused];
    if (!done) {
      const std::string text = par::error_text();
      SEE(text.find("the chunk that begins at") != std::string::npos);
      SEE(text.find(path(d)) != std::string::npos);
      SEE(H5Lexists(file_, "copy", H5P_DEFAULT) == 0);
      return;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    {
      const Id data(H5Dopen2(file_, "copy", H5P_DEFAULT));
      std::vector<int> found(kAll, -1);
      SEE(H5Dread(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, found.data()) >= 0);
      SEE(found == in_file(d));
    }
    MPI_Barrier(MPI_COMM_WORLD);
    SEE(H5Ldelete(file_, "copy", H5P_DEFAULT) >= 0);
  }

  /// Each rank by itself.
  void reopen(int d) {
    if (!model(d).linked || (par::rank() + pick(2)) % 2 == 0) return;
    Id& data = ids_[static_cast<std::size_t>(d)];
    SEE(data.close() >= 0);
    data = Id(H5Dopen2(file_, path(d).c_str(), H5P_DEFAULT));
    SEE(data.valid());
  }

  void close() {
    for (Id& data : ids_) SEE(data.close() >= 0);
    auto left = of_linked(write_waiting());
    const hid_t file = file_;
    bool done = H5Fclose(file) >= 0;
    SEE(done != any_of(left));
    if (!done) check_failed(left);
    // For want of memory nothing is lost: the file waits for some.
    if (any_of(of_linked(lacking_))) {
      ++bins[kStayedOpen];
      SEE(H5Iis_valid(file) > 0);
      for (int d = 0; d < kDatasets; ++d) heal(d);
      left = of_linked(write_waiting());
      SEE(!any_of(left));
      done = H5Fclose(file) >= 0;
      SEE(done);
    }
    ++bins[done ? kClosed : kCloseFailed];
    SEE(H5Iis_valid(file) == 0);
    SEE(H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL) == 0);
    MPI_Barrier(MPI_COMM_WORLD);
    if (par::rank() == 0) check_file(name_);
    MPI_Barrier(MPI_COMM_WORLD);
    for (const DatasetModel& one : models_)
      for (const ChunkModel& chunk : one.chunks)
        if (one.linked && !chunk.waits.empty()) ++bins[kLost];
  }

  void check_file(const std::string& name) {
    const Id file(H5Fopen(name.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
    SEE(file.valid());
    for (int d = 0; d < kDatasets; ++d) {
      SEE(H5Lexists(file, path(d).c_str(), H5P_DEFAULT) == (model(d).linked ? 1 : 0));
      if (!model(d).linked) continue;
      const Id data(H5Dopen2(file, path(d).c_str(), H5P_DEFAULT));
      std::vector<int> found(kAll, -1);
      SEE(H5Dread(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, found.data()) >= 0);
      SEE(found == in_file(d));
    }
  }

  std::mt19937 random_;
  std::string name_;
  const Id collective_{par::transfer_list(H5FD_MPIO_COLLECTIVE)};
  hid_t file_ = H5I_INVALID_HID;
  std::vector<Id> ids_;
  std::array<DatasetModel, kDatasets> models_;
  int version_ = 0;
  int round_ = 0;
  std::array<bool, kDatasets> lacking_{};  // of the last time that what waits was written
};

long number(const char* variable, long otherwise) {
  const char* const text = std::getenv(variable);
  return text != nullptr ? std::atol(text) : otherwise;
}

CASE(chunks_that_cannot_be_encoded) {
  const H5Z_class2_t filter = {H5Z_CLASS_T_VERS, kFilter, 1,       1,
                               "refuses",        nullptr, nullptr, refuse};
  CHECK(H5Zregister(&filter) >= 0);
  const bool is_long = std::getenv("PCIO_LONG") != nullptr;
  const auto seed = static_cast<unsigned>(number("PCIO_SEED", 1));
  const long cases = number("PCIO_CASES", is_long ? 200 : 8);
  long good = 0;
  for (; good < cases; ++good) {
    Life(seed + static_cast<unsigned>(good)).run(30);
    if (par::any(wrong > 0)) break;
  }
  if (par::rank() == 0) {
    std::printf("seed %u, %ld of %ld cases", seed, good, cases);
    for (int bin = 0; bin < kBins; ++bin)
      std::printf(", %s %d", kBinNames[static_cast<std::size_t>(bin)],
                  bins[static_cast<std::size_t>(bin)]);
    std::printf(", failures %d\n", good < cases ? 1 : 0);
  }
  for (const int count : bins) CHECK(count > 0);
}

}  // namespace

#endif
