// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Calls of all ranks that a conversion or a filter makes within another such call on the file, on all ranks or on one:
// they are refused where they are made, by name, and what they are made in goes on as if they were not there. Room:
// testpar, public headers only.

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <hdf5.h>
#include <pcio.h>
#include <string>
#include <vector>

#include <mpi.h>

#include "support.hpp"

#ifdef PCIO_VERSION

using par::Id;

namespace {

constexpr hsize_t kElements = 48, kChunk = 16;
constexpr H5Z_filter_t kFilter = 300;

/// What the functions of the program do at their `acts_at`-th call.
std::function<void()> deed;
int calls = 0, acts_at = 0;
void maybe_act() {
  if (++calls == acts_at && deed) deed();
}

H5T_conv_ret_t on_overflow(H5T_conv_except_t, hid_t, hid_t, void*, void* target, void*) {
  maybe_act();
  *static_cast<signed char*>(target) = 7;
  return H5T_CONV_HANDLED;
}
H5T_conv_ret_t on_large(H5T_conv_except_t, hid_t, hid_t to, void*, void* target, void*) {
  maybe_act();
  if (H5Tget_size(to) == 1)
    *static_cast<signed char*>(target) = 7;
  else
    *static_cast<int*>(target) = 7;
  return H5T_CONV_HANDLED;
}
H5T_conv_ret_t refuse(H5T_conv_except_t, hid_t, hid_t, void*, void*, void*) {
  return H5T_CONV_ABORT;
}
size_t on_filter(unsigned, size_t, const unsigned*, size_t bytes, size_t*, void**) {
  maybe_act();
  return bytes;
}

enum class Outer { kConvert, kConvertFiltered, kReadFiltered, kFlush, kOuters };
enum class Inner { kFlush, kWrite, kRead, kExtent, kAtomicity, kInners };
struct Scene {
  Outer outer;
  Inner inner;
  bool on_all;
};
constexpr std::array<const char*, 5> kInnerNames = {"H5Fflush", "H5Dwrite", "H5Dread",
                                                    "H5Dset_extent", "H5Fset_mpi_atomicity"};

/// Every third element from this rank's on: each chunk has elements of several ranks.
Id mine_of(hid_t data) {
  Id space(H5Dget_space(data));
  const auto start = static_cast<hsize_t>(par::rank()), stride = static_cast<hsize_t>(par::size());
  const hsize_t count = (kElements - start + stride - 1) / stride;
  H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, &stride, &count, nullptr);
  return space;
}
herr_t write_mine(hid_t data, int value, hid_t list, std::string* text = nullptr) {
  const Id space(mine_of(data));
  const auto n = static_cast<hsize_t>(H5Sget_select_npoints(space));
  const Id memory(H5Screate_simple(1, &n, nullptr));
  const std::vector<int> values(n, value);
  const herr_t done = H5Dwrite(data, H5T_NATIVE_INT, memory, space, list, values.data());
  if (text != nullptr) *text = par::error_text();
  return done;
}

class Played {
 public:
  explicit Played(const Scene& scene)
      : scene_(scene),
        collective_(par::transfer_list(H5FD_MPIO_COLLECTIVE)),
        name_(par::file_name("nested")) {
    file_ = par::create_file(name_);
    data_ = make("d", scene.outer == Outer::kConvert ? 0 : kFilter, H5T_STD_I8LE);
    other_ = make("other", scene.outer == Outer::kConvert ? 0 : H5Z_FILTER_DEFLATE, H5T_NATIVE_INT);
    CHECK(write_mine(other_, 5, collective_) >= 0);
    CHECK(H5Fflush(file_, H5F_SCOPE_GLOBAL) >= 0);
  }

  void play() {
    const bool acts = scene_.on_all || par::rank() == 0;
    // Reads: the bytes are there before.
    if (scene_.outer == Outer::kReadFiltered) CHECK(write_mine(data_, 7, collective_) >= 0);
    if (scene_.outer == Outer::kFlush && acts) write_alone();
    calls = 0;
    acts_at = scene_.outer == Outer::kConvert || scene_.outer == Outer::kConvertFiltered ? 4 : 1;
    bool acted = false;
    if (acts)
      deed = [&] {
        acted = true;
        std::string text;
        CHECK(inner(&text) < 0);
        CHECK(text.find(kInnerNames[static_cast<std::size_t>(scene_.inner)]) != std::string::npos);
        CHECK(text.find("a function of the program") != std::string::npos);
      };
    CHECK(outer() >= 0);
    deed = nullptr;
    // A chunk of a reader or writer with filters is one rank's: some have none.
    CHECK(par::any(acted));
    CHECK(inner() >= 0);
    check();
  }

