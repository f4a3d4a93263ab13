// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Chunks with filters that a rank reads by itself stay in its memory, also in a file that all ranks write: whatever they
// write, cut or fail to do, nobody reads what was there before.
// Room: testpar, public headers only, and faults/ for failures on demand.

#include <algorithm>
#include <cstdio>
#include <random>
#include <vector>

#include <mpi.h>
#include <pcio.h>

#include "faults/cells.hpp"

using namespace faults;

namespace {

constexpr hsize_t kChunk = 32, kMost = 12 * kChunk;
using Ints = std::vector<int>;

struct Kept {
  Id file, data;
  std::string name;
  Ints model;
  explicit Kept(const std::string& called, H5F_libver_t low) : name(called), model(kMost, 7) {
    const Id access(par::mpio_access(MPI_COMM_WORLD, low));
    file = Id(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
    const hsize_t most = H5S_UNLIMITED;
    const Id space(H5Screate_simple(1, &kMost, &most)), list(H5Pcreate(H5P_DATASET_CREATE));
    const int seven = 7;
    CHECK(H5Pset_fill_value(list, H5T_NATIVE_INT, &seven) >= 0);
    CHECK(H5Pset_chunk(list, 1, &kChunk) >= 0 && H5Pset_shuffle(list) >= 0);
    CHECK(H5Pset_deflate(list, 1) >= 0);
    data = Id(H5Dcreate2(file, "data", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT));
    CHECK(data.valid());
  }
  hsize_t size() const { return model.size(); }

  herr_t move(bool writes, bool together, hsize_t first, Ints& values) const {
    const Id space(H5Dget_space(data));
    const hsize_t count = values.size(), room = std::max<hsize_t>(count, 1);
    const Id memory(H5Screate_simple(1, &room, nullptr));
    if (count > 0) {
      H5Sselect_hyperslab(space, H5S_SELECT_SET, &first, nullptr, &count, nullptr);
    } else {
      H5Sselect_none(space);
      H5Sselect_none(memory);
    }
    const Id list(par::transfer_list(together ? H5FD_MPIO_COLLECTIVE : H5FD_MPIO_INDEPENDENT));
    int nothing = 0;
    int* const at = values.empty() ? &nothing : values.data();
    return writes ? H5Dwrite(data, H5T_NATIVE_INT, memory, space, list, at)
                  : H5Dread(data, H5T_NATIVE_INT, memory, space, list, at);
  }
  /// A few elements, by this rank alone.
  bool is_right_at(hsize_t first, hsize_t count) const {
    if (first >= size()) return true;
    Ints values(std::min(count, size() - first), -1);
    return move(false, false, first, values) >= 0 &&
           std::equal(values.begin(), values.end(), model.begin() + static_cast<long>(first));
  }
  bool is_right() const {
    for (hsize_t first = 0; first < size(); first += 5)
      if (!is_right_at(first, 5)) return false;
    return true;
  }
  bool set_size(hsize_t wanted) {
    if (H5Dset_extent(data, &wanted) < 0) return false;
    model.resize(wanted, 7);
    return true;
  }
};

/// Memory that is not there at the nth chance, on `culprit` or on all ranks, in a step that may fail on some of them only.
template <class Step>
bool lacks_memory(std::uint64_t position, int culprit, const std::string& name, Step&& step) {
  begin_cell("memory " + std::to_string(position) + ", rank " + std::to_string(culprit));
  MPI_Barrier(MPI_COMM_WORLD);
  begin_watch();
  if (par::rank() == culprit || culprit == par::size())
    inject::arm(Fault::kNoBlock, position, name);
  step();
  const bool mine = inject::disarm();
  const bool struck = par::any(mine);
  end_watch();
  counts.struck += struck ? 1 : 0;
  return struck;
}

}  // namespace

/// Calls of all ranks and reads by some of them, in any order.
CASE(nobody_reads_what_was_there_before) {
  std::mt19937 all_ranks(20261129), this_rank(7 + static_cast<unsigned>(par::rank()));
  const auto all = [&] { return static_cast<unsigned>(all_ranks()); };
  const auto mine = [&] { return static_cast<unsigned>(this_rank()); };
  int calls[6] = {}, reads = 0;
  for (int round = 0; round < 12; ++round) {
    const auto low = round % 2 == 0 ? H5F_LIBVER_EARLIEST : H5F_LIBVER_LATEST;
    Kept kept(par::file_name("kept"), low);
    for (int step = 0; step < 40; ++step) {
      // Some ranks read some chunks, once or twice, from one to the next.
      for (unsigned n = mine() % 6; n > 0; --n, ++reads)
        CHECK(kept.is_right_at(mine() % kMost, 1 + mine() % kChunk));
      const unsigned what = all() % 6;
      ++calls[what];
      const hsize_t first = all() % std::max<hsize_t>(kept.size(), 1);
      const hsize_t count = std::min<hsize_t>(1 + all() % (3 * kChunk), kept.size() - first);
      const int value = static_cast<int>(all() % 1000);
      if (what <= 1 && kept.size() > 0) {
        // Each rank a part of it, the last ones perhaps nothing.
        const hsize_t part = count / static_cast<hsize_t>(par::size()) + 1;
        const hsize_t from = std::min(count, part * static_cast<hsize_t>(par::rank()));
        Ints values(std::min(part, count - from), value);
        CHECK(kept.move(true, true, first + from, values) >= 0);
        std::fill_n(kept.model.begin() + static_cast<long>(first), count, value);
      } else if (what == 2 && kept.size() >= kChunk) {
        // One rank writes a whole chunk, which waits for all.
        const hsize_t chunk = first / kChunk * kChunk;
        const int writer = static_cast<int>(all() % static_cast<unsigned>(par::size()));
        if (chunk + kChunk <= kept.size()) {
          Ints values(kChunk, value);
          CHECK(par::rank() != writer || kept.move(true, false, chunk, values) >= 0);
          CHECK(H5Fflush(kept.file, H5F_SCOPE_GLOBAL) >= 0);
          std::fill_n(kept.model.begin() + static_cast<long>(chunk), kChunk, value);
        }
      } else if (what == 3) {
        CHECK(kept.set_size(1 + all() % kMost));
        CHECK(all() % 2 == 0 || kept.set_size(kMost));
      } else if (what == 4) {
        // Not written: memory and file differ in what they select on one rank.
        const par::Silence silence;
        const Id space(H5Dget_space(kept.data)), list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
        const hsize_t one = 1;
        const Id memory(H5Screate_simple(1, &one, nullptr));
        Ints values(kMost, value);
        const hid_t wrong = par::rank() == par::size() - 1 && kept.size() != 1 ? memory : H5S_ALL;
        const bool fails = kept.size() != 1;
        CHECK((H5Dwrite(kept.data, H5T_NATIVE_INT, wrong, space, list, values.data()) < 0) ==
              fails);
        if (!fails) kept.model[0] = value;
      } else {
        CHECK(H5Fflush(kept.file, H5F_SCOPE_GLOBAL) >= 0);
      }
    }
    CHECK(kept.is_right());
    CHECK(kept.data.close() >= 0);
    kept.data = Id(H5Dopen2(kept.file, "data", H5P_DEFAULT));
    CHECK(kept.is_right() && kept.data.close() >= 0 && kept.file.close() >= 0);
    remove_file(kept.name);
  }
  if (par::rank() == 0)
    std::printf(
        "kept chunks: seed 20261129, 480 calls: written %d, waiting %d, extents %d, failed %d, "
        "flushed %d; reads of rank 0 %d\n",
        calls[0] + calls[1], calls[2], calls[3], calls[4], calls[5], reads);
  for (const int n : calls) CHECK(n > 0);
}

/// It is read once: what a program takes of it piece by piece does not go through the filters each time.
CASE(pieces_of_a_chunk_are_read_once) {
  Kept kept(par::file_name("once"), H5F_LIBVER_LATEST);
  Ints all(kMost);
  for (hsize_t i = 0; i < kMost; ++i) all[i] = kept.model[i] = static_cast<int>(i);
  CHECK(kept.move(true, true, 0, all) >= 0);
  const Id list(H5Pcreate(H5P_DATASET_XFER)), memory(H5Screate_simple(1, &kChunk, nullptr));
  hsize_t calls = 0;
  for (hsize_t at = 0; at < kChunk; ++at) {
    const hsize_t one = 1, zero = 0;
    const Id space(H5Dget_space(kept.data));
    H5Sselect_hyperslab(space, H5S_SELECT_SET, &at, nullptr, &one, nullptr);
    H5Sselect_hyperslab(memory, H5S_SELECT_SET, &zero, nullptr, &one, nullptr);
    int value = -1;
    CHECK(H5Dread(kept.data, H5T_NATIVE_INT, memory, space, list, &value) >= 0);
    CHECK(value == static_cast<int>(at));
    pcio_transfer_report_t report;
    CHECK(pcio_get_transfer_report(list, &report, sizeof report) >= 0);
    calls += report.independent_reads;
  }
  CHECK(calls == 1);
}

/// What fails for want of memory leaves nothing behind that hides, or replaces, what is written later.
CASE(what_failed_hides_nothing) {
  const par::Silence quiet;
  for (const bool cuts : {true, false}) {
    std::uint64_t failed = 0, at = 0;
    for (bool struck = true; struck && at < 400; ++at) {
      Kept kept(par::file_name("failed"), H5F_LIBVER_LATEST);
      Ints ones(kMost, 1), twos(kMost, 2), nines(kChunk, 9);
      CHECK(kept.move(true, true, 0, ones) >= 0);
      CHECK(kept.is_right_at(0, 0));
      const hsize_t smaller = kMost - kChunk / 2;
      // Of an extent all ranks fail alike; of a chunk that is to wait one by itself.
      const int culprit = cuts ? par::size() : par::size() - 1;
      bool done = false;
      const Id list(par::transfer_list(H5FD_MPIO_INDEPENDENT));
      const Id space(H5Dget_space(kept.data)), memory(H5Screate_simple(1, &kChunk, nullptr));
      const hsize_t first = 0;
      H5Sselect_hyperslab(space, H5S_SELECT_SET, &first, nullptr, &kChunk, nullptr);
      struck = lacks_memory(at, culprit, kept.name, [&] {
        done = cuts ? H5Dset_extent(kept.data, &smaller) >= 0
                    : par::rank() != culprit || H5Dwrite(kept.data, H5T_NATIVE_INT, memory, space,
                                                         list, nines.data()) >= 0;
      });
      const bool all_done = par::all(done), any_done = par::any(done);
      failed += all_done ? 0 : 1;
      if (cuts && all_done != any_done) {
        // Metadata that differ: the file can only be closed.
        kept.data.close();
        kept.file.close();
        remove_file(kept.name);
        continue;
      }
      kept.model = twos;
      if (cuts && all_done) kept.model.resize(smaller);
      twos.resize(kept.size());
      CHECK(kept.move(true, true, 0, twos) >= 0);
      CHECK(kept.is_right());
      CHECK(kept.set_size(kMost - kChunk / 2) && H5Fflush(kept.file, H5F_SCOPE_GLOBAL) >= 0);
      nines.assign(kChunk, 3);
      if (par::rank() == par::size() - 1) CHECK(kept.move(true, false, kChunk, nines) >= 0);
      CHECK(H5Fflush(kept.file, H5F_SCOPE_GLOBAL) >= 0);
      std::fill_n(kept.model.begin() + static_cast<long>(kChunk), kChunk, 3);
      CHECK(kept.is_right());
      CHECK(kept.data.close() >= 0 && kept.file.close() >= 0);
      remove_file(kept.name);
    }
    CHECK(failed > 3);
  }
}

/// Ranks that fail in the same call, each at another step of it, go on together.
CASE(ranks_that_fail_at_different_steps) {
  const par::Silence quiet;
  for (const std::uint64_t apart : {1, 3})
    for (std::uint64_t at = 0; at < 24; ++at) {
      Kept kept(par::file_name("steps"), at % 2 == 0 ? H5F_LIBVER_LATEST : H5F_LIBVER_EARLIEST);
      Ints ones(kMost, 1);
      CHECK(kept.move(true, true, 0, ones) >= 0);
      CHECK(H5Fflush(kept.file, H5F_SCOPE_GLOBAL) >= 0);
      const hsize_t smaller = kMost - kChunk - 3;
      const std::uint64_t mine = at + apart * static_cast<std::uint64_t>(par::rank());
      bool done = false;
      static_cast<void>(lacks_memory(mine, par::size(), kept.name,
                                     [&] { done = H5Dset_extent(kept.data, &smaller) >= 0; }));
      // The ranks go on together, or all are told that they hold different metadata; nobody waits for ever.
      const bool all = par::all(done);
      const herr_t flushed = H5Fflush(kept.file, H5F_SCOPE_GLOBAL);
      CHECK(par::all(flushed >= 0) || par::all(flushed < 0));
      CHECK(flushed >= 0 || !all);
      kept.data.close();
      kept.file.close();
      remove_file(kept.name);
    }
}
