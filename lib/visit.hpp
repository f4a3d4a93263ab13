// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: walking from a group through everything that hard links reach, each group once.

#pragma once

#include <functional>
#include <string>

#include "lib/iteration.hpp"

namespace pcio {

/// Called with the path seen from the start, and the link; the answer stops the walk unless 0.
using LinkVisitor = std::function<Result<herr_t>(const std::string& path, const LinkMessage& link)>;
/// Called with the path seen from the start ("." for the start itself), and the object.
using ObjectVisitor = std::function<Result<herr_t>(const std::string& path, const Location& at)>;

/// Every link that can be reached, in the order of a depth-first walk. Groups that several paths
/// lead to, or that contain themselves, are entered once. A group that doesn't track the order of
/// creation is walked by names where that order is asked for, as in HDF5.
///
/// Result: 0 or the first positive answer. Errors: a negative answer; damaged groups.
Result<herr_t> visit_links(const Location& start, ListOrder how, const LinkVisitor& visit);

/// The start and every object that hard links reach from it, each object once.
Result<herr_t> visit_objects(const Location& start, ListOrder how, const ObjectVisitor& visit);

/// A path from the root to an object; "" where none leads there.
Result<std::string> path_of_object(const Location& object);

}  // namespace pcio
