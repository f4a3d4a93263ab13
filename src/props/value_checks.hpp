// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room props: what the values of a list must be, for values that did not come through its setters.

#pragma once

#include "base/status.hpp"
#include "props/property_list.hpp"

namespace pcio {

/// Success where every value of the list is one that its setter takes.
/// Collective: pure. Errors: PLIST BADVALUE, naming the property.
Status check_values(const PropertyList& list);

}  // namespace pcio
