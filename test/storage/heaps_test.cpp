// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/heaps, and what rests on it: collections against a model, damaged ones, the reads that a
// transfer takes, room that is used again, and programs that are killed: no element may refer to what
// is not there.

#include <cstdlib>
#include <gtest/gtest.h>
#include <random>

#include "storage/heaps/heap_reader.hpp"
#include "support/failed_scene.hpp"
#include "support/trace_driver.hpp"

namespace pcio {
namespace {

using namespace test;

std::vector<std::byte> some_bytes(std::mt19937& random, std::size_t n) {
  std::vector<std::byte> bytes(n);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
  return bytes;
}

TEST(CollectionImage, HoldsWhatAModelHolds) {
  std::mt19937 random(7);
  const FileSizes sizes;
  for (int round = 0; round < 20; ++round) {
    CollectionImage image = CollectionImage::make(kGlobalHeapMinSize << round % 3, sizes);
    std::map<std::uint32_t, std::vector<std::byte>> model;
    for (int step = 0; step < 300; ++step) {
      auto bytes = some_bytes(random, random() % 200);
      if (random() % 3 != 0 && image.has_room(bytes.size())) {
        const std::uint32_t index = image.add(bytes);
        ASSERT_GT(index, 0U);
        ASSERT_TRUE(model.emplace(index, std::move(bytes)).second);
      } else {
        std::vector<std::uint32_t> gone;
        for (const auto& [index, value] : model)
          if (random() % 5 == 0) gone.push_back(index);
        EXPECT_EQ(image.remove(gone), gone.size());
        for (const std::uint32_t index : gone) model.erase(index);
      }
      if (step % 20 == 0) {
        const ConstBytes all = image.bytes();
        image = must(CollectionImage::parse({all.begin(), all.end()}, sizes));
      }
      ASSERT_EQ(image.objects(), model.size());
      for (const auto& [index, value] : model) {
        const auto found = image.object(index, value.size());
        ASSERT_TRUE(found && std::equal(found->begin(), found->end(), value.begin(), value.end()));
      }
    }
    EXPECT_FALSE(image.object(0, 0));
    EXPECT_FALSE(image.object(70000, 0));
  }
}

TEST(CollectionImage, DamagedOnesAreRefusedOrRead) {
  std::mt19937 random(11);
  const FileSizes sizes;
  CollectionImage image = CollectionImage::make(kGlobalHeapMinSize, sizes);
  while (image.has_room(40)) image.add(some_bytes(random, 40));
  const ConstBytes good = image.bytes();
  int refused = 0, read = 0;
  for (int i = 0; i < 8000; ++i) {
    std::vector<std::byte> bytes(good.begin(), good.end());
    for (auto k = 1 + random() % 3; k-- > 0;)
      bytes[random() % (random() % 2 == 0 ? 64 : bytes.size())] = static_cast<std::byte>(random());
    if (random() % 4 == 0) bytes.resize(random() % bytes.size());
    auto parsed = CollectionImage::parse(std::move(bytes), sizes);
    ++(parsed ? read : refused);
    if (!parsed) continue;
    for (std::uint32_t index = 0; index < 100; ++index)
      static_cast<void>(parsed->object(index, random() % 50));
    const std::uint32_t some[] = {1, 2, 5, 5, 60000};
    parsed->remove(some);
    if (parsed->has_room(16)) parsed->add(ConstBytes(good).first(16));
    static_cast<void>(parsed->bytes());
  }
  EXPECT_GT(refused, 400);
  EXPECT_GT(read, 400);
}

/// Strings in a dataset of one dimension.
struct Strings {
  static Result<Location> add(const FilePtr& file, const std::string& path, std::uint64_t n,
                              std::uint64_t chunk, FilterPipeline filters = {}) {
    PCIO_ASSIGN(LinkPlace where, place(file, path));
    DatasetRequest request;
    request.type = Datatype::vlen_string();
    PCIO_ASSIGN(request.space, Dataspace::simple({n}));
    if (chunk > 0) {
      request.create.layout = Layout::kChunked;
      request.create.chunk_dims = {chunk};
      request.create.filters = filters;
    }
    NewSpace unfilled;
    PCIO_ASSIGN(Location made, make_dataset(file, request, &unfilled));
    PCIO_TRY(finish_fill(*file, made.object, unfilled, {"H5Dcreate2", path}));
    PCIO_TRY(add_hard_link(where, made, {}));
    made.path = path;
    return made;
  }

