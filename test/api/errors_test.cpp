// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Error stacks through the public calls: form of the text, walking, silencing, classes of one's
// own.

#include <cstdio>
#include <gtest/gtest.h>
#include <hdf5.h>
#include <string>
#include <thread>
#include <vector>

#include "api/quiet.hpp"

namespace {

/// What `print` writes to a stream.
template <class Print>
std::string captured(Print print) {
  char* text = nullptr;
  std::size_t size = 0;
  std::FILE* stream = open_memstream(&text, &size);
  print(stream);
  std::fclose(stream);
  std::string result(text, size);
  std::free(text);
  return result;
}

std::string printed(hid_t stack = H5E_DEFAULT) {
  return captured([&](std::FILE* stream) { H5Eprint2(stack, stream); });
}

class Errors : public QuietTest {
 protected:
  void SetUp() override {
    QuietTest::SetUp();
    cls_ = H5Eregister_class("Heat", "libheat", "2.5");
    major_ = H5Ecreate_msg(cls_, H5E_MAJOR, "solver");
    minor_ = H5Ecreate_msg(cls_, H5E_MINOR, "did not converge");
    H5Eclear2(H5E_DEFAULT);
  }
  void TearDown() override {
    H5Eunregister_class(cls_);
    QuietTest::TearDown();
  }
  void push(const char* function, unsigned line) {
    ASSERT_EQ(H5Epush2(H5E_DEFAULT, "heat.c", function, line, cls_, major_, minor_, "step %d of %s",
                       7, "run"),
              0);
  }
  hid_t cls_ = -1;
  hid_t major_ = -1;
  hid_t minor_ = -1;
};

TEST_F(Errors, ArePrintedInTheFormOfHdf5) {
  push("inner", 12);
  push("outer", 34);
  EXPECT_EQ(printed(),
            "Heat-DIAG: Error detected in libheat (2.5) thread 0:\n"
            "  #000: heat.c line 34 in outer(): step 7 of run\n"
            "    major: solver\n"
            "    minor: did not converge\n"
            "  #001: heat.c line 12 in inner(): step 7 of run\n"
            "    major: solver\n"
            "    minor: did not converge\n");
}

TEST_F(Errors, AHeaderIsPrintedForEachChangeOfClass) {
  push("inner", 12);
  H5Epush2(H5E_DEFAULT, "f.c", "f", 1, H5E_ERR_CLS, H5E_ARGS, H5E_BADTYPE, "mixed");
  std::string text = printed();
  EXPECT_EQ(text.find("HDF5-DIAG: Error detected in HDF5 (1.10.8) thread 0:\n  #000: f.c line 1"),
            0U);
  EXPECT_NE(text.find("Heat-DIAG: Error detected in libheat (2.5) thread 0:\n  #001: heat.c"),
            std::string::npos);
}

TEST_F(Errors, NothingIsPrintedForAnEmptyStack) { EXPECT_EQ(printed(), ""); }

TEST_F(Errors, AFailedCallNamesItselfAndItsArgument) {
  EXPECT_LT(H5Pclose(12345), 0);
  std::string text = printed();
  EXPECT_EQ(text.find("HDF5-DIAG: Error detected in HDF5 (1.10.8) thread 0:\n"), 0U) << text;
  EXPECT_NE(text.find("in H5Pclose(): "), std::string::npos) << text;
  EXPECT_NE(text.find("argument plist_id: id 12345 is not open"), std::string::npos) << text;
  // No folder of the machine where it was built.
  EXPECT_EQ(text.find(" /"), std::string::npos) << text;
}

TEST_F(Errors, TheNextCallClearsTheStack) {
  EXPECT_LT(H5Pclose(12345), 0);
  EXPECT_GT(H5Eget_num(H5E_DEFAULT), 0);
  EXPECT_EQ(H5Pclose(H5P_DEFAULT), 0);
  EXPECT_EQ(H5Eget_num(H5E_DEFAULT), 0);
}

struct Walked {
  std::vector<std::string> functions;
  herr_t answer = 0;
};

herr_t note(unsigned n, const H5E_error2_t* error, void* data) {
  auto* walked = static_cast<Walked*>(data);
  EXPECT_EQ(n, walked->functions.size());
  walked->functions.emplace_back(error->func_name);
  return walked->answer;
}

TEST_F(Errors, AreWalkedInBothDirections) {
  push("a", 1), push("b", 2), push("c", 3);
  Walked up;
  EXPECT_EQ(H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, note, &up), 0);
  EXPECT_EQ(up.functions, (std::vector<std::string>{"a", "b", "c"}));
  Walked down;
  EXPECT_EQ(H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, note, &down), 0);
  EXPECT_EQ(down.functions, (std::vector<std::string>{"c", "b", "a"}));
  Walked stopped{{}, 5};
  EXPECT_EQ(H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, note, &stopped), 5);
  EXPECT_EQ(stopped.functions.size(), 1U);
}

