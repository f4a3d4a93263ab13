// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// list_cases [--seed S] [--cases N]: lists that differ between ranks. In each case one rank, chosen at random,
// has another value of one property than the others. What may differ makes no difference: the file is
// the one that is made where no rank, or every rank, has the value. What must not is an error on all
// ranks that names it. Nothing hangs. Without --cases every property, once. Room: testpar.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <mpi.h>
#include <random>
#include <sstream>

#include "list_rows.hpp"
#include "support.hpp"

#ifdef PCIO_VERSION

using namespace lists;
using par::Id;

namespace {

constexpr hsize_t kEach = 100;

/// What came of one run.
struct Outcome {
  bool agreed = true;       ///< every call had the same outcome on all ranks
  std::string failed_call;  ///< of this rank; empty: none
  std::string error;
  std::string bytes;  ///< rank 0's: the file
};

class Run {
 public:
  Run(const Row& row, bool is_odd, std::string path) {
    lists_.fcpl = create(H5P_FILE_CREATE);
    lists_.fapl = create(H5P_FILE_ACCESS);
    lists_.dcpl = create(H5P_DATASET_CREATE);
    lists_.dapl = create(H5P_DATASET_ACCESS);
    lists_.gcpl = create(H5P_GROUP_CREATE);
    lists_.gapl = create(H5P_GROUP_ACCESS);
    lists_.tcpl = create(H5P_DATATYPE_CREATE);
    lists_.acpl = create(H5P_ATTRIBUTE_CREATE);
    lists_.lcpl = create(H5P_LINK_CREATE);
    lists_.dxpl = create(H5P_DATASET_XFER);
    lists_.path = std::move(path);
    // Duplicates the communicator, so all ranks do it, also where one changes its mind.
    H5Pset_fapl_mpio(lists_.fapl, MPI_COMM_WORLD, MPI_INFO_NULL);
    const bool again =
        std::strcmp(row.name, "driver") == 0 || std::strcmp(row.name, "info of fapl_mpio") == 0;
    H5Pset_dxpl_mpio(lists_.dxpl, H5FD_MPIO_COLLECTIVE);
    H5Pset_create_intermediate_group(lists_.lcpl, 1);
    // Times would make equal files differ.
    for (const hid_t list : {lists_.fcpl, lists_.dcpl, lists_.gcpl, lists_.tcpl})
      H5Pset_obj_track_times(list, false);
    const hsize_t usual[1] = {kEach};
    H5Pset_chunk(lists_.dcpl, 1, usual);
    const int one = 1;
    H5Pset_fill_value(lists_.dcpl, H5T_NATIVE_INT, &one);
    if (is_odd)
      row.set(lists_);
    else if (again)
      H5Pset_fapl_mpio(lists_.fapl, MPI_COMM_WORLD, MPI_INFO_NULL);
  }

  /// One life of a file with everything that takes a list. Ends where a call fails.
  Outcome live() {
    create_file() && make_group() && make_dataset() && make_rest() && flush() && transfer() &&
        step("H5Fclose", file_.close()) && open_again();
    dataset_.close();
    group_.close();
    // After a mismatch the close says so once more; but it ends.
    if (file_.valid()) file_.close();
    return std::move(outcome_);
  }

  /// The life of a file that is there already, with the access list alone.
  Outcome open_only() {
    open_again() && flush() && step("H5Fclose", file_.close());
    if (file_.valid()) file_.close();
    return std::move(outcome_);
  }

 private:
  hid_t create(hid_t list_class) {
    kept_.emplace_back(H5Pcreate(list_class));
    return kept_.back();
  }

  /// Notes how a call ended here; true where it succeeded everywhere.
  bool step(const char* call, std::int64_t result) {
    const bool good = result >= 0;
    if (!good && outcome_.failed_call.empty()) {
      outcome_.failed_call = call;
      outcome_.error = par::error_text();
    }
    const bool everywhere = par::all(good), somewhere = par::any(good);
    // Metadata calls don't communicate: one may fail on one rank, and the next that does says so.
    outcome_.agreed = outcome_.agreed && everywhere == somewhere;
    return everywhere;
  }

