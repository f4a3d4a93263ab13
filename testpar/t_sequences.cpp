// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Variable-length data of several ranks: what it costs in the file, that room is used again, and what
// happens where one rank is wrong. Room: testpar, public headers only.

#include <pcio.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "testpar/support.hpp"

using par::Id;

namespace {

constexpr hsize_t kPerRank = 10;

/// A dataset of strings, some for each rank.
struct Strings {
  Id file, type, dataset;
  mutable std::string error;  ///< of the last call that failed

  explicit Strings(const std::string& name, hsize_t chunk = 0) {
    const Id access(par::mpio_access());
    file = Id(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
    type = Id(H5Tcopy(H5T_C_S1));
    H5Tset_size(type, H5T_VARIABLE);
    make(chunk);
  }

  void make(hsize_t chunk) {
    const hsize_t n = kPerRank * static_cast<hsize_t>(par::size());
    const Id space(H5Screate_simple(1, &n, nullptr)), list(H5Pcreate(H5P_DATASET_CREATE));
    if (chunk > 0) H5Pset_chunk(list, 1, &chunk);
    dataset = Id(H5Dcreate2(file, "s", type, space, H5P_DEFAULT, list, H5P_DEFAULT));
    CHECK(dataset.valid());
  }

  /// This rank's first elements.
  herr_t write(const std::vector<std::string>& values,
               H5FD_mpio_xfer_t mode = H5FD_MPIO_COLLECTIVE) const {
    std::vector<const char*> texts;
    for (const std::string& value : values) texts.push_back(value.c_str());
    return move(texts.data(), values.size(), mode, true);
  }
  herr_t move(void* buffer, hsize_t count, H5FD_mpio_xfer_t mode, bool writes) const {
    const Id space(H5Dget_space(dataset));
    const hsize_t start = kPerRank * static_cast<hsize_t>(par::rank());
    const hsize_t length = count > 0 ? count : 1;
    const Id memory(H5Screate_simple(1, &length, nullptr)), list(par::transfer_list(mode));
    if (count > 0) {
      H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &count, nullptr);
    } else {
      H5Sselect_none(space);
      H5Sselect_none(memory);
    }
    const herr_t done = writes ? H5Dwrite(dataset, type, memory, space, list, buffer)
                               : H5Dread(dataset, type, memory, space, list, buffer);
    // Before what is closed here clears it.
    if (done < 0) error = par::error_text();
    return done;
  }
  herr_t move(const char** buffer, hsize_t count, H5FD_mpio_xfer_t mode, bool writes) const {
    return move(static_cast<void*>(buffer), count, mode, writes);
  }
  [[nodiscard]] bool holds(const std::vector<std::string>& values) const {
    std::vector<char*> texts(values.size() + 1);
    if (move(texts.data(), values.size(), H5FD_MPIO_COLLECTIVE, false) < 0) return false;
    bool same = true;
    for (std::size_t i = 0; i < values.size(); ++i) {
      same = same && texts[i] != nullptr && values[i] == texts[i];
      std::free(texts[i]);
    }
    return same;
  }
  [[nodiscard]] hsize_t bytes() const {
    hsize_t size = 0;
    CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0 && H5Fget_filesize(file, &size) >= 0);
    return size;
  }
};

std::vector<std::string> values_of(int version, std::size_t length) {
  std::vector<std::string> values;
  for (hsize_t i = 0; i < kPerRank; ++i)
    values.push_back("r" + std::to_string(par::rank()) + "e" + std::to_string(i) + "v" +
                     std::to_string(version) + std::string(length, 'x'));
  return values;
}

}  // namespace

CASE(few_bytes_of_each_rank_share_a_collection) {
  const Strings strings(par::file_name("few"));
  constexpr int kCalls = 10;
  for (int version = 0; version < kCalls; ++version) {
    const auto values = values_of(version, 20);
    CHECK(strings.write(values) >= 0);
    CHECK(strings.holds(values));
  }
  const hsize_t objects = 64 * kPerRank * static_cast<hsize_t>(par::size());
  CHECK(strings.bytes() < kCalls * (4096 + 64 + objects) + 8192);
}

CASE(room_of_rewritten_elements_is_used_again) {
  for (const std::size_t length : {30, 9000}) {
    const Strings strings(par::file_name("again"), length == 30 ? 3 : 0);
    hsize_t size = 0;
    for (int version = 1; version <= 12; ++version) {
      const auto values = values_of(version, length);
      CHECK(strings.write(values) >= 0);
      CHECK(strings.holds(values));
      const hsize_t now = strings.bytes();
      if (version == 4) size = now;
      CHECK(version < 4 || now <= size + size / 4);
    }
  }
}

