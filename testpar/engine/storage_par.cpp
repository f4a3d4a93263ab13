// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Storage of parallel files: compact datasets, of which every rank holds a copy, and extents that
// change.

#include <vector>

#include "driver/mpi_settings.hpp"
#include "par_test.hpp"
#include "support/file_session.hpp"

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

}  // namespace
}  // namespace pcio

int main(int argc, char** argv) {
  pcio::test::ParallelTest t(argc, argv);
  pcio::collective_compact_writes_reach_every_rank(t);
  pcio::equal_copies_are_no_error(t);
  pcio::what_rank_0_writes_alone_reaches_all(t);
  pcio::what_another_rank_writes_alone_is_an_error_once(t);
  pcio::cut_elements_are_the_fill_value(t);
  return t.finish();
}
