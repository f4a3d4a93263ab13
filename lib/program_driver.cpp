// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: drivers that programs register, as drivers of files.
//
// The library asks for bytes at offsets; a driver of a program wants to be told before where the given
// space ends, which here is never less than what is read or written.

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "base/checked.hpp"
#include "driver/posix_file.hpp"
#include "lib/driver_ids.hpp"
#include "lib/object_handles.hpp"

namespace pcio {

DriverObject::~DriverObject() {
  if (cls.terminate != nullptr) static_cast<void>(cls.terminate());
}

namespace {

/// A copy of settings as the class makes it; null where there are none, or it can't.
void* copy_info(const H5FD_class_t& cls, const void* info) {
  if (info == nullptr) return nullptr;
  if (cls.fapl_copy != nullptr) return cls.fapl_copy(info);
  void* copy = cls.fapl_size > 0 ? std::malloc(cls.fapl_size) : nullptr;
  if (copy != nullptr) std::memcpy(copy, info, cls.fapl_size);
  return copy;
}

/// A file that a program's driver has opened. Threads: as the driver.
class ProgramDriver final : public FileDriver {
 public:
  ProgramDriver(DriverObjectPtr driver, H5FD_t* file, std::string path)
      : driver_(std::move(driver)), file_(file), path_(std::move(path)) {}
  ~ProgramDriver() override { abandon(); }

  Result<std::uint64_t> size() override {
    const haddr_t end = cls().get_eof(file_, H5FD_MEM_DEFAULT);
    if (end == HADDR_UNDEF) return failed("get_eof");
    return std::uint64_t{end};
  }
  Status truncate(std::uint64_t size) override;
  Status flush() override {
    return cls().flush == nullptr || cls().flush(file_, H5P_DATASET_XFER_DEFAULT, 0) >= 0
               ? Status()
               : failed("flush");
  }
  Status sync() override { return flush(); }
  Status sync_independent() override { return flush(); }
  Status close() override;
  void abandon() override;
  [[nodiscard]] DriverCapabilities capabilities() const override { return {}; }
  [[nodiscard]] FileIdentity identity() const override { return {0, 0, path_}; }
  [[nodiscard]] void* raw_handle() override {
    void* handle = nullptr;
    if (cls().get_handle == nullptr ||
        cls().get_handle(file_, H5P_FILE_ACCESS_DEFAULT, &handle) < 0)
      return nullptr;
    return handle;
  }
  [[nodiscard]] Result<DriverNote> note() override;
  Status take_note(const DriverNote& note) override;

 protected:
  Result<std::uint64_t> do_read(std::uint64_t offset, Bytes data) override;
  Result<std::uint64_t> do_write(std::uint64_t offset, ConstBytes data) override;

 private:
  [[nodiscard]] const H5FD_class_t& cls() const { return *file_->cls; }
  detail::StatusReturn failed(const char* function) const {
    return PCIO_ERROR(VFL, CALLBACK,
                      std::string("the function \"") + function + "\" of the program's driver \"" +
                          cls().name + "\" failed");
  }
  Status give_space(std::uint64_t end);

