// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Ranks in different calls, and a rank that is missing: the others get to know which, and where.
// Room: testpar, public headers only.

#include <cctype>
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

/// Nine digits or more, behind "differs: ".
bool has_long_number(const std::string& text) {
  std::size_t at = text.find("differs: "), digits = 0;
  for (; at < text.size() && digits < 9; ++at)
    digits = std::isdigit(static_cast<unsigned char>(text[at])) != 0 ? digits + 1 : 0;
  return digits == 9;
}

/// All ranks can close the file, or none, and what was written before is there.
void end_of_cell(Victim& victim) {
  victim.data.close();
  const bool closed = victim.file.close() >= 0;
  judge(par::all(closed) || !closed, "the file closes on this rank alone");
  end_watch();
  check_file(victim.name, 1);
  remove_file(victim.name);
}

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
      {"H5Fflush", [](Victim& v, Attempt&) { return H5Fflush(v.file, H5F_SCOPE_GLOBAL) >= 0; }},
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
        const bool done =
            par::rank() == culprit ? other.call(victim, attempt) : attempt.move(victim.data, true);
        const std::string text = attempt.text.empty() ? par::error_text() : attempt.text;
        judge(!done, "the calls don't match, and this rank's succeeds");
        judge(text.find(other.name) != std::string::npos &&
                  text.find("H5Dwrite") != std::string::npos &&
                  text.find("rank ") != std::string::npos,
              "the error does not name calls and ranks: " + text);
        end_of_cell(victim);
      }
}

