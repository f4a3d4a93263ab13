// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room driver: opening of the posix driver.

#include "driver/posix_driver.hpp"

#include "driver/made_files.hpp"

namespace pcio {

Result<std::unique_ptr<FileDriver>> PosixDriver::open(const OpenRequest& request) {
  if (request.path.empty()) return PCIO_ERROR(ARGS, BADVALUE, "no file name");
  if (request.image != nullptr && !request.image->bytes.empty())
    return PCIO_ERROR(FILE, UNSUPPORTED, "the sec2 driver takes no initial file image");
  PCIO_ASSIGN(PosixFile file, open_noted(request, request.path, request.mode));
  PCIO_TRY(keep_if_locked(request, file.lock(request.mode, request.locking)));
  if (request.beside_writer) file.unlock();
  if (is_writable(request.mode))
    PCIO_TRY(keep_if_locked(request, lock_writer(file, request.locking)));
  const FileSystemTraits traits = find_file_system(request.path);
  // What another machine has closed is seen.
  if (!traits.coherent && !is_create(request.mode)) PCIO_TRY(file.catch_up());
  return std::unique_ptr<FileDriver>(new PosixDriver(std::move(file), request.path, traits));
}

DriverCapabilities PosixDriver::capabilities() const {
  DriverCapabilities can;
  can.defers_errors = traits_.defers_errors;
  can.coherent = traits_.coherent;
  return can;
}

}  // namespace pcio
