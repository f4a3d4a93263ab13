// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: an open file as programs see it: its names, its open objects, its ways of closing.

#pragma once

#include <atomic>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

#include "base/library_lock.hpp"
#include "props/file_props.hpp"
#include "storage/file/file_store.hpp"

namespace pcio {

/// What H5Fcreate and H5Fopen were asked for.
struct OpenFileRequest {
  std::string path;
  OpenMode mode = OpenMode::kReadOnly;
  FileCreateProps create;  ///< for new files
  FileAccessProps access;
  const FileImage* image = nullptr;  ///< core driver; may be null
  /// Settings of the driver, which outlive the call: they lead to the other ranks also where there was
  /// no memory for a copy in `access`. Null: those of `access`.
  const DriverSettings* driver = nullptr;
  /// What the caller found wrong with its arguments: fails the open on all ranks.
  Status checked;
  /// A link of a parallel file leads there, which each rank follows by itself.
  bool private_child = false;
  /// A virtual dataset has elements there: as for a link only an opening is joined that has the file as it is.
  bool for_source = false;
  /// Read only, while another program may be its single writer (H5F_ACC_SWMR_READ).
  bool beside_writer = false;
};

class File;
class FileHold;
class OpenObject;
struct AgreedOpen;
struct CommitBeginning;
using FileHoldPtr = std::shared_ptr<FileHold>;

/// A file as one opening of it sees it. Pointers that are copies of each other belong to one opening,
/// and so does every place and object that is reached from one; openings of one file point to the same
/// File, and share the ownership of it.
using FilePtr = std::shared_ptr<File>;

/// True where both come from one H5Fcreate, H5Fopen or H5Freopen.
inline bool same_opening(const FilePtr& a, const FilePtr& b) {
  return !a.owner_before(b) && !b.owner_before(a);
}
/// One more opening of a file, to be counted by File::add_file_id. Collective: independent.
FilePtr another_opening(const FilePtr& file);

/// What a program says of a file while it is open; on each rank its own, and without effect on the file.
struct FileHints {
  bool no_attributes = false;  ///< H5Fset_dset_no_attrs_hint
  bool logging = false;        ///< H5Fstart_mdc_logging
  bool was_logging = false;
};

/// A file that is mounted on a group of another one, and what keeps it open.
struct Mount {
  FilePtr child;
  FileHoldPtr hold;
  StoredObjectPtr group;  ///< counted as open: it may lose its links
};

/// The same from its side: an opening of it is mounted on the group at `point`, known as `path`.
struct MountedOn {
  FilePtr parent;
  FileAddress point = kUndefinedAddress;
  std::string path;
};

/// An opening of a file that could not be closed.
struct OwedClose {
  FilePtr file;
};

/// New paths of open objects: made before links change, for that takes memory. No object is closed between.
class PathChanges {
 public:
  void add(OpenObject* open, std::string path) { all_.emplace_back(open, std::move(path)); }
  void run() noexcept;

 private:
  std::vector<std::pair<OpenObject*, std::string>> all_;
};

/// One file that this process has open, however many ids refer to it.
///
/// Threads: the one that has its lock (base/library_lock.hpp), but for what never changes. Whoever comes to a
/// file, by an id, a link, a source or a search among open files, takes the lock before it looks.
class File : public std::enable_shared_from_this<File> {
 public:
  struct PathKey {
    std::string_view path;
    const StoredObject* object;
  };
  /// By path, then by object.
  struct PathLess {
    using is_transparent = void;
    bool operator()(const OpenObject* a, const OpenObject* b) const;
    bool operator()(const OpenObject* a, const PathKey& b) const;
    bool operator()(const PathKey& a, const OpenObject* b) const;
  };
  using Paths = std::multiset<OpenObject*, PathLess>;

  /// Makes a file and commits it, so that anybody can open it from here on. One id of it is counted,
  /// as by add_file_id; so does open().
  /// Collective: over the access list's communicator; serial drivers: local.
  /// Errors: those of the driver; the file is open already in this process.
  static Result<FilePtr> create(const OpenFileRequest& request);
  /// Opens, or finds the file among those that this process has open: then another opening of it.
  /// Collective: as create.
  static Result<FilePtr> open(const OpenFileRequest& request);
  /// As open(), for a file that a link leads to: a call of this rank alone, so the driver is a serial one.
  /// What this process has open already is taken as it is, opened in parallel or for reading only. No id
  /// is counted: the result keeps the file open for as long as it lives. Collective: independent.
  static Result<FileHoldPtr> open_child(const OpenFileRequest& request);
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File();

