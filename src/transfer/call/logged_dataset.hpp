// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/call: a collective transfer's line in the log, with how its dataset is stored.

#pragma once

#include "props/transfer_report.hpp"
#include "storage/file/file_store.hpp"

namespace pcio {

/// As ReportLog::log_collective.
void log_transfer(FileStore& store, const StoredObjectPtr& dataset, const TransferReport& report,
                  const CallName& name);

}  // namespace pcio
