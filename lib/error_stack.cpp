// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: the thread's error stack and the text form of a stack.

#include "lib/error_stack.hpp"

#include <cstring>
#include <thread>

#include <mpi.h>

namespace pcio {

namespace {

// By default the stack is printed, by the functions that the application can call itself: it compares
// what it gets from H5Eget_auto with them. They are never called through these types.
const auto kDefaultReport1 = reinterpret_cast<H5E_auto1_t>(H5Eprint1);
const auto kDefaultReport2 = reinterpret_cast<H5E_auto2_t>(H5Eprint2);

/// Source path from its room on: where the library was built is nobody's business.
const char* short_path(const char* path) {
  const char* best = path;
  for (const char* room : {"/src/", "/lib/"})
    for (const char* p = std::strstr(path, room); p != nullptr; p = std::strstr(p + 1, room))
      if (p + 1 > best) best = p + 1;
  return best;
}

/// "thread 0" in a serial program, "MPI-process N" between MPI_Init and MPI_Finalize.
std::string process_name() {
  int initialized = 0;
  int finalized = 0;
  MPI_Initialized(&initialized);
  MPI_Finalized(&finalized);
  if (initialized == 0 || finalized != 0) return "thread 0";
  int mpi_rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &mpi_rank);
  return "MPI-process " + std::to_string(mpi_rank);
}

void print_header(const ErrorClassObject* cls, std::FILE* stream) {
  std::fprintf(stream, "%s-DIAG: Error detected in %s (%s) %s:\n", cls ? cls->name.c_str() : "?",
               cls ? cls->library.c_str() : "?", cls ? cls->version.c_str() : "?",
               process_name().c_str());
}

}  // namespace

AutoReport::AutoReport() : function1(kDefaultReport1), function2(kDefaultReport2) {}

namespace {

// The loader's thread, which runs main(): its stack is never freed, because atexit handlers and
// static destructors, which may call the library, run after its thread_local objects are gone.
const std::thread::id kMainThread = std::this_thread::get_id();

// Each call looks at it.
__thread ErrorStack* thread_stack __attribute__((tls_model("initial-exec"))) = nullptr;

struct StackReaper {
  ~StackReaper() {
    if (std::this_thread::get_id() == kMainThread) return;
    delete thread_stack;
    thread_stack = nullptr;
  }
};

}  // namespace

ErrorStack& thread_error_stack() {
  if (thread_stack == nullptr) {
    static thread_local StackReaper reaper;
    (void)&reaper;
    thread_stack = new ErrorStack;
  }
  return *thread_stack;
}

Result<std::shared_ptr<ErrorStack>> stack_of(hid_t id, const char* argument) {
  if (id == H5E_DEFAULT)
    return std::shared_ptr<ErrorStack>(std::shared_ptr<void>(), &thread_error_stack());
  PCIO_ASSIGN(auto object, get<ErrorStackObject>(id, argument));
  return std::shared_ptr<ErrorStack>(object, &object->stack);
}

ErrorEntry entry_of(const ErrorFrame& frame) {
  ErrorEntry entry;
  entry.cls_id = H5E_ERR_CLS_g;
  entry.major_id = error_ids::of(frame.major);
  entry.minor_id = error_ids::of(frame.minor);
  // While the library opens there may be no ids yet; the entry then prints without them.
  if (auto cls = get<ErrorClassObject>(entry.cls_id, "class")) entry.cls = std::move(*cls);
  if (auto major = get<ErrorMessageObject>(entry.major_id, "major"))
    entry.major = std::move(*major);
  if (auto minor = get<ErrorMessageObject>(entry.minor_id, "minor"))
    entry.minor = std::move(*minor);
  entry.line = frame.line;
  entry.function = frame.function;
  entry.file = short_path(frame.file);
  entry.text = frame.text;
  return entry;
}

namespace {

const ErrorClassObject* header_class(const ErrorEntry& entry, HeaderClass header) {
  if (header == HeaderClass::kOfMajor && entry.major) return entry.major->cls.get();
  return entry.cls.get();
}

}  // namespace

void print_stack(const ErrorStack& stack, std::FILE* stream, HeaderClass header) {
  if (stream == nullptr) stream = stderr;
  const ErrorClassObject* current = nullptr;
  for (std::size_t n = 0; n < stack.entries.size(); ++n) {
    // The outermost call comes first: it was pushed last.
    const ErrorEntry& entry = *stack.entries[stack.entries.size() - 1 - n];
    const ErrorClassObject* cls = header_class(entry, header);
    if (n == 0 || cls != current) print_header(cls, stream);
    current = cls;
    std::fprintf(stream, "  #%03zu: %s line %u in %s(): %s\n", n, entry.file.c_str(), entry.line,
                 entry.function.c_str(), entry.text.c_str());
    if (entry.major) std::fprintf(stream, "    major: %s\n", entry.major->text.c_str());
    if (entry.minor) std::fprintf(stream, "    minor: %s\n", entry.minor->text.c_str());
  }
}

void run_auto_report(const ErrorStack& stack) {
  // Copied first: the function may set another one.
  AutoReport report = stack.report;
  auto* const stream = static_cast<std::FILE*>(report.data);
  if (report.is_v2) {
    if (report.function2 == kDefaultReport2)
      print_stack(stack, stream);
    else if (report.function2 != nullptr)
      (void)report.function2(H5E_DEFAULT, report.data);
  } else if (report.function1 == kDefaultReport1) {
    print_stack(stack, stream, HeaderClass::kOfMajor);
  } else if (report.function1 != nullptr) {
    (void)report.function1(report.data);
  }
}

}  // namespace pcio
