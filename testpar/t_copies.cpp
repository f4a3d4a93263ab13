// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// H5Ocopy of what is elsewhere: in other files, in other datasets, in heaps, in the memory of one rank. Copies of
// whole trees: t_elsewhere. Room: testpar.

#include <string>
#include <vector>

#include "support.hpp"

using par::create_file;
using par::Id;
using par::open_file;

namespace {

constexpr hsize_t kChunk = 6;

hsize_t length() { return kChunk * static_cast<hsize_t>(par::size()); }

int value_at(hsize_t i) { return static_cast<int>(i) * 3 + 1; }

/// One dimension, all elements equal on all ranks.
bool has_values(hid_t at, const char* name) {
  const Id set(H5Dopen2(at, name, H5P_DEFAULT));
  std::vector<int> values(length(), -1);
  bool good = set.valid() &&
              H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0;
  for (hsize_t i = 0; good && i < length(); ++i) good = values[i] == value_at(i);
  return good;
}

Id make_set(hid_t at, const char* name, hid_t list) {
  const hsize_t n = length();
  const Id space(H5Screate_simple(1, &n, nullptr));
  Id set(H5Dcreate2(at, name, H5T_STD_I32LE, space, H5P_DEFAULT, list, H5P_DEFAULT));
  CHECK(set.valid());
  return set;
}

/// Each rank writes its own part.
void write_parts(hid_t set, H5FD_mpio_xfer_t mode) {
  const hsize_t start = kChunk * static_cast<hsize_t>(par::rank()), count = kChunk;
  const Id space(H5Dget_space(set)), how(par::transfer_list(mode));
  const Id memory(H5Screate_simple(1, &count, nullptr));
  CHECK(H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &count, nullptr) >= 0);
  std::vector<int> values;
  for (hsize_t i = start; i < start + count; ++i) values.push_back(value_at(i));
  CHECK(H5Dwrite(set, H5T_NATIVE_INT, memory, space, how, values.data()) >= 0);
}

}  // namespace

CASE(data_in_external_files_and_other_datasets) {
  const std::string name = par::file_name("copies_a"), raw = par::file_name("copies_raw");
  {
    Id file = create_file(name), other = create_file(par::file_name("copies_b"));
    const Id external(H5Pcreate(H5P_DATASET_CREATE)), mapped(H5Pcreate(H5P_DATASET_CREATE));
    CHECK(H5Pset_external(external, raw.c_str(), 0, H5F_UNLIMITED) >= 0);
    const Id set = make_set(file, "external", external);
    write_parts(set, H5FD_MPIO_COLLECTIVE);
    const Id space(H5Dget_space(set));
    CHECK(H5Pset_virtual(mapped, space, ".", "external", space) >= 0);
    make_set(file, "virtual", mapped);
    for (hid_t to : {hid_t(file), hid_t(other)}) {
      CHECK(H5Ocopy(file, "external", to, "copy", H5P_DEFAULT, H5P_DEFAULT) >= 0);
      CHECK(H5Ocopy(file, "virtual", to, "virtual copy", H5P_DEFAULT, H5P_DEFAULT) >= 0);
      CHECK(H5Fflush(to, H5F_SCOPE_GLOBAL) >= 0);
      CHECK(has_values(to, "copy"));
    }
    CHECK(has_values(file, "virtual copy"));
    CHECK(H5Ldelete(file, "external", H5P_DEFAULT) >= 0);
    CHECK(H5Lmove(file, "copy", file, "external", H5P_DEFAULT, H5P_DEFAULT) >= 0);
    CHECK(H5Ldelete(file, "virtual", H5P_DEFAULT) >= 0);
  }
  const Id file = open_file(name, H5F_ACC_RDONLY);
  CHECK(has_values(file, "virtual copy") && has_values(file, "external"));
}