  static Status move(const Location& dataset, Direction direction, std::uint64_t first,
                     std::vector<char*>& texts) {
    FileStore& store = dataset.file->store();
    PCIO_ASSIGN(DatasetState * state, store.datasets().state(dataset.object));
    TransferRequest request;
    request.direction = direction;
    request.memory_type = Datatype::vlen_string();
    request.file_space = state->extent;
    PCIO_TRY(request.file_space.select_box({{first}, {texts.size()}}));
    PCIO_ASSIGN(request.memory_space, Dataspace::simple({texts.size()}));
    request.buffer = reinterpret_cast<std::byte*>(texts.data());
    TransferReport report;
    return transfer_dataset(store, dataset.object, request, &report, {"H5Dwrite", dataset.path},
                            Status());
  }
  static Status write(const Location& dataset, std::uint64_t first,
                      const std::vector<std::string>& values) {
    std::vector<char*> texts;
    for (const std::string& value : values) texts.push_back(const_cast<char*>(value.c_str()));
    return move(dataset, Direction::kWrite, first, texts);
  }
  static Result<std::vector<std::string>> read(const Location& dataset, std::uint64_t n) {
    std::vector<char*> texts(static_cast<std::size_t>(n));
    PCIO_TRY(move(dataset, Direction::kRead, 0, texts));
    std::vector<std::string> values;
    for (char* text : texts) {
      values.emplace_back(text != nullptr ? text : "");
      std::free(text);
    }
    return values;
  }
};

/// Says whose value it is.
std::string value_of(std::uint64_t element, int version) {
  std::string text = "e" + std::to_string(element) + "v" + std::to_string(version) + ":";
  return text + std::string((element * 37 + static_cast<unsigned>(version) * 11) % 90, 'x');
}

TEST(Heaps, AreReadInLargePieces) {
  constexpr std::uint64_t kElements = 20000;
  const Disk disk = make_disk();
  FilePtr file = must(open_session(disk, OpenMode::kTruncate));
  Location data = must(Strings::add(file, "/s", kElements, 0));
  std::vector<std::string> values;
  for (std::uint64_t i = 0; i < kElements; ++i) values.push_back(value_of(i, 1));
  must(Strings::write(data, 0, values));
  must(close_session(file));
  file = must(open_session(disk, OpenMode::kReadOnly));
  data = must(find(file, "/s"));
  static_cast<void>(must(file->store().datasets().state(data.object)));
  const IoCounters before = file->store().driver().counters();
  EXPECT_EQ(must(Strings::read(data, kElements)), values);
  const IoCounters after = file->store().driver().counters();
  EXPECT_LT(after.independent_reads - before.independent_reads, 12U);
  // Each collection once, and little that is none.
  EXPECT_LT(after.bytes_read - before.bytes_read, disk->size() * 11 / 10);
  must(close_session(file));
}

TEST(Heaps, RoomOfRewrittenElementsIsUsedAgain) {
  for (const std::uint64_t chunk : {0U, 16U}) {
    const Disk disk = make_disk();
    const FilePtr file = must(open_session(disk, OpenMode::kTruncate));
    const Location data = must(Strings::add(file, "/s", 200, chunk));
    std::size_t size = 0;
    for (int version = 1; version <= 60; ++version) {
      std::vector<std::string> values;
      for (std::uint64_t i = 0; i < 200; ++i) values.push_back(value_of(i, version));
      must(Strings::write(data, 0, values));
      // Single elements as well.
      for (std::uint64_t i = 0; i < 200; i += 23)
        must(Strings::write(data, i, {value_of(i, version)}));
      must(flush_session(file));
      EXPECT_EQ(must(Strings::read(data, 200)), values);
      if (version == 5) size = disk->size();
    }
    // What differs in length from version to version, and journals.
    EXPECT_LT(disk->size(), 2 * size) << "chunks of " << chunk;
    must(close_session(file));
  }
}

/// A program that writes and rewrites elements of three datasets, flushing now and then.
struct Killed {
  static constexpr std::uint64_t kElements = 40;
  std::shared_ptr<Trace> trace = std::make_shared<Trace>();

  explicit Killed(unsigned seed) {
    std::mt19937 random(seed);
    const Disk disk = make_disk();
    const FilePtr file = must(open_session(trace_settings(disk, trace), OpenMode::kTruncate));
    for (const auto& [name, chunk] : {std::pair{"/flat", 0U}, {"/chunked", 8U}}) {
      const Location data = must(Strings::add(file, name, kElements, chunk));
      for (int version = 0; version < 2; ++version) write(data, version, random);
    }
    must(flush_session(file));
    trace->ops.clear();
    trace->start = *disk;
    for (int version = 2; version < 14; ++version) {
      write(must(find(file, random() % 2 == 0 ? "/flat" : "/chunked")), version, random);
      if (random() % 3 == 0) must(flush_session(file));
      if (random() % 4 == 0)
        must(detail::to_status(add_group(file, "/g" + std::to_string(version))));
    }
    must(close_session(file));
  }

