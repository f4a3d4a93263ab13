// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Several datasets in a call, and calls that follow each other, with some ranks randomly slow in each
// read and write of the file: what is there afterwards is compared with a model. Room: testpar, public
// headers only, and faults/ for slow ranks.
//
// Datasets lie between each other in the file: their chunks take turns. A dataset may be in a call
// twice, with different elements, or with different members of the same elements. Elements that
// nobody writes keep what they had. PCIO_SEED and PCIO_CASES choose others, PCIO_LONG many; the last
// line has the seed, the cases and how often each choice was made.

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <pcio.h>
#include <random>
#include <vector>

#include <mpi.h>

#include "faults/inject.hpp"
#include "support.hpp"
#include "testpar/views.hpp"

using par::Id;

namespace {

constexpr hsize_t kElements = 256;

enum class Kind { kContiguous, kChunked, kFiltered, kMembers };
enum class Form { kOneOperation, kOneByOne, kMixed };
enum class Pattern { kComb, kBlocks, kOneRank };
constexpr std::array<const char*, 4> kKinds = {"contiguous", "chunked", "filtered", "members"};
constexpr std::array<const char*, 3> kForms = {"one call", "calls", "calls of both modes"};
constexpr std::array<const char*, 3> kPatterns = {"comb", "blocks", "one rank"};
constexpr std::array<const char*, 5> kTransports = {"automatic", "view", "exchange", "direct",
                                                    "messages"};
constexpr std::array<pcio_transport_t, 5> kAsked = {PCIO_TRANSPORT_NONE, PCIO_TRANSPORT_VIEW,
                                                    PCIO_TRANSPORT_EXCHANGE, PCIO_TRANSPORT_DIRECT,
                                                    PCIO_TRANSPORT_EXCHANGE};

struct Pair {
  double member[2];
};

/// The same on all ranks.
struct Part {
  std::size_t set = 0;
  int member = 0;
  Pattern pattern = Pattern::kComb;
  unsigned turn = 0, turns = 1;  ///< of the parts that share the elements
  unsigned skip = 0;             ///< each so manieth element is nobody's; 0: none
  int shift = 0;
  bool alone = false;  ///< each rank by itself

