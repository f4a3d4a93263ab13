// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Random work on a disk that fails now and then, on one rank or on all: datasets are made, written,
// resized, deleted, flushed, the file is closed and opened again. What was written without an error is
// there, everything else is the fill value or what it was before; a call that failed has changed
// nothing else; when the disk is well again the file can be flushed and closed, and read.
//
//   failing_cases [--seed S] [--cases N] [--case K] [--folder F] [--serial 1]
//
// Ends with one line: seed, cases, failures, and how often each kind of thing happened; a kind that
// did not is a failure. Room: testpar, public headers only.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <pcio.h>
#include <random>
#include <string>

#include "testpar/failing/disk.hpp"
#include "testpar/failing/model.hpp"
#include "testpar/space/frame.hpp"

using namespace failing;

namespace {

std::map<std::string, long> bins;
std::string failure;  // of this rank, the first
bool serial_files = false;

void fail(const std::string& text) {
  if (failure.empty()) failure = text;
}
void note(const std::string& what, bool good) { ++bins[what + (good ? "" : " fails")]; }

struct Set {
  std::string name;
  par::Id id;
  Model model;
  hsize_t chunk[2] = {0, 0};
  bool chunked = false, filtered = false, late = false;
};

class Work {
 public:
  Work(std::uint64_t seed, std::string path) : random_(seed), seed_(seed), path_(std::move(path)) {}
  void play(unsigned steps);

 private:
  unsigned pick(unsigned n) { return static_cast<unsigned>(random_() % n); }
  bool chance(unsigned percent) { return pick(100) < percent; }
  [[nodiscard]] int ranks() const { return serial_files ? 1 : par::size(); }
  /// The same on all ranks, or it is a failure.
  bool together(bool good, const char* what);

  void step();
  void make();
  void write(Set& set);
  void write_parts(Set& set, const Slab& slab, bool alone);
  void resize(Set& set);
  void remove(std::size_t n);
  void flush();
  void close_and_open();
  void compare(const char* when);
  void compare(const Set& set, const std::string& when);
  void make_ill();
  void open_all();
  [[nodiscard]] par::Id access() const;
  [[nodiscard]] par::Id lists(Set& set, bool late) const;

  std::mt19937_64 random_;
  std::uint64_t seed_;
  std::string path_;
  par::Id file_;
  std::vector<std::unique_ptr<Set>> sets_;
  bool latest_ = false;
  unsigned rate_ = 10;
  int culprit_ = 0, serial_ = 0, value_ = 1, step_ = 0;
};

bool Work::together(bool good, const char* what) {
  if (serial_files) return good;
  const bool any = par::any(good);
  if (any && !good) fail(std::string(what) + " succeeds on other ranks");
  return any;
}

par::Id Work::access() const {
  const H5F_libver_t low = latest_ ? H5F_LIBVER_LATEST : H5F_LIBVER_EARLIEST;
  if (!serial_files) return par::mpio_access(low);
  par::Id list(H5Pcreate(H5P_FILE_ACCESS));
  H5Pset_libver_bounds(list, low, H5F_LIBVER_LATEST);
  // A cache that holds a few chunks.
  if (seed_ % 2 == 0) H5Pset_cache(list, 0, 11, 600, 0.5);
  return list;
}

/// From here on writes of some ranks fail, all writes of the serial form; now and then none do.
void Work::make_ill() {
  const bool mine = culprit_ == ranks() || culprit_ == par::rank();
  // Drawn on all ranks: they draw alike.
  const bool well = chance(30);
  const std::uint64_t seed = seed_ * 131 + static_cast<std::uint64_t>(par::rank() + 100 * step_);
  disk::set_rate(mine && !well ? rate_ : 0, seed);
}

void Work::make() {
  if (sets_.size() >= 8) return;
  auto set = std::make_unique<Set>();
  set->name = "d" + std::to_string(serial_++);
  hsize_t dims[2] = {1 + pick(40), 1 + pick(10)}, most[2];
  set->chunked = !chance(25);
  set->filtered = set->chunked && chance(40);
  set->late = set->chunked && !set->filtered && !serial_files && chance(30);
  const par::Id list(H5Pcreate(H5P_DATASET_CREATE)), open(H5Pcreate(H5P_DATASET_ACCESS));
  for (int d = 0; d < 2; ++d) {
    set->chunk[d] = 1 + pick(static_cast<unsigned>(dims[d]) + 3);
    most[d] = !set->chunked ? dims[d] : chance(60) ? H5S_UNLIMITED : kMost;
    if (most[d] != H5S_UNLIMITED && set->chunk[d] > most[d]) set->chunk[d] = most[d];
  }
  const int fill = chance(60) ? 77 : 0;
  if (set->chunked) H5Pset_chunk(list, 2, set->chunk);
  if (set->filtered) {
    H5Pset_shuffle(list);
    H5Pset_deflate(list, 1);
  }
  if (fill != 0) H5Pset_fill_value(list, H5T_NATIVE_INT, &fill);
  const bool early = chance(20);
  if (early) H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY);
  if (set->late) pcio_set_dapl_late_allocation(open, 1);
  const par::Id space(H5Screate_simple(2, dims, most));
  make_ill();
  set->id =
      par::Id(H5Dcreate2(file_, set->name.c_str(), H5T_NATIVE_INT, space, H5P_DEFAULT, list, open));
  disk::set_rate(0, 0);
  const bool good = together(set->id.valid(), "H5Dcreate2");
  note(std::string("create ") + (set->filtered  ? "filtered"
                                 : set->chunked ? "chunked"
                                                : "contiguous"),
       good);
  if (!good) {
    if (H5Lexists(file_, set->name.c_str(), H5P_DEFAULT) > 0) fail("what was not made has a name");
    return;
  }
  set->model = Model(dims[0], dims[1], fill);
  sets_.push_back(std::move(set));
}

