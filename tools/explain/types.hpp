// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room tools/explain: types by short names.

#ifndef PCIO_TOOLS_EXPLAIN_TYPES_HPP
#define PCIO_TOOLS_EXPLAIN_TYPES_HPP

#include <string>

#include "base/status.hpp"
#include "type/datatype.hpp"

namespace pcio_explain {

/// "f4", "f8", "i1" to "i8", "u1" to "u8", "o16" (opaque, of so many bytes); big-endian numbers with a
/// > in front. Errors: no such type.
pcio::Result<pcio::Datatype> type_named(const std::string& name);
/// The same name, or "o" and the size.
std::string name_of_type(const pcio::Datatype& type);

}  // namespace pcio_explain

#endif
