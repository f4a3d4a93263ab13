// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage: programs that are killed. Traces of all changes of a file are replayed up to every
// point, in the middle of writes too; each state must open as the last commit or as the next one,
// with every byte of raw data that was not overwritten since.
//
// PCIO_KILL_SEED and PCIO_KILL_ROUNDS choose other traces. PCIO_KILL_STATES names a folder: a
// sample of the states goes there with what may be read in them, for kill_states.py and libhdf5.
//
// Writes are cut at any byte, but for a superblock that is changed alone: it is one write inside
// one sector, and nothing else is at stake.

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <random>
#include <set>

#include "driver/memory_driver.hpp"
#include "storage/bytes/journal_store.hpp"
#include "support/file_session.hpp"
#include "support/trace_driver.hpp"

namespace pcio {
namespace {

using namespace test;

int environment_number(const char* name, int otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::atoi(text) : otherwise;
}

/// Data of the dataset that is overwritten in place, equal bytes in each element.
constexpr std::size_t kHot = 150;
std::vector<std::int32_t> hot_data(int phase) {
  return std::vector<std::int32_t>(kHot, 0x01010101 * (phase % 100 + 1));
}

/// What a commit left: the tree without the hot dataset.
struct Left {
  Listing listing;
  int hot = 0;  ///< phase that wrote the hot data before it
};

Listing without_hot(Listing listing) {
  listing.erase("/hot");
  return listing;
}

/// One program: random changes, a commit after each handful of them.
class Writer {
 public:
  Writer(unsigned seed, LibraryVersion format, std::uint64_t userblock)
      : random_(seed), trace_(std::make_shared<Trace>()) {
    with_.access.low_bound = format;
    with_.create.userblock = userblock;
    with_.path = "killed.h5";
    trace_->base = userblock;
  }

  void run(int phases) {
    file_ = must(open_session(trace_settings(disk_, trace_), OpenMode::kTruncate, with_));
    hot_ = must(add_dataset(file_, "/hot", {.dims = {kHot}}));
    must(write_all(hot_, hot_data(0)));
    groups_ = {"/"};
    begin_indexes();
    must(flush_session(file_));
    trace_->ops.clear();
    trace_->start = *disk_;
    committed(0);
    for (int phase = 1; phase <= phases; ++phase) {
      if (below(2) == 0) must(write_all(must(find(file_, "/hot")), hot_data(hot_phase_ = phase)));
      for (int i = below(5); i >= 0; --i) change(phase, i);
      if (below(3) != 0) change_indexes(phase);
      commit();
    }
    // A close that only gives back the rest of a metadata block.
    must(detail::to_status(add_group(file_, "/last")));
    must(flush_session(file_));
    committed(hot_phase_);
    must(close_session(file_));
    committed(hot_phase_);
  }

  [[nodiscard]] const Trace& trace() const { return *trace_; }
  [[nodiscard]] const std::vector<Left>& left() const { return left_; }
  [[nodiscard]] const OpenWith& with() const { return with_; }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  template <class T>
  const T& any(const std::vector<T>& all) {
    return all[static_cast<std::size_t>(below(static_cast<int>(all.size())))];
  }

  void commit() {
    if (below(4) != 0) {
      Listing seen = must(list_file(file_));
      must(flush_session(file_));
      committed(hot_phase_);
      EXPECT_EQ(without_hot(seen), left_.back().listing);
      return;
    }
    must(close_session(file_));
    committed(hot_phase_);
    file_ = must(open_session(trace_settings(disk_, trace_), OpenMode::kReadWrite, with_));
  }
  void committed(int hot) {
    left_.push_back({without_hot(must(list_image(*disk_))), hot});
    trace_->commits = static_cast<int>(left_.size()) - 1;
  }

  std::string fresh_name(int phase, int i) {
    const std::string& parent = any(groups_);
    return (parent == "/" ? "" : parent) + "/n" + std::to_string(phase) + "_" + std::to_string(i);
  }
  std::vector<std::int32_t> data(std::size_t n) {
    std::vector<std::int32_t> all(n);
    for (auto& one : all) one = static_cast<std::int32_t>(random_());
    return all;
  }

