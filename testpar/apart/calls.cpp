// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Calls that move elements in other ways than a plain transfer, where each rank has a cache of its own
// (client.cpp): chunks as they lie in the file, virtual datasets, external files.
// Room: testpar, public headers only.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <unistd.h>

#include "client.hpp"
#include "support.hpp"

using par::Id;

namespace {

unsigned long long reductions = 0, file_syncs = 0;

}  // namespace

extern "C" int MPI_File_sync(MPI_File file) {
  ++file_syncs;
  return PMPI_File_sync(file);
}
extern "C" int MPI_Iallreduce(const void* mine, void* all, int count, MPI_Datatype type, MPI_Op op,
                              MPI_Comm comm, MPI_Request* request) {
  ++reductions;
  return PMPI_Iallreduce(mine, all, count, type, op, comm, request);
}

namespace {

constexpr hsize_t kCount = 4096;
using Ints = std::vector<int>;

Id make_set(hid_t file, const char* name, hid_t list) {
  const Id space(H5Screate_simple(1, &kCount, nullptr));
  Id set(H5Dcreate2(file, name, H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT));
  CHECK(set.valid());
  return set;
}

/// By all ranks, each one all of it.
Ints read_all(hid_t set, H5FD_mpio_xfer_t mode) {
  const Id list(par::transfer_list(mode));
  Ints values(kCount, -1);
  CHECK(H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, list, values.data()) >= 0);
  return values;
}

/// Rank `writer` writes all of it, the others come along.
void write_all(hid_t set, int writer, int value) {
  const Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  const Id space(H5Dget_space(set));
  if (par::rank() != writer) H5Sselect_none(space);
  const Ints values(kCount, value);
  CHECK(H5Dwrite(set, H5T_NATIVE_INT, space, space, list, values.data()) >= 0);
}

int last() { return par::size() - 1; }

