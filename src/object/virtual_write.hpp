// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: virtual datasets written by all ranks of a parallel file together.
//
// Each rank finds by itself what it writes to which sources; the ranks unite the sources, open each file
// together as the file with the virtual dataset is open, write each source in a collective transfer to
// which everybody brings its part, and close the file again.

#pragma once

#include "object/virtual_dataset.hpp"

namespace pcio {

/// Collective: over the dataset's file. Before the first agreement is over nothing is written; what fails later
/// fails on all ranks, and sources before that may have their values.
/// Errors: as transfer_virtual; a source that some ranks have open, or all in another way, and not for
/// writing; those of opening it. A source whose commit failed stays open, and is closed by whoever opens it
/// next or with this file.
Status write_virtual(const Location& dataset, const TransferRequest& request,
                     TransferReport* report, std::string_view function, const Status& checked);

}  // namespace pcio