CASE(independent_writes_say_what_to_do) {
  const Strings strings(par::file_name("independent"));
  const par::Silence silence;
  const herr_t done = strings.write(values_of(1, 5), H5FD_MPIO_INDEPENDENT);
  CHECK(par::size() == 1 ? done >= 0 : done < 0);
  CHECK(par::size() == 1 || strings.error.find("H5FD_MPIO_COLLECTIVE") != std::string::npos);
}

CASE(what_one_rank_does_wrong_fails_on_all_and_changes_nothing) {
  const Strings strings(par::file_name("wrong"), 4);
  const auto values = values_of(1, 25);
  CHECK(strings.write(values) >= 0);
  const int bad = par::size() - 1;
  {
    const par::Silence silence;
    const auto others = values_of(2, 25);
    const bool mine = par::rank() == bad;
    const herr_t done =
        mine ? strings.move(static_cast<void*>(nullptr), kPerRank, H5FD_MPIO_COLLECTIVE, true)
             : strings.write(others);
    CHECK(done < 0);
    std::vector<char*> texts(kPerRank);
    void* const buffer = mine ? nullptr : static_cast<void*>(texts.data());
    CHECK(strings.move(buffer, kPerRank, H5FD_MPIO_COLLECTIVE, false) < 0);
    for (char* text : texts) CHECK(text == nullptr);
  }
  CHECK(strings.holds(values));
  const auto next = values_of(3, 100);
  CHECK(strings.write(next) >= 0);
  CHECK(strings.holds(next));
}

CASE(ranks_without_data_take_part) {
  const Strings strings(par::file_name("none"));
  const bool takes_part = par::rank() % 2 == 0;
  const auto values = takes_part ? values_of(1, 40) : std::vector<std::string>();
  CHECK(strings.write(values) >= 0);
  CHECK(strings.holds(values));
  CHECK(strings.write({}) >= 0);
  CHECK(strings.holds(values));
}

CASE(attributes_have_the_values_of_rank_0) {
  const std::string name = par::file_name("attributes");
  const Id access(par::mpio_access()), type(H5Tcopy(H5T_C_S1));
  H5Tset_size(type, H5T_VARIABLE);
  constexpr hsize_t kValues = 5;
  const Id space(H5Screate_simple(1, &kValues, nullptr));
  hsize_t size = 0;
  Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
  for (int version = 0; version < 12; ++version) {
    const std::string which = "a" + std::to_string(version % 3);
    {
      const Id attribute(
          version < 3 ? H5Acreate2(file, which.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT)
                      : H5Aopen(file, which.c_str(), H5P_DEFAULT));
      // Of other lengths on other ranks.
      std::vector<std::string> values;
      for (hsize_t i = 0; i < kValues; ++i)
        values.push_back(
            std::to_string(version) + "of" + std::to_string(par::rank()) +
            std::string(static_cast<std::size_t>(500 * version + 7 * par::rank()), 'y'));
      std::vector<const char*> texts;
      for (const std::string& value : values) texts.push_back(value.c_str());
      CHECK(H5Awrite(attribute, type, texts.data()) >= 0);
      std::vector<char*> found(kValues);
      CHECK(H5Aread(attribute, type, found.data()) >= 0);
      for (char* text : found) {
        CHECK(text != nullptr &&
              text == std::to_string(version) + "of0" +
                          std::string(static_cast<std::size_t>(500 * version), 'y'));
        std::free(text);
      }
    }
    if (version % 2 == 1) CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
    if (version % 5 == 4) {
      CHECK(file.close() >= 0);
      file = Id(H5Fopen(name.c_str(), H5F_ACC_RDWR, access));
    }
  }
  // Room of deleted ones is used again.
  const std::string text(20000, 'z');
  const std::vector<const char*> texts(kValues, text.c_str());
  for (int round = 0; round < 10; ++round) {
    {
      const Id attribute(H5Acreate2(file, "b", type, space, H5P_DEFAULT, H5P_DEFAULT));
      CHECK(H5Awrite(attribute, type, texts.data()) >= 0);
    }
    CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
    CHECK(H5Adelete(file, "b") >= 0);
    CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
    hsize_t now = 0;
    CHECK(H5Fget_filesize(file, &now) >= 0);
    if (round == 2) size = now;
    CHECK(round < 2 || now <= size + size / 4);
  }
}

CASE(deleted_datasets_leave_their_room) {
  const std::string name = par::file_name("deleted");
  hsize_t size = 0;
  Strings strings(name, 4);
  for (int version = 0; version < 8; ++version) {
    if (version > 0) {
      CHECK(strings.dataset.close() >= 0);
      CHECK(H5Ldelete(strings.file, "s", H5P_DEFAULT) >= 0);
      CHECK(H5Fflush(strings.file, H5F_SCOPE_GLOBAL) >= 0);
      strings.make(4);
    }
    const auto values = values_of(version, 5000);
    CHECK(strings.write(values) >= 0);
    CHECK(strings.holds(values));
    const hsize_t now = strings.bytes();
    if (version == 2) size = now;
    CHECK(version < 2 || now <= size + size / 4);
  }
}

