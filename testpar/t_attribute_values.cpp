// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Attributes whose values some ranks write and others don't. Room: testpar, public headers only.
//
// The last case is a campaign: PCIO_ATTRIBUTE_SEED and PCIO_ATTRIBUTE_CASES say which cases and how many.

#include <cstdio>
#include <cstdlib>
#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "campaign/histogram.hpp"
#include "faults/inject.hpp"
#include "support.hpp"

using par::create_file;
using par::Id;
using par::open_file;

namespace {

Id space_of(hsize_t count) { return Id(H5Screate_simple(1, &count, nullptr)); }

void make(hid_t object, const std::string& name, hsize_t count = 3) {
  const Id space = space_of(count);
  const Id made(H5Acreate2(object, name.c_str(), H5T_STD_I32LE, space, H5P_DEFAULT, H5P_DEFAULT));
  CHECK(made.valid());
}

/// Of this rank alone: `first`, `first` + 1, ...
void put(hid_t object, const std::string& name, int first, hsize_t count = 3) {
  std::vector<int> values(count);
  for (int& value : values) value = first++;
  const Id attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT));
  CHECK(attribute.valid() && H5Awrite(attribute, H5T_NATIVE_INT, values.data()) >= 0);
}

bool has(hid_t object, const std::string& name, int first, hsize_t count = 3) {
  std::vector<int> values(count, -1);
  const Id attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT));
  bool good = attribute.valid() && H5Aread(attribute, H5T_NATIVE_INT, values.data()) >= 0;
  for (const int value : values) good = good && value == first++;
  return good;
}

bool is_first() { return par::rank() == 0; }
bool is_last() { return par::rank() == par::size() - 1; }

/// Each rank a row of what is not flushed yet.
Id write_rows(hid_t file, const char* name) {
  const hsize_t dims[2] = {static_cast<hsize_t>(par::size()), 100}, one[2] = {1, 100};
  const hsize_t start[2] = {static_cast<hsize_t>(par::rank()), 0};
  const Id space(H5Screate_simple(2, dims, nullptr)), memory(H5Screate_simple(2, one, nullptr));
  const Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  Id rows(H5Dcreate2(file, name, H5T_STD_I32LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  CHECK(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, one, nullptr) >= 0);
  const std::vector<int> row(100, par::rank() + 1);
  CHECK(rows.valid() && H5Dwrite(rows, H5T_NATIVE_INT, memory, space, list, row.data()) >= 0);
  return rows;
}

void check_rows(hid_t file, const char* name) {
  std::vector<int> all(static_cast<std::size_t>(par::size()) * 100, -1);
  const Id rows(H5Dopen2(file, name, H5P_DEFAULT));
  CHECK(H5Dread(rows, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data()) >= 0);
  for (std::size_t i = 0; i < all.size(); ++i) CHECK(all[i] == static_cast<int>(i / 100) + 1);
}

}  // namespace

CASE(what_the_first_rank_alone_writes_is_in_the_file_with_all_else) {
  const std::string name = par::file_name("first_alone");
  Id file = create_file(name);
  {
    const Id rows = write_rows(file, "rows");
    make(rows, "time");
    make(file, "title");
    if (is_first()) put(rows, "time", 10);
    if (is_first()) put(file, "title", 20);
  }
  CHECK(file.close() >= 0);
  file = open_file(name, H5F_ACC_RDWR);
  check_rows(file, "rows");
  // Of a file that is there already, by a rank that lets go of the object again.
  if (is_first()) {
    const Id rows(H5Dopen2(file, "rows", H5P_DEFAULT));
    CHECK(has(rows, "time", 10) && has(file, "title", 20));
    put(rows, "time", 30);
  }
  CHECK(file.close() >= 0);
  file = open_file(name, H5F_ACC_RDONLY);
  const Id rows(H5Dopen2(file, "rows", H5P_DEFAULT));
  CHECK(has(rows, "time", 30) && has(file, "title", 20));
}

/// Also where calls are compared as they are made.
CASE(one_rank_writes_while_calls_are_compared) {
  setenv("PCIO_CHECK", "calls", 1);
  Id file = create_file(par::file_name("compared"));
  unsetenv("PCIO_CHECK");
  make(file, "a");
  if (is_first()) put(file, "a", 5);
  make(file, "b");
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  CHECK(has(file, "a", 5));
  CHECK(file.close() >= 0);
}

