// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: the parts of the wall that need no template.

#include "lib/api_entry.hpp"

#include <cstring>

#include "agree/coordinator.hpp"
#include "base/without_throwing.hpp"
#include "lib/argument_names.hpp"
#include "lib/call_failures.hpp"
#include "lib/error_stack.hpp"
#include "lib/handles.hpp"
#include "lib/library.hpp"
#include "object/file.hpp"

namespace pcio::detail {

namespace {

void push_entry(ErrorStack& stack, ErrorEntry entry) {
  if (stack.entries.size() < kMaxErrorEntries)
    stack.entries.push_back(std::make_shared<const ErrorEntry>(std::move(entry)));
}

/// A lambda in a wall function calls itself "operator()": the API function's name says more.
bool is_body(const ErrorFrame& frame) { return std::strcmp(frame.function, "operator()") == 0; }

/// The codes of the outermost entry: what is wrong with an argument says so itself.
ErrorFrame outer_frame(const EntryPoint& entry, const ErrorFrame& inner) {
  ErrorFrame outer{entry.function, entry.file,  entry.line,
                   inner.major,    inner.minor, std::string(entry.function) + " failed"};
  if (inner.major == Major::ARGS) return outer;
  if (const CallFailure* failure = failure_of_call(entry.function)) {
    outer.major = failure->major;
    outer.minor = failure->minor;
  }
  return outer;
}

/// True where a frame names the function.
bool push_inner_frames(const EntryPoint& entry, const Status& status, ErrorStack& stack) {
  bool named = false;
  for (const ErrorFrame& frame : status.frames()) {
    ErrorEntry item = entry_of(frame);
    name_arguments(entry.function, &item.text);
    if (is_body(frame)) {
      item.function = entry.function;
      named = true;
    }
    push_entry(stack, std::move(item));
  }
  return named;
}

void push_frames(const EntryPoint& entry, const Status& status, const Status& ended) {
  if (status.ok()) return;
  ErrorStack& stack = thread_error_stack();
  const bool named = push_inner_frames(entry, status, stack);
  push_inner_frames(entry, ended, stack);
  const ErrorFrame& last = status.frames().back();
  const ErrorFrame outer = outer_frame(entry, last);
  if (!named || outer.major != last.major || outer.minor != last.minor)
    push_entry(stack, entry_of(outer));
}

}  // namespace

bool begin_entry(const EntryPoint& entry, ErrorStackUse use) noexcept {
  try {
    if (Status status = open_library(); !status.ok()) {
      report_failure(entry, std::move(status));
      return false;
    }
    if (use == ErrorStackUse::kClear) thread_error_stack().entries.clear();
    return true;
  } catch (...) {
    return false;
  }
}

void report_failure(const EntryPoint& entry, Status&& status, Status&& ended) noexcept {
  try {
    {
      const CallFrame frame;
      push_frames(entry, status, ended);
    }
    run_auto_report(thread_error_stack());
  } catch (...) {
    // Out of memory while reporting: the return value has to say it alone.
  }
}

Status end_entry(CallFrame& frame) noexcept {
  Coordinator::release_lost_files();
  const bool closes = File::any_waits_to_close();
  frame.end();
  if (!closes) return Status();
  CallFrame closing;
  Status closed = File::close_waiting();
  Coordinator::release_lost_files();
  return closed;
}

Status give_back_id(hid_t made, Status&& failure) noexcept {
  CallFrame frame;
  failure.join(without_throwing([&] { return to_status(release_id(made, "id")); }));
  failure.join(end_entry(frame));
  return std::move(failure);
}

void report_exception(const EntryPoint& entry, CallFrame& frame, const char* what) noexcept {
  Status ended = end_entry(frame);
  try {
    report_failure(entry,
                   Status(ErrorFrame{entry.function, entry.file, entry.line, Major::RESOURCE,
                                     Minor::NOSPACE, what}),
                   std::move(ended));
  } catch (...) {
  }
}

}  // namespace pcio::detail