void Work::write(Set& set) {
  const hsize_t* dims = set.model.dims();
  if (set.model.elements() == 0) return;
  Slab slab;
  const bool whole = chance(25);
  for (int d = 0; d < 2; ++d) {
    slab.start[d] = whole ? 0 : pick(static_cast<unsigned>(dims[d]));
    slab.count[d] = whole ? dims[d] : 1 + pick(static_cast<unsigned>(dims[d] - slab.start[d]));
  }
  // Chunks with filters are written independently as a whole only, and late ones together only.
  write_parts(set, slab, serial_files || (!set.filtered && !set.late && chance(35)));
}

/// Each rank writes some rows.
void Work::write_parts(Set& set, const Slab& slab, bool alone) {
  const int first = value_;
  value_ += static_cast<int>(slab.elements());
  auto part_of = [&](int rank) {
    Slab part = slab;
    const auto r = static_cast<hsize_t>(rank), n = static_cast<hsize_t>(ranks());
    const hsize_t low = slab.count[0] * r / n, high = slab.count[0] * (r + 1) / n;
    part.start[0] += low;
    part.count[0] = high - low;
    return part;
  };
  const Slab mine = part_of(serial_files ? 0 : par::rank());
  auto first_of = [&](const Slab& part) {
    return first + static_cast<int>((part.start[0] - slab.start[0]) * slab.count[1]);
  };
  std::vector<int> values(mine.elements() + 1);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = first_of(mine) + static_cast<int>(i);
  const par::Id space(H5Dget_space(set.id));
  const hsize_t length = mine.elements() > 0 ? mine.elements() : 1;
  const par::Id memory(H5Screate_simple(1, &length, nullptr));
  if (mine.elements() > 0) {
    H5Sselect_hyperslab(space, H5S_SELECT_SET, mine.start, nullptr, mine.count, nullptr);
  } else {
    H5Sselect_none(space);
    H5Sselect_none(memory);
  }
  par::Id list(H5Pcreate(H5P_DATASET_XFER));
  if (!serial_files) H5Pset_dxpl_mpio(list, alone ? H5FD_MPIO_INDEPENDENT : H5FD_MPIO_COLLECTIVE);
  make_ill();
  const bool good = H5Dwrite(set.id, H5T_NATIVE_INT, memory, space, list, values.data()) >= 0;
  disk::set_rate(0, 0);
  if (!alone) together(good, "H5Dwrite");
  note(std::string(alone ? "write alone" : "write together") + (set.filtered ? " filtered" : ""),
       !(alone || serial_files ? !good : par::any(!good)));
  std::vector<int> outcomes(static_cast<std::size_t>(ranks()), good ? 1 : 0);
  const int word = good ? 1 : 0;
  if (!serial_files) MPI_Allgather(&word, 1, MPI_INT, outcomes.data(), 1, MPI_INT, MPI_COMM_WORLD);
  for (int r = 0; r < ranks(); ++r)
    set.model.written(part_of(r), first_of(part_of(r)), outcomes[static_cast<std::size_t>(r)] != 0);
}