/// What some ranks have open as they made it, and others read anew, is the same.
CASE(types_that_ranks_have_made_or_read) {
  for (const H5F_libver_t low : {H5F_LIBVER_EARLIEST, H5F_LIBVER_V18, H5F_LIBVER_LATEST})
    for (const int keepers : {1, 2, 3}) {
      const Id access(par::mpio_access(MPI_COMM_WORLD, low));
      const Id file(
          H5Fcreate(par::file_name("made_or_read").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
      const hsize_t two = 2;
      const Id compound(H5Tcreate(H5T_COMPOUND, 16)),
          array(H5Tarray_create2(H5T_STD_I16LE, 1, &two));
      CHECK(H5Tinsert(compound, "a", 0, H5T_STD_I32LE) >= 0);
      CHECK(H5Tinsert(compound, "b", 4, array) >= 0 &&
            H5Tinsert(compound, "c", 8, H5T_IEEE_F64LE) >= 0);
      const Id space(H5Screate_simple(1, &two, nullptr)), named(H5Tcopy(compound));
      CHECK(H5Tcommit2(file, "named", named, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT) >= 0);
      std::vector<Id> kept;
      for (const hid_t type : {hid_t(compound), hid_t(array), hid_t(named)}) {
        const std::string name = "set" + std::to_string(kept.size());
        Id set(H5Dcreate2(file, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
        const Id attribute(H5Acreate2(set, "of it", type, space, H5P_DEFAULT, H5P_DEFAULT));
        CHECK(set.valid() && attribute.valid());
        kept.push_back(std::move(set));
      }
      if (((keepers >> (par::rank() % 2)) & 1) == 0) kept.clear();
      for (const char* const name : {"set0", "set1", "set2", "named"})
        CHECK(H5Ocopy(file, name, file, (std::string("copy of ") + name).c_str(), H5P_DEFAULT,
                      H5P_DEFAULT) >= 0);
      CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
      kept.clear();
    }
}

CASE(copies_into_mounted_files) {
  const std::string child = par::file_name("copies_d");
  Id file = create_file(par::file_name("copies_c")), other = create_file(child);
  write_parts(make_set(file, "set", H5P_DEFAULT), H5FD_MPIO_COLLECTIVE);
  const Id group(H5Gcreate2(file, "mnt", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)),
      list(H5Pcreate(H5P_LINK_CREATE));
  CHECK(H5Pset_create_intermediate_group(list, 1) >= 0);
  CHECK(H5Fmount(file, "mnt", other, H5P_DEFAULT) >= 0 && other.close() >= 0);
  CHECK(H5Ocopy(file, "set", file, "mnt/set", H5P_DEFAULT, H5P_DEFAULT) >= 0);
  CHECK(H5Ocopy(file, "set", file, "mnt/new/set", H5P_DEFAULT, list) >= 0);
  CHECK(H5Ocopy(file, "mnt/new", file, "back", H5P_DEFAULT, H5P_DEFAULT) >= 0);
  CHECK(has_values(file, "mnt/new/set") && has_values(file, "back/set"));
  CHECK(H5Funmount(file, "mnt") >= 0);
  const Id again = open_file(child, H5F_ACC_RDONLY);
  CHECK(has_values(again, "set") && has_values(again, "new/set"));
}

/// What ranks wrote independently waits in their memory: it gets to the file before it is copied.
CASE(what_waits_is_written_before) {
  const std::string name = par::file_name("copies_e");
  {
    Id file = create_file(name), other = create_file(par::file_name("copies_f"));
    const Id list(H5Pcreate(H5P_DATASET_CREATE));
    CHECK(H5Pset_chunk(list, 1, &kChunk) >= 0 && H5Pset_deflate(list, 3) >= 0);
    const Id set = make_set(file, "waits", list);
    write_parts(set, H5FD_MPIO_INDEPENDENT);
    CHECK(H5Ocopy(file, "waits", file, "within", H5P_DEFAULT, H5P_DEFAULT) >= 0);
    CHECK(H5Ocopy(file, "waits", other, "between", H5P_DEFAULT, H5P_DEFAULT) >= 0);
    CHECK(has_values(file, "within") && has_values(other, "between"));
    // Cut, and owed a fill.
    const hsize_t few = 2, endless = H5S_UNLIMITED, n = length();
    const Id plain(H5Pcreate(H5P_DATASET_CREATE)), space(H5Screate_simple(1, &n, &endless));
    CHECK(H5Pset_chunk(plain, 1, &kChunk) >= 0);
    const Id cut(H5Dcreate2(file, "cut", H5T_STD_I32LE, space, H5P_DEFAULT, plain, H5P_DEFAULT));
    write_parts(cut, H5FD_MPIO_COLLECTIVE);
    CHECK(H5Dset_extent(cut, &few) >= 0);
    CHECK(H5Ocopy(file, "cut", other, "cut", H5P_DEFAULT, H5P_DEFAULT) >= 0);
    const Id copy(H5Dopen2(other, "cut", H5P_DEFAULT));
    CHECK(H5Dset_extent(copy, &n) >= 0);
    std::vector<int> values(n, -1);
    CHECK(H5Dread(copy, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0);
    CHECK(values[1] == value_at(1) && values[2] == 0 && values[5] == 0);
  }
  const Id file = open_file(name, H5F_ACC_RDONLY);
  CHECK(has_values(file, "within"));
}

/// Each rank has written something else to a compact dataset: the copy has what the file will have, on all ranks.
CASE(compact_data_that_ranks_wrote_alone) {
  Id file = create_file(par::file_name("copies_g"));
  const Id list(H5Pcreate(H5P_DATASET_CREATE));
  CHECK(H5Pset_layout(list, H5D_COMPACT) >= 0);
  const Id set = make_set(file, "set", list);
  std::vector<int> values(length(), par::rank() + 5);
  CHECK(H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0);
  const bool differs = par::size() > 1;
  {
    const par::Silence silence;
    CHECK((H5Ocopy(file, "set", file, "copy", H5P_DEFAULT, H5P_DEFAULT) < 0) == differs);
    if (differs) CHECK(par::error_text().find("different data") != std::string::npos);
  }
  if (differs) CHECK(H5Ocopy(file, "set", file, "copy", H5P_DEFAULT, H5P_DEFAULT) >= 0);
  const Id copy(H5Dopen2(file, "copy", H5P_DEFAULT));
  CHECK(H5Dread(copy, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0);
  CHECK(values[0] == 5 && values.back() == 5);
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
}

/// Each rank copies the same from a file of its own, in which data wait on some ranks only.
CASE(what_waits_in_the_files_of_some_ranks) {
  const Id core(H5Pcreate(H5P_FILE_ACCESS)), list(H5Pcreate(H5P_DATASET_CREATE));
  CHECK(H5Pset_fapl_core(core, 1 << 16, false) >= 0);
  const std::string mine = par::file_name("copies_own") + std::to_string(par::rank());
  const Id own(H5Fcreate(mine.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, core));
  const hsize_t longer = length() + 3, length_now = length(), chunk = 7, most = H5S_UNLIMITED;
  const Id space(H5Screate_simple(1, &longer, &most));
  CHECK(H5Pset_chunk(list, 1, &chunk) >= 0);
  const Id set(H5Dcreate2(own, "set", H5T_STD_I32LE, space, H5P_DEFAULT, list, H5P_DEFAULT));
  std::vector<int> values;
  for (hsize_t i = 0; i < longer; ++i) values.push_back(value_at(i));
  CHECK(H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0);
  // What is cut off gets the fill value with the next flush, which only some ranks have made.
  CHECK(H5Dset_extent(set, &length_now) >= 0);
  if (par::rank() > 0) CHECK(H5Fflush(own, H5F_SCOPE_LOCAL) >= 0);
  const Id file = create_file(par::file_name("copies_all"));
  CHECK(H5Ocopy(own, "set", file, "copy", H5P_DEFAULT, H5P_DEFAULT) >= 0);
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  CHECK(has_values(file, "copy"));
}

// ---- variable-length data -------------------------------------------------------------------------

namespace {

std::string text_at(hsize_t i) { return std::string(i % 40, 'a' + static_cast<char>(i % 26)); }

Id text_type() {
  Id type(H5Tcopy(H5T_C_S1));
  CHECK(H5Tset_size(type, H5T_VARIABLE) >= 0);
  return type;
}

/// Each rank writes its own part of a dataset of strings.
void make_texts(hid_t at, const char* name, hid_t list) {
  const hsize_t n = length(), start = kChunk * static_cast<hsize_t>(par::rank()), count = kChunk;
  const Id type = text_type(), space(H5Screate_simple(1, &n, nullptr)),
           memory(H5Screate_simple(1, &count, nullptr)),
           how(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  const Id set(H5Dcreate2(at, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT));
  CHECK(H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &count, nullptr) >= 0);
  std::vector<std::string> texts;
  std::vector<const char*> pointers;
  for (hsize_t i = 0; i < count; ++i) texts.push_back(text_at(start + i));
  for (const std::string& text : texts) pointers.push_back(text.c_str());
  CHECK(H5Dwrite(set, type, memory, space, how, pointers.data()) >= 0);
  const Id scalar(H5Screate(H5S_SCALAR)),
      value(H5Acreate2(set, "value", type, scalar, H5P_DEFAULT, H5P_DEFAULT));
  const char* const word = "of the dataset";
  CHECK(H5Awrite(value, type, &word) >= 0);
}

bool has_texts(hid_t at, const char* name) {
  const Id type = text_type(), set(H5Dopen2(at, name, H5P_DEFAULT)), space(H5Dget_space(set));
  std::vector<char*> texts(length(), nullptr);
  bool good = set.valid() && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts.data()) >= 0;
  for (hsize_t i = 0; good && i < length(); ++i)
    good = texts[i] != nullptr && text_at(i) == texts[i];
  if (good) H5Dvlen_reclaim(type, space, H5P_DEFAULT, texts.data());
  const Id value(H5Aopen(set, "value", H5P_DEFAULT)), scalar(H5Screate(H5S_SCALAR));
  char* word = nullptr;
  good = good && H5Aread(value, type, &word) >= 0 && word != nullptr &&
         std::string(word) == "of the dataset";
  if (word != nullptr) H5Dvlen_reclaim(type, scalar, H5P_DEFAULT, &word);
  return good;
}

}  // namespace

CASE(variable_length_data) {
  const std::string name = par::file_name("copies_h"), to = par::file_name("copies_i");
  const std::vector<const char*> names = {"contiguous", "chunked", "deflated", "compact"};
  {
    Id file = create_file(name), other = create_file(to);
    const Id group(H5Gcreate2(file, "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    for (std::size_t i = 0; i < names.size(); ++i) {
      const Id list(H5Pcreate(H5P_DATASET_CREATE));
      if (i == 1 || i == 2) CHECK(H5Pset_chunk(list, 1, &kChunk) >= 0);
      if (i == 2) CHECK(H5Pset_deflate(list, 3) >= 0);
      if (i == 3) CHECK(H5Pset_layout(list, H5D_COMPACT) >= 0);
      make_texts(group, names[i], list);
    }
    CHECK(H5Ocopy(file, "g", file, "within", H5P_DEFAULT, H5P_DEFAULT) >= 0);
    CHECK(H5Ocopy(file, "g", other, "between", H5P_DEFAULT, H5P_DEFAULT) >= 0);
    CHECK(H5Ldelete(file, "g", H5P_DEFAULT) >= 0);
    CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
    for (const char* of : names) {
      CHECK(has_texts(file, ("within/" + std::string(of)).c_str()));
      CHECK(has_texts(other, ("between/" + std::string(of)).c_str()));
    }
  }
  // As one program without MPI sees it.
  if (par::rank() != 0) return;
  const Id file(H5Fopen(name.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT)),
      other(H5Fopen(to.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
  for (const char* of : names) {
    CHECK(has_texts(file, ("within/" + std::string(of)).c_str()));
    CHECK(has_texts(other, ("between/" + std::string(of)).c_str()));
  }
}

/// Sequences of references, in elements and in values: they lead to copies, or nowhere.
CASE(references_in_variable_length_data) {
  Id file = create_file(par::file_name("copies_j")),
     other = create_file(par::file_name("copies_k"));
  write_parts(make_set(file, "target", H5P_DEFAULT), H5FD_MPIO_COLLECTIVE);
  const Id type(H5Tvlen_create(H5T_STD_REF_OBJ)), space(H5Screate(H5S_SCALAR)),
      how(par::transfer_list(H5FD_MPIO_COLLECTIVE)), expand(H5Pcreate(H5P_OBJECT_COPY));
  CHECK(H5Pset_copy_object(expand, H5O_COPY_EXPAND_REFERENCE_FLAG) >= 0);
  hobj_ref_t refs[2] = {0, 0};
  CHECK(H5Rcreate(refs + 1, file, "target", H5R_OBJECT, -1) >= 0);
  hvl_t list = {2, refs};
  {
    const Id set(H5Dcreate2(file, "refs", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    CHECK(H5Dwrite(set, type, H5S_ALL, H5S_ALL, how, &list) >= 0);
    const Id value(H5Acreate2(set, "refs", type, space, H5P_DEFAULT, H5P_DEFAULT));
    CHECK(H5Awrite(value, type, &list) >= 0);
  }
  CHECK(H5Ocopy(file, "refs", file, "within", H5P_DEFAULT, H5P_DEFAULT) >= 0);
  CHECK(H5Ocopy(file, "refs", other, "none", H5P_DEFAULT, H5P_DEFAULT) >= 0);
  CHECK(H5Ocopy(file, "refs", other, "expanded", expand, H5P_DEFAULT) >= 0);
  const struct {
    hid_t file;
    const char* name;
    bool leads;
  } copies[] = {{file, "within", true}, {other, "none", false}, {other, "expanded", true}};
  for (const auto& copy : copies) {
    const Id set(H5Dopen2(copy.file, copy.name, H5P_DEFAULT)),
        value(H5Aopen(set, "refs", H5P_DEFAULT));
    for (int i = 0; i < 2; ++i) {
      hvl_t found = {0, nullptr};
      CHECK((i == 0 ? H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &found)
                    : H5Aread(value, type, &found)) >= 0);
      CHECK(found.len == 2);
      if (found.len != 2) continue;
      const auto* const got = static_cast<const hobj_ref_t*>(found.p);
      CHECK(got[0] == 0 && (got[1] != 0) == copy.leads);
      if (copy.leads) {
        const Id target(H5Rdereference2(copy.file, H5P_DEFAULT, H5R_OBJECT, &got[1]));
        CHECK(has_values(target, "."));
      }
      H5Dvlen_reclaim(type, space, H5P_DEFAULT, &found);
    }
  }
}

// ---- functions that write what is copied ---------------------------------------------------------------

namespace {

constexpr auto kLink = static_cast<H5L_type_t>(70);
hid_t source_of_ranks = -1;
int followed = 0;
bool writes_here = false;

hid_t follow(const char*, hid_t group, const void*, size_t, hid_t, hid_t) {
  // When all is planned, and before anything is made.
  if (++followed == 2 && writes_here) {
    const hsize_t start = 0, count = kChunk;
    const Id set(H5Dopen2(source_of_ranks, "texts", H5P_DEFAULT)), space(H5Dget_space(set));
    const Id memory(H5Screate_simple(1, &count, nullptr)), type = text_type();
    H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &count, nullptr);
    const std::vector<const char*> texts(kChunk, "late");
    H5Dwrite(set, type, memory, space, H5P_DEFAULT, texts.data());
    H5Fflush(source_of_ranks, H5F_SCOPE_LOCAL);
  }
  return H5Oopen(group, "/to", H5P_DEFAULT);
}

/// All but the first chunk, of a file of this rank's own.
void make_own_texts(hid_t own) {
  const hsize_t n = length(), chunk = 2, start = kChunk, count = length() - kChunk;
  const Id list(H5Pcreate(H5P_DATASET_CREATE)), type = text_type();
  CHECK(H5Pset_chunk(list, 1, &chunk) >= 0);
  const Id space(H5Screate_simple(1, &n, nullptr)), memory(H5Screate_simple(1, &count, nullptr));
  const Id set(H5Dcreate2(own, "texts", type, space, H5P_DEFAULT, list, H5P_DEFAULT));
  CHECK(H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &count, nullptr) >= 0);
  const std::vector<const char*> texts(count, "early");
  CHECK(count == 0 || H5Dwrite(set, type, memory, space, H5P_DEFAULT, texts.data()) >= 0);
}

}  // namespace

/// Where all ranks write it the copy has it; where some do they would move different shares: all fail, and the file is good.
CASE(functions_write_what_is_copied_on_some_ranks) {
  H5L_class_t cls{};
  cls.version = H5L_LINK_CLASS_T_VERS;
  cls.id = kLink;
  cls.comment = "writes";
  cls.trav_func = follow;
  CHECK(H5Lregister(&cls) >= 0);
  for (const int writers : {par::size(), 1}) {
    const Id core(H5Pcreate(H5P_FILE_ACCESS));
    CHECK(H5Pset_fapl_core(core, 1 << 16, false) >= 0);
    const std::string mine = par::file_name("copies_own") + std::to_string(par::rank());
    const Id own(H5Fcreate(mine.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, core));
    make_own_texts(own);
    CHECK(H5Fflush(own, H5F_SCOPE_LOCAL) >= 0);
    const Id file = create_file(par::file_name("copies_written"));
    const Id to(H5Gcreate2(file, "to", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    CHECK(H5Lcreate_ud(file, "way", kLink, "", 0, H5P_DEFAULT, H5P_DEFAULT) >= 0);
    source_of_ranks = own;
    followed = 0;
    writes_here = par::rank() < writers;
    const bool alike = writers == par::size();
    const herr_t copied = H5Ocopy(own, "texts", file, "/way/copy", H5P_DEFAULT, H5P_DEFAULT);
    CHECK((copied >= 0) == alike);
    if (!alike) CHECK(par::error_text().find("not on all ranks") != std::string::npos);
    CHECK((H5Lexists(to, "copy", H5P_DEFAULT) > 0) == alike);
    if (alike) {
      const Id set(H5Dopen2(to, "copy", H5P_DEFAULT)), space(H5Dget_space(set)), type = text_type();
      std::vector<char*> texts(length(), nullptr);
      CHECK(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts.data()) >= 0);
      for (hsize_t i = 0; i < length(); ++i)
        CHECK(texts[i] != nullptr && std::string(texts[i]) == (i < kChunk ? "late" : "early"));
      H5Dvlen_reclaim(type, space, H5P_DEFAULT, texts.data());
    }
    const Id group(H5Gcreate2(file, "behind", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    CHECK(group.valid() && H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  }
  CHECK(H5Lunregister(kLink) >= 0);
}

// ---- sources in files of each rank's own ---------------------------------------------------------------

namespace {

enum class Lies { kInOrder, kBackwards };
enum class Pads { kNone, kBefore };

Id own_file(const char* name) {
  const Id core(H5Pcreate(H5P_FILE_ACCESS));
  CHECK(H5Pset_fapl_core(core, 1 << 16, false) >= 0);
  const std::string mine = par::file_name(name) + std::to_string(par::rank());
  return Id(H5Fcreate(mine.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, core));
}

/// Values of has_values(), chunk by chunk, each of which gets its place when it is written.
void write_one_by_one(hid_t own, hid_t set, hsize_t chunk, Lies lies, hsize_t first = 0) {
  const hsize_t n = length() / chunk;
  for (hsize_t i = first; i < n; ++i) {
    const hsize_t start = chunk * (lies == Lies::kInOrder ? i : n - 1 - i);
    const Id space(H5Dget_space(set)), memory(H5Screate_simple(1, &chunk, nullptr));
    CHECK(H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &chunk, nullptr) >= 0);
    std::vector<int> values;
    for (hsize_t k = start; k < start + chunk; ++k) values.push_back(value_at(k));
    CHECK(H5Dwrite(set, H5T_NATIVE_INT, memory, space, H5P_DEFAULT, values.data()) >= 0);
    CHECK(H5Fflush(own, H5F_SCOPE_LOCAL) >= 0);
  }
}

/// The destination is as good as before.
void check_usable(hid_t file, const char* name) {
  CHECK(H5Lexists(file, "copy", H5P_DEFAULT) == 0);
  const Id group(H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  CHECK(group.valid() && H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
}

}  // namespace

/// The same in each file, but not in the same places: every chunk is somebody's share.
CASE(own_files_that_lie_otherwise) {
  const hsize_t chunk = 2;
  const Id file = create_file(par::file_name("copies_from_own"));
  const bool odd = par::rank() % 2 == 1;
  int copies = 0;
  for (const Pads pads : {Pads::kNone, Pads::kBefore}) {
    const Id own = own_file("copies_otherwise"), plain(H5Pcreate(H5P_DATASET_CREATE));
    if (odd && pads == Pads::kBefore)
      write_one_by_one(own, make_set(own, "pad", plain), 3, Lies::kInOrder);
    const Id checked(H5Pcreate(H5P_DATASET_CREATE)), compact(H5Pcreate(H5P_DATASET_CREATE)),
        chunked(H5Pcreate(H5P_DATASET_CREATE));
    CHECK(H5Pset_chunk(chunked, 1, &chunk) >= 0 && H5Pset_chunk(checked, 1, &chunk) >= 0);
    CHECK(H5Pset_fletcher32(checked) >= 0 && H5Pset_layout(compact, H5D_COMPACT) >= 0);
    for (const hid_t list : {hid_t(plain), hid_t(compact), hid_t(chunked), hid_t(checked)}) {
      const std::string name = "set" + std::to_string(++copies);
      write_one_by_one(own, make_set(own, name.c_str(), list), chunk,
                       odd ? Lies::kBackwards : Lies::kInOrder);
      CHECK(H5Ocopy(own, name.c_str(), file, name.c_str(), H5P_DEFAULT, H5P_DEFAULT) >= 0);
    }
  }
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  for (; copies > 0; --copies) CHECK(has_values(file, ("set" + std::to_string(copies)).c_str()));
}

/// Refused on all ranks, with a word of what differs.
CASE(own_files_that_differ) {
  const hsize_t chunk = 2;
  const Id file = create_file(par::file_name("copies_not_alike"));
  const bool last = par::rank() == par::size() - 1, alone = par::size() == 1;
  const struct {
    const char* name;
    const char* told;
  } cases[] = {{"chunk", "other chunks"},       {"space", "have space"},
               {"sizes", "other sizes"},        {"type", "type, extent"},
               {"attribute", "the attributes"}, {"links", "links of groups"}};
  for (const auto& one : cases) {
    const std::string what = one.name;
    const Id own = own_file("copies_differing"), list(H5Pcreate(H5P_DATASET_CREATE));
    const hsize_t n = length();
    if (what == "chunk") CHECK(H5Pset_chunk(list, 1, &chunk) >= 0);
    if (what == "sizes") CHECK(H5Pset_chunk(list, 1, &n) >= 0 && H5Pset_deflate(list, 9) >= 0);
    const Id group(H5Gcreate2(own, "from", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)),
        space(H5Screate_simple(1, &n, nullptr));
    const bool other = last && what == "type";
    const Id set(H5Dcreate2(group, last && what == "links" ? "tes" : "set",
                            other ? H5T_IEEE_F32LE : H5T_STD_I32LE, space, H5P_DEFAULT, list,
                            H5P_DEFAULT));
    if (what == "attribute")
      H5Aclose(H5Acreate2(set, last ? "a" : "b", H5T_STD_I32LE, space, H5P_DEFAULT, H5P_DEFAULT));
    if (what != "space" || !last)
      write_one_by_one(own, set, chunk, Lies::kInOrder, last && what == "chunk" ? 1 : 0);
    const std::vector<int> zeros(length(), 0);
    if (what == "sizes" && last)
      CHECK(H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, zeros.data()) >= 0);
    CHECK((H5Ocopy(own, "from", file, "copy", H5P_DEFAULT, H5P_DEFAULT) >= 0) == alone);
    if (alone) {
      CHECK(H5Ldelete(file, "copy", H5P_DEFAULT) >= 0);
    } else {
      CHECK(par::error_text().find(one.told) != std::string::npos);
    }
    check_usable(file, one.name);
  }
}

/// Attributes whose order nobody tracks, in another one in each file: each keeps its value, on all ranks, and the ranks
/// go on giving out the same space when the copy is changed.
CASE(own_attributes_in_another_order) {
  constexpr int kMany = 7;
  const Id own = own_file("copies_attributes"),
           group(H5Gcreate2(own, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  const Id scalar(H5Screate(H5S_SCALAR)), text(H5Tcopy(H5T_C_S1));
  CHECK(H5Tset_size(text, H5T_VARIABLE) >= 0);
  const Id types[2] = {Id(H5Tcopy(H5T_NATIVE_INT)), Id(H5Tcopy(H5T_NATIVE_DOUBLE))};
  CHECK(H5Tcommit2(own, "int", types[0], H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT) >= 0);
  CHECK(H5Tcommit2(own, "double", types[1], H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT) >= 0);
  const auto name_of = [](const char* what, int i) { return what + std::to_string(i); };
  for (int i = 0; i < kMany; ++i) {
    const int number = par::rank() % 2 == 0 ? i : kMany - 1 - i;
    const std::string value = name_of("value of ", number);
    const char* const words = value.c_str();
    const Id word(
        H5Acreate2(group, name_of("word", number).c_str(), text, scalar, H5P_DEFAULT, H5P_DEFAULT)),
        figure(H5Acreate2(group, name_of("figure", number).c_str(), types[number % 2], scalar,
                          H5P_DEFAULT, H5P_DEFAULT));
    CHECK(H5Awrite(word, text, &words) >= 0 && H5Awrite(figure, H5T_NATIVE_INT, &number) >= 0);
  }
  const Id file = create_file(par::file_name("copies_of_attributes"));
  CHECK(H5Ocopy(own, "group", file, "copy", H5P_DEFAULT, H5P_DEFAULT) >= 0);
  const Id copy(H5Gopen2(file, "copy", H5P_DEFAULT));
  for (int i = 0; i < kMany; ++i) {
    const Id word(H5Aopen(copy, name_of("word", i).c_str(), H5P_DEFAULT)),
        figure(H5Aopen(copy, name_of("figure", i).c_str(), H5P_DEFAULT));
    char* words = nullptr;
    int number = -1;
    CHECK(H5Aread(word, text, &words) >= 0 && words != nullptr);
    CHECK(words != nullptr && name_of("value of ", i) == words);
    CHECK(H5Aread(figure, H5T_NATIVE_INT, &number) >= 0 && number == i);
    H5free_memory(words);
  }
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  for (int i = 0; i < kMany; ++i) {
    CHECK(H5Adelete(copy, name_of(i % 2 == 0 ? "word" : "figure", i).c_str()) >= 0);
    const Id more(
        H5Acreate2(copy, name_of("more", i).c_str(), text, scalar, H5P_DEFAULT, H5P_DEFAULT));
    CHECK(more.valid() && H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  }
}

namespace {

int ways = 0;
bool loses_the_way = false;

hid_t lose_way(const char*, hid_t group, const void*, size_t, hid_t, hid_t) {
  return ++ways == 2 && loses_the_way ? -1 : H5Oopen(group, "/to", H5P_DEFAULT);
}

}  // namespace

/// One rank finds what is to be copied, and a moment later not the place of its copy: with and without regions, which
/// all ranks store together.
CASE(one_rank_loses_the_way) {
  H5L_class_t cls{};
  cls.version = H5L_LINK_CLASS_T_VERS;
  cls.id = kLink;
  cls.comment = "loses the way";
  cls.trav_func = lose_way;
  CHECK(H5Lregister(&cls) >= 0);
  const Id file = create_file(par::file_name("copies_lost")), expand(H5Pcreate(H5P_OBJECT_COPY));
  CHECK(H5Pset_copy_object(expand, H5O_COPY_EXPAND_REFERENCE_FLAG) >= 0);
  const Id own = own_file("copies_regions"), target = make_set(own, "target", H5P_DEFAULT),
           whole(H5Dget_space(target)), scalar(H5Screate(H5S_SCALAR));
  const Id set(
      H5Dcreate2(own, "set", H5T_STD_REF_DSETREG, scalar, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  hdset_reg_ref_t region;
  CHECK(H5Rcreate(&region, own, "target", H5R_DATASET_REGION, whole) >= 0);
  CHECK(H5Dwrite(set, H5T_STD_REF_DSETREG, H5S_ALL, H5S_ALL, H5P_DEFAULT, &region) >= 0);
  CHECK(H5Fflush(own, H5F_SCOPE_LOCAL) >= 0);
  const Id to(H5Gcreate2(file, "to", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  CHECK(H5Lcreate_ud(file, "way", kLink, "", 0, H5P_DEFAULT, H5P_DEFAULT) >= 0);
  int calls = 0;
  for (const hid_t list : {hid_t(H5P_DEFAULT), hid_t(expand)}) {
    ways = 0;
    loses_the_way = par::rank() == par::size() - 1;
    CHECK(H5Ocopy(own, "set", file, "/way/copy", list, H5P_DEFAULT) < 0);
    check_usable(to, ++calls == 1 ? "first" : "second");
    loses_the_way = false;
    CHECK(H5Ocopy(own, "set", file, "/way/copy", list, H5P_DEFAULT) >= 0);
    CHECK(H5Ldelete(to, "copy", H5P_DEFAULT) >= 0 && H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  }
  CHECK(H5Lunregister(kLink) >= 0);
}
