// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// The MPI drivers: the suite of all drivers, opens that fail on one rank, collective MPI-IO.

#include <sys/stat.h>
#include <vector>

#include "driver/collective_channel.hpp"
#include "driver/mpi_settings.hpp"
#include "driver/mpio_driver.hpp"
#include "mpi/environment.hpp"
#include "mpi/type.hpp"
#include "par_test.hpp"
#include "support/driver_suite.hpp"

namespace pcio {
namespace {

using test::ParallelTest;
using test::pattern;
using test::request;

void suite(ParallelTest& t, const DriverSettings& settings) {
  const std::string path = t.shared_path("suite");
  const test::Checks checks = test::DriverSuite(settings, path, true).run();
  for (const std::string& failure : checks.failures())
    t.check(false, std::string(settings.name()) + ": " + failure);
  t.remove_shared(path);
}

void opens_fail_together(ParallelTest& t, const DriverSettings& settings) {
  const std::string path = t.shared_path("together");
  const bool last = t.rank() == t.size() - 1;
  const std::string who = "rank " + std::to_string(t.size() - 1);
  // One rank was given a name of a folder that does not exist.
  OpenRequest one = request(last ? "/nonexistent/" + path.substr(path.rfind('/') + 1) : path,
                            OpenMode::kReadOnly);
  if (t.rank() == 0) std::fclose(std::fopen(path.c_str(), "w"));
  MPI_Barrier(MPI_COMM_WORLD);
  Result<OpenedFile> opened = open_driver(settings, one);
  t.check(!opened, "one rank can't open: all fail");
  if (!opened && !last)
    t.check_says(opened.error(), who + ": H5Fopen on " + "/nonexistent", "named");

  // One rank's arguments were found bad before.
  one = request(path, OpenMode::kTruncate);
  if (last) one.checked = PCIO_ERROR(ARGS, BADVALUE, "bad list");
  opened = open_driver(settings, one);
  t.check(!opened, "bad arguments on one rank: all fail");

  // Different flags, different names.
  if (t.size() > 1) {
    opened =
        open_driver(settings, request(path, last ? OpenMode::kReadOnly : OpenMode::kReadWrite));
    t.check(!opened, "different flags: all fail");
    opened = open_driver(settings, request(last ? path + "-other" : path, OpenMode::kTruncate));
    t.check(!opened, "different names: all fail");
    struct stat info {};
    t.check(stat((path + "-other").c_str(), &info) != 0, "and nothing was created");
  }
  opened = open_driver(settings, request(path, OpenMode::kReadWrite));
  t.check(opened ? Status() : opened.error(), "and then it opens");
  if (opened) t.check(opened->driver->close(), "close");
  t.remove_shared(path);
}

void outcomes_are_shared(ParallelTest& t, const DriverSettings& settings) {
  const std::string path = t.shared_path("readonly");
  Result<OpenedFile> made = open_driver(settings, request(path, OpenMode::kTruncate));
  if (!made) return t.check(made.error(), "create");
  t.check(made->driver->identity() == identify_file(path), "identity is the file's");
  t.check(made->driver->capabilities().parallel, "the driver is parallel");
  t.check(made->driver->raw_handle() != nullptr, "there is a raw handle");
  t.check(made->driver->close(), "close");
  Result<OpenedFile> file = open_driver(settings, request(path, OpenMode::kReadOnly));
  if (!file) return t.check(file.error(), "open");
  t.check(!file->driver->truncate(100).ok(),
          "truncate of a file opened for reading fails on all ranks");
  file->coordinator->poison(PCIO_ERROR(FILE, MPI, "lost step"));
  t.check(!file->driver->truncate(100).ok(), "nothing works on a poisoned file");
  file->driver->abandon();
  t.remove_shared(path);
}

OpenedFile create_or_stop(ParallelTest& t, const DriverSettings& settings,
                          const std::string& path) {
  Result<OpenedFile> made = open_driver(settings, request(path, OpenMode::kTruncate));
  t.check(made ? Status() : made.error(), "create");
  if (!made) MPI_Abort(MPI_COMM_WORLD, 1);
  return std::move(*made);
}

constexpr std::size_t kCell = 1000;

/// Rank r owns cells r, r + n, r + 2n, ...: an interleaved file through views.
void views(ParallelTest& t, const DriverSettings& settings) {
  const std::string path = t.shared_path("views");
  OpenedFile file = create_or_stop(t, settings, path);
  CollectiveChannel& channel = *file.driver->collective();
  const auto n = static_cast<std::uint64_t>(t.size());
  const auto r = static_cast<std::uint64_t>(t.rank());
  constexpr std::uint64_t kCells = 8;
  constexpr std::uint64_t kStart = 512;
  t.check(file.driver->truncate(kStart + kCells * n * kCell), "extend first");

  std::vector<ByteRange> blocks;
  for (std::uint64_t i = 0; i < kCells; ++i) blocks.push_back({(i * n + r) * kCell, kCell});
  Result<mpi::Type> type = mpi::Type::byte_blocks(blocks);
  if (!type) return t.check(type.error(), "type");
  t.check(type->size().value_or(0) == kCells * kCell, "size of the type");
  const auto data = pattern(kCells * kCell, static_cast<unsigned>(r));
  t.check(!channel.is_view_handle_open(), "handle B is opened late");
  t.check(channel.open_view_handle(), "open handle B");
  t.check(!channel.has_view(77), "no view yet");
  t.check(channel.set_view({kStart, type->raw(), 77}), "set_view");
  t.check(channel.has_view(77) && !channel.has_view(0), "the view is known by its key");
  t.check(channel.write_all({data.data(), MPI_BYTE, static_cast<int>(data.size()), data.size()}),
          "write_all");
  t.check(file.driver->flush(), "flush");

  // Through handle A, the right neighbour's cells.
  const std::uint64_t other = (r + 1) % n;
  const auto expected = pattern(kCells * kCell, static_cast<unsigned>(other));
  std::vector<std::byte> cell(kCell);
  for (std::uint64_t i = 0; i < kCells; ++i) {
    t.check(file.driver->read(kStart + (i * n + other) * kCell, cell), "read a cell");
    t.check(std::equal(cell.begin(), cell.end(), expected.begin() + static_cast<long>(i * kCell)),
            "a neighbour's cell");
  }
  std::vector<std::byte> back(data.size());
  Result<std::uint64_t> got =
      channel.read_all({back.data(), MPI_BYTE, static_cast<int>(back.size()), back.size()});
  t.check(got && *got == back.size() && back == data, "read_all");
  const IoCounters& counters = channel.counters();
  // Not every MPI library's collective reads are trusted.
  const std::uint64_t reads =
      channel.reads_independently() ? counters.collective_reads + 1 : counters.collective_reads;
  t.check(counters.collective_writes == 1 && reads == 1 && counters.set_views == 1,
          "collective calls are counted");
  t.check(counters.bytes_written == data.size(), "bytes are counted once");
  t.check(file.driver->close(), "close");
  t.remove_shared(path);
}

/// Contiguous collective transfers; the last rank has nothing.
void contiguous(ParallelTest& t, const DriverSettings& settings) {
  const std::string path = t.shared_path("contiguous");
  OpenedFile file = create_or_stop(t, settings, path);
  CollectiveChannel& channel = *file.driver->collective();
  const auto r = static_cast<std::uint64_t>(t.rank());
  const bool empty = t.size() > 1 && t.rank() == t.size() - 1;
  const auto data = pattern(empty ? 0 : 30'000, static_cast<unsigned>(r));
  const std::uint64_t rounds = CollectiveChannel::count_rounds(30'000);
  t.check(rounds == 1 && CollectiveChannel::count_rounds(0) == 1 &&
              CollectiveChannel::count_rounds((std::uint64_t{5} << 30) + 1) == 6,
          "rounds");
  t.check(channel.write_at_all(r * 30'000, data, rounds), "write_at_all");
  // ompio's ranks return before the one that writes for them has written.
  t.check(file.coordinator->barrier(), "barrier");
  std::vector<std::byte> back(data.size());
  Result<std::uint64_t> got = channel.read_at_all(r * 30'000, back, rounds);
  t.check(got && *got == data.size() && back == data, "read_at_all");
  auto* mpio = dynamic_cast<MpioDriver*>(file.driver.get());
  t.check(mpio->set_atomicity(true), "set atomicity");
  t.check(mpio->atomic_locks() != nullptr, "get atomicity");
  t.check(file.driver->capabilities().mpi_io == MpiIoComponent::kOmpio ||
              file.driver->capabilities().mpi_io == MpiIoComponent::kRomio,
          "the MPI-IO component is known");
  t.check(file.driver->close(), "close");
  t.remove_shared(path);
}

void settings_share_and_duplicate(ParallelTest& t) {
  MPI_Info info = MPI_INFO_NULL;
  MPI_Info_create(&info);
  MPI_Info_set(info, "cb_nodes", "1");
  Result<MpioSettings> made = MpioSettings::create(MPI_COMM_WORLD, info);
  MPI_Info_free(&info);
  if (!made) return t.check(made.error(), "create settings");
  DriverChoice choice(made->clone());
  DriverChoice copy = choice;
  t.check(copy == choice && !(copy == DriverChoice()), "copies are equal");
  Result<MPI_Comm> comm = made->duplicate_comm();
  Result<MPI_Info> hints = made->duplicate_info();
  int result = 0;
  t.check(comm && hints, "duplicates for the user");
  MPI_Comm_compare(*comm, MPI_COMM_WORLD, &result);
  t.check(result == MPI_CONGRUENT, "the same group");
  t.check(mpi::Info::adopt(*hints).get("cb_nodes").value_or("") == "1", "the same hints");
  MPI_Comm_free(&*comm);
  t.check(!MpioSettings::create(MPI_COMM_NULL, MPI_INFO_NULL), "MPI_COMM_NULL is refused");
}

/// Datatypes above the limit of one call know their size.
void large_types(ParallelTest& t) {
  constexpr std::uint64_t kBig = (std::uint64_t{5} << 30) + 7;
  Result<mpi::Type> whole = mpi::Type::contiguous_bytes(kBig);
  t.check(whole && whole->size().value_or(0) == kBig, "a contiguous type of 5 GiB");
  const std::vector<ByteRange> blocks = {{0, 100}, {1000, kBig}, {kBig + 5000, 3}};
  Result<mpi::Type> parts = mpi::Type::byte_blocks(blocks);
  t.check(parts && parts->size().value_or(0) == kBig + 103, "blocks of 5 GiB");
  Result<mpi::Type> nothing = mpi::Type::byte_blocks({});
  t.check(nothing && nothing->size().value_or(1) == 0, "no blocks");
}

/// A communicator of half of the ranks, a file each.
void split_communicators(ParallelTest& t) {
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, t.rank() % 2, t.rank(), &half);
  std::string path = t.shared_path("half") + std::to_string(t.rank() % 2);
  {
    Result<MpioSettings> settings = MpioSettings::create(half, MPI_INFO_NULL);
    MPI_Comm_free(&half);  // the settings hold a duplicate
    if (!settings) return t.check(settings.error(), "settings");
    const test::Checks checks = test::DriverSuite(*settings, path, true).run();
    for (const std::string& failure : checks.failures()) t.check(false, "half: " + failure);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  std::remove(path.c_str());
}

}  // namespace
}  // namespace pcio

int main(int argc, char** argv) {
  pcio::test::ParallelTest t(argc, argv);
  {
    auto mpio = pcio::MpioSettings::create(MPI_COMM_WORLD, MPI_INFO_NULL);
    auto posix = pcio::MpiposixSettings::create(MPI_COMM_WORLD);
    t.check(mpio && posix, "settings");
    for (const pcio::DriverSettings* settings :
         {static_cast<const pcio::DriverSettings*>(&*mpio),
          static_cast<const pcio::DriverSettings*>(&*posix)}) {
      pcio::suite(t, *settings);
      pcio::opens_fail_together(t, *settings);
      pcio::outcomes_are_shared(t, *settings);
    }
    pcio::views(t, *mpio);
    pcio::contiguous(t, *mpio);
    pcio::settings_share_and_duplicate(t);
    pcio::large_types(t);
    pcio::split_communicators(t);
  }
  return t.finish();
}
