// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// The file on which calls and functions work, and what must be in it.

#include <gtest/gtest.h>
#include <pcio.h>

#include <algorithm>
#include <stdexcept>

#include "api/acting_functions.hpp"

namespace acting {

Hook hook;

const char* const kPlaceNames[kPlaces] = {"conversion exception",
                                          "conversion",
                                          "encoding",
                                          "decoding",
                                          "can_apply",
                                          "set_local",
                                          "traverse",
                                          "external link",
                                          "link made",
                                          "link moved",
                                          "link copied",
                                          "link deleted",
                                          "link queried",
                                          "link visit",
                                          "object visit",
                                          "attribute visit",
                                          "element visit",
                                          "scatter",
                                          "gather",
                                          "error walk",
                                          "error report",
                                          "vlen allocate",
                                          "vlen free",
                                          "list made",
                                          "list copied",
                                          "list closed",
                                          "property set",
                                          "property compared",
                                          "list visit",
                                          "id freed",
                                          "id search",
                                          "driver read",
                                          "driver write",
                                          "driver close",
                                          "type search",
                                          "object flushed"};
const char* const kDeedNames[kDeeds] = {
    "nothing",      "read",       "write",        "flush",         "extend",        "make others",
    "open again",   "call again", "close target", "delete target", "delete, reuse", "move target",
    "delete group", "close file", "take away",    "close library", "throw"};

bool Hook::at(Place place) {
  if (place != hook.place || !hook.deed || hook.after-- > 0) return false;
  const auto deed = std::exchange(hook.deed, nullptr);
  deed();
  return true;
}

namespace {

const char* const kTextValues[kTexts] = {"one", "two", "three", "four", "five"};

}  // namespace

void World::add_classes() {
  const H5Z_class2_t one = {H5Z_CLASS_T_VERS, kFilter,   1,         1,
                            "acting",         can_apply, set_local, filter};
  H5Zregister(&one);
  const H5L_class_t link = {H5L_LINK_CLASS_T_VERS, kLinkType, "acting",     link_made, link_moved,
                            link_copied,           follow,    link_deleted, link_value};
  H5Lregister(&link);
  const hid_t opaque = opaque_type();
  H5Tregister(H5T_PERS_HARD, "acting", opaque, H5T_STD_I32LE, convert);
  H5Tclose(opaque);
}

World::World(std::mt19937& random_numbers) : random(random_numbers) {
  add_classes();
  is_new_format_ = pick(2) == 0;
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  if (is_new_format_) H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_LATEST);
  H5Pset_object_flush_cb(access, on_object_flushed, nullptr);
  file = H5Fcreate(temp_.str().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
  EXPECT_GT(file, 0);
  make_contents();
  H5Fclose(file);
  file = H5Fopen(temp_.str().c_str(), H5F_ACC_RDWR, access);
  H5Pclose(access);
  const hid_t list = H5Pcreate(H5P_DATASET_ACCESS);
  if (!shape_.is_kept) H5Pset_chunk_cache(list, 0, 0, 0);
  target = H5Dopen2(file, kTargetPath, list);
  H5Pclose(list);
  group = H5Gopen2(file, "/g", H5P_DEFAULT);
  EXPECT_GT(target, 0);
  if (pick(2) == 0) make_others("dirty");
}

World::~World() {
  hook = Hook();
  close_ids();
}

hid_t World::make_dataset(const char* path, const Shape& shape, int value, hid_t in) {
  const hsize_t most = H5S_UNLIMITED;
  const bool is_chunked = shape.layout == H5D_CHUNKED;
  const hid_t space = H5Screate_simple(1, &kElements, is_chunked ? &most : nullptr),
              create = H5Pcreate(H5P_DATASET_CREATE), access = H5Pcreate(H5P_DATASET_ACCESS);
  H5Pset_layout(create, shape.layout);
  if (is_chunked) H5Pset_chunk(create, 1, &kChunk);
  if (shape.has_filter) H5Pset_filter(create, kFilter, 0, 0, nullptr);
  if (!shape.is_kept) H5Pset_chunk_cache(access, 0, 0, 0);
  const hid_t made =
      H5Dcreate2(in < 0 ? file : in, path, H5T_STD_I32LE, space, H5P_DEFAULT, create, access);
  for (const hid_t id : {space, create, access}) H5Idec_ref(id);
  if (made < 0) return made;
  const std::vector<int> values_of_it(kElements, value);
  if (H5Dwrite(made, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values_of_it.data()) >= 0)
    return made;
  H5Idec_ref(made);
  return H5I_INVALID_HID;
}

void World::make_contents() {
  for (const char* path : {"/g", "/to"})
    H5Gclose(H5Gcreate2(file, path, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  const Shape shapes[] = {{H5D_CONTIGUOUS, false, true},
                          {H5D_COMPACT, false, true},
                          {H5D_CHUNKED, false, true},
                          {H5D_CHUNKED, true, true},
                          {H5D_CHUNKED, true, false}};
  shape_ = shapes[hook.place == kEncoding || hook.place == kDecoding ? 3 + pick(2) : pick(5)];
  H5Idec_ref(make_dataset(kTargetPath, shape_, kOld));
  H5Idec_ref(make_dataset("/b0", shapes[4], kBystander));
  H5Idec_ref(make_dataset("/b1", shapes[pick(3)], kBystander));
  const hid_t text = text_type(), scalar = H5Screate(H5S_SCALAR),
              few = H5Screate_simple(1, &kTexts, nullptr), number = H5Tcopy(H5T_STD_I32LE);
  const hid_t texts = H5Dcreate2(file, "/texts", text, few, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  EXPECT_EQ(H5Dwrite(texts, text, H5S_ALL, H5S_ALL, H5P_DEFAULT, kTextValues), 0);
  const int five = 5;
  const hid_t with_attribute = H5Gopen2(file, "/g", H5P_DEFAULT),
              attribute =
                  H5Acreate2(with_attribute, "a", H5T_STD_I32LE, few, H5P_DEFAULT, H5P_DEFAULT);
  const std::vector<int> fives(kTexts, five);
  EXPECT_EQ(H5Awrite(attribute, H5T_NATIVE_INT, fives.data()), 0);
  EXPECT_EQ(H5Tcommit2(file, "/type", number, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), 0);
  const hid_t typed =
      H5Dcreate2(file, "/typed", number, scalar, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  for (const char* path : {"/way", "/g/ud", "/g/ud2"})
    EXPECT_EQ(H5Lcreate_ud(file, path, kLinkType, "", 0, H5P_DEFAULT, H5P_DEFAULT), 0);
  EXPECT_EQ(H5Lcreate_external(temp_.str().c_str(), "/b1", file, "/ext", H5P_DEFAULT, H5P_DEFAULT),
            0);
  for (const hid_t id : {text, scalar, few, number, texts, with_attribute, attribute, typed})
    H5Idec_ref(id);
}

/// A group and a dataset, which take what is free.
void World::make_others(const char* word) {
  if (H5Iis_valid(file) <= 0) return;
  const std::string name = std::string("/") + word + std::to_string(number_++);
  const hid_t made = H5Gcreate2(file, (name + "g").c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (made >= 0) {
    others_.insert(name + "g");
    H5Gclose(made);
  }
  const hid_t data = make_dataset(
      (name + "d").c_str(), {pick(2) == 0 ? H5D_CONTIGUOUS : H5D_CHUNKED, false, true}, kBystander);
  if (data < 0) return;
  others_.insert(name + "d");
  H5Dclose(data);
}

void World::act(Deed deed, Place place) {
  const auto close_target = [&] { H5Dclose(std::exchange(target, H5I_INVALID_HID)); };
  const auto close_group = [&] { H5Gclose(std::exchange(group, H5I_INVALID_HID)); };
  const bool harms = deed >= kCallAgain && deed != kCloseLibrary;
  is_harmed = is_harmed || harms;
  std::vector<int> elements(kMoreElements, kFromDeed);
  switch (deed) {
    case kReadTarget:
      H5Dread(target, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, elements.data());
      break;
    case kWriteTarget:
      // Where it fails some may be written.
      values.insert(kFromDeed);
      H5Dwrite(target, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, elements.data());
      break;
    case kFlush: H5Fflush(file, H5F_SCOPE_GLOBAL); break;
    case kExtendTarget:
      if (H5Dset_extent(target, &kMoreElements) < 0) break;
      values.insert(0);
      is_harmed = true;
      break;
    case kMakeOthers: make_others("in"); break;
    case kOpenAgain: {
      const hid_t again = H5Fopen(temp_.str().c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
      if (again < 0) break;
      const hid_t data = H5Dopen2(again, kTargetPath, H5P_DEFAULT);
      if (data >= 0) H5Dclose(data);
      H5Fclose(again);
      break;
    }
    case kCallAgain:
      if (call(place).writes) values.insert(kNew);
      break;
    case kCloseTarget: close_target(); break;
    case kDeleteTarget: H5Ldelete(file, kTargetPath, H5P_DEFAULT); break;
    case kDeleteAndReuse:
      H5Ldelete(file, kTargetPath, H5P_DEFAULT);
      close_target();
      H5Fflush(file, H5F_SCOPE_GLOBAL);
      make_others("in");
      break;
    case kMoveTarget:
      H5Lmove(file, kTargetPath, file, "/to/moved", H5P_DEFAULT, H5P_DEFAULT);
      H5Fflush(file, H5F_SCOPE_GLOBAL);
      break;
    case kDeleteGroup:
      close_target();
      close_group();
      H5Ldelete(file, "/g", H5P_DEFAULT);
      H5Fflush(file, H5F_SCOPE_GLOBAL);
      make_others("in");
      break;
    case kCloseFile:
      if (H5Iis_valid(driven) > 0) {
        H5Fclose(driven);
        break;
      }
      close_target();
      close_group();
      H5Fclose(std::exchange(file, H5I_INVALID_HID));
      break;
    case kTakeAway: take_away(place); break;
    case kCloseLibrary:
      // Failures are reported when the call is over.
      if (place == kErrorReport) {
        EXPECT_EQ(H5close(), 0);
        is_harmed = true;
        target = group = file = H5I_INVALID_HID;
      } else {
        EXPECT_LT(H5close(), 0);
      }
      break;
    case kThrow: throw std::runtime_error("a function of the program");
    default: break;
  }
}

void World::take_away(Place place) {
  if (place >= kLinkMade || place == kTraverse) H5Lunregister(kLinkType);
  if (place <= kConversion) {
    const hid_t opaque = opaque_type();
    H5Tunregister(H5T_PERS_HARD, "acting", opaque, H5T_STD_I32LE, convert);
    H5Tclose(opaque);
  }
  H5Zunregister(kFilter);
}

void World::close_ids() {
  for (hid_t* id : {&target, &group, &file})
    if (H5Iis_valid(*id) > 0) H5Idec_ref(*id);
  target = group = file = H5I_INVALID_HID;
}

void World::check_dataset(const std::string& path, const std::set<int>& allowed) {
  const hid_t data = H5Dopen2(file, path.c_str(), H5P_DEFAULT);
  ASSERT_GE(data, 0) << path;
  std::vector<int> found(kMoreElements, *allowed.begin());
  EXPECT_EQ(H5Dread(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, found.data()), 0) << path;
  for (const int value : found)
    if (!allowed.contains(value)) {
      ADD_FAILURE() << path << " has " << value;
      break;
    }
  H5Dclose(data);
}

void World::check(const char* when) {
  SCOPED_TRACE(when);
  ASSERT_GT(H5Iis_valid(file), 0);
  for (const char* path : {"/b0", "/b1"}) check_dataset(path, {kBystander});
  for (const std::string& path : others_) {
    if (path.back() == 'd') {
      check_dataset(path, {kBystander});
      continue;
    }
    H5G_info_t info{};
    EXPECT_EQ(H5Gget_info_by_name(file, path.c_str(), &info, H5P_DEFAULT), 0) << path;
    EXPECT_EQ(info.nlinks, 0U) << path;
  }
  const hid_t type = text_type(), texts = H5Dopen2(file, "/texts", H5P_DEFAULT),
              space = H5Dget_space(texts);
  char* found[kTexts] = {};
  EXPECT_EQ(H5Dread(texts, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, found), 0);
  for (hsize_t i = 0; i < kTexts; ++i) EXPECT_STREQ(found[i], kTextValues[i]);
  EXPECT_EQ(H5Dvlen_reclaim(type, space, H5P_DEFAULT, found), 0);
  for (const hid_t id : {type, texts, space}) H5Idec_ref(id);
  // The target, and what calls have made of it.
  for (const char* path : {kTargetPath, "/to/moved", "/to/n", "/g/n"})
    if (H5Lexists(file, path, H5P_DEFAULT) > 0) {
      H5O_info_t info{};
      EXPECT_EQ(H5Oget_info_by_name(file, path, &info, H5P_DEFAULT), 0) << path;
      std::set<int> allowed = values;
      // A dataset that was made there.
      allowed.insert(kFromDeed);
      if (info.type == H5O_TYPE_DATASET) check_dataset(path, allowed);
    }
}

void World::close_and_check() {
  close_ids();
  EXPECT_EQ(H5Fget_obj_count(static_cast<hid_t>(H5F_OBJ_ALL), H5F_OBJ_ALL), 0);
  add_classes();
  file = H5Fopen(temp_.str().c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  ASSERT_GT(file, 0);
  check("from the file");
  // No byte has two owners.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;
  EXPECT_EQ(pcio_visit_ranges(
                file, 0,
                [](const pcio_range_t* range, void* out) -> herr_t {
                  if (range->use != PCIO_RANGE_HEAP)
                    static_cast<decltype(ranges)*>(out)->emplace_back(range->start, range->bytes);
                  return 0;
                },
                &ranges),
            0);
  std::sort(ranges.begin(), ranges.end());
  for (std::size_t i = 1; i < ranges.size(); ++i)
    EXPECT_LE(ranges[i - 1].first + ranges[i - 1].second, ranges[i].first);
  make_others("last");
  close_ids();
}

}  // namespace acting
