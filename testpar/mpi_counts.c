/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/*
 * Counting MPI calls, see mpi_counts.h. Room: testpar.
 *
 * An MPI library may make one of these calls out of another; only the outermost one is a call of
 * the program's.
 */
#include "mpi_counts.h"

#include <mpi.h>
#include <sys/syscall.h>
#include <unistd.h>

mpi_counts_t mpi_counts;
static int depth;

/* The library writes by a thread of its own in the place of MPI_File_write_at; MPI's calls are made by the first one. */
ssize_t pwrite(int fd, const void* data, size_t size, off_t offset) {
  const ssize_t done = syscall(SYS_pwrite64, fd, data, size, offset);
  if (syscall(SYS_gettid) == getpid()) return done;
  __atomic_fetch_add(&mpi_counts.write_at, 1, __ATOMIC_RELAXED);
  if (done > 0)
    __atomic_fetch_add(&mpi_counts.bytes_written, (unsigned long long)done, __ATOMIC_RELAXED);
  return done;
}
ssize_t pwrite64(int fd, const void* data, size_t size, off_t offset) {
  return pwrite(fd, data, size, offset);
}

static unsigned long long bytes_of(const MPI_Status* status, MPI_Datatype type) {
  MPI_Count elements = 0;
  int count = 0;
  int size = 0;
  /* Types of files are made of bytes here, so basic elements are bytes; but whole doubles, say,
   * count. */
  PMPI_Get_count(status, type, &count);
  PMPI_Type_size(type, &size);
  if (count != MPI_UNDEFINED) return (unsigned long long)count * (unsigned long long)size;
  PMPI_Get_elements_x(status, type, &elements);
  return elements > 0 ? (unsigned long long)elements : 0;
}

int MPI_File_write_at(MPI_File file, MPI_Offset offset, const void* data, int count,
                      MPI_Datatype type, MPI_Status* status) {
  MPI_Status own;
  if (status == MPI_STATUS_IGNORE) status = &own;
  ++depth;
  const int result = PMPI_File_write_at(file, offset, data, count, type, status);
  if (--depth == 0) {
    ++mpi_counts.write_at;
    if (result == MPI_SUCCESS) mpi_counts.bytes_written += bytes_of(status, type);
  }
  return result;
}

int MPI_File_read_at(MPI_File file, MPI_Offset offset, void* data, int count, MPI_Datatype type,
                     MPI_Status* status) {
  MPI_Status own;
  if (status == MPI_STATUS_IGNORE) status = &own;
  ++depth;
  const int result = PMPI_File_read_at(file, offset, data, count, type, status);
  if (--depth == 0) {
    ++mpi_counts.read_at;
    if (result == MPI_SUCCESS) mpi_counts.bytes_read += bytes_of(status, type);
  }
  return result;
}

int MPI_File_write_at_all(MPI_File file, MPI_Offset offset, const void* data, int count,
                          MPI_Datatype type, MPI_Status* status) {
  MPI_Status own;
  if (status == MPI_STATUS_IGNORE) status = &own;
  ++depth;
  const int result = PMPI_File_write_at_all(file, offset, data, count, type, status);
  if (--depth == 0) {
    ++mpi_counts.write_at_all;
    ++mpi_counts.collectives;
    if (result == MPI_SUCCESS) mpi_counts.bytes_written += bytes_of(status, type);
  }
  return result;
}

int MPI_File_read_at_all(MPI_File file, MPI_Offset offset, void* data, int count, MPI_Datatype type,
                         MPI_Status* status) {
  MPI_Status own;
  if (status == MPI_STATUS_IGNORE) status = &own;
  ++depth;
  const int result = PMPI_File_read_at_all(file, offset, data, count, type, status);
  if (--depth == 0) {
    ++mpi_counts.read_at_all;
    ++mpi_counts.collectives;
    if (result == MPI_SUCCESS) mpi_counts.bytes_read += bytes_of(status, type);
  }
  return result;
}

int MPI_File_write(MPI_File file, const void* data, int count, MPI_Datatype type,
                   MPI_Status* status) {
  MPI_Status own;
  if (status == MPI_STATUS_IGNORE) status = &own;
  ++depth;
  const int result = PMPI_File_write(file, data, count, type, status);
  if (--depth == 0) {
    ++mpi_counts.other_io;
    if (result == MPI_SUCCESS) mpi_counts.bytes_written += bytes_of(status, type);
  }
  return result;
}

