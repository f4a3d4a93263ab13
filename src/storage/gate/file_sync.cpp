// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/gate: FileSync.

#include "storage/gate/file_sync.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace pcio {

namespace {

Durability durability_of(const FileAccessProps& access, const DriverCapabilities& driver) {
  Durability wanted = driver.defers_errors ? Durability::kChecked : Durability::kNone;
  const char* text = std::getenv("PCIO_DURABILITY");
  const std::string_view value(text != nullptr ? text : "");  // check_environment knows the words
  if (value == "checked") wanted = std::max(wanted, Durability::kChecked);
  if (value == "power_loss") wanted = Durability::kPowerLoss;
  return std::max(wanted, access.durability);
}

}  // namespace

FileSync::FileSync(FileDriver& driver, const FileAccessProps& access)
    : driver_(driver), asked_(durability_of(access, driver.capabilities())) {}

Status FileSync::note(Status synced) {
  if (!synced.ok()) failed_ = true;
  return synced;
}

Arrow FileSync::arrow(Durability durability) {
  if (durability != Durability::kPowerLoss) return [] { return Status(); };
  return [this] { return sync_independent(); };
}

Status FileSync::lost() const {
  if (!failed_) return Status();
  return PCIO_ERROR(
      FILE, CANTFLUSH,
      "a sync of the file failed before: data that were written until then may not be in "
      "its storage, though they can be read now. Metadata have been written again; "
      "write the data again into a new file, or close this one and check it");
}

}  // namespace pcio
