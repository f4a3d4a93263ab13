// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Random transfers of datasets with filters, by all ranks, beside a model in memory. Room: testpar,
// public headers only.
//
//   filtered_cases [--seed S] [--cases N] [--case C] [--folder F] [--keep K] [--across R]
//
// {filter} x {collective, independent whole chunks} x {conversion, transform, none} x {whole,
// shared, cut chunks} x {write, read}: every rank knows what every element must hold. The number of
// a case chooses filter, change and whether chunks are cut, and its first writes are of each kind,
// so that --cases 90 is all combinations; the rest is random. With --keep every Kth file stays,
// beside its values as text, for another library to judge (but for filters that only this program
// has). With --across R what each rank wrote is read by the rank R after it, all together, behind each write (or the flush
// that an independent one needs), and the last rank judges the file. The last line has seed, cases, a histogram, and failures; an empty bin is one.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <hdf5.h>
#include <random>
#include <string>
#include <vector>

#include <mpi.h>

#include "campaign/histogram.hpp"
#include "filtered/filter_choices.hpp"

using filtered::FilterChoice;
using filtered::kFilters;
using filtered::Values;

namespace {

using Dims = std::vector<hsize_t>;
using Element = std::uint64_t;

int mpi_rank = 0, ranks = 1;
long failures = 0;
std::string case_name;

void fail(const std::string& what) {
  ++failures;
  std::fprintf(stderr, "FAILURE: rank %d, %s: %s\n", mpi_rank, case_name.c_str(), what.c_str());
}
#define MUST(condition)                 \
  do {                                  \
    if (!(condition)) fail(#condition); \
  } while (false)

/// Which rank has which element.
enum class Pattern { kChunkRows, kCheckers, kOneRank, kColumns, kCyclic, kPoints, kGaps };
const char* const kPatternNames[] = {"chunk-rows", "checkers", "one-rank", "columns",
                                     "cyclic",     "points",   "gaps"};
constexpr int kWholePatterns = 3;  // the first ones give whole chunks to ranks
constexpr int kPatterns = 7;

/// {filter} x {change} x {cut or not}.
long all_combinations() { return static_cast<long>(kFilters.size()) * 3 * 2; }

enum class Change { kNone, kConversion, kTransform };
const char* const kChangeNames[] = {"none", "conversion", "transform"};

/// One dataset and what its elements hold.
struct Case {
  std::mt19937 random;
  Dims dims, chunk;
  const FilterChoice* filter = nullptr;
  hid_t file_type = H5T_STD_I32LE;
  Change change = Change::kNone;
  bool latest = false, plain_edges = false, growable = false;
  int fill = 0;
  std::vector<int> model;
  hid_t file = -1, data = -1;
  bool waiting = false;  // chunks that were written independently and not flushed

  std::uint64_t pick(std::uint64_t n) { return random() % n; }
  [[nodiscard]] Element elements() const {
    Element n = 1;
    for (const hsize_t d : dims) n *= d;
    return n;
  }
  [[nodiscard]] Dims coords(Element e) const {
    Dims at(dims.size());
    for (std::size_t d = dims.size(); d-- > 0; e /= dims[d]) at[d] = e % dims[d];
    return at;
  }
  [[nodiscard]] bool is_cut() const {
    for (std::size_t d = 0; d < dims.size(); ++d)
      if (dims[d] % chunk[d] != 0) return true;
    return false;
  }
};

int value_of(Element e, int generation) {
  return static_cast<int>((e * 7 + static_cast<Element>(generation) * 131 + e / 5) % 1000);
}

/// The rank that has an element, or -1.
int owner_of(const Case& c, Pattern pattern, int empty, Element e, int salt) {
  const Dims at = c.coords(e);
  const auto n = static_cast<hsize_t>(ranks);
  hsize_t owner = 0;
  switch (pattern) {
    case Pattern::kChunkRows: owner = at[0] / c.chunk[0] % n; break;
    case Pattern::kCheckers: {
      hsize_t number = static_cast<hsize_t>(salt);
      for (std::size_t d = 0; d < at.size(); ++d) number = number * 3 + at[d] / c.chunk[d];
      owner = number % n;
      break;
    }
    case Pattern::kOneRank: owner = static_cast<hsize_t>(salt) % n; break;
    case Pattern::kColumns: owner = at.back() * n / c.dims.back(); break;
    case Pattern::kCyclic: owner = at.back() % n; break;
    case Pattern::kPoints:
      owner = (e * 2654435761U + static_cast<Element>(salt)) / 64 % (n + 1);
      if (owner == n) return -1;
      break;
    case Pattern::kGaps:
      if (at[0] % 3 == 0) return -1;
      owner = at[0] % n;
      break;
  }
  return static_cast<int>(owner) == empty ? -1 : static_cast<int>(owner);
}

std::vector<Element> elements_of(const Case& c, Pattern pattern, int empty, int rank, int salt) {
  std::vector<Element> mine;
  for (Element e = 0; e < c.elements(); ++e)
    if (owner_of(c, pattern, empty, e, salt) == rank) mine.push_back(e);
  if (pattern == Pattern::kPoints) {
    std::mt19937 order(static_cast<unsigned>(salt));
    std::shuffle(mine.begin(), mine.end(), order);
  }
  return mine;
}

/// Elements as a selection in their order: points, or stretches of the last dimension.
hid_t select_elements(const Case& c, const std::vector<Element>& mine, bool points) {
  const auto ndims = static_cast<int>(c.dims.size());
  const hid_t space = H5Screate_simple(ndims, c.dims.data(), nullptr);
  H5Sselect_none(space);
  if (mine.empty()) return space;
  if (points) {
    Dims list;
    for (const Element e : mine) {
      const Dims at = c.coords(e);
      list.insert(list.end(), at.begin(), at.end());
    }
    MUST(H5Sselect_elements(space, H5S_SELECT_SET, mine.size(), list.data()) >= 0);
    return space;
  }
  bool first = true;
  for (std::size_t i = 0; i < mine.size();) {
    std::size_t end = i + 1;
    while (end < mine.size() && mine[end] == mine[end - 1] + 1 && mine[end] % c.dims.back() != 0)
      ++end;
    const Dims at = c.coords(mine[i]);
    Dims count(c.dims.size(), 1);
    count.back() = end - i;
    MUST(H5Sselect_hyperslab(space, first ? H5S_SELECT_SET : H5S_SELECT_OR, at.data(), nullptr,
                             count.data(), nullptr) >= 0);
    first = false;
    i = end;
  }
  return space;
}

hid_t list_of(Case& c, bool collective, const char* transform) {
  const hid_t list = H5Pcreate(H5P_DATASET_XFER);
  MUST(H5Pset_dxpl_mpio(list, collective ? H5FD_MPIO_COLLECTIVE : H5FD_MPIO_INDEPENDENT) >= 0);
  static const H5FD_mpio_chunk_opt_t kOptions[] = {H5FD_MPIO_CHUNK_DEFAULT, H5FD_MPIO_CHUNK_ONE_IO,
                                                   H5FD_MPIO_CHUNK_MULTI_IO};
  const auto option = kOptions[c.pick(3)];
  if (collective) MUST(H5Pset_dxpl_mpio_chunk_opt(list, option) >= 0);
  if (c.change == Change::kTransform) MUST(H5Pset_data_transform(list, transform) >= 0);
  return list;
}

/// File and memory type differ where a conversion is wanted.
template <class T>
bool move(Case& c, hid_t list, const std::vector<Element>& mine, bool points, bool write,
          std::vector<T>& values, hid_t type) {
  const hid_t space = select_elements(c, mine, points);
  const hsize_t n = std::max<hsize_t>(1, mine.size());
  const hid_t memory = H5Screate_simple(1, &n, nullptr);
  if (mine.empty()) H5Sselect_none(memory);
  values.resize(n);
  const herr_t done = write ? H5Dwrite(c.data, type, memory, space, list, values.data())
                            : H5Dread(c.data, type, memory, space, list, values.data());
  H5Sclose(memory);
  H5Sclose(space);
  return done >= 0;
}

template <class T>
bool write_as(Case& c, hid_t list, const std::vector<Element>& mine, bool points, int generation,
              hid_t type) {
  const int less = c.change == Change::kTransform ? 3 : 0;
  std::vector<T> values;
  for (const Element e : mine) values.push_back(static_cast<T>(value_of(e, generation) - less));
  return move(c, list, mine, points, true, values, type);
}

template <class T>
void read_as(Case& c, hid_t list, const std::vector<Element>& mine, bool points, hid_t type) {
  const int less = c.change == Change::kTransform ? 3 : 0;
  std::vector<T> values;
  if (!move(c, list, mine, points, false, values, type)) return fail("H5Dread failed");
  for (std::size_t i = 0; i < mine.size(); ++i)
    if (values[i] != static_cast<T>(c.model[mine[i]] - less))
      return fail("element " + std::to_string(mine[i]) + " is " +
                  std::to_string(static_cast<double>(values[i])) + ", not " +
                  std::to_string(c.model[mine[i]] - less));
}

void create(Case& c, const std::string& name) {
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
  if (c.latest) H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  c.file = H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
  H5Pclose(access);
  Dims most = c.dims;
  if (c.growable) most.assign(most.size(), H5S_UNLIMITED);
  const auto ndims = static_cast<int>(c.dims.size());
  const hid_t space = H5Screate_simple(ndims, c.dims.data(), most.data());
  const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  MUST(H5Pset_chunk(list, ndims, c.chunk.data()) >= 0);
  if (c.plain_edges) MUST(H5Pset_chunk_opts(list, H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS) >= 0);
  if (c.fill != 0) MUST(H5Pset_fill_value(list, H5T_NATIVE_INT, &c.fill) >= 0);
  MUST(c.filter->set(list) >= 0);
  c.data = H5Dcreate2(c.file, "data", c.file_type, space, H5P_DEFAULT, list, H5P_DEFAULT);
  MUST(c.file >= 0 && c.data >= 0);
  H5Pclose(list);
  H5Sclose(space);
  c.model.assign(c.elements(), c.fill);
}

void reopen(Case& c, const std::string& name) {
  MUST(H5Dclose(c.data) >= 0 && H5Fclose(c.file) >= 0);
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
  c.file = H5Fopen(name.c_str(), H5F_ACC_RDWR, access);
  H5Pclose(access);
  c.data = H5Dopen2(c.file, "data", H5P_DEFAULT);
  MUST(c.file >= 0 && c.data >= 0);
}

void set_extent(Case& c) {
  const Case before = c;
  for (std::size_t d = 0; d < c.dims.size(); ++d) c.dims[d] = 1 + c.pick(2 * before.dims[d] + 2);
  MUST(H5Dset_extent(c.data, c.dims.data()) >= 0);
  c.model.assign(c.elements(), c.fill);
  for (Element e = 0; e < before.elements(); ++e) {
    const Dims at = before.coords(e);
    bool inside = true;
    Element now = 0;
    for (std::size_t d = 0; d < at.size(); ++d) {
      inside = inside && at[d] < c.dims[d];
      now = now * c.dims[d] + at[d];
    }
    if (inside) c.model[now] = before.model[e];
  }
}

campaign::Histogram histogram, joint;
bool verbose = false;
int across = 0;  // ranks between who writes and who reads it back; 0: nobody does

/// With --case: the steps, on rank 0.
void tell(const Case& c, const std::string& step) {
  if (!verbose || mpi_rank != 0) return;
  std::string text = step + " [";
  for (std::size_t d = 0; d < c.dims.size(); ++d)
    text += " " + std::to_string(c.dims[d]) + "/" + std::to_string(c.chunk[d]);
  std::fprintf(stderr, "%s ]\n", text.c_str());
}

std::string combination(const FilterChoice& filter, Change change, bool collective,
                        const std::string& chunks) {
  return std::string(filter.name) + "/" + kChangeNames[static_cast<int>(change)] + "/" +
         (collective ? "collective" : "independent") + "/" + chunks;
}

/// What a write may be: no rank by itself writes a part of a chunk.
std::vector<std::string> combinations() {
  std::vector<std::string> all;
  for (const FilterChoice& filter : kFilters)
    for (const Change change : {Change::kNone, Change::kConversion, Change::kTransform})
      for (const bool collective : {true, false})
        for (const char* const chunks : {"whole", "shared", "cut"})
          if (collective || chunks[0] != 's')
            all.push_back(combination(filter, change, collective, chunks));
  return all;
}

enum class Want { kAny, kTogetherWhole, kTogetherShared, kAlone };

Pattern choose_pattern(Case& c, Want want, bool collective) {
  if (want == Want::kTogetherShared)
    return static_cast<Pattern>(kWholePatterns + c.pick(kPatterns - kWholePatterns));
  const bool any = want == Want::kAny && collective;
  return static_cast<Pattern>(c.pick(any ? kPatterns : kWholePatterns));
}

void read_across(Case& c, Pattern pattern, int empty, int salt) {
  if (across == 0) return;
  const int writer = (mpi_rank + across) % ranks;
  const hid_t list = list_of(c, true, "x-3");
  read_as<int>(c, list, elements_of(c, pattern, empty, writer, salt), pattern == Pattern::kPoints,
               H5T_NATIVE_INT);
  H5Pclose(list);
}

void write_step(Case& c, int generation, Want want) {
  const bool collective = want == Want::kAny ? c.pick(3) > 0 : want != Want::kAlone;
  const Pattern pattern = choose_pattern(c, want, collective);
  const int empty = c.pick(3) == 0 ? static_cast<int>(c.pick(static_cast<unsigned>(ranks))) : -1;
  const int salt = static_cast<int>(c.pick(1000));
  const auto mine = elements_of(c, pattern, empty, mpi_rank, salt);
  // Of independent writes of one chunk by two ranks nobody knows the order.
  if (!collective && c.waiting) MUST(H5Fflush(c.file, H5F_SCOPE_GLOBAL) >= 0);
  c.waiting = !collective;
  const bool points = pattern == Pattern::kPoints;
  const hid_t list = list_of(c, collective, "x+3");
  tell(c, std::string(collective ? "collective" : "independent") + " write " +
              kPatternNames[static_cast<int>(pattern)] + ", empty " + std::to_string(empty) +
              ", generation " + std::to_string(generation));
  const bool wide = c.change == Change::kConversion;
  const bool done = wide ? write_as<double>(c, list, mine, points, generation, H5T_NATIVE_DOUBLE)
                         : write_as<int>(c, list, mine, points, generation, H5T_NATIVE_INT);
  if (!done) fail(std::string("H5Dwrite failed: ") + kPatternNames[static_cast<int>(pattern)]);
  H5Pclose(list);
  for (Element e = 0; e < c.elements(); ++e)
    if (owner_of(c, pattern, empty, e, salt) >= 0) c.model[e] = value_of(e, generation);
  histogram.count("mode", collective ? "collective" : "independent");
  histogram.count("pattern", kPatternNames[static_cast<int>(pattern)]);
  const bool whole = static_cast<int>(pattern) < kWholePatterns;
  joint.count("combination", combination(*c.filter, c.change, collective,
                                         c.is_cut() ? "cut"
                                         : whole    ? "whole"
                                                    : "shared"));
  histogram.count("chunks", c.is_cut() ? "cut" : whole ? "whole" : "shared");
  if (collective) read_across(c, pattern, empty, salt);
  // What another rank has pending is not to be seen yet; this rank's own is.
  if (!collective) {
    const hid_t alone = list_of(c, false, "x-3");
    read_as<int>(c, alone, mine, false, H5T_NATIVE_INT);
    H5Pclose(alone);
    const bool flush = c.pick(2) == 0 || across != 0;
    if (flush) tell(c, "flush");
    if (flush) MUST(H5Fflush(c.file, H5F_SCOPE_GLOBAL) >= 0);
    if (flush) read_across(c, pattern, empty, salt);
  }
}

void read_step(Case& c) {
  const bool collective = c.pick(3) > 0;
  const auto pattern = static_cast<Pattern>(c.pick(kPatterns));
  const int salt = static_cast<int>(c.pick(1000));
  const bool points = pattern == Pattern::kPoints;
  std::vector<Element> mine = elements_of(c, pattern, -1, mpi_rank, salt);
  if (c.pick(3) == 0) {
    mine.clear();
    for (Element e = 0; e < c.elements(); ++e) mine.push_back(e);
    histogram.count("read", "all");
  }
  if (!collective) MUST(H5Fflush(c.file, H5F_SCOPE_GLOBAL) >= 0);
  tell(c, collective ? "collective read" : "flush, independent read");
  const hid_t list = list_of(c, collective, "x-3");
  if (c.change == Change::kConversion)
    read_as<double>(c, list, mine, points, H5T_NATIVE_DOUBLE);
  else
    read_as<int>(c, list, mine, points, H5T_NATIVE_INT);
  H5Pclose(list);
  histogram.count("read", collective ? "collective" : "independent");
}

/// n-bit packs what a type has fewer bits than bytes for. Numbers of 16 bits and more hold all
/// values.
hid_t choose_type(Case& c) {
  static const hid_t kTypes[] = {H5T_STD_I32LE, H5T_STD_I16LE, H5T_STD_I32BE, H5T_IEEE_F64LE,
                                 H5T_IEEE_F32BE};
  if (c.filter->values != Values::kNarrow)
    return kTypes[c.pick(c.filter->values == Values::kIntegers ? 3 : 5)];
  static hid_t narrow = -1;
  if (narrow < 0) {
    narrow = H5Tcopy(H5T_STD_I32LE);
    MUST(H5Tset_precision(narrow, 17) >= 0 && H5Tset_offset(narrow, 3) >= 0);
  }
  return narrow;
}

Case make_case(unsigned seed, long number) {
  Case c;
  c.random.seed(seed * 1000003U + static_cast<unsigned>(number));
  const auto filters = static_cast<long>(kFilters.size());
  c.filter = &kFilters[static_cast<std::size_t>(number % filters)];
  c.change = static_cast<Change>(number / filters % 3);
  const bool cut = number / filters / 3 % 2 != 0;
  const auto ndims = 1 + c.pick(3);
  for (std::uint64_t d = 0; d < ndims; ++d) {
    c.chunk.push_back(ndims == 1 ? 8 + c.pick(40) : 4 + c.pick(7));
    c.dims.push_back(c.chunk.back() * (1 + c.pick(ndims == 3 ? 3 : 5)));
    if (cut && (d == 0 || c.pick(2) == 0)) c.dims.back() += 1 + c.pick(c.chunk.back() - 1);
  }
  c.file_type = choose_type(c);
  c.latest = c.pick(2) == 0;
  c.growable = c.pick(2) == 0;
  c.plain_edges = c.latest && c.pick(2) == 0;
  c.fill = c.pick(2) == 0 ? 0 : -7;
  return c;
}

void keep_values(const Case& c, const std::string& name) {
  std::FILE* out = std::fopen((name + ".values").c_str(), "w");
  if (out == nullptr) return fail("can't write values");
  for (const hsize_t d : c.dims) std::fprintf(out, "%llu ", static_cast<unsigned long long>(d));
  std::fprintf(out, "\n");
  for (const int value : c.model) std::fprintf(out, "%d\n", value);
  std::fclose(out);
}

void play(unsigned seed, long number, const std::string& folder, bool keep) {
  Case c = make_case(seed, number);
  case_name = "seed " + std::to_string(seed) + " case " + std::to_string(number) + " (" +
              c.filter->name + ", " + kChangeNames[static_cast<int>(c.change)] + ")";
  histogram.count("filter", c.filter->name);
  histogram.count("change", kChangeNames[static_cast<int>(c.change)]);
  histogram.count("index", c.latest ? (c.growable ? "latest-growable" : "latest-fixed")
                                    : (c.growable ? "v1-growable" : "v1-fixed"));
  histogram.count("edges", c.plain_edges ? "plain" : "filtered");
  const std::string name = folder + "/filtered" + std::to_string(number) + ".h5";
  create(c, name);
  for (int step = 0; step < 8 && failures == 0; ++step) {
    const auto what = c.pick(8);
    static const Want kFirst[] = {Want::kTogetherWhole, Want::kTogetherShared, Want::kAlone};
    if (what < 4 || step < 3) {
      write_step(c, step + static_cast<int>(number), step < 3 ? kFirst[step] : Want::kAny);
    } else if (what < 6) {
      read_step(c);
    } else if (what == 6 && c.growable) {
      set_extent(c);
      tell(c, "extent");
      histogram.count("step", "extent");
    } else {
      reopen(c, name);
      tell(c, "reopen");
      histogram.count("step", "reopen");
    }
  }
  for (int i = 0; i < 2; ++i) read_step(c);
  MUST(H5Dclose(c.data) >= 0 && H5Fclose(c.file) >= 0);
  MPI_Barrier(MPI_COMM_WORLD);
  if (mpi_rank == (across != 0 ? ranks - 1 : 0)) {
    // And by one process alone.
    c.file = H5Fopen(name.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    c.data = H5Dopen2(c.file, "data", H5P_DEFAULT);
    std::vector<int> values(c.elements());
    MUST(H5Dread(c.data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0);
    if (values != c.model) fail("read by one process: other values");
    H5Dclose(c.data);
    H5Fclose(c.file);
    if (keep && c.filter->everywhere) keep_values(c, name);
    if (!(keep && c.filter->everywhere) && failures == 0) std::remove(name.c_str());
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &mpi_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const char* const expected = std::getenv("PCIO_TEST_NP");
  if (expected != nullptr && std::atoi(expected) != ranks) {
    std::fprintf(stderr, "%s ranks were started, this world has %d\n", expected, ranks);
    MPI_Abort(MPI_COMM_WORLD, 3);
  }
  unsigned seed = 1;
  long cases = all_combinations(), only = -1, keep = 0, played = 0;
  std::string folder = ".";
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string option = argv[i];
    if (option == "--seed") seed = static_cast<unsigned>(std::atol(argv[i + 1]));
    if (option == "--cases") cases = std::atol(argv[i + 1]);
    if (option == "--case") only = std::atol(argv[i + 1]);
    if (option == "--folder") folder = argv[i + 1];
    if (option == "--across") across = static_cast<int>(std::atol(argv[i + 1]) % ranks);
    if (option == "--keep") keep = std::atol(argv[i + 1]);
  }
  verbose = only >= 0;
  MUST(filtered::register_filters());
  joint.add_group("combination", combinations());
  std::vector<std::string> filters;
  for (const FilterChoice& filter : kFilters) filters.emplace_back(filter.name);
  histogram.add_group("filter", filters);
  histogram.add_group("change", {"none", "conversion", "transform"});
  histogram.add_group("chunks", {"whole", "shared", "cut"});
  histogram.add_group("mode", {"collective", "independent"});
  histogram.add_group("pattern",
                      std::vector<std::string>(kPatternNames, kPatternNames + kPatterns));
  histogram.add_group("read", {"collective", "independent", "all"});
  histogram.add_group("index", {"v1-fixed", "v1-growable", "latest-fixed", "latest-growable"});
  histogram.add_group("edges", {"filtered", "plain"});
  histogram.add_group("step", {"extent", "reopen"});
  long total = 0;
  for (long number = only < 0 ? 0 : only; number < (only < 0 ? cases : only + 1); ++number) {
    play(seed, number, folder, keep > 0 && number % keep == 0);
    ++played;
    MPI_Allreduce(&failures, &total, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (total > 0) break;
  }
  std::string empty = only < 0 && total == 0 ? histogram.empty_bins() : "";
  // All combinations, where there are enough cases for them.
  if (only < 0 && total == 0 && cases >= all_combinations())
    empty += joint.empty_bins().substr(0, 400);
  if (mpi_rank == 0)
    std::printf(
        "filtered: seed %u on %d ranks: %ld cases, %ld failures; %zu combinations, %s%s%s\n", seed,
        ranks, played, total, combinations().size(), histogram.text().c_str(),
        empty.empty() ? "" : "; EMPTY: ", empty.c_str());
  MPI_Finalize();
  return total > 0 || !empty.empty() ? 1 : 0;
}
