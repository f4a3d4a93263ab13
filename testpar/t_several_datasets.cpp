// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Several datasets in one call: what it moves, the order of what ranks write in it, failures of one rank in it.
// Room: testpar, public headers only, and faults/ for slow ranks and failures on demand.
//
// A slow rank reads the gaps between its pieces, waits, and writes them back: nobody may have written
// there meanwhile.

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <numeric>
#include <utility>
#include <vector>

#include <mpi.h>

#include "faults/cells.hpp"

using namespace faults;

namespace {

constexpr unsigned kSlow = 200'000;  // microseconds
using Doubles = std::vector<double>;

/// Everything that one call of several datasets takes.
struct Parts {
  std::vector<hid_t> sets, types, memory, file;
  std::vector<const void*> out;
  std::vector<void*> in;

  void add(hid_t set, hid_t type, hid_t memory_space, hid_t file_space, void* buffer) {
    sets.push_back(set);
    types.push_back(type);
    memory.push_back(memory_space);
    file.push_back(file_space);
    out.push_back(buffer);
    in.push_back(buffer);
  }
  bool write(hid_t list) {
    return H5Dwrite_multi(sets.size(), sets.data(), types.data(), memory.data(), file.data(), list,
                          out.data()) >= 0;
  }
};

Id new_file(const std::string& name) {
  const Id access(par::mpio_access());
  return Id(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
}

Id row(hsize_t elements) { return Id(H5Screate_simple(1, &elements, nullptr)); }

/// By rank 0 alone, without MPI: the values of a dataset of doubles.
Doubles values_in_file(const std::string& name, const char* set_name, std::size_t elements) {
  Doubles values(elements, -1);
  if (par::rank() == 0) {
    const Id file(H5Fopen(name.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
    const Id set(H5Dopen2(file, set_name, H5P_DEFAULT));
    CHECK(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0);
  }
  MPI_Bcast(values.data(), static_cast<int>(elements), MPI_DOUBLE, 0, MPI_COMM_WORLD);
  return values;
}

/// Two datasets whose chunks take turns in the file.
constexpr hsize_t kElements = 4096, kChunk = 64;
struct Neighbours {
  std::string name;
  Id file, first, second;

  explicit Neighbours(const char* word) : name(par::file_name(word)), file(new_file(name)) {
    const hsize_t none = 0, most = H5S_UNLIMITED;
    const Id space(H5Screate_simple(1, &none, &most)), list(H5Pcreate(H5P_DATASET_CREATE));
    CHECK(H5Pset_chunk(list, 1, &kChunk) >= 0);
    first = Id(H5Dcreate2(file, "first", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, list, H5P_DEFAULT));
    second =
        Id(H5Dcreate2(file, "second", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, list, H5P_DEFAULT));
    for (hsize_t size = kChunk; size <= kElements; size += kChunk)
      CHECK(H5Dset_extent(first, &size) >= 0 && H5Dset_extent(second, &size) >= 0);
  }
};

/// Every fourth element from `rank` on, of the first two ranks.
Id comb() {
  Id space = row(kElements);
  const hsize_t start = static_cast<hsize_t>(par::rank()), step = 4, count = kElements / 4;
  H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, &step, &count, nullptr);
  if (par::rank() > 1) H5Sselect_none(space);
  return space;
}
/// All by the last rank.
Id all_of_last() {
  Id space = row(kElements);
  if (par::rank() + 1 != par::size()) H5Sselect_none(space);
  return space;
}
Doubles numbers(double from) {
  Doubles values(kElements);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = from + static_cast<double>(i);
  return values;
}
long lost(const Doubles& found, const Doubles& wanted) {
  long n = 0;
  for (std::size_t i = 0; i < found.size(); ++i) n += found[i] != wanted[i] ? 1 : 0;
  return n;
}

}  // namespace

/// The last window of an exchange, gaps and all, and what the next dataset has in the gaps.
CASE(gaps_of_one_dataset_and_the_next_one) {
  for (int culprit = 0; culprit < std::min(2, par::size()); ++culprit) {
    Neighbours sets("multi_gaps");
    const Id combed = comb(), rest = all_of_last(), list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
    Doubles a = numbers(1000), b = numbers(50000);
    Parts parts;
    parts.add(sets.first, H5T_NATIVE_DOUBLE, combed, combed, a.data());
    parts.add(sets.second, H5T_NATIVE_DOUBLE, rest, rest, b.data());
    if (par::rank() == culprit) inject::slow_down({0, kSlow, 0, 0, false});
    CHECK(parts.write(list));
    inject::slow_down({});
    CHECK(sets.first.close() >= 0 && sets.second.close() >= 0 && sets.file.close() >= 0);
    CHECK(lost(values_in_file(sets.name, "second", kElements), b) == 0);
  }
}

/// Some members of each element by one rank, the others by another one, in two parts of a call.
CASE(members_of_the_same_elements) {
  struct Pair {
    double x, y;
  };
  constexpr hsize_t kPairs = 1000;
  Id pair(H5Tcreate(H5T_COMPOUND, sizeof(Pair)));
  CHECK(H5Tinsert(pair, "x", HOFFSET(Pair, x), H5T_NATIVE_DOUBLE) >= 0 &&
        H5Tinsert(pair, "y", HOFFSET(Pair, y), H5T_NATIVE_DOUBLE) >= 0);
  const Id only_x(H5Tcreate(H5T_COMPOUND, sizeof(double))),
      only_y(H5Tcreate(H5T_COMPOUND, sizeof(double)));
  CHECK(H5Tinsert(only_x, "x", 0, H5T_NATIVE_DOUBLE) >= 0 &&
        H5Tinsert(only_y, "y", 0, H5T_NATIVE_DOUBLE) >= 0);
  for (const pcio_transport_t transport : {PCIO_TRANSPORT_DIRECT, PCIO_TRANSPORT_EXCHANGE}) {
    const std::string name = par::file_name("multi_members");
    Id file = new_file(name);
    const Id space = row(kPairs);
    Id set(H5Dcreate2(file, "pairs", pair, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    const Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
    // There is something to be read.
    const std::vector<Pair> before(kPairs, Pair{1, 2});
    CHECK(H5Dwrite(set, pair, H5S_ALL, H5S_ALL, list, before.data()) >= 0);
    CHECK(pcio_set_dxpl_transport(list, transport) >= 0);
    // The first rank writes x and is slow; the last one y.
    const Id xs = row(kPairs), ys = row(kPairs);
    if (par::rank() != 0) H5Sselect_none(xs);
    if (par::rank() + 1 != par::size()) H5Sselect_none(ys);
    Doubles x(kPairs, 3), y(kPairs, 4);
    Parts parts;
    parts.add(set, only_x, xs, xs, x.data());
    parts.add(set, only_y, ys, ys, y.data());
    if (par::rank() == 0) inject::slow_down({0, kSlow, 0, 0, false});
    CHECK(parts.write(list));
    inject::slow_down({});
    CHECK(set.close() >= 0 && file.close() >= 0);
    if (par::rank() == 0) {
      const Id again(H5Fopen(name.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
      const Id pairs(H5Dopen2(again, "pairs", H5P_DEFAULT));
      std::vector<Pair> found(kPairs);
      CHECK(H5Dread(pairs, pair, H5S_ALL, H5S_ALL, H5P_DEFAULT, found.data()) >= 0);
      const auto good = [](const Pair& p) { return p.x == 3 && p.y == 4; };
      CHECK(std::all_of(found.begin(), found.end(), good));
    }
  }
}

/// What one rank has wrong makes the call fail on all, also where each call leaves a line.
CASE(a_part_that_is_wrong_on_one_rank) {
  const par::Silence quiet;
  const std::string report = par::file_name("multi_report");
  CHECK(setenv("PCIO_REPORT", report.c_str(), 1) == 0);
  const std::string name = par::file_name("multi_wrong");
  Id file = new_file(name);
  const Id space = row(64), half = row(32), list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  std::vector<Id> sets;
  for (const char* const set : {"a", "b", "c"})
    sets.emplace_back(
        H5Dcreate2(file, set, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  Doubles values(64, 7);
  for (int wrong = 0; wrong < 3; ++wrong)
    for (const int culprit : {0, par::size() - 1}) {
      Parts parts;
      for (int i = 0; i < 3; ++i)
        parts.add(sets[static_cast<std::size_t>(i)], H5T_NATIVE_DOUBLE,
                  i == wrong && par::rank() == culprit ? half : space, space, values.data());
      begin_watch();
      CHECK(!parts.write(list));
      parts.memory.assign(3, space);
      CHECK(parts.write(list));
      end_watch();
    }
  // One rank gives none, another only the first.
  for (const std::size_t few : {std::size_t{0}, std::size_t{1}}) {
    if (par::size() == 1) break;
    Parts parts;
    for (std::size_t i = 0; i < (par::rank() == 0 ? few : 3); ++i)
      parts.add(sets[i], H5T_NATIVE_DOUBLE, space, space, values.data());
    begin_watch();
    CHECK(!parts.write(list));
    end_watch();
  }
  // All give none.
  Parts none;
  CHECK(none.write(list));
  sets.clear();
  CHECK(file.close() >= 0);
  CHECK(unsetenv("PCIO_REPORT") == 0);
  if (par::rank() == 0) {
    std::ifstream lines(report);
    CHECK(std::count(std::istreambuf_iterator<char>(lines), {}, '\n') >= 6 * 4);
  }
}

namespace {

/// A file of a serial program: a chunked dataset of which half has space.
void half_a_dataset(const std::string& name) {
  if (par::rank() == 0) {
    const Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
    const hsize_t size = 64 * 20000, chunk = 64, most = H5S_UNLIMITED, half = size / 2, start = 0;
    const Id space(H5Screate_simple(1, &size, &most)), list(H5Pcreate(H5P_DATASET_CREATE));
    CHECK(H5Pset_chunk(list, 1, &chunk) >= 0);
    const Id set(
        H5Dcreate2(file, "data", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, list, H5P_DEFAULT));
    H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &half, nullptr);
    const Id memory = row(half);
    const Doubles values(half, 5);
    CHECK(H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, values.data()) >= 0);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

}  // namespace

/// The n-th read of one rank fails while all give space to a dataset whose index they read for that.
CASE(an_index_that_one_rank_cannot_read) {
  const par::Silence quiet;
  const std::string name = par::file_name("multi_index");
  for (const int culprit : culprits()) {
    bool struck = true;
    for (std::uint64_t at = 0; struck && at < 100000; at += 1 + at / 2) {
      half_a_dataset(name);
      const Id access(par::mpio_access()), list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
      Id file(H5Fopen(name.c_str(), H5F_ACC_RDWR, access)),
          set(H5Dopen2(file, "data", H5P_DEFAULT));
      const Id space(H5Dget_space(set)), memory = row(64);
      // One chunk without space, the others have theirs.
      const hsize_t start = par::rank() == 0 ? 64 * 15000 : 64 * static_cast<hsize_t>(par::rank()),
                    count = 64;
      H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &count, nullptr);
      const Doubles values(64, 1);
      begin_cell("index read " + std::to_string(at) + ", rank " + std::to_string(culprit));
      begin_watch();
      if (par::rank() == culprit) inject::arm(Fault::kReadError, at, name);
      const bool wrote = H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, space, list, values.data()) >= 0;
      struck = par::any(inject::disarm());
      judge(wrote == par::any(wrote), "it succeeds on some ranks only");
      judge(wrote == !struck, "success and failure are mixed up");
      judge(H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, space, list, values.data()) >= 0,
            "the next write fails");
      judge(set.close() >= 0 && file.close() >= 0, "the file does not close");
      end_watch();
      const Doubles found = values_in_file(name, "data", 64 * 20000);
      judge(found[64 * 15000] == 1 && found[64 * 15001] == 0 && found[64 * 9000] == 5,
            "wrong values");
    }
    judge(!struck, "the reads do not come to an end");
  }
}

namespace {

using Ints = std::vector<int>;

struct Several {
  static constexpr std::size_t kCount = 3;
  std::vector<Id> datasets, spaces, memories;
  std::vector<hid_t> ids, types, memory_ids, space_ids;
  std::vector<Ints> values;
  std::vector<const void*> from;
  std::vector<void*> to;
};

/// Each rank's part of a contiguous dataset and of two chunked ones; the last rank's part of the
/// second is empty.
Several make_several(hid_t file) {
  Several s;
  const hsize_t size = 30 * static_cast<hsize_t>(par::size());
  for (std::size_t i = 0; i < Several::kCount; ++i) {
    const Id space(H5Screate_simple(1, &size, nullptr)), list(H5Pcreate(H5P_DATASET_CREATE));
    const hsize_t chunk = 7 + 5 * i;
    if (i > 0) H5Pset_chunk(list, 1, &chunk);
    const char name[2] = {static_cast<char>('a' + i), 0};
    s.datasets.emplace_back(
        H5Dcreate2(file, name, H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT));
    const bool nothing = i == 1 && par::rank() + 1 == par::size();
    const hsize_t start = 30 * static_cast<hsize_t>(par::rank()), count = nothing ? 0 : 30;
    s.spaces.emplace_back(H5Screate_simple(1, &size, nullptr));
    s.memories.emplace_back(H5Screate_simple(1, &count, nullptr));
    if (nothing)
      H5Sselect_none(s.spaces.back());
    else
      H5Sselect_hyperslab(s.spaces.back(), H5S_SELECT_SET, &start, nullptr, &count, nullptr);
    Ints values(count + 1);
    std::iota(values.begin(), values.end(), static_cast<int>(1000 * i + start));
    values[count] = -5;
    s.values.push_back(std::move(values));
  }
  for (std::size_t i = 0; i < Several::kCount; ++i) {
    s.ids.push_back(s.datasets[i]);
    s.types.push_back(H5T_NATIVE_INT);
    s.memory_ids.push_back(s.memories[i]);
    s.space_ids.push_back(s.spaces[i]);
    s.from.push_back(s.values[i].data());
    s.to.push_back(s.values[i].data());
  }
  return s;
}

/// The text of its error, before the list's close makes a new stack.
std::string failure;

herr_t write_several(Several& s, H5FD_mpio_xfer_t mode) {
  const Id list(par::transfer_list(mode));
  const herr_t done = H5Dwrite_multi(s.ids.size(), s.ids.data(), s.types.data(),
                                     s.memory_ids.data(), s.space_ids.data(), list, s.from.data());
  if (done < 0) failure = par::error_text();
  return done;
}
herr_t read_several(Several& s, H5FD_mpio_xfer_t mode) {
  const Id list(par::transfer_list(mode));
  return H5Dread_multi(s.ids.size(), s.ids.data(), s.types.data(), s.memory_ids.data(),
                       s.space_ids.data(), list, s.to.data());
}

}  // namespace

CASE(contiguous_and_chunked_ones_in_one_call) {
  for (const auto mode : {H5FD_MPIO_COLLECTIVE, H5FD_MPIO_INDEPENDENT}) {
    const Id file =
        new_file(par::file_name(mode == H5FD_MPIO_COLLECTIVE ? "several" : "several_alone"));
    Several s = make_several(file);
    const std::vector<Ints> wanted = s.values;
    CHECK(write_several(s, mode) >= 0);
    for (Ints& values : s.values) std::fill(values.begin(), values.end() - 1, 0);
    CHECK(read_several(s, mode) >= 0);
    CHECK(s.values == wanted);
  }
}

/// One rank's bad argument keeps every byte where it is, on all ranks and in all datasets.
CASE(a_wrong_argument_moves_nothing_in_any) {
  const Id file = new_file(par::file_name("several_wrong"));
  Several s = make_several(file);
  CHECK(write_several(s, H5FD_MPIO_COLLECTIVE) >= 0);
  const std::vector<Ints> wanted = s.values;
  for (Ints& values : s.values) std::fill(values.begin(), values.end() - 1, 77);
  {
    const par::Silence silence;
    Several bad = make_several(new_file(par::file_name("several_other")));
    if (par::rank() == par::size() - 1) bad.types[2] = H5T_C_S1;
    CHECK(write_several(bad, H5FD_MPIO_COLLECTIVE) < 0);
    // A rank without buffers does not leave the others alone.
    auto buffers = bad.from;
    if (par::rank() == 0) {
      const Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
      bad.types[2] = H5T_NATIVE_INT;
      CHECK(H5Dwrite_multi(bad.ids.size(), bad.ids.data(), bad.types.data(), nullptr,
                           bad.space_ids.data(), list, buffers.data()) < 0);
      CHECK(par::error_text().find("mem_space_id") != std::string::npos);
    } else {
      CHECK(write_several(bad, H5FD_MPIO_COLLECTIVE) < 0);
    }
    if (par::rank() == 0) s.types[1] = H5T_C_S1;
    CHECK(write_several(s, H5FD_MPIO_COLLECTIVE) < 0);
    CHECK(failure.find("/b") != std::string::npos);
    s.types[1] = H5T_NATIVE_INT;
  }
  CHECK(read_several(s, H5FD_MPIO_COLLECTIVE) >= 0);
  CHECK(s.values == wanted);
}

/// Lists that differ between the ranks are an error that says so.
CASE(lists_that_differ_between_ranks) {
  if (par::size() == 1) return;
  const Id file = new_file(par::file_name("several_lists"));
  Several s = make_several(file);
  const par::Silence silence;
  if (par::rank() == 0) {
    std::swap(s.ids[0], s.ids[2]);
    std::swap(s.space_ids[0], s.space_ids[2]);
  }
  CHECK(write_several(s, H5FD_MPIO_COLLECTIVE) < 0);
  CHECK(failure.find("different datasets") != std::string::npos);
  if (par::rank() == 0) {
    std::swap(s.ids[0], s.ids[2]);
    std::swap(s.space_ids[0], s.space_ids[2]);
    s.ids.pop_back();
  }
  CHECK(write_several(s, H5FD_MPIO_COLLECTIVE) < 0);
  CHECK(failure.find("different numbers of datasets") != std::string::npos);
}

namespace {

/// A dataset that a conversion closes.
hid_t later = H5I_INVALID_HID;
bool has_room = false;  // its extent could change

H5T_conv_ret_t on_large(H5T_conv_except_t, hid_t, hid_t, void*, void* target, void*) {
  if (later >= 0) {
    const hsize_t less = 1;
    const par::Silence silence;
    if (has_room) CHECK(H5Dset_extent(later, &less) < 0);
    CHECK(H5Dclose(std::exchange(later, H5I_INVALID_HID)) >= 0);
  }
  *static_cast<signed char*>(target) = 7;
  return H5T_CONV_HANDLED;
}

/// Both directions, elements of fixed size before such of variable length.
bool move_both(bool writes, const std::array<hid_t, 2>& data, hid_t list, void* numbers,
               hvl_t* sequences, hid_t type_of_sequences) {
  const hsize_t mine = 4, start = mine * static_cast<hsize_t>(par::rank());
  const Id space(H5Dget_space(data[0])), memory(H5Screate_simple(1, &mine, nullptr));
  H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &mine, nullptr);
  Parts parts;
  parts.add(data[0], writes ? H5T_NATIVE_INT : H5T_NATIVE_SCHAR, memory, space, numbers);
  parts.add(data[1], type_of_sequences, memory, space, sequences);
  if (writes) return parts.write(list);
  return H5Dread_multi(2, parts.sets.data(), parts.types.data(), parts.memory.data(),
                       parts.file.data(), list, parts.in.data()) >= 0;
}

}  // namespace

/// A conversion closes what the call moves behind what it converts: it is moved all the same, and its extent stays.
CASE(a_conversion_closes_a_later_part) {
  const Id collective(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  const Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  H5Pset_type_conv_cb(list, on_large, nullptr);
  const Id in_file(H5Tvlen_create(H5T_STD_I32LE)), type(H5Tvlen_create(H5T_NATIVE_INT));
  for (const bool chunked : {false, true})
    for (const bool writes : {true, false}) {
      const Id file = new_file(par::file_name("several_closed"));
      const hsize_t all = 4 * static_cast<hsize_t>(par::size()), most = H5S_UNLIMITED;
      const Id extent(H5Screate_simple(1, &all, chunked ? &most : nullptr));
      const Id create(H5Pcreate(H5P_DATASET_CREATE));
      if (chunked) H5Pset_chunk(create, 1, &all);
      auto make = [&](const char* name, hid_t of) {
        return H5Dcreate2(file, name, of, extent, H5P_DEFAULT, create, H5P_DEFAULT);
      };
      const Id numbers(make("numbers", writes ? H5T_STD_I8LE : H5T_NATIVE_INT));
      later = make("sequences", in_file);
      has_room = chunked;
      Ints large(4, 1000);
      std::vector<hvl_t> sequences(4, hvl_t{large.size(), large.data()});
      const std::array<hid_t, 2> both = {numbers, later};
      if (!writes) CHECK(move_both(true, both, collective, large.data(), sequences.data(), type));
      std::vector<signed char> small(4);
      void* const values = writes ? static_cast<void*>(large.data()) : small.data();
      CHECK(move_both(writes, both, list, values, sequences.data(), type));
      CHECK(later < 0);
      if (!writes) CHECK(small == std::vector<signed char>(4, 7));
      if (writes) {
        const Id again(H5Dopen2(file, "sequences", H5P_DEFAULT));
        CHECK(move_both(false, {numbers, again}, collective, small.data(), sequences.data(), type));
      }
      for (const hvl_t& one : sequences) {
        CHECK(one.len == large.size() &&
              std::equal(large.begin(), large.end(), static_cast<int*>(one.p)));
        std::free(one.p);
      }
    }
}
