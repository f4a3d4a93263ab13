// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room mpi: MPI return codes become Status values.

#include "mpi/error.hpp"

#include <cerrno>

#include "base/system_text.hpp"

#include <string>

namespace pcio::mpi {

namespace {

/// The minor number for an MPI error class. Source: MPI 3.1, 13.7 I/O Error Classes.
Minor minor_of(int error_class) {
  switch (error_class) {
    case MPI_ERR_NO_SPACE:
    case MPI_ERR_QUOTA: return Minor::NOSPACE;
    case MPI_ERR_FILE_EXISTS: return Minor::FILEEXISTS;
    case MPI_ERR_NO_SUCH_FILE:
    case MPI_ERR_BAD_FILE:
    case MPI_ERR_ACCESS:
    case MPI_ERR_READ_ONLY:
    case MPI_ERR_FILE_IN_USE: return Minor::CANTOPENFILE;
    default: return Minor::MPIERRSTR;
  }
}

}  // namespace

Status check(int code, const char* call) { return check(code, call, 0); }

Status check(int code, const char* call, int system_error) {
  if (code == MPI_SUCCESS) return Status();
  char text[MPI_MAX_ERROR_STRING + 1] = {};
  int length = 0;
  int error_class = MPI_ERR_OTHER;
  MPI_Error_class(code, &error_class);
  if (MPI_Error_string(code, text, &length) != MPI_SUCCESS || length == 0)
    return Status(
        PCIO_FRAME(INTERNAL, MPI, std::string(call) + " returned error " + std::to_string(code)));
  // A component that cleans up after a failure may close a descriptor that it never had.
  const bool told = system_error != 0 && system_error != EBADF;
  ErrorFrame frame = PCIO_FRAME(
      IO, MPIERRSTR,
      std::string(call) + ": " + text + (told ? ": " + system_text(system_error) : std::string()));
  frame.minor = is_out_of_space(system_error) ? Minor::NOSPACE : minor_of(error_class);
  return Status(std::move(frame));
}

}  // namespace pcio::mpi