 private:
  Id make(const char* name, H5Z_filter_t filter, hid_t type) const {
    const hsize_t most = H5S_UNLIMITED;
    const Id space(H5Screate_simple(1, &kElements, &most)), list(H5Pcreate(H5P_DATASET_CREATE));
    const unsigned level = 1;
    H5Pset_chunk(list, 1, &kChunk);
    if (filter != 0) H5Pset_filter(list, filter, 0, filter == kFilter ? 0 : 1, &level);
    return Id(H5Dcreate2(file_, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT));
  }
  /// A whole chunk, which waits: each rank one of its own, as far as there are some.
  void write_alone() {
    const hsize_t start = static_cast<hsize_t>(par::rank()) % 3 * kChunk;
    const Id space(H5Dget_space(data_)), memory(H5Screate_simple(1, &kChunk, nullptr));
    H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &kChunk, nullptr);
    const std::vector<int> values(kChunk, 7);
    CHECK(H5Dwrite(data_, H5T_NATIVE_INT, memory, space, H5P_DEFAULT, values.data()) >= 0);
  }
  herr_t outer() {
    if (scene_.outer == Outer::kFlush) return H5Fflush(file_, H5F_SCOPE_GLOBAL);
    std::vector<int> found(kElements);
    if (scene_.outer == Outer::kReadFiltered)
      return H5Dread(data_, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, collective_, found.data());
    const Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
    H5Pset_type_conv_cb(list, on_overflow, nullptr);
    return write_mine(data_, 1000, list);
  }
  herr_t inner(std::string* text = nullptr) {
    const herr_t done = call_inner(text);
    if (text != nullptr && text->empty()) *text = par::error_text();
    return done;
  }
  herr_t call_inner(std::string* text) {
    std::vector<int> found(kElements);
    switch (scene_.inner) {
      case Inner::kFlush: return H5Fflush(file_, H5F_SCOPE_GLOBAL);
      case Inner::kWrite: return write_mine(other_, 3, collective_, text);
      case Inner::kRead:
        return H5Dread(other_, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, collective_, found.data());
      case Inner::kExtent: {
        // A chunk is cut: the ranks meet.
        const hsize_t less = kElements - 1;
        return H5Dset_extent(other_, &less);
      }
      default: return H5Fset_mpi_atomicity(file_, 0);
    }
  }
  /// What the outer call wrote, and what the inner one did when it was made by itself.
  void check() {
    std::vector<int> found(kElements, -1);
    CHECK(data_.close() >= 0);
    CHECK(other_.close() >= 0);
    CHECK(file_.close() >= 0);
    const Id file(par::open_file(name_, H5F_ACC_RDONLY));
    const Id data(H5Dopen2(file, "d", H5P_DEFAULT)), other(H5Dopen2(file, "other", H5P_DEFAULT));
    CHECK(H5Dread(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, collective_, found.data()) >= 0);
    if (scene_.outer != Outer::kFlush) CHECK(found == std::vector<int>(kElements, 7));
    if (scene_.outer == Outer::kFlush)
      for (hsize_t at = 0; at < kElements; ++at) {
        const auto chunk = static_cast<int>(at / kChunk);
        CHECK(found[at] == (chunk < (scene_.on_all ? par::size() : 1) ? 7 : 0));
      }
    std::vector<int> beside(scene_.inner == Inner::kExtent ? kElements - 1 : kElements, -1);
    CHECK(H5Dread(other, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, collective_, beside.data()) >= 0);
    CHECK(beside == std::vector<int>(beside.size(), scene_.inner == Inner::kWrite ? 3 : 5));
  }

  const Scene scene_;
  const Id collective_;
  const std::string name_;
  Id file_, data_, other_;
};

