// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// The calls of the campaign. Room: testpar, public headers only.

#include "diverge/scene.hpp"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <memory>
#include <pcio.h>

#include "diverge/words.hpp"

using campaign::Histogram;

namespace diverge {

namespace {

enum class Kind { kGroup, kData };

struct Object {
  Kind kind = Kind::kGroup;
  std::string path;
  hid_t id = -1;
  bool chunked = false, compact = false, filtered = false, late = false;
  std::vector<hsize_t> dims, most, chunk;
  unsigned attributes = 0;  // a bit for each
};

const std::vector<std::string> kCallNames = {
    "group", "dataset", "write", "bad-write", "alone", "extent", "attribute", "rename", "link",
    "move",  "delete",  "type",  "refused",   "flush", "reopen", "bounds",    "copy",   "words"};
const std::vector<int> kWeights = {8, 14, 24, 3, 5, 16, 14, 3, 5, 3, 5, 3, 4, 14, 3, 1, 5, 16};
const std::vector<std::string> kWordCalls = {"make", "write", "note", "delete"};
const std::vector<std::string> kStrategies = {"aggregators", "kept", "paged", "none"};
const std::vector<std::string> kLocals = {"close", "open", "read-all", "read-one", "ask"};

class Scene {
 public:
  Scene(const Setting& setting, Histogram* histogram) : setting_(setting), histogram_(histogram) {
    MPI_Comm_rank(setting.comm, &rank_);
    MPI_Comm_size(setting.comm, &ranks_);
    const auto case_seed = setting.seed * 1000003U + static_cast<unsigned>(setting.number);
    shared_.seed(case_seed);
    own_.seed(case_seed * 31U + static_cast<unsigned>(rank_) + 7);
    words_ = std::make_unique<Words>(rank_, ranks_);
  }

  bool run() {
    begin();
    for (int n = 0; n < setting_.calls && good_; ++n) {
      call();
      settle();
    }
    leave();
    must(H5Fclose(file_) >= 0, "H5Fclose");
    H5Pclose(access_);
    H5Pclose(list_);
    H5Pclose(late_);
    return good_;
  }

 private:
  using Choice = std::uint64_t;
  Choice pick(Choice n) { return shared_() % n; }
  Choice mine(Choice n) { return own_() % n; }
  void count(const char* group, const std::string& bin) {
    if (histogram_ != nullptr) histogram_->count(group, bin);
  }

  /// A call of all ranks: good on all of them or, where it must fail, on none.
  void must(bool right, const std::string& what) {
    int bad = right ? 0 : 1;
    MPI_Allreduce(MPI_IN_PLACE, &bad, 1, MPI_INT, MPI_MAX, setting_.comm);
    if (bad == 0 || !good_) return;
    good_ = false;
    if (right) return;
    std::fprintf(stderr, "FAILURE: seed %u case %ld rank %d of %d: %s\n", setting_.seed,
                 setting_.number, rank_, ranks_, what.c_str());
    H5Eprint2(H5E_DEFAULT, stderr);
  }

  // --- the file ---

