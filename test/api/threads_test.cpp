// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Several threads in the library: on one file, on several, in functions that the library calls.
//
// Nothing here waits for time: who must wait waits for an event, and a wait that never ends is the failure.

#include <atomic>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include "api/threads_fixture.hpp"

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
  const hid_t id = *static_cast<hid_t*>(data);
  if (H5Iis_valid(id) > 0) EXPECT_EQ(H5Fclose(id), 0);
  return 0;
}

}  // namespace

TEST_F(Threads, CloseAFileUnderAnIterationWhenThatEnds) {
  const hid_t list = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fclose_degree(list, H5F_CLOSE_STRONG);
  ASSERT_EQ(H5Fclose(file), 0);
  file = H5Fopen(path().c_str(), H5F_ACC_RDWR, list);
  EXPECT_EQ(H5Literate(file, H5_INDEX_NAME, H5_ITER_INC, nullptr, close_file, &file), 0)
      << first_error();
  EXPECT_EQ(H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL), 1) << "the other file";
  H5Pclose(list);
}

namespace {

struct Crossing {
  hid_t file, other;
  std::promise<void> other_is_taken, file_is_closed;
  int links = 0;
};

/// Closes the file that is iterated over, and comes to one that another thread has: lets its own go meanwhile.
herr_t close_and_cross(hid_t, const char*, const H5L_info_t*, void* data) {
  auto* crossing = static_cast<Crossing*>(data);
  if (crossing->links++ > 0) return 0;
  if (H5Fclose(crossing->file) < 0) return -1;
  crossing->other_is_taken.get_future().wait();
  crossing->file_is_closed.set_value();
  return opens(crossing->other, "b") ? 0 : -1;
}

/// Ends many calls while the other thread comes to this file: none of them is to close that one's.
herr_t end_calls(hid_t, const char*, const H5L_info_t*, void* data) {
  auto* crossing = static_cast<Crossing*>(data);
  crossing->other_is_taken.set_value();
  crossing->file_is_closed.get_future().wait();
  for (int i = 0; i < 2000; ++i) {
    if (!opens(crossing->other, "c")) return -1;
    std::this_thread::yield();
  }
  return 1;
}

}  // namespace

TEST_F(Threads, LeaveFilesThatWaitToBeClosedToTheirIterations) {
  for (int i = 0; i < 5; ++i) {
    Crossing crossing;
    crossing.file = file;
    crossing.other = other;
    in_threads(2, [&](unsigned number) {
      if (number == 0)
        EXPECT_EQ(H5Literate(file, H5_INDEX_NAME, H5_ITER_INC, nullptr, close_and_cross, &crossing),
                  0)
            << first_error();
      else
        EXPECT_EQ(H5Literate(other, H5_INDEX_NAME, H5_ITER_INC, nullptr, end_calls, &crossing), 1);
    });
    EXPECT_EQ(crossing.links, 3);
    EXPECT_EQ(H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL), 1) << "the other file";
    file = H5Fopen(path().c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    ASSERT_GT(file, 0) << first_error();
  }
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
