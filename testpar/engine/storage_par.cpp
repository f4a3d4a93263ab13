// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Storage of parallel files: compact datasets, of which every rank holds a copy, extents that
// change, and objects without links.

#include <optional>
#include <vector>

#include "driver/mpi_settings.hpp"
#include "par_test.hpp"
#include "storage/dataset/allocation.hpp"
#include "support/file_session.hpp"
#include "transfer/call/share_index.hpp"

namespace pcio {
namespace {

using test::ParallelTest;
using Values = std::vector<std::int32_t>;

/// A file on all ranks with one dataset /d.
struct Shared {
  ParallelTest& t;
  std::string path;
  MpioSettings driver = test::must(MpioSettings::create(MPI_COMM_WORLD, MPI_INFO_NULL));
  FilePtr file;
  Location data;

  Shared(ParallelTest& test, const std::string& name, const test::DatasetSpec& spec)
      : t(test), path(test.shared_path(name)) {
    file = test::must(test::open_session(driver, OpenMode::kTruncate, where()));
    data = test::must(test::add_dataset(file, "/d", spec));
  }
  [[nodiscard]] test::OpenWith where() const {
    test::OpenWith with;
    with.path = path;
    return with;
  }
  Status write(TransferMode mode, const Box* box, Values values) {
    TransferProps props;
    props.mode = mode;
    return test::move_elements(data, Direction::kWrite, box, values.data(), props);
  }
  void expect(const Values& wanted, const std::string& what) {
    t.check(test::must(test::read_all(data)) == wanted, what);
  }
  /// Closes; then each rank for itself reads what is in the file.
  void expect_in_file(const Values& wanted, const std::string& what) {
    data = Location();
    t.check(test::close_session(file), what + ": close");
    MPI_Barrier(MPI_COMM_WORLD);
    FilePtr copy = test::must(test::open_session(PosixSettings(), OpenMode::kReadOnly, where()));
    t.check(test::must(test::read_all(test::must(test::find(copy, "/d")))) == wanted,
            what + ": in the file");
    t.check(test::close_session(copy), what + ": close the copy");
    t.remove_shared(path);
  }
};

test::DatasetSpec compact(std::uint64_t elements) {
  test::DatasetSpec spec;
  spec.dims = {elements};
  spec.compact = true;
  return spec;
}

void collective_compact_writes_reach_every_rank(ParallelTest& t) {
  auto ranks = static_cast<std::uint64_t>(t.size());
  auto rank = static_cast<std::uint64_t>(t.rank());
  Shared shared(t, "together", compact(3 * ranks + 1));
  Values wanted(3 * ranks + 1, 0);
  // Rank 1 selects nothing; each other rank writes three elements and one of the next rank's.
  Box mine{{3 * rank}, {t.rank() == 1 ? 0U : 4U}};
  Values values(mine.count[0], 10 + t.rank());
  t.check(shared.write(TransferMode::kCollective, &mine, values), "collective write");
  for (int r = 0; r < t.size(); ++r)
    for (std::size_t i = 0; i < 4 && r != 1; ++i)
      wanted[3 * static_cast<std::size_t>(r) + i] = 10 + r;
  shared.expect(wanted, "every rank holds what all wrote");
  t.check(test::flush_session(shared.file), "flush");
  t.check(test::add_attribute(shared.data, "a", {1}), "metadata after a compact write");
  shared.expect_in_file(wanted, "collective write");
}

void equal_copies_are_no_error(ParallelTest& t) {
  Shared shared(t, "equal", compact(5));
  t.check(shared.write(TransferMode::kIndependent, nullptr, {1, 2, 3, 4, 5}), "write");
  t.check(test::flush_session(shared.file), "flush of equal copies");
  shared.expect_in_file({1, 2, 3, 4, 5}, "equal copies");
}

void what_rank_0_writes_alone_reaches_all(ParallelTest& t) {
  Shared shared(t, "alone", compact(3));
  if (t.rank() == 0) t.check(shared.write(TransferMode::kIndependent, nullptr, {7, 8, 9}), "write");
  t.check(test::flush_session(shared.file), "flush");
  shared.expect({7, 8, 9}, "all hold the data of rank 0");
  shared.expect_in_file({7, 8, 9}, "rank 0 alone");
}

void what_another_rank_writes_alone_is_an_error_once(ParallelTest& t) {
  if (t.size() < 2) return;
  Shared shared(t, "lost", compact(3));
  t.check(shared.write(TransferMode::kCollective, nullptr, {1, 1, 1}), "collective write");
  if (t.rank() == t.size() - 1)
    t.check(shared.write(TransferMode::kIndependent, nullptr, {5, 5, 5}), "write");
  t.check_says(test::flush_session(shared.file), "/d", "flush names the dataset on all ranks");
  shared.expect({1, 1, 1}, "all hold the data of rank 0");
  t.check(test::flush_session(shared.file), "second flush");
  t.check(shared.write(TransferMode::kIndependent, nullptr, {t.rank(), 2, 3}), "write");
  t.check_says(test::close_session(shared.file), "rank 0", "close with different data");
  shared.expect_in_file({0, 2, 3}, "after the error");
}

/// Element i of row r is 1000 * r + i; what was cut off once is the fill value.
void cut_elements_are_the_fill_value(ParallelTest& t) {
  test::DatasetSpec spec;
  spec.dims = {20, 14};
  spec.max = {30, 14};
  spec.chunk = {4, 5};
  spec.fill = -3;
  Shared shared(t, "cut", spec);
  auto rows = static_cast<std::uint64_t>(20);
  for (std::uint64_t r = static_cast<std::uint64_t>(t.rank()); r < rows;
       r += static_cast<std::uint64_t>(t.size())) {
    Box row{{r, 0}, {1, 14}};
    Values values(14);
    for (std::size_t i = 0; i < 14; ++i) values[i] = static_cast<std::int32_t>(1000 * r + i);
    t.check(shared.write(TransferMode::kIndependent, &row, values), "write a row");
  }
  t.check(test::set_extent(shared.data, {9, 7}), "shrink");
  t.check(test::set_extent(shared.data, {22, 14}), "grow");
  Values wanted;
  for (std::int32_t r = 0; r < 22; ++r)
    for (std::int32_t i = 0; i < 14; ++i) wanted.push_back(r < 9 && i < 7 ? 1000 * r + i : -3);
  shared.expect(wanted, "what is left after shrinking and growing");
  shared.expect_in_file(wanted, "changed extents");
}

Status unlink(const FilePtr& file, const std::string& path) {
  PCIO_ASSIGN(LinkPlace where, test::place(file, path));
  return remove_link(where);
}

/// The ranks' maps of the file's space.
void expect_same_space(ParallelTest& t, FileStore& store, const std::string& what) {
  std::uint64_t most[2] = {store.space().end_of_allocation(), store.space().free_bytes()};
  std::uint64_t least[2] = {most[0], most[1]};
  test::must(store.coordinator().allreduce_max(most));
  test::must(store.coordinator().allreduce_min(least));
  t.check(most[0] == least[0] && most[1] == least[1], what + ": all hold the same space");
}

void an_open_dataset_of_a_deleted_group_stays(ParallelTest& t) {
  const Values six(700, 6), nine(700, 9);
  Shared shared(t, "below", compact(1));
  test::must(test::add_group(shared.file, "/g"));
  Location below = test::must(test::add_dataset(shared.file, "/g/below", {.dims = {700}}));
  Values values = six;
  t.check(test::move_elements(below, Direction::kWrite, nullptr, values.data()), "write");
  t.check(test::flush_session(shared.file), "flush");
  std::optional<OpenObject> held;
  if (t.rank() == t.size() - 1) held.emplace(shared.file, below.object, below.path);
  t.check(unlink(shared.file, "/g"), "unlink");
  for (int i = 0; i < 3; ++i) {
    t.check(test::flush_session(shared.file), "flush");
    Location other = test::must(test::add_dataset(shared.file, "/o" + std::to_string(i),
                                                  {.dims = {700}, .alloc = AllocTime::kEarly}));
    values = nine;
    t.check(test::move_elements(other, Direction::kWrite, nullptr, values.data()), "write");
    if (held) t.check(test::must(test::read_all(below)) == six, "still there");
    expect_same_space(t, shared.file->store(), "below");
  }
  held.reset();
  t.check(test::flush_session(shared.file), "flush");
  expect_same_space(t, shared.file->store(), "released");
  t.check(shared.file->store().space().free_bytes() >= 2800, "its bytes come back");
  shared.expect_in_file({0}, "below");
}

/// Each read of the last rank fails once; the others can read all. Rank 0 reads more than that: it
/// writes the commit.
void what_one_rank_cannot_read_is_released_by_none(ParallelTest& t) {
  if (t.size() < 2) return;
  bool struck = true;
  for (std::uint64_t n = 1; struck; ++n) {
    auto plan = std::make_shared<test::FaultPlan>();
    const std::string name = "unread" + std::to_string(n);
    {
      Shared shared(t, name, compact(1));
      test::must(test::add_group(shared.file, "/g"));
      for (int i = 0; i < 2; ++i)
        test::must(test::add_dataset(shared.file, "/g/d" + std::to_string(i),
                                     {.dims = {60}, .chunk = {7}}));
      shared.data = Location();
      t.check(test::close_session(shared.file), name + ": close");
      FilePtr file = test::must(test::open_session(test::fault_settings(shared.driver, plan),
                                                   OpenMode::kReadWrite, shared.where()));
      t.check(unlink(file, "/g"), name + ": unlink");
      *plan = test::FaultPlan();
      if (t.rank() == t.size() - 1) plan->fail_read = n;
      t.check(test::flush_session(file), name + ": flush");
      expect_same_space(t, file->store(), name);
      t.check(test::flush_session(file), name + ": flush again");
      expect_same_space(t, file->store(), name + " again");
      std::uint64_t word = plan->fail_read == n && plan->reads >= n ? 1 : 0;
      test::must(file->store().coordinator().allreduce_max({&word, 1}));
      struck = word != 0;
      Location more =
          test::must(test::add_dataset(file, "/more", {.dims = {50}, .alloc = AllocTime::kEarly}));
      t.check(test::close_session(file), name + ": close");
      t.remove_shared(shared.path);
    }
    if (n > 100) return t.check(false, "no end of reads");
  }
}

/// Before anything is made all ranks know whether they are to meet in its fill: who fails in the making
/// takes part then. Never a fill that was not foreseen.
void fills_are_foreseen(ParallelTest& t) {
  const Dims none{0, 4}, some{6, 4}, fixed{12, 8}, open{kUnlimited, 8};
  int filled = 0, made = 0;
  for (const LibraryVersion low : {LibraryVersion::kEarliest, LibraryVersion::kV110}) {
    test::OpenWith with;
    with.path = t.shared_path("foreseen");
    with.access.low_bound = low;
    MpioSettings driver = test::must(MpioSettings::create(MPI_COMM_WORLD, MPI_INFO_NULL));
    FilePtr file = test::must(test::open_session(driver, OpenMode::kTruncate, with));
    for (const Dims& dims : {none, some})
      for (const Dims& most : {dims, fixed, open})
        for (const Dims& chunk : {Dims(), Dims{4, 3}})
          for (const AllocTime alloc : {AllocTime::kDefault, AllocTime::kEarly, AllocTime::kLate})
            for (const bool late : {false, true}) {
              if (chunk.size() == 0 && most != dims) continue;
              DatasetRequest request;
              request.type = test::int32();
              request.space = test::must(Dataspace::simple(dims, &most));
              request.create = test::create_props(
                  {.dims = dims, .max = most, .chunk = chunk, .alloc = alloc, .fill = 7});
              request.late_allocation = late;
              const std::string what = "dataset " + std::to_string(++made);
              DatasetAccessProps access;
              access.late_allocation = late;
              const bool foreseen =
                  create_may_need_fill(*file, request.create, &access, &request.type);
              NewSpace unfilled;
              const Location data = test::must(make_dataset(file, request, &unfilled));
              filled += unfilled.empty() ? 0 : 1;
              t.check(foreseen || unfilled.empty(), what + ": a fill of its create");
              t.check(finish_fill(*file, data.object, unfilled, {"H5Dcreate2", what}), what);
              t.check(test::must(test::read_all(data)) == Values(*dims.volume(), 7), what);
              for (const Dims& next : {Dims{9, 8}, Dims{5, 2}, Dims{0, 8}, Dims{11, 7}}) {
                if (chunk.size() == 0 || most == dims) continue;
                const DatasetState& state = *data.object->dataset;
                const bool seen = extent_may_need_fill(file->store(), state, next);
                ExtentChange change = test::must(change_extent(file->store(), data.object, next));
                filled += change.unfilled.empty() ? 0 : 1;
                t.check(seen || change.unfilled.empty(), what + ": a fill of its extent");
                t.check(
                    complete_extent(*file, data.object, change, {"H5Dset_extent", what}, Status()),
                    what + ": extent");
                t.check(test::must(test::read_all(data)) == Values(*next.volume(), 7), what);
              }
            }
    t.check(test::close_session(file), "foreseen: close");
    t.remove_shared(with.path);
  }
  t.check(filled > 20, "there is something to fill");
}

/// Bytes that this rank has read of the file.
std::uint64_t bytes_read(FileStore& store) { return store.driver().counters().bytes_read; }

/// One rank reads an index for all, whatever some of them, the first ones included, know of it.
void an_index_is_read_by_one(ParallelTest& t) {
  struct Shape {
    const char* name;
    LibraryVersion low;
    Dims dims, max;
  };
  const std::vector<Shape> shapes = {
      {"btree", LibraryVersion::kEarliest, {64, 64}, {64, 64}},
      {"row", LibraryVersion::kEarliest, {1, 5000}, {1, kUnlimited}},
      {"column", LibraryVersion::kEarliest, {5000, 1}, {kUnlimited, 1}},
      {"fixed", LibraryVersion::kV110, {60, 64}, {80, 70}},
      {"first", LibraryVersion::kV110, {64, 64}, {kUnlimited, 64}},
      {"last", LibraryVersion::kV110, {64, 64}, {64, kUnlimited}},
      {"btree2", LibraryVersion::kV110, {64, 64}, {kUnlimited, kUnlimited}},
      {"cube", LibraryVersion::kV110, {1, 30, 70}, {2, 40, kUnlimited}}};
  for (const Shape& shape : shapes)
    for (const int knows : {-1, 0, t.size() - 1, t.size()}) {
      const std::string what = std::string(shape.name) + ", known on " + std::to_string(knows);
      test::OpenWith with;
      with.path = t.shared_path(std::string("share-") + shape.name);
      with.access.low_bound = shape.low;
      const Dims chunk = [&] {
        Dims one = shape.dims;
        for (unsigned d = 0; d < one.size(); ++d) one[d] = 1;
        return one;
      }();
      Values values(*shape.dims.volume());
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::int32_t>(i);
      if (t.rank() == 0) {
        FilePtr alone = test::must(test::open_session(PosixSettings(), OpenMode::kTruncate, with));
        const Location made = test::must(
            test::add_dataset(alone, "/d", {.dims = shape.dims, .max = shape.max, .chunk = chunk}));
        test::must(test::write_all(made, values));
        test::must(test::close_session(alone));
      }
      MPI_Barrier(MPI_COMM_WORLD);
      MpioSettings driver = test::must(MpioSettings::create(MPI_COMM_WORLD, MPI_INFO_NULL));
      FilePtr file = test::must(test::open_session(driver, OpenMode::kReadWrite, with));
      FileStore& store = file->store();
      Location data = test::must(test::find(file, "/d"));
      test::must(detail::to_status(store.datasets().state(data.object)));
      // A part of it, by an independent transfer.
      if (t.rank() == knows || knows == t.size()) {
        Box part{shape.dims, chunk};
        for (unsigned d = 0; d < part.start.size(); ++d) part.start[d] /= 2;
        t.check(store.datasets().load_chunks(data.object, part), what + ": a part");
      }
      const std::uint64_t before = bytes_read(store);
      t.check(share_chunk_index(store, data.object, {"H5Dread", "/d"}), what + ": share");
      std::uint64_t readers = bytes_read(store) > before ? 1 : 0;
      test::must(store.coordinator().allreduce_sum({&readers, 1}));
      t.check(readers == 1, what + ": " + std::to_string(readers) + " ranks read");
      t.check(data.object->dataset->index_is_whole(), what + ": whole");
      const std::uint64_t after = bytes_read(store);
      t.check(share_chunk_index(store, data.object, {"H5Dread", "/d"}), what + ": again");
      t.check(bytes_read(store) == after, what + ": nothing is read again");
      t.check(test::must(test::read_all(data)) == values, what + ": values");
      data = Location();
      t.check(test::close_session(file), what + ": close");
      t.remove_shared(with.path);
    }
}

}  // namespace
}  // namespace pcio

int main(int argc, char** argv) {
  pcio::test::ParallelTest t(argc, argv);
  pcio::collective_compact_writes_reach_every_rank(t);
  pcio::equal_copies_are_no_error(t);
  pcio::what_rank_0_writes_alone_reaches_all(t);
  pcio::what_another_rank_writes_alone_is_an_error_once(t);
  pcio::cut_elements_are_the_fill_value(t);
  pcio::an_open_dataset_of_a_deleted_group_stays(t);
  pcio::what_one_rank_cannot_read_is_released_by_none(t);
  pcio::fills_are_foreseen(t);
  pcio::an_index_is_read_by_one(t);
  return t.finish();
}