  void begin() {
    access_ = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_mpio(access_, setting_.comm, MPI_INFO_NULL);
    latest_ = pick(2) == 0;
    if (latest_) H5Pset_libver_bounds(access_, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
    if (pick(3) == 0) H5Pset_meta_block_size(access_, 0);
    const Choice aligned = pick(6);
    if (aligned == 0) H5Pset_alignment(access_, 512, 64);
    list_ = H5Pcreate(H5P_DATASET_XFER);
    H5Pset_dxpl_mpio(list_, H5FD_MPIO_COLLECTIVE);
    late_ = H5Pcreate(H5P_DATASET_ACCESS);
    pcio_set_dapl_late_allocation(late_, 1);
    const hid_t create = H5Pcreate(H5P_FILE_CREATE);
    H5Pset_obj_track_times(create, 0);
    const Choice strategy = pick(5);
    count("strategy", kStrategies[strategy == 4 ? 0 : strategy]);
    if (strategy == 1) H5Pset_file_space_strategy(create, H5F_FSPACE_STRATEGY_FSM_AGGR, 1, 1);
    if (strategy == 2)
      H5Pset_file_space_strategy(create, H5F_FSPACE_STRATEGY_PAGE, pick(2) != 0, 1);
    if (strategy == 2) H5Pset_file_space_page_size(create, 512);
    if (strategy == 3) H5Pset_file_space_strategy(create, H5F_FSPACE_STRATEGY_NONE, 0, 1);
    const Choice sizes = pick(4);
    if (sizes == 0) H5Pset_sizes(create, 4, 4);
    if (sizes == 1) H5Pset_sizes(create, 8, 4);
    count("format",
          std::string(latest_ ? "latest" : "earliest") + (sizes < 2 ? " small" : " usual"));
    file_ = H5Fcreate(setting_.file.c_str(), H5F_ACC_TRUNC, create, access_);
    must(file_ >= 0, "H5Fcreate");
    H5Pclose(create);
  }

  /// Nobody has anything open.
  void leave() {
    words_->leave();
    for (Object& object : objects_) drop(object);
    for (const hid_t id : leaked_)
      if (id >= 0) H5Oclose(id);
    leaked_.clear();
  }

  void reopen() {
    leave();
    must(H5Fclose(file_) >= 0, "H5Fclose in between");
    if (!good_) return;
    file_ = H5Fopen(setting_.file.c_str(), H5F_ACC_RDWR, access_);
    must(file_ >= 0, "H5Fopen");
  }

  // --- objects, as each rank has them ---

  hid_t get(Object& object) {
    if (object.id < 0)
      object.id = object.kind == Kind::kGroup
                      ? H5Gopen2(file_, object.path.c_str(), H5P_DEFAULT)
                      : H5Dopen2(file_, object.path.c_str(), object.late ? late_ : H5P_DEFAULT);
    return object.id;
  }
  void drop(Object& object) {
    if (object.id >= 0) H5Oclose(object.id);
    object.id = -1;
  }
  Object* any(Kind kind) {
    std::vector<Object*> all;
    for (Object& object : objects_)
      if (object.kind == kind) all.push_back(&object);
    const Choice which = pick(1000);
    return all.empty() ? nullptr : all[which % all.size()];
  }
  Object* any() {
    const Choice which = pick(1000);
    return objects_.empty() ? nullptr : &objects_[which % objects_.size()];
  }
  std::string new_path() {
    const Object* const group = any(Kind::kGroup);
    const bool below = pick(2) == 0 && group != nullptr && group->path.size() < 40;
    return (below ? group->path : std::string()) + "/" + (pick(4) == 0 ? "a_longer_name_" : "n") +
           std::to_string(serial_++);
  }

  /// Calls of this rank alone, which nobody else knows of.
  void settle() {
    if (!good_) return;
    if (setting_.noise == Noise::kNone)
      words_->keep_open(file_);
    else
      words_->settle(file_, mine(10000));
    for (Object& object : objects_) {
      if (setting_.noise == Noise::kNone) {
        get(object);
        continue;
      }
      const Choice what = mine(12);
      if (what < kLocals.size()) count("local", kLocals[what]);
      if (what == 0) drop(object);
      if (what == 1) get(object);
      if ((what == 2 || what == 3) && object.kind == Kind::kData) read(object, what == 2);
      if (what == 4) ask(object);
    }
  }
  void read(Object& object, bool all) {
    const hid_t id = get(object), space = H5Dget_space(id);
    const hssize_t n = H5Sget_simple_extent_npoints(space);
    std::vector<int> values(static_cast<std::size_t>(std::max<hssize_t>(n, 1)));
    hid_t memory = H5S_ALL;
    if (!all && n > 0) {
      std::vector<hsize_t> at, one(object.dims.size(), 1);
      for (const hsize_t dim : object.dims) at.push_back(mine(dim));
      H5Sselect_hyperslab(space, H5S_SELECT_SET, at.data(), nullptr, one.data(), nullptr);
      const hsize_t single = 1;
      memory = H5Screate_simple(1, &single, nullptr);
    }
    if (n > 0)
      H5Dread(id, H5T_NATIVE_INT, memory, all ? H5S_ALL : space, H5P_DEFAULT, values.data());
    if (memory != H5S_ALL) H5Sclose(memory);
    H5Sclose(space);
  }
  void ask(Object& object) {
    H5O_info_t info;
    H5Oget_info(get(object), &info);
    H5Aexists(object.id, "a1");
    H5G_info_t group;
    if (object.kind == Kind::kGroup) H5Gget_info(object.id, &group);
    if (object.kind == Kind::kData) {
      H5D_space_status_t status;
      H5Dget_space_status(object.id, &status);
      H5Dget_storage_size(object.id);
    }
    H5Lexists(file_, object.path.c_str(), H5P_DEFAULT);
  }

  // --- collective calls ---

  void call() {
    int all = 0;
    for (const int weight : kWeights) all += weight;
    auto at = static_cast<int>(pick(static_cast<Choice>(all)));
    std::size_t which = 0;
    while (at >= kWeights[which]) at -= kWeights[which++];
    using Call = void (Scene::*)();
    static const std::vector<Call> calls = {&Scene::make_group,
                                            &Scene::make_dataset,
                                            &Scene::write,
                                            &Scene::write_badly,
                                            &Scene::write_alone,
                                            &Scene::extend,
                                            &Scene::change_attribute,
                                            &Scene::rename_attribute,
                                            &Scene::link,
                                            &Scene::move,
                                            &Scene::remove,
                                            &Scene::commit_type,
                                            &Scene::be_refused,
                                            &Scene::flush,
                                            &Scene::reopen,
                                            &Scene::set_bounds,
                                            &Scene::copy,
                                            &Scene::change_words};
    count("call", kCallNames[which]);
    if (setting_.told && rank_ == 0)
      std::fprintf(stderr, "call %d: %s\n", calls_++, kCallNames[which].c_str());
    (this->*calls[which])();
  }

  void make_group() {
    Object made;
    made.path = new_path();
    const hid_t create = H5Pcreate(H5P_GROUP_CREATE);
    const unsigned orders[] = {0, H5P_CRT_ORDER_TRACKED,
                               H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED};
    H5Pset_link_creation_order(create, orders[pick(3)]);
    H5Pset_attr_creation_order(create, orders[pick(3)]);
    // A few links and attributes are enough for dense storage, and to leave it again.
    if (pick(3) != 0) H5Pset_link_phase_change(create, 2, 1);
    if (pick(3) != 0) H5Pset_attr_phase_change(create, 3, 2);
    if (pick(4) == 0) H5Pset_deflate(create, 6);
    if (pick(4) == 0) H5Pset_fletcher32(create);
    H5Pset_obj_track_times(create, 0);
    made.id = H5Gcreate2(file_, made.path.c_str(), H5P_DEFAULT, create, H5P_DEFAULT);
    H5Pclose(create);
    must(made.id >= 0, "H5Gcreate2 " + made.path);
    objects_.push_back(made);
  }

  void choose_layout(Object* made, hid_t create) {
    const Choice layout = pick(8), unlimited = pick(4), ndims = 1 + pick(2);
    made->chunked = layout > 1;
    made->compact = layout == 1;
    for (Choice d = 0; d < ndims; ++d) {
      made->dims.push_back(1 + pick(40));
      made->chunk.push_back(1 + pick(3));
      const bool endless = unlimited == 0 || unlimited == d + 1;
      made->most.push_back(endless ? H5S_UNLIMITED : std::max<hsize_t>(made->dims[d] * 2, 3));
    }
    if (!made->chunked) made->most = made->dims;
    if (made->compact) H5Pset_layout(create, H5D_COMPACT);
    if (!made->chunked) return count("layout", made->compact ? "compact" : "contiguous");
    H5Pset_chunk(create, static_cast<int>(ndims), made->chunk.data());
    made->filtered = pick(2) == 0 && setting_.filters == Filters::kSome;
    if (made->filtered) H5Pset_deflate(create, 1);
    made->late = !made->filtered && pick(4) == 0;
    if (!made->late && pick(5) == 0) H5Pset_alloc_time(create, H5D_ALLOC_TIME_EARLY);
    count("layout", made->filtered ? "filtered" : made->late ? "late" : "chunked");
  }

  void make_dataset() {
    Object made;
    made.kind = Kind::kData;
    made.path = new_path();
    const hid_t create = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(create, 0);
    choose_layout(&made, create);
    const int fill = 7;
    if (pick(3) == 0) H5Pset_fill_value(create, H5T_NATIVE_INT, &fill);
    const hid_t space =
        H5Screate_simple(static_cast<int>(made.dims.size()), made.dims.data(), made.most.data());
    const hid_t type = pick(4) == 0 && type_ >= 0 ? H5Topen2(file_, type_path_.c_str(), H5P_DEFAULT)
                                                  : H5Tcopy(H5T_NATIVE_INT);
    made.id = H5Dcreate2(file_, made.path.c_str(), type, space, H5P_DEFAULT, create,
                         made.late ? late_ : H5P_DEFAULT);
    H5Tclose(type);
    H5Sclose(space);
    H5Pclose(create);
    must(made.id >= 0, "H5Dcreate2 " + made.path);
    objects_.push_back(made);
  }

  /// A box of the dataset, rows of which are this rank's.
  struct Share {
    std::vector<hsize_t> start, count;
    std::vector<int> values;
    hid_t space = -1, memory = -1;
  };
  Share share_of(Object& object) {
    Share share;
    const Choice whole = pick(4), base = pick(100000), step = pick(3);
    for (const hsize_t dim : object.dims) {
      const hsize_t at = pick(dim), n = 1 + pick(dim - at);
      share.start.push_back(whole == 0 || object.compact ? 0 : at);
      share.count.push_back(whole == 0 || object.compact ? dim : n);
    }
    const hsize_t rows = share.count[0], all = static_cast<hsize_t>(ranks_);
    hsize_t row = 1, before = rows * static_cast<hsize_t>(rank_) / all;
    if (object.compact) before = 0;
    for (std::size_t d = 1; d < share.count.size(); ++d) row *= share.count[d];
    share.start[0] += before;
    share.count[0] = object.compact ? rows : rows * static_cast<hsize_t>(rank_ + 1) / all - before;
    const hsize_t n = share.count[0] * row, least = std::max<hsize_t>(n, 1);
    for (hsize_t i = 0; i < least; ++i)
      share.values.push_back(static_cast<int>(base + (before * row + i) * step));
    share.space = H5Dget_space(get(object));
    share.memory = H5Screate_simple(1, &least, nullptr);
    if (n > 0)
      H5Sselect_hyperslab(share.space, H5S_SELECT_SET, share.start.data(), nullptr,
                          share.count.data(), nullptr);
    else
      H5Sselect_none(share.space), H5Sselect_none(share.memory);
    return share;
  }
  static void close(const Share& share) {
    H5Sclose(share.space);
    H5Sclose(share.memory);
  }

  void write() {
    Object* const object = any(Kind::kData);
    if (object == nullptr) return;
    const Share share = share_of(*object);
    must(H5Dwrite(object->id, H5T_NATIVE_INT, share.memory, share.space, list_,
                  share.values.data()) >= 0,
         "H5Dwrite " + object->path);
    close(share);
  }

  /// Some ranks give a memory space that doesn't fit: it fails on all, and nothing has changed.
  void write_badly() {
    Object* const object = any(Kind::kData);
    const Choice culprit = pick(1000);
    if (object == nullptr) return;
    const Share share = share_of(*object);
    const bool bad = culprit % static_cast<Choice>(ranks_) == static_cast<Choice>(rank_) ||
                     (setting_.noise == Noise::kRandom && mine(3) == 0);
    const hsize_t other = share.values.size() + 3;
    const hid_t wrong = H5Screate_simple(1, &other, nullptr);
    must(H5Dwrite(object->id, H5T_NATIVE_INT, bad ? wrong : share.memory, share.space, list_,
                  share.values.data()) < 0,
         "a write that must fail of " + object->path);
    H5Sclose(wrong);
    close(share);
  }

  /// Not together: with filters whole chunks, which wait.
  void write_alone() {
    Object* const object = any(Kind::kData);
    if (object == nullptr) return;
    const Choice at = pick(1000), value = pick(1000);
    if (object->compact || object->late) return;
    const bool someone = at % static_cast<Choice>(ranks_) == static_cast<Choice>(rank_);
    bool good = true;
    if (someone) {
      std::vector<hsize_t> start, count;
      for (std::size_t d = 0; d < object->dims.size(); ++d) {
        const hsize_t edge = object->chunked ? object->chunk[d] : 1;
        const hsize_t first = at % object->dims[d] / edge * edge;
        start.push_back(first);
        count.push_back(std::min(edge, object->dims[d] - first));
      }
      hsize_t n = 1;
      for (const hsize_t c : count) n *= c;
      const std::vector<int> values(n, static_cast<int>(value));
      const hid_t space = H5Dget_space(get(*object)), memory = H5Screate_simple(1, &n, nullptr);
      H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr);
      good = H5Dwrite(object->id, H5T_NATIVE_INT, memory, space, H5P_DEFAULT, values.data()) >= 0;
      H5Sclose(space);
      H5Sclose(memory);
    }
    must(good, "an independent write of " + object->path);
  }