  /// For this room: what is above it asks for what it needs by name.
  [[nodiscard]] FileStore& store() { return *store_; }
  [[nodiscard]] Coordinator& coordinator() { return store_->coordinator(); }
  [[nodiscard]] const std::string& path() const { return path_; }
  /// The name by which `opening` was made; path() is that of the first one.
  [[nodiscard]] const std::string& path_of(const FilePtr& opening) const;
  /// The folder that the file was in when it was opened, absolute, with a slash at its end.
  [[nodiscard]] const std::string& folder() const { return folder_; }
  [[nodiscard]] const FileAccessProps& access() const { return access_; }
  [[nodiscard]] FileAccessProps& access() { return access_; }
  [[nodiscard]] FileHints& hints() { return hints_; }
  [[nodiscard]] FileCreateProps create_props() const;
  [[nodiscard]] CloseDegree close_degree() const;
  /// One for all files that are mounted in each other; it may be another one after waiting.
  [[nodiscard]] const FileLockPtr& lock() const { return lock_; }
  void share_lock_of(const File& other) {
    if (lock_ == other.lock_) return;
    if (store_ != nullptr) store_->set_lock(nullptr);
    lock_ = other.lock_;
  }
  /// A number that no other file of this process has.
  [[nodiscard]] unsigned long number() const { return number_; }
  /// False after the file was closed or given up behind an id that is still there.
  [[nodiscard]] bool is_open() const { return store_ != nullptr; }
  [[nodiscard]] bool parallel() const { return store_->parallel(); }
  [[nodiscard]] bool writable() const { return store_->writable(); }
  /// Another program may be its single writer.
  [[nodiscard]] bool beside_writer() const { return store_->is_beside_writer(); }
  /// The formats that what is made from here on may have. Collective: by contract.
  void set_bounds(LibraryVersion low, LibraryVersion high);

  /// Counts of ids of the file itself and of objects in it. Independent.
  /// `path`: by which name, where the opening is not the first one of the file.
  void add_file_id(const FilePtr& opening, std::string_view path = {});
  /// For an id that came to nothing: nothing is closed by it.
  void forget_file_id(const FilePtr& opening);
  [[nodiscard]] unsigned file_ids() const { return file_ids_; }
  /// An id of an opening that has none any more, for a rank that asked an object for it: the others needn't know. In a
  /// parallel file it comes and goes alone, and keeps the file open only where all ranks have equally many; else as add_file_id. Independent.
  void add_lone_id(const FilePtr& opening);
  /// False where the opening has none.
  bool forget_lone_id(const FilePtr& opening);
  /// Objects that were opened through this opening and still are.
  /// ... without those that calls have lent to functions of the program.
  [[nodiscard]] unsigned objects_of(const FilePtr& opening) const;

  /// One id of the file goes. The last one commits and closes, or, with WEAK, leaves the file open
  /// behind its objects. With SEMI objects that came from the same opening keep any id from going.
  ///
  /// Collective: over the file. On failure the id stays. `open_objects` names what is open, for the
  /// message under SEMI. `ready`: what went wrong on this rank before; fails the close on all ranks.
  Status release_file_id(const FilePtr& opening, const std::string& open_objects,
                         const Status& ready = Status());

  /// Of an opening by MPI for reading: another opening of this process may have changed the file since.
  enum class Behind : std::uint8_t {
    kNo,
    kOfSomeRanks,
    kOfItsRanks,  ///< all of which have opened the other one together, and know it
    kAgreed       ///< in an exchange
  };
  [[nodiscard]] Behind behind() const { return behind_; }
  /// The file was opened for a link of a file with several ranks, by this rank alone.
  [[nodiscard]] bool is_private_child() const { return private_child_; }
  /// Something else keeps the file open than caches of other files and `passing` holds. Collective:
  /// independent.
  [[nodiscard]] bool stays_open(unsigned passing) const;
  /// For FileHold. In a parallel file what one rank holds alone is not counted: its ranks close it together.
  void add_hold(bool by_contract);
  Status release_hold(bool by_contract);
  /// A file that a link led to stays open until this one is closed or others have come in between
  /// (H5Pset_elink_file_cache_size). Collective: independent.
  Status keep_child(const FileHoldPtr& child);
  /// Lets go of them. Errors: those of closing.
  Status forget_children();
  /// A source of a virtual dataset of this file, open on the same ranks, that could not be closed: it is with
  /// this file, or by whoever opens it next. Collective: by contract, and asks for no memory.
  void owe_close(std::list<OwedClose>& source) noexcept { owed_.splice(owed_.end(), source); }