// Those of a group that is deleted are found when the group is released.
CASE(a_deleted_group_leaves_the_room_of_what_is_below) {
  const std::string name = par::file_name("group");
  const std::string text(20000, 'z');
  const Id type(H5Tcopy(H5T_C_S1)), access(par::mpio_access(MPI_COMM_WORLD, H5F_LIBVER_LATEST));
  H5Tset_size(type, H5T_VARIABLE);
  // So many attributes that they are in dense storage, and few.
  for (const int attributes : {20, 4}) {
    Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
    {
      const Id group(H5Gcreate2(file, "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)),
          below(H5Gcreate2(group, "below", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)),
          one(H5Screate(H5S_SCALAR));
      for (int i = 0; i < attributes; ++i) {
        const Id attribute(H5Acreate2(below, ("a" + std::to_string(i)).c_str(), type, one,
                                      H5P_DEFAULT, H5P_DEFAULT));
        const char* const value = text.c_str();
        CHECK(H5Awrite(attribute, type, &value) >= 0);
      }
    }
    CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
    CHECK(H5Ldelete(file, "g", H5P_DEFAULT) >= 0);
    CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
    CHECK(H5Fget_freespace(file) >= static_cast<hssize_t>(text.size()) * attributes);
    CHECK(file.close() >= 0);
  }
}

namespace {

/// Two datasets of strings and one of numbers in one call; this rank's part of all.
herr_t move_three(hid_t const* sets, hid_t text, bool writes, void* const* buffers,
                  H5FD_mpio_xfer_t mode = H5FD_MPIO_COLLECTIVE) {
  const hsize_t start = kPerRank * static_cast<hsize_t>(par::rank()), count = kPerRank;
  const Id space(H5Dget_space(sets[0])), memory(H5Screate_simple(1, &count, nullptr)),
      list(par::transfer_list(mode));
  H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &count, nullptr);
  hid_t datasets[] = {sets[0], sets[1], sets[2]}, types[] = {text, H5T_NATIVE_INT, text},
        memories[] = {memory, memory, memory}, files[] = {space, space, space};
  if (!writes)
    return H5Dread_multi(3, datasets, types, memories, files, list, const_cast<void**>(buffers));
  return H5Dwrite_multi(3, datasets, types, memories, files, list,
                        const_cast<const void**>(const_cast<void**>(buffers)));
}

}  // namespace

CASE(several_datasets_with_strings_among_them_move_in_one_call) {
  const Strings strings(par::file_name("multi"), 4);
  const hsize_t n = kPerRank * static_cast<hsize_t>(par::size());
  const Id space(H5Screate_simple(1, &n, nullptr)),
      numbers(H5Dcreate2(strings.file, "n", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT,
                         H5P_DEFAULT)),
      more(H5Dcreate2(strings.file, "m", strings.type, space, H5P_DEFAULT, H5P_DEFAULT,
                      H5P_DEFAULT));
  const hid_t sets[] = {strings.dataset, numbers, more};
  const auto first = values_of(1, 10), second = values_of(2, 300);
  std::vector<const char*> texts[2];
  for (const std::string& value : first) texts[0].push_back(value.c_str());
  for (const std::string& value : second) texts[1].push_back(value.c_str());
  std::vector<int> values(kPerRank, 7 + par::rank());
  void* out[] = {texts[0].data(), values.data(), texts[1].data()};
  {
    // What one rank lacks in the last part fails on all, and nothing has moved.
    const par::Silence silence;
    void* bad[] = {out[0], out[1], par::rank() == par::size() - 1 ? nullptr : out[2]};
    CHECK(move_three(sets, strings.type, true, bad) < 0);
    CHECK(par::size() == 1 || move_three(sets, strings.type, true, out, H5FD_MPIO_INDEPENDENT) < 0);
    std::vector<int> none(kPerRank, -1);
    const Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
    std::vector<int> all(n, -1);
    CHECK(H5Dread(numbers, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, list, all.data()) >= 0);
    CHECK(all == std::vector<int>(n, 0));
  }
  CHECK(move_three(sets, strings.type, true, out) >= 0);
  std::vector<char*> found[2] = {std::vector<char*>(kPerRank), std::vector<char*>(kPerRank)};
  std::vector<int> read(kPerRank);
  void* in[] = {found[0].data(), read.data(), found[1].data()};
  CHECK(move_three(sets, strings.type, false, in) >= 0);
  CHECK(read == values);
  for (hsize_t i = 0; i < kPerRank; ++i) {
    CHECK(found[0][i] != nullptr && first[i] == found[0][i]);
    CHECK(found[1][i] != nullptr && second[i] == found[1][i]);
    std::free(found[0][i]);
    std::free(found[1][i]);
  }
}

// ---- fill values ---------------------------------------------------------------------------------
