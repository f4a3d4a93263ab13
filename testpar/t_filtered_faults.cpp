// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Failures while chunks with filters get their places: memory that one rank lacks at any moment,
// and writes that fail, of collective transfers, of chunks that are written directly and of such
// that waited. Room: testpar, public headers only, and faults/ for failures on demand.
//
// Afterwards every chunk is whole: what it was, what was written, or the fill value. Bytes that
// nobody wrote are no stream of a filter, so to read all of them is the proof.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <vector>

#include <mpi.h>

#include "faults/cells.hpp"

using namespace faults;

namespace {

constexpr hsize_t kChunk = 96;  // elements
constexpr hsize_t kEach = 3;    // chunks of a rank
using Ints = std::vector<int>;

hsize_t ranks() { return static_cast<hsize_t>(par::size()); }
hsize_t elements() { return ranks() * kEach * kChunk; }

/// A file with the dataset "data", each chunk of it of one value, and "before", which nobody
/// touches.
struct Chunks {
  std::string name;
  Id file, data;
  std::string text;  ///< of the error of the last move()

  explicit Chunks(const char* word, int value = 1) : name(par::file_name(word)) {
    const Id access(par::mpio_access());
    file = Id(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
    for (const char* const set : {"before", "data"}) {
      const hsize_t size = elements(), chunk = kChunk;
      const Id space(H5Screate_simple(1, &size, nullptr)), list(H5Pcreate(H5P_DATASET_CREATE));
      CHECK(H5Pset_chunk(list, 1, &chunk) >= 0 && H5Pset_shuffle(list) >= 0 &&
            H5Pset_deflate(list, 6) >= 0 && H5Pset_fletcher32(list) >= 0);
      data = Id(H5Dcreate2(file, set, H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT));
      CHECK(move(true, value, H5FD_MPIO_COLLECTIVE));
    }
    CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  }

  /// This rank's chunks, which follow each other, or every other element of all chunks of two
  /// ranks.
  bool move(bool write, int value, H5FD_mpio_xfer_t mode) {
    const Id space(H5Dget_space(data)), list(par::transfer_list(mode));
    const hsize_t count = kEach * kChunk, start = static_cast<hsize_t>(par::rank()) * count;
    H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &count, nullptr);
    const Id memory(H5Screate_simple(1, &count, nullptr));
    Ints values(count, value);
    const herr_t done = write ? H5Dwrite(data, H5T_NATIVE_INT, memory, space, list, values.data())
                              : H5Dread(data, H5T_NATIVE_INT, memory, space, list, values.data());
    text = done < 0 ? par::error_text() : "";
    return done >= 0;
  }
  /// Elements of every chunk are everybody's.
  bool share(int value) {
    const Id space(H5Dget_space(data)), list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
    const hsize_t start = static_cast<hsize_t>(par::rank()), step = ranks(),
                  count = elements() / ranks();
    H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, &step, &count, nullptr);
    const Id memory(H5Screate_simple(1, &count, nullptr));
    const Ints values(count, value);
    return H5Dwrite(data, H5T_NATIVE_INT, memory, space, list, values.data()) >= 0;
  }
  /// This rank's first chunk, all filters skipped.
  bool write_directly(int value, H5FD_mpio_xfer_t mode) {
    const Id list(par::transfer_list(mode));
    const hsize_t at = static_cast<hsize_t>(par::rank()) * kEach * kChunk;
    const Ints values(kChunk, value);
    return H5Dwrite_chunk(data, list, 7, &at, kChunk * sizeof(int), values.data()) >= 0;
  }
};

/// Every chunk of a dataset has one value, one of `allowed`. Collective where `mode` is.
bool chunks_hold(hid_t data, const std::vector<int>& allowed, H5FD_mpio_xfer_t mode) {
  const Id list(mode == H5FD_MPIO_COLLECTIVE ? Id(par::transfer_list(mode))
                                             : Id(H5Pcreate(H5P_DATASET_XFER)));
  Ints values(elements(), -1);
  if (H5Dread(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, list, values.data()) < 0) return false;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const int value = values[i / kChunk * kChunk];
    if (values[i] != value || std::find(allowed.begin(), allowed.end(), value) == allowed.end())
      return false;
  }
  return true;
}

/// In the file that is open.
bool hold_now(const Chunks& chunks, const std::vector<int>& allowed) {
  const Id before(H5Dopen2(chunks.file, "before", H5P_DEFAULT));
  const bool good = chunks_hold(before, {1}, H5FD_MPIO_COLLECTIVE);
  return chunks_hold(chunks.data, allowed, H5FD_MPIO_COLLECTIVE) && good;
}

