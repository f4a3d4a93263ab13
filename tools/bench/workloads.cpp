// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room tools: the workloads. All of them are collective calls of plain HDF5, with no setting that a library would need.

#include "workloads.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <functional>
#include <mpi.h>

#include "failure.hpp"

namespace bench {

namespace {

using Dims = std::vector<hsize_t>;
using tools::Failure;

constexpr int kFields = 4, kMostSteps = 32, kMostDatasets = 200;

/// The reason is libpcio's; libhdf5's own nobody here can ask for.
template <typename Id>
Id need(Id id, const char* call) {
  if (id >= 0) return id;
  throw Failure(fmt::format("{} fails: {}", call, tools::last_reason()));
}

/// Which elements of a dataset a rank has.
struct Part {
  Dims dims, start, count, stride;  ///< no stride: 1
};

struct Layout {
  Dims chunk;  ///< empty: contiguous
  Dims most;   ///< empty: as the dataset is
  bool deflate = false;
};

std::uint64_t elements(const Dims& dims) {
  std::uint64_t all = 1;
  for (const hsize_t dim : dims) all *= dim;
  return all;
}

/// What rank `rank` writes to the `which`-th of several things: 12 bits of each number are its own, as of a field that is
/// worth compressing.
template <typename Number>
std::vector<Number> numbers(std::uint64_t count, int rank, int which) {
  std::vector<Number> values(count);
  std::uint32_t state = 2654435761U * static_cast<std::uint32_t>(rank + 1) +
                        2246822519U * static_cast<std::uint32_t>(which);
  for (Number& value : values) {
    state = state * 1664525U + 1013904223U;
    value = static_cast<Number>(1024 + static_cast<int>(state >> 20U));
  }
  return values;
}

/// The same of each of `things`.
template <typename Number>
std::vector<std::vector<Number>> all_numbers(std::uint64_t count, int rank, int things) {
  std::vector<std::vector<Number>> all;
  for (int i = 0; i < things; ++i) all.push_back(numbers<Number>(count, rank, i));
  return all;
}

/// A library's file and what is done with it. Ids that a failure leaves open end with the program. Threads: one.
class File {
 public:
  explicit File(const Job& job) : h5_(*job.library), job_(job) {
    access_ = need(h5_.H5Pcreate(h5_.file_access), "H5Pcreate");
    need(h5_.H5Pset_fapl_mpio(access_, MPI_COMM_WORLD, MPI_INFO_NULL), "H5Pset_fapl_mpio");
    transfer_ = need(h5_.H5Pcreate(h5_.dataset_xfer), "H5Pcreate");
    need(h5_.H5Pset_dxpl_mpio(transfer_, H5FD_MPIO_COLLECTIVE), "H5Pset_dxpl_mpio");
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() {
    h5_.H5Pclose(transfer_);
    h5_.H5Pclose(access_);
  }

  void create() {
    id_ = need(h5_.H5Fcreate(job_.file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access_), "H5Fcreate");
  }
  void open() { id_ = need(h5_.H5Fopen(job_.file.c_str(), H5F_ACC_RDONLY, access_), "H5Fopen"); }
  void flush() const { need(h5_.H5Fflush(id_, H5F_SCOPE_GLOBAL), "H5Fflush"); }
  void close() const { need(h5_.H5Fclose(id_), "H5Fclose"); }

  hid_t new_dataset(const std::string& name, hid_t type, const Dims& dims,
                    const Layout& layout) const {
    const hid_t list = need(h5_.H5Pcreate(h5_.dataset_create), "H5Pcreate");
    if (!layout.chunk.empty())
      need(h5_.H5Pset_chunk(list, static_cast<int>(dims.size()), layout.chunk.data()),
           "H5Pset_chunk");
    if (layout.deflate) {
      need(h5_.H5Pset_shuffle(list), "H5Pset_shuffle");
      need(h5_.H5Pset_deflate(list, 1), "H5Pset_deflate");
    }
    const hid_t space =
        need(h5_.H5Screate_simple(static_cast<int>(dims.size()), dims.data(),
                                  layout.most.empty() ? nullptr : layout.most.data()),
             "H5Screate_simple");
    const hid_t set =
        need(h5_.H5Dcreate2(id_, name.c_str(), type, space, H5P_DEFAULT, list, H5P_DEFAULT),
             "H5Dcreate2");
    h5_.H5Sclose(space);
    h5_.H5Pclose(list);
    return set;
  }
  hid_t dataset(const std::string& name) const {
    return need(h5_.H5Dopen2(id_, name.c_str(), H5P_DEFAULT), "H5Dopen2");
  }
  void extend(hid_t set, const Dims& dims) const {
    need(h5_.H5Dset_extent(set, dims.data()), "H5Dset_extent");
  }
  void end(hid_t set) const { need(h5_.H5Dclose(set), "H5Dclose"); }

  void write(hid_t set, hid_t type, const Part& part, const void* data) const {
    const auto [memory, space] = spaces(set, part);
    need(h5_.H5Dwrite(set, type, memory, space, transfer_, data), "H5Dwrite");
    h5_.H5Sclose(memory);
    h5_.H5Sclose(space);
  }
  void read(hid_t set, hid_t type, const Part& part, void* data) const {
    const auto [memory, space] = spaces(set, part);
    need(h5_.H5Dread(set, type, memory, space, transfer_, data), "H5Dread");
    h5_.H5Sclose(memory);
    h5_.H5Sclose(space);
  }

  void new_attribute(hid_t set, const char* name, double value) const {
    const hsize_t one = 1;
    const hid_t space = need(h5_.H5Screate_simple(1, &one, nullptr), "H5Screate_simple");
    const hid_t attribute =
        need(h5_.H5Acreate2(set, name, h5_.native_double, space, H5P_DEFAULT, H5P_DEFAULT),
             "H5Acreate2");
    need(h5_.H5Awrite(attribute, h5_.native_double, &value), "H5Awrite");
    h5_.H5Aclose(attribute);
    h5_.H5Sclose(space);
  }
  double attribute(hid_t set, const char* name) const {
    const hid_t attribute = need(h5_.H5Aopen(set, name, H5P_DEFAULT), "H5Aopen");
    double value = 0;
    need(h5_.H5Aread(attribute, h5_.native_double, &value), "H5Aread");
    h5_.H5Aclose(attribute);
    return value;
  }

 private:
  std::pair<hid_t, hid_t> spaces(hid_t set, const Part& part) const {
    const hid_t space = need(h5_.H5Dget_space(set), "H5Dget_space");
    need(h5_.H5Sselect_hyperslab(space, H5S_SELECT_SET, part.start.data(),
                                 part.stride.empty() ? nullptr : part.stride.data(),
                                 part.count.data(), nullptr),
         "H5Sselect_hyperslab");
    const hid_t memory =
        need(h5_.H5Screate_simple(static_cast<int>(part.count.size()), part.count.data(), nullptr),
             "H5Screate_simple");
    return {memory, space};
  }

  const Library& h5_;
  const Job& job_;
  hid_t access_ = -1, transfer_ = -1, id_ = -1;
};

/// Seconds of `work` on the slowest rank, from a barrier to a barrier.
double timed(const std::function<void()>& work) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double begun = MPI_Wtime();
  work();
  MPI_Barrier(MPI_COMM_WORLD);
  const double mine = MPI_Wtime() - begun;
  double slowest = mine;
  MPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return slowest;
}

template <typename Numbers>
void check(const Numbers& read, const Numbers& written, const std::string& what) {
  if (read != written) throw Failure(what + ": what was read is not what was written");
}

/// Datasets of one shape, of which each rank has a part.
template <typename Number>
Seconds fields(const Job& job, int count, hid_t type, const Layout& layout,
               const std::function<Part(int)>& part_of) {
  const int next = (job.rank + 1) % job.ranks;
  const Part mine = part_of(job.rank), theirs = part_of(next);
  const auto values = all_numbers<Number>(elements(mine.count), job.rank, count);
  const auto wanted = all_numbers<Number>(elements(theirs.count), next, count);
  std::vector<std::vector<Number>> got(wanted.size(), std::vector<Number>(wanted[0].size()));
  File file(job);
  Seconds seconds;
  seconds.bytes = static_cast<std::uint64_t>(count) * elements(mine.dims) * sizeof(Number);
  seconds.write = timed([&] {
    file.create();
    for (int i = 0; i < count; ++i) {
      const hid_t set = file.new_dataset(fmt::format("field{}", i), type, mine.dims, layout);
      file.write(set, type, mine, values[static_cast<std::size_t>(i)].data());
      file.end(set);
    }
    file.close();
  });
  seconds.read = timed([&] {
    file.open();
    for (int i = 0; i < count; ++i) {
      const hid_t set = file.dataset(fmt::format("field{}", i));
      file.read(set, type, theirs, got[static_cast<std::size_t>(i)].data());
      file.end(set);
    }
    file.close();
  });
  check(got, wanted, "a field");
  return seconds;
}

/// The grid of ranks, and where a rank is in it.
std::pair<Dims, Dims> grid_of(int rank, int ranks, int dimensions) {
  std::vector<int> grid(static_cast<std::size_t>(dimensions), 0);
  MPI_Dims_create(ranks, dimensions, grid.data());
  Dims shape(grid.begin(), grid.end()), place(grid.size());
  auto rest = static_cast<hsize_t>(rank);
  for (std::size_t i = grid.size(); i-- > 0; rest /= shape[i]) place[i] = rest % shape[i];
  return {shape, place};
}

Seconds checkpoint(const Job& job) {
  const auto edge = static_cast<hsize_t>(
      std::max(1.0, std::cbrt(static_cast<double>(job.bytes / kFields / sizeof(double)))));
  return fields<double>(job, kFields, job.library->native_double, {}, [&](int rank) {
    const auto [grid, place] = grid_of(rank, job.ranks, 3);
    Part part{{}, {}, {edge, edge, edge}, {}};
    for (std::size_t i = 0; i < 3; ++i) {
      part.dims.push_back(grid[i] * edge);
      part.start.push_back(place[i] * edge);
    }
    return part;
  });
}

Seconds pencil(const Job& job) {
  const auto edge = static_cast<hsize_t>(
      std::max(1.0, std::cbrt(static_cast<double>(job.bytes / sizeof(float)))));
  const Dims grid = grid_of(0, job.ranks, 2).first;
  // Slabs of the first dimension, which no rank cuts: each has parts of all pencils.
  const Layout slabs{{std::max<hsize_t>(1, edge / 16), grid[0] * edge, grid[1] * edge}, {}, false};
  return fields<float>(job, 1, job.library->native_float, slabs, [&](int rank) {
    const Dims place = grid_of(rank, job.ranks, 2).second;
    return Part{{edge, grid[0] * edge, grid[1] * edge},
                {0, place[0] * edge, place[1] * edge},
                {edge, edge, edge},
                {}};
  });
}

Seconds cyclic(const Job& job) {
  const hsize_t row = 1024, rows = std::max<hsize_t>(1, job.bytes / sizeof(float) / row);
  const auto ranks = static_cast<hsize_t>(job.ranks);
  const Layout chunks{{std::min<hsize_t>(64, rows * ranks), row}, {}, false};
  return fields<float>(job, 1, job.library->native_float, chunks, [&](int rank) {
    return Part{{rows * ranks, row}, {static_cast<hsize_t>(rank), 0}, {rows, row}, {ranks, 1}};
  });
}

Seconds particles(const Job& job) {
  // Half as many to one and a half times as many of a rank as of the mean one.
  const auto of = [&](int rank) {
    const hsize_t mean = std::max<hsize_t>(2, job.bytes / kFields / sizeof(long long));
    return mean / 2 + mean * static_cast<hsize_t>(rank * 7 % 5) / 4;
  };
  hsize_t all = 0;
  for (int rank = 0; rank < job.ranks; ++rank) all += of(rank);
  return fields<long long>(job, kFields, job.library->native_llong, {}, [&](int rank) {
    hsize_t before = 0;
    for (int i = 0; i < rank; ++i) before += of(i);
    return Part{{all}, {before}, {of(rank)}, {}};
  });
}

/// Fewer where there is little to write, so that a trial is soon over.
int times_of(const Job& job, std::uint64_t each, int most) {
  return static_cast<int>(
      std::clamp<std::uint64_t>(job.bytes / each, 4, static_cast<std::uint64_t>(most)));
}

Seconds append(const Job& job) {
  const auto steps = static_cast<hsize_t>(times_of(job, 32768, kMostSteps));
  const hsize_t width = std::max<hsize_t>(1, job.bytes / steps / sizeof(float));
  const auto ranks = static_cast<hsize_t>(job.ranks);
  const int next = (job.rank + 1) % job.ranks;
  const auto part = [&](int rank, hsize_t step, hsize_t some) {
    return Part{{}, {step, static_cast<hsize_t>(rank) * width}, {some, width}, {}};
  };
  // Of all steps, one behind the other.
  const auto values = numbers<float>(steps * width, job.rank, 0),
             wanted = numbers<float>(steps * width, next, 0);
  std::vector<float> got(wanted.size());
  File file(job);
  Seconds seconds;
  seconds.bytes = steps * width * ranks * sizeof(float);
  seconds.write = timed([&] {
    file.create();
    const hid_t set = file.new_dataset("steps", job.library->native_float, {0, width * ranks},
                                       {{1, width * ranks}, {H5S_UNLIMITED, width * ranks}, false});
    for (hsize_t step = 0; step < steps; ++step) {
      file.extend(set, {step + 1, width * ranks});
      file.write(set, job.library->native_float, part(job.rank, step, 1),
                 values.data() + step * width);
      file.flush();
    }
    file.end(set);
    file.close();
  });
  seconds.read = timed([&] {
    file.open();
    const hid_t set = file.dataset("steps");
    file.read(set, job.library->native_float, part(next, 0, steps), got.data());
    file.end(set);
    file.close();
  });
  check(got, wanted, "a step");
  return seconds;
}

Seconds compressed(const Job& job) {
  const hsize_t row = 1024, rows = std::max<hsize_t>(1, job.bytes / sizeof(float) / row);
  const hsize_t chunk = std::min<hsize_t>(256, rows), whole = rows / chunk * chunk;
  const Layout chunks{{chunk, row}, {}, true};
  return fields<float>(job, 1, job.library->native_float, chunks, [&](int rank) {
    return Part{{whole * static_cast<hsize_t>(job.ranks), row},
                {static_cast<hsize_t>(rank) * whole, 0},
                {whole, row},
                {}};
  });
}

Seconds datasets(const Job& job) {
  const int count = times_of(job, 65536, kMostDatasets);
  const hsize_t width = 64;
  const auto ranks = static_cast<hsize_t>(job.ranks);
  const int next = (job.rank + 1) % job.ranks;
  const hid_t type = job.library->native_double;
  const auto part = [&](int rank) {
    return Part{{}, {static_cast<hsize_t>(rank) * width}, {width}, {}};
  };
  const auto values = all_numbers<double>(width, job.rank, count),
             wanted = all_numbers<double>(width, next, count);
  std::vector<std::vector<double>> got(wanted.size(), std::vector<double>(width));
  File file(job);
  Seconds seconds;
  seconds.bytes = static_cast<hsize_t>(count) * width * ranks * sizeof(double);
  seconds.write = timed([&] {
    file.create();
    for (int i = 0; i < count; ++i) {
      const hid_t set = file.new_dataset(fmt::format("set{}", i), type, {width * ranks}, {});
      file.new_attribute(set, "time", i);
      file.new_attribute(set, "scale", 1);
      file.write(set, type, part(job.rank), values[static_cast<std::size_t>(i)].data());
      file.end(set);
    }
    file.close();
  });
  seconds.read = timed([&] {
    file.open();
    for (int i = 0; i < count; ++i) {
      const hid_t set = file.dataset(fmt::format("set{}", i));
      if (file.attribute(set, "time") != i) throw Failure("an attribute: not what was written");
      file.read(set, type, part(next), got[static_cast<std::size_t>(i)].data());
      file.end(set);
    }
    file.close();
  });
  check(got, wanted, "a dataset");
  return seconds;
}

}  // namespace

const std::vector<Workload>& workloads() {
  static const std::vector<Workload> all = {
      {"checkpoint", "4 contiguous 3-D fields of doubles, a block of each rank", checkpoint},
      {"pencil",
       "a 3-D field in slabs as chunks, a pencil of each rank: all ranks share all chunks", pencil},
      {"cyclic", "rows of 4 KiB dealt to the ranks in turn, chunks of 64 rows", cyclic},
      {"particles", "4 contiguous lists, of each rank another number of elements", particles},
      {"append", "32 steps, each extends the dataset, is written and flushed", append},
      {"compressed", "shuffle and deflate 1, chunks of 1 MiB that each belong to one rank",
       compressed},
      {"datasets", "200 small datasets with two attributes each", datasets}};
  return all;
}

}  // namespace bench
