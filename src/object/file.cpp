// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: File: opening, sharing and closing.

#include "object/file.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <map>
#include <mutex>
#include <span>
#include <system_error>
#include <unistd.h>
#include <vector>

#include "agree/call_log.hpp"
#include "agree/shared_environment.hpp"
#include "base/never_destroyed.hpp"
#include "base/without_throwing.hpp"
#include "driver/file_names.hpp"
#include "driver/made_files.hpp"
#include "driver/mpi_settings.hpp"
#include "driver/parallel_open.hpp"
#include "driver/posix_file.hpp"
#include "mpi/environment.hpp"
#include "object/filter_use.hpp"
#include "object/open_facts.hpp"
#include "storage/chunks/chunk_images.hpp"
#include "storage/bytes/hole_probe.hpp"
#include "storage/commit/commit.hpp"
#include "storage/file/shared_opening.hpp"
#include "transfer/filtered/pending_chunks.hpp"

namespace pcio {

namespace {

std::mutex registry_mutex;
std::vector<std::weak_ptr<File>>& registry() {
  // Never destroyed: files that are still open are closed while the process ends.
  static NeverDestroyed<std::vector<std::weak_ptr<File>>> files;
  return *files;
}

}  // namespace

std::vector<FilePtr> open_files() {
  std::lock_guard lock(registry_mutex);
  std::vector<FilePtr> files;
  for (const auto& weak : registry())
    if (FilePtr file = weak.lock(); file && file->is_open()) files.push_back(std::move(file));
  return files;
}

Status take_file_of_others(const File& file, WhenTaken what) {
  // Before the file's: who has that is asked nothing more.
  if (file.is_open() && file.parallel()) PCIO_TRY(mpi::take_turn(what));
  if (!is_taken_by_other(*file.lock())) return take_file_lock(file.lock(), what);
  for (FileLockPtr lock;;) {
    lock = file.lock();
    PCIO_TRY(take_file_lock(lock, what));
    // A mount may have given it another one while this waited.
    if (lock == file.lock()) return Status();
  }
}

namespace {

/// Which of several openings of one file a call wants that comes from another file, the largest: one that several
/// ranks have. Whether this rank reads the file beside it is its own knowledge, and must decide nothing: where all ranks have
/// changed files since, what it knows of them may be older than what the others find. -1: none.
int rank_for_others(File& file) {
  if (file.behind() >= File::Behind::kOfItsRanks || file.store().may_be_outdated()) return -1;
  return (file.parallel() ? 2 : 0) + (file.writable() ? 1 : 0);
}

/// The open file of this identity that `rank` prefers, the first of several alike, taken.
template <class Rank>
Result<FilePtr> take_preferred(const FileIdentity& wanted, const std::string& path, Rank&& rank) {
  for (;;) {
    FilePtr found;
    int best = -1;
    for (FilePtr& file : open_files()) {
      const FileIdentity have = file->store().driver().identity();
      if (have != wanted && (have.inode != 0 || have.path != path)) continue;
      if (const int value = rank(*file); value > best) {
        best = value;
        found = std::move(file);
      }
    }
    if (!found) return found;
    PCIO_TRY(take_file(*found));
    if (found->is_open()) return found;
  }
}

}  // namespace

Result<FilePtr> take_open_file(const FileIdentity& wanted, const std::string& path) {
  return take_preferred(wanted, path, rank_for_others);
}

namespace {

void remember(const FilePtr& file) {
  std::lock_guard lock(registry_mutex);
  std::erase_if(registry(), [](const auto& weak) { return weak.expired(); });
  registry().push_back(file);
}

const DriverSettings& settings_of(const OpenFileRequest& request) {
  return request.driver != nullptr ? *request.driver : request.access.driver.value();
}

/// A new file that stays in memory has nothing to do with one on disk of the same name.
bool leaves_disk_alone(const OpenFileRequest& request) {
  const auto* memory = dynamic_cast<const MemorySettings*>(&settings_of(request));
  return memory != nullptr && is_create(request.mode) &&
         memory->backing_store() == MemorySettings::BackingStore::kNone;
}

/// The lock of a name under which a file is being opened, so that two threads don't open it twice.
FileLockPtr lock_of_name(const std::string& path) {
  static NeverDestroyed<std::map<std::string, std::weak_ptr<FileLock>>> kept;
  auto& names = *kept;
  const std::string whole = absolute_name(strip_prefix(path));
  std::erase_if(names, [](const auto& name) { return name.second.expired(); });
  auto& known = names[whole.empty() ? path : normal_name(whole)];
  FileLockPtr lock = known.lock();
  if (!lock) known = lock = std::make_shared<FileLock>();
  return lock;
}

/// The communicator that the settings name, or MPI_COMM_NULL.
MPI_Comm comm_of(const DriverSettings& settings) {
  if (const auto* mpio = dynamic_cast<const MpioSettings*>(&settings)) return mpio->comm().raw();
  if (const auto* posix = dynamic_cast<const MpiposixSettings*>(&settings))
    return posix->comm().raw();
  return MPI_COMM_NULL;
}

bool same_ranks(File& file, MPI_Comm wanted) {
  mpi::Comm* have = file.coordinator().comm();
  if (have == nullptr || wanted == MPI_COMM_NULL) return have == nullptr && wanted == MPI_COMM_NULL;
  int result = MPI_UNEQUAL;
  MPI_Comm_compare(wanted, have->raw(), &result);
  return result == MPI_IDENT || result == MPI_CONGRUENT;
}

bool same_ranks(File& file, const DriverSettings& settings) {
  return same_ranks(file, comm_of(settings));
}

/// Who finds an open file: an open of the program, or a link.
enum class Finder : std::uint8_t { kOpen, kLink };

/// Nobody else opens a file of this name until the call ends. An open finds the opening that it may join, where
/// there are several, or else the one that may be in its way.
Result<FilePtr> find_open(const OpenFileRequest& request, Finder finder = Finder::kOpen) {
  if (leaves_disk_alone(request)) return FilePtr();
  PCIO_TRY(take_file_lock(lock_of_name(request.path)));
  const FileIdentity wanted = identify_file(request.path);
  if (finder == Finder::kLink) return take_open_file(wanted, request.path);
  const bool parallel = settings_of(request).is_parallel(), reads = !is_writable(request.mode);
  return take_preferred(wanted, request.path, [&](File& file) {
    // Nobody reads what is gone. Of an opening by MPI its ranks find out together (open_again).
    const bool is_old =
        file.parallel() ? file.behind() == File::Behind::kAgreed : file.store().may_be_outdated();
    if (reads && is_old) return -1;
    // Of several the one that all who come have, where some have another one for themselves.
    return (file.parallel() == parallel ? 4 : 0) + (file.writable() ? 2 : 0) +
           (same_ranks(file, settings_of(request)) ? 1 : 0);
  });
}

/// What a file with this list does when it is closed.
CloseDegree effective_degree(const FileAccessProps& access) {
  if (access.close_degree != CloseDegree::kDefault) return access.close_degree;
  return access.driver.value().is_parallel() ? CloseDegree::kSemi : CloseDegree::kWeak;
}

OpenRequest driver_request(const OpenFileRequest& request) {
  OpenRequest out;
  out.path = request.path;
  out.mode = request.mode;
  out.locking = request.access.use_file_locking ? FileLocking::kBestEffort : FileLocking::kOff;
  out.beside_writer = request.beside_writer;
  out.image = request.image;
  out.access = &request.access;
  out.checked = request.checked.ok() ? check_environment() : request.checked;
  if (is_create(request.mode)) append_compared(request.create, &out.compared);
  append_compared(request.access, &out.compared);
  return out;
}

using MadeStore = Result<std::unique_ptr<FileStore>>;

std::uint64_t number_of(FileStore& store) {
  const SeenBy by = store.coordinator().one_machine() ? SeenBy::kOneMachine : SeenBy::kSeveral;
  return number_of_file(store.driver().identity(), store.driver().capabilities(), by,
                        store.writable());
}

/// Collective: independent.
OpenFacts facts_of(FileStore& store, const OpenFileRequest& request) {
  OpenFacts mine;
  mine.call = is_create(request.mode) ? CallKind::kCreate : CallKind::kOpen;
  mine.pending_memory = request.access.pending_memory;
  mine.file_bytes = store.end().size();
  mine.file_number = number_of(store);
  mine.asked = store.sync().asked();
  mine.by_all = by_all_flags(store.driver());
  const std::uint64_t stripe = store.coordinator().environment().check_stripe;
  mine.lock_unit = stripe > 0 ? stripe : store.driver().lock_unit();
  mine.writers = store.driver().hinted_writers();
  mine.holes_unknown = store.writable() && holes_are_unknown(store.driver());
  return mine;
}

/// What becomes of the file where opening it fails. Of this rank, and then of all.
struct LetGo {
  /// Together with the others; all: each can.
  bool can_close = false;
  /// Another program writes what the call has made; all: some rank has found so.
  bool keeps_made = false;
  /// All: nobody who was to lock it has failed before.
  bool is_locked = true;
};

/// All ranks have what they need of an open file, or none goes on; and they agree on what must be equal, and
/// on the size of the file: what each sees of it decides later which calls communicate.
/// `store`: nullptr where `local` says why. Collective: over the file, one exchange.
Status agree_on_store(Coordinator& coordinator, const CallName& name,
                      const OpenFileRequest& request, FileStore* store, const Status& local,
                      AgreedOpen* agreed, LetGo* let_go) {
  OpenFacts mine;
  Status ready = local;
  if (ready.ok())
    ready = without_throwing([&] {
      mine = facts_of(*store, request);
      return Status();
    });
  mine.call = is_create(request.mode) ? CallKind::kCreate : CallKind::kOpen;
  LocalFacts facts = mine.pack();
  constexpr std::uint32_t kCannotClose = 1, kKeepsMade = 2, kUnlocked = 4;
  std::uint32_t causes = facts.causes = (let_go->can_close ? 0 : kCannotClose) |
                                        (let_go->keeps_made ? kKeepsMade : 0) |
                                        (let_go->is_locked ? 0 : kUnlocked);
  const Result<GlobalFacts> all = coordinator.agree(name, facts, ready, &causes);
  *let_go = {(causes & kCannotClose) == 0, (causes & kKeepsMade) != 0, (causes & kUnlocked) == 0};
  if (!all) return all.error();
  *agreed = AgreedOpen::unpack(*all);
  if (!agreed->same_file)
    return PCIO_ERROR(FILE, CANTOPENFILE,
                      "the ranks have opened different files: the name \"" + request.path +
                          "\" leads elsewhere on some of them");
  store->driver().set_by_one(by_one_rank(agreed->by_all, coordinator));
  store->pending().set_limit(agreed->pending_memory);
  store->end().set_size(agreed->file_bytes);
  store->set_sharing(agreed->lock_unit, agreed->writers);
  return Status();
}

/// Whatever a file holds that can't be opened after all. Collective: over the file.
void close_unopened(FileDriver& driver, Coordinator& coordinator) {
  if (!coordinator.health().ok()) return driver.abandon();
  static_cast<void>(coordinator.release_shared_memory());
  static_cast<void>(driver.close());
}

/// What a create has made goes where it fails: before any rank lets go of the file, which another program may write from then
/// on. Collective: over the file, one exchange of a create.
void remove_made(const OpenFileRequest& request, MadeFiles* made, bool is_locked,
                 Coordinator& coordinator) {
  if (!is_create(request.mode) || !coordinator.health().ok()) return;
  if (made != nullptr) made->remove(is_locked);
  static_cast<void>(coordinator.barrier());
}

/// What HDF5_USE_FILE_LOCKING says goes before the list.
bool wants_locks(const FileAccessProps& access) {
  return effective_locking(access.use_file_locking ? FileLocking::kBestEffort
                                                   : FileLocking::kOff) != FileLocking::kOff;
}

/// Why a file that this process has open can't be opened once more in this way.
Status check_second_open(File& file, const OpenFileRequest& request) {
  if (is_create(request.mode))
    return PCIO_ERROR(FILE, FILEOPEN,
                      "file \"" + request.path + "\" is open already and can't be created anew");
  if (is_writable(request.mode) && !file.store().writable())
    return PCIO_ERROR(FILE, FILEOPEN,
                      "file \"" + request.path + "\" is open already for reading only");
  if (request.beside_writer != file.beside_writer())
    return PCIO_ERROR(FILE, FILEOPEN,
                      "file \"" + request.path +
                          "\" is open already, and only one of the two asks for H5F_ACC_SWMR_READ");
  if (!same_ranks(file, settings_of(request)))
    return PCIO_ERROR(
        FILE, FILEOPEN,
        "file \"" + request.path + "\" is open already through another communicator or driver");
  if (effective_degree(request.access) != file.close_degree())
    return PCIO_ERROR(FILE, FILEOPEN,
                      "file \"" + request.path + "\" is open already with another close degree");
  if (!wants_locks(request.access) && wants_locks(file.access()))
    return PCIO_ERROR(
        FILE, FILEOPEN,
        "file \"" + request.path + "\" is open already with locks (H5Pset_file_locking)");
  return Status();
}

/// One of the two reads a file alone that several ranks have open, or both read it: neither looks at the other. What
/// the one that is alone reads is what the last commit before it left.
bool is_beside(File& file, const OpenFileRequest& request) {
  const bool reads = !is_writable(request.mode);
  if (!file.writable() && reads && file.beside_writer() == request.beside_writer) return true;
  if (file.beside_writer() || request.beside_writer) return false;
  const bool parallel = settings_of(request).is_parallel();
  return parallel ? !file.parallel() && !file.writable() : file.parallel() && reads;
}

/// All ranks open for writing, or make anew, what this process only reads: openings that a program has forgotten to close stay
/// behind. What they read from here on may be anything.
bool is_behind(File& file, const OpenFileRequest& request) {
  return is_writable(request.mode) && settings_of(request).is_parallel() && !file.writable() &&
         !file.beside_writer();
}

/// A page buffer holds whole pages, and only files that are made of pages have some.
/// Source: HDF5 Reference Manual, H5Pset_page_buffer_size.
Status check_page_buffer(std::size_t bytes, FileSpaceStrategy strategy, std::uint64_t page) {
  if (bytes == 0) return Status();
  if (strategy != FileSpaceStrategy::kPaged)
    return PCIO_ERROR(
        PLIST, BADVALUE,
        "a page buffer was asked for (H5Pset_page_buffer_size), but the file's space is "
        "not paged (H5Pset_file_space_strategy)");
  if (bytes < page)
    return PCIO_ERROR(PLIST, BADVALUE,
                      "a page buffer of " + std::to_string(bytes) +
                          " bytes (H5Pset_page_buffer_size) is smaller than a page of the file, " +
                          std::to_string(page) + " bytes");
  return Status();
}

}  // namespace

namespace {

std::string folder_of(const std::string& path) {
  const std::string whole = absolute_name(strip_prefix(path));
  return whole.empty() ? "/" : whole.substr(0, whole.rfind('/') + 1);
}

}  // namespace

File::File(const OpenFileRequest& request)
    : path_(request.path),
      folder_(folder_of(request.path)),
      access_(request.access),
      process_(::getpid()) {
  static std::atomic<unsigned long> counter{0};
  number_ = ++counter;
}

/// The file takes the store as the last thing, so that a rank without memory for it still has the store
/// to close with the others.
Result<FilePtr> File::adopt(std::unique_ptr<FileStore>& store, const OpenFileRequest& request) {
  FilePtr file;
  PCIO_TRY(without_throwing([&] {
    file.reset(new File(request));
    file->add_file_id(file);
    remember(file);
    return take_file_lock(file->lock_);
  }));
  if (file->access_.page_buffer_size > 0)
    file->access_.page_buffer_size -=
        file->access_.page_buffer_size % store->superblock_store().space_info().page_size;
  file->store_ = std::move(store);
  file->store_->set_lock(file->lock_.get());
  return file;
}

namespace {

/// What open_driver is to be asked for, by `check(OpenRequest*) -> Status`; what it finds wrong, or no
/// memory, goes along.
template <class Check>
OpenRequest checked_request(const OpenFileRequest& request, Check&& check) {
  OpenRequest wanted;
  Status checked = without_throwing([&]() -> Status {
    wanted = driver_request(request);
    if (settings_of(request).is_parallel()) wanted.seen = std::make_shared<SeenFile>();
    if (is_create(request.mode)) wanted.made = std::make_shared<MadeFiles>();
    const Status said = check(&wanted);
    return wanted.checked.ok() ? said : wanted.checked;
  });
  wanted.mode = request.mode;
  wanted.checked = std::move(checked);
  return wanted;
}

}  // namespace

/// The file is made of its store and known to the others, or none is: one exchange tells all ranks.
/// `store`: what this rank has made of `opened`; `made_files`: by a create. Collective: over the file.
Result<FilePtr> File::agree_on_file(OpenedFile& opened, MadeStore store, const CallName& name,
                                    const OpenFileRequest& request, MadeFiles* made_files,
                                    AgreedOpen* agreed) {
  const std::shared_ptr<Coordinator> coordinator =
      store ? (*store)->shared_coordinator() : opened.coordinator;
  FileStore* const made = store ? store->get() : nullptr;
  Result<FilePtr> file = store ? adopt(*store, request) : tl::unexpected<Status>(store.error());
  // What takes memory comes before the ranks agree.
  std::vector<FilePtr> behind;
  const Status looked = file ? (*file)->find_behind(&behind) : file.error();
  // Rank 0 locks, as the last thing that its driver needs.
  LetGo let_go{made != nullptr || opened.can_close(), made_files != nullptr && made_files->keeps(),
               made != nullptr || opened.driver || coordinator->rank() != 0};
  Status all = agree_on_store(*coordinator, name, request, made, looked, agreed, &let_go);
  if (all.ok()) {
    made->compare_space();
    (*file)->leave_behind(behind);
    return file;
  }
  if (made != nullptr) opened.driver = made->give_back_driver();
  opened.coordinator = coordinator;
  // Who has found that need not be who has made it.
  if (made_files != nullptr && let_go.keeps_made) made_files->keep();
  remove_made(request, made_files, let_go.is_locked, *coordinator);
  let_go_of(opened, let_go.can_close);
  return detail::StatusReturn(std::move(all));
}

Result<FilePtr> File::create(const OpenFileRequest& request) {
  if (settings_of(request).is_parallel()) call_went_too_far();
  const OpenRequest wanted = checked_request(request, [&](OpenRequest*) -> Status {
    PCIO_ASSIGN(const FilePtr have, find_open(request));
    if (have && !is_behind(*have, request)) PCIO_TRY(check_second_open(*have, request));
    return check_page_buffer(request.access.page_buffer_size, request.create.strategy,
                             request.create.file_space_page_size);
  });
  const std::uint64_t begun = nanoseconds_now();
  MadeFiles* const made_files = wanted.made.get();
  OpenedFile opened;
  const Status begun_opening = without_throwing([&]() -> Status {
    PCIO_ASSIGN(opened, open_on_ranks(settings_of(request), wanted));
    return Status();
  });
  if (!begun_opening.ok()) {
    // Where ranks have met that is done.
    if (made_files != nullptr && !settings_of(request).is_parallel()) made_files->remove();
    return detail::StatusReturn(Status(begun_opening));
  }
  const auto coordinator = opened.coordinator;
  const CallName name{"H5Fcreate", request.path};
  MadeStore store = opened.local.ok() ? FileStore::create(opened, request.create, request.access)
                                      : tl::unexpected<Status>(opened.local);
  AgreedOpen agreed;
  PCIO_ASSIGN(FilePtr file,
              agree_on_file(opened, std::move(store), name, request, made_files, &agreed));
  FileStore& made = *file->store_;
  // Only now: what another program is writing survives, and what a create would replace that is refused.
  const Status emptied = without_throwing([&] { return made.driver().empty_here(); });
  Status status = made.end().try_holes(name, agreed.holes_unknown, emptied);
  // Two nodes that write one page of an incoherent file system lose one of the writes.
  const CommitTraits traits{agreed.asked, by_one_rank(agreed.by_all, *coordinator).sizes};
  if (status.ok()) status = commit_new_file(made, name, traits, emptied);
  if (status.ok()) {
    made.report_log().add_open(nanoseconds_now() - begun, made.driver().counters());
    if (made_files != nullptr) made_files->keep();
    return file;
  }
  remove_made(request, made_files, true, *coordinator);
  close_unopened(made.driver(), *coordinator);
  return detail::StatusReturn(std::move(status));
}

Result<bool> File::join(const OpenFileRequest& request, const Status& ready) {
  constexpr std::uint32_t kOld = 1, kUnfit = 2;
  LocalFacts facts;
  facts.call_kind = CallKind::kOpen;
  // What an opening that stays behind is like says nothing: its ranks may not all know yet that it does.
  const Status fits = without_throwing([&] { return check_second_open(*this, request); });
  facts.causes = (behind_ != Behind::kNo ? kOld : 0) | (fits.ok() ? 0 : kUnfit);
  const CallName name{"H5Fopen", request.path};
  PCIO_ASSIGN(const GlobalFacts all, coordinator().agree(name, facts, ready));
  if ((all.causes & kOld) != 0) {
    behind_ = Behind::kAgreed;
    return false;
  }
  if ((all.causes & kUnfit) != 0) PCIO_TRY(coordinator().outcome(name, fits));
  return true;
}

Result<FilePtr> File::open(const OpenFileRequest& request) {
  if (settings_of(request).is_parallel()) call_went_too_far();
  FilePtr have, again;
  bool joins = false;
  OpenRequest wanted = checked_request(request, [&](OpenRequest* out) -> Status {
    PCIO_ASSIGN(have, find_open(request, request.for_source ? Finder::kLink : Finder::kOpen));
    const bool alone = !have || is_behind(*have, request);
    joins = !alone && same_ranks(*have, settings_of(request));
    // Whether a file is open already is each rank's own knowledge, and what follows depends on it.
    out->compared.push_back({"whether the file is open already", joins ? "yes" : "no"});
    if (joins) again = another_opening(have);
    return joins || alone || is_beside(*have, request) ? Status()
                                                       : check_second_open(*have, request);
  });
  PCIO_ASSIGN(wanted.coordinator, begin_open(settings_of(request), wanted));
  if (joins) return have->open_again(again, request, wanted);
  return open_first(request, wanted);
}

Result<FileHoldPtr> File::open_child(const OpenFileRequest& request) {
  PCIO_ASSIGN(FilePtr file, find_open(request, Finder::kLink));
  if (file) return std::make_shared<FileHold>(another_opening(file));
  OpenRequest wanted = checked_request(request, [](OpenRequest*) { return Status(); });
  PCIO_ASSIGN(wanted.coordinator, begin_open(settings_of(request), wanted));
  PCIO_ASSIGN(file, open_first(request, wanted));
  file->private_child_ = request.private_child;
  auto hold = std::make_shared<FileHold>(file);
  file->forget_file_id(file);
  return hold;
}

/// Collective: over the file, which all ranks have open.
Result<FilePtr> File::open_again(const FilePtr& opening, const OpenFileRequest& request,
                                 OpenRequest& wanted) {
  Status ready = without_throwing([&] {
    if (wanted.checked.ok()) add_file_id(opening, request.path);
    return wanted.checked;
  });
  const bool counted = ready.ok();
  if (wanted.coordinator)
    if (Status closed = wanted.coordinator->close(); ready.ok()) ready = std::move(closed);
  const Result<bool> joined = join(request, ready);
  if (joined && *joined) {
    // Whoever closes this opening commits the file, and fails where that does.
    if (const FilePtr owed = take_owed(*this)) forget_file_id(owed);
    return opening;
  }
  if (counted) forget_file_id(opening);
  if (joined) return open(request);
  return detail::StatusReturn(Status(joined.error()));
}

/// Collective: over the settings' communicator.
Result<FilePtr> File::open_first(const OpenFileRequest& request, const OpenRequest& wanted) {
  const std::uint64_t begun = nanoseconds_now();
  PCIO_ASSIGN(OpenedFile opened, open_on_ranks(settings_of(request), wanted));
  const auto coordinator = opened.coordinator;
  const CallName name{"H5Fopen", request.path};
  const auto access = request.beside_writer       ? FileAccess::kBesideWriter
                      : is_writable(request.mode) ? FileAccess::kReadWrite
                                                  : FileAccess::kReadOnly;
  MadeStore store = open_for_all(opened, access, request.access);
  if (store) {
    const FileSpaceInfoMessage& space = (*store)->superblock_store().space_info();
    Status fits = without_throwing([&] {
      return check_page_buffer(request.access.page_buffer_size, space.strategy, space.page_size);
    });
    if (!fits.ok()) {
      opened.driver = (*store)->give_back_driver();
      opened.coordinator = (*store)->shared_coordinator();
      store = tl::unexpected<Status>(std::move(fits));
    }
  }
  AgreedOpen agreed;
  PCIO_ASSIGN(FilePtr file,
              agree_on_file(opened, std::move(store), name, request, nullptr, &agreed));
  FileStore& made = *file->store_;
  const bool is_new = made.superblock_store().is_new();
  Status status = is_new ? Status() : made.prepare_for_writing();
  if (status.ok()) status = made.end().try_holes(name, agreed.holes_unknown);
  if (status.ok() && is_new)
    status = commit_new_file(
        made, name, {agreed.asked, by_one_rank(agreed.by_all, *coordinator).sizes}, Status());
  if (!status.ok()) {
    // The next one is to find it empty, as this one has.
    if (is_new && coordinator->health().ok())
      static_cast<void>(without_throwing([&] { return made.driver().empty_here(); }));
    close_unopened(made.driver(), *coordinator);
    return detail::StatusReturn(std::move(status));
  }
  made.report_log().add_open(nanoseconds_now() - begun, made.driver().counters());
  file->access_.low_bound = static_cast<LibraryVersion>(made.context().format);
  return file;
}

FileCreateProps File::create_props() const {
  const Superblock& superblock = store_->context().superblock;
  FileCreateProps props;
  props.superblock_version = superblock.version;
  props.userblock = superblock.base_address;
  props.sizeof_address = superblock.sizes.offset_size;
  props.sizeof_size = superblock.sizes.length_size;
  props.symbol_leaf_k = superblock.group_leaf_k;
  props.symbol_internal_k = superblock.group_internal_k;
  props.chunk_internal_k = superblock.indexed_storage_internal_k;
  const FileSpaceInfoMessage& space = store_->superblock_store().space_info();
  props.strategy = space.strategy;
  props.persist_free_space = space.persist;
  props.free_space_threshold = space.threshold;
  props.file_space_page_size = space.page_size;
  const auto& shared = store_->objects().shared().indexes();
  props.shared_message_indexes = static_cast<unsigned>(shared.size());
  for (std::size_t i = 0; i < shared.size() && i < props.shared_messages.size(); ++i) {
    props.shared_messages[i] = {shared[i].message_types, shared[i].min_size};
    props.shared_list_max = shared[i].list_max;
    props.shared_tree_min = shared[i].tree_min;
  }
  return props;
}

CloseDegree File::close_degree() const {
  if (access_.close_degree != CloseDegree::kDefault) return access_.close_degree;
  return store_->parallel() ? CloseDegree::kSemi : CloseDegree::kWeak;
}

void File::set_bounds(LibraryVersion low, LibraryVersion high) {
  access_.low_bound = low;
  access_.high_bound = high;
  store_->superblock_store().set_format(static_cast<FormatVersion>(low));
}

namespace {

/// All ranks that have `part` have opened `whole` together with this one.
bool has_all_ranks_of(File& whole, File& part) {
  std::array<MPI_Group, 3> groups{MPI_GROUP_NULL, MPI_GROUP_NULL, MPI_GROUP_NULL};
  MPI_Comm_group(whole.coordinator().comm()->raw(), &groups[0]);
  MPI_Comm_group(part.coordinator().comm()->raw(), &groups[1]);
  MPI_Group_intersection(groups[0], groups[1], &groups[2]);
  int all = 0, shared = 0;
  MPI_Group_size(groups[1], &all);
  MPI_Group_size(groups[2], &shared);
  for (MPI_Group& group : groups) MPI_Group_free(&group);
  return shared == all;
}

}  // namespace

Status File::find_behind(std::vector<FilePtr>* found) {
  if (!parallel() || !writable()) return Status();
  return without_throwing([&] {
    const FileIdentity written = store_->driver().identity();
    for (FilePtr& file : open_files()) {
      // What another thread has in hand it may be closing.
      if (file.get() == this || is_taken_by_other(*file->lock_) || !file->parallel()) continue;
      if (file->writable() || file->beside_writer()) continue;
      if (file->store_->driver().identity() == written) found->push_back(std::move(file));
    }
    return Status();
  });
}

void File::leave_behind(const std::vector<FilePtr>& others) noexcept {
  for (const FilePtr& file : others) {
    if (!file->is_open()) continue;
    const Behind known =
        has_all_ranks_of(*this, *file) ? Behind::kOfItsRanks : Behind::kOfSomeRanks;
    if (known > file->behind_) file->behind_ = known;
  }
}

bool shares_ranks(File& a, File& b) {
  mpi::Comm* const ranks = b.coordinator().comm();
  return same_ranks(a, ranks == nullptr ? MPI_COMM_NULL : ranks->raw());
}

FilePtr File::next_to_close() {
  std::lock_guard lock(registry_mutex);
  for (const auto& weak : registry())
    if (FilePtr file = weak.lock(); file && file->waits_to_close_ &&
                                    !is_in_call_of_other(*file->lock_) &&
                                    !is_used_by_callers(*file->lock_))
      return file;
  return nullptr;
}

FilePtr File::take_owed(const File& source) noexcept {
  for (std::size_t i = 0;; ++i) {
    FilePtr file;
    {
      const std::lock_guard lock(registry_mutex);
      if (i >= registry().size()) return nullptr;
      file = registry()[i].lock();
    }
    if (!file) continue;
    std::list<OwedClose>& owed = file->owed_;
    const auto found = std::find_if(
        owed.begin(), owed.end(), [&](const OwedClose& one) { return one.file.get() == &source; });
    if (found == owed.end()) continue;
    FilePtr taken = std::move(found->file);
    owed.erase(found);
    return taken;
  }
}

}  // namespace pcio