  [[nodiscard]] int owner(hsize_t element) const {
    if (element / 3 % turns != turn) return -1;
    if (skip != 0 && (element * 7 + static_cast<hsize_t>(shift)) % skip == 0) return -1;
    const auto ranks = static_cast<hsize_t>(par::size());
    hsize_t rank = 0;
    if (pattern == Pattern::kComb) rank = element;
    if (pattern == Pattern::kBlocks) rank = element * ranks / kElements;
    return static_cast<int>((rank + static_cast<hsize_t>(shift)) % ranks);
  }
};

struct Case {
  std::vector<Kind> sets;
  std::vector<Part> parts;
  Form form = Form::kOneOperation;
  std::size_t transport = 0;
  std::vector<int> slow;
};

double value_of(std::size_t set, int member, hsize_t element, int generation) {
  return 1e6 * generation + 1e5 * static_cast<double>(set) + 1e4 * member +
         static_cast<double>(element);
}

Case draw(std::mt19937& random) {
  auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  Case drawn;
  drawn.form = below(2) == 0 ? Form::kOneOperation : static_cast<Form>(1 + below(2));
  drawn.transport = below(5);
  for (unsigned n = 2 + below(2); n > 0; --n) drawn.sets.push_back(static_cast<Kind>(below(4)));
  for (std::size_t set = 0; set < drawn.sets.size(); ++set) {
    const bool members = drawn.sets[set] == Kind::kMembers;
    const unsigned turns = members ? 2 : 1 + below(2);
    for (unsigned turn = 0; turn < turns; ++turn) {
      Part part{set,
                members ? static_cast<int>(turn) : 0,
                static_cast<Pattern>(below(3)),
                members ? 0 : turn,
                members ? 1 : turns,
                below(3) * 2,
                static_cast<int>(below(7)),
                false};
      // Parts of chunks with filters, and of elements, belong into collective calls.
      if (drawn.form == Form::kMixed && drawn.sets[set] < Kind::kFiltered)
        part.alone = below(2) == 0;
      drawn.parts.push_back(part);
    }
  }
  std::shuffle(drawn.parts.begin(), drawn.parts.end(), random);
  for (int rank = 0; rank < par::size(); ++rank)
    if (below(2) == 0) drawn.slow.push_back(rank);
  return drawn;
}

Id row(hsize_t elements) { return Id(H5Screate_simple(1, &elements, nullptr)); }

Id pair_type() {
  Id pair(H5Tcreate(H5T_COMPOUND, sizeof(Pair)));
  CHECK(H5Tinsert(pair, "m0", 0, H5T_NATIVE_DOUBLE) >= 0 &&
        H5Tinsert(pair, "m1", sizeof(double), H5T_NATIVE_DOUBLE) >= 0);
  return pair;
}

/// Those that grow do so by turns, so that their chunks lie between each other.
std::vector<Id> create_sets(hid_t file, const Case& drawn) {
  std::vector<Id> sets;
  const Id pair = pair_type();
  const hsize_t none = 0, most = H5S_UNLIMITED, chunk = 16;
  const Id growing(H5Screate_simple(1, &none, &most)), fixed = row(kElements);
  for (std::size_t i = 0; i < drawn.sets.size(); ++i) {
    const Kind kind = drawn.sets[i];
    const Id list(H5Pcreate(H5P_DATASET_CREATE));
    const bool chunked = kind == Kind::kChunked || kind == Kind::kFiltered || i % 2 == 1;
    const bool whole = kind == Kind::kContiguous || !chunked;
    if (!whole) CHECK(H5Pset_chunk(list, 1, &chunk) >= 0);
    if (kind == Kind::kFiltered) CHECK(H5Pset_deflate(list, 1) >= 0);
    sets.emplace_back(
        H5Dcreate2(file, ("set" + std::to_string(i)).c_str(),
                   kind == Kind::kMembers ? static_cast<hid_t>(pair) : H5T_NATIVE_DOUBLE,
                   whole ? fixed : growing, H5P_DEFAULT, list, H5P_DEFAULT));
    CHECK(sets.back().valid());
  }
  for (hsize_t size = chunk; size <= kElements; size += chunk)
    for (const Id& set : sets) {
      const Id space(H5Dget_space(set));
      hsize_t now = 0, limit = 0;
      H5Sget_simple_extent_dims(space, &now, &limit);
      if (limit == most) CHECK(H5Dset_extent(set, &size) >= 0);
    }
  return sets;
}

/// What one rank gives to one part.
struct Share {
  Id space, memory, type;
  std::vector<double> values;

  Share(const Part& part, Kind kind, int rank, int generation) {
    space = row(kElements);
    H5Sselect_none(space);
    for (hsize_t e = 0; e < kElements; ++e) {
      if (part.owner(e) != rank) continue;
      const hsize_t one = 1;
      CHECK(H5Sselect_hyperslab(space, H5S_SELECT_OR, &e, nullptr, &one, nullptr) >= 0);
      values.push_back(value_of(part.set, part.member, e, generation));
    }
    memory = row(std::max<hsize_t>(1, values.size()));
    if (values.empty()) H5Sselect_none(memory);
    values.resize(values.size() + 1);
    type = Id(kind == Kind::kMembers ? H5Tcreate(H5T_COMPOUND, sizeof(double))
                                     : H5Tcopy(H5T_NATIVE_DOUBLE));
    const char* const name = part.member == 0 ? "m0" : "m1";
    if (kind == Kind::kMembers) CHECK(H5Tinsert(type, name, 0, H5T_NATIVE_DOUBLE) >= 0);
  }
};

struct Shares {
  std::vector<Share> all;
  std::vector<hid_t> sets, types, memories, spaces;
  std::vector<const void*> buffers;

