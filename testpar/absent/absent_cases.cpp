// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Ranks that don't come: in every communicating call one rank stays away until the others have said so,
// in a line that names the call and the missing rank, and then all succeed. Room: testpar, public
// headers only.
//
// absent_cases FILE            all calls; the rank that stays away changes, or is each one (PCIO_LONG)
// absent_cases FILE CALL       that call alone, and the rank never comes: for PCIO_HANG_ABORT=1
// absent_cases FILE finalize   the rank comes late to MPI_Finalize, with a file open
// absent_cases FILE letters    each rank in turn stays in the first letter that it sends in a call; PCIO_CHECK has
//                              nodes and stripes. One of these CALLs: it never comes out of it

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <hdf5.h>
#include <iterator>
#include <pcio.h>
#include <sstream>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

#include <mpi.h>

namespace {

constexpr hsize_t kRows = 4;
constexpr hsize_t kWidth = 64;
constexpr useconds_t kPoll = 10'000;
constexpr int kPolls = 2'000;

int rank = 0, size = 1;
int failures = 0;

/// What a case finds: a file with datasets of every kind, all ranks in step.
struct Scene {
  std::string name;
  hid_t access = -1, file = -1, plain = -1, chunked = -1, filtered = -1;
  std::vector<int> values;
  int sets_made = 0;
};

std::string log_name, done_name;

bool all(bool mine) {
  int value = mine ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  return value != 0;
}

hid_t new_access() {
  const hid_t list = H5Pcreate(H5P_FILE_ACCESS);
  return H5Pset_fapl_mpio(list, MPI_COMM_WORLD, MPI_INFO_NULL) >= 0 ? list : -1;
}

hid_t create_set(hid_t file, const char* name, hid_t list) {
  const hsize_t dims[2] = {kRows * static_cast<hsize_t>(size), kWidth};
  const hsize_t most[2] = {H5S_UNLIMITED, kWidth};
  const bool chunked = list != H5P_DEFAULT && H5Pget_layout(list) == H5D_CHUNKED;
  const hid_t space = H5Screate_simple(2, dims, chunked ? most : nullptr);
  const hid_t set = H5Dcreate2(file, name, H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT);
  H5Sclose(space);
  return set;
}

hid_t chunk_list(bool filtered) {
  const hsize_t chunk[2] = {kRows, kWidth / 2};
  const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(list, 2, chunk);
  if (filtered) H5Pset_deflate(list, 1);
  return list;
}

bool move(Scene& s, hid_t set, bool write, pcio_transport_t transport, bool together = true) {
  const hsize_t start[2] = {kRows * static_cast<hsize_t>(rank), 0}, count[2] = {kRows, kWidth};
  const hid_t list = H5Pcreate(H5P_DATASET_XFER), memory = H5Screate_simple(2, count, nullptr);
  const hid_t space = H5Dget_space(set);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, count, nullptr);
  if (together) H5Pset_dxpl_mpio(list, H5FD_MPIO_COLLECTIVE);
  pcio_set_dxpl_transport(list, transport);
  const herr_t done = write ? H5Dwrite(set, H5T_NATIVE_INT, memory, space, list, s.values.data())
                            : H5Dread(set, H5T_NATIVE_INT, memory, space, list, s.values.data());
  H5Pclose(list);
  H5Sclose(memory);
  H5Sclose(space);
  return done >= 0;
}

bool move_several(Scene& s, bool write) {
  const hsize_t count[2] = {kRows * static_cast<hsize_t>(size), kWidth};
  const hid_t list = H5Pcreate(H5P_DATASET_XFER), space = H5Screate_simple(2, count, nullptr);
  H5Pset_dxpl_mpio(list, H5FD_MPIO_COLLECTIVE);
  if (rank != 0) H5Sselect_none(space);
  hid_t sets[2] = {s.plain, s.chunked}, types[2] = {H5T_NATIVE_INT, H5T_NATIVE_INT};
  hid_t spaces[2] = {space, space};
  std::vector<int> first(count[0] * kWidth), second(count[0] * kWidth);
  const void* out[2] = {first.data(), second.data()};
  void* in[2] = {first.data(), second.data()};
  const herr_t done = write ? H5Dwrite_multi(2, sets, types, spaces, spaces, list, out)
                            : H5Dread_multi(2, sets, types, spaces, spaces, list, in);
  H5Pclose(list);
  H5Sclose(space);
  return done >= 0;
}

