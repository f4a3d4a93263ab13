// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Ids through the public calls: stale, closed, foreign, of the wrong type, zero: errors, no
// crashes.

#include <gtest/gtest.h>
#include <hdf5.h>
#include <limits>
#include <string>

#include "api/quiet.hpp"

namespace {

class Ids : public QuietTest {};

TEST_F(Ids, NewIdHasOneReferenceAndItsType) {
  hid_t type = H5Tcopy(H5T_NATIVE_INT);
  ASSERT_GT(type, 0);
  EXPECT_EQ(H5Iget_type(type), H5I_DATATYPE);
  EXPECT_EQ(H5Iget_ref(type), 1);
  EXPECT_EQ(H5Iis_valid(type), 1);
  EXPECT_EQ(H5Tclose(type), 0);
}

TEST_F(Ids, ClosedIdIsStaleForever) {
  hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  ASSERT_EQ(H5Pclose(list), 0);
  // The slot is used again; the old id must not mean the new object.
  hid_t other = H5Pcreate(H5P_DATASET_CREATE);
  EXPECT_NE(list, other);
  EXPECT_LT(H5Pclose(list), 0);
  EXPECT_EQ(H5Iis_valid(list), 0);
  EXPECT_EQ(H5Iget_type(list), H5I_BADID);
  EXPECT_LT(H5Iget_ref(list), 0);
  EXPECT_EQ(H5Pclose(other), 0);
}

TEST_F(Ids, ReferencesKeepAnObjectOpen) {
  hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  EXPECT_EQ(H5Iinc_ref(list), 2);
  EXPECT_EQ(H5Pclose(list), 0);
  EXPECT_EQ(H5Pget_layout(list), H5D_CONTIGUOUS);
  EXPECT_EQ(H5Idec_ref(list), 0);
  EXPECT_LT(H5Idec_ref(list), 0);
}

TEST_F(Ids, OfAnotherTypeAreRefusedByName) {
  hid_t type = H5Tcopy(H5T_NATIVE_INT);
  EXPECT_LT(H5Pclose(type), 0);
  EXPECT_EQ(first_error(), "argument plist_id: id " + std::to_string(type) +
                               " is of type 'datatype', expected: property list");
  EXPECT_EQ(H5Tclose(type), 0);
}

TEST_F(Ids, ForeignNumbersAreErrors) {
  for (hid_t id :
       {hid_t{-1}, hid_t{-77}, hid_t{0}, hid_t{1}, hid_t{12345}, std::numeric_limits<hid_t>::max(),
        std::numeric_limits<hid_t>::min(), hid_t{0x0900000100000000}, hid_t{0x7f00000100000001}}) {
    EXPECT_LT(H5Tclose(id), 0) << id;
    EXPECT_LT(H5Pget_layout(id), 0) << id;
    EXPECT_EQ(H5Iget_type(id), H5I_BADID) << id;
    EXPECT_EQ(H5Iis_valid(id), 0) << id;
    EXPECT_LT(H5Iinc_ref(id), 0) << id;
    EXPECT_LT(H5Idec_ref(id), 0) << id;
    EXPECT_LT(H5Iget_name(id, nullptr, 0), 0) << id;
    EXPECT_LT(H5Iget_file_id(id), 0) << id;
  }
}

TEST_F(Ids, PredefinedObjectsCannotBeClosed) {
  EXPECT_LT(H5Tclose(H5T_NATIVE_INT), 0);
  EXPECT_LT(H5Idec_ref(H5T_NATIVE_INT), 0);
  EXPECT_LT(H5Pclose(H5P_DATASET_CREATE_DEFAULT), 0);
  EXPECT_LT(H5Eclose_msg(H5E_ARGS), 0);
  EXPECT_EQ(H5Iget_type(H5T_NATIVE_INT), H5I_DATATYPE);
  // Not obtained by the application.
  EXPECT_EQ(H5Iis_valid(H5T_NATIVE_INT), 0);
}

TEST_F(Ids, PredefinedOnesCountTheApplicationsReferences) {
  const hid_t id = H5T_NATIVE_INT;
  EXPECT_EQ(H5Iget_ref(id), 0);
  EXPECT_EQ(H5Iinc_ref(id), 1);
  EXPECT_EQ(H5Iis_valid(id), 1);
  EXPECT_EQ(H5Iinc_ref(id), 2);
  EXPECT_EQ(H5Iget_ref(id), 2);
  EXPECT_LT(H5Tclose(id), 0);
  EXPECT_EQ(H5Idec_ref(id), 1);
  EXPECT_EQ(H5Idec_ref(id), 0);
  EXPECT_EQ(H5Iis_valid(id), 0);
  EXPECT_LT(H5Idec_ref(id), 0);
  EXPECT_EQ(H5Tget_size(id), sizeof(int));
}

TEST_F(Ids, AreCountedByType) {
  hsize_t before = 0;
  hsize_t after = 0;
  ASSERT_EQ(H5Inmembers(H5I_GENPROP_LST, &before), 0);
  hid_t list = H5Pcreate(H5P_FILE_ACCESS);
  ASSERT_EQ(H5Inmembers(H5I_GENPROP_LST, &after), 0);
  EXPECT_EQ(after, before + 1);
  H5Pclose(list);
  EXPECT_LT(H5Inmembers(H5I_BADID, &after), 0);
  EXPECT_LT(H5Inmembers(number_as<H5I_type_t>(99), &after), 0);
  EXPECT_EQ(H5Itype_exists(H5I_DATASET), 1);
  EXPECT_EQ(H5Itype_exists(number_as<H5I_type_t>(99)), 0);
}

TEST_F(Ids, ManyOpenAtOnceStayDistinct) {
  constexpr int kCount = 20000;
  std::vector<hid_t> ids;
  for (int i = 0; i < kCount; ++i) {
    ids.push_back(H5Pcreate(H5P_DATASET_XFER));
    ASSERT_EQ(H5Pset_buffer(ids.back(), static_cast<size_t>(i) + 1, nullptr, nullptr), 0);
  }
  for (int i = 0; i < kCount; ++i) {
    EXPECT_EQ(H5Pget_buffer(ids[static_cast<size_t>(i)], nullptr, nullptr),
              static_cast<size_t>(i) + 1);
    EXPECT_EQ(H5Pclose(ids[static_cast<size_t>(i)]), 0);
  }
}

}  // namespace