  Shares(const Case& drawn, const std::vector<Id>& open, int rank, int generation) {
    for (const Part& part : drawn.parts) {
      all.emplace_back(part, drawn.sets[part.set], rank, generation);
      sets.push_back(open[part.set]);
      types.push_back(all.back().type);
      memories.push_back(all.back().memory);
      spaces.push_back(all.back().space);
    }
    for (const Share& share : all) buffers.push_back(share.values.data());
  }
};

bool write_all(const Case& drawn, Shares& shares, hid_t list, hid_t alone) {
  if (drawn.form == Form::kOneOperation)
    return H5Dwrite_multi(shares.all.size(), shares.sets.data(), shares.types.data(),
                          shares.memories.data(), shares.spaces.data(), list,
                          shares.buffers.data()) >= 0;
  bool good = true;
  for (std::size_t i = 0; i < shares.all.size(); ++i)
    good = H5Dwrite(shares.sets[i], shares.types[i], shares.memories[i], shares.spaces[i],
                    drawn.parts[i].alone ? alone : list, shares.buffers[i]) >= 0 &&
           good;
  return good;
}

/// What the next rank wrote, by as many calls as the writes.
bool read_all(const Case& drawn, const std::vector<Id>& sets, hid_t list, int generation) {
  Shares shares(drawn, sets, (par::rank() + 1) % par::size(), generation);
  std::vector<std::vector<double>> found;
  std::vector<void*> buffers;
  for (const Share& share : shares.all) found.emplace_back(share.values.size(), 0.0);
  for (auto& values : found) buffers.push_back(values.data());
  bool good = true;
  if (drawn.form == Form::kOneOperation)
    good = H5Dread_multi(found.size(), shares.sets.data(), shares.types.data(),
                         shares.memories.data(), shares.spaces.data(), list, buffers.data()) >= 0;
  for (std::size_t i = 0; drawn.form != Form::kOneOperation && i < found.size(); ++i)
    good = H5Dread(shares.sets[i], shares.types[i], shares.memories[i], shares.spaces[i], list,
                   buffers[i]) >= 0 &&
           good;
  for (std::size_t i = 0; i < found.size(); ++i) good = good && found[i] == shares.all[i].values;
  return good;
}

/// All elements, by one process without MPI.
long wrong_in_file(const std::string& name, const Case& drawn, int generation) {
  long wrong = 0;
  const Id file(H5Fopen(name.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT)), pair = pair_type();
  for (std::size_t set = 0; set < drawn.sets.size(); ++set) {
    const bool members = drawn.sets[set] == Kind::kMembers;
    const std::size_t width = members ? 2 : 1;
    std::vector<double> found(kElements * width, -1);
    const Id open(H5Dopen2(file, ("set" + std::to_string(set)).c_str(), H5P_DEFAULT));
    if (H5Dread(open, members ? static_cast<hid_t>(pair) : H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL,
                H5P_DEFAULT, found.data()) < 0)
      return -1;
    for (hsize_t e = 0; e < kElements; ++e)
      for (std::size_t m = 0; m < width; ++m) {
        double wanted = 0;
        for (const Part& part : drawn.parts)
          if (part.set == set && part.member == static_cast<int>(m) && part.owner(e) >= 0)
            wanted = value_of(set, part.member, e, generation);
        wrong += found[e * width + m] != wanted ? 1 : 0;
      }
  }
  return wrong;
}

long played[4][5] = {}, transfers = 0;
template <std::size_t N>
bool print_bins(const char* word, const std::array<const char*, N>& names, const long* bins) {
  std::printf(" %s:", word);
  bool empty = false;
  for (std::size_t i = 0; i < N; ++i) {
    std::printf(" %s %ld,", names[i], bins[i]);
    empty = empty || bins[i] == 0;
  }
  return empty;
}

void note(const Case& drawn) {
  ++played[0][static_cast<std::size_t>(drawn.form)];
  ++played[1][drawn.transport];
  for (const Kind kind : drawn.sets) ++played[2][static_cast<std::size_t>(kind)];
  for (const Part& part : drawn.parts) ++played[3][static_cast<std::size_t>(part.pattern)];
  transfers += static_cast<long>(drawn.parts.size());
}

/// Two generations, the second over the first. False where anything is not as in the model.
bool play(const Case& drawn, unsigned number) {
  const std::string name = par::file_name("slow");
  const char* const set = std::getenv("PCIO_CHECK");
  const std::string before = set != nullptr ? set : "";
  if (kTransports[drawn.transport][0] == 'm') setenv("PCIO_CHECK", "messages", 1);
  const Id access(par::mpio_access());
  Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
  setenv("PCIO_CHECK", before.c_str(), 1);
  std::vector<Id> sets = create_sets(file, drawn);
  const Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE)),
      alone(par::transfer_list(H5FD_MPIO_INDEPENDENT));
  CHECK(pcio_set_dxpl_transport(list, kAsked[drawn.transport]) >= 0);
  const bool slow =
      std::find(drawn.slow.begin(), drawn.slow.end(), par::rank()) != drawn.slow.end();
  bool good = true;
  for (const int generation : {1, 2}) {
    Shares shares(drawn, sets, par::rank(), generation);
    if (slow) inject::slow_down({500, 5000, 2000, 500, true}, number * 16 + 1);
    good = write_all(drawn, shares, list, alone) && good;
    // What ranks write by themselves is there for others after this.
    if (drawn.form == Form::kMixed) MPI_Barrier(MPI_COMM_WORLD);
    if (slow) inject::slow_down({500, 500, 0, 0, true}, number * 16 + 1);
    good = read_all(drawn, sets, list, generation) && good;
    inject::slow_down({});
  }
  sets.clear();
  good = file.close() >= 0 && good;
  if (par::rank() == 0) good = wrong_in_file(name, drawn, 2) == 0 && good;
  return par::all(good);
}

}  // namespace

