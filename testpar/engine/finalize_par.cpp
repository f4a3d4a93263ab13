// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// MPI_Finalize with things left open: callbacks run first, in reverse order, while MPI still works;
// owners that die after MPI_Finalize touch nothing.

#include <cstdio>
#include <memory>
#include <vector>

#include "driver/mpi_settings.hpp"
#include "driver/open_driver.hpp"
#include "mpi/environment.hpp"
#include "mpi/op.hpp"
#include "mpi/type.hpp"
#include "par_test.hpp"
#include "support/driver_suite.hpp"

namespace {

std::vector<int> order;
pcio::Status close_status;
bool was_active = false;

}  // namespace

int main(int argc, char** argv) {
  using namespace pcio;
  if (mpi::is_active()) return 1;
  test::ParallelTest t(argc, argv);
  t.check(mpi::is_active(), "active after MPI_Init");
  t.check(mpi::require_active(), "usable after MPI_Init");
  const std::string path = t.shared_path("left-open");
  auto settings = MpioSettings::create(MPI_COMM_WORLD, MPI_INFO_NULL);
  if (!settings) return 1;
  auto opened = open_driver(*settings, test::request(path, OpenMode::kTruncate));
  if (!opened) return 1;
  auto file = std::make_unique<OpenedFile>(std::move(*opened));
  auto type = mpi::Type::contiguous_bytes(10);
  auto info = mpi::Info::duplicate(MPI_INFO_NULL);
  t.check(file->driver->write(0, test::pattern(10, 1)), "write");

  mpi::at_finalize([&] {
    order.push_back(1);
    was_active = mpi::is_active();
    close_status = file->driver->close();
  });
  const std::uint64_t second = mpi::at_finalize([] { order.push_back(2); });
  mpi::at_finalize([] { order.push_back(3); });
  mpi::forget_at_finalize(second);
  int status = t.finish();  // MPI_Finalize

  if (order != std::vector<int>{3, 1} || !was_active || !close_status.ok()) {
    std::fprintf(stderr, "the hook did not run as it should: %s\n", close_status.message().c_str());
    status = 1;
  }
  if (mpi::is_active() || mpi::require_active().ok()) status = 1;
  file.reset();
  if (t.rank() == 0) std::remove(path.c_str());
  return status;
}