CASE(after_a_flush_all_ranks_have_what_one_has_written) {
  const std::string name = par::file_name("flushed");
  Id file = create_file(name);
  make(file, "a");
  make(file, "b");
  make(file, "c");
  if (is_last()) put(file, "a", 100);
  if (is_first()) put(file, "b", 200);
  if (is_first() || is_last()) put(file, "c", 300 + par::rank());
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  CHECK(has(file, "a", 100) && has(file, "b", 200) && has(file, "c", 300));
  if (is_last()) put(file, "b", 400);
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  CHECK(has(file, "a", 100) && has(file, "b", 400) && has(file, "c", 300));
  CHECK(file.close() >= 0);
  file = open_file(name, H5F_ACC_RDONLY);
  CHECK(has(file, "a", 100) && has(file, "b", 400) && has(file, "c", 300));
}

/// All have written it, and one of them once more: that is the later value. Or each its own value.
CASE(after_a_flush_all_ranks_have_the_same_value) {
  const std::string name = par::file_name("same");
  Id file = create_file(name);
  for (const char* const each : {"a", "b", "c"}) {
    make(file, each);
    put(file, each, 1);
  }
  if (is_first()) put(file, "a", 100);
  put(file, "b", 200 + par::rank());
  if (is_last()) put(file, "c", 300);
  const auto as_written = [&] {
    return has(file, "a", 100) && has(file, "b", 200) && has(file, "c", 300);
  };
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  CHECK(as_written());
  CHECK(file.close() >= 0);
  file = open_file(name, H5F_ACC_RDONLY);
  CHECK(as_written());
}

CASE(a_write_that_fails_is_its_rank_s_own) {
  const std::string name = par::file_name("failed");
  Id file = create_file(name);
  make(file, "a");
  put(file, "a", 1);
  {
    const par::Silence silence;
    const Id attribute(H5Aopen(file, "a", H5P_DEFAULT));
    const char text[] = "no number";
    if (is_last()) CHECK(H5Awrite(attribute, H5T_C_S1, text) < 0);
    if (is_last()) CHECK(H5Awrite(attribute, H5P_DEFAULT, text) < 0);
    if (is_last()) CHECK(H5Awrite(attribute, H5T_NATIVE_INT, nullptr) < 0);
  }
  CHECK(write_rows(file, "rows").close() >= 0);
  CHECK(file.close() >= 0);
  file = open_file(name, H5F_ACC_RDONLY);
  check_rows(file, "rows");
  CHECK(has(file, "a", 1));
}

