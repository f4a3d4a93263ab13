// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Random calls of several threads on shared files, each thread against a model of what it has made there.

#include <array>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "api/threads_fixture.hpp"

namespace {

/// An object of one thread as it must be: a dataset's value (groups and what can only be opened: -1), and
/// its attribute's text, "" where it has none.
struct Thing {
  int value = -1;
  std::string text;
  bool can_be_copied = true;  ///< what lies in heaps can't
};
using Model = std::map<std::string, Thing>;

/// Ids that all threads use, and change.
struct Shared {
  hid_t space = -1;
  hid_t list = -1;
  hid_t type = -1;
};

enum Act {
  kMakeData,
  kMakeGroup,
  kRewrite,
  kRead,
  kDelete,
  kIterate,
  kFlush,
  kShared,
  kReopen,
  kReference,
  kRegion,
  kText,
  kCommonText,
  kSequences,
  kCopy,
  kManyLinks,
  kManyAttributes,
  kCommittedType,
  kMount,
  kActs
};

herr_t count_member(hid_t, const char* name, const H5L_info_t*, void* data) {
  auto* counting = static_cast<std::pair<std::string, std::size_t>*>(data);
  if (counting->first.compare(0, std::string::npos, name, counting->first.size()) == 0)
    ++counting->second;
  return 0;
}

hid_t string_type() {
  const hid_t type = H5Tcopy(H5T_C_S1);
  EXPECT_GE(H5Tset_size(type, H5T_VARIABLE), 0);
  return type;
}

/// Writes the attribute of variable length; makes it where it is not there.
void write_text(hid_t at, const char* object, const char* name, const std::string& text) {
  const hid_t type = string_type(), space = H5Screate(H5S_SCALAR);
  const hid_t owner = H5Oopen(at, object, H5P_DEFAULT);
  const htri_t there = H5Aexists(owner, name);
  const hid_t attribute = there > 0
                              ? H5Aopen(owner, name, H5P_DEFAULT)
                              : H5Acreate2(owner, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  const char* value = text.c_str();
  EXPECT_GE(H5Awrite(attribute, type, &value), 0) << object << " " << what_failed();
  H5Aclose(attribute);
  H5Oclose(owner);
  H5Sclose(space);
  H5Tclose(type);
}

std::string read_text(hid_t at, const char* object, const char* name) {
  const hid_t type = string_type();
  const hid_t attribute = H5Aopen_by_name(at, object, name, H5P_DEFAULT, H5P_DEFAULT);
  char* found = nullptr;
  EXPECT_GE(H5Aread(attribute, type, &found), 0) << object << " " << what_failed();
  std::string text = found == nullptr ? "<none>" : found;
  H5free_memory(found);
  H5Aclose(attribute);
  H5Tclose(type);
  return text;
}

/// One thread's random calls on the files.
class Player {
 public:
  Player(unsigned number, const std::vector<hid_t>& files, const Shared& shared, unsigned seed)
      : prefix_("t" + std::to_string(number) + "_"),
        point_("point" + std::to_string(number)),
        files_(files),
        shared_(shared),
        models_(files.size()),
        random_(seed * 1000 + number) {
    for (hid_t file : files) add_group(file, point_.c_str());
  }

  void play(unsigned calls, unsigned acts) {
    for (unsigned i = 0; i < calls; ++i) {
      at_ = random_() % files_.size();
      const Act act = static_cast<Act>(random_() % acts);
      if (run(act)) ++done[act];
    }
  }
  /// After all threads.
  void check() {
    for (at_ = 0; at_ < files_.size(); ++at_) {
      for (const auto& [name, thing] : models_[at_]) compare(name, thing);
      EXPECT_EQ(count_mine(), models_[at_].size());
    }
  }
  std::map<int, unsigned> done;

 private:
  hid_t file() { return files_[at_]; }
  Model& model() { return models_[at_]; }
  std::string new_name() { return prefix_ + std::to_string(next_++); }
  /// One of this thread's objects here; null where there is none.
  std::pair<const std::string, Thing>* any() {
    if (model().empty()) return nullptr;
    auto it = model().begin();
    std::advance(it, static_cast<long>(random_() % model().size()));
    return &*it;
  }
  /// One that is a dataset with a value.
  std::pair<const std::string, Thing>* any_data() {
    auto* one = any();
    return one != nullptr && one->second.value >= 0 ? one : nullptr;
  }

  void compare(const std::string& name, const Thing& thing) {
    if (thing.value < 0)
      EXPECT_TRUE(opens(file(), name.c_str())) << name;
    else
      EXPECT_EQ(content(file(), name.c_str()), std::vector<int>(10, thing.value)) << name;
    if (thing.text.empty()) return;
    EXPECT_EQ(read_text(file(), name.c_str(), "text"), thing.text) << name;
  }

  std::size_t count_in(hid_t group, const std::string& prefix) {
    std::pair<std::string, std::size_t> counting{prefix, 0};
    EXPECT_EQ(H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, nullptr, count_member, &counting), 0);
    return counting.second;
  }
  std::size_t count_mine() { return count_in(file(), prefix_); }

  /// A dataset of ten elements; closed at once.
  void make_dataset(const std::string& name, hid_t type, bool filtered) {
    hsize_t size = 10;
    const hid_t space = H5Screate_simple(1, &size, nullptr);
    const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    if (filtered) {
      hsize_t chunk = 4;
      H5Pset_chunk(list, 1, &chunk);
      H5Pset_deflate(list, 1 + random_() % 6);
    }
    const hid_t data =
        H5Dcreate2(file(), name.c_str(), type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    EXPECT_GT(data, 0) << what_failed();
    H5Dclose(data);
    H5Pclose(list);
    H5Sclose(space);
  }

  void make_data() {
    const std::string name = new_name();
    make_dataset(name, H5T_NATIVE_INT, random_() % 2 == 0);
    const int value = static_cast<int>(random_() % 1000);
    fill(file(), name.c_str(), value);
    model()[name].value = value;
  }

  /// Nobody knows what they are like, but they must be sound.
  void use_shared() {
    hsize_t start = random_() % 5, count = 1 + random_() % 5;
    H5Sselect_hyperslab(shared_.space, static_cast<H5S_seloper_t>(random_() % 3), &start, nullptr,
                        &count, nullptr);
    EXPECT_GE(H5Sget_select_npoints(shared_.space), 0);
    EXPECT_EQ(H5Pset_buffer(shared_.list, 4096 + random_() % 4096, nullptr, nullptr), 0);
    EXPECT_EQ(H5Tset_order(shared_.type, random_() % 2 == 0 ? H5T_ORDER_LE : H5T_ORDER_BE), 0);
    const auto* one = any_data();
    if (one == nullptr) return;
    std::vector<int> values(10);
    const hid_t data = H5Dopen2(file(), one->first.c_str(), H5P_DEFAULT);
    EXPECT_EQ(
        H5Dread(data, shared_.type, shared_.space, shared_.space, shared_.list, values.data()), 0);
    H5Dclose(data);
  }

  void reopen() {
    char name[1024];
    EXPECT_GT(H5Fget_name(file(), name, sizeof name), 0);
    const hid_t again = H5Fopen(name, H5F_ACC_RDWR, H5P_DEFAULT);
    EXPECT_GT(again, 0) << what_failed();
    if (const auto* one = any()) EXPECT_TRUE(opens(again, one->first.c_str()));
    EXPECT_GT(H5Fget_obj_count(again, H5F_OBJ_FILE), 0);
    EXPECT_EQ(H5Fclose(again), 0);
  }

  bool refer() {
    const auto* one = any();
    if (one == nullptr) return false;
    hobj_ref_t reference = 0;
    EXPECT_EQ(H5Rcreate(&reference, file(), one->first.c_str(), H5R_OBJECT, -1), 0);
    const hid_t object = H5Rdereference2(file(), H5P_DEFAULT, H5R_OBJECT, &reference);
    EXPECT_GT(object, 0) << what_failed();
    H5Oclose(object);
    char name[64] = "";
    EXPECT_GT(H5Rget_name(file(), H5R_OBJECT, &reference, name, sizeof name), 0);
    EXPECT_EQ("/" + one->first, name);
    return true;
  }

  /// References to regions of one of the datasets, in a dataset of their own.
  bool refer_to_regions() {
    const auto* one = any_data();
    if (one == nullptr) return false;
    hsize_t size = 10;
    const hid_t space = H5Screate_simple(1, &size, nullptr);
    std::array<hdset_reg_ref_t, 10> references{}, found{};
    for (hsize_t i = 0; i < 10; ++i) {
      const hsize_t start = 0, count = i + 1;
      H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &count, nullptr);
      EXPECT_EQ(H5Rcreate(references[i], file(), one->first.c_str(), H5R_DATASET_REGION, space), 0)
          << what_failed();
    }
    H5Sclose(space);
    const std::string name = new_name();
    make_dataset(name, H5T_STD_REF_DSETREG, random_() % 2 == 0);
    const hid_t data = H5Dopen2(file(), name.c_str(), H5P_DEFAULT);
    EXPECT_EQ(H5Dwrite(data, H5T_STD_REF_DSETREG, H5S_ALL, H5S_ALL, H5P_DEFAULT, &references), 0);
    EXPECT_EQ(H5Dread(data, H5T_STD_REF_DSETREG, H5S_ALL, H5S_ALL, H5P_DEFAULT, &found), 0);
    const std::size_t which = random_() % 10;
    const hid_t region = H5Rget_region(data, H5R_DATASET_REGION, found[which]);
    EXPECT_EQ(H5Sget_select_npoints(region), static_cast<hssize_t>(which + 1)) << what_failed();
    H5Sclose(region);
    H5Dclose(data);
    model()[name].can_be_copied = false;
    return true;
  }

  bool change_text() {
    auto* one = any();
    if (one == nullptr) return false;
    Thing& thing = one->second;
    if (!thing.text.empty() && random_() % 3 == 0) {
      EXPECT_EQ(H5Adelete_by_name(file(), one->first.c_str(), "text", H5P_DEFAULT), 0);
      thing.text.clear();
    } else {
      thing.text = one->first + std::string(1 + random_() % 200, 'x');
      write_text(file(), one->first.c_str(), "text", thing.text);
    }
    compare(one->first, thing);
    return true;
  }

  /// All threads write it; it is whole whoever was the last.
  void change_common_text() {
    write_text(file(), "/a", "text", std::string(10 + random_() % 100, 'a' + random_() % 26));
    const std::string found = read_text(file(), "/a", "text");
    EXPECT_EQ(found, std::string(found.size(), found.front()));
    EXPECT_GE(found.size(), 10U);
  }

  void write_sequences() {
    const std::string name = new_name();
    const hid_t type = H5Tvlen_create(H5T_NATIVE_INT);
    make_dataset(name, type, random_() % 2 == 0);
    std::vector<std::vector<int>> values(10);
    std::vector<hvl_t> given(10), found(10);
    for (std::size_t i = 0; i < 10; ++i) {
      values[i].assign(random_() % 60, static_cast<int>(random_() % 1000));
      given[i] = {values[i].size(), values[i].data()};
    }
    const hid_t data = H5Dopen2(file(), name.c_str(), H5P_DEFAULT);
    EXPECT_EQ(H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, given.data()), 0);
    EXPECT_EQ(H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, found.data()), 0);
    for (std::size_t i = 0; i < 10; ++i) {
      const int* first = static_cast<const int*>(found[i].p);
      EXPECT_EQ(std::vector<int>(first, first + found[i].len), values[i]);
    }
    const hid_t space = H5Dget_space(data);
    EXPECT_EQ(H5Dvlen_reclaim(type, space, H5P_DEFAULT, found.data()), 0);
    H5Sclose(space);
    H5Dclose(data);
    H5Tclose(type);
    model()[name].can_be_copied = false;
  }

  bool copy() {
    const auto* one = any();
    if (one == nullptr || !one->second.can_be_copied || !one->second.text.empty()) return false;
    const std::size_t to = random_() % files_.size();
    const std::string name = new_name();
    EXPECT_EQ(
        H5Ocopy(file(), one->first.c_str(), files_[to], name.c_str(), H5P_DEFAULT, H5P_DEFAULT), 0)
        << what_failed();
    models_[to][name] = one->second;
    return true;
  }

  /// More than the group keeps in its header.
  void make_many_links() {
    const std::string name = new_name();
    add_group(file(), name.c_str());
    const hid_t group = H5Gopen2(file(), name.c_str(), H5P_DEFAULT);
    for (int i = 0; i < 12; ++i) add_group(group, ("m" + std::to_string(i)).c_str());
    EXPECT_EQ(H5Ldelete(group, "m3", H5P_DEFAULT), 0);
    EXPECT_EQ(count_in(group, "m"), 11U);
    H5Gclose(group);
    model()[name];
  }

  /// Of values that files may share, and more than a header keeps.
  bool make_many_attributes() {
    const auto* one = any();
    if (one == nullptr) return false;
    const hid_t object = H5Oopen(file(), one->first.c_str(), H5P_DEFAULT);
    hsize_t size = 10;
    const hid_t space = H5Screate_simple(1, &size, nullptr);
    const int values[10] = {1, 2, 3, static_cast<int>(random_() % 3)};
    for (int i = 0; i < 10; ++i) {
      const hid_t made = H5Acreate2(object, ("n" + std::to_string(i)).c_str(), H5T_NATIVE_INT,
                                    space, H5P_DEFAULT, H5P_DEFAULT);
      if (made < 0) continue;  // it has them
      EXPECT_EQ(H5Awrite(made, H5T_NATIVE_INT, values), 0);
      H5Aclose(made);
    }
    const hid_t last = H5Aopen(object, "n9", H5P_DEFAULT);
    int found[10] = {};
    EXPECT_EQ(H5Aread(last, H5T_NATIVE_INT, found), 0) << what_failed();
    EXPECT_EQ(found[2], 3);
    H5Aclose(last);
    for (int i = 0; i < 10; ++i) EXPECT_EQ(H5Adelete(object, ("n" + std::to_string(i)).c_str()), 0);
    H5Sclose(space);
    H5Oclose(object);
    return true;
  }

  /// One committed type of the file for the datasets of all threads.
  void use_committed_type() {
    const hid_t type = H5Topen2(file(), "kind", H5P_DEFAULT);
    EXPECT_GT(type, 0) << what_failed();
    const std::string name = new_name();
    make_dataset(name, type, false);
    const hid_t data = H5Dopen2(file(), name.c_str(), H5P_DEFAULT), used = H5Dget_type(data);
    EXPECT_GT(H5Tcommitted(used), 0);
    H5Tclose(used);
    H5Dclose(data);
    H5Tclose(type);
    model()[name];
  }

  /// Another file at a group of this thread's; a file is mounted at one place at most.
  bool mount() {
    const hid_t child = files_[random_() % files_.size()];
    if (H5Fmount(file(), point_.c_str(), child, H5P_DEFAULT) < 0) return false;
    EXPECT_TRUE(opens(file(), (point_ + "/b").c_str())) << what_failed();
    EXPECT_EQ(H5Funmount(file(), point_.c_str()), 0) << what_failed();
    return true;
  }

  bool change(Act act) {
    auto* one = any();
    if (one == nullptr) return false;
    if (act == kRead) compare(one->first, one->second);
    if (act == kRewrite && one->second.value >= 0) {
      one->second.value = static_cast<int>(random_() % 1000);
      fill(file(), one->first.c_str(), one->second.value);
    }
    if (act == kDelete) {
      const std::string name = one->first;
      EXPECT_EQ(H5Ldelete(file(), name.c_str(), H5P_DEFAULT), 0);
      model().erase(name);
    }
    return true;
  }

  bool run(Act act) {
    switch (act) {
      case kMakeData: return make_data(), true;
      case kMakeGroup: {
        const std::string name = new_name();
        add_group(file(), name.c_str());
        model()[name];
        return true;
      }
      case kIterate: EXPECT_EQ(count_mine(), model().size()); return true;
      case kFlush:
        if (random_() % 4 != 0) return true;
        EXPECT_EQ(H5Fflush(file(), H5F_SCOPE_LOCAL), 0);
        return true;
      case kShared: return use_shared(), true;
      case kReopen: return reopen(), true;
      case kReference: return refer();
      case kRegion: return refer_to_regions();
      case kText: return change_text();
      case kCommonText: return change_common_text(), true;
      case kSequences: return write_sequences(), true;
      case kCopy: return copy();
      case kManyLinks: return make_many_links(), true;
      case kManyAttributes: return make_many_attributes();
      case kCommittedType: return use_committed_type(), true;
      case kMount: return mount();
      default: return change(act);
    }
  }

  std::string prefix_, point_;
  std::vector<hid_t> files_;
  const Shared& shared_;
  std::vector<Model> models_;
  std::mt19937 random_;
  std::size_t at_ = 0;
  unsigned next_ = 0;
};