  static void write(const Location& data, int version, std::mt19937& random) {
    const std::uint64_t first = random() % kElements;
    std::vector<std::string> values;
    for (std::uint64_t i = first; i < kElements && values.size() < 1 + random() % 30; ++i)
      values.push_back(value_of(i, version));
    must(Strings::write(data, first, values));
  }
};

/// What is wrong with a state of the file.
std::string judge(const DiskImage& image) {
  auto file = open_session(make_disk(image), OpenMode::kReadOnly);
  if (!file) return "does not open: " + file.error().message();
  std::string wrong;
  for (const char* name : {"/flat", "/chunked"}) {
    const auto values = Strings::read(must(find(*file, name)), Killed::kElements);
    if (!values) return std::string(name) + ": " + values.error().message();
    for (std::uint64_t i = 0; i < values->size(); ++i) {
      const std::string& value = (*values)[i];
      bool known = value.empty();
      for (int version = 0; version < 14; ++version) known = known || value == value_of(i, version);
      if (!known) wrong = std::string(name) + ": a wrong value " + value;
    }
  }
  must(close_session(*file));
  return wrong;
}

TEST(Heaps, ProgramsThatAreKilledLeaveNoReferenceToNothing) {
  const int rounds = std::getenv("PCIO_LONG") != nullptr ? 60 : 4;
  int states = 0, in_place = 0;
  for (int round = 0; round < rounds; ++round) {
    const Killed program(100 + static_cast<unsigned>(round));
    std::mt19937 random(static_cast<unsigned>(round));
    DiskImage image = program.trace->start;
    for (const TraceOp& op : program.trace->ops) {
      std::vector<std::size_t> parts{0};
      // References are cut between elements (of 16 bytes), which are written where they are.
      const std::size_t n = op.bytes.size();
      if (n > 16 && n % 16 == 0) parts.push_back(16 * (1 + random() % (n / 16)));
      if (op.step != TraceStep::kNew && op.step != TraceStep::kAlone && n > 1)
        parts.push_back(1 + random() % (n - 1));
      in_place += op.step == TraceStep::kInPlace ? 1 : 0;
      for (const std::size_t part : parts) {
        DiskImage cut = image;
        apply(op, std::min(part, whole(op)), &cut);
        const std::string wrong = judge(cut);
        ASSERT_EQ(wrong, "") << "round " << round << ", cut in "
                             << kTraceStepNames[static_cast<int>(op.step)];
        ++states;
      }
      apply(op, whole(op), &image);
    }
  }
  std::printf("killed while elements are rewritten: %d rounds, %d states, %d writes in place\n",
              rounds, states, in_place);
  EXPECT_GT(states, 150 * rounds);
  EXPECT_GT(in_place, 0);
}

/// A commit takes objects out of collections in memory and fails; the next one leaves the dataset out that
/// refers to them in the file.
TEST(Heaps, WhatAFailedCommitFreedStaysWhereItIsStillReferredTo) {
  Scene scene(newest());
  std::vector<std::string> old;
  for (std::uint64_t i = 0; i < 20; ++i) old.push_back(value_of(i, 1));
  const FilterPipeline filters{FilterSpec{1, 1, {6}, "deflate"}};
  const Location data = must(Strings::add(scene.file, "/s", 20, 4, filters));
  must(Strings::write(data, 0, old));
  must(flush_session(scene.file));
  must(Strings::write(data, 0, std::vector<std::string>(20, "new")));
  scene.fail_next();
  EXPECT_FALSE(flush_session(scene.file).ok());
  scene.heal();
  DatasetState& state = *must(scene.file->store().datasets().state(data.object));
  const unsigned right = state.layout.fixed_array.page_bits;
  state.layout.fixed_array.page_bits = 40;
  state.placed.reset();
  EXPECT_FALSE(flush_session(scene.file).ok());
  const FilePtr seen =
      must(open_session(make_disk(*scene.disk), OpenMode::kReadOnly, other_file()));
  const auto values = Strings::read(must(find(seen, "/s")), 20);
  EXPECT_TRUE(values) << values.error().message();
  if (values) {
    EXPECT_EQ(*values, old);
  }
  must(close_session(seen));
  state.layout.fixed_array.page_bits = right;
  must(flush_session(scene.file));
  EXPECT_EQ(must(Strings::read(data, 20)), std::vector<std::string>(20, "new"));
  must(close_session(scene.file));
}

/// What others have let go as well is told once, so that all of it is told some day.
TEST(Heaps, WhatIsLetGoOftenIsFreedOnce) {
  const FilePtr file = must(open_session(make_disk(), OpenMode::kTruncate));
  HeapStore& heaps = file->store().heaps();
  for (std::uint32_t i = 0; i < 30; ++i) heaps.let_go({4096, 1 + i % 3});
  const HeapStore::LetGo told = heaps.take_let_go(3);
  ASSERT_EQ(told.count(4096), 1U);
  EXPECT_EQ(told.at(4096), (std::vector<std::uint32_t>{1, 2, 3}));
  EXPECT_FALSE(heaps.has_let_go());
  must(close_session(file));
}

/// A new collection may get the place of an empty one.
TEST(Heaps, NothingIsTakenOutOfACollectionThatIsGone) {
  const FilePtr file = must(open_session(make_disk(), OpenMode::kTruncate));
  HeapStore& heaps = file->store().heaps();
  const FileAddress place = must(file->store().space().allocate(4096, SpaceUse::kRawData));
  heaps.let_go({place, 1});
  heaps.make_room_for_changes(1);
  const std::uint64_t empty[] = {place, 4096 | std::uint64_t{1} << 63};
  heaps.note_changes(empty);
  EXPECT_FALSE(heaps.has_let_go());
  EXPECT_TRUE(heaps.has_changes());
  must(close_session(file));
}

TEST(Heaps, DamagedFilesAreErrors) {
  const Disk disk = make_disk();
  FilePtr file = must(open_session(disk, OpenMode::kTruncate));
  const Location data = must(Strings::add(file, "/s", 30, 0));
  std::vector<std::string> values;
  for (std::uint64_t i = 0; i < 30; ++i) values.push_back(value_of(i, 1));
  must(Strings::write(data, 0, values));
  must(close_session(file));
  std::mt19937 random(3);
  int good = 0, failed = 0;
  for (int i = 0; i < 1200; ++i) {
    DiskImage image = *disk;
    const std::size_t from = i % 2 == 0 ? 2000 : 0;
    for (unsigned k = 1 + random() % 4; k-- > 0;)
      image[from + random() % (image.size() - from)] = static_cast<std::byte>(random());
    auto opened = open_session(make_disk(image), OpenMode::kReadWrite);
    if (!opened) continue;
    auto found = find(*opened, "/s");
    if (found) {
      const auto read = Strings::read(*found, 30);
      ++(read ? good : failed);
      static_cast<void>(Strings::write(*found, random() % 30, {"new"}));
    }
    static_cast<void>(close_session(*opened));
  }
  EXPECT_GT(good, 40);
  EXPECT_GT(failed, 40);
}

/// A file whose elements each refer to a collection of their own, all of which lie in each other, in the place of
/// one large object. Sound ones have an object in which the next one is; damaged ones one that is too long.
struct Nested {
  static constexpr std::uint64_t kElements = 2000;
  static constexpr std::uint32_t kIndex = 'G' | 'C' << 8;  // where an object has its index
  FileAddress first = 0;
  Disk disk = make_disk();

