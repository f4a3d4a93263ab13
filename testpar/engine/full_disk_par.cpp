// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// A disk that is too small: full_disk_par FOLDER, where FOLDER has room for 2 MiB. A write that did
// not reach the file is an error, on all ranks. Started by full_disk.sh, which mounts the folder.

#include <algorithm>
#include <vector>

#include "driver/collective_channel.hpp"
#include "driver/mpi_settings.hpp"
#include "par_test.hpp"
#include "support/driver_suite.hpp"

namespace pcio {
namespace {

using test::ParallelTest;

constexpr std::size_t kTotal = std::size_t{4} << 20;

/// Each rank writes its share of 4 MiB with independent calls.
void independent(ParallelTest& t, const DriverSettings& settings, const std::string& folder) {
  const std::string path = folder + "/full-" + std::string(settings.name());
  Result<OpenedFile> file = open_driver(settings, test::request(path, OpenMode::kTruncate));
  if (!file) return t.check(file.error(), "create");
  const std::size_t share = kTotal / static_cast<std::size_t>(t.size());
  const auto data = test::pattern(share, 1);
  const std::uint64_t offset = share * static_cast<std::uint64_t>(file->coordinator->rank());
  Status local = file->driver->write(offset, data);
  Status all = file->coordinator->outcome({"H5Dwrite", "/x"}, local);
  t.check(!all.ok(), std::string(settings.name()) + ": the disk is full, all ranks say so");
  // ROMIO says MPI_ERR_IO, without a reason.
  if (!local.ok())
    t.check(local.frames().front().minor == Minor::NOSPACE ||
                local.frames().front().minor == Minor::MPIERRSTR,
            "the reason is space: " + local.message());
  std::uint64_t written[1] = {file->driver->counters().bytes_written};
  t.check(file->coordinator->allreduce_sum(written), "sum");
  t.check(written[0] < kTotal, "no more bytes are counted than the disk holds");
  (void)file->driver->close();
  if (file->coordinator->rank() == 0) std::remove(path.c_str());
  MPI_Barrier(MPI_COMM_WORLD);
}

/// What MPI itself says about a collective write is shown, not judged: ompio calls it a success.
void collective(ParallelTest& t, const MpioSettings& settings, const std::string& folder) {
  const std::string path = folder + "/full-collective";
  Result<OpenedFile> file = open_driver(settings, test::request(path, OpenMode::kTruncate));
  if (!file) return t.check(file.error(), "create");
  const std::size_t share = kTotal / static_cast<std::size_t>(t.size());
  const std::uint64_t offset = share * static_cast<std::uint64_t>(t.rank());
  Status local = file->driver->collective()->write_at_all(offset, test::pattern(share, 1), 1);
  Status all = file->coordinator->outcome({"H5Dwrite", "/x"}, local);
  if (t.rank() == 0)
    std::printf("a collective write to the full disk: %s\n",
                all.ok() ? "success" : all.message().c_str());
  (void)file->driver->close();
  if (t.rank() == 0) std::remove(path.c_str());
  MPI_Barrier(MPI_COMM_WORLD);
}

}  // namespace
}  // namespace pcio

int main(int argc, char** argv) {
  pcio::test::ParallelTest t(argc, argv);
  if (argc != 2) return 2;
  {
    auto mpio = pcio::MpioSettings::create(MPI_COMM_WORLD, MPI_INFO_NULL);
    auto posix = pcio::MpiposixSettings::create(MPI_COMM_WORLD);
    pcio::independent(t, *mpio, argv[1]);
    pcio::independent(t, *posix, argv[1]);
    if (t.size() == 1) pcio::independent(t, pcio::PosixSettings(), argv[1]);
    pcio::collective(t, *mpio, argv[1]);
  }
  return t.finish();
}
