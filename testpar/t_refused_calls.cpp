// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Calls in which the ranks meet, and that one rank can't make: a dataset whose fill value has to be written, a larger extent
// of such a one, a copy. All ranks fail, nothing has changed, and the file goes on, until it is closed and read
// again. Room: testpar, public headers only, and faults/ for writes that fail.

#include <cstdio>
#include <string>
#include <vector>

#include <mpi.h>
#include <pcio.h>

#include "faults/cells.hpp"

using namespace faults;

namespace {

constexpr hsize_t kElements = 40, kChunk = 8;
using Ints = std::vector<int>;

enum class Layout { kContiguous, kChunked, kEarly, kIncremental, kImplicit };
constexpr Layout kFilling[] = {Layout::kContiguous, Layout::kChunked, Layout::kEarly,
                               Layout::kIncremental, Layout::kImplicit};

/// What the one rank has wrong.
enum class Mistake {
  kTaken,        ///< the name is another object's
  kMissing,      ///< a group on the way is none
  kThroughData,  ///< a dataset is on the way
  kPlaceItself,  ///< the name is a place, as "/"
  kNowhere,      ///< groups on the way would be made, but for a soft link to nowhere
  kList,         ///< chunks of another number of dimensions, or such a list
  kSpace,        ///< a dataspace that is a datatype
  kType,         ///< a datatype that is a dataspace
  kConversion    ///< a fill value that is no number of this type
};
constexpr Mistake kMistakes[] = {Mistake::kTaken,       Mistake::kMissing, Mistake::kThroughData,
                                 Mistake::kPlaceItself, Mistake::kNowhere, Mistake::kList,
                                 Mistake::kSpace,       Mistake::kType,    Mistake::kConversion};

Id creation_list(Layout layout) {
  Id list(H5Pcreate(H5P_DATASET_CREATE));
  const int seven = 7;
  CHECK(H5Pset_fill_value(list, H5T_NATIVE_INT, &seven) >= 0);
  CHECK(H5Pset_fill_time(list, H5D_FILL_TIME_ALLOC) >= 0);
  const bool chunked = layout != Layout::kContiguous;
  if (chunked) CHECK(H5Pset_chunk(list, 1, &kChunk) >= 0);
  if (layout == Layout::kEarly || layout == Layout::kImplicit)
    CHECK(H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY) >= 0);
  if (layout == Layout::kIncremental) CHECK(H5Pset_alloc_time(list, H5D_ALLOC_TIME_INCR) >= 0);
  return list;
}
Id space_for(Layout layout) {
  const hsize_t most = H5S_UNLIMITED;
  const bool grows = layout == Layout::kChunked || layout == Layout::kEarly;
  return Id(H5Screate_simple(1, &kElements, grows ? &most : nullptr));
}
Id group_making_list() {
  Id list(H5Pcreate(H5P_LINK_CREATE));
  CHECK(H5Pset_create_intermediate_group(list, 1) >= 0);
  return list;
}

/// Of the last create: closing its lists begins a new stack.
std::string last_error;

/// Without a name.
Id create_anonymous(hid_t file, Layout layout, Mistake wrong, bool bad) {
  const Id list(creation_list(layout)), space(space_for(layout));
  if (bad && wrong == Mistake::kList) CHECK(H5Pset_fill_value(list, H5T_C_S1, "a") >= 0);
  const hid_t type = bad && wrong == Mistake::kType ? static_cast<hid_t>(space) : H5T_NATIVE_INT;
  Id data(H5Dcreate_anon(file, type, space, list, H5P_DEFAULT));
  last_error = data.valid() ? std::string() : par::error_text();
  return data;
}