  DriverObjectPtr driver_;
  H5FD_t* file_;
  std::string path_;
};

Status ProgramDriver::give_space(std::uint64_t end) {
  const haddr_t now = cls().get_eoa(file_, H5FD_MEM_DEFAULT);
  if (now != HADDR_UNDEF && now >= end) return Status();
  if (end > file_->maxaddr)
    return PCIO_ERROR(VFL, OVERFLOW, "the file would be larger than its driver can have it");
  if (cls().set_eoa(file_, H5FD_MEM_DEFAULT, end) < 0) return failed("set_eoa");
  return Status();
}

Result<std::uint64_t> ProgramDriver::do_read(std::uint64_t offset, Bytes data) {
  PCIO_ASSIGN(const std::uint64_t end, size());
  if (offset >= end) return std::uint64_t{0};
  const std::uint64_t n = std::min<std::uint64_t>(data.size(), end - offset);
  PCIO_TRY(give_space(offset + n));
  ++counters_.independent_reads;
  if (cls().read(file_, H5FD_MEM_DEFAULT, H5P_DATASET_XFER_DEFAULT, offset, n, data.data()) < 0)
    return failed("read");
  return n;
}

Result<std::uint64_t> ProgramDriver::do_write(std::uint64_t offset, ConstBytes data) {
  PCIO_TRY(give_space(offset + data.size()));
  ++counters_.independent_writes;
  if (cls().write(file_, H5FD_MEM_DEFAULT, H5P_DATASET_XFER_DEFAULT, offset, data.size(),
                  data.data()) < 0)
    return failed("write");
  return data.size();
}

/// Drivers need no way to change the size of a file: then one byte makes it longer.
Status ProgramDriver::truncate(std::uint64_t size) {
  if (size > file_->maxaddr)
    return PCIO_ERROR(VFL, OVERFLOW, "the file would be larger than its driver can have it");
  if (cls().set_eoa(file_, H5FD_MEM_DEFAULT, size) < 0) return failed("set_eoa");
  if (cls().truncate != nullptr && cls().truncate(file_, H5P_DATASET_XFER_DEFAULT, 0) < 0)
    return failed("truncate");
  PCIO_ASSIGN(const std::uint64_t has, this->size());
  if (has >= size) return Status();
  const std::byte zero{};
  return detail::to_status(do_write(size - 1, {&zero, 1}));
}

Status ProgramDriver::close() {
  if (file_ == nullptr) return Status();
  const H5FD_class_t& functions = cls();
  const bool flushed =
      functions.flush == nullptr || functions.flush(file_, H5P_DATASET_XFER_DEFAULT, 1) >= 0;
  if (functions.unlock != nullptr) static_cast<void>(functions.unlock(file_));
  const bool closed = functions.close(std::exchange(file_, nullptr)) >= 0;
  if (flushed && closed) return Status();
  return PCIO_ERROR(
      VFL, CANTCLOSEFILE,
      std::string("the program's driver \"") + driver_->cls.name + "\" could not close the file");
}

void ProgramDriver::abandon() {
  if (file_ != nullptr) static_cast<void>(cls().close(std::exchange(file_, nullptr)));
}

Result<DriverNote> ProgramDriver::note() {
  const hsize_t bytes = cls().sb_size == nullptr ? 0 : cls().sb_size(file_);
  if (bytes == 0 || cls().sb_encode == nullptr) return DriverNote();
  if (bytes > 0xFFFF)
    return PCIO_ERROR(VFL, BADSIZE, "a driver wants to leave more than 64 KiB in the file");
  DriverNote note;
  note.info.resize(bytes);
  char name[9] = {};
  if (cls().sb_encode(file_, name, reinterpret_cast<unsigned char*>(note.info.data())) < 0)
    return failed("sb_encode");
  note.driver.assign(name, 8);
  return note;
}

Status ProgramDriver::take_note(const DriverNote& note) {
  unsigned long flags = 0;
  if (cls().query != nullptr) static_cast<void>(cls().query(file_, &flags));
  if ((flags & H5FD_FEAT_IGNORE_DRVRINFO) != 0 || cls().sb_decode == nullptr) return Status();
  // The function is not told how much there is: as much as the driver would write, at least.
  std::vector<unsigned char> info(note.info.size() + 1);
  if (cls().sb_size != nullptr)
    info.resize(
        std::max<std::size_t>(info.size(), std::min<hsize_t>(cls().sb_size(file_), 1 << 16)));
  std::copy_n(reinterpret_cast<const unsigned char*>(note.info.data()), note.info.size(),
              info.data());
  if (cls().sb_decode(file_, note.driver.c_str(), info.data()) < 0) return failed("sb_decode");
  return Status();
}

unsigned open_flags(OpenMode mode) {
  switch (mode) {
    case OpenMode::kReadOnly: return H5F_ACC_RDONLY;
    case OpenMode::kReadWrite: return H5F_ACC_RDWR;
    case OpenMode::kCreateExclusive: return H5F_ACC_RDWR | H5F_ACC_CREAT | H5F_ACC_EXCL;
    case OpenMode::kTruncate: return H5F_ACC_RDWR | H5F_ACC_CREAT | H5F_ACC_TRUNC;
  }
  return H5F_ACC_RDONLY;
}

}  // namespace

Result<std::unique_ptr<ProgramSettings>> ProgramSettings::make(DriverObjectPtr driver,
                                                               const void* info) {
  void* copy = copy_info(driver->cls, info);
  if (info != nullptr && copy == nullptr)
    return PCIO_ERROR(
        VFL, CANTCOPY,
        "argument driver_info: the driver's class has no way to copy it, or it failed");
  return std::unique_ptr<ProgramSettings>(new ProgramSettings(std::move(driver), copy));
}

ProgramSettings::ProgramSettings(const ProgramSettings& other)
    : OpenerSettings(other),
      driver_(other.driver_),
      info_(copy_info(other.driver_->cls, other.info_)) {
  if (other.info_ != nullptr && info_ == nullptr) throw std::bad_alloc();
}

ProgramSettings::~ProgramSettings() {
  if (info_ == nullptr) return;
  if (driver_->cls.fapl_free != nullptr)
    static_cast<void>(driver_->cls.fapl_free(info_));
  else if (driver_->cls.fapl_copy == nullptr)
    std::free(info_);
}

std::string_view ProgramSettings::name() const { return driver_->cls.name; }

bool ProgramSettings::equals(const DriverSettings& other) const {
  const auto* same = dynamic_cast<const ProgramSettings*>(&other);
  if (same == nullptr || same->driver_ != driver_) return false;
  if (info_ == nullptr || same->info_ == nullptr) return info_ == same->info_;
  return driver_->cls.fapl_size > 0 && std::memcmp(info_, same->info_, driver_->cls.fapl_size) == 0;
}

Result<OpenedFile> ProgramSettings::open(const OpenRequest& request) const {
  FileAccessProps access;
  if (request.access != nullptr) access = *request.access;
  access.driver = DriverChoice(clone());
  PCIO_ASSIGN(const HandleId list, property_list_id_for(access));
  auto file = open_driver_file(request.path.c_str(), open_flags(request.mode), list, HADDR_UNDEF);
  static_cast<void>(release_id(list, "fapl_id"));
  if (!file) return detail::StatusReturn(std::move(file.error()));
  auto driver = std::make_unique<ProgramDriver>(driver_, *file, request.path);
  const H5FD_class_t& cls = driver_->cls;
  if (cls.lock != nullptr && effective_locking(request.locking) != FileLocking::kOff &&
      cls.lock(*file, is_writable(request.mode) ? 1 : 0) < 0)
    return PCIO_ERROR(VFL, CANTLOCKFILE,
                      std::string("the program's driver \"") + cls.name + "\" can't lock the file");
  return OpenedFile{std::move(driver), Coordinator::serial()};
}

}  // namespace pcio
