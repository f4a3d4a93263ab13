// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// The fault matrix: one rank's failure in a collective transfer is an error on every rank within 5
// seconds, and the file shows what was flushed before. Room: testpar, public headers only, and
// faults/ for failures on demand.
//
// {what fails} x {each rank} x {way of transfer} x {transport}. The last line says how many cells
// there were, how many faults struck (a rank that does no I/O cannot fail in it), and failures.
// Calls that don't match are in t_mismatched_calls.cpp.

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <mpi.h>

#include "faults/cells.hpp"

using namespace faults;

// ---- the matrix --------------------------------------------------------------------------------

CASE(arguments_of_one_rank) {
  for_each_way("fault_arguments", false, [](Victim& victim, Cell cell) {
    for (const bool write : {true, false})
      for (const Wrong wrong :
           {Wrong::kCounts, Wrong::kOutside, Wrong::kType, Wrong::kNoBuffer, Wrong::kBadSpace}) {
        cell.write = write;
        cell.wrong = wrong;
        cell.fault_name = name_of(wrong);
        CHECK(run_cell(victim, cell));
      }
    try_again(victim, cell);
  });
}

CASE(allocation_on_one_rank) {
  // The allocations of a transfer, the late ones with growing steps.
  for_each_way("fault_memory", false, [](Victim& victim, Cell cell) {
    cell.fault = Fault::kNoMemory;
    cell.fault_name = "allocation";
    for (const bool write : {true, false}) {
      cell.write = write;
      bool struck = true;
      for (std::uint64_t at = 0; struck && at < 2000; at += 1 + at / (whole_matrix() ? 12 : 3)) {
        cell.position = at;
        struck = run_cell(victim, cell);
      }
    }
    try_again(victim, cell);
  });
}

CASE(short_write_of_one_rank) {
  long before = counts.struck;
  for_each_way("fault_write", true, [](Victim& victim, Cell cell) {
    for (const auto& [fault, name] : {std::pair{Fault::kShortWrite, "short write"},
                                      std::pair{Fault::kWriteError, "write error"}}) {
      cell.fault = fault;
      cell.fault_name = name;
      for (cell.position = 0; cell.position < 12; cell.position += 1 + cell.position / 2)
        if (!run_cell(victim, cell)) break;
    }
    try_again(victim, cell);
  });
  CHECK(counts.struck > before);
}

CASE(short_read_of_one_rank) {
  long before = counts.struck;
  for_each_way("fault_read", false, [](Victim& victim, Cell cell) {
    try_again(victim, cell);
    cell.write = false;
    for (const auto& [fault, name] :
         {std::pair{Fault::kShortRead, "short read"}, std::pair{Fault::kReadError, "read error"}}) {
      cell.fault = fault;
      cell.fault_name = name;
      for (cell.position = 0; cell.position < 12; cell.position += 1 + cell.position / 2)
        if (!run_cell(victim, cell)) break;
    }
    try_again(victim, cell);
  });
  CHECK(counts.struck > before);
}

/// The index of the chunks can't be read: on one rank, and on all.
CASE(unreadable_index) {
  for (const Way& way : kWays) {
    if (!way.chunked) continue;
    for (const pcio_transport_t transport : transports(false))
      for (const int culprit : culprits())
        for (const bool write : {false, true}) {
          Victim victim = make_victim(true, par::file_name("fault_index"));
          reopen(victim);
          run_cell(victim, Cell{&way, transport, write, culprit, "first read", Wrong::kNothing,
                                Fault::kReadError, 0});
          close_victim(victim, 0);
        }
  }
}

namespace {

/// Rank 0 spoils the signature of each B-tree node of chunks behind the first, which is that of
/// "before". False if there is none.
bool spoil_index(const std::string& name) {
  bool found = true;
  if (par::rank() == 0) {
    std::FILE* const file = std::fopen(name.c_str(), "r+b");
    std::vector<char> bytes(1 << 20);
    bytes.resize(std::fread(bytes.data(), 1, bytes.size(), file));
    std::vector<std::size_t> nodes;
    for (std::size_t i = 0; i + 8 < bytes.size(); ++i)
      if (std::memcmp(&bytes[i], "TREE\1", 5) == 0) nodes.push_back(i);
    found = nodes.size() == 2;
    if (found) {
      std::fseek(file, static_cast<long>(nodes[1]), SEEK_SET);
      std::fputs("EERT", file);
    }
    std::fclose(file);
  }
  return par::all(found);
}

}  // namespace

