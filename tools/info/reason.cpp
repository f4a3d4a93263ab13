// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Why the last call failed, and names made fit for a terminal. Room: tools, public headers only.

#include <fmt/format.h>

#include "id.hpp"

namespace pcioinfo {

namespace {

herr_t keep_innermost(unsigned n, const H5E_error2_t* error, void* out) {
  if (n == 0 && error->desc != nullptr) *static_cast<std::string*>(out) = error->desc;
  return 0;
}

}  // namespace

std::string last_reason() {
  std::string reason;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_innermost, &reason);
  H5Eclear2(H5E_DEFAULT);
  return reason.empty() ? "no reason given" : printable(reason);
}

std::string printable(const std::string& name) {
  std::string text;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    // UTF-8 is left alone; what moves a terminal's cursor is not.
    if (byte < 0x20 || byte == 0x7f)
      text += fmt::format("\\x{:02x}", byte);
    else
      text += c;
  }
  return text;
}

}  // namespace pcioinfo
