// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Fill values of variable length in files of several ranks: each element has an object of its own, whoever gives it space, and
// keeps it where a write or a new extent leaves it out. Room: testpar, public headers only.

#include <pcio.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "testpar/support.hpp"

using par::Id;

namespace {

/// "" where an element has no string.
std::vector<std::string> strings_of(hid_t dataset, hid_t type) {
  const Id space(H5Dget_space(dataset));
  const hssize_t n = H5Sget_simple_extent_npoints(space);
  std::vector<char*> texts(n > 0 ? static_cast<std::size_t>(n) : 0, nullptr);
  CHECK(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts.data()) >= 0);
  std::vector<std::string> strings;
  for (char* text : texts) {
    strings.emplace_back(text == nullptr ? "" : text);
    std::free(text);
  }
  return strings;
}

Id filled_set(hid_t file, const char* name, hid_t type, int layout) {
  const hsize_t n = 3 * static_cast<hsize_t>(par::size()) + 1, most = H5S_UNLIMITED, chunk = 4;
  const Id space(H5Screate_simple(1, &n, layout == 2 ? &most : nullptr)),
      list(H5Pcreate(H5P_DATASET_CREATE));
  const char* const value = "full";
  CHECK(H5Pset_fill_value(list, type, &value) >= 0);
  if (layout == 0) CHECK(H5Pset_layout(list, H5D_COMPACT) >= 0);
  if (layout == 2) CHECK(H5Pset_chunk(list, 1, &chunk) >= 0);
  Id set(H5Dcreate2(file, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT));
  CHECK(set.valid());
  return set;
}

/// Each rank but the last one writes an element.
void write_some(hid_t set, hid_t type) {
  const Id space(H5Dget_space(set)), one(H5Screate(H5S_SCALAR)),
      how(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  const hsize_t at = 3 * static_cast<hsize_t>(par::rank());
  const char* const value = "mine";
  CHECK(H5Sselect_elements(space, H5S_SELECT_SET, 1, &at) >= 0);
  if (par::rank() == par::size() - 1) H5Sselect_none(space), H5Sselect_none(one);
  CHECK(H5Dwrite(set, type, one, space, how, &value) >= 0);
}

std::vector<std::string> wanted_strings(hsize_t n) {
  std::vector<std::string> wanted(n, "full");
  for (int r = 0; r + 1 < par::size(); ++r) wanted[3 * static_cast<std::size_t>(r)] = "mine";
  return wanted;
}

}  // namespace

/// Whoever overwrites an element alone lets its object go: those of the others stay.
CASE(filled_elements_own_their_objects) {
  const std::string name = par::file_name("filled"), to = par::file_name("filled_copy");
  const std::vector<const char*> names = {"compact", "contiguous", "chunked"};
  const hsize_t n = 3 * static_cast<hsize_t>(par::size()) + 1, more = n + 9;
  {
    const Id access(par::mpio_access());
    const Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access)),
        other(H5Fcreate(to.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access)), type(H5Tcopy(H5T_C_S1));
    CHECK(H5Tset_size(type, H5T_VARIABLE) >= 0);
    for (int i = 0; i < 3; ++i) {
      const Id set = filled_set(file, names[static_cast<std::size_t>(i)], type, i);
      CHECK(strings_of(set, type) == std::vector<std::string>(n, "full"));
      write_some(set, type);
      CHECK(strings_of(set, type) == wanted_strings(n));
      if (i < 2) continue;
      CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
      CHECK(H5Dset_extent(set, &more) >= 0);
      CHECK(strings_of(set, type) == wanted_strings(more));
    }
    CHECK(H5Ocopy(file, "/", other, "all", H5P_DEFAULT, H5P_DEFAULT) >= 0);
  }
  if (par::rank() != 0) return;
  for (const std::string& path : {name, to}) {
    const Id file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT)), type(H5Tcopy(H5T_C_S1)),
        one(H5Screate(H5S_SCALAR));
    CHECK(H5Tset_size(type, H5T_VARIABLE) >= 0);
    for (const char* of : names) {
      const std::string at = (path == to ? "all/" : "") + std::string(of);
      const Id set(H5Dopen2(file, at.c_str(), H5P_DEFAULT)), space(H5Dget_space(set)),
          list(H5Dget_create_plist(set));
      std::vector<std::string> wanted = wanted_strings(of == names[2] ? more : n);
      CHECK(strings_of(set, type) == wanted);
      const char* const value = "alone";
      for (hsize_t i = 0; i < wanted.size(); i += 2) {
        CHECK(H5Sselect_elements(space, H5S_SELECT_SET, 1, &i) >= 0);
        CHECK(H5Dwrite(set, type, one, space, H5P_DEFAULT, &value) >= 0);
        CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
        wanted[i] = "alone";
      }
      CHECK(strings_of(set, type) == wanted);
      char* fill = nullptr;
      CHECK(H5Pget_fill_value(list, type, &fill) >= 0 && fill != nullptr &&
            std::string(fill) == "full");
      std::free(fill);
    }
  }
}

