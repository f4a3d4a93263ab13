// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Random lives of datasets in parallel files: collective and independent writes, growing and shrinking,
// late allocation, space that was in use before, every transport; compared with a model.
//
//   space_cases [--seed S] [--cases N] [--case K] [--folder F] [--keep K] [--views 0]
//
// Every rank knows every rank's selections, because all draw the same random numbers. What is written
// depends on place and step only, so selections may overlap. Ends with one line: seed, cases,
// failures, and how often each kind of thing was tried; a kind that was not is a failure.
// Room: testpar, public headers only.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <mpi.h>
#include <pcio.h>
#include <random>
#include <string>

#include "testpar/space/frame.hpp"
#include "testpar/space/model.hpp"
#include "testpar/views.hpp"

using namespace space;

namespace {

std::map<std::string, int> bins;
std::string failure;  // of this rank, the first
bool views = views_are_possible();

void fail(const std::string& text) {
  if (failure.empty()) failure = text;
}
void need(bool good, const char* what) {
  if (!good) fail(what);
}

class Life {
 public:
  Life(std::uint64_t seed, const std::string& path) : random_(seed), path_(path) {}
  void play();
  void keep(const std::string& model_path) const;

 private:
  unsigned pick(unsigned n) { return static_cast<unsigned>(random_() % n); }
  bool chance(unsigned percent) { return pick(100) < percent; }
  void note(const std::string& bin) { ++bins[bin]; }

  void choose();
  void make_file();
  void leave_garbage();
  void make_dataset();
  Slab random_slab() { return random_slab(0, model_.dims()[0]); }
  Slab random_slab(hsize_t first_row, hsize_t rows);
  std::vector<Slab> random_slabs();
  void write(const Slab& slab, H5FD_mpio_xfer_t mode, bool refused);
  void write_together();
  void write_alone();
  void write_where_nothing_is();
  void resize();
  void reopen();
  void compare(const char* when);
  par::Id dataset_access() const;

  std::mt19937_64 random_;
  std::string path_;
  unsigned ndims_ = 1;
  Numbers dims_, chunk_, most_;
  bool chunked_ = true, late_ = false, early_ = false, latest_ = false;
  int fill_ = 0, fill_kind_ = 0, strategy_ = 0, transport_ = 0, step_ = 0;
  unsigned alignment_ = 1;
  Model model_;
  std::set<Numbers> placed_;  // chunks that have space
  par::Id file_, dataset_;
};

void Life::choose() {
  ndims_ = 1 + pick(4);
  const unsigned longest[] = {400, 40, 14, 8};
  for (unsigned d = 0; d < ndims_; ++d) {
    dims_.push_back(1 + pick(longest[ndims_ - 1]));
    chunk_.push_back(1 + pick(static_cast<unsigned>(dims_[d])));
    most_.push_back(chance(70) ? H5S_UNLIMITED : dims_[d] + pick(10));
  }
  chunked_ = !chance(12);
  latest_ = chance(40);
  early_ = chance(15);
  late_ = chance(50);
  fill_kind_ = static_cast<int>(pick(4));  // default, zero, other, never
  fill_ = fill_kind_ == 2 ? -77 : 0;
  strategy_ = static_cast<int>(pick(4));
  // The last is views.
  transport_ = static_cast<int>(pick(views ? 4 : 3));
  alignment_ = chance(25) ? 512 : 1;
  note("ndims" + std::to_string(ndims_));
  note(chunked_ ? "chunked" : "contiguous");
  note(latest_ ? "latest" : "earliest");
  note("fill" + std::to_string(fill_kind_));
  note("space" + std::to_string(strategy_));
  note("transport" + std::to_string(transport_));
  if (chunked_) note(early_ ? "early" : late_ ? "late" : "usual");
}

void Life::make_file() {
  par::Id access = par::mpio_access(latest_ ? H5F_LIBVER_LATEST : H5F_LIBVER_EARLIEST);
  if (alignment_ > 1) need(H5Pset_alignment(access, 64, alignment_) >= 0, "H5Pset_alignment");
  par::Id create(H5Pcreate(H5P_FILE_CREATE));
  // Usual; kept; paged; paged and kept.
  if (strategy_ > 0)
    need(H5Pset_file_space_strategy(
             create, strategy_ > 1 ? H5F_FSPACE_STRATEGY_PAGE : H5F_FSPACE_STRATEGY_FSM_AGGR,
             strategy_ != 2, 1) >= 0,
         "H5Pset_file_space_strategy");
  file_ = par::Id(H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, create, access));
  need(file_.valid(), "H5Fcreate");
}