  void change(int phase, int i) {
    const std::string name = fresh_name(phase, i);
    switch (below(7)) {
      case 0:
        must(detail::to_status(add_group(file_, name)));
        groups_.push_back(name);
        return;
      case 1: {
        Location made = must(add_dataset(file_, name, {.dims = {17}}));
        return must(write_all(made, data(17)));
      }
      case 2: {
        Location made = must(add_dataset(
            file_, name, {.dims = {9, 9}, .max = {60, 60}, .chunk = {4, 4}, .fill = 3}));
        chunked_.push_back(name);
        return must(write_all(made, data(81)));
      }
      case 3: {
        Location made = must(add_dataset(file_, name, {.dims = {5}, .compact = true}));
        return must(write_all(made, data(5)));
      }
      case 4:
        return must(add_attribute(must(find(file_, any(groups_))),
                                  "a" + std::to_string(phase) + "_" + std::to_string(i),
                                  data(1 + static_cast<std::size_t>(below(4)))));
      case 5: return resize();
      default: return remove();
    }
  }
  /// Chunks of one element, so many that a commit changes their indexes in place: an extensible array
  /// that has secondary blocks and a fixed array of three pages, the last of which is short and comes
  /// later (in older formats trees).
  void begin_indexes() {
    must(detail::to_status(add_dataset(
        file_, "/line", {.dims = {kLine}, .max = {kUnlimited}, .chunk = {1}, .fill = 3})));
    must(write_all(must(find(file_, "/line")), data(kLine)));
    must(detail::to_status(add_dataset(
        file_, "/pages", {.dims = {kPages}, .max = {kPages}, .chunk = {1}, .fill = 5})));
    for (std::uint64_t at = 1; at < 2048; at += 100) write_page(at);
  }
  /// Only elements that have no place yet: what is overwritten in place is nobody's commit.
  void write_page(std::uint64_t at) {
    if (!paged_.insert(at).second) return;
    const Box box{{at}, {1}};
    auto value = static_cast<std::int32_t>(random_());
    must(move_elements(must(find(file_, "/pages")), Direction::kWrite, &box, &value));
  }
  void change_indexes(int phase) {
    Location line = must(find(file_, "/line"));
    const std::uint64_t before =
        must(file_->store().datasets().state(line.object))->extent.dims()[0];
    if (before > kLine && below(3) == 0)
      must(set_extent(line, {before - 1 - static_cast<std::uint64_t>(below(2))}));
    else
      append(line, before, 1 + static_cast<std::uint64_t>(below(phase % 4 == 0 ? 90 : 12)));
    if (phase % 3 == 0) return write_page(2048 + static_cast<std::uint64_t>(below(50)));
    for (int n = below(4); n > 0; --n)
      write_page(static_cast<std::uint64_t>(below(static_cast<int>(kPages))));
  }
  void append(const Location& line, std::uint64_t before, std::uint64_t count) {
    must(set_extent(line, {before + count}));
    const Box box{{before}, {count}};
    auto values = data(static_cast<std::size_t>(count));
    must(move_elements(line, Direction::kWrite, &box, values.data()));
  }

  void resize() {
    if (chunked_.empty()) return;
    const auto n = static_cast<std::uint64_t>(9 + below(20));
    must(set_extent(must(find(file_, any(chunked_))), {n, n}));
  }
  /// One of the datasets with chunks, whose space others get after the next commit.
  void remove() {
    if (chunked_.size() < 3) return;
    const std::size_t at = static_cast<std::size_t>(below(static_cast<int>(chunked_.size())));
    must(remove_link(must(place(file_, chunked_[at]))));
    chunked_.erase(chunked_.begin() + static_cast<std::ptrdiff_t>(at));
  }