  void extend() {
    Object* const object = any(Kind::kData);
    const Choice which = 1 + pick(3), first = pick(60), second = pick(60);
    if (object == nullptr || !object->chunked) return;
    std::vector<hsize_t> wanted = object->dims;
    for (std::size_t d = 0; d < wanted.size(); ++d) {
      if ((which >> d & 1) == 0) continue;
      wanted[d] = std::min<hsize_t>(1 + (d == 0 ? first : second), object->most[d]);
    }
    must(H5Dset_extent(get(*object), wanted.data()) >= 0, "H5Dset_extent " + object->path);
    object->dims = wanted;
  }

  void change_attribute() {
    Object* const object = any();
    const Choice which = pick(12), value = pick(1000);
    // Large ones are objects of their own in the heap of dense storage.
    const hsize_t n = pick(8) == 0 ? 1100 + pick(300) : 1 + pick(30);
    if (object == nullptr) return;
    const std::string name = "a" + std::to_string(which);
    const hid_t id = get(*object);
    const unsigned bit = 1U << which;
    if ((object->attributes & bit) != 0 && value % 2 == 0) {
      must(H5Adelete(id, name.c_str()) >= 0, "H5Adelete " + object->path);
      object->attributes &= ~bit;
      return;
    }
    hid_t attribute = -1;
    if ((object->attributes & bit) != 0) {
      attribute = H5Aopen(id, name.c_str(), H5P_DEFAULT);
    } else {
      const hid_t space = H5Screate_simple(1, &n, nullptr);
      attribute = H5Acreate2(id, name.c_str(), H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT);
      H5Sclose(space);
    }
    object->attributes |= bit;
    // Each rank has another value: rank 0's reach the file.
    const std::vector<int> values(1400, static_cast<int>(value) + 1000 * rank_);
    must(attribute >= 0 && H5Awrite(attribute, H5T_NATIVE_INT, values.data()) >= 0,
         "H5Awrite " + object->path);
    H5Aclose(attribute);
  }

