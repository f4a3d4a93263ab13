// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// The hang watch: one rank comes late, and the others say so. Their stderr goes to files here.

#include <fcntl.h>
#include <fstream>
#include <span>
#include <sstream>
#include <unistd.h>

#include "agree/coordinator.hpp"
#include "par_test.hpp"

namespace pcio {
namespace {

using test::ParallelTest;

/// Agreements before the one that is waited for: more than 15, and the ranks wait at the board.
int agreements_before = 0;
/// What the late rank stays away from is a sum of its node; other nodes go on to the agreement.
bool within_nodes = false;
/// The first rank waits for a message of the late one before it comes to the agreement.
bool for_message = false;

std::string read_all(const std::string& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// What all ranks wrote to stderr while `late` stayed away from an agreement until `awaited` was
/// written (at most a minute), or for a moment where it is empty; the same on all ranks.
std::string texts_while_waiting(ParallelTest& t, int late, const std::string& awaited) {
  const std::string path = t.shared_path("stderr");
  const int saved = dup(STDERR_FILENO);
  const int to = open(path.c_str(), O_CREAT | O_WRONLY | O_APPEND, 0600);
  dup2(to, STDERR_FILENO);
  Status agreed;
  {
    Result<std::shared_ptr<Lobby>> lobby = Lobby::create(MPI_COMM_WORLD, "H5Pset_fapl_mpio");
    auto c = Coordinator::create(**lobby, {"H5Fcreate", "x.h5"});
    for (int i = 0; i < agreements_before; ++i)
      t.check((*c)->outcome({"H5Fopen", ""}, Status()), "an agreement before");
    if (within_nodes) t.check((*c)->meet_node().has_value(), "the ranks of a node meet");
    if (for_message) {
      // Who waited there for the first rank says nothing of what it does behind it.
      if (t.rank() == 0) usleep(900000);
      t.check((*c)->outcome({"H5Dopen2", ""}, Status()), "an agreement directly before");
    }
    if (t.rank() == late) {
      usleep(300000);
      for (int i = 0; i < 600 && read_all(path).find(awaited) == std::string::npos; ++i)
        usleep(100000);
    }
    std::uint64_t word = 0;
    if (within_nodes) t.check((*c)->node_sum(std::span(&word, 1)), "a sum of each node");
    if (for_message && t.rank() == late) MPI_Send(&word, 1, MPI_UINT64_T, 0, 1, MPI_COMM_WORLD);
    if (for_message && t.rank() == 0) {
      MPI_Request request = MPI_REQUEST_NULL;
      MPI_Irecv(&word, 1, MPI_UINT64_T, late, 1, MPI_COMM_WORLD, &request);
      t.check((*c)->wait_all(std::span(&request, 1), "a message"), "the message comes");
    }
    agreed = (*c)->outcome({"H5Dwrite", "/x"}, Status());
    // The watch of a second agreement starts anew, and tokens of the first are thrown away.
    if (agreed.ok()) agreed = (*c)->outcome({"H5Fflush", ""}, Status());
  }
  dup2(saved, STDERR_FILENO);
  close(to);
  close(saved);
  t.check(agreed, "the agreement succeeds in the end");
  MPI_Barrier(MPI_COMM_WORLD);
  std::string text = read_all(path);
  MPI_Barrier(MPI_COMM_WORLD);
  t.remove_shared(path);
  return text;
}

/// On a busy machine ranks reach the agreement at different times, so lines that miss more ranks may
/// come first; the one that misses just the late rank comes in the end.
void one_rank_is_late(ParallelTest& t, int late) {
  if (t.size() == 1) return;
  setenv("PCIO_HANG_SECONDS", "0.4", 1);
  const std::string awaited = "in H5Dwrite on /x; " + std::to_string(t.size() - 1) + " of " +
                              std::to_string(t.size()) +
                              " ranks wait, missing: " + std::to_string(late) + "\n";
  const std::string text = texts_while_waiting(t, late, awaited);
  t.check(text.find(awaited) != std::string::npos, "the missing rank is named: " + text);
}

/// Who has gone on with its own node is not missing where the late rank's node waits.
void one_rank_of_a_node_is_late(ParallelTest& t) {
  if (t.size() < 3) return;
  setenv("PCIO_HANG_SECONDS", "0.4", 1);
  setenv("PCIO_CHECK", "nodes:2", 1);
  within_nodes = true;
  const int waiting = (t.size() + 1) / 2 - 1;
  const std::string awaited =
      std::to_string(waiting) + " of " + std::to_string(t.size()) + " ranks wait, missing: 1\n";
  const std::string text = texts_while_waiting(t, 1, awaited);
  t.check(text.find(awaited) != std::string::npos, "of its node only: " + text);
  within_nodes = false;
  unsetenv("PCIO_CHECK");
}

/// Who waits for a message of the late rank, and who waits for both at the agreement, wait.
void one_message_is_late(ParallelTest& t, int late) {
  if (late == 0) return;
  setenv("PCIO_HANG_SECONDS", "0.4", 1);
  const std::string wait = "; " + std::to_string(t.size() - 1) + " of " + std::to_string(t.size()) +
                           " ranks wait, missing: " + std::to_string(late) +
                           (t.size() == 2 ? "\n" : "; rank ");  // others are in the next call
  for_message = true;
  const std::string text = texts_while_waiting(t, late, wait);
  t.check(text.find(wait) != std::string::npos, "the rank that sends is named: " + text);
  for_message = false;
}

void nothing_is_said_otherwise(ParallelTest& t) {
  setenv("PCIO_HANG_SECONDS", "0", 1);
  t.check(texts_while_waiting(t, 0, "").empty(), "the watch can be turned off");
  setenv("PCIO_HANG_SECONDS", "60", 1);
  t.check(texts_while_waiting(t, 0, "").empty(), "short waits are nobody's business");
}

}  // namespace
}  // namespace pcio

int main(int argc, char** argv) {
  pcio::test::ParallelTest t(argc, argv);
  for (const int before : {0, 16}) {
    pcio::agreements_before = before;
    pcio::one_rank_is_late(t, 0);
    pcio::one_rank_is_late(t, t.size() - 1);
    pcio::one_rank_is_late(t, t.size() / 2);
    pcio::one_message_is_late(t, t.size() - 1);
    pcio::one_message_is_late(t, t.size() / 2);
    pcio::nothing_is_said_otherwise(t);
  }
  // At the boards of two nodes: leaders, and ranks that wait for one.
  setenv("PCIO_CHECK", "nodes:2", 1);
  for (const int late : {0, t.size() - 1, t.size() / 2}) pcio::one_rank_is_late(t, late);
  unsetenv("PCIO_CHECK");
  pcio::one_rank_of_a_node_is_late(t);
  return t.finish();
}