namespace {

struct Note {
  const char* text;
  int number;
};
using Notes = std::vector<std::pair<std::string, int>>;

Id note_type() {
  Id text(H5Tcopy(H5T_C_S1)), type(H5Tcreate(H5T_COMPOUND, sizeof(Note)));
  CHECK(H5Tset_size(text, H5T_VARIABLE) >= 0);
  CHECK(H5Tinsert(type, "text", offsetof(Note, text), text) >= 0);
  CHECK(H5Tinsert(type, "n", offsetof(Note, number), H5T_NATIVE_INT) >= 0);
  return type;
}

Notes notes_of(hid_t set, hid_t type) {
  const Id space(H5Dget_space(set));
  std::vector<Note> found(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
  CHECK(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, found.data()) >= 0);
  Notes notes;
  for (const Note& note : found)
    notes.emplace_back(note.text == nullptr ? "" : note.text, note.number);
  CHECK(H5Dvlen_reclaim(type, space, H5P_DEFAULT, found.data()) >= 0);
  return notes;
}

/// Who makes the dataset: one process in a file of its own, or all. Unread: nobody looks at it before it is written.
enum class Made { kAlone, kAloneUnread, kLateAccess, kTogether };
enum class Late { kContiguous, kChunked, kFiltered };
constexpr const char* kLateNames[] = {"contiguous", "chunked", "filtered"};

Id late_set(hid_t file, Late layout, hid_t type, hid_t access) {
  const hsize_t n = 5 * static_cast<hsize_t>(par::size()) + 9, most = H5S_UNLIMITED, chunk = 4;
  const bool chunked = layout != Late::kContiguous;
  const Id space(H5Screate_simple(1, &n, chunked ? &most : nullptr)),
      list(H5Pcreate(H5P_DATASET_CREATE));
  const Note fill = {"word", 5};
  CHECK(H5Pset_fill_value(list, type, &fill) >= 0);
  if (chunked) CHECK(H5Pset_chunk(list, 1, &chunk) >= 0);
  if (layout == Late::kFiltered) CHECK(H5Pset_deflate(list, 1) >= 0);
  return Id(H5Dcreate2(file, kLateNames[static_cast<int>(layout)], type, space, H5P_DEFAULT, list,
                       access));
}

/// Each rank but the last one writes its element, which `notes` gets of all.
void write_notes(hid_t set, hid_t type, int generation, Notes* notes) {
  const Id space(H5Dget_space(set)), one(H5Screate(H5S_SCALAR)),
      how(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  const std::string text = "mine" + std::to_string(generation);
  const Note note = {text.c_str(), par::rank()};
  const hsize_t at = 5 * static_cast<hsize_t>(par::rank()) + static_cast<hsize_t>(generation);
  CHECK(H5Sselect_elements(space, H5S_SELECT_SET, 1, &at) >= 0);
  if (par::rank() == par::size() - 1) H5Sselect_none(space), H5Sselect_none(one);
  CHECK(H5Dwrite(set, type, one, space, how, &note) >= 0);
  for (int r = 0; r + 1 < par::size(); ++r)
    (*notes)[static_cast<std::size_t>(5 * r + generation)] = {text, r};
  CHECK(notes_of(set, type) == *notes);
}

/// One process overwrites elements alone, one after the other: those that stay have their own objects.
void overwrite_alone(hid_t file, hid_t set, hid_t type, Notes notes) {
  const Id space(H5Dget_space(set)), one(H5Screate(H5S_SCALAR));
  CHECK(notes_of(set, type) == notes);
  const Note note = {"alone", -1};
  for (hsize_t i = 0; i < notes.size(); i += 2) {
    CHECK(H5Sselect_elements(space, H5S_SELECT_SET, 1, &i) >= 0);
    CHECK(H5Dwrite(set, type, one, space, H5P_DEFAULT, &note) >= 0);
    CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
    notes[i] = {"alone", -1};
  }
  CHECK(notes_of(set, type) == notes);
}

void play_late_fill(Late layout, Made made) {
  const std::string name = par::file_name("late_fill");
  const Id type = note_type(), access(par::mpio_access()), late(H5Pcreate(H5P_DATASET_ACCESS));
  const bool unread = made == Made::kAloneUnread, alone = made == Made::kAlone || unread;
  if (unread || made == Made::kLateAccess) CHECK(pcio_set_dapl_late_allocation(late, true) >= 0);
  if (alone && par::rank() == 0) {
    const Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
    CHECK(late_set(file, layout, type, H5P_DEFAULT).valid());
  }
  MPI_Barrier(MPI_COMM_WORLD);
  Notes notes(5 * static_cast<std::size_t>(par::size()) + 9, {"word", 5});
  const char* const of = kLateNames[static_cast<int>(layout)];
  {
    const Id file(alone ? H5Fopen(name.c_str(), H5F_ACC_RDWR, access)
                        : H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
    const Id set = alone ? Id(H5Dopen2(file, of, late)) : late_set(file, layout, type, late);
    CHECK(set.valid());
    if (!unread) CHECK(notes_of(set, type) == notes);
    write_notes(set, type, 0, &notes);
    CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
    if (layout != Late::kContiguous) {
      const hsize_t more = notes.size() + 7;
      CHECK(H5Dset_extent(set, &more) >= 0);
      notes.resize(more, {"word", 5});
    }
    write_notes(set, type, 1, &notes);
  }
  if (par::rank() == 0) {
    const Id file(H5Fopen(name.c_str(), H5F_ACC_RDWR, H5P_DEFAULT));
    const Id set(H5Dopen2(file, of, H5P_DEFAULT));
    overwrite_alone(file, set, type, std::move(notes));
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

}  // namespace

/// Elements of which a write of others gives space get the fill value, each with an object of its own.
CASE(fill_values_come_with_what_gets_its_space_late) {
  play_late_fill(Late::kContiguous, Made::kAlone);
  play_late_fill(Late::kChunked, Made::kAlone);
  play_late_fill(Late::kFiltered, Made::kAlone);
  play_late_fill(Late::kChunked, Made::kAloneUnread);
  play_late_fill(Late::kFiltered, Made::kAloneUnread);
  play_late_fill(Late::kChunked, Made::kLateAccess);
  play_late_fill(Late::kFiltered, Made::kTogether);
}

namespace {

/// A dataset that one process has made, opened by all.
struct MadeAlone {
  std::string name = par::file_name("made_alone");
  Id type = note_type(), file, set;
  Notes notes = Notes(5 * static_cast<std::size_t>(par::size()) + 9, {"word", 5});

  explicit MadeAlone(Late layout) {
    if (par::rank() == 0) {
      const Id alone(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
      CHECK(late_set(alone, layout, type, H5P_DEFAULT).valid());
    }
    MPI_Barrier(MPI_COMM_WORLD);
    const Id access(par::mpio_access());
    file = Id(H5Fopen(name.c_str(), H5F_ACC_RDWR, access));
    set = Id(H5Dopen2(file, kLateNames[static_cast<int>(layout)], H5P_DEFAULT));
    CHECK(set.valid());
  }
  void resize(hsize_t n) {
    CHECK(H5Dset_extent(set, &n) >= 0);
    notes.resize(n, {"word", 5});
  }
};

}  // namespace

/// Of elements whose numbers are written the texts are their own: the fill value stays when they are cut off.
CASE(members_that_a_write_leaves_out_are_the_elements_own) {
  for (const Late layout : {Late::kChunked, Late::kFiltered}) {
    MadeAlone made(layout);
    const Id number(H5Tcreate(H5T_COMPOUND, sizeof(int))), space(H5Dget_space(made.set)),
        how(par::transfer_list(H5FD_MPIO_COLLECTIVE));
    CHECK(H5Tinsert(number, "n", 0, H5T_NATIVE_INT) >= 0);
    const hsize_t n = made.notes.size(), ranks = static_cast<hsize_t>(par::size());
    const hsize_t start = n * static_cast<hsize_t>(par::rank()) / ranks,
                  count = n * static_cast<hsize_t>(par::rank() + 1) / ranks - start;
    const Id memory(H5Screate_simple(1, &count, nullptr));
    CHECK(H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &count, nullptr) >= 0);
    std::vector<int> numbers;
    for (hsize_t i = 0; i < n; ++i) made.notes[i].second = static_cast<int>(100 + i);
    for (hsize_t i = 0; i < count; ++i) numbers.push_back(static_cast<int>(100 + start + i));
    CHECK(H5Dwrite(made.set, number, memory, space, how, numbers.data()) >= 0);
    CHECK(notes_of(made.set, made.type) == made.notes);
    made.resize(3);
    CHECK(H5Fflush(made.file, H5F_SCOPE_GLOBAL) >= 0);
    // What gets their room.
    const Id text(H5Tcopy(H5T_C_S1));
    CHECK(H5Tset_size(text, H5T_VARIABLE) >= 0);
    write_some(filled_set(made.file, "other", text, 1), text);
    made.resize(n);
    CHECK(notes_of(made.set, made.type) == made.notes);
  }
}

namespace {

H5T_conv_ret_t refuse(H5T_conv_except_t, hid_t, hid_t, void*, void*, void*) {
  return H5T_CONV_ABORT;
}

}  // namespace

/// A function of the program ends the write behind the fill: no element was written.
CASE(elements_hold_the_fill_value_where_the_program_ends_the_write) {
  struct Large {
    const char* text;
    double number;
  };
  const Id text(H5Tcopy(H5T_C_S1)), type(H5Tcreate(H5T_COMPOUND, sizeof(Large)));
  CHECK(H5Tset_size(text, H5T_VARIABLE) >= 0);
  CHECK(H5Tinsert(type, "text", offsetof(Large, text), text) >= 0);
  CHECK(H5Tinsert(type, "n", offsetof(Large, number), H5T_NATIVE_DOUBLE) >= 0);
  for (const Late layout : {Late::kContiguous, Late::kChunked, Late::kFiltered}) {
    const MadeAlone made(layout);
    const Id space(H5Dget_space(made.set)), how(par::transfer_list(H5FD_MPIO_COLLECTIVE));
    CHECK(H5Pset_type_conv_cb(how, refuse, nullptr) >= 0);
    const hsize_t start = 1, count = 10;
    const Id memory(H5Screate_simple(1, &count, nullptr));
    CHECK(H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &count, nullptr) >= 0);
    const std::vector<Large> values(count, {"large", 1e300});
    {
      const par::Silence silence;
      CHECK(H5Dwrite(made.set, type, memory, space, how, values.data()) < 0);
    }
    CHECK(notes_of(made.set, made.type) == made.notes);
  }
}

/// A memory type that can't become the dataset's: its elements are what they were.
CASE(what_has_no_way_is_found_before_anything_is_filled) {
  for (const Late layout : {Late::kContiguous, Late::kChunked, Late::kFiltered}) {
    const MadeAlone made(layout);
    const Id space(H5Dget_space(made.set)), how(par::transfer_list(H5FD_MPIO_COLLECTIVE));
    const hsize_t start = 1, count = 10;
    const Id memory(H5Screate_simple(1, &count, nullptr));
    CHECK(H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &count, nullptr) >= 0);
    const std::vector<int> numbers(count);
    {
      const par::Silence silence;
      CHECK(H5Dwrite(made.set, H5T_NATIVE_INT, memory, space, how, numbers.data()) < 0);
    }
    CHECK(H5Dget_storage_size(made.set) == 0);
    CHECK(notes_of(made.set, made.type) == made.notes);
  }
}

namespace {

/// 5 x 6 elements that one process has made, of which the first is not the fill value.
void make_grid_alone(const std::string& name, hid_t type, bool filtered) {
  const hsize_t dims[] = {5, 6}, most[] = {H5S_UNLIMITED, H5S_UNLIMITED}, chunk[] = {2, 4};
  const Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)),
      space(H5Screate_simple(2, dims, most)), one(H5Screate(H5S_SCALAR)),
      list(H5Pcreate(H5P_DATASET_CREATE));
  const char* value = "full";
  CHECK(H5Pset_chunk(list, 2, chunk) >= 0 && H5Pset_fill_value(list, type, &value) >= 0);
  if (filtered) CHECK(H5Pset_deflate(list, 1) >= 0);
  const Id set(H5Dcreate2(file, "grid", type, space, H5P_DEFAULT, list, H5P_DEFAULT));
  const hsize_t first[] = {0, 0};
  CHECK(H5Sselect_elements(space, H5S_SELECT_SET, 1, first) >= 0);
  value = "first";
  CHECK(H5Dwrite(set, type, one, space, H5P_DEFAULT, &value) >= 0);
}

/// One rank writes a chunk at the edge, whose elements have no strings; it waits in memory.
void write_chunk_alone(hid_t set, const std::vector<hsize_t>& extent,
                       std::vector<std::string>* wanted) {
  const hsize_t at[] = {0, 4};
  const std::vector<char> chunk(2 * 4 * 16);
  if (par::rank() == par::size() - 1)
    CHECK(H5Dwrite_chunk(set, H5P_DEFAULT, 1, at, chunk.size(), chunk.data()) >= 0);
  for (hsize_t row = 0; row < 2; ++row)
    for (hsize_t column = 4; column < 6 && column < extent[1]; ++column)
      (*wanted)[row * extent[1] + column] = "";
}

}  // namespace