int MPI_File_read(MPI_File file, void* data, int count, MPI_Datatype type, MPI_Status* status) {
  MPI_Status own;
  if (status == MPI_STATUS_IGNORE) status = &own;
  ++depth;
  const int result = PMPI_File_read(file, data, count, type, status);
  if (--depth == 0) {
    ++mpi_counts.other_io;
    if (result == MPI_SUCCESS) mpi_counts.bytes_read += bytes_of(status, type);
  }
  return result;
}

int MPI_File_write_all(MPI_File file, const void* data, int count, MPI_Datatype type,
                       MPI_Status* status) {
  MPI_Status own;
  if (status == MPI_STATUS_IGNORE) status = &own;
  ++depth;
  const int result = PMPI_File_write_all(file, data, count, type, status);
  if (--depth == 0) {
    ++mpi_counts.other_io;
    if (result == MPI_SUCCESS) mpi_counts.bytes_written += bytes_of(status, type);
  }
  return result;
}

int MPI_File_read_all(MPI_File file, void* data, int count, MPI_Datatype type, MPI_Status* status) {
  MPI_Status own;
  if (status == MPI_STATUS_IGNORE) status = &own;
  ++depth;
  const int result = PMPI_File_read_all(file, data, count, type, status);
  if (--depth == 0) {
    ++mpi_counts.other_io;
    if (result == MPI_SUCCESS) mpi_counts.bytes_read += bytes_of(status, type);
  }
  return result;
}

int MPI_File_write_shared(MPI_File file, const void* data, int count, MPI_Datatype type,
                          MPI_Status* status) {
  MPI_Status own;
  if (status == MPI_STATUS_IGNORE) status = &own;
  ++depth;
  const int result = PMPI_File_write_shared(file, data, count, type, status);
  if (--depth == 0) {
    ++mpi_counts.other_io;
    if (result == MPI_SUCCESS) mpi_counts.bytes_written += bytes_of(status, type);
  }
  return result;
}

int MPI_File_read_shared(MPI_File file, void* data, int count, MPI_Datatype type,
                         MPI_Status* status) {
  MPI_Status own;
  if (status == MPI_STATUS_IGNORE) status = &own;
  ++depth;
  const int result = PMPI_File_read_shared(file, data, count, type, status);
  if (--depth == 0) {
    ++mpi_counts.other_io;
    if (result == MPI_SUCCESS) mpi_counts.bytes_read += bytes_of(status, type);
  }
  return result;
}

int MPI_File_write_ordered(MPI_File file, const void* data, int count, MPI_Datatype type,
                           MPI_Status* status) {
  MPI_Status own;
  if (status == MPI_STATUS_IGNORE) status = &own;
  ++depth;
  const int result = PMPI_File_write_ordered(file, data, count, type, status);
  if (--depth == 0) {
    ++mpi_counts.other_io;
    if (result == MPI_SUCCESS) mpi_counts.bytes_written += bytes_of(status, type);
  }
  return result;
}

int MPI_File_read_ordered(MPI_File file, void* data, int count, MPI_Datatype type,
                          MPI_Status* status) {
  MPI_Status own;
  if (status == MPI_STATUS_IGNORE) status = &own;
  ++depth;
  const int result = PMPI_File_read_ordered(file, data, count, type, status);
  if (--depth == 0) {
    ++mpi_counts.other_io;
    if (result == MPI_SUCCESS) mpi_counts.bytes_read += bytes_of(status, type);
  }
  return result;
}

/* Not used by any test: bytes of these are not known before they are waited for. */
#define OTHER_IO_AT(name, data_type)                                               \
  int MPI_File_##name(MPI_File file, MPI_Offset offset, data_type data, int count, \
                      MPI_Datatype type, MPI_Request* request) {                   \
    ++mpi_counts.other_io;                                                         \
    return PMPI_File_##name(file, offset, data, count, type, request);             \
  }
OTHER_IO_AT(iwrite_at, const void*)
OTHER_IO_AT(iread_at, void*)
OTHER_IO_AT(iwrite_at_all, const void*)
OTHER_IO_AT(iread_at_all, void*)

#define OTHER_IO(name, data_type)                                                  \
  int MPI_File_##name(MPI_File file, data_type data, int count, MPI_Datatype type, \
                      MPI_Request* request) {                                      \
    ++mpi_counts.other_io;                                                         \
    return PMPI_File_##name(file, data, count, type, request);                     \
  }
OTHER_IO(iwrite, const void*)
OTHER_IO(iread, void*)
OTHER_IO(iwrite_all, const void*)
OTHER_IO(iread_all, void*)

int MPI_File_set_view(MPI_File file, MPI_Offset displacement, MPI_Datatype etype,
                      MPI_Datatype file_type, const char* representation, MPI_Info info) {
  ++depth;
  const int result = PMPI_File_set_view(file, displacement, etype, file_type, representation, info);
  if (--depth == 0) {
    ++mpi_counts.set_view;
    ++mpi_counts.collectives;
  }
  return result;
}

