// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/file: the log that PCIO_REPORT asks for: one JSON line for each collective transfer of a
// file, and at its close lines for independent transfers, for each dataset and for the file. doc/REPORT.md.
//
// The path is rank 0's, agreed when the file was opened, so all ranks log or none does. A log that
// can't be written is a warning, never a failed transfer.

#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "agree/coordinator.hpp"
#include "driver/file_driver.hpp"
#include "props/closing_totals.hpp"
#include "props/report_json.hpp"
#include "props/report_totals.hpp"
#include "props/transfer_report.hpp"

namespace pcio {

class MetadataKept;

/// One per open file. Threads: one thread drives a file.
class ReportLog {
 public:
  /// `file`: its name, as lines show it. Collective: pure. Where it is on this asks for 50 KiB of memory.
  ReportLog(std::shared_ptr<Coordinator> coordinator, std::string file);
  ReportLog(const ReportLog&) = delete;
  ReportLog& operator=(const ReportLog&) = delete;
  ~ReportLog();

  /// Files of serial drivers have none: each process has its own.
  [[nodiscard]] bool is_on() const {
    return coordinator_->is_parallel() && !coordinator_->environment().report.empty();
  }

  /// What of the driver's counters is in the report of some transfer that is over: one that a function of the program
  /// makes within another is not counted for that, too. Independent of whether the log is on.
  [[nodiscard]] IoCounters& in_reports() { return in_reports_; }

  /// Rank 0 appends the line of one collective transfer, also of a failed one.
  /// Collective: over the file, at the same point of the transfer on all ranks; one reduction of 3
  ///   KiB where the log is on and the ranks are in step, else nothing.
  /// `stored`: of the dataset, on rank 0; may be null.
  void log_collective(const TransferReport& report, const CallName& name,
                      const LoggedDataset* stored = nullptr);
  /// This rank writes the lines.
  [[nodiscard]] bool writes() const { return is_on() && coordinator_->rank() == 0; }
  /// Adds an independent transfer to the sums of its dataset. `address`: of the object. `stored`: as log_collective.
  /// Collective: independent.
  void add_independent(const TransferReport& report, const CallName& name, std::uint64_t address,
                       const LoggedDataset* stored = nullptr);
  /// How the dataset is stored is not known here yet, and a line will want it. Asks for no memory.
  [[nodiscard]] bool wants_stored(const CallName& name, Direction direction) const;
  /// Rank 0 appends the lines of a file that closes: independent transfers by dataset and direction, all
  /// transfers by the same, the file's metadata calls, of which the one that is being kept counts in any case;
  /// and starts anew.
  /// Collective: over the file; one reduction of 50 KiB where the log is on and the ranks are in step, else
  ///   nothing.
  void log_closing();
  /// The file was opened or made in so long. Collective: independent.
  void add_open(std::uint64_t nanoseconds, const IoCounters& counters);

 private:
  friend class MetadataKept;
  /// Of a dataset's path and a direction; also of a view of the path, so that who looks needs no memory.
  struct Before {
    using is_transparent = void;
    template <class A, class B>
    bool operator()(const std::pair<A, Direction>& a, const std::pair<B, Direction>& b) const {
      const int paths = std::string_view(a.first).compare(b.first);
      return paths != 0 ? paths < 0 : a.second < b.second;
    }
  };
  using Sums = std::map<std::pair<std::string, Direction>, DatasetSums, Before>;

  /// Nothing where the ranks can't communicate any more.
  template <class Words, class Merge>
  [[nodiscard]] bool merge_over_ranks(Words& words, Merge merge);
  void append(const std::string& line);
  /// Lines on rank 0, which lacks a line rather than fail.
  template <class Write>
  void write_lines(Write&& write);
  void append_closing();

  std::shared_ptr<Coordinator> coordinator_;
  std::string file_;
  std::uint64_t opened_ = 0;                ///< nanoseconds of a clock
  std::unique_ptr<ClosingTotals> closing_;  ///< of this rank, where the log is on
  Sums sums_;                               ///< on rank 0
  MetadataKept* keeping_ = nullptr;
  IoCounters in_reports_;
};

/// Keeps what a call about metadata spends, as long as it lives or until the file's lines are written. One in
/// another one of the same file keeps nothing. Threads: one thread.
class MetadataKept {
 public:
  enum class Call : std::uint8_t { kBegins, kGoesOn };
  /// `counters`: of the file's driver. With kGoesOn it is a part of a call that was counted, or that will be.
  MetadataKept(ReportLog& log, const IoCounters& counters, MetadataKind kind,
               Call call = Call::kBegins);
  MetadataKept(const MetadataKept&) = delete;
  MetadataKept& operator=(const MetadataKept&) = delete;
  ~MetadataKept() { finish(); }
  /// Adds it to the log. Times that are being taken go on, into nothing.
  void finish();

 private:
  friend class ReportLog;
  ReportLog* log_ = nullptr;
  const IoCounters* counters_;
  MetadataKind kind_;
  Call call_;
  std::uint64_t start_ = 0, written_ = 0, read_ = 0;
  Spending spent_;
  std::optional<TimeKept> kept_;
};

}  // namespace pcio
