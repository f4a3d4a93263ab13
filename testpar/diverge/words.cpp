// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Words, out of line. Room: testpar, public headers only.

#include "diverge/words.hpp"

#include <algorithm>

namespace diverge {

namespace {

/// Most are short; some need a collection of their own.
std::string word_of(std::uint64_t number, hsize_t element) {
  const std::uint64_t mixed = (number * 31 + element) * 2654435761U;
  const std::uint64_t kind = mixed % 40;
  const std::size_t length = kind == 0 ? 40000 : kind < 4 ? 2000 + mixed % 900 : mixed % 70;
  return std::to_string(number) + "e" + std::to_string(element) + std::string(length, 'w');
}

std::vector<const char*> pointers_to(const std::vector<std::string>& words) {
  std::vector<const char*> pointers;
  for (const std::string& word : words) pointers.push_back(word.c_str());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

Words::Words(int rank, int ranks) : rank_(rank), ranks_(ranks), type_(H5Tcopy(H5T_C_S1)) {
  H5Tset_size(type_, H5T_VARIABLE);
}

Words::~Words() {
  leave();
  H5Tclose(type_);
}

Words::Set* Words::any(std::uint64_t number) {
  return sets_.empty() ? nullptr : &sets_[number % sets_.size()];
}

hid_t Words::get(hid_t file, Set& set) const {
  if (set.id < 0) set.id = H5Dopen2(file, set.path.c_str(), H5P_DEFAULT);
  return set.id;
}

bool Words::make(hid_t file, const std::string& path, std::uint64_t number) {
  Set made;
  made.path = path;
  made.size = 1 + number % 50;
  const hid_t create = H5Pcreate(H5P_DATASET_CREATE),
              space = H5Screate_simple(1, &made.size, nullptr);
  const hsize_t chunk = std::min<hsize_t>(made.size, 1 + number % 7);
  H5Pset_obj_track_times(create, 0);
  if (number % 3 != 0) H5Pset_chunk(create, 1, &chunk);
  if (number % 3 == 2) H5Pset_deflate(create, 1);
  made.id = H5Dcreate2(file, path.c_str(), type_, space, H5P_DEFAULT, create, H5P_DEFAULT);
  H5Sclose(space);
  H5Pclose(create);
  if (made.id < 0) return false;
  sets_.push_back(made);
  return true;
}

bool Words::write(hid_t file, hid_t list, std::uint64_t number) {
  Set* const set = any(number);
  if (set == nullptr) return true;
  const hsize_t all = 1 + number / 7 % set->size, ranks = static_cast<hsize_t>(ranks_),
                rank = static_cast<hsize_t>(rank_);
  const hsize_t first = all * rank / ranks, n = all * (rank + 1) / ranks - first;
  std::vector<std::string> words;
  for (hsize_t i = first; i < first + n; ++i) words.push_back(word_of(number, i));
  const std::vector<const char*> pointers = pointers_to(words);
  const hsize_t least = std::max<hsize_t>(n, 1);
  const hid_t space = H5Dget_space(get(file, *set)), memory = H5Screate_simple(1, &least, nullptr);
  if (n > 0)
    H5Sselect_hyperslab(space, H5S_SELECT_SET, &first, nullptr, &n, nullptr);
  else
    H5Sselect_none(space), H5Sselect_none(memory);
  const bool good = H5Dwrite(set->id, type_, memory, space, list, pointers.data()) >= 0;
  if (good) {
    H5Sclose(space);
    H5Sclose(memory);
  }
  return good;
}

bool Words::note(hid_t file, std::uint64_t number) {
  Set* const set = any(number);
  if (set == nullptr) return true;
  const hid_t id = get(file, *set);
  const hsize_t n = 3;
  hid_t attribute = -1;
  if (H5Aexists(id, "note") > 0) {
    attribute = H5Aopen(id, "note", H5P_DEFAULT);
  } else {
    const hid_t space = H5Screate_simple(1, &n, nullptr);
    attribute = H5Acreate2(id, "note", type_, space, H5P_DEFAULT, H5P_DEFAULT);
    H5Sclose(space);
  }
  std::vector<std::string> words;
  for (hsize_t i = 0; i < n; ++i) words.push_back(word_of(number + 1, i));
  const std::vector<const char*> pointers = pointers_to(words);
  const bool good = H5Awrite(attribute, type_, pointers.data()) >= 0;
  if (good) H5Aclose(attribute);
  return good;
}

bool Words::remove(hid_t file, std::uint64_t number) {
  Set* const set = any(number);
  if (set == nullptr) return true;
  if (set->id >= 0) H5Dclose(set->id);
  const bool good = H5Ldelete(file, set->path.c_str(), H5P_DEFAULT) >= 0;
  sets_.erase(sets_.begin() + (set - sets_.data()));
  return good;
}

void Words::read(hid_t file, Set& set) const {
  std::vector<char*> words(static_cast<std::size_t>(set.size));
  const hid_t id = get(file, set), space = H5Dget_space(id);
  if (H5Dread(id, type_, H5S_ALL, H5S_ALL, H5P_DEFAULT, words.data()) >= 0)
    H5Dvlen_reclaim(type_, space, H5P_DEFAULT, words.data());
  H5Sclose(space);
}

void Words::settle(hid_t file, std::uint64_t number) {
  Set* const set = any(number / 8);
  if (set == nullptr) return;
  if (number % 8 == 0 && set->id >= 0) {
    H5Dclose(set->id);
    set->id = -1;
  }
  if (number % 8 == 1) get(file, *set);
  if (number % 8 == 2) read(file, *set);
}

void Words::keep_open(hid_t file) {
  for (Set& set : sets_) get(file, set);
}

void Words::leave() {
  for (Set& set : sets_) {
    if (set.id >= 0) H5Dclose(set.id);
    set.id = -1;
  }
}

}  // namespace diverge