  /// For mount.hpp. What is mounted on groups of this file, by their addresses, and where an opening of this
  /// file is mounted; null: nothing, nowhere.
  [[nodiscard]] const std::map<FileAddress, Mount>& mounts() const { return mounts_; }
  [[nodiscard]] const Mount* mount_at(FileAddress group) const {
    if (mounts_.empty()) return nullptr;
    const auto found = mounts_.find(group);
    return found == mounts_.end() ? nullptr : &found->second;
  }
  [[nodiscard]] const MountedOn* mounted_on(const FilePtr& opening) const;
  static void add_mount(const Mount& mount, const MountedOn& on);
  /// What becomes of a file that only the mount kept open: closed, or, where its ranks don't come there together,
  /// left to the end of the program.
  enum class Mounted : std::uint8_t { kClose, kLeaveOpen };
  /// Errors: those of closing what nothing else keeps open.
  Status remove_mount(FileAddress group, Mounted what = Mounted::kClose);
  /// How many parallel files the end of this mount closes; of others the last object closes the file.
  /// Collective: independent. Errors: objects are open on this rank in one of them.
  [[nodiscard]] Result<std::size_t> closed_by_unmount(FileAddress group) const;

  /// Opens of objects count here, and are found by their paths. For OpenObject.
  void add_object(const FilePtr& opening);
  [[nodiscard]] const Paths& paths() const { return paths_; }
  Paths::iterator enter_path(OpenObject* open);
  void leave_path(Paths::iterator place);
  /// Changes the path of an object that is entered. Nothing here asks for memory.
  Paths::iterator move_path(Paths::iterator place, std::string* path, std::string&& changed);
  /// For OpenObject::lend, and its end.
  void add_lent(const FilePtr& opening);
  void forget_lent(const FilePtr& opening);
  /// One object of the file was closed. Collective: over the file if that closes it.
  Status release_object(const FilePtr& opening);
  /// Closes a file of which neither ids nor objects are left. Collective: over the file where it is one.
  /// Errors: those of the commit; the file stays open then, and this may be tried again.
  Status close_unused();
  /// What functions of the program wanted closed while the calls that ran them had it in hand, and no call
  /// has any more. At the end of each call, when its own files are given back: what it waits for then is not
  /// held by who waits for it. Collective: as close_unused of the files, in the order of opening.
  /// Errors: those of closing, of all files; a file stays open then.
  static Status close_waiting();
  /// There are such files. Under the library's lock.
  static bool any_waits_to_close();
  /// What open objects are called once the link `from` is `to`, or gone where `to` is empty.
  [[nodiscard]] PathChanges paths_renamed(const std::string& from, const std::string& to) const;
  /// What opens of an object that has no name are called once it has a link there.
  [[nodiscard]] PathChanges paths_named(const StoredObjectPtr& object,
                                        const std::string& path) const;
  /// Writes everything that changed. Collective: over the file. `checked`: what the caller found
  /// wrong with its arguments; fails the flush on all ranks.
  Status flush(const CallName& name, const Status& checked = Status());
  /// The file that this process has open with other ranks; null where there is none, or several.
  static std::shared_ptr<File> only_parallel();
  /// Closes whatever this process has still open, at MPI_Finalize or process end. What its parent opened
  /// before fork is let go: nothing of it is written or communicated.
  static void close_all();

