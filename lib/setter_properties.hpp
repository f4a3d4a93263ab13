// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: which properties a setter of its own sets, by their names.

#pragma once

#include "lib/value_handles.hpp"

namespace pcio {

/// Notes that `setter` gave the list values of its own.
void note_setter(PropertyListObject& list, std::string_view setter);
/// Success where the list still has what the setter, or the getter of the same name, is about.
Status need_properties(const PropertyListObject& list, std::string_view call);

}  // namespace pcio