/// A new extent gives all chunks their space, or some that go on in it: also what was there before gets the fill value.
CASE(elements_without_space_keep_the_fill_value_in_another_extent) {
  const Id type(H5Tcopy(H5T_C_S1));
  CHECK(H5Tset_size(type, H5T_VARIABLE) >= 0);
  const std::vector<std::vector<hsize_t>> extents = {{7, 9}, {5, 7}, {3, 5}, {3, 11}, {6, 4}};
  for (const bool filtered : {false, true})
    for (const std::vector<hsize_t>& extent : extents) {
      const std::string name = par::file_name("grid");
      if (par::rank() == 0) make_grid_alone(name, type, filtered);
      MPI_Barrier(MPI_COMM_WORLD);
      std::vector<std::string> wanted(extent[0] * extent[1], "full");
      wanted[0] = "first";
      {
        const Id access(par::mpio_access()), file(H5Fopen(name.c_str(), H5F_ACC_RDWR, access)),
            set(H5Dopen2(file, "grid", H5P_DEFAULT));
        if (filtered) write_chunk_alone(set, extent, &wanted);
        CHECK(H5Dset_extent(set, extent.data()) >= 0);
        if (filtered) CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
        CHECK(strings_of(set, type) == wanted);
      }
      {
        const Id file(H5Fopen(name.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT)),
            set(H5Dopen2(file, "grid", H5P_DEFAULT));
        CHECK(strings_of(set, type) == wanted);
      }
      MPI_Barrier(MPI_COMM_WORLD);
    }
}