/// Space that held other data and is free again.
void Life::leave_garbage() {
  const hsize_t n = 1 + pick(6000);
  par::Id space(H5Screate_simple(1, &n, nullptr));
  par::Id dataset(
      H5Dcreate2(file_, "garbage", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  std::vector<int> data(n, 0x55555555);
  par::Id list = par::transfer_list(H5FD_MPIO_COLLECTIVE);
  need(H5Dwrite(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, list, data.data()) >= 0, "garbage");
  dataset.close();
  need(H5Ldelete(file_, "garbage", H5P_DEFAULT) >= 0, "H5Ldelete");
  if (chance(60)) need(H5Fflush(file_, H5F_SCOPE_GLOBAL) >= 0, "H5Fflush");
}

par::Id Life::dataset_access() const {
  par::Id access(H5Pcreate(H5P_DATASET_ACCESS));
  need(pcio_set_dapl_late_allocation(access, late_) >= 0, "pcio_set_dapl_late_allocation");
  return access;
}

void Life::make_dataset() {
  par::Id space(
      H5Screate_simple(static_cast<int>(ndims_), dims_.data(), chunked_ ? most_.data() : nullptr));
  par::Id list(H5Pcreate(H5P_DATASET_CREATE));
  if (chunked_)
    need(H5Pset_chunk(list, static_cast<int>(ndims_), chunk_.data()) >= 0, "H5Pset_chunk");
  if (early_) need(H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY) >= 0, "H5Pset_alloc_time");
  if (fill_kind_ == 1 || fill_kind_ == 2)
    need(H5Pset_fill_value(list, H5T_NATIVE_INT, &fill_) >= 0, "H5Pset_fill_value");
  if (fill_kind_ == 3) need(H5Pset_fill_time(list, H5D_FILL_TIME_NEVER) >= 0, "H5Pset_fill_time");
  if (fill_kind_ == 1) need(H5Pset_fill_time(list, H5D_FILL_TIME_ALLOC) >= 0, "H5Pset_fill_time");
  par::Id access = dataset_access();
  dataset_ = par::Id(H5Dcreate2(file_, "data", H5T_NATIVE_INT, space, H5P_DEFAULT, list, access));
  need(dataset_.valid(), "H5Dcreate2");
  model_ = Model(dims_, chunked_ ? chunk_ : dims_, fill_,
                 fill_kind_ == 3 ? Unwritten::kAny : Unwritten::kFill);
}

Slab Life::random_slab(hsize_t first_row, hsize_t rows) {
  Slab slab;
  for (unsigned d = 0; d < ndims_; ++d) {
    const auto n = static_cast<unsigned>(d == 0 ? rows : model_.dims()[d]);
    const hsize_t start = n > 0 ? pick(n) : 0;
    const hsize_t block = n > 0 ? 1 + pick(n - static_cast<unsigned>(start)) : 1;
    const hsize_t stride = block + pick(4);
    const hsize_t fits = n > 0 ? (n - start - block) / stride + 1 : 0;
    slab.start.push_back(start + (d == 0 ? first_row : 0));
    slab.block.push_back(block);
    slab.stride.push_back(stride);
    slab.count.push_back(fits > 0 ? 1 + pick(static_cast<unsigned>(fits)) : 0);
  }
  return slab;
}

/// One for each rank; some select nothing. With views they don't overlap: ompio 4.1.4 was seen to
/// write beyond its own memory where they do.
std::vector<Slab> Life::random_slabs() {
  std::vector<Slab> slabs;
  const auto ranks = static_cast<hsize_t>(par::size());
  const hsize_t rows = model_.dims()[0];
  for (hsize_t r = 0; r < ranks; ++r) {
    const hsize_t first = rows * r / ranks;
    slabs.push_back(transport_ == 3 ? random_slab(first, rows * (r + 1) / ranks - first)
                                    : random_slab());
    if (chance(15)) slabs.back().count.assign(ndims_, 0);
  }
  return slabs;
}

void Life::write(const Slab& slab, H5FD_mpio_xfer_t mode, bool refused) {
  par::Id space(H5Dget_space(dataset_));
  std::vector<int> data;
  slab.for_each([&](const Numbers& at) { data.push_back(Model::value(at, step_)); });
  const hsize_t n = data.size();
  const hsize_t length = n > 0 ? n : 1;
  par::Id memory(H5Screate_simple(1, &length, nullptr));
  if (n == 0) {
    H5Sselect_none(memory);
    H5Sselect_none(space);
    data.resize(1);
  } else {
    need(H5Sselect_hyperslab(space, H5S_SELECT_SET, slab.start.data(), slab.stride.data(),
                             slab.count.data(), slab.block.data()) >= 0,
         "H5Sselect_hyperslab");
  }
  par::Id list = par::transfer_list(mode);
  const pcio_transport_t forced[] = {PCIO_TRANSPORT_NONE, PCIO_TRANSPORT_DIRECT,
                                     PCIO_TRANSPORT_EXCHANGE, PCIO_TRANSPORT_VIEW};
  if (mode == H5FD_MPIO_COLLECTIVE && transport_ > 0)
    need(pcio_set_dxpl_transport(list, forced[transport_]) >= 0, "pcio_set_dxpl_transport");
  herr_t result = 0;
  H5E_BEGIN_TRY { result = H5Dwrite(dataset_, H5T_NATIVE_INT, memory, space, list, data.data()); }
  H5E_END_TRY
  if (refused)
    need(result < 0, "an independent write to a chunk without space succeeded");
  else
    need(result >= 0,
         mode == H5FD_MPIO_COLLECTIVE ? "collective H5Dwrite" : "independent H5Dwrite");
}

void Life::write_together() {
  const std::vector<Slab> slabs = random_slabs();
  write(slabs[static_cast<std::size_t>(par::rank())], H5FD_MPIO_COLLECTIVE, false);
  for (const Slab& slab : slabs) {
    model_.write(slab, step_);
    placed_.merge(model_.chunks_of(slab));
  }
  note("together");
}

bool has_all(const std::set<Numbers>& placed, const std::set<Numbers>& wanted) {
  for (const Numbers& chunk : wanted)
    if (!placed.contains(chunk)) return false;
  return true;
}

/// Only where all chunks have space.
void Life::write_alone() {
  const bool by_need = chunked_ && late_ && !early_;
  for (int r = 0; r < par::size(); ++r) {
    const Slab slab = random_slab();
    if (slab.empty() || (by_need && !has_all(placed_, model_.chunks_of(slab)))) continue;
    if (r == par::rank()) write(slab, H5FD_MPIO_INDEPENDENT, false);
    model_.write(slab, step_);
    note(by_need ? "alone_late" : "alone");
  }
}

void Life::write_where_nothing_is() {
  if (!chunked_ || !late_ || early_) return;
  for (int tries = 0; tries < 8; ++tries) {
    Slab slab = random_slab();
    if (slab.empty()) return;
    slab.count.assign(ndims_, 1);
    slab.block.assign(ndims_, 1);
    if (has_all(placed_, model_.chunks_of(slab))) continue;
    write(slab, H5FD_MPIO_INDEPENDENT, true);
    note("refused");
    return;
  }
}

void Life::resize() {
  if (!chunked_) return;
  Numbers next = model_.dims();
  for (unsigned d = 0; d < ndims_; ++d) {
    if (chance(40)) continue;
    const hsize_t top = most_[d] == H5S_UNLIMITED ? dims_[d] + dims_[d] / 2 + 2 : most_[d];
    next[d] = pick(static_cast<unsigned>(top) + 1);
  }
  bool grows = false, shrinks = false;
  for (unsigned d = 0; d < ndims_; ++d) {
    grows = grows || next[d] > model_.dims()[d];
    shrinks = shrinks || next[d] < model_.dims()[d];
  }
  note(grows && shrinks ? "mixed" : grows ? "grows" : shrinks ? "shrinks" : "stays");
  need(H5Dset_extent(dataset_, next.data()) >= 0, "H5Dset_extent");
  model_.resize(next);
  std::set<Numbers> left;
  for (const Numbers& chunk : placed_) {
    bool inside = true;
    for (unsigned d = 0; d < ndims_; ++d) inside = inside && chunk[d] * chunk_[d] < next[d];
    if (inside) left.insert(chunk);
  }
  placed_ = left;
}

void Life::reopen() {
  dataset_.close();
  need(file_.close() >= 0, "H5Fclose");
  par::Id access = par::mpio_access(latest_ ? H5F_LIBVER_LATEST : H5F_LIBVER_EARLIEST);
  file_ = par::Id(H5Fopen(path_.c_str(), H5F_ACC_RDWR, access));
  par::Id list = dataset_access();
  dataset_ = par::Id(H5Dopen2(file_, "data", list));
  need(file_.valid() && dataset_.valid(), "reopening");
  note("reopen");
}

void Life::compare(const char* when) {
  std::vector<int> data(model_.size() + 1, 0x66666666);
  par::Id list = par::transfer_list(H5FD_MPIO_COLLECTIVE);
  need(H5Dread(dataset_, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, list, data.data()) >= 0, "H5Dread");
  const std::string wrong = model_.compare(data);
  if (!wrong.empty()) fail(std::string(when) + ": " + wrong);
}

void Life::play() {
  choose();
  make_file();
  if (chance(50)) leave_garbage();
  make_dataset();
  compare("when new");
  const int steps = 3 + static_cast<int>(pick(6));
  for (step_ = 1; step_ <= steps && par::all(failure.empty()); ++step_) {
    const unsigned what = pick(100);
    if (what < 35)
      write_together();
    else if (what < 50)
      write_alone();
    else if (what < 58)
      write_where_nothing_is();
    else if (what < 85)
      resize();
    else if (what < 93)
      reopen();
    else
      need(H5Fflush(file_, H5F_SCOPE_GLOBAL) >= 0, "H5Fflush");
    // Independent writes are seen by the others after a barrier (one machine).
    MPI_Barrier(MPI_COMM_WORLD);
    if (chance(50)) compare(("after step " + std::to_string(step_)).c_str());
  }
  if (!par::all(failure.empty())) return;
  compare("at the end");
  dataset_.close();
  need(file_.close() >= 0, "H5Fclose");
  file_ = par::Id(H5Fopen(path_.c_str(), H5F_ACC_RDONLY, par::mpio_access(H5F_LIBVER_EARLIEST)));
  dataset_ = par::Id(H5Dopen2(file_, "data", H5P_DEFAULT));
  compare("after closing");
  dataset_.close();
  file_.close();
}

void Life::keep(const std::string& model_path) const {
  std::ofstream out(model_path);
  out << "data";
  model_.print(out);
}

const char* const kBins[] = {
    "ndims1",   "ndims2",  "ndims3",     "ndims4",     "chunked",    "contiguous", "latest",
    "earliest", "fill0",   "fill1",      "fill2",      "fill3",      "space0",     "space1",
    "space2",   "space3",  "transport0", "transport1", "transport2", "transport3", "early",
    "late",     "usual",   "together",   "alone",      "alone_late", "refused",    "mixed",
    "grows",    "shrinks", "reopen"};

}  // namespace

