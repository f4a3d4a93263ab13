// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Campaign: virtual datasets with random mappings, written by all ranks together and read again. Room: testpar,
// public headers only.
//
// A case makes up to three source files and the file with the virtual dataset, and maps it in one of five ways.
// In each round the ranks share what is written in one of five ways, each writes its part, and all read all of it
// and compare with a model. In some rounds one rank fails: nothing has changed then on any.
// Files of the first cases stay in PCIO_FOLDER, each with its values as text, for others to read.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "campaign/histogram.hpp"
#include "support.hpp"

using par::Id;

namespace {

campaign::Histogram histogram;

const std::vector<std::string> kMappings = {"blocks", "turns", "columns", "pattern", "endless"};
const std::vector<std::string> kLayouts = {"contiguous", "chunked", "filtered"};
const std::vector<std::string> kShares = {"bands", "turns", "columns", "points", "one rank"};
const std::vector<std::string> kOpenings = {"closed", "open", "own file"};

struct Source {
  int file = 0;  ///< 0: the file with the virtual dataset
  std::string name;
  hsize_t dims[2] = {0, 0};
  int layout = 0;
};

class Case {
 public:
  Case(unsigned long seed, std::string path) : all_(seed), path_(std::move(path)) {}

  bool play() {
    choose();
    for (int i = 1; i <= files_; ++i) make_file(i);
    make_virtual();
    for (int i = 1; i <= files_; ++i)
      if (open_[i]) held_.push_back(open(i));
    const int rounds = 1 + pick(3);
    for (int i = 0; i < rounds && good_; ++i) play_round(i);
    set_ = Id();
    own_ = Id();
    held_.clear();
    return good_ = par::all(good_);
  }

  void keep_values() const {
    if (par::rank() != 0) return;
    std::ofstream out(name(0) + ".values");
    out << rows_ << " " << columns_ << "\n";
    for (const int value : model_) out << value << "\n";
  }
  void remove_files() const {
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i <= files_ && par::rank() == 0; ++i) std::remove(name(i).c_str());
  }

 private:
  // Files of a pattern end in their numbers.
  [[nodiscard]] std::string name(int i) const {
    return path_ + (i == 0 ? "v" : "s" + std::to_string(i - 1));
  }
  int pick(int n) { return static_cast<int>(all_() % static_cast<unsigned long>(n)); }
  hsize_t some(int from, int to) { return static_cast<hsize_t>(from + pick(to - from + 1)); }

  // ---- what there is -----------------------------------------------------------------------------

  void choose() {
    mapping_ = pick(5);
    files_ = 1 + pick(3);
    columns_ = some(1, 9);
    const int parts = mapping_ == 4 ? 1 : 1 + pick(4);
    if (mapping_ == 3) files_ = std::min(parts, 3);
    const int count = mapping_ == 3 ? files_ : parts;
    part_rows_ = some(1, 6);
    rows_ = part_rows_ * (mapping_ == 2 ? 1 : static_cast<hsize_t>(count));
    if (mapping_ == 2) columns_ = std::max(columns_, static_cast<hsize_t>(count));
    for (int i = 1; i <= files_; ++i) open_[i] = pick(3) == 0;
    for (int i = 0; i < count; ++i) {
      Source source;
      source.file = mapping_ == 3 ? i + 1 : pick(files_ + 1);
      source.name = mapping_ == 3 ? "d" : "d" + std::to_string(i);
      source.layout = mapping_ == 4 ? 1 + pick(2) : pick(3);
      const hsize_t more = mapping_ < 2 ? some(0, 2) : 0;
      source.dims[0] = part_rows_ + more;
      source.dims[1] = mapping_ == 2 ? width(i, count) : columns_;
      sources_.push_back(source);
      histogram.count("layout", kLayouts[static_cast<std::size_t>(source.layout)]);
      histogram.count("source", kOpenings[source.file == 0 ? 2 : open_[source.file] ? 1 : 0]);
    }
    histogram.count("mapping", kMappings[static_cast<std::size_t>(mapping_)]);
    model_.assign(rows_ * columns_, 0);
  }
  [[nodiscard]] hsize_t width(int i, int count) const {
    const hsize_t each = columns_ / static_cast<hsize_t>(count);
    return i + 1 < count ? each : columns_ - each * static_cast<hsize_t>(count - 1);
  }