  void rename_attribute() {
    Object* const object = any();
    if (object == nullptr) return;
    for (unsigned from = 0; from < 12; ++from) {
      const unsigned to = (from + 5) % 12;
      if ((object->attributes >> from & 1U) == 0 || (object->attributes >> to & 1U) != 0) continue;
      must(H5Arename(get(*object), ("a" + std::to_string(from)).c_str(),
                     ("a" + std::to_string(to)).c_str()) >= 0,
           "H5Arename " + object->path);
      object->attributes ^= 1U << from | 1U << to;
      return;
    }
  }

  void link() {
    Object* const object = any();
    Object* const group = any(Kind::kGroup);
    const Choice soft = pick(2);
    if (object == nullptr || group == nullptr) return;
    const std::string name = "l" + std::to_string(serial_++);
    const hid_t at = get(*group);
    // A second hard link to a group could make a cycle, which nothing here minds but deleting.
    const bool made =
        soft == 0 || object->kind == Kind::kGroup
            ? H5Lcreate_soft(object->path.c_str(), at, name.c_str(), H5P_DEFAULT, H5P_DEFAULT) >= 0
            : H5Lcreate_hard(get(*object), ".", at, name.c_str(), H5P_DEFAULT, H5P_DEFAULT) >= 0;
    must(made, "H5Lcreate " + group->path + "/" + name);
  }