unsigned number_from(const char* variable, unsigned otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : static_cast<unsigned>(std::strtoul(text, nullptr, 10));
}

/// The first `acts` of all; mounts let files share a lock for ever after.
/// PCIO_SEED, PCIO_CASES (calls of each thread) for longer plays.
void play(const std::vector<hid_t>& files, unsigned acts) {
  const unsigned seed = number_from("PCIO_SEED", 13), calls = number_from("PCIO_CASES", 150);
  constexpr unsigned kThreads = 4;
  Shared shared;
  hsize_t size = 10;
  shared.space = H5Screate_simple(1, &size, nullptr);
  shared.list = H5Pcreate(H5P_DATASET_XFER);
  shared.type = H5Tcopy(H5T_NATIVE_INT);
  for (hid_t file : files) {
    const hid_t kind = H5Tcopy(H5T_NATIVE_INT);
    EXPECT_EQ(H5Tcommit2(file, "kind", kind, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), 0);
    H5Tclose(kind);
  }
  std::vector<Player> players;
  for (unsigned n = 0; n < kThreads; ++n) players.emplace_back(n, files, shared, seed);
  in_threads(kThreads, [&](unsigned n) { players[n].play(calls, acts); });
  std::map<int, unsigned> all;
  for (Player& player : players) {
    player.check();
    for (const auto& [act, count] : player.done) all[act] += count;
  }
  std::printf("threads: seed %u, %u calls on %zu files;", seed, kThreads * calls, files.size());
  for (unsigned act = 0; act < acts; ++act) {
    std::printf(" %u", all[static_cast<int>(act)]);
    EXPECT_GT(all[static_cast<int>(act)], 0U) << act;
  }
  std::printf("; failures: %s\n", ::testing::Test::HasFailure() ? "some" : "none");
  EXPECT_EQ(H5Sclose(shared.space) | H5Pclose(shared.list) | H5Tclose(shared.type), 0);
}