bool write_raw_chunk(Scene& s) {
  const hid_t list = H5Pcreate(H5P_DATASET_XFER);
  H5Pset_dxpl_mpio(list, H5FD_MPIO_COLLECTIVE);
  const hsize_t corner[2] = {kRows * static_cast<hsize_t>(rank), 0};
  const std::vector<int> chunk(kRows * kWidth / 2, 7);
  const herr_t done =
      H5Dwrite_chunk(s.chunked, list, 0, corner, chunk.size() * sizeof(int), chunk.data());
  H5Pclose(list);
  return done >= 0;
}

bool extend(Scene& s, hid_t set, hsize_t rows) {
  const hsize_t dims[2] = {rows * static_cast<hsize_t>(size), kWidth};
  return H5Dset_extent(set, dims) >= 0 && s.file >= 0;
}

bool create_filled(Scene& s, const char* name, hid_t list) {
  const int fill = 42;
  if (list == H5P_DEFAULT) list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_fill_value(list, H5T_NATIVE_INT, &fill);
  H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY);
  H5Pset_fill_time(list, H5D_FILL_TIME_ALLOC);
  const hid_t set = create_set(s.file, name, list);
  H5Pclose(list);
  return set >= 0 && H5Dclose(set) >= 0;
}

void open_scene(Scene& s) {
  s.values.assign(kRows * kWidth, rank);
  s.access = new_access();
  s.file = H5Fcreate(s.name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, s.access);
  const hid_t chunks = chunk_list(false), filters = chunk_list(true);
  s.plain = create_set(s.file, "plain", H5P_DEFAULT);
  s.chunked = create_set(s.file, "chunked", chunks);
  s.filtered = create_set(s.file, "filtered", filters);
  H5Pclose(chunks);
  H5Pclose(filters);
  for (const hid_t set : {s.plain, s.chunked, s.filtered}) move(s, set, true, PCIO_TRANSPORT_NONE);
}

bool close_sets(Scene& s) {
  herr_t done = 0;
  for (hid_t* set : {&s.plain, &s.chunked, &s.filtered})
    if (*set >= 0) done |= H5Dclose(std::exchange(*set, -1));
  return done >= 0;
}

bool close_scene(Scene& s) {
  bool good = close_sets(s);
  if (s.file >= 0) good = H5Fclose(std::exchange(s.file, -1)) >= 0 && good;
  good = H5Pclose(std::exchange(s.access, -1)) >= 0 && good;
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) std::remove(s.name.c_str());
  return good;
}

/// How a call is reported: named; as missing ranks, on the program's own communicator; or not at all,
/// because it need not communicate.
enum class Told { kNamed, kUnnamed, kMaybeLocal };

struct Call {
  const char* title;
  const char* said;  ///< as the line must have it
  Told told;
  bool (*run)(Scene&);
};

constexpr hsize_t kStripesRows = 512, kStripesRow = 256;