int MPI_Iallreduce(const void* mine, void* all, int count, MPI_Datatype type, MPI_Op op,
                   MPI_Comm comm, MPI_Request* request) {
  if (depth == 0) {
    ++mpi_counts.reductions;
    ++mpi_counts.collectives;
  }
  return PMPI_Iallreduce(mine, all, count, type, op, comm, request);
}

int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request* request) {
  int size = 0;
  if (depth == 0) {
    PMPI_Type_size(type, &size);
    ++mpi_counts.messages_sent;
    mpi_counts.bytes_sent += (unsigned long long)count * (unsigned long long)size;
  }
  return PMPI_Isend(data, count, type, to, tag, comm, request);
}

static void count_broadcast(int count, MPI_Datatype type, int root, MPI_Comm comm) {
  int size = 0;
  int rank = 0;
  if (depth > 0) return;
  ++mpi_counts.collectives;
  PMPI_Comm_rank(comm, &rank);
  PMPI_Type_size(type, &size);
  if (rank == root)
    mpi_counts.bytes_broadcast += (unsigned long long)count * (unsigned long long)size;
}

int MPI_Bcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  count_broadcast(count, type, root, comm);
  return PMPI_Bcast(data, count, type, root, comm);
}

int MPI_Ibcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm,
               MPI_Request* request) {
  count_broadcast(count, type, root, comm);
  return PMPI_Ibcast(data, count, type, root, comm, request);
}

/* Only counted. */
#define COLLECTIVE(name, parameters, arguments) \
  int MPI_##name parameters {                   \
    ++depth;                                    \
    const int result = PMPI_##name arguments;   \
    if (--depth == 0) ++mpi_counts.collectives; \
    return result;                              \
  }
COLLECTIVE(File_open, (MPI_Comm comm, const char* name, int mode, MPI_Info info, MPI_File* file),
           (comm, name, mode, info, file))
COLLECTIVE(File_close, (MPI_File * file), (file))
COLLECTIVE(File_set_size, (MPI_File file, MPI_Offset size), (file, size))
COLLECTIVE(File_preallocate, (MPI_File file, MPI_Offset size), (file, size))
COLLECTIVE(File_sync, (MPI_File file), (file))
COLLECTIVE(Comm_dup, (MPI_Comm comm, MPI_Comm* copy), (comm, copy))
COLLECTIVE(Comm_idup, (MPI_Comm comm, MPI_Comm* copy, MPI_Request* request), (comm, copy, request))
COLLECTIVE(Comm_split, (MPI_Comm comm, int color, int key, MPI_Comm* part),
           (comm, color, key, part))
COLLECTIVE(Comm_split_type, (MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* part),
           (comm, type, key, info, part))
COLLECTIVE(Comm_free, (MPI_Comm * comm), (comm))
COLLECTIVE(Barrier, (MPI_Comm comm), (comm))
COLLECTIVE(Ibarrier, (MPI_Comm comm, MPI_Request* request), (comm, request))
COLLECTIVE(Allreduce,
           (const void* mine, void* all, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
           (mine, all, count, type, op, comm))
COLLECTIVE(Iexscan,
           (const void* mine, void* all, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
            MPI_Request* request),
           (mine, all, count, type, op, comm, request))
COLLECTIVE(Iallgather,
           (const void* mine, int count, MPI_Datatype type, void* all, int each, MPI_Datatype of,
            MPI_Comm comm, MPI_Request* request),
           (mine, count, type, all, each, of, comm, request))
COLLECTIVE(Igather,
           (const void* mine, int count, MPI_Datatype type, void* all, int each, MPI_Datatype of,
            int root, MPI_Comm comm, MPI_Request* request),
           (mine, count, type, all, each, of, root, comm, request))
COLLECTIVE(Ialltoall,
           (const void* mine, int count, MPI_Datatype type, void* all, int each, MPI_Datatype of,
            MPI_Comm comm, MPI_Request* request),
           (mine, count, type, all, each, of, comm, request))
COLLECTIVE(Ialltoallv,
           (const void* mine, const int counts[], const int starts[], MPI_Datatype type, void* all,
            const int all_counts[], const int all_starts[], MPI_Datatype of, MPI_Comm comm,
            MPI_Request* request),
           (mine, counts, starts, type, all, all_counts, all_starts, of, comm, request))

int fsync(int fd) {
  ++mpi_counts.fsyncs;
  return (int)syscall(SYS_fsync, fd);
}
