// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// How many links lead to each object, and how many its header counts. Room: tools, pure.

#ifndef PCIO_TOOLS_CHECK_LINKS_HPP
#define PCIO_TOOLS_CHECK_LINKS_HPP

#include "findings.hpp"

namespace check {

/// Of the findings of all ranks together: who deletes a link of an object that counts too few deletes the object, and
/// one that counts too many stays for ever. Source: file format specification, IV.A.1 (object reference count).
void check_links(Findings* found);

}  // namespace check

#endif
