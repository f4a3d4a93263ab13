// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room driver: which driver opens a file.

#include "driver/open_driver.hpp"

#include <sys/stat.h>

#include "base/without_throwing.hpp"
#include "driver/custom_settings.hpp"
#include "driver/family_driver.hpp"
#include "driver/log_driver.hpp"
#include "driver/memory_driver.hpp"
#include "driver/mpio_driver.hpp"
#include "driver/mpiposix_driver.hpp"
#include "driver/multi_driver.hpp"
#include "driver/parallel_open.hpp"
#include "driver/posix_driver.hpp"
#include "driver/stdio_driver.hpp"
#include "mpi/environment.hpp"

namespace pcio {

namespace {

OpenedFile in_serial(std::unique_ptr<FileDriver> driver) {
  return {std::move(driver), Coordinator::serial()};
}

Result<OpenedFile> open_serial(const DriverSettings& settings, const OpenRequest& request) {
  PCIO_TRY(Status(request.checked));
  if (const auto* memory = dynamic_cast<const MemorySettings*>(&settings)) {
    PCIO_ASSIGN(auto driver, MemoryDriver::open(*memory, request));
    return in_serial(std::move(driver));
  }
  if (const auto* opener = dynamic_cast<const OpenerSettings*>(&settings))
    return opener->open(request);
  if (const auto* log = dynamic_cast<const LogSettings*>(&settings)) {
    PCIO_ASSIGN(auto driver, LogDriver::open(*log, request));
    return in_serial(std::move(driver));
  }
  if (const auto* family = dynamic_cast<const FamilySettings*>(&settings)) {
    PCIO_ASSIGN(auto driver, FamilyDriver::open(*family, request));
    return in_serial(std::move(driver));
  }
  if (const auto* multi = dynamic_cast<const MultiSettings*>(&settings)) {
    PCIO_ASSIGN(auto driver, MultiDriver::open(*multi, request));
    return in_serial(std::move(driver));
  }
  if (settings.kind() == DriverKind::kStdio) {
    PCIO_ASSIGN(auto driver, StdioDriver::open(request));
    return in_serial(std::move(driver));
  }
  if (settings.kind() != DriverKind::kPosix)
    return PCIO_ERROR(VFL, UNSUPPORTED, "no driver is called " + std::string(settings.name()));
  PCIO_ASSIGN(auto driver, PosixDriver::open(request));
  return in_serial(std::move(driver));
}

}  // namespace

Result<std::shared_ptr<Coordinator>> begin_open(const DriverSettings& settings,
                                                const OpenRequest& request) {
  if (!settings.is_parallel()) return nullptr;
  PCIO_TRY(mpi::require_active());
  if (const auto* mpio = dynamic_cast<const MpioSettings*>(&settings))
    return agree_to_open(mpio->lobby(), request, request.seen.get());
  if (const auto* posix = dynamic_cast<const MpiposixSettings*>(&settings))
    return agree_to_open(posix->lobby(), request, nullptr);
  return PCIO_ERROR(VFL, UNSUPPORTED, "no driver is called " + std::string(settings.name()));
}

std::uint64_t by_all_flags(const FileDriver& driver) {
  const DriverCapabilities can = driver.capabilities();
  const bool unknown = can.mpi_io == MpiIoComponent::kUnknown;
  const bool syncs_by_all = !can.coherent || can.defers_errors || unknown;
  return (can.coherent ? 0 : kIncoherentFlag) | (syncs_by_all ? kSyncsByAllFlag : 0) |
         (unknown ? kUnknownMpiIoFlag : 0);
}

ByOneRank by_one_rank(std::uint64_t all_flags, const Coordinator& coordinator) {
  // One machine is one client.
  return {coordinator.one_machine() || (all_flags & kIncoherentFlag) == 0,
          (all_flags & kSyncsByAllFlag) == 0, (all_flags & kUnknownMpiIoFlag) == 0};
}

void let_go_of(OpenedFile& opened, bool all_can_close) {
  const bool together = all_can_close && opened.coordinator->health().ok();
  if (together && opened.driver) {
    static_cast<void>(opened.driver->close());
    return;
  }
  if (together)
    static_cast<void>(opened.file.close());
  else if (opened.driver)
    opened.driver->abandon();
  else
    opened.file.abandon();
  // As a driver's close does: no rank comes back to the file's name before all have let go of it.
  if (opened.coordinator->health().ok())
    static_cast<void>(opened.coordinator->outcome({"closing", {}}, Status()));
}

Result<OpenedFile> open_driver(const DriverSettings& settings, const OpenRequest& request) {
  PCIO_ASSIGN(OpenedFile opened, open_on_ranks(settings, request));
  if (!settings.is_parallel()) {
    if (request.mode == OpenMode::kTruncate) PCIO_TRY(opened.driver->empty_here());
    return opened;
  }
  Coordinator& coordinator = *opened.coordinator;
  const CallName name{is_create(request.mode) ? "H5Fcreate" : "H5Fopen", request.path};
  LocalFacts facts;
  std::uint32_t lacking = facts.causes = opened.can_close() ? 0 : 1;
  if (opened.driver) facts.any_flags = by_all_flags(*opened.driver);
  const Result<GlobalFacts> agreed = coordinator.agree(name, facts, opened.local, &lacking);
  Status all = agreed ? Status() : agreed.error();
  if (all.ok()) opened.driver->set_by_one(by_one_rank(agreed->any_flags, coordinator));
  // Only now: what another program is writing survives.
  if (all.ok() && request.mode == OpenMode::kTruncate)
    all = coordinator.outcome(name, without_throwing([&] { return opened.driver->empty_here(); }));
  if (all.ok()) return opened;
  let_go_of(opened, lacking == 0);
  return detail::StatusReturn(std::move(all));
}

Result<OpenedFile> open_on_ranks(const DriverSettings& settings, const OpenRequest& request) {
  if (!settings.is_parallel()) return open_serial(settings, request);
  PCIO_TRY(mpi::require_active());
  if (const auto* mpio = dynamic_cast<const MpioSettings*>(&settings))
    return MpioDriver::open(*mpio, request);
  if (const auto* posix = dynamic_cast<const MpiposixSettings*>(&settings))
    return MpiposixDriver::open(*posix, request);
  return PCIO_ERROR(VFL, UNSUPPORTED, "no driver is called " + std::string(settings.name()));
}

FileIdentity identify_file(const std::string& path) {
  const std::string plain = strip_prefix(path);
  struct stat info {};
  if (::stat(plain.c_str(), &info) != 0) return {0, 0, plain};
  return {static_cast<std::uint64_t>(info.st_dev), static_cast<std::uint64_t>(info.st_ino), plain};
}

Status check_same_file(const std::string& path, const FileIdentity& opened) {
  const FileIdentity now = identify_file(path);
  if (opened.inode == 0 || (now.device == opened.device && now.inode == opened.inode))
    return Status();
  return PCIO_ERROR(FILE, CANTOPENFILE,
                    (now.inode == 0 ? "no file has the name " : "another file has the name ") +
                        strip_prefix(path) +
                        " now: the open file was moved, removed or replaced by somebody");
}

}  // namespace pcio
