// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room agree: names that are nearly the library's.

#include "agree/misspelt_names.hpp"

#include <gtest/gtest.h>
#include <string>

namespace pcio {
namespace {

TEST(MisspeltNames, NamesWhatMayBeMeant) {
  EXPECT_STREQ(meant_variable("PCIO_REPROT"), "PCIO_REPORT");
  EXPECT_STREQ(meant_variable("PCIO_REPORTS"), "PCIO_REPORT");
  EXPECT_STREQ(meant_variable("PCIO_TRANSPRT"), "PCIO_TRANSPORT");
  EXPECT_STREQ(meant_variable("PCIO_HANG_SECOND"), "PCIO_HANG_SECONDS");
  EXPECT_STREQ(meant_variable("PCIO_DURABLITY"), "PCIO_DURABILITY");
}

TEST(MisspeltNames, LeavesAloneWhatIsRightOrAnothers) {
  for (const char* name :
       {"PCIO_REPORT", "PCIO_CHECK", "PCIO_RUN_LOG", "PCIO_HOME", "PCIO_", "PCIO", "", "REPORT",
        "pcio_report", "PCIO_TEST_NP", "PCIO_REPORT_FOLDER", "HDF5_REPORT"})
    EXPECT_EQ(meant_variable(name), nullptr) << name;
  EXPECT_EQ(meant_variable("PCIO_" + std::string(1000, 'A')), nullptr);
}

}  // namespace
}  // namespace pcio