CASE(what_one_rank_wrote_is_renamed_replaced_and_removed_by_all) {
  const std::string name = par::file_name("renamed");
  Id file = create_file(name);
  for (const char* const word : {"a", "b", "c"}) make(file, word);
  {
    const Id group(H5Gcreate2(file, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    make(group, "gone");
  }
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  if (is_last()) {
    for (const char* const word : {"a", "b", "c"}) put(file, word, 7);
    const Id group(H5Gopen2(file, "group", H5P_DEFAULT));
    put(group, "gone", 8);
  }
  CHECK(H5Arename(file, "a", "z") >= 0);
  CHECK(H5Adelete(file, "b") >= 0);
  CHECK(H5Adelete(file, "c") >= 0);
  make(file, "c", 5);
  CHECK(H5Ldelete(file, "group", H5P_DEFAULT) >= 0);
  CHECK(file.close() >= 0);
  file = open_file(name, H5F_ACC_RDONLY);
  CHECK(has(file, "z", 7) && H5Aexists(file, "a") == 0 && H5Aexists(file, "b") == 0);
  std::vector<int> values(5, -1);
  const Id attribute(H5Aopen(file, "c", H5P_DEFAULT));
  CHECK(H5Aread(attribute, H5T_NATIVE_INT, values.data()) >= 0);
  for (const int value : values) CHECK(value == 0);
}

CASE(what_ranks_wrote_before_and_after_another_call_is_not_taken_for_the_same) {
  const std::string name = par::file_name("before_and_after");
  Id file = create_file(name);
  for (const char* const word : {"a", "b", "c"}) make(file, word);
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  // Each rank writes one "a" and one "c", but not the same ones.
  if (is_first()) put(file, "a", 1);
  if (is_first()) put(file, "c", 2);
  CHECK(H5Adelete(file, "a") >= 0);
  make(file, "a");
  CHECK(H5Arename(file, "c", "d") >= 0);
  CHECK(H5Arename(file, "b", "c") >= 0);
  if (!is_first()) put(file, "a", 3);
  if (!is_first()) put(file, "c", 4);
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  CHECK(par::size() == 1 || (has(file, "a", 3) && has(file, "c", 4)));
  CHECK(has(file, "d", 2));
  CHECK(file.close() >= 0);
  file = open_file(name, H5F_ACC_RDONLY);
  CHECK(par::size() == 1 || (has(file, "a", 3) && has(file, "c", 4)));
  CHECK(has(file, "d", 2));
}

CASE(a_copy_has_what_one_rank_has_written) {
  const std::string name = par::file_name("copied");
  Id file = create_file(name);
  {
    const Id group(H5Gcreate2(file, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    make(group, "a");
    if (is_last()) put(group, "a", 5);
  }
  CHECK(H5Ocopy(file, "group", file, "copy", H5P_DEFAULT, H5P_DEFAULT) >= 0);
  {
    const Id copy(H5Gopen2(file, "copy", H5P_DEFAULT));
    CHECK(has(copy, "a", 5));
  }
  CHECK(file.close() >= 0);
  file = open_file(name, H5F_ACC_RDONLY);
  const Id copy(H5Gopen2(file, "copy", H5P_DEFAULT));
  CHECK(has(copy, "a", 5));
}

CASE(shared_values_are_the_same_however_a_rank_has_come_by_them) {
  for (const int keepers : {1, 2, 3}) {
    const std::string name = par::file_name("kept_open");
    const Id access(par::mpio_access()), list(H5Pcreate(H5P_FILE_CREATE));
    CHECK(H5Pset_shared_mesg_nindexes(list, 1) >= 0);
    CHECK(H5Pset_shared_mesg_index(list, 0, H5O_SHMESG_ALL_FLAG, 20) >= 0);
    {
      Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, list, access));
      Id group(H5Gcreate2(file, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
      for (int i = 1; i <= 3; ++i) {
        make(group, "odd" + std::to_string(i), 2 * static_cast<hsize_t>(i) + 1);
        put(group, "odd" + std::to_string(i), i, 2 * static_cast<hsize_t>(i) + 1);
      }
      // Some have what they have made, the others read it anew.
      const bool keeps = ((keepers >> (par::rank() % 2)) & 1) != 0;
      if (!keeps) CHECK(group.close() >= 0);
      CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
      if (!keeps) group = Id(H5Gopen2(file, "group", H5P_DEFAULT));
      for (const char* const more : {"more", "yet more"}) {
        CHECK(Id(H5Gcreate2(group, more, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)).valid());
        if (is_first()) put(group, "odd2", 70, 5);
        CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
        CHECK(has(group, "odd1", 1, 3) && has(group, "odd2", 70, 5) && has(group, "odd3", 3, 7));
      }
      CHECK(group.close() >= 0 && file.close() >= 0);
    }
    const Id file(H5Fopen(name.c_str(), H5F_ACC_RDONLY, access));
    const Id group(H5Gopen2(file, "group", H5P_DEFAULT));
    CHECK(has(group, "odd1", 1, 3) && has(group, "odd2", 70, 5) && has(group, "odd3", 3, 7));
  }
}

CASE(many_values_of_one_object_are_told) {
  const std::string name = par::file_name("many");
  constexpr int kMany = 3000;
  const Id access(par::mpio_access(MPI_COMM_WORLD, H5F_LIBVER_V18));
  Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
  for (int i = 0; i < kMany; ++i) make(file, "a" + std::to_string(i), 1);
  if (is_last())
    for (int i = 0; i < kMany; ++i) put(file, "a" + std::to_string(i), i + 1, 1);
  CHECK(file.close() >= 0);
  file = open_file(name, H5F_ACC_RDONLY);
  for (int i = 0; i < kMany; i += 7) CHECK(has(file, "a" + std::to_string(i), i + 1, 1));
}

namespace {

const std::string kLongName = "attribute with a name for which memory is needed ";

/// A group whose attributes are in a heap, in the file. Collective.
Id open_with_heap(const std::string& name) {
  const Id access(par::mpio_access(MPI_COMM_WORLD, H5F_LIBVER_V18));
  Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
  const Id group(H5Gcreate2(file, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  for (int i = 0; i < 12; ++i) make(group, kLongName + std::to_string(i));
  make(file, "a");
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  return file;
}

/// The last rank writes, and where memory lacks in the flush that follows nothing of it is lost. False where none did.
bool flush_without_memory(std::uint64_t at, int culprit) {
  const std::string name = par::file_name("told_again") + std::to_string(at);
  Id file = open_with_heap(name);
  if (is_last()) {
    const Id group(H5Gopen2(file, "group", H5P_DEFAULT));
    for (int i = 0; i < 3; ++i) put(group, kLongName + std::to_string(i), 10 * i + 1);
  }
  const par::Silence silence;
  if (par::rank() == culprit) inject::arm(inject::Fault::kNoBlock, at, name);
  const bool flushed = H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0;
  const bool struck = par::any(inject::disarm());
  CHECK(par::all(flushed) || !par::any(flushed));
  const bool closed = file.close() >= 0;
  CHECK(par::all(closed) || !par::any(closed));
  // Where ranks lost step the file is what the last commit left.
  if (!closed) return struck;
  file = open_file(name, H5F_ACC_RDONLY);
  const Id group(H5Gopen2(file, "group", H5P_DEFAULT));
  for (int i = 0; i < 3; ++i) CHECK(has(group, kLongName + std::to_string(i), 10 * i + 1));
  return struck;
}

/// The last rank lacks memory to write. False where it did not.
bool write_without_memory(std::uint64_t at) {
  const std::string name = par::file_name("not_written") + std::to_string(at);
  Id file = open_with_heap(name);
  {
    const Id group(H5Gopen2(file, "group", H5P_DEFAULT));
    const Id attribute(H5Aopen(group, (kLongName + "1").c_str(), H5P_DEFAULT));
    const int values[3] = {7, 8, 9};
    const par::Silence silence;
    if (is_last()) inject::arm(inject::Fault::kNoBlock, at, name);
    const bool written = is_last() && H5Awrite(attribute, H5T_NATIVE_INT, values) >= 0;
    const bool struck = inject::disarm();
    CHECK(struck || written == is_last());
    if (!par::any(struck)) return false;
  }
  // Others have written, so that there is something to agree on.
  if (is_first()) put(file, "a", 5);
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  {
    const Id group(H5Gopen2(file, "group", H5P_DEFAULT));
    CHECK(H5Adelete(group, (kLongName + "2").c_str()) >= 0);
  }
  CHECK(file.close() >= 0);
  file = open_file(name, H5F_ACC_RDONLY);
  CHECK(has(file, "a", 5));
  return true;
}

}  // namespace

CASE(nothing_is_lost_where_memory_lacks_in_a_flush) {
  for (const int culprit : {0, par::size() - 1})
    for (std::uint64_t at = 0; at < 20 && flush_without_memory(at, culprit); ++at) {
    }
}

CASE(a_write_without_memory_is_its_rank_s_own) {
  for (std::uint64_t at = 0; at < 40 && write_without_memory(at); ++at) {
  }
}

namespace {

/// One attribute as all ranks know it: values follow from who wrote when.
struct Known {
  struct Written {
    int value = 0, times = 0;
  };
  hsize_t count = 0;
  int in_file = 0;                 ///< the first element; 0: none was ever written
  std::map<int, Written> written;  ///< by rank, since the last commit
};
using Attributes = std::map<std::string, Known>;

enum class Writers : int { kNone, kFirst, kOne, kAllButOne, kAllAlike, kAll };
constexpr const char* kWriters[] = {"none", "first", "one", "all_but_one", "all_alike", "all"};
constexpr unsigned kMostInHeader = 3;
constexpr const char* kObjects[] = {"/", "/group", "/set"};

struct Play {
  std::mt19937 random;
  campaign::Histogram* bins;
  std::string name;
  bool dense = false;
  bool shares = false;
  Id file;
  std::map<std::string, Attributes> objects;
  int step = 0;
  bool good = true;

  int pick(int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); }
};

Id open_played(Play& play, bool create) {
  // Whoever opens it need not want the format in which it was made.
  const bool late = create ? play.dense : play.pick(2) == 0;
  const Id access(par::mpio_access(MPI_COMM_WORLD, late ? H5F_LIBVER_V18 : H5F_LIBVER_EARLIEST));
  if (!create) return Id(H5Fopen(play.name.c_str(), H5F_ACC_RDWR, access));
  const Id list(H5Pcreate(H5P_FILE_CREATE));
  if (play.shares) {
    CHECK(H5Pset_shared_mesg_nindexes(list, 1) >= 0);
    CHECK(H5Pset_shared_mesg_index(list, 0, H5O_SHMESG_ATTR_FLAG, 20) >= 0);
  }
  return Id(H5Fcreate(play.name.c_str(), H5F_ACC_TRUNC, list, access));
}

void begin(Play& play) {
  play.file = open_played(play, true);
  CHECK(play.file.valid());
  const Id space = space_of(4);
  const Id groups(H5Pcreate(H5P_GROUP_CREATE)), sets(H5Pcreate(H5P_DATASET_CREATE));
  CHECK(H5Pset_attr_phase_change(groups, kMostInHeader, 2) >= 0);
  CHECK(H5Pset_attr_phase_change(sets, kMostInHeader, 2) >= 0);
  const Id group(H5Gcreate2(play.file, "group", H5P_DEFAULT, groups, H5P_DEFAULT));
  const Id set(H5Dcreate2(play.file, "set", H5T_STD_I32LE, space, H5P_DEFAULT, sets, H5P_DEFAULT));
  CHECK(group.valid() && set.valid());
  for (const char* const object : kObjects) play.objects[object];
}

bool writes(Writers writers, int who, int rank) {
  switch (writers) {
    case Writers::kNone: return false;
    case Writers::kFirst: return rank == 0;
    case Writers::kOne: return rank == who;
    case Writers::kAllButOne: return rank != who;
    default: return true;
  }
}

void write_some(Play& play, const std::string& object, const std::string& name, Known& known) {
  // A value that several objects share is replaced by all ranks.
  const auto writers = play.shares ? Writers::kAll : static_cast<Writers>(play.pick(6));
  const int who = play.pick(par::size()), times = play.shares ? 1 : 1 + play.pick(2);
  play.bins->count("writers", kWriters[static_cast<int>(writers)]);
  ++play.step;
  for (int rank = 0; rank < par::size(); ++rank) {
    if (!writes(writers, who, rank)) continue;
    const int first = 10000 * play.step + (writers == Writers::kAllAlike ? 0 : rank);
    known.written[rank].value = first;
    known.written[rank].times += rank == who ? times : 1;
    if (rank != par::rank()) continue;
    const Id there(H5Oopen(play.file, object.c_str(), H5P_DEFAULT));
    for (int i = 0; i < (rank == who ? times : 1); ++i) put(there, name, first, known.count);
  }
}

void create_one(Play& play, const std::string& object, Attributes& all) {
  constexpr hsize_t kCounts[] = {1, 12, 3000};
  const std::string name = "a" + std::to_string(play.pick(20));
  if (all.contains(name)) return write_some(play, object, name, all[name]);
  const hsize_t count = kCounts[play.pick(3)];
  play.bins->count("bytes", count == 1 ? "few" : count == 12 ? "some" : "many");
  const Id there(H5Oopen(play.file, object.c_str(), H5P_DEFAULT));
  make(there, name, count);
  all[name].count = count;
  if (play.pick(2) == 0) write_some(play, object, name, all[name]);
}

void change_one(Play& play, const std::string& object, Attributes& all) {
  auto at = all.begin();
  std::advance(at, play.pick(static_cast<int>(all.size())));
  const std::string name = at->first, other = "a" + std::to_string(play.pick(20));
  const Id there(H5Oopen(play.file, object.c_str(), H5P_DEFAULT));
  if (play.pick(2) == 0) {
    play.bins->count("call", "delete");
    CHECK(H5Adelete(there, name.c_str()) >= 0);
    all.erase(at);
  } else if (!all.contains(other)) {
    play.bins->count("call", "rename");
    CHECK(H5Arename(there, name.c_str(), other.c_str()) >= 0);
    auto moved = all.extract(at);
    moved.key() = other;
    all.insert(std::move(moved));
  }
}

/// What a commit makes of it: the value counts of the lowest rank that has written it more than once, or of the lowest.
void commit(Play& play) {
  for (auto& [object, all] : play.objects)
    for (auto& [name, known] : all) {
      auto counts = std::find_if(known.written.begin(), known.written.end(),
                                 [](const auto& one) { return one.second.times > 1; });
      if (counts == known.written.end()) counts = known.written.begin();
      if (counts != known.written.end()) known.in_file = counts->second.value;
      known.written.clear();
    }
}

void check_all(Play& play) {
  for (const auto& [object, all] : play.objects) {
    const Id there(H5Oopen(play.file, object.c_str(), H5P_DEFAULT));
    CHECK(H5Aget_num_attrs(there) == static_cast<int>(all.size()));
    const bool in_heap = play.dense && object != "/" && all.size() > kMostInHeader;
    play.bins->count("place", in_heap ? "heap" : "header");
    for (const auto& [name, known] : all) {
      if (known.in_file != 0) {
        play.good = play.good && has(there, name, known.in_file, known.count);
        continue;
      }
      std::vector<int> values(known.count, -1);
      const Id attribute(H5Aopen(there, name.c_str(), H5P_DEFAULT));
      CHECK(H5Aread(attribute, H5T_NATIVE_INT, values.data()) >= 0);
      play.good = play.good && values == std::vector<int>(known.count, 0);
    }
  }
}

void end_epoch(Play& play) {
  const int way = play.pick(3);
  if (way == 0) {
    play.bins->count("commit", "flush");
    CHECK(H5Fflush(play.file, H5F_SCOPE_GLOBAL) >= 0);
    return commit(play);
  }
  play.bins->count("commit", "close");
  CHECK(play.file.close() >= 0);
  commit(play);
  play.file = open_played(play, false);
  CHECK(play.file.valid());
  check_all(play);
}

bool play_case(unsigned seed, int number, campaign::Histogram* bins) {
  Play play;
  play.random.seed(seed + static_cast<unsigned>(number));
  play.bins = bins;
  play.name = par::file_name("values");
  play.dense = play.pick(2) == 0;
  play.shares = play.pick(4) == 0;
  bins->count("shared", play.shares ? "yes" : "no");
  begin(play);
  for (int i = 0; i < 60; ++i) {
    const std::string object = kObjects[play.pick(3)];
    Attributes& all = play.objects[object];
    const int what = play.pick(10);
    if (what < 4 || all.empty()) {
      create_one(play, object, all);
    } else if (what < 7) {
      auto at = all.begin();
      std::advance(at, play.pick(static_cast<int>(all.size())));
      write_some(play, object, at->first, at->second);
    } else if (what < 9) {
      change_one(play, object, all);
    } else {
      end_epoch(play);
    }
  }
  CHECK(play.file.close() >= 0);
  commit(play);
  play.file = open_played(play, false);
  check_all(play);
  CHECK(play.file.close() >= 0);
  return par::all(play.good);
}

int number_of(const char* variable, int otherwise) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? otherwise : std::atoi(text);
}

}  // namespace

CASE(random_writers) {
  const auto seed = static_cast<unsigned>(number_of("PCIO_ATTRIBUTE_SEED", 1));
  const int cases = number_of("PCIO_ATTRIBUTE_CASES", 12);
  campaign::Histogram bins;
  bins.add_group("writers", {std::begin(kWriters), std::end(kWriters)});
  bins.add_group("bytes", {"few", "some", "many"});
  bins.add_group("call", {"delete", "rename"});
  bins.add_group("commit", {"flush", "close"});
  bins.add_group("place", {"header", "heap"});
  bins.add_group("shared", {"no", "yes"});
  int failures = 0;
  for (int i = 0; i < cases; ++i) {
    const bool good = play_case(seed, i, &bins);
    failures += good ? 0 : 1;
    if (!good && is_first())
      std::printf("t_attribute_values: case %d of seed %u failed\n", i, seed);
  }
  if (is_first())
    std::printf("t_attribute_values: seed %u, %d ranks, %d cases; %s; %d failures, empty: %s\n",
                seed, par::size(), cases, bins.text().c_str(), failures, bins.empty_bins().c_str());
  CHECK(failures == 0 && bins.empty_bins().empty());
}
