// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Campaign: files that lead to each other by mounts, external links and virtual datasets, opened and closed in random
// order, while each rank has things of its own open. Room: testpar, public headers only.
//
// A case has five files. Each step all ranks make one call together (open, close, mount, unmount, delete, copy,
// flush), of which all must get the same answer: a refusal only where a rank has something open that explains it.
// Between them each rank follows paths by itself, keeps some objects open, and reads in each place the number that a
// model expects there. In the end everything closes, on all ranks.

#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "campaign/histogram.hpp"
#include "support.hpp"

using par::Id;

namespace {

campaign::Histogram histogram;

constexpr int kFiles = 5;
constexpr std::size_t kMostHeld = 4;

/// A group in a file: 0 is the root, 1 and 2 its groups.
struct Place {
  int file = 0;
  int group = 0;
  bool alone = false;  ///< in a file that this rank opened by itself
};

/// A file that is mounted, by which of its ids.
struct MountModel {
  int child = 0;
  hid_t id = -1;
};

/// What the calls of all ranks have made of one file.
struct FileModel {
  std::vector<hid_t> ids;
  std::map<int, MountModel> mounts;  ///< by their groups
  int mounted = 0;                   ///< in others
  [[nodiscard]] bool open() const { return !ids.empty() || mounted > 0; }
};

class Case {
 public:
  Case(unsigned long seed, std::string path)
      : all_(seed),
        mine_(seed * 31 + static_cast<unsigned long>(par::rank()) + 1),
        path_(std::move(path)),
        parallel_(par::size() > 1 || all_() % 2 == 0) {}

  bool play() {
    const auto steps = 12 + all_() % 30;
    for (int i = 0; i < 3; ++i) open(pick(kFiles));
    for (unsigned long i = 0; i < steps && good_; ++i) {
      step();
      for (auto n = mine_() % 3; n > 0; --n) act_alone();
    }
    end();
    for (int i = 0; i < kFiles; ++i) look_at(i);
    return good_ = par::all(good_);
  }

  /// What all cases play with.
  bool make_files() {
    for (int i = 0; i < kFiles; ++i) make_file(i);
    return good_;
  }
  void remove_files() const {
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < kFiles && par::rank() == 0; ++i) std::remove(name(i).c_str());
  }

 private:
  [[nodiscard]] std::string name(int i) const { return path_ + std::to_string(i); }
  [[nodiscard]] Id access() const {
    return Id(parallel_ ? par::mpio_access() : H5Pcreate(H5P_FILE_ACCESS));
  }
  int pick(int n) { return static_cast<int>(all_() % static_cast<unsigned long>(n)); }

