// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: text and pointer arguments.

#include "lib/text_argument.hpp"

#include <algorithm>
#include <cstring>

namespace pcio {

Result<std::string> text_argument(const char* text, const char* argument) {
  if (text == nullptr || *text == '\0')
    return PCIO_ERROR(ARGS, BADVALUE,
                      std::string("argument ") + argument + ": no text (NULL or empty)");
  return std::string(text);
}

ssize_t copy_text(const std::string& text, char* buffer, std::size_t size) {
  if (buffer != nullptr && size > 0) {
    std::size_t n = std::min(text.size(), size - 1);
    std::memcpy(buffer, text.data(), n);
    buffer[n] = '\0';
  }
  return static_cast<ssize_t>(text.size());
}

Status need_pointer(const void* pointer, const char* argument) {
  if (pointer != nullptr) return Status();
  return PCIO_ERROR(ARGS, BADVALUE, std::string("argument ") + argument + ": NULL");
}

}  // namespace pcio