  std::mt19937 random_;
  std::shared_ptr<Trace> trace_;
  Disk disk_ = make_disk();
  OpenWith with_;
  FilePtr file_;
  Location hot_;
  int hot_phase_ = 0;
  static constexpr std::uint64_t kLine = 300, kPages = 2100;
  std::set<std::uint64_t> paged_;  ///< elements of /pages that were written
  std::vector<std::string> groups_, chunked_;
  std::vector<Left> left_;
};

constexpr int kSteps = 8;
/// Blocks of chunk indexes that a commit overwrote. What begins with no signature is a page.
constexpr int kIndexBlocks = 6;
constexpr const char* kIndexBlockNames[kIndexBlocks] = {"EAHD", "EASB", "EADB",
                                                        "FADB", "page", "TREE"};

struct Histogram {
  int steps[kSteps] = {};
  int index_blocks[kIndexBlocks] = {};
  int last = 0, next = 0, committed = 0, window = 0, torn = 0, replays = 0, failures = 0;
  [[nodiscard]] int states() const {
    int sum = 0;
    for (int n : steps) sum += n;
    return sum;
  }
  void print(const char* name, unsigned seed) const {
    std::printf("%s: seed %u, %d states", name, seed, states());
    for (int i = 0; i < kSteps; ++i) std::printf(", %s %d", kTraceStepNames[i], steps[i]);
    std::printf(
        "; read as last commit %d, next %d; on disk committed %d, window %d, torn %d; "
        "replays cut again %d; failures %d\n",
        last, next, committed, window, torn, replays, failures);
    std::printf("index blocks in place:");
    for (int i = 0; i < kIndexBlocks; ++i)
      std::printf(" %s %d", kIndexBlockNames[i], index_blocks[i]);
    std::printf("\n");
  }
};

/// Each byte of the hot dataset is of one of the phases that may have written it.
bool hot_fits(const FilePtr& file, int from, int to) {
  auto data = find(file, "/hot");
  if (!data) return false;
  auto values = read_all(*data);
  if (!values || values->size() != kHot) return false;
  for (std::byte byte : std::as_bytes(std::span(*values))) {
    bool found = false;
    for (int phase = from; phase <= to; ++phase)
      found = found || byte == static_cast<std::byte>(phase % 100 + 1);
    if (!found) return false;
  }
  return true;
}

class Judge {
 public:
  Judge(const Writer& writer, Histogram* histogram) : writer_(writer), histogram_(*histogram) {}

  /// Every state of the trace; `part` of the cuts inside writes.
  /// Of the states one of `one_of`, but for the few of a superblock alone.
  void all_states(std::mt19937& random, int one_of = 1) {
    DiskImage image = writer_.trace().start;
    int number = 0;
    for (const TraceOp& op : writer_.trace().ops) {
      if (op.step == TraceStep::kInPlace) count_blocks(op);
      for (std::size_t part : parts(op, random)) {
        if (op.step != TraceStep::kAlone && number++ % one_of != 0) continue;
        DiskImage cut = image;
        apply(op, part, &cut);
        state(cut, op, random);
      }
      apply(op, whole(op), &image);
    }
  }

 private:
  void count_blocks(const TraceOp& op) {
    const std::string_view bytes(reinterpret_cast<const char*>(op.bytes.data()), op.bytes.size());
    for (int i = 0; i < kIndexBlocks; ++i)
      if (bytes.find(kIndexBlockNames[i]) != bytes.npos) ++histogram_.index_blocks[i];
    bool signature = bytes.size() >= 4;
    for (std::size_t i = 0; i < 4 && signature; ++i) signature = bytes[i] >= 'A' && bytes[i] <= 'Z';
    if (!signature && bytes.size() == 1024 * 8 + 4) ++histogram_.index_blocks[4];
  }

  static std::vector<std::size_t> parts(const TraceOp& op, std::mt19937& random) {
    std::vector<std::size_t> all{0};
    const std::size_t n = op.bytes.size();
    if (op.truncate || op.step == TraceStep::kAlone || n < 2) return all;
    if (op.step == TraceStep::kWindow || op.step == TraceStep::kFinal) {
      for (std::size_t i = 1; i < n; i += 1 + random() % 3) all.push_back(i);
      return all;
    }
    all.push_back(1 + random() % (n - 1));
    if (op.step != TraceStep::kNew) all.push_back(n - 1);
    if (op.step == TraceStep::kJournal)
      all.push_back(n - 1 - random() % std::min<std::size_t>(n - 1, 128));
    return all;
  }

  void fail(const TraceOp& op, const std::string& what) {
    ++histogram_.failures;
    ADD_FAILURE() << "commit " << op.commit << ", cut in "
                  << kTraceStepNames[static_cast<int>(op.step)] << ": " << what;
  }

  /// 0: the last commit, 1: the next one, -1: neither.
  int read_as(const FilePtr& file, const TraceOp& op) {
    auto listing = list_file(file);
    if (!listing) return -1;
    const Listing seen = without_hot(*listing);
    const auto& left = writer_.left();
    const auto at = static_cast<std::size_t>(op.commit);
    const std::size_t next = std::min(at + 1, left.size() - 1);
    if (!hot_fits(file, left[at].hot, left[next].hot)) return -1;
    if (seen == left[at].listing) return 0;
    return seen == left[next].listing ? 1 : -1;
  }