/// Every so manieth row, which is an encoded chunk, or column is this rank's, so that all ranks share stripes.
bool move_stripes(hid_t set, bool write, bool rows) {
  const hsize_t of_all[2] = {kStripesRows, kStripesRow};
  hsize_t start[2] = {0, 0}, step[2] = {1, 1}, count[2] = {kStripesRows, kStripesRow};
  const int across = rows ? 0 : 1;
  start[across] = static_cast<hsize_t>(rank);
  step[across] = static_cast<hsize_t>(size);
  count[across] = (of_all[across] - start[across] + step[across] - 1) / step[across];
  const hid_t list = H5Pcreate(H5P_DATASET_XFER), memory = H5Screate_simple(2, count, nullptr);
  const hid_t space = H5Dget_space(set);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, step, count, nullptr);
  H5Pset_dxpl_mpio(list, H5FD_MPIO_COLLECTIVE);
  std::vector<int> values(count[0] * count[1]), found(values.size());
  for (std::size_t i = 0; i < values.size(); ++i)  // no filter makes much less of it
    values[i] = static_cast<int>((i + 1 + static_cast<std::size_t>(rank)) * 2654435761U);
  const herr_t done = write ? H5Dwrite(set, H5T_NATIVE_INT, memory, space, list, values.data())
                            : H5Dread(set, H5T_NATIVE_INT, memory, space, list, found.data());
  H5Pclose(list);
  H5Sclose(memory);
  H5Sclose(space);
  return done >= 0 && (write || found == values);
}

bool write_new_stripes(Scene& s, const char* name, bool rows) {
  const hsize_t dims[2] = {kStripesRows, kStripesRow}, chunk[2] = {1, kStripesRow};
  const hid_t list = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(2, dims, nullptr);
  if (rows) {
    H5Pset_chunk(list, 2, chunk);
    H5Pset_deflate(list, 1);
  }
  const std::string path = name + std::to_string(s.sets_made++);
  const hid_t set =
      H5Dcreate2(s.file, path.c_str(), H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT);
  H5Pclose(list);
  H5Sclose(space);
  const bool wrote = move_stripes(set, true, rows);
  return H5Dclose(set) >= 0 && wrote;
}

bool read_stripes(Scene& s) {
  const hid_t set = H5Dopen2(s.file, "columns0", H5P_DEFAULT);
  const bool good = move_stripes(set, false, false);
  return H5Dclose(set) >= 0 && good;
}

/// Of names by themselves: absent.sh looks for the others.
constexpr const char *kOnColumns = "H5Dwrite on /columns", *kReadColumns = "H5Dread on /columns",
                     *kOnStripes = "H5Dwrite on /stripes";
/// A rank stays in its first letter of each of them.
const Call kLetterCalls[] = {{"columns", kOnColumns, Told::kNamed,
                              [](Scene& s) { return write_new_stripes(s, "columns", false); }},
                             {"read_columns", kReadColumns, Told::kNamed, read_stripes},
                             {"stripes", kOnStripes, Told::kNamed,
                              [](Scene& s) { return write_new_stripes(s, "stripes", true); }}};

hid_t extra_list = -1;
hid_t extra_file = -1;

