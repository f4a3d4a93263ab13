// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// The counting calls. Room: testpar.

#include "held.hpp"

#include <cstdio>
#include <dirent.h>
#include <fstream>

#include <mpi.h>

namespace par {

namespace {

Held held;

int counted(int result, long& what, long change) {
  if (result == MPI_SUCCESS) what += change;
  return result;
}

int descriptors() {
  int count = 0;
  DIR* const folder = opendir("/proc/self/fd");
  if (folder == nullptr) return 0;
  while (readdir(folder) != nullptr) ++count;
  closedir(folder);
  return count;
}

/// Of memory that the library's ranks share.
long mappings() {
  long count = 0;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);)
    if (line.find("/memfd:libpcio") != std::string::npos) ++count;
  return count;
}

}  // namespace

Held held_now() {
  Held now = held;
  now.descriptors = descriptors();
  now.mappings = mappings();
  return now;
}

std::string more_held(const Held& before, const Held& now) {
  char text[200];
  std::snprintf(
      text, sizeof text,
      "%ld communicators, %ld mappings, %ld files, %ld types, %ld operations, %ld infos, %ld "
      "requests, %ld descriptors",
      now.comms - before.comms, now.mappings - before.mappings, now.files - before.files,
      now.types - before.types, now.operations - before.operations, now.infos - before.infos,
      now.requests - before.requests, now.descriptors - before.descriptors);
  return text;
}

