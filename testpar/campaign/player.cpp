// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Playing cases. Room: testpar, public headers only.

#include "player.hpp"

#include <cstdio>
#include <cstring>

#include <mpi.h>

namespace campaign {

namespace {

constexpr unsigned char kUntouched = 0xA5;

herr_t append_message(unsigned, const H5E_error2_t* error, void* out) {
  if (error->desc != nullptr) *static_cast<std::string*>(out) += std::string(error->desc) + "; ";
  return 0;
}

std::string error_text() {
  std::string text;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, append_message, &text);
  H5Eclear2(H5E_DEFAULT);
  return text;
}

std::string dataset_name(const Case& c) { return "case" + std::to_string(c.number); }

/// Closes at the end of the scope what H5Sclose or H5Pclose takes.
struct Closed {
  hid_t id;
  herr_t (*close)(hid_t);
  ~Closed() {
    if (id > 0) close(id);
  }
};

}  // namespace

bool Player::wrong(const std::string& what) {
  if (wrong_.empty()) wrong_ = what + ": " + error_text();
  return false;
}

// ---- files and datasets ------------------------------------------------------------------------

bool Player::open(unsigned flags) {
  const Closed access{H5Pcreate(H5P_FILE_ACCESS), H5Pclose};
  H5Pset_fapl_mpio(access.id, MPI_COMM_WORLD, MPI_INFO_NULL);
  if (new_format_) H5Pset_libver_bounds(access.id, H5F_LIBVER_V18, H5F_LIBVER_LATEST);
  file_ = flags == H5F_ACC_TRUNC ? H5Fcreate(path_.c_str(), flags, H5P_DEFAULT, access.id)
                                 : H5Fopen(path_.c_str(), flags, access.id);
  return file_ >= 0 || wrong("opening the file");
}

bool Player::create() { return open(H5F_ACC_TRUNC); }

bool Player::close() { return H5Fclose(file_) >= 0 || wrong("closing the file"); }

bool Player::make_dataset(const Case& c) {
  const Closed list{H5Pcreate(H5P_DATASET_CREATE), H5Pclose};
  if (!c.chunk.empty()) H5Pset_chunk(list.id, static_cast<int>(c.chunk.size()), c.chunk.data());
  if (c.fill == Fill::kValue) H5Pset_fill_value(list.id, H5T_NATIVE_INT64, &c.fill_value);
  if (c.fill == Fill::kNever) H5Pset_fill_time(list.id, H5D_FILL_TIME_NEVER);
  const Closed space{H5Screate_simple(static_cast<int>(c.dims.size()), c.dims.data(),
                                      c.max_dims.empty() ? nullptr : c.max_dims.data()),
                     H5Sclose};
  dataset_ = H5Dcreate2(file_, dataset_name(c).c_str(), id_of(c.file_type), space.id, H5P_DEFAULT,
                        list.id, H5P_DEFAULT);
  Model model;
  model.values.assign(static_cast<std::size_t>(count_of(c.dims)), c.fill_value);
  model.known.assign(model.values.size(), c.fill != Fill::kNever);
  played_.push_back({dataset_name(c), c.file_type, c.dims, std::move(model)});
  return dataset_ >= 0 || wrong("creating the dataset");
}

bool Player::reopen(const Case& c) {
  if (H5Dclose(dataset_) < 0 || H5Fclose(file_) < 0) return wrong("closing in between");
  if (!open(H5F_ACC_RDWR)) return false;
  dataset_ = H5Dopen2(file_, dataset_name(c).c_str(), H5P_DEFAULT);
  return dataset_ >= 0 || wrong("opening the dataset again");
}

// ---- transfers ---------------------------------------------------------------------------------

hid_t Player::make_list(const Transfer& t) {
  static const H5FD_mpio_chunk_opt_t kOptions[] = {
      H5FD_MPIO_CHUNK_DEFAULT,        H5FD_MPIO_CHUNK_ONE_IO,     H5FD_MPIO_CHUNK_MULTI_IO,
      H5FD_MPIO_COLL_CHUNK_ATONCE_IO, H5FD_MPIO_ALL_CHUNK_IND_IO, PCIO_MPIO_CHUNK_MULTI_NO_OPT_IO};
  const hid_t list = H5Pcreate(H5P_DATASET_XFER);
  bool good = list >= 0;
  if (t.mode != Mode::kIndependent) {
    good &= H5Pset_dxpl_mpio(list, H5FD_MPIO_COLLECTIVE) >= 0;
    good &= pcio_set_dxpl_transport(list, t.transport) >= 0;
  }
  if (t.mode == Mode::kIndividual)
    good &= H5Pset_dxpl_mpio_collective_opt(list, H5FD_MPIO_INDIVIDUAL_IO) >= 0;
  else if (t.mode != Mode::kIndependent)
    good &= H5Pset_dxpl_mpio_chunk_opt(list, kOptions[static_cast<int>(t.mode)]) >= 0;
  if (t.mode == Mode::kAutomatic)
    good &= H5Pset_dxpl_mpio_chunk_opt_num(list, t.chunk_opt_num) >= 0;
  if (t.mode == Mode::kAutomatic || t.mode == Mode::kMultiIo)
    good &= H5Pset_dxpl_mpio_chunk_opt_ratio(list, t.chunk_opt_ratio) >= 0;
  if (t.exchange_memory != 0) good &= pcio_set_dxpl_exchange_memory(list, t.exchange_memory) >= 0;
  if (t.conversion_buffer != 0)
    good &= H5Pset_buffer(list, t.conversion_buffer, nullptr, nullptr) >= 0;
  if (t.transform != 0) good &= H5Pset_data_transform(list, transform(t.transform).text) >= 0;
  if (!good) wrong("making the transfer list");
  return list;
}

