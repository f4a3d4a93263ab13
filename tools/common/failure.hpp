// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// What the tools that work on files share: failures, ids that must be valid. Room: tools, public headers only.

#ifndef PCIO_TOOLS_COMMON_FAILURE_HPP
#define PCIO_TOOLS_COMMON_FAILURE_HPP

#include <fmt/format.h>
#include <hdf5.h>
#include <stdexcept>
#include <string>

#include "id.hpp"

namespace tools {

using pcioinfo::Id;
using pcioinfo::last_reason;
using pcioinfo::printable;

/// Ends the work of a tool; its text is the one line that the user sees.
struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The call about `subject` failed: its name and the library's reason.
[[noreturn]] inline void fail(const std::string& subject) {
  throw Failure(fmt::format("{}: {}", printable(subject), last_reason()));
}

/// Throws where a call failed, of which `result` is negative.
template <typename Value>
Value need(Value result, const std::string& subject) {
  if (result < 0) fail(subject);
  return result;
}

/// The id as an owner. Throws where it is the result of a call that failed.
inline Id need_id(hid_t id, const std::string& subject) { return Id(need(id, subject)); }

}  // namespace tools

#endif