  bool create_file() {
    file_ = Id(H5Fcreate(lists_.path.c_str(), lists_.flags, lists_.fcpl, lists_.fapl));
    return step("H5Fcreate", file_);
  }
  bool make_group() {
    group_ = Id(H5Gcreate2(file_, "g", lists_.lcpl, lists_.gcpl, lists_.gapl));
    return local("H5Gcreate2", group_);
  }
  bool make_dataset() {
    const hsize_t dims[1] = {kEach * static_cast<hsize_t>(par::size())};
    const Id space(H5Screate_simple(1, dims, nullptr));
    dataset_ =
        Id(H5Dcreate2(file_, "h/x", H5T_STD_I32LE, space, lists_.lcpl, lists_.dcpl, lists_.dapl));
    return local("H5Dcreate2", dataset_);
  }
  bool make_rest() {
    const Id type(H5Tcopy(H5T_STD_I16LE)), space(H5Screate(H5S_SCALAR));
    if (!local("H5Tcommit2", H5Tcommit2(file_, "t", type, lists_.lcpl, lists_.tcpl, H5P_DEFAULT)))
      return false;
    const Id attribute(H5Acreate2(group_, "a", H5T_STD_I32LE, space, lists_.acpl, H5P_DEFAULT));
    return local("H5Acreate2", attribute);
  }
  /// A call that needn't communicate. Where it failed on some ranks, the others learn of it at the flush; the
  /// test says nothing before, or the others would wait for it.
  bool local(const char* call, std::int64_t result) {
    if (result < 0 && outcome_.failed_call.empty()) {
      outcome_.failed_call = call;
      outcome_.error = par::error_text();
    }
    return true;
  }
  bool flush() { return step("H5Fflush", H5Fflush(file_, H5F_SCOPE_GLOBAL)); }
  bool transfer() {
    const hsize_t start[1] = {kEach * static_cast<hsize_t>(par::rank())}, count[1] = {kEach};
    const Id space(H5Dget_space(dataset_)), memory(H5Screate_simple(1, count, nullptr));
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, count, nullptr);
    std::vector<int> values(kEach, par::rank() + 1);
    // Not par::step: an independent writer is done while the others still wait for it.
    const herr_t written =
        H5Dwrite(dataset_, H5T_NATIVE_INT, memory, space, lists_.dxpl, values.data());
    const std::string why = written < 0 ? par::error_text() : std::string();
    const herr_t flushed = H5Fflush(file_, H5F_SCOPE_GLOBAL);
    if (written < 0 && outcome_.failed_call.empty()) {
      outcome_.failed_call = "H5Dwrite";
      outcome_.error = why;
    }
    if (!step("H5Fflush", written < 0 ? written : flushed)) return false;
    std::vector<int> back(kEach, -1);
    const herr_t read = H5Dread(dataset_, H5T_NATIVE_INT, memory, space, lists_.dxpl, back.data());
    if (!step("H5Dread", read)) return false;
    if (!step("comparing", back == values ? 0 : -1)) return false;
    dataset_.close();
    group_.close();
    return true;
  }
  bool open_again() {
    if (par::rank() == 0) {
      std::ifstream in(lists_.path, std::ios::binary);
      outcome_.bytes.assign(std::istreambuf_iterator<char>(in), {});
    }
    file_ = Id(H5Fopen(lists_.path.c_str(), H5F_ACC_RDWR, lists_.fapl));
    return step("H5Fopen", file_);
  }

  std::vector<Id> kept_;
  Lists lists_;
  Id file_, group_, dataset_;
  Outcome outcome_;
};

std::string scratch;

/// `odd`: the rank that has the value; -1: none, size(): all.
Outcome run(const Row& row, int odd) {
  if (par::rank() == 0) {
    std::remove(scratch.c_str());
    std::remove((scratch + ".other").c_str());
  }
  MPI_Barrier(MPI_COMM_WORLD);
  const par::Silence silence;
  return Run(row, odd == par::rank() || odd == par::size(), scratch).live();
}

bool has_one_of(const std::string& text, const std::string& words) {
  std::istringstream in(words);
  for (std::string word; std::getline(in, word, '|');)
    if (text.find(word) != std::string::npos) return true;
  return false;
}