  void state(const DiskImage& image, const TraceOp& op, std::mt19937& random) {
    ++histogram_.steps[static_cast<int>(op.step)];
    Disk disk = make_disk(image);
    auto file = open_session(disk, OpenMode::kReadOnly, writer_.with());
    if (!file) return fail(op, "does not open: " + file.error().message());
    const CommitState found = (*file)->store().writer().opened_state();
    ++(found == CommitState::kCommitted ? histogram_.committed
       : found == CommitState::kWindow  ? histogram_.window
                                        : histogram_.torn);
    const int first = read_as(*file, op);
    must(close_session(*file));
    if (first < 0) return fail(op, "neither commit");
    if (*disk != image) return fail(op, "a reader has changed the file");
    ++(first == 0 ? histogram_.last : histogram_.next);
    save(image, op, random);
    if (found != CommitState::kCommitted || random() % 8 == 0)
      open_for_writing(image, op, first, random);
  }

  /// Completed in place it is the same commit; killed again while that happens, too.
  void open_for_writing(const DiskImage& image, const TraceOp& op, int expected,
                        std::mt19937& random) {
    Disk disk = make_disk(image);
    auto trace = std::make_shared<Trace>();
    trace->base = writer_.trace().base;
    trace->window = true;
    auto file = open_session(trace_settings(disk, trace), OpenMode::kReadWrite, writer_.with());
    if (!file) return fail(op, "does not open for writing: " + file.error().message());
    must(close_session(*file));
    DiskImage again = image;
    for (const TraceOp& change : trace->ops) {
      DiskImage cut = again;
      if (!change.bytes.empty()) apply(change, random() % change.bytes.size(), &cut);
      ++histogram_.replays;
      check_one(cut, op, expected, "second kill");
      apply(change, whole(change), &again);
    }
    if (again != *disk) fail(op, "the trace of the replay is not what it did");
    check_one(again, op, expected, "after the replay");
    if (must(find_head_of(again)).state != CommitState::kCommitted)
      fail(op, "still in a window after the replay");
  }
  static Result<FileHead> find_head_of(const DiskImage& image) {
    DiskDriver driver(make_disk(image), "head");
    return find_head(driver);
  }

  void check_one(const DiskImage& image, const TraceOp& op, int expected, const char* when) {
    auto file = open_session(make_disk(image), OpenMode::kReadOnly, writer_.with());
    if (!file) return fail(op, std::string(when) + ": " + file.error().message());
    if (read_as(*file, op) != expected) fail(op, std::string(when) + ": another commit");
    must(close_session(*file));
  }

  /// A sample for libhdf5: the bytes, and the two trees that may be seen in them.
  void save(const DiskImage& image, const TraceOp& op, std::mt19937& random) {
    const char* folder = std::getenv("PCIO_KILL_STATES");
    const unsigned one_of = op.step == TraceStep::kNew ? 40 : op.step == TraceStep::kCut ? 1 : 8;
    if (folder == nullptr || random() % one_of != 0) return;
    static int number = 0;
    const std::string name = std::string(folder) + "/state" + std::to_string(number++);
    std::ofstream(name + ".h5", std::ios::binary)
        .write(reinterpret_cast<const char*>(image.data()),
               static_cast<std::streamsize>(image.size()));
    const auto& left = writer_.left();
    const auto at = static_cast<std::size_t>(op.commit);
    std::ofstream text(name + ".txt");
    text << kTraceStepNames[static_cast<int>(op.step)] << "\n";
    for (std::size_t commit : {at, std::min(at + 1, left.size() - 1)}) {
      for (const auto& [path, line] : left[commit].listing) text << path << "\t" << line << "\n";
      text << "--\n";
    }
  }