/// By one process alone.
bool hold_in_file(const std::string& name, const std::vector<int>& allowed) {
  bool good = true;
  if (par::rank() == 0) {
    const Id file(H5Fopen(name.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
    const Id before(H5Dopen2(file, "before", H5P_DEFAULT)),
        data(H5Dopen2(file, "data", H5P_DEFAULT));
    good = chunks_hold(before, {1}, H5FD_MPIO_INDEPENDENT) &&
           chunks_hold(data, allowed, H5FD_MPIO_INDEPENDENT);
  }
  return par::all(good);
}

/// Closes, whatever that gives, and judges what is there.
void close_and_judge(Chunks& chunks, const std::vector<int>& allowed) {
  const bool closed = chunks.data.close() >= 0 && chunks.file.close() >= 0;
  judge(par::all(closed) || !closed, "the file closes on some ranks only");
  judge(hold_in_file(chunks.name, allowed), "a chunk is neither old nor new");
  remove_file(chunks.name);
}

}  // namespace

/// A rank lacks memory at any moment of a write: all of them fail, none waits for it, the ranks'
/// maps of the file do not differ, or the file is given up on all of them.
CASE(memory_for_places_of_one_rank) {
  const par::Silence quiet;
  long given_up = 0;
  for (const bool shared : {false, true})
    for (const int culprit : culprits()) {
      std::uint64_t at = 0;
      for (bool struck = true; struck && at < 20000; at += 1 + at / (whole_matrix() ? 60 : 3)) {
        Chunks chunks("chunk_memory");
        struck = strike(
            {shared ? "shared chunks, memory" : "own chunks, memory", Fault::kNoPlacingMemory, at,
             culprit, chunks.name},
            [&] { return shared ? chunks.share(2) : chunks.move(true, 2, H5FD_MPIO_COLLECTIVE); });
        // Either all go on from the same place, or none can.
        const bool again = shared ? chunks.share(3) : chunks.move(true, 3, H5FD_MPIO_COLLECTIVE);
        judge(again == par::any(again), "the next write succeeds on some ranks only");
        if (!again) ++given_up;
        close_and_judge(chunks, again ? std::vector<int>{3} : std::vector<int>{1, 2});
      }
    }
  if (par::rank() == 0) std::printf("files given up for want of memory: %ld\n", given_up);
}

/// Chunks of the last commit are what they were; others are whole or gone.
void fail_writes_of_chunks() {
  struct Step {
    const char* name;
    std::function<bool(Chunks&, int)> run;
  };
  const std::vector<Step> steps = {
      {"own chunks", [](Chunks& c, int v) { return c.move(true, v, H5FD_MPIO_COLLECTIVE); }},
      {"shared chunks", [](Chunks& c, int v) { return c.share(v); }},
      {"direct chunks",
       [](Chunks& c, int v) { return c.write_directly(v, H5FD_MPIO_COLLECTIVE); }}};
  const long before = counts.struck;
  for (const Step& step : steps)
    for (const Fault fault : {Fault::kWriteError, Fault::kShortWrite})
      for (const int culprit : culprits())
        for (const bool rewritten : {false, true}) {
          Chunks chunks("chunk_write");
          // A second write before the next commit gets the place of the first.
          if (rewritten) CHECK(step.run(chunks, 2));
          const std::string name =
              std::string(step.name) + (rewritten ? " again, write" : ", write");
          // Not where another rank writes what the culprit has: both have bytes of a stripe.
          const bool struck =
              strike({name, fault, 0, culprit, chunks.name}, [&] { return step.run(chunks, 3); });
          std::vector<int> allowed = {1};
          // Direct chunks are one of three.
          if (rewritten)
            allowed = step.name[0] == 'd' ? std::vector<int>{1, 2} : std::vector<int>{2};
          judge(H5Fflush(chunks.file, H5F_SCOPE_GLOBAL) >= 0, "the file can't be flushed");
          if (!struck) allowed = step.name[0] == 'd' ? std::vector<int>{1, 3} : std::vector<int>{3};
          judge(hold_now(chunks, allowed), "a chunk is not what it was");
          judge(step.run(chunks, 4), "the next write fails");
          allowed = {4};
          // Direct chunks are one of three.
          if (step.name[0] == 'd') allowed = {1, 4};
          close_and_judge(chunks, allowed);
        }
  CHECK(counts.struck > before);
}

CASE(failed_writes_of_chunks) {
  const par::Silence quiet;
  fail_writes_of_chunks();
}

/// Who fails may write what another node has encoded.
CASE(failed_writes_of_stripes) {
  const par::Silence quiet;
  const char* const set = std::getenv("PCIO_CHECK");
  const std::string before = set != nullptr ? set : "";
  setenv("PCIO_CHECK", "nodes:2 stripe:4096", 1);
  fail_writes_of_chunks();
  setenv("PCIO_CHECK", before.c_str(), 1);
}

/// One rank writes another dataset than the others, where nodes share stripes: all get to know it, and no letter of one dataset
/// comes to the other.
CASE(another_dataset_where_stripes_are_shared) {
  if (par::size() == 1) return;
  const par::Silence quiet;
  const char* const set = std::getenv("PCIO_CHECK");
  const std::string before = set != nullptr ? set : "";
  setenv("PCIO_CHECK", "nodes:2 stripe:4096", 1);
  for (const int culprit : culprits()) {
    begin_cell("rank " + std::to_string(culprit) + " writes another dataset");
    ++counts.struck;
    Chunks chunks("chunk_other");
    if (par::rank() == culprit) chunks.data = Id(H5Dopen2(chunks.file, "before", H5P_DEFAULT));
    MPI_Barrier(MPI_COMM_WORLD);
    begin_watch();
    const bool done = chunks.move(true, 2, H5FD_MPIO_COLLECTIVE);
    judge(!done, "the calls don't match, and this rank's succeeds");
    judge(chunks.text.find("/before") != std::string::npos &&
              chunks.text.find("/data") != std::string::npos,
          "the error does not name both datasets: " + chunks.text);
    end_watch();
    close_and_judge(chunks, {1});
  }
  setenv("PCIO_CHECK", before.c_str(), 1);
}

/// What waited waits on where the others can't write it.
CASE(failed_writes_of_waiting_chunks) {
  const par::Silence quiet;
  const long before = counts.struck;
  for (const bool direct : {false, true})
    for (const Fault fault : {Fault::kWriteError, Fault::kShortWrite, Fault::kNoMemory})
      for (const int culprit : culprits()) {
        Chunks chunks("chunk_waiting");
        CHECK(direct ? chunks.write_directly(2, H5FD_MPIO_INDEPENDENT)
                     : chunks.move(true, 2, H5FD_MPIO_INDEPENDENT));
        strike(
            {direct ? "waiting direct chunks" : "waiting chunks", fault, 0, culprit, chunks.name},
            [&] { return H5Fflush(chunks.file, H5F_SCOPE_GLOBAL) >= 0; });
        // A collective read writes them as well.
        judge(hold_now(chunks, direct ? std::vector<int>{1, 2} : std::vector<int>{2}),
              "chunks that waited are lost");
        judge(H5Fflush(chunks.file, H5F_SCOPE_GLOBAL) >= 0, "the next flush fails");
        close_and_judge(chunks, direct ? std::vector<int>{1, 2} : std::vector<int>{2});
      }
  CHECK(counts.struck > before);
}

/// A sync that fails on one rank, whichever of a flush: all ranks learn it.
CASE(failed_syncs) {
  const par::Silence quiet;
  bool any_struck = false;
  std::vector<int> ranks = culprits();
  if (ranks.front() != 0) ranks.insert(ranks.begin(), 0);
  for (const int culprit : ranks) {
    std::uint64_t at = 0;
    for (bool struck = true; struck && at < 20; ++at) {
      Chunks chunks("chunk_sync");
      CHECK(chunks.move(true, 2, H5FD_MPIO_COLLECTIVE));
      struck = strike({"flush, sync", Fault::kSyncError, at, culprit, chunks.name},
                      [&] { return H5Fflush(chunks.file, H5F_SCOPE_GLOBAL) >= 0; });
      any_struck = any_struck || struck;
      judge(H5Fflush(chunks.file, H5F_SCOPE_GLOBAL) >= 0, "the next flush fails");
      close_and_judge(chunks, {2});
    }
  }
  // One rank of each node makes one.
  CHECK(any_struck);
}

namespace {

std::vector<char> bytes_of(const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Attribute "a" of a file of these bytes; -1 where it can't be opened.
int value_in(const std::vector<char>& bytes, const std::string& name) {
  std::ofstream(name, std::ios::binary)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  int value = -1;
  {
    const Id file(H5Fopen(name.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT)),
        attribute(file.valid() ? H5Aopen(file, "a", H5P_DEFAULT) : hid_t(-1));
    if (attribute.valid()) H5Aread(attribute, H5T_NATIVE_INT, &value);
  }
  std::remove(name.c_str());
  return value;
}

/// What of a commit came last has not come to the storage: the superblock of version 0 has its window bit once more.
int value_where_writes_were_lost(std::vector<char> bytes, const std::string& name) {
  constexpr std::size_t kHighestByteOfEnd = 47;
  bytes[kHighestByteOfEnd] = static_cast<char>(bytes[kHighestByteOfEnd] | 0x40);
  return value_in(bytes, name);
}

}  // namespace

/// The flush behind a commit has failed, and nobody knows what of it the storage has: a close leaves its journal.
CASE(a_journal_stays_until_syncs_have_told) {
  const par::Silence quiet;
  std::vector<int> ranks = culprits();
  if (ranks.front() != 0) ranks.insert(ranks.begin(), 0);
  long committed = 0;
  for (const pcio_durability_t level : {PCIO_DURABILITY_NONE, PCIO_DURABILITY_CHECKED})
    for (const int culprit : ranks) {
      bool struck = true;
      for (std::uint64_t at = 0; struck && at < 8; ++at) {
        const std::string name = par::file_name("journal_stays"), copy = name + ".copy";
        const Id access(par::mpio_access()), scalar(H5Screate(H5S_SCALAR));
        CHECK(pcio_set_fapl_durability(access, level) >= 0);
        Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
        Id value(H5Acreate2(file, "a", H5T_STD_I32LE, scalar, H5P_DEFAULT, H5P_DEFAULT));
        for (const int next : {1, 2}) {
          CHECK(H5Awrite(value, H5T_NATIVE_INT, &next) >= 0);
          if (next == 1) CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
        }
        struck = strike({"flush of an attribute, sync", Fault::kSyncError, at, culprit, name},
                        [&] { return H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0; });
        const bool is_there = par::rank() == 0 && struck && value_in(bytes_of(name), copy) == 2;
        committed += is_there ? 1 : 0;
        value.close();
        file.close();
        judge(!is_there || value_where_writes_were_lost(bytes_of(name), copy) == 2,
              "the close has cut the journal");
        remove_file(name);
      }
    }
  CHECK(par::rank() != 0 || committed > 0);
}

/// A rank lacks memory at any moment of a commit that releases and plans: all ranks fail, or none,
/// and the last commit is there.
CASE(memory_of_a_commit) {
  const par::Silence quiet;
  long given_up = 0;
  for (const int culprit : culprits()) {
    std::uint64_t at = 0;
    for (bool struck = true; struck && at < 20000; at += 1 + at / (whole_matrix() ? 60 : 4)) {
      Chunks chunks("commit_memory");
      auto fill_group = [&](const char* name) {
        const Id group(H5Gcreate2(chunks.file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
        for (const char* const set : {"x", "y", "z"}) create_set(group, set, true);
      };
      fill_group("gone");
      CHECK(H5Fflush(chunks.file, H5F_SCOPE_GLOBAL) >= 0);
      CHECK(H5Ldelete(chunks.file, "gone", H5P_DEFAULT) >= 0);
      fill_group("new");
      struck = strike({"commit, memory", Fault::kNoBlock, at, culprit, chunks.name},
                      [&] { return H5Fflush(chunks.file, H5F_SCOPE_GLOBAL) >= 0; });
      const bool again = H5Fflush(chunks.file, H5F_SCOPE_GLOBAL) >= 0;
      judge(again == par::any(again), "the next flush succeeds on some ranks only");
      if (!again) ++given_up;
      close_and_judge(chunks, {1});
    }
    CHECK(at > 20);
  }
  if (par::rank() == 0) std::printf("files given up for want of memory: %ld\n", given_up);
}

namespace {

/// `chunks` chunks without filters that begin with 7.
Id create_chunks(hid_t file, const char* name, hsize_t chunks, hid_t access = H5P_DEFAULT) {
  return create_filled(file, name, {chunks * kChunk, kChunk, access});
}

/// The dataset has so many chunks: `written` of the value 1, the others of the fill value.
bool is_filled(hid_t data, hsize_t chunks, hsize_t written) {
  const Id space(H5Dget_space(data));
  hsize_t size = 0;
  H5Sget_simple_extent_dims(space, &size, nullptr);
  if (size != chunks * kChunk) return false;
  Ints values(size, -1);
  if (H5Dread(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0) return false;
  for (std::size_t i = 0; i < size; ++i)
    if (values[i] != (i < written * kChunk ? 1 : 7)) return false;
  return true;
}

}  // namespace

/// Chunks that are allocated late, and filled by all ranks before any of them writes into them:
/// where that fails nobody has a chunk more.
CASE(failed_late_fills) {
  const par::Silence quiet;
  const long before = counts.struck;
  for (const Fault fault : {Fault::kWriteError, Fault::kShortWrite})
    // On several nodes any rank may write it.
    for (const int culprit : {par::size()}) {
      const std::string name = par::file_name("chunk_late");
      const hsize_t chunks = 3 * ranks();
      {
        const Id access(par::mpio_access()), late(H5Pcreate(H5P_DATASET_ACCESS));
        Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
        CHECK(pcio_set_dapl_late_allocation(late, 1) >= 0);
        const Id data = create_chunks(file, "late", chunks, late);
        CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
        // Half of the last chunk of each rank.
        const Id space(H5Dget_space(data)), list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
        const hsize_t count = kChunk / 2, mine = static_cast<hsize_t>(par::rank());
        const hsize_t start = (3 * mine + 2) * kChunk;
        H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &count, nullptr);
        const Id memory(H5Screate_simple(1, &count, nullptr));
        const Ints ones(count, 1);
        auto write = [&] {
          return H5Dwrite(data, H5T_NATIVE_INT, memory, space, list, ones.data()) >= 0;
        };
        strike({"late fill, write", fault, 0, culprit, name}, write);
        judge(H5Dget_storage_size(data) == 0, "chunks were allocated");
        judge(is_filled(data, chunks, 0), "something else than the fill value");
        judge(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0, "the file can't be flushed");
        judge(write(), "the next write fails");
        judge(H5Dget_storage_size(data) == ranks() * kChunk * sizeof(int),
              "other chunks have space");
      }
      bool good = true;
      if (par::rank() == 0) {
        const Id file(H5Fopen(name.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
        const Id data(H5Dopen2(file, "late", H5P_DEFAULT));
        Ints values(chunks * kChunk);
        good = H5Dread(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0;
        for (std::size_t i = 0; i < values.size(); ++i) {
          const bool written = i / kChunk % 3 == 2 && i % kChunk < kChunk / 2;
          good = good && values[i] == (written ? 1 : 7);
        }
      }
      judge(good, "the file has other values");
      remove_file(name);
    }
  CHECK(counts.struck >= before + 2);
}

/// All ranks write fill values together. Where one of them can't, all fail: a dataset that was to
/// grow has its old size, one that was to be made is not there, and both can be tried again.
CASE(failed_fills) {
  const par::Silence quiet;
  const long before = counts.struck;
  for (const Fault fault : {Fault::kWriteError, Fault::kShortWrite})
    // So little is filled by one rank, whichever that is.
    for (const int culprit : {par::size()}) {
      const std::string name = par::file_name("chunk_fill");
      const hsize_t small = 2 * ranks(), large = 6 * ranks(), size = large * kChunk;
      {
        const Id access(par::mpio_access());
        const Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
        const Id data = create_chunks(file, "grows", small);
        const Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
        const Ints ones(small * kChunk, 1);
        CHECK(H5Dwrite(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, list, ones.data()) >= 0);
        CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
        const hsize_t stored = H5Dget_storage_size(data);
        strike({"larger extent, write", fault, 0, culprit, name},
               [&] { return H5Dset_extent(data, &size) >= 0; });
        judge(is_filled(data, small, small), "the old size is not there");
        judge(H5Dget_storage_size(data) == stored, "its chunks still have space");
        strike({"created, write", fault, 0, culprit, name},
               [&] { return create_chunks(file, "made", large).valid(); });
        judge(H5Lexists(file, "made", H5P_DEFAULT) == 0, "what was not made has a name");
        // What is committed now is as if nothing had been tried.
        judge(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0, "the file can't be flushed");
        judge(H5Dset_extent(data, &size) >= 0, "the next change fails");
        judge(is_filled(data, large, small), "new chunks have other values");
        const Id made = create_chunks(file, "made", large);
        judge(made.valid() && is_filled(made, large, 0), "a new dataset has other values");
      }
      bool good = true;
      if (par::rank() == 0) {
        const Id file(H5Fopen(name.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
        const Id data(H5Dopen2(file, "grows", H5P_DEFAULT));
        const Id made(H5Dopen2(file, "made", H5P_DEFAULT));
        good = is_filled(data, large, small) && is_filled(made, large, 0);
      }
      judge(good, "the file has other values");
      remove_file(name);
    }
  CHECK(counts.struck >= before + 4);
}