/// Equal where no rank has the value, or where all have it.
bool is_usual_file(const Row& row, const std::string& bytes) {
  int usual = 0;
  for (const int who : {-1, par::size()}) {
    const Outcome reference = run(row, who);
    if (par::rank() == 0 && reference.bytes == bytes) usual = 1;
    MPI_Bcast(&usual, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (usual != 0) break;
  }
  return usual != 0;
}

void complain(const Row& row, int odd, const std::string& what) {
  std::fprintf(stderr, "FAIL: %s (rank %d): rank %d: %s\n", row.name, odd, par::rank(),
               what.c_str());
}

enum class Stage { kCreate, kOpen };

Outcome run_stage(const Row& row, int odd, Stage stage) {
  if (stage == Stage::kCreate) return run(row, odd);
  (void)run(row, -1);
  const par::Silence silence;
  return Run(row, odd == par::rank(), scratch).open_only();
}

bool judge(const Row& row, int odd, Stage stage) {
  const Outcome seen = run_stage(row, odd, stage);
  const bool failed = par::any(!seen.failed_call.empty());
  bool good = seen.agreed;
  if (!good)
    complain(row, odd, "a communicating call failed on some ranks only: " + seen.failed_call);
  if (*row.error == '\0') {
    if (failed) complain(row, odd, seen.failed_call + ": " + seen.error);
    if (!par::all(good && !failed)) return false;
    if (stage == Stage::kOpen || is_usual_file(row, seen.bytes)) return true;
    if (par::rank() == 0) complain(row, odd, "another file");
    return false;
  }
  if (!failed) complain(row, odd, "nobody noticed");
  // The rank whose own call failed may not know of the others.
  const bool named = has_one_of(seen.error, row.error);
  if (failed && !named)
    complain(row, odd,
             "no \"" + std::string(row.error) + "\" in: " + seen.failed_call + ": " + seen.error);
  return par::all(good && failed && named);
}

}  // namespace

CASE(lists_that_differ) {
  if (par::size() == 1) return;
  const char* const seed_text = std::getenv("PCIO_SEED");
  const char* const count_text = std::getenv("PCIO_CASES");
  const unsigned seed = seed_text != nullptr ? static_cast<unsigned>(std::atoi(seed_text)) : 1;
  std::mt19937 random(seed * 1000 + static_cast<unsigned>(par::size()));
  std::vector<std::size_t> order(rows().size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::shuffle(order.begin(), order.end(), random);
  const std::size_t count =
      count_text != nullptr ? static_cast<std::size_t>(std::atol(count_text)) : order.size();
  scratch = par::file_name("lists");
  std::map<Where, int> by_list;
  std::map<int, int> by_rank;
  int failures = 0, refused = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Row& row = rows()[order[i % order.size()]];
    const int odd = static_cast<int>(random() % static_cast<unsigned>(par::size()));
    ++by_list[row.where];
    ++by_rank[odd];
    if (*row.error != '\0') ++refused;
    if (std::getenv("PCIO_VERBOSE") != nullptr && par::rank() == 0)
      std::fprintf(stderr, "%s: rank %d\n", row.name, odd);
    if (!judge(row, odd, Stage::kCreate)) ++failures;
    if (row.where == Where::kOpen && !judge(row, odd, Stage::kOpen)) ++failures;
  }
  if (par::rank() == 0) {
    std::printf("lists: seed %u, %zu cases of %zu on %d ranks, %d refused; lists:", seed, count,
                order.size(), par::size(), refused);
    for (const auto& [where, n] : by_list)
      std::printf(" %s %d", kWhereNames[static_cast<int>(where)], n);
    std::printf("; odd rank:");
    for (const auto& [rank, n] : by_rank) std::printf(" %d: %d", rank, n);
    std::printf("; failures: %d\n", failures);
  }
  CHECK(failures == 0);
  if (count >= 45) CHECK(by_list.size() == 4);
  if (count >= 15 * static_cast<std::size_t>(par::size()))
    CHECK(by_rank.size() == static_cast<std::size_t>(par::size()));
}

#endif