int main(int argc, char** argv) {
  std::uint64_t seed = 1, cases = 100, only = ~std::uint64_t{0}, keep = 0;
  std::string folder = ".";
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string option = argv[i];
    if (option == "--seed") seed = std::strtoull(argv[i + 1], nullptr, 10);
    if (option == "--cases") cases = std::strtoull(argv[i + 1], nullptr, 10);
    if (option == "--case") only = std::strtoull(argv[i + 1], nullptr, 10);
    if (option == "--keep") keep = std::strtoull(argv[i + 1], nullptr, 10);
    if (option == "--folder") folder = argv[i + 1];
    if (option == "--views") views = std::atoi(argv[i + 1]) != 0;
  }
  MPI_Init(&argc, &argv);
  const char* const expected = std::getenv("PCIO_TEST_NP");
  if (expected != nullptr && std::atoi(expected) != par::size()) {
    std::fprintf(stderr, "%s ranks were started, this world has %d\n", expected, par::size());
    MPI_Abort(MPI_COMM_WORLD, 3);
  }
  int failures = 0;
  std::uint64_t played = 0;
  for (std::uint64_t n = 0; n < cases; ++n) {
    if (only != ~std::uint64_t{0} && n != only) continue;
    ++played;
    const std::string path = folder + "/space" + std::to_string(n) + ".h5";
    failure.clear();
    {
      Life life(seed * 1000003 + n, path);
      life.play();
      if (keep > 0 && n % keep == 0 && par::rank() == 0 && failure.empty()) {
        const std::string kept = folder + "/kept/space" + std::to_string(n) + ".h5";
        std::rename(path.c_str(), kept.c_str());
        life.keep(kept + ".txt");
      }
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
  for (const char* bin : kBins) {
    line += std::string(", ") + bin + " " + std::to_string(bins[bin]);
    const bool possible = views || std::string(bin) != "transport3";
    if (bins[bin] == 0 && played >= 60 && possible) {
      if (par::rank() == 0) std::printf("FAILED: nothing was tried for %s\n", bin);
      ++failures;
    }
  }
  if (par::rank() == 0)
    std::printf("space: seed %llu, %llu cases on %d ranks, failures %d%s\n",
                static_cast<unsigned long long>(seed), static_cast<unsigned long long>(played),
                par::size(), failures, line.c_str());
  MPI_Finalize();
  return failures == 0 ? 0 : 1;
}
