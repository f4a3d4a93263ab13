// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Ranks in different calls, and a rank that is missing: the others get to know which, and where.
// Room: testpar, public headers only.

#include <cstdio>
#include <cstdlib>
#include <unistd.h>

#include <mpi.h>

#include "faults/cells.hpp"

using namespace faults;

namespace {

struct OtherCall {
  const char* name;  // as the error must have it
  std::function<bool(Victim&, Attempt&)> call;
};

}  // namespace

/// One rank is in another call: all get an error that names both calls and a rank.
CASE(mismatched_calls) {
  if (par::size() == 1) return;
  const std::vector<OtherCall> others = {
      {"H5Dread", [](Victim& v, Attempt& a) { return a.move(v.data, false); }},
      {"/before",
       [](Victim& v, Attempt& a) {
         const Id before(H5Dopen2(v.file, "before", H5P_DEFAULT));
         const bool done = a.move(before, true);
         a.text = par::error_text();
         return done;
       }},
      {"H5Fflush",
       [](Victim& v, Attempt&) { return H5Fflush(v.file, H5F_SCOPE_GLOBAL) >= 0; }},
      {"H5Dwrite_chunk",
       [](Victim& v, Attempt& a) {
         const Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
         const hsize_t corner[2] = {0, 0};
         const double one = 1;
         const bool done = H5Dwrite_chunk(v.data, list, 0, corner, sizeof one, &one) >= 0;
         a.text = par::error_text();
         return done;
       }},
      {"H5Dcreate2", [](Victim& v, Attempt& a) {
         const Id set = create_set(v.file, "more", false);
         const bool done = a.move(v.data, true);
         a.text = par::error_text();
         return done;
       }}};
  for (const Way& way : kWays)
    for (const OtherCall& other : others)
      for (const int culprit : culprits()) {
        begin_cell(std::string("write of ") + way.name + ", rank " + std::to_string(culprit) +
                   " is in " + other.name);
        ++counts.struck;
        Victim victim = make_victim(way.chunked, par::file_name("fault_match"));
        Attempt attempt(victim.data, list_for(way, PCIO_TRANSPORT_NONE), 2, Wrong::kNothing);
        MPI_Barrier(MPI_COMM_WORLD);
        begin_watch();
        const bool done = par::rank() == culprit ? other.call(victim, attempt)
                                                 : attempt.move(victim.data, true);
        const std::string text = attempt.text.empty() ? par::error_text() : attempt.text;
        judge(!done, "the calls don't match, and this rank's succeeds");
        judge(text.find(other.name) != std::string::npos &&
                  text.find("H5Dwrite") != std::string::npos &&
                  text.find("rank ") != std::string::npos,
              "the error does not name calls and ranks: " + text);
        victim.data.close();
        const bool closed = victim.file.close() >= 0;
        judge(par::all(closed) || !closed, "the file closes on this rank alone");
        end_watch();
        check_file(victim.name, 1);
        remove_file(victim.name);
      }
}

/// One rank comes late: the others say who is missing, and go on when it is there.
CASE(missing_call) {
  if (par::size() == 1) return;
  const std::string said = par::file_name("fault_missing") + ".stderr." + std::to_string(par::rank());
  for (const int culprit : culprits()) {
    begin_cell("rank " + std::to_string(culprit) + " is missing in a write");
    ++counts.struck;
    setenv("PCIO_HANG_SECONDS", "1", 1);
    Victim victim = make_victim(true, par::file_name("fault_missing"));
    Attempt attempt(victim.data, list_for(kWays[2], PCIO_TRANSPORT_NONE), 2, Wrong::kNothing);
    const int stderr_copy = dup(STDERR_FILENO);
    std::FILE* const words = std::fopen(said.c_str(), "w+");
    dup2(fileno(words), STDERR_FILENO);
    MPI_Barrier(MPI_COMM_WORLD);
    begin_watch();
    if (par::rank() == culprit) usleep(3'500'000);
    const bool done = attempt.move(victim.data, true);
    end_watch();
    std::fflush(stderr);
    dup2(stderr_copy, STDERR_FILENO);
    ::close(stderr_copy);
    std::string text(8192, '\0');
    std::rewind(words);
    text.resize(std::fread(text.data(), 1, text.size(), words));
    std::fclose(words);
    std::remove(said.c_str());
    unsetenv("PCIO_HANG_SECONDS");
    judge(done, "the late call fails");
    const bool named = text.find("H5Dwrite") != std::string::npos &&
                       text.find("missing: " + std::to_string(culprit)) != std::string::npos;
    judge(par::any(named), "nobody says which rank is missing in which call");
    close_victim(victim, 2);
  }
}
