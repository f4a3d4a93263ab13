// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Random collective transfers of parts of compounds in every transport, beside a model that goes byte
// by byte: what the memory type doesn't name stays as it is, in memory and in the file. Every rank
// has a memory type of its own. Room: testpar, public headers only.
//
// PCIO_SEED, PCIO_CASES choose others; PCIO_CASE plays one.

#include <pcio.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "campaign/histogram.hpp"
#include "support.hpp"
#include "support/random_compound.hpp"

namespace {

using compounds::Bytes;
using compounds::Random;
using compounds::Shape;
using par::Id;

enum Layout { kContiguous, kChunked, kFiltered, kCompact, kLayouts };
constexpr const char* kLayoutNames[] = {"contiguous", "chunked", "filtered", "compact"};
constexpr pcio_transport_t kTransports[] = {PCIO_TRANSPORT_NONE, PCIO_TRANSPORT_DIRECT,
                                            PCIO_TRANSPORT_VIEW, PCIO_TRANSPORT_EXCHANGE};
constexpr const char* kWays[] = {"automatic", "direct", "view", "exchange"};

campaign::Histogram histogram;

/// What a rank moves in one call; each rank knows it of all.
struct Part {
  Shape memory;
  hsize_t start = 0, stride = 1, count = 0;
  Bytes buffer;
  [[nodiscard]] std::size_t element(std::size_t i) const {
    return static_cast<std::size_t>(start + i * stride);
  }
};

class Case {
 public:
  Case(unsigned long seed, const std::string& path) : random_(seed), seed_(seed), path_(path) {
    universe_ = compounds::random_universe(random_, 3);
    file_ = compounds::random_shape(
        random_, universe_, {compounds::once_in(random_, 2), compounds::once_in(random_, 2)});
    layout_ = static_cast<Layout>(compounds::below(random_, kLayouts));
    elements_ = 1 + compounds::below(random_, layout_ == kCompact ? 300 : 3000);
    elements_ = std::min<hsize_t>(elements_, layout_ == kCompact ? 60000 / file_.size : elements_);
    type_ = Id(compounds::make_type(file_));
  }

  bool play() {
    make();
    histogram.count("layout", kLayoutNames[layout_]);
    for (int i = 0; i < 4 && good_; ++i)
      if (compounds::once_in(random_, 2))
        write();
      else
        read();
    if (good_) check_file();
    const bool closed = dataset_.close() >= 0 && handle_.close() >= 0;
    return par::all(good_ && closed);
  }