  const Writer& writer_;
  Histogram& histogram_;
};

TEST(Kill, EveryPrefixOfATraceIsOneOfTwoCommits) {
  const unsigned seed = static_cast<unsigned>(environment_number("PCIO_KILL_SEED", 1));
  const int rounds = environment_number("PCIO_KILL_ROUNDS", std::getenv("PCIO_LONG") ? 60 : 3);
  const int one_of = environment_number("PCIO_KILL_ONE_OF", 1);
  Histogram histogram;
  for (int round = 0; round < rounds; ++round) {
    const LibraryVersion formats[] = {LibraryVersion::kEarliest, LibraryVersion::kV18,
                                      LibraryVersion::kV110};
    const unsigned own = seed * 1000 + static_cast<unsigned>(round);
    Writer writer(own, formats[round % 3], round % 2 == 0 ? 0 : 512);
    writer.run(12);
    std::mt19937 random(own);
    Judge(writer, &histogram).all_states(random, one_of);
  }
  histogram.print("kill states", seed);
  EXPECT_GE(histogram.states() * one_of, 300 * rounds);
  for (int i = 0; i < kSteps; ++i)
    EXPECT_GT(histogram.steps[i], 0) << "no state was cut in " << kTraceStepNames[i];
  for (int i = 0; i < kIndexBlocks - 1; ++i)
    EXPECT_GT(histogram.index_blocks[i], 0) << kIndexBlockNames[i] << " was never overwritten";
  EXPECT_GT(histogram.last, 0);
  EXPECT_GT(histogram.next, 0);
  EXPECT_GT(histogram.window, 0);
  EXPECT_GT(histogram.torn, 0);
  EXPECT_GT(histogram.replays, 0);
  EXPECT_EQ(histogram.failures, 0);
}

/// A file with something in it, and what a commit changes, traced.
struct Traced {
  std::shared_ptr<Trace> trace = std::make_shared<Trace>();
  Disk disk = make_disk();
  OpenWith with;
  FilePtr file;

