// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Scenes of datasets: space, indexes, chunks in memory, extents, strings. Room: test, public headers only.

#include <array>
#include <cstdio>

#include "retries/scenes.hpp"

namespace retries {

namespace {

constexpr hsize_t kElements = 120;
enum class Index { kNone, kCompact, kTree, kSingle, kImplicit, kFixed, kExtensible, kTree2 };
struct Kind {
  const char* name;
  Index index;
  Format format;
  bool filtered;
};
constexpr Kind kKinds[] = {
    {"contiguous", Index::kNone, Format::kOld, false},
    {"compact", Index::kCompact, Format::kOld, false},
    {"tree", Index::kTree, Format::kOld, false},
    {"tree, filters", Index::kTree, Format::kOld, true},
    {"single", Index::kSingle, Format::kNew, false},
    {"single, filters", Index::kSingle, Format::kNew, true},
    {"implicit", Index::kImplicit, Format::kNew, false},
    {"fixed array", Index::kFixed, Format::kNew, false},
    {"fixed array, filters", Index::kFixed, Format::kNew, true},
    {"extensible array", Index::kExtensible, Format::kNew, false},
    {"extensible array, filters", Index::kExtensible, Format::kNew, true},
    {"second tree", Index::kTree2, Format::kNew, false},
    {"second tree, filters", Index::kTree2, Format::kNew, true},
};

std::array<int, 2 * kElements> numbers, old_numbers;
std::array<char[32], 60> texts;
std::array<const char*, 60> strings, old_strings;

/// How much of the data the file has when the call comes.
enum class Before { kNothing, kNoDataset, kHalf, kAll };

struct Shape {
  int rank;
  hsize_t dims[2], most[2], chunk[2];
};
Shape shape_of(Index index) {
  Shape shape{1, {kElements, 0}, {H5S_UNLIMITED, 0}, {3, 0}};
  switch (index) {
    case Index::kTree2: return {2, {10, 12}, {H5S_UNLIMITED, H5S_UNLIMITED}, {2, 2}};
    case Index::kSingle: shape.chunk[0] = kElements; [[fallthrough]];
    case Index::kNone:
    case Index::kCompact:
    case Index::kImplicit:
    case Index::kFixed: shape.most[0] = kElements; break;
    default: break;
  }
  return shape;
}

hid_t creation_list(const Kind& kind, const Shape& shape, H5D_alloc_time_t allocation) {
  const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  const int fill = 7;
  H5Pset_fill_value(list, H5T_NATIVE_INT, &fill);
  if (kind.index == Index::kCompact) H5Pset_layout(list, H5D_COMPACT);
  if (kind.index > Index::kCompact) H5Pset_chunk(list, shape.rank, shape.chunk);
  if (kind.filtered) H5Pset_shuffle(list), H5Pset_deflate(list, 1);
  if (kind.index == Index::kImplicit) allocation = H5D_ALLOC_TIME_EARLY;
  if (kind.index != Index::kCompact) H5Pset_alloc_time(list, allocation);
  return list;
}

/// What is left open for the call: the lists of a create.
struct Lists {
  hid_t space = H5I_INVALID_HID, create = H5I_INVALID_HID, access = H5I_INVALID_HID;
} lists;

void make_lists(const Kind& kind, H5D_alloc_time_t allocation) {
  const Shape shape = shape_of(kind.index);
  for (hid_t* id : {&lists.space, &lists.create, &lists.access})
    if (*id >= 0) H5Idec_ref(*id);
  lists.space = H5Screate_simple(shape.rank, shape.dims, shape.most);
  lists.create = creation_list(kind, shape, allocation);
  lists.access = H5Pcreate(H5P_DATASET_ACCESS);
  // A few chunks, so that writing one lets go of another.
  if (kind.filtered) H5Pset_chunk_cache(lists.access, 4, 1 << 20, 0.5);
}

hid_t create(World& w) {
  return H5Dcreate2(w.place, "data", H5T_NATIVE_INT, lists.space, H5P_DEFAULT, lists.create,
                    lists.access);
}

/// The first half of the rows.
void write_half(World& w, const int* from) {
  const hid_t space = H5Dget_space(w.object);
  hsize_t start[2] = {0, 0}, count[2];
  H5Sget_simple_extent_dims(space, count, nullptr);
  count[0] /= 2;
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, count, nullptr);
  const hid_t memory = simple(static_cast<hsize_t>(H5Sget_select_npoints(space)));
  must(H5Dwrite(w.object, H5T_NATIVE_INT, memory, space, H5P_DEFAULT, from), "H5Dwrite");
  H5Sclose(memory);
  H5Sclose(space);
}

using Prepare = std::function<void(World&)>;
Prepare with(const Kind& kind, Before before, H5D_alloc_time_t allocation = H5D_ALLOC_TIME_LATE) {
  return [=](World& w) {
    for (std::size_t n = 0; n < numbers.size(); ++n) {
      numbers[n] = 1000 + static_cast<int>(n);
      old_numbers[n] = 5000 + static_cast<int>(n);
    }
    make_file(w, kind.format);
    w.place = must(H5Gopen2(w.file, "/", H5P_DEFAULT), "H5Gopen2");
    make_lists(kind, allocation);
    if (before == Before::kNoDataset) {
      w.object =
          must(H5Gcreate2(w.file, "beside", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), "H5Gcreate2");
    } else {
      w.object = must(create(w), "H5Dcreate2");
      if (before == Before::kHalf) write_half(w, old_numbers.data());
      if (before == Before::kAll)
        must(H5Dwrite(w.object, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, old_numbers.data()),
             "H5Dwrite");
    }
    must(H5Fflush(w.file, H5F_SCOPE_GLOBAL), "H5Fflush");
  };
}
/// Chunks in memory, and what the index has, differ from the file.
Prepare with_changes(const Kind& kind) {
  return [=](World& w) {
    with(kind, Before::kAll)(w);
    write_half(w, old_numbers.data() + 7);
  };
}
Prepare closed(const Prepare& prepare) {
  return [=](World& w) {
    prepare(w);
    H5Dclose(w.object);
    w.object = must(H5Gopen2(w.file, "/", H5P_DEFAULT), "H5Gopen2");
  };
}

herr_t make_dataset(World& w) {
  w.made = create(w);
  return w.made < 0 ? -1 : 0;
}
herr_t write_all(World& w) {
  return H5Dwrite(w.object, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data());
}
/// A chunk that no filter has gone over.
std::function<herr_t(World&)> write_chunk(const Kind& kind) {
  const Shape shape = shape_of(kind.index);
  const std::size_t bytes = sizeof(int) * shape.chunk[0] * (shape.rank > 1 ? shape.chunk[1] : 1);
  return [bytes, skipped = kind.filtered ? 3U : 0U](World& w) {
    const hsize_t at[2] = {6, 6};
    return H5Dwrite_chunk(w.object, H5P_DEFAULT, skipped, at, bytes, numbers.data());
  };
}
herr_t grow(World& w) {
  const hsize_t dims[2] = {17, 15}, row = kElements + 31;
  return H5Dset_extent(w.object, H5Sget_simple_extent_ndims(lists.space) == 2 ? dims : &row);
}
herr_t shrink(World& w) {
  const hsize_t dims[2] = {7, 5}, row = kElements / 2 + 1;
  return H5Dset_extent(w.object, H5Sget_simple_extent_ndims(lists.space) == 2 ? dims : &row);
}
herr_t drop(World& w) { return H5Ldelete(w.file, "data", H5P_DEFAULT); }
herr_t copy(World& w) {
  return H5Ocopy(w.file, "data", w.file, "a copy of data", H5P_DEFAULT, H5P_DEFAULT);
}

/// Strings, chunked or not; the old ones are in the file where `written`.
Prepare with_strings(bool chunked, bool written) {
  return [=](World& w) {
    for (std::size_t n = 0; n < strings.size(); ++n) {
      std::snprintf(texts[n], sizeof texts[n], "string of number %d", static_cast<int>(n));
      strings[n] = texts[n];
      old_strings[n] = "old";
    }
    make_file(w, Format::kOld);
    w.place = must(H5Gopen2(w.file, "/", H5P_DEFAULT), "H5Gopen2");
    w.type = H5Tcopy(H5T_C_S1);
    H5Tset_size(w.type, H5T_VARIABLE);
    const hsize_t chunk = 16;
    const hid_t space = simple(strings.size()), list = H5Pcreate(H5P_DATASET_CREATE);
    if (chunked) H5Pset_chunk(list, 1, &chunk);
    w.object = must(H5Dcreate2(w.file, "data", w.type, space, H5P_DEFAULT, list, H5P_DEFAULT),
                    "H5Dcreate2");
    if (written)
      must(H5Dwrite(w.object, w.type, H5S_ALL, H5S_ALL, H5P_DEFAULT, old_strings.data()),
           "H5Dwrite");
    H5Pclose(list);
    H5Sclose(space);
    must(H5Fflush(w.file, H5F_SCOPE_GLOBAL), "H5Fflush");
  };
}
herr_t write_strings(World& w) {
  return H5Dwrite(w.object, w.type, H5S_ALL, H5S_ALL, H5P_DEFAULT, strings.data());
}

}  // namespace

