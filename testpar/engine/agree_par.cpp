// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Agreements over MPI: facts, failures of one rank, calls that do not match, typed collectives.

#include <vector>

#include "agree/coordinator.hpp"
#include "par_test.hpp"

namespace pcio {
namespace {

using test::ParallelTest;

/// Agreements of each file before its test: more than 15, and the test goes over the board.
int agreements_before = 0;

std::shared_ptr<Coordinator> make(ParallelTest& t) {
  Result<std::shared_ptr<Lobby>> lobby = Lobby::create(MPI_COMM_WORLD, "H5Pset_fapl_mpio");
  t.check(lobby ? Status() : lobby.error(), "duplicate");
  auto made = Coordinator::create(**lobby, {"H5Fcreate", "x.h5"});
  t.check(made ? Status() : made.error(), "create a coordinator");
  for (int i = 0; i < agreements_before; ++i)
    t.check((*made)->outcome({"H5Fflush", ""}, Status()), "an agreement before the test");
  return *made;
}

Status failure(const char* text) { return PCIO_ERROR(ARGS, BADVALUE, text); }

const std::byte kArguments[] = {std::byte{1}, std::byte{2}, std::byte{3}};

void facts_are_merged(ParallelTest& t) {
  auto c = make(t);
  const auto n = static_cast<std::uint64_t>(t.size());
  const auto r = static_cast<std::uint64_t>(t.rank());
  for (int repeat = 0; repeat < 20; ++repeat) {
    LocalFacts facts;
    facts.call_kind = CallKind::kWrite;
    facts.object = 4096;
    facts.causes = 1U << t.rank();
    facts.chunks = r + 1;
    facts.bytes = r == 0 ? 0 : 100 * r;  // rank 0 selects nothing
    facts.mean_run = 50 + r;
    facts.same[0] = 7;
    facts.same[1] = r;
    Result<GlobalFacts> all = c->agree({"H5Dwrite", "/x"}, facts, Status());
    t.check(all.has_value(), "agree");
    if (!all) return;
    t.check(all->causes == (1U << t.size()) - 1, "causes are ORed");
    t.check(all->sum_chunks == n * (n + 1) / 2 && all->min_chunks == 1 && all->max_chunks == n,
            "chunks");
    t.check(all->sum_bytes == 50 * n * (n - 1) && all->ranks_with_data == n - 1, "bytes");
    t.check(n == 1 || all->smallest_mean_run == 51, "mean run of the ranks with data");
    t.check(all->same[0].equal() && all->same[1].equal() == (n == 1), "equality");
  }
  t.check(c->close(), "close");
}

void one_rank_fails(ParallelTest& t) {
  auto c = make(t);
  const int culprit = t.size() - 1;
  for (int repeat = 0; repeat < 3; ++repeat) {
    Status local = t.rank() == culprit ? failure("bad memory space") : Status();
    Status seen = c->outcome({"H5Dwrite", "/x"}, local);
    t.check(!seen.ok(), "all ranks fail");
    if (t.rank() == culprit)
      t.check_says(seen, "failed on this process", "the culprit keeps its frames");
    else
      t.check_says(seen, "rank " + std::to_string(culprit) + ": H5Dwrite on /x: bad memory space",
                   "the others learn which rank");
    t.check_says(seen, "bad memory space", "everybody knows why");
    t.check(c->health(), "the file is still good");
  }
  t.check(c->outcome({"H5Dwrite", "/x"}, Status()), "and the next call works");
}

void two_ranks_fail(ParallelTest& t) {
  auto c = make(t);
  Status local = t.rank() > 0 ? failure(t.rank() == 1 ? "first" : "later") : Status();
  Status seen = c->outcome({"H5Dread", "/x"}, local);
  if (t.size() > 1 && t.rank() == 0)
    t.check_says(seen, "rank 1: H5Dread on /x: first", "lowest rank is named");
  t.check(seen.ok() == (t.size() == 1), "all fail");
}

void long_text_is_cut(ParallelTest& t) {
  auto c = make(t);
  Status local = t.rank() == 0 ? failure(std::string(5000, 'x').c_str()) : Status();
  Status seen = c->outcome({"H5Dread", "/x"}, local);
  t.check(!seen.ok() && (t.rank() == 0 || seen.message().size() < 1200), "a long text is cut");
}

void different_calls(ParallelTest& t) {
  if (t.size() == 1) return;
  auto c = make(t);
  LocalFacts facts;
  const bool last = t.rank() == t.size() - 1;
  facts.call_kind = last ? CallKind::kClose : CallKind::kWrite;
  Result<GlobalFacts> seen = last ? c->agree({"H5Fclose", ""}, facts, Status())
                                  : c->agree({"H5Dwrite", "/x"}, facts, Status());
  const std::string other = std::to_string(t.size() - 1);
  t.check(!seen, "all fail");
  if (seen) return;
  t.check_says(seen.error(),
               "calls do not match: rank 0 is in H5Dwrite on /x, rank " + other + " is in H5Fclose",
               "both calls are named");
  t.check(!c->health().ok(), "the file is poisoned");
  // From here on nobody communicates: ranks may do different things without waiting.
  if (t.rank() == 0)
    t.check(!c->outcome({"H5Fflush", ""}, Status()).ok(), "later calls fail at once");
}

void different_objects(ParallelTest& t) {
  if (t.size() == 1) return;
  auto c = make(t);
  LocalFacts facts;
  facts.call_kind = CallKind::kWrite;
  facts.object = t.rank() == 1 ? 800 : 900;
  Result<GlobalFacts> seen = c->agree({"H5Dwrite", t.rank() == 1 ? "/y" : "/x"}, facts, Status());
  if (seen)
    t.check(false, "all fail");
  else
    t.check_says(seen.error(), "rank 0 is in H5Dwrite on /x, rank 1 is in H5Dwrite on /y",
                 "objects named");
}

void different_metadata(ParallelTest& t) {
  if (t.size() == 1) return;
  auto c = make(t);
  const ConstBytes arguments =
      t.rank() == 1 ? ConstBytes(kArguments).first(2) : ConstBytes(kArguments);
  t.check(c->begin_metadata_call({"H5Dcreate2", "/a"}, arguments), "metadata calls do not wait");
  t.check(c->end_metadata_call({"H5Dcreate2", "/a"}, Status()), "end");
  Status seen = c->outcome({"H5Fflush", ""}, Status());
  t.check_says(seen, "metadata calls do not match", "found at the next communicating call");
  t.check_says(seen, "H5Dcreate2 on /a", "named");
}

void rank_0_skips_a_call(ParallelTest& t) {
  if (t.size() == 1) return;
  auto c = make(t);
  if (t.rank() != 0) t.check(c->begin_metadata_call({"H5Gcreate2", "/g"}, kArguments), "begin");
  Status seen = c->outcome({"H5Fflush", ""}, Status());
  t.check_says(seen, "rank 0 is in H5Fflush after no metadata call", "rank 0 named");
  t.check_says(seen, "rank 1 is in H5Fflush after 1 metadata call, H5Gcreate2 on /g",
               "rank 1 named");
}

void metadata_failure_on_one_rank(ParallelTest& t) {
  auto c = make(t);
  const int culprit = t.size() / 2;
  const CallName name{"H5Dcreate2", "/a"};
  t.check(c->begin_metadata_call(name, kArguments), "begin");
  Status local = t.rank() == culprit ? failure("no memory") : Status();
  Status seen = c->end_metadata_call(name, local);
  t.check(seen.ok() == (t.rank() != culprit), "the failure is local at once");
  // The culprit may be in another call by now.
  LocalFacts facts;
  facts.call_kind = t.rank() == culprit ? CallKind::kClose : CallKind::kWrite;
  Result<GlobalFacts> next = c->agree({"H5Dwrite", "/a"}, facts, Status());
  if (t.size() == 1) {
    t.check(next.has_value(), "one rank can't diverge");
    return;
  }
  t.check(!next, "the next communicating call fails on all ranks");
  if (next) return;
  t.check_says(next.error(),
               "rank " + std::to_string(culprit) + ": H5Dcreate2 on /a failed: no memory",
               "naming call and rank");
  t.check(!c->begin_metadata_call(name, kArguments).ok(), "and so does everything after");
}

void metadata_failure_on_all_ranks(ParallelTest& t) {
  auto c = make(t);
  t.check(c->begin_metadata_call({"H5Gcreate2", "/a"}, kArguments), "begin");
  t.check(!c->end_metadata_call({"H5Gcreate2", "/a"}, failure("is there")).ok(), "fails alike");
  t.check(c->outcome({"H5Fflush", ""}, Status()), "no disagreement");
  t.check(c->health(), "the file is good");
}

void check_calls_agrees_at_once(ParallelTest& t) {
  const char* const before = std::getenv("PCIO_CHECK");
  const std::string kept = before != nullptr ? before : "";
  setenv("PCIO_CHECK", t.rank() == 0 ? ("calls " + kept).c_str() : "", 1);  // rank 0's counts
  auto c = make(t);
  setenv("PCIO_CHECK", kept.c_str(), 1);
  t.check(c->environment().check_calls, "rank 0's environment is everybody's");
  t.check(c->begin_metadata_call({"H5Gcreate2", "/a"}, kArguments), "equal calls pass");
  Status local = t.rank() == t.size() - 1 ? failure("no memory") : Status();
  t.check(!c->end_metadata_call({"H5Gcreate2", "/a"}, local).ok(),
          "a failure is everybody's at once");
  if (t.size() == 1) return;
  const ConstBytes arguments = t.rank() == 1 ? ConstBytes() : ConstBytes(kArguments);
  Status seen = c->begin_metadata_call({"H5Gcreate2", "/b"}, arguments);
  t.check_says(seen, "H5Gcreate2 on /b", "a mismatch is found before anything is done");
}

void typed_collectives(ParallelTest& t) {
  auto c = make(t);
  const auto n = static_cast<std::uint64_t>(t.size());
  const auto r = static_cast<std::uint64_t>(t.rank());
  std::uint64_t words[2] = {r, 10 - r};
  t.check(c->allreduce_max(words), "max");
  t.check(words[0] == n - 1 && words[1] == 10, "max value");
  std::uint64_t low[1] = {r + 5};
  t.check(c->allreduce_min(low), "min");
  t.check(low[0] == 5, "min value");
  // Above 2^63 some MPI libraries compare as if the words were signed.
  std::uint64_t large[1] = {t.rank() == 0 ? kNoRank : r};
  t.check(c->allreduce_max(large), "max of large words");
  t.check(large[0] == kNoRank, "max value of large words");
  large[0] = t.rank() == 0 ? kNoRank : r;
  t.check(c->allreduce_min(large), "min of large words");
  t.check(large[0] == (t.size() == 1 ? kNoRank : 1), "min value of large words");
  std::uint64_t sums[1] = {r};
  t.check(c->allreduce_sum(sums), "sum");
  t.check(sums[0] == n * (n - 1) / 2, "sum value");
  std::uint64_t before[1] = {r + 1};
  t.check(c->exscan_sum(before), "exscan");
  t.check(before[0] == r * (r + 1) / 2, "exscan value");
  std::vector<std::byte> all(3 * n);
  const std::vector<std::byte> mine(3, static_cast<std::byte>(r));
  t.check(c->allgather(mine, all), "allgather");
  for (std::uint64_t i = 0; i < all.size(); ++i)
    t.check(all[i] == static_cast<std::byte>(i / 3), "allgather value");
  std::vector<std::uint64_t> rows(n, r), columns(n);
  t.check(c->comm()->alltoall(rows, columns), "alltoall");
  for (std::uint64_t i = 0; i < n; ++i) t.check(columns[i] == i, "alltoall value");
  std::vector<std::byte> gathered(t.rank() == 0 ? all.size() : 0);
  t.check(c->comm()->gather(mine, gathered, 0), "gather");
  t.check(t.rank() != 0 || gathered == all, "gather value");
  t.check(c->barrier(), "barrier");
}

void time_of_an_agreement(ParallelTest& t) {
  auto c = make(t);
  const int repeats = 200;
  const double start = MPI_Wtime();
  for (int i = 0; i < repeats; ++i) t.check(c->outcome({"H5Dwrite", "/x"}, Status()), "agree");
  const double each = (MPI_Wtime() - start) / repeats * 1e6;
  std::uint64_t words[44] = {};
  const double middle = MPI_Wtime();
  for (int i = 0; i < repeats; ++i)
    MPI_Allreduce(MPI_IN_PLACE, words, 44, MPI_UINT64_T, MPI_SUM, c->comm()->raw());
  const double plain = (MPI_Wtime() - middle) / repeats * 1e6;
  if (t.rank() == 0)
    std::printf("an agreement takes %.1f us, an MPI_Allreduce %.1f us\n", each, plain);
}

}  // namespace
}  // namespace pcio

static void run_all(pcio::test::ParallelTest& t) {
  for (auto* run :
       {pcio::facts_are_merged, pcio::one_rank_fails, pcio::two_ranks_fail, pcio::long_text_is_cut,
        pcio::different_calls, pcio::different_objects, pcio::different_metadata,
        pcio::rank_0_skips_a_call, pcio::metadata_failure_on_one_rank,
        pcio::metadata_failure_on_all_ranks, pcio::check_calls_agrees_at_once,
        pcio::typed_collectives, pcio::time_of_an_agreement}) {
    run(t);
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

int main(int argc, char** argv) {
  pcio::test::ParallelTest t(argc, argv);
  run_all(t);
  pcio::agreements_before = 16;
  run_all(t);
  setenv("PCIO_CHECK", "nodes:2", 1);
  run_all(t);
  return t.finish();
}
