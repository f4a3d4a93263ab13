// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room props: which properties of a file must be the same on all of its ranks, each with its name and
// its value as a message tells them.
//
// What is in these tables decides where something lies in the file, in which form it is written, or which calls
// communicate: ranks that differ there lose step later. Everything else may differ; the
// tables are the only place that says so (doc/SUPPORT.md tells users).

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "props/file_props.hpp"

namespace pcio {

/// Something that must be equal on all ranks. Names are literals.
struct NamedValue {
  std::string_view name;
  std::string value;
};
using NamedValues = std::vector<NamedValue>;

/// Appends a row for each property of the list that must be equal: always as many, in the same order.
/// Collective: pure.
void append_compared(const FileCreateProps& props, NamedValues* values);
void append_compared(const FileAccessProps& props, NamedValues* values);

}  // namespace pcio
