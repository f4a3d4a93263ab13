// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: opening and closing the library.
//
// Opening makes no MPI call, so it is legal before MPI_Init. Closing runs hooks first (files are
// closed while their ids still exist), then forgets all ids.

#include "lib/library.hpp"

#include <algorithm>
#include <cstdlib>
#include <unistd.h>
#include <vector>

#include "base/library_lock.hpp"
#include "lib/globals.hpp"
#include "lib/handles.hpp"
#include "lib/id_types.hpp"
#include "lib/loaded_libraries.hpp"
#include "lib/plugins.hpp"
#include "lib/user_links.hpp"
#include "lib/value_handles.hpp"

namespace pcio {

namespace {

std::vector<void (*)()>& close_hooks() {
  static auto* hooks = new std::vector<void (*)()>;
  return *hooks;
}

std::atomic<bool> close_at_exit{true};
bool exit_handler_set = false;

/// The process that used the library last: opened it, or a file. A child of fork that did neither has
/// nothing to close, and leaves its parent's files, connections and locks alone.
std::atomic<pid_t> last_user{0};

/// Also of the library's unloading.
void close_library_at_exit() {
  if (!close_at_exit.load() || last_user.load() != ::getpid()) return;
  {
    // Whoever uses the library later than this, in a handler that was registered before this one, has
    // what it opens closed by a handler of its own.
    const CallFrame frame;
    exit_handler_set = false;
  }
  close_library();
}

/// Functions of programs that wait for the end of a list are called, in the ids' order.
void end_lists() {
  for (HandleId id : handles().ids(static_cast<unsigned>(IdType::kPropertyList))) {
    auto list = get<PropertyListObject>(id, "list");
    if (!list || (*list)->predefined) continue;
    (*list)->before_close(id);
    (void)(*list)->close();
  }
}

/// Drops every id of `type`, whatever its reference count.
void drop_ids(unsigned type) {
  for (HandleId id : handles().ids(type)) {
    std::shared_ptr<HandleObject> last;
    while (!last) {
      auto left = handles().decrement(id, &last);
      if (!left) break;
    }
  }
}

}  // namespace

std::atomic<bool> detail::library_open{false};

Status detail::open_library_slowly() {
  const CallFrame frame;
  if (library_open.load(std::memory_order_acquire)) return Status();
  PCIO_TRY(fill_globals());
  prepare_plugins();
  prepare_user_links();
  announce_library();
  note_use_of_library();
  if (!exit_handler_set) {
    exit_handler_set = true;
    (void)std::atexit(close_library_at_exit);
  }
  library_open.store(true, std::memory_order_release);
  return Status();
}

void note_use_of_library() { last_user.store(::getpid()); }

void at_library_close(void (*hook)()) {
  auto& hooks = close_hooks();
  if (std::find(hooks.begin(), hooks.end(), hook) == hooks.end()) hooks.push_back(hook);
}

void close_library() {
  const CallFrame frame;
  call_went_too_far();
  if (!detail::library_open.load()) return;
  for (auto hook = close_hooks().rbegin(); hook != close_hooks().rend(); ++hook) (*hook)();
  end_lists();
  for (unsigned type = 1; type < HandleTable::kMaxTypes; ++type) drop_ids(type);
  forget_id_types();
  clear_globals();
  detail::library_open.store(false, std::memory_order_release);
}

void keep_library_open_at_exit() { close_at_exit.store(false); }

}  // namespace pcio