/// Every rank makes "new/data", in groups that it makes on the way; a rank with something wrong something else.
Id create(hid_t file, Layout layout, Mistake wrong, bool bad) {
  const Id list(creation_list(layout)), space(space_for(layout)), links(group_making_list());
  const char* name = "new/data";
  hid_t type = H5T_NATIVE_INT, extent = space, way = links;
  if (bad) {
    if (wrong == Mistake::kTaken) name = "taken";
    if (wrong == Mistake::kMissing) {
      name = "missing/data";
      way = H5P_DEFAULT;
    }
    if (wrong == Mistake::kThroughData) name = "taken/data";
    if (wrong == Mistake::kPlaceItself) name = "/";
    if (wrong == Mistake::kNowhere) name = "nowhere/data";
    if (wrong == Mistake::kSpace) extent = H5T_NATIVE_INT;
    if (wrong == Mistake::kType) type = space;
    if (wrong == Mistake::kConversion) type = H5T_C_S1;
    if (wrong == Mistake::kList) {
      const hsize_t chunk[2] = {4, 4};
      if (layout == Layout::kContiguous)
        CHECK(H5Pset_external(list, "raw", 0, 1) >= 0);
      else
        CHECK(H5Pset_chunk(list, 2, chunk) >= 0);
    }
  }
  Id data(H5Dcreate2(file, name, type, extent, way, list, H5P_DEFAULT));
  last_error = data.valid() ? std::string() : par::error_text();
  return data;
}