/// A chunk that waits in the memory of one rank is no space that another's write has to fill.
CASE(chunks_that_one_rank_has_written_are_not_filled) {
  const Id type(H5Tcopy(H5T_C_S1));
  CHECK(H5Tset_size(type, H5T_VARIABLE) >= 0);
  const std::string name = par::file_name("waiting");
  if (par::rank() == 0) make_grid_alone(name, type, true);
  MPI_Barrier(MPI_COMM_WORLD);
  std::vector<std::string> wanted(30, "full");
  wanted[0] = "first";
  wanted[25] = "mine";
  const Id access(par::mpio_access()), file(H5Fopen(name.c_str(), H5F_ACC_RDWR, access)),
      set(H5Dopen2(file, "grid", H5P_DEFAULT)), space(H5Dget_space(set)),
      one(H5Screate(H5S_SCALAR)), how(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  write_chunk_alone(set, {5, 6}, &wanted);
  const hsize_t at[] = {4, 1};
  CHECK(H5Sselect_elements(space, H5S_SELECT_SET, 1, at) >= 0);
  if (par::rank() != 0) H5Sselect_none(space), H5Sselect_none(one);
  const char* const value = "mine";
  CHECK(H5Dwrite(set, type, one, space, how, &value) >= 0);
  CHECK(strings_of(set, type) == wanted);
}

namespace {

Id number_type() {
  Id type(H5Tcreate(H5T_COMPOUND, sizeof(int)));
  CHECK(H5Tinsert(type, "n", 0, H5T_NATIVE_INT) >= 0);
  return type;
}

/// Contiguous, compact, chunked, that with late allocation, filtered.
constexpr int kPlainLayouts = 5;

std::string refused_for;  ///< the last dataset that could not be made

Id plain_set(hid_t file, int layout, hid_t type, hid_t fill_type, const void* fill) {
  const hsize_t n = 5 * static_cast<hsize_t>(par::size()) + 9, most = H5S_UNLIMITED, chunk = 4;
  const bool chunked = layout >= 2;
  const Id space(H5Screate_simple(1, &n, chunked ? &most : nullptr)),
      list(H5Pcreate(H5P_DATASET_CREATE)), access(H5Pcreate(H5P_DATASET_ACCESS));
  CHECK(H5Pset_fill_value(list, fill_type, fill) >= 0);
  if (layout == 1) CHECK(H5Pset_layout(list, H5D_COMPACT) >= 0);
  if (chunked) CHECK(H5Pset_chunk(list, 1, &chunk) >= 0);
  if (layout == 3) CHECK(pcio_set_dapl_late_allocation(access, true) >= 0);
  if (layout == 4) CHECK(H5Pset_deflate(list, 1) >= 0);
  const hid_t made =
      H5Dcreate2(file, std::to_string(layout).c_str(), type, space, H5P_DEFAULT, list, access);
  // Before what is closed here clears it.
  if (made < 0) refused_for = par::error_text();
  return Id(made);
}

}  // namespace

/// A fill value without texts: elements that nobody has written have its number.
CASE(fill_values_may_lack_what_is_of_variable_length) {
  const std::string name = par::file_name("plain_fill");
  const Id type = note_type(), number = number_type();
  const int value = 9;
  std::vector<Notes> wanted(kPlainLayouts,
                            Notes(5 * static_cast<std::size_t>(par::size()) + 9, {"", value}));
  {
    const Id file = par::create_file(name);
    for (int layout = 0; layout < kPlainLayouts; ++layout) {
      Notes& notes = wanted[static_cast<std::size_t>(layout)];
      const Id set = plain_set(file, layout, type, number, &value);
      CHECK(set.valid());
      CHECK(notes_of(set, type) == notes);
      write_notes(set, type, 0, &notes);
      if (layout < 2) continue;
      CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
      const hsize_t more = notes.size() + 7;
      CHECK(H5Dset_extent(set, &more) >= 0);
      notes.resize(more, {"", value});
      write_notes(set, type, 1, &notes);
    }
    CHECK(H5Ocopy(file, "2", file, "copy", H5P_DEFAULT, H5P_DEFAULT) >= 0);
  }
  if (par::rank() == 0) {
    const Id file(H5Fopen(name.c_str(), H5F_ACC_RDWR, H5P_DEFAULT));
    for (int layout = 0; layout < kPlainLayouts; ++layout) {
      const Id set(H5Dopen2(file, std::to_string(layout).c_str(), H5P_DEFAULT));
      overwrite_alone(file, set, type, wanted[static_cast<std::size_t>(layout)]);
    }
    const Id copy(H5Dopen2(file, "copy", H5P_DEFAULT));
    const hsize_t more = wanted[2].size() + 3;
    CHECK(H5Dset_extent(copy, &more) >= 0);
    wanted[2].resize(more, {"", value});
    CHECK(notes_of(copy, type) == wanted[2]);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

/// A fill value that can't become the dataset's is refused on all ranks, which go on.
CASE(fill_values_without_a_way_are_refused) {
  const Id file = par::create_file(par::file_name("no_way")), type = note_type(),
           number = number_type();
  const int value = 9;
  {
    const par::Silence silence;
    CHECK(!plain_set(file, 0, type, H5T_NATIVE_INT, &value).valid());
  }
  CHECK(plain_set(file, 0, type, number, &value).valid());
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
}

namespace {

int factor = 1;

herr_t multiply(hid_t, hid_t, H5T_cdata_t* data, size_t n, size_t, size_t, void* buf, void*,
                hid_t) {
  data->need_bkg = H5T_BKG_NO;
  if (data->command != H5T_CONV_CONV) return 0;
  if (factor == 0) return -1;
  for (size_t i = 0; i < n; ++i) static_cast<int*>(buf)[i] *= factor;
  return 0;
}

}  // namespace

/// Each rank has the program's function convert the fill value: what becomes of it must be the same.
CASE(fill_values_that_functions_convert_are_compared) {
  const Id dozens(H5Tcreate(H5T_OPAQUE, sizeof(int)));
  CHECK(H5Tset_tag(dozens, "dozens") >= 0);
  CHECK(H5Tregister(H5T_PERS_HARD, "dozens", dozens, H5T_NATIVE_INT, multiply) >= 0);
  const int value = 3;
  {
    const Id file = par::create_file(par::file_name("converted"));
    factor = 12;
    const Id set = plain_set(file, 0, H5T_NATIVE_INT, dozens, &value);
    CHECK(set.valid());
    std::vector<int> read(5 * static_cast<std::size_t>(par::size()) + 9);
    const std::vector<int> wanted(read.size(), 36);
    CHECK(H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, read.data()) >= 0);
    CHECK(read == wanted);
    const par::Silence silence;
    // One rank's function fails.
    factor = par::rank() == par::size() - 1 ? 0 : 12;
    CHECK(!plain_set(file, 2, H5T_NATIVE_INT, dozens, &value).valid());
    CHECK(H5Lexists(file, "2", H5P_DEFAULT) == 0);
    // Another one's does something else.
    factor = par::rank() == par::size() - 1 ? 13 : 12;
    if (par::size() > 1) {
      CHECK(!plain_set(file, 2, H5T_NATIVE_INT, dozens, &value).valid());
      CHECK(refused_for.find("fill value in the type of the dataset") != std::string::npos);
    }
  }
  CHECK(H5Tunregister(H5T_PERS_HARD, "dozens", dozens, H5T_NATIVE_INT, multiply) >= 0);
}
