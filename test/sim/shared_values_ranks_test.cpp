// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage on simulated ranks: shared attributes, whose values decide what a commit writes, are those of rank 0.

#include <mpi.h>

#if defined(OPEN_MPI)

#include "sim/sim_ranks.hpp"

namespace pcio {
namespace {

using namespace test;

Result<FilePtr> open_sharing(SimRanks& ranks, int rank, OpenMode mode) {
  PCIO_ASSIGN(const MpioSettings settings, MpioSettings::create(MPI_COMM_WORLD, MPI_INFO_NULL));
  OpenWith with;
  with.path = ranks.path(rank);
  with.create.shared_message_indexes = 1;
  with.create.shared_messages[0] = {1U << kMessageAttribute, 20};
  return open_session(settings, mode, with);
}

/// Ranks write other values, and beside them there is an attribute that nobody can decode.
TEST(SharedValues, BesideADamagedAttributeAreThoseOfTheFirstRank) {
  SimRanks ranks({3, 1, true});
  ranks.must_run([&](int rank) -> Status {
    PCIO_ASSIGN(FilePtr file, open_sharing(ranks, rank, OpenMode::kTruncate));
    PCIO_ASSIGN(const Location group, add_group(file, "/g"));
    PCIO_ASSIGN(const Location other, add_group(file, "/h"));
    PCIO_TRY(flush_session(file));
    HeaderMessage bad;
    bad.type = kMessageAttribute;
    bad.body = std::vector<std::byte>(40, std::byte{77});
    group.object->header.messages.push_back(bad);
    group.object->messages_moved();
    file->store().objects().touch(group.object);
    PCIO_TRY(add_attribute(other, "a", {7 + rank, 8, 9, 10}));
    PCIO_TRY(flush_session(file));
    return close_session(file);
  });
  const FilePtr file = must(open_session(make_disk(ranks.bytes()), OpenMode::kReadOnly));
  const std::vector<std::int32_t> first{7, 8, 9, 10};
  EXPECT_EQ(must(attributes_of(must(find(file, "/h"))))["a"], first);
  must(close_session(file));
}

}  // namespace
}  // namespace pcio

#endif