 private:
  /// What one opening has open.
  struct Opening {
    unsigned ids = 0;
    unsigned lone_ids = 0;
    unsigned objects = 0;
    unsigned lent = 0;  ///< of these
    std::shared_ptr<MountedOn> mounted_on;
    std::string path;  ///< empty: the file's
    [[nodiscard]] bool is_over() const {
      return ids == 0 && lone_ids == 0 && objects == 0 && !mounted_on;
    }
  };
  explicit File(const OpenFileRequest& request);
  static Result<std::shared_ptr<File>> adopt(std::unique_ptr<FileStore>& store,
                                             const OpenFileRequest& request);
  static Result<std::shared_ptr<File>> agree_on_file(OpenedFile& opened,
                                                     Result<std::unique_ptr<FileStore>> store,
                                                     const CallName& name,
                                                     const OpenFileRequest& request,
                                                     MadeFiles* made_files, AgreedOpen* agreed);
  static Result<std::shared_ptr<File>> open_first(const OpenFileRequest& request,
                                                  const OpenRequest& wanted);
  Result<std::shared_ptr<File>> open_again(const FilePtr& opening, const OpenFileRequest& request,
                                           OpenRequest& wanted);
  /// Of a parallel file that is going to be written: what other openings for reading by MPI have of it stays behind. Collective:
  /// independent. Errors: memory; marking takes none.
  Status find_behind(std::vector<std::shared_ptr<File>>* found);
  void leave_behind(const std::vector<std::shared_ptr<File>>& others) noexcept;
  /// False where the opening is behind on any of its ranks: then it is on all. Collective: over the file.
  Result<bool> join(const OpenFileRequest& request, const Status& ready);
  /// What is mounted in it is closed with it on all ranks, or on none. Collective: over the file. `local`: why it
  /// can't be on this rank.
  Status close_store(const CallName& name, const Status& local);
  /// True where it is not to be closed before the calls around this one end, which have it in hand, and other
  /// ranks need not be asked: in a serial file always.
  bool waits_for_callers();
  void wait_for_callers();
  Status close_waited();
  struct Closers {
    bool wait = false;           ///< all of them for the calls around theirs
    bool all_come_again = true;  ///< or none, where it fails
    bool all_come_at_once =
        false;  ///< it fails, and those that it fails for come again without the program
    bool some_in_midst = false;
    bool some_end = false;  ///< the program has ended there
    bool all_end = false;
    bool all_have_lone_ids = false;  ///< the file stays open by them
  };
  /// From here on they are ids as others are. Collective: by contract.
  void count_lone_ids();
  /// One of several ids goes, on all ranks. Collective: over the file. Errors: `local` of any rank.
  Status give_back_id(const CallName& name, const Status& local);
  /// The program has ended here. Collective: over the file, with the closes of ranks where it has not.
  Status close_at_end(const CallName& name);
  /// It has no ids, and a file in which it is or was mounted keeps it open: the same on all ranks.
  [[nodiscard]] bool is_left_by_mount() const {
    return file_ids_ == 0 && (holds_ > 0 || objects_in_use() == 0);
  }
  /// What the ranks that close the file are in. Collective: over the file, where it is parallel.
  /// Errors: only some of them would have to wait, each as long as its own call takes; `local` of any rank.
  Status agree_on_closers(const CallName& name, const Status& local, Closers* closers,
                          CommitBeginning* beginning);
  bool begin_commit(const Status& refused, bool waits, CommitBeginning* beginning);
  /// The same on all ranks.
  void give_up(const CallName& name, const Closers& closers, Status* why);
  [[nodiscard]] Status why_given_up(const char* how) const;
  void leave_to_callers();
  static std::shared_ptr<File> next_to_close();
  /// Parallel files that are closed where mounts end: what each has lost, and those that nothing keeps open.
  struct Closing {
    std::map<const File*, unsigned> released;
    std::vector<const File*> files;
  };
  static void list_closed(const Mount& mount, Closing* closing);
  static Status check_closing(const Closing& closing);
  /// How many parallel files are closed with this one, as closed_by_unmount says it.
  Status count_mounted(std::size_t* count) const;
  Status forget_mounts(Mounted what);
  /// What it was mounted in has been given up: nobody but the end of the program closes it, and the ranks needn't
  /// agree about ids of it that they may not all have.
  [[nodiscard]] bool is_left_open() const;
  Status close_owed();
  /// They are tried once more at the end of the program, where all ranks come.
  void keep_owed();
  /// The opening of `source` that some file owes to be closed, which is no longer then; null where there is none.
  /// As owe_close.
  static FilePtr take_owed(const File& source) noexcept;
  /// Objects that the program has to close before the file is closed.
  [[nodiscard]] unsigned objects_in_use() const { return parallel() ? objects_ - lent_ : objects_; }
  /// A group that has lost its links goes with the last commit.
  void let_go_of_groups();
  void hold_groups();
  static Status close_unwanted();