/// Makes spaces and buffer of this rank's part, calls, and looks at the buffer.
bool Player::move(const Case& c, std::size_t index, hid_t list) {
  const Transfer& t = c.transfers[index];
  const Part& part = t.parts[static_cast<std::size_t>(rank())];
  const Closed file{H5Screate_simple(static_cast<int>(c.dims.size()), c.dims.data(), nullptr),
                    H5Sclose};
  const Memory& m = part.memory;
  const Closed memory{H5Screate_simple(static_cast<int>(m.dims.size()), m.dims.data(), nullptr),
                      H5Sclose};
  if (!part.file.apply(file.id, c.dims) || !m.selection.apply(memory.id, m.dims))
    return wrong("selecting");
  const std::size_t width = size_of(t.memory_type);
  std::vector<unsigned char> buffer(static_cast<std::size_t>(count_of(m.dims)) * width, kUntouched);
  if (t.write) {
    std::size_t position = 0;
    for (const hsize_t at : m.selection.elements(m.dims))
      store(buffer.data() + at * width, t.memory_type, value_of(c, index, rank(), position++));
  }
  const hid_t memory_id = m.kind == MemoryKind::kAll ? H5S_ALL : memory.id;
  const std::vector<unsigned char> before = t.write ? buffer : std::vector<unsigned char>();
  const bool done =
      t.write
          ? H5Dwrite(dataset_, id_of(t.memory_type), memory_id, file.id, list, buffer.data()) >= 0
          : H5Dread(dataset_, id_of(t.memory_type), memory_id, file.id, list, buffer.data()) >= 0;
  if (!done) return wrong(t.write ? "H5Dwrite failed" : "H5Dread failed");
  if (t.write) return buffer == before || wrong("H5Dwrite changed the buffer");
  return check_buffer(c, index, buffer);
}

bool Player::check_buffer(const Case& c, std::size_t index,
                          const std::vector<unsigned char>& buffer) {
  const Transfer& t = c.transfers[index];
  const Part& part = t.parts[static_cast<std::size_t>(rank())];
  const Transform& f = transform(t.transform);
  const Model& model = played_.back().model;
  const std::size_t width = size_of(t.memory_type);
  const std::vector<hsize_t> from = part.file.elements(c.dims);
  const std::vector<hsize_t> to = part.memory.selection.elements(part.memory.dims);
  std::vector<bool> selected(static_cast<std::size_t>(count_of(part.memory.dims)), false);
  for (std::size_t i = 0; i < from.size(); ++i) {
    selected[to[i]] = true;
    if (!model.known[from[i]]) continue;
    const std::int64_t expected = f.factor * model.values[from[i]] + f.summand;
    const std::int64_t found = load(buffer.data() + to[i] * width, t.memory_type);
    if (found != expected)
      return wrong("element " + std::to_string(from[i]) + " (position " + std::to_string(i) +
                   " of " + std::to_string(from.size()) + ") is " + std::to_string(found) +
                   ", not " + std::to_string(expected));
  }
  for (std::size_t i = 0; i < selected.size(); ++i)
    for (std::size_t b = 0; !selected[i] && b < width; ++b)
      if (buffer[i * width + b] != kUntouched)
        return wrong("H5Dread changed element " + std::to_string(i) +
                     " of the buffer, which is not selected");
  return true;
}

void Player::update_model(const Case& c, std::size_t index) {
  const Transfer& t = c.transfers[index];
  const Transform& f = transform(t.transform);
  Model& model = played_.back().model;
  for (int r = 0; r < size(); ++r) {
    const Part& part = t.parts[static_cast<std::size_t>(r)];
    if (!part.calls) continue;
    std::size_t position = 0;
    for (const hsize_t e : part.file.elements(c.dims)) {
      model.values[e] = f.factor * value_of(c, index, r, position++) + f.summand;
      model.known[e] = true;
    }
  }
}