/// In the order in which they run on one scene.
const Call kCalls[] = {
    {"set_fapl", "H5Pset_fapl_mpio", Told::kUnnamed,
     [](Scene&) { return (extra_list = new_access()) >= 0; }},
    {"get_fapl", "H5Pget_fapl_mpio", Told::kNamed,
     [](Scene&) {
       MPI_Comm comm = MPI_COMM_NULL;
       const bool got = H5Pget_fapl_mpio(extra_list, &comm, nullptr) >= 0;
       if (got) MPI_Comm_free(&comm);
       return H5Pclose(extra_list) >= 0 && got;
     }},
    {"set_posix", "H5Pset_fapl_mpiposix", Told::kUnnamed,
     [](Scene&) {
       extra_list = H5Pcreate(H5P_FILE_ACCESS);
       return H5Pset_fapl_mpiposix(extra_list, MPI_COMM_WORLD, 0) >= 0;
     }},
    {"posix_create", "H5Fcreate", Told::kNamed,
     [](Scene& s) {
       extra_file = H5Fcreate((s.name + ".2").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, extra_list);
       return extra_file >= 0;
     }},
    {"posix_close", "H5Fclose", Told::kNamed,
     [](Scene&) { return H5Fclose(extra_file) >= 0 && H5Pclose(extra_list) >= 0; }},
    {"create", "H5Fcreate", Told::kNamed,
     [](Scene& s) {
       extra_file = H5Fcreate((s.name + ".2").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, s.access);
       return extra_file >= 0;
     }},
    {"create_close", "H5Fclose", Told::kNamed, [](Scene&) { return H5Fclose(extra_file) >= 0; }},
    {"open", "H5Fopen", Told::kNamed,
     [](Scene& s) {
       extra_file = H5Fopen((s.name + ".2").c_str(), H5F_ACC_RDWR, s.access);
       return extra_file >= 0;
     }},
    {"open_again", "H5Fopen", Told::kNamed,
     [](Scene& s) {
       const hid_t second = H5Fopen((s.name + ".2").c_str(), H5F_ACC_RDWR, s.access);
       return second >= 0 && H5Fclose(second) >= 0;
     }},
    {"reopen_close", "H5Fclose", Told::kMaybeLocal,
     [](Scene&) {
       const hid_t second = H5Freopen(extra_file);
       return second >= 0 && H5Fclose(second) >= 0;
     }},
    {"open_close", "H5Fclose", Told::kNamed, [](Scene&) { return H5Idec_ref(extra_file) >= 0; }},
    {"atomicity", "H5Fset_mpi_atomicity", Told::kNamed,
     [](Scene& s) {
       return H5Fset_mpi_atomicity(s.file, true) >= 0 && H5Fset_mpi_atomicity(s.file, false) >= 0;
     }},
    {"flush", "H5Fflush", Told::kNamed,
     [](Scene& s) { return H5Fflush(s.file, H5F_SCOPE_GLOBAL) >= 0; }},
    {"flush_dataset", "H5Dflush", Told::kNamed, [](Scene& s) { return H5Dflush(s.plain) >= 0; }},
    {"flush_object", "H5Oflush", Told::kNamed, [](Scene& s) { return H5Oflush(s.plain) >= 0; }},
    {"agree", "pcio_agree", Told::kNamed,
     [](Scene& s) { return pcio_agree(s.plain, 0, 7, nullptr, nullptr) >= 0; }},
    {"explain", "pcio_explain", Told::kNamed,
     [](Scene& s) {
       const hid_t list = H5Pcreate(H5P_DATASET_XFER);
       H5Pset_dxpl_mpio(list, H5FD_MPIO_COLLECTIVE);
       pcio_transfer_report_t report;
       const herr_t done = pcio_explain(s.plain, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, list,
                                        PCIO_DIRECTION_WRITE, &report, sizeof report);
       return H5Pclose(list) >= 0 && done >= 0;
     }},
    {"create_anon", "H5Dcreate_anon", Told::kMaybeLocal,
     [](Scene& s) {
       const hsize_t size = 64;
       const int fill = 42;
       const hid_t list = H5Pcreate(H5P_DATASET_CREATE),
                   space = H5Screate_simple(1, &size, nullptr);
       H5Pset_fill_value(list, H5T_NATIVE_INT, &fill);
       H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY);
       const hid_t set = H5Dcreate_anon(s.file, H5T_NATIVE_INT, space, list, H5P_DEFAULT);
       H5Pclose(list);
       H5Sclose(space);
       return set >= 0 && H5Dclose(set) >= 0;
     }},
    {"group", "H5Gcreate2", Told::kMaybeLocal,
     [](Scene& s) {
       const hid_t group = H5Gcreate2(s.file, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
       return group >= 0 && H5Gclose(group) >= 0;
     }},
    {"create_filled", "H5Dcreate2", Told::kMaybeLocal,
     [](Scene& s) { return create_filled(s, "more", H5P_DEFAULT); }},
    {"create_filled_chunks", "H5Dcreate2", Told::kMaybeLocal,
     [](Scene& s) { return create_filled(s, "more_chunks", chunk_list(false)); }},
    {"grow", "H5Dset_extent", Told::kMaybeLocal,
     [](Scene& s) { return extend(s, s.chunked, 2 * kRows); }},
    {"grow_filtered", "H5Dset_extent", Told::kMaybeLocal,
     [](Scene& s) { return extend(s, s.filtered, 2 * kRows); }},
    {"shrink", "H5Dset_extent", Told::kMaybeLocal,
     [](Scene& s) { return extend(s, s.chunked, kRows + 1); }},
    {"copy", "H5Ocopy", Told::kNamed,
     [](Scene& s) {
       return H5Ocopy(s.file, "filtered", s.file, "copy", H5P_DEFAULT, H5P_DEFAULT) >= 0;
     }},
    {"write_plain", "H5Dwrite on /plain", Told::kNamed,
     [](Scene& s) { return move(s, s.plain, true, PCIO_TRANSPORT_NONE); }},
    {"write_view", "H5Dwrite on /plain", Told::kNamed,
     [](Scene& s) { return move(s, s.plain, true, PCIO_TRANSPORT_VIEW); }},
    {"write_exchange", "H5Dwrite on /chunked", Told::kNamed,
     [](Scene& s) { return move(s, s.chunked, true, PCIO_TRANSPORT_EXCHANGE); }},
    {"write_direct", "H5Dwrite on /chunked", Told::kNamed,
     [](Scene& s) { return move(s, s.chunked, true, PCIO_TRANSPORT_DIRECT); }},
    {"write_filtered", "H5Dwrite on /filtered", Told::kNamed,
     [](Scene& s) { return move(s, s.filtered, true, PCIO_TRANSPORT_NONE); }},
    {"write_alone", "H5Dwrite on /plain", Told::kMaybeLocal,
     [](Scene& s) { return move(s, s.plain, true, PCIO_TRANSPORT_NONE, false); }},
    {"read_plain", "H5Dread on /plain", Told::kNamed,
     [](Scene& s) { return move(s, s.plain, false, PCIO_TRANSPORT_NONE); }},
    {"read_view", "H5Dread on /chunked", Told::kNamed,
     [](Scene& s) { return move(s, s.chunked, false, PCIO_TRANSPORT_VIEW); }},
    {"read_exchange", "H5Dread on /chunked", Told::kNamed,
     [](Scene& s) { return move(s, s.chunked, false, PCIO_TRANSPORT_EXCHANGE); }},
    {"read_filtered", "H5Dread on /filtered", Told::kNamed,
     [](Scene& s) { return move(s, s.filtered, false, PCIO_TRANSPORT_NONE); }},
    {"write_multi", "H5Dwrite_multi", Told::kNamed, [](Scene& s) { return move_several(s, true); }},
    {"read_multi", "H5Dread_multi", Told::kNamed, [](Scene& s) { return move_several(s, false); }},
    {"write_chunk", "H5Dwrite_chunk on /chunked", Told::kNamed, write_raw_chunk},
    {"close", "H5Fclose", Told::kNamed,
     [](Scene& s) { return close_sets(s) && H5Fclose(std::exchange(s.file, -1)) >= 0; }}};