/// One rank gives a metadata call another argument: all get to know which argument of which call, and, at
/// the least, one rank that has it otherwise.
CASE(other_arguments) {
  if (par::size() == 1) return;
  struct Argument {
    const char* call;
    const char* name;
    std::function<void(Victim&, bool odd)> act;
  };
  const std::vector<Argument> arguments = {
      {"H5Gcreate2", "name differs",
       [](Victim& v, bool odd) {
         const Id made(
             H5Gcreate2(v.file, odd ? "g2" : "g1", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
       }},
      {"H5Dcreate2", "datatype",
       [](Victim& v, bool odd) {
         const Id space(H5Screate(H5S_SCALAR));
         const Id made(H5Dcreate2(v.file, "d", odd ? H5T_STD_I32LE : H5T_STD_I32BE, space,
                                  H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
       }},
      {"H5Dcreate2", "dataspace",
       [](Victim& v, bool odd) {
         const hsize_t most[2] = {odd ? 9U : 8U, 8};
         const hsize_t dims[2] = {4, 4}, chunk[2] = {4, 4};
         const Id space(H5Screate_simple(2, dims, most)), list(H5Pcreate(H5P_DATASET_CREATE));
         H5Pset_chunk(list, 2, chunk);
         const Id made(
             H5Dcreate2(v.file, "d", H5T_STD_I32LE, space, H5P_DEFAULT, list, H5P_DEFAULT));
       }},
      {"H5Dcreate2", "filter pipeline",
       [](Victim& v, bool odd) {
         const hsize_t dims[1] = {4};
         const Id space(H5Screate_simple(1, dims, nullptr)), list(H5Pcreate(H5P_DATASET_CREATE));
         H5Pset_chunk(list, 1, dims);
         if (!odd) H5Pset_deflate(list, 6);
         const Id made(
             H5Dcreate2(v.file, "d", H5T_STD_I32LE, space, H5P_DEFAULT, list, H5P_DEFAULT));
       }},
      {"H5Acreate2", "attribute's name",
       [](Victim& v, bool odd) {
         const Id space(H5Screate(H5S_SCALAR));
         const Id made(
             H5Acreate2(v.file, odd ? "b" : "a", H5T_STD_I32LE, space, H5P_DEFAULT, H5P_DEFAULT));
       }},
      {"H5Acreate2", "dataspace",
       [](Victim& v, bool odd) {
         const hsize_t size = odd ? 3 : 2;
         const Id space(H5Screate_simple(1, &size, nullptr));
         const Id made(H5Acreate2(v.file, "a", H5T_STD_I32LE, space, H5P_DEFAULT, H5P_DEFAULT));
       }},
      {"H5Tcommit2", "datatype",
       [](Victim& v, bool odd) {
         const Id type(H5Tcopy(odd ? H5T_STD_I16LE : H5T_STD_U16LE));
         H5Tcommit2(v.file, "t", type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
       }},
      {"H5Lcreate_soft", "target of the link",
       [](Victim& v, bool odd) {
         H5Lcreate_soft(odd ? "/x" : "/y", v.file, "l", H5P_DEFAULT, H5P_DEFAULT);
       }},
      {"H5Fset_libver_bounds", "low library version bound differs: ", [](Victim& v, bool odd) {
         H5Fset_libver_bounds(v.file, odd ? H5F_LIBVER_V18 : H5F_LIBVER_EARLIEST, H5F_LIBVER_V110);
       }}};
  for (const char* const check : {"", "calls"})
    for (const Argument& argument : arguments)
      for (const int culprit : culprits()) {
        begin_cell(std::string("rank ") + std::to_string(culprit) + " gives " + argument.call +
                   " another " + argument.name + " " + check);
        ++counts.struck;
        setenv("PCIO_CHECK", check, 1);
        Victim victim = make_victim(true, par::file_name("fault_argument"));
        unsetenv("PCIO_CHECK");
        MPI_Barrier(MPI_COMM_WORLD);
        begin_watch();
        argument.act(victim, par::rank() == culprit);
        // Something behind it that is equal again.
        const Id more(H5Gcreate2(victim.file, "more", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
        const bool flushed = H5Fflush(victim.file, H5F_SCOPE_GLOBAL) >= 0;
        const std::string text = par::error_text();
        judge(!flushed, "arguments that differ are taken");
        const std::string odd = "rank " + std::to_string(culprit == 0 ? 1 : culprit);
        judge(text.find(argument.call) != std::string::npos &&
                  text.find(argument.name) != std::string::npos &&
                  text.find("rank 0") != std::string::npos && text.find(odd) != std::string::npos,
              "the error does not name argument and ranks: " + text);
        judge(!has_long_number(text), "the error tells a hash as if it were a number: " + text);
        end_of_cell(victim);
      }
}

/// One rank comes late: the others say who is missing, and go on when it is there.
CASE(missing_call) {
  if (par::size() == 1) return;
  const std::string said =
      par::file_name("fault_missing") + ".stderr." + std::to_string(par::rank());
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

/// A file that lost step is closed by its last id, whichever openings and mounts it has, and can be made anew.
CASE(lost_files_of_several_ids) {
  if (par::size() == 1) return;
  enum Other { kReopened, kOpenedAgain, kMounted, kOthers };
  for (int other = 0; other < kOthers; ++other) {
    const std::string name = par::file_name("lost_ids"), parent = par::file_name("lost_parent");
    Id above, file = par::create_file(name), again;
    if (other == kReopened) again = Id(H5Freopen(file));
    if (other == kOpenedAgain) again = par::open_file(name, H5F_ACC_RDWR);
    if (other == kMounted) {
      above = par::create_file(parent);
      const Id point(H5Gcreate2(above, "m", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
      CHECK(H5Fmount(above, "m", file, H5P_DEFAULT) >= 0);
    }
    Id odd(H5Gcreate2(file, par::rank() == 0 ? "a" : "b", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    CHECK(odd.close() >= 0);
    const par::Silence silence;
    CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) < 0);
    if (other != kMounted) {
      CHECK(again.close() >= 0);
      CHECK(file.close() < 0);
    } else {
      CHECK(file.close() >= 0);
      // What was made is in the file above, which has lost step with it.
      CHECK(above.close() < 0);
    }
    CHECK(H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL) == 0);
    MPI_Barrier(MPI_COMM_WORLD);
    file = par::create_file(name);
    CHECK(file.valid());
    CHECK(file.close() >= 0);
  }
}
