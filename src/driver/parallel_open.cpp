// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room driver: agreeing before a file is opened on many ranks.
//
// MPI_File_open itself does not promise that all ranks fail together, so whatever can be known
// before is found out and agreed first.

#include "driver/parallel_open.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <fcntl.h>
#include <span>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include "agree/call_log.hpp"
#include "agree/compared_values.hpp"
#include "base/library_lock.hpp"
#include "base/without_throwing.hpp"
#include "driver/driver_facts.hpp"
#include "driver/file_names.hpp"
#include "driver/made_files.hpp"
#include "driver/posix_file.hpp"
#include "driver/writer_lock.hpp"
#include "mpi/environment.hpp"

namespace pcio {

namespace {

const char* mode_name(OpenMode mode) {
  switch (mode) {
    case OpenMode::kReadOnly: return "H5F_ACC_RDONLY";
    case OpenMode::kReadWrite: return "H5F_ACC_RDWR";
    case OpenMode::kCreateExclusive: return "H5F_ACC_EXCL";
    case OpenMode::kTruncate: return "H5F_ACC_TRUNC";
  }
  return "?";
}

/// Ranks may reach one file by different folders (mount points), hardly by different last names.
std::string_view last_name(std::string_view path) {
  const std::size_t slash = path.find_last_of('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

/// What travels and is told.
NamedValues values_of(const OpenRequest& request) {
  NamedValues values = {{"the access flags", mode_name(request.mode)},
                        {"the file's name", std::string(last_name(request.path))}};
  values.insert(values.end(), request.compared.begin(), request.compared.end());
  return values;
}

/// What MPI_File_open takes, also for a time, and this library with it: more than was seen.
constexpr std::size_t kDescriptorsToOpen = 8;

/// A machine with a cache of its own may hold a name for that of a file that is gone, for a second and longer. So the name
/// is looked up by hand until it is the file's: MPI_File_open may wait for ever where it fails on some ranks. Listing the folder
/// has names looked up anew. Returns errno.
constexpr int kLooks = 250;
constexpr int kLooksForList = 10;
constexpr useconds_t kLookAgainAfter = 20'000;  // microseconds
enum class Expected : std::uint8_t { kPerhaps, kThere };
enum class MadeBy : std::uint8_t { kAll, kRank0 };
int look_for(const std::string& path, OpenMode mode, Expected expected, PosixFile* seen = nullptr) {
  const LibraryPause others_go_on;
  int error = 0;
  for (int look = 0; look < kLooks; ++look) {
    error = open_refusal(path, mode, seen);
    if (error != ESTALE && !(error == ENOENT && expected == Expected::kThere)) break;
    if (look % kLooksForList == 0 && look_up_anew(path)) continue;
    (void)::usleep(kLookAgainAfter);
  }
  return error;
}

/// The name may also lead to a file that has another one by now. Where numbers of files go on to differ for longer than
/// names are held they mean nothing.
constexpr int kLooksForNumber = 75;
/// What is looked at again and again a machine may go on with for ever, as GlusterFS with a folder that has another name: so
/// the last looks come behind a time without any.
constexpr int kLastLooks = 2;
constexpr useconds_t kWithoutLook = 1'200'000;  // microseconds
void wait_for_next(int look) {
  (void)::usleep(look + kLastLooks >= kLooksForNumber ? kWithoutLook : kLookAgainAfter);
}
/// A bit less, which says in agreements that there is one.
std::uint64_t number_of(const struct stat& info) { return info.st_ino & (UINT64_MAX >> 1); }
std::uint64_t number_of(PosixFile& file) {
  struct stat info {};
  return file.is_open() && ::fstat(*file.address(), &info) == 0 ? number_of(info) : 0;
}
/// As look_for; `number`: of the file that is to be found, 0: any.
int look_for_file(const std::string& path, Expected expected, std::uint64_t number,
                  PosixFile* seen) {
  int error = 0;
  for (int look = 0; look < kLooksForNumber; ++look) {
    error = look_for(path, OpenMode::kReadWrite, expected, seen);
    if (error != 0 || number == 0 || number_of(*seen) == number || look + 1 == kLooksForNumber)
      break;
    const LibraryPause others_go_on;
    if (look % kLooksForList == 0) (void)look_up_anew(path);
    wait_for_next(look + 1);
  }
  return error;
}

/// The folder of a new file as a number, of ranks on one machine; 0: it can't be seen.
std::uint64_t folder_of_new(const OpenRequest& request) {
  struct stat info {};
  if (::stat(named_folder(strip_prefix(request.path)).c_str(), &info) != 0) return 0;
  const std::array<std::uint64_t, 2> words{info.st_dev, info.st_ino};
  return hash_bytes(std::as_bytes(std::span(words)), 0);
}

/// On the machine that exports a file by NFS it lies in another file system: Open MPI's MPI-IO would wait elsewhere, for ever, for
/// a lock that the server's rank has, and a page of which that rank writes a part is another machine's as a whole. Who only
/// reads may run there.
void append_place(const FileSystemTraits& place, NamedValues* values) {
  values->push_back({"whether the file lies on NFS, on whose server no rank of a writer may run,",
                     place.is_nfs ? "yes" : "no"});
}

/// By rank 0, before MPI opens it.
Status make_file(const OpenRequest& request, MadeFiles* made) {
  const std::string path = strip_prefix(request.path);
  static_cast<void>(look_for(path, OpenMode::kTruncate, Expected::kPerhaps));
  PosixFile found;
  for (int look = 0; look < kLooksForNumber; ++look) {
    Result<PosixFile> file = made->make(path);
    const bool is_new = file.has_value();
    if (!file && request.mode != OpenMode::kCreateExclusive)
      file = PosixFile::open(path, request.mode);
    if (file) found = std::move(*file);
    if (is_new) break;
    // What is there will be emptied, or is refused. It may be a file that has another name by now.
    const bool is_there = look_up_anew(path);
    // Says it as a name that is taken.
    if (!file && is_there && request.mode == OpenMode::kCreateExclusive)
      PCIO_TRY(inspect_path(request));
    struct stat now {};
    const bool seems_there = ::stat(path.c_str(), &now) == 0;
    if (!file && (is_there || !seems_there || look + 1 == kLooksForNumber)) return file.error();
    if (file && is_there && seems_there && number_of(now) == number_of(found)) break;
    const LibraryPause others_go_on;
    (void)::usleep(kLookAgainAfter);
  }
  if (request.seen) request.seen->file = std::move(found);
  return Status();
}

/// Whether the name of a file that rank 0 makes first is taken it finds out then: what this rank sees under it may be that
/// very file.
Status inspect_again(OpenRequest request, MadeBy made_by) {
  if (made_by == MadeBy::kRank0 && is_create(request.mode)) request.mode = OpenMode::kTruncate;
  static_cast<void>(look_for(strip_prefix(request.path), request.mode, Expected::kPerhaps));
  return inspect_path(request);
}

/// Whether ranks have different files under a name they find out together. `look`: up to kLooksAnew.
constexpr int kLooksAnew = 3;
Status look_anew(const OpenRequest& request, int look) {
  const std::string path = strip_prefix(request.path);
  {
    const LibraryPause others_go_on;
    if (look > 0)
      (void)::usleep(look == kLooksAnew ? kWithoutLook
                                        : kLooksForNumber / kLooksAnew * kLookAgainAfter);
    (void)look_up_anew(path);
  }
  request.seen->file = PosixFile();
  static_cast<void>(look_for(path, request.mode, Expected::kThere));
  return inspect_path(request);
}

Status see_new(const OpenRequest& request, Expected expected, std::uint64_t made) {
  if (request.seen && request.seen->file.is_open()) return Status();  // this rank's
  const std::string path = strip_prefix(request.path);
  PosixFile own;
  const int error = look_for_file(path, expected, made, request.seen ? &request.seen->file : &own);
  return error == 0 ? Status() : system_error("create " + path, error, Minor::CANTOPENFILE);
}

}  // namespace

namespace {

/// What ROMIO takes for a file system before a colon, in small letters or in capitals; any other name is a name. Source:
/// ROMIO's user's guide, and what its libraries have.
constexpr std::array<std::string_view, 18> kPrefixes = {
    "ufs",  "nfs",   "xfs",  "pfs",    "piofs",  "hfs",    "sfs",  "pvfs", "pvfs2",
    "ntfs", "panfs", "gpfs", "lustre", "testfs", "zoidfs", "daos", "ime",  "quobytefs"};

bool is_prefix(std::string_view word) {
  return std::any_of(kPrefixes.begin(), kPrefixes.end(), [&](std::string_view known) {
    return word == known || std::equal(word.begin(), word.end(), known.begin(), known.end(),
                                       [](char a, char b) { return a == std::toupper(b); });
  });
}

/// Of the prefix, the colon included. Bytes.
std::size_t prefix_length(const std::string& path) {
  const std::size_t colon = path.find(':');
  const bool has_one =
      colon != std::string::npos && is_prefix(std::string_view(path).substr(0, colon));
  return has_one ? colon + 1 : 0;
}

}  // namespace

/// Of the system that runs here, since it was started: containers that share it have the same. 0: unknown.
std::uint64_t number_of_system() {
  static const std::uint64_t number = [] {
    std::array<std::byte, 64> text{};
    const int fd = ::open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    const ssize_t got = fd < 0 ? -1 : ::read(fd, text.data(), text.size());
    if (fd >= 0) (void)::close(fd);
    return got <= 0 ? std::uint64_t{0}
                    : hash_bytes(std::span(text).first(static_cast<std::size_t>(got)), 0) | 4;
  }();
  return number;
}

/// Where a file of a file system that one machine has for itself lies, as a number: the file itself, or the folder of one that is
/// to be made. 0: unknown. Other machines may have the same name, and even the same number of a file, elsewhere.
std::uint64_t number_of_place(const OpenRequest& request) {
  struct stat info {};
  const std::string path = strip_prefix(request.path);
  const std::string place = is_create(request.mode) ? named_folder(path) : path;
  if (number_of_system() == 0 || ::stat(place.c_str(), &info) != 0) return 0;
  const std::array<std::uint64_t, 3> words{number_of_system(), info.st_dev, info.st_ino};
  return hash_bytes(std::as_bytes(std::span(words)), 0) | 4;  // two bits less are compared
}

/// Ranks that open a file of one machine by themselves wait for nobody in MPI_File_open, which makes them meet some ten times. A
/// new one that must not be there one rank makes. What a parallel file system is to know of a file's ranks MPI-IO tells it.
/// `number`: of the place, which the others have to have, too.
OpeningWay way_of(OpenMode mode, const FileSystemTraits& place, std::uint64_t number,
                  bool one_machine) {
  if (!one_machine && !place.coherent) return OpeningWay::kApart;
  const bool alone = place.local && number != 0 && mode != OpenMode::kCreateExclusive &&
                     mpi::is_library("Open MPI");
  return alone ? OpeningWay::kAlone : OpeningWay::kTogether;
}

FileSystemTraits place_of(const OpenRequest& request) {
  const std::string path = strip_prefix(request.path);
  if (!is_create(request.mode))
    if (const FileSystemTraits known = find_file_system(path); known.number != 0) return known;
  return find_file_system(named_folder(path));
}

std::string strip_prefix(const std::string& path) { return path.substr(prefix_length(path)); }

/// Open MPI's own MPI-IO has no prefixes: it would make a file of the whole name.
const char* path_for_mpi(const std::string& path) {
#ifdef OPEN_MPI
  return path.c_str() + prefix_length(path);
#else
  return path.c_str();
#endif
}

std::string lasting_path(const std::string& path) {
  const std::string plain = strip_prefix(path);
  if (plain.empty()) return path;
  // The directory as it is now: a link on the way may point elsewhere later.
  const std::string lasting = lasting_name(absolute_name(plain));
  if (lasting.empty()) return path;
  return path.substr(0, path.size() - plain.size()) + lasting;
}

Status check_descriptors(const std::string& what) {
  std::array<int, kDescriptorsToOpen> taken{};
  int error = 0;
  for (int& one : taken) {
    one = ::eventfd(0, EFD_CLOEXEC);
    if (one < 0 && (errno == EMFILE || errno == ENFILE)) error = errno;
  }
  for (const int one : taken)
    if (one >= 0) (void)::close(one);
  return error == 0 ? Status() : system_error(what, error, Minor::CANTOPENFILE);
}

Status inspect_path(const OpenRequest& request) {
  if (!request.checked.ok()) return request.checked;
  if (request.path.empty()) return PCIO_ERROR(ARGS, BADVALUE, "no file name");
  const char* const what = is_create(request.mode) ? "create " : "open ";
  PCIO_TRY(check_descriptors(what + strip_prefix(request.path)));
  if (request.image != nullptr && !request.image->bytes.empty())
    return PCIO_ERROR(FILE, UNSUPPORTED, "an MPI driver takes no initial file image");
  const std::string path = strip_prefix(request.path);
  struct stat info {};
  const bool exists = ::stat(path.c_str(), &info) == 0;
  // Names that can't be: ompio was seen to crash where one is too long, or begins in a working directory that is gone.
  if (!exists && is_create(request.mode) && errno != ENOENT)
    return system_error("create " + path, errno, Minor::CANTOPENFILE);
  if (absolute_name(path).empty()) return system_error(what + path, ENOENT, Minor::CANTOPENFILE);
  if (request.mode == OpenMode::kCreateExclusive)
    return exists ? system_error("create " + path, EEXIST, Minor::FILEEXISTS) : Status();
  if (request.mode == OpenMode::kTruncate) {
    if (exists && !S_ISREG(info.st_mode))
      return PCIO_ERROR(FILE, CANTOPENFILE, "create " + path + ": not a regular file");
    return Status();
  }
  // Opening once by hand tells more than access(): the answer is for the effective user.
  PCIO_ASSIGN(PosixFile file, PosixFile::open(path, request.mode));
  if (request.seen) request.seen->file = std::move(file);
  return Status();
}

Status why_not_opened(const std::string& path, OpenMode mode, const Status& failed) {
  const std::string plain = strip_prefix(path);
  const int error = open_refusal(plain, mode);
  if (error == 0) return failed;
  Status told =
      system_error((is_create(mode) ? "create " : "open ") + plain, error, Minor::CANTOPENFILE);
  for (const ErrorFrame& frame : failed.frames()) told.push(frame);
  return told;
}

Status see_made(const OpenRequest& request, std::uint64_t made) {
  return see_new(request, Expected::kThere, made);
}

Result<std::shared_ptr<Coordinator>> agree_to_open(Lobby& lobby, const OpenRequest& request,
                                                   SeenFile* for_mpi, bool* is_made) {
  if (request.coordinator) return request.coordinator;
  const CallName name{is_create(request.mode) ? "H5Fcreate" : "H5Fopen", request.path};
  const bool one_machine = lobby.machine().nodes() == 1;
  NamedValues mine;
  FileSystemTraits place;
  std::uint64_t folder = 0, number = 0;
  Status local = without_throwing([&] {
    mine = values_of(request);
    place = place_of(request);
    if (one_machine && is_create(request.mode)) folder = folder_of_new(request);
    if (is_writable(request.mode)) append_place(place, &mine);
    if (place.local) number = number_of_place(request);
    return Status();
  });
  const bool has_values = local.ok();
  // Rank 0 makes a new file before MPI opens it, and this rank is to see it.
  const bool is_first = has_values && is_create(request.mode) && !place.coherent;
  // What MPI can't open ends the program, or keeps the other ranks waiting for ever.
  const auto named = [&](Status inspected) -> Status {
    PCIO_TRY(std::move(inspected));
    if (for_mpi == nullptr) return Status();
    PCIO_ASSIGN(for_mpi->name, ShortName::of(request.path, lobby.comm().size()));
    return Status();
  };
  if (has_values) local = without_throwing([&] { return named(inspect_path(request)); });
  if (request.seen && !is_create(request.mode)) request.seen->traits = place;
  OpenArgumentFacts facts{request.mode, hash_values(mine)};
  // A machine may have another file under this name than the others.
  const bool compares = !one_machine && !is_create(request.mode) && request.seen;
  if (compares) facts.file = number_of(request.seen->file);
  AgreedOpening opening;
  PCIO_ASSIGN(
      std::shared_ptr<Coordinator> coordinator,
      Coordinator::create(lobby, name,
                          {facts.values_hash ^ folder, local.ok() && !is_first,
                           way_of(request.mode, place, number, one_machine), facts.file, number},
                          &opening));
  const bool apart = opening.way == OpeningWay::kApart;
  if (for_mpi != nullptr) for_mpi->together = !apart;
  const bool may_differ = compares && apart;
  bool differs = may_differ && !opening.same_file;
  if (opening.same_arguments && opening.all_good && !differs) {
    if (for_mpi != nullptr) for_mpi->together = opening.way == OpeningWay::kTogether;
    return coordinator;
  }
  // Now that all have come it may be good: rank 0 has made the file that this rank did not see. What still is
  // not, the agreement tells.
  if (has_values && !local.ok())
    local = without_throwing([&] {
      return named(
          inspect_again(request, one_machine && place.coherent ? MadeBy::kAll : MadeBy::kRank0));
    });
  MadeFiles own;
  MadeFiles& made = request.made ? *request.made : own;
  // Also where only others' machines have caches: rank 0 may be on the server. On one machine the arguments differ, or
  // only the folders: MPI_File_open would make a file in rank 0's, and the others wait for ever.
  const bool may_be_unseen = one_machine != opening.same_arguments;
  // Another machine may have removed a file of that name: MPI_File_open would fail on some ranks, and the others wait.
  const bool may_be_stale = one_machine && !place.coherent;
  const bool makes = is_create(request.mode) && (may_be_unseen || may_be_stale) && local.ok() &&
                     coordinator->rank() == 0;
  if (makes) local = without_throwing([&] { return make_file(request, &made); });
  std::uint64_t made_flags = 0;
  if (makes) made_flags = 1 | (request.seen ? number_of(request.seen->file) << 1 : 0);
  const Expected expected = one_machine && place.coherent ? Expected::kPerhaps : Expected::kThere;
  bool any_makes = false;
  const auto agree_on_made = [&]() -> Status {
    GlobalFacts all;
    for (int look = 0;; ++look) {
      if (differs && local.ok())
        local = without_throwing([&] { return named(look_anew(request, look)); });
      if (compares) facts.file = number_of(request.seen->file);
      LocalFacts told = facts.pack();
      told.any_flags = made_flags;
      PCIO_ASSIGN(all, coordinator->agree(name, told, local));
      if (!OpenArgumentFacts::equal(all)) return name_difference(*coordinator, name, mine);
      differs = may_differ && !OpenArgumentFacts::same_file(all);
      if (!differs || look == kLooksAnew) break;
    }
    any_makes = all.any_flags != 0;
    const std::uint64_t number = all.any_flags >> 1;
    if (for_mpi != nullptr) for_mpi->made = number;
    // What each rank opens by itself it waits for by itself.
    if (!any_makes || (for_mpi != nullptr && apart)) return Status();
    return coordinator->outcome(
        name, without_throwing([&] { return see_new(request, expected, number); }));
  };
  if (Status failed = agree_on_made(); !failed.ok()) {
    take_back(&made, *coordinator);
    return detail::StatusReturn(std::move(failed));
  }
  if (is_made != nullptr) *is_made = any_makes;
  return coordinator;
}

void take_back(MadeFiles* made, Coordinator& coordinator) {
  if (!coordinator.health().ok()) return;
  if (made != nullptr) made->remove();
  static_cast<void>(coordinator.barrier());
}

Status agree_opened(mpi::File& file, Coordinator& coordinator, const CallName& name,
                    const Status& local) {
  std::uint64_t opened = file.is_null() ? 0 : 1;
  PCIO_TRY(coordinator.allreduce_min({&opened, 1}));
  Status all = coordinator.outcome(name, local);
  if (all.ok()) return all;
  // MPI_File_close is collective: it is for the case that every rank has a handle to close.
  if (opened != 0 && coordinator.health().ok())
    (void)file.close();
  else
    file.abandon();
  return all;
}

}  // namespace pcio
