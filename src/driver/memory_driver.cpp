// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room driver: the image, its growth and its backing store.

#include "driver/memory_driver.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <limits>
#include <system_error>

#include "base/checked.hpp"
#include "driver/made_files.hpp"
#include "driver/writer_lock.hpp"

namespace pcio {

Result<std::unique_ptr<FileDriver>> MemoryDriver::open(const MemorySettings& settings,
                                                       const OpenRequest& request) {
  if (request.path.empty()) return PCIO_ERROR(ARGS, BADVALUE, "no file name");
  ImageCallbacks callbacks = request.image != nullptr ? request.image->callbacks : ImageCallbacks();
  std::unique_ptr<MemoryDriver> driver(new MemoryDriver(settings, std::move(callbacks)));
  PCIO_TRY(driver->start(request));
  return std::unique_ptr<FileDriver>(std::move(driver));
}

Status MemoryDriver::start(const OpenRequest& request) {
  writable_ = is_writable(request.mode);
  const bool stored = settings_.backing_store() == MemorySettings::BackingStore::kWriteAtClose;
  const bool keeps_file = stored && writable_;
  // As in libhdf5: an initial image is for opening; creating ignores it.
  const bool has_image = request.image != nullptr && !request.image->bytes.empty();
  if (has_image && !is_create(request.mode))
    return start_from_image(request, keeps_file ? FileKept::kYes : FileKept::kNo);
  if (keeps_file) return start_from_file(request, request.mode);
  if (is_create(request.mode)) return Status();
  return start_from_file(request, OpenMode::kReadOnly);
}

Status MemoryDriver::start_from_image(const OpenRequest& request, FileKept kept) {
  // As in libhdf5: the image stands for a file that is not there, and never replaces one that is.
  if (std::error_code ignored; std::filesystem::exists(request.path, ignored))
    return PCIO_ERROR(FILE, FILEEXISTS,
                      "there is a file " + request.path + " beside its initial image");
  if (kept == FileKept::kYes) PCIO_TRY(start_from_file(request, OpenMode::kCreateExclusive));
  return load_image(request.image->bytes);
}

Status MemoryDriver::start_from_file(const OpenRequest& request, OpenMode mode) {
  PCIO_ASSIGN(PosixFile file, open_noted(request, request.path, mode));
  PCIO_TRY(keep_if_locked(request, file.lock(mode, request.locking)));
  identity_ = file.identity(request.path);
  if (!is_create(mode)) {
    // What another machine has closed is seen.
    if (!find_file_system(request.path).coherent) PCIO_TRY(file.catch_up());
    PCIO_TRY(load_file(file));
  }
  if (is_writable(mode)) store_ = std::move(file);
  return Status();
}

MemoryDriver::~MemoryDriver() { release(); }

Status MemoryDriver::load_image(ConstBytes bytes) {
  PCIO_TRY(reserve(bytes.size(), ImageOp::kFileOpen));
  if (callbacks_.copy)
    callbacks_.copy(image_, bytes.data(), bytes.size(), ImageOp::kFileOpen);
  else
    std::memcpy(image_, bytes.data(), bytes.size());
  size_ = bytes.size();
  mark_dirty(0, size_);
  return Status();
}

Status MemoryDriver::load_file(const PosixFile& file) {
  PCIO_ASSIGN(std::uint64_t size, file.size());
  if (size == 0) return Status();
  PCIO_TRY(reserve(size, ImageOp::kFileOpen));
  PCIO_ASSIGN(size_, file.read(0, {at(0), size}, counters_.independent_reads));
  std::memset(at(size_), 0, size - size_);
  return Status();
}

Status MemoryDriver::reserve(std::uint64_t size, ImageOp op) {
  if (size <= capacity_) return Status();
  // Somewhat more than asked for, so that many small writes do not copy the image each time.
  std::uint64_t wanted =
      std::max(size, op == ImageOp::kFileResize ? capacity_ + capacity_ / 4 : size);
  const std::uint64_t step = std::max<std::uint64_t>(1, settings_.increment());
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max() / 2;
  if (wanted > kMost || step > kMost - wanted)
    return PCIO_ERROR(RESOURCE, NOSPACE,
                      "the file image is too large: it grows by " + std::to_string(step) +
                          " bytes (H5Pset_fapl_core)");
  // What is opened may be the application's own buffer, which has not a byte more.
  if (op != ImageOp::kFileOpen) wanted = round_up(wanted, step);
  void* grown = nullptr;
  // A file that is created grows from nothing: the program's own function is told so, as with libhdf5.
  if (image_ == nullptr && op == ImageOp::kFileOpen)
    grown = callbacks_.allocate ? callbacks_.allocate(wanted, op) : std::malloc(wanted);
  else
    grown = callbacks_.reallocate ? callbacks_.reallocate(image_, wanted, op)
                                  : std::realloc(image_, wanted);
  if (grown == nullptr)
    return PCIO_ERROR(RESOURCE, NOSPACE,
                      "no memory for a file image of " + std::to_string(wanted) + " bytes");
  image_ = grown;
  // Space that was never written reads as zero, as in a file. What is opened is filled.
  if (op != ImageOp::kFileOpen) std::memset(at(capacity_), 0, wanted - capacity_);
  capacity_ = wanted;
  return Status();
}

void MemoryDriver::release() {
  if (image_ != nullptr) {
    if (callbacks_.release)
      callbacks_.release(image_, ImageOp::kFileClose);
    else
      std::free(image_);
  }
  image_ = nullptr;
  size_ = capacity_ = 0;
}

void MemoryDriver::mark_dirty(std::uint64_t begin, std::uint64_t end) {
  if (begin == end) return;
  const bool clean = dirty_begin_ == dirty_end_;
  dirty_begin_ = clean ? begin : std::min(dirty_begin_, begin);
  dirty_end_ = clean ? end : std::max(dirty_end_, end);
}

Status MemoryDriver::truncate(std::uint64_t size) {
  if (!writable_) return PCIO_ERROR(IO, WRITEERROR, "the file was opened for reading");
  PCIO_TRY(reserve(size, ImageOp::kFileResize));
  if (size < size_) {
    // If the file grows again before the next flush, the backing store must get these zeros.
    std::memset(at(size), 0, size_ - size);
    mark_dirty(size, size_);
  }
  size_changed_ = size_changed_ || size != size_;
  size_ = size;
  return Status();
}

Status MemoryDriver::empty_here() { return store_.is_open() ? store_.empty() : Status(); }

Status MemoryDriver::flush() {
  if (!store_.is_open()) return Status();
  const std::uint64_t end = std::min(dirty_end_, size_);
  if (dirty_begin_ < end) {
    const ConstBytes part(at(dirty_begin_), end - dirty_begin_);
    PCIO_ASSIGN(std::uint64_t done, store_.write(dirty_begin_, part, counters_.independent_writes));
    if (done != part.size()) return short_write_error(done, part.size(), dirty_begin_);
  }
  if (size_changed_) PCIO_TRY(store_.truncate(size_));
  dirty_begin_ = dirty_end_ = 0;
  size_changed_ = false;
  return Status();
}

Status MemoryDriver::sync() {
  PCIO_TRY(flush());
  return store_.is_open() ? store_.sync() : Status();
}

Status MemoryDriver::close() {
  Status flushed = flush();
  Status closed = store_.close();
  release();
  return flushed.ok() ? closed : flushed;
}

void MemoryDriver::abandon() {
  store_ = PosixFile();
  release();
}

DriverCapabilities MemoryDriver::capabilities() const {
  DriverCapabilities can;
  can.on_disk = store_.is_open();
  can.journaled = false;
  return can;
}

FileIdentity MemoryDriver::identity() const { return identity_; }

Result<std::uint64_t> MemoryDriver::do_read(std::uint64_t offset, Bytes data) {
  ++counters_.independent_reads;
  if (offset >= size_) return std::uint64_t{0};
  const std::uint64_t n = std::min<std::uint64_t>(data.size(), size_ - offset);
  std::memcpy(data.data(), at(offset), n);
  return n;
}

Result<std::uint64_t> MemoryDriver::do_write(std::uint64_t offset, ConstBytes data) {
  ++counters_.independent_writes;
  if (!writable_) return PCIO_ERROR(IO, WRITEERROR, "the file was opened for reading");
  const std::uint64_t end = offset + data.size();
  PCIO_TRY(reserve(end, ImageOp::kFileResize));
  std::memcpy(at(offset), data.data(), data.size());
  mark_dirty(offset, end);
  if (end > size_) {
    size_ = end;
    size_changed_ = true;
  }
  return data.size();
}

}  // namespace pcio
