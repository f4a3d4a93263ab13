// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: the one wall between C callers and the C++ inside.
//
// Every exported function is one call of a function below with its work as a lambda that returns
// Status or Result. The wall opens the library, takes its lock, clears the thread's error stack, catches
// what may fly through pure code (bad_alloc), turns a Status into an HDF5 error stack, and calls the
// automatic report, so that no body has any error plumbing. A body that came to a file which another
// thread has returns with an error and is run again: before it changes anything or communicates it has
// read all ids (base/library_lock.hpp).
//
//   herr_t H5Sclose(hid_t space_id) {
//     return api_status("H5Sclose", [&]() -> Status {
//       return close_id(space_id, IdType::kDataspace, "space_id");
//     });
//   }

#pragma once

#include <exception>
#include <new>
#include <type_traits>
#include <utility>

#include "base/library_lock.hpp"
#include "base/status.hpp"
#include "lib/public_api.hpp"

namespace pcio {

namespace detail {

/// Where the caller stands: for the outermost frame.
struct EntryPoint {
  const char* function;
  const char* file;
  unsigned line;
};

/// What an entry does with the thread's error stack: H5E calls must look at it, not clear it.
enum class ErrorStackUse { kClear, kKeep };

/// Opens the library if need be and clears the error stack. False: reported already.
bool begin_entry(const EntryPoint& entry, ErrorStackUse use) noexcept;
/// What all ranks owe each other before the program goes on, while the call still has its files, and the end of
/// files that functions of the program closed in it; then gives the locks back. The error handler may be its own
/// already. Errors: those of closing.
Status end_entry(CallFrame& frame) noexcept;
/// The id that a call made which fails after all: nobody has it. Result: what giving it back says, behind
/// `failure`.
Status give_back_id(hid_t made, Status&& failure) noexcept;
/// Puts `status` on the error stack under a frame for the API function, and `ended`, what failed at the end of
/// a call that had failed already, between them; calls the auto report.
void report_failure(const EntryPoint& entry, Status&& status, Status&& ended = Status()) noexcept;
/// Same for an exception, with its text.
void report_exception(const EntryPoint& entry, CallFrame& frame, const char* what) noexcept;

/// What a call made that is no id needs nothing.
struct NothingToUndo {
  template <class Made>
  Status operator()(const Made&, Status&& failure) const {
    return std::move(failure);
  }
};

/// `undo(made, failure) -> Status`: where the body succeeded, and then the end of the call did not.
template <class R, class Body, class Undo = NothingToUndo>
R run_entry(const EntryPoint& entry, ErrorStackUse use, R fail, Body& body,
            Undo undo = Undo()) noexcept {
  if (!begin_entry(entry, use)) return fail;
  CallFrame frame;
  if (!frame.begun()) return fail;
  try {
    auto outcome = body();
    while (frame.is_to_begin_again()) outcome = body();
    Status ended = end_entry(frame);
    if constexpr (std::is_same_v<decltype(outcome), Status>) {
      if (outcome.ok() && ended.ok()) return R{};
      if (outcome.ok()) std::swap(outcome, ended);
      report_failure(entry, std::move(outcome), std::move(ended));
    } else {
      if (outcome && ended.ok()) return static_cast<R>(std::move(*outcome));
      if (outcome)
        report_failure(entry, undo(*outcome, std::move(ended)));
      else
        report_failure(entry, std::move(outcome.error()), std::move(ended));
    }
  } catch (const std::bad_alloc&) {
    report_exception(entry, frame, "out of memory");
  } catch (const std::exception& e) {
    report_exception(entry, frame, e.what());
  } catch (...) {
    report_exception(entry, frame, "unknown exception");
  }
  return fail;
}

}  // namespace detail

// The last two parameters of each function are the place of the call and are never given.

/// Runs `body` (returns Status or Result<something that converts to R>); `fail` on failure.
template <class R, class Body>
R api_entry(const char* fn, R fail, Body&& body, const char* file = __builtin_FILE(),
            unsigned line = __builtin_LINE()) noexcept {
  return detail::run_entry<R>({fn, file, line}, detail::ErrorStackUse::kClear, fail, body);
}

/// As api_entry, but leaves the error stack as it is (for the H5E calls themselves).
template <class R, class Body>
R api_entry_keep(const char* fn, R fail, Body&& body, const char* file = __builtin_FILE(),
                 unsigned line = __builtin_LINE()) noexcept {
  return detail::run_entry<R>({fn, file, line}, detail::ErrorStackUse::kKeep, fail, body);
}

/// For herr_t functions whose body returns Status: 0 or -1.
template <class Body>
herr_t api_status(const char* fn, Body&& body, const char* file = __builtin_FILE(),
                  unsigned line = __builtin_LINE()) noexcept {
  return detail::run_entry<herr_t>({fn, file, line}, detail::ErrorStackUse::kClear, -1, body);
}

/// For functions that return an id: the body returns Result<hid_t>; -1 on failure.
template <class Body>
hid_t api_id(const char* fn, Body&& body, const char* file = __builtin_FILE(),
             unsigned line = __builtin_LINE()) noexcept {
  return detail::run_entry<hid_t>({fn, file, line}, detail::ErrorStackUse::kClear,
                                  static_cast<hid_t>(-1), body, &detail::give_back_id);
}

/// For functions that return int or htri_t: the body returns Result<int> or Result<bool>.
template <class Body>
int api_int(const char* fn, Body&& body, const char* file = __builtin_FILE(),
            unsigned line = __builtin_LINE()) noexcept {
  return detail::run_entry<int>({fn, file, line}, detail::ErrorStackUse::kClear, -1, body);
}

/// For any other value: the body returns Result<T>, or Status where T{} means success.
template <class T, class Body>
T api_value(const char* fn, T fail, Body&& body, const char* file = __builtin_FILE(),
            unsigned line = __builtin_LINE()) noexcept {
  return detail::run_entry<T>({fn, file, line}, detail::ErrorStackUse::kClear, fail, body);
}

}  // namespace pcio
