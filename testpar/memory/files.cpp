// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// The calls that open, create and close files, and those that make and change datasets whose new
// space is filled by all ranks together. Room: testpar, public headers only.

#include <mpi.h>

#include "scenes.hpp"

namespace memory {

namespace {

// ---- files --------------------------------------------------------------------------------------

bool act_open(Stage& s) {
  if (s.file.valid() && s.file.close() < 0) return false;
  s.file = Id(H5Fopen(s.name.c_str(), H5F_ACC_RDWR, s.access));
  return s.file.valid();
}

bool act_open_to_read(Stage& s) {
  if (s.file.valid() && s.file.close() < 0) return false;
  s.file = Id(H5Fopen(s.name.c_str(), H5F_ACC_RDONLY, s.access));
  return s.file.valid();
}

/// One more opening of a file that is open.
bool act_join(Stage& s) {
  if (s.made.valid() && s.made.close() < 0) return false;
  s.made = Id(H5Fopen(s.name.c_str(), H5F_ACC_RDWR, s.access));
  return s.made.valid();
}

bool act_create(Stage& s) {
  if (s.file.valid() && s.file.close() < 0) return false;
  s.file = Id(H5Fcreate(s.second_name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, s.access));
  return s.file.valid();
}

bool act_choose_mpio(Stage& s) {
  return H5Pset_fapl_mpio(s.fresh_access, MPI_COMM_WORLD, MPI_INFO_NULL) >= 0;
}

bool act_close(Stage& s) {
  if (s.file.valid() && H5Fclose(s.file) < 0) return false;
  s.file.close();
  return true;
}

void with_mpiposix(Stage& s) {
  close_all(s);
  s.access = Id(H5Pcreate(H5P_FILE_ACCESS));
  CHECK(H5Pset_fapl_mpiposix(s.access, MPI_COMM_WORLD, 0) >= 0);
}

void with_new_format(Stage& s) {
  close_all(s);
  CHECK(H5Pset_libver_bounds(s.access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST) >= 0);
}

void with_fresh_list(Stage& s) { s.fresh_access = Id(H5Pcreate(H5P_FILE_ACCESS)); }

/// Objects of all kinds stay open, and the close takes them along.
void with_open_objects(Stage& s) {
  close_all(s);
  CHECK(H5Pset_fclose_degree(s.access, H5F_CLOSE_STRONG) >= 0);
  s.file = Id(H5Fopen(s.name.c_str(), H5F_ACC_RDWR, s.access));
  s.set = Id(H5Dopen2(s.file, "data", H5P_DEFAULT));
  s.other = Id(H5Dopen2(s.file, "other", H5P_DEFAULT));
  s.group_id = Id(H5Gcreate2(s.file, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  const Id scalar(H5Screate(H5S_SCALAR));
  s.attribute =
      Id(H5Acreate2(s.group_id, "a", H5T_NATIVE_DOUBLE, scalar, H5P_DEFAULT, H5P_DEFAULT));
  CHECK(H5Awrite(s.attribute, H5T_NATIVE_DOUBLE, s.values.data()) >= 0);
}

// ---- datasets -----------------------------------------------------------------------------------

/// Space of this size is more than what a chunk, or nothing, has.
constexpr hsize_t kLength = 100, kPiece = 16;

Id filled_list(bool chunked, double fill = 5) {
  Id list(H5Pcreate(H5P_DATASET_CREATE));
  CHECK(H5Pset_fill_value(list, H5T_NATIVE_DOUBLE, &fill) >= 0);
  CHECK(H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY) >= 0);
  if (chunked) CHECK(H5Pset_chunk(list, 1, &kPiece) >= 0);
  return list;
}

void to_create(Stage& s) {
  const hsize_t length = kLength * par::size();
  s.data_space = Id(H5Screate_simple(1, &length, nullptr));
  s.create_list = filled_list(s.layout == Layout::kChunked);
  // Nothing that a short text holds.
  s.create_access = Id(H5Pcreate(H5P_DATASET_ACCESS));
  CHECK(H5Pset_elink_prefix(s.create_access, std::string(100, 'x').c_str()) >= 0);
}

/// True where all that was made holds the fill value.
bool act_create_filled(Stage& s) {
  static const char* const kNames[] = {"new0", "new1"};
  if (s.made.valid() && s.made.close() < 0) return false;
  s.made = Id(H5Dcreate2(s.file, kNames[s.made_count], H5T_NATIVE_FLOAT, s.data_space, H5P_DEFAULT,
                         s.create_list, s.create_access));
  if (s.made.valid()) ++s.made_count;
  return s.made.valid();
}

bool act_create_anonymous(Stage& s) {
  if (s.made.valid() && s.made.close() < 0) return false;
  s.made =
      Id(H5Dcreate_anon(s.file, H5T_NATIVE_FLOAT, s.data_space, s.create_list, s.create_access));
  return s.made.valid();
}

/// In groups that are made on the way, of a type that is in the file.
void to_create_far(Stage& s) {
  to_create(s);
  s.link_list = Id(H5Pcreate(H5P_LINK_CREATE));
  CHECK(H5Pset_create_intermediate_group(s.link_list, 1) >= 0);
  s.type = Id(H5Tcopy(H5T_NATIVE_FLOAT));
  CHECK(H5Tcommit2(s.file, "type", s.type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT) >= 0);
  CHECK(H5Fflush(s.file, H5F_SCOPE_GLOBAL) >= 0);
}

bool act_create_far(Stage& s) {
  static const char* const kNames[] = {"way/to/a_rather_long_name_of_a_group/new0",
                                       "way/to/a_rather_long_name_of_a_group/new1"};
  if (s.made.valid() && s.made.close() < 0) return false;
  s.made = Id(H5Dcreate2(s.file, kNames[s.made_count], s.type, s.data_space, s.link_list,
                         s.create_list, s.create_access));
  if (s.made.valid()) ++s.made_count;
  return s.made.valid();
}

/// "grown" is this long now, and will be `size`.
void make_grown(Stage& s, hsize_t now, hsize_t size, double fill = 5) {
  const hsize_t most = H5S_UNLIMITED;
  const Id space(H5Screate_simple(1, &now, &most)), list = filled_list(true, fill);
  s.made =
      Id(H5Dcreate2(s.file, "grown", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, list, H5P_DEFAULT));
  CHECK(s.made.valid() && H5Fflush(s.file, H5F_SCOPE_GLOBAL) >= 0);
  s.size = size;
}

void to_grow(Stage& s) { make_grown(s, 10, kLength * par::size()); }
void to_shrink(Stage& s) { make_grown(s, kLength * par::size(), 10, 0); }
void to_grow_again(Stage& s) {
  make_grown(s, kLength * par::size(), kLength * par::size() + 50);
  const hsize_t small = 11;
  CHECK(H5Dset_extent(s.made, &small) >= 0);
}

bool act_extend(Stage& s) { return H5Dset_extent(s.made, &s.size) >= 0; }

/// A smaller extent of zeros asks nobody: what one rank lacked shows in the next call that communicates.
bool act_shrink(Stage& s) {
  const bool changed = H5Dset_extent(s.made, &s.size) >= 0;
  return H5Fflush(s.file, H5F_SCOPE_GLOBAL) >= 0 && changed;
}

constexpr auto kAny = PCIO_TRANSPORT_NONE;
constexpr auto kAuto = H5FD_MPIO_CHUNK_DEFAULT;

Scene scene(const char* name, Layout layout, void (*before)(Stage&), bool (*act)(Stage&),
            Again again) {
  return {name, layout, kAny, kAuto, After::kOld, before, act, again};
}

}  // namespace

const std::vector<Scene> kFileScenes = {
    scene("H5Fopen", Layout::kContiguous, close_all, act_open, Again::kSucceeds),
    scene("H5Fopen to read", Layout::kChunked, close_all, act_open_to_read, Again::kSucceeds),
    scene("H5Fopen, mpiposix", Layout::kContiguous, with_mpiposix, act_open, Again::kSucceeds),
    scene("H5Fopen of an open file", Layout::kChunked, nullptr, act_join, Again::kSucceeds),
    scene("H5Fcreate", Layout::kContiguous, close_all, act_create, Again::kSucceeds),
    scene("H5Fcreate, new format", Layout::kContiguous, with_new_format, act_create,
          Again::kSucceeds),
    scene("H5Fcreate, mpiposix", Layout::kContiguous, with_mpiposix, act_create, Again::kSucceeds),
    scene("H5Pset_fapl_mpio", Layout::kContiguous, with_fresh_list, act_choose_mpio,
          Again::kSucceeds),
    scene("H5Fclose, strong", Layout::kFiltered, with_open_objects, act_close, Again::kMayFail),
    scene("H5Dcreate2", Layout::kChunked, to_create, act_create_filled, Again::kSucceeds),
    scene("H5Dcreate2", Layout::kContiguous, to_create, act_create_filled, Again::kSucceeds),
    scene("H5Dcreate2 in new groups", Layout::kChunked, to_create_far, act_create_far,
          Again::kSucceeds),
    scene("H5Dcreate_anon", Layout::kChunked, to_create, act_create_anonymous, Again::kSucceeds),
    scene("H5Dset_extent, larger", Layout::kChunked, to_grow, act_extend, Again::kSucceeds),
    scene("H5Dset_extent, larger again", Layout::kChunked, to_grow_again, act_extend,
          Again::kSucceeds),
    scene("H5Dset_extent, smaller", Layout::kChunked, to_shrink, act_shrink, Again::kMayFail)};

}  // namespace memory