CASE(spoilt_index) {
  for (const Way& way : kWays) {
    if (!way.chunked) continue;
    for (const bool write : {false, true}) {
      Victim victim = make_victim(true, par::file_name("fault_spoilt"));
      CHECK(victim.data.close() >= 0 && victim.file.close() >= 0);
      CHECK(spoil_index(victim.name));
      const Id access(par::mpio_access());
      victim.file = Id(H5Fopen(victim.name.c_str(), H5F_ACC_RDWR, access));
      victim.data = Id(H5Dopen2(victim.file, "data", H5P_DEFAULT));
      begin_cell(std::string(write ? "write" : "read") + " of " + way.name + ": spoilt index");
      ++counts.struck;
      Attempt attempt(victim.data, list_for(way, PCIO_TRANSPORT_NONE), 2, Wrong::kNothing);
      begin_watch();
      judge(!attempt.move(victim.data, write), "the index is spoilt, and the transfer succeeds");
      const Id before(H5Dopen2(victim.file, "before", H5P_DEFAULT));
      judge(par::read_part(before, kDims, rows(1)) == 0, "the other dataset is not readable");
      end_watch();
    }
  }
}

// ---- full disks --------------------------------------------------------------------------------

namespace {

/// 16 positions of a full disk, on all ranks and on each; a sample of them in short tests.
void full_disk_cells(const Way& way, pcio_transport_t transport) {
  const std::uint64_t share =
      kDims[0] * kDims[1] * sizeof(double) / static_cast<std::uint64_t>(par::size());
  const bool all = whole_matrix();
  for (int culprit = -1; culprit < par::size(); culprit += all ? 1 : par::size())
    for (std::uint64_t i = 0; i < 16; i += all ? 1 : 5) {
      Victim victim = make_victim(way.chunked, par::file_name("fault_full"));
      const Cell cell{&way,
                      transport,
                      true,
                      culprit,
                      "disk full at byte",
                      Wrong::kNothing,
                      Fault::kDiskFull,
                      i * share / 16};
      const bool struck = run_cell(victim, cell);
      close_victim(victim, struck ? 0 : 2);
    }
}

}  // namespace

CASE(full_disk) {
  const long before = counts.struck;
  for (const Way& way : kWays)
    for (const pcio_transport_t transport : transports(true)) full_disk_cells(way, transport);
  CHECK(counts.struck > before);
}

namespace {

// A disk of 2 MiB that is really full.
const std::vector<hsize_t> kLarge = {256, 512};  // 1 MiB of double
constexpr std::size_t kLargeBytes = std::size_t{1} << 20;

/// Fills the folder up so that `free` bytes are left, or nearly so.
void fill_up(const std::string& name, std::size_t free_bytes, std::size_t room) {
  if (par::rank() == 0 && room > free_bytes) {
    std::FILE* const file = std::fopen(name.c_str(), "wb");
    const std::vector<char> block(4096, 'x');
    for (std::size_t done = 0; done + block.size() <= room - free_bytes; done += block.size())
      if (std::fwrite(block.data(), 1, block.size(), file) != block.size()) break;
    std::fclose(file);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

/// 1 MiB to a disk that has room for i / 16 of it.
void write_to_small_disk(const std::string& folder, const Way& way, pcio_transport_t transport,
                         std::size_t i) {
  begin_cell(std::string("write of ") + way.name + " by " + pcio_transport_name(transport) +
             ": room for " + std::to_string(i) + "/16");
  const std::string name = folder + "/disk.h5", filler = folder + "/filler";
  Victim victim = make_victim(way.chunked, name);
  victim.data.close();
  const Id space(H5Screate_simple(2, kLarge.data(), nullptr)), list(H5Pcreate(H5P_DATASET_CREATE));
  const hsize_t chunk[2] = {60, 100};
  if (way.chunked) CHECK(H5Pset_chunk(list, 2, chunk) >= 0);
  Id large(H5Dcreate2(victim.file, "large", H5T_IEEE_F64LE, space, H5P_DEFAULT, list, H5P_DEFAULT));
  CHECK(large.valid() && H5Fflush(victim.file, H5F_SCOPE_GLOBAL) >= 0);
  // 64 KiB are enough for what the file has already.
  fill_up(filler, i * kLargeBytes / 16, (std::size_t{2} << 20) - (std::size_t{64} << 10));
  par::Transfer transfer = rows(2);
  const Id transfer_list = list_for(way, transport);
  transfer.list = transfer_list;
  begin_watch();
  const double began = MPI_Wtime();
  const bool done = par::write_part(large, kLarge, transfer);
  judge(MPI_Wtime() - began < kSeconds, "it took more than 5 seconds");
  counts.struck += par::any(!done) ? 1 : 0;
  judge(!done, "the disk is full, and this rank calls it a success");
  // Closing may fail for want of room, but for all ranks, and the file is as it was flushed.
  large.close();
  const bool closed = victim.file.close() >= 0;
  judge(par::all(closed) || !closed, "the file closes on this rank alone");
  end_watch();
  remove_file(filler);
  check_file(name, 1);
  remove_file(name);
}

}  // namespace

/// Where PCIO_FULL_DISK names a folder with room for 2 MiB.
CASE(disk_of_two_mebibytes) {
  const char* const folder = std::getenv("PCIO_FULL_DISK");
  if (folder == nullptr) return;
  for (const Way& way : kWays)
    for (const pcio_transport_t transport : transports(true))
      for (std::size_t i = 0; i < 16; i += whole_matrix() ? 1 : 5)
        write_to_small_disk(folder, way, transport, i);
}
