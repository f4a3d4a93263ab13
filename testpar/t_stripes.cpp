// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Collective writes of two nodes on a file system that locks stripes, both played: no stripe of an exchange
// or of chunks with filters has writers on two nodes, and of direct writes only where pieces are as long as a stripe. Every write is noted by
// MPI's profiling interface, or where a thread of the library makes it, and replayed in a model of locks. Room: testpar, public headers only.
//
// PCIO_STRIPES_SEED and PCIO_STRIPES_CASES choose other cases. Rank 0 prints one summary line; a value of a dimension
// that does not occur is a failure.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <hdf5.h>
#include <map>
#include <mutex>
#include <pcio.h>
#include <random>
#include <string>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

#include <mpi.h>

#include "support.hpp"

#ifdef PCIO_VERSION

using par::Id;

namespace {

struct Write {
  unsigned long long offset, bytes;
  double when;
};
std::vector<Write> noted;
bool noting = false;
unsigned long long reads = 0;
unsigned long long opened_with_cb_nodes = 0;  ///< handles
std::mutex of_noted;                          ///< a thread of the library writes, too

double now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

void note(unsigned long long offset, unsigned long long bytes) {
  const std::lock_guard<std::mutex> lock(of_noted);
  if (noting && bytes > 0) noted.push_back({offset, bytes, now()});
}

void note(MPI_Offset offset, int count, MPI_Datatype type) {
  int size = 0;
  PMPI_Type_size(type, &size);
  note(static_cast<unsigned long long>(offset),
       static_cast<unsigned long long>(count) * static_cast<unsigned long long>(size));
}

}  // namespace

extern "C" int MPI_File_write_at(MPI_File file, MPI_Offset offset, const void* data, int count,
                                 MPI_Datatype type, MPI_Status* status) {
  note(offset, count, type);
  return PMPI_File_write_at(file, offset, data, count, type, status);
}
/// In the first thread it is MPI's.
extern "C" ssize_t pwrite(int file, const void* data, size_t bytes, off_t offset) {
  if (syscall(SYS_gettid) != getpid()) note(static_cast<unsigned long long>(offset), bytes);
  return syscall(SYS_pwrite64, file, data, bytes, offset);
}
extern "C" ssize_t pwrite64(int file, const void* data, size_t bytes, off64_t offset) {
  return pwrite(file, data, bytes, offset);
}
extern "C" int MPI_File_open(MPI_Comm comm, const char* name, int mode, MPI_Info info,
                             MPI_File* file) {
  int length = 0, found = 0;
  if (info != MPI_INFO_NULL) PMPI_Info_get_valuelen(info, "cb_nodes", &length, &found);
  if (found != 0) ++opened_with_cb_nodes;
  return PMPI_File_open(comm, name, mode, info, file);
}
extern "C" int MPI_File_read_at(MPI_File file, MPI_Offset offset, void* data, int count,
                                MPI_Datatype type, MPI_Status* status) {
  if (count > 0) ++reads;
  return PMPI_File_read_at(file, offset, data, count, type, status);
}

namespace {

/// What a file system that gives each stripe to one node at a time had to do.
struct Locks {
  unsigned long long stripes = 0;      ///< written
  unsigned long long shared = 0;       ///< by more than one node
  unsigned long long revocations = 0;  ///< a node wrote what another one had
  unsigned long long bytes = 0;
};

/// Writes of all ranks in the order of their times; on rank 0.
Locks replay(unsigned long long stripe) {
  const int mine = static_cast<int>(noted.size() * sizeof(Write));
  std::vector<int> sizes(static_cast<std::size_t>(par::size())), starts(sizes.size());
  MPI_Gather(&mine, 1, MPI_INT, sizes.data(), 1, MPI_INT, 0, MPI_COMM_WORLD);
  int total = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    starts[i] = total;
    total += par::rank() == 0 ? sizes[i] : 0;
  }
  std::vector<Write> all(static_cast<std::size_t>(total) / sizeof(Write));
  MPI_Gatherv(noted.data(), mine, MPI_BYTE, all.data(), sizes.data(), starts.data(), MPI_BYTE, 0,
              MPI_COMM_WORLD);
  noted.clear();
  Locks locks;
  if (par::rank() != 0) return locks;
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t i = 0; i < all.size(); ++i) order.emplace_back(all[i].when, i);
  std::sort(order.begin(), order.end());
  struct Holder {
    int node = -1;
    bool shared = false;
  };
  std::map<unsigned long long, Holder> held;
  for (const auto& [when, i] : order) {
    int rank = par::size() - 1;
    while (static_cast<std::size_t>(starts[static_cast<std::size_t>(rank)]) > i * sizeof(Write))
      --rank;
    while (sizes[static_cast<std::size_t>(rank)] == 0) --rank;
    const int node = rank * 2 / par::size();
    locks.bytes += all[i].bytes;
    for (auto s = all[i].offset / stripe; s * stripe < all[i].offset + all[i].bytes; ++s) {
      Holder& holder = held[s];
      if (holder.node >= 0 && holder.node != node) {
        ++locks.revocations;
        holder.shared = true;
      }
      holder.node = node;
    }
  }
  locks.stripes = held.size();
  for (const auto& [s, holder] : held) locks.shared += holder.shared ? 1 : 0;
  return locks;
}

