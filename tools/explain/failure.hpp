// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room tools/explain: what ends the work of the tool.

#ifndef PCIO_TOOLS_EXPLAIN_FAILURE_HPP
#define PCIO_TOOLS_EXPLAIN_FAILURE_HPP

#include <stdexcept>

namespace pcio_explain {

/// Its text is the one line that the user sees.
struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};
/// The same of what the user asked for.
struct UsageFailure : Failure {
  using Failure::Failure;
};

}  // namespace pcio_explain

#endif
