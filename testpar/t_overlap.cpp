// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Writes that go on while the next stretch of an exchange between nodes is gathered: what is in the file then, in which order,
// and what becomes of failures. The ranks are taken for those of two nodes. Room: testpar, public headers only, and faults/ for
// slow writes, failures on demand, and to see that there were such writes.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <dirent.h>
#include <fstream>
#include <numeric>
#include <sys/wait.h>
#include <unistd.h>

#include <mpi.h>

#include "faults/cells.hpp"

using namespace faults;

namespace {

using par::Pattern;
using par::Transfer;
using Doubles = std::vector<double>;
using Number = unsigned long long;

constexpr std::size_t kLittle = std::size_t{1}
                                << 20;  // exchange memory: 192 KiB of a rank go in a stretch
const std::vector<hsize_t> kWide = {2400, 200};  // 3.8 MB

bool has_nodes() { return par::size() > 1; }

hid_t on_nodes(const std::string& name, unsigned flags, hid_t access) {
  setenv("PCIO_CHECK", "nodes:2", 1);
  const hid_t file = (flags & H5F_ACC_TRUNC) != 0
                         ? H5Fcreate(name.c_str(), flags, H5P_DEFAULT, access)
                         : H5Fopen(name.c_str(), flags, access);
  unsetenv("PCIO_CHECK");
  return file;
}
Id created(const std::string& name) {
  return Id(on_nodes(name, H5F_ACC_TRUNC, Id(par::mpio_access())));
}

enum class Layout { kContiguous, kChunked };
Id new_set(hid_t file, const char* name, Layout layout, const std::vector<hsize_t>& dims = kWide) {
  const Id space(H5Screate_simple(static_cast<int>(dims.size()), dims.data(), nullptr)),
      list(H5Pcreate(H5P_DATASET_CREATE));
  const hsize_t chunk[2] = {300, 70};
  if (layout == Layout::kChunked) CHECK(H5Pset_chunk(list, 2, chunk) >= 0);
  Id set(H5Dcreate2(file, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, list, H5P_DEFAULT));
  CHECK(set.valid() && H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  return set;
}
/// Of stretches of little memory.
Id little(pcio_transport_t transport = PCIO_TRANSPORT_EXCHANGE) {
  Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  CHECK(pcio_set_dxpl_exchange_memory(list, kLittle) >= 0);
  if (transport != PCIO_TRANSPORT_NONE) CHECK(pcio_set_dxpl_transport(list, transport) >= 0);
  return list;
}
Transfer part(Pattern pattern, hid_t list, int generation) {
  Transfer transfer;
  transfer.pattern = pattern;
  transfer.who = par::rank();
  transfer.list = list;
  transfer.generation = generation;
  return transfer;
}

/// Calls of pwrite that threads of all ranks have made since.
class Beside {
 public:
  Beside() : before_(inject::writes_beside()) {}
  [[nodiscard]] Number here() const { return inject::writes_beside() - before_; }
  [[nodiscard]] Number of_all() const {
    Number sum = here();
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    return sum;
  }

 private:
  Number before_;
};

/// Of this process.
int threads() {
  int count = 0;
  DIR* const tasks = opendir("/proc/self/task");
  while (const dirent* const entry = readdir(tasks)) count += entry->d_name[0] != '.' ? 1 : 0;
  closedir(tasks);
  return count;
}

/// What the file has, as rank 0 sees it without MPI.
Doubles values_in(const std::string& name, const char* set_name, std::size_t elements) {
  Doubles values(elements, -1);
  if (par::rank() == 0) {
    const Id file(H5Fopen(name.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
    const Id set(H5Dopen2(file, set_name, H5P_DEFAULT));
    CHECK(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0);
  }
  MPI_Bcast(values.data(), static_cast<int>(elements), MPI_DOUBLE, 0, MPI_COMM_WORLD);
  return values;
}
long wrong_values(const Doubles& found, int generation) {
  long wrong = 0;
  for (std::size_t i = 0; i < found.size(); ++i)
    wrong += found[i] != par::value_of(i, generation) ? 1 : 0;
  return wrong;
}
std::size_t elements_of(const std::vector<hsize_t>& dims) {
  return static_cast<std::size_t>(dims[0] * dims[1]);
}

}  // namespace

/// What a call writes is there when it ends, over what the call before has written; it is counted as planned, and no thread stays.
CASE(all_is_in_the_file_at_the_end) {
  if (!has_nodes()) return;
  for (const Layout layout : {Layout::kContiguous, Layout::kChunked}) {
    const std::string name = par::file_name("overlap_all");
    Id file = created(name), set = new_set(file, "data", layout);
    const Id list = little();
    inject::slow_down({0, 0, 500, 500, true}, static_cast<unsigned>(par::rank() + 1));
    int generation = 0;
    const bool is_chunked = layout == Layout::kChunked;
    for (const Pattern pattern : {is_chunked ? Pattern::kCyclic : Pattern::kColumns,
                                  is_chunked ? Pattern::kOneRank : Pattern::kLastEmpty}) {
      ++generation;
      const Transfer transfer = part(pattern, list, generation);
      pcio_transfer_report_t plan{}, report{};
      CHECK(par::explain_part(set, kWide, transfer, PCIO_DIRECTION_WRITE, &plan));
      const int before = threads();
      const Beside beside;
      CHECK(par::write_part(set, kWide, transfer));
      const Number wrote = beside.here();
      CHECK(threads() == before);
      CHECK(beside.of_all() > 0);
      CHECK(pcio_get_transfer_report(list, &report, sizeof report) >= 0);
      CHECK(report.transport == PCIO_TRANSPORT_EXCHANGE && report.exchange_rounds > 1);
      CHECK(report.exchange_rounds == plan.exchange_rounds);
      CHECK(report.independent_writes == plan.independent_writes &&
            report.bytes_written == plan.bytes_written);
      CHECK(wrote <= report.independent_writes);
      CHECK(par::read_part(set, kWide, transfer) == 0);
    }
    inject::slow_down({});
    CHECK(set.close() >= 0 && file.close() >= 0);
    CHECK(wrong_values(values_in(name, "data", elements_of(kWide)), generation) == 0);
  }
}

/// Each element twice in one call, in stretches of more than one: the later value stays, whichever node's writes are late.
CASE(what_is_selected_twice_has_the_later_value) {
  if (!has_nodes()) return;
  const auto ranks = static_cast<hsize_t>(par::size()), me = static_cast<hsize_t>(par::rank());
  constexpr hsize_t kEach = 40'000;
  const std::string name = par::file_name("overlap_twice");
  Id file = created(name), set = new_set(file, "data", Layout::kContiguous, {ranks, kEach});
  // Every so-manieth element, from the first one to the last one, and once more.
  std::vector<hsize_t> points;
  for (hsize_t i = 0; i < 2 * kEach; ++i) {
    const hsize_t element = i % kEach * ranks + me;
    points.insert(points.end(), {element / kEach, element % kEach});
  }
  const Id space(H5Dget_space(set)), list = little();
  const hsize_t all = 2 * kEach, once = kEach;
  const Id memory(H5Screate_simple(1, &all, nullptr)), single(H5Screate_simple(1, &once, nullptr));
  CHECK(H5Sselect_elements(space, H5S_SELECT_SET, all, points.data()) >= 0);
  const Id last(H5Scopy(space));
  CHECK(H5Sselect_elements(last, H5S_SELECT_SET, once, points.data()) >= 0);
  for (int late = 0; late < 2; ++late) {
    Doubles values(all), found(once);
    std::iota(values.begin(), values.end(), 1'000'000.0 * (late + 1));
    const bool is_late = par::rank() * 2 / par::size() == late;
    inject::slow_down({0, 0, is_late ? 20'000U : 0U, 0, false});
    const Beside beside;
    CHECK(H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, space, list, values.data()) >= 0);
    inject::slow_down({});
    CHECK(beside.of_all() > 0);
    CHECK(H5Dread(set, H5T_NATIVE_DOUBLE, single, last, list, found.data()) >= 0);
    CHECK(std::equal(found.begin(), found.end(), values.begin() + kEach));
  }
  CHECK(set.close() >= 0 && file.close() >= 0);
}

/// The next part of a call has elements that another rank, as their owner, still writes, and moves at once: it waits.
CASE(parts_of_one_call_keep_their_order) {
  if (!has_nodes()) return;
  const auto ranks = static_cast<hsize_t>(par::size()), me = static_cast<hsize_t>(par::rank());
  constexpr hsize_t kRun = 16;
  const std::vector<hsize_t> dims = {64, 64 * kRun * ranks};
  const std::string name = par::file_name("overlap_multi");
  Id file = created(name), set = new_set(file, "data", Layout::kContiguous, dims);
  // Short runs of all rows in an exchange, then one of the last rows as a whole.
  const Id list = little(PCIO_TRANSPORT_NONE), runs(H5Dget_space(set)), row(H5Scopy(runs));
  const hsize_t start[2] = {0, kRun * me}, stride[2] = {1, kRun * ranks},
                count[2] = {dims[0], dims[1] / kRun / ranks}, block[2] = {1, kRun};
  CHECK(H5Sselect_hyperslab(runs, H5S_SELECT_SET, start, stride, count, block) >= 0);
  const hsize_t last[2] = {dims[0] - 1 - me, 0}, whole[2] = {1, dims[1]};
  CHECK(H5Sselect_hyperslab(row, H5S_SELECT_SET, last, nullptr, whole, nullptr) >= 0);
  const hsize_t all = dims[0] * dims[1] / ranks;
  const Id memory(H5Screate_simple(1, &all, nullptr)),
      row_memory(H5Screate_simple(1, &dims[1], nullptr));
  for (int late = 0; late < par::size(); ++late) {
    const Doubles early(all, 1), later(dims[1], 2 + late);
    hid_t sets[2] = {set, set}, types[2] = {H5T_NATIVE_DOUBLE, H5T_NATIVE_DOUBLE};
    hid_t from[2] = {memory, row_memory}, to[2] = {runs, row};
    const void* buffers[2] = {early.data(), later.data()};
    inject::slow_down({0, 0, par::rank() == late ? 100'000U : 0U, 0, false});
    const Beside beside;
    CHECK(H5Dwrite_multi(2, sets, types, from, to, list, buffers) >= 0);
    inject::slow_down({});
    CHECK(beside.of_all() > 0);
    Doubles found(dims[1]);
    CHECK(H5Dread(set, H5T_NATIVE_DOUBLE, row_memory, row, list, found.data()) >= 0);
    CHECK(found == later);
  }
  CHECK(set.close() >= 0 && file.close() >= 0);
}

namespace {

/// A file with a good dataset, and one in which writes fail.
struct Struck {
  std::string name;
  Id file, before, set;
  explicit Struck(const char* word) : name(par::file_name(word)), file(created(name)) {
    before = new_set(file, "before", Layout::kContiguous, kDims);
    set = new_set(file, "data", Layout::kChunked);
    CHECK(par::write_part(before, kDims, part(Pattern::kRows, little(), 1)));
  }
  /// As it should be in the end, generation `generation` in "data".
  void close(int generation) {
    CHECK(set.close() >= 0 && before.close() >= 0 && file.close() >= 0);
    CHECK(wrong_values(values_in(name, "data", elements_of(kWide)), generation) == 0);
    CHECK(wrong_values(values_in(name, "before", elements_of(kDims)), 1) == 0);
  }
};

std::string text_of_failure;

bool write_all(Struck& struck, Pattern pattern, int generation) {
  const par::Silence silence;
  const Id space(H5Dget_space(struck.set)), list = little();
  const std::vector<hsize_t> elements = par::select(space, pattern, par::rank(), kWide);
  const hsize_t count = elements.size();
  const Id memory(H5Screate_simple(1, &count, nullptr));
  Doubles values;
  for (const hsize_t element : elements) values.push_back(par::value_of(element, generation));
  const bool good =
      H5Dwrite(struck.set, H5T_NATIVE_DOUBLE, memory, space, list, values.data()) >= 0;
  text_of_failure = good ? "" : par::error_text();
  return good;
}

}  // namespace

/// The k-th write of a rank fails, in its thread: all ranks know, nothing hangs, and the next call succeeds.
CASE(failures_are_told_to_all) {
  if (!has_nodes()) return;
  Struck struck("overlap_failures");
  struct Trouble {
    Fault fault;
    const char* word;
    Pattern pattern;
  };
  int generation = 1, struck_here = 0;
  for (const auto& [fault, word, pattern] :
       {Trouble{Fault::kShortWrite, "short write beside", Pattern::kColumns},
        Trouble{Fault::kWriteError, "write error beside", Pattern::kCyclic},
        Trouble{Fault::kDiskFull, "full disk beside", Pattern::kCells}})
    for (const int culprit : culprits()) {
      // Of many ranks the first and the last one, in short tests.
      if (!whole_matrix() && par::size() > 3 && culprit != 0 && culprit != par::size() - 1)
        continue;
      for (const std::uint64_t k : {0, 1, 3}) {
        const std::uint64_t position = fault == Fault::kDiskFull ? k * 70'001 : k;
        const Pattern shares = pattern;
        const Beside beside;
        const bool is_struck = strike({word, fault, position, culprit, struck.name},
                                      [&] { return write_all(struck, shares, generation + 1); });
        CHECK(beside.of_all() > 0);
        if (!is_struck) continue;
        ++struck_here;
        CHECK(text_of_failure.find("disk full or short write: ") != std::string::npos &&
              text_of_failure.find(" at offset ") != std::string::npos);
      }
      ++generation;
      CHECK(write_all(struck, pattern, generation));
      CHECK(par::read_part(struck.set, kWide, part(pattern, little(), generation)) == 0);
    }
  // Whoever it is owns something.
  CHECK(struck_here >= 3);
  struck.close(generation);
}

/// Where the system has no thread a rank writes as it did before there were any.
CASE(a_rank_without_a_thread_writes_itself) {
  if (!has_nodes()) return;
  Struck struck("overlap_refused");
  for (int refused = 0; refused <= par::size(); ++refused) {
    if (!whole_matrix() && par::size() > 3 && refused > 1 && refused < par::size() - 1) continue;
    const bool mine = refused == par::size() || refused == par::rank();
    const Beside beside;
    if (mine) inject::arm(Fault::kNoThread, 0, struck.name);
    CHECK(write_all(struck, Pattern::kColumns, refused + 1));
    const bool was_refused = inject::disarm();
    CHECK(!mine || beside.here() == 0);
    CHECK(par::any(was_refused) && (refused < par::size()) == (beside.of_all() > 0));
    CHECK(par::read_part(struck.set, kWide, part(Pattern::kColumns, little(), refused + 1)) == 0);
  }
  struck.close(par::size() + 1);
}

/// The name is another file's by now: nobody writes into that.
CASE(another_file_of_the_name_stays_as_it_is) {
  if (!has_nodes()) return;
  const std::string name = par::file_name("overlap_replaced"),
                    moved = par::file_name("overlap_moved");
  Id file = created(name), set = new_set(file, "data", Layout::kContiguous);
  const std::string text(100, 'x');
  if (par::rank() == 0) {
    CHECK(std::rename(name.c_str(), moved.c_str()) == 0);
    std::ofstream(name) << text;
  }
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(par::write_part(set, kWide, part(Pattern::kColumns, little(), 1)));
  CHECK(par::read_part(set, kWide, part(Pattern::kColumns, little(), 1)) == 0);
  MPI_Barrier(MPI_COMM_WORLD);
  std::string found;
  std::getline(std::ifstream(name), found);
  CHECK(found == text);
  CHECK(set.close() >= 0 && file.close() >= 0);
  CHECK(wrong_values(values_in(moved, "data", elements_of(kWide)), 1) == 0);
}

namespace {

int forks = 0, bad_children = 0;

/// Leaves elements as they are; a child is made meanwhile.
herr_t convert_and_fork(hid_t, hid_t, H5T_cdata_t* data, size_t, size_t, size_t, void*, void*,
                        hid_t) {
  if (data->command != H5T_CONV_CONV || ++forks > 12) return 0;
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    _exit(threads() == 1 ? 0 : 1);
  }
  int how = -1;
  if (child < 0 || waitpid(child, &how, 0) != child || how != 0) ++bad_children;
  return 0;
}

}  // namespace

/// A function of the program forks while writes go on.
CASE(a_child_is_made_meanwhile) {
  if (!has_nodes()) return;
  const std::string name = par::file_name("overlap_forks");
  Id file = created(name), set = new_set(file, "data", Layout::kContiguous);
  const Id own(H5Tcopy(H5T_IEEE_F64BE)), list = little();
  const Id stored(H5Dget_type(set));
  CHECK(H5Tregister(H5T_PERS_HARD, "forks", own, stored, convert_and_fork) >= 0);
  forks = bad_children = 0;
  Transfer transfer = part(Pattern::kColumns, list, 1);
  transfer.memory_type = own;
  inject::slow_down({0, 0, 2000, 2000, false});
  const Beside beside;
  CHECK(par::write_part(set, kWide, transfer));
  inject::slow_down({});
  CHECK(par::any(forks > 1) && bad_children == 0 && beside.of_all() > 0);
  CHECK(H5Tunregister(H5T_PERS_HARD, "forks", own, stored, convert_and_fork) >= 0);
  CHECK(par::read_part(set, kWide, part(Pattern::kColumns, list, 1)) == 0);
  CHECK(set.close() >= 0 && file.close() >= 0);
}

/// Left open: MPI_Finalize closes it. The last case.
CASE(a_file_that_is_left_open) {
  if (!has_nodes()) return;
  const std::string name = par::file_name("overlap_left");
  const hid_t file = on_nodes(name, H5F_ACC_TRUNC, Id(par::mpio_access()));
  Id set = new_set(file, "data", Layout::kContiguous);
  CHECK(par::write_part(set, kWide, part(Pattern::kColumns, little(), 1)));
  CHECK(par::read_part(set, kWide, part(Pattern::kColumns, little(), 1)) == 0);
}