CASE(datasets_under_slow_ranks) {
  const bool views = views_are_possible();
  const char* const asked = std::getenv("PCIO_CASES");
  const char* const seeded = std::getenv("PCIO_SEED");
  const bool many = std::getenv("PCIO_LONG") != nullptr;
  const unsigned cases = asked != nullptr ? static_cast<unsigned>(std::atoi(asked))
                         : many           ? 3000
                                          : 36;
  const unsigned seed = seeded != nullptr ? static_cast<unsigned>(std::atoi(seeded)) : 1;
  long failures = 0;
  for (unsigned number = 0; number < cases; ++number) {
    std::mt19937 random(seed * 1000003U + number);
    Case drawn = draw(random);
    if (!views && drawn.transport == 1) drawn.transport = 0;
    note(drawn);
    if (play(drawn, number)) continue;
    ++failures;
    if (par::rank() == 0)
      std::printf("case %u of seed %u is wrong: %s, %s\n", number, seed,
                  kForms[static_cast<std::size_t>(drawn.form)], kTransports[drawn.transport]);
  }
  bool empty = false;
  if (par::rank() == 0) {
    std::printf("slow: seed %u, %d ranks, %u cases, %ld parts;", seed, par::size(), cases,
                transfers);
    empty = print_bins("forms", kForms, played[0]);
    empty = print_bins("transports", kTransports, played[1]) || empty;
    empty = print_bins("datasets", kKinds, played[2]) || empty;
    empty = print_bins("patterns", kPatterns, played[3]) || empty;
    empty = empty && views && cases >= 24;
    std::printf(" %s%ld failures\n", empty ? "an empty bin," : "", failures);
  }
  CHECK(failures == 0 && !empty);
}
