// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// One rank fails, in every kind of call. Room: testpar, public headers only.
//
// In a call that communicates all ranks get an error at once. In a call that only changes metadata
// the failing rank gets one at once and all ranks at the next call that communicates, which names
// call and rank; nothing is committed after that, and what was committed before is intact. No rank
// waits: the launcher's time limit is the judge of that.

#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "transfer_cases.hpp"

#ifdef PCIO_VERSION

using par::Id;

namespace {

/// The rank that fails: not rank 0, where there is another.
int culprit() { return par::size() - 1; }
bool mine() { return par::rank() == culprit(); }

bool has(const std::string& text, const std::string& word) {
  return text.find(word) != std::string::npos;
}

/// Keeps the error stack of a call whose ids are closed before anybody asks: the next call of the
/// library, a close too, begins a new stack.
std::string last_error;
bool noted(bool succeeded) {
  last_error = par::error_text();
  return succeeded;
}

/// The call must have failed on every rank; returns this rank's error stack.
std::string failed_everywhere(bool succeeded) {
  const std::string now = par::error_text();
  const std::string text = now.empty() ? last_error : now;
  last_error.clear();
  CHECK(!succeeded);
  CHECK(!par::any(succeeded));
  return text;
}

/// A file with a contiguous and a chunked dataset, a group and an attribute, committed.
struct Victim {
  std::string name;
  Id file, contiguous, chunked, group;
};

const std::vector<hsize_t> kDims = {12, 10};

Victim make_victim(const std::string& word) {
  Victim victim;
  victim.name = par::file_name(word);
  const Id access(par::mpio_access());
  victim.file = Id(H5Fcreate(victim.name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
  par::Job job;
  job.dims = kDims;
  victim.contiguous = Id(par::create_data(victim.file, job));
  CHECK(H5Lmove(victim.file, "data", victim.file, "contiguous", H5P_DEFAULT, H5P_DEFAULT) >= 0);
  job.chunk = {5, 4};
  victim.chunked = Id(par::create_data(victim.file, job));
  victim.group = Id(H5Gcreate2(victim.file, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  const Id space(H5Screate(H5S_SCALAR));
  const Id attribute(
      H5Acreate2(victim.group, "number", H5T_STD_I32LE, space, H5P_DEFAULT, H5P_DEFAULT));
  const int number = 17;
  CHECK(attribute.valid() && H5Awrite(attribute, H5T_NATIVE_INT, &number) >= 0);
  const par::Transfer all{par::Pattern::kRows, H5FD_MPIO_COLLECTIVE, 1, false, par::rank()};
  CHECK(par::write_part(victim.contiguous, kDims, all));
  CHECK(par::write_part(victim.chunked, kDims, all));
  CHECK(H5Fflush(victim.file, H5F_SCOPE_GLOBAL) >= 0);
  return victim;
}

void close_victim(Victim& victim) {
  CHECK(victim.contiguous.close() >= 0 && victim.chunked.close() >= 0);
  CHECK(victim.group.close() >= 0 && victim.file.close() >= 0);
}

/// What one rank can get wrong in a transfer.
enum class Wrong { kSelection, kCounts, kType, kBuffer };
constexpr Wrong kWrongs[] = {Wrong::kSelection, Wrong::kCounts, Wrong::kType, Wrong::kBuffer};

/// A collective transfer of rows, with something wrong on the culprit.
bool bad_transfer(hid_t dataset, bool write, Wrong wrong) {
  const Id space(H5Dget_space(dataset)), list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  const std::vector<hsize_t> order =
      par::select(space, mine() ? par::Pattern::kOneRank : par::Pattern::kRows,
                  mine() ? 0 : par::rank(), kDims);
  hsize_t count = order.size();
  std::vector<double> values(order.size() + 2, 1.0);
  Id type(H5Tcopy(H5T_NATIVE_DOUBLE));
  void* buffer = values.data();
  if (mine()) {
    if (wrong == Wrong::kSelection) {
      const hssize_t beyond[2] = {7, 0};
      CHECK(H5Soffset_simple(space, beyond) >= 0);
    }
    if (wrong == Wrong::kCounts) ++count;
    if (wrong == Wrong::kType) {
      type = Id(H5Tcopy(H5T_C_S1));
      CHECK(H5Tset_size(type, 8) >= 0);
    }
    if (wrong == Wrong::kBuffer) buffer = nullptr;
  }
  const Id memory(H5Screate_simple(1, &count, nullptr));
  if (count == 0) CHECK(H5Sselect_none(memory) >= 0);
  return noted(write ? H5Dwrite(dataset, type, memory, space, list, buffer) >= 0
                     : H5Dread(dataset, type, memory, space, list, buffer) >= 0);
}

void check_transfers(bool write) {
  Victim victim = make_victim(write ? "fail_write" : "fail_read");
  for (const hid_t dataset :
       {static_cast<hid_t>(victim.contiguous), static_cast<hid_t>(victim.chunked)})
    for (const Wrong wrong : kWrongs) {
      const std::string text = failed_everywhere(bad_transfer(dataset, write, wrong));
      if (!mine()) CHECK(has(text, "rank " + std::to_string(culprit())));
      // The file is as good as before for everybody.
      const par::Transfer again{par::Pattern::kColumns, H5FD_MPIO_COLLECTIVE, 1, false,
                                par::rank()};
      CHECK(par::write_part(dataset, kDims, again));
      CHECK(par::read_part(dataset, kDims, again) == 0);
    }
  const std::string name = victim.name;
  close_victim(victim);
  par::check_serially(name, kDims, 1);
}

/// Rank 0 copies the file as it is on disk and looks at the copy, as a reader would after a crash.
void check_commit_intact(const std::string& name) {
  const std::string copy = par::file_name("fail_copy");
  MPI_Barrier(MPI_COMM_WORLD);
  if (par::rank() == 0) {
    std::FILE *from = std::fopen(name.c_str(), "rb"), *to = std::fopen(copy.c_str(), "wb");
    std::vector<char> bytes(1 << 20);
    CHECK(from != nullptr && to != nullptr);
    for (std::size_t n; (n = std::fread(bytes.data(), 1, bytes.size(), from)) > 0;)
      CHECK(std::fwrite(bytes.data(), 1, n, to) == n);
    std::fclose(from);
    std::fclose(to);
    const Id file(H5Fopen(copy.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
    CHECK(file.valid());
    H5G_info_t info;
    CHECK(H5Gget_info(file, &info) >= 0 && info.nlinks == 3);
    int number = 0;
    const Id attribute(H5Aopen_by_name(file, "group", "number", H5P_DEFAULT, H5P_DEFAULT));
    CHECK(H5Aread(attribute, H5T_NATIVE_INT, &number) >= 0 && number == 17);
    for (const char* const set_name : {"contiguous", "data"}) {
      std::vector<double> values(120);
      const Id set(H5Dopen2(file, set_name, H5P_DEFAULT));
      CHECK(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0);
      int wrong = 0;
      for (std::size_t i = 0; i < values.size(); ++i) wrong += values[i] != par::value_of(i, 1);
      CHECK(wrong == 0);
    }
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

/// One call that changes metadata: good on all ranks but the culprit.
struct MetadataCall {
  const char* function;
  std::function<bool(Victim&, bool bad)> call;
};

bool good(hid_t id) { return Id(id).valid(); }
bool good_status(herr_t status) { return status >= 0; }

bool call_create_dataset(Victim& victim, bool bad, bool bad_type) {
  const Id space(H5Screate(H5S_SCALAR));
  return good(H5Dcreate2(victim.file, "new", bad && bad_type ? H5P_DEFAULT : H5T_STD_I32LE,
                         bad && !bad_type ? H5T_STD_I32LE : static_cast<hid_t>(space), H5P_DEFAULT,
                         H5P_DEFAULT, H5P_DEFAULT));
}

bool call_create_attribute(Victim& victim, bool bad) {
  const Id space(H5Screate(H5S_SCALAR));
  return good(H5Acreate2(victim.group, bad ? "number" : "other", H5T_STD_I32LE, space, H5P_DEFAULT,
                         H5P_DEFAULT));
}

bool call_set_extent(Victim& victim, bool bad) {
  const hsize_t dims[2] = {20, bad ? kDims[1] + 5 : kDims[1]};
  return good_status(H5Dset_extent(victim.chunked, dims));
}

bool call_commit(Victim& victim, bool bad) {
  const Id type(H5Tcopy(H5T_STD_I16LE));
  return good_status(
      H5Tcommit2(victim.file, bad ? "group" : "type", type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
}

std::vector<MetadataCall> metadata_calls() {
  return {
      {"H5Dcreate2", [](Victim& v, bool bad) { return call_create_dataset(v, bad, true); }},
      {"H5Dcreate2", [](Victim& v, bool bad) { return call_create_dataset(v, bad, false); }},
      {"H5Gcreate2",
       [](Victim& v, bool bad) {
         return good(
             H5Gcreate2(v.file, bad ? "data" : "new", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
       }},
      {"H5Acreate2", call_create_attribute},
      {"H5Adelete",
       [](Victim& v, bool bad) {
         return good_status(H5Adelete(v.group, bad ? "no such" : "number"));
       }},
      {"H5Dset_extent", call_set_extent},
      {"H5Ldelete",
       [](Victim& v, bool bad) {
         return good_status(H5Ldelete(v.file, bad ? "no such" : "group", H5P_DEFAULT));
       }},
      {"H5Lcreate_hard",
       [](Victim& v, bool bad) {
         return good_status(H5Lcreate_hard(v.file, bad ? "no such" : "data", v.group, "link",
                                           H5P_DEFAULT, H5P_DEFAULT));
       }},
      {"H5Lcreate_soft",
       [](Victim& v, bool bad) {
         return good_status(
             H5Lcreate_soft("/somewhere", v.file, bad ? "data" : "link", H5P_DEFAULT, H5P_DEFAULT));
       }},
      {"H5Lmove",
       [](Victim& v, bool bad) {
         return good_status(
             H5Lmove(v.file, bad ? "no such" : "data", v.group, "moved", H5P_DEFAULT, H5P_DEFAULT));
       }},
      {"H5Tcommit2", call_commit},
  };
}

}  // namespace

CASE(write_on_one_rank) { check_transfers(true); }

CASE(read_on_one_rank) { check_transfers(false); }

CASE(create_on_one_rank) {
  const Id access(par::mpio_access());
  const std::string name = par::file_name("fail_create");
  const std::string bad = "/no/such/folder/" + std::to_string(par::size()) + ".h5";
  const Id file(H5Fcreate(mine() ? bad.c_str() : name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
  failed_everywhere(file.valid());
  // A list that asks for what cannot be had, on one rank.
  const Id creation(H5Pcreate(H5P_FILE_CREATE));
  const Id second(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, mine() ? access : creation, access));
  failed_everywhere(second.valid());
  // All that failed is forgotten: now it works.
  const Id third(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
  CHECK(third.valid());
}

CASE(open_of_what_cannot_be_read) {
  const Id access(par::mpio_access());
  const std::string name = par::file_name("fail_open"), broken = par::file_name("fail_broken");
  {
    Victim victim = make_victim("fail_open_victim");
    const std::string good_name = victim.name;
    close_victim(victim);
    const std::string missing = good_name + ".missing";
    const Id file(H5Fopen(mine() ? missing.c_str() : good_name.c_str(), H5F_ACC_RDONLY, access));
    failed_everywhere(file.valid());
    const Id again(H5Fopen(good_name.c_str(), H5F_ACC_RDONLY, access));
    CHECK(again.valid());
  }
  const Id absent(H5Fopen(name.c_str(), H5F_ACC_RDONLY, access));
  failed_everywhere(absent.valid());
  if (par::rank() == 0) {
    std::FILE* const stream = std::fopen(broken.c_str(), "wb");
    CHECK(stream != nullptr && std::fputs("not an HDF5 file", stream) >= 0);
    std::fclose(stream);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  const Id garbage(H5Fopen(broken.c_str(), H5F_ACC_RDONLY, access));
  // Rank 0 reads for all: the others tell the same kind of failure.
  hid_t found = H5I_INVALID_HID;
  const auto look = [](unsigned, const H5E_error2_t* entry, void* out) -> herr_t {
    if (entry->min_num == H5E_NOTHDF5) *static_cast<hid_t*>(out) = entry->min_num;
    return 0;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, look, &found);
  CHECK(found == H5E_NOTHDF5);
  failed_everywhere(garbage.valid());
}

CASE(flush_on_one_rank) {
  Victim victim = make_victim("fail_flush");
  const auto scope = static_cast<H5F_scope_t>(mine() ? 77 : H5F_SCOPE_GLOBAL);
  failed_everywhere(H5Fflush(victim.file, scope) >= 0);
  CHECK(H5Fflush(victim.file, H5F_SCOPE_GLOBAL) >= 0);
  close_victim(victim);
}

CASE(close_with_an_object_open_on_one_rank) {
  Victim victim = make_victim("fail_close");
  const hid_t file = victim.file;
  CHECK(victim.contiguous.close() >= 0 && victim.group.close() >= 0);
  if (!mine()) CHECK(victim.chunked.close() >= 0);
  const std::string text = failed_everywhere(H5Fclose(file) >= 0);
  if (!mine()) CHECK(has(text, "rank " + std::to_string(culprit())));
  CHECK(victim.chunked.close() >= 0);
  CHECK(victim.file.close() >= 0);
  par::check_serially(victim.name, kDims, 1);
}

CASE(metadata_call_on_one_rank) {
  if (par::size() == 1) return;  // alone, a failure diverges from nobody
  for (const MetadataCall& test : metadata_calls()) {
    Victim victim = make_victim(std::string("fail_") + test.function);
    // The failing rank gets its error there and then; the others notice nothing yet.
    const bool succeeded = test.call(victim, mine());
    CHECK(succeeded == !mine());
    H5Eclear2(H5E_DEFAULT);
    const std::string text = failed_everywhere(H5Fflush(victim.file, H5F_SCOPE_GLOBAL) >= 0);
    CHECK(has(text, test.function));
    CHECK(has(text, "rank " + std::to_string(culprit())));
    // And so does every later call that communicates.
    const par::Transfer transfer{par::Pattern::kRows, H5FD_MPIO_COLLECTIVE, 5, false, par::rank()};
    failed_everywhere(par::write_part(victim.contiguous, kDims, transfer));
    victim.contiguous.close();
    victim.chunked.close();
    victim.group.close();
    const bool closed = victim.file.close() >= 0;
    CHECK(par::all(closed) || !par::any(closed));
    H5Eclear2(H5E_DEFAULT);
    check_commit_intact(victim.name);
  }
}

/// Calls that fill new space together meet before anything changes: a wrong argument on one rank is an
/// error on all, which names the rank, and the same call with right ones succeeds.
CASE(filling_calls_on_one_rank) {
  Victim victim = make_victim("fail_filling");
  const hsize_t now = 10, most = H5S_UNLIMITED, piece = 4, larger = 100;
  const double fill = 5;
  const Id list(H5Pcreate(H5P_DATASET_CREATE)), space(H5Screate_simple(1, &now, &most));
  H5Pset_chunk(list, 1, &piece);
  H5Pset_fill_value(list, H5T_NATIVE_DOUBLE, &fill);
  const hid_t right[] = {H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT};
  for (int wrong = 0; wrong < 5; ++wrong) {
    hid_t given[] = {right[0], right[1], right[2], right[3]};
    if (mine() && wrong < 4) given[wrong] = victim.group;
    const char* const name = mine() && wrong == 4 ? nullptr : "filled";
    const Id set(H5Dcreate2(victim.file, name, given[0], given[1], given[2], list, given[3]));
    const std::string text = failed_everywhere(set.valid());
    if (!mine()) CHECK(has(text, "rank " + std::to_string(culprit())) && has(text, "H5Dcreate2"));
    CHECK(H5Lexists(victim.file, "filled", H5P_DEFAULT) == 0);
  }
  const Id set(
      H5Dcreate2(victim.file, "filled", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT));
  CHECK(set.valid());
  const std::string text = failed_everywhere(H5Dset_extent(set, mine() ? nullptr : &larger) >= 0);
  if (!mine()) CHECK(has(text, "rank " + std::to_string(culprit())) && has(text, "H5Dset_extent"));
  CHECK(H5Dset_extent(set, &larger) >= 0 && H5Fflush(victim.file, H5F_SCOPE_GLOBAL) >= 0);
  std::vector<int> values(larger, 0);
  CHECK(H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0);
  CHECK(values == std::vector<int>(larger, 5));
  CHECK(const_cast<Id&>(set).close() >= 0);
  close_victim(victim);
}

/// Ranks that make different calls of the same kind: caught at the next communicating call.
CASE(different_arguments) {
  if (par::size() == 1) return;
  Victim victim = make_victim("fail_different");
  const Id group(
      H5Gcreate2(victim.file, mine() ? "ours" : "theirs", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  CHECK(group.valid());
  const std::string text = failed_everywhere(H5Fflush(victim.file, H5F_SCOPE_GLOBAL) >= 0);
  CHECK(has(text, "H5Gcreate2") && has(text, "rank "));
  check_commit_intact(victim.name);
}

/// A call left out by one rank is caught too.
CASE(a_call_left_out) {
  if (par::size() == 1) return;
  Victim victim = make_victim("fail_left_out");
  if (!mine()) CHECK(good(H5Gcreate2(victim.file, "new", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)));
  failed_everywhere(H5Fflush(victim.file, H5F_SCOPE_GLOBAL) >= 0);
  check_commit_intact(victim.name);
}

/// Local calls may fail on one rank without consequences for the file.
CASE(local_calls_on_one_rank) {
  Victim victim = make_victim("fail_local");
  if (mine()) {
    CHECK(H5Dopen2(victim.file, "no such", H5P_DEFAULT) < 0);
    CHECK(H5Aopen(victim.group, "no such", H5P_DEFAULT) < 0);
    CHECK(H5Gopen2(victim.file, "data", H5P_DEFAULT) < 0);
    H5Eclear2(H5E_DEFAULT);
  }
  CHECK(H5Fflush(victim.file, H5F_SCOPE_GLOBAL) >= 0);
  close_victim(victim);
}

#endif