/// Each rank reads what another one has just written, as that one wrote it.
bool Player::read_across(const Case& c, std::size_t index) {
  Case back = c;
  Transfer read = c.transfers[index];
  read.write = false;
  read.transform = 0;
  read.mode = Mode::kAutomatic;
  read.transport = PCIO_TRANSPORT_NONE;
  const auto ranks = static_cast<std::size_t>(size());
  for (std::size_t r = 0; r < ranks; ++r)
    read.parts[r] = c.transfers[index].parts[(r + static_cast<std::size_t>(across_)) % ranks];
  back.transfers = {read};
  const Closed list{make_list(read), H5Pclose};
  return move(back, 0, list.id) || wrong("read across ranks");
}

bool Player::transfer(const Case& c, std::size_t index) {
  const Transfer& t = c.transfers[index];
  bool good = true;
  if (t.reopen_before) good = reopen(c);
  // A rank that reads alone sees what others wrote behind a flush (doc/COMMIT.md).
  const bool reads_alone = !t.write && t.mode == Mode::kIndependent && across_ != 0;
  if (good && (t.flush_before || reads_alone))
    good = H5Fflush(file_, H5F_SCOPE_GLOBAL) >= 0 || wrong("flushing");
  const Closed list{make_list(t), H5Pclose};
  // A rank that could not go so far still takes part: the library lets all ranks fail then.
  if (t.parts[static_cast<std::size_t>(rank())].calls) good &= move(c, index, list.id);
  if (t.write) update_model(c, index);
  // All come, whatever has become of their part of the write.
  if (t.write && across_ != 0) good &= read_across(c, index);
  count(c, t, list.id);
  if (!good) wrong_ = "transfer " + std::to_string(index) + ", " + wrong_;
  // Nobody goes on alone; and what one wrote is there for all.
  int all = good ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  return all != 0;
}

bool Player::play(const Case& c, std::string* what) {
  wrong_.clear();
  bool good = make_dataset(c);
  for (std::size_t i = 0; good && i < c.transfers.size(); ++i) good = transfer(c, i);
  if (good) good = H5Dclose(dataset_) >= 0 || wrong("closing the dataset");
  *what = wrong_;
  return good;
}

// ---- the end -----------------------------------------------------------------------------------

bool Player::check_serially(int judge, std::string* what) const {
  if (rank() != judge) return true;
  const Closed file{H5Fopen(path_.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose};
  for (const Played& played : played_) {
    const Closed dataset{H5Dopen2(file.id, played.name.c_str(), H5P_DEFAULT), H5Dclose};
    std::vector<std::int64_t> found(played.model.values.size());
    if (dataset.id < 0 ||
        H5Dread(dataset.id, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, found.data()) < 0) {
      *what = "serial reading of " + played.name + ": " + error_text();
      return false;
    }
    for (std::size_t i = 0; i < found.size(); ++i)
      if (played.model.known[i] && found[i] != played.model.values[i]) {
        *what = "serially, " + played.name + ", element " + std::to_string(i) + " is " +
                std::to_string(found[i]) + ", not " + std::to_string(played.model.values[i]);
        return false;
      }
  }
  return true;
}

bool Player::write_model(const std::string& path) const {
  if (rank() != 0) return true;
  std::FILE* out = std::fopen(path.c_str(), "w");
  if (out == nullptr) return false;
  for (const Played& played : played_) {
    std::fprintf(out, "%s", played.name.c_str());
    for (std::size_t i = 0; i < played.model.values.size(); ++i)
      if (played.model.known[i])
        std::fprintf(out, " %lld", static_cast<long long>(played.model.values[i]));
      else
        std::fprintf(out, " ?");
    std::fprintf(out, "\n");
  }
  return std::fclose(out) == 0;
}

void Player::count(const Case& c, const Transfer& t, hid_t list) {
  histogram_.count("ndims", std::to_string(c.dims.size()));
  histogram_.count("layout", layout_name(c));
  histogram_.count("fill", name_of(c.fill));
  histogram_.count("direction", t.write ? "write" : "read");
  histogram_.count("mode", name_of(t.mode));
  histogram_.count("conversion", conversion_name(c.file_type, t.memory_type));
  if (t.memory_type.big_endian)
    histogram_.count("memory-order", "big");
  else
    histogram_.count("memory-order", "little");
  histogram_.count("transform", t.transform != 0 ? "yes" : "no");
  histogram_.count("reopened", t.reopen_before ? "yes" : "no");
  if (!t.write) histogram_.count("reads", t.shared ? "same" : "own");
  for (const Part& part : t.parts) {
    histogram_.count("selection", name_of(part.file.kind));
    histogram_.count("memory", name_of(part.memory.kind));
  }
  if (t.mode == Mode::kIndependent) return;
  histogram_.count(
      "asked", t.transport == PCIO_TRANSPORT_NONE ? "automatic" : pcio_transport_name(t.transport));
  pcio_transfer_report_t report;
  if (pcio_get_transfer_report(list, &report, sizeof report) >= 0)
    histogram_.count("done", pcio_transport_name(report.transport));
}

}  // namespace campaign
