// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/transports on simulated ranks: letters come as they were sent, answers to whom they belong, and
// what fails leaves no buffer to MPI.

#include <mpi.h>

#if defined(OPEN_MPI)

#include <cstdlib>
#include <random>

#include "sim/sim_ranks.hpp"
#include "transfer/transports/letter_box.hpp"

namespace pcio {
namespace {

using namespace test;

using Buffer = std::vector<std::byte>;
constexpr std::uint64_t kPayload = 24;
constexpr std::byte kUntouched{0xEE};

/// The letter of one rank to another one; nothing from the last rank to the first, nor where sizes say so.
Buffer letter_of(std::uint64_t from, std::uint64_t to, std::uint64_t ranks) {
  if (from + 1 == ranks && to == 0 && ranks > 1) return {};
  std::mt19937_64 random(100 * from + to);
  Buffer letter(kPayload + random() % 40);
  for (std::byte& byte : letter) byte = static_cast<std::byte>(random() % 200);
  return letter;
}
/// What is answered: the letter from its end.
Buffer answer_to(const Buffer& letter) { return {letter.rbegin(), letter.rend()}; }

/// One rank's buffers and what it counted.
struct Round {
  std::vector<Buffer> out, in, answers, replies;
  ExchangeCounts counts;
};

/// Bytes of the letter from a rank; this one's own too.
std::uint64_t size_from(const LetterBox& box, std::uint64_t rank,
                        std::uint64_t me = ~std::uint64_t{0}) {
  if (rank == me) return box.own().size();
  for (const mpi::Told& told : box.coming())
    if (told.rank == rank) return told.word;
  return 0;
}

/// A whole round of letters and answers to all of them.
Status play_round(Coordinator& coordinator, LetterBox& box, Round& round) {
  const auto ranks = static_cast<std::uint64_t>(coordinator.size());
  const auto me = static_cast<std::uint64_t>(coordinator.rank());
  for (auto* all : {&round.out, &round.in, &round.answers, &round.replies}) all->assign(ranks, {});
  MailLane lane;
  box.clear();
  for (std::uint64_t to = 0; to < ranks; ++to) {
    round.out[to] = letter_of(me, to, ranks);
    if (!round.out[to].empty()) box.put(to, round.out[to], kPayload);
  }
  PCIO_TRY(box.announce());
  const Buffer own = round.out[me];
  EXPECT_EQ(Buffer(box.own().begin(), box.own().end()), own);
  for (std::uint64_t from = 0; from < ranks; ++from) {
    round.in[from].assign(size_from(box, from, me), kUntouched);
    EXPECT_EQ(round.in[from].size(), letter_of(from, me, ranks).size());
    if (from != me && !round.in[from].empty()) PCIO_TRY(box.receive(lane, from, round.in[from]));
    round.replies[from].assign(round.out[from].size(), kUntouched);
    if (from != me && !round.out[from].empty())
      PCIO_TRY(box.expect_answer(lane, from, round.replies[from]));
  }
  MailLane letters;
  PCIO_TRY(box.send(letters));
  PCIO_TRY(box.wait(letters, "sending letters"));
  for (std::uint64_t from = 0; from < ranks; ++from) {
    round.answers[from] = answer_to(letter_of(from, me, ranks));
    if (from != me && !round.answers[from].empty())
      PCIO_TRY(box.answer(lane, from, round.answers[from]));
  }
  return box.wait(lane, "letters and answers");
}

template <class Box>
std::vector<Round> play_rounds(const SimOptions& options) {
  std::vector<Round> rounds(static_cast<std::size_t>(options.ranks));
  SimRanks ranks(options);
  ranks.must_run([&](int rank) -> Status {
    PCIO_ASSIGN(auto lobby, Lobby::create(MPI_COMM_WORLD, "H5Pset_fapl_mpio"));
    PCIO_ASSIGN(auto coordinator, Coordinator::create(*lobby, {"H5Fopen", "f"}));
    Round& round = rounds[static_cast<std::size_t>(rank)];
    {
      Box box(*coordinator, round.counts, MailTag::kExchange);
      box.reserve(static_cast<std::uint64_t>(coordinator->size()));
      for (int i = 0; i < 2; ++i) PCIO_TRY(play_round(*coordinator, box, round));
    }
    coordinator->release_handles();
    PCIO_TRY(coordinator->release_shared_memory());
    return coordinator->close();
  });
  return rounds;
}

void check_rounds() {
  for (int n = 1; n <= 4; ++n)
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
      SCOPED_TRACE(std::to_string(n) + " ranks, order " + std::to_string(seed));
      const auto rounds = play_rounds<LetterBox>({n, seed, true});
      const auto ranks = static_cast<std::uint64_t>(n);
      for (std::uint64_t me = 0; me < ranks; ++me) {
        ExchangeCounts wanted;
        for (std::uint64_t other = 0; other < ranks; ++other) {
          if (other == me) continue;
          const Buffer from = letter_of(other, me, ranks), to = letter_of(me, other, ranks);
          EXPECT_EQ(rounds[me].in[other], from);
          EXPECT_EQ(rounds[me].replies[other], answer_to(to));
          // A letter each way, an answer to each; two rounds.
          const std::uint64_t messages = 2 * ((from.empty() ? 0U : 1U) + (to.empty() ? 0U : 1U));
          wanted.messages_sent += messages;
          wanted.messages_received += messages;
          wanted.bytes_sent += 2 * (from.size() + to.size());
          wanted.bytes_received += 2 * (from.size() + to.size());
        }
        EXPECT_EQ(rounds[me].counts.messages_sent, wanted.messages_sent);
        EXPECT_EQ(rounds[me].counts.messages_received, wanted.messages_received);
        EXPECT_EQ(rounds[me].counts.bytes_sent, wanted.bytes_sent);
        EXPECT_EQ(rounds[me].counts.bytes_received, wanted.bytes_received);
      }
    }
}

TEST(Letters, ComeAsTheyWereSentAndSoDoAnswers) { check_rounds(); }

/// As the sizes of more than 32 ranks' letters do.
TEST(Letters, ComeAlsoWhereSizesAreToldByMessages) {
  setenv("PCIO_CHECK", "messages", 1);
  check_rounds();
  unsetenv("PCIO_CHECK");
}

TEST(Letters, OfADryRunAreCountedAndTheirPayloadsStay) {
  for (int n = 1; n <= 4; ++n) {
    SCOPED_TRACE(n);
    const auto real = play_rounds<LetterBox>({n, 1, true});
    const auto dry = play_rounds<CountingLetterBox>({n, 1, true});
    const auto ranks = static_cast<std::uint64_t>(n);
    for (std::uint64_t me = 0; me < ranks; ++me) {
      EXPECT_EQ(dry[me].counts.messages_sent, real[me].counts.messages_sent);
      EXPECT_EQ(dry[me].counts.messages_received, real[me].counts.messages_received);
      EXPECT_EQ(dry[me].counts.bytes_sent, real[me].counts.bytes_sent);
      EXPECT_EQ(dry[me].counts.bytes_received, real[me].counts.bytes_received);
      for (std::uint64_t other = 0; other < ranks; ++other) {
        if (other == me) continue;
        Buffer wanted = letter_of(other, me, ranks);
        if (!wanted.empty()) std::fill(wanted.end() - kPayload, wanted.end(), kUntouched);
        EXPECT_EQ(dry[me].in[other], wanted);
        EXPECT_EQ(dry[me].replies[other], Buffer(letter_of(me, other, ranks).size(), kUntouched));
      }
    }
  }
}

/// One exchange of words right behind the other: none gets into the one before.
TEST(Letters, WordsComeInTheExchangeInWhichTheyWereTold) {
  constexpr std::uint32_t kRanks = 5;
  for (std::uint64_t seed = 1; seed < 6; ++seed) {
    SimRanks ranks({kRanks, seed, true});
    ranks.must_run([&](int rank) -> Status {
      PCIO_ASSIGN(mpi::Comm comm, mpi::Comm::duplicate(MPI_COMM_WORLD, {}));
      std::vector<MPI_Request> requests(kRanks);
      std::vector<mpi::Told> coming;
      coming.reserve(kRanks);
      const auto me = static_cast<std::uint32_t>(rank);
      for (std::uint32_t turn = 1; turn <= 40; ++turn) {
        // In this turn rank r tells r + turn, and every third time also the one behind that.
        std::vector<mpi::Told> going;
        for (std::uint32_t i = 0; i < (turn % 3 == 0 ? 2U : 1U); ++i)
          if ((turn + i) % kRanks != 0) going.push_back({(me + turn + i) % kRanks, turn});
        PCIO_TRY(comm.tell(going, requests, &coming));
        EXPECT_EQ(coming.size(), going.size());
        for (const mpi::Told& told : coming) EXPECT_EQ(told.word, turn);
      }
      return comm.free();
    });
  }
}

/// Who gave up telling leaves words behind that others take later: they are what they were.
TEST(Letters, WordsOutliveATellThatMpiGaveUp) {
  SimRanks ranks({4, 0, true});
  ranks.world().set_fault([](const SimCall& call) {
    const bool fails = call.rank == 0 && call.name == "MPI_Issend" && call.number == 3;
    return fails ? SimFault::kError : SimFault::kNone;
  });
  // They live as long as a file that can only be closed.
  std::vector<mpi::Comm> comms(4);
  std::vector<std::vector<mpi::Told>> came(4);
  // Those that were told wait for the one that gave up.
  EXPECT_NE(ranks.world().run([&](int rank) {
    auto made = mpi::Comm::duplicate(MPI_COMM_WORLD, {});
    ASSERT_TRUE(made);
    mpi::Comm& comm = comms[static_cast<std::size_t>(rank)] = std::move(*made);
    std::vector<MPI_Request> requests(4);
    std::vector<mpi::Told> going, coming;
    coming.reserve(4);
    if (rank == 0) going = {{1, 77}, {2, 78}, {3, 79}};
    EXPECT_FALSE(comm.tell(going, requests, &coming).ok());
    if (rank == 0) {
      EXPECT_EQ(requests[0], MPI_REQUEST_NULL);
      EXPECT_EQ(requests[1], MPI_REQUEST_NULL);
    }
    // As memory that is somebody else's.
    for (mpi::Told& word : going) word.word = 13;
    came[static_cast<std::size_t>(rank)] = std::move(coming);
  }),
            "");
  for (std::uint32_t rank : {1U, 2U}) {
    ASSERT_EQ(came[rank].size(), 1U);
    EXPECT_EQ(came[rank][0].rank, 0U);
    EXPECT_EQ(came[rank][0].word, 76 + rank);
  }
  EXPECT_TRUE(came[3].empty());
}

/// A rank that failed announces nothing: nobody waits for it.
TEST(Letters, ARankThatFailedSendsNone) {
  SimRanks ranks({3, 2, true});
  ranks.must_run([&](int rank) -> Status {
    PCIO_ASSIGN(auto lobby, Lobby::create(MPI_COMM_WORLD, "H5Pset_fapl_mpio"));
    PCIO_ASSIGN(auto coordinator, Coordinator::create(*lobby, {"H5Fopen", "f"}));
    {
      ExchangeCounts counts;
      LetterBox box(*coordinator, counts, MailTag::kChunkPieces);
      box.reserve(static_cast<std::uint64_t>(coordinator->size()));
      const Buffer letter(10, std::byte{1});
      for (std::uint64_t to = 0; to < 3; ++to) box.put(to, letter, 0);
      if (rank == 1) box.clear();
      PCIO_TRY(box.announce());
      std::vector<Buffer> in(3);
      MailLane lane;
      for (std::uint64_t from = 0; from < 3; ++from) {
        EXPECT_EQ(size_from(box, from, static_cast<std::uint64_t>(rank)), from == 1 ? 0U : 10U);
        in[from].resize(size_from(box, from, static_cast<std::uint64_t>(rank)));
        if (from != static_cast<std::uint64_t>(rank) && !in[from].empty())
          PCIO_TRY(box.receive(lane, from, in[from]));
      }
      PCIO_TRY(box.send(lane));
      PCIO_TRY(box.wait(lane, "letters"));
      EXPECT_EQ(counts.messages_sent, rank == 1 ? 0U : 2U);
    }
    coordinator->release_handles();
    PCIO_TRY(coordinator->release_shared_memory());
    return coordinator->close();
  });
}

/// A letter whose parts lie apart comes whole, its answer goes to several places; of a dry run only what is before
/// the elements travels, and no answer.
template <class Box>
void send_parts(bool elements_travel) {
  SimRanks ranks({2, 0, true});
  ranks.must_run([&](int rank) -> Status {
    PCIO_ASSIGN(auto lobby, Lobby::create(MPI_COMM_WORLD, "H5Pset_fapl_mpio"));
    PCIO_ASSIGN(auto coordinator, Coordinator::create(*lobby, {"H5Fopen", "f"}));
    {
      ExchangeCounts counts;
      Box box(*coordinator, counts, MailTag::kExchange);
      box.reserve(2);
      const Buffer head(3, std::byte{1}), more(5, std::byte{2}), elements(7, std::byte{3});
      Buffer first(4, kUntouched), second(2, kUntouched);
      const std::vector<ConstBytes> parts{head, {}, more, elements};
      const std::vector<ConstBytes> places{first, second};
      if (rank == 0) PCIO_TRY(box.put_parts(1, parts, 3));
      PCIO_TRY(box.announce());
      MailLane lane, letters;
      Buffer in(size_from(box, 0), kUntouched);
      PCIO_ASSIGN(const ScatteredBytes room, ScatteredBytes::of(places));
      if (rank == 0) PCIO_TRY(box.expect_answer(lane, 1, room));
      PCIO_TRY(box.send(letters));
      if (rank == 1) {
        EXPECT_EQ(in.size(), 15U);
        PCIO_TRY(box.receive(letters, 0, in));
      }
      PCIO_TRY(box.wait(letters, "letters"));
      const Buffer answer{std::byte{9}, std::byte{8}, std::byte{7},
                          std::byte{6}, std::byte{5}, std::byte{4}};
      if (rank == 1) PCIO_TRY(box.answer(lane, 0, answer));
      PCIO_TRY(box.wait(lane, "answers"));
      EXPECT_EQ(counts.bytes_sent, rank == 0 ? 15U : 6U);
      EXPECT_EQ(counts.messages_received, 1U);
      EXPECT_EQ(counts.bytes_received, rank == 0 ? 6U : 15U);
      if (rank == 1) {
        Buffer wanted(head);
        wanted.insert(wanted.end(), more.begin(), more.end());
        wanted.insert(wanted.end(), 7, elements_travel ? std::byte{3} : kUntouched);
        EXPECT_EQ(in, wanted);
      } else {
        EXPECT_EQ(first[3], elements_travel ? std::byte{6} : kUntouched);
        EXPECT_EQ(second[1], elements_travel ? std::byte{4} : kUntouched);
      }
    }
    coordinator->release_handles();
    PCIO_TRY(coordinator->release_shared_memory());
    return coordinator->close();
  });
}
TEST(Letters, InPartsComeWholeAndAreAnsweredToSeveralPlaces) {
  send_parts<LetterBox>(true);
  send_parts<CountingLetterBox>(false);
}

/// MPI refuses to start one letter: the others go all the same, for their receivers wait.
TEST(Letters, BehindOneThatCouldNotBeStartedTheOthersGo) {
  SimRanks ranks({4, 0, true});
  bool armed = false;
  ranks.world().set_fault([&](const SimCall& call) {
    if (!armed || call.rank != 0 || call.name != "MPI_Isend") return SimFault::kNone;
    armed = false;
    return SimFault::kError;
  });
  ranks.must_run([&](int rank) -> Status {
    PCIO_ASSIGN(auto lobby, Lobby::create(MPI_COMM_WORLD, "H5Pset_fapl_mpio"));
    PCIO_ASSIGN(auto coordinator, Coordinator::create(*lobby, {"H5Fopen", "f"}));
    {
      ExchangeCounts counts;
      LetterBox box(*coordinator, counts, MailTag::kExchange);
      box.reserve(static_cast<std::uint64_t>(coordinator->size()));
      const Buffer letter(10, std::byte{7});
      for (std::uint64_t to = 1; to < 4 && rank == 0; ++to) box.put(to, letter, 0);
      PCIO_TRY(box.announce());
      Buffer in(10);
      MailLane lane;
      // The first one is rank 1's.
      if (rank > 1) PCIO_TRY(box.receive(lane, 0, in));
      armed = rank == 0;
      const Status sent = box.send(lane);
      EXPECT_EQ(sent.ok(), rank != 0);
      PCIO_TRY(box.wait(lane, "letters"));
      EXPECT_EQ(in, rank > 1 ? letter : Buffer(10));
    }
    coordinator->release_handles();
    PCIO_TRY(coordinator->release_shared_memory());
    return coordinator->close();
  });
}

}  // namespace
}  // namespace pcio

#endif
