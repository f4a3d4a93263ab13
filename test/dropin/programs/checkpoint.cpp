// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// A code that checkpoints: fields on a three-dimensional grid in blocks with ghost cells, particles as compounds, of which some
// ranks have none, a history that grows, attributes; a file for each checkpoint. It restarts from the last one, with the
// grid in slabs this time, and goes on. Room: test/dropin/programs; a project of its own, which knows of HDF5 only.
//
//   checkpoint PREFIX: leaves PREFIX.0.h5, PREFIX.1.h5 and, after the restart, PREFIX.2.h5

#include <hdf5.h>
#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

namespace {

using Triple = std::array<hsize_t, 3>;
constexpr Triple kGrid = {12, 10, 8};
constexpr hsize_t kGhosts = 2;
const char* const kFields[] = {"density", "energy", "momentum_x"};

int my_rank = 0, ranks = 1;

template <typename T>
T must(T result, const char* what) {
  if (result < 0) {
    std::fprintf(stderr, "rank %d: %s\n", my_rank, what);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  return result;
}

/// An id that is closed once.
class Id {
 public:
  Id(hid_t id, herr_t (*close)(hid_t), const char* what) : id_(must(id, what)), close_(close) {}
  Id(Id&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Id(const Id&) = delete;
  Id& operator=(const Id&) = delete;
  Id& operator=(Id&&) = delete;
  ~Id() {
    if (id_ >= 0) must(close_(id_), "close");
  }
  operator hid_t() const { return id_; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

struct Particle {
  double place[3];
  float weight;
  int number;
};

/// This rank's part of the grid: without ghosts, and how it lies in the file.
struct Part {
  Triple begin, count;
};

Part part_of(const std::array<int, 3>& blocks) {
  Part part{};
  int rest = my_rank;
  for (int d = 2; d >= 0; --d) {
    const hsize_t n = kGrid[static_cast<size_t>(d)],
                  m = static_cast<hsize_t>(blocks[static_cast<size_t>(d)]);
    const hsize_t at = static_cast<hsize_t>(rest) % m;
    rest /= static_cast<int>(m);
    part.begin[static_cast<size_t>(d)] = n * at / m;
    part.count[static_cast<size_t>(d)] = n * (at + 1) / m - n * at / m;
  }
  return part;
}

/// A field with its ghost cells around it.
class Field {
 public:
  explicit Field(const Part& part) : part_(part) {
    for (size_t d = 0; d < 3; ++d) whole_[d] = part.count[d] + 2 * kGhosts;
    values_.assign(whole_[0] * whole_[1] * whole_[2], -1);
  }
  double& at(hsize_t i, hsize_t j, hsize_t k) {
    return values_[((i + kGhosts) * whole_[1] + j + kGhosts) * whole_[2] + k + kGhosts];
  }
  double* data() { return values_.data(); }
  /// What of the buffer is not ghosts.
  Id memory() const {
    Id space(H5Screate_simple(3, whole_.data(), nullptr), H5Sclose, "H5Screate_simple");
    const Triple begin = {kGhosts, kGhosts, kGhosts};
    must(H5Sselect_hyperslab(space, H5S_SELECT_SET, begin.data(), nullptr, part_.count.data(),
                             nullptr),
         "the part in memory");
    return space;
  }
  /// f(value, its number in the whole grid) for each that is not a ghost.
  template <typename F>
  void each(F f) {
    for (hsize_t i = 0; i < part_.count[0]; ++i)
      for (hsize_t j = 0; j < part_.count[1]; ++j)
        for (hsize_t k = 0; k < part_.count[2]; ++k)
          f(at(i, j, k),
            ((part_.begin[0] + i) * kGrid[1] + part_.begin[1] + j) * kGrid[2] + part_.begin[2] + k);
  }

 private:
  Part part_;
  Triple whole_{};
  std::vector<double> values_;
};

struct State {
  Part part;
  std::vector<Field> fields;
  std::vector<Particle> particles;
  std::vector<double> history;
  int step = 0;
};

Id collective() {
  Id dxpl(H5Pcreate(H5P_DATASET_XFER), H5Pclose, "H5Pcreate");
  must(H5Pset_dxpl_mpio(dxpl, H5FD_MPIO_COLLECTIVE), "H5Pset_dxpl_mpio");
  return dxpl;
}

Id parallel() {
  Id fapl(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "H5Pcreate");
  must(H5Pset_fapl_mpio(fapl, MPI_COMM_WORLD, MPI_INFO_NULL), "H5Pset_fapl_mpio");
  must(H5Pset_libver_bounds(fapl, H5F_LIBVER_V18, H5F_LIBVER_LATEST), "H5Pset_libver_bounds");
  return fapl;
}

Id particle_type() {
  const hsize_t three = 3;
  const Id place(H5Tarray_create2(H5T_NATIVE_DOUBLE, 1, &three), H5Tclose, "H5Tarray_create2");
  Id type(H5Tcreate(H5T_COMPOUND, sizeof(Particle)), H5Tclose, "H5Tcreate");
  must(H5Tinsert(type, "place", offsetof(Particle, place), place), "H5Tinsert");
  must(H5Tinsert(type, "weight", offsetof(Particle, weight), H5T_NATIVE_FLOAT), "H5Tinsert");
  must(H5Tinsert(type, "number", offsetof(Particle, number), H5T_NATIVE_INT), "H5Tinsert");
  return type;
}

/// The grid's extent with this rank's part selected.
Id in_file(const Part& part) {
  Id space(H5Screate_simple(3, kGrid.data(), nullptr), H5Sclose, "H5Screate_simple");
  must(H5Sselect_hyperslab(space, H5S_SELECT_SET, part.begin.data(), nullptr, part.count.data(),
                           nullptr),
       "the part in the file");
  return space;
}

/// How many elements lie before this rank's and how many there are, if it has `mine`.
std::pair<hsize_t, hsize_t> place_among(hsize_t mine) {
  unsigned long long own = mine, before = 0, all = 0;
  MPI_Exscan(&own, &before, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(&own, &all, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
  return {my_rank == 0 ? 0 : before, all};
}

/// A line of `count` elements of which this rank has some.
std::pair<Id, Id> spaces_of(hsize_t begin, hsize_t mine, hsize_t all) {
  Id file(H5Screate_simple(1, &all, nullptr), H5Sclose, "H5Screate_simple");
  const hsize_t room = mine > 0 ? mine : 1;
  Id memory(H5Screate_simple(1, &room, nullptr), H5Sclose, "H5Screate_simple");
  if (mine > 0) {
    must(H5Sselect_hyperslab(file, H5S_SELECT_SET, &begin, nullptr, &mine, nullptr),
         "H5Sselect_hyperslab");
  } else {
    must(H5Sselect_none(file), "H5Sselect_none");
    must(H5Sselect_none(memory), "H5Sselect_none");
  }
  return {std::move(file), std::move(memory)};
}

void write_attributes(hid_t file, int step) {
  const Id scalar(H5Screate(H5S_SCALAR), H5Sclose, "H5Screate");
  const Id number(H5Acreate2(file, "step", H5T_STD_I32LE, scalar, H5P_DEFAULT, H5P_DEFAULT),
                  H5Aclose, "H5Acreate2");
  must(H5Awrite(number, H5T_NATIVE_INT, &step), "H5Awrite");
  const Id text(H5Tcopy(H5T_C_S1), H5Tclose, "H5Tcopy");
  must(H5Tset_size(text, H5T_VARIABLE), "H5Tset_size");
  const Id code(H5Acreate2(file, "code", text, scalar, H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
                "H5Acreate2");
  const char* name = "checkpoint";
  must(H5Awrite(code, text, &name), "H5Awrite");
}

void write_history(hid_t file, const std::vector<double>& history, hid_t dxpl) {
  const hsize_t none = 0, most = H5S_UNLIMITED, chunk = 16, count = history.size();
  const Id space(H5Screate_simple(1, &none, &most), H5Sclose, "H5Screate_simple");
  const Id dcpl(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "H5Pcreate");
  must(H5Pset_chunk(dcpl, 1, &chunk), "H5Pset_chunk");
  const Id data(H5Dcreate2(file, "history", H5T_IEEE_F64LE, space, H5P_DEFAULT, dcpl, H5P_DEFAULT),
                H5Dclose, "H5Dcreate2");
  must(H5Dset_extent(data, &count), "H5Dset_extent");
  // Rank 0 alone has something to say.
  const auto [place, memory] = spaces_of(0, my_rank == 0 ? count : 0, count);
  must(H5Dwrite(data, H5T_NATIVE_DOUBLE, memory, place, dxpl, history.data()), "history");
}

void write_checkpoint(const std::string& name, State& state) {
  const Id fapl = parallel(), dxpl = collective(), type = particle_type();
  const Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, fapl), H5Fclose, "H5Fcreate");
  write_attributes(file, state.step);
  const Id group(H5Gcreate2(file, "fields", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose,
                 "H5Gcreate2");
  const Id dcpl(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "H5Pcreate");
  const Triple chunk = {4, 5, 8};
  must(H5Pset_chunk(dcpl, 3, chunk.data()), "H5Pset_chunk");
  const Id grid = in_file(state.part);
  for (size_t f = 0; f < state.fields.size(); ++f) {
    // The first one is contiguous, the second one single precision in the file.
    const Id data(
        H5Dcreate2(group, kFields[f], f == 1 ? H5T_IEEE_F32LE : H5T_IEEE_F64LE, grid, H5P_DEFAULT,
                   f == 0 ? H5P_DEFAULT : static_cast<hid_t>(dcpl), H5P_DEFAULT),
        H5Dclose, "H5Dcreate2");
    must(H5Dwrite(data, H5T_NATIVE_DOUBLE, state.fields[f].memory(), grid, dxpl,
                  state.fields[f].data()),
         kFields[f]);
  }
  const auto [begin, all] = place_among(state.particles.size());
  const auto [place, memory] = spaces_of(begin, state.particles.size(), all);
  const Id particles(
      H5Dcreate2(file, "particles", type, place, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose,
      "H5Dcreate2");
  must(H5Dwrite(particles, type, memory, place, dxpl, state.particles.data()), "particles");
  write_history(file, state.history, dxpl);
}

State read_checkpoint(const std::string& name) {
  State state;
  state.part = part_of({ranks, 1, 1});
  const Id fapl = parallel(), dxpl = collective(), type = particle_type();
  const Id file(H5Fopen(name.c_str(), H5F_ACC_RDONLY, fapl), H5Fclose, "H5Fopen");
  const Id step(H5Aopen(file, "step", H5P_DEFAULT), H5Aclose, "H5Aopen");
  must(H5Aread(step, H5T_NATIVE_INT, &state.step), "H5Aread");
  const Id grid = in_file(state.part);
  for (const char* field : kFields) {
    state.fields.emplace_back(state.part);
    const Id data(H5Dopen2(file, (std::string("/fields/") + field).c_str(), H5P_DEFAULT), H5Dclose,
                  field);
    must(H5Dread(data, H5T_NATIVE_DOUBLE, state.fields.back().memory(), grid, dxpl,
                 state.fields.back().data()),
         field);
  }
  const Id particles(H5Dopen2(file, "particles", H5P_DEFAULT), H5Dclose, "particles"),
      whole(H5Dget_space(particles), H5Sclose, "H5Dget_space");
  const auto all = static_cast<hsize_t>(must(H5Sget_simple_extent_npoints(whole), "particles")),
             n = static_cast<hsize_t>(ranks), me = static_cast<hsize_t>(my_rank);
  state.particles.resize(all * (me + 1) / n - all * me / n);
  const auto [place, memory] = spaces_of(all * me / n, state.particles.size(), all);
  must(H5Dread(particles, type, memory, place, dxpl, state.particles.data()), "particles");
  const Id history(H5Dopen2(file, "history", H5P_DEFAULT), H5Dclose, "history"),
      line(H5Dget_space(history), H5Sclose, "H5Dget_space");
  state.history.resize(static_cast<size_t>(must(H5Sget_simple_extent_npoints(line), "history")));
  must(H5Dread(history, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, dxpl, state.history.data()),
       "history");
  return state;
}

State begin() {
  State state;
  std::array<int, 3> blocks = {0, 0, 0};
  MPI_Dims_create(ranks, 3, blocks.data());
  state.part = part_of(blocks);
  for (size_t f = 0; f < std::size(kFields); ++f) {
    state.fields.emplace_back(state.part);
    state.fields.back().each([f](double& value, hsize_t number) {
      value = static_cast<double>(number % 97) * 0.5 + static_cast<double>(f);
    });
  }
  // Ranks with odd numbers have none.
  for (int i = 0; my_rank % 2 == 0 && i < 5 + my_rank; ++i)
    state.particles.push_back(
        {{1.0 * i, 2.0 * my_rank, 0.25}, 0.5F * static_cast<float>(i), 100 * my_rank + i});
  return state;
}

void advance(State& state) {
  double own = 0, all = 0;
  for (Field& field : state.fields)
    field.each([&own](double& value, hsize_t) { own += value *= 2; });
  for (Particle& particle : state.particles) particle.place[0] += particle.weight;
  MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < 10; ++i) state.history.push_back(all + i);
  ++state.step;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &my_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const std::string prefix = argc > 1 ? argv[1] : "checkpoint";
  State state = begin();
  for (int i = 0; i < 2; ++i) {
    advance(state);
    write_checkpoint(prefix + "." + std::to_string(i) + ".h5", state);
  }
  State again = read_checkpoint(prefix + ".1.h5");
  advance(state);
  advance(again);
  const bool right = again.history == state.history && again.step == state.step;
  write_checkpoint(prefix + ".2.h5", again);
  if (my_rank == 0)
    std::printf("%s: step %d, last sum %.17g\n", right ? "as before" : "otherwise", again.step,
                again.history.back());
  MPI_Finalize();
  return right ? 0 : 1;
}