std::string read_all(const std::string& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// True where a line says that `call` waits for `missing` alone (or, unnamed, for somebody).
bool says(const std::string& text, const Call& call, int missing) {
  std::istringstream lines(text);
  const std::string in = std::string(" s in ") + call.said;
  const std::string who = call.told == Told::kUnnamed
                              ? "; ranks are missing of the " + std::to_string(size) + " "
                              : "; " + std::to_string(size - 1) + " of " + std::to_string(size) +
                                    " ranks wait, missing: " + std::to_string(missing);
  for (std::string line; std::getline(lines, line);)
    if (line.rfind("pcio: rank ", 0) == 0 && line.find(in) != std::string::npos &&
        line.find(who) != std::string::npos)
      return true;
  return false;
}

/// stderr of all ranks in one file, while it lives.
class Caught {
 public:
  Caught() : saved_(dup(STDERR_FILENO)) {
    const int to = open(log_name.c_str(), O_CREAT | O_WRONLY | O_APPEND, 0600);
    dup2(to, STDERR_FILENO);
    close(to);
  }
  ~Caught() {
    dup2(saved_, STDERR_FILENO);
    close(saved_);
  }
  Caught(const Caught&) = delete;
  Caught& operator=(const Caught&) = delete;

 private:
  int saved_;
};

void forget_files() {
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    std::remove(log_name.c_str());
    std::remove(done_name.c_str());
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

void note_done() {
  const int to = open(done_name.c_str(), O_CREAT | O_WRONLY | O_APPEND, 0600);
  if (write(to, "x", 1) != 1) std::perror("absent_cases");
  close(to);
}

/// What the rank that stays away saw.
enum class Seen { kLine, kOthersReturned, kNothing };

/// In which call this rank stays in its next letter, and what comes of it.
const Call* stays_in_letter = nullptr;
Seen seen_in_letter = Seen::kNothing;
bool never_comes = false;

Seen stay_away(const Call& call) {
  for (int i = 0; i < kPolls; ++i) {
    if (says(read_all(log_name), call, rank)) return Seen::kLine;
    if (read_all(done_name).size() == static_cast<std::size_t>(size) - 1)
      return Seen::kOthersReturned;
    usleep(kPoll);
  }
  return Seen::kNothing;
}

}  // namespace

/// What is shorter is no letter with elements, but what ranks tell each other of them, or that they wait.
extern "C" int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag,
                         MPI_Comm comm, MPI_Request* request) {
  constexpr long long kLetter = 1024;
  int bytes = 0;
  PMPI_Type_size(type, &bytes);
  if (stays_in_letter != nullptr && static_cast<long long>(count) * bytes >= kLetter) {
    if (never_comes) sleep(100);
    seen_in_letter = stay_away(*std::exchange(stays_in_letter, nullptr));
  }
  return PMPI_Isend(data, count, type, to, tag, comm, request);
}