CASE(calls_of_all_ranks_within_calls_of_all_ranks) {
  const H5Z_class2_t filter = {H5Z_CLASS_T_VERS, kFilter, 1,       1,
                               "acts",           nullptr, nullptr, on_filter};
  CHECK(H5Zregister(&filter) >= 0);
  const bool is_long = std::getenv("PCIO_LONG") != nullptr;
  for (const char* transport : {"", "exchange"}) {
    if (transport[0] != '\0') setenv("PCIO_TRANSPORT", transport, 1);
    for (int outer = 0; outer < static_cast<int>(Outer::kOuters); ++outer)
      for (int inner = 0; inner < static_cast<int>(Inner::kInners); ++inner)
        for (const bool on_all : {true, false}) {
          const Scene scene = {static_cast<Outer>(outer), static_cast<Inner>(inner), on_all};
          // Chunks with filters have a way of their own. Cutting chunks without them takes no other rank.
          const bool is_plain = scene.outer == Outer::kConvert;
          if (!is_long && on_all == ((outer + inner) % 2 == 0)) continue;
          if (is_plain ? scene.inner != Inner::kExtent : transport[0] == '\0') Played(scene).play();
        }
    unsetenv("PCIO_TRANSPORT");
  }
  CHECK(H5Zunregister(kFilter) >= 0);
}

/// What the function of a link's class does before it gives the group "to".
hid_t follow(const char*, hid_t group, const void*, size_t, hid_t, hid_t) {
  if (deed) deed();
  return H5Oopen(group, "/to", H5P_DEFAULT);
}

