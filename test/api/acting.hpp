// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// A small file, the functions that a program can have called within calls on it, and what these do there. The campaign is
// acting_test.cpp.

#pragma once

#include <hdf5.h>

#include <functional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "support/temp_path.hpp"

namespace acting {

/// Which function of the program it is.
enum Place {
  kConversionException,
  kConversion,
  kEncoding,
  kDecoding,
  kCanApply,
  kSetLocal,
  kTraverse,
  kExternalLink,
  kLinkMade,
  kLinkMoved,
  kLinkCopied,
  kLinkDeleted,
  kLinkQueried,
  kLinkVisit,
  kObjectVisit,
  kAttributeVisit,
  kElementVisit,
  kScatter,
  kGather,
  kErrorWalk,
  kErrorReport,
  kVlenAllocate,
  kVlenFree,
  kListMade,
  kListCopied,
  kListClosed,
  kPropertySet,
  kPropertyCompared,
  kListVisit,
  kIdFreed,
  kIdSearch,
  kDriverRead,
  kDriverWrite,
  kDriverClose,
  kTypeSearch,
  kObjectFlushed,
  kPlaces
};
extern const char* const kPlaceNames[kPlaces];

/// What it does.
enum Deed {
  kNothing,
  kReadTarget,
  kWriteTarget,
  kFlush,
  kExtendTarget,
  kMakeOthers,
  kOpenAgain,
  kCallAgain,
  kCloseTarget,
  kDeleteTarget,
  kDeleteAndReuse,  ///< its ids too, and what it had goes to others, as far as it goes
  kMoveTarget,
  kDeleteGroup,
  kCloseFile,
  kTakeAway,  ///< the class, filter or type that the function is of
  kCloseLibrary,
  kThrow,
  kDeeds
};
extern const char* const kDeedNames[kDeeds];

/// What a function of a kind does, once: the one behind `after` others.
struct Hook {
  Place place = kPlaces;
  std::function<void()> deed;
  int after = 0;
  /// Called by the functions. Whether the deed was done now.
  static bool at(Place place);
};
extern Hook hook;

constexpr hsize_t kElements = 600, kChunk = 100, kMoreElements = 700;
constexpr int kOld = 1000, kNew = 7, kFromDeed = 55, kBystander = 31;
constexpr long long kLarge = 1LL << 40;
constexpr const char* kTargetPath = "/g/t";

/// How the dataset that everything happens to lies in the file.
struct Shape {
  H5D_layout_t layout;
  bool has_filter;  ///< the program's own
  bool is_kept;     ///< in the cache of chunks
};

/// One file, and one of a program's driver. What is in them is known.
class World {
 public:
  explicit World(std::mt19937& random);
  World(const World&) = delete;
  World& operator=(const World&) = delete;
  ~World();

  /// A call that has a function of this kind called, one of several. Its result, and whether it is to write kNew to the target.
  struct Called {
    const char* name = "";
    bool good = false;
    bool writes = false;
  };
  Called call(Place place);
  /// What the function does; what comes of it is noted.
  void act(Deed deed, Place place);

  /// What kTakeAway took.
  static void add_classes();
  void make_others(const char* word);
  /// Each object that is there, as it is in memory, and behind a closing as it is in the file.
  void check(const char* when);
  void close_and_check();

  hid_t file = H5I_INVALID_HID, target = H5I_INVALID_HID, group = H5I_INVALID_HID;
  hid_t driven = H5I_INVALID_HID;  ///< file of the program's driver
  std::set<int> values{kOld};      ///< that elements of the target may have
  bool is_harmed =
      false;  ///< a deed had an effect on the target or its file that the call may mind
  std::mt19937& random;

 private:
  int pick(int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); }
  hid_t make_dataset(const char* path, const Shape& shape, int value, hid_t in = H5I_INVALID_HID);
  void make_contents();
  void close_ids();
  void check_dataset(const std::string& path, const std::set<int>& allowed);
  Called call_conversion(Place place);
  Called call_filter(Place place);
  Called call_traverse();
  Called call_link_class(Place place);
  Called call_visit(Place place);
  Called call_memory(Place place);
  Called call_list(Place place);
  Called call_id(Place place);
  Called call_driver(Place place);
  Called call_object(Place place);
  void take_away(Place place);

  pcio::test::TempPath temp_{"acting.h5"};
  bool is_new_format_ = false;
  Shape shape_{};
  std::set<std::string> others_;
  int number_ = 0;
};

}  // namespace acting