std::vector<Scene> dataset_scenes() {
  std::vector<Scene> all;
  for (const Kind& kind : kKinds) {
    const auto add = [&](const char* name, bool in_parts, Prepare prepare,
                         std::function<herr_t(World&)> act) {
      all.push_back(
          {std::string(kind.name) + ": " + name, in_parts, std::move(prepare), std::move(act)});
    };
    add("create late", false, with(kind, Before::kNoDataset), make_dataset);
    if (kind.index != Index::kCompact)
      add("create early", false, with(kind, Before::kNoDataset, H5D_ALLOC_TIME_EARLY),
          make_dataset);
    add("write the first time", true, with(kind, Before::kNothing), write_all);
    add("write half of it again", true, with(kind, Before::kHalf), write_all);
    add("write all of it again", true, with(kind, Before::kAll), write_all);
    add("write again what has changed", true, with_changes(kind), write_all);
    add("delete", false, closed(with(kind, Before::kAll)), drop);
    add("copy", false, with_changes(kind), copy);
    if (kind.index > Index::kSingle)
      add("write a chunk as it lies in the file", true, with(kind, Before::kHalf),
          write_chunk(kind));
    if (kind.index == Index::kTree || kind.index >= Index::kExtensible) {
      add("grow", false, with(kind, Before::kAll), grow);
      add("shrink", false, with(kind, Before::kAll), shrink);
      add("shrink what has changed", false, with_changes(kind), shrink);
    }
  }
  for (const bool chunked : {false, true})
    for (const bool written : {false, true})
      all.push_back({std::string("strings") + (chunked ? " in chunks" : "") +
                         (written ? ": write again" : ": write the first time"),
                     true, with_strings(chunked, written), write_strings});
  return all;
}

}  // namespace retries
