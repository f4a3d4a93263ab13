// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Attributes and comments. Room: tools, public headers only.

#ifndef PCIO_TOOLS_REPACK_ATTRIBUTES_HPP
#define PCIO_TOOLS_REPACK_ATTRIBUTES_HPP

#include "structure.hpp"
#include "twins.hpp"

namespace repack {

/// Gives an object of the new file the attributes and the comment that it has in the source. All objects are
/// there, so that references find them. The same on all ranks. Throws tools::Failure.
void copy_attributes(Twins* twins, const Item& item);

}  // namespace repack

#endif
