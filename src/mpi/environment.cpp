// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room mpi: the finalize hook.
//
// MPI_Finalize first frees MPI_COMM_SELF, which calls the delete function of an attribute on it.
// The attribute is set with the first registration, so a program without MPI never gets one.

#include "mpi/environment.hpp"

#include <atomic>
#include <mutex>
#include <utility>
#include <vector>

#include "base/keep_loaded.hpp"
#include "mpi/this_process.hpp"
#include "mpi/error.hpp"

namespace pcio::mpi {

namespace {

struct Callback {
  std::uint64_t number = 0;
  std::function<void()> run;
};

struct Hook {
  std::mutex mutex;
  std::vector<Callback> callbacks;
  std::uint64_t last_number = 0;
  bool attached = false;
};

/// Never destroyed: MPI_Finalize may be called from a static destructor.
Hook& hook() {
  static Hook* const instance = new Hook;
  return *instance;
}

/// MPI_Finalize has been called, and may not be over. Only where something was registered for it.
std::atomic<bool> finalize_begun{false};

/// Runs callbacks one by one, latest first, unlocked: a callback may register or forget others.
int run_all(MPI_Comm /*comm*/, int /*keyval*/, void* /*value*/, void* /*extra*/) {
  finalize_begun.store(true);
  for (;;) {
    Callback next;
    {
      std::lock_guard<std::mutex> lock(hook().mutex);
      if (hook().callbacks.empty()) break;
      next = std::move(hook().callbacks.back());
      hook().callbacks.pop_back();
    }
    if (next.run) next.run();
  }
  return MPI_SUCCESS;
}

/// The key is freed at once: MPI keeps it alive until the attribute is gone.
bool attach() {
  int keyval = MPI_KEYVAL_INVALID;
  if (MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, run_all, &keyval, nullptr) != MPI_SUCCESS)
    return false;
  bool good = MPI_Comm_set_attr(MPI_COMM_SELF, keyval, nullptr) == MPI_SUCCESS;
  MPI_Comm_free_keyval(&keyval);
  // MPI may be let go later than this library.
  if (good) keep_loaded(reinterpret_cast<const void*>(&run_all));
  return good;
}

/// MPI belongs to the process that was first seen with it: a child of fork has a copy of its
/// memory, but must not touch its connections. Called while MPI is between its calls.
bool is_own_mpi() {
  static std::atomic<pid_t> owner{0};
  const pid_t mine = this_process();
  pid_t seen = 0;
  return owner.compare_exchange_strong(seen, mine) || seen == mine;
}

}  // namespace

bool is_active() {
  int initialized = 0;
  int finalized = 0;
  MPI_Initialized(&initialized);
  MPI_Finalized(&finalized);
  return initialized != 0 && finalized == 0 && is_own_mpi();
}

Status take_turn(WhenTaken what) {
  static const FileLockPtr& turn =
      *new FileLockPtr(std::make_shared<FileLock>());  // never destroyed
  static std::atomic<int> granted{-1};
  int level = granted.load(std::memory_order_relaxed);
  if (level < 0) {
    MPI_Query_thread(&level);
    granted.store(level, std::memory_order_relaxed);
  }
  if (level == MPI_THREAD_MULTIPLE || turn->is_ours()) return Status();
  return take_file_lock(turn, what);
}

Status require_active() {
  if (is_active()) return take_turn(WhenTaken::kWait);
  int initialized = 0;
  int finalized = 0;
  MPI_Initialized(&initialized);
  MPI_Finalized(&finalized);
  return PCIO_ERROR(INTERNAL, MPI,
                    finalized != 0     ? "MPI_Finalize was called already"
                    : initialized != 0 ? "this process was forked by one that uses MPI"
                                       : "MPI_Init was not called");
}

Status check_not_finalized() {
  if (!finalize_begun.load(std::memory_order_relaxed) || is_active()) return Status();
  return PCIO_ERROR(INTERNAL, MPI, "MPI_Finalize was called in the midst of this call");
}

int thread_level() {
  int level = MPI_THREAD_SINGLE;
  if (is_active()) MPI_Query_thread(&level);
  return level;
}

bool is_library(std::string_view name) {
  char version[MPI_MAX_LIBRARY_VERSION_STRING] = {};
  int length = 0;
  MPI_Get_library_version(version, &length);
  return std::string_view(version, static_cast<std::size_t>(length)).find(name) !=
         std::string_view::npos;
}

std::uint64_t at_finalize(std::function<void()> callback) {
  std::lock_guard<std::mutex> lock(hook().mutex);
  if (!hook().attached && is_active()) hook().attached = attach();
  hook().callbacks.push_back({++hook().last_number, std::move(callback)});
  return hook().last_number;
}

void forget_at_finalize(std::uint64_t number) {
  std::lock_guard<std::mutex> lock(hook().mutex);
  auto& list = hook().callbacks;
  for (auto it = list.begin(); it != list.end(); ++it) {
    if (it->number != number) continue;
    list.erase(it);
    return;
  }
}

}  // namespace pcio::mpi
