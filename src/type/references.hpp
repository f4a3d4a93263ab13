// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room type: references inside of datatypes.

#pragma once

#include "type/datatype.hpp"

namespace pcio {

/// References to regions are in the elements of a type, at any depth. Collective: pure.
bool has_region_references(const Datatype& type);

}  // namespace pcio
