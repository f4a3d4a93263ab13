// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: module H5E: printing, walking, and what happens by itself when a call fails.

#include "lib/api_entry.hpp"
#include "lib/enum_argument.hpp"
#include "lib/error_stack.hpp"
#include "lib/text_argument.hpp"

using namespace pcio;

herr_t H5Eprint2(hid_t err_stack, FILE* stream) {
  return api_entry_keep("H5Eprint2", herr_t{-1}, [&]() -> Status {
    PCIO_ASSIGN(auto stack, stack_of(err_stack, "err_stack"));
    print_stack(*stack, stream);
    return Status();
  });
}

herr_t H5Eprint1(FILE* stream) {
  return api_entry_keep("H5Eprint1", herr_t{-1}, [&]() -> Status {
    print_stack(thread_error_stack(), stream, HeaderClass::kOfMajor);
    return Status();
  });
}

namespace {

H5E_error2_t as_error2(const ErrorEntry& entry) {
  return {entry.cls_id,           entry.major_id,     entry.minor_id,    entry.line,
          entry.function.c_str(), entry.file.c_str(), entry.text.c_str()};
}

H5E_error1_t as_error1(const ErrorEntry& entry) {
  return {entry.major_id,     entry.minor_id, entry.function.c_str(),
          entry.file.c_str(), entry.line,     entry.text.c_str()};
}

/// Calls `visit(n, entry)` in walking order until it returns something else than 0.
template <class Visit>
Result<int> walk(const ErrorStack& stack, const H5E_direction_t& direction, Visit visit) {
  if (!is_between(direction, H5E_WALK_UPWARD, H5E_WALK_DOWNWARD))
    return PCIO_ERROR(ARGS, BADVALUE, "argument direction: neither upward nor downward");
  // A copy, as the callback may change the stack; the entries are the stack's own, so that what the
  // callback keeps of them is good after the walk. Upward starts at the innermost error.
  std::vector<ErrorEntryPtr> entries = stack.entries;
  if (direction == H5E_WALK_DOWNWARD) entries.assign(stack.entries.rbegin(), stack.entries.rend());
  for (std::size_t n = 0; n < entries.size(); ++n)
    if (int answer = visit(n, *entries[n]); answer != 0) return answer;
  return 0;
}

}  // namespace

herr_t H5Ewalk2(hid_t err_stack, H5E_direction_t direction, H5E_walk2_t func, void* client_data) {
  return api_entry_keep("H5Ewalk2", herr_t{-1}, [&]() -> Result<int> {
    PCIO_ASSIGN(auto stack, stack_of(err_stack, "err_stack"));
    if (func == nullptr) return 0;
    return walk(*stack, direction, [&](std::size_t n, const ErrorEntry& entry) {
      H5E_error2_t error = as_error2(entry);
      return func(static_cast<unsigned>(n), &error, client_data);
    });
  });
}

herr_t H5Ewalk1(H5E_direction_t direction, H5E_walk1_t func, void* client_data) {
  return api_entry_keep("H5Ewalk1", herr_t{-1}, [&]() -> Result<int> {
    if (func == nullptr) return 0;
    auto visit = [&](std::size_t n, const ErrorEntry& entry) {
      H5E_error1_t error = as_error1(entry);
      return func(static_cast<int>(n), &error, client_data);
    };
    PCIO_ASSIGN(int answer, walk(thread_error_stack(), direction, visit));
    // Stopping early is a success in this form, with no number of its own. Source: observed.
    return answer < 0 ? answer : 0;
  });
}

// ---- the automatic report ----------------------------------------------------------------------
// A function set in one form cannot be asked for in the other; the default can, in both.

herr_t H5Eget_auto2(hid_t estack_id, H5E_auto2_t* func, void** client_data) {
  return api_entry_keep("H5Eget_auto2", herr_t{-1}, [&]() -> Status {
    PCIO_ASSIGN(auto stack, stack_of(estack_id, "estack_id"));
    const AutoReport& report = stack->report;
    if (!report.is_v2 && !report.is_default1)
      return PCIO_ERROR(ERROR, CANTGET, "the report was set with H5Eset_auto1, ask H5Eget_auto1");
    if (func != nullptr) *func = report.function2;
    if (client_data != nullptr) *client_data = report.data;
    return Status();
  });
}

herr_t H5Eget_auto1(H5E_auto1_t* func, void** client_data) {
  return api_entry_keep("H5Eget_auto1", herr_t{-1}, [&]() -> Status {
    const AutoReport& report = thread_error_stack().report;
    if (report.is_v2 && !report.is_default2)
      return PCIO_ERROR(ERROR, CANTGET, "the report was set with H5Eset_auto2, ask H5Eget_auto2");
    if (func != nullptr) *func = report.function1;
    if (client_data != nullptr) *client_data = report.data;
    return Status();
  });
}

herr_t H5Eset_auto2(hid_t estack_id, H5E_auto2_t func, void* client_data) {
  return api_entry_keep("H5Eset_auto2", herr_t{-1}, [&]() -> Status {
    PCIO_ASSIGN(auto stack, stack_of(estack_id, "estack_id"));
    AutoReport report;
    report.is_default2 = func == report.function2;
    report.function2 = func;
    report.data = client_data;
    stack->report = report;
    return Status();
  });
}

herr_t H5Eset_auto1(H5E_auto1_t func, void* client_data) {
  return api_entry_keep("H5Eset_auto1", herr_t{-1}, [&]() -> Status {
    AutoReport report;
    report.is_v2 = false;
    report.is_default1 = func == report.function1;
    report.function1 = func;
    report.data = client_data;
    thread_error_stack().report = report;
    return Status();
  });
}

herr_t H5Eauto_is_v2(hid_t err_stack, unsigned* is_stack) {
  return api_entry_keep("H5Eauto_is_v2", herr_t{-1}, [&]() -> Status {
    PCIO_ASSIGN(auto stack, stack_of(err_stack, "err_stack"));
    if (is_stack != nullptr) *is_stack = stack->report.is_v2 ? 1 : 0;
    return Status();
  });
}
