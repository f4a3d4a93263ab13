// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: File: how it is closed.

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <unistd.h>
#include <utility>
#include <vector>

#include "agree/outcome_alike.hpp"
#include "base/without_throwing.hpp"
#include "object/file.hpp"
#include "storage/commit/commit.hpp"
#include "transfer/filtered/pending_chunks.hpp"

namespace pcio {

namespace {

/// The process ends, or the library: files are closed in the order in which they were opened, which is the same
/// on all ranks, and not when what kept them open goes; last those that only a mount keeps or kept open.
std::atomic<bool> closes_all{false};

/// Files that wait for the end of the calls that have them in hand. Under the library's lock.
std::size_t closes_waiting = 0;

/// Words of the agreement that begins a close; the first ones are the commit's.
enum CloserWord : std::size_t { kLoneIds = 5, kClosedBelow = 6, kEnds = 7 };

/// Nobody is there any more to whom the failure could be returned.
void tell_lost(const std::string& path, const Status& why) {
  std::fprintf(stderr, "libpcio: \"%s\" was left open and can't be closed as it should be: %s\n",
               path.c_str(), why.message().c_str());
}

}  // namespace

File::~File() {
  if (store_) store_->abandon();
}

Status File::close_store(const CallName& name, const Status& local) {
  // It counts where the file is closed, however often that was refused or failed before.
  const MetadataKept kept(store_->report_log(), store_->driver().counters(), MetadataKind::kClose,
                          MetadataKept::Call::kGoesOn);
  Closers closers;
  CommitBeginning beginning;
  Status ready = agree_on_closers(name, local, &closers, &beginning);
  again_at_once_ = closers.all_come_at_once;
  if (ready.ok() && closers.wait) {
    wait_for_callers();
    return Status();
  }
  if (ready.ok() && closers.all_have_lone_ids) {
    count_lone_ids();
    return Status();
  }
  if (!ready.ok() && coordinator().health().ok()) {
    if (closers.all_come_again) return ready;
    give_up(name, closers, &ready);
  }
  // Other files are closed over their own ranks: not where some of these can't come there.
  const bool are_in_step = !parallel() || coordinator().health().ok();
  if (!are_in_step) keep_owed();
  // Of a file that is given up the calls around may still want something.
  if (!ready.ok() && is_in_midst_of_callers(*lock_)) return ready;
  Status owed = close_owed();
  if (!owed_.empty()) {
    // As where the commit of this file fails: it stays open, and whoever closes it once more pays.
    if (!closers.all_end && closers.all_come_again && coordinator().health().ok()) return owed;
    keep_owed();
  }
  let_go_of_groups();
  const bool is_last = parallel() ? closers.some_end || !closers.all_come_again : closes_all.load();
  Status closed = close_file(*store_, name, ready, pending_work(*store_, name),
                             std::move(beginning), is_last ? LastClose::kYes : LastClose::kNo);
  hold_groups();
  // The driver is gone unless the commit failed while the ranks were still in step. Then the program closes the
  // file once more, unless some ranks can't: their H5Fclose has succeeded, and the others would wait for them.
  if (!closed.ok() && !store_->is_closed()) {
    if (closers.all_come_again) return closed;
    given_up_ = true;
    store_->abandon();
    closed.join(why_given_up("as it was committed last,"));
  }
  store_.reset();
  const FilePtr last = std::move(kept_);
  Status children = forget_children();
  Status mounts =
      forget_mounts(given_up_ || closers.some_end ? Mounted::kLeaveOpen : Mounted::kClose);
  if (!ready.ok()) return ready;
  if (!closed.ok()) return closed;
  if (!owed.ok()) return owed;
  return children.ok() ? mounts : children;
}

Status File::why_given_up(const char* how) const {
  return PCIO_ERROR(FILE, CANTCLOSEFILE,
                    "file \"" + path_ + "\" is given up " + how +
                        " on all ranks: some can't try again, because a function of the program "
                        "has closed it there within a call, or the program has ended");
}

/// Some ranks close the file for good, as their H5Fclose has succeeded; on others it can't be closed. Those that try
/// again would wait for the first for ever, so nobody does: what is there is committed, and then the file is left.
void File::give_up(const CallName& name, const Closers& closers, Status* why) {
  const bool commits = !closers.some_in_midst;
  given_up_ = true;
  if (commits) why->join(without_throwing([&] { return flush(name, Status()); }));
  why->join(why_given_up(commits ? "with what was committed now," : "as it was committed last,"));
  if (coordinator().health().ok()) coordinator().poison(*why);
}

Status File::give_back_id(const CallName& name, const Status& local) {
  LocalFacts facts;
  facts.call_kind = CallKind::kCloseId;
  return detail::to_status(coordinator().agree(name, facts, local));
}

Status File::release_file_id(const FilePtr& opening, const std::string& open_objects,
                             const Status& ready) {
  if (!is_open()) return Status();
  CallName name{"H5Fclose", path_};
  Status local = ready;
  const bool all_objects = file_ids_ == 1 && objects_in_use() > 0;
  if (local.ok() && close_degree() == CloseDegree::kSemi &&
      (all_objects || objects_of(opening) > 0))
    local = PCIO_ERROR(FILE, CANTCLOSEFILE,
                       "file \"" + path_ + "\" can't be closed: open objects: " + open_objects);
  if (file_ids_ > 1 || (holds_ > 0 && parallel())) {
    // Of ranks that lost step each has ids of its own to count, and nobody to ask.
    const bool are_in_step = coordinator().health().ok();
    if (!are_in_step) PCIO_TRY(Status(local));
    if (are_in_step && !is_left_open()) PCIO_TRY(give_back_id(name, local));
    forget_file_id(opening);
    return Status();
  }
  if (holds_ > 0 || (objects_in_use() > 0 && close_degree() == CloseDegree::kWeak)) {
    PCIO_TRY(Status(local));
    forget_file_id(opening);
    return close_unused();
  }
  if (!parallel()) PCIO_TRY(Status(local));
  const bool waits = waits_for_callers();
  // The other ranks hear of it when the calls around this one end.
  if (waits && !local.ok()) {
    failed_waiting_ = local;
    ++failures_waiting_;
  }
  Status closed = waits ? local : close_store(name, local);
  if (!is_open())
    file_ids_ = 0;
  else if (closed.ok())
    forget_file_id(opening);
  return closed;
}

Status File::close_unused() {
  if (!is_open() || objects_in_use() > 0 || file_ids_ > 0 || closes_all) return Status();
  if (waits_for_callers()) return Status();
  if (holds_ > 0) return close_unwanted();
  return close_store({"H5Fclose", path_}, Status());
}

bool File::waits_for_callers() {
  if (waits_to_close_) return true;
  if (!is_used_by_callers(*lock_)) return false;
  if (parallel() && !(is_in_midst_of_callers(*lock_) && is_ended_for_all(&coordinator())))
    return false;
  wait_for_callers();
  return true;
}

void File::wait_for_callers() {
  waits_to_close_ = true;
  kept_ = shared_from_this();
  ++closes_waiting;
}

/// What the commit of the close would ask is asked here, where nothing that comes between can change it.
Status File::agree_on_closers(const CallName& name, const Status& local, Closers* closers,
                              CommitBeginning* beginning) {
  const bool here = !closes_all && is_in_midst_of_callers(*lock_);
  const unsigned lone_ids = closes_all ? 0 : lone_ids_;
  closers->wait = here;
  if (!parallel() || !coordinator().health().ok()) return Status();
  std::size_t closed_below = 0;
  Status refused_here = local;
  if (!closes_all)
    refused_here.join(without_throwing([&] { return count_mounted(&closed_below); }));
  LocalFacts facts;
  facts.call_kind = CallKind::kClose;
  if (!begin_commit(refused_here, here || lone_ids > 0, beginning)) facts.all_flags = 0;
  put_facts(beginning->mine, &facts);
  facts.same[kClosedBelow] = closed_below;
  facts.same[kEnds] = closes_all ? 1 : 0;
  facts.same[kLoneIds] = lone_ids;
  // Who is refused comes again, at once or when the program does; not where H5Fclose has succeeded and the reason
  // was found only now.
  const bool is_gone = closes_all || (was_closed_waiting_ && !comes_at_once_);
  facts.sums[0] = here ? 1 : 0;
  facts.sums[1] = is_gone ? 1 : 0;
  facts.sums[2] = refused_here.ok() ? 0 : 1;
  facts.sums[3] = comes_at_once_ && !refused_here.ok() ? 1 : 0;
  const Status trimmed = beginning->trimmed ? *beginning->trimmed : Status();
  const Result<GlobalFacts> agreed = coordinator().agree(name, facts, trimmed);
  if (!agreed) return settle_alike(coordinator(), agreed.error(), trimmed);
  const GlobalFacts& all = *agreed;
  settle_cut(*store_, *beginning, all.all_flags != 0);
  const auto [in_midst, gone, refused, at_once] = all.sums;
  const auto ranks = static_cast<std::uint64_t>(coordinator().size());
  closers->some_end = all.same[kEnds].max > 0;
  closers->all_end = all.same[kEnds].min > 0;
  closers->all_come_at_once = refused > 0 && refused == at_once;
  // At the end of the program, those that have not got there yet would wait for those that have.
  const bool all_go_alike = gone == ranks && closers->some_end == closers->all_end;
  closers->all_come_again = gone == 0 || all_go_alike || closers->all_come_at_once;
  closers->some_in_midst = in_midst > 0;
  if (refused > 0) return coordinator().outcome(name, refused_here);
  if (all.all_flags != 0) beginning->agreed = commit_facts(all);
  if (!closers->some_end && !all.same[kClosedBelow].equal())
    return PCIO_ERROR(FILE, CANTCLOSEFILE,
                      "the ranks would close " + std::to_string(all.same[kClosedBelow].min) +
                          " to " + std::to_string(all.same[kClosedBelow].max) +
                          " of the files that are mounted in it: some have ids of their own");
  // From now on each is closed by all ranks: as many must be there.
  closers->all_have_lone_ids = all.same[kLoneIds].min > 0 && all.same[kLoneIds].equal();
  if (in_midst == 0 || in_midst == ranks) return Status();
  return PCIO_ERROR(
      FILE, CANTCLOSEFILE,
      "file \"" + path_ + "\" can't be closed: on " + std::to_string(in_midst) + " of " +
          std::to_string(ranks) +
          " ranks a function of the program closes it that was called in the midst of a call "
          "which has the file in hand");
}

/// This rank's part of it; false where something comes between, or lacks memory. A file whose last commit failed
/// is brought in order before. Collective: over the file; local.
bool File::begin_commit(const Status& refused, bool waits, CommitBeginning* beginning) {
  if (store_->writer().needs_recovery()) return false;
  trim_before_close(*store_, beginning);
  if (beginning->trimmed && !beginning->trimmed->ok()) return false;
  if (beginning->cut && !beginning->cut->ok()) return false;
  if (!refused.ok() || waits || !owed_.empty() || !mounts_.empty()) return false;
  const Status found = without_throwing([&] {
    find_beginning(*store_, CallKind::kClose, {has_pending_chunks(*store_), {}}, beginning);
    return Status();
  });
  return found.ok() && beginning->ready.ok();
}

bool File::any_waits_to_close() { return closes_waiting > 0; }

Status File::close_waiting() {
  Status first;
  while (const FilePtr file = next_to_close()) {
    file->waits_to_close_ = false;
    --closes_waiting;
    first.join(without_throwing([&]() -> Status {
      PCIO_TRY(take_file(*file, WhenTaken::kWait));
      return file->close_waited();
    }));
  }
  return first;
}

Status File::close_waited() {
  if (!is_open()) return Status();
  // In the order in which the others hear of them: what was refused here, then what was not. Here H5Fclose has said
  // so.
  was_closed_waiting_ = file_ids_ == 0 && objects_in_use() == 0;
  comes_at_once_ = was_closed_waiting_;
  Status closed;
  for (; failures_waiting_ > 0 && is_open(); --failures_waiting_) {
    Status refused = without_throwing([&] {
      return close_store({"H5Fclose", path_}, failed_waiting_);
    });
    // The program knows that it was refused, but not that the file was given up.
    if (!is_open()) closed = std::move(refused);
  }
  failures_waiting_ = 0;
  failed_waiting_ = Status();
  comes_at_once_ = false;
  // Where others have to tell first that theirs was refused they come at once again, and so does this one.
  for (again_at_once_ = true; again_at_once_ && is_open();) {
    again_at_once_ = false;
    closed = without_throwing([&] { return close_unused(); });
  }
  was_closed_waiting_ = false;
  const bool is_kept = file_ids_ > 0 || objects_ > 0 || holds_ > 0;
  if (closed.ok() && !waits_to_close_ && (is_kept || !is_open())) kept_.reset();
  return closed;
}

/// Ranks that have not ended give back one id after the other, and close the file with the last.
Status File::close_at_end(const CallName& name) {
  // Of ranks that lost step each has ids of its own to count.
  if (parallel() && !is_left_open() && coordinator().health().ok())
    for (; file_ids_ > 1; --file_ids_) PCIO_TRY(give_back_id(name, Status()));
  return close_store(name, Status());
}

/// MPI_Finalize was called by a function of the program, and the call around it goes on with the file: it can't be closed under
/// it, nor later without MPI. A file that has nothing to do with MPI is closed when the process ends.
void File::leave_to_callers() {
  if (!parallel()) return;
  const Status why =
      PCIO_ERROR(FILE, CANTCLOSEFILE,
                 "MPI_Finalize was called by a function of the program, in the midst of a call "
                 "on the file");
  tell_lost(path_, why);
  coordinator().poison(why);
}

void File::close_all() {
  closes_all = true;
  CallFrame frame;
  call_went_too_far();
  std::vector<FilePtr> files = open_files();
  // Ranks that have not ended close the files that they have ids of, and leave those that only a mount kept open to
  // their own end.
  std::stable_partition(files.begin(), files.end(),
                        [](const FilePtr& file) { return !file->is_left_by_mount(); });
  for (const FilePtr& file : files) {
    if (file->process_ == ::getpid() && is_taken_by_other(*file->lock_)) {
      // It may never come back from there.
      tell_lost(file->path_, PCIO_ERROR(FILE, FILEOPEN, "another thread is in a call on it"));
      continue;
    }
    if (file->process_ == ::getpid() && file->is_open() && is_in_midst_of_callers(*file->lock_)) {
      file->leave_to_callers();
      continue;
    }
    if (file->process_ == ::getpid() && file->is_open() && file->coordinator().size() > 1 &&
        file->lock_->was_left_in_exchange()) {
      // The other ranks wait in the exchange that comes next, or go on with it.
      tell_lost(file->path_,
                PCIO_ERROR(FILE, FILEOPEN,
                           "the program has ended in the midst of a call of all ranks on it"));
      continue;
    }
    // One that another file kept open may be closed with that.
    if (file->process_ == ::getpid() && file->is_open()) {
      Status closed;
      for (file->again_at_once_ = true; file->again_at_once_ && file->is_open();) {
        file->again_at_once_ = false;
        closed = without_throwing([&] {
          return file->close_at_end({"MPI_Finalize", file->path_});
        });
      }
      if (!closed.ok()) tell_lost(file->path_, closed);
    }
    if (file->is_open()) {
      file->store_->abandon();
      file->store_.reset();
    }
  }
  closes_all = false;
}

}  // namespace pcio
