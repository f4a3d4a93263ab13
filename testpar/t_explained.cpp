// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// What pcioexplain tells of a transfer of so many ranks, beside what the ranks of that transfer report: mode, way, calls,
// chunks, bytes. Room: testpar, public headers only.
//
// A seed chooses shapes, chunks, decompositions and settings (PCIO_EXPLAIN_SEED, PCIO_EXPLAIN_CASES). The program plans
// each for a file that all have made and closed, by a process of its own, and then the ranks make the transfer. Rank 0 prints
// one summary line; a kind of case that does not occur is a failure.

#include "support.hpp"

#ifdef PCIO_VERSION

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <pcio.h>
#include <random>
#include <vector>

using par::Id;
using Json = nlohmann::json;

namespace {

constexpr int kDefaultCases = 12;
enum class Deal { kBlocks, kCyclic, kSlabs };
const char* const kDealNames[] = {"blocks", "cyclic", "slabs"};
const char* const kTransportNames[] = {"automatic", "direct", "view", "exchange"};
const char* const kOptNames[] = {"automatic", "one", "multi", "atonce"};
const H5FD_mpio_chunk_opt_t kOpts[] = {H5FD_MPIO_CHUNK_DEFAULT, H5FD_MPIO_CHUNK_ONE_IO,
                                       H5FD_MPIO_CHUNK_MULTI_IO, H5FD_MPIO_COLL_CHUNK_ATONCE_IO};

struct Case {
  std::vector<hsize_t> dims, chunk;  // chunk empty: contiguous
  std::vector<hsize_t> grid;         // of ranks
  Deal deal = Deal::kBlocks;
  int transport = 0, opt = 0;
  int nodes = 1;
  int stripe = 0;  // bytes; 0: as the file system has it
  bool filtered = false, reads = false, converts = false;
  bool below_stripe = false;  // each rank has less than a stripe of one run
};

struct Slab {
  std::vector<hsize_t> start, stride, count, block;
  hsize_t elements = 1;
};

int number_of(const char* name, int otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::atoi(text) : otherwise;
}

/// Two factors of the number of ranks, either way round.
std::vector<hsize_t> grid_of(std::mt19937& random, std::size_t ndims) {
  std::vector<hsize_t> grid(ndims, 1);
  auto left = static_cast<hsize_t>(par::size());
  for (hsize_t factor : {2, 3, 2})
    if (left % factor == 0) {
      grid[random() % ndims] *= factor;
      left /= factor;
    }
  grid[random() % ndims] *= left;
  return grid;
}

/// Runs that would go directly, but between nodes go to owners because they are shorter than a stripe: who isn't told
/// of stripes plans another way.
Case below_stripe() {
  Case c;
  c.below_stripe = true;
  c.dims = {40001};
  c.grid = {static_cast<hsize_t>(par::size())};
  c.nodes = std::min(2, par::size());
  c.stripe = 1 << 19;
  return c;
}

Case make_case(std::mt19937& random, int number) {
  if (number % 12 == 7) return below_stripe();
  Case c;
  const std::size_t ndims = 1 + random() % 3;
  const hsize_t sizes[3][3] = {{5000, 77, 40001}, {64, 130, 300}, {12, 40, 33}};
  for (std::size_t d = 0; d < ndims; ++d) c.dims.push_back(sizes[ndims - 1][random() % 3]);
  c.filtered = number % 4 == 1;
  if (c.filtered || number % 5 != 0)
    for (std::size_t d = 0; d < ndims; ++d)
      c.chunk.push_back(std::max<hsize_t>(1, c.dims[d] / (1 + random() % 7)));
  c.deal = Deal(number % 3);
  c.grid = grid_of(random, ndims);
  c.transport = c.filtered ? 0 : static_cast<int>(random() % 4);
  c.opt = static_cast<int>(random() % 4);
  c.reads = !c.filtered && random() % 3 == 0;
  c.converts = number % 7 == 3;
  if (number % 2 == 1)
    c.nodes = 1 + static_cast<int>(random() % static_cast<unsigned>(par::size()));
  if (number % 3 > 0) c.stripe = 4096 << random() % 4;
  return c;
}

/// As pcioexplain deals them; the last of several ranks has nothing in a file of slabs.
Slab slab_of(const Case& c, int rank) {
  Slab slab;
  auto rest = static_cast<hsize_t>(rank);
  std::vector<hsize_t> at(c.dims.size());
  for (std::size_t d = c.dims.size(); d > 0; --d) {
    at[d - 1] = rest % c.grid[d - 1];
    rest /= c.grid[d - 1];
  }
  for (std::size_t d = 0; d < c.dims.size(); ++d) {
    const hsize_t n = c.dims[d], p = c.grid[d];
    if (c.deal == Deal::kCyclic) {
      slab.start.push_back(at[d]);
      slab.stride.push_back(p);
      slab.count.push_back(at[d] < n ? (n - at[d] - 1) / p + 1 : 0);
      slab.block.push_back(1);
    } else {
      slab.start.push_back(at[d] * (n / p) + std::min(at[d], n % p));
      slab.block.push_back(n / p + (at[d] < n % p ? 1 : 0));
      slab.stride.push_back(std::max<hsize_t>(1, slab.block.back()));
      slab.count.push_back(1);
    }
    if (c.deal == Deal::kSlabs && par::size() > 1 && rank + 1 == par::size()) slab.count.back() = 0;
    slab.elements *= slab.count.back() * slab.block.back();
  }
  return slab;
}

std::string joined(const std::vector<hsize_t>& numbers) {
  std::string text;
  for (const hsize_t n : numbers) text += (text.empty() ? "" : "x") + std::to_string(n);
  return text;
}

std::string text_of(const Case& c) {
  return joined(c.dims) + " chunk " + joined(c.chunk) + " ranks " + joined(c.grid) + " " +
         kDealNames[int(c.deal)] + " " + kTransportNames[c.transport] + " " + kOptNames[c.opt] +
         " nodes " + std::to_string(c.nodes) + " stripe " + std::to_string(c.stripe) +
         (c.filtered ? " filtered" : "") + (c.reads ? " read" : "") + (c.converts ? " as f4" : "");
}

void make_file(const Case& c, const std::string& name) {
  const Id file(par::create_file(name));
  const Id create(H5Pcreate(H5P_DATASET_CREATE));
  const auto ndims = static_cast<int>(c.dims.size());
  if (!c.chunk.empty()) H5Pset_chunk(create, ndims, c.chunk.data());
  if (c.filtered) H5Pset_deflate(create, 1);
  const Id space(H5Screate_simple(ndims, c.dims.data(), nullptr));
  const Id data(H5Dcreate2(file, "data", H5T_IEEE_F64LE, space, H5P_DEFAULT, create, H5P_DEFAULT));
  CHECK(data.valid());
}

/// What the tool says, on rank 0.
Json plan_of(const Case& c, const std::string& name) {
  const char* const folder = std::getenv("PCIO_BUILDDIR");
  std::string command = (folder != nullptr ? "'" + std::string(folder) + "/tools/pcioexplain'"
                                           : std::string("tools/pcioexplain")) +
                        " --json '" + name + "' /data";
  const std::string slabs = name + ".slabs";
  if (c.deal == Deal::kSlabs) {
    std::FILE* file = std::fopen(slabs.c_str(), "w");
    if (file == nullptr) return Json();
    for (int r = 0; r < par::size(); ++r) {
      const Slab slab = slab_of(c, r);
      if (slab.elements == 0)
        std::fprintf(file, "none  # rank %d\n", r);
      else
        std::fprintf(file, "%s %s %s %s\n", joined(slab.start).c_str(), joined(slab.stride).c_str(),
                     joined(slab.count).c_str(), joined(slab.block).c_str());
    }
    std::fclose(file);
    command += " --slabs '" + slabs + "'";
  } else {
    command += " --ranks " + joined(c.grid) + (c.deal == Deal::kCyclic ? " --cyclic" : "");
  }
  if (c.transport != 0) command += std::string(" --transport ") + kTransportNames[c.transport];
  if (c.nodes > 1) command += " --nodes " + std::to_string(c.nodes);
  if (c.stripe > 0) command += " --stripe " + std::to_string(c.stripe);
  if (c.reads) command += " --read";
  if (c.converts) command += " --memory-type f4";
  command += std::string(" --chunk-opt ") + kOptNames[c.opt];
  std::FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return Json();
  std::string out;
  char buffer[4096];
  for (std::size_t got; (got = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;)
    out.append(buffer, got);
  const int status = pclose(pipe);
  if (status != 0) std::fprintf(stderr, "%s: status %d\n", command.c_str(), status);
  if (c.deal == Deal::kSlabs) std::remove(slabs.c_str());
  return Json::parse(out, nullptr, false);
}

/// Takes the ranks for those of the case's nodes, and the file system for one with its stripes, for files that are opened
/// while it lives. Not for the plan, which is told them.
class Stage {
 public:
  explicit Stage(const Case& c) {
    std::string words = "nodes:" + std::to_string(c.nodes);
    if (c.stripe > 0) words += ",stripe:" + std::to_string(c.stripe);
    setenv("PCIO_CHECK", words.c_str(), 1);
  }
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;
  ~Stage() { unsetenv("PCIO_CHECK"); }
};

pcio_transfer_report_t transfer(const Case& c, const std::string& name) {
  const Stage stage(c);
  const Id file(par::open_file(name, H5F_ACC_RDWR));
  const Id data(H5Dopen2(file, "data", H5P_DEFAULT)), space(H5Dget_space(data));
  const Slab slab = slab_of(c, par::rank());
  if (slab.elements == 0)
    H5Sselect_none(space);
  else
    H5Sselect_hyperslab(space, H5S_SELECT_SET, slab.start.data(), slab.stride.data(),
                        slab.count.data(), slab.block.data());
  const hsize_t room = std::max<hsize_t>(1, slab.elements);
  const Id memory(H5Screate_simple(1, &room, nullptr));
  if (slab.elements == 0) H5Sselect_none(memory);
  const Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  H5Pset_dxpl_mpio_chunk_opt(list, kOpts[c.opt]);
  if (c.transport != 0) CHECK(pcio_set_dxpl_transport(list, pcio_transport_t(c.transport)) >= 0);
  const hid_t type = c.converts ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE;
  std::vector<double> values(static_cast<std::size_t>(room), 1.0);
  pcio_transfer_report_t report;
  // Its first look into the chunk index is no part of the plan.
  CHECK(pcio_explain(data, type, memory, space, list,
                     c.reads ? PCIO_DIRECTION_READ : PCIO_DIRECTION_WRITE, &report,
                     sizeof report) >= 0);
  const herr_t done = c.reads ? H5Dread(data, type, memory, space, list, values.data())
                              : H5Dwrite(data, type, memory, space, list, values.data());
  CHECK(done >= 0);
  CHECK(pcio_get_transfer_report(list, &report, sizeof report) >= 0);
  return report;
}

/// One figure of each rank, beside the plan's of that rank; true on rank 0 only where they are equal.
bool agrees(const Json& plan, const char* figure, unsigned long long mine) {
  std::vector<unsigned long long> all(static_cast<std::size_t>(par::size()));
  MPI_Gather(&mine, 1, MPI_UNSIGNED_LONG_LONG, all.data(), 1, MPI_UNSIGNED_LONG_LONG, 0,
             MPI_COMM_WORLD);
  if (par::rank() != 0) return true;
  const Json& told = plan["by_rank"][figure];
  const Json& sums = plan["figures"][figure];
  const bool adds_up = sums["sum"] == std::accumulate(all.begin(), all.end(), 0ULL) &&
                       sums["max"] == *std::max_element(all.begin(), all.end());
  if (told == Json(all) && adds_up) return true;
  std::fprintf(stderr, "%s: planned %s, %s, reported %s\n", figure, told.dump().c_str(),
               sums.dump().c_str(), Json(all).dump().c_str());
  return false;
}

bool has_name(const Json& plan, const char* key, const char* name) {
  if (par::rank() != 0 || (plan[key].is_object() && plan[key].contains(name))) return true;
  std::fprintf(stderr, "%s: planned %s, reported %s\n", key, plan[key].dump().c_str(), name);
  return false;
}

bool compare(const Case& c, Json plan, const pcio_transfer_report_t& r) {
  bool good = has_name(plan, "io_mode", pcio_io_mode_name(r.actual_io_mode));
  good &= has_name(plan, "transport", pcio_transport_name(r.transport));
  if (par::rank() == 0) {
    good &= plan["chunk_opt"] == pcio_chunk_opt_mode_name(r.actual_chunk_opt_mode);
    good &= plan["causes"]["bits"] == r.global_causes;
    good &= plan["ranks"] == par::size();
  }
  good &= agrees(plan, "bytes_selected", r.bytes_selected);
  good &= agrees(plan, "chunks_touched", r.chunks_touched);
  good &= agrees(plan, "chunks_collective", r.chunks_collective);
  good &= agrees(plan, "chunks_independent", r.chunks_independent);
  // How much a filter saves is not known before, nor so which chunks share a stripe.
  const bool gathers = c.filtered && c.stripe > 0 && c.nodes > 1;
  if (!gathers) {
    good &= agrees(plan, "bytes_sent", r.bytes_sent);
    good &= agrees(plan, "messages_sent", r.messages_sent);
    good &= agrees(plan, "bytes_between_nodes", r.bytes_between_nodes);
    good &= agrees(
        plan, "calls",
        r.independent_writes + r.independent_reads + r.collective_writes + r.collective_reads);
  }
  good &= agrees(plan, "view_changes", r.view_changes);
  good &= agrees(plan, "collective_calls", r.collective_writes + r.collective_reads);
  good &= agrees(plan, "bytes_read", r.bytes_read);
  if (!c.filtered) good &= agrees(plan, "bytes_written", r.bytes_written);
  return good;
}

CASE(a_plan_is_what_the_transfer_reports) {
  const int seed = number_of("PCIO_EXPLAIN_SEED", 1),
            count = number_of("PCIO_EXPLAIN_CASES", kDefaultCases);
  std::mt19937 random(static_cast<unsigned>(seed));
  std::map<std::string, int> seen;
  int failures = 0;
  const std::string name = par::file_name("explained");
  unsetenv("PCIO_CHECK");
  for (int i = 0; i < count; ++i) {
    const Case c = make_case(random, i);
    make_file(c, name);
    MPI_Barrier(MPI_COMM_WORLD);
    const Json plan = par::rank() == 0 ? plan_of(c, name) : Json();
    const bool planned = par::all(par::rank() != 0 || plan.is_object());
    CHECK(planned);
    if (!planned) return;
    const pcio_transfer_report_t report = transfer(c, name);
    const bool good = par::all(compare(c, plan, report));
    if (!good && par::rank() == 0)
      std::fprintf(stderr, "seed %d, case %d: %s\n", seed, i, text_of(c).c_str());
    failures += good ? 0 : 1;
    CHECK(good);
    ++seen[kDealNames[int(c.deal)]];
    ++seen[pcio_io_mode_name(report.actual_io_mode)];
    ++seen[c.filtered ? "filtered" : c.chunk.empty() ? "contiguous" : "chunked"];
    ++seen[c.reads ? "read" : "write"];
    ++seen[c.nodes > 1 ? "several nodes" : "one node"];
    ++seen[c.stripe > 0 ? "stripes" : "no stripes"];
    ++seen[std::string("by ") + pcio_transport_name(report.transport)];
    if (c.below_stripe && report.transport == PCIO_TRANSPORT_EXCHANGE) ++seen["below a stripe"];
  }
  for (const char* kind : {"blocks", "cyclic", "slabs", "filtered", "contiguous", "chunked", "read",
                           "write", "one node", "stripes", "no stripes"})
    CHECK(seen[kind] > 0);
  CHECK(par::size() == 1 || (seen["several nodes"] > 0 && seen["below a stripe"] > 0));
  if (par::rank() != 0) return;
  std::printf("explained: seed %d, %d cases,", seed, count);
  for (const auto& [kind, times] : seen) std::printf(" %s %d,", kind.c_str(), times);
  std::printf(" %d failures\n", failures);
}

}  // namespace

#endif
