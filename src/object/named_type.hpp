// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: committed datatypes.

#pragma once

#include "object/group.hpp"

namespace pcio {

/// A committed type without a link. Collective: by contract.
Result<Location> make_named_type(const FilePtr& file, const Datatype& type,
                                 const ObjectCreateProps& create);
/// The type that a committed datatype holds. Errors: not a committed datatype.
Result<Datatype> named_type(FileStore& store, const StoredObjectPtr& object);

}  // namespace pcio