/// Functions by which links are followed make calls of all ranks, also within calls in which the ranks meet; what the
/// call around has found stays, though they delete it.
CASE(calls_of_all_ranks_by_which_links_are_followed) {
  constexpr auto kType = static_cast<H5L_type_t>(70);
  const H5L_class_t cls = {
      H5L_LINK_CLASS_T_VERS, kType, "acts", nullptr, nullptr, nullptr, follow, nullptr, nullptr};
  CHECK(H5Lregister(&cls) >= 0);
  const Id collective(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  for (const char* check : {"", "calls"})
    for (const bool copies : {true, false}) {
      setenv("PCIO_CHECK", check, 1);
      const std::string name = par::file_name("followed");
      Id file(par::create_file(name));
      const Id extent(H5Screate_simple(1, &kElements, nullptr));
      auto fill = [&](const char* path, int value) {
        const Id data(
            H5Dcreate2(file, path, H5T_NATIVE_INT, extent, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
        CHECK(write_mine(data, value, collective) >= 0);
      };
      for (const char* group : {"from", "to"})
        CHECK(Id(H5Gcreate2(file, group, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)).valid());
      fill("/from/a", 1);
      CHECK(H5Lcreate_ud(file, "way", kType, "", 0, H5P_DEFAULT, H5P_DEFAULT) >= 0);
      CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
      deed = [&] {
        if (H5Lexists(file, "/from", H5P_DEFAULT) <= 0) return;
        CHECK(H5Ldelete(file, "/from", H5P_DEFAULT) >= 0);
        CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
        fill("/first", 2);
      };
      CHECK((copies ? H5Ocopy(file, "/from/a", file, "/way/n", H5P_DEFAULT, H5P_DEFAULT)
                    : H5Lmove(file, "/from/a", file, "/way/n", H5P_DEFAULT, H5P_DEFAULT)) >= 0);
      deed = nullptr;
      CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
      fill("/second", 3);
      CHECK(file.close() >= 0);
      file = par::open_file(name, H5F_ACC_RDONLY);
      const char* paths[] = {"/to/n", "/first", "/second"};
      for (int i = 0; i < 3; ++i) {
        std::vector<int> found(kElements, -1);
        const Id data(H5Dopen2(file, paths[i], H5P_DEFAULT));
        CHECK(H5Dread(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, collective, found.data()) >= 0);
        CHECK(found == std::vector<int>(kElements, i + 1));
      }
    }
  unsetenv("PCIO_CHECK");
  CHECK(H5Lunregister(kType) >= 0);
}

/// Independent transfers, in whose conversions all ranks flush: what a rank has in hand then stays, and is in the file in
/// the end.
CASE(flushes_of_all_ranks_within_independent_transfers) {
  enum Way { kWrites, kWritesTwice, kReads };
  for (const Way way : {kWrites, kWritesTwice, kReads}) {
    const bool writes = way != kReads;
    const std::string name = par::file_name("within");
    Id file(par::create_file(name));
    const auto all = static_cast<hsize_t>(par::size()) * kChunk,
               start = static_cast<hsize_t>(par::rank()) * kChunk;
    const Id extent(H5Screate_simple(1, &all, nullptr)), create(H5Pcreate(H5P_DATASET_CREATE));
    H5Pset_chunk(create, 1, &kChunk);
    H5Pset_deflate(create, 1);
    Id data(H5Dcreate2(file, "d", H5T_NATIVE_INT, extent, H5P_DEFAULT, create, H5P_DEFAULT));
    const Id space(H5Dget_space(data)), memory(H5Screate_simple(1, &kChunk, nullptr));
    H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &kChunk, nullptr);
    const Id list(H5Pcreate(H5P_DATASET_XFER));
    H5Pset_type_conv_cb(list, on_large, nullptr);
    // What waits while it is read; what a write changes that finds it waiting.
    const std::vector<int> before(kChunk, 1000);
    CHECK(H5Dwrite(data, H5T_NATIVE_INT, memory, space, H5P_DEFAULT, before.data()) >= 0);
    calls = 0;
    acts_at = 4;
    // What is being written waits on, and the flush says so.
    const std::vector<long long> large(kChunk, 1LL << 40);
    deed = [&] {
      // A write of the same chunk that fails doesn't end the one around it.
      if (way == kWritesTwice) {
        const Id refuses(H5Pcreate(H5P_DATASET_XFER));
        H5Pset_type_conv_cb(refuses, refuse, nullptr);
        CHECK(H5Dwrite(data, H5T_NATIVE_LLONG, memory, space, refuses, large.data()) < 0);
      }
      CHECK((H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0) == !writes);
    };
    if (writes) {
      CHECK(H5Dwrite(data, H5T_NATIVE_LLONG, memory, space, list, large.data()) >= 0);
    } else {
      std::vector<signed char> found(kChunk);
      CHECK(H5Dread(data, H5T_NATIVE_SCHAR, memory, space, list, found.data()) >= 0);
      CHECK(found == std::vector<signed char>(kChunk, 7));
    }
    CHECK(calls == static_cast<int>(kChunk));
    deed = nullptr;
    // Of a chunk that was read meanwhile nothing waits any more: what another rank writes then stays.
    MPI_Barrier(MPI_COMM_WORLD);
    const std::vector<int> later(kChunk, 2000);
    const hsize_t last = all - kChunk;
    const Id there(H5Dget_space(data));
    H5Sselect_hyperslab(there, H5S_SELECT_SET, &last, nullptr, &kChunk, nullptr);
    if (!writes && par::rank() == 0)
      CHECK(H5Dwrite(data, H5T_NATIVE_INT, memory, there, H5P_DEFAULT, later.data()) >= 0);
    CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
    CHECK(data.close() >= 0);
    CHECK(file.close() >= 0);
    file = par::open_file(name, H5F_ACC_RDONLY);
    data = Id(H5Dopen2(file, "d", H5P_DEFAULT));
    std::vector<int> found(all, -1);
    CHECK(H5Dread(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, found.data()) >= 0);
    std::vector<int> expected(all, writes ? 7 : 1000);
    if (!writes) std::fill_n(expected.begin() + static_cast<std::ptrdiff_t>(last), kChunk, 2000);
    CHECK(found == expected);
  }
}

/// Of a virtual dataset whose sources are in several files: one that is written later is in the transfer already.
CASE(a_conversion_extends_a_source_that_is_written_later) {
  const auto ranks = static_cast<hsize_t>(par::size()), all = 2 * ranks, one = hsize_t{1};
  const std::string names[] = {par::file_name("first"), par::file_name("second")};
  const Id other(par::create_file(names[1])), create(H5Pcreate(H5P_DATASET_CREATE)),
      sources(H5Pcreate(H5P_DATASET_CREATE)), whole(H5Screate_simple(1, &all, nullptr));
  const hsize_t most = H5S_UNLIMITED;
  const Id part(H5Screate_simple(1, &ranks, nullptr)), grows(H5Screate_simple(1, &ranks, &most));
  H5Pset_chunk(create, 1, &one);
  const Id later(H5Dcreate2(other, "e", H5T_STD_I8LE, grows, H5P_DEFAULT, create, H5P_DEFAULT));
  Id file(par::create_file(names[0]));
  CHECK(
      Id(H5Dcreate2(file, "d", H5T_STD_I8LE, part, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)).valid());
  const std::string base = names[1].substr(names[1].rfind('/') + 1);
  CHECK(H5Lcreate_external(base.c_str(), "/e", file, "e", H5P_DEFAULT, H5P_DEFAULT) >= 0);
  for (const char* name : {"d", "e"}) {
    const hsize_t start = name[0] == 'd' ? 0 : ranks;
    H5Sselect_hyperslab(whole, H5S_SELECT_SET, &start, nullptr, &ranks, nullptr);
    CHECK(H5Pset_virtual(sources, whole, ".", name, part) >= 0);
  }
  H5Sselect_all(whole);
  Id data(H5Dcreate2(file, "v", H5T_STD_I8LE, whole, H5P_DEFAULT, sources, H5P_DEFAULT));
  const Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  H5Pset_type_conv_cb(list, on_overflow, nullptr);
  // This rank's element of each source.
  const hsize_t start = static_cast<hsize_t>(par::rank()), two = 2;
  H5Sselect_hyperslab(whole, H5S_SELECT_SET, &start, &ranks, &two, nullptr);
  const Id memory(H5Screate_simple(1, &two, nullptr));
  const std::vector<int> values(2, 1000);
  calls = 0;
  acts_at = 1;
  deed = [&] {
    const hsize_t more = ranks + 1;
    CHECK(H5Dset_extent(later, &more) < 0);
    CHECK(par::error_text().find("transfer") != std::string::npos);
    CHECK(H5Fflush(other, H5F_SCOPE_GLOBAL) >= 0);
  };
  CHECK(H5Dwrite(data, H5T_NATIVE_INT, memory, whole, list, values.data()) >= 0);
  CHECK(calls == 2);
  deed = nullptr;
  CHECK(H5Fflush(other, H5F_SCOPE_GLOBAL) >= 0);
  std::vector<signed char> found(ranks, -1);
  CHECK(H5Dread(later, H5T_NATIVE_SCHAR, H5S_ALL, H5S_ALL, H5P_DEFAULT, found.data()) >= 0);
  CHECK(found == std::vector<signed char>(ranks, 7));
  const hsize_t more = ranks + 1;
  CHECK(H5Dset_extent(later, &more) >= 0);
}

}  // namespace

/// What is in the file by a flush of all ranks, while a write finds out what its sequences need, leads to what is there:
/// a copy of the file, as a kill would leave it, has old values or new ones.
CASE(a_flush_commits_references_that_a_write_is_about) {
  const Id type(H5Tvlen_create(H5T_NATIVE_INT)), wide(H5Tvlen_create(H5T_NATIVE_LLONG));
  const hsize_t mine = 2, all = 2 * static_cast<hsize_t>(par::size()),
                start = 2 * static_cast<hsize_t>(par::rank());
  const Id space(H5Screate_simple(1, &all, nullptr)), memory(H5Screate_simple(1, &mine, nullptr));
  H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &mine, nullptr);
  const Id list(H5Pcreate(H5P_DATASET_CREATE));
  H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY);
  const std::string name = par::file_name("flushed");
  const Id file(par::create_file(name));
  const Id data(H5Dcreate2(file, "d", type, space, H5P_DEFAULT, list, H5P_DEFAULT));
  const Id plain(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  const Id acting(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  H5Pset_type_conv_cb(acting, on_large, nullptr);
  int old[2] = {1, 2};
  long long large[2] = {1LL << 40, 1LL << 41};
  const hvl_t before[2] = {{1, &old[0]}, {1, &old[1]}}, after[2] = {{1, &large[0]}, {1, &large[1]}};
  CHECK(H5Dwrite(data, type, memory, space, plain, before) >= 0);
  bool flushed = false;
  calls = 0;
  acts_at = 1;
  deed = [&] { flushed = H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0; };
  CHECK(H5Dwrite(data, wide, memory, space, acting, after) >= 0);
  deed = nullptr;
  // One rank by itself converts within the call.
  CHECK(flushed || par::size() == 1);
  MPI_Barrier(MPI_COMM_WORLD);
  if (par::rank() == 0 && flushed) {
    std::filesystem::copy_file(name, name + ".kill",
                               std::filesystem::copy_options::overwrite_existing);
    const Id killed(H5Fopen((name + ".kill").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
    const Id left(H5Dopen2(killed, "d", H5P_DEFAULT));
    std::vector<hvl_t> found(all);
    CHECK(H5Dread(left, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, found.data()) >= 0);
    for (const hvl_t& value : found) {
      CHECK(value.len == 1 && *static_cast<int*>(value.p) == 7);
      std::free(value.p);
    }
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

/// A compact dataset's flush gives all ranks rank 0's copy: the writes that go on behind it go on with that.
CASE(a_compact_dataset_is_flushed_while_ranks_write_it) {
  constexpr hsize_t kMany = 4000, kHalf = kMany / 2, kStart = 0, kStride = 2;
  const Id list(H5Pcreate(H5P_DATASET_CREATE)), space(H5Screate_simple(1, &kMany, nullptr)),
      memory(H5Screate_simple(1, &kHalf, nullptr)), transfer(H5Pcreate(H5P_DATASET_XFER));
  CHECK(H5Pset_layout(list, H5D_COMPACT) >= 0);
  CHECK(H5Pset_type_conv_cb(transfer, on_overflow, nullptr) >= 0);
  CHECK(H5Pset_buffer(transfer, 400, nullptr, nullptr) >= 0);
  // Elements by themselves, and ranks that are not equally far when they flush.
  CHECK(H5Sselect_hyperslab(space, H5S_SELECT_SET, &kStart, &kStride, &kHalf, nullptr) >= 0);
  const std::string name = par::file_name("nested_compact");
  {
    Id file = par::create_file(name);
    Id data(H5Dcreate2(file, "data", H5T_STD_I8LE, space, H5P_DEFAULT, list, H5P_DEFAULT));
    CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
    const std::vector<int> values(kHalf, 1000);
    calls = 0;
    acts_at = 200 + 200 * par::rank();
    herr_t flushed = -1;
    deed = [&] { flushed = H5Fflush(file, H5F_SCOPE_GLOBAL); };
    CHECK(H5Dwrite(data, H5T_NATIVE_INT, memory, space, transfer, values.data()) >= 0);
    deed = nullptr;
    // Where copies differ the flush says so; what comes behind is in all of them.
    CHECK((flushed >= 0) == (par::size() == 1));
    const par::Silence silence;
    CHECK(data.close() >= 0);
    CHECK((file.close() >= 0) == (par::size() == 1));
  }
  const Id file = par::open_file(name, H5F_ACC_RDONLY), data(H5Dopen2(file, "data", H5P_DEFAULT));
  std::vector<signed char> found(kMany, 0);
  CHECK(H5Dread(data, H5T_NATIVE_SCHAR, H5S_ALL, H5S_ALL, H5P_DEFAULT, found.data()) >= 0);
  for (hsize_t i = 0; i < kMany; i += 2) CHECK(found[i] == 7);
}

/// What a conversion writes to another dataset is in that transfer's report, and in no other.
CASE(a_report_has_nothing_of_transfers_within_its_own) {
  constexpr hsize_t kMuch = 4096;
  Id file(par::create_file(par::file_name("nested_report")));
  const hsize_t ranks = static_cast<hsize_t>(par::size()), one = 1,
                start = static_cast<hsize_t>(par::rank()), much = kMuch * ranks;
  const Id list(H5Pcreate(H5P_DATASET_CREATE)), space(H5Screate_simple(1, &ranks, nullptr)),
      memory(H5Screate_simple(1, &one, nullptr)), large(H5Screate_simple(1, &much, nullptr)),
      part(H5Screate_simple(1, &kMuch, nullptr));
  H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY);
  const Id data(H5Dcreate2(file, "d", H5T_STD_I8LE, space, H5P_DEFAULT, list, H5P_DEFAULT));
  const Id other(H5Dcreate2(file, "o", H5T_STD_I8LE, large, H5P_DEFAULT, list, H5P_DEFAULT));
  H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &one, nullptr);
  const hsize_t from = kMuch * start;
  H5Sselect_hyperslab(large, H5S_SELECT_SET, &from, nullptr, &kMuch, nullptr);
  const Id acting(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  H5Pset_type_conv_cb(acting, on_overflow, nullptr);
  const std::vector<signed char> bytes(kMuch, 3);
  const int value = 1000;
  calls = 0;
  acts_at = 1;
  pcio_transfer_report_t inner{}, outer{};
  const Id alone(H5Pcreate(H5P_DATASET_XFER));
  deed = [&] { CHECK(H5Dwrite(other, H5T_NATIVE_SCHAR, part, large, alone, bytes.data()) >= 0); };
  CHECK(H5Dwrite(data, H5T_NATIVE_INT, memory, space, acting, &value) >= 0);
  deed = nullptr;
  CHECK(calls == 1);
  CHECK(pcio_get_transfer_report(alone, &inner, sizeof inner) >= 0);
  CHECK(pcio_get_transfer_report(acting, &outer, sizeof outer) >= 0);
  CHECK(inner.bytes_written == kMuch);
  CHECK(outer.bytes_selected == 1 && outer.bytes_written <= ranks);
}

#endif
