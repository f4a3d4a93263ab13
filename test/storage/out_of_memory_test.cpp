// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage: memory that runs out once in a call on a serial file: every allocation of it in turn. The call
// fails or succeeds, and can be made again; nothing is lost but time.

#include <array>
#include <cstdlib>
#include <functional>
#include <gtest/gtest.h>

#include "base/without_throwing.hpp"
#include "object/attribute.hpp"
#include "storage/chunks/chunk_images.hpp"
#include "storage/dense/block_owner.hpp"
#include "support/counted_memory.hpp"
#include "support/failed_scene.hpp"
#include "support/live_ranges.hpp"

namespace pcio {
namespace {

using namespace test;

/// A call, in a file that was got ready for it.
struct Act {
  const char* name;
  std::function<void(Scene&)> prepare;
  std::function<Status(Scene&)> act;
  LibraryVersion low = LibraryVersion::kEarliest;
};

/// What is in the file and in memory at the end, and bytes that nobody has.
struct Outcome {
  Listing listing;
  std::int64_t lost = 0;
};

Outcome outcome_of(Scene& scene) {
  Outcome outcome;
  must(flush_session(scene.file));
  outcome.listing = must(list_file(scene.file));
  EXPECT_EQ(must(list_image(*scene.disk)), outcome.listing);
  FileStore& store = scene.file->store();
  const auto live = LiveRanges(store).collect();
  EXPECT_TRUE(live) << live.error().message();
  if (live)
    outcome.lost = static_cast<std::int64_t>(store.space().end_of_allocation()) -
                   static_cast<std::int64_t>(total_bytes(*live) + store.space().free_bytes() +
                                             store.space().reserved_bytes());
  return outcome;
}

/// Runs `act`, whose allocation number `fails` fails. Whether it had so many.
bool run_short(Scene& scene, const Act& act, std::uint64_t fails, Status* done) {
  memory::begin(1);
  memory::fail_once(0, fails);
  memory::attribute_to(0);
  *done = without_throwing([&] { return act.act(scene); });
  memory::attribute_to(memory::kNobody);
  const bool failed = memory::has_failed();
  memory::end();
  return failed;
}

/// The first ones, and some of the others; all of them with PCIO_LONG.
std::uint64_t next_failure(std::uint64_t n) {
  static const bool all = std::getenv("PCIO_LONG") != nullptr;
  return all ? n + 1 : n + 1 + n / 12;
}

void play(const Act& act) {
  OpenWith with;
  with.access.low_bound = act.low;
  Outcome wanted;
  std::uint64_t failures = 0;
  for (std::uint64_t n = 0;; n = next_failure(n)) {
    SCOPED_TRACE(std::string(act.name) + ", allocation " + std::to_string(n));
    Scene scene(with);
    act.prepare(scene);
    if (n == 0) {
      must(act.act(scene));
      wanted = outcome_of(scene);
      must(close_session(scene.file));
      Scene again(with);
      std::swap(scene.file, again.file);
      std::swap(scene.disk, again.disk);
      std::swap(scene.plan, again.plan);
      act.prepare(scene);
    }
    Status done;
    const bool failed = run_short(scene, act, n, &done);
    if (!done.ok()) {
      ++failures;
      const Status retried = act.act(scene);
      EXPECT_TRUE(retried.ok()) << retried.message() << " after " << done.message();
    }
    const Outcome found = outcome_of(scene);
    EXPECT_EQ(found.listing, wanted.listing);
    EXPECT_EQ(found.lost, wanted.lost);
    must(close_session(scene.file));
    if (!failed) break;
  }
  EXPECT_GT(failures, 0U) << act.name;
}

void add_links(Scene& scene, const std::string& group, int from, int to) {
  for (int i = from; i < to; ++i)
    must(add_soft_link(must(place(scene.file, group + "/s" + std::to_string(i))), "x", {}));
}

void make_large_group(Scene& scene) {
  must(detail::to_status(add_group(scene.file, "/g")));
  must(detail::to_status(add_group(scene.file, "/g/child")));
  add_links(scene, "/g", 0, 100);
  must(flush_session(scene.file));
}

const std::vector<Act> kLinkActs = {
    {"add a hard link", make_large_group,
     [](Scene& scene) {
       const LinkPlace to = must(place(scene.file, "/g/again"));
       const Location child = must(find(scene.file, "/g/child"));
       return without_throwing([&] { return add_hard_link(to, child, {}); });
     }},
    {"add a link that makes the group a new one", make_large_group,
     [](Scene& scene) {
       const LinkPlace to = must(place(scene.file, "/g/utf8"));
       LinkCreateProps utf8;
       utf8.char_encoding = 1;
       return add_soft_link(to, "x", utf8);
     }},
    {"remove a link", make_large_group,
     [](Scene& scene) { return remove_link(must(place(scene.file, "/g/child"))); }},
};

const std::vector<Act> kCommits = {
    {"write a table whole, with room",
     [](Scene& scene) {
       make_large_group(scene);
       add_links(scene, "/g", 100, 120);
     },
     [](Scene& scene) { return flush_session(scene.file); }},
    {"change a table in place",
     [](Scene& scene) {
       make_large_group(scene);
       add_links(scene, "/g", 100, 120);
       must(flush_session(scene.file));
       add_links(scene, "/g", 120, 140);
       must(remove_link(must(place(scene.file, "/g/s7"))));
     },
     [](Scene& scene) { return flush_session(scene.file); }},
};

/// Of 1500 numbers: larger than what blocks of a heap hold.
Status add_huge_attribute(Scene& scene, const std::string& name) {
  return add_attribute(root_of(scene.file), name, std::vector<int>(1500, 7));
}

void make_dense_attributes(Scene& scene) {
  for (int i = 0; i < 12; ++i)
    must(add_attribute(root_of(scene.file), "a" + std::to_string(i), {i}));
  must(add_huge_attribute(scene, "huge"));
}

void delete_attributes(Scene& scene, int from, int to) {
  const OpenObject root(scene.file, root_of(scene.file).object, "/");
  for (int i = from; i < to; ++i) must(delete_attribute(root, "a" + std::to_string(i)));
}

/// A dataset of 200 chunks, of which so many are written; the commit of them is there.
std::function<void(Scene&)> make_data(std::uint64_t written, const FilterPipeline& filters) {
  return [written, filters](Scene& scene) {
    const Location data = must(add_dataset(
        scene.file, "/data",
        {.dims = {800}, .max = {kUnlimited}, .chunk = {4}, .fill = 7, .filters = filters}));
    if (written > 0) must(write_box(data, {{0}, {4 * written}}, 3));
    must(flush_session(scene.file));
    must(write_box(data, {{4 * written}, {40}}, 5));
    must(flush_chunks(scene.file->store(), data.object));
  };
}

const FilterPipeline kDeflate{FilterSpec{1, 0, {6}, "deflate"}};
Status flush(Scene& scene) { return flush_session(scene.file); }
constexpr LibraryVersion kNew = LibraryVersion::kV110;

const std::vector<Act> kIndexCommits = {
    {"a new tree", make_data(0, {}), flush},
    {"a tree in place", make_data(100, {}), flush},
    {"a new array", make_data(0, {}), flush, kNew},
    {"an array in place", make_data(100, {}), flush, kNew},
    {"a new tree of filtered chunks", make_data(0, kDeflate), flush},
    {"a tree of filtered chunks in place", make_data(100, kDeflate), flush},
};

Status make_early(Scene& scene, const FilterPipeline& filters) {
  if (find(scene.file, "/data")) return Status();
  return detail::to_status(add_dataset(
      scene.file, "/data",
      {.dims = {40}, .chunk = {4}, .alloc = AllocTime::kEarly, .fill = 7, .filters = filters}));
}

const std::vector<Act> kCreates = {
    {"a dataset with its space", [](Scene&) {}, [](Scene& scene) { return make_early(scene, {}); }},
    {"a dataset with filters and its space", [](Scene&) {},
     [](Scene& scene) { return make_early(scene, kDeflate); }},
    {"a dataset with its space and a new index", [](Scene&) {},
     [](Scene& scene) { return make_early(scene, {}); }, kNew},
};

const std::vector<Act> kDenseCommits = {
    {"attributes that are dense from now on", make_dense_attributes, flush, kNew},
    {"huge attributes in place",
     [](Scene& scene) {
       make_dense_attributes(scene);
       must(flush_session(scene.file));
       for (const char* name : {"larger", "largest"}) must(add_huge_attribute(scene, name));
     },
     flush, kNew},
    {"an attribute that is another one in place",
     [](Scene& scene) {
       make_dense_attributes(scene);
       must(flush_session(scene.file));
       delete_attributes(scene, 0, 2);
       must(add_attribute(root_of(scene.file), "a0", std::vector<int>(90, 3)));
       must(delete_attribute({scene.file, root_of(scene.file).object, "/"}, "huge"));
       must(add_huge_attribute(scene, "other"));
     },
     flush, kNew},
    {"attributes so many of which changed that all are written",
     [](Scene& scene) {
       make_dense_attributes(scene);
       must(flush_session(scene.file));
       delete_attributes(scene, 0, 4);
       for (const char* name : {"b", "c", "d", "e", "f", "g"})
         must(add_huge_attribute(scene, name));
     },
     flush, kNew},
    {"attributes that the header has again",
     [](Scene& scene) {
       make_dense_attributes(scene);
       must(flush_session(scene.file));
       delete_attributes(scene, 0, 11);
     },
     flush, kNew},
    {"links that are dense from now on", [](Scene& scene) { add_links(scene, "", 0, 20); }, flush,
     kNew},
    {"links in place",
     [](Scene& scene) {
       add_links(scene, "", 0, 40);
       must(flush_session(scene.file));
       add_links(scene, "", 40, 46);
       must(remove_link(must(place(scene.file, "/s7"))));
     },
     flush, kNew},
};

TEST(OutOfMemory, InTheCommitOfDenseStorageLosesNoBytes) {
  for (const Act& act : kDenseCommits) play(act);
}
TEST(OutOfMemory, InTheCommitOfAnIndexLosesNoBytes) {
  for (const Act& act : kIndexCommits) play(act);
}
TEST(OutOfMemory, InACallOnADatasetLosesNoBytes) {
  for (const Act& act : kCreates) play(act);
}
TEST(OutOfMemory, InACallOnLinksChangesNothingOrAll) {
  for (const Act& act : kLinkActs) play(act);
}
TEST(OutOfMemory, InACommitLosesNoBytes) {
  for (const Act& act : kCommits) play(act);
}

/// A chunk whose old place was released, and that got no new one: nobody else gets the old one.
TEST(OutOfMemory, AChunkWithoutANewPlaceHasItsOldOne) {
  std::uint64_t failures = 0;
  for (std::uint64_t fails = 0;; ++fails) {
    SCOPED_TRACE("allocation " + std::to_string(fails));
    Scene scene;
    const Location data =
        must(add_dataset(scene.file, "/data", {.dims = {12}, .chunk = {4}, .filters = kDeflate}));
    FileStore& store = scene.file->store();
    const auto put = [&](ChunkOrdinal ordinal, std::uint64_t size) {
      const SizedChunk chunk{ordinal, size, 0};
      return place_filtered_chunks(store, data.object, std::span(&chunk, 1));
    };
    const FileAddress old = must(put(0, 50000)).front();
    must(put(1, 300));
    Status done;
    const Act act{"larger", {}, [&](Scene&) { return detail::to_status(put(0, 70000)); }};
    const bool failed = run_short(scene, act, fails, &done);
    if (!done.ok()) {
      ++failures;
      EXPECT_EQ(store.objects().object(data.object->address).has_value(), true);
      EXPECT_EQ(data.object->dataset->index->filtered(0)->address, old);
      const FileAddress other = must(store.space().allocate(40000, SpaceUse::kRawData));
      EXPECT_GE(other, old + 50000);
    }
    must(close_session(scene.file));
    if (!failed) break;
  }
  EXPECT_GT(failures, 0U);
}

/// Tries `change` on copies of `start`, of which each allocation fails once: `check` sees those that failed.
template <class Value, class Change, class Check>
void change_short(const Value& start, const Change& change, const Check& check) {
  std::uint64_t failures = 0;
  for (std::uint64_t fails = 0;; ++fails) {
    SCOPED_TRACE("allocation " + std::to_string(fails));
    Value value = start;
    memory::begin(1);
    memory::fail_once(0, fails);
    memory::attribute_to(0);
    const Status done = without_throwing([&] {
      change(value);
      return Status();
    });
    memory::attribute_to(memory::kNobody);
    const bool failed = memory::has_failed();
    memory::end();
    if (!failed) {
      EXPECT_TRUE(done.ok());
      break;
    }
    // What only saves memory does without.
    if (done.ok()) continue;
    ++failures;
    check(value);
  }
  EXPECT_GT(failures, 0U);
}

TEST(OutOfMemory, FilteredChunksAreChangedOrAreNot) {
  FilteredRuns start;
  for (ChunkOrdinal i = 0; i < 30; ++i) {
    if (i == 10 || i == 20) continue;
    ASSERT_TRUE(start.add(i, {100 * i + (i > 20 ? 7 : 0), 100, i > 15 ? 1U : 0U}));
  }
  const auto same = [&](const FilteredRuns& runs) {
    EXPECT_EQ(runs.count(), start.count());
    EXPECT_EQ(runs.stored_bytes(), start.stored_bytes());
    for (ChunkOrdinal i = 0; i < 30; ++i) EXPECT_EQ(runs.find(i), start.find(i)) << i;
  };
  for (const std::uint32_t mask : {0U, 3U}) {
    // Between two runs that are one then, over one of the middle, at another place.
    change_short(
        start,
        [&](FilteredRuns& runs) {
          EXPECT_TRUE(runs.add(10, {1000, 100, mask}));
        },
        same);
    change_short(
        start,
        [&](FilteredRuns& runs) {
          EXPECT_TRUE(runs.put(5, {500, 100, mask}));
        },
        same);
    change_short(
        start,
        [&](FilteredRuns& runs) {
          EXPECT_TRUE(runs.put(5, {9000, 70, mask}));
        },
        same);
  }
  change_short(
      start, [&](FilteredRuns& runs) { EXPECT_TRUE(runs.erase(17)); }, same);
}

TEST(OutOfMemory, AnIndexGetsAnotherGridOrDoesNot) {
  const auto grid = [](std::uint64_t rows, std::uint64_t columns) {
    return must(ChunkGrid::make(Dims::from(std::array{rows, columns}.data(), 2),
                                Dims::from(std::array<std::uint64_t, 2>{1, 1}.data(), 2)));
  };
  ChunkIndex start(grid(6, 5), 10);
  FileSpace space(1000);
  for (const OrdinalInterval some : {OrdinalInterval{2, 4}, OrdinalInterval{9, 9}})
    must(detail::to_status(start.allocate_listed({&some, 1}, space, SpaceUse::kRawData)));
  const auto same = [&](const ChunkIndex& index) {
    EXPECT_EQ(index.grid().grid(), start.grid().grid());
    EXPECT_EQ(index.allocated_count(), start.allocated_count());
    for (ChunkOrdinal i = 0; i < 30; ++i) EXPECT_EQ(index.address_of(i), start.address_of(i)) << i;
  };
  change_short(
      start, [&](ChunkIndex& index) { index.resize(grid(4, 3)); }, same);
  change_short(
      start, [&](ChunkIndex& index) { index.resize(grid(6, 9)); }, same);
  change_short(
      start,
      [&](ChunkIndex& index) {
        FileSpace own(5000);
        must(detail::to_status(
            index.allocate(Box::whole(index.grid().grid()), own, SpaceUse::kRawData)));
      },
      same);
}

/// A structure with some bytes of the last commit, and some of its own that are new.
struct Structure {
  FileSpace space{1000};
  BlockOwner owner;
  std::vector<FileAddress> addresses;

