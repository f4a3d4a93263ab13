// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room mpi: collectives on an owned communicator, and the one loop that waits.

#include "mpi/comm.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <sched.h>
#include <string>
#include <time.h>
#include <vector>

#include "base/library_lock.hpp"
#include "base/without_throwing.hpp"
#include "mpi/environment.hpp"
#include "mpi/error.hpp"
#include "mpi/large_count.hpp"
#include "mpi/op.hpp"
#include "mpi/type.hpp"

namespace pcio::mpi {

namespace {

constexpr std::uint64_t kTopBit = std::uint64_t{1} << 63;

/// How the waiting loop behaves as time goes by. Ranks may outnumber cores, so it yields early; the
/// clock is looked at rarely, because a collective is usually done within the first tests.
constexpr int kTestsBeforeYield = 32;
/// Each of them may yield the processor.
constexpr int kTestsBetweenProbes = 4;
constexpr int kTestsPerClock = 64;
constexpr double kSecondsBeforeNap = 0.001;
/// Of a rank that keeps its processor: longer than a message takes, far less than the turn of another program.
constexpr double kSecondsOfSpin = 0.0002;
constexpr double kSecondsBeforeLongNap = 1.0;
constexpr long kNapNanoseconds = 50'000;
constexpr long kLongNapNanoseconds = 1'000'000;

/// Of Comm::tell, and the next one; letters (transfer) and the hang watch have others.
constexpr int kTellTag = 64;
/// Nobody sends with it: a probe that finds something may return before it has moved anything.
constexpr int kNobodysTag = 32000;

/// A message is never cut.
Status check_length(std::size_t bytes) {
  if (bytes <= kMaxCallBytes) return Status();
  return PCIO_ERROR(INTERNAL, BADSIZE,
                    "a message of " + std::to_string(bytes) + " bytes is longer than 1 GiB");
}

void nap(double waited) {
  timespec pause{0, waited > kSecondsBeforeLongNap ? kLongNapNanoseconds : kNapNanoseconds};
  nanosleep(&pause, nullptr);
}

/// Of a duplicate, which is over. Open MPI tells the error handler of MPI_COMM_WORLD that it has no communicator left, and that one
/// ends the program, whatever the duplicated one has.
Status finish_quietly(MPI_Request& made) {
  MPI_Errhandler before = MPI_ERRHANDLER_NULL;
  PCIO_TRY(check(MPI_Comm_get_errhandler(MPI_COMM_WORLD, &before), "MPI_Comm_get_errhandler"));
  Status over =
      check(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  if (over.ok()) {
    int done = 0;
    over = check(MPI_Test(&made, &done, MPI_STATUS_IGNORE), "MPI_Comm_idup");
    if (over.ok() && done == 0) over = PCIO_ERROR(INTERNAL, MPI, "a duplicate is not there yet");
    (void)MPI_Comm_set_errhandler(MPI_COMM_WORLD, before);
  }
  (void)MPI_Errhandler_free(&before);
  return over;
}

}  // namespace

Result<int> Comm::ranks_of(MPI_Comm comm) {
  PCIO_TRY(require_active());
  if (comm == MPI_COMM_NULL) return PCIO_ERROR(ARGS, BADVALUE, "the communicator is MPI_COMM_NULL");
  int inter = 0;
  PCIO_TRY(check(MPI_Comm_test_inter(comm, &inter), "MPI_Comm_test_inter"));
  if (inter != 0) return PCIO_ERROR(ARGS, BADVALUE, "an intercommunicator can't open a file");
  int ranks = 1;
  PCIO_TRY(check(MPI_Comm_size(comm, &ranks), "MPI_Comm_size"));
  return ranks;
}

/// All ranks have come, and are `ready`. Collective: over `comm`, one exchange.
Status Comm::meet(MPI_Comm comm, const Status& ready, std::span<std::int64_t> least) {
  constexpr std::int64_t kNobody = std::numeric_limits<std::int64_t>::max();
  // The lowest rank, and behind it what it lacks.
  const bool no_memory = !ready.ok() && ready.frames().front().minor == Minor::NOSPACE;
  std::array<std::int64_t, 1 + kMostWords> words{};
  std::int64_t& lacking = words[0];
  lacking = ready.ok() ? kNobody : 2 * std::int64_t{rank_} + (no_memory ? 1 : 0);
  std::copy(least.begin(), least.end(), words.begin() + 1);
  MPI_Request all_here = MPI_REQUEST_NULL;
  PCIO_TRY(check(MPI_Iallreduce(MPI_IN_PLACE, words.data(), narrow(1 + least.size()), MPI_INT64_T,
                                MPI_MIN, comm, &all_here),
                 "MPI_Iallreduce"));
  PCIO_TRY(wait(all_here, "MPI_Iallreduce"));
  std::copy_n(words.begin() + 1, least.size(), least.begin());
  if (lacking == kNobody) return Status();
  if (!ready.ok()) return ready;
  if (lacking % 2 == 0)
    return PCIO_ERROR(INTERNAL, MPI,
                      "rank " + std::to_string(lacking / 2) + " could not prepare for it");
  return PCIO_ERROR(RESOURCE, NOSPACE,
                    "rank " + std::to_string(lacking / 2) + " has no memory left");
}

Result<Comm> Comm::duplicate(MPI_Comm comm, WaitWatch watch, const Status& ready,
                             std::span<std::int64_t> least) {
  Comm copy;
  PCIO_ASSIGN(copy.size_, ranks_of(comm));
  PCIO_TRY(check(MPI_Comm_rank(comm, &copy.rank_), "MPI_Comm_rank"));
  Status prepared = ready;
  if (prepared.ok())
    prepared = without_throwing([&] {
      copy.scratch_.resize(2 * static_cast<std::size_t>(copy.size_));
      return Status();
    });
  copy.watch_ = std::move(watch);
  PCIO_TRY(copy.meet(comm, prepared, least));
  PCIO_TRY(copy.become_copy_of(comm));
  copy.watch_ = WaitWatch();
  return copy;
}

/// Ranks that wait in MPI_Comm_dup keep their processors, which others may need in order to come.
Status Comm::become_copy_of(MPI_Comm comm) {
  MPI_Comm copy = MPI_COMM_NULL;
  MPI_Request made = MPI_REQUEST_NULL;
  PCIO_TRY(check(MPI_Comm_idup(comm, &copy, &made), "MPI_Comm_idup"));
  PCIO_TRY(wait_loop([&](bool) -> Result<bool> {
    int done = 0;
    PCIO_TRY(
        check(MPI_Request_get_status(made, &done, MPI_STATUS_IGNORE), "MPI_Request_get_status"));
    return done != 0;
  }));
  PCIO_TRY(finish_quietly(made));
  comm_ = copy;
  return check(MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
}

Result<Comm> Comm::again(WaitWatch watch) const {
  Comm copy;
  copy.rank_ = rank_;
  copy.size_ = size_;
  copy.watch_ = std::move(watch);
  PCIO_TRY(copy.become_copy_of(comm_));
  copy.watch_ = WaitWatch();
  return copy;
}

Comm::Comm(Comm&& other) noexcept
    : comm_(std::exchange(other.comm_, MPI_COMM_NULL)),
      rank_(other.rank_),
      size_(other.size_),
      watch_(std::move(other.watch_)),
      tells_(other.tells_),
      unread_(std::move(other.unread_)),
      scratch_(std::move(other.scratch_)) {}

Comm& Comm::operator=(Comm&& other) noexcept {
  std::swap(comm_, other.comm_);
  std::swap(rank_, other.rank_);
  std::swap(size_, other.size_);
  std::swap(watch_, other.watch_);
  std::swap(tells_, other.tells_);
  std::swap(unread_, other.unread_);
  std::swap(scratch_, other.scratch_);
  return *this;
}

Comm::~Comm() {
  if (comm_ != MPI_COMM_NULL && is_active()) MPI_Comm_free(&comm_);
}

Status Comm::free() {
  if (comm_ == MPI_COMM_NULL) return Status();
  if (!is_active()) {
    comm_ = MPI_COMM_NULL;
    return Status();
  }
  return check(MPI_Comm_free(&comm_), "MPI_Comm_free");
}

/// `done`: Result<bool>(bool naps), which may be dear where the rank naps between.
template <class Done>
Status Comm::wait_loop(Done&& done) {
  // Other ranks know of this call.
  call_went_too_far();
  const LibraryPause others_go_on;
  double start = 0;
  double next_tick = watch_.interval;
  double waited = 0;
  const double before_nap = watch_.first == FirstWait::kYield ? kSecondsBeforeNap : kSecondsOfSpin;
  for (int tests = 1;; ++tests) {
    const bool naps = waited >= before_nap;
    PCIO_ASSIGN(const bool over, done(naps));
    if (over) return Status();
    if (tests < kTestsBeforeYield) continue;
    if (naps)
      nap(waited);
    else if (watch_.first == FirstWait::kYield)
      sched_yield();
    if (!naps && tests % kTestsPerClock != 0) continue;
    if (start == 0) start = MPI_Wtime();
    waited = MPI_Wtime() - start;
    if (watch_.interval > 0 && watch_.tick && waited >= next_tick) {
      // A message that can't be made is no reason to leave a wait.
      try {
        watch_.tick(waited);
      } catch (...) {
      }
      next_tick = waited + watch_.interval;
    }
  }
}

Status Comm::wait(MPI_Request& request, const char* what) {
  PCIO_TRY(check_not_finalized());
  return wait_loop([&](bool) -> Result<bool> {
    int done = 0;
    PCIO_TRY(check(MPI_Test(&request, &done, MPI_STATUS_IGNORE), what));
    return done != 0;
  });
}

/// A rank may come late because it waits for a message of this one, and MPI moves messages only
/// inside its calls.
Status Comm::wait_until(const std::function<bool()>& done) {
  PCIO_TRY(check_not_finalized());
  int tests = 0;
  return wait_loop([&](bool naps) -> Result<bool> {
    if (done()) return true;
    ++tests;
    const int between = tests < kTestsBeforeYield ? kTestsBeforeYield : kTestsBetweenProbes;
    if (!naps && tests % between != 0) return false;
    int there = 0;
    PCIO_TRY(check(MPI_Iprobe(MPI_ANY_SOURCE, kNobodysTag, comm_, &there, MPI_STATUS_IGNORE),
                   "MPI_Iprobe"));
    return false;
  });
}

Result<Comm> Comm::split_by_machine() {
  Comm here;
  const LibraryPause others_go_on;
  PCIO_TRY(check(MPI_Comm_split_type(comm_, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here.comm_),
                 "MPI_Comm_split_type"));
  PCIO_TRY(here.complete_part());
  return here;
}

Result<Comm> Comm::split(int part) {
  Comm here;
  const LibraryPause others_go_on;
  PCIO_TRY(check(MPI_Comm_split(comm_, part, 0, &here.comm_), "MPI_Comm_split"));
  PCIO_TRY(here.complete_part());
  return here;
}

Status Comm::complete_part() {
  PCIO_TRY(check(MPI_Comm_size(comm_, &size_), "MPI_Comm_size"));
  PCIO_TRY(check(MPI_Comm_rank(comm_, &rank_), "MPI_Comm_rank"));
  return check(MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
}

Result<int> Comm::leader_of(const Comm& part) const {
  MPI_Group all = MPI_GROUP_NULL;
  MPI_Group few = MPI_GROUP_NULL;
  const int first = 0;
  int leader = 0;
  Status done = check(MPI_Comm_group(comm_, &all), "MPI_Comm_group");
  if (done.ok()) done = check(MPI_Comm_group(part.comm_, &few), "MPI_Comm_group");
  if (done.ok())
    done =
        check(MPI_Group_translate_ranks(few, 1, &first, all, &leader), "MPI_Group_translate_ranks");
  for (MPI_Group* group : {&all, &few})
    if (*group != MPI_GROUP_NULL) MPI_Group_free(group);
  PCIO_TRY(std::move(done));
  return leader;
}

Status Comm::start_send(ConstBytes data, int to, int tag, MPI_Request& request) {
  PCIO_TRY(check_not_finalized());
  PCIO_TRY(check_length(data.size()));
  return check(MPI_Isend(data.data(), narrow(data.size()), MPI_BYTE, to, tag, comm_, &request),
               "MPI_Isend");
}

Status Comm::start_receive(Bytes data, int from, int tag, MPI_Request& request) {
  PCIO_TRY(check_not_finalized());
  PCIO_TRY(check_length(data.size()));
  return check(MPI_Irecv(data.data(), narrow(data.size()), MPI_BYTE, from, tag, comm_, &request),
               "MPI_Irecv");
}

Status Comm::tell(std::vector<Told>& going, std::span<MPI_Request> requests,
                  std::vector<Told>* coming) {
  coming->clear();
  if (going.size() > requests.size())
    return PCIO_ERROR(INTERNAL, BADSIZE, "more words than there are requests for");
  const auto open = requests.first(going.size());
  std::fill(open.begin(), open.end(), MPI_REQUEST_NULL);
  Status told = exchange_words(going, open, coming);
  if (!told.ok()) {
    // Nobody can wait for them: who was to take them may have failed alike.
    for (MPI_Request& request : open)
      if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
    unread_ = std::move(going);
    going.clear();
    return told;
  }
  const auto me = static_cast<std::uint32_t>(rank_), ranks = static_cast<std::uint32_t>(size_);
  auto turn = [&](const Told& one) {
    return one.rank >= me ? one.rank - me : one.rank + (ranks - me);
  };
  std::sort(coming->begin(), coming->end(),
            [&](const Told& a, const Told& b) { return turn(a) < turn(b); });
  return told;
}

/// A word's message is over when its receiver has it. Who knows that of its own words comes to the barrier, and goes
/// on taking those of others until all have come. A rank may then be ahead by one: two tags in turn.
Status Comm::exchange_words(std::span<const Told> going, std::span<MPI_Request> requests,
                            std::vector<Told>* coming) {
  const int tag = kTellTag + tells_;
  tells_ = (tells_ + 1) % 2;
  for (std::size_t i = 0; i < going.size(); ++i)
    PCIO_TRY(check(MPI_Issend(&going[i].word, sizeof going[i].word, MPI_BYTE,
                              static_cast<int>(going[i].rank), tag, comm_, &requests[i]),
                   "MPI_Issend"));
  std::size_t arrived = 0;
  MPI_Request all_here = MPI_REQUEST_NULL;
  return wait_loop([&](bool) -> Result<bool> {
    PCIO_TRY(take_told(tag, coming));
    int done = 1;
    for (; arrived < going.size(); ++arrived) {
      PCIO_TRY(check(MPI_Test(&requests[arrived], &done, MPI_STATUS_IGNORE), "MPI_Issend"));
      if (done == 0) return false;
    }
    if (arrived == going.size()) {
      ++arrived;
      PCIO_TRY(check(MPI_Ibarrier(comm_, &all_here), "MPI_Ibarrier"));
    }
    PCIO_TRY(check(MPI_Test(&all_here, &done, MPI_STATUS_IGNORE), "MPI_Ibarrier"));
    return done != 0;
  });
}

/// Words that are there. No other thread receives on this communicator, so that matched probes, which not every MPI does
/// well, aren't needed.
Status Comm::take_told(int tag, std::vector<Told>* coming) {
  for (;;) {
    int there = 0;
    MPI_Status from;
    PCIO_TRY(check(MPI_Iprobe(MPI_ANY_SOURCE, tag, comm_, &there, &from), "MPI_Iprobe"));
    if (there == 0) return Status();
    Told told{static_cast<std::uint32_t>(from.MPI_SOURCE), 0};
    PCIO_TRY(check(MPI_Recv(&told.word, sizeof told.word, MPI_BYTE, from.MPI_SOURCE, tag, comm_,
                            MPI_STATUS_IGNORE),
                   "MPI_Recv"));
    if (coming->size() == coming->capacity())
      return PCIO_ERROR(INTERNAL, BADSIZE, "more ranks tell something than there are");
    coming->push_back(told);
  }
}

Status Comm::barrier() {
  MPI_Request request = MPI_REQUEST_NULL;
  PCIO_TRY(check(MPI_Ibarrier(comm_, &request), "MPI_Ibarrier"));
  return wait(request, "MPI_Ibarrier");
}

Status Comm::broadcast(Bytes data, int root) {
  return for_each_piece(
      data.size(), kMaxCallBytes, [&](std::uint64_t start, std::uint64_t n) -> Status {
        MPI_Request request = MPI_REQUEST_NULL;
        PCIO_TRY(check(MPI_Ibcast(data.data() + start, narrow(n), MPI_BYTE, root, comm_, &request),
                       "MPI_Ibcast"));
        return wait(request, "MPI_Ibcast");
      });
}

Status Comm::allreduce(std::span<std::uint64_t> words, MPI_Datatype type, MPI_Op op) {
  std::uint64_t limit = kMaxCallBytes / sizeof(std::uint64_t);
  return for_each_piece(words.size(), limit, [&](std::uint64_t start, std::uint64_t n) -> Status {
    MPI_Request request = MPI_REQUEST_NULL;
    PCIO_TRY(check(
        MPI_Iallreduce(MPI_IN_PLACE, words.data() + start, narrow(n), type, op, comm_, &request),
        "MPI_Iallreduce"));
    return wait(request, "MPI_Iallreduce");
  });
}

Status Comm::allreduce_ordered(std::span<std::uint64_t> words, MPI_Op op) {
  // MPICH 4.0 takes the minimum and maximum of MPI_UINT64_T as if it were signed (so does Open
  // MPI 4.1 for MPI_UNSIGNED_LONG). Flipping the top bit turns unsigned order into signed order.
  for (std::uint64_t& word : words) word ^= kTopBit;
  Status reduced = allreduce(words, MPI_INT64_T, op);
  for (std::uint64_t& word : words) word ^= kTopBit;
  return reduced;
}

Status Comm::allreduce(Bytes element, const Type& type, const Op& op) {
  // Separate buffers: in-place reductions with user-defined operations are the less trodden path.
  // Agreements are small, and ask for no memory.
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): written as far as it is read.
  std::array<std::byte, 1024> mine;
  if (element.size() > mine.size())
    return PCIO_ERROR(INTERNAL, BADSIZE, "an element to be merged is larger than 1 KiB");
  std::copy(element.begin(), element.end(), mine.begin());
  return allreduce(ConstBytes(mine).first(element.size()), element, 1, type, op);
}

Status Comm::allreduce(ConstBytes mine, Bytes all, std::uint64_t count, const Type& type,
                       const Op& op) {
  MPI_Request request = MPI_REQUEST_NULL;
  PCIO_TRY(check(
      MPI_Iallreduce(mine.data(), all.data(), narrow(count), type.raw(), op.raw(), comm_, &request),
      "MPI_Iallreduce"));
  return wait(request, "MPI_Iallreduce");
}

Status Comm::allreduce_block(std::span<std::uint64_t> words, MPI_User_function* function) {
  if (words.size_bytes() > kMaxCallBytes)
    return PCIO_ERROR(INTERNAL, BADSIZE, "a block to be merged is larger than 1 GiB");
  PCIO_ASSIGN(const Op op, Op::create(function));
  PCIO_ASSIGN(const Type type, Type::contiguous_bytes(words.size_bytes()));
  // In place: a rank without memory must still come here.
  MPI_Request request = MPI_REQUEST_NULL;
  PCIO_TRY(
      check(MPI_Iallreduce(MPI_IN_PLACE, words.data(), 1, type.raw(), op.raw(), comm_, &request),
            "MPI_Iallreduce"));
  return wait(request, "MPI_Iallreduce");
}

Status Comm::exscan(std::span<std::uint64_t> words, MPI_Op op) {
  if (scratch_.empty()) return PCIO_ERROR(INTERNAL, MPI, "a part of a communicator has no scans");
  return for_each_piece(words.size(), scratch_.size(),
                        [&](std::uint64_t start, std::uint64_t n) -> Status {
                          const auto piece = words.subspan(start, n);
                          MPI_Request request = MPI_REQUEST_NULL;
                          PCIO_TRY(check(MPI_Iexscan(piece.data(), scratch_.data(), narrow(n),
                                                     MPI_UINT64_T, op, comm_, &request),
                                         "MPI_Iexscan"));
                          PCIO_TRY(wait(request, "MPI_Iexscan"));
                          // The standard leaves rank 0's result undefined.
                          if (rank_ == 0) std::fill(scratch_.begin(), scratch_.end(), 0);
                          std::copy_n(scratch_.begin(), n, piece.begin());
                          return Status();
                        });
}

Status Comm::exscan_sum(std::span<std::uint64_t> words) { return exscan(words, MPI_SUM); }
Status Comm::exscan_max(std::span<std::uint64_t> words) { return exscan(words, MPI_MAX); }

Status Comm::allgather(ConstBytes mine, Bytes all) {
  const auto ranks = static_cast<std::uint64_t>(size_);
  if (all.size() != mine.size() * ranks)
    return PCIO_ERROR(INTERNAL, BADSIZE, "allgather: the result has the wrong size");
  std::uint64_t limit = std::max<std::uint64_t>(1, kMaxCallBytes / ranks);
  if (mine.size() <= limit) {
    MPI_Request request = MPI_REQUEST_NULL;
    PCIO_TRY(check(MPI_Iallgather(mine.data(), narrow(mine.size()), MPI_BYTE, all.data(),
                                  narrow(mine.size()), MPI_BYTE, comm_, &request),
                   "MPI_Iallgather"));
    return wait(request, "MPI_Iallgather");
  }
  // Too much for one call: rank after rank.
  std::memcpy(all.data() + mine.size() * static_cast<std::uint64_t>(rank_), mine.data(),
              mine.size());
  for (int r = 0; r < size_; ++r)
    PCIO_TRY(broadcast(all.subspan(mine.size() * static_cast<std::uint64_t>(r), mine.size()), r));
  return Status();
}

Status Comm::gather(ConstBytes mine, Bytes all, int root) {
  const auto ranks = static_cast<std::uint64_t>(size_);
  if (rank_ == root && all.size() != mine.size() * ranks)
    return PCIO_ERROR(INTERNAL, BADSIZE, "gather: the result has the wrong size");
  // Each piece lands rank by rank in `piece`, and goes from there to its places.
  const std::uint64_t limit = std::max<std::uint64_t>(1, kMaxCallBytes / ranks);
  std::vector<std::byte> piece(rank_ == root ? std::min<std::uint64_t>(limit, mine.size()) * ranks
                                             : 0);
  return for_each_piece(mine.size(), limit, [&](std::uint64_t start, std::uint64_t n) -> Status {
    MPI_Request request = MPI_REQUEST_NULL;
    PCIO_TRY(check(MPI_Igather(mine.data() + start, narrow(n), MPI_BYTE, piece.data(), narrow(n),
                               MPI_BYTE, root, comm_, &request),
                   "MPI_Igather"));
    PCIO_TRY(wait(request, "MPI_Igather"));
    for (std::uint64_t r = 0; !piece.empty() && r < ranks; ++r)
      std::memcpy(all.data() + r * mine.size() + start, piece.data() + r * n, n);
    return Status();
  });
}

Status Comm::alltoall(std::span<const std::uint64_t> mine, std::span<std::uint64_t> theirs) {
  const std::uint64_t row = mine.size() / static_cast<std::uint64_t>(size_);
  if (theirs.size() != mine.size() || row * static_cast<std::uint64_t>(size_) != mine.size())
    return PCIO_ERROR(INTERNAL, BADSIZE, "alltoall: wrong sizes");
  MPI_Request request = MPI_REQUEST_NULL;
  PCIO_TRY(check(MPI_Ialltoall(mine.data(), narrow(row), MPI_UINT64_T, theirs.data(), narrow(row),
                               MPI_UINT64_T, comm_, &request),
                 "MPI_Ialltoall"));
  return wait(request, "MPI_Ialltoall");
}

namespace {

/// Counts and where their rows begin, as MPI wants them, in room for 2 * counts.size() numbers.
struct Rows {
  Rows(std::span<const std::uint64_t> counts, int* room)
      : sizes(room), starts(room + counts.size()) {
    for (std::size_t i = 0; i < counts.size(); ++i) {
      sizes[i] = static_cast<int>(counts[i]);
      starts[i] = static_cast<int>(words);
      words += counts[i];
    }
  }
  int* sizes;
  int* starts;
  std::uint64_t words = 0;
};

}  // namespace

Status Comm::alltoallv(std::span<const std::uint64_t> mine, std::span<const std::uint64_t> counts,
                       std::span<std::uint64_t> theirs,
                       std::span<const std::uint64_t> their_counts) {
  const auto ranks = static_cast<std::size_t>(size_);
  if (counts.size() != ranks || their_counts.size() != ranks || scratch_.empty())
    return PCIO_ERROR(INTERNAL, BADSIZE, "alltoallv: wrong number of rows");
  static_assert(2 * sizeof(int) <= sizeof(std::uint64_t));
  auto* const room = reinterpret_cast<int*>(scratch_.data());
  const Rows out(counts, room);
  const Rows in(their_counts, room + 2 * ranks);
  if (out.words != mine.size() || in.words != theirs.size() || out.words > kMostRowWords ||
      in.words > kMostRowWords)
    return PCIO_ERROR(INTERNAL, BADSIZE, "alltoallv: wrong sizes");
  MPI_Request request = MPI_REQUEST_NULL;
  PCIO_TRY(check(MPI_Ialltoallv(mine.data(), out.sizes, out.starts, MPI_UINT64_T, theirs.data(),
                                in.sizes, in.starts, MPI_UINT64_T, comm_, &request),
                 "MPI_Ialltoallv"));
  return wait(request, "MPI_Ialltoallv");
}

}  // namespace pcio::mpi
