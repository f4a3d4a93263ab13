// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// What a file that could not be opened, written or closed leaves behind: no communicator, window, file
// of MPI's, datatype, operation, info or descriptor. Counted beside an interposer.
// Room: testpar, public headers only.

#include <cstdio>
#include <functional>
#include <pcio.h>
#include <string>
#include <utility>

#include <mpi.h>

#include "held.hpp"
#include "support.hpp"

using par::Id;

namespace {

/// `fails` leaves what was there before it. The first time MPI and the library make what they keep.
void leaves_nothing(const char* what, const std::function<void()>& fails) {
  fails();
  const par::Held before = par::held_now();
  for (int i = 0; i < 2; ++i) fails();
  const par::Held now = par::held_now();
  if (!(now == before))
    std::fprintf(stderr, "rank %d: %s: twice: %s left\n", par::rank(), what,
                 par::more_held(before, now).c_str());
  CHECK(now == before);
  par::error_text();
}

struct Opened {
  Id access, file, set, space, memory, list;
};

constexpr hsize_t kRows = 6;
constexpr hsize_t kWidth = 100;
int values[kRows * kWidth];

Opened open_file(const std::string& name, pcio_transport_t transport, bool filtered) {
  Opened o;
  o.access = Id(par::mpio_access());
  o.file = Id(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, o.access));
  const hsize_t dims[2] = {kRows * static_cast<hsize_t>(par::size()), kWidth}, chunk[2] = {3, 7};
  const hsize_t start[2] = {kRows * static_cast<hsize_t>(par::rank()), 0},
                count[2] = {kRows, kWidth};
  o.space = Id(H5Screate_simple(2, dims, nullptr));
  o.memory = Id(H5Screate_simple(2, count, nullptr));
  const Id chunks(H5Pcreate(H5P_DATASET_CREATE));
  H5Pset_chunk(chunks, 2, chunk);
  if (filtered) H5Pset_deflate(chunks, 1);
  o.set = Id(H5Dcreate2(o.file, "x", H5T_NATIVE_INT, o.space, H5P_DEFAULT, chunks, H5P_DEFAULT));
  H5Sselect_hyperslab(o.space, H5S_SELECT_SET, start, nullptr, count, nullptr);
  o.list = Id(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  pcio_set_dxpl_transport(o.list, transport);
  CHECK(H5Dwrite(o.set, H5T_NATIVE_INT, o.memory, o.space, o.list, values) >= 0);
  CHECK(H5Dread(o.set, H5T_NATIVE_INT, o.memory, o.space, o.list, values) >= 0);
  return o;
}

bool group_on_some(const Opened& o) {
  const Id group(par::rank() == 0 ? -1
                                  : H5Gcreate2(o.file, "q", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  return group.valid();
}

}  // namespace

/// Ranks that made different metadata calls find out in a flush, a transfer, or the close itself.
CASE(different_metadata) {
  const std::string name = par::file_name("leaks");
  // Shared memory; a second file of MPI's; shared memory by another way.
  const std::pair<pcio_transport_t, bool> kinds[] = {
      {PCIO_TRANSPORT_EXCHANGE, false}, {PCIO_TRANSPORT_VIEW, false}, {PCIO_TRANSPORT_NONE, true}};
  for (const auto& [transport, filtered] : kinds) {
    leaves_nothing("found in a flush", [&] {
      Opened o = open_file(name, transport, filtered);
      group_on_some(o);
      CHECK((H5Fflush(o.file, H5F_SCOPE_GLOBAL) < 0) == (par::size() > 1));
      o.set.close();
      CHECK((o.file.close() < 0) == (par::size() > 1));
    });
    leaves_nothing("found in a write", [&] {
      Opened o = open_file(name, transport, filtered);
      group_on_some(o);
      CHECK((H5Dwrite(o.set, H5T_NATIVE_INT, o.memory, o.space, o.list, values) < 0) ==
            (par::size() > 1));
    });
    leaves_nothing("found in the close", [&] {
      Opened o = open_file(name, transport, filtered);
      group_on_some(o);
      o.set.close();
      CHECK((o.file.close() < 0) == (par::size() > 1));
    });
  }
}

/// One rank closes while the others write: all of them give back what they hold, at different places.
CASE(different_calls) {
  if (par::size() == 1) return;
  const std::string name = par::file_name("leaks_calls");
  leaves_nothing("a close beside writes", [&] {
    Opened o = open_file(name, PCIO_TRANSPORT_EXCHANGE, false);
    if (par::rank() == par::size() - 1) {
      o.set.close();
      CHECK(o.file.close() < 0);
    } else {
      CHECK(H5Dwrite(o.set, H5T_NATIVE_INT, o.memory, o.space, o.list, values) < 0);
    }
    // A program's own communication goes on: nobody waits in the library for a call to come.
    MPI_Barrier(MPI_COMM_WORLD);
  });
  leaves_nothing("reads beside writes, and the file is used on", [&] {
    Opened o = open_file(name, PCIO_TRANSPORT_VIEW, false);
    const bool reads = par::rank() == 0;
    CHECK((reads ? H5Dread(o.set, H5T_NATIVE_INT, o.memory, o.space, o.list, values)
                 : H5Dwrite(o.set, H5T_NATIVE_INT, o.memory, o.space, o.list, values)) < 0);
    // What comes then is an error, not a crash.
    const Id alone(par::transfer_list(H5FD_MPIO_INDEPENDENT));
    H5Dread(o.set, H5T_NATIVE_INT, o.memory, o.space, alone, values);
    H5Dwrite(o.set, H5T_NATIVE_INT, o.memory, o.space, alone, values);
    hsize_t bytes = 0;
    H5Fget_filesize(o.file, &bytes);
    void* handle = nullptr;
    H5Fget_vfd_handle(o.file, H5P_DEFAULT, &handle);
    CHECK(H5Fset_mpi_atomicity(o.file, true) < 0);
    CHECK(H5Fflush(o.file, H5F_SCOPE_GLOBAL) < 0);
  });
}

/// Opens that fail on all ranks: nothing there, no HDF5 file, flags that differ.
CASE(failed_opens) {
  const std::string name = par::file_name("leaks_open"), other = par::file_name("leaks_other");
  { const Opened o = open_file(name, PCIO_TRANSPORT_NONE, false); }
  if (par::rank() == 0) {
    std::FILE* const text = std::fopen(other.c_str(), "w");
    std::fputs("no HDF5 file", text);
    std::fclose(text);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  leaves_nothing("opens that fail", [&] {
    const Id access(par::mpio_access());
    CHECK(H5Fopen((name + "/nothing").c_str(), H5F_ACC_RDONLY, access) < 0);
    CHECK(H5Fopen(other.c_str(), H5F_ACC_RDWR, access) < 0);
    CHECK(H5Fcreate(name.c_str(), H5F_ACC_EXCL, H5P_DEFAULT, access) < 0);
    CHECK(H5Fcreate("/nothing/there", H5F_ACC_TRUNC, H5P_DEFAULT, access) < 0);
    if (par::size() == 1) return;
    CHECK(H5Fopen(name.c_str(), par::rank() == 0 ? H5F_ACC_RDWR : H5F_ACC_RDONLY, access) < 0);
    CHECK(H5Fopen((par::rank() == 0 ? name : other).c_str(), H5F_ACC_RDONLY, access) < 0);
  });
}

/// Transfers that fail before, in and after their agreement; each way to move bytes.
CASE(failed_transfers) {
  const std::string name = par::file_name("leaks_transfers");
  const bool odd = par::rank() == par::size() - 1;
  const std::pair<pcio_transport_t, bool> kinds[] = {{PCIO_TRANSPORT_EXCHANGE, false},
                                                     {PCIO_TRANSPORT_VIEW, false},
                                                     {PCIO_TRANSPORT_DIRECT, false},
                                                     {PCIO_TRANSPORT_NONE, true}};
  const hsize_t large[2] = {1 << 20, 1 << 10};
  const Id text(H5Tcopy(H5T_C_S1)), outside(H5Screate_simple(2, large, nullptr));
  for (const auto& [transport, filtered] : kinds) {
    // A file makes the ranks' board in one of its agreements: what is held is counted around it.
    leaves_nothing("transfers that fail", [&, transport = transport, filtered = filtered] {
      Opened o = open_file(name, transport, filtered);
      // One rank with a type that is not converted, outside the extent, without a buffer.
      const hid_t type = odd ? static_cast<hid_t>(text) : H5T_NATIVE_INT;
      const hid_t memory = odd ? outside : o.memory, space = odd ? outside : o.space;
      CHECK(H5Dwrite(o.set, type, o.memory, o.space, o.list, values) < 0);
      CHECK(H5Dread(o.set, type, o.memory, o.space, o.list, values) < 0);
      CHECK(H5Dwrite(o.set, H5T_NATIVE_INT, memory, space, o.list, values) < 0);
      CHECK(H5Dwrite(o.set, H5T_NATIVE_INT, o.memory, o.space, o.list, odd ? nullptr : values) < 0);
      CHECK(H5Dread(o.set, H5T_NATIVE_INT, memory, o.space, o.list, values) < 0);
      // Ids of something else on all ranks.
      CHECK(H5Dwrite(o.file, H5T_NATIVE_INT, o.memory, o.space, o.list, values) < 0);
      CHECK(H5Dwrite(o.set, o.space, o.memory, o.space, o.list, values) < 0);
      CHECK(H5Dread(o.set, H5T_NATIVE_INT, o.list, o.space, o.list, values) < 0);
      CHECK(H5Dwrite(o.set, H5T_NATIVE_INT, o.memory, o.space, o.list, values) >= 0);
      CHECK(o.set.close() >= 0 && o.file.close() >= 0);
    });
  }
}

/// Calls on metadata that fail on all ranks, and lists that are given a driver in vain.
CASE(failed_metadata) {
  const std::string name = par::file_name("leaks_metadata");
  const hsize_t much[2] = {hsize_t{1} << 40, 1 << 20};
  const Id huge(H5Screate_simple(2, much, nullptr)), text(H5Tcopy(H5T_C_S1));
  const Id chunks(H5Pcreate(H5P_DATASET_CREATE));
  const hsize_t chunk[1] = {3};
  H5Pset_chunk(chunks, 1, chunk);
  leaves_nothing("metadata", [&] {
    Opened o = open_file(name, PCIO_TRANSPORT_NONE, false);
    CHECK(H5Dcreate2(o.file, "x", H5T_NATIVE_INT, o.space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT) <
          0);
    CHECK(H5Dcreate2(o.file, "y", H5T_NATIVE_INT, o.space, H5P_DEFAULT, chunks, H5P_DEFAULT) < 0);
    CHECK(H5Gcreate2(o.file, "x/y", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT) < 0);
    CHECK(H5Dset_extent(o.set, much) < 0);
    CHECK(H5Dopen2(o.file, "none", H5P_DEFAULT) < 0);
    CHECK(H5Ldelete(o.file, "none", H5P_DEFAULT) < 0);
    CHECK(H5Acreate2(o.set, "", H5T_NATIVE_INT, o.space, H5P_DEFAULT, H5P_DEFAULT) < 0);
    CHECK(H5Tcommit2(o.file, "x", text, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT) < 0);
    CHECK(H5Ocopy(o.file, "none", o.file, "z", H5P_DEFAULT, H5P_DEFAULT) < 0);
    CHECK(H5Fset_libver_bounds(o.file, H5F_LIBVER_LATEST, H5F_LIBVER_EARLIEST) < 0);
    CHECK(o.set.close() >= 0 && o.file.close() >= 0);
  });
  leaves_nothing("drivers", [&] {
    const Id access(H5Pcreate(H5P_FILE_ACCESS)), other(H5Pcreate(H5P_DATASET_XFER));
    MPI_Comm comm = MPI_COMM_NULL;
    CHECK(H5Pset_fapl_mpio(other, MPI_COMM_WORLD, MPI_INFO_NULL) < 0);
    CHECK(H5Pset_fapl_mpiposix(other, MPI_COMM_WORLD, false) < 0);
    CHECK(H5Pset_fapl_mpio(access, MPI_COMM_NULL, MPI_INFO_NULL) < 0);
    CHECK(H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL) >= 0);
    CHECK(H5Pset_fapl_mpio(access, MPI_COMM_SELF, MPI_INFO_NULL) >= 0);
    CHECK(H5Pget_fapl_mpiposix(access, &comm, nullptr) < 0 && comm == MPI_COMM_NULL);
    const Id copy(H5Pcopy(access));
    CHECK(H5Fopen("/nothing/there", H5F_ACC_RDONLY, copy) < 0);
  });
}

/// The agreement that makes the ranks' board may be any one, also one of the close.
CASE(board_at_any_agreement) {
  const std::string name = par::file_name("leaks_board");
  const hsize_t eight = 8;
  const Id space(H5Screate_simple(1, &eight, nullptr)), access(par::mpio_access());
  const Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  for (int way = 0; way < 3; ++way)
    for (int flushes = 0; flushes < 3; ++flushes)
      for (int reads = 0; reads < 9; ++reads) {
        const par::Held before = par::held_now();
        const Id file(
            way == 0 ? H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access)
                     : H5Fopen(name.c_str(), way == 1 ? H5F_ACC_RDWR : H5F_ACC_RDONLY, access));
        const Id set(way == 0 ? H5Dcreate2(file, "d", H5T_NATIVE_INT, space, H5P_DEFAULT,
                                           H5P_DEFAULT, H5P_DEFAULT)
                              : H5Dopen2(file, "d", H5P_DEFAULT));
        for (int i = 0; i < reads; ++i)
          CHECK(H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, list, values) >= 0);
        for (int i = 0; i < flushes; ++i) CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
        CHECK(const_cast<Id&>(set).close() >= 0 && const_cast<Id&>(file).close() >= 0);
        par::Held now = par::held_now();
        now.descriptors = before.descriptors;  // MPI opens some at its first use
        const bool same = now == before;
        if (!same)
          std::fprintf(stderr, "way %d, %d flushes, %d reads: %ld mappings left\n", way, flushes,
                       reads, now.mappings - before.mappings);
        CHECK(same);
      }
}