  void move() {
    Object* const object = any(Kind::kData);
    const std::string to = new_path();
    if (object == nullptr) return;
    must(H5Lmove(file_, object->path.c_str(), file_, to.c_str(), H5P_DEFAULT, H5P_DEFAULT) >= 0,
         "H5Lmove " + object->path);
    object->path = to;
  }

  /// Chunks that wait in a rank's memory go out before.
  void copy() {
    Object* const object = any(Kind::kData);
    const std::string to = new_path();
    if (object == nullptr) return;
    must(H5Fflush(file_, H5F_SCOPE_GLOBAL) >= 0, "H5Fflush before a copy");
    must(H5Ocopy(file_, object->path.c_str(), file_, to.c_str(), H5P_DEFAULT, H5P_DEFAULT) >= 0,
         "H5Ocopy " + object->path);
    Object made = *object;
    made.path = to;
    made.id = -1;
    made.late = false;
    objects_.push_back(made);
  }

  /// Perhaps somebody has it open for a while.
  void remove() {
    Object* const object = any(Kind::kData);
    const Choice keeper = pick(1000), kept = pick(3);
    if (object == nullptr) return;
    if (kept == 0 && keeper % static_cast<Choice>(ranks_) == static_cast<Choice>(rank_)) {
      leaked_.push_back(get(*object));
      object->id = -1;
    }
    drop(*object);
    count("deleted", kept == 0 ? "open on a rank" : "closed");
    must(H5Ldelete(file_, object->path.c_str(), H5P_DEFAULT) >= 0, "H5Ldelete " + object->path);
    objects_.erase(objects_.begin() + (object - objects_.data()));
  }