Id create_file(const std::string& name) {
  const Id access(par::mpio_access());
  Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
  const Id one(H5Screate(H5S_SCALAR));
  const Id taken(
      H5Dcreate2(file, "taken", H5T_NATIVE_INT, one, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  CHECK(taken.valid() &&
        H5Lcreate_soft("/no/where", file, "nowhere", H5P_DEFAULT, H5P_DEFAULT) >= 0);
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  return file;
}

/// This rank's elements become its rank, together.
bool write_mine(hid_t data) {
  const hsize_t n = kElements / static_cast<hsize_t>(par::size());
  const hsize_t start = n * static_cast<hsize_t>(par::rank());
  const Id space(H5Dget_space(data)), memory(H5Screate_simple(1, &n, nullptr));
  H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &n, nullptr);
  const Ints values(n, par::rank());
  return H5Dwrite(data, H5T_NATIVE_INT, memory, space, Id(par::transfer_list(H5FD_MPIO_COLLECTIVE)),
                  values.data()) >= 0;
}
bool holds(hid_t data) {
  Ints values(kElements, -1);
  if (H5Dread(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0) return false;
  const hsize_t n = kElements / static_cast<hsize_t>(par::size());
  for (hsize_t i = 0; i < kElements; ++i) {
    const int wanted = i / n < static_cast<hsize_t>(par::size()) ? static_cast<int>(i / n) : 7;
    if (values[i] != wanted) return false;
  }
  return true;
}

/// A failure on one rank that all of them tell.
void judge_refusal(const Id& data, int culprit) {
  const bool named = last_error.find("rank " + std::to_string(culprit)) != std::string::npos;
  judge(!data.valid(), "it is made");
  judge(par::rank() == culprit || named, "the rank is not named: " + last_error);
}

/// All that one does with a file is done with this one, as if nothing had been.
void go_on(Id& file, const std::string& name, Layout layout) {
  judge(H5Lexists(file, "new", H5P_DEFAULT) == 0, "something was made");
  {
    const Id data = create(file, layout, Mistake::kTaken, false);
    judge(data.valid(), "the next create fails: " + last_error);
    judge(write_mine(data), "the next write fails: " + par::error_text());
  }
  judge(Id(H5Gcreate2(file, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)).valid(), "no group");
  judge(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0, "it can't be flushed: " + par::error_text());
  judge(file.close() >= 0, "it can't be closed: " + par::error_text());
  {
    const Id again(par::open_file(name, H5F_ACC_RDONLY));
    judge(again.valid(), "it can't be opened");
    judge(holds(Id(H5Dopen2(again, "new/data", H5P_DEFAULT))), "it has other values");
  }
}

std::string label(const char* what, Layout layout, Mistake wrong, int culprit) {
  return std::string(what) + ", layout " + std::to_string(static_cast<int>(layout)) + ", mistake " +
         std::to_string(static_cast<int>(wrong)) + ", rank " + std::to_string(culprit);
}

}  // namespace

CASE(creates_that_one_rank_refuses) {
  const par::Silence quiet;
  for (const Layout layout : kFilling)
    for (const Mistake wrong : kMistakes)
      for (const int culprit : culprits()) {
        begin_cell(label("refused", layout, wrong, culprit));
        const std::string name = par::file_name("refused");
        Id file(create_file(name));
        const Id data = create(file, layout, wrong, par::rank() == culprit);
        judge_refusal(data, culprit);
        go_on(file, name, layout);
        remove_file(name);
      }
}

CASE(creates_without_a_name_that_one_rank_refuses) {
  const par::Silence quiet;
  for (const Layout layout : kFilling)
    for (const Mistake wrong : {Mistake::kList, Mistake::kType})
      for (const int culprit : culprits()) {
        begin_cell(label("anonymous", layout, wrong, culprit));
        const std::string name = par::file_name("anonymous");
        Id file(create_file(name));
        judge_refusal(create_anonymous(file, layout, wrong, par::rank() == culprit), culprit);
        Id data = create_anonymous(file, layout, wrong, false);
        judge(data.valid(), "the next one fails: " + last_error);
        judge(H5Olink(data, file, "linked", H5P_DEFAULT, H5P_DEFAULT) >= 0, "it can't be linked");
        judge(data.close() >= 0, "it can't be closed");
        go_on(file, name, layout);
        remove_file(name);
      }
}

/// A fill that fails has written something: nothing that is made then takes it for zeros that nobody wrote.
CASE(zeros_where_a_fill_failed) {
  const par::Silence quiet;
  const hsize_t size = 32768 * static_cast<hsize_t>(par::size()), chunk = size / 64;
  for (const bool chunked : {false, true})
    for (const bool grows : {false, true})
      for (const int culprit : culprits()) {
        if (grows && !chunked) continue;
        const std::string name = par::file_name("zeros");
        Id file(create_file(name));
        Id small;
        if (grows) small = create_filled(file, "small", {1, chunk, H5P_DEFAULT});
        const bool struck =
            strike({grows ? "extent" : "create", Fault::kWriteError, 0, culprit, name}, [&] {
              if (grows) return H5Dset_extent(small, &size) >= 0;
              return create_filled(file, "filled", {size, chunked ? chunk : 0, H5P_DEFAULT})
                  .valid();
            });
        const Id space(H5Screate_simple(1, &size, nullptr));
        Id zeros(H5Dcreate2(file, "zeros", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT,
                            H5P_DEFAULT));
        Ints values(size, -1);
        judge(H5Dread(zeros, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0 &&
                  values == Ints(size),
              "something else than zeros");
        judge(!struck || H5Lexists(file, "filled", H5P_DEFAULT) == 0, "it has a name");
        judge(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0, "it can't be flushed: " + par::error_text());
        zeros.close();
        small.close();
        judge(file.close() >= 0, "it can't be closed: " + par::error_text());
        remove_file(name);
      }
}

/// A name in UTF-8 makes an old-style group a new-style one, and is undone with the create: rank 0 has the group all the time,
/// and others read it again.
CASE(groups_keep_their_style_where_a_fill_failed) {
  const par::Silence quiet;
  const hsize_t size = 32768 * static_cast<hsize_t>(par::size());
  const Id list(creation_list(Layout::kContiguous)), links(group_making_list());
  const Id space(H5Screate_simple(1, &size, nullptr));
  CHECK(H5Pset_char_encoding(links, H5T_CSET_UTF8) >= 0);
  for (const char* made : {"old/new", "old/on/the/way/new"})
    for (const int culprit : culprits()) {
      const std::string name = par::file_name("style");
      Id file(create_file(name));
      for (const char* group : {"old", "old/first"})
        CHECK(Id(H5Gcreate2(file, group, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)).valid());
      for (int i = 0; i < 20; ++i)
        CHECK(Id(H5Gcreate2(file, ("other" + std::to_string(i)).c_str(), H5P_DEFAULT, H5P_DEFAULT,
                            H5P_DEFAULT))
                  .valid());
      CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
      Id held;
      if (par::rank() == 0) held = Id(H5Gopen2(file, "old", H5P_DEFAULT));
      const auto create = [&] {
        return Id(H5Dcreate2(file, made, H5T_NATIVE_INT, space, links, list, H5P_DEFAULT)).valid();
      };
      strike({std::string("UTF-8 ") + made, Fault::kWriteError, 0, culprit, name}, create);
      for (int i = 0; i < 20; ++i)
        H5Lexists(file, ("other" + std::to_string(i) + "/none").c_str(), H5P_DEFAULT);
      judge(Id(H5Gcreate2(file, "old/later", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)).valid(),
            "no group: " + par::error_text());
      judge(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0, "it can't be flushed: " + par::error_text());
      judge(H5Lexists(file, made, H5P_DEFAULT) > 0 || create(),
            "it can't be repeated: " + par::error_text());
      held.close();
      judge(file.close() >= 0, "it can't be closed: " + par::error_text());
      {
        const Id again(par::open_file(name, H5F_ACC_RDONLY));
        for (const char* there : {"old/first", "old/later", made})
          judge(Id(H5Oopen(again, there, H5P_DEFAULT)).valid(), std::string("no ") + there);
      }
      remove_file(name);
    }
}

/// Text in new elements that can't be filled: the extent is the old one, and who tries again has them filled.
CASE(extents_whose_text_one_rank_can_not_fill) {
  const par::Silence quiet;
  const Id text(H5Tcopy(H5T_C_S1));
  CHECK(H5Tset_size(text, H5T_VARIABLE) >= 0);
  const char* const fill = "fill";
  const hsize_t few = 4, many = 20000, most = H5S_UNLIMITED, chunk = 100;
  for (const H5D_alloc_time_t time : {H5D_ALLOC_TIME_EARLY, H5D_ALLOC_TIME_INCR})
    for (const std::uint64_t at : {0, 1, 3})
      for (const int culprit : culprits()) {
        const std::string name = par::file_name("text");
        Id file(create_file(name));
        const Id list(H5Pcreate(H5P_DATASET_CREATE)), space(H5Screate_simple(1, &few, &most));
        CHECK(H5Pset_chunk(list, 1, &chunk) >= 0 && H5Pset_fill_value(list, text, &fill) >= 0 &&
              H5Pset_alloc_time(list, time) >= 0);
        Id data(H5Dcreate2(file, "text", text, space, H5P_DEFAULT, list, H5P_DEFAULT));
        CHECK(data.valid() && H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
        const auto grow = [&] { return H5Dset_extent(data, &many) >= 0; };
        const bool struck = strike({"text", Fault::kWriteError, at, culprit, name}, grow);
        hsize_t now = 0;
        H5Sget_simple_extent_dims(Id(H5Dget_space(data)), &now, nullptr);
        judge(now == (struck ? few : many), "the extent is " + std::to_string(now));
        // A commit that failed is repeated before there is new space.
        judge(grow() || (H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0 && grow()),
              "it can't be repeated: " + par::error_text());
        judge(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0, "it can't be flushed: " + par::error_text());
        judge(data.close() >= 0 && file.close() >= 0, "it can't be closed: " + par::error_text());
        {
          const Id again(par::open_file(name, H5F_ACC_RDONLY));
          const Id found(H5Dopen2(again, "text", H5P_DEFAULT)), all(H5Dget_space(found));
          std::vector<char*> read(many);
          judge(H5Dread(found, text, H5S_ALL, H5S_ALL, H5P_DEFAULT, read.data()) >= 0, "no read");
          std::size_t others = 0;
          for (const char* one : read) others += one == nullptr || std::string(one) != fill;
          judge(others == 0, std::to_string(others) + " elements are not filled");
          H5Dvlen_reclaim(text, all, H5P_DEFAULT, read.data());
        }
        remove_file(name);
      }
}

/// What the one rank asks for can't be, of 2 dimensions.
CASE(extents_that_one_rank_refuses) {
  const par::Silence quiet;
  const hsize_t now[2] = {6, 6}, most[2] = {H5S_UNLIMITED, 60}, larger[2] = {20, 20};
  const hsize_t chunk[2] = {4, 4}, kHuge = hsize_t{1} << 63;
  const hsize_t wrongs[][2] = {{20, 61}, {kHuge, 6}, {hsize_t{1} << 60, 20}, {0, 0}};
  for (const H5F_libver_t low : {H5F_LIBVER_EARLIEST, H5F_LIBVER_V110})
    for (const auto& wrong : wrongs)
      for (const int culprit : culprits()) {
        begin_cell("extent " + std::to_string(wrong[0]) + " x " + std::to_string(wrong[1]) +
                   ", rank " + std::to_string(culprit));
        const std::string name = par::file_name("extent");
        const Id access(par::mpio_access(MPI_COMM_WORLD, low)), list(H5Pcreate(H5P_DATASET_CREATE));
        const Id space(H5Screate_simple(2, now, most));
        const int seven = 7;
        CHECK(H5Pset_chunk(list, 2, chunk) >= 0);
        CHECK(H5Pset_fill_value(list, H5T_NATIVE_INT, &seven) >= 0);
        Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
        Id data(H5Dcreate2(file, "d", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT));
        const hsize_t* const given = wrong[0] == 0 ? nullptr : wrong;
        judge(H5Dset_extent(data, par::rank() == culprit ? given : larger) < 0, "it succeeds");
        const std::string told = par::error_text();
        judge(par::rank() == culprit ||
                  told.find("rank " + std::to_string(culprit)) != std::string::npos,
              "the rank is not named: " + told);
        judge(H5Dset_extent(data, larger) >= 0, "it can't grow: " + par::error_text());
        judge(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0, "it can't be flushed: " + par::error_text());
        judge(data.close() >= 0 && file.close() >= 0, "it can't be closed: " + par::error_text());
        {
          const Id again(par::open_file(name, H5F_ACC_RDONLY));
          const Id found(H5Dopen2(again, "d", H5P_DEFAULT));
          Ints values(400, -1);
          judge(H5Dread(found, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0 &&
                    values == Ints(400, 7),
                "it has other values");
        }
        remove_file(name);
      }
}

/// What one rank copies, or where to, is none.
CASE(copies_that_one_rank_refuses) {
  const par::Silence quiet;
  const char* const wrongs[][2] = {
      {"taken", "taken"}, {"no such", "new"}, {"taken", "no such/new"}, {"taken", "taken/new"}};
  for (const auto& wrong : wrongs)
    for (const int culprit : culprits()) {
      begin_cell(std::string("copy of ") + wrong[0] + " to " + wrong[1] + ", rank " +
                 std::to_string(culprit));
      const std::string name = par::file_name("copy");
      Id file(create_file(name));
      const bool bad = par::rank() == culprit;
      judge(H5Ocopy(file, bad ? wrong[0] : "taken", file, bad ? wrong[1] : "new", H5P_DEFAULT,
                    H5P_DEFAULT) < 0,
            "it succeeds");
      const std::string told = par::error_text();
      judge(bad || told.find("rank " + std::to_string(culprit)) != std::string::npos,
            "the rank is not named: " + told);
      judge(H5Ocopy(file, "taken", file, "copy", H5P_DEFAULT, H5P_DEFAULT) >= 0,
            "the next copy fails: " + par::error_text());
      go_on(file, name, Layout::kChunked);
      remove_file(name);
    }
}
