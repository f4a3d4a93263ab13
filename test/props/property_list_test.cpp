// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Property lists as values: the tree of classes, access through an ancestor, copies, names.

#include "props/property_list.hpp"

#include <gtest/gtest.h>
#include <set>
#include <string>

#include "props/property_names.hpp"

namespace pcio {
namespace {

using Kind = PropertyClassKind;

PropertyList list_of(unsigned kind) { return PropertyList(static_cast<Kind>(kind)); }

TEST(PropertyClass, EveryClassReachesTheRoot) {
  std::set<std::string> names;
  for (unsigned k = 0; k < kPropertyClassCount; ++k) {
    auto kind = static_cast<Kind>(k);
    EXPECT_EQ(property_class(kind).kind, kind);
    EXPECT_TRUE(is_property_class(kind, Kind::kRoot));
    EXPECT_TRUE(is_property_class(kind, kind));
    names.insert(property_class(kind).name);
  }
  EXPECT_EQ(names.size(), kPropertyClassCount);
}

TEST(PropertyClass, FileCreationIsGroupCreation) {
  EXPECT_TRUE(is_property_class(Kind::kFileCreate, Kind::kGroupCreate));
  EXPECT_TRUE(is_property_class(Kind::kFileCreate, Kind::kObjectCreate));
  EXPECT_FALSE(is_property_class(Kind::kGroupCreate, Kind::kFileCreate));
  EXPECT_FALSE(is_property_class(Kind::kRoot, Kind::kFileCreate));
}

// The values of a class must be reachable exactly where the tree says so.
template <class P>
void check_access() {
  for (unsigned k = 0; k < kPropertyClassCount; ++k) {
    PropertyList list = list_of(k);
    EXPECT_EQ(list.kind(), static_cast<Kind>(k));
    // Root values are an empty struct of their own: nothing derives from them in C++.
    bool expected = is_property_class(list.kind(), kClassOf<P>);
    EXPECT_EQ(list.as<P>() != nullptr, expected) << property_class(list.kind()).name;
  }
}

TEST(PropertyList, ValuesAreReachedThroughAncestors) {
  check_access<ObjectCreateProps>();
  check_access<GroupCreateProps>();
  check_access<FileCreateProps>();
  check_access<FileAccessProps>();
  check_access<DatasetCreateProps>();
  check_access<DatasetAccessProps>();
  check_access<TransferProps>();
  check_access<StringCreateProps>();
  check_access<LinkCreateProps>();
  check_access<LinkAccessProps>();
  check_access<ObjectCopyProps>();
  check_access<FileMountProps>();
}

TEST(PropertyList, CopiesAreEqualUntilOneChanges) {
  for (unsigned k = 0; k < kPropertyClassCount; ++k) {
    PropertyList list = list_of(k);
    PropertyList copy = list;
    EXPECT_TRUE(copy == list) << property_class(list.kind()).name;
  }
  PropertyList one(Kind::kDatasetCreate);
  PropertyList two = one;
  two.as<ObjectCreateProps>()->track_times = false;
  EXPECT_FALSE(one == two);
}

TEST(PropertyList, CopyingAFileListClonesTheDriver) {
  PropertyList one(Kind::kFileAccess);
  one.as<FileAccessProps>()->driver =
      DriverChoice(std::make_unique<MemorySettings>(4096, MemorySettings::BackingStore::kNone));
  PropertyList two = one;
  EXPECT_TRUE(one == two);
  EXPECT_NE(one.as<FileAccessProps>()->driver.get(), two.as<FileAccessProps>()->driver.get());
  two.as<FileAccessProps>()->driver = DriverChoice();
  EXPECT_FALSE(one == two);
}

TEST(PropertyList, ResultsOfTransfersDoNotMakeListsDiffer) {
  PropertyList one(Kind::kDatasetTransfer);
  PropertyList two = one;
  two.as<TransferProps>()->report.succeeded = true;
  EXPECT_TRUE(one == two);
  two.as<TransferProps>()->chunk_opt_num = 7;
  EXPECT_FALSE(one == two);
}

TEST(DatasetCreateProps, DefaultAllocationTimeFollowsTheLayout) {
  DatasetCreateProps props;
  EXPECT_EQ(props.effective_alloc_time(), AllocTime::kLate);
  props.layout = Layout::kCompact;
  EXPECT_EQ(props.effective_alloc_time(), AllocTime::kEarly);
  props.layout = Layout::kChunked;
  EXPECT_EQ(props.effective_alloc_time(), AllocTime::kIncremental);
  props.alloc_time = AllocTime::kEarly;
  EXPECT_EQ(props.effective_alloc_time(), AllocTime::kEarly);
}

// ---- names -----------------------------------------------------------------------------------

TEST(PropertyNames, NumbersPerClassAreThoseOfHdf5) {
  EXPECT_EQ(count_properties(Kind::kObjectCreate), 4U);
  EXPECT_EQ(count_properties(Kind::kFileCreate), 21U);
  EXPECT_EQ(own_properties(Kind::kFileCreate).size(), 15U);
  EXPECT_EQ(count_properties(Kind::kFileAccess), 40U);
  EXPECT_EQ(count_properties(Kind::kDatasetCreate), 9U);
  EXPECT_EQ(count_properties(Kind::kDatasetAccess), 14U);
  EXPECT_EQ(count_properties(Kind::kDatasetTransfer), 23U);
  EXPECT_EQ(count_properties(Kind::kGroupCreate), 6U);
  EXPECT_EQ(count_properties(Kind::kRoot), 0U);
}

TEST(PropertyNames, ReadAndWriteReachTheTypedValue) {
  PropertyList list(Kind::kFileAccess);
  const NamedProperty* align = find_property(Kind::kFileAccess, "align");
  ASSERT_NE(align, nullptr);
  std::uint64_t value = 4096;
  ASSERT_EQ(align->size, sizeof value);
  align->write(list, &value);
  EXPECT_EQ(list.as<FileAccessProps>()->alignment, 4096U);
  value = 0;
  align->read(list, &value);
  EXPECT_EQ(value, 4096U);
}

TEST(PropertyNames, OneNameMeansAnotherPropertyInAnotherClass) {
  const NamedProperty* of_file = find_property(Kind::kFileAccess, "rdcc_w0");
  const NamedProperty* of_dataset = find_property(Kind::kDatasetAccess, "rdcc_w0");
  ASSERT_NE(of_file, nullptr);
  ASSERT_NE(of_dataset, nullptr);
  double value = 0;
  of_file->read(PropertyList(Kind::kFileAccess), &value);
  EXPECT_EQ(value, 0.75);
  of_dataset->read(PropertyList(Kind::kDatasetAccess), &value);
  EXPECT_EQ(value, -1.0);
  EXPECT_EQ(find_property(Kind::kDatasetCreate, "rdcc_w0"), nullptr);
}

TEST(PropertyNames, ResultsCannotBeWritten) {
  const NamedProperty* mode = find_property(Kind::kDatasetTransfer, "actual_io_mode");
  ASSERT_NE(mode, nullptr);
  EXPECT_EQ(mode->write, nullptr);
  PropertyList list(Kind::kDatasetTransfer);
  list.as<TransferProps>()->report.io_mode = ActualIoMode::kChunkMixed;
  std::int32_t value = 0;
  mode->read(list, &value);
  EXPECT_EQ(value, 3);
}

TEST(TransferReport, CausesAreNamedInWords) {
  EXPECT_EQ(cause_text(0), "collective");
  EXPECT_EQ(cause_text(cause::kDatatypeConversion | cause::kFilters),
            "datatype conversion, filters");
  EXPECT_EQ(cause_text(0x80000000U), "unknown cause 2147483648");
}

TEST(TransferReport, BytesDoneAreThoseOfItsDirection) {
  TransferReport report;
  report.counts.bytes_written = 3;
  report.counts.bytes_read = 5;
  EXPECT_EQ(report.bytes_done(), 5U);
  report.direction = Direction::kWrite;
  EXPECT_EQ(report.bytes_done(), 3U);
}

}  // namespace
}  // namespace pcio
