// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Faults of MPI-IO: this program's MPI_File_read... and MPI_File_write... call PMPI_. Room: testpar.
//
// A collective call is always made, with less or nothing to do on the rank that fails, so that it is
// the library that has to notice, and not MPI that waits.

#include <mpi.h>

#include "inject_state.hpp"

using inject::Fault;
using inject::detail::nap;
using inject::detail::slowness;
using inject::detail::strikes;

namespace {

enum class Strike { kNone, kShort, kError };

Strike on_write() {
  if (strikes(Fault::kShortWrite)) return Strike::kShort;
  return strikes(Fault::kWriteError) ? Strike::kError : Strike::kNone;
}

Strike on_read() {
  if (strikes(Fault::kShortRead)) return Strike::kShort;
  return strikes(Fault::kReadError) ? Strike::kError : Strike::kNone;
}

/// `call(count, status)` is the real call.
template <class Call>
int perform(Strike strike, int count, MPI_Status* status, Call call) {
  if (strike == Strike::kNone) return call(count, status);
  // Half of many elements; of one element of a derived type nothing.
  const int less = strike == Strike::kShort ? count / 2 : 0;
  const int result = call(less, status);
  return strike == Strike::kError ? MPI_ERR_IO : result;
}

template <class Call>
int read(int count, MPI_Status* status, Call call) {
  nap(slowness.delay.before_read);
  const int result = perform(on_read(), count, status, call);
  nap(slowness.delay.after_read);
  return result;
}

template <class Call>
int write(int count, MPI_Status* status, Call call) {
  nap(slowness.delay.before_write);
  const int result = perform(on_write(), count, status, call);
  nap(slowness.delay.after_write);
  return result;
}

}  // namespace

extern "C" {

int MPI_File_write_at(MPI_File file, MPI_Offset offset, const void* data, int count,
                      MPI_Datatype type, MPI_Status* status) {
  return write(count, status, [&](int n, MPI_Status* s) {
    return PMPI_File_write_at(file, offset, data, n, type, s);
  });
}

int MPI_File_write_at_all(MPI_File file, MPI_Offset offset, const void* data, int count,
                          MPI_Datatype type, MPI_Status* status) {
  return write(count, status, [&](int n, MPI_Status* s) {
    return PMPI_File_write_at_all(file, offset, data, n, type, s);
  });
}

int MPI_File_write(MPI_File file, const void* data, int count, MPI_Datatype type,
                   MPI_Status* status) {
  return write(count, status,
               [&](int n, MPI_Status* s) { return PMPI_File_write(file, data, n, type, s); });
}

int MPI_File_write_all(MPI_File file, const void* data, int count, MPI_Datatype type,
                       MPI_Status* status) {
  return write(count, status,
               [&](int n, MPI_Status* s) { return PMPI_File_write_all(file, data, n, type, s); });
}

int MPI_File_iwrite_at(MPI_File file, MPI_Offset offset, const void* data, int count,
                       MPI_Datatype type, MPI_Request* request) {
  return write(count, MPI_STATUS_IGNORE, [&](int n, MPI_Status*) {
    return PMPI_File_iwrite_at(file, offset, data, n, type, request);
  });
}

int MPI_File_read_at(MPI_File file, MPI_Offset offset, void* data, int count, MPI_Datatype type,
                     MPI_Status* status) {
  return read(count, status, [&](int n, MPI_Status* s) {
    return PMPI_File_read_at(file, offset, data, n, type, s);
  });
}

int MPI_File_read_at_all(MPI_File file, MPI_Offset offset, void* data, int count, MPI_Datatype type,
                         MPI_Status* status) {
  return read(count, status, [&](int n, MPI_Status* s) {
    return PMPI_File_read_at_all(file, offset, data, n, type, s);
  });
}

int MPI_File_read(MPI_File file, void* data, int count, MPI_Datatype type, MPI_Status* status) {
  return read(count, status,
              [&](int n, MPI_Status* s) { return PMPI_File_read(file, data, n, type, s); });
}

int MPI_File_read_all(MPI_File file, void* data, int count, MPI_Datatype type, MPI_Status* status) {
  return read(count, status,
              [&](int n, MPI_Status* s) { return PMPI_File_read_all(file, data, n, type, s); });
}

int MPI_File_iread_at(MPI_File file, MPI_Offset offset, void* data, int count, MPI_Datatype type,
                      MPI_Request* request) {
  return read(count, MPI_STATUS_IGNORE, [&](int n, MPI_Status*) {
    return PMPI_File_iread_at(file, offset, data, n, type, request);
  });
}

int MPI_File_sync(MPI_File file) {
  const int result = PMPI_File_sync(file);
  return strikes(Fault::kSyncError) ? MPI_ERR_IO : result;
}

int MPI_Iallgather(const void* mine, int count, MPI_Datatype type, void* all, int all_count,
                   MPI_Datatype all_type, MPI_Comm comm, MPI_Request* request) {
  inject::detail::state.placing = true;
  return PMPI_Iallgather(mine, count, type, all, all_count, all_type, comm, request);
}
}