 private:
  void make() {
    const Id access(par::mpio_access()), create(H5Pcreate(H5P_DATASET_CREATE));
    handle_ = Id(H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
    const hsize_t chunk = std::min<hsize_t>(elements_, 1 + compounds::below(random_, 700));
    if (layout_ == kChunked || layout_ == kFiltered) H5Pset_chunk(create, 1, &chunk);
    if (layout_ == kFiltered) H5Pset_deflate(create, 1);
    if (layout_ == kCompact) H5Pset_layout(create, H5D_COMPACT);
    Bytes fill(file_.size, 0);
    if (compounds::once_in(random_, 2)) {
      fill = compounds::random_elements(random_, file_, 1);
      H5Pset_fill_value(create, type_, fill.data());
    }
    for (hsize_t i = 0; i < elements_; ++i) model_.insert(model_.end(), fill.begin(), fill.end());
    const Id space(H5Screate_simple(1, &elements_, nullptr));
    dataset_ = Id(H5Dcreate2(handle_, "d", type_, space, H5P_DEFAULT, create, H5P_DEFAULT));
    check(dataset_.valid(), "create");
  }

  /// The rank's own elements of a write; no two ranks share one, the last may have none.
  Part part_of(int rank, unsigned call, bool interleaved) {
    Random random(seed_ * 1000 + call * 100 + static_cast<unsigned>(rank));
    Part part;
    part.memory = compounds::memory_shape(random, universe_, file_);
    const hsize_t ranks = static_cast<hsize_t>(par::size()), me = static_cast<hsize_t>(rank);
    const hsize_t share = elements_ / ranks;
    if (interleaved) {
      part.start = me;
      part.stride = ranks;
      part.count = elements_ > me ? (elements_ - me - 1) / ranks + 1 : 0;
    } else {
      part.start = me * share;
      part.count = share;
    }
    if (ranks > 1 && me == ranks - 1 && call % 2 == 0) part.count = 0;
    if (compounds::once_in(random, 4)) part.count = std::min<hsize_t>(part.count, 7);
    part.buffer = compounds::random_elements(random, part.memory, std::max<hsize_t>(part.count, 1));
    return part;
  }

  Id list(std::size_t way, bool collective = true) {
    Id made(par::transfer_list(collective ? H5FD_MPIO_COLLECTIVE : H5FD_MPIO_INDEPENDENT));
    // Transports move what lies in the file as it is.
    if (kTransports[way] != PCIO_TRANSPORT_NONE) pcio_set_dxpl_transport(made, kTransports[way]);
    return made;
  }

  herr_t move(bool writes, Part& part, const Id& transfer) {
    const Id space(H5Dget_space(dataset_)), type(compounds::make_type(part.memory));
    const hsize_t most = std::max<hsize_t>(part.count, 1);
    const Id room(H5Screate_simple(1, &most, nullptr));
    if (part.count == 0) {
      H5Sselect_none(space);
      H5Sselect_none(room);
    } else {
      H5Sselect_hyperslab(space, H5S_SELECT_SET, &part.start, &part.stride, &part.count, nullptr);
    }
    return writes ? H5Dwrite(dataset_, type, room, space, transfer, part.buffer.data())
                  : H5Dread(dataset_, type, room, space, transfer, part.buffer.data());
  }

  void write() {
    const std::size_t way = compounds::below(random_, 4);
    const bool interleaved = compounds::once_in(random_, 2);
    const unsigned call = ++calls_;
    Part mine = part_of(par::rank(), call, interleaved);
    const Id transfer(list(way));
    check(move(true, mine, transfer) >= 0, "write");
    for (int rank = 0; rank < par::size(); ++rank) {
      const Part part = part_of(rank, call, interleaved);
      for (std::size_t i = 0; i < part.count; ++i)
        compounds::move_element(part.memory, part.buffer.data() + i * part.memory.size, file_,
                                model_.data() + part.element(i) * file_.size);
    }
    note("write", transfer, compounds::difference(mine.memory, file_));
  }

  void read() {
    const std::size_t way = compounds::below(random_, 4);
    const bool interleaved = compounds::once_in(random_, 2), same = compounds::once_in(random_, 3);
    Part mine = part_of(par::rank(), ++calls_, interleaved);
    if (same) {
      mine.start = 0, mine.stride = 1, mine.count = elements_;
      Random own(seed_ + static_cast<unsigned>(par::rank()));
      mine.buffer = compounds::random_elements(own, mine.memory, elements_);
    }
    Bytes wanted = mine.buffer;
    for (std::size_t i = 0; i < mine.count; ++i)
      compounds::move_element(file_, model_.data() + mine.element(i) * file_.size, mine.memory,
                              wanted.data() + i * mine.memory.size);
    const Id transfer(list(way, !compounds::once_in(random_, 8)));
    check(move(false, mine, transfer) >= 0, "read");
    if (compounds::same(file_, mine.memory)) forget_gaps(mine.buffer, wanted);
    check(mine.buffer == wanted, "read another thing");
    note("read", transfer, compounds::difference(file_, mine.memory));
  }

  void forget_gaps(Bytes& a, Bytes& b) const {
    const Bytes named = compounds::named_bytes(file_);
    for (std::size_t i = 0; i < a.size(); ++i)
      if (named[i % named.size()] == 0) a[i] = b[i] = 0;
  }

  void check_file() {
    Bytes found(model_.size()), wanted = model_;
    check(H5Dread(dataset_, type_, H5S_ALL, H5S_ALL, H5P_DEFAULT, found.data()) >= 0, "read all");
    forget_gaps(found, wanted);
    check(found == wanted, "the file holds another thing");
  }

  void note(const char* call, hid_t transfer, const compounds::Difference& found) {
    pcio_transfer_report_t report;
    std::memset(&report, 0, sizeof report);
    pcio_get_transfer_report(transfer, &report, sizeof report);
    histogram.count(call, layout_ == kFiltered || layout_ == kCompact
                              ? "not plain"
                              : pcio_transport_name(report.transport));
    const std::string types = std::string(call) + " types";
    if (found.equal) histogram.count(types, "equal");
    if (!found.equal && found.gaps) histogram.count(types, "gaps");
    if (found.lacks) histogram.count(types, "lacks");
    if (found.drops) histogram.count(types, "drops");
    if (found.nested_equal) histogram.count(types, "nested equal");
  }

  void check(bool ok, const char* what) {
    if (!ok)
      std::fprintf(stderr, "rank %d: %s (%s), call %u\n%s", par::rank(), what,
                   kLayoutNames[layout_], calls_, par::error_text().c_str());
    good_ = par::all(good_ && ok);
  }

  Random random_;
  unsigned long seed_;
  std::string path_;
  compounds::Universe universe_;
  Shape file_;
  Layout layout_ = kContiguous;
  hsize_t elements_ = 1;
  Bytes model_;
  Id type_, handle_, dataset_;
  unsigned calls_ = 0;
  bool good_ = true;
};

void prepare_histogram() {
  histogram.add_group("layout", {std::begin(kLayoutNames), std::end(kLayoutNames)});
  histogram.add_group("write", {kWays[1], kWays[2], kWays[3], "not plain"});
  std::vector<std::string> ways = {kWays[1], kWays[2], kWays[3], "not plain"};
  if (par::size() > 1) ways.emplace_back("broadcast");
  histogram.add_group("read", ways);
  for (const char* call : {"read types", "write types"})
    histogram.add_group(call, {"equal", "gaps", "lacks", "drops", "nested equal"});
}

}  // namespace

CASE(parts_of_compounds) {
  const char* word = std::getenv("PCIO_SEED");
  const long seed = word != nullptr ? std::atol(word) : 1;
  word = std::getenv("PCIO_CASES");
  const long cases = word != nullptr ? std::atol(word) : 60;
  word = std::getenv("PCIO_CASE");
  const long only = word != nullptr ? std::atol(word) : -1;
  const par::Silence silence;
  prepare_histogram();
  long failures = 0, played = 0;
  for (long i = only >= 0 ? only : 0; i < (only >= 0 ? only + 1 : cases); ++i, ++played) {
    Case one(static_cast<unsigned long>(seed * 1000003 + i), par::file_name("partial"));
    if (one.play()) continue;
    ++failures;
    if (par::rank() == 0) std::fprintf(stderr, "FAILED: PCIO_SEED=%ld PCIO_CASE=%ld\n", seed, i);
    if (failures == 5) break;
  }
  const std::string empty = histogram.empty_bins();
  CHECK(failures == 0);
  CHECK(only >= 0 || empty.empty());
  if (par::rank() == 0)
    std::printf("partial: seed %ld, %ld cases on %d ranks, %ld failures: %s%s%s\n", seed, played,
                par::size(), failures, histogram.text().c_str(),
                empty.empty() ? "" : "; EMPTY: ", empty.c_str());
}
