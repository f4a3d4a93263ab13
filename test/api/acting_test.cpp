// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Functions of the program do all that a program can do in the midst of a call: each kind of function, each deed. The call may
// fail where the deed takes something from it, but nothing else of the file is harmed, and nothing hangs or stays open.

#include <array>
#include <cstdio>
#include <cstdlib>
#include <map>

#include "api/acting.hpp"
#include "api/quiet.hpp"

#ifdef PCIO_VERSION

namespace {

using namespace acting;

class Acting : public QuietTest {
 protected:
  static int failed_parts() {
    const auto& result = *::testing::UnitTest::GetInstance()->current_test_info()->result();
    int failed = 0;
    for (int i = 0; i < result.total_part_count(); ++i)
      failed += result.GetTestPartResult(i).failed() ? 1 : 0;
    return failed;
  }
  /// Ids that a program has, by what they are of.
  static std::array<hsize_t, 3> ids() {
    std::array<hsize_t, 3> counts{};
    H5Inmembers(H5I_DATASPACE, &counts[0]);
    H5Inmembers(H5I_DATATYPE, &counts[1]);
    H5Inmembers(H5I_GENPROP_LST, &counts[2]);
    return counts;
  }
  /// How many functions of a kind there are in a call.
  static unsigned others_before(Place place) {
    switch (place) {
      case kConversionException: return static_cast<unsigned>(kElements);
      case kEncoding:
      case kDecoding: return 6;
      case kTraverse:
      case kDriverRead:
      case kLinkVisit:
      case kObjectVisit: return 2;
      case kDriverWrite: return 5;
      default: return 1;
    }
  }
  /// Whether the deed was done.
  bool play(Place place, Deed deed, std::mt19937& random) {
    hook.place = place;
    hook.deed = nullptr;
    World world(random);
    bool acted = false;
    const auto act = [&] {
      acted = true;
      world.act(deed, place);
    };
    hook = {place, act, static_cast<int>(random() % others_before(place))};
    const World::Called called = world.call(place);
    hook = Hook();
    SCOPED_TRACE(called.name);
    ++calls_[called.name];
    World::add_classes();
    // Who can't report a failure has it all the same; what lacks memory is encoded once more.
    const bool tells =
        place != kErrorReport && place != kEncoding && place != kIdSearch && place != kIdFreed;
    if (acted && deed == kThrow && tells) {
      EXPECT_FALSE(called.good) << "an exception was lost";
    }
    if (!world.is_harmed) {
      EXPECT_TRUE(called.good) << all_errors();
    }
    if (called.writes) {
      // What the deed wrote may lie over it.
      if (called.good && !world.is_harmed && deed != kWriteTarget) world.values.clear();
      world.values.insert(kNew);
    }
    if (H5Iis_valid(world.file) > 0) {
      world.check("in memory");
      EXPECT_EQ(H5Fflush(world.file, H5F_SCOPE_GLOBAL), 0) << all_errors();
      world.make_others("behind");
    }
    world.close_and_check();
    return acted;
  }
  std::map<std::string, int> calls_;
};

TEST_F(Acting, RandomDeedsInFunctionsHarmNothingElse) {
  const bool is_long = std::getenv("PCIO_LONG") != nullptr;
  const char* const asked = std::getenv("PCIO_SEED");
  const auto first = static_cast<unsigned>(asked != nullptr ? std::atoi(asked) : 1);
  std::map<std::string, int> places, deeds;
  std::array<std::array<int, kDeeds>, kPlaces> done{};
  int cases = 0, failures = 0;
  for (unsigned seed = first; seed < first + (is_long ? 60 : 1); ++seed)
    for (int place = 0; place < kPlaces; ++place)
      for (int deed = 0; deed < kDeeds && failures < 20; ++deed) {
        // A third of them is the sample.
        if (!is_long && (place + deed) % 3 != static_cast<int>(seed % 3)) continue;
        SCOPED_TRACE("seed " + std::to_string(seed) + ", " + kPlaceNames[place] + ": " +
                     kDeedNames[deed]);
        std::mt19937 random(seed * 1000003U + static_cast<unsigned>(place * kDeeds + deed));
        const auto before = ids();
        const int parts = failed_parts();
        ++cases;
        if (play(static_cast<Place>(place), static_cast<Deed>(deed), random)) {
          ++places[kPlaceNames[place]];
          ++deeds[kDeedNames[deed]];
          ++done[static_cast<std::size_t>(place)][static_cast<std::size_t>(deed)];
        }
        EXPECT_EQ(ids(), before) << "ids were left";
        if (failed_parts() > parts) ++failures;
      }
  std::string line;
  for (const auto& [name, count] : deeds) line += ", " + name + " " + std::to_string(count);
  for (const auto& [name, count] : places) line += ", " + name + " " + std::to_string(count);
  for (const auto& [name, count] : calls_) line += ", " + name + " " + std::to_string(count);
  std::printf("acting: seed %u, cases %d%s, failures %d\n", first, cases, line.c_str(), failures);
  if (HasFailure()) return;
  for (int place = 0; place < kPlaces; ++place) {
    EXPECT_GT(places[kPlaceNames[place]], 0) << kPlaceNames[place];
    for (int deed = 0; is_long && deed < kDeeds; ++deed)
      EXPECT_GT(done[static_cast<std::size_t>(place)][static_cast<std::size_t>(deed)], 0)
          << kPlaceNames[place] << ": " << kDeedNames[deed];
  }
  EXPECT_EQ(deeds.size(), static_cast<std::size_t>(kDeeds));
}

}  // namespace

#endif