  void open(OpenMode mode) { file = must(open_session(trace_settings(disk, trace), mode, with)); }
  void begin() {
    open(OpenMode::kTruncate);
    must(detail::to_status(add_group(file, "/a")));
    must(flush_session(file));
    trace->ops.clear();
    trace->syncs.clear();
    trace->start = *disk;
  }
  void change() {
    must(detail::to_status(add_group(file, "/b")));
    must(add_attribute(must(find(file, "/a")), "x", {1, 2, 3}));
  }
};

/// Every prefix opens as one of the two; returns how many were seen as the first.
int count_first(const Trace& trace, const Listing& first, const Listing& second) {
  DiskImage image = trace.start;
  int firsts = 0;
  for (const TraceOp& op : trace.ops) {
    auto seen = list_image(image);
    EXPECT_TRUE(seen && (*seen == first || *seen == second))
        << kTraceStepNames[static_cast<int>(op.step)];
    if (seen && *seen == first) ++firsts;
    apply(op, whole(op), &image);
  }
  EXPECT_EQ(must(list_image(image)), second);
  return firsts;
}

TEST(Kill, UserDataThatEndsInAValidTrailerAreData) {
  // A journal that would destroy the root group, as the last bytes of the last dataset.
  Traced t;
  t.with.access.meta_block_size = 65536;
  t.with.access.small_data_block_size = 0;
  t.open(OpenMode::kTruncate);
  must(detail::to_status(add_group(t.file, "/a")));
  constexpr std::uint64_t kGarbage = 40;
  const std::size_t superblock = superblock_size(0, {8, 8});
  const std::uint64_t bytes = journal_size(1, kGarbage, superblock);
  ASSERT_EQ(bytes % 4, 0U);
  Location data = must(add_dataset(t.file, "/data", {.dims = {bytes / 4}}));
  must(write_all(data, std::vector<std::int32_t>(bytes / 4, 5)));
  const FileAddress root = t.file->store().objects().root()->address;
  must(close_session(t.file));

  Journal journal;
  journal.previous = journal.next = DiskImage(t.disk->begin(), t.disk->begin() + 96);
  journal.entries = {{{root, kGarbage}, 0}};
  journal.data = DiskImage(kGarbage, std::byte{0xEE});
  journal.trailer.file_size = t.disk->size();
  seal_journal(*superblock_shape(journal.next), &journal);
  const std::vector<std::byte> encoded = encode_journal(journal);
  std::vector<std::int32_t> words(bytes / 4);
  std::memcpy(words.data(), encoded.data(), encoded.size());
  t.open(OpenMode::kReadWrite);
  must(write_all(must(find(t.file, "/data")), words));
  must(close_session(t.file));
  ASSERT_TRUE(std::equal(encoded.rbegin(), encoded.rend(), t.disk->rbegin())) << "not at the end";
  ASSERT_TRUE(
      decode_journal_trailer(ConstBytes(*t.disk).last(kJournalTrailerSize), t.disk->size()));

  const Listing first = must(list_image(*t.disk));
  t.trace->ops.clear();
  t.trace->start = *t.disk;
  t.open(OpenMode::kReadWrite);
  t.change();
  must(flush_session(t.file));
  const Listing second = must(list_image(*t.disk));
  EXPECT_GT(count_first(*t.trace, first, second), 2);
  must(close_session(t.file));
}

TEST(Kill, AStaleTailIsNeverReplayed) {
  Traced t;
  t.begin();
  t.change();
  must(flush_session(t.file));
  const DiskImage flushed = *t.disk;  // with its dead journal
  must(close_session(t.file));
  DiskDriver driver(make_disk(flushed), "tail");
  const FileHead head = must(find_head(driver));
  ASSERT_EQ(head.state, CommitState::kCommitted);
  ASSERT_GT(flushed.size(), head.superblock.end_of_file);
  ASSERT_TRUE(
      decode_journal_trailer(ConstBytes(flushed).last(kJournalTrailerSize), flushed.size()));
  // Somebody else's superblock, in a window that no journal is for.
  DiskImage other = flushed;
  other[40 + 7] |= std::byte{0x40};
  other[41] ^= std::byte{0x04};
  auto opened = open_session(make_disk(other), OpenMode::kReadOnly);
  ASSERT_FALSE(opened.has_value());
  EXPECT_NE(opened.error().message().find("truncated file"), std::string::npos);
  // A journal whose file has grown, or was cut, since.
  for (int grow : {-1, 1}) {
    DiskImage window = flushed;
    window.resize(static_cast<std::size_t>(static_cast<int>(window.size()) + grow));
    window[40 + 7] |= std::byte{0x40};
    EXPECT_FALSE(open_session(make_disk(window), OpenMode::kReadOnly).has_value());
  }
  // One that has grown and ends in the same trailer again.
  DiskImage grown = flushed;
  grown[40 + 7] |= std::byte{0x40};
  grown.insert(grown.end(), flushed.end() - kJournalTrailerSize, flushed.end());
  EXPECT_FALSE(open_session(make_disk(grown), OpenMode::kReadOnly).has_value());
}

TEST(Kill, PowerLossSyncsEachArrow) {
  for (Durability level : {Durability::kNone, Durability::kChecked, Durability::kPowerLoss}) {
    Traced t;
    t.with.access.durability = level;
    t.begin();
    t.change();
    must(flush_session(t.file));
    const Trace& trace = *t.trace;
    if (level == Durability::kNone) {
      EXPECT_TRUE(trace.syncs.empty());
    }
    int arrows = 0;
    for (std::size_t i = 1; i < trace.ops.size(); ++i) {
      if (trace.ops[i].step == trace.ops[i - 1].step || trace.ops[i].truncate) continue;
      const bool synced = std::count(trace.syncs.begin(), trace.syncs.end(), i) > 0;
      const bool checked = trace.ops[i].step == TraceStep::kWindow;
      if (level == Durability::kPowerLoss || (level == Durability::kChecked && checked)) {
        EXPECT_TRUE(synced) << kTraceStepNames[static_cast<int>(trace.ops[i].step)];
      }
      ++arrows;
    }
    EXPECT_EQ(arrows, 4);
    if (level != Durability::kNone) {
      EXPECT_EQ(trace.syncs.back(), trace.ops.size());
    }
    must(close_session(t.file));
  }
}

TEST(Kill, MemoryIsNotJournaled) {
  const MemorySettings settings(65536, MemorySettings::BackingStore::kNone);
  FilePtr file = must(open_session(settings, OpenMode::kTruncate));
  must(detail::to_status(add_group(file, "/a")));
  must(flush_session(file));
  const std::uint64_t writes = file->store().driver().counters().independent_writes;
  must(add_attribute(must(find(file, "/a")), "x", {1}));
  must(flush_session(file));
  // The header and the superblock: no journal, no window.
  EXPECT_LE(file->store().driver().counters().independent_writes - writes, 3U);
  must(close_session(file));
}

}  // namespace
}  // namespace pcio
