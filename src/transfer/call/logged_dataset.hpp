// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/call: what the log has of a transfer, with how its dataset is stored.

#pragma once

#include "props/transfer_report.hpp"
#include "storage/file/file_store.hpp"

namespace pcio {

/// As ReportLog::log_collective.
void log_transfer(FileStore& store, const StoredObjectPtr& dataset, const TransferReport& report,
                  const CallName& name);

/// As ReportLog::add_independent.
void log_independent(FileStore& store, const StoredObjectPtr& dataset, const TransferReport& report,
                     const CallName& name);

}  // namespace pcio