struct Choice {
  const char* dimension;
  std::vector<const char*> values;
};
enum Dimension { kStripe, kLayout, kPattern, kColumns, kMemory, kDone, kDimensions };
const Choice kChoices[kDimensions] = {
    {"stripe", {"4096", "65536", "262144", "1048576"}},
    {"layout", {"contiguous", "tiles", "rows", "filtered tiles", "filtered rows"}},
    {"pattern", {"blocks", "columns", "cyclic"}},
    {"row", {"64", "1000", "32768"}},
    {"memory", {"default", "little"}},  // for exchanges: many batches of encoded chunks
    {"done", {"exchange", "direct", "filtered"}},
};
constexpr std::size_t kMostValues = 5;
bool is_filtered(const int (&at)[kDimensions]) { return at[kLayout] >= 3; }

int number(const char* name, int otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::atoi(text) : otherwise;
}

/// One collective write of a 2-d array of doubles. Which transport it was; the locks on rank 0.
struct Played {
  Locks locks;
  pcio_transport_t transport = PCIO_TRANSPORT_NONE;
  std::string why;
  unsigned long long run =
      0;  ///< mean bytes of this rank's pieces, where the dataset is contiguous
};

Played play(const int (&at)[kDimensions], unsigned seed) {
  const std::string check = std::string("nodes:2 stripe:") +
                            kChoices[kStripe].values[static_cast<std::size_t>(at[kStripe])];
  setenv("PCIO_CHECK", check.c_str(), 1);
  const auto columns = static_cast<hsize_t>(
      std::atoi(kChoices[kColumns].values[static_cast<std::size_t>(at[kColumns])]));
  const auto p = static_cast<hsize_t>(par::size()), r = static_cast<hsize_t>(par::rank());
  const hsize_t bytes = is_filtered(at) ? 6'000'000 : 2'000'000;
  const hsize_t rows = std::max<hsize_t>(4 * p, bytes / 8 / columns + seed % 7);
  const hsize_t dims[2] = {rows, columns};
  const std::string name = par::file_name("stripes");
  const Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, Id(par::mpio_access())));
  const Id list(H5Pcreate(H5P_DATASET_CREATE)), space(H5Screate_simple(2, dims, nullptr));
  const hsize_t tile[2] = {std::max<hsize_t>(1, rows / 5), std::max<hsize_t>(1, columns / 3)},
                row[2] = {1 + seed % 3, columns};
  if (at[kLayout] == 1 || at[kLayout] == 3) H5Pset_chunk(list, 2, tile);
  if (at[kLayout] == 2 || at[kLayout] == 4) H5Pset_chunk(list, 2, row);
  if (is_filtered(at)) H5Pset_deflate(list, 1);
  H5Pset_fill_time(list, H5D_FILL_TIME_NEVER);
  const Id data(H5Dcreate2(file, "d", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, list, H5P_DEFAULT));
  const Id from(H5Scopy(space));
  hsize_t start[2] = {0, 0}, stride[2] = {1, 1}, count[2] = {1, 1}, block[2] = {rows, columns};
  unsigned long long runs = 1;
  if (at[kPattern] == 0) {
    start[0] = rows * r / p;
    block[0] = rows * (r + 1) / p - start[0];
  } else if (at[kPattern] == 1) {
    start[1] = columns * r / p;
    block[1] = columns * (r + 1) / p - start[1];
    runs = rows;
  } else {
    start[0] = r;
    stride[0] = p;
    count[0] = (rows - r + p - 1) / p;
    block[0] = 1;
    runs = count[0];
  }
  H5Sselect_hyperslab(from, H5S_SELECT_SET, start, stride, count, block);
  const auto elements = static_cast<hsize_t>(H5Sget_select_npoints(from));
  const Id memory(H5Screate_simple(1, &elements, nullptr));
  std::vector<double> values(elements);
  for (hsize_t i = 0; i < elements; ++i) values[i] = static_cast<double>(r * 1'000'000'007 + i);
  std::mt19937_64 noise(seed + r);
  if (is_filtered(at))  // a few bytes of each go away
    for (double& value : values) value = static_cast<double>(noise() >> 20);
  const Id how(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  // (In exchanges little memory cuts stripes.)
  if (at[kMemory] == 1 && is_filtered(at)) CHECK(pcio_set_dxpl_exchange_memory(how, 1 << 20) >= 0);
  noting = true;
  CHECK(H5Dwrite(data, H5T_NATIVE_DOUBLE, memory, from, how, values.data()) >= 0);
  noting = false;
  pcio_transfer_report_t report;
  CHECK(pcio_get_transfer_report(how, &report, sizeof report) >= 0);
  Played played{{}, report.transport, report.transport_why, elements * 8 / runs};
  played.locks = replay(
      std::strtoull(kChoices[kStripe].values[static_cast<std::size_t>(at[kStripe])], nullptr, 10));
  std::vector<double> found(elements);
  CHECK(H5Dread(data, H5T_NATIVE_DOUBLE, memory, from, how, found.data()) >= 0);
  CHECK(found == values);
  return played;
}

CASE(no_stripe_of_an_exchange_has_two_nodes) {
  if (par::size() < 2 || !par::collective_by_itself()) return;
  const auto seed = static_cast<unsigned>(number("PCIO_STRIPES_SEED", 1));
  const int cases = number("PCIO_STRIPES_CASES", 64);
  std::mt19937 random(seed);
  int bins[kDimensions][kMostValues] = {};
  Locks all;
  unsigned long long exchanged = 0, refused = 0;
  for (int i = 0; i < cases; ++i) {
    int at[kDimensions] = {};
    for (int d = 0; d < kDone; ++d) at[d] = static_cast<int>(random() % kChoices[d].values.size());
    const Played played = play(at, static_cast<unsigned>(random()));
    at[kDone] = is_filtered(at) ? 2 : played.transport == PCIO_TRANSPORT_EXCHANGE ? 0 : 1;
    for (int d = 0; d < kDimensions; ++d) ++bins[d][at[d]];
    unsigned long long least_run = played.run;
    MPI_Allreduce(MPI_IN_PLACE, &least_run, 1, MPI_UNSIGNED_LONG_LONG, MPI_MIN, MPI_COMM_WORLD);
    refused += played.why == "runs shorter than a stripe" ? 1 : 0;
    if (par::rank() != 0) continue;
    const unsigned long long stripe =
        std::strtoull(kChoices[kStripe].values[static_cast<std::size_t>(at[kStripe])], nullptr, 10);
    if (at[kDone] != 1) {
      exchanged += played.locks.bytes;
      if (played.locks.shared != 0 || played.locks.revocations != 0)
        std::printf("seed %u case %d: %llu of %llu stripes of %llu bytes have two nodes\n", seed, i,
                    played.locks.shared, played.locks.stripes, stripe);
      CHECK(played.locks.shared == 0);
      CHECK(played.locks.revocations == 0);
      CHECK(played.locks.stripes > 0);
    } else {
      CHECK(played.transport == PCIO_TRANSPORT_DIRECT);
      if (at[kLayout] == 0) CHECK(least_run >= stripe);
    }
    all.stripes += played.locks.stripes;
    all.shared += played.locks.shared;
    all.revocations += played.locks.revocations;
  }
  if (par::rank() != 0) return;
  std::printf(
      "stripes: seed %u, %d cases on %d ranks, %llu stripes, of direct writes %llu with two nodes, "
      "%llu revocations",
      seed, cases, par::size(), all.stripes, all.shared, all.revocations);
  for (int d = 0; d < kDimensions; ++d) {
    std::printf(" | %s", kChoices[d].dimension);
    for (std::size_t v = 0; v < kChoices[d].values.size(); ++v) {
      std::printf(" %s:%d", kChoices[d].values[v], bins[d][v]);
      CHECK(bins[d][v] > 0);
    }
  }
  std::printf(" | for stripes:%llu\n", refused);
  CHECK(exchanged > 0);
  CHECK(refused > 0);
}

/// A new file of all ranks by the name of a case, with one hint.
Id create_with_hint(const char* of_case, const char* key, const char* value) {
  MPI_Info hints = MPI_INFO_NULL;
  MPI_Info_create(&hints);
  if (key != nullptr) MPI_Info_set(hints, key, value);
  const Id access(H5Pcreate(H5P_FILE_ACCESS));
  H5Pset_fapl_mpio(access, MPI_COMM_WORLD, hints);
  MPI_Info_free(&hints);
  return Id(H5Fcreate(par::file_name(of_case).c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
}

/// Where the file system says nothing the program's hint counts; on several nodes only.
CASE(the_hint_striping_unit_counts) {
  if (par::size() < 2 || !par::collective_by_itself()) return;
  for (const bool nodes : {true, false}) {
    setenv("PCIO_CHECK", nodes ? "nodes:2" : "", 1);
    const Id file = create_with_hint("hint", "striping_unit", "1048576");
    const auto p = static_cast<hsize_t>(par::size()), r = static_cast<hsize_t>(par::rank());
    const hsize_t dims[2] = {8 * p, 8192}, start[2] = {r, 0}, stride[2] = {p, 1}, count[2] = {8, 1},
                  block[2] = {1, 8192};
    const Id space(H5Screate_simple(2, dims, nullptr));
    const Id data(
        H5Dcreate2(file, "d", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, stride, count, block);
    const hsize_t elements = 8 * 8192;
    const Id memory(H5Screate_simple(1, &elements, nullptr));
    const std::vector<double> values(elements, static_cast<double>(r));
    const Id how(par::transfer_list(H5FD_MPIO_COLLECTIVE));
    CHECK(H5Dwrite(data, H5T_NATIVE_DOUBLE, memory, space, how, values.data()) >= 0);
    pcio_transfer_report_t report;
    CHECK(pcio_get_transfer_report(how, &report, sizeof report) >= 0);
    CHECK((std::string(report.transport_why) == "runs shorter than a stripe") == nodes);
  }
}

/// How many ranks write, or read, at a time in an exchange between nodes.
CASE(the_hints_cb_nodes_and_cb_config_list_count) {
  if (par::size() < 2 || !par::collective_by_itself()) return;
  const struct {
    const char *key, *value;
    int ranks;  // 0: all
  } kHints[] = {{"cb_nodes", "1", 1}, {"cb_config_list", "*:1", 2}, {"cb_nodes", "many", 0}};
  setenv("PCIO_CHECK", "nodes:2", 1);
  for (const auto& hint : kHints) {
    const Id file = create_with_hint("writers", hint.key, hint.value);
    const auto p = static_cast<hsize_t>(par::size()), r = static_cast<hsize_t>(par::rank());
    const hsize_t dims[2] = {4096, 16 * p}, start[2] = {0, 16 * r}, count[2] = {4096, 16};
    const Id space(H5Screate_simple(2, dims, nullptr));
    const Id data(
        H5Dcreate2(file, "d", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, count, nullptr);
    const hsize_t elements = 4096 * 16;
    const Id memory(H5Screate_simple(1, &elements, nullptr));
    std::vector<double> values(elements, static_cast<double>(r)), found(elements, -1);
    const Id how(par::transfer_list(H5FD_MPIO_COLLECTIVE));
    noted.clear();
    noting = true;
    CHECK(H5Dwrite(data, H5T_NATIVE_DOUBLE, memory, space, how, values.data()) >= 0);
    noting = false;
    const unsigned long long reads_before = reads;
    // What the next rank wrote.
    const hsize_t next = (r + 1) % p, there[2] = {0, 16 * next};
    H5Sselect_hyperslab(space, H5S_SELECT_SET, there, nullptr, count, nullptr);
    CHECK(H5Dread(data, H5T_NATIVE_DOUBLE, memory, space, how, found.data()) >= 0);
    CHECK(found == std::vector<double>(elements, static_cast<double>(next)));
    pcio_transfer_report_t report;
    CHECK(pcio_get_transfer_report(how, &report, sizeof report) >= 0);
    CHECK(report.transport == PCIO_TRANSPORT_EXCHANGE);
    int moved[2] = {noted.empty() ? 0 : 1, reads > reads_before ? 1 : 0};
    noted.clear();
    MPI_Allreduce(MPI_IN_PLACE, moved, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (const int owners : moved) CHECK(owners == (hint.ranks > 0 ? hint.ranks : par::size()));
  }
}

/// A dataset of which each rank has `mine` elements, every p-th of p ranks, and a list that moves them through a view.
struct Interleaved {
  hsize_t mine, all;
  Id space, memory, data, how;
  Interleaved(hid_t file, hsize_t count)
      : mine(count),
        all(count * static_cast<hsize_t>(par::size())),
        space(H5Screate_simple(1, &all, nullptr)),
        memory(H5Screate_simple(1, &mine, nullptr)),
        data(H5Dcreate2(file, "d", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)),
        how(par::transfer_list(H5FD_MPIO_COLLECTIVE)) {
    const hsize_t start = static_cast<hsize_t>(par::rank()), p = static_cast<hsize_t>(par::size());
    H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, &p, &mine, nullptr);
    pcio_set_dxpl_transport(how, PCIO_TRANSPORT_VIEW);
  }
  bool write(const std::vector<int>& values) const {
    return H5Dwrite(data, H5T_NATIVE_INT, memory, space, how, values.data()) >= 0;
  }
  bool read(std::vector<int>& values) const {
    return H5Dread(data, H5T_NATIVE_INT, memory, space, how, values.data()) >= 0;
  }
};

/// A program's romio_ hints say nothing of who reads the file, and a size of none is no size: what forced views write and read is
/// right all the same, also where only one rank gives the hint.
CASE(hints_that_mislead) {
  if (!par::collective_by_itself()) return;
  constexpr struct {
    const char *key, *value;
    bool one_rank;
  } kHints[] = {{"romio_ds_write", "disable", false},
                {"romio_ds_write", "disable", true},
                {"cb_buffer_size", "0", false}};
  const char* const component = std::getenv("OMPI_MCA_io");
  const bool romio = component != nullptr && std::string(component).find("romio") == 0;
  for (const auto& hint : kHints) {
    // ROMIO's own MPI_File_open waits for ever where ranks give it different hints.
    if (hint.one_rank && romio) continue;
    const bool gives = !hint.one_rank || par::rank() == 0;
    const Id file = create_with_hint("misleads", gives ? hint.key : nullptr, hint.value);
    const Interleaved part(file, 512);
    std::vector<int> values(part.mine), found(part.mine, -1), whole(part.all, -1);
    for (hsize_t i = 0; i < part.mine; ++i)
      values[i] = static_cast<int>(i) * par::size() + par::rank();
    CHECK(part.write(values) && part.read(found));
    CHECK(found == values);
    CHECK(H5Dread(part.data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, whole.data()) >= 0);
    for (hsize_t i = 0; i < part.all; ++i) CHECK(whole[i] == static_cast<int>(i));
  }
}

/// With more aggregators than one ompio's collective writes lose elements, so it is not told of them; the library is, and so is
/// who asks it for its list.
CASE(the_hint_cb_nodes_is_not_for_ompio) {
  if (!par::collective_by_itself()) return;
  setenv("PCIO_CHECK", "", 1);
  opened_with_cb_nodes = 0;
  const Id file = create_with_hint("aggregators", "cb_nodes", "3");
  const Interleaved part(file, 64);
  CHECK(part.write(std::vector<int>(64, par::rank())));
  void* handle = nullptr;
  CHECK(H5Fget_vfd_handle(file, H5P_DEFAULT, &handle) >= 0);
  MPI_Info of_file = MPI_INFO_NULL;
  MPI_File_get_info(*static_cast<MPI_File*>(handle), &of_file);
  int length = 0, romio = 0;
  MPI_Info_get_valuelen(of_file, "romio_ds_write", &length, &romio);
  MPI_Info_free(&of_file);
  char version[MPI_MAX_LIBRARY_VERSION_STRING] = {};
  MPI_Get_library_version(version, &length);
  const bool open_mpi = std::string(version).find("Open MPI") != std::string::npos;
  // Which one it is an Open MPI never says.
  CHECK(opened_with_cb_nodes == (open_mpi ? 0U : 1U + (romio != 0 ? 1U : 0U)));
  const Id access(H5Fget_access_plist(file));
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Info given = MPI_INFO_NULL;
  CHECK(H5Pget_fapl_mpio(access, &comm, &given) >= 0);
  int found = 0;
  MPI_Info_get_valuelen(given, "cb_nodes", &length, &found);
  CHECK(found != 0);
  MPI_Comm_free(&comm);
  MPI_Info_free(&given);
}

}  // namespace

#endif  // PCIO_VERSION