/// Elements in turns: they are written by owners, which are other ranks.
void own_elements(const char* word, bool filtered) {
  const Id file(par::create_file(par::file_name(word)));
  const Id create(H5Pcreate(H5P_DATASET_CREATE));
  const hsize_t chunk = kCount / 4, first = static_cast<hsize_t>(par::rank()),
                step = static_cast<hsize_t>(par::size()),
                count = (kCount - first + step - 1) / step;
  if (filtered) {
    H5Pset_chunk(create, 1, &chunk);
    H5Pset_deflate(create, 1);
  }
  const Id set = make_set(file, "d", create), space(H5Dget_space(set)),
           memory(H5Screate_simple(1, &count, nullptr));
  CHECK(H5Sselect_hyperslab(space, H5S_SELECT_SET, &first, &step, &count, nullptr) >= 0);
  const Id together(par::transfer_list(H5FD_MPIO_COLLECTIVE)),
      alone(par::transfer_list(H5FD_MPIO_INDEPENDENT));
  for (int value = 1; value < 4; ++value) {
    const Ints mine(count, 10 * value + par::rank());
    CHECK(H5Dwrite(set, H5T_NATIVE_INT, memory, space, together, mine.data()) >= 0);
    Ints values(count, -1);
    CHECK(H5Dread(set, H5T_NATIVE_INT, memory, space, alone, values.data()) >= 0);
    CHECK(values == mine);
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

}  // namespace

/// While ranks set sizes each by itself the answer to one may be what another has just made of the file. So one rank alone
/// empties a file that is made anew, and no other reads of it before all have set the size that it has then. The program's first
/// file, where it is tried whether holes read as zero.
CASE(a_new_file_is_emptied_by_one_rank) {
  const std::string name = par::file_name("anew");
  if (par::rank() == 0) {
    std::FILE* const old = std::fopen(name.c_str(), "w");
    CHECK(old != nullptr && std::fwrite("old", 1, 3, old) == 3 && std::fclose(old) == 0);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  const ClientCalls before = client_calls;
  client_calls.next_is_overtaken = par::rank() != 0;
  const Id file(par::create_file(name));
  client_calls.next_is_overtaken = false;
  CHECK(file.valid());
  CHECK(client_calls.emptied - before.emptied <= (par::rank() == 0 ? 1 : 0));
  if (!file.valid()) return;
  const Id set = make_set(file, "d", H5P_DEFAULT);
  for (int value = 1; value < 4; ++value) {
    write_all(set, value % par::size(), value);
    CHECK(read_all(set, H5FD_MPIO_COLLECTIVE) == Ints(kCount, value));
  }
}

/// Also what another rank wrote for it.
CASE(a_rank_sees_what_it_wrote) { own_elements("own", false); }
CASE(a_rank_sees_what_it_wrote_through_filters) { own_elements("own_filtered", true); }

namespace {

constexpr hsize_t kRows = 1024, kColumns = 128;
/// Of these columns every P-th is this rank's, in file and memory.
Id dealt_columns() {
  const hsize_t dims[2] = {kRows, kColumns};
  Id space(H5Screate_simple(2, dims, nullptr));
  const auto p = static_cast<hsize_t>(par::size());
  const hsize_t start[2] = {0, static_cast<hsize_t>(par::rank())}, step[2] = {1, p},
                count[2] = {kRows, (kColumns - start[1] + p - 1) / p};
  CHECK(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, step, count, nullptr) >= 0);
  return space;
}

}  // namespace

/// The agreement that ends the write shows it, too, and of a file that no client has as a whole the size is set once.
CASE(what_owners_wrote_is_shown_without_another_agreement) {
  const Id file(par::create_file(par::file_name("shown")));
  const Id space(dealt_columns());
  const Id set(
      H5Dcreate2(file, "d", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  const Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  for (int value = 1; value < 4; ++value) {
    const std::vector<double> values(kRows * kColumns, value);
    const auto reduced = reductions;
    const ClientCalls before = client_calls;
    CHECK(H5Dwrite(set, H5T_NATIVE_DOUBLE, space, space, list, values.data()) >= 0);
    CHECK(client_calls.syncs - before.syncs <= 1);
    CHECK(client_calls.new_sizes - before.new_sizes <= (value == 1 ? 1 : 0));
    CHECK(reductions - reduced <= 10);
  }
}

/// What owners wrote was synced when it was shown; of what is left rank 0 has written all. Nobody waits in MPI's syncs.
CASE(flushes_and_closes_sync_what_was_written) {
  Id file(par::create_file(par::file_name("synced")));
  const auto flush_or_close = [&](bool closes) {
    const ClientCalls before = client_calls;
    const auto in_mpi = file_syncs;
    CHECK((closes ? file.close() : H5Fflush(file, H5F_SCOPE_GLOBAL)) >= 0);
    if (par::size() == 1) return;
    CHECK(client_calls.syncs - before.syncs <= (par::rank() == 0 ? 3 : 0));
    CHECK(file_syncs == in_mpi);
  };
  const Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  for (const bool closes : {false, true}) {
    Id set = make_set(file, closes ? "b" : "a", H5P_DEFAULT);
    const Id space(H5Dget_space(set));
    const hsize_t first = static_cast<hsize_t>(par::rank()),
                  step = static_cast<hsize_t>(par::size()),
                  count = (kCount - first + step - 1) / step;
    const Id memory(H5Screate_simple(1, &count, nullptr));
    CHECK(H5Sselect_hyperslab(space, H5S_SELECT_SET, &first, &step, &count, nullptr) >= 0);
    const Ints mine(count, par::rank());
    CHECK(H5Dwrite(set, H5T_NATIVE_INT, memory, space, list, mine.data()) >= 0);
    CHECK(set.close() >= 0);
    flush_or_close(closes);
  }
}

namespace {

/// Rank 0's file of one dataset that the last rank has written by itself, so that there is something to sync and to commit.
Id changed_file(const std::string& name) {
  Id file(par::create_file(name));
  const Id set = make_set(file, "d", H5P_DEFAULT);
  if (par::rank() != last()) return file;
  const Ints values(kCount, 7);
  CHECK(H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0);
  return file;
}

}  // namespace

/// Where each machine cuts the file all have done so before rank 0 gives the lock back.
CASE(who_comes_out_of_a_close_first_opens_for_writing) {
  const std::string name = par::file_name("next");
  const Id alone(par::mpio_access(MPI_COMM_SELF));
  for (int i = 0; i < 20; ++i) {
    Id file = changed_file(name);
    CHECK(file.close() >= 0);
    if (par::rank() == last()) {
      file = Id(H5Fopen(name.c_str(), H5F_ACC_RDWR, i % 2 == 0 ? hid_t{alone} : H5P_DEFAULT));
      CHECK(file.valid());
      CHECK(file.close() >= 0);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

/// What ranks have written is synced before they agree on the plan of a commit, where they set the size the closing agreement
/// tells, and what nothing is cut off has no agreement on that.
CASE(a_changed_file_is_flushed_and_closed_with_few_agreements) {
  Id file = changed_file(par::file_name("few"));
  const auto flushed = reductions;
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  CHECK(reductions - flushed <= 3);
  make_set(file, "e", H5P_DEFAULT);
  const ClientCalls before = client_calls;
  const auto closed = reductions;
  CHECK(file.close() >= 0);
  CHECK(reductions - closed <= 5);
  if (par::rank() != 0) CHECK(client_calls.syncs - before.syncs <= 1);
  // The descriptor with which a rank has looked whether it can open the file is the one that it needs.
  for (const unsigned flags : {H5F_ACC_RDONLY, H5F_ACC_RDWR}) {
    const ClientCalls closed_calls = client_calls;
    file = Id(H5Fopen(par::file_name("few").c_str(), flags, Id(par::mpio_access())));
    CHECK(file.valid());
    CHECK(client_calls.opens - closed_calls.opens <= 2);
    CHECK(file.close() >= 0);
  }
}

/// Machines are told the size that the file has by the end of a commit: a size that was told late is never one that cuts off
/// the journal, which lies behind all that is allocated.
CASE(machines_are_told_the_size_with_the_journal) {
  const std::string name = par::file_name("told");
  const Id file = changed_file(name);
  for (const char* word : {"a", "b", "c"}) {
    make_set(file, word, H5P_DEFAULT);
    CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
    std::FILE* const plain = std::fopen(name.c_str(), "r");
    CHECK(plain != nullptr && std::fseek(plain, 0, SEEK_END) == 0);
    if (par::rank() != 0) CHECK(client_calls.last_size == std::ftell(plain));
    if (plain != nullptr) std::fclose(plain);
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

/// A rank whose bytes are lost says so before the commit, and all ranks hear it.
CASE(a_sync_that_fails_before_the_plan_fails_the_commit) {
  const std::string name = par::file_name("lost_before");
  Id file = changed_file(name);
  client_calls.next_sync_tells_loss = par::rank() == last();
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) < 0);
  client_calls.next_sync_tells_loss = false;
  CHECK(file.close() < 0);  // what was lost is lost
  file = Id(H5Fopen(name.c_str(), H5F_ACC_RDONLY, Id(par::mpio_access())));
  CHECK(file.valid());
  if (!file.valid()) return;
  const Id set(H5Dopen2(file, "d", H5P_DEFAULT));
  CHECK(read_all(set, H5FD_MPIO_COLLECTIVE) == Ints(kCount, 7));
}

/// Two datasets of one call may share a page: what owners have written of one is in the file before another machine writes the
/// next.
CASE(datasets_of_one_call_are_shown_one_after_another) {
  const Id file(par::create_file(par::file_name("several")));
  const Id space(dealt_columns());
  const Id first(
      H5Dcreate2(file, "a", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)),
      second(
          H5Dcreate2(file, "b", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  const Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  const std::vector<double> values(kRows * kColumns, 1);
  hid_t sets[2] = {first, second}, types[2] = {H5T_NATIVE_DOUBLE, H5T_NATIVE_DOUBLE},
        spaces[2] = {space, space};
  const void* buffers[2] = {values.data(), values.data()};
  // Space and fill come with the first call.
  for (const bool counts : {false, true}) {
    const ClientCalls before = client_calls;
    CHECK(H5Dwrite_multi(2, sets, types, spaces, spaces, list, buffers) >= 0);
    if (counts) CHECK(par::size() == 1 || par::any(client_calls.syncs - before.syncs >= 2));
  }
}

/// What one rank keeps back of a chunk doesn't reach the file behind what another one writes there.
CASE(a_chunk_is_the_last_writers) {
  const Id file(par::create_file(par::file_name("direct")));
  const Id create(H5Pcreate(H5P_DATASET_CREATE)), list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  H5Pset_chunk(create, 1, &kCount);
  const Id set = make_set(file, "d", create);
  const hsize_t at = 0;
  const auto write = [&](int writer, int value) {
    const Ints values(kCount, value);
    const bool writes = par::rank() == writer;
    CHECK(H5Dwrite_chunk(set, list, 0, writes ? &at : nullptr, writes ? kCount * sizeof(int) : 0,
                         writes ? values.data() : nullptr) >= 0);
  };
  write(0, 1);
  write(last(), 2);
  // The file system has what this one wrote before what the other one may keep back.
  MPI_Barrier(MPI_COMM_WORLD);
  if (par::rank() == last()) CHECK(read_all(set, H5FD_MPIO_INDEPENDENT) == Ints(kCount, 2));
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(read_all(set, H5FD_MPIO_COLLECTIVE) == Ints(kCount, 2));
}

/// A chunk that a rank has decoded from what its machine kept is not what it is behind a flush.
CASE(behind_a_flush_a_chunk_is_decoded_anew) {
  const Id file(par::create_file(par::file_name("decoded")));
  const Id create(H5Pcreate(H5P_DATASET_CREATE)), list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  H5Pset_chunk(create, 1, &kCount);
  H5Pset_shuffle(create);
  const Id set = make_set(file, "d", create);
  const hsize_t at = 0;
  for (int value = 1; value < 6; ++value) {
    if (par::rank() == last()) static_cast<void>(read_all(set, H5FD_MPIO_INDEPENDENT));
    MPI_Barrier(MPI_COMM_WORLD);
    const Ints values(kCount, value);
    const bool writes = par::rank() == 0;
    CHECK(H5Dwrite_chunk(set, list, 1, writes ? &at : nullptr, writes ? kCount * sizeof(int) : 0,
                         writes ? values.data() : nullptr) >= 0);
    // Whatever there is of it.
    if (par::rank() == last()) static_cast<void>(read_all(set, H5FD_MPIO_INDEPENDENT));
    CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
    if (par::rank() == last()) CHECK(read_all(set, H5FD_MPIO_INDEPENDENT) == values);
  }
}

/// Also where the program says that the file system has stripes, of which nobody then writes for another node.
CASE(a_rank_sees_the_chunk_that_it_wrote_itself) {
  const char* const set = std::getenv("PCIO_CHECK");
  const std::string before = set != nullptr ? set : "";
  setenv("PCIO_CHECK", (before + (before.empty() ? "" : ",") + "stripe:65536").c_str(), 1);
  const Id file(par::create_file(par::file_name("own_chunk")));
  setenv("PCIO_CHECK", before.c_str(), 1);
  const Id create(H5Pcreate(H5P_DATASET_CREATE)), list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  const hsize_t chunk = 300, all = chunk * static_cast<hsize_t>(par::size()),
                at = chunk * static_cast<hsize_t>(par::rank());
  H5Pset_chunk(create, 1, &chunk);
  H5Pset_deflate(create, 1);
  const Id space(H5Screate_simple(1, &all, nullptr));
  const Id data(H5Dcreate2(file, "d", H5T_NATIVE_INT, space, H5P_DEFAULT, create, H5P_DEFAULT));
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  const Ints values(chunk, 1 + par::rank());
  Ints found(chunk, -1);
  CHECK(H5Dwrite_chunk(data, list, 1, &at, chunk * sizeof(int), values.data()) >= 0);
  std::uint32_t mask = 0;
  CHECK(H5Dread_chunk(data, H5P_DEFAULT, &at, &mask, found.data()) >= 0);
  CHECK(found == values);
}

CASE(a_virtual_dataset_shows_what_others_wrote) {
  const Id file(par::create_file(par::file_name("virtual")));
  const Id source = make_set(file, "d", H5P_DEFAULT), create(H5Pcreate(H5P_DATASET_CREATE)),
           space(H5Screate_simple(1, &kCount, nullptr));
  CHECK(H5Pset_virtual(create, space, ".", "d", space) >= 0);
  const Id set = make_set(file, "v", create);
  for (int value = 1; value < 4; ++value) {
    write_all(source, value % par::size(), value);
    CHECK(read_all(set, H5FD_MPIO_COLLECTIVE) == Ints(kCount, value));
  }
}

namespace {

/// Three numbers of 4 bytes, so that elements cross the borders of pages.
constexpr hsize_t kTriple = 3;
/// All of them in turns of `turn` elements, by `mode` each, into chunks of `chunk`, or none; read by the next rank.
void write_in_turns(hid_t file, H5FD_mpio_xfer_t mode, hsize_t chunk, hsize_t turn) {
  static int number = 0;
  const std::string name = "s" + std::to_string(number++);
  const Id create(H5Pcreate(H5P_DATASET_CREATE)), list(par::transfer_list(mode)),
      type(H5Tarray_create2(H5T_NATIVE_INT, 1, &kTriple));
  if (chunk > 0) CHECK(H5Pset_chunk(create, 1, &chunk) >= 0);
  const Id space(H5Screate_simple(1, &kCount, nullptr));
  const Id set(H5Dcreate2(file, name.c_str(), type, space, H5P_DEFAULT, create, H5P_DEFAULT));
  const auto p = static_cast<hsize_t>(par::size());
  const hsize_t start = turn * static_cast<hsize_t>(par::rank()), stride = turn * p,
                count = kCount / stride;
  CHECK(H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, &stride, &count, &turn) >= 0);
  const hsize_t n = count * turn;
  const Id memory(H5Screate_simple(1, &n, nullptr));
  const Ints mine(n * kTriple, par::rank() + 1);
  CHECK(H5Dwrite(set, type, memory, space, list, mine.data()) >= 0);
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  Ints values(kCount * kTriple, -1);
  CHECK(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0);
  bool good = true;
  for (hsize_t i = 0; i < count * stride * kTriple; ++i)
    good = good && values[i] == static_cast<int>(i / kTriple / turn % p) + 1;
  CHECK(good);
}

}  // namespace

/// What two machines write into one page is there, of elements that lie across its border too.
/// What a fill value refers to one rank writes, and all read.
CASE(text_that_fills_is_shown) {
  Id file = par::create_file(par::file_name("apart_text"));
  const Id text(H5Tcopy(H5T_C_S1));
  CHECK(H5Tset_size(text, H5T_VARIABLE) >= 0);
  const char* const fill = "some text";
  const hsize_t n = 300, more = 500, most = H5S_UNLIMITED, chunk = 64;
  const Id space(H5Screate_simple(1, &n, nullptr)), growing(H5Screate_simple(1, &n, &most));
  for (const bool chunked : {false, true}) {
    const Id list(H5Pcreate(H5P_DATASET_CREATE));
    CHECK(H5Pset_fill_value(list, text, &fill) >= 0);
    if (chunked) CHECK(H5Pset_chunk(list, 1, &chunk) >= 0);
    const Id set(H5Dcreate2(file, chunked ? "chunks" : "block", text, chunked ? growing : space,
                            H5P_DEFAULT, list, H5P_DEFAULT));
    CHECK(set.valid());
    if (chunked) CHECK(H5Dset_extent(set, &more) >= 0);
    std::vector<char*> read(chunked ? more : n);
    CHECK(H5Dread(set, text, H5S_ALL, H5S_ALL, Id(par::transfer_list(H5FD_MPIO_COLLECTIVE)),
                  read.data()) >= 0);
    std::size_t others = 0;
    for (const char* one : read) others += one == nullptr || std::strcmp(one, fill) != 0;
    CHECK(others == 0);
    CHECK(H5Dvlen_reclaim(text, Id(H5Dget_space(set)), H5P_DEFAULT, read.data()) >= 0);
  }
  CHECK(file.close() >= 0);
}

CASE(machines_share_pages) {
  const Id posix(H5Pcreate(H5P_FILE_ACCESS));
  CHECK(H5Pset_fapl_mpiposix(posix, MPI_COMM_WORLD, 0) >= 0);
  const Id mpio(par::mpio_access());
  for (const hid_t access : {hid_t{mpio}, hid_t{posix}}) {
    const Id file(H5Fcreate(par::file_name("pages").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
    CHECK(file.valid());
    for (const auto mode : {H5FD_MPIO_COLLECTIVE, H5FD_MPIO_INDEPENDENT})
      for (const hsize_t chunk : {hsize_t{0}, hsize_t{333}})
        for (const hsize_t turn : {hsize_t{1}, kCount / static_cast<hsize_t>(par::size())})
          write_in_turns(file, mode, chunk, turn);
  }
}

/// On NFS ompio locks the whole of a file for each access, and would wait for a range that this program has locked.
CASE(no_range_is_locked_where_mpi_locks_files) {
  const char* const client = std::getenv("PCIO_APART");
  const bool nfs = client != nullptr && std::string(client) == "pages";
  const Id file(par::create_file(par::file_name("atomic")));
  char version[MPI_MAX_LIBRARY_VERSION_STRING] = {};
  int length = 0;
  MPI_Get_library_version(version, &length);
  const bool ompio =
      std::strstr(version, "Open MPI") != nullptr && std::getenv("OMPI_MCA_io") == nullptr;
  const bool refused = H5Fset_mpi_atomicity(file, 1) < 0;
  CHECK(!refused || nfs);
  CHECK(refused || !nfs || !ompio);
}

/// A serial file that another machine has written and closed: its driver doesn't go by what this one remembers.
CASE(a_file_in_memory_is_what_another_has_closed) {
  const std::string name = par::file_name("core");
  const auto write = [&](int value) {
    if (par::rank() == last()) {
      const Id file(value == 1 ? H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)
                               : H5Fopen(name.c_str(), H5F_ACC_RDWR, H5P_DEFAULT));
      // One more each time, so that the file grows.
      const Id set = make_set(file, ("d" + std::to_string(value)).c_str(), H5P_DEFAULT);
      const Ints values(kCount, value);
      CHECK(H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  };
  const Id access(H5Pcreate(H5P_FILE_ACCESS));
  CHECK(H5Pset_fapl_core(access, 65536, 0) >= 0);
  for (int value = 1; value < 4; ++value) {
    write(value);
    if (par::rank() == 0) {
      const Id file(H5Fopen(name.c_str(), H5F_ACC_RDONLY, access));
      const Id set(H5Dopen2(file, ("d" + std::to_string(value)).c_str(), H5P_DEFAULT));
      CHECK(set.valid());
      if (set.valid()) CHECK(read_all(set, H5FD_MPIO_INDEPENDENT) == Ints(kCount, value));
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

/// A dataset "d" whose elements lie in the file `raw`, which is not there yet.
Id make_external_set(hid_t file, const std::string& raw) {
  if (par::rank() == 0) std::remove(raw.c_str());
  MPI_Barrier(MPI_COMM_WORLD);
  const Id create(H5Pcreate(H5P_DATASET_CREATE));
  char* const whole = realpath(".", nullptr);
  const std::string path = raw[0] == '/' ? raw : std::string(whole) + "/" + raw;
  std::free(whole);
  CHECK(H5Pset_external(create, path.c_str(), 0, kCount * sizeof(int)) >= 0);
  return make_set(file, "d", create);
}

CASE(external_files_show_what_others_wrote) {
  const Id file(par::create_file(par::file_name("external")));
  const Id set = make_external_set(file, par::file_name("external") + ".raw");
  for (int value = 1; value < 4; ++value) {
    write_all(set, value % par::size(), value);
    CHECK(read_all(set, H5FD_MPIO_COLLECTIVE) == Ints(kCount, value));
  }
}

/// A file system tells once that it has lost what a machine wrote, to whoever syncs there next, also one that only wants to see
/// what others have written.
CASE(an_opening_tells_what_was_lost) {
  const std::string name = par::file_name("lost");
  {
    const Id file(par::create_file(name));
    make_set(file, "d", H5P_DEFAULT);
  }
  const Id mpio(par::mpio_access()), posix(H5Pcreate(H5P_FILE_ACCESS));
  CHECK(H5Pset_fapl_mpiposix(posix, MPI_COMM_WORLD, 0) >= 0);
  for (const hid_t access : {hid_t{mpio}, hid_t{posix}})
    for (const unsigned flags : {H5F_ACC_RDONLY, H5F_ACC_RDWR})
      for (const int rank : {0, last()}) {
        client_calls.next_sync_tells_loss = par::rank() == rank;
        CHECK(!Id(H5Fopen(name.c_str(), flags, access)).valid());
        CHECK(!client_calls.next_sync_tells_loss);
        CHECK(Id(H5Fopen(name.c_str(), flags, access)).valid());
      }
  MPI_Barrier(MPI_COMM_WORLD);
  if (par::rank() != last()) return;
  const Id core(H5Pcreate(H5P_FILE_ACCESS)), stdio(H5Pcreate(H5P_FILE_ACCESS));
  CHECK(H5Pset_fapl_core(core, 65536, 0) >= 0 && H5Pset_fapl_stdio(stdio) >= 0);
  for (const hid_t access : {hid_t{H5P_DEFAULT}, hid_t{core}, hid_t{stdio}}) {
    client_calls.next_sync_tells_loss = true;
    CHECK(!Id(H5Fopen(name.c_str(), H5F_ACC_RDONLY, access)).valid());
    CHECK(Id(H5Fopen(name.c_str(), H5F_ACC_RDONLY, access)).valid());
  }
}

/// There each access begins with such a sync. The rank that hears of it says so, and with the next flush all do.
CASE(an_atomic_transfer_tells_what_was_lost) {
  Id file(par::create_file(par::file_name("lost_atomic")));
  const Id set = make_set(file, "d", H5P_DEFAULT);
  write_all(set, 0, 1);
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  if (H5Fset_mpi_atomicity(file, 1) < 0) return;  // NFS
  Ints values(kCount, -1);
  client_calls.next_sync_tells_loss = par::rank() == last();
  const bool read = H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0;
  CHECK(read == (par::rank() != last() || par::size() == 1));
  const Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  client_calls.next_sync_tells_loss = par::rank() == last();
  CHECK((H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, list, values.data()) < 0) ==
        (par::size() > 1));
  client_calls.next_sync_tells_loss = false;
  CHECK((H5Fflush(file, H5F_SCOPE_GLOBAL) < 0) == (par::size() > 1));
}

/// Another program that waits for the lock of the writer gets it when no machine has a size to set any more.
CASE(a_late_size_cuts_no_other_program) {
  if (par::size() < 3) return;
  MPI_Comm comm = MPI_COMM_NULL;
  const bool is_other = par::rank() == last();
  MPI_Comm_split(MPI_COMM_WORLD, is_other ? 1 : 0, par::rank(), &comm);
  const char* const client = std::getenv("PCIO_APART");
  for (const bool posix : {true, false}) {
    // Open MPI's MPI-IO is given no lock of a writer on NFS.
    if (!posix && client != nullptr && std::string(client) == "pages") continue;
    const std::string name = par::file_name(posix ? "late_posix" : "late_mpio");
    const Id access(H5Pcreate(H5P_FILE_ACCESS));
    if (posix)
      H5Pset_fapl_mpiposix(access, comm, 0);
    else
      H5Pset_fapl_mpio(access, comm, MPI_INFO_NULL);
    Id file(is_other ? hid_t{-1} : H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
    for (const char* set : {"d", "e"}) {
      if (is_other) continue;
      CHECK(make_set(file, set, H5P_DEFAULT).valid());
      CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
    }
    if (!is_other) CHECK(make_set(file, "f", H5P_DEFAULT).valid());
    MPI_Barrier(MPI_COMM_WORLD);
    const Ints values(kCount, 42);
    if (!is_other) {
      client_calls.late_microseconds = par::rank() == last() - 1 ? 700'000 : 0;
      CHECK(file.close() >= 0);
      client_calls.late_microseconds = 0;
    } else {
      const par::Silence quiet;
      for (int tries = 0; tries < 2000 && !file.valid(); ++tries) {
        file = Id(H5Fopen(name.c_str(), H5F_ACC_RDWR, access));
        if (!file.valid()) usleep(5'000);
      }
      const Id set = make_set(file, "other", H5P_DEFAULT);
      CHECK(H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0);
    }
    file.close();
    MPI_Barrier(MPI_COMM_WORLD);
    if (!is_other) continue;
    const Id again(H5Fopen(name.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
    const Id set(again.valid() ? H5Dopen2(again, "other", H5P_DEFAULT) : hid_t{-1});
    CHECK(set.valid());
    if (set.valid()) CHECK(read_all(set, H5FD_MPIO_INDEPENDENT) == values);
  }
  MPI_Comm_free(&comm);
}

/// A close that leaves something out leaves the file open, and machines know its size.
CASE(a_close_that_fails_tells_the_size) {
  if (par::size() < 2) return;
  const Id create(H5Pcreate(H5P_FILE_CREATE)), access(par::mpio_access());
  CHECK(H5Pset_sizes(create, 2, 2) >= 0);
  const std::string name = par::file_name("left_out");
  Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, create, access));
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  const Id never(H5Pcreate(H5P_DATASET_CREATE));
  H5Pset_fill_time(never, H5D_FILL_TIME_NEVER);
  Id set = make_set(file, "e", never);
  constexpr int kLinks = 400;
  const auto link = [](int i) { return std::to_string(i) + std::string(100, 'x'); };
  const Ints values(kCount, 9);
  if (par::rank() == last())
    CHECK(H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0);
  set.close();
  {
    const par::Silence quiet;
    Id root(H5Gopen2(file, "/", H5P_DEFAULT));
    // More links than there is room for in a file whose addresses have two bytes.
    for (int i = 0; i < kLinks; ++i)
      H5Lcreate_soft("/nowhere", root, link(i).c_str(), H5P_DEFAULT, H5P_DEFAULT);
    root.close();
    CHECK(H5Fclose(file) < 0);
  }
  const Id there(H5Dopen2(file, "e", H5P_DEFAULT)), space(H5Dget_space(there)),
      list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  H5Pset_dxpl_mpio_collective_opt(list, H5FD_MPIO_INDIVIDUAL_IO);
  const hsize_t part = kCount / static_cast<hsize_t>(par::size()),
                start = part * static_cast<hsize_t>((par::rank() + 1) % par::size());
  CHECK(H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &part, nullptr) >= 0);
  const Id memory(H5Screate_simple(1, &part, nullptr));
  Ints found(part, -1);
  CHECK(H5Dread(there, H5T_NATIVE_INT, memory, space, list, found.data()) >= 0);
  CHECK(found == Ints(part, 9));
  const Id root(H5Gopen2(file, "/", H5P_DEFAULT));
  const par::Silence quiet;
  for (int i = 0; i < kLinks; ++i) H5Ldelete(root, link(i).c_str(), H5P_DEFAULT);
}

/// So does a transfer that opens an external file.
CASE(an_external_file_tells_what_was_lost) {
  const Id file(par::create_file(par::file_name("lost_external")));
  const Id set = make_external_set(file, par::file_name("lost_external") + ".raw");
  write_all(set, 0, 1);
  const Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  Ints values(kCount, -1);
  client_calls.next_sync_tells_loss = true;
  CHECK(H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, list, values.data()) < 0 ||
        par::size() == 1);
  client_calls.next_sync_tells_loss = false;
}

/// A rank on the server of NFS sees another file system: Open MPI's MPI-IO would wait elsewhere for the lock that it has, and
/// pages are written without locks there. All ranks are told.
CASE(no_rank_runs_on_the_server_of_nfs) {
  const char* const client = std::getenv("PCIO_APART");
  const bool nfs = client != nullptr && std::string(client) == "pages";
  const std::string name = par::file_name("server");
  CHECK(Id(par::create_file(name)).valid());
  const Id mpio(par::mpio_access()), posix(H5Pcreate(H5P_FILE_ACCESS));
  CHECK(H5Pset_fapl_mpiposix(posix, MPI_COMM_WORLD, 0) >= 0);
  for (const int server : {0, last()})
    for (const hid_t access : {hid_t{mpio}, hid_t{posix}}) {
      const bool opens = !nfs || par::size() == 1;
      client_calls.is_server = par::rank() == server;
      CHECK(Id(H5Fopen(name.c_str(), H5F_ACC_RDONLY, access)).valid());
      CHECK(Id(H5Fopen(name.c_str(), H5F_ACC_RDWR, access)).valid() == opens);
      CHECK(Id(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access)).valid() == opens);
      client_calls.is_server = false;
    }
  CHECK(Id(H5Fopen(name.c_str(), H5F_ACC_RDWR, mpio)).valid());
}
