// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/file: the log of transfers.

#include "storage/file/report_log.hpp"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <new>
#include <unistd.h>

#include "props/report_json.hpp"

namespace pcio {

namespace {

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  char text[32] = "";
  if (gmtime_r(&now, &parts) != nullptr)
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

/// Once per process: a program with a thousand transfers needs no thousand warnings.
void warn(const std::string& path, const char* why) {
  static std::atomic<bool> warned{false};
  if (!warned.exchange(true))
    std::fprintf(stderr, "libpcio: warning: PCIO_REPORT: can't append to \"%s\": %s\n",
                 path.c_str(), why);
}

/// One write of a whole line at the end of the file, so that lines of several programs don't mix.
/// Returns 0 or an errno; a short write counts as a full disk.
int append_text(const std::string& path, const std::string& text) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (fd < 0) return errno;
  ssize_t written = -1;
  do {
    written = ::write(fd, text.data(), text.size());
  } while (written < 0 && errno == EINTR);
  int failure = 0;
  if (written < 0)
    failure = errno;
  else if (static_cast<std::size_t>(written) != text.size())
    failure = ENOSPC;
  if (::close(fd) != 0 && failure == 0) failure = errno;
  return failure;
}

}  // namespace

ReportLog::ReportLog(std::shared_ptr<Coordinator> coordinator, std::string file)
    : coordinator_(std::move(coordinator)), file_(std::move(file)) {}

bool ReportLog::merge_over_ranks(ReportTotals& totals) {
  return coordinator_->health().ok() &&
         coordinator_->allreduce_merge(totals.words(), MergeReportTotals{}).ok();
}

void ReportLog::append(const std::string& line) {
  const std::string& path = coordinator_->environment().report;
  if (const int failure = append_text(path, line + '\n'); failure != 0)
    warn(path, std::strerror(failure));
}

void ReportLog::log_collective(const TransferReport& report, const CallName& name,
                               const LoggedDataset* stored) {
  if (!is_on()) return;
  RankTotals mine;
  mine.add(report);
  ReportTotals totals = totals_of(mine, coordinator_->rank());
  if (!merge_over_ranks(totals) || coordinator_->rank() != 0) return;
  try {
    const std::string time = utc_now();
    append(transfer_line({file_, name.object, name.function, time, coordinator_->size(), stored},
                         report, totals));
  } catch (const std::bad_alloc&) {
    warn(coordinator_->environment().report, "out of memory");
  }
}

void ReportLog::log_independent() {
  if (!is_on()) return;
  ReportTotals totals = totals_of(independent_, coordinator_->rank());
  independent_ = RankTotals();
  if (!merge_over_ranks(totals) || coordinator_->rank() != 0) return;
  if (totals[Metric::kTransfers].sum == 0) return;
  try {
    const std::string time = utc_now();
    append(independent_line({file_, {}, {}, time, coordinator_->size(), nullptr}, totals));
  } catch (const std::bad_alloc&) {
    warn(coordinator_->environment().report, "out of memory");
  }
}

}  // namespace pcio
