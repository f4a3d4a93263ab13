// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: comments of objects: one text each, in a message of the object's header.

#pragma once

#include <string>

#include "object/traverse.hpp"

namespace pcio {

/// The comment of an object; "" where it has none. Collective: independent. Errors: a damaged message.
Result<std::string> comment_of(const Location& object);
/// Puts `comment` in place of what was there; "" takes it away. Collective: by contract.
/// Errors: more than 64 KiB; a header that can't have one message more.
Status set_comment(const Location& object, const std::string& comment);

}  // namespace pcio
