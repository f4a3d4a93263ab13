// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: module H5E: making, filling and emptying error stacks.

#include <algorithm>
#include <cstdarg>
#include <cstdio>

#include "lib/api_entry.hpp"
#include "lib/error_stack.hpp"
#include "lib/text_argument.hpp"

using namespace pcio;

hid_t H5Ecreate_stack(void) {
  return api_entry_keep("H5Ecreate_stack", hid_t{-1},
                        []() -> Result<hid_t> { return make_id<ErrorStackObject>(); });
}

hid_t H5Eget_current_stack(void) {
  return api_entry_keep("H5Eget_current_stack", hid_t{-1}, []() -> Result<hid_t> {
    auto object = std::make_shared<ErrorStackObject>();
    // The entries move: the thread's own stack is empty afterwards, its report function stays.
    object->stack.report = thread_error_stack().report;
    object->stack.entries.swap(thread_error_stack().entries);
    return register_object(std::move(object));
  });
}

herr_t H5Eset_current_stack(hid_t err_stack_id) {
  return api_entry_keep("H5Eset_current_stack", herr_t{-1}, [&]() -> Status {
    if (err_stack_id == H5E_DEFAULT) return Status();
    PCIO_ASSIGN(auto object, get<ErrorStackObject>(err_stack_id, "err_stack_id"));
    thread_error_stack().entries = object->stack.entries;
    // The id is used up by this call. Source: HDF5 Reference Manual.
    return close_id(err_stack_id, IdType::kErrorStack, "err_stack_id");
  });
}

herr_t H5Eclose_stack(hid_t stack_id) {
  return api_entry_keep("H5Eclose_stack", herr_t{-1}, [&]() -> Status {
    if (stack_id == H5E_DEFAULT) return Status();
    return close_id(stack_id, IdType::kErrorStack, "stack_id");
  });
}

namespace {

/// Where and what an application says went wrong.
struct UserError {
  const char* file;
  const char* function;
  unsigned line;
  hid_t cls_id;
  hid_t major_id;
  hid_t minor_id;
};

Status push_user_error(hid_t stack_id, const UserError& error, std::string text) {
  ErrorEntry entry;
  PCIO_ASSIGN(auto stack, stack_of(stack_id, "err_stack"));
  PCIO_ASSIGN(entry.cls, get<ErrorClassObject>(error.cls_id, "cls_id"));
  PCIO_ASSIGN(entry.major, get<ErrorMessageObject>(error.major_id, "maj_id"));
  PCIO_ASSIGN(entry.minor, get<ErrorMessageObject>(error.minor_id, "min_id"));
  entry.cls_id = error.cls_id;
  entry.major_id = error.major_id;
  entry.minor_id = error.minor_id;
  entry.line = error.line;
  entry.function = error.function != nullptr ? error.function : "Unknown_Function";
  entry.file = error.file != nullptr ? error.file : "Unknown_File";
  entry.text = std::move(text);
  if (stack->entries.size() < kMaxErrorEntries)
    stack->entries.push_back(std::make_shared<const ErrorEntry>(std::move(entry)));
  return Status();
}

std::string formatted(const char* format, std::va_list arguments) {
  if (format == nullptr) return "No description given";
  std::va_list again;
  va_copy(again, arguments);
  int length = std::vsnprintf(nullptr, 0, format, again);
  va_end(again);
  if (length <= 0) return "";
  std::string text(static_cast<std::size_t>(length) + 1, '\0');
  std::vsnprintf(text.data(), text.size(), format, arguments);
  text.pop_back();
  return text;
}

}  // namespace

herr_t H5Epush2(hid_t err_stack, const char* file, const char* func, unsigned line, hid_t cls_id,
                hid_t maj_id, hid_t min_id, const char* msg, ...) {
  std::va_list arguments;
  va_start(arguments, msg);
  herr_t result = api_entry_keep("H5Epush2", herr_t{-1}, [&]() -> Status {
    return push_user_error(err_stack, {file, func, line, cls_id, maj_id, min_id},
                           formatted(msg, arguments));
  });
  va_end(arguments);
  return result;
}

herr_t H5Epush1(const char* file, const char* func, unsigned line, H5E_major_t maj, H5E_minor_t min,
                const char* str) {
  return api_entry_keep("H5Epush1", herr_t{-1}, [&]() -> Status {
    return push_user_error(H5E_DEFAULT, {file, func, line, H5E_ERR_CLS_g, maj, min},
                           str != nullptr ? str : "");
  });
}

herr_t H5Epop(hid_t err_stack, size_t count) {
  return api_entry_keep("H5Epop", herr_t{-1}, [&]() -> Status {
    PCIO_ASSIGN(auto stack, stack_of(err_stack, "err_stack"));
    // From the top, which is the outermost call; more than there are empties the stack.
    stack->entries.resize(stack->entries.size() - std::min(count, stack->entries.size()));
    return Status();
  });
}

herr_t H5Eclear2(hid_t err_stack) {
  return api_entry_keep("H5Eclear2", herr_t{-1}, [&]() -> Status {
    PCIO_ASSIGN(auto stack, stack_of(err_stack, "err_stack"));
    stack->entries.clear();
    return Status();
  });
}

herr_t H5Eclear1(void) {
  return api_entry_keep("H5Eclear1", herr_t{-1}, []() -> Status {
    thread_error_stack().entries.clear();
    return Status();
  });
}

ssize_t H5Eget_num(hid_t error_stack_id) {
  return api_entry_keep("H5Eget_num", ssize_t{-1}, [&]() -> Result<ssize_t> {
    PCIO_ASSIGN(auto stack, stack_of(error_stack_id, "error_stack_id"));
    return static_cast<ssize_t>(stack->entries.size());
  });
}
