// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: error stacks as the H5E calls see them, and what stands behind error ids.

#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "lib/handles.hpp"
#include "lib/public_api.hpp"

namespace pcio {

/// H5Eregister_class: who raises errors.
struct ErrorClassObject final : ApiObject {
  static constexpr IdType kIdType = IdType::kErrorClass;
  ErrorClassObject(std::string n, std::string lib, std::string ver)
      : name(std::move(n)), library(std::move(lib)), version(std::move(ver)) {}
  std::string name;
  std::string library;
  std::string version;
};

/// H5Ecreate_msg: a major or minor error code with its text.
struct ErrorMessageObject final : ApiObject {
  static constexpr IdType kIdType = IdType::kErrorMessage;
  ErrorMessageObject(std::shared_ptr<ErrorClassObject> c, H5E_type_t k, std::string t)
      : cls(std::move(c)), kind(k), text(std::move(t)) {}
  std::shared_ptr<ErrorClassObject> cls;
  H5E_type_t kind;
  std::string text;
};

/// One entry; holds what its ids name, so that it prints also after they are closed.
struct ErrorEntry {
  hid_t cls_id = H5I_INVALID_HID;
  hid_t major_id = H5I_INVALID_HID;
  hid_t minor_id = H5I_INVALID_HID;
  std::shared_ptr<ErrorClassObject> cls;
  std::shared_ptr<ErrorMessageObject> major;
  std::shared_ptr<ErrorMessageObject> minor;
  unsigned line = 0;
  std::string function;
  std::string file;
  std::string text;
};

/// What happens automatically when a call fails; one of two forms, the older one without a stack.
struct AutoReport {
  bool is_v2 = true;
  H5E_auto1_t function1 = nullptr;
  H5E_auto2_t function2 = nullptr;
  void* data = nullptr;
  // A default may be asked for in both forms; a function of the user's only in its own.
  bool is_default1 = true;
  bool is_default2 = true;
  AutoReport();
};

/// An entry never changes and stays where it is: a callback of H5Ewalk2 may keep its texts until the
/// stack is cleared.
using ErrorEntryPtr = std::shared_ptr<const ErrorEntry>;

/// A stack: entries in the order in which they were pushed, innermost first.
struct ErrorStack {
  std::vector<ErrorEntryPtr> entries;
  AutoReport report;
};

/// H5Ecreate_stack, H5Eget_current_stack.
struct ErrorStackObject final : ApiObject {
  static constexpr IdType kIdType = IdType::kErrorStack;
  ErrorStack stack;
};

/// The stack of the calling thread.
ErrorStack& thread_error_stack();

/// The stack that a H5E call means: H5E_DEFAULT is the thread's. The pointer keeps it alive.
Result<std::shared_ptr<ErrorStack>> stack_of(hid_t id, const char* argument);

/// An entry of the library's own class for a frame of a Status.
ErrorEntry entry_of(const ErrorFrame& frame);

/// Which class the header over an entry names: that of the entry, or, in the older form of the
/// calls, which know no classes, that of its major code.
enum class HeaderClass { kOfEntry, kOfMajor };

/// Prints in HDF5's form; prints nothing for an empty stack.
void print_stack(const ErrorStack& stack, std::FILE* stream,
                 HeaderClass header = HeaderClass::kOfEntry);

/// Calls the report function of `stack`, if any.
void run_auto_report(const ErrorStack& stack);

/// Most entries a stack takes; more are dropped, innermost kept. Source: H5E_NSLOTS as observed.
inline constexpr std::size_t kMaxErrorEntries = 32;

/// Ids of the library's error class and messages: filled when the library opens.
namespace error_ids {
hid_t of(Major major);
hid_t of(Minor minor);
}  // namespace error_ids

}  // namespace pcio
