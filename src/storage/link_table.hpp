// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage: the links of a group, in memory, whatever their form in the file.

#pragma once

#include <map>
#include <string>
#include <string_view>

#include "format/link_message.hpp"

namespace pcio {

/// Links by name in the order of the names' bytes, which is HDF5's name order.
using LinkMap = std::map<std::string, LinkMessage, std::less<>>;

/// The content of one group.
struct LinkTable {
  LinkMap links;
  std::int64_t next_creation_order = 0;
};

/// True where a version 1 symbol table can hold every link: hard and soft links with ASCII names.
[[nodiscard]] bool fits_symbol_table(const LinkTable& table);

}  // namespace pcio
