// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// A program to be killed, and the judge of what it leaves. Room: testpar, public headers only.
//
//   kill_writer write FILE SEED      (parallel) commits again and again, for ever; what commit c
//                                    holds follows from c. FILE.done has the last one that
//                                    returned, and whether rank 0 is in a transfer now;
//                                    FILE.pid.RANK the process of each rank
//   kill_writer check FILE...        each file must be exactly its commit FILE.done or the one
//   after
//                                    it, read as it is, opened for writing, and read again

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <hdf5.h>
#include <pcio.h>
#include <string>
#include <unistd.h>
#include <vector>

#include <mpi.h>

namespace {

constexpr hsize_t kHot = 5000, kGrow = 37, kChunk = 16, kPlain = 300;
constexpr hsize_t kLine = 300, kLineGrow = 11;                         // chunks of one element
constexpr hsize_t kPacked = 8192, kPackedPart = 12, kPackedChunk = 4;  // with a filter
constexpr hsize_t kFolded = 9000, kFoldedChunk = 500;  // with a filter, all new in each commit
constexpr int kKept = 5;                               // plain datasets that are there at a time

int plain_value(int commit, hsize_t i) { return commit * 1000003 + static_cast<int>(i) * 7; }
int grow_value(hsize_t i) { return static_cast<int>(i * 2654435761U); }
int line_value(hsize_t i) { return static_cast<int>(i * 40503U + 9); }
hsize_t packed_start(int commit) {
  return static_cast<hsize_t>(commit) * 1492 % (kPacked - kPackedPart);
}
int packed_value(int commit, hsize_t i) { return commit * 7919 + static_cast<int>(i); }
/// All of them new in each commit: the old chunks are holes, and a close has something to move.
int folded_value(int commit, hsize_t i) {
  const std::uint64_t x = (i + 1) * 0x9E3779B97F4A7C15U + static_cast<std::uint64_t>(commit) * 977;
  return static_cast<int>((x ^ x >> 31) % (1U << 8 * (1 + (i / kFoldedChunk) % 3)));
}
/// Four equal bytes, so that a cut write shows bytes of one commit or of the other.
int hot_value(int commit) { return 0x01010101 * (commit % 120 + 1); }

[[noreturn]] void die(const char* what) {
  std::fprintf(stderr, "kill_writer: %s failed\n", what);
  H5Eprint2(H5E_DEFAULT, stderr);
  std::abort();
}
#define MUST(call)              \
  do {                          \
    if ((call) < 0) die(#call); \
  } while (false)

std::string plain_name(int commit) { return "/plain" + std::to_string(commit); }

// ---- the program to be killed ------------------------------------------------------------------

struct Writer {
  std::string name;
  int seed, mpi_rank = 0, ranks = 1, done = -1;
  hid_t access = -1, file = -1, collective = -1;

  /// [first, first + count) of `n` is this rank's.
  void share(hsize_t n, hsize_t* first, hsize_t* count) const {
    const auto r = static_cast<hsize_t>(mpi_rank), p = static_cast<hsize_t>(ranks);
    *first = n * r / p;
    *count = n * (r + 1) / p - *first;
  }

  /// Behind the number of the last commit.
  void tell_transfer(int begins) const {
    if (mpi_rank == 0 && ::pwrite(done, &begins, sizeof begins, sizeof(int)) != sizeof begins)
      die("pwrite");
  }

  template <class Value>
  void write_part(hid_t dataset, hsize_t from, hsize_t n, Value value) const {
    hsize_t first = 0, count = 0;
    share(n, &first, &count);
    first += from;
    std::vector<int> data(count + 1);
    for (hsize_t i = 0; i < count; ++i) data[i] = value(first + i);
    const hid_t space = H5Dget_space(dataset);
    const hid_t memory = H5Screate_simple(1, &count, nullptr);
    if (count > 0)
      MUST(H5Sselect_hyperslab(space, H5S_SELECT_SET, &first, nullptr, &count, nullptr));
    else
      MUST(H5Sselect_none(space));
    tell_transfer(1);
    MUST(H5Dwrite(dataset, H5T_NATIVE_INT, memory, space, collective, data.data()));
    tell_transfer(0);
    H5Sclose(memory);
    H5Sclose(space);
  }

  hid_t make(const std::string& path, hsize_t n, bool grows) const {
    const hsize_t most = H5S_UNLIMITED;
    const hid_t space = H5Screate_simple(1, &n, grows ? &most : nullptr);
    const hid_t create = H5Pcreate(H5P_DATASET_CREATE);
    if (grows) MUST(H5Pset_chunk(create, 1, &kChunk));
    const hid_t dataset =
        H5Dcreate2(file, path.c_str(), H5T_STD_I32LE, space, H5P_DEFAULT, create, H5P_DEFAULT);
    if (dataset < 0) die("H5Dcreate2");
    H5Pclose(create);
    H5Sclose(space);
    return dataset;
  }

  void begin() {
    const hid_t create = H5Pcreate(H5P_FILE_CREATE);
    if (seed % 3 == 1) {
      // The root's links, which each commit changes, are dense, and go through a filter.
      MUST(H5Pset_link_phase_change(create, 0, 0));
      MUST(H5Pset_deflate(create, 6));
    }
    file = H5Fcreate(name.c_str(), H5F_ACC_TRUNC, create, access);
    if (file < 0) die("H5Fcreate");
    H5Pclose(create);
    const hid_t scalar = H5Screate(H5S_SCALAR);
    const hid_t number =
        H5Acreate2(file, "commit", H5T_STD_I32LE, scalar, H5P_DEFAULT, H5P_DEFAULT);
    const int zero = 0;
    MUST(H5Awrite(number, H5T_NATIVE_INT, &zero));
    H5Aclose(number);
    H5Sclose(scalar);
    const hid_t hot = make("/hot", kHot, false);
    write_part(hot, 0, kHot, [](hsize_t) { return hot_value(0); });
    H5Dclose(hot);
    H5Dclose(make("/grow", 0, true));
    // Indexes so large that commits change them in place.
    const hsize_t one = 1, most = H5S_UNLIMITED;
    const hid_t line = make_chunked("/line", kLine, &most, one, 0);
    write_part(line, 0, kLine, line_value);
    H5Dclose(line);
    const hid_t packed = make_chunked("/packed", kPacked, &kPacked, kPackedChunk, 1);
    write_part(packed, 0, kPacked, [](hsize_t i) { return packed_value(0, i); });
    H5Dclose(packed);
    const hid_t folded = make_chunked("/folded", kFolded, &kFolded, kFoldedChunk, 1);
    write_part(folded, 0, kFolded, [](hsize_t i) { return folded_value(0, i); });
    H5Dclose(folded);
    MUST(H5Fflush(file, H5F_SCOPE_GLOBAL));
  }

  hid_t make_chunked(const char* path, hsize_t n, const hsize_t* most, hsize_t chunk,
                     unsigned level) const {
    const hid_t space = H5Screate_simple(1, &n, most);
    const hid_t create = H5Pcreate(H5P_DATASET_CREATE);
    MUST(H5Pset_chunk(create, 1, &chunk));
    if (level > 0) MUST(H5Pset_deflate(create, level));
    const hid_t dataset =
        H5Dcreate2(file, path, H5T_STD_I32LE, space, H5P_DEFAULT, create, H5P_DEFAULT);
    if (dataset < 0) die("H5Dcreate2");
    H5Pclose(create);
    H5Sclose(space);
    return dataset;
  }

  /// A few chunks of indexes that have many.
  void change_indexes(int commit) const {
    const hid_t line = H5Dopen2(file, "/line", H5P_DEFAULT);
    const hsize_t before = kLine + kLineGrow * static_cast<hsize_t>(commit - 1);
    const hsize_t after = before + kLineGrow;
    MUST(H5Dset_extent(line, &after));
    write_part(line, before, kLineGrow, line_value);
    H5Dclose(line);
    const hid_t packed = H5Dopen2(file, "/packed", H5P_DEFAULT);
    write_part(packed, packed_start(commit), kPackedPart,
               [&](hsize_t i) { return packed_value(commit, i); });
    H5Dclose(packed);
  }

  void change(int commit) {
    change_indexes(commit);
    const hid_t number = H5Aopen(file, "commit", H5P_DEFAULT);
    MUST(H5Awrite(number, H5T_NATIVE_INT, &commit));
    H5Aclose(number);
    const hid_t plain = make(plain_name(commit), kPlain, false);
    write_part(plain, 0, kPlain, [&](hsize_t i) { return plain_value(commit, i); });
    H5Dclose(plain);
    if (commit > kKept) MUST(H5Ldelete(file, plain_name(commit - kKept).c_str(), H5P_DEFAULT));
    const hid_t grow = H5Dopen2(file, "/grow", H5P_DEFAULT);
    const hsize_t before = kGrow * static_cast<hsize_t>(commit - 1), after = before + kGrow;
    MUST(H5Dset_extent(grow, &after));
    write_part(grow, before, kGrow, grow_value);
    H5Dclose(grow);
    const hid_t hot = H5Dopen2(file, "/hot", H5P_DEFAULT);
    write_part(hot, 0, kHot, [&](hsize_t) { return hot_value(commit); });
    H5Dclose(hot);
    const hid_t folded = H5Dopen2(file, "/folded", H5P_DEFAULT);
    write_part(folded, 0, kFolded, [&](hsize_t i) { return folded_value(commit, i); });
    H5Dclose(folded);
    if (commit % 10 == 0) {
      const std::string group = "/many" + std::to_string(commit);
      H5Gclose(H5Gcreate2(file, group.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
      for (int i = 0; i < 20; ++i)
        H5Gclose(H5Gcreate2(file, (group + "/g" + std::to_string(i)).c_str(), H5P_DEFAULT,
                            H5P_DEFAULT, H5P_DEFAULT));
    }
  }

  void commit_now(int commit) {
    if ((commit + seed) % 7 != 0) {
      MUST(H5Fflush(file, H5F_SCOPE_GLOBAL));
      return;
    }
    MUST(H5Fclose(file));
    file = H5Fopen(name.c_str(), H5F_ACC_RDWR, access);
    if (file < 0) die("H5Fopen");
  }

  [[noreturn]] void run() {
    MPI_Comm_rank(MPI_COMM_WORLD, &mpi_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const char* const expected = std::getenv("PCIO_TEST_NP");
    if (expected != nullptr && std::atoi(expected) != ranks) die("another number of ranks");
    access = H5Pcreate(H5P_FILE_ACCESS);
    MUST(H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL));
    if (seed % 2 == 1) MUST(H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110));
    collective = H5Pcreate(H5P_DATASET_XFER);
    MUST(H5Pset_dxpl_mpio(collective, H5FD_MPIO_COLLECTIVE));
    done = ::open((name + ".done").c_str(), O_RDWR | O_CREAT, 0666);
    // None yet: what transfers tell comes behind it.
    const int none = -1;
    if (mpi_rank == 0 && ::pwrite(done, &none, sizeof none, 0) != sizeof none) die("pwrite");
    begin();
    std::ofstream(name + ".pid." + std::to_string(mpi_rank)) << ::getpid() << "\n";
    for (int commit = 0;; ++commit) {
      if (commit > 0) {
        change(commit);
        commit_now(commit);
      }
      // One write of four bytes, which a kill does not divide.
      if (mpi_rank == 0 && ::pwrite(done, &commit, sizeof commit, 0) != sizeof commit)
        die("pwrite");
    }
  }
};

// ---- the judge ---------------------------------------------------------------------------------

struct Judge {
  std::string why;
  int commit = -1;

  bool wrong(const std::string& what) {
    why = what;
    return false;
  }

  bool read(hid_t file, const std::string& path, hsize_t n, std::vector<int>* data) {
    const hid_t dataset = H5Dopen2(file, path.c_str(), H5P_DEFAULT);
    if (dataset < 0) return wrong(path + " is not there");
    const hid_t space = H5Dget_space(dataset);
    const bool sized = H5Sget_simple_extent_npoints(space) == static_cast<hssize_t>(n);
    data->assign(static_cast<std::size_t>(n) + 1, -1);
    const bool got =
        sized && H5Dread(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, data->data()) >= 0;
    H5Sclose(space);
    H5Dclose(dataset);
    return got || wrong(path + " has another size or can't be read");
  }

  bool data_fit(hid_t file) {
    std::vector<int> data;
    for (int c = commit < kKept ? 1 : commit - kKept + 1; c <= commit; ++c) {
      if (!read(file, plain_name(c), kPlain, &data)) return false;
      for (hsize_t i = 0; i < kPlain; ++i)
        if (data[i] != plain_value(c, i)) return wrong(plain_name(c) + " has other data");
    }
    if (H5Lexists(file, plain_name(commit + 1).c_str(), H5P_DEFAULT) > 0 ||
        (commit >= kKept && H5Lexists(file, plain_name(commit - kKept).c_str(), H5P_DEFAULT) > 0))
      return wrong("a dataset of another commit is there");
    const hsize_t grown = kGrow * static_cast<hsize_t>(commit);
    if (!read(file, "/grow", grown, &data)) return false;
    for (hsize_t i = 0; i < grown; ++i)
      if (data[i] != grow_value(i)) return wrong("/grow has other data at " + std::to_string(i));
    const hsize_t line = kLine + kLineGrow * static_cast<hsize_t>(commit);
    if (!read(file, "/line", line, &data)) return false;
    for (hsize_t i = 0; i < line; ++i)
      if (data[i] != line_value(i)) return wrong("/line has other data at " + std::to_string(i));
    if (!read(file, "/packed", kPacked, &data)) return false;
    std::vector<int> packed(kPacked);
    for (hsize_t i = 0; i < kPacked; ++i) packed[i] = packed_value(0, i);
    for (int c = 1; c <= commit; ++c)
      for (hsize_t i = 0; i < kPackedPart; ++i)
        packed[packed_start(c) + i] = packed_value(c, packed_start(c) + i);
    for (hsize_t i = 0; i < kPacked; ++i)
      if (data[i] != packed[i]) return wrong("/packed has other data at " + std::to_string(i));
    if (!read(file, "/folded", kFolded, &data)) return false;
    for (hsize_t i = 0; i < kFolded; ++i)
      if (data[i] != folded_value(commit, i))
        return wrong("/folded has other data at " + std::to_string(i));
    if (!read(file, "/hot", kHot, &data)) return false;
    const auto* bytes = reinterpret_cast<const unsigned char*>(data.data());
    for (std::size_t i = 0; i < kHot * sizeof(int); ++i) {
      const int now = hot_value(commit) & 0xff, next = hot_value(commit + 1) & 0xff;
      if (bytes[i] != now && bytes[i] != next) return wrong("/hot has bytes of an older commit");
    }
    for (int c = 10; c <= commit; c += 10) {
      const std::string last = "/many" + std::to_string(c) + "/g19";
      const hid_t group = H5Gopen2(file, last.c_str(), H5P_DEFAULT);
      if (group < 0) return wrong(last + " is not there");
      H5Gclose(group);
    }
    return true;
  }

  /// `expected` -1: commit `done` or the one after it.
  bool one(const std::string& name, unsigned mode, int done, int expected) {
    const hid_t file = H5Fopen(name.c_str(), mode, H5P_DEFAULT);
    if (file < 0) return wrong("does not open");
    const hid_t number = H5Aopen(file, "commit", H5P_DEFAULT);
    bool good = number >= 0 && H5Aread(number, H5T_NATIVE_INT, &commit) >= 0;
    H5Aclose(number);
    if (!good) wrong("no number of the commit");
    if (good && expected >= 0 && commit != expected)
      good = wrong("another commit than before: " + std::to_string(commit));
    if (good && commit != done && commit != done + 1)
      good = wrong("commit " + std::to_string(commit) + " after " + std::to_string(done));
    good = good && data_fit(file);
    if (H5Fclose(file) < 0) good = wrong("does not close");
    return good;
  }

  bool all(const std::string& name) {
    int done = -1;
    std::ifstream(name + ".done", std::ios::binary)
        .read(reinterpret_cast<char*>(&done), sizeof done);
    if (!one(name, H5F_ACC_RDONLY, done, -1)) return false;
    const int first = commit;
    if (!one(name, H5F_ACC_RDWR, done, first)) return false;
    pcio_commit_info_t info;
    if (pcio_get_commit_info(name.c_str(), &info, sizeof info) < 0 ||
        info.state != PCIO_COMMIT_WHOLE || info.file_size != info.end_of_file)
      return wrong("not whole after it was opened for writing");
    return one(name, H5F_ACC_RDONLY, done, first);
  }
};

int check(int count, char** names) {
  int failures = 0, states[4] = {}, last = 0, next = 0, dead = 0;
  for (int i = 0; i < count; ++i) {
    pcio_commit_info_t info;
    if (pcio_get_commit_info(names[i], &info, sizeof info) < 0) {
      std::printf("FAILED %s: not readable\n", names[i]);
      ++failures;
      continue;
    }
    ++states[info.state];
    if (info.state == PCIO_COMMIT_WHOLE && info.file_size > info.end_of_file) ++dead;
    Judge judge;
    int done = -1;
    std::ifstream(std::string(names[i]) + ".done", std::ios::binary)
        .read(reinterpret_cast<char*>(&done), sizeof done);
    if (!judge.all(names[i])) {
      std::printf("FAILED %s (done %d): %s\n", names[i], done, judge.why.c_str());
      ++failures;
      continue;
    }
    ++(judge.commit == done ? last : next);
  }
  std::printf(
      "checked %d, whole %d (with bytes behind the end %d), window %d, torn %d, broken %d, "
      "last %d, next %d, failures %d\n",
      count, states[0], dead, states[1], states[2], states[3], last, next, failures);
  return failures == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "";
  if (mode == "write" && argc == 4) {
    MPI_Init(&argc, &argv);
    Writer writer;
    writer.name = argv[2];
    writer.seed = std::atoi(argv[3]);
    writer.run();
  }
  if (mode == "check" && argc > 2) {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    return check(argc - 2, argv + 2);
  }
  std::fprintf(stderr, "usage: kill_writer write FILE SEED | check FILE...\n");
  return 2;
}
