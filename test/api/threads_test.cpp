// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Several threads in the library: on one file, on several, in functions that the library calls.
//
// Nothing here waits for time: who must wait waits for an event, and a wait that never ends is the failure.

#include <atomic>
#include <cstdio>
#include <functional>
#include <future>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "api/file_fixture.hpp"

namespace {

/// The calls of one thread, in the thread; errors of it are not printed.
void quietly(const std::function<void()>& act) {
  H5E_auto2_t function = nullptr;
  void* data = nullptr;
  H5Eget_auto2(H5E_DEFAULT, &function, &data);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  act();
  H5Eset_auto2(H5E_DEFAULT, function, data);
}

/// Runs `act(number)` in so many threads and waits for them.
void in_threads(unsigned count, const std::function<void(unsigned)>& act) {
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < count; ++i)
    threads.emplace_back([&act, i] { quietly([&] { act(i); }); });
  for (std::thread& thread : threads) thread.join();
}

void add_group(hid_t at, const char* name) {
  const hid_t group = H5Gcreate2(at, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  EXPECT_GT(group, 0);
  EXPECT_EQ(H5Gclose(group), 0);
}

bool opens(hid_t at, const char* name) {
  const hid_t object = H5Oopen(at, name, H5P_DEFAULT);
  return object > 0 && H5Oclose(object) >= 0;
}

/// `file` and another one, both with groups /a, /b, /c.
class Threads : public FileTest {
 protected:
  void SetUp() override {
    FileTest::SetUp();
    other = H5Fcreate(other_.str().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    ASSERT_GT(other, 0);
    for (hid_t at : {file, other})
      for (const char* name : {"a", "b", "c"}) add_group(at, name);
  }
  void TearDown() override {
    if (H5Iis_valid(other) > 0) H5Fclose(other);
    FileTest::TearDown();
  }
  hid_t other = -1;
  pcio::test::TempPath other_{"other.h5"};
};

}  // namespace

TEST_F(Threads, HaveErrorsOfTheirOwn) {
  EXPECT_LT(H5Gopen2(file, "nowhere", H5P_DEFAULT), 0);
  const std::string mine = first_error();
  in_threads(2, [&](unsigned) {
    EXPECT_EQ(H5Eget_num(H5E_DEFAULT), 0);
    EXPECT_LT(H5Dopen2(file, "elsewhere", H5P_DEFAULT), 0);
    EXPECT_NE(first_error().find("elsewhere"), std::string::npos);
  });
  EXPECT_EQ(first_error(), mine);
}

TEST_F(Threads, UseIdsOfEachOther) {
  hid_t group = -1;
  in_threads(1, [&](unsigned) { group = H5Gopen2(file, "a", H5P_DEFAULT); });
  ASSERT_GT(group, 0);
  add_group(group, "below");
  in_threads(1, [&](unsigned) {
    EXPECT_TRUE(opens(group, "below"));
    EXPECT_EQ(H5Gclose(group), 0);
  });
  EXPECT_LE(H5Iis_valid(group), 0);
}

namespace {

struct Meeting {
  std::promise<void> in_callback, others_done;
  hid_t file = -1;
};

herr_t meet_others(hid_t, const char*, const H5L_info_t*, void* data) {
  auto* meeting = static_cast<Meeting*>(data);
  meeting->in_callback.set_value();
  meeting->others_done.get_future().wait();
  return opens(meeting->file, "b") ? 1 : -1;
}

}  // namespace

TEST_F(Threads, OfOtherFilesGoOnWhileOneIsInACallback) {
  Meeting meeting;
  meeting.file = file;
  std::thread iterating([&] {
    quietly([&] {
      EXPECT_EQ(H5Literate(file, H5_INDEX_NAME, H5_ITER_INC, nullptr, meet_others, &meeting), 1);
    });
  });
  meeting.in_callback.get_future().wait();
  // The file is in use; the library is not.
  add_group(other, "made");
  const pcio::test::TempPath third("third.h5");
  const hid_t made = H5Fcreate(third.str().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  EXPECT_GT(made, 0);
  EXPECT_EQ(H5Fclose(made), 0);
  EXPECT_EQ(H5Fflush(other, H5F_SCOPE_LOCAL), 0);
  meeting.others_done.set_value();
  iterating.join();
}

namespace {

struct Holding {
  hid_t file = -1;
  std::atomic<bool> left{false};
  std::thread waiting;
};

herr_t hold_file(hid_t, const char*, const H5L_info_t*, void* data) {
  auto* holding = static_cast<Holding*>(data);
  std::promise<void> begins;
  holding->waiting = std::thread([holding, &begins] {
    begins.set_value();
    EXPECT_TRUE(opens(holding->file, "c"));
    EXPECT_TRUE(holding->left.load());
  });
  begins.get_future().wait();
  for (int i = 0; i < 200; ++i) EXPECT_TRUE(opens(holding->file, "b"));
  holding->left.store(true);
  return 1;
}

}  // namespace

TEST_F(Threads, OfOneFileWaitForAnIteration) {
  for (int i = 0; i < 20; ++i) {
    Holding holding;
    holding.file = file;
    EXPECT_EQ(H5Literate(file, H5_INDEX_NAME, H5_ITER_INC, nullptr, hold_file, &holding), 1);
    holding.waiting.join();
  }
}

namespace {

herr_t open_there(hid_t, const char* name, const H5L_info_t*, void* there) {
  return opens(*static_cast<hid_t*>(there), name) ? 0 : -1;
}

}  // namespace

TEST_F(Threads, GoFromEachFileToTheOtherInCallbacks) {
  in_threads(4, [&](unsigned n) {
    hid_t from = n % 2 == 0 ? file : other, to = n % 2 == 0 ? other : file;
    for (int i = 0; i < 200; ++i)
      EXPECT_EQ(H5Literate(from, H5_INDEX_NAME, H5_ITER_INC, nullptr, open_there, &to), 0)
          << first_error();
  });
}

TEST_F(Threads, FollowLinksThatCross) {
  ASSERT_EQ(H5Lcreate_external(other_.str().c_str(), "/b", file, "out", H5P_DEFAULT, H5P_DEFAULT),
            0);
  ASSERT_EQ(H5Lcreate_external(path().c_str(), "/b", other, "out", H5P_DEFAULT, H5P_DEFAULT), 0);
  in_threads(4, [&](unsigned n) {
    for (int i = 0; i < 200; ++i)
      EXPECT_TRUE(opens(n % 2 == 0 ? file : other, "out")) << first_error();
  });
  // In callbacks as well.
  in_threads(2, [&](unsigned n) {
    hid_t here = n % 2 == 0 ? file : other;
    for (int i = 0; i < 100; ++i)
      EXPECT_EQ(H5Literate(here, H5_INDEX_NAME, H5_ITER_INC, nullptr, open_there, &here), 0)
          << first_error();
  });
}

TEST_F(Threads, CopyFromEachFileToTheOther) {
  make_dataset("a/data", 10);
  in_threads(4, [&](unsigned n) {
    const hid_t from = n % 2 == 0 ? file : other, to = n % 2 == 0 ? other : file;
    for (int i = 0; i < 30; ++i) {
      const std::string name = "copy" + std::to_string(n) + "_" + std::to_string(i);
      EXPECT_EQ(H5Ocopy(from, "b", to, name.c_str(), H5P_DEFAULT, H5P_DEFAULT), 0) << first_error();
    }
  });
  H5G_info_t info;
  for (hid_t at : {file, other}) {
    ASSERT_EQ(H5Gget_info(at, &info), 0);
    EXPECT_EQ(info.nlinks, 3U + 60U);
  }
}

TEST_F(Threads, MountFilesInEachOther) {
  in_threads(2, [&](unsigned n) {
    for (int i = 0; i < 100; ++i) {
      // One of them may be refused: no file is mounted in what is mounted in it.
      const hid_t at = n == 0 ? file : other, child = n == 0 ? other : file;
      if (H5Fmount(at, "a", child, H5P_DEFAULT) >= 0) {
        EXPECT_TRUE(opens(at, "a/b")) << first_error();
        EXPECT_EQ(H5Funmount(at, "a"), 0) << first_error();
      }
      EXPECT_TRUE(opens(at, "c")) << first_error();
    }
  });
}

namespace {

/// A dataset whose one source is `source` of the other file.
void make_virtual(hid_t at, const std::string& source_file) {
  hsize_t size = 10;
  const hid_t space = H5Screate_simple(1, &size, nullptr);
  const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  ASSERT_EQ(H5Pset_virtual(list, space, source_file.c_str(), "source", space), 0);
  const hid_t data =
      H5Dcreate2(at, "virtual", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT);
  ASSERT_GT(data, 0);
  H5Dclose(data);
  H5Pclose(list);
  H5Sclose(space);
}

std::vector<int> content(hid_t at, const char* name) {
  std::vector<int> values(10, -1);
  const hid_t data = H5Dopen2(at, name, H5P_DEFAULT);
  EXPECT_GE(H5Dread(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
  H5Dclose(data);
  return values;
}

void fill(hid_t at, const char* name, int value) {
  const std::vector<int> values(10, value);
  const hid_t data = H5Dopen2(at, name, H5P_DEFAULT);
  EXPECT_GE(H5Dwrite(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
  H5Dclose(data);
}

}  // namespace

TEST_F(Threads, ReadSourcesOfEachOthersFiles) {
  make_dataset("source", 10);
  std::swap(file, other);
  make_dataset("source", 10);
  std::swap(file, other);
  make_virtual(file, other_.str());
  make_virtual(other, path());
  fill(file, "source", 1);
  fill(other, "source", 2);
  in_threads(4, [&](unsigned n) {
    for (int i = 0; i < 100; ++i)
      EXPECT_EQ(content(n % 2 == 0 ? file : other, "virtual"),
                std::vector<int>(10, n % 2 == 0 ? 2 : 1));
  });
}

TEST_F(Threads, OpenAndCloseOneFile) {
  ASSERT_EQ(H5Fclose(other), 0);
  in_threads(4, [&](unsigned n) {
    for (int i = 0; i < 50; ++i) {
      const hid_t opened = H5Fopen(other_.str().c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
      ASSERT_GT(opened, 0) << first_error();
      const std::string name = "g" + std::to_string(n) + "_" + std::to_string(i);
      add_group(opened, name.c_str());
      EXPECT_EQ(H5Fclose(opened), 0) << first_error();
    }
  });
  other = H5Fopen(other_.str().c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  H5G_info_t info;
  ASSERT_EQ(H5Gget_info(other, &info), 0);
  EXPECT_EQ(info.nlinks, 3U + 200U);
}

TEST_F(Threads, CreateOneFileOnce) {
  std::atomic<int> made{0};
  const pcio::test::TempPath wanted("wanted.h5");
  std::vector<hid_t> ids(4, -1);
  in_threads(4, [&](unsigned n) {
    ids[n] = H5Fcreate(wanted.str().c_str(), H5F_ACC_EXCL, H5P_DEFAULT, H5P_DEFAULT);
    if (ids[n] > 0) ++made;
  });
  EXPECT_EQ(made.load(), 1);
  for (hid_t id : ids)
    if (id > 0) EXPECT_EQ(H5Fclose(id), 0);
}

namespace {

herr_t close_file(hid_t, const char*, const H5L_info_t*, void* data) {
  EXPECT_EQ(H5Fclose(*static_cast<hid_t*>(data)), 0);
  return 0;
}

}  // namespace

TEST_F(Threads, SeeThatAFileWasClosedUnderAnIteration) {
  const hid_t list = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fclose_degree(list, H5F_CLOSE_STRONG);
  ASSERT_EQ(H5Fclose(file), 0);
  file = H5Fopen(path().c_str(), H5F_ACC_RDWR, list);
  EXPECT_LT(H5Literate(file, H5_INDEX_NAME, H5_ITER_INC, nullptr, close_file, &file), 0);
  EXPECT_NE(first_error().find("closed"), std::string::npos) << first_error();
  H5Pclose(list);
}

namespace {

std::atomic<hid_t> converted_to{-1};

/// Goes to the other file in the middle of a transfer.
herr_t convert_over_there(hid_t, hid_t, H5T_cdata_t* cdata, size_t n, size_t, size_t, void* buffer,
                          void*, hid_t) {
  if (cdata->command == H5T_CONV_INIT) return 0;
  if (cdata->command != H5T_CONV_CONV) return 0;
  if (converted_to >= 0 && !opens(converted_to, "b")) return -1;
  auto* values = static_cast<int*>(buffer);
  for (size_t i = 0; i < n; ++i) values[i] = -values[i];
  return 0;
}

}  // namespace

TEST_F(Threads, ConvertWithFunctionsThatGoElsewhere) {
  make_dataset("data", 10);
  fill(file, "data", 5);
  const hid_t odd = H5Tcopy(H5T_NATIVE_INT);
  H5Tset_precision(odd, 31);
  converted_to = other;
  ASSERT_EQ(H5Tregister(H5T_PERS_HARD, "elsewhere", H5T_NATIVE_INT, odd, convert_over_there), 0)
      << first_error();
  in_threads(4, [&](unsigned n) {
    for (int i = 0; i < 50; ++i) {
      if (n % 2 == 0) {
        std::vector<int> values(10);
        const hid_t data = H5Dopen2(file, "data", H5P_DEFAULT);
        EXPECT_EQ(H5Dread(data, odd, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0)
            << first_error();
        EXPECT_EQ(values, std::vector<int>(10, -5));
        H5Dclose(data);
      } else {
        EXPECT_TRUE(opens(other, "c"));
      }
    }
  });
  EXPECT_EQ(H5Tunregister(H5T_PERS_HARD, "elsewhere", H5T_NATIVE_INT, odd, convert_over_there), 0);
  H5Tclose(odd);
}

// ---- random calls -------------------------------------------------------------------------------

namespace {

/// Objects of one thread in one file as they must be: a dataset's value by name; groups have none.
using Model = std::map<std::string, int>;

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
  kActs
};

/// One thread's random calls on the files.
class Player {
 public:
  Player(unsigned number, const std::vector<hid_t>& files, const Shared& shared, unsigned seed)
      : prefix_("t" + std::to_string(number) + "_"),
        files_(files),
        shared_(shared),
        models_(files.size()),
        random_(seed * 1000 + number) {}

  void play(unsigned calls) {
    for (unsigned i = 0; i < calls; ++i) {
      at_ = random_() % files_.size();
      const Act act = static_cast<Act>(random_() % kActs);
      run(act);
      ++done[act];
    }
  }
  /// After all threads.
  void check() {
    for (at_ = 0; at_ < files_.size(); ++at_) {
      for (const auto& [name, value] : models_[at_]) compare(name, value);
      EXPECT_EQ(count_mine(), models_[at_].size());
    }
  }
  std::map<int, unsigned> done;

 private:
  hid_t file() { return files_[at_]; }
  Model& model() { return models_[at_]; }
  std::string new_name() { return prefix_ + std::to_string(next_++); }
  /// One of this thread's objects here; null where there is none.
  std::pair<const std::string, int>* any() {
    if (model().empty()) return nullptr;
    auto it = model().begin();
    std::advance(it, static_cast<long>(random_() % model().size()));
    return &*it;
  }

  void compare(const std::string& name, int value) {
    if (value < 0)
      EXPECT_TRUE(opens(file(), name.c_str())) << name;
    else
      EXPECT_EQ(content(file(), name.c_str()), std::vector<int>(10, value)) << name;
  }

  static herr_t count_one(hid_t, const char* name, const H5L_info_t*, void* data) {
    auto* counting = static_cast<std::pair<const std::string*, std::size_t>*>(data);
    if (counting->first->compare(0, std::string::npos, name, counting->first->size()) == 0)
      ++counting->second;
    return 0;
  }
  std::size_t count_mine() {
    std::pair<const std::string*, std::size_t> counting{&prefix_, 0};
    EXPECT_EQ(H5Literate(file(), H5_INDEX_NAME, H5_ITER_INC, nullptr, count_one, &counting), 0);
    return counting.second;
  }

  void make_data() {
    const std::string name = new_name();
    hsize_t size = 10;
    const hid_t space = H5Screate_simple(1, &size, nullptr);
    const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    if (random_() % 2 == 0) {
      hsize_t chunk = 4;
      H5Pset_chunk(list, 1, &chunk);
      H5Pset_deflate(list, 1 + random_() % 6);
    }
    const hid_t data =
        H5Dcreate2(file(), name.c_str(), H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT);
    EXPECT_GT(data, 0);
    H5Dclose(data);
    H5Pclose(list);
    H5Sclose(space);
    const int value = static_cast<int>(random_() % 1000);
    fill(file(), name.c_str(), value);
    model()[name] = value;
  }

  /// Nobody knows what they are like, but they must be sound.
  void use_shared() {
    hsize_t start = random_() % 5, count = 1 + random_() % 5;
    H5Sselect_hyperslab(shared_.space, static_cast<H5S_seloper_t>(random_() % 3), &start, nullptr,
                        &count, nullptr);
    EXPECT_GE(H5Sget_select_npoints(shared_.space), 0);
    EXPECT_EQ(H5Pset_buffer(shared_.list, 4096 + random_() % 4096, nullptr, nullptr), 0);
    EXPECT_EQ(H5Tset_order(shared_.type, random_() % 2 == 0 ? H5T_ORDER_LE : H5T_ORDER_BE), 0);
    const auto* one = any();
    if (one == nullptr || one->second < 0) return;
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
    EXPECT_GT(again, 0);
    if (const auto* one = any()) EXPECT_TRUE(opens(again, one->first.c_str()));
    EXPECT_GT(H5Fget_obj_count(again, H5F_OBJ_FILE), 0);
    EXPECT_EQ(H5Fclose(again), 0);
  }

  void run(Act act) {
    if (act == kMakeData) return make_data();
    if (act == kMakeGroup) {
      const std::string name = new_name();
      add_group(file(), name.c_str());
      model()[name] = -1;
    }
    if (act == kIterate) EXPECT_EQ(count_mine(), model().size());
    if (act == kFlush && random_() % 4 == 0) EXPECT_EQ(H5Fflush(file(), H5F_SCOPE_LOCAL), 0);
    if (act == kShared) use_shared();
    if (act == kReopen) reopen();
    auto* one = any();
    if (one == nullptr) return;
    if (act == kRead) compare(one->first, one->second);
    if (act == kRewrite && one->second >= 0) {
      one->second = static_cast<int>(random_() % 1000);
      fill(file(), one->first.c_str(), one->second);
    }
    if (act == kDelete) {
      EXPECT_EQ(H5Ldelete(file(), one->first.c_str(), H5P_DEFAULT), 0);
      const std::string name = one->first;
      model().erase(name);
    }
  }

  std::string prefix_;
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

/// PCIO_SEED, PCIO_CASES (calls of each thread) for longer plays.
void play(const std::vector<hid_t>& files) {
  const unsigned seed = number_from("PCIO_SEED", 13), calls = number_from("PCIO_CASES", 150);
  constexpr unsigned kThreads = 4;
  Shared shared;
  hsize_t size = 10;
  shared.space = H5Screate_simple(1, &size, nullptr);
  shared.list = H5Pcreate(H5P_DATASET_XFER);
  shared.type = H5Tcopy(H5T_NATIVE_INT);
  std::vector<Player> players;
  for (unsigned n = 0; n < kThreads; ++n) players.emplace_back(n, files, shared, seed);
  in_threads(kThreads, [&](unsigned n) { players[n].play(calls); });
  std::map<int, unsigned> all;
  for (Player& player : players) {
    player.check();
    for (const auto& [act, count] : player.done) all[act] += count;
  }
  std::printf("threads: seed %u, %u calls on %zu files;", seed, kThreads * calls, files.size());
  for (int act = 0; act < kActs; ++act) {
    std::printf(" %u", all[act]);
    EXPECT_GT(all[act], 0U);
  }
  std::printf("; failures: %s\n", ::testing::Test::HasFailure() ? "some" : "none");
  EXPECT_EQ(H5Sclose(shared.space) | H5Pclose(shared.list) | H5Tclose(shared.type), 0);
}

}  // namespace

TEST_F(Threads, PlayRandomCallsOnOneFile) { play({file}); }

TEST_F(Threads, PlayRandomCallsOnTwoFiles) { play({file, other}); }