  [[nodiscard]] GlobalHeapId id(std::uint64_t element) const {
    return {first + 16 * element, kIndex};
  }
  void put(std::uint64_t at, std::uint64_t number, std::size_t width) {
    for (std::size_t i = 0; i < width; ++i)
      (*disk)[static_cast<std::size_t>(at) + i] = static_cast<std::byte>(number >> 8 * i);
  }

  explicit Nested(bool sound) {
    const FilePtr file = must(open_session(disk, OpenMode::kTruncate));
    const Location data = must(Strings::add(file, "/s", kElements, 0));
    // A collection of its own; its last 16 bytes are for those that are in each other.
    const std::string large(32 * kElements + 64, 'x');
    must(Strings::write(data, 0, {large}));
    const FileAddress elements = must(file->store().datasets().state(data.object))->layout.address;
    must(close_session(file));
    const auto text = std::search(disk->begin(), disk->end(), large.begin(), large.end(),
                                  [](std::byte a, char b) { return a == std::byte(b); });
    first = round_up(static_cast<std::uint64_t>(text - disk->begin()), std::uint64_t{8});
    for (std::uint64_t i = 0; i <= kElements; ++i) {
      const FileAddress at = first + 16 * i;
      put(at, 0x4C4F4347, 4);  // GCOL
      put(at + 4, 1, 4);
      put(at + 8, 32 * kElements + 32 - (sound ? 32 : 16) * i, 8);
      if (i == kElements) break;
      put(elements + 16 * i, 1, 4);
      put(elements + 16 * i + 4, at, 8);
      put(elements + 16 * i + 12, kIndex, 4);
    }
  }
};

/// What each is read for is there; together they would be a thousand times the file.
TEST(Heaps, CollectionsInEachOtherAreReadOnce) {
  for (const bool sound : {true, false}) {
    for (const bool rising : {true, false}) {
      const Nested nested(sound);
      const FilePtr file = must(open_session(nested.disk, OpenMode::kReadOnly));
      const std::uint64_t size = nested.disk->size();
      HeapReader reader = file->store().heap_reader();
      const auto read_of = [&] { return file->store().driver().counters().bytes_read; };
      const std::uint64_t before = read_of();
      std::uint64_t good = 0;
      for (std::uint64_t i = 0; i < Nested::kElements; ++i) {
        const auto found = reader.object(nested.id(rising ? i : Nested::kElements - 1 - i), 1);
        good += found ? 1 : 0;
        if (!found && sound) {
          EXPECT_NE(found.error().message().find("overlap"), std::string::npos);
        }
      }
      EXPECT_EQ(good, sound ? 1U : 0U);
      // Its beginning is read of each that is not within another, to see how long it is.
      EXPECT_LT(read_of() - before, 2 * size + Nested::kElements * kGlobalHeapMinSize);
      EXPECT_LT(reader.bytes(), 4 * size);
      must(close_session(file));
    }
  }
}

/// It is read once, and takes nothing of what may be read of others.
TEST(Heaps, ADamagedCollectionIsAskedForAgainAndAgain) {
  const Disk disk = make_disk();
  FilePtr file = must(open_session(disk, OpenMode::kTruncate));
  const Location data = must(Strings::add(file, "/s", 2, 0));
  // One each.
  const std::string damaged(5000, 'x'), sound(5000, 'y');
  must(Strings::write(data, 0, {damaged, sound}));
  const FileAddress elements = must(file->store().datasets().state(data.object))->layout.address;
  must(close_session(file));
  const auto text = std::search(disk->begin(), disk->end(), damaged.begin(), damaged.end(),
                                [](std::byte a, char b) { return a == std::byte(b); });
  ASSERT_NE(text, disk->end());
  // Its size stands before the object.
  *std::prev(text, 2) = std::byte{0x40};
  file = must(open_session(disk, OpenMode::kReadOnly));
  HeapReader reader = file->store().heap_reader();
  const auto id_of = [&](std::uint64_t element) {
    constexpr std::size_t kCount = 4;
    return load_global_heap_id(ConstBytes(*disk).subspan(elements + 16 * element + kCount, 12));
  };
  ASSERT_NE(id_of(0).collection, id_of(1).collection);
  const auto read_of = [&] { return file->store().driver().counters().bytes_read; };
  EXPECT_FALSE(reader.object(id_of(0), 5000));
  const std::uint64_t once = read_of();
  for (int i = 0; i < 100; ++i) {
    const auto found = reader.object(id_of(0), 5000);
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().message().find("larger than the file"), std::string::npos);
    if (i % 10 == 0) reader.forget();
  }
  EXPECT_EQ(read_of(), once);
  const auto found = reader.object(id_of(1), 5000);
  EXPECT_TRUE(found) << found.error().message();
  must(close_session(file));
}

TEST(Heaps, CollectionsInEachOtherAreTakenOutOfOnce) {
  const Nested nested(true);
  const FilePtr file = must(open_session(nested.disk, OpenMode::kReadWrite));
  const Location data = must(find(file, "/s"));
  EXPECT_FALSE(Strings::read(data, Nested::kElements));
  const std::uint64_t before = file->store().driver().counters().bytes_read;
  must(Strings::write(data, 0, std::vector<std::string>(Nested::kElements, "new")));
  must(flush_session(file));
  const std::uint64_t read = file->store().driver().counters().bytes_read - before;
  EXPECT_LT(read, 4 * nested.disk->size() + Nested::kElements * kGlobalHeapMinSize);
  EXPECT_EQ(must(Strings::read(data, Nested::kElements)),
            std::vector<std::string>(Nested::kElements, "new"));
  must(close_session(file));
}

}  // namespace
}  // namespace pcio