namespace {

int bins[3];

enum class Stays { kBefore, kInLetter };

void run_call(Scene& scene, const Call& call, int culprit, Stays stays = Stays::kBefore) {
  forget_files();
  int seen = 0;
  bool good = true;
  {
    const Caught caught;
    if (rank == culprit && stays == Stays::kBefore) seen = static_cast<int>(stay_away(call));
    seen_in_letter = Seen::kNothing;
    if (rank == culprit && stays == Stays::kInLetter) stays_in_letter = &call;
    good = call.run(scene);
    stays_in_letter = nullptr;
    if (stays == Stays::kInLetter) seen = static_cast<int>(seen_in_letter);
    note_done();
  }
  good = all(good);
  MPI_Bcast(&seen, 1, MPI_INT, culprit, MPI_COMM_WORLD);
  ++bins[seen];
  const bool told =
      static_cast<Seen>(seen) == Seen::kLine ||
      (call.told == Told::kMaybeLocal && static_cast<Seen>(seen) == Seen::kOthersReturned);
  if (good && told) return;
  ++failures;
  if (rank == 0)
    std::fprintf(stderr, "%s without rank %d of %d: %s; %s\n%s", call.title, culprit, size,
                 good ? "the late call succeeds" : "the late call FAILS",
                 told ? "told" : "NOBODY SAYS who is missing", read_all(log_name).c_str());
}

/// The whole list on one file. `agreements`: made before, so that ranks may wait elsewhere.
void run_all(const std::string& name, int culprit, int agreements) {
  Scene scene;
  scene.name = name;
  open_scene(scene);
  for (int i = 0; i < agreements; ++i) H5Fflush(scene.file, H5F_SCOPE_GLOBAL);
  const bool every = std::getenv("PCIO_LONG") != nullptr;
  int number = culprit;
  for (const Call& call : kCalls) run_call(scene, call, every ? culprit : number++ % size);
  if (!all(close_scene(scene))) ++failures;
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) std::remove((name + ".2").c_str());
  forget_files();
}

