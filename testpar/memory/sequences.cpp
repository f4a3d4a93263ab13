// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// The calls in which ranks communicate about variable-length values: those of a dataset and of an
// attribute, their commits, and what is deleted of them. Room: testpar, public headers only.

#include <cstdio>
#include <cstdlib>

#include "scenes.hpp"

namespace memory {

namespace {

constexpr hsize_t kEach = 6;
constexpr hsize_t kValues = 3;

std::string word_of(const char* what, int rank, hsize_t element, int generation) {
  const std::string word = what + std::to_string(generation) + "r" + std::to_string(rank) + "e" +
                           std::to_string(element) + ":";
  return word + std::string(20 + 150 * element, 'x');
}

void set_words(Stage& s, int generation) {
  s.words.clear();
  s.pointers.clear();
  for (hsize_t i = 0; i < kEach; ++i) s.words.push_back(word_of("s", par::rank(), i, generation));
  // Rank 0's reach the file.
  for (hsize_t i = 0; i < kValues; ++i) s.words.push_back(word_of("a", 0, i, generation));
  for (const std::string& word : s.words) s.pointers.push_back(word.c_str());
}

bool act_write_words(Stage& s) {
  return H5Dwrite(s.strings, s.text, s.few, s.few_of_all, s.alone, s.pointers.data()) >= 0;
}
bool act_write_note(Stage& s) { return H5Awrite(s.note, s.text, s.pointers.data() + kEach) >= 0; }
bool act_read_words(Stage& s) {
  s.found.assign(kEach, nullptr);
  const bool read = H5Dread(s.strings, s.text, s.few, s.few_of_all, s.alone, s.found.data()) >= 0;
  for (char* word : s.found) std::free(word);
  return read;
}
bool act_flush(Stage& s) { return H5Fflush(s.file, H5F_SCOPE_GLOBAL) >= 0; }

Id make_words(const Stage& s, const char* name) {
  const hsize_t n = kEach * static_cast<hsize_t>(par::size());
  const Id space(H5Screate_simple(1, &n, nullptr));
  return Id(H5Dcreate2(s.file, name, s.text, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
}

/// A dataset and an attribute without values, in the file.
void with_new(Stage& s) {
  s.text = Id(H5Tcopy(H5T_C_S1));
  H5Tset_size(s.text, H5T_VARIABLE);
  s.strings = make_words(s, "words");
  const hsize_t start = kEach * static_cast<hsize_t>(par::rank()), each = kEach, values = kValues;
  s.few = Id(H5Screate_simple(1, &each, nullptr));
  s.few_of_all = Id(H5Dget_space(s.strings));
  H5Sselect_hyperslab(s.few_of_all, H5S_SELECT_SET, &start, nullptr, &each, nullptr);
  const Id row(H5Screate_simple(1, &values, nullptr));
  s.note = Id(H5Acreate2(s.file, "note", s.text, row, H5P_DEFAULT, H5P_DEFAULT));
  CHECK(s.strings.valid() && s.note.valid());
  set_words(s, 1);
  CHECK(act_flush(s));
  s.found.reserve(kEach);
}

/// Both have their first values.
void with_old(Stage& s) {
  with_new(s);
  CHECK(act_write_words(s) && act_write_note(s) && act_flush(s));
  set_words(s, 2);
}

/// Both have been overwritten, so that the flush frees what they had.
void with_changed(Stage& s) {
  with_old(s);
  CHECK(act_write_words(s) && act_write_note(s));
}

/// A group that is deleted has a dataset below it that nobody else has.
void with_deleted(Stage& s) {
  with_old(s);
  Id group(H5Gcreate2(s.file, "gone", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  {
    Id words = make_words(s, "gone/words");
    std::swap(s.strings, words);
    CHECK(act_write_words(s));
    std::swap(s.strings, words);
  }
  CHECK(group.close() >= 0 && act_flush(s));
  CHECK(H5Ldelete(s.file, "gone", H5P_DEFAULT) >= 0);
}

constexpr auto kAny = PCIO_TRANSPORT_NONE;
constexpr auto kAuto = H5FD_MPIO_CHUNK_DEFAULT;

Scene scene(const char* name, void (*before)(Stage&), bool (*act)(Stage&),
            Positions positions = Positions::kSome) {
  return {name, Layout::kWords, kAny, kAuto, After::kOld, before, act, Again::kMayFail, positions};
}

bool is_known(const char* what, int rank, hsize_t element, const char* word) {
  if (word == nullptr) return true;
  for (const int generation : {1, 2})
    if (word == word_of(what, rank, element, generation)) return true;
  std::printf("%s[%llu] of rank %d is %.40s\n", what, static_cast<unsigned long long>(element),
              rank, word);
  return false;
}

}  // namespace

const std::vector<Scene> kWordScenes = {
    scene("H5Dwrite, first words", with_new, act_write_words),
    scene("H5Dwrite, other words", with_old, act_write_words, Positions::kAll),
    scene("H5Dread of words", with_old, act_read_words),
    scene("H5Awrite, first words", with_new, act_write_note),
    scene("H5Awrite, other words", with_old, act_write_note, Positions::kAll),
    scene("flush of other words", with_changed, act_flush, Positions::kAll),
    scene("flush of deleted words", with_deleted, act_flush)};

bool words_hold(hid_t file, int ranks) {
  const Id set(H5Dopen2(file, "words", H5P_DEFAULT)), note(H5Aopen(file, "note", H5P_DEFAULT)),
      text(H5Tcopy(H5T_C_S1));
  H5Tset_size(text, H5T_VARIABLE);
  std::vector<char*> words(kEach * static_cast<hsize_t>(ranks)), notes(kValues);
  bool good = H5Dread(set, text, H5S_ALL, H5S_ALL, H5P_DEFAULT, words.data()) >= 0 &&
              H5Aread(note, text, notes.data()) >= 0;
  for (std::size_t i = 0; i < words.size(); ++i)
    good = good && is_known("s", static_cast<int>(i / kEach), i % kEach, words[i]);
  for (std::size_t i = 0; i < kValues; ++i) good = good && is_known("a", 0, i, notes[i]);
  for (char* word : words) std::free(word);
  for (char* word : notes) std::free(word);
  return good;
}

}  // namespace memory
