// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room mpi: MPI-IO calls.

#include "mpi/file.hpp"

#include <cerrno>

#include "base/library_lock.hpp"
#include "base/time_split.hpp"
#include "base/system_text.hpp"
#include "mpi/environment.hpp"
#include "mpi/error.hpp"
#include "mpi/large_count.hpp"
#include "mpi/left_semaphore.hpp"

namespace pcio::mpi {

namespace {

/// What one MPI call returned, and the errno that its system calls left.
struct Called {
  int code = MPI_SUCCESS;
  int error = 0;
  [[nodiscard]] Status check(const char* name) const { return mpi::check(code, name, error); }
  /// As check(), but bytes that the system lost are a failure also where MPI calls it a success.
  [[nodiscard]] Status check_bytes(const char* name) const {
    if (code != MPI_SUCCESS || !is_data_loss(error)) return check(name);
    ErrorFrame frame = PCIO_FRAME(
        IO, SYSERRSTR,
        std::string(name) + " succeeded, but a system call in it failed: " + system_text(error));
    if (is_out_of_space(error)) frame.minor = Minor::NOSPACE;
    return Status(std::move(frame));
  }
};

/// `call() -> int`.
template <class Call>
Called call_system(Call&& call) {
  Called done;
  const Spends moves(Spent::kFile);
  const LibraryPause others_go_on;
  errno = 0;
  done.code = call();
  done.error = errno;
  return done;
}

/// Bytes that a transfer moved, whatever its datatype: basic elements counted as bytes.
Result<std::uint64_t> moved_bytes(MPI_Status& status) {
  MPI_Count bytes = 0;
  PCIO_TRY(check(MPI_Get_elements_x(&status, MPI_BYTE, &bytes), "MPI_Get_elements_x"));
  if (bytes == MPI_UNDEFINED || bytes < 0)
    return PCIO_ERROR(IO, MPI, "MPI does not tell how many bytes were moved");
  return static_cast<std::uint64_t>(bytes);
}

/// Some implementations leave the status of an empty request unset.
MPI_Status empty_status() {
  MPI_Status status{};
  MPI_Status_set_elements(&status, MPI_BYTE, 0);
  return status;
}

MPI_Offset as_offset(std::uint64_t offset) { return static_cast<MPI_Offset>(offset); }

}  // namespace

Result<File> File::open_alone(const char* path, int amode, const Info& info) {
  PCIO_ASSIGN(File file, open(MPI_COMM_SELF, path, amode, info));
  file.is_alone_ = true;
  return file;
}

Result<File> File::open(MPI_Comm comm, const char* path, int amode, const Info& info) {
  File file;
  remove_left_semaphore(path);
  const Called opened =
      call_system([&] { return MPI_File_open(comm, path, amode, info.raw(), &file.file_); });
  PCIO_TRY(opened.check("MPI_File_open"));
  PCIO_TRY(
      check(MPI_File_set_errhandler(file.file_, MPI_ERRORS_RETURN), "MPI_File_set_errhandler"));
  return file;
}

Status File::close() {
  if (file_ == MPI_FILE_NULL) return Status();
  if (!is_active()) {
    file_ = MPI_FILE_NULL;
    return PCIO_ERROR(FILE, CANTCLOSEFILE, "the file was still open when MPI was finalized");
  }
  return call_system([&] { return MPI_File_close(&file_); }).check("MPI_File_close");
}

void File::abandon() {
  if (is_alone_) static_cast<void>(close());
  file_ = MPI_FILE_NULL;
}

Result<std::uint64_t> File::write_at(std::uint64_t offset, ConstBytes data) {
  PCIO_TRY(check_not_finalized());
  MPI_Status status = empty_status();
  const Called done = call_system([&] {
    return MPI_File_write_at(file_, as_offset(offset), data.data(), narrow(data.size()), MPI_BYTE,
                             &status);
  });
  error_ = done.error;
  PCIO_TRY(done.check("MPI_File_write_at"));
  return moved_bytes(status);
}

Result<std::uint64_t> File::read_at(std::uint64_t offset, Bytes data) {
  return read_at(offset, data.data(), narrow(data.size()), MPI_BYTE);
}

Result<std::uint64_t> File::read_at(std::uint64_t offset, void* data, int count,
                                    MPI_Datatype type) {
  PCIO_TRY(check_not_finalized());
  MPI_Status status = empty_status();
  const Called done = call_system(
      [&] { return MPI_File_read_at(file_, as_offset(offset), data, count, type, &status); });
  error_ = done.error;
  PCIO_TRY(done.check_bytes("MPI_File_read_at"));
  return moved_bytes(status);
}

Result<std::uint64_t> File::write_at_all(std::uint64_t offset, const void* data, int count,
                                         MPI_Datatype type) {
  PCIO_TRY(check_not_finalized());
  MPI_Status status = empty_status();
  const Called done = call_system(
      [&] { return MPI_File_write_at_all(file_, as_offset(offset), data, count, type, &status); });
  error_ = done.error;
  PCIO_TRY(done.check_bytes("MPI_File_write_at_all"));
  if (count == 0) return std::uint64_t{0};
  return moved_bytes(status);
}

Result<std::uint64_t> File::read_at_all(std::uint64_t offset, void* data, int count,
                                        MPI_Datatype type) {
  PCIO_TRY(check_not_finalized());
  MPI_Status status = empty_status();
  const Called done = call_system(
      [&] { return MPI_File_read_at_all(file_, as_offset(offset), data, count, type, &status); });
  error_ = done.error;
  PCIO_TRY(done.check_bytes("MPI_File_read_at_all"));
  if (count == 0) return std::uint64_t{0};
  return moved_bytes(status);
}

Status File::set_view(std::uint64_t displacement, MPI_Datatype file_type) {
  PCIO_TRY(check_not_finalized());
  const LibraryPause others_go_on;
  return check(MPI_File_set_view(file_, as_offset(displacement), MPI_BYTE, file_type, "native",
                                 MPI_INFO_NULL),
               "MPI_File_set_view");
}

Result<std::uint64_t> File::size() const {
  PCIO_TRY(check_not_finalized());
  MPI_Offset size = 0;
  PCIO_TRY(call_system([&] { return MPI_File_get_size(file_, &size); }).check("MPI_File_get_size"));
  return static_cast<std::uint64_t>(size);
}

Status File::set_size(std::uint64_t size) {
  PCIO_TRY(check_not_finalized());
  return call_system([&] { return MPI_File_set_size(file_, as_offset(size)); })
      .check("MPI_File_set_size");
}

Status File::sync() {
  PCIO_TRY(check_not_finalized());
  return call_system([&] { return MPI_File_sync(file_); }).check("MPI_File_sync");
}

Result<Info> File::info() const {
  PCIO_TRY(check_not_finalized());
  MPI_Info info = MPI_INFO_NULL;
  PCIO_TRY(check(MPI_File_get_info(file_, &info), "MPI_File_get_info"));
  return Info::adopt(info);
}

}  // namespace pcio::mpi