extern "C" {
int MPI_Comm_dup(MPI_Comm from, MPI_Comm* made) {
  return counted(PMPI_Comm_dup(from, made), held.comms, 1);
}
int MPI_Comm_idup(MPI_Comm from, MPI_Comm* made, MPI_Request* request) {
  return counted(counted(PMPI_Comm_idup(from, made, request), held.comms, 1), held.requests, 1);
}
int MPI_Comm_split_type(MPI_Comm from, int type, int key, MPI_Info info, MPI_Comm* made) {
  return counted(PMPI_Comm_split_type(from, type, key, info, made), held.comms, 1);
}
int MPI_Comm_split(MPI_Comm from, int color, int key, MPI_Comm* made) {
  return counted(PMPI_Comm_split(from, color, key, made), held.comms, 1);
}
int MPI_Comm_free(MPI_Comm* comm) { return counted(PMPI_Comm_free(comm), held.comms, -1); }
int MPI_File_open(MPI_Comm comm, const char* name, int mode, MPI_Info info, MPI_File* made) {
  return counted(PMPI_File_open(comm, name, mode, info, made), held.files, 1);
}
int MPI_File_close(MPI_File* file) { return counted(PMPI_File_close(file), held.files, -1); }
int MPI_Type_contiguous(int count, MPI_Datatype of, MPI_Datatype* made) {
  return counted(PMPI_Type_contiguous(count, of, made), held.types, 1);
}
int MPI_Type_create_hindexed(int count, const int* lengths, const MPI_Aint* starts, MPI_Datatype of,
                             MPI_Datatype* made) {
  return counted(PMPI_Type_create_hindexed(count, lengths, starts, of, made), held.types, 1);
}
int MPI_Type_create_hvector(int count, int length, MPI_Aint stride, MPI_Datatype of,
                            MPI_Datatype* made) {
  return counted(PMPI_Type_create_hvector(count, length, stride, of, made), held.types, 1);
}
int MPI_Type_create_struct(int count, const int* lengths, const MPI_Aint* starts,
                           const MPI_Datatype* of, MPI_Datatype* made) {
  return counted(PMPI_Type_create_struct(count, lengths, starts, of, made), held.types, 1);
}
int MPI_Type_free(MPI_Datatype* type) { return counted(PMPI_Type_free(type), held.types, -1); }
int MPI_Op_create(MPI_User_function* function, int commutes, MPI_Op* made) {
  return counted(PMPI_Op_create(function, commutes, made), held.operations, 1);
}
int MPI_Op_free(MPI_Op* operation) { return counted(PMPI_Op_free(operation), held.operations, -1); }
int MPI_Info_create(MPI_Info* made) { return counted(PMPI_Info_create(made), held.infos, 1); }
int MPI_Info_dup(MPI_Info from, MPI_Info* made) {
  return counted(PMPI_Info_dup(from, made), held.infos, 1);
}
int MPI_File_get_info(MPI_File file, MPI_Info* made) {
  return counted(PMPI_File_get_info(file, made), held.infos, 1);
}
// Requests: begun here, ended by a test that finds them done, or given up. Weak: programs that inject faults
// have one of their own.
__attribute__((weak)) int MPI_Iallgather(const void* from, int n, MPI_Datatype of, void* to, int m,
                                         MPI_Datatype in, MPI_Comm comm, MPI_Request* made) {
  return counted(PMPI_Iallgather(from, n, of, to, m, in, comm, made), held.requests, 1);
}
int MPI_Iallreduce(const void* from, void* to, int n, MPI_Datatype of, MPI_Op op, MPI_Comm comm,
                   MPI_Request* made) {
  return counted(PMPI_Iallreduce(from, to, n, of, op, comm, made), held.requests, 1);
}
int MPI_Ialltoall(const void* from, int n, MPI_Datatype of, void* to, int m, MPI_Datatype in,
                  MPI_Comm comm, MPI_Request* made) {
  return counted(PMPI_Ialltoall(from, n, of, to, m, in, comm, made), held.requests, 1);
}
int MPI_Ialltoallv(const void* from, const int* n, const int* at, MPI_Datatype of, void* to,
                   const int* m, const int* in, MPI_Datatype type, MPI_Comm comm,
                   MPI_Request* made) {
  return counted(PMPI_Ialltoallv(from, n, at, of, to, m, in, type, comm, made), held.requests, 1);
}
int MPI_Ibarrier(MPI_Comm comm, MPI_Request* made) {
  return counted(PMPI_Ibarrier(comm, made), held.requests, 1);
}
int MPI_Ibcast(void* data, int n, MPI_Datatype of, int root, MPI_Comm comm, MPI_Request* made) {
  return counted(PMPI_Ibcast(data, n, of, root, comm, made), held.requests, 1);
}
int MPI_Iexscan(const void* from, void* to, int n, MPI_Datatype of, MPI_Op op, MPI_Comm comm,
                MPI_Request* made) {
  return counted(PMPI_Iexscan(from, to, n, of, op, comm, made), held.requests, 1);
}
int MPI_Igather(const void* from, int n, MPI_Datatype of, void* to, int m, MPI_Datatype in,
                int root, MPI_Comm comm, MPI_Request* made) {
  return counted(PMPI_Igather(from, n, of, to, m, in, root, comm, made), held.requests, 1);
}
int MPI_Issend(const void* data, int n, MPI_Datatype of, int to, int tag, MPI_Comm comm,
               MPI_Request* made) {
  return counted(PMPI_Issend(data, n, of, to, tag, comm, made), held.requests, 1);
}
int MPI_Isend(const void* data, int n, MPI_Datatype of, int to, int tag, MPI_Comm comm,
              MPI_Request* made) {
  return counted(PMPI_Isend(data, n, of, to, tag, comm, made), held.requests, 1);
}
int MPI_Irecv(void* data, int n, MPI_Datatype of, int from, int tag, MPI_Comm comm,
              MPI_Request* made) {
  return counted(PMPI_Irecv(data, n, of, from, tag, comm, made), held.requests, 1);
}
int MPI_Test(MPI_Request* request, int* done, MPI_Status* status) {
  const bool open = *request != MPI_REQUEST_NULL;
  const int result = PMPI_Test(request, done, status);
  if (open && *request == MPI_REQUEST_NULL) --held.requests;
  return result;
}
int MPI_Request_free(MPI_Request* request) {
  return counted(PMPI_Request_free(request), held.requests, -1);
}
int MPI_Info_free(MPI_Info* info) { return counted(PMPI_Info_free(info), held.infos, -1); }
}

}  // namespace par
