// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room driver: LogDriver. What lines look like: observed on libhdf5 1.10.8.

#include "driver/log_driver.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>

#include "driver/posix_driver.hpp"

namespace pcio {

namespace {

class Clock {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

unsigned long long as_number(std::uint64_t value) { return value; }

}  // namespace

Result<std::unique_ptr<FileDriver>> LogDriver::open(const LogSettings& settings,
                                                    const OpenRequest& request) {
  std::unique_ptr<LogDriver> driver(new LogDriver(settings));
  PCIO_TRY(driver->open_log());
  const Clock clock;
  PCIO_ASSIGN(driver->file_, PosixDriver::open(request));
  driver->tell_took("Open", LogFlag::kTimeOpen, clock.seconds());
  const Clock stat_clock;
  static_cast<void>(driver->file_->identity());
  driver->tell_took("Stat", LogFlag::kTimeStat, stat_clock.seconds());
  if (driver->wants(LogFlag::kFileRead)) driver->read_counts_.resize(settings.buffer_size);
  if (driver->wants(LogFlag::kFileWrite)) driver->write_counts_.resize(settings.buffer_size);
  return std::unique_ptr<FileDriver>(std::move(driver));
}

LogDriver::~LogDriver() { close_log(); }

Status LogDriver::open_log() {
  if (settings_.flags == 0) return Status();
  log_ = settings_.log_file.empty() ? stderr : std::fopen(settings_.log_file.c_str(), "w");
  if (log_ != nullptr) return Status();
  return PCIO_ERROR(
      VFL, CANTOPENFILE,
      "the log file \"" + settings_.log_file + "\" can't be written (H5Pset_fapl_log)");
}

void LogDriver::close_log() {
  if (log_ != nullptr && log_ != stderr) (void)std::fclose(log_);
  log_ = nullptr;
}

void LogDriver::tell_took(const char* what, unsigned long long flag, double seconds) const {
  if (log_ != nullptr && wants(flag)) (void)std::fprintf(log_, "%s took: (%f s)\n", what, seconds);
}

void LogDriver::tell_moved(const char* what, unsigned long long flag, std::uint64_t offset,
                           std::uint64_t bytes, double seconds) const {
  if (log_ == nullptr || bytes == 0) return;
  const unsigned long long timed =
      flag == LogFlag::kLocRead ? LogFlag::kTimeRead : LogFlag::kTimeWrite;
  if (wants(flag | timed))
    (void)std::fprintf(log_, "%10llu-%10llu (%10llu bytes) %s", as_number(offset),
                       as_number(offset + bytes - 1), as_number(bytes), what);
  if (wants(timed)) (void)std::fprintf(log_, " (%fs)", seconds);
  if (wants(flag | timed)) (void)std::fputc('\n', log_);
}

void LogDriver::note(std::vector<unsigned char>& counts, std::uint64_t offset,
                     std::uint64_t bytes) const {
  const std::uint64_t end = std::min<std::uint64_t>(counts.size(), offset + bytes);
  for (std::uint64_t i = std::min(offset, end); i < end; ++i)
    if (counts[i] < 255) ++counts[i];
}

Result<std::uint64_t> LogDriver::do_read(std::uint64_t offset, Bytes data) {
  const Clock clock;
  auto done = file_->read_some(offset, data);
  counters_.independent_reads = file_->counters().independent_reads;
  if (!done) return done;
  reads_ = {reads_.calls + 1, reads_.seconds + clock.seconds()};
  tell_moved("Read", LogFlag::kLocRead, offset, *done, clock.seconds());
  note(read_counts_, offset, *done);
  end_ = std::max(end_, offset + *done);
  return done;
}

Result<std::uint64_t> LogDriver::do_write(std::uint64_t offset, ConstBytes data) {
  const Clock clock;
  Status done = file_->write(offset, data);
  counters_.independent_writes = file_->counters().independent_writes;
  PCIO_TRY(std::move(done));
  writes_ = {writes_.calls + 1, writes_.seconds + clock.seconds()};
  tell_moved("Written", LogFlag::kLocWrite, offset, data.size(), clock.seconds());
  note(write_counts_, offset, data.size());
  end_ = std::max<std::uint64_t>(end_, offset + data.size());
  return data.size();
}

Status LogDriver::truncate(std::uint64_t size) {
  const Clock clock;
  PCIO_TRY(file_->truncate(size));
  truncates_ = {truncates_.calls + 1, truncates_.seconds + clock.seconds()};
  if (log_ == nullptr || !wants(LogFlag::kTruncate | LogFlag::kTimeTruncate)) return Status();
  (void)std::fprintf(log_, "Truncate: To %10llu", as_number(size));
  if (wants(LogFlag::kTimeTruncate)) (void)std::fprintf(log_, " (%f s)", clock.seconds());
  (void)std::fputc('\n', log_);
  return Status();
}

void LogDriver::tell_counts(const char* what, const std::vector<unsigned char>& counts) const {
  const std::size_t end = static_cast<std::size_t>(std::min<std::uint64_t>(end_, counts.size()));
  for (std::size_t first = 0; first < end;) {
    std::size_t next = first;
    while (next < end && counts[next] == counts[first]) ++next;
    (void)std::fprintf(log_, "\tAddr %10zu-%10zu (%10zu bytes) %s %3d times\n", first, next - 1,
                       next - first, what, static_cast<int>(counts[first]));
    first = next;
  }
}

void LogDriver::tell_sums() const {
  if (log_ == nullptr) return;
  struct Line {
    unsigned long long flag;
    const char* what;
    unsigned long long calls;
  };
  for (const Line& line :
       {Line{LogFlag::kNumRead, "read", reads_.calls},
        Line{LogFlag::kNumWrite, "write", writes_.calls}, Line{LogFlag::kNumSeek, "seek", 0},
        Line{LogFlag::kNumTruncate, "truncate", truncates_.calls}})
    if (wants(line.flag))
      (void)std::fprintf(log_, "Total number of %s operations: %llu\n", line.what, line.calls);
  struct Time {
    unsigned long long flag;
    const char* what;
    double seconds;
  };
  for (const Time& line :
       {Time{LogFlag::kTimeRead, "read", reads_.seconds},
        Time{LogFlag::kTimeWrite, "write", writes_.seconds}, Time{LogFlag::kTimeSeek, "seek", 0},
        Time{LogFlag::kTimeTruncate, "truncate", truncates_.seconds}})
    if (wants(line.flag))
      (void)std::fprintf(log_, "Total time in %s operations: %f s\n", line.what, line.seconds);
  if (wants(LogFlag::kFileWrite)) {
    (void)std::fprintf(log_, "Dumping write I/O information:\n");
    tell_counts("written to", write_counts_);
  }
  if (wants(LogFlag::kFileRead)) {
    (void)std::fprintf(log_, "Dumping read I/O information:\n");
    tell_counts("read from", read_counts_);
  }
}

Status LogDriver::close() {
  const Clock clock;
  Status closed = file_->close();
  tell_took("Close", LogFlag::kTimeClose, clock.seconds());
  tell_sums();
  close_log();
  return closed;
}

void LogDriver::abandon() {
  file_->abandon();
  close_log();
}

}  // namespace pcio
