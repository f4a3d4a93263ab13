// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: committed datatypes.

#pragma once

#include "object/traverse.hpp"

namespace pcio {

/// A type as a dataset or an attribute has it.
struct StoredType {
  Datatype type;
  /// Where it is committed in the same file; a type committed elsewhere is stored as a copy.
  FileAddress committed = kUndefinedAddress;
};

/// A committed type without a link. `source`: the type, of any file, that it is a copy of.
/// Collective: by contract.
Result<Location> make_named_type(const FilePtr& file, const Datatype& type,
                                 const ObjectCreateProps& create,
                                 const StoredObject* source = nullptr);
/// The type that a committed datatype holds. Errors: not a committed datatype.
Result<Datatype> named_type(const Location& object);
/// The list with which it could be made again. Collective: pure.
DatatypeCreateProps type_create_props(const OpenObject& type);

}  // namespace pcio