TEST_F(Errors, OldFormWalksToo) {
  push("a", 1);
  int count = 0;
  EXPECT_EQ(H5Ewalk1(
                H5E_WALK_DOWNWARD,
                [](int, H5E_error1_t* error, void* data) -> herr_t {
                  EXPECT_STREQ(error->func_name, "a");
                  ++*static_cast<int*>(data);
                  return 0;
                },
                &count),
            0);
  EXPECT_EQ(count, 1);
}

TEST_F(Errors, StacksAreTakenPoppedAndPutBack) {
  push("a", 1), push("b", 2), push("c", 3);
  hid_t stack = H5Eget_current_stack();
  EXPECT_EQ(H5Eget_num(H5E_DEFAULT), 0);
  EXPECT_EQ(H5Eget_num(stack), 3);
  EXPECT_EQ(H5Epop(stack, 1), 0);
  EXPECT_EQ(H5Eget_num(stack), 2);
  EXPECT_EQ(H5Eset_current_stack(stack), 0);
  EXPECT_EQ(H5Eget_num(H5E_DEFAULT), 2);
  EXPECT_LT(H5Eclose_stack(stack), 0);
  H5Eclear2(H5E_DEFAULT);
  EXPECT_EQ(H5Epop(H5E_DEFAULT, 10), 0);
}

TEST_F(Errors, MessagesAndClassesTellTheirText) {
  char text[32];
  H5E_type_t type = H5E_MINOR;
  EXPECT_EQ(H5Eget_msg(major_, &type, text, sizeof text), 6);
  EXPECT_EQ(type, H5E_MAJOR);
  EXPECT_STREQ(text, "solver");
  EXPECT_EQ(H5Eget_msg(major_, nullptr, text, 4), 6);
  EXPECT_STREQ(text, "sol");
  EXPECT_EQ(H5Eget_msg(major_, nullptr, nullptr, 0), 6);
  EXPECT_EQ(H5Eget_class_name(cls_, text, sizeof text), 4);
  EXPECT_STREQ(text, "Heat");
  EXPECT_EQ(H5Eget_class_name(H5E_ERR_CLS, text, sizeof text), 4);
  EXPECT_STREQ(text, "HDF5");
}

TEST_F(Errors, AClassTakesItsMessagesWithIt) {
  hid_t cls = H5Eregister_class("A", "B", "C");
  hid_t message = H5Ecreate_msg(cls, H5E_MAJOR, "m");
  EXPECT_EQ(H5Eunregister_class(cls), 0);
  EXPECT_LT(H5Eget_msg(message, nullptr, nullptr, 0), 0);
  EXPECT_LT(H5Eunregister_class(H5E_ERR_CLS), 0);
}

TEST_F(Errors, AutomaticReportsOfBothForms) {
  static int calls = 0;
  H5Eset_auto2(
      H5E_DEFAULT,
      [](hid_t stack, void* data) -> herr_t {
        EXPECT_EQ(stack, H5E_DEFAULT);
        ++*static_cast<int*>(data);
        return 0;
      },
      &calls);
  unsigned v2 = 9;
  H5Eauto_is_v2(H5E_DEFAULT, &v2);
  EXPECT_EQ(v2, 1U);
  H5Pclose(12345);
  EXPECT_EQ(calls, 1);
  H5E_BEGIN_TRY { H5Pclose(12345); }
  H5E_END_TRY
  EXPECT_EQ(calls, 1);
  H5Pclose(12345);
  EXPECT_EQ(calls, 2);

  H5Eset_auto1([](void* data) -> herr_t { return ++*static_cast<int*>(data), 0; }, &calls);
  H5Eauto_is_v2(H5E_DEFAULT, &v2);
  EXPECT_EQ(v2, 0U);
  H5E_BEGIN_TRY { H5Pclose(12345); }
  H5E_END_TRY
  EXPECT_EQ(calls, 2);
  H5Pclose(12345);
  EXPECT_EQ(calls, 3);
  H5E_auto2_t wrong_form = nullptr;
  EXPECT_LT(H5Eget_auto2(H5E_DEFAULT, &wrong_form, nullptr), 0);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

TEST_F(Errors, EachThreadHasItsOwnStack) {
  push("here", 1);
  std::thread([] {
    EXPECT_EQ(H5Eget_num(H5E_DEFAULT), 0);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    H5Pclose(12345);
    EXPECT_GT(H5Eget_num(H5E_DEFAULT), 0);
  }).join();
  EXPECT_EQ(H5Eget_num(H5E_DEFAULT), 1);
}

TEST_F(Errors, OldFormTextsBelongToTheCaller) {
  char* text = H5Eget_major(major_);
  ASSERT_NE(text, nullptr);
  EXPECT_STREQ(text, "solver");
  H5free_memory(text);
  EXPECT_EQ(H5Eget_minor(major_), nullptr);
}

}  // namespace
