// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/bytes: whether bytes that nobody wrote read as zero here.
//
// File systems promise it, but what lies between may not keep the promise (a data-sieving write of
// an MPI-IO implementation was seen to leave the heap in gaps). So it is tried, through the very
// calls that will move the data: the file is made longer, one rank writes a byte behind a gap, and
// all read the gap. Once for a file system and an implementation in a process.

#include "storage/bytes/hole_probe.hpp"

#include <algorithm>
#include <array>
#include <mutex>
#include <set>
#include <tuple>

#include "base/checked.hpp"
#include "base/without_throwing.hpp"
#include "storage/bytes/probe_facts.hpp"

namespace pcio {

namespace {

/// Bytes of the gap that are looked at, on either side of a page's border.
constexpr std::uint64_t kGap = 8192;

using Place = std::tuple<std::uint64_t, MpiIoComponent>;  // device, implementation

std::mutex known_mutex;
std::set<Place>& known_good() {
  static auto& places = *new std::set<Place>;
  return places;
}

Place place_of(FileDriver& driver) {
  return {driver.identity().device, driver.capabilities().mpi_io};
}

bool is_known(const Place& place) {
  std::lock_guard lock(known_mutex);
  return known_good().contains(place);
}

bool all_zero(ConstBytes bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](std::byte b) { return b == std::byte{0}; });
}

/// Reads the gap behind `end`, in memory that is not zero.
Result<bool> gap_is_zero(FileDriver& driver, std::uint64_t end) {
  std::array<std::byte, kGap> gap{};
  gap.fill(std::byte{0xA5});
  PCIO_TRY(driver.read(end, gap));
  return all_zero(gap);
}

}  // namespace

bool holes_are_unknown(FileDriver& driver) {
  const DriverCapabilities can = driver.capabilities();
  return can.parallel && can.holes_read_zero && !is_known(place_of(driver));
}

bool holes_read_zero(FileDriver& driver) { return driver.capabilities().holes_read_zero; }

Result<HoleProbe> probe_holes(FileDriver& driver, Coordinator& coordinator, std::uint64_t end,
                              const CallName& name, const Status& local) {
  Status made = without_throwing([&] { return driver.truncate_here(end + kGap + 1); });
  if (!local.ok()) made = local;
  const std::byte last{0};
  if (made.ok() && coordinator.rank() == 0)
    made = without_throwing([&] { return driver.write(end + kGap, {&last, 1}); });
  PCIO_TRY(coordinator.outcome(name, made));
  auto zero = gap_is_zero(driver, end);
  LocalFacts facts;
  put_facts(ProbeFacts{.not_zero = zero && !*zero}, &facts);
  PCIO_ASSIGN(GlobalFacts found, coordinator.agree(name, facts, zero ? Status() : zero.error()));
  const HoleProbe probe{!probe_facts(found).not_zero, end + kGap + 1};
  // A rank without memory to remember it asks the others to try again.
  static_cast<void>(without_throwing([&] {
    const Place place = place_of(driver);
    if (!probe.read_zero || std::get<0>(place) == 0) return Status();
    std::lock_guard lock(known_mutex);
    known_good().insert(place);
    return Status();
  }));
  return probe;
}

}  // namespace pcio
