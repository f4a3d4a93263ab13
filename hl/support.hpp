// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// What all files of the high level library use: ids with an owner, failures on the error stack.
#pragma once

#include <H5Epublic.h>
#include <H5Ipublic.h>
#include <H5public.h>

#include <utility>

namespace pcio::hl {

// An id that is given back at the end of its scope, whatever kind it is of. What is on the error stack stays.
class OwnedId {
 public:
  explicit OwnedId(hid_t id) : m_id(id) {}
  OwnedId(OwnedId&& other) noexcept : m_id(std::exchange(other.m_id, H5I_INVALID_HID)) {}
  OwnedId(const OwnedId&) = delete;
  OwnedId& operator=(const OwnedId&) = delete;
  OwnedId& operator=(OwnedId&& other) noexcept {
    std::swap(m_id, other.m_id);
    return *this;
  }
  ~OwnedId() {
    if (m_id <= 0) return;  // none, or H5P_DEFAULT
    // Every call empties the stack that it finds.
    const hid_t stack = H5Eget_num(H5E_DEFAULT) > 0 ? H5Eget_current_stack() : H5I_INVALID_HID;
    H5Idec_ref(m_id);
    if (stack >= 0) H5Eset_current_stack(stack);
  }
  [[nodiscard]] hid_t get() const { return m_id; }
  /// It is somebody else's from here on.
  [[nodiscard]] hid_t release() { return std::exchange(m_id, H5I_INVALID_HID); }
  explicit operator bool() const { return m_id >= 0; }

 private:
  hid_t m_id;
};

// What is on the error stack stays, and nothing is printed, while what failed is undone.
class ErrorsKept {
 public:
  ErrorsKept() : m_stack(H5Eget_current_stack()) {
    H5Eget_auto2(H5E_DEFAULT, &m_function, &m_data);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ErrorsKept(const ErrorsKept&) = delete;
  ErrorsKept& operator=(const ErrorsKept&) = delete;
  ~ErrorsKept() {
    H5Eset_auto2(H5E_DEFAULT, m_function, m_data);
    if (m_stack >= 0) H5Eset_current_stack(m_stack);
  }

 private:
  hid_t m_stack;
  H5E_auto2_t m_function = nullptr;
  void* m_data = nullptr;
};

// Text that the library has given out.
struct LibraryText {
  char* text;
  explicit LibraryText(char* given) : text(given) {}
  LibraryText(const LibraryText&) = delete;
  LibraryText& operator=(const LibraryText&) = delete;
  ~LibraryText() { H5free_memory(text); }
};

// A failure that the high level library itself finds: a frame with function, argument and reason.
// Returns -1, which is what all of its functions return on failure.
inline int refuse(const char* function, const char* argument, const char* reason) {
  H5Epush2(H5E_DEFAULT, __FILE__, function, __LINE__, H5E_ERR_CLS, H5E_ARGS, H5E_BADVALUE,
           "%s: %s: %s", function, argument, reason);
  return -1;
}

}  // namespace pcio::hl
