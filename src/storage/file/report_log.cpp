// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/file: the log of transfers.

#include "storage/file/report_log.hpp"

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <new>
#include <sys/stat.h>
#include <unistd.h>

#include "props/report_json.hpp"

namespace pcio {

namespace {

/// To the millisecond, as a picture of a run wants it.
std::string utc_now() {
  std::timespec now{};
  std::tm parts{};
  if (std::timespec_get(&now, TIME_UTC) == 0 || gmtime_r(&now.tv_sec, &parts) == nullptr) return {};
  std::array<char, 32> text{};
  std::array<char, 8> fraction{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &parts);
  std::snprintf(fraction.data(), fraction.size(), ".%03dZ",
                static_cast<int>(now.tv_nsec / 1000000 % 1000));
  return std::string(text.data()) + fraction.data();
}

/// Once per process: a program with a thousand transfers needs no thousand warnings.
void warn(const std::string& path, const char* why) {
  static std::atomic<bool> warned{false};
  if (!warned.exchange(true))
    std::fprintf(stderr, "libpcio: warning: PCIO_REPORT: can't append to \"%s\": %s\n",
                 path.c_str(), why);
}

/// Whether lines can be appended there, now and without waiting for anybody: a pipe's reader may not be there, or
/// go, and the program would wait or end with it. 0, or an errno; kNoPlace.
constexpr int kNoPlace = -1;
int check_place(int fd) {
  struct stat what {};
  if (::fstat(fd, &what) != 0) return errno;
  if (S_ISREG(what.st_mode)) return 0;
  if (!S_ISCHR(what.st_mode)) return kNoPlace;
  const int flags = ::fcntl(fd, F_GETFL);
  return flags < 0 || ::fcntl(fd, F_SETFL, flags & ~O_NONBLOCK) != 0 ? errno : 0;
}

/// Returns 0, an errno or kNoPlace; a short write counts as a full disk.
int write_text(int fd, const std::string& text) {
  ssize_t written = -1;
  do {
    written = ::write(fd, text.data(), text.size());
  } while (written < 0 && errno == EINTR);
  if (written < 0) return errno;
  return static_cast<std::size_t>(written) == text.size() ? 0 : ENOSPC;
}

/// One write of a whole line at the end of the file, so that lines of several programs don't mix. Returns as
/// write_text.
int append_text(const std::string& path, const std::string& text) {
  constexpr int kFlags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
  const int fd = ::open(path.c_str(), kFlags, 0666);
  // Of a pipe that nobody reads, or a socket.
  if (fd < 0) return errno == ENXIO ? kNoPlace : errno;
  int failure = check_place(fd);
  if (failure == 0) failure = write_text(fd, text);
  if (::close(fd) != 0 && failure == 0) failure = errno;
  return failure;
}

}  // namespace

ReportLog::ReportLog(std::shared_ptr<Coordinator> coordinator, std::string file)
    : coordinator_(std::move(coordinator)), file_(std::move(file)), opened_(nanoseconds_now()) {
  if (is_on()) closing_ = std::make_unique<ClosingTotals>();
}

ReportLog::~ReportLog() {
  if (keeping_ != nullptr) keeping_->log_ = nullptr;
}

template <class Words, class Merge>
bool ReportLog::merge_over_ranks(Words& words, Merge merge) {
  return coordinator_->health().ok() && coordinator_->allreduce_merge(words.words(), merge).ok();
}

void ReportLog::append(const std::string& line) {
  const std::string& path = coordinator_->environment().report;
  if (const int failure = append_text(path, line + '\n'); failure != 0)
    warn(path,
         failure == kNoPlace ? "it is neither a file nor a terminal" : std::strerror(failure));
}

template <class Write>
void ReportLog::write_lines(Write&& write) {
  try {
    write();
  } catch (const std::bad_alloc&) {
    warn(coordinator_->environment().report, "out of memory");
  }
}

void ReportLog::log_collective(const TransferReport& report, const CallName& name,
                               const LoggedDataset* stored) {
  if (!is_on()) return;
  RankTotals mine;
  mine.add(report);
  CollectiveTotals all{totals_of(mine, coordinator_->rank()),
                       report.touched ? *report.touched : ChunkSketch()};
  if (!merge_over_ranks(all, MergeCollectiveTotals{}) || coordinator_->rank() != 0) return;
  write_lines([&] {
    const std::string time = utc_now();
    const std::string how = stored != nullptr ? stored_text(*stored) : std::string();
    append(transfer_line({file_, name.object, name.function, time, coordinator_->size(), how},
                         report, all.totals, all.touched));
    if (name.object.empty()) return;
    DatasetSums& sums = sums_[{std::string(name.object), report.direction}];
    sums.add_collective(report, all.totals, coordinator_->size());
    sums.touched = all.touched;
    if (!how.empty()) sums.stored = how;
  });
}

bool ReportLog::wants_stored(const CallName& name, Direction direction) const {
  if (!writes()) return false;
  const auto found = sums_.find(std::pair(std::string_view(name.object), direction));
  return found == sums_.end() || found->second.stored.empty();
}

void ReportLog::add_independent(const TransferReport& report, const CallName& name,
                                std::uint64_t address, const LoggedDataset* stored) {
  if (!is_on()) return;
  closing_->add(address, name.object, report, coordinator_->rank());
  if (stored == nullptr) return;
  write_lines([&] {
    sums_[{std::string(name.object), report.direction}].stored = stored_text(*stored);
  });
}

void ReportLog::add_open(std::uint64_t nanoseconds, const IoCounters& counters) {
  if (!is_on()) return;
  closing_->add_metadata(MetadataKind::kOpen,
                         {1, nanoseconds, 0, 0, 0, counters.bytes_written, counters.bytes_read, 0});
}

void ReportLog::log_closing() {
  if (!is_on()) return;
  // However often it was refused before.
  if (keeping_ != nullptr) {
    keeping_->call_ = MetadataKept::Call::kBegins;
    keeping_->finish();
  }
  if (merge_over_ranks(*closing_, MergeClosingTotals{}) && coordinator_->rank() == 0)
    write_lines([&] { append_closing(); });
  *closing_ = ClosingTotals{};
  sums_.clear();
}

void ReportLog::append_closing() {
  const std::string time = utc_now();
  ReportOrigin origin{file_, {}, {}, time, coordinator_->size(), {}};
  const auto log_row = [&](const IndependentRow& row) {
    if (row.ranks == 0) return;
    DatasetSums& sums = sums_[{std::string(row.path()), row.direction()}];
    sums.add_independent(row.totals);
    origin.dataset = row.path();
    origin.stored = sums.stored;
    append(independent_line(origin, row));
  };
  for (const IndependentRow& row : closing_->rows) log_row(row);
  for (const IndependentRow& row : closing_->others) log_row(row);
  for (const auto& [key, sums] : sums_) {
    if (sums.collective + sums.independent == 0) continue;
    origin.dataset = key.first;
    origin.stored = sums.stored;
    append(dataset_line(origin, key.second, sums));
  }
  origin.dataset = origin.stored = {};
  append(file_line(origin, nanoseconds_now() - opened_, closing_->metadata));
}

MetadataKept::MetadataKept(ReportLog& log, const IoCounters& counters, MetadataKind kind, Call call)
    : counters_(&counters), kind_(kind), call_(call) {
  if (!log.is_on() || log.keeping_ != nullptr) return;
  log_ = &log;
  log.keeping_ = this;
  start_ = nanoseconds_now();
  written_ = counters.bytes_written;
  read_ = counters.bytes_read;
  kept_.emplace(&spent_);
}

void MetadataKept::finish() {
  if (kept_) kept_->stop();
  if (log_ == nullptr) return;
  log_->closing_->add_metadata(kind_, {call_ == Call::kBegins ? 1U : 0U, nanoseconds_now() - start_,
                                       spent_[Spent::kAgreement], spent_[Spent::kFile],
                                       spent_[Spent::kFill], counters_->bytes_written - written_,
                                       counters_->bytes_read - read_, spent_[Amount::kFilled]});
  log_->keeping_ = nullptr;
  log_ = nullptr;
}

}  // namespace pcio
