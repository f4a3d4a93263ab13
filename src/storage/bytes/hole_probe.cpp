// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/bytes: whether bytes that nobody wrote read as zero here.
//
// File systems promise it, but what lies between may not keep the promise (a data-sieving write of
// an MPI-IO implementation was seen to leave the heap in gaps). So it is tried, through the very
// calls that will move the data: the file is made longer, one rank writes a byte behind a gap, and
// all read the gap. Once for a file system and an implementation in a process. Where machines have caches of their own
// rank 0 does all of it: what another one takes for the size, while ranks set it each by themselves, may be an old one.

#include "storage/bytes/hole_probe.hpp"

#include <algorithm>
#include <array>
#include <mutex>
#include <set>
#include <tuple>

#include "base/checked.hpp"
#include "base/never_destroyed.hpp"
#include "base/without_throwing.hpp"
#include "storage/bytes/probe_facts.hpp"

namespace pcio {

namespace {

/// Bytes of the gap that are looked at, on either side of a page's border.
constexpr std::uint64_t kGap = 8192;

using Place = std::tuple<std::uint64_t, MpiIoComponent>;  // device, implementation

std::mutex known_mutex;
std::set<Place>& known_good() {
  static NeverDestroyed<std::set<Place>> places;
  return *places;
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

bool is_tried_by_one(const FileDriver& driver) {
  return driver.caches_apart() && driver.sizes_alone();
}

Status make_gap(FileDriver& driver, std::uint64_t end) {
  const std::byte last{0};
  return driver.write(end + kGap, {&last, 1});
}

/// Rank 0's. A file that had bytes is as long as before; of a new one the size is set next, on all machines.
Result<bool> try_alone(FileDriver& driver, std::uint64_t end) {
  PCIO_TRY(driver.truncate_here(end + kGap + 1));
  PCIO_TRY(make_gap(driver, end));
  PCIO_ASSIGN(const bool zero, gap_is_zero(driver, end));
  if (end > 0) PCIO_TRY(driver.truncate_here(end));
  return zero;
}

/// A rank without memory to remember it asks the others to try again.
void remember_good(FileDriver& driver) {
  static_cast<void>(without_throwing([&] {
    const Place place = place_of(driver);
    if (std::get<0>(place) == 0) return Status();
    std::lock_guard lock(known_mutex);
    known_good().insert(place);
    return Status();
  }));
}

}  // namespace

bool holes_are_unknown(FileDriver& driver) {
  const DriverCapabilities can = driver.capabilities();
  return can.parallel && can.holes_read_zero && !is_known(place_of(driver));
}

bool holes_read_zero(FileDriver& driver) { return driver.capabilities().holes_read_zero; }

Result<HoleProbe> probe_holes(FileDriver& driver, Coordinator& coordinator, std::uint64_t end,
                              const CallName& name, const Status& local) {
  const bool by_one = is_tried_by_one(driver);
  Status tried = local;
  bool zero = true;
  if (by_one) {
    if (tried.ok() && coordinator.rank() == 0)
      tried = without_throwing([&]() -> Status {
        PCIO_ASSIGN(zero, try_alone(driver, end));
        return Status();
      });
  } else {
    Status made = without_throwing([&] { return driver.truncate_here(end + kGap + 1); });
    if (!local.ok()) made = local;
    if (made.ok() && coordinator.rank() == 0)
      made = without_throwing([&] { return make_gap(driver, end); });
    PCIO_TRY(coordinator.outcome(name, made));
    const Result<bool> found = gap_is_zero(driver, end);
    tried = found ? Status() : found.error();
    zero = !found || *found;
  }
  LocalFacts facts;
  put_facts(ProbeFacts{.not_zero = !zero}, &facts);
  PCIO_ASSIGN(GlobalFacts found, coordinator.agree(name, facts, tried));
  const HoleProbe probe{!probe_facts(found).not_zero, by_one ? end : end + kGap + 1};
  if (probe.read_zero) remember_good(driver);
  return probe;
}

}  // namespace pcio
