// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: text and pointers that come in from, and go out to, C callers.

#pragma once

#include <string>
#include <sys/types.h>

#include "base/status.hpp"

namespace pcio {

/// The text behind a C string argument. Errors: ARGS/BADVALUE for NULL and for an empty text.
Result<std::string> text_argument(const char* text, const char* argument);

/// Copies `text` into a caller's buffer of `size` bytes, cut and closed with a 0 byte.
///
/// `buffer` may be NULL (asking for the length). Result: length of the whole text without the 0.
ssize_t copy_text(const std::string& text, char* buffer, std::size_t size);

/// Success where `pointer` may be written to. Errors: ARGS/BADVALUE for NULL.
Status need_pointer(const void* pointer, const char* argument);

}  // namespace pcio