  FileLockPtr lock_ = std::make_shared<FileLock>();
  std::unique_ptr<FileStore> store_;
  std::string path_;
  std::string folder_;
  FileAccessProps access_;
  FileHints hints_;
  unsigned long number_;
  unsigned file_ids_ = 0;
  unsigned lone_ids_ = 0;  ///< not counted there
  unsigned objects_ = 0;
  unsigned lent_ = 0;                ///< of these
  unsigned holds_ = 0;               ///< those of the caches of other files included
  std::list<FileHoldPtr> children_;  ///< the one that was used last first
  bool private_child_ = false;
  std::atomic<Behind> behind_ = Behind::kNo;
  bool waits_to_close_ = false;
  bool was_closed_waiting_ = false;  ///< it is closed now for whom H5Fclose has told that it was
  bool comes_at_once_ = false;  ///< and what is refused of it is closed next, without the program
  bool again_at_once_ = false;  ///< the last close failed for ranks of which that is true
  unsigned failures_waiting_ =
      0;                        ///< closes that could not be while it waited: for the other ranks
  Status failed_waiting_;       ///< why
  std::shared_ptr<File> kept_;  ///< itself: it waits to be closed, or could not be then
  std::list<OwedClose> owed_;
  std::map<FileAddress, Mount> mounts_;
  bool given_up_ = false;   ///< by a close, on all ranks
  bool left_open_ = false;  ///< by one that was, in which it was mounted
  unsigned mounted_ = 0;    ///< openings of this file that are mounted somewhere
  std::map<std::weak_ptr<File>, Opening, std::owner_less<>> openings_;
  Paths paths_;
  /// What is opened next has its place beside it, as a rule: objects are opened in the order of their names,
  /// attributes after what they belong to. The end where nothing is known.
  Paths::iterator entered_last_ = paths_.end();
  pid_t process_;  ///< that opened it
};

/// Keeps a file open that a link led to, until an object of it is open or nobody wants it any more.
class FileHold {
 public:
  /// Also of a parallel file where all ranks hold it by contract.
  enum class By : std::uint8_t { kThisRank, kContract };
  explicit FileHold(FilePtr file, By by = By::kThisRank);
  FileHold(const FileHold&) = delete;
  FileHold& operator=(const FileHold&) = delete;
  ~FileHold();
  /// Lets go; what closing the file says. Collective: independent.
  Status release();
  /// The file stays open to the end of the program.
  void leave() { held_ = false; }
  [[nodiscard]] const FilePtr& file() const { return file_; }

 private:
  FilePtr file_;
  By by_;
  bool held_ = true;
};

/// The same ranks have both open, in the same order. Collective: independent.
bool shares_ranks(File& a, File& b);

/// The files that this process has open. Other threads may use them. Collective: independent.
std::vector<FilePtr> open_files();

/// This call has the file until its end, and other threads wait. The file may have been closed meanwhile.
/// Collective: independent. Errors: see take_file_lock.
Status take_file_of_others(const File& file, WhenTaken what);
inline Status take_file(const File& file, WhenTaken what = WhenTaken::kBeginAgain) {
  return file.lock()->is_ours() ? Status() : take_file_of_others(file, what);
}
/// The open file of this identity, taken; null where there is none. Collective: independent.
Result<FilePtr> take_open_file(const FileIdentity& wanted, const std::string& path);

/// Refuses changes to a file that was opened for reading only. Names the file.
Status check_writable(File& file);

/// One open of one object: keeps object and file alive and counted.
///
/// `path` is where the object was found, for H5Iget_name and messages.
class OpenObject {
 public:
  OpenObject(FilePtr file, StoredObjectPtr object, std::string path);
  OpenObject(const OpenObject&) = delete;
  OpenObject& operator=(const OpenObject&) = delete;
  ~OpenObject();

  /// Lets go; the last object of a weakly closed file closes it. Called again after a failure, it closes
  /// the file that could not be closed then. Collective: see File.
  Status close();

  [[nodiscard]] File& file() const { return *file_; }
  [[nodiscard]] const FilePtr& file_ptr() const { return file_; }
  [[nodiscard]] FileStore& store() const { return file_->store(); }
  [[nodiscard]] const StoredObjectPtr& object() const { return object_; }
  /// Of its header, which is what other objects and references call it by.
  [[nodiscard]] FileAddress address() const { return object_->address; }
  [[nodiscard]] const std::string& path() const { return path_; }
  /// The link by which the object was found has another name now, or is gone ("").
  void set_path(std::string path) noexcept;
  /// A call has opened it for a function of the program that it runs, and gives it back: whether a parallel file
  /// waits for the call its ranks decide together, and not because of this.
  void lend();
  /// Ids may share it: it is open, and not lent.
  [[nodiscard]] bool may_be_shared() const { return open_ && !lent_; }

 private:
  Status let_go_of_data();

  FilePtr file_;
  StoredObjectPtr object_;
  std::string path_;
  bool open_ = true;
  bool lent_ = false;
  File::Paths::iterator place_;  ///< where the file knows its path
};

using OpenObjectPtr = std::shared_ptr<OpenObject>;

}  // namespace pcio
