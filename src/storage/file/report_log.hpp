// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/file: the log of transfers that PCIO_REPORT asks for: one JSON line for each collective
// transfer of a file, one for all independent ones at its close. The lines: doc/REPORT.md.
//
// The path is rank 0's, agreed when the file was opened, so all ranks log or none does. A log that
// can't be written is a warning, never a failed transfer.

#pragma once

#include <memory>
#include <string>

#include "agree/coordinator.hpp"
#include "props/report_json.hpp"
#include "props/report_totals.hpp"
#include "props/transfer_report.hpp"

namespace pcio {

/// One per open file. Threads: one thread drives a file.
class ReportLog {
 public:
  /// `file`: its name, as lines show it. Collective: pure.
  ReportLog(std::shared_ptr<Coordinator> coordinator, std::string file);

  [[nodiscard]] bool is_on() const { return !coordinator_->environment().report.empty(); }

  /// Rank 0 appends the line of one collective transfer, also of a failed one.
  /// Collective: over the file, at the same point of the transfer on all ranks; one reduction of 1
  /// KiB
  ///   where the log is on and the ranks are in step, else nothing.
  /// `stored`: of the dataset, on rank 0; may be null.
  void log_collective(const TransferReport& report, const CallName& name,
                      const LoggedDataset* stored = nullptr);
  /// This rank writes the lines.
  [[nodiscard]] bool writes() const { return is_on() && coordinator_->rank() == 0; }
  /// Adds an independent transfer to the file's sums. Collective: independent.
  void add_independent(const TransferReport& report) { independent_.add(report); }
  /// Rank 0 appends the line of all independent transfers, if any rank made one, and starts anew.
  /// Collective: as log_collective, when the file closes.
  void log_independent();

 private:
  /// Nothing where the ranks can't communicate any more.
  [[nodiscard]] bool merge_over_ranks(ReportTotals& totals);
  void append(const std::string& line);

  std::shared_ptr<Coordinator> coordinator_;
  std::string file_;
  RankTotals independent_;
};

}  // namespace pcio