void Work::resize(Set& set) {
  if (!set.chunked) return;
  hsize_t dims[2] = {set.model.dims()[0], set.model.dims()[1]};
  const bool mixed = chance(40);
  const int only = static_cast<int>(pick(2));
  for (int d = 0; d < 2; ++d)
    if (mixed || d == only) dims[d] = pick(kMost + 1);
  const hsize_t* now = set.model.dims();
  const bool grows = dims[0] > now[0] || dims[1] > now[1];
  const bool shrinks = dims[0] < now[0] || dims[1] < now[1];
  if (!grows && !shrinks) return;
  make_ill();
  const bool good = together(H5Dset_extent(set.id, dims) >= 0, "H5Dset_extent");
  disk::set_rate(0, 0);
  note(grows && shrinks ? "mixed extent" : grows ? "larger extent" : "smaller extent", good);
  if (good) set.model.resize(dims[0], dims[1]);
  const par::Id space(H5Dget_space(set.id));
  hsize_t there[2] = {0, 0};
  H5Sget_simple_extent_dims(space, there, nullptr);
  if (there[0] != set.model.dims()[0] || there[1] != set.model.dims()[1])
    fail("another extent than the one that H5Dset_extent told");
}

void Work::remove(std::size_t n) {
  sets_[n]->id.close();
  if (H5Ldelete(file_, sets_[n]->name.c_str(), H5P_DEFAULT) < 0) fail("H5Ldelete");
  note("delete", true);
  sets_.erase(sets_.begin() + static_cast<std::ptrdiff_t>(n));
}

void Work::flush() {
  make_ill();
  const bool good = together(H5Fflush(file_, H5F_SCOPE_GLOBAL) >= 0, "H5Fflush");
  disk::set_rate(0, 0);
  note("flush", good);
  if (!good && chance(50) && H5Fflush(file_, H5F_SCOPE_GLOBAL) < 0)
    fail("the next flush fails, though the disk is well again");
}

void Work::open_all() {
  const par::Id late(H5Pcreate(H5P_DATASET_ACCESS));
  pcio_set_dapl_late_allocation(late, 1);
  for (auto& set : sets_)
    set->id = par::Id(H5Dopen2(file_, set->name.c_str(), set->late ? hid_t(late) : H5P_DEFAULT));
}

void Work::close_and_open() {
  for (auto& set : sets_) set->id.close();
  const hid_t id = file_;
  make_ill();
  const bool good = together(H5Fclose(id) >= 0, "H5Fclose");
  disk::set_rate(0, 0);
  note("close", good);
  if (!good && H5Fclose(id) < 0) fail("the second close fails, though the disk is well again");
  file_.release();
  const par::Id list = access();
  file_ = par::Id(H5Fopen(path_.c_str(), H5F_ACC_RDWR, list));
  if (!file_.valid()) return fail("the file can't be opened again");
  open_all();
  compare("after a close");
}

void Work::compare(const Set& set, const std::string& when) {
  if (!set.id.valid()) return fail(when + ": " + set.name + " is not there");
  if (set.model.elements() == 0) return;
  std::vector<int> values(set.model.elements(), -1);
  if (H5Dread(set.id, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)
    return fail(when + ": " + set.name + " can't be read");
  const long wrong = set.model.first_wrong(values);
  if (wrong < 0) return;
  fail(when + ": element " + std::to_string(wrong) + " of " + set.name +
       (set.filtered  ? " (filtered)"
        : set.chunked ? " (chunked)"
                      : "") +
       " is " + std::to_string(values[static_cast<std::size_t>(wrong)]) + ", not " +
       std::to_string(set.model.expected(wrong)));
}

void Work::compare(const char* when) {
  // What other ranks wrote by themselves is seen behind a flush.
  if (!serial_files && H5Fflush(file_, H5F_SCOPE_GLOBAL) < 0)
    return fail(std::string(when) + ": can't be flushed, though the disk is well");
  for (const auto& set : sets_) compare(*set, when);
}

void Work::step() {
  const unsigned kind = pick(100);
  if (kind < 20 || sets_.empty()) return make();
  const std::size_t n = pick(static_cast<unsigned>(sets_.size()));
  if (kind < 55) return write(*sets_[n]);
  if (kind < 75) return resize(*sets_[n]);
  if (kind < 80) return remove(n);
  if (kind < 92) return flush();
  close_and_open();
}

void Work::play(unsigned steps) {
  latest_ = chance(50);
  rate_ = 1 + pick(12);
  culprit_ = static_cast<int>(pick(static_cast<unsigned>(ranks()) + 1));
  const par::Id list = access();
  const par::Id create(H5Pcreate(H5P_FILE_CREATE));
  const unsigned strategy = pick(6);
  if (strategy == 0) H5Pset_file_space_strategy(create, H5F_FSPACE_STRATEGY_PAGE, 0, 1);
  if (strategy == 1) H5Pset_file_space_strategy(create, H5F_FSPACE_STRATEGY_FSM_AGGR, 1, 1);
  file_ = par::Id(H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, create, list));
  if (!file_.valid()) return fail("H5Fcreate");
  disk::watch(path_);
  auto good = [] { return serial_files ? failure.empty() : par::all(failure.empty()); };
  for (unsigned i = 0; i < steps && good(); ++i) {
    ++step_;
    step();
    if (chance(25)) compare(("after step " + std::to_string(step_)).c_str());
  }
  if (!good()) return;
  compare("at the end");
  for (auto& set : sets_) set->id.close();
  if (file_.close() < 0) return fail("the last close fails");
  file_ = par::Id(H5Fopen(path_.c_str(), H5F_ACC_RDONLY, list));
  open_all();
  for (const auto& set : sets_) compare(*set, "after the last close");
}