  void make_sources(hid_t file, int number) {
    for (const Source& source : sources_) {
      if (source.file != number) continue;
      const hsize_t chunk[2] = {std::max<hsize_t>(1, source.dims[0] / 2), source.dims[1]},
                    most[2] = {H5S_UNLIMITED, source.dims[1]};
      const Id space(H5Screate_simple(2, source.dims, source.layout > 0 ? most : nullptr)),
          list(H5Pcreate(H5P_DATASET_CREATE));
      if (source.layout > 0) H5Pset_chunk(list, 2, chunk);
      if (source.layout == 2) H5Pset_fletcher32(list);
      // One rank alone writes to what has space.
      if (open_[number]) H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY);
      const Id set(H5Dcreate2(file, source.name.c_str(), H5T_NATIVE_INT, space, H5P_DEFAULT, list,
                              H5P_DEFAULT));
      check_mine(set.valid(), "make a source");
    }
  }

  /// By one rank or by all.
  void make_file(int i) {
    const bool together = pick(2) == 0;
    if (together || par::rank() == 0) {
      const Id list(together ? par::mpio_access() : H5Pcreate(H5P_FILE_ACCESS));
      const Id file(H5Fcreate(name(i).c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, list));
      make_sources(file, i);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }

  Id open(int i) const {
    const Id list(par::mpio_access());
    return Id(H5Fopen(name(i).c_str(), H5F_ACC_RDWR, list));
  }

  void make_virtual() {
    const Id access(par::mpio_access()), list(H5Pcreate(H5P_DATASET_CREATE));
    own_ = Id(H5Fcreate(name(0).c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
    make_sources(own_, 0);
    const bool endless = mapping_ >= 3;
    const hsize_t dims[2] = {rows_, columns_}, most[2] = {H5S_UNLIMITED, columns_};
    const Id space(H5Screate_simple(2, dims, endless ? most : nullptr));
    if (endless) {
      map_endless(list, space);
    } else {
      for (std::size_t i = 0; i < sources_.size(); ++i) map_part(list, space, i);
    }
    H5Sselect_all(space);
    set_ = Id(H5Dcreate2(own_, "v", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT));
    check_mine(set_.valid(), "make the virtual dataset");
    check_mine(H5Fflush(own_, H5F_SCOPE_GLOBAL) >= 0, "flush");
  }

  [[nodiscard]] std::string file_of(const Source& source) const {
    return source.file == 0 ? "." : name(source.file);
  }

  void map_part(hid_t list, hid_t space, std::size_t i) {
    const Source& source = sources_[i];
    const hsize_t n = sources_.size();
    hsize_t start[2] = {i * part_rows_, 0}, stride[2] = {1, 1}, count[2] = {part_rows_, columns_};
    if (mapping_ == 1) {
      start[0] = i;
      stride[0] = n;
    } else if (mapping_ == 2) {
      start[0] = 0;
      start[1] = i * (columns_ / n);
      count[1] = source.dims[1];
    }
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, stride, count, nullptr);
    const Id from(H5Screate_simple(2, source.dims, nullptr));
    const hsize_t at[2] = {source.dims[0] - part_rows_, 0};
    H5Sselect_hyperslab(from, H5S_SELECT_SET, at, nullptr, count, nullptr);
    check_mine(H5Pset_virtual(list, space, file_of(source).c_str(), source.name.c_str(), from) >= 0,
               "map");
  }

  void map_endless(hid_t list, hid_t space) {
    const Source& source = sources_[0];
    const hsize_t most[2] = {H5S_UNLIMITED, columns_}, start[2] = {0, 0},
                  stride[2] = {part_rows_, 1}, count[2] = {H5S_UNLIMITED, 1},
                  block[2] = {mapping_ == 3 ? part_rows_ : 1, columns_}, ones[2] = {1, 1};
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, mapping_ == 3 ? stride : ones, count, block);
    const Id from(H5Screate_simple(2, source.dims, mapping_ == 4 ? most : nullptr));
    if (mapping_ == 4) H5Sselect_hyperslab(from, H5S_SELECT_SET, start, ones, count, block);
    const std::string file = mapping_ == 3 ? path_ + "s%b" : file_of(source);
    check_mine(H5Pset_virtual(list, space, file.c_str(), source.name.c_str(), from) >= 0, "map");
  }

  // ---- rounds ------------------------------------------------------------------------------------

  /// The elements that a rank writes, in its order; no element is two ranks'.
  [[nodiscard]] std::vector<hsize_t> elements_of(int rank, int share, unsigned long seed) const {
    std::vector<hsize_t> mine;
    const auto n = static_cast<hsize_t>(par::size()), me = static_cast<hsize_t>(rank);
    std::mt19937_64 spread(seed);
    for (hsize_t e = 0; e < rows_ * columns_; ++e) {
      const hsize_t row = e / columns_, column = e % columns_, luck = spread();
      const hsize_t owner = share == 0   ? row * n / rows_
                            : share == 1 ? row % n
                            : share == 2 ? column % n
                            : share == 3 ? luck % (n + 1)
                                         : seed % n;
      if (owner == me) mine.push_back(e);
    }
    if (share == 3) std::shuffle(mine.begin(), mine.end(), spread);
    return mine;
  }

  void select(hid_t space, int share, const std::vector<hsize_t>& mine) const {
    if (mine.empty()) {
      H5Sselect_none(space);
      return;
    }
    std::vector<hsize_t> points;
    for (const hsize_t e : mine) {
      const hsize_t at[2] = {e / columns_, e % columns_}, one[2] = {1, 1};
      points.insert(points.end(), {at[0], at[1]});
      if (share != 3)
        H5Sselect_hyperslab(space, e == mine[0] ? H5S_SELECT_SET : H5S_SELECT_OR, at, nullptr, one,
                            nullptr);
    }
    if (share == 3) H5Sselect_elements(space, H5S_SELECT_SET, mine.size(), points.data());
  }

  /// Without filters, in files that the ranks have open.
  [[nodiscard]] bool may_be_written_alone() const {
    return std::all_of(sources_.begin(), sources_.end(), [&](const Source& source) {
      return source.layout != 2 && (source.file == 0 || open_[source.file]);
    });
  }

  template <class T>
  herr_t write(const std::vector<hsize_t>& mine, hid_t space, hid_t type, bool fails, bool alone,
               int round) {
    std::vector<T> values;
    for (const hsize_t e : mine) values.push_back(static_cast<T>(value_of(e, round)));
    const hsize_t n = values.size();
    const Id memory(n > 0 ? H5Screate_simple(1, &n, nullptr) : H5Screate(H5S_NULL)),
        list(par::transfer_list(alone ? H5FD_MPIO_INDEPENDENT : H5FD_MPIO_COLLECTIVE));
    const herr_t done = H5Dwrite(set_, type, memory, space, list, fails ? nullptr : values.data());
    if (done < 0 && !fails && !expects_failure_)
      std::fprintf(stderr, "rank %d: %s\n", par::rank(), par::error_text().c_str());
    return done;
  }
  [[nodiscard]] static int value_of(hsize_t e, int round) {
    return 1000 * (round + 1) + static_cast<int>(e);
  }

  void play_round(int round) {
    const int share = pick(5);
    const unsigned long seed = all_();
    const bool wants_alone = pick(2) == 0, alone = wants_alone && may_be_written_alone();
    const int sick = pick(5) == 0 && !alone ? pick(par::size()) : -1;
    const bool doubles = pick(3) == 0;
    const std::vector<hsize_t> mine = elements_of(par::rank(), share, seed);
    expects_failure_ = sick >= 0 && !elements_of(sick, share, seed).empty();
    const bool fails = expects_failure_ && sick == par::rank();
    const Id space(H5Dget_space(set_));
    select(space, share, mine);
    const herr_t done = doubles ? write<double>(mine, space, H5T_NATIVE_DOUBLE, fails, alone, round)
                                : write<int>(mine, space, H5T_NATIVE_INT, fails, alone, round);
    check_mine((done < 0) == expects_failure_, "the outcome of a write");
    histogram.count("share", kShares[static_cast<std::size_t>(share)]);
    histogram.count("write", expects_failure_ ? "fails on all" : alone ? "alone" : "together");
    for (int r = 0; r < par::size() && !expects_failure_; ++r)
      for (const hsize_t e : elements_of(r, share, seed)) model_[e] = value_of(e, round);
    MPI_Barrier(MPI_COMM_WORLD);
    compare();
    good_ = par::all(good_);
  }

  void compare() {
    const Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
    std::vector<int> found(model_.size(), -1);
    check_mine(H5Dread(set_, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, list, found.data()) >= 0, "read");
    for (std::size_t i = 0; i < found.size(); ++i)
      if (found[i] != model_[i]) {
        std::fprintf(stderr, "rank %d: element %zu is %d, not %d\n", par::rank(), i, found[i],
                     model_[i]);
        good_ = false;
        break;
      }
  }

  void check_mine(bool ok, const char* what) {
    if (!ok) std::fprintf(stderr, "rank %d: %s\n%s", par::rank(), what, par::error_text().c_str());
    good_ = good_ && ok;
  }

  std::mt19937_64 all_;
  std::string path_;
  int mapping_ = 0, files_ = 1;
  hsize_t rows_ = 0, columns_ = 0, part_rows_ = 0;
  bool open_[4] = {};
  std::vector<Source> sources_;
  std::vector<int> model_;
  Id own_, set_;
  std::vector<Id> held_;
  bool expects_failure_ = false;
  bool good_ = true;
};