  Structure() {
    for (int i = 0; i < 6; ++i) {
      if (i == 3) {
        owner.mark_committed();
        space.committed();
      }
      addresses.push_back(must(owner.take(100, space)));
    }
  }
  /// Of what was given out since the beginning.
  [[nodiscard]] std::int64_t without_owner() const {
    return static_cast<std::int64_t>(space.end_of_allocation() - 1000) -
           static_cast<std::int64_t>(total_bytes(owner.ranges()) + space.free_bytes() +
                                     space.reserved_bytes());
  }
  void drop(std::size_t number) { owner.drop({addresses[number], 100}); }
};

TEST(OutOfMemory, AStructuresBytesHaveOneOwner) {
  Structure start;
  ASSERT_EQ(start.without_owner(), 0);
  const auto all_are_owned = [](const Structure& failed) {
    EXPECT_EQ(failed.without_owner(), 0);
    // The next one goes on where this one ended.
    Structure again = failed;
    again.owner.settle(again.space);
    EXPECT_EQ(again.without_owner(), 0);
    again.owner.withdraw(again.space);
    EXPECT_EQ(again.without_owner(), 0);
    again.owner.drop_all();
    again.owner.settle(again.space);
    EXPECT_EQ(again.without_owner(), 0);
    EXPECT_TRUE(again.owner.ranges().empty());
  };
  const auto tries = [&](const Structure& from, const std::function<void(Structure&)>& change) {
    change_short(from, change, all_are_owned);
  };
  tries(start, [](Structure& one) { must(one.owner.take(5000, one.space)); });
  tries(start, [](Structure& one) { one.drop(1); });
  tries(start, [](Structure& one) { one.owner.drop_all(); });
  Structure dropped = start;
  for (const std::size_t number : {1U, 4U, 2U}) dropped.drop(number);
  EXPECT_EQ(dropped.without_owner(), 0);
  tries(dropped, [](Structure& one) { one.owner.settle(one.space); });
  tries(dropped, [](Structure& one) { one.owner.withdraw(one.space); });
  tries(start, [&](Structure& one) {
    BlockOwner other;
    const std::uint64_t before = total_bytes(one.owner.ranges());
    other.drop_all_of(one.owner);
    one.owner = std::move(other);
    EXPECT_EQ(total_bytes(one.owner.ranges()), before);
  });
  // What the last commit has is in use again, and only that.
  const std::uint64_t had = start.space.free_bytes();
  dropped = start;
  for (const std::size_t number : {1U, 2U}) dropped.drop(number);
  dropped.owner.settle(dropped.space);
  change_short(
      dropped, [](Structure& one) { one.owner.restore(one.space); },
      [&](Structure& failed) {
        failed.owner.restore(failed.space);
        EXPECT_EQ(failed.space.free_bytes(), had + 300);
      });
}

/// What failed behind an append is undone whatever there is of memory.
TEST(OutOfMemory, AnAppendIsUndoneWithoutMemory) {
  const auto grid = [](std::uint64_t rows) {
    return must(ChunkGrid::make(Dims::from(std::array<std::uint64_t, 2>{rows, 5}.data(), 2),
                                Dims::from(std::array<std::uint64_t, 2>{1, 1}.data(), 2)));
  };
  ChunkIndex index(grid(2), 10);
  FileSpace space(1000);
  const auto fill = [&] {
    return must(index.allocate(Box::whole(index.grid().grid()), space, SpaceUse::kRawDataFresh));
  };
  fill();
  index.resize(grid(4));
  const std::vector<IndexRun> runs = fill();
  ASSERT_EQ(runs.size(), 1U);
  const ChunkGrid before = grid(2);
  IntervalSet numbers;
  numbers.add(3, 9);
  memory::begin(1);
  memory::attribute_to(0);
  index.undo_allocation(runs.front());
  const std::vector<ByteRange> dropped = index.resize(before);
  numbers.add(4, 9);
  memory::attribute_to(memory::kNobody);
  EXPECT_EQ(memory::allocations(0), 0U);
  memory::end();
  EXPECT_TRUE(dropped.empty());
  EXPECT_EQ(index.grid().grid(), before.grid());
  EXPECT_EQ(index.allocated_count(), 10U);
  // Rows that hold something are dropped with it.
  EXPECT_EQ(index.resize(grid(1)).size(), 1U);
  EXPECT_EQ(index.allocated_count(), 5U);
}

/// A chunk that lacked memory to be kept isn't half there: what the second try keeps is written.
TEST(OutOfMemory, AChunkIsKeptOrIsNot) {
  for (std::uint64_t fails = 0; fails < 4; ++fails) {
    ChunkCache cache({.slots = 2, .bytes = 1000, .preemption = 0});
    std::vector<std::byte> image(10), again(10);
    memory::begin(1);
    memory::fail_once(0, fails);
    memory::attribute_to(0);
    const Status kept = without_throwing([&] {
      cache.add(1, std::move(image));
      return Status();
    });
    memory::attribute_to(memory::kNobody);
    const bool failed = memory::has_failed();
    memory::end();
    EXPECT_EQ(kept.ok(), !failed) << fails;
    EXPECT_EQ(cache.count(), failed ? 0U : 1U);
    EXPECT_EQ(cache.bytes(), failed ? 0U : 10U);
    EXPECT_EQ(cache.chunks().size(), failed ? 0U : 1U);
    if (!failed) break;
    cache.add(1, std::move(again)).dirty = true;
    std::vector<ChunkOrdinal> written;
    const ChunkCache::WriteBack note = [&](ChunkInMemory& chunk) {
      written.push_back(chunk.ordinal);
      chunk.dirty = false;
      return Status();
    };
    for (ChunkOrdinal other : {2U, 3U, 4U}) {
      EXPECT_TRUE(cache.make_room(10, note).ok());
      cache.add(other, std::vector<std::byte>(10));
    }
    EXPECT_TRUE(cache.flush(note).ok());
    EXPECT_EQ(written, std::vector<ChunkOrdinal>{1});
  }
}

}  // namespace
}  // namespace pcio