const char* const kBins[] = {"create contiguous",
                             "create chunked",
                             "create filtered",
                             "create chunked fails",
                             "write alone",
                             "write alone fails",
                             "larger extent",
                             "larger extent fails",
                             "smaller extent",
                             "mixed extent",
                             "mixed extent fails",
                             "delete",
                             "flush",
                             "flush fails",
                             "close",
                             "close fails"};
const char* const kSerialBins[] = {"write alone filtered", "write alone filtered fails"};
const char* const kParallelBins[] = {"write together", "write together fails",
                                     "write together filtered", "write together filtered fails",
                                     "create contiguous fails"};

template <class Bins>
std::string count_bins(const Bins& names, std::uint64_t played, int* failures) {
  std::string line;
  for (const char* bin : names) {
    line += std::string(", ") + bin + " " + std::to_string(bins[bin]);
    if (bins[bin] > 0 || played < 60) continue;
    std::printf("FAILED: nothing was tried for %s\n", bin);
    ++*failures;
  }
  return line;
}

void report(std::uint64_t seed, std::uint64_t played, int failures) {
  long struck[4] = {disk::struck().nothing_written, disk::struck().part_written,
                    disk::struck().full, disk::struck().broken};
  long all[4] = {0, 0, 0, 0};
  MPI_Reduce(struck, all, 4, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (par::rank() != 0) return;
  std::printf(
      "failing: seed %llu, %llu cases on %d ranks%s, failures %d, nothing written %ld, part "
      "written %ld, full %ld, broken %ld",
      static_cast<unsigned long long>(seed), static_cast<unsigned long long>(played), par::size(),
      serial_files ? " (serial)" : "", failures, all[0], all[1], all[2], all[3]);
}

}  // namespace

int main(int argc, char** argv) {
  std::uint64_t seed = 1, cases = 100, only = ~std::uint64_t{0};
  std::string folder = ".";
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string option = argv[i];
    if (option == "--seed") seed = std::strtoull(argv[i + 1], nullptr, 10);
    if (option == "--cases") cases = std::strtoull(argv[i + 1], nullptr, 10);
    if (option == "--case") only = std::strtoull(argv[i + 1], nullptr, 10);
    if (option == "--folder") folder = argv[i + 1];
    if (option == "--serial") serial_files = std::atoi(argv[i + 1]) != 0;
  }
  MPI_Init(&argc, &argv);
  const char* const expected = std::getenv("PCIO_TEST_NP");
  if (expected != nullptr && std::atoi(expected) != par::size()) MPI_Abort(MPI_COMM_WORLD, 3);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  int failures = 0;
  std::uint64_t played = 0;
  for (std::uint64_t n = 0; n < cases; ++n) {
    if (only != ~std::uint64_t{0} && n != only) continue;
    ++played;
    const std::string path = folder + "/failing" + std::to_string(n) + ".h5";
    failure.clear();
    {
      Work work(seed * 1000003 + n, path);
      work.play(40);
    }
    if (!failure.empty())
      std::printf("FAILED: seed %llu case %llu rank %d: %s\n",
                  static_cast<unsigned long long>(seed), static_cast<unsigned long long>(n),
                  par::rank(), failure.c_str());
    if (par::any(!failure.empty()))
      ++failures;
    else if (par::rank() == 0)
      std::remove(path.c_str());
  }
  std::string line;
  if (par::rank() == 0) {
    line = count_bins(kBins, played, &failures);
    line += serial_files ? count_bins(kSerialBins, played, &failures)
                         : count_bins(kParallelBins, played, &failures);
  }
  report(seed, played, failures);
  if (par::rank() == 0) std::printf("%s\n", line.c_str());
  MPI_Finalize();
  return failures == 0 ? 0 : 1;
}
