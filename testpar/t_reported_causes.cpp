// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Why a transfer was not collective: each cause that can occur is provoked, and what is a cause in
// HDF5 but is served collectively here sets none. Room: testpar, public headers only.
//
// Source: HDF Group, RFC "Actual I/O Mode" (2013). The cause of the MPI-POSIX driver: rfc_cause.c.

#include <cstdlib>

#include "support.hpp"

#ifdef PCIO_VERSION
#include <pcio.h>
#include <vector>

using par::Id;

namespace {

constexpr hsize_t kRows = 12, kColumns = 10;

enum class Layout { kContiguous, kChunked, kCompact };

hid_t create_list(Layout layout) {
  const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  const hsize_t chunk[2] = {5, 4};
  if (layout == Layout::kCompact) H5Pset_layout(list, H5D_COMPACT);
  if (layout == Layout::kChunked) H5Pset_chunk(list, 2, chunk);
  return list;
}

Id create_file(const char* word) {
  const Id access(par::mpio_access());
  Id file(H5Fcreate(par::file_name(word).c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
  CHECK(file.valid());
  return file;
}

Id create_dataset(hid_t file, Layout layout, hid_t type = H5T_NATIVE_INT) {
  const hsize_t dims[2] = {kRows, kColumns};
  const Id space(H5Screate_simple(2, dims, nullptr)), list(create_list(layout));
  Id dataset(H5Dcreate2(file, "data", type, space, H5P_DEFAULT, list, H5P_DEFAULT));
  CHECK(dataset.valid());
  return dataset;
}

struct Causes {
  uint32_t local = 99, global = 99;
  H5D_mpio_actual_io_mode_t mode = H5D_MPIO_NO_COLLECTIVE;
  H5D_mpio_actual_chunk_opt_mode_t option = H5D_MPIO_NO_CHUNK_OPTIMIZATION;
};

Causes causes_of(hid_t list) {
  Causes causes;
  CHECK(H5Pget_mpio_no_collective_cause(list, &causes.local, &causes.global) >= 0);
  CHECK(H5Pget_mpio_actual_io_mode(list, &causes.mode) >= 0);
  CHECK(H5Pget_mpio_actual_chunk_opt_mode(list, &causes.option) >= 0);
  // The report's bits are the same, and have a text.
  pcio_transfer_report_t report;
  CHECK(pcio_get_transfer_report(list, &report, sizeof report) >= 0);
  CHECK(report.local_causes == causes.local && report.global_causes == causes.global);
  char text[256] = "";
  CHECK(pcio_cause_text(causes.global, text, sizeof text) > 0);
  CHECK((causes.global == H5D_MPIO_COLLECTIVE) == (std::string(text) == "collective"));
  return causes;
}

/// One transfer: this rank's rows, or what `space` and `memory` say.
struct Selected {
  Id space, memory;
  std::size_t count = 0;
};

Selected my_rows(hid_t dataset) {
  Selected s;
  s.space = Id(H5Dget_space(dataset));
  const auto me = static_cast<hsize_t>(par::rank()), all = static_cast<hsize_t>(par::size());
  const hsize_t begin = kRows * me / all, end = kRows * (me + 1) / all;
  const hsize_t start[2] = {begin, 0}, count[2] = {end - begin, kColumns};
  s.count = static_cast<std::size_t>(count[0] * count[1]);
  if (s.count > 0)
    H5Sselect_hyperslab(s.space, H5S_SELECT_SET, start, nullptr, count, nullptr);
  else
    H5Sselect_none(s.space);
  const hsize_t n = s.count > 0 ? s.count : 1;
  s.memory = Id(H5Screate_simple(1, &n, nullptr));
  if (s.count == 0) H5Sselect_none(s.memory);
  return s;
}

/// Writes and reads back; both must report the same causes.
Causes write_and_read(hid_t dataset, const Selected& s, hid_t list, hid_t type = H5T_NATIVE_INT) {
  const std::size_t bytes = (s.count + 1) * 8;
  std::vector<unsigned char> values(bytes, 0), back(bytes, 0);
  CHECK(H5Dwrite(dataset, type, s.memory, s.space, list, values.data()) >= 0);
  const Causes wrote = causes_of(list);
  CHECK(H5Dread(dataset, type, s.memory, s.space, list, back.data()) >= 0);
  const Causes read = causes_of(list);
  CHECK(wrote.local == read.local && wrote.global == read.global && wrote.mode == read.mode);
  CHECK(values == back);
  return wrote;
}

Causes rows_with(Layout layout, hid_t list, const char* word, hid_t memory_type = H5T_NATIVE_INT) {
  const Id file = create_file(word);
  const Id dataset = create_dataset(file, layout);
  return write_and_read(dataset, my_rows(dataset), list, memory_type);
}

bool is_collective(const Causes& causes) {
  return causes.local == H5D_MPIO_COLLECTIVE && causes.global == H5D_MPIO_COLLECTIVE &&
         (causes.mode == H5D_MPIO_CHUNK_COLLECTIVE ||
          causes.mode == H5D_MPIO_CONTIGUOUS_COLLECTIVE);
}

/// A list for a transfer that can be collective.
Id collective_list() {
  Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  static const bool by_itself = par::collective_by_itself();
  if (!by_itself) pcio_set_dxpl_transport(list, PCIO_TRANSPORT_EXCHANGE);
  return list;
}

/// The environment of one scope, on all ranks.
class Environment {
 public:
  Environment(const char* name, const char* value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    setenv(name, value, 1);
  }
  ~Environment() {
    if (before_.empty())
      unsetenv(name_);
    else
      setenv(name_, before_.c_str(), 1);
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  const char* name_;
  std::string before_;
};

constexpr Layout kBoth[] = {Layout::kContiguous, Layout::kChunked};

}  // namespace

// ---- causes that occur -------------------------------------------------------------------------

CASE(independent_transfers) {
  for (const Layout layout : kBoth) {
    const Id list(par::transfer_list(H5FD_MPIO_INDEPENDENT));
    const Causes causes = rows_with(layout, list, "causes_independent");
    CHECK(causes.local == H5D_MPIO_SET_INDEPENDENT && causes.global == H5D_MPIO_SET_INDEPENDENT);
    CHECK(causes.mode == H5D_MPIO_NO_COLLECTIVE);
    CHECK(causes.option == H5D_MPIO_NO_CHUNK_OPTIMIZATION);
  }
}

CASE(individual_io) {
  for (const Layout layout : kBoth) {
    const Id list = collective_list();
    CHECK(H5Pset_dxpl_mpio_collective_opt(list, H5FD_MPIO_INDIVIDUAL_IO) >= 0);
    const Causes causes = rows_with(layout, list, "causes_individual");
    CHECK(causes.local == H5D_MPIO_SET_INDEPENDENT && causes.global == H5D_MPIO_SET_INDEPENDENT);
    CHECK(causes.mode ==
          (layout == Layout::kChunked ? H5D_MPIO_CHUNK_INDEPENDENT : H5D_MPIO_NO_COLLECTIVE));
  }
}

/// Local causes are the rank's own, global ones everybody's.
CASE(individual_io_on_one_rank) {
  const Id list = collective_list();
  const bool culprit = par::rank() == par::size() - 1;
  if (culprit) H5Pset_dxpl_mpio_collective_opt(list, H5FD_MPIO_INDIVIDUAL_IO);
  const Causes causes = rows_with(Layout::kContiguous, list, "causes_one");
  CHECK(causes.local == (culprit ? H5D_MPIO_SET_INDEPENDENT : H5D_MPIO_COLLECTIVE));
  CHECK(causes.global == H5D_MPIO_SET_INDEPENDENT);
}

CASE(compact_storage) {
  const Id list = collective_list();
  const Causes causes = rows_with(Layout::kCompact, list, "causes_compact");
  CHECK(causes.local == H5D_MPIO_NOT_CONTIGUOUS_OR_CHUNKED_DATASET);
  CHECK(causes.global == H5D_MPIO_NOT_CONTIGUOUS_OR_CHUNKED_DATASET);
  CHECK(causes.mode == H5D_MPIO_NO_COLLECTIVE);
}

CASE(several_causes_at_once) {
  const Id list = collective_list();
  const bool first = par::rank() == 0;
  if (first) H5Pset_dxpl_mpio_collective_opt(list, H5FD_MPIO_INDIVIDUAL_IO);
  const Causes causes = rows_with(Layout::kCompact, list, "causes_several");
  const uint32_t storage = H5D_MPIO_NOT_CONTIGUOUS_OR_CHUNKED_DATASET;
  CHECK(causes.local == (first ? storage | H5D_MPIO_SET_INDEPENDENT : storage));
  CHECK(causes.global == (storage | H5D_MPIO_SET_INDEPENDENT));
}

/// Chunks that were written compressed, by another library: 12 x 10 numbers from 0 on.
CASE(filters) {
  const char* const name = std::getenv("PCIO_FILTERED_FILE");
  if (name == nullptr) return;
  const Id access(par::mpio_access());
  const Id file(H5Fopen(name, H5F_ACC_RDONLY, access));
  const Id dataset(H5Dopen2(file, "data", H5P_DEFAULT));
  CHECK(dataset.valid());
  const Id list = collective_list();
  const Selected rows = my_rows(dataset);
  const int first = static_cast<int>(kRows * static_cast<hsize_t>(par::rank()) /
                                     static_cast<hsize_t>(par::size()) * kColumns);
  std::vector<int> values(rows.count + 1, -1);
  CHECK(H5Dread(dataset, H5T_NATIVE_INT, rows.memory, rows.space, list, values.data()) >= 0);
  for (std::size_t i = 0; i < rows.count; ++i) CHECK(values[i] == first + static_cast<int>(i));
  // HDF5 would give H5D_MPIO_FILTERS; here owners of chunks read them for all.
  CHECK(is_collective(causes_of(list)));
}

/// HDF5's switch for programs whose MPI library has trouble with derived types.
CASE(derived_types_switched_off) {
  const Environment off("HDF5_MPI_OPT_TYPES", "0");
  const Id file = create_file("causes_types");
  const Id dataset = create_dataset(file, Layout::kChunked);
  const Selected rows = my_rows(dataset);
  Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  const Causes causes = write_and_read(dataset, rows, list);
  CHECK(causes.local == H5D_MPIO_MPI_OPT_TYPES_ENV_VAR_DISABLED);
  CHECK(causes.global == H5D_MPIO_MPI_OPT_TYPES_ENV_VAR_DISABLED);
  CHECK(causes.mode == H5D_MPIO_NO_COLLECTIVE);
  // Transports that need none of them are collective where they are asked for.
  for (const auto transport : {PCIO_TRANSPORT_EXCHANGE, PCIO_TRANSPORT_DIRECT}) {
    list = Id(par::transfer_list(H5FD_MPIO_COLLECTIVE));
    CHECK(pcio_set_dxpl_transport(list, transport) >= 0);
    CHECK(is_collective(write_and_read(dataset, rows, list)));
  }
  // The one that needs them can't be had.
  const par::Silence silence;
  CHECK(pcio_set_dxpl_transport(list, PCIO_TRANSPORT_VIEW) >= 0);
  const std::vector<int> values(rows.count + 1);
  CHECK(H5Dwrite(dataset, H5T_NATIVE_INT, rows.memory, rows.space, list, values.data()) < 0);
  CHECK(par::error_text().find("view") != std::string::npos);
}

// ---- what HDF5 can't do collectively -----------------------------------------------------------

CASE(conversion_is_no_cause) {
  for (const Layout layout : kBoth) {
    const Id list = collective_list();
    CHECK(is_collective(rows_with(layout, list, "causes_conversion", H5T_NATIVE_DOUBLE)));
    pcio_transfer_report_t report;
    CHECK(pcio_get_transfer_report(list, &report, sizeof report) >= 0);
    CHECK((report.traits & PCIO_TRAIT_CONVERTED) != 0);
  }
}

CASE(conversion_on_some_ranks_is_no_cause) {
  for (const Layout layout : kBoth) {
    const Id list = collective_list();
    const hid_t type = par::rank() % 2 == 0 ? H5T_NATIVE_INT : H5T_NATIVE_DOUBLE;
    CHECK(is_collective(rows_with(layout, list, "causes_some", type)));
  }
}

CASE(transform_is_no_cause) {
  for (const Layout layout : kBoth) {
    const Id list = collective_list();
    CHECK(H5Pset_data_transform(list, "2*x") >= 0);
    CHECK(is_collective(rows_with(layout, list, "causes_transform")));
    pcio_transfer_report_t report;
    CHECK(pcio_get_transfer_report(list, &report, sizeof report) >= 0);
    CHECK((report.traits & PCIO_TRAIT_TRANSFORMED) != 0);
  }
}

CASE(point_selections_are_no_cause) {
  for (const Layout layout : kBoth) {
    const Id file = create_file("causes_points");
    const Id dataset = create_dataset(file, layout);
    const auto me = static_cast<hsize_t>(par::rank());
    Selected s;
    s.count = 3;
    s.space = Id(H5Dget_space(dataset));
    const hsize_t points[3][2] = {{7, me}, {2, me}, {4, me}};
    CHECK(H5Sselect_elements(s.space, H5S_SELECT_SET, 3, points[0]) >= 0);
    const hsize_t n = 6, in_memory[3] = {5, 0, 2};
    s.memory = Id(H5Screate_simple(1, &n, nullptr));
    CHECK(H5Sselect_elements(s.memory, H5S_SELECT_SET, 3, in_memory) >= 0);
    s.count = 6;
    const Id list = collective_list();
    CHECK(is_collective(write_and_read(dataset, s, list)));
  }
}

CASE(irregular_selections_are_no_cause) {
  for (const Layout layout : kBoth) {
    const Id file = create_file("causes_irregular");
    const Id dataset = create_dataset(file, layout);
    const auto me = static_cast<hsize_t>(par::rank());
    Selected s;
    s.space = Id(H5Dget_space(dataset));
    const hsize_t first[2] = {2 * me, 0}, second[2] = {2 * me + 1, 3}, three[2] = {1, 3},
                  two[2] = {1, 2};
    H5Sselect_hyperslab(s.space, H5S_SELECT_SET, first, nullptr, three, nullptr);
    H5Sselect_hyperslab(s.space, H5S_SELECT_OR, second, nullptr, two, nullptr);
    s.count = 5;
    const hsize_t n = 5;
    s.memory = Id(H5Screate_simple(1, &n, nullptr));
    const Id list = collective_list();
    CHECK(is_collective(write_and_read(dataset, s, list)));
    pcio_transfer_report_t report;
    CHECK(pcio_get_transfer_report(list, &report, sizeof report) >= 0);
    CHECK((report.traits & PCIO_TRAIT_REGULAR_FILE) == 0);
    CHECK((report.traits & PCIO_TRAIT_REGULAR_MEMORY) != 0);
  }
}

/// Ranks that select nothing take part.
CASE(empty_selections_are_no_cause) {
  for (const Layout layout : kBoth) {
    const Id file = create_file("causes_none");
    const Id dataset = create_dataset(file, layout);
    Selected s = my_rows(dataset);
    if (par::rank() > 0) {
      s.count = 0;
      H5Sselect_none(s.space);
      H5Sselect_none(s.memory);
    }
    const Id list = collective_list();
    CHECK(is_collective(write_and_read(dataset, s, list)));
  }
}

CASE(scalar_and_null_spaces_are_no_cause) {
  const Id file = create_file("causes_scalar");
  for (const H5S_class_t cls : {H5S_SCALAR, H5S_NULL}) {
    const Id space(H5Screate(cls));
    const Id dataset(H5Dcreate2(file, cls == H5S_SCALAR ? "scalar" : "null", H5T_NATIVE_INT, space,
                                H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    CHECK(dataset.valid());
    const Id list = collective_list();
    int value = 5, back = 0;
    CHECK(H5Dwrite(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, list, &value) >= 0);
    const Causes causes = causes_of(list);
    CHECK(is_collective(causes));
    CHECK(H5Dread(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, list, &back) >= 0);
    CHECK(is_collective(causes_of(list)));
    CHECK(back == (cls == H5S_SCALAR ? 5 : 0));
  }
}

// ---- transfers that fail -----------------------------------------------------------------------

/// Causes are kept when a transfer fails; a mode is reported on success only.
CASE(a_failure_resets_the_mode) {
  const Id file = create_file("causes_failure");
  const Id dataset = create_dataset(file, Layout::kChunked);
  const Id list = collective_list();
  CHECK(is_collective(write_and_read(dataset, my_rows(dataset), list)));
  const par::Silence silence;
  const Selected rows = my_rows(dataset);
  const hsize_t wrong = kRows * kColumns + 1;
  const Id memory(par::rank() == par::size() - 1 ? H5Screate_simple(1, &wrong, nullptr)
                                                 : H5Scopy(rows.memory));
  const std::vector<int> values(static_cast<std::size_t>(wrong));
  CHECK(H5Dwrite(dataset, H5T_NATIVE_INT, memory, rows.space, list, values.data()) < 0);
  const Causes causes = causes_of(list);
  const bool culprit = par::rank() == par::size() - 1;
  CHECK(causes.mode == H5D_MPIO_NO_COLLECTIVE);
  CHECK(causes.local ==
        (culprit ? H5D_MPIO_ERROR_WHILE_CHECKING_COLLECTIVE_POSSIBLE : H5D_MPIO_COLLECTIVE));
  CHECK(causes.global == H5D_MPIO_ERROR_WHILE_CHECKING_COLLECTIVE_POSSIBLE);
  pcio_transfer_report_t report;
  CHECK(pcio_get_transfer_report(list, &report, sizeof report) >= 0);
  CHECK(report.succeeded == 0 && report.direction == PCIO_DIRECTION_WRITE);
}

#endif
