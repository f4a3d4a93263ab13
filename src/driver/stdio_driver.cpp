// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room driver: StdioDriver. Source: ISO C fopen, fread, fwrite; POSIX.1-2017 fdopen, fseeko.

#include "driver/stdio_driver.hpp"

#include <cerrno>
#include <fcntl.h>
#include <limits>
#include <unistd.h>

#include "base/library_lock.hpp"
#include "driver/made_files.hpp"
#include "driver/writer_lock.hpp"

namespace pcio {

Result<std::unique_ptr<FileDriver>> StdioDriver::open(const OpenRequest& request) {
  if (request.path.empty()) return PCIO_ERROR(ARGS, BADVALUE, "no file name");
  PCIO_ASSIGN(PosixFile file, open_noted(request, request.path, request.mode));
  PCIO_TRY(keep_if_locked(request, file.lock(request.mode, request.locking)));
  if (is_writable(request.mode))
    PCIO_TRY(keep_if_locked(request, lock_writer(file, request.locking)));
  // What another machine has closed is seen.
  if (!is_create(request.mode) && !find_file_system(request.path).coherent)
    PCIO_TRY(file.catch_up());
  const int fd = ::fcntl(*file.address(), F_DUPFD_CLOEXEC, 0);
  std::FILE* stream = fd < 0 ? nullptr : ::fdopen(fd, is_writable(request.mode) ? "r+b" : "rb");
  if (stream == nullptr) {
    const int error = errno;
    if (fd >= 0) (void)::close(fd);
    return tl::unexpected<Status>(
        system_error("open a stream of " + request.path, error, Minor::CANTOPENFILE));
  }
  (void)std::setvbuf(stream, nullptr, _IONBF, 0);
  return std::unique_ptr<FileDriver>(new StdioDriver(std::move(file), stream, request.path));
}

StdioDriver::~StdioDriver() { abandon(); }

Status StdioDriver::close() {
  Status closed;
  if (stream_ != nullptr && std::fclose(stream_) != 0)
    closed = system_error("close", errno, Minor::CANTCLOSEFILE);
  stream_ = nullptr;
  Status rest = file_.close();
  return closed.ok() ? rest : closed;
}

void StdioDriver::abandon() {
  if (stream_ != nullptr) (void)std::fclose(stream_);
  stream_ = nullptr;
  file_ = PosixFile();
}

Status StdioDriver::seek(std::uint64_t offset) {
  if (offset > static_cast<std::uint64_t>(std::numeric_limits<off_t>::max()))
    return PCIO_ERROR(IO, SEEKERROR, "a place behind any file's end");
  if (::fseeko(stream_, static_cast<off_t>(offset), SEEK_SET) == 0) return Status();
  return system_error("seek", errno, Minor::SEEKERROR);
}

Result<std::uint64_t> StdioDriver::do_read(std::uint64_t offset, Bytes data) {
  const LibraryPause others_go_on;
  PCIO_TRY(seek(offset));
  std::clearerr(stream_);
  ++counters_.independent_reads;
  const std::size_t n = std::fread(data.data(), 1, data.size(), stream_);
  if (n < data.size() && std::ferror(stream_) != 0)
    return tl::unexpected<Status>(system_error("read", errno, Minor::READERROR));
  return n;
}

Result<std::uint64_t> StdioDriver::do_write(std::uint64_t offset, ConstBytes data) {
  const LibraryPause others_go_on;
  PCIO_TRY(seek(offset));
  std::clearerr(stream_);
  errno = 0;
  ++counters_.independent_writes;
  const std::size_t n = std::fwrite(data.data(), 1, data.size(), stream_);
  if (n < data.size())
    return tl::unexpected<Status>(short_write_error(n, data.size(), offset, errno));
  return n;
}

}  // namespace pcio