  void commit_type() {
    const std::string path = new_path();
    const hid_t type = H5Tcopy(H5T_NATIVE_INT);
    must(H5Tcommit2(file_, path.c_str(), type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT) >= 0,
         "H5Tcommit2 " + path);
    H5Tclose(type);
    type_path_ = path;
    type_ = 1;
  }

  /// Calls that fail on all ranks alike.
  void be_refused() {
    Object* const object = any();
    const Choice which = pick(3);
    if (object == nullptr) return;
    bool done = false;
    if (which == 0)
      done = H5Gcreate2(file_, object->path.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT) >= 0;
    if (which == 1) done = H5Adelete(get(*object), "no such attribute") >= 0;
    if (which == 2) done = H5Ldelete(file_, "/no such name", H5P_DEFAULT) >= 0;
    must(!done, "a call that must fail on " + object->path);
  }

  void flush() {
    // Whoever has what was deleted lets it go now and then.
    if (pick(3) == 0) {
      for (const hid_t id : leaked_) H5Oclose(id);
      leaked_.clear();
    }
    must(H5Fflush(file_, H5F_SCOPE_GLOBAL) >= 0, "H5Fflush");
  }

  void change_words() {
    const Choice what = pick(8), number = pick(100000);
    const std::string path = new_path();
    if (setting_.filters == Filters::kNone) return;
    count("words", kWordCalls[what < 2 ? 0 : what < 5 ? 1 : what < 7 ? 2 : 3]);
    if (what < 2) must(words_->make(file_, path, number), "H5Dcreate2 of words " + path);
    if (what >= 2 && what < 5) must(words_->write(file_, list_, number), "H5Dwrite of words");
    if (what >= 5 && what < 7) must(words_->note(file_, number), "H5Awrite of words");
    if (what == 7) must(words_->remove(file_, number), "H5Ldelete of words");
  }

  void set_bounds() {
    must(H5Fset_libver_bounds(file_, latest_ ? H5F_LIBVER_LATEST : H5F_LIBVER_EARLIEST,
                              H5F_LIBVER_LATEST) >= 0,
         "H5Fset_libver_bounds");
  }

  const Setting& setting_;
  Histogram* histogram_;
  std::mt19937_64 shared_, own_;
  int rank_ = 0, ranks_ = 1;
  bool good_ = true, latest_ = false;
  hid_t file_ = -1, access_ = -1, list_ = -1, late_ = -1;
  std::vector<Object> objects_;
  std::vector<hid_t> leaked_;
  std::unique_ptr<Words> words_;
  std::string type_path_;
  int type_ = -1, serial_ = 0, calls_ = 0;
};

}  // namespace

bool play(const Setting& setting, Histogram* histogram) { return Scene(setting, histogram).run(); }

void add_groups(Histogram* histogram) {
  histogram->add_group("call", kCallNames);
  histogram->add_group("words", kWordCalls);
  histogram->add_group("strategy", kStrategies);
  histogram->add_group("format",
                       {"earliest usual", "earliest small", "latest usual", "latest small"});
  histogram->add_group("layout", {"contiguous", "compact", "chunked", "filtered", "late"});
  histogram->add_group("deleted", {"open on a rank", "closed"});
  histogram->add_group("local", kLocals);
}

}  // namespace diverge
