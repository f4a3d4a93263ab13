// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room agree: values that must be the same on all ranks, whatever they are.
//
// Their hash travels in an agreement that happens anyway; only where the hashes differ more is
// exchanged, to say which value it is and who has another one.

#pragma once

#include "agree/coordinator.hpp"
#include "props/compared_props.hpp"

namespace pcio {

/// Of names and values. Collective: pure.
std::uint64_t hash_values(const NamedValues& values);

/// The error where hashes differed: names the first value that a rank has otherwise than rank 0, and the
/// lowest such rank. Collective: over the file, three exchanges; as many values on all ranks. Never
/// successful; the same on all ranks.
Status name_difference(Coordinator& coordinator, const CallName& name, const NamedValues& mine);

}  // namespace pcio