/// A new file that shares messages, and keeps few links and attributes in headers.
hid_t make_dense_file(const std::string& name) {
  const hid_t create = H5Pcreate(H5P_FILE_CREATE), access = H5Pcreate(H5P_FILE_ACCESS);
  EXPECT_EQ(H5Pset_shared_mesg_nindexes(create, 1), 0);
  EXPECT_EQ(H5Pset_shared_mesg_index(create, 0, H5O_SHMESG_ALL_FLAG, 16), 0);
  EXPECT_EQ(H5Pset_link_phase_change(create, 4, 2), 0);
  EXPECT_EQ(H5Pset_attr_phase_change(create, 4, 2), 0);
  EXPECT_EQ(H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST), 0);
  const hid_t file = H5Fcreate(name.c_str(), H5F_ACC_TRUNC, create, access);
  EXPECT_GT(file, 0) << what_failed();
  for (const char* group : {"a", "b", "c"}) add_group(file, group);
  H5Pclose(create);
  H5Pclose(access);
  return file;
}

}  // namespace

TEST_F(Threads, PlayRandomCallsOnOneFile) { play({file}, kMount); }

TEST_F(Threads, PlayRandomCallsOnTwoFiles) { play({file, other}, kMount); }

TEST_F(Threads, PlayRandomCallsOnFilesThatAreMounted) { play({file, other}, kActs); }

TEST_F(Threads, PlayRandomCallsOnFilesWithSharedMessages) {
  const pcio::test::TempPath first("dense1.h5"), second("dense2.h5");
  const hid_t one = make_dense_file(first.str()), two = make_dense_file(second.str());
  play({one, two}, kMount);
  EXPECT_EQ(H5Fclose(one), 0);
  EXPECT_EQ(H5Fclose(two), 0);
}