void run_letters(const std::string& name) {
  Scene scene;
  scene.name = name;
  open_scene(scene);
  for (int culprit = 0; culprit < size; ++culprit)
    for (const Call& call : kLetterCalls) run_call(scene, call, culprit, Stays::kInLetter);
  if (!all(close_scene(scene))) ++failures;
  forget_files();
}

/// The last rank never comes; somebody has to end this.
int run_abort(const std::string& name, const char* title) {
  Scene scene;
  scene.name = name;
  open_scene(scene);
  const auto is_meant = [title](const Call& call) { return std::strcmp(call.title, title) == 0; };
  const Call* const in_letter =
      std::find_if(std::begin(kLetterCalls), std::end(kLetterCalls), is_meant);
  if (in_letter != std::end(kLetterCalls)) {
    never_comes = true;
    if (rank == size - 1) stays_in_letter = in_letter;
    if (!in_letter->run(scene)) return 3;
  } else {
    for (const Call& call : kCalls) {
      MPI_Barrier(MPI_COMM_WORLD);
      if (is_meant(call) && rank == size - 1) sleep(100);
      if (!call.run(scene)) return 3;
      if (is_meant(call)) break;
    }
  }
  std::fprintf(stderr, "%s came to an end\n", title);
  return 0;
}

/// The file is open; who waits for whom is said inside MPI_Finalize.
int run_finalize(const std::string& name) {
  Scene scene;
  scene.name = name;
  open_scene(scene);
  const Call call = {"finalize", "MPI_Finalize", Told::kNamed, nullptr};
  forget_files();
  bool good = true;
  {
    const Caught caught;
    if (rank == size - 1) good = stay_away(call) == Seen::kLine;
    MPI_Finalize();
  }
  if (rank == size - 1) {
    if (!good)
      std::fprintf(stderr, "nobody says who is missing in MPI_Finalize\n%s",
                   read_all(log_name).c_str());
    std::remove(log_name.c_str());
    std::remove(name.c_str());
  }
  return good ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const char* const expected = std::getenv("PCIO_TEST_NP");
  if (argc < 2 || size < 2 || (expected != nullptr && std::atoi(expected) != size)) {
    std::fprintf(stderr, "absent_cases FILE [CALL]: on 2 ranks or more\n");
    MPI_Abort(MPI_COMM_WORLD, 3);
  }
  setenv("PCIO_HANG_SECONDS", "0.25", 0);
  const std::string name = argv[1];
  log_name = name + ".stderr";
  done_name = name + ".done";
  if (argc > 2 && std::strcmp(argv[2], "finalize") == 0) return run_finalize(name);
  const bool letters = argc > 2 && std::strcmp(argv[2], "letters") == 0;
  if (argc > 2 && !letters) return run_abort(name, argv[2]);
  if (letters) run_letters(name);
  const bool every = std::getenv("PCIO_LONG") != nullptr;
  // More than 15 agreements, and the ranks of one machine wait at a board in its memory.
  for (int culprit = 0; !letters && culprit < (every ? size : 1); ++culprit)
    for (const int agreements : {0, 20})
      if (every || (agreements > 0) == (size > 2)) run_all(name, culprit, agreements);
  const int cases = bins[0] + bins[1] + bins[2];
  if (rank == 0)
    std::printf(
        "absent: %d cases on %d ranks, every %s: %d told, %d did not communicate, %d silent; "
        "%d failures\n",
        cases, size, letters ? "letter" : "call", bins[0], bins[1], bins[2], failures);
  if (bins[0] == 0 || (bins[1] == 0 && !letters)) ++failures;
  MPI_Finalize();
  return failures == 0 ? 0 : 1;
}