long number(const char* name, long otherwise) {
  const char* word = std::getenv(name);
  return word != nullptr ? std::atol(word) : otherwise;
}

}  // namespace

CASE(virtual_datasets_that_all_write) {
  const long seed = number("PCIO_SEED", 1), cases = number("PCIO_CASES", 40),
             only = number("PCIO_CASE", -1), keep = number("PCIO_KEEP", 0);
  const char* folder = std::getenv("PCIO_FOLDER");
  const par::Silence silence;
  histogram.add_group("mapping", kMappings);
  histogram.add_group("layout", kLayouts);
  histogram.add_group("source", kOpenings);
  histogram.add_group("share", kShares);
  histogram.add_group("write", {"together", "alone", "fails on all"});
  long failures = 0, played = 0;
  for (long i = only >= 0 ? only : 0; i < (only >= 0 ? only + 1 : cases); ++i, ++played) {
    Case one(static_cast<unsigned long>(seed * 1000003 + i),
             std::string(folder != nullptr ? folder : ".") + "/" + std::to_string(i) + "_");
    const bool good = one.play();
    if (good && i < keep) {
      one.keep_values();
      continue;
    }
    one.remove_files();
    if (good) continue;
    ++failures;
    if (par::rank() == 0) std::fprintf(stderr, "FAILED: PCIO_SEED=%ld PCIO_CASE=%ld\n", seed, i);
  }
  const std::string empty = histogram.empty_bins();
  CHECK(failures == 0);
  CHECK(only >= 0 || empty.empty());
  if (par::rank() == 0)
    std::printf("virtual: seed %ld, %ld cases on %d ranks, %ld failures: %s%s%s\n", seed, played,
                par::size(), failures, histogram.text().c_str(),
                empty.empty() ? "" : "; EMPTY: ", empty.c_str());
}
