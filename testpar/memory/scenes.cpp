// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// The calls. Room: testpar, public headers only.

#include "scenes.hpp"

#include <cstdio>

#include <mpi.h>

namespace memory {

namespace {

constexpr hsize_t kEach = 64, kChunk = 16;

hsize_t ranks() { return static_cast<hsize_t>(par::size()); }

Id row(hsize_t size) { return Id(H5Screate_simple(1, &size, nullptr)); }

/// Every ranks()-th element from this rank's number on.
void select_mine(hid_t space) {
  const hsize_t start = static_cast<hsize_t>(par::rank()), step = ranks(), count = kEach;
  CHECK(H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, &step, &count, nullptr) >= 0);
}

std::vector<double> values_of(int generation) {
  std::vector<double> values;
  for (hsize_t i = 0; i < kEach; ++i)
    values.push_back(value_of(static_cast<hsize_t>(par::rank()) + i * ranks(), generation));
  return values;
}

Id create_list_of(Layout layout) {
  Id list(H5Pcreate(H5P_DATASET_CREATE));
  const double fill = -1;
  if (layout == Layout::kCompact) CHECK(H5Pset_layout(list, H5D_COMPACT) >= 0);
  if (layout != Layout::kContiguous && layout != Layout::kCompact)
    CHECK(H5Pset_chunk(list, 1, &kChunk) >= 0);
  if (layout == Layout::kFiltered) CHECK(H5Pset_deflate(list, 1) >= 0);
  if (layout == Layout::kLate) CHECK(H5Pset_alloc_time(list, H5D_ALLOC_TIME_LATE) >= 0);
  if (layout == Layout::kSerial) CHECK(H5Pset_fill_value(list, H5T_NATIVE_DOUBLE, &fill) >= 0);
  return list;
}

Id create(hid_t file, const char* name, Layout layout) {
  const Id list = create_list_of(layout), access(H5Pcreate(H5P_DATASET_ACCESS)),
           space = row(elements());
  if (layout == Layout::kLate) CHECK(pcio_set_dapl_late_allocation(access, 1) >= 0);
  return Id(H5Dcreate2(file, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, list, access));
}

bool write(hid_t set, const Stage& stage, hid_t list, const std::vector<double>& values) {
  return H5Dwrite(set, H5T_NATIVE_DOUBLE, stage.memory, stage.space, list, values.data()) >= 0;
}

/// By rank 0 without MPI: the datasets are there and have no space yet.
void create_serially(Stage& stage, Layout layout) {
  if (par::rank() == 0) {
    const Id file(H5Fcreate(stage.name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
    CHECK(create(file, "data", layout).valid() && create(file, "other", layout).valid());
  }
  MPI_Barrier(MPI_COMM_WORLD);
  stage.file = Id(H5Fopen(stage.name.c_str(), H5F_ACC_RDWR, stage.access));
  stage.set = Id(H5Dopen2(stage.file, "data", H5P_DEFAULT));
  stage.other = Id(H5Dopen2(stage.file, "other", H5P_DEFAULT));
}

// ---- before the calls ---------------------------------------------------------------------------

void change_metadata(Stage& stage) {
  const Id scalar(H5Screate(H5S_SCALAR));
  Id group(H5Gcreate2(stage.file, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  for (int i = 0; i < 10; ++i) {
    char name[16];
    std::snprintf(name, sizeof name, "a%d", i);
    const Id attribute(
        H5Acreate2(group, name, H5T_NATIVE_DOUBLE, scalar, H5P_DEFAULT, H5P_DEFAULT));
    CHECK(H5Awrite(attribute, H5T_NATIVE_DOUBLE, stage.values.data()) >= 0);
    CHECK(create(group, name, stage.layout).valid());
  }
  CHECK(H5Ldelete(stage.file, "other", H5P_DEFAULT) >= 0);
  CHECK(stage.other.close() >= 0);
}

/// Links that go through filters: new ones, and a heap that the file has.
void change_filtered_links(Stage& stage) {
  const Id list(H5Pcreate(H5P_GROUP_CREATE));
  CHECK(H5Pset_deflate(list, 1) >= 0 && H5Pset_fletcher32(list) >= 0);
  CHECK(H5Pset_link_phase_change(list, 2, 1) >= 0);
  const std::string target(5000, 'x');
  for (const char* const name : {"one", "two"}) {
    const Id group(H5Gcreate2(stage.file, name, H5P_DEFAULT, list, H5P_DEFAULT));
    for (const char* const link : {"a", "b", "c", "d"})
      CHECK(H5Lcreate_soft(target.c_str() + (link[0] == 'd' ? 0 : 4900), group, link, H5P_DEFAULT,
                           H5P_DEFAULT) >= 0);
    if (name[0] == 'o') CHECK(H5Fflush(stage.file, H5F_SCOPE_GLOBAL) >= 0);
  }
  CHECK(H5Ldelete(stage.file, "one/d", H5P_DEFAULT) >= 0);
  CHECK(H5Lcreate_soft("y", stage.file, "one/e", H5P_DEFAULT, H5P_DEFAULT) >= 0);
}

void change_and_let_go(Stage& stage) {
  change_metadata(stage);
  CHECK(stage.set.close() >= 0);
}

/// Whole chunks by each rank alone, which wait for the call.
void write_waiting(Stage& stage) {
  const hsize_t chunks = elements() / kChunk;
  for (hsize_t chunk = static_cast<hsize_t>(par::rank()); chunk < chunks; chunk += ranks()) {
    const Id space = row(elements()), memory = row(kChunk);
    const hsize_t start = chunk * kChunk;
    H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &kChunk, nullptr);
    std::vector<double> values;
    for (hsize_t i = start; i < start + kChunk; ++i) values.push_back(value_of(i, 2));
    CHECK(H5Dwrite(stage.set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, values.data()) >= 0);
  }
}

/// By one rank alone: its copy of compact data is another then.
void write_alone(Stage& stage) {
  const Id list(par::transfer_list(H5FD_MPIO_INDEPENDENT));
  if (par::rank() == 0) CHECK(write(stage.set, stage, list, stage.values));
}

/// Nothing of the dataset has space.
void without_space(Stage& stage) {
  close_all(stage);
  create_serially(stage, Layout::kSerial);
}
void without_late_space(Stage& stage) {
  stage.other.close();
  CHECK(H5Ldelete(stage.file, "other", H5P_DEFAULT) >= 0);
  CHECK(H5Fflush(stage.file, H5F_SCOPE_GLOBAL) >= 0);
  stage.other = create(stage.file, "other", Layout::kLate);
}

/// "other" is virtual: the halves of "data", each by a mapping of its own.
void through_mappings(Stage& stage) {
  const Id list(H5Pcreate(H5P_DATASET_CREATE)), whole = row(elements()), part = row(elements());
  for (const hsize_t start : {hsize_t{0}, elements() / 2}) {
    const hsize_t count = elements() / 2;
    H5Sselect_hyperslab(whole, H5S_SELECT_SET, &start, nullptr, &count, nullptr);
    H5Sselect_hyperslab(part, H5S_SELECT_SET, &start, nullptr, &count, nullptr);
    CHECK(H5Pset_virtual(list, whole, ".", "data", part) >= 0);
  }
  H5Sselect_all(whole);
  CHECK(stage.other.close() >= 0);
  CHECK(H5Ldelete(stage.file, "other", H5P_DEFAULT) >= 0);
  stage.other =
      Id(H5Dcreate2(stage.file, "other", H5T_IEEE_F64LE, whole, H5P_DEFAULT, list, H5P_DEFAULT));
  CHECK(H5Fflush(stage.file, H5F_SCOPE_GLOBAL) >= 0);
}

// ---- the calls ----------------------------------------------------------------------------------

bool act_write(Stage& s) { return write(s.set, s, s.list, s.values); }
bool act_write_other(Stage& s) { return write(s.other, s, s.list, s.more[0]); }
bool act_read(Stage& s) {
  return H5Dread(s.set, H5T_NATIVE_DOUBLE, s.memory, s.space, s.list, s.more[0].data()) >= 0;
}
bool act_explain(Stage& s) {
  pcio_transfer_report_t report;
  return pcio_explain(s.set, H5T_NATIVE_DOUBLE, s.memory, s.space, s.list, PCIO_DIRECTION_WRITE,
                      &report, sizeof report) >= 0;
}
bool act_write_multi(Stage& s) {
  return H5Dwrite_multi(2, s.sets, s.types, s.memories, s.files, s.list,
                        const_cast<const void**>(s.buffers)) >= 0;
}
bool act_read_multi(Stage& s) {
  void* into[2] = {s.more[0].data(), s.more[1].data()};
  return H5Dread_multi(2, s.sets, s.types, s.memories, s.files, s.list, into) >= 0;
}
bool act_write_chunk(Stage& s) {
  const hsize_t at = static_cast<hsize_t>(par::rank()) * kChunk;
  // All filters are skipped.
  return H5Dwrite_chunk(s.other, s.list, s.layout == Layout::kFiltered ? 1 : 0, &at,
                        kChunk * sizeof(double), s.more[1].data()) >= 0;
}
bool act_flush(Stage& s) { return H5Fflush(s.file, H5F_SCOPE_GLOBAL) >= 0; }
/// Under another name each time: the first one may be there.
bool act_copy(Stage& s) {
  static int count = 0;
  char name[16];
  std::snprintf(name, sizeof name, "copy%d", ++count);
  return H5Ocopy(s.file, "other", s.file, name, H5P_DEFAULT, H5P_DEFAULT) >= 0;
}
/// A file that could not be closed keeps its id.
bool act_close(Stage& s) {
  if (s.file.valid() && H5Fclose(s.file) < 0) return false;
  s.file.close();
  return true;
}

constexpr auto kAny = PCIO_TRANSPORT_NONE;
constexpr auto kDirect = PCIO_TRANSPORT_DIRECT;
constexpr auto kExchange = PCIO_TRANSPORT_EXCHANGE;
constexpr auto kView = PCIO_TRANSPORT_VIEW;
constexpr auto kAuto = H5FD_MPIO_CHUNK_DEFAULT;
constexpr auto kMulti = H5FD_MPIO_CHUNK_MULTI_IO;
constexpr auto kNoOpt = PCIO_MPIO_CHUNK_MULTI_NO_OPT_IO;

const std::vector<Scene> kTransferScenes = {
    {"write", Layout::kContiguous, kDirect, kAuto, After::kNew, nullptr, act_write},
    {"write", Layout::kContiguous, kExchange, kAuto, After::kNew, nullptr, act_write},
    {"write", Layout::kContiguous, kView, kAuto, After::kNew, nullptr, act_write},
    {"write", Layout::kChunked, kDirect, kMulti, After::kNew, nullptr, act_write},
    {"write", Layout::kChunked, kExchange, kMulti, After::kNew, nullptr, act_write},
    {"write", Layout::kChunked, kView, kMulti, After::kNew, nullptr, act_write},
    {"write", Layout::kChunked, kView, kNoOpt, After::kNew, nullptr, act_write},
    {"write", Layout::kFiltered, kAny, kAuto, After::kNew, nullptr, act_write},
    {"write", Layout::kLate, kExchange, kAuto, After::kNew, nullptr, act_write},
    {"first write", Layout::kLate, kExchange, kAuto, After::kOld, without_late_space,
     act_write_other},
    {"first write", Layout::kSerial, kDirect, kAuto, After::kNew, without_space, act_write},
    {"read", Layout::kContiguous, kExchange, kAuto, After::kOld, nullptr, act_read},
    {"read", Layout::kContiguous, kView, kAuto, After::kOld, nullptr, act_read},
    {"read", Layout::kChunked, kDirect, kMulti, After::kOld, nullptr, act_read},
    {"read", Layout::kChunked, kExchange, kAuto, After::kOld, nullptr, act_read},
    {"read", Layout::kFiltered, kAny, kAuto, After::kOld, nullptr, act_read},
    {"explain", Layout::kChunked, kExchange, kMulti, After::kOld, nullptr, act_explain},
    {"explain", Layout::kFiltered, kAny, kAuto, After::kOld, nullptr, act_explain},
    {"write_multi", Layout::kContiguous, kAny, kAuto, After::kNew, nullptr, act_write_multi},
    {"write_multi", Layout::kChunked, kAny, kMulti, After::kNew, nullptr, act_write_multi},
    {"write_multi", Layout::kFiltered, kAny, kAuto, After::kNew, nullptr, act_write_multi},
    {"read_multi", Layout::kChunked, kExchange, kMulti, After::kOld, nullptr, act_read_multi},
    {"read_multi", Layout::kFiltered, kAny, kAuto, After::kOld, nullptr, act_read_multi},
    {"write_chunk", Layout::kFiltered, kAny, kAuto, After::kOld, nullptr, act_write_chunk},
    {"write_chunk", Layout::kLate, kAny, kAuto, After::kOld, without_late_space, act_write_chunk},
    {"flush of chunks", Layout::kFiltered, kAny, kAuto, After::kNew, write_waiting, act_flush},
    {"flush", Layout::kChunked, kAny, kAuto, After::kOld, change_metadata, act_flush},
    {"flush", Layout::kContiguous, kAny, kAuto, After::kOld, change_metadata, act_flush},
    {"flush of links with filters", Layout::kContiguous, kAny, kAuto, After::kOld,
     change_filtered_links, act_flush},
    {"close", Layout::kFiltered, kAny, kAuto, After::kOld, change_and_let_go, act_close},
    {"copy", Layout::kFiltered, kAny, kAuto, After::kOld, nullptr, act_copy},
    {"copy", Layout::kChunked, kAny, kAuto, After::kOld, nullptr, act_copy},
    {"write through mappings", Layout::kContiguous, kAny, kAuto, After::kNew, through_mappings,
     act_write_other},
    {"write", Layout::kCompact, kAny, kAuto, After::kNew, nullptr, act_write},
    {"read", Layout::kCompact, kAny, kAuto, After::kOld, nullptr, act_read},
    {"flush of one rank's data", Layout::kCompact, kAny, kAuto, After::kOld, write_alone,
     act_flush}};

}  // namespace

const std::vector<Scene>& scenes() {
  static const std::vector<Scene> all = [] {
    std::vector<Scene> both = kTransferScenes;
    both.insert(both.end(), kFileScenes.begin(), kFileScenes.end());
    both.insert(both.end(), kWordScenes.begin(), kWordScenes.end());
    both.insert(both.end(), kRegionScenes.begin(), kRegionScenes.end());
    return both;
  }();
  return all;
}

void close_all(Stage& stage) {
  CHECK(stage.set.close() >= 0 && stage.other.close() >= 0 && stage.file.close() >= 0);
}

const char* name_of(Layout layout) {
  static const char* const kNames[] = {"contiguous", "chunked", "filtered", "late",
                                       "serial",     "compact", "words"};
  return kNames[static_cast<int>(layout)];
}

hsize_t elements() { return kEach * ranks(); }

double value_of(hsize_t element, int generation) {
  return generation * 100000.0 + static_cast<double>(element);
}

Stage make_stage(const Scene& scene, const std::string& name) {
  Stage s;
  s.name = name;
  s.second_name = name + ".second";
  s.layout = scene.layout;
  s.access = Id(par::mpio_access());
  s.list = Id(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  CHECK(H5Pset_dxpl_mpio_chunk_opt(s.list, scene.option) >= 0);
  CHECK(pcio_set_dxpl_transport(s.list, scene.transport) >= 0);
  s.alone = Id(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  s.space = row(elements());
  select_mine(s.space);
  s.memory = row(kEach);
  s.file = Id(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, s.access));
  s.set = create(s.file, "data", scene.layout);
  s.other = create(s.file, "other", scene.layout);
  const std::vector<double> first = values_of(1);
  CHECK(write(s.set, s, s.alone, first) && write(s.other, s, s.alone, first));
  CHECK(H5Fflush(s.file, H5F_SCOPE_GLOBAL) >= 0);
  s.values = values_of(2);
  s.more[0] = s.values;
  for (hsize_t i = 0; i < kEach; ++i)
    s.more[1].push_back(value_of(static_cast<hsize_t>(par::rank()) * kChunk + i, 2));
  if (scene.before != nullptr) scene.before(s);
  const hid_t sets[2] = {s.set, s.other};
  for (int i = 0; i < 2; ++i) {
    s.sets[i] = sets[i];
    s.types[i] = H5T_NATIVE_DOUBLE;
    s.memories[i] = s.memory;
    s.files[i] = s.space;
    s.buffers[i] = s.values.data();
  }
  return s;
}

bool holds(const Stage& stage, int only) {
  const Id file(H5Fopen(stage.name.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
  bool good = file.valid();
  for (const char* const set_name : {"data", "other"}) {
    if (good && H5Lexists(file, set_name, H5P_DEFAULT) <= 0 && set_name[0] == 'o') continue;
    const Id set(H5Dopen2(file, set_name, H5P_DEFAULT));
    std::vector<double> found(elements(), -7);
    good =
        good && H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, found.data()) >= 0;
    for (hsize_t i = 0; good && i < elements(); ++i) {
      const double is = found[i];
      const bool known = is == value_of(i, 1) || is == value_of(i, 2);
      // What was never written: zero, or the fill value of files of serial programs.
      const bool fill =
          is == -1 || (is == 0 && (set_name[0] == 'o' || stage.layout == Layout::kSerial));
      good = set_name[0] == 'd' && only != 0 ? is == value_of(i, only) : known || fill;
      if (!good) std::printf("%s[%llu] is %g\n", set_name, static_cast<unsigned long long>(i), is);
    }
  }
  if (good && stage.layout == Layout::kWords) good = words_hold(file, par::size());
  return good;
}

}  // namespace memory