  void make_file(int i) {
    const Id list = access(), scalar(H5Screate(H5S_SCALAR)),
             virtual_list(H5Pcreate(H5P_DATASET_CREATE));
    const Id file(H5Fcreate(name(i).c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, list));
    const Id how(parallel_ ? par::transfer_list(H5FD_MPIO_COLLECTIVE)
                           : H5Pcreate(H5P_DATASET_XFER));
    const hsize_t one = 1;
    const Id space(H5Screate_simple(1, &one, nullptr));
    for (const char* group : {"g1", "g2"})
      Id(H5Gcreate2(file, group, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    const Id number(
        H5Dcreate2(file, "number", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    check(H5Dwrite(number, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, how, &i) >= 0, "make");
    const std::string next = name((i + 1) % kFiles);
    check(H5Pset_virtual(virtual_list, space, next.c_str(), "number", space) >= 0, "map");
    Id(H5Dcreate2(file, "next", H5T_NATIVE_INT, space, H5P_DEFAULT, virtual_list, H5P_DEFAULT));
    for (int k = 0; k < kFiles; ++k)
      H5Lcreate_external(name(k).c_str(), "/", file, ("e" + std::to_string(k)).c_str(), H5P_DEFAULT,
                         H5P_DEFAULT);
  }

  // ---- calls of all ranks ------------------------------------------------------------------------

  void step() {
    switch (pick(12)) {
      case 0:
      case 1: return open(pick(kFiles));
      case 2:
      case 10: return close_one(pick_open());
      case 3:
      case 4:
      case 5: return mount();
      case 11:
      case 6: return unmount();
      case 7: return replace_group();
      case 8: return copy();
      default: return flush();
    }
  }

  /// A file with an id, if there is one.
  int pick_open() {
    for (int i = pick(kFiles), n = 0; n < kFiles; ++n, i = (i + 1) % kFiles)
      if (!files_[i].ids.empty()) return i;
    return 0;
  }

  /// All ranks have the same answer; a refusal is explained by what somebody has open.
  bool same(const char* what, bool done, bool may_fail) {
    const bool every = par::all(done), some = par::any(done);
    check(every == some, "ranks differ");
    check(done || may_fail, what);
    histogram.count(what, done ? "done" : "refused");
    return done;
  }
  bool anything_held() { return par::any(!held_.empty()); }

  void open(int i) {
    FileModel& file = files_[i];
    if (file.ids.size() >= 2) return;
    const Id list = access();
    const hid_t id = H5Fopen(name(i).c_str(), H5F_ACC_RDWR, list);
    if (same("open", id >= 0, anything_held())) file.ids.push_back(id);
  }

  void close_one(int i) {
    FileModel& file = files_[i];
    if (file.ids.empty()) return;
    const bool may_fail = anything_held();
    if (!same("close", H5Fclose(file.ids.back()) >= 0, may_fail)) return;
    file.ids.pop_back();
    settle(i);
  }

  /// A file without ids and mounts is closed, and what was mounted in it comes free.
  void settle(int i) {
    FileModel& file = files_[i];
    if (file.open()) return;
    const std::map<int, MountModel> mounts = std::move(file.mounts);
    file.mounts.clear();
    for (const auto& [group, mount] : mounts) {
      --files_[mount.child].mounted;
      settle(mount.child);
    }
  }

  [[nodiscard]] bool leads_to(int from, int to) const {
    if (from == to) return true;
    for (const auto& [group, mount] : files_[from].mounts)
      if (leads_to(mount.child, to)) return true;
    return false;
  }
  [[nodiscard]] bool is_mounted(hid_t id) const {
    for (const FileModel& file : files_)
      for (const auto& [group, mount] : file.mounts)
        if (mount.id == id) return true;
    return false;
  }

  /// Where a way goes on that comes to a place that something is mounted on; `last`: the last such place.
  [[nodiscard]] Place crossed(Place at, Place* last = nullptr) const {
    for (;;) {
      const auto mount = files_[at.file].mounts.find(at.group);
      if (at.alone || mount == files_[at.file].mounts.end()) return at;
      if (last != nullptr) *last = at;
      at = {mount->second.child, 0, false};
    }
  }

  void mount() {
    const int parent = pick_open(), group = 1 + pick(2);
    int child = pick_open();
    for (int i = 0; i < kFiles && (child == parent || files_[child].ids.empty()); ++i)
      child = (child + 1) % kFiles;
    FileModel& c = files_[child];
    if (files_[parent].ids.empty() || c.ids.empty()) return;
    const Place point = crossed({parent, group, false});
    const std::string at = "g" + std::to_string(group);
    // By the root of the file itself: its id is the top of what it is mounted in.
    const Id root = root_of(parent);
    if (!root.valid()) return;
    const bool may = !is_mounted(c.ids.back()) && !leads_to(child, point.file);
    const bool done = H5Fmount(root, at.c_str(), c.ids.back(), H5P_DEFAULT) >= 0;
    same("mount", done, !may);
    check(done == may || !done, "mounted what can't be");
    if (!done) return;
    files_[point.file].mounts[point.group] = {child, c.ids.back()};
    ++c.mounted;
  }

  /// The root group by an external link to the file, which no mount hides; all ranks have the file open.
  Id root_of(int i) {
    const hid_t other = files_[i].ids.front();
    const std::string way = "e" + std::to_string(i);
    return Id(H5Gopen2(other, way.c_str(), H5P_DEFAULT));
  }

  void unmount() {
    const int parent = pick_open();
    FileModel& p = files_[parent];
    if (p.ids.empty()) return;
    const bool any = pick(4) == 0 || p.mounts.empty() || p.mounts.begin()->first == 0;
    const int group = any ? 1 + pick(2) : p.mounts.begin()->first;
    const std::string at = "g" + std::to_string(group);
    const bool there = p.mounts.contains(group), may_fail = anything_held() || !there;
    bool done = false;
    {
      const Id root = root_of(parent);
      done = root.valid() && H5Funmount(root, at.c_str()) >= 0;
    }
    if (!same("unmount", done, may_fail)) return;
    check(there, "unmounted nothing");
    Place last;
    static_cast<void>(crossed({parent, group, false}, &last));
    std::map<int, MountModel>& mounts = files_[last.file].mounts;
    const int child = mounts[last.group].child;
    mounts.erase(last.group);
    --files_[child].mounted;
    settle(child);
  }

  /// A new group takes the name, and perhaps the place, of one that something may be mounted on.
  void replace_group() {
    const int i = pick_open(), group = 1 + pick(2);
    if (files_[i].ids.empty() || files_[i].mounts.contains(group)) return;
    const std::string name = "g" + std::to_string(group);
    const Id root = root_of(i);
    const bool gone = H5Ldelete(root, name.c_str(), H5P_DEFAULT) >= 0;
    check(H5Fflush(root, H5F_SCOPE_LOCAL) >= 0, "flush");
    const Id made(H5Gcreate2(root, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    same("replace", gone && made.valid(), false);
  }

  void copy() {
    const int from = pick_open(), to = pick_open(), group = pick(3);
    if (files_[from].ids.empty() || files_[to].ids.empty()) return;
    const std::string into =
        (group == 0 ? "" : "g" + std::to_string(group) + "/") + "copy" + std::to_string(copies_++);
    const Id source = root_of(from), root = root_of(to);
    same("copy", H5Ocopy(source, "number", root, into.c_str(), H5P_DEFAULT, H5P_DEFAULT) >= 0,
         false);
  }

  void flush() {
    const int i = pick_open();
    if (files_[i].ids.empty()) return;
    same("flush", H5Fflush(files_[i].ids.back(), H5F_SCOPE_LOCAL) >= 0, false);
  }

  // ---- calls of one rank -------------------------------------------------------------------------

  void act_alone() {
    if (!held_.empty() && mine_() % 3 == 0) {
      const std::size_t i = mine_() % held_.size();
      held_.erase(held_.begin() + static_cast<long>(i));
      histogram.count("alone", "closed");
      return;
    }
    const int first = static_cast<int>(mine_() % kFiles);
    if (!files_[first].ids.empty()) walk(first);
  }

  /// A random path from the file's own root; what is at its end the model knows.
  void walk(int first) {
    std::string path = "e" + std::to_string(first);
    Place at{first, 0, false};
    bool over_mount = false, there = true;
    for (auto n = mine_() % 4; n > 0 && there; --n) {
      const bool points = !at.alone && !files_[at.file].mounts.empty();
      const bool group = at.group == 0 && mine_() % (points ? 4 : 2) != (points ? 3 : 1);
      if (group) {
        at.group = static_cast<int>(1 + mine_() % 2);
        path += "/g" + std::to_string(at.group);
        const Place on = crossed(at);
        over_mount = over_mount || on.file != at.file;
        at = on;
      } else {
        const int next = static_cast<int>(mine_() % kFiles);
        there = at.group == 0;  // links are in roots alone
        path += "/e" + std::to_string(next);
        at = {next, 0, !files_[next].open()};
      }
    }
    const bool virtual_set = mine_() % 4 == 0;
    path += virtual_set ? "/next" : "/number";
    there = there && at.group == 0;
    const Id set(H5Dopen2(files_[first].ids.front(), path.c_str(), H5P_DEFAULT));
    check_mine(set.valid() == there, path);
    histogram.count("walk", !there        ? "nowhere"
                            : at.alone    ? "into a file of its own"
                            : over_mount  ? "over a mount"
                            : virtual_set ? "to a virtual dataset"
                                          : "by links");
    if (!set.valid()) return;
    int value = -1;
    const int expected = virtual_set ? (at.file + 1) % kFiles : at.file;
    check_mine(H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value) >= 0 &&
                   value == expected,
               path);
    if (held_.size() >= kMostHeld || mine_() % 3 != 0) return;
    held_.emplace_back(H5Oopen(files_[first].ids.front(), path.c_str(), H5P_DEFAULT));
    histogram.count("alone", "kept open");
  }

  // ---- the end -----------------------------------------------------------------------------------

  void end() {
    const bool forgets = pick(4) == 0;
    held_.clear();
    good_ = par::all(good_);
    histogram.count("end", forgets ? "by mounts" : "one by one");
    for (int i = 0; i < kFiles; ++i) {
      FileModel& file = files_[i];
      for (int group = 1; group <= 2 && !forgets && !file.ids.empty(); ++group)
        while (file.mounts.contains(group) && good_) {
          Place last;
          static_cast<void>(crossed({i, group, false}, &last));
          const Id root = root_of(i);
          check(H5Funmount(root, ("g" + std::to_string(group)).c_str()) >= 0, "unmount at the end");
          --files_[files_[last.file].mounts[last.group].child].mounted;
          files_[last.file].mounts.erase(last.group);
        }
    }
    for (int i = 0; i < kFiles; ++i)
      while (!files_[i].ids.empty()) {
        check(H5Fclose(files_[i].ids.back()) >= 0, "close at the end");
        files_[i].ids.pop_back();
      }
    check(H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL) == 0, "something is open");
    // What is open behind no id would be found by this.
    for (int i = 0; i < kFiles && good_; ++i) {
      const Id list(H5Pcreate(H5P_FILE_ACCESS));
      if (par::rank() != 0) continue;
      const Id file(H5Fopen(name(i).c_str(), H5F_ACC_RDWR, list));
      check_mine(file.valid(), "open alone");
    }
    good_ = par::all(good_);
  }

  /// The file as a program finds it that has nothing else open.
  void look_at(int i) {
    if (par::rank() == 0) {
      const Id file(H5Fopen(name(i).c_str(), H5F_ACC_RDONLY, H5P_DEFAULT)),
          set(H5Dopen2(file, "number", H5P_DEFAULT));
      int value = -1;
      check_mine(
          H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value) >= 0 && value == i,
          "number");
      check_mine(H5Lexists(file, "g1", H5P_DEFAULT) > 0 && H5Lexists(file, "g2", H5P_DEFAULT) > 0,
                 "groups");
    }
  }

  /// Collective.
  void check(bool ok, const char* what) {
    check_mine(ok, what);
    good_ = par::all(good_);
  }
  void check_mine(bool ok, const std::string& what) {
    if (!ok)
      std::fprintf(stderr, "rank %d: %s\n%s", par::rank(), what.c_str(), par::error_text().c_str());
    good_ = good_ && ok;
  }

  std::mt19937_64 all_, mine_;
  std::string path_;
  bool parallel_;
  FileModel files_[kFiles];
  std::vector<Id> held_;
  static int copies_;
  bool good_ = true;
};

int Case::copies_ = 0;

long number(const char* name, long otherwise) {
  const char* word = std::getenv(name);
  return word != nullptr ? std::atol(word) : otherwise;
}

void prepare_histogram() {
  // That somebody is in the way of an open is rare, and needs two.
  const bool few = par::size() == 1 || number("PCIO_CASES", 60) < 60;
  histogram.add_group(
      "open", few ? std::vector<std::string>{"done"} : std::vector<std::string>{"done", "refused"});
  for (const char* call : {"close", "mount", "unmount"})
    histogram.add_group(call, {"done", "refused"});
  for (const char* call : {"replace", "copy", "flush"}) histogram.add_group(call, {"done"});
  histogram.add_group("walk", {"nowhere", "into a file of its own", "over a mount",
                               "to a virtual dataset", "by links"});
  histogram.add_group("alone", {"kept open", "closed"});
  histogram.add_group("end", {"by mounts", "one by one"});
}

}  // namespace

CASE(files_that_lead_to_each_other) {
  const long seed = number("PCIO_SEED", 1), cases = number("PCIO_CASES", 60);
  const long only = number("PCIO_CASE", -1);
  const par::Silence silence;
  prepare_histogram();
  long failures = 0, played = 0;
  const std::string path = par::file_name("children");
  Case files(1, path);
  CHECK(files.make_files());
  for (long i = only >= 0 ? only : 0; i < (only >= 0 ? only + 1 : cases); ++i, ++played) {
    Case one(static_cast<unsigned long>(seed * 1000003 + i), path);
    if (one.play()) continue;
    ++failures;
    if (par::rank() == 0) std::fprintf(stderr, "FAILED: PCIO_SEED=%ld PCIO_CASE=%ld\n", seed, i);
    // Files are open that the next case would need.
    break;
  }
  files.remove_files();
  const std::string empty = histogram.empty_bins();
  CHECK(failures == 0);
  CHECK(only >= 0 || empty.empty());
  if (par::rank() == 0)
    std::printf("children: seed %ld, %ld cases on %d ranks, %ld failures: %s%s%s\n", seed, played,
                par::size(), failures, histogram.text().c_str(),
                empty.empty() ? "" : "; EMPTY: ", empty.c_str());
}
