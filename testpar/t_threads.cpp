// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Two threads of each rank, which drive two files at the same time; MPI_THREAD_MULTIPLE.
// Room: testpar, public headers only.
//
// A lock that is held while a rank waits for others stops both files: the program hangs.

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <thread>
#include <vector>

#include "pattern.hpp"

using par::Id;

int par::wanted_thread_level() { return MPI_THREAD_MULTIPLE; }

namespace {

bool has_threads() {
  int level = MPI_THREAD_SINGLE;
  MPI_Query_thread(&level);
  if (level == MPI_THREAD_MULTIPLE) return true;
  if (par::rank() == 0) std::printf("this MPI library has no MPI_THREAD_MULTIPLE\n");
  return false;
}

/// Runs `act(number, communicator of these threads)` in two threads of each rank, of which it may start either
/// one first. Checks are of the caller: a thread answers whether all was well.
void in_two_threads(const std::function<bool(int, MPI_Comm)>& act) {
  if (!has_threads()) return;
  MPI_Comm comms[2];
  for (MPI_Comm& comm : comms) MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  std::atomic<int> good{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) {
    const int number = (i + par::rank()) % 2;
    threads.emplace_back([&, number] {
      H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
      if (act(number, comms[number]))
        ++good;
      else
        std::fprintf(stderr, "rank %d: %s", par::rank(), par::error_text().c_str());
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(good == 2);
  for (MPI_Comm& comm : comms) MPI_Comm_free(&comm);
}

constexpr hsize_t kRow = 100;

/// A row for each rank; the last one of several has nothing.
struct Slab {
  Slab() : file(H5Screate_simple(2, dims().data(), nullptr)) {
    const hsize_t row = kRow;
    memory = Id(H5Screate_simple(1, &row, nullptr));
    const hsize_t start[2] = {static_cast<hsize_t>(par::rank()), 0}, count[2] = {1, kRow};
    H5Sselect_hyperslab(file, H5S_SELECT_SET, start, nullptr, count, nullptr);
    if (par::size() == 1 || par::rank() < par::size() - 1) return;
    H5Sselect_none(file);
    H5Sselect_none(memory);
  }
  static std::vector<hsize_t> dims() { return {static_cast<hsize_t>(par::size()), kRow}; }
  Id file, memory;
};

bool write_and_read(hid_t file, const char* name, bool filtered, int value) {
  const Slab slab;
  const Id list(H5Pcreate(H5P_DATASET_CREATE));
  const hsize_t chunk[2] = {1, 30};
  if (filtered && (H5Pset_chunk(list, 2, chunk) < 0 || H5Pset_deflate(list, 1) < 0)) return false;
  const Id space(H5Screate_simple(2, Slab::dims().data(), nullptr));
  const Id data(H5Dcreate2(file, name, H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT));
  const Id transfer(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  const std::vector<int> mine(kRow, value + par::rank());
  std::vector<int> found(kRow, -1);
  if (H5Dwrite(data, H5T_NATIVE_INT, slab.memory, slab.file, transfer, mine.data()) < 0 ||
      H5Dread(data, H5T_NATIVE_INT, slab.memory, slab.file, transfer, found.data()) < 0)
    return false;
  return H5Sget_select_npoints(slab.file) == 0 || found == mine;
}

std::string names[2];

void name_files(const char* word) {
  for (int i = 0; i < 2; ++i) names[i] = par::file_name(word + std::to_string(i));
}

Id made(int number, MPI_Comm comm) {
  const Id access(par::mpio_access(comm));
  return Id(H5Fcreate(names[number].c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
}

herr_t open_each(hid_t group, const char* name, const H5L_info_t*, void*) {
  const Id object(H5Oopen(group, name, H5P_DEFAULT));
  return object.valid() ? 0 : -1;
}

}  // namespace

CASE(two_threads_drive_two_files) {
  name_files("threads");
  in_two_threads([](int number, MPI_Comm comm) {
    Id file = made(number, comm);
    bool good = file.valid();
    for (int i = 0; good && i < 12; ++i) {
      const std::string name = "data" + std::to_string(i);
      good = write_and_read(file, name.c_str(), i % 3 == number, 1000 * number + i);
      if (good && i % 4 == 0) good = H5Fflush(file, H5F_SCOPE_LOCAL) >= 0;
    }
    good = good && H5Literate(file, H5_INDEX_NAME, H5_ITER_INC, nullptr, open_each, nullptr) == 0;
    return file.close() >= 0 && good;
  });
}

CASE(one_thread_opens_files_while_another_writes) {
  name_files("opens");
  in_two_threads([](int number, MPI_Comm comm) {
    bool good = true;
    if (number == 0) {
      for (int i = 0; good && i < 6; ++i) {
        Id file = made(number, comm);
        good = file.valid() && write_and_read(file, "data", false, i) && file.close() >= 0;
      }
      return good;
    }
    Id file = made(number, comm);
    for (int i = 0; good && i < 12; ++i)
      good = write_and_read(file, ("data" + std::to_string(i)).c_str(), false, i);
    return file.close() >= 0 && good;
  });
}

#ifdef PCIO_VERSION

namespace {

/// A variable-length string of this rank in a dataset of all of them, overwritten twice.
bool write_texts(hid_t file, const char* name, const std::string& word) {
  const Id type(H5Tcopy(H5T_C_S1));
  H5Tset_size(type, H5T_VARIABLE);
  const hsize_t ranks = static_cast<hsize_t>(par::size()), one = 1;
  const hsize_t start = static_cast<hsize_t>(par::rank());
  const Id space(H5Screate_simple(1, &ranks, nullptr)), memory(H5Screate_simple(1, &one, nullptr));
  const Id data(H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  const Id transfer(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &one, nullptr);
  for (int version = 0; version < 3; ++version) {
    const std::string text = word + std::to_string(version) + std::string(par::rank() * 7U, 'r');
    const char* given = text.c_str();
    char* found = nullptr;
    if (H5Dwrite(data, type, memory, space, transfer, &given) < 0 ||
        H5Dread(data, type, memory, space, transfer, &found) < 0)
      return false;
    const bool same = text == found;
    H5free_memory(found);
    if (!same) return false;
  }
  return true;
}

/// References to the rows of `target`, made by all ranks; each writes its own and looks where it leads.
bool refer_to_rows(hid_t file, const char* name, const char* target) {
  const hsize_t ranks = static_cast<hsize_t>(par::size()), one = 1;
  const hsize_t rank = static_cast<hsize_t>(par::rank());
  const Id rows(H5Screate_simple(2, Slab::dims().data(), nullptr));
  std::vector<hdset_reg_ref_t> all(ranks);
  for (hsize_t row = 0; row < ranks; ++row) {
    const hsize_t start[2] = {row, 0}, count[2] = {1, row + 1};
    H5Sselect_hyperslab(rows, H5S_SELECT_SET, start, nullptr, count, nullptr);
    if (H5Rcreate(all[row], file, target, H5R_DATASET_REGION, rows) < 0) return false;
  }
  const Id space(H5Screate_simple(1, &ranks, nullptr)), memory(H5Screate_simple(1, &one, nullptr));
  const Id data(
      H5Dcreate2(file, name, H5T_STD_REF_DSETREG, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  const Id transfer(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  H5Sselect_hyperslab(space, H5S_SELECT_SET, &rank, nullptr, &one, nullptr);
  hdset_reg_ref_t found{};
  if (H5Dwrite(data, H5T_STD_REF_DSETREG, memory, space, transfer, all[rank]) < 0 ||
      H5Dread(data, H5T_STD_REF_DSETREG, memory, space, transfer, found) < 0)
    return false;
  const Id region(H5Rget_region(data, H5R_DATASET_REGION, found));
  return H5Sget_select_npoints(region) == static_cast<hssize_t>(rank + 1);
}

/// Two datasets in a call; one with filters.
bool write_two(hid_t file, const std::string& name, int value) {
  const Slab slab;
  const Id space(H5Screate_simple(2, Slab::dims().data(), nullptr));
  const Id list(H5Pcreate(H5P_DATASET_CREATE)), transfer(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  const hsize_t chunk[2] = {1, 40};
  if (H5Pset_chunk(list, 2, chunk) < 0 || H5Pset_deflate(list, 1) < 0) return false;
  const Id plain(H5Dcreate2(file, (name + "p").c_str(), H5T_NATIVE_INT, space, H5P_DEFAULT,
                            H5P_DEFAULT, H5P_DEFAULT));
  const Id packed(H5Dcreate2(file, (name + "f").c_str(), H5T_NATIVE_INT, space, H5P_DEFAULT, list,
                             H5P_DEFAULT));
  hid_t sets[2] = {plain, packed}, types[2] = {H5T_NATIVE_INT, H5T_NATIVE_INT};
  hid_t memory[2] = {slab.memory, slab.memory}, places[2] = {slab.file, slab.file};
  const std::vector<int> first(kRow, value), second(kRow, -value);
  const void* from[2] = {first.data(), second.data()};
  std::vector<int> one(kRow), two(kRow);
  void* into[2] = {one.data(), two.data()};
  if (H5Dwrite_multi(2, sets, types, memory, places, transfer, from) < 0 ||
      H5Dread_multi(2, sets, types, memory, places, transfer, into) < 0)
    return false;
  return H5Sget_select_npoints(slab.file) == 0 || (one == first && two == second);
}

/// What this rank wrote independently and atomically it reads.
bool write_atomically(hid_t file, const char* name, int value) {
  const Slab slab;
  const Id space(H5Screate_simple(2, Slab::dims().data(), nullptr));
  const Id data(
      H5Dcreate2(file, name, H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  if (H5Fset_mpi_atomicity(file, true) < 0) return false;
  const Id transfer(par::transfer_list(H5FD_MPIO_INDEPENDENT));
  const std::vector<int> mine(kRow, value + par::rank());
  std::vector<int> found(kRow, -1);
  bool good = H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0;
  for (int i = 0; good && i < 4; ++i)
    good = H5Dwrite(data, H5T_NATIVE_INT, slab.memory, slab.file, transfer, mine.data()) >= 0 &&
           H5Dread(data, H5T_NATIVE_INT, slab.memory, slab.file, transfer, found.data()) >= 0;
  good = good && (H5Sget_select_npoints(slab.file) == 0 || found == mine);
  return H5Fset_mpi_atomicity(file, false) >= 0 && good;
}

/// Both files are read by one rank for all; they have external links to each other's name.
Id made_with_shared_reads(int number, MPI_Comm comm) {
  const Id access(par::mpio_access(comm));
  H5Pset_all_coll_metadata_ops(access, true);
  return Id(H5Fcreate(names[number].c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
}

bool all_kinds(hid_t file, int number) {
  const std::string n = std::to_string(number);
  bool good = write_and_read(file, "rows", number == 0, number);
  for (int i = 0; good && i < 3; ++i) {
    const std::string at = std::to_string((i + number) % 3);
    good = write_texts(file, ("texts" + at).c_str(), "file " + n + " ") &&
           refer_to_rows(file, ("refs" + at).c_str(), "rows") &&
           write_two(file, "two" + at, 100 + i) &&
           write_atomically(file, ("atomic" + at).c_str(), 1000 * number);
    for (int again = 0; good && again < 5; ++again) {
      const Id set(H5Dopen2(file, ("two" + at + "f").c_str(), H5P_DEFAULT));
      good = set.valid() && H5Lexists(file, "rows", H5P_DEFAULT) > 0 &&
             H5Oexists_by_name(file, "rows", H5P_DEFAULT) > 0;
    }
  }
  return good && H5Literate(file, H5_INDEX_NAME, H5_ITER_INC, nullptr, open_each, nullptr) == 0;
}

}  // namespace

CASE(two_threads_make_calls_of_all_kinds) {
  name_files("kinds");
  in_two_threads([](int number, MPI_Comm comm) {
    Id file = made_with_shared_reads(number, comm);
    bool good = file.valid() && all_kinds(file, number);
    good = file.close() >= 0 && good;
    if (!good) return false;
    const Id access(par::mpio_access(comm));
    H5Pset_all_coll_metadata_ops(access, true);
    file = Id(H5Fopen(names[number].c_str(), H5F_ACC_RDONLY, access));
    for (const char* name : {"rows", "refs0", "texts1", "two2p"}) {
      const Id set(H5Dopen2(file, name, H5P_DEFAULT));
      good = good && set.valid();
    }
    return file.close() >= 0 && good;
  });
}

/// Both files have a virtual dataset whose source lies in a third one, and links to it.
CASE(both_files_read_one_source) {
  const std::string third = par::file_name("third");
  name_files("readers");
  if (par::rank() == 0) {
    const Id file(H5Fcreate(third.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
    const hsize_t row = kRow;
    const Id space(H5Screate_simple(1, &row, nullptr));
    const Id data(
        H5Dcreate2(file, "source", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    const std::vector<int> values(kRow, 7);
    CHECK(H5Dwrite(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  in_two_threads([&](int number, MPI_Comm comm) {
    Id file = made(number, comm);
    const hsize_t row = kRow;
    const Id space(H5Screate_simple(1, &row, nullptr)), list(H5Pcreate(H5P_DATASET_CREATE));
    bool good = H5Pset_virtual(list, space, third.c_str(), "source", space) >= 0;
    Id data(H5Dcreate2(file, "virtual", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT));
    good = good &&
           H5Lcreate_external(third.c_str(), "source", file, "link", H5P_DEFAULT, H5P_DEFAULT) >= 0;
    const Id transfer(par::transfer_list(H5FD_MPIO_COLLECTIVE));
    for (int i = 0; good && i < 20; ++i) {
      std::vector<int> found(kRow, -1);
      good = H5Dread(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, transfer, found.data()) >= 0 &&
             found == std::vector<int>(kRow, 7);
      const Id linked(H5Dopen2(file, "link", H5P_DEFAULT));
      good = good && linked.valid();
    }
    good = data.close() >= 0 && good;
    return file.close() >= 0 && good;
  });
}

#endif

/// The last rank comes to the second file only when the first one was written, read, opened and closed: whoever
/// waits for it must not be in the way.
CASE(one_thread_waits_for_a_rank_that_comes_late) {
  name_files("late");
  std::atomic<bool> done{false};
  in_two_threads([&](int number, MPI_Comm comm) {
    Id file = made(number, comm);
    bool good = file.valid();
    if (number == 1) {
      const bool last = par::rank() == par::size() - 1;
      while (last && !done.load()) std::this_thread::yield();
      good = good && H5Fflush(file, H5F_SCOPE_LOCAL) >= 0 && write_and_read(file, "d", true, 7);
      return file.close() >= 0 && good;
    }
    for (int i = 0; good && i < 3; ++i)
      good = write_and_read(file, ("d" + std::to_string(i)).c_str(), i % 2 == 1, i);
    good = good && file.close() >= 0;
    const Id access(par::mpio_access(comm));
    const Id again(H5Fopen(names[0].c_str(), H5F_ACC_RDWR, access));
    good = good && again.valid() && H5Fflush(again, H5F_SCOPE_LOCAL) >= 0;
    done.store(true);
    return good;
  });
}

/// The last rank can't come to a write of the second file, whose ranks are told in its next call; meanwhile and
/// after that the first file is as always.
CASE(one_thread_waits_for_a_rank_that_does_not_come) {
  name_files("absent");
  std::atomic<bool> done{false};
  in_two_threads([&](int number, MPI_Comm comm) {
    Id file = made(number, comm);
    bool good = file.valid();
    if (number == 0) {
      for (int i = 0; good && i < 3; ++i)
        good = write_and_read(file, ("d" + std::to_string(i)).c_str(), i % 2 == 1, i);
      done.store(true);
      good = good && write_and_read(file, "e", true, 7);
      return file.close() >= 0 && good;
    }
    const Slab slab;
    const Id space(H5Screate_simple(2, Slab::dims().data(), nullptr));
    Id data(H5Dcreate2(file, "d", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    const Id transfer(par::transfer_list(H5FD_MPIO_COLLECTIVE));
    const std::vector<int> mine(kRow, number);
    const bool last = par::rank() == par::size() - 1;
    const hid_t list = last ? hid_t{H5T_NATIVE_INT} : hid_t{transfer};
    const herr_t written =
        H5Dwrite(data, H5T_NATIVE_INT, slab.memory, slab.file, list, mine.data());
    while (last && !done.load()) std::this_thread::yield();
    good = good && written < 0;
    const herr_t flushed = H5Fflush(file, H5F_SCOPE_LOCAL);
    good = good && (flushed >= 0) == (par::size() == 1);
    data.close();
    file.close();
    return good;
  });
}

#ifdef PCIO_VERSION

/// As on two nodes: while one thread's rank waits for what it writes beside, the other one goes on with its file.
CASE(two_threads_write_beside) {
  name_files("beside");
  const std::vector<hsize_t> dims = {600, 200};
  setenv("PCIO_CHECK", "nodes:2", 1);
  in_two_threads([&](int number, MPI_Comm comm) {
    Id file = made(number, comm);
    const Id space(H5Screate_simple(2, dims.data(), nullptr));
    Id data(H5Dcreate2(file, "d", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    const Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
    bool good = data.valid() && pcio_set_dxpl_exchange_memory(list, 1 << 20) >= 0 &&
                pcio_set_dxpl_transport(list, PCIO_TRANSPORT_EXCHANGE) >= 0;
    for (int i = 1; good && i < 5; ++i) {
      par::Transfer transfer;
      transfer.pattern = i % 2 == 0 ? par::Pattern::kColumns : par::Pattern::kCyclic;
      transfer.who = par::rank();
      transfer.list = list;
      transfer.generation = 10 * number + i;
      good = par::write_part(data, dims, transfer) && par::read_part(data, dims, transfer) == 0;
    }
    return data.close() >= 0 && file.close() >= 0 && good;
  });
  unsetenv("PCIO_CHECK");
}

#endif
